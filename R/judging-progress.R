# What a session tells its user: the progress, the ranking and the judgments.

#' Show the progress of a session
#'
#' Shows how many documents are judged, how close the goal is, how many further judgments it is expected to take, and
#' the work of each assessor.
#'
#' @param session A session by [judging_session()].
#' @param expect FALSE omits `expected_more`, which takes most of the time.
#' @return `progress()`: a `judicious_progress`, a list of
#'   - `judged`, `skipped`, `open`: the numbers of pairs of the pool that are judged, skipped, and neither;
#'     `questions`, where whole questions are selected: these numbers, of questions;
#'   - `goal`: a list of its `label`, the current `value`, the value that is `asked`, whether it is `reached`, and
#'     whether it is `met` other than by a spent budget. `end` says when judging ended (`judgments`, `judged` documents
#'     and `value`); `reopened` why it goes on after that. `early`: the minimum number of judgments, if only this is
#'     missing; `waits`: TRUE if, with grades, some system has too few judged documents (see [goals]);
#'   - `confidence`: that of [ranking_confidence()];
#'   - `expected_more`: the number of further judgments that reach the goal with probability 1/2;
#'     NA if the goal is far away or out of reach;
#'   - `assessors`: a data frame with `assessor`, `judged` and `skipped` (numbers of documents or, where whole questions
#'     are selected, of these), `median_seconds`, and `cost`, the sum of the prices;
#'   - `next_task`: where [judging_cost()] names assessors, the row of [select_documents()] for the next judgment;
#'   - `agreement`: the [agreement()] of the first and second judgments of documents judged twice (quadratic weights);
#'     NULL if there are none.
#'
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, seed = 1, judgments = FALSE)
#' # Judges 10 documents, then stops
#' run_session(s, function(query, doc) if (nrow(judgments_of(s)) < 10) 50)
#' progress(s)
#' @export
progress <- function(session, expect = TRUE) {
  check_session(session)
  check_flag(expect, "expect")
  engine <- session$engine
  figures <- session_figures(engine)
  if (expect) figures$expected_more <- expected_judgments(engine)
  if (length(priced_assessors(engine$cost))) figures$next_task <- next_in_session(session, 1)
  structure(figures, class = "judicious_progress")
}

#' @rdname progress
#' @usage NULL
#' @return `summary(session)` is its progress.
#' @export
summary.judicious_session <- function(object, ...) progress(object, ...)

#' @export
print.judicious_progress <- function(x, ...) {
  print_row <- function(label, value) cat_row(label, value, width = 12)
  cat("Progress of a session: ", in_words_of(x$nouns, counted(x$judged, "document")), " judged, ",
      format_count(x$skipped), " skipped, ", format_count(x$open), " open\n", sep = "")
  if (!is.null(x$questions)) {
    print_row("questions", sprintf("%s judged, %s open", format_count(x$questions$judged),
                                   format_count(x$questions$open)))
  }
  state <- goal_state(x)
  if (is.null(x$goal$parts)) {
    print_row("goal", sprintf("%s: %s, %s", x$goal$label, state, value_and_target_text(x$goal)))
  } else {
    print_row("goal", paste0(x$goal$label, ": ", state))
    for (part in x$goal$parts) print_row("", paste0(part$label, ": ", value_and_target_text(part)))
  }
  print_row("confidence", paste(c(sprintf("%.4f", x$confidence), chance_warning(x$agreement)), collapse = "; "))
  if (!is.na(x$expected_more)) print_row("expected", paste(counted(x$expected_more, "more judgment")))
  if (!is.null(x$agreement)) {
    print_row("agreement", sprintf("%.3f (kappa, quadratic weights, %s)", x$agreement$estimate,
                                   in_words_of(x$nouns, counted(x$agreement$units, "document"))))
  }
  if (NROW(x$next_task)) {
    print_row("next", sprintf(in_words_of(x$nouns, "%s judges document %s of query %s"), x$next_task$assessor,
                              x$next_task$doc, x$next_task$query))
  }
  for (i in seq_len(nrow(x$assessors))) {
    a <- x$assessors[i, ]
    print_row(a$assessor, paste0(format_count(a$judged), " judged, ", format_count(a$skipped), " skipped",
                                 if (!is.na(a$median_seconds))
                                   paste0(", median ", format_short(round(a$median_seconds, 1)), " s")))
  }
  invisible(x)
}

# A copy of the session's gains that later judgments do not change.
session_gains <- function(s) {
  check_session(s)
  update_estimates(s$engine)
  gains <- belief_gains(s$engine$belief)
  gains$record <- memory_rows(s$engine$judgments)
  gains
}

#' @rdname gain_distribution
#' @export
gain_distribution.judicious_session <- function(model, ...) session_gains(model)

#' @rdname rank_systems
#' @order 3
#' @export
rank_systems.judicious_session <- function(x, gains = NULL, ..., assessor = x$engine$assessor, draws = NULL,
                                           seed = x$engine$seed) {
  if (identical(gains, "design")) return(rank_systems(x$engine$x, gains, ..., judgments = judgments_of(x)))
  conflicting <- c(if (!is.null(gains)) "gains", intersect(...names(), c("past", "grades", "judgments")))
  check_that(!length(conflicting), conflicting[1], c(
    "A session has its own gains: leave out {.arg {conflicting[1]}}.",
    i = "The collection of which the session was made can be ranked with other gains."
  ))
  # This call must come first, because it also reads additions to the collection by other processes.
  stored_gains <- session_gains(x)
  # A seed that differs from the session's requires new draws.
  if (!identical(seed, x$engine$seed)) draws <- draws %||% 1000
  ranking <- rank_systems(x$engine$x, stored_gains, ..., assessor = assessor, draws = draws, seed = seed)
  user_call <- call_of_generic("rank_systems", sys.call())
  # The ranking must not keep the posterior, which the session changes in place.
  if (inherits(stored_gains, "judicious_joint_gains")) stored_gains <- with_new_cache(stored_gains)
  as_called <- function(one) {
    one$call <- user_call
    one$arguments$gains <- stored_gains
    one$learned_from <- c(x$engine$arguments, list(judgments = judgments_of(x)))
    one
  }
  if (!inherits(ranking, "judicious_rankings")) return(as_called(ranking))
  ranking[] <- lapply(ranking, as_called)
  ranking
}

