# Fits the joint model of gains by empirical Bayes: selects the prior that the judgments support, and estimates
# coefficients and variances by their posterior mode given the judgments.

# The parameters for the C++ core: the normal approximation of the gains around the coefficients of `fit`, and the
# variances. The mean on the logit scale is linearised around `beta` with `beta_covariance`. `scale` multiplies the
# effects of each pair. It is the standard deviation sqrt(m (1 - m)) of a binary gain with the mean m of the pair,
# relative to that of a pair with average features, because the gains of pairs with average features vary about as much
# in one collection as in another. The mean m is limited to the range from 0.03 to 0.97, and for the average pair from
# 0.1 to 0.9, so that the model can still learn from surprising gains in a pool that seems entirely irrelevant.
joint_parameters <- function(pool, fit, variance) {
  logit <- as.vector(pool$x %*% fit$beta)
  mean <- stats::plogis(logit)
  slope <- mean * stats::plogis(-logit)
  # Features are centred, so the logit of the mean of the average pair is the intercept.
  size <- sqrt(expected_binary_variance(logit, logit_variance(pool, fit), 0.03) /
                 expected_binary_variance(fit$beta[[1]], fit$beta_covariance[1, 1], 0.1))
  list(mean = mean + slope * as.vector(pool$x %*% (pool$prior$mean - fit$beta)), slope = slope,
       scale = size, residual_scale = size, coefficient_variance = unname(pool$prior$sd^2),
       variance = replace(variance, setdiff(names(variance), fit$terms), 0))
}

# The variance of the logit of the mean of each pair.
logit_variance <- function(pool, fit) rowSums((pool$x %*% fit$beta_covariance) * pool$x)

# The variance m (1 - m) of a gain of 0 or 1 with the mean m, where m is the expectation of the logistic function of a
# normal variable with `mean` and `variance` (at most 9), by the probit approximation: 0.346 = (16 sqrt(3) / (15 pi))^2.
# m is limited to the range from `smallest` to 1 - `smallest`.
expected_binary_variance <- function(mean, variance, smallest) {
  m <- stats::plogis(mean / sqrt(1 + 0.346 * pmin(variance, 9)))
  m <- pmin(pmax(m, smallest), 1 - smallest)
  m * (1 - m)
}

# The likelihood of the gains of the pairs `judged`, from 0 to 1, as a function of coefficients and variances. It is a
# C++ object, which keeps its last factorisation.
joint_objective <- function(pool, judged, gain) {
  judged_pool <- subset_pool(pool, judged)
  list(pool = judged_pool, pointer = joint_objective_cpp(judged_pool, gain))
}

# A fit before its estimation: the prior, or an earlier fit to start from. `terms` are the effects with a variance.
# `contradicts_past`: whether the judgments contradict the past collections, so that the fit uses the `fallback` of its
# model as prior. `selected`: the pairs for which the last feature, "selected", is 1 (see with_selected()).
# `grader_odds`: the log odds that graders are informative (see grader_odds()). `basis`: the transformation of the
# features to which the coefficients refer (see model_pool()).
new_joint_fit <- function(pool, model, start = NULL, state = NULL) {
  state <- state %||% list(contradicts_past = FALSE, selected = integer(), grader_odds = model$grading$odds)
  prior <- pool$prior
  slopes <- prior$mean
  covariance <- diag(prior$sd^2, length(prior$sd))
  if (!is.null(start)) {
    # Converts the coefficients of `start` from their basis to that of the prior, which may differ.
    common <- seq_along(intersect(names(slopes), names(start$beta)))
    basis <- solve(prior$basis[common, common], start$basis[common, common])
    slopes[common] <- basis %*% start$beta[common]
    covariance[common, common] <- basis %*% start$beta_covariance[common, common] %*% t(basis)
  }
  structure(class = "judicious_joint_fit", list(
    beta = slopes, beta_covariance = covariance, basis = prior$basis, selected = state$selected,
    variance = start$variance %||% model$variance, variance_sd = start$variance_sd %||% model$variance_sd,
    log_variance_covariance = NULL, log_likelihood = 0, terms = possible_terms(pool, model$variance),
    contradicts_past = state$contradicts_past, grader_odds = state$grader_odds
  ))
}

