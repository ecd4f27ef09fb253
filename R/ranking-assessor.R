# Rankings that take differences between assessors into account: another assessor of the same documents would give other
# gains.

# Prior variances of the difference between the gains that two assessors give to a document, on a scale from 0 to 1:
# `pair`, of single pairs, and `query`, of the mean of a query, on which one assessor may be more lenient. `pairs` and
# `queries`: the numbers of pairs and queries judged twice that the prior is worth. Two further assessors judged TREC
# Deep Learning 2019 again; between any two of the three assessors, the variances are 0.08 to 0.09 and 0.03 to 0.06.
# The prior doubles the first, because assessors also differ in which systems' documents they prefer, so that
# differences between systems vary by more than independent errors would.
assessor_prior <- list(pair = 0.16, query = 0.04, pairs = 50, queries = 10)

# Posterior estimates of both variances. `gain`: the first gain of each pair of the pool; `second`: the second one, NA
# if there is none.
assessor_variances <- function(x, gain, second) {
  prior <- assessor_prior
  twice <- which(!is.na(gain) & !is.na(second))
  difference <- unit_gain(x$scale, second[twice]) - unit_gain(x$scale, gain[twice])
  query <- factor(x$pool$query[twice])
  count <- as.vector(table(query))
  mean <- as.vector(tapply(difference, query, base::mean))
  free <- length(twice) - length(count)
  within <- sum((difference - mean[query])^2)
  pair <- (prior$pairs * prior$pair + within) / (prior$pairs + free)
  # Query means vary by leniency and by the remaining variance of pairs. A shift common to all queries is no error.
  between <- if (length(count) > 1) max(stats::var(mean) - pair * base::mean(1 / count), 0) else prior$query
  known <- max(length(count) - 1, 0)
  list(pair = pair, query = (prior$queries * prior$query + known * between) / (prior$queries + known))
}

# Covariance that another assessor of the judged pairs would add to the estimates of the systems. Unjudged pairs are as
# uncertain with that assessor as with the first.
another_assessor <- function(x, gain, second, call = caller_env()) {
  if (!is_sum(x) || !is.null(x$scale$worth)) {
    abort_judicious(c("{.code assessor = \"another\"} cannot follow {.val {x$measure$name}}.",
                      i = "It takes sums over documents of gains as they are, such as AG and DCG."), "measure",
                    argument = "assessor", call = call)
  }
  variance <- assessor_variances(x, gain, second)
  judged <- which(!is.na(gain))
  weight <- pair_weights(x, judged)
  by_query <- rowsum(weight, x$pool$query[judged])
  diff(worth_range(x$scale))^2 * (variance$pair * crossprod(weight) + variance$query * crossprod(by_query))
}

# The ranking with confidence and intervals that refer to another assessor.
rank_for_another <- function(ranking, gain, second, call = caller_env()) {
  more <- another_assessor(ranking$collection, gain, second, call)
  wider <- new_ranking(ranking$collection, unname(ranking$mean), unname(ranking$covariance) + more,
                       delta = ranking$delta, level = ranking$level, judged = ranking$judged)
  wider$basis <- ranking$basis
  wider$basis$note <- c(wider$basis$note, "Confidence that another assessor would agree")
  wider
}

# The known gains of a ranking, by pair of the pool.
known_gains <- function(x, gains) {
  if (inherits(gains, "judicious_joint_gains")) return(gains$gain)
  of <- gains_on_pool(x, gains)
  replace(of$mean, !of$judged, NA)
}

second_gains <- function(x, second, call = caller_env()) {
  if (is.null(second) || is.data.frame(second) && !nrow(second)) return(rep(NA_real_, n_pairs(x)))
  pool_gains(x, second, "second", call)
}
