#' Set the goal of a judging session
#'
#' A goal states when a [judging_session()] stops, and which comparisons of systems its judgments should serve. Combine
#' goals with `&` (all must be reached) and `|` (one suffices); [goal_custom()] creates custom goals.
#'
#' - `goal_mean()`: the mean confidence over the pairs of systems, except identical ones, as in [mtc()] and
#'   [ranking_confidence()].
#' - `goal_all_pairs()`: the confidence of every pair of systems.
#' - `goal_top()`: the probability that each of the systems ranked 1 to `k` is at least as good as each of the others,
#'   from joint draws of their scores.
#' - `goal_ranks()`: the number of ranks in every system's rank set (see [rank_sets]).
#' - `goal_beats()`: the confidence of every comparison with the `baseline`, in either direction.
#' - `goal_absolute()`: the mean, over the systems, of [absolute_confidence()] with `margin`.
#' - `goal_width()`: the width of each system's interval, as a share of the range of the measure.
#' - `goal_budget()`: the number of judgments, including those with which a session starts; a document that is judged
#'   twice counts twice. Without another goal, all comparisons have the same weight, as in `goal_mean()`.
#'
#' Before `r least_judgments` judgments (or the whole pool), only `goal_budget()` and custom goals are reached. With
#' grades of systems that share no documents, such as answers, all other goals also need `r min_judged_of_system` judged
#' documents (or all) of every system, which are judged first.
#'
#' A session ends when its goal is reached. Judging goes on if runs or queries are added, the goal is changed, or a
#' judgment that counted is undone.
#'
#' @section Systems that are equal in practice: With `equal`, `goal_all_pairs()`, `goal_top()` and `goal_beats()` also
#'   accept a comparison if the probability that the two systems differ by less than `equal` reaches `confidence`.
#' @section Strata: With `by`, the goal must be reached in each stratum, by the ranking over the queries that share a
#'   value. Documents are selected for strata that have not reached it, but all judgments contribute.
#' @param confidence The confidence to reach, between 0 and 1.
#' @param delta The smallest difference of interest, in units of the measure.
#' @param by The column of the collection's queries that defines strata. NULL: no strata.
#' @param equal The difference, in units of the measure, below which systems count as equal in practice; it must exceed
#'   `delta`.
#' @param k The number of best systems to identify.
#' @param baseline The name of the system with which all others are compared.
#' @param margin The largest acceptable distance of a system's effectiveness from its estimate, in units of the measure.
#' @param width The largest acceptable width of an interval, as a share of the range of the measure; for `goal_ranks()`,
#'   the largest number of ranks in a set.
#' @param level The probability of the interval, or of all rank sets together, between 0 and 1.
#' @param n The number of judgments at which to stop.
#' @param e1,e2 Goals to combine.
#' @return A `judicious_goal`, for the argument `goal` of [judging_session()] and [judging_plan()].
#' @examples
#' goal_mean(0.95) | goal_budget(200)
#' goal_top(3, 0.9, delta = 1) & goal_width(0.05)
#' # Every pair is decided, or differs by less than 2
#' goal_all_pairs(0.95, equal = 2)
#' # The mean confidence among the queries of each language
#' goal_mean(0.95, by = "language")
#' @name goals
NULL

