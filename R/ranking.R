# Ranks systems. rank_systems() ranks by joint gains in three steps:
# 1. carry_grades() checks the grades and adds them to the collection, and with_measure() adds the scoring.
# 2. estimated_gains() estimates the gains. mean_features() makes the features of the grades and a model with priors of
#    their slopes, model_pool() the pool of all pairs; fit_to_gains() fits the model to the judgments; new_joint_gains()
#    keeps all three, from which joint_posterior() computes the posterior; approximate_measure() draws scores if the
#    measure is not a sum over documents.
# 3. rank_jointly() turns the posterior into means of the systems and their covariance, which make up a new_ranking().

# The gains on which a ranking is based: computes them from the arguments of rank_systems(), and describes them for
# print().

# The gains for rank_systems(), from its arguments. `carried`: the result of carry_grades(). `draws`: NULL to use the
# draws of approximate_measure().
gains_to_rank_by <- function(x, gains, past, carried, judgments, measure, draws) {
  if (inherits(gains, "judicious_gains")) return(gains_on_pool(x, gains))
  if (inherits(gains, "judicious_joint_gains")) {
    check_same_collection(x, gains)
    return(gains_in_measure(gains, measure))
  }
  if (is.null(gains) || inherits(gains, "judicious_gain_model")) {
    measured <- with_measure(x, measure)
    if (is_approximable(measured)) {
      model <- gains %||% model_of_past(past, carried$past, measure)
      return(estimated_gains(measured, model, carried$grades, judgments, approximate = is.null(draws)))
    }
    # If the joint model cannot approximate the measure, it models untransformed gains, and the ranking uses draws of
    # the measure.
    check_approximable(x)
    model <- gains %||% model_of_past(past, carried$past, NULL)
    estimated <- estimated_gains(x, model, carried$grades, judgments, approximate = is.null(draws))
    return(gains_in_measure(estimated, measure))
  }
  if (identical(gains, "design")) return(design_gains(x, judgments))
  x$gain <- gains_by_judgments(x, judgments)
  if (identical(gains, "published")) return(published_gains(x))
  check_gain_source(gains)
  with_judged_certain(x, output_gains(x, gains, output_features(x)))
}

# Raises an error for arguments that the argument `gains` leaves without effect.
refuse_beside_gains <- function(gains, past = NULL, grades = NULL, judgments = NULL) {
  if (is.null(gains)) return(invisible())
  are_made <- inherits(gains, c("judicious_gains", "judicious_joint_gains"))
  is_model <- inherits(gains, "judicious_gain_model")
  use_grades <- is_model || identical(gains, "design")
  given <- c(past = !is.null(past), grades = !is.null(grades) && !isFALSE(grades), judgments = !is.null(judgments))
  conflicting <- names(which(given & c(TRUE, !use_grades, are_made)))
  combined <- if (are_made) "gains that are made already" else if (is_model) "a model" else
    switch(if (is_string(gains)) gains else "", design = "design-based estimates", published = "the published method",
           "a model of independent gains")
  check_that(!length(conflicting), conflicting[1], c(
    "{.arg {conflicting[1]}} cannot be combined with {combined}.",
    i = "Leave {.arg gains} out to use {.arg {conflicting[1]}} with joint gains."
  ))
}

# A model is any object with a predict() method. Obvious mistakes, such as a misspelt "published" or a data frame, are
# reported here, because they would raise an obscure error in predict().
check_gain_source <- function(gains) {
  check_that(!inherits(gains, c("judicious_collection", "judicious_session")), "gains",
             "is {.obj_type_friendly {gains}}, which can be given as {.arg past}.")
  check_that(!is.null(gains) && !is.atomic(gains) && !is.data.frame(gains) && !is.function(gains), "gains", c(
    "must be joint gains, a model, a {.fn gain_distribution} or {.val published}, not
      {.obj_type_friendly {gains}}{show_value(gains)}.",
    i = "Leave it out for joint gains from {.arg past}, {.arg grades} and {.arg judgments}."
  ))
}

