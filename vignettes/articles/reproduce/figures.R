# Plots of the figures of reproduce(): curves in panels, with vertical marks and reference lines.

# Draws the figures of the named items, or of all. Needs ggplot2.
plot.judicious_reproduction <- function(x, item = NULL, ...) {
  for (picture in chosen_figures(x, item)) print(ggplot_reproduction(picture))
  invisible(x)
}

chosen_figures <- function(x, item, call = caller_env()) {
  known <- names(x$figures)
  if (is.null(item)) item <- known
  if (!is.character(item) || !length(item) || !all(item %in% known)) {
    abort_judicious(c(
      if (length(known)) "{.arg item} must be any of {.val {known}}, the items with a figure."
      else "There is no figure among the items {.val {names(x$tables)}}.",
      i = "{.fn reproduce} computes only the requested items."
    ), "argument", argument = "item", call = call)
  }
  x$figures[item]
}

# Data of one figure. `curves` has columns `panel`, `line`, `x` and `y`; `bars`, drawn behind the curves, also `width`;
# `marks`, dashed vertical lines, `panel`, `line` and `x`; `level`, dashed horizontal lines, `panel` and `y`. `diagonal`
# draws the line y = x, `points` marks the points of the curves, and `free` gives each panel its own axes.
reproduction_picture <- function(title, subtitle, curves, x, y, bars = NULL, marks = NULL, level = NULL,
                                 diagonal = FALSE, points = FALSE, free = FALSE) {
  lines <- unique(curves$line)
  panels <- sort(unique(curves$panel), method = "radix")
  fix <- function(data) {
    if (is.null(data)) return(NULL)
    data$panel <- factor(data$panel, panels)
    if (!is.null(data$line)) data$line <- factor(data$line, lines)
    data
  }
  list(title = title, subtitle = subtitle, curves = fix(curves), bars = fix(bars), marks = fix(marks),
       level = fix(level), x = x, y = y, diagonal = diagonal, points = points, free = free)
}

ggplot_reproduction <- function(picture) {
  n <- nlevels(picture$curves$line)
  plot <- ggplot2::ggplot(picture$curves, ggplot2::aes(x = .data$x, y = .data$y))
  if (!is.null(picture$bars)) {
    box <- ggplot2::aes(xmin = .data$x - .data$width / 2, xmax = .data$x + .data$width / 2, ymin = 0, ymax = .data$y)
    plot <- plot + ggplot2::geom_rect(box, picture$bars, inherit.aes = FALSE, fill = plot_colours[["light"]],
                                      colour = "white", linewidth = 0.1)
  }
  grey <- plot_colours[["grey"]]
  if (picture$diagonal) plot <- plot + ggplot2::geom_abline(linetype = "dashed", colour = grey)
  if (!is.null(picture$level)) {
    plot <- plot + ggplot2::geom_hline(data = picture$level, ggplot2::aes(yintercept = .data$y), linetype = "dashed",
                                       colour = grey)
  }
  if (!is.null(picture$marks)) {
    plot <- plot + ggplot2::geom_vline(data = picture$marks,
                                       ggplot2::aes(xintercept = .data$x, colour = .data$line), linetype = "dashed",
                                       linewidth = 0.3, show.legend = FALSE)
  }
  plot <- plot + ggplot2::geom_line(ggplot2::aes(colour = .data$line), linewidth = if (picture$points) 0.5 else 0.7)
  if (picture$points) {
    plot <- plot + ggplot2::geom_point(ggplot2::aes(colour = .data$line, shape = .data$line), size = 1.6)
  }
  plot +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel), scales = if (picture$free) "free" else "fixed") +
    ggplot2::scale_colour_manual(values = if (n > 1) series_colours(n) else plot_colours[["vermillion"]], name = NULL) +
    ggplot2::scale_shape_manual(values = rep_len(c(16, 17, 15, 18, 1, 2, 0, 5), n), name = NULL) +
    ggplot2::labs(title = picture$title, subtitle = picture$subtitle, x = picture$x, y = picture$y) +
    plot_theme() +
    (if (n == 1) ggplot2::theme(legend.position = "none"))
}
