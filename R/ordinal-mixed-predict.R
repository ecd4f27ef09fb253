#' Predict from a mixed ordinal model
#'
#' Predicts as [predict.judicious_pom()], with the random effects of the groups, without them, or averaged over their
#' distribution.
#'
#' @inheritParams predict.judicious_pom
#' @param object A model by [pom()] with random terms.
#' @param newdata A data frame with the variables of the model, including those of the random terms unless
#'   `effects = "none"`; by default, the rows of the fit. The prediction for a row with a missing value is NA.
#' @param type What to predict, as in [predict.judicious_pom()]. `"terms"` are those of the fixed effects.
#' @param effects How to treat the random effects:
#' * `"conditional"`: at their modes given the data; those of new groups are 0.
#' * `"none"`: all are 0, as in a typical group.
#' * `"marginal"`: the probabilities are averaged over the distribution of the effects, by Gauss-Hermite quadrature with
#' 31 nodes: for groups in the data, a normal approximation of the posterior about the modes; for new groups, the prior.
#' `type = "link"` is as for `"conditional"`.
#' @section Standard errors: They include the uncertainty of thresholds and slopes; with `effects = "conditional"`, also
#'   that of the effects given the data, for known standard deviations.
#' @return As [predict.judicious_pom()].
#' @seealso [posterior_covariance()] for the joint uncertainty of several rows.
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' new <- data.frame(carb = c(1, 2, 5), wt = 3)
#' predict(fit, new)
#' predict(fit, new, type = "mean", effects = "marginal")
#' @export
predict.judicious_pom_mixed <- function(object, newdata, type = predict_types, na.action = na.pass,
                                        effects = c("conditional", "none", "marginal"),
                                        se.fit = FALSE, interval = c("none", "confidence"), level = 0.95, ...) {
  refuse_other_arguments("predict()", ...)
  effects <- check_choice(effects, c("conditional", "none", "marginal"), "effects")
  predicted(object, if (!missing(newdata)) newdata, type, na.action, effects, se.fit, interval, level)
}

#' Simulate responses from a mixed proportional-odds model
#'
#' Draws responses for the rows of the fit, with the effects of new groups or with those of the groups in the data.
#'
#' @param object A model by [pom()] with random terms.
#' @param nsim Number of responses to draw for every row.
#' @param seed Seed of the draws; NULL uses R's random number generator.
#' @param effects `"new"`: every simulation draws the effects from their normal distribution; `"conditional"`: they are
#'   at their modes given the data.
#' @param ... Not used.
#' @return As [simulate.judicious_pom()].
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' head(simulate(fit, 2, seed = 1))
#' @export
simulate.judicious_pom_mixed <- function(object, nsim = 1, seed = NULL, effects = c("new", "conditional"), ...) {
  refuse_other_arguments("simulate()", ...)
  check_count(nsim, "nsim")
  effects <- check_choice(effects, c("new", "conditional"), "effects")
  rows <- effect_rows(object, NULL)
  simulated_responses(object, nsim, seed, function() {
    eta <- object$linear_predictor
    if (effects == "new") {
      object$mode <- rnorm(length(object$mode))
      eta <- object$fixed_predictor + effect_predictor(object, rows)
    }
    from_linear_predictor(object, eta, "cumulative")
  })
}

#' Compute the joint posterior covariance of linear predictors
#'
#' Computes the covariance of the linear predictors of any rows of a mixed model, given the data. Use it for the joint
#' uncertainty of several rows, such as that of a mean. Rows of the same new group share its effect, which has its
#' prior variance.
#'
#' @param object A model by [pom()] with random terms.
#' @param newdata A data frame with the variables of the model; by default, the rows to which the model was fitted.
#' @param fixed TRUE includes the uncertainty of thresholds and slopes, and that of the modes that follows from it.
#'   FALSE treats thresholds, slopes and standard deviations as known.
#' @param diagonal TRUE returns only the variances, as a vector.
#' @return A matrix with one row and one column per row of `newdata`, or a vector with one element per row. It is NA for
#'   rows with missing values.
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' posterior_covariance(fit, data.frame(carb = c(1, 1, 5, 5), wt = 3))
#' @export
posterior_covariance <- function(object, newdata = NULL, fixed = FALSE, diagonal = FALSE) {
  check_class(object, "judicious_pom_mixed", "object", "pom")
  check_flag(fixed, "fixed")
  check_flag(diagonal, "diagonal")
  rows <- effect_rows(object, newdata)
  is_missing <- rows$missing
  out <- mixed_covariance_cpp(object$effect_design, object$loadings, object$curvature, rows$design, diagonal)
  extra <- rows$extra
  if (diagonal) out <- effect_variance(object, rows) else if (length(extra$row)) {
    # Groups that are not in the fit have the covariance of the prior.
    key <- match(extra$key, unique(extra$key))
    value <- extra$value * object$loadings[extra$term]
    out <- out + tcrossprod(matrix(sum_by_code(value, (key - 1) * rows$n + extra$row, rows$n * max(key)), rows$n))
  }
  if (fixed) {
    x <- if (is.null(newdata)) object$columns else prediction_rows(object, newdata, na.pass)$columns
    half <- effect_sensitivity(object, rows, x)
    is_missing <- is_missing | is.na(rowSums(half))
    covariance <- object$covariance
    out <- out + if (diagonal) rowSums((half %*% covariance) * half) else half %*% covariance %*% t(half)
  }
  if (diagonal) return(replace(out, is_missing, NA))
  out[is_missing, ] <- out[, is_missing] <- NA
  out
}
