#' Compute confidence intervals and profile likelihoods
#'
#' `confint()` computes confidence intervals of the coefficients, by default from the profile likelihood, which
#' `profile()` returns.
#'
#' A profile varies one slope or scale effect around its estimate and maximises the likelihood over all other
#' coefficients. At the true slope \eqn{b}, the signed root of twice the drop in log likelihood,
#' \eqn{\pm\sqrt{2(l(\hat\beta) - l_p(b))}}{+/- sqrt(2 (l(estimate) - l_p(b)))}, is approximately standard normal in
#' large samples. The interval contains the slopes whose root is between the normal quantiles.
#'
#' @param object,fitted A model by [pom()]; for [confint()] also its `profile()`.
#' @param parm Names of coefficients, or their indices in `coef()` (for a profile, of its slopes). By default, all
#'   slopes and scale effects for `method = "profile"`, and all coefficients for `"wald"`. Thresholds, effects on single
#'   thresholds and parameters of links have Wald intervals only; `profile()` is of slopes.
#' @param level The confidence level, between 0 and 1.
#' @param method `"profile"`: profile likelihood, the default except for bias-reduced fits, which have none. `"wald"`:
#'   from standard errors, the default if `type` or `cluster` is given.
#' @param type For `"wald"`: as in [vcov.judicious_pom()]; `"sandwich"` if `cluster` is given.
#' @param max_level The confidence level up to which the profile extends: the highest `level` of its `confint()`.
#' @param points Number of values on each side of the estimate.
#' @param ... For `method = "wald"`: `cluster` and `correction`, as in [vcov.judicious_pom()].
#' @return `confint()`: a matrix with one row per coefficient and two columns, the limits, infinite if the root does not
#'   reach the quantile, as under separation. The limits of a `profile()` are interpolated. `profile()`: a
#'   `judicious_pom_profile`, a data frame with columns `term`, `value`, `root` (the signed root) and `loglik`, with
#'   `plot()` and `confint()` methods.
#' @examples
#' fit <- pom(gear ~ wt, data = mtcars)
#' confint(fit)
#' confint(fit, method = "wald")
#' head(as.data.frame(profile(fit)))
#' @export
confint.judicious_pom <- function(object, parm, level = 0.95, method = c("profile", "wald"), type = "observed", ...) {
  check_number(level, "level", 0, 1, open = TRUE)
  refuse_other_arguments("confint()", ..., settings = c("cluster", "correction"))
  asks_covariance <- !missing(type) || ...length()
  if (missing(type) && !is.null(list(...)$cluster)) type <- "sandwich"
  if (missing(method)) method <- if (asks_covariance || identical(object$method, "bias_reduced")) "wald" else "profile"
  method <- check_choice(method, c("profile", "wald"), "method")
  check_that(method == "wald" || !asks_covariance, "method",
             "Profile intervals use no covariance: leave {.arg method}, or {.arg type} and {.arg cluster}, out.")
  check_fitted(object)
  if (method == "profile") refuse_profile(object)
  is_profiled <- names(coef(object)) %in% names(object$beta) | coefficient_types(object) == "scale"
  estimate <- coef(object)[method == "wald" | is_profiled]
  parm <- coefficient_names(if (missing(parm)) names(estimate) else parm, names(coef(object)), names(estimate), method)
  z <- qnorm((1 + level) / 2)
  limits <- if (method == "wald") {
    estimate[parm] + outer(sqrt(diag(vcov(object, type = type, ...)))[parm], c(-z, z))
  } else {
    profiler <- new_profiler(object)
    t(vapply(parm, function(term) profiler(term)$limits(z), c(0, 0)))
  }
  limit_matrix(limits, parm, level)
}

# Lower and upper limits in the form of confint().
limit_matrix <- function(limits, parm, level) {
  percent <- format(50 * c(1 - level, 1 + level), trim = TRUE, digits = 3, scientific = FALSE)
  matrix(limits, ncol = 2, dimnames = list(parm, paste(percent, "%")))
}

