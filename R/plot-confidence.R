# The matrix of pairwise confidence; plot.judicious_ranking() documents it.

# One row per pair of systems: `row` ranks above `column` (numbers in the order of the ranking), and one class
# of confidence per cell.
confidence_picture <- function(ranking) {
  data <- as.data.frame(ranking)
  order <- order(data$rank)
  place <- match(seq_along(order), order)
  differences <- system_differences(ranking)
  a <- place[match(differences$system_a, data$system)]
  b <- place[match(differences$system_b, data$system)]
  limits <- confidence_limits()
  cells <- data.frame(row = pmin(a, b), column = pmax(a, b), confidence = differences$confidence)
  cells$class <- factor(names(limits)[findInterval(cells$confidence, limits)], names(limits))
  list(
    cells = cells[order(cells$row, cells$column), ], labels = data$system[order],
    colours = stats::setNames(grDevices::hcl.colors(length(limits), "YlGnBu", rev = TRUE), names(limits)),
    written = nrow(data) %in% 2:20, title = "Confidence that the row is better than the column",
    subtitle = ranking_subtitle(ranking)
  )
}

# Classes of Tables 4 and 6 of Urbano and Schedl (2013). Below .5 there is something with a
# minimum difference only.
confidence_limits <- function() {
  limits <- c(.5, .6, .7, .8, .9, .95, .99)
  text <- c(sub("^0", "", sprintf("%.2f", limits)), "1")
  c("below .5" = 0, stats::setNames(limits, paste(text[-length(text)], "to", text[-1])))
}

# ".93", and ">.99" for what would be printed as 1.
written_confidence <- function(confidence) {
  ifelse(confidence >= 0.995, ">.99", sub("^0", "", sprintf("%.2f", confidence)))
}

# White letters on the darker cells.
ink <- function(picture) ifelse(as.integer(picture$cells$class) > 5, "white", "black")

shown_classes <- function(picture) {
  classes <- levels(picture$cells$class)
  classes[classes %in% picture$cells$class | classes != "below .5"]
}

ggplot_confidence <- function(picture) {
  n <- length(picture$labels)
  size <- label_size(n)
  axis <- function(position) list(breaks = seq_len(n), labels = picture$labels, expand = c(0, 0.1))
  plot <- ggplot2::ggplot(picture$cells, ggplot2::aes(x = .data$column, y = .data$row, fill = .data$class)) +
    ggplot2::geom_tile(colour = "white", linewidth = if (n > 30) 0.1 else 0.4)
  if (picture$written) {
    cells <- picture$cells
    plot <- plot + ggplot2::geom_text(ggplot2::aes(label = written_confidence(.data$confidence)), colour = ink(picture),
                                      size = min(3, 42 / n))
  }
  plot +
    do.call(ggplot2::scale_x_continuous, c(axis(), list(position = "top", limits = c(0.5, n + 0.5)))) +
    do.call(ggplot2::scale_y_continuous, c(axis(), list(trans = "reverse", limits = c(n + 0.5, 0.5)))) +
    ggplot2::scale_fill_manual(name = NULL, values = picture$colours, limits = shown_classes(picture), drop = FALSE) +
    ggplot2::coord_fixed() +
    ggplot2::labs(x = NULL, y = NULL, title = picture$title, subtitle = picture$subtitle) +
    plot_theme(axis.text.x.top = ggplot2::element_text(size = size, angle = 90, hjust = 0, vjust = 0.5),
               axis.text.y = ggplot2::element_text(size = size)) +
    ggplot2::theme(panel.grid.major = ggplot2::element_blank(), legend.position = c(0.02, 0.02),
                   legend.justification = c(0, 0))
}

base_confidence <- function(picture) {
  n <- length(picture$labels)
  cex <- label_size(n) / 11
  cells <- picture$cells
  labels_above <- label_lines(picture$labels, cex) + 0.8
  set_base_margins(picture$labels, cex, top = 2.6 + labels_above)
  graphics::par(mar = replace(graphics::par("mar"), 1, 0.6), pty = "s")
  graphics::plot(NA, xlim = c(0.5, n + 0.5), ylim = c(n + 0.5, 0.5), xaxs = "i", yaxs = "i",
                 axes = FALSE, xlab = "", ylab = "")
  graphics::rect(cells$column - 0.5, cells$row - 0.5, cells$column + 0.5, cells$row + 0.5,
                 col = picture$colours[as.character(cells$class)], border = "white", lwd = if (n > 30) 0.3 else 1)
  graphics::axis(2, seq_len(n), picture$labels, cex.axis = cex, tick = FALSE, gap.axis = 0, mgp = c(2, 0.2, 0))
  graphics::axis(3, seq_len(n), picture$labels, cex.axis = cex, tick = FALSE, gap.axis = 0, las = 2, mgp = c(2, 0.2, 0))
  graphics::box(col = plot_colours[["light"]])
  if (picture$written) {
    graphics::text(cells$column, cells$row, written_confidence(cells$confidence), col = ink(picture),
                   cex = min(0.8, 11 / n))
  }
  shown <- shown_classes(picture)
  graphics::legend("bottomleft", shown, pch = 15, pt.cex = 2.2, col = picture$colours[shown], bty = "n",
                   cex = 0.8, y.intersp = 1.3, inset = 0.02)
  plot_title(picture, line = labels_above)
}
