#' Plot the calibration of a session
#'
#' Plots the share of observed gains that fell inside their 50, 80 and 95% prediction intervals against these
#' probabilities, for audited and for selected judgments. If the predicted distributions are right, the points lie on
#' the diagonal; points below it show that the distributions are too narrow. The bands are 95% (Wilson) intervals of
#' the shares.
#'
#' @param x,object The result of [calibration()].
#' @param ... Not used.
#' @return `plot()`: the ggplot2 object, invisibly. `autoplot()`: a ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, goal = goal_budget(60), audit = 0.3, seed = 1, judgments = FALSE)
#' plot(calibration(run_session(s)))
#' @export
plot.judicious_calibration <- function(x, ...) draw_plot(x, ...)

#' @rdname plot.judicious_calibration
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_calibration <- function(object, ...) {
  check_no_more("autoplot()", ...)
  ggplot_mtc_study(calibration_picture(object))
}

calibration_picture <- function(calibration, call = caller_env()) {
  judged <- calibration[calibration$n > 0 & calibration$judgments != "systems", ]
  check_that(nrow(judged), "x", "There is nothing to draw: the session has no judgments.", call = call)
  probability <- c(0.5, 0.8, 0.95)
  rows <- lapply(seq_len(nrow(judged)), function(i) {
    share <- unlist(judged[i, c("within_50", "within_80", "within_95")], use.names = FALSE)
    ends <- share_interval(share, judged$n[i])
    data.frame(panel = "", series = judged$judgments[i], x = probability, value = share,
               lower = ends$lower, upper = ends$upper)
  })
  figures <- sprintf("%s: %s, z2 %.2f%s", judged$judgments, vapply(judged$n, counted, "", "judgment"), judged$z2,
                     ifelse(is.na(judged$lower), "", sprintf(" (%.2f to %.2f)", judged$lower, judged$upper)))
  list(curves = do.call(rbind, rows), ideal = ideal_lines("", 0, 1), x = "probability of the interval",
       y = "coverage of the intervals", title = "Do the predictions hold?",
       subtitle = paste(c(figures, "dashed: ideal"), collapse = "; "))
}
