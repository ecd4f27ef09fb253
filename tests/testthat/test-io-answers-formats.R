skip_if_not_installed("jsonlite")

test_that("sample files of lm-evaluation-harness are read, and the folder names the system", {
  folder <- withr::local_tempdir()
  sample <- function(id, said, right, filter = "none") {
    list(doc_id = id, doc = list(question = paste("What is", id, "?"), answer = "#"), target = "4",
         arguments = list(list("Q: ...", list(until = list("Q:")))), resps = list(list(said)),
         filtered_resps = list(substr(said, 1, 2)), filter = filter, metrics = list("exact_match"), exact_match = right)
  }
  write_samples <- function(model, samples) {
    dir.create(file.path(folder, model), showWarnings = FALSE)
    path <- file.path(folder, model, "samples_gsm8k_2025-01-01T00-00-00.jsonl")
    writeLines(vapply(samples, to_json, ""), path)
    path
  }
  paths <- c(write_samples("org__small", list(sample(0, "4, so", 1), sample(1, "7", 0))),
             write_samples("org__large", list(sample(0, "four", 0), sample(1, "8", 1))))
  x <- quiet_answers(paths)
  found <- rows_of(x)[order(rows_of(x)$system), ]
  expect_identical(found$system, rep(c("org/large", "org/small"), each = 2))
  expect_identical(found$query, c("0", "1", "0", "1"))
  # Metrics apply to the text that a filter extracts, here the first two characters; the whole answer is shown as
  # context.
  expect_identical(found$text, c("fo", "8", "4,", "7"))
  expect_identical(x$documents$context[x$documents$text == "4,"], "4, so")
  expect_identical(found$gain, c(0, 1, 1, 0))
  expect_identical(x$scale$levels, c(0, 1))
  expect_identical(x$queries$text, c("What is 0 ?", "What is 1 ?"))
  # Two filters are two ratings of the same answer.
  both <- c(write_samples("a", list(sample(0, "4", 1, "strict-match"), sample(0, "4", 0, "flexible-extract"))),
            write_samples("b", list(sample(0, "5", 0, "strict-match"), sample(0, "5", 1, "flexible-extract"))))
  expect_snapshot(error = TRUE, read_answers(both))
  strict <- quiet_answers(both, gain = "exact_match,strict-match")
  expect_identical(rows_of(strict)$gain[order(rows_of(strict)$system)], c(1, 0))
})

test_that("for multiple choice in lm-evaluation-harness, the answer is the most likely choice", {
  folder <- withr::local_tempdir()
  one <- function(model, task, id, likelihood) {
    choices <- c(" so", " yes indeed")
    arguments <- lapply(choices, function(choice) list(arg_0 = "Is it?", arg_1 = choice))
    responses <- lapply(likelihood, function(value) list(as.character(value), "False"))
    norm <- as.numeric(which.max(likelihood / nchar(choices)) == 2)
    sample <- list(doc_id = id, doc = list(query = paste(task, id)), target = 1,
                   arguments = stats::setNames(arguments, c("gen_args_0", "gen_args_1")),
                   resps = lapply(responses, list), filtered_resps = responses, filter = "none",
                   metrics = list("acc", "acc_norm"), acc = as.numeric(which.max(likelihood) == 2), acc_norm = norm)
    path <- file.path(folder, model, paste0("samples_", task, "_2026-01-01T00-00-00.123.jsonl"))
    dir.create(dirname(path), showWarnings = FALSE)
    cat(to_json(sample), "\n", file = path, append = TRUE, sep = "")
    path
  }
  paths <- c(one("a", "arc", 0, c(-9, -2)), one("b", "arc", 0, c(-2, -9)), one("a", "arc", 1, c(-3, -4)),
             one("b", "arc", 1, c(-3, -12)), one("a", "copa", 0, c(-2, -1)), one("b", "copa", 0, c(-2, -1)))
  # The folder has a subfolder for each model, with a file of mean values beside the samples.
  means <- '{"results":{"arc":{"acc,none":0.5}},"group_subtasks":{},"configs":{"arc":{}},"versions":{}}'
  writeLines(means, file.path(folder, "a", "results_2026-01-01T00-00-00.123.json"))
  x <- quiet_answers(folder, gain = "acc_norm")
  expect_identical(quiet_answers(unique(paths), gain = "acc_norm"), x)
  expect_true(holds_answers(folder))
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  # The questions of a second task have the same numbers.
  expect_identical(found$query, rep(c("arc/0", "arc/1", "copa/0"), 2))
  expect_identical(found$text, c("yes indeed", "so / yes indeed", "yes indeed", "so", "so", "yes indeed"))
  expect_identical(found$gain, c(1, 1, 1, 0, 0, 1))
  expect_equal(nrow(x$documents), 5)
})

