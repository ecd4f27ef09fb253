#' Rank systems, with a confidence for every pair
#'
#' @description
#' `rank_systems()` estimates the mean effectiveness of each system, AG@k or another measure averaged over the queries,
#' from the available judgments, or from none. Judgments need not be complete: the gains of unjudged documents are
#' predicted, and their uncertainty enters the confidence.
#'
#' `system_differences()` compares the systems pair by pair, `ranking_confidence()` states the confidence in the
#' ranking, `absolute_confidence()` the confidence in each system's estimate, and `ranking_accuracy()` compares a
#' ranking with the truth if that is known. `vignette("glossary")` defines the terms.
#'
#' @details
#' Let X be the incidence matrix (pairs by systems), m and C the means and the covariance of the gains, and |Q| the
#' number of queries. For AG@k, the systems then have means t(X) m / (k |Q|) and covariance t(X) C X / (k |Q|)^2:
#' equations (4) and (5) of Urbano and Schedl (2013). Documents that two systems share cancel in their difference. With
#' [joint_gains()], C is a full matrix; gains by [gain_distribution()] are independent, so C is diagonal.
#'
#' @section Measures: AG, CG, P, DCG, RBP, and nDCG and ANDCG with `ideal = "maximum"` are sums over documents of a
#'   weight of the rank times a function of the gain; in the formulas above, this weight replaces the 1 / k of AG@k.
#'   Means and covariance are always exact for [gain_distribution()]. For [joint_gains()] they are exact if the function
#'   is the gain itself, if the joint gains were made for the measure, or if the scale has two levels; otherwise, they
#'   are estimated from draws, too.
#'
#'   For AP of independent gains, means, variances and covariances are exact. AP is a sum over pairs of documents
#'   (Carterette, Allan and Sitaraman, 2006; Aslam, Pavlu and Yilmaz, 2006) divided by the number of relevant documents,
#'   which is random; its moments are integrals of polynomials in the documents' probabilities, without approximation.
#'   The cost is quadratic in the documents of a query. Unjudged documents outside the pool count as not relevant.
#'
#'   All other measures of which higher values are better, including a [measure_custom()], need [joint_gains()]. Their
#'   means and covariance, and the ranks of [rank_probabilities()], are estimated from `draws` of the gains (see
#'   [simulate()][simulate.judicious_joint_gains]), so means have a standard error of `sd` / sqrt(`draws`). If a measure
#'   is not defined for a query, or a system returned no document for it, the value is 0.
#'
#' @section Confidence: Let E be the estimated difference between two systems, sd its standard deviation, and Phi the
#'   standard normal distribution function. The confidence, the probability that the system estimated to be better is
#'   truly better, is Phi(|E| / sd), equations (6) and (7). With a minimum difference `delta`, it is Phi((|E| - delta) /
#'   sd), the probability that this system is better by more than `delta`. The difference has no variance if the systems
#'   returned the same lists, or if every document that only one of them retrieved is judged: the confidence is then 1
#'   if |E| exceeds `delta`, 1/2 if |E| equals `delta`, and 0 if |E| is smaller. The confidence in the ranking is the
#'   mean over all pairs of systems except identical ones, whose order does not exist; 1/2 if all are identical.
#'
#'   Without judgments, grades and past collections, the order is that of agreement between the systems, which usually
#'   means quality, but may mean nothing: where two answers are possible, for instance, or where most systems share an
#'   error. Nothing in the runs tells; about 20 judgments do. The first line of `print()` says so.
#'
#' @section Rank sets: With probability `level`, the true ranks of all systems lie in their rank sets, from `rank_lower`
#'   to `rank_upper`, at the same time. A rank is 1 plus the number of better systems, so that equal systems share one.
#'   The sets come from `r rank_draws` joint draws of the scores with a fixed seed: the draws of a measure that needs
#'   draws, otherwise normal ones, both with the heavier tails of a t distribution with `r rank_set_freedom` degrees of
#'   freedom, because variances are estimated. A rank belongs to a set if both of its tail probabilities reach a limit
#'   that all systems share, which is such that in a share `level` of the draws every rank is in its set. The first
#'   lines of `print()` state which groups of systems these sets separate. If this decides the
#'   order of more pairs of systems, they state instead which first systems are all above which last ones with the
#'   probability `level`, by the same draws, and the smallest set of systems that holds the best with this probability:
#'   the systems with the highest probabilities of being the best ([rank_probabilities()]), until these reach `level`.
#'   If there are neither such groups nor such first and last systems, they state this set only. The ranks of more than
#'   `r most_matrix_systems` systems, as described for `covariance` below, have no sets: `rank_lower` and `rank_upper`
#'   are NA.
#'
#'   Rank sets hold jointly, for all systems at once. The confidence of a pair, the probability of being the best and
#'   the set that holds the best are each about one question. So a pair can be decided although its rank sets overlap,
#'   and a system whose rank set begins at 1 need not be among those that may be the best. The line of `print()` on
#'   first and last systems is not derived from the rank sets either: each of the two statements holds with the
#'   probability `level`. So the rank set of a system that the line puts above others may reach below them.
#'
#'   At level .95, the sets held in
#'   `r source("data-raw/stored.R")$value("statements", "held", statement = "rank sets to 60 judgments")` of the
#'   rankings of sessions on 15 real collections with up to 60 judgments, in
#'   `r source("data-raw/stored.R")$value("statements", "held", statement = "rank sets after 60 judgments")` of
#'   those with more, and in
#'   `r source("data-raw/stored.R")$value("statements", "held", statement = "rank sets at a goal's stop")` at the
#'   stop of a session whose goal was met (`bench/statements.R`).
#'
#'   Figures of `bench/statements.R` and `bench/trust-assessors-families.R` on this page are of an earlier belief
#'   (`vignettes/articles/results/stamps.csv`).
#'
#'   Systems are identical if their difference has no variance, because they returned the same lists or because every
#'   document that distinguishes them is judged, and their estimates are equal. No judgment can order them.
#'
#' @section The model of the gains: Without `gains`, the ranking uses [joint_gains()]: the gains of a query, a system, a
#'   team, a genre or an artist are correlated, to a degree that is learned from the judgments. The prior is the
#'   built-in [gain_prior()], or a model of judged `past` collections. Every function of this package uses the judgments
#'   of a collection; `judgments = FALSE` leaves them out.
#'
#'   `gains = "published"` is the method of Urbano and Schedl (2013): independent gains, predicted by [mirex_model()] on
#'   the Fine and Broad scales, and uniform on other scales and for pairs that lack a feature of the model. Independent
#'   gains make intervals too narrow, and confidence too high on some collections (the article "The method as a paper"
#'   has a table for five), so the confidence of every ranking by independent gains is printed as "published
#'   (overconfident)".
#'
#' @section Assessors: Judgments contain errors. With a column `assessor`, `judgments` may have several judgments of a
#'   pair; a session may have such second judgments, too. A judgment is modelled as the consensus about the document,
#'   plus the leniency of the assessor, plus an error. The leniency and the variance of the errors of every assessor are
#'   learned from the documents that several of them judged, with a prior from three collections (variance of errors
#'   `r assessor_prior$error` on a scale from 0 to 1). The gain of a document that several assessors judged is the mean
#'   of their judgments, each less the leniency of its assessor and weighted by the precision of this assessor; it stays
#'   within the range of the scale. A final judgment of a lead (`final` in [judge()]) replaces all others of the
#'   document. `assessor` states what the ranking refers to:
#'   - `"these"`, the default: the gains computed from the judgments are taken as the truth. If no document was judged
#'     twice, they are the judgments themselves.
#'   - `"consensus"`: the mean over all assessors like these. The remaining errors of the judgments enter the joint
#'     gains, and the more assessors judged a document, the more certain it is.
#'   - `"another"`: one more assessor who judges the same documents. Confidence is then the probability that this
#'     assessor's judgments would give two systems the same order. The variances are larger than with `"these"`. With
#'     few judgments, the confidence may be higher all the same: judgments with errors move the estimates less, so that
#'     systems remain further apart if the judgments contradict what was expected of them.
#'   - a name: this assessor, as if he or she had judged all of the judged documents. For a document that the assessor
#'     judged, only this judgment counts; for other documents, those of other assessors do, less the difference in
#'     leniency and with their errors.
#'
#'   All except `"these"` need a measure that is a sum over documents of untransformed gains, such as AG and DCG.
#'
#'   Errors are not independent: with `"consensus"` and `"another"`, a share of their variance is common to the
#'   documents of a query (`r assessor_prior$query` a priori; documents judged twice tell how much), an assessor's
#'   leniency to all documents (variance `r assessor_prior$leniency`), and assessors differ by a factor in how large
#'   differences between systems are to them (variance `r assessor_prior$scale`). On three collections, 95% intervals of
#'   the differences of systems cover another assessment in .97 to 1.00 of the cases
#'   (`bench/trust-assessors-families.R`). For up to `r most_reconsidered` judged documents, `print()` of a ranking by
#'   `"these"` judgments states the confidence that another assessor would agree and, if documents were judged twice,
#'   the confidence in the consensus.
#'
#'   *Is one assessor enough?* Compare the confidence in the consensus, with the judgments of one assessor and of
#'   several: `rank_systems(x, judgments = j, assessor = "consensus")`, where `j` has one judgment of each document
#'   (`j[!duplicated(j[c("query", "doc")]), ]`), and then all. [agreement()] shows how lenient each assessor is.
#' @param x A [test_collection()], or a session by [judging_session()], which has its own gains. For `print()`: a
#'   ranking, or the result of `system_differences()`.
#' @param gains The gains or a model of them. NULL (default) makes joint gains from `past`, `grades` and `judgments`.
#'   Or one of: [joint_gains()] of `x`; a [gain_prior()] or [gain_model()], from which to make joint gains; a
#'   [gain_distribution()] for all pairs of the pool (in pool order if it has no columns `query` and `doc`); any model
#'   that [gain_distribution()] accepts; or `"published"`, the method of Urbano and Schedl (2013). Gains, unlike models,
#'   are used unchanged: the judgments of `x` do not update them.
#' @param past Judged collections to learn from by [gain_model()]: a [test_collection()], a session, or a list of them;
#'   or the model itself. The model learns what gains depend on, not how good a system was: to use judgments of the same
#'   systems, put all queries into one collection by [add_queries()], and rank within the new ones with `by`.
#' @param grades The grades of a language model or another grader for the pairs, as in [joint_gains()]: for instance a
#'   data frame with `query`, `doc` and a grade, or the path of such a file. If it also has grades for the collections
#'   of `past`, the model learns from them.
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @param judgments The judgments to use: NULL for those of `x`, FALSE for none, or, to replace those of `x`, a data
#'   frame with `query`, `doc` and `gain`, or the path of such a file.
#' @param delta The smallest difference between systems that is of interest, in units of the measure; 0 (default)
#'   compares the order only. See the section on confidence.
#' @param level The probability of each system's interval, between 0 and 1. Intervals are normal, and truncated to the
#'   range of the measure.
#' @param scope The queries to which the estimates refer: `"these"` queries of the collection, or all `"new"` queries of
#'   the same kind, which adds the variance between queries. `"new"` needs [joint_gains()].
#' @param measure A measure or its name, as in [measure()]. NULL uses that of [joint_gains()], by default AG@k at
#'   the collection's cutoff. P@k on a graded scale is estimated by a model of relevance instead of grades; if you pass
#'   `gains`, make them by `joint_gains(..., measure = "P@5")`. Its `rel` says what counts as relevant in the judgments,
#'   and has no effect without any. Negative levels of a scale count as gains here; [evaluate()]
#'   treats them as unjudged.
#' @param assessor What estimates and confidence refer to: `"these"` judgments, the `"consensus"` of assessors,
#'   `"another"` assessor, or the name of one of the assessors. See the section on assessors.
#' @param draws The number of draws of the gains, for measures that need them: see the section on measures. NULL, the
#'   default for a session, uses those that its goal and [progress()] are based on, so that all state the same.
#' @param seed Seed of the draws; the state of R's random number generator is restored. NULL draws a seed from it,
#'   so that two rankings by a measure that needs draws differ slightly. For a session, the default is the seed of the
#'   session.
#' @param by The name of a column of the collection's queries, such as a language or a type: systems are ranked within
#'   each stratum, that is, over the queries that share a value. The gains are estimated from all queries, so a small
#'   stratum benefits from the judgments of the others.
#' @param ... For a session: `delta`, `level`, `scope`, `measure`, `draws`, `seed` and `by`. Otherwise not used.
#' @order 1
#' @return `rank_systems()`: a `judicious_ranking`. `print()` shows it, and `as.data.frame()` returns, best
#'   system first, `rank`, `rank_lower` and `rank_upper` (the rank set), `system`, `team`, `estimate`, `sd`, `lower` and
#'   `upper`. `print()` merges identical systems into one row. Programmers can use its
#'   elements `mean`, `covariance` and `difference_variance`. With more than `r most_matrix_systems` systems, joint
#'   gains, a measure that is a sum over documents and `scope = "these"`, `covariance` is an object that computes its
#'   rows when they are needed (`as.matrix()` returns the matrix), and `difference_variance` is NULL. With `by`: a
#'   `judicious_rankings`, a list of rankings named by stratum; `as.data.frame()` has the stratum in its first column.
#' @section Errors: Among others: gains that do not cover the pool, arguments that exclude each other (such as `past`
#'   and `gains`), a measure that these gains do not support, `scope = "new"` without joint gains or with weighted
#'   queries, and an unknown column in `by`. Every error names the argument.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of
#'   Audio Music Similarity and Retrieval systems. International Journal of Multimedia Information
#'   Retrieval 2, 59-70.
#'
#'   Aslam, J., Pavlu, V. and Yilmaz, E. (2006). A statistical method for system evaluation using incomplete judgments.
#'   SIGIR.
#'
#'   Carterette, B., Allan, J. and Sitaraman, R. (2006). Minimal test collections for retrieval evaluation. SIGIR.
#' @seealso [judging_session()] and [mtc()] collect judgments until the confidence is high enough; [report()] writes a
#'   report of a ranking, [plot()][plot.judicious_ranking] draws it, and [uncertainty()] explains the width of an
#'   interval.
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B", "C"), each = 2), query = "q1",
#'   doc = c("d1", "d2", "d1", "d3", "d2", "d3")
#' )
#' x <- test_collection(runs, k = 2, scale = broad_scale())
#' judgments <- data.frame(query = "q1", doc = c("d1", "d2"), gain = c(2, 1))
#' ranking <- rank_systems(x, judgments = judgments)
#' ranking
#' head(ranking, 2)
#' system_differences(ranking)
#' ranking_confidence(ranking)
#' # P@2 considers a document relevant if its gain is at least 1.
#' rank_systems(x, judgments = judgments, measure = "P@2")
#' # The published method, for comparison
#' rank_systems(x, "published", judgments = judgments)
#'
#' # Weights of queries, and a ranking for each of their languages
#' queries <- data.frame(query = "q1", weight = 120, language = "de")
#' x <- test_collection(runs, queries = queries, k = 2, scale = broad_scale())
#' rank_systems(x, judgments = judgments, by = "language")
#' @export
rank_systems <- function(x, ...) {
  check_that(!missing(x), "x", c("is missing.", i = "Give a {.fn test_collection} or a session."))
  UseMethod("rank_systems")
}

