#' @rdname read_runs
#' @export
read_judgments <- function(path, header = NA, encoding = NULL, columns = NULL) {
  judgments_from_path(path, "path", header, encoding, columns)
}

judgments_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL, call = caller_env()) {
  layouts <- list("3" = c("query", "doc", "gain"), "4" = c("query", "iteration", "doc", "gain"))
  judgments <- read_columns(path, header, encoding, columns, layouts, looks_like_header, "judgments", arg, call)
  first <- c("query", "doc", "gain")
  check_columns(judgments, first, arg, call)
  judgments$gain <- as_numbers(judgments$gain, "gain", arg, call)
  judgments[c(first, setdiff(names(judgments), c(first, "iteration")))]
}
