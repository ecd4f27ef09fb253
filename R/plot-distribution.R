#' Plot the distribution of a system's effectiveness
#'
#' Plots the exact distribution of AG@k as bars, and the normal distribution with the same mean and variance as a line,
#' as in Fig. 1 of Urbano and Schedl (2013). Both are shown as densities, so that plots for different gain scales and
#' numbers of queries are comparable. Tails with less than 1e-6 of the probability together are not shown.
#'
#' @param x,object A `judicious_distribution`, as returned by [effectiveness_distribution()].
#' @param ... Not used.
#' @return `plot()`: the ggplot2 object, invisibly. `autoplot()`: a ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- simulate_collection(queries = 3, documents = 200, artists = 20, systems = 3, seed = 1,
#'                          scale = broad_scale())
#' plot(effectiveness_distribution(x, uniform_gains(x), "S01", "q01"))
#' @export
plot.judicious_distribution <- function(x, ...) draw_plot(x, ...)

#' @rdname plot.judicious_distribution
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_distribution <- autoplot_by(function(object) { # nolint: object_length_linter.
  ggplot_distribution(distribution_picture(object))
})

# Bars (densities, `width` wide) and the normal curve. If there are more values than `most_bars`, neighbouring values
# share a bar.
distribution_picture <- function(x, most_bars = 200) {
  inside <- range(which(cumsum(x$probability) >= 5e-7 & rev(cumsum(rev(x$probability))) >= 5e-7))
  shown <- seq(inside[1], inside[2])
  per_bar <- ceiling(length(shown) / most_bars)
  bar <- (seq_along(shown) - 1) %/% per_bar
  width <- x$step * per_bar
  bars <- data.frame(
    value = as.vector(tapply(x$value[shown], bar, function(value) value[1] - x$step / 2 + width / 2)),
    density = as.vector(tapply(x$probability[shown], bar, sum)) / width
  )
  curve <- data.frame(value = numeric(), density = numeric())
  if (x$sd > 0) {
    grid <- seq(bars$value[1] - width / 2, bars$value[nrow(bars)] + width / 2, length.out = 300)
    curve <- data.frame(value = grid, density = stats::dnorm(grid, x$mean, x$sd))
  }
  list(bars = bars, width = width, curve = curve, measure = paste0("AG@", x$k), title = distribution_title(x),
       subtitle = sprintf("mean %s, sd %s; bars: exact; line: normal approximation", short(x$mean), short(x$sd)))
}

# A few bars have white borders that separate them; many bars have borders in their own colour, to avoid visible gaps.
bar_border <- function(picture) if (nrow(picture$bars) <= 60) "white" else plot_colours[["light"]]

ggplot_distribution <- function(picture) {
  ggplot2::ggplot(picture$bars, ggplot2::aes(x = .data$value, y = .data$density)) +
    ggplot2::geom_col(width = picture$width, fill = plot_colours[["light"]], colour = bar_border(picture),
                      linewidth = 0.3) +
    ggplot2::geom_line(data = picture$curve, colour = plot_colours[["vermillion"]], linewidth = 0.9) +
    ggplot2::scale_y_continuous(expand = ggplot2::expansion(c(0, 0.05))) +
    ggplot2::labs(x = picture$measure, y = "density", title = picture$title, subtitle = picture$subtitle) + plot_theme()
}
