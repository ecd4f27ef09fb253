# The state of a session after the events of its log: the belief, the ranking, the trace. It is a function of the log
# and the fits that are stored with it, so every process that reads them has a bitwise identical state.

# The engine of a session: the environment with its state. `setup` holds the arguments of judging_session(), which the
# store keeps. The fields below are the state after the event `seen`, the last one that was processed; `seen` is NULL
# before any event is processed.
new_engine <- function(setup, store = NULL, tie = tie_rank(setup$x, setup$strategy$tie_break), delta = 0) {
  state <- list(
    store = store, closed = FALSE, seen = NULL,
    control = no_control,                     # the lead's changes
    edition = 0L,                             # the event of the last addition to `x`
    initial = NULL, belief = NULL,            # the belief before any judgment, and the current one
    gain = NULL, sequence = integer(),        # gain of each pair of the pool, NA if not judged; judged pairs in order
    errors = NULL,                            # by assessor_errors(); NULL if no judgment is taken to have an error
    shared = NULL,                            # by shared_errors(); NULL if the session is not about the consensus
    fit = NULL, fitted = 0L,                  # the last estimation, and the number of judgments at that time
    approximated = 0L,                        # the number of judgments when a nonlinear measure was last approximated
    approximate_from = 0L,                    # the number of judgments at which it may be approximated next
    judgments = NULL,                         # table of the judgments that were not undone, with second judgments
    spent = NULL,                             # the result of paid_so_far()
    ranking = NULL, progress = NULL,          # the ranking, and the progress towards the goal
    end = NULL, broken = 0L, reopened = NULL, # see process_end()
    trace = NULL, saved = 0L,                 # table with a row for each event; how many rows are in the store
    observe = NULL,                           # is called with the result of compare_pairs() for each row of the trace
    delta = delta,                            # the minimum difference of the confidence in the trace
    expected = NULL,                          # the last estimate of further judgments, and the number made at that time
    figured = 0,                              # when save_figures() last wrote to the store in this process
    tie = tie, order = fixed_order(setup$strategy, setup$x, setup$cost, tie)
  )
  list2env(c(setup, state), parent = emptyenv())
}

trace_columns <- store_tables$trace$columns[names(store_tables$trace$columns) != "checksum"]

# `final` is 1 for a lead's final judgment, which replaces earlier judgments of the pair, and NA for others.
judgment_columns <- c(event = "integer", pair = "integer", gain = "real", assessor = "text", final = "integer")

# Initialises the state before the first event.
begin_engine <- function(engine) {
  engine$trace <- new_memory_table(trace_columns)
  engine$judgments <- new_memory_table(judgment_columns)
  engine$saved <- 0L
  engine$end <- engine$reopened <- NULL
  engine$broken <- 0L
  use_fit(engine, NULL, 0L)
}

# Restores the state at the last event that has a row in the saved trace; later events are then processed one by one.
# The belief is restored as of the last event that replaces it (a fit, an undone, second or final judgment, or an
# addition to the collection); judgments since then are added one by one.
start_engine <- function(engine, saved = saved_trace(engine$store)) {
  seen <- max(saved$event, 0L)
  events <- judged_events(engine$store, belief_events)
  edition <- max(events$id[events$kind == "add" & events$id <= seen], 0L)
  if (edition != engine$edition) use_edition(engine, edition)
  begin_engine(engine)
  memory_add(engine$trace, saved[order(saved$event), , drop = FALSE])
  engine$saved <- engine$trace$n
  before <- events[events$id <= seen, , drop = FALSE]
  undos <- before[before$kind == "undo", , drop = FALSE]
  undone <- as.integer(undos$detail)
  judged <- before[before$kind == "judge" & !before$id %in% undone, , drop = FALSE]
  final <- judged$detail %in% "copy=0"
  fits <- store_rows(engine$store, "fit")
  fits <- fits[fits$event <= seen & fits$event > edition, , drop = FALSE]
  pair <- find_pairs(engine$x, judged$query, judged$doc)
  since <- judged$id > max(fits$event, undos$id[undone %in% before$id[before$kind == "judge"]], judged$id[final],
                           judged$id[duplicated(pair)], edition)
  # Judgments before the last approximation of a nonlinear measure are restored with it.
  n_before <- length(unique(pair[!since]))
  n_restored <- last_approximation(engine, n_before + sum(since), n_before) - n_before
  since[which(since)[seq_len(n_restored)]] <- FALSE
  judgments <- quick_frame(event = judged$id, pair = pair, gain = judged$gain, assessor = judged$assessor,
                           final = ifelse(final, 1L, NA))
  memory_add(engine$judgments, judgments[!since, , drop = FALSE])
  if (nrow(fits)) {
    last <- fits[which.max(fits$event), ]
    use_fit(engine, blob_value(last, "fit"), last$judged)
  } else if (any(!since)) {
    use_fit(engine, NULL, 0L)
  }
  for (i in which(since)) {
    add_judgment(engine, judgments$event[i], judgments$pair[i], judgments$gain[i], judgments$assessor[i])
  }
  engine$seen <- seen
  for (i in which(before$kind %in% end_events)) {
    process_end(engine, before[i, ], before$detail[i] %in% before$id[before$kind == "judge"])
  }
  if (nrow(saved)) update_ranking(engine) else add_trace(engine, 0L, "start")
  process_events(engine, events[events$id > seen, , drop = FALSE])
}

