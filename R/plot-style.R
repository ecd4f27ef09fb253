# Shared by all plots: the graphics engine, colours and sizes.

# Okabe and Ito's colours, which colour-blind readers can tell apart, and two greys for elements that are not data.
plot_colours <- c(blue = "#0072B2", vermillion = "#D55E00", green = "#009E73", orange = "#E69F00", purple = "#CC79A7",
                  sky = "#56B4E9", black = "#000000", grey = "#666666", light = "#BBBBBB")

# Colours and symbols of n series. The symbols serve readers who cannot see the colours.
series_colours <- function(n) {
  rep_len(unname(plot_colours[c("blue", "vermillion", "green", "orange", "purple", "sky", "black", "grey")]), n)
}

series_symbols <- function(n) rep_len(c(16, 17, 15, 18, 1, 2, 0, 5), n)

use_ggplot2 <- function(engine, call = caller_env()) {
  engine <- check_choice(engine, c("auto", "ggplot2", "base"), "engine", call)
  if (engine == "ggplot2") need_package("ggplot2", "{.code engine = \"ggplot2\"}", call)
  engine != "base" && requireNamespace("ggplot2", quietly = TRUE)
}

# Draws the picture of an object with one of two functions, and returns the object, as plot() does.
show_picture <- function(x, picture, engine, with_ggplot2, with_base, call = caller_env()) {
  force(picture)
  if (use_ggplot2(engine, call)) print(with_ggplot2(picture)) else with_base(picture)
  invisible(x)
}

plot_theme <- function(...) {
  ggplot2::theme_bw(base_size = 11) +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(), legend.position = "top", legend.justification = "left",
                   legend.margin = ggplot2::margin(), legend.box.spacing = ggplot2::unit(3, "pt"),
                   plot.title.position = "plot", plot.title = ggplot2::element_text(size = 11, face = "bold"),
                   plot.subtitle = ggplot2::element_text(size = 9, colour = plot_colours[["grey"]]), ...)
}

# Labels of an axis with n systems (or queries): all of them if the device has space for text of 6 points, otherwise
# every second, third, ... one. `along`: the side of the device that the axis follows; a square plot has less space.
# Returns `at`, the labelled positions; `size` in points; and `note`, which is added to the subtitle.
named_axis <- function(n, along = c("height", "width", "square")) {
  along <- match.arg(along)
  inches <- if (grDevices::dev.cur() == 1) c(7, 7) else grDevices::dev.size("in")
  room <- 72 * switch(along, width = 0.8 * inches[1], height = 0.8 * inches[2], square = 0.65 * min(inches))
  every <- ceiling(6 * n / room)
  list(at = seq(1, n, by = every), size = max(6, min(9, 0.95 * every * room / n)),
       note = if (every > 1) sprintf("; one name in %d is shown", every) else "")
}

# The same for a vertical axis whose first label is at the top. The first label is always shown.
named_from_top <- function(n) {
  names <- named_axis(n)
  names$at <- rev(n + 1 - names$at)
  names
}

# Labels of a matrix of systems. Columns show the systems' names if these are few and short. Otherwise they show ranks,
# and the rows show names and ranks.
matrix_labels <- function(systems) {
  n <- length(systems)
  rows <- named_axis(n, "square")
  ranked <- n > 30 || max(nchar(systems, "width")) > 8
  columns <- if (n > 30) c(1, seq(5, n, by = 5)) else seq_len(n)
  list(rows = if (ranked) paste(systems, seq_len(n), sep = "  ") else systems, row_at = rows$at,
       columns = if (ranked) as.character(columns) else systems[columns], column_at = columns, size = rows$size,
       angle = if (ranked) 0 else 90, note = rows$note)
}

# Scales, axes and theme of a matrix of systems, with the best system in the first row and column.
ggplot_matrix_axes <- function(labels, n) {
  text <- function(...) ggplot2::element_text(size = labels$size, ...)
  list(
    ggplot2::scale_x_continuous(breaks = labels$column_at, labels = labels$columns, position = "top",
                                limits = c(0.5, n + 0.5), expand = c(0, 0.1)),
    ggplot2::scale_y_continuous(breaks = labels$row_at, labels = labels$rows[labels$row_at], trans = "reverse",
                                limits = c(n + 0.5, 0.5), expand = c(0, 0.1)),
    ggplot2::coord_fixed(),
    plot_theme(axis.text.y = text(), panel.grid.major = ggplot2::element_blank(),
               axis.text.x.top = if (labels$angle == 0) text() else text(angle = 90, hjust = 0, vjust = 0.5))
  )
}

# Draws the frame of a matrix. Returns the number of lines of text between the matrix and its title.
base_matrix_frame <- function(labels, n, bottom, envir = parent.frame()) {
  cex <- labels$size / 11
  above <- 0.8 + if (labels$angle == 0) 1 else label_lines(labels$columns, cex)
  set_base_margins(labels$rows, cex, top = 2.6 + above, envir = envir)
  graphics::par(mar = replace(graphics::par("mar"), 1, bottom), pty = "s")
  graphics::plot(NA, xlim = c(0.5, n + 0.5), ylim = c(n + 0.5, 0.5), xaxs = "i", yaxs = "i", axes = FALSE, xlab = "",
                 ylab = "")
  above
}