#' @return A list with `kind`, "joint" or "independent", `note`, the lines to print, and the `scope`. Independent gains
#'   have no note, because the label of their confidence describes them.
#' @noRd
gains_basis <- function(gains, scope = "these") {
  if (inherits(gains, "judicious_design")) return(list(kind = "design", note = design_note, scope = scope))
  if (!inherits(gains, "judicious_joint_gains")) return(list(kind = "independent", note = character(), scope = scope))
  learned <- gains$model$fitted
  # The model of joint gains without graders, adapted to the collection.
  unadapted <- gains$model$grading$unadapted
  model <- if (is.null(unadapted)) gains$model else prior_for_collection(unadapted, gains$collection)
  built_in <- prior_for_collection(built_in_prior, gains$collection)
  prior <- if (!is.null(learned)) {
    sprintf("a model of %s (%s)", counted(learned$collections, "judged collection"),
            counted(learned$judged, "judgment"))
  } else if (identical(model$coefficient[names(built_in$coefficient)], built_in$coefficient) &&
               identical(model$variance, built_in$variance) && is.null(model$features)) {
    built_in_prior_label
  } else {
    "your prior"
  }
  # Features that represent steps of a grader's scale have names like "grade>=2".
  graded <- any(names(gains$fit$beta) %in% grade_slopes | grepl(">=", names(gains$fit$beta), fixed = TRUE))
  new_queries <- if (scope == "new") "Estimates for new queries of the same kind"
  made_of <- paste0("Joint gains from ", prior, if (graded) " and grades")
  list(kind = "joint", note = c(made_of, grades_note(gains), new_queries), scope = scope, prior = prior,
       graded = graded)
}

built_in_prior_label <- "the built-in prior"

# Whether the gains of all pairs on which the ranking depends are known.
all_judged <- function(ranking) {
  is.null(ranking$basis$target) && !identical(ranking$basis$scope, "new") &&
    isTRUE(ranking$judged == count_pairs(ranking$collection))
}

all_judged_note <- function() {
  paste0("Every pair of the pool is judged, so that nothing is estimated",
         hint("; judgments = FALSE ranks without the judgments."))
}

