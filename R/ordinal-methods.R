#' Methods for ordinal models
#'
#' Extract or print parts of a model by [pom()].
#'
#' @param object,x,formula A model by [pom()].
#' @param complete TRUE includes aliased coefficients, as NA.
#' @param digits Number of significant digits.
#' @param ... Not used.
#' @return
#' * `coef()`: a named vector of thresholds, then slopes.
#' * `logLik()`: the log likelihood, for [AIC()] and [BIC()], too. `nobs()`: the number of observations.
#' * `formula()`, `terms()`, `model.frame()`, `model.matrix()`: as for [lm()].
#' * `summary()`: a `judicious_pom_summary` with `coefficients`, a table of estimates, standard errors, z and p, and its
#' parts `slopes` and `thresholds`. If the levels are numbers, also `rmse`, the root mean squared error of the expected
#' response, and `r_squared`, 1 - RMSE^2 / (variance of the response) (Table 7 of the paper of
#' [mirex_model()]), both weighted.
#' @name pom-methods
#' @seealso [pom()], [predict.judicious_pom()], [vcov.judicious_pom()], [confint.judicious_pom()],
#' [anova.judicious_pom()]
#' @examples
#' fit <- pom(gear ~ wt + qsec, data = mtcars)
#' coef(fit)
#' confint(fit)
#' AIC(fit)
#' summary(fit)$r_squared
NULL

#' @rdname pom-methods
#' @export
coef.judicious_pom <- function(object, complete = TRUE, ...) {
  refuse_other_arguments("coef()", ...)
  if (complete) object$coefficients else known_coefficients(object)
}

# Raises an error for a published model (mirex_model()), which has coefficients only, no data.
check_fitted <- function(object) {
  abort_unless(!is.null(object$loglik), "A published model has coefficients only: neither data, likelihood nor
    covariance.", "published_model")
  invisible(object)
}

# Raises an error for a fit to batches, which does not keep the rows of its data.
need_rows <- function(object) {
  if (!identical(object$source, "batches")) return(invisible(object))
  abort_judicious(c("The model was fitted to batches of rows, which it does not keep.",
                    i = "{.fn predict} takes {.arg newdata}; for methods that need the rows, fit to a data frame."),
                  "no_rows", call = NULL)
}

need_single_rows <- function(object, results) {
  need_rows(object)
  if (!isTRUE(object$source %in% c("groups", "counts"))) return(invisible(object))
  abort_judicious(c("{results} need single rows; the model was fitted to groups of equal rows with their counts.",
                    i = "Fit to a data frame of single rows, or of distinct rows with {.code weights = count}."),
                  "no_rows", call = NULL)
}

#' @rdname pom-methods
#' @export
logLik.judicious_pom <- function(object, ...) {
  check_fitted(object)
  structure(object$loglik, df = object$df, nobs = object$n_obs, class = "logLik")
}

#' @rdname pom-methods
#' @export
nobs.judicious_pom <- function(object, ...) {
  check_fitted(object)
  object$n_obs
}

# step() stores the formula with the attributes of its terms.
#' @rdname pom-methods
#' @export
formula.judicious_pom <- function(x, ...) if (!is.null(x$formula)) stats::formula(x$formula)

#' @rdname pom-methods
#' @export
terms.judicious_pom <- function(x, ...) x$terms

#' @rdname pom-methods
#' @export
model.frame.judicious_pom <- function(formula, ...) {
  need_rows(check_fitted(formula))
  if (!is.null(formula$model)) return(formula$model)
  abort_unless(!identical(formula$source, "groups"), "The model frame of data that are not in memory is not made again:
    fit with {.code model = TRUE}.", "no_rows")
  pom_frame(formula$frame_call %||% formula$call, environment(formula$terms) %||% parent.frame())
}

# Returns the rows of the data of the call that were fitted. Raises an error if they are no longer those of the fit.
# Variables that the formula transforms are not compared.
data_of_fit <- function(object, data) {
  frame <- model.frame(object)
  data <- plain_values(data)[match(attr(frame, "counts") %||% rownames(frame), rownames(data)), , drop = FALSE]
  plain <- Filter(function(name) is.null(dim(frame[[name]])), intersect(names(frame), names(data)))
  same <- vapply(plain, function(name) identical(as.vector(frame[[name]]), as.vector(data[[name]])), NA)
  abort_unless(all(same), c("The rows of the call are no longer those of the fit: {.val {plain[!same][1]}} has other
    values.", i = "Fit the model again."), "data_changed")
  data
}

#' @rdname pom-methods
#' @export
model.matrix.judicious_pom <- function(object, ...) {
  if (is.null(object$terms)) return(object$columns)
  side_columns(object$terms, model.frame(object), object$contrasts)
}

row_weights <- function(fit) need_rows(fit)$weights %||% rep(1, length(fit$y))

# Whether the weights are counts of rows. Weights that are all 0 or 1 only select rows.
has_counts <- function(fit) {
  case_weights <- row_weights(fit)
  all(case_weights == trunc(case_weights)) && any(case_weights > 1)
}

# The indices of the rows of a fit, each repeated by its weight. If weights are not counts, every row appears once; a
# fit to grouped rows then raises an error if there are weights that are not whole numbers.
counted_rows <- function(fit) {
  case_weights <- row_weights(fit)
  if (has_counts(fit)) return(rep(seq_along(case_weights), case_weights))
  if (any(case_weights != trunc(case_weights))) need_single_rows(fit, "Weights that are not whole numbers")
  seq_along(case_weights)
}

kept_columns <- function(fit) {
  need_rows(fit)
  dense_columns((fit$columns %||% model.matrix(fit))[, estimated_slopes(fit), drop = FALSE])
}

# Raises an error unless the model has a known link, flexible thresholds and one slope per column.
need_plain <- function(object, use) {
  refuse_effects(object, use)
  check_that(!inherits(object, "judicious_pom_general"), "object", "{upper_first(use)} works for models with a known
    link and flexible thresholds, without nominal or scale effects.")
}

# Raises an error for models with random effects, in methods that are not defined for them.
refuse_effects <- function(object, use, instead = NULL) {
  abort_unless(!inherits(object, "judicious_pom_mixed"),
               c("Models with random effects do not support {use}.", i = instead), "mixed_model")
}

coefficient_types <- function(fit) {
  fit$coef_type %||% rep(c("threshold", "slope"), c(length(fit$alpha), length(fit$beta)))
}
