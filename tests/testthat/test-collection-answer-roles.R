skip_if_not_installed("jsonlite")

test_that("columns `GPT-4 answer` and `GPT-4 rating`, and names with a question mark, are recognised", {
  wide <- data.frame(q = c("one", "two"), a = c("x", "y"), b = 1:2, c = c("z", "w"), d = 3:4)
  names(wide) <- c("Prompt", "GPT-4 response", "GPT-4 rating", "Claude 3 response", "Claude 3 rating")
  x <- quiet_answers(wide)
  expect_identical(x$systems$system, c("Claude 3", "GPT-4"))
  expect_identical(sort(judgments_of(x)$gain), c(1, 2, 3, 4))
  rows <- data.frame(a = rep(1:2, 2), b = rep(c("A", "B"), each = 2), c = c("Y", "N", "Y", "Y"))
  names(rows) <- c("Question #", "System", "Correct?")
  expect_identical(sort(judgments_of(quiet_answers(rows))$gain), c(0, 1, 1, 1))
})

test_that("numbers that participants answer are ratings, of the systems in a column `condition`", {
  rows <- expand.grid(item = 1:3, condition = c("A", "B"), participant = c("p", "q"))
  rows$response <- seq_len(nrow(rows))
  judged <- judgments_of(quiet_answers(rows))
  expect_identical(sort(judged$gain), as.numeric(1:12))
  expect_identical(unique(judged$assessor), c("p", "q"))
})

test_that("the error about a table with a column of ratings per system says how to name its columns", {
  rows <- data.frame(column1 = c("one", "two"), A = 1:2, B = 3:4, C = 5:6)
  expect_snapshot(read_answers(rows), error = TRUE)
})

test_that("columns `answer_gpt` and `judge_gpt` are of the system gpt, but right answers are of no system", {
  wide <- data.frame(question = c("one", "two"), answer_gpt = c("a", "b"), answer_fid = c("c", "d"),
                     judge_gpt = c(TRUE, FALSE), judge_fid = c(FALSE, FALSE))
  x <- quiet_answers(wide)
  expect_identical(x$systems$system, c("fid", "gpt"))
  value <- x$grades$value[match(c("a", "b", "c", "d"), x$documents$text[match(x$grades$doc, x$documents$doc)])]
  expect_identical(value, c(1, 0, 0, 0))
  # Names of answers and of right answers are no systems, and ratings of something else are not theirs.
  one <- data.frame(id = 1:2, question = c("one", "two"), `Model answer` = c("a", "b"), `Gold answers` = c("a", "c"),
                    `BEM per gold answer` = c("[1]", "[0]"), `Acceptable?` = c("Yes", "No"), check.names = FALSE)
  x <- quiet_answers(answer_file(to_json(one), ".json"))
  expect_identical(nrow(x$systems), 1L)
  expect_identical(judgments_of(x)$gain, c(1, 0))
  pairs <- data.frame(query_id = 1:2, query = c("one", "two"), a.response = c("a", "b"), b.response = c("c", "d"),
                      overall_label = 1:2)
  expect_identical(nrow(judgments_of(quiet_answers(pairs))), 0L)
})

test_that("a column `query` beside ids has texts of questions, which identify them if ids are those of answers", {
  d <- answer_frame()
  want <- quiet_answers(d)
  names(d)[2:3] <- c("qid", "query")
  expect_equal(quiet_answers(d)$queries, want$queries)
  d$qid <- seq_len(nrow(d))
  x <- quiet_answers(d)
  expect_setequal(x$queries$query, d$query)
  expect_equal(sort(judgments_of(x)$gain), sort(judgments_of(want)$gain))
  # Texts that a system answers several times do not identify questions.
  d$query <- "Summarise the text."
  expect_error(quiet_answers(d), "No question is answered by two systems", class = "judicious_error_columns")
})

test_that("long texts in a column `sample` are answers, and `factuality` without a stated role is an error", {
  d <- data.frame(model = c("A", "B"), query = rep(1:2, each = 2), factuality = 1:4,
                  sample = paste("This is a text that is too long for a number, and it is the text", 1:4))
  x <- quiet_answers(d, gain = "factuality")
  expect_setequal(x$documents$text, d$sample)
  expect_error(quiet_answers(d), "may be of people", class = "judicious_error_columns")
})

