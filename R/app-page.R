# The page around the screens: landmarks, live regions for screen readers, and the resources of the browser, which all
# come from the page's own server. Only the two live regions announce changes; by default, Shiny would have every output
# read out whenever it changes.

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

# Three bars, as of a ranking; an address of its own would be asked for before anybody has logged in.
page_icon <- paste0(
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath fill='%232b5c8a' ",
  "d='M2 2h12v3H2zM2 6.5h8v3H2zM2 11h5v3H2z'/%3E%3C/svg%3E"
)

menu_button <- function(label, action, key = NULL, ...) {
  htmltools::tags$button(type = "button", class = "menu-button", `data-action` = action, `data-key` = key,
                         `aria-keyshortcuts` = key, htmltools::span(class = "menu-label", label),
                         if (!is.null(key)) key_cap(key), ...)
}

has_guidelines <- function(spec) !is.null(spec$guidelines) || !is.null(spec$examples)

# The controls in the header for a person who is logged in.
app_menu <- function(who, lead, view, spec) {
  lead <- lead && !spec$lead_only
  guidelines <- menu_button("Guidelines", "dialog", "g", `data-dialog` = "guidelines")
  judging <- list(if (has_guidelines(spec)) tags$li(guidelines), tags$li(menu_button("History", "history", "l")),
                  tags$li(menu_button("Keys", "dialog", "?", `data-dialog` = "keys")))
  tags$ul(class = "menu",
    if (view == "judge") judging,
    tags$li(menu_button("Dark", "theme", "d", `aria-pressed` = "false")),
    if (lead && view == "judge") tags$li(menu_button("Lead's view", "view", `data-view` = "lead")),
    if (lead && view == "lead") tags$li(menu_button("Judge", "view", `data-view` = "judge")),
    if (spec$tokens) tags$li(class = "who", tags$span(class = "visually-hidden", "Logged in as "), who),
    if (spec$tokens) tags$li(menu_button("Log out", "logout"))
  )
}

# Input fields have names but no ids, because Shiny sends the content of a field with an id at every keystroke.
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

# A screen that asks nothing; `end` if this is final.
message_screen <- function(heading, text, end = FALSE) {
  tags$section(class = paste("card-box message", if (end) "end"), tags$h1(tabindex = "-1", `data-focus` = NA, heading),
               tags$p(text), tool_button("Undo the last answer", "undo", "u"))
}

# The dialogs that the buttons in the header open. They are separate from the screen, which may be drawn again while a
# person reads them.
app_dialogs <- function(spec) {
  guidelines <- if (has_guidelines(spec)) {
    app_dialog("guidelines", "Guidelines", "g", guidelines_html(spec$guidelines),
               if (!is.null(spec$examples)) examples_by_grade(spec))
  }
  htmltools::tagList(keys_dialog(spec$keys), guidelines, app_dialog("history", "Your judgments", "l"))
}

app_dialog <- function(id, title, key, ...) {
  tags$dialog(id = id, class = "sheet", `aria-labelledby` = paste0(id, "-title"), `data-toggle` = key,
    tags$div(class = "sheet-head", tags$h2(id = paste0(id, "-title"), title),
             tags$form(method = "dialog", tags$button(class = "tool", autofocus = NA, "Close"))),
    tags$div(class = "sheet-body", ...))
}

keys_dialog <- function(keys) {
  rows <- lapply(names(keys), function(key) tags$tr(tags$th(scope = "row", tags$kbd(key)), tags$td(keys[[key]])))
  app_dialog("keys", "Keys", "?",
    tags$table(class = "keys", tags$caption(class = "visually-hidden", "Keys of this page"), tags$tbody(rows)),
    tags$label(class = "switch", tags$input(type = "checkbox", name = "keys-on", checked = NA),
               "Single keys work (switch them off if they get in the way of your screen reader)"))
}

# No reason is selected beforehand, as it would be sent by those who do not look. Digits select one.
skip_dialog <- function(reasons) {
  choices <- lapply(seq_along(reasons), function(i) {
    tags$label(class = "choice", tags$input(type = "radio", name = "choice", value = i, required = NA,
                                            autofocus = if (i == 1) NA),
               if (i < 10) key_cap(i), reasons[i])
  })
  form_dialog("skip", "Why do you skip it?", "Skip it",
    tags$fieldset(class = "choices", tags$legend(class = "visually-hidden", "Reason"), choices),
    text_field("More, if you like", "skip-count", rows = 2))
}

# A comment on the document on the screen, and a flag for the lead; `note` is the stored one.
note_dialog <- function(note) {
  form_dialog("note", "Comment on this document", "Save the comment", toggle = "m",
    text_field("Comment", "note-count", note$comment, rows = 3, autofocus = NA),
    tags$label(class = "choice", tags$input(type = "checkbox", name = "flag", value = "on",
                                            checked = if (isTRUE(note$flag)) NA), "Flag it for the lead"))
}

# A dialog with a form, which `submit` sends as that of `kind`.
form_dialog <- function(kind, title, submit, ..., toggle = NULL) {
  id <- paste0(kind, "-dialog")
  tags$dialog(id = id, class = "box", `aria-labelledby` = paste0(kind, "-title"), `data-toggle` = toggle,
    tags$form(`data-form` = kind, tags$h2(id = paste0(kind, "-title"), title), ...,
      tags$div(class = "box-actions", tags$button(type = "submit", class = "primary", submit),
               tags$button(type = "button", class = "tool", `data-action` = "dialog", `data-dialog` = id, "Go back"))))
}

# A text of at most 500 characters, which are counted below it.
text_field <- function(label, count_id, text = NULL, ...) {
  htmltools::tagList(
    tags$label(class = "field", label, tags$textarea(name = "text", class = "form-control", ..., maxlength = 500,
                                                     `data-counter` = count_id, text)),
    tags$p(id = count_id, class = "help", sprintf("%d of 500", nchar(c(text, "")[1]))))
}