#' @export
print.judicious_joint_fit <- function(x, digits = 3, ...) {
  cat("Coefficients of independent features:\n")
  print(rbind(mean = signif(x$beta, digits), sd = signif(sqrt(diag(x$beta_covariance)), digits)))
  cat("Variances of the effects (and the sd of their logs):\n")
  print(rbind(variance = signif(x$variance[x$terms], digits), "log sd" = signif(x$variance_sd[x$terms], digits)))
  invisible(x)
}

# Estimates the coefficients and variances. `pool`: by model_pool(); `judged`: its judged rows; `gain`: their gains, 0
# to 1; `start`: an earlier fit to start from.
fit_joint_prior <- function(pool, model, judged, gain, start = NULL, max_iterations = 20, update = TRUE,
                            objective = joint_objective(pool, judged, gain), state = NULL) {
  state <- new_joint_fit(pool, model, start, state)
  if (!length(judged) || !update) return(state)
  for (round in 1:2) {
    state <- update_coefficients(state, objective)
    before <- state$variance
    refresh_progress()
    state <- update_variances(state, objective, model, max_iterations)
    if (max(abs(log(state$variance / before))[state$terms]) < 0.02) break
  }
  # The standard deviation of the log of each variance, from the average information at the mode. It includes the
  # uncertainty about the other variances.
  kept <- state$terms
  information <- variance_posterior(state, objective, model)(log(state$variance[kept]))$information
  state$log_variance_covariance <- structure(solve(information), dimnames = list(kept, kept))
  state$variance_sd[kept] <- sqrt(diag(state$log_variance_covariance))
  update_coefficients(state, objective)
}

# Variances with which to state uncertainty, from the posterior mode of a fit. The posterior of a variance is skewed:
# with few judgments, its mode exp(m) is far below its mean exp(m + s^2 / 2), where m and s are the mode and the
# standard deviation of its log. The stated variance lies between the two, nearer to the mode where systems share no
# documents, because their prior variance is large already. bench/trust-stated.R compares other shares of s^2.
stated_variance <- function(pool, fit) {
  variance <- fit$variance * exp((skew_share - no_overlap_skew * lack_of_overlap(pool)) * fit$variance_sd^2)
  if (!pool$two_levels) return(variance)
  # If nearly all judged gains are equal, the estimated variances sum to less than the variance of a gain of 0 or 1; the
  # missing variance is added to that of the residual, which differs between all pairs.
  missing <- binary_total(pool, fit, joint_parameters(pool, fit, variance)) - sum(variance[fit$terms])
  replace(variance, "residual", variance["residual"] + max(0, missing))
}

# The sum of the variances of the effects with which gains of 0 or 1 have the variance m (1 - m), where m is their mean,
# as an average over the pool. The coefficients explain the rest.
binary_total <- function(pool, fit, parameters) {
  spread <- logit_variance(pool, fit)
  of_gains <- expected_binary_variance(as.vector(pool$x %*% fit$beta), spread, 0) - parameters$slope^2 * spread
  max(no_minimum, mean(of_gains) / mean(parameters$scale^2))
}

skew_share <- 0.375
no_overlap_skew <- 0.125

# The factors by which the variances of the effects of systems and of teams are larger when uncertainty is stated than
# when gains are estimated. Judgments soon show whether grades distinguish relevant documents from others, but a grader
# may still favour systems. Where systems share no documents, only judgments of every system can reveal that:
# uncertainty is therefore stated with the variances at the lower of the odds before and after the judgments, unless the
# judgments have determined the variances themselves. Means do not change.
unchecked_factor <- function(model, fit) {
  grading <- model$grading
  if (!"system" %in% fit$terms) return(NULL)
  unjudged <- grader_mixture(grading, min(grading$odds, fit$grader_odds))
  factors <- (unjudged$variance / model$variance)^(grading$check$alone * (fit$variance_sd / model$variance_sd)^2)
  factors[intersect(c("system", "team"), fit$terms)]
}

