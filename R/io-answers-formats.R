# The formats of tools that write answers, recognised by the keys that they require. The readers name the columns and
# state the roles that their format determines; collection-answer-roles.R assigns the other roles.

# A format of a tool. `keys`: the names that a record, or the whole content, must have; `nested`: whether only JSON can
# have the format; `fits`: a further condition; `read`: a function that returns the `rows` and the `roles` of their
# columns.
answer_format <- function(keys, read, nested = FALSE, fits = function(records, content, columns) TRUE) {
  list(keys = keys, read = read, nested = nested, fits = fits)
}

# The rows of answers in the content of a file, and the roles of their columns. `entries`: for each row, a list of the
# `fields` of the answer and, by role, of opinions about it: `gain`, `grades` and `score` are lists of values by column.
# `...`: the columns of other roles.
rows_of_entries <- function(entries, ...) {
  of_role <- function(role) unique(unlist(lapply(entries, function(entry) names(entry[[role]]))))
  list(rows = records_frame(lapply(unname(entries), function(entry) do.call(c, unname(entry)))),
       roles = list(..., gain = of_role("gain"), grades = of_role("grades"), score = of_role("score")))
}

# Logs of samples by lm-evaluation-harness, as a row per sample. If answers are extracted by several filters, each
# metric has a column for each filter, such as "exact_match,strict-match".
read_harness <- function(records, content) {
  is_metric <- function(value) (is.numeric(value) || is.logical(value)) && length(value) == 1
  metrics <- unique(unlist(lapply(records, `[[`, "metrics"))) %||%
    setdiff(names(Filter(is_metric, records[[1]])), c("doc_id", "target"))
  text_of <- function(field) vapply(records, function(record) id_text(record[[field]] %||% NA), "")
  id <- text_of("doc_id")
  filter_name <- text_of("filter")
  # Early versions do not name the filters.
  if (all(is.na(filter_name))) filter_name <- as.character(stats::ave(seq_along(id), id, FUN = seq_along))
  suffix <- if (length(unique(filter_name)) > 1) paste0(",", filter_name) else rep("", length(filter_name))
  values <- Map(function(record, suffix) {
    present <- Filter(length, record[intersect(metrics, names(record))])
    stats::setNames(lapply(present, as.numeric), paste0(names(present), suffix, recycle0 = TRUE))
  }, records, suffix)
  rows_of_entries(lapply(split(seq_along(id), factor(id, unique(id), exclude = NULL)), function(sample) {
    list(fields = harness_fields(records[sample]), gain = do.call(c, values[sample]))
  }), query = "doc_id", answer = "answer", context = "response")
}

# The question and the answer in the records of a sample, one for each filter.
harness_fields <- function(sample) {
  first <- sample[[1]]
  keys <- intersect(c("question", "query", "prompt", "input"), names(first[["doc"]]))
  response <- flat_text(unlist(first[["resps"]])[1])
  extracts <- lapply(sample, function(record) unlist(record[["filtered_resps"]]))
  extract <- if (all(lengths(extracts) == 1)) paste(unique(vapply(extracts, flat_text, "")), collapse = " / ")
  answer <- harness_choice(first) %||% extract %||% response
  is_filtered <- length(extracts[[1]]) == 1 && answer != response
  c(list(doc_id = if (!is.null(first[["doc_id"]])) id_text(first[["doc_id"]]),
         question = flat_text(if (length(keys)) first[["doc"]][[keys[1]]] else unlist(first[["arguments"]])[1]),
         answer = answer), if (is_filtered) list(response = response))
}

# In multiple choice, the choices that metrics compare: that of the highest likelihood and, if it is another, that of
# the highest likelihood per character. NULL if the sample is not multiple choice.
harness_choice <- function(sample) {
  choices <- vapply(sample[["arguments"]], function(one) flat_text(unlist(one)[2]), "")
  if (length(choices) < 2 || length(sample[["filtered_resps"]]) != length(choices)) return(NULL)
  likelihood <- vapply(sample[["filtered_resps"]], function(one) flat_text(unlist(one)[1]), "")
  likelihood <- suppressWarnings(as.numeric(likelihood))
  if (anyNA(likelihood)) return(NULL)
  best <- c(which.max(likelihood), if (!is.null(sample[["acc_norm"]])) which.max(likelihood / pmax(nchar(choices), 1)))
  paste(unique(trimws(choices[best])), collapse = " / ")
}

