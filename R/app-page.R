# The page: what a mode of judging does for it, and the state of one browser's page.

# Modes of judging on the page: grades of documents or right answers to questions (R/app-gains.R), and preferences
# between two documents (R/app-preferences.R). A mode is an environment that all browsers of a process share, with
# methods of the functions below, each of which acts for one assessor. Callers call apply_changes() first.

# `s` and `spec`: the session, and the configuration of the page. `status`: a cached_value() of the figures of the
# session. `tended`, also cached: whether another process computes these. `expected`, also cached: the number of further
# judgments. `shown`: the task on the screen of each assessor.
new_mode <- function(s, spec) {
  of_gains <- is.null(spec$preferences)
  state <- list(s = s, spec = spec, shown = list())
  class <- if (!of_gains) "judicious_preference_mode" else
    c(if (identical(spec$form$kind, "gold")) "judicious_gold_mode", "judicious_gains_mode")
  mode <- structure(list2env(state, parent = emptyenv()), class = class)
  mode$tended <- cached_value(function() of_gains && is_estimated_elsewhere(s$engine), oldest = 1)
  # If whole questions are judged, the number of further judgments is not computed, because it counts answers, not
  # questions.
  mode$expected <- cached_value(function() if (identical(class, "judicious_gains_mode")) further_judgments(s$engine))
  mode$status <- mode_figures(mode)
  mode
}

# Returns a cached_value() of the figures of the session.
mode_figures <- function(mode) UseMethod("mode_figures")

# The next task to show, or NULL. `first`: the task to show first if possible, such as one whose answer was undone.
mode_next <- function(mode, assessor, first = NULL) {
  task <- if (!mode$s$engine$control$paused) choose_task(mode, assessor, first)
  if (!is.null(task) && identical(first$id, task$id)) task$was <- first$was
  task
}

# Selects a task for an assessor: a list with `id`, `query` and `doc`, or `doc_a` and `doc_b`; NULL if there is none.
choose_task <- function(mode, assessor, first) UseMethod("choose_task")

# Saves an answer, and returns the message to announce.
mode_answer <- function(mode, assessor, task, value, seconds) UseMethod("mode_answer")

mode_skip <- function(mode, assessor, task, reason) UseMethod("mode_skip")

# Undoes the last answer; returns its task, with the answer as `was`, for mode_next().
mode_undo <- function(mode, assessor) UseMethod("mode_undo")

# The answers that were not undone, latest first: a data frame of tasks with `task`, their id; `was`, by past_answer();
# and `time`, `comment` and `flag`.
mode_past <- function(mode, assessor) UseMethod("mode_past")

# mode_note() saves a comment and a flag on a task; mode_noted() returns the saved ones.
mode_note <- function(mode, assessor, task, comment, flag) UseMethod("mode_note")
mode_noted <- function(mode, assessor, task) UseMethod("mode_noted")

# Ends the assessor's leases, so that others can have the documents.
mode_release <- function(mode, assessor) UseMethod("mode_release")

# Returns the tasks that the assessor will probably get next, without the current task, so that the page can load their
# contents. A mode may reserve them for the assessor.
mode_reserve <- function(mode, assessor, task) UseMethod("mode_reserve")

# mode_panel() returns the panel beside the screen; mode_finished() the content of a screen without a task: heading,
# text, and whether judging is at its `end`.
mode_panel <- function(mode, status, assessor) UseMethod("mode_panel")
mode_finished <- function(mode, status, assessor) UseMethod("mode_finished")

# Makes the figures outdated, so that they are computed again, unless another process computes them.
outdate_status <- function(mode) if (!mode$tended$get()) mode$status$touch()

# Computes the number of further judgments again. This takes longest, so it is done after the screen has been sent.
update_expected <- function(mode) {
  if (mode$tended$get()) return(invisible())
  mode$expected$touch()
  mode$expected$get()
}

# Describes an earlier answer for the page: a `text`, and the `value` of its button. `grade` is NA if the task was
# skipped.
past_answer <- function(form, grade, reason) {
  if (is.na(grade)) return(list(text = paste(c("Skipped", if (!reason %in% c("", NA)) reason), collapse = ": ")))
  list(text = grade_name(form, grade), value = if (is.numeric(grade)) format_level(grade) else grade)
}

