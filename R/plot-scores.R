# Plots of scores: distributions per system, differences per query, and a heatmap of pairs. They are documented with
# score_differences().

#' @rdname score_differences
#' @export
plot.judicious_scores <- function(x, ...) draw_plot(x, ...)

#' @rdname score_differences
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_scores <- function(object, measure = NULL, ...) {
  check_no_more("autoplot()", ...)
  ggplot_scores(scores_picture(object, measure))
}

#' @rdname score_differences
#' @export
plot.judicious_differences <- function(x, ...) draw_plot(x, ...)

#' @rdname score_differences
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_differences <- function(object, ...) {
  check_no_more("autoplot()", ...)
  ggplot_differences(differences_picture(object))
}

#' @rdname score_differences
#' @export
plot.judicious_pairwise <- function(x, ...) draw_plot(x, ...)

#' @rdname score_differences
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_pairwise <- function(object, ...) {
  check_no_more("autoplot()", ...)
  ggplot_pairwise(pairwise_picture(object))
}

# Systems in order of their mean, with the best at the top.
scores_picture <- function(scores, measure, call = caller_env()) {
  measure <- one_measure(scores, measure, call)
  rows <- scores[scores$measure == measure & !is.na(scores$value), ]
  check_that(nrow(rows), "measure", "{.arg x} has no values of {.val {measure}}.", call = call)
  system_means <- tapply(rows$value, factor(rows$system, unique(rows$system)), mean)
  axis_labels <- named_from_top(length(system_means))
  list(
    values = data.frame(system = factor(rows$system, names(sort(system_means))),
                        value = rows$value), means = sort(system_means), measure = measure,
    names = axis_labels, title = paste("Distribution of", measure, "over queries"),
    subtitle = sprintf("%s, %s; boxes: quartiles, diamonds: means%s", counted(length(system_means), "system"),
                       count_queries(length(unique(rows$query))), axis_labels$note)
  )
}

ggplot_scores <- function(picture) {
  means <- data.frame(system = factor(names(picture$means), names(picture$means)), value = as.vector(picture$means))
  many <- nrow(means) > 30
  ggplot2::ggplot(picture$values, ggplot2::aes(x = .data$value, y = .data$system)) +
    ggplot2::geom_boxplot(outlier.shape = NA, colour = plot_colours[["grey"]], fill = "white", linewidth = 0.4) +
    ggplot2::geom_point(colour = plot_colours[["blue"]], alpha = 0.35, size = if (many) 0.5 else 1,
                        position = ggplot2::position_jitter(width = 0, height = 0.2, seed = 1)) +
    ggplot2::geom_point(data = means, shape = 18, size = if (many) 1.6 else 3, colour = plot_colours[["vermillion"]]) +
    ggplot2::labs(x = picture$measure, y = NULL, title = picture$title, subtitle = picture$subtitle) +
    ggplot2::scale_y_discrete(breaks = names(picture$means)[picture$names$at]) +
    plot_theme(axis.text.y = ggplot2::element_text(size = picture$names$size))
}

differences_picture <- function(x) {
  systems <- attr(x, "systems")
  wins <- c(sum(x$difference > 0), sum(x$difference == 0), sum(x$difference < 0))
  list(
    bars = data.frame(at = seq_len(nrow(x)), query = x$query, difference = x$difference,
                      better = factor(ifelse(x$difference > 0, systems[1], systems[2]), systems)),
    mean = mean(x$difference), systems = systems,
    colours = stats::setNames(plot_colours[c("blue", "vermillion")], systems), named = nrow(x) <= 60,
    names = named_axis(nrow(x), "width"),
    ylab = paste0(attr(x, "measure"), ", ", systems[1], " minus ", systems[2]),
    title = paste("Differences per query:", systems[1], "and", systems[2]),
    subtitle = sprintf("higher on %d of %s, equal on %d, lower on %d; mean difference %s (dashed)", wins[1],
                       count_queries(nrow(x)), wins[2], wins[3], format(signif(mean(x$difference), 3)))
  )
}

ggplot_differences <- function(picture) {
  bars <- picture$bars
  ggplot2::ggplot(bars, ggplot2::aes(x = .data$at, y = .data$difference, fill = .data$better)) +
    ggplot2::geom_col(width = 0.85) + ggplot2::geom_hline(yintercept = 0, colour = "black", linewidth = 0.3) +
    ggplot2::geom_hline(yintercept = picture$mean, linetype = "dashed", colour = plot_colours[["grey"]]) +
    ggplot2::scale_fill_manual(name = "higher", values = picture$colours, drop = FALSE) +
    ggplot2::scale_x_continuous(breaks = if (picture$named) bars$at else NULL,
                                labels = if (picture$named) bars$query else NULL, expand = c(0.01, 0)) +
    ggplot2::labs(x = "query", y = picture$ylab, title = picture$title, subtitle = picture$subtitle) +
    plot_theme(axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5, size = picture$names$size),
               panel.grid.major.x = ggplot2::element_blank())
}

# One cell per ordered pair of systems: the mean of the row minus that of the column, best systems first.
pairwise_picture <- function(x) {
  systems <- attr(x, "systems")
  axis_labels <- matrix_labels(systems)
  most <- max(abs(x$difference), 0)
  list(
    cells = data.frame(row = match(x$system_a, systems), column = match(x$system_b, systems), difference = x$difference,
                       wins = x$wins),
    labels = axis_labels, n = length(systems), limit = if (most > 0) most else 1, written = length(systems) <= 15,
    measure = attr(x, "measure"), title = paste0("Mean difference in ", attr(x, "measure"), ", row minus column"),
    subtitle = sprintf("%s, %s%s%s", counted(length(systems), "system"), count_queries(attr(x, "queries")),
                       if (length(systems) <= 15) "; number of queries on which the row is higher" else "",
                       axis_labels$note)
  )
}

# Text colour of each cell: white on the darker cells.
difference_ink <- function(picture) ifelse(abs(picture$cells$difference) > 0.6 * picture$limit, "white", "black")

ggplot_pairwise <- function(picture) {
  ggplot_matrix(picture, "difference", picture$cells$wins, difference_ink(picture)) +
    ggplot_differences_scale(picture$limit)
}
