# Plots of the figures of reproduce(): curves in panels, with vertical marks and reference lines.

#' @rdname reproduce
#' @order 5
#' @param engine `"ggplot2"`, `"base"` or `"auto"`, as in [plot.judicious_ranking()].
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot2 object with the figure of the first item.
#' @export
plot.judicious_reproduction <- function(x, item = NULL, engine = c("auto", "ggplot2", "base"), ...) {
  pictures <- chosen_figures(x, item)
  with_ggplot2 <- use_ggplot2(engine)
  for (picture in pictures) if (with_ggplot2) print(ggplot_reproduction(picture)) else base_reproduction(picture)
  invisible(x)
}

#' @rdname reproduce
#' @order 6
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_reproduction <- function(object, item = NULL, ...) { # nolint: object_length_linter.
  ggplot_reproduction(chosen_figures(object, item)[[1]])
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

#' Data of one figure
#'
#' @param curves A data frame with columns `panel`, `line`, `x` and `y`.
#' @param bars A data frame like `curves` with a further column `width`: bars drawn behind the curves.
#' @param marks A data frame with columns `panel`, `line` and `x`: dashed vertical lines.
#' @param level A data frame with columns `panel` and `y`: dashed horizontal lines.
#' @param diagonal TRUE draws the line y = x.
#' @param points TRUE marks the points of the curves.
#' @param free TRUE gives each panel its own axes.
#' @noRd
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

base_reproduction <- function(picture) {
  panels <- levels(picture$curves$panel)
  lines <- levels(picture$curves$line)
  pch <- if (picture$points) seq_along(lines)
  colours <- if (length(lines) > 1) series_colours(length(lines)) else plot_colours[["vermillion"]]
  layout <- if (length(panels) <= 3) c(1, length(panels)) else grDevices::n2mfrow(length(panels))
  old <- graphics::par(mfrow = layout, oma = c(0, 0, 3.4, 0))
  on.exit(graphics::par(old))
  set_base_margins()
  for (panel in panels) {
    base_panel_frame(picture, panel)
    base_panel_lines(picture, panel, lines, colours)
  }
  if (length(lines) > 1) {
    # The legend is above all panels, below the title.
    graphics::legend(graphics::grconvertX(0.5, "ndc"), graphics::grconvertY(0.93, "ndc"), lines, col = colours, lty = 1,
                     pch = pch, bty = "n", cex = 0.8, horiz = TRUE, xjust = 0.5, yjust = 0.7, xpd = NA)
  }
  graphics::mtext(picture$title, outer = TRUE, line = 2, font = 2, cex = 0.95)
  invisible()
}

in_panel <- function(data, panel) data[data$panel == panel, , drop = FALSE]

# Draws the axes of a panel and what is behind its curves.
base_panel_frame <- function(picture, panel) {
  grey <- plot_colours[["grey"]]
  frame <- if (picture$free) in_panel(picture$curves, panel) else picture$curves
  bars <- if (!is.null(picture$bars)) in_panel(picture$bars, panel)
  graphics::plot(range(frame$x, bars$x), range(frame$y, bars$y, if (!is.null(bars)) 0, na.rm = TRUE), type = "n",
                 xlab = picture$x, ylab = "")
  graphics::title(ylab = picture$y, line = 3)
  graphics::mtext(panel, side = 3, line = 0.3, cex = 0.75)
  if (!is.null(bars)) {
    graphics::rect(bars$x - bars$width / 2, 0, bars$x + bars$width / 2, bars$y, col = plot_colours[["light"]],
                   border = NA)
  }
  if (picture$diagonal) graphics::abline(0, 1, lty = 2, col = grey)
  if (!is.null(picture$level)) graphics::abline(h = in_panel(picture$level, panel)$y, lty = 2, col = grey)
}

base_panel_lines <- function(picture, panel, lines, colours) {
  curves <- in_panel(picture$curves, panel)
  marks <- if (!is.null(picture$marks)) in_panel(picture$marks, panel)
  for (i in seq_along(lines)) {
    curve <- curves[curves$line == lines[i], ]
    graphics::lines(curve$x, curve$y, type = if (picture$points) "b" else "l", pch = i, col = colours[i])
    if (!is.null(marks)) graphics::abline(v = marks$x[marks$line == lines[i]], lty = 2, col = colours[i])
  }
}
