skip_if_not_installed("jsonlite")

test_that("tables of answers in every layout give the same collection", {
  d <- answer_frame()
  want <- quiet_answers(d)
  same <- function(...) expect_identical(quiet_answers(...), want)
  # The order of rows and columns, capitals, factors and tibbles do not matter.
  same(d[c(7, 1, 12, 3:6, 2, 8:11), c(3, 1, 7, 6, 5, 4, 2)][, ])
  same(transform(d, model = factor(model), question_id = factor(question_id)))
  text <- function(separator, quote = "double") {
    path <- withr::local_tempfile(.local_envir = parent.frame(2))
    write.table(d, path, sep = separator, row.names = FALSE, na = "", qmethod = quote, fileEncoding = "UTF-8")
    path
  }
  csv <- text(",")
  same(csv)
  same(text(";"))
  rows <- do.call(paste, c(replace(d, is.na(d), ""), sep = "\t"))
  tsv <- answer_file(c(paste(names(d), collapse = "\t"), rows), ".tsv")
  same(tsv)
  lines <- vapply(seq_len(nrow(d)), function(i) to_json(as.list(d[i, ])), "")
  same(answer_file(lines, ".jsonl"))
  same(answer_file(to_json(d), ".json"))
  same(answer_file(jsonlite::toJSON(d, pretty = TRUE, digits = NA), ".json"))
  same(answer_file(to_json(lapply(d, function(v) as.list(stats::setNames(v, seq_along(v) - 1)))), ".json"))
  zipped <- withr::local_tempfile(fileext = ".jsonl.gz")
  con <- gzfile(zipped, "wb")
  writeLines(enc2utf8(lines), con, useBytes = TRUE)
  close(con)
  same(zipped)
  # One file per system.
  parts <- vapply(split(lines, d$model), answer_file, "", ".jsonl", env = environment())
  same(unname(parts))
  # One column per system for answers, ratings and grades.
  systems <- unique(d$model)
  wide <- d[d$model == "gpt", c("question_id", "question")]
  for (system in systems) {
    own <- d[d$model == system, ]
    own <- own[match(wide$question_id, own$question_id), ]
    wide[paste0(system, c("_response", "_rating", "_gpt4", "_bleu"))] <- own[c("response", "rating", "gpt4", "bleu")]
  }
  same(wide)
  columns <- function(what) stats::setNames(paste0(systems, "_", what), systems)
  same(wide, answer = columns("response"), gain = columns("rating"), question = "question",
       grades = list(gpt4 = unname(columns("gpt4")), bleu = unname(columns("bleu"))))
  # Columns with other names, given by arguments.
  other <- stats::setNames(d, c("bot", "n", "asked", "said", "stars", "gpt4", "bleu"))
  same(other, system = "bot", query = "n", question = "asked", answer = "said", gain = "stars",
       grades = c("gpt4", "bleu"))
  # The call that the message shows reads the same answers.
  for (source in list(quote(csv), quote(wide), quote(d))) {
    told <- NULL
    withCallingHandlers(eval(bquote(read_answers(.(source)))), judicious_message_answers = function(cnd) {
      told <<- cnd$code
      tryInvokeRestart("muffleMessage")
    })
    suppressMessages(expect_identical(eval(parse(text = told)), want))
  }
  # One row per grade.
  long <- rbind(data.frame(d[1:5], grader = "gpt4", grade = d$gpt4),
                data.frame(d[1:5], grader = "bleu", grade = d$bleu))
  long$rating[13:24] <- NA
  same(long)
})

