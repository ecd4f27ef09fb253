skip_if_not_installed("jsonlite")

test_that("arrays with each rater's criteria become a column for each criterion and rater, as in SummEval", {
  scores <- function(i) lapply(1:3, function(rater) list(coherence = i, fluency = rater))
  records <- lapply(1:4, function(i) {
    list(id = c("a", "a", "b", "b")[i], decoded = paste("summary", i), model_id = c("M0", "M1")[2 - i %% 2],
         expert_annotations = scores(i))
  })
  raters <- paste0("expert_annotations.fluency.", 1:3)
  x <- quiet_answers(answer_file(vapply(records, to_json, ""), ".jsonl"), assessor = raters)
  expect_identical(rows_of(x)$text, paste("summary", 1:4))
  expect_identical(judgments_of(x)$gain, rep(c(1, 2, 3), 4))
  x <- quiet_answers(answer_file(to_json(records), ".json"), gain = "expert_annotations.coherence.1")
  expect_identical(rows_of(x)$gain, c(1, 2, 3, 4))
})

test_that("ratings in a column per rater need no column of answers", {
  rows <- data.frame(Item = rep(1:2, 2), Model = rep(c("A", "B"), each = 2), a = c(1, 2, 3, 4), b = c(3, 2, 3, 2))
  names(rows)[3:4] <- c("Annotator 1", "Annotator 2")
  judged <- judgments_of(quiet_answers(rows))
  expect_identical(judged$gain[judged$assessor == "Annotator 1"], c(1, 3, 2, 4))
  expect_identical(judged$gain[judged$assessor == "Annotator 2"], c(3, 3, 2, 2))
  expect_identical(quiet_answers(rows, assessor = c("Annotator 1", "Annotator 2")), quiet_answers(rows))
})

test_that("right answers in columns such as `reference_outputs.answer` are not taken for a system", {
  rows <- data.frame(id = 1:2, inputs.question = c("one?", "two?"), outputs.answer = c("a", "b"),
                     reference_outputs.answer = c("r", "s"))
  files <- vapply(c("first", "second"), function(name) {
    path <- file.path(withr::local_tempdir(.local_envir = parent.frame(2)), paste0(name, ".csv"))
    utils::write.csv(rows, path, row.names = FALSE)
    path
  }, "")
  x <- quiet_answers(unname(files))
  expect_identical(sort(unique(rows_of(x)$system)), c("first", "second"))
  expect_identical(sort(unique(rows_of(x)$text)), c("a", "b"))
})

test_that("long texts in a column named like a rating are not taken for ratings", {
  rows <- data.frame(question_id = rep(1:2, 2), model = rep(c("A", "B"), each = 2), score = c(3, 5, 7, 9),
                     judgment = strrep("The response answers what was asked. ", 3), turn = 1)
  x <- quiet_answers(rows, grades = "score")
  expect_identical(x$grades$value, c(3, 7, 5, 9))
})

test_that("answers of FastChat and arena-hard are read from texts, turns and messages", {
  test <- environment()
  written <- function(records) answer_file(vapply(records, to_json, ""), ".jsonl", test)
  record <- function(...) lapply(1:4, function(i) c(list(model_id = c("A", "B")[2 - i %% 2]), list(...)[[1]](i)))
  id <- function(i) c("q1", "q2")[(i + 1) %/% 2]
  x <- quiet_answers(written(record(function(i) list(question_id = id(i), text = paste("answer", i)))))
  expect_identical(rows_of(x)$text, paste("answer", 1:4))
  x <- quiet_answers(written(record(function(i) {
    list(question_id = id(i), choices = list(list(index = 0, turns = list(paste("first", i), "second"))))
  })))
  expect_identical(rows_of(x)$text, paste0("first ", 1:4, "\n\nsecond"))
  message <- function(role, content) list(role = role, content = content)
  parts <- list(list(type = "text", text = "part 1"), list(type = "text", text = "part 2"))
  x <- quiet_answers(written(record(function(i) {
    list(uid = id(i), messages = list(message("system", "Be brief."), message("user", paste("question", id(i))),
                                      message("assistant", if (i == 4) parts else list(answer = paste("answer", i)))))
  })))
  expect_identical(rows_of(x)$query, paste("question", c("q1", "q1", "q2", "q2")))
  expect_identical(rows_of(x)$text, c(paste("answer", 1:3), "part 1\n\npart 2"))
})

