#' @rdname plots
#' @usage NULL
#' @export
plot.judicious_system_differences <- function(x, ...) draw_plot(x, ...)

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_system_differences <- function(object, top = 30, ...) {
  check_no_more("autoplot()", ...)
  check_count(top, "top")
  ggplot_intervals(open_pairs_picture(object, top))
}

# One row per plotted pair, the better system first; the least certain pair is last because axes count upwards.
open_pairs_picture <- function(differences, n, call = caller_env()) {
  check_columns(differences, c("system_a", "system_b", "difference", "sd", "confidence"), "x", call)
  check_that(nrow(differences), "x", "There is nothing to draw: differences need two systems.", call = call)
  level <- attr(differences, "level") %||% 0.95
  # No judgment can order identical systems.
  if (any(can_be_ordered(differences))) differences <- differences[can_be_ordered(differences), ]
  shown <- order(differences$confidence)[seq_len(min(n, nrow(differences)))]
  open_pairs <- data.frame(differences[rev(shown), ])
  half <- stats::qnorm((1 + level) / 2) * open_pairs$sd
  value <- open_pairs$difference
  zero <- paste("zero", c("outside", "inside"), "the interval")
  axis_labels <- named_axis(nrow(open_pairs))
  list(
    rows = data.frame(label = paste(open_pairs$system_a, ">", open_pairs$system_b), estimate = value,
                      lower = value - half, upper = value + half,
                      verdict = factor(zero[1 + (value - half <= 0)], zero)),
    line = 0, names = axis_labels, title = "Differences between systems",
    subtitle = paste0("the ", format_count(nrow(open_pairs)), " least certain of ", counted(nrow(differences), "pair"),
                      "; bars: ", percent(level), " intervals", axis_labels$note),
    xlab = paste("estimated difference", if (!is.null(attr(differences, "measure"))) {
      paste("in", attr(differences, "measure"))
    })
  )
}
