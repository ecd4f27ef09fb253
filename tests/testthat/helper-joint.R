# The joint prior written out densely, from the formula in gain_prior(): mean and covariance of all gains.
dense_joint_prior <- function(gains) {
  pool <- gains$pool
  p <- gains$parameters
  v <- p$variance
  n <- length(pool$query)
  member <- matrix(0, n, pool$n_systems)
  member[cbind(rep(seq_len(n), diff(pool$results$offset)), pool$results$system)] <- 1
  share <- member / sqrt(rowSums(member))
  of_team <- outer(pool$team, seq_len(pool$n_teams), "==") * 1
  team <- share %*% of_team
  same <- function(code) outer(code, code, "==") * outer(code > 0, code > 0)
  t <- pool$popularity
  query <- same(pool$query)
  within <- query * (v[["query"]] + v[["query:popularity"]] * outer(t, t) + v[["query:genre"]] * same(pool$genre) +
    v[["query:artist"]] * same(pool$artist) + v[["query:system"]] * tcrossprod(share) + v[["query:team"]] *
      tcrossprod(team))
  across <- v[["system"]] * tcrossprod(share) + v[["team"]] * tcrossprod(team) +
    outer(t, t) * (v[["system:popularity"]] * tcrossprod(share) + v[["team:popularity"]] * tcrossprod(team))
  coefficients <- (p$slope * pool$x) %*% diag(p$coefficient_variance, ncol(pool$x)) %*% t(p$slope * pool$x)
  list(mean = p$mean, covariance = (within + across) * outer(p$scale, p$scale) + coefficients +
         diag(v[["residual"]] * p$residual_scale^2), weights = member / (gains$collection$k *
           nrow(gains$collection$queries)))
}

# The mean and covariance given the gains of some pairs, by the formula of the conditional normal distribution.
dense_condition <- function(prior, judged, gain) {
  if (!length(judged)) return(prior)
  gain_of <- prior$covariance[, judged, drop = FALSE] %*% solve(prior$covariance[judged, judged, drop = FALSE])
  utils::modifyList(prior, list(
    mean = as.vector(prior$mean + gain_of %*% (gain - prior$mean[judged])),
    covariance = prior$covariance - gain_of %*% prior$covariance[judged, , drop = FALSE]
  ))
}

# The log likelihood of the gains of all pairs of the pool.
joint_log_likelihood <- function(pool, parameters, gain) {
  joint_evaluate_cpp(joint_objective_cpp(pool, gain), parameters, "value")$log_likelihood
}

# A matrix of pairs by systems: 1 if the system retrieved the pair.
result_matrix <- function(x) {
  of <- matrix(0, n_pairs(x), n_systems(x))
  of[cbind(result_pair(x), x$results$system)] <- 1
  of
}
