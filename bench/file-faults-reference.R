# A slow reader that follows the documented rules of ?read_runs, in base R and with the program gzip, for
# bench/file-faults.R. Its result is a data frame, or, for a file that must raise an error, refuse() with the line at
# fault, or NA.

refuse <- function(line = NA) structure(list(), class = "refused", line = line)
is_refused <- function(x) inherits(x, "refused")

# The content of a gzipped file; NULL if gzip reports an error or a warning.
gunzip <- function(path) {
  out <- tempfile()
  on.exit(unlink(out))
  # gzip has status 2 for a warning, such as that about zero bytes after the end.
  status <- system2("gzip", c("-dc", "<", shQuote(path)), stdout = out, stderr = FALSE)
  if (status == 0) readBin(out, "raw", file.size(out))
}

# The text of the bytes in UTF-8; NULL if they are not text.
decode <- function(bytes) {
  marks <- list("UTF-8" = as.raw(c(0xEF, 0xBB, 0xBF)), "UTF-16LE" = as.raw(c(0xFF, 0xFE)),
                "UTF-16BE" = as.raw(c(0xFE, 0xFF)))
  for (encoding in names(marks)) {
    mark <- marks[[encoding]]
    if (identical(utils::head(bytes, length(mark)), mark)) {
      text <- iconv(list(bytes[-seq_along(mark)]), encoding, "UTF-8")
      return(if (!is.na(text) && !(encoding == "UTF-8" && any(bytes == 0))) text)
    }
  }
  if (any(bytes == 0)) return(NULL)
  text <- rawToChar(bytes)
  if (validUTF8(text)) `Encoding<-`(text, "UTF-8") else iconv(text, "latin1", "UTF-8")
}

lines_of <- function(text) {
  lines <- strsplit(gsub("\r", "\n", gsub("\r\n", "\n", text, fixed = TRUE), fixed = TRUE), "\n", fixed = TRUE)
  if (length(lines)) lines[[1]] else character()
}

is_number <- function(text) !is.na(suppressWarnings(as.numeric(text)))
words <- function(line) strsplit(gsub("^[ \t\v\f]+|[ \t\v\f]+$", "", line), "[ \t\v\f]+")

# The rows of a file without a header. `numbers` has the numeric columns for each known number of columns. `key` is a
# function of that number: the column that must be a number; if it is not, and the line starts with #, the line is a
# comment.
reference_rows <- function(text, numbers, key) {
  lines <- lines_of(text)
  number <- which(grepl("[^ \t\v\f]", lines))
  by_words <- words(lines[number])
  marked <- vapply(by_words, function(fields) startsWith(fields[1], "#"), NA)
  key <- key(length(by_words[[c(which(!marked), 1)[1]]]))
  comment <- function(fields) {
    key > 0 && startsWith(fields[1], "#") && (length(fields) < key || !is_number(fields[key]))
  }
  keep <- !vapply(by_words, comment, NA)
  by_words <- by_words[keep]
  number <- number[keep]
  if (!length(number)) return(refuse())
  tabs <- strsplit(paste0(lines[number], "\t|"), "\t", fixed = TRUE)
  tabs <- lapply(tabs, function(fields) trimws(fields[-length(fields)], whitespace = "[ \t\v\f]"))
  # The run tag is the rest of the line.
  is_trec <- function(fields) length(fields) >= 6 && is_number(fields[5])
  if (is_trec(by_words[[1]])) {
    with_tag <- function(rows, before) {
      tag <- trimws(sub(before, "", lines[number], perl = TRUE), whitespace = "[ \t\v\f]")
      Map(function(row, tag) if (length(row) > 6) c(row[1:5], tag) else row, rows, tag)
    }
    by_words <- with_tag(by_words, "^[ \t\v\f]*([^ \t\v\f]+[ \t\v\f]+){5}")
    tabs <- with_tag(tabs, "^([^\t]*\t){5}")
  }
  # Tabs at the end of every line do not create fields.
  n_empty <- min(vapply(tabs, function(fields) length(fields) - max(0, which(nzchar(fields))), 0))
  tabs <- lapply(tabs, function(fields) fields[seq_len(length(fields) - n_empty)])
  # Tabs separate the fields if the first line has any, unless the lines would then have different numbers of fields, or
  # only its words form a line of a TREC run.
  known <- length(tabs[[1]]) %in% names(numbers) || !is_number(by_words[[1]][4])
  by_tabs <- grepl("\t", lines[number[1]]) && (known || !is_trec(by_words[[1]]))
  first <- NULL
  for (rows in c(if (by_tabs) list(tabs), list(by_words))) {
    other <- which(lengths(rows) != length(rows[[1]]))
    if (!length(other)) break
    first <- c(first, other[1])
  }
  if (length(other)) return(refuse(number[first[1]]))
  numbers <- numbers[[as.character(length(rows[[1]]))]]
  if (is.null(numbers)) return(refuse())
  rows <- as.data.frame(do.call(rbind, rows))
  bad <- unlist(lapply(rows[numbers], function(column) which(!is_number(column))))
  # Every other column is an identifier or ignored, and must not be empty.
  bad <- c(bad, unlist(lapply(rows, function(column) which(!nzchar(column)))))
  if (length(bad)) return(refuse(number[bad]))
  rows
}

