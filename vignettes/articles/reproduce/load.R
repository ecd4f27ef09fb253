# Loads reproduce() and its parts. They are no part of the package, but use its internal functions, so that their
# environment is below the package's namespace. In the package's folder, with the package installed or loaded:
#
#   source("vignettes/articles/reproduce/load.R")
#   scripts <- load_reproduction("vignettes/articles/reproduce")
#   scripts$reproduce("mtc", "example")
#
# From the command line, this prints the named items of a paper, or all of them. With `--check`, it says instead whether
# they are equal to the stored results, to nine digits, and ends with status 1 if one is not; `--update` stores those
# that are not:
#
#   Rscript vignettes/articles/reproduce/load.R [--check|--update] mtc table5 table6

# `folder` is the folder of this file. The classes' methods are registered, so that print(), summary(), plot() and
# as.data.frame() find them.
load_reproduction <- function(folder) {
  folder <- normalizePath(folder, mustWork = TRUE)
  scripts <- new.env(parent = asNamespace("judicious"))
  scripts$published_folder <- file.path(folder, "published")
  for (file in setdiff(list.files(folder, "[.]R$"), "load.R")) sys.source(file.path(folder, file), scripts)
  methods <- list(judicious_reproduction = c("print", "summary", "plot", "as.data.frame"),
                  judicious_truncated = c("print", "predict", "logLik"))
  for (class in names(methods)) for (generic in methods[[class]]) {
    registerS3method(generic, class, scripts[[paste0(generic, ".", class)]], asNamespace("judicious"))
  }
  scripts
}

if (sys.nframe() == 0) {
  arguments <- commandArgs(trailingOnly = TRUE)
  named <- setdiff(arguments, c("--check", "--update"))
  if (!length(named)) {
    stop("Name a paper (mtc, significance or preferences), and items of it if not all are wanted.", call. = FALSE)
  }
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  scripts <- load_reproduction(dirname(script))
  items <- if (length(named) > 1) named[-1] else names(scripts$reproduction_items(named[1]))
  update <- "--update" %in% arguments
  if (identical(named, arguments)) {
    print(scripts$reproduce(named[1], items))
  } else if (!all(scripts$check_items(named[1], items, update)) && !update) {
    quit(status = 1)
  }
}
