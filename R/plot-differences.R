#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_system_differences <- function(object, top = 30, ...) {
  refuse_other_arguments("autoplot()", ...)
  if (!is.null(top)) check_count(top, "top")
  ggplot_intervals(pairs_picture(object, top %||% Inf))
}

# Data of the plot: one row per pair, the better system first. The least certain pair is last, because axes count
# upwards.
pairs_picture <- function(differences, n) {
  check_columns(differences, c("system_a", "system_b", "difference", "sd", "confidence"), "x")
  check_that(nrow(differences), "x", "There is nothing to draw: differences need two systems.")
  level <- attr(differences, "level") %||% 0.95
  # Leaves out pairs of identical systems, which no judgment can order.
  if (any(can_be_ordered(differences))) differences <- differences[can_be_ordered(differences), ]
  shown <- order(differences$confidence)
  all <- length(shown)
  # If not all pairs fit, half of the rows show the most certain pairs, so that decided pairs are among them.
  if (all > n) shown <- c(utils::head(shown, ceiling(n / 2)), utils::tail(shown, floor(n / 2)))
  compared <- data.frame(differences[rev(shown), ])
  half <- stats::qnorm((1 + level) / 2) * compared$sd
  value <- compared$difference
  zero <- paste("zero", c("outside", "inside"), "the interval")
  axis_labels <- named_axis(nrow(compared))
  subset_text <- if (all > n) sprintf("the %s least and the %s most certain of ", format_count(ceiling(n / 2)),
                               format_count(floor(n / 2)))
  list(
    rows = data.frame(label = paste(compared$system_a, ">", compared$system_b), estimate = value,
                      lower = value - half, upper = value + half,
                      verdict = factor(zero[1 + (value - half <= 0)], zero)),
    line = 0, names = axis_labels, title = "Differences between systems",
    subtitle = paste0(subset_text, counted(all, "pair"), "; bars: ", percent(level), " intervals", axis_labels$note),
    xlab = paste("estimated difference", if (!is.null(attr(differences, "measure"))) {
      paste("in", attr(differences, "measure"))
    }))
}
