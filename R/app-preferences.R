# Preference judgments on the page: a query and two variations. Answers are stored in the session's store as rows of
# task, assessor and answer; all answers together determine which pairs to ask next.

# The name of a pair's task in the store: query and documents, percent-encoded and separated by slashes.
# save_preference() adds the number of the assessor's answer to the pair, because a session stores one answer per task,
# and an assessor can undo an answer and give another.
pair_task <- function(query, doc_a, doc_b) {
  encode <- function(ids) vapply(ids, encode_id, "", USE.NAMES = FALSE)
  paste("pair", encode(query), encode(doc_a), encode(doc_b), sep = "/", recycle0 = TRUE)
}

parse_pair_tasks <- function(task) {
  parts <- strsplit(task, "/", fixed = TRUE)
  part <- function(i) vapply(parts, function(p) utils::URLdecode(p[i]), "")
  decoded <- data.frame(query = part(2), doc_a = part(3), doc_b = part(4))
  for (column in names(decoded)) Encoding(decoded[[column]]) <- "UTF-8"
  decoded
}

#' Extract preference judgments from the judging page
#'
#' `preference_answers()` returns the preference judgments that assessors made on the page of [judge_app()] with
#' `preferences`. `update()` adds them to the preference session.
#'
#' The last answer of an assessor to a pair counts, unless it was undone; a skipped pair has the answer NA. `update()`
#' uses a lead's final decision on a pair in place of the answers.
#'
#' @param session The session, by [judging_session()], that the page showed.
#' @param object The [preference_session()] that was passed to [judge_app()].
#' @param ... Not used.
#' @return `preference_answers()`: a data frame with one row per answer: `query`, `doc_a`, `doc_b`, `worker` and
#'   `answer`, as in [preference_decisions()]; `seconds`; `reason` (for skipping the pair); `background` (the worker's
#'   answer to that question of [judge_app()]); `time`; `comment`; and `flag`. `update()`: the preference session with
#'   these answers; those to pairs that it does not ask for are kept but not used.
#' @seealso [ordered_list()] for the lists, [worker_quality()] for the assessors.
#' @examples
#' runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q1",
#'                    doc = c("d1", "d2", "d2", "d3"))
#' s <- judging_session(test_collection(runs, k = 2, scale = broad_scale()), seed = 1)
#' # No answers yet
#' preference_answers(s)
#' update(preference_session(list(q1 = c("d1", "d2", "d3")), seed = 1), s)
#' @export
preference_answers <- function(session) {
  check_class(session, "judicious_session", "session", "judging_session")
  stored <- answers(session)
  background <- stored[stored$task == "background", c("assessor", "answer")]
  rows <- latest_answers(stored, "pair")
  rows <- rows[rows$answer != "undone", , drop = FALSE]
  skipped <- startsWith(rows$answer, "skipped")
  notes <- pair_notes(stored, rows$task, rows$assessor)
  data.frame(parse_pair_tasks(rows$task), worker = rows$assessor, answer = ifelse(skipped, NA_character_, rows$answer),
             seconds = as.numeric(rows$seconds), reason = ifelse(skipped, sub("^skipped:? *", "", rows$answer), NA),
             background = background$answer[match(rows$assessor, background$assessor)], time = rows$time,
             comment = ifelse(nzchar(notes$comment), notes$comment, NA_character_), flag = notes$flag)
}

# The latest answer of each assessor to each task of a `kind`: "pair", "note" or "final". `task` is without the number
# that save_preference() added.
latest_answers <- function(stored, kind) {
  rows <- stored[startsWith(stored$task, paste0(kind, "/")), , drop = FALSE]
  rows$task <- sub("/[0-9]+$", "", rows$task)
  rows[!duplicated(rows[c("task", "assessor")], fromLast = TRUE), , drop = FALSE]
}

# The latest comment and flag of each pair by its assessor.
pair_notes <- function(stored, pair, assessor) {
  notes <- latest_answers(stored, "note")
  note <- notes$answer[match(text_key(sub("^pair", "note", pair), assessor), text_key(notes$task, notes$assessor))]
  note[is.na(note)] <- ":"
  data.frame(comment = sub("^(flag)?:", "", note), flag = startsWith(note, "flag:"))
}

#' @rdname preference_answers
#' @export
update.judicious_preferences <- function(object, session, ...) {
  refuse_other_arguments("update()", ...)
  sort_with_answers(object, preference_answers(session), final_preferences(session))
}

# The latest decision of a lead on each pair that has one.
final_preferences <- function(s) {
  rows <- latest_answers(answers(s), "final")
  rows <- rows[!duplicated(rows$task, fromLast = TRUE), , drop = FALSE]
  data.frame(parse_pair_tasks(rows$task), answer = rows$answer)
}

# Adds answers and final decisions to the sorting of the documents. If an answer was undone, the sorting may no longer
# ask for some of the answered pairs. add_answers() would reject their answers; refresh_session() keeps them without
# using them.
sort_with_answers <- function(preferences, answers, final) {
  preferences$answers <- stacked_tables(list(preferences$answers, answers))
  preferences$final <- final
  refresh_session(preferences)
}

# The figures of the panel: `session`, the preference session with all answers, and `answers`, these answers.
mode_figures.judicious_preference_mode <- function(mode) {
  cached_value(function() {
    answers <- preference_answers(mode$s)
    list(session = sort_with_answers(mode$spec$preferences, answers, final_preferences(mode$s)), answers = answers)
  })
}

