# Brings records of JSON into the form of one record per answer, with one field per role.

# An object of records by their identifiers becomes an array of records with these as their field "id".
records_by_id <- function(content) {
  if (!is_object_of_answers(content) && !is_object_of_records(content)) return(content)
  unname(Map(function(id, record) c(if (!"id" %in% names(record)) list(id = id), record), names(content), content))
}

# Whether all values are records with the same fields. An object of columns, whose fields are numbers of rows, as pandas
# writes it, and an object of logs by the names of their files are not such records.
is_object_of_records <- function(value) {
  if (!is_object(value)) return(FALSE)
  fields <- unique(lapply(value, names))
  length(fields) == 1 && length(fields[[1]]) > 1 && !all(grepl("^[0-9]+$", fields[[1]])) && !names_fields(value)
}

is_object <- function(value, least = 2) is.list(value) && length(names(value)) >= least

# Whether a name in an object is known for a column, or that of a log, rather than one that identifies a record, as that
# of a language model may.
names_fields <- function(object) {
  others <- grep(paste0(model_names, "[^ _]*$"), names(object), ignore.case = TRUE, value = TRUE, invert = TRUE)
  any(has_role(others) | grepl("[.](json|eval)$", others))
}

# Whether all values are records that have in common a field of an answer, a rating or a grade.
is_object_of_answers <- function(value) {
  if (!is_object(value)) return(FALSE)
  common <- Reduce(intersect, lapply(value, function(one) if (is.list(one)) names(one)))
  length(columns_of_role(common, "answer")) || length(possible_columns(common, "answer")) ||
    any(has_role(common, c("gain", "grades")))
}

# The records of a file of JSON in no tool's format: `records`, or those in objects and arrays by their identifiers, or
# in the only such object among other values, as in {"date": "...", "eval": {"q1": [...]}}.
keyed_records <- function(content, records) {
  if (is.null(names(content))) return(records)
  found <- records_by_keys(content) %||% records_of_id_lists(content)
  if (is.null(found) && !any(has_role(names(content), c("query", "question", "answer")))) {
    inner <- Filter(length, lapply(Filter(is.list, content), records_by_keys))
    if (length(inner) == 1) found <- inner[[1]]
  }
  found %||% records
}

# The name of the system among the values of an object that also has an array or object of records.
system_of_content <- function(content) {
  is_object <- length(names(content)) > 0 && any(vapply(content, is.list, NA))
  named <- if (is_object) Filter(is_string, content[columns_of_role(names(content), "system")])
  if (length(named) == 1) named[[1]]
}

# The records in an object whose names identify them; NULL for other values. A name is that of a question or a system.
# A record may be only an outcome, such as true or "fail", or a number, which is a score.
records_by_keys <- function(content) {
  if (!has_keys(content)) return(NULL)
  # A question may have no record at all.
  content <- Filter(function(one) !is.list(one) || length(one) > 0, content)
  if (is_outcomes(content)) return(Map(outcome_record, content, id = names(content)))
  if (all(vapply(content, are_records, NA))) return(records_of_arrays_by_key(content))
  if (all(vapply(content, has_keys, NA, enough = 1))) records_by_two_keys(content)
}

# The records in an object of objects by systems and questions, or by questions and systems. Without answers, the names
# that are no questions may also be those of raters, so the user must say what `key` is.
records_by_two_keys <- function(content) {
  records <- unlist(unname(content), recursive = FALSE)
  outer <- names(content)
  inner <- unique(names(records))
  are_answers <- length(inner) < length(records) && are_rated(records)
  if (!are_answers && !(is_outcomes(records) && are_questions(inner) != are_questions(outer))) return(NULL)
  if (!are_answers) records <- lapply(records, outcome_record)
  ids <- list(rep(outer, lengths(content)), names(records))
  names(ids) <- if (names_questions(outer, inner)) c("id", "key") else c("key", "id")
  role <- role_of_keys(records)
  unname(Map(function(record, id, key) c(list(id = id), stats::setNames(list(key), role), record), records, ids$id,
             ids$key))
}

# The fields of most records, because some may lack one of them.
usual_fields <- function(records) names(which(table(unlist(lapply(records, names))) > length(records) / 2))

are_rated <- function(records) {
  all(vapply(records, is.list, NA)) &&
    (role_of_keys(records) == "system" || any(has_role(usual_fields(records), c("gain", "grades", "score"))))
}