# Events that end or reopen judging, and those that change the belief about the gains.
end_events <- c(end_kinds, "reopen", "undo", "add")
belief_events <- c("fit", end_events)

# Brings the state up to date: processes the events up to the end of the log.
refresh <- function(engine) {
  if (is.null(engine$seen)) {
    start_engine(engine)
  } else {
    process_events(engine, judged_events(engine$store, belief_events, after = engine$seen))
  }
  invisible(engine)
}

# Recomputes the trace from the log, with a column `tau`: Kendall's tau of the ranking and the true means of the
# systems.
replayed_trace <- function(s, truth) {
  engine <- list2env(as.list(s$engine), parent = emptyenv())
  true_signs <- function() pair_signs(means_of_truth(engine$x, truth), gain_resolution(engine$x))
  signs <- true_signs()
  edition <- engine$edition
  tau <- numeric()
  engine$observe <- function(compared) {
    if (engine$edition != edition) {
      # Earlier editions of the collection have fewer documents, so judgments in `truth` may be outside their pool.
      signs <<- suppressWarnings(true_signs(), classes = "judicious_warning_outside_pool")
      edition <<- engine$edition
    }
    tau <<- c(tau, mean(sign(compared$difference) * signs))
  }
  start_engine(engine, saved = memory_rows(new_memory_table(trace_columns)))
  cbind(memory_rows(engine$trace), tau = tau)
}

process_events <- function(engine, events) {
  done <- FALSE
  # An interrupt may leave the state incomplete; resetting `seen` makes the next call compute it from the log.
  on.exit(if (!done) engine$seen <- NULL)
  pairs <- find_pairs(engine$x, events$query, events$doc)
  is_last <- !duplicated(events$id, fromLast = TRUE)
  stops <- stops_of_runs(engine, events, pairs)
  run_end <- 0L
  for (i in seq_len(nrow(events))) {
    event <- lapply(events, `[`, i)
    pair <- pairs[i]
    if (i > run_end) {
      stop_at <- stops[findInterval(i - 1, stops) + 1]
      run_end <- max(i, stop_at - 1)
      judged_then <- length(engine$sequence) + stop_at - i
      engine$approximate_from <- last_approximation(engine, judged_then, engine$approximated)
    }
    switch(event$kind,
           judge = if (identical(event$detail, "gold")) {
             add_judgment(engine, event$id, pair, event$gain, event$assessor)
             if (is_last[i]) add_trace(engine, event$id, "gold")
           } else {
             final <- if (identical(event$detail, "copy=0")) 1L else NA
             process_judgment(engine, event$id, pair, event$gain, event$assessor, final)
           },
           undo = process_undo(engine, event), fit = process_fit(engine, event), add = {
             process_addition(engine, event)
             pairs <- find_pairs(engine$x, events$query, events$doc)
             stops <- stops_of_runs(engine, events, pairs)
           }, {
             process_end(engine, event)
             set_progress(engine)
           })
    engine$seen <- event$id
  }
  done <- TRUE
}

# The places of the events that are not the first judgment of a pair, and the place after the last event. In a run of
# first judgments, a nonlinear measure is only approximated after the last one at which it is due.
stops_of_runs <- function(engine, events, pairs) {
  is_new <- events$kind == "judge" & !events$detail %in% "copy=0" & !duplicated(pairs) & is.na(engine$gain[pairs])
  c(which(!is_new), nrow(events) + 1L)
}

