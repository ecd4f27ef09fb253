#' Predict from an ordinal model
#'
#' Predicts the probabilities of the levels, the most probable level, or the mean of the response, for new rows or those
#' of the fit.
#'
#' @param object A model by [pom()] or [mirex_model()].
#' @param newdata A data frame with the variables of the model, including those of offsets; by default, the rows of the
#'   fit (padded with NA under [na.exclude()]). The prediction for a row with a missing value is NA.
#' @param type What to predict:
#' * `"prob"` (also `"probs"` or `"response"`): \eqn{P(Y = l)}, a matrix with one column per level, named like the
#' level.
#' * `"cumulative"`: \eqn{P(Y \ge l)}, a matrix with one column per level except the lowest, named `">=level"`.
#' * `"class"`: the most probable level, an ordered factor.
#' * `"mean"`, `"variance"`: those of the response, if its levels are numbers.
#' * `"link"` (also `"lp"` or `"linear.predictor"`): \eqn{x'\beta} with the offset, without thresholds.
#' * `"terms"`: the part of every term in it, centred over the rows of the fit, as in [predict.lm()].
#'
#' Nominal effects can make the thresholds of a row cross; a warning states the number of such rows, whose thresholds
#' are sorted.
#' @param na.action How to handle rows of `newdata` with missing values: a function such as [na.omit()].
#' @param se.fit TRUE adds standard errors by the delta method. Not for `type = "class"`.
#' @param interval `"confidence"` adds Wald limits, which are computed on the logit scale for probabilities, the log
#'   scale for variances, and directly for the linear predictor and the mean. Not for `type = "class"`.
#' @param level Confidence level of the limits.
#' @param ... Not used: other arguments raise an error.
#' @return A matrix, a vector or a factor with one row or element per row. With `se.fit` or `interval`, a list of `fit`
#'   and, as requested, `se.fit`, or `lwr` and `upr`, all of the same shape.
#' @examples
#' fit <- pom(gear ~ wt, data = mtcars)
#' predict(fit, data.frame(wt = c(2, NA, 4)), type = "prob")
#' predict(fit, data.frame(wt = c(2, 4)), type = "mean")
#' predict(fit, data.frame(wt = 3), type = "cumulative", interval = "confidence")
#' @export
predict.judicious_pom <- function(object, newdata, type = predict_types, na.action = na.pass, se.fit = FALSE,
                                  interval = c("none", "confidence"), level = 0.95, ...) {
  refuse_other_arguments("predict()", ...)
  predicted(object, if (!missing(newdata)) newdata, type, na.action, "none", se.fit, interval, level)
}

