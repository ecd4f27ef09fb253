# Models that pom_fit_cpp(), the fast path of pom(), does not fit: with an estimated link, structured thresholds,
# nominal effects or scale effects.

# Whether the model needs pom_general(). The fast path, pom_fit_cpp(), supports only a known link, flexible thresholds
# and common slopes.
is_beyond_fast_path <- function(link, nominal, scale, threshold) {
  is_estimated_link(link) || threshold != "flexible" || !is.null(nominal) || !is.null(scale)
}

pom_general <- function(call, env, link, nominal, scale, threshold, control) {
  parts <- general_parts(call, env, nominal, scale, control$contrasts, sparse = !is_bias_reduced(control))
  threshold <- check_structure(threshold, length(parts$design$response$levels))
  fit <- fit_parts(parts, link, threshold, control, call)
  report_general(fit)
  fit
}

fit_parts <- function(parts, link, threshold, control, call = NULL) {
  fit <- general_fit(parts$x, parts$n, parts$z, parts$design, link, threshold, control)
  new_general(fit, parts, threshold, control, call)
}

# Model matrices of the three formulas, for the rows that are complete in all of them.
general_parts <- function(call, env, nominal, scale, contrasts, sparse = FALSE) {
  model_formula <- eval(call$formula, env)
  if ("." %in% all.vars(model_formula)) model_formula <- formula(terms(model_formula, data = call$data))
  frame_call <- call
  frame_call$formula <- with_sides(model_formula, nominal, scale)
  design <- pom_design(frame_call, env, contrasts, sparse)
  model_terms <- terms(model_formula)
  compact <- if (sparse && is_sparse(design$x)) sparse_columns(model_terms, design$frame, contrasts)
  parts <- side_matrices(model_terms, nominal, scale, design$frame, contrasts, compact)
  design[c("offset", "scale_offset")] <- parts[c("offset", "scale_offset")]
  c(parts, list(design = design, formula = model_formula, frame_call = frame_call, frame_terms = design$terms))
}

# Converts text to a formula; anything else, such as the bare name of a column, is left to check_side_formula().
as_side_formula <- function(side, env) {
  side <- tryCatch(side, error = identity)
  if (!is.character(side) || length(side) != 1) return(side)
  if (!grepl("~", side, fixed = TRUE)) side <- paste("~", side)
  tryCatch(as.formula(side, env = env), error = function(cnd) side)
}

# The columns of location (x), single thresholds (n, whose first column is 1) and scale (z), with the offsets of
# location and scale. `location_columns`: x, if the model matrix exists already.
side_matrices <- function(location, nominal, scale, frame, contrasts, location_columns = NULL) {
  sides <- list(location = location, nominal = if (!is.null(nominal)) terms(nominal),
                scale = if (!is.null(scale)) terms(scale))
  columns <- lapply(sides[-1], side_columns, frame, contrasts)
  columns$location <- location_columns %||% side_columns(location, frame, contrasts)
  used <- do.call(c, unname(lapply(columns, attr, "contrasts")))
  row_offset <- sum_offsets(list(frame[["(offset)"]], side_offset(location, frame)))
  scale_offset <- side_offset(sides$scale, frame)
  check_finite(scale_offset, "offset in scale")
  list(x = without_intercept(columns$location), n = cbind(`(Intercept)` = 1, without_intercept(columns$nominal)),
       z = without_intercept(columns$scale), sides = sides, offset = row_offset, scale_offset = scale_offset,
       contrasts = used[!duplicated(names(used))])
}

# The sum of a formula's offset() terms, NULL where it has none.
side_offset <- function(terms, frame) {
  offset_index <- attr(terms, "offset")
  if (length(offset_index)) sum_offsets(lapply(variable_names(terms)[offset_index], function(name) frame[[name]]))
}

sum_offsets <- function(offsets) {
  offsets <- Filter(Negate(is.null), offsets)
  if (length(offsets)) as.double(Reduce(`+`, offsets))
}

without_intercept <- function(x) x[, colnames(x) != "(Intercept)", drop = FALSE]

