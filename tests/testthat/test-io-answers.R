skip_if_not_installed("jsonlite")

test_that("errors about unreadable files of answers name the position", {
  d <- answer_frame()
  lines <- vapply(1:3, function(i) to_json(as.list(d[i, ])), "")
  bad <- answer_file(c(lines[1:2], substr(lines[3], 1, 20)), ".jsonl")
  cut <- answer_file(substr(to_json(d), 1, 100), ".json")
  mixed <- c(answer_file(lines, ".jsonl"), answer_file("query,docid,a,b\nx,y,1,2", ".csv"))
  expect_snapshot(error = TRUE, transform = function(line) gsub("'?/[^ ]*/file[^ .]*", "FILE", line), {
    read_answers(bad)
    read_answers(cut)
    read_answers(mixed)
    read_answers("none.jsonl")
  })
})

test_that("JSON with Python's NaN, and JSON records nested in an object, are read", {
  lines <- sprintf('{"id": %d, "model": "%s", "answer": "say: NaN, %d", "gpt4": %s}', rep(1:3, 2),
                   rep(c("A", "B"), each = 3), 1:6, c("NaN", "1", "-Infinity", "2", "3", "Infinity"))
  x <- quiet_answers(answer_file(lines, ".jsonl"))
  expect_identical(sort(x$grades$value), c(1, 2, 3))
  expect_setequal(x$documents$text, paste("say: NaN,", 1:6))
  whole <- paste0('{"meta": {"date": "x", "n": [1, 2]}, "results": [', paste(lines, collapse = ","), "]}")
  expect_identical(quiet_answers(answer_file(whole, ".json")), x)
  nested <- sub('"answer": ("[^"]*"), "gpt4": (.*)}$', '"answer": {"text": \\1, "n": 3}, "scores": {"gpt4": \\2}}',
                lines)
  expect_identical(quiet_answers(answer_file(nested, ".jsonl"), grades = c(gpt4 = "scores.gpt4"))$documents$text,
                   x$documents$text)
  grades <- quiet_answers(answer_file(nested, ".jsonl"))$grades
  expect_setequal(grades$value[grades$status == "ok"], c(1, 2, 3))
  expect_identical(sum(grades$status == "failed"), 3L)
  rated <- data.frame(id = rep(1:2, 2), model = rep(c("A", "B"), each = 2), answer = letters[1:4],
                      rating = c("4", "None", "NaN", "2"))
  expect_identical(sum(!is.na(quiet_answers(rated)$gain)), 2L)
})

test_that("column names in any spelling, list columns and nested answers are recognised", {
  rows <- expand.grid(id = c("01", "02"), model = c("A", "B"), stringsAsFactors = FALSE)
  rows$answer <- paste("answer", 1:4)
  rows$rating1 <- c(3, 2, 5, 4)
  rows$rating2 <- c(2, 2, 4, 5)
  rows$gpt4 <- c(7, 8, 9, 5)
  want <- quiet_answers(rows)
  gains <- function(x) judgments_of(x)[c("query", "doc", "gain")]
  titled <- stats::setNames(rows, c("Question ID", "modelName", "Answer", "Rating 1", "Rating-2", "LLM Score"))
  expect_identical(gains(quiet_answers(titled)), gains(want))
  expect_identical(quiet_answers(titled)$grades$value, want$grades$value)
  line <- function(row, ratings) {
    sprintf('{"id":"%s","model":"%s","answer":"%s",%s,"judge":{"score":%d,"why":"x"}}', row$id, row$model, row$answer,
            ratings, row$gpt4)
  }
  for (column in c("", "Unnamed: 0")) {
    path <- answer_file(c(paste(c(column, names(rows)), collapse = ","),
                          do.call(paste, c(list(0:3), rows, sep = ","))), ".csv")
    expect_identical(quiet_answers(path), want)
  }
  expect_identical(quiet_answers(cbind(X = 1:4, rows)), want)
  lists <- vapply(1:4, function(i) line(rows[i, ], sprintf('"ratings":[%d,%d]', rows$rating1[i], rows$rating2[i])), "")
  named <- vapply(1:4, function(i) {
    line(rows[i, ], sprintf('"human_ratings":{"ann":%d,"bob":%d}', rows$rating1[i], rows$rating2[i]))
  }, "")
  inner <- sub('"id":"[^"]*",', "", lists)
  nested <- sprintf('{"id":"%s","responses":[%s,%s]}', c("01", "02"), inner[1:2], inner[3:4])
  for (lines in list(lists, named, nested)) {
    x <- quiet_answers(answer_file(lines, ".jsonl"))
    expect_identical(gains(x), gains(want))
    expect_identical(x$grades$value, want$grades$value)
  }
  expect_setequal(judgments_of(quiet_answers(answer_file(named, ".jsonl")))$assessor,
                  c("human_ratings.ann", "human_ratings.bob"))
})

