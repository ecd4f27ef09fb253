# A visit is the state that the server keeps for one browser: who is logged in and what is on the screen. The functions
# in this file change the screen.

# The fields of a visit. `state`: reactive values on which outputs depend. `who`, `lead` and `view` are copies of its
# fields, because reading a reactive value is slow; `become()` changes both. `task`, `items` and `shown`: the task on
# the screen, its content as it was drawn, and since when it is shown. `screen_no`: the number of the screen, which is
# copied to `state` when Shiny has to draw it. `token`: the hash of the entered token. `connection` and `address`: those
# of the browser. `attempts`: the wrong tokens of all browsers. `looked`: when the token was checked last. `kept` and
# `announcement`: the task that was answered and the text to announce, until they are sent to the browser.
new_visit <- function(s, spec, mode, session) {
  state <- shiny::reactiveValues(who = NULL, lead = FALSE, view = "judge", screen_no = 0, news = 0, pictures = NULL)
  visit <- list2env(list(s = s, spec = spec, mode = mode, session = session, state = state, lead = FALSE,
                         drawing = FALSE, view = "judge", screen_no = 0, looked = page_time()), parent = emptyenv())
  # Sends a text that screen readers announce. While the screen is being drawn, the text waits until the screen has been
  # sent.
  visit$say <- function(text, urgent = FALSE) {
    tell <- function() visit$session$sendCustomMessage("judicious-say", list(text = text, urgent = urgent))
    if (visit$drawing) visit$session$onFlushed(tell) else tell()
  }
  visit$become <- function(who = visit$who, lead = visit$lead, view = visit$view) {
    state$who <- visit$who <- who
    if (!is.null(visit$connection)) visit$connection$who <- who
    state$lead <- visit$lead <- lead
    state$view <- visit$view <- view
  }
  visit$advance <- function(first = NULL) set_task(visit, show_errors(mode_next(mode, visit$who, first), visit$say))
  visit
}

# Shows a task. If the browser already shows a task, only the texts of the next one are sent; otherwise, Shiny draws the
# screen.
set_task <- function(visit, task) {
  before <- visit$task
  if (!identical(task$id, visit$task$id)) visit$shown <- Sys.time()
  if (!is.null(task)) task$note <- show_errors(mode_noted(visit$mode, visit$who, task, visit$last_note), visit$say)
  visit$task <- task
  visit$screen_no <- visit$screen_no + 1
  is_same <- !is.null(task) && identical(visit$task, before)
  if (!is_same) visit$items <- if (!is.null(task)) draw_items(visit$task, visit$spec)
  # Whether the browser shows a task now, is not about to draw the screen again, and has to show another task next.
  next_task <- !is.null(before) && !is.null(visit$task) && !visit$drawing
  if (is_same || (next_task && send_task(visit))) return(show_errors(finish_screen(visit), visit$say))
  acknowledge(visit)
  draw_screen(visit)
  announce(visit)
  visit$session$onFlushed(function() show_errors(finish_screen(visit), visit$say))
}

# Makes Shiny draw the screen.
draw_screen <- function(visit) {
  visit$screen_no <- visit$screen_no + 1
  visit$state$screen_no <- visit$screen_no
  visit$drawing <- TRUE
  visit$session$onFlushed(function() visit$drawing <- FALSE)
}

# Switches between judging and the lead's page. A lead who opens the lead's page gives up leased documents, so that
# others can judge them.
switch_view <- function(visit, view) {
  if (identical(view, visit$view)) return()
  if (view == "lead") {
    show_errors(mode_release(visit$mode, visit$who), visit$say)
    visit$task <- NULL
  }
  visit$become(view = view)
  if (view == "judge") return(visit$advance())
  open_lead(visit)
  show_panel(visit)
  draw_screen(visit)
}

# Sets up the outputs of the lead's page when a lead first opens it, because most people never do.
open_lead <- function(visit) {
  if (is.null(visit$has_lead)) visit$show_lead()
  visit$has_lead <- TRUE
}

page_time <- function() as.numeric(Sys.time())

# The work that is done after the screen has been sent: reserving the next documents and sending their media ahead, and
# updating the figures.
finish_screen <- function(visit) {
  if (is.null(visit$who) || visit$view == "lead") return()
  if (!identical(visit$caught_up, visit$screen_no) && !is.null(visit$task)) {
    visit$caught_up <- visit$screen_no
    media <- unlist(lapply(mode_reserve(visit$mode, visit$who, visit$task), function(task) {
      media_tags(draw_items(task, visit$spec, ahead = TRUE))
    }))
    if (length(media)) visit$session$sendCustomMessage("judicious-ahead", list(media = media))
  }
  show_panel(visit, known_status(visit))
  update_expected(visit$mode)
  show_panel(visit, visit$mode$status$get())
  if (!is.null(visit$spec$background)) visit$state$news <- shiny::isolate(visit$state$news) + 1
}

