# Files of outcomes for each question, as benchmarks of code and language models write them.

skip_if_not_installed("jsonlite")

# Which questions three systems passed, and the same in the forms of files.
outcomes <- function() {
  list(gpt = c("Eval/0" = TRUE, "Eval/1" = TRUE, "Eval/2" = FALSE), llama = c("Eval/0" = TRUE, "Eval/1" = FALSE,
       "Eval/2" = FALSE), qwen = c("Eval/0" = FALSE, "Eval/1" = FALSE, "Eval/2" = FALSE))
}

# Writes a file for each system and reads them: a table of gains by system and question.
gains_in_files <- function(form, ..., named = identity) {
  folder <- withr::local_tempdir()
  for (system in names(outcomes())) {
    path <- file.path(folder, named(paste0(system, ".json")))
    dir.create(dirname(path), showWarnings = FALSE)
    writeLines(to_json(form(outcomes()[[system]], system)), path)
  }
  gain_table(quiet_answers(folder, ...))
}

gain_table <- function(x) {
  found <- as.data.frame(x)
  tapply(found$gain, found[c("system", "query")], sum)
}

expect_outcomes <- function(found, value = 1) {
  want <- value * do.call(rbind, outcomes())
  expect_equal(found, want, ignore_attr = "dimnames")
  expect_identical(unname(unclass(dimnames(found))), dimnames(want), ignore_attr = TRUE)
}

words <- function(passed) ifelse(passed, "pass", "timeout")

test_that("a file for each system may have an object of outcomes by question", {
  expect_outcomes(gains_in_files(function(passed, system) as.list(passed)))
  expect_outcomes(gains_in_files(function(passed, system) as.list(words(passed))))
  expect_outcomes(gains_in_files(function(passed, system) list(date = "today", eval = as.list(passed))))
  expect_outcomes(gains_in_files(function(passed, system) as.list(passed / 2), gain = "score"), 0.5)
  expect_error(gains_in_files(function(passed, system) as.list(passed / 2)), "may be of people or of a language model",
               class = "judicious_error_columns")
})

test_that("a file for each system may have an object of arrays of results by question", {
  form <- function(passed, system) {
    results <- Map(function(id, one) {
      list(list(task_id = id, solution = "x", base_status = "pass", plus_status = words(one), fail_tests = list()))
    }, names(passed), passed)
    list(date = "today", hash = "abc", eval = results)
  }
  expect_outcomes(gains_in_files(form, gain = "plus_status"))
  expect_error(gains_in_files(form), "base_status.*plus_status", class = "judicious_error_columns")
  one <- function(passed, system) Map(function(one) list(list(status = words(one))), passed)
  expect_outcomes(gains_in_files(one))
  # Several results of a question are those of several answers.
  several <- function(passed, system) Map(function(one) list(list(status = words(one)), list(status = "fail")), passed)
  found <- gains_in_files(several)
  expect_equal(found, 1 * do.call(rbind, outcomes()), ignore_attr = "dimnames")
})

test_that("a file for each system may have arrays of the identifiers of passed and of other questions", {
  lists <- function(passed, ...) list(resolved_ids = I(names(passed)[passed]), total = 3, ...)
  form <- function(passed, system) lists(passed, unresolved_ids = I(names(passed)[!passed]), error_ids = list())
  expect_outcomes(gains_in_files(form))
  expect_outcomes(gains_in_files(function(passed, system) lists(passed, submitted_ids = names(passed))))
  expect_error(gains_in_files(function(passed, system) lists(passed, no_logs = I("Eval/2"))), "but not all others",
               class = "judicious_error_columns")
})

test_that("an object of objects has the questions in the level whose names look like questions", {
  passed <- lapply(outcomes(), as.list)
  by_question <- lapply(stats::setNames(nm = names(passed$gpt)), function(id) lapply(passed, `[[`, id))
  records <- function(objects) lapply(objects, lapply, function(one) list(answer = "text", rating = one + 0))
  for (content in list(records(passed), records(by_question))) {
    expect_outcomes(gain_table(quiet_answers(answer_file(to_json(content), ".json"))))
  }
  # Without answers, the other names may be those of raters.
  for (content in list(passed, by_question)) {
    path <- answer_file(to_json(content), ".json")
    expect_error(quiet_answers(path), "system = \"key\"", class = "judicious_error_columns")
    expect_outcomes(gain_table(quiet_answers(path, system = "key")))
  }
  # Without such names, the outer ones are questions if there are at least as many of them.
  names(by_question) <- c("red", "green", "blue")
  x <- quiet_answers(answer_file(to_json(records(by_question)), ".json"))
  expect_setequal(x$systems$system, names(passed))
  expect_error(quiet_answers(answer_file(to_json(records(by_question[1:2])), ".json")), "\"red\" or \"gpt\" may be",
               class = "judicious_error_columns")
})

