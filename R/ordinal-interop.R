# Methods for generics of other packages, which are registered when these packages are loaded. None of the packages is
# required.

#' @exportS3Method emmeans::recover_data
recover_data.judicious_pom <- function(object, ...) {
  emmeans::recover_data(object$call, delete.response(object$frame_terms %||% terms(object)), object$na.action,
                        frame = object$model, ...)
}

# The modes of emmeans for ordinal models, and `mean`, for responses whose levels are numbers.
emmeans_modes <- c("latent", "linear.predictor", "cum.prob", "exc.prob", "prob", "mean.class", "mean")

#' @exportS3Method emmeans::emm_basis
emm_basis.judicious_pom <- function(object, trms, xlev, grid, mode = emmeans_modes, vcov. = NULL, ...) {
  mode <- check_choice(mode, emmeans_modes, "mode")
  check_numeric_levels(object, mode == "mean", "mode", "Use {.code mode = \"mean.class\"} or {.code \"prob\"}.")
  at_core <- in_core_columns(object, rows = FALSE)
  basis <- if (mode == "latent") latent_basis(at_core, trms, xlev, grid) else linearised_basis(at_core, grid, mode)
  dimnames(basis$x) <- NULL
  covariance <- unname(covariance_at_core(object, vcov.))
  # linearised_basis() adds a column for constants, whose coefficient is 1 and has no variance.
  if (ncol(basis$x) > ncol(covariance)) covariance <- rbind(cbind(covariance, 0), 0)
  # Linear combinations that the data of the fit do not determine have the coefficient NA, so that emmeans shows them as
  # not estimable.
  residual <- if (length(object$aliased)) unexplained_columns(object, prediction_rows(object, grid, na.pass))
  n <- ncol(basis$x)
  nbasis <- if (is.null(residual)) matrix(NA) else diag(n + ncol(residual))[, -seq_len(n), drop = FALSE]
  if (!is.null(residual)) {
    basis$x <- cbind(basis$x, unname(residual[rep_len(seq_len(nrow(residual)), nrow(basis$x)), , drop = FALSE]))
    basis$estimate <- c(basis$estimate, rep(NA, ncol(residual)))
  }
  list(X = basis$x, bhat = unname(basis$estimate), nbasis = nbasis, V = covariance,
       dffun = function(k, dfargs) Inf, dfargs = list(), misc = basis$misc)
}

