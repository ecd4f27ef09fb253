#' Plot a judging plan
#'
#' Plots the expected confidence (the median of the simulated sessions) against the number of judgments, with a band
#' that contains 80% of the simulated sessions. The curve of the real session can be added.
#'
#' @param x,object A `judicious_plan`, as returned by [judging_plan()].
#' @param session The real [judging_session()], to compare with the plan, or NULL (default) for none.
#' @param ... Not used.
#' @return `plot()`: the ggplot2 object, invisibly. `autoplot()`: a ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- simulate_collection(queries = 10, documents = 150, artists = 20, systems = 4, seed = 1)
#' plan <- judging_plan(x, goal_mean(0.85) | goal_budget(30), judgments = FALSE, replicates = 3,
#'                      seed = 1)
#' session <- judging_session(x, goal = goal_mean(0.85) | goal_budget(30), seed = 2, judgments = FALSE)
#' run_session(session)
#' plot(plan, session)
#' @export
plot.judicious_plan <- function(x, ...) draw_plot(x, ...)

#' @rdname plot.judicious_plan
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_plan <- function(object, session = NULL, ...) {
  check_no_more("autoplot()", ...)
  ggplot_mtc_study(without_band(plan_picture(object, session), nrow(object$needed)))
}

plan_picture <- function(plan, session = NULL, call = caller_env()) {
  shown <- unique(round(seq(1, nrow(plan$curve), length.out = 21)))
  curve <- function(series, data) {
    data.frame(panel = "", series = series, x = data$judged, value = data$confidence, lower = data$lower,
               upper = data$upper)
  }
  curves <- curve("plan", plan$curve[shown, ])
  if (!is.null(session)) {
    check_class(session, "judicious_session", "session", "judging_session", call)
    steps <- as.data.frame(session)
    kept <- unique(round(seq(1, nrow(steps), length.out = 21)))
    curves <- rbind(curves, curve("session", cbind(steps[kept, ], lower = steps$confidence[kept],
                                                   upper = steps$confidence[kept])))
  }
  list(curves = curves, ideal = ideal_lines("", plan$asked), x = "judgments", y = "confidence in the ranking",
       title = "Expected confidence",
       subtitle = sprintf("median of %s with the goal %s; band: 80%% of the sessions",
                          counted(nrow(plan$needed), "simulated session"), plan$goal))
}