# Iterates the linearisation: the posterior mean of the coefficients becomes the next point.
update_coefficients <- function(state, objective) {
  prior_mean <- objective$pool$prior$mean
  for (iteration in 1:6) {
    parameters <- joint_parameters(objective$pool, state, state$variance)
    fit <- joint_evaluate_cpp(objective$pointer, parameters, "value")
    change <- prior_mean + fit$coefficient - state$beta
    change <- change * min(1, 1.5 / max(abs(change), 1e-12))
    state$beta <- state$beta + change
    state$beta_covariance <- fit$covariance
    state$log_likelihood <- fit$log_likelihood
    if (max(abs(change)) < 1e-3) break
  }
  state
}

# The log marginal likelihood of the judgments under a prior, at the prior's variances.
prior_likelihood <- function(pool, prior, judged, gain) {
  pool <- pool_for_model(pool, prior)
  update_coefficients(new_joint_fit(pool, prior), joint_objective(pool, judged, gain))$log_likelihood
}

# Prior covariance of the logs of the variances of some effects. If systems of a collection differ more in one respect,
# they tend to differ more in others: the log variances of `system_terms` are correlated.
variance_covariance <- function(model, terms) {
  correlation <- diag(length(terms))
  of_systems <- terms %in% system_terms
  correlation[outer(of_systems, of_systems, `&`)] <- system_correlation
  diag(correlation) <- 1
  spread <- model$variance_sd[terms]
  correlation * outer(spread, spread)
}

system_correlation <- learned_prior$system_correlation

# Draws the true variances for a simulated session of a plan. With the built-in prior, the posterior of the variances is
# too certain after the first judgments, so further random factors are applied: on parts of 10 collections, with 40 or
# 100 judgments, the residual variance was estimated at about half of its value at the end of the session, and those of
# systems and teams at 1.7 times (?judging_plan).
draw_variances <- function(model) {
  log_ratio <- drop(stats::rnorm(length(joint_terms)) %*% chol(variance_covariance(model, joint_terms)))
  variance <- model$variance * exp(log_ratio)
  if (!isTRUE(model$built_in)) return(variance)
  variance["residual"] <- variance["residual"] * exp(stats::rnorm(1, log(2), 0.5))
  variance[system_terms] <- variance[system_terms] * exp(stats::rnorm(1, -log(1.7), 1))
  variance
}

# The posterior of the variances at fixed coefficients, as a function of their logs: minus the log of the marginal
# likelihood times the log-normal priors and the priors of shortfalls(), and its derivatives with respect to the logs.
variance_posterior <- function(state, objective, model) {
  kept <- state$terms
  parameters <- joint_parameters(objective$pool, state, state$variance)
  centre <- log(model$variance[kept])
  precision <- solve(variance_covariance(model, kept))
  least_total <- if (isTRUE(objective$pool$two_levels)) binary_total(objective$pool, state, parameters) else no_minimum
  apart <- lack_of_overlap(objective$pool)
  function(v) {
    variance <- exp(v)
    parameters$variance[kept] <- variance
    evaluation <- joint_evaluate_cpp(objective$pointer, parameters, "gradient")
    prior_gradient <- as.vector(precision %*% (v - centre))
    short <- shortfalls(variance, kept, least_total, apart)
    list(value = (sum(prior_gradient * (v - centre)) + sum(short$value^2)) / 2 - evaluation$log_likelihood,
         gradient = prior_gradient + as.vector(short$slope %*% short$value) - variance * evaluation$gradient[kept],
         information = outer(variance, variance) * evaluation$information[kept, kept] + precision +
           tcrossprod(short$slope))
  }
}

