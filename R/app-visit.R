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
