# How far the judgments of a session differ from what the model predicted, and the factor by which to widen its
# uncertainty.

surprise_interval <- function(of, level) of$z2 * of$df / stats::qchisq((1 + c(level, -level)) / 2, of$df)

# For the judgments that were not undone: the error (gain minus expected gain just before the judgment), the stated
# standard deviation, and the contribution of the pair to each system (`weight`, judgments by systems). Documents that
# the session did not select, such as those judged before it began, are left out: they were predicted before any
# estimation, and rank_systems(), which knows no predictions, must say the same of the same judgments.
surprises <- function(e) {
  judgments <- memory_rows(e$judgments)
  steps <- memory_rows(e$trace)
  judgment <- match(steps$event, judgments$event)
  kept <- steps$kind == "judge" & !is.na(judgment) & !is.na(steps$sd) & steps$sd > 0
  if (!is.null(e$store)) kept <- kept & judgments$pair[judgment] %in% slot_pairs(e, 0:1)
  steps <- steps[kept, , drop = FALSE]
  judgment <- judgment[kept]
  list(error = transformed_gain(e$x, judgments$gain[judgment]) - steps$mean, sd = steps$sd,
       weight = pair_weights(e$x, judgments$pair[judgment]))
}

# The pairs that the session selected by its strategy (0) or at random (1). How others were selected is not known (NA).
slot_pairs <- function(e, audit) store_rows(e$store, "slot", list(audit = audit))$pair

# Differences between systems in their sums of errors, in units of their standard deviations (`z`), their mean square
# `z2`, and the degrees of freedom `df`: chi-squared with `df` degrees of freedom, divided by `df`, has the variance of
# z2. z2 is a quadratic form with matrix A of the sums, whose covariance C is known: mean tr(AC) = 1, variance
# 2 tr(ACAC).
difference_surprise <- function(of) {
  sums <- colSums(of$weight * of$error)
  covariance <- crossprod(of$weight * of$sd)
  variance <- difference_variance_cpp(covariance)
  compared <- upper.tri(variance) & variance > 1e-10 * max(variance, 0)
  n <- sum(compared)
  if (!n) return(list(z = numeric()))
  z <- outer(sums, sums, `-`)[compared] / sqrt(variance[compared])
  inverse <- matrix(0, nrow(variance), ncol(variance))
  inverse[compared] <- 1 / variance[compared]
  inverse <- inverse + t(inverse)
  form <- (diag(rowSums(inverse), nrow(inverse)) - inverse) / n
  product <- form %*% covariance
  list(z = z, z2 = mean(z^2), df = 1 / sum(product * t(product)))
}

# The factor by which to multiply the covariance of the systems, given the judgments so far; 1 without evidence against
# the model.
widening_factor <- function(e, level = 0.99) {
  surprise <- difference_surprise(surprises(e))
  if (is.null(surprise$df) || surprise_interval(surprise, level)[1] <= 1) 1 else surprise$z2
}