#' Fit a model to matrices
#'
#' @param x,n,z Location (no intercept), nominal (first column 1) and scale (no intercept) matrices.
#' @param design With `response`, `weights`, `offset` and `scale_offset`, as by general_parts().
#' @return Coefficients in the user's units with their covariance, and what the fit tells of itself.
#' @noRd
general_fit <- function(x, n, z, design, link, threshold, control) {
  penalty <- control$penalty
  core <- core_model(x, n, z, design, link, threshold, penalty,
                     center_scale = !is_bias_reduced(control) && penalty == 0 && !any(design$offset %||% 0 != 0))
  core_fit <- maximise_general(core, control)
  general_result(core, core_fit, general_separation(core, design, threshold, control, core_fit))
}

# The result of a fit by the core, converted to the user's scale. If the data are separated, the columns of the core are
# not kept: in a rotated basis, the variance of a coefficient without a maximum would spread to the others.
general_result <- function(core, raw, separation) {
  found <- in_user_units(raw, core)
  parameter_names <- c(core$names, found$link_name)
  c(core[c("aliased", "structure", "columns", "nominal_columns", "scale_columns")], list(
    parameters = stats::setNames(found$parameters, parameter_names),
    covariance = structure(found$covariance, dimnames = list(parameter_names, parameter_names)),
    core = if (separation$kind == "none") found$core, separation = separation,
    loglik = raw$loglik, df = raw$df + length(found$link_name) + isTRUE(raw$at_edge),
    link = raw$link, link_name = found$link_name, link_at_edge = isTRUE(raw$at_edge),
    convergence = c(raw[c("status", "iterations", "decrement", "max_gradient", "reciprocal_condition")],
                    doubtful = is_doubtful(raw, core$model$weights))))
}

is_bias_reduced <- function(control) control$method == "bias_reduced"

# Separation does not depend on the link: along a direction in which no row becomes less likely, the likelihood
# increases without bound for every link. With common slopes and flexible thresholds, the check for the logit therefore
# applies. `raw` is the fit.
general_separation <- function(core, design, threshold, control, raw) {
  if (is_bias_reduced(control) || control$penalty > 0) return(no_separation)
  if (core$n_effects > 0 || threshold != "flexible") {
    if (is_sparse(core$columns) || !is_doubtful(raw, core$model$weights)) return(no_separation)
    return(model_separation(core))
  }
  level_names <- design$response$levels
  logit <- fit_columns(core$columns, core$model$y, length(level_names), core$model$weights, design$offset,
                       control = pom_control())
  list(kind = logit$separation,
       coefficients = c(paste0(">=", level_names[-1])[logit$separated$thresholds], logit$separated$slopes))
}

# Whether a fit ends at a point that is not clearly a maximum. With columns of unit spread and weights of 1, a standard
# error of 100 means that the likelihood is flat there.
is_doubtful <- function(raw, weights) {
  largest <- max(diag(raw$covariance)) * weight_unit(weights)
  raw$status != "converged" || !is.finite(largest) || largest > 100^2 || raw$reciprocal_condition < 1e-10
}

