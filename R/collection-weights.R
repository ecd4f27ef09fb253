# Weights of queries in means over them, and strata: groups of queries by a column of the collection's `queries`.

counts_in_means <- function(x) if (is_weighted(x)) x$queries$weight > 0 else rep(TRUE, n_queries(x))

queries_in_means <- function(x) sum(counts_in_means(x))

# The number of these pairs of the pool whose queries have a positive weight; by default of all.
count_pairs <- function(x, pairs = rep(TRUE, n_pairs(x))) {
  if (is_weighted(x)) sum(pairs & counts_in_means(x)[x$pool$query]) else sum(pairs)
}

check_query_weights <- function(queries, arg = "queries", call = caller_env()) {
  weight <- queries$weight
  if (is.null(weight)) return(queries)
  check_numeric_column(queries, "weight", arg, call)
  bad <- which(!is.finite(weight) | weight <= 0)
  check_that(!length(bad), arg, c(
    "Column {.val weight} of {.arg {arg}} must hold a positive number for every query of the runs.",
    x = "Query {.val {queries$query[bad[1]]}} has {weight[bad[1]]}.",
    i = "To ignore a query, leave it out of the runs."
  ), kind = "columns", columns = "weight", queries = queries$query[bad], call = call)
  queries$weight <- as.numeric(weight)
  queries
}

# Raises an error if queries have weights, for functions that are defined for equal weights only.
refuse_weights <- function(x, what, advice, call = caller_env()) {
  abort_unless(!is_weighted(x), c("{what} not defined for queries with weights.", i = advice), "weights", call = call)
}

#' @return For each stratum, in the order of the levels, the indices of its queries.
#' @noRd
queries_by_stratum <- function(x, by, arg = "by", call = caller_env()) {
  check_string(by, arg, call)
  known <- setdiff(names(x$queries), c("query", "weight"))
  check_that(by %in% known, arg, c(
    "must name a column of the collection's queries; they have none called {.val {by}}.",
    i = if (length(known)) "Their columns are {.val {known}}."
        else paste0("It must be a column of {.arg queries}", hint(" in {.fn test_collection}"), ".")
  ), kind = "columns", columns = by, call = call)
  value <- x$queries[[by]]
  unknown <- which(is.na(value) & answered_queries(x))
  check_that(!length(unknown), arg, c(
    "{format_count(length(unknown))} {cli::qty(length(unknown))}quer{?y/ies} {?has/have} no {.val {by}}, so that
      {?it is/they are} in no stratum.",
    x = "The first is {.val {x$queries$query[unknown[1]]}}.",
    i = "Give these queries a value of their own, such as {.val unknown}."
  ), kind = "missing_stratum", queries = x$queries$query[unknown], call = call)
  split(seq_along(value), text_factor(value))
}
