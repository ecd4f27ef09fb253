# The tables, tiles and sentences on the lead's page.

# A table of some columns of `data`. `columns` maps the names of the columns to their headings. Numbers that are not
# whole have three significant digits.
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
  ifelse(is.na(x), "\u2013", sub("[.]$", "", trimws(formatC(x, digits = 3, format = "fg", flag = "#"))))
}

tile <- function(term, value, note = NULL) {
  cell_class <- if (!grepl("[0-9]", value) || nchar(value) > 20) "words"
  tags$div(class = "tile", tags$dt(term), tags$dd(class = cell_class, value, if (!is.null(note)) tags$small(note)))
}

gains_tiles <- function(progress) {
  goal <- progress$goal
  questions <- progress$questions
  htmltools::tagList(
    tile("Confidence", if (is.na(progress$confidence)) "\u2013" else confidence_percent(progress),
         chance_warning(progress$agreement) %||% "mean over the pairs of systems"),
    tile("Goal", goal_state(progress), goal_text(goal)),
    tile(if (is.null(questions)) "Judged" else "Questions judged", format_count((questions %||% progress)$judged),
         paste(format_count((questions %||% progress)$open), "not judged")),
    tile("Still expected", expected_text(progress), "judgments until the goal"),
    tile("Agreement", agreement_text(progress$agreement),
         agreement_note(progress$agreement, progress$nouns[["doc"]]) %||% "nothing judged twice"))
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
  merged <- merged_systems(ranking)
  descriptions <- sprintf("%s %.3g (%.3g to %.3g)", merged$system, merged$estimate, merged$lower, merged$upper)
  statements <- c(ranking_statement(ranking), level_note(ranking))
  systems <- paste0(counted(length(ranking$mean), "system"), ", best first: ", paste(descriptions, collapse = "; "))
  paste0(paste(c(statements, systems), collapse = ". "), ".")
}

pairs_in_words <- function(ranking) {
  pairs <- system_differences(ranking)
  undecided <- pairs[can_be_ordered(pairs), ]
  least_certain <- utils::head(undecided[order(undecided$confidence), ], 3)
  paste0("Confidence of every pair of systems, on average ", percent(ranking_confidence(ranking), 1), ".",
         if (nrow(least_certain)) " Least sure: ",
         paste(sprintf("%s and %s %.2f", least_certain$system_a, least_certain$system_b, least_certain$confidence),
               collapse = "; "),
         if (nrow(least_certain)) ".")
}

# A table that compares predicted and observed grades. Randomly selected documents come first, because they represent
# the whole pool. Each figure has a row, so that the table fits on the screen of a phone.
calibration_panel <- function(calibration, nouns = nouns_of_documents) {
  labels <- c(in_words_of(nouns, "Documents judged"), "Grades above (+) or below (\u2212) what was expected",
              "Spread of the grades, relative to the expected", "Likely range of this spread",
              paste("Grades within their", c("50%", "80%", "95%"), "intervals"))
  figures <- sub(" to ", "\u2013", vapply(shown_calibration(calibration[1:2, ])[-1], as.character, c("", "")))
  turned <- data.frame(figure = labels, audit = figures[1, ], selected = figures[2, ])
  htmltools::tagList(
    tags$p(in_words_of(nouns, paste(calibration_verdict(calibration), collapse = " "))),
    figure_table(turned, in_words_of(nouns, "Predicted and observed grades of documents"),
                 c(figure = "", audit = "Selected at random", selected = "Selected by the strategy")),
    tags$p(class = "help", "If the confidence holds, grades are on average neither above nor below what was expected ",
           "(0, in standard deviations), and their spread (variance) is as expected (1). A spread of more than 1 ",
           "means that the confidence is too high."))
}

