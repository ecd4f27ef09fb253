# The screens on which an assessor answers: a query and a document, or a query and two variations.

item_panel <- function(class, heading, id, replay_key, ..., ids = TRUE, focus = FALSE, tools = NULL) {
  tags$section(class = paste("card-box item", class), `aria-label` = heading,
    tags$div(class = "item-head",
      tags$h2(tabindex = if (focus) "-1", `data-focus` = if (focus) NA, heading),
      if (ids) tags$span(class = "item-id", id),
      tool_button("Play", "replay", replay_key, `data-where` = paste0(".", class), class = "tool replay"), tools),
    tags$div(class = "item-body", ...))
}

# Tools for the words of the query in documents; the browser shows them and counts the words.
word_tools <- function() {
  tags$div(class = "word-tools", hidden = NA, role = "group", `aria-label` = "Words of the query",
           tool_button(tags$span("Query words ", tags$span(id = "word-count")), "words", "h", `aria-pressed` = "true"),
           tool_button("Previous", "previous-word", "p"), tool_button("Next", "next-word", "n"))
}

# The screen of a task: `id`, `query` and `doc` or `doc_a` and `doc_b`; with `was`, the previous answer, if that is to
# be changed. `items` is its content by draw_items(). To draw the tags takes longer than everything else that an answer
# needs (7 ms), so the usual screen is drawn once and its texts are filled in.
task_screen <- function(task, items, spec) {
  if (is_usual(task, items)) fill_holes(spec$drawn$screen, task_texts(task, items)) else
    task_layout(task, items, spec)
}

is_usual <- function(task, items) is.null(task$was) && !has_note(task) && all(vapply(items, inherits, NA, "html"))

# The content of the parts of a task. What is drawn ahead is kept until it is shown, once; errors are not kept, because
# another attempt may succeed.
draw_items <- function(task, spec, ahead = FALSE) {
  ready <- spec$ready
  parts <- c(query = "the query", item_labels[intersect(names(item_labels), names(task))])
  Map(function(part, label) {
    doc <- if (part != "query") task[[part]]
    key <- text_key(is.null(doc), task$query, doc %||% "")
    item <- ready$items[[key]] %||% as_html(if (part == "doc" && !is.null(spec$content$answers))
      spec$content$answers(task$query) else show_item(spec$content, task$query, doc, label))
    ready$items[[key]] <- if (ahead && !is_trouble(item)) item
    ready$items <- utils::tail(ready$items, 500)
    item
  }, names(parts), parts)
}

# The media in items, as HTML, for the browser to load.
media_in <- function(items) {
  html <- vapply(items, function(item) as.character(htmltools::tagList(item)), "")
  unlist(regmatches(html, gregexpr("<(img|audio|video|source)\\b[^>]*>", html, perl = TRUE)), use.names = FALSE)
}

# What fills the holes of the usual screen, as HTML.
task_texts <- function(task, items) {
  texts <- lapply(unlist(task[c("id", names(items))]), htmltools::htmlEscape, attribute = TRUE)
  c(texts, stats::setNames(lapply(items, as.character), paste("the", names(items))))
}

# Query and document side by side; or, of preferences, as in Figure 4 of Urbano et al. (2010).
task_layout <- function(task, shown, spec) {
  form <- spec$form
  of_gold <- form$kind == "gold"
  drawn <- spec$drawn
  panel <- function(part, class, heading, key, ...) {
    ids <- spec$content$ids && !(of_gold && part == "doc")
    item_panel(class, heading, task[[part]], key, shown[[part]], ids = ids, ...)
  }
  panels <- if (form$kind == "preferences") {
    list(panel("query", "query", "Original", "q", focus = TRUE, tools = drawn$words),
         tags$div(class = "side-by-side even", panel("doc_a", "variation-a", "Variation A", "1"),
                  panel("doc_b", "variation-b", "Variation B", "2")))
  } else {
    tags$div(class = "side-by-side", panel("query", "query", "Query", "q"),
             panel("doc", "document", if (of_gold) "Answers" else "Document", "r", focus = TRUE, tools = drawn$words))
  }
  with_was <- !form$kind %in% c("slider", "gold") && !is.null(task$was)
  answers <- if (with_was) answer_buttons(form, task$was$value) else drawn$answers
  htmltools::div(class = "task", `data-task` = task$id, htmltools::tags$h1(class = "visually-hidden", "Judge"),
                 panels, answer_dock(form$question, answers, task), drawn$skip,
                 if (has_note(task)) note_dialog(task$note) else drawn$note)
}