# Maximises the likelihood, also over the link's parameter if it is to be estimated.
maximise_general <- function(core, control) {
  model <- core$model
  n_levels <- nrow(model$structure) + 1
  with_link <- function(link) replace(model, "link", link)
  control <- in_weight_unit(control, model$weights)
  # With flexible thresholds and common slopes, pom_fit_cpp(), which accepts only a known link, is faster; it is called
  # for each value of the parameter that is tried.
  plain <- is_estimated_link(model$link) && core$has_plain_effects
  x <- model$location
  if (is.list(x))
    x <- Matrix::sparseMatrix(x$i, p = x$p, x = x$x, dims = c(length(model$y), n_slopes(model)), index1 = FALSE)
  fit_at <- function(link, start) {
    if (plain) {
      control[c("link", "method")] <- list(link, "ml")
      control$start <- start
      fit <- if (!is_sparse(x)) pom_fit_cpp(x, 0L, model$y, n_levels, model$weights, model$offset, control) else
        fit_compressed(x, 0L, model$y, n_levels, model$weights, model$offset, control)
    }
    if (!plain || is.null(fit)) return(best_general_fit(with_link(link), core$structure, n_levels, control, start))
    c(fit, list(parameters = c(fit$theta, replace(numeric(ncol(x)), fit$column, fit$beta))))
  }
  value_at <- function(link, parameters) {
    if (!plain) return(cumulative_link_pass_cpp(with_link(link), parameters)$value)
    thresholds <- seq_len(n_levels - 1)
    eta <- as.vector(x %*% parameters[-thresholds]) + model$offset
    pom_pass_cpp(matrix(0, length(eta), 0), model$y, n_levels, model$weights, eta, numeric(), numeric(),
                 parameters[thresholds], link, 1L)$value
  }
  with_covariance(if (is_estimated_link(model$link)) fit_link(model$link, fit_at, value_at) else
    c(fit_at(model$link, NULL), list(link = model$link)))
}

# Adds the covariance for a known link: the inverse of the information. The information is one matrix, or a list of
# blocks if thresholds and centred columns are kept separately.
with_covariance <- function(fit) {
  if (is.list(fit$information)) {
    fit$covariance <- pom_covariance_cpp(fit$information, fit$center, fit$scale)
    return(fit)
  }
  fit$covariance <- tryCatch(invert_information(fit$information), error = function(cnd) fit$information * NaN)
  size <- sqrt(pmax(diag(fit$information), 0))
  has_diagonal <- all(is.finite(size) & size > 0)
  fit$reciprocal_condition <- if (has_diagonal) rcond(fit$information / outer(size, size)) else 0
  fit
}

# Whether the likelihood may have several maxima, of which the first found may not be the highest. Other likelihoods are
# concave; with many rows, the maximum near the first start is the highest.
may_have_maxima <- function(model, start) {
  (ncol(model$scale) > 0 || !link_traits_cpp(model$link)$is_log_concave) && sum(model$weights > 0) < 20 * length(start)
}

# If a fit does not end at a clear maximum, or the likelihood may have a higher one, the other starting point is tried
# as well.
best_general_fit <- function(model, structure, n_levels, control, from = NULL) {
  fit_from <- function(start_values) cumulative_link_fit_cpp(model, start_values, model$penalty, control)
  best <- NULL
  # The likelihood of the Cauchy distribution, and of t distributions with few degrees of freedom, has several maxima:
  # try the one near the logit fit first.
  starts <- if (is_bias_reduced(control)) list(marginal_start) else
    if (link_traits_cpp(model$link)$is_log_concave) list(marginal_start, logit_start) else
      list(logit_start, marginal_start)
  for (start in c(if (!is.null(from)) function(...) from, starts)) {
    start_values <- start(model, structure, n_levels, control)
    fit <- fit_from(start_values)
    best <- higher_fit(best, fit)
    if (fit$status == "converged" && !may_have_maxima(model, start_values)) break
  }
  if (is_bias_reduced(control)) best else higher_maximum(best, model, fit_from)
}

higher_fit <- function(best, fit, margin = 0) if (is.null(best) || fit$loglik > best$loglik + margin) fit else best

# With few rows, models with scale effects can have local maxima with effects of either sign, so the fit is repeated
# from the opposite signs.
higher_maximum <- function(best, model, fit_from) {
  if (!ncol(model$scale) || !may_have_maxima(model, best$parameters)) return(best)
  scale_places <- length(best$parameters) - seq_len(ncol(model$scale)) + 1
  higher_fit(best, fit_from(replace(best$parameters, scale_places, -best$parameters[scale_places])), 1e-6)
}

# The starting parameters: those of the structure whose thresholds are nearest to `theta` in least squares. Distances
# between thresholds that would be below 0.1 are set to 0.1.
structured_start <- function(theta, structure) {
  distances <- structure$sign > 0
  if (!any(distances)) return(theta)  # flexible
  psi <- qr.solve(structure$matrix, theta)
  psi[distances] <- pmax(psi[distances], 0.1)
  psi
}

