#' Compute features of query-document pairs
#'
#' @description `output_features()` computes features of query-document pairs from the systems' output and the
#' metadata, `judgment_features()` from the judgments so far, as predictors in [pom()] and [gain_distribution()].
#'
#' @details From Urbano and Schedl (2013, section 4.2):
#'
#' - `pSYS`, `pTEAM`: share of the systems, and of the teams, that retrieved the document for the query.
#' - `OV`: the number of pairs in the pool divided by the number of results. It is one number per collection.
#' - `aRANK`: mean rank at which systems retrieved the document; NA if runs have no ranks.
#' - `sGEN`: 1 if the document has the genre of the query, 0 if it has another genre.
#' - `pGEN`, `pART`: share of the query's documents in the pool, among those whose genre (artist) is known, that have
#'   the document's, itself included.
#' - `aSYS`: mean, over the systems that retrieved the document, of the system's mean judged gain over
#'   all its results; systems without judged results are left out.
#' - `aDOC`: mean judged gain of the query's other documents.
#' - `aGEN`, `aART`: mean judged gain of the query's documents that have the document's genre (artist).
#'
#' Missing or empty metadata give NA, never 0.
#'
#' @section A document's own gain: A model must not see the gain that it predicts, so a judged pair's own gain is left
#'   out of the judgment-based features, unless `self = TRUE`.
#'
#' @param x A [test_collection()], with the columns `genre` and `artist` of `documents` and `genre` of `queries`.
#' @param documents,queries,systems Custom features: names of columns of the collection's `documents`, `queries` and
#'   `systems`; a named vector renames them: `c(doc_length = "length")`. A pair has the value of its document or query.
#'   A numeric or logical column of `systems` is averaged over those that retrieved the pair; for text or a factor,
#'   columns `<name>_<level>` have the shares of these systems at each level.
#' @param pairs A data frame with columns `query` and `doc` and features of single pairs, which are added. A warning
#'   counts missing pairs.
#' @return A data frame with columns `query`, `doc` and the features, one row per pair in pool order. Unknown values are
#'   NA.
#' @references Urbano and Schedl (2013): see [mtc()].
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B", "C"), each = 2), query = "q1",
#'   doc = c("d1", "d2", "d1", "d3", "d2", "d3"), rank = rep(1:2, 3)
#' )
#' documents <- data.frame(
#'   doc = c("d1", "d2", "d3"), genre = c("rock", "rock", "folk"), artist = c("x", "y", "y")
#' )
#' queries <- data.frame(query = "q1", genre = "rock")
#' x <- test_collection(runs, documents, queries = queries, k = 2, scale = broad_scale())
#' output_features(x, documents = "artist")
#' judgment_features(x, data.frame(query = "q1", doc = c("d1", "d3"), gain = c(2, 0)))
#' @order 1
#' @export
output_features <- function(x, documents = NULL, queries = NULL, systems = NULL, pairs = NULL) {
  x <- judged_collection(x)
  f <- pair_features(x)
  if (!length(f$aRANK)) f$aRANK <- rep(NA_real_, n_pairs(x))
  f$OV <- rep(n_pairs(x) / n_results(x), n_pairs(x))
  features <- cbind(pool_ids(x), as.data.frame(f[c("pSYS", "pTEAM", "OV", "aRANK", "sGEN", "pGEN", "pART")]))
  added <- c(metadata_columns(x$documents, documents, "documents", x$pool$doc),
             metadata_columns(x$queries, queries, "queries", x$pool$query),
             system_features(x, systems), pair_columns(features, pairs))
  taken <- names(added)[names(added) %in% names(features) | duplicated(names(added))]
  abort_unless(!length(taken), c(
    "The name{?s} {.val {unique(taken)}} of added features {?is/are} taken already.",
    i = "Rename with a named vector, as in {.code documents = c(doc_{taken[1]} = \"{taken[1]}\")}."
  ), "columns", columns = unique(taken))
  features[names(added)] <- added
  features
}

#' @rdname output_features
#' @param judgments The judgments made so far: a data frame with `query`, `doc` and `gain`, or its path. NULL uses the
#'   judgments of the collection.
#' @param self TRUE includes a judged pair's own gain in `aSYS`, `aGEN` and `aART`, as in the paper.
#' @export
judgment_features <- function(x, judgments = NULL, self = FALSE) {
  x <- judged_collection(x)
  check_flag(self, "self")
  cbind(pool_ids(x), gain_features(x, gains_by_judgments(x, judgments), self))
}

# The features that depend on judgments. `gain`: the gain of each pair, NA for unjudged pairs.
gain_features <- function(x, gain, self = FALSE, labels = pool_labels(x)) {
  judged <- which(!is.na(gain))
  as.data.frame(judgment_features_cpp(x$results, n_systems(x), labels, judged, gain[judged], self))
}

# Columns of a metadata table for some `rows`; names of `columns` become their new names.
metadata_columns <- function(table, columns, arg, rows = seq_len(nrow(table))) {
  if (is.null(columns)) return(list())
  check_that(is.character(columns) && !anyNA(columns), arg,
             "must be names of columns, not {.obj_type_friendly {columns}}.")
  refuse_absent_columns(table, columns, arg, "The collection's {arg} have", "Their")
  new_names <- names(columns) %||% rep("", length(columns))
  stats::setNames(lapply(table[columns], `[`, rows), ifelse(nzchar(new_names), new_names, columns))
}

# Features from columns of systems: means and shares over the systems that retrieved each pair of the pool.
system_features <- function(x, columns) {
  chosen <- metadata_columns(x$systems, columns, "systems")
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
