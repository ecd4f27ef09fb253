#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_comparison <- function(object, type = c("auto", "systems", "intervals", "matrix"), top = 45, ...) {
  refuse_other_arguments("autoplot()", ...)
  picture <- comparison_picture(object, type, top)
  if (is.null(picture$cells)) return(ggplot_intervals(picture))
  # Colours from vermillion (the row's system is worse) through white to blue (it is better).
  colours <- grDevices::colorRampPalette(c(plot_colours[["vermillion"]], "white", plot_colours[["blue"]]))(101)
  ggplot_matrix(picture, "difference") +
    ggplot2::geom_point(data = picture$cells[picture$cells$significant, ], size = min(0.9, 25 / picture$n)) +
    ggplot2::scale_fill_gradientn(name = "difference", colours = colours, limits = c(-1, 1) * picture$limit) +
    ggplot2::theme(legend.position = "right")
}

comparison_picture <- function(x, type, top) {
  type <- check_choice(type, c("auto", "systems", "intervals", "matrix"), "type")
  check_count(top, "top")
  has_levels <- !is.null(x$systems$level)
  if (type == "auto")
    type <- if (has_levels && is.null(x$baseline)) "systems" else if (nrow(x$pairs) <= top) "intervals" else "matrix"
  check_that(type != "systems" || has_levels, "type", c(
    "{.code type = \"systems\"} needs a test with one critical difference, like {.val friedman_tukey}.",
    i = "The {x$test$name} has an interval for each pair: {.code type = \"intervals\"}."))
  if (type == "matrix") return(differences_matrix(x))
  picture <- if (type == "systems") system_intervals(x) else listed_pair_intervals(x, top)
  picture$names <- named_from_top(nrow(picture$rows))
  picture$subtitle <- paste0(picture$subtitle, picture$names$note)
  picture
}

comparison_title <- function(x) {
  if (x$measure == "score") upper_first(x$test$name) else paste0(x$measure, ", ", x$test$name)
}

# Data of the plot of systems: one row per system, worst first because the vertical axis counts upwards. `verdict`:
# whether a system is significantly worse than the best one.
system_intervals <- function(x) {
  s <- x$systems[order(x$systems$level), ]
  rows <- data.frame(label = s$system, estimate = s$level, lower = s$lower, upper = s$upper)
  rows$verdict <- factor(s$upper < max(s$lower), c(FALSE, TRUE),
                         c("not significantly worse", "significantly worse than the best"))
  if (x$test$compared == "mean rank") rows[c("lower", "upper")] <- list(pmax(s$lower, 1), pmin(s$upper, nrow(s)))
  list(rows = rows, line = max(s$lower), xlab = paste(x$test$compared, "(higher is better)"),
       title = comparison_title(x),
       subtitle = sprintf("systems whose intervals do not overlap differ significantly, at level %s over all pairs",
                          format(1 - x$level)))
}

# Data of the plot of pairs: one row per pair of systems, in reverse order because the vertical axis counts upwards.
listed_pair_intervals <- function(x, n) {
  p <- utils::head(x$pairs, n)
  p <- p[rev(seq_len(nrow(p))), ]
  rows <- data.frame(label = paste(p$system_a, "-", p$system_b), estimate = pair_estimates(p), lower = p$lower,
                     upper = p$upper,
                     verdict = factor(p$significant, c(TRUE, FALSE), c("significant", "not significant")))
  total <- nrow(x$pairs)
  list(rows = rows, line = 0, xlab = paste("difference of the", x$test$compared), title = comparison_title(x),
       subtitle = paste0(level_text(x$level), " intervals", if (x$adjust != "none") " that hold simultaneously",
                         if (n < total) sprintf(", first %d of %d pairs", n, total)))
}

# Plots intervals. `verdict`: a factor with two levels; points of the first one are filled. Levels without rows are not
# in the legend.
ggplot_intervals <- function(picture) {
  rows <- picture$rows
  rows$label <- factor(rows$label, rows$label)
  of_verdict <- function(values) stats::setNames(values, levels(rows$verdict))
  ggplot2::ggplot(rows, ggplot2::aes(y = .data$label, x = .data$estimate, colour = .data$verdict)) +
    (if (!is.null(picture$line)) ggplot2::geom_vline(xintercept = picture$line, linetype = "dashed",
                                                     colour = plot_colours[["grey"]])) +
    ggplot2::geom_linerange(data = rows[!is.na(rows$lower), ],
                            ggplot2::aes(xmin = .data$lower, xmax = .data$upper), linewidth = 0.7) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$verdict), size = if (nrow(rows) > 30) 1.4 else 2.2) +
    ggplot2::scale_colour_manual(NULL, values = of_verdict(plot_colours[c("blue", "vermillion")])) +
    ggplot2::scale_shape_manual(NULL, values = of_verdict(c(16, 1))) +
    ggplot2::scale_y_discrete(breaks = rows$label[picture$names$at]) +
    wrapped_texts(title = picture$title, subtitle = picture$subtitle, caption = picture$caption, x = picture$xlab,
                  y = NULL) +
    plot_theme(axis.text.y = ggplot2::element_text(size = picture$names$size),
               axis.title.x = ggplot2::element_text(hjust = 1), panel.grid.major.y = ggplot2::element_blank())
}

# A matrix of differences with both halves filled, so that the row of a system has all its comparisons.
differences_matrix <- function(x) {
  best_first <- x$systems$system[order(-x$systems$mean)]
  cells <- data.frame(row = match(x$pairs$system_a, best_first), column = match(x$pairs$system_b, best_first),
                      difference = pair_estimates(x$pairs), significant = x$pairs$significant)
  mirrored <- transform(cells, row = cells$column, column = cells$row, difference = -cells$difference)
  axis_labels <- matrix_labels(best_first)
  list(cells = rbind(cells, mirrored), labels = axis_labels, n = length(best_first),
       limit = max(abs(cells$difference)), title = comparison_title(x),
       subtitle = paste0("row minus column; dot: significant", axis_labels$note))
}
