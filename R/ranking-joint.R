# Rankings by joint gains.

rank_jointly <- function(x, gains, delta, level, scope, measure, draws, seed, counts, call = caller_env()) {
  own <- gains$collection
  same <- identical(x$pool, own$pool) && identical(x$results, own$results) &&
    identical(x$systems$system, own$systems$system) && identical(x$queries$weight, own$queries$weight)
  check_that(same, "gains", "belong to another collection than {.arg x}.", kind = "missing_gains", call = call)
  gains <- gains_in_measure(gains, measure, call)
  x <- gains$collection
  if (!is.null(counts)) x <- only_queries(x, counts)
  if (scope == "new") {
    refuse_weights(x, "Estimates of the mean over new queries are", "Leave out {.arg scope} and {.arg by}.", call)
    check_that(n_queries(x) >= 2, "scope", "{.code scope = \"new\"} needs two queries at least.", call = call)
    note_many_systems(x, "Estimates for new queries")
  }
  if (is_sum(x) && !is.null(counts)) gains <- reweighted_gains(gains, x, x$scoring$weight)
  # A session states its own draws, those of follow_measure().
  followed <- is.null(draws) && scope == "these" && is.null(counts) && !is.null(gains$followed)
  ranking <- if (!is_sum(x) && scope == "these" && is_known(gains, x)) {
    rank_known(x, gains$gain, delta, level)
  } else if (is_sum(x) || followed) {
    rank_by_sum(x, gains, delta, level, scope)
  } else {
    rank_by_draws(x, gains, delta, level, scope, draws %||% 1000, seed, call)
  }
  # For uncertainty(), without the posterior, which a session changes.
  ranking$gains <- replace(gains, "cache", list(NULL))
  ranking["lacking"] <- list(lacking_systems(gains))
  ranking
}

# Ranking by a measure that is a sum over documents, or by the sum that approximates it, with the draws of
# follow_measure().
rank_by_sum <- function(x, gains, delta, level, scope) {
  if (is_sum(x) && has_many_systems(x) && scope == "these") return(rank_many(x, gains, delta, level))
  # Without the posterior, which takes long for many judgments.
  if (scope == "these" && is_known(gains)) {
    return(new_ranking(x, known_means(x, gains), matrix(0, n_systems(x), n_systems(x)), delta = delta, level = level,
                       judged = count_pairs(x)))
  }
  # Variance of the mean over sampled queries: the expected sample covariance of the scores of the queries, divided by
  # their number.
  between <- if (scope == "new") joint_between_queries_cpp(joint_posterior(gains)) / n_queries(x) else 0
  systems <- systems_of_posterior(gains, between)
  ranking <- new_ranking(x, systems$mean, systems$covariance, delta = delta, level = level,
                         judged = count_pairs(x, !is.na(gains$gain)), draws = systems$followed$draws)
  ranking["drawn_at"] <- list(systems$followed[c("mean", "variance")])
  ranking
}

# The means of the systems, in units of the measure, if all gains are known.
known_means <- function(x, gains) {
  gain <- transformed_gain(x, gains$gain)[result_pair(x)]
  system_totals(x, ifelse(is.na(gain), 0, gains$pool$weight * gain))
}

# Ranking of many systems by such a measure. With all gains known, they need no posterior.
rank_many <- function(x, gains, delta, level) {
  ends <- gain_range(x)
  if (is_known(gains)) {
    unit <- list(system_mean = (known_means(x, gains) - ends[1] * gains$pool$retrieved) / diff(ends),
                 system_variance = numeric(n_systems(x)))
    block <- function(rows, columns) matrix(0, length(rows), length(columns))
  } else {
    unit <- pair_moments_cpp(pair_posterior(gains))
    block <- function(rows, columns) unit_variance * pair_systems_cpp(pair_posterior(gains), rows, columns)
  }
  unit_variance <- diff(ends)^2 * gains$fit$widening
  variance <- stats::setNames(unit_variance * unit$system_variance, x$systems$system)
  new_ranking(x, ends[1] * gains$pool$retrieved + diff(ends) * unit$system_mean, new_system_covariance(variance, block),
              NULL, delta, level, count_pairs(x, !is.na(gains$gain)))
}

# Converts gains to a ranking by `measure`. With NULL, they keep the measure for which they were made.
gains_in_measure <- function(gains, measure, call) {
  own <- gains$collection
  if (is.null(measure)) return(gains)
  x <- in_measure(own, measure, call)
  m <- x$scoring$measure
  if (identical(m, own$scoring$measure)) return(gains)
  same_transform <- isTRUE(all.equal(unit_gain(x, own$scale$levels), unit_gain(own, own$scale$levels)))
  check_that(same_transform || is.null(own$scoring$transform), "measure", c(
    "{.arg gains} were made for {.val {own$scoring$measure$name}}, which transforms gains differently than
      {.val {m$name}}.",
    i = "Make {.arg gains} with {.code joint_gains(measure = \"{m$name}\")}."
  ), kind = "measure", call = call)
  # If the measure uses another function of the gain (not only another unit), draws are needed, as for nonlinear
  # measures.
  if (!same_transform) x$scoring <- replace(new_scoring(x, m), "span", x$scoring$span)
  if (!is.null(x$scoring$weight)) return(reweighted_gains(gains, x, x$scoring$weight))
  gains$collection <- x
  gains["followed"] <- list(NULL)
  gains
}

# Ranking by a nonlinear measure.
rank_by_draws <- function(x, gains, delta, level, scope, draws, seed, call = caller_env()) {
  seed <- stream_seed(seed, call)
  drawn <- draw_measure(gains, x, draws, seed, between = scope == "new", call = call)
  covariance <- stats::cov(t(drawn$score))
  if (scope == "new") covariance <- covariance + drawn$between / n_queries(x)
  new_ranking(x, rowMeans(drawn$score), covariance, delta = delta, level = level,
              judged = count_pairs(x, !is.na(gains$gain)), draws = if (scope == "these") drawn$in_range)
}
