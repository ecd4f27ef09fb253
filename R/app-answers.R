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
  value <- if (is.numeric(grade)) format_level(grade) else grade
  if (form$kind == "slider") return(value)
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

# The form for a gain scale: the control, the values and the labels of the levels, the keys of the buttons, and the
# question.
grade_form <- function(scale, input, labels, question) {
  input <- input_control(scale, input)
  property <- if (grepl("^(Broad|Fine)", scale$name)) "similar" else "relevant"
  list(kind = input, scale = scale, levels = scale$levels, step = scale_steps(scale)[1],
       values = vapply(scale$levels, format_level, ""), keys = if (input == "buttons") level_keys(scale$levels),
       labels = control_labels(labels, scale, input),
       question = question %||% paste("How", property, "is the document to the query?"))
}

preference_form <- function(labels, question) {
  texts <- labels %||% c("Variation A", "Both equally similar or dissimilar", "Variation B")
  check_that(is.character(texts) && !anyNA(texts) && length(texts) == 3, "labels",
             "must be three texts, for the answers A, equal and B.")
  list(kind = "preferences", labels = texts, values = names(answer_values), keys = c("a", "e", "b"),
       question = question %||% "Which is more similar to the original?")
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
