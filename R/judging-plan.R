# Simulated sessions of a plan: gains are drawn from the model, and several documents are selected at a time.

#' Run one simulated session
#'
#' @param setup By new_setup(); its collection has the known gains.
#' @param initial The belief before any judgment.
#' @param truth The gain of every pair, which the session does not use before judging it; NULL draws gains.
#' @param means The true means of the systems, if `truth` is given.
#' @param budget Largest number of judgments in addition to the known ones.
#' @return `trace`, a data frame of `judged`, `cost` and `confidence`, the first two in addition to those at the start;
#'   the `state` of the goal at the end; and the `accuracy` of the ranking at the end.
#' @noRd
simulated_session <- function(setup, initial, truth, means, budget, seed) {
  with_seed(seed, {
    truth <- truth %||% draw_truth(setup$prepared, setup$x)
    engine <- new_engine(setup)
    engine$initial <- initial
    n_judged <- sum(!is.na(setup$x$gain))
    judging_loop(engine, planned_work(engine), function(pair) truth[pair], n_judged + budget)
  })
  tau <- tau_of_means(engine$ranking$mean, means %||% true_means(setup$x, truth), gain_resolution(setup$x))
  steps <- memory_rows(engine$trace)
  steps <- steps[reported_trace_rows(steps$kind), ]
  list(trace = data.frame(judged = steps$judged - n_judged, cost = steps$cost - steps$cost[1],
                          confidence = steps$confidence),
       state = engine$progress, accuracy = (1 + tau) / 2)
}

# Judging in this process, with audits. Documents are selected ahead: one at a time at the start, later a `share` of the
# number judged so far, all by the same scores and each from another query. The session still checks after each document
# whether to stop. According to bench/plan.R, sessions that compute new scores for each document need about the same
# numbers of judgments, and take 1.5 times as long.
planned_work <- function(engine, share = 0.02) {
  is_open <- is.na(engine$x$gain)
  work <- direct_work(engine, is_open)
  process_known_gains(engine, which(!is_open), engine$x$gain)
  ahead <- integer()
  work$take <- function(n, max_pairs) {
    if (!length(ahead)) ahead <<- choose_ahead(engine, max(1, floor(share * length(engine$sequence))), is_open)
    pair <- utils::head(ahead, 1)
    ahead <<- ahead[-1]
    is_open[pair] <<- FALSE
    pair
  }
  work
}

# Processes the judgments that were made before the simulation starts.
process_known_gains <- function(engine, pairs, gain) {
  if (!length(pairs)) return()
  memory_add(engine$judgments, quick_frame(event = -seq_along(pairs), pair = pairs, gain = gain[pairs]))
  use_fit(engine, NULL, length(pairs))
  use_fit(engine, belief_refit(engine$belief, engine$gain, engine$update_every), length(pairs))
  engine$trace <- new_memory_table(trace_columns)
  add_trace(engine, 0L, "start")
}

choose_ahead <- function(engine, n, open) {
  audited <- draw_audit(engine$x, which(open), sum(stats::runif(n) < engine$audit))
  open[audited] <- FALSE
  n <- n - length(audited)
  if (n == 0 || !any(open)) return(audited)
  if (n == 1 || !is.null(engine$order)) return(c(choose_batch(engine, n, FALSE, open)$pair, audited))
  value <- scores_in(engine, view_with(engine, integer()), open)
  best <- which(open)
  best <- best[best_first(value[best], engine$tie[best])]
  c(utils::head(best[!duplicated(engine$x$pool$query[best])], n), audited)
}

# The variances of the model are drawn, too. If the measure transforms gains, the gain of a pair is the level whose
# transformed value was drawn.
#' @export
draw_truth.judicious_joint_prepared <- function(prepared, x) {
  model <- prepared$model
  pool <- model_pool(x, model, prepared$features)
  fit <- fit_to_gains(x, model, pool, x$gain)
  model[c("variance", "variance_sd")] <- fit[c("variance", "variance_sd")]
  gains <- new_joint_gains(x, model, pool, fit, x$gain, variance = draw_variances(model))
  queries <- seq_len(n_queries(x))
  transformed <- numeric(n_pairs(x))
  transformed[pairs_of_queries(x, queries)] <- draw_gains(gains, queries, 1, stream_seed(NULL))
  drawn <- x$scale$levels[match(transformed, transformed_gain(x, x$scale$levels))]
  ifelse(is.na(x$gain), drawn, x$gain)
}

