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
