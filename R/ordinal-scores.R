# Per-row derivatives of the log likelihood of a fit by thresholds theta (increasing, P(Y <= j) = F(theta_j - eta)) and
# slopes, for sandwich covariances, score tests and influence.

# Flexible thresholds theta and common slopes at linear predictors `eta`, in the form of the core with slopes of 0.
flexible_rows <- function(theta, eta, y, x, weights, link, nominal = matrix(1, length(eta))) {
  list(link = link, structure = diag(length(theta)), nominal = nominal, location = unname(x) + 0,
       scale = matrix(0, length(eta), 0), y = ifelse(is.na(y), 1L, y), weights = as.double(weights),
       offset = as.double(eta), scale_offset = numeric(length(eta)))
}

# Expected information of (theta, beta), weighted.
expected_information_at <- function(theta, eta, x, weights, link) {
  cumulative_link_information_cpp(flexible_rows(theta, eta, rep(1L, length(eta)), x, weights, link),
                                  c(theta, numeric(ncol(x))))
}

# Weighted scores of the coefficients in the form of coef(), with alpha = -theta.
coefficient_scores <- function(fit) {
  refuse_effects(fit, "scores of single rows")
  object <- as_general(fit)
  signs <- core_signs(object)
  model <- general_model(object, weights = 1 + 0 * row_weights(object))
  scores <- cumulative_link_gradients_cpp(model, internal_parameters(object)) * rep(signs, each = length(model$y))
  scores <- cbind(scores, if (length(object$link_name)) link_scores(object, model)) * row_weights(object)
  dimnames(scores) <- list(names(object$linear_predictor), names(object$parameters))
  scores
}

# The derivative of each row's log likelihood by the parameter of the link, by finite differences.
link_scores <- function(object, model) {
  all_limits <- cbind(-Inf, unname(general_limits(object, object, object$linear_predictor)), Inf)
  limits <- cbind(all_limits[cbind(seq_along(model$y), model$y)], all_limits[cbind(seq_along(model$y), model$y + 1L)])
  at <- link_parameter(object$link)
  h <- 1e-5 * max(abs(at), 0.1)
  loglik <- function(parameter) {
    log(cumulative_link_probabilities_cpp(link_with(object$link, parameter), limits)[, 2])
  }
  (loglik(at + h) - loglik(at - h)) / (2 * h)
}