test_that("logs of Inspect are read, with scores by models as grades", {
  log_of <- function(model, values, epochs = 1) {
    samples <- unlist(lapply(seq_len(epochs), function(epoch) lapply(1:2, function(i) {
      list(id = paste0("s", i), epoch = epoch, target = "x",
           input = if (i == 1) "Is it so?" else list(list(role = "system", content = "Be brief."),
                                                     list(role = "user", content = "And this?")),
           output = list(model = model, choices = list(list(message = list(
             role = "assistant", content = list(list(type = "text", text = paste(model, i, epoch))))))),
           scores = list(includes = list(value = values[i], answer = "x"),
                         model_graded_qa = list(value = "P", explanation = "...")))
    })), recursive = FALSE)
    log <- list(version = 2, status = "success", eval = list(task = "t", model = model), samples = samples)
    answer_file(to_json(log), ".json", parent.frame())
  }
  x <- quiet_answers(c(log_of("openai/a", c("C", "I")), log_of("openai/b", c("I", "C"))))
  found <- rows_of(x)[order(rows_of(x)$system), ]
  expect_identical(found$system, rep(c("openai/a", "openai/b"), each = 2))
  expect_identical(found$text, c("openai/a 1 1", "openai/a 2 1", "openai/b 1 1", "openai/b 2 1"))
  expect_identical(found$gain, c(1, 0, 0, 1))
  expect_identical(unique(x$grades[c("grader", "value")]), data.frame(grader = "model_graded_qa", value = 0.5))
  expect_identical(x$queries$text, c("Is it so?", "And this?"))
  # The questions of both tasks have the same numbers.
  other <- sub('"task":"t"', '"task":"u"', readLines(log_of("openai/a", c("I", "C"))), fixed = TRUE)
  both <- quiet_answers(c(log_of("openai/a", c("C", "I")), answer_file(other, ".json")))
  expect_setequal(both$queries$query, c("t/s1", "t/s2", "u/s1", "u/s2"))
  failed <- answer_file('{"version":2,"status":"error","eval":{"task":"t","model":"m"},"samples":[]}', ".json")
  expect_error(quiet_answers(failed), "no rows", class = "judicious_error_columns")
  repeated <- c(log_of("a", c("C", "I"), 2), log_of("b", c("I", "C"), 2))
  expect_identical(as.vector(table(rows_of(quiet_answers(repeated))[c("system", "query")])), rep(2L, 4))
  expect_setequal(quiet_answers(repeated, query = c("query", "epoch"))$queries$query, c("s1/1", "s1/2", "s2/1", "s2/2"))
})