# The predictions of all ordinal models. `effects`: how to treat random effects, "none" for models without them.
predicted <- function(object, newdata, type, na.action, effects, se.fit, interval, level) {
  type <- prediction_type(type)
  interval <- check_interval(type, se.fit, interval, level)
  check_numeric_levels(object, type %in% c("mean", "variance"), "type", "Name the levels by numbers, or use
    {.code type = \"prob\"}.")
  of_fit <- is.null(newdata)
  if (of_fit) need_rows(object)
  if (type == "terms") return(term_contributions(object, newdata, na.action))
  check_that(!of_fit || !is.null(object$linear_predictor), "newdata",
             "A published model has no data of its own: give {.arg newdata}.")
  parts <- if (of_fit) object else prediction_rows(object, newdata, na.action)
  warn_not_estimable(object, if (!of_fit) parts)
  object <- predicting_model(object, type, se.fit || interval != "none", of_fit)
  parts <- if (of_fit) object else core_rows(object, parts)
  eta <- if (of_fit) object$fixed_predictor %||% object$linear_predictor else row_predictor(object, parts)
  rows <- if (effects != "none") effect_rows(object, newdata)
  if (!is.null(rows)) eta <- add_effects(object, eta, rows)
  warn_crossing(object, parts, type)
  averaged <- effects == "marginal" && type != "link"
  out <- predicted_at(object, eta, parts, rows, averaged, type, se.fit, interval, level)
  if (of_fit) pad_prediction(object$na.action, out) else out
}

# The model that predicts: linear predictors are those of the user's columns.
predicting_model <- function(object, type, has_error, of_fit) {
  if (has_error) check_fitted(object)
  if (type != "link" && (has_error || !is.null(object$core))) in_core_columns(object, of_fit) else object
}

add_effects <- function(object, eta, rows) {
  check_that(length(eta) == rows$n, "na.action", "must keep all rows of {.arg newdata}, as {.fn na.pass} does.")
  eta + effect_predictor(object, rows)
}

# Predictions at the linear predictors `eta`. `rows`: the random effects in these rows, or NULL. `averaged`: whether
# predictions are averaged over them.
predicted_at <- function(object, eta, parts, rows, averaged, type, se.fit, interval, level) {
  variance <- if (averaged) effect_variance(object, rows)
  predict_at <- function(moved, eta) {
    if (averaged) marginal_prediction(moved, parts, eta, variance, type) else
      from_linear_predictor(moved, eta, type, parts)
  }
  # The variance of the effects at known coefficients is added to the variance that is due to the coefficients, on which
  # the modes of the effects depend, too. Predictions that are averaged over the effects include it already.
  with_error(object, eta, effect_sensitivity(object, rows, parts$columns %||% model.matrix(object)), predict_at, type,
             se.fit, interval, level, extra = if (is.null(rows) || averaged) 0 else effect_variance(object, rows))
}

# For every aliased column (one without a coefficient) of the location in `rows`: its difference from the value that the
# other columns, those of nominal effects and the intercept imply, by their linear relation in the rows of the fit. The
# prediction for a row with a difference is arbitrary. NULL if every column has a coefficient, or if the rows of the fit
# are sparse or not kept.
unexplained_columns <- function(object, rows) {
  aliased <- setdiff(names(object$beta), estimated_slopes(object))
  design <- if (length(aliased)) tryCatch(model.matrix(object), judicious_error = function(cnd) NULL)
  if (is.null(design) || is_sparse(design)) return(NULL)
  explained <- seq_along(aliased)
  chosen <- function(x, nominal) cbind(x[, c(aliased, estimated_slopes(object)), drop = FALSE], nominal[, -1])
  in_fit <- chosen(design, object$nominal_columns)
  # Centred, because a spread of 1 about a mean of 1e9 would be taken for rounding errors of a constant.
  center <- colMeans(in_fit)
  in_fit <- in_fit - rep(center, each = nrow(in_fit))
  relation <- qr.coef(qr(in_fit[, -explained, drop = FALSE]), in_fit[, explained, drop = FALSE])
  columns <- chosen(rows$columns, rows$nominal_columns)
  columns <- columns - rep(center, each = nrow(columns))
  residual <- columns[, explained, drop = FALSE] -
    columns[, -explained, drop = FALSE] %*% replace(relation, is.na(relation), 0)
  residual[which(abs(residual) < 1e-7 * max(abs(in_fit[, explained])) + 1e-13 * max(abs(design)))] <- 0
  residual
}

# Warns of new rows, if any, whose predictions are arbitrary.
warn_not_estimable <- function(object, rows) {
  unexplained <- if (!is.null(rows)) unexplained_columns(object, rows)
  rows <- if (!is.null(unexplained)) which(rowSums(unexplained != 0) > 0)
  if (length(rows)) {
    n <- length(rows)
    warn_judicious("{format_count(n)} {cli::qty(n)}row{?s} of {.arg newdata}, first row {rows[1]},
      {cli::qty(n)}{?has/have} a combination of columns of which the rows of the fit tell nothing: {?its prediction
      is/their predictions are} arbitrary.", "not_estimable", rows = rows)
  }
}

predict_types <- c("prob", "cumulative", "class", "mean", "variance", "link", "terms")

# Resolves the type of prediction; names that other packages use are accepted, too.
prediction_type <- function(type) {
  type_aliases <- c(probs = "prob", response = "prob", lp = "link", linear.predictor = "link")
  if (is.character(type) && length(type) == 1 && type %in% names(type_aliases)) type <- type_aliases[[type]]
  check_choice(type, predict_types, "type")
}

# The centred parts of the linear predictor by term, as in predict.lm().
term_contributions <- function(object, newdata, na.action) {
  design <- model.matrix(object)
  x <- if (is.null(newdata)) design else
    side_columns(object$terms, new_frame(object, newdata, na.action, object$terms), object$contrasts)
  term_labels <- attr(terms(object), "term.labels")
  slopes <- object$beta[colnames(design)]
  slopes[is.na(slopes)] <- 0
  center <- colMeans(design)
  part <- function(term) {
    term_columns <- which(attr(design, "assign") == term)
    drop(x[, term_columns, drop = FALSE] %*% slopes[term_columns]) - sum(center[term_columns] * slopes[term_columns])
  }
  out <- vapply(seq_along(term_labels), part, numeric(nrow(x)))
  out <- matrix(out, nrow(x), length(term_labels), dimnames = list(rownames(x), term_labels))
  if (is.null(newdata)) out <- napredict(object$na.action, out)
  structure(out, constant = sum(center * slopes))
}

# Predictions for the rows of the fit; rows that na.exclude() left out are not padded.
predict_rows <- function(object, type) {
  need_rows(object)
  if (!is.null(object$core)) object <- in_core_columns(object)
  from_linear_predictor(object, object$linear_predictor, type)
}

# Raises an error if levels that are not numbers are `needed` as such.
check_numeric_levels <- function(object, needed, arg, advice) {
  check_that(!needed || !is.null(object$level_values), arg, c(
    "The response's levels {name_some(object$levels)} are not numbers: they have no mean.", i = advice))
}

# The model matrices of newdata and its offsets.
prediction_rows <- function(object, newdata, na.action) {
  if (is.null(object$terms)) return(matrix_rows(object, newdata))
  newdata <- plain_values(newdata, "newdata")
  location <- object$sides$location %||% object$terms
  frame <- new_frame(object, newdata, na.action, object$frame_terms %||% object$terms)
  columns <- side_columns(location, frame, object$contrasts)
  left_out <- attr(frame, "na.action")
  if (length(left_out)) newdata <- newdata[-left_out, , drop = FALSE]
  rows <- list(columns = columns, offset = new_offset(object, newdata, side_offset(location, frame), nrow(frame)))
  if (is.null(object$parameters)) return(rows)
  side <- function(which, kept) side_columns(object$sides[[which]], frame, object$contrasts)[, kept, drop = FALSE]
  c(rows, list(nominal_columns = cbind(rep(1, nrow(frame)), side("nominal", colnames(object$nominal_columns)[-1])),
               scale_columns = side("scale", colnames(object$scale_columns)),
               scale_offset = side_offset(object$sides$scale, frame)))
}

# The same as prediction_rows(), for a fit to a matrix.
matrix_rows <- function(object, newdata) {
  columns <- names(object$beta)
  is_numbers <- is.matrix(newdata) && is.numeric(newdata) || is_sparse(newdata)
  if (is_numbers && !is.null(colnames(newdata))) newdata <- without_intercept(newdata)
  if (!is_numbers || !identical(colnames(newdata) %||% columns, columns) || ncol(newdata) != length(columns))
    abort_judicious("{.arg newdata} must be a numeric matrix with the columns of the fit, {.val {columns}}.",
                    "argument", argument = "newdata")
  check_that(is.null(object$offset), "newdata",
             "The offset of new rows is not known: fit with {.fn pom} and a formula.")
  colnames(newdata) <- columns
  n <- nrow(newdata)
  list(columns = newdata, nominal_columns = matrix(1, n, 1), scale_columns = matrix(0, n, 0))
}

marginal_prediction <- function(object, parts, eta, variance, type) {
  nodes <- hermite_nodes(31)
  prob <- 0
  for (k in seq_along(nodes$x)) {
    prob <- prob + nodes$w[k] * from_linear_predictor(object, eta + sqrt(variance) * nodes$x[k], "prob", parts)
  }
  above <- t(apply(prob[, -1, drop = FALSE], 1, function(p) rev(cumsum(rev(p)))))
  from_probabilities(object, eta, type, unname(prob), matrix(above, nrow(prob)))
}
