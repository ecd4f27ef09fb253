# Splits the text of files into columns: separators, headers, comments. The readers in io-runs.R and io-texts.R define
# the meaning of the columns.

# Guesses the separator. Tabs at the end of a line do not count.
guess_separator <- function(line) {
  if (grepl("\t[ \t]*[^ \t]", line, useBytes = TRUE)) return("tab")
  unquoted <- gsub('"[^"]*"', "", line, useBytes = TRUE)
  count <- function(mark) nchar(gsub(paste0("[^", mark, "]"), "", unquoted, useBytes = TRUE), "bytes")
  # If commas are decimal marks, there are fewer of them than semicolons.
  if (count(";") >= max(2, count(",")) || grepl("^[^ ,;]+;[^ ,;]+$", line, useBytes = TRUE)) return("semicolon")
  if (grepl(",.*,|^[^ ]+,[^ ]+$", line, useBytes = TRUE)) return("comma")
  "whitespace"
}

# The separator of the fields of a file's first line. The documents and tags of a TREC run may contain commas and tabs.
separator_of_line <- function(line, kind) {
  separator <- guess_separator(line)
  words <- ascii_only(split_header(line, "whitespace"))
  fields <- ascii_only(split_header(line, separator))
  joined <- switch(separator,
    # Documents may contain semicolons, too.
    semicolon = length(words) %in% names(kind$layouts) && !kind$is_header(fields),
    tab = has_joined_fields(fields, words, kind),
    FALSE
  )
  if (joined) return("whitespace")
  if (separator == "whitespace" || kind$rest_field(words) == 0) return(separator)
  has_rank <- !is.na(suppressWarnings(as.numeric(words[4])))
  if (has_rank && !is_tab_layout(fields, separator, kind)) "whitespace" else separator
}

# Whether spaces separate some columns of a line without a header, and tabs the others: words divide it into as many
# fields as a layout has, and one of the `fields` between tabs consists of numbers, or of a document and TREC's "0" or
# "Q0".
has_joined_fields <- function(fields, words, kind) {
  joined <- grep("[^ ] +[^ ]", fields, value = TRUE)
  are_several <- grepl("^[-+0-9. ]+$|^[^ ]+ +(0|Q0)$|^(0|Q0) +[^ ]+$", joined)
  length(words) %in% names(kind$layouts) && length(joined) > 0 && all(are_several)
}

# Whether tabs divide the line into as many fields as a layout has.
is_tab_layout <- function(fields, separator, kind) {
  separator == "tab" && (length(fields) %in% names(kind$layouts) || length(fields) > 6)
}

# The fields of a first line, whose encoding may be unknown yet: from R 4.3 on, gsub() fails on invalid text, and marks
# the results for bytes.
split_header <- function(line, separator) {
  columns <- parse_table_cpp(charToRaw(line), table_options(separator))$columns
  fields <- as.character(unlist(lapply(columns, `[[`, "field")))
  stripped <- gsub("^[ \"]+|[ \"]+$", "", fields, useBytes = TRUE)
  if (length(fields)) Encoding(stripped) <- Encoding(fields)
  stripped
}

# Options of the core's parser. `rest_field`: the number of the field that consists of the rest of its line;
# `number_field`: a line that starts with # and has no number in this field is a comment. `type`: of each column,
# "number", "code" (of distinct texts) or "ignored".
table_options <- function(separator, skip = 0, rest_field = 0L, number_field = 0L) {
  list(separator = separator, skip = skip, rest_field = rest_field, number_field = number_field, max_rows = Inf,
       type = character())
}

# Replaces non-ASCII bytes by "?": the known names are ASCII, and R's functions of text fail on an unknown encoding.
ascii_only <- function(fields) iconv(fields, "latin1", "ASCII", sub = "?")

