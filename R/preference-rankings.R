#' Partially ordered lists from full rankings
#'
#' The method of Typke et al., as Urbano et al. (2010, section 2.2) describe it: every assessor ranks the documents of
#' a query; documents are arranged by the median of their ranks, ties broken by the mean; a Mann-Whitney U test
#' between the ranks of two documents says whether they differ, and documents that do not differ share a group.
#'
#' The lists called All-2 and Any-1 are `rule = "all", tails = 2` and `rule = "any", tails = 1`: going down the list,
#' a document starts a new group when it differs from all documents of the current group, or from any of them, by a
#' test with two tails or one. That makes every group of Any-1 part of a group of All-2, as the paper's Table 7 has it
#' (Any-1 scores exactly 1 against All-2). The paper leaves the level open.
#'
#' @param rankings A data frame with columns `query`, `doc`, `assessor` and `rank` (1 is best); a
#'   document an assessor did not rank has no row, or an NA.
#' @param rule `"all"`, `"any"`, or `"previous"`: the document above only.
#' @param tails 2, or 1 for a test in the direction of the arrangement.
#' @param level The level of the test.
#' @return A `judicious_ordered_list` with further columns `median`, `mean` and `n`, of the document's ranks.
#' @inherit test_preferences references
#' @examples
#' rankings <- expand.grid(doc = c("x", "y", "z"), assessor = 1:8, query = "q")
#' rankings$rank <- c(1, 2, 3, 2, 1, 3)
#' aggregate_rankings(rankings)
#' @export
aggregate_rankings <- function(rankings, rule = c("all", "any", "previous"), tails = 2, level = 0.25) {
  rule <- check_choice(rule, c("all", "any", "previous"), "rule")
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  if (!tails %in% 1:2) abort_judicious("{.arg tails} must be 1 or 2.", "argument", argument = "tails")
  data <- check_rankings(rankings)
  rows <- lapply(unique(data$query), function(query) {
    own <- data[data$query == query, , drop = FALSE]
    samples <- split(own$rank, factor(own$doc, levels = unique(own$doc)))
    middle <- vapply(samples, stats::median, 0)
    average <- vapply(samples, mean, 0)
    by <- order(middle, average)
    samples <- samples[by]
    group <- group_by_rule(differing_samples(samples, tails, level), rule)
    data.frame(query = query, group = group, doc = names(samples), median = unname(middle[by]),
               mean = unname(average[by]),
               n = unname(lengths(samples)), stringsAsFactors = FALSE)
  })
  new_ordered_list(do.call(rbind, rows))
}

# Upper triangle: does the document above have the smaller ranks?
differing_samples <- function(samples, tails, level) {
  n <- length(samples)
  differ <- matrix(FALSE, n, n)
  side <- if (tails == 1) "less" else "two.sided"
  for (j in seq_len(n)[-1]) {
    for (i in seq_len(j - 1)) {
      # Ranks tie as a matter of course, and equal samples have no p-value.
      p <- suppressWarnings(stats::wilcox.test(samples[[i]], samples[[j]], alternative = side)$p.value)
      differ[i, j] <- !is.na(p) && p <= level
    }
  }
  differ
}

check_rankings <- function(rankings, call = caller_env()) {
  check_columns(rankings, c("query", "doc", "assessor", "rank"), "rankings", call = call)
  data <- data.frame(query = check_ids(rankings$query, "query", "rankings", call = call),
                     doc = check_ids(rankings$doc, "doc", "rankings", call = call),
                     assessor = check_ids(rankings$assessor, "assessor", "rankings", call = call),
                       rank = rankings$rank, stringsAsFactors = FALSE)
  if (!is.numeric(data$rank)) {
    abort_judicious("Column {.val rank} of {.arg rankings} must be numeric, not {.obj_type_friendly {data$rank}}.",
                    "columns", argument = "rankings", columns = "rank", call = call)
  }
  twice <- which(duplicated(data[c("query", "doc", "assessor")]))
  if (length(twice)) {
    i <- twice[1]
    abort_judicious(paste0("Assessor {.val {data$assessor[i]}} ranks document {.val {data$doc[i]}} of query ",
                           "{.val {data$query[i]}} twice (row {i} of {.arg rankings})."),
                    "duplicate", argument = "rankings", rows = twice, call = call)
  }
  lost <- setdiff(paste0(data$doc, " (query ", data$query, ")"),
                  paste0(data$doc, " (query ", data$query, ")")[!is.na(data$rank)])
  if (length(lost)) {
    abort_judicious("No assessor ranks {name_some(lost)}.", "rankings", argument = "rankings", call = call)
  }
  data[!is.na(data$rank), , drop = FALSE]
}

#' @rdname aggregate_rankings
#' @param pairs Pairs of documents: a data frame with columns `query`, `doc_a` and `doc_b`.
#' @return `ranking_preferences()`: for each of `pairs`, what the rankings say: `"less"` (A ranks before B), `"equal"`
#'   or `"greater"`, by a one-tailed test in the direction of the difference; NA where nobody ranked one of the two.
#'   With [judgment_agreement()] this compares a crowd's decisions with experts who ranked (Urbano et al. 2010,
#'   section 5.3).
#' @export
ranking_preferences <- function(rankings, pairs, level = 0.25) {
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  check_columns(pairs, c("query", "doc_a", "doc_b"), "pairs")
  data <- check_rankings(rankings)
  samples <- split(data$rank, text_key(data$query, data$doc))
  a <- samples[text_key(pairs$query, pairs$doc_a)]
  b <- samples[text_key(pairs$query, pairs$doc_b)]
  decide <- function(x, y) {
    if (is.null(x) || is.null(y)) return(NA_character_)
    differ <- function(first, second) differing_samples(list(first, second), 1, level)[1, 2]
    if (differ(x, y)) "less" else if (differ(y, x)) "greater" else "equal"
  }
  unname(mapply(decide, a, b))
}