has_note <- function(task) nzchar(c(task$note$comment, "")[1]) || isTRUE(task$note$flag)

# The parts that are the same on every screen, and the usual screen with holes for its texts, as HTML.
drawn_parts <- function(spec) {
  answers <- switch(spec$form$kind, slider = grade_slider, gold = gold_controls, answer_buttons)(spec$form)
  spec$drawn <- lapply(list(skip = skip_dialog(spec$reasons), note = note_dialog(NULL), answers = answers,
                            words = word_tools(), dialogs = app_dialogs(spec)), as_html)
  parts <- c("query", names(item_labels))
  task <- stats::setNames(lapply(c("id", parts), hole), c("id", parts))
  shown <- stats::setNames(lapply(paste("the", parts), hole), parts)
  c(spec$drawn, list(screen = with_holes(task_layout(task, shown, spec))))
}

# The part that stays within reach of the thumb: the question, the answers and other actions.
answer_dock <- function(question, answers, task) {
  past <- isTRUE(task$past)
  noted <- has_note(task)
  tags$section(class = "dock", `aria-label` = "Your answer",
    if (!is.null(task$was)) tags$p(class = "was", if (past) "Your answer: " else "Your answer was: ",
                                   tags$strong(task$was$text)),
    tags$p(class = "question", question),
    tags$p(id = "not-loaded", class = "problem", hidden = NA,
           "You can judge it once it is loaded: try again, or skip it."),
    answers,
    tags$div(class = "tools", tool_button("Skip", "skip", "s"),
             if (past) tool_button("Keep it as it is", "keep", "k") else tool_button("Undo", "undo", "u"),
             tool_button("Comment", "dialog", "m", `data-dialog` = "note-dialog",
                         tags$span(id = "noted", class = "noted", hidden = if (!noted) NA, "\u2713",
                                   tags$span(class = "visually-hidden", "kept")))))
}

answer_keys <- function(form) {
  answers <- if (form$kind == "slider") {
    c("0\u20139" = "type a grade", "\u2190 \u2192" = "move the slider", Enter = "save the grade")
  } else if (form$kind == "gold") {
    c("1\u20139" = "mark an answer, or do not", "0" = "mark that none is right", Enter = "save")
  } else {
    stats::setNames(form$labels, form$keys)
  }
  items <- if (form$kind == "preferences") {
    c(q = "play the original from its start", "1" = "play variation A", "2" = "play variation B")
  } else {
    c(r = "play the document from its start", q = "play the query from its start")
  }
  c(answers, items, common_keys)
}

common_keys <- c(s = "skip, with a reason", u = "undo your last answer", m = "comment on the document, or flag it",
                 l = "list your judgments, to change one", h = "mark the words of the query, or do not",
                 n = "go to the next of these words", p = "go to the one before", d = "dark or light page",
                 g = "open or close the guidelines", "?" = "open or close this list", Esc = "close what is open")

# The optional question about the assessor, which is asked once in a preference session.
background_form <- function(question) {
  tags$form(class = "card-box background", `data-form` = "background", `aria-labelledby` = "background-title",
    tags$h2(id = "background-title", "About you"),
    tags$label(class = "field", question,
      tags$textarea(name = "text", class = "form-control", rows = 2, maxlength = 500)),
    tags$p(class = "help", "Optional, and asked only once."),
    tags$button(type = "submit", class = "tool", "Send"))
}

# The name of a document in lists: its title if the table has one, otherwise its identifier, or the beginning of its
# text if identifiers are hidden.
item_name <- function(content, query, doc) {
  contents <- if (is.null(doc)) content$queries else content$documents
  entry <- if (is.data.frame(contents)) source_row(contents, query, doc)
  title <- entry$title %||% NA
  if (!is.na(title)) return(title)
  if (content$ids) return(doc %||% query)
  text <- entry$text %||% NA
  if (is.na(text)) if (is.null(doc)) "Query" else "Document" else strtrim(text, 80)
}
