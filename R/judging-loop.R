# The judging loop: check whether to stop, select, collect the judgment, update the belief, estimate again. All judging
# uses it: run_session(), mtc(), studies, plans and simulations on the command line.

#' Run until there is a reason to stop
#'
#' @param e A session's environment.
#' @param work The source of documents and the destination of judgments: stored_work(), foreseeing_work() or
#'   direct_work().
#' @param ask A function of the numbers of pairs that returns their gains, NA to skip a pair, or NULL to stop. If
#'   `work$release()` then returns TRUE, judging goes on with other assessors.
#' @param budget Largest number of judgments.
#' @param tell A function that shows the progress of the session.
#' @param at_once Number of pairs to pass to `ask` in one call.
#' @return The reason: `"goal"`, `"budget"`, `"settled"` (no judgment can change the comparisons and systems of the
#'   goal), `"exhausted"` (nothing is left to judge) or `"judge"` (`ask` returned NULL).
#' @noRd
judging_loop <- function(e, work, ask, budget = Inf, tell = function(e) NULL, at_once = 1) {
  repeat {
    work$update()
    tell(e)
    reason <- reason_to_stop(e, budget)
    if (!is.null(reason)) return(reason)
    # A batch without limit is a whole query, which is in the queue when its first document has been taken.
    batch <- if (is.finite(e$batch)) e$batch else 1
    pairs <- work$take(max(batch, at_once), budget - length(e$sequence))
    if (!length(pairs)) return("exhausted")
    if (!judge_taken(work, pairs, ask, at_once)) return("judge")
  }
}

# Returns FALSE if `ask` stops and nobody else goes on; documents that were taken but not judged are then released.
judge_taken <- function(work, pairs, ask, at_once) {
  for (first in seq(1, length(pairs), by = at_once)) {
    group <- pairs[first:min(first + at_once - 1, length(pairs))]
    gains <- ask(group)
    if (is.null(gains)) return(isTRUE(work$release()))
    for (i in seq_along(group)) if (is.na(gains[i])) work$skip(group[i]) else work$judge(group[i], gains[i])
  }
  TRUE
}

reason_to_stop <- function(e, budget = Inf) {
  if (e$progress$reached) return("goal")
  if (length(e$sequence) >= budget) return("budget")
  if (is_settled(e)) "settled"
}

# Whether no judgment can change the comparisons and systems on which the goal depends. A goal that holds, but waits for
# more judgments, has none left, and judging goes on.
is_settled <- function(e) {
  if (!is.null(early_limit(e$progress))) return(FALSE)
  interests <- needed_interests(e$goal, e$ranking)
  is_open <- function(interest) {
    ranking <- ranking_of_interest(e$ranking, interest)
    any(interest$pairs > 0 & ranking$difference_variance > 0) || any(interest$systems > 0 & system_sd(ranking) > 0)
  }
  length(interests) > 0 && !any(vapply(interests, is_open, NA))
}

# Judging in this process only, without log, queue or leases. Documents are selected on demand, from the pairs that are
# `open`.
direct_work <- function(e, open) {
  begin_engine(e)
  add_trace(e, 0L, "start")
  list(
    update = function() fit_if_due(e),
    take = function(n, most) choose_batch(e, min(n, most), e$same_query, open)$pair,
    judge = function(pair, gain) {
      open[pair] <<- FALSE
      # A judgment must be processed completely or not at all.
      suspendInterrupts(take_judgment(e, e$trace$n, pair, gain))
    },
    skip = function(pair) open[pair] <<- FALSE,
    release = function() NULL
  )
}

# Judging with the log of the session, as one assessor.
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
    release = function() {
      release_held(e, assessor)
      FALSE
    }
  )
}

# Judging with the log of the session by several assessors: `asks` is a list of functions of pairs, named by assessors.
# Each time, the assessor with the best task is asked; those whose tasks are equally good take turns. Second judgments
# that are waiting come first. Who returns NULL is not asked again.
shared_work <- function(s, asks) {
  e <- s$env
  work <- stored_work(s, "")
  turn <- ""
  stopped <- character()
  work$take <- function(n, most) {
    left <- setdiff(names(asks), stopped)
    left <- left[(match(turn, left, 0) + seq_along(left) - 1) %% length(left) + 1]
    # Second judgments need a second assessor, whatever the first one costs.
    turns <- e$overlap > 0 && e$assessor == "these"
    while (length(left)) {
      turn <<- c(if (!turns) c(waited_for(e, left), best_tasks(e, left)$assessor), left)[1]
      pairs <- hold_documents(e, min(n, most), turn)$pair
      if (length(pairs)) return(pairs)
      left <- setdiff(left, turn)
    }
    integer()
  }
  work$judge <- function(pair, gain) judge_pairs(e, pair, gain, turn)
  work$skip <- function(pair) skip_pairs(e, pair, NA_character_, turn)
  work$release <- function() {
    release_held(e, turn)
    stopped <<- c(stopped, turn)
    length(stopped) < length(asks)
  }
  list(work = work, ask = function(pairs) asks[[turn]](pairs))
}

