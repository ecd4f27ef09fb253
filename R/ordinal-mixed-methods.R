#' Methods for mixed proportional-odds models
#'
#' Extract or print parts of a model by [pom()] with random terms. [ranef()] and [VarCorr()] return the random effects
#' and their variances.
#'
#' @param object,x A model by [pom()] with random terms.
#' @param complete TRUE includes aliased coefficients, as NA.
#' @param sd TRUE includes the standard deviations of the random effects.
#' @param type `"observed"`, or `"sandwich"` for the robust covariance (CR1) of the independent clusters: the groups, or
#'   the parts of the data that share no random effect.
#' @param cluster Not available, because the groups are the clusters.
#' @param which `"all"` coefficients, or only the `"slopes"`.
#' @param parm Names or indices of coefficients and of standard deviations, named `"sd(term)"`; all by default.
#' @param level The confidence level, between 0 and 1.
#' @param method `"wald"`: intervals from standard errors, on the log scale for standard deviations. `"profile"`: from
#'   the profile likelihood; they may reach 0 for standard deviations. Thresholds, correlations, and the standard
#'   deviations of all but the first of several correlated effects have Wald intervals only.
#' @param digits Number of significant digits.
#' @param ... Not used.
#' @return
#' * `vcov()`: the covariance matrix of thresholds and slopes, including the uncertainty of estimated standard
#' deviations.
#' * `confint()`: a matrix with one row per coefficient or standard deviation and two columns, the limits. A standard
#'   deviation estimated as 0 has no Wald interval (NA): use `method = "profile"`.
#' * `logLik()`: the log likelihood by the Laplace approximation or by quadrature. Its `df` counts all estimated
#' standard deviations, including those that are 0.
#' * `summary()`: a `judicious_pom_mixed_summary` with tables of slopes, thresholds and random terms, the elements of
#' [summary.judicious_pom()] and, for fits by the Laplace approximation, `laplace_error` (see [pom_mixed()]).
#' @name pom-mixed-methods
#' @seealso [pom_mixed()], [predict.judicious_pom_mixed()], [ranef()]; [anova.judicious_pom()] compares models.
#' @examples
#' fit <- pom(gear ~ wt + (1 | carb), data = mtcars)
#' confint(fit, "sd(carb)", method = "profile")
#' anova(fit, pom(gear ~ wt, data = mtcars))
NULL

#' @rdname pom-mixed-methods
#' @export
vcov.judicious_pom_mixed <- function(object, complete = TRUE, sd = FALSE, type = "observed", cluster = NULL,
                                     which = c("all", "slopes"), ...) {
  refuse_other_arguments("vcov()", ...)
  check_that(is.null(cluster), "cluster", "is not available: the groups of the random effects are the clusters.",
             kind = "mixed_model")
  check_that(is_string(type) && type %in% c("observed", "sandwich"), "type", "of models with random effects must be
    {.val observed} or {.val sandwich}.", kind = "mixed_model")
  which <- check_choice(which, c("all", "slopes"), "which")
  par_names <- names(object$coefficients)
  if (!complete) par_names <- par_names[!is.na(object$coefficients)]
  if (which == "slopes") par_names <- setdiff(par_names, names(object$alpha))
  if (sd) par_names <- c(par_names, reported_names(names(object$sd), object$factor))
  covariance <- object$full_covariance
  if (type == "sandwich") {
    # The sandwich covariance for clusters, with the correction CR1.
    at_core <- in_core_columns(object)
    scores <- cluster_scores(at_core)
    bread <- at_core$full_covariance[colnames(scores), colnames(scores)]
    n <- length(unique(independent_parts(object$effect_design)[row_weights(object) > 0]))
    covariance <- n / (n - 1) * of_coefficients(object, bread %*% crossprod(scores) %*% bread)
  }
  pad_covariance(covariance, par_names)
}

#' @rdname pom-mixed-methods
#' @export
confint.judicious_pom_mixed <- function(object, parm, level = 0.95, method = c("wald", "profile"), type = "observed",
                                        ...) {
  refuse_other_arguments("confint()", ...)
  check_number(level, "level", 0, 1, open = TRUE)
  method <- check_choice(method, c("wald", "profile"), "method")
  check_that(method == "wald" || missing(type), "type", "is for {.code method = \"wald\"}.")
  reported <- deviations_of_fit(object)
  deviations <- reported[seq_along(object$sd)]
  all_parameters <- c(object$coefficients, reported)
  parameter_names <- names(all_parameters)
  parm <- coefficient_names(if (missing(parm)) parameter_names else parm, parameter_names, parameter_names, "mixed")
  z <- qnorm((1 + level) / 2)
  error <- sqrt(diag(vcov(object, sd = TRUE, type = type)))[parm]
  out <- all_parameters[parm] + outer(error, c(-z, z))
  positive <- parm %in% names(deviations)
  out[positive, ] <- all_parameters[parm[positive]] * exp(outer((error / all_parameters[parm])[positive], c(-z, z)))
  if (method == "profile") {
    problem <- problem_of_fit(object)
    for (name in parm[positive]) {
      term <- match(name, names(deviations))
      # In a correlated term, only the first effect has a parameter that can be held fixed for a profile.
      if (sum(object$factor$row == term) == 1) out[name, ] <- profile_sd(object, problem, term, level)
    }
    profiler <- new_profiler(object)
    for (name in intersect(parm, names(object$beta))) out[name, ] <- profiler(name)$limits(z)
  }
  limit_matrix(out, parm, level)
}

# The profile interval of a standard deviation: the values at which twice the decrease of the log likelihood, maximised
# over the other parameters, reaches the quantile of the chi-squared distribution with one degree of freedom.
profile_sd <- function(object, problem, term, level) {
  if (!object$estimated_sd[term] && !object$at_boundary[term]) return(c(NA_real_, NA_real_))
  fixed <- known_deviations(object)
  excess_drop <- function(sd) {
    fixed[term] <- sd
    2 * (object$loglik - maximise_mixed(problem, fixed, object$nAGQ)$loglik) - qchisq(level, 1)
  }
  estimate <- unname(object$sd[term])
  probe_step <- max(estimate, 0.1)
  upper <- estimate + probe_step
  while (excess_drop(upper) < 0 && upper < estimate + 1e3 * probe_step) upper <- estimate + 2 * (upper - estimate)
  lower <- if (estimate == 0 || excess_drop(0) < 0) 0 else
    stats::uniroot(excess_drop, c(0, estimate), tol = 1e-5 * probe_step)$root
  c(lower, stats::uniroot(excess_drop, c(estimate, upper), tol = 1e-5 * probe_step)$root)
}

#' @rdname pom-mixed-methods
#' @export
print.judicious_pom_mixed <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat_header(x)
  cat("\nStandard deviations of random effects:\n")
  print(x$sd, digits = digits)
  correlations <- deviations_of_fit(x)[-seq_along(x$sd)]
  if (length(correlations)) print(correlations, digits = digits)
  print_by_type(x, function(index, type) print(coef(x)[index], digits = digits))
  cat_observations(x, if (x$nAGQ == 1) " (Laplace)" else sprintf(" (%s nodes)", x$nAGQ))
  invisible(x)
}

