# Summaries of ordinal models: the table of coefficients, the thresholds and the expected error.

#' @rdname pom-methods
#' @export
summary.judicious_pom <- function(object, ...) {
  check_fitted(object)
  result_table <- coefficient_table(object)
  slopes <- seq_len(nrow(result_table)) > length(object$alpha)
  structure(c(
    list(slopes = result_table[slopes, , drop = FALSE], thresholds = result_table[!slopes, , drop = FALSE],
         loglik = logLik(object), aic = AIC(object), bic = BIC(object),
         n_missing = object$n_missing %||% length(object$na.action)),
    object[c("call", "formula", "levels", "n_obs", "aliased", "convergence", "separation", "separated")],
    expected_error(object)
  ), class = "judicious_pom_summary")
}

coefficient_table <- function(object) {
  estimate <- coef(object)
  result_table <- cbind(Estimate = estimate, `Std. Error` = standard_errors(object))
  result_table <- cbind(result_table, `z value` = result_table[, 1] / result_table[, 2])
  cbind(result_table, `Pr(>|z|)` = 2 * pnorm(-abs(result_table[, 3])))
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
  left_out <- if (x$n_missing) paste0(" (", format_count(x$n_missing), " left out: missing values)")
  cat("\n", counted(x$n_obs, "observation"), left_out, ", ", counted(length(x$levels), "level"), "\n", sep = "")
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