test_that("answers in the file format of every supported tool give the same collection", {
  d <- transform(answer_frame(), question_id = as.character(0:3)[match(question_id, unique(question_id))],
                 rater = "7")
  d$rating[is.na(d$rating)] <- 3
  folder <- withr::local_tempdir()
  scores <- c("rating", "gpt4", "bleu")
  of_rows <- function(make) lapply(split(d, seq_len(nrow(d))), make)
  json <- function(content, path = tempfile(tmpdir = folder, fileext = ".json")) {
    dir.create(dirname(path), showWarnings = FALSE)
    writeLines(enc2utf8(to_json(content)), path, useBytes = TRUE)
    path
  }
  same <- function(path, want, ...) expect_identical(quiet_answers(path, ...), want)
  want <- quiet_answers(d[names(d) != "rater"])
  by_model <- split(d, d$model)
  inspect <- vapply(by_model, function(own) {
    by_question <- unname(split(own, own$question_id))
    json(list(eval = list(model = own$model[1], task = "t"), samples = lapply(by_question, function(r) {
      list(id = as.numeric(r$question_id), epoch = 1, input = r$question, output = list(completion = r$response),
           scores = lapply(as.list(r[scores]), function(value) list(value = value)))
    })))
  }, "")
  same(unname(inspect), want)
  promptfoo <- of_rows(function(r) {
    parts <- Map(function(type, score) list(score = score, assertion = list(type = type)), scores, as.list(r[scores]))
    list(provider = list(id = r$model), testIdx = as.numeric(r$question_id), vars = list(question = r$question),
         prompt = list(raw = "p"), response = list(output = r$response), score = 1,
         gradingResult = list(componentResults = unname(parts)))
  })
  same(json(list(results = list(results = unname(promptfoo)))), want)
  harness <- vapply(by_model, function(own) {
    samples <- lapply(split(own, own$question_id), function(r) {
      c(list(doc_id = as.numeric(r$question_id), doc = list(question = r$question), arguments = list(list("Q", "u")),
             resps = list(list(r$response)), filtered_resps = list(r$response), filter = "none",
             metrics = as.list(scores)), as.list(r[scores]))
    })
    json(unname(samples), file.path(folder, own$model[1], "samples_t_2026-01-01T00-00-00.json"))
  }, "")
  same(unname(harness), want, gain = "rating", grades = c("gpt4", "bleu"))
  label <- function(name, value) list(from_name = name, type = "number", value = list(number = value))
  studio <- of_rows(function(r) {
    list(data = as.list(r[c("model", "question_id", "question", "response")]),
         annotations = list(list(completed_by = 7, result = list(label("rating", r$rating)))),
         predictions = lapply(c("gpt4", "bleu"), function(one) {
           list(model_version = one, result = list(label("rating", r[[one]])))
         }))
  })
  same(json(unname(studio)), quiet_answers(d))
  doccano <- of_rows(function(r) {
    c(list(id = 1, text = r$response, label = list(as.character(r$rating)), Comments = list()),
      as.list(r[c("model", "question_id", "question", "gpt4", "bleu")]))
  })
  same(json(unname(doccano)), want)
  # Without identifiers of the questions, and with grades instead of ratings.
  graded <- d[c("model", "question", "response", "gpt4", "bleu")]
  ragas <- vapply(by_model, function(own) {
    names(own)[match(c("question", "response"), names(own))] <- c("user_input", "response")
    path <- file.path(folder, paste0(own$model[1], ".csv"))
    write.csv(own[c("user_input", "response", "gpt4", "bleu")], path, row.names = FALSE, fileEncoding = "UTF-8")
    path
  }, "")
  same(unname(ragas), quiet_answers(graded))
  umbrela <- vapply(by_model, function(own) {
    json(unname(lapply(split(own, own$question), function(r) {
      list(model = "gpt4", query = r$question, passage = r$response, prediction = "", judgment = r$gpt4)
    })), file.path(folder, "umbrela", paste0(own$model[1], ".json")))
  }, "")
  same(unname(umbrela), quiet_answers(graded[1:4]))
  quepid <- vapply(by_model, function(own) {
    path <- file.path(folder, "quepid", paste0(own$model[1], ".csv"))
    dir.create(dirname(path), showWarnings = FALSE)
    write.csv(data.frame(query = own$question, docid = own$response, "7" = own$rating, check.names = FALSE), path,
              row.names = FALSE, fileEncoding = "UTF-8")
    path
  }, "")
  same(unname(quepid), quiet_answers(d[c("model", "question", "response", "rating")]))
})

