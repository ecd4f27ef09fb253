# Prints the packages of the given fields of DESCRIPTION that are not installed, or are too old.
fields <- commandArgs(trailingOnly = TRUE)
description <- read.dcf("DESCRIPTION", fields = fields)
entries <- trimws(unlist(strsplit(description[!is.na(description)], ",")))
name <- sub("[[:space:]]*\\(.*", "", entries)
least <- ifelse(grepl("\\(", entries), gsub(".*>=[[:space:]]*|\\)", "", entries), "0")
# Debian's BH contains no headers, about which R CMD check complains, so the BH of CRAN is needed.
has_headers <- function(name) name != "BH" || nzchar(system.file("include", package = name))
installed <- mapply(function(name, least) {
  tryCatch(utils::packageVersion(name) >= least && has_headers(name), error = function(cnd) FALSE)
}, name, least)
# ellmer is installed in a library of its own: see need_ellmer() in install.sh.
cat(unique(setdiff(name[!installed], c("R", "ellmer"))), sep = "\n")
