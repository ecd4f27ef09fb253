#' Estimate the probabilities of ranks
#'
#' Estimates the probability that a system has each rank, from draws of the systems' joint normal distribution, or from
#' the draws of [rank_systems()] if the measure needed them.
#'
#' @param ranking A ranking by [rank_systems()], or a session or a collection, which is ranked first.
#' @param draws Number of draws. If the ranking has its own draws, these are used instead.
#' @param seed Seed of the draws; the state of R's random number generator is restored. NULL draws a seed from it.
#' @return A data frame of class `judicious_rank_probabilities` with one row per system, in the order of the
#'   collection: `system`, `estimate`, `best` (the probability of rank 1), `expected_rank`, `rank_lower` and
#'   `rank_upper` (the central interval of the rank at the `level` of the ranking), and a matrix column `probability`,
#'   systems by ranks, whose rows and columns sum to 1.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 4, seed = 1)
#' gains <- joint_gains(gain_prior(), x, judgments_of(x)[1:100, ])
#' rank_probabilities(rank_systems(x, gains), seed = 1)
#' @export
rank_probabilities <- function(ranking, draws = 10000, seed = NULL) {
  ranking <- as_ranking(ranking)
  check_count(draws, "draws")
  start_progress("Drawing rankings")
  m <- length(ranking$mean)
  if (!is.null(ranking$draws)) draws <- ncol(ranking$draws)
  # Ties between systems without variance are broken at random.
  scores <- with_seed(seed, list(score = ranking$draws %||% draw_normal_scores(ranking, draws),
                                 tie = matrix(stats::runif(m * draws), m)))
  tiny <- 1e-9 * max(system_sd(ranking), abs(ranking$mean), 1e-300)
  ranks <- apply(scores$score + tiny * scores$tie, 2, function(s) rank(-s))
  ranks <- matrix(ranks, m)
  probability <- t(apply(ranks, 1, tabulate, nbins = m)) / draws
  if (m == 1) probability <- matrix(1)
  dimnames(probability) <- list(NULL, seq_len(m))
  tail <- (1 - ranking$level) / 2
  at <- function(p) apply(probability, 1, function(share) which(cumsum(share) >= p - 1e-12)[1])
  out <- data.frame(system = names(ranking$mean), estimate = unname(ranking$mean), best = probability[, 1],
                    expected_rank = rowMeans(ranks), rank_lower = at(tail), rank_upper = at(1 - tail),
                    stringsAsFactors = FALSE)
  out$probability <- probability
  structure(out, class = c("judicious_rank_probabilities", "data.frame"))
}

#' @rdname rank_probabilities
#' @param x The result of `rank_probabilities()`.
#' @param n The number of systems to print, best expected rank first.
#' @param ... Not used.
#' @export
print.judicious_rank_probabilities <- function(x, n = 30, ...) {
  columns <- c("system", "estimate", "best", "expected_rank", "rank_lower", "rank_upper")
  if (!all(columns %in% names(x))) return(NextMethod())
  shown <- utils::head(as.data.frame(x)[order(x$expected_rank), columns], n)
  shown$best <- sprintf("%.3f", shown$best)
  shown$expected_rank <- sprintf("%.1f", shown$expected_rank)
  print(shown, row.names = FALSE, digits = 4)
  cat_rest(nrow(x) - nrow(shown), "system")
  if (is.matrix(x$probability)) cat("The column `probability` has the probability of each rank.\n")
  invisible(x)
}

draw_normal_scores <- function(ranking, draws, call) UseMethod("draw_normal_scores")

#' @export
draw_normal_scores.judicious_ranking <- function(ranking, draws, call = caller_env()) {
  m <- length(ranking$mean)
  e <- eigen(ranking$covariance, symmetric = TRUE)
  root <- e$vectors %*% diag(sqrt(pmax(e$values, 0)), m)
  ranking$mean + root %*% matrix(stats::rnorm(m * draws), m)
}
