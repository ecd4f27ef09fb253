# Colours, sizes and axes that all plots share. Plots are made with ggplot2.

# Okabe and Ito's colours, which colour-blind readers can distinguish, and two greys for elements that are not data.
plot_colours <- c(blue = "#0072B2", vermillion = "#D55E00", green = "#009E73", orange = "#E69F00", purple = "#CC79A7",
                  sky = "#56B4E9", black = "#000000", grey = "#666666", light = "#BBBBBB")

# Colours and symbols of n series. Symbols distinguish series for readers who cannot see colours.
series_colours <- function(n) {
  rep_len(unname(plot_colours[c("blue", "vermillion", "green", "orange", "purple", "sky", "black", "grey")]), n)
}

series_symbols <- function(n) rep_len(c(16, 17, 15, 18, 1, 2, 0, 5), n)

# The labels of a ggplot2 object. Title and subtitle are wrapped to the width of the device.
wrapped_texts <- function(..., title = NULL, subtitle = NULL) {
  width <- device_inches()[1]
  wrap <- function(text, per_inch) if (is.character(text)) paste(strwrap(text, per_inch * width), collapse = "\n")
  ggplot2::labs(..., title = wrap(title, 11.7), subtitle = wrap(subtitle, 14))
}

# Draws a ggplot2 object and returns it, as plot() does.
show_plot <- function(chart) invisible(print(chart))

device_inches <- function() if (grDevices::dev.cur() == 1) c(7, 7) else grDevices::dev.size("in")

#' Draw the result of autoplot() for an object
#'
#' @noRd
#' @rawNamespace
#' S3method(plot, judicious_calibration, draw_plot)
#' S3method(plot, judicious_comparison, draw_plot)
#' S3method(plot, judicious_grader_validation, draw_plot)
#' S3method(plot, judicious_plan, draw_plot)
#' S3method(plot, judicious_power, draw_plot)
#' S3method(plot, judicious_scale_agreement, draw_plot)
#' S3method(plot, judicious_session, draw_plot)
#' S3method(plot, judicious_stability, draw_plot)
#' S3method(plot, judicious_study, draw_plot)
#' S3method(plot, judicious_system_differences, draw_plot)
draw_plot <- function(x, ...) {
  need_package("ggplot2", "{.fn plot}")
  show_plot(tryCatch(ggplot2::autoplot(x, ...), judicious_error = function(cnd) {
    # Errors must name plot(), which the user called, and not autoplot().
    cnd$message <- sub("autoplot()", "plot()", cnd$message, fixed = TRUE)
    rlang::cnd_signal(cnd)
  }))
}

plot_theme <- function(...) {
  ggplot2::theme_bw(base_size = 11) +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(), legend.position = "top", legend.justification = "left",
                   legend.margin = ggplot2::margin(), legend.box.spacing = ggplot2::unit(3, "pt"),
                   plot.title.position = "plot", plot.title = ggplot2::element_text(size = 11, face = "bold"),
                   plot.subtitle = ggplot2::element_text(size = 9, colour = plot_colours[["grey"]]), ...)
}

# Positions and size of the labels on an axis with n systems (or queries). All are labelled if the device has space for
# text of 6 points, otherwise every second, third, ... one. `along`: the side of the device that the axis follows; a
# square plot has less space. Returns `at`, the labelled positions; `size` in points; and `note`, a text about the
# labels for the subtitle.
named_axis <- function(n, along = c("height", "width", "square")) {
  along <- match.arg(along)
  inches <- device_inches()
  # Title, subtitle, legend and the other axis take 1.3 inches above and below a vertical axis.
  axis_points <- 72 * switch(along, width = 0.8 * inches[1], height = max(inches[2] - 1.3, 0.5 * inches[2]),
                             square = 0.65 * min(inches))
  label_step <- ceiling(6 * n / axis_points)
  list(at = seq(1, n, by = label_step), size = max(6, min(9, 0.95 * label_step * axis_points / n)),
       note = if (label_step > 1) sprintf("; one name in %d is shown", label_step) else "")
}

# The labels by named_axis() for a vertical axis that counts from the top; the first label is always shown.
named_from_top <- function(n) {
  axis_labels <- named_axis(n)
  axis_labels$at <- rev(n + 1 - axis_labels$at)
  axis_labels
}

# The labels of a matrix of systems. Columns show the names of systems if they are few and short. Otherwise columns show
# ranks, and rows show names and ranks.
matrix_labels <- function(systems) {
  n <- length(systems)
  rows <- named_axis(n, "square")
  ranked <- n > 30 || max(nchar(systems, "width")) > 8
  columns <- if (n > 30) c(1, seq(5, n, by = 5)) else seq_len(n)
  list(rows = if (ranked) paste(systems, seq_len(n), sep = "  ") else systems, row_at = rows$at,
       columns = if (ranked) as.character(columns) else systems[columns], column_at = columns, size = rows$size,
       angle = if (ranked) 0 else 90, note = rows$note)
}

# A plot of a matrix of systems, with the best system in the first row and column. The column `fill` determines the
# colour of cells. If cells are few enough to contain text, they show `text` in the colour `ink`.
ggplot_matrix <- function(picture, fill, text = NULL, ink = NULL) {
  n <- picture$n
  axes <- picture$labels
  names_of <- function(...) ggplot2::element_text(size = axes$size, ...)
  chart <- ggplot2::ggplot(picture$cells, ggplot2::aes(x = .data$column, y = .data$row, fill = .data[[fill]])) +
    ggplot2::geom_tile(colour = "white", linewidth = if (n > 30) 0.1 else 0.4, show.legend = TRUE) +
    ggplot2::scale_x_continuous(breaks = axes$column_at, labels = axes$columns, position = "top",
                                limits = c(0.5, n + 0.5), expand = c(0, 0.1),
                                guide = ggplot2::guide_axis(check.overlap = TRUE)) +
    ggplot2::scale_y_reverse(breaks = axes$row_at, labels = axes$rows[axes$row_at],
                             limits = c(n + 0.5, 0.5), expand = c(0, 0.1)) + ggplot2::coord_fixed() +
    plot_theme(axis.text.y = names_of(), panel.grid.major = ggplot2::element_blank(),
               axis.text.x.top = if (axes$angle == 0) names_of() else names_of(angle = 90, hjust = 0, vjust = 0.5)) +
    wrapped_texts(x = NULL, y = NULL, title = picture$title, subtitle = picture$subtitle)
  if (!isTRUE(picture$written)) return(chart)
  chart + ggplot2::geom_text(label = text, colour = ink, size = min(3, 42 / n))
}
