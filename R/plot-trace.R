#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_session <- function(object, truth = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  picture <- session_picture(object, truth)
  colours <- c(confidence = plot_colours[["blue"]], accuracy = plot_colours[["vermillion"]])
  types <- c(confidence = "solid", accuracy = "22")
  series <- names(colours)[names(colours) %in% picture$curves$series]
  lowest <- min(picture$curves$value, picture$asked, 0.99)
  # Extends the axis above 1, the highest confidence, to make room for the label of the stopping point.
  limits <- c(lowest, 1 + 0.08 * (1 - lowest))
  breaks <- pretty(c(limits[1], 1))
  mapping <- ggplot2::aes(x = .data$judged, y = .data$value, colour = .data$series, linetype = .data$series)
  chart <- ggplot2::ggplot(picture$curves, mapping) +
    ggplot2::geom_hline(yintercept = picture$asked, linetype = "dashed", colour = plot_colours[["grey"]])
  if (!is.na(picture$reached)) {
    # In the first half of the plot, the label is to the right of its line, otherwise to the left.
    right <- picture$reached <= max(picture$curves$judged) / 2
    label <- paste0(if (right) "  ", picture$reached_label, if (!right) "  ")
    chart <- chart +
      ggplot2::geom_vline(xintercept = picture$reached, linetype = "dotted", colour = plot_colours[["grey"]]) +
      ggplot2::annotate("text", x = picture$reached, y = limits[2], label = label,
                        hjust = if (right) 0 else 1, vjust = 1, size = 3.2, colour = plot_colours[["grey"]])
  }
  lone <- length(unique(picture$curves$judged)) == 1
  chart + (if (lone) ggplot2::geom_point(size = 2.5) else ggplot2::geom_line(linewidth = 0.8)) +
    ggplot2::scale_colour_manual(name = NULL, values = colours, breaks = series) +
    ggplot2::scale_linetype_manual(name = NULL, values = types, breaks = series) +
    ggplot2::scale_y_continuous(limits = limits, breaks = breaks[breaks >= limits[1] & breaks <= 1]) +
    wrapped_texts(x = "judgments", title = picture$title, subtitle = picture$subtitle,
                  y = if (length(series) == 1) "confidence in the ranking" else "share of pairs of systems") +
    plot_theme() + (if (length(series) == 1) ggplot2::theme(legend.position = "none"))
}

# The curves of a session in long form, the target confidence, if the goal has one, and the number of judgments at which
# it was first reached.
session_picture <- function(s, truth = NULL) {
  state <- progress(s, expect = FALSE)
  steps <- as.data.frame(s, truth = truth)
  # Leaves out judgments that were undone, because the curve would run backwards.
  kept <- steps$judged <= rev(cummin(rev(steps$judged))) & !duplicated(steps$judged, fromLast = TRUE)
  steps <- steps[kept, ]
  target <- if (is_mean_confidence(state$goal)) state$goal$asked else numeric()
  enough <- steps$judged >= min(least_judgments, n_pairs(s$engine$x)) & !isTRUE(state$goal$waits)
  reached <- if (!length(target)) NA_real_ else if (is_met(state$goal)) state$goal$end$judged
  reached <- reached %||% steps$judged[which(steps$value >= target & enough)[1]]
  series <- intersect(c("confidence", "accuracy"), names(steps))
  last <- steps$accuracy[nrow(steps)]
  list(curves = data.frame(judged = rep(steps$judged, length(series)), series = rep(series, each = nrow(steps)),
                           value = unlist(steps[series], use.names = FALSE)),
       asked = target, reached = reached, reached_label = if (!is.na(reached)) counted(reached, "judgment"),
       title = in_words_of(state$nouns, "Confidence in the ranking as documents are judged"),
       subtitle = sprintf("%s of a pool of %s; confidence %.3f now%s",
                          in_words_of(state$nouns, judgments_text(state$judged, sum(state$assessors$judged))),
                          format_count(state$judged + state$skipped + state$open), state$confidence,
                          if (is.null(last)) "" else sprintf(", accuracy %.3f", last)))
}
