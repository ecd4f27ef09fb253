# Judging documents on a gain scale on the page.

mode_figures.judicious_gains_mode <- function(mode) {
  engine <- mode$s$engine
  cached_value(function() {
    check_session(mode$s)
    if (is_estimated_elsewhere(engine)) return(stored_figures(engine))
    save_figures(mode$s, function() last_expected(engine))
  }, oldest = 2, first = function() stored_figures(engine))
}

# Returns a document that is already reserved for the assessor, if there is one, because selecting documents takes time;
# mode_reserve() selects further ones after the screen has been sent.
choose_task.judicious_gains_mode <- function(mode, assessor, first) {
  engine <- mode$s$engine
  # If the goal is reached, no documents are assigned.
  if (is.null(first) && is_goal_reached(mode)) {
    mode_release(mode, assessor)
    return(NULL)
  }
  held <- held_slots(engine, assessor)
  if (!nrow(ids_held(engine, held))) held <- hold_documents(engine, documents_ahead(mode, assessor), assessor)
  docs <- ids_held(engine, held)
  if (!nrow(docs)) return(NULL)
  docs <- pick_rows(docs, shuffled_by_query(docs, assessor, first %||% mode$shown[[assessor]])[1])
  mode$shown[[assessor]] <- gains_task(assessor, docs$query, docs$doc)
}

# Whether judging has ended. While another process computes the figures, its latest ones are used although they are a
# few seconds old, because processing the log at every judgment would take long. As soon as the log records the end of
# judging, the exact state is computed, so that no page continues after the end.
is_goal_reached <- function(mode) {
  engine <- mode$s$engine
  figures <- if (mode$tended$get()) mode$status$last()
  exact <- is.null(figures) || nrow(store_rows(engine$store, "event", list(kind = end_kinds))) > 0
  if (exact) log_end(refresh(engine))$progress$reached else isTRUE(figures$goal$reached)
}

# The number of documents that an assessor may hold, so that all assessors together do not exceed the budget of the
# goal.
documents_ahead <- function(mode, assessor) {
  engine <- mode$s$engine
  budget <- budget_of(engine$goal$recipe)
  if (is.infinite(budget)) return(mode$spec$ahead)
  max(0, min(mode$spec$ahead, budget - count_judgments(engine) - count_held_by_others(engine, assessor)))
}

# The number of documents that are reserved for other assessors at present.
count_held_by_others <- function(engine, assessor) {
  slots <- store_rows(engine$store, "slot", list(state = "leased"))
  sum(slots$assessor != assessor & slots$lease_until >= store_now(engine$store))
}

mode_answer.judicious_gains_mode <- function(mode, assessor, task, value, seconds) {
  engine <- mode$s$engine
  gain <- gain_of_input(value, engine$x$scale)
  if (is.na(gain)) abort_judicious("That is not a grade of this scale.", "argument")
  if (isTRUE(task$past)) {
    change_judgment(mode$s, task$query, task$doc, gain, assessor, seconds)
  } else {
    judge_pairs(engine, session_pairs(engine, task$query, task$doc), gain, assessor, seconds)
  }
  paste0("Saved: ", grade_name(mode$spec$form, gain), ".")
}

mode_skip.judicious_gains_mode <- function(mode, assessor, task, reason) {
  store_exclusive(mode$s$engine$store, {
    if (isTRUE(task$past)) undo_judgment(mode$s, assessor, task$query, task$doc)
    skip_document(mode$s, task$query, task$doc, reason, assessor)
  })
}

# After undoing a judgment, the assessor holds its document again.
mode_undo.judicious_gains_mode <- function(mode, assessor) {
  check_session(mode$s)
  taken <- judgments_of_gold(undo_latest(mode$s$engine, assessor))[1, ]
  c(gains_task(assessor, taken$query, taken$doc), was = list(past_answer(mode$spec$form, taken$gain, taken$detail)))
}

mode_past.judicious_gains_mode <- function(mode, assessor) {
  store <- mode$s$engine$store
  slots <- store_rows(store, "slot", list(assessor = assessor, state = c("judged", "skipped")))
  slots <- pick_rows(slots, slots$copy > 0)
  events <- judgments_of_gold(store_rows(store, "event", list(id = sort(slots$event, decreasing = TRUE))))
  events <- events[order(events$id, decreasing = TRUE), ]
  notes <- notes_of(mode$s, assessor = assessor)
  note <- match(text_key(events$query, events$doc), text_key(notes$query, notes$doc))
  events$comment <- notes$comment[note]
  events$flag <- notes$flag[note] %in% TRUE
  events$time <- utc_time(events$time)
  events$task <- gains_task_id(rep(assessor, nrow(events)), events$query, events$doc)
  events$was <- Map(past_answer, list(mode$spec$form), events$gain, events$detail)
  events
}

