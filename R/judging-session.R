#' Open a judging session
#'
#' A judging session selects the documents that are most informative about the ranking, collects the judgments of one
#' or more assessors, and stops when a goal is reached. [next_documents()] returns the documents to judge, [judge()]
#' records the gains, and [progress()] and [rank_systems()] show the state; [judge_app()] does this in the browser.
#'
#' @details
#' Some of the documents, the *audit*, are selected at random. They show, without judging the rest, whether the model's
#' predictions hold ([calibration()]).
#'
#' A session in a `store` is durable: [judge()], [skip_document()] and [undo_judgment()] return after their event is
#' committed to disk, and [open_session()] continues the session with the same documents, even after a crash. Several
#' processes may work on a session at once. Use SQLite on one machine (not on a network drive), and PostgreSQL, where a
#' session has its own schema, the first one of the search path, for many assessors and machines.
#'
#' A store contains data only, so opening it runs no code from it: pass custom goals and strategies, and models and
#' grades that contain functions, to [open_session()] again. A custom measure needs a session in memory.
#'
#' @param x A [test_collection()].
#' @param goal When to stop: a goal such as [goal_mean()].
#' @param past Judged collections or sessions, from which [gain_model()] learns; a model of the gains, by
#'   [gain_model()] or [gain_prior()] (default); or [independent_gains()]. If past results are of the same systems, put
#'   all queries into one collection by [add_queries()], with a goal that has `by`.
#' @param strategy How to select the next document: a strategy such as [strategy_gradient()].
#' @param store Where to keep the session. NULL keeps it in this process only. A path keeps it in an SQLite file
#'   (packages `DBI` and `RSQLite`). For PostgreSQL (`DBI` and `RPostgres`): a list of arguments of `DBI::dbConnect()`,
#'   such as `list(host = "server", dbname = "judging")`; a function that connects; or a `DBI` connection, which is not
#'   closed with the session.
#' @param assessor What estimates, confidence and goals refer to: `"these"` judgments; the `"consensus"` of assessors;
#'   or the name of one: see [ranking_assessors]. Except with `"these"`, the session assigns a document that another
#'   assessor has judged if this serves the goal more than a new one (in a session about a named assessor, only to this
#'   one). It needs joint gains, a measure that is a sum over documents of untransformed gains, and
#'   [strategy_gradient()] or [strategy_variance()].
#' @param cost The cost of a judgment, by [judging_cost()]; by default 1 for each.
#' @param grades Grades of the pairs, in a form that [graders] lists: NULL for those of `x`, FALSE for none.
#'   Independent gains do not use any.
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @param measure The measure by which systems are to be ranked: see [ranking_measures]; for independent gains, one of
#'   those named there. Goals are in units of the measure.
#' @param seed Seed of all random choices of the session; NULL draws one.
#' @param judgments Existing judgments to start from: NULL for those of `x`; FALSE for none; or, to replace those of
#'   `x`, a data frame with `query`, `doc`, `gain` and optionally `assessor`, or its path. Judgments without an assessor
#'   are listed as `"earlier judgments"`.
#' @param control Settings by [session_control()].
#' @return A `judicious_session`, which functions such as [judge()] change in place. `as.data.frame()` returns its
#'   trace, with a row before the first judgment, and one after each judgment, undo and addition: `judged`, `cost` (so
#'   far), `value` (of the goal) and `confidence` (mean over the pairs of systems); with `truth`, also `tau` and
#'   `accuracy` as in [ranking_accuracy()].
#' @section Errors: `judicious_error_nothing_to_judge` if every pair is judged; `judicious_error_session_exists` if the
#'   store already has a session; `judicious_error_store_<kind>` if the store cannot be used.
#' @seealso [open_session()], [add_runs()] for runs and queries that arrive later, [mtc()] for the published algorithm.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, goal = goal_mean(0.9), seed = 1, judgments = FALSE)
#' ask <- next_documents(s)
#' ask
#' judge(s, ask$query, ask$doc, gain = 80)
#' progress(s)
#' @export
judging_session <- function(x, goal = goal_mean(0.95), past = NULL, grades = NULL, judgments = NULL, measure = NULL,
                            cost = judging_cost(), strategy = strategy_gradient(), store = NULL, assessor = "these",
                            seed = NULL, failed = NULL, control = session_control(...), ...) {
  refuse_other_arguments("judging_session()", ..., settings = if (missing(control)) session_settings)
  check_that(!missing(x), "x", c("is missing.", i = "Give a {.fn test_collection}, whose systems are to be ranked."))
  if (is.null(judgments) && inherits(x, "judicious_session")) judgments <- x
  judgments <- as_judgments(judgments)
  if (is.data.frame(judgments) && !is.null(judgments[["assessor"]])) {
    name <- id_text(judgments$assessor)
    judgments$assessor <- ifelse(is.na(name) | !nzchar(name), earlier_judgments, name)
  }
  carried <- carry_grades(judged_collection(x), grades, failed)
  x <- with_inferred_scale(carried$x, judgments, carried$grades)
  check_that(!is_share_scale(x$scale), "scale", c(
    "The levels of the gains that assessors may give are not known.",
    i = paste0("State {.arg scale}", hint(" in {.fn test_collection} or {.fn read_answers}"), ", such as {.code scale =
      0:3}. It can be inferred only from judgments, or from {.arg grades} that are levels.")
  ))
  check_parts(x, goal, strategy, cost, control)
  check_assessor(assessor)
  check_seed(seed)
  x <- with_measure(x, measure)
  start_progress("Beginning the session")
  x <- with_outside(x, judgments)
  with_judgments <- collection_to_judge(x, judgments)
  warn_only_relevant(with_judgments$gain, x$scale)
  pair <- which(!is.na(with_judgments$gain))
  earlier <- assessor_record(x, judgments) %||%
    quick_frame(pair = pair, gain = with_judgments$gain[pair], assessor = earlier_judgments, final = FALSE)
  # The log of the session records the judgments of each assessor, so they are removed from the collection. Of those
  # that the session leaves out, one per document remains, for simulations.
  left_out <- if (isFALSE(judgments) && !is.null(x$assessed)) combine_assessors(x$assessed, "median", NULL, "x")
  if (!is.null(x$assessed)) x$gain <- gains_by_judgments(x, left_out %||% FALSE)
  x$assessed <- NULL
  past <- model_of_past(past, carried$past, measure)
  prepared <- belief_prepare(past, x, carried$requested)
  if (assessor != "these") check_errors_allowed(x, prepared, assessor)
  setup <- new_setup(x, prepared, goal, strategy, control, cost,
                     seed = abs(seed %||% sample.int(.Machine$integer.max, 1)),
                     arguments = list(model = past, grades = carried$grades), assessor = assessor)
  store <- as_store(store)
  create_store(store, setup_for_store(setup, store))
  s <- new_session(store, setup)
  record_earlier(s, earlier)
  s
}

