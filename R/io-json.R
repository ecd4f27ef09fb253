# Reads JSON and JSON Lines as lists, as records, and as columns.

# Names that differ only in case and in marks between words are the same: "Question ID", "question_id", "questionId".
name_key <- function(names) gsub("[ _.-]+", "", lower_ascii(names))

begins_json <- function(text) grepl("^[ \t]*[[{]", text, useBytes = TRUE)

# The content of JSON or JSON Lines as lists.
parse_json <- function(bytes, path, arg) {
  need_package("jsonlite", "Reading JSON")
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  # Python writes NaN and Infinity, which are not valid JSON. The pattern skips strings, where they may be text.
  non_finite <- "\"(?:[^\"\\\\]++|\\\\.)*+\"(*SKIP)(*FAIL)|(?:-?Infinity|NaN)\\b"
  if (grepl("NaN|Infinity", text)) text <- gsub(non_finite, "null", text, perl = TRUE)
  # jsonlite keeps integers from 2^53 on as text, but only if they fit into 64 bits, so longer ones are put in quotes.
  long_integer <- "\"(?:[^\"\\\\]++|\\\\.)*+\"(*SKIP)(*FAIL)|(?<![0-9.eE+-])(-?[0-9]{19,}+)(?![.eE])"
  if (grepl("[0-9]{19}", text)) text <- gsub(long_integer, "\"\\1\"", text, perl = TRUE)
  lines <- grep("[^ \t]", strsplit(text, "\r\n?|\n")[[1]], value = TRUE)
  by_line <- length(lines) > 1 && isTRUE(jsonlite::validate(lines[1]))
  joined <- if (by_line) paste0("[", paste(lines, collapse = ","), "]") else text
  content <- tryCatch(jsonlite::fromJSON(joined, simplifyVector = FALSE, bigint_as_char = TRUE), error = identity)
  if (!inherits(content, "error")) return(with_distinct_keys(content, path, arg))
  bad <- if (by_line) Find(function(line) !isTRUE(jsonlite::validate(line)), lines)
  bad_line <- if (by_line) match(bad, strsplit(text, "\r\n?|\n")[[1]])
  why <- if (!by_line) gsub("[^ -~]+", " ", substr(conditionMessage(content), 1, 80))
  abort_judicious(c("{.arg {arg}}: {if (by_line) sprintf('line %d of ', bad_line)}{.file {path}} is no valid JSON.",
                    x = if (!by_line) "{why}"), "file", argument = arg, path = path, line = bad_line)
}

# Raises an error if an object has a key twice, because programs differ in which value they take.
with_distinct_keys <- function(content, path, arg) {
  i <- anyDuplicated(names(content))
  if (i) abort_judicious("{.arg {arg}}: an object in {.file {path}} has the key {.val {names(content)[i]}} twice.",
                         "file", argument = arg, path = path)
  for (part in content) if (is.list(part)) with_distinct_keys(part, path, arg)
  content
}

# The records in an array, in an object of columns (as pandas writes it), or in an object with a single array of
# records.
records_of <- function(content) {
  if (is.null(names(content))) return(content)
  # Tables of MLflow, W&B and pandas have the names of the columns apart from the rows.
  of_table <- all(c("columns", "data") %in% names(content)) && all(lengths(content$data) == length(content$columns))
  if (of_table) return(lapply(content$data, stats::setNames, unlist(content$columns)))
  is_array <- vapply(content, is_array_of_records, NA)
  if (sum(is_array) == 1) return(content[[which(is_array)]])
  if (!are_columns(content)) return(list(content))
  columns <- lapply(content, unname)
  lapply(seq_along(columns[[1]]), function(i) lapply(columns, `[[`, i))
}

# Whether an object has arrays of the same length, or objects with the same names, as pandas writes columns.
are_columns <- function(content) {
  all(vapply(content, is.list, NA)) && length(unique(lengths(content))) == 1 &&
    length(unique(lapply(content, names))) == 1
}

are_records <- function(x) is.list(x) && length(x) && is.null(names(x)) && all(lengths(lapply(x, names)) > 0)

is_array_of_records <- function(x) length(x) > 1 && are_records(x)

