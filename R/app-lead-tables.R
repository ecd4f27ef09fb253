# The tables, tiles and sentences of the lead's view.

# A table of columns of a data frame under the given headings, with three significant digits.
figure_table <- function(data, caption, columns) {
  shown <- lapply(data[names(columns)], show_figures)
  column_class <- lapply(shown, function(column) if (!all(grepl("^[-+\u2212\u2013 0-9.,%]*$", column))) "words")
  header <- Map(function(name, column_class) {
    if (nzchar(name)) tags$th(scope = "col", class = column_class, name) else tags$td()
  }, columns, column_class)
  table_row <- function(i) {
    cells <- Map(function(column, column_class) tags$td(class = column_class, column[i]), shown[-1], column_class[-1])
    tags$tr(tags$th(scope = "row", shown[[1]][i]), unname(cells))
  }
  tags$div(class = "table-scroll", tabindex = "0", role = "region", `aria-label` = caption,
    tags$table(class = "figures", tags$caption(class = "visually-hidden", caption),
               tags$thead(tags$tr(unname(header))), tags$tbody(lapply(seq_len(nrow(data)), table_row))))
}

show_figures <- function(x) {
  if (is.numeric(x) && all(x == trunc(x), na.rm = TRUE)) return(ifelse(is.na(x), "\u2013", format_count(x)))
  if (!is.numeric(x)) return(ifelse(is.na(x), "\u2013", as.character(x)))
  ifelse(is.na(x), "\u2013", trimws(formatC(x, digits = 3, format = "fg", flag = "#")))
}

tile <- function(term, value, note = NULL) {
  cell_class <- if (!grepl("[0-9]", value) || nchar(value) > 20) "words"
  tags$div(class = "tile", tags$dt(term), tags$dd(class = cell_class, value, if (!is.null(note)) tags$small(note)))
}

gains_tiles <- function(progress) {
  goal <- progress$goal
  asked <- progress$questions
  htmltools::tagList(
    tile("Confidence", if (is.na(progress$confidence)) "\u2013" else confidence_percent(progress),
         chance_warning(progress$agreement) %||% "mean over the pairs of systems"),
    tile("Goal", goal_state(progress), goal_text(goal)),
    tile(if (is.null(asked)) "Judged" else "Questions judged", format_count((asked %||% progress)$judged),
         paste(format_count((asked %||% progress)$open), "not judged")),
    tile("Still expected", expected_text(progress), "judgments until the goal"),
    tile("Agreement", agreement_text(progress$agreement),
         agreement_note(progress$agreement) %||% "nothing judged twice"))
}

preference_tiles <- function(summary) {
  htmltools::tagList(
    tile("Pairs asked", format_count(summary$pairs), paste("of", format_count(summary$all_pairs))),
    tile("Pairs open", format_count(summary$open_pairs)),
    tile("Answers", format_count(summary$answers),
         if (summary$missing) paste(format_count(summary$missing), "skipped")),
    tile("Assessors", format_count(summary$workers)),
    tile("Lists", if (summary$complete) "complete" else "not complete", counted(summary$groups, "group")))
}

ranking_table <- function(ranking) {
  systems <- merged_systems(ranking)
  systems$ranks <- ranks_text(systems)
  figure_table(systems, "Systems, best first",
               c(system = "System", rank = "Rank", ranks = if (has_rank_sets(ranking)) "Rank set",
                 estimate = "Estimate", lower = "Lower", upper = "Upper"))
}

ranking_in_words <- function(ranking) {
  of <- merged_systems(ranking)
  each <- sprintf("%s %.3g (%.3g to %.3g)", of$system, of$estimate, of$lower, of$upper)
  known <- c(ranking_statement(ranking), level_note(ranking))
  systems <- paste0(counted(length(ranking$mean), "system"), ", best first: ", paste(each, collapse = "; "))
  paste0(paste(c(known, systems), collapse = ". "), ".")
}