# The name of a column for names that belong to records: systems have answers, raters may have ratings only.
role_of_keys <- function(records) {
  fields <- usual_fields(records)
  if (length(c(columns_of_role(fields, "answer"), possible_columns(fields, "answer")))) "system" else "key"
}

# Whether a value is an object whose names may identify records, because none is known for a column.
has_keys <- function(value, enough = 2) {
  is_object(value, enough) && !anyDuplicated(names(value)) && !names_fields(value)
}

is_outcomes <- function(values) {
  if (!all(lengths(values) <= 1 & !vapply(values, is.list, NA))) return(FALSE)
  values <- unlist(values)
  is.logical(values) || is.numeric(values) || mean(lower_ascii(values) %in% c(right_words, wrong_words)) > 0.5
}

outcome_record <- function(value, ...) {
  c(list(...), stats::setNames(list(value), if (is.numeric(value)) "score" else "passed"))
}

# Whether identifiers look like those of questions: they differ only in numbers, or are texts of questions.
are_questions <- function(keys) {
  length(keys) > 1 && length(unique(gsub("[0-9]+", "", keys))) == 1 || any(grepl("[?]|( .*){3}", keys))
}

# Whether the names of an object are questions, and those of the objects within it systems.
names_questions <- function(outer, inner) {
  if (are_questions(outer) != are_questions(inner)) return(are_questions(outer))
  check_that(length(outer) >= length(inner), "x", c(
    "has objects within objects: either {.val {outer[1]}} or {.val {inner[1]}} may be a system.",
    i = "Write an array of records, each with a {.field system} and an {.field id}."
  ), kind = "columns")
  TRUE
}

# Arrays of records by the names of systems or raters, if they have questions in common, or else of questions, or of
# tasks.
records_of_arrays_by_key <- function(content) {
  fields <- Reduce(intersect, lapply(unlist(unname(content), recursive = FALSE), names))
  id <- columns_of_role(fields, "query")
  question <- c(id, columns_of_role(fields, "question"), "")[1]
  has_system <- length(columns_of_role(fields, "system")) > 0
  asked <- lapply(content, function(records) unique(lapply(records, function(record) record[[question]])))
  of_systems <- !has_system && nzchar(question) && anyDuplicated(unlist(asked, recursive = FALSE)) > 0
  role <- if (of_systems) role_of_keys(unlist(unname(content), FALSE)) else if (length(id)) "task" else "id"
  of_samples <- !of_systems && !has_system && any(lengths(content) > lengths(asked)) &&
    !length(columns_of_role(fields, "sample"))
  unlist(unname(Map(function(key, records) {
    Map(function(record, number) {
      is_known <- role == "task" && identical(id_text(record[[id[1]]]), key)
      c(if (!is_known) stats::setNames(list(key), role), if (of_samples) list(sample = number), record)
    }, records, seq_along(records))
  }, names(content), content)), recursive = FALSE)
}

# Arrays of the identifiers of questions by outcome, such as {"resolved_ids": [...], "submitted_ids": [...]}: those in
# the array whose name is known for a rating are passed, all others are not.
records_of_id_lists <- function(content) {
  is_ids <- vapply(content, function(value) is.list(value) && all(vapply(value, is_string, NA)), NA)
  stem <- sub("_ids$", "", names(content))
  passed <- names(content)[is_ids & has_role(stem, "gain")]
  if (length(passed) != 1) return(NULL)
  lists <- lapply(content[is_ids], unlist)
  others <- lists[names(lists) != passed]
  has_rest <- any(grepl(paste0("^(un|in|not|non)_?", stem[names(content) == passed], "|fail|wrong"), names(others)))
  is_whole <- has_rest || any(vapply(others, function(ids) length(ids) && all(lists[[passed]] %in% ids), NA))
  check_that(is_whole, "x", c(
    "lists the questions that are {.val {passed}}, but not all others.",
    i = "Add an array of all questions, such as {.field all_ids}."
  ), kind = "columns")
  ids <- unique(unlist(lists))
  Map(function(id, passed) list(id = id, passed = passed), ids, ids %in% lists[[passed]])
}

# Where records have conversations, as APIs of language models write them, adds the first message of the user as the
# question and the last one of the model as the answer.
with_answers_of_chats <- function(records) {
  if (!length(records)) return(records)
  fields <- names(records[[1]])
  chat <- fields[fields %in% c("messages", "conversation", "conversations", "choices")]
  if (length(chat) != 1) return(records)
  lacking <- Filter(function(role) !length(columns_of_role(fields, role)), c("question", "answer"))
  lapply(records, function(record) c(record, Filter(length, texts_of_chat(record[[chat]])[lacking])))
}