#' @export
rank_systems.default <- function(x, ...) {
  check_class(x, c("judicious_collection", "judicious_session"), "x", c("test_collection", "judging_session"))
}

# Functions of a ranking also take what can be ranked.
as_ranking <- function(x, call = caller_env()) {
  if (inherits(x, c("judicious_session", "judicious_collection"))) return(rank_systems(x))
  check_that(!inherits(x, "judicious_rankings"), "ranking", c(
    "is a list of rankings, one per stratum.",
    i = "Choose one, such as {.code ranking[[{deparse(names(x)[1])}]]}, or use {.fn lapply}."
  ), call = call)
  check_class(x, "judicious_ranking", "ranking", "rank_systems", call)
}

#' @rdname rank_systems
#' @order 2
#' @export
rank_systems.judicious_collection <- function(x, gains = NULL, past = NULL, grades = NULL, judgments = NULL,
                                              measure = NULL, level = 0.95, scope = c("these", "new"), by = NULL,
                                              delta = 0, assessor = c("these", "consensus", "another"), draws = 1000,
                                              seed = NULL, failed = NULL, ...) {
  check_no_more("rank_systems()", ...)
  check_number(delta, "delta", min = 0)
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  if (!is.null(draws)) check_count(draws, "draws", min = 2)
  check_seed(seed)
  scope <- check_choice(scope, c("these", "new"), "scope")
  # Other gains raise an error for grades that are given.
  by_grades <- is.null(gains) || inherits(gains, "judicious_gain_model")
  carried <- if (by_grades) carry_grades(x, grades, failed) else list(x = x, asked = if (!isFALSE(grades)) grades)
  grades <- carried$grades
  failed <- NULL
  x <- with_known_scale(carried$x, judgments, grades)
  if (is_source(judgments)) judgments <- judgments_from_path(judgments, "judgments")
  x <- with_outside(x, judgments)
  given <- mget(setdiff(names(formals()), "..."))
  strata <- if (!is.null(by)) queries_by_stratum(x, by)
  start_progress("Ranking the systems")
  gains <- gains_to_rank_by(x, gains, past, carried, judgments, measure)
  caller <- current_env()
  target <- check_target(assessor, gains, in_measure(gains$collection %||% x, measure))
  referred <- gains_for_target(x, gains, target)
  gains <- referred$gains
  words <- generic_call("rank_systems", sys.call())
  rank_one <- function(counts = NULL) {
    ranking <- if (inherits(gains, "judicious_joint_gains")) {
      rank_jointly(x, gains, delta, level, scope, measure, draws, seed, counts, caller)
    } else {
      rank_independently(x, gains, delta, level, scope, measure, counts, caller)
    }
    ranking$basis <- gains_basis(gains, scope)
    ranking <- add_errors(ranking, referred, target)
    ranking$call <- words
    ranking$given <- given
    ranking
  }
  if (is.null(by)) return(rank_one())
  new_rankings(lapply(strata, function(queries) rank_one(seq_len(n_queries(x)) %in% queries)), by)
}

