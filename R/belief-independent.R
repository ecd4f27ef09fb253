# Converts the predictions of any model to a matrix of probabilities, one column per level, lowest first.

# Which rows of `features` have a value for every variable of the model.
complete_for_model <- function(model, features) {
  predictors <- tryCatch(stats::delete.response(stats::terms(model)), error = function(cnd) NULL)
  if (is.null(predictors)) return(rep(TRUE, nrow(features)))
  variables <- all.vars(predictors)
  absent <- setdiff(variables, names(features))
  # A variable that is no column may be a constant in the environment of the formula.
  constant <- vapply(absent, exists, NA, envir = environment(predictors) %||% baseenv(), mode = "numeric")
  check_that(all(constant), "features", c(
    "has no {cli::qty(sum(!constant))}column{?s} {.val {absent[!constant]}}, which the model needs.",
    i = "Its columns are {.val {names(features)}}."
  ), kind = "columns", columns = absent[!constant])
  used <- intersect(variables, names(features))
  if (length(used)) stats::complete.cases(features[used]) else rep(TRUE, nrow(features))
}

#' Predict the probabilities of the gains of some rows
#'
#' @return A list: `levels`, numbers in ascending order, and `prob`, a matrix with one row per row of `features`.
#' @noRd
predict_gain_prob <- function(model, features) {
  # predict() methods differ in how they treat zero rows, but callers need the levels even then.
  nothing <- !nrow(features)
  if (nothing) return(predict_no_rows(model))
  prob <- tryCatch(
    stats::predict(model, features, type = "prob"),
    error = function(cnd) {
      abort_judicious("{.code predict(model, features, type = \"prob\")} fails.", "predict", parent = cnd)
    }
  )
  if (is.list(prob) && !is.data.frame(prob)) prob <- prob$fit
  # Some methods return a vector for a single row.
  if (is.null(dim(prob)) && nrow(features) == 1 && !is.null(names(prob))) prob <- t(prob)
  if (is.data.frame(prob)) prob <- as.matrix(prob)
  check_prob_matrix(prob, nrow(features))
}

predict_no_rows <- function(model) {
  model_levels <- model$levels %||% model$lev %||% model$y.levels
  value <- suppressWarnings(as.numeric(model_levels))
  check_that(length(value) && !anyNA(value), "features", "No row of {.arg features} has all that the model needs.",
             kind = "missing_features")
  value <- sort(value)
  list(levels = value, prob = matrix(0, 0, length(value)))
}

check_prob_matrix <- function(prob, n) {
  fault <- function(message) {
    abort_judicious(c("{.code predict(model, features, type = \"prob\")} must give a matrix of probabilities, one
                        row per row of {.arg features}, one column per level.",
                      x = message), "predict", argument = "model")
  }
  if (!is.matrix(prob) || !is.numeric(prob)) fault("It gives {.obj_type_friendly {prob}}.")
  if (nrow(prob) != n) fault("It has {nrow(prob)} row{?s} where {.arg features} has {n}.")
  gains <- column_levels(prob)
  if (is.null(gains)) {
    named <- if (is.null(colnames(prob))) "have no names" else "are {.val {colnames(prob)}}"
    fault(paste0("Its columns must be named by two or more different numbers, but ", named, "."))
  }
  bad <- which(abs(rowSums(prob) - 1) > 1e-6 | rowSums(prob < 0) > 0)
  if (length(bad)) fault("Row {bad[1]} is not a distribution: {paste(signif(prob[bad[1], ], 4), collapse = ', ')}.")
  sorted <- order(gains)
  list(levels = gains[sorted], prob = unname(prob[, sorted, drop = FALSE]))
}

# The numbers in the column names; NULL unless there are at least two, all different.
column_levels <- function(prob) {
  gains <- suppressWarnings(as.numeric(colnames(prob)))
  valid <- length(gains) == ncol(prob) && length(gains) >= 2 && !anyNA(gains) && !anyDuplicated(gains)
  if (valid) gains
}

scale_of_levels <- function(levels) {
  published_scales <- list(fine_scale(), fine_scale(10), broad_scale())
  same <- vapply(published_scales, function(scale) identical(scale$model_levels, as.numeric(levels)), NA)
  if (any(same)) published_scales[[which(same)]] else gain_scale(levels)
}