test_that("an object of arrays has the answers of each system, or the answers to each question", {
  d <- answer_frame()[c("model", "question_id", "response", "rating")]
  want <- gain_table(quiet_answers(d))
  of <- function(column) {
    answer_file(to_json(split(d[names(d) != column], d[[column]])), ".json", parent.frame())
  }
  expect_equal(gain_table(quiet_answers(of("model"))), want)
  expect_equal(gain_table(quiet_answers(of("question_id"))), want)
})

test_that("raters in a file for each system are not taken for systems", {
  folder <- withr::local_tempdir()
  for (system in c("a", "b")) {
    rated <- list(q1 = list(ann = list(relevance = 3), bob = list(relevance = 1)),
                  q2 = list(ann = list(relevance = if (system == "a") 2 else 0), bob = list(comment = "Unclear")),
                  q3 = stats::setNames(list(), character()))
    writeLines(to_json(rated), file.path(folder, paste0(system, ".json")))
  }
  expect_error(quiet_answers(folder), "assessor = ", class = "judicious_error_duplicate_result")
  x <- quiet_answers(folder, assessor = "key")
  expect_identical(x$systems$system, c("a", "b"))
  expect_equal(vapply(split(judgments_of(x)$gain, judgments_of(x)$assessor), sum, 0), c(ann = 8, bob = 2))
})

test_that("arrays of numbers with names become columns", {
  stat <- function(name, value) list(name = list(name = name, split = "test"), count = 1, mean = value)
  form <- function(passed, system) {
    unname(Map(function(id, one) {
      list(instance_id = id, stats = list(stat("num_references", 4), stat("exact_match", one + 0)))
    }, names(passed), passed))
  }
  expect_outcomes(gains_in_files(form))
  # HELM names the model and the subject in the name of a folder.
  named <- function(file) paste0("mmlu:subject=law,model=", sub(".json", "/stats.json", file, fixed = TRUE))
  expect_outcomes(gains_in_files(form, named = named))
})

test_that("the same identifiers in files of several tasks are different questions", {
  folder <- withr::local_tempdir()
  for (subject in c("law", "art")) {
    rows <- data.frame(id = 1:2, rating = c(1, if (subject == "law") 5 else 3))
    for (model in c("a", "b")) {
      utils::write.csv(rows, file.path(folder, paste0("subject=", subject, ",model=", model, ".csv")), row.names = FALSE)
    }
  }
  want <- rbind(c(1, 3, 1, 5), c(1, 3, 1, 5))
  found <- gain_table(quiet_answers(folder))
  expect_equal(found, want, ignore_attr = "dimnames")
  expect_identical(rownames(found), c("a", "b"))
})

test_that("files that name their system once are called by it, unless two of them name the same", {
  results <- function(passed, system) {
    list(model = toupper(system), results = lapply(names(passed), function(id) list(id = id, passed = passed[[id]])))
  }
  expect_identical(rownames(gains_in_files(results)), c("GPT", "LLAMA", "QWEN"))
  same <- function(passed, system) utils::modifyList(results(passed, system), list(model = "gpt"))
  expect_identical(rownames(gains_in_files(same)), c("gpt", "llama", "qwen"))
})

test_that("reports of SWE-bench, one file per question in a folder per system, are read", {
  folder <- withr::local_tempdir()
  passed <- list(gpt = c("django__django-1" = TRUE, "sympy__sympy-2" = FALSE),
                 llama = c("django__django-1" = FALSE, "sympy__sympy-2" = FALSE))
  for (system in names(passed)) for (id in names(passed[[system]])) {
    dir.create(file.path(folder, system, id), recursive = TRUE)
    report <- stats::setNames(list(list(patch_exists = TRUE, resolved = passed[[system]][[id]])), id)
    writeLines(to_json(report), file.path(folder, system, id, "report.json"))
  }
  x <- quiet_answers(folder)
  expect_identical(x$queries$query, c("django__django-1", "sympy__sympy-2"))
  judged <- judgments_of(x)
  place <- outer(names(passed$gpt), names(passed), paste, sep = "@")
  expect_identical(judged$gain[match(place, judged$doc)], 1 * unname(unlist(passed)))
})