# Records earlier judgments, as assessor_record() returns them, under the names of their assessors. Final judgments by
# leads come last, because they replace others.
record_earlier <- function(s, judgments) {
  for (final in unique(sort(judgments$final))) for (assessor in unique(judgments$assessor[judgments$final == final])) {
    rows <- judgments[judgments$final == final & judgments$assessor == assessor, ]
    ids <- pair_ids(s$engine$x, rows$pair)
    judge(s, ids$query, ids$doc, rows$gain, assessor, rows$seconds %||% NA, final)
  }
}

# The number of judgments that were made before the session selected any document.
count_earlier <- function(engine) {
  chosen <- store_rows(engine$store, "event", list(kind = "choose"))$id
  sum(memory_rows(engine$judgments)$event < min(chosen, Inf))
}

# Whether the session has judgments, and all are those with which it began.
is_all_earlier <- function(engine) engine$judgments$n > 0 && count_earlier(engine) == engine$judgments$n

check_errors_allowed <- function(x, prepared, assessor) {
  check_that(assessor != "another", "assessor", c(
    "A session cannot refer to {.code assessor = \"another\"}.",
    i = "{.fn rank_systems} can; the session itself can refer to the {.val consensus}."
  ))
  check_that(inherits(prepared, "judicious_joint_prepared"), "assessor",
             "{.code assessor = \"{assessor}\"} needs joint gains, such as those of {.fn gain_prior}.")
  check_target_measure(x, assessor)
}

