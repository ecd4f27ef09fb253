# The server of the judging page. It acts only for the assessor whose token was entered. The browser sends which control
# was used on which task, and this input is checked.

app_server <- function(s, spec) {
  judging_mode <- new_mode(s, spec)
  attempts <- new_login_attempts()
  clock <- new_page_clock(spec)
  shiny::registerInputHandler("judicious.action", receive_at_once, force = TRUE)
  function(input, output, session) {
    visit <- new_visit(s, spec, judging_mode, session)
    visit$attempts <- attempts
    # Shiny's mock session, which tests use, has no connection, so this is NULL.
    visit$connection <- suppressWarnings(session$request)$judicious_connection
    visit$address <- visit$connection$address %||% ""
    session$userData$judicious <- visit
    if (!spec$tokens) shiny::observe(shiny::isolate(begin_visit(visit, "me")))
    shiny::observeEvent(input$login, receive_login(visit, input$login))
    shiny::observeEvent(input$view, receive_view(visit, text_of_input(input$view, 10)))
    shiny::observeEvent(input$action, receive_action(visit, input$action))
    shiny::observeEvent(input$lead, receive_lead(visit, input$lead))
    clock$add(visit)
    visit_outputs(visit, output)
    visit$show_lead <- function() lead_outputs(visit, output)
  }
}

begin_visit <- function(visit, assessor, token = NULL) {
  visit$token <- token
  if (!is.null(token)) visit$session$sendCustomMessage("judicious-media", list(key = media_key(token)))
  visit$become(assessor, is_lead(visit$s, visit$spec, assessor), if (visit$spec$lead_only) "lead" else "judge")
  if (!visit$spec$lead_only) return(if (may_act(visit)) visit$advance())
  open_lead(visit)
  draw_screen(visit)
}

# Receives actions. The page sends them with the type `judicious.action`, so that Shiny passes them to this handler
# before it updates its inputs. The handler always returns TRUE: since the value of the input never changes, Shiny
# recomputes no outputs, which would take longer than everything else after an answer. app_server() observes actions
# without the type.
receive_at_once <- function(action, session, name) {
  visit <- session$userData$judicious
  if (!is.null(visit)) show_errors(receive_action(visit, action), visit$say)
  TRUE
}

receive_login <- function(visit, login) if (is.null(visit$who) && is.list(login)) try_token(visit, login$token)

receive_view <- function(visit, view) {
  if (!visit$spec$lead_only && isTRUE(view %in% c("judge", "lead")) && may_lead(visit)) switch_view(visit, view)
}

receive_action <- function(visit, action) {
  if (!visit$spec$lead_only && is.list(action) && may_act(visit)) perform_action(visit, action)
}

# The timer of the page. At intervals, it checks whether tokens are still valid, looks for new figures and, for browsers
# that show no document, for a document. While a browser shows a document, intervals are long, because each check takes
# time. All browsers of a process share the timer.
new_page_clock <- function(spec) {
  visits <- new.env(parent = emptyenv())
  timer <- NULL
  added <- 0
  start_clock <- function() {
    timer <<- shiny::observe({
      shiny::invalidateLater(spec$tick, session = NULL)
      shiny::isolate(for (visit in as.list(visits, sorted = FALSE)) show_errors(check_visit(visit), visit$say))
    }, domain = NULL)
  }
  list(add = function(visit) {
    added <<- added + 1
    id <- as.character(added)
    visits[[id]] <- visit
    if (is.null(timer)) start_clock()
    visit$session$onSessionEnded(function() {
      rm(list = id, envir = visits)
      if (length(visits)) return()
      timer$destroy()
      timer <<- NULL
    })
  })
}

check_visit <- function(visit, now = page_time()) {
  spec <- visit$spec
  interval <- if (is.null(visit$task)) spec$look_again else spec$look_rarely
  if (is.null(visit$who) || now < visit$looked + interval / 1000) return()
  if (!may_act(visit) || visit$view != "judge") return()
  if (is.null(visit$task)) visit$advance() else show_errors(finish_screen(visit), visit$say)
}

try_token <- function(visit, token) {
  result <- show_errors(log_in(visit$s, token, visit$attempts, visit$address), visit$say)
  if (!is.null(result$assessor) && visit$spec$lead_only && !is_lead(visit$s, visit$spec, result$assessor))
    result <- list(message = "This page is for the lead.")
  # If the store cannot be reached, the token may be valid or not: nothing is done.
  if (is.null(result)) return()
  if (!is.null(result$assessor)) {
    visit$spec$log("login", visit$address, assessor = result$assessor)
    return(begin_visit(visit, result$assessor, result$token))
  }
  visit$spec$log(if (is.null(result$wait)) "wrong_token" else "login_wait", visit$address)
  visit$session$sendCustomMessage("judicious-refused", list(text = result$message, wait = result$wait))
}

# The screen of the person who is logged in; without log-in, the log-in screen.
current_screen <- function(visit) {
  state <- visit$state
  spec <- visit$spec
  if (is.null(state$who)) return(spec$login)
  if (state$view == "lead")
    return(lead_screen(spec, shiny::isolate(stored_tiles(visit)), visit$s$env$x$systems$system))
  state$screen_no
  if (!is.null(visit$task)) return(task_screen(visit$task, visit$items, spec))
  if (visit$s$env$control$paused)
    return(message_screen("Paused by the lead",
                          "What you have judged is saved. This page goes on by itself when the judging does."))
  finished <- mode_finished(visit$mode, visit$mode$status$now(), state$who)
  text <- finished[[2]]
  if (isTRUE(finished$end)) text <- if (is.function(spec$ending)) spec$ending(state$who) else spec$ending %||% text
  message_screen(finished[[1]], text, isTRUE(finished$end))
}

visit_outputs <- function(visit, output) {
  state <- visit$state
  spec <- visit$spec
  output$menu <- shiny::renderUI(if (!is.null(state$who)) app_menu(state$who, state$lead, state$view, spec))
  output$dialogs <- shiny::renderUI(if (!is.null(state$who) && state$view == "judge") spec$drawn$dialogs)
  output$screen <- shiny::renderUI(current_screen(visit))
  # The form about the assessor is an output of its own, because redrawing it together with the figures would disturb a
  # person who is typing.
  asks <- shiny::reactive({
    state$news
    !is.null(state$who) && state$view == "judge" &&
      !nrow(store_rows(visit$s$env$store, "answer", list(task = "background", assessor = state$who)))
  })
  if (!is.null(spec$background)) output$background <- shiny::renderUI(if (asks()) background_form(spec$background))
  # Shiny does not compute hidden outputs, and treats an empty panel as hidden.
  for (id in c("menu", "dialogs", if (!is.null(spec$background)) "background"))
    shiny::outputOptions(output, id, suspendWhenHidden = FALSE)
}

# Whether a person is a lead. Without tokens, everybody is a lead on the page for leads only, and nobody is on the
# judging page, which then never shows the ranking.
is_lead <- function(s, spec, assessor) {
  if (!spec$tokens) return(spec$lead_only)
  identical(store_rows(s$env$store, "assessor", list(assessor = assessor))$role, "lead")
}
