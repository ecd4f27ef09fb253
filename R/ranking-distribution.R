#' Compute the distribution of a system's effectiveness
#'
#' @description Computes the exact distribution of a system's AG@k, for one query or for the mean over all queries, from
#' independent distributions of the gains. Use it to check the normal approximation on which confidence is based:
#' `plot()` draws both, as Fig. 1 of Urbano and Schedl (2013).
#'
#' @details AG@k is a mean of gains, so its distribution is the convolution of theirs. A judged pair has its gain with
#' certainty. A pair with the uniform distribution has every level of the scale (0, 1, ..., 100 on the Fine scale), and
#' any other pair the levels of its model (0, 11, ..., 99). The values of AG@k are multiples of the greatest common
#' divisor of the levels, divided by k (times the number of queries). If this divisor is below a 5,000th of the range of
#' levels, a grid of that width is used instead: the probability of each level is divided between its two nearest
#' points, which preserves the mean.
#'
#' @param x A [test_collection()].
#' @param gains A [gain_distribution()] for the pairs of its pool. The figure in the paper uses [uniform_gains()].
#' @param system The name of a system, one string.
#' @param query The identifier of a query, or NULL (default) for the mean over all queries, which raises an error if
#'   queries have weights.
#' @return A `judicious_distribution`: a list with `value` (AG@k, evenly spaced, ascending), `probability`, `step` (the
#'   distance between values), `mean`, `sd`, `system`, `query`, `k` and `n_queries`. `as.data.frame()` returns `value`,
#'   `probability` and `normal`, the probability of the normal distribution within half a step of the value. `print()`
#'   shows the largest error of the normal approximation of the distribution function, and
#'   [plot()][plot.judicious_distribution] draws both distributions.
#' @inherit mtc references
#' @seealso [rank_systems()].
#' @examples
#' x <- simulate_collection(queries = 3, documents = 200, artists = 20, systems = 3, seed = 1,
#'                          scale = broad_scale())
#' d <- effectiveness_distribution(x, uniform_gains(x), "S01", "q01")
#' d
#' as.data.frame(d)
#' @export
effectiveness_distribution <- function(x, gains, system, query = NULL) {
  g <- gains_on_pool(x, gains)
  system_number <- match(check_one_id(system, "system"), x$systems$system)
  if (is.na(system_number)) unknown_id(system, "system", x$systems$system)
  retrieved <- result_pair(x)[x$results$system == system_number]
  if (is.null(query)) {
    refuse_weights(x, "The distribution of a mean is",
                   "Name one {.arg query}, or use {.fn rank_systems} for mean and variance.")
  } else {
    query_number <- match(check_one_id(query, "query"), x$queries$query)
    if (is.na(query_number)) unknown_id(query, "query", x$queries$query)
    retrieved <- retrieved[x$pool$query[retrieved] == query_number]
  }
  divisor <- if (is.null(query)) gain_divisor(x) else x$k
  sums <- gain_sum(pair_distributions(x, gains, retrieved))
  structure(list(
    value = (sums$start + sums$step * (seq_along(sums$probability) - 1)) / divisor, probability = sums$probability,
    step = sums$step / divisor, mean = sum(g$mean[retrieved]) / divisor,
    sd = sqrt(sum(g$variance[retrieved])) / divisor, system = x$systems$system[system_number], query = query,
    k = x$k, n_queries = n_queries(x)
  ), class = "judicious_distribution")
}

check_one_id <- function(id, arg, call = caller_env()) {
  check_that(length(id) == 1, arg, "must be one identifier, not {.obj_type_friendly {id}}.", call = call)
  check_ids(id, arg, arg, call)
}

unknown_id <- function(id, arg, known, call = caller_env()) {
  abort_judicious(c(
    "{.arg {arg}} {.val {id}} is not in the collection.",
    i = "It has {name_some(known)}."
  ), paste0("unknown_", arg), argument = arg, call = call)
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

#' @export
as.data.frame.judicious_distribution <- function(x, row.names = NULL, optional = FALSE, ...) {
  edge <- c(x$value - x$step / 2, x$value[length(x$value)] + x$step / 2)
  normal <- if (x$sd > 0) diff(stats::pnorm(edge, x$mean, x$sd)) else as.numeric(abs(x$value - x$mean) <= x$step / 2)
  data.frame(value = x$value, probability = x$probability, normal = normal, row.names = row.names)
}

#' @export
print.judicious_distribution <- function(x, ...) {
  item <- function(label, value) cat(sprintf("  %-8s %s\n", label, value))
  cat(distribution_title(x), "\n", sep = "")
  item("mean", short(x$mean))
  item("sd", short(x$sd))
  item("values", paste(format_count(length(x$value)), "from", short(x$value[1]), "to", short(x$value[length(x$value)])))
  by_value <- as.data.frame(x)
  off <- max(abs(cumsum(by_value$probability) - cumsum(by_value$normal)))
  item("normal", sprintf("approximates the distribution function within %.4f", off))
  invisible(x)
}

distribution_title <- function(x) {
  all_queries <- paste("mean over", format_count(x$n_queries), if (x$n_queries == 1) "query" else "queries")
  paste0("AG@", x$k, " of ", x$system, ", ", if (is.null(x$query)) all_queries else paste("query", x$query))
}
