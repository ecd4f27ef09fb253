# Guidelines and the examples of grades.

# Guidelines that are a tag or marked by htmltools::HTML() come from R code and are shown unchanged.
guidelines_html <- function(guidelines) {
  if (!is.character(guidelines) || inherits(guidelines, "html")) return(guidelines)
  marked_up(guidelines, "markdown")
}

# Checks the examples of each grade and returns a data frame with `grade`, and `text` or the documents to show.
check_examples <- function(examples, form, call = caller_env()) {
  if (is.null(examples)) return(NULL)
  check_columns(examples, "grade", "examples", call = call)
  parts <- if (form$kind == "preferences") c("doc_a", "doc_b") else "doc"
  needed <- c("query", parts)
  check_that("text" %in% names(examples) || all(needed %in% names(examples)), "examples",
             "needs a column {.val text}, or the columns {.val {needed}}.", kind = "columns", call = call)
  known <- if (form$kind == "preferences") {
    examples$grade %in% names(answer_values)
  } else {
    is.numeric(examples$grade) & in_scale(form$scale, examples$grade)
  }
  i <- which(!known)[1]
  check_that(all(known), "examples", "has the grade {.val {examples$grade[i]}} in row {i}, which nobody can give.",
             rows = which(!known), call = call)
  examples
}

# Lowest grade first, in the order of the buttons.
examples_by_grade <- function(spec) {
  examples <- spec$examples
  form <- spec$form
  grades <- if (form$kind == "preferences") names(answer_values) else sort(unique(examples$grade))
  lapply(intersect(grades, examples$grade), function(grade) {
    shown <- lapply(which(examples$grade == grade), function(i) {
      tags$div(class = "example", show_example(spec$content, lapply(examples, `[`, i)))
    })
    tags$section(class = "examples", tags$h3(grade_name(form, grade)), shown)
  })
}

show_example <- function(content, example) {
  given <- function(part) !is.null(example[[part]]) && !is.na(example[[part]])
  docs <- Filter(given, intersect(names(item_labels), names(example)))
  show <- function(doc, label) {
    htmltools::div(class = "example-item", htmltools::p(class = "help", upper_first(sub("^the ", "", label))),
                   show_item(content, id_text(example$query), if (!is.null(doc)) id_text(doc), label))
  }
  htmltools::tagList(
    if (given("text")) guidelines_html(example$text),
    if (length(docs)) show(NULL, "the query"),
    lapply(docs, function(part) show(example[[part]], item_labels[[part]])))
}
