# The server of the judging page. It acts only for the assessor whose token was given; what the browser sends is which
# control was used on which task, and is checked.

app_server <- function(s, spec) {
  guard <- new_login_guard()
  mode <- if (is.null(spec$preferences)) gains_mode(s, spec) else preference_mode(s, spec)
  function(input, output, session) {
    attempts <- new_login_attempts()
    state <- shiny::reactiveValues(who = NULL, lead = FALSE, view = "judge", task = NULL, turn = 0)
    desk <- new.env(parent = emptyenv())

    say <- function(text, urgent = FALSE) {
      session$onFlushed(function() {
        session$sendCustomMessage("judicious-say", list(text = text, urgent = urgent))
      })
    }
    advance <- function(first = NULL) {
      task <- in_words(mode$next_task(state$who, first), say)
      if (!identical(task$id, desk$task$id)) desk$shown <- Sys.time()
      desk$task <- task
      state$task <- task
      state$turn <- state$turn + 1
    }
    enter <- function(assessor) {
      state$who <- assessor
      state$lead <- is_lead(s, spec, assessor)
      state$view <- if (spec$lead_only) "lead" else "judge"
      if (!spec$lead_only) advance()
    }
    if (!spec$tokens) shiny::observe(shiny::isolate(enter("me")))

    shiny::observeEvent(input$login, {
      if (!is.null(state$who) || !is.list(input$login)) return()
      result <- log_in(s, input$login$token, guard, attempts)
      if (!is.null(result$assessor) && spec$lead_only && !is_lead(s, spec, result$assessor)) {
        result <- list(message = "This page is for the lead.")
      }
      if (is.null(result$assessor)) {
        session$sendCustomMessage("judicious-refused", list(text = result$message))
      } else {
        enter(result$assessor)
      }
    })

    shiny::observeEvent(input$view, {
      view <- text_of_input(input$view, 10)
      if (state$lead && !spec$lead_only && identical(view %in% c("judge", "lead"), TRUE)) state$view <- view
    })

    shiny::observeEvent(input$action, {
      if (is.null(state$who) || spec$lead_only || !is.list(input$action)) return()
      act_on(input$action, mode, state$who, desk, advance, say, spec)
    })

    # Somebody who waits is given what becomes free.
    shiny::observe({
      if (is.null(state$who) || !is.null(state$task) || spec$lead_only) return()
      shiny::invalidateLater(spec$look_again)
      shiny::isolate(advance())
    })

    output$menu <- shiny::renderUI(app_menu(state$who, spec$guidelines, state$lead && !spec$lead_only, state$view,
                                            spec$tokens))
    output$screen <- shiny::renderUI({
      if (is.null(state$who)) return(login_screen(spec$title))
      if (state$view == "lead") return(lead_screen(spec))
      task <- state$task
      if (is.null(task)) {
        # Drawn again whenever the assessor was given nothing.
        state$turn
        return(waiting_screen(mode))
      }
      mode$screen(task, spec)
    })
    output$aside <- shiny::renderUI({
      if (is.null(state$who) || state$view == "lead") return(NULL)
      shiny::invalidateLater(spec$look_again)
      state$turn
      aside_panel(mode, spec, state$who)
    })
    # An empty panel has no place on the page, and Shiny works out nothing for what has none.
    for (id in c("menu", "aside")) shiny::outputOptions(output, id, suspendWhenHidden = FALSE)
    lead_outputs(s, spec, mode, input, output, session, state)
  }
}

# Without tokens there is nobody to keep from the lead's own page; the judging page shows no ranking then.
is_lead <- function(s, spec, assessor) {
  if (!spec$tokens) return(spec$lead_only)
  known <- assessors(s)
  isTRUE(known$role[known$assessor == assessor] == "lead")
}

waiting_screen <- function(mode) {
  finished <- mode$finished(mode$status$get())
  message_screen(finished[[1]], htmltools::p(finished[[2]]), undo = TRUE)
}

aside_panel <- function(mode, spec, assessor) {
  status <- mode$status$get()
  asks <- !is.null(spec$background) && mode$wants_background(status, assessor)
  htmltools::tagList(mode$show_status(status, assessor), if (asks) background_form(spec$background))
}

# What a person did on the page. Whatever does not belong to the task on the screen is not taken for another.
act_on <- function(action, mode, assessor, desk, advance, say, spec) {
  kind <- text_of_input(action$kind, 20) %||% ""
  task <- desk$task
  if (kind %in% c("answer", "skip") && (is.null(task) || !identical(action$task, task$id))) return(say(""))
  in_words(say = say, {
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
    mode$status$touch()
    if (kind %in% c("answer", "skip")) desk$done <- c(desk$done, list(task))
    if (kind == "undo") undone <- last_done(desk) %||% undone
    advance(if (kind == "undo") undone)
    say(said)
  })
}

# What was answered last since the page was opened, taken from the list; NULL where the page was opened after it.
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

# Trouble is told in the page: the package's in its own words, any other is for the log. NULL then.
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
