#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_study <- function(object, type = c("confidence", "reliability", "brier", "log_score", "z2",
                                                      "coverage", "tau"), ...) {
  refuse_other_arguments("autoplot()", ...)
  ggplot_curves(without_band(study_picture(object, type), max(object$results$replicate)))
}

study_labels <- c(confidence = "confidence", accuracy = "accuracy", brier = "Brier score", log_score = "log score",
                  z2 = "z2", coverage = "coverage of differences", tau = "Kendall's tau")

# The ranges of the statistics of a study; other statistics range from 0 to 1.
study_ranges <- list(log_score = c(-Inf, 0), z2 = c(0, Inf), tau = c(-1, 1))

# The ideal values of statistics that have one.
study_ideals <- c(z2 = 1, coverage = .95)

# The curves of a study in long form: `panel`, `series`, `x`, `value`, `lower`, `upper`. `ideal`: the reference lines of
# each panel.
study_picture <- function(study, type) {
  type <- check_choice(type, c("confidence", "reliability", "brier", "log_score", "z2", "coverage", "tau"), "type")
  replicates <- max(study$results$replicate)
  subtitle <- sprintf("%s; bands: mean and two standard errors", counted(replicates, "replicate"))
  if (type == "reliability") return(reliability_picture(study, subtitle))
  if (type == "confidence") {
    curves <- rbind(mtc_study_curves(study, "confidence"), mtc_study_curves(study, "accuracy"))
    curves[c("panel", "series")] <- list(curves$series, study_labels[curves$panel])
    return(list(curves = curves, ideal = ideal_lines(), x = "judgments", y = "share of pairs of systems",
                title = "Confidence and accuracy", subtitle = subtitle))
  }
  curves <- mtc_study_curves(study, type, "")
  list(curves = curves, ideal = ideal_lines("", study_ideals[type]), x = "judgments", y = study_labels[[type]],
       title = paste(if (type == "z2") "z2" else upper_first(study_labels[[type]]), "by number of judgments"),
       subtitle = subtitle)
}

# A statistic by the number of judgments, with one series per method.
mtc_study_curves <- function(study, figure, panel = figure) {
  s <- summary(study)
  se <- s[[paste0(figure, "_se")]]
  half <- 2 * ifelse(is.na(se), 0, se)
  limits <- study_ranges[[figure]] %||% 0:1
  data.frame(panel = panel, series = s$method, x = s$budget, value = s[[figure]],
             lower = pmax(s[[figure]] - half, limits[1]), upper = pmin(s[[figure]] + half, limits[2]))
}

# Reference lines y = intercept + slope x; none for panels without an intercept.
ideal_lines <- function(panel = character(), intercept = numeric(), slope = 0) {
  lines <- data.frame(panel = panel, intercept = unname(intercept), slope = rep_len(slope, length(panel)))
  lines[!is.na(lines$intercept), ]
}

reliability_picture <- function(study, subtitle) {
  curves <- rbind(reliability_curves(study$pairs), mtc_study_curves(study, "z2", "z2, by judgments"),
                  mtc_study_curves(study, "coverage", "coverage, by judgments"))
  panels <- unique(curves$panel)
  curves <- curves[order(match(curves$panel, panels), match(curves$series, study$results$method)), ]
  list(curves = curves, ideal = ideal_lines(panels, c(0, study_ideals), c(1, 0, 0)), x = NULL, y = NULL, free = TRUE,
       title = "Calibration of the confidence", subtitle = paste0(subtitle, "; dashed: ideal"))
}

# The share of pairs in the right order, for bins of confidence. If a bin has fewer than two replicates, its band has no
# width.
reliability_curves <- function(pairs) {
  edges <- c(.5, .6, .7, .8, .9, .95, .99, 1 + 1e-9)
  pairs$bin <- findInterval(pairs$confidence, edges)
  rows <- lapply(split(pairs, list(pairs$method, pairs$bin), drop = TRUE), function(part) {
    replicate_means <- tapply(part$right, part$replicate, mean)
    half <- if (length(replicate_means) > 1) 2 * stats::sd(replicate_means) / sqrt(length(replicate_means)) else 0
    data.frame(panel = "accuracy, by confidence", series = part$method[1], x = mean(part$confidence),
               value = mean(part$right), lower = max(mean(part$right) - half, 0),
               upper = min(mean(part$right) + half, 1))
  })
  out <- do.call(rbind, unname(rows))
  out[order(out$series, out$x, method = "radix"), ]
}

# Removes the bands of curves if there are fewer than five sessions, which are too few to estimate a band.
without_band <- function(picture, sessions) {
  if (sessions >= 5) return(picture)
  picture$curves[c("lower", "upper")] <- picture$curves$value
  picture$subtitle <- sub("; bands?: [^;]*", "", picture$subtitle)
  picture
}

