#' Fit a mixed ordinal model
#'
#' Fits a proportional-odds model with random effects, \deqn{\log\frac{P(Y \ge l_j)}{P(Y < l_j)} = \alpha_j + x'\beta +
#' \sum_t \sigma_t z_t'u_t, \quad u_t \sim N(0, I),}{log(P(Y >= l_j) / P(Y < l_j)) = alpha_j + x'beta + sum_t sigma_t
#' z_t'u_t, u_t ~ N(0, I),} where \eqn{t} runs over the random terms, or any other model of [pom()] with such effects.
#' Use it for responses in groups, such as the judgments of a query. [pom()] calls it if there are random terms in its
#' formula.
#'
#' @section Random terms:
#' * `(1 | query)`: an effect of every level of `query`.
#' * `(1 | query:genre)`: an effect of every combination that occurs. `(1 | a/b)` is `(1 | a) + (1 | a:b)`. Terms may be
#'   nested or crossed in any way.
#' * `(1 + x | query)`: an intercept and a slope, which are correlated. `(1 + x || query)`: the same without
#'   correlation. `(0 + x | query)`: a slope alone.
#'
#' @section Method: Approximate maximum likelihood. The Laplace approximation of the log likelihood is \eqn{\log p(y |
#'   \hat u) - \hat u'\hat u / 2 - \log|H| / 2}{log p(y | u) - u'u / 2 - log|H| / 2}, where \eqn{\hat u}{u} are the
#'   modes of the effects and \eqn{H} their precision given the data (Breslow and Clayton, 1993). Section 3 of
#'   `vignette("methods")` describes the algorithm.
#'
#' @inheritParams pom
#' @param formula A formula with at least one random term, `response ~ terms + (1 | group)`.
#' @param data A data frame. `na.action` handles missing groups like other missing values.
#' @param link,nominal,scale,threshold As in [pom()]. With `scale`, the random effects are divided by the spread of the
#'   row, too.
#' @param ... Settings of [pom_control()], such as `sd` and `nAGQ`, which replace those in `control`.
#' @return A `judicious_pom_mixed`, which is also a [`judicious_pom`][pom()], with the additional elements
#' * `sd`: standard deviations named by term; `at_boundary`: whether they are estimated as 0; [VarCorr()] also returns
#'   correlations;
#' * `effects`: the modes of the effects; `random`: the terms and their levels; `mode_variance`: variances of the
#'   standardised effects given the data;
#' * `covariance`: that of thresholds and slopes; `full_covariance`: also that of standard deviations, NA for those not
#'   estimated;
#' * `linear_predictor`, with the random effects, and `fixed_predictor`, without them.
#'
#' `loglik` is the log likelihood by the Laplace approximation or by quadrature.
#' @section Error of the Laplace approximation: With two or three rows per group, or if nearly all rows of a group are
#'   at one level, estimates of standard deviations are biased, and log likelihoods of models with different random
#'   terms should not be compared. `summary()` states the error, the Laplace log likelihood minus the exact one: with
#'   at most three effects a group, by quadrature, and otherwise to second order (Shun and McCullagh, 1995, JRSS B 57,
#'   749-760). `nAGQ = 10` removes most of it.
#' @section Conditions: `judicious_message_boundary` names terms whose standard deviation is estimated as 0,
#'   `judicious_warning_convergence` parameters that the data do not determine. By quadrature: with more nodes, the log
#'   likelihood differs by at least 1e-5 (`judicious_message_quadrature`) or 0.005 (`judicious_warning_convergence`).
#'   Errors: `judicious_error_grouping`, `judicious_error_members`, `judicious_error_random_slopes`.
#' @references Breslow and Clayton (1993). JASA 88, 9-25.
#' @examples
#' set.seed(1)
#' d <- data.frame(query = gl(20, 10), x = rnorm(200))
#' d$gain <- cut(d$x + rnorm(20)[d$query] + rlogis(200), c(-Inf, -1, 1, Inf), labels = 0:2)
#' fit <- pom(gain ~ x + (1 | query), d)
#' summary(fit)
#' head(ranef(fit)$query)
#' @export
pom_mixed <- function(formula, data, weights, offset, subset, na.action, control = pom_control(), link = "logit",
                      nominal = NULL, scale = NULL, threshold = c("flexible", "equidistant", "symmetric"), ...) {
  user_call <- match.call()
  control <- merge_control(control, ...)
  if (is.character(formula)) user_call$formula <- formula <- as_model_formula(formula, parent.frame())
  abort_unless(has_random_terms(formula), c(
    "{.arg formula} has no random term.", i = "Add one, {.code (1 | group)}, or use {.fn pom}."), "formula")
  link <- check_link(link, control$link_parameter)
  threshold <- check_choice(threshold, c("flexible", "equidistant", "symmetric"), "threshold")
  nominal <- as_side_formula(nominal, parent.frame())
  scale <- as_side_formula(scale, parent.frame())
  call <- if (missing(data)) user_call else replace(user_call, "data", list(data))
  keep_call(pom_with_effects(call, parent.frame(), link, nominal, scale, threshold, control), user_call)
}