# Gains that are equal have an infinite normal likelihood if nothing varies. The first answers to a benchmark with gains
# of 0 or 1 are often equal within each system or within each query, or all of them are: single answers would seem to
# settle the order of the systems, or systems not to differ. Returns how far two quantities are below their minimum, in
# standard deviations of their logs, 0 if they are above it, and the `slope` by the log of each variance:
# - the share of chance, the effects that differ from answer to answer, in the variance of a gain. bench/trust-chance.R
#   has the share in known collections;
# - the sum of the variances, if gains have two levels, as far as systems are `apart`, sharing no documents.
shortfalls <- function(variance, terms, least_total, apart) {
  is_chance <- terms %in% chance_terms
  total <- sum(variance)
  chance <- sum(variance[is_chance])
  value <- c(log(least_chance * total / chance) / chance_sd, apart * log(least_total / total) / total_sd)
  slope <- cbind((variance / total - is_chance * variance / chance) / chance_sd, -apart * variance / total / total_sd)
  list(value = pmax(value, 0), slope = slope * rep(value > 0, each = length(terms)))
}

chance_terms <- c("residual", "query:system", "query:team")
least_chance <- 0.25
chance_sd <- 0.05
total_sd <- 0.25
no_minimum <- .Machine$double.xmin

# Finds the mode by Newton's method with the average information, which is positive definite, unlike the Hessian. Steps
# are halved until they improve the objective. The last step is so small that its result need not be evaluated.
update_variances <- function(state, objective, model, max_iterations, tolerance = 1e-5) {
  kept <- state$terms
  posterior <- variance_posterior(state, objective, model)
  centre <- log(model$variance[kept])
  reach <- 6 * model$variance_sd[kept]
  move <- function(from, step) pmin(pmax(from + step, centre - reach), centre + reach)
  v <- log(state$variance[kept])
  current <- posterior(v)
  for (iteration in seq_len(max_iterations)) {
    change <- -solve(current$information, current$gradient)
    is_last <- -sum(change * current$gradient) / 2 < tolerance
    if (is_last) break
    for (halving in 0:8) {
      candidate <- posterior(move(v, change / 2^halving))
      if (candidate$value <= current$value) break
    }
    if (candidate$value > current$value) break
    v <- move(v, change / 2^halving)
    current <- candidate
  }
  state$variance[kept] <- exp(if (is_last) move(v, change) else v)
  state
}

# The prior of a fit: whether graders and past collections can be trusted, given the judgments.

# The log odds that the graders are informative, given the judgments: the odds before them plus the log likelihood ratio
# of the judgments under the two priors, at the variances that were estimated last. Odds beyond `settled_odds` are not
# computed again.
grader_odds <- function(pool, model, judged, gain, start = NULL) {
  grading <- model$grading
  if (!length(judged)) return(grading$odds)
  if (!is.null(start$grader_odds) && abs(start$grader_odds) > settled_odds) return(start$grader_odds)
  likelihood <- function(prior) {
    prior$variance <- (start %||% model)$variance
    prior_likelihood(pool, prior, judged, gain)
  }
  grading$odds + likelihood(grading$informative) - likelihood(grading$uninformative)
}

settled_odds <- 10

# Judgments contradict a model if they are this many times as probable under its fallback.
contradicting_ratio <- 20

# Whether judgments contradict a model. `gain`: from 0 to 1. The likelihoods of the model and of its fallback are
# compared, each at its own variances.
is_contradicted <- function(pool, model, judged, gain) {
  if (!length(judged)) return(FALSE)
  likelihood <- function(prior) prior_likelihood(pool, prior, judged, gain)
  likelihood(model$fallback) - likelihood(model) > log(contradicting_ratio)
}

