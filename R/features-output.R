#' Compute features of query-document pairs
#'
#' @description
#' `output_features()` computes features from the systems' output and the metadata; it needs no judgments.
#' `judgment_features()` computes features from the judgments made so far. Use them as predictors in [pom()] and
#' [gain_distribution()].
#'
#' @details
#' The definitions are those of Urbano and Schedl (2013, section 4.2):
#'
#' - `pSYS`, `pTEAM`: share of the systems, and of the teams, that retrieved the document for the query.
#' - `OV`: the number of pairs in the pool divided by the number of results. It is one number per collection, so a model
#'   fitted to a single collection cannot use it.
#' - `aRANK`: mean rank at which systems retrieved the document; NA if runs have no ranks.
#' - `sGEN`: 1 if the document has the genre of the query, 0 if it has another genre.
#' - `pGEN`, `pART`: share of the query's documents in the pool that have the document's genre (artist), including the
#'   document itself, among those whose genre (artist) is known.
#' - `aSYS`: mean, over the systems that retrieved the document, of the system's mean judged gain over
#'   all its results; systems without judged results are left out.
#' - `aDOC`: mean judged gain of the query's other documents.
#' - `aGEN`, `aART`: mean judged gain of the query's documents that have the document's genre (artist).
#'
#' Missing metadata give NA, never 0. An empty genre or artist counts as missing.
#'
#' @section A document's own gain: A model that learns from judged pairs must not see the gain that it predicts.
#'   Therefore, a pair's own gain is left out of all four judgment-based features, including each system's mean in
#'   `aSYS`. The published judgment-based model was fitted with the own gain in `aSYS`, `aGEN` and `aART`;
#'   `self = TRUE` reproduces this. For unjudged pairs, there is no difference.
#'
#' @param x A [test_collection()]. Genres and artists are the columns `genre` and `artist` of its
#'   `documents`; a query's genre is the column `genre` of its `queries`.
#' @return A data frame with columns `query`, `doc` and the features, one row per pair of the pool, in
#'   pool order.
#' @inherit mtc references
#' @seealso [add_features()] adds custom features, [gain_distribution()] uses the features.
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
#' output_features(x)
#' judgment_features(x, data.frame(query = "q1", doc = c("d1", "d3"), gain = c(2, 0)))
#' @order 1
#' @export
output_features <- function(x) {
  x <- judged_collection(x)
  teams <- unique(x$systems$team)
  f <- output_features_cpp(x$results, match(x$systems$team, teams), length(teams),
                           x$results$rank %||% integer(), pool_labels(x))
  if (!length(f$aRANK)) f$aRANK <- rep(NA_real_, n_pairs(x))
  f$OV <- rep(n_pairs(x) / n_results(x), n_pairs(x))
  cbind(pool_ids(x), as.data.frame(f[c("pSYS", "pTEAM", "OV", "aRANK", "sGEN", "pGEN", "pART")]))
}

# Codes of query, genre, artist and the query's genre for each pair of the pool; 0 if unknown.
pool_labels <- function(x) {
  doc <- x$pool$doc
  genre <- label_text(x$documents$genre, nrow(x$documents))
  artist <- label_text(x$documents$artist, nrow(x$documents))
  query_genre <- label_text(x$queries$genre, n_queries(x))
  genres <- known_labels(c(genre, query_genre))
  list(
    query = x$pool$query,
    genre = match(genre, genres, nomatch = 0L)[doc],
    artist = match(artist, known_labels(artist), nomatch = 0L)[doc],
    query_genre = match(query_genre, genres, nomatch = 0L)[x$pool$query]
  )
}

label_text <- function(label, n) if (is.null(label)) rep(NA_character_, n) else id_text(label)

known_labels <- function(text) setdiff(unique(text), c(NA, ""))

#' @rdname output_features
#' @param judgments The judgments made so far: a data frame with `query`, `doc` and `gain`, or the path of such a file.
#'   NULL uses the judgments of the collection.
#' @param self TRUE includes a judged pair's own gain in `aSYS`, `aGEN` and `aART`, as in the paper.
#' @export
judgment_features <- function(x, judgments = NULL, self = FALSE) {
  x <- judged_collection(x)
  check_flag(self, "self")
  cbind(pool_ids(x), gain_features(x, judgments_or_own(x, judgments), self))
}

# The features, given the gain of each pair, NA for unjudged pairs.
gain_features <- function(x, gain, self = FALSE, labels = pool_labels(x)) {
  judged <- which(!is.na(gain))
  as.data.frame(judgment_features_cpp(x$results, n_systems(x), labels, judged, gain[judged], self))
}
