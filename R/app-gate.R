# What every action on the page passes first: it is small, and the token of who is logged in is still good.

# The most that a browser's inputs may hold together, in bytes; a person's are a few hundred.
most_input <- 64 * 1024

# Shiny takes messages of any size, and keeps the values: whoever sends too much is told so and disconnected, before
# anything is done with it.
watch_size <- function(desk, input) {
  shiny::observe({
    size <- utils::object.size(shiny::reactiveValuesToList(input, all.names = TRUE))
    if (size <= most_input || desk$refused) return()
    desk$refused <- TRUE
    warn_judicious("The judging page: a browser sent {format_count(as.numeric(size))} bytes and was disconnected.",
                   "app")
    desk$spec$log("too_much", desk$address, bytes = as.numeric(size))
    desk$session$sendCustomMessage("judicious-say", list(text = "That is too much. Nothing of it was saved.",
                                                         urgent = TRUE))
    desk$session$close()
  }, priority = 1000)
}

# Whether who is logged in may act. A token is good until it expires, is revoked or replaced, and roles can change: all
# is looked up again, and whoever has lost them leaves.
may_act <- function(desk) {
  state <- desk$state
  who <- shiny::isolate(state$who)
  if (desk$refused || is.null(who)) return(FALSE)
  if (!desk$spec$tokens) return(TRUE)
  row <- in_words(store_rows(desk$s$env$store, "assessor", list(assessor = who)), desk$say)
  # The store cannot be reached: nothing is done, and nobody is sent away.
  if (is.null(row)) return(FALSE)
  lead <- identical(row$role, "lead")
  why <- why_not(desk, row, lead)
  if (is.null(why)) {
    state$lead <- lead
    if (!lead) state$view <- "judge"
  } else {
    leave(desk, why)
  }
  is.null(why)
}

# Why the assessor of a row of the store may not act on this page, or NULL.
why_not <- function(desk, row, lead) {
  if (!identical(row$token, desk$token) || !is_admitted(row, store_now(desk$s$env$store))) {
    "Your token is no longer good. Ask the person who leads the judging for a new one."
  } else if (desk$spec$lead_only && !lead) {
    "This page is for the lead."
  }
}

may_lead <- function(desk) may_act(desk) && shiny::isolate(desk$state$lead)

leave <- function(desk, why) {
  state <- desk$state
  desk$spec$log("sent_away", desk$address, assessor = shiny::isolate(state$who))
  desk$token <- desk$task <- NULL
  desk$done <- list()
  state$who <- state$task <- NULL
  state$lead <- FALSE
  state$view <- "judge"
  desk$say(why, urgent = TRUE)
}

# Somebody whose token was replaced does not go on looking either.
watch_token <- function(desk) {
  shiny::observe({
    if (is.null(desk$state$who)) return()
    shiny::invalidateLater(desk$spec$look_again)
    may_act(desk)
  })
}