# Sends a task to a browser that shows one already. Returns FALSE if the task needs another screen. The same message
# acknowledges the last answer, because every message takes time.
send_task <- function(visit) {
  task <- visit$task
  if (!has_usual_form(task, visit$items)) return(FALSE)
  session <- visit$session
  if (is.null(visit$has_form)) session$sendCustomMessage("judicious-form", visit$spec$drawn$screen)
  visit$has_form <- TRUE
  session$sendCustomMessage("judicious-task", c(
    list(id = task$id, texts = task_texts(task, visit$items)), as.list(c(kept = visit$kept, said = visit$announcement)),
    new_panel(visit, known_status(visit))
  ))
  visit$kept <- visit$announcement <- NULL
  TRUE
}

# Acknowledges an answer before the next document is selected.
acknowledge <- function(visit) {
  if (!is.null(visit$kept)) visit$session$sendCustomMessage("judicious-kept", list(task = visit$kept))
  visit$kept <- NULL
}

announce <- function(visit) {
  if (!is.null(visit$announcement)) visit$say(visit$announcement)
  visit$announcement <- NULL
}

# Shows the figures beside an assessor's screen; removes them if `status` is NULL. They are not an output of Shiny,
# which would take longer than the screen itself.
show_panel <- function(visit, status = NULL) {
  panel <- new_panel(visit, status)
  if (!is.null(panel$figures)) visit$session$sendCustomMessage("judicious-figures", list(html = panel$figures))
}

# A list with the panel as `figures`; NULL if the panel has not changed.
new_panel <- function(visit, status) {
  if (!is.null(status) && identical(status, visit$status)) return()
  visit$status <- status
  panel <- if (is.null(status)) "" else as.character(mode_panel(visit$mode, status, visit$who))
  if (identical(panel, visit$panel)) return()
  visit$panel <- panel
  list(figures = panel)
}

known_status <- function(visit) visit$mode$status$known() %||% visit$mode$status$get()

# Shows errors of the package on the page. Of other errors, the page says only that something went wrong, and a warning
# in R states the reason. Returns NULL after an error.
show_errors <- function(code, say) {
  tryCatch(code, judicious_error = function(cnd) {
    say(cli::ansi_strip(rlang::cnd_message(cnd)), urgent = TRUE)
    NULL
  }, error = function(cnd) {
    warn_judicious("The judging page: {conditionMessage(cnd)}", "app")
    say("Something went wrong, and nothing was saved. Try again.", urgent = TRUE)
    NULL
  })
}

# The actions of the person who is logged in, and checks whether that person may still act.

# Performs an action. An answer, a skip or a note for another task than that on the screen is ignored.
perform_action <- function(visit, action) {
  mode <- visit$mode
  spec <- visit$spec
  say <- visit$say
  assessor <- visit$who
  kind <- text_of_input(action$kind, 20) %||% ""
  task <- visit$task
  if (kind %in% c("answer", "skip", "note") && (is.null(task) || !identical(action$task, task$id))) return(say(""))
  if (kind %in% names(navigation)) return(show_errors(navigation[[kind]](visit, assessor, action), say))
  carried_out <- show_errors(say = say, {
    announcement <- switch(kind,
      answer = {
        seconds <- round(as.numeric(difftime(Sys.time(), visit$shown, units = "secs")), 1)
        announcement <- mode_answer(mode, assessor, task, action$value %||% action, seconds)
        visit$kept <- task$id
        # Selecting the next document may take a while, so the answer is acknowledged before.
        if (!assessor %in% mode$ready) acknowledge(visit)
        announcement
      },
      skip = {
        mode_skip(mode, assessor, task, skip_reason(action, spec))
        "Skipped."
      },
      undo = {
        undone <- mode_undo(mode, assessor)
        paste0("Taken back: ", undone$was$text, ".")
      },
      note = save_note(visit, assessor, action),
      background = save_background(action, visit$s, assessor, spec),
      return(say(""))
    )
    spec$log(kind, visit$address, assessor = assessor)
    outdate_status(mode)
    visit$announcement <- announcement
    if (kind != "note") visit$advance(if (kind == "undo") undone)
    TRUE
  })
  # If send_task() has sent the announcement with the next task, this does nothing.
  announce(visit)
  # After an error, shows another task, because this one may have been assigned to another assessor in the meantime.
  if (is.null(carried_out)) visit$advance()
}

