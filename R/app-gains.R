# Judging documents on a gain scale on the page.

mode_figures.judicious_gains_mode <- function(mode) {
  e <- mode$s$env
  cached_value(function() {
    check_session(mode$s)
    if (is_tended(e)) known_figures(e) else own_figures(mode$s, mode$expected$known)
  }, oldest = 2, first = function() known_figures(e))
}

# A document that the assessor holds is shown at once; more are selected when the screen has been sent.
choose_task.judicious_gains_mode <- function(mode, assessor, first) {
  e <- mode$s$env
  # Assign no documents when the goal is reached.
  if (is.null(first) && is_goal_reached(mode)) {
    mode_release(mode, assessor)
    return(NULL)
  }
  held <- if (assessor %in% mode$ready) mode$slots[[assessor]] else held_slots(e, assessor)
  if (!nrow(ids_held(e, held))) held <- hold_documents(e, most_ahead(mode, assessor), assessor)
  mode$slots[[assessor]] <- held
  docs <- ids_held(e, held)
  if (!nrow(docs)) return(NULL)
  docs <- pick_rows(docs, shuffled_by_query(docs, assessor, first %||% mode$shown[[assessor]])[1])
  mode$shown[[assessor]] <- gains_task(assessor, docs$query, docs$doc)
}

# The figures of the process that tends the session are some seconds old, but following the log at every judgment of
# anybody would take long. After an end, it is worth the time: the page must not go on where another one has ended.
is_goal_reached <- function(mode) {
  e <- mode$s$env
  figures <- if (mode$tended$get()) mode$status$known()
  exact <- is.null(figures) || nrow(store_rows(e$store, "event", list(kind = end_kinds))) > 0
  if (exact) log_end(refresh(e))$progress$reached else isTRUE(figures$goal$reached)
}

# How many documents an assessor may hold, so that all assessors together do not exceed the budget of the goal.
most_ahead <- function(mode, assessor) {
  e <- mode$s$env
  budget <- budget_of(e$goal$recipe)
  if (is.infinite(budget)) return(mode$spec$ahead)
  max(0, min(mode$spec$ahead, budget - judgments_made(e) - held_by_others(e, assessor)))
}

# The number of documents that other assessors hold.
held_by_others <- function(e, assessor) {
  slots <- store_rows(e$store, "slot", list(state = "leased"))
  sum(slots$assessor != assessor & slots$lease_until >= store_now(e$store))
}

mode_answer.judicious_gains_mode <- function(mode, assessor, task, value, seconds) {
  e <- mode$s$env
  gain <- gain_of_input(value, e$x$scale)
  if (is.na(gain)) abort_judicious("That is not a grade of this scale.", "argument")
  if (isTRUE(task$past)) {
    change_judgment(mode$s, task$query, task$doc, gain, assessor, seconds)
  } else {
    left <- judge_pairs(e, session_pairs(e, task$query, task$doc), gain, assessor, seconds)
    if (NROW(left)) {
      mode$slots[[assessor]] <- left
      mode$ready <- union(mode$ready, assessor)
    }
  }
  paste0("Saved: ", grade_name(mode$spec$form, gain), ".")
}

mode_skip.judicious_gains_mode <- function(mode, assessor, task, reason) {
  store_exclusive(mode$s$env$store, {
    if (isTRUE(task$past)) undo_judgment(mode$s, assessor, task$query, task$doc)
    skip_document(mode$s, task$query, task$doc, reason, assessor)
  })
}

# What is undone is held again.
mode_undo.judicious_gains_mode <- function(mode, assessor) {
  check_session(mode$s)
  taken <- judgments_of_gold(take_back(mode$s$env, assessor))[1, ]
  c(gains_task(assessor, taken$query, taken$doc), was = list(past_answer(mode$spec$form, taken$gain, taken$detail)))
}

