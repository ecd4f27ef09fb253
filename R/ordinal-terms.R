# Tests and diagnostics of whole terms, as methods for generics of other packages. The default methods would assume that
# the first coefficients belong to the model matrix, but coef() begins with the thresholds.

#' Test terms and diagnose collinearity with other packages
#'
#' `car::Anova()` tests each term of a model by [pom()]; `car::vif()` and `performance::check_collinearity()` compute
#' variance inflation factors. `multcomp::glht()` also works on these models.
#'
#' @param mod,x A model by [pom()].
#' @param type `"II"` (or 2): each term given all terms except those that contain it. `"III"` (or 3): given all others;
#'   depends on the contrasts.
#' @param test.statistic `"LR"` (likelihood ratio) or `"Wald"`. The default is `"LR"`; with `vcov.`, random effects,
#'   bias reduction or a penalty, `"Wald"`.
#' @param vcov. For Wald tests: the covariance of all coefficients, or a function of the model that returns it. NULL
#'   uses [vcov()].
#' @param ci Confidence level of the intervals of the factors.
#' @param component,verbose Not used.
#' @param ... Not used.
#' @return `Anova()`: a data frame of class `anova` with one row per term. `vif()`: variance inflation factors, one per
#'   term; if a term has several slopes, a matrix of generalised factors. `check_collinearity()`: a data frame of
#'   factors and their intervals, of the class that package performance prints. `vif()` and `check_collinearity()`
#'   require at least two terms.
#' @name pom-terms
#' @examples
#' fit <- pom(Sat ~ Infl + Type + Cont, data = MASS::housing, weights = Freq)
#' if (requireNamespace("performance", quietly = TRUE)) performance::check_collinearity(fit)
NULL