assessors_panel <- function(progress, judgments, scale, assigned = character()) {
  figures <- progress$assessors
  if (!nrow(figures)) return(htmltools::p("Nobody has judged yet."))
  agreement <- lapply(figures$assessor, assessor_agreement, judgments, scale)
  figures$kappa <- vapply(agreement, agreement_text, "")
  figures$median_seconds <- round(figures$median_seconds, 1)
  figures$overlap <- vapply(agreement, function(a) if (is.null(a)) 0 else as.numeric(a$units), 0)
  figures$queries <- vapply(figures$assessor, function(a) name_some(names(assigned)[assigned == a]), "")
  htmltools::tagList(
    figure_table(figures, "Assessors' speed and agreement",
                 c(assessor = "Assessor", judged = "Judged", skipped = "Skipped",
                   median_seconds = paste("Seconds per", progress$nouns[["doc"]]), kappa = "Agreement with others",
                   overlap = "Judged by others too",
                   queries = if (length(assigned)) in_words_of(progress$nouns, "Own queries"))),
    htmltools::p(class = "help", "Agreement: 1 if grades are always the same, 0 if no more often than by chance; ",
                 "large differences count more (Cohen's kappa with quadratic weights)."))
}

# The agreement of one assessor's judgments with those of the others for the same documents; NULL if there are no such
# documents.
assessor_agreement <- function(assessor, judgments, scale) {
  key <- text_key(judgments$query, judgments$doc)
  of_assessor <- which(judgments$assessor == assessor)
  other <- setdiff(seq_along(key), of_assessor)
  both <- data.frame(mine = of_assessor, other = other[match(key[of_assessor], key[other])])
  both <- both[!is.na(both$other), , drop = FALSE]
  if (!nrow(both)) return(NULL)
  level <- function(rows) level_index(scale, judgments$gain[rows])
  agreement(level(both$mine), level(both$other), weights = "quadratic", levels = seq_along(scale$model_levels))
}

# The actions that a lead can take on the page: pause, change the goal, add and suspend assessors, assign queries, and
# decide documents on which assessors disagree. All input is checked, as that of assessors is.

lead_form <- function(kind, ..., button) {
  tags$form(`data-lead` = kind, class = "lead-form", ..., tags$button(type = "submit", class = "tool", button))
}

lead_select <- function(name, label, choices, ...) {
  tags$label(class = "lead-field", label, tags$select(name = name, class = "form-select", ..., lapply(
    seq_along(choices), function(i) tags$option(value = choices[[i]], names(choices)[i] %||% choices[[i]]))))
}

lead_input <- function(name, label, ...) {
  tags$label(class = "lead-field", label, tags$input(name = name, class = "form-control", ...))
}

# The goals that the page offers: the label, and a function that makes the goal from the number that the lead enters.
offered_goals <- list(
  mean = list(label = "Mean confidence over all pairs, %", make = function(n) goal_mean(n / 100)),
  all_pairs = list(label = "Confidence of every pair, %", make = function(n) goal_all_pairs(n / 100)),
  width = list(label = "Width of every interval, % of the range", make = function(n) goal_width(n / 100)),
  budget = list(label = "Number of judgments", make = function(n) goal_budget(n))
)

run_panel <- function(engine) {
  paused <- engine$control$paused
  tags$div(class = "lead-forms",
    tags$p(tags$strong(if (paused) "Paused by the lead." else "Not paused."),
           in_words_of(nouns_of(engine$x), if (paused) "Assessors get no new documents."
                       else "Assessors get documents until judging stops.")),
    lead_form(if (paused) "continue" else "pause", button = if (paused) "Continue judging" else "Pause judging"))
}

goal_panel <- function(engine) {
  kinds <- stats::setNames(names(offered_goals), vapply(offered_goals, `[[`, "", "label"))
  target <- switch(engine$assessor, these = "the judgments as they are", consensus = "the consensus of assessors",
                   paste("the judgments of", engine$assessor))
  tags$div(class = "lead-forms", tags$p("The goal: ", tags$strong(goal_text(engine$goal))),
    tags$p("The ranking refers to: ", tags$strong(target)),
    lead_form("goal", lead_select("choice", "New goal", kinds),
              lead_input("number", "Value", type = "number", min = 1, step = "any", required = NA),
              lead_input("budget", "But at most this many judgments (optional)", type = "number", min = 1, step = 1),
              button = "Change the goal"))
}

