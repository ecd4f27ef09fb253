# The figures that bench/rivals.R reports for an estimate, and its tables.

# Paired t tests of all pairs of systems on the full judgments, with Holm's correction at the level .05. A matrix of
# systems: 1 if the first is better, -1 if it is worse, 0 if the pair is not significant.
significant_pairs <- function(x) {
  n <- nrow(x$queries)
  scores <- rowsum(weights_of(x) * x$gain, factor(x$pool$query, seq_len(n))) * n
  means <- colMeans(scores)
  spread <- stats::cov(scores)
  difference <- outer(means, means, "-")
  sd <- sqrt(pmax(outer(diag(spread), diag(spread), "+") - 2 * spread, 0) / n)
  holm_signs(difference, sd, n - 1)
}

# Signs of the differences that are significant, two-sided at .05, after Holm's correction.
holm_signs <- function(difference, sd, df) {
  at <- upper.tri(difference)
  p <- ifelse(sd[at] <= 1e-12, 1 - (abs(difference[at]) > 1e-12),
              2 * stats::pt(-abs(difference[at]) / pmax(sd[at], 1e-12), df))
  out <- matrix(0, nrow(difference), ncol(difference))
  out[at] <- sign(difference[at]) * (stats::p.adjust(p, "holm") <= 0.05)
  out
}

# score() of bench/trust.R and: the share of the true best three that are among the estimated best three (of systems
# tied with the third, any counts). Of the pairs that are significant with all judgments: the share in the right order
# (`kept`), and the share that the method itself calls significant at the same level, with this sign (`shown`). Of all
# pairs: the share that the method calls significant in the wrong order (`shown_wrong`), truly equal ones included.
rival_score <- function(estimate, truth, significant) {
  row <- score(estimate, truth)
  third <- sort(truth, decreasing = TRUE)[3] - 1e-9 * max(abs(truth))
  best <- order(estimate$mean, decreasing = TRUE)[1:3]
  at <- which(significant != 0, arr.ind = TRUE)
  sign <- significant[at]
  difference <- outer(estimate$mean, estimate$mean, "-")
  order <- difference[at]
  tied <- abs(order) <= 1e-9 * max(abs(truth))
  row <- data.frame(row[c("right", "stated", "z2", "coverage", "coverage_differences")],
                    top3 = mean(truth[best] >= third), kept = mean(ifelse(tied, 0.5, sign(order) == sign)),
                    shown = NA_real_, shown_wrong = NA_real_)
  if (is.null(estimate$covariance)) return(row)
  variance <- diag(estimate$covariance)
  sd <- sqrt(pmax(outer(variance, variance, "+") - 2 * estimate$covariance, 0))
  called <- holm_signs(difference, sd, estimate$df)
  true <- outer(truth, truth, "-")
  true <- ifelse(abs(true) <= 1e-9 * max(abs(truth)), 0, sign(true))
  row$shown <- mean(called[at] == sign)
  row$shown_wrong <- mean((called != 0 & called != true)[upper.tri(true)])
  row
}

rival_figures <- c("right", "stated", "z2", "coverage", "coverage_differences", "top3", "kept", "shown",
                   "shown_wrong")

# Means over seeds, by collection, method and budget.
rival_means <- function(rows) {
  known <- rows$collection %in% names(collection_families)
  rows$family <- ifelse(known, collection_families[rows$collection], rows$collection)
  stats::aggregate(rows[rival_figures], rows[c("budget", "method", "collection", "family")], mean, na.rm = TRUE,
                   na.action = stats::na.pass)
}

# The table of rivals: one row per method and set of collections (those with grades and those without), means over
# collections at `budget`, over those where the method was run; and the median over collections of the judgments from
# which on .90 and .95 of the pairs are right. A collection where a share is not reached counts as infinitely many
# judgments; `reached` counts those that reach it.
rival_table <- function(rows, budget) {
  means <- rival_means(rows)
  graded <- unique(means$collection[means$method == "grades alone"])
  means$set <- ifelse(means$collection %in% graded, "with grades", "without grades")
  needed <- lapply(c(0.9, 0.95), function(share) judgments_to(means, share))
  parts <- split(means, means[c("method", "set")], drop = TRUE)
  table <- do.call(rbind, lapply(parts, function(part) {
    now <- part[part$budget == budget, ]
    to <- vapply(needed, function(to) {
      own <- to[to$method == part$method[1] & to$collection %in% part$collection, ]
      c(stats::median(ifelse(is.na(own$judgments), Inf, own$judgments)), sum(!is.na(own$judgments)))
    }, numeric(2))
    data.frame(set = part$set[1], method = part$method[1], collections = nrow(now),
               as.list(colMeans(now[rival_figures], na.rm = TRUE)), to_90 = to[1, 1], reached_90 = to[2, 1],
               to_95 = to[1, 2], reached_95 = to[2, 2])
  }))
  table[rival_figures] <- lapply(table[rival_figures], function(v) ifelse(is.nan(v), NA, signif(v, 3)))
  table <- table[order(table$set, -table$right), ]
  rownames(table) <- NULL
  table
}

# One row per collection and budget above 0: the best joint gains (with grades or without), the best of the other
# methods, and whether this one orders more pairs right by more than `tolerance`. `means`: by rival_means().
rival_settings <- function(means, tolerance = 0.005) {
  means <- means[means$budget > 0, ]
  parts <- split(means, means[c("budget", "collection")], drop = TRUE)
  settings <- do.call(rbind, lapply(parts, function(part) {
    ours <- startsWith(part$method, "joint gains")
    rival <- part[!ours, ][which.max(part$right[!ours]), ]
    data.frame(collection = part$collection[1], judgments = part$budget[1], joint = max(part$right[ours]),
               rival = rival$method, right = rival$right, covers = rival$coverage_differences)
  }))
  settings$better <- settings$right > settings$joint + tolerance
  rownames(settings) <- NULL
  settings
}
