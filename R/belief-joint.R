#' Predict gains jointly
#'
#' Predicts the gains of all pairs of a pool from the judgments so far: means, variances, and the covariance from which
#' [rank_systems()] computes the confidence. [rank_systems()] and [judging_session()] call it themselves.
#'
#' The gains of a query, a system, a team, a genre or an artist are correlated. So one judgment is evidence about many
#' documents, and the errors of many documents add up instead of cancelling.
#'
#' @details With `update = TRUE`, coefficients and variances are first set to their most probable values given the
#'   judgments. Given these, gains and the effects of [gain_prior()] are jointly normal, in a model linearised around
#'   the most probable coefficients, for which means and covariance are exact.
#'
#' @param x A [test_collection()], or a session by [judging_session()].
#' @param past Judged collections or sessions, from which [gain_model()] learns, or a model, by [gain_model()] or
#'   [gain_prior()] (default).
#' @param judgments The judgments so far: a data frame with `query`, `doc` and `gain`, or its path. NULL uses those of
#'   `x`. With a column `assessor`, several assessors may have judged a pair: see [ranking_assessors]. A logical column
#'   `audit`, as [judgments_of()] of a session has, is FALSE for pairs that a strategy selected; without it, all count
#'   as drawn at random.
#' @param grades Grades of the pairs: a data frame with `query`, `doc` and `grade`, a path, or another form of
#'   [graders]. NULL uses those of the collection, FALSE none.
#' @param failed The grades that mark a failure of a grader, such as `-1` or `c("ERROR", "99")`, which are left out
#'   like NA, NaN, empty text and "N/A". A message counts them. NULL raises an error (`judicious_error_failed_grades`)
#'   for grades outside the scale that the others show: a single negative number such as -1 beside 0 to 3, or 9, 99,
#'   -999 and the like, far from the others. `numeric()` takes all as grades.
#' @param update TRUE estimates coefficients and variances from the judgments, with the model as prior; FALSE
#'   keeps those of the model.
#' @param measure The measure by which systems are to be ranked, one of those that can guide judging in
#'   [ranking_measures]. NULL is AG@k, the mean gain, at the collection's cutoff.
#' @section Judgments outside the pool: They are ignored. With deeper runs, use a larger `k`, and a measure with the
#'   cutoff of interest, such as `measure = "AG@10"`. Judgments for other runs or queries can be a `past` collection.
#' @return A `judicious_joint_gains`. `as.data.frame()` returns `query`, `doc`, `mean`, `variance` and `judged`, of the
#'   gain or, if `measure` uses a function of the gain, of its value. [vcov()][vcov.judicious_joint_gains] returns
#'   covariances of selected pairs, [simulate()][simulate.judicious_joint_gains] draws gains.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' some <- judgments_of(x)[seq(1, 200, by = 8), ]
#' gains <- joint_gains(x, gain_prior(), judgments = some)
#' gains
#' rank_systems(x, gains)
#' rank_systems(x, joint_gains(x, judgments = some, measure = "P@5"))
#' @export
joint_gains <- function(x, past = NULL, grades = NULL, judgments = NULL, measure = NULL, update = TRUE,
                        failed = NULL) {
  if (is.null(judgments) && inherits(x, "judicious_session")) judgments <- x
  judgments <- as_judgments(judgments)
  carried <- carry_grades(with_outside(judged_collection(x), judgments), grades, failed)
  grades <- carried$grades
  x <- with_inferred_scale(carried$x, judgments, grades)
  past <- model_of_past(past, carried$past, measure)
  check_flag(update, "update")
  x <- with_measure(x, measure)
  check_approximable(x)
  start_progress("Estimating the gains")
  gains <- estimated_gains(x, past, grades, judgments, update)
  warn_only_relevant(gains$gain, x$scale)
  gains
}

# Converts an argument `past` to a model: collections and sessions are passed to gain_model().
model_of_past <- function(past, grades, measure) {
  if (is.null(past)) return(built_in_prior)
  if (is.object(past) && !inherits(past, c("judicious_collection", "judicious_session"))) return(past)
  as_pasts(past, or_model = TRUE)
  # Grades as a vector in pool order apply to a single collection, so they are not passed on.
  portable <- is.function(grades) || is.list(grades)
  gain_model(past, grades = if (portable) grades else FALSE, measure = measure)
}