test_that("errors about pairs of answers, rows of errors and unknown systems say what to do", {
  expect_snapshot(error = TRUE, {
    read_answers(data.frame(input = "q", output_1 = "a", output_2 = "b", label = 1))
    read_answers(data.frame(HITId = 1, Input.system1 = "A", Input.sum1 = "a", Input.system2 = "B", Input.sum2 = "b"))
    read_answers(data.frame(system = "A", doc_id = 1, seg_id = 1:2, rater = "r", target = "t", category = "Fluency",
                            severity = c("Minor", "Major")))
    read_answers(data.frame(id = 1:2, chatgpt_said = c("a", "b")))
    read_answers(data.frame(maker = c("x", "y"), author = rep(c("A", "B"), each = 2), words = letters[1:4]))
  })
})

test_that("the message names further criteria, and ranks with a minus sign", {
  d <- data.frame(model = rep(c("A", "B"), each = 3), id = 1:3, answer = letters[1:6], accuracy = c(1:3, 3:1),
                  fluency = c(2, 2, 1, 3, 3, 1), latency = c(1, 1, 2, 2, 7, 7))
  expect_snapshot({
    invisible(read_answers(d))
    invisible(read_answers(stats::setNames(d, c("model", "id", "answer", "rank", "b", "c"))))
  })
})

test_that("empty cells in the column of systems, and forms with a row per person, raise errors", {
  d <- data.frame(Model = c("A", NA, "B", ""), Question = rep(1:2, 2), Answer = letters[1:4])
  expect_snapshot(error = TRUE, {
    quiet_answers(d)
    quiet_answers(data.frame(Timestamp = "1", `Story 1 [A]` = 1, `Story 1 [B]` = 2, check.names = FALSE))
  })
})

test_that("relevance beside other criteria is not taken for the rating", {
  d <- expand.grid(model = c("A", "B"), id = 1:4)
  criteria <- data.frame(coherence = c(1, 2, 3, 4, 5, 1, 2, 3), relevance = c(5, 4, 3, 2, 1, 5, 4, 3))
  expect_error(quiet_answers(cbind(d, criteria)), '2 columns may be the gain: "relevance" and "coherence"',
               class = "judicious_error_columns")
  expect_error(quiet_answers(cbind(d, criteria * 19.5)), "2 columns may be the gain")
  expect_identical(quiet_answers(cbind(d, criteria), gain = "relevance")$gain, criteria$relevance)
  expect_identical(quiet_answers(cbind(d, criteria[2], latency = 1:8))$gain, criteria$relevance)
})

test_that("errors suggest the question that systems share, the rating, and what to do with criteria in rows", {
  d <- expand.grid(SYSTEM = c("A", "B", "C"), hash = c("x7", "x8", "x9"), stringsAsFactors = FALSE)
  d <- cbind(LP = "en-de", d, RAW.SCR = c(71.5, 3, 8, 90, 71.5, 4, 9, 9, 1), N = rep(c(1, 1, 2), 3))
  expect_snapshot(error = TRUE, {
    read_answers(d)
    read_answers(d, query = "hash")
  })
  long <- expand.grid(model = c("A", "B"), id = 1:3, rater = c("ann", "bob"), criterion = c("fluency", "accuracy"))
  long$rating <- rep(1:4, 6)
  long$rating[13:24] <- 5 - long$rating[13:24]
  expect_snapshot(error = TRUE, {
    quiet_answers(long)
    quiet_answers(long[long$rater == "ann", -3])
  })
})

test_that("a column that tells answers of one file apart is asked for, and columns of people are named", {
  d <- expand.grid(Ansatz = c("v1", "v2", "v3"), id = 1:4, stringsAsFactors = FALSE)
  d$answer <- paste(d$Ansatz, d$id)
  d[["LLM judge score (1-10)"]] <- c(1:10, 1:2)
  d[c("Rating Ann", "Rating Bob")] <- list(rep(c(1, NA, 3), 4), rep(c(NA, 2, 5), 4))
  file <- withr::local_tempfile(fileext = ".csv")
  write.csv(d, file, row.names = FALSE)
  expect_error(quiet_answers(file), 'system = "Ansatz".*sample = "Ansatz"', class = "judicious_error_columns")
  expect_message(x <- read_answers(file, system = "Ansatz"), '"Rating Ann",\\s"Rating Bob"\\)')
  expect_identical(sort(x$grades$value), as.numeric(sort(d[[4]])))
  names(d)[1] <- "Prompt version"
  write.csv(d, file, row.names = FALSE)
  expect_identical(quiet_answers(file)$systems$system, c("v1", "v2", "v3"))
})

