# The help texts that exec/judicious shows, in inst/cli: run this after a change of the commands or their options.
pkgload::load_all(quiet = TRUE)
dir.create("inst/cli", showWarnings = FALSE)
texts <- cli_help_texts()
for (name in names(texts)) writeLines(texts[[name]], file.path("inst", "cli", paste0(name, ".txt")))
