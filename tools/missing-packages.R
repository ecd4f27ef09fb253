# Prints the packages of the given fields of DESCRIPTION that are not installed, or are too old.
fields <- commandArgs(trailingOnly = TRUE)
description <- read.dcf("DESCRIPTION", fields = fields)
entries <- trimws(unlist(strsplit(description[!is.na(description)], ",")))
name <- sub("[[:space:]]*\\(.*", "", entries)
least <- ifelse(grepl("\\(", entries), gsub(".*>=[[:space:]]*|\\)", "", entries), "0")
installed <- mapply(function(name, least) {
  tryCatch(utils::packageVersion(name) >= least, error = function(cnd) FALSE)
}, name, least)
cat(unique(setdiff(name[!installed], "R")), sep = "\n")
