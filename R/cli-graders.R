# The command `judicious graders`, which validates grades by judgments. `o`: the values of the options, as cli_parse()
# returns them.

cli_graders <- function(o) {
  judgments <- cli_judgments(o)
  x <- cli_collection(o, judgments = NULL, scale_judgments = judgments)
  grades <- grades_in_files(o$grades, cli_failed(o))
  if (is.null(grades) && is.null(x$grades)) {
    named <- if (cli_has_answers(o)) ", or a column of the answers: --columns grades=COLUMN"
    abort_usage("--grades is missing{named}.")
  }
  validation <- reported_by(NULL, grader_validation(x, grades, judgments, o$level, o$epsilon, o$seed %||% 1))
  for (line in Filter(nzchar, utils::capture.output(print(validation)))) inform_judicious("{line}", "graders")
  as.data.frame(validation, what = o$table)
}
