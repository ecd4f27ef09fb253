# Checks judgments and assigns them to the pairs of the pool of a collection.

#' Assign judgments to pairs
#'
#' @return A list with the `gain` of each pair of the pool, NA for pairs without judgment, and the judgments `outside`
#'   the pool, which count in ideal lists and numbers of relevant documents.
#' @noRd
assign_judgments <- function(x, judgments, arg = "judgments", combine = NULL) {
  judgments <- as_judgments(judgments, arg)
  # If a session has several judgments of a pair, keeps the final or the first one, so that gains are levels of the
  # scale.
  if (is.data.frame(judgments) && is.logical(judgments[["overlap"]])) judgments <- judgments[!judgments$overlap, ]
  if (!is.null(combine)) judgments <- combine_assessors(judgments, combine, x$scale, arg)
  judgments <- check_judgments(judgments, x$scale, arg)
  pair <- find_pairs(x, judgments$query, judgments$doc)
  if (anyNA(pair)) warn_outside_pool(judgments, is.na(pair), arg, x)
  gain <- rep(NA_real_, n_pairs(x))
  gain[pair[!is.na(pair)]] <- judgments$gain[!is.na(pair)]
  list(gain = gain, outside = outside_judgments(x, judgments))
}

# The judgments that are outside the pool: `query`, `doc` and `gain`, or NULL if there are none. If a document has
# several judgments, their median, or the lower of the two middle gains. If queries have weights, queries that no system
# answers have none, and their judgments are left out.
outside_judgments <- function(x, judgments) {
  query <- id_text(judgments$query)
  doc <- id_text(judgments$doc)
  outside <- which(is.na(find_pairs(x, query, doc)) & (!is_weighted(x) | query %in% x$queries$query))
  if (!length(outside)) return(NULL)
  found <- data.frame(query = query, doc = doc, gain = as.numeric(judgments$gain))[outside, ]
  without_row_names(combined_by_pair(found, "median"))
}

# The collection with those of the `judgments` that are outside the pool. NULL leaves the collection as it is, and FALSE
# removes its judgments outside the pool.
with_outside <- function(x, judgments) {
  if (isFALSE(judgments)) {
    x["outside"] <- list(NULL)
    return(if (all(answered_queries(x))) x else with_measure(without_unanswered(x), x$scoring$measure))
  }
  if (inherits(judgments, c("judicious_session", "judicious_collection"))) {
    return(join_outside(x, judged_collection(judgments)$outside))
  }
  if (!is.data.frame(judgments) || !all(c("query", "doc", "gain") %in% names(judgments))) return(x)
  if (!is.numeric(judgments$gain) || anyNA(judgments[c("query", "doc", "gain")])) return(x)
  join_outside(x, outside_judgments(x, judgments))
}

join_outside <- function(x, outside) {
  if (is.null(outside)) return(x)
  is_excluded <- !is.na(find_pairs(x, outside$query, outside$doc)) |
    is_weighted(x) & !outside$query %in% x$queries$query
  kept <- if (!is.null(x$outside)) x$outside[is.na(match_ids(outside, x$outside)), ]
  outside <- without_row_names(rbind(kept, outside[!is_excluded, ]))
  x["outside"] <- list(if (nrow(outside)) outside)
  with_unanswered(x)
}

# Adds judged queries that no system answers, as queries without results after the others. They count 0 for every
# system, as in evaluate().
with_unanswered <- function(x) {
  ids <- setdiff(x$outside$query, x$queries$query)
  if (!length(ids)) return(x)
  x$queries[nrow(x$queries) + seq_along(ids), "query"] <- ids
  rownames(x$queries) <- NULL
  with_measure(x, x$scoring$measure)
}

# After the pool has grown, moves judgments from outside the pool to the pairs that are now in it.
move_into_pool <- function(x) {
  if (is.null(x$outside)) return(x)
  pair <- find_pairs(x, x$outside$query, x$outside$doc)
  x$gain[pair[!is.na(pair)]] <- x$outside$gain[!is.na(pair)]
  x["outside"] <- list(if (anyNA(pair)) without_row_names(x$outside[is.na(pair), ]))
  with_unanswered(x)
}

# By query, the gains of judgments outside the pool. Negative gains mark documents as not judged, so they are left out.
outside_gains <- function(x) {
  if (is.null(x$outside)) return(rep(list(numeric()), n_queries(x)))
  judged <- which(x$outside$gain >= 0)
  unname(split(x$outside$gain[judged], factor(x$outside$query[judged], x$queries$query)))
}