#' Read one file as columns of text
#'
#' @param columns The names of the columns, where the user gives them.
#' @param kind A [file_kind()].
#' @return A list: `columns`, each a list of `code` (from 1, one per row) and `field` (the distinct texts, UTF-8), or of
#'   `number`, or an empty list if the column is ignored; `names`, or NULL if the file has no header; `place`, which
#'   returns a text with the line of a row; `has_rest`, whether the last field consists of the rest of every line;
#'   `separator`; and `controls`, whether fields may have control characters, among which tabs count only in CSV files.
#' @noRd
read_fields <- function(path, header, encoding, columns, kind, arg) {
  bytes <- read_bytes(path, arg)
  normal <- normal_bytes(bytes, path, encoding, arg)
  first <- first_line(normal$bytes, after_comments = !isTRUE(header))
  separator <- normal$separator %||% separator_of_line(first$text, kind)
  fields <- ascii_only(split_header(first$text, separator))
  with_header <- if (is.na(header)) kind$is_header(fields) else header
  if (is.null(columns)) {
    refuse_first_line(first, fields, separator, header, with_header, kind, path, arg)
  }
  settings <- options_of_file(first, separator, fields, with_header, kind, path)
  # A separator at the end of every line would add an empty last column.
  n <- if (is.null(columns)) max(0, which(nzchar(fields))) else length(columns)
  header_fields <- if (with_header) split_header(first$text, separator)[seq_len(n)]
  usual_names <- if (with_header) standard_names(fields[seq_len(n)], kind$what) else kind$layouts[[as.character(n)]]
  field_names <- columns %||% usual_names
  settings$type <- c("code", "number", "ignored")[1 + field_names %in% kind$numbers + 2 * field_names %in% kind$ignored]
  parsed <- parse_rows(normal$bytes, settings, path, arg)
  note_comments(parsed$n_comments, parsed$first_comment, path)
  further <- vapply(parsed$columns, function(column) !identical(column$field, ""), NA)
  parsed$columns <- parsed$columns[seq_len(max(which(further), min(n, length(further))))]
  texts <- decode_table(header_fields, parsed, normal$bytes, path, normal$encoding, arg)
  sheet <- parsed$options$separator %in% c("comma", "semicolon")
  if (sheet && length(grepRaw("'", normal$bytes, fixed = TRUE))) texts <- lapply(texts, csv_value)
  n <- length(parsed$columns)
  # The header of Mechanical Turk's results names two more columns, which requesters fill in to accept or reject work.
  if (identical(texts[[1]][-seq_len(n)], c("Approve", "Reject"))) texts[[1]] <- texts[[1]][seq_len(n)]
  check_that(!with_header || length(texts[[1]]) == n, arg, c(
    "{.arg {arg}}: the header of {.file {path}} names {length(texts[[1]])} column{?s}, its rows have {n}.",
    i = if (length(texts[[1]]) < n) "The first line must name each column; merged cells name only the first of theirs.",
    i = if (n == 1) "Remove lines above the header, such as a title."
  ), kind = "file", path = path, line = first$number)
  # Columns without a name in the header are named by their number.
  field_names <- if (with_header) ifelse(nzchar(texts[[1]]), texts[[1]], paste0("column", seq_len(n)))
  quotes <- if (parsed$has_quotes) meaning_of_quotes(parsed, with_header, first$text) else "text"
  columns <- with_fields(parsed$columns, texts[-1], quotes)
  place_of_row <- function(row) {
    bytes <- normal_bytes(read_bytes(path, arg), path, encoding, arg)$bytes
    line <- parse_table_cpp(bytes, utils::modifyList(parsed$options, list(max_rows = row)))$line
    cli::format_inline("line {format_count(line)} of {.file {path}}")
  }
  list(columns = columns, names = field_names, place = place_of_row, has_rest = parsed$options$rest_field > 0,
       separator = parsed$options$separator, controls = may_have_control(parsed, normal$bytes, sheet))
}

may_have_control <- function(parsed, bytes, sheet) {
  !parsed$is_utf8 || sheet && parsed$has_quotes || has_control_cpp(bytes, sheet)
}

# Raises an error if the first line of a file cannot be understood.
refuse_first_line <- function(first, fields, separator, header, with_header, kind, path, arg) {
  if (!isFALSE(header)) refuse_nested(first$text, kind, path, first$number, arg)
  refuse_features(fields, kind, path, arg)
  if (!is.na(header) || with_header) return(invisible())
  refuse_other_names(fields, kind, path, first$number, arg)
  refuse_no_number(fields, separator, kind, path, first$number, arg)
}