# A starting point without effects: thresholds such that the probabilities of the levels are their shares of the data.
marginal_start <- function(model, structure, n_levels, control) {
  total <- vapply(seq_len(n_levels), function(j) sum(model$weights[model$y == j]), 0)
  psi <- structured_start(link_quantile_cpp(model$link, cumsum(total)[-n_levels] / sum(total), TRUE), structure)
  c(psi, numeric(length(psi) * (ncol(model$nominal) - 1) + n_slopes(model) + ncol(model$scale)))
}

n_slopes <- function(model) if (is.list(model$location)) length(model$location$p) - 1 else ncol(model$location)

# A starting point from the thresholds and slopes of the logit fit by pom_fit_cpp().
logit_start <- function(model, structure, n_levels, control) {
  if (is.list(model$location)) return(marginal_start(model, structure, n_levels, control))
  start_from_logit(logit_fit(model, n_levels, control), model, structure)
}

logit_fit <- function(model, n_levels, control) {
  control[c("method", "penalty")] <- list("ml", 0)
  pom_fit_cpp(model$location, 0L, model$y, n_levels, model$weights, model$offset, control)
}

start_from_logit <- function(fit, model, structure) {
  psi <- structured_start(fit$theta, structure)
  c(psi, numeric(length(psi) * (ncol(model$nominal) - 1)), replace(numeric(ncol(model$location)), fit$column, fit$beta),
    numeric(ncol(model$scale)))
}

new_general <- function(fit, parts, threshold, control, call) {
  design <- parts$design
  n_free <- length(fit$structure$names)
  n_psi <- n_free * ncol(fit$nominal_columns)
  object <- fit
  object$beta <- stats::setNames(rep(NA_real_, ncol(parts$x)), colnames(parts$x))
  object <- set_general_parameters(object, fit$parameters)
  object$coef_type <- rep(c("threshold", "nominal", "slope", "scale", "link"),
                          c(n_free, n_psi - n_free, ncol(parts$x), ncol(fit$scale_columns), length(fit$link_name)))
  object[c("levels", "level_values", "y")] <- design$response[c("levels", "values", "codes")]
  names(object$alpha) <- paste0(">=", object$levels[-1])
  check_not_thresholds(object)
  copied <- c("weights", "offset", "scale_offset", "xlevels", "na.action", "source")
  object[copied] <- design[copied]
  object$model <- if (control$model) design$frame
  object$linear_predictor <- linear_predictor(fit$columns, object$beta, design$offset)
  object$n_obs <- count_observations(design$weights, nrow(parts$x))
  object$df_residual <- object$n_obs - fit$df
  object[c("separation", "separated")] <- fit$separation[c("kind", "coefficients")]
  for (part in c("formula", "sides", "frame_terms", "frame_call", "contrasts")) object[[part]] <- parts[[part]]
  if (!is.null(parts$sides)) object$terms <- structure(parts$sides$location, .Environment = environment(parts$formula))
  object[c("threshold", "call", "control", "method")] <- list(threshold, call, control, control$method)
  structure(object, class = c("judicious_pom_general", "judicious_pom"))
}

# Sets all coefficients of a fit, given in the order of coef() without aliased ones.
set_general_parameters <- function(object, parameters) {
  n_free <- length(object$structure$names)
  n_psi <- n_free * ncol(object$nominal_columns)
  p <- ncol(object$columns)
  psi <- matrix(parameters[seq_len(n_psi)] * object$structure$sign, n_free)
  object$parameters <- parameters
  object$alpha <- stats::setNames(-drop(object$structure$matrix %*% psi[, 1]), names(object$alpha))
  object$beta[colnames(object$columns)] <- parameters[n_psi + seq_len(p)]
  object$coefficients <- c(parameters[seq_len(n_psi)], object$beta, parameters[-seq_len(n_psi + p)])
  if (length(object$link_name)) object$link <- link_with(object$link, parameters[[length(parameters)]])
  object
}