mode_past.judicious_gains_mode <- function(mode, assessor) {
  store <- mode$s$env$store
  slots <- store_rows(store, "slot", list(assessor = assessor, state = c("judged", "skipped")))
  slots <- pick_rows(slots, slots$copy > 0)
  events <- judgments_of_gold(store_rows(store, "event", list(id = sort(slots$event, decreasing = TRUE))))
  events <- events[order(events$id, decreasing = TRUE), ]
  notes <- notes_of(mode$s, assessor)
  note <- match(text_key(events$query, events$doc), text_key(notes$query, notes$doc))
  events$comment <- notes$comment[note]
  events$flag <- notes$flag[note] %in% TRUE
  events$time <- utc_time(events$time)
  events$task <- gains_task_id(rep(assessor, nrow(events)), events$query, events$doc)
  events$was <- Map(past_answer, list(mode$spec$form), events$gain, events$detail)
  events
}

mode_note.judicious_gains_mode <- function(mode, assessor, task, comment, flag) {
  add_note(mode$s, task$query, task$doc, comment, flag, assessor)
}

# The notes of an assessor are read again only if anybody has made one since.
mode_noted.judicious_gains_mode <- function(mode, assessor, task, last = NULL) {
  if (is.null(last) || !identical(mode$notes[[assessor]]$last, last)) {
    mode$notes[[assessor]] <- list(last = last, rows = notes_of(mode$s, assessor))
  }
  rows <- mode$notes[[assessor]]$rows
  as.list(rows[rows$query == task$query & rows$doc == task$doc, c("comment", "flag")])
}

mode_release.judicious_gains_mode <- function(mode, assessor) next_documents(mode$s, 0, assessor)

# Several documents are reserved at a time, when half of them are judged.
mode_reserve.judicious_gains_mode <- function(mode, assessor, task) {
  e <- mode$s$env
  if (e$control$paused || isTRUE(mode$status$known()$goal$reached)) return(list())
  held <- mode$slots[[assessor]] %||% held_slots(e, assessor)
  if (nrow(ids_held(e, held)) > mode$spec$ahead / 2) return(list())
  mode$slots[[assessor]] <- hold_documents(e, most_ahead(mode, assessor), assessor, held)
  docs <- ids_held(e, mode$slots[[assessor]])
  lapply(which(docs$query != task$query | docs$doc != task$doc), function(i) as.list(docs[i, ]))
}

mode_panel.judicious_gains_mode <- function(mode, status, assessor) {
  if (!identical(status, mode$drawn$status)) mode$drawn <- list(status = status, panel = gains_panel(status))
  gains_status(status, assessor, mode$drawn$panel)
}

mode_finished.judicious_gains_mode <- function(mode, status, assessor) {
  mine <- status$assessors[status$assessors$assessor == assessor, , drop = FALSE]
  item <- if (is.null(status$questions)) "document" else "question"
  thanks <- paste0("You judged ", counted(sum(mine$judged), item), ". Everything is saved. Thank you: you can ",
                   "close this page.")
  if (isTRUE(status$goal$reached)) {
    why <- why_stopped(status$goal, status$confidence)
    return(list(upper_first(why), paste0("Judging has ended: ", why, " (", goal_text(status$goal), "). ", thanks),
                end = TRUE))
  }
  held <- held_by_others(mode$s$env, assessor) > 0
  if (isTRUE(status$open == 0)) {
    # The others may judge some a second time.
    if (held) {
      return(list("You are done", paste0("Only other assessors still have ", item, "s to judge. ", thanks), end = TRUE))
    }
    return(list("Everything is judged", paste0("Judging has ended: no ", item, " is left. ", thanks), end = TRUE))
  }
  why <- if (held) paste0("Other assessors are judging the remaining ", item, "s.") else
    paste0("No ", item, " is waiting for you.")
  list("Nothing to judge just now", paste(why, "This page looks again every few seconds; you need not do anything."))
}

gains_task_id <- function(assessor, query, doc) {
  vapply(seq_along(query), function(i) rlang::hash(list(assessor[i], query[i], doc[i])), "")
}

gains_task <- function(assessor, query, doc) list(id = gains_task_id(assessor, query, doc), query = query, doc = doc)

# A query's documents stay together, in an order that tells nothing of systems and ranks and that is the same after a
# reload. `first` names a document that comes first where it is held, and then the others of its query.
shuffled_by_query <- function(held, assessor, first = NULL) {
  at_random <- function(...) vapply(Map(list, assessor, ...), rlang::hash, "")
  same_query <- held$query %in% first$query
  again <- same_query & held$doc %in% first$doc
  order(!again, !same_query, at_random(held$query), at_random(held$query, held$doc))
}
