#' Plot a judging session
#'
#' Plots confidence in the ranking against the number of judgments. If the goal is a mean confidence ([goal_mean()]), a
#' dashed line shows the target, and a label the number of judgments at which it was first reached.
#'
#' @param x,object A session, by [judging_session()].
#' @param ... Not used.
#' @return `plot()`: the ggplot2 object, invisibly. `autoplot()`: a ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, goal = goal_mean(0.9) | goal_budget(30), seed = 1, judgments = FALSE)
#' plot(run_session(s))
#' @export
plot.judicious_session <- function(x, ...) draw_plot(x, ...)

#' @rdname plot.judicious_session
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_session <- autoplot_by(function(object) ggplot_trace(session_picture(object)))

# Data for ggplot_trace(). Goals other than a mean confidence have no target line.
session_picture <- function(s) {
  state <- progress(s, expect = FALSE)
  steps <- as.data.frame(s)
  # Judgments that were undone are no part of the curve, which would otherwise run backwards.
  kept <- steps$judged <= rev(cummin(rev(steps$judged))) & !duplicated(steps$judged, fromLast = TRUE)
  steps <- steps[kept, ]
  asked <- if (is_mean_confidence(state$goal)) state$goal$asked else numeric()
  reached <- if (length(asked)) steps$judged[which(steps$value >= asked)[1]] else NA_real_
  list(
    curves = data.frame(judged = steps$judged, series = "confidence", value = steps$confidence),
    asked = asked, reached = reached, reached_label = if (!is.na(reached)) counted(reached, "judgment"),
    title = "Confidence in the ranking as documents are judged",
    subtitle = sprintf("%s of a pool of %s; confidence %.3f now",
                       judgments_text(state$judged, sum(state$assessors$judged)),
                       format_count(state$judged + state$skipped + state$open), state$confidence)
  )
}
