# Checks before every action on the page: its size, how many there are, and whether the token is still valid.

# Largest total size of a browser's inputs, in bytes, and their largest number in ten seconds. Those of a person take a
# few hundred bytes, and are a few a second at most.
most_input <- 64 * 1024
most_inputs <- 200

# Shiny accepts messages of any size and keeps the values. A browser that sends too much gets a message and is
# disconnected before its input is processed.
watch_size <- function(desk, input) {
  shiny::observe(is_small(desk, shiny::reactiveValuesToList(input, all.names = TRUE)), priority = 1000)
}

# Whether inputs are small enough; otherwise, the browser is disconnected.
is_small <- function(desk, values) {
  size <- utils::object.size(values)
  if (size <= most_input || desk$refused) return(TRUE)
  warn_judicious("The judging page: a browser sent {format_count(as.numeric(size))} bytes and was disconnected.", "app")
  desk$spec$log("too_much", desk$address, bytes = as.numeric(size))
  disconnect(desk, "The message is too long and was not saved.")
  FALSE
}

disconnect <- function(desk, why) {
  desk$refused <- TRUE
  desk$session$sendCustomMessage("judicious-say", list(text = why, urgent = TRUE))
  desk$session$close()
}

# Whether an input is carried out: a browser that sends many more than a person could is disconnected.
is_in_time <- function(desk) {
  if (desk$refused) return(FALSE)
  now <- page_time()
  desk$received <- c(desk$received[desk$received > now - 10], now)
  if (length(desk$received) <= most_inputs) return(TRUE)
  desk$spec$log("too_fast", desk$address)
  disconnect(desk, "That is too fast. Reload the page to go on.")
  FALSE
}

# Whether the person who is logged in may act. Tokens can expire, be revoked or replaced, and roles can change, so this
# is checked for every action; a person who has lost the right is logged out. Changes of the session by others are
# adopted at the same time.
may_act <- function(desk) {
  who <- desk$who
  if (desk$refused || is.null(who)) return(FALSE)
  now <- in_words(look_up(desk, who), desk$say)
  # If the store cannot be reached, nothing is done, and nobody is logged out.
  if (is.null(now)) return(FALSE)
  if (!desk$spec$tokens) return(TRUE)
  lead <- identical(now$role, "lead")
  why <- why_not(desk, now, lead)
  if (is.null(why)) {
    if (lead != desk$lead) desk$become(lead = lead)
    if (!lead && desk$view == "lead") turn_to(desk, "judge")
  } else {
    leave(desk, why)
  }
  is.null(why)
}

look_up <- function(desk, who) {
  e <- desk$s$env
  now <- store_visit(e$store, who)
  follow_edition(e, now$edition)
  follow_control(e, now$control)
  desk$last_note <- now$note
  desk$looked <- page_time()
  now
}

# The reason why the assessor of a row of the store may not act on this page, or NULL.
why_not <- function(desk, row, lead) {
  if (!identical(row$token, desk$token) || !is_admitted(row, store_now(desk$s$env$store))) {
    "Your token is no longer valid. Ask the person who leads the judging for a new one."
  } else if (desk$spec$lead_only && !lead) {
    "This page is for the lead."
  }
}

may_lead <- function(desk) may_act(desk) && desk$lead

leave <- function(desk, why) {
  desk$spec$log("sent_away", desk$address, assessor = desk$who)
  desk$token <- desk$task <- desk$items <- NULL
  desk$become(NULL, FALSE, "judge")
  draw_screen(desk)
  show_panel(desk)
  desk$say(why, urgent = TRUE)
}
