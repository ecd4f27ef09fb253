#' Compare ordinal models by tests
#'
#' With one model, tests its terms sequentially: each term is added to the terms before it. With several nested models,
#' tests each against the next smaller one.
#'
#' The three tests are equivalent in large samples. The likelihood ratio test compares the two fits. The Wald test
#' tests whether the additional coefficients of the larger fit are zero. The score test uses the gradient of the larger
#' model's likelihood at the smaller fit and the expected information, so the larger model need not be fitted.
#'
#' @param object,... One or several `judicious_pom`, fitted to the same responses and weights; otherwise, there is an
#'   error.
#' @param test The test: `"LR"` (likelihood ratio), `"Wald"` or `"score"`. The score test requires the logit link with
#'   flexible thresholds and neither nominal nor scale effects.
#' @return A data frame of class `anova` with one row per model or term: the number of parameters, the log likelihood,
#'   AIC, and the test's statistic, degrees of freedom and p-value.
#' @seealso [drop1()], [add1()] and [step()] also work on these models.
#' @examples
#' small <- pom(gear ~ wt, data = mtcars)
#' large <- pom(gear ~ wt + qsec, data = mtcars)
#' anova(small, large)
#' anova(large, test = "Wald")
#' @export
anova.judicious_pom <- function(object, ..., test = c("LR", "Wald", "score")) {
  test <- check_choice(test, c("LR", "Wald", "score"), "test")
  several <- ...length() > 0
  fits <- if (several) list(object, ...) else sequence_of_fits(object)
  check_comparable(fits, by_level = test != "score")
  if (test != "LR") for (fit in fits) refuse_effects(fit, "Wald and score tests")
  if (several) fits <- fits[order(vapply(fits, function(fit) attr(logLik(fit), "df"), 0))]
  titles <- if (several) model_labels(fits) else
    c("thresholds only", sprintf("+ %s", attr(terms(object), "term.labels")))
  anova_table(fits, titles, test, if (several) paste0("Proportional-odds models", boundary_note(fits)) else
    paste0("Terms of ", formula_text(formula(object)), ", added in order"))
}

# The formulas of the models, and of models with the same formula the other arguments in which they differ.
model_labels <- function(fits) {
  keep <- c("link", "nominal", "scale", "threshold", "link_parameter", "method", "penalty", "nAGQ", "sd")
  titles <- vapply(fits, function(fit) formula_text(formula(fit)), "")
  settings <- lapply(fits, function(fit) {
    given <- vapply(Filter(Negate(is.null), as.list(fit$call)[keep]), deparse1, "")
    sprintf("%s = %s", names(given), given)
  })
  vapply(seq_along(fits), function(k) {
    paste(c(titles[k], setdiff(settings[[k]], Reduce(intersect, settings[titles == titles[k]]))), collapse = ", ")
  }, "")
}

# The p-values of tests of random terms are too large.
boundary_note <- function(fits) {
  if (length(unique(vapply(fits, function(fit) length(fit$sd), 0L))) > 1) paste0(
    "\nA variance of 0 is on the boundary: p-values of tests of random terms are too large.",
    "\nFor one variance, halve them if Chisq > 0, or use test = \"bootstrap\".")
}

anova_table <- function(fits, labels, test, heading) {
  loglik <- vapply(fits, function(fit) as.numeric(logLik(fit)), 0)
  degrees <- vapply(fits, function(fit) attr(logLik(fit), "df"), 0)
  statistic <- vapply(seq_along(fits)[-1], function(i) {
    large <- fits[[i]]
    # Of the hypothesis that the coefficients that only the larger fit has are zero.
    extra <- setdiff(names(coef(large, complete = FALSE)), names(coef(fits[[i - 1]], complete = FALSE)))
    switch(test, LR = 2 * (loglik[i] - loglik[i - 1]), Wald = wald_form(coef(large), vcov(large), extra),
           score = score_statistic(large, fits[[i - 1]]))
  }, 0)
  name <- c(LR = "Likelihood ratio", Wald = "Wald", score = "Score")[[test]]
  likelihood_table(loglik, degrees, statistic, diff(degrees), make.unique(labels),
                   paste0(heading, "\n", name, " tests\n"), Parameters = degrees)
}

# Log likelihoods, and the test of each row but the first by `statistic` with `change` degrees of freedom.
likelihood_table <- function(loglik, degrees, statistic, change, labels, heading, ...) {
  p_value <- ifelse(change > 0, pchisq(statistic, change, lower.tail = FALSE), NA)
  result_table <- data.frame(..., `Log likelihood` = loglik, AIC = 2 * (degrees - loglik), Chisq = c(NA, statistic),
                             Df = c(NA, change), `Pr(>Chisq)` = c(NA, p_value), check.names = FALSE, row.names = labels)
  structure(result_table, heading = heading, class = c("anova", "data.frame"))
}