test_that("an object of records, or of answers by their systems, has a row per answer", {
  record <- function(i) list(input = paste("question", i), response_model_name = "A", response = paste("answer", i),
                             score = i, eval_model_name = "P")
  x <- quiet_answers(answer_file(to_json(list(a_0 = record(1), a_1 = record(2), a_2 = record(4))), ".json"))
  expect_identical(rows_of(x)$query, c("a_0", "a_1", "a_2"))
  expect_identical(x$grades[c("grader", "value")], data.frame(grader = "P", value = c(1, 2, 4)))
  story <- function(text, human, meteor) list(text = text, score = list(human = human, meteor = meteor))
  records <- list(list(doc_id = "1", prompt = "one", gen = list(s2s = story("a", 1, 0.5), gpt = story("b", 3, 0.2))),
                  list(doc_id = "2", prompt = "two", gen = list(s2s = story("c", 2, 0.1), gpt = story("d", 5, 0.4))))
  x <- quiet_answers(answer_file(to_json(records), ".json"))
  expect_identical(rows_of(x), data.frame(system = rep(c("gpt", "s2s"), 2), query = rep(c("one", "two"), each = 2),
                                          text = c("b", "a", "d", "c"), gain = c(3, 1, 5, 2)))
  records <- list(list(question = "one", responses = list(A = "a", B = "b")),
                  list(question = "two", responses = list(A = "c", B = "d")))
  x <- quiet_answers(answer_file(to_json(records), ".json"))
  expect_identical(rows_of(x)[c("system", "text")], data.frame(system = c("A", "B", "A", "B"), text = letters[1:4]))
  # Scores by criteria within a record that has an answer are no systems.
  records <- lapply(1:2, function(i) list(question = letters[i], response = "x", model = "A",
                                          checks = list(one = list(label = 1), two = list(label = 0))))
  expect_identical(rows_of(quiet_answers(answer_file(to_json(records), ".json")))$text, c("x", "x"))
})

test_that("identifiers such as `seg_id` name the question if no other column does", {
  rows <- data.frame(system = c("A", "A", "B", "B"), errors_avg = c(-1, 0, -5, -1), seg_id = c(1, 2, 1, 2))
  queries <- function(rows) as.data.frame(quiet_answers(rows, gain = "errors_avg"))$query
  expect_identical(sort(queries(rows)), c("1", "1", "2", "2"))
  expect_snapshot(read_answers(rows), error = TRUE)
  expect_snapshot(read_answers(cbind(rows, doc_id = 1)), error = TRUE)
  expect_identical(sort(queries(cbind(rows, question_id = c(7, 8, 7, 8)))), c("7", "7", "8", "8"))
})

test_that("instruction and input, as in Alpaca, are one question", {
  rows <- data.frame(model = rep(c("A", "B"), each = 3), instruction = rep(c("Sum up.", "Sum up.", "Name it."), 2),
                     input = rep(c("one", "two", ""), 2), output = letters[1:6])
  x <- quiet_answers(rows)
  expect_identical(length(unique(rows_of(x)$query)), 3L)
  expect_identical(sort(rows_of(x)$text), letters[1:6])
})

test_that("where records have a right answer beside an array of systems' texts, the texts are the answers", {
  record <- function(id, right, texts) {
    list(id = id, output = right, candidates = Map(function(model, text) list(model = model, text = text,
                                                                           scores = list(bleu = nchar(text))),
                                                 c("A", "B"), texts, USE.NAMES = FALSE))
  }
  records <- list(record("q1", "one", c("eins", "uno")), record("q2", "two", c("zwei", "deux")))
  x <- quiet_answers(answer_file(to_json(records), ".json"))
  expect_setequal(rows_of(x)$text, c("eins", "uno", "zwei", "deux"))
  expect_identical(sort(x$grades$value), c(3, 4, 4, 4))
  # The same holds for tables; equal answers of all systems are the answers if there are no others.
  table <- data.frame(id = rep(1:2, each = 2), model = c("A", "B"), answer = rep(c("one", "two"), each = 2),
                      response = c("eins", "uno", "zwei", "deux"))
  expect_setequal(rows_of(quiet_answers(table))$text, table$response)
  expect_setequal(rows_of(quiet_answers(table[-4]))$text, c("one", "two"))
  expect_error(quiet_answers(table[-(1:2)]), "gold = \"answer\"", class = "judicious_error_columns")
})

