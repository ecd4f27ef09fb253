# Judging by a function that grades several documents per call, such as a language model: failed calls are repeated, and
# prompts, answers and costs are stored in the session's log.

# Returns a function of pairs for judging_loop(). `retry`: the seconds to wait before each repetition of a call.
ask_grader <- function(e, grade, assessor, retry, max_cost, call = caller_env()) {
  force(call)
  function(pairs) {
    spent <- if (is.finite(max_cost)) sum(store_rows(e$store, "event", list(kind = "cost", assessor = assessor))$gain)
    if (is.finite(max_cost) && spent >= max_cost) {
      inform_judicious(c("{.val {assessor}} has spent {format_number(spent)} of {format_number(max_cost)}.",
                         i = "A larger {.arg max_cost} continues."), "budget_spent")
      return(NULL)
    }
    ids <- pair_ids(e$x, pairs)
    ask <- function() grader_reply(grade(ids$query, ids$doc), e$x$scale, ids, call)
    reply <- repeat_failed(e, assessor, retry, ask, call)
    if (!is.null(reply)) log_reply(e, assessor, ids, reply)
    reply$gain
  }
}

# Converts the result of the function to a data frame with `gain` and, if given, `prompt`, `answer` and `cost`; NULL
# stops.
grader_reply <- function(reply, scale, ids, call) {
  if (is.null(reply)) return(NULL)
  if (!is.data.frame(reply)) reply <- data.frame(gain = reply)
  check_columns(reply, "gain", "truth", call = call)
  n <- length(ids$query)
  check_that(nrow(reply) == n, "truth", "The function {.arg truth} must return one gain per document, {n} in all, or NA
    to skip a document; it returned {nrow(reply)}.", call = call)
  if (is.logical(reply$gain) && all(is.na(reply$gain))) reply$gain <- as.numeric(reply$gain)
  given <- !is.na(reply$gain)
  check_gains(reply$gain[given], scale, ids$query[given], ids$doc[given], "truth", call = call)
  check_that(is.null(reply$cost) || is.numeric(reply$cost) && all(is.finite(reply$cost) & reply$cost >= 0), "truth",
             "The column {.val cost} that the function {.arg truth} returns must hold numbers of at least 0.",
             call = call)
  reply
}

# Logs each failure, so that the log explains delays.
repeat_failed <- function(e, assessor, retry, ask, call) {
  for (wait in c(retry, NA)) {
    failure <- tryCatch(return(ask()), error = identity)
    add_events(e, "failure", assessor, detail = conditionMessage(failure))
    if (!is.na(wait)) Sys.sleep(wait)
  }
  if (!length(retry)) stop(failure)
  abort_judicious(c("The function {.arg truth} failed {length(retry) + 1} times.",
                    i = "The judgments so far are kept; {.fn run_session} continues."),
                  "grader_failed", argument = "truth", call = call, parent = failure)
}

log_reply <- function(e, assessor, ids, reply) {
  log_column <- function(kind, ...) if (!is.null(reply[[kind]])) add_events(e, kind, assessor, ids$query, ids$doc, ...)
  store_exclusive(e$store, {
    log_column("prompt", detail = as.character(reply$prompt))
    log_column("answer", detail = as.character(reply$answer))
    log_column("cost", gain = reply$cost)
  })
}
