# The figures of a session that its processes share: its progress as the process that estimates computed it last. Other
# processes, and a page that was just opened, show them without computing anything.

# A value that `get()` computes again if something changed here (`touch()`) or if it is a few seconds old, but only so
# often that the computation takes at most a tenth of the time. `now()` always computes it, `known()` never does; before
# the first computation, it is the result of `first`.
cached_value <- function(compute, oldest = 5, clock = function() as.numeric(Sys.time()), first = function() NULL) {
  value <- NULL
  computed_at <- -Inf
  took <- 0
  touched <- TRUE
  now <- function() {
    began <- clock()
    value <<- compute()
    computed_at <<- clock()
    took <<- computed_at - began
    touched <<- FALSE
    value
  }
  current <- function() {
    age <- clock() - computed_at
    if ((touched || age > oldest) && age >= 10 * took) now() else value
  }
  list(touch = function() touched <<- TRUE, get = current, now = now, known = function() value %||% first())
}

# The progress of the session, stored for other processes every two seconds. `expected()` returns the number of further
# judgments, as far as it is known.
own_figures <- function(s, expected) {
  figures <- session_figures(s$env)
  figures$expected_more <- if (isTRUE(figures$goal$reached)) 0 else expected() %||% NA_real_
  figures$goal <- stored_goal(figures$goal)
  figures$goal$parts <- lapply(figures$goal$parts, stored_goal)
  figures$agreement <- if (!is.null(figures$agreement)) figures$agreement[c("estimate", "units", "se")]
  now <- store_now(s$env$store)
  if (now > s$env$figured + 2) {
    keep_object(s$env$store, "figures", figures)
    s$env$figured <- now
  }
  figures
}

# Custom goals may return more, which cannot be stored.
stored_goal <- function(goal) {
  goal[intersect(c("label", "value", "asked", "reached", "met", "early", "waits", "paused", "parts", "judgments", "end",
                   "reopened"), names(goal))]
}

# The figures that were stored last, or else those of the trace; NA for figures that it does not have.
known_figures <- function(e) {
  kept <- kept_object(e$store, "figures")
  if (!is.null(kept)) return(kept)
  stored <- store_rows(e$store, "trace")
  last <- stored[which.max(stored$event), ]
  judged <- c(last$judged, 0)[1]
  list(judged = judged, skipped = 0, open = n_pairs(e$x) - judged, goal = list(label = e$goal$label, reached = NA),
       confidence = c(last$confidence, NA)[1], expected_more = NA,
       assessors = data.frame(assessor = character(), judged = integer(), skipped = integer()), agreement = NULL)
}

#' Select documents for a session in the background
#'
#' Keeps documents selected ahead and the estimates up to date. Run it in a process of its own, which opens the session,
#' if many assessors judge at the same time or the pool is large. The page of [judge_app()] then shows its figures. If
#' the queue runs empty, people get random documents, which count as audits. With a `batch` below 4, nothing is selected
#' ahead.
#'
#' @param session A session by [judging_session()].
#' @param seconds For how many seconds to run. It ends earlier if nothing is left to judge, but not if the goal is
#'   reached, because a lead can set another one.
#' @param every Number of seconds between two checks.
#' @return `session`, invisibly.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, batch = 10, seed = 1, judgments = FALSE)
#' prefetch_documents(s, seconds = 0)
#' next_documents(s)
#' @export
prefetch_documents <- function(session, seconds = Inf, every = 0.25) {
  check_class(session, "judicious_session", "session", "judging_session")
  check_number(seconds, "seconds", min = 0)
  check_number(every, "every", min = 0, max = Inf, open = TRUE)
  e <- session$env
  on.exit(store_unlock(e$store, "fits"))
  expected <- cached_value(function() further_judgments(e))
  # If this is the process that estimates.
  figures <- cached_value(function() in_lock(e$store, "fits", own_figures(session, expected$get)), oldest = 2)
  deadline <- Sys.time() + seconds
  repeat {
    check_session(session)
    # Also after the connection was lost, or when the process that had the lock has ended.
    store_lock(e$store, "fits")
    left <- fill_or_update(e)
    figures$get()
    if (!left || Sys.time() >= deadline) break
    Sys.sleep(every)
  }
  invisible(session)
}
