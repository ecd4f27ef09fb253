# Checks runs and cuts them at rank k. Missing and short lists cause warnings.

# Runs as a data frame with text as identifiers and numbers as ranks and scores, read from their source if necessary.
checked_runs <- function(runs, arg = "runs") {
  columns <- c("system", "query", "doc")
  runs <- if (is_source(runs)) runs_from_path(runs, arg) else with_known_names(runs, "runs", columns)
  runs <- check_id_columns(runs, columns, arg)
  check_that(nrow(runs), arg, "has no rows.")
  for (column in intersect(c("rank", "score"), names(runs))) {
    check_numeric_column(runs, column, arg)
    check_values(runs[[column]], is.finite(runs[[column]]), column, arg, "finite numbers")
  }
  runs
}

# Reads the arguments of a collection from files, and checks the runs.
read_parts <- function(parts) {
  parts$runs <- checked_runs(parts$runs)
  for (what in names(metadata_layouts)) {
    if (is_source(parts[[what]])) parts[[what]] <- metadata_from_path(parts[[what]], what)
  }
  if (!is.null(parts$documents)) parts$documents <- check_columns(parts$documents, "doc", "documents")
  check_that(!all(c("query", "doc", "gain") %in% names(parts$documents)), "documents", "must describe documents, but is
    a table of judgments: pass it as {.arg judgments}.")
  if (is.null(parts$systems)) parts$systems <- teams_in_runs(parts$runs)
  parts
}

# The results in the top k of each system's lists. `runs`: by ranked_runs().
top_results <- function(runs, k) {
  if ("rank" %in% names(runs)) return(runs[runs$rank <= k, , drop = FALSE])
  list_code <- list_id(runs)
  length_of <- tabulate(match(list_code, unique(list_code)))
  first_row <- match(unique(list_code)[which(length_of > k)[1]], list_code)
  check_that(all(length_of <= k), "runs", c(
    "{sum(length_of > k)} list{?s} of {.arg runs} {cli::qty(sum(length_of > k))}{?is/are} longer than k = {k}, and the
      runs have neither ranks nor scores to cut them by.",
    x = "System {.val {runs$system[first_row]}} has {max(length_of)} documents for query
      {.val {runs$query[first_row]}}.", i = "Give a column {.val rank} or {.val score}, or a larger {.arg k}."
  ), kind = "unranked_list")
  runs
}

# Replaces identifiers by row numbers and groups the results by pair.
code_results <- function(runs, system_ids = unique(runs$system), query_ids = unique(runs$query),
                         doc_ids = unique(runs$doc)) {
  system_code <- match(runs$system, system_ids)
  grouped <- build_pool_cpp(system_code, match(runs$query, query_ids), match(runs$doc, doc_ids), length(system_ids))
  repeated_row <- grouped$duplicate
  abort_unless(grouped$n_duplicates == 0, c(
    "{format_count(grouped$n_duplicates)} {cli::qty(grouped$n_duplicates)}result{?s} of {.arg runs}
      {cli::qty(grouped$n_duplicates)}repeat{?s/} an earlier one.",
    x = "System {.val {runs$system[repeated_row]}} has document {.val {runs$doc[repeated_row]}} twice for query
      {.val {runs$query[repeated_row]}}.",
    i = "{.code duplicates = \"best\"} keeps its best place."
  ), "duplicate_result", argument = "runs", n = grouped$n_duplicates)
  list(
    system_ids = system_ids, query_ids = query_ids, doc_ids = doc_ids,
    pool = grouped[c("query", "doc")],
    results = list(offset = grouped$offset, system = system_code[grouped$result],
                   rank = if ("rank" %in% names(runs)) as.integer(runs$rank[grouped$result]))
  )
}

# Warns about a system that shares no document with others, if a difference in writing explains it: agreement between
# systems, by which they are ranked, would be underestimated.
warn_foreign_documents <- function(x) {
  doc <- x$pool$doc[result_pair(x)]
  system <- x$results$system
  owner <- replace(integer(nrow(x$documents)), doc, system)
  is_shared <- tabulate(doc[system != owner[doc]], nrow(x$documents)) > 0
  alone <- setdiff(system, system[is_shared[doc]])
  # Where no systems share documents, these may be answers of systems.
  if (!length(alone) || !any(is_shared)) return(invisible())
  alone <- min(alone)
  own <- unique(doc[system == alone])
  found <- id_difference(x$documents$doc[own], x$documents$doc[-own])
  # Two different prefixes may be those of two sources.
  has_other_prefix <- identical(found$name, "a prefix") &&
    !endsWith(found$runs, found$judgments) && !endsWith(found$judgments, found$runs)
  if (!is.null(found) && !has_other_prefix) warn_judicious(c(
    "System {.val {x$systems$system[alone]}} shares no document with the others.",
    x = "It has document {.val {found$runs}}, the others have {.val {found$judgments}}.",
    i = "They differ in {found$name}: if they are the same, write identifiers in the same way."), "foreign_documents")
}

# Warns about missing and short lists of these systems and queries.
warn_incomplete_lists <- function(x, systems = seq_len(n_systems(x)), queries = seq_len(n_queries(x))) {
  all_sizes <- list_sizes(x)
  size <- all_sizes[queries, systems, drop = FALSE]
  empty_lists <- which(size == 0, arr.ind = TRUE)
  short <- which(size > 0 & size < x$k & !gives_ratings(x), arr.ind = TRUE)
  where <- function(cells) {
    sprintf("system \"%s\", query \"%s\"", x$systems$system[systems[cells[1, 2]]],
            x$queries$query[queries[cells[1, 1]]])
  }
  if (nrow(empty_lists)) {
    shared <- crossprod(all_sizes > 0)
    item <- if (gives_ratings(x)) "answer" else "list"
    alike <- similar_names(x$queries$query[queries[unique(empty_lists[, 1])]])
    disjoint <- x$systems$system[utils::head(which(shared == 0 & upper.tri(shared), arr.ind = TRUE), 1)]
    message <- c(
      "{counted(nrow(empty_lists), item)} {cli::qty(nrow(empty_lists))}{?is/are} missing:
        {length(unique(empty_lists[, 2]))} system{?s} do{?es/} not answer every query.",
      x = "The first is {where(empty_lists)}.",
      x = if (length(alike)) "Queries {.val {alike[1]}} and {.val {alike[2]}} differ only in case, blanks or hyphens: if
        they are the same, write them in the same way.",
      x = if (length(disjoint)) "{.val {disjoint[1]}} and {.val {disjoint[2]}} have no query in common.")
    # Where no gain is above 0, as of numbers of errors, a system would profit from answers that it does not give.
    abort_unless(max(x$scale$levels) > 0, c(message, i = "A missing answer has gain 0, which is the best of the scale
      {format(x$scale)}: add a constant to the ratings, so that the lowest is 0."), "missing_query")
    warn_judicious(c(message, i = "A missing {item} has gain 0.",
                     i = if (gives_ratings(x)) "If answers were not rated, keep their rows without a rating: their gains
                       are then estimated.",
                     i = if (length(disjoint)) "Rank only systems with the same queries together."
    ), "missing_query", n = nrow(empty_lists))
  }
  if (nrow(short)) {
    warn_judicious(c(
      "{format_count(nrow(short))} {cli::qty(nrow(short))}list{?s} {?is/are} shorter than k = {x$k}.",
      x = "The first is {where(short)}, with {size[short[1, , drop = FALSE]]} document{?s}.",
      i = if (max(size) < x$k) "No list has more than {max(size)}: should {.arg k} be {max(size)}?",
      i = "Measures still divide by k: missing results have gain 0."
    ), "short_list", n = nrow(short), shortest = min(size[short]))
  }
}
