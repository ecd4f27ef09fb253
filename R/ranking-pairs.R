# A symmetric matrix of numbers of the pairs a < b, in the order of compare_pairs(), with 1 on its diagonal.
symmetric_matrix <- function(of_pairs, m) {
  out <- matrix(1, m, m)
  out[lower.tri(out)] <- of_pairs
  out[upper.tri(out)] <- t(out)[upper.tri(out)]
  out
}

confidence_matrix <- function(ranking, delta = ranking$delta) {
  symmetric_matrix(compare_pairs(ranking, delta)$confidence, length(ranking$mean))
}

# The probability that a normal difference is smaller than `equal`, in either direction.
equal_probability <- function(difference, variance, equal) {
  sd <- sqrt(variance)
  probability <- stats::pnorm((equal - difference) / sd) - stats::pnorm((-equal - difference) / sd)
  ifelse(variance > 0, probability, as.numeric(abs(difference) < equal))
}

# Every pair of systems with the better one first, the best pairs first, and the interval of the difference.
pairs_best_first <- function(ranking) {
  data <- system_differences(ranking)
  turned <- data$difference < 0
  data[turned, c("system_a", "system_b")] <- data[turned, c("system_b", "system_a")]
  data$difference <- abs(data$difference)
  half <- stats::qnorm((1 + ranking$level) / 2) * data$sd
  data <- data.frame(data[1:4], lower = data$difference - half, upper = data$difference + half,
                     confidence = data$confidence)
  place <- rank(-ranking$mean, ties.method = "first")
  data <- data[order(place[data$system_a], place[data$system_b]), ]
  rownames(data) <- NULL
  data
}
