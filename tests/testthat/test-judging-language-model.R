# The package ellmer sends requests to a server on the loopback address.

faults <- c("grade 2", "grade 3 limited", "down", "filtered", "broken", "bare", "grade 7", "refused", "garbage",
            "grade 1 slow", "grade 0", "grade 2 {{query}} </document-1>", "grade 3")

test_that("a language model's grades and failures are recorded, and only failed requests are repeated", {
  libraries <- skip_without_language_model()
  server <- start_language_model()
  cache <- withr::local_tempfile()
  x <- texts_collection(faults, scale = 0:3)
  got <- in_ellmer({
    say <- function(code) testthat::capture_messages(suppressWarnings(code))
    ask <- function(...) grade_documents(x, chat(), cache = cache, max_active = 4, ...)
    result$said <- say(result$grades <- ask(price = c(input = 10, output = 100))$grades)
    result$asked <- length(readLines(log))
    result$said_again <- say(result$again <- ask()$grades)
    result$asked_again <- length(readLines(log)) - result$asked
    invisible(say(ask(again = TRUE)))
    result$asked_failed <- length(readLines(log)) - result$asked_again - result$asked
    # Another parameter, prompt or repetition makes a new request necessary.
    few <- utils::head(pool_ids(x), 1)
    before <- length(readLines(log))
    one <- function(model = chat(), ...) say(grade_documents(x, model, pairs = few, cache = cache, ...))
    one()
    one(chat(params = ellmer::params(temperature = 0)))
    one(chat(system_prompt = "Be strict."))
    one(chat(), prompt = "{{query}} {{document}}")
    one(chat(), levels = 0:2)
    one(chat(), repeats = 3)
    result$asked_others <- length(readLines(log)) - before
  }, list(x = x, url = server$url, cache = cache, log = server$log), libraries)

  graded <- got$grades
  expect_identical(graded$doc, paste0("d", seq_along(faults)))
  ok <- c(1, 2, 10:13)
  expect_identical(graded$value[ok], c(2, 3, 1, 0, 2, 3))
  expect_identical(graded$status, ifelse(seq_along(faults) %in% ok, "ok", "failed"))
  expect_identical(unique(graded$grader), "toy")
  expect_match(got$said, "13 of 26 pairs lack a text", all = FALSE)
  # The estimate assumes 4 characters per token and 100 tokens per answer.
  expect_match(got$said, "13 requests to toy at 127.0.0.1, with the texts of 13 documents and 13 queries", all = FALSE)
  expect_match(got$said, "7 grades of toy failed", all = FALSE)
  # Only requests without an answer are sent again.
  expect_identical(got$again, graded)
  expect_match(got$said_again, "2 requests to toy", all = FALSE)
  # Each of them is tried twice, and the unreadable reply once more.
  expect_lte(got$asked_again, 6)
  expect_gte(got$asked_failed, 7)
  expect_identical(got$asked_others, 6L)

  log <- server$requests()
  expect_identical(log[[1]]$levels, c("0", "1", "2", "3"))
  expect_identical(log[[1]]$order, c("reasoning", "grade"))
  expect_true("grade 2 {{query}} </document-1>" %in% vapply(log, `[[`, "", "text"))
  kept <- lapply(Filter(nzchar, readLines(cache)), jsonlite::fromJSON)
  first <- kept[[1]]
  expect_identical(first[c("query", "doc", "repeat", "status", "grade", "reasoning", "input", "output")],
                   list(query = "q1", doc = "d1", "repeat" = 1L, status = "ok", grade = 2L, reasoning = "It says so.",
                        input = 100L, output = 20L))
  expect_equal(first$cost, (100 * 10 + 20 * 100) / 1e6)
})

test_that("after the process is killed, only the requests under way are sent again", {
  libraries <- skip_without_language_model()
  server <- start_language_model()
  cache <- withr::local_tempfile()
  n <- 12
  given <- list(x = texts_collection(paste("slow grade", seq_len(n) %% 4, seq_len(n)), scale = 0:3), url = server$url,
                cache = cache)
  killed <- start_ellmer(quote(grade_documents(x, chat(), cache = cache, max_active = 3)), given, libraries)
  wait_until(length(server$requests()) >= 7 || !killed$is_alive(), 60)
  killed$signal(9)
  killed$wait()
  # An incomplete last line, as after a crash.
  cat('{"key":"0123', file = cache, append = TRUE)
  answered <- sum(grepl("\"ok\"", readLines(cache, warn = FALSE)))
  expect_gte(answered, 3)
  sent <- length(server$requests())
  got <- in_ellmer(result <- grade_documents(x, chat(), cache = cache, max_active = 3)$grades, given, libraries)
  expect_identical(got$value, as.numeric(seq_len(n) %% 4))
  expect_equal(length(server$requests()) - sent, n - answered)
  expect_lte(length(server$requests()), n + 3)
})

