# Judging by a function that grades several documents per call, such as a language model. Failed calls are repeated;
# prompts, answers and costs are stored in the session's log.

# Returns a function that judges pairs, for judging_loop(). `retry`: the seconds to wait before each repetition of a
# call.
ask_grader <- function(engine, grade, assessor, retry, max_cost) {
  function(pairs) {
    of_cost <- list(kind = "cost", assessor = assessor)
    spent <- if (is.finite(max_cost)) sum(store_rows(engine$store, "event", of_cost)$gain)
    if (is.finite(max_cost) && spent >= max_cost) {
      inform_judicious(c("{.val {assessor}} has spent {format_number(spent)} of {format_number(max_cost)}.",
                         i = "A larger {.arg max_cost} continues."), "budget_spent")
      return(NULL)
    }
    ids <- pair_ids(engine$x, pairs)
    ask <- function() grader_reply(grade(ids$query, ids$doc), engine$x$scale, ids)
    reply <- repeat_failed(engine, assessor, retry, ask)
    if (!is.null(reply)) log_reply(engine, assessor, ids, reply)
    reply$gain
  }
}

# Converts the result of the grading function (`truth` in run_session()) to a data frame with `gain` and, if there are
# any, `prompt`, `answer` and `cost`. NULL, by which the function ends judging, is returned as it is.
grader_reply <- function(reply, scale, ids) {
  if (is.null(reply)) return(NULL)
  if (!is.data.frame(reply)) reply <- data.frame(gain = reply)
  reply <- check_columns(reply, "gain", "truth")
  n <- length(ids$query)
  check_that(nrow(reply) == n, "truth", "The function {.arg truth} must return one gain per document, {n} in all, or NA
    to skip a document; it returned {nrow(reply)}.")
  if (is.logical(reply$gain) && all(is.na(reply$gain))) reply$gain <- as.numeric(reply$gain)
  answered <- !is.na(reply$gain)
  reply$gain[answered] <- check_gains(reply$gain[answered], scale, ids$query[answered], ids$doc[answered], "truth")
  cost <- reply[["cost"]]
  check_that(is.null(cost) || is.numeric(cost) && all(is.finite(cost) & cost >= 0), "truth",
             "The column {.val cost} that the function {.arg truth} returns must hold numbers of at least 0.")
  reply
}

# Repeats a call that fails. Each failure is logged, so that the log explains delays.
repeat_failed <- function(engine, assessor, retry, ask) {
  for (wait in c(retry, NA)) {
    failure <- tryCatch(return(ask()), error = identity)
    add_events(engine, "failure", assessor, detail = conditionMessage(failure))
    if (!is.na(wait)) Sys.sleep(wait)
  }
  if (!length(retry)) stop(failure)
  abort_judicious(c("The function {.arg truth} failed {length(retry) + 1} times.",
                    i = "The judgments so far are kept; {.fn run_session} continues."),
                  "grader_failed", argument = "truth", parent = failure)
}

log_reply <- function(engine, assessor, ids, reply) {
  log_column <- function(kind, ...) {
    if (!is.null(reply[[kind]])) add_events(engine, kind, assessor, ids$query, ids$doc, ...)
  }
  store_exclusive(engine$store, {
    log_column("prompt", detail = as.character(reply$prompt))
    log_column("answer", detail = as.character(reply$answer))
    log_column("cost", gain = reply$cost)
  })
}

# Processing many judgments at once. If gains are known beforehand, the order of the documents rarely changes, and the
# goal needs only the comparisons of systems, the belief can compute the effect of the next judgments on the comparisons
# in one call, which saves running R code after every judgment. Belief, goal and trace are the same as judgment by
# judgment.

# Whether the next judgment is always that of the next document in order, and without error: only this process writes to
# the session, which is in memory, and no documents are drawn for audits or second judgments. Batches are excluded,
# because their documents are chosen before any of them is judged.
follows_order_alone <- function(engine) {
  in_memory(engine$store) && engine$audit == 0 && engine$overlap == 0 && engine$assessor == "these" && engine$batch == 1
}

# Whether the effects of judgments can be computed ahead (foreseen). The order of the documents must be fixed, or change
# only if `strategy$basis()` does, on which the scores of the strategy depend; and the goal must need only the
# comparisons of systems.
can_foresee <- function(engine) {
  has_lasting_order <- !is.null(engine$order) ||
    (!is.null(engine$strategy$basis) && engine$cost$new_query == 0 && !is.null(engine$tie))
  follows_order_alone(engine) && has_lasting_order && !is.null(engine$goal$of_comparisons) &&
    engine$goal$delta == engine$delta && !is.null(belief_foresee(engine$belief, integer(), numeric(), engine$delta))
}

# Changes `work` of stored_work() for a session in memory whose gains are known (`gain`, NA for pairs that cannot be
# judged). It takes as many documents at a time as can be foreseen, and processes them when the last of them is judged.
foreseeing_work <- function(engine, work, gain, assessor) {
  is_open <- free_pairs(engine, store_rows(engine$store, "slot")) & !is.na(gain)
  sorted <- engine$order
  basis <- ahead <- NULL
  work$take <- function(n, max_pairs) {
    if (!is.null(engine$strategy$basis)) {
      new_basis <- engine$strategy$basis(compare_pairs(engine$ranking))
      if (!identical(new_basis, basis)) {
        basis <<- new_basis
        score <- engine$strategy$score(engine$belief, engine$ranking, engine$goal, engine$cost$judgment)
        sorted <<- sorted_pairs(score, engine$tie, which(is_open))
      }
    }
    pairs <- next_in_order(sorted, min(max_pairs, judgments_ahead(engine)), is_open)$pair
    if (!length(pairs)) return(pairs)
    ahead <<- foresee_judgments(engine, pairs, gain[pairs], basis)
    ahead$pair
  }
  work$judge <- function(pair, gain) {
    is_open[pair] <<- FALSE
    if (pair == ahead$pair[length(ahead$pair)]) suspendInterrupts(process_foreseen(engine, ahead, assessor))
  }
  work
}

# Number of judgments up to the next estimation, limited so that the comparisons take a few MB at most.
judgments_ahead <- function(engine) {
  limit <- max(1, min(64, 2^20 %/% length(engine$ranking$covariance)))
  is_refit_due <- function(n) belief_due(engine$belief, length(engine$sequence) + n, engine$fitted, engine$update_every)
  Position(is_refit_due, seq_len(limit), nomatch = limit)
}

# Judges these pairs up to the first after which there is a reason to stop, or after which `strategy$basis()` differs
# from `basis`, so that the order changes.
foresee_judgments <- function(engine, pairs, gains, basis) {
  before <- belief_pairs(engine$belief, pairs)
  foreseen <- belief_foresee(engine$belief, pairs, gains, engine$delta)
  judged <- length(engine$sequence)
  checks_settled <- length(engine$goal$interest(engine$ranking)) > 0
  settled <- checks_settled & colSums(foreseen$variance > 0) == 0
  value <- numeric()
  for (i in seq_along(pairs)) {
    compared <- comparisons_after(foreseen, i)
    state <- engine$goal$of_comparisons(compared, judged + i)
    value[i] <- state$value
    if (state$reached || settled[i]) break
    if (!is.null(basis) && !identical(engine$strategy$basis(compared), basis)) break
  }
  taken <- seq_along(value)
  if (i < length(pairs)) foreseen <- belief_foresee(engine$belief, pairs[taken], gains[taken], engine$delta)
  list(pair = pairs[taken], gain = gains[taken], expected = before$mean[taken], sd = sqrt(before$variance[taken]),
       value = value, foreseen = foreseen)
}

# The comparisons after the first `i` judgments, from the result of belief_foresee().
comparisons_after <- function(foreseen, i) {
  lapply(foreseen[c("difference", "variance", "confidence")], function(values) values[, i])
}

# Logs several judgments, and updates the state for each of them as process_judgment() does.
process_foreseen <- function(engine, ahead, assessor) {
  n <- length(ahead$pair)
  open_slots(engine, quick_frame(pair = ahead$pair, audit = 0L, overlap = 0L, place = 0), 1L)
  judge_pairs(engine, ahead$pair, ahead$gain, assessor)
  event <- store_rows(engine$store, "event", list(kind = "judge"), after = engine$seen)$id
  memory_add(engine$judgments, quick_frame(event = event, pair = ahead$pair, gain = ahead$gain, assessor = assessor))
  confidence <- vapply(seq_len(n), function(i) mean_confidence(comparisons_after(ahead$foreseen, i)), 0)
  memory_add(engine$trace, quick_frame(
    event = event, kind = "judge", judged = length(engine$sequence) + seq_len(n),
    cost = engine$cost$judgment * (count_judgments(engine) - n + seq_len(n)), value = ahead$value,
    confidence = confidence,
    mean = ahead$expected, sd = ahead$sd
  ))
  engine$belief <- ahead$foreseen$belief
  engine$gain[ahead$pair] <- ahead$gain
  engine$sequence <- c(engine$sequence, ahead$pair)
  engine$seen <- event[n]
  update_ranking(engine)
}

# The judging loop: check whether to stop, select, collect the judgment, update the belief, estimate again.
# run_session(), mtc(), studies, plans and simulations on the command line all use it.

#' Run until there is a reason to stop
#'
#' The loop ends when the goal is reached or the budget is spent, when no judgment can change the comparisons and
#' systems of the goal, when nothing is left to judge, or when `ask` stops.
#'
#' @param engine A session's engine.
#' @param work The source of documents and the destination of judgments: stored_work(), foreseeing_work() or
#'   direct_work().
#' @param ask A function of the numbers of pairs that returns their gains, NA to skip a pair, or NULL to stop. If
#'   `work$release()` then returns TRUE, judging goes on with other assessors.
#' @param budget Largest number of judgments.
#' @param tell A function that shows the progress of the session.
#' @param at_once Number of pairs to pass to `ask` in one call.
#' @noRd
judging_loop <- function(engine, work, ask, budget = Inf, tell = function(engine) NULL, at_once = 1) {
  repeat {
    work$update()
    tell(engine)
    if (engine$progress$reached || length(engine$sequence) >= budget || is_settled(engine)) break
    # With an unlimited batch, a batch is a whole query: taking its first document puts all its documents into the
    # queue.
    batch <- if (is.finite(engine$batch)) engine$batch else 1
    pairs <- work$take(max(batch, at_once), budget - length(engine$sequence))
    if (!length(pairs) || !judge_taken(work, pairs, ask, at_once)) break
  }
}

# Judges the documents that were taken, `at_once` of them at a time. Returns FALSE if `ask` stops and no other assessor
# continues; documents that were taken but not judged are then released.
judge_taken <- function(work, pairs, ask, at_once) {
  for (first in seq(1, length(pairs), by = at_once)) {
    group <- pairs[first:min(first + at_once - 1, length(pairs))]
    gains <- ask(group)
    if (is.null(gains)) return(isTRUE(work$release()))
    for (i in seq_along(group)) if (is.na(gains[i])) work$skip(group[i]) else work$judge(group[i], gains[i])
  }
  TRUE
}

# Whether no judgment can change the comparisons and systems on which the goal depends. A goal that is met but waits for
# more judgments depends on no comparison, and yet judging continues.
is_settled <- function(engine) {
  if (!is.null(early_limit(engine$progress))) return(FALSE)
  interests <- needed_interests(engine$goal, engine$ranking)
  is_open <- function(interest) {
    ranking <- ranking_of_interest(engine$ranking, interest)
    any(interest$pairs > 0 & ranking$difference_variance > 0) || any(interest$systems > 0 & system_sd(ranking) > 0)
  }
  length(interests) > 0 && !any(vapply(interests, is_open, NA))
}

# Judging in this process only, without log, queue or leases. Documents are selected on demand from the `open` pairs.
direct_work <- function(engine, open) {
  begin_engine(engine)
  add_trace(engine, 0L, "start")
  list(
    update = function() fit_if_due(engine),
    take = function(n, max_pairs) choose_batch(engine, min(n, max_pairs), engine$same_query, open)$pair,
    judge = function(pair, gain) {
      open[pair] <<- FALSE
      # An interrupt must not leave a judgment half processed.
      suspendInterrupts(process_judgment(engine, engine$trace$n, pair, gain))
    },
    skip = function(pair) open[pair] <<- FALSE,
    release = function() NULL
  )
}

# Judging with the log of the session. `who()` returns the name of the assessor.
stored_work <- function(engine, who) {
  list(update = function() {
         follow_session(engine)
         update_estimates(engine)
       },
       take = function(n, max_pairs) hold_documents(engine, min(n, max_pairs), who())$pair,
       judge = function(pair, gain) judge_pairs(engine, pair, gain, who()),
       skip = function(pair) skip_pairs(engine, pair, NA_character_, who()),
       release = function() {
         release_held_documents(engine, who())
         FALSE
       })
}

# Judging with the log of the session by several assessors. `asks`: a list of functions that judge pairs, named by
# assessors. In each round, the assessor with the best task is asked; assessors whose tasks are equally good take turns.
# Second judgments that have been requested come first. An assessor whose function returns NULL is not asked again.
shared_work <- function(engine, asks) {
  assessor <- ""
  work <- stored_work(engine, function() assessor)
  stopped <- character()
  work$take <- function(n, max_pairs) {
    waiting <- setdiff(names(asks), stopped)
    waiting <- waiting[(match(assessor, waiting, 0) + seq_along(waiting) - 1) %% length(waiting) + 1]
    # Without a model of errors, assessors take turns even if one of them is cheaper, because second judgments need a
    # second assessor.
    takes_turns <- engine$overlap > 0 && engine$assessor == "these"
    while (length(waiting)) {
      preferred <- if (!takes_turns) c(awaited_assessors(engine, waiting), best_tasks(engine, waiting)$assessor)
      assessor <<- c(preferred, waiting)[1]
      pairs <- hold_documents(engine, min(n, max_pairs), assessor)$pair
      if (length(pairs)) return(pairs)
      waiting <- setdiff(waiting, assessor)
    }
    integer()
  }
  work$release <- function() {
    release_held_documents(engine, assessor)
    stopped <<- c(stopped, assessor)
    length(stopped) < length(asks)
  }
  list(work = work, ask = function(pairs) asks[[assessor]](pairs))
}

# Those of the `assessors` who can make one of the second judgments that the session has requested.
awaited_assessors <- function(engine, assessors) {
  slots <- store_rows(engine$store, "slot", list(state = "open"))
  slots <- pick_rows(slots, slots$copy > 1)
  if (!nrow(slots)) return(NULL)
  first <- store_rows(engine$store, "slot", list(copy = 1L, pair = slots$pair))
  can_judge_again <- function(assessor) {
    allowed <- rep_len(assignable_pairs(engine, assessor, again = TRUE), n_pairs(engine$x))
    any(first$assessor != assessor & allowed[first$pair])
  }
  Filter(can_judge_again, assessors)
}

# A progress bar with the confidence so far; it is closed when `frame` ends.
loop_progress <- function(progress, frame = parent.frame()) {
  template <- paste("{cli::pb_spin} {cli::pb_extra$judged} judged, confidence {cli::pb_extra$confidence}",
                    "[{cli::pb_elapsed}]")
  advance <- start_progress("Judging", show = progress, format = template,
                            extra = list(judged = 0, confidence = "?"), frame = frame)
  function(engine) advance(judged = length(engine$sequence),
                           confidence = sprintf("%.3f", engine$trace$columns$confidence[engine$trace$n]))
}

#' Run a judging session until its goal is reached
#'
#' Records gains from a table or a function for the documents that a session selects, until its goal is reached: to
#' simulate a session, or to judge with a language model.
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
#' @param max_cost For a function `truth` that returns costs: the assessor stops when its cost over all calls reaches
#'   this.
#' @param progress Whether to show a progress bar.
#' @param ... Not used.
#' @return The session, invisibly.
#' @section A language model as an assessor: A function `truth` may return a data frame with the column `gain` and any
#'   of `prompt`, `answer` (the text that the model returned) and `cost` (of each document, in any currency), which are
#'   stored with the judgments; `export_judgments(session, file, "csv", all = TRUE)` writes them, and `failure` of
#'   failed calls. For example, with a chat of package ellmer, and texts in the collection:
#'
#'   ```r
#'   ask <- grade_documents(session, ellmer::chat_openai(), consent = "api.openai.com")
#'   run_session(session, ask, assessor = "gpt", at_once = 20, retry = c(1, 10, 60), max_cost = 5)
#'   ```
#'
#'   Pass grades that are known beforehand as `grades` of [judging_session()].
#' @section Several assessors: With a named list of sources, such as `list(llm = ask, expert = judgments)`, the session
#'   decides after each batch which assessor judges which document, new or judged by another, so that the judgment
#'   serves the goal most per unit of cost. [judging_cost()] has the prices; the errors of assessors are learned from
#'   documents that several judged, so set `judging_session(overlap = )`, such as 0.2. The `assessor` of the session
#'   must be the `"consensus"` or the best of them, such as `"expert"`: otherwise, all judgments are taken as right,
#'   and the cheapest assessor judges all. From two assessors alone, it cannot be learned whose errors are larger,
#'   unless the session refers to one of them.
#' @section Errors: `judicious_error_incomplete_judgments` if `truth` lacks the gain of an unjudged pair.
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
  refuse_other_arguments("run_session()", ...)
  check_session(session)
  check_assessor(assessor)
  check_count(at_once, "at_once")
  check_that(is.numeric(retry) && all(is.finite(retry) & retry >= 0), "retry",
             "must hold numbers of seconds, of at least 0.")
  check_number(max_cost, "max_cost", min = 0)
  check_flag(progress, "progress")
  engine <- session$engine
  source_of <- function(truth, assessor, arg) {
    if (is.function(truth)) return(ask_grader(engine, truth, assessor, retry, max_cost))
    ask_table(refresh(engine), truth, arg)
  }
  if (is.list(truth) && !is.data.frame(truth) && !is.object(truth)) {
    asks <- ask_sources(engine, truth, source_of)
    on.exit(engine$able <- NULL)
    shared <- shared_work(engine, asks)
  } else {
    ask <- source_of(truth, assessor, "truth")
    work <- stored_work(engine, function() assessor)
    if (!is.function(truth) && can_foresee(engine)) {
      work <- foreseeing_work(engine, work, ask(seq_len(n_pairs(engine$x))), assessor)
    }
    shared <- list(work = work, ask = ask)
  }
  judging_loop(engine, shared$work, shared$ask, tell = loop_progress(progress), at_once = at_once)
  invisible(session)
}

