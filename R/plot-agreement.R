#' Plot gains on one scale against those on another
#'
#' Plots the gains on the finer scale for each level of the coarser scale: a box with the quartiles, and lines to the
#' lowest and the highest gain.
#'
#' @param x,object The result of [agreement()] for judgments on two scales.
#' @param labels The names of the coarser and the finer scale, for the axes.
#' @param ... Not used.
#' @return `plot()`: the ggplot2 object, invisibly. `autoplot()`: a ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' broad <- data.frame(query = "q", doc = 1:6, gain = c(0, 0, 1, 1, 2, 2))
#' fine <- data.frame(query = "q", doc = 1:6, gain = c(5, 20, 15, 50, 70, 95))
#' plot(agreement(broad, fine), labels = c("Broad", "Fine"))
#' @export
plot.judicious_scale_agreement <- function(x, ...) draw_plot(x, ...)

#' @rdname plot.judicious_scale_agreement
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_scale_agreement <- function(object, labels = c("x", "y"), ...) { # nolint: object_length_linter.
  check_no_more("autoplot()", ...)
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
    ggplot2::labs(x = paste0(labels[1], " (documents)"), y = labels[2],
                  title = paste(labels[2], "gains by level of", labels[1]), subtitle = subtitle) +
    plot_theme()
}
