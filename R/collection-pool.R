# The basic parts of a collection: its sizes, its pool of query-document pairs with their features, the weights of its
# queries, and its scoring.

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
  genre <- text(x$documents[["genre"]], nrow(x$documents))
  query_genre <- text(x$queries[["genre"]], n_queries(x))
  genres <- c(genre, query_genre)
  list(query = x$pool$query, genre = code(genre, genres)[x$pool$doc],
       artist = code(text(x$documents[["artist"]], nrow(x$documents)))[x$pool$doc],
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

# What messages, reports and the page call the queries and what is judged.
nouns_of_documents <- c(query = "query", doc = "document")
nouns_of_answers <- c(query = "question", doc = "answer")

nouns_of <- function(x) if (gives_ratings(x)) nouns_of_answers else nouns_of_documents

# Replaces the words "query" and "document" in a text of the package, without names of the user, by `nouns`.
in_words_of <- function(nouns, text) {
  if (!identical(nouns[["doc"]], "answer") || !length(text)) return(text)
  replaced <- c("query-document pair" = "distinct answer", "\\ba document" = "an answer", document = "answer",
                Document = "Answer", querie = "question", Querie = "Question", query = "question", Query = "Question")
  for (word in names(replaced)) text <- gsub(word, replaced[[word]], text)
  text
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

# The degree to which systems share no documents: 1 if no document is retrieved by two systems, and 0 if, as the mean
# over results, a document is retrieved by 1.5 systems or more. `x`: a collection or a pool. Where it matters whether
# documents are shared more or less than others, the pairs that do not `differ` count as unshared.
lack_of_overlap <- function(x, differ = TRUE) {
  count <- diff(x$results$offset)
  max(0, 3 - 2 * sum(count * replace(count, !differ, 1)) / sum(count))
}

# The rows of `results` that belong to some pairs, grouped by pair: their indices (`at`), and where each pair begins
# among them (`offset`).
results_of_pairs <- function(results, pairs) {
  first <- results$offset[pairs]
  count <- results$offset[pairs + 1L] - first
  list(at = sequence(count, from = first + 1L), offset = c(0L, cumsum(count)))
}

# The position in the pool of each query and document; NA if the pair is not in the pool.
find_pairs <- function(x, query, doc) {
  match_pairs_cpp(x$pool$query, x$pool$doc,
                  match(query, x$queries$query, nomatch = 0L), match(doc, x$documents$doc, nomatch = 0L))
}

is_weighted <- function(x) !is.null(x$queries[["weight"]])

# The share of each query in a mean over all of them; NULL if the weights are equal. Weights are divided by the largest
# one first, because the sum of large weights would overflow.
query_share <- function(x) {
  weight <- x$queries[["weight"]]
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

# The number of the list of each result. Lists are numbered by system, and within systems by query. The number of all
# lists, one for each system and query, must fit in an integer.
result_list <- function(x) {
  n <- as.numeric(n_queries(x)) * n_systems(x)
  abort_unless(n <= .Machine$integer.max, c(
    "{format_count(n_systems(x))} systems and {format_count(n_queries(x))} queries make {format_count(n)} lists, more
      than the {format_count(.Machine$integer.max)} that can be numbered.",
    i = "Take fewer systems or queries at a time."
  ), "size", systems = n_systems(x), queries = n_queries(x))
  x$pool$query[result_pair(x)] + n_queries(x) * (x$results$system - 1L)
}

# The number of results in each list: a row for each query, a column for each system.
list_sizes <- function(x, list_code = result_list(x)) {
  matrix(tabulate(list_code, n_queries(x) * n_systems(x)), n_queries(x))
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

check_query_weights <- function(queries) {
  weight <- queries[["weight"]]
  if (is.null(weight)) return(queries)
  check_numeric_column(queries, "weight", "queries")
  bad <- which(!is.finite(weight) | weight <= 0)
  check_that(!length(bad), "queries", c(
    "Column {.val weight} of {.arg queries} must hold a positive number for every query of the runs.",
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
  unknown <- which((is.na(value) | value %in% "") & answered_queries(x))
  check_that(!length(unknown), arg, c(
    "{format_count(length(unknown))} {cli::qty(length(unknown))}quer{?y/ies} {?has/have} no {.val {by}}, so that
      {cli::qty(length(unknown))}{?it is/they are} in no stratum.",
    x = "The first is {.val {x$queries$query[unknown[1]]}}.",
    i = "Give these queries a value of their own, such as {.val unknown}."
  ), kind = "missing_stratum", queries = x$queries$query[unknown])
  split(seq_along(value), text_factor(value))
}

# The scoring of a collection: its measure, with the transformation of gains and the weights of results that follow from
# it.

#' State how the effectiveness of the systems of a collection is computed
#'
#' @param measure The measure, or NULL for the mean gain at the collection's cutoff.
#' @param weight If effectiveness is a sum over documents, the amount that a gain of 1 of each result adds to it; NULL
#'   for 1 / (k |Q|), and if effectiveness is not a sum.
#' @param transform The measure that transforms the gains before they are summed; NULL if it does not transform them.
#' @return A `judicious_scoring`: the three arguments, and `span`, the width of the range of the effectiveness, from
#'   which gain_resolution() derives the size of rounding errors.
#' @noRd
new_scoring <- function(x, measure = NULL, weight = NULL, transform = NULL) {
  if (is.null(measure) && is_weighted(x)) weight <- over_queries(x, rep(1 / x$k, n_results(x)))
  scoring <- structure(list(measure = measure, weight = weight, transform = transform), class = "judicious_scoring")
  width <- diff(gain_range(replace(x, "scoring", list(scoring))))
  scoring$span <- if (is.null(measure)) {
    width
  } else if (all(is.finite(measure$range))) {
    diff(measure$range)
  } else {
    # The range of a list's score, from all gains lowest to all gains highest, if the scores are sums with these
    # weights.
    width * if (is.null(weight)) 1 else max(rowsum(weight / over_queries(x, rep(1, n_results(x))), result_list(x)))
  }
  scoring
}

#' @export
format.judicious_scoring <- function(x, ...) {
  name <- if (is.null(x$measure)) "mean gain" else x$measure$name
  summed <- if (!is.null(x$transform)) "transformed gains" else "gains"
  paste0(name, if (is_sum(list(scoring = x))) paste0(", a sum over documents of ", summed), ", span ", format(x$span))
}

#' @export
print.judicious_scoring <- function(x, ...) print_line(x, "<scoring> ", format(x))

# The collection with scores by `measure`; NULL leaves it as it is.
with_measure <- function(x, measure) {
  if (is.null(measure)) return(x)
  m <- measures_of(measure, "measure")
  check_that(length(m) == 1, "measure", "must be one measure, not {length(m)}.", kind = "measure")
  m <- m[[1]]
  # The expectation of such a measure over random gains is not defined.
  check_that(!isTRUE(m$args$judged_only), "measure", c(
    "A ranking of systems whose judgments are not complete is not defined for {.val {m$name}}.",
    i = "Leave its parameter {.field judged_only} out."
  ), kind = "measure", measure = m$name)
  check_that(m$direction == "higher", "measure", "Systems cannot be ranked by {.val {m$name}}: a higher value of it is
    not better.", kind = "measure")
  list_code <- result_list(x)
  retrieved <- as.vector(list_sizes(x, list_code))
  refuse_unfit_measures(x, list(ranked = !is.null(x$results$rank), retrieved = retrieved), list(m))
  note_equal_relevance(x, list(m), abort_judicious)
  if (!m$linear) {
    x$scoring <- new_scoring(x, m)
    return(x)
  }
  gain_levels <- x$scale$levels
  transformed <- transform_by_measure(m, gain_levels)
  weight <- over_queries(x, rank_weights(m, gain_levels, result_position(x), retrieved[list_code]))
  check_that(all(is.finite(transformed)) && diff(range(transformed)) != 0 && !anyNA(weight), "measure",
             "{.val {m$name}} is the same for all gains of the scale {format(x$scale)}.", kind = "measure")
  x$scoring <- new_scoring(x, m, weight, if (!identical(transformed, as.numeric(gain_levels))) m)
  x
}

collection_measure <- function(x) x$scoring$measure %||% measure("AG", x$k)

# Whether the scores of systems are sums over documents.
is_sum <- function(x) is.null(x$scoring$measure) || !is.null(x$scoring$weight)

# The collection of systems that give up to `k` answers to a question, without an order.
with_repeats <- function(x, k) {
  x$results$rank <- NULL
  x$k <- as.integer(k)
  with_measure(x, c(rating = "AG"))
}

# Gains after the transformation by the measure, such as 2^gain - 1.
transformed_gain <- function(x, gain) {
  m <- x$scoring$transform
  if (is.null(m)) return(gain)
  gain_levels <- sort(unique(c(x$scale$levels, gain[!is.na(gain)])))
  transform_by_measure(m, gain_levels)[match(gain, gain_levels)]
}

# The lowest and the highest gain, transformed.
gain_range <- function(x) range(transformed_gain(x, x$scale$levels))

# Gains, transformed and rescaled to 0 (lowest) to 1 (highest).
unit_gain <- function(x, gain) {
  ends <- gain_range(x)
  (transformed_gain(x, gain) - ends[1]) / diff(ends)
}

# Label of the measure in print, such as "mean AG@5".
measure_label <- function(x) {
  m <- collection_measure(x)
  # If systems give one answer per question, "rating" is easier to understand than "AG@1".
  name <- if (gives_ratings(x)) "rating" else m$label
  total <- c(mean = "mean ", geometric = "geometric mean ", sum = "total ", none = "")[[m$total]]
  weighted <- is_weighted(x) && length(unique(x$queries$weight[counts_in_means(x)])) > 1
  paste0(if (weighted) "weighted ", total, name, if (is.na(m$cutoff) && isTRUE(x$cut)) cut_suffix(m, x$k))
}

# The suffix of the label of a measure that has no cutoff, if the lists were cut at `k`: the cutoff, as in "AP@10", or "
# of the top k" if the measure cannot have a cutoff or its cutoff would also cut the ideal list.
cut_suffix <- function(m, k) {
  has_cutoff <- isTRUE(measure_registry[[m$base]]$cutoff) && !m$base %in% cut_with_ideal
  paste0(if (has_cutoff) "@" else " of the top ", format_number(k))
}

cut_with_ideal <- c("nDCG", "IDCG", "ADR", "infNDCG", "NERR8", "NERR9", "SDCG", "alpha_nDCG", "nERR_IA")

# Lowest and highest possible score, for any queries. A missing answer, or a missing document of a short list, adds 0.
score_range <- function(x) {
  declared <- collection_measure(x)$range
  if (all(is.finite(declared)) || !is_sum(x)) return(declared)
  ends <- gain_range(x)
  lists <- if (gives_ratings(x)) length(unique(result_list(x))) else n_results(x) / x$k
  range(if (lists < n_systems(x) * n_queries(x)) 0, ends * x$scoring$span / diff(ends))
}

# Raises an error if measures need ranks, more results than the lists have, or subtopics that are not known.
refuse_unfit_measures <- function(x, lists, measures) {
  if (!lists$ranked) {
    need_ranks <- Filter(function(m) m$needs_ranks, measures)
    abort_unless(!length(need_ranks), c(
      "{.val {need_ranks[[1]]$name}} needs the order of the results, and the runs have neither ranks nor scores.",
      i = "Measures of sets, such as {.val AG@5} or {.val P@5}, do not need it."
    ), "needs_ranks", measures = as.character(need_ranks))
    short <- Filter(function(m) !is.na(m$cutoff) && m$cutoff < max(lists$retrieved), measures)
    abort_unless(!length(short), c(
      "{.val {short[[1]]$name}} cuts lists of {max(lists$retrieved)} results.",
      x = "They have neither ranks nor scores to cut them by."
    ), "needs_ranks", measures = as.character(short))
  }
  if (inherits(x, "judicious_collection")) {
    check_subtopics(measures, lists$judgments$details)
    deeper <- Filter(function(m) !is.na(m$cutoff) && m$cutoff > x$k, measures)
    abort_unless(!length(deeper), c(
      "{.val {deeper[[1]]$name}} needs more results than the collection has, which is the top {x$k}.",
      i = "If the runs have more, make the collection with a larger {.arg k}, or call {.fn evaluate} with the runs."
    ), "cutoff", measures = as.character(deeper))
  }
}

is_binary <- function(m) !is.null(m$args$rel) && identical(m$args$gain %||% "binary", "binary")

# Reports, by `report`, a measure for which all gains of the scale are relevant, or none: on a scale from 1 to 5, "RR"
# is 1 for every list.
note_equal_relevance <- function(x, measures, report) {
  levels <- x$scale$levels
  equal <- Filter(function(m) is_binary(m) && length(unique(levels >= m$args$rel)) == 1, unclass(measures))
  if (!length(equal)) return(invisible())
  m <- equal[[1]]
  share <- if (levels[1] >= m$args$rel) "Every" else "No"
  m$args$rel <- levels[ceiling(0.7 * length(levels))]
  report(c(
    "{share} gain of the scale, from {levels[1]} to {max(levels)}, is relevant for {.val {m$name}}.",
    i = "State the lowest relevant gain, as in {.val {build_measure(m$base, m$args, m$cutoff)$name}}."
  ), "measure", measure = m$name)
}

# AG@k is a sum of gains divided by k, and its mean over queries divides by their number, too.
gain_divisor <- function(x) x$k * n_queries(x)

# Scores that differ by at most this are equal up to rounding error.
gain_resolution <- function(x) 1e-12 * if (is.null(x$scoring$measure)) max(abs(x$scale$levels)) else x$scoring$span

# The increase of a system's mean score by a gain of 1 of each result.
result_weight <- function(x) x$scoring$weight %||% rep(1 / gain_divisor(x), n_results(x))

system_totals <- function(x, value) system_totals_cpp(x$results, n_systems(x), value)

# Unchecked constructor. Systems are scored by the mean gain at `k`, until with_measure() sets another measure.
new_collection <- function(systems, queries, documents, pool, results, k, scale,
                           gain = rep(NA_real_, length(pool$query))) {
  x <- structure(list(
    systems = systems, queries = queries, documents = documents, pool = pool, results = results, gain = gain, k = k,
    scale = scale
  ), class = "judicious_collection")
  x$scoring <- new_scoring(x)
  x
}
