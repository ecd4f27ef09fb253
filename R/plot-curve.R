# Plots of precision-recall and ROC curves, documented with retrieval_curve().

#' @rdname retrieval_curve
#' @export
plot.judicious_curve <- function(x, ...) draw_plot(x, ...)

#' @rdname retrieval_curve
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_curve <- autoplot_by(function(object) ggplot_curve(curve_picture(object)))

# `points`: x and y, one line per system and query. `marks`: the points at which precision equals recall. If there are
# more systems than colours, only the systems with the highest curves on average have colours; the others are grey.
curve_picture <- function(curve) {
  roc <- identical(attr(curve, "type"), "roc")
  axes <- if (roc) c("false_positive_rate", "true_positive_rate") else c("recall", "precision")
  means <- all(curve$query == "all")
  points <- data.frame(system = curve$system, line = paste(curve$system, curve$query), x = curve[[axes[1]]],
                       y = curve[[axes[2]]])
  systems <- unique(points$system)
  height <- tapply(points$y, factor(points$system, systems), mean)
  best <- order(-height)[seq_len(min(most_curves, length(systems)))]
  shown <- systems[sort(best)]
  points$group <- factor(ifelse(points$system %in% shown, points$system, "others"),
                         c(shown, if (length(systems) > length(shown)) "others"))
  queries <- length(unique(curve$query))
  colours <- c(series_colours(length(shown)), if (length(systems) > length(shown)) plot_colours[["light"]])
  by_rank <- roc || identical(attr(curve, "points"), "ranks")
  title <- if (by_rank) "Precision-recall curve" else "Interpolated precision-recall curve"
  even <- by_rank & !roc & points$x > 0 & abs(points$x - points$y) < 1e-12
  list(
    points = points, marks = points[even, , drop = FALSE], colours = stats::setNames(colours, levels(points$group)),
    xlab = c(recall = "recall", false_positive_rate = "share of other documents retrieved")[[axes[1]]],
    ylab = c(precision = "precision", true_positive_rate = "share of relevant documents retrieved")[[axes[2]]],
    diagonal = roc, dots = !means && by_rank && nrow(points) <= 60,
    title = if (roc) "ROC curve" else title,
    subtitle = sprintf("%s; %s; relevant: gain of %s or more", counted(length(systems), "system"),
                       if (means) "mean over queries" else count_queries(queries), format_number(attr(curve, "rel")))
  )
}

# Readers cannot tell more systems than this apart by colour.
most_curves <- 7

ggplot_curve <- function(picture) {
  alone <- length(picture$colours) == 1
  drawn <- ggplot2::ggplot(picture$points, ggplot2::aes(x = .data$x, y = .data$y, colour = .data$group,
                                                       group = .data$line))
  if (picture$diagonal) drawn <- drawn + ggplot2::geom_abline(linetype = "dashed", colour = plot_colours[["grey"]])
  drawn <- drawn + ggplot2::geom_path(linewidth = 0.7)
  if (picture$dots) {
    drawn <- drawn + ggplot2::geom_point(size = 1.6) +
      ggplot2::geom_point(data = picture$marks, shape = 1, size = 5, stroke = 0.9, show.legend = FALSE)
  }
  drawn + ggplot2::scale_colour_manual(name = NULL, values = picture$colours, guide = if (alone) "none" else "legend") +
    ggplot2::coord_fixed(xlim = c(0, 1), ylim = c(0, 1)) +
    wrapped_texts(x = picture$xlab, y = picture$ylab, title = picture$title, subtitle = picture$subtitle) + plot_theme()
}
