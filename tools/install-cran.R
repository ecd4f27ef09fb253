# Installs the named packages from CRAN; stops if one cannot be installed. Optional packages, which few tests or
# examples use, may be missing: the tests that need them are skipped with a message.
names <- commandArgs(trailingOnly = TRUE)
if (identical(getOption("repos")[["CRAN"]], "@CRAN@")) utils::chooseCRANmirror(graphics = FALSE, ind = 1)
needed <- unlist(strsplit(read.dcf("DESCRIPTION", c("Imports", "LinkingTo"))[1, ], ",[[:space:]]*"))
needed <- sub("[[:space:]]*\\(.*", "", trimws(needed))
install.packages(names, Ncpus = parallel::detectCores(), quiet = TRUE)
failed <- setdiff(names, rownames(installed.packages()))
if (length(failed)) message("Could not be installed: ", paste(failed, collapse = ", "))
if (any(failed %in% needed)) quit(status = 1)
