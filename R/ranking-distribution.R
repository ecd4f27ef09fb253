#' The distribution of a system's effectiveness
#'
#' @description AG@k of a system is a sum of gains, so from their distributions follows its own: for one query,
#' or for the mean over all queries. `effectiveness_distribution()` computes it exactly, as the convolution of
#' the distributions of the gains (taken to be independent), beside the normal distribution of the same mean and
#' variance that confidence is computed with: Fig. 1 of Urbano and Schedl (2013). Its `plot()` shows how good
#' that approximation is.
#'
#' @details A judged pair counts with its gain; a pair with the uniform distribution with every level of the
#' scale (0, 1, ..., 100 on the Fine scale), any other with the levels that its model knows (0, 11, ..., 99).
#' The value of AG@k then takes steps of the greatest common measure of the levels over k (times the number of
#' queries). Where the levels have none worth the name, each is shared between the two nearest of 5,000 steps,
#' which keeps the mean.
#'
#' @param x A [test_collection()].
#' @param gains A [gain_distribution()] for its pool, [uniform_gains()] for the assumption of the figure.
#' @param system A system's name.
#' @param query A query's id, or NULL for the mean over all queries.
#' @return A `judicious_distribution`: a list of `value` (AG@k, evenly spaced, ascending) and `probability`,
#'   `step` between values, `mean` and `sd`, `system`, `query`, `k`, `n_queries`. `as.data.frame()` gives
#'   `value`, `probability` and `normal`, what the normal distribution has within half a step of the value;
#'   `print()` tells the largest error of its distribution function; [plot()][plot.judicious_distribution] shows
#'   both.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of
#'   Audio Music Similarity and Retrieval systems. International Journal of Multimedia Information
#'   Retrieval 2, 59-70.
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
  at <- match(check_one_id(system, "system"), x$systems$system)
  if (is.na(at)) unknown_id(system, "system", x$systems$system)
  retrieved <- result_pair(x)[x$results$system == at]
  if (is.null(query)) {
    refuse_weights(x, "The distribution of a mean is",
                   "Name one {.arg query}, or use {.fn rank_systems} for mean and variance.")
  } else {
    of <- match(check_one_id(query, "query"), x$queries$query)
    if (is.na(of)) unknown_id(query, "query", x$queries$query)
    retrieved <- retrieved[x$pool$query[retrieved] == of]
  }
  divisor <- if (is.null(query)) gain_divisor(x) else x$k
  sum <- gain_sum(pair_distributions(x, gains, retrieved))
  structure(list(
    value = (sum$start + sum$step * (seq_along(sum$probability) - 1)) / divisor, probability = sum$probability,
    step = sum$step / divisor, mean = sum(g$mean[retrieved]) / divisor, sd = sqrt(sum(g$variance[retrieved])) / divisor,
    system = x$systems$system[at], query = query, k = x$k, n_queries = n_queries(x)
  ), class = "judicious_distribution")
}

check_one_id <- function(id, arg, call = caller_env()) {
  if (length(id) != 1) {
    abort_judicious("{.arg {arg}} must be one identifier, not {.obj_type_friendly {id}}.",
                    "argument", argument = arg, call = call)
  }
  check_ids(id, arg, arg, call)
}

unknown_id <- function(id, arg, known, call = caller_env()) {
  abort_judicious(c(
    "{.arg {arg}} {.val {id}} is not in the collection.",
    i = "It has {name_some(known)}."
  ), paste0("unknown_", arg), argument = arg, call = call)
}

# Level and probability of each pair's gain, as the result of each of them.
pair_distributions <- function(x, gains, pairs) {
  at <- if (is.null(gains$query)) pairs else match_ids(gains, pool_ids(x)[pairs, , drop = FALSE])
  uniform <- uniform_gain(x$scale)
  levels <- x$scale$levels
  lapply(at, function(i) {
    if (gains$variance[i] == 0) return(list(level = gains$mean[i], prob = 1))
    flat <- gains$mean[i] == uniform$mean && gains$variance[i] == uniform$variance
    if (flat) return(list(level = levels, prob = rep(1 / length(levels), length(levels))))
    list(level = x$scale$model_levels, prob = unname(gains$prob[i, ]))
  })
}

# The distribution of a sum of independent gains: probabilities of start, start + step, ...
gain_sum <- function(parts) {
  certain <- lengths(lapply(parts, `[[`, "prob")) == 1
  start <- sum(vapply(parts, function(part) min(part$level), 0))
  parts <- lapply(parts[!certain], function(part) list(prob = part$prob, above = part$level - min(part$level)))
  step <- common_step(unlist(lapply(parts, function(part) unique(part$above))))
  sums <- lapply(parts, function(part) on_lattice(part$above / step, part$prob))
  # Neighbours are added two by two, so that the long sums are few.
  while (length(sums) > 1) {
    odd <- seq(1, length(sums), by = 2)
    sums <- lapply(odd, function(i) Reduce(convolve_probabilities, sums[seq(i, min(i + 1, length(sums)))]))
  }
  list(start = start, step = step, probability = if (length(sums)) sums[[1]] else 1)
}

# The greatest number of which all distances are multiples, or a 5,000th of the largest.
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
  # The transform leaves errors of 1e-16 where the probability is less than that.
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
  row <- function(label, value) cat(sprintf("  %-8s %s\n", label, value))
  cat(distribution_title(x), "\n", sep = "")
  row("mean", short(x$mean))
  row("sd", short(x$sd))
  row("values", paste(format_count(length(x$value)), "from", short(x$value[1]), "to", short(x$value[length(x$value)])))
  data <- as.data.frame(x)
  off <- max(abs(cumsum(data$probability) - cumsum(data$normal)))
  row("normal", sprintf("its distribution function is off by %.4f at most", off))
  invisible(x)
}

distribution_title <- function(x) {
  all_queries <- paste("mean over", format_count(x$n_queries), if (x$n_queries == 1) "query" else "queries")
  paste0("AG@", x$k, " of ", x$system, ", ", if (is.null(x$query)) all_queries else paste("query", x$query))
}
