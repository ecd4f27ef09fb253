# From files to columns of text: encodings, separators, headers. What the columns mean is the
# readers' business (io-runs.R, io-judgments.R, io-documents.R).

# The bytes of a file, plain or gzipped.
read_bytes <- function(path, arg, call) {
  if (!file.exists(path) || dir.exists(path)) {
    abort_judicious("{.arg {arg}}: there is no file {.file {path}}.", "file", argument = arg, path = path, call = call)
  }
  size <- file.size(path)
  con <- gzfile(path, "rb")
  on.exit(close(con))
  chunks <- list()
  repeat {
    chunk <- readBin(con, "raw", n = max(size + 1, 2^20))
    if (!length(chunk)) break
    chunks[[length(chunks) + 1]] <- chunk
  }
  bytes <- if (length(chunks) == 1) chunks[[1]] else do.call(c, c(list(raw()), chunks))
  if (!length(bytes)) {
    abort_judicious("{.arg {arg}}: the file {.file {path}} is empty.", "file", argument = arg, path = path, call = call)
  }
  bytes
}

byte_order_mark <- function(bytes) {
  marks <- list("UTF-8" = c(0xEF, 0xBB, 0xBF), "UTF-16LE" = c(0xFF, 0xFE), "UTF-16BE" = c(0xFE, 0xFF))
  for (encoding in names(marks)) {
    mark <- as.raw(marks[[encoding]])
    if (identical(utils::head(bytes, length(mark)), mark)) return(encoding)
  }
  ""
}

# Bytes in which every separator is one ASCII byte; the encoding of the fields is settled later, on
# the distinct ones only.
normal_bytes <- function(bytes, path, encoding, arg, call) {
  mark <- byte_order_mark(bytes)
  if (nzchar(mark)) {
    bytes <- bytes[-seq_len(if (mark == "UTF-8") 3 else 2)]
    encoding <- mark
  }
  if (!is.null(encoding) && grepl("^(UTF-?16|UTF-?32|UCS)", encoding, ignore.case = TRUE)) {
    bytes <- iconv(list(bytes), encoding, "UTF-8", toRaw = TRUE)[[1]]
    encoding <- "UTF-8"
  }
  if (is.null(bytes) || any(bytes == as.raw(0))) {
    abort_judicious(c(
      "{.arg {arg}}: {.file {path}} is not text{if (!is.null(encoding)) paste0(' in ', encoding)}.",
      i = "Say what it is with {.arg encoding}, or give the text file."
    ), "encoding", argument = arg, path = path, call = call)
  }
  list(bytes = bytes, encoding = encoding)
}

decode_fields <- function(fields, path, encoding, arg, call) {
  if (is.null(encoding)) {
    if (all(validUTF8(fields))) {
      encoding <- "UTF-8"
    } else {
      encoding <- "latin1"
      inform_judicious(c(
        "{.file {path}} is not UTF-8; it is read as latin1.",
        i = "Say {.code encoding = \"...\"} if that is wrong."
      ), "encoding", path = path)
    }
  }
  if (upper_ascii(encoding) %in% c("UTF-8", "UTF8")) {
    if (!all(validUTF8(fields))) {
      abort_judicious(c(
        "{.arg {arg}}: {.file {path}} has text that is not UTF-8.",
        x = "The first such field is {.val {iconv(fields[!validUTF8(fields)][1], 'latin1', 'UTF-8')}} (shown as if it
          were latin1).",
        i = "Say what it is with {.arg encoding}."
      ), "encoding", argument = arg, path = path, call = call)
    }
    Encoding(fields) <- "UTF-8"
    return(fields)
  }
  decoded <- tryCatch(iconv(fields, encoding, "UTF-8"), error = function(cnd) NA_character_)
  if (anyNA(decoded)) {
    abort_judicious(c(
      "{.arg {arg}}: {.file {path}} cannot be read as {.val {encoding}}.",
      i = "{.fn iconvlist} gives the encodings that this R knows."
    ), "encoding", argument = arg, path = path, call = call)
  }
  decoded
}

