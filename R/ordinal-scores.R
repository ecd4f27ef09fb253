# Per-row derivatives of the log likelihood of a fit by thresholds theta (increasing, P(Y <= j) = F(theta_j - eta)) and
# slopes, for sandwich covariances, score tests and influence.

row_weights <- function(fit) need_rows(fit)$weights %||% rep(1, length(fit$y))

# d log P / d theta and d log P / d eta of each row, in a factored form that avoids dividing by P.
row_slopes <- function(theta, eta, y) {
  # Rows of weight 0 may be at a level that is not in the model: their derivatives are 0.
  unused <- is.na(y)
  y[unused] <- 1L
  below <- c(-Inf, theta)[y] - eta
  above <- c(theta, Inf)[y] - eta
  gap <- ifelse(is.finite(below) & is.finite(above), 1 / expm1(above - below), 0)
  list(
    below = ifelse(is.finite(below) & !unused, -plogis(below) - gap, 0),
    above = ifelse(is.finite(above) & !unused, plogis(-above) + gap, 0),
    eta = ifelse(unused, 0, plogis(below) - plogis(-above))
  )
}

# Scores, n x (thresholds + columns).
row_scores <- function(theta, eta, y, x) {
  slopes <- row_slopes(theta, eta, y)
  n <- length(y)
  in_theta <- matrix(0, n, length(theta))
  has_below <- which(y > 1)
  has_above <- which(y <= length(theta))
  in_theta[cbind(has_below, y[has_below] - 1)] <- slopes$below[has_below]
  in_theta[cbind(has_above, y[has_above])] <- slopes$above[has_above]
  cbind(in_theta, x * slopes$eta)
}

# Expected information of (theta, beta), weighted: sums over rows and levels of the squared derivatives of the
# probabilities of the levels, divided by the probabilities.
expected_information_at <- function(theta, eta, x, weights) {
  density <- dlogis(outer(-eta, theta, `+`))
  prob <- pom_probabilities_cpp(theta, unname(eta))
  n_theta <- length(theta)
  # d P_j / d theta_j = f_j, d P_j / d theta_{j-1} = -f_{j-1}, d P_j / d eta = f_{j-1} - f_j.
  left <- cbind(0, density)
  right <- cbind(density, 0)
  inverse <- ifelse(prob > 0, 1 / prob, 0)
  in_eta <- left - right
  information <- matrix(0, n_theta + ncol(x), n_theta + ncol(x))
  at <- seq_len(n_theta)
  diagonal <- colSums(weights * density^2 * (inverse[, at, drop = FALSE] + inverse[, at + 1, drop = FALSE]))
  information[cbind(at, at)] <- diagonal
  if (n_theta > 1) {
    j <- at[-n_theta]
    off <- -colSums(weights * density[, j, drop = FALSE] * density[, j + 1, drop = FALSE] *
                    inverse[, j + 1, drop = FALSE])
    information[cbind(j, j + 1)] <- information[cbind(j + 1, j)] <- off
  }
  if (ncol(x)) {
    cross <- density * (in_eta[, at, drop = FALSE] * inverse[, at, drop = FALSE] -
                          in_eta[, at + 1, drop = FALSE] * inverse[, at + 1, drop = FALSE])
    slopes <- n_theta + seq_len(ncol(x))
    information[at, slopes] <- crossprod(weights * cross, x)
    information[slopes, at] <- t(information[at, slopes, drop = FALSE])
    information[slopes, slopes] <- crossprod(x, x * (weights * rowSums(in_eta^2 * inverse)))
  }
  information
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
  scores <- row_scores(-unname(fit$alpha), fit$linear_predictor, fit$y, x) * row_weights(fit)
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
