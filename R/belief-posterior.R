# Joint gains in memory: the prior, the judgments, and the posterior, which is computed on first use.

# Constructor of joint gains. `pool`: by model_pool(). `sequence`: the judged pairs in the order in which they were
# judged. `noise`: by pair, the variance of the error of its gain, from 0 to 1; NULL: gains have no error. `record`: the
# judgments of each assessor, if they are stored. `error`: the variance of the error of the next judgment, which
# belief_expect() sets. The posterior is a C++ object. If it is lost (in a saved object), it is computed again from the
# judgments: first those of `at_once` together, then later ones in the order of `sequence`, which gives a bitwise
# identical result. For a nonlinear measure, approximate_measure() sets `approximation`. `doubt`: the probability that
# the judgments are noise. `imagined`: the pairs that belief_imagine() counts as judged. `unchecked`: see
# unchecked_factor().
new_joint_gains <- function(x, model, pool, fit, gain, sequence = which(!is.na(gain)),
                            variance = NULL, noise = NULL, record = NULL, doubt = 0) {
  prior <- prior_of_fit(with_selected(pool, integer()), model, fit)
  variance <- variance %||% stated_variance(prior$pool, fit)
  structure(list(collection = x, model = prior$model, pool = prior$pool, fit = fit,
                 parameters = joint_parameters(prior$pool, fit, variance), gain = gain, sequence = sequence,
                 at_once = length(sequence), noise = noise, record = record, doubt = doubt, error = 0,
                 unchecked = if (!is.null(prior$model$grading)) unchecked_factor(prior$model, fit),
                 approximation = NULL, imagined = integer(), cache = new.env(parent = emptyenv())),
            class = "judicious_joint_gains")
}

# The gains for the same collection with another measure: the results have another `weight`.
reweighted_gains <- function(gains, x, weight) {
  pool <- gains$pool
  pool$weight <- weight
  pool$retrieved <- system_totals(x, weight)
  new_joint_gains(x, gains$model, pool, gains$fit, gains$gain, gains$sequence, gains$parameters$variance, gains$noise,
                  gains$record, gains$doubt)
}

# The gains with other values, or other error variances, of the judged pairs.
rejudged_gains <- function(gains, gain, noise = NULL) {
  new_joint_gains(gains$collection, gains$model, gains$pool, gains$fit, gain, gains$sequence,
                  gains$parameters$variance, noise, gains$record, gains$doubt)
}

# The gains of a collection before any judgment.
unjudged_gains <- function(x, model, pool) {
  new_joint_gains(x, model, pool, fit_joint_prior(pool, model, integer(), numeric()), rep(NA_real_, n_pairs(x)))
}

without_judgments <- function(gains) unjudged_gains(gains$collection, gains$model, with_selected(gains$pool, integer()))

# The number of judgments, of the pairs `open` in this order, after which `enough()` returns TRUE for the covariance of
# the systems; NA if it never does. It is the smallest such number, or up to half a percent larger.
judgments_until <- function(gains, open, enough) {
  if (!length(open)) return(NA_integer_)
  is_enough <- function(n) enough(joint_systems_cpp(imagined_posterior(gains, open[seq_len(n)]))$covariance)
  # Testing a number takes longer the larger it is, so the first numbers are small.
  bracket <- c(0L, min(length(open), max(16L, length(gains$sequence))))
  while (!is_enough(bracket[2])) {
    if (bracket[2] == length(open)) return(NA_integer_)
    bracket <- c(bracket[2], min(length(open), 2L * bracket[2]))
  }
  while (diff(bracket) > max(1, bracket[2] / 200)) {
    middle <- sum(bracket) %/% 2L
    bracket[if (is_enough(middle)) 2 else 1] <- middle
  }
  bracket[2]
}

# The posterior if these unjudged pairs were judged, too. Variances do not depend on the gains, so all gains are set to
# 0. All judgments are conditioned on at once, which is much faster than one by one.
imagined_posterior <- function(gains, pairs) {
  judged <- c(gains$sequence, pairs)
  joint_posterior_cpp(gains$pool, gains$parameters, judged, numeric(length(judged)),
                      gains$noise[judged] %||% numeric(length(judged)), length(judged))
}

