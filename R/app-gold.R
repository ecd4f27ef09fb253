# Judging whole questions on the page, where answers are right or wrong: the assessor marks the right ones among the
# distinct answers, or types the right answer, which settles the question.

# Whether a session selects whole questions, and its answers are texts that are right or wrong.
settles_questions <- function(e) {
  scale <- e$x$scale
  asks_questions(e) && !is.null(e$x$documents$text) &&
    (length(scale$levels) == 2 || is_share_scale(scale))
}

gold_form <- function(scale, question) {
  list(kind = "gold", scale = scale, levels = range(scale$levels), values = format_level(range(scale$levels)),
       labels = c("Wrong", "Right"), question = question %||% "Which answers are right?")
}

# The answers to a question, those of most systems first.
distinct_answers <- function(x, query) {
  pair <- which(x$pool$query == match(query, x$queries$query))
  text <- x$documents$text[x$pool$doc[pair]]
  answers <- data.frame(pair = pair, doc = x$documents$doc[x$pool$doc[pair]], text = ifelse(is.na(text), "", text),
                        systems = audit_weight(x)[pair])
  answers[order(-answers$systems, answers$text), ]
}

# The answers to a question as `content` shows documents; those that it cannot show by their texts.
answer_checkboxes <- function(x, query, content) {
  answers <- distinct_answers(x, query)
  shown <- function(doc, text) {
    item <- if (nzchar(text) || is.function(content$render)) show_item(content, query, doc, "the answer")
    if (is.null(item)) item <- tags$em("No answer")
    tags$div(class = "gold-text", if (is_trouble(item)) show_text(text) else item, .noWS = "inside")
  }
  box <- function(value, key, ...) {
    tags$li(tags$label(class = "gold-answer",
                       tags$input(type = "checkbox", name = "choice", value = value, `data-key` = key,
                                  `aria-keyshortcuts` = key), if (!is.null(key)) key_cap(key), ...))
  }
  rows <- Map(function(i, pair, doc, text, systems) {
    box(pair, if (i < 10) i, shown(doc, text), tags$span(class = "gold-count", counted(systems, "system")))
  }, seq_len(nrow(answers)), answers$pair, answers$doc, answers$text, answers$systems)
  tags$form(id = "gold", `data-form` = "answer",
            tags$ol(class = "gold-answers", unname(rows), box(0, 0, tags$span("None of these is right"))))
}

# The id of the first document stands for the question where one is needed, as in notes.
gold_task <- function(mode, assessor, query) gains_task(assessor, query, min(distinct_answers(mode$s$env$x, query)$doc))

# All answers to a question are held, so that nobody else gets it.
choose_task.judicious_gold_mode <- function(mode, assessor, first) {
  e <- mode$s$env
  query <- first$query
  if (is.null(query)) {
    if (is_goal_reached(mode)) {
      mode_release(mode, assessor)
      return(NULL)
    }
    query <- ids_held(e, hold_documents(e, 1, assessor))$query[1]
    if (is.na(query %||% NA)) return(NULL)
    hold_documents(e, sum(e$x$pool$query == match(query, e$x$queries$query)), assessor)
  }
  gold_task(mode, assessor, query)
}

# It replaces what the assessor has said of answers to the question before.
mode_answer.judicious_gold_mode <- function(mode, assessor, task, value, seconds) {
  e <- mode$s$env
  answers <- distinct_answers(e$x, task$query)
  marked <- strsplit(text_of_input(value$choice, 5000) %||% "", " ", fixed = TRUE)[[1]]
  typed <- text_of_input(value$text) %||% abort_judicious("The answer must have at most 500 characters.", "argument")
  right <- c(if (nzchar(typed)) typed, answers$text[answers$pair %in% marked])
  if (("0" %in% marked) == (length(right) > 0)) {
    abort_judicious("Mark the right answers, or type the right one, or mark that none is right.", "argument")
  }
  # Empty lines separate right answers; a comparison of our own does not judge answers that are added later.
  unusual <- !nzchar(trimws(right)) | grepl("\n[[:space:]]*\n", right)
  compare <- if (!length(right)) function(answer, gold) logical(length(answer)) else
    if (any(unusual)) function(answer, gold) plain_answer(answer) %in% plain_answer(right)
  shown <- c(replace(right, !nzchar(trimws(right)), "No answer"), if (!length(right)) "None of the answers")
  store_exclusive(e$store, {
    take_back_query(e, assessor, answers$pair, "judged")
    judge_by_gold(e, task$query, paste(shown, collapse = "\n\n"), compare, assessor, seconds)
  })
  "Saved."
}

take_back_query <- function(e, assessor, pairs, states) {
  made <- store_rows(e$store, "slot", list(pair = pairs, assessor = assessor, state = states))
  made <- made[made$copy > 0, ]
  for (pair in made$pair[!duplicated(made$event)]) take_back(e, assessor, pair)
}

mode_skip.judicious_gold_mode <- function(mode, assessor, task, reason) {
  e <- mode$s$env
  store_exclusive(e$store, {
    if (isTRUE(task$past)) take_back_query(e, assessor, distinct_answers(e$x, task$query)$pair, "judged")
    held <- ids_held(e, held_slots(e, assessor))
    docs <- held$doc[held$query == task$query]
    skip_document(mode$s, rep(task$query, length(docs)), docs, reason, assessor)
  })
}

mode_undo.judicious_gold_mode <- function(mode, assessor) {
  check_session(mode$s)
  taken <- take_back(mode$s$env, assessor)
  if (identical(taken$kind, "skip")) {
    take_back_query(mode$s$env, assessor, distinct_answers(mode$s$env$x, taken$query)$pair, "skipped")
  }
  c(gold_task(mode, assessor, taken$query), was = list(past_gold(mode$spec$form, taken)))
}

past_gold <- function(form, event) {
  if (event$kind != "gold") return(past_answer(form, event$gain, event$detail))
  list(text = gsub("\n\n", " / ", sub("^=", "", gold_fields(event$detail)[[1]][1]), fixed = TRUE))
}

# A right answer, or a skipped question, is one of the earlier answers.
mode_past.judicious_gold_mode <- function(mode, assessor) {
  past <- NextMethod()
  past <- past[!duplicated(ifelse(past$kind == "skip", text_key("skip", past$query), past$id)), ]
  events <- store_rows(mode$s$env$store, "event", list(id = past$id))
  past$was <- lapply(match(past$id, events$id), function(i) past_gold(mode$spec$form, pick_rows(events, i)))
  of_query <- lapply(past$query, function(query) gold_task(mode, assessor, query))
  past$doc <- vapply(of_query, `[[`, "", "doc")
  past$task <- vapply(of_query, `[[`, "", "id")
  past
}

mode_reserve.judicious_gold_mode <- function(mode, assessor, task) list()