# `counts`: whether each query counts in the mean; NULL for all.
rank_independently <- function(x, gains, delta, level, scope, measure, counts, call = caller_env()) {
  force(call)
  check_that(scope != "new", "scope", c(
    "{.code scope = \"new\"} needs the gains' covariance.",
    i = "Leave {.arg gains} out, or make them by {.fn joint_gains}."
  ), call = call)
  x <- in_measure(x, measure, call)
  if (!is.null(counts)) x <- only_queries(x, counts)
  g <- gains_on_pool(x, gains, call = call)
  if (!is_sum(x) && all(g$judged)) return(rank_known(x, g$mean, delta, level))
  if (!is_sum(x)) return(rank_by_ap(x, gains, g, delta, level, call))
  g <- worth_moments(x, g, gains$prob[g$row, , drop = FALSE])
  estimates <- estimate_systems(x, g$mean, g$variance)
  new_ranking(x, estimates$mean, estimates$covariance, estimates$difference_variance, delta, level,
              count_pairs(x, g$judged))
}

# Every pair of systems, or of some of them, as a list of vectors, which is fast enough for a session to call after
# every judgment.
compare_pairs <- function(ranking, delta = ranking$delta, among = NULL) UseMethod("compare_pairs")

#' @export
compare_pairs.judicious_ranking <- function(ranking, delta = ranking$delta, among = NULL) {
  pairs <- compare_systems_cpp(ranking$mean, ranking$difference_variance, delta, gain_resolution(ranking$collection))
  if (is.null(among)) pairs else lapply(pairs, `[`, pairs$a %in% among & pairs$b %in% among)
}