# Options with which the core parses a file. A header is skipped, and so are the comments before it. Without a header,
# the number of fields determines which options fit.
options_of_file <- function(first, separator, fields, with_header, kind, path) {
  if (!with_header) return(table_options(separator, 0, kind$rest_field(fields), kind$number_field(length(fields))))
  note_comments(length(first$skipped), first$skipped[1], path)
  table_options(separator, first$number)
}

# What quotes mean in a file. In CSV files, a "doubled" quote is a quote character of the text. In TREC files, and under
# a header without quotes, quotes belong to the "text". In other files, they are removed if the whole "column" is
# quoted, as by write.table().
meaning_of_quotes <- function(table, with_header, first_text) {
  if (table$options$separator %in% c("comma", "semicolon")) return("doubled")
  is_text <- if (with_header) !grepl("^[ \t]*\"", first_text, useBytes = TRUE) else
    table$options$rest_field > 0 || length(table$columns) %in% 4:5
  if (is_text) "text" else "column"
}

# Replaces the distinct texts of columns by decoded ones. `quotes`: what quotes mean; see meaning_of_quotes().
with_fields <- function(columns, texts, quotes) {
  for (j in seq_along(columns)) {
    if (is.null(columns[[j]]$code)) next
    field <- texts[[j]]
    is_quoted <- quotes == "column" && startsWith(field[1], "\"") && all(grepl('^".*"$', field))
    if (is_quoted) field <- substr(field, 2, nchar(field) - 1)
    columns[[j]]$field <- if (is_quoted || quotes == "doubled") gsub('""', '"', field, fixed = TRUE) else field
  }
  columns
}

# Decodes the texts of the header and of all columns together, because a single text can show the encoding of all. In a
# file in UTF-8, they only need to be marked.
decode_table <- function(header, table, bytes, path, encoding, arg) {
  fields <- lapply(table$columns, `[[`, "field")
  if (table$is_utf8 && upper_ascii(encoding %||% "UTF-8") %in% c("UTF-8", "UTF8")) {
    if (!is.null(header)) Encoding(header) <- "UTF-8"
    return(c(list(header), fields))
  }
  sizes <- c(length(header), lengths(fields))
  decoded <- decode_fields(c(header, unlist(fields)), bytes, path, encoding, arg)
  unname(split(decoded, rep(factor(seq_along(sizes)), sizes)))
}

note_comments <- function(n, line, path) {
  if (!n) return(invisible())
  inform_judicious("{.file {path}}: {format_count(n)} {cli::qty(n)}line{?s} that start{?s/} with # {?is/are} left out
    as {?a comment/comments}, from line {format_count(line)} on.", "comments", path = path, line = line)
}

# The rows of a file. If no other separator gives lines of equal length, lines are split at white space.
parse_rows <- function(bytes, settings, path, arg) {
  parsed <- parse_table_cpp(bytes, settings)
  # If a number is invalid, parses the columns again as texts: the numbers may be in quotes, and an error can show the
  # text.
  settings$type <- character()
  if (parsed$problem == "number") parsed <- parse_table_cpp(bytes, settings)
  if (parsed$problem == "fields" && settings$separator != "whitespace") {
    looser <- utils::modifyList(settings, list(separator = "whitespace"))
    reparsed <- parse_table_cpp(bytes, looser)
    # Rows without any white space have one field each.
    if (!nzchar(reparsed$problem) && length(reparsed$columns) >= length(parsed$columns)) {
      parsed <- reparsed
      settings <- looser
    }
  }
  if (nzchar(parsed$problem)) abort_table_problem(parsed, settings$separator, path, arg)
  check_that(length(parsed$columns), arg, "{.arg {arg}}: the file {.file {path}} has no rows.", kind = "file",
             path = path)
  c(parsed, list(options = settings))
}

abort_table_problem <- function(table, separator, path, arg) {
  problem_text <- switch(table$problem,
    quote = "has a field in quotes that does not end.",
    width = "has {format_count(table$n_fields)} fields, more than any table.",
    fields = "has {table$n_fields} field{?s}, the lines before it have {length(table$columns)}."
  )
  abort_judicious(c(
    paste("{.arg {arg}}: line {format_count(table$line)} of {.file {path}}", problem_text),
    i = "Fields are separated by {switch(separator, tab = 'tabs', comma = 'commas', semicolon = 'semicolons',
      'white space')} there."
  ), "file", argument = arg, path = path, line = table$line)
}

