# Empirical Bayes for the joint prior: coefficients and variances that the judgments make most probable.

# What the core needs: the normal approximation of the gains around the coefficients of `fit`, and the variances.
joint_parameters <- function(pool, fit, variance = expected_variance(fit)) {
  with_variance(linearise(pool, fit), fit$terms, variance)
}

with_variance <- function(linear, terms, variance) {
  linear$variance <- unname(replace(variance, setdiff(names(variance), terms), 0))
  linear
}

# Around `beta` with `beta_covariance`: mean on the logit scale, its derivative, and the size of the effects: m (1 - m)
# over that of a pair of average features, square root. Collections differ less in how much their gains vary at their
# average than at a mean of 1/2. No pair counts as less open than one of mean 0.03, no average as less than one of 0.1,
# so that a pool that seems all irrelevant stays open to surprise.
linearise <- function(pool, fit) {
  eta <- as.vector(pool$x %*% fit$beta)
  openness <- mean_openness(eta, rowSums((pool$x %*% fit$beta_covariance) * pool$x), 0.03)
  # Features are centred: what they average to leaves the intercept.
  size <- sqrt(openness / mean_openness(fit$beta[[1]], fit$beta_covariance[1, 1], 0.1))
  slope <- stats::plogis(eta) * stats::plogis(-eta)
  list(mean = stats::plogis(eta) + slope * as.vector(pool$x %*% (pool$prior$mean - fit$beta)), slope = slope,
       scale = size, residual_scale = size, coefficient_variance = unname(pool$prior$sd^2))
}

# m (1 - m) at the mean m of a logistic function of a normal variable, by the probit approximation:
# 0.346 = (16 sqrt(3) / (15 pi))^2.
mean_openness <- function(mean, variance, least) {
  m <- stats::plogis(mean / sqrt(1 + 0.346 * pmin(variance, 9)))
  m <- pmin(pmax(m, least), 1 - least)
  m * (1 - m)
}

# `pool`: of model_pool(), `judged`: its rows, `gain`: their gains from 0 to 1. `start` continues from an earlier fit.
fit_joint_prior <- function(pool, model, judged, gain, start = NULL, max_iterations = 20, update = TRUE) {
  prior <- pool$prior
  terms <- possible_terms(pool, model$variance)
  state <- list(
    beta = start$beta %||% prior$mean,
    beta_covariance = start$beta_covariance %||% diag(prior$sd^2, length(prior$sd)),
    variance = start$variance %||% model$variance, variance_sd = start$variance_sd %||% model$variance_sd,
    log_likelihood = 0, terms = terms
  )
  if (length(judged) && update) {
    known <- subset_pool(pool, judged)
    # The likelihood as a function of the variances: while they move, the coefficients rest.
    likelihood_at <- function(state) {
      linear <- linearise(known, state)
      function(variance, with_gradient = FALSE) {
        joint_likelihood_cpp(known, with_variance(linear, terms, variance), seq_along(judged), gain, with_gradient)
      }
    }
    for (round in 1:2) {
      state <- update_coefficients(state, likelihood_at, prior$mean)
      before <- state$variance
      state <- update_variances(state, likelihood_at, model, terms, max_iterations)
      if (max(abs(log(state$variance[terms] / before[terms]))) < 0.02) break
    }
    state <- update_variance_sd(state, likelihood_at, model, terms)
    state <- update_coefficients(state, likelihood_at, prior$mean)
  }
  state
}

# Few systems tell little of the variance between systems. A covariance is linear in the variances, so that integrating
# over what is unknown of them takes their expectation: that of a log-normal distribution around the mode.
expected_variance <- function(state) state$variance * exp(pmin(state$variance_sd, 2)^2 / 2)

# Iterated linearisation: the posterior mean of the coefficients becomes the next point.
update_coefficients <- function(state, likelihood_at, prior_mean) {
  at <- seq_along(prior_mean)
  for (iteration in 1:6) {
    fit <- likelihood_at(state)(state$variance)
    step <- prior_mean + fit$shared[at] - state$beta
    step <- step * min(1, 1.5 / max(abs(step), 1e-12))
    state$beta <- state$beta + step
    state$beta_covariance <- fit$covariance
    state$log_likelihood <- fit$log_likelihood
    if (max(abs(step)) < 1e-3) break
  }
  state
}

# Less the log of the marginal likelihood times the log-normal priors, at logs of the variances, and its gradient.
variance_objective <- function(state, likelihood_at, model, terms) {
  centre <- log(model$variance[terms])
  spread <- model$variance_sd[terms]
  likelihood <- likelihood_at(state)
  at <- function(log_variance, with_gradient) {
    likelihood(replace(state$variance, terms, exp(log_variance)), with_gradient)
  }
  list(
    value = function(v) sum(((v - centre) / spread)^2) / 2 - at(v, FALSE)$log_likelihood,
    gradient = function(v) (v - centre) / spread^2 - exp(v) * at(v, TRUE)$gradient[match(terms, joint_terms)]
  )
}

# The mode.
update_variances <- function(state, likelihood_at, model, terms, max_iterations) {
  objective <- variance_objective(state, likelihood_at, model, terms)
  centre <- log(model$variance[terms])
  within <- 6 * model$variance_sd[terms]
  best <- stats::nlminb(log(state$variance[terms]), objective$value, objective$gradient, lower = centre - within,
                        upper = centre + within, control = list(iter.max = max_iterations, rel.tol = 1e-6))
  state$variance[terms] <- exp(best$par)
  state
}

# By the curvature at the mode, the standard deviation of the log of each variance.
update_variance_sd <- function(state, likelihood_at, model, terms) {
  objective <- variance_objective(state, likelihood_at, model, terms)$value
  at <- log(state$variance[terms])
  state$variance_sd[terms] <- 1 / sqrt(pmax(curvature(objective, at, objective(at)), 1 / model$variance_sd[terms]^2))
  state
}

# Second derivatives along each axis, by central differences.
curvature <- function(f, at, value, step = 0.1) {
  vapply(seq_along(at), function(i) {
    move <- replace(numeric(length(at)), i, step)
    (f(at + move) - 2 * value + f(at - move)) / step^2
  }, 1)
}
