#' Judge until a goal is reached
#'
#' Has the documents of a session judged, by known gains or by a function, until its goal is reached, or until no
#' judgment can change what the goal asks for, as where all systems retrieved the same.
#'
#' @param session A session by [judging_session()]; for that of [preference_session()], see [simulate_crowd()].
#' @param judgments Where gains come from: a data frame with `query`, `doc`, `gain` or the path of such a file (a
#'   simulated session); NULL for the collection's own judgments; or a function of `query` and `doc` that returns a
#'   gain, NA to pass a document over, or NULL to stop.
#' @param assessor In whose name.
#' @param progress TRUE shows a progress bar.
#' @param ... For methods.
#' @return The session, invisibly.
#' @seealso [calibration()], [ranking()].
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' session <- judging_session(x, goal = goal_mean(0.9) | goal_budget(30), seed = 1)
#' run_session(session)
#' session
#' calibration(session)
#' @export
run_session <- function(session, ...) UseMethod("run_session")

#' @export
run_session.default <- function(session, ...) {
  abort_judicious("{.arg session} must be made by {.fn judging_session} or {.fn preference_session}, but is
    {.obj_type_friendly {session}}.", "argument", argument = "session")
}

#' @rdname run_session
#' @export
run_session.judicious_session <- function(session, judgments = NULL, assessor = "simulated", progress = interactive(),
                                          ...) {
  check_session(session)
  check_assessor(assessor)
  check_flag(progress, "progress")
  e <- session$env
  ask <- if (is.function(judgments)) judge_with(e$x, judgments) else known_gains(e$x, judgments)
  bar <- if (progress) cli::cli_progress_bar("Judging", clear = TRUE)
  repeat {
    if (goal_reached(session) || is_settled(e)) break
    documents <- next_documents(session, e$batch, assessor)
    if (!nrow(documents)) break
    for (i in seq_len(nrow(documents))) {
      gain <- ask(documents$query[i], documents$doc[i])
      if (is.null(gain)) {
        release_documents(session, assessor)
        return(invisible(session))
      }
      if (is.na(gain)) {
        skip(session, documents$query[i], documents$doc[i], assessor = assessor)
      } else {
        judge(session, documents$query[i], documents$doc[i], gain, assessor)
      }
    }
    if (progress) cli::cli_progress_update(id = bar)
  }
  invisible(session)
}

# No judgment can change what the goal asks for.
is_settled <- function(e) {
  wants <- e$goal$interest(e$ranking)
  open <- function(wanted) {
    any(wanted$pairs > 0 & e$ranking$difference_variance > 0) || any(wanted$systems > 0 & system_sd(e$ranking) > 0)
  }
  length(wants) > 0 && !any(vapply(wants, open, NA))
}

# With coefficients and variances of all judgments so far.
goal_reached <- function(s) {
  e <- s$env
  update_estimates(s)
  e$aim$reached
}

known_gains <- function(x, judgments, call = caller_env()) {
  known <- simulated_gains(x, judgments, call)
  function(query, doc) known[find_pairs(x, query, doc)]
}

# A person's gain for a document: NULL ends the session, NA passes over.
judge_with <- function(x, ask, call = caller_env()) {
  force(call)
  function(query, doc) {
    gain <- ask(query, doc)
    if (is.null(gain) || (length(gain) == 1 && is.na(gain))) return(gain)
    check_gains(gain, x$scale, query, doc, "judgments", call = call)
    if (length(gain) != 1) {
      abort_judicious("The function {.arg judgments} must return one gain, NA or NULL, not {length(gain)} values.",
                      "argument",
                      argument = "judgments", call = call)
    }
    gain
  }
}