mode_note.judicious_gains_mode <- function(mode, assessor, task, comment, flag) {
  add_note(mode$s, task$query, task$doc, comment, flag, assessor)
}

mode_noted.judicious_gains_mode <- function(mode, assessor, task) {
  as.list(notes_of(mode$s, assessor = assessor, query = task$query, doc = task$doc)[c("comment", "flag")])
}

mode_release.judicious_gains_mode <- function(mode, assessor) next_documents(mode$s, 0, assessor)

# Reserves several documents at a time, as soon as half of the previous ones are judged, and returns those that are not
# on the screen, so that their contents can be drawn in advance.
mode_reserve.judicious_gains_mode <- function(mode, assessor, task) {
  engine <- mode$s$engine
  if (engine$control$paused || isTRUE(mode$status$last()$goal$reached)) return(list())
  held <- held_slots(engine, assessor)
  if (nrow(ids_held(engine, held)) > mode$spec$ahead / 2) return(list())
  docs <- ids_held(engine, hold_documents(engine, documents_ahead(mode, assessor), assessor, held))
  lapply(which(docs$query != task$query | docs$doc != task$doc), function(i) as.list(docs[i, ]))
}

mode_panel.judicious_gains_mode <- function(mode, status, assessor) {
  gains_panel(status, assessor, mode$spec$form$nouns)
}

mode_finished.judicious_gains_mode <- function(mode, status, assessor) {
  own_figures <- status$assessors[status$assessors$assessor == assessor, , drop = FALSE]
  item <- judged_item(status, mode$spec$form$nouns)
  thanks <- paste0("You judged ", counted(sum(own_figures$judged), item), ". Everything is saved. Thank you: you can ",
                   "close this page.")
  if (isTRUE(status$goal$reached)) {
    why <- why_stopped(status$goal, status$confidence)
    return(list(upper_first(why), paste0("Judging has ended: ", why, " (", goal_text(status$goal), "). ", thanks),
                end = TRUE))
  }
  others_hold <- count_held_by_others(mode$s$engine, assessor) > 0
  if (isTRUE(status$open == 0)) {
    # An assessor may be done while others hold documents for second judgments.
    if (others_hold) {
      return(list("You are done", paste0("Only other assessors still have ", item, "s to judge. ", thanks), end = TRUE))
    }
    return(list("Everything is judged", paste0("Judging has ended: no ", item, " is left. ", thanks), end = TRUE))
  }
  why <- if (others_hold) paste0("Other assessors are judging the remaining ", item, "s.") else
    paste0("No ", item, " is waiting for you.")
  list("Nothing to judge just now", paste(why, "This page looks again every few seconds; you need not do anything."))
}

gains_task_id <- function(assessor, query, doc) {
  vapply(seq_along(query), function(i) rlang::hash(list(assessor[i], query[i], doc[i])), "")
}

gains_task <- function(assessor, query, doc) list(id = gains_task_id(assessor, query, doc), query = query, doc = doc)

# The order in which to show documents: those of a query follow each other, in an order that is the same after a reload
# and reveals nothing about systems and ranks. `first`: a document that comes first if the assessor holds it, before the
# others of its query.
shuffled_by_query <- function(held, assessor, first = NULL) {
  at_random <- function(...) vapply(Map(list, assessor, ...), rlang::hash, "")
  same_query <- held$query %in% first$query
  is_first <- same_query & held$doc %in% first$doc
  order(!is_first, !same_query, at_random(held$query), at_random(held$query, held$doc))
}

# Judging whole questions, whose answers are right or wrong. The assessor marks the right ones among the distinct
# answers, or types the right answer, which determines the gains of all answers to the question.

# Whether assessors judge whole questions: the session selects all answers to a question at a time, and the answers are
# texts that are right or wrong.
judges_whole_questions <- function(engine) {
  scale <- engine$x$scale
  has_text <- "text" %in% names(engine$x$documents)
  asks_questions(engine) && has_text && (length(scale$levels) == 2 || is_share_scale(scale))
}

gold_form <- function(scale, question) {
  list(kind = "gold", scale = scale, levels = range(scale$levels), values = format_level(range(scale$levels)),
       labels = c("Wrong", "Right"), question = question %||% "Which answers are right?", nouns = nouns_of_answers)
}

# The distinct answers to a question, those of most systems first.
distinct_answers <- function(x, query) {
  pair <- which(x$pool$query == match(query, x$queries$query))
  text <- x$documents[["text"]][x$pool$doc[pair]]
  answers <- data.frame(pair = pair, doc = x$documents$doc[x$pool$doc[pair]], text = ifelse(is.na(text), "", text),
                        systems = audit_weight(x)[pair])
  answers[order(-answers$systems, answers$text), ]
}