test_that("answers in a database table and in Parquet give the same collection", {
  d <- answer_frame()
  if (requireNamespace("nanoparquet", quietly = TRUE)) {
    path <- withr::local_tempfile(fileext = ".parquet")
    nanoparquet::write_parquet(d, path)
    expect_identical(quiet_answers(path), quiet_answers(d))
  }
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  withr::defer(DBI::dbDisconnect(con))
  DBI::dbWriteTable(con, "answers", d)
  expect_identical(quiet_answers(list(con, "answers")), quiet_answers(d))
  expect_identical(quiet_answers(list(con, "SELECT * FROM answers ORDER BY rating")), quiet_answers(d))
})

test_that("identical answers are one document, whose identifier does not depend on other answers", {
  d <- answer_frame()
  x <- quiet_answers(d)
  expect_equal(n_pairs(x), nrow(unique(d[c("question_id", "response")])))
  expect_equal(x$k, 1)
  expect_setequal(x$documents$text, d$response)
  expect_identical(x$queries$text, d$question[match(x$queries$query, d$question_id)])
  shown <- as.data.frame(x)
  expect_identical(x$documents$text[match(shown$doc, x$documents$doc)],
                   d$response[match(paste(shown$system, shown$query), paste(d$model, d$question_id))])
  fewer <- quiet_answers(d[d$model != "qwen", ])
  expect_true(all(fewer$documents$doc %in% x$documents$doc))
  grown <- suppressWarnings(add_runs(quiet_answers(d[d$model != "qwen", ], scale = x$scale),
                                     quiet_answers(d[d$model == "qwen", ], scale = x$scale)))
  expect_identical(judgments_of(grown)[order(judgments_of(grown)$doc), ] |> `rownames<-`(NULL),
                   judgments_of(x)[order(judgments_of(x)$doc), ] |> `rownames<-`(NULL))
})

test_that("different ratings of identical answers are averaged, and different grades count as repeated", {
  d <- data.frame(system = c("A", "B", "A", "B"), query = c(1, 1, 2, 2), answer = c("x", "x", "y", "z"),
                  gain = c(1, 4, 2, 3), gpt4 = c(3, 5, 1, 1))
  expect_message(x <- read_answers(d), class = "judicious_message_identical_answers")
  expect_equal(x$gain[x$documents$text == "x"], 2.5)
  expect_identical(x$grades$value[x$grades[["repeat"]] == 2], 5)
  expect_identical(grades_on_pool(carried_grades(x)$gpt4, x, "grades")[x$documents$text == "x"], 4)
})

test_that("ratings of several raters are kept, also if they disagree", {
  d <- answer_frame()[1:5]
  two <- rbind(data.frame(d, rater = "ann"), data.frame(d, rater = "bob"))
  two$rating <- c(5, 5, NA, 4, 5, 1, 2, 4, 1, NA, 4, 2, 4, NA, NA, 3, 4, 2, 2, 4, 1, 5, 5, 1)
  x <- quiet_answers(two)
  made <- judgments_of(x)
  expect_setequal(made$assessor, c("ann", "bob"))
  expect_identical(x$scale$levels, as.numeric(1:5))
  record <- made[c("query", "doc", "gain", "assessor")]
  plain <- x
  plain$assessed <- NULL
  plain$gain[] <- NA
  expect_equal(rank_systems(x)$mean, rank_systems(plain, judgments = record)$mean)
  expect_equal(rank_systems(x, assessor = "ann")$mean, rank_systems(plain, judgments = record, assessor = "ann")$mean)
  s <- judging_session(x, goal_budget(100), seed = 1)
  expect_setequal(judgments_of(s)$assessor, c("ann", "bob"))
  expect_equal(nrow(judgments_of(s)), nrow(made))
  # One column per rater, as named columns and by an argument.
  wide <- data.frame(d[1:4], ann = two$rating[1:12], bob = two$rating[13:24])
  expect_identical(quiet_answers(wide, assessor = c("ann", "bob")), x)
  expect_true(is.finite(agreement(judgments_of(x))$estimate))
})

