# The judging loop: look whether to stop, choose, have judged, take in, estimate again. Everything that judges goes
# through it: run_session(), mtc(), studies, plans and simulations on the command line.

#' Runs until there is a reason to stop
#'
#' @param e A session's environment.
#' @param work How documents come and judgments go, by stored_work(), direct_work() or known_work().
#' @param ask A function of a pair's number that returns its gain, NA to pass it over, or NULL to stop.
#' @param budget No more judgments than that.
#' @param tell A function that shows how far the session is.
#' @return The reason: `"goal"`, `"budget"`, `"settled"` (no judgment can change what the goal looks at),
#'   `"exhausted"` (nothing left that could be judged) or `"judge"` (`ask` returned NULL).
#' @noRd
judging_loop <- function(e, work, ask, budget = Inf, tell = function(e) NULL) {
  repeat {
    work$update()
    tell(e)
    reason <- reason_to_stop(e, budget)
    if (!is.null(reason)) return(reason)
    pairs <- work$take(e$batch, budget - length(e$sequence))
    if (!length(pairs)) return("exhausted")
    for (pair in pairs) {
      gain <- ask(pair)
      if (is.null(gain)) {
        work$release()
        return("judge")
      }
      if (is.na(gain)) work$skip(pair) else work$judge(pair, gain)
    }
  }
}

reason_to_stop <- function(e, budget = Inf) {
  if (e$aim$reached) return("goal")
  if (length(e$sequence) >= budget) return("budget")
  if (is_settled(e)) "settled"
}

# No judgment can change what the goal looks at.
is_settled <- function(e) {
  interests <- e$goal$interest(e$ranking)
  open <- function(interest) {
    ranking <- ranking_of_interest(e$ranking, interest)
    any(interest$pairs > 0 & ranking$difference_variance > 0) || any(interest$systems > 0 & system_sd(ranking) > 0)
  }
  length(interests) > 0 && !any(vapply(interests, open, NA))
}

# Judging in this process alone, with no log, queue or leases: documents are chosen when they are asked for. Pairs that
# are not `open` are never chosen.
direct_work <- function(e, open) {
  begin_engine(e)
  add_trace(e, 0L, "start")
  list(
    update = function() fit_if_due(e),
    take = function(n, most) choose_batch(e, min(n, most), e$same_query, open)$pair,
    judge = function(pair, gain) {
      open[pair] <<- FALSE
      # A judgment is taken in as a whole, or not at all.
      suspendInterrupts(take_judgment(e, e$trace$n, pair, gain))
    },
    skip = function(pair) open[pair] <<- FALSE,
    release = function() NULL
  )
}

# Judging in this process where the gains of all pairs are known, NA for those that cannot be judged.
known_work <- function(e, gain) {
  work <- direct_work(e, !is.na(gain))
  if (can_foresee(e)) foreseeing_work(e, work, gain) else work
}

# Judging with the session's log, as one assessor.
stored_work <- function(s, assessor) {
  e <- s$env
  list(
    update = function() {
      follow_session(e)
      update_estimates(e)
    },
    take = function(n, most) hold_documents(e, min(n, most), assessor)$pair,
    judge = function(pair, gain) judge_pairs(e, pair, gain, assessor),
    skip = function(pair) skip_pairs(e, pair, NA_character_, assessor),
    release = function() release_held(e, assessor)
  )
}

# A progress bar with the confidence so far; it lives as long as the frame it was made for.
loop_progress <- function(progress, frame = parent.frame()) {
  format <- paste("{cli::pb_spin} {cli::pb_extra$judged} judged, confidence {cli::pb_extra$confidence}",
                  "[{cli::pb_elapsed}]")
  step <- start_progress("Judging", show = progress, format = format,
                         extra = list(judged = 0, confidence = "?"), frame = frame)
  function(e) step(judged = length(e$sequence), confidence = sprintf("%.3f", e$trace$columns$confidence[e$trace$n]))
}

#' Judge until a goal is reached
#'
#' Has the documents of a session judged, by known gains or by a function, until its goal is reached, or until no
#' judgment can change what the goal looks at, as where all systems retrieved the same.
#'
#' @param session A session by [judging_session()]; for that of [preference_session()], see [simulate_crowd()].
#' @param truth Where gains come from, which the session does not know before it has asked: a data frame with `query`,
#'   `doc`, `gain` or the path of such a file; NULL for the judgments of the collection that the session left out; or a
#'   function of `query` and `doc` that returns a gain, NA to pass a document over, or NULL to stop.
#' @param assessor In whose name.
#' @param progress TRUE shows a progress bar. The default is the option `judicious.progress`, or TRUE in interactive
#'   sessions; the option applies to all functions of the package.
#' @param ... For methods.
#' @return The session, invisibly.
#' @seealso [calibration()], [rank_systems()].
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' session <- judging_session(x, goal = goal_mean(0.9) | goal_budget(30), seed = 1, judgments = FALSE)
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
run_session.judicious_session <- function(session, truth = NULL, assessor = "simulated",
                                          progress = getOption("judicious.progress", interactive()),
                                          ...) {
  check_no_more("run_session()", ...)
  check_session(session)
  check_assessor(assessor)
  check_flag(progress, "progress")
  e <- session$env
  ask <- if (is.function(truth)) ask_person(e, truth) else ask_table(refresh(e), truth)
  judging_loop(e, stored_work(session, assessor), ask, tell = loop_progress(progress))
  invisible(session)
}

ask_table <- function(e, truth, call = caller_env()) {
  gain <- simulated_gains(e$x, truth, call)
  if (anyNA(e$gain) && !any(is.na(e$gain) & !is.na(gain))) {
    abort_judicious(c(
      "{.arg truth} has no gain that the session does not have already.",
      i = "{.code judging_session(judgments = FALSE)} begins a session that knows nothing of the judgments of its
        collection."
    ), "incomplete_judgments", argument = "truth", call = call)
  }
  edition <- e$edition
  function(pair) {
    if (e$edition != edition) {
      gain <<- simulated_gains(e$x, truth, call)
      edition <<- e$edition
    }
    gain[pair]
  }
}

# A person's gain for a document: NULL ends the session, NA passes over.
ask_person <- function(e, judge, call = caller_env()) {
  force(call)
  function(pair) {
    ids <- pair_ids(e$x, pair)
    gain <- judge(ids$query, ids$doc)
    if (is.null(gain) || (is.atomic(gain) && length(gain) == 1 && is.na(gain))) return(gain)
    if (length(gain) != 1) {
      abort_judicious("The function {.arg truth} must return one gain, NA or NULL, not {length(gain)} values.",
                      "argument", argument = "truth", call = call)
    }
    check_gains(gain, e$x$scale, ids$query, ids$doc, "truth", call = call)
    gain
  }
}

# The gain of each pair of the pool in a simulated session; pairs without one cannot be selected.
simulated_gains <- function(x, truth, call = caller_env()) {
  gain <- judgments_or_own(x, truth, "truth", call)
  lacking <- sum(is.na(gain))
  if (lacking == length(gain)) {
    abort_judicious(c(
      "{.arg truth} has no gain for any pair of the pool.",
      i = "Give gains to look up, or a function of query and document that returns one."
    ), "incomplete_judgments", argument = "truth", call = call)
  }
  if (lacking) {
    warn_judicious(c(
      paste0(
        "{format_count(lacking)} of the {format_count(length(gain))} pairs of the pool have no gain in ",
        "{.arg truth} and cannot be judged."
      ),
      i = "They keep their estimates; the accuracy of the ranking is not known."
    ), "incomplete_judgments", missing = lacking)
  }
  gain
}
