# Design-based estimates of systems, from documents that were drawn at random for judging. They need no model of gains;
# grades make them more precise. The estimator is the regression estimator of survey sampling, which for one system and
# one grader is that of PPI++ with power tuning.

# Gains for design-based estimates. `judgments`: as rank_systems() takes them. If they have a column `audit`, only
# documents that were drawn at random are used, and the probability of drawing a document is in proportion to the number
# of lists that have it; otherwise all documents are assumed to have the same probability.
design_gains <- function(x, judgments) {
  gain <- gains_by_judgments(x, judgments)
  audited <- is.data.frame(judgments) && is.logical(judgments[["audit"]])
  if (audited) {
    drawn <- find_pairs(x, judgments$query, judgments$doc)[judgments$audit %in% TRUE]
    gain[-c(drawn[!is.na(drawn)], n_pairs(x) + 1)] <- NA
  }
  structure(list(gain = gain, drawn = if (audited) audit_weight(x) else rep(1, n_pairs(x))), class = "judicious_design")
}

# The mean value of a system's results is estimated in two parts: the mean that the grades predict, and the mean error
# of this prediction, a ratio of weighted sums over the judged results. The influence of each judged document on the
# estimates determines their covariance.
rank_by_design <- function(x, gains, level, scope = "these", counts = NULL) {
  check_that(scope != "new", "scope", "Design-based estimates are of these queries: leave out {.arg scope}.")
  if (!is.null(counts)) x <- only_queries(x, counts)
  check_that(is_sum(x), "measure", c(
    "Design-based estimates need a measure that is a sum over documents, not {.val {x$scoring$measure$name}}.",
    i = "AG, CG, P, DCG and RBP are such measures."
  ), kind = "measure")
  judged <- which(!is.na(gains$gain))
  of_results <- result_weight(x)
  weight <- pair_weights(x, judged)
  n <- colSums(weight > 0)
  lacking <- which(n < 2)
  check_that(!length(lacking), "judgments", c(
    "Design-based estimates need two judged documents of every system, drawn at random.",
    x = "{name_some(x$systems$system[lacking])} {cli::qty(length(lacking))}{?has/have} fewer."
  ), kind = "empty")
  value <- transformed_gain(x, gains$gain[judged])
  predicted <- predict_by_grades(x, judged, value, weight)
  error <- value - predicted[judged]
  counted <- weight / gains$drawn[judged]
  share <- sweep(counted, 2, colSums(counted), `/`)
  mean_error <- colSums(share * error)
  total <- system_totals(x, of_results)
  influence <- sweep(share, 2, total, `*`) * outer(error, mean_error, `-`)
  # The errors of a few judged documents may be equal by chance, so the variance of each system is combined with that
  # over all systems, which has the weight of three further documents.
  pooled_weight <- 3
  pooled <- sum((outer(error, mean_error, `-`)[weight > 0])^2) / max(1, sum(n) - length(n))
  spread <- crossprod(influence)
  own_variance <- diag(spread) * n / (n - 1)
  variance <- ((n - 1) * own_variance + pooled_weight * total^2 * pooled * colSums(share^2)) / (n - 1 + pooled_weight)
  # The variance is multiplied by the share of unjudged results (finite population correction), and is widened such that
  # normal intervals of this level have the length of t intervals.
  unjudged_share <- 1 - n / tabulate(x$results$system, n_systems(x))
  t_to_normal <- stats::qt((1 + level) / 2, n - 1 + pooled_weight) / stats::qnorm((1 + level) / 2)
  widening <- sqrt(unjudged_share * variance / ifelse(own_variance > 0, diag(spread), 1)) * t_to_normal
  spread <- spread * outer(widening, widening)
  diag(spread) <- unjudged_share * variance * t_to_normal^2
  mean <- system_totals(x, of_results * predicted[result_pair(x)]) + total * mean_error
  new_ranking(x, mean, spread, judged = count_pairs(x, !is.na(gains$gain)))
}

# Predicts the gain of every pair by a linear function of its grades, fitted within systems; 0 without grades, or if
# there are fewer than ten judgments for each grader.
predict_by_grades <- function(x, judged, value, weight) {
  graders <- carried_grades(x)
  if (!length(graders) || length(judged) < 10 * length(graders)) return(numeric(n_pairs(x)))
  grade <- vapply(graders, function(one) suppressMessages(grades_on_pool(one, x, "grades")), numeric(n_pairs(x)))
  grade <- apply(grade, 2, function(g) ifelse(is.na(g), mean(g, na.rm = TRUE), g))
  heaviest <- max.col(weight, "first")
  within <- function(v) v - stats::ave(v, heaviest)
  slope <- stats::lm.fit(apply(grade[judged, , drop = FALSE], 2, within), within(value))$coefficients
  slope[is.na(slope)] <- 0
  drop(grade %*% slope)
}

design_note <- paste("Design-based estimates, without a model of gains: they hold if the judged documents were drawn",
                     "at random")
