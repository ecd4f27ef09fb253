# Checks before every action on the page: its size, and whether the token is still valid.

# Largest total size of a browser's inputs, in bytes; those of a person take a few hundred.
most_input <- 64 * 1024

# Shiny accepts messages of any size and keeps the values. A browser that sends too much gets a message and is
# disconnected before its input is processed.
watch_size <- function(desk, input) {
  shiny::observe({
    size <- utils::object.size(shiny::reactiveValuesToList(input, all.names = TRUE))
    if (size <= most_input || desk$refused) return()
    desk$refused <- TRUE
    warn_judicious("The judging page: a browser sent {format_count(as.numeric(size))} bytes and was disconnected.",
                   "app")
    desk$spec$log("too_much", desk$address, bytes = as.numeric(size))
    desk$session$sendCustomMessage("judicious-say", list(text = "The message is too long and was not saved.",
                                                         urgent = TRUE))
    desk$session$close()
  }, priority = 1000)
}

# Whether the person who is logged in may act. Tokens can expire, be revoked or replaced, and roles can change, so this
# is checked for every action; a person who has lost the right is logged out.
may_act <- function(desk) {
  state <- desk$state
  who <- shiny::isolate(state$who)
  if (desk$refused || is.null(who)) return(FALSE)
  if (!desk$spec$tokens) return(TRUE)
  row <- in_words(store_rows(desk$s$env$store, "assessor", list(assessor = who)), desk$say)
  # If the store cannot be reached, nothing is done, and nobody is logged out.
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

# The reason why the assessor of a row of the store may not act on this page, or NULL.
why_not <- function(desk, row, lead) {
  if (!identical(row$token, desk$token) || !is_admitted(row, store_now(desk$s$env$store))) {
    "Your token is no longer valid. Ask the person who leads the judging for a new one."
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

# A person whose token was replaced must not see the page any longer either.
watch_token <- function(desk) {
  shiny::observe({
    if (is.null(desk$state$who)) return()
    shiny::invalidateLater(desk$spec$look_again)
    may_act(desk)
  })
}
