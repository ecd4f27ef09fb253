# Reads a file of answers of systems to questions, one row per answer or rating: a table, JSON, or what a tool writes.

# The names of the columns of a table in lower case, read from the beginning of the file. Runs in JSON count as a table;
# NULL for other JSON and for logs of Inspect.
columns_of_file <- function(path) {
  if (length(inspect_members(path))) return(NULL)
  if (holds_parquet(path)) return(lower_ascii(parquet_files(path, "runs")$columns))
  beginning <- beginning_of_file(path, NULL, "runs")
  text <- beginning$text %||% ""
  # Runs in the JSON of pytrec_eval and BEIR, an object of documents for each query, are no answers. A table that pandas
  # writes as JSON has the same form, but its first inner name is the row number "0".
  run_pattern <- '^[{]\\s*"[^"]*"\\s*:\\s*[{]\\s*"([^"0][^"]*|0[^"]+)"\\s*:\\s*-?[0-9]'
  if (begins_json(text) && length(grepRaw(run_pattern, beginning$bytes))) return(c("query", "doc", "score"))
  if (!begins_json(text)) lower_ascii(ascii_only(split_header(text, beginning$separator %||% guess_separator(text))))
}

# `formats`: the formats of tools that are recognised.
read_answer_file <- function(path, arg, named, formats = answer_formats) {
  if (holds_parquet(path)) return(understood_answers(parquet_rows(path, arg, exact = TRUE), NULL, named))
  members <- inspect_members(path)
  if (length(members)) return(understood_answers(NULL, inspect_log(path, members, arg)))
  normal <- normal_bytes(read_bytes(path, arg), path, NULL, arg)
  first <- first_line(normal$bytes, after_comments = FALSE)
  if (begins_json(first$text)) {
    read <- understood_answers(NULL, with_folder_as_id(parse_json(normal$bytes, path, arg), path), formats = formats)
    check_that(ncol(read$rows) < max(100, 10 * nrow(read$rows)), arg, c(
      "{.arg {arg}}: {.file {path}} holds objects with up to {ncol(read$rows)} values, not a record per answer.",
      i = "In R, {.code jsonlite::fromJSON(path, simplifyVector = FALSE)} reads it; give a data frame with a row per
        answer."), kind = "file", path = path)
    return(read)
  }
  separator <- normal$separator %||% guess_separator(first$text)
  rows <- if (separator == "tab") quoted_rows(normal$bytes)
  if (is.null(rows)) {
    kind <- file_kind("answers", list(), is_header = function(fields) TRUE)
    fields <- read_fields(path, TRUE, normal$encoding, NULL, kind, arg)
    if (any(are_outputs(fields$names))) fields$names <- make.unique(fields$names)
    read <- layout_columns(fields, path, fields$names, kind, arg)
    rows <- as.data.frame(lapply(read, as.character), optional = TRUE)
  }
  # Spreadsheets may end with empty rows. Qualtrics writes two rows below the header; the second has ids in JSON.
  rows <- rows[rowSums(!is.na(rows) & rows != "") > 0, , drop = FALSE]
  if (nrow(rows) > 1 && all(startsWith(unlist(rows[2, ]), '{"ImportId"'))) rows <- rows[-(1:2), , drop = FALSE]
  c(understood_answers(rows, NULL, named, formats), decimal_comma = separator %in% c("semicolon", "tab"))
}

# A table with a header, in any of these formats or in a database, with the names of its columns unchanged.
table_from_source <- function(x, arg) {
  if (is_database_table(x)) return(database_rows(database_table(x, arg)))
  check_paths(x, arg)
  # The preferences of AlpacaEval remain votes.
  formats <- answer_formats[names(answer_formats) != "AlpacaEval"]
  tables <- lapply(x, function(path) read_answer_file(path, arg, NULL, formats)$rows)
  check_same_columns(tables, arg)
  rows <- stacked_tables(tables)
  rows[] <- lapply(rows, feature_values)
  rows
}

# SWE-bench writes the result of a question to the file model/question/report.json, by the name of the question.
with_folder_as_id <- function(content, path) {
  folders <- basename(dirname(c(path, dirname(path))))
  if (!identical(names(content), folders[1]) || !is_object(content[[1]], 1)) return(content)
  list(c(list(id = folders[1], system = folders[2]), content[[1]]))
}

# The table in tab-separated text as spreadsheets write it, with quotes around fields that contain quotes, commas or
# ends of lines; NULL if quotes are part of the text.
quoted_rows <- function(bytes) {
  text <- rawToChar(bytes)
  Encoding(text) <- "UTF-8"
  if (!validUTF8(text) || !grepl("(^|[\t\n])\"", text)) return(NULL)
  # Each quote at the beginning of a field must have a partner at the end of one.
  unquoted <- gsub('(?<![^\t\n])"(?:[^"]++|"")*+"(?![^\t\r\n])', "", text, perl = TRUE)
  if (grepl('(^|[\t\n])"', unquoted)) return(NULL)
  tryCatch(utils::read.delim(text = text, quote = "\"", colClasses = "character", check.names = FALSE,
                             na.strings = character(), encoding = "UTF-8", fill = FALSE),
           error = function(cnd) NULL, warning = function(cnd) NULL)
}

# Recognises the format of a table or of the content of a JSON file: the first one whose keys are all present, or else
# rows with arbitrary columns. `named`: the columns that the user names.
understood_answers <- function(rows, content, named = NULL, formats = answer_formats) {
  rows <- with_cells_of_objects(without_row_numbers(rows, named))
  original <- content
  content <- records_by_id(content)
  records <- if (is.null(rows)) Filter(function(record) length(names(record)) > 0, records_of(content))
  keys <- c(names(content), if (length(records)) names(records[[1]]), names(rows))
  for (format in names(formats)) {
    entry <- formats[[format]]
    possible <- all(entry$keys %in% keys) && !(entry$nested && is.null(content))
    if (!possible || !isTRUE(entry$fits(records, content, keys))) next
    read <- if (entry$nested) entry$read(records, content) else entry$read(rows %||% records_frame(records))
    roles <- Filter(length, lapply(read$roles, intersect, names(read$rows)))
    return(list(rows = read$rows, roles = roles, format = format))
  }
  if (is.null(rows)) {
    records <- with_cited_texts(keyed_records(original, records))
    records <- records_of_raters(with_arrays_of_raters(records_of_systems(with_answers_of_chats(records))))
    rows <- records_frame(with_raters(records_of_samples(records)))
  }
  list(rows = rows, roles = roles_of_samples(rows), format = "", system = system_of_content(original))
}

without_row_numbers <- function(rows, named) {
  if (begins_with_row_numbers(rows) && !names(rows)[1] %in% named) rows[-1] else rows
}

# Whether the first column has the numbers of rows, which pandas and R write into a column without a name. They would
# look like a criterion. Beside Y, X is a name.
begins_with_row_numbers <- function(rows) {
  unnamed <- c("", "column1", "Unnamed: 0", "X", "...1", "__index_level_0__")
  is_unnamed <- isTRUE(names(rows)[1] %in% unnamed) && !any(c("Y", "...2") %in% names(rows))
  number <- if (is_unnamed) id_text(rows[[1]])
  length(number) > 0 && identical(number, as.character(seq_along(number) - (number[1] == "0")))
}

# A column with an object in JSON, or as Python writes it, in every cell, such as {"model": "gpt"} in "metadata",
# becomes a column per field. Columns of a known role, such as answers, may be JSON themselves.
with_cells_of_objects <- function(rows) {
  refuse_lists_of_raters(rows)
  is_object <- vapply(rows, function(text) {
    is.character(text) && any(nzchar(text), na.rm = TRUE) && all(grepl("(?s)^\\s*([{].*[}]\\s*)?$", text, perl = TRUE))
  }, NA)
  for (name in names(rows)[is_object & !has_role(names(rows))]) {
    found <- lapply(rows[[name]], object_in_cell)
    if (any(lengths(found) == 0 & nzchar(rows[[name]]))) next
    found <- records_frame(lapply(found, function(object) stats::setNames(list(object), name)))
    rows <- cbind(rows[names(rows) != name], found[setdiff(names(found), names(rows))])
  }
  rows
}

# Raises an error for cells with lists of several people's ratings, as Argilla writes them to CSV.
refuse_lists_of_raters <- function(rows) {
  # An answer may be such a list itself.
  others <- names(rows)[!has_role(names(rows), c("answer", "question", "context", "gold"))]
  of_raters <- Filter(function(name) any(grepl("(?s)^\\s*\\[\\s*[{].*user_id", rows[[name]], perl = TRUE)), others)
  of_raters <- c(of_raters, grep("[.]responses[.]users$", names(rows), value = TRUE))
  check_that(!length(of_raters), "x", c("has lists of the ratings of several people in cells, as of
    {.val {of_raters[1]}}.", i = "Export JSON instead."), kind = "columns")
}

# The passages of a list that Python has written into a cell, such as ['one', "two"], as paragraphs.
python_passages <- function(text) {
  listed <- grepl("(?s)^\\[\\s*['\"].*['\"]\\s*\\]$", text, perl = TRUE)
  string <- "'(?:[^'\\\\]++|\\\\.)*+'|\"(?:[^\"\\\\]++|\\\\.)*+\""
  text[listed] <- vapply(regmatches(text[listed], gregexpr(string, text[listed], perl = TRUE)), function(parts) {
    plain <- gsub("\\\\", "\001", substr(parts, 2, nchar(parts) - 1), fixed = TRUE)
    plain <- gsub("\\t", "\t", gsub("\\n", "\n", plain, fixed = TRUE), fixed = TRUE)
    gsub("\001", "\\", gsub("\\", "", paste(plain, collapse = "\n\n"), fixed = TRUE), fixed = TRUE)
  }, "")
  text
}
