# Writes the help texts of exec/judicious, and completion for shells, to inst/cli. Install the package after changing
# the commands or their options, and run this in the package's folder.
dir.create("inst/cli", showWarnings = FALSE)
texts <- judicious:::cli_help_texts()
for (name in names(texts)) writeLines(texts[[name]], file.path("inst", "cli", paste0(name, ".txt")))

# Completion: bash loads a file with the name of the command, and zsh one with an underscore before it.
files <- judicious:::cli_completion()
for (name in names(files)) writeLines(files[[name]], file.path("inst", "cli", name))
