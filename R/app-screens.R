# The page around the task: landmarks, the other screens, live regions for screen readers, and the resources of the
# browser, which all come from the page's own server. Only the two live regions announce changes; by default, screen
# readers would read every output of Shiny whenever it changes.

app_page <- function(title) {
  bslib::page(
    title = title, theme = bslib::bs_theme(version = 5), lang = "en",
    tags$head(tags$meta(name = "referrer", content = "same-origin"), tags$link(rel = "icon", href = page_icon)),
    htmltools::htmlDependency("judicious-app", utils::packageVersion("judicious"),
                              src = c(file = system.file("app", package = "judicious", mustWork = TRUE)),
                              script = c("reading.js", "judge.js"), stylesheet = "judge.css", all_files = FALSE),
    tags$a(class = "skip-link", href = "#screen", "Skip to the content"),
    tags$header(class = "top", tags$p(class = "brand", title),
                shiny::uiOutput("menu", container = tags$nav, `aria-label` = "Page", `aria-live` = "off")),
    tags$div(id = "connection", role = "alert", hidden = NA,
             "The connection is lost. Every answer that was confirmed is saved. Trying to reconnect ..."),
    tags$div(class = "layout",
      shiny::uiOutput("screen", container = tags$main, tabindex = "-1", `aria-live` = "off"),
      tags$aside(`aria-label` = "Progress", tags$div(id = "figures"),
                 shiny::uiOutput("background", `aria-live` = "off"))),
    shiny::uiOutput("dialogs", `aria-live` = "off"),
    tags$div(id = "say", class = "visually-hidden", role = "status", `aria-live` = "polite"),
    tags$div(id = "alert", class = "toast-alert", role = "alert", `aria-live` = "assertive")
  )
}

# The icon shows three bars, like a ranking. It is part of the page, because a separate file would be requested before
# the log-in.
page_icon <- paste0(
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%232b5c8a' ",
  "d='M2 2h12v3H2zM2 6.5h8v3H2zM2 11h5v3H2z'/%3E%3C/svg%3E"
)

menu_button <- function(label, action, key = NULL, ...) {
  tags$button(type = "button", class = "menu-button", `data-action` = action, `data-key` = key,
              `aria-keyshortcuts` = key, tags$span(class = "menu-label", label), if (!is.null(key)) key_cap(key), ...)
}

has_guidelines <- function(spec) !is.null(spec$guidelines) || !is.null(spec$examples)

# The controls in the header for a person who is logged in.
app_menu <- function(assessor, lead, view, spec) {
  lead <- lead && !spec$lead_only
  guidelines <- menu_button("Guidelines", "dialog", "g", `data-dialog` = "guidelines")
  judging <- list(if (has_guidelines(spec)) tags$li(guidelines), tags$li(menu_button("History", "history", "l")),
                  tags$li(menu_button("Keys", "dialog", "?", `data-dialog` = "keys")))
  tags$ul(class = "menu",
    if (view == "judge") judging,
    tags$li(menu_button("Dark", "theme", "d", `aria-pressed` = "false")),
    if (lead && view == "judge") tags$li(menu_button("Lead's view", "view", `data-view` = "lead")),
    if (lead && view == "lead") tags$li(menu_button("Judge", "view", `data-view` = "judge")),
    if (spec$tokens) tags$li(class = "who", tags$span(class = "visually-hidden", "Logged in as "), assessor),
    if (spec$tokens) tags$li(menu_button("Log out", "logout"))
  )
}

# The log-in screen. Its input fields have names but no ids, because Shiny sends the content of a field with an id at
# every keystroke.
login_screen <- function(title) {
  tags$form(class = "card-box login", `data-form` = "login", `aria-labelledby` = "login-title",
    tags$h1(id = "login-title", title),
    tags$label("Your token",
      tags$input(name = "token", type = "password", class = "form-control", required = NA, maxlength = 200,
                 autocomplete = "current-password", spellcheck = "false", `data-focus` = NA,
                 `aria-describedby` = "token-help login-message")),
    tags$p(id = "token-help", class = "help", "The person who leads the judging gave it to you. It says who you are: ",
           "do not pass it on."),
    tags$p(id = "login-message", class = "problem", role = "alert"),
    tags$button(type = "submit", class = "primary", "Start judging")
  )
}

# A screen without a task. `end`: whether it is the last screen of the assessor.
message_screen <- function(heading, text, end = FALSE) {
  tags$section(class = paste("card-box message", if (end) "end"), tags$h1(tabindex = "-1", `data-focus` = NA, heading),
               tags$p(text), tool_button("Undo the last answer", "undo", "u"))
}

