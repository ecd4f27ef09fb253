x <- simulate_collection(queries = 6, documents = 120, artists = 20, systems = 4, seed = 3)
truth <- judgments_of(x)
gain_of <- function(query, doc) truth$gain[match(paste(query, doc), paste(truth$query, truth$doc))]
new_session <- function(...) judging_session(x, goal = goal_budget(15), seed = 1, judgments = FALSE, ...)
log_of <- function(s, kind) {
  events <- store_rows(s$engine$store, "event")
  events[events$kind == kind, ]
}

# Simulated replies of a language model to every document, made from the true gains.
transcript <- data.frame(query = truth$query, doc = truth$doc, prompt = paste("How relevant is", truth$doc, "?"),
                         answer = paste("Grade:", truth$gain))
replay <- function(query, doc) {
  said <- transcript[match(paste(query, doc), paste(transcript$query, transcript$doc)), ]
  data.frame(gain = as.numeric(sub("Grade: ", "", said$answer)), prompt = said$prompt, answer = said$answer, cost = 0.5)
}

test_that("a function grades several documents per call, and its prompts, answers and costs are logged", {
  calls <- list()
  s <- run_session(new_session(), function(query, doc) {
    calls[[length(calls) + 1]] <<- doc
    replay(query, doc)
  }, assessor = "model", at_once = 5)
  expect_identical(lengths(calls), c(5L, 5L, 5L))
  judged <- judgments_of(s)
  expect_identical(judged$doc, unlist(calls))
  expect_identical(judged$gain, gain_of(judged$query, judged$doc))
  expect_identical(log_of(s, "prompt")$detail, paste("How relevant is", judged$doc, "?"))
  expect_identical(log_of(s, "answer")$detail, paste("Grade:", judged$gain))
  expect_identical(log_of(s, "cost")$gain, rep(0.5, 15))
  expect_identical(unique(log_of(s, "cost")$assessor), "model")
  file <- withr::local_tempfile(fileext = ".csv")
  export_judgments(s, file, "csv", all = TRUE)
  expect_identical(sum(utils::read.csv(file)$kind == "prompt"), 15L)
})

# The transcript is not a recording. It was written by hand from the documented format of the chat completions API,
# which most servers of language models offer: responses with numbers of tokens, and the error for too many requests.
completion <- function(content, tokens) {
  jsonlite::toJSON(auto_unbox = TRUE, list(
    id = "chatcmpl-1", object = "chat.completion", created = 1700000000, model = "some-model",
    choices = list(list(index = 0, message = list(role = "assistant", content = content), finish_reason = "stop")),
    usage = list(prompt_tokens = tokens, completion_tokens = 4, total_tokens = tokens + 4)))
}
too_many <- '{"error": {"message": "Rate limit reached", "type": "requests", "code": "rate_limit_exceeded"}}'

