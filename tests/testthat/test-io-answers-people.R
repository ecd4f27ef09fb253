skip_if_not_installed("jsonlite")

# The rows of answer_frame() with different answers and without missing ratings.
distinct_answers <- function() {
  d <- answer_frame()
  d$response <- paste(d$response, d$model)
  d$rating[is.na(d$rating)] <- 3
  d
}

test_that("decisions of Prodigy are read: the chosen number, or whether the text was accepted", {
  d <- distinct_answers()
  decision <- function(i, ...) {
    c(list(text = d$response[i], meta = list(question = d$question[i], model = d$model[i])), ...,
      list(`_input_hash` = i, `_task_hash` = -i, `_view_id` = "choice", `_annotator_id` = "ann"))
  }
  options <- lapply(1:5, function(k) list(id = as.character(k), text = "x"))
  chosen <- lapply(seq_len(nrow(d)), function(i) {
    decision(i, list(options = options, accept = list(as.character(ceiling(d$rating[i]))), answer = "accept"))
  })
  x <- quiet_answers(answer_file(vapply(chosen, to_json, ""), ".jsonl"))
  want <- quiet_answers(transform(d[c("model", "question", "response")], rating = ceiling(d$rating), annotator = "ann"))
  expect_equal(x, want, ignore_attr = TRUE)
  # Files may lack the options.
  bare <- lapply(chosen, function(one) one[names(one) != "options"])
  x <- quiet_answers(answer_file(vapply(bare, to_json, ""), ".jsonl"))
  expect_equal(x, want, ignore_attr = TRUE)
  said <- rep(c("accept", "reject", "ignore"), length.out = nrow(d))
  binary <- lapply(seq_len(nrow(d)), function(i) decision(i, list(answer = said[i])))
  x <- quiet_answers(answer_file(vapply(binary, to_json, ""), ".jsonl"))
  found <- rows_of(x)
  of_row <- match(paste(found$system, found$text), paste(d$model, d$response))
  expect_identical(found$gain, c(accept = 1, reject = 0, ignore = NA)[said][of_row], ignore_attr = TRUE)
})

test_that("exports of Argilla are read with the ratings of several people", {
  d <- distinct_answers()[1:8, ]
  ratings <- function(i) list(list(value = i %% 5 + 1, user_id = "ann"), list(value = 4, user_id = "bob"))
  record <- function(i) {
    list(id = paste0("r", i), status = "completed", fields = list(question = d$question[i], answer = d$response[i]),
         metadata = list(model = d$model[i]), suggestions = stats::setNames(list(), character()),
         responses = list(rating = ratings(i)))
  }
  want <- data.frame(model = d$model, question = d$question, answer = d$response, human.ann = 1:8 %% 5 + 1,
                     human.bob = 4)
  x <- quiet_answers(answer_file(to_json(lapply(1:8, record)), ".json"))
  sorted_judgments <- function(x) {
    judged <- judgments_of(x)
    judged$assessor <- sub(".*[.]", "", judged$assessor)
    judged[order(judged$doc, judged$assessor), ]
  }
  named <- quiet_answers(want, assessor = c("human.ann", "human.bob"))
  expect_equal(sorted_judgments(x), sorted_judgments(named), ignore_attr = TRUE)
  expect_identical(rows_of(x)[1:3], rows_of(named)[1:3])
  first <- lapply(1:8, function(i) {
    list(question = d$question[i], answer = d$response[i], model = d$model[i],
         rating = lapply(ratings(i), c, list(status = "submitted")))
  })
  x <- quiet_answers(answer_file(vapply(first, to_json, ""), ".jsonl"))
  expect_equal(sorted_judgments(x), sorted_judgments(named), ignore_attr = TRUE)
  # The flat form of version 2.
  flat <- lapply(1:8, function(i) {
    list(question = d$question[i], answer = d$response[i], model = d$model[i], rating.responses = list(i %% 5 + 1, 4),
         rating.responses.users = list("ann", "bob"))
  })
  x <- quiet_answers(answer_file(vapply(flat, to_json, ""), ".jsonl"))
  expect_equal(sorted_judgments(x), sorted_judgments(named), ignore_attr = TRUE)
  # The same as data frames, whose cells hold lists or data frames.
  cells <- d[c("question", "model")]
  cells$answer <- d$response
  cells$rating.responses <- lapply(1:8, function(i) c(i %% 5 + 1, 4))
  cells$rating.responses.users <- rep(list(c("ann", "bob")), 8)
  expect_equal(sorted_judgments(quiet_answers(cells)), sorted_judgments(named), ignore_attr = TRUE)
  records <- jsonlite::fromJSON(to_json(first))
  expect_s3_class(records$rating[[1]], "data.frame")
  expect_equal(sorted_judgments(quiet_answers(records)), sorted_judgments(named), ignore_attr = TRUE)
  # CSV has the text of such lists.
  written <- transform(cells, rating.responses = "[2, 4]", rating.responses.users = "['ann', 'bob']")
  expect_error(read_answers(written), "several people in cells.*Export JSON", class = "judicious_error_columns")
  # An answer may be a list itself.
  listed <- data.frame(cells[1:3], rating = 1:8)
  listed$answer <- sprintf("[{\"user_id\": %d}]", 1:8)
  expect_equal(sort(judgments_of(quiet_answers(listed))$gain), 1:8)
  written <- data.frame(cells[1:3], rating = "[{'user_id': 'ann', 'value': 3}]")
  expect_error(read_answers(written), "\"rating\".*Export JSON", class = "judicious_error_columns")
})

