#' Export the judgments of a session
#'
#' Writes the judgments to a file for other programs, such as trec_eval.
#'
#' @param session A session by [judging_session()].
#' @param file The path of the file to write.
#' @param format NULL follows the extension of `file`: `.csv`, `.parquet`, otherwise qrels. `"qrels"`: a line
#'   `query 0 doc gain` for each document, with its first judgment, or the final one of a lead. `"csv"`: the columns of
#'   [judgments_of()], with a header. `"parquet"`: the same columns (package `nanoparquet`).
#' @param all TRUE writes the whole log: documents that were assigned, judged, skipped or undone, and the prompts,
#'   answers and costs of [run_session()], as `"csv"` or `"parquet"`.
#' @param formulas FALSE puts an apostrophe before text in CSV files that would be a formula in a spreadsheet; the
#'   readers of this package remove it. TRUE writes texts as they are.
#' @return `file`, invisibly.
#' @examples
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' s <- run_session(judging_session(x, goal = goal_budget(5), seed = 1, judgments = FALSE))
#' file <- tempfile(fileext = ".qrels")
#' export_judgments(s, file)
#' readLines(file)
#' @export
export_judgments <- function(session, file, format = NULL, all = FALSE, formulas = FALSE) {
  check_session(session)
  check_flag(all, "all")
  check_flag(formulas, "formulas")
  check_string(file, "file")
  written_as <- check_choice(format %||% format_of_name(file, c("qrels", "csv", "parquet", txt = "qrels")),
                             c("qrels", "csv", "parquet"), "format")
  check_that(!all || written_as != "qrels", "format",
             "Qrels cannot represent the whole log: use {.code format = \"csv\"} or {.code \"parquet\"}.")
  exported <- if (all) store_rows(session$engine$store, "event") else judgments_of(session)
  switch(written_as,
    qrels = write_qrels(exported[!exported$overlap, ], file),
    csv = write_log(exported, file, formulas),
    parquet = write_parquet(exported, file)
  )
  invisible(file)
}

# Writes rows of the log, with times as text. `formulas` as in write_csv().
write_log <- function(data, file, formulas = FALSE) {
  if ("time" %in% names(data) && !is.character(data$time)) data$time <- utc_text(data$time)
  write_csv(data, file, "`file`", formulas)
}

#' Copy a session
#'
#' Copies a session in a file or a database to another store: as a backup, or to move it between SQLite and PostgreSQL.
#' The copy has every judgment that was acknowledged before the call, even while assessors judge. Do not copy the file
#' of an open session by other means.
#'
#' @param session A session by [judging_session()].
#' @param to Where to keep the copy: any `store` of [judging_session()] without a session. An existing file is not
#'   overwritten.
#' @return `to`, invisibly.
#' @section Errors: `judicious_error_session_exists` if `to` exists.
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' s <- judging_session(x, store = tempfile(fileext = ".sqlite"), seed = 1, judgments = FALSE)
#' copy <- backup_session(s, tempfile(fileext = ".sqlite"))
#' close_session(s)
#' open_session(copy)
#' @export
backup_session <- function(session, to) {
  check_session(session)
  copy_store(session$engine$store, to)
  invisible(to)
}

write_qrels <- function(data, file) {
  spaced <- grep("[[:space:]]", c(data$query, data$doc), value = TRUE)
  check_that(!length(spaced), "format", c("Qrels cannot represent identifiers with white space: {name_some(spaced)}.",
                                          i = "Use {.code format = \"csv\"}."))
  lines <- if (nrow(data)) sprintf("%s 0 %s %s", data$query, data$doc, id_text(data$gain))
  write_lines(lines, file, "`file`")
}

# Writes a parquet file and checks the number of rows that its metadata state. The metadata are at the end of the file,
# so they are missing from a file that is not complete.
write_parquet <- function(data, file) {
  need_package("nanoparquet", "Writing parquet")
  write_whole(file, function(path) {
    nanoparquet::write_parquet(data, path)
    rows <- nanoparquet::read_parquet_info(path)$num_rows
    if (rows == nrow(data)) "" else "it does not hold every row"
  }, "`file`")
}
