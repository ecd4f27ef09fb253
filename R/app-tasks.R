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

gains_status <- function(progress, assessor, panel = gains_panel(progress)) {
  of_assessor <- progress$assessors$assessor == assessor
  skipped <- sum(progress$assessors$skipped[of_assessor])
  note <- if (skipped) html_element("dd", "status-note", paste(format_count(skipped), "skipped"))
  judged <- format_count(sum(progress$assessors$judged[of_assessor]))
  fill_insertion_points(panel, list(judged = judged, skipped = note %||% ""))
}

# The panel with the figures that are the same for every assessor, and insertion points for the figures of a single one.
gains_panel <- function(progress) {
  goal <- progress$goal
  warning <- if (!is.null(progress$agreement)) chance_warning(progress$agreement)
  split_at_insertion_points(
    tags$section(class = "card-box status", tags$h2("Progress"),
      tags$p(class = "big", tags$span(class = "big-number", confidence_percent(progress)),
             tags$span("confidence in the ranking")),
      if (!is.null(warning)) tags$p(class = "notice", paste0(upper_first(warning), ".")),
      status_bar(progress$confidence, if (is_mean_confidence(goal)) goal$asked, "Confidence in the ranking",
                 confidence_percent(progress)),
      goal_line(goal, progress$confidence),
      tags$dl(
        status_row(if (is.null(progress$questions)) "Documents judged" else "Questions judged",
                   format_count((progress$questions %||% progress)$judged)),
        status_row("Still expected", expected_text(progress)),
        tags$div(class = "status-row", tags$dt("Judged by you"), tags$dd(insertion_point("judged")),
                 insertion_point("skipped")),
        status_row("Agreement", agreement_text(progress$agreement), agreement_note(progress$agreement)))))
}

