# The matrix of pairwise confidence; plot.judicious_ranking() documents it.

# One row per pair of systems: `row` ranks above `column` (numbers in the order of the ranking), and one class
# of confidence per cell.
confidence_picture <- function(ranking) {
  data <- as.data.frame(ranking)
  order <- order(data$rank)
  note <- ""
  if (length(order) > most_matrix_systems) {
    note <- sprintf("; the best %d of %s", most_systems_in_matrix, counted(length(order), "system"))
    order <- order[seq_len(most_systems_in_matrix)]
  }
  differences <- compare_pairs(ranking, among = order)
  a <- match(differences$a, order)
  b <- match(differences$b, order)
  limits <- confidence_limits()
  cells <- data.frame(row = pmin(a, b), column = pmax(a, b), confidence = differences$confidence)
  cells$class <- factor(names(limits)[findInterval(cells$confidence, limits)], names(limits))
  labels <- matrix_labels(data$system[order])
  list(
    cells = cells[order(cells$row, cells$column), ], labels = labels, n = length(order),
    colours = stats::setNames(grDevices::hcl.colors(length(limits), "YlGnBu", rev = TRUE), names(limits)),
    written = length(order) %in% 2:20, title = "Confidence that the row is better than the column",
    subtitle = paste0(ranking_subtitle(ranking), note, labels$note)
  )
}

# Of many systems, only the best are shown.
most_systems_in_matrix <- 100

# The starts of the bins of confidence, with their names.
confidence_limits <- function() {
  text <- c(sub("^0", "", sprintf("%.2f", confidence_starts[-1])), "1")
  stats::setNames(confidence_starts, c("below .5", paste(text[-length(text)], "to", text[-1])))
}

# Formats a confidence as ".93", and as ">.99" where it would round to 1.
written_confidence <- function(confidence) {
  ifelse(confidence >= 0.995, ">.99", sub("^0", "", sprintf("%.2f", confidence)))
}

# Text colour of each cell: white on the darker cells.
ink <- function(picture) ifelse(as.integer(picture$cells$class) > 5, "white", "black")

shown_classes <- function(picture) {
  classes <- levels(picture$cells$class)
  classes[classes %in% picture$cells$class | classes != "below .5"]
}

ggplot_confidence <- function(picture) {
  n <- picture$n
  plot <- ggplot2::ggplot(picture$cells, ggplot2::aes(x = .data$column, y = .data$row, fill = .data$class)) +
    ggplot2::geom_tile(colour = "white", linewidth = if (n > 30) 0.1 else 0.4)
  if (picture$written) {
    cells <- picture$cells
    plot <- plot + ggplot2::geom_text(ggplot2::aes(label = written_confidence(.data$confidence)), colour = ink(picture),
                                      size = min(3, 42 / n))
  }
  plot +
    ggplot_matrix_axes(picture$labels, n) +
    ggplot2::scale_fill_manual(name = NULL, values = picture$colours, limits = shown_classes(picture), drop = FALSE) +
    ggplot2::labs(x = NULL, y = NULL, title = picture$title, subtitle = picture$subtitle) +
    ggplot2::theme(legend.position = c(0.02, 0.02), legend.justification = c(0, 0))
}

base_confidence <- function(picture) {
  n <- picture$n
  cells <- picture$cells
  labels_above <- base_matrix_frame(picture$labels, n, bottom = 0.6)
  graphics::rect(cells$column - 0.5, cells$row - 0.5, cells$column + 0.5, cells$row + 0.5,
                 col = picture$colours[as.character(cells$class)], border = "white", lwd = if (n > 30) 0.3 else 1)
  base_matrix_axes(picture$labels)
  if (picture$written) {
    graphics::text(cells$column, cells$row, written_confidence(cells$confidence), col = ink(picture),
                   cex = min(0.8, 11 / n))
  }
  shown <- shown_classes(picture)
  graphics::legend("bottomleft", shown, pch = 15, pt.cex = 2.2, col = picture$colours[shown], bty = "n",
                   cex = 0.8, y.intersp = 1.3, inset = 0.02)
  plot_title(picture, line = labels_above)
}
