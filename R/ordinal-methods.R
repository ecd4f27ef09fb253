#' Methods for ordinal models
#'
#' Extract or print parts of a model by [pom()]: coefficients, likelihood, formula, data, and a summary with tests of
#' the coefficients.
#'
#' @param object,x,formula A `judicious_pom`, as returned by [pom()].
#' @param complete TRUE includes aliased coefficients, as NA.
#' @param digits Number of significant digits.
#' @param ... Not used.
#' @return
#' * `coef()`: a named vector of thresholds, then slopes.
#' * `logLik()`: the log likelihood, with the numbers of estimated coefficients and of observations, so that [AIC()] and
#'   [BIC()] work. `nobs()`: the number of observations.
#' * `formula()`, `terms()`, `model.frame()`, `model.matrix()`: as for [lm()].
#' * `summary()`: a `judicious_pom_summary` with a table of slopes and one of thresholds (estimate, standard error, z,
#'   p). If the response's levels are numbers, it also has `rmse`, the root mean squared error of the expected response,
#'   and `r_squared`, 1 - RMSE^2 / (variance of the response) (Table 7 of Urbano and Schedl, 2013), both weighted.
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
  if (complete) object$coefficients else coef_known(object)
}

# A published model (mirex_model()) has coefficients only, no data.
check_fitted <- function(object, call = caller_env()) {
  if (is.null(object$loglik)) {
    abort_judicious("A published model has coefficients only: neither data, likelihood nor covariance.",
                    "published_model", call = call)
  }
  invisible(object)
}

# A fit to data that are not in memory has no rows, or groups of equal rows.
need_rows <- function(object) {
  if (!identical(object$source, "batches")) return(invisible(object))
  abort_judicious(c("The model was fitted to batches of rows, which it does not keep.",
                    i = "{.fn predict} takes {.arg newdata}; for methods that need the rows, fit to a data frame."),
                  "no_rows", call = NULL)
}

need_single_rows <- function(object, what) {
  need_rows(object)
  if (!identical(object$source, "groups")) return(invisible(object))
  abort_judicious("{what} need single rows; the model was fitted to groups of equal rows with their counts.",
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

#' @rdname pom-methods
#' @export
formula.judicious_pom <- function(x, ...) x$formula

#' @rdname pom-methods
#' @export
terms.judicious_pom <- function(x, ...) x$terms

#' @rdname pom-methods
#' @export
model.frame.judicious_pom <- function(formula, ...) {
  need_rows(check_fitted(formula))
  if (!is.null(formula$model)) return(formula$model)
  if (!is.null(formula$source)) {
    abort_judicious("The model frame of data that are not in memory is not made again: fit with {.code model = TRUE}.",
                    "no_rows")
  }
  env <- environment(formula$terms) %||% parent.frame()
  pom_frame(formula$frame_call %||% formula$call, env)
}

#' @rdname pom-methods
#' @export
model.matrix.judicious_pom <- function(object, ...) {
  if (is.null(object$terms)) return(object$columns)
  model.matrix(object$terms, model.frame(object), object$contrasts)
}

#' @rdname pom-methods
#' @export
print.judicious_pom <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Proportional-odds model: ", formula_text(x$formula), "\n", sep = "")
  print_coefficients(x, digits)
  if (!is.null(x$loglik)) {
    cat("\n", counted(x$n_obs, "observation"), ", ", counted(length(x$levels), "level"),
        ", log likelihood ", format(x$loglik, nsmall = 2), "\n", sep = "")
    cat_trouble(x)
  }
  invisible(x)
}

print_coefficients <- function(x, digits) {
  if (length(x$beta)) {
    cat("\nSlopes:\n")
    print(x$beta, digits = digits)
  }
  cat("\nThresholds, log odds at x = 0:\n")
  print_thresholds(x$alpha, digits)
}

# Prints the first and last thresholds only, because a continuous response has as many thresholds as values.
print_thresholds <- function(alpha, digits, most = 20) {
  if (length(alpha) <= most) return(print(alpha, digits = digits))
  print(c(utils::head(alpha, most / 2)), digits = digits)
  cat("...", format_count(length(alpha) - most), "more ...\n")
  print(c(utils::tail(alpha, most / 2)), digits = digits)
}

#' @rdname pom-methods
#' @export
summary.judicious_pom <- function(object, ...) {
  check_fitted(object)
  table <- coefficient_table(object)
  slopes <- seq_len(nrow(table)) > length(object$alpha)
  structure(c(
    list(slopes = table[slopes, , drop = FALSE], thresholds = table[!slopes, , drop = FALSE],
         loglik = logLik(object), aic = AIC(object), bic = BIC(object),
         n_missing = object$n_missing %||% length(object$na.action)),
    object[c("call", "formula", "levels", "n_obs", "aliased", "convergence", "separation", "separated")],
    expected_error(object)
  ), class = "judicious_pom_summary")
}

coefficient_table <- function(object) {
  estimate <- coef(object)
  table <- cbind(Estimate = estimate, `Std. Error` = standard_errors(object))
  table <- cbind(table, `z value` = table[, 1] / table[, 2])
  cbind(table, `Pr(>|z|)` = 2 * pnorm(-abs(table[, 3])))
}

# RMSE and R2 of the expected response, if the levels are numbers.
expected_error <- function(fit) {
  if (is.null(fit$level_values) || identical(fit$source, "batches")) return(list(rmse = NULL, r_squared = NULL))
  used <- if (is.null(fit$weights)) rep(TRUE, length(fit$y)) else fit$weights > 0
  w <- if (is.null(fit$weights)) rep(1, length(fit$y)) else fit$weights[used]
  observed <- fit$level_values[fit$y[used]]
  expected <- predict_rows(fit, "mean")[used]
  squared <- weighted.mean((observed - expected)^2, w)
  list(rmse = sqrt(squared), r_squared = 1 - squared / weighted.mean((observed - weighted.mean(observed, w))^2, w))
}

#' @rdname pom-methods
#' @export
print.judicious_pom_summary <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Proportional-odds model: ", formula_text(x$formula), "\n", sep = "")
  if (nrow(x$slopes)) {
    cat("\nSlopes:\n")
    printCoefmat(x$slopes, digits = digits, na.print = "aliased")
  }
  cat("\nThresholds, log odds at x = 0:\n")
  print_thresholds_table(x$thresholds[, 1:2, drop = FALSE], digits)
  cat_summary_end(x)
  cat_trouble(x)
  invisible(x)
}

