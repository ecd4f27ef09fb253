# Estimates the remaining number of judgments.

# The expected number of further judgments, with the judgments of all processes up to now.
further_judgments <- function(e) {
  update_estimates(e)
  expected_judgments(e)
}

# The number of further judgments with which the goal is reached in half of the simulated futures. A future judges the
# best documents according to the strategy: their effect on the covariance of the systems is known, and their effect on
# the means is drawn at random. NA if more documents are needed than the search can examine.
expected_judgments <- function(e) {
  if (e$progress$reached) return(0L)
  known <- e$expected
  judged <- judgments_made(e)
  # After few further judgments, the last result still holds, also if it was NA.
  if (!is.null(known) && judged >= known$judged && judged - known$judged <= 0.02 * judged) {
    left <- known$more - (judged - known$judged)
    if (is.na(left) || left > 0) return(left)
  }
  # For some measures, the effect of future judgments on the covariance is not defined.
  more <- tryCatch(with_seed(1, search_expected(e)), judicious_error_measure = function(cnd) NA_integer_)
  e$expected <- list(judged = judged, more = more)
  more
}

search_expected <- function(e, draws = 32, work = 4e6) {
  open_pairs <- setdiff(which(is.na(e$gain)), skipped_pairs(e))
  score <- scores_in(e, view_with(e, integer()), is.na(e$gain))
  best <- open_pairs[largest(score[open_pairs], max(1, work %/% n_pairs(e$x)))]
  now <- list(n = 0L, belief = e$belief, ranking = e$ranking,
              moves = lapply(all_rankings(e$ranking), function(r) matrix(0, draws, n_systems(e$x))),
              reached = logical(draws))
  step_size <- 1L
  found <- NA_integer_
  while (now$n < min(found - 1L, length(best), na.rm = TRUE)) {
    future <- go_on(e, now, best, step_size)
    if (mean(future$reached) < 0.5) {
      now <- future
      if (is.na(found)) step_size <- max(step_size, future$n %/% 4L)
    } else {
      # Half of the futures have reached the goal: continue from the previous number in smaller steps.
      found <- min(found, future$n, na.rm = TRUE)
      step_size <- max(1L, (future$n - now$n) %/% 4L)
    }
  }
  found
}

# The futures after further judgments. Where the judgments reduce the covariance by D, they move the means by a normal
# vector with covariance D. A session ends when it reaches its goal, so futures that reached it earlier count.
go_on <- function(e, now, best, step) {
  n <- min(now$n + step, length(best))
  belief <- belief_imagine(now$belief, best[seq(now$n + 1L, n)])
  ranking <- rank_by_belief(belief, e$x, e$ranking$judged + n)
  ranking$judgments <- e$ranking$judgments + n
  moves <- Map(function(before, after, moves) {
    taken <- eigen(before$covariance - after$covariance, symmetric = TRUE)
    z <- matrix(stats::rnorm(length(moves)), nrow(moves))
    moves + z %*% (sqrt(pmax(taken$values, 0)) * t(taken$vectors))
  }, all_rankings(now$ranking), all_rankings(ranking), now$moves)
  there <- vapply(seq_along(now$reached), function(i) {
    e$goal$progress(move_means(ranking, e$ranking, lapply(moves, function(m) m[i, ])))$reached
  }, NA)
  list(n = n, belief = belief, ranking = ranking, moves = moves, reached = now$reached | there)
}

# A ranking and those within its strata, whose means move independently.
all_rankings <- function(ranking) c(list(ranking), unlist(unname(ranking$strata), recursive = FALSE, use.names = FALSE))

# The ranking with the means of `from`, each moved.
move_means <- function(ranking, from, moves) {
  ranking$mean <- from$mean + moves[[1]]
  index <- 1
  for (by in names(ranking$strata)) {
    for (name in names(ranking$strata[[by]])) {
      index <- index + 1
      ranking$strata[[by]][[name]]$mean <- from$strata[[by]][[name]]$mean + moves[[index]]
    }
  }
  ranking
}
