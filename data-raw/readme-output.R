# Writes the output of the six lines of README.md below them. Install the package, and run this in its folder.
library(judicious)
source("tests/testthat/helper-readme.R")
lines <- readLines("README.md")
at <- grep("<!-- (output|end) of data-raw/readme-output.R -->", lines)
writeLines(c(lines[seq_len(at[1])], "```text", readme_output(readme_block(lines, at[1])), "```",
             lines[at[2]:length(lines)]), "README.md")
