# A number from the articles' stored results, for help pages: roxygen evaluates `source("data-raw/stored.R")$value`. It
# is the mean over the rows in which the named columns have the values `...`.
function(table, column, ..., digits = 2) {
  stored <- utils::read.csv(file.path("vignettes", "articles", "results", paste0(table, ".csv")))
  rows <- list(...)
  for (name in names(rows)) stored <- stored[stored[[name]] %in% rows[[name]], ]
  sub("^0", "", sprintf("%.*f", digits, mean(stored[[column]])))
}
