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