people_panel <- function(people) {
  active <- people$assessor[people$role != "suspended"]
  tags$div(class = "lead-forms",
    lead_form("add", lead_input("name", "Name", maxlength = 200, required = NA, autocomplete = "off"),
              lead_select("choice", "Role", c("Assessor" = "assessor", "Lead" = "lead")),
              button = "Add, or give a new token"),
    if (length(active)) lead_form("suspend", lead_select("name", "Assessor", active), button = "Suspend"),
    tags$p(id = "new-token", class = "new-token", role = "status"))
}

assign_panel <- function(queries, assigned, people, nouns = nouns_of_documents) {
  assessor_of_query <- ifelse(queries %in% names(assigned), assigned[queries], "everybody")
  active <- people$assessor[people$role != "suspended"]
  tags$div(class = "lead-forms",
    tags$p(class = "help",
           in_words_of(nouns, "Documents of a query that is assigned are given to its assessor alone.")),
    lead_form("assign",
      lead_select("queries", in_words_of(nouns, "Queries"),
                  stats::setNames(queries, paste0(queries, ": ", assessor_of_query)), multiple = NA,
                  size = min(8, max(3, length(queries))), required = NA),
      lead_select("name", "Assign to", c("Everybody" = "", stats::setNames(active, active))), button = "Assign"))
}

# The judgments of each document on which assessors disagree and that has no final judgment, in a list sorted by the
# range of the gains, largest first.
disagreements <- function(judgments) {
  key <- text_key(judgments$query, judgments$doc)
  key <- factor(key, unique(key))
  span <- tapply(judgments$gain, key, function(gain) diff(range(gain)))
  span <- span[span > 0 & !tapply(judgments$final, key, any)]
  lapply(names(sort(span, decreasing = TRUE)), function(k) judgments[key == k, ])
}

disagreements_panel <- function(judgments, spec, scale) {
  form <- spec$form %||% grade_form(scale, NULL, NULL, NULL)
  nothing <- in_words_of(spec$nouns, "There is no document on which assessors disagree.")
  decision_list(disagreements(judgments), nothing, function(rows) {
    item_title <- paste(rows$query[1], rows$doc[1], sep = " \u2192 ")
    list(id = gains_task_id("", rows$query[1], rows$doc[1]), title = item_title,
         answers = paste(rows$assessor, vapply(rows$gain, grade_name, "", form = form), sep = ": ", collapse = "; "),
         contents = decision_contents(spec, rows$query[1], doc = rows$doc[1]), field = final_field(form, item_title))
  })
}

# The pairs of documents with answers in both directions and without a final decision, those with most answers of the
# minority first.
contested_pairs <- function(session) {
  pairs <- as.data.frame(session)
  pairs <- pairs[pairs$n_a > 0 & pairs$n_b > 0, , drop = FALSE]
  if (!is.null(session$final)) pairs <- pairs[!pair_key(pairs) %in% pair_key(session$final), , drop = FALSE]
  pairs[order(-pmin(pairs$n_a, pairs$n_b)), , drop = FALSE]
}

contested_panel <- function(session, spec) {
  pairs <- contested_pairs(session)
  form <- spec$form %||% preference_form(NULL, NULL)
  decision_list(split(pairs, seq_len(nrow(pairs))), "There is no pair that assessors answer in both directions.",
                function(pair) {
    item_title <- sprintf("%s: %s / %s", pair$query, pair$doc_a, pair$doc_b)
    decided <- if (is.na(pair$decision)) "Not decided yet" else paste("Decided so far:", pair$decision)
    label <- htmltools::tagList("Final decision", htmltools::span(class = "visually-hidden", paste("on", item_title)))
    list(id = pair_task(pair$query, pair$doc_a, pair$doc_b), title = item_title,
         answers = sprintf("A %d, equal %d, B %d, skipped %d. %s.", pair$n_a, pair$n_equal, pair$n_b, pair$n_missing,
                           decided),
         contents = decision_contents(spec, pair$query, doc_a = pair$doc_a, doc_b = pair$doc_b),
         field = decision_select(label, stats::setNames(form$values, form$labels)))
  })
}