cat_summary_end <- function(x) {
  missing <- if (x$n_missing) paste0(" (", format_count(x$n_missing), " left out: missing values)")
  cat("\n", counted(x$n_obs, "observation"), missing, ", ", counted(length(x$levels), "level"), "\n", sep = "")
  cat("Log likelihood ", format(c(x$loglik), nsmall = 2), " on ", attr(x$loglik, "df"), " df, AIC ",
      format(x$aic, nsmall = 1),
      ", BIC ", format(x$bic, nsmall = 1), "\n", sep = "")
  if (!is.null(x$rmse)) {
    cat("Expected response: RMSE ", format(x$rmse, digits = 4), ", R2 ", format(x$r_squared, digits = 4), "\n",
        sep = "")
  }
  fit <- x$convergence
  condition <- fit$reciprocal_condition  # mixed models have none
  cat(counted(fit$iterations, "iteration"), ", largest gradient ", format(fit$max_gradient, digits = 2),
      if (!is.null(condition)) paste(", condition", format(1 / condition, digits = 2)), "\n", sep = "")
}

print_thresholds_table <- function(table, digits, most = 20) {
  shown <- if (nrow(table) <= most) table else rbind(utils::head(table, most / 2), utils::tail(table, most / 2))
  print(shown, digits = digits)
  if (nrow(table) > most) cat("(the first and last ", most / 2, " of ", format_count(nrow(table)), ")\n", sep = "")
}

# Problems of the fit that every print must show.
cat_trouble <- function(x) {
  if (x$separation != "none") {
    cat("SEPARATED (", x$separation, "): no finite estimate of ", paste(x$separated, collapse = ", "), "\n", sep = "")
  } else if (x$convergence$status != "converged") {
    cat("NOT CONVERGED: ", gsub("_", " ", x$convergence$status), "\n", sep = "")
  }
}

formula_text <- function(formula) {
  if (is.null(formula)) return("columns of a matrix")
  gsub("\\s+", " ", paste(deparse(formula, width.cutoff = 500L), collapse = " "))
}
