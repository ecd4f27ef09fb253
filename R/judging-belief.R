# The belief of a judging session about the gains of a pool. The judging loop uses a belief only through the functions
# below. Two beliefs implement them: joint gains, in this file, and independent gains (judging-belief-independent.R).
#
# A new belief needs one file: a model, which users pass as the `past` of judging_session(), with a method of
# belief_prepare(); what this returns, with a method of belief_begin(); and the belief itself, with methods of the other
# functions. belief_refit(), belief_restore(), belief_due(), belief_foresee(), belief_expect(),
# belief_reduction(), belief_reweigh() and draw_truth() have defaults, so the required methods are prepare, begin,
# judge, imagine, systems, pairs and gains. A method of as.data.frame() that returns the `mean` and `variance` of every
# pair lets custom strategies use them. Means and covariances of systems are in the units of the collection's measure.

#' Prepare a model for a session
#'
#' @param model The model as the user passed it.
#' @param x The collection, scored by the measure of the session.
#' @param grades Those that the user gave to judging_session(), NULL for none. Those that `x` carries may be ignored.
#' @return An object for belief_begin(), which is stored with the session. It contains the values that functions and
#'   data frames of the user produced, so that a session that is opened again has the same belief. A method refuses
#'   `grades` or a measure that its belief would ignore.
#' @noRd
belief_prepare <- function(model, x, grades) UseMethod("belief_prepare")

#' @export
belief_prepare.default <- function(model, x, grades) {
  abort_argument("past", c(
    "must be judged collections, or a model by {.fn gain_model}, {.fn gain_prior} or {.fn independent_gains}, but is
      {.obj_type_friendly {model}}."
  ))
}

# The belief before any judgment. Sessions pass it to belief_restore() as `initial`.
belief_begin <- function(prepared, x) UseMethod("belief_begin")

# The belief after a pair of the pool is judged. `noise` is the variance of the judgment's error (0: the gain is known).
# The function may change its argument, so callers must only use the result.
belief_judge <- function(belief, pair, gain, noise = 0) UseMethod("belief_judge")

# A copy of the belief in which these pairs count as judged, with unknown gains.
belief_imagine <- function(belief, pairs) UseMethod("belief_imagine")

# The effect of successive judgments of unjudged pairs on the comparisons of systems beyond `delta`: matrices
# `difference`, `variance` and `confidence`, with a row per comparison as in compare_pairs() and a column per judgment,
# and the `belief` after all of them, a copy. NULL, the default, if there is no faster way than to add the judgments one
# by one.
belief_foresee <- function(belief, pairs, gains, delta) UseMethod("belief_foresee")

#' @export
belief_foresee.default <- function(belief, pairs, gains, delta) NULL

# A list of the systems' `mean` and `covariance`, of `difference_variance` if the belief knows it more accurately than
# the covariance implies, and of the `approximation` by approximate_measure() if the measure is not linear.
belief_systems <- function(belief) UseMethod("belief_systems")

# A list of the `mean` and `variance` of the given pairs, or of all (NULL).
belief_pairs <- function(belief, pairs = NULL) UseMethod("belief_pairs")

# How much the judgment of each pair (all, or those in `pairs`) would reduce the summed variances of linear functions of
# the systems' scores, one function per row of `directions`. The unit is arbitrary.
belief_reduction <- function(belief, directions, pairs = NULL) UseMethod("belief_reduction")

#' @export
belief_reduction.default <- function(belief, directions, pairs = NULL) {
  spread <- function(belief) sum((directions %*% belief_systems(belief)$covariance) * directions)
  now <- spread(belief)
  pairs <- pairs %||% seq_along(belief_pairs(belief)$mean)
  now - vapply(pairs, function(pair) spread(belief_imagine(belief, pair)), 0)
}

# Whether the parameters must be estimated again, with `judged` judgments now and `fitted` judgments at the last
# estimation. `every` is the session's `update_every`.
belief_due <- function(belief, judged, fitted, every) UseMethod("belief_due")

#' @export
belief_due.default <- function(belief, judged, fitted, every) FALSE

# Estimates the parameters from the judgments (`gain`: of every pair of the pool, NA if not judged). `selected`: the
# judged pairs that the strategy selected. Returns an object that is stored with the session and that belief_restore()
# accepts.
belief_refit <- function(belief, gain, every, selected = integer()) UseMethod("belief_refit")

#' @export
belief_refit.default <- function(belief, gain, every, selected = integer()) NULL

# The belief with the parameters `fit` (NULL: the initial ones) after the judgments `gain` of the pairs `sequence`, in
# that order, starting from the belief `initial`. `noise`: the variance of the error of each gain; NULL: no errors.
# `doubt`: the probability that the judgments are noise, which only joint gains consider. The same arguments give a
# bitwise identical belief.
belief_restore <- function(initial, fit, gain, sequence, noise = NULL, doubt = 0) UseMethod("belief_restore")

#' @export
belief_restore.default <- function(initial, fit, gain, sequence, noise = NULL, doubt = 0) {
  belief <- belief_imagine(initial, integer())
  for (pair in sequence) belief <- belief_judge(belief, pair, gain[pair])
  belief
}

# A belief in which further judgments are expected to have errors of this variance. Only joint gains support errors.
belief_expect <- function(belief, error) UseMethod("belief_expect")

#' @export
belief_expect.default <- function(belief, error) belief

