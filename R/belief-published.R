# Independent gains as in Urbano and Schedl (2013): estimated by one model before anything is judged, and by another
# model once there are judgments.

# The features of a pair that depend on judgments.
judged_columns <- c("aSYS", "aDOC", "aGEN", "aART")

# The gains before any judgment. With `model` NULL, and for pairs that lack a feature, they are uniform.
output_gains <- function(x, model, features, call = caller_env()) {
  if (is.null(model)) return(uniform_gains(x))
  given <- distribute_gains(model, features, x$scale, "output_model", call = call)
  make_uniform(given, which(is.na(given$mean)))
}

# Detects errors of the model before anything is judged, by predicting one row as if its query were judged with the
# middle of the scale.
try_judge_model <- function(x, model, features, call) {
  features[judged_columns] <- mean(range(x$scale$levels))
  first <- which(complete_for_model(model, features, call))[1]
  if (!is.na(first)) distribute_gains(model, features[first, , drop = FALSE], x$scale, "judge_model", call = call)
}

# Estimates the unjudged pairs of `gains` again, given `known`, the gain of each pair, NA for unjudged ones.
judge_gains <- function(x, gains, model, features, known, labels = pool_labels(x)) {
  features[judged_columns] <- gain_features(x, known, labels = labels)[judged_columns]
  rows <- which(is.na(known) & complete_for_model(model, features))
  other <- distribute_gains(model, features[rows, , drop = FALSE], x$scale, "judge_model")
  gains$prob[rows, ] <- other$prob
  gains$mean[rows] <- other$mean
  gains$variance[rows] <- other$variance
  gains$fallback[rows] <- FALSE
  gains
}

# The gains of the published models on their scales; uniform gains on other scales.
published_gains <- function(x, call = caller_env()) {
  features <- output_features(x)
  if (!lower_ascii(x$scale$name) %in% c("broad", "fine")) return(known_made_certain(x, uniform_gains(x)))
  gains <- output_gains(x, mirex_model("output", x$scale), features, call)
  if (all(is.na(x$gain))) return(gains)
  known_made_certain(x, judge_gains(x, gains, mirex_model("judge", x$scale), features, x$gain))
}

known_made_certain <- function(x, gains) {
  judged <- which(!is.na(x$gain))
  make_certain(gains, judged, x$gain[judged])
}
