#' @rdname read_runs
#' @export
read_documents <- function(path, header = NA, encoding = NULL, columns = NULL) {
  documents_from_path(path, "path", header, encoding, columns)
}

documents_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL, call = caller_env()) {
  metadata_from_path(path, arg, "doc", c("doc", "artist", "genre"), "documents", header, encoding, columns, call)
}

# Reads metadata of documents, queries or systems: identifiers in one column, features in the others.
metadata_from_path <- function(path, arg, id, layout, what, header = NA, encoding = NULL, columns = NULL,
                               call = caller_env()) {
  kind <- file_kind(what, stats::setNames(list(layout), length(layout)),
                    is_header = function(fields) any(standard_names(fields) == id))
  data <- read_columns(path, header, encoding, columns, kind, arg, call)
  check_columns(data, id, arg, call)
  features <- setdiff(names(data), id)
  # A column becomes numeric only if its numbers print as the same text: identifiers of artists or genres such as "007"
  # remain text.
  data[features] <- lapply(data[features], function(text) {
    if (!is.character(text)) return(text)
    text[!nzchar(text) | text == "NA"] <- NA
    value <- suppressWarnings(as.numeric(text))
    if (all(is.na(text) == is.na(value)) && all(id_text(value) == text, na.rm = TRUE)) value else text
  })
  data[c(id, features)]
}
