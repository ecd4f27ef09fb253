# The plot of the confidence in each pair of systems; plot.judicious_ranking() documents it.

# Data of the plot: one row per pair of systems, in which `row` ranks above `column` (numbers in the order of the
# ranking), and the class of its confidence.
confidence_picture <- function(ranking, top = NULL) {
  best_first <- systems_best_first(ranking)
  note <- ""
  shown <- top %||% if (length(best_first) > max_matrix_systems) 100 else Inf
  if (length(best_first) > shown) {
    note <- sprintf("; the best %d of %s", as.integer(shown), counted(length(best_first), "system"))
    best_first <- utils::head(best_first, shown)
  }
  differences <- compare_pairs(ranking, among = best_first)
  a <- match(differences$a, best_first)
  b <- match(differences$b, best_first)
  limits <- confidence_limits()
  cells <- data.frame(row = pmin(a, b), column = pmax(a, b), confidence = differences$confidence)
  cells$class <- factor(names(limits)[findInterval(cells$confidence, limits)], names(limits))
  axis_labels <- matrix_labels(names(ranking$mean)[best_first])
  list(cells = cells[order(cells$row, cells$column), ], labels = axis_labels, n = length(best_first),
       colours = stats::setNames(grDevices::hcl.colors(length(limits), "YlGnBu", rev = TRUE), names(limits)),
       written = length(best_first) %in% 2:20, title = "Confidence that the row is better than the column",
       subtitle = paste0(ranking_subtitle(ranking), note, axis_labels$note))
}

# The lower ends of the bins of confidence, named by the labels of the bins.
confidence_limits <- function() {
  text <- c(sub("^0", "", sprintf("%.2f", confidence_starts[-1])), "1")
  stats::setNames(confidence_starts, c("below .5", paste(text[-length(text)], "to", text[-1])))
}

# Formats a confidence as ".93", and as ">.99" where it would round to 1.
format_confidence <- function(confidence) {
  ifelse(confidence >= 0.995, ">.99", sub("^0", "", sprintf("%.2f", confidence)))
}

ggplot_confidence <- function(picture) {
  classes <- levels(picture$cells$class)
  shown <- classes[classes %in% picture$cells$class | classes != "below .5"]
  # Text is white on the darker cells.
  ink <- ifelse(as.integer(picture$cells$class) > 5, "white", "black")
  ggplot_matrix(picture, "class", format_confidence(picture$cells$confidence), ink) +
    ggplot2::scale_fill_manual(name = NULL, values = picture$colours, limits = shown, drop = FALSE) +
    legend_in_corner(c(0.02, 0.02)) + ggplot2::theme(legend.justification = c(0, 0))
}

# Since version 3.5.0 of ggplot2, the position of a legend inside has an element of its own.
legend_in_corner <- function(position) {
  if (utils::packageVersion("ggplot2") < "3.5.0") return(ggplot2::theme(legend.position = position))
  ggplot2::theme(legend.position = "inside", legend.position.inside = position)
}

ranking_subtitle <- function(ranking) {
  overall <- ranking_confidence(ranking)
  confidence <- if (!is.na(overall)) sprintf("confidence in the ranking %.3f%s", overall, basis_label(ranking))
  paste(c(ranking$stratum, judgments_of_ranking(ranking), confidence), collapse = ", ")
}
