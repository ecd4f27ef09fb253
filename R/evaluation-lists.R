# Evaluates runs in memory, as ranked lists of judged documents.

# Ranked lists. For each list: `system`, `query` (codes), `retrieved`, and `offset` (from 0), where its documents begin
# in `items`. `items` is a list of vectors, among them `rank`, `level` (from 1; 0 if in the pool but not judged), and
# `first` and `last`, the range of ranks that the document may have if ties are ordered at random. Further elements:
# `systems`, `query_ids`, `queries` (for each query, its identifier and, in a collection, its other columns), `levels`,
# `judgments` (by judged_gains()), and `ranked`, whether the order is meaningful. With `all_rows`, items are all
# results; those without a judgment have level 0, and `known` is FALSE.
ranked_lists <- function(x, truth, policy, all_rows = FALSE) {
  results <- if (inherits(x, "judicious_collection")) collection_results(x, truth) else run_results(x, truth, policy)
  number <- (results$system - 1) * length(truth$query_ids) + results$query
  sorted <- order_results(number, results)
  number <- number[sorted]
  columns <- c("system", "query", "pair", "key")
  results[columns] <- lapply(results[columns], `[`, sorted)
  runs <- rle(number)
  ranks <- sequence(runs$lengths)
  span <- list(first = ranks, last = ranks)
  if (policy$ties == "expected" && !is.null(results$key)) span <- tied_spans(number, results$key, ranks)
  level <- truth$level[results$pair]
  has_level <- !is.na(level)
  keep <- ranks <= policy$depth & (has_level | all_rows)
  ends <- cumsum(runs$lengths)
  c(results[c("systems", "ranked", "policy", "unknown")], list(
    system = results$system[ends], query = results$query[ends],
    retrieved = as.integer(pmin(runs$lengths, policy$depth)), offset = as.integer(c(0, cumsum(keep)[ends])),
    items = list(rank = ranks[keep], level = ifelse(has_level[keep], level[keep], 0L), first = span$first[keep],
                 last = as.integer(pmin(span$last[keep], policy$depth)), known = has_level[keep],
                 judgment = replace(results$pair, !has_level, 0L)[keep], doc = if (all_rows) results$doc[sorted][keep]),
    query_ids = truth$query_ids, queries = query_columns(x, truth$query_ids), levels = truth$levels, judgments = truth))
}

query_columns <- function(x, query_ids) {
  if (!inherits(x, "judicious_collection")) return(data.frame(query = query_ids))
  columns <- x$queries[match(query_ids, x$queries$query), , drop = FALSE]
  columns$query <- query_ids
  columns
}

# For each query, the levels of its judged documents, highest first.
judged_levels <- function(lists) {
  if (!is.null(lists$judged)) return(lists$judged)
  truth <- lists$judgments
  judged <- truth$level > 0
  by_query <- split(truth$level[judged], factor(truth$query[judged], seq_along(truth$query_ids)))
  lapply(unname(by_query), sort, decreasing = TRUE)
}

collection_results <- function(x, truth) {
  pair <- result_pair(x)
  code <- match(x$queries$query, truth$query_ids)
  doc <- x$documents$doc[x$pool$doc]
  of_pool <- code[x$pool$query]
  judged <- locate_judgments(replace(of_pool, is.na(of_pool), 0L), x$pool$doc, x$documents$doc, truth)[pair]
  query <- code[x$pool$query][pair]
  keep <- !is.na(query)
  list(system = x$results$system[keep], query = query[keep], pair = judged[keep], doc = doc[pair][keep],
       key = if (!is.null(x$results$rank)) -x$results$rank[keep], systems = x$systems$system,
       ranked = !is.null(x$results$rank), policy = "rank", unknown = setdiff(x$queries$query, truth$query_ids))
}

