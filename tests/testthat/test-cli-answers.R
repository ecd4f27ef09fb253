answers <- function() demo_file("answers.csv")
read <- function(...) quiet_answers(answers(), ...)

own_grades <- function(x) data.frame(x$grades[c("query", "doc")], gain = x$grades$value)

grades_file <- function(x, env = parent.frame()) {
  path <- withr::local_tempfile(fileext = ".tsv", .local_envir = env)
  write.table(own_grades(x), path, sep = "\t", row.names = FALSE, quote = FALSE)
  path
}

test_that("rank, estimate, features, next, plan, evaluate, compare and fit accept answers in place of runs", {
  x <- read()
  want <- as.data.frame(rank_systems(x))
  got <- cli_data("rank", answers())
  expect_identical(got$system, want$system)
  expect_equal(got$estimate, want$estimate)
  expect_equal(cli_data("rank", answers(), "--grades", grades_file(x))$estimate,
               as.data.frame(suppressMessages(rank_systems(x, grades = own_grades(x))))$estimate)
  expect_equal(cli_data("estimate", answers())$mean, as.data.frame(joint_gains(x))$mean)
  expect_equal(nrow(cli_data("features", answers())), n_pairs(x))
  expect_equal(cli_data("next", answers(), "-n", "3", "--seed", "1", "--always")$doc,
               select_documents(x, n = 3, seed = 1)$doc)
  plan <- cli_data("plan", answers(), "--replicates", "1", "--seed", "1", "--table", "sessions")
  goal <- judging_plan(x, replicates = 1, seed = 1)
  expect_equal(plan$judged, goal$needed$judged)
  expect_equal(cli_data("evaluate", answers())$value, as.data.frame(evaluate(x, "AG@1", per = "mean"))$value)
  expect_setequal(unlist(cli_data("compare", answers())[1:2]), x$systems$system)
  model <- withr::local_tempfile()
  expect_equal(cli("fit", answers(), "--save", model)$status, 0)
  expect_s3_class(read_model(model), "judicious_gain_model")
})

test_that("several answers of a system to a question are evaluated and compared by their mean rating", {
  file <- withr::local_tempfile(fileext = ".csv", lines = c(
    "model,id,sample,answer,rating", "A,1,1,a,1", "A,1,2,b,0", "A,2,1,c,1", "A,2,2,d,1", "B,1,1,e,0", "B,1,2,f,0",
    "B,2,1,g,0", "B,2,2,h,1"))
  scores <- cli_data("evaluate", file)
  expect_identical(scores$measure, c("rating", "rating"))
  expect_equal(scores$value, c(0.75, 0.25))
  expect_equal(cli_data("compare", file, "--seed", "1")$estimate, 0.5)
})

test_that("a session starts from the ratings and grades in an answers file", {
  skip_if_not_installed("RSQLite")
  store <- withr::local_tempfile(fileext = ".sqlite")
  x <- read()
  expect_equal(cli("judge", answers(), "--store", store, "--progress", "--seed", "1")$status, 0)
  s <- open_session(store)
  expect_equal(nrow(judgments_of(s)), sum(!is.na(x$gain)))
  expect_identical(s$engine$x$grades, x$grades)
  close_session(s)
})

test_that("judicious graders reports whether grades can be trusted, for answers and for runs", {
  x <- read()
  ran <- cli("graders", answers(), "--digits", "15")
  expect_equal(ran$status, 0)
  v <- grader_validation(x)
  expect_equal(utils::read.delim(text = ran$out)$tau, as.data.frame(v)$tau)
  last <- trimws(utils::tail(utils::capture.output(print(v)), 1))
  expect_match(ran$err, paste("judicious graders:", last), fixed = TRUE, all = FALSE)
  favours <- cli_data("graders", answers(), "--table", "favours")
  expect_equal(favours$favour, as.data.frame(v, what = "favours")$favour)
  runs <- cli_data("graders", demo_file("runs.tsv"), "-j", demo_file("some.tsv"), "--grades",
                   demo_file("judgments.tsv"))
  some <- read_judgments(demo_file("some.tsv"))
  want <- grader_validation(with_inferred_scale(demo_collection(), some), demo_file("judgments.tsv"), some)
  expect_equal(runs$tau, as.data.frame(want)$tau)
  expect_match(cli("graders", demo_file("runs.tsv"), "-j", demo_file("some.tsv"))$err, "--grades is missing",
               all = FALSE)
})