# If a file must raise an error only because of its ranks, `scored` has its rows without ranks: evaluate() accepts them,
# because like trec_eval it does not read the ranks.
reference_run <- function(bytes) {
  text <- if (length(bytes)) decode(bytes)
  if (is.null(text)) return(refuse())
  key <- function(n) if (n >= 6) 5 else 0
  rows <- run_columns(reference_rows(text, list("3" = integer(), "4" = 4, "6" = 4:5), key))
  if (is_refused(rows)) {
    scored <- run_columns(reference_rows(text, list("6" = 5), key))
    if (!is_refused(scored)) attr(rows, "scored") <- scored
  }
  rows
}

run_columns <- function(rows) {
  if (is_refused(rows)) return(rows)
  if (length(rows) < 6) {
    names(rows) <- c("system", "query", "doc", "rank")[seq_along(rows)]
    if (length(rows) == 4) rows$rank <- as.numeric(rows$rank)
    return(rows)
  }
  names(rows) <- c("query", "iteration", "doc", "rank", "score", "system")
  first <- sub("[ \t].*", "", rows$system)
  if (length(unique(first)) == 1 && length(unique(rows$system)) > 1) rows$system <- first
  data.frame(system = rows$system, query = rows$query, doc = rows$doc, rank = suppressWarnings(as.numeric(rows$rank)),
             score = as.numeric(rows$score))
}

reference_judgments <- function(bytes) {
  text <- if (length(bytes)) decode(bytes)
  rows <- if (is.null(text)) {
    refuse()
  } else {
    reference_rows(text, list("3" = 3, "4" = 4), function(n) if (n %in% 3:4) n else 0)
  }
  if (is_refused(rows)) return(rows)
  n <- length(rows)
  data.frame(query = rows[[1]], doc = rows[[n - 1]], gain = as.numeric(rows[[n]]))
}

# A table separated by commas, with a header: RFC 4180, one character at a time.
reference_csv <- function(bytes) {
  text <- if (length(bytes)) decode(bytes)
  if (is.null(text)) return(refuse())
  rows <- list()
  row <- character()
  field <- ""
  quoted <- FALSE
  begun <- line <- 1
  end_row <- function() {
    if (length(row) || nzchar(field)) rows[[length(rows) + 1]] <<- list(fields = c(row, field), line = begun)
    row <<- character()
    field <<- ""
    begun <<- line
  }
  for (c in strsplit(text, "")[[1]]) {
    if (c == "\n") line <- line + 1
    if (c == "\"") {
      quoted <- !quoted
      if (quoted && nzchar(field)) field <- paste0(field, c)
    } else if (quoted || !c %in% c(",", "\n")) {
      field <- paste0(field, c)
    } else if (c == ",") {
      row <- c(row, field)
      field <- ""
    } else {
      end_row()
    }
  }
  if (quoted) return(refuse(begun))
  end_row()
  if (length(rows) < 2) return(refuse())
  fields <- lapply(rows, `[[`, "fields")
  # The rows must have equal numbers of fields, which must then agree with the header.
  other <- which(lengths(fields[-1]) != length(fields[[2]]))
  if (length(other)) return(refuse(rows[[other[1] + 1]]$line))
  if (length(fields[[1]]) != length(fields[[2]]) || !"doc" %in% fields[[1]]) return(refuse())
  rows <- stats::setNames(as.data.frame(do.call(rbind, fields[-1])), fields[[1]])
  # An empty field is a missing value, and a column of missing values is numeric.
  rows[rows == ""] <- NA
  rows[] <- lapply(rows, function(field) if (all(is.na(field))) NA_real_ else field)
  rows
}

# Average precision and other measures of runs, by their definitions; a list that repeats a document is an error.
reference_scores <- function(run, judgments) {
  if (is_refused(run)) return(run)
  # This reference does not order lists without scores.
  if (is.null(run$score)) return(refuse())
  if (anyDuplicated(run[c("system", "query", "doc")])) return(refuse())
  queries <- unique(judgments$query)
  if (!any(run$query %in% queries)) return(refuse())
  grid <- expand.grid(query = queries, system = unique(run$system), stringsAsFactors = FALSE)
  grid$value <- unlist(Map(function(query, system) {
    own <- run[run$query == query & run$system == system, ]
    own <- own[order(own$score, own$doc, decreasing = TRUE, method = "radix"), ]
    relevant <- judgments$doc[judgments$query == query & judgments$gain > 0]
    hit <- own$doc %in% relevant
    sum((cumsum(hit) / seq_along(hit))[hit]) / length(relevant)
  }, grid$query, grid$system))
  grid[c("system", "query", "value")]
}