# A sentence on the goal: whether it is reached, and its value. The value of a mean confidence is left out, because the
# bar shows it.
goal_line <- function(goal, confidence) {
  stopped <- why_stopped(goal, confidence)
  unmet <- if (is.null(stopped) && isFALSE(goal$reached)) unmet_text(goal)
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

agreement_note <- function(agreement) {
  if (!is.null(agreement) && !is.na(agreement$estimate))
    paste0("1 is perfect, 0 is chance; over ", counted(agreement$units, "document"), " judged twice")
}

# Modes of judging on the page: grades of documents or right answers to questions (R/app-gains.R), and preferences
# between two documents (R/app-preferences.R). A mode is an environment that all browsers of a process share, with
# methods of the functions below, each of which acts for one assessor. Callers call apply_changes() first.

# `s` and `spec`: the session, and the configuration of the page. `status`: a cached_value() of the figures of the
# session. `tended`, also cached: whether another process computes these. `expected`, also cached: the number of further
# judgments. `drawn`: the figures that were drawn last, and their panel. Lists by assessor: `shown`, the task on the
# screen; `slots`, the slots that he or she holds; and `notes`, with the id of the last note when they were read.
# `ready`: the assessors whose `slots` are up to date and not empty, because the store returned them with the last
# answer.
new_mode <- function(s, spec) {
  of_gains <- is.null(spec$preferences)
  state <- list(s = s, spec = spec, shown = list(), slots = list(), notes = list(), ready = character(), drawn = NULL)
  class <- if (!of_gains) "judicious_preference_mode" else
    c(if (identical(spec$form$kind, "gold")) "judicious_gold_mode", "judicious_gains_mode")
  mode <- structure(list2env(state, parent = emptyenv()), class = class)
  mode$tended <- cached_value(function() of_gains && is_estimated_elsewhere(s$engine), oldest = 1)
  # If whole questions are judged, the number of further judgments is not computed, because it counts answers, not
  # questions.
  mode$expected <- cached_value(function() if (identical(class, "judicious_gains_mode")) further_judgments(s$engine))
  mode$status <- mode_figures(mode)
  mode
}

# Returns a cached_value() of the figures of the session.
mode_figures <- function(mode) UseMethod("mode_figures")

# The next task to show, or NULL. `first`: the task to show first if possible, such as one whose answer was undone.
mode_next <- function(mode, assessor, first = NULL) {
  on.exit(mode$ready <- setdiff(mode$ready, assessor))
  task <- if (!mode$s$engine$control$paused) choose_task(mode, assessor, first)
  if (!is.null(task) && identical(first$id, task$id)) task$was <- first$was
  task
}

# Selects a task for an assessor: a list with `id`, `query` and `doc`, or `doc_a` and `doc_b`; NULL if there is none.
choose_task <- function(mode, assessor, first) UseMethod("choose_task")

# Saves an answer, and returns the message to announce.
mode_answer <- function(mode, assessor, task, value, seconds) UseMethod("mode_answer")

mode_skip <- function(mode, assessor, task, reason) UseMethod("mode_skip")

# Undoes the last answer; returns its task, with the answer as `was`, for mode_next().
mode_undo <- function(mode, assessor) UseMethod("mode_undo")

# The answers that were not undone, latest first: a data frame of tasks with `task`, their id; `was`, by past_answer();
# and `time`, `comment` and `flag`.
mode_past <- function(mode, assessor) UseMethod("mode_past")

# mode_note() saves a comment and a flag on a task; mode_noted() returns the saved ones. `last`: the id of the last note
# in the log.
mode_note <- function(mode, assessor, task, comment, flag) UseMethod("mode_note")
mode_noted <- function(mode, assessor, task, last = NULL) UseMethod("mode_noted")

# Ends the assessor's leases, so that others can have the documents.
mode_release <- function(mode, assessor) UseMethod("mode_release")

# Returns the tasks that the assessor will probably get next, without the current task, so that the page can load their
# contents. A mode may reserve them for the assessor.
mode_reserve <- function(mode, assessor, task) UseMethod("mode_reserve")

# mode_panel() returns the panel beside the screen; mode_finished() the content of a screen without a task: heading,
# text, and whether judging is at its `end`.
mode_panel <- function(mode, status, assessor) UseMethod("mode_panel")
mode_finished <- function(mode, status, assessor) UseMethod("mode_finished")

# Makes the figures outdated, so that they are computed again, unless another process computes them.
outdate_status <- function(mode) if (!mode$tended$get()) mode$status$touch()

# Computes the number of further judgments again. This takes longest, so it is done after the screen has been sent.
update_expected <- function(mode) {
  if (mode$tended$get()) return(invisible())
  mode$expected$touch()
  mode$expected$get()
}

# Describes an earlier answer for the page: a `text`, and the `value` of its button. `grade` is NA if the task was
# skipped.
past_answer <- function(form, grade, reason) {
  if (is.na(grade)) return(list(text = paste(c("Skipped", if (!reason %in% c("", NA)) reason), collapse = ": ")))
  list(text = grade_name(form, grade), value = if (is.numeric(grade)) format_level(grade) else grade)
}

# The task of an earlier answer that the assessor wants to change; NULL if the assessor has no such answer.
past_task <- function(mode, assessor, id) {
  past <- mode_past(mode, assessor)
  i <- match(id, past$task)
  if (is.na(i)) return(NULL)
  fields <- intersect(c("query", names(item_labels)), names(past))
  c(list(id = id), as.list(past[i, fields]), past = TRUE, was = past$was[i])
}

# The list of an assessor's last answers, at most `max_answers`; each can be opened to change it.
history_list <- function(mode, assessor, max_answers = 200) {
  past <- mode_past(mode, assessor)
  n_answers <- nrow(past)
  if (!n_answers) return(tags$p("You have not judged anything yet."))
  content <- mode$spec$content
  rows <- lapply(seq_len(min(max_answers, n_answers)), function(i) {
    name <- function(doc) item_name(content, past$query[i], doc)
    docs <- if (mode$spec$form$kind != "gold") vapply(past[i, intersect(names(item_labels), names(past))], name, "")
    item_title <- paste(c(name(NULL), if (length(docs)) paste(docs, collapse = " / ")), collapse = " \u2192 ")
    note <- paste0(if (past$flag[i]) "\u2691 ", stats::na.omit(past$comment[i]))
    tags$li(tags$span(class = "past-what", item_title),
            tags$span(class = "past-answer", past$was[[i]]$text,
                      tags$time(datetime = utc_text(as.numeric(past$time[i])), class = "past-time")),
            if (any(nzchar(note))) tags$span(class = "past-note", note),
            tags$button(type = "button", class = "tool", `data-action` = "revise", `data-value` = past$task[i],
                        "Change", tags$span(class = "visually-hidden", item_title)))
  })
  htmltools::tagList(
    if (n_answers > max_answers) tags$p(class = "help", paste("The last", max_answers, "of", format_count(n_answers))),
    tags$ol(class = "past", rows))
}