#' Open a session again
#'
#' `open_session()` continues a session that is kept in a store, also in several processes at once. `close_session()`
#' closes the connection.
#'
#' @param store Where the session is kept, as in [judging_session()].
#' @param goal,strategy The custom goal ([goal_custom()]; a list of several) and the custom strategy
#'   ([strategy_custom()]) of the session, which are matched by their labels.
#' @param past,grades The model and the grades of the session, if they contain functions.
#' @param session The session to close.
#' @return `open_session()`: the `judicious_session`, with all its judgments. `close_session()`: `session`, invisibly; a
#'   closed session can be opened again.
#' @section Faults of a store: The word in parentheses ends the class of the error, such as
#' `judicious_error_store_moved`. \describe{
#'   \item{The file of an open session, or its log (`-wal`), is deleted, moved or replaced.}{The next call that writes
#'     raises an error (`store_moved`), and what it wrote is not acknowledged. Put the files back, and the session goes
#'     on; or save what it holds with [backup_session()] before closing it.}
#'   \item{One of the two is emptied, truncated or overwritten in place: by another session, or by an older or newer
#'     copy of the same.}{As above; the message states how many judgments the open session still holds. Save them with
#'     [backup_session()] before closing the session. If no call has said so before, `close_session()` does, and leaves
#'     the session open; the next call closes it.}
#'   \item{The index of the log (`-shm`) is deleted, moved, replaced, truncated or overwritten.}{As above, but nothing
#'     is lost: end all R processes that have the session open, and open it again. The index is made anew.}
#'   \item{All three files are truncated, or overwritten in place by three that match each other.}{The next call that
#'     writes, or closing, raises an error (`store_moved`). The judgments of the open session are lost: restore a copy,
#'     or see what [recover_session()] finds.}
#'   \item{A file gets a second name (hard link) while the session is open.}{Judging goes on, and nothing is lost.}
#'   \item{The process forks, as `parallel::mclapply()` does.}{The fork cannot use the session (`store_forked`); it can
#'     open it again.}
#'   \item{An older copy is restored while the session is closed.}{The session is that of the copy. If the newer
#'     `-wal` file is left beside it, opening raises an error (`store_corrupt`). Restore all files of one moment, or a
#'     copy of [backup_session()].}
#'   \item{The content was changed, by damage or by hand, or events of the log were deleted.}{Opening raises an error
#'     (`store_corrupt`, `not_a_session`) that says what does not fit. Restore a copy, or use [recover_session()].}
#'   \item{The file has a second name (hard link).}{Opening raises an error (`store_linked`), as SQLite would keep a
#'     log for each name. Copy the file, or delete the other name.}
#'   \item{The file, its folder or its file system is read-only.}{The session can be read; writing raises an error
#'     (`store_read_only`). If a crash left a `-wal` file there, opening raises an error (`store_unreachable`): copy
#'     both files to a folder that you may write to.}
#'   \item{The disk is full.}{The call raises an error (`store_full`); nothing of it is kept. Make room and
#'     repeat it.}
#'   \item{Another program holds a lock.}{A call waits for 20 seconds, and then raises an error (`store_busy`);
#'     nothing of it is kept. Repeat it.}
#'   \item{The clock is moved backwards.}{Nothing is lost. Documents that were handed out stay with their assessors
#'     for as much longer; `next_documents(s, 0, assessor)` gives them back.}
#'   \item{Two machines open a file on a network drive.}{SQLite may damage the file; this cannot be detected. Use
#'     PostgreSQL.}
#'   \item{A process or the machine crashes.}{Every acknowledged event is kept, and others may be. Open the session
#'     again.}
#'   \item{After a crash, the log (`-wal`) is truncated, emptied, overwritten or deleted before the session is opened.}{
#'     Opening raises an error (`store_corrupt`), as the index (`-shm`) states more than the log holds. Use
#'     [recover_session()], or delete the index to go on with what is left. If the log and the index are missing, as in
#'     a copy of the file alone, a warning (`judicious_warning_missing_log`) states the time of the last event. If the
#'     index is missing and the log was truncated, this cannot be told from a crash.}
#'   \item{PostgreSQL stops or restarts.}{A call between transactions connects again; one within a transaction raises an
#'     error (`store_unreachable`); nothing of it is kept. Repeat it.}
#' }
#' @section Errors: `judicious_error_not_a_session` (the file does not exist or is not a session),
#'   `judicious_error_newer_schema` and `judicious_error_older_schema` (a version of this package with another format
#'   made the session), and `judicious_error_store_<kind>` as listed above.
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' file <- tempfile(fileext = ".sqlite")
#' s <- judging_session(x, store = file, seed = 1, judgments = FALSE)
#' ask <- next_documents(s)
#' judge(s, ask$query, ask$doc, 50)
#' close_session(s)
#' s <- open_session(file)
#' judgments_of(s)
#' @export
open_session <- function(store, goal = NULL, past = NULL, grades = NULL, strategy = NULL) {
  check_that(!is.null(store), "store", "must say where the session is kept.")
  if (is.character(store)) check_path(store)
  check_that(!is.character(store) || file.exists(store), "store", c(
    "There is no session {.file {store}}.",
    i = "{.fn judging_session} makes one."
  ), kind = "not_a_session")
  replacements <- list(goal = custom_objects(goal, "judicious_goal", "goal"),
                       strategy = custom_objects(strategy, "judicious_strategy", "strategy"),
                       model = if (!is.null(past)) model_of_past(past, grades, NULL), grades = grades)
  store <- as_store(store)
  tryCatch({
    check_store(store)
    warn_missing_log(store)
    abort_at_fault(store, meta_fault(store))
    setup <- setup_of_store(store, store_edition(store), replacements)
    s <- new_session(store, setup, store_edition(store))
    # Computing the belief before any judgment validates the model.
    abort_at_fault(store, {
      s$engine$initial <- belief_for_goal(belief_begin(setup$prepared, setup$x), setup$x, setup$goal)
      row_fault(store, setup$x)
    })
    # Computing the state from the log and the stored estimates validates both. This is left out with custom functions,
    # because their errors are no faults of the store.
    if (all(lengths(replacements) == 0)) {
      abort_at_fault(store, {
        refresh(s$engine)
        NULL
      })
    }
    sign_opening(store)
    s
  }, error = function(cnd) {
    store_close(store)
    rlang::cnd_signal(cnd)
  })
}

