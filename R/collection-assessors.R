# Judgments of the same pairs by several assessors. A judgment is modelled as the consensus about the pair, which is the
# mean over all assessors of the same kind, plus the leniency of the assessor, plus an error.

# The prior of the parameters of assessors, for gains from 0 to 1: the variance of errors (`error`), the variance
# between the leniencies of assessors, and the number of an assessor's judgments that weighs as much as this prior of
# the variance of errors (`judgments`). A share of the variance of errors, `query`, is common to the documents of a
# query; this prior weighs as much as `groups` groups of judgments by an assessor on a query. How much systems seem to
# differ varies between assessors by a factor with variance `scale`. The values of `error`, `scale` and `query` are
# means over three families of data (bench/trust-assessors-families.R), for which `error` is .067, .031 and .021.
# `noise` is the probability that judgments are noise, which they were in one of seven panels
# (vignettes/articles/variants.Rmd).
assessor_prior <- list(error = 0.04, leniency = 0.025, judgments = 25, query = 0.3, groups = 10, scale = 0.007,
                       noise = 0.1)

#' Estimate leniencies and errors of assessors
#'
#' @param record As assessor_record() returns it.
#' @return A list of `who`, the names of the assessors who judged pairs that others judged too; their judgments of these
#'   pairs (`shared`), their `leniency` and the variance of their `error`; `typical`, the variance of the error of an
#'   assessor who is not among them; and `noise`, the probability that the judgments are noise. Gains are from 0 to 1.
#' @noRd
assessor_errors <- function(record, scale, prior = assessor_prior) {
  record <- record[!record$final %in% 1, , drop = FALSE]
  record <- record[record$pair %in% record$pair[duplicated(record$pair)], , drop = FALSE]
  if (!nrow(record)) {
    return(list(who = character(), leniency = numeric(), error = numeric(), typical = prior$error, noise = 0))
  }
  assessors <- sort(unique(record$assessor), method = "radix")
  compared <- assessor_contrasts(record, scale, assessors)
  # Contrasts between two assessors are differences between their leniencies.
  design <- matrix(0, length(compared$n), length(assessors))
  design[cbind(seq_along(compared$n), compared$b)] <- 1
  design[cbind(seq_along(compared$n), compared$a)] <- -1
  by_assessor <- function(of_a, of_b) as.vector(crossprod(design == -1, of_a) + crossprod(design == 1, of_b))
  count <- by_assessor(compared$n, compared$n)
  leniency <- numeric(length(assessors))
  error <- rep(prior$error, length(assessors))
  # Each round sets the leniencies to their posterior mean given the variances of errors, and then these variances to
  # their posterior mode given the expected squares of errors (expectation-maximisation).
  for (iteration in 1:20) {
    a <- error[compared$a]
    b <- error[compared$b]
    precision <- compared$n / (a + b)
    leniency <- as.vector(solve(diag(1 / prior$leniency, length(assessors)) + crossprod(design, precision * design),
                                crossprod(design, precision * compared$mean)))
    squares <- compared$squares + compared$n * (compared$mean - as.vector(design %*% leniency))^2
    conditional_variance <- compared$n * a * b / (a + b)
    expected_squares <- by_assessor((a / (a + b))^2 * squares + conditional_variance,
                                    (b / (a + b))^2 * squares + conditional_variance)
    error <- (prior$judgments * prior$error + expected_squares) / (prior$judgments + count)
  }
  code <- match(record$assessor, assessors)
  judgments <- data.frame(who = code, pair = record$pair, value = record$gain / diff(range(scale$levels)),
                   precision = 1 / error[code])
  list(who = assessors, shared = record, leniency = leniency, error = error,
       typical = (prior$judgments * prior$error + sum(count * error)) / (prior$judgments + sum(count)),
       noise = noise_probability(judgments, prior))
}

# The probability that the assessors' judgments are noise. If they are, two judgments of the same pair share none of
# their variance; this has the prior probability `noise`. Otherwise they share a part of it, between 0 and 1 with equal
# probability. The result is the increase over the prior probability, rescaled to the range from 0 to 1. The evidence is
# the mean product of two judgments of a pair. Judgments enter as differences from the mean of all, minus an estimate of
# the assessor's leniency from his or her own judgments; an estimate from differences to the judgments of others would
# make the judgments more alike. `judgments`: a data frame of `who`, `pair`, `value` (from 0 to 1) and `precision`.
noise_probability <- function(judgments, prior) {
  residual <- judgments$value - mean(judgments$value)
  shrunk_count <- tabulate(judgments$who) + mean(residual^2) / prior$leniency
  residual <- residual - (as.vector(rowsum(residual, judgments$who)) / shrunk_count)[judgments$who]
  weighted <- residual * judgments$precision
  sums <- rowsum(cbind(weighted, weighted^2, weighted^4, judgments$precision, judgments$precision^2), judgments$pair)
  common_if_all_shared <- sum(sums[, 4]^2 - sums[, 5]) * sum(residual^2 * judgments$precision) /
    sum(judgments$precision)
  common <- sum(sums[, 1]^2 - sums[, 2]) / common_if_all_shared
  # If judgments are noise, the products of different pairs are independent, so their variances add up.
  sd <- sqrt(2 * sum(sums[, 2]^2 - sums[, 3])) / common_if_all_shared
  if (!isTRUE(sd > 0)) return(0)
  share <- (seq_len(50) - 0.5) / 50
  # Limits the exponent, because the likelihood ratio of many judgments that agree would be infinite.
  likelihood_ratio <- mean(exp(pmin(((common / sd)^2 - ((common - share) / sd)^2) / 2, 700)))
  # Only a rise above the prior probability counts: without evidence, or if assessors agree, the result is 0.
  max(0, prior$noise * (1 - likelihood_ratio) / (prior$noise + (1 - prior$noise) * likelihood_ratio))
}