# Fits the model with random terms that a call of pom() or pom_mixed() describes.
pom_with_effects <- function(call, env, link, nominal, scale, threshold, control) {
  check_that(control$method == "ml", "method",
             "Models with random terms are fitted by maximum likelihood: leave {.arg method} out.")
  check_that(control$penalty <= 0, "penalty", "A {.arg penalty} on the slopes does not go with random terms.")
  start_progress("Fitting the model")
  parts <- mixed_design(call, env, control$contrasts, nominal, scale)
  threshold <- check_structure(threshold, length(parts$design$response$levels))
  term_labels <- names(parts$random)
  check_that(!is_correlated(parts$factor) || is.null(control$sd), "sd", c(
    "is for independent random effects.",
    i = "Write {.code ||} instead of {.code |} in random terms of several effects."))
  n_correlations <- length(parts$factor$row) - length(term_labels)
  fixed_sd <- c(check_fixed_sd(control$sd, term_labels), rep(NA_real_, n_correlations))
  nodes <- control$nAGQ
  check_count(nodes, "nAGQ")
  n_dependent <- if (nodes > 1) dependent_effects(parts$effects) else 1
  check_that(n_dependent <= 3, "nAGQ", c(
    "above 1 is for models with at most three random effects a group, such as {.code (1 + x | group)}.",
    i = "In this model, {format_count(n_dependent)} effects depend on each other: leave {.arg nAGQ} out for Laplace's
      approximation."))
  max_nodes <- c(100, 31, 10)[n_dependent]
  check_that(nodes <= max_nodes, "nAGQ", "must be at most {max_nodes} with {n_dependent} random effect{?s} a group.")
  problem <- mixed_problem(parts, link, threshold, control)
  fit <- new_pom_mixed(mixed_fit(problem, fixed_sd, nodes), parts, threshold, control, call)
  fit$nAGQ <- nodes
  report_mixed(fit)
  fit
}

# The input of the core, and the maximum without random effects, which is the starting point.
mixed_problem <- function(parts, link, threshold, control) {
  core <- core_model(parts$x, parts$n, parts$z, parts$design, link, threshold)
  n_levels <- length(parts$design$response$levels)
  is_plain <- core$has_plain_effects && link == "logit"
  logit <- if (is_plain) logit_fit(core$model, n_levels, control)
  plain <- if (!is_plain) maximise_general(core, control)
  separation <- if (is_plain && logit$separation == "none") no_separation else
    general_separation(core, parts$design, threshold, control, plain)
  c(core, parts[c("effects", "factor")], list(
    labels = names(parts$random), control = control, separation = separation,
    start = plain$parameters %||% start_from_logit(logit, core$model, core$structure)))
}

# The result of a fit in the form of general_result(), with the random effects.
mixed_fit <- function(problem, fixed_sd, nodes = 1) {
  fit <- maximise_mixed(problem, fixed_sd, nodes)
  link <- problem$model$link <- fit$link %||% problem$model$link
  link_name <- if (!is.null(fit$link_estimate)) link_coefficient(link, problem$names)
  fixed <- seq_along(problem$names)
  term_labels <- problem$labels
  sd_index <- seq_along(term_labels)
  effect_loadings <- fit$psi[-fixed]
  estimated <- fit$estimated | c(rep(FALSE, length(fixed)), fit$at_boundary)
  core <- core_estimates(fit$psi[fixed], NULL, problem, problem$units, if (length(link_name)) link)
  core$full_covariance <- mixed_covariance(fit, problem, link_name)
  core$covariance <- core$full_covariance[seq_along(core$parameters), seq_along(core$parameters), drop = FALSE]
  core$mode_sensitivity <- cbind(fit$mode_sensitivity * rep(problem$signs, each = length(fit$mode)),
                                 fit$link_sensitivity)
  c(problem[c("aliased", "structure", "has_plain_effects", "columns", "nominal_columns", "scale_columns", "factor",
              "separation")], list(
    parameters = stats::setNames(c(drop(problem$units %*% fit$psi[fixed]), if (length(link_name)) link_parameter(link)),
                                 c(problem$names, link_name)),
    link = link, link_name = link_name, link_at_edge = isTRUE(fit$at_edge),
    loglik = fit$loglik, loadings = effect_loadings,
    sd = structure(reported_deviations(effect_loadings, problem$factor)[sd_index], names = term_labels),
    at_boundary = structure(fit$at_boundary[sd_index], names = term_labels),
    estimated_sd = structure(fit$estimated[-fixed][sd_index], names = term_labels),
    mode = fit$mode, mode_variance = fit$mode_variance,
    mode_sensitivity = cbind(fit$mode_sensitivity %*% problem$to_core, fit$link_sensitivity),
    curvature = fit$curvature, core = core, full_covariance = by_units(core$full_covariance, core$units),
    df = sum(estimated) + !is.null(fit$link), integral_error = integral_error(fit, problem, nodes),
    convergence = list(
      higher_far_from_zero = higher_far_from_zero(fit, problem, fixed_sd, nodes),
      status = fit$status, iterations = fit$iterations, evaluations = fit$evaluations, decrement = fit$decrement,
      max_gradient = max(abs(fit$gradient[fit$estimated])),
      steepest = which(fit$estimated)[which.max(abs(fit$gradient[fit$estimated]))],
      undetermined = weakest_parameters(fit))))
}

# The error of quadrature at the estimates: the log likelihood minus that with more than twice as many nodes.
integral_error <- function(raw, problem, nodes) {
  if (nodes == 1) return(NA_real_)
  value <- function(n) mixed_laplace_cpp(problem$model, problem$effects, raw$psi, hermite_rule(n))$value
  value(nodes) - value(2 * nodes + 1)
}

# Whether a maximum at which a standard deviation is 0 is not the highest: with few rows, the likelihood may be higher
# at large standard deviations.
higher_far_from_zero <- function(raw, problem, fixed_sd, nodes) {
  if (!any(raw$at_boundary) || is_correlated(problem$factor) || nrow(problem$model$location) >= 20 * length(raw$psi))
    return(FALSE)
  raw_mixed_fit(problem, ifelse(raw$at_boundary, 3, fixed_sd), nodes)$loglik > raw$loglik
}

raw_mixed_fit <- function(problem, fixed_sd, nodes) {
  mixed_fit_cpp(problem$model, problem$effects, problem$start, fixed_sd, hermite_rule(nodes), problem$control)
}

# Maximises the likelihood. If a link's parameter is estimated, the result also has the elements of fit_link(), and in
# `link_sensitivity` minus the derivatives of the modes with respect to the parameter.
maximise_mixed <- function(problem, fixed_sd, nodes) {
  if (!is_estimated_link(problem$model$link)) return(raw_mixed_fit(problem, fixed_sd, nodes))
  fixed <- seq_along(problem$names)
  with_link <- function(link) replace(problem$model, "link", link)
  fit_at <- function(link, start) {
    problem_with_link <- replace(problem, c("model", "start"), list(with_link(link), (start %||% problem$start)[fixed]))
    core_fit <- raw_mixed_fit(problem_with_link, fixed_sd, nodes)
    c(core_fit, list(parameters = core_fit$psi))
  }
  value_at <- function(link, psi) mixed_laplace_cpp(with_link(link), problem$effects, psi, hermite_rule(nodes))$value
  core_fit <- fit_link(problem$model$link, fit_at, value_at)
  if (is.null(core_fit$link_estimate)) return(core_fit)
  problem[c("start", "control")] <- list(core_fit$psi[fixed], replace(problem$control, "max_iterations", 0L))
  mode_at <- function(parameter) {
    problem$model <- with_link(link_with(core_fit$link, parameter))
    raw_mixed_fit(problem, core_fit$psi[-fixed], nodes)$mode
  }
  problem_with_link <- link_parameter(core_fit$link)
  h <- 1e-3 * max(abs(problem_with_link), 0.1)
  c(core_fit, list(link_sensitivity = (mode_at(problem_with_link - h) - mode_at(problem_with_link + h)) / (2 * h)))
}

# The covariance of the coefficients for the columns of the core and of standard deviations, from the Hessian of the
# Laplace log likelihood. The parameter of an estimated link is added by the method of in_user_units().
mixed_covariance <- function(raw, problem, link_name) {
  fixed <- seq_along(problem$names)
  jacobian <- diag(c(problem$signs, rep(1, length(raw$psi) - length(fixed))))
  if (is_correlated(problem$factor)) jacobian[-fixed, -fixed] <- deviation_jacobian(raw$psi[-fixed], problem$factor)
  deviations <- reported_names(problem$labels, problem$factor)
  estimated <- c(problem$names, deviations)[raw$estimated]
  jacobian <- jacobian[raw$estimated, raw$estimated, drop = FALSE]
  par_names <- c(problem$names, link_name, deviations)
  out <- matrix(NA_real_, length(par_names), length(par_names), dimnames = list(par_names, par_names))
  inverse <- tryCatch(solve(-raw$hessian), error = function(e) NULL)
  if (is.null(inverse)) return(out)
  known <- c(estimated, link_name)
  out[known, known] <- with_link_variance(inverse, raw$link_estimate, jacobian, raw$estimated)
  out
}

# The derivatives of standard deviations and correlations with respect to the elements of the Cholesky factors.
deviation_jacobian <- function(loadings, factor) {
  columns <- vapply(seq_along(loadings), function(k) {
    h <- replace(numeric(length(loadings)), k, 1e-6 * max(abs(loadings)))
    (reported_deviations(loadings + h, factor) - reported_deviations(loadings - h, factor)) / (2 * h[k])
  }, numeric(length(loadings)))
  matrix(columns, length(loadings))
}

# The parameters that the data determine least: those that change most in the direction in which the objective has the
# least curvature (relative to the diagonal). Parameters are included if they change by at least half as much as the one
# that changes most.
weakest_parameters <- function(raw) {
  if (raw$status != "singular" || !all(is.finite(raw$hessian))) return(integer())
  root_diagonal <- sqrt(pmax(abs(diag(raw$hessian)), 1e-300))
  vectors <- eigen(-raw$hessian / outer(root_diagonal, root_diagonal), symmetric = TRUE)$vectors
  moves <- abs(vectors[, ncol(vectors)])
  which(raw$estimated)[moves >= max(moves) / 2]
}

# The fitted object: like that of new_general(), with the random effects. The class judicious_pom_general marks models
# other than proportional-odds models, for which some methods are not defined.
new_pom_mixed <- function(fit, parts, threshold, control, call) {
  parameter_names <- colnames(fit$full_covariance)
  fixed <- names(fit$parameters)
  fit$covariance <- fit$full_covariance[fixed, fixed, drop = FALSE]
  object <- new_general(fit, parts, threshold, control, call)
  in_core <- setdiff(parameter_names, fit$link_name)
  object$convergence[c("steepest", "undetermined")] <-
    list(in_core[fit$convergence$steepest], in_core[fit$convergence$undetermined])
  object$fixed_predictor <- object$linear_predictor
  object$random <- parts$random
  object$effect_design <- parts$effects
  # Converts standardised effects to effects, for all levels of each term.
  standardised <- split(fit$mode, parts$effects$term)
  object$effects <- Map(function(r, term) {
    of_term <- lapply(which(fit$factor$row == r), function(k) fit$loadings[k] * standardised[[fit$factor$column[k]]])
    structure(unname(Reduce(`+`, of_term)), names = term$levels)
  }, stats::setNames(seq_along(object$random), names(fit$sd)), object$random)
  object$linear_predictor <- object$fixed_predictor + effect_predictor(object, effect_rows(object, NULL))
  object$random_formula <- object$formula
  kind <- if (!fit$has_plain_effects || fit$link != "logit") "judicious_pom_general"
  structure(object, class = c("judicious_pom_mixed", kind, "judicious_pom"))
}

check_fixed_sd <- function(sd, labels) {
  out <- rep(NA_real_, length(labels))
  if (is.null(sd)) return(out)
  sd_terms <- names(sd) %||% labels
  named <- length(sd_terms) == length(sd) && all(sd_terms %in% labels) && !anyDuplicated(sd_terms)
  # In `sd`, NA marks a standard deviation that is to be estimated.
  check_that(named && is.numeric(sd) && !any(sd < 0 | is.infinite(sd), na.rm = TRUE), "sd", c(
    "must be standard deviations, not negative, named by random terms.",
    i = "The terms are {.val {labels}}."))
  out[match(sd_terms, labels)] <- sd
  out
}

report_mixed <- function(fit) {
  if (length(fit$aliased)) report_aliased(fit$aliased)
  report_link(fit)
  report_integral(fit)
  warn_crossing(fit)
  if (fit$separation != "none") warn_separation(fit)
  singular <- names(fit$sd)[fit$at_boundary & fit$sd > 0]
  if (length(singular))
    inform_judicious("The likelihood is highest where the random effects of {.val {singular}} are determined by those
      that they are correlated with: a correlation is 1 or -1.", "boundary", terms = singular)
  at_zero <- names(fit$sd)[fit$at_boundary & fit$sd == 0]
  if (length(at_zero)) {
    inform_judicious(c(
      "{cli::qty(at_zero)}The likelihood is highest with the standard deviation{?s} of {.val {at_zero}} at 0: {?this
        term/these terms} explain{?s/} nothing that the rest does not.",
      i = "The fit equals the one without {cli::qty(at_zero)}{?it/them}."), "boundary", terms = at_zero)
  }
  about <- fit$convergence
  if (about$higher_far_from_zero && fit$separation == "none")
    warn_judicious("The standard deviation{?s} of {.val {at_zero}} {?is/are} not determined by the data: the likelihood
      is higher at 3 than at the local maximum at 0.", "convergence", status = "undetermined", parameters = at_zero)
  if (fit$separation != "none") return(invisible(fit))
  warn_status(about, "The likelihood does not curve down in every direction at the fit:
    {cli::qty(about$undetermined)}{.val {about$undetermined}} {?is/are} not determined by the data.", "The largest
    gradient is {signif(about$max_gradient, 3)}, at {.val {about$steepest}}, the Newton decrement
    {signif(about$decrement, 3)}.", parameters = about$undetermined)
  invisible(fit)
}

# Reports the error of quadrature if it is at least 1e-5: in a message or, from 0.005 on, in a warning. summary() states
# the error of the Laplace approximation.
report_integral <- function(fit) {
  error <- abs(fit$integral_error)
  if (is.na(error) || error < 1e-5) return(invisible(fit))
  text <- c("The log likelihood by quadrature with {fit$nAGQ} nodes is off by about {signif(error, 2)}.",
            i = "Raise {.arg nAGQ}: a standard deviation of {signif(max(fit$sd), 3)} is large for so few rows a group.")
  if (error < 0.005) inform_judicious(text, "quadrature", error = error) else
    warn_judicious(text, "convergence", status = "quadrature", error = error)
}

# The standard deviations that were fixed; NA for those to estimate, and for correlations, which are always estimated.
known_deviations <- function(object) {
  c(unname(ifelse(object$estimated_sd | object$at_boundary, NA_real_, object$sd)),
    rep(NA_real_, length(object$loadings) - length(object$sd)))
}

# The result of mixed_problem() for a fitted model. Profiles use it with other columns and another offset.
problem_of_fit <- function(object, x = object$columns, offset = object$offset, link = requested_link(object)) {
  mixed_problem(parts_of_fit(object, x, offset), link, object$threshold, object$control)
}