#' Rank systems, with a confidence for every pair
#'
#' @description
#' Estimates the mean effectiveness of each system, AG@k or another measure averaged over the queries, from the
#' available judgments, or from none. Use it with incomplete judgments: the gains of unjudged documents are predicted,
#' and their uncertainty enters the confidence. `vignette("glossary")` defines the terms.
#'
#' [system_differences()] compares the systems pair by pair. See also [rank_sets], [ranking_assessors] and
#' [ranking_measures].
#'
#' @details With the incidence matrix X (pairs by systems), the means m and the covariance C of the gains, and |Q|
#' queries, the systems have means t(X) m / (k |Q|) and covariance t(X) C X / (k |Q|)^2 for AG@k: equations (4) and (5)
#' of Urbano and Schedl (2013). Other sums over documents replace 1 / k by the weights of their ranks.
#' @section Confidence: Let E be the estimated difference between two systems and sd its standard deviation. The
#'   confidence, the probability that the system estimated to be better is better, is Phi(|E| / sd), equations (6) and
#'   (7); with a minimum difference `delta`, Phi((|E| - delta) / sd). If sd is 0, it is 1 if |E| exceeds `delta`, 1/2
#'   if |E| equals it, and 0 otherwise. In measures by draws, it is nearly their share with this sign
#'   (`vignette("methods")`). The confidence in the ranking is the mean over all pairs of systems that are not
#'   identical; 1/2 if all are.
#'
#'   Without judgments, grades and past collections, the order is that of agreement between systems. It usually means
#'   quality, but may mean nothing, as where most systems share an error; about 20 judgments tell.
#' @section The model of the gains: Without `gains`, the ranking uses [joint_gains()]. `gains = "published"` is the
#'   method of Urbano and Schedl (2013): independent gains, predicted by [mirex_model()] on the Fine and Broad scales,
#'   and uniform on other scales and for pairs that lack a feature. Their intervals are too narrow, so their confidence
#'   is printed as "published (overconfident)".
#' @section Errors: `judicious_error_measure`; `judicious_error_columns` for grades or judgments without a column.
#' @param x A [test_collection()], or a session by [judging_session()], which has its own gains. For `print()`: a
#'   ranking.
#' @param gains NULL makes joint gains from `past`, `grades` and `judgments`. Or: [joint_gains()] of `x`; a
#'   [gain_prior()] or [gain_model()]; a [gain_distribution()] for all pairs of the pool (in pool order if it has no
#'   columns `query` and `doc`) or a model that it accepts; `"published"`; or `"design"`, for [design-based
#'   estimates][ranking_design]. Gains, unlike models, are not updated by the judgments.
#' @param past Judged collections to learn from by [gain_model()]: a [test_collection()], a session, or a list of them;
#'   or the model. To use judgments of the same systems, add the new queries by [add_queries()], and rank within them
#'   with `by`.
#' @param grades Grades of the pairs, in a form that [graders] lists. NULL uses those of `x`, FALSE none.
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @param judgments NULL uses the judgments of `x`, FALSE none. Or, to replace them, a data frame with `query`, `doc`,
#'   `gain` and, with several assessors, `assessor`; or its path.
#' @param delta The smallest difference of interest, in units of the measure; 0 compares the order only.
#' @param level The probability of each system's interval, which is normal and truncated to the range of the measure.
#' @param scope The queries to which the estimates refer: `"these"`, or all `"new"` queries of the same kind, which
#'   adds the variance between queries and needs joint gains and equal query weights.
#' @param measure A measure or its name: see [ranking_measures]. NULL uses that of [joint_gains()], by default AG@k at
#'   the collection's cutoff.
#' @param assessor What the ranking refers to: `"these"` judgments, the `"consensus"` of assessors, `"another"`
#'   assessor, or the name of one: see [ranking_assessors].
#' @param draws The number of draws of the gains, for measures that need them. NULL uses those of a session, so that
#'   both state the same; where there are none, or if only a `seed` is given, 1000.
#' @param seed Seed of the draws, by default that of the session; NULL draws one.
#' @param by The name of a column of the collection's queries, such as a language: systems are ranked within each
#'   stratum, the queries that share a value. Gains are estimated from all queries.
#' @param ... For a session: `delta`, `level`, `scope`, `measure` and `by`. Otherwise not used.
#' @order 1
#' @return `rank_systems()`: a `judicious_ranking`. `as.data.frame()` returns, best system first, `rank`, `rank_lower`
#'   and `rank_upper` (the rank set), `system`, `team`, `estimate`, `sd`, `lower` and `upper`; `print(x, n = 30)` shows
#'   the first `n`, with identical systems in one row. With `by`: a `judicious_rankings`, a list named by stratum;
#'   `as.data.frame()` has the stratum in its first column.
#'
#'   Elements for programmers: `mean`, `covariance` and `difference_variance`. With more than `r max_matrix_systems`
#'   systems, `covariance` may be an object of which `as.matrix()` returns the matrix, and `difference_variance` NULL.
#' @references Urbano and Schedl (2013): see [mtc()].
#' @seealso [judging_session()] to collect judgments, [report()], [plot()][plot.judicious_ranking], [uncertainty()].
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B", "C"), each = 2), query = "q1",
#'   doc = c("d1", "d2", "d1", "d3", "d2", "d3")
#' )
#' x <- test_collection(runs, k = 2, scale = broad_scale())
#' judgments <- data.frame(query = "q1", doc = c("d1", "d2"), gain = c(2, 1))
#' ranking <- rank_systems(x, judgments = judgments)
#' ranking
#' as.data.frame(ranking)
#' # P@2 considers a document relevant if its gain is at least 1.
#' rank_systems(x, judgments = judgments, measure = "P@2")
#' # The published method, for comparison
#' rank_systems(x, "published", judgments = judgments)
#' @export
rank_systems <- function(x, ...) {
  check_that(!missing(x), "x", c("is missing.", i = "Give a {.fn test_collection} or a session."))
  UseMethod("rank_systems")
}

#' @export
rank_systems.default <- function(x, ...) {
  check_class(x, c("judicious_collection", "judicious_session"), "x", c("test_collection", "judging_session"))
}

