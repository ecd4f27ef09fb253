#' Compute expected effectiveness before judging is complete
#'
#' Computes, for every system and query, the expectation and the variance of a linear measure under the distributions
#' of the gains. [compare_systems()] then estimates how probable it is that a difference will be significant when
#' judging is complete.
#'
#' The expectation of AG@k is the sum of the expected gains of the top k over k, and its variance the sum of their
#' variances over k^2 (Urbano and Schedl 2013, equations 2 and 3; see [mtc()]). Other measures replace 1/k by the
#' weights of their ranks.
#'
#' @param x A [test_collection()] or a session, without query weights.
#' @param gains Distributions of the gains, by [gain_distribution()]; [update()][update.judicious_gains] adds judgments.
#' @param measure A measure that is linear in the gains, as in [measure()]: AG, CG, DCG, P, RBP, hits, INSQ, SDCG, or
#'   nDCG and ANDCG with `ideal = "maximum"`. NULL is the measure of
#'   the session, or AG@k at the cutoff of the collection.
#' @return A data frame of class `judicious_expected_scores` with one row per system and query: `system`, `query`,
#'   `measure`, `value` (the expectation) and `variance`.
#' @examples
#' x <- simulate_collection(queries = 8, documents = 150, artists = 20, systems = 4, seed = 1)
#' gains <- update(uniform_gains(x), judgments_of(x)[1:60, ])
#' expected <- expected_scores(x, gains)
#' expected
#' compare_systems(expected, significance_test("t"), seed = 1, simulations = 100)
#' @export
expected_scores <- function(x, gains, measure = NULL) {
  x <- judged_collection(x)
  refuse_weights(x, "Expected scores for significance tests are",
                 hint("{.code rank_systems()} ranks by weighted means.", "Remove the column weight from --queries."))
  x <- with_measure(x, measure)
  check_that(is_sum(x), "measure", c(
    "{.val {x$scoring$measure$name}} is not linear in the gains.",
    i = "{.code rank_systems(x, measure = )} estimates any measure."), kind = "measure")
  gains <- gains_on_pool(x, gains)
  gains <- c(transformed_moments(x, gains), list(prob = gains$prob))
  pair <- result_pair(x)
  cell <- result_list(x)
  weight <- result_weight(x) * n_queries(x)
  total <- function(value) sum_by_code(value, cell, n_queries(x) * n_systems(x))
  scores <- data.frame(system = rep(x$systems$system, each = n_queries(x)), query = rep(x$queries$query, n_systems(x)),
                       measure = collection_measure(x)$label, value = total(weight * gains$mean[pair]),
                       variance = total(weight^2 * gains$variance[pair]))
  structure(scores, class = c("judicious_expected_scores", "data.frame"), collection = x, gains = gains)
}

#' @export
print.judicious_expected_scores <- function(x, n = 10, ...) {
  collection <- attr(x, "collection")
  if (is.null(collection)) return(NextMethod())
  cat(sprintf("Expected %s of %s on %s queries; %s of %s certain\n", x$measure[1],
              counted(n_systems(collection), "system"), format_count(n_queries(collection)),
              format_count(sum(attr(x, "gains")$variance == 0)), counted(n_pairs(collection), "pair")))
  print_rows(as.data.frame(x), n)
  invisible(x)
}

# Draws of the scores that systems will have when judging is complete: an array, queries x systems x draws.
draw_final_scores <- function(x, gains, first, count, seed) {
  level <- transformed_gain(x, x$scale$model_levels)
  posterior_mean <- as.vector(gains$prob %*% level)
  variance <- as.vector(gains$prob %*% level^2) - posterior_mean^2
  # Scales the draws to the mean and variance of the gain. On the Fine scale, these differ slightly from those of the
  # model's levels, from which the core draws.
  sd_ratio <- ifelse(gains$variance > 0 & variance > 0, sqrt(gains$variance / variance), 0)
  draw_scores_cpp(x$results, x$pool$query, n_queries(x), n_systems(x),
                  list(probability = gains$prob, level = level, shift = gains$mean - sd_ratio * posterior_mean,
                       scale = sd_ratio), result_weight(x) * n_queries(x), first, count, seed)
}

# Adds to a comparison of expected scores how often each difference is significant in simulated scores after complete
# judging.
add_final_significance <- function(comparison, scores, simulations, seed, advance) {
  x <- attr(scores, "collection")
  gains <- attr(scores, "gains")
  check_that(!is.null(x) && !is.null(gains), "scores",
             "must come from {.fn expected_scores} as it is: it has lost its collection.")
  system_row <- match(colnames(comparison$scores), x$systems$system)
  chosen <- chosen_pairs(comparison$scores, comparison$baseline)
  sign_now <- sign(pair_estimates(comparison$pairs))
  same <- opposite <- numeric(sum(chosen))

  # Draws are made in blocks, so that memory does not grow with their number.
  block <- max(1, floor(2e6 / (n_queries(x) * n_systems(x))))
  for (first in seq(0, simulations - 1, by = block)) {
    draws <- draw_final_scores(x, gains, first, min(block, simulations - first), seed)
    for (draw in seq_len(dim(draws)[3])) {
      final <- matrix(draws[, system_row, draw], n_queries(x))
      code <- decide_subsets(comparison$test, final, all_rows(final), 1 - comparison$level, seed + first + draw,
                             chosen)[, 1]
      same <- same + (abs(code) == 2 & sign(code) != -sign_now)
      opposite <- opposite + (abs(code) == 2 & sign(code) == -sign_now)
      advance()
    }
  }
  comparison$pairs$p_significant <- same / simulations
  comparison$pairs$p_opposite <- opposite / simulations
  comparison$simulations <- simulations
  comparison
}

chosen_pairs <- function(x, baseline) {
  b <- column_pairs(ncol(x))$b
  if (is.null(baseline)) rep(TRUE, length(b)) else b == ncol(x)
}
