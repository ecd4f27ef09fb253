#' Precision-recall and ROC curves
#'
#' `pr_curve()` gives precision and recall at every rank, or interpolated at eleven recalls (the highest precision
#' at that recall or a higher one), which can be averaged over queries. `roc_curve()` gives the rates of relevant
#' and of other documents that are retrieved by every rank; documents that are not retrieved are tied at the end, so
#' that the curve goes straight from the end of the list to (1, 1) and the area below it is AUC of [measure()].
#'
#' Documents that are not judged are not relevant; ties are ordered as the default of [evaluate()] or the rank
#' column. A query without relevant documents has no curve and is left out with a message.
#'
#' @param x,judgments Runs and judgments, as in [evaluate()].
#' @param rel The lowest gain that is relevant.
#' @param type `"interpolated"` at recalls 0, 0.1, ..., 1, or `"raw"`, one point per rank.
#' @param per `"mean"` over queries, or `"query"`. Raw PR curves are per query; ROC curves are averaged at equal
#'   rates of other documents.
#' @param ties `"trec_eval"` or `"rank"`, as in [evaluate()].
#' @param object A curve, for `autoplot()`.
#' @param engine What draws: `"auto"` takes ggplot2 where it is installed, else base graphics.
#' @param ... Not used.
#' @return A data frame of class `judicious_curve` with `system`, `query` (`"all"` for means) and `recall`,
#'   `precision`, `rank` (raw) and `relevant`, or `false_positive_rate`, `true_positive_rate` (and `rank`, NA for
#'   the end). `plot()`: `x`, invisibly.
#' @examples
#' runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2", "d3", "d4"), score = 4:1)
#' judgments <- data.frame(query = "q", doc = c("d1", "d3", "d5"), gain = 1)
#' pr_curve(runs, judgments, type = "raw", per = "query")
#' plot(pr_curve(runs, judgments))
#' roc_curve(runs, judgments, per = "query")
#' @export
pr_curve <- function(x, judgments = NULL, rel = 1, type = c("interpolated", "raw"), per = c("mean", "query"),
                     ties = c("trec_eval", "rank")) {
  type <- check_choice(type, c("interpolated", "raw"), "type")
  per <- check_choice(per, c("mean", "query"), "per")
  if (type == "raw" && per == "mean") {
    abort_judicious(c("Raw curves of different queries have no common points to average at.",
                      i = "Say {.code per = \"query\"}, or {.code type = \"interpolated\"}."),
                    "argument", argument = "per")
  }
  points <- relevant_points(x, judgments, rel, check_choice(ties, c("trec_eval", "rank"), "ties"))
  per_list <- lapply(points, if (type == "raw") raw_pr else interpolated_pr)
  curve <- do.call(rbind, per_list)
  if (per == "mean") curve <- average_curve(curve, "recall", "precision")
  new_curve(curve, "pr", type, rel)
}

#' @rdname pr_curve
#' @export
roc_curve <- function(x, judgments = NULL, rel = 1, per = c("mean", "query"), ties = c("trec_eval", "rank")) {
  per <- check_choice(per, c("mean", "query"), "per")
  points <- relevant_points(x, judgments, rel, check_choice(ties, c("trec_eval", "rank"), "ties"))
  points <- Filter(function(p) p$others + p$retrieved - length(p$at) > 0, points)
  curve <- do.call(rbind, lapply(points, raw_roc))
  if (per == "mean") curve <- average_roc(curve)
  new_curve(curve, "roc", "raw", rel)
}

