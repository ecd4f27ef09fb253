# The basic parts of a collection: its sizes, its pool of query-document pairs with their features, and the weights of
# its queries.

n_pairs <- function(x) length(x$pool$query)

n_systems <- function(x) nrow(x$systems)

n_queries <- function(x) nrow(x$queries)

n_results <- function(x) length(x$results$system)

# By system, the mean over its results of a value of pairs.
system_means <- function(x, v) mean_over_pairs_cpp(x$results, n_systems(x), v)

# The pool with its identifiers, one row per pair.
pool_ids <- function(x) data.frame(query = x$queries$query[x$pool$query], doc = x$documents$doc[x$pool$doc])

# The index of the pair of each result, in the order of x$results.
result_pair <- function(x) rep.int(seq_len(n_pairs(x)), diff(x$results$offset))

# For each pair of the pool, codes of its query, genre, artist and of the query's genre; 0 if unknown.
pool_labels <- function(x) {
  text <- function(label, n) if (is.null(label)) rep(NA_character_, n) else id_text(label)
  code <- function(label, all_labels = label) match(label, setdiff(unique(all_labels), c(NA, "")), nomatch = 0L)
  genre <- text(x$documents$genre, nrow(x$documents))
  query_genre <- text(x$queries$genre, n_queries(x))
  genres <- c(genre, query_genre)
  list(query = x$pool$query, genre = code(genre, genres)[x$pool$doc],
       artist = code(text(x$documents$artist, nrow(x$documents)))[x$pool$doc],
       query_genre = code(query_genre, genres)[x$pool$query])
}

# By pair of the pool, the features that output_features() describes; `aRANK` is empty if there are no ranks.
pair_features <- function(x, labels = pool_labels(x)) {
  teams <- unique(x$systems$team)
  output_features_cpp(x$results, match(x$systems$team, teams), length(teams), x$results$rank %||% integer(), labels)
}

# Whether systems are scored by the ratings of their answers to questions; if a system gives several answers to a
# question, by their mean.
gives_ratings <- function(x) {
  m <- x$scoring$measure
  if (is.null(m)) x$k == 1 else identical(m$name, "AG") && identical(m$label, "rating")
}

# Which queries have answers. A judged query that no system answers is in the collection, but has no pairs.
answered_queries <- function(x) seq_len(n_queries(x)) %in% x$pool$query

# The collection without queries that no system answers, because runs that are added may answer them.
without_unanswered <- function(x) {
  x$queries <- x$queries[answered_queries(x), , drop = FALSE]
  x
}

# The number of lists that have each pair, which is the weight of the pair when documents are drawn at random.
audit_weight <- function(x) diff(x$results$offset)

# The position in the pool of each query and document; NA if the pair is not in the pool.
find_pairs <- function(x, query, doc) {
  match_pairs_cpp(x$pool$query, x$pool$doc,
                  match(query, x$queries$query, nomatch = 0L), match(doc, x$documents$doc, nomatch = 0L))
}

is_weighted <- function(x) !is.null(x$queries$weight)

# The share of each query in a mean over all of them; NULL if the weights are equal. Weights are divided by the largest
# one first, because the sum of large weights would overflow.
query_share <- function(x) {
  weight <- x$queries$weight
  if (is.null(weight)) return(NULL)
  weight <- weight / max(weight)
  weight / sum(weight)
}

# Factors for the scores of queries, such that the mean of the products is the weighted mean; their own mean is 1.
query_multiplier <- function(x) if (is_weighted(x)) query_share(x) * n_queries(x) else rep(1, n_queries(x))

# Converts the contribution of each result to the score of its list to its contribution to the system's mean over
# queries.
over_queries <- function(x, weight) {
  if (!is_weighted(x)) return(weight / n_queries(x))
  weight * query_share(x)[x$pool$query[result_pair(x)]]
}