test_that("results of Mechanical Turk and Toloka are read, and headers of other lengths than the rows are errors", {
  d <- distinct_answers()
  rows <- data.frame(HITId = seq_len(nrow(d)), Reward = 0.1, WorkerId = "w", Input.model = d$model,
                     Input.question = d$question, Input.response = d$response, Answer.rating = d$rating)
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(rows, path, row.names = FALSE)
  # The header names two more columns than the rows have.
  lines <- readLines(path, encoding = "UTF-8")
  lines[1] <- paste0(lines[1], ",\"Approve\",\"Reject\"")
  x <- quiet_answers(answer_file(lines, ".csv"))
  want <- quiet_answers(transform(d[c("model", "question", "response", "rating")], worker = "w"))
  expect_identical(rows_of(x), rows_of(want))
  expect_identical(judgments_of(x), judgments_of(want))
  names(rows) <- c("HIT", "Reward", "ASSIGNMENT:worker_id", "INPUT:model", "INPUT:question", "INPUT:response",
                   "OUTPUT:rating")
  expect_identical(judgments_of(quiet_answers(rows)), judgments_of(want))
  lines[1] <- sub("Approve", "Other", lines[1])
  expect_error(quiet_answers(answer_file(lines, ".csv")), "names 9 columns, its rows have 7",
               class = "judicious_error_file")
  merged <- answer_file(c("Question,GPT-4,,Llama", ",Fluency,Accuracy,Fluency,Accuracy", "q,1,2,3,4"), ".csv")
  expect_error(quiet_answers(merged), "merged cells", class = "judicious_error_file")
  titled <- answer_file(c("Evaluation in May", "", "model,id,answer,rating", "A,1,x,5"), ".csv")
  expect_error(quiet_answers(titled), "lines above the header", class = "judicious_error_file")
})