#' @rdname rank_systems
#' @order 5
#' @return `ranking_confidence()`: one number; NA with a single system.
#' @export
ranking_confidence <- function(ranking) confidence_of_pairs(as_ranking(ranking))$mean

#' @rdname rank_systems
#' @order 6
#' @param margin The margin of error, in units of the measure: the largest acceptable distance of a system's
#'   effectiveness from its estimate.
#' @return `absolute_confidence()`: a data frame, best system first, with `system`, `estimate`, `sd` and `confidence`,
#'   the probability 2 Phi(margin / sd) - 1 that the system's effectiveness is within `margin` of its estimate.
#' @export
absolute_confidence <- function(ranking, margin) {
  ranking <- as_ranking(ranking)
  check_number(margin, "margin", min = 0)
  error <- system_sd(ranking)
  confidence <- ifelse(error > 0, 2 * stats::pnorm(margin / error) - 1, 1)
  every <- data.frame(system = names(ranking$mean), estimate = unname(ranking$mean), sd = error, confidence)
  data.frame(every[systems_best_first(ranking), ], row.names = NULL)
}

#' @rdname rank_systems
#' @order 7
#' @param truth The gains of every pair of the pool: a data frame with `query`, `doc` and `gain`, or the path of such a
#'   file. NULL uses the collection's own judgments. The truth is compared with the ranking and does not change it.
#' @param bins Lower limits of bins of confidence, increasing from 0.5, such as `c(0.5, 0.6, 0.7, 0.8, 0.9, 0.95,
#'   0.99)` in Tables 4 and 6 of Urbano and Schedl (2013). NULL: no bins.
#' @return `ranking_accuracy()`: a named vector of `accuracy`, the share of pairs of systems whose order is right,
#'   and Kendall's `tau`, 2 accuracy - 1. A pair that is tied in the estimates or in truth counts half. With `bins`, a
#'   data frame with a row per bin: the limits `from` and `to` of the confidence, the number of `pairs` in it, their
#'   `share` of all pairs, and their `accuracy` (NA without pairs). If the confidence can be trusted, the accuracy of a
#'   bin with many pairs is between its limits.
#' @export
ranking_accuracy <- function(ranking, truth = NULL, bins = NULL) {
  ranking <- as_ranking(ranking)
  x <- ranking$collection
  true <- means_of_truth(x, truth)
  if (!is.null(bins)) return(accuracy_by_confidence(ranking, true, bins))
  tau <- pair_agreement(ranking$mean, true, gain_resolution(x))
  c(accuracy = (1 + tau) / 2, tau = tau)
}

