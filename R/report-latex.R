# LaTeX tables of objects whose files do not define one.

#' @rdname rank_systems
#' @param digits Number of decimals; NULL uses the number that [print()] shows.
#' @return `toLatex()` and [as_latex()]: a LaTeX table, best system first.
#' @export
toLatex.judicious_ranking <- function(object, digits = NULL, ...) {
  data <- head(object, Inf)
  if (!is.null(digits)) check_count(digits, "digits", min = 0)
  digits <- digits %||% score_decimals(object$collection$span)
  with_team <- !identical(data$system, data$team)
  body <- list(data$rank, latex_text(data$system), if (with_team) latex_text(data$team),
               latex_number(data$estimate, digits), latex_number(data$lower, digits), latex_number(data$upper, digits))
  body <- as.data.frame(Filter(Negate(is.null), body), stringsAsFactors = FALSE, col.names = NULL)
  level <- paste0(percent(object$level), " interval")
  header <- c("Rank", "System", if (with_team) "Team", "Estimate",
              paste0("\\multicolumn{2}{l}{", latex_text(level), "}"))
  latex_table(body, header, paste0("rl", if (with_team) "l", "rrr"))
}