test_that("empty records are left out, as empty rows are", {
  d <- answer_frame()
  lines <- vapply(seq_len(nrow(d)), function(i) to_json(as.list(d[i, ])), "")
  expect_identical(quiet_answers(answer_file(c(lines[1:3], "{}", "\"\"", lines[-(1:3)]), ".jsonl")),
                   quiet_answers(answer_file(lines, ".jsonl")))
})

test_that("an object of records with the same fields is read as records, whatever their names", {
  fields <- list(a = list(author = "x", words = "one"), b = list(author = "y", words = "two"))
  expect_error(quiet_answers(answer_file(to_json(fields), ".json")), "\"id\", \"author\", and \"words\"",
               class = "judicious_error_columns")
})

test_that("objects in the cells of a table are columns, unless they are answers", {
  d <- data.frame(id = rep(1:2, 2), output = c('{"a": 1}', '{"a": 2}', '{"a": 3}', '{"a": 4}'), rating = c(1, 2, 3, 5))
  json <- cbind(d, metadata = sprintf('{"model": "%s", "tokens": %d}', rep(c("gpt", "llama"), each = 2), 4:1))
  python <- sprintf("{'model': '%s', 'cached': True, 'note': None}", rep(c("gpt", "llama"), each = 2))
  python <- cbind(d, metadata = python)
  want <- rows_of(quiet_answers(cbind(d, model = rep(c("gpt", "llama"), each = 2))))
  for (table in list(json, python)) {
    file <- withr::local_tempfile(fileext = ".csv")
    write.csv(table, file, row.names = FALSE)
    expect_identical(rows_of(quiet_answers(file)), want)
    expect_identical(rows_of(quiet_answers(table)), want)
  }
  expect_setequal(want$text, d$output)
})

test_that("an object of objects of many answers is not read as one answer in many columns", {
  answers <- lapply(1:60, function(i) list(id = i, output = paste("answer", i)))
  names(answers) <- paste0("q", 1:60)
  file <- answer_file(to_json(list(asqa = list("a.json" = answers), eli5 = list("b.json" = answers, f1 = 1))), ".json")
  expect_error(quiet_answers(file), "up to 241 values, not a record per answer", class = "judicious_error_file")
})

test_that("lists and data frames in the columns of a data frame are read as in JSON", {
  d <- answer_frame()[c("model", "question_id")]
  records <- lapply(seq_len(nrow(d)), function(i) {
    c(d[i, ], list(response = list(text = paste("answer", i), tokens = i), ratings = c(i %% 3, i %% 2),
                   scores = list(gpt4 = i / 4)))
  })
  read <- function(ratings) {
    records <- Map(function(record, one) replace(record, "ratings", list(one)), records, ratings)
    quiet_answers(jsonlite::fromJSON(to_json(records)))
  }
  pairs <- lapply(seq_len(nrow(d)), function(i) c(i %% 3, i %% 2))
  want <- quiet_answers(data.frame(d, answer = paste("answer", 1:12), ratings.1 = 1:12 %% 3, ratings.2 = 1:12 %% 2,
                                   scores.gpt4 = 1:12 / 4), assessor = c("ratings.1", "ratings.2"))
  x <- read(pairs)
  expect_equal(judgments_of(x), judgments_of(want))
  expect_equal(x$grades, want$grades)
  expect_equal(x$documents["text"], want$documents["text"])
  # Arrays of a single rating are ratings, not those of a rater "1".
  single <- quiet_answers(data.frame(d, answer = paste("answer", 1:12), rating = 1:12 %% 3))
  expect_equal(judgments_of(read(lapply(pairs, function(one) I(one[1])))), judgments_of(single))
})

