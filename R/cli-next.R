# The commands `judicious next`, `judicious plan` and `judicious simulate`.
# `o`: the values of the options, as cli_parse() returns them.

cli_next <- function(o) {
  cli_check_selection(o)
  x <- cli_measured_collection(o)
  goal <- cli_goal(o)
  gains <- cli_gains(x, o)
  check_goal_fits(x, goal, call = NULL)
  state <- goal$progress(rank_for_goal(x, goal, gains, delta = goal$delta, seed = o$seed))
  so_far <- if (state$reached) "reached" else sub("met", "reached", unmet_text(state))
  inform_judicious("{goal$label}: {so_far}, now {value_of_asked(state)}.", "progress")
  size <- if (state$reached && !o$always) 0 else o$n
  select_documents(x, gains, size, goal, cli_strategy(o), judging_cost(new_query = o$new_query), o$batches,
                   o$same_query, seed = o$seed)
}

# Refuses --weights and --tie-break where the strategy or the goal does not use them.
cli_check_selection <- function(o) {
  by_weight <- c("weights", "tie-break")
  if (cli_is_joint(o)) return(cli_refuse(o, by_weight, "only available with --model published or uniform"))
  if ("strategy" %in% o$given) return(cli_refuse(o, by_weight, "not available with --strategy"))
  if (!o$goal %in% c("mean", "all_pairs")) cli_refuse(o, "weights", "only available with --goal mean or all_pairs")
}

cli_plan <- function(o) {
  if (o$cost == 0) abort_usage("--cost must be more than 0.")
  cli_check_selection(o)
  x <- cli_measured_collection(o)
  goal <- cli_goal(o)
  if (!is.null(o$budget)) goal <- goal | goal_budget(o$budget)
  plan <- judging_plan(x, goal, cli_session_model(x, o), cli_grades(o), cost = judging_cost(o$cost, o$new_query),
                       hourly = o$hourly %||% NA, strategy = cli_strategy(o), audit = o$audit,
                       update_every = o$update_every, replicates = o$replicates, seed = o$seed)
  later <- if (is_unplannable(plan)) paste0("; ", plan_later(plan)) else ""
  spent <- !is.null(o$budget) && sum(!is.na(x$gain)) >= o$budget
  told <- c(if (spent) "The budget of {o$budget} is used up: it includes the existing {plan$known}.",
            "{plan$goal}: reached {plan_reached(plan)} ({counted(o$replicates, 'simulation')}){later}.",
            plan_least(plan))
  inform_judicious(paste(told, collapse = " "), "progress")
  switch(o$table, summary = summary(plan), sessions = plan$needed, curve = as.data.frame(plan))
}

cli_simulate <- function(o) {
  if (is.null(o$truth)) abort_usage("--truth is missing: a simulation looks up its gains there.")
  if (!is.null(o$estimates)) abort_usage("Estimates do not change with judgments: use --model instead of --estimates.")
  truth <- cli_judgments(o, "truth")
  x <- cli_measured_collection(o, known = truth)
  if (!is.null(o$replicates)) return(cli_study(x, truth, o))
  goal <- cli_goal(o)
  cli_refuse(o, "budgets", "only available with --replicates")
  cli_check_selection(o)
  run <- if (cli_is_joint(o)) simulate_joint(x, truth, goal, o) else simulate_published(x, truth, goal, o)
  note_end(run$reason, run$trace$judged[nrow(run$trace)], goal)
  switch(o$table, trace = run$trace, order = run$order, systems = cli_systems(run$ranking, o$margin),
         pairs = pairs_with_intervals(run$ranking))
}

note_end <- function(reason, judged, goal) {
  why <- switch(reason, goal = , confidence = paste0("goal met (", goal$label, ")"), budget = "budget spent",
                exhausted = , settled = "nothing left that could change it", reason)
  inform_judicious("Stopped after {format_count(judged)} {cli::qty(judged)}judgment{?s}: {why}.", "progress")
}

