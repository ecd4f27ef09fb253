#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_power <- function(object, sizes = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  ggplot_shares(query_study_curves(object, "power", sizes), "Power", "significant pairs of systems")
}

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
  data.frame(panel = factor(results$test, unique(results$test)), series = factor(label, unique(label)),
             x = results$size, value = 100 * results[[column]], lower = if (is_one) 100 * results$lower else NA_real_,
             upper = if (is_one) 100 * results$upper else NA_real_)
}

ggplot_shares <- function(curves, title, label) {
  last <- curves[curves$x == ave(curves$x, combination_code(curves$series, curves$panel), FUN = max), ]
  sizes <- sort(unique(curves$x))
  # The trials of the largest size are equal, so that a single size has no band.
  bands <- if (length(sizes) > 1 && any(curves$upper > curves$lower, na.rm = TRUE)) "; bands: 95% of the trials"
  picture <- list(curves = curves, solid = TRUE, ideal = ideal_lines(), title = title,
                  subtitle = paste0("dotted: value at the largest number of queries", bands), x = "number of queries",
                  y = paste(label, "(%)"))
  ggplot_curves(picture) +
    ggplot2::geom_hline(data = last, ggplot2::aes(yintercept = .data$value, colour = .data$series),
                        linetype = "dotted", show.legend = FALSE) +
    ggplot2::scale_x_continuous(breaks = if (length(sizes) <= 6) sizes else unique(round(pretty(sizes)))) +
    (if (nlevels(curves$series) == 1) ggplot2::theme(legend.position = "none"))
}
