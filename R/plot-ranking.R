#' Plot rankings, sessions, plans and studies
#'
#' @description `plot()` draws the results of many functions with ggplot2; `autoplot()` returns the ggplot2 object.
#'
#' @details
#' - A ranking by [rank_systems()]: `type = "estimates"` shows the systems, best first, with their intervals, and the
#'   true effectiveness if `truth` is given; `"confidence"`, for every pair, the confidence that the system in the row
#'   is better than the one in the column. Of more than 1000 systems, the best 100 are shown. A collection is ranked
#'   first; rankings within strata have one plot each.
#' - [system_differences()]: the pairs of systems, least certain first, with intervals at the `level` of the ranking.
#'   Of more than `top` (30) pairs, half are the least and half the most certain ones.
#' - A session by [judging_session()] or [mtc()]: confidence in the ranking, and its accuracy if `truth` is given,
#'   against the number of judgments (Figs. 2 and 3 of Urbano and Schedl 2013; see [mtc()]), with the target of a
#'   [goal_mean()].
#' - [calibration()]: the shares of observed gains inside their 50, 80 and 95% prediction intervals, with 95% (Wilson)
#'   intervals, for audited and for selected judgments.
#' - [judging_plan()]: the median confidence of the simulated sessions against the number of judgments, with a band that
#'   contains 80% of them, and the curve of the real `session` if it is given.
#' - [mtc_study()]: `type = "confidence"` shows stated confidence and accuracy against the number of judgments;
#'   `"reliability"` the share of pairs in the right order against their stated confidence, z2, and the coverage of 95%
#'   intervals; `"brier"`, `"log_score"`, `"z2"`, `"coverage"` or `"tau"` this statistic. Bands are the mean over
#'   replicates plus and minus two standard errors.
#' - [compare_systems()]: `type = "systems"` shows each system's mean rank or effectiveness with an interval, for tests
#'   with a single critical difference; `"intervals"` the confidence interval of every difference; `"matrix"` all
#'   differences as colours, with marks on significant ones. `"auto"` selects the first of these that is possible.
#' - [power_analysis()], [stability_analysis()]: the share of significant pairs or of conflicts against the number of
#'   queries, as in the paper of [power_analysis()]; a single line has a band of 95% of the trials.
#' - [agreement()] on two scales: the gains on the finer scale for each level of the coarser one;
#'   [grader_validation()]: tau.
#'
#' @param object,x What to draw.
#' @param type What to show: see Details.
#' @param truth The gains of every pair of the pool: a data frame with `query`, `doc` and `gain`, or its path.
#' @param session For a plan: the real [judging_session()], or NULL.
#' @param sizes For power and stability: the numbers of queries to show; NULL shows all.
#' @param labels For [agreement()] on two scales: the names of the coarser and finer scale.
#' @param ... Not used; for a collection and for rankings within strata, the arguments of `plot()` for a ranking.
#' @param top The number of systems or pairs to show; NULL for all.
#' @return `plot()`: the ggplot2 object, invisibly (for strata, a list). `autoplot()`: a ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' ranking <- rank_systems(x, judgments = judgments_of(x)[1:40, ])
#' plot(ranking, truth = judgments_of(x))
#' plot(ranking, type = "confidence")
#' plot(system_differences(ranking))
#' s <- judging_session(x, goal = goal_budget(60), audit = 0.3, seed = 1, judgments = FALSE)
#' plot(run_session(s))
#' plot(calibration(s))
#' scores <- as.matrix(evaluate(x))
#' plot(compare_systems(scores))
#' @aliases plots plot.judicious_calibration plot.judicious_comparison plot.judicious_grader_validation
#'   plot.judicious_plan plot.judicious_power plot.judicious_scale_agreement plot.judicious_session
#'   plot.judicious_stability plot.judicious_study plot.judicious_system_differences
#' @rdname plots
#' @usage NULL
#' @export
plot.judicious_ranking <- function(x, ...) draw_plot(x, ...)

#' @rdname plots
#' @usage NULL
#' @export
plot.judicious_rankings <- function(x, ...) invisible(lapply(x, plot, ...))

#' @rdname plots
#' @usage NULL
#' @export
plot.judicious_collection <- function(x, ...) plot(rank_systems(x), ...)

#' @rdname plots
#' @usage NULL
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_ranking <- function(object, type = c("estimates", "confidence"), truth = NULL, top = NULL, ...) {
  refuse_other_arguments("autoplot()", ...)
  type <- check_choice(type, c("estimates", "confidence"), "type")
  if (!is.null(top)) check_count(top, "top")
  if (type == "confidence") return(ggplot_confidence(confidence_picture(object, top)))
  picture <- estimates_picture(object, truth, top)
  chart <- ggplot_intervals(picture)
  if (is.null(truth)) return(chart + ggplot2::guides(colour = "none", shape = "none"))
  true_means <- transform(chart$data, estimate = chart$data$true, verdict = factor("truth", levels(chart$data$verdict)))
  # True values have no interval, so that their symbol has no bar in the legend.
  chart + ggplot2::geom_point(ggplot2::aes(shape = .data$verdict), true_means, stroke = 0.9,
                              size = if (nrow(true_means) > 30) 1.6 else 2.6) +
    ggplot2::guides(colour = ggplot2::guide_legend(override.aes = list(linetype = c("solid", "blank"))))
}