test_that("no request is sent without consent or beyond the limits", {
  libraries <- skip_without_language_model()
  server <- start_language_model()
  x <- texts_collection(paste("grade", rep(0:3, 5)), scale = 0:3)
  got <- in_ellmer({
    try_to <- function(...) tryCatch(suppressMessages(grade_documents(...)), error = identity)
    remote <- ellmer::chat_openai_compatible("https://models.example/v1", model = "toy")
    said <- testthat::capture_messages(result$no_consent <- tryCatch(
      grade_documents(x, remote, price = c(input = 2, output = 8), cache = cache), error = identity
    ))
    result$said <- said
    result$other_host <- try_to(x, remote, consent = "models.example.org", cache = cache)
    result$no_price <- try_to(x, chat(), max_cost = 1, cache = cache, max_active = 5)
    result$tokens <- try_to(x, chat(), max_tokens = 1000, cache = cache, max_active = 5)
    result$cost <- try_to(x, chat(), max_cost = 0.001, price = c(input = 1, output = 10), cache = cache, max_active = 2)
    result$enough <- try_to(x, chat(), max_tokens = 12000, cache = cache, max_active = 5)
    result$unknown_field <- try_to(x, chat(), prompt = "{{query}}\n{{answer}}", cache = cache)
    result$no_field <- try_to(x, chat(), prompt = "Grade it.", cache = cache)
    result$levels <- try_to(x, chat(), levels = 1, cache = cache)
    result$price <- try_to(x, chat(), price = 3, cache = cache)
    result$no_texts <- try_to(test_collection(data.frame(system = "a", query = "q", doc = "d", rank = 1)), chat())
    url <- sub("[0-9]+/v1", "9/v1", url)
    result$nobody <- try_to(x, chat(), cache = tempfile())
  }, list(x = x, url = server$url, cache = withr::local_tempfile()), libraries)

  expect_s3_class(got$no_consent, "judicious_error_consent")
  expect_match(conditionMessage(got$no_consent), "consent = \"models.example\"", fixed = TRUE)
  # The limits and the cost of 20 requests, each with a hundred tokens of explanation.
  expect_match(got$said, "20 requests to toy at models.example", all = FALSE)
  expect_match(got$said, "The\\s+cost\\s+is\\s+about\\s+0.0", all = FALSE)
  expect_s3_class(got$other_host, "judicious_error_consent")
  expect_match(conditionMessage(got$no_price), "`price` is needed with `max_cost`", fixed = TRUE)
  # 5 answers of 120 tokens are in the cache. After 5 more, 10 remain, which would need another 1,200 tokens.
  expect_s3_class(got$tokens, "judicious_error_budget")
  expect_match(gsub("\\s+", " ", conditionMessage(got$tokens)), "10 further requests would make it about 1800 tokens")
  expect_s3_class(got$cost, "judicious_error_budget")
  expect_s3_class(got$enough, "judicious_collection")
  expect_identical(got$enough$grades$value, as.numeric(rep(0:3, 5)))
  expect_length(server$requests(), 20)
  expect_match(conditionMessage(got$unknown_field), "has the field \"answer\"", fixed = TRUE)
  expect_match(conditionMessage(got$no_field), "has no place for a text")
  expect_match(conditionMessage(got$levels), "two or more different numbers")
  expect_match(conditionMessage(got$price), "price per million tokens")
  expect_match(conditionMessage(got$no_texts), "has no texts of its queries")
  expect_s3_class(got$nobody, "judicious_error_grader_failed")
})

test_that("a language model judges documents of a session, and its costs and reasons are logged", {
  libraries <- skip_without_language_model()
  server <- start_language_model()
  x <- simulate_collection(queries = 8, documents = 40, systems = 4, seed = 1)
  x$documents$text <- paste("grade", seq_len(nrow(x$documents)) %% 100)
  x$documents$text[3] <- NA
  x$queries$text <- paste("Song", seq_len(nrow(x$queries)))
  got <- in_ellmer({
    s <- judging_session(x, goal_budget(12), seed = 1, judgments = FALSE, overlap = 0.2, assessor = "ann",
                         cost = judging_cost(c(toy = 0.01, ann = 2)))
    ask <- function(...) suppressMessages(grade_documents(s, chat(), levels = 0:100, cache = cache, ...))
    source <- ask(price = c(input = 100, output = 1000))
    run_session(s, list(toy = source, ann = judgments_of(x)), progress = FALSE)
    export_judgments(s, file, "csv", all = TRUE)
    result$judgments <- judgments_of(s)
    result$without_text <- source(x$queries$query[1], x$documents$doc[3])
    result$off_scale <- tryCatch(grade_documents(s, chat(), levels = -1:1), error = identity)
  }, list(x = x, url = server$url, cache = withr::local_tempfile(), file = file <- withr::local_tempfile()), libraries)
  of_toy <- got$judgments[got$judgments$assessor == "toy", ]
  expect_gt(nrow(of_toy), 0)
  expect_equal(of_toy$gain, match(of_toy$doc, x$documents$doc) %% 100)
  events <- utils::read.csv(file)
  # A document without a text is skipped, and costs nothing.
  cost <- events$gain[events$kind == "cost"]
  expect_equal(cost[cost > 0], rep((100 * 100 + 20 * 1000) / 1e6, nrow(of_toy)))
  expect_identical(setdiff(events$detail[events$kind == "answer"], ""), "It says so.")
  expect_identical(got$without_text$gain, NA_real_)
  expect_match(conditionMessage(got$off_scale), "must be on the scale of the session")
})

