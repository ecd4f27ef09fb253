check_query <- function(query, queries) {
  if (is.null(query)) return(queries[1])
  check_string(query, "query")
  check_that(query %in% queries, "query", c(
    "There is no query {.val {query}}.", i = "The queries are {name_some(queries)}."))
  query
}

#' Plot preference judgments
#'
#' `plot()` of a session shows how the documents of a query were sorted by iteration, with segments as boxes and pivots
#' marked; that of an ordered list the groups of each query as steps; that of worker quality each worker's agreement
#' with the others against the median time per answer.
#'
#' @param x A session, by [preference_session()], an [ordered_list()], or the result of [worker_quality()].
#' @param query The query to show: by default the first one of a session, and all queries of a list.
#' @param ... Not used.
#' @return A ggplot2 object.
#' @examplesIf requireNamespace("ggplot2", quietly = TRUE)
#' similarity <- list(q = setNames(seq(6, -6, -2), letters[1:7]))
#' crowd <- simulate_crowd(similarity, workers = 12, equal_robots = 1, seed = 1)
#' s <- run_session(preference_session(list(q = letters[1:7]), seed = 1), crowd, seed = 2)
#' plot(s)
#' plot(ordered_list(s))
#' plot(worker_quality(s))
#' @name plot_preferences
NULL

# Data of the plot of a sort: the position of each document in each iteration, top first, and the boxes of the segments.
sorting_steps <- function(session, query) {
  tree <- sorting_tree(session)
  tree <- tree[tree$query == query, , drop = FALSE]
  last <- max(tree$iteration)
  boxes <- do.call(rbind, lapply(seq_len(last), function(i) {
    # Iteration i shows the segments that were formed in it, and those of earlier iterations that were not split.
    segments <- tree[tree$iteration == i | (tree$iteration < i & tree$state != "split"), , drop = FALSE]
    bottom <- cumsum(segments$size)
    data.frame(iteration = i, top = bottom - segments$size + 0.5, bottom = bottom + 0.5,
               closed = segments$state == "closed",
               docs = I(segments$docs), pivot = ifelse(segments$iteration == i, segments$pivot, NA))
  }))
  docs <- unlist(boxes$docs)
  steps <- data.frame(iteration = rep(boxes$iteration, lengths(boxes$docs)), doc = docs,
                      pivot = docs == rep(ifelse(is.na(boxes$pivot), "", boxes$pivot), lengths(boxes$docs)))
  steps$place <- ave(seq_along(docs), steps$iteration, FUN = seq_along)
  done <- all(boxes$closed[boxes$iteration == last])
  list(boxes = boxes[c("iteration", "top", "bottom", "closed")], steps = steps, last = last,
       labels = c(seq_len(last - 1), if (done) "list" else last))
}

#' @rdname plot_preferences
#' @export
plot.judicious_preferences <- function(x, query = NULL, ...) {
  query <- check_query(query, names(x$trees))
  s <- sorting_steps(x, query)
  final_places <- s$steps[s$steps$iteration == s$last, , drop = FALSE]
  need_package("ggplot2", "{.fn plot}")
  ggplot2::ggplot(s$steps, ggplot2::aes(.data$iteration, .data$place)) +
    ggplot2::geom_rect(data = s$boxes, inherit.aes = FALSE, ggplot2::aes(
      xmin = .data$iteration - 0.25, xmax = .data$iteration + 0.25, ymin = .data$top + 0.08, ymax = .data$bottom - 0.08,
      fill = ifelse(.data$closed, "closed", "to be split")), alpha = 0.45) +
    ggplot2::geom_line(ggplot2::aes(group = .data$doc), colour = plot_colours[["light"]]) +
    ggplot2::geom_point(ggplot2::aes(colour = ifelse(.data$pivot, "pivot", "document"),
                                     shape = ifelse(.data$pivot, "pivot", "document")), size = 2.6) +
    ggplot2::geom_text(data = final_places, ggplot2::aes(label = .data$doc), x = s$last + 0.32, hjust = 0, size = 3) +
    ggplot2::scale_y_reverse(breaks = NULL) +
    ggplot2::scale_x_continuous(breaks = seq_len(s$last), labels = s$labels,
                                # Leaves space to the right of the last iteration for long names.
                                limits = c(0.7, s$last * (1 + 0.018 * max(nchar(final_places$doc))) + 0.4),
                                minor_breaks = NULL) +
    ggplot2::scale_fill_manual(name = "segment", values = c(closed = plot_colours[["sky"]],
                                                            "to be split" = plot_colours[["light"]])) +
    ggplot2::scale_colour_manual(values = c(document = "grey30", pivot = plot_colours[["vermillion"]]), name = NULL) +
    ggplot2::scale_shape_manual(values = c(document = 16, pivot = 18), name = NULL) +
    wrapped_texts(title = paste("Sorting the documents of query", query), x = "iteration",
                  y = "list, most similar at the top") +
    plot_theme(panel.grid.major = ggplot2::element_blank(), panel.border = ggplot2::element_blank())
}

