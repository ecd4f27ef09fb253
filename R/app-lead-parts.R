# The tables, tiles and sentences of the lead's view.

# Columns of a data frame under the headings given, numbers to three digits.
figure_table <- function(data, caption, columns) {
  tags <- htmltools::tags
  shown <- lapply(data[names(columns)], show_figures)
  class <- lapply(shown, function(column) if (any(nchar(column) > 16)) "words")
  head <- Map(function(name, class) tags$th(scope = "col", class = class, name), columns, class)
  row <- function(i) {
    cells <- Map(function(column, class) tags$td(class = class, column[i]), shown[-1], class[-1])
    tags$tr(tags$th(scope = "row", shown[[1]][i]), unname(cells))
  }
  tags$div(class = "table-scroll", tabindex = "0", role = "region", `aria-label` = caption,
    tags$table(class = "figures", tags$caption(class = "visually-hidden", caption),
               tags$thead(tags$tr(unname(head))), tags$tbody(lapply(seq_len(nrow(data)), row))))
}

show_figures <- function(x) {
  if (is.numeric(x) && all(x == trunc(x), na.rm = TRUE)) return(ifelse(is.na(x), "\u2013", format_count(x)))
  if (!is.numeric(x)) return(ifelse(is.na(x), "\u2013", as.character(x)))
  ifelse(is.na(x), "\u2013", trimws(formatC(x, digits = 3, format = "fg", flag = "#")))
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
  # The first row is of the documents chosen at random, which stand for the whole pool.
  calibration$judgments <- c(audit = "Random", selected = "Selected")[calibration$judgments]
  audit <- calibration[1, ]
  for (column in c("within_50", "within_80", "within_95")) {
    calibration[[column]] <- ifelse(is.na(calibration[[column]]), NA, percent(calibration[[column]]))
  }
  calibration$interval <- ifelse(is.na(calibration$lower), NA, sprintf("%.2f to %.2f", calibration$lower, calibration$upper))
  htmltools::tagList(
    tags$p(calibration_in_words(audit)),
    figure_table(calibration, "What was expected of documents and what they got",
                 c(judgments = "Judgments", n = "Number", bias = "Bias", z2 = "z\u00b2", interval = "95% interval",
                   within_50 = "In 50%", within_80 = "In 80%", within_95 = "In 95%")),
    tags$p(class = "help", "Of documents chosen at random and by the strategy. Bias: mean of (gain \u2212 expected) / sd, 0 where ",
           "right. z\u00b2: mean of its square, 1 where variances are right. In 95%: how many gains were inside their ",
           "95% intervals."))
}

calibration_in_words <- function(audit) {
  if (audit$n < 10 || is.na(audit$lower)) return("Too few documents were chosen at random to tell.")
  if (audit$lower > 1) return("No: the gains vary more than the model thinks. The confidence is too high.")
  if (audit$upper < 1) return("More than that: the gains vary less than the model thinks. The confidence is too low.")
  paste("Nothing speaks against it:", counted(audit$n, "document"), "chosen at random varied as expected.")
}

assessors_panel <- function(progress, judgments, scale) {
  figures <- progress$assessors
  if (!nrow(figures)) return(htmltools::p("Nobody has judged yet."))
  agreement <- lapply(figures$assessor, assessor_agreement, judgments, scale)
  figures$kappa <- vapply(agreement, function(a) if (is.null(a)) NA_real_ else a$estimate, 0)
  figures$overlap <- vapply(agreement, function(a) if (is.null(a)) 0 else as.numeric(a$units), 0)
  figure_table(figures, "Assessors' speed and agreement",
               c(assessor = "Assessor", judged = "Judged", skipped = "Skipped", median_seconds = "Median seconds",
                 kappa = "Kappa with others", overlap = "Judged by others too"))
}

# One assessor's judgments against the others' of the same documents; NULL where there are none.
assessor_agreement <- function(assessor, judgments, scale) {
  key <- paste(judgments$query, judgments$doc, sep = "\r")
  mine <- which(judgments$assessor == assessor)
  other <- setdiff(seq_along(key), mine)
  both <- data.frame(mine = mine, other = other[match(key[mine], key[other])])
  both <- both[!is.na(both$other), , drop = FALSE]
  if (!nrow(both)) return(NULL)
  level <- function(rows) level_index(scale, judgments$gain[rows])
  cohen_kappa(level(both$mine), level(both$other), "quadratic", levels = seq_along(scale$model_levels))
}
