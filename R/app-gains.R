# Judging documents on a gain scale: how the page calls the functions of a session, always for one assessor.
# A mode has next_task(assessor, first); answer(), which returns a message; skip(); undo(), which returns the parts of
# the undone task that `first` needs; release(assessor), for an assessor who switches to something else; status, a
# cached_value(); and afterwards(), for work that can wait.

gains_mode <- function(s, spec) {
  scale <- s$env$x$scale
  # The expected number of judgments takes longest to compute, so it is computed after the screen is shown.
  expected <- cached_value(function() progress(s)$expected_more)
  status <- cached_value(function() {
    now <- progress(s, expect = FALSE)
    now$expected_more <- if (isTRUE(now$goal$reached)) 0 else expected$known() %||% NA_real_
    now
  })
  list(
    screen = gains_screen,
    next_task = function(assessor, first = NULL) {
      # Assign no documents when the goal is reached.
      if (is.null(first) && isTRUE(status$get()$goal$reached)) {
        next_documents(s, 0, assessor)
        return(NULL)
      }
      held <- next_documents(s, spec$ahead, assessor)
      if (!nrow(held)) return(NULL)
      task <- held[shuffled_by_query(held, assessor, first)[1], ]
      list(id = rlang::hash(list(assessor, task$query, task$doc)), query = task$query, doc = task$doc)
    },
    answer = function(assessor, task, value, seconds) {
      gain <- gain_of_input(value, scale)
      if (is.na(gain)) abort_judicious("That is not a grade of this scale.", "argument")
      judge(s, task$query, task$doc, gain, assessor, seconds)
      paste0("Saved: ", grade_name(spec$form, gain), ".")
    },
    release = function(assessor) next_documents(s, 0, assessor),
    skip = function(assessor, task, reason) skip_document(s, task$query, task$doc, reason, assessor),
    # The document whose judgment is undone is leased to its assessor again, and comes first.
    undo = function(assessor) as.list(next_documents(undo(s, assessor), 1, assessor)),
    status = status,
    afterwards = function() {
      expected$touch()
      expected$get()
    },
    show_status = function(status, assessor) gains_status(status, assessor),
    finished = function(status) gains_finished(status)
  )
}

# Keeps the documents of a query together, in an order that does not reveal systems and ranks and that is the same after
# a reload. `first` names a held document that comes first, because its judgment was undone.
shuffled_by_query <- function(held, assessor, first = NULL) {
  at_random <- function(...) vapply(Map(list, assessor, ...), rlang::hash, "")
  again <- held$query %in% first$query & held$doc %in% first$doc
  order(!again, at_random(held$query), at_random(held$query, held$doc))
}

grade_name <- function(form, gain) {
  level <- format_level(gain)
  if (form$kind == "slider") return(level)
  label <- form$labels[match(gain, form$levels)]
  if (label == level) level else paste0(label, " (", level, ")")
}

gains_finished <- function(status) {
  if (isTRUE(status$goal$reached)) {
    return(list("The goal is reached", paste0("That was: ", status$goal$label, ". There is nothing left to judge. ",
                                              "Thank you.")))
  }
  if (isTRUE(status$open == 0)) return(list("Everything is judged", "There is nothing left to judge. Thank you."))
  list("Nothing to judge just now", "The other assessors hold what is left. This page looks again every few seconds.")
}

# A value that `get()` computes again if something changed here (`touch()`) or if it is a few seconds old, but only so
# often that the computation takes at most a tenth of the time. `now()` always computes it, `known()` never does.
cached_value <- function(compute, oldest = 5, clock = function() as.numeric(Sys.time())) {
  value <- NULL
  at <- -Inf
  took <- 0
  touched <- TRUE
  now <- function() {
    began <- clock()
    value <<- compute()
    at <<- clock()
    took <<- at - began
    touched <<- FALSE
    value
  }
  get <- function() {
    age <- clock() - at
    if ((touched || age > oldest) && age >= 10 * took) now() else value
  }
  list(touch = function() touched <<- TRUE, get = get, now = now, known = function() value)
}
