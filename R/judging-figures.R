# The figures of a session that its processes share: its progress as the process that estimates computed it last. Other
# processes, and a page that was just opened, show them without computing anything.

# A value that `get()` computes again if something changed here (`touch()`) or if it is a few seconds old, but only so
# often that the computation takes at most a tenth of the time. `now()` always computes it, `known()` never does; before
# the first computation, it is the result of `first`.
cached_value <- function(compute, oldest = 5, clock = function() as.numeric(Sys.time()), first = function() NULL) {
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
  list(touch = function() touched <<- TRUE, get = get, now = now, known = function() value %||% first())
}

# The progress of the session, stored for other processes every two seconds. `expected()` returns the number of further
# judgments, as far as it is known.
own_figures <- function(s, expected) {
  figures <- session_figures(s$env)
  figures$expected_more <- if (isTRUE(figures$goal$reached)) 0 else expected() %||% NA_real_
  figures$goal <- figures$goal[c("label", "value", "asked", "reached")]
  figures$agreement <- if (!is.null(figures$agreement)) figures$agreement[c("estimate", "units")]
  now <- store_now(s$env$store)
  if (now > s$env$figured + 2) {
    keep_object(s$env$store, "figures", figures)
    s$env$figured <- now
  }
  figures
}

# The figures of a process that tends the session, if it is the one that estimates.
tended_figures <- function(s) {
  expected <- cached_value(function() further_judgments(s$env))
  cached_value(function() in_lock(s$env$store, "fits", own_figures(s, expected$get)), oldest = 2)
}

# The figures that were stored last, or else those of the trace; NA for figures that it does not have.
known_figures <- function(e) {
  kept <- kept_object(e$store, "figures")
  if (!is.null(kept)) return(kept)
  trace <- store_rows(e$store, "trace")
  last <- trace[which.max(trace$event), ]
  judged <- c(last$judged, 0)[1]
  list(judged = judged, skipped = 0, open = n_pairs(e$x) - judged, goal = list(label = e$goal$label, reached = NA),
       confidence = c(last$confidence, NA)[1], expected_more = NA,
       assessors = data.frame(assessor = character(), judged = integer(), skipped = integer()), agreement = NULL)
}
