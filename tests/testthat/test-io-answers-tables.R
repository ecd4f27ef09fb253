skip_if_not_installed("jsonlite")

test_that("tables of samples by Inspect have grades by scorers, and ids of rows do not identify questions", {
  rows <- data.frame(sample_id = letters[1:8], eval_id = "e", log = "l.eval", model = rep(c("A", "B"), each = 4),
                     id = c(1, 1, 2, 2), epoch = 1:2, input = c("one?", "one?", "two?", "two?"), target = "4",
                     score_match = c("C", "I", "I", "I", "C", "C", "P", "N"), score_model_graded_qa = "C")
  x <- quiet_answers(rows)
  expect_identical(x$queries$query, c("1", "2"))
  expect_identical(sort(x$gain), c(0, 0, 0, 0, 0.5, 1, 1, 1))
  expect_identical(unique(x$grades[c("grader", "value")])$value, 1)
  d <- data.frame(id = 1:4, question_id = c(1, 2, 1, 2), model = c("A", "A", "B", "B"), rating = c(1, 2, 3, 4))
  expect_identical(judgments_of(quiet_answers(d)), judgments_of(quiet_answers(d[-1])))
  # With one system, either column may have the questions.
  expect_error(quiet_answers(d[1:2, ]), "2 columns may be the question", class = "judicious_error_columns")
})

test_that("columns nested in fields, metadata, inputs or outputs are recognised if no top-level column has the role", {
  rows <- data.frame(inputs.question = rep(c("one?", "two?"), each = 2), outputs.answer = letters[1:4],
                     metadata.model = rep(c("A", "B"), 2), stats.exact_match = c(1, 0, 1, 1))
  x <- quiet_answers(rows)
  expect_identical(rows_of(x)$query, rows$inputs.question)
  expect_identical(rows_of(x)$gain, rows$stats.exact_match)
  # The question of the table itself is not confused with that of the inputs.
  renamed <- transform(rows, question = rep(c("1?", "2?"), each = 2))
  expect_identical(rows_of(quiet_answers(renamed))$query, renamed$question)
})

test_that("tables whose columns are named apart from the rows, as of MLflow and pandas, are read", {
  d <- answer_frame()
  table <- function(d) {
    rows <- lapply(seq_len(nrow(d)), function(i) unname(lapply(d, `[[`, i)))
    answer_file(to_json(list(columns = names(d), data = rows)), ".json", parent.frame())
  }
  expect_identical(quiet_answers(table(d)), quiet_answers(answer_file(to_json(d), ".json")))
  renamed <- stats::setNames(d[c(1, 3, 4, 6, 5)], c("model", "inputs", "outputs", "answer_similarity/v1/score",
                                                    "relevance/v1/score"))
  expect_error(quiet_answers(table(renamed)), "may be of people", class = "judicious_error_columns")
  x <- quiet_answers(table(renamed[-5]))
  expect_identical(unique(x$grades$grader), "answer_similarity/v1/score")
  expect_setequal(x$queries$query, d$question)
})

test_that("tables of promptfoo are read, with scores behind the outputs or in their texts", {
  early <- c("question,[openai:a] Answer {{question}},[openai:b] Answer {{question}}",
             "one,\"[PASS] (1.00)\n\nfirst (1)\n\nPass Reason: All passed\",\"[FAIL] (0.25, x: 1.00)\n\nsecond\"",
             "two,\"[PASS] (0.50)\n\nthird\n\nline\",\"[ERROR] (0.00)\n\n\"")
  x <- quiet_answers(answer_file(early, ".csv"), gain = "score")
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  expect_identical(found$system, rep(c("openai:a", "openai:b"), each = 2))
  expect_identical(found$text[1:3], c("first (1)", "third\n\nline", "second"))
  expect_identical(found$gain, c(1, 0.5, 0.25, 0))
  expect_identical(x$queries$text, c("one", "two"))
  late <- c("Description,question,[a] p,Status,Score,Comment,[b] p,Status,Score,Comment",
            ",one,first,PASS,1,,second,FAIL,0.25,", ",two,third,PASS,0.5,,fourth,FAIL,0,")
  x <- quiet_answers(answer_file(late, ".csv"), gain = "score")
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  expect_identical(found$text, c("first", "third", "second", "fourth"))
  expect_identical(found$gain, c(1, 0.5, 0.25, 0))
  expect_error(quiet_answers(answer_file(late, ".csv")), "may be of people", class = "judicious_error_columns")
})

test_that("the experiments in a table of LangSmith are the systems", {
  d <- data.frame(id = 1:4, inputs = c("Q", "R"), outputs = letters[1:4], session_name = rep(c("old", "new"), each = 2),
                  correct = c(1, 0, 1, 1))
  x <- quiet_answers(d)
  expect_setequal(x$systems$system, c("old", "new"))
  expect_identical(evaluate(x, measure = "AG", per = "mean")$value, c(1, 0.5)[match(x$systems$system, c("new", "old"))])
})