# Returns `trace`, `order` (the judged pairs), `ranking` and `reason`, like simulate_published(). If the truth is known,
# the trace has the accuracy of the ranking in each row.
simulate_joint <- function(x, truth, goal, o) {
  stop_at <- if (is.null(o$budget)) goal else goal | goal_budget(o$budget)
  s <- judging_session(x, stop_at, cli_gain_model(o), strategy = cli_strategy(o), audit = o$audit %||% 0.1,
                       grades = cli_grades(o), update_every = o$update_every %||% 20, batch = o$batch,
                       cost = judging_cost(new_query = o$new_query), seed = o$seed, same_query = o$same_query)
  run_session(s, truth)
  steps <- as.data.frame(s, truth = if (!anyNA(pool_gains(x, truth, "truth", NULL))) truth)
  made <- judgments_of(s)
  judged <- data.frame(judged = seq_len(nrow(made)), made[c("query", "doc", "gain", "audit", "mean", "sd")])
  ranking <- rank_for_goal(s, goal)
  spent <- !is.null(o$budget) && nrow(made) >= o$budget
  reason <- if (goal$progress(ranking)$reached) "goal" else if (spent) "budget" else "exhausted"
  list(trace = steps, order = judged, ranking = ranking, reason = reason)
}

# Runs the published method as mtc() does, with any goal and in batches.
simulate_published <- function(x, truth, goal, o) {
  cli_refuse(o, "audit", "only available with --model joint")
  cli_refuse(o, "judgments", "only available with --model joint: the published algorithm begins without judgments")
  gain <- simulated_gains(x, truth, call = NULL)
  means <- if (!anyNA(gain)) true_means(x, gain)
  settings <- list(confidence = o$confidence, delta = o$delta, weights = o$weights, tie_break = o$tie_break,
                   stop = "mean", update_every = o$update_every %||% if (o$batch > 1) o$batch else 20)
  prepared <- belief_prepare(cli_session_model(x, o), x, NULL, call = NULL)
  e <- mtc_engine(x, prepared, goal, settings, o$seed, trace_observer(x, means, o$confidence), o$batch, o$same_query,
                  judging_cost(new_query = o$new_query), cli_strategy(o))
  work <- known_work(e, gain)
  reason <- with_seed(o$seed, judging_loop(e, work, function(pair) gain[pair], o$budget %||% Inf,
                                           loop_progress(progress_option())))
  session <- new_mtc(e, reason, settings, known = !is.null(means))
  list(trace = session$trace, order = session$order, ranking = session$ranking, reason = reason)
}

# Many sessions on random halves of the queries, which show whether the confidence can be trusted.
cli_study <- function(x, truth, o) {
  cli_refuse(o, c("goal", "top", "baseline", "equal", "by", "margin", "width", "delta", "confidence", "budget",
                  "batch", "same-query", "table", "judgments", "grades"),
             "not available with --replicates, where sessions stop at --budgets")
  method <- if (cli_is_joint(o)) {
    joint_method(if (o$model != "joint" || !is.null(o$past)) cli_gain_model(o), cli_strategy(o),
                 o$audit %||% 0, o$update_every)
  } else {
    cli_refuse(o, c("strategy", "new-query"), "not available with --replicates and --model published or uniform")
    models <- cli_published_models(x, o)
    published_method(models$output, models$judge, o$update_every %||% 20, o$weights)
  }
  budgets <- suppressWarnings(as.numeric(o$budgets %||% c("0", "20", "50", "100", "200")))
  if (!are_whole_numbers(budgets, min = 0)) {
    abort_usage("--budgets must be whole numbers of at least 0, such as 0,20,50.")
  }
  study <- mtc_study(x, truth, methods = stats::setNames(list(method), o$model), budgets = budgets,
                     replicates = o$replicates, split = o$split, seed = o$seed)
  summary(study)
}