# Draws independent gains from the levels of the model.
#' @export
draw_truth.judicious_independent_prepared <- function(prepared, x) {
  initial <- belief_begin(prepared, x)
  gains <- updated_gains(initial, if (!all(is.na(x$gain))) belief_refit(initial, x$gain))
  upto <- gains$prob %*% upper.tri(diag(ncol(gains$prob)), diag = TRUE)
  drawn <- x$scale$model_levels[1L + rowSums(upto[, -ncol(upto), drop = FALSE] < stats::runif(nrow(upto)))]
  ifelse(is.na(x$gain), drawn, x$gain)
}

#' Plan a judging session
#'
#' Predicts how many judgments and hours, and how much money, a goal will take, before anything is judged, by simulated
#' sessions on gains that are drawn from the model.
#'
#' @details Each replicate draws the variances, the effects and the gains of the unjudged pairs from the model, and
#'   runs a session on these gains. With the package `future.apply`, replicates run under the current `future::plan()`.
#'
#' @section How far to trust a plan: The plan is only as good as the model: learn it from past collections by
#'   [gain_model()] if there are any. If the interval spans more than a factor of 10, `print()` states how many
#'   documents to judge first. The article "How far statements can be trusted" compares plans with the sessions that
#'   followed.
#' @param x A [test_collection()] or a session. The plan starts from its judgments and counts only further ones.
#' @param goal,past,grades,judgments,measure,strategy,failed,control The settings of the session to plan, as in
#'   [judging_session()]; of `control`, only `audit` and `update_every` affect a plan.
#' @param cost The time of a judgment: a [judging_cost()] in seconds, by default 20, and 40 more for the first document
#'   of a query. It affects the selection, as in the real session.
#' @param hourly The cost of an hour of judging, in any currency; NA omits costs.
#' @param truth The known gains of all pairs, as in [run_session()], to compute how many judgments the goal would have
#'   taken. NULL draws the gains from the model.
#' @param replicates Number of simulated sessions.
#' @param seed Seed of all random choices; NULL draws one.
#' @param progress Whether to show a progress bar.
#' @param ... Settings for [session_control()], instead of `control`.
#' @return A `judicious_plan`: a list of
#'   - `needed`, a data frame with a row per replicate: the number of further judgments, `judged`, their `hours` and
#'     `money` (NA without `hourly`); whether the goal was `reached`; and at the end, the `confidence` and the
#'     `accuracy` (the share of pairs of systems in their true order);
#'   - `curve`, a data frame with a row per number of further judgments, `judged`: over the replicates, the median
#'     `confidence`, the limits `lower` and `upper` of 80% of them, the median `hours` and `money` so far, and
#'     `share_reached`, the share that has reached the goal. A replicate that has ended keeps its last values.
#'
#'   `as.data.frame()` returns the curve. `summary()` returns the `median` of `judged`, `hours` and, with `hourly`,
#'   `money`, and the limits `lower` and `upper` of 80% of the sessions (order statistics). Sessions that a budget ends
#'   count with what they took, others that do not reach the goal as Inf.
#' @section Errors: `judicious_error_nothing_to_judge` if every pair is judged (`judgments = FALSE` leaves them out).
#' @seealso [judging_session()], [progress()] for the remaining judgments of a running session.
#' @examples
#' x <- simulate_collection(queries = 10, documents = 150, artists = 20, systems = 4, seed = 1)
#' plan <- judging_plan(x, goal_mean(0.85) | goal_budget(30), hourly = 20, judgments = FALSE,
#'                      replicates = 3, seed = 1)
#' plan
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(plan)
#' @export
judging_plan <- function(x, goal = goal_mean(0.95), past = NULL, grades = NULL, judgments = NULL, measure = NULL,
                         cost = judging_cost(20, new_query = 40), hourly = NA, strategy = strategy_gradient(),
                         truth = NULL, replicates = 10, seed = NULL, failed = NULL,
                         progress = getOption("judicious.progress", interactive()), control = session_control(...),
                         ...) {
  check_that(!"assessor" %in% ...names(), "assessor", "must be left out: a plan simulates one assessor without errors.")
  refuse_other_arguments("judging_plan()", ..., settings = if (missing(control)) session_settings)
  carried <- carry_grades(judged_collection(x), grades, failed)
  x <- with_inferred_scale(carried$x, if (is.null(truth)) judgments else truth, carried$grades)
  check_parts(x, goal, strategy, cost, control)
  if (!identical(hourly, NA)) check_number(hourly, "hourly", min = 0)
  check_count(replicates, "replicates")
  check_flag(progress, "progress")
  x <- collection_to_judge(with_measure(x, measure), judgments)
  unjudged <- sum(is.na(x$gain))
  past <- model_of_past(past, carried$past, measure)
  setup <- new_setup(x, belief_prepare(past, x, carried$requested), goal, strategy, control, cost)
  initial <- belief_for_goal(belief_begin(setup$prepared, x), x, goal)
  gain <- if (!is.null(truth)) complete_truth(x, truth)
  means <- if (!is.null(truth)) true_means(with_outside(x, truth), gain)
  seeds <- with_seed(seed, sample.int(.Machine$integer.max, replicates))
  simulate_once <- function(seed) simulated_session(setup, initial, gain, means, unjudged, seed)
  runs <- over_items(seeds, simulate_once, "Planning", progress)
  # A goal that consists only of a budget counts as met when the budget is spent.
  met <- function(state) if (identical(goal$recipe$maker, "goal_budget")) state$reached else is_met(state)
  needed <- do.call(rbind, lapply(runs, function(run) {
    end <- run$trace[nrow(run$trace), ]
    hours <- end$cost / 3600
    data.frame(judged = as.numeric(end$judged), hours = hours, money = hours * hourly, reached = met(run$state),
               confidence = end$confidence, accuracy = run$accuracy)
  }))
  structure(list(needed = needed, curve = plan_curve(runs, needed, hourly), goal = goal$label,
                 measure = if (!is.null(x$scoring$measure)) measure_label(x),
                 # The plot shows the target of the mean confidence only.
                 asked = if (is_mean_confidence(c(goal["label"], runs[[1]]$state))) runs[[1]]$state$asked else NA_real_,
                 cut = any(vapply(runs, function(r) r$state$reached && !met(r$state), NA)),
                 known = n_pairs(x) - unjudged, least = min(least_judgments, n_pairs(x)), delta = goal$delta,
                 hourly = hourly, nouns = nouns_of(x),
                 waits = waits_for_systems(goal, lacking_systems(belief_of_stratum(initial, NULL)))),
            class = "judicious_plan")
}