# The pool and the model of a fit, given its `state` (see new_joint_fit()). The model is the fallback if judgments
# contradicted the past collections; the prior of the graders is that at the odds of the fit.
prior_of_fit <- function(pool, model, state) {
  original <- model
  if (state$contradicts_past && !is.null(model$fallback)) model <- model$fallback
  grading <- model$grading
  if (!is.null(grading) && !identical(state$grader_odds, grading$odds)) {
    model <- grader_mixture(grading, state$grader_odds)
  }
  if (!identical(model, original)) pool <- pool_for_model(pool, model)
  list(pool = with_selected(pool, state$selected), model = model)
}

# Fits the model to the judged gains. `gain`: the gains of all pairs, NA for unjudged ones. `selected`: the pairs that a
# strategy selected.
fit_to_gains <- function(x, model, pool, gain, start = NULL, update = TRUE, selected = integer()) {
  pool <- with_selected(pool, integer())
  judged <- which(!is.na(gain))
  gain <- unit_gain(x, gain[judged])
  contradicts_past <- !is.null(start) && start$contradicts_past
  if (!contradicts_past && update && !is.null(model$fallback) && is_contradicted(pool, model, judged, gain)) {
    warn_judicious(c(
      "The judgments contradict what was learned from past collections.",
      x = "They are more than {contradicting_ratio} times as probable under the prior that the model was fitted with.",
      i = "From now on, gains are estimated with that prior."
    ), "contradicted_past")
    contradicts_past <- TRUE
    start <- NULL
  }
  state <- list(contradicts_past = contradicts_past, selected = selected)
  prior_model <- if (contradicts_past) model$fallback else model
  if (!is.null(prior_model$grading)) {
    state$grader_odds <- grader_odds(pool, prior_model, if (update) judged, gain, start)
  }
  prior <- prior_of_fit(pool, model, state)
  fit_joint_prior(prior$pool, prior$model, judged, gain, start, update = update, state = state)
}

# The pool with the feature `selected`, which is 1 for `pairs`, those that a strategy selected. Their gains may differ
# from those of other pairs with the same features. The slope is this difference, which pairs judged at random reveal.
# Without this uncertain slope, the gains of the other pairs would be stated with too little uncertainty.
with_selected <- function(pool, pairs) {
  kept <- colnames(pool$x) != "selected"
  pool$x <- pool$x[, kept, drop = FALSE]
  pool$prior <- list(mean = pool$prior$mean[kept], sd = pool$prior$sd[kept],
                     basis = pool$prior$basis[kept, kept, drop = FALSE])
  if (!length(pairs)) return(pool)
  pool$x <- cbind(pool$x, selected = replace(numeric(nrow(pool$x)), pairs, 1))
  basis <- diag(length(kept) + all(kept))
  basis[seq_len(sum(kept)), seq_len(sum(kept))] <- pool$prior$basis
  pool$prior <- list(mean = c(pool$prior$mean, selected = 0), sd = c(pool$prior$sd, selected = selected_sd),
                     basis = basis)
  pool
}

# Leaves out effects that the collection cannot have: of unknown genres and artists, and of teams with one system each.
possible_terms <- function(pool, variance) {
  setdiff(names(variance)[variance > 0],
          c(if (all(pool$genre == 0)) "query:genre", if (all(pool$artist == 0)) "query:artist",
            if (pool$n_teams == pool$n_systems) team_terms))
}

# The pool restricted to some of its pairs, for the likelihood of their gains.
subset_pool <- function(pool, pairs) {
  result <- results_of_pairs(pool$results, pairs)
  queries <- unique(pool$query[pairs])
  utils::modifyList(pool, list(
    results = list(offset = result$offset, system = pool$results$system[result$at]),
    weight = pool$weight[result$at], query = match(pool$query[pairs], queries), n_queries = length(queries),
    genre = pool$genre[pairs], artist = pool$artist[pairs], popularity = pool$popularity[pairs],
    x = pool$x[pairs, , drop = FALSE]
  ))
}
