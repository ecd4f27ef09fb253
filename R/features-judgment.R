#' @rdname output_features
#' @param judgments A data frame with `query`, `doc` and `gain`, or the path of such a file: what is judged so far.
#'   NULL takes the collection's own judgments.
#' @param self TRUE counts a judged pair's own gain in `aSYS`, `aGEN` and `aART`, as the publication did.
#' @export
judgment_features <- function(x, judgments = NULL, self = FALSE) {
  x <- judged_collection(x)
  check_flag(self, "self")
  cbind(pool_ids(x), gain_features(x, judgments_or_own(x, judgments), self))
}

# The features from the gain of each pair, NA where it is not judged.
gain_features <- function(x, gain, self = FALSE, labels = pool_labels(x)) {
  judged <- which(!is.na(gain))
  as.data.frame(judgment_features_cpp(x$results, n_systems(x), labels, judged, gain[judged], self))
}