test_that("an array of several scores by one grader holds its repeated grades", {
  d <- data.frame(model = c("a", "b", "a", "b"), question = c("one?", "one?", "two?", "two?"),
                  answer = c("w", "x", "y", "z"), human_score = c(3, 1, 4, 2))
  scores <- list(c(3, 2, 3), c(1, 1), c(5, 4, 4), numeric())
  records <- lapply(1:4, function(i) c(d[i, ], list(gpt4_score = scores[[i]])))
  x <- quiet_answers(answer_file(to_json(records), ".json"))
  text <- x$documents$text[match(x$grades$doc, x$documents$doc)]
  expect_identical(split(x$grades$value, text), list(w = c(3, 2, 3), x = c(1, 1), y = c(5, 4, 4)))
  expect_identical(split(x$grades[["repeat"]], text), list(w = 1:3, x = 1:2, y = 1:3))
  expect_identical(unique(x$grades$grader), "gpt4_score")
  expect_equal(grades_on_pool(carried_grades(x)$gpt4_score, x, "grades"),
               c(8 / 3, 1, 13 / 3, NA)[match(x$documents$text, d$answer)])
})

test_that("an array of several answers in a record is as many answers, each with its numbers", {
  record <- function(model, question, answers, ratings) {
    list(model = model, question = question, answer = answers, rating = ratings, scores = list(gpt4 = rev(ratings)))
  }
  records <- list(record("A", "q1", list("x y", "z"), list(1, 0)), record("A", "q2", list("u", "v"), list(1, 1)),
                  record("B", "q1", list("r", "s"), list(0, 0)), record("B", "q2", list("t", "w"), list(0, 1)))
  x <- quiet_answers(answer_file(to_json(records), ".json"))
  rows <- rows_of(x)
  expected <- data.frame(text = c("x y", "z", "u", "v", "r", "s", "t", "w"), system = rep(c("A", "B"), each = 4),
                         gain = c(1, 0, 1, 1, 0, 0, 0, 1), grade = c(0, 1, 1, 1, 0, 0, 1, 0))
  found <- match(expected$text, rows$text)
  expect_identical(rows[found, c("text", "system", "gain")], expected[1:3], ignore_attr = TRUE)
  documents <- x$documents$doc[match(expected$text, x$documents$text)]
  expect_identical(x$grades$value[match(documents, x$grades$doc)], expected$grade)
  expect_identical(evaluate(x, measure = "AG", per = "mean")$value, c(0.75, 0.25))

  # The same in a data frame, and if the array has a plural name.
  of_frame <- jsonlite::fromJSON(to_json(records))
  expect_identical(judgments_of(quiet_answers(of_frame)), judgments_of(x))
  plural <- lapply(records, function(one) stats::setNames(one, sub("answer", "responses", names(one))))
  expect_identical(judgments_of(quiet_answers(answer_file(to_json(plural), ".json"))), judgments_of(x))
  expect_identical(judgments_of(quiet_answers(answer_file(to_json(plural), ".json"), answer = "responses")),
                   judgments_of(x))

  # Records may differ in their numbers of answers, if these have arrays of numbers; otherwise, arrays such as those of
  # labels are one answer.
  records[[1]]$answer <- list("x y", "z", "other")
  records[[1]]$rating <- list(1, 0, 0)
  records[[1]]$scores$gpt4 <- list(0, 1, 1)
  longer <- rows_of(quiet_answers(answer_file(to_json(records), ".json")))
  expect_identical(longer$gain[match(c("x y", "z", "other"), longer$text)], c(1, 0, 0))
  labels <- list(list(model = "A", question = "q1", answer = list("sport", "news")),
                 list(model = "B", question = "q1", answer = list("sport")))
  expect_setequal(rows_of(quiet_answers(answer_file(to_json(labels), ".json")))$text, c("sport\n\nnews", "sport"))
})

test_that("null in an array of several answers, or in its place, is an answer that a system failed to give", {
  lines <- c('{"model": "A", "question": "q1", "responses": ["x", null, "z"], "correct": [1, 0, null]}',
             '{"model": "A", "question": "q2", "responses": ["u", "v", "w"], "correct": [1, 1, 0]}',
             '{"model": "B", "question": "q1", "responses": ["r", "s", "t"], "correct": [0, 0, 1]}',
             '{"model": "B", "question": "q2", "responses": null, "correct": null}')
  rows <- rows_of(quiet_answers(answer_file(lines, ".jsonl")))
  expect_setequal(rows$text, c("x", NA, "z", "u", "v", "w", "r", "s", "t"))
  expect_identical(nrow(rows), 10L)
  expect_identical(rows$gain[match(c("x", "z", "u", "t"), rows$text)], c(1, NA, 1, 1))
  expect_identical(sort(rows$gain[is.na(rows$text)], na.last = TRUE), c(0, NA))
})