# The files in a zipped log of Inspect (form "eval"); NULL for other files.
inspect_members <- function(path) {
  nothing <- function(cnd) NULL
  is_zip <- file.exists(path) && file.access(path, 4) == 0 && compression_of(path) == "zip"
  found <- if (is_zip) tryCatch(utils::unzip(path, list = TRUE)$Name, warning = nothing, error = nothing)
  # An incomplete log has only the second of these files.
  head <- intersect(c("header.json", "_journal/start.json"), found)
  if (length(head)) c(head[1], grep("^samples/[^/\\\\]+[.]json$", found, value = TRUE))
}

inspect_log <- function(path, members, arg) {
  folder <- tempfile("inspect")
  on.exit(unlink(folder, recursive = TRUE))
  files <- tryCatch(utils::unzip(path, members, exdir = folder), warning = function(cnd) NULL)
  check_that(length(files) == length(members), arg, c(
    "{.arg {arg}}: {.file {path}} is damaged or compressed in a way that R cannot read.",
    i = "{.code inspect log dump} writes it as JSON."
  ), kind = "file", path = path)
  parts <- lapply(file.path(folder, members), function(file) parse_json(read_bytes(file, arg), path, arg))
  list(eval = parts[[1]]$eval, status = parts[[1]]$status, samples = parts[-1])
}

# The numbers of Inspect's codes for correct, partially correct, incorrect and no answer; other values stay.
inspect_numbers <- function(value) {
  number <- c(C = 1, P = 0.5, I = 0, N = 0)[match(value, c("C", "P", "I", "N"))]
  unname(ifelse(is.na(number), value, number))
}

# The text of a message of a chat.
chat_text <- function(message) content_text(if (is.list(message)) message[["content"]] else message)

# The text of the content of a message, or of its parts.
content_text <- function(content) {
  text <- function(part) if (is.list(part)) part[["text"]] else part
  flat_text(if (is.list(content)) lapply(content, text) else content)
}

# The text of a prompt, or of the last message of a chat.
prompt_text <- function(prompt) {
  if (is.list(prompt) && length(prompt)) chat_text(prompt[[length(prompt)]]) else flat_text(prompt)
}

read_inspect <- function(records, content) {
  if (!length(content[["samples"]])) return(no_answers())
  several <- any(vapply(content[["samples"]], function(s) (s[["epoch"]] %||% 1) > 1, NA))
  samples <- lapply(content[["samples"]], function(s) {
    choices <- s[["output"]][["choices"]]
    answer <- s[["output"]][["completion"]] %||% if (length(choices)) chat_text(choices[[1]]$message)
    c(list(system = content[["eval"]][["model"]], task = content[["eval"]][["task"]], query = id_text(s[["id"]]),
           question = prompt_text(s[["input"]]), answer = answer),
      if (several) list(epoch = s[["epoch"]]), flat_record(lapply(s[["scores"]], `[[`, "value")))
  })
  rows <- records_frame(samples)
  scorers <- intersect(unlist(lapply(content[["samples"]], function(s) names(s[["scores"]]))), names(rows))
  rows[scorers] <- lapply(rows[scorers], inspect_numbers)
  # Of scorers without a known name, the user must say whether they are people or language models.
  list(rows = rows, roles = list(score = scorers[!has_role(scorers, c("gain", "grades"))]))
}

# A row per test and provider, with a column for each type of assertion, and the `total`.
read_promptfoo <- function(records, content) {
  read <- rows_of_entries(lapply(promptfoo_results(content), promptfoo_entry), question = "question")
  # The total includes assertions of programs, which may check something else in each test, so a single gain is not
  # combined with it.
  if (length(read$roles$gain) > 1) read$roles$gain <- c(read$roles$gain, "total") else read$rows$total <- NULL
  read
}

