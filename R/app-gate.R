# Checks before every action on the page: whether the token is still valid.

# Whether the person who is logged in may act. Tokens can expire, be revoked or replaced, and roles can change, so this
# is checked for every action; a person who has lost the right is logged out. Changes of the session by others are
# adopted at the same time.
may_act <- function(desk) {
  who <- desk$who
  if (is.null(who)) return(FALSE)
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