test_that("columns named like Rater 1 hold the ratings of one person each", {
  d <- data.frame(Item = rep(1:2, each = 2), System = c("A", "B"), Text = letters[1:4], r1 = c(1, 5, NA, 3),
                  r2 = c(2, NA, 4, 4))
  of_names <- function(first, second) stats::setNames(d, c("Item", "System", "Translation", first, second))
  for (names in list(c("Rater 1", "Rater 2"), c("annotator_a", "annotator_b"), c("rater1", "rater2"),
                     c("human1", "human2"))) {
    made <- judgments_of(quiet_answers(of_names(names[1], names[2])))
    expect_identical(made$gain[made$assessor == names[1]], c(1, 5, 3))
    expect_identical(made$gain[made$assessor == names[2]], c(2, 4, 4))
  }
  # Columns with other names are not recognised as raters; the message says how to state them.
  expect_message(read_answers(of_names("Mary", "Jim")), "Mary.*has ratings.*assessor = c",
                 class = "judicious_message_answers")
  # One file of answers per system, and a single file of ratings with a column of systems.
  folder <- withr::local_tempdir()
  for (system in c("A", "B")) {
    own <- stats::setNames(d[d$System == system, c("Item", "Text")], c("item", "response"))
    write.csv(own, file.path(folder, paste0(system, ".csv")), row.names = FALSE)
  }
  ratings <- stats::setNames(d[c(1:2, 4)], c("item", "model", "rating"))
  write.csv(ratings, file.path(folder, "ratings.csv"), row.names = FALSE)
  x <- quiet_answers(file.path(folder, c("A.csv", "B.csv", "ratings.csv")))
  expect_identical(x$systems$system, c("A", "B"))
  expect_identical(sort(x$gain), c(1, 3, 5))
})

test_that("answers and ratings may be in separate files", {
  d <- answer_frame()
  texts <- d[c("model", "question_id", "question", "response", "gpt4", "bleu")]
  lines <- vapply(seq_len(nrow(texts)), function(i) to_json(as.list(texts[i, ])), "")
  rated <- d[!is.na(d$rating), c("question_id", "model", "rating")]
  ratings <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(rated, ratings, row.names = FALSE)
  answers <- answer_file(lines, ".jsonl")
  want <- quiet_answers(d)
  expect_identical(quiet_answers(c(answers, ratings)), want)
  expect_identical(quiet_answers(c(ratings, answers)), want)
  two <- rbind(data.frame(rated, rater = "ann"), data.frame(rated[1:4, ], rater = "bob"))
  two$rating[10:12] <- 3
  utils::write.csv(two, ratings, row.names = FALSE)
  # Identical answers have one judgment by each rater.
  made <- judgments_of(quiet_answers(c(answers, ratings)))
  expect_identical(sort(made$assessor), rep(c("ann", "bob"), c(8, 3)))
  utils::write.csv(rbind(rated, rated[1, ]), ratings, row.names = FALSE)
  expect_error(quiet_answers(c(answers, ratings)), class = "judicious_error_duplicate_result")
})

