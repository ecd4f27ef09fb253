# Reads documents, topics and systems: tables, and texts in JSON and in the markup of TREC.

#' @rdname read_runs
#' @export
read_documents <- function(path, header = NA, encoding = NULL, columns = NULL) {
  metadata_from_path(path, "documents", "path", header, encoding, columns)
}

# The columns of tables without a header, of which the first identifies the rows.
metadata_layouts <- list(documents = c("doc", "artist", "genre"), queries = c("query", "artist", "genre"),
                         systems = c("system", "team"))

# Reads metadata: identifiers in one column, features in the others. `what`: a name of `metadata_layouts`.
metadata_from_path <- function(path, what, arg = what, header = NA, encoding = NULL, columns = NULL) {
  id <- metadata_layouts[[what]][1]
  has_texts <- what != "systems"
  rows <- if (has_texts && is.character(path)) nested_texts(path, id, encoding, arg)
  if (is.null(rows)) rows <- read_columns(path, header, encoding, columns, metadata_kind(what, id, has_texts), arg)
  if (has_texts) names(rows) <- text_names(names(rows), id)
  has <- if (is.character(path)) "{.arg {arg}}: {.file {path}} has" else "{.arg {arg}} has"
  refuse_absent_columns(rows, id, arg, has, "Its", if (is.character(path)) path)
  features <- setdiff(names(rows), id)
  rows[features] <- lapply(rows[features], feature_values)
  # Weights such as "0.50" are numbers.
  if (id == "query" && is.character(rows[["weight"]])) rows$weight <- as_numbers(rows$weight, "weight", arg)
  rows[c(id, features)]
}

# A column becomes numeric only if its numbers print as the same text: identifiers of artists or genres such as "007"
# remain text.
feature_values <- function(text) {
  if (!is.character(text)) return(text)
  text[!nzchar(text) | text == "NA"] <- NA
  value <- suppressWarnings(as.numeric(text))
  if (all(is.na(text) == is.na(value)) && all(id_text(value) == text, na.rm = TRUE)) value else text
}

metadata_kind <- function(what, id, has_texts) {
  layout <- metadata_layouts[[what]]
  # Tables of topics and documents may consist of an identifier and a text; documents of MS MARCO have four columns.
  texts <- if (has_texts) list("2" = c(id, "text"))
  if (what == "documents") texts[["4"]] <- c(id, "url", "title", "text")
  file_kind(what, c(texts, stats::setNames(list(layout), length(layout))), is_header = function(fields) {
    standard <- standard_names(fields)
    looks_like_header(fields) || any((if (has_texts) text_names(standard, id) else standard) == id)
  }, understand = refuse_other_addresses)
}

# Raises an error for four columns without a header that are not those of MS MARCO, whose second column has addresses.
refuse_other_addresses <- function(rows, path, arg) {
  check_that(is.null(rows[["url"]]) || any(grepl("://", rows$url, fixed = TRUE)), arg, c(
    "{.arg {arg}}: {.file {path}} has four columns without names, and the second has no addresses, unlike documents of
      MS MARCO.",
    i = "Name them with {.arg columns}, or give the file a header, such as {.code doc title text author}."
  ), kind = "columns", path = path)
  rows
}

# Replaces the names of columns of identifiers and texts by the package's names. If a table has several names with the
# same meaning, the first one is used, unless the table has a column with the package's name.
text_names <- function(names, id) {
  words <- header_words(names)
  # In topics with another identifier, the column `query` has the text.
  if (id == "query" && "query" %in% words && any(c("_id", "id") %in% words)) {
    names[words == "query"] <- "text"
    words <- header_words(names)
  }
  known <- field_names("texts")
  for (standard in c(id, setdiff(names(known), c("query", "doc")))) {
    found <- match(known[[standard]], words)
    found <- found[!is.na(found)]
    if (!standard %in% words && length(found)) names[found[1]] <- standard
  }
  names
}

# The texts of files in JSON or in markup, as a data frame; NULL if they are tables.
nested_texts <- function(paths, id, encoding, arg) {
  parts <- lapply(paths, nested_text, id, encoding, arg)
  nested <- !vapply(parts, is.null, NA)
  if (!any(nested)) return(NULL)
  check_that(all(nested), arg, "{.arg {arg}}: the files are not all of the same kind.", kind = "file")
  stacked_tables(parts)
}

# Tables one below the other; a column that one of them does not have is NA there.
stacked_tables <- function(tables) {
  columns <- unique(unlist(lapply(tables, names)))
  without_row_names(do.call(rbind, unname(lapply(tables, function(table) {
    for (column in setdiff(columns, names(table))) table[[column]] <- rep(NA, nrow(table))
    table[columns]
  }))))
}

nested_text <- function(path, id, encoding, arg) {
  start <- if (!holds_parquet(path)) beginning_of_file(path, encoding, arg)$text
  if (!isTRUE(grepl("^[ \t]*([[{]|<[A-Za-z?!])", start, useBytes = TRUE))) return(NULL)
  normal <- normal_bytes(read_bytes(path, arg), path, encoding, arg)
  if (grepl("^[ \t]*<", start, useBytes = TRUE)) {
    text <- decode_fields(rawToChar(normal$bytes), normal$bytes, path, normal$encoding, arg)
    return(marked_up_texts(text, id))
  }
  texts_in_json(normal$bytes, path, id, arg)
}