# For functions that take a ranking: a session or a collection is ranked first.
as_ranking <- function(x) {
  if (inherits(x, c("judicious_session", "judicious_collection"))) return(rank_systems(x))
  check_that(!inherits(x, "judicious_rankings"), "ranking", c(
    "One ranking is needed, but there is one per stratum.",
    i = "Choose one, such as {.code rankings[[{deparse(names(x)[1])}]]} of {.code rankings <- rank_systems(x, by = )},
      or use {.fn lapply}."
  ))
  check_class(x, "judicious_ranking", "ranking", "rank_systems")
}

#' @rdname rank_systems
#' @order 2
#' @export
rank_systems.judicious_collection <- function(x, gains = NULL, past = NULL, grades = NULL, judgments = NULL,
                                              measure = NULL, level = 0.95, scope = c("these", "new"), by = NULL,
                                              delta = 0, assessor = c("these", "consensus", "another"), draws = NULL,
                                              seed = NULL, failed = NULL, ...) {
  refuse_other_arguments("rank_systems()", ...)
  check_number(delta, "delta", min = 0)
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  check_seed(seed)
  # A seed is only useful for new draws, so it requests them.
  if (missing(draws) && !is.null(seed)) draws <- 1000
  if (!is.null(draws)) check_count(draws, "draws", min = 2)
  scope <- check_choice(scope, c("these", "new"), "scope")
  refuse_beside_gains(gains, past, grades, judgments)
  are_made <- inherits(gains, c("judicious_gains", "judicious_joint_gains"))
  carried <- if (are_made) list(x = x) else carry_grades(x, grades, failed)
  grades <- carried$grades
  failed <- NULL
  x <- with_inferred_scale(carried$x, judgments, grades)
  judgments <- sourced_judgments(judgments)
  x <- with_outside(x, judgments)
  arguments <- mget(setdiff(names(formals()), "..."))
  strata <- if (!is.null(by)) queries_by_stratum(x, by)
  start_progress("Ranking the systems")
  gains <- gains_to_rank_by(x, gains, past, carried, judgments, measure, draws)
  if (!are_made) warn_only_relevant(gains$gain, x$scale)
  x <- gains$collection %||% with_measure(x, measure)
  target <- check_target(assessor, gains, x)
  input <- target_gains_and_errors(x, gains, target)
  gains <- input$gains
  user_call <- call_of_generic("rank_systems", sys.call())
  rank_one <- function(counts = NULL) {
    ranking <- if (inherits(gains, "judicious_joint_gains")) {
      rank_jointly(gains, scope, draws, seed, counts)
    } else if (inherits(gains, "judicious_design")) {
      rank_by_design(x, gains, level, scope, counts)
    } else {
      rank_independently(x, gains, scope, counts)
    }
    ranking[c("delta", "level")] <- list(delta, level)
    ranking$judged <- count_pairs(ranking$collection, gains$judged %||% !is.na(gains$gain))
    ranking$basis <- gains_basis(gains, scope)
    if (target != "these") ranking <- add_errors(ranking, input, target)
    ranking$call <- user_call
    ranking$arguments <- arguments
    ranking
  }
  if (is.null(by)) return(rank_one())
  rankings <- lapply(strata, function(queries) rank_one(seq_len(n_queries(x)) %in% queries))
  for (name in names(rankings)) rankings[[name]]$stratum <- paste(by, name)
  structure(rankings, class = "judicious_rankings", by = by)
}

# Ranks by independent gains in pool order. `counts`: whether each query counts in the mean; NULL for all.
rank_independently <- function(x, gains, scope, counts) {
  check_that(scope != "new", "scope", c("{.code scope = \"new\"} needs the gains' covariance.",
                                        i = "Leave {.arg gains} out, or make them by {.fn joint_gains}."))
  if (!is.null(counts)) x <- only_queries(x, counts)
  if (!is_sum(x) && all(gains$judged)) return(rank_by_known_gains(x, gains$mean))
  if (!is_sum(x)) return(rank_by_ap(x, gains))
  moments <- transformed_moments(x, gains)
  estimates <- estimate_systems(x, moments$mean, moments$variance)
  new_ranking(x, estimates$mean, estimates$covariance, estimates$difference_variance)
}