# Checks that the levels of a model are the model levels of the scale.
check_model_levels <- function(levels, scale, arg = "model") {
  if (identical(as.numeric(levels), as.numeric(scale$model_levels))) return(invisible())
  abort_judicious(c("The levels of {.arg {arg}} are not those of the gain scale.",
                    x = "The model has {paste(levels, collapse = ', ')}; the scale models
                      {paste(scale$model_levels, collapse = ', ')}.",
                    i = "The scale is {format(scale)}."), "levels", argument = arg)
}

#' Predict gains as independent distributions
#'
#' @description `gain_distribution()` predicts the distribution of the gain of each query-document pair from a model
#' and the pair's features. With `uniform_gains()`, every level of the scale has the same probability. `update()`
#' replaces the distributions of judged pairs by their gains. To rank systems, prefer [joint_gains()]: with independent
#' gains, intervals are too narrow.
#'
#' @details Expectation and variance are those of equation (1) of Urbano and Schedl (2013; see [mtc()]).
#'
#' @param model A fitted model of the gain, by [pom()], [mirex_model()] or any other function, for which
#'   `predict(model, newdata, type = "prob")` returns one column per level, named by the level. Or a session by
#'   [judging_session()]: the result is the current distribution of its gains, [joint_gains()] unless it uses
#'   [independent_gains()].
#' @param features A data frame with the model's variables, one row per pair, as [output_features()] returns. The
#'   columns `query` and `doc` identify the pairs; `update()` needs them.
#' @param fallback How to handle rows in which a variable of the model, or its prediction, is NA: `"uniform"` uses the
#'   uniform distribution, `"error"` raises `judicious_error_missing_features`, `"NA"` returns NA.
#' @param scale The gain scale. NULL uses the Fine scale if the model's levels are 0, 11, ..., 99, and otherwise the
#'   model's levels.
#' @return A `judicious_gains`: a list of `query` and `doc` (NULL if not known), `prob` (pairs by the model's levels),
#'   `mean`, `variance`, and the logical vectors `judged` and `fallback`. `print()` and `summary()` count the pairs with
#'   the fallback; `as.data.frame()` returns `query`, `doc`, `mean`, `variance`, `judged`, and with `prob = TRUE` one
#'   column `P<level>` per level.
#' @examples
#' example <- data.frame(pTEAM = .25, OV = .8053, pART = .0217, sGEN = 1, pGEN = .8478)
#' gains <- gain_distribution(mirex_model("output", "broad"), example)
#' as.data.frame(gains, prob = TRUE)
#' @export
gain_distribution <- function(model, ...) UseMethod("gain_distribution")

#' @rdname gain_distribution
#' @export
gain_distribution.default <- function(model, features, fallback = c("uniform", "error", "NA"), scale = NULL, ...) {
  fallback <- check_choice(fallback, c("uniform", "error", "NA"), "fallback")
  features <- check_columns(features, character(), "features")
  if (!is.null(scale)) scale <- as_scale(scale)
  gains <- predicted_distributions(model, features, scale)
  lacking <- which(is.na(gains$mean))
  check_that(fallback != "error" || !length(lacking), "features", c(
    "{format_count(length(lacking))} {cli::qty(length(lacking))}row{?s} of {.arg features}
      {cli::qty(length(lacking))}{?lacks a feature/lack features} that the model needs.",
    x = "The first is row {format_count(lacking[1])}.",
    i = "With {.code fallback = \"uniform\"} such rows get the uniform distribution."
  ), kind = "missing_features", rows = lacking)
  if (fallback == "uniform") gains <- make_uniform(gains, lacking)
  gains
}

#' @rdname gain_distribution
#' @param x For `uniform_gains()`: a [test_collection()]. For `as.data.frame()`: the gains.
#' @export
uniform_gains <- function(x) {
  x <- judged_collection(x)
  prob <- matrix(NA_real_, n_pairs(x), length(x$scale$model_levels))
  gains <- make_uniform(gains_from_prob(prob, x$scale, pool_ids(x)), seq_len(n_pairs(x)))
  gains$fallback[] <- FALSE
  gains
}

