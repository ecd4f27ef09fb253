# The server of the judging page. It acts only for the assessor whose token was entered. The browser sends which control
# was used on which task, and this input is checked.

app_server <- function(s, spec) {
  judging_mode <- new_mode(s, spec)
  attempts <- new_login_attempts()
  clock <- new_page_clock(spec)
  shiny::registerInputHandler("judicious.action", receive_at_once, force = TRUE)
  function(input, output, session) {
    desk <- new_visit(s, spec, judging_mode, session)
    desk$attempts <- attempts
    # NULL for Shiny's mock session in tests.
    desk$connection <- suppressWarnings(session$request)$judicious_connection
    desk$address <- desk$connection$address %||% ""
    session$userData$judicious <- desk
    if (!spec$tokens) shiny::observe(shiny::isolate(enter_desk(desk, "me")))
    watch_inputs(desk, input)
    clock$add(desk)
    desk_outputs(desk, output)
    desk$show_lead <- function() lead_outputs(desk, output)
  }
}

enter_desk <- function(desk, assessor, token = NULL) {
  desk$token <- token
  if (!is.null(token)) desk$session$sendCustomMessage("judicious-media", list(key = media_key(token)))
  desk$become(assessor, is_lead(desk$s, desk$spec, assessor), if (desk$spec$lead_only) "lead" else "judge")
  if (!desk$spec$lead_only) return(if (may_act(desk)) desk$advance())
  open_lead(desk)
  draw_screen(desk)
}

watch_inputs <- function(desk, input) {
  receivers <- list(login = receive_login, view = receive_view, action = receive_action, lead = receive_lead)
  lapply(names(receivers), function(name) shiny::observeEvent(input[[name]], receivers[[name]](desk, input[[name]])))
}

# The page sends actions with the type `judicious.action`, so that Shiny passes them to this handler before it updates
# its inputs. As the value of the input remains the same, Shiny has nothing to compute again, which would take longer
# than everything else that an answer needs. Actions without the type are received by watch_inputs().
receive_at_once <- function(action, session, name) {
  desk <- session$userData$judicious
  if (!is.null(desk)) in_words(receive_action(desk, action), desk$say)
  TRUE
}

receive_login <- function(desk, login) if (is.null(desk$who) && is.list(login)) try_token(desk, login$token)

receive_view <- function(desk, view) {
  view <- text_of_input(view, 10)
  if (!desk$spec$lead_only && isTRUE(view %in% c("judge", "lead")) && may_lead(desk)) turn_to(desk, view)
}

receive_action <- function(desk, action) {
  if (!desk$spec$lead_only && is.list(action) && may_act(desk)) act_on(desk, action)
}

# What happens without an action: now and then, the page looks whether the token is still valid, for new figures, and
# for a document if there is none. It looks rarely while a document is on the screen, because this takes time for every
# browser. All browsers of a process share one timer.
new_page_clock <- function(spec) {
  desks <- new.env(parent = emptyenv())
  timer <- NULL
  added <- 0
  start_clock <- function() {
    timer <<- shiny::observe({
      shiny::invalidateLater(spec$tick, session = NULL)
      shiny::isolate(for (desk in as.list(desks, sorted = FALSE)) in_words(look_at(desk), desk$say))
    }, domain = NULL)
  }
  list(add = function(desk) {
    added <<- added + 1
    id <- as.character(added)
    desks[[id]] <- desk
    if (is.null(timer)) start_clock()
    desk$session$onSessionEnded(function() {
      rm(list = id, envir = desks)
      if (length(desks)) return()
      timer$destroy()
      timer <<- NULL
    })
  })
}

look_at <- function(desk, now = page_time()) {
  spec <- desk$spec
  every <- if (is.null(desk$task)) spec$look_again else spec$look_rarely
  if (is.null(desk$who) || now < desk$looked + every / 1000) return()
  if (!may_act(desk) || desk$view != "judge") return()
  if (is.null(desk$task)) desk$advance() else in_words(catch_up(desk), desk$say)
}

try_token <- function(desk, token) {
  result <- in_words(log_in(desk$s, token, desk$attempts, desk$address), desk$say)
  if (!is.null(result$assessor) && desk$spec$lead_only && !is_lead(desk$s, desk$spec, result$assessor)) {
    result <- list(message = "This page is for the lead.")
  }
  # If the store cannot be reached, nothing is known about the token.
  if (is.null(result)) return()
  if (!is.null(result$assessor)) {
    desk$spec$log("login", desk$address, assessor = result$assessor)
    return(enter_desk(desk, result$assessor, result$token))
  }
  desk$spec$log(if (is.null(result$wait)) "wrong_token" else "login_wait", desk$address)
  desk$session$sendCustomMessage("judicious-refused", list(text = result$message, wait = result$wait))
}

# What fills the page for who is logged in, or the way to log in.
current_screen <- function(desk) {
  state <- desk$state
  spec <- desk$spec
  if (is.null(state$who)) return(spec$login)
  if (state$view == "lead") {
    return(lead_screen(spec, shiny::isolate(known_tiles(desk)), desk$s$env$x$systems$system))
  }
  state$turn
  if (!is.null(desk$task)) return(task_screen(desk$task, desk$items, spec))
  if (desk$s$env$control$paused) {
    return(message_screen("Paused by the lead",
                          "What you have judged is saved. This page goes on by itself when the judging does."))
  }
  waiting_screen(desk$mode, state$who, spec$ending)
}

desk_outputs <- function(desk, output) {
  state <- desk$state
  spec <- desk$spec
  output$menu <- shiny::renderUI({
    if (!is.null(state$who)) app_menu(state$who, state$lead, state$view, spec)
  })
  output$dialogs <- shiny::renderUI(if (!is.null(state$who) && state$view == "judge") spec$drawn$dialogs)
  output$screen <- shiny::renderUI(current_screen(desk))
  # Separate from the figures, which may be drawn again while a person types.
  asks <- shiny::reactive({
    state$news
    !is.null(state$who) && state$view == "judge" &&
      !nrow(store_rows(desk$s$env$store, "answer", list(task = "background", assessor = state$who)))
  })
  if (!is.null(spec$background)) output$background <- shiny::renderUI(if (asks()) background_form(spec$background))
  # Shiny does not compute hidden outputs, and an empty panel counts as hidden.
  for (id in c("menu", "dialogs", if (!is.null(spec$background)) "background")) {
    shiny::outputOptions(output, id, suspendWhenHidden = FALSE)
  }
}

# Without tokens, anybody may open the lead's own page; the judging page then shows no ranking.
is_lead <- function(s, spec, assessor) {
  if (!spec$tokens) return(spec$lead_only)
  identical(store_rows(s$env$store, "assessor", list(assessor = assessor))$role, "lead")
}

waiting_screen <- function(mode, assessor, ending = NULL) {
  finished <- mode_finished(mode, mode$status$now(), assessor)
  if (!isTRUE(finished$end)) return(message_screen(finished[[1]], finished[[2]]))
  message_screen(finished[[1]], if (is.function(ending)) ending(assessor) else ending %||% finished[[2]], end = TRUE)
}
