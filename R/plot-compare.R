#' Plot a comparison of systems
#'
#' @param x By [compare_systems()].
#' @param type `"systems"`: the bars of MIREX, each system's mean rank or mean score with an interval; where two
#'   intervals do not overlap, the systems differ significantly. For tests whose differences have one critical value.
#'   `"intervals"`: the interval of every difference. `"matrix"`: all differences as colours, the significant ones
#'   marked. `"auto"` takes the first of them that suits.
#' @param n Most pairs that `"intervals"` shows.
#' @param ... Not used.
#' @return With ggplot2 installed a ggplot, otherwise, from base graphics, `x` invisibly.
#' @examples
#' scores <- cbind(
#'   A = c(.9, .8, .7, .9, .6, .8), B = c(.5, .6, .4, .7, .5, .6), C = c(.2, .3, .1, .4, .3, .1)
#' )
#' plot(compare_systems(scores))
#' @export
plot.judicious_comparison <- function(x, type = c("auto", "systems", "intervals", "matrix"), n = 45, ...) {
  type <- check_choice(type, c("auto", "systems", "intervals", "matrix"), "type")
  check_count(n, "n")
  levels <- !is.null(x$systems$level)
  if (type == "auto") type <- if (levels &&
                                  is.null(x$baseline)) "systems" else if (nrow(x$pairs) <= n) "intervals" else "matrix"
  if (type == "systems" && !levels) {
    abort_judicious(c("{.code type = \"systems\"} needs a test with one critical difference, like
      {.val friedman_tukey}.",
                      i = "The {x$test$name} has an interval for each pair: {.code type = \"intervals\"}."),
                        "argument", argument = "type")
  }
  pretty <- requireNamespace("ggplot2", quietly = TRUE)
  switch(type,
    systems = if (pretty) gg_systems(x) else base_systems(x),
    intervals = if (pretty) gg_intervals(x, n) else base_intervals(x, n),
    matrix = if (pretty) gg_matrix(x) else base_matrix(x)
  )
}

comparison_title <- function(x) {
  title <- paste0(if (x$measure != "score") paste0(x$measure, ", "), x$test$name)
  paste0(upper_ascii(substr(title, 1, 1)), substring(title, 2))
}

verdict_colours <- c("#0072B2", "#D55E00")

# Which systems are significantly worse than the one at the top.
system_bars <- function(x) {
  s <- x$systems
  s$verdict <- factor(ifelse(s$upper < max(s$lower), "worse than the best", "not worse than the best"),
                      c("not worse than the best", "worse than the best"))
  s$system <- factor(s$system, s$system[order(s$level)])
  s
}

bars_subtitle <- function(x) {
  sprintf("Intervals that do not overlap: significant at level %s, over all pairs", format(1 - x$conf_level))
}

