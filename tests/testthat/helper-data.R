# Real data, which are not part of the package. The test is skipped unless JUDICIOUS_DATA has the folder; otherwise
# returns its path.
skip_without_data <- function(folder) {
  root <- Sys.getenv("JUDICIOUS_DATA")
  path <- file.path(root, folder)
  if (!nzchar(root) || !dir.exists(path)) {
    testthat::skip(paste0("REAL DATA NOT THERE: set JUDICIOUS_DATA to the folder that holds ", folder))
  }
  path
}

# MIREX Audio Music Similarity 2011, Fine gains, k = 5, as in vignette("methods"), section 4.
mirex_2011 <- function() {
  path <- skip_without_data("mirex-ams-2011")
  read <- function(file, names, classes) {
    utils::read.delim(file.path(path, file), header = FALSE, col.names = names, colClasses = classes)
  }
  text <- "character"
  truth <- read("judgments.txt", c("query", "doc", "gain"), c(text, text, "numeric"))
  collection <- suppressWarnings(test_collection(
    read("runs.txt", c("system", "query", "doc"), text),
    documents = read("metadata.txt", c("doc", "artist", "genre"), text),
    systems = read("teams.tsv", c("system", "team"), text), judgments = truth
  ), classes = "judicious_warning_no_metadata")
  list(x = collection, truth = truth, path = path)
}

# A new, empty folder.
new_folder <- function() {
  folder <- tempfile("folder")
  dir.create(folder)
  folder
}
