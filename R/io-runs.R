#' Read runs, judgments and documents
#'
#' Read the files that retrieval evaluation uses into data frames. Fields are separated by tabs,
#' commas or white space; lines end in LF, CRLF or CR; gzipped files are read as they are.
#'
#' Without a header, the layout follows from the number of columns:
#'
#' - runs: 3 (`system query doc`), 4 (`system query doc rank`), 6 (TREC: `query Q0 doc rank score system`);
#' - judgments: 3 (`query doc gain`), 4 (TREC qrels: `query iteration doc gain`);
#' - documents: 3 (`doc artist genre`).
#'
#' With a header, columns are known by their names; the usual synonyms are understood (`topic`,
#' `docno`, `run`, `relevance`, ...) and further columns are kept.
#'
#' @param path Paths of one or more files of the same layout; their rows are put one after another.
#' @param header TRUE or FALSE, or NA (default) to take the first line for a header when two or more
#'   of its fields are such names.
#' @param encoding The files' encoding, as in [iconv()]. NULL (default) means UTF-8 (or what a byte
#'   order mark says); other text is read as latin1, with a message.
#' @param columns Names of the columns, where the file has no header and another layout.
#' @return A data frame. `read_runs()`: `system`, `query`, `doc` (text), `rank` and `score` (numbers) where the file
#'   has them. `read_judgments()`: `query`, `doc`, `gain` (number). `read_documents()`: `doc` and one column per
#'   feature of the documents.
#' @section Errors: A missing, empty or binary file (class `judicious_error_file`, `judicious_error_encoding`), a line
#'   with another number of fields, an unknown layout or a number that is none (`judicious_error_columns`); each names
#'   the argument, the file and the line or row.
#' @seealso [test_collection()], which also takes the paths themselves.
#' @examples
#' path <- tempfile()
#' writeLines(c("301 Q0 d7 1 9.5 bm25", "301 Q0 d3 2 8.1 bm25"), path)
#' read_runs(path)
#' @export
read_runs <- function(path, header = NA, encoding = NULL, columns = NULL) {
  runs_from_path(path, "path", header, encoding, columns)
}

runs_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL, call = caller_env()) {
  start_progress("Reading runs")
  layouts <- list(
    "3" = c("system", "query", "doc"),
    "4" = c("system", "query", "doc", "rank"),
    "6" = c("query", "iteration", "doc", "rank", "score", "system")
  )
  runs <- read_columns(path, header, encoding, columns, layouts, looks_like_header, "runs", arg, call)
  check_columns(runs, c("system", "query", "doc"), arg, call)
  for (column in intersect(c("rank", "score"), names(runs))) {
    runs[[column]] <- as_numbers(runs[[column]], column, arg, call)
  }
  first <- intersect(c("system", "query", "doc", "rank", "score"), names(runs))
  runs[c(first, setdiff(names(runs), c(first, "iteration")))]
}