# The mean and the variance of each pair's gain after the measure's transformation, from independent gains in pool
# order.
transformed_moments <- function(x, gains) {
  if (is.null(x$scoring$transform)) return(gains[c("mean", "variance")])
  values <- transformed_gain(x, x$scale$model_levels)
  expected <- ifelse(gains$judged, transformed_gain(x, gains$mean), as.vector(gains$prob %*% values))
  list(mean = expected, variance = ifelse(gains$judged, 0, rowSums(gains$prob * outer(-expected, values, `+`)^2)))
}

# Ranks by average precision with independent gains in pool order. A pair is relevant with the probability that its gain
# is at least `rel`.
rank_by_ap <- function(x, gains) {
  m <- x$scoring$measure
  check_that(!is_custom(list(m)) && m$base == "AP" && m$total == "mean", "measure", c(
    "With independent gains, the distribution of {.val {m$name}} is not known.",
    i = "It is known for AP, AG, CG, P, DCG, RBP, and {.val nDCG(ideal=maximum)} with a cutoff.",
    i = "{.fn joint_gains} support any measure."
  ), kind = "measure")
  relevant <- as.numeric(gains$prob %*% (x$scale$model_levels >= m$args$rel))
  relevant[gains$judged] <- as.numeric(gains$mean[gains$judged] >= m$args$rel)
  cutoff <- if (is.na(m$cutoff)) x$k else m$cutoff
  ap <- expected_ap_cpp(x$results, result_position(x), n_systems(x), x$pool$query, n_queries(x),
                        pmin(pmax(relevant, 0), 1), as.integer(cutoff), query_multiplier(x),
                        vapply(outside_gains(x), function(gain) sum(gain >= m$args$rel), 0L))
  new_ranking(x, colMeans(ap$mean * query_multiplier(x)), ap$covariance / n_queries(x)^2)
}

#' @rdname system_differences
#' @return `ranking_confidence()`: one number, the mean over the pairs; NA with a single system.
#' @export
ranking_confidence <- function(ranking) confidence_of_pairs(as_ranking(ranking))$mean

#' @rdname system_differences
#' @param margin The largest acceptable distance of a system's effectiveness from its estimate, in units of the measure.
#' @return `absolute_confidence()`: a data frame, best system first, with `system`, `estimate`, `sd` and `confidence`,
#'   the probability 2 Phi(margin / sd) - 1 that the effectiveness is within `margin` of its estimate.
#' @export
absolute_confidence <- function(ranking, margin) {
  ranking <- as_ranking(ranking)
  check_number(margin, "margin", min = 0)
  error <- system_sd(ranking)
  confidence <- ifelse(error > 0, 2 * stats::pnorm(margin / error) - 1, 1)
  systems <- data.frame(system = names(ranking$mean), estimate = unname(ranking$mean), sd = error, confidence)
  data.frame(systems[systems_best_first(ranking), ], row.names = NULL)
}

#' @rdname system_differences
#' @param truth The gains of every pair of the pool: a data frame with `query`, `doc` and `gain`, or its path. NULL uses
#'   the collection's judgments.
#' @param bins Lower limits of bins of confidence, increasing from 0.5, such as `c(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)`
#'   in Tables 4 and 6 of Urbano and Schedl (2013; see [mtc()]). NULL: no bins.
#' @return `ranking_accuracy()`: a named vector of `accuracy`, the share of pairs of systems in the right order, where a
#'   pair tied in estimate or truth counts half, and Kendall's `tau`, 2 accuracy - 1. With `bins`, a data frame with a
#'   row per bin: its limits `from` and `to`, the number of `pairs`, their `share` of all pairs, and their `accuracy`
#'   (NA without pairs).
#' @export
ranking_accuracy <- function(ranking, truth = NULL, bins = NULL) {
  ranking <- as_ranking(ranking)
  x <- ranking$collection
  true <- means_of_truth(x, truth)
  if (!is.null(bins)) return(accuracy_by_confidence(ranking, true, bins))
  tau <- tau_of_means(ranking$mean, true, gain_resolution(x))
  c(accuracy = (1 + tau) / 2, tau = tau)
}