gg_systems <- function(x) {
  s <- system_bars(x)
  ggplot2::ggplot(s, ggplot2::aes(y = .data$system, x = .data$level, colour = .data$verdict)) +
    ggplot2::geom_vline(xintercept = max(s$lower), linetype = "dotted", colour = "grey40") +
    ggplot2::geom_errorbarh(ggplot2::aes(xmin = .data$lower, xmax = .data$upper), height = 0.3) +
    ggplot2::geom_point(size = 2) +
    ggplot2::scale_colour_manual(values = verdict_colours, name = NULL, drop = FALSE) +
    ggplot2::labs(title = comparison_title(x), subtitle = bars_subtitle(x), x = paste0(x$test$on,
      " (higher is better)"), y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(legend.position = "bottom")
}

base_systems <- function(x) {
  s <- system_bars(x)
  at <- as.integer(s$system)
  colour <- verdict_colours[as.integer(s$verdict)]
  old <- graphics::par(mar = c(6, margin_for(s$system), 4, 1))
  on.exit(graphics::par(old))
  plot(s$level, at, xlim = range(s$lower, s$upper), pch = 19, col = colour, yaxt = "n", ylab = "",
       main = comparison_title(x),
       xlab = paste0(x$test$on, " (higher is better)"))
  graphics::mtext(bars_subtitle(x), cex = 0.8)
  graphics::abline(v = max(s$lower), lty = 3, col = "grey40")
  graphics::segments(s$lower, at, s$upper, at, col = colour)
  graphics::axis(2, at, as.character(s$system), las = 1)
  graphics::legend("bottom", levels(s$verdict), col = verdict_colours, pch = 19, bty = "n", horiz = TRUE, inset = c(0,
    -0.32), xpd = TRUE)
  invisible(x)
}

interval_rows <- function(x, n) {
  p <- utils::head(x$pairs, n)
  name <- paste(p$system_a, "-", p$system_b)
  p$pair <- factor(name, rev(name))
  p$verdict <- factor(ifelse(p$significant, "significant", "not significant"), c("significant", "not significant"))
  p
}

interval_label <- function(x) paste("difference of the", x$test$on)

gg_intervals <- function(x, n) {
  p <- interval_rows(x, n)
  bounded <- p[!is.na(p$lower), ]
  ggplot2::ggplot(p, ggplot2::aes(y = .data$pair, x = .data$estimate, colour = .data$verdict)) +
    ggplot2::geom_vline(xintercept = 0, linetype = "dotted", colour = "grey40") +
    ggplot2::geom_errorbarh(data = bounded, ggplot2::aes(xmin = .data$lower, xmax = .data$upper), height = 0.3) +
    ggplot2::geom_point(size = 1.8) +
    ggplot2::scale_colour_manual(values = rev(verdict_colours), name = NULL, drop = FALSE) +
    ggplot2::labs(title = comparison_title(x), subtitle = pairs_subtitle(x, nrow(p)), x = interval_label(x), y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(legend.position = "bottom")
}

pairs_subtitle <- function(x, shown) {
  total <- nrow(x$pairs)
  paste0(level_text(x$conf_level), " intervals", if (x$adjust != "none") " that hold together",
         if (shown < total) sprintf(", first %d of %d pairs", shown, total))
}

base_intervals <- function(x, n) {
  p <- interval_rows(x, n)
  at <- as.integer(p$pair)
  colour <- rev(verdict_colours)[as.integer(p$verdict)]
  old <- graphics::par(mar = c(6, margin_for(p$pair), 4, 1))
  on.exit(graphics::par(old))
  reach <- c(p$lower, p$upper, p$estimate, 0)
  plot(p$estimate, at, xlim = range(reach[is.finite(reach)]), pch = 19, col = colour, yaxt = "n", ylab = "",
       main = comparison_title(x), xlab = interval_label(x))
  graphics::mtext(pairs_subtitle(x, nrow(p)), cex = 0.8)
  graphics::abline(v = 0, lty = 3, col = "grey40")
  # An interval open on one side ends at the picture's edge.
  edge <- graphics::par("usr")
  graphics::segments(pmax(p$lower, edge[1]), at, pmin(p$upper, edge[2]), at, col = colour)
  graphics::axis(2, at, as.character(p$pair), las = 1, cex.axis = 0.7)
  graphics::legend("bottom", levels(p$verdict), col = rev(verdict_colours), pch = 19, bty = "n", horiz = TRUE,
                   inset = c(0, -0.32), xpd = TRUE)
  invisible(x)
}

# Both halves of the matrix, so that a system's row tells all about it.
matrix_cells <- function(x) {
  p <- x$pairs[c("system_a", "system_b", "estimate", "significant")]
  mirrored <- data.frame(system_a = p$system_b, system_b = p$system_a, estimate = -p$estimate,
                         significant = p$significant,
                         stringsAsFactors = FALSE)
  cells <- rbind(p, mirrored)
  order <- x$systems$system[order(-x$systems$mean)]
  cells$row <- factor(cells$system_a, rev(order))
  cells$column <- factor(cells$system_b, order)
  cells
}

gg_matrix <- function(x) {
  cells <- matrix_cells(x)
  limit <- max(abs(cells$estimate))
  ggplot2::ggplot(cells, ggplot2::aes(x = .data$column, y = .data$row, fill = .data$estimate)) +
    ggplot2::geom_tile(colour = "white") +
    ggplot2::geom_point(data = cells[cells$significant, ], size = 0.9) +
    ggplot2::scale_fill_gradient2(low = verdict_colours[2], high = verdict_colours[1], limits = c(-limit, limit),
                                  name = "difference") +
    ggplot2::coord_equal() +
    ggplot2::labs(title = comparison_title(x), subtitle = "Row less column; a dot: significant", x = NULL, y = NULL) +
    ggplot2::theme_bw() +
    ggplot2::theme(axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5),
                   panel.grid = ggplot2::element_blank())
}

base_matrix <- function(x) {
  cells <- matrix_cells(x)
  m <- nlevels(cells$row)
  value <- matrix(NA_real_, m, m)
  value[cbind(as.integer(cells$column), as.integer(cells$row))] <- cells$estimate
  limit <- max(abs(cells$estimate))
  ramp <- grDevices::colorRampPalette(c(verdict_colours[2], "white", verdict_colours[1]))(101)
  old <- graphics::par(mar = c(margin_for(cells$row), margin_for(cells$row), 4, 1))
  on.exit(graphics::par(old))
  graphics::image(seq_len(m), seq_len(m), value, zlim = c(-limit, limit), col = ramp, axes = FALSE, xlab = "",
                  ylab = "",
                  main = comparison_title(x))
  graphics::mtext("Row less column; blue: better; a dot: significant", cex = 0.8)
  graphics::axis(1, seq_len(m), levels(cells$column), las = 2)
  graphics::axis(2, seq_len(m), levels(cells$row), las = 1)
  significant <- cells[cells$significant, ]
  graphics::points(as.integer(significant$column), as.integer(significant$row), pch = 19, cex = 0.5)
  invisible(x)
}

# Lines of margin that names of this length need.
margin_for <- function(names) min(15, 2 + max(nchar(as.character(names))) * 0.55)