test_that("results of promptfoo are read, with one score for each kind of assertion", {
  result <- function(provider, test, output, contains, rubric) {
    list(provider = list(id = provider, label = ""), prompt = list(raw = "Answer {{question}}", label = "p"),
         promptIdx = 0, testIdx = test, vars = list(question = paste("Q", test)), response = list(output = output),
         success = TRUE, score = 0.5, gradingResult = list(pass = TRUE, score = 0.5, componentResults = list(
           list(pass = TRUE, score = contains, assertion = list(type = "contains", value = "x")),
           list(pass = TRUE, score = rubric, assertion = list(type = "llm-rubric", value = "is right")))))
  }
  results <- list(result("openai:a", 0, "x", 1, 0.9), result("openai:b", 0, "y", 0, 0.8),
                  result("openai:a", 1, "z", 0, 0.1), result("openai:b", 1, "x", 1, 0.2))
  x <- quiet_answers(answer_file(to_json(list(evalId = "e", results = list(version = 3, results = results))), ".json"))
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  expect_identical(found$text, c("x", "z", "y", "x"))
  expect_identical(found$gain, c(1, 0, 0, 1))
  expect_identical(sort(x$grades$value), c(0.1, 0.2, 0.8, 0.9))
  expect_identical(unique(x$grades$grader), "llm-rubric")
  expect_identical(x$queries$text, c("Q 0", "Q 1"))
  expect_identical(quiet_answers(answer_file(vapply(results, to_json, ""), ".jsonl")), x)
  # Without providers, each file has the results of one system.
  folder <- withr::local_tempdir()
  for (system in c("a", "b")) {
    own <- Filter(function(one) one$provider$id == paste0("openai:", system), results)
    own <- lapply(own, function(one) one[names(one) != "provider"])
    writeLines(to_json(list(results = list(results = own))), file.path(folder, paste0(system, ".json")))
  }
  unnamed <- quiet_answers(folder)
  expect_identical(unnamed$systems$system, c("a", "b"))
  expect_identical(judgments_of(unnamed), judgments_of(x))
  # Tests may have different assertions; their total is then the gain.
  other <- lapply(results, function(one) {
    if (one$testIdx == 1) one$gradingResult$componentResults[[1]]$assertion$type <- "icontains"
    one
  })
  path <- answer_file(to_json(list(results = list(results = other))), ".json")
  expect_error(quiet_answers(path), "icontains.*total", class = "judicious_error_columns")
  expect_identical(unique(quiet_answers(path, gain = "total")$gain), 0.5)
  # Without component results, it is unknown whether people or programs gave the score.
  results <- lapply(results, function(one) replace(one, "gradingResult", list(list(pass = TRUE, score = 0.5))))
  expect_error(quiet_answers(answer_file(to_json(list(results = list(results = results))), ".json")), "people",
               class = "judicious_error_columns")
})

test_that("results of RAGAS, one file per system, are read with contexts and grades", {
  one <- function(said, faithful) {
    data.frame(user_input = c("Why is the sky blue?", "Who?"), response = said, reference = "r",
               retrieved_contexts = I(list(c("Light scatters.", "Seas"), "Ann")), faithfulness = faithful,
               answer_relevancy = c(0.5, NA))
  }
  folder <- withr::local_tempdir()
  paths <- file.path(folder, c("base.jsonl", "tuned.jsonl"))
  for (i in 1:2) {
    con <- file(paths[i], "wb")
    jsonlite::stream_out(one(list(c("It scatters", "Ann"), c("Seas", "Ann"))[[i]], c(1, i / 4)), con, verbose = FALSE)
    close(con)
  }
  x <- quiet_answers(paths)
  expect_setequal(x$systems$system, c("base", "tuned"))
  expect_setequal(x$queries$query, c("Why is the sky blue?", "Who?"))
  expect_identical(x$documents$context[x$documents$text == "Seas"], "Light scatters.\n\nSeas")
  expect_setequal(x$grades$grader, c("faithfulness", "answer_relevancy"))
  # In CSV, Python writes the list of contexts into a cell.
  cells <- c("\"['Light scatters.', 'Seas']\"", "\"['It\\'s\\nAnn' \"\"she's\"\"]\"")
  csv <- answer_file(c("user_input,response,retrieved_contexts,factual_correctness(mode=f1)",
                       paste(c("Why?", "Who?"), c("It scatters", "Ann"), cells, c(1, 0.5), sep = ",")), ".csv")
  read <- quiet_answers(csv)
  expect_setequal(read$documents$context, c("Light scatters.\n\nSeas", "It's\nAnn\n\nshe's"))
  expect_identical(unique(read$grades$grader), "factual_correctness(mode=f1)")
  expect_true(all(is.na(x$gain)))
})

