# What a judging session believes about the gains of a pool. The judging loop knows a belief by the functions below and
# nothing else. Two beliefs implement them: independent gains (judging-belief-independent.R) and joint gains
# (judging-belief-joint.R).
#
# A new belief takes one file: a model, which users give as the `model` of judging_session(), with a method of
# belief_prepare(); and the belief itself, with methods of the other functions. belief_refit(), belief_widen(),
# belief_restore(), belief_due(), belief_reduction() and belief_reweigh() have defaults, so that the least is begin,
# judge, imagine, systems, pairs and gains. Where the systems' means and covariance are sums over the pairs, units are
# those of the collection's measure.

#' What a session keeps of a model
#'
#' @param model As the user gave it.
#' @param x The collection, in its measure.
#' @param opinion As in judging_session().
#' @return An object that belief_begin() takes. It is stored with the session: what came from functions and data frames
#'   of the user is in it, so that a session that is opened again believes the same.
#' @noRd
belief_prepare <- function(model, x, opinion, call = caller_env()) UseMethod("belief_prepare")

#' @export
belief_prepare.default <- function(model, x, opinion, call = caller_env()) {
  abort_judicious(c(
    "{.arg model} must describe what to believe about the gains, not be {.obj_type_friendly {model}}.",
    i = "Make one by {.fn gain_prior}, {.fn gain_model} or {.fn independent_gains}."
  ), "argument", argument = "model", call = call)
}

# The belief before any judgment. A session never uses it as it is, but goes through belief_restore().
belief_begin <- function(prepared, x) UseMethod("belief_begin")

# The belief once the gain of a pair of the pool is known. The belief that was given may be changed by it, and is not
# to be used again.
belief_judge <- function(belief, pair, gain) UseMethod("belief_judge")

# A copy of the belief, in which each of these pairs is judged with a gain not yet known.
belief_imagine <- function(belief, pairs) UseMethod("belief_imagine")

# What judgments in turn, of pairs that are not judged yet, will make of the comparisons of systems beyond `delta`:
# matrices `difference`, `variance` and `confidence`, a row per comparison as in compare_pairs() and a column per
# judgment, and the `belief` after all of them, a copy. NULL, the default: the belief has no quicker way than to be
# judged and looked at.
belief_foresee <- function(belief, pairs, gains, delta) UseMethod("belief_foresee")

#' @export
belief_foresee.default <- function(belief, pairs, gains, delta) NULL

# A list of the systems' `mean`, `covariance`, and, where the belief knows it better than the covariance tells,
# `difference_variance`.
belief_systems <- function(belief) UseMethod("belief_systems")

# A list of `mean` and `variance` of some pairs, or of all (NULL).
belief_pairs <- function(belief, pairs = NULL) UseMethod("belief_pairs")

# By how much the judgment of each pair would lower the summed variances of linear functions of the systems' scores, a
# function per row of `directions`, in any unit. With `pairs`, of those only.
belief_reduction <- function(belief, directions, pairs = NULL) UseMethod("belief_reduction")

#' @export
belief_reduction.default <- function(belief, directions, pairs = NULL) {
  spread <- function(belief) sum((directions %*% belief_systems(belief)$covariance) * directions)
  now <- spread(belief)
  pairs <- pairs %||% seq_along(belief_pairs(belief)$mean)
  now - vapply(pairs, function(pair) spread(belief_imagine(belief, pair)), 0)
}

# Whether the parameters are to be estimated again, with `judged` judgments, `fitted` of them at the last estimation.
# `every` is the session's `update_every`.
belief_due <- function(belief, judged, fitted, every) UseMethod("belief_due")

#' @export
belief_due.default <- function(belief, judged, fitted, every) FALSE

# The parameters estimated again from the judgments (`gain`: of every pair of the pool, NA where not judged), as an
# object that is kept with the session and that belief_restore() takes.
belief_refit <- function(belief, gain, every) UseMethod("belief_refit")

#' @export
belief_refit.default <- function(belief, gain, every) NULL

# The fit of belief_refit(), after which the covariance of systems is `factor` times what it states otherwise.
belief_widen <- function(belief, fit, factor) UseMethod("belief_widen")

#' @export
belief_widen.default <- function(belief, fit, factor) fit

# The belief with the parameters `fit` (NULL: those it began with) and the judgments `gain` of the pairs `sequence`, in
# that order, from the one that it began as. The same arguments give the same belief to the last bit.
belief_restore <- function(begun, fit, gain, sequence) UseMethod("belief_restore")

#' @export
belief_restore.default <- function(begun, fit, gain, sequence) {
  belief <- belief_imagine(begun, integer())
  for (pair in sequence) belief <- belief_judge(belief, pair, gain[pair])
  belief
}

# The gains as users know them: an object that rank_systems() takes, with a life of its own.
belief_gains <- function(belief) UseMethod("belief_gains")

# The same belief about the same gains, for a collection whose queries count otherwise in the systems' means: what goals
# within strata need.
belief_reweigh <- function(belief, x) UseMethod("belief_reweigh")

#' @export
belief_reweigh.default <- function(belief, x) {
  abort_judicious(c(
    "This belief about the gains cannot be ranked within strata of the queries.",
    i = "Give a goal without {.arg by}."
  ), "argument", argument = "goal", call = NULL)
}

# The systems by a belief. `delta` is what differences are compared with.
rank_by_belief <- function(belief, x, judged, delta = 0) {
  of <- belief_systems(belief)
  ranking <- new_ranking(x, of$mean, of$covariance, of$difference_variance %||% difference_variance_cpp(of$covariance),
                         delta = delta, judged = judged)
  if (inherits(belief, "judicious_strata_belief")) ranking$strata <- rank_strata(belief, judged, delta)
  ranking
}
