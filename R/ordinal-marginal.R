#' Compute marginal means
#'
#' Averages predictions over the rows of the fit, with one variable set to a value.
#'
#' @param object A model by [pom()], without random effects.
#' @param variable The name of a variable of the model.
#' @param at Values of the variable: by default, the levels of a factor, or the 5%, 25%, 50%, 75% and 95% quantiles of a
#'   number.
#' @param type What to average, as in [predict.judicious_pom()]: by default `"mean"` if the levels are numbers, else
#'   `"prob"`.
#' @param level Confidence level of the intervals, by the delta method, for probabilities on the logit scale.
#' @param ... Not used.
#' @return A data frame with a column named like the variable (its value), `response` (the level; only for `"prob"` and
#'   `"cumulative"`), `estimate`, `sd` (its standard error), `lower` and `upper`. Averages use the case weights of the
#'   fit.
#' @seealso `emmeans::emmeans()` also works on these models.
#' @examples
#' fit <- pom(gear ~ wt + factor(am), data = mtcars)
#' marginal_means(fit, "wt", at = c(2, 3, 4))
#' @export
marginal_means <- function(object, variable, at = NULL, type = c("mean", "prob", "cumulative", "link"), level = 0.95,
                           ...) {
  refuse_other_arguments("marginal_means()", ...)
  check_class(object, "judicious_pom", "object", "pom")
  check_fitted(object)
  refuse_effects(object, "marginal means", instead = "{.code emmeans::emmeans(fit, ~ x | y, mode = \"prob\")}
    averages the probabilities of the response {.code y} over a grid, with random effects of 0.")
  check_string(variable, "variable")
  check_number(level, "level", 0, 1, open = TRUE)
  types <- c(if (!is.null(object$level_values)) "mean", "prob", "cumulative", "link")
  type <- if (missing(type)) types[1] else check_choice(type, types, "type")
  data <- fitted_variables(object)
  check_that(variable %in% names(data), "variable", c(
    "The model has no variable {.val {variable}}.", i = "Its variables are {.val {names(data)}}."))
  at <- at %||% usual_values(data[[variable]])
  valid <- levels(data[[variable]])
  check_that(is.null(valid) || all(at %in% valid), "at", "must be levels of {.val {variable}}: {.or {.val {valid}}}.",
             kind = "levels")
  # Rows that differ only in the variable have the same prediction, so each group of them is predicted once, with the
  # sum of their weights.
  group <- equal_rows(data[names(data) != variable])
  case_weights <- drop(rowsum(row_weights(object), group))
  data <- data[!duplicated(group), , drop = FALSE]
  if (type != "link") object <- in_core_columns(object, rows = FALSE)
  parts <- covariance_parts(object)
  rows <- warn_once(lapply(seq_along(at), function(i) {
    data[[variable]] <- if (is.factor(data[[variable]])) factor(at[i], levels(data[[variable]])) else at[i]
    prediction <- average_prediction(object, data, type, case_weights, parts)
    limits <- interval_limits(prediction$estimate, prediction$sd, type, level)
    result <- data.frame(at = at[i], response = prediction$response, estimate = prediction$estimate, sd = prediction$sd,
                         lower = limits[[1]], upper = limits[[2]], stringsAsFactors = FALSE)
    names(result)[1] <- variable
    result
  }))
  result <- do.call(rbind, rows)
  if (type %in% c("mean", "link")) result$response <- NULL
  result
}

# Gives a warning of each kind only once.
warn_once <- function(expr) {
  seen <- character()
  withCallingHandlers(expr, judicious_warning = function(cnd) {
    if (class(cnd)[1] %in% seen) invokeRestart("muffleWarning")
    seen <<- c(seen, class(cnd)[1])
  })
}

# The variables of the model frame, as they were in the user's data.
fitted_variables <- function(object) {
  variables <- union(all.vars(delete.response(object$frame_terms %||% terms(object))), all.vars(object$call$offset))
  frame <- model.frame(object)
  if (all(variables %in% names(frame))) return(frame[variables])
  d <- tryCatch(eval(object$call$data, environment(object$terms)), error = function(cnd) NULL)
  # The variables include names of functions, as in C(f, contr.sum), and of constants, which are not columns.
  if (is.data.frame(d)) variables <- intersect(variables, names(d))
  abort_unless(is.data.frame(d) && all(variables %in% names(d)), "The data of the fit cannot be found: the model
    frame has only transformed variables.", "no_data")
  data_of_fit(object, d)[variables]
}

usual_values <- function(values) {
  if (is.factor(values)) return(levels(droplevels(values)))
  if (is.numeric(values)) return(unique(unname(quantile(values, c(0.05, 0.25, 0.5, 0.75, 0.95), na.rm = TRUE,
                                                        type = 1))))
  sort(unique(values), method = "radix")
}

# The number of the first row that equals each row. Values of other kinds than plain columns are never equal.
equal_rows <- function(data) {
  columns <- lapply(data, function(v) if (is.atomic(v) && is.null(dim(v))) v else seq_len(nrow(data)))
  do.call(combination_code, c(list(rep(1, nrow(data))), unname(columns)))
}

average_prediction <- function(object, data, type, case_weights, parts) {
  rows <- core_rows(object, prediction_rows(object, data, na.pass))
  warn_crossing(object, rows, type)
  x <- dense_columns(rows$columns)[, estimated_slopes(object), drop = FALSE]
  eta <- row_predictor(object, rows)
  predict_at <- function(moved, eta) as.matrix(from_linear_predictor(moved, eta, type, rows))
  average <- function(predicted) {
    structure(drop(crossprod(case_weights, predicted)) / sum(case_weights), names = colnames(predicted))
  }
  prediction_at <- shifted_prediction(object, eta, predictor_sensitivity(object, x), predict_at)
  width <- 1e-5
  slope <- (predict_at(object, eta + width) - predict_at(object, eta - width)) / (2 * width)
  gradient <- crossprod(case_weights * slope, x) / sum(case_weights)
  variance <- if (is.null(parts)) NaN else
    squared_derivatives(function(change) average(prediction_at(change)), parts) +
    rowSums((gradient %*% parts$remaining) * gradient)
  estimate <- average(predict_at(object, eta))
  list(estimate = unname(estimate), sd = sqrt(unname(variance)), response = names(estimate) %||% NA_character_)
}

# The derivatives, with respect to the coefficients, of a function of the fit: central differences over a thousandth of
# the standard errors.
coefficient_jacobian <- function(object, f) {
  coefs <- coef(object, complete = FALSE)
  se <- stats::setNames(sqrt(diag(observed_covariance(object))), names(coefs))
  columns <- vapply(names(coefs), function(name) {
    h <- se[[name]] * 1e-3
    (f(with_coefficient(object, name, coefs[[name]] + h)) -
     f(with_coefficient(object, name, coefs[[name]] - h))) / (2 * h)
  }, numeric(length(f(object))))
  matrix(columns, ncol = length(coefs), dimnames = list(NULL, names(coefs)))
}

with_coefficient <- function(object, name, value) {
  with_parameters(object, replace(known_coefficients(object), name, value))
}

#' @export
effects.judicious_pom <- function(object, ...) {
  abort_argument("object", c("Ordinal models have no orthogonal effects, as linear models do.", i = "Use
    {.fn marginal_means}, {.code effects::Effect(\"x\", fit)} or {.code marginaleffects::avg_slopes(fit)}."))
}