# The means and the covariance of the systems, for gains from 0 to 1. If the judgments may be noise, these are the
# moments of a mixture with the gains before any judgment.
unit_system_moments <- function(gains) {
  systems <- joint_systems_cpp(joint_posterior(gains))
  if (any(gains$unchecked > 1)) systems$covariance <- systems$covariance + unchecked_covariance(gains)
  if (gains$doubt == 0) return(systems)
  # Cached, because the moments before any judgment do not change while judgments are added.
  unjudged <- gains$cache$unjudged <- gains$cache$unjudged %||% unit_system_moments(without_judgments(gains))
  trust <- 1 - gains$doubt
  difference <- systems$mean - unjudged$mean
  list(mean = unjudged$mean + trust * difference,
       covariance = trust * systems$covariance + gains$doubt * unjudged$covariance +
         trust * gains$doubt * tcrossprod(difference))
}

# The additional covariance of the systems from effects that have a larger variance when uncertainty is stated than when
# gains are estimated (see unchecked_factor()).
unchecked_covariance <- function(gains) {
  added <- sqrt((gains$unchecked - 1) / gains$parameters$variance[names(gains$unchecked)])
  added <- rep(added, c(gains$pool$n_systems, gains$pool$n_teams)[seq_along(added)])
  of_effects <- joint_system_effects_cpp(joint_posterior(gains))[, seq_along(added), drop = FALSE]
  tcrossprod(of_effects * rep(added, each = nrow(of_effects)))
}

# The gains with an empty cache, so that a copy does not share the posterior with gains that are changed later.
with_new_cache <- function(gains) replace(gains, "cache", list(new.env(parent = emptyenv())))

# The posterior of the gains. It is computed on first use. `of_pairs`: that of a collection with many systems, which is
# not updated by further judgments.
joint_posterior <- function(gains, of_pairs = FALSE) {
  name <- if (of_pairs) "pairs" else "posterior"
  cache <- gains$cache
  if (is.null(cache[[name]]) || is_null_pointer_cpp(cache[[name]])) {
    judged <- gains$sequence
    gain <- unit_gain(gains$collection, gains$gain[judged])
    noise <- gains$noise[judged] %||% numeric(length(judged))
    cache[[name]] <- if (of_pairs) pair_posterior_cpp(gains$pool, gains$parameters, judged, gain, noise) else
      joint_posterior_cpp(gains$pool, gains$parameters, judged, gain, noise, gains$at_once)
  }
  cache[[name]]
}

# Scores of systems in any measure, by draws from the joint distribution of the gains.

# Draws of the systems' scores, systems by draws: `score`, with the variances to state; `draws`, as they were drawn, for
# the order of the systems. `spread`: the factor by which scores were spread; `between`: the covariance of the scores of
# the queries; and with `approximate` the input of the linear approximation. `x` is the collection of the gains, with
# the requested measure.
draw_measure <- function(gains, x, draws, seed, approximate = FALSE, between = FALSE) {
  drawn <- draw_scores(replace(gains, "doubt", 0), x, draws, seed, approximate, between)
  if (gains$doubt == 0) return(drawn)
  # In a share `doubt` of the draws, spread evenly among them, the judgments are taken as noise: the gains are drawn
  # from their distribution before any judgment.
  unjudged <- draw_scores(without_judgments(gains), x, draws, seed, approximate, between)
  noise_draws <- which(((seq_len(draws) - 0.5) * (sqrt(5) - 1) / 2) %% 1 < gains$doubt)
  for (part in c("score", "draws", "linear", if (approximate) "approximation")) {
    drawn[[part]][, noise_draws] <- unjudged[[part]][, noise_draws]
  }
  if (between) drawn$between <- drawn$between + gains$doubt * (unjudged$between - drawn$between)
  drawn
}

draw_scores <- function(gains, x, draws, seed, approximate, between) {
  # Draws treat the judgments as free of error.
  if (!is.null(gains$noise)) gains <- rejudged_gains(gains, gains$gain)
  # spread_draws() needs the weights of mean gains, even if `gains` were estimated for another measure.
  weighted <- is_weighted(x) && !is_sum(x)
  of_results <- if (weighted) over_queries(x, rep(1 / x$k, n_results(x))) else result_weight(x)
  if (!identical(gains$pool$weight, of_results)) gains <- reweighted_gains(gains, x, of_results)
  m <- x$scoring$measure
  if (is_custom(list(m))) return(draw_custom(gains, x, draws, seed, between))
  gain_scale <- x$scale
  gain_levels <- sort(unique(c(gain_scale$levels[gain_scale$levels >= 0], gains$gain[which(gains$gain >= 0)],
                              unlist(outside_gains(x)))))
  code <- function(gain) match(gain, gain_levels, nomatch = 0L)
  # The weight of each query: as in the table of queries for sums, and relative to the mean weight for means.
  weight <- if (!is_weighted(x)) numeric() else if (m$total == "sum") x$queries$weight else query_multiplier(x)
  plan <- list(levels = unit_gain(x, gain_scale$levels), level = code(gain_scale$levels), known = code(gains$gain),
               rank = result_position(x), depth = x$k, total = m$total, between = between, approximate = approximate,
               seed = seed, query_weight = weight, outside = lapply(outside_gains(x), code))
  spread_draws(gains, joint_scores_cpp(joint_posterior(gains), core_measures(list(m), gain_levels)[[1]], plan, draws))
}

