#' Pictures of a study
#'
#' @param x,object A `judicious_study`, by [mtc_study()].
#' @param type `"confidence"`: stated confidence and accuracy against judgments. `"reliability"`: of the pairs of
#'   systems with some confidence, the share whose order is right; a method to be trusted keeps to the diagonal. Or a
#'   figure of the study against judgments: `"brier"`, `"log_score"`, `"z2"`, `"coverage"` or `"tau"`. Bands are the
#'   mean over replicates plus and minus two standard errors.
#' @inheritParams plot.judicious_ranking
#' @return `plot()`: `x`, invisibly. `autoplot()`: a ggplot2 object.
#' @examples
#' \donttest{
#' x <- simulate_collection(queries = 30, documents = 300, artists = 40, systems = 6, seed = 1)
#' study <- mtc_study(x, methods = list(joint = joint_method(), published = published_method(NULL)),
#'                    budgets = c(0, 20, 60), replicates = 2, seed = 1)
#' plot(study)
#' plot(study, type = "reliability")
#' }
#' @export
plot.judicious_study <- function(x, type = c("confidence", "reliability", "brier", "log_score", "z2", "coverage",
                                             "tau"),
                                 engine = c("auto", "ggplot2", "base"), ...) {
  picture <- study_picture(x, type)
  if (use_ggplot2(engine)) print(ggplot_mtc_study(picture)) else base_mtc_study(picture)
  invisible(x)
}

#' @rdname plot.judicious_study
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_study <- function(object, type = c("confidence", "reliability", "brier", "log_score", "z2",
                                                      "coverage", "tau"), ...) {
  ggplot_mtc_study(study_picture(object, type))
}

# Curves in long form: `panel`, `series`, `x`, `value`, `lower`, `upper`; `ideal` is a line to compare with.
study_picture <- function(study, type, call = caller_env()) {
  type <- check_choice(type, c("confidence", "reliability", "brier", "log_score", "z2", "coverage", "tau"), "type",
                       call)
  replicates <- max(study$results$replicate)
  subtitle <- sprintf("%s; bands: mean and two standard errors", counted(replicates, "replicate"))
  labels <- c(brier = "Brier score", log_score = "log score", z2 = "z2", coverage = "coverage of 95% intervals",
              tau = "Kendall's tau")
  if (type == "reliability") {
    return(list(curves = reliability_curves(study$pairs, replicates), one_panel = TRUE, x = "stated confidence",
                y = "share that is right",
                ideal = "diagonal", title = "Is the confidence right?",
                subtitle = sprintf("%s, all budgets", counted(replicates, "replicate"))))
  }
  s <- summary(study)
  curve <- function(figure) {
    half <- 2 * ifelse(is.na(s[[paste0(figure, "_se")]]), 0, s[[paste0(figure, "_se")]])
    data.frame(panel = s$method, series = figure, x = s$budget, value = s[[figure]], lower = s[[figure]] - half,
               upper = s[[figure]] + half,
               stringsAsFactors = FALSE)
  }
  if (type == "confidence") {
    return(list(curves = rbind(curve("confidence"), curve("accuracy")), one_panel = FALSE, x = "judgments",
                y = "share of pairs of systems",
                ideal = NA, title = "Confidence and accuracy", subtitle = subtitle))
  }
  curves <- curve(type)
  curves$series <- curves$panel
  list(curves = curves, one_panel = TRUE, x = "judgments", y = labels[[type]], ideal = c(z2 = 1, coverage = .95)[type],
       title = paste("Judgments and", labels[[type]]), subtitle = subtitle)
}

