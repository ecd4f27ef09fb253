#' Compute precision-recall and ROC curves
#'
#' Computes precision at every rank, or interpolated at eleven levels of recall (the highest precision at that recall or
#' a higher one), or the ROC curve: which shares of the relevant and of the other documents have been retrieved at every
#' rank. Judged documents that are not retrieved are tied at the end of the list, so the ROC curve is a straight line
#' from there to (1, 1); the area below it is the measure `"AUC"`.
#'
#' Unjudged documents count as not relevant. A query without relevant documents has no curve and is left out with a
#' message; a list has no ROC curve if all retrieved and judged documents are relevant. The plot of a precision-recall
#' curve by few ranks marks the break-even point with a circle.
#'
#' @param x,judgments Runs and judgments, as in [evaluate()].
#' @param rel The lowest gain that is relevant.
#' @param type `"precision_recall"` or `"roc"`.
#' @param points For precision-recall curves: `"interpolated"` at recall 0, 0.1, ..., 1, or `"ranks"`, one point per
#'   rank.
#' @param per `"mean"` over queries, or `"query"`, which `points = "ranks"` requires. ROC curves are averaged at equal
#'   false positive rates. With query weights, `"mean"` raises an error.
#' @param ties,duplicates `"trec_eval"`, `"rank"` or `"identifier"`, and `"error"` or `"best"`, as in [evaluate()].
#' @param documents NULL, or with `points = "ranks"` the number of documents in the collection, for the counts in the
#'   result.
#' @param object A curve, for `autoplot()`.
#' @param ... Not used.
#' @return A data frame of class `judicious_curve` with columns `system` and `query` (`"all"` for means).
#'   - Precision-recall curves: `recall` and `precision`.
#'   - With `points = "ranks"` also `rank`, `relevant` and `last`, which is (P(i) - P(i + 1)) / P(1) with P(i) the
#'     precision at rank i: the probability that rank i is the last one read, for a user who reads it with probability
#'     P(i) / P(1). It is negative where precision rises, and NA at the end of a list and if the first document is not
#'     relevant. With `documents` also the counts `tp`, `fp`, `fn` and `tn` of true and false positives and negatives,
#'     and `accuracy`, (tp + tn) / `documents`.
#'   - ROC curves: `false_positive_rate`, `true_positive_rate`, and, per query, `rank` (NA for the last point).
#'
#'   `plot()`: the ggplot2 object, invisibly. `autoplot()`: a ggplot2 object.
#' @examples
#' runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2", "d3", "d4"), score = 4:1)
#' judgments <- data.frame(query = "q", doc = c("d1", "d3", "d5"), gain = 1)
#' retrieval_curve(runs, judgments, points = "ranks", per = "query")
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(retrieval_curve(runs, judgments))
#' retrieval_curve(runs, judgments, "roc", per = "query")
#' @export
retrieval_curve <- function(x, judgments = NULL, type = c("precision_recall", "roc"),
                            points = c("interpolated", "ranks"), per = c("mean", "query"), rel = 1,
                            ties = c("trec_eval", "rank", "identifier"), documents = NULL,
                            duplicates = c("error", "best")) {
  type <- check_choice(type, c("precision_recall", "roc"), "type")
  points <- check_choice(points, c("interpolated", "ranks"), "points")
  per <- check_choice(per, c("mean", "query"), "per")
  check_that(type != "precision_recall" || points != "ranks" || per != "mean", "per", c(
    "Curves by ranks of different queries have no common points to average at.",
    i = "Use {.code per = \"query\"}, or {.code points = \"interpolated\"}."
  ))
  if (per == "mean" && inherits(x, "judicious_collection")) {
    refuse_weights(x, "Mean curves are", "{.code per = \"query\"} gives those of the queries.")
  }
  lists <- relevant_points(x, judgments, rel, check_choice(ties, c("trec_eval", "rank", "identifier"), "ties"),
                           check_choice(duplicates, list_duplicates, "duplicates"))
  if (!is.null(documents)) check_table_asked(documents, type, points, lists)
  curve <- curve_points(lists, type, points, per, documents)
  structure(without_row_names(curve), class = c("judicious_curve", "data.frame"), type = type, points = points,
            rel = rel)
}

check_table_asked <- function(documents, type, points, lists, call = caller_env()) {
  check_that(type != "roc" && points == "ranks", "documents",
             "is only available with {.code points = \"ranks\"}.", call = call)
  check_count(documents, "documents", call = call)
  known <- max(vapply(lists, function(p) p$retrieved + p$relevant - length(p$at) + p$others, 0))
  check_that(documents >= known, "documents",
             "must be at least {known}, the documents retrieved or judged for a query.", call = call)
}

