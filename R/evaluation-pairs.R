#' Compare systems query by query
#'
#' Differences of two systems' scores on every query, or, without `a` and `b`, a summary of them for all pairs of
#' systems. [compare_systems()] tests whether a difference is more than chance.
#'
#' @param scores Scores per query, by [evaluate()].
#' @param a,b Two systems, or neither.
#' @param measure The label of one of the measures; may be left out when there is only one.
#' @param x,object What `score_differences()` returns, or scores for `plot()`.
#' @param engine What draws: `"auto"` takes ggplot2 where it is installed, else base graphics.
#' @param ... Not used.
#' @return Of two systems: a data frame of class `judicious_differences`, one row per query that both have,
#'   with `query`, `a`, `b`, `difference` (a - b), the highest first. Of all pairs: a data frame of class
#'   `judicious_pairwise`, one row per ordered pair of systems, with `system_a`, `system_b`, `difference` (mean of a
#'   - b over the queries both have, weighted where queries have weights), `wins`, `ties`, `losses` (queries on which a
#'   is higher, equal, lower), best systems first. `plot()`: `x`, invisibly: differences as bars, pairs as a heatmap,
#'   scores as their distributions per system.
#' @examples
#' set.seed(1)
#' judgments <- expand.grid(doc = paste0("d", 1:9), query = paste0("q", 1:6))
#' judgments$gain <- rbinom(54, 2, .3)
#' runs <- merge(judgments[c("doc", "query")], data.frame(system = c("A", "B", "C")))
#' runs$score <- rnorm(nrow(runs))
#' scores <- evaluate(runs, judgments, "nDCG@5")
#' score_differences(scores, "A", "B")
#' score_differences(scores)
#' plot(score_differences(scores))
#' plot(scores)
#' @export
score_differences <- function(scores, a = NULL, b = NULL, measure = NULL) {
  check_class(scores, "judicious_scores", "scores", "evaluate")
  if (is.null(a) && is.null(b)) return(pairwise_differences(scores, one_measure(scores, measure)))
  check_string(a, "a")
  check_string(b, "b")
  matrix <- as.matrix(scores, measure = one_measure(scores, measure))
  for (system in c(a, b)) {
    if (!system %in% colnames(matrix)) {
      abort_judicious(c("There is no system {.val {system}} in {.arg scores}.",
                        i = "There are {name_some(colnames(matrix), 10)}."),
                      "unknown_system", systems = system)
    }
  }
  out <- data.frame(query = rownames(matrix), a = matrix[, a], b = matrix[, b], stringsAsFactors = FALSE)
  out <- out[!is.na(out$a) & !is.na(out$b), ]
  out$difference <- out$a - out$b
  out <- out[order(-out$difference), ]
  rownames(out) <- NULL
  structure(out, class = c("judicious_differences", "data.frame"), systems = c(a, b),
            measure = one_measure(scores, measure))
}

pairwise_differences <- function(scores, measure, call = caller_env()) {
  matrix <- as.matrix(scores, measure = measure)
  weight <- scores$weight[match(rownames(matrix), scores$query)]
  mean_of <- function(v) total_value(v, "mean", weight)
  matrix <- matrix[, order(-apply(matrix, 2, mean_of)), drop = FALSE]
  n <- ncol(matrix)
  if (n < 2) {
    abort_judicious("{.arg scores} must have two systems or more.", "argument", argument = "scores", call = call)
  }
  pairs <- expand.grid(b = seq_len(n), a = seq_len(n))
  pairs <- pairs[pairs$a != pairs$b, ]
  count <- function(what) mapply(function(a, b) what(matrix[, a] - matrix[, b]), pairs$a, pairs$b)
  out <- data.frame(
    system_a = colnames(matrix)[pairs$a], system_b = colnames(matrix)[pairs$b],
    difference = count(mean_of), wins = count(function(d) sum(d > 0, na.rm = TRUE)),
    ties = count(function(d) sum(d == 0, na.rm = TRUE)), losses = count(function(d) sum(d < 0, na.rm = TRUE)),
    stringsAsFactors = FALSE
  )
  structure(out, class = c("judicious_pairwise", "data.frame"), measure = measure, systems = colnames(matrix),
            queries = nrow(matrix))
}
