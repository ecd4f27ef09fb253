#' Predict gains jointly
#'
#' Predicts the gains of all pairs of a pool from the judgments so far: their means, their variances, and the covariance
#' that [rank_systems()] needs to state the confidence in a ranking. Call this function to inspect or reuse the
#' distribution; [rank_systems()] and [judging_session()] call it themselves.
#'
#' The gains of a query, a system, a team, a genre or an artist are correlated. Therefore one judgment is evidence about
#' many documents, and the errors of many documents add up instead of cancelling; the intervals of a method
#' that assumes independent gains are too narrow. `vignette("glossary")` defines the terms.
#'
#' @details
#' With `update = TRUE`, coefficients and variances are first set to their most probable values given the judgments.
#' Given these, the gains and the effects that [gain_prior()] describes are modelled as jointly normal, in a model that
#' is linearised around the most probable coefficients. For that normal distribution, means and covariance are exact,
#' and integrate over all effects and coefficients. The full covariance matrix of the gains is never stored; its
#' elements are computed when they are needed.
#'
#' @param x A [test_collection()], or a session by [judging_session()].
#' @param past Judged collections or sessions, from which [gain_model()] learns, or a model, by [gain_model()] or
#'   [gain_prior()] (default).
#' @param judgments The judgments so far: a data frame with `query`, `doc` and `gain`, or the path of such a file. NULL
#'   uses the judgments of `x`. A data frame with a column `assessor` may have judgments of the same pair by several
#'   assessors: see the section on assessors in [rank_systems()]. A logical column `audit`, as [judgments_of()] returns
#'   it for a session, is FALSE for pairs that a strategy selected, whose gains may differ from those of other pairs
#'   (see [gain_prior()]). Without this column, all judged pairs count as drawn at random.
#' @param grades Grades of the pairs by a language model, another person or an older set of judgments. NULL (default)
#'   uses those of the collection, FALSE uses none, and others replace those of the collection, with a message. One of:
#'   - a data frame with `query`, `doc` and `grade` (or `gain` or `strength`; numbers or an ordered factor), or the path
#'     of such a file in a format of [read_judgments()];
#'   - strengths of the documents, by [bradley_terry()] of preferences;
#'   - one number per pair of the pool, in pool order;
#'   - for several graders, a named list of these (see the section on graders), a vector of paths, or one data frame or
#'     file with a column `grader`. With a column `repeat`, a grade is the mean of the repeated ones;
#'   - a matrix of the probabilities of the levels (of the ten model levels on the Fine scale), pairs by levels, of
#'     which the logit of the expected gain is used;
#'   - a function of the collection that returns any of these, such as
#'     `function(x) gain_distribution(model, output_features(x), fallback = "NA")$prob`.
#'
#'   Use NA for pairs without a grade. Grades that the judgments contradict lose their influence.
#' @param failed The grades that mark a failure of a grader, such as `-1` or `c("ERROR", "99")`, which are left out like
#'   NA, NaN, empty text and "N/A". A message tells how many have failed, and of whose documents most. NULL raises an
#'   error (`judicious_error_failed_grades`) for grades outside the scale that the others show: a single negative number
#'   such as -1 beside 0 to 3, or 9, 99, -999 and the like, far from the others. `numeric()` takes all as grades.
#' @param update TRUE (default) estimates coefficients and variances again from the judgments, with the model as prior;
#'   FALSE keeps those of the model.
#' @param start Joint gains of the same collection and model with fewer judgments. Their estimates are the starting
#'   values, which makes the estimation faster. No effect with `update = FALSE`.
#' @param measure The measure by which systems are to be ranked, as in [measure()]: a built-in measure that is
#'   averaged over the queries (see the section on measures). NULL is AG@k, the mean gain, at the collection's cutoff.
#' @section Graders: A data frame, a file and a vector of the same grades give the same result. Each step up a grader's
#'   scale, whatever its unit, adds an amount to the logit of the mean gain. If a single grader uses more than
#'   `r most_grades` different grades, or gives probabilities, they are one number with a slope (`grades`) instead;
#'   among several graders, its grades are cut into `r most_grades` groups of about the same size. The amounts and the
#'   slope are learned from the judgments. They describe documents within systems. Differences between systems in their
#'   mean grades have a slope of their own, `system_grades`, which is larger, because the errors of single grades
#'   average out.
#'
#'   The prior is a mixture of two. In one, the graders are informative, as three language models on TREC Deep Learning
#'   2019 and 2020 are: the first step adds `r first_step$mean` (standard deviation `r first_step$sd`), each further one
#'   `r next_step$mean` (`r next_step$sd`), and less with several graders, because they agree with each other; the
#'   agreement of systems says less, and systems differ less from what the mean predicts. In the other, the graders say
#'   nothing. Before any judgment, the weights of the two depend on the correlation within queries of the grades and of
#'   the number of teams that retrieved a document: .35 to .56 for the three language models, -.02 to .03 for their
#'   grades shuffled. On other collections, that of the judgments themselves is .12 to .48 (`data-raw/graders.R`).
#'   From the first judgment on, they also depend on how probable the judgments are under each. In a small pool, or if
#'   few documents are retrieved more often than others, the grades cannot be checked without judgments: both priors
#'   have a weight near 1/2, and `print()` says so. It also says if the graders are doubted.
#'
#'   A system that was re-ranked by a grader has lists in the order of its grades, and better grades than it deserves.
#'   Such systems are detected if the runs have ranks; their grades do not tell how good they are, and `print()` names
#'   them. The check does not detect a grader that favours some systems, nor systems whose documents the grader
#'   selected in another way. Teams with higher grades than the agreement of their lists with others suggests may be
#'   better or favoured. Where systems share documents, up to `r most_favours` of them have a slope of their own
#'   (`favour:` and the team's name), which is uncertain until documents of the team are judged, unless the model
#'   learned from past collections how much grades tell. With UMBRELA's grades of TREC Deep Learning 2019 and 2020,
#'   raised by one for most documents of the largest team, .86 of the pairs are in the right order before any judgment
#'   (.89 without the grades) and .86 is stated; after 20, 50 and 100 random judgments .91, .92 and .94 (.89, .88 and
#'   .90 without) and .90, .91 and .92 are (`bench/trust-graders.R`). If a grader may favour a team, judge some
#'   documents before you trust a ranking.
#'
#'   Where systems share no documents, correcting such errors takes long: with the votes of a language model as grades
#'   of six systems that give one answer each (crowd-rag-2025), .64 of the pairs are in the right order after 10 random
#'   judgments and .75 is stated; after 50, .87 and .86 (`bench/trust-graders.R`). Stated uncertainty allows for such
#'   favours, which costs confidence in good grades; [goals] wait for judgments of every system, and `print()` names the
#'   number of systems that have too few.
#'
#'   With UMBRELA, GPT-4o or all three, after 0 to 300 random judgments, at least as many pairs of systems are in the
#'   right order as by the grades alone, less .005 (`bench/trust-graders.R`). A pair without a grade is treated as
#'   average. A [gain_model()] with `grades` learns the amounts for graders of the same names, and replaces the mixture
#'   by what it learned.
#'
#'   Figures of `bench/trust-graders.R` on this page are of an earlier belief
#'   (`vignettes/articles/results/stamps.csv`).
#'
#'   Grades and judgments of documents outside the pool are ignored, so such judgments do not show how informative the
#'   grades are. If the runs have deeper lists, make the collection with a larger `k`, and rank by a measure with the
#'   cutoff of interest, such as `measure = "AG@10"`. Judgments for other runs or queries can be a `past` collection,
#'   with grades of the same graders.
#' @section Measures: Some measures are sums, over the documents of a list, of a weight of the rank times a function of
#'   the gain: AG, CG, P, DCG, RBP, and nDCG and ANDCG with `ideal = "maximum"`. For these, the systems' means and
#'   covariance follow exactly from those of the gains. Some of these functions are not the gain itself: P on a graded
#'   scale counts gains of at least `rel` as 1 and others as 0, and `gain = "exp"` stands for 2^gain - 1. The joint
#'   distribution is then that of the function's value: for instance, `measure = "P@5"` on a graded scale makes it a
#'   model of relevance. If you learn a [gain_model()], learn it for the same measure.
#'
#'   Other measures (AP, RR, ERR, nDCG with the judged ideal, ...) need draws of the gains, as [rank_systems()]
#'   describes. To select documents, [select_documents()] and [judging_session()] approximate such a measure by a
#'   weighted sum over ranks, fitted to 400 draws. The sum is fitted again whenever coefficients and variances are
#'   estimated. A session then states what [rank_systems()] states from as many draws, and until the next estimation
#'   updates it by the sum.
#'
#'   The measure that guides judging must be a built-in measure of which higher values are better, averaged over the
#'   queries (or summed over them, if it is one of the sums above). Measures by [measure_custom()], other totals and
#'   geometric means such as `"gm_map"` raise an error here and in [judging_session()], [judging_plan()] and
#'   [mtc_study()]. To rank by such a measure, make joint gains without `measure`, and use
#'   `rank_systems(x, gains, measure = )`.
#' @return A `judicious_joint_gains`. `print()` and `summary()` describe it. `as.data.frame()` returns `query`, `doc`,
#'   `mean`, `variance` and `judged`; means and variances refer to the gain or, if `measure` uses a function of the
#'   gain, to its value. [vcov()][vcov.judicious_joint_gains] returns covariances of selected pairs, and
#'   [simulate()][simulate.judicious_joint_gains] draws gains.
#' @section Errors: Among others: a `past` that is neither a collection nor a model, judgments outside the scale, grades
#'   that have no value for any pair, or not one number per pair of the pool, a custom feature of the model that `x`
#'   lacks, and a measure that cannot guide judging. Every error names the argument.
#' @seealso [rank_systems()], [judging_session()].
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' some <- judgments_of(x)[seq(1, 200, by = 8), ]
#' gains <- joint_gains(x, gain_prior(), judgments = some)
#' gains
#' rank_systems(x, gains)
#' rank_systems(x, joint_gains(x, gain_prior(), judgments = some, measure = "nDCG(ideal=maximum)@5"))
#' @export
joint_gains <- function(x, past = NULL, grades = NULL, judgments = NULL, measure = NULL, update = TRUE, start = NULL,
                        failed = NULL) {
  if (is.null(judgments) && inherits(x, "judicious_session")) judgments <- x
  judgments <- as_judgments(judgments)
  carried <- carry_grades(with_outside(judged_collection(x), judgments), grades, failed)
  grades <- carried$grades
  x <- with_known_scale(carried$x, judgments, grades)
  past <- model_of_past(past, carried$past, measure)
  check_class(past, "judicious_gain_model", "past", "gain_model")
  check_flag(update, "update")
  if (!is.null(start)) check_class(start, "judicious_joint_gains", "start", "joint_gains")
  x <- in_measure(x, measure)
  check_followed(x)
  record <- assessor_record(x, judgments)
  gain <- judgments_or_own(x, judgments, record = record)
  start_progress("Estimating the gains")
  features <- mean_features(x, past, grades)
  model <- features$model
  pool <- model_pool(x, model, features$own)
  if (!is.null(start)) check_start(start$fit, pool, model)
  # `start` only applies to an estimation.
  fit <- fit_to_gains(x, model, pool, gain, if (update) start$fit, update, selected_judgments(x, judgments))
  follow_measure(new_joint_gains(x, model, pool, fit, gain, record = record))
}