test_that("--columns assigns roles to the columns of a file", {
  path <- withr::local_tempfile(fileext = ".csv")
  d <- utils::read.csv(answers())
  names(d) <- c("bot", "n", "asked", "said", "stars", "robot")
  utils::write.csv(d, path, row.names = FALSE)
  got <- cli("rank", path, "--columns", "system=bot,query=n,question=asked,answer=said", "--columns",
             "gain=stars,grades=robot", "--digits", "15")
  expect_equal(utils::read.delim(text = got$out)$estimate, cli_data("rank", answers())$estimate)
  expect_match(got$err[1], fixed = TRUE,
               "--columns system=bot,query=n,answer=said,gain=stars,grades=robot,question=asked")
  unclear <- function(text) answer_file(text, ".csv", parent.frame())
  expect_snapshot(transform = function(lines) gsub("file[0-9a-f]+[.]", "FILE.", hide_folders(lines)), {
    writeLines(cli("rank", path, "--columns", "system")$err)
    writeLines(cli("rank", path, "--columns", "sytem=bot")$err)
    writeLines(cli("rank", path, "--columns", "system=bot,query=m")$err)
    writeLines(cli("rank", answers(), "-k", "3")$err)
    writeLines(cli("rank", unclear("model,id,answer,score\na,1,x,1\nb,1,y,2"))$err)
    writeLines(cli("rank", unclear("model,id,answer,rating,human\na,1,x,1,1\nb,1,y,2,2"))$err)
    writeLines(cli("rank", unclear("model,id,answer,rating\na,1,x,1\na,1,x,2"))$err)
    cli("rank", answers(), "--table", "summary")
  })
})

test_that("notes say what to do if all answers are rated or none is graded, and column names may contain commas", {
  rows <- c("model,id,answer,\"score,strict\",\"score,loose\"", "a,1,x,1,0", "b,1,y,0,1", "a,2,z,1,1", "b,2,u,0,1")
  path <- answer_file(rows, ".csv")
  columns <- c("--columns", "gain=score,strict,query=id")
  expect_equal(cli_data("rank", path, columns)$estimate, c(1, 0))
  sheet <- withr::local_tempfile(fileext = ".csv")
  got <- cli("next", path, columns, "-n", "3", "--as", "ann", "-o", sheet)
  expect_match(got$err, "Use --always to select more", all = FALSE)
  expect_identical(readLines(sheet), "model,id,answer,\"score,strict\",rater")
  expect_match(cli("graders", path, columns)$err, "--columns grades=COLUMN", all = FALSE)
  expect_match(cli("plan", path, columns)$err, "leave --judgments, or the ratings of answers, out", all = FALSE)
})

test_that("run files are not mistaken for answers", {
  # These files have neither a system nor an answer, so they are not read as answers of one system.
  expect_snapshot(transform = function(lines) gsub("file[0-9a-f]+[.]", "FILE.", hide_folders(lines)), {
    writeLines(cli("rank", answer_file("item,gpt,claude\ni1,1,0\ni2,0,0\ni3,1,1", ".csv"))$err)
    writeLines(cli("rank", answer_file("{\"query\":\"1\",\"doc\":\"a\",\"gain\":1}", ".jsonl"))$err)
  })
  expect_false(holds_answers(demo_file("runs.tsv")))
  expect_true(holds_answers(answers()))
  expect_false(holds_answers(answer_file("query,docid,rating\nq,d,1", ".csv")))
  expect_false(holds_answers(answer_file("301 Q0 d7 1 9.5 bm25", ".run")))
  expect_false(holds_answers(answer_file("system\tquery\tdoc\tscore\na\tq\td\t1", ".tsv")))
  expect_false(holds_answers(answer_file("system\tquery\tmeasure\tvalue\na\tq\tAP\t1", ".tsv")))
  expect_true(holds_answers(answer_file("{\"id\": 1, \"model\": \"a\"}", ".jsonl")))
  expect_true(holds_answers(answer_file("id,gpt_answer,llama_answer\n1,a,b", ".csv")))
})