# The columns that files of a kind need, for messages.
wanted_columns <- function(kind) {
  switch(kind$what, runs = "{.val system}, {.val query}, {.val doc} and {.val rank} or {.val score}",
         judgments = "{.val query}, {.val doc} and {.val gain}", grades = "{.val query}, {.val doc} and {.val grade}",
         "{layout_text(kind$layouts)}")
}

# Raises an error if a file is JSON, XML or HTML, which splitting at separators would turn into wrong data.
refuse_nested <- function(text, kind, path, line, arg) {
  start <- sub("^[ \t]*[\"']?", "", text, useBytes = TRUE)
  format <- if (grepl("^([{] *([\"'}]|[A-Za-z_]+:|$)|[[] *([][{\"'0-9-]|$))", start, useBytes = TRUE)) "JSON" else
    if (grepl("^<([?!/]|[A-Za-z][A-Za-z0-9]*[ >/])", start, useBytes = TRUE)) "XML or HTML"
  check_that(is.null(format), arg, c(
    "{.arg {arg}}: {.file {path}} looks like {format}, not like a table of {kind$what}.",
    x = "Line {line} begins with {.val {ascii_only(substr(ascii_only(text), 1, 40))}}.",
    i = paste0("Convert it to a table with ", if (length(kind$layouts)) "the ", "columns ",
               if (length(kind$layouts)) paste0(wanted_columns(kind), ", "), "named in its first line.")
  ), kind = "file", path = path, line = line)
}