accuracy_by_confidence <- function(ranking, true, bins, call = caller_env()) {
  increasing <- is.numeric(bins) && !anyNA(bins) && !is.unsorted(c(bins, 1), strictly = TRUE)
  check_that(increasing && bins[1] %in% 0.5, "bins",
             "must be increasing numbers below 1, of which the first is 0.5.", call = call)
  bin <- factor(findInterval(compare_pairs(ranking)$confidence, bins), seq_along(bins))
  right <- (1 + pair_signs(ranking$mean, gain_resolution(ranking$collection)) *
              pair_signs(true, gain_resolution(ranking$collection))) / 2
  pairs <- as.vector(table(bin))
  data.frame(from = bins, to = c(bins[-1], 1), pairs = pairs, share = pairs / length(bin),
             accuracy = as.vector(tapply(right, bin, mean)))
}

# What tidy() returns, with or without intervals.
tidy_intervals <- function(data, conf.int, call = caller_env()) {
  check_flag(conf.int, "conf.int", call)
  data[conf.int | !startsWith(names(data), "conf.")]
}

# Kendall's tau between two vectors of means of the same systems. Differences within rounding error are ties.
pair_agreement <- function(estimated, true, resolution) {
  if (length(true) > 1) mean(pair_signs(estimated, resolution) * pair_signs(true, resolution)) else NA_real_
}