test_that("columns without any value have no role that another column has", {
  d <- transform(answer_frame(), context = NA, retrieval_context = "passage")
  expect_identical(unique(quiet_answers(d)$documents$context), "passage")
})

test_that("two columns identify the question, also if the second has many more values", {
  d <- data.frame(system = rep(c("a", "b"), each = 6), doc_id = 1:2, seg_id = 1:6, rating = 1:12)
  expect_identical(nrow(quiet_answers(d, query = c("doc_id", "seg_id"))$queries), 6L)
})

test_that("columns without values name no assessor, and what differs in every row names no system", {
  d <- data.frame(run_id = paste0("r", 1:4), experiment_name = rep(c("A", "B"), each = 2), id = 1:2,
                  answer = letters[1:4], userId = "", rating = c(1, 2, 3, 5))
  expect_error(quiet_answers(d), "system = \"experiment_name\"", fixed = TRUE)
  x <- quiet_answers(d, system = "experiment_name")
  expect_equal(rows_of(x)$gain, c(1, 3, 2, 5))
  expect_null(judgments_of(x)$assessor)
  # One question: each system has one row.
  one <- quiet_answers(transform(d[1:3, c("run_id", "id", "answer", "rating")], id = 1))
  expect_identical(rows_of(one)$system, c("r1", "r2", "r3"))
})

test_that("the right answer and the answer in objects of a record are no two systems", {
  d <- data.frame("item.answer" = "x", "sample.output" = letters[1:4], id = 1:4, rating = 1:4, check.names = FALSE)
  expect_error(quiet_answers(d), "No column is known to be the system", class = "judicious_error_columns")
  expect_error(quiet_answers(data.frame(id = 1, reference_answer = "x", agent_answer = "y", correctness = TRUE)),
               "If all answers are of one system, add a column system", class = "judicious_error_columns")
})

test_that("a column of scores of each system is an error with both calls, which read it", {
  d <- data.frame(q = c("one?", "two?"), "A answer" = c("x", "y"), "B answer" = c("z", "w"), "A score" = 1:2,
                  "B score" = 4:5, check.names = FALSE)
  d <- stats::setNames(d, sub("^q$", "question", names(d)))
  expect_error(quiet_answers(d), paste0("`answer = c(A = \"A answer\", B = \"B answer\"), gain = c(\"A score\", ",
                                        "\"B score\")`"), fixed = TRUE)
  x <- quiet_answers(d, answer = c(A = "A answer", B = "B answer"), gain = c("A score", "B score"))
  expect_equal(rows_of(x)$gain, c(1, 4, 2, 5))
})

test_that("the suggested column of questions differs between questions and is the same for several systems", {
  d <- data.frame(system = rep(c("A", "B"), each = 2), id = 1:4, run_id = rep(c("r", "s"), each = 2), eval_id = "e",
                  item_id = rep(c("u", "v"), 2), rating = 1:4)
  expect_error(quiet_answers(d, query = "id"), "query = \"item_id\"", fixed = TRUE)
})

test_that("names of columns consist of the system and a role of several words, in both orders", {
  values <- list(c("x", "y"), c("z", "w"), 1:2, 4:5, c(3, 3), c(2, 1))
  roles <- rep(c("answer", "human score", "llm_score"), each = 2)
  systems <- c("gpt-4o", "llama_3")
  read <- function(names) {
    x <- quiet_answers(data.frame(question = c("one?", "two?"), stats::setNames(values, names), check.names = FALSE))
    expect_equal(rows_of(x)$gain, c(1, 4, 2, 5))
    expect_equal(unique(x$grades$grader), "llm_score")
    unique(rows_of(x)$system)
  }
  expect_identical(read(paste0(systems, ": ", roles)), systems)
  expect_identical(read(paste0(roles, "_", systems)), systems)
  expect_identical(read(paste0(roles, " (", systems, ")")), systems)
})

test_that("raters who are called like language models are reported", {
  d <- data.frame(model = c("A", "B"), id = rep(1:2, each = 2), rater = rep(c("ann", "gpt-4"), each = 4), rating = 1:8)
  expect_message(read_answers(d), "If \"gpt-4\" is a language model", fixed = TRUE)
  expect_no_match(capture_messages(read_answers(d[1:4, ])), "language model")
})

