# judicious next, simulate

cli_next <- function(o) {
  x <- cli_measured_collection(o)
  goal <- cli_goal(o)
  gains <- cli_gains(x, o)
  joint <- inherits(gains, "judicious_joint_gains")
  aim <- goal$progress(rank_systems(x, gains, delta = goal$delta, seed = o$seed))
  note_progress(goal, aim)
  size <- o$n
  if (aim$reached && !o$always) size <- 0
  batches <- o$batches %||% 1
  data <- if (joint) {
    cli_refuse(o, c("weights", "ties"), "of use with --model mirex or uniform only")
    cost <- judging_cost(new_query = o$new_query)
    with_seed(o$seed, joint_batches(gains, if (size) batches else 0, size, goal, cli_strategy(o), cost,
                                    o$same_query))
  } else {
    cli_refuse(o, c("select", "new-query"), "of use with --model joint only")
    cli_documents(x, gains, goal, o, batches, size)
  }
  if (is.null(o$batches)) data[names(data) != "batch"] else data
}

note_progress <- function(goal, aim) {
  so_far <- if (aim$reached) "reached" else "not reached"
  inform_judicious("{goal$label}: {so_far}, now {format(aim$value, digits = 4)}.", "progress")
}

cli_documents <- function(x, gains, goal, o, batches, size) {
  by_comparisons <- o$target %in% c("relative", "all")
  documents <- if (by_comparisons) {
    documents_to_judge(x, gains, NULL, n = n_pairs(x), weights = o$weights, ties = o$ties,
                       confidence = o$confidence, delta = o$delta, seed = o$seed)
  } else {
    cli_refuse(o, "weights", "of use with --target relative or all only")
    documents_by_goal(x, gains, goal, o$ties, o$seed)
  }
  in_batches(documents, if (size) batches else 0, max(size, 1), o$same_query)
}

cli_simulate <- function(o) {
  if (is.null(o$judgments)) abort_usage("--judgments is missing: a simulation looks judgments up.")
  if (!is.null(o$estimates)) abort_usage("--estimates does not change with judgments; give --model.")
  x <- cli_measured_collection(o)
  goal <- cli_goal(o)
  if (!is.null(o$replicates)) return(cli_study(x, o))
  cli_refuse(o, "budgets", "of use with --replicates only")
  run <- if (cli_is_joint(o)) simulate_joint(x, goal, o) else simulate_published(x, goal, o)
  note_end(run$reason, nrow(run$trace), run$trace$judged[nrow(run$trace)], goal)
  switch(o$table, trace = run$trace, order = run$order, systems = cli_systems(run$ranking, o$margin),
         pairs = cli_pairs(run$ranking))
}

note_end <- function(reason, rows, judged, goal) {
  why <- switch(reason, goal = , confidence = paste0("reached ", goal$label),
                budget = "the budget is used up", exhausted = "nothing is left that could be judged",
                settled = "no further judgment can change a comparison", reason)
  inform_judicious("Stopped after {format_count(judged)} {cli::qty(judged)}judgment{?s}: {why}.", "progress")
}

# The session's trace, with the accuracy of the ranking at each row where the truth is known.
simulate_joint <- function(x, goal, o) {
  cli_refuse(o, c("weights", "ties"), "of use with --model mirex or uniform only")
  stop_at <- if (is.null(o$budget)) goal else goal | goal_budget(o$budget)
  s <- judging_session(x, cli_gain_model(o), stop_at, cli_strategy(o), audit = o$audit %||% 0.1,
                       update_every = o$update_every %||% 20, batch = o$batch,
                       cost = judging_cost(new_query = o$new_query), seed = o$seed, same_query = o$same_query)
  run_session(s, progress = cli_shows_progress(o))
  trace <- as.data.frame(s, judgments = if (!anyNA(x$gain)) judgments_of(x))
  made <- judgments(s)
  order <- data.frame(judged = seq_len(nrow(made)), made[c("query", "doc", "gain", "audit", "mean", "sd")])
  reason <- if (goal$progress(ranking(s))$reached) {
    "goal"
  } else if (!is.null(o$budget) && nrow(made) >= o$budget) {
    "budget"
  } else {
    "exhausted"
  }
  list(trace = trace, order = order, ranking = ranking(s), reason = reason)
}

simulate_published <- function(x, goal, o) {
  cli_refuse(o, c("select", "new-query", "audit"), "of use with --model joint only")
  budget <- o$budget %||% Inf
  size <- o$batch
  if (o$same_query || !is.null(o$measure) || !o$target %in% c("relative", "all")) {
    cli_refuse(o, c("weights", "update-every"),
               "of use with --target relative or all, without --same-query and --measure, only")
    gain <- simulated_gains(x, NULL, call = NULL)
    return(run_batches(x, gain, cli_estimator(x, o), goal, size, o$same_query, budget, o$ties, o$seed))
  }
  models <- cli_published_models(x, o)
  session <- mtc(x, NULL, models$output, models$judge, o$confidence, o$update_every %||% if (size > 1) size else 20,
                 o$ties, o$delta, if (o$target == "all") "all" else "mean", o$weights, budget, seed = o$seed,
                 progress = cli_shows_progress(o))
  list(trace = session$trace, order = session$order, ranking = session$ranking, reason = session$reason)
}

cli_shows_progress <- function(o) !o$quiet && isatty(stderr())

# Many sessions over random halves of the queries: how far the confidence can be trusted.
cli_study <- function(x, o) {
  cli_refuse(o, c("target", "top", "baseline", "margin", "width", "delta", "confidence", "budget", "batch",
                  "same-query", "table"), "of no use with --replicates: sessions stop at --budgets")
  method <- if (cli_is_joint(o)) {
    joint_method(if (!is.null(cli_model_file(o$model))) cli_gain_model(o), cli_strategy(o),
                 o$audit %||% 0, o$update_every)
  } else {
    models <- cli_published_models(x, o)
    published_method(models$output, models$judge, update_every = o$update_every %||% 20, weights = o$weights)
  }
  budgets <- suppressWarnings(as.numeric(o$budgets %||% c("0", "20", "50", "100", "200")))
  if (anyNA(budgets) || any(budgets < 0 | budgets != trunc(budgets))) {
    abort_usage("--budgets must be whole numbers of at least 0, as 0,20,50.")
  }
  study <- mtc_study(x, methods = stats::setNames(list(method), o$model), budgets = budgets,
                     replicates = o$replicates, split = o$split, seed = o$seed)
  summary(study)
}