# For each two assessors a < b who judged the same pairs: the number `n` of these pairs, the `mean` difference (b's gain
# minus a's), and the sum of `squares` of deviations from it. If a pair has judgments of several assessors, it counts
# with reduced weight in each of its differences.
assessor_contrasts <- function(record, scale, assessors) {
  code <- match(record$assessor, assessors)
  by_pair <- order(record$pair, code)
  pair <- record$pair[by_pair]
  code <- code[by_pair]
  gain <- record$gain[by_pair] / diff(range(scale$levels))
  times <- tabulate(match(pair, unique(pair)))
  first <- second <- integer()
  for (distance in seq_len(max(times, 1) - 1)) {
    from <- which(pair[-seq_len(distance)] == utils::head(pair, -distance))
    first <- c(first, from)
    second <- c(second, from + distance)
  }
  weight <- 2 / rep(times, times)[first]
  difference <- gain[second] - gain[first]
  group <- code[first] + length(assessors) * (code[second] - 1)
  sums <- rowsum(cbind(weight, weight * difference, weight * difference^2), group)
  groups <- as.integer(rownames(sums)) - 1
  list(a = groups %% length(assessors) + 1, b = groups %/% length(assessors) + 1, n = sums[, 1],
       mean = sums[, 2] / sums[, 1],
       squares = pmax(sums[, 3] - sums[, 2]^2 / sums[, 1], 0))
}

# The leniency and the variance of the error of each assessor; 0 and the typical variance for assessors who share no
# pair with others.
leniency_of <- function(errors, assessor) replace(errors$leniency[match(assessor, errors$who)],
                                                  !assessor %in% errors$who, 0)

error_variance_of <- function(errors, assessor) replace(errors$error[match(assessor, errors$who)],
                                                        !assessor %in% errors$who, errors$typical)

# The judgments to which estimates can refer: those that were made, the consensus of assessors, those of another
# assessor, or those of a named assessor.
assessor_targets <- c("these", "consensus", "another")

is_assessor_target <- function(target) !target %in% assessor_targets

# Converts the gain of a judgment to an estimate of the gain to which `target` refers, within the range of the scale.
gain_for_target <- function(gain, errors, assessor, target, scale) {
  leniency <- leniency_of(errors, assessor)
  if (is_assessor_target(target)) leniency <- ifelse(assessor == target, 0, leniency - leniency_of(errors, target))
  ends <- range(scale$levels)
  pmin(pmax(gain - leniency * diff(ends), ends[1]), ends[2])
}

# The variance of the error of the estimates by gain_for_target(), with gains from 0 to 1.
error_variance_for_target <- function(errors, assessor, target) {
  if (target == "these") return(0 * error_variance_of(errors, assessor))
  if (!is_assessor_target(target)) return(error_variance_of(errors, assessor))
  ifelse(assessor == target, 0, error_variance_of(errors, assessor) + error_variance_of(errors, target))
}

# Judgments in their order, with final ones before those that they replace, also those by the same assessor.
final_first <- function(judgments) judgments[order(!judgments$final %in% 1), , drop = FALSE]

#' Combine the judgments of each pair
#'
#' @param record As assessor_record() returns it.
#' @param n The number of pairs of the pool.
#' @param target The judgments to which the gains refer: one of `assessor_targets`, or the name of an assessor.
#' @return A list: `gain`, the estimate for each pair of the pool, NA if it is not judged; `noise`, the variances of the
#'   errors of these estimates for gains from 0 to 1, NULL for the target `"these"`; `errors`, the result of
#'   assessor_errors(); and `doubt`, the probability that the judgments are noise, 0 for a named assessor.
#' @noRd
combined_judgments <- function(record, n, scale, target = "these") {
  record <- final_first(record)
  errors <- assessor_errors(record, scale)
  # For a target assessor, his or her judgments replace those of others; otherwise, a final judgment does.
  is_target <- record$assessor %in% target
  counts_alone <- is_target | record$final %in% 1 & !record$pair %in% record$pair[is_target]
  counts <- counts_alone | !record$pair %in% record$pair[counts_alone]
  record <- record[counts, , drop = FALSE]
  counts_alone <- counts_alone[counts]
  # Final judgments replace others, so they are not counted as possible noise.
  doubt <- errors$noise * sum(!counts_alone) / max(length(counts_alone), 1)
  value <- ifelse(counts_alone, record$gain, gain_for_target(record$gain, errors, record$assessor, target, scale))
  first_row <- match(seq_len(n), record$pair)
  gain <- value[first_row]
  noise <- ifelse(counts_alone, 0, error_variance_for_target(errors, record$assessor, target))[first_row]
  is_repeated <- record$pair %in% record$pair[duplicated(record$pair) & !counts_alone]
  if (any(is_repeated)) {
    error <- error_variance_of(errors, record$assessor)[is_repeated]
    sums <- rowsum(cbind(1, value)[is_repeated, , drop = FALSE] / error, record$pair[is_repeated])
    repeated_pairs <- as.integer(rownames(sums))
    gain[repeated_pairs] <- sums[, 2] / sums[, 1]
    noise[repeated_pairs] <- 1 / sums[, 1] + if (is_assessor_target(target)) error_variance_of(errors, target) else 0
  }
  list(gain = gain, noise = if (target != "these") replace(noise, is.na(noise), 0), errors = errors,
       doubt = if (is_assessor_target(target) || doubt < 0.001) 0 else doubt)
}