process_judgment <- function(engine, event, pair, gain, assessor = NA_character_, final = NA) {
  before <- add_judgment(engine, event, pair, gain, assessor, final)
  if (is.null(before)) return(add_trace(engine, event, if (is.na(final)) "second" else "final"))
  add_trace(engine, event, "judge", before$mean, sqrt(before$variance))
}

# Adds a judgment to the belief and returns the predicted mean and standard deviation of its gain. A second judgment of
# a pair may change the estimated errors of the assessors, and thus all gains, and a final one replaces others: the
# belief is then restored, and the result is NULL.
add_judgment <- function(engine, event, pair, gain, assessor, final = NA) {
  memory_append(engine$judgments, list(event, pair, gain, assessor, final))
  if (!is.na(engine$gain[pair]) || !is.na(final)) {
    use_fit(engine, engine$fit, engine$fitted)
    return(NULL)
  }
  before <- belief_pairs(engine$belief, pair)
  noise <- 0
  if (!is.null(engine$errors)) {
    gain <- gain_for_target(gain, engine$errors, assessor, engine$assessor, engine$x$scale)
    noise <- error_variance_for_target(engine$errors, assessor, engine$assessor)
    before$variance <- before$variance + noise * diff(range(engine$x$scale$levels))^2
  }
  engine$belief <- belief_judge(engine$belief, pair, gain, noise)
  engine$gain[pair] <- gain
  engine$sequence <- c(engine$sequence, pair)
  # Restoring the belief approximates a nonlinear measure anew or, once all gains are known, computes it exactly.
  judged <- length(engine$sequence)
  if (judged >= engine$approximate_from && is_approximation_due(engine, judged, engine$approximated)) {
    use_fit(engine, engine$fit, engine$fitted)
  }
  before
}

# Whether a nonlinear measure that was last approximated after `approximated` judgments must be approximated again after
# `judged`. A single judgment can settle the order of two systems, which the approximation cannot tell. In large
# collections, drawing takes longer, and a single judgment matters less: draws take less than .1 seconds a judgment.
is_approximation_due <- function(engine, judged, approximated) {
  x <- engine$x
  if (is_sum(x)) return(FALSE)
  # The strata of each column are drawn, too.
  drawn <- n_results(x) * (1 + length(engine$goal$by))
  judged == n_pairs(x) || judged - approximated >= min(judged / 10, drawn / results_per_judgment)
}

results_per_judgment <- 20000

# The last number of judgments, up to `judged`, at which a measure is approximated, if it was after `approximated`.
last_approximation <- function(engine, judged, approximated) {
  if (is_sum(engine$x)) return(approximated)
  Reduce(function(last, n) if (is_approximation_due(engine, n, last)) n else last,
         approximated + seq_len(judged - approximated), approximated)
}

process_undo <- function(engine, event) {
  judgments <- memory_rows(engine$judgments)
  undone <- judgments$event == as.integer(event$detail)
  # Undoing a skip does not change the gains.
  if (!any(undone)) return()
  process_end(engine, event)
  engine$judgments <- new_memory_table(judgment_columns)
  memory_add(engine$judgments, judgments[!undone, , drop = FALSE])
  use_fit(engine, engine$fit, engine$fitted)
  add_trace(engine, event$id, "undo")
}

process_fit <- function(engine, event) {
  stored <- store_rows(engine$store, "fit", list(event = event$id))
  use_fit(engine, blob_value(stored, "fit"), stored$judged)
  add_trace(engine, event$id, "fit")
}

# Switches to the larger collection. Parameters that were estimated for the smaller one are not used any more.
process_addition <- function(engine, event) {
  process_end(engine, event)
  use_edition(engine, event$id)
  use_fit(engine, NULL, 0L)
  add_trace(engine, event$id, "add")
}

# Restores the belief from the parameters of a fit and the judgments that have not been undone.
use_fit <- function(engine, fit, judged) {
  engine$initial <- engine$initial %||% belief_for_goal(belief_begin(engine$prepared, engine$x), engine$x, engine$goal)
  judgments <- memory_rows(engine$judgments)
  engine$spent <- NULL
  # Pairs with a final judgment come first, the latest one before the others.
  engine$sequence <- unique(c(rev(judgments$pair[judgments$final %in% 1]), judgments$pair))
  if (engine$assessor == "these" && length(engine$sequence) == nrow(judgments)) {
    combined <- list(gain = replace(rep(NA_real_, n_pairs(engine$x)), judgments$pair, judgments$gain), doubt = 0)
  } else {
    combined <- combined_judgments(judgments, n_pairs(engine$x), engine$x$scale, engine$assessor)
  }
  engine$gain <- combined$gain
  engine$errors <- combined$errors
  engine$belief <- belief_restore(engine$initial, fit, engine$gain, engine$sequence, combined$noise, combined$doubt)
  if (engine$assessor != "these") {
    engine$belief <- belief_expect(engine$belief, error_variance_for_target(engine$errors, "", engine$assessor))
  }
  engine$fit <- fit
  engine$fitted <- judged
  engine$approximated <- length(engine$sequence)
}

