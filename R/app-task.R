# What an assessor sees of a task: the controls for the answer, the content of the query and the documents, and the
# screen with both.

# The controls with which an assessor answers: buttons for levels, a slider for the Fine scale, three answers for
# preferences. Every control shows the key that selects it.

# Functions for tags, as in `tags$div(...)`. htmltools is only suggested, so its functions are looked up when a tag is
# used.
tags <- structure(list(), class = "judicious_tags")

#' @rawNamespace S3method("$", judicious_tags)
`$.judicious_tags` <- function(x, name) htmltools::tags[[name]]

key_cap <- function(key) tags$kbd(`aria-hidden` = "true", upper_ascii(key))

# The keys of levels that are single digits are these digits; the keys of other levels are their positions, with letters
# from the tenth on.
level_keys <- function(levels) {
  if (all(levels %in% 0:9)) as.character(levels) else if (length(levels) <= 9) as.character(seq_along(levels)) else
    c(as.character(1:9), letters[seq_len(length(levels) - 9)])
}

answer_group <- function(question, ..., class = NULL) {
  tags$fieldset(class = paste(c("answers", class), collapse = " "), `aria-label` = question, ...)
}

# One button for each answer of a form. `was`: the value that the assessor chose before, if the answer is to be changed.
answer_buttons <- function(form, was = NULL) {
  buttons <- Map(function(value, label, key) {
    before <- identical(value, was)
    # Adds the value to the button if neither its key nor its label is the value.
    hint <- if (form$kind != "preferences" && !value %in% c(label, key)) paste("grade", value)
    tags$button(type = "button", class = paste(c("answer", if (before) "before"), collapse = " "),
                `aria-pressed` = if (before) "true", `data-action` = "answer", `data-value` = value, `data-key` = key,
                `aria-keyshortcuts` = key, key_cap(key), tags$span(class = "answer-label", label),
                if (!is.null(hint)) tags$span(class = "answer-hint", hint))
  }, form$values, form$labels, form$keys)
  answer_group(form$question, class = paste0("n-", min(length(buttons), 6)), unname(buttons))
}

format_level <- function(level) format(level, trim = TRUE, digits = 15, drop0trailing = TRUE)

# How the page names an answer: the label and the value of a grade, only the value on a slider, the label of a
# preference.
grade_name <- function(form, grade) {
  # Means of several ratings have more digits than anyone can read.
  if (form$kind == "slider") return(format_level(signif(grade, 6)))
  value <- if (is.numeric(grade)) format_level(grade) else grade
  label <- form$labels[match(value, form$values)]
  if (label == value || !is.numeric(grade)) label else paste0(label, " (", value, ")")
}

# The slider has no initial value, because the position of its handle would influence the assessor.
grade_slider <- function(form) {
  ends <- range(form$levels)
  marks <- seq(ends[1], ends[2], length.out = 5)
  answer_group(
    form$question, class = "slider",
    tags$div(class = "slider-row",
      tags$div(class = "slider-track",
        tags$input(type = "range", id = "grade", min = ends[1], max = ends[2], step = form$step, value = mean(ends),
                   `data-unset` = "true", `aria-label` = form$question, `aria-valuetext` = "not chosen yet"),
        tags$div(class = "slider-marks", `aria-hidden` = "true", lapply(format_level(marks), tags$span)),
        tags$div(class = "slider-ends", `aria-hidden` = "true", tags$span(form$labels[1]), tags$span(form$labels[2]))),
      tags$output(id = "grade-value", `for` = "grade", class = "slider-value", "\u2013"),
      tags$button(type = "button", class = "answer confirm", `data-action` = "answer-slider", disabled = NA,
                  `aria-keyshortcuts` = "Enter", key_cap("Enter"), htmltools::span(class = "answer-label", "Save")))
  )
}

# The controls below the list in which the assessor marks the right answers to a question: a field for a right answer
# that is not in the list, and the button to save.
gold_controls <- function(form) {
  answer_group(
    form$question, class = "gold",
    tags$input(type = "text", name = "text", form = "gold", class = "form-control", maxlength = 500,
               `aria-label` = "The right answer, if it is not among them", placeholder = "Or type the right answer"),
    tags$button(type = "submit", form = "gold", class = "answer confirm", key_cap("Enter"),
                htmltools::span(class = "answer-label", "Save"))
  )
}

