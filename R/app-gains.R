# Judging documents on a gain scale: what the page does with a session's verbs, always for one assessor.
# A mode has next_task(assessor, first); answer(), skip() and undo(), which return what to say, undo() also the task as
# far as `first` needs it; has_next(assessor), after an answer: whether next_task() returns at once; task(), a task of
# the past by its id; note(); noted(assessor, task, last), where `last` is the id of the last event of a note; release(
# assessor), for who goes on to something else; refill(), which reserves the next tasks and returns them, without that
# on the screen; status, a cached_value(); and afterwards(), for what can wait until the screen is out. Before any of
# them, look_up() adopts changes of the session.

gains_mode <- function(s, spec) {
  # By assessor: the task shown, the slots held, and the same in the order in which they are shown.
  shown <- slots <- held <- list()
  # After an answer, the store has said what the assessor still holds.
  said <- character()
  notes <- note_reader(s)
  expected <- cached_value(function() further_judgments(s$env))
  tended <- cached_value(function() is_tended(s$env), oldest = 1)
  # The process that tends the session computes figures at its own times.
  status <- cached_value(function() {
    check_session(s)
    if (is_tended(s$env)) known_figures(s$env) else own_figures(s, expected$known)
  }, oldest = 2, first = function() known_figures(s$env))
  status$touch <- local({
    touch <- status$touch
    function() if (!tended$get()) touch()
  })
  held_by <- function(assessor, first = NULL) {
    if (!assessor %in% said) slots[[assessor]] <<- held_slots(s$env, assessor)
    said <<- setdiff(said, assessor)
    now <- ids_held(s$env, slots[[assessor]])
    held[[assessor]] <<- pick_rows(now, shuffled_by_query(now, assessor, first %||% shown[[assessor]]))
  }
  draw_panel <- remembered(gains_panel)
  list(
    screen = function(task, items, spec) task_screen(task, items, spec, gains_layout),
    has_next = function(assessor) assessor %in% said && NROW(slots[[assessor]]) > 0,
    next_task = function(assessor, first = NULL) {
      on.exit(said <<- setdiff(said, assessor))
      task <- next_gains_task(s, spec, assessor, first, held_by, if (tended$get()) status$known())
      if (!is.null(task)) shown[[assessor]] <<- task
      task
    },
    answer = function(assessor, task, value, seconds) {
      gain <- gain_of_input(value, s$env$x$scale)
      if (is.na(gain)) abort_judicious("That is not a grade of this scale.", "argument")
      left <- put_grade(s, task, gain, assessor, seconds)
      if (!is.null(left)) {
        slots[[assessor]] <<- left
        said <<- union(said, assessor)
      }
      paste0("Saved: ", grade_name(spec$form, gain), ".")
    },
    release = function(assessor) next_documents(s, 0, assessor),
    skip = function(assessor, task, reason) skip_gains_task(s, task, reason, assessor),
    undo = function(assessor) undo_gains_task(s, spec, assessor),
    task = function(assessor, id) past_gains_task(s, spec, assessor, id),
    history = function(assessor) gains_history_list(gains_history(s, assessor), spec),
    note = function(assessor, task, comment, flag) add_note(s, task$query, task$doc, comment, flag, assessor),
    noted = function(assessor, task, last) {
      rows <- notes(assessor, last)
      as.list(rows[rows$query == task$query & rows$doc == task$doc, c("comment", "flag")])
    },
    # Several documents are reserved at a time, when half of them are judged.
    refill = function(assessor, task) {
      if (NROW(held[[assessor]]) > spec$ahead / 2 || isTRUE(status$known()$goal$reached)) return(list())
      slots[[assessor]] <<- hold_documents(s$env, most_ahead(s$env, spec, assessor), assessor, slots[[assessor]])
      said <<- union(said, assessor)
      now <- held_by(assessor)
      others <- which(now$query != task$query | now$doc != task$doc)
      lapply(others, function(i) list(query = now$query[i], doc = now$doc[i]))
    },
    status = status,
    # How many judgments are expected takes longest to work out.
    afterwards = function() {
      if (tended$get()) return()
      expected$touch()
      expected$get()
    },
    show_status = function(status, assessor) gains_status(status, assessor, draw_panel),
    finished = function(status, assessor) gains_finished(status, assessor, is_held_by_others(s, assessor))
  )
}

# Returns the slots that the assessor still holds, or NULL where the store does not say.
put_grade <- function(s, task, gain, assessor, seconds) {
  if (isTRUE(task$past)) {
    change_judgment(s, task$query, task$doc, gain, assessor, seconds)
    return(NULL)
  }
  e <- s$env
  judge_pairs(e, session_pairs(e, task$query, task$doc), gain, assessor, seconds)
}

# A function that returns the notes of an assessor, and reads them again only if `last`, the id of the last event of any
# note, is not known or has changed.
note_reader <- function(s) {
  known <- list()
  none <- quick_frame(query = character(), doc = character(), comment = character(), flag = logical())
  function(assessor, last = NULL) {
    if (is.null(last)) return(notes_of(s, assessor))
    if (last == 0) return(none)
    if (!identical(known[[assessor]]$last, last)) known[[assessor]] <<- list(last = last, rows = notes_of(s, assessor))
    known[[assessor]]$rows
  }
}

# What is undone is held again, and comes first.
undo_gains_task <- function(s, spec, assessor) {
  check_session(s)
  taken <- judgments_of_gold(take_back(s$env, assessor))[1, ]
  c(gains_task(assessor, taken$query, taken$doc), was = list(past_answer(spec$form, taken)))
}