# A list of the answers to a question with checkboxes. Answers are shown like documents by `content`, or else by their
# texts.
answer_checkboxes <- function(x, query, content) {
  answers <- distinct_answers(x, query)
  shown <- function(doc, text) {
    item <- if (nzchar(text) || is.function(content$render)) show_item(content, query, doc, "the answer")
    if (is.null(item)) item <- tags$em("No answer")
    tags$div(class = "gold-text", if (is_error_notice(item)) show_text(text) else item, .noWS = "inside")
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

# The task of judging a question. Notes require a document: the one with the first id represents the question.
gold_task <- function(mode, assessor, query)
  gains_task(assessor, query, min(distinct_answers(mode$s$engine$x, query)$doc))

# Leases all answers to a question, so that no other assessor gets the question.
choose_task.judicious_gold_mode <- function(mode, assessor, first) {
  engine <- mode$s$engine
  query <- first$query
  if (is.null(query)) {
    if (is_goal_reached(mode)) {
      mode_release(mode, assessor)
      return(NULL)
    }
    query <- ids_held(engine, hold_documents(engine, 1, assessor))$query[1]
    if (is.na(query %||% NA)) return(NULL)
    hold_documents(engine, sum(engine$x$pool$query == match(query, engine$x$queries$query)), assessor)
  }
  gold_task(mode, assessor, query)
}

# The right answer replaces the assessor's earlier judgments of answers to the question.
mode_answer.judicious_gold_mode <- function(mode, assessor, task, value, seconds) {
  engine <- mode$s$engine
  answers <- distinct_answers(engine$x, task$query)
  marked <- strsplit(text_of_input(value$choice, 5000) %||% "", " ", fixed = TRUE)[[1]]
  typed <- text_of_input(value$text) %||% abort_judicious("The answer must have at most 500 characters.", "argument")
  right <- c(if (nzchar(typed)) typed, answers$text[answers$pair %in% marked])
  if (("0" %in% marked) == (length(right) > 0)) {
    abort_judicious("Mark the right answers, or type the right one, or mark that none is right.", "argument")
  }
  # In the log, empty lines separate right answers. If an answer is empty or contains an empty line, a function compares
  # the answers instead; it is not stored, so it cannot be applied to answers that are added later.
  unusual <- !nzchar(trimws(right)) | grepl("\n[[:space:]]*\n", right)
  compare <- if (!length(right)) function(answer, gold) logical(length(answer)) else
    if (any(unusual)) function(answer, gold) normalised_answer(answer) %in% normalised_answer(right)
  shown <- c(replace(right, !nzchar(trimws(right)), "No answer"), if (!length(right)) "None of the answers")
  store_exclusive(engine$store, {
    undo_question(engine, assessor, answers$pair, "judged")
    judge_by_gold(engine, task$query, paste(shown, collapse = "\n\n"), compare, assessor, seconds)
  })
  "Saved."
}

undo_question <- function(engine, assessor, pairs, states) {
  slots <- store_rows(engine$store, "slot", list(pair = pairs, assessor = assessor, state = states))
  slots <- slots[slots$copy > 0, ]
  for (pair in slots$pair[!duplicated(slots$event)]) undo_latest(engine, assessor, pair)
}

mode_skip.judicious_gold_mode <- function(mode, assessor, task, reason) {
  engine <- mode$s$engine
  store_exclusive(engine$store, {
    if (isTRUE(task$past)) undo_question(engine, assessor, distinct_answers(engine$x, task$query)$pair, "judged")
    held <- ids_held(engine, held_slots(engine, assessor))
    docs <- held$doc[held$query == task$query]
    skip_document(mode$s, rep(task$query, length(docs)), docs, reason, assessor)
  })
}

mode_undo.judicious_gold_mode <- function(mode, assessor) {
  check_session(mode$s)
  taken <- undo_latest(mode$s$engine, assessor)
  if (identical(taken$kind, "skip")) {
    undo_question(mode$s$engine, assessor, distinct_answers(mode$s$engine$x, taken$query)$pair, "skipped")
  }
  c(gold_task(mode, assessor, taken$query), was = list(past_right_answer(mode$spec$form, taken)))
}

past_right_answer <- function(form, event) {
  if (event$kind != "gold") return(past_answer(form, event$gain, event$detail))
  list(text = gsub("\n\n", " / ", sub("^=", "", gold_fields(event$detail)[[1]][1]), fixed = TRUE))
}

# A right answer or a skipped question is one entry of the list, although it concerns several documents.
mode_past.judicious_gold_mode <- function(mode, assessor) {
  past <- NextMethod()
  past <- past[!duplicated(ifelse(past$kind == "skip", text_key("skip", past$query), past$id)), ]
  events <- store_rows(mode$s$engine$store, "event", list(id = past$id))
  past$was <- lapply(match(past$id, events$id), function(i) past_right_answer(mode$spec$form, pick_rows(events, i)))
  of_query <- lapply(past$query, function(query) gold_task(mode, assessor, query))
  past$doc <- vapply(of_query, `[[`, "", "doc")
  past$task <- vapply(of_query, `[[`, "", "id")
  past
}

mode_reserve.judicious_gold_mode <- function(mode, assessor, task) list()

# The panel beside the task: progress of the judging, confidence in the ranking, and the assessor's own work.

# A progress bar with a mark for the target. `share` and `mark` are shares of the whole bar.
status_bar <- function(share, mark = NULL, label, text) {
  share <- max(0, min(1, share))
  tags$div(class = "bar", role = "progressbar", `aria-label` = label, `aria-valuemin` = 0, `aria-valuemax` = 100,
           `aria-valuenow` = round(100 * share), `aria-valuetext` = text,
           tags$div(class = "bar-fill", style = sprintf("width:%.1f%%", 100 * share)),
           if (!is.null(mark)) tags$div(class = "bar-mark", style = sprintf("left:%.1f%%", 100 * min(1, mark))))
}

status_row <- function(term, value, note = NULL) {
  tags$div(class = "status-row", tags$dt(term), tags$dd(value),
           if (!is.null(note)) tags$dd(class = "status-note", note))
}

# What is judged one at a time, in the words of the page.
judged_item <- function(progress, nouns) if (is.null(progress$questions)) nouns[["doc"]] else "question"

gains_panel <- function(progress, assessor, nouns = nouns_of_documents) {
  goal <- progress$goal
  own_figures <- progress$assessors[progress$assessors$assessor == assessor, , drop = FALSE]
  skipped <- sum(own_figures$skipped)
  warning <- if (!is.null(progress$agreement)) chance_warning(progress$agreement)
  tags$section(class = "card-box status", tags$h2("Progress"),
    tags$p(class = "big", tags$span(class = "big-number", confidence_percent(progress)),
           tags$span("confidence in the ranking")),
    if (!is.null(warning)) tags$p(class = "notice", paste0(upper_first(warning), ".")),
    status_bar(progress$confidence, if (is_mean_confidence(goal)) goal$asked, "Confidence in the ranking",
               confidence_percent(progress)),
    goal_line(goal, progress$confidence, nouns),
    tags$dl(
      status_row(paste0(upper_first(judged_item(progress, nouns)), "s judged"),
                 format_count((progress$questions %||% progress)$judged)),
      status_row("Still expected", expected_text(progress)),
      status_row("Judged by you", format_count(sum(own_figures$judged)),
                 if (skipped) paste(format_count(skipped), "skipped")),
      status_row("Agreement", agreement_text(progress$agreement), agreement_note(progress$agreement, nouns[["doc"]]))))
}

# A sentence on the goal: whether it is reached, and its value. The value of a mean confidence is left out, because the
# bar shows it.
goal_line <- function(goal, confidence, nouns) {
  stopped <- why_stopped(goal, confidence)
  unmet <- if (is.null(stopped) && isFALSE(goal$reached)) unmet_text(goal, nouns)
  htmltools::p(class = if (is_met(goal)) "goal reached" else "goal",
               paste0(if (is_met(goal)) "\u2713 ", upper_first(stopped %||% "goal"), ": ", goal_text(goal),
                      if (is.null(stopped) && !is_mean_confidence(goal) && !is.null(goal$value))
                        paste0(", now ", sub(" of .*", "", value_and_target_text(goal))),
                      if (!identical(unmet %||% "not met yet", "not met yet")) paste0("; ", unmet)))
}

# The confidence as a percentage, with enough digits to distinguish it from a target that it misses.
confidence_percent <- function(progress) {
  goal <- progress$goal
  misses <- is_mean_confidence(goal) && isTRUE(progress$confidence < goal$asked)
  looks_equal <- function(digits) percent(progress$confidence, digits) == percent(goal$asked, digits)
  digits <- 1
  while (misses && digits < 9 && looks_equal(digits)) digits <- digits + 1
  percent(progress$confidence, digits)
}

expected_text <- function(progress) {
  more <- progress$expected_more
  if (isTRUE(progress$goal$reached) || isTRUE(progress$open == 0)) return("none")
  if (is.na(more)) "not known" else paste("about", format_count(ceiling(more)))
}

agreement_text <- function(agreement) {
  if (is.null(agreement) || is.na(agreement$estimate)) return("not known")
  sub("-", "\u2212", sprintf("%.2f", agreement$estimate), fixed = TRUE)
}

agreement_note <- function(agreement, item = "document") {
  if (!is.null(agreement) && !is.na(agreement$estimate))
    paste0("1 is perfect, 0 is chance; over ", counted(agreement$units, item), " judged twice")
}