# Models are comparable only if they have the same rows, response and weights. Data that are not in memory are grouped
# differently for each formula; there, the weights `by_level` are compared.
check_comparable <- function(fits, by_level = FALSE, call = caller_env()) {
  for (fit in fits) {
    check_class(fit, "judicious_pom", "...", "pom", call)
    check_fitted(fit, call)
  }
  sources <- by_level && !any(vapply(fits, function(fit) is.null(fit$response_weight), NA))
  same <- vapply(fits[-1], function(fit) {
    if (sources) return(isTRUE(all.equal(fit$response_weight, fits[[1]]$response_weight)))
    identical(unname(fit$y), unname(fits[[1]]$y)) && identical(fit$levels, fits[[1]]$levels) &&
      isTRUE(all.equal(fit$weights, fits[[1]]$weights))
  }, TRUE)
  abort_unless(all(same), c(
    "The models are not fitted to the same responses: {.val {formula_text(formula(fits[[which(!same)[1] + 1]]))}}
      differs from the first.",
    i = "Missing values of a predictor drop rows: fit all models to the complete rows."
  ), "not_comparable", call = call)
}

# Fits with no term, the first term, the first two terms, ..., up to the model itself.
sequence_of_fits <- function(object) {
  x <- model.matrix(object)
  term <- attr(x, "assign")
  fits <- lapply(seq_len(max(term, 0)) - 1, function(last) refit_columns(object, x[, term <= last, drop = FALSE]))
  c(fits, list(object))
}

# Fits the same response, weights and offset with other columns. The result has no formula and is for comparisons only.
refit_columns <- function(object, x, offset = object$offset, control = object$control) {
  if (inherits(object, "judicious_pom_mixed")) return(refit_mixed(object, x, offset, control))
  if (inherits(object, "judicious_pom_general")) return(refit_general(object, x, offset, control))
  fit <- fit_columns(x, object$y, length(object$levels), object$weights, offset, control = control, link = object$link)
  response <- list(codes = object$y, levels = object$levels, values = object$level_values)
  new_matrix_fit(fit, x, response, object$weights, offset, control)
}

wald_form <- function(estimate, covariance, names) {
  if (!length(names)) return(0)
  drop(estimate[names] %*% solve(covariance[names, names, drop = FALSE], estimate[names]))
}

# Score statistic, from the gradient of the larger model's likelihood at the maximum of the smaller one.
score_statistic <- function(large, small) {
  need_plain(large, "the score test")
  x <- scale(kept_columns(large), scale = FALSE)
  theta <- -unname(small$alpha)
  case_weights <- row_weights(small)
  score <- cumulative_link_pass_cpp(flexible_rows(theta, small$linear_predictor, small$y, x, case_weights, small$link),
                                    c(theta, numeric(ncol(x))))$gradient
  information <- expected_information_at(theta, small$linear_predictor, x, case_weights, small$link)
  drop(score %*% solve(information, score))
}

#' @export
drop1.judicious_pom <- function(object, scope, ...) {
  # step() updates the model itself, to all rows that are then complete: there, their number must not differ.
  if (!is.null(object$na.action) && !identical(sys.function(sys.parent()), stats::step)) {
    object$call$subset <- if (is.null(object$call$subset)) -as.integer(object$na.action) else
      rownames(model.frame(object))
  }
  on_same_rows(utils::getS3method("drop1", "default")(object, scope, ...))
}

#' @export
add1.judicious_pom <- function(object, scope, ...) {
  on_same_rows(utils::getS3method("add1", "default")(object, scope, ...))
}

# R's own error does not say what to do.
on_same_rows <- function(result, call = caller_env()) {
  base_error <- gettext("number of rows in use has changed: remove missing values?", domain = "R-stats")
  withCallingHandlers(result, simpleError = function(cnd) {
    abort_unless(conditionMessage(cnd) != base_error, c(
      "The models with and without the term have different rows, because of missing values.",
      i = "Fit the model to the rows that are complete in all variables of the search."
    ), "not_comparable", call = call)
  })
}

#' @export
extractAIC.judicious_pom <- function(fit, scale = 0, k = 2, ...) {
  loglik <- logLik(fit)
  c(attr(loglik, "df"), -2 * as.numeric(loglik) + k * attr(loglik, "df"))
}

#' @export
deviance.judicious_pom <- function(object, ...) -2 * as.numeric(logLik(object))

#' @export
df.residual.judicious_pom <- function(object, ...) object$df_residual
