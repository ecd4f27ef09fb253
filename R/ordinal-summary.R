# Summaries of ordinal models: the table of coefficients, the thresholds and the expected error.

#' @rdname pom-methods
#' @export
summary.judicious_pom <- function(object, ...) {
  check_no_more("summary()", ...)
  check_fitted(object)
  result_table <- coefficient_table(object)
  slopes <- seq_len(nrow(result_table)) > length(object$alpha)
  structure(c(
    list(coefficients = result_table, slopes = result_table[slopes, , drop = FALSE],
         thresholds = result_table[!slopes, , drop = FALSE],
         loglik = logLik(object), aic = AIC(object), bic = BIC(object),
         n_missing = object$n_missing %||% length(object$na.action)),
    object[c("call", "formula", "levels", "n_obs", "aliased", "convergence", "link", "separation",
             "separated", "method", "control")],
    expected_error(object)
  ), class = "judicious_pom_summary")
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
  cat_model_title(x)
  if (nrow(x$slopes)) {
    cat("\nSlopes:\n")
    printCoefmat(x$slopes, digits = digits, na.print = "aliased")
  }
  print_thresholds(x$thresholds[, 1:2, drop = FALSE], x$link, digits)
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