test_that("annotations of AlpacaEval become grades of both systems", {
  one <- function(generator, output, preference) {
    list(instruction = "Tell a joke", output_1 = "base", generator_1 = "gpt4_turbo", output_2 = output,
         generator_2 = generator, annotator = "weighted_alpaca_eval_gpt4_turbo", preference = preference)
  }
  two <- function(...) {
    to_json(list(one(...), utils::modifyList(one(...), list(instruction = "Another", output_2 = "b"))))
  }
  paths <- c(answer_file(two("llama", "ha", 1.25), ".json"), answer_file(two("qwen", "ho", 2), ".json"))
  x <- quiet_answers(paths)
  expect_setequal(x$systems$system, c("gpt4_turbo", "llama", "qwen"))
  value <- function(text) x$grades$value[match(x$documents$doc[x$documents$text == text], x$grades$doc)]
  expect_identical(value("ha"), 0.25)
  expect_identical(value("ho"), 1)
  expect_identical(unique(value("base")), 0.5)
  expect_identical(unique(x$grades$grader), "weighted_alpaca_eval_gpt4_turbo")
  expect_true(all(is.na(x$gain)))
  # The first system may be the `generator`; 0 is a draw.
  draw <- gsub("generator_1", "generator", two("llama", "ha", 0))
  expect_identical(quiet_answers(answer_file(draw, ".json")), quiet_answers(answer_file(two("llama", "ha", 1.5), ".json")))
})

test_that("judgments of UMBRELA name the model as grader", {
  line <- function(passage, judgment, status = 1) {
    to_json(list(model = "gpt-4o", query = "how long do fleas live", passage = passage, prompt = "...",
                 prediction = "##final score: 2", judgment = judgment, result_status = status))
  }
  folder <- withr::local_tempdir()
  writeLines(line("20 days", 3), file.path(folder, "bm25.jsonl"))
  writeLines(line("Dogs", 0), file.path(folder, "dense.jsonl"))
  x <- quiet_answers(folder)
  expect_setequal(x$systems$system, c("bm25", "dense"))
  expect_identical(x$grades$grader, c("gpt-4o", "gpt-4o"))
  expect_identical(sort(x$grades$value), c(0, 3))
  expect_true(all(is.na(x$gain)))
  # The command of UMBRELA writes fewer columns, but a table with these columns may also have ratings by people.
  short <- data.frame(query = "q", passage = c("a", "b"), judgment = c(3, 0))
  read <- quiet_answers(answer_file(to_json(short), ".json"), system = "answer")
  expect_identical(read$grades$value, c(3, 0))
  expect_identical(sort(quiet_answers(short, system = "passage", answer = "passage")$gain), c(0, 3))
})

test_that("exports of Label Studio are read with ratings by people and grades by models", {
  rating <- function(value) {
    list(from_name = "quality", to_name = "answer", type = "rating", value = list(rating = value))
  }
  task <- function(id, question, model, answer, ann, bob, predicted) {
    list(id = id, data = list(question = question, model = model, answer = answer), annotations = list(
      list(id = 1, completed_by = 7, was_cancelled = FALSE, result = list(rating(ann))),
      list(id = 2, completed_by = list(id = 8, email = "bob@example.org"), result = list(rating(bob))),
      list(id = 3, completed_by = 9, was_cancelled = TRUE, result = list())),
      predictions = list(list(model_version = "gpt-4o", result = list(rating(predicted)))))
  }
  path <- answer_file(to_json(list(task(1, "Q1", "A", "yes", 5, 4, 3), task(2, "Q1", "B", "no", 1, 2, 1),
                                   task(3, "Q2", "A", "so", 2, 2, 2), task(4, "Q2", "B", "so", 2, 3, 2))), ".json")
  x <- quiet_answers(path)
  made <- judgments_of(x)
  text <- x$documents$text[match(made$doc, x$documents$doc)]
  expect_identical(made$gain[text == "yes"][order(made$assessor[text == "yes"])], c(5, 4))
  expect_setequal(made$assessor, c("7", "bob@example.org"))
  expect_identical(unique(x$grades$grader), "gpt-4o")
  expect_identical(sort(x$grades$value), c(1, 2, 3))
  expect_setequal(x$queries$query, c("Q1", "Q2"))
})