test_that("radio buttons in results of Mechanical Turk are the chosen numbers", {
  form <- data.frame(HITId = c("h1", "h2", "h1", "h2"), AssignmentId = 1:4, WorkerId = c("ann", "ann", "bob", "bob"),
                     Input.model = c("A", "B"), Input.question = "q", Input.response = c("x", "y"))
  columns <- data.frame(form, Answer.rating.1 = c("false", "true", "false", "false"),
                        Answer.rating.2 = c("false", "false", "true", "false"),
                        Answer.rating.3 = c("true", "false", "false", "false"), check.names = FALSE)
  cells <- data.frame(form, Answer.taskAnswers = sprintf("[{\"rating\":{\"1\":%s,\"2\":%s,\"3\":%s}}]",
                                                         columns[[7]], columns[[8]], columns[[9]]))
  set.seed(1)
  seed <- .Random.seed
  for (rows in list(columns, cells)) {
    rated <- judgments_of(quiet_answers(rows))
    expect_setequal(paste(rated$assessor, rated$gain), c("ann 3", "ann 1", "bob 2"))
  }
  expect_identical(.Random.seed, seed)
  # Where several numbers are chosen, the columns are not a radio button, nor are columns of numbers.
  columns$Answer.rating.1 <- "true"
  expect_message(read_answers(columns), "Answer.rating.2")
  columns[7:9] <- c(1, 0, 0, 1)
  expect_message(read_answers(columns), "Not used: .*Answer.rating.1.*Answer.rating.3")
  # Answers that are missing in the file do not hide a choice.
  columns[7:9] <- list(c("", "true", "", NA), c("", "NA", "true", ""), c("true", "", "", ""))
  rated <- judgments_of(quiet_answers(columns))
  expect_setequal(paste(rated$assessor, rated$gain), c("ann 3", "ann 1", "bob 2"))
})

test_that("empty forms of Mechanical Turk have no ratings", {
  form <- data.frame(HITId = c("h1", "h2"), AssignmentId = 1:8, WorkerId = rep(c("w1", "w2", "w3", "w4"), each = 2),
                     Input.model = c("A", "B"), Input.question = "q", Input.response = c("x", "y"))
  form$Answer.taskAnswers <- c("[{\"rating\": 4}]", "[]", "", "{}", NA, "[{}]", "{\"rating\": 2}", "no JSON")
  rated <- judgments_of(quiet_answers(form))
  expect_identical(paste(rated$assessor, rated$gain), c("w1 4", "w4 2"))
  form$Answer.taskAnswers <- ""
  expect_identical(nrow(judgments_of(quiet_answers(form))), 0L)
})

test_that("a lone rater may be an object in place of an array", {
  record <- function(system, id, ratings) {
    sprintf("{\"id\": \"%s\", \"system\": \"%s\", \"answer\": \"%s%s\", \"annotations\": %s}", id, system, system, id, ratings)
  }
  ann <- "{\"rater\": \"ann\", \"rating\": 4}"
  both <- sprintf("[%s, {\"rater\": \"bob\", \"rating\": 2}]", ann)
  for (second in c(both, sub("bob", "cy", sub("^.*, \\{", "{", sub("\\]$", "", both))))) {
    x <- quiet_answers(answer_file(sprintf("[%s, %s]", record("A", "q1", ann), record("B", "q1", second)), ".json"))
    rated <- judgments_of(x)
    expect_setequal(paste(rated$assessor, rated$gain),
                    if (second == both) c("ratings.ann 4", "ratings.ann 4", "ratings.bob 2") else
                      c("ratings.ann 4", "ratings.cy 2"))
  }
})

test_that("the two rows that Qualtrics writes below the header are no answers", {
  rows <- function(...) {
    lines <- c("model,question,answer,rating", ..., "A,1,x,3", "A,2,y,5", "B,1,z,4", "B,2,w,1")
    answer_file(lines, ".csv", parent.frame())
  }
  ids <- paste0("\"{\"\"ImportId\"\":\"\"QID", 1:4, "\"\"}\"", collapse = ",")
  expect_identical(quiet_answers(rows("Model,Question,Your answer,Rate it", ids)), quiet_answers(rows()))
})