# The task of an earlier answer that the assessor wants to change; NULL if the assessor has no such answer.
past_task <- function(mode, assessor, id) {
  past <- mode_past(mode, assessor)
  i <- match(id, past$task)
  if (is.na(i)) return(NULL)
  fields <- intersect(c("query", names(item_labels)), names(past))
  c(list(id = id), as.list(past[i, fields]), past = TRUE, was = past$was[i])
}

# The list of an assessor's last answers, at most `max_answers`; each can be opened to change it.
history_list <- function(mode, assessor, max_answers = 200) {
  past <- mode_past(mode, assessor)
  n_answers <- nrow(past)
  if (!n_answers) return(tags$p("You have not judged anything yet."))
  content <- mode$spec$content
  rows <- lapply(seq_len(min(max_answers, n_answers)), function(i) {
    name <- function(doc) item_name(content, past$query[i], doc)
    docs <- if (mode$spec$form$kind != "gold") vapply(past[i, intersect(names(item_labels), names(past))], name, "")
    item_title <- paste(c(name(NULL), if (length(docs)) paste(docs, collapse = " / ")), collapse = " \u2192 ")
    note <- paste0(if (past$flag[i]) "\u2691 ", stats::na.omit(past$comment[i]))
    tags$li(tags$span(class = "past-what", item_title),
            tags$span(class = "past-answer", past$was[[i]]$text,
                      tags$time(datetime = utc_text(as.numeric(past$time[i])), class = "past-time")),
            if (any(nzchar(note))) tags$span(class = "past-note", note),
            tags$button(type = "button", class = "tool", `data-action` = "revise", `data-value` = past$task[i],
                        "Change", tags$span(class = "visually-hidden", item_title)))
  })
  htmltools::tagList(
    if (n_answers > max_answers) tags$p(class = "help", paste("The last", max_answers, "of", format_count(n_answers))),
    tags$ol(class = "past", rows))
}

# A page is the state that the server keeps for one browser: who is logged in and what is on the screen. The functions
# in this file change the screen.

# The fields of a page. `reactive`: values on which outputs depend. `who`, `lead` and `view` are copies of its fields,
# because reading a reactive value is slow; `become()` changes both. `task`, `items` and `shown`: the task on the
# screen, its content as it was drawn, and since when it is shown. `screen_no`: the number of the screen, which is
# copied to `reactive` when Shiny has to draw it. `token`: the hash of the entered token. `connection` and `address`:
# those of the browser. `attempts`: the wrong tokens of all browsers. `looked`: when the token was checked last.
new_page <- function(s, spec, mode, session) {
  reactive <- shiny::reactiveValues(who = NULL, lead = FALSE, view = "judge", screen_no = 0, news = 0, pictures = NULL)
  page <- list2env(list(s = s, spec = spec, mode = mode, session = session, reactive = reactive, lead = FALSE,
                        drawing = FALSE, view = "judge", screen_no = 0, looked = page_time()), parent = emptyenv())
  # Sends a text that screen readers announce. While the screen is being drawn, the text waits until the screen has been
  # sent.
  page$say <- function(text, urgent = FALSE) {
    tell <- function() page$session$sendCustomMessage("judicious-say", list(text = text, urgent = urgent))
    if (page$drawing) page$session$onFlushed(tell) else tell()
  }
  page$become <- function(who = page$who, lead = page$lead, view = page$view) {
    reactive$who <- page$who <- who
    if (!is.null(page$connection)) page$connection$who <- who
    reactive$lead <- page$lead <- lead
    reactive$view <- page$view <- view
  }
  page$advance <- function(first = NULL, announcement = NULL) {
    show_task(page, show_errors(mode_next(mode, page$who, first), page$say), announcement)
  }
  page
}

