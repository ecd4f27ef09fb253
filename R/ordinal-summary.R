# Prints models, and computes summaries: the table of coefficients, and the expected error.

#' @rdname pom-methods
#' @export
print.judicious_pom <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_header(x)
  print_by_type(x, function(index, type) print(coef(x)[index], digits = digits))
  if (!is.null(x$loglik)) cat_observations(x)
  invisible(x)
}

is_general <- function(x) inherits(x, c("judicious_pom_general", "judicious_pom_general_summary"))

cat_header <- function(x) {
  model <- if (is_general(x) || x$link != "logit") paste0("cumulative-link model (", link_text(x$link), ")") else
    "proportional-odds model"
  if (inherits(x, "judicious_pom_mixed")) model <- paste("mixed", model)
  cat(upper_first(model), ": ", formula_text(if (inherits(x, "judicious_pom")) formula(x) else x$formula), "\n",
      sep = "")
  for (side in if (is_general(x)) c("nominal", "scale")) {
    if (!is.null(x$call[[side]])) cat("  ", side, ": ", paste(deparse(x$call[[side]]), collapse = " "), "\n", sep = "")
  }
}

coefficient_titles <- c(slope = "Slopes", nominal = "Effects on single thresholds", scale = "Log scale", link = "Link",
                        threshold = "Thresholds")

# Prints the coefficients of each type under a title, by calling a function with their indices and the type. If there
# are many thresholds, as for a continuous response, only the first and the last are printed.
print_by_type <- function(x, print_one, limit = 20) {
  types <- coefficient_types(x)
  for (type in intersect(names(coefficient_titles), types)) {
    note <- if (type != "threshold") "" else if (is_general(x)) paste0(" (", x$threshold, ")") else
      if (x$link == "logit") ", log odds at x = 0"
    cat("\n", coefficient_titles[[type]], note, ":\n", sep = "")
    index <- which(types == type)
    n <- length(index)
    shown <- if (type == "threshold" && n > limit) index[c(seq_len(limit / 2), seq(n - limit / 2 + 1, n))] else index
    print_one(shown, type)
    if (length(shown) < n) cat("(the first and last ", limit / 2, " of ", format_count(n), ")\n", sep = "")
  }
}

# Describes the number of observations. `rows`: the number of rows of the fit, which is smaller than that of
# observations if weights are counts.
observations_text <- function(x, rows, missing = x$n_missing %||% length(x$na.action)) {
  counts <- if (rows > 0 && rows < x$n_obs) sprintf(" (counts of %s)", counted(rows, "row"))
  left_out <- if (missing) paste0(" (", format_count(missing), " left out: missing values)")
  paste0(counted(x$n_obs, "observation"), counts, left_out, ", ", counted(length(x$levels), "level"))
}

# The last lines of a printed fit.
cat_observations <- function(x, method = "") {
  cat("\n", observations_text(x, length(x$y)), ", log likelihood ", format(x$loglik, nsmall = 2), method, "\n",
      sep = "")
  cat_problems(x)
}

# Prints how the estimates differ from maximum likelihood (bias reduction, ridge penalty), and problems of the fit, so
# that no printed form of a fit hides them.
cat_problems <- function(x) {
  if (identical(x$method, "bias_reduced")) cat("Bias-reduced estimates\n")
  if ((x$control$penalty %||% 0) > 0) cat("Ridge penalty ", format(x$control$penalty), ": effective df\n", sep = "")
  if (x$separation != "none") {
    cat("SEPARATED (", x$separation, "): no finite estimate of ", paste(x$separated, collapse = ", "), "\n", sep = "")
  } else if (x$convergence$status != "converged") {
    cat("NOT CONVERGED: ", gsub("_", " ", x$convergence$status), "\n", sep = "")
  }
}

#' @rdname pom-methods
#' @export
summary.judicious_pom <- function(object, ...) {
  refuse_other_arguments("summary()", ...)
  check_fitted(object)
  estimates <- coefficient_table(object)
  types <- coefficient_types(object)
  structure(c(
    list(coefficients = estimates, slopes = estimates[types == "slope", , drop = FALSE],
         thresholds = estimates[types == "threshold", , drop = FALSE], coef_type = types, formula = formula(object),
         loglik = logLik(object), aic = AIC(object), bic = BIC(object),
         n_missing = object$n_missing %||% length(object$na.action), n_rows = length(object$y)),
    object[c("call", "levels", "n_obs", "aliased", "convergence", "link", "threshold", "separation", "separated",
             "method", "control")], expected_error(object)), class = paste0(class(object), "_summary"))
}

# RMSE and R2 of the expected response, if the levels are numbers.
expected_error <- function(fit) {
  if (is.null(fit$level_values) || identical(fit$source, "batches")) return(list(rmse = NULL, r_squared = NULL))
  used <- row_weights(fit) > 0
  w <- row_weights(fit)[used]
  observed <- fit$level_values[fit$y[used]]
  expected <- predict_rows(fit, "mean")[used]
  squared <- weighted.mean((observed - expected)^2, w)
  list(rmse = sqrt(squared), r_squared = 1 - squared / weighted.mean((observed - weighted.mean(observed, w))^2, w))
}

#' @rdname pom-methods
#' @export
print.judicious_pom_summary <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_header(x)
  # The legend of the stars is printed once, after the last table that has stars.
  starred <- x$coef_type[x$coef_type != "threshold" & x$coefficients[, 4] < 0.1]
  print_by_type(x, function(index, type) {
    one <- x$coefficients[index, , drop = FALSE]
    if (type == "threshold") return(print(one[, 1:2, drop = FALSE], digits = digits))
    last <- identical(type, utils::tail(intersect(names(coefficient_titles), starred), 1))
    printCoefmat(one, digits = digits, na.print = "aliased", signif.legend = last)
  })
  cat("\n", observations_text(x, x$n_rows), "\n", sep = "")
  cat("Log likelihood ", format(c(x$loglik), nsmall = 2), " on ", attr(x$loglik, "df"), " df, AIC ",
      format(x$aic, nsmall = 1), ", BIC ", format(x$bic, nsmall = 1), "\n", sep = "")
  fit_of_means <- c(format(x$rmse, digits = 4), format(x$r_squared, digits = 4))
  if (!is.null(x$rmse)) cat("Expected response: RMSE ", fit_of_means[1], ", R2 ", fit_of_means[2], "\n", sep = "")
  fit <- x$convergence
  condition <- fit$reciprocal_condition  # mixed models have none
  cat(counted(fit$iterations, "iteration"), ", largest gradient ", format(fit$max_gradient, digits = 2),
      if (!is.null(condition)) paste(", condition", format(1 / condition, digits = 2)), "\n", sep = "")
  cat_problems(x)
  invisible(x)
}