promptfoo_entry <- function(result) {
  results <- result[["gradingResult"]][["componentResults"]]
  parts <- Filter(function(part) !is.null(part[["assertion"]][["type"]]), results)
  type <- make.unique(vapply(parts, function(part) part[["assertion"]][["type"]], ""))
  scores <- stats::setNames(lapply(parts, `[[`, "score"), type)
  # A test whose provider failed has no score.
  if (!length(parts) && is.null(result[["error"]])) scores <- list(score = result[["score"]])
  provider <- result[["provider"]]
  if (is.list(provider)) provider <- if (nzchar(provider[["label"]] %||% "")) provider[["label"]] else provider[["id"]]
  answer <- if (is.list(result[["response"]])) result[["response"]][["output"]] else result[["response"]]
  question_values <- result[["vars"]][intersect(c("question", "query", "input", "prompt"), names(result[["vars"]]))]
  question <- flat_text(if (length(question_values)) question_values[[1]] else result[["vars"]])
  fields <- list(system = provider, prompt = result[["prompt"]][["label"]] %||% result[["prompt"]][["raw"]],
                 query = id_text(result[["testIdx"]] %||% question), question = question, answer = flat_text(answer))
  if (length(parts)) fields$total <- result[["score"]]
  # Results of a single provider may not name it: the file then names the system.
  c(list(fields = fields[lengths(fields) > 0]), split(scores, promptfoo_role(names(scores))))
}

# Here, "factuality" is the opinion of a language model; in other files, it may be that of people.
promptfoo_role <- function(type) {
  is_grade <- has_role(type, "grades") | type == "factuality"
  ifelse(has_role(sub("[.][0-9]+$", "", type), "gain"), "gain", ifelse(is_grade, "grades", "score"))
}

# The results are lines of JSON, or elements of one or two nested objects, depending on the version.
promptfoo_results <- function(content) {
  if (is.null(names(content))) return(content)
  if (is.null(names(content[["results"]]))) content[["results"]] else content[["results"]][["results"]]
}

# The tables of promptfoo have a column for each provider and prompt, such as "[gpt-4] prompt", whose score is in a
# column behind it or, in early versions, in its text: "[PASS] (1.00)" before the answer, and a reason after it.
are_outputs <- function(columns) grepl("^\\[.+\\] ", columns)

read_promptfoo_table <- function(rows) {
  columns <- sub("[.][0-9]+$", "", names(rows))
  outputs <- which(are_outputs(columns))
  vars <- setdiff(columns[seq_len(outputs[1] - 1)], "Description")
  pattern <- "(?s)^\\[(PASS|FAIL|ERROR)\\] \\(([0-9.]+)[^)]*\\)\\s*(.*?)(\\s*(Pass|Fail) Reason: .*)?$"
  of_output <- lapply(outputs, function(i) {
    text <- rows[[i]]
    score <- which(columns == "Score" & seq_along(columns) > i)
    data.frame(system = sub("^\\[(.+?)\\] .*", "\\1", columns[i], perl = TRUE),
               prompt = sub("^\\[.+?\\] ", "", columns[i], perl = TRUE), query = as.character(seq_along(text)),
               question = do.call(paste, c(rows[vars], sep = "\n\n")), answer = sub(pattern, "\\3", text, perl = TRUE),
               score = if (length(score)) rows[[score[1]]] else sub(pattern, "\\2", text, perl = TRUE))
  })
  list(rows = do.call(rbind, of_output), roles = list(query = "query", question = "question"))
}

# A row per sample, whose events have its identifier: what the system said, and how it was checked.
read_openai_evals <- function(records, content) {
  spec <- unlist(lapply(records, `[[`, "spec"), recursive = FALSE)
  events <- Filter(function(event) !is.null(event[["sample_id"]]), records)
  id <- vapply(events, function(event) id_text(event[["sample_id"]]), "")
  rows_of_entries(lapply(split(events, factor(id, unique(id))), function(sample) {
    data_of <- function(type) Find(function(event) event[["type"]] == type, sample)$data
    said <- data_of("sampling")
    graded <- data_of("metrics")
    grades <- Filter(is.numeric, graded)
    # A reply without any of the choices gets the lowest score, but is a failure of the grader.
    if (identical(graded$choice, "__invalid__")) grades[] <- NaN
    list(fields = list(system = flat_text(spec[["completion_fns"]][1]), query = sample[[1]]$sample_id,
                       question = prompt_text(said[["prompt"]]), answer = flat_text(said[["sampled"]])),
         gain = Filter(length, list(match = data_of("match")$correct)), grades = grades)
  }), question = "question")
}

