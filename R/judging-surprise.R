# How far the judgments of a session differ from what the model predicted, and the factor by which to widen its
# uncertainty.

surprise_interval <- function(of, level) of$z2 * of$df / stats::qchisq((1 + c(level, -level)) / 2, of$df)

# For the judgments that were not undone: the error (gain minus expected gain just before the judgment), the stated
# standard deviation, and the contribution of the pair to each system (`weight`, judgments by systems).
surprises <- function(e) {
  judgments <- memory_rows(e$judgments)
  steps <- memory_rows(e$trace)
  kept <- steps$kind == "judge" & steps$event %in% judgments$event & (!is.na(steps$sd) & steps$sd > 0)
  steps <- steps[kept, , drop = FALSE]
  judgment <- match(steps$event, judgments$event)
  list(error = worth_of(e$x$scale, judgments$gain[judgment]) - steps$mean, sd = steps$sd,
       weight = pair_weights(e$x, judgments$pair[judgment]))
}

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