test_that("exports of doccano are read, one file per assessor", {
  folder <- withr::local_tempdir()
  lines <- function(labels) {
    vapply(1:4, function(i) {
      to_json(list(id = 10 + i, text = c("yes", "no", "a", "b")[i], label = as.list(labels[i])[!is.na(labels[i])],
                   model = c("A", "B")[2 - i %% 2], question = c("Q1", "Q1", "Q2", "Q2")[i], Comments = list()))
    }, "")
  }
  writeLines(lines(c("5", "1", "3", NA)), file.path(folder, "ann.jsonl"))
  writeLines(lines(c("4", "2", "3", "2")), file.path(folder, "bob.jsonl"))
  made <- judgments_of(quiet_answers(folder))
  expect_identical(as.vector(table(made$assessor)), c(3L, 4L))
  one <- quiet_answers(file.path(folder, "ann.jsonl"))
  expect_identical(sort(one$gain), c(1, 3, 5))
})

test_that("a ratings book exported from Quepid has one column per judge", {
  folder <- withr::local_tempdir()
  writeLines(c("query,docid,Ann Lee,Bob", "star wars,d1,3,2", "dr. who,d2,0,"), file.path(folder, "try1.csv"))
  writeLines(c("query,docid,Ann Lee,Bob", "star wars,d1,3,2", "dr. who,d3,1,1"), file.path(folder, "try2.csv"))
  x <- quiet_answers(folder)
  made <- judgments_of(x)
  expect_setequal(made$assessor, c("Ann Lee", "Bob"))
  expect_equal(nrow(made), 5)
  expect_equal(n_pairs(x), 3)
  expect_identical(x$scale$levels, as.numeric(0:3))
})

test_that("lm-evaluation-harness samples without filter names, and promptfoo results with failed calls, are read", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "m"))
  file <- file.path(folder, "m", "samples_math.jsonl")
  sample <- function(metric, value, extract) sprintf(
    '{"doc_id":%d,"doc":{"question":"Q%d"},"target":"7","resps":[["is 7"]],"filtered_resps":["%s"],"%s":%s}', 0:1, 0:1,
    extract, metric, value)
  writeLines(c(sample("exact_match,none", c(1, 0), c("7", "8"))), file)
  expect_identical(judgments_of(quiet_answers(folder))$gain, c(1, 0))
  # Version 0.4.3 wrote a line for each filter, without the filter's name.
  writeLines(c(sample("exact_match", c(1, 0), c("7", "8")), sample("exact_match", c(0, 0), "[invalid]")), file)
  expect_error(quiet_answers(folder), class = "judicious_error_columns", regexp = "exact_match,1.*exact_match,2")
  expect_identical(judgments_of(quiet_answers(folder, gain = "exact_match,2"))$gain, c(0, 0))
  test <- function(i, provider, score, rest) sprintf(
    '{"testIdx":%d,"provider":{"id":"%s"},"vars":{"question":"Q%d"},"prompt":{"raw":"p"},"score":%d,%s}', i, provider,
    i, score, rest)
  scored <- paste0('"response":{"output":"o%d %s"},"gradingResult":',
                   '{"componentResults":[{"score":%d,"assertion":{"type":"equals"}}]}')
  lines <- c(test(0, "a", 1, sprintf(scored, 0, "a", 1)), test(0, "b", 0, sprintf(scored, 0, "b", 0)),
             test(1, "a", 0, '"response":{},"gradingResult":null,"error":"time out"'),
             test(1, "b", 1, sprintf(scored, 1, "b", 1)))
  expect_identical(judgments_of(quiet_answers(answer_file(lines, ".jsonl")))$gain, c(1, 0, 1))
})