test_that("objects of answers and of ratings by the same systems are values of these systems, not of assessors", {
  answers <- list(gpt = "Paris", llama = "Lyon")
  record <- function(i, ...) list(id = i, responses = lapply(answers, paste, i), ...)
  rows <- function(records) rows_of(quiet_answers(answer_file(to_json(records), ".json")))
  rated <- rows(lapply(1:3, function(i) record(i, ratings = list(gpt = i, llama = 4))))
  expect_identical(rated$system, rep(c("gpt", "llama"), 3))
  expect_identical(rated$text, paste(c("Paris", "Lyon"), rep(1:3, each = 2)))
  expect_equal(rated$gain, c(1, 4, 2, 4, 3, 4))
  raters <- function(i) list(ann = list(gpt = i, llama = 2), ben = list(llama = 5))
  judged <- judgments_of(quiet_answers(answer_file(to_json(lapply(1:3, function(i) record(i, ratings = raters(i)))),
                                                   ".json")))
  expect_equal(vapply(split(judged$gain, judged$assessor), sum, 0), c(ratings.ann = 12, ratings.ben = 15))
  by_system <- function(i) list(gpt = list(ann = i), llama = list(ann = 2, ben = 5))
  same <- quiet_answers(answer_file(to_json(lapply(1:3, function(i) record(i, ratings = by_system(i)))), ".json"))
  expect_identical(judgments_of(same)[names(judged)], judged)
  scored <- lapply(1:3, function(i) record(i, scores = list(llama = list(human = 2, gpt4 = i), gpt = list(human = i))))
  x <- quiet_answers(answer_file(to_json(scored), ".json"))
  expect_equal(rows_of(x)$gain, c(1, 2, 2, 2, 3, 2))
  expect_equal(x$grades$value, as.numeric(1:3))
})

test_that("an array of people's ratings and one of judges' scores in a record are ratings and scores", {
  answers <- transform(answer_frame(), response = 1:12)
  records <- lapply(1:12, function(i) {
    c(answers[i, c("model", "question_id", "response")],
      list(human = list(list(annotator = "ann", score = i), list(annotator = "bob", score = 1))),
      list(llm = list(list(judge = "gpt", score = 13 - i), list(judge = "claude", score = 2))))
  })
  x <- quiet_answers(answer_file(to_json(records), ".json"), grades = c("judges.gpt", "judges.claude"))
  judged <- judgments_of(x)
  expect_equal(vapply(split(judged$gain, judged$assessor), sum, 0), c(ratings.ann = 78, ratings.bob = 12))
  expect_equal(vapply(split(x$grades$value, x$grades$grader), sum, 0), c(judges.claude = 24, judges.gpt = 78))
})

test_that("ratings or grades in an array of another length than the answers raise an error that names the record", {
  record <- function(model, ratings, gpt4) {
    list(model = model, question = "q", responses = list("u", "v", "w"), correct = ratings, scores = list(gpt4 = gpt4))
  }
  whole <- record("A", list(1, 0, 0), list(3, 2, 1))
  read <- function(second) quiet_answers(answer_file(to_json(list(whole, second)), ".json"))
  expect_no_error(read(record("B", list(1, 0, 1), list(1, 2, 3))))
  expect_snapshot(error = TRUE, {
    read(record("B", list(1, 0), list(1, 2, 3)))
    read(record("B", list(1, 0, 1), list(1, 2, 3, 3)))
    read(record("B", list(1), list(1, 2, 3)))
  })
})

test_that("objects by system and question are read if systems are called like graders, and arrays of rated answers", {
  of_system <- function(system) {
    lapply(stats::setNames(1:3, 1:3), function(i) list(answer = paste(system, i), rating = i))
  }
  content <- list("gpt-4o" = of_system("x"), "claude-3" = of_system("y"))
  found <- rows_of(quiet_answers(answer_file(to_json(content), ".json")))
  expect_identical(found$system, rep(c("claude-3", "gpt-4o"), 3))
  expect_equal(found$gain, c(1, 1, 2, 2, 3, 3))
  candidates <- list(list(name = "x", text = "one", human_rating = 2), list(name = "y", text = "two", human_rating = 4))
  records <- lapply(1:2, function(i) list(question = paste("Number", i), candidates = candidates))
  path <- answer_file(to_json(records), ".json")
  expect_error(quiet_answers(path), "system = \"name\"", fixed = TRUE)
  expect_equal(rows_of(quiet_answers(path, system = "name"))$gain, c(2, 4, 2, 4))
})

