# The simulated sessions of a plan: gains are drawn from the model, and several documents are selected at a time.

#' Run one simulated session
#'
#' @param setup By new_setup(); its collection has the known gains.
#' @param begun The belief before any judgment.
#' @param truth The gain of every pair, which the session does not use before judging it; NULL draws gains.
#' @param means The true means of the systems, if `truth` is given.
#' @param budget Largest number of judgments in addition to the known ones.
#' @return `trace`, a data frame of `judged`, `cost` and `confidence`, the first two in addition to those at the start;
#'   the `state` of the goal at the end; and the `accuracy` of the ranking at the end.
#' @noRd
simulated_session <- function(setup, begun, truth, means, budget, seed) {
  with_seed(seed, {
    truth <- truth %||% draw_truth(setup$prepared, setup$x)
    e <- new_engine(setup)
    e$begun <- begun
    known <- sum(!is.na(setup$x$gain))
    judging_loop(e, planned_work(e), function(pair) truth[pair], known + budget)
  })
  tau <- pair_agreement(e$ranking$mean, means %||% true_means(setup$x, truth), gain_resolution(setup$x))
  steps <- memory_rows(e$trace)
  steps <- steps[rows_not_undone(steps$kind), ]
  list(trace = data.frame(judged = steps$judged - known, cost = steps$cost - steps$cost[1],
                          confidence = steps$confidence),
       state = e$progress, accuracy = (1 + tau) / 2)
}

# Judging in this process, with audits. Documents are selected ahead: one at a time at the start, and later a `share` of
# the number judged so far, all by the same scores and each from another query. The session still checks after each of
# them whether to stop. bench/plan.R compares this with sessions that compute new scores for each document: the numbers
# of judgments are about the same, and it takes about 60% of the time.
planned_work <- function(e, share = 0.02) {
  is_open <- is.na(e$x$gain)
  work <- direct_work(e, is_open)
  know(e, which(!is_open), e$x$gain)
  ahead <- integer()
  work$take <- function(n, most) {
    if (!length(ahead)) ahead <<- choose_ahead(e, max(1, floor(share * length(e$sequence))), is_open)
    pair <- utils::head(ahead, 1)
    ahead <<- ahead[-1]
    is_open[pair] <<- FALSE
    pair
  }
  work
}

# Processes the judgments that are known before the session starts.
know <- function(e, pairs, gain) {
  if (!length(pairs)) return()
  memory_add(e$judgments, quick_frame(event = rep(0L, length(pairs)), pair = pairs, gain = gain[pairs]))
  use_fit(e, NULL, length(pairs))
  use_fit(e, belief_refit(e$belief, e$gain, e$update_every), length(pairs))
  e$trace <- new_memory_table(store_tables$trace$columns)
  add_trace(e, 0L, "start")
}

choose_ahead <- function(e, n, open) {
  audited <- draw_audit(e$x, which(open), sum(stats::runif(n) < e$audit))
  open[audited] <- FALSE
  n <- n - length(audited)
  if (n == 0 || !any(open)) return(audited)
  if (n == 1 || !is.null(e$order)) return(c(choose_batch(e, n, FALSE, open)$pair, audited))
  value <- scores_in(e, view_with(e, integer()), open)
  best <- which(open)
  best <- best[best_first(value[best], e$tie[best])]
  c(utils::head(best[!duplicated(e$x$pool$query[best])], n), audited)
}

# Draws the variances as well. If the measure transforms gains, a gain with the drawn transformed value is selected.
#' @export
draw_truth.judicious_joint_prepared <- function(prepared, x) {
  model <- prepared$model
  pool <- model_pool(x, model, prepared$own)
  fit <- fit_to_gains(x, model, pool, x$gain)
  model[c("variance", "variance_sd")] <- fit[c("variance", "variance_sd")]
  gains <- new_joint_gains(x, model, pool, fit, x$gain, variance = draw_variances(model))
  queries <- seq_len(n_queries(x))
  transformed <- numeric(n_pairs(x))
  transformed[pairs_of_queries(x, queries)] <- draw_gains(gains, queries, 1, stream_seed(NULL))
  drawn <- x$scale$levels[match(transformed, transformed_gain(x, x$scale$levels))]
  ifelse(is.na(x$gain), drawn, x$gain)
}

# Draws independent gains, among the levels of the model.
#' @export
draw_truth.judicious_independent_prepared <- function(prepared, x) {
  begun <- belief_begin(prepared, x)
  gains <- updated_gains(begun, if (!all(is.na(x$gain))) belief_refit(begun, x$gain))
  upto <- gains$prob %*% upper.tri(diag(ncol(gains$prob)), diag = TRUE)
  drawn <- x$scale$model_levels[1L + rowSums(upto[, -ncol(upto), drop = FALSE] < stats::runif(nrow(upto)))]
  ifelse(is.na(x$gain), drawn, x$gain)
}
