#' Measure the fit and discrimination of an ordinal model
#'
#' Computes pseudo R-squared values, rank correlations of the linear predictor with the response, and a likelihood
#' ratio test.
#'
#' @param object A model by [pom()], without random effects.
#' @return A data frame with one row and the columns
#' * `mcfadden`, \eqn{1 - l/l_0}, and `mcfadden_adjusted`, \eqn{1 - (l - p)/l_0}, with \eqn{l} the log
#'   likelihood of the model, \eqn{l_0} that of the model with thresholds and offset only, and \eqn{p} the number of
#'   further coefficients;
#' * `cox_snell`, \eqn{1 - e^{2(l_0 - l)/n}}{1 - exp(2 (l_0 - l) / n)}, and `nagelkerke`, which is
#'   `cox_snell` divided by its maximum \eqn{1 - e^{2 l_0/n}}{1 - exp(2 l_0 / n)};
#' * `r_squared`, `r_squared_adjusted` and `rmse` (root mean squared error) of the expected response, NA if the levels
#'   are not numbers;
#' * `c_index`, the share of pairs of rows with different responses that the linear predictor puts in the right order,
#'   with ties counted as half, `somers_d` \eqn{= 2c - 1}, `gamma` (Goodman and Kruskal) and `tau_a` (Kendall), all
#'   weighted;
#' * `lr`, `df`, `p_value`: the likelihood ratio test against the model with thresholds and offset only.
#' @references Nagelkerke (1991). Biometrika 78, 691-692.
#'
#'   Somers (1962). American Sociological Review 27, 799-811.
#' @examples
#' fit_statistics(pom(gear ~ wt + qsec, data = mtcars))
#' @export
fit_statistics <- function(object) {
  check_class(object, "judicious_pom", "object", "pom")
  check_fitted(object)
  refuse_effects(object, "measures of fit")
  n <- object$n_obs
  p <- attr(logLik(object), "df") - length(object$structure$names %||% object$alpha)
  null <- null_loglik(object)
  lr <- 2 * (object$loglik - null)
  cox_snell <- -expm1(-lr / n)
  expected <- expected_error(object)
  r_squared <- expected$r_squared %||% NA_real_
  # Counts the pairs of rows with different responses, by weight: they are concordant if their linear predictors are in
  # the same order as the responses. Linear predictors are rounded, because those of equal rows may differ by rounding
  # error, which is relative to their spread.
  used <- row_weights(object) > 0
  case_weights <- row_weights(object)[used]
  eta <- in_core_columns(object)$linear_predictor[used]
  eta <- signif(eta - mean(eta) + max(abs(eta - mean(eta))), 12)
  pairs <- pom_concordance_cpp(match(eta, sort(unique(eta))), object$y[used], case_weights)
  pairs$comparable <- pairs$concordant + pairs$discordant + pairs$tied
  pairs$all <- (sum(case_weights)^2 - sum(case_weights)) / 2
  data.frame(mcfadden = 1 - object$loglik / null, mcfadden_adjusted = 1 - (object$loglik - p) / null,
             cox_snell = cox_snell, nagelkerke = cox_snell / -expm1(2 * null / n),
             r_squared = r_squared, r_squared_adjusted = 1 - (1 - r_squared) * (n - 1) / (n - p - 1),
             rmse = expected$rmse %||% NA_real_, c_index = (pairs$concordant + pairs$tied / 2) / pairs$comparable,
             somers_d = (pairs$concordant - pairs$discordant) / pairs$comparable,
             gamma = (pairs$concordant - pairs$discordant) / (pairs$concordant + pairs$discordant),
             tau_a = (pairs$concordant - pairs$discordant) / pairs$all,
             lr = lr, df = p, p_value = pchisq(lr, p, lower.tail = FALSE))
}

# The log likelihood of the model with thresholds and offset only: without slopes, and without effects on thresholds or
# scale.
null_loglik <- function(object) {
  if (is.null(object$offset) && is.null(object$scale_offset) && (object$threshold %||% "flexible") == "flexible") {
    level_weights <- vapply(seq_along(object$levels), function(j) sum(row_weights(object)[object$y %in% j]), 0)
    return(sum(level_weights * log(level_weights / sum(level_weights))))
  }
  # Models of the fast path have neither of these columns.
  object$nominal_columns <- object$nominal_columns[, 1, drop = FALSE]
  object$scale_columns <- object$scale_columns[, 0, drop = FALSE]
  refit_columns(object, matrix(0, length(object$y), 0))$loglik
}