# How many documents an assessor may hold, so that all assessors together do not exceed the budget of the goal.
most_ahead <- function(e, spec, assessor) {
  budget <- budget_of(e$goal$recipe)
  if (is.infinite(budget)) return(spec$ahead)
  leased <- store_rows(e$store, "slot", list(state = "leased"))
  others <- sum(leased$assessor != assessor & leased$lease_until >= store_now(e$store))
  max(0, min(spec$ahead, budget - judgments_made(e) - others))
}

# The task to show to an assessor, or NULL. A document that the assessor holds is shown at once; more are selected when
# the screen has been sent. `figures`: those of the process that tends the session, or NULL. They are some seconds old,
# but following the log at every judgment of anybody would take long.
next_gains_task <- function(s, spec, assessor, first, held_by, figures) {
  if (s$env$control$paused) return(NULL)
  # Assign no documents when the goal is reached.
  # After an end, it is worth the time: the page must not go on where another one has ended.
  exact <- is.null(figures) || nrow(store_rows(s$env$store, "event", list(kind = end_kinds))) > 0
  reached <- if (exact) log_end(refresh(s$env))$progress$reached else isTRUE(figures$goal$reached)
  if (is.null(first) && reached) {
    next_documents(s, 0, assessor)
    return(NULL)
  }
  held <- held_by(assessor, first)
  if (!nrow(held)) {
    next_documents(s, most_ahead(s$env, spec, assessor), assessor)
    held <- held_by(assessor, first)
  }
  if (!nrow(held)) return(NULL)
  task <- gains_task(assessor, held$query[1], held$doc[1])
  if (identical(first$id, task$id)) task$was <- first$was
  task
}

skip_gains_task <- function(s, task, reason, assessor) {
  store_exclusive(s$env$store, {
    if (isTRUE(task$past)) undo_judgment(s, assessor, task$query, task$doc)
    skip_document(s, task$query, task$doc, reason, assessor)
  })
}

# NULL where the assessor has no such judgment.
past_gains_task <- function(s, spec, assessor, id) {
  past <- gains_history(s, assessor)
  index <- match(id, past$task)
  if (is.na(index)) return(NULL)
  c(gains_task(assessor, past$query[index], past$doc[index]), past = TRUE,
    was = list(past_answer(spec$form, past[index, ])))
}

gains_history_list <- function(past, spec) {
  answer <- vapply(seq_len(nrow(past)), function(i) past_answer(spec$form, past[i, ])$text, "")
  what <- paste(item_names(spec$content, past$query), item_names(spec$content, past$query, past$doc),
                sep = " \u2192 ", recycle0 = TRUE)
  history_list(past$task, what, answer, as.numeric(utc_time(past$time)), note_text(past$comment, past$flag))
}

gains_task_id <- function(assessor, query, doc) {
  vapply(seq_along(query), function(i) rlang::hash(list(assessor[i], query[i], doc[i])), "")
}

gains_task <- function(assessor, query, doc) list(id = gains_task_id(assessor, query, doc), query = query, doc = doc)

# An event of the log as what the page says of it: `value` names the button.
past_answer <- function(form, event) {
  if (event$kind == "skip") return(list(text = paste0("Skipped", if (!is.na(event$detail)) ": ", event$detail)))
  list(text = grade_name(form, event$gain), value = format_level(event$gain))
}

# A query's documents stay together, in an order that tells nothing of systems and ranks and that is the same after a
# reload. `first` names a document that comes first where it is held, such as one whose judgment was undone, and then
# the others of its query.
shuffled_by_query <- function(held, assessor, first = NULL) {
  at_random <- function(...) vapply(Map(list, assessor, ...), rlang::hash, "")
  same_query <- held$query %in% first$query
  again <- same_query & held$doc %in% first$doc
  order(!again, !same_query, at_random(held$query), at_random(held$query, held$doc))
}

# Heading and text of the screen when there is nothing to judge, and whether that is the end.
gains_finished <- function(status, assessor, held = TRUE) {
  mine <- status$assessors[status$assessors$assessor == assessor, , drop = FALSE]
  thanks <- paste0("You judged ", counted(sum(mine$judged), "document"), ". Everything is saved. Thank you: you can ",
                   "close this page.")
  if (isTRUE(status$goal$reached)) {
    why <- why_stopped(status$goal, status$confidence)
    return(list(upper_first(why), paste0("Judging has ended: ", why, " (", goal_text(status$goal), "). ", thanks),
                end = TRUE))
  }
  if (isTRUE(status$open == 0)) {
    return(list("Everything is judged", paste("Judging has ended: no document is left.", thanks), end = TRUE))
  }
  why <- if (held) "Other assessors are judging the remaining documents." else "No document is waiting for you."
  list("Nothing to judge just now", paste(why, "This page looks again every few seconds; you need not do anything."))
}

is_held_by_others <- function(s, assessor) {
  slots <- store_rows(s$env$store, "slot", list(state = "leased"))
  any(slots$assessor != assessor & slots$lease_until >= store_now(s$env$store))
}

# Judgments and skips that were not undone, latest first, with `id`, which is that of the task.
gains_history <- function(s, assessor) {
  store <- s$env$store
  slots <- store_rows(store, "slot", list(assessor = assessor, state = c("judged", "skipped")))
  slots <- pick_rows(slots, slots$copy > 0)
  events <- judgments_of_gold(store_rows(store, "event", list(id = sort(slots$event, decreasing = TRUE))))
  events <- events[order(events$id, decreasing = TRUE), ]
  notes <- notes_of(s, assessor)
  note <- match(text_key(events$query, events$doc), text_key(notes$query, notes$doc))
  events$comment <- notes$comment[note]
  events$flag <- notes$flag[note] %in% TRUE
  events$task <- gains_task_id(rep(assessor, nrow(events)), events$query, events$doc)
  events
}