test_that("the error about lm-evaluation-harness results without samples says how to write them", {
  means <- answer_file('{"results":{"t":{"acc,none":1}},"configs":{"t":{}},"versions":{"t":1}}', ".json")
  expect_error(read_answers(means), "--log_samples", class = "judicious_error_columns")
})

test_that("tables and JSON-MIN of Label Studio are read, with ratings in objects and task numbers as identifiers", {
  d <- data.frame(id = 1:4, model = c("a", "b"), question = c("Q", "Q", "R", "R"), answer = c("w", "x", "y", "z"),
                  rating = c('[{"rating": 4}]', '[{"rating": 2}]', '[{"rating":5}]', NA), annotator = "ann@x.org",
                  annotation_id = 7:10, created_at = "t", updated_at = "t", lead_time = 3.5)
  path <- withr::local_tempfile(fileext = ".csv")
  write.csv(d, path, row.names = FALSE, na = "")
  want <- quiet_answers(transform(d[2:6], rating = c(4, 2, 5, NA)))
  expect_identical(quiet_answers(path), want)
  d$rating <- list(list(list(rating = 4)), list(list(rating = 2)), list(list(rating = 5)), list())
  records <- lapply(seq_len(4), function(i) c(as.list(d[i, -5]), list(rating = d$rating[[i]])))
  expect_identical(quiet_answers(answer_file(to_json(records), ".json")), want)
})

test_that("fields whose names only begin like those of a format are not taken for these", {
  log <- list(status = "success", eval = list(task = "t", model = "m"), samples = list(
    list(id = "1", input_tokens = 7, output = list(completion = "yes"), scores = list(match = list(value = "C")))))
  x <- quiet_answers(answer_file(to_json(log), ".json"), gain = "match")
  expect_identical(x$queries$text, NA_character_)
})

test_that("index files beside the logs of Inspect and vitals are not read as answers", {
  folder <- withr::local_tempdir()
  log <- function(model) {
    samples <- lapply(1:2, function(id) list(id = id, epoch = 1, input = "Is it?", output = list(completion = "yes"),
                                             scores = list("match()" = list(value = "C"))))
    writeLines(to_json(list(status = "success", eval = list(task = "t", model = model), samples = samples)),
               file.path(folder, paste0(model, ".json")))
  }
  log("a")
  log("b")
  want <- quiet_answers(folder)
  listed <- list(task = "t", task_id = "i", status = "success", model = "a")
  writeLines(to_json(list("a.json" = listed, "b.json" = listed)), file.path(folder, "listing.json"))
  writeLines(to_json(list(eval_set_id = "e", tasks = list(listed, listed))), file.path(folder, "eval-set.json"))
  expect_identical(quiet_answers(folder), want)
  expect_error(read_answers(file.path(folder, "listing.json")), "lists logs", class = "judicious_error_columns")
})

test_that("the column `task` is kept when samples of one task are read with a table", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "m"))
  sample <- function(id, said) {
    to_json(list(doc_id = id, doc = list(question = paste("Q", id)), target = "x", resps = list(list(said)),
                 filtered_resps = list(said), arguments = list(list("p", list())), filter = "none",
                 metrics = list("exact_match"), exact_match = 1))
  }
  path <- file.path(folder, "m", "samples_gsm_2025-01-01T00-00-00.jsonl")
  writeLines(c(sample(0, "a"), sample(1, "b")), path)
  other <- file.path(folder, "other.csv")
  utils::write.csv(data.frame(system = "n", doc_id = 0:1, answer = c("c", "d"), exact_match = 0, task = 1:2), other,
                   row.names = FALSE)
  x <- quiet_answers(c(path, other), query = "doc_id")
  expect_identical(x$queries$query, c("0", "1"))
  expect_identical(x$documents$task[match(c("c", "d"), x$documents$text)], c(1, 2))
})

