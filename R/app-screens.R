# The screens on which an assessor answers: a query and a document, or a query and two variations.

item_panel <- function(class, heading, id, replay_key, ..., ids = TRUE, focus = FALSE) {
  tags <- htmltools::tags
  tags$section(class = paste("card-box item", class), `aria-label` = heading,
    tags$div(class = "item-head",
      tags$h2(tabindex = if (focus) "-1", `data-focus` = if (focus) NA, heading),
      if (ids) tags$span(class = "item-id", id),
      tool_button("Play", "replay", replay_key, `data-where` = paste0(".", class), class = "tool replay")),
    tags$div(class = "item-body", ...))
}

# `task` has `id`, `query`, `doc`.
gains_screen <- function(task, spec) {
  tags <- htmltools::tags
  content <- spec$content
  query <- show_item(content, task$query, NULL, "the query")
  document <- show_item(content, task$query, task$doc, "the document")
  form <- spec$form
  answer_screen(task, spec,
    tags$div(class = "side-by-side",
      item_panel("query", "Query", task$query, "q", query, ids = content$ids),
      item_panel("document", "Document", task$doc, "r", document, ids = content$ids, focus = TRUE)),
    if (form$kind == "slider") grade_slider(form) else grade_buttons(form))
}

# `task` has `id`, `query`, `doc_a`, `doc_b`: the layout of Figure 4 of Urbano et al. (2010).
preference_screen <- function(task, spec) {
  tags <- htmltools::tags
  content <- spec$content
  variation <- function(doc, heading, class, key) {
    item_panel(class, heading, doc, key, show_item(content, task$query, doc, heading), ids = content$ids)
  }
  answer_screen(task, spec,
    htmltools::tagList(
      item_panel("query", "Original", task$query, "q", show_item(content, task$query, NULL, "the original"),
                 ids = content$ids, focus = TRUE),
      tags$div(class = "side-by-side even", variation(task$doc_a, "Variation A", "variation-a", "1"),
               variation(task$doc_b, "Variation B", "variation-b", "2"))),
    preference_buttons(spec$form))
}

answer_screen <- function(task, spec, panels, answers) {
  htmltools::div(class = "task", `data-task` = task$id, htmltools::tags$h1(class = "visually-hidden", "Judge"),
                 panels, answer_dock(spec$form$question, answers), skip_dialog(spec$reasons),
                 app_dialogs(spec))
}

# The part that stays within reach of the thumb: the question, the answers and other actions.
answer_dock <- function(question, answers) {
  tags <- htmltools::tags
  tags$section(class = "dock", `aria-label` = "Your answer",
    tags$p(class = "question", question), answers,
    tags$div(class = "tools", tool_button("Skip", "skip", "s"), tool_button("Undo", "undo", "u")))
}

gains_keys <- function(form) {
  answers <- if (form$kind == "slider") {
    stats::setNames(c("type a grade", "move the slider", "save the grade"), c("0\u20139", "\u2190 \u2192", "Enter"))
  } else {
    stats::setNames(form$labels, level_keys(form$levels))
  }
  c(answers, r = "play the document from its start", q = "play the query from its start", common_keys)
}

preference_keys <- function(form) {
  c(stats::setNames(form$labels, c("a", "e", "b")), q = "play the original from its start",
    "1" = "play variation A", "2" = "play variation B", common_keys)
}

common_keys <- c(s = "skip, with a reason", u = "undo your last answer", g = "open or close the guidelines",
                 "?" = "open or close this list", Esc = "close what is open")

# The optional question about the assessor, which is asked once in a preference session.
background_form <- function(question) {
  tags <- htmltools::tags
  tags$form(class = "card-box background", `data-form` = "background", `aria-labelledby` = "background-title",
    tags$h2(id = "background-title", "About you"),
    tags$label(class = "field", question,
      tags$textarea(name = "text", class = "form-control", rows = 2, maxlength = 500)),
    tags$p(class = "help", "Optional, and asked only once."),
    tags$button(type = "submit", class = "tool", "Send"))
}