# Raises an error for features of learning to rank, such as "2 qid:10 1:0.5 2:0 #docid = d7".
refuse_features <- function(fields, kind, path, arg) {
  judgments <- r"(data.frame(query = sub(".*qid:(\\S+).*", "\\1", x), doc = sub(".*# *(docid *= *)?(\\S+).*", "\\2", x),
    gain = as.numeric(sub(" .*", "", x))))"
  check_that(!isTRUE(startsWith(fields[2], "qid:")), arg, c(
    "{.arg {arg}}: {.file {path}} has features for learning to rank, not a table of {kind$what}.",
    i = hint("Their first two columns are judgments: after {.code x <- readLines(path)},
      {.code {judgments}}.", "Their first two columns are judgments.")), kind = "file", path = path)
}

# Raises an error for a header of which only one name is known: a line without numbers that has a known name.
refuse_other_names <- function(fields, kind, path, line, arg) {
  recognised <- fields[are_known_names(fields)]
  check_that(length(recognised) != 1 || length(fields) < 2 || has_number(fields), arg, c(
    "{.arg {arg}}: line {line} of {.file {path}} seems to be a header, because it has {.val {recognised}}, but its other
      names are not known.",
    x = "The line is {.val {fields}}.",
    i = hint("Name the columns as in {.help judicious::read_runs}, such as {.val query} and {.val doc}, or read the file
      by {.fn read_runs} or {.fn read_judgments} with {.code header = TRUE} and the names of all columns in
      {.arg columns}; if the line is no header, with {.code header = FALSE}.",
      "Name the columns, such as {.val query} and {.val doc}, or leave the header out.")
  ), kind = "file", path = path, line = line)
}

# Raises an error for a file without header whose first line has no number where the layout requires one: the line is a
# header with unknown names, or the file is another table.
refuse_no_number <- function(fields, separator, kind, path, line, arg) {
  layout <- kind$layouts[[as.character(max(0, which(nzchar(fields))))]]
  needs <- which(layout %in% kind$numbers)
  if (!length(needs)) return(invisible())
  numbers <- fields[nzchar(fields)]
  if (separator == "semicolon") numbers <- sub(",", ".", numbers, fixed = TRUE)
  check_that(!all(is.na(parse_numbers_cpp(numbers))), arg, c(
    "{.arg {arg}}: line {line} of {.file {path}} has no number, where {.val {layout[needs]}} should be one.",
    x = "The line is {.val {fields}}.",
    i = paste0("If it is a header, its names are not known: the columns of {kind$what} are ", wanted_columns(kind),
               "."),
    i = if (kind$what %in% c("runs", "judgments")) "A table with a row per question and answer, or with a column per
      model or rank, is not one of {kind$what}."
  ), kind = "columns", path = path, line = line)
}

#' Describe a kind of files
#'
#' @param what What the files contain, for messages.
#' @param layouts Column names by number of columns, for files without a header.
#' @param is_header A function of the first line's fields that returns whether they are names.
#' @param numbers Columns that must be numeric.
#' @param ignored Columns that readers of text files leave out.
#' @param number_field A function of the number of fields, for files without a header: returns the field that must be a
#'   number, or 0. Lines that start with # and have no number there are comments.
#' @param rest_field A function of the first line's fields: returns the field that consists of the rest of its line, or
#'   0 for none.
#' @param rest A function of the columns and the path that is applied to the columns if there is such a field.
#' @param join A function of the tables of all files and their paths that is applied before they are combined.
#' @param understand A function of the columns of a file without a header that returns them, perhaps under other names.
#' @param in_json The column of the numbers in objects of queries and documents; NULL for files that JSON cannot hold.
#' @noRd
file_kind <- function(what, layouts, is_header = looks_like_header, numbers = character(),
                      ignored = character(), number_field = function(n) 0L,
                      rest_field = function(fields) 0L, rest = NULL, join = function(tables, paths) tables,
                      understand = function(read, ...) read, in_json = NULL) {
  list(what = what, layouts = layouts, is_header = is_header, numbers = numbers, ignored = ignored,
       number_field = number_field, rest_field = rest_field, rest = rest, join = join, understand = understand,
       in_json = in_json)
}

# Files of one kind, or a table of a database, as one data frame of text and of the kind's numbers.
read_columns <- function(path, header, encoding, columns, kind, arg) {
  if (is_database_table(path)) {
    fields <- stored_fields(database_rows(database_table(path, arg)), "the database")
    return(layout_columns(fields, "the database", columns, kind, arg))
  }
  check_paths(path, arg)
  check_that(is.logical(header) && length(header) == 1, "header", "must be TRUE, FALSE, or NA to see for itself.")
  if (!is.null(encoding)) check_string(encoding, "encoding")
  files <- copy_pipes(path)
  on.exit(unlink(dirname(setdiff(files, path)), recursive = TRUE))
  if (!is.null(columns)) kind[c("rest_field", "number_field")] <- list(function(fields) 0L)
  tables <- lapply(files, function(one) {
    rows <- if (holds_parquet(one)) parquet_rows(one, arg, exact = TRUE) else
      if (!isFALSE(header) && !is.null(kind$in_json)) rows_in_json(one, encoding, kind$what, kind$in_json, arg)
    fields <- if (is.null(rows)) read_fields(one, header, encoding, columns, kind, arg) else stored_fields(rows, one)
    layout_columns(fields, one, columns, kind, arg)
  })
  check_same_columns(tables, arg)
  tables <- kind$join(tables, path)
  if (length(tables) == 1) return(tables[[1]])
  list2DF(lapply(stats::setNames(nm = names(tables[[1]])), function(name) do.call(c, lapply(tables, `[[`, name))))
}

check_same_columns <- function(tables, arg) {
  check_that(all(vapply(tables, function(table) setequal(names(table), names(tables[[1]])), NA)), arg,
             "{.arg {arg}}: the files do not all have the same columns.", kind = "columns")
}

# Whether a file is a Parquet file, by its name or its first bytes.
holds_parquet <- function(path) {
  if (is_parquet(path)) return(TRUE)
  file.exists(path) && !dir.exists(path) && identical(first_bytes(path)[1:4], charToRaw("PAR1"))
}

check_paths <- function(path, arg) {
  check_that(is.character(path) && !is.matrix(path) && length(path) && !anyNA(path), arg,
             "must be paths of files, not {.obj_type_friendly {path}}.")
}

# The values of a column, one per row. `place`: see read_fields(). Of values that have a type, identifiers become text,
# and other columns than those of numbers stay what they are.
column_values <- function(column, name, place, path, kind, arg) {
  is_number <- name %in% kind$numbers
  is_text <- if (is_number) !is.numeric(column$number) else name %in% c(names(field_names()), "stratum")
  if (is.null(column$code) && is_text) column <- coded_text(column$number)
  if (is.null(column$code)) return(if (is_number) as.double(column$number) else column$number)
  # Documents may have an empty column `query`, and tables of answers may end with empty rows, which are left out later.
  identifiers <- intersect(c("system", "query", "doc"), Reduce(intersect, kind$layouts))
  if (name %in% identifiers) check_named(column, name, place, path, arg)
  if (is_number) column$field <- field_numbers(column, name, place, path, kind, arg)
  column$field[column$code]
}

# Returns "rank", the column to leave out, if some ranks are not numbers: scores then order the lists, as in trec_eval.
text_ranks <- function(texts, path) {
  not_numbers <- texts[is.na(parse_numbers_cpp(as.character(texts)))]
  if (!length(not_numbers)) return(character())
  note_text_ranks(path, paste0(" such as ", quoted(not_numbers[1]), ","))
  "rank"
}

note_text_ranks <- function(path, such = "") {
  inform_judicious("{.file {path}}: the column {.val rank} has text,{such} and is left out; the scores order the
    lists.", "rank", kinds = "text", path = path)
}

# The columns of a file as a data frame, named by the user, or by the file's layout or its header.
layout_columns <- function(file, path, columns, kind, arg) {
  by_layout <- if (is.null(file$names)) kind$layouts[[as.character(length(file$columns))]]
  titles <- columns %||% by_layout %||% standard_names(file$names, kind$what)
  check_column_count(file, titles, columns, path, kind, arg)
  check_different_names(titles, file$names, path, arg)
  refuse_control(titles, "names of columns", arg, where = function(row) paste("column", row))
  names(file$columns) <- titles
  if (file$has_rest) file$columns <- kind$rest(file$columns, path)
  kind$decimal_comma <- file$separator == "semicolon"
  titles <- setdiff(titles, kind$ignored)
  refuse_absent_columns(file$columns[titles], required_columns(titles, kind, path), arg,
                        "{.arg {arg}}: {.file {path}} has", "Its", path, has_header = file$separator != "")
  if (all(c("rank", "score") %in% titles)) titles <- setdiff(titles, text_ranks(file$columns$rank$field, path))
  suspects <- c("system", if (file$controls) c("query", "doc"))
  for (name in intersect(suspects, titles)) check_characters(file$columns[[name]], name, file$place, arg)
  values <- lapply(titles, function(name) column_values(file$columns[[name]], name, file$place, path, kind, arg))
  names(values) <- titles
  # The content may show that the columns are not those of the layout.
  if (!is.null(by_layout) && is.null(columns)) values <- kind$understand(values, path, arg)
  # data.frame() would convert the names to symbols, which the C locale cannot represent.
  list2DF(values)
}

# Raises an error if `columns`, or the layouts of a file without a header, have another number of columns than the file.
check_column_count <- function(file, titles, columns, path, kind, arg) {
  fault <- if (is.null(columns)) "which is not a known layout of {kind$what}" else
    "and {.arg columns} names {length(columns)}"
  first_row <- function() {
    vapply(file$columns, function(one) id_text(one$field[one$code[1]] %||% one$number[1] %||% ""), "")
  }
  check_that(length(titles) == length(file$columns), arg, c(
    paste0("{.arg {arg}}: {.file {path}} has {length(file$columns)} column{?s}, ", fault, "."),
    x = "Its first row has {.val {first_row()}}.",
    i = if (is.null(columns)) "Known without a header: {layout_text(kind$layouts)}.",
    i = if (length(file$columns) == 5 && kind$what == "judgments") "Of TREC's samples, {.val prels} are query doc gain
      method probability; others query iteration doc stratum gain.",
    i = if (is.null(columns)) paste0(if (arg == "path") "Name them with {.arg columns}, or give" else "Give",
                                     " the file a header with these names.")
  ), kind = "columns", path = path)
}

# The columns that every layout has. Metadata may have other names of identifiers, so that their reader checks them.
# Runs in files may lack the system, which is then named by the file.
required_columns <- function(titles, kind, path) {
  if (kind$what %in% c("documents", "queries", "systems")) return(NULL)
  named_by_file <- file.exists(path) && any(c("rank", "score") %in% titles)
  setdiff(Reduce(intersect, kind$layouts), if (named_by_file) "system")
}

# The columns of a database, a Parquet file or records in JSON, which have names and types, as read_fields() returns
# them.
stored_fields <- function(data, path) {
  columns <- lapply(unname(as.list(data)), function(value) {
    if (is.character(value) || is.factor(value)) coded_text(value) else list(number = value)
  })
  list(columns = columns, names = names(data), has_rest = FALSE, separator = "", controls = TRUE,
       place = function(row) cli::format_inline("row {format_count(row)} of {.file {path}}"))
}

coded_text <- function(value) {
  codes <- id_codes(id_text(value))
  list(code = codes$code, field = codes$id)
}

check_different_names <- function(names, in_header, path, arg) {
  repeated <- names[duplicated(names)]
  if (!length(repeated)) return(invisible())
  called <- (in_header %||% names)[names == repeated[1]]
  if (length(called) != sum(names == repeated[1])) called <- repeated[1]
  abort_judicious(c(
    "{.arg {arg}}: {.file {path}} has {sum(names == repeated[1])} columns of {.val {repeated[1]}}.",
    x = if (!is.null(in_header)) "Its header calls them {.val {called}}.",
    i = paste0(if (arg == "path") "Name the columns with {.arg columns}, or leave" else "Leave",
               " all but one out of the file."),
    i = if (has_number(names)) "If the first line is no header, add one."
  ), "columns", argument = arg, path = path, columns = called)
}

layout_text <- function(layouts) paste(vapply(layouts, paste, "", collapse = " "), collapse = "; ")

# An empty identifier, such as between two tabs, is an error. It is raised here, where the line is available for the
# message.
check_named <- function(column, name, place, path, arg) {
  empty <- is.na(column$field) | !nzchar(column$field)
  check_that(!any(empty), arg, "{.arg {arg}}: column {.val {name}} has no identifier in
    {place(which(empty[column$code])[1])}.", kind = "columns", columns = name, path = path)
}

# Converts the distinct texts of a column to numbers.
field_numbers <- function(column, name, place, path, kind, arg) {
  if (kind$decimal_comma) column$field <- sub("^([-+]?[0-9]*),([0-9]+)$", "\\1.\\2", column$field)
  # NTCIR writes levels of relevance as L0, L1, and so on.
  if (name == "gain" && all(grepl("^L[0-9]$", column$field))) column$field <- substring(column$field, 2)
  numbers <- if (name == "gain") numbers_of_words(column$field)
  if (length(numbers) && !anyNA(parse_numbers_cpp(numbers))) column$field <- numbers
  value <- parse_numbers_cpp(column$field)
  first_wrong <- which(is.na(value)[column$code])[1]
  check_that(!anyNA(value), arg, c("{.arg {arg}}: column {.val {name}} must hold numbers; {place(first_wrong)} has
    {.val {column$field[column$code[first_wrong]]}}.",
    i = if (name == "gain" && all(is.na(value))) label_advice(column$field),
    i = if (name == "gain" && any(!nzchar(column$field))) unjudged_advice), kind = "columns", columns = name,
    path = path)
  value
}

unjudged_advice <- "Leave the rows of documents that nobody judged out."
