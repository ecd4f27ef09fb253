skip_if_not_installed("jsonlite")

# What rows a collection has, whatever its ids.
rows_of <- function(x) {
  shown <- as.data.frame(x)
  data.frame(system = shown$system, query = shown$query, text = x$documents$text[match(shown$doc, x$documents$doc)],
             gain = shown$gain)
}

test_that("samples of lm-evaluation-harness are read, with the folder name as the system", {
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
  # Metrics compare what filters extract, the first two characters here; the whole is shown beside it.
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

test_that("in multiple choice of the harness, the answer is the most likely choice", {
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
  # A folder has folders of models, with a file of means beside the samples.
  means <- '{"results":{"arc":{"acc,none":0.5}},"group_subtasks":{},"configs":{"arc":{}},"versions":{}}'
  writeLines(means, file.path(folder, "a", "results_2026-01-01T00-00-00.123.json"))
  x <- quiet_answers(folder, gain = "acc_norm")
  expect_identical(quiet_answers(unique(paths), gain = "acc_norm"), x)
  expect_true(holds_answers(folder))
  found <- rows_of(x)[order(rows_of(x)$system, rows_of(x)$query), ]
  # A second task has questions of the same numbers.
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
  # Tasks have questions of the same numbers.
  other <- sub('"task":"t"', '"task":"u"', readLines(log_of("openai/a", c("I", "C"))), fixed = TRUE)
  both <- quiet_answers(c(log_of("openai/a", c("C", "I")), answer_file(other, ".json")))
  expect_setequal(both$queries$query, c("t/s1", "t/s2", "u/s1", "u/s2"))
  failed <- answer_file('{"version":2,"status":"error","eval":{"task":"t","model":"m"},"samples":[]}', ".json")
  expect_error(quiet_answers(failed), "no rows", class = "judicious_error_columns")
  repeated <- c(log_of("a", c("C", "I"), 2), log_of("b", c("I", "C"), 2))
  expect_identical(as.vector(table(rows_of(quiet_answers(repeated))[c("system", "query")])), rep(2L, 4))
  expect_setequal(quiet_answers(repeated, query = c("query", "epoch"))$queries$query, c("s1/1", "s1/2", "s2/1", "s2/2"))
})

test_that("results of promptfoo are read, with a score per kind of assertion", {
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
  # Programs may check other things in each test; then their total is the gain.
  other <- lapply(results, function(one) {
    if (one$testIdx == 1) one$gradingResult$componentResults[[1]]$assertion$type <- "icontains"
    one
  })
  path <- answer_file(to_json(list(results = list(results = other))), ".json")
  expect_error(quiet_answers(path), "icontains.*total", class = "judicious_error_columns")
  expect_identical(unique(quiet_answers(path, gain = "total")$gain), 0.5)
  # Without parts, nothing tells who scored.
  results <- lapply(results, function(one) replace(one, "gradingResult", list(list(pass = TRUE, score = 0.5))))
  expect_error(quiet_answers(answer_file(to_json(list(results = list(results = results))), ".json")), "people",
               class = "judicious_error_columns")
})

test_that("RAGAS results, one file per system, have contexts and grades", {
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

test_that("annotations of AlpacaEval are grades of both systems", {
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
})

test_that("in judgments of UMBRELA, the model is the grader", {
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
  # Its command writes less, but a table of the same names may be of people.
  short <- data.frame(query = "q", passage = c("a", "b"), judgment = c(3, 0))
  read <- quiet_answers(answer_file(to_json(short), ".json"), system = "answer")
  expect_identical(read$grades$value, c(3, 0))
  expect_identical(sort(quiet_answers(short, system = "passage", answer = "passage")$gain), c(0, 3))
})

test_that("exports of Label Studio give ratings by people and grades by models", {
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

test_that("exports of doccano have a file per assessor", {
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

test_that("a book of Quepid has a column per judge", {
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

test_that("errors of unreadable files of answers name the place", {
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

test_that("NaN as Python writes it, and records within an object, are read", {
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

test_that("column names in any spelling, list columns and nested answers are read alike", {
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

test_that("samples without names of filters, other metrics, and tests that the provider failed are read as such", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "m"))
  file <- file.path(folder, "m", "samples_math.jsonl")
  sample <- function(metric, value, extract) sprintf(
    '{"doc_id":%d,"doc":{"question":"Q%d"},"target":"7","resps":[["is 7"]],"filtered_resps":["%s"],"%s":%s}', 0:1, 0:1,
    extract, metric, value)
  writeLines(c(sample("exact_match,none", c(1, 0), c("7", "8"))), file)
  expect_identical(judgments_of(quiet_answers(folder))$gain, c(1, 0))
  # Version 0.4.3 wrote a line for each filter, without its name.
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

test_that("yes and no words become 1 and 0, other words and ambiguous relevance scores raise errors", {
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

test_that("empty objects in JSON are skipped, and zipped logs that cannot be read are named", {
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

test_that("files of lm-evaluation-harness without samples raise an error that says how to write them", {
  means <- answer_file('{"results":{"t":{"acc,none":1}},"configs":{"t":{}},"versions":{"t":1}}', ".json")
  expect_error(read_answers(means), "--log_samples", class = "judicious_error_columns")
})

test_that("tables and the small JSON of Label Studio have ratings in objects, and the number of the task as id", {
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

test_that("arrays of ratings may be of any length, hold text or nothing, and be columns of a data frame", {
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

test_that("the arguments of a scorer and the ends of a scale are no part of the name of a column", {
  scores <- data.frame(model = c("a", "b"), id = "q", answer = c("x", "y"))
  graded <- cbind(scores, "model_graded_qa(scorer = chat(\"m\"), n = 1)" = 0:1, "Answer relevancy (mode=f1)" = 1:2)
  expect_setequal(quiet_answers(graded)$grades$grader, names(graded)[4:5])
  expect_equal(judgments_of(quiet_answers(cbind(scores, "Rating (1-5)" = c(3, 5))))$gain, c(3, 5))
  expect_error(read_answers(data.frame(id = 1:2, "answer (a)" = 1:2, "answer (b)" = 3:4, check.names = FALSE)),
               "If each system has a column of its own", class = "judicious_error_columns")
})

test_that("lists of logs beside the logs of Inspect and vitals are not read as answers", {
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

test_that("row numbers are not taken for identifiers, nor choice options for ratings", {
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

test_that("samples of one task keep the column `task` of a table read with them", {
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

test_that("commas in numbers are decimal, unless they may separate choices", {
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
  # Options are picked in their order, from 1.
  expect_identical(rated(c("4,0", "3,5", "1,5", "2")), c(4, 3.5, 1.5, 2))
  expect_identical(rated(c("0,25", "0,5", "1", "1")), c(0.25, 0.5, 1, 1))
  # Another column has decimal commas.
  expect_identical(rated(halves, words = c("10,5", "7,0", "3", "4")), c(4.5, 3.5, 1.5, 2))
  expect_error(rated(c("1,2", "1,2,3", "1,3", "2"), ";"), class = "judicious_error_columns")
  expect_error(rated(c("4,5", "3.5", "1", "2"), ";"), class = "judicious_error_columns")
  expect_snapshot(error = TRUE, rated(c("1,2", "2", "1,3", "3")))
  graded <- data.frame(id = 1, model = c("a", "b"), answer = c("x", "y"), gpt4 = c("0,75", "0,5"))
  expect_setequal(quiet_answers(graded)$grades$value, c(0.75, 0.5))
})

test_that("the line sep=; that Excel reads is not a row of data", {
  lines <- c("id;model;answer;rating", "1;a;\"x;y\";4,5", "1;b;z;3", "2;a;u;2", "2;b;v,w;1")
  want <- quiet_answers(answer_file(lines, ".csv"))
  for (first in c("sep=;", "SEP=;", "\"sep=;\"")) {
    path <- answer_file(c(first, lines), ".csv")
    expect_true(holds_answers(path))
    expect_identical(quiet_answers(path), want)
  }
  tabs <- c("id\tmodel\tanswer", "1\ta\tx", "1\tb\ty, and z", "2\ta\tu", "2\tb\tv")
  expect_identical(quiet_answers(answer_file(c("sep=\t", tabs), ".csv")), quiet_answers(answer_file(tabs, ".tsv")))
  # One column alone would not tell it, and errors count the line.
  path <- answer_file(c("sep=,", "query,doc,gain", "q 1,d1,1", "q 1,d2,x"), ".csv")
  expect_error(read_judgments(path), "line 4", class = "judicious_error_columns")
  expect_identical(read_judgments(answer_file(c("sep=,", "q1,d1,1", "q1,d2,0"), ".csv"))$doc, c("d1", "d2"))
})

test_that("arrays of raters with their ratings are ratings by them", {
  path <- withr::local_tempfile(fileext = ".json")
  record <- '{"question": "q1", "system": "%s", "answer": "%s", "%s": [%s]}'
  two <- '{"rater": "ann", "score": 4}, {"rater": "bob", "score": 2}'
  one <- '{"rater": "ann", "score": 1}'
  for (name in c("ratings", "annotations")) {
    writeLines(paste0("[", sprintf(record, "A", "x", name, two), ",", sprintf(record, "B", "y", name, one), "]"), path)
    rated <- judgments_of(suppressMessages(read_answers(path)))
    expect_setequal(paste(rated$assessor, rated$gain), c("ratings.ann 4", "ratings.bob 2", "ratings.ann 1"))
  }
  # The same rater twice: the array is left out, and said to be.
  twice <- '{"rater": "ann", "score": 4}, {"rater": "ann", "score": 2}'
  writeLines(paste0("[", sprintf(record, "A", "x", "ratings", twice), ",", sprintf(record, "B", "y", "ratings", one), "]"),
             path)
  expect_message(read_answers(path), "ratings")
})

test_that("files without answers, infinite ratings and empty last rows of spreadsheets are told or left out", {
  path <- withr::local_tempfile(fileext = ".json")
  writeLines("[]", path)
  expect_error(read_answers(path), "has no rows", class = "judicious_error")
  sheet <- withr::local_tempfile(fileext = ".csv", lines = c("question,system,answer,rating", "q1,A,x,1", "q1,B,y,2", ",,,"))
  expect_equal(judgments_of(suppressMessages(read_answers(sheet)))$gain, 1:2)
  for (number in c("inf", "-Inf", "1e999")) {
    writeLines(c("question,system,answer,rating", paste0("q1,A,x,", number), "q1,B,y,2"), sheet)
    expect_error(suppressMessages(read_answers(sheet)), "finite numbers; the rating of system \"A\", question \"q1\"",
                 class = "judicious_error_columns")
  }
})

test_that("files of tools with missing parts are read, or the error says what is missing", {
  path <- withr::local_tempfile(fileext = ".json")
  read <- function(text, ...) {
    writeLines(text, path)
    suppressMessages(read_answers(path, ...))
  }
  sample <- '{"doc_id": %s, "doc": {"question": "q"}, "arguments": [["p"]], "resps": [["x"]], "filtered_resps": ["x"], "acc": %s}'
  # Metrics may be TRUE and FALSE.
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