#' @rdname gain_distribution
#' @param object The gains, by `gain_distribution()` or `uniform_gains()`.
#' @param judgments A data frame with `query`, `doc` and `gain`, or paths of files for [read_judgments()]. Judgments of
#'   pairs that `gains` does not contain are ignored with a warning; a new judgment of a pair replaces its earlier gain.
#' @param ... Not used.
#' @importFrom stats update
#' @export
update.judicious_gains <- function(object, judgments, ...) {
  gains <- object
  check_that(!is.null(gains$query), "object", c(
    "does not state the query and document of each row.",
    i = "Make it from features with columns {.val query} and {.val doc}."
  ), kind = "columns")
  judgments <- sourced_judgments(judgments)
  judgments <- check_judgments(judgments, gains$scale, "judgments")
  place <- match_ids(gains, judgments)
  if (anyNA(place)) warn_outside_pool(judgments, is.na(place), "judgments")
  make_certain(gains, place[!is.na(place)], judgments$gain[!is.na(place)])
}

# The distributions of gains that a model predicts. Mean and variance are NA in rows that lack a variable of the model.
predicted_distributions <- function(model, features, scale, arg = "model") {
  complete <- complete_for_model(model, features)
  all_complete <- all(complete)
  gain_scale <- scale
  if (any(complete) || is.null(scale)) {
    predicted <- predict_gain_prob(model, if (all_complete) features else features[complete, , drop = FALSE])
    gain_scale <- scale %||% scale_of_levels(predicted$levels)
    check_model_levels(predicted$levels, gain_scale, arg)
  }
  if (all_complete && length(complete)) return(gains_from_prob(predicted$prob, gain_scale, features))
  prob <- matrix(NA_real_, nrow(features), length(gain_scale$model_levels))
  if (any(complete)) prob[complete, ] <- predicted$prob
  gains_from_prob(prob, gain_scale, features)
}

new_gains <- function(query, doc, prob, mean, variance, judged, fallback, scale) {
  structure(list(query = query, doc = doc, prob = prob, mean = mean, variance = variance,
                 judged = judged, fallback = fallback, scale = scale), class = "judicious_gains")
}

# Mean and variance of each row. The variance is computed around the mean, to avoid cancellation.
gains_from_prob <- function(prob, scale, ids) {
  l <- scale$model_levels
  colnames(prob) <- l
  expected <- as.vector(prob %*% l)
  variance <- rowSums(prob * outer(-expected, l, `+`)^2)
  with_ids <- all(c("query", "doc") %in% names(ids))
  new_gains(if (with_ids) id_text(ids$query), if (with_ids) id_text(ids$doc), prob, expected, variance,
            judged = logical(nrow(prob)), fallback = logical(nrow(prob)), scale = scale)
}

make_uniform <- function(gains, rows) {
  uniform <- uniform_gain(gains$scale)
  uniform$prob <- rep(uniform$prob, each = length(rows))
  with_distributions(gains, rows, uniform, fallback = TRUE)
}

# Replaces the distributions in some rows by others, a list of `prob`, `mean` and `variance`.
with_distributions <- function(gains, rows, distributions, fallback = FALSE) {
  gains$prob[rows, ] <- distributions$prob
  gains$mean[rows] <- distributions$mean
  gains$variance[rows] <- distributions$variance
  gains$fallback[rows] <- fallback
  gains
}

make_certain <- function(gains, rows, gain) {
  prob <- matrix(0, length(rows), ncol(gains$prob))
  prob[cbind(seq_along(rows), level_index(gains$scale, gain))] <- 1
  gains$judged[rows] <- TRUE
  with_distributions(gains, rows, list(prob = prob, mean = gain, variance = 0))
}

#' @export
print.judicious_gains <- print.judicious_collection

#' @export
summary.judicious_gains <- function(object, ...) {
  unjudged <- !object$judged
  structure(list(
    pairs = length(object$mean), judged = sum(object$judged), fallback = sum(object$fallback),
    missing = sum(is.na(object$mean)), mean = mean(object$mean[unjudged], na.rm = TRUE),
    variance = mean(object$variance[unjudged], na.rm = TRUE),
    range = if (all(is.na(object$mean[unjudged]))) c(NA_real_, NA_real_) else
      range(object$mean[unjudged], na.rm = TRUE),
    scale = object$scale
  ), class = "judicious_gains_summary")
}