# Corrects the spread of scores over draws. Drawn gains are levels of the scale, whose covariances differ from those of
# the normal model: the gains of documents that systems share covary less, and if most gains are at few of many levels,
# each gain varies more. The weighted sums of the gains (`linear`) show by how much, because their covariance is also
# known exactly. The deviations of all scores from their means are multiplied by the factor that gives the differences
# between these sums their exact variance. The part of a score that these sums do not explain (`unexplained`) depends on
# the order of documents within lists. A system may order documents well or badly in all queries; the model lacks this
# effect, and the variation over draws averages out over many queries. This part is therefore widened: with
# `order_effect_queries` queries, the effect and the draws have the same variance (bench/trust-order.R).
#
# The order of the systems is that of the draws before this. Where all gains may be high or all low, differences in most
# draws are small and of one sign, and large in a few: spread around their means, most of them would change their sign.
spread_draws <- function(gains, drawn) {
  sums <- drawn$linear - rowMeans(drawn$linear)
  on_scale <- sum(deviations_from_mean_system(sums)^2)
  exact <- unit_system_moments(gains)$covariance
  exact <- (sum(diag(exact)) - sum(exact) / nrow(exact)) * (ncol(sums) - 1)
  drawn$spread <- if (on_scale > 0) sqrt(max(exact, 0) / on_scale) else 1
  centre <- rowMeans(drawn$score)
  spread <- drawn$spread * (drawn$score - centre)
  unexplained <- spread - regression_slope(sums, spread) * sums
  widened <- sqrt(1 + n_queries(gains$collection) / order_effect_queries)
  drawn$draws <- drawn$score
  drawn$score <- centre + spread + (widened - 1) * unexplained
  drawn
}

# The deviation of each system from the mean over systems, in each draw. Summed over pairs of systems, squares and
# products of differences are proportional to those of these deviations. They are 0 where only rounding errors differ,
# as between sums of gains of systems that retrieve the same documents.
deviations_from_mean_system <- function(scores) {
  deviations <- t(t(scores) - colMeans(scores))
  if (sum(deviations^2) > 1e-20 * sum(scores^2)) deviations else 0 * deviations
}

# The slope of the regression, over draws, of differences between systems in `scores` on those in `sums`, whose mean
# over draws is 0. Where systems retrieve nearly the same documents, differences are too small to show the slope, and
# the regression is that of the systems themselves.
regression_slope <- function(sums, scores) {
  of_sums <- deviations_from_mean_system(sums)
  if (sum(of_sums^2) < 1e-4 * sum(sums^2)) of_sums <- sums
  if (any(of_sums != 0)) sum(of_sums * scores) / sum(of_sums^2) else 0
}

order_effect_queries <- 100

# draw_scores() for a measure that is an R function.
draw_custom <- function(gains, x, draws, seed, between) {
  n <- n_pairs(x)
  truth <- list(query_ids = x$queries$query, query = x$pool$query, doc = x$documents$doc[x$pool$doc],
                level = seq_len(n), levels = seq_len(n))
  lists <- ranked_lists(x, truth, list(ties = "rank", precision = "double", depth = Inf))
  pair <- lists$items$level
  cell <- cbind(lists$query, lists$system)
  lists$levels <- sort(unique(c(x$scale$levels, gains$gain[!is.na(gains$gain)], unlist(outside_gains(x)))))
  outside <- lapply(outside_gains(x), match, lists$levels)
  score <- linear <- matrix(0, n_systems(x), draws)
  between_queries <- 0
  drawn <- draw_gains(gains, seq_len(n_queries(x)), draws, seed)
  drawn_pair <- pairs_of_queries(x, seq_len(n_queries(x)))
  gain <- numeric(n)
  results <- result_pair(x)
  for (t in seq_len(draws)) {
    gain[drawn_pair] <- drawn[, t]
    linear[, t] <- system_totals(x, gains$pool$weight * unit_gain(x, gain)[results])
    level <- match(gain, lists$levels)
    lists$items$level <- level[pair]
    by_query <- split(level, factor(x$pool$query, seq_len(n_queries(x))))
    lists$judged <- unname(Map(function(judged, more) sort(c(judged, more), decreasing = TRUE), by_query, outside))
    values <- matrix(0, n_queries(x), n_systems(x))
    value <- custom_values(x$scoring$measure, lists)
    values[cell] <- ifelse(is.na(value), 0, value)
    score[, t] <- colMeans(if (is_weighted(x)) values * query_multiplier(x) else values)
    if (between) between_queries <- between_queries + stats::cov(values)
  }
  spread_draws(gains, list(score = score, linear = linear, between = between_queries / draws))
}