# The mean of the latent variable. The average threshold is the origin, as for the ordinal models of other packages.
latent_basis <- function(object, trms, xlev, grid) {
  x <- design_matrix(trms, model.frame(trms, grid, na.action = na.pass, xlev = xlev), object$contrasts)
  x <- in_basis(x[, estimated_slopes(object), drop = FALSE], object$basis$location)
  thresholds <- rep(1 / length(object$alpha), length(object$alpha))
  if (inherits(object, "judicious_pom_general")) {
    check_that(ncol(object$nominal_columns) <= 1 && !ncol(object$scale_columns), "mode", "With effects on single
      thresholds or the scale there is no one latent mean: use {.code mode = \"mean\"}.")
    thresholds <- -colMeans(object$structure$matrix) * object$structure$sign
  }
  list(x = cbind(matrix(thresholds, nrow(x), length(thresholds), byrow = TRUE), x,
                 matrix(0, nrow(x), length(object$link_name))),
       estimate = coef(object, complete = FALSE), misc = list())
}

# Linearises quantities that are not linear in the coefficients, by their first-order expansion at the estimate: one
# block of rows per level or threshold.
linearised_basis <- function(object, grid, mode) {
  quiet <- function(expr, ...) suppressWarnings(expr, classes = c("judicious_warning_not_estimable", ...))
  quantity <- function(fit) {
    predicted <- function(type) predict_typical(fit, grid, type)
    as.vector(switch(mode, mean = predicted("mean"), mean.class = predicted("prob") %*% seq_along(fit$levels),
                     prob = predicted("prob"),
                     exc.prob = predicted("cumulative"), cum.prob = 1 - predicted("cumulative"),
                     linear.predictor = link_quantile_cpp(fit$link, as.vector(predicted("cumulative")), FALSE)))
  }
  # Crossing thresholds are reported once, by the prediction at the estimate; the derivatives would repeat the warning
  # many times.
  x <- quiet(coefficient_jacobian(object, quantity), "judicious_warning_crossing")
  estimate <- coef(object, complete = FALSE)
  level_names <- object$levels
  cut_labels <- paste(level_names[-length(level_names)], level_names[-1], sep = "|")
  blocks <- switch(mode, prob = stats::setNames(list(level_names), deparse1(formula(object)[[2]])),
                   linear.predictor = , cum.prob = , exc.prob = list(cut = cut_labels))
  list(x = cbind(x, quiet(quantity(object)) - drop(x %*% estimate)), estimate = c(estimate, 1),
       # The predictions already include the offset, so emmeans must not add it to probabilities and means. The column
       # of estimates has the name that it has for other ordinal models.
       misc = c(list(offset.mult = 0, postGridHook = function(object, ...) {
         known <- c(prob = "prob", cum.prob = "cumprob", exc.prob = "exc.prob", mean.class = "mean.class")
         if (mode %in% names(known)) object@misc$estName <- known[[mode]]
         object
       }), if (!is.null(blocks)) list(ylevs = blocks)))
}

# Predictions for a typical group, whose random effects are 0.
predict_typical <- function(fit, newdata, type, ...) {
  if (inherits(fit, "judicious_pom_mixed")) return(predict(fit, newdata, type = type, effects = "none", ...))
  predict(fit, newdata, type = type, ...)
}

#' @exportS3Method marginaleffects::get_coef
get_coef.judicious_pom <- function(model, ...) coef(model, complete = FALSE)

#' @exportS3Method marginaleffects::set_coef
set_coef.judicious_pom <- function(model, coefs, ...) {
  with_parameters(model, replace(known_coefficients(model), names(coefs), coefs))
}

#' @exportS3Method marginaleffects::get_vcov
get_vcov.judicious_pom <- function(model, vcov = NULL, ...) if (!isFALSE(vcov)) user_covariance(model, vcov)

#' @exportS3Method marginaleffects::get_predict
get_predict.judicious_pom <- function(model, newdata = NULL, type = "response", ...) {
  # marginaleffects' default type "response" stands for probabilities here. It adds rows with negative numbers `rowid`,
  # so that the grid has all levels, and removes them from the result by these numbers.
  predicted <- as.matrix(predict(model, newdata, type = if (type == "response") "prob" else type))
  group <- colnames(predicted) %||% "main_marginaleffect"
  data.frame(rowid = rep(newdata[["rowid"]] %||% seq_len(nrow(predicted)), ncol(predicted)),
             group = factor(rep(group, each = nrow(predicted)), group), estimate = as.vector(predicted))
}

#' @exportS3Method insight::model_info
model_info.judicious_pom <- function(x, ...) {
  # A linear model has all the fields of the installed version of insight.
  kinds <- grep("^is_", names(insight::model_info(stats::lm(1:2 ~ 1))), value = TRUE)
  info <- as.list(kinds %in% paste0("is_", c("binomial", "ordinal", "cumulative", link_family(x$link),
                                             if (inherits(x, "judicious_pom_mixed")) "mixed")))
  c(stats::setNames(info, kinds), link_function = link_family(x$link), family = "cumulative", n_obs = nobs(x))
}

# The predictors include variables of nominal and scale effects, but not the groups of random effects.
#' @exportS3Method insight::find_formula
find_formula.judicious_pom <- function(x, ...) {
  own_formula <- formula(x)
  if (is.null(own_formula)) return(NULL)
  side <- function(name) {
    term_labels <- attr(x$sides[[name]], "term.labels")
    if (length(term_labels)) stats::reformulate(term_labels)
  }
  conditional <- split_formula(own_formula)$fixed
  if (!is.null(side("nominal"))) conditional[[3]] <- call("+", conditional[[3]], side("nominal")[[2]])
  env <- environment(own_formula)
  random <- lapply(bar_calls(own_formula[[3]]), function(bar) stats::as.formula(call("~", bar), env))
  found <- list(conditional = conditional, random = if (length(random) == 1) random[[1]] else random,
                scale = side("scale"))
  structure(found[lengths(found) > 0], class = c("insight_formula", "list"))
}

#' @exportS3Method insight::link_inverse
link_inverse.judicious_pom <- function(x, ...) function(eta) link_cdf_cpp(x$link, as.double(eta), TRUE)

#' @exportS3Method insight::link_function
link_function.judicious_pom <- function(x, ...) function(mu) link_quantile_cpp(x$link, as.double(mu), TRUE)

# Predictions in the form that insight uses for other ordinal models: one row for each row of the data and level. Random
# effects are 0.
rows_by_level <- function(x, data, type, ci, vcov = NULL) {
  if (!is.null(vcov)) {
    x$core <- replace(estimates_at_core(x), "covariance", list(covariance_at_core(x, vcov)))
    x$covariance <- user_covariance(x, vcov)
  }
  if (type == "class") return(data.frame(Predicted = predict_typical(x, data, "class")))
  parts <- if (is.null(ci)) list(fit = predict_typical(x, data, type)) else
    predict_typical(x, data, type, interval = "confidence", level = ci)
  fit <- as.matrix(parts$fit)
  out <- data.frame(Row = rep(seq_len(nrow(fit)), ncol(fit)), Predicted = as.vector(fit))
  if (type == "prob") out <- cbind(out["Row"], Response = rep(colnames(fit), each = nrow(fit)), out["Predicted"])
  if (!is.null(ci)) out[c("CI_low", "CI_high")] <- list(as.vector(parts$lwr), as.vector(parts$upr))
  out
}

#' @exportS3Method insight::get_predicted
get_predicted.judicious_pom <- function(x, data = NULL, predict = "expectation", ci = NULL, vcov = NULL, ...) {
  predict <- check_choice(predict %||% "expectation", c("expectation", "classification", "link"), "predict")
  # Versions of ggeffects before 2 have no generic for models of other packages, and expect one prediction per row of
  # their grid. This function therefore replaces their grid by one with a row for each level.
  caller <- parent.frame()
  if (identical(environmentName(topenv(caller)), "ggeffects") && is.data.frame(caller$data_grid)) {
    caller$data_grid <- get_predictions.judicious_pom(x, data, caller$ci.lvl, vcov)
    return(with(caller$data_grid, data.frame(Predicted = predicted, CI_low = conf.low, CI_high = conf.high)))
  }
  rows_by_level(x, data, switch(predict, expectation = "prob", classification = "class", predict), ci, vcov)
}

# A method of the generic that ggeffects has from version 2.
get_predictions.judicious_pom <- function(model, data_grid = NULL, ci_level = 0.95, vcov = NULL, ...) {
  out <- rows_by_level(model, data_grid, "prob", if (!is.null(ci_level) && !is.na(ci_level)) ci_level, vcov)
  names(out)[-1] <- c("response.level", "predicted", "conf.low", "conf.high")[seq_len(ncol(out) - 1)]
  if (is.null(out$conf.low)) out[c("conf.low", "conf.high")] <- NA_real_
  cbind(data_grid[out$Row, , drop = FALSE], out[-1], row.names = NULL)
}

# The package effects supports MASS::polr(), so the model is described in its form.
#' @exportS3Method effects::effSources
effSources.judicious_pom <- function(mod) {
  need_plain(mod, "an effect plot")
  methods <- c(logit = "logistic", probit = "probit", loglog = "loglog", cloglog = "cloglog", cauchit = "cauchit")
  check_that(mod$link %in% names(methods), "mod", "Package effects knows the links {.val {names(methods)}} only.")
  abort_unless(exists("polr", mode = "function"),
               "Package effects calls {.fn polr}: run {.code library(MASS)} first.", "package", call = NULL)
  slopes <- estimated_slopes(mod)
  coef_order <- c(slopes, names(mod$alpha))
  coef_sign <- rep(c(1, -1), c(length(slopes), length(mod$alpha)))
  covariance <- observed_covariance(mod)[coef_order, coef_order] * outer(coef_sign, coef_sign)
  theta <- stats::setNames(-mod$alpha, paste(utils::head(mod$levels, -1), mod$levels[-1], sep = "|"))
  dimnames(covariance) <- rep(list(c(slopes, names(theta))), 2)
  own_formula <- stats::formula(mod)
  if (!is.factor(stats::model.frame(mod)[[1]])) own_formula[[2]] <- call("ordered", own_formula[[2]])
  list(type = "polr", formula = own_formula, coefficients = mod$beta[slopes], zeta = theta,
       method = methods[[mod$link]], vcov = covariance)
}

# car's default method would put the estimates of thresholds beside the intervals of slopes.
#' @exportS3Method car::Confint
Confint.judicious_pom <- function(object, estimate = TRUE, level = 0.95, vcov., ...) {
  limits <- if (missing(vcov.)) confint(object, level = level, ...) else {
    se <- sqrt(diag(user_covariance(object, vcov.)))
    limit_matrix(coef(object)[names(se)] + outer(se, qnorm((1 + c(-level, level)) / 2)), names(se), level)
  }
  estimates <- tidy(object)
  if (estimate) cbind(Estimate = estimates$estimate[match(rownames(limits), estimates$term)], limits) else limits
}

# insight asks for it before it gives degrees of freedom, p values or log likelihoods.
#' @exportS3Method insight::find_statistic
find_statistic.judicious_pom <- function(x, ...) "z-statistic"

#' @exportS3Method insight::get_statistic
get_statistic.judicious_pom <- function(x, ...) {
  estimates <- coefficient_table(x)
  structure(data.frame(Parameter = rownames(estimates), Statistic = unname(estimates[, "z value"])),
            statistic = "z-statistic")
}

#' @exportS3Method parameters::model_parameters
model_parameters.judicious_pom <- function(model, ci = 0.95, exponentiate = FALSE, vcov = NULL, ...) {
  other <- Filter(function(value) !is.null(value) && !isFALSE(value), list(...))
  refused <- intersect(c("bootstrap", "standardize", "p_adjust", "keep", "drop"), names(other))
  check_that(!length(refused), refused[1], "is not available for models by {.fn pom}.")
  check_that((other$ci_method %||% "wald") %in% c("wald", "normal"), "ci_method", "must be {.val wald}:
    {.code confint(fit, method = 'profile')} computes profile intervals.")
  estimates <- coefficient_table(model, vcov)
  component <- c(threshold = "alpha", slope = "beta", nominal = "nominal", scale = "scale")[coefficient_types(model)]
  shown <- if (exponentiate) exp else identity
  out <- data.frame(Parameter = rownames(estimates), Coefficient = shown(estimates[, 1]),
                    SE = estimates[, 2] * if (exponentiate) exp(estimates[, 1]) else 1, row.names = NULL)
  # If `ci` is NULL, the result has no confidence limits.
  if (!is.null(ci)) {
    check_number(ci, "ci", 0, 1, open = TRUE)
    limits <- shown(estimates[, 1] + outer(estimates[, 2], c(-1, 1) * qnorm((1 + ci) / 2)))
    out <- data.frame(out, CI = ci, CI_low = limits[, 1], CI_high = limits[, 2])
  }
  out <- data.frame(out, z = estimates[, 3], df_error = Inf, p = estimates[, 4], Component = unname(component),
                    row.names = NULL)
  structure(out, ci = ci, exponentiate = exponentiate, ci_method = "wald", ordinal_model = TRUE, digits = 2,
            ci_digits = 2, p_digits = 3,
            coefficient_name = if (!exponentiate) "Coefficient" else if (model$link == "logit") "Odds Ratio" else
              "exp(Coefficient)",
            model_class = class(model), model_formula = formula_text(formula(model)),
            pretty_names = stats::setNames(out$Parameter, out$Parameter),
            class = c("parameters_model", "see_parameters_model", "data.frame"))
}

#' @exportS3Method performance::r2
r2.judicious_pom <- function(model, ...) {
  structure(list(R2_Nagelkerke = c(`Nagelkerke's R2` = fit_statistics(model)$nagelkerke)), class = "r2_nagelkerke")
}

#' @exportS3Method performance::r2
r2.judicious_pom_mixed <- function(model, ...) {
  shares <- latent_shares(model)
  structure(list(R2_conditional = c(`Conditional R2` = 1 - shares[["residual"]]),
                 R2_marginal = c(`Marginal R2` = shares[["fixed"]])), class = "r2_nakagawa")
}

# Shares of the variance of the latent variable.
latent_shares <- function(model) proportions(latent_variances(model))

# Parts of the variance of the latent variable: of slopes, of random effects in an average row, and of the distribution
# of the link with its scale in an average row (Nakagawa and Schielzeth, 2013; Johnson, 2014, for random slopes).
latent_variances <- function(model) {
  estimated <- estimated_slopes(model)
  fixed <- if (length(estimated)) var(drop(model$columns %*% model$beta[estimated])) else 0
  # The prior variance of the random effects of a row, averaged over the rows.
  design <- model$effect_design
  n <- length(model$fixed_predictor)
  row_of_entry <- rep.int(seq_len(n), diff(design$offset))
  loaded <- rowsum(design$value * model$loadings[entry_parameter(design)], (design$column - 1) * n + row_of_entry)
  c(fixed = fixed, effects = sum(loaded^2) / n,
    residual = link_traits_cpp(model$link)$variance * mean(exp(2 * log_scale(model))))
}

# The variances that performance::icc() needs, in the form of models of lme4.
#' @exportS3Method insight::get_variance
get_variance.judicious_pom_mixed <- function(x, component = "all", ...) {
  parts <- latent_variances(x)
  is_intercept <- vapply(x$random, `[[`, "", "effect") == "(Intercept)"
  out <- list(var.fixed = parts[["fixed"]], var.random = parts[["effects"]], var.residual = parts[["residual"]],
              var.distribution = parts[["residual"]], var.dispersion = 0,
              var.intercept = x$sd[is_intercept]^2)
  if (component[1] == "all") out else out[paste0("var.", component)]
}

#' @exportS3Method performance::model_performance
model_performance.judicious_pom <- function(model, ...) {
  measures <- fit_statistics(model)
  result <- data.frame(AIC = AIC(model), BIC = BIC(model), R2_Nagelkerke = measures$nagelkerke, RMSE = measures$rmse)
  structure(result, class = c("performance_model", "data.frame"))
}

#' @exportS3Method performance::model_performance
model_performance.judicious_pom_mixed <- function(model, ...) {
  shares <- latent_shares(model)
  result <- data.frame(AIC = AIC(model), BIC = BIC(model), R2_conditional = 1 - shares[["residual"]],
                       R2_marginal = shares[["fixed"]],
                       ICC = shares[["effects"]] / (shares[["effects"]] + shares[["residual"]]),
                       RMSE = expected_error(model)$rmse %||% NA_real_)
  structure(result, class = c("performance_model", "data.frame"))
}

# vcov() has rows for aliased coefficients, which the default method would misalign with the others.
#' @exportS3Method lmtest::waldtest
waldtest.judicious_pom <- function(object, ..., vcov = NULL) {
  test <- utils::getS3method("waldtest", "default", envir = asNamespace("lmtest"))
  test(object, ..., vcov = vcov %||% function(fit) stats::vcov(fit, complete = FALSE))
}