#' Define a custom goal
#'
#' Creates a goal for [judging_session()] from two functions of a ranking: one states whether the goal is reached, the
#' other which comparisons judgments should serve.
#'
#' A ranking is a list with, among others, `mean` and `covariance` (of the systems, in units of the measure),
#' `difference_variance` (a matrix, of each pair of systems), `judged` (the number of judged documents) and
#' `collection`. [ranking_confidence()], [system_differences()] and [as.data.frame()] accept it.
#'
#' @param label A short description of the goal, one string, by which [open_session()] recognises it.
#' @param progress A function of a ranking that returns a list of `value` (one number), `asked` (the value to be
#'   reached) and `reached` (TRUE or FALSE).
#' @param interest A function of a ranking that returns the comparisons that judgments should serve: a list of `pairs`,
#'   a symmetric matrix with the weight of each pair of systems; optionally `systems`, the weight of the estimate of
#'   each; and optionally `delta`. Or a list of several of these. Some weights must be positive until the goal is
#'   reached. NULL: all comparisons have the same weight.
#' @param delta The smallest difference of interest, in units of the measure.
#' @return A `judicious_goal`, for the argument `goal` of [judging_session()] and [judging_plan()].
#' @seealso [strategy_custom()].
#' @examples
#' # Judge until the best system is known to be better than the second best
#' goal <- goal_custom(
#'   "leader found",
#'   progress = function(ranking) {
#'     value <- system_differences(ranking)$confidence[1]
#'     list(value = value, asked = 0.9, reached = value >= 0.9)
#'   },
#'   interest = function(ranking) {
#'     best_two <- rank(-ranking$mean, ties.method = "first") <= 2
#'     list(pairs = outer(best_two, best_two) - diag(best_two))
#'   }
#' )
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' run_session(judging_session(x, goal = goal | goal_budget(40), seed = 1, judgments = FALSE))
#' @export
goal_custom <- function(label, progress, interest = NULL, delta = 0) {
  check_string(label, "label")
  check_function(progress, "progress")
  if (!is.null(interest)) check_function(interest, "interest")
  check_number(delta, "delta", min = 0)
  checked_progress <- function(ranking) {
    state <- progress(ranking)
    check_that(is.list(state) && all(c("value", "asked", "reached") %in% names(state)) && is.numeric(state$value) &&
                 length(state$value) == 1 && (isTRUE(state$reached) || isFALSE(state$reached)), "progress", c(
                   "of the goal {.val {label}} must return a list of {.field value} (one number), {.field asked} and
                     {.field reached} (TRUE or FALSE).",
                   x = "It returned {.obj_type_friendly {state}}."
                 ), call = NULL)
    state
  }
  # The field `by` has the columns of queries in whose strata the goal must be reached; `checks` has functions of the
  # names of the systems, which raise an error if the goal is not possible for these systems.
  structure(list(
    label = label, delta = delta, progress = checked_progress, by = character(), checks = list(),
    recipe = list(label = label),
    interest = function(ranking) if (!is.null(interest)) as_interests(interest(ranking), label, length(ranking$mean))
  ), class = "judicious_goal")
}

# Constructor of all goals about comparisons. The confidence in a pair is the probability that the sign of the
# difference is right and that it is beyond `delta` or, if larger, the probability that the difference is below `equal`.
# `concerned()` selects the pairs (NULL: all). `drop_decided`: whether to leave out pairs whose difference has no
# variance.
comparison_goal <- function(label, confidence, delta, summarise, concerned = NULL, drop_decided = FALSE, equal = NULL,
                            by = NULL) {
  check_number(confidence, "confidence", min = 0, max = 1, open = TRUE)
  check_number(delta, "delta", min = 0)
  if (!is.null(equal)) check_number(equal, "equal", min = delta, max = Inf, open = TRUE)
  label <- paste0(label, " ", format(confidence), if (delta > 0) paste0(" (differences above ", format(delta), ")"),
                  if (!is.null(equal)) sprintf(" (or equal within %s)", format(equal)))
  # The elements of a matrix for the pairs a < b, in the order of compare_pairs().
  of_pairs <- function(matrix) matrix[lower.tri(matrix)]
  goal <- goal_custom(label, function(ranking) {
    compared <- compare_pairs(ranking, delta)
    concerning <- if (is.null(concerned)) rep(TRUE, length(compared$confidence)) else of_pairs(concerned(ranking))
    concerning <- concerning & if (drop_decided) compared$variance > 0 else can_be_ordered(compared)
    progress_of(ranking, summarise(decided_confidence(compared, equal)[concerning]), confidence)
  }, function(ranking) {
    pairs <- if (is.null(concerned)) every_pair(ranking) else concerned(ranking)
    if (drop_decided) {
      compared <- compare_pairs(ranking, delta)
      pairs <- pairs & symmetric_matrix(decided_confidence(compared, equal), length(ranking$mean)) < confidence
    }
    list(pairs = pairs * 1, delta = delta)
  }, delta)
  within_strata(goal, by)
}

# The goal within each stratum. Its value is that of the stratum that is farthest from reaching it.
within_strata <- function(goal, by, farthest = which.min) {
  if (is.null(by)) return(goal)
  check_string(by, "by")
  in_strata <- function(ranking) lapply(rankings_within(ranking, by), goal$progress)
  stratified <- goal_custom(paste0("by ", by, ", ", goal$label), function(ranking) {
    states <- in_strata(ranking)
    farthest_state <- states[[farthest(vapply(states, `[[`, 0, "value"))]]
    list(value = farthest_state$value, asked = farthest_state$asked, reached = all(vapply(states, `[[`, NA, "reached")),
         parts = Map(function(state, name) c(list(label = paste(by, name)), state), states, names(states),
                     USE.NAMES = FALSE))
  }, function(ranking) {
    rankings <- rankings_within(ranking, by)
    reached <- vapply(in_strata(ranking), `[[`, NA, "reached")
    unreached <- names(rankings)[!reached | all(reached)]
    unlist(lapply(unreached, function(name) {
      lapply(goal$interest(rankings[[name]]), replace, "stratum", list(c(by, name)))
    }), recursive = FALSE)
  }, goal$delta)
  stratified$by <- by
  stratified
}

