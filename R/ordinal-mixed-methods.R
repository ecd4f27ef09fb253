#' Methods for mixed proportional-odds models
#'
#' Extract or print parts of a model by [pom()] with random terms: covariance, confidence intervals, tests and a
#' summary. [ranef()] and [VarCorr()] return the random effects and their variances.
#'
#' @param object,x A `judicious_pom_mixed`, as returned by [pom()] with random terms.
#' @param complete TRUE includes aliased coefficients, as NA.
#' @param sd TRUE includes the standard deviations of the random effects.
#' @param type,cluster Only `type = "observed"` is available for models with random effects: any other `type`, or a
#'   `cluster`, raises an error.
#' @param which `"all"` coefficients, or only the `"slopes"`.
#' @param parm Names or indices of coefficients and of standard deviations, named `"sd(term)"`; all by default.
#' @param level The confidence level, between 0 and 1.
#' @param method `"wald"`: intervals from standard errors, on the log scale for standard deviations. `"profile"`:
#'   intervals from the profile likelihood, which may reach 0 for standard deviations. Thresholds, correlations, and the
#'   standard deviations of all but the first of several correlated effects always have Wald intervals.
#' @param digits Number of significant digits.
#' @param ... For `anova()`: one or more models to compare with, with or without random terms. Not used elsewhere.
#' @return
#' * `vcov()`: the covariance matrix of thresholds and slopes, which includes the uncertainty due to the estimated
#'   standard deviations.
#' * `confint()`: a matrix with one row per coefficient or standard deviation and two columns, the limits.
#' * `anova()`: likelihood ratio tests between the models, in the order of their `df`. A variance of 0 is on the
#'   boundary of the parameter space, so the p-value of a test of random terms is too large: halve it for one term.
#' * `logLik()`: the log likelihood by the Laplace approximation or by quadrature. Its `df` counts all estimated
#'   standard deviations, including those that are 0.
#' * `summary()`: a `judicious_pom_mixed_summary` with tables of slopes, thresholds and random terms, and the elements
#'   of [summary.judicious_pom()]. For fits by the Laplace approximation, it also has `laplace_error`: the log
#'   likelihood minus that by quadrature with 25 nodes at the same estimates, NA for models that do not allow
#'   quadrature.
#' @name pom-mixed-methods
#' @seealso [pom_mixed()], [predict.judicious_pom_mixed()], [ranef()]
#' @examples
#' set.seed(1)
#' d <- data.frame(query = gl(20, 10), x = rnorm(200))
#' d$gain <- cut(d$x + rnorm(20)[d$query] + rlogis(200), c(-Inf, -1, 1, Inf), labels = 0:2)
#' fit <- pom(gain ~ x + (1 | query), d)
#' confint(fit, "sd(query)", method = "profile")
#' anova(fit, pom(gain ~ x, d))
NULL

#' @rdname pom-mixed-methods
#' @export
vcov.judicious_pom_mixed <- function(object, complete = TRUE, sd = FALSE, type = "observed", cluster = NULL,
                                     which = c("all", "slopes"), ...) {
  if (!identical(type, "observed") || !is.null(cluster)) {
    refuse_effects(object, "covariances of another type than observed")
  }
  which <- check_choice(which, c("all", "slopes"), "which")
  names <- names(object$coefficients)
  if (!complete) names <- names[!is.na(object$coefficients)]
  if (which == "slopes") names <- setdiff(names, names(object$alpha))
  if (sd) names <- c(names, reported_names(names(object$sd), object$factor))
  full <- matrix(NA_real_, length(names), length(names), dimnames = list(names, names))
  known <- intersect(names, colnames(object$full_covariance))
  full[known, known] <- object$full_covariance[known, known]
  full
}

#' @rdname pom-mixed-methods
#' @export
confint.judicious_pom_mixed <- function(object, parm, level = 0.95, method = c("wald", "profile"), ...) {
  check_number(level, "level", 0, 1, open = TRUE)
  method <- check_choice(method, c("wald", "profile"), "method")
  reported <- structure(reported_deviations(object$loadings, object$factor),
                        names = reported_names(names(object$sd), object$factor))
  deviations <- reported[seq_along(object$sd)]
  all <- c(object$coefficients, reported)
  if (missing(parm)) parm <- names(all)
  if (is.numeric(parm)) parm <- names(all)[parm]
  absent <- setdiff(parm, names(all))
  if (length(absent) || anyNA(parm)) {
    abort_judicious("{.arg parm} must name coefficients or standard deviations: the model has no {.val {absent}}.",
                    "argument", argument = "parm")
  }
  tail <- c((1 - level) / 2, (1 + level) / 2)
  error <- sqrt(diag(vcov(object, sd = TRUE)))[parm]
  out <- all[parm] + outer(error, qnorm(tail))
  positive <- parm %in% names(deviations)
  out[positive, ] <- all[parm[positive]] * exp(outer((error / all[parm])[positive], qnorm(tail)))
  if (method == "profile") {
    problem <- problem_of(object)
    for (name in parm[positive]) {
      term <- match(name, names(deviations))
      # The second and later effects of a correlated term have no parameter of their own that could be held fixed.
      if (sum(object$factor$row == term) == 1) out[name, ] <- profile_sd(object, problem, term, level)
    }
    profiler <- new_profiler(object)
    for (name in intersect(parm, names(object$beta))) out[name, ] <- profiler(name)$limits(qnorm(tail[2]))
  }
  dimnames(out) <- list(parm, paste(format(100 * tail, trim = TRUE, digits = 3), "%"))
  out
}