# Updates the ranking and the progress towards the goal.
update_ranking <- function(engine) {
  engine$shared <- if (engine$assessor == "consensus") {
    shared_errors(memory_rows(engine$judgments), engine$errors, engine$x, engine$assessor)
  }
  engine$ranking <- rank_by_belief(engine$belief, engine$x, length(engine$sequence), engine$delta, engine$shared)
  # `judged` counts documents, but second judgments use up part of a budget, too.
  engine$ranking$judgments <- count_judgments(engine)
  set_progress(engine)
}

# Adds a row for an event to the trace.
add_trace <- function(engine, event, kind, expected = NA_real_, sd = NA_real_) {
  update_ranking(engine)
  compared <- compare_pairs(engine$ranking)
  memory_append(engine$trace, list(event, kind, length(engine$sequence), cost_so_far(engine), engine$progress$value,
                              mean_confidence(compared), expected, sd))
  if (!is.null(engine$observe)) engine$observe(compared)
}

# The rows of the trace to report. If the model was fitted directly after a judgment, only the row of the fit is
# reported, not that of the judgment. Rows of second judgments of a document are left out.
reported_trace_rows <- function(kind) {
  kept <- which(kind != "second")
  kept[!duplicated(cumsum(kind[kept] != "fit"), fromLast = TRUE)]
}

set_goal <- function(engine, goal) {
  if (!identical(goal$label, engine$goal$label)) engine$end <- engine$reopened <- NULL
  engine$goal <- goal
  engine$expected <- NULL
  set_progress(engine)
}

# Writes the end of judging to the log if the goal is reached, unless another process has changed the session in the
# meantime.
log_end <- function(engine) {
  is_new <- function() !is.null(engine$store) && is.null(engine$end) && engine$progress$reached &&
    !is_reader(engine$store)
  for (attempt in 1:3) if (is_new()) {
    store_exclusive(engine$store, {
      if (!nrow(store_rows(engine$store, "event", list(kind = end_events), after = engine$seen))) {
        end <- end_of_judging(engine)
        add_events(engine, end$kind, detail = end$detail)
      }
    })
    refresh(engine)
  }
  invisible(engine)
}

# Saves the trace in the store, so that no process has to compute it again.
save_trace <- function(engine) {
  if (engine$saved == engine$trace$n) return()
  store_insert(engine$store, "trace",
               with_checksums(engine$store, memory_rows(engine$trace, seq(engine$saved + 1, engine$trace$n))))
  engine$saved <- engine$trace$n
}

# The trace in the store, whose checksums are verified.
saved_trace <- function(store) checked_rows(store, "trace")[names(trace_columns)]

# Estimates the parameters again if there are enough new judgments.
fit_if_due <- function(engine) {
  if (belief_due(engine$belief, length(engine$sequence), engine$fitted, engine$update_every)) refit(engine)
}

refit <- function(engine) {
  judged <- length(engine$sequence)
  # The judged pairs that the strategy selected, rather than those drawn at random or judged before the session. Without
  # a store, there is no record of them.
  selects <- !is.null(engine$store) && !is_random(engine$strategy)
  selected <- if (selects) intersect(engine$sequence, slot_pairs(engine, 0L))
  fit <- belief_refit(engine$belief, engine$gain, engine$update_every, as.integer(selected))
  if (is.null(engine$store)) {
    use_fit(engine, fit, judged)
    return(add_trace(engine, engine$trace$columns$event[engine$trace$n], "fit"))
  }
  store_exclusive(engine$store, {
    # Another process may have logged a fit for the same events; then this one is not logged.
    if (max(store_rows(engine$store, "fit")$event, 0L) <= engine$seen) {
      id <- add_events(engine, "fit", detail = paste0("judged=", judged))
      store_insert(engine$store, "fit", blob_row(engine$store, event = id, judged = judged, value = fit, kind = "fit"))
    }
  })
  refresh(engine)
}