# A start must have coefficients of the same features, and a variance of every effect.
check_start <- function(fit, pool, model, call = caller_env()) {
  wanted <- list(features = colnames(pool$x)[-1], effects = possible_terms(pool, model$variance))
  has <- list(features = setdiff(names(fit$beta)[-1], "selected"), effects = fit$terms)
  if (identical(wanted$features, has$features) && all(wanted$effects %in% has$effects)) return(invisible())
  part <- if (identical(wanted$features, has$features)) "effects" else "features"
  abort_argument("start", c(
    "has other {part} than {.arg past} has for this collection: {.val {has[[part]]}}.",
    i = "It must be joint gains of the same collection and model, with the {part} {.val {wanted[[part]]}}."
  ), call = call)
}

# The judged pairs that a strategy selected, if `judgments` tells which were drawn at random instead.
selected_judgments <- function(x, judgments) {
  if (!is.data.frame(judgments) || !is.logical(judgments$audit)) return(integer())
  pair <- find_pairs(x, judgments$query, judgments$doc)
  at_random <- is.na(judgments$audit) | judgments$audit
  setdiff(pair[!at_random], c(pair[at_random], NA))
}

# `gain`: the gains of all pairs, NA for unjudged ones. `selected`: the pairs that a strategy selected.
fit_to_gains <- function(x, model, pool, gain, start = NULL, update = TRUE, selected = integer()) {
  pool <- with_selected(pool, integer())
  judged <- which(!is.na(gain))
  gain <- unit_gain(x$scale, gain[judged])
  left <- !is.null(start) && start$left_past
  if (!left && update && contradicted(pool, model, judged, gain)) {
    warn_judicious(c(
      "The judgments contradict what was learned from past collections.",
      x = "They are more than {contradiction} times as probable under the prior that the model was fitted with.",
      i = "From now on, gains are estimated with that prior."
    ), "contradicted_past")
    left <- TRUE
    start <- NULL
  }
  state <- list(left_past = left, selected = selected)
  state$grader_odds <- grader_odds(pool, if (left) model$fallback else model, if (update) judged, gain, start)
  prior <- prior_of_fit(pool, model, state)
  fit_joint_prior(prior$pool, prior$model, judged, gain, start, update = update, state = state)
}