# The functions that obtain judgments from each source of a named list. A source that is a table is asked only for the
# pairs that it contains.
ask_sources <- function(engine, truth, source_of) {
  check_that(has_distinct_names(truth), "truth",
             "A list {.arg truth} must be named by assessors, each name different.")
  for (assessor in names(truth)) check_assessor(assessor)
  asks <- suppressWarnings(Map(source_of, truth, names(truth), paste0("truth$", names(truth))),
                           classes = "judicious_warning_incomplete_judgments")
  engine$able <- lapply(asks[!vapply(truth, is.function, NA)],
                        function(ask) function() !is.na(ask(seq_len(n_pairs(engine$x)))))
  if (length(engine$able) == length(asks)) warn_without_gain(!Reduce(`|`, lapply(engine$able, function(able) able())))
  asks
}

# A function that takes judgments from a table. `arg`: the name of the table in messages.
ask_table <- function(engine, truth, arg) {
  gain <- simulated_gains(engine$x, truth, arg)
  check_that(arg != "truth" || !anyNA(engine$gain) || any(is.na(engine$gain) & !is.na(gain)), "truth", c(
    "has no gain that the session does not have already.",
    i = "{.code judging_session(judgments = FALSE)} begins a session that knows nothing of the judgments of its
      collection."
  ), kind = "incomplete_judgments")
  edition <- engine$edition
  function(pair) {
    if (engine$edition != edition) {
      gain <<- simulated_gains(engine$x, truth, arg)
      edition <<- engine$edition
    }
    gain[pair]
  }
}

# The gain of each pair of the pool in a simulated session; NA for pairs that cannot be selected, because their gain is
# not known.
simulated_gains <- function(x, truth, arg = "truth") {
  gain <- gains_by_judgments(x, truth, arg)
  check_that(!all(is.na(gain)), arg, c(
    "has no gain for any pair of the pool.",
    i = "Give gains to look up, or a function of query and document that returns one."
  ), kind = "incomplete_judgments")
  warn_without_gain(is.na(gain))
  gain
}

# Warns if pairs of the pool have no gain (`lacking`) and therefore cannot be judged.
warn_without_gain <- function(lacking) {
  if (!any(lacking)) return(invisible())
  warn_judicious(c(
    "{format_count(sum(lacking))} of the {format_count(length(lacking))} pairs of the pool have no gain in
      {.arg truth} and cannot be judged.",
    i = "They keep their estimates; the accuracy of the ranking is not known."
  ), "incomplete_judgments", missing = sum(lacking))
}