# The form for a gain scale: the control, the values and the labels of the levels, the keys of the buttons, the question
# and the page's nouns.
grade_form <- function(scale, input, labels, question, nouns = nouns_of_documents) {
  input <- input_control(scale, input)
  property <- if (nouns[["doc"]] == "answer") "good" else
    if (grepl("^(Broad|Fine)", scale$name)) "similar" else "relevant"
  list(kind = input, scale = scale, levels = scale$levels, step = scale_steps(scale)[1],
       values = vapply(scale$levels, format_level, ""), keys = if (input == "buttons") level_keys(scale$levels),
       labels = control_labels(labels, scale, input),
       question = question %||% sprintf("How %s is the %s to the %s?", property, nouns[["doc"]], nouns[["query"]]),
       nouns = nouns)
}

preference_form <- function(labels, question) {
  texts <- labels %||% c("Variation A", "Both equally similar or dissimilar", "Variation B")
  check_that(is.character(texts) && !anyNA(texts) && length(texts) == 3, "labels",
             "must be three texts, for the answers A, equal and B.")
  list(kind = "preferences", labels = texts, values = names(answer_values), keys = c("a", "e", "b"),
       question = question %||% "Which is more similar to the original?", nouns = c(query = "original", doc = "pair"))
}

# The distinct differences between neighbouring levels.
scale_steps <- function(scale) unique(round(diff(scale$levels), 9))

# The control for a scale: the requested one, or else the usual one. An error if the scale does not permit it.
input_control <- function(scale, input) {
  has_many_levels <- length(scale$levels) > 12
  if (is.null(input)) input <- if (scale$any_value || has_many_levels) "slider" else "buttons"
  input <- check_choice(input, c("buttons", "slider"), "input")
  check_that(input != "buttons" || !has_many_levels, "input", c(
    "The scale ({format(scale)}) has {length(scale$levels)} levels, too many for buttons.",
    i = "Use {.code input = \"slider\"}."
  ))
  check_that(input != "slider" || scale$any_value || length(scale_steps(scale)) <= 1, "input", c(
    "The levels of the scale ({format(scale)}) are not equally far apart, as a slider needs.",
    i = "Use {.code input = \"buttons\"}."
  ))
  input
}

# The labels of both ends of a slider, or of every level; by default the usual labels of the scale.
control_labels <- function(labels, scale, input) {
  slider <- input == "slider"
  usual <- if (slider && startsWith(scale$name, "Fine")) c("Not similar", "Very similar") else
    if (slider) c("Least", "Most") else
      if (scale$name == "Broad") c("Not similar", "Somewhat similar", "Very similar") else format_level(scale$levels)
  labels <- labels %||% usual
  labelled <- if (slider) "both ends of the slider" else "every level of the scale, lowest first"
  check_that(is.character(labels) && !anyNA(labels) && length(labels) == length(usual), "labels",
             "must be {length(usual)} texts, for {labelled}.")
  labels
}

# A gain from the browser: a number on the scale, or NA if it is not valid.
gain_of_input <- function(value, scale) {
  if (!(is.character(value) || is.numeric(value)) || length(value) != 1) return(NA_real_)
  gain <- suppressWarnings(as.numeric(value))
  if (is.na(gain) || !in_scale(scale, gain)) NA_real_ else on_levels(scale, gain)
}

# Text from the browser: one string of at most `max_characters` characters, or NULL if it is not valid.
text_of_input <- function(value, max_characters = 500) {
  if (is_string(value) && validUTF8(value) && nchar(value) <= max_characters) trimws(value)
}

tool_button <- function(label, action, key, ..., class = "tool") {
  tags$button(type = "button", class = class, `data-action` = action, `data-key` = key, `aria-keyshortcuts` = key,
              if (!is.null(key)) key_cap(key), label, ...)
}

# The content of the judging page about a query or a document. Except for tags from the person who configured the page,
# all content is text and is escaped.

# The parts of a TREC topic other than its title; each is shown under a heading.
topic_parts <- c("description", "narrative")

# Replaces `{query}` and `{doc}` in a template. In a URL, the identifiers are percent-encoded byte by byte.
fill_template <- function(template, query, doc, encode = encode_id) {
  encoded <- c(query = encode(query), doc = if (is.null(doc)) "" else encode(doc))
  pieces <- regmatches(template, gregexpr("\\{(query|doc)\\}", template), invert = TRUE)[[1]]
  fields <- regmatches(template, gregexpr("(?<=\\{)(query|doc)(?=\\})", template, perl = TRUE))[[1]]
  paste0(pieces, c(encoded[fields], ""), collapse = "")
}

