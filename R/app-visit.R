# What the server keeps for one browser, its visit, and how the screen of that browser changes.

# One browser: who is logged in, and what is on the screen. `state`: what outputs depend on. `who`, `lead` and `view`
# are copies of its fields, because reading a reactive value takes long; `become()` changes both. `task`, `items` and
# `shown`: what is being judged, its content as it was drawn, and since when; `turn`: the number of the screen, which is
# that in `state` when Shiny draws it; `token`: the hash of the entered token; `connection` and `address`: those of
# the browser; `attempts`: the wrong tokens of all browsers; `looked`: when the token was checked last; `kept` and
# `said`: the task that was answered and the text to announce, until the browser is told.
new_visit <- function(s, spec, mode, session) {
  state <- shiny::reactiveValues(who = NULL, lead = FALSE, view = "judge", turn = 0, news = 0, pictures = NULL)
  desk <- list2env(list(s = s, spec = spec, mode = mode, session = session, state = state, lead = FALSE,
                        drawing = FALSE, view = "judge", turn = 0, looked = page_time()), parent = emptyenv())
  # A message is announced after the screen to which it belongs.
  desk$say <- function(text, urgent = FALSE) {
    tell <- function() desk$session$sendCustomMessage("judicious-say", list(text = text, urgent = urgent))
    if (desk$drawing) desk$session$onFlushed(tell) else tell()
  }
  desk$become <- function(who = desk$who, lead = desk$lead, view = desk$view) {
    state$who <- desk$who <- who
    if (!is.null(desk$connection)) desk$connection$who <- who
    state$lead <- desk$lead <- lead
    state$view <- desk$view <- view
  }
  desk$advance <- function(first = NULL) put_task(desk, in_words(mode_next(mode, desk$who, first), desk$say))
  desk
}

# From one task to the next, only its texts are sent. Shiny draws other screens, and changes from and to them.
put_task <- function(desk, task) {
  before <- desk$task
  if (!identical(task$id, desk$task$id)) desk$shown <- Sys.time()
  if (!is.null(task)) task$note <- in_words(mode_noted(desk$mode, desk$who, task, desk$last_note), desk$say)
  desk$task <- task
  desk$turn <- desk$turn + 1
  again <- !is.null(task) && identical(desk$task, before)
  if (!again) desk$items <- if (!is.null(task)) draw_items(desk$task, desk$spec)
  # Whether the browser shows a task, and is to show another.
  next_task <- !is.null(before) && !is.null(desk$task) && !desk$drawing
  if (again || (next_task && send_task(desk))) return(in_words(catch_up(desk), desk$say))
  tell_kept(desk)
  draw_screen(desk)
  tell_said(desk)
  desk$session$onFlushed(function() in_words(catch_up(desk), desk$say))
}

# Has Shiny draw the screen.
draw_screen <- function(desk) {
  desk$turn <- desk$turn + 1
  desk$state$turn <- desk$turn
  desk$drawing <- TRUE
  desk$session$onFlushed(function() desk$drawing <- FALSE)
}

# A lead who opens the lead's view releases leased documents, so that others can judge them.
turn_to <- function(desk, view) {
  if (identical(view, desk$view)) return()
  if (view == "lead") {
    in_words(mode_release(desk$mode, desk$who), desk$say)
    desk$task <- NULL
  }
  desk$become(view = view)
  if (view == "judge") return(desk$advance())
  open_lead(desk)
  show_panel(desk)
  draw_screen(desk)
}

# Most people are no leads, and outputs take time to set up.
open_lead <- function(desk) {
  if (is.null(desk$has_lead)) desk$show_lead()
  desk$has_lead <- TRUE
}

page_time <- function() as.numeric(Sys.time())

# What can wait until the screen is out: after each answer, the next documents are reserved and sent ahead, and the
# figures are brought up to date.
catch_up <- function(desk) {
  if (is.null(desk$who) || desk$view == "lead") return()
  if (!identical(desk$caught_up, desk$turn) && !is.null(desk$task)) {
    desk$caught_up <- desk$turn
    media <- unlist(lapply(mode_reserve(desk$mode, desk$who, desk$task), function(task) {
      media_in(draw_items(task, desk$spec, ahead = TRUE))
    }))
    if (length(media)) desk$session$sendCustomMessage("judicious-ahead", list(media = media))
  }
  show_panel(desk, known_status(desk))
  expect_again(desk$mode)
  show_panel(desk, desk$mode$status$get())
  if (!is.null(desk$spec$background)) desk$state$news <- shiny::isolate(desk$state$news) + 1
}

# Sends a task to a browser that shows one; returns FALSE where its screen is not the usual one. All that the browser
# has to be told of an answer is in the same message, because every message takes time.
send_task <- function(desk) {
  task <- desk$task
  if (!is_usual(task, desk$items)) return(FALSE)
  session <- desk$session
  if (is.null(desk$has_form)) session$sendCustomMessage("judicious-form", desk$spec$drawn$screen)
  desk$has_form <- TRUE
  session$sendCustomMessage("judicious-task", c(
    list(id = task$id, texts = task_texts(task, desk$items)), as.list(c(kept = desk$kept, said = desk$said)),
    new_panel(desk, known_status(desk))
  ))
  desk$kept <- desk$said <- NULL
  TRUE
}

# Acknowledges an answer before the next document is there.
tell_kept <- function(desk) {
  if (!is.null(desk$kept)) desk$session$sendCustomMessage("judicious-kept", list(task = desk$kept))
  desk$kept <- NULL
}

tell_said <- function(desk) {
  if (!is.null(desk$said)) desk$say(desk$said)
  desk$said <- NULL
}

# Shows the figures beside the screen of an assessor; nothing if `status` is NULL. They are no output of Shiny, which
# would take longer for them than for the screen.
show_panel <- function(desk, status = NULL) {
  panel <- new_panel(desk, status)
  if (!is.null(panel$figures)) desk$session$sendCustomMessage("judicious-figures", list(html = panel$figures))
}

# A list with the panel as `figures`, if it has changed.
new_panel <- function(desk, status) {
  if (!is.null(status) && identical(status, desk$status)) return()
  desk$status <- status
  panel <- if (is.null(status)) "" else as.character(mode_panel(desk$mode, status, desk$who))
  if (identical(panel, desk$panel)) return()
  desk$panel <- panel
  list(figures = panel)
}

known_status <- function(desk) desk$mode$status$known() %||% desk$mode$status$get()

# Shows errors of the package on the page; other errors only go to the log. Returns NULL after an error.
in_words <- function(code, say) {
  tryCatch(code, judicious_error = function(cnd) {
    say(cli::ansi_strip(rlang::cnd_message(cnd)), urgent = TRUE)
    NULL
  }, error = function(cnd) {
    warn_judicious("The judging page: {conditionMessage(cnd)}", "app")
    say("Something went wrong, and nothing was saved. Try again.", urgent = TRUE)
    NULL
  })
}

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