test_that("texts of documents beside the ratings of Quepid are not ratings", {
  file <- answer_file(c("query,docid,name,ann,bob", "tv,d1,Roku,3,2", "tv,d2,Cast,,1"), ".csv")
  judged <- judgments_of(quiet_answers(file))
  judged <- judged[order(judged$gain), ]
  expect_identical(judged$gain, c(1, 2, 3))
  expect_identical(judged$assessor, c("bob", "bob", "ann"))
})

# The mean grade of each grader.
grader_means <- function(x) vapply(split(x$grades$value, x$grades$grader), mean, 0)

test_that("a column judge with names tells the graders, or the raters, apart", {
  d <- answer_frame()[c("model", "question_id", "gpt4")]
  names(d)[3] <- "score"
  judged <- rbind(transform(d, judge = "strict"), transform(d, judge = "mild", score = score + 1))
  x <- quiet_answers(judged, grades = "score")
  expect_equal(grader_means(x), c(mild = mean(d$score) + 1, strict = mean(d$score)))
  expect_true(all(x$grades[["repeat"]] == 1))
  expect_setequal(judgments_of(quiet_answers(judged, gain = "score"))$assessor, c("strict", "mild"))
  # Ratings of judges may be of people or of language models.
  names(judged)[3] <- "rating"
  expect_error(quiet_answers(judged), "may be of people or of a language model", class = "judicious_error_columns")
  # A column judge that holds the grades remains one.
  x <- quiet_answers(transform(d, judge = c("pass", "fail"), score = NULL))
  expect_equal(grader_means(x), c(judge = 0.5))
})

test_that("several rows of an answer are repeated grades of the grader whom a column names, also if they are equal", {
  d <- data.frame(model = c("a", "b"), question = "one?", answer = c("w", "x"), judge = "G")
  scores <- list(c(3, 3, 5), c(1, 2, 2))
  repeated <- cbind(d[rep(1:2, each = 3), ], score = unlist(scores))
  records <- lapply(1:2, function(i) c(d[i, ], list(score = scores[[i]])))
  for (read in lapply(list(repeated, answer_file(to_json(records), ".json")), quiet_answers, grades = "score")) {
    text <- read$documents$text[match(read$grades$doc, read$documents$doc)]
    expect_identical(split(read$grades$value, text), list(w = scores[[1]], x = scores[[2]]))
    expect_identical(unique(read$grades$grader), "G")
    mean <- c(w = 11 / 3, x = 5 / 3)[read$documents$text]
    expect_equal(grades_on_pool(carried_grades(read)$G, read, "grades"), unname(mean))
  }
  # Rows of several assessors, or of several systems with the same answer, repeat a grade.
  rated <- cbind(d[rep(1:2, each = 2), ], score = c(3, 3, 1, 1), assessor = c("ann", "bob"), rating = 1:4)
  expect_identical(quiet_answers(rated, grades = "score", gain = "rating")$grades$value[1:2], c(3, 1))
  same <- quiet_answers(cbind(d[1:3], answer = "w", score = c(3, 3))[-3], grades = "score")
  expect_identical(same$grades$value, 3)
})