# Draws of the gains of all pairs of some queries, as the measure transforms them, at the levels of the scale if
# `on_scale` is true: pairs, in pool order within the queries, by draws.
draw_gains <- function(gains, queries, draws, seed, on_scale = TRUE) {
  if (!is.null(gains$noise)) gains <- rejudged_gains(gains, gains$gain)
  x <- gains$collection
  ends <- gain_range(x)
  values <- sort(unique(transformed_gain(x, x$scale$levels)))
  unit <- joint_simulate_cpp(joint_posterior(gains), if (on_scale) (values - ends[1]) / diff(ends) else numeric(),
                             queries, draws, seed)
  pair <- pairs_of_queries(x, queries)
  out <- ends[1] + diff(ends) * unit
  # The core returns the levels with rounding errors: replaces them by the exact numbers of the scale.
  if (on_scale) out[] <- values[findInterval(out, (values[-1] + values[-length(values)]) / 2) + 1L]
  judged <- which(!is.na(gains$gain[pair]))
  out[judged, ] <- transformed_gain(x, gains$gain[pair[judged]])
  out
}

pairs_of_queries <- function(x, queries) {
  unlist(split(seq_len(n_pairs(x)), factor(x$pool$query, seq_len(n_queries(x))))[queries], use.names = FALSE)
}

# Whether all pairs have a certain gain, except for pairs of queries that do not count in the means of `x`.
has_certain_gains <- function(gains, x = gains$collection) {
  gains$doubt == 0 && !any(gains$noise > 0) && count_pairs(x, is.na(gains$gain)) == 0
}

# Until it is called again, approximates a nonlinear measure by the linear measure that fits best over draws; its
# weights by rank serve the selection of documents. `approximation` has the corrections with which
# posterior_system_moments() matches the moments of the draws: the means of the scores and of the linear measure when
# the scores were drawn (`mean`, `linear_mean`); the `slope` of each system's score on its linear measure over draws,
# which is near 0 once judgments have settled the score, as a relevant first document settles RR; the covariance that
# the weights do not explain (`unexplained`); and the `factor` of the variances of systems and differences, see
# pairwise_variances(). It also has the draws as they were drawn, and the `variance` of the systems then.
approximate_measure <- function(gains) {
  x <- gains$collection
  if (is_sum(x)) return(gains)
  n_draws <- if (has_certain_gains(gains)) 2 else approximation_draws(gains)
  drawn <- draw_measure(gains, x, n_draws, seed = 1, approximate = TRUE)
  weight <- drawn$weights[-1]
  centre <- rowMeans(drawn$score)
  # The weights are fitted to the values of single queries; `slope` adapts them to the differences between systems.
  linear <- drawn$spread * (drawn$approximation - rowMeans(drawn$approximation))
  slope <- regression_slope(linear, drawn$score - centre)
  gains <- reweighted_gains(gains, x, over_queries(x, slope * weight[result_position(x)]))
  covariance <- stats::cov(t(drawn$score))
  unexplained <- stats::cov(t(drawn$score - slope * linear))
  explained <- slope * linear
  gains$approximation <- list(mean = 0, linear_mean = 0, slope = 1, unexplained = unexplained, factor = 1,
                              draws = drawn$draws, variance = diag(covariance))
  uncorrected <- posterior_system_moments(gains)
  gains$approximation$mean <- centre
  gains$approximation$linear_mean <- uncorrected$mean
  gains$approximation$slope <- safe_ratio(rowSums(explained * drawn$score), rowSums(explained^2))
  gains$approximation$factor <- safe_ratio(pairwise_variances(covariance), pairwise_variances(uncorrected$covariance))
  gains
}

