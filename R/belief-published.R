# Independent gains as Urbano and Schedl (2013) estimate them: by one model before anything is judged, and by another
# once judgments are known.

#' The gains of the whole pool: at the start, and after judgments
#'
#' @return A list: `base`, gains before anything is judged, and `update`, a function of each pair's gain
#'   (NA where not judged) that gives the gains then.
#' @noRd
gain_estimator <- function(x, output_model, judge_model, features, call = caller_env()) {
  force(call)
  base <- if (is.null(output_model)) {
    uniform_gains(x)
  } else {
    gains <- distribute_gains(output_model, features, x$scale, "output_model", call = call)
    make_uniform(gains, which(is.na(gains$mean)))
  }
  if (is.null(judge_model)) return(list(base = base, update = function(gain) base))
  labels <- pool_labels(x)
  judged_columns <- c("aSYS", "aDOC", "aGEN", "aART")
  features[judged_columns] <- NA_real_
  try_judge_model(x, judge_model, features, judged_columns, call)
  list(base = base, update = function(gain) {
    features[judged_columns] <- gain_features(x, gain, labels = labels)[judged_columns]
    rows <- which(is.na(gain))
    judged <- distribute_gains(judge_model, features[rows, , drop = FALSE], x$scale, "judge_model", call = call)
    replace_gains(base, rows, judged)
  })
}

# What is wrong with the model is said before anything is judged: it predicts one row, as if its query were
# judged half-way up the scale.
try_judge_model <- function(x, model, features, judged_columns, call) {
  features[judged_columns] <- mean(range(x$scale$levels))
  row <- which(complete_for_model(model, features, call))[1]
  if (!is.na(row)) distribute_gains(model, features[row, , drop = FALSE], x$scale, "judge_model", call = call)
}

# Rows for which the other gives nothing keep what they have.
replace_gains <- function(gains, rows, other) {
  known <- which(!is.na(other$mean))
  rows <- rows[known]
  gains$prob[rows, ] <- other$prob[known, ]
  gains$mean[rows] <- other$mean[known]
  gains$variance[rows] <- other$variance[known]
  gains$fallback[rows] <- FALSE
  gains
}

# An estimator's gains when some are known: `gain` is NA where they are not.
conditioned_gains <- function(estimator, gain) {
  judged <- which(!is.na(gain))
  if (!length(judged)) return(estimator$base)
  make_certain(estimator$update(gain), judged, gain[judged])
}

# The published models where they exist and the features that they need are known; uniform gains otherwise.
published_gains <- function(x) {
  models <- if (lower_ascii(x$scale$name) %in% c("broad", "fine")) {
    list(output = mirex_model("output", x$scale), judge = mirex_model("judge", x$scale))
  }
  conditioned_gains(gain_estimator(x, models$output, models$judge, output_features(x)), x$gain)
}