# Shows a task. If the browser already shows a task, the next screen is sent as a message, which takes less time;
# otherwise, Shiny draws the screen. `announcement`: a text to announce after that.
show_task <- function(page, task, announcement = NULL) {
  before <- page$task
  if (!identical(task$id, page$task$id)) page$shown <- Sys.time()
  if (!is.null(task)) task$note <- show_errors(mode_noted(page$mode, page$who, task), page$say)
  page$task <- task
  page$screen_no <- page$screen_no + 1
  is_same <- !is.null(task) && identical(page$task, before)
  if (!is_same) page$items <- if (!is.null(task)) draw_items(page$task, page$spec)
  # Whether the browser shows a task now, is not about to draw the screen again, and has to show another task next.
  next_task <- !is.null(before) && !is.null(page$task) && !page$drawing
  is_shown <- is_same || (next_task && send_task(page))
  if (!is_shown) draw_screen(page)
  if (!is.null(announcement)) page$say(announcement)
  finish <- function() show_errors(finish_screen(page), page$say)
  if (is_shown) finish() else page$session$onFlushed(finish)
}

# Makes Shiny draw the screen.
draw_screen <- function(page) {
  page$screen_no <- page$screen_no + 1
  page$reactive$screen_no <- page$screen_no
  page$drawing <- TRUE
  page$session$onFlushed(function() page$drawing <- FALSE)
}

# Switches between judging and the lead's page. A lead who opens the lead's page gives up leased documents, so that
# others can judge them.
switch_view <- function(page, view) {
  if (identical(view, page$view)) return()
  if (view == "lead") {
    show_errors(mode_release(page$mode, page$who), page$say)
    page$task <- NULL
  }
  page$become(view = view)
  if (view == "judge") return(page$advance())
  open_lead(page)
  show_panel(page)
  draw_screen(page)
}

# Sets up the outputs of the lead's page when a lead first opens it, because most people never do.
open_lead <- function(page) {
  if (is.null(page$has_lead)) page$show_lead()
  page$has_lead <- TRUE
}

page_time <- function() as.numeric(Sys.time())

# The work that is done after the screen has been sent: reserving the next documents and sending their media ahead, and
# updating the figures.
finish_screen <- function(page) {
  if (is.null(page$who) || page$view == "lead") return()
  show_panel(page, known_status(page))
  if (!identical(page$caught_up, page$screen_no) && !is.null(page$task)) {
    page$caught_up <- page$screen_no
    media <- unlist(lapply(mode_reserve(page$mode, page$who, page$task), function(task) {
      media_tags(draw_items(task, page$spec, ahead = TRUE))
    }))
    if (length(media)) page$session$sendCustomMessage("judicious-ahead", list(media = media))
  }
  update_expected(page$mode)
  show_panel(page, page$mode$status$get())
  if (!is.null(page$spec$background)) page$reactive$news <- shiny::isolate(page$reactive$news) + 1
}

# Sends the screen of a task to a browser that shows one already. Returns FALSE if only Shiny can show it, because its
# contents have dependencies, such as scripts.
send_task <- function(page) {
  if (!all(vapply(page$items, inherits, NA, "html"))) return(FALSE)
  screen <- as.character(task_screen(page$task, page$items, page$spec))
  page$session$sendCustomMessage("judicious-task", list(html = screen))
  TRUE
}

# Shows the figures beside an assessor's screen, if they have changed; removes them if `status` is NULL. They are not an
# output of Shiny, which would take longer than the screen itself.
show_panel <- function(page, status = NULL) {
  if (!is.null(status) && identical(status, page$status)) return()
  page$status <- status
  html <- if (is.null(status)) "" else as.character(mode_panel(page$mode, status, page$who))
  page$session$sendCustomMessage("judicious-figures", list(html = html))
}

