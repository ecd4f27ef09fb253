# Checks an action on the page and carries it out in the name of the assessor who is logged in.

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
        said <- mode_answer(mode, assessor, task, action$value, seconds)
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
