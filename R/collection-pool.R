# A collection in memory: its sizes, its pool of query-document pairs, and the weights of its queries.

n_pairs <- function(x) length(x$pool$query)

n_systems <- function(x) nrow(x$systems)

n_queries <- function(x) nrow(x$queries)

n_results <- function(x) length(x$results$system)

# By system, the mean of a value of pairs over the results of the system.
system_means <- function(x, v) mean_over_pairs_cpp(x$results, n_systems(x), v)

# The pool with its identifiers, one row per pair.
pool_ids <- function(x) data.frame(query = x$queries$query[x$pool$query], doc = x$documents$doc[x$pool$doc])

# The index of the pair of each result, in the order of x$results.
result_pair <- function(x) rep.int(seq_len(n_pairs(x)), diff(x$results$offset))

# Queries that no system answers, but for which there are judgments, are in the collection without pairs.
answered_queries <- function(x) seq_len(n_queries(x)) %in% x$pool$query

# The collection without them, which may be answered by runs that are added.
without_unanswered <- function(x) {
  x$queries <- x$queries[answered_queries(x), , drop = FALSE]
  x
}

# Of each pair, the number of lists that have it: the weights with which documents are drawn at random.
audit_weight <- function(x) diff(x$results$offset)

# The position in the pool of each query and document; NA if the pair is not in the pool.
find_pairs <- function(x, query, doc) {
  match_pairs_cpp(x$pool$query, x$pool$doc,
                  match(query, x$queries$query, nomatch = 0L), match(doc, x$documents$doc, nomatch = 0L))
}

is_weighted <- function(x) !is.null(x$queries$weight)

# The share of each query in a mean over all of them; NULL if the weights are equal. The sum of large weights would
# overflow.
query_share <- function(x) {
  weight <- x$queries$weight
  if (is.null(weight)) return(NULL)
  weight <- weight / max(weight)
  weight / sum(weight)
}

# Factors for the queries' scores, 1 on average, such that the plain mean of the products is the weighted mean.
query_multiplier <- function(x) if (is_weighted(x)) query_share(x) * n_queries(x) else rep(1, n_queries(x))

# Converts the contribution of each result to the score of its list into that to its system's mean over queries.
over_queries <- function(x, weight) {
  if (!is_weighted(x)) return(weight / n_queries(x))
  weight * query_share(x)[x$pool$query[result_pair(x)]]
}

# Unchecked constructor. `measure` scores the systems; NULL is the mean gain at `k`. If scores are sums, `weight` has
# the weight of each result (NULL for the mean gain with equal weights of the queries). `span` is the width of the range
# of the scores, which determines when two scores are equal up to rounding error.
new_collection <- function(systems, queries, documents, pool, results, k, scale,
                           gain = rep(NA_real_, length(pool$query)), measure = NULL, weight = NULL,
                           span = diff(range(scale$levels))) {
  x <- structure(list(
    systems = systems, queries = queries, documents = documents, pool = pool, results = results, gain = gain, k = k,
    scale = scale, measure = measure, weight = weight, span = span
  ), class = "judicious_collection")
  if (is.null(measure) && is_weighted(x)) x$weight <- over_queries(x, rep(1 / k, n_results(x)))
  x
}

# What a collection may have besides the fields of its constructor: judgments outside the pool, grades, the judgments of
# several assessors, and TRUE if its lists were cut at `k`.
further_parts <- c("outside", "grades", "assessed", "cut")

with_further_parts <- function(y, x) {
  kept <- intersect(further_parts, names(x))
  y[kept] <- unclass(x)[kept]
  y
}
