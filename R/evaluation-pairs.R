#' Compare systems query by query
#'
#' Computes the difference in effectiveness between two systems for every query. Without `a` and `b`, it summarises the
#' differences of all pairs of systems. Use it to find the queries on which systems differ. [compare_systems()] tests
#' whether differences are significant.
#'
#' @param scores Effectiveness per query, by [evaluate()].
#' @param a,b Names of two systems, or NULL for all pairs.
#' @param measure The name of a measure, as in the column `measure`; can be omitted if there is only one.
#' @param x,object The result of `score_differences()`, or for `plot()` also that of [evaluate()].
#' @param ... Not used.
#' @return For two systems: a data frame of class `judicious_differences` with one row per query for which both have a
#'   value: `query`, `a`, `b` and `difference` (a - b), largest difference first. For all pairs: a data frame of class
#'   `judicious_pairwise` with one row per ordered pair of systems, best systems first: `system_a`, `system_b`,
#'   `difference` (mean of a - b over the queries for which both have a value, weighted if queries have weights), and
#'   `wins`, `ties` and `losses` (numbers of queries on which a is higher, equal and lower). `autoplot()`: a ggplot2
#'   object. `plot()`: the ggplot2 object, invisibly. It shows the differences of two systems as bars, all pairs as a
#'   heatmap, and the result of [evaluate()] as a distribution per system.
#' @examples
#' set.seed(1)
#' judgments <- expand.grid(doc = paste0("d", 1:9), query = paste0("q", 1:6))
#' judgments$gain <- rbinom(54, 2, .3)
#' runs <- merge(judgments[c("doc", "query")], data.frame(system = c("A", "B", "C")))
#' runs$score <- rnorm(nrow(runs))
#' scores <- evaluate(runs, judgments, "nDCG@5")
#' score_differences(scores, "A", "B")
#' score_differences(scores)
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(score_differences(scores))
#' @export
score_differences <- function(scores, a = NULL, b = NULL, measure = NULL) {
  check_class(scores, "judicious_scores", "scores", "evaluate")
  if (is.null(a) && is.null(b)) return(pairwise_differences(scores, one_measure(scores, measure)))
  check_string(a, "a")
  check_string(b, "b")
  values <- as.matrix(scores, measure = one_measure(scores, measure))
  for (system in c(a, b)) {
    abort_unless(system %in% colnames(values), c(
      "There is no system {.val {system}} in {.arg scores}.",
      i = "There are {name_some(colnames(values), 10)}."
    ), "unknown_system", systems = system)
  }
  out <- data.frame(query = rownames(values), a = values[, a], b = values[, b])
  out <- out[!is.na(out$a) & !is.na(out$b), ]
  out$difference <- out$a - out$b
  out <- out[order(-out$difference), ]
  structure(without_row_names(out), class = c("judicious_differences", "data.frame"), systems = c(a, b),
            measure = one_measure(scores, measure))
}

pairwise_differences <- function(scores, measure, call = caller_env()) {
  values <- as.matrix(scores, measure = measure)
  weight <- scores$weight[match(rownames(values), scores$query)]
  mean_of <- function(v) total_value(v, "mean", weight)
  values <- values[, order(-apply(values, 2, mean_of)), drop = FALSE]
  n <- ncol(values)
  check_that(n >= 2, "scores", "must have two systems or more.", call = call)
  pairs <- expand.grid(b = seq_len(n), a = seq_len(n))
  pairs <- pairs[pairs$a != pairs$b, ]
  count <- function(what) mapply(function(a, b) what(values[, a] - values[, b]), pairs$a, pairs$b)
  out <- data.frame(
    system_a = colnames(values)[pairs$a], system_b = colnames(values)[pairs$b],
    difference = count(mean_of), wins = count(function(d) sum(d > 0, na.rm = TRUE)),
    ties = count(function(d) sum(d == 0, na.rm = TRUE)), losses = count(function(d) sum(d < 0, na.rm = TRUE))
  )
  structure(out, class = c("judicious_pairwise", "data.frame"), measure = measure, systems = colnames(values),
            queries = nrow(values))
}