test_that("if several files grade the same answers of systems, each file has the grades of one grader", {
  folder <- withr::local_tempdir()
  d <- distinct_answers()[c("model", "question_id", "response", "gpt4")]
  names(d)[4] <- "grade"
  file <- function(rows, name) {
    path <- file.path(folder, name)
    utils::write.csv(rows, path, row.names = FALSE)
    path
  }
  answers <- file(d[1:3], "answers.csv")
  one <- file(d[-3], "one.csv")
  two <- file(transform(d[-(1:2), -3], grade = grade / 2), "two.csv")
  x <- quiet_answers(c(answers, one, two))
  expect_equal(grader_means(x), c(one = mean(d$grade), two = mean(d$grade[-(1:2)]) / 2))
  expect_true(all(x$grades[["repeat"]] == 1))
  expect_message(read_answers(c(one, two)), "Each file has the grades of one grader")
  # Files that name their graders in columns with different names, and of which one has criteria, are joined, too.
  judged <- file(transform(d[-3], judge = "a"), "judged.csv")
  criteria <- file(data.frame(d[1:2], judge_model = "b", faithfulness = d$grade, correctness = 1), "criteria.csv")
  x <- quiet_answers(c(answers, judged, criteria), grades = c("grade", "faithfulness", "correctness"))
  expect_equal(grader_means(x), c(a = mean(d$grade), "b correctness" = 1, "b faithfulness" = mean(d$grade)))
  # Files of grades may name the answers by ids instead of systems and questions.
  numbered <- file(data.frame(answer_id = 1:12, d[1:3]), "numbered.csv")
  by_id <- c(file(data.frame(answer_id = 1:12, grade = d$grade), "first.csv"),
             file(data.frame(answer_id = 2:12, grade = 2 * d$grade[-1]), "second.csv"))
  want <- c(first = mean(d$grade), second = 2 * mean(d$grade[-1]))
  expect_equal(grader_means(quiet_answers(c(numbered, by_id))), want)
  # The same grades in two files, as beside the answers and beside the ratings, are of one grader.
  copy <- file(d[1:3, ], "copy.csv")
  expect_identical(unique(quiet_answers(c(copy, one))$grades$grader), "grade")
})

test_that("files of ratings beside a file of answers are of one rater each, if some answers are rated twice", {
  folder <- withr::local_tempdir()
  d <- distinct_answers()
  file <- function(rows, name) utils::write.csv(rows, file.path(folder, name), row.names = FALSE)
  file(d[c("model", "question_id", "response")], "answers.csv")
  rated <- d[c("model", "question_id", "rating")]
  file(rated[1:7, ], "ann.csv")
  file(transform(rated[6:12, ], rating = 1), "bob.csv")
  found <- judgments_of(quiet_answers(folder))
  expect_equal(vapply(split(found$gain, found$assessor), sum, 0), c(ann = sum(rated$rating[1:7]), bob = 7))
})

test_that("a column that is the same for all systems does not make their rated answers one document", {
  rated <- data.frame(SystemID = c("A", "A", "B", "B"), SegmentID = 1:2, Target = "deu", Score = c(80, 70, 20, 10))
  x <- quiet_answers(rated, gain = "Score")
  found <- as.data.frame(x)
  expect_equal(found$gain[order(found$system, found$query)], c(80, 70, 20, 10))
})

test_that("grades of several judges are read from objects and arrays that name them", {
  d <- distinct_answers()[c("model", "question_id", "response", "gpt4")]
  lines <- function(judged) {
    answer_file(vapply(seq_len(nrow(d)), function(i) to_json(c(d[i, 1:3], judged(d$gpt4[i]))), ""), ".jsonl",
                parent.frame())
  }
  want <- c(a = mean(d$gpt4), b = mean(d$gpt4) + 1)
  means_of <- function(x) {
    means <- grader_means(x)
    stats::setNames(means, sub(".*[.]", "", names(means)))
  }
  array_of <- function(name) {
    function(grade) list(evaluations = list(stats::setNames(list("a", grade, "why"), c(name, "score", "reason")),
                                            stats::setNames(list("b", grade + 1, "why"), c(name, "score", "reason"))))
  }
  expect_equal(means_of(quiet_answers(lines(array_of("judge_model")))), want)
  # Judges may be people or language models.
  judged <- lines(array_of("judge"))
  expect_error(quiet_answers(judged), "assessor = c\\(\"judges.a\", \"judges.b\"\\)", class = "judicious_error_columns")
  expect_equal(means_of(quiet_answers(judged, grades = c("judges.a", "judges.b"))), want)
  expect_setequal(judgments_of(quiet_answers(judged, assessor = c("judges.a", "judges.b")))$assessor,
                  c("judges.a", "judges.b"))
  scores <- lines(function(grade) list(judge_scores = list(a = grade, b = grade + 1)))
  expect_error(quiet_answers(scores), "may be of people or of a language model", class = "judicious_error_columns")
  expect_equal(means_of(quiet_answers(scores, grades = c("judge_scores.a", "judge_scores.b"))), want)
  # The names of language models before "score" need no confirmation.
  named <- quiet_answers(lines(function(grade) list(gpt4o_score = grade, claude_score = grade + 1)))
  expect_equal(grader_means(named), c(claude_score = want[["b"]], gpt4o_score = want[["a"]]))
})

