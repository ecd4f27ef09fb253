# The server of the judging page. It acts only for the assessor whose token was entered. The browser sends which control
# was used on which task, and this input is checked.

app_server <- function(s, spec) {
  judging_mode <- new_mode(s, spec)
  attempts <- new_login_attempts()
  clock <- new_page_clock(spec)
  shiny::registerInputHandler("judicious.action", receive_at_once, force = TRUE)
  function(input, output, session) {
    page <- new_page(s, spec, judging_mode, session)
    page$attempts <- attempts
    # Shiny's mock session, which tests use, has no connection, so this is NULL.
    page$connection <- suppressWarnings(session$request)$judicious_connection
    page$address <- page$connection$address %||% ""
    session$userData$judicious <- page
    if (!spec$tokens) shiny::observe(shiny::isolate(start_page(page, "me")))
    shiny::observeEvent(input$login, receive_login(page, input$login))
    shiny::observeEvent(input$view, receive_view(page, text_of_input(input$view, 10)))
    shiny::observeEvent(input$action, receive_action(page, input$action))
    shiny::observeEvent(input$lead, receive_lead(page, input$lead))
    clock$add(page)
    page_outputs(page, output)
    page$show_lead <- function() lead_outputs(page, output)
  }
}

start_page <- function(page, assessor, token = NULL) {
  page$token <- token
  if (!is.null(token)) page$session$sendCustomMessage("judicious-media", list(key = media_key(token)))
  page$become(assessor, is_lead(page$s, page$spec, assessor), if (page$spec$lead_only) "lead" else "judge")
  if (!page$spec$lead_only) return(if (may_act(page)) page$advance())
  open_lead(page)
  draw_screen(page)
}

# Receives actions. The page sends them with the type `judicious.action`, so that Shiny passes them to this handler
# before it updates its inputs. The handler always returns TRUE: since the value of the input never changes, Shiny
# recomputes no outputs, which would take longer than everything else after an answer. app_server() observes actions
# without the type.
receive_at_once <- function(action, session, name) {
  page <- session$userData$judicious
  if (!is.null(page)) show_errors(receive_action(page, action), page$say)
  TRUE
}

receive_login <- function(page, login) if (is.null(page$who) && is.list(login)) try_token(page, login$token)

receive_view <- function(page, view) {
  if (!page$spec$lead_only && isTRUE(view %in% c("judge", "lead")) && may_lead(page)) switch_view(page, view)
}

# The timer of the page. At intervals, it checks whether tokens are still valid, looks for new figures and, for browsers
# that show no document, for a document. While a browser shows a document, intervals are long, because each check takes
# time. All browsers of a process share the timer.
new_page_clock <- function(spec) {
  pages <- new.env(parent = emptyenv())
  timer <- NULL
  added <- 0
  start_clock <- function() {
    timer <<- shiny::observe({
      shiny::invalidateLater(spec$tick, session = NULL)
      shiny::isolate(for (page in as.list(pages, sorted = FALSE)) show_errors(update_page(page), page$say))
    }, domain = NULL)
  }
  list(add = function(page) {
    added <<- added + 1
    id <- as.character(added)
    pages[[id]] <- page
    if (is.null(timer)) start_clock()
    page$session$onSessionEnded(function() {
      rm(list = id, envir = pages)
      if (length(pages)) return()
      timer$destroy()
      timer <<- NULL
    })
  })
}

update_page <- function(page, now = page_time()) {
  spec <- page$spec
  interval <- if (is.null(page$task)) spec$look_again else spec$look_rarely
  if (is.null(page$who) || now < page$looked + interval / 1000) return()
  if (!may_act(page) || page$view != "judge") return()
  if (is.null(page$task)) page$advance() else show_errors(finish_screen(page), page$say)
}

try_token <- function(page, token) {
  result <- show_errors(log_in(page$s, token, page$attempts, page$address), page$say)
  if (!is.null(result$assessor) && page$spec$lead_only && !is_lead(page$s, page$spec, result$assessor))
    result <- list(message = "This page is for the lead.")
  # If the store cannot be reached, the token may be valid or not: nothing is done.
  if (is.null(result)) return()
  if (!is.null(result$assessor)) {
    page$spec$log("login", page$address, assessor = result$assessor)
    return(start_page(page, result$assessor, result$token))
  }
  page$spec$log(if (is.null(result$wait)) "wrong_token" else "login_wait", page$address)
  page$session$sendCustomMessage("judicious-refused", list(text = result$message, wait = result$wait))
}

# The screen of the person who is logged in; without log-in, the log-in screen.
current_screen <- function(page) {
  reactive <- page$reactive
  spec <- page$spec
  if (is.null(reactive$who)) return(spec$login)
  if (reactive$view == "lead") return(lead_screen(spec, page$s$engine$x$systems$system))
  reactive$screen_no
  if (!is.null(page$task)) return(task_screen(page$task, page$items, spec))
  if (page$s$engine$control$paused)
    return(message_screen("Paused by the lead",
                          "What you have judged is saved. This page goes on by itself when the judging does."))
  finished <- mode_finished(page$mode, page$mode$status$recompute(), reactive$who)
  text <- finished[[2]]
  if (isTRUE(finished$end)) text <- if (is.function(spec$ending)) spec$ending(reactive$who) else spec$ending %||% text
  message_screen(finished[[1]], text, isTRUE(finished$end))
}

page_outputs <- function(page, output) {
  reactive <- page$reactive
  spec <- page$spec
  output$menu <- shiny::renderUI(if (!is.null(reactive$who)) app_menu(reactive$who, reactive$lead, reactive$view, spec))
  output$dialogs <- shiny::renderUI(if (!is.null(reactive$who) && reactive$view == "judge") spec$drawn$dialogs)
  output$screen <- shiny::renderUI(current_screen(page))
  # The form about the assessor is an output of its own, because redrawing it together with the figures would disturb a
  # person who is typing.
  asks <- shiny::reactive({
    reactive$news
    !is.null(reactive$who) && reactive$view == "judge" &&
      !nrow(store_rows(page$s$engine$store, "answer", list(task = "background", assessor = reactive$who)))
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
  identical(store_rows(s$engine$store, "assessor", list(assessor = assessor))$role, "lead")
}