test_that("tool outputs with missing parts are read or raise an error that names the part", {
  path <- withr::local_tempfile(fileext = ".json")
  read <- function(text, ...) {
    writeLines(text, path)
    suppressMessages(read_answers(path, ...))
  }
  sample <- '{"doc_id": %s, "doc": {"question": "q"}, "arguments": [["p"]], "resps": [["x"]], "filtered_resps": ["x"], "acc": %s}'
  # Values of metrics may be logical.
  expect_setequal(judgments_of(read(sprintf(sample, 0:1, c("true", "false"))))$gain, 0:1)
  expect_error(read(sprintf(sample, c("null", "1"), c("1.0", "0.0"))), "missing or empty identifier",
               class = "judicious_error")
  inspect <- '{"status": "success", "eval": {"model": "m", "task": "t"}, "samples": [{"id": 1, "input": [], "output":
    {"choices": []}, "scores": {"match": {"value": "C"}}}]}'
  expect_equal(judgments_of(read(inspect))$gain, 1)
  task <- '[{"id": 1, "data": {"question": "q", "answer": "x", "system": "A"}, "annotations": [%s]}]'
  rated <- '{"completed_by": 3, "result": [{"type": "choices", "from_name": "r", "value": {"choices": [%s]}}]}'
  expect_length(judgments_of(read(sprintf(task, "")))$gain, 0)
  expect_length(judgments_of(read(sprintf(task, sprintf(rated, ""))))$gain, 0)
  expect_equal(judgments_of(read(sprintf(task, sprintf(rated, '"3"'))))$gain, 3)
})

test_that("the error on unknown columns proposes those whose names end like known ones", {
  records <- list(list(item = list(prompt = "q", response = "a"), job = list(model = "m"), status = "done"))
  path <- withr::local_tempfile(fileext = ".json")
  jsonlite::write_json(records[c(1, 1)], path, auto_unbox = TRUE)
  expect_error(read_answers(path), "system = \"job.model\"", fixed = TRUE)
  expect_error(read_answers(data.frame(model = "m", first.question = "q", n = 1)), "query = \"first.question\"", fixed = TRUE)
  expect_error(read_answers(data.frame(model = "m", question = "q", finalOutput = "a", n = 1)),
               "answer = \"finalOutput\"", fixed = TRUE)
})

test_that("long integers in JSON keep all their digits in identifiers and texts, and ratings are numbers", {
  path <- withr::local_tempfile(fileext = ".jsonl", lines = c(
    '{"model": "a", "id": 12345678901234567890, "question": "is 12345678901234567890.5 odd?", "rating": 3}',
    '{"model": "b", "id": 12345678901234567890, "question": "is 12345678901234567890.5 odd?", "rating": 4}',
    '{"model": "a", "id": 12345678901234567891, "question": "and \\"1234567890123456789\\"?", "rating": 0.1000000000000000055}',
    '{"model": "b", "id": 12345678901234567891, "question": "and \\"1234567890123456789\\"?", "rating": 1e0}'))
  x <- suppressMessages(read_answers(path))
  expect_setequal(x$queries$query, c("12345678901234567890", "12345678901234567891"))
  expect_setequal(x$queries$text, c("is 12345678901234567890.5 odd?", "and \"1234567890123456789\"?"))
  expect_setequal(judgments_of(x)$gain, c(3, 4, 0.1, 1))
})

test_that("columns of grades without any grade are an error, or left out with a message", {
  x <- data.frame(model = rep(c("a", "b"), 2), question = c("q", "q", "r", "r"), rating = c(1, 2, 2, 2), gpt4 = NA)
  expect_error(suppressMessages(read_answers(x, grades = "gpt4")), "\"gpt4\" has no grade",
               class = "judicious_error_columns")
  expect_message(expect_message(both <- read_answers(transform(x, other = 1:4), grades = c("gpt4", "other")),
                                class = "judicious_message_empty_grades"), class = "judicious_message_answers")
  expect_equal(both, suppressMessages(read_answers(transform(x, other = 1:4, gpt4 = NULL), grades = "other")))
})

