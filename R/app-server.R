# The server of the judging page. It acts only for the assessor whose token was entered. The browser sends which control
# was used on which task, and this input is checked.

app_server <- function(s, spec) {
  mode <- if (is.null(spec$preferences)) gains_mode(s, spec) else preference_mode(s, spec)
  attempts <- new_login_attempts()
  function(input, output, session) {
    # Shiny's mock session for tests has no request, and warns about it.
    request <- suppressWarnings(session$request)
    address <- client_address(request, spec$proxy)
    why <- refusal(request, spec$hosts)
    if (!is.null(why)) {
      spec$log("refused", address, why = why, host = request$HTTP_HOST, origin = request$HTTP_ORIGIN)
      return(session$close())
    }
    desk <- new_visit(s, spec, mode, session)
    desk$attempts <- attempts
    desk$address <- address
    if (!spec$tokens) shiny::observe(shiny::isolate(desk$enter("me")))
    watch_size(desk, input)
    watch_inputs(desk, input)
    watch_clock(desk)
    desk_outputs(desk, output)
    desk$show_lead <- function() lead_outputs(desk, output)
  }
}

# One browser: who is logged in, and what is on the screen. `state`: what outputs depend on; `task` and `shown`: what is
# being judged, and since when; `token`: the hash of the entered token; `refused`: whether the browser sent too much;
# `address`: its address; `attempts`: the wrong tokens of all browsers.
new_visit <- function(s, spec, mode, session) {
  desk <- new.env(parent = emptyenv())
  state <- shiny::reactiveValues(who = NULL, lead = FALSE, view = "judge", task = NULL, turn = 0, news = 0,
                                 pictures = NULL)
  desk$s <- s
  desk$spec <- spec
  desk$mode <- mode
  desk$session <- session
  desk$state <- state
  desk$refused <- FALSE
  desk$say <- announcer(session)
  desk$advance <- function(first = NULL) desk$put(in_words(mode$next_task(state$who, first), desk$say))
  desk$put <- function(task) {
    if (!identical(task$id, desk$task$id)) desk$shown <- Sys.time()
    if (!is.null(task)) task$note <- in_words(mode$noted(state$who, task), desk$say)
    desk$task <- task
    state$task <- task
    state$turn <- state$turn + 1
    session$onFlushed(function() shiny::isolate(in_words(catch_up(desk), desk$say)))
  }
  # A lead who opens the lead's view releases leased documents, so that others can judge them.
  desk$turn_to <- function(view) {
    if (identical(view, state$view)) return()
    if (view == "lead") {
      in_words(mode$release(state$who), desk$say)
      desk$task <- state$task <- NULL
    }
    state$view <- view
    if (view == "judge") return(desk$advance())
    desk$open_lead()
    show_panel(desk)
    state$turn <- state$turn + 1
  }
  # Most people are no leads, and outputs take time to set up.
  desk$open_lead <- function() {
    if (is.null(desk$has_lead)) desk$show_lead()
    desk$has_lead <- TRUE
  }
  desk$enter <- function(assessor, token = NULL) {
    desk$token <- token
    if (!is.null(token)) session$sendCustomMessage("judicious-media", list(key = media_key(token)))
    state$who <- assessor
    state$lead <- is_lead(s, spec, assessor)
    state$view <- if (spec$lead_only) "lead" else "judge"
    if (!spec$lead_only) return(desk$advance())
    desk$open_lead()
    state$turn <- state$turn + 1
  }
  desk
}

# A message is announced after the screen to which it belongs.
announcer <- function(session) {
  function(text, urgent = FALSE) {
    session$onFlushed(function() {
      session$sendCustomMessage("judicious-say", list(text = text, urgent = urgent))
    })
  }
}

watch_inputs <- function(desk, input) {
  receivers <- list(login = receive_login, view = receive_view, action = receive_action, lead = receive_lead)
  lapply(names(receivers), function(name) {
    shiny::observeEvent(input[[name]], if (is_in_time(desk)) receivers[[name]](desk, input[[name]]))
  })
}

receive_login <- function(desk, login) {
  if (is.null(desk$state$who) && is.list(login) && !desk$refused) try_token(desk, login$token)
}

receive_view <- function(desk, view) {
  view <- text_of_input(view, 10)
  if (!desk$spec$lead_only && isTRUE(view %in% c("judge", "lead")) && may_lead(desk)) desk$turn_to(view)
}

receive_action <- function(desk, action) {
  if (!desk$spec$lead_only && is.list(action) && may_act(desk)) act_on(desk, action)
}

# What happens without an action: now and then, the page looks whether the token is still valid, for new figures, and
# for a document if there is none. It looks rarely while a document is on the screen, because this takes time for every
# browser.
watch_clock <- function(desk) {
  state <- desk$state
  drawn <- 0
  shiny::observe({
    if (is.null(state$who)) return()
    fresh <- state$turn != drawn
    drawn <<- state$turn
    shiny::invalidateLater(if (is.null(state$task)) desk$spec$look_again else desk$spec$look_rarely)
    shiny::isolate(if (!fresh && may_act(desk) && state$view == "judge") {
      if (is.null(state$task)) desk$advance() else in_words(catch_up(desk), desk$say)
    })
  })
}