# A list of the documents or pairs on which assessors disagree most, each with a form for the final decision. `describe`
# returns, for each, its `id`, its name (`what`), the `answers` of the assessors, its `contents`, and the `field` for
# the decision.
decision_list <- function(open, none, describe, limit = 20) {
  if (!length(open)) return(tags$p(none))
  rows <- lapply(utils::head(open, limit), function(case) {
    item <- describe(case)
    tags$li(tags$div(tags$strong(item$title), tags$p(item$answers), item$contents),
            lead_form("final", tags$input(type = "hidden", name = "id", value = item$id), item$field,
                      button = "Decide"))
  })
  htmltools::tagList(
    tags$p(class = "help", paste0("The final decision counts in place of the others, which are kept. The furthest ",
                                  "apart come first",
                                  if (length(open) > limit) sprintf(", %d of %s", limit, format_count(length(open))),
                                  ".")),
    tags$ol(class = "apart", rows))
}

# The query and the documents of a decision; NULL on a page that is for leads only, because it is configured without
# contents.
decision_contents <- function(spec, query, ...) {
  if (is.null(spec$content)) return(NULL)
  text <- if (...length() == 1) "Show query and document" else "Show query and documents"
  tags$details(tags$summary(in_words_of(spec$nouns, text)),
               show_example(spec$content, list(query = query, ...)))
}

final_field <- function(form, title) {
  label <- htmltools::tagList("Final grade", htmltools::span(class = "visually-hidden", paste("of", title)))
  if (form$kind == "slider") {
    return(lead_input("value", label, type = "number", required = NA, min = min(form$levels),
                      max = max(form$levels), step = form$step))
  }
  decision_select(label, stats::setNames(form$values, vapply(form$levels, grade_name, "", form = form)))
}

# No decision is preselected, because it could be sent by mistake and would influence the lead.
decision_select <- function(label, choices) lead_select("value", label, c("Choose \u2026" = "", choices), required = NA)

notes_panel <- function(notes, nouns = nouns_of_documents) {
  if (!nrow(notes)) return(htmltools::p("There are no comments and no flags."))
  notes <- notes[order(notes$flag, notes$time, decreasing = TRUE), ]
  notes$flag <- ifelse(notes$flag, "\u2691 flagged", "")
  notes$comment <- ifelse(is.na(notes$comment), "", notes$comment)
  notes$what <- paste(notes$query, notes$doc, sep = " \u2192 ")
  figure_table(utils::head(notes, 100), "Comments and flags of the assessors",
               c(what = upper_first(nouns[["doc"]]), assessor = "Assessor", flag = "Flag", comment = "Comment"))
}

# States how many pairs of systems have the confidence that goal_mean() requires on average (95% for other goals), and
# lists the other pairs by decreasing confidence.
decided_panel <- function(ranking, goal, limit = 10) {
  required <- if (is_mean_confidence(goal)) goal$asked else 0.95
  pairs <- system_differences(ranking)
  shown <- data.frame(better = pairs$system_a, other = pairs$system_b, confidence = percent(pairs$confidence, 1))
  unsure <- which(pairs$confidence < required)
  unsure <- unsure[order(pairs$confidence[unsure], decreasing = TRUE)]
  htmltools::tagList(
    htmltools::p(htmltools::tags$strong(sprintf("%s of %s are decided", format_count(nrow(pairs) - length(unsure)),
                                                counted(nrow(pairs), "pair of systems", "pairs of systems"))),
                 sprintf("with a confidence of at least %s.", percent(required))),
    if (length(unsure)) figure_table(shown[utils::head(unsure, limit), ], "Pairs of systems that are not decided",
                                     c(better = "Probably better", other = "Than", confidence = "Confidence")),
    if (length(unsure) > limit) tags$p(class = "help", sprintf("And %s more.", format_count(length(unsure) - limit))))
}

# Performs an action of the lead. Each function in `lead_actions` takes the `page` of the lead (see new_page()), the
# lead's name and the fields that were sent, and returns a message.
receive_lead <- function(page, sent) {
  if (!is.list(sent)) return()
  kind <- text_of_input(sent$kind, 20) %||% ""
  if (!kind %in% names(lead_actions) || !may_lead(page) || page$view != "lead") return()
  show_errors(say = page$say, {
    lead <- page$who
    reply <- lead_actions[[kind]](page, lead, sent)
    page$spec$log("lead", page$address, assessor = lead, action = kind)
    outdate_status(page$mode)
    draw_screen(page)
    page$say(reply)
  })
}