#' @export
judged_collection.judicious_session <- function(x, arg = "x") add_judgments(x$engine$x, x)

#' @export
evaluate.judicious_session <- function(x, ...) evaluate(judged_collection(x), ...)

#' @export
toLatex.judicious_session <- function(object, ...) toLatex(rank_systems(object), ...)

#' @rdname judgments_of
#' @export
judgments_of.judicious_session <- function(x) {
  check_session(x)
  engine <- refresh(x$engine)
  events <- judged_events(engine$store)
  judgments <- final_first(memory_rows(engine$judgments))
  judgments$overlap <- duplicated(judgments$pair)
  # A final judgment takes the position of the first judgment of its document, and the prediction made before that
  # judgment.
  first <- judgments[is.na(judgments$final), ]
  place <- first$event[match(judgments$pair, first$pair)]
  judgments$place <- ifelse(is.na(judgments$final) | is.na(place), judgments$event, place)
  judgments <- judgments[order(judgments$place, judgments$overlap), ]
  ids <- pair_ids(engine$x, judgments$pair)
  events <- events[match(text_key(judgments$event, ids$doc), text_key(events$id, events$doc)), ]
  slots <- store_rows(engine$store, "slot", list(state = "judged"))
  slot <- match(text_key(judgments$event, judgments$pair), text_key(slots$event, slots$pair))
  steps <- memory_rows(engine$trace)
  predicted <- steps[match(judgments$place, steps$event), ]
  notes <- notes_of(x)
  note_row <- match(text_key(events$query, events$doc, events$assessor),
                    text_key(notes$query, notes$doc, notes$assessor))
  text <- notes$comment[note_row]
  data.frame(events[c("query", "doc", "gain", "assessor")], time = utc_time(events$time), seconds = events$seconds,
             audit = slots$audit[slot] >= !is_random(engine$strategy), overlap = judgments$overlap,
             mean = predicted$mean, sd = predicted$sd, comment = ifelse(nzchar(text), text, NA_character_),
             flag = notes$flag[note_row] %in% TRUE, final = judgments$final %in% 1, row.names = NULL)
}

# The default method would return the first elements of the list of which a session consists.
#' @export
head.judicious_session <- function(x, ...) utils::head(judgments_of(x), ...)

# The figures that the processes of a session share: the progress as the estimating process computed it last. Other
# processes, and a page that was just opened, show these figures without any computation.

# A value that is expensive to compute. `get()` recomputes it after a change in this process (`touch()`), or if it is
# older than `oldest` seconds, but computing never takes more than about a tenth of the time. `recompute()` always
# recomputes it; `last()` returns the last value, or before the first computation the result of `first`.
cached_value <- function(compute, oldest = 5, clock = function() as.numeric(Sys.time()), first = function() NULL) {
  value <- NULL
  computed_at <- -Inf
  took <- 0
  touched <- TRUE
  recompute <- function() {
    began <- clock()
    value <<- compute()
    computed_at <<- clock()
    took <<- computed_at - began
    touched <<- FALSE
    value
  }
  current <- function() {
    age <- clock() - computed_at
    if ((touched || age > oldest) && age >= 10 * took) recompute() else value
  }
  list(touch = function() touched <<- TRUE, get = current, recompute = recompute, last = function() value %||% first())
}

#' Select documents for a session in the background
#'
#' Selects documents ahead, and keeps the estimates up to date. Run it in a process of its own, which opens the session,
#' if many assessors judge at the same time or the pool is large. If none is left, assessors get random documents, which
#' count as audits. With a `batch` below 4, nothing is selected ahead.
#'
#' @param session A session by [judging_session()].
#' @param seconds For how many seconds to run. It ends earlier if nothing is left to judge, but not if the goal is
#'   reached.
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
  engine <- session$engine
  on.exit(store_unlock(engine$store, "fits"))
  expected <- cached_value(function() further_judgments(engine))
  # Only the process that holds the lock for estimation computes the figures.
  figures <- cached_value(function() in_lock(engine$store, "fits", save_figures(session, function() {
    expected$get()
    last_expected(engine)
  })), oldest = 2)
  deadline <- Sys.time() + seconds
  repeat {
    check_session(session)
    # Takes the lock again after a lost connection, or after the process that held it has ended.
    store_lock(engine$store, "fits")
    # After a change of the goal, `seen` is NULL until the log is processed, and `progress` is that of the previous
    # goal.
    reached <- !is.null(engine$seen) && isTRUE(engine$progress$reached)
    has_more_to_do <- if (!reached && chooses_ahead(engine) && queue_length(engine$store) < engine$batch / 2) {
      fill_queue(engine, engine$batch, wait = FALSE)
    } else {
      update_estimates(engine)
      chooses_ahead(engine) || any(free_pairs(engine, store_rows(engine$store, "slot")))
    }
    figures$get()
    if (!has_more_to_do || Sys.time() >= deadline) break
    Sys.sleep(every)
  }
  invisible(session)
}