# Data of the plot of estimates: one row per system, worst first because the vertical axis counts upwards.
estimates_picture <- function(ranking, truth = NULL, top = NULL) {
  estimates <- merged_systems(ranking)
  ranked <- has_rank_sets(ranking)
  # The label has the name of the system and, if the collection has teams, the team.
  team <- if (!identical(estimates$system, estimates$team)) paste0(" (", estimates$team, ")")
  estimates$label <- paste0(estimates$system, team, if (ranked) paste0("   ", ranks_text(estimates)))
  x <- ranking$collection
  if (!is.null(truth)) estimates$true <- means_of_truth(x, truth)[distinct_best_first(ranking)]
  n <- nrow(estimates)
  estimates <- without_row_names(estimates[rev(seq_len(min(n, top))), ])
  estimates$verdict <- factor("estimate", c("estimate", "truth"))
  axis_labels <- named_from_top(nrow(estimates))
  list(rows = estimates, names = axis_labels, title = ranking_statement(ranking) %||% "Estimated effectiveness",
       subtitle = paste0(ranking_subtitle(ranking), "; bars: ", percent(ranking$level), " intervals",
                         axis_labels$note, if (nrow(estimates) < n) sprintf("; best %d of %d", nrow(estimates), n)),
       xlab = paste0(measure_label(x), " over ", in_words_of(nouns_of(x), count_queries(queries_in_means(x)))),
       caption = paste(c(level_note(ranking), if (ranked) "After each name: its rank set, the ranks that it may have.",
                         if (has_few_pairs(x)) decided_text(ranking)), collapse = "\n"))
}

# States how many pairs are decided. Intervals of single systems do not show this, because systems share most of their
# errors.
decided_text <- function(ranking) {
  decided <- compare_pairs(ranking)$confidence >= ranking$level
  sprintf("%s of %s %s decided (confidence at least %s);\nthe intervals of decided pairs may overlap, too.",
          format_count(sum(decided)), counted(length(decided), "pair"), if (length(decided) == 1) "is" else "are",
          short_level(ranking))
}

# A plot of the probabilities of ranks. It is documented with rank_probabilities().

#' @rdname rank_probabilities
#' @export
plot.judicious_rank_probabilities <- function(x, ...) draw_plot(x, ...)

#' @rdname rank_probabilities
#' @param object The result of `rank_probabilities()`.
#' @param top The number of systems to plot, best first.
#' @exportS3Method ggplot2::autoplot
autoplot.judicious_rank_probabilities <- function(object, top = 60, ...) { # nolint: object_length_linter.
  refuse_other_arguments("autoplot()", ...)
  check_count(top, "top")
  check_columns(object, c("system", "rank_lower", "rank_upper", "P1"), "object")
  ranks <- utils::head(object, top)
  n <- nrow(object)
  # The plot has a row for each system and a column for each possible rank; darker cells are more probable, and frames
  # show rank sets.
  columns <- seq_len(max(ranks$rank_upper))
  rows <- seq_len(nrow(ranks))
  cells <- data.frame(row = rows, rank = rep(columns, each = nrow(ranks)),
                      probability = unlist(as.data.frame(ranks)[paste0("P", columns)], use.names = FALSE))
  sets <- data.frame(row = rows, lower = ranks$rank_lower, upper = ranks$rank_upper)
  axis_labels <- named_axis(nrow(ranks))
  ggplot2::ggplot(cells, ggplot2::aes(x = .data$rank, y = .data$row)) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data$probability), height = 0.9) +
    ggplot2::geom_rect(data = sets, inherit.aes = FALSE, fill = NA, colour = plot_colours[["grey"]], linewidth = 0.3,
                       ggplot2::aes(xmin = .data$lower - 0.5, xmax = .data$upper + 0.5, ymin = .data$row - 0.45,
                                    ymax = .data$row + 0.45)) +
    ggplot2::scale_fill_gradient(name = "probability", low = "white", high = plot_colours[["blue"]],
                                 limits = c(0, NA)) +
    ggplot2::scale_x_continuous(name = "rank", expand = c(0, 0.1), breaks = \(limits) unique(round(pretty(limits)))) +
    ggplot2::scale_y_reverse(name = NULL, expand = c(0, 0.1), breaks = axis_labels$at,
                             labels = ranks$system[axis_labels$at]) +
    wrapped_texts(title = "Probabilities of ranks",
                  subtitle = paste0("frames: rank sets, the ranks that a system may have", axis_labels$note,
                                    if (nrow(ranks) < n) sprintf("; best %d of %d", nrow(ranks), n))) +
    plot_theme(axis.text.y = ggplot2::element_text(size = axis_labels$size),
               panel.grid.major = ggplot2::element_blank())
}