# Records, or a data frame with lists and data frames in its columns, as a data frame of plain columns. Values in an
# object of a record become columns named like "scores.gpt4".
records_frame <- function(records) {
  if (is.data.frame(records)) {
    frame <- plain_frame(records)
    plain <- Map(function(value, name) {
      if (!is.list(value)) return(stats::setNames(list(flat_column(value)), name))
      inner <- records_frame(if (is.data.frame(value)) value else in_records(value, name))
      if (is.data.frame(value)) names(inner) <- paste0(name, ".", names(inner), recycle0 = TRUE)
      as.list(inner)
    }, frame, names(frame))
    return(list2DF(as.list(do.call(c, unname(plain)))))
  }
  flat <- lapply(with_single_ratings(records), function(one) if (has_plain_values(one)) one else flat_record(one))
  columns <- unique(unlist(lapply(flat, names)))
  list2DF(lapply(stats::setNames(nm = columns), function(column) {
    # A null, which Python writes for a failed computation, differs from an absent field.
    flat_column(lapply(flat, function(record) if (column %in% names(record)) record[[column]] %||% logical()))
  }))
}

# A list in a column as records with one field. Vectors become arrays, if any of them has several elements.
in_records <- function(values, name) {
  several <- any(lengths(values) > 1)
  lapply(values, function(one) stats::setNames(list(if (several && !is.list(one)) as.list(one) else one), name))
}

# If no record has several ratings in an array, which does not name the rater either, the array is a plain rating.
with_single_ratings <- function(records) {
  for (name in Filter(function(name) name_key(name) %in% rating_arrays, unique(unlist(lapply(records, names))))) {
    arrays <- lapply(records, `[[`, name)
    is_single <- all(lengths(arrays) <= 1) && is.null(unlist(lapply(arrays, names)))
    if (is_single) records <- Map(function(record, array) replace(record, name, list(unlist(array))), records, arrays)
  }
  records
}

# Names of objects and arrays that hold one value per rater, and names of ratings that may be such arrays.
rating_lists <- c("ratings", "humanratings", "humanscores")
rating_arrays <- c(rating_lists, "rating", "humanrating", "humanscore")

has_plain_values <- function(record) all(lengths(record) == 1) && !any(vapply(record, is.list, NA))

flat_record <- function(record) {
  parts <- lapply(names(record), function(name) {
    value <- record[[name]]
    of_raters <- is.list(value) && name_key(name) %in% rating_arrays && !any(vapply(value, is.list, NA))
    # An answer without ratings has no columns of ratings.
    if (of_raters && !length(value)) return(NULL)
    if (of_raters) names(value) <- names(value) %||% seq_along(value)
    value <- if (is_array_of_scores(value)) by_criterion(value) else named_values(value)
    if (!is.list(value) || !length(names(value))) return(stats::setNames(list(value), name))
    inner <- flat_record(value)
    stats::setNames(inner, paste0(name, ".", names(inner)))
  })
  do.call(c, parts)
}

# Whether an array has an object of the same numbers for each rater, such as [{"fluency": 5}, {"fluency": 4}].
is_array_of_scores <- function(x) {
  is_array_of_records(x) && all(vapply(x, function(one) setequal(names(one), names(x[[1]])), NA)) &&
    all(vapply(unlist(x, recursive = FALSE), function(value) is.numeric(value) && length(value) == 1, NA))
}

# An array of numbers with names, such as [{"name": "bleu", "value": 0.5}], as an object of the numbers; other values
# stay as they are. The name may be in an object itself, as those of HELM.
named_values <- function(x) {
  if (!is_array_of_records(x)) return(x)
  field <- function(one, names) one[[c(intersect(names, names(one)), "")[1]]]
  key <- lapply(x, field, c("name", "metric", "key"))
  key <- lapply(key, function(one) if (is.list(one)) one$name else one)
  value <- lapply(x, field, c("value", "score", "mean"))
  are_numbers <- all(vapply(value, is.numeric, NA) | lengths(value) == 0) && any(lengths(value) > 0)
  if (are_numbers && all(vapply(key, is_string, NA)) && !anyDuplicated(key)) stats::setNames(value, unlist(key)) else x
}