test_that("--gold judges all answers to a question, from a column, a file or a sheet", {
  d <- data.frame(model = rep(c("A", "B", "C"), each = 6), id = rep(paste0("q", 1:6), 3),
                  question = rep(paste("Say", 1:6), 3),
                  answer = c(1:6, 1:3, 7, 8, 9, 1, 5, 5, 7, 8, 0), gold = rep(sprintf("%d.0", 1:6), 3))
  path <- withr::local_tempfile(fileext = ".csv")
  write.csv(d, path, row.names = FALSE)
  by_column <- cli_data("rank", path, "--gold", "gold")
  expect_identical(by_column$system, c("A", "B", "C"))
  expect_equal(by_column$estimate, c(1, 1 / 2, 1 / 6))
  expect_identical(cli_data("rank", path, "--columns", "gold=gold"), by_column)
  bare <- withr::local_tempfile(fileext = ".csv")
  write.csv(d[-5], bare, row.names = FALSE)
  sheet <- withr::local_tempfile(fileext = ".csv")
  asked <- cli("next", bare, "--scale", "0:1", "-n", "4", "--questions", "-o", sheet, "--seed", "1")
  expect_identical(asked$status, 0L)
  expect_match(asked$err, "tells [0-9.]+ times as much as the rating of a single answer", all = FALSE)
  filled <- read.csv(sheet, colClasses = "character")
  expect_identical(names(filled), c("query", "answers", "score", "question", "gold"))
  expect_identical(filled$question, paste("Say", substr(filled$query, 2, 2)))
  filled$gold[1:3] <- substr(filled$query[1:3], 2, 2)
  write.csv(filled, sheet, row.names = FALSE)
  store <- withr::local_tempfile(fileext = ".sqlite")
  skip_if_not_installed("RSQLite")
  told <- cli_data("judge", bare, "--store", store, "--gold", sheet, "--as", "ann")
  s <- open_session(store)
  expect_setequal(judgments_of(s)$query, filled$query[1:3])
  expect_identical(progress(s)$goal$judgments, 3L)
  expect_identical(told$judged, nrow(judgments_of(s)))
  close_session(s)
  # Reading the same sheet again changes nothing.
  expect_identical(cli_data("judge", "--store", store, "--gold", sheet, "--as", "ann")$judged, told$judged)
  known <- cli_data("rank", bare, "--gold", sheet)
  expect_equal(cli_data("rank", "--store", store)$estimate, known$estimate, tolerance = 0.05)
  more <- cli_data("next", bare, "--gold", sheet, "--questions", "-n", "9", "--always")
  expect_false(any(filled$query[1:3] %in% more$query))
  graded <- function(scale) {
    cli("judge", bare, "--scale", scale, "--questions", "--progress",
        "--store", withr::local_tempfile(fileext = ".sqlite"))$err
  }
  expect_match(graded("0:2"), "the page asks for the gain of each answer", all = FALSE)
  expect_no_match(graded("0:1"), "the page asks")
})

test_that("an exported rating sheet is read back after a spreadsheet program saved it", {
  skip_if_not_installed("RSQLite")
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  d <- expand.grid(model = c("A", "B"), id = c("001", "02", "1-2"), stringsAsFactors = FALSE)
  d$question <- paste0("Question \"", d$id, "\"; which, one?")
  d$answer <- paste0(c("=1+1", "two, \"2\"", "3", "4", "5", "six"), "\nline \u00fc")
  answers <- answer_file(vapply(seq_len(6), function(i) to_json(as.list(d[i, ])), ""), ".jsonl")
  expect_identical(cli("next", answers, "-n", "6", "--as", "ann", "-o", "sheet.csv", "--quiet")$status, 0L)
  sheet <- read.csv("sheet.csv", colClasses = "character", encoding = "UTF-8")
  sheet$rating <- as.character(seq_len(6) %% 5 + 1)
  text_of <- function(rows, ...) {
    path <- tempfile()
    on.exit(unlink(path))
    write.table(rows, path, row.names = FALSE, qmethod = "double", fileEncoding = "UTF-8", ...)
    charToRaw(paste0(paste(readLines(path, encoding = "UTF-8"), collapse = "\r\n"), "\r\n"))
  }
  take_back <- function(bytes, scale = "1,2,3,4,5") {
    unlink("s.sqlite")
    writeBin(bytes, "back.csv")
    ran <- cli("judge", answers, "--scale", scale, "--store", "s.sqlite", "--from", "back.csv")
    s <- open_session("s.sqlite")
    on.exit(close_session(s))
    list(ran = ran, made = judgments_of(s)[c("query", "doc", "gain", "assessor")])
  }
  want <- take_back(text_of(sheet, sep = ","))$made
  expect_identical(nrow(want), 6L)
  blank <- rbind(sheet[6:1, 6:1], "")
  blank$X <- ""
  ids <- list(sub("^0+", "", sheet$id), sub("^0*([0-9]+)$", "\\1.0", sheet$id), sub("1-2", "01.02.2026", sheet$id))
  forms <- c(
    list(c(as.raw(c(0xef, 0xbb, 0xbf)), text_of(sheet, sep = ";")), text_of(blank, sep = ","),
         c(as.raw(c(0xff, 0xfe)), iconv(list(text_of(sheet, sep = "\t")), "UTF-8", "UTF-16LE", toRaw = TRUE)[[1]])),
    lapply(ids, function(id) text_of(transform(sheet, id = id), sep = ","))
  )
  for (form in forms) expect_setequal(do.call(paste, take_back(form)$made), do.call(paste, want))
  half <- sub(".", ",", as.numeric(sheet$rating) / 2, fixed = TRUE)
  halves <- take_back(text_of(transform(sheet, rating = half), sep = ";"), "0.5,1,1.5,2,2.5")
  expect_setequal(halves$made$gain * 2, want$gain)
  empty <- take_back(text_of(transform(sheet, rating = ""), sep = ","))$ran
  expect_match(empty$err, "no rating yet", all = FALSE)
  writeBin(as.raw(c(0x50, 0x4b, 3, 4, rep(0, 50))), "back.xlsx")
  expect_match(cli("judge", "--store", "s.sqlite", "--from", "back.xlsx")$err, "save it as CSV", all = FALSE)
})

