# Answers of language models, to be written to files for tests of read_answers().

# Three systems, four questions, ratings of some answers, two graders. All numbers are short in decimal notation, so
# that writing and reading them does not change them.
answer_frame <- function() {
  data.frame(
    model = rep(c("gpt", "llama", "qwen"), each = 4), question_id = rep(c("q1", "q2", "q10", "q3"), 3),
    question = rep(c("Capital of France?", "2 + 2, as a word", "Colour of the \"sky\"; why?", "A, b"), 3),
    response = c("Paris", "four", "Blue: it scatters, in \u00fcbrigen", "c", "Paris", "five", "Grey", "c", "Lyon",
                 "four", "Blue", "d; \"e\""),
    rating = c(5, 5, NA, 4, 5, 1, 2, 4, 1.5, NA, 4, 2), gpt4 = c(5, 5, 4, 4, 5, 1, 2, 4, 2, 5, 3, 2),
    bleu = c(1, 1, 0.5, 0.25, 1, 0, 0.125, 0.25, 0, 1, 0.5, 0.5)
  )
}

quiet_answers <- function(...) {
  suppressMessages(read_answers(...), classes = c("judicious_message_answers", "judicious_message_system_names",
                                                        "judicious_message_repeated_answers"))
}

# Writes text to a file with an ending, in the current test's temporary folder.
answer_file <- function(text, ending, env = parent.frame()) {
  path <- withr::local_tempfile(fileext = ending, .local_envir = env)
  writeLines(enc2utf8(text), path, useBytes = TRUE)
  path
}

to_json <- function(x) jsonlite::toJSON(x, auto_unbox = TRUE, na = "null", digits = NA)

# The rows of a collection, without its generated identifiers.
rows_of <- function(x) {
  shown <- as.data.frame(x)
  data.frame(system = shown$system, query = shown$query, text = x$documents$text[match(shown$doc, x$documents$doc)],
             gain = shown$gain)
}
