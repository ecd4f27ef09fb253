# Installs the named packages from CRAN; stops where one cannot be had. Packages that only make a
# test or an example richer may be missing there: the tests that need them say so and skip.
names <- commandArgs(trailingOnly = TRUE)
if (identical(getOption("repos")[["CRAN"]], "@CRAN@")) utils::chooseCRANmirror(graphics = FALSE, ind = 1)
needed <- unlist(strsplit(read.dcf("DESCRIPTION", c("Imports", "LinkingTo"))[1, ], ",[[:space:]]*"))
needed <- sub("[[:space:]]*\\(.*", "", trimws(needed))
install.packages(names, Ncpus = parallel::detectCores(), quiet = TRUE)
failed <- setdiff(names, rownames(installed.packages()))
if (length(failed)) message("Could not be installed: ", paste(failed, collapse = ", "))
if (any(failed %in% needed)) quit(status = 1)
