#' Add custom features
#'
#' Adds properties of documents, queries, systems or single pairs as features, such as a length, an age, a language, or
#' a grade by a language model. [pom()] and [gain_distribution()] use them together with those of [output_features()].
#'
#' @param features A data frame with `query` and `doc`, as [output_features()] returns.
#' @param x The [test_collection()] to which the features belong.
#' @param documents,queries,systems Names of columns of the collection's `documents`, `queries` and `systems`, that is,
#'   of the data frames or files from which it was created. A named vector renames columns: `c(doc_length = "length")`.
#'   A pair has the value of its document or query. A numeric or logical column of `systems` is averaged over the
#'   systems that retrieved the pair; for a column of text or a factor, the shares of these systems at each level are
#'   added, as columns `<name>_<level>`. Systems with a missing value are left out.
#' @param pairs A data frame with columns `query` and `doc` and features of single pairs; all its further columns are
#'   added.
#' @return `features` with further columns, which are NA for unknown values.
#' @section Errors and warnings: A column that does not exist, a name that is already used, a row of `features` outside
#'   the pool of `x`, and a pair that occurs twice in `pairs` raise an error. If pairs of `features` are absent from
#'   `pairs`, a warning states their number.
#' @seealso [output_features()]
#' @examples
#' runs <- data.frame(system = c("A", "A", "B", "B"), query = "q1", doc = c("d1", "d2", "d2", "d3"))
#' documents <- data.frame(doc = c("d1", "d2", "d3"), length = c(120, 300, 80))
#' systems <- data.frame(system = c("A", "B"), team = c("a", "b"), kind = c("lexical", "neural"))
#' x <- test_collection(runs, documents, systems, k = 2, scale = broad_scale())
#' scores <- data.frame(query = "q1", doc = c("d1", "d2", "d3"), llm = c(.2, .9, .4))
#' add_features(output_features(x), x, documents = "length", systems = "kind", pairs = scores)
#' @export
add_features <- function(features, x, documents = NULL, queries = NULL, systems = NULL, pairs = NULL) {
  x <- judged_collection(x)
  check_columns(features, c("query", "doc"), "features")
  pair <- features_in_pool(features, x)
  added <- c(
    metadata_columns(x$documents, documents, "documents")(x$pool$doc[pair]),
    metadata_columns(x$queries, queries, "queries")(x$pool$query[pair]),
    lapply(system_features(x, systems), `[`, pair),
    pair_columns(features, pairs)
  )
  taken <- names(added)[names(added) %in% names(features) | duplicated(names(added))]
  abort_unless(!length(taken), c(
    "The name{?s} {.val {unique(taken)}} of added features {?is/are} taken already.",
    i = "Rename with a named vector, as in {.code documents = c(doc_{taken[1]} = \"{taken[1]}\")}."
  ), "columns", columns = unique(taken))
  features[names(added)] <- added
  features
}

# The position in the pool of each row of a data frame of features.
features_in_pool <- function(features, x, arg = "features", call = caller_env()) {
  query <- check_ids(features$query, "query", arg, call)
  doc <- check_ids(features$doc, "doc", arg, call)
  pair <- find_pairs(x, query, doc)
  i <- which(is.na(pair))[1]
  abort_unless(!anyNA(pair), c(
    "{format_count(sum(is.na(pair)))} {cli::qty(sum(is.na(pair)))}row{?s} of {.arg {arg}}
      {cli::qty(sum(is.na(pair)))}{?is/are} not in the pool of {.arg x}.",
    x = "The first is row {i}: query {.val {query[i]}}, document {.val {doc[i]}}."
  ), "outside_pool", argument = arg, rows = which(is.na(pair)), call = call)
  pair
}

# Selects columns of a metadata table, and returns them as a function of the requested rows.
metadata_columns <- function(table, columns, arg, call = caller_env()) {
  chosen <- chosen_columns(table, columns, arg, call)
  function(rows) lapply(chosen, `[`, rows)
}

chosen_columns <- function(table, columns, arg, call) {
  if (is.null(columns)) return(list())
  check_that(is.character(columns) && !anyNA(columns), arg,
             "must be names of columns, not {.obj_type_friendly {columns}}.", call = call)
  refuse_absent_columns(table, columns, arg, "The collection's {arg} have", "Their", call)
  chosen <- as.list(table[columns])
  named <- names(columns) %||% rep("", length(columns))
  names(chosen) <- ifelse(nzchar(named), named, columns)
  chosen
}

# Means and shares over the systems that retrieved each pair of the pool.
system_features <- function(x, columns, call = caller_env()) {
  chosen <- chosen_columns(x$systems, columns, "systems", call)
  over_systems <- function(value) mean_over_systems_cpp(x$results, as.numeric(value))
  per_column <- lapply(names(chosen), function(name) {
    value <- chosen[[name]]
    if (is.numeric(value) || is.logical(value)) return(stats::setNames(list(over_systems(value)), name))
    value_levels <- levels(text_factor(value))
    shares <- lapply(value_levels, function(level) over_systems(as.character(value) == level))
    stats::setNames(shares, paste0(name, "_", value_levels))
  })
  unlist(per_column, recursive = FALSE)
}

pair_columns <- function(features, pairs, arg = "pairs", call = caller_env()) {
  if (is.null(pairs)) return(list())
  pairs <- check_id_columns(pairs, c("query", "doc"), arg, call)
  again <- which(match_pairs_by_id(pairs) != seq_len(nrow(pairs)))
  i <- again[1]
  abort_unless(!length(again), c(
    "{.arg {arg}} has {format_count(length(again))} repeated {cli::qty(length(again))}pair{?s}.",
    x = "The first is query {.val {pairs$query[i]}}, document {.val {pairs$doc[i]}}, in row {i}."
  ), "duplicate_id", argument = arg, rows = again, call = call)
  feature_row <- match_ids(pairs, features)
  if (anyNA(feature_row)) {
    warn_judicious(c(
      "{format_count(sum(is.na(feature_row)))} of {format_count(length(feature_row))} pairs are not in
        {.arg {arg}}: their features are NA.",
      x = "The first is query {.val {features$query[is.na(feature_row)][1]}}, document
        {.val {features$doc[is.na(feature_row)][1]}}."
    ), "no_metadata", n = sum(is.na(feature_row)))
  }
  lapply(as.list(pairs[setdiff(names(pairs), c("query", "doc"))]), `[`, feature_row)
}

# For each row of `data`, the row of `table` with the same query and document, or NA.
match_ids <- function(table, data) {
  queries <- unique(table$query)
  docs <- unique(table$doc)
  match_pairs_cpp(match(table$query, queries), match(table$doc, docs),
                  match(id_text(data$query), queries, nomatch = 0L), match(id_text(data$doc), docs, nomatch = 0L))
}
