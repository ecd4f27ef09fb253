#' @rdname read_runs
#' @export
read_judgments <- function(path, header = NA, encoding = NULL, columns = NULL) {
  judgments_from_path(path, "path", header, encoding, columns)
}

judgments_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL, call = caller_env()) {
  kind <- file_kind("judgments", list("3" = c("query", "doc", "gain"), "4" = c("query", "iteration", "doc", "gain")),
                    numbers = "gain", ignored = "iteration", number_field = function(n) if (n %in% 3:4) n else 0L)
  judgments <- read_columns(path, header, encoding, columns, kind, arg, call)
  first <- c("query", "doc", "gain")
  check_columns(judgments, first, arg, call)
  judgments[c(first, setdiff(names(judgments), c(first, "iteration")))]
}