# The input of the mean of joint gains, for a collection and a model: `own`, the values of custom features and of the
# features of grades, and `model`, the model with priors of all these features.
mean_features <- function(x, model, grades) {
  graders <- read_grades(x, grades)
  if (length(graders$constant)) warn_constant_graders(graders)
  custom <- custom_feature_values(x, model$features)
  graded <- grade_features(x, graders)
  steps <- lapply(graders$steps, colnames)
  # The features of `graded` that are neither steps nor slopes of grades are favour_features().
  favours <- setdiff(names(graded), c(unlist(steps), grade_slopes))
  check <- if (length(graded)) {
    c(grade_check(x, grade_predictors(graders)), alone = lack_of_overlap(x), ungraded = graders$ungraded)
  }
  with_all_features <- function(unadapted) {
    model <- prior_for_collection(unadapted, x)
    if (length(custom)) model <- with_features(model, names(custom))
    model <- with_graders(model, steps, !is.null(graders$number), check, favours)
    if (!is.null(model$grading)) model$grading$unadapted <- unadapted
    model
  }
  model <- with_all_features(if (is.null(model$past)) model else model_for(model, x))
  if (!is.null(model$fallback)) model$fallback <- with_all_features(model$fallback)
  list(model = model, features = c(custom, graded))
}

# Estimates the joint gains of a collection for its measure: checks grades and judgments, and fits the model to the
# judgments. `approximate`: whether to approximate a nonlinear measure by a linear one, which the selection of documents
# needs.
estimated_gains <- function(x, model, grades, judgments, update = TRUE, approximate = TRUE) {
  check_class(model, "judicious_gain_model", "past", "gain_model")
  judgments <- as_judgments(judgments)
  record <- assessor_record(x, judgments)
  combined <- if (!is.null(record)) combined_judgments(record, n_pairs(x), x$scale)
  gain <- gains_by_judgments(x, judgments, combined = combined)
  prepared <- mean_features(x, model, grades)
  model <- prepared$model
  pool <- model_pool(x, model, prepared$features)
  fit <- fit_to_gains(x, model, pool, gain, update = update, selected = selected_judgments(x, judgments))
  gains <- new_joint_gains(x, model, pool, fit, gain, record = record, doubt = combined$doubt %||% 0)
  if (approximate) approximate_measure(gains) else gains
}

# The judged pairs that a strategy selected; none if `judgments` does not state which were drawn at random.
selected_judgments <- function(x, judgments) {
  if (!is.data.frame(judgments) || !is.logical(judgments[["audit"]])) return(integer())
  pair <- find_pairs(x, judgments$query, judgments$doc)
  at_random <- is.na(judgments$audit) | judgments$audit
  setdiff(pair[!at_random], c(pair[at_random], NA))
}

# With more systems than this, rankings by measures that are sums over documents avoid matrices over systems.
max_matrix_systems <- 1000
has_many_systems <- function(x) n_systems(x) > max_matrix_systems

# Informs the user that a computation is slow for more than `max_matrix_systems` systems.
note_many_systems <- function(x, subject) {
  if (!has_many_systems(x)) return(invisible())
  inform_judicious(c(
    "{subject} of {format_count(n_systems(x))} systems need a matrix over all systems, whose time grows with about the
      cube of their number: minutes for 2,000 systems, hours for 10,000.",
    i = "{.fn rank_systems} needs none with {.code scope = \"these\"} and a measure that is a sum over documents."
  ), "many_systems", systems = n_systems(x))
}

#' Extract covariances of gains
#'
#' Returns the covariances of the gains of selected pairs of the pool, given the judgments.
#'
#' @param object The gains, by [joint_gains()].
#' @param rows,columns Indices of pairs in the pool, that is, rows of `as.data.frame(object)`.
#' @param ... Not used.
#' @return A matrix, in squared units of the gain or of the measure's function of it. Judged pairs have covariance 0,
#'   except in a session whose `assessor` is not `"these"`.
#' @examples
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' vcov(joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ]), 9:12)
#' @export
vcov.judicious_joint_gains <- function(object, rows, columns = rows, ...) {
  for (arg in c("rows", "columns")) {
    pair <- get(arg)
    check_that(is.numeric(pair) && !anyNA(pair) && !any(pair < 1 | pair > length(object$gain) | pair != trunc(pair)),
               arg, "must be numbers of pairs, from 1 to {length(object$gain)}.")
  }
  joint_covariance_cpp(joint_posterior(object), as.integer(rows), as.integer(columns)) *
    diff(gain_range(object$collection))^2
}