# The number of the list of each result. Lists are numbered by system, and within systems by query.
result_list <- function(x) {
  count_lists(x)
  x$pool$query[result_pair(x)] + n_queries(x) * (x$results$system - 1L)
}

# The number of lists, one for each system and query, which must fit in an integer.
count_lists <- function(x) {
  n <- as.numeric(n_queries(x)) * n_systems(x)
  abort_unless(n <= .Machine$integer.max, c(
    "{format_count(n_systems(x))} systems and {format_count(n_queries(x))} queries make {format_count(n)} lists, more
      than the {format_count(.Machine$integer.max)} that can be numbered.",
    i = "Take fewer systems or queries at a time."
  ), "size", systems = n_systems(x), queries = n_queries(x))
  as.integer(n)
}

# The position of each result in its list, in arbitrary order if there are no ranks.
result_position <- function(x) {
  list_code <- result_list(x)
  number_in_lists(list_code, if (is.null(x$results$rank)) order(list_code) else order(list_code, x$results$rank))
}

# The position of each result in its list. `sorted`: the indices of the results, list by list and in order within lists.
number_in_lists <- function(list_code, sorted) {
  replace(integer(length(list_code)), sorted, sequence(rle(list_code[sorted])$lengths))
}

counts_in_means <- function(x) if (is_weighted(x)) x$queries$weight > 0 else rep(TRUE, n_queries(x))

queries_in_means <- function(x) sum(counts_in_means(x))

# The number of pairs whose queries count in means. `pairs`: which pairs to count, by default all.
count_pairs <- function(x, pairs = rep(TRUE, n_pairs(x))) {
  if (is_weighted(x)) sum(pairs & counts_in_means(x)[x$pool$query]) else sum(pairs)
}

check_query_weights <- function(queries, arg = "queries") {
  weight <- queries$weight
  if (is.null(weight)) return(queries)
  check_numeric_column(queries, "weight", arg)
  bad <- which(!is.finite(weight) | weight <= 0)
  check_that(!length(bad), arg, c(
    "Column {.val weight} of {.arg {arg}} must hold a positive number for every query of the runs.",
    x = "Query {.val {queries$query[bad[1]]}} has {weight[bad[1]]}.",
    i = "To ignore a query, leave it out of the runs."
  ), kind = "columns", columns = "weight", queries = queries$query[bad])
  queries$weight <- as.numeric(weight)
  queries
}

# Raises an error if queries have weights, for functions that require equal weights.
refuse_weights <- function(x, subject, advice) {
  abort_unless(!is_weighted(x), c("{subject} not defined for queries with weights.", i = advice), "weights")
}

#' Group the queries of a collection by a column
#'
#' @return For each stratum, in the order of the levels, the indices of its queries.
#' @noRd
queries_by_stratum <- function(x, by, arg = "by") {
  check_string(by, arg)
  available <- setdiff(names(x$queries), c("query", "weight"))
  check_that(by %in% available, arg, c(
    "must name a column of the collection's queries; they have none called {.val {by}}.",
    i = if (length(available)) "Their columns are {.val {available}}."
        else paste0("It must be a column of {.arg queries}", hint(" in {.fn test_collection}"), ".")
  ), kind = "columns", columns = by)
  value <- x$queries[[by]]
  check_that(is.atomic(value), arg, "must name a column of single values; {.val {by}} is {.obj_type_friendly {value}}.")
  unknown <- which(is.na(value) & answered_queries(x))
  check_that(!length(unknown), arg, c(
    "{format_count(length(unknown))} {cli::qty(length(unknown))}quer{?y/ies} {?has/have} no {.val {by}}, so that
      {?it is/they are} in no stratum.",
    x = "The first is {.val {x$queries$query[unknown[1]]}}.",
    i = "Give these queries a value of their own, such as {.val unknown}."
  ), kind = "missing_stratum", queries = x$queries$query[unknown])
  split(seq_along(value), text_factor(value))
}