# The test cases of a test run, or of a result that was written by Python, which names the fields in another way.
deepeval_cases <- function(content) {
  if (!is.list(content)) return(NULL)
  content[["testCases"]] %||% lapply(Filter(is.list, content[["test_results"]]), function(case) {
    stats::setNames(case, gsub("_([a-z])", "\\U\\1", names(case), perl = TRUE))
  })
}

# A row per test case, with a column for each metric. The metrics count as grades, because most of them are computed by
# a language model.
read_deepeval <- function(records, content) {
  rows_of_entries(lapply(deepeval_cases(content), function(case) {
    case[["system"]] <- content[["hyperparameters"]][["model"]]
    shown <- intersect(c("system", "input", "actualOutput", "expectedOutput", "retrievalContext"), names(case))
    list(fields = case[shown], grades = stats::setNames(lapply(case[["metricsData"]], `[[`, "score"),
                                                        vapply(case[["metricsData"]], `[[`, "", "name")))
  }), question = "input", query = "input", answer = "actualOutput")
}

# Preferences between the answers of two systems: 1 prefers the first, 2 the second, numbers between prefer one of them
# less strongly, and 0 neither.
read_alpaca <- function(rows) {
  rows[["generator_1"]] <- rows[["generator_1"]] %||% rows[["generator"]]
  rows[["preference"]] <- as.numeric(rows[["preference"]])
  rows[["preference"]][rows[["preference"]] %in% 0] <- 1.5
  side <- function(n) {
    data.frame(system = rows[[paste0("generator_", n)]], question = rows[["instruction"]],
               answer = rows[[paste0("output_", n)]], grader = as.character(rows[["annotator"]] %||% "preference"),
               grade = if (n == 2) rows[["preference"]] - 1 else 2 - rows[["preference"]])
  }
  # The first system is the baseline of all others: against itself, it would win half of the comparisons.
  baseline <- side(1)
  baseline$grade <- 0.5
  list(rows = unique(rbind(side(2), baseline)), roles = list(grades = "grade", grader = "grader"))
}

# The column `model`, if there is one, names the grader, not the system.
read_umbrela <- function(rows) {
  if (is.null(rows[["model"]])) rows[["model"]] <- "umbrela"
  names(rows)[match(c("model", "passage", "judgment"), names(rows))] <- c("grader", "answer", "grade")
  if (!is.null(rows[["result_status"]])) rows[["grade"]][rows[["result_status"]] %in% c(0, "0", "FALSE", "false")] <- NA
  list(rows = rows, roles = list(question = "query", query = "query", answer = "answer", grades = "grade",
                                 grader = "grader"))
}

# A row per annotation. Predictions of models are grades.
read_label_studio <- function(records, content) {
  entries <- lapply(records, function(task) {
    fields <- flat_record(task[["data"]])
    grades <- do.call(c, c(list(list()), lapply(task[["predictions"]], label_studio_grades)))
    done <- Filter(function(one) !isTRUE(one[["was_cancelled"]]), task[["annotations"]])
    if (!length(done)) return(list(list(fields = fields, grades = grades)))
    lapply(done, function(one) {
      author <- one[["completed_by"]]
      value <- label_studio_values(one)
      # The task, made from a rating sheet, may have an empty column of the same name, which is replaced.
      own <- list(completed_by = id_text(if (is.list(author)) author[["email"]] %||% author[["id"]] else author))
      list(fields = c(fields[!names(fields) %in% names(value)], own, Filter(Negate(is.numeric), value)),
           grades = grades, gain = Filter(is.numeric, value))
    })
  })
  read <- rows_of_entries(unlist(entries, recursive = FALSE))
  if (length(read$roles$gain)) read$roles$assessor <- "completed_by"
  read
}

# The values of an annotation or a prediction, by their names.
label_studio_values <- function(one) {
  results <- Filter(function(result) result[["type"]] %in% c("rating", "number", "choices"), one[["result"]])
  value <- lapply(results, function(result) {
    answer <- result[["value"]][[result[["type"]]]]
    if (result[["type"]] == "choices") answer <- unlist(answer)[1]
    if (is.character(answer) && !is.na(parse_numbers_cpp(answer))) parse_numbers_cpp(answer) else answer
  })
  stats::setNames(value, vapply(results, `[[`, "", "from_name"))
}