# The first line that is not blank, to see what the file looks like.
first_line <- function(bytes) {
  text <- rawToChar(utils::head(bytes, 2^16))
  lines <- strsplit(text, "\r\n|\n|\r", useBytes = TRUE)[[1]]
  number <- which(grepl("[^ \t]", lines, useBytes = TRUE))[1]
  list(text = if (is.na(number)) "" else lines[number], number = number)
}

guess_separator <- function(line) {
  if (grepl("\t", line, fixed = TRUE, useBytes = TRUE)) return("tab")
  if (grepl(",.*,|^[^ ]+,[^ ]+$", line, useBytes = TRUE)) return("comma")
  "whitespace"
}

split_header <- function(line, separator) {
  pattern <- switch(separator, tab = "\t", comma = ",", whitespace = "[ \t]+")
  gsub("^[ \"]+|[ \"]+$", "", strsplit(trimws(line), pattern, useBytes = TRUE)[[1]])
}

# Names that are looked for are ASCII; bytes in an encoding not settled yet would trip chartr().
ascii_only <- function(fields) iconv(fields, "latin1", "ASCII", sub = "?")

#' One file as columns of text
#'
#' @param is_header A function of the first line's fields: are they names?
#' @return A list: `columns`, each a list of `code` (from 1, one per row) and `field` (the distinct
#'   texts, UTF-8); `names`, or NULL where the file has no header.
#' @noRd
read_fields <- function(path, header, encoding, is_header, arg, call) {
  normal <- normal_bytes(read_bytes(path, arg, call), path, encoding, arg, call)
  first <- first_line(normal$bytes)
  separator <- guess_separator(first$text)
  with_header <- if (is.na(header)) is_header(ascii_only(split_header(first$text, separator))) else header
  table <- parse_rows(normal$bytes, separator, if (with_header) first$number else 0, path, arg, call)
  separator <- table$separator
  names <- if (with_header) {
    header_names(decode_fields(split_header(first$text, separator), path, normal$encoding, arg, call),
                 length(table$columns), path, first$number, arg, call)
  }
  sizes <- vapply(table$columns, function(column) length(column$field), 0L)
  decoded <- decode_fields(unlist(lapply(table$columns, `[[`, "field")), path, normal$encoding, arg, call)
  fields <- split(decoded, rep(factor(seq_along(sizes)), sizes))
  for (j in seq_along(sizes)) table$columns[[j]]$field <- without_quotes(unname(fields[[j]]), separator)
  list(columns = table$columns, names = names)
}