# Actions that change no judgment: opening the list of the assessor's own judgments, showing one of them, returning to
# the current task, and trying again to show a document.
navigation <- list(
  history = function(visit, assessor, action) {
    visit$session$sendCustomMessage("judicious-history", list(html = as.character(history_list(visit$mode, assessor))))
  },
  revise = function(visit, assessor, action) {
    task <- past_task(visit$mode, assessor, text_of_input(action$value, 5000) %||% "")
    if (is.null(task)) abort_judicious("This is no longer among your judgments.", "argument")
    set_task(visit, task)
    visit$say("Change your answer, or keep it as it is.")
  },
  keep = function(visit, assessor, action) {
    visit$advance()
    visit$say("Nothing was changed.")
  },
  again = function(visit, assessor, action) {
    if (!is.null(visit$task)) set_task(visit, utils::modifyList(visit$task, list(attempt = sum(visit$task$attempt, 1))))
  }
)

# Saves a comment and a flag. The current screen is not drawn again, so its dialog keeps the typed text; the next screen
# shows the stored note.
save_note <- function(visit, assessor, action) {
  text <- text_of_input(action$text) %||% abort_judicious("The comment must have at most 500 characters.", "argument")
  mode_note(visit$mode, assessor, visit$task, text, identical(action$flag, "on"))
  visit$session$sendCustomMessage("judicious-noted", list(noted = nzchar(text) || identical(action$flag, "on")))
  "Noted."
}

skip_reason <- function(action, spec) {
  text <- text_of_input(action$text) %||% abort_judicious("The reason must have at most 500 characters.", "argument")
  choice <- suppressWarnings(as.integer(text_of_input(action$choice, 5) %||% NA))
  chosen <- if (isTRUE(choice %in% seq_along(spec$reasons))) spec$reasons[choice]
  paste(c(chosen, if (nzchar(text)) text), collapse = ": ")
}

save_background <- function(action, s, assessor, spec) {
  text <- text_of_input(action$text) %||% abort_judicious("Please use at most 500 characters.", "argument")
  if (is.null(spec$background)) return("")
  record_answer(s, "background", assessor, text)
  "Thank you."
}

# Whether the person who is logged in may act. Tokens can expire, be revoked or replaced, and roles can change, so this
# is checked for every action; a person who may not act any more is logged out. The check also applies the changes that
# others have made to the session.
may_act <- function(visit) {
  assessor <- visit$who
  if (is.null(assessor)) return(FALSE)
  stored <- show_errors(apply_changes(visit, assessor), visit$say)
  # If the store cannot be reached, no action is performed, and nobody is logged out.
  if (is.null(stored)) return(FALSE)
  if (!visit$spec$tokens) return(TRUE)
  lead <- identical(stored$role, "lead")
  why <- refusal_reason(visit, stored, lead)
  if (!is.null(why)) {
    end_visit(visit, why)
    return(FALSE)
  }
  if (lead != visit$lead) visit$become(lead = lead)
  if (!lead && visit$view == "lead") switch_view(visit, "judge")
  TRUE
}

# Applies the changes that others have made to the session; returns the result of store_visit() for the assessor.
apply_changes <- function(visit, assessor) {
  engine <- visit$s$env
  stored <- store_visit(engine$store, assessor)
  follow_edition(engine, stored$edition)
  follow_control(engine, stored$control)
  visit$last_note <- stored$note
  visit$looked <- page_time()
  stored
}

# The reason why an assessor may not act on this page, or NULL. `row`: the assessor's row in the store.
refusal_reason <- function(visit, row, lead) {
  if (!identical(row$token, visit$token) || !is_admitted(row, store_now(visit$s$env$store)))
    return("Your token is no longer valid. Ask the person who leads the judging for a new one.")
  if (visit$spec$lead_only && !lead) "This page is for the lead."
}

may_lead <- function(visit) may_act(visit) && visit$lead

end_visit <- function(visit, why) {
  visit$spec$log("sent_away", visit$address, assessor = visit$who)
  visit$token <- visit$task <- visit$items <- NULL
  visit$become(NULL, FALSE, "judge")
  draw_screen(visit)
  show_panel(visit)
  visit$say(why, urgent = TRUE)
}