test_that("judgments of MT-bench name the grader in an array", {
  record <- function(i, turn) {
    to_json(list(question_id = i %% 3, model = c("a", "b")[1 + (i > 2)], judge = I(c("gpt-4", paste0("v", turn))),
                 judgment = strrep("The answer is good. ", 4), score = i + turn, turn = turn))
  }
  path <- answer_file(c(vapply(0:5, record, "", 1), vapply(0:5, record, "", 2)), ".jsonl")
  expect_equal(grader_means(quiet_answers(path, grades = "score")), c("gpt-4/v1" = 3.5, "gpt-4/v2" = 4.5))
})

test_that("the error on graders without grades names the columns that may have them", {
  d <- transform(answer_frame()[1:2], judge_model = "gpt", "rubric.style" = rep(1:4, 3), check.names = FALSE)
  expect_error(quiet_answers(d), "grades = \"rubric.style\"", class = "judicious_error_columns")
})

test_that("files of one system each are graded by one grader, also beside a file of ratings or grades of all systems", {
  folder <- withr::local_tempdir()
  d <- distinct_answers()
  file <- function(rows, name) utils::write.csv(rows, file.path(folder, name), row.names = FALSE)
  for (system in unique(d$model)) {
    file(d[d$model == system, c("question_id", "response", "gpt4")], paste0(system, ".csv"))
  }
  rated <- stats::setNames(d[c("model", "question_id", "rating")], c("system", "question_id", "human_grade"))
  file(rated, "people.csv")
  x <- quiet_answers(folder)
  expect_equal(grader_means(x), c(gpt4 = mean(d$gpt4)))
  expect_equal(sum(judgments_of(x)$gain), sum(d$rating, na.rm = TRUE))
  # The second file of grades has the same column of grades as the files of the systems.
  file(data.frame(rated[1:2], gpt4 = 6 - d$gpt4), "second.csv")
  x <- quiet_answers(folder)
  expect_equal(grader_means(x), c(gpt4 = mean(d$gpt4), second = mean(6 - d$gpt4)))
})

test_that("columns are opinions of people or of language models by the words in their names", {
  d <- data.frame(distinct_answers()[c("model", "question_id", "response")], 1:12)
  role_of <- function(column) {
    x <- quiet_answers(stats::setNames(d, c(names(d)[1:3], column)))
    c(rated = sum(judgments_of(x)$gain), graded = sum(x$grades$value))
  }
  for (column in c("human_grade", "Human verdict", "expert-score", "manual_score", "annotator_label", "userFeedback")) {
    expect_equal(role_of(column), c(rated = 78, graded = 0))
  }
  for (column in c("llm_as_judge", "judge_verdict", "gpt-4o-mini_grade", "claude_rating", "Gemini 1.5 Pro score")) {
    expect_equal(role_of(column), c(rated = 0, graded = 78))
  }
  # The words of a judge are no ratings, although they pass and fail answers.
  verdicts <- transform(d[1:3], judge_verdict = rep(c("PASS", "FAIL"), 6), human_annotation = rep(c(1, 0, 0), 4))
  x <- quiet_answers(verdicts)
  expect_equal(c(sum(judgments_of(x)$gain), sum(x$grades$value)), c(4, 6))
})