# The tracks of TREC on generation give an answer as an array of sentences with their citations, beside its `metadata`
# and the cited `documents`.
with_cited_texts <- function(records) {
  is_cited <- function(part) all(c("text", "citations") %in% names(part))
  are_cited <- function(value) is.list(value) && length(value) && all(vapply(value, is_cited, NA))
  lapply(records, function(record) {
    cited <- names(Filter(are_cited, record))
    if (!length(cited)) return(record)
    record[cited] <- lapply(record[cited], function(parts) {
      paste(vapply(parts, function(part) flat_text(part[["text"]]), ""), collapse = " ")
    })
    if (is.list(record[["documents"]])) record$documents <- content_text(Filter(is.list, record$documents))
    names(record)[names(record) == "documents"] <- "context"
    names(record)[names(record) %in% setdiff(cited, answer_columns()$name)] <- "answer"
    c(record[["metadata"]], record[names(record) != "metadata"])
  })
}

# MT-bench has an array "turns" of the texts of the model.
texts_of_chat <- function(messages) {
  if (!length(messages) || any(lengths(lapply(messages, names)) == 0)) return(list())
  if (length(messages[[1]]$turns)) return(list(answer = content_text(messages[[1]]$turns)))
  speaker <- vapply(messages, function(message) id_text(message[["role"]] %||% message[["from"]] %||% ""), "")
  texts <- vapply(messages, function(message) content_text(message[["content"]] %||% message[["value"]]), "")
  list(question = texts[speaker %in% c("user", "human")][1],
       answer = utils::tail(texts[speaker %in% c("assistant", "gpt")], 1))
}

# If each record is a question with an array of answers that name their systems, or with an object of answers by their
# systems, returns one record per answer.
records_of_systems <- function(records) {
  names_system <- function(record) length(columns_of_role(names(record), "system")) > 0
  if (!length(records) || names_system(records[[1]])) return(records)
  # Within a record that has an answer, such objects are scores by criteria.
  has_answer <- length(columns_of_role(names(Filter(Negate(is.list), records[[1]])), "answer")) > 0
  if (!has_answer) records <- lapply(records, with_answers_of_objects)
  inner <- names(Filter(is_array_of_records, records[[1]]))
  is_rated <- function(record) any(has_role(names(record), c("gain", "grades")))
  are_answers <- function(record) names_system(record) || !has_answer && is_rated(record)
  if (length(inner) != 1 || !are_answers(records[[1]][[inner]][[1]])) return(records)
  unlist(lapply(records, spread_record, inner), recursive = FALSE)
}

# Replaces an object of answers by their systems, such as {"gpt": {"text": ...}} or "responses": {"gpt": "..."}, and
# objects of the same systems, such as "ratings": {"gpt": 4} or {"ann": {"gpt": 4}}, by an array of answers that name
# their systems.
with_answers_of_objects <- function(record) {
  found <- Filter(function(name) are_by_system(record[[name]], name), names(record))
  if (!length(found)) return(record)
  first <- found[order(!name_key(found) %in% texts_by_system)][1]
  systems <- names(record[[first]])
  of_systems <- function(value) is_object(value, 1) && all(names(value) %in% systems)
  same <- setdiff(names(Filter(of_systems, record)), first)
  by_rater <- names(Filter(function(value) is_object(value, 1) && all(vapply(value, of_systems, NA)), record))
  answers <- lapply(systems, function(system) {
    answer <- record[[first]][[system]]
    own <- c(lapply(record[same], `[[`, system), lapply(record[by_rater], lapply, `[[`, system))
    c(list(system = system), if (is_object(answer, 1)) answer else list(answer = answer),
      stats::setNames(own, sub("^scores$", "score", names(own))))
  })
  c(record[setdiff(names(record), c(first, same, by_rater))], stats::setNames(list(answers), first))
}

several_texts <- c("responses", "outputs", "completions", "predictions", "generations", "modeloutputs",
                   "modelresponses", "systemoutputs")
texts_by_system <- c(several_texts, "answers", "modeloutput", "models", "systems")

are_by_system <- function(value, name) {
  name_key(name) %in% texts_by_system && is_object(value) && all(vapply(value, is_string, NA)) ||
    is_object_of_answers(value)
}