#' @rdname pom-terms
#' @exportS3Method car::Anova
Anova.judicious_pom <- function(mod, type = c("II", "III", 2, 3), test.statistic = c("LR", "Wald"), vcov. = NULL, ...) {
  refuse_other_arguments("Anova()", ...)
  type <- check_choice(as.character(type)[1], c("II", "III", "2", "3"), "type")
  type <- c(II = "II", III = "III", `2` = "II", `3` = "III")[[type]]
  has_ratio <- has_likelihood_ratio(mod)
  if (missing(test.statistic)) test.statistic <- if (has_ratio && is.null(vcov.)) "LR" else "Wald"
  test.statistic <- check_choice(test.statistic, c("LR", "Wald"), "test.statistic")
  check_that(test.statistic != "LR" || has_ratio, "test.statistic", "Likelihood ratio tests of terms are for
    maximum-likelihood fits without random effects: use {.code test.statistic = \"Wald\"}.")
  check_that(test.statistic == "Wald" || is.null(vcov.), "vcov.", "is for {.code test.statistic = \"Wald\"}.")
  tests <- if (test.statistic == "LR") ratio_tests(mod, type) else wald_tests(mod, type, vcov.)
  result_table <- data.frame(statistic = tests$statistic, df = tests$df,
                      p = pchisq(tests$statistic, tests$df, lower.tail = FALSE), row.names = tests$term)
  names(result_table) <- c(if (test.statistic == "LR") "LR Chisq" else "Chisq", "Df", "Pr(>Chisq)")
  tests <- if (test.statistic == "LR") "tests" else "Wald tests"
  heading <- c(paste0("Analysis of Deviance Table (Type ", type, " ", tests, ")\n"),
               paste("Response:", deparse1(formula(mod)[[2]])))
  structure(result_table, heading = heading, class = c("anova", "data.frame"))
}

has_likelihood_ratio <- function(object) !inherits(object, "judicious_pom_mixed") && maximises_likelihood(object)

# For each term, the indices of the terms that contain all its variables and others.
containing_terms <- function(terms) {
  factors <- attr(terms, "factors") > 0
  lapply(seq_along(attr(terms, "term.labels")), function(term) {
    variables <- factors[, term]
    which(colSums(factors[variables, , drop = FALSE]) == sum(variables) & colSums(factors) > sum(variables))
  })
}

# The names of the slopes of each term: the columns of the model matrix that have an estimate.
slopes_by_term <- function(object) {
  x <- model.matrix(object)
  term <- attr(x, "assign")
  has_estimate <- colnames(x) %in% estimated_slopes(object)
  lapply(seq_along(attr(terms(object), "term.labels")), function(k) colnames(x)[has_estimate & term == k])
}

# Tests for each term whether its slopes are zero. In type II tests, the model has no terms that contain the term; in
# type III tests, it has all other terms. `fall`: a function that returns the statistic (likelihood ratio or Wald) of
# the hypothesis that the slopes with these names are zero.
term_tests <- function(object, type, fall) {
  slopes <- slopes_by_term(object)
  containing <- if (type == "II") containing_terms(terms(object)) else rep(list(integer()), length(slopes))
  statistic <- vapply(seq_along(slopes), function(k) {
    fall(unlist(slopes[c(k, containing[[k]])])) - fall(unlist(slopes[containing[[k]]]))
  }, 0)
  list(term = attr(terms(object), "term.labels"), statistic = statistic, df = lengths(slopes))
}

ratio_tests <- function(object, type) {
  check_fitted(object)
  x <- kept_columns(object)
  term_tests(object, type, function(dropped) {
    if (!length(dropped)) return(0)
    2 * (object$loglik - refit_columns(object, x[, !colnames(x) %in% dropped, drop = FALSE])$loglik)
  })
}

wald_tests <- function(object, type, covariance) {
  covariance <- user_covariance(object, covariance)
  estimate <- coef(object, complete = FALSE)
  term_tests(object, type, function(dropped) wald_statistic(estimate, covariance, dropped))
}

#' @rdname pom-terms
#' @exportS3Method car::vif
vif.judicious_pom <- function(mod, ...) {
  refuse_other_arguments("vif()", ...)
  check_fitted(mod)
  slopes <- slopes_by_term(mod)
  slopes <- structure(slopes, names = attr(terms(mod), "term.labels"))[lengths(slopes) > 0]
  check_that(length(slopes) >= 2, "mod", "Variance inflation needs two terms or more; the model has {length(slopes)}.")
  estimated <- estimated_slopes(mod)
  correlation <- stats::cov2cor(vcov(mod, complete = FALSE)[estimated, estimated, drop = FALSE])
  inflation <- vapply(slopes, function(term_slopes) {
    inside <- colnames(correlation) %in% term_slopes
    det(correlation[inside, inside, drop = FALSE]) * det(correlation[!inside, !inside, drop = FALSE]) / det(correlation)
  }, 0)
  if (all(lengths(slopes) == 1)) return(inflation)
  cbind(GVIF = inflation, Df = lengths(slopes), `GVIF^(1/(2*Df))` = inflation^(1 / (2 * lengths(slopes))))
}

# Limits of the share of a term's variance that the columns of the `others` explain in n rows, from the noncentral F
# distribution, as in new versions of the package performance; their former approximation was wrong.
share_limits <- function(share, others, n, ci) {
  rest <- n - others - 1
  if (rest < 1) return(c(NA_real_, NA_real_))
  ratio <- (share / others) / ((1 - share) / rest)
  noncentrality <- vapply((1 + c(ci, -ci)) / 2, function(probability) {
    excess <- function(ncp) stats::pf(ratio, others, rest, ncp) - probability
    if (excess(0) <= 0) 0 else stats::uniroot(excess, c(0, 10), extendInt = "downX", tol = 1e-10)$root
  }, 0)
  noncentrality / (n + noncentrality)
}

#' @rdname pom-terms
#' @exportS3Method performance::check_collinearity
check_collinearity.judicious_pom <- function(x, component = "conditional", ci = 0.95, verbose = TRUE, ...) {
  inflation <- vif.judicious_pom(x)
  size <- if (is.matrix(inflation)) inflation[, "Df"] else rep(1, length(inflation))
  if (is.matrix(inflation)) inflation <- inflation[, "GVIF"]
  limits <- t(mapply(share_limits, 1 - 1 / inflation, sum(size) - size, MoreArgs = list(n = nobs(x), ci = ci)))
  result_table <- data.frame(Term = names(inflation), VIF = unname(inflation), VIF_CI_low = 1 / (1 - limits[, 1]),
                      VIF_CI_high = 1 / (1 - limits[, 2]), SE_factor = unname(inflation^(1 / (2 * size))),
                      Tolerance = 1 / unname(inflation), Tolerance_CI_low = 1 - limits[, 2],
                      Tolerance_CI_high = 1 - limits[, 1], stringsAsFactors = FALSE, row.names = NULL)
  structure(result_table, ci = ci, data = result_table[c("Term", "VIF", "SE_factor")],
            CI = result_table[c("VIF_CI_low", "VIF_CI_high", "Tolerance_CI_low", "Tolerance_CI_high")],
            class = c("check_collinearity", "see_check_collinearity", "data.frame"))
}

# glht() multiplies contrasts with the columns of the model matrix, so the first threshold is used as the intercept.
#' @exportS3Method multcomp::modelparm
modelparm.judicious_pom <- function(model, coef. = NULL, vcov. = NULL, df = NULL, ...) {
  covariance <- user_covariance(model, vcov.)
  estimate <- c(coef(model)[1], model$beta)
  estimated <- names(estimate)[!is.na(estimate)]
  structure(list(coef = estimate[estimated], vcov = covariance[estimated, estimated, drop = FALSE], df = df %||% 0,
                 estimable = unname(!is.na(estimate))), class = "modelparm")
}
