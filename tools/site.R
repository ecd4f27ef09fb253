# The package's web site, made without the net. With the package and pkgdown installed, from the package's folder:
#   Rscript tools/site.R [folder]
options(pkgdown.internet = FALSE)
folder <- c(commandArgs(trailingOnly = TRUE), "docs")[1]
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
pkgdown::build_site(".", override = list(destination = normalizePath(folder)), preview = FALSE, new_process = FALSE,
                    install = FALSE)
