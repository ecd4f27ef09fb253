# Joint gains in memory: the prior with the judgments, and the posterior, which is computed when it is needed.

# The pool and the model of a fit, given its `state` (see new_joint_fit()): the fallback of a model of past collections
# if the fit has left them, and as much belief in the graders as it has.
prior_of_fit <- function(pool, model, state) {
  given <- model
  if (state$left_past && !is.null(model$fallback)) model <- model$fallback
  grading <- model$grading
  if (!is.null(grading) && !identical(state$grader_odds, grading$odds)) {
    model <- believed_model(grading, state$grader_odds)
  }
  if (!identical(model, given)) pool <- with_prior(pool, model)
  list(pool = with_selected(pool, state$selected), model = model)
}

# `pool`: by model_pool(). `sequence`: the judged pairs in the order in which they were judged. `noise`: by pair, the
# variance of the error of its gain, from 0 to 1; NULL: gains are known. `record`: the judgments of each assessor, if
# they are known. `error`: the variance of the error of the next judgment, which belief_expect() sets. The posterior is
# a C++ object. If it is lost (in a saved object), it is computed again from the judgments, those of `at_once` together
# and later ones in the order of `sequence`, which gives a bitwise identical result. For a nonlinear measure,
# follow_measure() sets `followed`.
# `imagined`: the pairs that belief_imagine() counts as judged. `unchecked`: see unchecked_factor().
new_joint_gains <- function(x, model, pool, fit, gain, sequence = which(!is.na(gain)),
                            variance = NULL, noise = NULL, record = NULL) {
  prior <- prior_of_fit(with_selected(pool, integer()), model, fit)
  variance <- variance %||% stated_variance(prior$pool, fit)
  structure(list(collection = x, model = prior$model, pool = prior$pool, fit = fit,
                 parameters = joint_parameters(prior$pool, fit, variance), gain = gain, sequence = sequence,
                 at_once = length(sequence), noise = noise, record = record, error = 0,
                 unchecked = unchecked_factor(prior$model, fit), followed = NULL, imagined = integer(),
                 cache = new.env(parent = emptyenv())),
            class = "judicious_joint_gains")
}

# The same gains for the collection with another measure, whose results have other weights.
reweighted_gains <- function(gains, x, weight) {
  pool <- gains$pool
  pool$weight <- weight
  pool$retrieved <- system_totals(x, weight)
  new_joint_gains(x, gains$model, pool, gains$fit, gains$gain, gains$sequence, gains$parameters$variance, gains$noise,
                  gains$record)
}

# The same gains with other values of the judged pairs.
rejudged_gains <- function(gains, gain, noise = NULL) {
  new_joint_gains(gains$collection, gains$model, gains$pool, gains$fit, gain, gains$sequence,
                  gains$parameters$variance, noise, gains$record)
}

joint_posterior <- function(gains) kept_posterior(gains, "posterior", joint_posterior_cpp, gains$at_once)

# The smallest number of the pairs `open`, judged in this order, for which `enough(covariance)` of the systems; NA if
# there is none.
judgments_until <- function(gains, open, enough) {
  is_enough <- function(n) {
    enough(joint_systems_cpp(joint_imagine_cpp(joint_posterior(gains), open[seq_len(n)], 0))$covariance)
  }
  if (!length(open) || !is_enough(length(open))) return(NA_integer_)
  ends <- c(0L, length(open))
  while (diff(ends) > 1) {
    middle <- sum(ends) %/% 2L
    ends[if (is_enough(middle)) 2 else 1] <- middle
  }
  ends[2]
}

# The means and the covariance of the systems, for gains from 0 to 1. An effect whose variance is larger than that with
# which gains are estimated, see unchecked_factor(), adds to the covariance what the estimates do not follow of it.
unit_systems <- function(gains) {
  systems <- joint_systems_cpp(joint_posterior(gains))
  if (!any(gains$unchecked > 1)) return(systems)
  added <- sqrt((gains$unchecked - 1) / gains$parameters$variance[names(gains$unchecked)])
  added <- rep(added, c(gains$pool$n_systems, gains$pool$n_teams)[seq_along(added)])
  of_effects <- joint_system_effects_cpp(joint_posterior(gains))[, seq_along(added), drop = FALSE]
  systems$covariance <- systems$covariance + tcrossprod(of_effects * rep(added, each = nrow(of_effects)))
  systems
}

# The posterior of the gains of a collection of many systems, which is not updated by further judgments.
pair_posterior <- function(gains) kept_posterior(gains, "pairs", pair_posterior_cpp)

# The gains with a posterior of their own, for a copy of gains that are changed later.
with_new_cache <- function(gains) replace(gains, "cache", list(new.env(parent = emptyenv())))

kept_posterior <- function(gains, name, compute, ...) {
  cache <- gains$cache
  if (is.null(cache[[name]]) || is_null_pointer_cpp(cache[[name]])) {
    judged <- gains$sequence
    cache[[name]] <- compute(gains$pool, gains$parameters, judged,
                             unit_gain(gains$collection, gains$gain[judged]),
                             gains$noise[judged] %||% numeric(length(judged)), ...)
  }
  cache[[name]]
}