test_that("columns `judge_llama` and `gpt4_judge` beside ratings have grades, and `judge_ann` may be of a person", {
  d <- transform(answer_frame(), judge_llama = 1:6, `gpt4_judge` = 6:1, judge_ann = 1:6, judge_gpt4_reason = "short")
  x <- quiet_answers(d)
  expect_setequal(x$grades$grader, c("bleu", "gpt4", "judge_llama", "gpt4_judge"))
  expect_message(read_answers(d), "Not used: \"judge_ann\" and \"judge_gpt4_reason\"")
})

test_that("names that consist of who wrote a text and what it is have the role of the latter", {
  d <- data.frame(model = rep(c("A", "B"), each = 2), user_prompt = c("one", "two"), llm_response = c("a", "b", "c", "d"),
                  avg_human_score = c("1", "", "3", "4"))
  x <- quiet_answers(d)
  expect_identical(x$queries$text, c("one", "two"))
  expect_setequal(x$documents$text, c("a", "b", "c", "d"))
  expect_setequal(judgments_of(x)$gain, c(1, 3, 4))
  expect_identical(x$systems$system, c("A", "B"))
  # A known name comes first, and names of systems remain those of systems.
  d$response <- c("e", "f", "g", "h")
  expect_setequal(quiet_answers(d)$documents$text, c("e", "f", "g", "h"))
  wide <- data.frame(question = c("one", "two"), human_answer = c("a", "b"), bot_answer = c("c", "d"))
  expect_identical(quiet_answers(wide)$systems$system, c("bot", "human"))
  expect_error(quiet_answers(data.frame(question = "one", llm_answer = "a", rag_answer = "b")),
               "If each is of a system: `answer = c(\"llm_answer\", \"rag_answer\")`", fixed = TRUE,
               class = "judicious_error_columns")
})

test_that("columns such as `doctor_rating` have the ratings of one person each, and means count only alone", {
  d <- data.frame(model = rep(c("A", "B"), each = 2), id = 1:2, response = letters[1:4], doctor_rating = 1:4)
  expect_identical(sort(judgments_of(quiet_answers(d))$gain), as.numeric(1:4))
  two <- judgments_of(quiet_answers(transform(d, nurse_rating = 4:1, mean_rating = 2.5)))
  expect_setequal(two$assessor, c("doctor_rating", "nurse_rating"))
  expect_identical(nrow(two), 8L)
  of <- function(...) quiet_answers(data.frame(d[1:3], ...))
  expect_identical(sort(judgments_of(of(mean_rating = 1:4 / 2, gpt4_score = 1))$gain), 1:4 / 2)
  expect_error(of(final_score = 1:4), "may be of people or of a language model", class = "judicious_error_columns")
  expect_identical(nrow(judgments_of(of(final_score = 1:4, gpt4_score = 4:1))), 0L)
  # A column that the user names for something else has no ratings.
  graded <- quiet_answers(d, grades = "doctor_rating")
  expect_identical(nrow(judgments_of(graded)), 0L)
})

test_that("ids that begin anew in each document do not identify questions", {
  d <- data.frame(segment_id = 1:3, doc = rep(c("d1", "d2"), each = 3), mt_engine = rep(c("X", "Y"), each = 6),
                  source = rep(letters[1:6], 2), target = LETTERS[1:12], mqm_score = 1:12)
  expect_identical(quiet_answers(d)$queries$query, letters[1:6])
  expect_identical(quiet_answers(d[d$mt_engine == "X", ])$queries$query, letters[1:6])
  # A few ids with two texts do not matter.
  few <- transform(d, segment_id = rep(1:6, 2), source = replace(source, c(1, 7), "b"))
  expect_identical(quiet_answers(rbind(few, transform(few[c(1, 7), ], source = "a", target = "z")))$queries$query,
                   as.character(1:6))
  # Texts that differ between systems, such as prompts with the template of each model, do not identify questions.
  d$segment_id <- rep(1:6, 2)
  d$source <- LETTERS[1:12]
  expect_identical(quiet_answers(d)$queries$query, as.character(1:6))
  # Summaries without ids are of the texts that they summarise.
  summaries <- stats::setNames(transform(d[3:5], source = rep(letters[1:6], 2)), c("model", "article", "summary"))
  expect_identical(quiet_answers(summaries)$queries$text, letters[1:6])
  names(d)[c(1, 5)] <- c("prompt_index", "agent_output")
  x <- quiet_answers(d[c(1, 3, 5, 6)])
  expect_identical(x$queries$query, as.character(1:6))
  expect_setequal(x$documents$text, LETTERS[1:12])
})