# `repeated` encodes an identifier even if it looks encoded; otherwise "%2F" would be the same as "/".
encode_id <- function(id) utils::URLencode(enc2utf8(id), reserved = TRUE, repeated = TRUE)

# Converts tags to HTML, which Shiny processes faster. Tags of an error message, and tags with dependencies such as
# scripts, which HTML would lose, are returned unchanged.
as_html <- function(tags) {
  if (inherits(tags, "html") || is_error_notice(tags) || length(htmltools::findDependencies(tags))) return(tags)
  htmltools::HTML(as.character(htmltools::tagList(tags)))
}

# How screen readers name the parts of a task.
item_labels <- c(doc = "the document", doc_a = "variation A", doc_b = "variation B")

# The content of a query (`doc` NULL) or of a document. `label` is its name for screen readers.
show_item <- function(content, query, doc, label) {
  shown <- if (is.function(content$render)) tryCatch(content$render(query, doc), error = function(cnd) cnd)
  if (inherits(shown, "error")) return(error_notice(query, doc, conditionMessage(shown)))
  if (is.null(shown)) shown <- show_source(content, query, doc, label)
  if (is.character(shown) && !inherits(shown, "html")) return(show_text(shown))
  if (inherits(shown, c("shiny.tag", "shiny.tag.list", "html"))) return(shown)
  error_notice(query, doc, "`render` returned neither text nor a tag.")
}