# Names of arrays of several answers to a question.
several_answers <- c(several_texts, "samples")

# If each record has an array of several answers, such as completions of a prompt, returns one record per answer, with
# its number and its numbers, such as scores, in arrays as long. As labels of one answer may also be an array, without
# such numbers there must be as many answers in each record.
records_of_samples <- function(records) {
  fields <- Reduce(intersect, unique(lapply(records, names)))
  answer <- columns_of_role(fields, "answer")
  if (!length(answer)) answer <- fields[name_key(fields) %in% several_answers]
  if (length(answer) != 1 || any(has_role(fields, "sample"))) return(records)
  texts <- lapply(records, `[[`, answer)
  # A system that failed has null in place of a text, or of all of them.
  is_text <- function(one) is_string(one) || all(is.na(one))
  are_texts <- function(value) is.null(names(value)) && all(vapply(value, is_text, NA))
  if (max(lengths(texts)) < 2 || !all(vapply(texts, are_texts, NA))) return(records)
  spread <- lapply(records, samples_of_record, answer)
  refuse_other_lengths(records, answer)
  is_certain <- length(unique(lengths(texts))) == 1 || all(vapply(spread, attr, NA, "has_numbers"))
  if (is_certain) unlist(spread, recursive = FALSE) else records
}

# The roles that columns with names of such arrays have if their rows are single answers.
roles_of_samples <- function(rows) {
  if (!"sample" %in% names(rows) || length(columns_of_role(names(rows), "answer"))) return(list())
  is_answer <- name_key(names(rows)) %in% several_answers & vapply(rows, is.character, NA)
  Filter(length, list(answer = names(rows)[is_answer]))
}

samples_of_record <- function(record, answer) {
  texts <- if (length(record[[answer]])) record[[answer]] else list(NULL)
  others <- record[names(record) != answer]
  own <- lapply(seq_along(texts), function(number) lapply(others, number_of_sample, number, length(texts)))
  samples <- Map(function(text, own, number) c(stats::setNames(list(text), answer), own, sample = number),
                 texts, own, seq_along(texts))
  structure(unname(samples), has_numbers = length(texts) == 1 || !identical(own[[1]], others))
}

# Raises an error if ratings or grades in a record are an array of another length than its answers.
refuse_other_lengths <- function(records, answer) {
  n <- lengths(lapply(records, `[[`, answer))
  # Where records differ in their numbers of answers, an array of ratings may be of several raters of one answer.
  skipped <- if (length(unique(n)) > 1) rating_arrays
  for (i in which(n > 1)) {
    values <- leaves(records[[i]][!name_key(names(records[[i]])) %in% skipped])
    opinions <- values[unlist(lapply(c("gain", "grades", "score"), columns_of_role, columns = names(values)))]
    wrong <- Filter(function(value) {
      is.list(value) && !length(value) %in% c(0, n[i]) && are_numbers_of_samples(value)
    }, opinions)
    check_that(!length(wrong), "x", "has {n[i]} answers in {.field {answer}}, but
      {counted(length(wrong[[1]]), 'number')} in {.field {names(wrong)[1]}}, in record {format_count(i)}.",
      kind = "columns", columns = names(wrong), rows = i)
  }
}

# The values in a record and in the objects within it, by names such as "scores.gpt4".
leaves <- function(value, name = NULL) {
  if (is.null(names(value))) return(stats::setNames(list(value), name))
  do.call(c, unname(Map(function(one, key) leaves(one, paste(c(name, key), collapse = ".")), value, names(value))))
}

are_numbers_of_samples <- function(value) {
  is.null(names(value)) && all(vapply(value, function(one) is.null(one) || is.numeric(one) || is.logical(one), NA))
}

# The number of the sample in an array of a number for each of `n` samples, or in such arrays within objects; other
# values stay.
number_of_sample <- function(value, number, n) {
  if (!is.null(names(value))) return(lapply(value, number_of_sample, number, n))
  if (length(value) == n && are_numbers_of_samples(value)) value[[number]] else value
}

# Where one person or grader rated, some tools write an object in place of an array of one.
with_arrays_of_raters <- function(records) {
  lapply(records, function(record) {
    is_lone <- vapply(record, is_rated_by_one, NA)
    record[is_lone] <- lapply(record[is_lone], list)
    record
  })
}

is_rated_by_one <- function(value) {
  found <- if (is_object(value)) rater_columns(names(value))
  length(found$rater) == 1 && length(found$rating) > 0
}

