# Estimates of systems from distributions of gains: means, their covariance, and the variance and the confidence of
# every difference.

# Checks `gains` and returns them in pool order.
gains_on_pool <- function(x, gains) {
  check_class(gains, "judicious_gains", "gains", "gain_distribution")
  check_that(identical(gains$scale$levels, x$scale$levels), "gains", c(
    "are not on the gain scale of {.arg x}.",
    x = "They are on {format(gains$scale)}; the collection is on {format(x$scale)}.",
    i = hint("Take a model of that scale, say {.code gain_distribution(scale = x$scale)}, or give {.fn test_collection}
      the other {.arg scale}.", "Use a model of that scale, or state its scale by --scale.")
  ), kind = "levels")
  ids <- pool_ids(x)
  place <- if (is.null(gains$query)) seq_along(gains$mean) else match_ids(gains, ids)
  check_that(!is.null(gains$query) || length(place) == n_pairs(x), "gains", c(
    "has {format_count(length(place))} {cli::qty(length(place))}row{?s}, the pool of {.arg x} {format_count(n_pairs(x))}
      pairs.",
    i = "Make it from features with columns {.val query} and {.val doc}, or one row per pair in pool order."
  ), kind = "missing_gains")
  lacking <- which(is.na(gains$mean[place]))
  check_that(!length(lacking), "gains", c(
    "has no distribution for {format_count(length(lacking))} of the {format_count(n_pairs(x))} pairs of the pool.",
    x = "The first is query {.val {ids$query[lacking[1]]}}, document {.val {ids$doc[lacking[1]]}}.",
    i = hint("{.fn joint_gains} have a distribution of every pair, and so has
      {.code gain_distribution(fallback = \"uniform\")}.", "--model joint has a distribution of every pair.")
  ), kind = "missing_gains")
  columns <- c("query", "doc", "mean", "variance", "judged", "fallback")
  gains[columns] <- lapply(unclass(gains)[columns], `[`, place)
  gains$prob <- gains$prob[place, , drop = FALSE]
  gains
}

estimate_systems <- function(x, mean, variance) {
  divisor <- if (is.null(x$scoring$weight)) gain_divisor(x) else 1
  estimate_systems_cpp(x$results, n_systems(x), mean, variance, divisor, x$scoring$weight %||% numeric())
}

# True scores of the systems, if the gain of every pair is known. It may be NA for pairs of queries that do not count.
true_means <- function(x, gain) {
  if (is_sum(x)) {
    value <- result_weight(x) * transformed_gain(x, gain)[result_pair(x)]
    return(system_totals(x, replace(value, is.na(value), 0)))
  }
  judgments <- rbind(data.frame(pool_ids(x), gain = gain)[!is.na(gain), ], x$outside)
  scores <- suppressWarnings(evaluate(x, judgments, x$scoring$measure, per = "mean", ties = "rank"),
                             classes = "judicious_warning_missing_query") |>
    suppressMessages(classes = "judicious_message_unjudged_query")
  scores$value[match(x$systems$system, scores$system)]
}

# True scores of the systems from judgments of every pair, in the forms that functions accept as `truth`; judgments
# outside the pool count in ideal lists.
means_of_truth <- function(x, truth) {
  gain <- complete_truth(x, truth)
  true_means(with_outside(x, truth), gain)
}

# Unchecked constructor. A ranking needs only the means and the covariance of the systems. `difference_variance` is
# passed if it is known more accurately than the covariance implies; it is NULL with a new_system_covariance(), whose
# rankings have a separate class. rank_systems() sets the other fields: the `basis` of the gains, the joint `gains` and
# the errors of assessors (`error_root`) for uncertainty(), its `call`, its `stratum`, and for goals the rankings within
# `strata`, the number of `judgments` that a session made, including second ones, and the systems that are `lacking`
# judgments (see lacking_systems()). `draws`: those of a nonlinear measure; if they are those of the `approximation` by
# approximate_measure(), means and variances may have changed since, and `drawn_at` has those with which they were made.
# The environment `cache` belongs to computed_once(), and so do the `shares` that the rankings of sessions have.
new_ranking <- function(x, mean, covariance, difference_variance = difference_variance_cpp(covariance),
                        delta = 0, judged = NA_integer_, draws = approximation$draws, approximation = NULL,
                        shares = NULL) {
  ids <- x$systems$system
  names(mean) <- ids
  by_rows <- inherits(covariance, "judicious_system_covariance")
  if (!by_rows) dimnames(covariance) <- dimnames(difference_variance) <- list(ids, ids)
  structure(list(mean = mean, covariance = covariance, difference_variance = difference_variance,
                 delta = delta, level = 0.95, judged = judged, collection = x, draws = draws,
                 drawn_at = approximation[c("mean", "variance")], basis = NULL, gains = NULL, error_root = NULL,
                 call = NULL, arguments = NULL, stratum = NULL, strata = list(), judgments = NULL, lacking = NULL,
                 learned_from = NULL, cache = new.env(parent = emptyenv()), shares = shares),
            class = c(if (by_rows) "judicious_ranking_by_rows", "judicious_ranking"))
}

# Keeps the value of `code`, which takes long to compute, in the environment `cache` of a ranking; if this is NULL, the
# value is not kept. A copy of a ranking with other means has the same cache, which therefore has, beside the value, a
# hash of all that it was `made_from`.
computed_once <- function(cache, name, made_from, code) {
  hash <- rlang::hash(made_from)
  if (!identical(cache[[name]]$hash, hash)) cache[[name]] <- list(hash = hash, value = code)
  cache[[name]]$value
}

system_sd <- function(ranking) unname(sqrt(pmax(system_variance(ranking), 0)))

system_variance <- function(ranking) {
  covariance <- ranking$covariance
  if (is.matrix(covariance)) diag(covariance) else covariance$variance
}

# Compares every pair of systems, or of the systems `among`. Returns a list of vectors instead of a data frame, because
# a session calls this after every judgment.
compare_pairs <- function(ranking, delta = ranking$delta, among = NULL) UseMethod("compare_pairs")

#' @export
compare_pairs.judicious_ranking <- function(ranking, delta = ranking$delta, among = NULL) {
  pairs <- compare_systems_cpp(ranking$mean, ranking$difference_variance, delta, gain_resolution(ranking$collection))
  if (!is.null(ranking$draws)) pairs$confidence <- confidence_by_draws(ranking, pairs, delta)
  if (is.null(among)) pairs else lapply(pairs, `[`, pairs$a %in% among & pairs$b %in% among)
}

# The confidence in the signs of differences that are not normal: the share of the n draws with this sign, where the
# normal distribution counts as sqrt(n) draws, so that the confidence may be higher than n draws tell. Its tails are
# those of rank sets: quantiles of the normal distribution are taken as those of the t distribution. Where most draws
# have the other sign, the estimate is no better than a guess. A session asks for the shares several times after each
# judgment, and keeps them; another ranking does not, so that it is the same before and after it is printed.
confidence_by_draws <- function(ranking, pairs, delta) {
  made_from <- list(ranking[c("mean", "covariance", "difference_variance", "draws", "drawn_at")], delta)
  share <- computed_once(ranking$shares, "share", made_from, share_of_draws_cpp(
    score_draws(ranking), pairs$difference, delta, gain_resolution(ranking$collection)
  ))
  n <- ncol(ranking$draws)
  pooled <- (n * share + sqrt(n) * pairs$confidence) / (n + sqrt(n))
  confidence <- pmax(stats::pt(stats::qnorm(pooled), rank_set_freedom), if (delta == 0) 0.5 else 0)
  ifelse(pairs$variance > 0 & pairs$difference != 0, confidence, pairs$confidence)
}

# Whether the two systems of each pair differ or may still differ; FALSE for identical systems.
can_be_ordered <- function(pairs) (pairs$variance %||% pairs$sd) > 0 | pairs$difference != 0

# The confidence in a ranking, from the result of compare_pairs(): the mean over the pairs of systems that can be
# ordered. Headlines, traces and goals all state this number.
mean_confidence <- function(compared) mean_of_confidence(compared$confidence[can_be_ordered(compared)])

# If there is no pair to order, the confidence is 0.5, that of a guess.
mean_of_confidence <- function(confidence) if (length(confidence)) mean(confidence) else 0.5

# The mean confidence in a pair of systems, and the numbers of pairs in the bins of confidence.
confidence_of_pairs <- function(ranking) UseMethod("confidence_of_pairs")

#' @export
confidence_of_pairs.judicious_ranking <- function(ranking) {
  compared <- compare_pairs(ranking)
  list(mean = if (length(compared$confidence)) mean_confidence(compared) else NA_real_,
       bins = confidence_counts(compared$confidence))
}

# The lower ends of the bins in Tables 4 and 6 of Urbano and Schedl (2013). Values below .5 occur only with a minimum
# difference (`delta`).
confidence_starts <- c(0, .5, .6, .7, .8, .9, .95, .99)

confidence_counts <- function(confidence) {
  tabulate(findInterval(confidence, confidence_starts), length(confidence_starts))
}

# The ranking if the gain of every pair is known, except for queries that do not count: the values of evaluate(),
# without draws.
rank_by_known_gains <- function(x, gain) new_ranking(x, true_means(x, gain), matrix(0, n_systems(x), n_systems(x)))

# Rankings that refer to judgments other than those that were made: the consensus of assessors, or the judgments of
# another assessor. Their uncertainty includes the differences between both kinds of judgments.

# Checks `assessor` and returns it: "these", "consensus", "another", or the name of an assessor of the `gains`. The
# default is the consensus for gains of a session that estimates the consensus, and otherwise "these".
check_target <- function(assessor, gains, x) {
  if (identical(assessor, assessor_targets)) return(if (is.null(gains$noise)) "these" else "consensus")
  record <- gains$record
  check_string(assessor, "assessor")
  if (assessor == "these") return(assessor)
  check_that(assessor %in% c(assessor_targets, record$assessor), "assessor", c(
    "must be {.or {.val {assessor_targets}}}, or an assessor of the judgments, not {.val {assessor}}.",
    i = if (length(record$assessor)) "The assessors are {name_some(sort(unique(record$assessor)))}."
        else "The judgments do not say who made them: their column {.field assessor} does."
  ))
  check_target_measure(x, assessor)
  assessor
}

check_target_measure <- function(x, assessor) {
  check_that(is_sum(x) && is.null(x$scoring$transform), "assessor", c(
    "{.code assessor = \"{assessor}\"} does not support the measure {.val {x$scoring$measure$name}}.",
    i = "It supports measures that are sums of untransformed gains, such as AG and DCG."
  ), kind = "measure")
}

# The judgments on which gains are based, in the form of assessor_record(). If their assessors are not known, they count
# as those of one assessor.
record_of_gains <- function(x, gains) {
  if (!is.null(gains$record)) return(gains$record)
  gain <- if (inherits(gains, "judicious_joint_gains")) gains$gain else replace(gains$mean, !gains$judged, NA)
  judged <- which(!is.na(gain))
  data.frame(pair = judged, gain = gain[judged], assessor = rep("", length(judged)), final = rep(FALSE, length(judged)))
}

# The share of the variance of errors that is common to the documents of a query: the mean product of an assessor's
# errors in two documents of the same query, divided by their mean square. An error is the difference of a judgment from
# the mean judgment of its document.
common_share <- function(errors, x, prior = assessor_prior) {
  record <- errors$shared
  if (is.null(record)) return(prior$query)
  deviation <- record$gain / diff(range(x$scale$levels)) - leniency_of(errors, record$assessor)
  deviation <- deviation - stats::ave(deviation, record$pair)
  sums <- rowsum(cbind(deviation, deviation^2, 1), paste(match(record$assessor, errors$who), x$pool$query[record$pair]))
  n <- sums[, 3]
  groups <- sum(n > 1)
  product <- sum(sums[, 1]^2 - sums[, 2]) / max(sum(n * (n - 1)), 1)
  found <- product / max(sum(sums[, 2]) / sum(n), 1e-12)
  min(max((prior$groups * prior$query + groups * found) / (prior$groups + groups), 0), 1)
}

# The input of a ranking that refers to `target`: the `gains`, which include the errors of judgments if they are joint
# gains. For errors that the gains do not include: their variance by pair, as a share of the squared range of gains
# (`error`), the variance of an assessor's common errors within a query (`common`), and the factors by which variances
# of common errors are multiplied, for each query (`by_query`) and for all queries (`overall`); see common_errors(). The
# uncertainty about unjudged pairs is the same for another assessor as for those who judged.
target_gains_and_errors <- function(x, gains, target) {
  joint <- inherits(gains, "judicious_joint_gains")
  if (target == "these" && is.null(gains$noise)) return(list(gains = gains))
  record <- record_of_gains(x, gains)
  combined <- combined_judgments(record, n_pairs(x), x$scale, target)
  if (joint) gains$doubt <- combined$doubt
  another <- target == "another"
  share <- common_share(combined$errors, x)
  unknown_error <- if (another) (1 - share) * combined$errors$typical else 0
  result <- list(gains = if (joint) rejudged_gains(gains, combined$gain, combined$noise) else gains,
                 error = (if (joint) 0 else combined$noise) + ifelse(is.na(combined$gain), 0, unknown_error),
                 common = share * combined$errors$typical)
  c(result, common_error_factors(record, x, target))
}

# The factors `by_query` and `overall` by which the variances of an assessor's common errors are multiplied; NULL if no
# such errors are added.
common_error_factors <- function(record, x, target) {
  record <- record[!record$final %in% 1, ]
  if (is_assessor_target(target) || !nrow(record)) return(NULL)
  # The errors of several assessors partly cancel: in a mean, variances are weighted by squared shares of the judgments.
  sum_of_squares <- function(assessor) sum(prop.table(table(assessor))^2) + (target == "another")
  list(by_query = tapply(record$assessor, factor(x$pool$query[record$pair], seq_len(n_queries(x))), sum_of_squares),
       overall = sum_of_squares(record$assessor))
}

# The argument `shared` of rank_by_belief(): the errors that judgments by the same assessor have in common, in a session
# that estimates the consensus; NULL for other sessions.
shared_errors <- function(record, errors, x, target) {
  if (target != "consensus" || is.null(errors)) return(NULL)
  shared <- common_error_factors(record, x, target)
  if (!is.null(shared)) c(shared, common = common_share(errors, x) * errors$typical)
}

# Adds to a ranking the variances of errors that the gains do not include. `errors`: the result of
# target_gains_and_errors().
add_errors <- function(ranking, errors, target) {
  note <- switch(target, consensus = "Confidence in the consensus of assessors",
                 another = "Confidence that another assessor would agree",
                 paste("Confidence in what", target, "would judge"))
  x <- ranking$collection
  pairs <- which(errors$error > 0)
  root <- rbind(sqrt(errors$error[pairs]) * pair_weights(x, pairs), common_errors(ranking, errors))
  root <- root * diff(gain_range(x))
  if (nrow(root)) ranking <- add_covariance(ranking, root)
  ranking$error_root <- root
  ranking$basis$target <- target
  ranking$basis$note <- c(ranking$basis$note, note)
  ranking
}

# The errors that an assessor's judgments have in common, as a matrix F with a column per system, such that F'F is their
# covariance between systems. Its rows are the leniency on each query, the leniency on all queries, and the factor by
# which the assessor sees larger differences between systems.
common_errors <- function(ranking, errors) {
  if (is.null(errors$overall)) return(NULL)
  x <- ranking$collection
  cell <- x$pool$query[result_pair(x)] + n_queries(x) * (x$results$system - 1)
  retrieved <- matrix(sum_by_code(result_weight(x), cell, n_queries(x) * n_systems(x)), n_queries(x))
  by_query <- ifelse(is.na(errors$by_query), 0, errors$by_query) * errors$common
  larger <- (ranking$mean - mean(ranking$mean)) / diff(gain_range(x))
  rbind(sqrt(as.vector(by_query)) * retrieved, sqrt(errors$overall * assessor_prior$leniency) * colSums(retrieved),
        sqrt(errors$overall * assessor_prior$scale) * larger)
}

# Adds F'F to the covariance of the systems. `root`: the matrix F, with a column per system.
add_covariance <- function(ranking, root) UseMethod("add_covariance")

#' @export
add_covariance.judicious_ranking <- function(ranking, root) {
  added <- crossprod(root)
  ranking$covariance <- ranking$covariance + added
  added_variance <- difference_variance_cpp(added)
  # Systems with the same results have the same errors: removes the rounding errors of their differences.
  ranking$difference_variance <- ranking$difference_variance +
    replace(added_variance, added_variance < 1e-12 * max(diag(added), 0), 0)
  ranking
}

# Rankings by joint gains.

rank_jointly <- function(gains, scope, draws, seed, counts = NULL) {
  x <- gains$collection
  if (!is.null(counts)) x <- only_queries(x, counts)
  if (scope == "new") {
    refuse_weights(x, "Estimates of the mean over new queries are", "Leave out {.arg scope} and {.arg by}.")
    check_that(n_queries(x) >= 2, "scope", "{.code scope = \"new\"} needs two queries at least.")
    note_many_systems(x, "Estimates for new queries")
  }
  if (is_sum(x) && !is.null(counts)) gains <- reweighted_gains(gains, x, x$scoring$weight)
  ranking <- if (is_sum(x) || is.null(draws) && uses_approximation_draws(x, gains, scope, counts)) {
    rank_by_sum(x, gains, scope)
  } else {
    rank_by_draws(x, gains, scope, draws %||% 1000, seed)
  }
  # uncertainty() needs the gains; their posterior is left out, because a session changes it in place.
  ranking$gains <- replace(gains, "cache", list(NULL))
  ranking["lacking"] <- list(lacking_systems(gains))
  ranking
}

# Whether the draws of approximate_measure(), which a session keeps with its gains, can be used instead of new ones.
uses_approximation_draws <- function(x, gains, scope, counts) {
  scope == "these" && is.null(counts) && !is.null(gains$approximation) && !has_certain_gains(gains, x)
}

check_same_collection <- function(x, gains) {
  original <- gains$collection
  same <- identical(x$pool, original$pool) && identical(x$results, original$results) &&
    identical(x$systems$system, original$systems$system) &&
    identical(x$queries[["weight"]], original$queries[["weight"]])
  check_that(same, "gains", "belong to another collection than {.arg x}.", kind = "missing_gains")
}

# Ranking by a measure that is a sum over documents, or by the sum that approximates it, with the draws of
# approximate_measure().
rank_by_sum <- function(x, gains, scope) {
  if (is_sum(x) && has_many_systems(x) && scope == "these") return(rank_many_systems(x, gains))
  # If all gains are known, the posterior is not needed; computing it takes long for many judgments.
  if (scope == "these" && has_certain_gains(gains)) return(rank_by_known_gains(x, gains$gain))
  # Variance of the mean over sampled queries: the expected sample variance of the scores between queries, divided by
  # their number.
  between <- if (scope == "new") joint_between_queries_cpp(joint_posterior(gains)) / n_queries(x) else 0
  systems <- posterior_system_moments(gains, between)
  new_ranking(x, systems$mean, systems$covariance, approximation = systems$approximation)
}

# Ranks many systems by a measure that is a sum over documents. If all gains are known, no posterior is computed.
rank_many_systems <- function(x, gains) {
  ends <- gain_range(x)
  if (has_certain_gains(gains)) {
    unit <- list(system_mean = (true_means(x, gains$gain) - ends[1] * gains$pool$retrieved) / diff(ends),
                 system_variance = numeric(n_systems(x)))
    block <- function(rows, columns) matrix(0, length(rows), length(columns))
  } else {
    posterior <- function() joint_posterior(gains, of_pairs = TRUE)
    unit <- pair_moments_cpp(posterior())
    block <- function(rows, columns) unit_variance * pair_systems_cpp(posterior(), rows, columns)
  }
  unit_variance <- diff(ends)^2
  variance <- stats::setNames(unit_variance * unit$system_variance, x$systems$system)
  new_ranking(x, ends[1] * gains$pool$retrieved + diff(ends) * unit$system_mean, new_system_covariance(variance, block),
              difference_variance = NULL)
}

# Converts gains so that they rank systems by another measure than that for which they were made.
gains_in_measure <- function(gains, measure) {
  original <- gains$collection
  x <- with_measure(original, measure)
  m <- x$scoring$measure
  if (identical(m, original$scoring$measure)) return(gains)
  same_transform <- isTRUE(all.equal(unit_gain(x, original$scale$levels), unit_gain(original, original$scale$levels)))
  check_that(same_transform || is.null(original$scoring$transform), "measure", c(
    "{.arg gains} were made for {.val {original$scoring$measure$name}}, which transforms gains differently than
      {.val {m$name}}.",
    i = "Make {.arg gains} with {.code joint_gains(measure = \"{m$name}\")}."
  ), kind = "measure")
  # If the measure transforms gains by another function than the measure of `gains` (not only by another unit), the
  # ranking needs draws, as for a nonlinear measure.
  if (!same_transform) x$scoring <- replace(new_scoring(x, m), "span", x$scoring$span)
  if (!is.null(x$scoring$weight)) return(reweighted_gains(gains, x, x$scoring$weight))
  gains$collection <- x
  gains["approximation"] <- list(NULL)
  gains
}

# Ranks by a nonlinear measure, whose distribution is estimated from joint draws of the gains.
rank_by_draws <- function(x, gains, scope, draws, seed) {
  if (scope == "these" && has_certain_gains(gains, x)) return(rank_by_known_gains(x, gains$gain))
  seed <- stream_seed(seed)
  drawn <- draw_measure(gains, x, draws, seed, between = scope == "new")
  covariance <- stats::cov(t(drawn$score))
  if (scope == "new") covariance <- covariance + drawn$between / n_queries(x)
  new_ranking(x, rowMeans(drawn$score), covariance, draws = if (scope == "these") drawn$draws)
}

# The covariance of many systems: an object that computes the requested rows, because a matrix over all systems would
# not fit into memory (see ranking-many.R). `variance`: the variance of each system's estimate. `block`: a function of
# `rows` and `columns`, numbers of systems, that returns their covariance.
new_system_covariance <- function(variance, block) {
  structure(list(variance = variance, block = block), class = "judicious_system_covariance")
}