test_that("ratings in another file format or under other column names are matched to their answers", {
  d <- transform(answer_frame(), uid = sprintf("u%d", 1:12), rater = c("ann", "bob"))
  texts <- d[c("uid", "model", "question_id", "question", "response", "gpt4")]
  d <- d[!is.na(d$rating), ]
  ids <- c(model = "system", question_id = "qid", rater = "annotator")
  renamed <- function(table) {
    known <- names(table) %in% names(ids)
    names(table)[known] <- ids[names(table)[known]]
    table
  }
  want <- quiet_answers(texts[-1], grades = "gpt4")
  lines <- vapply(seq_len(nrow(texts)), function(i) to_json(as.list(texts[i, ])), "")
  answers <- answer_file(lines, ".jsonl")
  csv <- function(table, env = parent.frame()) {
    path <- withr::local_tempfile(fileext = ".csv", .local_envir = env)
    write.csv(table, path, row.names = FALSE)
    path
  }
  rated <- judgments_of(suppressWarnings(quiet_answers(d[setdiff(names(d), c("uid", "gpt4", "bleu"))])))
  # Ratings are matched to answers by system and question under other column names, by the text of the question, by an
  # identifier of the answer, or by its text.
  by <- list(renamed(d[c("model", "question_id", "rating", "rater")]), d[c("model", "question", "rating", "rater")],
             d[c("uid", "rating", "rater")], d[c("question", "response", "rating", "rater")])
  for (table in by) {
    path <- csv(table)
    for (files in list(c(answers, path), c(path, answers))) {
      x <- quiet_answers(files)
      expect_identical(judgments_of(x), rated)
      expect_identical(x$documents, want$documents)
      expect_identical(x$grades, want$grades)
    }
  }
  # The call that the message shows gives the same collection.
  told <- expect_message(read_answers(c(answers, csv(by[[1]]))), class = "judicious_message_answers")
  expect_identical(suppressMessages(eval(str2lang(told$code))), quiet_answers(c(answers, csv(by[[1]]))))
  # Ratings can also be combined with the file of an evaluation tool.
  results <- lapply(seq_len(nrow(d)), function(i) {
    list(provider = list(id = d$model[i]), testIdx = d$question_id[i], vars = list(question = d$question[i]),
         prompt = list(raw = "p"), response = list(output = d$response[i]),
         gradingResult = list(componentResults = list(list(score = d$gpt4[i], assertion = list(type = "llm-rubric")))))
  })
  tool <- answer_file(to_json(list(results = list(results = results))), ".json")
  x <- suppressWarnings(quiet_answers(c(tool, csv(d[c("model", "question", "rating", "rater")]))))
  expect_identical(judgments_of(x), rated)
  expect_identical(x$grades, suppressWarnings(quiet_answers(tool))$grades)
  expect_snapshot(error = TRUE, transform = function(line) gsub("'?/[^ ]*/file[^ .]*", "FILE", line), {
    quiet_answers(c(answers, csv(transform(by[[3]], uid = "x"))))
    quiet_answers(c(answers, csv(by[[3]][-1])))
  })
  expect_message(suppressWarnings(quiet_answers(c(answers, csv(transform(by[[1]][1, ], system = "other"))))), "to no answer",
                 class = "judicious_message_unknown_pair")
})

test_that("the scale is inferred from the ratings", {
  scale_of <- function(gain) {
    d <- data.frame(system = c("A", "B"), query = rep(seq_len(ceiling(length(gain) / 2)), each = 2)[seq_along(gain)],
                    gain = gain)
    quiet_answers(d)$scale
  }
  expect_identical(scale_of(c(1, 5, 3, 2))$levels, as.numeric(1:5))
  expect_identical(scale_of(c(0, 3, 1, 1))$levels, as.numeric(0:3))
  expect_identical(scale_of(c(1, 1, 0, 1))$levels, c(0, 1))
  expect_identical(scale_of(c(1, 1, 1, 1))$levels, c(0, 1))
  expect_identical(scale_of(c(-1, 1, 0, 2))$levels, as.numeric(-1:2))
  means <- scale_of(c(1.5, 4.33, 5, 2))
  expect_true(means$any_value)
  expect_identical(range(means$levels), c(1, 5))
  expect_identical(range(scale_of(c(0.2, 0.9, 0, 1))$levels), c(0, 1))
  expect_identical(range(scale_of(c(45.5, 12, 71, 3))$levels), c(0, 71))
  expect_identical(quiet_answers(data.frame(system = c("A", "B"), query = 1, gain = 1:2), scale = 0:3)$scale,
                   gain_scale(0:3))
})