# For each criterion, an object of the numbers of the raters, who are numbered.
by_criterion <- function(scores) {
  lapply(stats::setNames(nm = names(scores[[1]])), function(criterion) {
    stats::setNames(lapply(scores, `[[`, criterion), seq_along(scores))
  })
}

# Converts values to numbers if all are numeric, otherwise to text. The parts of an array, such as passages, are
# paragraphs.
flat_column <- function(values) {
  if (is.factor(values)) return(as.character(values))
  if (!is.list(values)) return(values)
  single <- lengths(values) <= 1 & !vapply(values, is.list, NA)
  present <- values[lengths(values) > 0]
  if (all(single) && all(vapply(present, is.numeric, NA) | vapply(present, is.logical, NA))) {
    return(vapply(values, function(value) {
      if (length(value)) as.numeric(value) else if (is.null(value)) NA_real_ else NaN
    }, 0))
  }
  if (!all(single) || !all(vapply(present, is.character, NA))) return(vapply(values, flat_text, ""))
  replace(rep(NA_character_, length(values)), lengths(values) > 0, id_text(unlist(values)))
}

flat_text <- function(value) {
  if (!length(value) || identical(value, NA_character_)) return(NA_character_)
  paste(vapply(unlist(value), id_text, ""), collapse = "\n\n")
}

# The rows of runs or judgments in JSON: an object with an object of documents for each query, as in pytrec_eval, ranx
# and BEIR, or records. NULL for other files. `value`: the column of the numbers in such objects.
rows_in_json <- function(path, encoding, what, value, arg) {
  start <- beginning_of_file(path, encoding, arg)$text
  if (!isTRUE(grepl('^[ \t]*([{] *("|$)|[[] *([{]|$))', start, useBytes = TRUE))) return(NULL)
  content <- parse_json(normal_bytes(read_bytes(path, arg), path, encoding, arg)$bytes, path, arg)
  has_columns <- any(c("query", "doc") %in% standard_names(names(content), what))
  has_objects <- !is.null(names(content)) && all(vapply(content, is.list, NA))
  rows <- if (has_objects && !has_columns) rows_of_objects(content, path, value, arg)
  if (!is.null(rows)) return(rows)
  records <- records_of_arrays(if (any(vapply(content, are_records, NA))) list(content) else records_of(content), what)
  if (all(lengths(lapply(records, names)) > 0)) as.data.frame(records_frame(records), optional = TRUE)
}

# Where each record has an array of records of documents, such as {"query": "q", "hits": [{"docid": "d", "score": 1}]},
# one record per document.
records_of_arrays <- function(records, what) {
  has_document <- all(vapply(records, function(record) "doc" %in% standard_names(names(record), what), NA))
  arrays <- unique(unlist(lapply(records, function(record) names(Filter(are_records, record)))))
  if (has_document || length(arrays) != 1) return(records)
  records_of_arrays(unlist(lapply(records, spread_record, arrays), FALSE), what)
}

# A record per element of the array `inner` of a record, with the other fields of the record.
spread_record <- function(record, inner) {
  lapply(record[[inner]], function(one) c(record[setdiff(names(record), c(inner, names(one)))], one))
}

# A row per document in the object of each query; NULL if these objects hold something else than a number each.
rows_of_objects <- function(content, path, value, arg) {
  query <- rep(names(content), lengths(content))
  doc <- unlist(lapply(unname(content), names))
  numbers <- lapply(unlist(unname(content), recursive = FALSE, use.names = FALSE), function(x) x %||% NA)
  if (length(doc) != length(numbers) || any(lengths(numbers) != 1 | vapply(numbers, is.list, NA))) return(NULL)
  number <- suppressWarnings(as.numeric(unlist(numbers)))
  wrong <- which(!is.finite(number))
  check_that(!length(wrong), arg, "{.arg {arg}}: the {value} of document {.val {doc[wrong[1]]}} for query
    {.val {query[wrong[1]]}} in {.file {path}} is no finite number.", kind = "columns", path = path, columns = value,
    rows = wrong)
  list2DF(stats::setNames(list(query, doc, number), c("query", "doc", value)))
}