texts_in_json <- function(bytes, path, id, arg) {
  content <- parse_json(bytes, path, arg)
  keyed <- is_keyed(content, id)
  # The object is probably one record with unknown names, rather than that many topics.
  is_record <- keyed && length(content) <= 20 && !is.list(content[[1]]) && !any(grepl("[0-9]", names(content)))
  form <- sprintf('[{"%s": "%s", "text": ...}, ...]', id, names(content)[1])
  check_that(!is_record, arg, c(
    "{.arg {arg}}: {.file {path}} holds one object, whose names are not known: {name_some(names(content))}.",
    i = "If they are columns, call them {.val {id}} and {.val text}.",
    i = "If they are identifiers, write a list of objects: {.code {form}}."
  ), kind = "columns", columns = names(content), path = path)
  records <- if (keyed) {
    Map(function(key, entry) c(stats::setNames(list(key), id), if (is.list(entry)) entry else list(text = entry)),
        names(content), unname(content), USE.NAMES = FALSE)
  } else {
    records_of(content)
  }
  check_that(length(records) && all(vapply(records, function(record) length(names(record)) > 0, NA)), arg,
             "{.arg {arg}}: {.file {path}} holds no objects with names, such as {.val _id} and {.val text}.",
             kind = "file", path = path)
  rows <- as.data.frame(records_frame(records), optional = TRUE)
  standard <- standard_names(names(rows))
  # Of two names for the identifier, the second may be that of a text, such as "document" beside "docno".
  names(rows) <- ifelse(duplicated(standard), names(rows), standard)
  rows <- rows[!duplicated(names(rows))]
  ids <- intersect(c(id, field_names("texts")[[id]]), names(rows))
  rows[ids] <- lapply(rows[ids], id_text)
  rows
}

# Whether an object has a text, or an object with texts, for each identifier.
is_keyed <- function(content, id) {
  known <- c(id, "title", names(field_names("texts")))
  texts_of <- function(names) intersect(text_names(standard_names(names), id), known)
  is_text <- vapply(content, function(one) is.character(one) && length(one) == 1, NA)
  has_texts <- vapply(content, function(one) is.list(one) && length(texts_of(names(one))) > 0, NA)
  length(content) && !is.null(names(content)) && !length(texts_of(names(content))) && (all(is_text) || all(has_texts))
}

# Fields of TREC's topics and documents, by the names of their tags.
markup_fields <- c(
  num = "id", number = "id", docno = "id", title = "title", headline = "title", head = "title", query = "text",
  question = "text", text = "text", body = "text", desc = "description", description = "description",
  narr = "narrative", narrative = "narrative", url = "url"
)

# The topics or documents of a text: blocks of fields, whose tags need not be closed. NULL if there are none.
marked_up_texts <- function(text, id) {
  block <- if (id == "query") "top|topic" else "doc"
  opening <- gregexpr(sprintf("(?i)<(%s)(\\s[^>]*)?>", block), text, perl = TRUE)
  if (opening[[1]][1] == -1) return(NULL)
  tags <- regmatches(text, opening)[[1]]
  blocks <- regmatches(text, opening, invert = TRUE)[[1]][-1]
  blocks <- sub(sprintf("(?is)</(%s)>.*", block), "", blocks, perl = TRUE)
  fields <- Map(function(tag, content) {
    found <- block_fields(content)
    # The identifier may be an attribute, as in topics of the Web tracks.
    attribute <- regexec("(?i)\\b(?:number|id)\\s*=\\s*[\"']?([^\"'>\\s]+)", tag, perl = TRUE)
    found$id <- found$id %||% regmatches(tag, attribute)[[1]][2]
    found
  }, tags, blocks)
  columns <- unique(c("id", unlist(lapply(fields, names))))
  rows <- lapply(columns, function(column) vapply(fields, function(record) record[[column]] %||% NA_character_, "",
                                                  USE.NAMES = FALSE))
  stats::setNames(list2DF(rows), replace(columns, 1, id))
}

# The texts of the fields in a block. A field ends where the next begins, or at its own closing tag.
block_fields <- function(block) {
  tag <- sprintf("(?i)<(%s)(?:\\s[^>]*)?>", paste(names(markup_fields), collapse = "|"))
  opening <- gregexpr(tag, block, perl = TRUE)
  if (opening[[1]][1] == -1) return(list())
  names <- lower_ascii(sub("(?s)<([A-Za-z]+).*", "\\1", regmatches(block, opening)[[1]], perl = TRUE))
  contents <- regmatches(block, opening, invert = TRUE)[[1]][-1]
  contents <- mapply(function(name, text) sub(sprintf("(?is)</%s>.*", name), "", text, perl = TRUE), names, contents)
  field <- factor(markup_fields[names], unique(markup_fields[names]))
  texts <- vapply(split(contents, field), function(text) plain_markup(paste(text, collapse = "\n\n")), "")
  as.list(texts[nzchar(texts)])
}

# Labels that TREC's topics repeat after their tags.
topic_label <- "(?i)^\\s*(number|topic|title|description|narrative|desc|narr)\\s*:"

# Text without tags and labels, with entities replaced by their characters; blank lines separate paragraphs.
plain_markup <- function(text) {
  text <- gsub("(?i)</?(b|i|em|strong|u|a|span|sub|sup)(\\s[^>]*)?>", "", sub(topic_label, "", text, perl = TRUE),
               perl = TRUE)
  text <- gsub("(?s)<[/!?]?[A-Za-z][^>]*>", " ", text, perl = TRUE)
  paragraphs <- strsplit(text, "\n[ \t\r]*\n")[[1]]
  paragraphs <- trimws(gsub("[ \t\r\n]+", " ", paragraphs))
  text <- paste(paragraphs[nzchar(paragraphs)], collapse = "\n\n")
  entities <- c("&lt;" = "<", "&gt;" = ">", "&quot;" = "\"", "&apos;" = "'", "&#39;" = "'", "&amp;" = "&")
  for (entity in names(entities)) text <- gsub(entity, entities[[entity]], text, fixed = TRUE)
  text
}