# What can wait until the screen is out: after each answer, the next documents are reserved and sent ahead, and the
# figures are brought up to date.
catch_up <- function(desk) {
  state <- desk$state
  if (is.null(state$who) || state$view == "lead") return()
  if (!identical(desk$caught_up, state$turn) && !is.null(desk$task)) {
    desk$caught_up <- state$turn
    media <- unlist(lapply(desk$mode$refill(state$who, desk$task), desk$spec$items$ahead))
    if (length(media)) desk$session$sendCustomMessage("judicious-ahead", list(media = media))
  }
  show_panel(desk, known_status(desk))
  desk$mode$afterwards()
  show_panel(desk, desk$mode$status$get())
  if (!is.null(desk$spec$background)) state$news <- state$news + 1
}

# Shows the figures beside the screen of an assessor; nothing if `status` is NULL. They are no output of Shiny, which
# would take longer for them than for the screen.
show_panel <- function(desk, status = NULL) {
  if (!is.null(status) && identical(status, desk$status)) return()
  desk$status <- status
  panel <- if (is.null(status)) "" else as.character(desk$mode$show_status(status, desk$state$who))
  if (!identical(panel, desk$panel)) desk$session$sendCustomMessage("judicious-figures", list(html = panel))
  desk$panel <- panel
}

known_status <- function(desk) desk$mode$status$known() %||% desk$mode$status$get()

try_token <- function(desk, token) {
  result <- in_words(log_in(desk$s, token, desk$attempts, desk$address), desk$say)
  if (!is.null(result$assessor) && desk$spec$lead_only && !is_lead(desk$s, desk$spec, result$assessor)) {
    result <- list(message = "This page is for the lead.")
  }
  # If the store cannot be reached, nothing is known about the token.
  if (is.null(result)) return()
  if (!is.null(result$assessor)) {
    desk$spec$log("login", desk$address, assessor = result$assessor)
    return(desk$enter(result$assessor, result$token))
  }
  desk$spec$log(if (is.null(result$wait)) "wrong_token" else "login_wait", desk$address)
  desk$session$sendCustomMessage("judicious-refused", list(text = result$message, wait = result$wait))
}

# What fills the page for who is logged in, or the way to log in.
current_screen <- function(desk) {
  state <- desk$state
  spec <- desk$spec
  mode <- desk$mode
  if (is.null(state$who)) return(spec$login)
  if (state$view == "lead") {
    return(lead_screen(spec, shiny::isolate(known_tiles(desk)), known_pictures(desk$s), desk$s$env$x$systems$system))
  }
  if (!is.null(state$task)) return(mode$screen(state$task, spec))
  # Drawn again whenever the assessor was given nothing.
  state$turn
  if (desk$s$env$control$paused) return(paused_screen())
  waiting_screen(mode, state$who)
}

desk_outputs <- function(desk, output) {
  state <- desk$state
  spec <- desk$spec
  output$menu <- shiny::renderUI({
    if (!is.null(state$who)) spec$menu(state$who, state$lead && !spec$lead_only, state$view)
  })
  output$dialogs <- shiny::renderUI(if (!is.null(state$who) && state$view == "judge") spec$drawn$dialogs)
  output$screen <- shiny::renderUI(current_screen(desk))
  # Separate from the figures, which may be drawn again while a person types.
  asks <- shiny::reactive(asks_background(desk))
  if (!is.null(spec$background)) output$background <- shiny::renderUI(if (asks()) background_form(spec$background))
  # Shiny does not compute hidden outputs, and an empty panel counts as hidden.
  for (id in c("menu", "dialogs", if (!is.null(spec$background)) "background")) {
    shiny::outputOptions(output, id, suspendWhenHidden = FALSE)
  }
}

asks_background <- function(desk) {
  who <- desk$state$who
  desk$state$news
  !is.null(who) && desk$state$view == "judge" && desk$mode$wants_background(known_status(desk), who)
}

# Without tokens, anybody may open the lead's own page; the judging page then shows no ranking.
is_lead <- function(s, spec, assessor) {
  if (!spec$tokens) return(spec$lead_only)
  identical(store_rows(s$env$store, "assessor", list(assessor = assessor))$role, "lead")
}

paused_screen <- function() {
  message_screen("Judging is paused", paste("The lead has paused the judging. What you have judged is saved. This page",
                                            "goes on by itself when the judging does."))
}

waiting_screen <- function(mode, assessor) {
  finished <- mode$finished(mode$status$now(), assessor)
  message_screen(finished[[1]], finished[[2]], isTRUE(finished$end))
}
