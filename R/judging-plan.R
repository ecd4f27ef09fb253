#' Plan a judging session
#'
#' How many judgments, hours and money a goal will take, before anything is judged: sessions are run on gains as the
#' model expects them, again and again.
#'
#' @details
#' Each replicate draws variances, effects and gains of the whole pool from `model`, as [simulate()] of joint gains
#' does, and runs a session on them that knows nothing of the draws: it selects, estimates anew and stops as the real
#' one will. What the plan says is therefore as good as the model: learn it from past collections by [gain_model()]
#' where there are any. Replicates run through `future.apply`, where that package is installed, by whatever
#' `future::plan()` is set.
#'
#' @param x A [test_collection()] or a session. The plan is for judging from the start: judgments are not looked at.
#' @param goal,model,strategy,audit,update_every,opinion,measure As in [judging_session()].
#' @param seconds A [judging_cost()] in seconds. It weighs in the selection, as the `cost` of the real session does.
#' @param hourly What an hour of judging costs; NA where money does not matter.
#' @param most A session that has not reached its goal ends after that many judgments. NULL goes on until the goal is
#'   reached or nothing is left to judge, so that the plan has a number for every goal that can be reached.
#' @param replicates How many sessions to run.
#' @param seed Seed of all random choices; the state of the generator is put back. NULL draws from it.
#' @param progress TRUE shows a progress bar.
#' @return A `judicious_plan`: a list of
#'   - `needed`, a data frame with a row per replicate: `judged`, `hours`, `money` when it ended, whether it `reached`
#'     the goal, and its `confidence` and `accuracy` then (the share of pairs of systems in their true order);
#'   - `curve`, a data frame with a row per number of `judged` documents: the median `confidence` (the mean over the
#'     pairs of systems) over the replicates and between which numbers, `lower` and `upper`, 80% of them lie, the share
#'     that has `reached` the goal, and the median `hours` and `money` so far. A replicate that has ended keeps its last
#'     values.
#'
#'   `as.data.frame()` gives the curve.
#' @seealso [judging_session()], [progress()] for what is still to be judged in a session that goes on.
#' @examples
#' x <- simulate_collection(queries = 10, documents = 150, artists = 20, systems = 4, seed = 1)
#' plan <- judging_plan(x, goal_mean(0.85), hourly = 20, most = 30, replicates = 3, seed = 1)
#' plan
#' plot(plan)
#' @export
judging_plan <- function(x, goal = goal_mean(0.95), model = gain_prior(), strategy = strategy_gradient(),
                         seconds = judging_cost(20, new_query = 40), hourly = NA, audit = 0.1, update_every = 20,
                         opinion = NULL, measure = NULL, most = NULL, replicates = 10, seed = NULL,
                         progress = interactive()) {
  x <- judged_collection(x)
  check_class(goal, "judicious_goal", "goal", "goal_mean")
  check_class(seconds, "judicious_cost", "seconds", "judging_cost")
  if (!identical(hourly, NA)) check_number(hourly, "hourly", min = 0)
  most <- most %||% n_pairs(x)
  check_count(most, "most")
  check_count(replicates, "replicates")
  check_goal_strata(x, goal)
  asked <- in_measure(x, measure)
  prepared <- belief_prepare(model, asked, opinion)
  check_flag(progress, "progress")
  seeds <- with_seed(seed, sample.int(.Machine$integer.max, replicates))
  tell <- replicate_progress(progress, "Planning", replicates)
  runs <- over_replicates(seeds, function(seed) {
    x$gain <- with_seed(seed, draw_truth(prepared, asked))
    s <- judging_session(x, model, goal | goal_budget(most), strategy, audit = audit, update_every = update_every,
                         cost = seconds, opinion = opinion, measure = measure, seed = seed)
    run_session(s, progress = FALSE)
    final <- rank_for_goal(s, goal, seed = 1)
    tell()
    state <- goal$progress(final)
    list(trace = as.data.frame(s), reached = state$reached, state = c(list(label = goal$label), state),
         accuracy = ranking_accuracy(final, judgments_of(x))[["accuracy"]])
  })
  hours <- function(run) run$trace$cost / 3600
  last <- function(v) v[length(v)]
  needed <- data.frame(
    judged = vapply(runs, function(r) last(r$trace$judged), 1), hours = vapply(runs, function(r) last(hours(r)), 1),
    reached = vapply(runs, `[[`, NA, "reached"), confidence = vapply(runs, function(r) last(r$trace$confidence), 1),
    accuracy = vapply(runs, `[[`, 1, "accuracy")
  )
  needed$money <- needed$hours * hourly
  structure(list(needed = needed[c("judged", "hours", "money", "reached", "confidence", "accuracy")],
                 curve = plan_curve(runs, needed, hourly), goal = goal$label,
                 asked = mean_confidence_asked(runs[[1]]$state), most = most, pool = n_pairs(x), hourly = hourly),
            class = "judicious_plan")
}

