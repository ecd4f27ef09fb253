# The commands `judicious next`, `judicious plan` and `judicious simulate`.
# `o`: the values of the options, as cli_parse() returns them.

cli_next <- function(o) {
  cli_check_selection(o)
  check_usage(is.null(o$as) || cli_has_answers(o), "--as makes a sheet of answers; it is not available with RUNS.")
  x <- cli_measured_collection(o)
  goal <- cli_goal(o)
  gains <- cli_gains(x, o)
  check_goal_fits(x, goal)
  state <- goal$progress(rank_for_goal(x, goal, gains, delta = goal$delta, seed = o$seed))
  so_far <- if (state$reached) "reached" else sub("met", "reached", unmet_text(state, nouns_of(x)))
  size <- if (state$reached && !o$always) 0 else o$n
  more <- if (size < o$n) " Use --always to select more anyway."
  inform_judicious("{goal$label}: {so_far}, now {value_and_target_text(state)}.{more}", "progress")
  if (o$questions) return(cli_next_questions(x, gains, size, goal, o))
  chosen <- select_documents(x, gains, size, goal, cli_strategy(o), judging_cost(new_query = o$new_query), o$batches,
                             o$same_query, seed = o$seed)
  if (is.null(o$as)) return(chosen)
  rating_sheet(answer_table(o$operands, cli_columns_of(o), "x"), chosen, o$as)
}

# A sheet to fill in with the right answers to the questions for which they are most informative. A message states how
# many single ratings the first right answer is worth.
cli_next_questions <- function(x, gains, n, goal, o) {
  choose <- function(n, batches, same_query) {
    select_documents(x, gains, n, goal, cli_strategy(o), batches = batches, same_query = same_query, seed = o$seed)
  }
  chosen <- choose(Inf, max(n, 1), TRUE)
  first <- chosen[!duplicated(chosen$batch), ]
  first <- first[seq_len(min(n, nrow(first))), ]
  if (nrow(first)) {
    times <- sum(chosen$score[chosen$batch == 1]) / choose(1, NULL, FALSE)$score
    inform_judicious("The right answer to the first question tells {format_short(times, 2)} times as much as the rating
      of a single answer.", "progress")
  }
  query_index <- match(first$query, x$queries$query)
  sheet <- data.frame(query = first$query, answers = tabulate(match(chosen$query, first$query), nrow(first)),
                      score = tapply(chosen$score, factor(chosen$batch, first$batch), sum)[seq_len(nrow(first))])
  if (!is.null(x$queries[["text"]])) sheet$question <- x$queries[["text"]][query_index]
  sheet$gold <- rep("", nrow(sheet))
  without_row_names(sheet)
}

# Raises an error if --weights or --tie-break is used, but the strategy or the goal does not use it.
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
  notes <- c(if (spent) "The budget of {o$budget} is used up: it includes the existing {plan$known}.",
            "{plan$goal}: reached {plan_reached(plan)} ({counted(o$replicates, 'simulation')}){later}.",
            plan_least(plan))
  inform_judicious(paste(notes, collapse = " "), "progress")
  switch(o$table, summary = summary(plan), sessions = plan$needed, curve = as.data.frame(plan))
}

# The session of a simulation. The published algorithm begins without judgments and needs no audit; with batches, its
# gains are updated after every batch.
cli_simulated_session <- function(x, goal, o) {
  joint <- cli_is_joint(o)
  stop_at <- if (is.null(o$budget)) goal else goal | goal_budget(o$budget)
  update_every <- o$update_every %||% if (joint || o$batch == 1) 20 else o$batch
  judging_session(x, stop_at, cli_session_model(x, o), strategy = cli_strategy(o),
                  judgments = if (!joint) FALSE, audit = o$audit %||% if (joint) 0.1 else 0,
                  grades = cli_grades(o), update_every = update_every, batch = o$batch,
                  cost = judging_cost(new_query = o$new_query), seed = o$seed, same_query = o$same_query)
}

cli_simulate <- function(o) {
  check_usage(!is.null(o$truth), "--truth is missing: a simulation looks up its gains there.")
  check_usage(is.null(o$estimates), "Estimates do not change with judgments: use --model instead of --estimates.")
  truth <- cli_judgments(o, "truth")
  x <- cli_measured_collection(o, scale_judgments = truth)
  goal <- cli_goal(o)
  cli_check_selection(o)
  if (!cli_is_joint(o)) {
    cli_refuse(o, "audit", "only available with --model joint")
    cli_refuse(o, "judgments", "only available with --model joint: the published algorithm begins without judgments")
  }
  s <- cli_simulated_session(x, goal, o)
  run_session(s, truth)
  made <- judgments_of(s)
  ranking <- rank_for_goal(s, goal)
  why <- if (goal$progress(ranking)$reached) paste0("goal met (", goal$label, ")")
         else if (!is.null(o$budget) && nrow(made) >= o$budget) "budget spent" else "nothing left that could change it"
  inform_judicious("Stopped after {format_count(nrow(made))} {cli::qty(nrow(made))}judgment{?s}: {why}.", "progress")
  switch(o$table,
    trace = as.data.frame(s, truth = if (!anyNA(assign_judgments(x, truth, "truth")$gain)) truth),
    order = data.frame(judged = seq_len(nrow(made)), made[c("query", "doc", "gain", "audit", "mean", "sd")]),
    systems = cli_systems(ranking, o$margin), pairs = pairs_with_intervals(ranking))
}