# A notice in place of content that cannot be shown. The assessor can skip the document; the person who runs the page
# finds the reason in R's log.
error_notice <- function(query, doc, message) {
  warn_judicious("Query {.val {query}}{if (!is.null(doc)) paste0(', document ', encodeString(doc, quote = '\"'))} cannot
    be shown: {message}", "render")
  htmltools::div(class = "notice trouble", role = "alert", htmltools::p("This cannot be shown just now."),
                 tool_button("Try again", "again", NULL), tool_button("Skip it", "skip", NULL))
}

is_error_notice <- function(item) inherits(item, "shiny.tag") && identical(item$attribs$class, "notice trouble")

show_source <- function(content, query, doc, label) {
  contents <- if (is.null(doc)) content$queries else content$documents
  if (is.null(contents)) return(if (content$ids) tags$p(class = "only-id", doc %||% query))
  if (is.character(contents)) return(show_url(fill_template(contents, query, doc), label))
  entry <- source_row(contents, query, doc)
  shown <- intersect(c("title", "text", "url", "image", topic_parts, "context"), names(entry))
  if (all(is.na(entry[shown]))) return(error_notice(query, doc, "the table has nothing to show of it."))
  show_row(entry, label, content$render)
}

# The content of a row of a table: title, URL, image, text, and the parts of a topic or the context of an answer. Its
# texts are in the `format` that the row states, or else in the argument `format`. Empty parts are left out.
show_row <- function(row, label, format = NULL) {
  nonempty <- function(column) if (!is.null(row[[column]]) && grepl("[^[:space:]]", row[[column]])) row[[column]]
  format <- nonempty("format") %||% format
  name <- nonempty("title") %||% label
  htmltools::tagList(
    if (!is.null(nonempty("title"))) tags$p(class = "title", name),
    if (!is.null(nonempty("url"))) show_url(nonempty("url"), name),
    if (!is.null(nonempty("image"))) tags$img(src = nonempty("image"), alt = name),
    if (!is.null(nonempty("text"))) show_text(nonempty("text"), format),
    lapply(Filter(function(part) !is.null(nonempty(part)), c(topic_parts, "context")), function(part) {
      tags$div(class = paste("topic", part), tags$h3(upper_first(part)), show_text(nonempty(part), format))
    }))
}

# The row for a document; if the table has a column `query`, that for the document and the query.
source_row <- function(source, query, doc) {
  matches <- if (is.null(doc)) source$query == query else source$doc == doc
  if (!is.null(doc) && "query" %in% names(source)) matches <- matches & source$query == query
  if (any(matches)) source[which(matches)[1], , drop = FALSE]
}

# A text as HTML. `format`: "markdown" or "html"; otherwise the text is plain.
show_text <- function(text, format = NULL) {
  text <- paste(text, collapse = "\n")
  format <- c(md = "markdown", markdown = "markdown", html = "html")[lower_ascii(c(format, "")[1])]
  if (is.na(format)) return(tags$div(class = "text", text))
  htmltools::HTML(paste0("<div class=\"rendered\">", safe_markup(text, format), "</div>"))
}

# Converts Markdown or HTML, which may contain scripts, to safe HTML. Only tags that match `safe_tags` are kept; every
# other `<` is escaped, so that the rest is shown as text.
safe_markup <- function(text, format) {
  text <- paste(text, collapse = "\n")
  html <- as.character(if (format == "markdown") shiny::markdown(text) else text)
  kept <- gregexpr(safe_tags, html, perl = TRUE)
  between <- gsub("<", "&lt;", regmatches(html, kept, invert = TRUE)[[1]], fixed = TRUE)
  htmltools::HTML(paste0(between, c(regmatches(html, kept)[[1]], ""), collapse = ""))
}

plain_elements <- c("p", "br", "hr", "h[1-6]", "em", "strong", "b", "i", "u", "s", "del", "sub", "sup", "small",
                    "mark", "kbd", "code", "pre", "blockquote", "ul", "ol", "li", "dl", "dt", "dd", "table", "thead",
                    "tbody", "tr", "th", "td", "details", "summary", "a")

# A regular expression for addresses without a scheme, or with one that runs no code. An address without a scheme must
# not contain entities, because they can represent a colon.
safe_address <- "((https?:|mailto:)[^\"<>\\s\\\\]*|(?![^\"/?#]*[:&])[^\"<>\\s\\\\]*)"

safe_tags <- paste0(
  "</?(", paste(plain_elements, collapse = "|"), ") ?/?>",
  "|<ol start=\"[0-9]+\">|<code class=\"language-[A-Za-z0-9_+-]+\">|<t[hd] align=\"(left|center|right)\">",
  "|<a href=\"", safe_address, "\"( title=\"[^\"<>]*\")?>",
  "|<img src=\"", safe_address, "\" alt=\"[^\"<>]*\"( title=\"[^\"<>]*\")? ?/?>"
)

show_url <- function(url, label) {
  switch(media_kind(url),
    audio = tags$audio(controls = NA, preload = "auto", src = url, `aria-label` = label),
    video = tags$video(controls = NA, preload = "auto", src = url, `aria-label` = label),
    image = tags$img(src = url, alt = label),
    link = tags$p(tags$a(href = url, target = "_blank", rel = "noopener noreferrer", class = "open-link",
                         "Open ", label, tags$span(class = "visually-hidden", "(in a new tab)")))
  )
}

# The types of files that a browser displays; any other file is sent as a download.
media_types <- c(
  mp3 = "audio/mpeg", ogg = "audio/ogg", oga = "audio/ogg", opus = "audio/ogg", wav = "audio/wav", flac = "audio/flac",
  m4a = "audio/mp4", aac = "audio/aac", mp4 = "video/mp4", webm = "video/webm", ogv = "video/ogg", png = "image/png",
  jpg = "image/jpeg", jpeg = "image/jpeg", gif = "image/gif", svg = "image/svg+xml", webp = "image/webp",
  avif = "image/avif", txt = "text/plain; charset=UTF-8", html = "text/html; charset=UTF-8",
  htm = "text/html; charset=UTF-8", pdf = "application/pdf"
)

media_type <- function(file) {
  type <- media_types[lower_ascii(sub(".*[.]", "", file))]
  if (is.na(type)) "application/octet-stream" else unname(type)
}

# How to show a URL, from its ending: as "audio", "video", "image" or "link".
media_kind <- function(url) {
  kind <- sub("/.*", "", media_type(sub("[?#].*", "", url)))
  if (kind %in% c("audio", "video", "image")) kind else "link"
}

# The content of the parts of a task. Content that is drawn ahead is kept until it is first shown. Errors are not kept,
# because another attempt may succeed.
draw_items <- function(task, spec, ahead = FALSE) {
  ready <- spec$ready
  parts <- c(query = "the query", item_labels[intersect(names(item_labels), names(task))])
  Map(function(part, label) {
    doc <- if (part != "query") task[[part]]
    key <- text_key(is.null(doc), task$query, doc %||% "")
    item <- ready$items[[key]] %||% as_html(if (part == "doc" && !is.null(spec$content$answers))
      spec$content$answers(task$query) else show_item(spec$content, task$query, doc, label))
    ready$items[[key]] <- if (ahead && !is_error_notice(item)) item
    ready$items <- utils::tail(ready$items, 500)
    item
  }, names(parts), parts)
}

# The HTML tags of the media in items; the browser loads these in advance.
media_tags <- function(items) {
  html <- vapply(items, function(item) as.character(htmltools::tagList(item)), "")
  unlist(regmatches(html, gregexpr("<(img|audio|video|source)\\b[^>]*>", html, perl = TRUE)), use.names = FALSE)
}

has_note <- function(task) nzchar(c(task$note$comment, "")[1]) || isTRUE(task$note$flag)

# The screen of a task, which shows a query and a document, or a query and two variations.

# Buttons for finding the words of the query in documents. The browser makes them visible and counts the words.
word_tools <- function(query) {
  tags$div(class = "word-tools", hidden = NA, role = "group", `aria-label` = paste("Words of the", query),
           tool_button(tags$span(upper_first(query), " words ", tags$span(id = "word-count")), "words", "h",
                       `aria-pressed` = "true"),
           tool_button("Previous", "previous-word", "p"), tool_button("Next", "next-word", "n"))
}

# Draws the screen of a task, which has `id`, `query` and `doc` or `doc_a` and `doc_b`; and if an answer is to be
# changed, the previous answer `was`. `items`: the content of its parts by draw_items(). Query and document are side by
# side; two variations are in the layout of Figure 4 of Urbano et al. (2010).
task_screen <- function(task, items, spec) {
  form <- spec$form
  of_gold <- form$kind == "gold"
  drawn <- spec$drawn
  panel <- function(part, class, heading, replay_key, focus = FALSE, tools = NULL) {
    tags$section(class = paste("card-box item", class), `aria-label` = heading,
      tags$div(class = "item-head",
        tags$h2(tabindex = if (focus) "-1", `data-focus` = if (focus) NA, heading),
        if (spec$content$ids && !(of_gold && part == "doc")) tags$span(class = "item-id", task[[part]]),
        tool_button("Play", "replay", replay_key, `data-where` = paste0(".", class), class = "tool replay"), tools),
      tags$div(class = "item-body", items[[part]]))
  }
  panels <- if (form$kind == "preferences") {
    list(panel("query", "query", "Original", "q", focus = TRUE, tools = drawn$words),
         tags$div(class = "side-by-side even", panel("doc_a", "variation-a", "Variation A", "1"),
                  panel("doc_b", "variation-b", "Variation B", "2")))
  } else {
    tags$div(class = "side-by-side", panel("query", "query", upper_first(form$nouns[["query"]]), "q"),
             panel("doc", "document", paste0(upper_first(form$nouns[["doc"]]), if (of_gold) "s"), "r", focus = TRUE,
                   tools = drawn$words))
  }
  shows_previous <- !form$kind %in% c("slider", "gold") && !is.null(task$was)
  answers <- if (shows_previous) answer_buttons(form, task$was$value) else drawn$answers
  tags$div(class = "task", `data-task` = task$id, tags$h1(class = "visually-hidden", "Judge"), panels,
           answer_dock(form$question, answers, task), drawn$skip,
           if (has_note(task)) note_dialog(task$note, form$nouns) else drawn$note)
}

# The lower part of the screen, which stays within reach of the thumb on a phone: the question, the answers and other
# actions.
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

# The dialog for skipping. No reason is preselected, because people would send it by mistake. Digits select a reason.
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

# The dialog for a comment on what is judged and a flag for the lead; `note` is the stored note.
note_dialog <- function(note, nouns) {
  form_dialog("note", paste("Comment on this", nouns[["doc"]]), "Save the comment", toggle = "m",
    text_field("Comment", "note-count", note$comment, rows = 3, autofocus = NA),
    tags$label(class = "choice", tags$input(type = "checkbox", name = "flag", value = "on",
                                            checked = if (isTRUE(note$flag)) NA), "Flag it for the lead"))
}

# A dialog with a form of a `kind`. `submit`: the label of its button.
form_dialog <- function(kind, title, submit, ..., toggle = NULL) {
  id <- paste0(kind, "-dialog")
  tags$dialog(id = id, class = "box", `aria-labelledby` = paste0(kind, "-title"), `data-toggle` = toggle,
    tags$form(`data-form` = kind, tags$h2(id = paste0(kind, "-title"), title), ...,
      tags$div(class = "box-actions", tags$button(type = "submit", class = "primary", submit),
               tags$button(type = "button", class = "tool", `data-action` = "dialog", `data-dialog` = id, "Go back"))))
}

# A field for a text of at most 500 characters, with a counter below it.
text_field <- function(label, count_id, text = NULL, ...) {
  htmltools::tagList(
    tags$label(class = "field", label, tags$textarea(name = "text", class = "form-control", ..., maxlength = 500,
                                                     `data-counter` = count_id, text)),
    tags$p(id = count_id, class = "help", sprintf("%d of 500", nchar(c(text, "")[1]))))
}
