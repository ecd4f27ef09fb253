#' Add runs or queries to a collection, or to an open session
#'
#' `add_runs()` adds systems, `add_queries()` adds queries with the lists that the systems returned for them. Judgments
#' are kept, and a session continues in every process that works on it.
#'
#' @details The result equals [test_collection()] of all runs at once, those of `x` first. A session estimates again
#'   when the next document is selected or the ranking is requested.
#'
#' @param x A [test_collection()], or a session by [judging_session()].
#' @param runs The new lists, as in [test_collection()]: a data frame with `system`, `query`, `doc` and `rank` or
#'   `score`, or paths of files. Or a [test_collection()] with the `k` and the scale of `x`, whose metadata and, except
#'   in a session, judgments are used, too. Lists are cut at the `k` of `x`. `add_runs()` requires new systems with
#'   existing queries, `add_queries()` new queries with existing systems.
#' @param documents Metadata of the new documents, with the columns of those of `x`: a data frame with `doc`, or the
#'   path of a file.
#' @param systems The new systems with their `team` and the columns of those of `x`: a data frame or the path of a
#'   file. NULL uses the column `team` of `runs`; without it, each new system is a team of its own if this is so in
#'   `x`, and an error otherwise.
#' @param queries Metadata of the new queries, with the columns of those of `x`: a data frame with `query`, or the path
#'   of a file. NULL uses the rows of `documents` with the ids of the queries.
#' @param judgments Judgments of new pairs: a data frame with `query`, `doc` and `gain`, or paths of files. In a
#'   session, use [judge()] instead.
#' @param grades Grades of the new documents, as in [test_collection()], added to those that `x` has.
#' @param ties,duplicates How to order the new lists, and what to do with repeated documents, as in [test_collection()].
#' @param ... Not used.
#' @return The larger collection; or the session, invisibly.
#' @section Errors: The classes, after `judicious_error_`: `system_exists`, `query_exists`, `unknown_query`,
#'   `unknown_system` (also for one without a team), `columns` (other metadata than `x` has), `needs_ranks`, `k` and
#'   `levels` (another cutoff or scale), `contradictory_judgments`, and those of [test_collection()]. After an error,
#'   nothing has changed.
#' @examples
#' all <- simulate_collection(queries = 8, documents = 150, artists = 20, systems = 5, seed = 1)
#' runs <- as.data.frame(all)[c("system", "query", "doc", "rank")]
#' is_new <- runs$system == "S05"
#' x <- test_collection(runs[!is_new, ], k = 5)
#' add_runs(x, runs[is_new, ])
#' # A session continues with the new system
#' s <- judging_session(x, goal = goal_mean(0.8), seed = 1)
#' run_session(s, judgments_of(all))
#' add_runs(s, runs[is_new, ])
#' @export
add_runs <- function(x, runs, ...) UseMethod("add_runs")

#' @rdname add_runs
#' @export
add_queries <- function(x, runs, ...) UseMethod("add_queries")

#' @export
add_runs.default <- function(x, runs, ...) judged_collection(x)

#' @export
add_queries.default <- function(x, runs, ...) judged_collection(x)

#' @rdname add_runs
#' @export
add_runs.judicious_collection <- function(x, runs, documents = NULL, systems = NULL, judgments = NULL, grades = NULL,
                                          ties = c("trec_eval", "rank", "identifier", "error"),
                                          duplicates = c("error", "best"), ...) {
  rlang::check_dots_empty()
  add_part(x, list(runs = runs, documents = documents, systems = systems, judgments = judgments, grades = grades),
           "system", "query", ties, duplicates)
}

#' @rdname add_runs
#' @export
add_queries.judicious_collection <- function(x, runs, queries = NULL, documents = NULL, judgments = NULL,
                                             grades = NULL,
                                             ties = c("trec_eval", "rank", "identifier", "error"),
                                             duplicates = c("error", "best"), ...) {
  rlang::check_dots_empty()
  add_part(x, list(runs = runs, documents = documents, queries = queries, judgments = judgments, grades = grades),
           "query", "system", ties, duplicates)
}

