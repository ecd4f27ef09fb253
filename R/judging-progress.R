#' Show the progress of a session
#'
#' Shows how many documents are judged, how close the goal is, how many further judgments it is expected to take, and
#' what each assessor has done.
#'
#' @param session A session by [judging_session()].
#' @param expect FALSE omits `expected_more`, which takes most of the time.
#' @return `progress()`: a `judicious_progress`, a list of
#'   - `judged`, `skipped`, `open`: the numbers of pairs of the pool that are judged, skipped, and neither; `questions`,
#'     in a session that selects whole questions: how many of these are `judged`, and how many are not (`open`);
#'   - `goal`: a list of its `label`, the current `value`, the value that is `asked`, whether it is `reached`, and
#'     whether it is `met` other than by a spent budget. `end` says when judging ended (`judgments`, `judged` documents
#'     and `value`); `reopened` why it goes on after that. `early` is the number of judgments for which a sufficient
#'     value waits; with grades, `waits` is TRUE while systems lack the judgments that [goals] need;
#'   - `confidence`: that of [ranking_confidence()];
#'   - `expected_more`: the number of further judgments with which the goal is reached with a probability of one half;
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
#' run_session(s, function(query, doc) if (nrow(judgments_of(s)) < 10) 50)
#' progress(s)
#' rank_systems(s)
#' head(judgments_of(s))
#' @export
progress <- function(session, expect = TRUE) {
  check_session(session)
  check_flag(expect, "expect")
  e <- session$env
  figures <- session_figures(e)
  if (expect) figures$expected_more <- expected_judgments(e)
  if (length(priced_assessors(e$cost))) figures$next_task <- next_of_session(session, 1)
  structure(figures, class = "judicious_progress")
}

# The progress without what takes long and not every caller needs.
session_figures <- function(e) {
  update_estimates(e)
  judged <- length(e$sequence)
  skipped <- skipped_pairs(e)
  list(judged = judged, skipped = length(skipped), open = n_pairs(e$x) - judged - length(skipped),
       questions = if (asks_questions(e)) question_figures(e, skipped),
       goal = c(list(label = e$goal$label), e$progress, list(judgments = judgments_made(e)),
                if (e$control$paused) list(paused = TRUE),
                if (waits_for_systems(e$goal, e$ranking$lacking)) list(waits = TRUE)),
       confidence = ranking_confidence(e$ranking), expected_more = NA_integer_, assessors = assessor_figures(e),
       next_task = NULL,
       agreement = overlap_agreement(memory_rows(e$judgments), e$x$scale))
}

# Whether a session selects all documents of a query at a time, as where one right answer judges all.
asks_questions <- function(e) e$same_query && is.infinite(e$batch)

# The number of questions all of whose answers are judged, and of those with answers neither judged nor skipped.
question_figures <- function(e, skipped) {
  left <- setdiff(seq_len(n_pairs(e$x)), e$sequence)
  count <- function(pairs) length(unique(e$x$pool$query[pairs]))
  list(judged = count(TRUE) - count(left), open = count(setdiff(left, skipped)))
}

#' @rdname progress
#' @usage NULL
#' @return `summary(session)` is its progress.
#' @export
summary.judicious_session <- function(object, ...) progress(object, ...)

assessor_figures <- function(e) {
  slots <- store_rows(e$store, "slot", list(state = c("judged", "skipped")))
  who <- unique(slots$assessor)
  events <- store_rows(e$store, "event", list(kind = c("judge", "gold")))
  seconds <- events$seconds[match(slots$event, events$id)]
  median_of <- function(a) {
    s <- seconds[slots$assessor == a & slots$state == "judged"]
    if (all(is.na(s))) NA_real_ else stats::median(s, na.rm = TRUE)
  }
  unit <- if (asks_questions(e)) e$x$pool$query[slots$pair] else seq_along(slots$pair)
  count <- function(state) {
    vapply(who, function(a) length(unique(unit[slots$assessor == a & slots$state == state])), 0L, USE.NAMES = FALSE)
  }
  data.frame(assessor = as.character(who), judged = count("judged"), skipped = count("skipped"),
             median_seconds = vapply(who, median_of, 0, USE.NAMES = FALSE),
             cost = price_of(e$cost, who) * vapply(who, function(a) {
               length(unique(slots$event[slots$assessor == a & slots$state == "judged"]))
             }, 0L, USE.NAMES = FALSE))
}

