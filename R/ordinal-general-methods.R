# Predictions and methods of models beyond the fast path. Shared methods are in ordinal-methods.R.

#' @export
summary.judicious_pom_general <- function(object, ...) {
  check_no_more("summary()", ...)
  estimates <- coefficient_table(object)
  structure(c(
    list(coefficients = estimates, coef_type = object$coef_type, loglik = logLik(object), aic = AIC(object),
         bic = BIC(object), n_missing = length(object$na.action)),
    object[c("call", "formula", "levels", "n_obs", "aliased", "convergence", "link", "threshold", "separation",
             "separated", "method", "control")],
      expected_error(object)
  ), class = "judicious_pom_general_summary")
}

#' @export
print.judicious_pom_general_summary <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_general_header(x)
  # The last table with stars explains them.
  starred <- x$coef_type[x$coef_type != "threshold" & x$coefficients[, 4] < 0.1]
  print_by_type(x, function(at, type) {
    one <- x$coefficients[at, , drop = FALSE]
    if (type == "threshold") return(print(one[, 1:2, drop = FALSE], digits = digits))
    last <- identical(type, utils::tail(intersect(names(coefficient_titles), starred), 1))
    printCoefmat(one, digits = digits, na.print = "aliased", signif.legend = last)
  })
  cat_summary_end(x)
  cat_trouble(x)
  invisible(x)
}

#' @export
print.judicious_pom_general <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_general_header(x)
  print_by_type(x, function(at, type) print(coef(x)[at], digits = digits))
  cat_size(x)
  invisible(x)
}

coefficient_titles <- c(slope = "Slopes", nominal = "Effects on single thresholds", scale = "Log scale", link = "Link",
                        threshold = "Thresholds")

# Prints the coefficients of each type, by a function of their indices and the type, under its title.
print_by_type <- function(x, print_one) {
  for (type in intersect(names(coefficient_titles), x$coef_type)) {
    cat("\n", coefficient_titles[[type]], if (type == "threshold") paste0(" (", x$threshold, ")"), ":\n", sep = "")
    print_one(which(x$coef_type == type), type)
  }
}

cat_general_header <- function(x, model = "Cumulative-link model") {
  cat(model, " (", link_text(x$link), "): ", formula_text(formula(x)), "\n", sep = "")
  for (side in c("nominal", "scale")) {
    if (!is.null(x$call[[side]])) cat("  ", side, ": ", paste(deparse(x$call[[side]]), collapse = " "), "\n", sep = "")
  }
}