# The gains as users see them: an object that rank_systems() accepts (`judicious_gains`, by new_gains(), or
# `judicious_joint_gains`) and that later judgments do not change.
belief_gains <- function(belief) UseMethod("belief_gains")

# The belief about the same gains for a collection with other weights of the queries, for goals within strata.
belief_reweigh <- function(belief, x) UseMethod("belief_reweigh")

#' @export
belief_reweigh.default <- function(belief, x) {
  abort_argument("goal", c("The model of this session does not support goals within strata of the queries.",
                           i = "Use a goal without {.arg by}."), call = NULL)
}

# The simulated truth of a session of judging_plan(): the gains of all pairs of `x`, the known ones and draws for the
# others, from the result of belief_prepare().
draw_truth <- function(prepared, x) UseMethod("draw_truth")

#' @export
draw_truth.default <- function(prepared, x) {
  abort_argument("truth", c("The model of this plan cannot draw gains to simulate sessions with.",
                            i = "Give the gains of all pairs as {.arg truth}."), call = NULL)
}

# Joint gains as the belief of a session. The belief is an object of class `judicious_joint_gains`.

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
# estimation is also due after a judgment was undone. If `every` is infinite, parameters are never estimated.
#' @export
belief_due.judicious_joint_gains <- function(belief, judged, fitted, every) {
  if (!is.finite(every)) return(FALSE)
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

# Rankings by a belief.

# Ranks the systems by a belief. `delta`: the minimum difference. `shared`: the errors that several judgments by the
# same assessor have in common, as shared_errors() returns them; NULL for none.
rank_by_belief <- function(belief, x, judged, delta = 0, shared = NULL) {
  systems <- belief_systems(belief)
  variance <- systems$difference_variance %||% difference_variance_cpp(systems$covariance)
  ranking <- new_ranking(x, systems$mean, systems$covariance, variance, delta = delta, judged = judged,
                         approximation = systems$approximation, shares = new.env(parent = emptyenv()))
  ranking["lacking"] <- list(lacking_systems(belief$whole %||% belief))
  if (!is.null(shared)) {
    ranking <- add_covariance(ranking, common_errors(ranking, shared) * diff(gain_range(ranking$collection)))
  }
  if (inherits(belief, "judicious_strata_belief")) {
    # In every stratum, uses the number of judgments of the whole collection, because goals that count judgments count
    # all of them.
    ranking$strata <- lapply(belief$parts, lapply, function(part) {
      rank_by_belief(part$belief, part$x, judged, delta, shared)
    })
  }
  ranking
}

# The belief of a session whose goal refers to strata of the queries: one belief for the whole collection, and one for
# each stratum, in which the scores of systems are means over the queries of the stratum only. All use the same gains
# and the same judgments.

belief_for_goal <- function(belief, x, goal) {
  if (!length(goal$by)) return(belief)
  parts <- lapply(goal$by, function(by) {
    lapply(queries_by_stratum(x, by), function(queries) {
      restricted <- only_queries(x, seq_len(n_queries(x)) %in% queries)
      list(x = restricted, belief = belief_reweigh(belief, restricted))
    })
  })
  new_strata_belief(belief, stats::setNames(parts, goal$by))
}

# `parts`: for each column of queries and each of its strata, a list of the collection `x` and the `belief`.
new_strata_belief <- function(whole, parts) {
  structure(list(whole = whole, parts = parts), class = "judicious_strata_belief")
}

# Applies f() to the belief for the whole collection and to that for each stratum.
over_beliefs <- function(strata, f, ...) {
  new_strata_belief(f(strata$whole, ...), lapply(strata$parts, lapply, function(part) {
    replace(part, "belief", list(f(part$belief, ...)))
  }))
}

# The belief for a stratum. `stratum`: a column of the queries and the name of one of its strata; NULL for the whole
# collection.
belief_of_stratum <- function(belief, stratum) {
  if (!inherits(belief, "judicious_strata_belief")) return(belief)
  if (is.null(stratum)) belief$whole else belief$parts[[stratum[1]]][[stratum[2]]]$belief
}

#' @export
belief_judge.judicious_strata_belief <- function(belief, ...) over_beliefs(belief, belief_judge, ...)

#' @export
belief_imagine.judicious_strata_belief <- function(belief, ...) over_beliefs(belief, belief_imagine, ...)

#' @export
belief_systems.judicious_strata_belief <- function(belief) belief_systems(belief$whole)

#' @export
belief_pairs.judicious_strata_belief <- function(belief, ...) belief_pairs(belief$whole, ...)

#' @export
belief_reduction.judicious_strata_belief <- function(belief, ...) belief_reduction(belief$whole, ...)

#' @export
belief_due.judicious_strata_belief <- function(belief, ...) belief_due(belief$whole, ...)

#' @export
belief_refit.judicious_strata_belief <- function(belief, ...) belief_refit(belief$whole, ...)

#' @export
belief_restore.judicious_strata_belief <- function(initial, ...) over_beliefs(initial, belief_restore, ...)

#' @export
belief_expect.judicious_strata_belief <- function(belief, ...) over_beliefs(belief, belief_expect, ...)

#' @export
belief_gains.judicious_strata_belief <- function(belief) belief_gains(belief$whole)

#' @export
as.data.frame.judicious_strata_belief <- function(x, ...) as.data.frame(x$whole, ...)
