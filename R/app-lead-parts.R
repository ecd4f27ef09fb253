# The tables, tiles and sentences of the lead's view.

# Columns of a data frame under the headings given, numbers to three digits.
figure_table <- function(data, caption, columns) {
  tags <- htmltools::tags
  shown <- lapply(data[names(columns)], show_figures)
  row <- function(i) {
    cells <- lapply(shown, `[`, i)
    tags$tr(tags$th(scope = "row", cells[[1]]), lapply(cells[-1], tags$td))
  }
  tags$div(class = "table-scroll", tabindex = "0", role = "region", `aria-label` = caption,
    tags$table(class = "figures", tags$caption(class = "visually-hidden", caption),
               tags$thead(tags$tr(lapply(columns, function(name) tags$th(scope = "col", name)))),
               tags$tbody(lapply(seq_len(nrow(data)), row))))
}

show_figures <- function(x) {
  if (is.numeric(x) && all(x == trunc(x), na.rm = TRUE)) return(ifelse(is.na(x), "\u2013", format_count(x)))
  if (!is.numeric(x)) return(ifelse(is.na(x), "\u2013", as.character(x)))
  ifelse(is.na(x), "\u2013", formatC(x, digits = 3, format = "fg", flag = "#"))
}

tile <- function(term, value, note = NULL) {
  tags <- htmltools::tags
  tags$div(class = "tile", tags$dt(term), tags$dd(value, if (!is.null(note)) tags$small(note)))
}

gains_tiles <- function(progress) {
  goal <- progress$goal
  htmltools::tagList(
    tile("Confidence", if (is.na(progress$confidence)) "\u2013" else percent(progress$confidence, 1),
         "mean over the pairs of systems"),
    tile("Goal", if (isTRUE(goal$reached)) "reached" else "open", goal$label),
    tile("Judged", format_count(progress$judged), paste(format_count(progress$open), "not judged")),
    tile("Still expected", expected_text(progress$expected_more, goal), "judgments until the goal"),
    tile("Agreement", agreement_text(progress$agreement), agreement_note(progress$agreement) %||% "nothing judged twice"))
}

preference_tiles <- function(summary) {
  htmltools::tagList(
    tile("Pairs asked", format_count(summary$pairs), paste("of", format_count(summary$all_pairs))),
    tile("Pairs open", format_count(summary$open_pairs)),
    tile("Answers", format_count(summary$answers), if (summary$missing) paste(format_count(summary$missing), "skipped")),
    tile("Assessors", format_count(summary$workers)),
    tile("Lists", if (summary$complete) "complete" else "open", counted(summary$groups, "group")))
}

ranking_table <- function(ranking) {
  data <- as.data.frame(ranking)
  figure_table(data[order(data$rank), ], "Systems, best first",
               c(system = "System", rank = "Rank", estimate = "Estimate", lower = "Lower", upper = "Upper"))
}

ranking_in_words <- function(ranking) {
  data <- as.data.frame(ranking)
  data <- data[order(data$rank), ]
  paste0(counted(nrow(data), "system"), ", best first: ",
         paste(sprintf("%s %.3g (%.3g to %.3g)", data$system, data$estimate, data$lower, data$upper), collapse = "; "), ".")
}

pairs_in_words <- function(ranking) {
  pairs <- system_differences(ranking)
  least <- pairs[order(pairs$confidence), ][seq_len(min(3, nrow(pairs))), ]
  paste0("Confidence of every pair of systems, on average ", percent(mean(pairs$confidence), 1), ". Least sure: ",
         paste(sprintf("%s and %s %.2f", least$system_a, least$system_b, least$confidence), collapse = "; "), ".")
}

calibration_panel <- function(calibration) {
  tags <- htmltools::tags
  calibration$judgments <- c(audit = "Chosen at random", selected = "Chosen by the strategy")[calibration$judgments]
  audit <- calibration[1, ]
  htmltools::tagList(
    tags$p(calibration_in_words(audit)),
    figure_table(calibration, "What was expected of documents and what they got",
                 c(judgments = "Judgments", n = "Number", bias = "Bias", z2 = "Mean z\u00b2", lower = "Lower",
                   upper = "Upper", within_50 = "In 50%", within_80 = "In 80%", within_95 = "In 95%")),
    tags$p(class = "help", "Bias: mean of (gain \u2212 expected) / sd, 0 where right. Mean z\u00b2: 1 where variances are ",
           "right, with its 95% interval. In 95%: the share of gains inside 95% intervals."))
}

calibration_in_words <- function(audit) {
  if (is.na(audit$lower)) return("Too few documents were chosen at random to tell.")
  if (audit$lower > 1) return("No: the gains vary more than the model thinks. The confidence is too high.")
  if (audit$upper < 1) return("More than that: the gains vary less than the model thinks. The confidence is too low.")
  paste("Nothing speaks against it:", counted(audit$n, "document"), "chosen at random varied as expected.")
}

assessors_panel <- function(progress) {
  if (!nrow(progress$assessors)) return(htmltools::p("Nobody has judged yet."))
  names <- c(assessor = "Assessor", judged = "Judged", skipped = "Skipped", median_seconds = "Median seconds",
             agreement = "Kappa with the others", overlap = "Judged twice")
  figure_table(progress$assessors, "Assessors' speed and agreement", names[names(names) %in% names(progress$assessors)])
}