test_that("a rating of -1 beside 1 to 5 is reported, because it may mark answers that nobody rated", {
  d <- data.frame(system = c("A", "B"), query = rep(1:10, each = 2), gain = c(-1, 1:5, rep(-1, 14)))
  expect_warning(suppressMessages(read_answers(d)), "15 of 20 ratings are -1", class = "judicious_warning_scale")
  expect_no_warning(suppressMessages(read_answers(d, scale = -1:5)))
  expect_no_warning(suppressMessages(read_answers(transform(d, gain = pmax(gain, 0)))))
  expect_no_warning(suppressMessages(read_answers(transform(d, gain = ifelse(gain > 3, 0, gain)))))
})

test_that("where a column named prompt may be the system, the message gives this call, too", {
  d <- expand.grid(prompt = c("p1", "p2"), ticket = 1:5)
  d$answer <- letters[1:10]
  d$rating <- 1:10
  path <- file.path(withr::local_tempdir(), "answers.csv")
  utils::write.csv(d, path, row.names = FALSE)
  expect_snapshot(error = TRUE, suppressMessages(read_answers(path)))
  x <- suppressMessages(read_answers(path, system = "prompt", query = "ticket"))
  expect_identical(c(nrow(x$systems), nrow(x$queries)), c(2L, 5L))
  # With fewer tickets than prompts, the tickets may only be the systems.
  names(d)[1:2] <- names(d)[2:1]
  utils::write.csv(d, path, row.names = FALSE)
  expect_snapshot(error = TRUE, suppressMessages(read_answers(path)))
})

test_that("a table of the mean results of systems is an error that says how to compare them", {
  board <- data.frame(model = c("a", "b", "c"), mmlu = c(.5, .6, .7), gsm8k = c(.4, .7, .1))
  expect_snapshot(error = TRUE, read_answers(board))
  # Systems that have several rows, and other columns of text, are questions and answers.
  told <- function(x) conditionMessage(expect_error(read_answers(x), class = "judicious_error_columns"))
  expect_no_match(told(board[c(1:3, 1:3), ]), "benchmark")
  expect_no_match(told(transform(board, mmlu = letters[1:3])), "benchmark")
})

test_that("rating criteria can be weighted, kept as columns, or reversed if lower is better", {
  d <- data.frame(system = rep(c("A", "B"), each = 2), query = c(1, 2), answer = c("a", "b", "c", "d"),
                  fluency = c(1, 2, 3, 4), accuracy = c(4, 4, 1, 1), errors = c(0, 2, 1, 5), note = "x")
  x <- quiet_answers(d, gain = c(fluency = 1, accuracy = 3))
  at <- match(x$documents$text, d$answer)
  expect_equal(x$gain, ((d$fluency + 3 * d$accuracy) / 4)[at])
  expect_equal(x$documents$errors, d$errors[at])
  expect_null(x$documents$note)
  expect_equal(quiet_answers(d, gain = "-errors")$gain, -d$errors[at])
  expect_equal(quiet_answers(d, gain = c(fluency = 1, errors = -1))$gain, ((d$fluency - d$errors) / 2)[at])
  expect_equal(quiet_answers(d, gain = "fluency", grades = "-errors")$grades$value, -d$errors[at])
})

