# Partially ordered lists, and decisions on pairs of documents, from rankings by assessors.

# Upper triangle: whether the ranks of the upper document are significantly smaller.
differing_samples <- function(samples, tails, level) {
  n <- length(samples)
  differ <- matrix(FALSE, n, n)
  side <- if (tails == 1) "less" else "two.sided"
  for (j in seq_len(n)[-1]) {
    for (i in seq_len(j - 1)) {
      # Tied ranks are normal here, and the p-value of equal samples is NaN: no need for warnings.
      p <- suppressWarnings(stats::wilcox.test(samples[[i]], samples[[j]], alternative = side)$p.value)
      differ[i, j] <- !is.na(p) && p <= level
    }
  }
  differ
}

check_rankings <- function(rankings, arg, call) {
  check_columns(rankings, c("query", "doc", "assessor", "rank"), arg, call = call)
  ids <- c("query", "doc", "assessor")
  places <- data.frame(check_id_columns(rankings[ids], ids, arg, call), rank = rankings$rank, row.names = NULL)
  check_that(is.numeric(places$rank), arg, "Column {.val rank} of {.arg {arg}} must be numeric, not
    {.obj_type_friendly {places$rank}}.", kind = "columns", columns = "rank", call = call)
  twice <- which(duplicated(places[c("query", "doc", "assessor")]))
  i <- twice[1]
  abort_unless(!length(twice), "Assessor {.val {places$assessor[i]}} ranks document {.val {places$doc[i]}} of query
    {.val {places$query[i]}} twice (row {i} of {.arg {arg}}).", "duplicate", argument = arg, rows = twice, call = call)
  lost <- setdiff(paste0(places$doc, " (query ", places$query, ")"),
                  paste0(places$doc, " (query ", places$query, ")")[!is.na(places$rank)])
  check_that(!length(lost), arg, "No assessor ranks {name_some(lost)}.", kind = arg, call = call)
  places[!is.na(places$rank), , drop = FALSE]
}

ranking_decisions <- function(rankings, pairs, level, call = caller_env()) {
  check_number(level, "level", min = 0, max = 1, open = TRUE, call = call)
  check_columns(pairs, c("query", "doc_a", "doc_b"), "pairs", call)
  places <- check_rankings(rankings, "answers", call)
  samples <- split(places$rank, text_key(places$query, places$doc))
  a <- samples[text_key(pairs$query, pairs$doc_a)]
  b <- samples[text_key(pairs$query, pairs$doc_b)]
  decide <- function(x, y) {
    if (is.null(x) || is.null(y)) return(NA_character_)
    differ <- function(first, second) differing_samples(list(first, second), 1, level)[1, 2]
    if (differ(x, y)) "less" else if (differ(y, x)) "greater" else "equal"
  }
  # Pairs from a session have a column `decision` already, which is replaced.
  pairs$decision <- unname(mapply(decide, a, b))
  pairs
}
