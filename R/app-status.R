# The panel beside the task: progress of the judging, confidence in the ranking, the assessor's own work.

# A bar with a mark for the target. `share` and `mark` are shares of the whole bar.
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
  mine <- progress$assessors$assessor == assessor
  skipped <- sum(progress$assessors$skipped[mine])
  note <- if (skipped) html_element("dd", "status-note", paste(format_count(skipped), "skipped"))
  fill_holes(panel, list(judged = format_count(sum(progress$assessors$judged[mine])), skipped = note %||% ""))
}

# The panel for every assessor, with holes for his or her own judgments.
gains_panel <- function(progress) {
  goal <- progress$goal
  warning <- chance_warning(progress$agreement)
  with_holes(
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
        tags$div(class = "status-row", tags$dt("Judged by you"), tags$dd(hole("judged")), hole("skipped")),
        status_row("Agreement", agreement_text(progress$agreement), agreement_note(progress$agreement)))))
}

# The progress towards a goal other than the mean confidence, which the bar shows.
goal_line <- function(goal, confidence) {
  stopped <- why_stopped(goal, confidence)
  unmet <- if (is.null(stopped) && isFALSE(goal$reached)) unmet_text(goal)
  htmltools::p(class = if (is_met(goal)) "goal reached" else "goal",
               paste0(if (is_met(goal)) "\u2713 ", upper_first(stopped %||% "goal"), ": ", goal_text(goal),
                      if (is.null(stopped) && !is_mean_confidence(goal) && !is.null(goal$value)) {
                        paste0(", now ", sub(" of .*", "", value_of_asked(goal)))
                      }, if (!identical(unmet %||% "not met yet", "not met yet")) paste0("; ", unmet)))
}

# The confidence as a percentage, with as many digits as it takes that it does not look like a target which it misses.
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
  if (!is.null(agreement) && !is.na(agreement$estimate)) {
    paste0("1 is perfect, 0 is chance; over ", counted(agreement$units, "document"), " judged twice")
  }
}

preference_status <- function(pairs, answered, expected, mine) {
  share <- if (answered + expected > 0) answered / (answered + expected) else 1
  tags$section(class = "card-box status", tags$h2("Progress"),
    tags$p(class = "big", tags$span(class = "big-number", percent(share)), tags$span("of the answers asked so far")),
    status_bar(share, NULL, "Answers given", percent(share)),
    tags$dl(status_row("Answers by all", format_count(answered)),
            status_row("Still needed", format_count(expected), paste("for", counted(pairs, "pair"))),
            status_row("Answered by you", format_count(mine))))
}