run_results <- function(x, truth, policy) {
  original <- x
  x <- checked_runs(x, "x")
  ids <- lapply(x[c("system", "query", "doc")], id_codes)
  query <- match(ids$query$id, truth$query_ids)
  unknown <- ids$query$id[is.na(query)]
  code <- list(system = ids$system$code, query = query[ids$query$code], doc = ids$doc$code)
  code$list <- (code$system - 1) * length(truth$query_ids) + code$query
  keep_rows <- function(rows) {
    x <<- x[rows, , drop = FALSE]
    code <<- lapply(code, `[`, rows)
  }
  if (length(unknown)) {
    has_judged_query <- which(!is.na(code$query))
    if (!length(has_judged_query)) abort_no_common_query(original, unknown, truth$query_ids)
    keep_rows(has_judged_query)
  }
  if (policy$duplicates != "best") check_repeated_results(x, code, original) else
    keep_rows(rows_of_best_places(code$list, code$doc, list_key(x, policy$ties, policy$precision)))
  keyed <- list_key(x, policy$ties, policy$precision)
  if (keyed$policy != "unranked") check_list_order(code$list, x, keyed, policy$ties, "x")
  pair <- locate_judgments(code$query, code$doc, ids$doc$id, truth)
  unjudged <- setdiff(code$system, code$system[!is.na(pair)])
  warn_no_common_document(x$doc[code$system %in% unjudged], truth$doc, ids$system$id[unjudged], all(is.na(pair)))
  if (!all(is.na(pair))) warn_look_alike_between(ids$doc$id, truth$doc, runs_and_judgments)
  c(keyed, code[c("system", "query")], list(pair = pair, systems = ids$system$id, ranked = keyed$policy != "unranked",
                                            unknown = unknown))
}

# The index of the judgment of each query-document pair; NA if it is not judged. `doc` are indices of `doc_ids`.
locate_judgments <- function(query, doc, doc_ids, truth) {
  doc_codes <- id_codes(truth$doc)
  match_pairs_cpp(truth$query, doc_codes$code, query, match(doc_ids, doc_codes$id, nomatch = 0L)[doc])
}

check_repeated_results <- function(x, code, source) {
  list_number <- match(code$list, unique(code$list))
  first <- match_pairs_cpp(list_number, code$doc, list_number, code$doc)
  repeated_rows <- which(first != seq_along(first))
  repeated <- repeated_rows[1]
  n <- length(repeated_rows)
  abort_unless(!n, c(
    paste("{format_count(n)} {cli::qty(n)}result{?s} of", if (is.character(source)) "{.file {source}}" else "{.arg x}",
          "{cli::qty(n)}repeat{?s/} an earlier one."),
    x = "System {.val {x$system[repeated]}} has document {.val {x$doc[repeated]}} twice for query
      {.val {x$query[repeated]}}.",
    i = "{.code duplicates = \"best\"} keeps its best place."), "duplicate_result", argument = "x", n = n)
}

tied_spans <- function(list, key, rank) {
  new <- c(TRUE, list[-1] != list[-length(list)] | key[-1] != key[-length(key)])
  group <- cumsum(new)
  first <- rank[new]
  list(first = first[group], last = (first + tabulate(group) - 1L)[group])
}

kernel_values <- function(lists, measures, policy, unjudged = policy$unjudged) {
  custom <- is_custom(measures)
  check_that(!any(custom) || policy$ties != "expected", "ties",
             "{.code ties = \"expected\"} is not defined for custom measures.")
  # Parallel processes are used only if measures are R functions or orders are random; otherwise, sending the lists to
  # them would take longer than evaluating the lists.
  if (!any(custom) && policy$ties != "expected") return(values_of_lists(lists, measures, policy, unjudged))
  over_parts(seq_along(lists$query), function(chunk) {
    values_of_lists(subset_lists(lists, chunk), measures, policy, unjudged)
  }, function(parts) do.call(cbind, parts))
}

# The lists with the indices `chosen`, which must be consecutive.
subset_lists <- function(lists, chosen) {
  if (length(chosen) == length(lists$query)) return(lists)
  first <- lists$offset[c(chosen, chosen[length(chosen)] + 1)]
  items <- seq.int(first[1] + 1, length.out = first[length(first)] - first[1])
  lists[c("system", "query", "retrieved")] <- lapply(lists[c("system", "query", "retrieved")], `[`, chosen)
  lists$offset <- first - first[1]
  lists$items <- lapply(lists$items, `[`, items)
  lists
}

values_of_lists <- function(lists, measures, policy, unjudged) {
  out <- matrix(NA_real_, length(measures), length(lists$query))
  custom <- is_custom(measures)
  # The lists are already sorted, so their ranks are used, unless the order of ties is random.
  ties <- if (policy$ties == "expected") "expected" else "rank"
  settings <- list(unjudged = if (unjudged == "bounds") "zero" else unjudged, ties = ties,
                   undefined = policy$undefined, seed = policy$seed)
  if (any(!custom))
    out[!custom, ] <- evaluate_judged_cpp(lists, lists$items, lists$judgments,
                                          core_measures(measures, lists$levels, lists$judgments$details), settings)
  if (any(custom)) lists$judged <- judged_levels(lists)
  for (m in which(custom)) out[m, ] <- custom_values(measures[[m]], lists, unjudged == "condensed")
  out
}

