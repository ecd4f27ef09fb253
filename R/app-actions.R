# Checks an action on the page and carries it out in the name of the assessor who is logged in.

# An action that does not belong to the task on the screen is ignored.
act_on <- function(desk, action) {
  mode <- desk$mode
  spec <- desk$spec
  say <- desk$say
  assessor <- shiny::isolate(desk$state$who)
  kind <- text_of_input(action$kind, 20) %||% ""
  task <- desk$task
  if (kind %in% c("answer", "skip") && (is.null(task) || !identical(action$task, task$id))) return(say(""))
  carried_out <- in_words(say = say, {
    said <- switch(kind,
      answer = mode$answer(assessor, task, action$value, seconds_since(desk$shown)),
      skip = {
        mode$skip(assessor, task, skip_reason(action, spec))
        "Skipped."
      },
      undo = {
        undone <- mode$undo(assessor)
        "Undone. You see it again."
      },
      background = keep_background(action, mode, assessor, spec),
      return(say(""))
    )
    spec$log(kind, desk$address, assessor = assessor)
    mode$status$touch()
    if (kind %in% c("answer", "skip")) desk$done <- c(desk$done, list(task))
    if (kind == "undo") undone <- last_done(desk) %||% undone
    desk$advance(if (kind == "undo") undone)
    say(said)
    TRUE
  })
  # The task may have been assigned to another assessor in the meantime.
  if (is.null(carried_out)) desk$advance()
}

# Removes the last answer since the page was opened from the list and returns it; NULL if there is none.
last_done <- function(desk) {
  last <- utils::tail(desk$done, 1)
  desk$done <- utils::head(desk$done, -1)
  if (length(last)) last[[1]]
}

seconds_since <- function(time) round(as.numeric(difftime(Sys.time(), time, units = "secs")), 1)

skip_reason <- function(action, spec) {
  text <- text_of_input(action$text)
  if (is.null(text)) abort_judicious("The reason must be text of at most 500 characters.", "argument")
  choice <- suppressWarnings(as.integer(text_of_input(action$choice, 5) %||% NA))
  chosen <- if (isTRUE(choice %in% seq_along(spec$reasons))) spec$reasons[choice]
  paste(c(chosen, if (nzchar(text)) text), collapse = ": ")
}

keep_background <- function(action, mode, assessor, spec) {
  text <- text_of_input(action$text)
  if (is.null(text)) abort_judicious("Please use at most 500 characters.", "argument")
  if (is.null(spec$background)) return("")
  mode$background(assessor, text)
  "Thank you."
}

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
