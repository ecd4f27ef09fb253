# Predictions and methods of models beyond the fast path. Shared methods are in ordinal-methods.R.

#' @export
summary.judicious_pom_general <- function(object, ...) {
  estimates <- coefficient_table(object)
  structure(c(
    list(table = estimates, coef_type = object$coef_type, loglik = logLik(object), aic = AIC(object), bic = BIC(object),
         n_missing = length(object$na.action)),
    object[c("call", "formula", "levels", "n_obs", "aliased", "convergence", "link", "threshold", "separation",
             "separated")],
      expected_error(object)
  ), class = "judicious_pom_general_summary")
}

#' @export
print.judicious_pom_general_summary <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_general_header(x)
  titles <- c(slope = "Slopes", nominal = "Effects on single thresholds", scale = "Log scale",
              link = "Link",
              threshold = paste0("Thresholds (", x$threshold, ")"))
  for (type in names(titles)[names(titles) %in% x$coef_type]) {
    cat("\n", titles[[type]], ":\n", sep = "")
    one <- x$table[x$coef_type == type, , drop = FALSE]
    if (type == "threshold") print(one[, 1:2, drop = FALSE], digits = digits) else
      printCoefmat(one, digits = digits, na.print = "aliased", signif.legend = FALSE)
  }
  cat_summary_end(x)
  cat_trouble(x)
  invisible(x)
}

#' @export
print.judicious_pom_general <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_general_header(x)
  cat("\n")
  print(coef(x), digits = digits)
  cat_size(x)
  invisible(x)
}

cat_general_header <- function(x, model = "Cumulative-link model") {
  cat(model, " (", link_text(x$link), "): ", formula_text(x$formula), "\n", sep = "")
  for (side in c("nominal", "scale")) {
    if (!is.null(x$call[[side]])) cat("  ", side, ": ", paste(deparse(x$call[[side]]), collapse = " "), "\n", sep = "")
  }
}