test_that("yes and no become 1 and 0, and other words and ambiguous relevance scores raise errors", {
  d <- data.frame(id = rep(1:2, 2), model = rep(c("A", "B"), each = 2), answer = letters[1:4],
                  rating = c("PASS", "no", "-", "Correct"))
  expect_identical(judgments_of(quiet_answers(d))$gain, c(1, 0, 1))
  lines <- sprintf('{"id":%d,"model":"%s","answer":"%s","scores":{"faithfulness":%s,"relevance":0.5}}', d$id, d$model,
                   d$answer, c(0.1, 0.2, 0.3, 0.4))
  wide <- answer_file("item,gpt,claude\ni1,1,0\ni2,0,0\ni3,1,1", ".csv")
  expect_snapshot(error = TRUE, transform = function(line) gsub("'?/[^ ]*/file[^ .]*", "FILE", line), {
    quiet_answers(transform(d, rating = c("good", "bad", "ok", "4/5")))
    quiet_answers(cbind(rbind(d, transform(d[2, ], rating = "yes")), rater = "ann"))
    quiet_answers(answer_file(lines, ".jsonl"))
    quiet_answers(wide)
    quiet_answers(answer_file(c("id,model,answer,rating", "1,A,x,1", "1,B,y"), ".csv"))
    quiet_answers(answer_file(c("1,A,x,1", "1,B,y,2"), ".csv"))
  })
  expect_warning(twice <- quiet_answers(cbind(rbind(d, d[2:1, ]), rater = "ann", gpt4 = c(1:4, 2:1))),
                 "2 ratings repeat an earlier, equal one", class = "judicious_warning_duplicate_judgment")
  expect_identical(twice, quiet_answers(cbind(d, rater = "ann", gpt4 = 1:4)))
  expect_error(quiet_answers(rbind(d, d[2, ])), class = "judicious_error_duplicate_result")
  expect_identical(judgments_of(quiet_answers(wide, gain = c("gpt", "claude")))$gain, c(0, 1, 0, 0, 1, 1))
})

test_that("a table of ratings by systems reads as one row per rating, with cells that nobody has rated", {
  wide <- data.frame(item = c("i1", "i2", "i3"), gpt = c(5, NA, NA), claude = c(1, 4, NA))
  long <- data.frame(item = wide$item, model = rep(c("gpt", "claude"), each = 3), stars = c(wide$gpt, wide$claude))
  x <- expect_no_warning(quiet_answers(wide, gain = c("gpt", "claude")))
  expect_identical(x, quiet_answers(long))
  expect_identical(as.data.frame(x)$gain, c(1, 5, 4, NA, NA, NA))
})