# Per list: `system`, `query`, `at` (ranks of the relevant documents), `retrieved`, `relevant`, `others` (judged, not
# relevant, not retrieved).
relevant_points <- function(x, judgments, rel, ties, call = caller_env()) {
  check_number(rel, "rel", call = call)
  truth <- judged_gains(x, judgments, call = call)
  policy <- list(ties = ties, missing = "skip", unjudged = "zero", undefined = "NA", depth = Inf)
  lists <- ranked_lists(x, truth, policy, call = call)
  if (!lists$ranked) {
    abort_judicious("A curve needs the order of the results, and the runs have neither ranks nor scores.",
                    "needs_ranks", call = call)
  }
  note_unknown_queries(length(lists$unknown), lists$unknown)
  is_relevant <- c(FALSE, lists$levels >= rel)
  points <- lapply(seq_along(lists$query), function(i) {
    at <- seq.int(lists$offset[i] + 1, length.out = lists$offset[i + 1] - lists$offset[i])
    hit <- is_relevant[lists$items$level[at] + 1]
    judged <- lists$levels[lists$judged[[lists$query[i]]]]
    found_others <- sum(!hit & lists$items$level[at] > 0)
    list(system = lists$systems[lists$system[i]], query = lists$query_ids[lists$query[i]],
         at = lists$items$rank[at][hit],
         retrieved = lists$retrieved[i], relevant = sum(judged >= rel), others = sum(judged < rel) - found_others)
  })
  empty <- vapply(points, function(p) p$relevant == 0, TRUE)
  if (all(empty)) {
    abort_judicious("No query has a document with a gain of at least {.code rel = {rel}}.", "nothing_relevant",
                    call = call)
  }
  if (any(empty)) {
    gone <- unique(vapply(points[empty], `[[`, "", "query"))
    inform_judicious("{length(gone)} quer{?y/ies} without relevant documents {?has/have} no curve: {name_some(gone)}.",
                     "no_curve", queries = gone)
  }
  points[!empty]
}

raw_pr <- function(p) {
  rank <- seq_len(p$retrieved)
  relevant <- rank %in% p$at
  data.frame(system = p$system, query = p$query, rank = rank, recall = cumsum(relevant) / p$relevant,
             precision = cumsum(relevant) / rank, relevant = relevant, stringsAsFactors = FALSE)
}

interpolated_pr <- function(p) {
  recall <- (0:10) / 10
  precision <- rev(cummax(rev(seq_along(p$at) / p$at)))
  need <- pmax(floor(recall * p$relevant + 0.9), 1)
  data.frame(system = p$system, query = p$query, recall = recall,
             precision = ifelse(need <= length(p$at), precision[need], 0),
             stringsAsFactors = FALSE)
}

raw_roc <- function(p) {
  rank <- seq_len(p$retrieved)
  relevant <- rank %in% p$at
  others <- p$others + p$retrieved - length(p$at)
  data.frame(system = p$system, query = p$query, rank = c(0, rank, NA),
             false_positive_rate = c(0, cumsum(!relevant) / others, 1),
             true_positive_rate = c(0, cumsum(relevant) / p$relevant, 1), stringsAsFactors = FALSE)
}

average_curve <- function(curve, at, value) {
  mean <- stats::aggregate(curve[value], curve[c("system", at)], mean)
  mean <- mean[order(match(mean$system, unique(curve$system)), mean[[at]]), ]
  data.frame(system = mean$system, query = "all", mean[c(at, value)], row.names = NULL, stringsAsFactors = FALSE)
}

average_roc <- function(curve) {
  grid <- (0:100) / 100
  at_grid <- lapply(split(curve, interaction(factor(curve$query, unique(curve$query)),
                                             factor(curve$system, unique(curve$system)), drop = TRUE)), function(one) {
    rate <- stats::approx(one$false_positive_rate, one$true_positive_rate, grid, ties = max)$y
    data.frame(system = one$system[1], query = one$query[1], false_positive_rate = grid, true_positive_rate = rate,
               stringsAsFactors = FALSE)
  })
  average_curve(do.call(rbind, at_grid), "false_positive_rate", "true_positive_rate")
}

new_curve <- function(curve, kind, type, rel) {
  rownames(curve) <- NULL
  structure(curve, class = c("judicious_curve", "data.frame"), kind = kind, type = type, rel = rel)
}