# The number of draws. It is smaller for the first judgments, when a session estimates after almost every judgment and
# cannot meet a goal yet, and for large collections: the draws times the results are at most about 80 million, unless
# that would be fewer than 104 draws.
approximation_draws <- function(gains) {
  max_draws <- if (sum(!is.na(gains$gain)) %in% seq_len(least_judgments - 1)) 104 else 400
  max(104, min(max_draws, 8 * ceiling(1e7 / n_results(gains$collection))))
}

# No goal counts as reached before this number of judgments (see progress_of()).
least_judgments <- 20

# The variances of the systems, on the diagonal, and of their differences.
pairwise_variances <- function(cov) difference_variance_cpp(cov) + diag(diag(cov), nrow(cov))

# The ratio of two numbers, 1 where it is not defined.
safe_ratio <- function(a, b) ifelse(is.finite(a) & b > 0, a / b, 1)

# Means and covariance of the systems from joint gains, in units of the measure. Ranks beyond the end of a short list
# have gain 0, even if the lowest level of the scale is higher. A nonlinear measure is replaced here by its linear
# approximation.
posterior_system_moments <- function(gains, between = 0) {
  systems <- unit_system_moments(gains)
  approximation <- gains$approximation
  ends <- if (is.null(approximation)) gain_range(gains$collection) else c(0, 1)
  covariance <- systems$covariance + between
  covariance <- diff(ends)^2 * (covariance + t(covariance)) / 2
  estimate <- ends[1] * gains$pool$retrieved + diff(ends) * systems$mean
  if (!is.null(approximation)) {
    estimate <- approximation$mean + approximation$slope * (estimate - approximation$linear_mean)
    # Variances of settled scores may be negative by rounding errors.
    spread <- pmax(approximation$factor * pairwise_variances(covariance + approximation$unexplained), 0)
    covariance <- (outer(diag(spread), diag(spread), `+`) - spread) / 2 + diag(diag(spread) / 2, nrow(spread))
  }
  list(mean = estimate, covariance = covariance, approximation = approximation)
}

# Whether a session can use the measure: it must be a sum over documents, or one that the core can compute from draws.
is_approximable <- function(x) is_sum(x) || (!is_custom(list(x$scoring$measure)) && x$scoring$measure$total == "mean")

check_approximable <- function(x) {
  m <- x$scoring$measure
  check_that(is_approximable(x), "measure", c(
    "Documents cannot be selected for the measure {.val {m$name}}.",
    i = "Use a built-in measure whose values are averaged over the queries.",
    i = "{.code rank_systems(x, gains, measure = )} ranks by any measure."
  ), kind = "measure")
}

# The text with which print() describes the graders of some gains.
grades_note <- function(gains) {
  grading <- gains$model$grading
  if (is.null(grading)) return(NULL)
  check <- grading$check
  words <- function(text) in_words_of(nouns_of(gains$collection), text)
  informative <- stats::plogis(gains$fit$grader_odds)
  lacking <- sum(lacking_systems(gains))
  unchecked <- check$se > informative_correlation$sd && !length(gains$sequence)
  c(
    if (unchecked)
      words("The grades cannot be checked without judgments: too few documents are of several teams.")
    else if (informative < 0.01) "The grades are doubted: they are informative with probability below 0.01."
    else if (informative < 0.5)
      sprintf("The grades are doubted: they are informative with probability %.2f.", informative),
    if (informative < 0.5 && check$correlation < -2 * sqrt(check$se^2 + grade_check_error^2))
      words("Documents of many systems have low grades: are the grades reversed?"),
    if (length(check$reranked)) paste0("The grades do not tell how good systems are whose lists are in their order: ",
                                       name_some(check$reranked), "."),
    if (isTRUE(check$ungraded > 0))
      sprintf("%s without a grade: taken as average", words(counted(check$ungraded, "document"))),
    if (lacking && length(gains$sequence))
      sprintf(words("The grades may favour systems: of %s, fewer than %d documents are judged."),
              counted(lacking, "system"), min_judged_of_system)
  )
}

# For systems that share no documents, only judgments can show that a grader favours some of them. Returns by system
# whether fewer than `min_judged_of_system` of its documents are judged; NULL if systems share documents or there are no
# grades.
lacking_systems <- function(gains) {
  if (is.null(gains$model$grading) || gains$model$grading$check$alone < 1) return(NULL)
  results <- gains$collection$results
  of_system <- function(rows) tabulate(results$system[rows], n_systems(gains$collection))
  judged <- of_system(results_of_pairs(results, union(gains$sequence, gains$imagined))$at)
  judged < pmin(min_judged_of_system, of_system(seq_along(results$system)))
}

min_judged_of_system <- 5