test_that("empty JSON objects are skipped, and the error about an unreadable zipped log names it", {
  lines <- sprintf('{"model":"%s","id":1,"answer":"%s","rating":%d,"meta":{}}', c("a", "b"), c("x", "y"), 1:2)
  expect_identical(sort(quiet_answers(answer_file(lines, ".jsonl"))$gain), c(1, 2))
  zipped <- withr::local_tempfile(fileext = ".eval")
  writeBin(as.raw(c(0x50, 0x4b, 0x03, 0x04, rep(0, 40))), zipped)
  expect_error(read_answers(zipped), "inspect log dump", class = "judicious_error_file")
  skip_if(Sys.which("zip") == "", "a program zip")
  log <- list(status = "success", eval = list(task = "t", model = "m"))
  samples <- lapply(c(a = "C", b = "I"), function(value) {
    list(id = value, epoch = 1, input = "Is it?", output = list(completion = "yes"),
         scores = list(match = list(value = value)))
  })
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "samples"))
  parts <- c("header.json", "samples/a_epoch_1.json", "samples/b_epoch_1.json")
  Map(function(content, part) writeLines(to_json(content), file.path(folder, part)), c(list(log), samples), parts)
  whole <- withr::local_tempfile(fileext = ".eval")
  withr::with_dir(folder, utils::zip(whole, parts, flags = "-q"))
  plain <- answer_file(to_json(c(log, list(samples = unname(samples)))), ".json")
  expect_identical(quiet_answers(whole), quiet_answers(plain))
  expect_true(holds_answers(whole))
  cut <- withr::local_tempfile(fileext = ".eval")
  withr::with_dir(folder, utils::zip(cut, parts[1], flags = "-q"))
  expect_error(read_answers(cut), "without samples", class = "judicious_error_columns")
})

test_that("arrays of ratings may have any length, hold text or be empty, and be list columns", {
  rows <- data.frame(model = c("a", "a", "b", "b"), id = c(1, 2, 1, 2), answer = c("w", "x", "y", "z"))
  ratings <- list(list(4, 5), list(3, NA), list(), list("2", "1"))
  want <- c("4", "5", "3", "2", "1")
  given <- function(x) as.character(suppressMessages(judgments_of(read_answers(x)))$gain)
  for (name in c("ratings", "human_ratings", "rating")) {
    records <- lapply(1:4, function(i) c(as.list(rows[i, ]), stats::setNames(list(ratings[[i]]), name)))
    expect_setequal(given(answer_file(to_json(records), ".json")), want)
    rows[[name]] <- list(4:5, 3, NULL, c("2", "1"))
    expect_setequal(given(rows), want)
    rows[[name]] <- NULL
  }
})

test_that("columns with a scorer's arguments or the ends of a scale in their names are read as grades or ratings", {
  scores <- data.frame(model = c("a", "b"), id = "q", answer = c("x", "y"))
  graded <- cbind(scores, "model_graded_qa(scorer = chat(\"m\"), n = 1)" = 0:1, "Answer relevancy (mode=f1)" = 1:2)
  expect_setequal(quiet_answers(graded)$grades$grader, names(graded)[4:5])
  expect_equal(judgments_of(quiet_answers(cbind(scores, "Rating (1-5)" = c(3, 5))))$gain, c(3, 5))
  expect_error(read_answers(data.frame(id = 1:2, "answer (a)" = 1:2, "answer (b)" = 3:4, check.names = FALSE)),
               "If each system has a column of its own", class = "judicious_error_columns")
})