# Converts judgments of files, a session or a collection to a data frame; other values are returned unchanged.
as_judgments <- function(judgments, arg = "judgments") {
  if (inherits(judgments, c("judicious_session", "judicious_collection"))) return(judgments_of(judgments))
  sourced_judgments(judgments, arg)
}

# The same, except that a session and a collection are returned unchanged. `keep`: as for judgments_from_path().
sourced_judgments <- function(judgments, arg = "judgments", keep = NULL) {
  if (is_source(judgments)) return(judgments_from_path(judgments, arg, keep = keep))
  with_known_names(judgments, "judgments", c("query", "doc", "gain"))
}

# Whether some pairs are judged by several assessors.
is_judged_again <- function(judgments) {
  is.data.frame(judgments) && !is.null(judgments[["assessor"]]) && all(c("query", "doc") %in% names(judgments)) &&
    anyDuplicated(judgments[c("query", "doc")]) > 0
}

# Checks that columns, identifiers and gains are valid and that no pair is judged twice.
check_judgments <- function(judgments, scale, arg) {
  judgments <- check_columns(judgments, c("query", "doc", "gain"), arg)
  judgments <- check_id_columns(judgments, c("query", "doc"), arg)
  judgments$gain <- check_gains(judgments$gain, scale, judgments$query, judgments$doc, arg)
  drop_repeated_judgments(judgments, arg)
}