# Resolves names and indices of coefficients. Indices refer to `all_names`, even if the method supports only those in
# `possible`.
coefficient_names <- function(parm, all_names, possible, method) {
  if (is.numeric(parm)) parm <- all_names[parm]
  absent <- setdiff(parm, possible)
  kinds <- c(profile = "slopes or scale effects", slopes = "slopes", wald = "coefficients",
             mixed = "coefficients or standard deviations", profiled = "slopes of the profile")[[method]]
  check_that(!length(absent) && !anyNA(parm), "parm", c(
    "must name {kinds}: {.val {absent}} {?is/are} not among them.",
    i = if (method == "profile") "Other coefficients have Wald intervals: use {.code method = \"wald\"}.",
    i = if (method == "slopes") "{.fn confint} also profiles scale effects."))
  parm
}

refuse_profile <- function(object) {
  check_that(!identical(object$method, "bias_reduced"), "method", "Bias-reduced estimates maximise no likelihood that
    could be profiled: use {.code method = \"wald\"}.")
  check_that(!inherits(object, "judicious_pom_general") || (object$control$penalty %||% 0) == 0, "method", "Penalised
    fits with more than slopes and free thresholds have no profiles: use {.code method = \"wald\"}.")
}

# The ridge penalty of slopes `beta`: `penalty` / 2 times the sum of their squares, for columns scaled to unit spread.
# With a ridge penalty, profiles are those of the penalised likelihood.
ridge_sum <- function(object, beta) {
  penalty <- object$control$penalty %||% 0
  if (penalty == 0) return(0)
  size <- stats::setNames(as.vector(object[["scale"]]), estimated_slopes(object))
  beta <- beta[!is.na(beta)]
  penalty / 2 * sum((beta * size[names(beta)])^2)
}

# Returns a function of the name of a slope or scale effect. Its result describes the profile by two functions: `root`,
# the signed root of the likelihood ratio as a function of the value; and `limits`, the values at which the root equals
# -z and z.
new_profiler <- function(object) {
  x <- kept_columns(object)
  row_offset <- object$offset %||% rep(0, nrow(x))
  se <- sqrt(diag(observed_covariance(object)))
  top <- object$loglik - ridge_sum(object, object$beta)
  function(term) {
    estimate <- coef(object)[[term]]
    # Thresholds and slopes at 0 in the columns of the scale may be too large or too small for numbers.
    if (!is.finite(estimate) || se[[term]] %in% 0)
      return(list(root = function(value) NA_real_, limits = function(z) c(NA_real_, NA_real_)))
    of_scale <- names(coef(object))[coefficient_types(object) == "scale"] == term
    column <- if (any(of_scale)) profiled_scale(object, of_scale) else x[, term]
    others <- x[, colnames(x) != term, drop = FALSE]
    loglik_at <- function(value) {
      fit <- if (any(of_scale)) refit_columns(with_known_scale_effect(object, of_scale, value * column), x) else
        refit_columns(object, others, row_offset + value * column)
      fit$loglik - ridge_sum(object, fit$beta) - ridge_sum(object, stats::setNames(value, term))
    }
    root <- function(value, loglik = loglik_at(value)) sign(value - estimate) * sqrt(pmax(0, 2 * (top - loglik)))
    # A slope that diverges has no useful standard error, so the spread of its column determines the first step instead.
    typical <- 1 / sd(column)
    probe_step <- if (is.finite(se[[term]]) && se[[term]] < 30 * typical) se[[term]] else typical
    list(estimate = estimate, step = probe_step, root = root, loglik = loglik_at,
         limits = function(z) vapply(c(-1, 1), function(side) {
           # The likelihood keeps increasing in the direction in which the estimate diverges, so this limit is infinite.
           if (term %in% object$separated && side == sign(estimate)) side * Inf else
             find_limit(root, estimate, side * probe_step, z)
         }, 0))
  }
}

# Without an offset, another origin of a scale column multiplies thresholds and slopes: the likelihood is the same.
profiled_scale <- function(object, of_scale) {
  column <- object$scale_columns[, of_scale]
  if (is.null(object$offset)) column - mean(column) else column
}

# The model with the effect of a scale column fixed: its contribution `part` to the log scale becomes an offset.
with_known_scale_effect <- function(object, fixed, part) {
  object$scale_columns <- object$scale_columns[, !fixed, drop = FALSE]
  object$scale_offset <- (object$scale_offset %||% 0) + part
  object
}

# The value at which |root| = z, from the estimate in the direction of `step`. It is bracketed by doubling the step,
# then found by uniroot(). Infinite if 60 doublings do not reach z.
find_limit <- function(root, estimate, step, z) {
  distance <- function(value) abs(root(value)) - z
  inner <- estimate
  inner_distance <- distance(estimate)
  if (is.na(inner_distance)) return(NA_real_)
  outer_value <- estimate + z * step
  for (doubling in 1:60) {
    outer_distance <- distance(outer_value)
    if (is.na(outer_distance)) return(NA_real_)
    if (outer_distance >= 0) {
      tolerance <- abs(step) * 1e-9
      return(stats::uniroot(distance, sort(c(inner, outer_value)), tol = tolerance, check.conv = FALSE)$root)
    }
    # The root does not grow any more, so it will not reach z.
    if (doubling > 8 && outer_distance - inner_distance < 1e-7) return(sign(step) * Inf)
    inner <- outer_value
    inner_distance <- outer_distance
    outer_value <- estimate + 2 * (outer_value - estimate)
  }
  sign(step) * Inf
}

#' @rdname confint.judicious_pom
#' @export
profile.judicious_pom <- function(fitted, parm = names(fitted$beta), max_level = 0.999, points = 8, ...) {
  refuse_other_arguments("profile()", ...)
  check_fitted(fitted)
  refuse_profile(fitted)
  check_number(max_level, "max_level", 0, 1, open = TRUE)
  check_count(points, "points")
  parm <- coefficient_names(parm, names(coef(fitted)), names(fitted$beta), "slopes")
  profiler <- new_profiler(fitted)
  widest <- qnorm((1 + max_level) / 2)
  rows <- lapply(parm[!is.na(fitted$beta[parm])], function(term) {
    one <- profiler(term)
    limits <- one$limits(widest)
    reach <- ifelse(is.finite(limits), limits, one$estimate + c(-2, 2) * widest * one$step)
    side <- seq(0, 1, length.out = points + 1)
    # If the estimate diverges, the likelihood is flat near it, so the points of the profile begin where the likelihood
    # falls.
    from <- rep(one$estimate, 2)
    if (term %in% fitted$separated) from <- ifelse(is.finite(limits), one$limits(0.01), from)
    value <- c(from[1] + rev(side[-1]) * (reach[1] - from[1]), one$estimate, from[2] + side[-1] * (reach[2] - from[2]))
    loglik <- vapply(value, one$loglik, 0)
    data.frame(term = term, value = value, root = one$root(value, loglik), loglik = loglik)
  })
  profile_rows <- if (length(rows)) do.call(rbind, rows) else
    data.frame(term = character(), value = double(), root = double(), loglik = double())
  structure(profile_rows, estimate = fitted$beta, max_level = max_level,
            class = c("judicious_pom_profile", "data.frame"))
}

#' @rdname confint.judicious_pom
#' @export
confint.judicious_pom_profile <- function(object, parm, level = 0.95, ...) {
  refuse_other_arguments("confint()", ...)
  check_number(level, "level", 0, 1, open = TRUE)
  max_level <- attr(object, "max_level")
  check_that(level <= max_level, "level", c("The profile reaches to the level {max_level}, not to {level}.",
                                       i = "Make it with {.code profile(fit, max_level = {level})}."))
  terms <- unique(object$term)
  parm <- coefficient_names(if (missing(parm)) terms else parm, terms, terms, "profiled")
  z <- qnorm((1 + level) / 2)
  limits <- t(vapply(parm, function(term) {
    one <- object[object$term == term, ]
    flat <- abs(one$root) < 1e-6
    if (sum(flat) > 1) one <- one[!flat, ]
    # The values at which the signed root reaches -z and z; infinite if the profile ends before that.
    value_at <- stats::splinefun(one$root, one$value, method = "natural")
    ifelse(abs(range(one$root)) >= z - 1e-6, value_at(c(-z, z)), c(-Inf, Inf))
  }, c(0, 0)))
  limit_matrix(limits, parm, level)
}
