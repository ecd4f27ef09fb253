# Builds the package's web site without access to the network. With the package and pkgdown installed, from its folder:
#   Rscript tools/site.R [folder]
# To link to the sites of other packages, downlit downloads a file of each, and offline it waits a minute for every one.
# A download method that does not exist fails at once, and the links then go to the usual place of their manuals.
options(pkgdown.internet = FALSE, download.file.method = "none")
folder <- c(commandArgs(trailingOnly = TRUE), "docs")[1]
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
pkgdown::build_site(".", override = list(destination = normalizePath(folder)), preview = FALSE, new_process = FALSE,
                    install = FALSE)