plan_curve <- function(runs, needed, hourly) {
  judged <- unique(round(seq(0, max(needed$judged), length.out = 101)))
  value_at <- function(run, column) run$trace[[column]][findInterval(judged, run$trace$judged)]
  confidence <- vapply(runs, value_at, numeric(length(judged)), "confidence")
  hours <- vapply(runs, value_at, numeric(length(judged)), "cost") / 3600
  across <- function(values, p) apply(matrix(values, length(judged)), 1, stats::quantile, p, names = FALSE)
  spent <- across(hours, 0.5)
  data.frame(judged = judged, confidence = across(confidence, 0.5), lower = across(confidence, 0.1),
             upper = across(confidence, 0.9), hours = spent, money = spent * hourly,
             share_reached = vapply(judged, function(n) mean(needed$reached & needed$judged <= n), 1))
}

#' @export
summary.judicious_plan <- function(object, ...) {
  needed <- object$needed
  quantities <- c("judged", "hours", if (!is.na(object$hourly)) "money")
  # A session that ended because its budget was spent counts with what it used. One that ended otherwise without
  # reaching the goal counts as infinitely long.
  n <- nrow(needed)
  rows <- vapply(needed[quantities], function(values) {
    values <- sort(ifelse(needed$reached | object$cut, values, Inf))
    # If exactly half of the sessions reached the goal, the median would be infinite; it is replaced by the value of the
    # longest of these sessions.
    middle <- if (is.finite(stats::median(values))) stats::median(values) else values[ceiling(n / 2)]
    c(middle, values[interval_places(n)])
  }, numeric(3))
  data.frame(quantity = quantities, median = rows[1, ], lower = rows[2, ], upper = rows[3, ], row.names = NULL)
}