test_that("row numbers are not mistaken for identifiers, nor choice options for ratings", {
  folder <- withr::local_tempdir()
  write <- function(rows, name) {
    utils::write.csv(rows, file.path(folder, name), row.names = FALSE)
    file.path(folder, name)
  }
  answers <- data.frame(row = 1:4, model = c("a", "b"), question = rep(c("Q1", "Q2"), each = 2),
                        answer = c("one", "two", "three", "four"))
  ratings <- data.frame(row = 1:4, answers[c(3, 1, 4, 2), c("question", "answer")], rater = "ann", rating = 1:4)
  x <- suppressMessages(read_answers(c(write(answers, "answers.csv"), write(ratings, "ratings.csv"))))
  rows <- as.data.frame(x)
  expect_identical(rows$gain[order(rows$query, rows$system)], c(2, 4, 1, 3))
  options <- data.frame(model = c("a", "b"), id = "q1", answer = c("x", "y"), choice_a = 1:2, choice_b = 3:4)
  expect_identical(nrow(suppressMessages(judgments_of(read_answers(options)))), 0L)
  # Quotes that do not end a field belong to the text.
  path <- file.path(folder, "quotes.tsv")
  writeLines(c("id\tmodel\tanswer", "1\ta\t\"x", "2\ta\t\"y"), path)
  expect_identical(suppressMessages(read_answers(path))$documents$text, c("\"x", "\"y"))
})

test_that("commas in numbers are decimal commas, unless they may separate choices", {
  rated <- function(rating, separator = ",", ...) {
    d <- data.frame(id = rep(1:2, each = 2), model = c("a", "b"), answer = letters[1:4], rating = rating, ...)
    path <- answer_file(character(), ".csv", parent.frame())
    utils::write.table(d, path, sep = separator, row.names = FALSE)
    x <- quiet_answers(path)
    as.data.frame(x)$gain[order(x$documents$text[match(as.data.frame(x)$doc, x$documents$doc)])]
  }
  halves <- c("4,5", "3,5", "1,5", "2")
  expect_identical(rated(halves, ";"), c(4.5, 3.5, 1.5, 2))
  expect_identical(rated(halves, "\t"), c(4.5, 3.5, 1.5, 2))
  # Numbers of chosen options would be whole numbers from 1 in ascending order; these are decimals.
  expect_identical(rated(c("4,0", "3,5", "1,5", "2")), c(4, 3.5, 1.5, 2))
  expect_identical(rated(c("0,25", "0,5", "1", "1")), c(0.25, 0.5, 1, 1))
  # "4,5" might also be a list of chosen options; decimal commas in another column show that it is a decimal number.
  expect_identical(rated(halves, words = c("10,5", "7,0", "3", "4")), c(4.5, 3.5, 1.5, 2))
  expect_error(rated(c("1,2", "1,2,3", "1,3", "2"), ";"), class = "judicious_error_columns")
  expect_error(rated(c("4,5", "3.5", "1", "2"), ";"), class = "judicious_error_columns")
  expect_snapshot(error = TRUE, rated(c("1,2", "2", "1,3", "3")))
  graded <- data.frame(id = 1, model = c("a", "b"), answer = c("x", "y"), gpt4 = c("0,75", "0,5"))
  expect_setequal(quiet_answers(graded)$grades$value, c(0.75, 0.5))
})

test_that("the line sep=; that Excel writes is not read as data", {
  lines <- c("id;model;answer;rating", "1;a;\"x;y\";4,5", "1;b;z;3", "2;a;u;2", "2;b;v,w;1")
  want <- quiet_answers(answer_file(lines, ".csv"))
  for (first in c("sep=;", "SEP=;", "\"sep=;\"")) {
    path <- answer_file(c(first, lines), ".csv")
    expect_true(holds_answers(path))
    expect_identical(quiet_answers(path), want)
  }
  tabs <- c("id\tmodel\tanswer", "1\ta\tx", "1\tb\ty, and z", "2\ta\tu", "2\tb\tv")
  expect_identical(quiet_answers(answer_file(c("sep=\t", tabs), ".csv")), quiet_answers(answer_file(tabs, ".tsv")))
  # One column alone would not determine the separator. Line numbers in errors count the line sep=.
  path <- answer_file(c("sep=,", "query,doc,gain", "q 1,d1,1", "q 1,d2,x"), ".csv")
  expect_error(read_judgments(path), "line 4", class = "judicious_error_columns")
  expect_identical(read_judgments(answer_file(c("sep=,", "q1,d1,1", "q1,d2,0"), ".csv"))$doc, c("d1", "d2"))
})

