# Preference judgments on the page: a query and two variations. Answers are stored in the session's store as rows of
# task, assessor and answer; the next pairs to ask follow from all of them.

# The name of a pair's task: its parts, percent-encoded and separated by slashes. The last part is the number of answers
# of the assessor to the pair, because a session stores one answer per task, and an undone answer is followed by
# another.
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
#' The last answer of an assessor to a pair counts, unless it was undone. A pair that was skipped has the answer NA. A
#' lead's final decision on a pair is not among the answers; `update()` uses it in place of them.
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
#' preference_answers(s)
#' update(preference_session(list(q1 = c("d1", "d2", "d3")), seed = 1), s)
#' @export
preference_answers <- function(session) {
  check_class(session, "judicious_session", "session", "judging_session")
  rows <- answers(session)
  background <- rows[rows$task == "background", c("assessor", "answer")]
  rows <- rows[startsWith(rows$task, "pair/"), , drop = FALSE]
  rows$pair <- sub("/[0-9]+$", "", rows$task)
  rows <- rows[!duplicated(rows[c("pair", "assessor")], fromLast = TRUE), , drop = FALSE]
  rows <- rows[rows$answer != "undone", , drop = FALSE]
  skipped <- startsWith(rows$answer, "skipped")
  notes <- pair_notes(answers(session), rows$pair, rows$assessor)
  data.frame(parse_pair_tasks(rows$pair), worker = rows$assessor, answer = ifelse(skipped, NA_character_, rows$answer),
             seconds = as.numeric(rows$seconds), reason = ifelse(skipped, sub("^skipped:? *", "", rows$answer), NA),
             background = background$answer[match(rows$assessor, background$assessor)], time = rows$time,
             comment = ifelse(nzchar(notes$comment), notes$comment, NA_character_), flag = notes$flag)
}

# The comment and the flag that stand on pairs, each by one assessor.
pair_notes <- function(rows, pair, assessor) {
  rows <- rows[startsWith(rows$task, "note/"), , drop = FALSE]
  key <- text_key(sub("^note/", "pair/", sub("/[0-9]+$", "", rows$task)), rows$assessor)
  last <- match(text_key(pair, assessor), rev(key))
  said <- rev(rows$answer)[last]
  said[is.na(said)] <- ":"
  data.frame(comment = sub("^(flag)?:", "", said), flag = startsWith(said, "flag:"))
}

#' @rdname preference_answers
#' @export
update.judicious_preferences <- function(object, session, ...) {
  check_no_more("update()", ...)
  sort_with_answers(object, preference_answers(session), final_preferences(session))
}

# The leads' last decision on each pair that they decided.
final_preferences <- function(s) {
  rows <- answers(s)
  rows <- rows[startsWith(rows$task, "final/"), , drop = FALSE]
  pair <- sub("/[0-9]+$", "", rows$task)
  last <- !duplicated(pair, fromLast = TRUE)
  data.frame(parse_pair_tasks(pair[last]), answer = rows$answer[last])
}

# Adds answers and final decisions to the sort. If an answer was undone, the sort may no longer ask for some pairs that
# have answers, which add_answers() does not allow; refresh_session() keeps these answers without using them.
sort_with_answers <- function(preferences, answers, final) {
  preferences$answers <- bind_answers(preferences$answers, answers)
  preferences$final <- final
  refresh_session(preferences)
}

preference_mode <- function(s, spec) {
  current <- cached_value(function() {
    given <- preference_answers(s)
    session <- sort_with_answers(spec$preferences, given, final_preferences(s))
    list(session = session, given = given,
         asked_background = unique(answers(s)$assessor[answers(s)$task == "background"]))
  })
  keep <- function(...) {
    keep_preference(s, ...)
    current$touch()
  }
  past <- function(assessor) preference_history(current$now()$given, assessor)
  list(
    screen = function(task, items, spec) task_screen(task, items, spec, preference_layout),
    has_next = function(assessor) FALSE,
    next_task = function(assessor, first = NULL) {
      if (!s$env$control$paused) next_preference_task(s$env, current$now(), assessor, first)
    },
    answer = function(assessor, task, value, seconds) {
      value <- text_of_input(value, 10) %||% ""
      abort_unless(value %in% names(answer_values), "That is not one of the three answers.", "argument")
      keep(task$id, assessor, value, seconds)
      "Saved."
    },
    release = function(assessor) release_tasks(s$env, assessor),
    skip = function(assessor, task, reason) keep(task$id, assessor, paste("skipped:", reason)),
    undo = function(assessor) {
      last <- last_preference(current$now()$given, assessor, spec$form)
      keep(last$id, assessor, "undone")
      last
    },
    task = function(assessor, id) past_preference_task(past(assessor), id, spec$form),
    history = function(assessor) preference_history_list(past(assessor), spec),
    note = function(assessor, task, comment, flag) {
      keep(sub("^pair", "note", task$id), assessor, paste(if (flag) "flag" else "", comment, sep = ":"))
    },
    noted = function(assessor, task, last) as.list(pair_notes(answers(s), task$id, assessor)),
    refill = function(assessor, task) next_preferences(s$env, current$get(), assessor, task$id),
    background = function(assessor, text) {
      record_answer(s, "background", assessor, text)
      current$touch()
    },
    wants_background = function(status, assessor) !assessor %in% status$asked_background,
    status = current,
    afterwards = function() NULL,
    show_status = function(status, assessor) {
      open_pairs <- next_pairs(status$session)
      preference_status(nrow(open_pairs), sum(!is.na(status$given$answer)), sum(open_pairs$needed),
                        answers_by(status, assessor))
    },
    finished = preferences_finished
  )
}

