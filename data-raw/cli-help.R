# Writes the help texts of exec/judicious to inst/cli. Install the package after changing the commands or their options,
# and run this in the package's folder.
dir.create("inst/cli", showWarnings = FALSE)
texts <- judicious:::cli_help_texts()
for (name in names(texts)) writeLines(texts[[name]], file.path("inst", "cli", paste0(name, ".txt")))
