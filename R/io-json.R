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

# Records as a data frame of plain columns. Values in an object of a record become columns named like "scores.gpt4".
records_frame <- function(records) {
  flat <- lapply(with_single_ratings(records), function(one) if (has_plain_values(one)) one else flat_record(one))
  columns <- unique(unlist(lapply(flat, names)))
  list2DF(lapply(stats::setNames(nm = columns), function(column) {
    # A null, which Python writes for a failed computation, differs from an absent field.
    flat_column(lapply(flat, function(record) if (column %in% names(record)) record[[column]] %||% logical()))
  }))
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

# The rows of runs or judgments in JSON: an object with an object of documents for each query, as in pytrec_eval, ranx
# and BEIR, or records or lists of documents. NULL for other files. `value`: the column of the numbers in such objects.
rows_in_json <- function(path, encoding, what, value, arg) {
  start <- beginning_of_file(path, encoding, arg)$text
  if (!isTRUE(grepl('^[ \t]*([{] *("|$)|[[] *([{]|$))', start, useBytes = TRUE))) return(NULL)
  content <- parse_json(normal_bytes(read_bytes(path, arg), path, encoding, arg)$bytes, path, arg)
  knows <- function(names, columns) any(columns %in% standard_names(names, what))
  has_objects <- !is.null(names(content)) && all(vapply(content, is.list, NA))
  has_columns <- knows(names(content), c("query", "doc"))
  rows <- if (has_objects && !has_columns) rows_of_objects(content, path, value, arg)
  if (!is.null(rows)) return(rows)
  records <- lists_by_query(content, knows) %||%
    if (any(vapply(content, are_records, NA))) list(content) else records_of(content)
  records <- records_of_lists(records, knows, value)
  if (!all(lengths(lapply(records, names)) > 0)) return(NULL)
  without_null_gains(as.data.frame(records_frame(records), optional = TRUE), path, what)
}

# Search engines give documents that nobody judged a rating of null.
without_null_gains <- function(rows, path, what) {
  gain <- rows[[match("gain", standard_names(names(rows), what))]]
  null <- if (what == "judgments" && is.double(gain)) which(is.nan(gain))
  if (!length(null)) return(rows)
  inform_judicious("{counted(length(null), 'document')} in {.file {path}} whose rating is null
    {cli::qty(length(null))}{?is/are} left out.", "null_gains", rows = null)
  rows[-null, , drop = FALSE]
}

# Whether a value is an array of identifiers, or of pairs of an identifier and a score; numbers with decimals identify
# nothing.
are_ids <- function(x) {
  if (!is.list(x) || !length(x) || !all(lengths(x) %in% 1:2) || !is.null(names(unlist(x)))) return(FALSE)
  parts <- unlist(x, recursive = FALSE)
  ids <- unlist(lapply(x, `[[`, 1), recursive = FALSE)
  !any(vapply(parts, is.list, NA)) && (is.character(ids) || is.numeric(ids) && all(ids %% 1 == 0))
}

# Whether a field of a record has documents: an array of records, or of identifiers if its name says so.
holds_documents <- function(value, name) {
  named <- grepl("doc|hit|result|item|recomm|retriev|rank|candidate|predict|passage|list|top|ids?$", name,
                 ignore.case = TRUE)
  are_records(value) || named && are_ids(value)
}

# A record per query where the names of an object, or of one within it, are those of queries, with a list of documents
# each: {"q1": ["d1", "d2"]}, {"details": {"q1": {"hits": [...]}}}. NULL for other content.
lists_by_query <- function(content, knows) {
  objects <- if (!is.null(names(content))) Filter(function(one) length(names(one)) > 0, content)
  are_lists <- function(object) length(names(object)) > 1 && all(vapply(object, is_list_of_query, NA, knows))
  object <- Find(are_lists, c(list(content), objects))
  if (is.null(object)) return(NULL)
  unname(Map(function(query, one) c(list(query = query), with_list_named(one)), names(object), object))
}

# Whether a value is a list of documents, or has one, which are not themselves queries with their documents.
is_list_of_query <- function(value, knows) {
  fields <- with_list_named(value)
  any(mapply(holds_documents, fields, names(fields))) && !any(vapply(fields, are_queries, NA, knows))
}

with_list_named <- function(value) if (length(names(value))) value else list(docs = value)

are_queries <- function(value, knows) {
  are_records(value) && any(vapply(value, function(record) {
    knows(names(record), "query") || any(vapply(record, are_records, NA))
  }, NA))
}

# Where each record has a list of documents, such as {"query": "q", "ratings": [{"docid": "d", "rating": 1}]}, one
# record per document, at any depth. Of several lists, the one with numbers counts, such as `hits` of Elasticsearch.
records_of_lists <- function(records, knows, value) {
  records <- lapply(records, without_objects)
  lists <- unique(unlist(lapply(records, function(record) {
    may_hold_ids <- value == "score" && !knows(names(record), "doc")
    names(record)[mapply(if (may_hold_ids) holds_documents else function(one, name) are_records(one), record,
                         names(record))]
  })))
  has_value <- function(name) {
    any(vapply(records, function(record) are_records(record[[name]]) &&
                 knows(names(without_objects(record[[name]][[1]])), c(value, "rank")), NA))
  }
  counted <- if (length(lists) > 1) Filter(has_value, lists) else lists
  if (length(counted) != 1 || all(vapply(records, function(record) knows(names(record), "doc"), NA))) return(records)
  records <- lapply(records, function(record) record[!names(record) %in% setdiff(lists, counted)])
  records_of_lists(unlist(lapply(records, listed_records, counted, knows, value), FALSE), knows, value)
}

# A record per document in the list `name` of a record, with the other fields of the record. An identifier in the record
# is that of the query, one in the list that of the document. In runs without ranks and scores, the place in the list
# is the rank, unless the list has gains, as judgments have.
listed_records <- function(record, name, knows, value) {
  outer <- with_identifier(record[names(record) != name], "query", knows)
  lapply(seq_along(record[[name]]), function(i) {
    one <- record[[name]][[i]]
    # A record with a list in a list that is not yet of a query is a query.
    is_query <- any(vapply(one, are_records, NA)) && !knows(names(outer), "query")
    one <- if (is_query) one else if (length(names(one))) with_identifier(without_objects(one), "doc", knows) else
      stats::setNames(as.list(one), c("doc", value)[seq_along(one)])
    is_place <- value == "score" && knows(names(one), "doc") && !knows(names(one), c("rank", "score", "gain"))
    c(outer[setdiff(names(outer), names(one))], one, if (is_place) list(rank = i))
  })
}

# A record in which `id` or `_id` is called by its role, unless another field has this role.
with_identifier <- function(record, role, knows) {
  id <- names(record) %in% c("id", "_id")
  if (sum(id) == 1 && !knows(names(record), role)) names(record)[id] <- role
  record
}

# A record with the fields of the objects in it, which keep their names where these are unique.
without_objects <- function(record) {
  is_object <- vapply(record, function(one) is.list(one) && length(names(one)) > 0, NA)
  inner <- unlist(unname(lapply(record[is_object], without_objects)), recursive = FALSE)
  if (!length(inner) || anyDuplicated(c(names(record)[!is_object], names(inner)))) return(record)
  c(record[!is_object], inner)
}

# A record per element of the array `inner` of a record, with the other fields of the record.
spread_record <- function(record, inner) {
  lapply(record[[inner]], function(one) c(record[setdiff(names(record), c(inner, names(one)))], one))
}

# The object in a cell of a table, in JSON or as Python writes it; NULL for other texts.
object_in_cell <- function(text) {
  parse <- function(text) tryCatch(jsonlite::fromJSON(text, simplifyVector = FALSE), error = function(cnd) NULL)
  plain <- c("'" = "\"", "\\bTrue\\b" = "true", "\\bFalse\\b" = "false", "\\bNone\\b" = "null")
  parse(text) %||% parse(Reduce(function(text, word) gsub(word, plain[[word]], text), names(plain), text))
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