# Appends events to the log, and returns their ids; arguments are recycled.
add_events <- function(engine, kind, assessor = NA_character_, query = NA_character_, doc = NA_character_,
                       gain = NA_real_, seconds = NA_real_, detail = NA_character_) {
  rows <- quick_frame(time = utc_text(store_now(engine$store)), assessor = assessor, kind = kind, query = query,
                      doc = doc, gain = as.numeric(gain), seconds = as.numeric(seconds), detail = detail)
  store_insert(engine$store, "event", rows)
}

# Changes that other processes made in the store: settings of the lead and editions of the collection.

no_control <- list(number = 0L, goal = NULL, paused = FALSE, assigned = character())

read_control <- function(store, number) if (number == 0) no_control else read_object(store, control_name(number))

control_name <- function(number) paste("control", number)

# Applies the changes that other processes made: additions to the collection, and settings of the lead.
follow_session <- function(engine) {
  meta <- store_rows(engine$store, "meta", list(name = c("edition", "control")))
  number <- function(name) as.integer(c(meta$value[meta$name == name], 0)[1])
  follow_edition(engine, number("edition"))
  follow_control(engine, number("control"))
}

check_session <- function(s) {
  check_class(s, "judicious_session", "session", "judging_session")
  abort_unless(!s$engine$closed, c("The session is closed.", i = "{.fn open_session} opens it again."), "closed")
  follow_session(s$engine)
}

follow_control <- function(engine, number) {
  if (number == engine$control$number) return(invisible())
  before <- engine$goal$label
  engine$control <- read_control(engine$store, number)
  engine$goal <- controlled_goal(engine)
  if (identical(engine$goal$label, before)) return(invisible())
  # The goal determines these fields, so they are recomputed from the log.
  engine$expected <- engine$initial <- engine$seen <- NULL
}

# The goal that a lead set last, or else that of judging_session().
controlled_goal <- function(engine) {
  if (is.null(engine$control$goal)) engine$goal else restore_recipe(engine$control$goal, list(engine$goal), "goal")
}

# Switches to the edition of the collection that another process has stored. All fields that depend on the edition are
# recomputed.
follow_edition <- function(engine, edition = store_edition(engine$store)) {
  if (edition == engine$edition) return(invisible())
  use_edition(engine, edition)
  engine$seen <- NULL
}

use_edition <- function(engine, edition) {
  custom <- list(goal = list(engine$goal), strategy = list(engine$strategy), model = engine$arguments$model,
                grades = engine$arguments$grades)
  list2env(setup_of_store(engine$store, edition, custom), engine)
  engine$edition <- edition
  engine$goal <- controlled_goal(engine)
  engine$initial <- NULL
  engine$expected <- NULL
  set_tie_order(engine, tie_rank(engine$x, engine$strategy$tie_break))
}

# Which pairs of the pool an assessor (NULL: anybody) can be given for a first judgment, or for a second one (`again`):
# a logical vector, or a single TRUE for all, because vectors of all pairs take time. The first judgments of a query may
# be assigned to one assessor; anybody can give second judgments. While run_session() takes gains from a table for each
# assessor, an assessor can be given only the pairs whose gains the table has.
assignable_pairs <- function(engine, assessor, again = FALSE) {
  able <- if (!is.null(assessor)) engine$able[[assessor]]
  allowed <- if (is.null(able)) TRUE else able()
  others <- if (!again) names(engine$control$assigned)[engine$control$assigned != assessor]
  if (length(others)) allowed & !engine$x$queries$query[engine$x$pool$query] %in% others else allowed
}

# The pairs with open slots or leased ones that can be assigned to an assessor; NULL for all pairs.
pairs_to_assign <- function(engine, assessor) {
  allowed <- assignable_pairs(engine, assessor)
  if (isTRUE(allowed)) return(NULL)
  again <- rep_len(assignable_pairs(engine, assessor, again = TRUE), n_pairs(engine$x))
  slots <- store_rows(engine$store, "slot", list(state = c("open", "leased")))
  unique(slots$pair[ifelse(slots$copy > 1, again[slots$pair], allowed[slots$pair])])
}

# The pairs whose slots have the value `audit`: 0 if the strategy selected the pair, 1 if it was drawn at random, NA if
# the session did not select it.
slot_pairs <- function(engine, audit) store_rows(engine$store, "slot", list(audit = audit))$pair