#' @export
print.judicious_progress <- function(x, ...) {
  tell <- function(label, value) cat(sprintf("  %-12s %s\n", label, value))
  cat("Progress of a session: ", counted(x$judged, "document"), " judged, ", format_count(x$skipped), " skipped, ",
      format_count(x$open), " open\n", sep = "")
  if (!is.null(x$questions)) {
    tell("questions", sprintf("%s judged, %s open", format_count(x$questions$judged), format_count(x$questions$open)))
  }
  state <- goal_state(x)
  if (is.null(x$goal$parts)) {
    tell("goal", sprintf("%s: %s, %s", x$goal$label, state, value_of_asked(x$goal)))
  } else {
    tell("goal", paste0(x$goal$label, ": ", state))
    for (part in x$goal$parts) tell("", paste0(part$label, ": ", value_of_asked(part)))
  }
  tell("confidence", paste(c(sprintf("%.4f", x$confidence), chance_warning(x$agreement)), collapse = "; "))
  if (!is.na(x$expected_more)) tell("expected", paste(counted(x$expected_more, "more judgment")))
  if (!is.null(x$agreement)) {
    tell("agreement", sprintf("%.3f (kappa, quadratic weights, %s)", x$agreement$estimate,
                              counted(x$agreement$units, "document")))
  }
  if (NROW(x$next_task)) {
    tell("next", sprintf("%s judges document %s of query %s", x$next_task$assessor, x$next_task$doc, x$next_task$query))
  }
  for (i in seq_len(nrow(x$assessors))) {
    a <- x$assessors[i, ]
    tell(a$assessor, paste0(format_count(a$judged), " judged, ", format_count(a$skipped), " skipped",
                            if (!is.na(a$median_seconds)) paste0(", median ", short(round(a$median_seconds, 1)), " s")))
  }
  invisible(x)
}

# The session's gains, as an object that the session does not change.
session_gains <- function(s) {
  check_session(s)
  update_estimates(s$env)
  gains <- belief_gains(s$env$belief)
  gains$record <- memory_rows(s$env$judgments)
  gains
}

#' @rdname gain_distribution
#' @export
gain_distribution.judicious_session <- function(model, ...) session_gains(model)

#' @rdname rank_systems
#' @order 3
#' @export
rank_systems.judicious_session <- function(x, gains = NULL, ..., assessor = x$env$assessor, draws = NULL,
                                           seed = x$env$seed) {
  if (identical(gains, "design")) return(rank_systems(x$env$x, gains, ..., judgments = judgments_of(x)))
  given <- c(if (!is.null(gains)) "gains", intersect(...names(), c("past", "grades", "judgments")))
  check_that(!length(given), given[1], c(
    "A session has its own gains: leave out {.arg {given[1]}}.",
    i = "The collection of which the session was made can be ranked with other gains."
  ))
  # Must come first, because it also processes what other processes have added to the collection.
  own <- session_gains(x)
  # Who asks for another seed asks for draws with it.
  if (!identical(seed, x$env$seed)) draws <- draws %||% 1000
  ranking <- rank_systems(x$env$x, own, ..., assessor = assessor, draws = draws, seed = seed)
  words <- generic_call("rank_systems", sys.call())
  # Without the posterior, which the session changes.
  if (inherits(own, "judicious_joint_gains")) own <- with_new_cache(own)
  as_made <- function(one) {
    one$call <- words
    one$given$gains <- own
    one$learned_from <- c(x$env$given, list(judgments = judgments_of(x)))
    one
  }
  if (!inherits(ranking, "judicious_rankings")) return(as_made(ranking))
  ranking[] <- lapply(ranking, as_made)
  ranking
}

#' @export
judged_collection.judicious_session <- function(x, arg = "x", call = caller_env()) add_judgments(x$env$x, x, call)

#' @export
evaluate.judicious_session <- function(x, ...) evaluate(judged_collection(x), ...)

#' @export
toLatex.judicious_session <- function(object, ...) toLatex(rank_systems(object), ...)

#' @rdname judgments_of
#' @export
judgments_of.judicious_session <- function(x) {
  check_session(x)
  e <- refresh(x$env)
  events <- judged_events(e$store)
  judgments <- memory_rows(e$judgments)
  judgments$overlap <- duplicated(judgments$pair)
  # A final judgment takes the position of the first judgment of its document, with the prediction made before that.
  first <- judgments[is.na(judgments$final), ]
  place <- first$event[match(judgments$pair, first$pair)]
  judgments$place <- ifelse(is.na(judgments$final) | is.na(place), judgments$event, place)
  judgments <- judgments[order(judgments$place, judgments$overlap), ]
  ids <- pair_ids(e$x, judgments$pair)
  events <- events[match(text_key(judgments$event, ids$doc), text_key(events$id, events$doc)), ]
  slots <- store_rows(e$store, "slot", list(state = "judged"))
  at <- match(text_key(judgments$event, judgments$pair), text_key(slots$event, slots$pair))
  steps <- memory_rows(e$trace)
  expected <- steps[match(judgments$place, steps$event), ]
  notes <- notes_of(x)
  note <- match(text_key(events$query, events$doc, events$assessor), text_key(notes$query, notes$doc, notes$assessor))
  text <- notes$comment[note]
  data.frame(events[c("query", "doc", "gain", "assessor")], time = utc_time(events$time), seconds = events$seconds,
             audit = slots$audit[at] == 1, overlap = judgments$overlap, mean = expected$mean, sd = expected$sd,
             comment = ifelse(nzchar(text), text, NA_character_), flag = notes$flag[note] %in% TRUE,
             final = judgments$final %in% 1, row.names = NULL)
}

# Without a method, the environment of the session would be printed.
#' @export
head.judicious_session <- function(x, ...) utils::head(judgments_of(x), ...)