test_that("arrays of what people rated by several criteria become a row per person, and no criterion is lost", {
  path <- withr::local_tempfile(fileext = ".json")
  record <- '{"id": 1, "model": "%s", "answer": "%s", "annotations": [%s]}'
  write <- function(form) {
    rating <- function(id, rater, fluency, accuracy) sprintf(form, id, rater, fluency, accuracy)
    records <- c(sprintf(record, "A", "x", paste(rating(7, "ann", 4, 5), rating(8, "bob", 3, 5), sep = ",")),
                 sprintf(record, "B", "y", rating(9, "ann", 1, 2)), sprintf(record, "C", "z", ""))
    writeLines(paste0("[", paste(records, collapse = ","), "]"), path)
  }
  write('{"id": %d, "annotator": "%s", "fluency": %d, "accuracy": %d}')
  expect_message(read_answers(path), "Not used: \"fluency\"")
  x <- quiet_answers(path, gain = c(fluency = 3, accuracy = 1))
  expect_identical(x$queries$query, "1")
  expect_identical(x$systems$system, c("A", "B", "C"))
  rated <- judgments_of(x)
  expect_setequal(paste(rated$assessor, rated$gain), c("ann 4.25", "bob 3.5", "ann 1.25"))
  write('{"id": %d, "annotator": "%s", "scores": {"fluency": %d, "accuracy": %d}}')
  rated <- judgments_of(quiet_answers(path, gain = "scores.fluency"))
  expect_setequal(paste(rated$assessor, rated$gain), c("ann 4", "bob 3", "ann 1"))
})

test_that("an object of systems may be called model_output, and hold texts or records", {
  texts <- lapply(1:2, function(case) list(case = case, summ = "gold", model_output = list(bart = paste("b", case),
                                                                                       pegasus = paste("p", case))))
  records <- lapply(texts, function(one) {
    one$model_output <- lapply(one$model_output, function(text) list(model_summ = text, f_score = list(a = 1, b = 0.5)))
    one
  })
  for (content in list(texts, records)) {
    x <- quiet_answers(answer_file(to_json(content), ".json"))
    expect_identical(x$systems$system, c("bart", "pegasus"))
    expect_setequal(x$documents$text, c("b 1", "b 2", "p 1", "p 2"))
    expect_identical(x$queries$query, c("1", "2"))
  }
  # An array of the names of models has no answers.
  named <- lapply(1:2, function(i) list(id = i, models = list("bart", "t5"), system = "A", rating = i))
  expect_null(quiet_answers(answer_file(to_json(named), ".json"))$documents$text)
})

test_that("answers of TREC, arrays of sentences with citations, are texts", {
  sentences <- function(run) {
    list(list(text = paste(run, "says."), citations = list(0)), list(text = "So.", citations = list()))
  }
  rag <- lapply(c("r1", "r2"), function(run) list(run_id = run, topic_id = "t", topic = "Why?", references = list("d1"),
                                                 answer = sentences(run)))
  x <- quiet_answers(answer_file(to_json(rag), ".json"))
  expect_identical(x$systems$system, c("r1", "r2"))
  expect_identical(x$documents$text, c("r1 says. So.", "r2 says. So."))
  expect_identical(c(x$queries$query, x$queries$text), c("t", "Why?"))
  reports <- lapply(c("t", "u"), function(topic) list(
    metadata = list(team_id = "T", run_id = "r3", topic_id = topic), responses = sentences(topic),
    documents = list(d1 = list(id = "d1", text = "One."), d2 = list(id = "d2", text = "Two."))))
  x <- quiet_answers(answer_file(to_json(reports), ".json"))
  expect_identical(x$documents$text, c("t says. So.", "u says. So."))
  expect_identical(x$documents$context, rep("One.\n\nTwo.", 2))
  expect_identical(c(x$systems$system, x$systems$team), c("r3", "T"))
})