# Answers are numbered by assessor and pair: the last one counts.
keep_preference <- function(s, pair, assessor, answer, seconds = NA_real_) {
  said <- answers(s)
  task <- paste0(pair, "/", sum(said$assessor == assessor & startsWith(said$task, paste0(pair, "/"))) + 1)
  record_answer(s, task, assessor, answer, seconds)
  release_tasks(s$env, assessor, pair)
}

answers_by <- function(status, assessor) sum(status$given$worker == assessor & !is.na(status$given$answer))

last_preference <- function(given, assessor, form) {
  last <- utils::tail(given[given$worker == assessor, ], 1)
  if (!nrow(last)) abort_judicious("There is no answer of yours to undo.", "nothing_to_undo")
  list(id = pair_task(last$query, last$doc_a, last$doc_b), was = past_preference(form, last))
}

# The task of an earlier answer, or NULL. `past`: by preference_history().
past_preference_task <- function(past, id, form) {
  index <- match(id, past$task)
  if (is.na(index)) return(NULL)
  c(list(id = id), as.list(past[index, c("query", "doc_a", "doc_b")]), past = TRUE,
    was = list(past_preference(form, past[index, ])))
}

preference_history_list <- function(past, spec) {
  answer <- vapply(seq_len(nrow(past)), function(i) past_preference(spec$form, past[i, ])$text, "")
  name <- function(doc) item_names(spec$content, past$query, doc)
  what <- paste0(item_names(spec$content, past$query), ": ", name(past$doc_a), " / ", name(past$doc_b), recycle0 = TRUE)
  history_list(past$task, what, answer, as.numeric(past$time), note_text(past$comment, past$flag))
}

preferences_finished <- function(status, assessor) {
  if (nrow(next_pairs(status$session))) {
    return(list("Nothing to compare just now",
                paste("You have answered all open pairs, or other assessors are answering them. This page looks again",
                      "every few seconds.")))
  }
  list("All pairs are answered",
       paste0("Judging has ended: there is nothing left to compare. You gave ",
              counted(answers_by(status, assessor), "answer"),
              ". Everything is saved. Thank you: you can close this page."), end = TRUE)
}

# A pair that is open to the assessor, and that no more others are at than it needs answers.
next_preference_task <- function(e, state, assessor, first = NULL) {
  open_pairs <- open_to(e, state, assessor)
  open_pairs <- open_pairs[order(!open_pairs$id %in% first$id, open_pairs$turn), , drop = FALSE]
  i <- lease_task(e, open_pairs$id, open_pairs$needed, assessor, first$id)
  if (is.na(i)) return(NULL)
  task <- as.list(open_pairs[i, c("id", "query", "doc_a", "doc_b")])
  if (identical(first$id, task$id)) task$was <- first$was
  task
}

# The pairs that the assessor may be asked next, without the pair on the screen.
next_preferences <- function(e, state, assessor, current, most = 3) {
  open_pairs <- open_to(e, state, assessor)
  open_pairs <- open_pairs[!open_pairs$id %in% current, , drop = FALSE]
  open_pairs <- open_pairs[order(open_pairs$turn), , drop = FALSE]
  lapply(seq_len(min(most, nrow(open_pairs))), function(i) as.list(open_pairs[i, c("query", "doc_a", "doc_b")]))
}

# The open pairs that an assessor has not answered, without queries that are assigned to others. Assessors start at
# different positions of the batch, given by `turn`.
open_to <- function(e, state, assessor) {
  open_pairs <- next_pairs(state$session)
  others <- names(e$control$assigned)[e$control$assigned != assessor]
  open_pairs <- open_pairs[!open_pairs$query %in% others, , drop = FALSE]
  mine <- state$given[state$given$worker == assessor, , drop = FALSE]
  open_pairs <- open_pairs[!pair_key(open_pairs) %in% pair_key(mine), , drop = FALSE]
  open_pairs$id <- pair_task(open_pairs$query, open_pairs$doc_a, open_pairs$doc_b)
  open_pairs$turn <- vapply(open_pairs$id, function(task) rlang::hash(list(assessor, task)), "", USE.NAMES = FALSE)
  open_pairs
}

# An answer that was given as what the page says of it: `value` names the button.
past_preference <- function(form, answer) {
  if (is.na(answer$answer)) return(list(text = paste0("Skipped", if (nzchar(answer$reason)) ": ", answer$reason)))
  list(text = form$labels[match(answer$answer, names(answer_values))], value = answer$answer)
}

# The same for preferences: the latest answer to each pair.
preference_history <- function(given, assessor) {
  mine <- given[given$worker == assessor, , drop = FALSE]
  mine$task <- pair_task(mine$query, mine$doc_a, mine$doc_b)
  mine[rev(seq_len(nrow(mine))), ]
}