test_that("a file of ratings need not have the columns that were named for the answers", {
  skip_if_not_installed("RSQLite")
  withr::local_dir(withr::local_tempdir())
  d <- expand.grid(model = c("A", "B"), question = c("q1", "q2", "q3"), stringsAsFactors = FALSE)
  write.csv(transform(d, answer = letters[1:6], mark = c(1, 3, 2, 5, 4, 2)), "answers.csv", row.names = FALSE)
  columns <- c("--columns", "grades=mark")
  expect_identical(cli("next", "answers.csv", columns, "-n", "2", "--as", "ann", "-o", "sheet.csv")$status, 0L)
  sheet <- read.csv("sheet.csv")
  write.csv(transform(sheet, rating = c(3, 4)), "sheet.csv", row.names = FALSE)
  ran <- cli("judge", "answers.csv", columns, "--store", "s.sqlite", "--from", "sheet.csv")
  expect_identical(ran$status, 0L)
  s <- open_session("s.sqlite")
  on.exit(close_session(s))
  expect_setequal(judgments_of(s)$gain, 3:4)
})

test_that("runs in JSON are not mistaken for answers", {
  path <- withr::local_tempfile(fileext = ".json")
  writeLines(c("{", ' "q1": {"d1": 0.5, "d2": 0.1},', ' "q2": {"d1": 0.3}}'), path)
  expect_false(holds_answers(path))
  gains <- withr::local_tempfile(fileext = ".json")
  writeLines('{"q1": {"d1": 0, "d2": 1}, "q2": {"d3": 1}}', gains)
  run <- cli("evaluate", path, "-j", gains, "-M", "RR", "--per", "query")
  expect_equal(run$status, 0)
  expect_match(run$out, "\tq1\tRR\t0.5", all = FALSE)
  writeLines('{"id": {"0": 1, "1": 2}, "model": {"0": "a", "1": "b"}, "rating": {"0": 1, "1": 3}}', path)
  expect_true(holds_answers(path))
})

test_that("the command line takes tables of Mechanical Turk and promptfoo, and columns such as `answer_gpt`", {
  rank <- function(lines, ...) cli_data("rank", answer_file(lines, ".csv"), ...)$system
  expect_setequal(rank(c("HITId,Input.model,Input.question,Answer.rating,Approve,Reject",
                         "a,A,one,3", "b,B,one,4", "c,A,two,1", "d,B,two,5")), c("A", "B"))
  expect_setequal(rank(c("question,answer_gpt,judge_gpt,answer_fid,judge_fid", "one,a,1,b,0", "two,c,1,d,1")),
                  c("gpt", "fid"))
  # Options name columns of answers and, in the same order, of grades.
  expect_setequal(rank(c("question,answer_gpt,judge_gpt,answer_fid,judge_fid", "one,a,1,b,0", "two,c,1,d,1"),
                       "--columns", "answer=answer_gpt,answer=answer_fid,grades=judge_gpt,grades=judge_fid"),
                  c("answer_gpt", "answer_fid"))
  expect_setequal(rank(c("question,[a] p,Status,Score,[b] p,Status,Score", "one,x,PASS,1,y,FAIL,0",
                         "two,x,PASS,1,z,FAIL,0"), "--columns", "gain=score"), c("a", "b"))
})

test_that("evaluate and compare count negative ratings", {
  path <- answer_file(c("system,query,mqm", "A,1,-2", "A,2,0", "A,3,-1", "B,1,-5", "B,2,-1", "B,3,-3"), ".csv")
  scores <- cli_data("evaluate", path, "--columns", "gain=mqm")
  expect_equal(scores$value[match(c("A", "B"), scores$system)], c(-1, -3))
  expect_equal(cli_data("compare", path, "--columns", "gain=mqm")$estimate, 2)
})

test_that("a file of ratings of answers as --judgments is an error that says where to give it", {
  answers <- answer_file(c("system,id,answer", "A,1,x", "A,2,y", "B,1,z", "B,2,w"), ".csv")
  rated <- answer_file(c("system,id,rating", "A,1,3", "B,1,5"), ".csv")
  expect_match(cli("rank", answers, "-j", rated)$err, "has ratings of answers. Give this file beside the files of answers",
               fixed = TRUE, all = FALSE)
  expect_setequal(cli_data("rank", answers, rated)$system, c("A", "B"))
})
