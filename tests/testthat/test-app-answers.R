skip_if_not_installed("htmltools")

test_that("a slider shows the ends of the scale and five marks, and starts without a grade", {
  slider <- html(grade_slider(grade_form(gain_scale(2:22), "slider", NULL, NULL)))
  expect_match(slider, "min=\"2\" max=\"22\" step=\"1\"", fixed = TRUE)
  marks <- regmatches(slider, regexpr("slider-marks.*?</div>", slider))
  expect_identical(unlist(regmatches(marks, gregexpr("(?<=<span>)[0-9]+", marks, perl = TRUE))),
                   c("2", "7", "12", "17", "22"))
  expect_match(slider, "data-unset=\"true\"", fixed = TRUE)
})

test_that("scales of few levels are shown as buttons, others as a slider, and unsuitable forms raise errors", {
  expect_identical(grade_form(broad_scale(), NULL, NULL, NULL)$kind, "buttons")
  expect_identical(grade_form(fine_scale(), NULL, NULL, NULL)$kind, "slider")
  expect_identical(grade_form(gain_scale(0:20), NULL, NULL, NULL)$kind, "slider")
  expect_identical(grade_form(gain_scale(0:10), "slider", NULL, NULL)$step, 1)
  expect_snapshot(error = TRUE, grade_form(fine_scale(), "buttons", NULL, NULL))
  expect_snapshot(error = TRUE, grade_form(gain_scale(c(0, 1, 4)), "slider", NULL, NULL))
  expect_snapshot(error = TRUE, grade_form(broad_scale(), NULL, c("no", "yes"), NULL))
  expect_snapshot(error = TRUE, grade_form(fine_scale(), NULL, c("a", "b", "c"), NULL))
  expect_snapshot(error = TRUE, grade_form(broad_scale(), "stars", NULL, NULL))
})

test_that("every level has its own key, which is the level itself if all levels are single digits", {
  expect_identical(level_keys(0:2), c("0", "1", "2"))
  expect_identical(level_keys(c(-1, 0, 1)), c("1", "2", "3"))
  expect_identical(level_keys(seq(0, 110, 10)), c(as.character(1:9), "a", "b", "c"))
  form <- grade_form(gain_scale(c(0, 0.5, 1)), NULL, c("no", "some", "yes"), NULL)
  shown <- html(answer_buttons(form))
  expect_match(shown, "data-value=\"0.5\" data-key=\"2\"", fixed = TRUE)
  expect_match(shown, "grade 0.5", fixed = TRUE)
})

test_that("the keys for grades differ from all other keys of the page", {
  form <- grade_form(gain_scale(seq(0, 110, 10)), NULL, NULL, NULL)
  expect_identical(intersect(level_keys(form$levels), c(names(common_keys), "r", "q")), character())
})

test_that("only numbers on the scale are accepted as grades", {
  expect_identical(gain_of_input("2", broad_scale()), 2)
  expect_identical(gain_of_input(55, fine_scale()), 55)
  for (bad in list("3", "", "two", NA, NULL, c("1", "2"), list(1), TRUE, "1e9", "-1", "Inf", "NaN")) {
    expect_identical(gain_of_input(bad, broad_scale()), NA_real_)
  }
})

test_that("text from a browser must be a single valid string of at most 500 characters", {
  expect_identical(text_of_input(" a "), "a")
  expect_identical(text_of_input(strrep("x", 500)), strrep("x", 500))
  for (bad in list(strrep("x", 501), NULL, NA_character_, 1, c("a", "b"), "\xff", list("a"))) {
    expect_null(text_of_input(bad))
  }
})

test_that("labels and questions are escaped as HTML", {
  form <- grade_form(broad_scale(), NULL, c("<i>no</i>", "some", "yes"), "<script>x</script>")
  expect_no_match(html(answer_buttons(form)), "<i>|<script>")
  form <- grade_form(fine_scale(), NULL, c("<i>no</i>", "yes"), "<script>x</script>")
  expect_no_match(html(grade_slider(form)), "<i>|<script>")
  expect_no_match(html(answer_buttons(preference_form(c("<i>", "<b>", "<u>"), NULL))), "<i>|<b>|<u>")
})

test_that("the page receives whether a document has a comment or a flag", {
  sent <- NULL
  session <- list(sendCustomMessage = function(type, message) sent <<- list(type, message$noted))
  registerS3method("mode_note", "told_mode", function(...) NULL, asNamespace("judicious"))
  page <- list(mode = structure(list(), class = "told_mode"), task = list(), session = session)
  for (case in list(list("odd", "on", TRUE), list("odd", NULL, TRUE), list("", "on", TRUE), list("", NULL, FALSE))) {
    save_note(page, "ann", list(text = case[[1]], flag = case[[2]]))
    expect_identical(sent, list("judicious-noted", case[[3]]))
  }
})

test_that("the page of answers to questions speaks of these, that of documents of queries and documents", {
  skip_if_not_installed("shiny")
  skip_if_not_installed("bslib")
  answers <- data.frame(system = c("A", "B"), query = "q1", answer = c("left", "right"))
  sessions <- list(app_session(), judging_session(read_answers(answers, scale = 0:2), seed = 1))
  words <- list(c("document", "query"), c("answer", "question"))
  others <- c("question", "document|query")
  for (i in 1:2) {
    spec <- app_parts(judge_app(sessions[[i]], tokens = FALSE))$spec
    texts <- c(unlist(spec$keys), spec$form$question, as.character(spec$drawn$note), as.character(spec$drawn$words),
               html(gains_panel(progress(sessions[[i]], expect = FALSE), "ann", spec$form$nouns)))
    expect_identical(grep(others[i], texts, ignore.case = TRUE), integer())
    for (word in words[[i]]) expect_true(any(grepl(word, texts)))
  }
})
