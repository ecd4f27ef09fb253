#' @rdname read_runs
#' @export
read_judgments <- function(path, header = NA, encoding = NULL, columns = NULL) {
  judgments_from_path(path, "path", header, encoding, columns)
}

judgments_from_path <- function(path, arg, header = NA, encoding = NULL, columns = NULL, call = caller_env()) {
  kind <- judgments_kind("judgments", numbers = "gain")
  judgments <- read_columns(path, header, encoding, columns, kind, arg, call)
  first <- c("query", "doc", "gain")
  check_columns(judgments, first, arg, call)
  judgments[c(first, setdiff(names(judgments), c(first, "iteration")))]
}

judgments_kind <- function(what, numbers) {
  file_kind(what, list("3" = c("query", "doc", "gain"), "4" = c("query", "iteration", "doc", "gain")),
            numbers = numbers, ignored = "iteration", number_field = function(n) if (n %in% 3:4) n else 0L)
}

# Grades of another grader: as judgments, but an empty grade or NA is a pair without a grade.
grades_from_path <- function(path, arg, call = caller_env()) {
  grades <- read_columns(path, NA, NULL, NULL, judgments_kind("grades", character()), arg, call)
  check_columns(grades, c("query", "doc", "gain"), arg, call)
  if (!is.numeric(grades$gain)) {
    grades$gain <- as_numbers(as.character(grades$gain), "grade", arg, call, missing = c("", "NA", NA))
  }
  grades[c("query", "doc", "gain")]
}