report_general <- function(fit) {
  if (length(fit$aliased)) report_aliased(fit$aliased)
  report_link(fit)
  if (fit$separation != "none") return(warn_separation(fit))
  scale_at_center <- exp(sum(fit$core$basis$scale$center * scale_effects(fit)))
  if (scale_at_center == 0 || !all(is.finite(known_coefficients(fit)))) {
    warn_judicious(c("Thresholds and slopes, which are those at 0 in the columns of {.arg scale}, are too
      {if (scale_at_center == 0) 'small' else 'large'} for numbers: 0 is too far from the data.", i = "Centre the
      columns, as in {.code scale = ~ I(x - mean(x))}."), "convergence", status = "overflow")
  }
  warn_crossing(fit)
  if (fit$convergence$doubtful) {
    flat <- which.max(abs(known_coefficients(fit)))
    warn_judicious(c(
      "The fit has no clear maximum: it
        {if (fit$convergence$status == 'converged') 'ends where the likelihood is flat' else
        paste('stopped:', gsub('_', ' ', fit$convergence$status))} after {fit$convergence$iterations} iteration{?s}.",
      i = "The largest coefficient is {.val {names(flat)}}, {signif(known_coefficients(fit)[flat], 3)}: separated data,
        or too many effects on thresholds or scale, let coefficients run off."
    ), "convergence", status = fit$convergence$status)
  }
  invisible(fit)
}

# The result of general_parts() for a fitted model, with other location columns and another offset.
parts_of_fit <- function(object, x = object$columns, offset = object$offset) {
  design <- list(response = list(codes = object$y, levels = object$levels, values = object$level_values),
                 weights = object$weights, offset = offset, scale_offset = object$scale_offset)
  list(x = without_intercept(x), n = object$nominal_columns, z = object$scale_columns, design = design,
       scale_offset = object$scale_offset, random = object$random, factor = object$factor,
       effects = object$effect_design)
}

# Adds to a fit of the fast path the fields of other models, so that methods can treat both alike.
as_general <- function(fit) {
  if (!is.null(fit$parameters)) return(fit)
  fit$columns <- kept_columns(fit)
  n <- nrow(fit$columns)
  fit$structure <- threshold_structure("flexible", fit$levels)
  fit$nominal_columns <- matrix(1, n, 1)
  fit$scale_columns <- matrix(0, n, 0)
  fit$parameters <- c(fit$alpha, fit$beta[!is.na(fit$beta)])
  fit
}

# Some rows of a fit, in the form that the core accepts.
general_model <- function(object, rows = TRUE, weights = row_weights(object)) {
  chosen_rows <- function(m) unname(m[rows, , drop = FALSE]) + 0
  chosen_values <- function(x) if (is.null(x)) numeric(sum(weights[rows] >= 0)) else as.double(unname(x[rows]))
  list(link = object$link, structure = object$structure$matrix, nominal = chosen_rows(object$nominal_columns),
       location = chosen_rows(dense_columns(object$columns)), scale = chosen_rows(object$scale_columns),
       y = ifelse(is.na(object$y), 1L, object$y)[rows], weights = as.double(weights[rows]),
       offset = chosen_values(object$offset), scale_offset = chosen_values(object$scale_offset))
}

# The signs that convert coefficients to the core's parameters, which have thresholds theta = -alpha.
signs_for_core <- function(object) {
  signs <- rep(1, length(object$parameters) - length(object$link_name))
  psi <- seq_len(length(object$structure$sign) * ncol(object$nominal_columns))
  replace(signs, psi, rep(object$structure$sign, length.out = length(psi)))
}

# The parameters in the form of the core, with thresholds theta.
internal_parameters <- function(object) {
  signs <- signs_for_core(object)
  unname(object$parameters)[seq_along(signs)] * signs
}

# For all rows and thresholds (rows x thresholds), the difference theta_ij - eta_i, divided by the row's scale. `parts`
# has the columns of the rows.
general_limits <- function(object, parts, eta) {
  if (is.null(object$parameters)) return(outer(-eta, -unname(object$alpha), `+`))
  n <- parts$nominal_columns
  threshold_index <- seq_len(length(object$structure$sign) * ncol(n))
  theta <- object$structure$matrix %*% matrix(internal_parameters(object)[threshold_index], ncol = ncol(n))
  (tcrossprod(n, theta) - eta) * exp(-log_scale(object, parts))
}

# The log of the scale in each row of `parts`.
log_scale <- function(object, parts = object) {
  drop(parts$scale_columns %*% scale_effects(object)) + (parts$scale_offset %||% 0)
}

scale_effects <- function(object) {
  object$parameters[coefficient_types(object)[!is.na(object$coefficients)] == "scale"]
}

# The rows in which nominal effects make thresholds cross.
crossing_rows <- function(limits, parts) {
  if (NCOL(parts$nominal_columns) < 2) return(NULL)
  which(rowSums(limits[, -1, drop = FALSE] < limits[, -ncol(limits), drop = FALSE], na.rm = TRUE) > 0)
}

warn_crossing <- function(object, parts = object, type = "prob") {
  if (type == "link" || NCOL(parts$nominal_columns) < 2) return(invisible())
  n <- length(crossing_rows(general_limits(object, parts, 0), parts))
  if (n > 0) warn_judicious(c("The thresholds of {n} row{?s} cross, because of nominal effects: the model has no valid
    probabilities there.", i = "{.fn predict} sorts the thresholds of such a row."), "crossing", rows = n)
}

# Predictions for rows with the columns of `parts` and the linear predictor `eta`; NA where something is missing.
from_linear_predictor <- function(object, eta, type, parts = object) {
  if (type == "link") return(eta)
  at_once <- max(1, 1e6 %/% length(object$levels))
  if (type %in% c("mean", "variance", "class") && length(eta) > at_once) {
    # Predictions of these types have one number per row. Rows are predicted in blocks, because a continuous response
    # has as many levels as rows, so the probabilities of all rows would need too much memory.
    blocks <- split(seq_along(eta), (seq_along(eta) - 1) %/% at_once)
    return(do.call(c, unname(lapply(blocks, function(rows) {
      chosen <- lapply(parts[c("nominal_columns", "scale_columns")], function(columns) columns[rows, , drop = FALSE])
      from_linear_predictor(object, eta[rows], type, c(chosen, list(scale_offset = parts$scale_offset[rows])))
    }))))
  }
  limits <- unname(general_limits(object, parts, eta))
  valid <- !is.na(rowSums(limits))
  limits <- limits[valid, , drop = FALSE]
  for (row in crossing_rows(limits, parts)) limits[row, ] <- sort(limits[row, ])
  prob <- if (type != "cumulative") cumulative_link_probabilities_cpp(object$link, limits)
  from_probabilities(object, eta, type, prob, if (type == "cumulative") link_cdf_cpp(object$link, limits, FALSE), valid)
}

# Converts the probabilities of the levels (`prob`), or those of being above each threshold (`above`), to predictions of
# a type. Predictions of rows that are not `valid` are NA.
from_probabilities <- function(object, eta, type, prob, above, valid = !is.na(prob[, 1])) {
  if (!is.null(prob) && nrow(prob) > sum(valid)) prob <- prob[valid, , drop = FALSE]
  if (!is.null(above) && nrow(above) > sum(valid)) above <- above[valid, , drop = FALSE]
  values <- as.matrix(switch(type,
    prob = structure(prob, dimnames = list(NULL, object$levels)),
    cumulative = structure(above, dimnames = list(NULL, paste0(">=", object$levels[-1]))),
    class = max.col(prob, ties.method = "first"),
    mean = prob %*% object$level_values,
    variance = rowSums(prob * outer(-drop(prob %*% object$level_values), object$level_values, `+`)^2)))
  out <- matrix(NA, length(eta), ncol(values), dimnames = list(names(eta), colnames(values)))
  out[valid, ] <- values
  switch(type, class = factor(object$levels[out], levels = object$levels, ordered = TRUE),
         mean = , variance = drop(out), out)
}
