# The exact distribution of a system's AG@k, for Figure 1 of Urbano and Schedl (2013).
#
# AG@k is a mean of gains, so its distribution is the convolution of theirs. A judged pair has its gain with certainty.
# A pair with the uniform distribution has every level of the scale (0, 1, ..., 100 on the Fine scale), and any other
# pair the levels of its model (0, 11, ..., 99). The values of AG@k are multiples of the greatest common divisor of the
# levels, divided by k (times the number of queries). If this divisor is below a 5,000th of the range of levels, a grid
# of that width is used instead: the probability of each level is divided between its two nearest points, which
# preserves the mean.

# A list of `value` (AG@k of one `query`, or, if that is NULL, of the mean over all; evenly spaced, ascending),
# `probability`, `step` (the distance between values), `mean` and `sd`.
effectiveness_distribution <- function(x, gains, system, query = NULL) {
  g <- gains_on_pool(x, gains)
  of_query <- is.null(query) | x$queries$query[x$pool$query] %in% query
  retrieved <- result_pair(x)[x$systems$system[x$results$system] == system]
  retrieved <- retrieved[rep_len(of_query, n_pairs(x))[retrieved]]
  divisor <- if (is.null(query)) gain_divisor(x) else x$k
  sums <- gain_sum(pair_distributions(x, gains, retrieved))
  list(value = (sums$start + sums$step * (seq_along(sums$probability) - 1)) / divisor,
       probability = sums$probability, step = sums$step / divisor, mean = sum(g$mean[retrieved]) / divisor,
       sd = sqrt(sum(g$variance[retrieved])) / divisor)
}

# `value`, `probability` and `normal`, the probability of the normal distribution within half a step of the value.
beside_normal <- function(x) {
  edge <- c(x$value - x$step / 2, x$value[length(x$value)] + x$step / 2)
  normal <- if (x$sd > 0) diff(stats::pnorm(edge, x$mean, x$sd)) else as.numeric(abs(x$value - x$mean) <= x$step / 2)
  data.frame(value = x$value, probability = x$probability, normal = normal)
}

# Levels and probabilities of the gain of each of `pairs`.
pair_distributions <- function(x, gains, pairs) {
  rows <- if (is.null(gains$query)) pairs else match_ids(gains, pool_ids(x)[pairs, , drop = FALSE])
  uniform <- uniform_gain(x$scale)
  scale_levels <- x$scale$levels
  lapply(rows, function(i) {
    if (gains$variance[i] == 0) return(list(level = gains$mean[i], prob = 1))
    flat <- gains$mean[i] == uniform$mean && gains$variance[i] == uniform$variance
    if (flat) return(list(level = scale_levels, prob = rep(1 / length(scale_levels), length(scale_levels))))
    list(level = x$scale$model_levels, prob = unname(gains$prob[i, ]))
  })
}

# Distribution of a sum of independent gains: the probabilities of start, start + step, ...
gain_sum <- function(parts) {
  certain <- lengths(lapply(parts, `[[`, "prob")) == 1
  lowest <- sum(vapply(parts, function(part) min(part$level), 0))
  parts <- lapply(parts[!certain], function(part) list(prob = part$prob, above = part$level - min(part$level)))
  width <- common_step(unlist(lapply(parts, function(part) unique(part$above))))
  sums <- lapply(parts, function(part) on_lattice(part$above / width, part$prob))
  # Adds neighbours pairwise, so that there are few convolutions of long vectors.
  while (length(sums) > 1) {
    odd <- seq(1, length(sums), by = 2)
    sums <- lapply(odd, function(i) Reduce(convolve_probabilities, sums[seq(i, min(i + 1, length(sums)))]))
  }
  list(start = lowest, step = width, probability = if (length(sums)) sums[[1]] else 1)
}

# The greatest common divisor of the distances, but at least a 5,000th of the largest distance.
common_step <- function(above) {
  above <- unique(above[above > 0])
  if (!length(above)) return(1)
  tolerance <- 1e-9 * max(above)
  divisor <- function(a, b) {
    while (b > tolerance) {
      rest <- a %% b
      if (b - rest < tolerance) rest <- 0
      a <- b
      b <- rest
    }
    a
  }
  max(Reduce(divisor, above), max(above) / 5000)
}

on_lattice <- function(position, prob) {
  below <- floor(position + 1e-6)
  share <- pmax(position - below, 0)
  share[share < 1e-6] <- 0
  result <- numeric(max(below) + 1 + any(share[below == max(below)] > 0))
  for (i in seq_along(prob)) {
    result[below[i] + 1] <- result[below[i] + 1] + prob[i] * (1 - share[i])
    if (share[i] > 0) result[below[i] + 2] <- result[below[i] + 2] + prob[i] * share[i]
  }
  result
}

convolve_probabilities <- function(a, b) {
  n <- length(a) + length(b) - 1
  size <- stats::nextn(n)
  pad <- function(p) stats::fft(c(p, numeric(size - length(p))))
  # The Fourier transform has errors of about 1e-16, which can make small probabilities negative.
  pmax(Re(stats::fft(pad(a) * pad(b), inverse = TRUE))[seq_len(n)] / size, 0)
}

# Bars (densities, `width` wide) and the normal curve. If there are more values than `most_bars`, neighbouring values
# share a bar.
distribution_picture <- function(x, most_bars = 200) {
  inside <- range(which(cumsum(x$probability) >= 5e-7 & rev(cumsum(rev(x$probability))) >= 5e-7))
  shown <- seq(inside[1], inside[2])
  per_bar <- ceiling(length(shown) / most_bars)
  bar <- (seq_along(shown) - 1) %/% per_bar
  width <- x$step * per_bar
  bars <- data.frame(
    value = as.vector(tapply(x$value[shown], bar, function(value) value[1] - x$step / 2 + width / 2)),
    density = as.vector(tapply(x$probability[shown], bar, sum)) / width
  )
  curve <- data.frame(value = numeric(), density = numeric())
  if (x$sd > 0) {
    grid <- seq(bars$value[1] - width / 2, bars$value[nrow(bars)] + width / 2, length.out = 300)
    curve <- data.frame(value = grid, density = stats::dnorm(grid, x$mean, x$sd))
  }
  list(bars = bars, width = width, curve = curve)
}