curve_points <- function(lists, type, points, per, documents) {
  roc <- type == "roc"
  if (roc) lists <- Filter(function(p) p$others + p$retrieved - length(p$at) > 0, lists)
  of_list <- if (points == "ranks") function(p) precision_by_rank(p, documents) else interpolated_precision
  curve <- do.call(rbind, lapply(lists, if (roc) roc_by_rank else of_list))
  if (per == "query") curve else if (roc) average_roc(curve) else average_curve(curve, "recall", "precision")
}

# Per list: `system`, `query`, `at` (ranks of the relevant documents), `retrieved`, `relevant`, and `others` (judged,
# neither relevant nor retrieved).
relevant_points <- function(x, judgments, rel, ties, duplicates, call = caller_env()) {
  check_number(rel, "rel", call = call)
  truth <- judged_gains(x, judgments, call = call)
  policy <- list(ties = ties, duplicates = duplicates, precision = "double", missing = "skip", unjudged = "zero",
                 undefined = "NA", depth = Inf)
  lists <- ranked_lists(x, truth, policy, call = call)
  abort_unless(lists$ranked, "A curve needs the order of the results, and the runs have neither ranks nor scores.",
               "needs_ranks", call = call)
  note_unknown_queries(length(lists$unknown), lists$unknown, lists$query_ids[-lists$query])
  is_relevant <- c(FALSE, lists$levels >= rel)
  judged_of_query <- judged_levels(lists)
  points <- lapply(seq_along(lists$query), function(i) {
    at <- seq.int(lists$offset[i] + 1, length.out = lists$offset[i + 1] - lists$offset[i])
    hit <- is_relevant[lists$items$level[at] + 1]
    judged <- lists$levels[judged_of_query[[lists$query[i]]]]
    found_others <- sum(!hit & lists$items$level[at] > 0)
    list(system = lists$systems[lists$system[i]], query = lists$query_ids[lists$query[i]],
         at = lists$items$rank[at][hit],
         retrieved = lists$retrieved[i], relevant = sum(judged >= rel), others = sum(judged < rel) - found_others)
  })
  empty <- vapply(points, function(p) p$relevant == 0, TRUE)
  abort_unless(!all(empty),
               "No query has a document with a gain of at least {.code rel = {rel}}.", "nothing_relevant", call = call)
  if (any(empty)) {
    gone <- unique(vapply(points[empty], `[[`, "", "query"))
    inform_judicious("{length(gone)} quer{?y/ies} without relevant documents {?has/have} no curve: {name_some(gone)}.",
                     "no_curve", queries = gone)
  }
  points[!empty]
}

precision_by_rank <- function(p, documents = NULL) {
  ranks <- seq_len(p$retrieved)
  relevant <- ranks %in% p$at
  tp <- cumsum(relevant)
  precision <- tp / ranks
  out <- data.frame(system = p$system, query = p$query, rank = ranks, recall = tp / p$relevant, precision = precision,
                    relevant = relevant, last = if (isTRUE(relevant[1])) c(-diff(precision), NA) else NA_real_)
  if (is.null(documents)) return(out)
  fn <- p$relevant - tp
  tn <- documents - ranks - fn
  cbind(out, tp = tp, fp = ranks - tp, fn = fn, tn = tn, accuracy = (tp + tn) / documents)
}

interpolated_precision <- function(p) {
  recall <- (0:10) / 10
  precision <- rev(cummax(rev(seq_along(p$at) / p$at)))
  need <- pmax(floor(recall * p$relevant + 0.9), 1)
  data.frame(system = p$system, query = p$query, recall = recall,
             precision = ifelse(need <= length(p$at), precision[need], 0))
}

roc_by_rank <- function(p) {
  ranks <- seq_len(p$retrieved)
  relevant <- ranks %in% p$at
  others <- p$others + p$retrieved - length(p$at)
  data.frame(system = p$system, query = p$query, rank = c(0, ranks, NA),
             false_positive_rate = c(0, cumsum(!relevant) / others, 1),
             true_positive_rate = c(0, cumsum(relevant) / p$relevant, 1))
}

average_curve <- function(curve, at, value) {
  average <- stats::aggregate(curve[value], curve[c("system", at)], mean)
  average <- average[order(match(average$system, unique(curve$system)), average[[at]]), ]
  data.frame(system = average$system, query = "all", average[c(at, value)], row.names = NULL)
}

average_roc <- function(curve) {
  grid <- (0:100) / 100
  at_grid <- lapply(split(curve, interaction(factor(curve$query, unique(curve$query)),
                                             factor(curve$system, unique(curve$system)), drop = TRUE)), function(one) {
    rate <- stats::approx(one$false_positive_rate, one$true_positive_rate, grid, ties = max)$y
    data.frame(system = one$system[1], query = one$query[1], false_positive_rate = grid, true_positive_rate = rate)
  })
  average_curve(do.call(rbind, at_grid), "false_positive_rate", "true_positive_rate")
}