goal_of_input <- function(sent) {
  kind <- text_of_input(sent$choice, 20) %||% ""
  number <- suppressWarnings(as.numeric(text_of_input(sent$number, 20)))
  if (!kind %in% names(offered_goals) || !is_number(number)) abort_judicious("A goal needs a number.", "argument")
  goal <- offered_goals[[kind]]$make(number)
  budget <- text_of_input(sent$budget, 20) %||% ""
  if (nzchar(budget)) goal | goal_budget(suppressWarnings(as.numeric(budget))) else goal
}

pause_action <- function(paused, reply) {
  function(page, lead, sent) {
    stats::update(page$s, paused = paused, by = lead)
    reply
  }
}

lead_actions <- list(
  pause = pause_action(TRUE, "Judging is paused."), continue = pause_action(FALSE, "Judging continues."),
  goal = function(page, lead, sent) {
    goal <- goal_of_input(sent)
    stats::update(page$s, goal = goal, by = lead)
    paste0("The goal is now: ", goal_text(goal), ".")
  },
  add = function(page, lead, sent) {
    name <- text_of_input(sent$name, 200)
    if (identical(name, lead)) abort_judicious("Your own token cannot be changed here.", "argument")
    role <- text_of_input(sent$choice, 20)
    if (!isTRUE(role %in% c("assessor", "lead"))) abort_judicious("The role must be assessor or lead.", "argument")
    token <- add_assessor(page$s, name, role)
    page$session$sendCustomMessage("judicious-token", list(name = name, token = token))
    paste0(name, " is added. The token is shown once: pass it on now.")
  },
  suspend = function(page, lead, sent) {
    name <- text_of_input(sent$name, 200)
    if (identical(name, lead)) abort_judicious("You cannot suspend yourself.", "argument")
    if (!isTRUE(name %in% assessors(page$s)$assessor)) abort_judicious("There is no such assessor.", "argument")
    add_assessor(page$s, name, "suspended")
    mode_release(page$mode, name)
    paste0(name, " is suspended. What was judged stands.")
  },
  assign = function(page, lead, sent) {
    queries <- vapply(sent$queries, function(query) text_of_input(query) %||% "", "", USE.NAMES = FALSE)
    name <- text_of_input(sent$name, 200) %||% ""
    is_valid_name <- !nzchar(name) || name %in% assessors(page$s)$assessor
    if (!is_valid_name) abort_judicious("There is no such assessor.", "argument")
    to <- rep(if (nzchar(name)) name else NA_character_, length(queries))
    stats::update(page$s, queries = stats::setNames(to, queries), by = lead)
    paste0(counted(length(queries), "query", "queries"), " assigned to ", if (nzchar(name)) name else "everybody", ".")
  },
  final = function(page, lead, sent) {
    id <- text_of_input(sent$id, 5000) %||% ""
    decide <- if (is.null(page$spec$preferences)) decide_document else decide_pair
    abort_unless(decide(page, lead, id, sent$value), "There is nothing to decide on this document or pair.",
                 "argument")
    "Decided. The final decision counts."
  }
)

# Functions for the final decision on a document or a pair. They return FALSE if `id` needs no decision, or if `value`
# is not an answer.
decide_document <- function(page, lead, id, value) {
  contested <- disagreements(judgments_of(page$s))
  index <- match(id, vapply(contested, function(rows) gains_task_id("", rows$query[1], rows$doc[1]), ""))
  gain <- gain_of_input(value, page$s$engine$x$scale)
  if (is.na(index) || is.na(gain)) return(FALSE)
  judge(page$s, contested[[index]]$query[1], contested[[index]]$doc[1], gain, lead, final = TRUE)
  TRUE
}

decide_pair <- function(page, lead, id, value) {
  pairs <- contested_pairs(page$mode$status$recompute()$session)
  value <- text_of_input(value, 10) %||% ""
  if (!id %in% pair_task(pairs$query, pairs$doc_a, pairs$doc_b) || !value %in% names(answer_values)) return(FALSE)
  save_preference(page$s, sub("^pair", "final", id), lead, value)
  TRUE
}