test_that("logs of OpenAI Evals are read, with checks as ratings and a model's scores as grades", {
  folder <- withr::local_tempdir()
  log_of <- function(model, right, score) {
    event <- function(id, type, data) to_json(list(run_id = "r", event_id = 0, sample_id = id, type = type, data = data))
    of_sample <- function(i) {
      id <- paste0("test.", i)
      prompt <- list(list(role = "system", content = "Be brief."), list(role = "user", content = paste("What is", i)))
      c(event(id, "sampling", list(prompt = if (i == 1) paste("What is", i) else prompt, sampled = list(paste(model, i)))),
        event(id, "match", list(correct = right[i], expected = "4", sampled = "4")),
        event(id, "metrics", if (is.na(score[i])) list(choice = "__invalid__", score = 0) else
          list(choice = "Y", score = score[i])))
    }
    path <- file.path(folder, paste0(model, ".jsonl"))
    writeLines(c(to_json(list(spec = list(completion_fns = list(model), eval_name = "test"))), of_sample(1), of_sample(2),
                 to_json(list(final_report = list(accuracy = 0.5)))), path)
    path
  }
  x <- quiet_answers(c(log_of("small", c(TRUE, FALSE), 0:1), log_of("large", c(TRUE, TRUE), c(1, 0.5))))
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  expect_identical(found$system, rep(c("large", "small"), each = 2))
  expect_identical(found$text, c("large 1", "large 2", "small 1", "small 2"))
  expect_identical(found$gain, c(1, 1, 1, 0))
  expect_identical(x$queries$text, c("What is 1", "What is 2"))
  expect_identical(sort(x$grades$value[x$grades$grader == "score"]), c(0, 0.5, 1, 1))
  # A reply that names no choice has the score 0 in the log, but does not grade the answer.
  paths <- c(log_of("small", c(TRUE, FALSE), c(NA, 1)), log_of("large", c(TRUE, TRUE), c(1, 0.5)))
  expect_message(invalid <- read_answers(paths), "1 of 4 grades failed", class = "judicious_message_failed_grades")
  expect_identical(sort(invalid$grades$value), c(0.5, 1, 1))
})

test_that("test runs of DeepEval are read, with its metrics as grades", {
  folder <- withr::local_tempdir()
  run_of <- function(model, scores) {
    cases <- lapply(1:2, function(i) {
      list(name = paste0("test_case_", i), input = paste("What is", i), actualOutput = paste(model, i), success = TRUE,
           retrievalContext = list("one", "two"),
           metricsData = list(list(name = "Answer Relevancy", score = scores[i], reason = "so")))
    })
    path <- file.path(folder, paste0("run-", model, ".json"))
    writeLines(to_json(list(testCases = cases, metricsScores = list(list(metric = "Answer Relevancy")),
                            hyperparameters = list(model = model))), path)
    path
  }
  x <- quiet_answers(c(run_of("small", c(0.2, 0.4)), run_of("large", c(0.6, NA))))
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  expect_identical(found$system, rep(c("large", "small"), each = 2))
  expect_identical(found$query, rep(c("What is 1", "What is 2"), 2))
  expect_identical(found$text, c("large 1", "large 2", "small 1", "small 2"))
  expect_identical(x$documents$context[1], "one\n\ntwo")
  expect_identical(sort(x$grades$value[x$grades$grader == "Answer Relevancy"]), c(0.2, 0.4, 0.6))
  # The first case may have no metrics.
  run <- jsonlite::read_json(file.path(folder, "run-small.json"))
  run$testCases[[1]]$metricsData <- NULL
  x <- quiet_answers(answer_file(to_json(run), ".json"))
  expect_identical(x$grades$value, 0.4)
  expect_identical(x$systems$system, "small")
  # Results that Python writes name the fields in another way.
  path <- file.path(folder, "deepeval-small.json")
  lines <- readLines(file.path(folder, "run-small.json"))
  for (name in c("testCases", "actualOutput", "metricsData", "retrievalContext"))
    lines <- gsub(name, if (name == "testCases") "test_results" else tolower(gsub("([A-Z])", "_\\1", name)), lines)
  writeLines(lines, path)
  expect_identical(quiet_answers(path)$grades, quiet_answers(file.path(folder, "run-small.json"))$grades)
})
