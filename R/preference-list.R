# Partially ordered lists, and decisions on pairs of documents, from rankings of the documents by assessors.

# A matrix whose upper triangle states whether the ranks of the row's document are significantly smaller than those of
# the column's document or, with two tails, differ significantly.
differing_samples <- function(samples, tails, level) {
  n <- length(samples)
  differ <- matrix(FALSE, n, n)
  side <- if (tails == 1) "less" else "two.sided"
  for (j in seq_len(n)[-1]) for (i in seq_len(j - 1)) {
    # Ties are usual here, so warnings are suppressed. With ties, the p-value is the normal approximation, also from R
    # 4.6 on, whose default is exact; that of equal samples is NaN.
    exact <- !anyDuplicated(unlist(samples[c(i, j)])) && max(lengths(samples[c(i, j)])) < 50
    p <- suppressWarnings(stats::wilcox.test(samples[[i]], samples[[j]], alternative = side, exact = exact)$p.value)
    differ[i, j] <- !is.na(p) && p <= level
  }
  differ
}

check_rankings <- function(rankings, arg) {
  rankings <- check_columns(rankings, c("query", "doc", "assessor", "rank"), arg)
  ids <- c("query", "doc", "assessor")
  places <- data.frame(check_id_columns(rankings[ids], ids, arg), rank = rankings$rank, row.names = NULL)
  check_numeric_column(places, "rank", arg)
  refuse_repeated(places, ids, arg, "Assessor {.val {first$assessor}} ranks document {.val {first$doc}} of query
    {.val {first$query}} twice (row {i} of {.arg {arg}}).")
  label <- paste0(places$doc, " (query ", places$query, ")")
  unranked <- setdiff(label, label[!is.na(places$rank)])
  check_that(!length(unranked), arg, "No assessor ranks {name_some(unranked)}.", kind = arg)
  places[!is.na(places$rank), , drop = FALSE]
}

ranking_decisions <- function(rankings, pairs, level) {
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  check_columns(pairs, c("query", "doc_a", "doc_b"), "pairs")
  places <- check_rankings(rankings, "answers")
  samples <- split(places$rank, text_key(places$query, places$doc))
  a <- samples[text_key(pairs$query, pairs$doc_a)]
  b <- samples[text_key(pairs$query, pairs$doc_b)]
  decide <- function(x, y) {
    if (is.null(x) || is.null(y)) return(NA_character_)
    differ <- function(first, second) differing_samples(list(first, second), 1, level)[1, 2]
    if (differ(x, y)) "less" else if (differ(y, x)) "greater" else "equal"
  }
  # If the pairs are from a session, they have a column `decision` already, which is replaced.
  pairs$decision <- unname(mapply(decide, a, b))
  pairs
}

#' Build a partially ordered list
#'
#' Builds a partially ordered list from preference judgments, rankings or groups: per query, groups of documents in
#' order of relevance, in which the order within a group does not matter.
#'
#' @param x One of:
#'   - a session, by [preference_session()], or a fit, by [bradley_terry()];
#'   - groups: a data frame with columns `query`, `doc` and `group` (lower groups come first), or, for one query, a list
#'     with one vector of documents per group;
#'   - rankings: a data frame with columns `query`, `doc`, `assessor` and `rank` (1 is best; missing or NA if the
#'     assessor did not rank the document).
#' @param rule For rankings: the documents of the current group from which a document must differ to start a new group:
#'   `"all"`, `"any"`, or `"previous"`, the document directly above.
#' @param tails For rankings: 2, or 1 for a one-tailed test of whether the document above has lower ranks.
#' @param level For rankings: the level of the test, between 0 and 1.
#' @param query The name of the query if `x` is a list of groups.
#' @param ... Passed to methods.
#' @return A `judicious_ordered_list`: a data frame with columns `query`, `group` (1, 2, ... in each query) and `doc`,
#'   by query in order of appearance, then by group. An unfinished session adds `closed`, FALSE for a group that may
#'   still be split; rankings add `median`, `mean` and `n` of the document's ranks.
#' @section Rankings: The method of Typke et al. (see [average_dynamic_recall()]), as described by Urbano et al. (2010,
#'   section 2.2; see [preference_decisions()]). Documents are sorted by the median of their ranks, then the mean. A
#'   Mann-Whitney U test of their ranks decides whether two documents differ. Going down the list, a document starts a
#'   new group if it differs from the documents of the current group that `rule` names. The lists All-2 and Any-1 of the
#'   paper are `rule = "all", tails = 2` and `rule = "any", tails = 1`.
#' @examples
#' ordered_list(list(c("a", "b", "c"), c("d", "e")))
#' rankings <- expand.grid(doc = c("x", "y", "z"), assessor = 1:8, query = "q")
#' rankings$rank <- c(1, 2, 3, 2, 1, 3)
#' ordered_list(rankings)
#' @export
ordered_list <- function(x, ...) UseMethod("ordered_list")

#' @rdname ordered_list
#' @export
ordered_list.judicious_preferences <- function(x, ...) {
  # The segments that are not split, in their order, are the groups.
  tree <- sorting_tree(x)
  tree <- tree[tree$state != "split", ]
  group <- ave(tree$node, tree$query, FUN = seq_along)
  out <- new_ordered_list(list(data.frame(query = rep(tree$query, tree$size), group = rep(group, tree$size),
                                          doc = unlist(tree$docs), closed = rep(tree$state == "closed", tree$size))))
  if (all(out$closed)) out$closed <- NULL
  out
}

#' @rdname ordered_list
#' @export
ordered_list.judicious_ordered_list <- function(x, ...) x

list_from_rankings <- function(rankings, rule, tails, level) {
  rule <- check_choice(rule, c("all", "any", "previous"), "rule")
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  check_that(tails %in% 1:2, "tails", "must be 1 or 2.")
  places <- check_rankings(rankings, "x")
  rows <- lapply(unique(places$query), function(query) {
    query_places <- places[places$query == query, , drop = FALSE]
    samples <- split(query_places$rank, factor(query_places$doc, levels = unique(query_places$doc)))
    samples <- samples[order(vapply(samples, stats::median, 0), vapply(samples, mean, 0))]
    group <- group_by_rule(differing_samples(samples, tails, level), rule)
    data.frame(query = query, group = group, doc = names(samples), median = vapply(samples, stats::median, 0),
               mean = vapply(samples, mean, 0), n = lengths(samples), row.names = NULL)
  })
  new_ordered_list(rows)
}

#' @rdname ordered_list
#' @export
ordered_list.data.frame <- function(x, rule = c("all", "any", "previous"), tails = 2, level = 0.25, ...) {
  if (all(c("assessor", "rank") %in% names(x))) return(list_from_rankings(x, rule, tails, level))
  x <- check_columns(x, c("query", "doc", "group"), "x")
  out <- data.frame(query = check_ids(x$query, "query", "x"), group = x$group, doc = check_ids(x$doc, "doc", "x"))
  check_numeric_column(out, "group", "x", missing = FALSE)
  refuse_repeated(out, c("query", "doc"), "x", "Document {.val {first$doc}} is in the list of query
    {.val {first$query}} more than once (row {i} of {.arg {arg}}).")
  out <- out[order_within(out$query, out$group), , drop = FALSE]
  out$group <- ave(out$group, out$query, FUN = function(g) match(g, unique(g)))
  new_ordered_list(list(out))
}

#' @rdname ordered_list
#' @export
ordered_list.list <- function(x, query = "query", ...) {
  check_string(query, "query")
  size <- lengths(x)
  ordered_list(data.frame(query = rep(query, sum(size)), doc = as.character(unlist(lapply(x, id_text))),
                          group = rep(seq_along(x), size)))
}

#' @export
ordered_list.default <- function(x, ...) {
  abort_argument("x", "must be a session, a data frame or a list of groups, not {.obj_type_friendly {x}}.")
}

new_ordered_list <- function(rows) {
  x <- without_row_names(do.call(rbind, rows))
  x$group <- as.integer(x$group)
  structure(x, class = c("judicious_ordered_list", "data.frame"))
}

#' @export
format.judicious_ordered_list <- function(x, ...) {
  # The notation of Urbano et al. (2010): <(a, b), (c)>.
  vapply(split(x, factor(x$query, unique(x$query))), function(rows) {
    paste0("<", paste0("(", tapply(rows$doc, rows$group, paste, collapse = ", "), ")", collapse = ", "), ">")
  }, "")
}

#' @export
print.judicious_ordered_list <- function(x, n = 10, ...) {
  text <- format(x)
  cat(if (length(text) == 1) "Partially ordered list" else paste(length(text), "partially ordered lists"), ": ",
      counted(nrow(x), "document"), " in ", counted(nrow(unique(x[c("query", "group")])), "group"),
      if (!is.null(x$closed)) ", some still open", "\n", sep = "")
  shown <- utils::head(text, n)
  cat(paste0("  ", names(shown), ": ", shown, "\n"), sep = "")
  if (length(text) > n) cat("  and ", length(text) - n, " more\n", sep = "")
  invisible(x)
}

#' @export
`[.judicious_ordered_list` <- function(x, ...) {
  out <- NextMethod()
  if (is.data.frame(out) && !all(c("query", "group", "doc") %in% names(out))) class(out) <- "data.frame"
  out
}

order_within <- function(group, key) order(match(group, unique(group)), key)

# The groups of a sorted list. `differ[i, j]` states whether document i differs from document j below it. A document
# starts a group if it differs from any, all or the last of the documents of the group above, as `rule` states.
group_by_rule <- function(differ, rule) {
  n <- nrow(differ)
  group <- rep(1L, n)
  for (j in seq_len(n)[-1]) {
    current <- which(group[seq_len(j - 1)] == group[j - 1])
    group[j] <- group[j - 1] + switch(rule, any = any(differ[current, j]), all = all(differ[current, j]),
                                      previous = differ[j - 1, j])
  }
  group
}