# Those of the assessors who can make a second judgment that is waiting.
waited_for <- function(e, assessors) {
  slots <- store_rows(e$store, "slot", list(state = "open"))
  slots <- pick_rows(slots, slots$copy > 1)
  if (!nrow(slots)) return(NULL)
  first <- store_rows(e$store, "slot", list(copy = 1L, pair = slots$pair))
  can <- function(assessor) {
    able <- pairs_for(e, assessor, again = TRUE) %||% !logical(n_pairs(e$x))
    any(first$assessor != assessor & able[first$pair])
  }
  Filter(can, assessors)
}

# A progress bar with the confidence so far, which is closed when `frame` ends.
loop_progress <- function(progress, frame = parent.frame()) {
  template <- paste("{cli::pb_spin} {cli::pb_extra$judged} judged, confidence {cli::pb_extra$confidence}",
                    "[{cli::pb_elapsed}]")
  advance <- start_progress("Judging", show = progress, format = template,
                            extra = list(judged = 0, confidence = "?"), frame = frame)
  function(e) advance(judged = length(e$sequence), confidence = sprintf("%.3f", e$trace$columns$confidence[e$trace$n]))
}

#' Run a judging session until its goal is reached
#'
#' Takes the gains of the documents that a session selects from a table or a function, until its goal is reached. Use it
#' to simulate a session whose gains are known, or to judge with a language model.
#'
#' @param session A session by [judging_session()]; for sessions by [preference_session()], see [simulate_crowd()].
#' @param truth The source of gains: a data frame with `query`, `doc` and `gain`, or its path; NULL for the judgments of
#'   the collection that the session left out; or a function of `query` and `doc` that returns a gain, NA to skip the
#'   document, or NULL to stop. For several assessors: a list of such sources, named by assessor.
#' @param assessor The name of the assessor of these judgments, one string; no effect if `truth` is a named list.
#' @param at_once For a function `truth`: the number of documents to pass to it in one call, as vectors `query` and
#'   `doc`; it then returns a vector of gains.
#' @param retry For a function `truth`: the seconds to wait before each repetition of a call that fails, or returns
#'   gains that are not on the scale, such as `c(1, 10)` for two; by default none.
#' @param max_cost For a function `truth` that returns costs: the assessor stops when his or her total cost, over all
#'   calls, reaches this.
#' @param progress Whether to show a progress bar; see the option in [judicious-package].
#' @param ... Not used.
#' @return The session, invisibly.
#' @section A language model as an assessor: A function `truth` may return a data frame with the column `gain` and any
#'   of `prompt`, `answer` (the text that the model returned) and `cost` (of each document, in any currency), which are
#'   stored with the judgments; `export_judgments(session, file, "csv", all = TRUE)` writes them, and `failure` for each
#'   failed call. For example, with a chat of package ellmer, and texts in the collection:
#'
#'   ```r
#'   ask <- grade_documents(session, ellmer::chat_openai(), consent = "api.openai.com")
#'   run_session(session, ask, assessor = "gpt", at_once = 20, retry = c(1, 10, 60), max_cost = 5)
#'   ```
#'
#'   Grades that are known beforehand should rather be the `grades` of [judging_session()].
#' @section Several assessors: With a named list of sources, such as `list(llm = ask, expert = judgments)`, the session
#'   decides after each batch who judges next: the assessor and the document, new or judged by another, whose judgment
#'   serves the goal most per unit of cost; equally useful assessors take turns. [judging_cost()] has the prices; the
#'   errors of assessors are learned from documents that several judged, so set `judging_session(overlap = )`, such as
#'   0.2. The `assessor` of the session must be the `"consensus"` or the best of them, such as `"expert"`: otherwise,
#'   all judgments are taken as right, and the cheapest assessor judges all documents. From two assessors alone, it
#'   cannot be learned whose errors are larger, unless the session refers to one of them. An assessor is not asked for a
#'   document that is not in his or her table, nor after NULL from a function.
#' @section Errors: `judicious_error_incomplete_judgments` if `truth` has no gain for a pair that is not judged yet;
#'   `judicious_error_argument` for an argument out of its range, and for a list `truth` without distinct names.
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
  check_class(session, "judicious_session", "session", c("judging_session", "preference_session"))
}