# A plot of a matrix of systems, whose cells have the colour of their column `fill` and, if they are few enough to be
# written in, a `text` in the colour `ink`.
ggplot_matrix <- function(picture, fill, text = NULL, ink = NULL) {
  n <- picture$n
  plot <- ggplot2::ggplot(picture$cells, ggplot2::aes(x = .data$column, y = .data$row, fill = .data[[fill]])) +
    ggplot2::geom_tile(colour = "white", linewidth = if (n > 30) 0.1 else 0.4) +
    ggplot_matrix_axes(picture$labels, n) +
    ggplot2::labs(x = NULL, y = NULL, title = picture$title, subtitle = picture$subtitle)
  if (!isTRUE(picture$written)) return(plot)
  plot + ggplot2::geom_text(label = text, colour = ink, size = min(3, 42 / n))
}

# The same by base graphics. `draw`: a function of the cells that draws marks; `key`: one that draws the legend.
base_matrix <- function(picture, colours, key, text = NULL, ink = NULL, draw = function(cells) NULL, bottom = 3) {
  n <- picture$n
  cells <- picture$cells
  labels_above <- base_matrix_frame(picture$labels, n, bottom)
  graphics::rect(cells$column - 0.5, cells$row - 0.5, cells$column + 0.5, cells$row + 0.5, col = colours,
                 border = "white", lwd = if (n > 30) 0.3 else 1)
  base_matrix_axes(picture$labels)
  if (isTRUE(picture$written)) graphics::text(cells$column, cells$row, text, col = ink, cex = min(0.8, 11 / n))
  draw(cells)
  key()
  plot_title(picture, line = labels_above)
}

# Colours from vermillion (row is worse) through white to blue (row is better), for differences up to `limit`.
difference_colours <- function() {
  grDevices::colorRampPalette(c(plot_colours[["vermillion"]], "white", plot_colours[["blue"]]))(101)
}

ggplot_differences_scale <- function(limit, name = NULL) {
  list(ggplot2::scale_fill_gradientn(name = name, colours = difference_colours(), limits = c(-1, 1) * limit),
       ggplot2::theme(legend.position = "right"))
}

# Draws a matrix of differences.
base_difference_matrix <- function(picture, ...) {
  limit <- picture$limit
  key <- function() {
    graphics::legend("bottom", legend = format(signif(c(-1, 0, 1) * limit, 2)),
                     fill = difference_colours()[c(1, 51, 101)], horiz = TRUE, inset = -0.12, xpd = NA, bty = "n",
                     cex = 0.8)
  }
  base_matrix(picture, difference_colours()[round((picture$cells$difference / limit + 1) * 50) + 1], key, ...)
}

base_matrix_axes <- function(labels) {
  draw <- function(side, at, text, las) {
    graphics::axis(side, at, text, cex.axis = labels$size / 11, tick = FALSE, gap.axis = -1, las = las,
                   mgp = c(2, 0.2, 0))
  }
  draw(2, labels$row_at, labels$rows[labels$row_at], 1)
  draw(3, labels$column_at, labels$columns, if (labels$angle == 0) 1 else 2)
  graphics::box(col = plot_colours[["light"]])
}

# Sets margins wide enough for the labels, and restores the graphical parameters when the caller ends.
set_base_margins <- function(left = NULL, cex = 0.8, top = 3, envir = parent.frame()) {
  old <- graphics::par(c("mar", "mgp", "las", "cex.axis", "cex.lab", "pty"))
  do.call("on.exit", list(substitute(graphics::par(old), list(old = old)), add = TRUE), envir = envir)
  graphics::par(mar = c(3.4, if (is.null(left)) 4.2 else max(2, 1 + label_lines(left, cex)), top, 0.5),
                mgp = c(2.1, 0.6, 0), las = 1, cex.axis = 0.8, cex.lab = 0.9)
}

# Lines of text that the longest label needs across: a character is a little less than half a line wide.
label_lines <- function(labels, cex) 0.47 * cex * max(nchar(labels, "width"), 1)

# Draws the title and, below it in grey, the subtitle, both from the left edge of the figure.
plot_title <- function(picture, line = 0.4) {
  left <- graphics::grconvertX(0.015, "nfc", "user")
  # With several panels on a page, margin lines are smaller, but the text of mtext() is not.
  graphics::mtext(picture$title, side = 3, line = line + 1.1 / graphics::par("cex"), at = left, adj = 0,
                  font = 2, cex = 0.95)
  if (!is.null(picture$subtitle)) {
    graphics::mtext(picture$subtitle, side = 3, line = line, at = left, adj = 0, cex = 0.75,
                    col = plot_colours[["grey"]])
  }
}

# Draws a legend between the title and the frame, where it covers nothing, in smaller text if it would be too wide.
legend_above <- function(legend, ...) {
  frame <- graphics::par("usr")
  room <- graphics::grconvertX(0.99, "nfc", "user") - frame[1]
  needed <- sum(graphics::strwidth(legend, cex = 0.8)) + length(legend) * graphics::strwidth("mmmm", cex = 0.8)
  graphics::legend(frame[1], frame[4], legend, ..., horiz = TRUE, yjust = 0, bty = "n", xpd = NA, text.width = NA,
                   cex = 0.8 * max(0.5, min(1, room / needed)))
}
