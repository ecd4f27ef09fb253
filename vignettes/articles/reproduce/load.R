# Loads reproduce() and its parts. They are no part of the package, but use its internal functions, so that their
# environment is below the package's namespace. In the package's folder, with the package installed or loaded:
#
#   source("vignettes/articles/reproduce/load.R")
#   scripts <- load_reproduction("vignettes/articles/reproduce")
#   scripts$reproduce("mtc", "example")
#
# From the command line, this prints the named items of a paper, or all of them. With `--check`, it says instead whether
# they are equal to the stored results, to nine digits, and ends with status 1 if one is not:
#
#   Rscript vignettes/articles/reproduce/load.R [--check] mtc table5 table6

# `folder` is the folder of this file. The classes' methods are registered, so that print(), summary(), plot() and
# as.data.frame() find them.
load_reproduction <- function(folder) {
  folder <- normalizePath(folder, mustWork = TRUE)
  scripts <- new.env(parent = asNamespace("judicious"))
  scripts$published_folder <- file.path(folder, "published")
  for (file in setdiff(list.files(folder, "[.]R$"), "load.R")) sys.source(file.path(folder, file), scripts)
  for (generic in c("print", "summary", "plot", "as.data.frame")) {
    method <- scripts[[paste0(generic, ".judicious_reproduction")]]
    registerS3method(generic, "judicious_reproduction", method, asNamespace("judicious"))
  }
  scripts
}

# Whether each item is equal to the stored result of reproduce(), and the processor time that it took. Items of one call
# share what both need, such as sessions.
check_items <- function(scripts, paper, items) {
  world <- scripts$new_world()
  vapply(items, function(item) {
    make <- scripts$reproduction_items(paper)[item]
    used <- system.time(r <- scripts$computed_reproduction(world, paper, make, progress = FALSE))
    stored <- scripts$reproduce(paper, item, stored = TRUE)
    now <- as.data.frame(r)
    same <- c(all.equal(as.data.frame(stored), now, tolerance = 1e-9),
              # Curves are stored with four digits.
              all.equal(stored$figures[[item]]$curves, r$figures[[item]]$curves, tolerance = 1e-3))
    differences <- same[same != "TRUE"]
    found <- if (length(differences)) "NOT as stored" else "equal to the stored ones"
    cat(sprintf("%s %s: %d numbers %s, %.0f s of processor time\n", paper, item, nrow(now), found,
                sum(used[c(1, 2, 4, 5)], na.rm = TRUE)))
    if (length(differences)) cat(paste0("  ", differences), sep = "\n")
    !length(differences)
  }, NA)
}

if (sys.nframe() == 0) {
  arguments <- commandArgs(trailingOnly = TRUE)
  named <- setdiff(arguments, "--check")
  if (!length(named)) {
    stop("Name a paper (mtc, significance or preferences), and items of it if not all are wanted.", call. = FALSE)
  }
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  scripts <- load_reproduction(dirname(script))
  items <- named[-1]
  if ("--check" %in% arguments) {
    if (!length(items)) items <- names(scripts$reproduction_items(named[1]))
    if (!all(check_items(scripts, named[1], items))) quit(status = 1)
  } else {
    print(scripts$reproduce(named[1], if (length(items)) items))
  }
}