# The collection with further runs. The runs add either systems or queries: `added` is the kind of identifier that must
# be new ("system" or "query"), `kept` the kind that must be in the collection already.
add_part <- function(x, parts, added, kept, ties, duplicates) {
  ties <- check_choice(ties, list_ties, "ties")
  duplicates <- check_choice(duplicates, list_duplicates, "duplicates")
  x <- without_unanswered(x)
  plurals <- c(system = "systems", query = "queries")
  if (inherits(parts$runs, "judicious_collection")) {
    k <- parts$runs$k
    parts <- parts_of_collection(x, parts)
    if (k != x$k) x <- with_repeats(x, max(k, x$k))
  }
  new <- read_parts(parts)
  existing <- function(kind) x[[plurals[[kind]]]][[kind]]
  refuse_ids(intersect(new$runs[[added]], existing(added)), added, plurals[[added]],
             "{counted} of {.arg runs} {cli::qty(length(ids))}{?is/are} in the collection already: {name_some(ids)}.",
             "Use new, distinct names.", paste0(added, "_exists"))
  adds <- c(system = "add_runs", query = "add_queries")[[kept]]
  refuse_ids(setdiff(new$runs[[kept]], existing(kept)), kept, plurals[[kept]],
             "{.arg runs} has {counted} that the collection does not have: {name_some(ids)}.",
             paste0("{.fn ", adds, "} adds {plural}; leave them out here."), paste0("unknown_", kept))
  results <- ranked_runs(new$runs, ties, duplicates)
  new$runs <- top_results(results, x$k)
  if (isTRUE(new$cut) || nrow(new$runs) < nrow(results)) x$cut <- TRUE
  extend_collection(x, new)
}

parts_of_collection <- function(x, parts) {
  other <- parts$runs
  check_that(other$k == x$k || gives_ratings(x) && gives_ratings(other), "runs",
             "is a collection of the top {other$k}, and {.arg x} has the top {x$k}.", kind = "k")
  check_that(identical(other$scale$levels, x$scale$levels), "runs", c(
    "is a collection on another gain scale than {.arg x}.",
    x = "Its gains are on {format(other$scale)}, those of {.arg x} on {format(x$scale)}."
  ), kind = "levels")
  parts$runs <- as.data.frame(other)[c("system", "query", "doc", if (!is.null(other$results$rank)) "rank")]
  given <- Filter(Negate(is.null), parts)
  own <- list(documents = other$documents, systems = other$systems, queries = other$queries, cut = other$cut,
              judgments = judgments_of(other), grades = carried_grades(other))
  c(given, own[setdiff(names(own), names(given))])
}

# Raises an error about the identifiers `ids` in `runs`, if there are any. `singular` and `plural`: nouns for what they
# identify. `problem` and `advice` are cli messages.
refuse_ids <- function(ids, singular, plural, problem, advice, kind) {
  counted <- counted(length(ids), singular, plural)
  check_that(!length(ids), "runs", c(problem, i = advice), kind = kind, ids = ids)
}

