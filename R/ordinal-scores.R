# Per-row derivatives of the log likelihood of a fit by thresholds theta (increasing, P(Y <= j) = F(theta_j - eta)) and
# slopes, for sandwich covariances, score tests and influence.

row_weights <- function(fit) need_rows(fit)$weights %||% rep(1, length(fit$y))

# d log P / d theta and d log P / d eta of each row.
row_slopes <- function(theta, eta, y, link) {
  # Rows of weight 0 may be at a level that is not in the model: their derivatives are 0.
  terms <- link_rows_cpp(link, c(-Inf, theta)[y] - eta, c(theta, Inf)[y] - eta)
  terms[is.na(y), ] <- 0
  list(below = -terms[, "score_below"], above = terms[, "score_above"], eta = terms[, "score"])
}

# Scores, n x (thresholds + columns).
row_scores <- function(theta, eta, y, x, link) {
  slopes <- row_slopes(theta, eta, y, link)
  n <- length(y)
  in_theta <- matrix(0, n, length(theta))
  has_below <- which(y > 1)
  has_above <- which(y <= length(theta))
  in_theta[cbind(has_below, y[has_below] - 1)] <- slopes$below[has_below]
  in_theta[cbind(has_above, y[has_above])] <- slopes$above[has_above]
  cbind(in_theta, x * slopes$eta)
}

# Expected information of (theta, beta), weighted.
expected_information_at <- function(theta, eta, x, weights, link) {
  pom_expected_information_cpp(link, theta, as.double(eta), x, as.double(weights))
}

kept_columns <- function(fit) {
  need_rows(fit)
  kept <- names(fit$beta)[!is.na(fit$beta)]
  dense_columns((fit$columns %||% model.matrix(fit))[, kept, drop = FALSE])
}

# Weighted scores of the coefficients in the form of coef(), with alpha = -theta.
coefficient_scores <- function(fit) {
  refuse_effects(fit, "scores of single rows")
  need_single_rows(fit, "Scores")
  if (inherits(fit, "judicious_pom_general")) return(general_scores(fit))
  x <- kept_columns(fit)
  scores <- row_scores(-unname(fit$alpha), fit$linear_predictor, fit$y, x, fit$link) * row_weights(fit)
  n_alpha <- length(fit$alpha)
  scores[, seq_len(n_alpha)] <- -scores[, seq_len(n_alpha)]
  dimnames(scores) <- list(names(fit$linear_predictor), names(coef(fit, complete = FALSE)))
  scores
}

general_scores <- function(object) {
  y <- ifelse(is.na(object$y), 1L, object$y)
  model <- general_model(object, object$columns, object$nominal_columns, object$scale_columns,
                         object$offset, object$scale_offset, as.integer(y))
  scores <- cumulative_link_gradients_cpp(model, internal_parameters(object))
  scores <- cbind(scores, if (length(object$link_name)) link_scores(object, model)) * row_weights(object)
  n_psi <- length(object$structure$sign) * ncol(object$nominal_columns)
  scores[, seq_len(n_psi)] <- sweep(scores[, seq_len(n_psi), drop = FALSE], 2,
                                    rep(object$structure$sign, ncol(object$nominal_columns)), `*`)
  dimnames(scores) <- list(names(object$linear_predictor), names(object$parameters))
  scores
}

# The derivative of each row's log likelihood by the parameter of the link, by finite differences.
link_scores <- function(object, model) {
  all <- cbind(-Inf, cumulative_link_limits_cpp(model, internal_parameters(object)), Inf)
  limits <- cbind(all[cbind(seq_along(model$y), model$y)], all[cbind(seq_along(model$y), model$y + 1L)])
  at <- link_parameter(object$link)
  h <- 1e-5 * max(abs(at), 0.1)
  loglik <- function(parameter) {
    log(cumulative_link_probabilities_cpp(link_with(object$link, parameter), limits)[, 2])
  }
  (loglik(at + h) - loglik(at - h)) / (2 * h)
}