pairs_in_words <- function(ranking) {
  pairs <- system_differences(ranking)
  undecided <- pairs[can_be_ordered(pairs), ]
  least <- utils::head(undecided[order(undecided$confidence), ], 3)
  paste0("Confidence of every pair of systems, on average ", percent(ranking_confidence(ranking), 1), ".",
         if (nrow(least)) " Least sure: ",
         paste(sprintf("%s and %s %.2f", least$system_a, least$system_b, least$confidence), collapse = "; "),
         if (nrow(least)) ".")
}

# The first row is that of randomly selected documents, which represent the whole pool. The transposed table fits a
# phone.
calibration_panel <- function(calibration) {
  known <- function(x, text) ifelse(is.na(x), "\u2013", text)
  share <- function(x) known(x, percent(x))
  two <- function(x) known(x, sprintf("%.2f", x))
  rows <- calibration
  figures <- rbind(format_count(rows$n), two(rows$bias), two(rows$z2),
                   known(rows$lower, sprintf("%.2f\u2013%.2f", rows$lower, rows$upper)), share(rows$within_50),
                   share(rows$within_80), share(rows$within_95))
  turned <- data.frame(
    figure = c("Documents judged", "Grades above (+) or below (\u2212) what was expected",
               "Spread of the grades, relative to the expected", "Likely range of this spread",
               "Grades within their 50% intervals", "Grades within their 80% intervals",
               "Grades within their 95% intervals"),
    audit = figures[, 1], selected = figures[, 2])
  htmltools::tagList(
    tags$p(calibration_in_words(calibration[1, ])),
    figure_table(turned, "Predicted and observed grades of documents",
                 c(figure = "", audit = "Selected at random", selected = "Selected by the strategy")),
    tags$p(class = "help", "If the confidence holds, grades are on average neither above nor below what was expected ",
           "(0, in standard deviations), and their spread (variance) is as expected (1). A spread of more than 1 ",
           "means that the confidence is too high."))
}

calibration_in_words <- function(audit) {
  if (audit$n < 10 || is.na(audit$lower)) return("Too few randomly selected documents are judged to tell.")
  if (audit$lower > 1) return("No: the gains vary more than the model states. The confidence is too high.")
  if (audit$upper < 1) return("The gains vary less than the model states: the confidence is too low.")
  paste("Nothing contradicts it:", counted(audit$n, "document"), "selected at random varied as expected.")
}

assessors_panel <- function(progress, judgments, scale, assigned = character()) {
  figures <- progress$assessors
  if (!nrow(figures)) return(htmltools::p("Nobody has judged yet."))
  agreement <- lapply(figures$assessor, assessor_agreement, judgments, scale)
  figures$kappa <- vapply(agreement, agreement_text, "")
  figures$overlap <- vapply(agreement, function(a) if (is.null(a)) 0 else as.numeric(a$units), 0)
  figures$queries <- vapply(figures$assessor, function(a) name_some(names(assigned)[assigned == a]), "")
  htmltools::tagList(
    figure_table(figures, "Assessors' speed and agreement",
                 c(assessor = "Assessor", judged = "Judged", skipped = "Skipped",
                   median_seconds = "Seconds per document", kappa = "Agreement with others",
                   overlap = "Judged by others too",
                   queries = if (length(assigned)) "Own queries")),
    htmltools::p(class = "help", "Agreement: 1 if grades are always the same, 0 if no more often than by chance; ",
                 "large differences count more (Cohen's kappa with quadratic weights)."))
}

# Agreement of one assessor's judgments with those of the others for the same documents; NULL if there are none.
assessor_agreement <- function(assessor, judgments, scale) {
  key <- text_key(judgments$query, judgments$doc)
  mine <- which(judgments$assessor == assessor)
  other <- setdiff(seq_along(key), mine)
  both <- data.frame(mine = mine, other = other[match(key[mine], key[other])])
  both <- both[!is.na(both$other), , drop = FALSE]
  if (!nrow(both)) return(NULL)
  level <- function(rows) level_index(scale, judgments$gain[rows])
  agreement(level(both$mine), level(both$other), weights = "quadratic", levels = seq_along(scale$model_levels))
}
