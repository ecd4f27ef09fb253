# Checks before every action on the page: its size, how many there are, and whether the token is still valid.

# Largest total size of a browser's inputs, in bytes, and their largest number in ten seconds. Those of a person take a
# few hundred bytes, and are a few a second at most.
most_input <- 64 * 1024
most_inputs <- 200

# Shiny accepts messages of any size and keeps the values. A browser that sends too much gets a message and is
# disconnected before its input is processed.
watch_size <- function(desk, input) {
  shiny::observe({
    size <- utils::object.size(shiny::reactiveValuesToList(input, all.names = TRUE))
    if (size <= most_input || desk$refused) return()
    warn_judicious("The judging page: a browser sent {format_count(as.numeric(size))} bytes and was disconnected.",
                   "app")
    desk$spec$log("too_much", desk$address, bytes = as.numeric(size))
    disconnect(desk, "The message is too long and was not saved.")
  }, priority = 1000)
}

disconnect <- function(desk, why) {
  desk$refused <- TRUE
  desk$session$sendCustomMessage("judicious-say", list(text = why, urgent = TRUE))
  desk$session$close()
}

# Whether an input is carried out: a browser that sends many more than a person could is disconnected.
is_in_time <- function(desk) {
  if (desk$refused) return(FALSE)
  now <- as.numeric(Sys.time())
  desk$received <- c(desk$received[desk$received > now - 10], now)
  if (length(desk$received) <= most_inputs) return(TRUE)
  desk$spec$log("too_fast", desk$address)
  disconnect(desk, "That is too fast. Reload the page to go on.")
  FALSE
}

# Whether the person who is logged in may act. Tokens can expire, be revoked or replaced, and roles can change, so this
# is checked for every action; a person who has lost the right is logged out.
may_act <- function(desk) {
  state <- desk$state
  who <- state$who
  if (desk$refused || is.null(who)) return(FALSE)
  if (!desk$spec$tokens) return(TRUE)
  row <- in_words(store_rows(desk$s$env$store, "assessor", list(assessor = who)), desk$say)
  # If the store cannot be reached, nothing is done, and nobody is logged out.
  if (is.null(row)) return(FALSE)
  lead <- identical(row$role, "lead")
  why <- why_not(desk, row, lead)
  if (is.null(why)) {
    state$lead <- lead
    if (!lead && state$view == "lead") shiny::isolate(desk$turn_to("judge"))
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

may_lead <- function(desk) may_act(desk) && desk$state$lead

leave <- function(desk, why) {
  state <- desk$state
  desk$spec$log("sent_away", desk$address, assessor = state$who)
  desk$token <- desk$task <- NULL
  state$who <- state$task <- NULL
  state$lead <- FALSE
  state$view <- "judge"
  show_panel(desk)
  desk$say(why, urgent = TRUE)
}