known_status <- function(page) page$mode$status$last() %||% page$mode$status$get()

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
perform_action <- function(page, action) {
  mode <- page$mode
  spec <- page$spec
  say <- page$say
  assessor <- page$who
  kind <- text_of_input(action$kind, 20) %||% ""
  task <- page$task
  if (kind %in% c("answer", "skip", "note") && (is.null(task) || !identical(action$task, task$id))) return(say(""))
  if (kind %in% names(navigation)) return(show_errors(navigation[[kind]](page, assessor, action), say))
  carried_out <- show_errors(say = say, {
    announcement <- switch(kind,
      answer = {
        seconds <- round(as.numeric(difftime(Sys.time(), page$shown, units = "secs")), 1)
        announcement <- mode_answer(mode, assessor, task, action$value %||% action, seconds)
        # Selecting the next document may take a while, so the answer is acknowledged before.
        page$session$sendCustomMessage("judicious-kept", list(task = task$id))
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
      note = save_note(page, assessor, action),
      background = save_background(action, page$s, assessor, spec),
      return(say(""))
    )
    spec$log(kind, page$address, assessor = assessor)
    outdate_status(mode)
    if (kind == "note") say(announcement) else page$advance(if (kind == "undo") undone, announcement)
    TRUE
  })
  # After an error, shows another task, because this one may have been assigned to another assessor in the meantime.
  if (is.null(carried_out)) page$advance()
}

receive_action <- function(page, action) {
  if (!page$spec$lead_only && is.list(action) && may_act(page)) perform_action(page, action)
}

# Actions that change no judgment: opening the list of the assessor's own judgments, showing one of them, returning to
# the current task, and trying again to show a document.
navigation <- list(
  history = function(page, assessor, action) {
    page$session$sendCustomMessage("judicious-history", list(html = as.character(history_list(page$mode, assessor))))
  },
  revise = function(page, assessor, action) {
    task <- past_task(page$mode, assessor, text_of_input(action$value, 5000) %||% "")
    if (is.null(task)) abort_judicious("This is no longer among your judgments.", "argument")
    show_task(page, task, "Change your answer, or keep it as it is.")
  },
  keep = function(page, assessor, action) {
    page$advance(announcement = "Nothing was changed.")
  },
  again = function(page, assessor, action) {
    if (!is.null(page$task)) show_task(page, utils::modifyList(page$task, list(attempt = sum(page$task$attempt, 1))))
  }
)

# Saves a comment and a flag. The current screen is not drawn again, so its dialog keeps the typed text; the next screen
# shows the stored note.
save_note <- function(page, assessor, action) {
  text <- text_of_input(action$text) %||% abort_judicious("The comment must have at most 500 characters.", "argument")
  mode_note(page$mode, assessor, page$task, text, identical(action$flag, "on"))
  page$session$sendCustomMessage("judicious-noted", list(noted = nzchar(text) || identical(action$flag, "on")))
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
may_act <- function(page) {
  assessor <- page$who
  if (is.null(assessor)) return(FALSE)
  stored <- show_errors(apply_changes(page, assessor), page$say)
  # If the store cannot be reached, no action is performed, and nobody is logged out.
  if (is.null(stored)) return(FALSE)
  if (!page$spec$tokens) return(TRUE)
  lead <- identical(stored$role, "lead")
  why <- refusal_reason(page, stored, lead)
  if (!is.null(why)) {
    log_out(page, why)
    return(FALSE)
  }
  if (lead != page$lead) page$become(lead = lead)
  if (!lead && page$view == "lead") switch_view(page, "judge")
  TRUE
}

# Applies the changes that others have made to the session; returns the row of the assessor in the store.
apply_changes <- function(page, assessor) {
  follow_session(page$s$engine)
  page$looked <- page_time()
  store_rows(page$s$engine$store, "assessor", list(assessor = assessor))
}

# The reason why an assessor may not act on this page, or NULL. `row`: the assessor's row in the store.
refusal_reason <- function(page, row, lead) {
  if (!identical(row$token, page$token) || !is_admitted(row, store_now(page$s$engine$store)))
    return("Your token is no longer valid. Ask the person who leads the judging for a new one.")
  if (page$spec$lead_only && !lead) "This page is for the lead."
}

may_lead <- function(page) may_act(page) && page$lead

log_out <- function(page, why) {
  page$spec$log("sent_away", page$address, assessor = page$who)
  page$token <- page$task <- page$items <- NULL
  page$become(NULL, FALSE, "judge")
  draw_screen(page)
  show_panel(page)
  page$say(why, urgent = TRUE)
}
