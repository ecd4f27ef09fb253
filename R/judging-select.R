#' Which documents to judge next
#'
#' The pairs that are not judged, those first whose judgment tells most about the ranking, as minimal test collections
#' select them. A pair retrieved by c of m systems takes part in c (m - c) comparisons, its weight (equation (8) of
#' Urbano and Schedl, 2013).
#'
#' @param x A [test_collection()].
#' @param gains The distributions of the gains, by [gain_distribution()] or [uniform_gains()]. They decide
#'   which comparisons are undecided; `weights = "all"` does without them. NULL takes uniform gains.
#' @param judgments What is judged so far: a data frame with `query`, `doc` and `gain`, or the path of such a file.
#'   NULL takes the judgments that `gains` was given by [condition()], and without `gains` the collection's own.
#' @param n How many pairs to list.
#' @param weights Which comparisons count: `"all"`; those `"undecided"`, with less than the asked
#'   `confidence`; or those, each in proportion to its confidence, `"proportional"`.
#' @param ties What comes first of equal weights: `"pool"`, the order of the pool, or `"random"`.
#' @param confidence The confidence at which a comparison counts as decided.
#' @param delta The smallest difference in AG@k that is of interest.
#' @param seed Seed of the random order; the state of the generator is put back. NULL draws from it.
#' @return A data frame with columns `query`, `doc`, `systems` (how many retrieved it) and `weight`, best first; no
#'   more than `n` rows, and fewer where fewer pairs are not judged.
#' @seealso [mtc()], which selects, judges and estimates in turn.
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B", "C"), each = 2), query = "q1",
#'   doc = c("d1", "d2", "d1", "d3", "d2", "d4")
#' )
#' x <- test_collection(runs, k = 2, scale = broad_scale())
#' documents_to_judge(x, n = 3)
#' judged <- data.frame(query = "q1", doc = "d1", gain = 2)
#' documents_to_judge(x, judgments = judged, weights = "undecided")
#' @export
documents_to_judge <- function(x, gains = NULL, judgments = NULL, n = 10,
                               weights = c("all", "undecided", "proportional"), ties = c("pool", "random"),
                               confidence = 0.95, delta = 0, seed = NULL) {
  check_class(x, "judicious_collection", "x", "test_collection")
  check_count(n, "n", min = 0)
  weights <- check_choice(weights, c("all", "undecided", "proportional"), "weights")
  ties <- check_choice(ties, c("pool", "random"), "ties")
  check_number(confidence, "confidence", min = 0, max = 1)
  g <- gains_to_select_by(x, gains, judgments)
  ranking <- rank_systems(x, g, delta = delta)
  weight <- pair_weights_cpp(x$results, confidence_matrix(ranking), confidence, weights)
  tie <- match(seq_len(n_pairs(x)), tie_order(x, ties, seed))
  best <- order(-weight, -comparisons_of(x), tie)
  best <- utils::head(best[!gains_on_pool(x, g)$judged[best]], n)
  data <- pool_ids(x)[best, ]
  rownames(data) <- NULL
  data$systems <- diff(x$results$offset)[best]
  data$weight <- weight[best]
  data
}

gains_to_select_by <- function(x, gains, judgments, call = caller_env()) {
  known <- if (!is.null(judgments)) pool_gains(x, judgments, call = call) else if (is.null(gains)) x$gain
  gains <- gains %||% uniform_gains(x)
  check_class(gains, "judicious_gains", "gains", "gain_distribution", call)
  if (is.null(known) || all(is.na(known))) return(gains)
  judged <- which(!is.na(known))
  condition(gains, data.frame(pool_ids(x)[judged, ], gain = known[judged]))
}

# Comparisons in which exactly one of two systems retrieved the pair.
comparisons_of <- function(x) {
  c <- as.double(diff(x$results$offset))
  c * (n_systems(x) - c)
}

# All pairs of the pool: of equal weights the earlier is judged first.
tie_order <- function(x, ties, seed, call = caller_env()) {
  if (ties == "pool") seq_len(n_pairs(x)) else with_seed(seed, sample.int(n_pairs(x)), call)
}

confidence_matrix <- function(ranking, delta = ranking$delta) {
  m <- length(ranking$mean)
  confidence <- matrix(1, m, m)
  confidence[lower.tri(confidence)] <- compare_pairs(ranking, delta)$confidence
  confidence[upper.tri(confidence)] <- t(confidence)[upper.tri(confidence)]
  confidence
}