# Adds the new parts to a collection. Existing systems, queries, documents and pairs come first, in their order, so that
# their indices stay valid.
extend_collection <- function(x, new) {
  check_that(is.null(x$results$rank) || "rank" %in% names(new$runs), "runs", c(
    "The results of {.arg x} have ranks, and those of {.arg runs} have none.",
    i = "Give {.arg runs} a column {.val rank} or {.val score}."
  ), kind = "needs_ranks")
  columns <- c("system", "query", "doc", if (!is.null(x$results$rank)) "rank")
  old <- list(systems = x$systems$system, queries = x$queries$query, documents = x$documents$doc)
  ids <- list(systems = union(old$systems, new$runs$system), queries = union(old$queries, new$runs$query),
              documents = union(old$documents, new$runs$doc))
  added <- Map(setdiff, ids, old)
  coded <- code_results(rbind(as.data.frame(x)[columns], new$runs[columns]), ids$systems, ids$queries, ids$documents)
  out <- new_collection(
    systems = join_metadata(x$systems, added$systems, function(ids) added_systems(x, ids, new$systems), "systems"),
    queries = join_metadata(x$queries, added$queries, function(ids) query_table(ids, new$queries, new$documents),
                            "queries"),
    documents = join_metadata(x$documents, added$documents, function(ids) document_table(ids, new$documents),
                              "documents"),
    pool = coded$pool, results = coded$results, k = x$k, scale = x$scale,
    gain = c(x$gain, rep(NA_real_, length(coded$pool$query) - n_pairs(x)))
  )
  check_query_weights(out$queries)
  # new_collection() does not set these fields, so they are copied.
  further <- intersect(c("outside", "grades", "assessed", "cut"), names(x))
  out[further] <- unclass(x)[further]
  out <- move_into_pool(with_measure(out, x$scoring$measure))
  out <- with_grades(out, new$grades)
  warn_incomplete_lists(out, match(unique(new$runs$system), ids$systems), match(unique(new$runs$query), ids$queries))
  if (is.null(new$judgments)) return(out)
  # The names of assessors are kept if several assessors judged the same pairs, or if the collection already has
  # judgments with names.
  named <- is.data.frame(new$judgments) && !is.null(new$judgments[["assessor"]])
  if (is_judged_again(new$judgments) || named && !is.null(x$assessed)) {
    return(with_assessed(out, rbind(x$assessed, new$judgments[c("query", "doc", "gain", "assessor")])))
  }
  new_judgments <- assign_judgments(out, new$judgments)
  out$gain <- joined_gains(out$gain, new_judgments$gain, out)
  join_outside(out, new_judgments$outside)
}

added_systems <- function(x, ids, systems) {
  own_teams <- identical(x$systems$team, x$systems$system) && ncol(x$systems) == 2
  check_that(!is.null(systems) || own_teams, "systems", "must give the team of {length(ids)} new system{?s}, as the
    systems of {.arg x} share teams or have further columns: {name_some(ids)}.", kind = "unknown_system", systems = ids)
  if (!is.null(systems)) {
    check_columns(systems, c("system", "team"), "systems")
    systems <- systems[!id_text(systems$system) %in% x$systems$system, , drop = FALSE]
  }
  system_table(ids, systems)
}

# A metadata table with the rows that `table_of` returns for identifiers that are added, if any are; NA if there are no
# metadata for them.
join_metadata <- function(old, added, table_of, arg) {
  if (!length(added)) return(old)
  new <- table_of(added)
  if (ncol(new) == 1 && ncol(old) > 1) {
    warn_without_metadata(new[[1]], character(), c(query = "query", doc = "document")[[names(new)]], arg)
    new[setdiff(names(old), names(new))] <- NA
  }
  check_that(setequal(names(new), names(old)), arg, c(
    "must have the columns of the collection's {arg}.",
    x = "They are {.val {names(old)}}; those given are {.val {names(new)}}."
  ), kind = "columns", columns = names(old))
  rbind(old, new[names(old)])
}

# Combines two vectors of gains of the pool; a pair with different gains raises an error.
joined_gains <- function(gain, further, x) {
  differ <- which(gain != further)
  ids <- pool_ids(x)[differ[1], ]
  check_that(!length(differ), "judgments", c(
    "contradicts {format_count(length(differ))} {cli::qty(length(differ))}judgment{?s} that {.arg x} has.",
    x = "Query {.val {ids$query}}, document {.val {ids$doc}}: {gain[differ[1]]} in {.arg x}, {further[differ[1]]} in
      {.arg judgments}."
  ), kind = "contradictory_judgments")
  ifelse(is.na(gain), further, gain)
}
