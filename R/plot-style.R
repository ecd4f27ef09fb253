# What all pictures share: the engine that draws, colours, sizes.

# Okabe and Ito's colours, told apart by colour-blind readers too.
plot_colours <- c(blue = "#0072B2", vermillion = "#D55E00", grey = "#666666", light = "#BBBBBB")

use_ggplot2 <- function(engine, call = caller_env()) {
  engine <- check_choice(engine, c("auto", "ggplot2", "base"), "engine", call)
  if (engine == "ggplot2") need_package("ggplot2", "{.code engine = \"ggplot2\"}", call)
  engine != "base" && requireNamespace("ggplot2", quietly = TRUE)
}

plot_theme <- function(...) {
  ggplot2::theme_bw(base_size = 11) +
    ggplot2::theme(panel.grid.minor = ggplot2::element_blank(), legend.position = "top", legend.justification = "left",
                   legend.margin = ggplot2::margin(), legend.box.spacing = ggplot2::unit(3, "pt"),
                   plot.title = ggplot2::element_text(size = 11, face = "bold"),
                   plot.subtitle = ggplot2::element_text(size = 9, colour = plot_colours[["grey"]]), ...)
}

# Points of text such that n labels stand under each other on a page of usual height.
label_size <- function(n) max(3.5, min(9, 330 / n))

# Base graphics with margins wide enough for the labels; parameters come back when the caller ends.
set_base_margins <- function(left = NULL, cex = 0.8, top = 3, envir = parent.frame()) {
  old <- graphics::par(c("mar", "mgp", "las", "cex.axis", "cex.lab", "pty"))
  do.call("on.exit", list(substitute(graphics::par(old), list(old = old)), add = TRUE), envir = envir)
  graphics::par(mar = c(3.4, if (is.null(left)) 4.2 else max(2, 1 + label_lines(left, cex)), top, 0.5),
                mgp = c(2.1, 0.6, 0), las = 1, cex.axis = 0.8, cex.lab = 0.9)
}

# How many lines of text the longest label takes across: about half a line per character.
label_lines <- function(labels, cex) 0.55 * cex * max(nchar(labels, "width"), 1)

# Title, and under it in grey what the numbers are.
plot_title <- function(picture, line = 0.4) {
  graphics::mtext(picture$title, side = 3, line = line + 1.1, adj = 0, font = 2, cex = 0.95)
  graphics::mtext(picture$subtitle, side = 3, line = line, adj = 0, cex = 0.75, col = plot_colours[["grey"]])
}

# A legend between the title and the frame, where it covers nothing.
legend_above <- function(...) {
  corner <- graphics::par("usr")[c(1, 4)]
  graphics::legend(corner[1], corner[2], ..., horiz = TRUE, yjust = 0, bty = "n", cex = 0.8, xpd = NA)
}