test_that("the error about ambiguous columns shows a call that resolves them", {
  d <- data.frame(model = c("A", "B", "A", "B"), id = c(1, 1, 2, 2), answer = letters[1:4], score = c(1, 2, 3, 4))
  expect_snapshot(error = TRUE, {
    read_answers(d)
    read_answers(transform(d, system = model))
    read_answers(transform(d, rating = score, human = score)[-4])
    read_answers(d[-1], grades = "score")
    read_answers(d[-2], grades = "score")
    read_answers(d, grades = "scores")
    read_answers(rbind(d, d), gain = "score")
    read_answers(rbind(d, transform(d, answer = "z")), gain = "score")
    read_answers(transform(d, id = 1:4), gain = "score")
    read_answers(transform(d, score = c("1", "2", "good", "4")), gain = "score")
    read_answers(transform(d, score = c(1, 2, -1, 4), n = 5), grades = "score")
    read_answers(d[1:2])
    read_answers(d, gain = 1)
    read_answers(3)
  })
  expect_snapshot(invisible(read_answers(transform(d, extra = "x"), gain = "score")))
  expect_equal(quiet_answers(transform(d, score = c(1, 2, -1, 4)), grades = "score", failed = -1)$grades$status,
               c("ok", "ok", "failed", "ok")) |> suppressMessages()
})

test_that("the page shows questions, answers and contexts", {
  skip_if_not_installed("shiny")
  skip_if_not_installed("bslib")
  d <- transform(answer_frame(), contexts = paste("Read", response))
  s <- judging_session(quiet_answers(d), seed = 1)
  asked <- next_documents(s, 1)
  x <- s$engine$x
  content <- page_content(text_columns(x$documents, "doc"), text_columns(x$queries, "query"), NULL, TRUE)
  shown <- as.character(show_item(content, asked$query, asked$doc, "the document"))
  text <- x$documents$text[x$documents$doc == asked$doc]
  expect_match(shown, htmltools::htmlEscape(text), fixed = TRUE)
  expect_match(shown, htmltools::htmlEscape(paste("Read", text)), fixed = TRUE)
  expect_match(as.character(show_item(content, asked$query, NULL, "query")),
               htmltools::htmlEscape(x$queries$text[x$queries$query == asked$query]), fixed = TRUE)
})

test_that("the answers of 43 language models give nearly the ranking of their runs", {
  folder <- skip_without_data("gsm")
  x <- quiet_answers(file.path(folder, "answers.jsonl.gz"))
  runs <- test_collection(file.path(folder, "runs.tsv.gz"), k = 1, scale = share_scale())
  expect_setequal(x$systems$system, runs$systems$system)
  expect_equal(n_queries(x), n_queries(runs))
  expect_equal(n_results(x), n_results(runs))
  # The runs treat "175.0" and "175" as the same document, so results differ slightly.
  expect_gt(stats::cor(rank_systems(x)$mean[match(runs$systems$system, x$systems$system)], rank_systems(runs)$mean,
                       method = "kendall"), 0.95)
})

test_that("ratings by three raters and grades by several graders are read from one file of stories", {
  folder <- skip_without_data("hanna")
  table <- function(file) utils::read.delim(gzfile(file.path(folder, file)))
  runs <- table("runs.tsv.gz")
  rated <- merge(table("assessors.tsv.gz"), runs[c("system", "query", "doc")])
  graded <- table("opinion-chatgpt.tsv.gz")
  rated$chatgpt <- graded$grade[match(paste(rated$query, rated$doc), paste(graded$query, graded$doc))]
  names(rated)[names(rated) %in% c("doc", "gain")] <- c("answer", "rating")
  path <- withr::local_tempfile(fileext = ".csv")
  utils::write.csv(rated, path, row.names = FALSE)
  x <- quiet_answers(path)
  plain <- test_collection(runs, k = 1, scale = x$scale)
  some <- rated$query %in% unique(rated$query)[1:8]
  judged <- rated[some, c("query", "answer", "rating", "assessor")]
  names(judged) <- c("query", "doc", "gain", "assessor")
  utils::write.csv(transform(rated, rating = ifelse(some, rating, NA)), path, row.names = FALSE)
  want <- rank_systems(plain, grades = graded, judgments = judged)
  got <- rank_systems(quiet_answers(path, scale = x$scale))
  expect_equal(got$mean[match(plain$systems$system, got$collection$systems$system)], want$mean, tolerance = 1e-6)
})

