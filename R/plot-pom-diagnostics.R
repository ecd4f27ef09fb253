# Plots of residuals, coefficients and profiles of ordinal models; plot-pom.R documents them.

ggplot_residuals <- function(fit, seed) {
  residual <- as.vector(residuals(fit, "surrogate", seed = seed))
  eta <- as.vector(predict(fit, type = "link"))
  defined <- !is.na(residual)
  residual <- residual[defined]
  quantiles <- link_quantile_cpp(fit$link, ppoints(length(residual)), TRUE) - link_traits_cpp(fit$link)$mean
  panels <- c("against the linear predictor", paste("against", link_text(fit$link), "quantiles"))
  points <- data.frame(panel = gl(2, length(residual), labels = panels),
                       x = c(eta[defined], quantiles[rank(residual, ties.method = "first")]), residual = residual)
  reference <- data.frame(panel = unique(points$panel), slope = c(0, 1))
  ggplot2::ggplot(points, ggplot2::aes(x = .data$x, y = .data$residual)) +
    ggplot2::geom_point(colour = plot_colours[["blue"]], alpha = 0.5, size = 1.4) +
    ggplot2::geom_abline(data = reference, ggplot2::aes(slope = .data$slope, intercept = 0),
                         colour = plot_colours[["vermillion"]]) + ggplot2::facet_wrap(~panel, scales = "free_x") +
    wrapped_texts(x = NULL, y = "residual", title = "Surrogate residuals",
                  subtitle = "if the model fits: no trend on the left, points on the line on the right") + plot_theme()
}

ggplot_coefficients <- function(fit, level) {
  limits <- confint(fit, names(coef(fit)), level = level, method = "wald")
  estimates <- data.frame(term = names(coef(fit)), group = paste0(coefficient_types(fit), "s"),
                          estimate = unname(coef(fit)), lower = unname(limits[, 1]), upper = unname(limits[, 2]))
  estimates <- estimates[!is.na(estimates$estimate), ]
  estimates$term <- factor(estimates$term, rev(unique(estimates$term)))
  ggplot2::ggplot(estimates, ggplot2::aes(x = .data$estimate, y = .data$term)) +
    ggplot2::geom_vline(xintercept = 0, colour = plot_colours[["light"]]) +
    ggplot2::geom_linerange(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), colour = plot_colours[["blue"]],
                            linewidth = 0.8) + ggplot2::geom_point(colour = plot_colours[["blue"]], size = 2) +
    ggplot2::facet_grid(group ~ ., scales = "free_y", space = "free_y") +
    wrapped_texts(x = if (fit$link == "logit") "log odds" else paste(link_text(fit$link), "of the probability"),
                  y = NULL, title = "Coefficients", subtitle = paste0("bars: ", percent(level), " Wald intervals")) +
    plot_theme(axis.text.y = ggplot2::element_text(size = named_axis(nrow(estimates))$size))
}

#' @rdname plot.judicious_pom
#' @export
plot.judicious_pom_profile <- function(x, level = 0.95, ...) {
  refuse_other_arguments("plot()", ...)
  need_package("ggplot2", "{.fn plot}")
  z <- qnorm((1 + level) / 2)
  x$term <- factor(x$term, unique(x$term))
  show_plot(ggplot2::ggplot(as.data.frame(x), ggplot2::aes(x = .data$value, y = .data$root)) +
              ggplot2::geom_hline(yintercept = 0, colour = plot_colours[["grey"]]) +
              ggplot2::geom_hline(yintercept = c(-z, z), linetype = "dashed", colour = plot_colours[["grey"]]) +
              ggplot2::geom_line(colour = plot_colours[["blue"]], linewidth = 0.8) +
              ggplot2::facet_wrap(~term, scales = "free_x") +
              wrapped_texts(x = "slope", y = "signed root", subtitle = paste0("dashed: ", percent(level), " interval"),
                            title = "Profiles: signed root of the drop in log likelihood") + plot_theme())
}