accuracy_by_confidence <- function(ranking, true, bins) {
  increasing <- is.numeric(bins) && !anyNA(bins) && !is.unsorted(c(bins, 1), strictly = TRUE)
  check_that(increasing && bins[1] %in% 0.5, "bins", "must be increasing numbers below 1, of which the first is 0.5.")
  bin <- factor(findInterval(compare_pairs(ranking)$confidence, bins), seq_along(bins))
  right <- (1 + pair_signs(ranking$mean, gain_resolution(ranking$collection)) *
              pair_signs(true, gain_resolution(ranking$collection))) / 2
  pairs <- as.vector(table(bin))
  data.frame(from = bins, to = c(bins[-1], 1), pairs = pairs, share = pairs / length(bin),
             accuracy = as.vector(tapply(right, bin, mean)))
}

# The result of tidy(), without the columns of intervals unless `conf.int`.
tidy_intervals <- function(data, conf.int) {
  check_flag(conf.int, "conf.int")
  data[conf.int | !startsWith(names(data), "conf.")]
}

# Kendall's tau between two vectors of means of the same systems. Means that differ only by rounding error are ties.
tau_of_means <- function(estimated, true, resolution) {
  if (length(true) > 1) mean(pair_signs(estimated, resolution) * pair_signs(true, resolution)) else NA_real_
}

# The better system of each pair: 1 for the first, -1 for the second, 0 for a tie.
pair_signs <- function(mean, resolution) {
  sign(compare_systems_cpp(mean, matrix(0, length(mean), length(mean)), 0, resolution)$difference)
}

#' @rdname rank_systems
#' @usage NULL
#' @order 8
#' @return `tidy(x, conf.int = TRUE, conf.level)` and `glance(x)`, for rankings and sessions: data frames with the
#'   columns of package broom, one row per system, and one row for the whole.
#' @export
tidy.judicious_ranking <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  refuse_other_arguments("tidy()", ...)
  x$level <- check_number(conf.level, "conf.level", min = 0, max = 1, open = TRUE)
  systems <- as.data.frame(x)
  names(systems)[match(c("sd", "lower", "upper"), names(systems))] <- c("std.error", "conf.low", "conf.high")
  tidy_intervals(systems, conf.int)
}

#' @rdname rank_systems
#' @usage NULL
#' @order 9
#' @export
glance.judicious_ranking <- function(x, ...) {
  refuse_other_arguments("glance()", ...)
  data.frame(confidence = ranking_confidence(x), systems = length(x$mean), queries = queries_in_means(x$collection),
             pairs = n_pairs(x$collection), judged = x$judged, measure = measure_label(x$collection), level = x$level)
}

#' @export
as.data.frame.judicious_ranking <- function(x, row.names = NULL, optional = FALSE, ...) {
  estimate <- unname(x$mean)
  error <- system_sd(x)
  half <- stats::qnorm((1 + x$level) / 2) * error
  ends <- score_range(x$collection)
  sets <- if (has_rank_sets(x)) rank_sets(x) else list(lower = NA_integer_, upper = NA_integer_)
  out <- data.frame(rank = ranks_of(estimate, gain_resolution(x$collection)), rank_lower = sets$lower,
                    rank_upper = sets$upper, system = names(x$mean), team = x$collection$systems$team,
                    estimate = estimate, sd = error, lower = pmin(pmax(estimate - half, ends[1]), estimate),
                    upper = pmax(pmin(estimate + half, ends[2]), estimate))
  out <- out[systems_best_first(x), ]
  rownames(out) <- row.names
  out
}

#' @importFrom utils head
#' @export
head.judicious_ranking <- function(x, n = 6L, ...) {
  check_that(is_number(n), "n", "must be one number of systems, not {.obj_type_friendly {n}}.")
  utils::head(as.data.frame(x), n, ...)
}

confidence_bins <- function(n) {
  bins <- data.frame(from = confidence_starts, to = c(confidence_starts[-1], 1), pairs = n, share = n / max(sum(n), 1))
  if (n[1] == 0) bins[-1, , drop = FALSE] else bins
}