label_studio_grades <- function(prediction) {
  value <- label_studio_values(prediction)
  grader <- prediction[["model_version"]] %||% "prediction"
  stats::setNames(value, if (length(value) == 1) grader else paste0(grader, ".", names(value), recycle0 = TRUE))
}

# The tables and the compact JSON of Label Studio: the column `id` has the number of the task, which replaces an
# original column of this name.
read_label_studio_rows <- function(rows) {
  if (length(columns_of_role(setdiff(names(rows), "id"), c("query", "question")))) rows[["id"]] <- NULL
  rows[c("annotation_id", "created_at", "updated_at", "lead_time", "agreement")] <- NULL
  # Ratings are written as [{"rating": 4}].
  rows[] <- lapply(rows, function(value) {
    if (is.character(value)) sub('^\\[\\{"(rating|number)": *(-?[0-9.]+)\\}\\]$', "\\2", value) else value
  })
  list(rows = rows)
}

# Forms of Mechanical Turk write a radio button as columns "Answer.rating.1", "Answer.rating.2" and so on of true and
# false, or all their fields as an array in "Answer.taskAnswers".
chosen_number <- "^(Answer[.].+)[.](-?[0-9]+)$"

read_mechanical_turk <- function(rows) {
  forms <- rows[["Answer.taskAnswers"]]
  if (length(forms)) {
    rows[["Answer.taskAnswers"]] <- NULL
    fields <- records_frame(lapply(forms, function(form) Filter(length, list(Answer = fields_of_form(form)))))
    rows[names(fields)] <- fields
  }
  choices <- grep(chosen_number, names(rows), value = TRUE)
  list(rows = Reduce(with_chosen_number, split(choices, sub(chosen_number, "\\1", choices)), rows))
}

# The fields of a form, which is an object or an array of one, as the columns have them; none if the form is empty.
fields_of_form <- function(form) {
  object <- if (!is.na(form)) object_in_cell(form)
  if (is.null(names(object)) && length(object)) object <- object[[1]]
  if (is.list(object)) rapply(object, function(one) lower_ascii(as.character(one)), "logical", how = "replace")
}

# Replaces the columns of a radio button, which are true or false, by one of the chosen numbers, unless several are
# chosen. Columns of other values are fields of their own.
with_chosen_number <- function(rows, columns) {
  words <- matrix(lower_ascii(unlist(lapply(rows[columns], as.character))), nrow(rows))
  words[is.na(words)] <- ""
  is_chosen <- words == "true"
  if (!all(is_chosen | words == "false" | are_missing_words(words)) || any(rowSums(is_chosen) > 1)) return(rows)
  number <- sub(chosen_number, "\\2", columns)[max.col(is_chosen, "first")]
  rows[[sub(chosen_number, "\\1", columns[1])]] <- ifelse(rowSums(is_chosen) == 1, number, NA)
  rows[setdiff(names(rows), columns)]
}

# A row per decision of an annotator: the chosen number, where there are options, or else whether the text was accepted.
read_prodigy <- function(records, content) {
  rows <- records_frame(lapply(records, function(r) {
    is_choice <- length(r[["options"]]) || length(r[["accept"]])
    r[["rating"]] <- if (r[["answer"]] == "ignore") NA else if (is_choice) unlist(r[["accept"]])[1] else
      as.numeric(r[["answer"]] == "accept")
    r[["answer"]] <- r[["text"]]
    r[setdiff(names(r), c("text", "options", "accept", "_input_hash", "_task_hash", "_view_id"))]
  }))
  list(rows = rows, roles = list(gain = "rating",
                                 assessor = intersect(c("_annotator_id", "_session_id"), names(rows))[1]))
}

# A table of samples by Inspect's samples_df(), with a column for each scorer.
read_inspect_rows <- function(rows) {
  scores <- startsWith(names(rows), "score_")
  rows[scores] <- lapply(rows[scores], inspect_numbers)
  names(rows) <- sub("^score_", "", names(rows))
  list(rows = rows[setdiff(names(rows), c("sample_id", "eval_id", "log"))])
}

