# Consistency of judgments of the same documents on two scales, such as Broad and Fine.

is_judgments <- function(x) is.data.frame(x) && all(c("query", "doc", "gain") %in% names(x))

# The gains of pairs that are judged on both scales, without NA.
common_gains <- function(x, y) {
  read <- function(judgments, arg) {
    judgments <- check_id_columns(judgments, c("query", "doc"), arg)
    check_numeric_column(judgments, "gain", arg)
    judgments <- judgments[!is.na(judgments$gain), , drop = FALSE]
    refuse_repeated(judgments, c("query", "doc"), arg, c(
      "judges query {.val {first$query}}, document {.val {first$doc}} twice.",
      i = "{.code test_collection(combine = )} combines the judgments of several assessors."))
    judgments
  }
  x <- read(x, "x")
  y <- read(y, "y")
  in_y <- match(text_key(x$query, x$doc), text_key(y$query, y$doc))
  check_that(!all(is.na(in_y)), "y", "No document of {.arg x} is judged in {.arg y} too.")
  both <- !is.na(in_y)
  data.frame(query = x$query[both], doc = x$doc[both], x = as.numeric(x$gain[both]), y = as.numeric(y$gain[in_y[both]]))
}

scale_agreement <- function(gains) {
  coarse_levels <- sort(unique(gains$x))
  check_that(length(coarse_levels) <= length(unique(gains$y)), "x", "must be the coarser scale: it has
    {length(coarse_levels)} different gains, and {.arg y} {length(unique(gains$y))}.")
  # For each two documents of a query that differ in x: 1 if y orders them as x does, -1 if it orders them the other
  # way, 0 if their y are equal.
  pair_orders <- unlist(lapply(split(gains, text_factor(gains$query)), function(of_query) {
    pairs <- column_pairs(nrow(of_query))
    differs <- of_query$x[pairs$a] != of_query$x[pairs$b]
    sign((of_query$x[pairs$a] - of_query$x[pairs$b]) * (of_query$y[pairs$a] - of_query$y[pairs$b]))[differs]
  }))
  of_level <- lapply(coarse_levels, function(level) gains$y[gains$x == level])
  quartiles <- do.call(rbind, lapply(of_level, quantile, (0:4) / 4, names = FALSE))
  by_level <- data.frame(level = coarse_levels, documents = lengths(of_level), mean = vapply(of_level, mean, 0),
                      sd = vapply(of_level, stats::sd, 0), lowest = quartiles[, 1], quartile_1 = quartiles[, 2],
                      median = quartiles[, 3], quartile_3 = quartiles[, 4], highest = quartiles[, 5])
  correlation <- function(method) suppressWarnings(stats::cor(gains$x, gains$y, method = method))
  structure(list(documents = nrow(gains), pearson = correlation("pearson"), spearman = correlation("spearman"),
                 compared = length(pair_orders), consistent = mean(pair_orders > 0), equal = mean(pair_orders == 0),
                 contradicted = mean(pair_orders < 0), table = by_level), class = "judicious_scale_agreement")
}

#' @export
print.judicious_scale_agreement <- function(x, ...) {
  cat(sprintf("%s on two scales: correlation %.3f (of ranks %.3f)\n", counted(x$documents, "document"), x$pearson,
              x$spearman))
  cat(sprintf("%s of a query's documents on different levels of x: order of y the same %s, equal %s, opposite %s\n",
              counted(x$compared, "pair"), percent(x$consistent, 1), percent(x$equal, 1), percent(x$contradicted, 1)))
  cat("Gains of y by level of x\n")
  print_table(x$table, digits = 3, row.names = FALSE)
  invisible(x)
}

#' @export
as.data.frame.judicious_scale_agreement <- function(x, ...) x$table