# The rows of a file after the first `skip` lines. Lines that no separator but white space divides evenly are divided by
# white space.
parse_rows <- function(bytes, separator, skip, path, arg, call) {
  table <- parse_table_cpp(bytes, separator, skip)
  if (table$bad_line > 0 && separator != "whitespace") {
    looser <- parse_table_cpp(bytes, "whitespace", skip)
    if (looser$bad_line < 0) {
      table <- looser
      separator <- "whitespace"
    }
  }
  if (table$bad_line > 0) {
    abort_judicious(c(
      "{.arg {arg}}: line {format_count(table$bad_line)} of {.file {path}} has {table$bad_fields} field{?s}, the
        lines before it have {length(table$columns)}.",
      i = "Fields are separated by {switch(separator, tab = 'tabs', comma = 'commas', whitespace = 'white space')}
        there."
    ), "file", argument = arg, path = path, line = table$bad_line, call = call)
  }
  if (!length(table$columns)) {
    abort_judicious("{.arg {arg}}: the file {.file {path}} has no
      rows.", "file", argument = arg, path = path, call = call)
  }
  c(table, list(separator = separator))
}

# One name for each of `n` columns; a column that the header leaves unnamed is called by its number.
header_names <- function(names, n, path, line, arg, call) {
  if (length(names) != n) {
    abort_judicious(
      "{.arg {arg}}: the header of {.file {path}} names {length(names)} column{?s}, its rows have {n}.",
      "file", argument = arg, path = path, line = line, call = call
    )
  }
  unnamed <- !nzchar(names)
  replace(names, unnamed, paste0("column", which(unnamed)))
}

# In a CSV file a doubled quote is a quote of the text. Elsewhere write.table() puts a whole column of text in quotes;
# quotes in some fields only belong to the text.
without_quotes <- function(field, separator) {
  if (separator == "comma") return(gsub('""', '"', field, fixed = TRUE))
  if (!all(grepl('^".*"$', field))) return(field)
  gsub('""', '"', substr(field, 2, nchar(field) - 1), fixed = TRUE)
}

# What the fields of a header may be called, lower case, by the name the package uses.
field_names <- list(
  system = c("system", "run", "runid", "run_id", "tag", "run_tag"),
  team = c("team", "group"),
  query = c("query", "topic", "qid", "query_id", "topic_id"),
  iteration = c("iteration", "iter", "q0"),
  doc = c("doc", "document", "docno", "docid", "doc_id", "document_id"),
  rank = c("rank", "position"),
  score = c("score", "sim", "similarity"),
  gain = c("gain", "grade", "rel", "relevance", "judgment", "judgement")
)

standard_names <- function(names) {
  known <- stats::setNames(rep(names(field_names), lengths(field_names)), unlist(field_names))
  standard <- known[lower_ascii(names)]
  ifelse(is.na(standard), names, standard)
}

# A header has no numbers; a line of a TREC file has, and its Q0 is also a name.
looks_like_header <- function(fields) {
  sum(lower_ascii(fields) %in% unlist(field_names)) >= 2 && !any(grepl("^[-+]?[0-9.]+$", fields))
}

#' Several files of one kind as one data frame of text
#'
#' @param layouts Column names by number of columns, for files without a header.
#' @noRd
read_columns <- function(path, header, encoding, columns, layouts, is_header, what, arg, call) {
  check_paths(path, arg, call)
  if (!(is.logical(header) && length(header) == 1)) {
    abort_judicious("{.arg header} must be TRUE, FALSE, or NA to see for
      itself.", "argument", argument = "header", call = call)
  }
  tables <- lapply(path, function(one) {
    file <- read_fields(one, header, encoding, is_header, arg, call)
    layout_columns(file, one, columns, layouts, what, arg, call)
  })
  if (length(unique(lapply(tables, names))) > 1) {
    abort_judicious("{.arg {arg}}: the files do not all have the same columns.", "columns", argument = arg, call = call)
  }
  if (length(tables) == 1) tables[[1]] else do.call(rbind, tables)
}

check_paths <- function(path, arg, call) {
  if (!is.character(path) || is.matrix(path) || !length(path) || anyNA(path)) {
    abort_judicious("{.arg {arg}} must be paths of files, not
      {.obj_type_friendly {path}}.", "argument", argument = arg, call = call)
  }
}

# A file's columns as a data frame, named as the user says, or by the file's layout or its header.
layout_columns <- function(file, path, columns, layouts, what, arg, call) {
  by_layout <- if (is.null(file$names)) layouts[[as.character(length(file$columns))]]
  names <- columns %||% by_layout %||% standard_names(file$names)
  if (length(names) != length(file$columns)) {
    abort_judicious(c(
      "{.arg {arg}}: {.file {path}} has {length(file$columns)} column{?s}, which is no known layout of {what}.",
      i = "Known without a header: {layout_text(layouts)}.",
      i = "Name them with {.arg columns}, or give the file a header."
    ), "columns", argument = arg, path = path, call = call)
  }
  data <- lapply(file$columns, function(column) column$field[column$code])
  names(data) <- names
  # data.frame() would take the names for arguments', which the C locale cannot say.
  list2DF(data)
}

layout_text <- function(layouts) {
  paste(vapply(layouts, paste, "", collapse = " "), collapse = "; ")
}

# Text that must be numbers, with the row of the first that is not one.
as_numbers <- function(text, column, arg, call) {
  distinct <- unique(text)
  value <- parse_numbers_cpp(distinct)
  if (anyNA(value)) {
    row <- which(text %in% distinct[is.na(value)])[1]
    abort_judicious(
      "{.arg {arg}}: column {.val {column}} must hold numbers; row {format_count(row)} has {.val {text[row]}}.",
      "columns", argument = arg, columns = column, rows = row, call = call
    )
  }
  value[match(text, distinct)]
}