# The better system of each pair: 1 for the first, -1 for the second, 0 for a tie.
pair_signs <- function(mean, resolution) {
  sign(compare_systems_cpp(mean, matrix(0, length(mean), length(mean)), 0, resolution)$difference)
}

system_sd <- function(ranking) unname(sqrt(pmax(system_variance(ranking), 0)))

system_variance <- function(ranking) UseMethod("system_variance")

#' @export
system_variance.judicious_ranking <- function(ranking) diag(ranking$covariance)

#' @rdname rank_systems
#' @order 8
#' @param conf.int For `tidy()`: FALSE leaves the intervals out.
#' @param conf.level For `tidy()`: the probability of intervals and rank sets, by default the `level` of the ranking.
#' @return `tidy()` and `glance()`, for rankings and sessions: a data frame with a row per system, best first, and the
#'   columns of package broom; and one with a single row for the whole.
#' @export
tidy.judicious_ranking <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  check_no_more("tidy()", ...)
  x$level <- check_number(conf.level, "conf.level", min = 0, max = 1, open = TRUE)
  systems <- as.data.frame(x)
  names(systems)[match(c("sd", "lower", "upper"), names(systems))] <- c("std.error", "conf.low", "conf.high")
  tidy_intervals(systems, conf.int)
}

#' @rdname rank_systems
#' @order 9
#' @export
glance.judicious_ranking <- function(x, ...) {
  check_no_more("glance()", ...)
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
                    estimate = estimate, sd = error, lower = pmax(estimate - half, ends[1]),
                    upper = pmin(estimate + half, ends[2]))
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

# The mean confidence in a pair of systems, and the numbers of pairs in the bins of confidence.
confidence_of_pairs <- function(ranking) UseMethod("confidence_of_pairs")

#' @export
confidence_of_pairs.judicious_ranking <- function(ranking) {
  compared <- compare_pairs(ranking)
  list(mean = if (length(compared$confidence)) mean_confidence(compared) else NA_real_,
       bins = confidence_counts(compared$confidence))
}

confidence_bins <- function(n) {
  bins <- data.frame(from = confidence_starts, to = c(confidence_starts[-1], 1), pairs = n, share = n / max(sum(n), 1))
  if (n[1] == 0) bins[-1, , drop = FALSE] else bins
}

new_rankings <- function(rankings, by) {
  for (name in names(rankings)) rankings[[name]]$stratum <- paste(by, name)
  structure(rankings, class = "judicious_rankings", by = by)
}