#' @rdname pom-mixed-methods
#' @export
summary.judicious_pom_mixed <- function(object, ...) {
  out <- NextMethod()
  out$random <- VarCorr(object)
  out$nAGQ <- object$nAGQ
  if (out$nAGQ == 1) out$laplace_error <- laplace_error(object)
  out$has_quadrature <- dependent_effects(object$effect_design) <= 3
  out
}

#' @rdname pom-mixed-methods
#' @export
print.judicious_pom_mixed_summary <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  cat("Random effects, on the scale of the linear predictor:\n")
  print(x$random, digits = digits, row.names = FALSE)
  if (!is.null(attr(x$random, "correlation"))) {
    cat("Correlations:\n")
    print(attr(x$random, "correlation"), digits = digits)
  }
  cat("\n")
  NextMethod()
  print_line(x, "Random effects integrated by ", integral_text(x))
}

# step() stores a formula that has fixed terms only, so the random terms, which it does not change, are added again.
#' @export
formula.judicious_pom_mixed <- function(x, ...) {
  if (has_random_terms(x$formula)) return(x$formula)
  random_formula <- x$random_formula
  bars <- lapply(bar_calls(random_formula[[length(random_formula)]]), function(bar) call("(", bar))
  fixed <- stats::formula(x$formula)
  fixed[[length(fixed)]] <- Reduce(function(a, b) call("+", a, b), c(fixed[[length(fixed)]], bars))
  fixed
}

# Only fixed terms are candidates; random terms in a scope formula are ignored.
#' @export
add1.judicious_pom_mixed <- function(object, scope, ...) {
  if (!is.character(scope)) scope <- add.scope(object, update.formula(formula(object), scope))
  explain_refits(utils::getS3method("add1", "default")(object, scope[!grepl("|", scope, fixed = TRUE)], ...), "With")
}

# The error of the Laplace log likelihood at the estimates: its difference from quadrature for up to three effects in a
# group, otherwise minus the next terms of its expansion.
laplace_error <- function(object) {
  n_dependent <- dependent_effects(object$effect_design)
  if (n_dependent > 3) return(-second_order_laplace(object))
  point <- laplace_point(object)
  value <- function(n) mixed_laplace_cpp(point$problem$model, point$problem$effects, point$psi, hermite_rule(n))$value
  value(1) - value(c(25, 20, 8)[n_dependent])
}

# The estimates, converted to the parameters of the C++ core.
laplace_point <- function(object) {
  problem <- problem_of_fit(object, link = object$link)
  list(problem = problem, psi = c(problem$to_core %*% object$parameters[problem$names], object$loadings))
}

