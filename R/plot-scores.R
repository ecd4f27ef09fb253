# Plots of scores: their distributions by system, and gains on two scales.

#' @rdname judicious_scores
#' @export
plot.judicious_scores <- function(x, ...) draw_plot(x, ...)

#' @rdname judicious_scores
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_scores <- function(object, measure = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  measure <- one_measure(object, measure)
  rows <- object[object$measure == measure & !is.na(object$value), ]
  check_that(nrow(rows), "measure", "{.arg x} has no values of {.val {measure}}.")
  means <- sort(tapply(rows$value, factor(rows$system, unique(rows$system)), mean))
  lowest_first <- names(means)
  values <- data.frame(system = factor(rows$system, lowest_first), value = rows$value)
  means <- data.frame(system = factor(lowest_first, lowest_first), value = as.vector(means))
  axis_labels <- named_from_top(nrow(means))
  has_many <- nrow(means) > 30
  subtitle <- sprintf("%s, %s; boxes: quartiles, diamonds: means%s", counted(nrow(means), "system"),
                      count_queries(length(unique(rows$query))), axis_labels$note)
  ggplot2::ggplot(values, ggplot2::aes(x = .data$value, y = .data$system)) +
    ggplot2::geom_boxplot(outlier.shape = NA, colour = plot_colours[["grey"]], fill = "white", linewidth = 0.4) +
    ggplot2::geom_point(colour = plot_colours[["blue"]], alpha = 0.35, size = if (has_many) 0.5 else 1,
                        position = ggplot2::position_jitter(width = 0, height = 0.2, seed = 1)) +
    ggplot2::geom_point(data = means, shape = 18, size = if (has_many) 1.6 else 3,
                        colour = plot_colours[["vermillion"]]) +
    wrapped_texts(x = measure, y = NULL, title = paste("Distribution of", measure, "over queries"),
                  subtitle = subtitle) +
    ggplot2::scale_y_discrete(breaks = lowest_first[axis_labels$at]) +
    plot_theme(axis.text.y = ggplot2::element_text(size = axis_labels$size))
}

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_scale_agreement <- function(object, labels = c("x", "y"), ...) { # nolint: object_length_linter.
  refuse_other_arguments("autoplot()", ...)
  check_that(is.character(labels) && length(labels) == 2 && !anyNA(labels), "labels",
             "must be the names of two scales.")
  level_labels <- paste0(format(object$table$level, trim = TRUE), "\n", format_count(object$table$documents))
  by_level <- cbind(object$table, label = factor(level_labels, level_labels))
  subtitle <- sprintf("%s; correlation %.3f; %s of the pairs of a query in the same order",
                      counted(object$documents, "document"), object$pearson, percent(object$consistent, 1))
  ggplot2::ggplot(by_level, ggplot2::aes(x = .data$label)) +
    ggplot2::geom_boxplot(ggplot2::aes(ymin = .data$lowest, lower = .data$quartile_1, middle = .data$median,
                                       upper = .data$quartile_3, ymax = .data$highest), stat = "identity", width = 0.6,
                          fill = plot_colours[["sky"]]) +
    wrapped_texts(x = paste0(labels[1], " (documents)"), y = labels[2],
                  title = paste(labels[2], "gains by level of", labels[1]), subtitle = subtitle) + plot_theme()
}

# Data of the plot of a validation: the agreement of people with each other, and of each grader with people.

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_grader_validation <- function(object, ...) {
  refuse_other_arguments("autoplot()", ...)
  columns <- c("tau", "tau_lower", "tau_upper")
  rows <- stats::setNames(rbind(object$graders[columns], object$people[columns]), c("estimate", "lower", "upper"))
  rows$label <- make.unique(c(object$graders$grader, "people with each other"))
  rows <- rows[is.finite(rows$estimate), ]
  check_that(nrow(rows), "x", "There is nothing to draw: no agreement with people is known.")
  verdicts <- c("shown to be better than chance", "not shown")
  rows$verdict <- factor(verdicts[ifelse(is.na(rows$lower) | rows$lower <= 0, 2, 1)], verdicts)
  ggplot_intervals(list(rows = rows, line = 0, names = named_axis(nrow(rows)), title = "Agreement with people",
                        subtitle = paste("bars:", percent(object$level), "intervals"),
                        xlab = "Kendall's tau within queries"))
}
