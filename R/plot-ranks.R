# A plot of the probabilities of ranks. It is documented with rank_probabilities().

#' @rdname rank_probabilities
#' @export
plot.judicious_rank_probabilities <- function(x, ...) draw_plot(x, ...)

#' @rdname rank_probabilities
#' @param object The result of `rank_probabilities()`.
#' @param top The number of systems to plot, best first.
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_rank_probabilities <- function(object, top = 60, ...) { # nolint: object_length_linter.
  check_no_more("autoplot()", ...)
  check_count(top, "top")
  check_columns(object, c("system", "rank_lower", "rank_upper", "P1"), "object", call = caller_env())
  ggplot_ranks(utils::head(object, top), nrow(object))
}

# A row for each system and a column for each rank that one of them may have: the darker, the more probable. Frames show
# rank sets.
ggplot_ranks <- function(ranks, n) {
  columns <- seq_len(max(ranks$rank_upper))
  rows <- seq_len(nrow(ranks))
  cells <- data.frame(row = rows, rank = rep(columns, each = nrow(ranks)),
                      probability = unlist(as.data.frame(ranks)[paste0("P", columns)], use.names = FALSE))
  sets <- data.frame(row = rows, lower = ranks$rank_lower, upper = ranks$rank_upper)
  axis_labels <- named_axis(nrow(ranks))
  ggplot2::ggplot(cells, ggplot2::aes(x = .data$rank, y = .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$probability), height = 0.9) +
    ggplot2::geom_rect(data = sets, inherit.aes = FALSE, fill = NA, colour = plot_colours[["grey"]], linewidth = 0.3,
                       ggplot2::aes(xmin = .data$lower - 0.5, xmax = .data$upper + 0.5, ymin = .data$row - 0.45,
                                    ymax = .data$row + 0.45)) +
    ggplot2::scale_fill_gradient(name = "probability", low = "white", high = plot_colours[["blue"]],
                                 limits = c(0, NA)) +
    ggplot2::scale_x_continuous(name = "rank", expand = c(0, 0.1), breaks = \(limits) unique(round(pretty(limits)))) +
    ggplot2::scale_y_continuous(name = NULL, trans = "reverse", expand = c(0, 0.1), breaks = axis_labels$at,
                                labels = ranks$system[axis_labels$at]) +
    ggplot2::labs(title = "Probabilities of ranks",
                  subtitle = paste0("frames: the ranks that a system may have", axis_labels$note,
                                    if (nrow(ranks) < n) sprintf("; best %d of %d", nrow(ranks), n))) +
    plot_theme(axis.text.y = ggplot2::element_text(size = axis_labels$size),
               panel.grid.major = ggplot2::element_blank())
}
