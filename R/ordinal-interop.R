# What other packages ask of a model. Registered when they are loaded; none of them is needed.

#' @exportS3Method emmeans::recover_data
recover_data.judicious_pom <- function(object, ...) {
  emmeans::recover_data(object$call, delete.response(object$frame_terms %||% terms(object)), object$na.action,
                        frame = object$model, ...)
}

#' @exportS3Method emmeans::emm_basis
emm_basis.judicious_pom <- function(object, trms, xlev, grid, mode = c("latent", "mean"), ...) {
  mode <- check_choice(mode, c("latent", "mean"), "mode")
  if (mode == "mean" && is.null(object$level_values)) {
    abort_judicious("The response's levels are not numbers: {.code mode = \"mean\"} has no meaning.", "argument",
                    argument = "mode")
  }
  frame <- model.frame(trms, grid, na.action = na.pass, xlev = xlev)
  x <- model.matrix(trms, frame, contrasts.arg = object$contrasts)
  kept <- names(object$beta)[!is.na(object$beta)]
  covariance <- observed_covariance(object)
  general <- inherits(object, "judicious_pom_general")
  if (mode == "latent" && general) {
    if (ncol(object$nominal_columns) > 1 || ncol(object$scale_columns)) {
      abort_judicious("With effects on single thresholds or the scale there is no one latent mean: use
        {.code mode = \"mean\"}.",
                      "argument", argument = "mode")
    }
    thresholds <- -colMeans(object$structure$matrix) * object$structure$sign
    basis <- cbind(matrix(thresholds, nrow(x), length(thresholds), byrow = TRUE), x[, kept, drop = FALSE])
    estimate <- object$parameters
    misc <- list()
  } else if (mode == "latent") {
    # The latent variable's mean: the average threshold is the origin, as for the other packages' ordinal models.
    n_alpha <- length(object$alpha)
    basis <- cbind(matrix(1 / n_alpha, nrow(x), n_alpha), x[, kept, drop = FALSE])
    estimate <- coef(object, complete = FALSE)
    misc <- list()
  } else {
    average <- function(fit) {
      if (general) return(predict(fit, grid, type = "mean"))
      from_linear_predictor(fit, linear_predictor(x, fit$beta), "mean")
    }
    # The mean is not linear in the coefficients: its first-order expansion at the estimate.
    basis <- coefficient_jacobian(object, average)
    value <- average(object)
    basis <- cbind(basis, value - basis %*% coef(object, complete = FALSE))
    estimate <- c(coef(object, complete = FALSE), 1)
    covariance <- rbind(cbind(covariance, 0), 0)
    misc <- list(estName = "mean")
  }
  dimnames(basis) <- NULL
  list(X = basis, bhat = unname(estimate), nbasis = matrix(NA), V = unname(covariance), dffun = function(k, dfargs) Inf,
       dfargs = list(), misc = misc)
}

#' @exportS3Method marginaleffects::get_coef
get_coef.judicious_pom <- function(model, ...) coef(model, complete = FALSE)

#' @exportS3Method marginaleffects::set_coef
set_coef.judicious_pom <- function(model, coefs, ...) {
  for (name in names(coefs)) model <- with_coefficient(model, name, coefs[[name]])
  model
}

#' @exportS3Method marginaleffects::get_vcov
get_vcov.judicious_pom <- function(model, ...) observed_covariance(model)

#' @exportS3Method marginaleffects::get_predict
get_predict.judicious_pom <- function(model, newdata, type = "prob", ...) {
  predicted <- as.matrix(predict(model, newdata, type = type))
  data.frame(
    rowid = rep(seq_len(nrow(predicted)), ncol(predicted)),
    group = rep(colnames(predicted) %||% "main_marginaleffect", each = nrow(predicted)),
    estimate = as.vector(predicted), stringsAsFactors = FALSE
  )
}

#' @exportS3Method insight::model_info
model_info.judicious_pom <- function(x, ...) {
  kinds <- c("binomial", "bernoulli", "count", "poisson", "negbin", "beta", "betabinomial", "dirichlet", "exponential",
             "logit", "probit", "censored", "truncated", "survival", "linear", "tweedie", "zeroinf", "zero_inflated",
             "dispersion", "hurdle", "ordinal", "cumulative", "multinomial", "categorical", "mixed", "multivariate",
             "trial", "bayesian", "gam", "anova", "timeseries", "ttest", "correlation", "onewaytest", "chi2test",
             "ranktest", "levenetest", "variancetest", "xtab", "proptest", "binomtest", "ftest", "meta")
  info <- as.list(kinds %in% c("binomial", "ordinal", "cumulative", x$link,
                              if (inherits(x, "judicious_pom_mixed")) "mixed"))
  names(info) <- paste0("is_", kinds)
  c(info, link_function = x$link, family = "cumulative", n_obs = nobs(x))
}

#' @exportS3Method insight::get_statistic
get_statistic.judicious_pom <- function(x, ...) {
  table <- data.frame(Parameter = names(coef(x)), Statistic = unname(coef(x) / sqrt(diag(vcov(x)))))
  structure(table, statistic = "z-statistic")
}

#' @exportS3Method performance::r2
r2.judicious_pom <- function(model, ...) {
  structure(list(R2_Nagelkerke = c(`Nagelkerke's R2` = fit_measures(model)$nagelkerke)), class = "r2_nagelkerke")
}

#' @exportS3Method performance::model_performance
model_performance.judicious_pom <- function(model, ...) {
  measures <- fit_measures(model)
  result <- data.frame(AIC = AIC(model), BIC = BIC(model), R2_Nagelkerke = measures$nagelkerke, RMSE = measures$rmse)
  structure(result, class = c("performance_model", "data.frame"))
}
