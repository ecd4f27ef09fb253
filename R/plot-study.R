#' Plot the power or the stability of an evaluation
#'
#' The figures of Urbano et al. (2011): the share of significant pairs (power) or of conflicts (stability) against the
#' number of queries, one panel a test, one line a measure. The dotted lines mark each measure's value at the largest
#' size, the bands (with one measure) 95% of the trials.
#'
#' @param x By [power_analysis()] or [stability_analysis()].
#' @param sizes Optional: only these numbers of queries; the paper shows those from 40 on.
#' @param classes For stability: TRUE draws the classes of conflict, one panel for each measure and test, instead of
#'   their sum.
#' @param ... Not used.
#' @return With ggplot2 installed a ggplot, otherwise, from base graphics, `x` invisibly.
#' @references Urbano, J., Martin, D., Marrero, M. and Morato, J. (2011). Audio Music Similarity and Retrieval:
#'   evaluation power and stability. ISMIR.
#' @examples
#' set.seed(1)
#' scores <- outer(rnorm(40), seq(0, 1, length.out = 5), "+") + rnorm(200)
#' plot(power_analysis(scores, trials = 50, seed = 1))
#' @export
plot.judicious_power <- function(x, sizes = NULL, ...) {
  draw_study(x, study_curves(x, "power", sizes), "Power", "significant pairs of systems")
}

#' @rdname plot.judicious_power
#' @export
plot.judicious_stability <- function(x, sizes = NULL, classes = FALSE, ...) {
  check_flag(classes, "classes")
  if (!classes) return(draw_study(x, study_curves(x, "conflicts", sizes), "Stability", "conflicting pairs of systems"))
  names <- c(lack_of_power = "lack of power", sign_swap = "sign swap", swap_significant = "sign swap, both significant")
  parts <- lapply(names(names), function(class) {
    curves <- study_curves(x, class, sizes)
    curves$panel <- paste(curves$line, curves$panel, sep = ", ")
    curves$line <- names[[class]]
    curves
  })
  curves <- do.call(rbind, parts)
  curves$line <- factor(curves$line, names)
  draw_study(x, curves, "Classes of conflict", "conflicting pairs of systems")
}

study_curves <- function(x, column, sizes) {
  data <- plain_frame(x)
  if (!is.null(sizes)) data <- data[data$size %in% sizes, ]
  if (!nrow(data)) {
    abort_judicious(c("No size of the analysis is among {.arg sizes}.", i = "It has {.val {unique(x$size)}}."),
                    "argument", argument = "sizes", call = caller_env())
  }
  one <- length(unique(data$measure)) == 1 && column %in% c("power", "conflicts")
  data.frame(size = data$size, share = data[[column]], lower = if (one) data$lower else NA_real_,
             upper = if (one) data$upper else NA_real_,
             line = factor(data$measure, unique(data$measure)), panel = data$test, stringsAsFactors = FALSE)
}

# Okabe and Ito's colours, which colour-blind people can tell apart.
line_colours <- function(n) rep_len(c("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000",
                                      "#999999"), n)

# Each line's value at the largest size it has.
last_values <- function(curves) {
  at <- curves$size == ave(curves$size, combination_code(curves$line, curves$panel), FUN = max)
  curves[at, ]
}

draw_study <- function(x, curves, title, label) {
  curves$panel <- factor(curves$panel, unique(curves$panel))
  if (requireNamespace("ggplot2", quietly = TRUE)) gg_study(curves, title, label) else base_study(x, curves, title,
    label)
}

gg_study <- function(curves, title, label) {
  n <- nlevels(curves$line)
  plot <- ggplot2::ggplot(curves, ggplot2::aes(x = .data$size, y = 100 * .data$share, colour = .data$line,
                                               shape = .data$line)) +
    ggplot2::geom_hline(data = last_values(curves), ggplot2::aes(yintercept = 100 * .data$share, colour = .data$line),
                        linetype = "dotted", show.legend = FALSE)
  if (any(!is.na(curves$lower))) {
    plot <- plot + ggplot2::geom_ribbon(ggplot2::aes(ymin = 100 * .data$lower, ymax = 100 * .data$upper,
                                                     fill = .data$line),
                                        alpha = 0.15, colour = NA, show.legend = FALSE) +
      ggplot2::scale_fill_manual(values = line_colours(n))
  }
  plot + ggplot2::geom_line() + ggplot2::geom_point(size = 1.6) +
    ggplot2::facet_wrap(ggplot2::vars(.data$panel)) +
    ggplot2::scale_colour_manual(values = line_colours(n), name = NULL) +
    ggplot2::scale_shape_manual(values = rep_len(c(16, 17, 15, 18, 1, 2, 0, 5), n), name = NULL) +
    ggplot2::labs(title = title, x = "number of queries", y = paste(label, "(%)")) +
    ggplot2::theme_bw() +
    ggplot2::theme(legend.position = if (n > 1) "bottom" else "none")
}

base_study <- function(x, curves, title, label) {
  panels <- levels(curves$panel)
  old <- graphics::par(mfrow = if (length(panels) <= 3) c(1, length(panels)) else grDevices::n2mfrow(length(panels)))
  on.exit(graphics::par(old))
  lines <- levels(curves$line)
  colours <- line_colours(length(lines))
  # Room for the legend above the curves.
  top <- 130 * max(curves$share, curves$upper, na.rm = TRUE)
  for (panel in panels) {
    plot(range(curves$size), c(0, max(top, 1)), type = "n", xlab = "number of queries", ylab = paste(label, "(%)"),
         main = paste(title, panel, sep = ": "))
    for (i in seq_along(lines)) {
      part <- curves[curves$panel == panel & curves$line == lines[i], ]
      if (!nrow(part)) next
      if (any(!is.na(part$lower))) {
        graphics::polygon(c(part$size, rev(part$size)), 100 * c(part$lower, rev(part$upper)), border = NA,
                          col = grDevices::adjustcolor(colours[i], 0.15))
      }
      graphics::lines(part$size, 100 * part$share, type = "b", col = colours[i], pch = i)
      graphics::abline(h = 100 * last_values(part)$share, lty = 3, col = colours[i])
    }
    if (length(lines) > 1) {
      graphics::legend("top", lines, col = colours, pch = seq_along(lines), lty = 1, bty = "n", ncol = 2, cex = 0.9)
    }
  }
  invisible(x)
}