test_that("numbers may have spaces that do not break and the minus sign of typography", {
  d <- data.frame(model = c("A", "B", "C"), id = 1, answer = c("x", "y", "z"))
  expect_identical(quiet_answers(cbind(d, rating = c("5\u00a0", "\u00a01", "3\u202f")))$gain, c(5, 1, 3))
  expect_identical(quiet_answers(cbind(d, rating = c("\u22121", "0", "1")))$gain, c(-1, 0, 1))
  expect_error(quiet_answers(cbind(d, rating = c("\u2212", "0", "1"))), "must hold numbers")
})

test_that("arrays of objects with rater and rating become ratings by those raters", {
  path <- withr::local_tempfile(fileext = ".json")
  record <- '{"question": "q1", "system": "%s", "answer": "%s", "%s": [%s]}'
  two <- '{"rater": "ann", "score": 4}, {"rater": "bob", "score": 2}'
  one <- '{"rater": "ann", "score": 1}'
  for (name in c("ratings", "annotations")) {
    writeLines(paste0("[", sprintf(record, "A", "x", name, two), ",", sprintf(record, "B", "y", name, one), "]"), path)
    rated <- judgments_of(suppressMessages(read_answers(path)))
    expect_setequal(paste(rated$assessor, rated$gain), c("ratings.ann 4", "ratings.bob 2", "ratings.ann 1"))
  }
  # An array that contains a rater twice cannot be read.
  twice <- '{"rater": "ann", "score": 4}, {"rater": "ann", "score": 2}'
  writeLines(paste0("[", sprintf(record, "A", "x", "ratings", twice), ",", sprintf(record, "B", "y", "ratings", one), "]"),
             path)
  expect_error(quiet_answers(path), "ratings.*must hold numbers")
})

test_that("several arrays of rater objects become criteria with the names of the arrays", {
  path <- withr::local_tempfile(fileext = ".json")
  record <- '{"question": "q1", "system": "%s", "answer": "%s", "relevance": [%s], "fluency": [%s]}'
  rating <- function(a, b) sprintf('{"rater": "ann", "score": %d}, {"rater": "bob", "score": %d}', a, b)
  writeLines(paste0("[", sprintf(record, "A", "x", rating(3, 4), rating(1, 2)), ",",
                    sprintf(record, "B", "y", rating(1, 2), rating(5, 5)), "]"), path)
  rated <- judgments_of(quiet_answers(path, assessor = c("relevance.ann", "relevance.bob")))
  expect_setequal(paste(rated$assessor, rated$gain),
                  c("relevance.ann 3", "relevance.bob 4", "relevance.ann 1", "relevance.bob 2"))
})

test_that("files without answers and infinite ratings raise errors, and empty last rows are left out", {
  path <- withr::local_tempfile(fileext = ".json")
  writeLines("[]", path)
  expect_error(read_answers(path), "has no rows", class = "judicious_error")
  expect_error(read_answers(data.frame()), "has no rows", class = "judicious_error_columns")
  expect_error(read_answers(data.frame(model = "A", id = 1, answer = "\xff")), "\"answer\" of `x` .* not in UTF-8",
               class = "judicious_error_encoding")
  sheet <- withr::local_tempfile(fileext = ".csv", lines = c("question,system,answer,rating", "q1,A,x,1", "q1,B,y,2", ",,,"))
  expect_equal(judgments_of(suppressMessages(read_answers(sheet)))$gain, 1:2)
  for (number in c("inf", "-Inf", "1e999")) {
    writeLines(c("question,system,answer,rating", paste0("q1,A,x,", number), "q1,B,y,2"), sheet)
    expect_error(suppressMessages(read_answers(sheet)), "finite numbers; the rating of system \"A\", question \"q1\"",
                 class = "judicious_error_columns")
  }
})