#' @export
as.data.frame.judicious_joint_gains <- function(x, row.names = NULL, optional = FALSE, ...) {
  without_matrix <- has_many_systems(x$collection) && is.null(x$cache$posterior)
  posterior <- joint_posterior(x, of_pairs = without_matrix)
  pairs <- if (without_matrix) pair_moments_cpp(posterior) else joint_pairs_cpp(posterior)
  judged <- !is.na(x$gain)
  exact <- judged & (x$noise %||% 0) == 0
  ends <- gain_range(x$collection)
  expected <- ends[1] + diff(ends) * pairs$mean
  data.frame(pool_ids(x$collection), mean = replace(expected, exact, transformed_gain(x$collection, x$gain[exact])),
             variance = diff(ends)^2 * pairs$variance, judged = judged, row.names = row.names)
}

#' @export
print.judicious_joint_gains <- function(x, ...) {
  pairs <- as.data.frame(x)
  cat("Joint distribution of the gains of ", counted(nrow(pairs), "query-document pair"), "\n", sep = "")
  cat_row("gains", format(x$collection$scale))
  scoring <- x$collection$scoring
  if (!is.null(scoring$transform)) cat_row("worth", paste("what", scoring$measure$name, "makes of them"))
  cat_row("judged", format_count(sum(pairs$judged)))
  if (x$fit$contradicts_past) cat_row("prior", "not the past collections, which the judgments contradict")
  if (!is.null(grades_note(x))) cat_row("grades", paste(grades_note(x), collapse = " "))
  cat_row("effects", paste(x$fit$terms, collapse = ", "))
  cat_row("features", paste(names(x$fit$beta)[-1], collapse = ", "))
  unjudged <- pairs[!pairs$judged, ]
  if (nrow(unjudged)) {
    cat_row("expected", sprintf("mean %s (from %s to %s) where not judged", format_short(mean(unjudged$mean)),
                                format_short(min(unjudged$mean)), format_short(max(unjudged$mean))))
    cat_row("variance", sprintf("mean %s where not judged", format_short(mean(unjudged$variance))))
  }
  invisible(x)
}

#' @export
summary.judicious_joint_gains <- function(object, ...) {
  estimated <- fitted_coefficients(object$fit)
  # The slope of `selected` describes the selection of pairs in this collection, so it is not kept for others.
  kept <- setdiff(names(estimated$mean), "selected")
  fitted_model <- new_gain_model(estimated$mean[kept], estimated$covariance[kept, kept],
                                 replace(object$model$variance, !names(object$model$variance) %in% object$fit$terms, 0),
                                 object$model$variance_sd, list(judged = sum(!is.na(object$gain)), collections = 1),
                                 object$model$features)
  fitted_model$variance[object$fit$terms] <- object$fit$variance[object$fit$terms]
  fitted_model
}

#' Draw gains from their joint distribution
#'
#' Draws the gains of all pairs from their joint distribution, given the judgments so far. Use it to compute the
#' uncertainty of any function of the gains.
#'
#' @details With `on_scale = FALSE`, draws are normal, with the means and covariances of `object`. With `on_scale =
#' TRUE`, they are levels of the scale, by a proportional-odds model with these means, whose cuts are learned from the
#' judged gains; their covariances are those of the effects, to first order (section 6 of `vignette("methods")`).
#'
#' @param object The gains, by [joint_gains()].
#' @param nsim Number of draws of all gains.
#' @param seed Seed of the draws; NULL draws one.
#' @param queries Identifiers of the queries for whose pairs to draw gains; NULL for all.
#' @param on_scale TRUE draws levels of the scale, FALSE normal numbers.
#' @param ... Not used.
#' @return A data frame with a row per pair, by query in the order of `queries` or of the collection, in pool order
#'   within a query: `query`, `doc`, and one column per draw, `sim_1` and so on. A judged pair has its gain in all
#'   draws. If `object` was made for a measure that transforms gains, such as P@k on a graded scale, so are the values.
#' @examples
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ])
#' head(simulate(gains, 3, seed = 1, queries = x$queries$query[2]))
#' @importFrom stats simulate
#' @export
simulate.judicious_joint_gains <- function(object, nsim = 1, seed = NULL, queries = NULL, on_scale = TRUE, ...) {
  check_count(nsim, "nsim")
  check_flag(on_scale, "on_scale")
  x <- object$collection
  position <- if (is.null(queries)) seq_len(n_queries(x)) else match(queries, x$queries$query)
  check_that(!anyNA(position) && !anyDuplicated(position), "queries", c(
    "must be different queries of the collection.",
    x = "{.val {queries[c(which(is.na(position)), which(duplicated(position)))[1]]}} is not, or not the first time."
  ))
  draws <- draw_gains(object, position, nsim, stream_seed(seed), on_scale)
  colnames(draws) <- paste0("sim_", seq_len(nsim))
  data.frame(pool_ids(x)[pairs_of_queries(x, position), ], draws, row.names = NULL)
}
