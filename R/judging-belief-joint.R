# Joint gains as the belief of a judging session: see judging-belief.R. The belief is an object of class
# `judicious_joint_gains`.

# The result of belief_prepare() for joint gains: the model with its prior, and the values of custom features and of
# grades.
#' @export
belief_prepare.judicious_gain_model <- function(model, x, grades) {
  check_approximable(x)
  note_many_systems(x, "Sessions with joint gains")
  structure(mean_features(x, model, grades), class = "judicious_joint_prepared")
}

#' @export
belief_begin.judicious_joint_prepared <- function(prepared, x) {
  unjudged_gains(x, prepared$model, model_pool(x, prepared$model, prepared$features))
}

#' @export
belief_judge.judicious_joint_gains <- function(belief, pair, gain, noise = 0) {
  joint_judge_cpp(joint_posterior(belief), pair, unit_gain(belief$collection, gain), noise)
  belief$gain[pair] <- gain
  if (!is.null(belief$noise)) belief$noise[pair] <- noise
  belief$sequence <- c(belief$sequence, pair)
  belief
}

#' @export
belief_imagine.judicious_joint_gains <- function(belief, pairs) {
  imagined <- joint_imagine_cpp(joint_posterior(belief), pairs, belief$error)
  belief$cache <- list2env(list(posterior = imagined, unjudged = belief$cache$unjudged), parent = emptyenv())
  belief$imagined <- c(belief$imagined, pairs)
  belief
}

#' @export
belief_systems.judicious_joint_gains <- function(belief) posterior_system_moments(belief)

#' @export
belief_pairs.judicious_joint_gains <- function(belief, pairs = NULL) {
  posterior <- joint_posterior(belief)
  moments <- if (length(pairs) == 1) joint_pair_cpp(posterior, pairs) else joint_pairs_cpp(posterior)
  if (length(pairs) > 1) moments <- lapply(moments, `[`, pairs)
  ends <- gain_range(belief$collection)
  list(mean = ends[1] + diff(ends) * moments$mean, variance = diff(ends)^2 * moments$variance)
}

#' @export
belief_reduction.judicious_joint_gains <- function(belief, directions, pairs = NULL) {
  posterior <- joint_posterior(belief)
  if (is.null(pairs)) return(joint_reduction_cpp(posterior, directions, belief$error))
  joint_reduction_of_cpp(posterior, directions, pairs, belief$error)
}

# Estimation is due when there are `every` / 4 new judgments that make up at least a fifth of those at the last
# estimation. Up to the first `every` judgments, which reveal most about the collection, a fifth is enough, and
# estimation is also due after a judgment was undone. If the parameters are never estimated (`every` is infinite), a
# nonlinear measure still needs new linear approximations: after 20 new judgments or a fifth of those at the last one,
# whichever is more.
#' @export
belief_due.judicious_joint_gains <- function(belief, judged, fitted, every) {
  if (!is.finite(every)) return(!is_sum(belief$collection) && judged - fitted >= max(20, 0.2 * fitted))
  early <- fitted < every
  early && judged < fitted || judged - fitted >= max(if (early) 1 else every / 4, 0.2 * fitted)
}

#' @export
belief_refit.judicious_joint_gains <- function(belief, gain, every, selected = integer()) {
  if (!is.finite(every)) return(belief$fit)
  previous_fit <- if (!all(is.na(gain))) belief$fit
  fit_to_gains(belief$collection, belief$model, belief$pool, gain, start = previous_fit, selected = selected)
}

#' @export
belief_widen.judicious_joint_gains <- function(belief, fit, factor) replace(fit, "widening", factor)

#' @export
belief_restore.judicious_joint_gains <- function(initial, fit, gain, sequence, noise = NULL, doubt = 0) {
  approximate_measure(new_joint_gains(initial$collection, initial$model, initial$pool, fit %||% initial$fit, gain,
                                      sequence, noise = noise, doubt = doubt))
}

#' @export
belief_expect.judicious_joint_gains <- function(belief, error) replace(belief, "error", error)

#' @export
belief_reweigh.judicious_joint_gains <- function(belief, x) {
  approximate_measure(reweighted_gains(belief, x, result_weight(x)))
}

# The result gets its own posterior, because the session continues to change the original.
#' @export
belief_gains.judicious_joint_gains <- function(belief) with_new_cache(belief)
