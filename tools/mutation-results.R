# What tools/mutate.R and tools/mutate-core.R share: results that are kept from run to run, and the report by layer.

# The results of earlier runs in a file; NULL if there is none. `by`, the test that caught a mutant,
# is "" for none, and NA for a mutant that does not compile.
earlier_results <- function(path) {
  if (nzchar(path) && file.exists(path)) {
    utils::read.csv(path, colClasses = "character", na.strings = "does not compile")
  }
}

keep_result <- function(result, path) {
  if (!nzchar(path)) return(invisible())
  utils::write.table(result, path, sep = ",", qmethod = "double", row.names = FALSE, na = "does not compile",
                     append = file.exists(path), col.names = !file.exists(path))
}

one_line <- function(text) substr(gsub("\\s+", " ", text), 1, 60)

# `tried`: the tests that ran.
outcome <- function(by, tried) if (nzchar(by)) paste("caught by", by) else paste("SURVIVED", toString(tried))

# Prints how many mutants of each layer and kind were caught, and whether all were.
report_mutants <- function(results, further = "") {
  caught <- nzchar(results$by)
  for (column in c("layer", "kind")) {
    groups <- split(caught, factor(results[[column]], unique(results[[column]])))
    print(data.frame(mutants = lengths(groups), caught = vapply(groups, sum, 0),
                     rate = round(vapply(groups, mean, 0), 2)))
  }
  cat(sprintf("%d of %d mutants caught%s\n", sum(caught), length(caught), further))
  all(caught)
}
