# Filters results: removes the query itself from its own list, and documents that share a property with the query, such
# as the artist or the album.

#' Find the results that share a property with their query
#'
#' @param runs Data frame with columns `query` and `doc`.
#' @param columns Columns of `documents`. For a query, the same column of `queries` takes precedence, if it exists.
#' @return For each result, `"document"` if it is the query itself, the first of `columns` in which it equals the
#'   query, or NA.
#' @noRd
shared_with_query <- function(runs, documents, queries, columns) {
  documents <- check_columns(documents, c("doc", columns), "documents")
  shared <- ifelse(runs$query == runs$doc, "document", NA_character_)
  for (column in rev(columns)) {
    of_query <- if (column %in% names(queries)) queries[[column]][match(runs$query, queries$query)] else
      documents[[column]][match(runs$query, documents$doc)]
    check_that(!all(is.na(of_query)), "filter", c(
      "No query has a known {.val {column}}.",
      i = "Give a column {.val {column}} in {.arg queries}, or rows of {.arg documents} whose ids are those of the
        queries."
    ), kind = "columns", columns = column)
    same <- id_text(documents[[column]][match(runs$doc, documents$doc)]) == id_text(of_query)
    shared[same %in% TRUE & !shared %in% "document"] <- column
  }
  shared
}

# Returns the results that pass the filter. Results below a removed one move up by one rank.
filter_results <- function(runs, documents, queries, filter) {
  check_that(is.character(filter) && length(filter) && !anyNA(filter), "filter", "must name columns of {.arg documents},
    such as {.val artist}, not {.obj_type_friendly {filter}}.")
  check_that(!is.null(documents), "filter", "needs {.arg documents}, the metadata that it compares.")
  kept <- runs[is.na(shared_with_query(runs, documents, queries, filter)), , drop = FALSE]
  check_that(nrow(kept), "filter", "No result passes {.arg filter}.")
  if ("rank" %in% names(kept)) {
    list_code <- list_id(kept)
    kept$rank <- number_in_lists(list_code, order(list_code, kept$rank))
  }
  kept
}

# The collection with its measure, in which queries have weight 0 in means if their value in `counts` is FALSE.
only_queries <- function(x, counts) {
  old_multiplier <- query_multiplier(x)
  x$queries$weight <- (x$queries[["weight"]] %||% rep(1, n_queries(x))) * counts
  ratio <- ifelse(old_multiplier == 0, 0, query_multiplier(x) / old_multiplier)
  if (is_sum(x)) x$scoring$weight <- result_weight(x) * ratio[x$pool$query[result_pair(x)]]
  x
}