test_that("the error about votes says how to rank by them, and lists only a few of many columns", {
  votes <- data.frame(question_id = 1:2, model_a = "a", model_b = "b", winner = "model_a")
  expect_snapshot(error = TRUE, read_answers(votes))
  many <- as.data.frame(matrix("text", 2, 40, dimnames = list(NULL, paste0("a_rather_long_name_", 1:40))))
  expect_snapshot(error = TRUE, read_answers(many))
})

test_that("systems whose names differ only in case are reported", {
  rows <- data.frame(question = rep(1:2, 2), model = c("GPT-4", "GPT-4", "gpt-4", "gpt-4"), answer = letters[1:4])
  expect_snapshot(x <- quiet_answers(rows))
  expect_no_warning(quiet_answers(transform(rows, model = c("v1.1", "v1.1", "v11", "v11"))))
})

test_that("the warning about missing answers names two systems without a common question", {
  d <- data.frame(model = c("A", "A", "B", "B", "C", "C"), id = c(1:4, 2:3), answer = letters[1:6])
  expect_snapshot(x <- quiet_answers(d))
  d$id[3] <- 2
  expect_no_match(expect_warning(quiet_answers(d))$message, "in common")
})

test_that("a ranking says how many answers are missing, and that they count 0", {
  d <- data.frame(model = c("A", "A", "A", "B", "B", "C"), id = c(1:3, 1:2, 1), answer = letters[1:6], rating = 5:0)
  printed <- function(d) utils::capture.output(rank_systems(suppressWarnings(quiet_answers(d))))
  expect_true("3 of 9 answers are missing and count 0" %in% printed(d))
  expect_false(any(grepl("missing", printed(d[d$id == 1, ]))))
})

test_that("what concerns answers speaks of answers and questions", {
  rows <- data.frame(model = rep(c("A", "B"), each = 4), id = rep(1:4, 2), answer = letters[1:8],
                     rating = c(1, 2, 3, NA, 2, NA, 1, NA), gpt4 = 1:8)
  x <- suppressMessages(read_answers(rows))
  s <- judging_session(x, seed = 1)
  shown <- utils::capture.output(print(x), print(rank_systems(x)), print(s), print(progress(s)),
                                 print(suppressWarnings(grader_validation(x))))
  expect_identical(grep("document|quer(y|ies)", shown, value = TRUE), character())
  expect_true(all(c("  questions  4", "  pool       8 distinct answers, overlap 0%") %in% shown))
  expect_identical(skip_reasons(nouns_of(x))[2:3], c("I cannot judge this kind of answer", "The question is not clear"))
})

test_that("missing answers name look-alike questions, and an identifier NA of a file raises a warning", {
  rows <- data.frame(system = rep(c("A", "B"), 3), question = rep(c("q1", "q2", "q3"), each = 2), rating = 1:6)
  other <- transform(rows, question = replace(question, 4, "Q2"))
  expect_warning(x <- suppressMessages(read_answers(other)), '"q2" and "Q2" differ only in case',
                 class = "judicious_warning_missing_query")
  expect_output(suppressWarnings(print(rank_systems(x))), "2 of 8 answers are missing and count 0")
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  write.csv(transform(rows, question = replace(question, 4, NA)), path, row.names = FALSE)
  expect_warning(suppressWarnings(suppressMessages(read_answers(path)), classes = "judicious_warning_missing_query"),
                 'The query of 1 row is "NA", the first of them row 4: is it missing?', fixed = TRUE,
                 class = "judicious_warning_missing_word")
})