#' @rdname open_session
#' @export
close_session <- function(session) {
  check_class(session, "judicious_session", "session", "judging_session")
  if (!session$engine$closed) {
    check_before_closing(session$engine$store)
    session$engine$closed <- TRUE
    store_close(session$engine$store)
  }
  invisible(session)
}

new_session <- function(store, setup, edition = 0L) {
  s <- structure(list(engine = new_engine(setup, store)), class = "judicious_session")
  s$engine$edition <- edition
  s
}

#' @export
print.judicious_session <- function(x, ...) {
  if (x$engine$closed) {
    cat("Judging session, closed\n")
    return(invisible(x))
  }
  p <- progress(x)
  first <- x$engine$trace$columns$confidence[1]
  cat("Judging session: ", in_words_of(p$nouns, judgments_text(p$judged, sum(p$assessors$judged))), " of a pool of ",
      format_count(n_pairs(x$engine$x)), "\n", sep = "")
  if (!is.null(x$engine$x$scoring$measure)) cat_row("measure", measure_label(x$engine$x))
  cat_row("goal", paste0(p$goal$label, ": ", goal_state(p)))
  cat_row("selection", sprintf("%s, %s of the judgments at random", x$engine$strategy$label, percent(x$engine$audit)))
  is_independent <- inherits(x$engine$belief, "judicious_independent_belief") && p$open + p$skipped > 0
  confidence_text <- sprintf("%.4f in the ranking (%.4f before the first judgment)%s", p$confidence, first,
                             if (is_independent) ", published (overconfident)" else "")
  cat_row("confidence", paste(c(confidence_text, chance_warning(p$agreement)), collapse = "; "))
  differences <- difference_calibration(prediction_errors(x$engine))
  if (is_surprising(differences)) {
    cat_row("check", sprintf("fails: systems differ more than expected, z2 %.2f (see ?calibration)", differences$z2))
  }
  if (nrow(p$assessors)) cat_row("assessors", paste0(p$assessors$assessor, " ", p$assessors$judged, collapse = ", "))
  for (added in store_rows(x$engine$store, "event", list(kind = "add"))$detail) cat_row("added", added)
  cat_row("kept in", x$engine$store$label)
  invisible(x)
}

#' @rdname judging_session
#' @param truth For `as.data.frame()`: the gains of all documents of the pool, as in [run_session()]; NULL omits the
#'   comparison.
#' @param row.names,optional As in [as.data.frame()].
#' @param ... For `judging_session()`: settings for [session_control()], instead of `control`, such as `batch`.
#' @export
as.data.frame.judicious_session <- function(x, row.names = NULL, optional = FALSE, truth = NULL, ...) {
  refuse_other_arguments("as.data.frame()", ...)
  check_session(x)
  refresh(x$engine)
  steps <- if (is.null(truth)) memory_rows(x$engine$trace) else replayed_trace(x, truth)
  columns <- c("judged", "cost", "value", "confidence", if (!is.null(truth)) "tau")
  steps <- steps[reported_trace_rows(steps$kind), columns]
  if (!is.null(truth)) steps$accuracy <- (1 + steps$tau) / 2
  rownames(steps) <- row.names
  steps
}

#' @export
tidy.judicious_session <- function(x, conf.int = TRUE, conf.level = 0.95, ...) {
  tidy(rank_systems(x, ...), conf.int, conf.level)
}

#' @export
glance.judicious_session <- function(x, ...) {
  p <- progress(x)
  data.frame(glance(rank_systems(x, ...)), skipped = p$skipped, goal = p$goal$label, reached = p$goal$reached,
             met = is_met(p$goal), expected_more = p$expected_more)
}
