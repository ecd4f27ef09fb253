# Symmetric matrix with the values `of_pairs` of pairs a < b, in the order of compare_pairs(), and 1 on the diagonal.
symmetric_matrix <- function(of_pairs, m) {
  out <- diag(0.5, m)
  out[lower.tri(out)] <- of_pairs
  out + t(out)
}

confidence_matrix <- function(ranking, delta = ranking$delta) {
  symmetric_matrix(compare_pairs(ranking, delta)$confidence, length(ranking$mean))
}

# Probability that the absolute value of a normal difference is below `equal`.
equal_probability <- function(difference, variance, equal) {
  sd <- sqrt(variance)
  probability <- stats::pnorm((equal - difference) / sd) - stats::pnorm((-equal - difference) / sd)
  ifelse(variance > 0, probability, as.numeric(abs(difference) < equal))
}

#' @rdname rank_systems
#' @export
print.judicious_system_differences <- function(x, n = 30, ...) {
  span <- attr(x, "span")
  if (is.null(span) || !all(c("difference", "sd", "confidence") %in% names(x))) return(NextMethod())
  shown <- as.data.frame(x)
  if (nrow(x) > n) {
    shown <- utils::head(shown[order(shown$confidence), ], n)
    cat(counted(nrow(x), "difference"), " in ", attr(x, "measure"), ", least certain first\n", sep = "")
  }
  shown[c("difference", "sd")] <- lapply(shown[c("difference", "sd")], score_text, span = span)
  chances <- intersect(c("confidence", "equal"), names(shown))
  shown[chances] <- lapply(shown[chances], function(p) sprintf("%.4f", p))
  print(shown, row.names = FALSE)
  cat_rest(nrow(x) - nrow(shown), "pair")
  invisible(x)
}

# Every pair of systems with its interval, the better system first and the largest differences first.
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