# With more systems than this, rankings by sums over documents keep no matrix over systems.
most_matrix_systems <- 1000
has_many_systems <- function(x) n_systems(x) > most_matrix_systems

# Announces a computation that may take hours for thousands of systems.
note_many_systems <- function(x, what) {
  if (!has_many_systems(x)) return(invisible())
  inform_judicious(c(
    "{what} of {format_count(n_systems(x))} systems need a matrix over all systems, whose time grows with about the
      cube of their number: minutes for 2,000 systems, hours for 10,000.",
    i = "{.fn rank_systems} needs none with {.code scope = \"these\"} and a measure that is a sum over documents."
  ), "many_systems", systems = n_systems(x))
}

# The means and variances of the gains, from 0 to 1.
pair_moments <- function(gains) {
  without_matrix <- has_many_systems(gains$collection) && is.null(gains$cache$posterior)
  if (without_matrix) pair_moments_cpp(pair_posterior(gains)) else joint_pairs_cpp(joint_posterior(gains))
}

#' Extract covariances of gains
#'
#' Returns the covariances, given the judgments, of the gains of selected pairs of the pool.
#'
#' @param object The gains, by [joint_gains()].
#' @param rows,columns Indices of pairs in the pool, that is, rows of `as.data.frame(object)`.
#' @param ... Not used.
#' @return A matrix with a row per pair of `rows` and a column per pair of `columns`, in squared units of the gain, or
#'   of the function of the gain that the measure uses. Judged pairs have covariance 0, except in the gains of a session
#'   whose `assessor` is not `"these"`, in which judgments have errors.
#' @examples
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' vcov(joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ]), 9:12)
#' @export
vcov.judicious_joint_gains <- function(object, rows, columns = rows, ...) {
  for (arg in c("rows", "columns")) {
    at <- get(arg)
    check_that(is.numeric(at) && !anyNA(at) && !any(at < 1 | at > length(object$gain) | at != trunc(at)), arg,
               "must be numbers of pairs, from 1 to {length(object$gain)}.")
  }
  joint_covariance_cpp(joint_posterior(object), as.integer(rows), as.integer(columns)) * gain_range(object)^2
}