#' @rdname plot_preferences
#' @export
plot.judicious_ordered_list <- function(x, query = NULL, ...) {
  documents <- as.data.frame(x)
  if (!is.null(query))
    documents <- documents[documents$query == check_query(query, unique(documents$query)), , drop = FALSE]
  need_package("ggplot2", "{.fn plot}")
  # A document may be a candidate of several queries; it then has a line for each of them.
  key <- text_key(documents$query, documents$doc)
  documents$key <- factor(key, levels = rev(key))
  documents$query <- factor(documents$query, levels = unique(documents$query))
  tallest <- max(table(documents$query)) * ceiling(sqrt(nlevels(documents$query)))
  chart <- ggplot2::ggplot(documents, ggplot2::aes(.data$group, .data$key)) +
    ggplot2::geom_tile(width = 0.9, height = 0.85, fill = plot_colours[["blue"]]) +
    ggplot2::scale_y_discrete(labels = stats::setNames(documents$doc, key)) +
    ggplot2::scale_x_continuous(breaks = function(range) unique(pmax(round(pretty(range)), 1))) +
    wrapped_texts(title = "Partially ordered list: documents of one step are equally similar",
                  x = "group, most similar first", y = NULL) +
    plot_theme(panel.grid.major.y = ggplot2::element_line(linewidth = 0.2),
               axis.text.y = ggplot2::element_text(size = named_axis(tallest)$size))
  if (nlevels(documents$query) > 1) chart <- chart + ggplot2::facet_wrap("query", scales = "free")
  chart
}

#' @rdname plot_preferences
#' @export
plot.judicious_worker_quality <- function(x, ...) {
  workers <- as.data.frame(x)
  workers$gain <- workers$agreement - workers$others
  workers <- workers[!is.na(workers$gain), , drop = FALSE]
  timed <- !all(is.na(workers$median_seconds))
  workers$across <- if (timed) workers$median_seconds else seq_len(nrow(workers))
  workers$kind <- ifelse(workers$robot == "", "human", "like a robot")
  across <- if (timed) "median seconds per answer, logarithmic" else "worker, in order of appearance"
  need_package("ggplot2", "{.fn plot}")
  ggplot2::ggplot(workers, ggplot2::aes(.data$across, .data$gain)) +
    ggplot2::geom_hline(yintercept = 0, linetype = 2, colour = plot_colours[["grey"]]) +
    ggplot2::geom_point(ggplot2::aes(size = .data$answers, colour = .data$kind, shape = .data$kind), alpha = 0.75) +
    ggplot2::geom_text(data = workers[workers$kind != "human", , drop = FALSE], ggplot2::aes(label = .data$worker),
                       vjust = -1.7, size = 3) +
    (if (timed) ggplot2::scale_x_log10()) + ggplot2::scale_y_continuous(expand = ggplot2::expansion(mult = 0.12)) +
    ggplot2::scale_size(range = c(1.2, 7), name = "answers") +
    ggplot2::scale_colour_manual(values = c(human = plot_colours[["blue"]],
                                            `like a robot` = plot_colours[["vermillion"]]), name = NULL) +
    ggplot2::scale_shape_manual(values = c(human = 16, `like a robot` = 17), name = NULL) +
    wrapped_texts(title = "Agreement by worker",
                  subtitle = "0: agrees with the others as they agree among themselves on the same pairs",
                  x = across, y = "agreement beyond that of the others") + plot_theme(legend.box = "vertical")
}