rankings_within <- function(ranking, by) {
  check_that(!is.null(ranking$strata[[by]]), "ranking",
             "The goal needs rankings by {.val {by}}, which this ranking does not have.", call = NULL)
  ranking$strata[[by]]
}

check_two_systems <- function(x) {
  check_that(n_systems(x) >= 2, "x", "has one system; a ranking needs two.")
}

# Checks the components of a session or a plan.
check_parts <- function(x, goal, strategy, cost, control = session_control()) {
  check_two_systems(x)
  check_class(goal, "judicious_goal", "goal", "goal_mean")
  check_class(strategy, "judicious_strategy", "strategy", "strategy_gradient")
  check_class(cost, "judicious_cost", "cost", "judging_cost")
  check_class(control, "judicious_session_control", "control", "session_control")
  check_goal_fits(x, goal)
}

# Checks that the collection has the strata of a goal and whatever else the goal needs.
check_goal_fits <- function(x, goal) {
  for (by in goal$by) queries_by_stratum(x, by, "goal")
  for (check in goal$checks) check(x$systems$system)
}

# The ranking of a session or a collection, with the rankings within strata that the goal needs.
rank_for_goal <- function(x, goal, ...) {
  ranking <- rank_systems(x, ...)
  for (by in goal$by) ranking$strata[[by]] <- rank_systems(x, by = by, ...)
  ranking
}

# The smallest of some confidences; 1 if there are none.

smallest_confidence <- function(confidence) if (length(confidence)) min(confidence) else 1

#' @rdname goals
#' @export
goal_mean <- function(confidence = 0.95, delta = 0, by = NULL) {
  with_recipe("goal_mean", comparison_goal("mean confidence", confidence, delta, mean_of_confidence, by = by))
}

#' @rdname goals
#' @export
goal_all_pairs <- function(confidence = 0.95, delta = 0, equal = NULL, by = NULL) {
  goal <- comparison_goal("confidence of every pair", confidence, delta, smallest_confidence, drop_decided = TRUE,
                          equal = equal, by = by)
  with_recipe("goal_all_pairs", goal)
}

#' @rdname goals
#' @export
goal_top <- function(k, confidence = 0.95, delta = 0, equal = NULL, by = NULL) {
  check_count(k, "k")
  label <- sprintf("confidence in the best %d system%s", as.integer(k), if (k == 1) "" else "s")
  check <- function(systems) {
    n <- length(systems)
    check_that(k < n, "k",
               paste("The collection has {n} system{?s}:", hint("{.arg k} of {.fn goal_top}", "--top"),
                     "must be smaller, not {k}."))
  }
  is_top <- function(ranking) {
    check(names(ranking$mean))
    seq_along(ranking$mean) %in% systems_best_first(ranking)[seq_len(k)]
  }
  at_boundary <- function(ranking) {
    top <- is_top(ranking)
    outer(top, top, "!=")
  }
  goal <- comparison_goal(label, confidence, delta, smallest_confidence, at_boundary, TRUE, equal)
  pairwise <- goal$interest
  joint <- goal_custom(goal$label, function(ranking) {
    progress_of(ranking, top_probability(ranking, is_top(ranking), delta, equal), confidence)
  }, function(ranking) {
    interests <- pairwise(ranking)
    if (any(interests[[1]]$pairs > 0)) return(interests)
    # The confidence in every single pair is high enough, but not yet the probability that all of them are right. The
    # weight of a pair is then 1 minus the confidence in it.
    list(pairs = at_boundary(ranking) * (1 - confidence_matrix(ranking, delta)), delta = delta)
  }, delta)
  goal <- within_strata(joint, by)
  goal$checks <- list(check)
  with_recipe("goal_top", goal)
}

# The probability that every system of `top` is better than every other one by at least `delta`, or equal in practice.
# Only pairs whose difference has a variance can still change.
top_probability <- function(ranking, top, delta = 0, equal = NULL) {
  set_probability_cpp(score_draws(ranking), which(top), which(!top), (ranking$difference_variance > 0) * 1, delta,
                      equal %||% -1, gain_resolution(ranking$collection))
}

#' @rdname goals
#' @export
goal_beats <- function(baseline, confidence = 0.95, delta = 0, equal = NULL, by = NULL) {
  check_string(baseline, "baseline")
  check <- function(systems) {
    check_that(baseline %in% systems, "baseline",
               c(paste0("The collection has no system {.val {baseline}}, the {.arg baseline}",
                        hint(" of {.fn goal_beats}"), "."),
                 i = suggest_name(baseline, systems) %||% "The systems are {.val {systems}}."))
  }
  with_baseline <- function(ranking) {
    check(names(ranking$mean))
    is_baseline <- names(ranking$mean) == baseline
    outer(is_baseline, is_baseline, "!=")
  }
  goal <- comparison_goal(paste("confidence against", baseline), confidence, delta, smallest_confidence, with_baseline,
                          drop_decided = TRUE, equal = equal, by = by)
  goal$checks <- list(check)
  with_recipe("goal_beats", goal)
}

