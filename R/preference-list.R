#' Partially ordered lists
#'
#' Per query, groups of documents in order of relevance; the documents of a group are equally
#' relevant, and a system may return them in any order.
#'
#' @param x A session of [preference_session()]; a fit of [bradley_terry()]; a data frame with columns `query`, `doc`
#'   and `group` (lower comes first), or rankings with columns `query`, `doc`, `assessor` and `rank` (1 is best; a
#'   document that an assessor did not rank has no row, or an NA); or, for one query, a list of vectors of documents,
#'   one vector per group.
#' @param rule For rankings: `"all"`, `"any"`, or `"previous"`: the document above only.
#' @param tails For rankings: 2, or 1 for a test in the direction of the arrangement.
#' @param level For rankings: the level of the test.
#' @param query The query's name where `x` is a list of groups.
#' @param ... Passed to methods.
#' @return A `judicious_ordered_list`: a data frame with columns `query`, `group` (1, 2, ... in each query) and `doc`,
#'   sorted by query in order of appearance, then by group. A list from an unfinished session has a further column
#'   `closed`, FALSE where a group may still be split; one from rankings has `median`, `mean` and `n`, of the document's
#'   ranks.
#' @section Rankings: The method of Typke et al., as Urbano et al. (2010, section 2.2) describe it: documents are
#' arranged by the median of their ranks, ties broken by the mean; a Mann-Whitney U test between the ranks of two
#' documents says whether they differ, and documents that do not differ share a group. The lists called All-2 and Any-1
#' are `rule = "all", tails = 2` and `rule = "any", tails = 1`: going down the list, a document starts a new group when
#' it differs from all documents of the current group, or from any of them, by a test with two tails or one. That makes
#' every group of Any-1 part of a group of All-2, as the paper's Table 7 has it (Any-1 scores exactly 1 against All-2).
#' The paper leaves the level open.
#' @seealso [list_adr()] compares lists, and evaluates runs against them.
#' @inherit preference_decisions references
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
  rows <- Map(function(tree, query) {
    docs <- x$candidates$doc[x$candidates$query == query]
    groups <- tree_groups(tree$nodes)
    size <- lengths(groups$docs)
    data.frame(query = query, group = rep(seq_along(size), size), doc = docs[unlist(groups$docs)],
               closed = rep(groups$closed, size), stringsAsFactors = FALSE)
  }, x$trees, names(x$trees))
  out <- do.call(rbind, rows)
  if (all(out$closed)) out$closed <- NULL
  new_ordered_list(out)
}

#' @rdname ordered_list
#' @export
ordered_list.judicious_ordered_list <- function(x, ...) x

#' @rdname ordered_list
#' @export
ordered_list.data.frame <- function(x, rule = c("all", "any", "previous"), tails = 2, level = 0.25, ...) {
  if (all(c("assessor", "rank") %in% names(x))) return(list_from_rankings(x, rule, tails, level))
  check_columns(x, c("query", "doc", "group"), "x")
  out <- data.frame(query = check_ids(x$query, "query", "x"), group = x$group, doc = check_ids(x$doc, "doc", "x"),
                    stringsAsFactors = FALSE)
  if (!is.numeric(out$group) || anyNA(out$group)) {
    abort_judicious("Column {.val group} of {.arg x} must be numeric without missing values.", "columns",
                    argument = "x", columns = "group")
  }
  twice <- which(duplicated(out[c("query", "doc")]))
  if (length(twice)) {
    i <- twice[1]
    abort_judicious(paste0("Document {.val {out$doc[i]}} is in the list of query {.val {out$query[i]}} more than once ",
                           "(row {i} of {.arg x})."),
                    "duplicate", argument = "x", rows = twice)
  }
  out <- out[order_within(out$query, out$group), , drop = FALSE]
  out$group <- ave(out$group, out$query, FUN = function(g) match(g, unique(g)))
  new_ordered_list(out)
}

#' @rdname ordered_list
#' @export
ordered_list.list <- function(x, query = "query", ...) {
  check_string(query, "query")
  size <- lengths(x)
  ordered_list(data.frame(query = rep(query, sum(size)), doc = as.character(unlist(lapply(x, id_text))),
                          group = rep(seq_along(x), size), stringsAsFactors = FALSE))
}

#' @export
ordered_list.default <- function(x, ...) {
  abort_judicious("{.arg x} must be a session, a data frame or a list of groups, not {.obj_type_friendly {x}}.",
                  "argument", argument = "x")
}

new_ordered_list <- function(x) {
  rownames(x) <- NULL
  x$group <- as.integer(x$group)
  structure(x, class = c("judicious_ordered_list", "data.frame"))
}

#' @export
as.data.frame.judicious_ordered_list <- function(x, ...) structure(x, class = "data.frame")

# <(a, b), (c)>: what the paper writes.
format_groups <- function(doc, group) {
  inside <- vapply(split(doc, group), function(d) paste0("(", paste(d, collapse = ", "), ")"), "")
  paste0("<", paste(inside, collapse = ", "), ">")
}

#' @export
format.judicious_ordered_list <- function(x, ...) {
  queries <- unique(x$query)
  vapply(queries, function(q) format_groups(x$doc[x$query == q], x$group[x$query == q]), "")
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