# If each record has an array of what people rated by several criteria, returns one record per person, because an object
# of ratings by their raters would keep one criterion only.
records_of_raters <- function(records) {
  inner <- unique(unlist(lapply(records, function(record) names(Filter(are_rated_by_criteria, record)))))
  if (length(inner) != 1) return(records)
  unlist(lapply(records, function(record) {
    if (!are_records(record[[inner]])) return(list(record[names(record) != inner]))
    # An annotation may have an identifier of its own, which is not that of the question.
    own <- names(record)[has_role(names(record), roles_of_answers)]
    record[[inner]] <- lapply(record[[inner]], function(one) one[!names(one) %in% own])
    spread_record(record, inner)
  }), recursive = FALSE)
}

roles_of_answers <- c("system", "query", "question", "answer", "context", "sample")

# Whether the records of an array have one rater each, who is a person, and further numbers than one known rating.
are_rated_by_criteria <- function(value) {
  if (!are_records(value)) return(FALSE)
  found <- rater_columns(names(value[[1]]))
  numbers <- names(Filter(is.numeric, leaves(value[[1]])))
  numbers <- setdiff(numbers[!has_role(numbers, roles_of_answers)], found$rater)
  identical(found$kind, "ratings") && length(found$rater) == 1 && length(setdiff(numbers, found$rating[1])) > 0
}

# Arrays of records of one rater and one rating each become objects of ratings named by their raters. A single such
# array of people, graders or judges holds the ratings or grades of the answers, whatever its name; several are
# criteria, which keep their names.
with_raters <- function(records) {
  fields <- unique(unlist(lapply(records, names)))
  rater_fields <- grep("[.]responses[.]users$", fields, value = TRUE)
  if (length(rater_fields) || "responses" %in% fields) records <- lapply(records, with_responses, rater_fields)
  found <- lapply(records, function(record) Filter(length, lapply(record, ratings_by_rater)))
  kind <- unlist(lapply(unname(found), vapply, attr, "", "kind"))
  kind <- kind[!duplicated(names(kind))]
  renamed <- kind[!kind %in% kind[duplicated(kind)] & !"ratings" %in% unlist(lapply(records, names))]
  Map(function(record, ratings) {
    record[names(ratings)] <- ratings
    is_renamed <- names(record) %in% intersect(names(renamed), names(ratings))
    names(record)[is_renamed] <- renamed[names(record)[is_renamed]]
    record
  }, records, found)
}

# Gives a record of Argilla a field for each criterion, with an array of ratings and their raters. Depending on the
# version, ratings are in an object `responses` or in arrays, whose raters are in the fields `raters`.
with_responses <- function(record, raters) {
  for (column in intersect(raters, names(record))) {
    ratings <- sub("[.]users$", "", column)
    record[[sub("[.]responses$", "", ratings)]] <- unname(Map(function(rating, rater) {
      list(rating = rating, rater = rater)
    }, record[[ratings]], record[[column]]))
    record[c(ratings, column)] <- NULL
  }
  by_criterion <- record["responses"][[1]]
  of_raters <- is.list(by_criterion) && all(lengths(lapply(by_criterion, ratings_by_rater)) > 0)
  if (of_raters) c(record[names(record) != "responses"], by_criterion) else record
}

# The ratings in an array of such records, named by their raters; NULL for other values, and if a rater occurs twice.
# Their `kind` says who rated.
ratings_by_rater <- function(value) {
  if (!are_records(value)) return(NULL)
  found <- rater_columns(names(value[[1]]))
  if (!all(lengths(found) == 1)) return(NULL)
  raters <- vapply(value, function(one) id_text(one[[found$rater]] %||% "unknown"), "")
  if (anyDuplicated(raters)) return(NULL)
  structure(lapply(value, `[[`, found$rating), names = raters, kind = found$kind)
}

# The columns of the rater and the rating in such records, and the name of their array by who rated.
rater_columns <- function(columns) {
  kinds <- c(ratings = "assessor", grades = "grader", judges = "possible grader")
  kind <- Find(function(kind) any(has_role(columns, kinds[[kind]])), names(kinds))
  rater <- if (length(kind)) columns[has_role(columns, kinds[[kind]])]
  rating <- setdiff(columns[has_role(columns, "gain") | name_key(columns) == "score"], rater)
  if (!length(rating)) rating <- columns[has_role(columns, "score")]
  list(rater = rater, rating = rating, kind = kind)
}