# Curves of several series, with their bands and with reference lines, in one or several panels. If dotted lines mean
# something else (`solid`), all curves are solid, and bands are not in the legend.
ggplot_curves <- function(picture) {
  curves <- picture$curves
  curves$panel <- factor(curves$panel, unique(curves$panel))
  curves$series <- factor(curves$series, unique(curves$series))
  n <- nlevels(curves$series)
  chart <- ggplot2::ggplot(curves, ggplot2::aes(x = .data$x, y = .data$value, colour = .data$series,
                                               fill = .data$series))
  ideal <- picture$ideal
  ideal$panel <- factor(ideal$panel, levels(curves$panel))
  dashed <- function(geom, shown, mapping) {
    if (any(shown)) geom(mapping, ideal[shown, ], linetype = "dashed", colour = plot_colours[["grey"]])
  }
  # The vertical axis contains horizontal lines, but would not contain those by geom_abline().
  chart <- chart + dashed(ggplot2::geom_hline, ideal$slope == 0, ggplot2::aes(yintercept = .data$intercept)) +
    dashed(ggplot2::geom_abline, ideal$slope != 0, ggplot2::aes(intercept = .data$intercept, slope = .data$slope))
  # Without limits, the series with a band would come first in the scales of colours.
  scale <- function(of, values) {
    ggplot2::scale_discrete_manual(of, values = values, name = NULL, limits = levels(curves$series))
  }
  # Series without a band must not have one in the legend.
  banded <- curves[curves$series %in% curves$series[which(curves$upper > curves$lower)], ]
  chart <- chart +
    ggplot2::geom_ribbon(ggplot2::aes(ymin = .data$lower, ymax = .data$upper), banded, alpha = 0.18, colour = NA,
                         show.legend = if (nrow(banded) && !isTRUE(picture$solid)) NA else FALSE) +
    ggplot2::geom_line(ggplot2::aes(linetype = .data$series), linewidth = 0.8) +
    ggplot2::geom_point(ggplot2::aes(shape = .data$series), size = 1.8) +
    scale("colour", series_colours(n)) + scale("fill", series_colours(n)) + scale("shape", series_symbols(n)) +
    scale("linetype", if (isTRUE(picture$solid)) rep(1, n) else seq_len(n)) +
    wrapped_texts(x = picture$x, y = picture$y, title = picture$title, subtitle = picture$subtitle) + plot_theme()
  if (identical(levels(curves$panel), "")) return(chart)
  chart + ggplot2::facet_wrap(~ panel, scales = if (isTRUE(picture$free)) "free" else "fixed")
}

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_calibration <- function(object, ...) {
  refuse_other_arguments("autoplot()", ...)
  ggplot_curves(calibration_picture(object))
}

calibration_picture <- function(calibration) {
  judged <- calibration[calibration$n > 0 & calibration$judgments != "systems", ]
  check_that(nrow(judged), "x", "There is nothing to draw: the session has no judgments.")
  probability <- c(0.5, 0.8, 0.95)
  rows <- lapply(seq_len(nrow(judged)), function(i) {
    share <- unlist(judged[i, c("within_50", "within_80", "within_95")], use.names = FALSE)
    interval <- wilson_interval(share, judged$n[i])
    data.frame(panel = "", series = judged$judgments[i], x = probability, value = share,
               lower = interval$lower, upper = interval$upper)
  })
  figures <- sprintf("%s: %s, z2 %.2f%s", judged$judgments, vapply(judged$n, counted, "", "judgment"), judged$z2,
                     ifelse(is.na(judged$lower), "", sprintf(" (%.2f to %.2f)", judged$lower, judged$upper)))
  list(curves = do.call(rbind, rows), ideal = ideal_lines("", 0, 1), x = "probability of the interval",
       y = "coverage of the intervals", title = "Do the predictions hold?",
       subtitle = paste(c(figures, "dashed: ideal"), collapse = "; "))
}

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_plan <- function(object, session = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  ggplot_curves(without_band(plan_picture(object, session), nrow(object$needed)))
}

plan_picture <- function(plan, session = NULL) {
  shown <- unique(round(seq(1, nrow(plan$curve), length.out = 21)))
  curve <- function(series, data) {
    data.frame(panel = "", series = series, x = data$judged, value = data$confidence, lower = data$lower,
               upper = data$upper)
  }
  curves <- curve("plan", plan$curve[shown, ])
  if (!is.null(session)) {
    check_class(session, "judicious_session", "session", "judging_session")
    steps <- as.data.frame(session)
    steps <- steps[unique(round(seq(1, nrow(steps), length.out = 21))), ]
    curves <- rbind(curves, curve("session", cbind(steps, lower = steps$confidence, upper = steps$confidence)))
  }
  list(curves = curves, ideal = ideal_lines("", plan$asked), x = "judgments", y = "confidence in the ranking",
       title = "Expected confidence", subtitle = sprintf("median of %s with the goal %s; band: 80%% of the sessions",
                          counted(nrow(plan$needed), "simulated session"), plan$goal))
}
