# Checks whether the person who is logged in may still act, and carries out an action in his or her name.

# An action that does not belong to the task on the screen is ignored.
act_on <- function(desk, action) {
  mode <- desk$mode
  spec <- desk$spec
  say <- desk$say
  assessor <- desk$who
  kind <- text_of_input(action$kind, 20) %||% ""
  task <- desk$task
  if (kind %in% c("answer", "skip", "note") && (is.null(task) || !identical(action$task, task$id))) return(say(""))
  if (kind %in% names(looking)) return(in_words(looking[[kind]](desk, assessor, action), say))
  carried_out <- in_words(say = say, {
    said <- switch(kind,
      answer = {
        seconds <- round(as.numeric(difftime(Sys.time(), desk$shown, units = "secs")), 1)
        said <- mode_answer(mode, assessor, task, action$value %||% action, seconds)
        desk$kept <- task$id
        # Selecting the next document may take a while.
        if (!assessor %in% mode$ready) tell_kept(desk)
        said
      },
      skip = {
        mode_skip(mode, assessor, task, skip_reason(action, spec))
        "Skipped."
      },
      undo = {
        undone <- mode_undo(mode, assessor)
        paste0("Taken back: ", undone$was$text, ".")
      },
      note = keep_note(desk, assessor, action),
      background = keep_background(action, desk$s, assessor, spec),
      return(say(""))
    )
    spec$log(kind, desk$address, assessor = assessor)
    touch_status(mode)
    desk$said <- said
    if (kind != "note") desk$advance(if (kind == "undo") undone)
    TRUE
  })
  # Unless the next task was sent with it.
  tell_said(desk)
  # The task may have been assigned to another assessor in the meantime.
  if (is.null(carried_out)) desk$advance()
}

# Actions that change no judgment: open the list of the assessor's own judgments, show one of them again, return to the
# current task, and try again to show a document.
looking <- list(
  history = function(desk, assessor, action) {
    desk$session$sendCustomMessage("judicious-history", list(html = as.character(history_list(desk$mode, assessor))))
  },
  revise = function(desk, assessor, action) {
    task <- past_task(desk$mode, assessor, text_of_input(action$value, 5000) %||% "")
    if (is.null(task)) abort_judicious("This is no longer among your judgments.", "argument")
    put_task(desk, task)
    desk$say("Change your answer, or keep it as it is.")
  },
  keep = function(desk, assessor, action) {
    desk$advance()
    desk$say("Nothing was changed.")
  },
  again = function(desk, assessor, action) {
    if (!is.null(desk$task)) put_task(desk, utils::modifyList(desk$task, list(attempt = sum(desk$task$attempt, 1))))
  }
)

# The dialog of the next screen shows the stored note; that of the current screen keeps the typed text.
keep_note <- function(desk, assessor, action) {
  text <- text_of_input(action$text) %||% abort_judicious("The comment must have at most 500 characters.", "argument")
  mode_note(desk$mode, assessor, desk$task, text, identical(action$flag, "on"))
  desk$session$sendCustomMessage("judicious-noted", list(noted = nzchar(text) || identical(action$flag, "on")))
  "Noted."
}

skip_reason <- function(action, spec) {
  text <- text_of_input(action$text) %||% abort_judicious("The reason must have at most 500 characters.", "argument")
  choice <- suppressWarnings(as.integer(text_of_input(action$choice, 5) %||% NA))
  chosen <- if (isTRUE(choice %in% seq_along(spec$reasons))) spec$reasons[choice]
  paste(c(chosen, if (nzchar(text)) text), collapse = ": ")
}

keep_background <- function(action, s, assessor, spec) {
  text <- text_of_input(action$text) %||% abort_judicious("Please use at most 500 characters.", "argument")
  if (is.null(spec$background)) return("")
  record_answer(s, "background", assessor, text)
  "Thank you."
}

background_of <- function(s, assessor) {
  store_rows(s$env$store, "answer", list(task = "background", assessor = assessor))
}

# Whether the person who is logged in may act. Tokens can expire, be revoked or replaced, and roles can change, so this
# is checked for every action; a person who has lost the right is logged out. Changes of the session by others are
# adopted at the same time.
may_act <- function(desk) {
  who <- desk$who
  if (is.null(who)) return(FALSE)
  now <- in_words(look_up(desk, who), desk$say)
  # If the store cannot be reached, nothing is done, and nobody is logged out.
  if (is.null(now)) return(FALSE)
  if (!desk$spec$tokens) return(TRUE)
  lead <- identical(now$role, "lead")
  why <- why_not(desk, now, lead)
  if (is.null(why)) {
    if (lead != desk$lead) desk$become(lead = lead)
    if (!lead && desk$view == "lead") turn_to(desk, "judge")
  } else {
    leave(desk, why)
  }
  is.null(why)
}

look_up <- function(desk, who) {
  e <- desk$s$env
  now <- store_visit(e$store, who)
  follow_edition(e, now$edition)
  follow_control(e, now$control)
  desk$last_note <- now$note
  desk$looked <- page_time()
  now
}

# The reason why the assessor of a row of the store may not act on this page, or NULL.
why_not <- function(desk, row, lead) {
  if (!identical(row$token, desk$token) || !is_admitted(row, store_now(desk$s$env$store))) {
    "Your token is no longer valid. Ask the person who leads the judging for a new one."
  } else if (desk$spec$lead_only && !lead) {
    "This page is for the lead."
  }
}

may_lead <- function(desk) may_act(desk) && desk$lead

leave <- function(desk, why) {
  desk$spec$log("sent_away", desk$address, assessor = desk$who)
  desk$token <- desk$task <- desk$items <- NULL
  desk$become(NULL, FALSE, "judge")
  draw_screen(desk)
  show_panel(desk)
  desk$say(why, urgent = TRUE)
}
