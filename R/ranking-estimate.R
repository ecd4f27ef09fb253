# From distributions of gains to estimates of systems: means, their covariance, and the variance of
# every difference.

# Checks `gains` and returns their means and variances in pool order.
gains_on_pool <- function(x, gains, arg = "gains", call = caller_env()) {
  check_class(gains, "judicious_gains", arg, "gain_distribution", call)
  check_that(identical(gains$scale$levels, x$scale$levels), arg, c(
    "are not on the gain scale of {.arg x}.",
    x = "They are on {format(gains$scale)}; the collection is on {format(x$scale)}.",
    i = hint("Take a model of that scale, say {.code gain_distribution(scale = x$scale)}, or give {.fn test_collection}
      the other {.arg scale}.", "Use a model of that scale, or state its scale by --scale.")
  ), kind = "levels", call = call)
  place <- if (is.null(gains$query)) seq_along(gains$mean) else match_ids(gains, pool_ids(x))
  check_that(!is.null(gains$query) || length(place) == n_pairs(x), arg, c(
    "has {format_count(length(place))} {cli::qty(length(place))}row{?s}, the pool of {.arg x} {format_count(n_pairs(x))}
      pairs.",
    i = "Make it from features with columns {.val query} and {.val doc}, or one row per pair in pool order."
  ), kind = "missing_gains", call = call)
  pair_mean <- gains$mean[place]
  lacking <- which(is.na(pair_mean))
  if (length(lacking)) {
    ids <- pool_ids(x)[lacking[1], ]
    abort_judicious(c(
      "{.arg {arg}} has no distribution for {format_count(length(lacking))} of the
        {format_count(n_pairs(x))} pairs of the pool.",
      x = "The first is query {.val {ids$query}}, document {.val {ids$doc}}.",
      i = hint("{.fn joint_gains} have a distribution of every pair, and so has
        {.code gain_distribution(fallback = \"uniform\")}.", "--model joint has a distribution of every pair.")
    ), "missing_gains", argument = arg, call = call)
  }
  list(mean = pair_mean, variance = gains$variance[place], judged = gains$judged[place], row = place)
}

estimate_systems <- function(x, mean, variance) {
  divisor <- if (is.null(x$scoring$weight)) gain_divisor(x) else 1
  estimate_systems_cpp(x$results, n_systems(x), mean, variance, divisor, x$scoring$weight %||% numeric())
}

# Mean and variance of each pair's gain as the measure counts it, from gains_on_pool() and the probabilities of the
# levels of the model.
worth_moments <- function(x, g, prob) {
  if (is.null(x$scoring$transform)) return(g)
  values <- transformed_gain(x, x$scale$model_levels)
  g$mean <- ifelse(g$judged, transformed_gain(x, g$mean), as.vector(prob %*% values))
  g$variance <- ifelse(g$judged, 0, rowSums(prob * outer(-g$mean, values, `+`)^2))
  g
}

# True scores of the systems, given the gain of every pair.
true_means <- function(x, gain) {
  if (is_sum(x)) return(estimate_systems(x, transformed_gain(x, gain), numeric(length(gain)))$mean)
  judgments <- rbind(data.frame(pool_ids(x), gain = gain)[!is.na(gain), ], x$outside)
  scores <- suppressWarnings(evaluate(x, judgments, x$scoring$measure, per = "mean", ties = "rank"),
                             classes = "judicious_warning_missing_query") |>
    suppressMessages(classes = "judicious_message_unjudged_query")
  scores$value[match(x$systems$system, scores$system)]
}

# The same, given judgments of every pair as functions take them; those outside the pool count in ideal lists.
means_of_truth <- function(x, truth, call = caller_env()) {
  gain <- whole_truth(x, truth, call)
  true_means(with_outside(x, truth), gain)
}

# Unchecked constructor. A ranking needs only the means and the covariance of the systems. `difference_variance` is
# passed if it is known more accurately than the covariance implies; it is NULL with a new_system_covariance(), whose
# rankings have a class of their own (ranking-many.R). What rank_systems() knows comes later: the `basis` of the gains,
# the joint `gains` and the errors of assessors (`error_root`) for uncertainty(), its `call`, its `stratum`, and for
# goals the rankings within `strata`, the number of `judgments` that a session made, with second ones, and the systems
# that are `lacking` judgments (see lacking_systems()). `draws` are in the range of the measure; if means and variances
# have changed since, `drawn_at` has those with which they were drawn. The environment `without_grades` keeps the
# confidence that the ranking would have without grades.
new_ranking <- function(x, mean, covariance, difference_variance = difference_variance_cpp(covariance),
                        delta = 0, level = 0.95, judged = NA_integer_, draws = NULL) {
  ids <- x$systems$system
  names(mean) <- ids
  by_rows <- inherits(covariance, "judicious_system_covariance")
  if (!by_rows) dimnames(covariance) <- dimnames(difference_variance) <- list(ids, ids)
  structure(list(mean = mean, covariance = covariance, difference_variance = difference_variance,
                 delta = delta, level = level, judged = judged, collection = x, draws = draws, drawn_at = NULL,
                 basis = NULL,
                 gains = NULL, error_root = NULL, call = NULL, given = NULL, stratum = NULL, strata = list(),
                 judgments = NULL, lacking = NULL, learned_from = NULL, without_grades = new.env(parent = emptyenv())),
            class = c(if (by_rows) "judicious_ranking_by_rows", "judicious_ranking"))
}

# The ranking if the gain of every pair is known, or NA where its query does not count: the values of evaluate(),
# without draws.
rank_known <- function(x, gain, delta, level) {
  new_ranking(x, true_means(x, gain), matrix(0, n_systems(x), n_systems(x)), delta = delta, level = level,
              judged = count_pairs(x, !is.na(gain)))
}

# `g`: the result of gains_on_pool(). A pair is relevant with the probability that its gain is at least `rel`.
rank_by_ap <- function(x, gains, g, delta, level, call = caller_env()) {
  m <- x$scoring$measure
  check_that(!is_custom(list(m)) && m$base == "AP" && m$total == "mean", "measure", c(
    "With independent gains, the distribution of {.val {m$name}} is not known.",
    i = "It is known for AP, AG, CG, P, DCG, RBP, and {.val nDCG(ideal=maximum)} with a cutoff.",
    i = "{.fn joint_gains} support any measure."
  ), kind = "measure", call = call)
  gain_scale <- x$scale
  relevant <- as.numeric(gains$prob[g$row, , drop = FALSE] %*% (gain_scale$model_levels >= m$args$rel))
  relevant[g$judged] <- as.numeric(g$mean[g$judged] >= m$args$rel)
  cutoff <- if (is.na(m$cutoff)) x$k else m$cutoff
  ap <- expected_ap_cpp(x$results, result_position(x), n_systems(x), x$pool$query, n_queries(x),
                        pmin(pmax(relevant, 0), 1), as.integer(cutoff), query_multiplier(x),
                        vapply(outside_gains(x), function(gain) sum(gain >= m$args$rel), 0L))
  new_ranking(x, colMeans(ap$mean * query_multiplier(x)), ap$covariance / n_queries(x)^2, delta = delta, level = level,
              judged = count_pairs(x, g$judged))
}

# Whether judgments can order the pairs or have done so; not those of identical systems.
can_be_ordered <- function(pairs) (pairs$variance %||% pairs$sd) > 0 | pairs$difference != 0

# The confidence in a ranking, from the result of compare_pairs(): the mean over the pairs of systems that can be
# ordered. Headlines, traces and goals all state this number.
mean_confidence <- function(compared) mean_of_confidence(compared$confidence[can_be_ordered(compared)])

# Without any pair to order, the mean is that of a guess.
mean_of_confidence <- function(confidence) if (length(confidence)) mean(confidence) else 0.5