gain_range <- function(gains) diff(worth_range(gains$collection$scale))

#' @export
as.data.frame.judicious_joint_gains <- function(x, row.names = NULL, optional = FALSE, ...) {
  pairs <- pair_moments(x)
  judged <- !is.na(x$gain)
  known <- judged & (x$noise %||% 0) == 0
  gain_scale <- x$collection$scale
  expected <- worth_range(gain_scale)[1] + gain_range(x) * pairs$mean
  data.frame(pool_ids(x$collection), mean = replace(expected, known, worth_of(gain_scale, x$gain[known])),
             variance = gain_range(x)^2 * pairs$variance, judged = judged, row.names = row.names)
}

#' @export
print.judicious_joint_gains <- function(x, ...) {
  pairs <- as.data.frame(x)
  cat("Joint distribution of the gains of ", counted(nrow(pairs), "query-document pair"), "\n", sep = "")
  cat_row("gains", format(x$collection$scale))
  if (!is.null(x$collection$scale$worth)) cat_row("worth", paste("what", x$collection$measure$name, "makes of them"))
  cat_row("judged", format_count(sum(pairs$judged)))
  if (x$fit$left_past) cat_row("prior", "not the past collections, which the judgments contradict")
  if (!is.null(grades_note(x))) cat_row("grades", paste(grades_note(x), collapse = " "))
  cat_row("effects", paste(x$fit$terms, collapse = ", "))
  cat_row("features", paste(names(x$fit$beta)[-1], collapse = ", "))
  unjudged <- pairs[!pairs$judged, ]
  if (nrow(unjudged)) {
    cat_row("expected", sprintf("mean %s (from %s to %s) where not judged", short(mean(unjudged$mean)),
                                short(min(unjudged$mean)), short(max(unjudged$mean))))
    cat_row("variance", sprintf("mean %s where not judged", short(mean(unjudged$variance))))
  }
  invisible(x)
}

#' @export
summary.judicious_joint_gains <- function(object, ...) {
  estimated <- fitted_coefficients(object$fit, object$pool)
  # Another collection has its own selection.
  kept <- setdiff(names(estimated$mean), "selected")
  fitted_model <- new_gain_model(estimated$mean[kept], estimated$covariance[kept, kept],
                                 replace(object$model$variance, !names(object$model$variance) %in% object$fit$terms, 0),
                                 object$model$variance_sd, list(judged = sum(!is.na(object$gain)), collections = 1),
                                 object$model$features)
  fitted_model$variance[object$fit$terms] <- object$fit$variance[object$fit$terms]
  fitted_model
}