# The confidence that a goal on the mean asks for; NA for other goals.
mean_confidence_asked <- function(state) if (is_mean_confidence(state)) state$asked else NA_real_

# A bar with a step per replicate. Workers of a future::plan() cannot move it, so that it then shows the end only.
replicate_progress <- function(progress, what, n, frame = parent.frame()) {
  if (!progress) return(function() NULL)
  bar <- cli::cli_progress_bar(what, total = n, clear = TRUE, .envir = frame)
  function() cli::cli_progress_update(id = bar, .envir = frame)
}

# Gains of all pairs, as the model expects them.
draw_truth <- function(prepared, x) UseMethod("draw_truth")

# Variances are drawn too. Where the measure makes something else of gains, each is one that has the worth that was
# drawn.
#' @export
draw_truth.judicious_joint_prepared <- function(prepared, x) {
  model <- prepared$model
  pool <- model_pool(x, model, prepared$opinion, prepared$own)
  fit <- fit_joint_prior(pool, model, integer(), numeric())
  variance <- draw_variances(model)
  gains <- new_joint_gains(x, model, pool, fit, rep(NA_real_, n_pairs(x)), variance = variance)
  queries <- seq_len(n_queries(x))
  worth <- numeric(n_pairs(x))
  worth[pairs_of_queries(x, queries)] <- draw_gains(gains, queries, 1, stream_seed(NULL))
  x$scale$levels[match(worth, worth_of(x$scale, x$scale$levels))]
}

# Independent of each other, at the levels that the model tells apart.
#' @export
draw_truth.judicious_independent_prepared <- function(prepared, x) {
  prob <- prepared$gains$prob
  upto <- prob %*% upper.tri(diag(ncol(prob)), diag = TRUE)
  x$scale$model_levels[1L + rowSums(upto[, -ncol(prob), drop = FALSE] < stats::runif(nrow(prob)))]
}

plan_curve <- function(runs, needed, hourly) {
  judged <- unique(round(seq(0, max(needed$judged), length.out = 101)))
  at <- function(run, column) run$trace[[column]][findInterval(judged, run$trace$judged)]
  confidence <- vapply(runs, at, numeric(length(judged)), "confidence")
  hours <- vapply(runs, at, numeric(length(judged)), "cost") / 3600
  across <- function(values, p) apply(matrix(values, length(judged)), 1, stats::quantile, p, names = FALSE)
  spent <- across(hours, 0.5)
  data.frame(judged = judged, confidence = across(confidence, 0.5), lower = across(confidence, 0.1),
             upper = across(confidence, 0.9), hours = spent, money = spent * hourly,
             reached = vapply(judged, function(n) mean(needed$reached & needed$judged <= n), 1))
}

#' @export
print.judicious_plan <- function(x, ...) {
  needed <- x$needed
  row <- function(label, value) cat(sprintf("  %-10s %s\n", label, value))
  # Sessions that were cut off would have needed more: they stand above every number.
  span <- function(values, text) {
    q <- stats::quantile(ifelse(needed$reached, values, Inf), c(.1, .5, .9), type = 1, names = FALSE)
    part <- ifelse(is.finite(q), text(q), paste(if (x$most < x$pool) "more than" else "not with", text(max(values))))
    sprintf("%s (80%%: from %s to %s)", part[2], part[1], part[3])
  }
  cat("Judging plan over ", counted(nrow(needed), "simulated session"), "\n", sep = "")
  row("goal", x$goal)
  row("reached", plan_reached(x))
  row("judgments", span(needed$judged, function(v) format_count(v)))
  row("hours", span(needed$hours, function(v) sprintf("%.1f", v)))
  if (!is.na(x$hourly)) row("money", span(needed$money, function(v) sprintf("%.2f", v)))
  row("accuracy", sprintf("%.3f expected at the end, %.3f stated", mean(needed$accuracy), mean(needed$confidence)))
  invisible(x)
}

# Sessions that ended without the goal: cut off by `most`, or with nothing left to judge that could change anything.
plan_reached <- function(x) {
  share <- mean(x$needed$reached)
  if (share == 1) return("in all of them")
  left <- x$needed[!x$needed$reached, ]
  end <- if (x$most < x$pool) {
    sprintf("within %s", counted(x$most, "judgment"))
  } else {
    sprintf("with all judgments that can change the ranking; the others end at a mean confidence of %.3f",
            mean(left$confidence))
  }
  sprintf("in %s of them, %s", percent(share), end)
}

#' @export
as.data.frame.judicious_plan <- function(x, row.names = NULL, optional = FALSE, ...) x$curve