# A pair that the assessor may answer and that needs more answers than other assessors are giving at the moment.
choose_task.judicious_preference_mode <- function(mode, assessor, first) {
  engine <- mode$s$engine
  open_pairs <- open_pairs_for(engine, mode$status$recompute(), assessor)
  open_pairs <- open_pairs[order(!open_pairs$id %in% first$id), , drop = FALSE]
  i <- lease_task(engine, open_pairs$id, open_pairs$needed, assessor, first$id)
  if (!is.na(i)) as.list(open_pairs[i, c("id", "query", "doc_a", "doc_b")])
}

mode_answer.judicious_preference_mode <- function(mode, assessor, task, value, seconds) {
  value <- text_of_input(value, 10) %||% ""
  abort_unless(value %in% names(answer_values), "That is not one of the three answers.", "argument")
  save_preference(mode$s, task$id, assessor, value, seconds)
  "Saved."
}

mode_skip.judicious_preference_mode <- function(mode, assessor, task, reason) {
  save_preference(mode$s, task$id, assessor, paste("skipped:", reason))
}

mode_undo.judicious_preference_mode <- function(mode, assessor) {
  last <- mode_past(mode, assessor)
  if (!nrow(last)) abort_judicious("There is no answer of yours to undo.", "nothing_to_undo")
  save_preference(mode$s, last$task[1], assessor, "undone")
  list(id = last$task[1], was = last$was[[1]])
}

mode_past.judicious_preference_mode <- function(mode, assessor) {
  answers <- mode$status$recompute()$answers
  own_answers <- answers[rev(which(answers$worker == assessor)), , drop = FALSE]
  own_answers$task <- pair_task(own_answers$query, own_answers$doc_a, own_answers$doc_b)
  own_answers$was <- Map(past_answer, list(mode$spec$form), own_answers$answer, own_answers$reason)
  own_answers
}

mode_note.judicious_preference_mode <- function(mode, assessor, task, comment, flag) {
  note <- paste(if (flag) "flag" else "", comment, sep = ":")
  save_preference(mode$s, sub("^pair", "note", task$id), assessor, note)
}

mode_noted.judicious_preference_mode <- function(mode, assessor, task) {
  as.list(pair_notes(answers(mode$s), task$id, assessor))
}

mode_release.judicious_preference_mode <- function(mode, assessor) release_tasks(mode$s$engine, assessor)

# Pairs are not reserved for an assessor, but the browser can load the media of the next three.
mode_reserve.judicious_preference_mode <- function(mode, assessor, task) {
  open_pairs <- open_pairs_for(mode$s$engine, mode$status$get(), assessor)
  open_pairs <- utils::head(open_pairs[open_pairs$id != task$id, , drop = FALSE], 3)
  lapply(seq_len(nrow(open_pairs)), function(i) as.list(open_pairs[i, c("query", "doc_a", "doc_b")]))
}

mode_panel.judicious_preference_mode <- function(mode, status, assessor) {
  open_pairs <- next_pairs(status$session)
  answered <- sum(!is.na(status$answers$answer))
  expected <- sum(open_pairs$needed)
  share <- if (answered + expected > 0) answered / (answered + expected) else 1
  tags$section(class = "card-box status", tags$h2("Progress"),
    tags$p(class = "big", tags$span(class = "big-number", percent(share)), tags$span("of the answers asked so far")),
    status_bar(share, NULL, "Answers given", percent(share)),
    tags$dl(status_row("Answers by all", format_count(answered)),
            status_row("Still needed", format_count(expected), paste("for", counted(nrow(open_pairs), "pair"))),
            status_row("Answered by you", format_count(answers_by(status, assessor)))))
}

mode_finished.judicious_preference_mode <- function(mode, status, assessor) {
  if (nrow(next_pairs(status$session)))
    return(list("Nothing to compare just now", paste(
      "You have answered all open pairs, or other assessors are answering them. This page looks again every few",
      "seconds.")))
  list("All pairs are answered", paste0(
    "Judging has ended: there is nothing left to compare. You gave ", counted(answers_by(status, assessor), "answer"),
    ". Everything is saved. Thank you: you can close this page."), end = TRUE)
}

# Stores an answer under the next number for the assessor and the pair: the answer with the highest number counts.
save_preference <- function(s, pair, assessor, answer, seconds = NA_real_) {
  earlier <- answers(s)
  task <- paste0(pair, "/", sum(earlier$assessor == assessor & startsWith(earlier$task, paste0(pair, "/"))) + 1)
  record_answer(s, task, assessor, answer, seconds)
  release_tasks(s$engine, assessor, pair)
}

answers_by <- function(status, assessor) sum(status$answers$worker == assessor & !is.na(status$answers$answer))

# The open pairs that an assessor has not answered, without queries that are assigned to others. Each assessor has a
# different pseudo-random order, so that assessors answer different pairs.
open_pairs_for <- function(engine, state, assessor) {
  open_pairs <- next_pairs(state$session)
  others <- names(engine$control$assigned)[engine$control$assigned != assessor]
  open_pairs <- open_pairs[!open_pairs$query %in% others, , drop = FALSE]
  answered <- state$answers[state$answers$worker == assessor, , drop = FALSE]
  open_pairs <- open_pairs[!pair_key(open_pairs) %in% pair_key(answered), , drop = FALSE]
  open_pairs$id <- pair_task(open_pairs$query, open_pairs$doc_a, open_pairs$doc_b)
  open_pairs[order(vapply(open_pairs$id, function(task) rlang::hash(list(assessor, task)), "")), , drop = FALSE]
}
