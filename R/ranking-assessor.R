# Would a ranking survive another assessor? Gains are what one assessor said; another one would say something else of
# the same documents.

# Variances of the difference of two assessors' gains of a document, from 0 to 1: of each pair, and of the mean of a
# query, in which one may be more lenient. `pairs` and `queries`: the numbers of those judged twice that they count as.
# On TREC Deep Learning 2019, judged anew by two more assessors, they are 0.08 to 0.09 and 0.03 to 0.06 between any two
# of the three; the first is larger here because assessors also differ in which systems' documents they like, so that
# differences of systems vary by more than independent errors let them.
assessor_prior <- list(pair = 0.16, query = 0.04, pairs = 50, queries = 10)

# Both variances, from second judgments and the prior. `gain`: the first gain of each pair of the pool, and `second` the
# second one, NA where there is none.
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
  # The means of queries vary by the leniency and by what is left of the pairs' variance; a shift of all is no error.
  between <- if (length(count) > 1) max(stats::var(mean) - pair * base::mean(1 / count), 0) else prior$query
  known <- max(length(count) - 1, 0)
  list(pair = pair, query = (prior$queries * prior$query + known * between) / (prior$queries + known))
}

# Covariance that another assessor of the judged pairs would add to the systems' estimates. What is not judged is as
# open with him as with the first.
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

# The ranking that holds for another assessor.
rank_for_another <- function(ranking, gain, second, call = caller_env()) {
  more <- another_assessor(ranking$collection, gain, second, call)
  wider <- new_ranking(ranking$collection, unname(ranking$mean), unname(ranking$covariance) + more,
                       delta = ranking$delta, level = ranking$level, judged = ranking$judged)
  wider$basis <- ranking$basis
  wider$basis$note <- c(wider$basis$note, "Confidence that another assessor would agree")
  wider
}

# The gains that a ranking rests on, and second ones, by pair of the pool.
known_gains <- function(x, gains) {
  if (inherits(gains, "judicious_joint_gains")) return(gains$gain)
  of <- gains_on_pool(x, gains)
  replace(of$mean, !of$judged, NA)
}

second_gains <- function(x, second, call = caller_env()) {
  if (is.null(second) || is.data.frame(second) && !nrow(second)) return(rep(NA_real_, n_pairs(x)))
  pool_gains(x, second, "second", call)
}