# Drops judgments that repeat an equal one, with a warning; contradictory ones raise an error. `first`: for each row,
# the first row that judges the same pair.
drop_repeated_judgments <- function(judgments, arg, first = combination_code(judgments$query, judgments$doc)) {
  repeated <- which(first != seq_along(first))
  if (!length(repeated)) return(judgments)
  differ <- repeated[judgments$gain[repeated] != judgments$gain[first[repeated]]]
  i <- differ[1]
  abort_unless(!length(differ), c(
    "{.arg {arg}} gives contradictory gains for {format_count(length(differ))} {cli::qty(length(differ))}pair{?s}.",
    x = "Query {.val {judgments$query[i]}}, document {.val {judgments$doc[i]}}: {judgments$gain[first[i]]} in row
      {first[i]}, {judgments$gain[i]} in row {i}.",
    i = "Leave one of them out.",
    i = hint("If they are by several assessors, a column {.field assessor} names them: {.fn rank_systems} and
      {.fn judging_session} take all, and {.code combine = \"median\"} of {.fn test_collection} and {.fn evaluate}
      reduces them to one per document.",
      "If they are by several assessors, a column assessor names them: rank, plan, next and judge take all, and
      evaluate and compare combine them with --combine median.")
  ), "contradictory_judgments", argument = arg, rows = differ)
  warn_judicious("{format_count(length(repeated))} {cli::qty(length(repeated))}judgment{?s} of {.arg {arg}}
    {cli::qty(length(repeated))}repeat{?s/} an earlier, equal one.",
                 "duplicate_judgment", n = length(repeated))
  judgments[-repeated, , drop = FALSE]
}

# Checks judgments with a column `assessor`, and that no assessor judged a pair twice.
check_assessors <- function(judgments, scale, arg) {
  judgments <- check_columns(judgments, c("query", "doc", "gain", "assessor"), arg)
  judgments$assessor <- check_ids(judgments$assessor, "assessor", arg)
  if (!is.null(scale)) judgments$gain <- check_gains(judgments$gain, scale, judgments$query, judgments$doc, arg)
  final <- judgments[["final"]] %||% rep(FALSE, nrow(judgments))
  key <- text_key(judgments$query, judgments$doc, judgments$assessor, final)
  drop_repeated_judgments(judgments, arg, match(key, key))
}

# Combines the judgments of several assessors to one judgment per pair, in order of first appearance. `scale`: NULL if
# gains may have any value.
combine_assessors <- function(judgments, combine, scale, arg) {
  combined <- combined_by_pair(check_assessors(judgments, scale, arg), combine)
  check_that(combine != "mean" || is.null(scale) || all(in_scale(scale, combined$gain)), "combine", c(
    "The mean of several assessors is not always a level of the scale ({format(scale)}).",
    i = "Use {.code combine = \"median\"} or {.code \"majority\"}; or keep the judgments of all assessors, by leaving
      them out here and passing them to {.fn rank_systems} as {.arg judgments}."
  ))
  combined
}

combined_by_pair <- function(judgments, combine) {
  gain <- vapply(split(judgments$gain, combination_code(judgments$query, judgments$doc)), combined_gain, 0, combine)
  data.frame(judgments[as.integer(names(gain)), c("query", "doc")], gain = unname(gain))
}

# If there are two middle gains, or several equally frequent gains, the lowest of them is used, so that the result is on
# the scale.
combined_gain <- function(gain, combine) {
  switch(combine,
    mean = mean(gain),
    median = sort(gain)[ceiling(length(gain) / 2)],
    majority = {
      values <- sort(unique(gain))
      values[which.max(tabulate(match(gain, values)))]
    }
  )
}

# For each row of `data`, the row of `table` with the same query and document, or NA.
match_ids <- function(table, data) {
  queries <- unique(table$query)
  docs <- unique(table$doc)
  match_pairs_cpp(match(table$query, queries), match(table$doc, docs),
                  match(id_text(data$query), queries, nomatch = 0L), match(id_text(data$doc), docs, nomatch = 0L))
}

# Lines of a message about queries of judgments that are not among those of the runs, or NULL.
outside_query_hint <- function(queries, judged, all_outside) {
  if (!is.null(queries) && !is.null(id_difference(queries, judged))) return(unequal_ids_text(queries, judged, "query"))
  if (all_outside) c(i = "Do their {.val query} and {.val doc} have the identifiers of the runs?")
}

# Warns about judgments outside the pool. `x`: the collection, if it keeps such judgments; NULL if they are dropped.
warn_outside_pool <- function(judgments, outside, arg, x = NULL) {
  keeps_outside <- !is.null(x)
  queries <- if (keeps_outside) x$queries$query[answered_queries(x)]
  foreign <- if (keeps_outside) sum(!judgments$query %in% queries) else 0
  depth <- if (keeps_outside) range(tabulate(match(judgments$query, queries), length(queries))) else c(0, 0)
  i <- which(outside)[1]
  warn_judicious(c(
    "{format_count(sum(outside))} of {format_count(length(outside))} {cli::qty(length(outside))}judgment{?s} in
      {.arg {arg}} {cli::qty(sum(outside))}{?is/are} outside the pool{if (keeps_outside) '' else ' and left out'}.",
    x = "The first is query {.val {judgments$query[i]}}, document {.val {judgments$doc[i]}}, in row {i}.",
    x = if (foreign) paste("{format_count(foreign)} {cli::qty(foreign)}{?is/are} of queries without results, which",
                           if (is_weighted(x)) "have no weight and are left out." else "count 0 for every system."),
    outside_query_hint(if (foreign) queries, unique(judgments$query), all(outside)),
    i = if (keeps_outside && foreign < sum(outside))
      "{cli::qty(sum(outside) - foreign)}{?It counts/They count} in ideal lists and numbers of relevant documents (AP,
        nDCG, recall, R-precision).",
    i = if (depth[2] > 10 * max(depth[1], 1)) "The depth of judging differs: queries have from {format_count(depth[1])}
      to {format_count(depth[2])} judgments."
  ), "outside_pool", n = sum(outside))
}

# The collection with these judgments. Judgments outside the pool are added to those that it already has.
add_judgments <- function(x, judgments, combine = NULL) {
  assigned <- assign_judgments(x, judgments, combine = combine)
  x$gain <- assigned$gain
  x$assessed <- NULL
  join_outside(x, assigned$outside)
}

# Returns the collection of `x`; if `x` is a session, with its judgments.
judged_collection <- function(x, arg = "x") UseMethod("judged_collection")

#' @export
judged_collection.default <- function(x, arg = "x") {
  check_class(x, "judicious_collection", arg, c("test_collection", "judging_session"))
}

#' @export
judged_collection.judicious_collection <- function(x, arg = "x") x

# The gain of every pair according to `judgments`: a data frame or another source, FALSE for none, or NULL for the
# judgments of the collection. The judgments of several assessors, in the `record`, are combined.
gains_by_judgments <- function(x, judgments, arg = "judgments",
                               record = assessor_record(x, judgments, arg),
                               combined = combined_judgments(record, n_pairs(x), x$scale)) {
  if (is.null(judgments)) return(x$gain)
  if (isFALSE(judgments)) return(rep(NA_real_, n_pairs(x)))
  judgments <- as_judgments(judgments, arg)
  if (is_judged_again(judgments)) {
    outside <- is.na(find_pairs(x, judgments$query, judgments$doc))
    if (any(outside)) warn_outside_pool(judgments, outside, arg, x)
    return(combined$gain)
  }
  gain <- assign_judgments(x, judgments, arg)$gain
  warn_other_scale(gain, x$scale)
  gain
}

# The gain of every pair of the pool, which is needed to compute the accuracy of a ranking; by default, from the
# judgments of the collection.
complete_truth <- function(x, truth) {
  gain <- gains_by_judgments(x, truth, "truth")
  lacking <- sum(is.na(gain))
  if (!lacking) return(gain)
  first <- pool_ids(x)[which(is.na(gain))[1], ]
  abort_judicious(c(
    "The true ranking is not known: {format_count(lacking)} of the {format_count(length(gain))} pairs of the pool
      {cli::qty(lacking)}{?is/are} not judged.",
    x = "The first is query {.val {first$query}}, document {.val {first$doc}}.",
    i = "{.arg truth} must have the gain of every pair."
  ), "incomplete_judgments", argument = "truth", missing = lacking)
}

# The collection with the combined judgments of all assessors, in the pool and outside, as in rank_systems().
with_combined_judgments <- function(x, judgments) {
  x$gain <- gains_by_judgments(x, judgments)
  with_outside(x, judgments)
}

# For functions that continue judging: the collection with the judgments to start from. An error if no pair is left.
collection_to_judge <- function(x, judgments) {
  x <- with_combined_judgments(x, sourced_judgments(judgments))
  abort_unless(anyNA(x$gain), c(
    "Every pair of the pool is judged, so that nothing is left to judge.",
    i = hint("Simulations leave the judgments out: {.code judgments = FALSE}.",
             "Plans and simulations need pairs without judgments: leave --judgments, or the ratings of answers, out.")
  ), "nothing_to_judge", argument = "judgments")
  x
}

#' Extract the judgments of a collection or a session
#'
#' Returns the judgments as a data frame, to save them or pass them to another function.
#'
#' @param x A [test_collection()], or a session by [judging_session()].
#' @return A data frame with columns `query`, `doc` and `gain`, as functions with an argument `judgments` accept it; no
#'   rows if nothing is judged. A collection has one row per judged pair, in pool order, and then those of documents
#'   outside the pool. A session has one row per judgment that was not undone, in their order (a final judgment takes
#'   the place of the first judgment of its document), with the further columns
#'   - `assessor`, `time`, and `seconds` (how long it took; NA if unknown);
#'   - `audit`: whether the document was selected at random; NA if the session did not select it;
#'   - `overlap`: FALSE for one judgment of each document, the final or else the first one, and TRUE for the others;
#'   - `mean`, `sd`: the gain as predicted just before the judgment (NA for a second judgment);
#'   - `comment` (or NA) and `flag`, which the assessor left on the document in [judge_app()];
#'   - `final`: whether this is the final judgment of a lead.
#' @examples
#' x <- simulate_collection(queries = 3, documents = 100, artists = 20, systems = 4, seed = 1)
#' head(judgments_of(x))
#' @export
judgments_of <- function(x) UseMethod("judgments_of")

#' @export
judgments_of.default <- function(x) check_class(x, "judicious_collection", "x", "test_collection")

#' @export
judgments_of.judicious_collection <- function(x) {
  if (is.null(x$assessed)) return(combined_judgments_of(x))
  without_row_names(rbind(x$assessed, if (!is.null(x$outside)) data.frame(x$outside, assessor = "unknown")))
}

# One judgment of each document, inside and outside the pool.
combined_judgments_of <- function(x) {
  judged <- which(!is.na(x$gain))
  without_row_names(rbind(data.frame(pool_ids(x)[judged, ], gain = x$gain[judged]), x$outside))
}

# The collection with judgments by several assessors, who may have judged the same pair differently: `assessed` keeps
# them all.
with_assessed <- function(x, judgments) {
  judgments <- judgments[c("query", "doc", "gain", "assessor")]
  gain <- combined_judgments(assessor_record(x, judgments), n_pairs(x), x$scale)$gain
  x$gain <- ifelse(is.na(gain), x$gain, gain)
  x$assessed <- without_row_names(judgments[!is.na(find_pairs(x, judgments$query, judgments$doc)), ])
  x
}

# Converts the judgments of a data frame with a column `assessor` to a data frame with `pair` (of the pool), `gain`,
# `assessor` and `final` (a lead's judgment, which replaces others). NULL if it is not known who made the judgments.
assessor_record <- function(x, judgments, arg = "judgments") {
  if (is.null(judgments)) judgments <- x$assessed
  if (!is.data.frame(judgments) || is.null(judgments[["assessor"]])) return(NULL)
  if (anyNA(judgments$assessor) && !is_judged_again(judgments)) return(NULL)
  judgments <- check_assessors(judgments, x$scale, arg)
  pair <- find_pairs(x, judgments$query, judgments$doc)
  inside <- !is.na(pair)
  data.frame(pair = pair, gain = judgments$gain, assessor = judgments$assessor,
             final = judgments[["final"]] %||% rep(FALSE, nrow(judgments)))[inside, ]
}