test_that("a function that calls an API through httr2 can act as assessor", {
  httr2 <- tryCatch(asNamespace("httr2"), error = function(cnd) skip("without httr2"))
  skip_if_not_installed("jsonlite")
  prompt_of <- function(query, doc) paste0("How relevant is ", doc, " to ", query, "? Reply with the grade only.")
  asked <- 0
  server <- function(req) {
    asked <<- asked + 1
    body <- req$body$data
    expect_identical(body$model, "some-model")
    content <- body$messages[[1]]$content
    part <- function(n) sub("How relevant is (.*) to (.*)[?].*", paste0("\\", n), content)
    respond <- function(status, text) {
      httr2$response(status, headers = "Content-Type: application/json", body = charToRaw(text))
    }
    if (asked == 3) return(respond(429, too_many))
    gain <- gain_of(part(2), part(1))
    answers <- c(gain, paste("Grade:", gain), paste0("It fits in part.\n\n", gain))
    respond(200, completion(answers[1 + asked %% 3], nchar(content)))
  }
  ask_one <- function(prompt) {
    request <- httr2$req_body_json(httr2$request("https://example.org/v1/chat/completions"),
                                   list(model = "some-model", messages = list(list(role = "user", content = prompt))))
    httr2$resp_body_json(httr2$resp_check_status(httr2$req_perform(request)))
  }
  ask <- function(query, doc) {
    prompt <- prompt_of(query, doc)
    replies <- lapply(prompt, ask_one)
    answer <- vapply(replies, function(reply) reply$choices[[1]]$message$content, "")
    tokens <- vapply(replies, function(reply) reply$usage$total_tokens, 0)
    data.frame(gain = as.numeric(sub("(?s).*?([0-9]+)$", "\\1", answer, perl = TRUE)), prompt = prompt, answer = answer,
               cost = tokens * 1e-6)
  }
  withr::local_options(httr2_mock = server)
  s <- run_session(new_session(), ask, assessor = "some-model", at_once = 5, retry = c(0, 0))
  judged <- judgments_of(s)
  # The documents of the failed call are requested again.
  expect_identical(asked, 18)
  expect_match(log_of(s, "failure")$detail, "HTTP 429")
  expect_identical(judged$gain, gain_of(judged$query, judged$doc))
  expect_identical(log_of(s, "prompt")$detail, prompt_of(judged$query, judged$doc))
  expect_setequal(grepl("Grade: ", log_of(s, "answer")$detail), c(TRUE, FALSE))
  expect_equal(log_of(s, "cost")$gain, (nchar(prompt_of(judged$query, judged$doc)) + 4) * 1e-6)
})

test_that("failing calls are repeated, and the final error keeps the judgments made so far", {
  tries <- 0
  shaky <- function(query, doc) {
    tries <<- tries + 1
    if (tries %% 3 == 1) stop("HTTP 503")
    gain <- gain_of(query, doc)
    if (tries %% 3 == 2) rep(-7, length(doc)) else gain
  }
  s <- run_session(new_session(), shaky, at_once = 5, retry = c(0, 0))
  expect_identical(tries, 9)
  expect_identical(nrow(judgments_of(s)), 15L)
  failures <- log_of(s, "failure")
  expect_identical(failures$detail[1], "HTTP 503")
  expect_match(failures$detail[2], "not on the scale")
  expect_identical(nrow(failures), 6L)

  left <- 5
  dying <- function(query, doc) if ((left <<- left - 1) < 0) stop("HTTP 429") else gain_of(query, doc)
  s <- new_session()
  expect_snapshot(run_session(s, dying, retry = c(0, 0)), error = TRUE)
  expect_identical(nrow(judgments_of(s)), 5L)
  run_session(s, gain_of)
  expect_identical(nrow(judgments_of(s)), 15L)
})

test_that("a session stops when its assessor has spent the budget, summed over several calls", {
  s <- new_session()
  expect_message(run_session(s, replay, assessor = "model", at_once = 2, max_cost = 2), "has spent 2 of 2")
  expect_identical(nrow(judgments_of(s)), 4L)
  suppressMessages(run_session(s, replay, assessor = "model", at_once = 2, max_cost = 3))
  expect_identical(nrow(judgments_of(s)), 6L)
  suppressMessages(run_session(s, replay, assessor = "another model", at_once = 2, max_cost = 1))
  expect_identical(nrow(judgments_of(s)), 8L)
})

test_that("documents for which a grading function returns NA are skipped", {
  s <- run_session(new_session(), function(query, doc) rep(NA, length(doc)), at_once = 3)
  expect_identical(nrow(judgments_of(s)), 0L)
  expect_identical(nrow(log_of(s, "skip")), n_pairs(x))
})

test_that("invalid replies and arguments of a grading function raise errors", {
  expect_snapshot(error = TRUE, {
    run_session(new_session(), function(query, doc) 50, at_once = 2)
    run_session(new_session(), function(query, doc) data.frame(grade = 50))
    run_session(new_session(), function(query, doc) data.frame(gain = 50, cost = "1 cent"))
    run_session(new_session(), function(query, doc) "50")
    run_session(new_session(), gain_of, retry = "often")
    run_session(new_session(), gain_of, at_once = 0)
    run_session(new_session(), gain_of, max_cost = -1)
  })
})