# The values at which twice the drop in log likelihood, maximised over the other parameters, reaches the quantile.
profile_sd <- function(object, problem, term, level) {
  if (!object$estimated_sd[term] && !object$at_boundary[term]) return(c(NA_real_, NA_real_))
  fixed <- known_deviations(object)
  prior <- object$sd_prior
  best <- object$loglik + object$log_prior
  fall <- function(sd) {
    fixed[term] <- sd
    raw <- maximise_mixed(problem, fixed, prior, object$nAGQ)
    2 * (best - raw$loglik - raw$log_prior) - qchisq(level, 1)
  }
  at <- unname(object$sd[term])
  step <- max(at, 0.1)
  upper <- at + step
  while (fall(upper) < 0 && upper < at + 1e3 * step) upper <- at + 2 * (upper - at)
  lower <- if (at == 0 || (is.infinite(prior[term, 2]) && fall(0) < 0)) 0 else {
    stats::uniroot(fall, c(if (is.infinite(prior[term, 2])) 0 else at * 1e-3, at), tol = 1e-5 * step)$root
  }
  c(lower, stats::uniroot(fall, c(at, upper), tol = 1e-5 * step)$root)
}

#' @rdname pom-mixed-methods
#' @export
anova.judicious_pom_mixed <- function(object, ...) {
  fits <- list(object, ...)
  if (length(fits) < 2) {
    abort_judicious(c("{.fn anova} compares a mixed model with others: give at least one more.",
                      i = "{.fn summary} has Wald tests of single coefficients."), "argument", argument = "...")
  }
  check_comparable(fits)
  fits <- fits[order(vapply(fits, function(fit) attr(logLik(fit), "df"), 0))]
  anova_table(fits, vapply(fits, function(fit) formula_text(formula(fit)), ""), "LR", "Mixed proportional-odds models")
}

#' @rdname pom-mixed-methods
#' @export
print.judicious_pom_mixed <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  general <- inherits(x, "judicious_pom_general")
  if (general) cat_general_header(x, "Mixed cumulative-link model") else
    cat("Mixed proportional-odds model: ", formula_text(x$formula), "\n", sep = "")
  cat("\nStandard deviations of random effects:\n")
  print(x$sd, digits = digits)
  correlations <- reported_deviations(x$loadings, x$factor)[-seq_along(x$sd)]
  if (length(correlations)) {
    print(structure(correlations, names = reported_names(names(x$sd), x$factor)[-seq_along(x$sd)]), digits = digits)
  }
  if (general) {
    cat("\nCoefficients:\n")
    print(coef(x), digits = digits)
  } else {
    print_coefficients(x, digits)
  }
  cat("\n", counted(x$n_obs, "observation"), ", ", counted(length(x$levels), "level"),
      ", log likelihood ", format(x$loglik, nsmall = 2), " (",
      if (x$nAGQ == 1) "Laplace" else paste(x$nAGQ, "nodes"), ")\n", sep = "")
  cat_trouble(x)
  invisible(x)
}

#' @rdname pom-mixed-methods
#' @export
summary.judicious_pom_mixed <- function(object, ...) {
  out <- NextMethod()
  out$random <- VarCorr(object)
  out$nAGQ <- object$nAGQ
  if (out$nAGQ == 1) out$laplace_error <- laplace_error(object)
  structure(out, class = c("judicious_pom_mixed_summary", class(out)))
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
  cat("Random effects integrated by ", integral_text(x), "\n", sep = "")
  invisible(x)
}

# step() replaces the formula by fixed terms; the random terms do not change.
#' @export
formula.judicious_pom_mixed <- function(x, ...) {
  if (has_random_terms(x$formula)) return(x$formula)
  whole <- x$random_formula
  bars <- lapply(bar_calls(whole[[length(whole)]]), function(bar) call("(", bar))
  fixed <- x$formula
  attributes(fixed) <- list(class = "formula", .Environment = environment(x$formula))
  fixed[[length(fixed)]] <- Reduce(function(a, b) call("+", a, b), c(fixed[[length(fixed)]], bars))
  fixed
}

# Only fixed terms are candidates: `1 | group` in a scope formula is not.
#' @export
add1.judicious_pom_mixed <- function(object, scope, ...) {
  if (!is.character(scope)) scope <- add.scope(object, update.formula(formula(object), scope))
  add1_default <- utils::getS3method("add1", "default")
  add1_default(object, scope[!grepl("|", scope, fixed = TRUE)], ...)
}

# The Laplace log likelihood minus that of 25 nodes, at the estimates.
laplace_error <- function(object) {
  if (!has_quadrature(object$effect_design)) return(NA_real_)
  problem <- problem_of(object, link = object$link)
  psi <- c(problem$to_core %*% object$parameters[problem$names], object$loadings)
  value <- function(n) mixed_laplace_cpp(problem$model, problem$effects, psi, hermite_rule(n))$value
  value(1) - value(25)
}