# The positions, among `n` sorted sessions, of two values between which a further session lies with a probability of at
# least `share`; the first and the last position if `n` is too small.
interval_places <- function(n, share = 0.8) {
  outside <- floor((n + 1) * (1 - share) / 2 + 1e-9)
  c(max(outside, 1), min(n + 1 - outside, n))
}

# Whether the interval spans more than a factor of 10. A session that did not reach the goal counts with the judgments
# it made.
is_unplannable <- function(plan) {
  interval <- sort(plan$needed$judged)[interval_places(nrow(plan$needed))]
  interval[2] > 10 * max(interval[1], 1)
}

# Plans from fewer judgments than this are uncertain.
first_judgments <- 40

plan_later <- function(plan) {
  paste0("cannot be planned yet, because the interval spans more than a factor of 10; judge about ",
         format_count(max(first_judgments - plan$known, plan$known)), if (plan$known) " more",
         in_words_of(plan$nouns, " documents first"))
}

# A sentence for plans whose sessions continue only because no goal is reached before `least_judgments`, or because
# grades require judgments of every system; NULL for others. The confidence of the curve ignores a minimum difference.
plan_least <- function(plan) {
  needed <- plan$needed
  if (isTRUE(plan$waits)) {
    text <- "Because of the grades, no goal is met before %d documents (or all) of every system are judged."
    return(sprintf(in_words_of(plan$nouns, text), min_judged_of_system))
  }
  met_at_start <- plan$delta == 0 && isTRUE(plan$curve$confidence[1] >= plan$asked)
  if (!met_at_start || !any(needed$reached & needed$judged > 0 & needed$judged == plan$least - plan$known)) return(NULL)
  sprintf("The ranking is as sure already; a session makes at least %s before it says so.",
          counted(plan$least, "judgment"))
}

#' @export
print.judicious_plan <- function(x, ...) {
  needed <- x$needed
  figures <- summary(x)
  span <- function(quantity, text) {
    needed_now <- unlist(figures[figures$quantity == quantity, c("median", "lower", "upper")])
    limit <- text(max(needed[[quantity]]))
    part <- ifelse(is.finite(needed_now), text(needed_now), paste("not with", limit))
    range_text <- if (nrow(needed) < 10) sprintf("range of %s", counted(nrow(needed), "session")) else "80%"
    if (!any(is.finite(needed_now))) return(part[1])
    sprintf("%s (%s: from %s to %s)", part[1], range_text, part[2], part[3])
  }
  cat("Judging plan over ", counted(nrow(needed), "simulated session"), "\n", sep = "")
  cat_row("measure", x$measure)
  cat_row("goal", x$goal)
  cat_row("reached", plan_reached(x))
  judged <- span("judged", function(v) format_count(ceiling(v)))
  cat_row("judgments", if (is_unplannable(x)) paste0(judged, "; ", plan_later(x)) else judged)
  cat_row("hours", span("hours", function(v) sprintf("%.1f", v)))
  if (!is.na(x$hourly)) cat_row("money", span("money", function(v) sprintf("%.2f", v)))
  cat_row("accuracy", sprintf("%.3f expected at the end, where the confidence is %.3f", mean(needed$accuracy),
                              mean(needed$confidence)))
  if (!is.null(plan_least(x))) cat("  ", plan_least(x), "\n", sep = "")
  invisible(x)
}

# States in which share of the simulated sessions the goal is reached, and the mean confidence at which the others end,
# because the budget is spent or no judgment that is left can change the ranking.
plan_reached <- function(x) {
  share <- mean(x$needed$reached)
  if (all(x$needed$judged == 0 & x$needed$reached)) return("already: no further judgment is needed")
  if (share == 1) return("in all of the sessions")
  if (x$cut && all(x$needed$judged == 0)) return(sprintf(
    "no: the known judgments have spent the budget, at a mean confidence of %.3f", mean(x$needed$confidence)))
  ending <- if (x$cut) "within the budget" else "with all judgments that can change the ranking"
  sprintf("in %s of the sessions, %s; the others end at a mean confidence of %.3f", percent(share), ending,
          mean(x$needed$confidence[!x$needed$reached]))
}

#' @export
as.data.frame.judicious_plan <- function(x, row.names = NULL, optional = FALSE, ...) x$curve