# The dialogs that the buttons in the header open. They are separate from the screen, which may be drawn again while a
# person reads them.
app_dialogs <- function(spec) {
  guidelines <- if (has_guidelines(spec))
    app_dialog("guidelines", "Guidelines", "g", guidelines_html(spec$guidelines),
               if (!is.null(spec$examples)) examples_by_grade(spec))
  htmltools::tagList(keys_dialog(spec$keys), guidelines, app_dialog("history", "Your judgments", "l"))
}

app_dialog <- function(id, title, key, ...) {
  tags$dialog(id = id, class = "sheet", `aria-labelledby` = paste0(id, "-title"), `data-toggle` = key,
    tags$div(class = "sheet-head", tags$h2(id = paste0(id, "-title"), title),
             tags$form(method = "dialog", tags$button(class = "tool", autofocus = NA, "Close"))),
    tags$div(class = "sheet-body", ...))
}

keys_dialog <- function(keys) {
  rows <- lapply(names(keys), function(key) {
    tags$tr(class = if (startsWith(keys[[key]], "play")) "plays", tags$th(scope = "row", tags$kbd(key)),
            tags$td(keys[[key]]))
  })
  app_dialog("keys", "Keys", "?",
    tags$table(class = "keys", tags$caption(class = "visually-hidden", "Keys of this page"), tags$tbody(rows)),
    tags$label(class = "switch", tags$input(type = "checkbox", name = "keys-on", checked = NA),
               "Single keys work (switch them off if they get in the way of your screen reader)"))
}

answer_keys <- function(form) {
  answers <- switch(form$kind,
    slider = c("0\u20139" = "type a grade", "\u2190 \u2192" = "move the slider", Enter = "save the grade"),
    gold = c("1\u20139" = "mark an answer, or do not", "0" = "mark that none is right", Enter = "save"),
    stats::setNames(form$labels, form$keys))
  items <- if (form$kind == "preferences")
    c(q = "play the original from its start", "1" = "play variation A", "2" = "play variation B") else
      stats::setNames(sprintf("play the %s from its start", form$nouns[c("doc", "query")]), c("r", "q"))
  c(answers, items, common_keys(form$nouns))
}

common_keys <- function(nouns) {
  c(s = "skip, with a reason", u = "undo your last answer",
    m = sprintf("comment on the %s, or flag it", nouns[["doc"]]), l = "list your judgments, to change one",
    h = sprintf("mark the words of the %s, or do not", nouns[["query"]]), n = "go to the next of these words",
    p = "go to the one before", d = "dark or light page", g = "open or close the guidelines",
    "?" = "open or close this list", Esc = "close what is open")
}

# The parts that are the same on every screen, as HTML that is drawn once.
predrawn_parts <- function(spec) {
  answers <- switch(spec$form$kind, slider = grade_slider, gold = gold_controls, answer_buttons)(spec$form)
  nouns <- spec$form$nouns
  lapply(list(skip = skip_dialog(spec$reasons), note = note_dialog(NULL, nouns), answers = answers,
              words = word_tools(nouns[["query"]]), dialogs = app_dialogs(spec)), as_html)
}

# Shows guidelines and the examples of grades.

# Guidelines that are a tag or marked by htmltools::HTML() come from R code and are shown unchanged.
guidelines_html <- function(guidelines) {
  if (!is.character(guidelines) || inherits(guidelines, "html")) return(guidelines)
  safe_markup(guidelines, "markdown")
}

# The examples as one section for each grade, in the order of the answer buttons.
examples_by_grade <- function(spec) {
  examples <- spec$examples
  grades <- if (spec$form$kind == "preferences") names(answer_values) else sort(unique(examples$grade))
  lapply(intersect(grades, examples$grade), function(grade) {
    shown <- lapply(which(examples$grade == grade), function(i) show_example(spec$content, lapply(examples, `[`, i)))
    tags$section(class = "examples", tags$h3(grade_name(spec$form, grade)), shown)
  })
}

show_example <- function(content, example) {
  has_part <- function(part) !is.null(example[[part]]) && !is.na(example[[part]])
  docs <- Filter(has_part, intersect(names(item_labels), names(example)))
  show <- function(doc, label) {
    tags$div(class = "example-item", tags$p(class = "help", upper_first(sub("^the ", "", label))),
             show_item(content, id_text(example$query), if (!is.null(doc)) id_text(doc), label))
  }
  tags$div(class = "example",
    if (has_part("text")) guidelines_html(example$text),
    if (length(docs)) show(NULL, "the query"),
    lapply(docs, function(part) show(example[[part]], item_labels[[part]])))
}

# The form with the optional question about the assessor, which is asked once in a preference session.
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
  title <- entry[["title"]] %||% NA
  if (!is.na(title)) return(title)
  if (content$ids) return(doc %||% query)
  text <- entry[["text"]] %||% NA
  if (is.na(text)) if (is.null(doc)) "Query" else "Document" else strtrim(text, 80)
}