#' @export
print.judicious_gains_summary <- function(x, ...) {
  cat("Distributions of the gains of ", counted(x$pairs, "query-document pair"), "\n", sep = "")
  cat_row("gains", format(x$scale))
  cat_row("judged", format_count(x$judged))
  fallback_text <- paste(counted(x$fallback, "pair"), "without the features that the model needs: uniform")
  cat_row("fallback", if (x$fallback > 0) fallback_text else "none")
  if (x$missing > 0) cat_row("missing", paste(counted(x$missing, "pair"), "without a distribution"))
  if (x$judged < x$pairs) {
    figures <- vapply(c(x$mean, x$range), format_short, "")
    from_to <- sprintf("mean %s (from %s to %s)", figures[1], figures[2], figures[3])
    cat_row("expected", paste(from_to, "where not judged"))
    cat_row("variance", sprintf("mean %s where not judged", format_short(x$variance)))
  }
  invisible(x)
}

#' @rdname gain_distribution
#' @param row.names,optional As in [as.data.frame()].
#' @param prob TRUE adds the probability of each level.
#' @export
as.data.frame.judicious_gains <- function(x, row.names = NULL, optional = FALSE, ..., prob = FALSE) {
  check_flag(prob, "prob")
  out <- data.frame(mean = x$mean, variance = x$variance, judged = x$judged, row.names = row.names)
  if (!is.null(x$query)) out <- cbind(data.frame(query = x$query, doc = x$doc), out)
  if (prob) out[paste0("P", colnames(x$prob))] <- lapply(seq_len(ncol(x$prob)), function(j) unname(x$prob[, j]))
  out
}

# Independent gains as in Urbano and Schedl (2013): estimated by one model before anything is judged, and by another
# model once there are judgments.

# The features of a pair that depend on judgments.
judged_columns <- c("aSYS", "aDOC", "aGEN", "aART")

# The gains before any judgment. They are uniform if `model` is NULL, and for pairs that lack a feature.
output_gains <- function(x, model, features) {
  if (is.null(model)) return(uniform_gains(x))
  predicted <- predicted_distributions(model, features, x$scale, "output_model")
  make_uniform(predicted, which(is.na(predicted$mean)))
}

# Detects errors of the judgment model before anything is judged: predicts one row with features as if its query had
# judgments, all with the middle of the scale.
try_judge_model <- function(x, model, features) {
  features[judged_columns] <- mean(range(x$scale$levels))
  first <- which(complete_for_model(model, features))[1]
  if (is.na(first)) return(NULL)
  predicted_distributions(model, features[first, , drop = FALSE], x$scale, "judge_model")
}

# Updates the estimates of unjudged pairs in `gains`. `judged_gain`: the gain of each pair, NA for unjudged ones.
gains_after_judgments <- function(x, gains, model, features, judged_gain, labels = pool_labels(x)) {
  features[judged_columns] <- gain_features(x, judged_gain, labels = labels)[judged_columns]
  rows <- which(is.na(judged_gain) & complete_for_model(model, features))
  updated <- predicted_distributions(model, features[rows, , drop = FALSE], x$scale, "judge_model")
  with_distributions(gains, rows, updated)
}

# The gains of the published models on their scales; uniform gains on other scales.
published_gains <- function(x) {
  features <- output_features(x)
  if (!lower_ascii(x$scale$name) %in% c("broad", "fine")) return(with_judged_certain(x, uniform_gains(x)))
  gains <- output_gains(x, mirex_model("output", x$scale), features)
  if (all(is.na(x$gain))) return(gains)
  with_judged_certain(x, gains_after_judgments(x, gains, mirex_model("judge", x$scale), features, x$gain))
}

# The `gains` with the judgments of `x`, a collection or a belief.
with_judged_certain <- function(x, gains) {
  judged <- which(!is.na(x$gain))
  make_certain(gains, judged, x$gain[judged])
}
