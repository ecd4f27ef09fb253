# Symmetric matrix with the values `of_pairs` of pairs a < b, in the order of compare_pairs(), and 1 on the diagonal.
symmetric_matrix <- function(of_pairs, m) {
  out <- diag(0.5, m)
  out[lower.tri(out)] <- of_pairs
  out + t(out)
}

confidence_matrix <- function(ranking, delta = ranking$delta) {
  symmetric_matrix(compare_pairs(ranking, delta)$confidence, length(ranking$mean))
}

# Probability that the absolute value of a normal difference is below `equal`.
equal_probability <- function(difference, variance, equal) {
  error <- sqrt(variance)
  probability <- stats::pnorm((equal - difference) / error) - stats::pnorm((-equal - difference) / error)
  ifelse(variance > 0, probability, as.numeric(abs(difference) < equal))
}

#' @rdname system_differences
#' @param x The result of `system_differences()`.
#' @param n The number of pairs to print, least certain first.
#' @param ... Not used.
#' @export
print.judicious_system_differences <- function(x, n = 30, ...) {
  span <- attr(x, "span")
  shown <- as.data.frame(x)
  if (is.null(span) || !all(c("difference", "sd", "confidence") %in% names(x))) return(print_rows(shown, n, "pair"))
  if (nrow(x) > n) {
    shown <- utils::head(shown[order(!can_be_ordered(shown), shown$confidence), ], n)
    cat(counted(nrow(x), "difference"), " in ", attr(x, "measure"), ", least certain first\n", sep = "")
  }
  shown[c("difference", "sd")] <- lapply(shown[c("difference", "sd")], score_text, span = span)
  chances <- intersect(c("confidence", "equal"), names(shown))
  shown[chances] <- lapply(shown[chances], function(p) sprintf("%.4f", p))
  print_table(shown, row.names = FALSE)
  cat_rest(nrow(x) - nrow(shown), "pair")
  invisible(x)
}

# Every pair of systems with its interval, best systems first.
pairs_with_intervals <- function(ranking) {
  pairs <- system_differences(ranking)
  half <- stats::qnorm((1 + ranking$level) / 2) * pairs$sd
  data.frame(pairs[1:4], lower = pairs$difference - half, upper = pairs$difference + half,
             confidence = pairs$confidence)
}

#' Compare the systems of a ranking
#'
#' `system_differences()` compares systems pair by pair, `ranking_confidence()` states the confidence in the ranking,
#' `absolute_confidence()` the confidence in each system's estimate, and `ranking_accuracy()` compares a ranking with
#' the truth if that is known.
#' @param ranking A ranking by [rank_systems()], or a session or a collection to rank.
#' @param equal The difference, in units of the measure, below which systems count as equal in practice. It adds a
#'   column `equal` with the probability that the true difference is smaller.
#' @return `system_differences()`: a data frame of class `judicious_system_differences`, which
#'   [plot()][plot.judicious_system_differences] draws, with one row per pair, those of the best system first:
#'   `system_a`, the better of the two, `system_b`, `difference` (the estimate of a minus that of b), `sd`,
#'   `confidence`, and `equal` if requested.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 4, seed = 1)
#' ranking <- rank_systems(x, judgments = judgments_of(x)[1:40, ])
#' system_differences(ranking, equal = 2)
#' ranking_confidence(ranking)
#' absolute_confidence(ranking, margin = 5)
#' ranking_accuracy(ranking, judgments_of(x))
#' @export
system_differences <- function(ranking, equal = NULL) {
  ranking <- as_ranking(ranking)
  if (!is.null(equal)) check_number(equal, "equal", min = 0, max = Inf, open = TRUE)
  compared <- compare_pairs(ranking)
  best_first <- systems_best_first(ranking)
  place <- order(best_first)
  better <- pmin(place[compared$a], place[compared$b])
  other <- pmax(place[compared$a], place[compared$b])
  ids <- names(ranking$mean)[best_first]
  differences <- data.frame(system_a = ids[better], system_b = ids[other], difference = abs(compared$difference),
                            sd = sqrt(compared$variance), confidence = compared$confidence)
  if (!is.null(equal)) differences$equal <- equal_probability(compared$difference, compared$variance, equal)
  differences <- data.frame(differences[order(better, other), ], row.names = NULL)
  structure(differences, class = c("judicious_system_differences", "data.frame"), level = ranking$level,
            measure = measure_label(ranking$collection), span = ranking$collection$scoring$span)
}

#' Estimate the probabilities of ranks
#'
#' Estimates the probability that a system has each rank, from draws of the systems' joint normal distribution, or
#' those of [rank_systems()] if the measure needed them.
#'
#' @param ranking A ranking by [rank_systems()], or a session or a collection to rank.
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

refuse_ranks_of_many <- function(ranking) {
  abort_argument("ranking", c(
    "The probabilities of ranks need at most {format_count(max_matrix_systems)} systems; {.arg ranking} has
      {format_count(length(ranking$mean))}.",
    i = hint("{.code head(ranking, n)} shows the best systems, and {.fn ranking_confidence} the confidence in all.",
             "--table systems shows the systems in order, and --table summary the confidence in all.")
  ))
}