read_doccano <- function(records, content) {
  rows <- records_frame(lapply(records, function(r) {
    names(r)[names(r) == "text"] <- "answer"
    r[["id"]] <- r[["Comments"]] <- NULL
    r
  }))
  list(rows = rows, roles = list(gain = "label"))
}

# A column for each judge.
read_quepid <- function(rows) {
  are_ratings <- function(name) all(is.na(rows[[name]]) | grepl("^ *(-?[0-9.,]+)? *$", rows[[name]]))
  judges <- Filter(are_ratings, setdiff(names(rows)[!has_role(names(rows), "system")], c("query", "docid")))
  rows[judges] <- lapply(rows[judges], as.character)
  rated <- stats::setNames(list(judges), if (length(judges) == 1) "gain" else "assessor")
  list(rows = rows, roles = c(list(question = "query", query = "query", answer = "docid"), rated))
}

# Tools write files of means and lists of logs beside the files of answers; they have no answers themselves.
no_answers <- function(...) list(rows = data.frame())

answer_formats <- list(
  "means" = answer_format(c("results", "configs", "versions"), no_answers, TRUE),
  "listing" = answer_format(character(), no_answers, TRUE, function(records, content, columns) {
    length(names(content)) && all(grepl("[.](json|eval)$", names(content))) || "eval_set_id" %in% names(content)
  }),
  "Inspect" = answer_format("eval", read_inspect, TRUE, function(records, content, columns) {
    is.list(content[["eval"]]) && any(c("samples", "status") %in% names(content))
  }),
  "Inspect's tables" = answer_format(c("sample_id", "eval_id", "id", "epoch"), read_inspect_rows),
  "promptfoo" = answer_format(character(), read_promptfoo, TRUE, function(records, content, columns) {
    results <- promptfoo_results(content)
    fields <- if (length(results) && is.list(results[[1]])) names(results[[1]])
    all(c("response", "vars") %in% fields) && any(c("provider", "gradingResult") %in% fields)
  }),
  "promptfoo's tables" = answer_format(character(), read_promptfoo_table, fits = function(records, content, columns) {
    is.null(content) && any(are_outputs(columns[-1]))
  }),
  "OpenAI Evals" = answer_format("spec", read_openai_evals, TRUE, function(records, ...) {
    any(vapply(records, function(record) all(c("sample_id", "data") %in% names(record)), NA))
  }),
  "DeepEval" = answer_format(character(), read_deepeval, TRUE, function(records, content, columns) {
    has_metrics <- vapply(deepeval_cases(content), function(case) "metricsData" %in% names(case), NA)
    any(has_metrics) || is.list(content[["testCases"]])
  }),
  "lm-evaluation-harness" = answer_format(c("doc_id", "doc", "resps", "filtered_resps"), read_harness, TRUE),
  "Label Studio" = answer_format(c("data", "annotations"), read_label_studio, TRUE, function(records, ...) {
    is.list(records[[1]]$data) && is.list(records[[1]]$annotations)
  }),
  "Label Studio's tables" = answer_format(c("annotation_id", "annotator", "lead_time"), read_label_studio_rows),
  "Mechanical Turk" = answer_format(c("HITId", "AssignmentId", "WorkerId"), read_mechanical_turk,
                                    fits = function(records, content, columns) {
                                      any(columns == "Answer.taskAnswers" | grepl(chosen_number, columns))
                                    }),
  "Prodigy" = answer_format(c("_input_hash", "_task_hash", "answer"), read_prodigy, TRUE),
  "doccano" = answer_format(c("text", "label"), read_doccano, TRUE, function(records, ...) {
    is.list(records[[1]]$label)
  }),
  "AlpacaEval" = answer_format(c("instruction", "output_1", "output_2", "generator_2", "preference"), read_alpaca,
                               fits = function(records, content, columns) {
                                 any(c("generator", "generator_1") %in% columns)
                               }),
  "Quepid" = answer_format(c("query", "docid"), read_quepid, fits = function(records, content, columns) {
    !any(has_role(columns, c("gain", "grades", "score", "answer")))
  }),
  # A table with the same names may have the judgments of people, so a table must also have the column `prediction`.
  "UMBRELA" = answer_format(c("query", "passage", "judgment"), read_umbrela,
                            fits = function(records, content, columns) !is.null(content) || "prediction" %in% columns)
)