# The terms of order 1 / n of the log of the integral (Shun and McCullagh, 1995). If V is the posterior covariance of
# the rows' linear predictors and l3, l4 are the third and fourth derivatives of their log likelihoods, the terms are
#
# sum l4_i V_ii^2 / 8 + sum l3_i l3_j V_ij (V_ii V_jj / 8 + V_ij^2 / 12).
#
# Rows with the same effects have the same V, so their derivatives are summed first. If more than twice `max_rows` rows
# depend on each other, `max_rows` of them are drawn.
second_order_laplace <- function(object, max_rows = 2000) {
  design <- object$effect_design
  limits <- row_limits(object)
  inverse_scale <- exp(-log_scale(object))
  # Third and fourth derivatives by differences of the second one, which is exact. Both limits are shifted; the linear
  # predictor shifts in the opposite direction.
  h <- 1e-3
  second <- lapply(c(-h, 0, h), function(shift) {
    row_terms <- link_rows_cpp(object$link, limits$lower + shift, limits$upper + shift)
    -row_terms[, "below"] - row_terms[, "above"]
  })
  case_weights <- row_weights(object)
  third <- -case_weights * inverse_scale^3 * (second[[3]] - second[[1]]) / (2 * h)
  fourth <- case_weights * inverse_scale^4 * (second[[3]] - 2 * second[[2]] + second[[1]]) / h^2
  kind <- effect_row_code(design)
  sums <- rowsum(cbind(third, fourth), kind, reorder = FALSE)
  design_kinds <- design_rows(design, which(!duplicated(kind)))
  # Rows of independent parts are processed together: as many parts at a time as keep the covariance matrix small.
  part <- independent_parts(design_kinds)
  batch <- cumsum(tabulate(part))[part] %/% max_rows
  sum(vapply(split(seq_along(part), batch), function(rows) {
    share <- if (length(rows) > 2 * max_rows) max_rows / length(rows) else 1
    if (share < 1) rows <- with_seed(1, sample(rows, max_rows))
    v <- mixed_covariance_cpp(design, object$loadings, object$curvature, design_rows(design_kinds, rows), FALSE)
    third <- sums[rows, 1]
    a <- third * diag(v)
    of_rows <- sum(sums[rows, 2] * diag(v)^2) / 8
    diagonal_terms <- sum(a^2 * diag(v)) * 5 / 24
    of_pairs <- sum(a * (v %*% a)) / 8 + sum(third * (v^3 %*% third)) / 12 - diagonal_terms
    (of_rows + diagonal_terms) / share + of_pairs / share^2
  }, 0))
}

# A number for each row, equal for rows with the same effects.
effect_row_code <- function(design) {
  entry <- do.call(combination_code, unname(design[intersect(c("column", "value", "loading"), names(design))]))
  count <- diff(design$offset)
  do.call(combination_code, lapply(seq_len(max(count)), function(k) {
    ifelse(count >= k, entry[design$offset[seq_along(count)] + k], 0L)
  }))
}

#' @exportS3Method sandwich::estfun
estfun.judicious_pom_mixed <- function(x, ...) cluster_scores(x)

#' @exportS3Method sandwich::bread
bread.judicious_pom_mixed <- function(x, ...) {
  used <- colnames(cluster_scores(x))
  warn_far(vcov(x, sd = TRUE)[used, used]) * max(independent_parts(x$effect_design))
}

# The derivatives of the log likelihood of each independent part of the data (a row per part) with respect to the
# coefficients, and to the estimated standard deviations and correlations.
cluster_scores <- function(object) {
  check_that(!length(object$link_name), "object", "Scores need a known link.")
  design <- object$effect_design
  part <- independent_parts(design)
  check_that(max(part) >= 2, "object", "Crossed random effects connect all rows: there are no independent clusters with
    scores of their own.")
  point <- laplace_point(object)
  scores <- vapply(split(seq_along(part), part), function(rows) {
    model <- point$problem$model
    matrices <- c("nominal", "location", "scale")
    model[matrices] <- lapply(model[matrices], function(m) m[rows, , drop = FALSE])
    vectors <- c("y", "weights", "offset", "scale_offset")
    model[vectors] <- lapply(model[vectors], `[`, rows)
    rows_design <- design_rows(design, rows)
    used <- sort(unique(rows_design$column))
    rows_design$term <- rows_design$term[used]
    rows_design$column <- match(rows_design$column, used)
    mixed_laplace_cpp(model, rows_design, point$psi, hermite_rule(object$nAGQ))$gradient
  }, point$psi)
  fixed <- seq_along(point$problem$names)
  fixed_scores <- crossprod(scores[fixed, , drop = FALSE], point$problem$to_core)
  deviations <- t(scores[-fixed, , drop = FALSE])
  deviations <- if (!is_correlated(object$factor))
    deviations * rep(ifelse(object$loadings < 0, -1, 1), each = nrow(deviations)) else
      t(solve(t(deviation_jacobian(object$loadings, object$factor)), t(deviations)))
  out <- cbind(fixed_scores, deviations)
  colnames(out) <- c(point$problem$names, reported_names(names(object$sd), object$factor))
  out[, c(rep(TRUE, length(fixed)), object$estimated_sd,
          rep(TRUE, ncol(deviations) - length(object$estimated_sd))), drop = FALSE]
}
