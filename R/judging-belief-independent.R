# Independent gains as the belief of a judging session, with the judgment model and the updates of Urbano and Schedl
# (2013): see judging-belief.R.

#' Use independent gains, as published
#'
#' Specifies the method of Urbano and Schedl (2013), described by [mtc()], for the argument `past` of
#' [judging_session()] and [judging_plan()]. Use it for comparison only: gains are treated as independent given the
#' features, so intervals are too narrow.
#'
#' The measure of a session can be AP or a sum over ranks (AG, CG, P, DCG, RBP, nDCG and ANDCG with
#' `ideal = "maximum"`). With AP, documents are selected by [strategy_weight()] or [strategy_random()].
#'
#' @param output_model,judge_model Models of the gains, as in [mtc()].
#' @param features A data frame of features, as in [mtc()].
#' @return A `judicious_independent_model`, for the argument `past` of [judging_session()].
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' model <- independent_gains(mirex_model("output", "fine"), mirex_model("judge", "fine"))
#' goal <- goal_top(1, 0.9) | goal_budget(30)
#' s <- judging_session(x, goal, past = model, strategy = strategy_weight("goal"), seed = 1,
#'                      judgments = FALSE)
#' run_session(s)
#' s
#' @export
independent_gains <- function(output_model = NULL, judge_model = NULL, features = NULL) {
  models <- list(output_model = output_model, judge_model = judge_model)
  # Models can be of any class, so only obvious mistakes can be detected.
  for (arg in names(models)) {
    check_that(is.null(models[[arg]]) || !is.atomic(models[[arg]]), arg, "must be a model of the gains, such as by
      {.fn mirex_model} or {.fn pom}, not {.obj_type_friendly {models[[arg]]}}.")
  }
  if (!is.null(features)) check_columns(features, character(), "features")
  structure(c(models, list(features = features)), class = "judicious_independent_model")
}

#' @export
print.judicious_independent_model <- function(x, ...) {
  print_line(x, "Independent gains: ", if (is.null(x$output_model)) "uniform" else "an output model",
             " before judging, ", if (is.null(x$judge_model)) "without updates" else "updated by a judge model")
}

# The result of belief_prepare() for independent gains. It has the `gains` before any judgment and, for predicting gains
# from judgments later, the model, its features and pool_labels().
#' @export
belief_prepare.judicious_independent_model <- function(model, x, grades) {
  check_that(is.null(grades), "grades", c("Independent gains do not support {.arg grades}.",
                                          i = "Use a joint model, such as {.fn gain_prior}."))
  m <- x$scoring$measure
  check_that(is_sum(x) || (!is_custom(list(m)) && m$base == "AP" && m$total == "mean"), "measure", c(
    "Independent gains do not support the measure {.val {m$name}}.",
    i = "They support AP, AG, CG, P, DCG, RBP, and {.val nDCG(ideal=maximum)} with a cutoff.",
    i = "For other measures, use a joint model, such as {.fn gain_prior}."
  ), kind = "measure")
  features <- if (is.null(model$features)) output_features(x) else features_on_pool(x, model$features)
  prepared <- list(gains = output_gains(x, model$output_model, features))
  if (!is.null(model$judge_model)) {
    features[judged_columns] <- NA_real_
    try_judge_model(x, model$judge_model, features)
    prepared[c("judge_model", "features", "labels")] <- list(model$judge_model, features, pool_labels(x))
  }
  structure(prepared, class = "judicious_independent_prepared")
}

# The features of every pair of the pool, in pool order.
features_on_pool <- function(x, features) {
  features <- check_columns(features, character(), "features")
  with_ids <- all(c("query", "doc") %in% names(features))
  matched <- if (with_ids) match_ids(features, pool_ids(x)) else seq_len(nrow(features))
  if (anyNA(matched) || length(matched) != n_pairs(x)) {
    abort_judicious(c("{.arg features} must have a row for each of the {format_count(n_pairs(x))} pairs of the pool.",
                      x = if (anyNA(matched)) {
                        first <- pool_ids(x)[which(is.na(matched))[1], ]
                        "It lacks {format_count(sum(is.na(matched)))}, the first of them query {.val {first$query}},
                          document {.val {first$doc}}."
                      } else {
                        "It has {format_count(nrow(features))} {cli::qty(nrow(features))}row{?s}, and no columns
                          {.val query} and {.val doc} to match by."
                      }), "missing_features", argument = "features")
  }
  without_row_names(features[matched, , drop = FALSE])
}

#' @export
belief_begin.judicious_independent_prepared <- function(prepared, x) {
  new_independent_belief(x, prepared, prepared$gains, rep(NA_real_, n_pairs(x)))
}

# The belief is an environment, so that a judgment changes it in place. `gains`: the gains that the models predicted at
# the last update, also for judged pairs; `gain`: the judgments, NA for unjudged pairs; `sums`: sums over the pool by
# the C++ code, which use the judgment of a pair or else its prediction, computed on first use; `latest`: the last
# update and its result, which all beliefs of a session share.
new_independent_belief <- function(x, prepared, gains, gain, latest = new.env(parent = emptyenv())) {
  belief <- list2env(list(collection = x, prepared = prepared, gains = gains, gain = gain, sums = NULL,
                          latest = latest), parent = emptyenv())
  structure(belief, class = "judicious_independent_belief")
}

# The sums are in the memory of the C++ code. A belief that was saved to a file has lost them, so they are computed
# again.
independent_sums <- function(belief) {
  if (is.null(belief$sums) || is_null_pointer_cpp(belief$sums)) {
    x <- belief$collection
    gains <- belief$gains
    judged <- !is.na(belief$gain)
    gains$mean[judged] <- belief$gain[judged]
    gains$variance[judged] <- 0
    gains$judged <- judged
    moments <- transformed_moments(x, gains)
    belief$sums <- independent_cpp(x$results, n_systems(x), x$scoring$weight %||% numeric(),
                                   if (is.null(x$scoring$weight)) gain_divisor(x) else 1, moments$mean,
                                   moments$variance, judged)
  }
  belief$sums
}

#' @export
belief_judge.judicious_independent_belief <- function(belief, pair, gain, noise = 0) {
  independent_judge_cpp(independent_sums(belief), pair, transformed_gain(belief$collection, gain))
  belief$gain[pair] <- gain
  belief
}

#' @export
belief_imagine.judicious_independent_belief <- function(belief, pairs) {
  check_sums(belief)
  imagined <- new_independent_belief(belief$collection, belief$prepared, belief$gains, belief$gain, belief$latest)
  imagined$sums <- independent_imagine_cpp(independent_sums(belief), pairs)
  imagined
}

#' @export
belief_foresee.judicious_independent_belief <- function(belief, pairs, gains, delta) {
  x <- belief$collection
  if (!is_sum(x)) return(NULL)
  foreseen <- independent_foresee_cpp(independent_sums(belief), pairs, transformed_gain(x, gains), delta,
                                  gain_resolution(x))
  after <- new_independent_belief(x, belief$prepared, belief$gains, replace(belief$gain, pairs, gains), belief$latest)
  after$sums <- foreseen$sums
  c(foreseen[-1], belief = after)
}

#' @export
belief_systems.judicious_independent_belief <- function(belief) {
  if (is_sum(belief$collection)) return(independent_systems_cpp(independent_sums(belief)))
  rank_systems(belief$collection, belief_gains(belief))[c("mean", "covariance", "difference_variance")]
}

#' @export
belief_pairs.judicious_independent_belief <- function(belief, pairs = NULL) {
  independent_pairs_cpp(independent_sums(belief), pairs)
}

#' @export
belief_reduction.judicious_independent_belief <- function(belief, directions, pairs = NULL) {
  check_sums(belief)
  reduction <- independent_reduction_cpp(independent_sums(belief), directions)
  if (is.null(pairs)) reduction else reduction[pairs]
}

check_sums <- function(belief) {
  check_that(is_sum(belief$collection), "measure", c(
    "With independent gains, it is not known how much a judgment reduces the variance of
      {.val {belief$collection$scoring$measure$name}}.",
    i = hint("Select documents by {.fn strategy_weight} or {.fn strategy_random}.", "Use --strategy weight or random.")
  ), kind = "measure", call = NULL)
}

# If there is a model that uses judgments (`judge_model`), gains are predicted again whenever the number of judgments
# has passed a multiple of `every`, regardless of the size of batches.
#' @export
belief_due.judicious_independent_belief <- function(belief, judged, fitted, every) {
  !is.null(belief$prepared$judge_model) && judged %/% every > fitted %/% every
}

# A fit is stored as the judgments from which belief_restore() computes the update. The update is computed here as well,
# so that an error of the model is raised before the fit is logged.
#' @export
belief_refit.judicious_independent_belief <- function(belief, gain, every, selected = integer()) {
  judged <- which(!is.na(gain))
  fit <- list(pair = judged, gain = gain[judged])
  updated_gains(belief, fit)
  fit
}

#' @export
belief_restore.judicious_independent_belief <- function(initial, fit, gain, sequence, noise = NULL, doubt = 0) {
  new_independent_belief(initial$collection, initial$prepared, updated_gains(initial, fit), gain, initial$latest)
}

updated_gains <- function(belief, fit) {
  prepared <- belief$prepared
  if (is.null(fit) || is.null(prepared$judge_model)) return(prepared$gains)
  if (!identical(belief$latest$fit, fit)) {
    x <- belief$collection
    fitted_gain <- replace(rep(NA_real_, n_pairs(x)), fit$pair, fit$gain)
    belief$latest$gains <- gains_after_judgments(x, prepared$gains, prepared$judge_model, prepared$features,
                                                 fitted_gain, prepared$labels)
    belief$latest$fit <- fit
  }
  belief$latest$gains
}

#' @export
belief_reweigh.judicious_independent_belief <- function(belief, x) {
  new_independent_belief(x, belief$prepared, belief$gains, belief$gain, belief$latest)
}

#' @export
belief_gains.judicious_independent_belief <- function(belief) with_judged_certain(belief, belief$gains)

#' @export
as.data.frame.judicious_independent_belief <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(pool_ids(x$collection), belief_pairs(x), judged = !is.na(x$gain), row.names = row.names)
}
