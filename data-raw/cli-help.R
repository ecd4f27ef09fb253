# Writes the help texts of exec/judicious to inst/cli. Run this after changing the commands or their options.
pkgload::load_all(quiet = TRUE)
dir.create("inst/cli", showWarnings = FALSE)
texts <- cli_help_texts()
for (name in names(texts)) writeLines(texts[[name]], file.path("inst", "cli", paste0(name, ".txt")))