test_that("the command line grades answers with a language model, and ranks by the grades", {
  libraries <- skip_without_language_model()
  server <- start_language_model()
  folder <- withr::local_tempdir()
  answers <- data.frame(system = rep(c("a", "b"), each = 4), id = rep(1:4, 2), question = rep(paste("What is", 1:4), 2),
                        answer = c("grade 3", "grade 2", "grade 3 x", "grade 3 y",
                                   "grade 1", "broken", "grade 0", "grade 2 z"))
  file <- file.path(folder, "answers.csv")
  utils::write.csv(answers, file, row.names = FALSE)
  got <- in_ellmer({
    setwd(folder)
    model <- c("--base-url", url, "--chat", "toy", "--param", "temperature=0", "--cache", "cache.jsonl", "-q")
    result$status <- cli_main(c("grade", "answers.csv", model, "-o", "grades.tsv"))
    result$ranked <- cli_main(c("rank", "answers.csv", "--grades", "grades.tsv", "-q", "-o", "ranking.tsv"))
    away <- c("--base-url", "https://models.example/v1", "--chat", "toy", "--cache", "cache.jsonl")
    err <- utils::capture.output(type = "message", result$away <- cli_main(c("grade", "answers.csv", away)))
    result$err <- err
    result$misused <- cli_main(c("grade", "answers.csv", "--chat", "toy", "--price", "3"))
  }, list(url = server$url, folder = folder), libraries)
  expect_identical(c(got$status, got$ranked), c(0L, 0L))
  grades <- utils::read.delim(file.path(folder, "grades.tsv"), colClasses = "character")
  expect_named(grades, c("query", "doc", "grader", "repeat.", "grade"))
  expect_identical(sort(grades$grade), sort(c("3", "2", "3", "3", "1", "none", "0", "2")))
  expect_identical(utils::read.delim(file.path(folder, "ranking.tsv"))$system, c("a", "b"))
  expect_identical(got$away, 1L)
  expect_match(got$err, "--consent models.example", all = FALSE)
  expect_identical(got$misused, 2L)
})

test_that("groups of requests keep the limit of requests per minute", {
  libraries <- skip_without_language_model()
  server <- start_language_model()
  x <- texts_collection(paste("grade", c(0, 1, 2, 3, 0)), scale = 0:3)
  got <- in_ellmer({
    slept <- numeric()
    unlockBinding("Sys.sleep", baseenv())
    # ellmer waits for replies by short sleeps.
    sleep <- Sys.sleep
    wait <- function(time) if (time > 30) slept <<- c(slept, time) else sleep(time)
    assign("Sys.sleep", wait, envir = baseenv())
    grades <- suppressMessages(grade_documents(x, chat(), cache = cache, max_active = 2, rpm = 3))$grades
    result <- list(value = grades$value, slept = slept)
  }, list(x = x, url = server$url, cache = withr::local_tempfile()), libraries)
  expect_identical(got$value, c(0, 1, 2, 3, 0))
  # The second group waits for the first of its predecessors, the third for the first two.
  expect_length(got$slept, 2)
  expect_true(all(got$slept > 30 & got$slept <= 60))
  for (rpm in list(0, 2.5, NA)) expect_error(grade_documents(x, "model", rpm = rpm), "`rpm` must be", fixed = TRUE)
})

test_that("processes that share a file of answers do not mix their lines", {
  file <- tempfile(fileext = ".jsonl")
  in_processes(2, function(number, file) {
    answers <- data.frame(key = "0", reasoning = strrep(number, 9000 + 1:5))
    for (i in 1:200) judicious:::write_answers(answers, list(cache = file, model = "m", host = "h"))
  }, file = file)
  lines <- Filter(nzchar, readLines(file))
  reasons <- vapply(lines, function(line) jsonlite::fromJSON(line)$reasoning, "", USE.NAMES = FALSE)
  expect_identical(c(table(reasons)), c(table(rep(strrep(rep(1:2, each = 5), 9000 + 1:5), 200))))
})

test_that("a file of answers that cannot be written is an error that names it", {
  skip_on_os("windows")
  expect_snapshot(error = TRUE, append_to_cache(raw(), list(cache = "/dev/null/answers.jsonl")))
  skip_if_not(file.exists("/dev/full"))
  expect_error(write_answers(data.frame(key = "0"), list(cache = "/dev/full", model = "m", host = "h")),
               class = "judicious_error_file")
})
