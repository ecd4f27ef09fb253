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
# be changed. `items` is its content by draw_items(); `layout` is gains_layout() or preference_layout(). To draw the
# tags takes longer than everything else that an answer needs, so the usual screen is drawn once and its texts are
# filled in.
task_screen <- function(task, items, spec, layout) {
  if (is_usual(task, items)) fill_holes(spec$drawn$screen, task_texts(task, items)) else layout(task, items, spec)
}

is_usual <- function(task, items) is.null(task$was) && !has_note(task) && all(vapply(items, inherits, NA, "html"))

# The content of the parts of a task.
draw_items <- function(task, spec) {
  parts <- task_parts(task)
  Map(function(part, label) spec$items$show(task$query, if (part != "query") task[[part]], label), names(parts), parts)
}

# What fills the holes of the usual screen, as HTML.
task_texts <- function(task, items) {
  texts <- lapply(unlist(task[c("id", names(items))]), htmltools::htmlEscape, attribute = TRUE)
  c(texts, stats::setNames(lapply(items, as.character), paste("the", names(items))))
}

# The parts of a task, with their names for screen readers.
task_parts <- function(task) c(query = "the query", item_labels[intersect(names(item_labels), names(task))])

gains_layout <- function(task, shown, spec) {
  ids <- spec$content$ids
  form <- spec$form
  answer_screen(task, spec,
    tags$div(class = "side-by-side",
      item_panel("query", "Query", task$query, "q", shown$query, ids = ids),
      item_panel("document", "Document", task$doc, "r", shown$doc, ids = ids, focus = TRUE, tools = spec$drawn$words)),
    if (form$kind == "slider" || is.null(task$was)) spec$drawn$answers else grade_buttons(form, task$was$value))
}

# The layout of Figure 4 of Urbano et al. (2010).
preference_layout <- function(task, shown, spec) {
  ids <- spec$content$ids
  variation <- function(part, class, key) {
    item_panel(class, upper_first(item_labels[[part]]), task[[part]], key, shown[[part]], ids = ids)
  }
  answer_screen(task, spec,
    htmltools::tagList(
      item_panel("query", "Original", task$query, "q", shown$query, ids = ids, focus = TRUE, tools = spec$drawn$words),
      tags$div(class = "side-by-side even", variation("doc_a", "variation-a", "1"),
               variation("doc_b", "variation-b", "2"))),
    if (is.null(task$was)) spec$drawn$answers else preference_buttons(spec$form, task$was$value))
}

answer_screen <- function(task, spec, panels, answers) {
  htmltools::div(class = "task", `data-task` = task$id, htmltools::tags$h1(class = "visually-hidden", "Judge"),
                 panels, answer_dock(spec$form$question, answers, task), spec$drawn$skip,
                 if (has_note(task)) note_dialog(task$note) else spec$drawn$note)
}

has_note <- function(task) nzchar(c(task$note$comment, "")[1]) || isTRUE(task$note$flag)

# The parts that are the same on every screen, and the usual screen with holes for its texts, as HTML.
drawn_parts <- function(spec) {
  answers <- if (spec$form$kind == "buttons") grade_buttons(spec$form) else
    if (spec$form$kind == "slider") grade_slider(spec$form) else preference_buttons(spec$form)
  spec$drawn <- lapply(list(skip = skip_dialog(spec$reasons), note = note_dialog(NULL), answers = answers,
                            words = word_tools()), as_html)
  preferences <- spec$form$kind == "preferences"
  fields <- c("id", "query", if (preferences) c("doc_a", "doc_b") else "doc")
  task <- stats::setNames(lapply(fields, hole), fields)
  shown <- stats::setNames(lapply(paste("the", fields[-1]), hole), fields[-1])
  layout <- if (preferences) preference_layout else gains_layout
  c(spec$drawn, list(screen = with_holes(layout(task, shown, spec)), dialogs = as_html(app_dialogs(spec))))
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
  if (form$kind == "preferences") {
    return(c(stats::setNames(form$labels, c("a", "e", "b")), q = "play the original from its start",
             "1" = "play variation A", "2" = "play variation B", common_keys))
  }
  answers <- if (form$kind == "buttons") stats::setNames(form$labels, level_keys(form$levels)) else
    c("0\u20139" = "type a grade", "\u2190 \u2192" = "move the slider", Enter = "save the grade")
  c(answers, r = "play the document from its start", q = "play the query from its start", common_keys)
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

# Shows items as HTML. `ahead()` prepares the items of a task and keeps them until they are shown, once; it returns
# their media as HTML, for the browser to load.
new_items <- function(content, most = 500) {
  ready <- list()
  key <- function(query, doc) paste(c(encode_id(query), if (!is.null(doc)) encode_id(doc)), collapse = "/")
  keep <- function(query, doc, label) {
    item_key <- key(query, doc)
    item <- ready[[item_key]] %||% drawn_item(content, query, doc, label)
    # Errors are not kept, because another attempt may succeed.
    if (!is_trouble(item)) ready[[item_key]] <<- item
    ready <<- utils::tail(ready, most)
    html <- if (inherits(item, "html")) item else as.character(htmltools::tagList(item))
    unlist(regmatches(html, gregexpr("<(img|audio|video|source)\\b[^>]*>", html, perl = TRUE)))
  }
  list(
    show = function(query, doc, label) {
      item_key <- key(query, doc)
      item <- ready[[item_key]]
      ready[[item_key]] <<- NULL
      item %||% drawn_item(content, query, doc, label)
    },
    ahead = function(task) {
      parts <- task_parts(task)
      unlist(Map(function(part, label) keep(task$query, if (part != "query") task[[part]], label), names(parts),
                 parts), use.names = FALSE)
    }
  )
}

# The list of an assessor's own judgments, from which they can be changed. `what` describes the item, `answer` the
# answer; the button sends `task`. Lists are limited to `most` rows.
history_list <- function(task, what, answer, time, note, most = 200) {
  if (!length(task)) return(tags$p("You have not judged anything yet."))
  shown <- seq_len(min(most, length(task)))
  rows <- lapply(shown, function(i) {
    tags$li(tags$span(class = "past-what", what[i]),
            tags$span(class = "past-answer", answer[i], tags$time(datetime = utc_text(time[i]), class = "past-time")),
            if (nzchar(note[i])) tags$span(class = "past-note", note[i]),
            tags$button(type = "button", class = "tool", `data-action` = "revise", `data-value` = task[i], "Change",
                        tags$span(class = "visually-hidden", what[i])))
  })
  htmltools::tagList(
    if (length(task) > most) tags$p(class = "help", paste("The last", most, "of", format_count(length(task)))),
    tags$ol(class = "past", rows))
}

note_text <- function(comment, flag) paste0(ifelse(flag, "\u2691 ", ""), ifelse(is.na(comment), "", comment))

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

item_names <- function(content, query, doc = NULL) {
  vapply(seq_along(query), function(i) item_name(content, query[i], doc[i]), "")
}
