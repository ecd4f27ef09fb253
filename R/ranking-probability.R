#' Estimate the probabilities of ranks
#'
#' Estimates the probability that a system has each rank, from draws of the systems' joint normal distribution, or those
#' of [rank_systems()] if the measure needed them. Identical systems share their rank.
#'
#' @param ranking A ranking by [rank_systems()], or a session or a collection, which is ranked first.
#' @param draws Number of draws, unless the ranking has its own.
#' @param seed Seed of the draws; NULL draws one. The defaults of `draws` and `seed` give the draws of [print()], plots,
#'   goals and reports.
#' @return A data frame of class `judicious_rank_probabilities` with one row per system, best first: `system`,
#'   `estimate`, `best` (the probability of rank 1), `expected_rank`, `rank_lower` and `rank_upper` (see [rank_sets]),
#'   and `P1`, `P2`, ..., the probabilities of ranks 1, 2, ..., which sum to 1. `plot()` draws these, with the rank sets
#'   as frames.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 4, seed = 1)
#' gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:100, ])
#' rank_probabilities(rank_systems(x, gains), seed = 1)
#' @export
rank_probabilities <- function(ranking, draws = 1000, seed = 1) {
  ranking <- as_ranking(ranking)
  check_count(draws, "draws")
  if (!has_rank_sets(ranking)) refuse_ranks_of_many(ranking)
  start_progress("Drawing rankings")
  seed <- stream_seed(seed)
  probability <- rank_sets(ranking, scores = score_draws(ranking, draws, seed))$probability
  sets <- rank_sets(ranking, scores = score_draws(ranking, draws, seed, rank_set_freedom))
  ranks <- seq_len(ncol(probability))
  dimnames(probability) <- list(NULL, paste0("P", ranks))
  out <- data.frame(system = names(ranking$mean), estimate = unname(ranking$mean), best = probability[, 1],
                    expected_rank = as.vector(probability %*% ranks), rank_lower = sets$lower,
                    rank_upper = sets$upper, probability, row.names = NULL)
  out <- out[systems_best_first(ranking), ]
  structure(without_row_names(out), class = c("judicious_rank_probabilities", "data.frame"))
}

#' @rdname rank_probabilities
#' @param x The result of `rank_probabilities()`.
#' @param n The number of systems to print, best first.
#' @param ... Not used.
#' @export
print.judicious_rank_probabilities <- function(x, n = 30, ...) {
  columns <- c("system", "estimate", "best", "expected_rank", "rank_lower", "rank_upper")
  if (!all(columns %in% names(x))) {
    print_rows(as.data.frame(x), n, "system", digits = 4)
    return(invisible(x))
  }
  shown <- as.data.frame(x)[columns]
  shown$best <- sprintf("%.3f", shown$best)
  shown$expected_rank <- sprintf("%.1f", shown$expected_rank)
  print_rows(shown, n, "system", digits = 4)
  if ("P1" %in% names(x))
    cat("P1, P2, ... (not shown) are the probabilities of ranks; rank sets hold for all systems at once\n")
  invisible(x)
}

refuse_ranks_of_many <- function(ranking, call = caller_env()) {
  abort_argument("ranking", c(
    "The probabilities of ranks need at most {format_count(most_matrix_systems)} systems; {.arg ranking} has
      {format_count(length(ranking$mean))}.",
    i = hint("{.code head(ranking, n)} shows the best systems, and {.fn ranking_confidence} the confidence in all.",
             "--table systems shows the systems in order, and --table summary the confidence in all.")
  ), call = call)
}