#' @rdname run_session
#' @export
run_session.judicious_session <- function(session, truth = NULL, assessor = "simulated", at_once = 1,
                                          retry = numeric(), max_cost = Inf,
                                          progress = getOption("judicious.progress", interactive()), ...) {
  check_no_more("run_session()", ...)
  check_session(session)
  check_assessor(assessor)
  check_count(at_once, "at_once")
  check_that(is.numeric(retry) && all(is.finite(retry) & retry >= 0), "retry",
             "must hold numbers of seconds, of at least 0.")
  check_number(max_cost, "max_cost", min = 0)
  check_flag(progress, "progress")
  e <- session$env
  caller <- current_env()
  source_of <- function(truth, assessor, arg) {
    if (is.function(truth)) return(ask_grader(e, truth, assessor, retry, max_cost, caller))
    ask_table(refresh(e), truth, arg, caller)
  }
  if (is.list(truth) && !is.data.frame(truth) && !is.object(truth)) {
    asks <- ask_sources(e, truth, source_of, caller)
    on.exit(e$able <- NULL)
    shared <- shared_work(session, asks)
  } else {
    ask <- source_of(truth, assessor, "truth")
    work <- stored_work(session, assessor)
    if (!is.function(truth) && can_foresee(e)) work <- foreseeing_work(e, work, ask(seq_len(n_pairs(e$x))), assessor)
    shared <- list(work = work, ask = ask)
  }
  judging_loop(e, shared$work, shared$ask, tell = loop_progress(progress), at_once = at_once)
  invisible(session)
}

# The functions that ask the sources of a named list. Sources that are tables are asked for what is in them.
ask_sources <- function(e, truth, source_of, call) {
  check_that(has_distinct_names(truth), "truth",
             "A list {.arg truth} must be named by assessors, each name different.", call = call)
  for (assessor in names(truth)) check_assessor(assessor, call)
  asks <- suppressWarnings(Map(source_of, truth, names(truth), paste0("truth$", names(truth))),
                           classes = "judicious_warning_incomplete_judgments")
  e$able <- lapply(asks[!vapply(truth, is.function, NA)], function(ask) function() !is.na(ask(seq_len(n_pairs(e$x)))))
  if (length(e$able) == length(asks)) warn_without_gain(!Reduce(`|`, lapply(e$able, function(able) able())))
  asks
}

# `arg`: the name of the table in messages. A table of a list may serve for second judgments.
ask_table <- function(e, truth, arg, call = caller_env()) {
  gain <- simulated_gains(e$x, truth, call, arg)
  check_that(arg != "truth" || !anyNA(e$gain) || any(is.na(e$gain) & !is.na(gain)), "truth", c(
    "has no gain that the session does not have already.",
    i = "{.code judging_session(judgments = FALSE)} begins a session that knows nothing of the judgments of its
      collection."
  ), kind = "incomplete_judgments", call = call)
  edition <- e$edition
  function(pair) {
    if (e$edition != edition) {
      gain <<- simulated_gains(e$x, truth, call, arg)
      edition <<- e$edition
    }
    gain[pair]
  }
}

# The gain of each pair of the pool in a simulated session; pairs without one cannot be selected.
simulated_gains <- function(x, truth, call = caller_env(), arg = "truth") {
  gain <- judgments_or_own(x, truth, arg, call)
  check_that(!all(is.na(gain)), arg, c(
    "has no gain for any pair of the pool.",
    i = "Give gains to look up, or a function of query and document that returns one."
  ), kind = "incomplete_judgments", call = call)
  warn_without_gain(is.na(gain))
  gain
}

# `lacking`: whether each pair of the pool has no gain.
warn_without_gain <- function(lacking) {
  if (!any(lacking)) return(invisible())
  warn_judicious(c(
    "{format_count(sum(lacking))} of the {format_count(length(lacking))} pairs of the pool have no gain in
      {.arg truth} and cannot be judged.",
    i = "They keep their estimates; the accuracy of the ranking is not known."
  ), "incomplete_judgments", missing = sum(lacking))
}