note_unknown_queries <- function(n, ids = NULL, judged = NULL) {
  if (!n) return(invisible())
  named <- if (length(ids)) paste0(": ", name_some(ids)) else ""
  inform_judicious(c(
    "{format_count(n)} {cli::qty(n)}quer{?y/ies} of the runs {?has/have} no judgments and {?is/are} left out{named}.",
    # Queries without judgments are normal, but if identifiers differ systematically, this is probably a mistake, so it
    # is reported.
    if (!is.null(id_difference(ids, judged))) unequal_ids_text(ids, judged, "query")), "unjudged_query", n = n)
}

# Adds the missing lists, so that there is a list for each system and each judged query, and applies the policy for
# missing lists.
complete_grid <- function(lists, full, measures, policy) {
  n_queries <- length(lists$query_ids)
  cell <- (lists$system - 1) * n_queries + lists$query
  absent <- rep(TRUE, length(lists$systems) * n_queries)
  absent[cell] <- FALSE
  query_codes <- rep(seq_len(n_queries), length(lists$systems))
  absent_values <- if (any(absent)) missing_values(measures, lists)[, query_codes, drop = FALSE]
  out <- lapply(full, function(values) {
    out <- absent_values %||% matrix(0, length(measures), length(absent))
    out[, cell] <- values
    out
  })
  values_of_grid(lists$systems, lists$query_ids, absent, out, policy)
}

# Converts values to the form of evaluate(). `values`: matrices of measures by systems and queries, in which the query
# varies fastest. `absent`: which of the lists are missing.
values_of_grid <- function(systems, query_ids, absent, values, policy) {
  n_queries <- length(query_ids)
  if (any(absent)) check_missing(systems, query_ids, absent, policy)
  shown <- if (policy$missing == "skip") which(!absent) else seq_along(absent)
  c(list(system = rep(seq_along(systems), each = n_queries)[shown], systems = systems, query_ids = query_ids,
         query = rep(seq_len(n_queries), length(systems))[shown], absent = sum(absent)),
    lapply(values, function(value) value[, shown, drop = FALSE]))
}

# The value of each measure for a query without results: zero, or undefined if the measure is undefined for the query.
# Relevant documents of the query count as usual.
missing_values <- function(measures, lists) {
  out <- matrix(0, length(measures), length(lists$query_ids))
  if (all(is_custom(measures))) return(out)
  none <- list(query = integer(), retrieved = integer(), offset = 0L, rank = integer(), level = integer(),
               first = integer(), last = integer())
  core <- core_measures(measures, lists$levels, lists$judgments$details)
  out[!is_custom(measures), ] <- attr(evaluate_judged_cpp(none, none, lists$judgments, core, plain_policy), "missing")
  out
}

check_missing <- function(systems, query_ids, absent, policy) {
  n <- sum(absent)
  i <- which.max(absent) - 1
  first <- list(system = systems[i %/% length(query_ids) + 1], query = query_ids[i %% length(query_ids) + 1])
  lacking <- sum(colSums(matrix(absent, length(query_ids))) > 0)
  message <- c(
    "{counted(n, 'list')} {cli::qty(n)}{?is/are} missing: {counted(lacking, 'system')} {cli::qty(lacking)}{?does/do} not
      answer every judged query.",
    x = "The first is system {.val {first$system}}, query {.val {first$query}}.")
  if (policy$missing == "error") abort_judicious(message, "missing_query", n = n)
  consequence <- if (policy$missing == "zero") "They score zero; {.code missing = \"skip\"} leaves them out." else
    "They are left out."
  warn_judicious(c(message, i = consequence), "missing_query", n = n)
}

# The values of all measures for runs in memory: a list of `system`, `query` (ids), `value`, a matrix of measures by
# lists, and, if the policy requires bounds, a matrix `upper` of the same shape.
list_values <- function(x, truth, measures, policy) {
  lists <- ranked_lists(x, truth, policy)
  note_unknown_queries(length(lists$unknown), lists$unknown, lists$query_ids[-lists$query])
  refuse_unfit_measures(x, lists, measures)
  bounds <- policy$unjudged == "bounds"
  check_that(!bounds || !any(is_custom(measures)), "unjudged",
             "{.code unjudged = \"bounds\"} is not defined for custom measures.")
  full <- c(list(value = kernel_values(lists, measures, policy)),
            if (bounds) list(upper = kernel_values(lists, measures, policy, unjudged = "best")))
  # The rule that ordered the results. The user's rule applies only to ties of scores; runs without scores are ordered
  # by rank, or not at all.
  ties <- switch(lists$policy, score = policy$ties, rank = "rank", unranked = "none, unranked")
  c(complete_grid(lists, full, measures, policy), list(ties = ties, left_out = length(lists$unknown)))
}