test_that("a table of questions and right answers is joined to the answers by the ids of the questions", {
  answers <- data.frame(question_id = c(1, 2, 1, 2), model_id = c("A", "A", "B", "B"), text = c("4", "6", "5", "6"))
  csv <- function(rows) {
    path <- withr::local_tempfile(fileext = ".csv", .local_envir = parent.frame())
    utils::write.csv(rows, path, row.names = FALSE)
    path
  }
  answers <- csv(answers)
  questions <- csv(data.frame(question_id = 1:3, text = c("2 + 2", "3 + 3", "4 + 4"), category = "maths"))
  x <- quiet_answers(c(answers, questions))
  expect_identical(x$queries, data.frame(query = c("1", "2"), text = c("2 + 2", "3 + 3")))
  expect_identical(x$systems$system, c("A", "B"))
  questions <- csv(data.frame(question_id = 2:1, question = c("3 + 3", "2 + 2"), reference = c("6", "4")))
  x <- quiet_answers(c(answers, questions), gold = "reference")
  expect_identical(x$queries$text, c("2 + 2", "3 + 3"))
  expect_identical(judgments_of(x)$gain, c(1, 0, 1))
  # Alone, such a table has no answers; with other ids, it is an error.
  expect_error(quiet_answers(csv(data.frame(question_id = 1, text = "2 + 2"))), class = "judicious_error_columns")
  expect_error(quiet_answers(c(answers, csv(data.frame(question_id = 7, question = "2 + 2")))),
               class = "judicious_error_columns")
})

test_that("if several files rate the same answers of systems, each file has the ratings of one rater", {
  folder <- withr::local_tempdir()
  d <- answer_frame()[1:5]
  other <- transform(d, rating = 3)
  utils::write.csv(d, file.path(folder, "ann.csv"), row.names = FALSE)
  utils::write.csv(other[-1, ], file.path(folder, "bob.csv"), row.names = FALSE)
  x <- quiet_answers(folder)
  want <- quiet_answers(rbind(transform(d, rater = "ann"), transform(other[-1, ], rater = "bob")))
  expect_equal(judgments_of(x), judgments_of(want))
  # If the answers in the files differ, the systems answered repeatedly, and the rater is unknown.
  other$response <- paste("Other", other$response)
  utils::write.csv(other, file.path(folder, "bob.csv"), row.names = FALSE)
  expect_null(judgments_of(quiet_answers(folder))$assessor)
})

test_that("files of the same name are called by the folders that tell them apart", {
  folder <- withr::local_tempdir()
  write <- function(...) {
    path <- file.path(folder, ...)
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    write.csv(data.frame(id = 1:2, answer = paste(path, 1:2), rating = 1:2), path, row.names = FALSE)
    path
  }
  systems <- function(paths) sort(quiet_answers(paths)$systems$system)
  same <- c(write("gpt", "out", "a.csv"), write("llama", "out", "a.csv"))
  expect_identical(systems(same), c("gpt", "llama"))
  expect_identical(systems(c(same, write("b.csv"))), c("b", "gpt", "llama"))
  both <- c(same, write("gpt", "out", "b.csv"), write("llama", "out", "b.csv"))
  expect_identical(systems(both), c("gpt/a", "gpt/b", "llama/a", "llama/b"))
})

test_that("a first column named like one of row numbers has ratings if it is named, or stands beside Y", {
  d <- data.frame(X = 1:3, B = c(3, 1, 2), id = c("p", "q", "r"))
  expect_error(read_answers(d, gain = c("B", "C")), "\"C\"", class = "judicious_error_columns")
  x <- quiet_answers(d, gain = c("X", "B"), query = "id")
  judged <- judgments_of(x)
  expect_identical(judged$gain[match(paste0(d$id, "@X"), judged$doc)], c(1, 2, 3))
  named <- stats::setNames(d[1:2], c("X", "Y"))
  expect_output(print(agreement(cbind(named, Z = 3:1))), "by 3 raters")
  expect_identical(as.data.frame(compare_systems(named, "t"))$system_a, "X")
})