#' @rdname goals
#' @export
goal_absolute <- function(margin, confidence = 0.95, by = NULL) {
  check_number(margin, "margin", min = 0, max = Inf, open = TRUE)
  check_number(confidence, "confidence", min = 0, max = 1, open = TRUE)
  label <- paste0("mean confidence ", format(confidence), " that systems are within ", format(margin))
  goal <- goal_custom(label, function(ranking) {
    progress_of(ranking, mean(absolute_confidence(ranking, margin)$confidence), confidence)
  }, function(ranking) {
    sd_system <- system_sd(ranking)
    # The derivative of a system's confidence with respect to its variance (up to sign), times its standard deviation,
    # as strategy_gradient() requires.
    rate <- ifelse(sd_system > 0, stats::dnorm(margin / sd_system) * margin / sd_system^2, 0)
    list(systems = rate)
  })
  with_recipe("goal_absolute", within_strata(goal, by))
}

#' @rdname goals
#' @export
goal_width <- function(width, level = 0.95, by = NULL) {
  check_number(width, "width", min = 0, max = 1)
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  widths <- function(ranking) 2 * stats::qnorm((1 + level) / 2) * system_sd(ranking) / ranking$collection$scoring$span
  goal <- goal_custom(paste("intervals no wider than", format(width)), function(ranking) {
    progress_of(ranking, max(widths(ranking)), width, `<=`)
  }, function(ranking) list(systems = as.numeric(widths(ranking) > width)))
  with_recipe("goal_width", within_strata(goal, by, which.max))
}

#' @rdname goals
#' @export
goal_ranks <- function(width = 1, level = 0.95, by = NULL) {
  check_count(width, "width")
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  label <- sprintf("rank sets of at most %s", counted(width, "rank"))
  goal <- goal_custom(label, function(ranking) {
    sets <- rank_sets(ranking, level)
    progress_of(ranking, max(sets$upper - sets$lower) + 1, width, `<=`)
  }, function(ranking) {
    sets <- rank_sets(ranking, level)
    is_wide <- sets$upper - sets$lower + 1 > width
    overlap <- outer(sets$lower, sets$upper, `<=`)
    pairs <- outer(is_wide, is_wide, `|`) & overlap & t(overlap) & ranking$difference_variance > 0
    list(pairs = unname(pairs) * 1)
  })
  with_recipe("goal_ranks", within_strata(goal, by, which.max))
}

#' @rdname goals
#' @export
goal_budget <- function(n) {
  check_count(n, "n", min = 0)
  with_recipe("goal_budget", goal_custom(counted(n, "judgment"), function(ranking) {
    n_judged <- ranking$judgments %||% ranking$judged
    list(value = n_judged, asked = n, reached = n_judged >= n, met = FALSE)
  }))
}

combine_goals <- function(e1, e2, word, reached) {
  check_class(e1, "judicious_goal", "e1", "goal_mean")
  check_class(e2, "judicious_goal", "e2", "goal_mean")
  label <- paste0("(", e1$label, " ", word, " ", e2$label, ")")
  combined <- goal_custom(label, function(ranking) {
    a <- e1$progress(ranking)
    b <- e2$progress(ranking)
    list(value = a$value, asked = a$asked, reached = reached(a$reached, b$reached),
         met = reached(a$reached, b$reached) && (is_met(a) || is_met(b)),
         parts = c(goal_parts(e1, a), goal_parts(e2, b)))
  }, function(ranking) {
    # Skip goals already reached, unless both are.
    further <- Filter(function(g) !g$progress(ranking)$reached, list(e1, e2))
    unlist(lapply(if (length(further)) further else list(e1, e2), function(g) g$interest(ranking)), recursive = FALSE)
  }, max(e1$delta, e2$delta))
  combined$by <- unique(c(e1$by, e2$by))
  combined$checks <- c(e1$checks, e2$checks)
  combined$recipe <- list(label = label, word = word, goals = list(e1$recipe, e2$recipe))
  combined
}

# The state of each of the combined goals.
goal_parts <- function(goal, progress) progress$parts %||% list(c(list(label = goal$label), progress))

#' @rdname goals
#' @export
`&.judicious_goal` <- function(e1, e2) combine_goals(e1, e2, "and", `&&`)

#' @rdname goals
#' @export
`|.judicious_goal` <- function(e1, e2) combine_goals(e1, e2, "or", `||`)

#' @export
print.judicious_goal <- function(x, ...) print_line(x, "Goal: ", x$label)
