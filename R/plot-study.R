#' @rdname plots
#' @usage NULL
#' @export
plot.judicious_power <- function(x, ...) draw_plot(x, ...)

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_power <- function(object, sizes = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  ggplot_shares(query_study_curves(object, "power", sizes), "Power", "significant pairs of systems")
}

#' @rdname plots
#' @usage NULL
#' @export
plot.judicious_stability <- function(x, ...) draw_plot(x, ...)

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_stability <- function(object, sizes = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  ggplot_shares(query_study_curves(object, "conflicts", sizes), "Stability", "conflicting pairs of systems")
}

query_study_curves <- function(x, column, sizes) {
  results <- plain_frame(x)
  if (!is.null(sizes)) results <- results[results$size %in% sizes, ]
  check_that(nrow(results), "sizes", c(
    "No size of the analysis is among {.arg sizes}.", i = "It has {.val {unique(x$size)}}."))
  label <- if (is.null(results$systems)) results$measure else paste0(results$measure, ", ", results$systems, " systems")
  is_one <- length(unique(label)) == 1
  data.frame(size = results$size, share = results[[column]], lower = if (is_one) results$lower else NA_real_,
             upper = if (is_one) results$upper else NA_real_, line = factor(label, unique(label)), panel = results$test)
}

ggplot_shares <- function(curves, title, label) {
  curves$panel <- factor(curves$panel, unique(curves$panel))
  curves[c("share", "lower", "upper")] <- 100 * curves[c("share", "lower", "upper")]
  banded <- any(!is.na(curves$lower))
  n <- nlevels(curves$line)
  last <- curves[curves$size == ave(curves$size, combination_code(curves$line, curves$panel), FUN = max), ]
  sizes <- sort(unique(curves$size))
  chart <- ggplot2::ggplot(curves, ggplot2::aes(x = .data$size, y = .data$share, colour = .data$line,
                                               shape = .data$line)) +
    ggplot2::geom_hline(data = last, ggplot2::aes(yintercept = .data$share, colour = .data$line),
                        linetype = "dotted", show.legend = FALSE)
  if (banded)
    chart <- chart +
      ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower, ymax = .data$upper, fill = .data$line), alpha = 0.15,
                           colour = NA, show.legend = FALSE) +
      ggplot2::scale_fill_manual(values = series_colours(n))
  chart + ggplot2::geom_line() + ggplot2::geom_point(size = 1.6) + ggplot2::facet_wrap(ggplot2::vars(.data$panel)) +
    ggplot2::scale_colour_manual(values = series_colours(n), name = NULL) +
    ggplot2::scale_shape_manual(values = series_symbols(n), name = NULL) +
    ggplot2::scale_x_continuous(breaks = if (length(sizes) <= 6) sizes else unique(round(pretty(sizes)))) +
    wrapped_texts(title = title, x = "number of queries", y = paste(label, "(%)"), subtitle = paste0(
      "dotted: value at the largest number of queries", if (banded) "; bands: 95% of the trials")) +
    plot_theme() + (if (n == 1) ggplot2::theme(legend.position = "none"))
}