# Shares over replicates within bins of confidence; a bin that fewer than two replicates reach has no band.
reliability_curves <- function(pairs, replicates) {
  edges <- c(.5, .6, .7, .8, .9, .95, .99, 1 + 1e-9)
  pairs$bin <- findInterval(pairs$confidence, edges)
  rows <- lapply(split(pairs, list(pairs$method, pairs$bin), drop = TRUE), function(part) {
    each <- tapply(part$right, part$replicate, mean)
    half <- if (length(each) > 1) 2 * stats::sd(each) / sqrt(length(each)) else 0
    data.frame(panel = part$method[1], series = part$method[1], x = mean(part$confidence), value = mean(part$right),
               lower = max(mean(part$right) - half, 0), upper = min(mean(part$right) + half, 1),
               stringsAsFactors = FALSE)
  })
  out <- do.call(rbind, rows)
  rownames(out) <- NULL
  out[order(out$series, out$x, method = "radix"), ]
}

series_colours <- function(series) {
  palette <- unname(plot_colours[c("blue", "vermillion", "green", "orange", "grey")])
  stats::setNames(rep_len(palette, length(series)), series)
}

ggplot_mtc_study <- function(picture) {
  curves <- picture$curves
  curves$series <- factor(curves$series, unique(curves$series))
  colours <- series_colours(levels(curves$series))
  plot <- ggplot2::ggplot(curves, ggplot2::aes(x = .data$x, y = .data$value, colour = .data$series,
                                               fill = .data$series))
  if (identical(picture$ideal, "diagonal")) {
    plot <- plot + ggplot2::geom_abline(linetype = "dashed", colour = plot_colours[["grey"]])
  } else if (!is.na(picture$ideal)) {
    plot <- plot + ggplot2::geom_hline(yintercept = picture$ideal, linetype = "dashed", colour = plot_colours[["grey"]])
  }
  plot <- plot + ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), alpha = 0.18, colour = NA) +
    ggplot2::geom_line(ggplot2::aes(linetype = .data$series), linewidth = 0.8) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$series), size = 1.8) +
    ggplot2::scale_colour_manual(name = NULL, values = colours) +
    ggplot2::scale_fill_manual(name = NULL, values = colours) +
    ggplot2::scale_linetype_discrete(name = NULL) + ggplot2::scale_shape_discrete(name = NULL) +
    ggplot2::labs(x = picture$x, y = picture$y, title = picture$title, subtitle = picture$subtitle) + plot_theme()
  if (picture$one_panel) plot else plot + ggplot2::facet_wrap(~ panel)
}

base_mtc_study <- function(picture) {
  curves <- picture$curves
  panels <- if (picture$one_panel) list(curves) else split(curves, factor(curves$panel, unique(curves$panel)))
  old <- graphics::par(mfrow = c(1, length(panels)))
  on.exit(graphics::par(old))
  set_base_margins(top = 4.3)
  colours <- series_colours(unique(curves$series))
  for (panel in panels) {
    ideal <- if (is.numeric(picture$ideal)) picture$ideal
    graphics::plot(NA, xlim = range(curves$x), ylim = range(curves$lower, curves$upper, ideal, na.rm = TRUE),
                   xlab = picture$x, ylab = "")
    graphics::title(ylab = picture$y, line = 3)
    if (identical(picture$ideal, "diagonal")) graphics::abline(0, 1, lty = 2, col = plot_colours[["grey"]])
    if (is.numeric(picture$ideal)) graphics::abline(h = picture$ideal, lty = 2, col = plot_colours[["grey"]])
    for (one in unique(panel$series)) {
      curve <- panel[panel$series == one, ]
      graphics::polygon(c(curve$x, rev(curve$x)), c(curve$lower, rev(curve$upper)), border = NA,
                        col = grDevices::adjustcolor(colours[[one]], 0.18))
      graphics::lines(curve$x, curve$value, type = "b", pch = 14 + match(one, names(colours)), lwd = 2,
                      col = colours[[one]], lty = match(one, names(colours)))
    }
    legend_above(names(colours), col = colours, lty = seq_along(colours), pch = 14 + seq_along(colours), lwd = 2,
                 seg.len = 2.5)
    title <- if (picture$one_panel) picture$title else paste0(picture$title, ": ", panel$panel[1])
    plot_title(utils::modifyList(picture, list(title = title)), line = 1.7)
  }
}
