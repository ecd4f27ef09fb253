# Judgments of the same pairs by several assessors. A judgment is the consensus about the pair, which is the mean over
# all assessors like these, plus the leniency of the assessor, plus an error.

# The prior of what assessors are like, with gains from 0 to 1: the variance of errors, the variance between the
# leniencies of assessors, and the number of an assessor's judgments that the first is worth. A share of the variance of
# errors is common to the documents of a `query`; it is worth this number of `groups` of the judgments of an assessor on
# a query. Assessors differ by a factor in how different systems are to them, with variance `scale`. The variances of
# errors and factors and the share are means over three families of data (bench/trust-assessors-families.R); errors have
# .067, .031 and .021.
assessor_prior <- list(error = 0.04, leniency = 0.025, judgments = 25, query = 0.3, groups = 10, scale = 0.007)

# Whether some pairs are judged by several assessors.
is_judged_again <- function(judgments) {
  is.data.frame(judgments) && !is.null(judgments$assessor) && all(c("query", "doc") %in% names(judgments)) &&
    anyDuplicated(judgments[c("query", "doc")]) > 0
}

#' Estimate leniencies and errors of assessors
#'
#' @param record As assessor_record() returns it.
#' @return A list of `who`, the names of the assessors who judged pairs that others judged too; their judgments of these
#'   pairs (`shared`), their `leniency` and the variance of their `error`; and `typical`, that of any other assessor. It
#'   does not depend on the other judgments.
#' @noRd
assessor_errors <- function(record, scale, prior = assessor_prior) {
  record <- record[!record$final %in% 1, , drop = FALSE]
  record <- record[record$pair %in% record$pair[duplicated(record$pair)], , drop = FALSE]
  if (!nrow(record)) return(list(who = character(), leniency = numeric(), error = numeric(), typical = prior$error))
  who <- sort(unique(record$assessor), method = "radix")
  compared <- assessor_contrasts(record, scale, who)
  # The contrasts as differences of the leniencies.
  design <- matrix(0, length(compared$n), length(who))
  design[cbind(seq_along(compared$n), compared$b)] <- 1
  design[cbind(seq_along(compared$n), compared$a)] <- -1
  by_assessor <- function(of_a, of_b) as.vector(crossprod(design == -1, of_a) + crossprod(design == 1, of_b))
  count <- by_assessor(compared$n, compared$n)
  leniency <- numeric(length(who))
  error <- rep(prior$error, length(who))
  # Each round sets the leniencies to their posterior mean given the errors, and then the variances of the errors to
  # their posterior mode given what the errors are expected to be (expectation-maximisation).
  for (iteration in 1:20) {
    a <- error[compared$a]
    b <- error[compared$b]
    precision <- compared$n / (a + b)
    leniency <- as.vector(solve(diag(1 / prior$leniency, length(who)) + crossprod(design, precision * design),
                                crossprod(design, precision * compared$mean)))
    squares <- compared$squares + compared$n * (compared$mean - as.vector(design %*% leniency))^2
    unknown <- compared$n * a * b / (a + b)
    expected_squares <- by_assessor((a / (a + b))^2 * squares + unknown, (b / (a + b))^2 * squares + unknown)
    error <- (prior$judgments * prior$error + expected_squares) / (prior$judgments + count)
  }
  list(who = who, shared = record, leniency = leniency, error = error,
       typical = (prior$judgments * prior$error + sum(count * error)) / (prior$judgments + sum(count)))
}

# The share of the variance of errors that is common to the documents of a query: the mean product of the errors of an
# assessor in two documents of a query, as differences from the mean judgment of each, over the mean square.
common_share <- function(errors, x, prior = assessor_prior) {
  record <- errors$shared
  if (is.null(record)) return(prior$query)
  left <- record$gain / diff(range(x$scale$levels)) - leniency_of(errors, record$assessor)
  left <- left - stats::ave(left, record$pair)
  sums <- rowsum(cbind(left, left^2, 1), paste(match(record$assessor, errors$who), x$pool$query[record$pair]))
  n <- sums[, 3]
  groups <- sum(n > 1)
  product <- sum(sums[, 1]^2 - sums[, 2]) / max(sum(n * (n - 1)), 1)
  found <- product / max(sum(sums[, 2]) / sum(n), 1e-12)
  min(max((prior$groups * prior$query + groups * found) / (prior$groups + groups), 0), 1)
}

# For each two assessors a < b who judged the same pairs: the number `n` of these, the `mean` of the differences (b's
# gain minus a's) and the sum of `squares` around it. Several differences of one pair have less weight each.
assessor_contrasts <- function(record, scale, who) {
  code <- match(record$assessor, who)
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
  group <- code[first] + length(who) * (code[second] - 1)
  sums <- rowsum(cbind(weight, weight * difference, weight * difference^2), group)
  groups <- as.integer(rownames(sums)) - 1
  list(a = groups %% length(who) + 1, b = groups %/% length(who) + 1, n = sums[, 1], mean = sums[, 2] / sums[, 1],
       squares = pmax(sums[, 3] - sums[, 2]^2 / sums[, 1], 0))
}

# The leniency and the variance of the error of each assessor.
leniency_of <- function(errors, assessor) replace(errors$leniency[match(assessor, errors$who)],
                                                  !assessor %in% errors$who, 0)

error_of <- function(errors, assessor) replace(errors$error[match(assessor, errors$who)],
                                               !assessor %in% errors$who, errors$typical)

# To what estimates can refer, besides the names of assessors.
assessor_targets <- c("these", "consensus", "another")

is_named <- function(target) !target %in% assessor_targets

# The gain of a judgment as an estimate of the gain to which `target` refers, within the range of the scale.
gain_for <- function(gain, errors, assessor, target, scale) {
  leniency <- leniency_of(errors, assessor)
  if (is_named(target)) leniency <- ifelse(assessor == target, 0, leniency - leniency_of(errors, target))
  ends <- range(scale$levels)
  pmin(pmax(gain - leniency * diff(ends), ends[1]), ends[2])
}

# The variance of the error of this estimate, with gains from 0 to 1.
noise_for <- function(errors, assessor, target) {
  if (target == "these") return(0 * error_of(errors, assessor))
  if (!is_named(target)) return(error_of(errors, assessor))
  ifelse(assessor == target, 0, error_of(errors, assessor) + error_of(errors, target))
}

#' Combine the judgments of each pair
#'
#' @param record As assessor_record() returns it.
#' @param n The number of pairs of the pool.
#' @param target Whose gains to estimate: `"these"`, the judgments being right; `"consensus"`; or the name of an
#'   assessor.
#' @return A list of `gain`, of each pair of the pool, NA if not judged; `noise`, the variance of its error with gains
#'   from 0 to 1, or NULL for `"these"`; and the `errors` of the assessors.
#' @noRd
combined_judgments <- function(record, n, scale, target = "these") {
  errors <- assessor_errors(record, scale)
  # The judgments of the assessor whose gains are estimated count alone, and of other judgments a final one.
  own <- record$assessor %in% target
  alone <- own | record$final %in% 1 & !record$pair %in% record$pair[own]
  counts <- alone | !record$pair %in% record$pair[alone]
  record <- record[counts, , drop = FALSE]
  alone <- alone[counts]
  value <- ifelse(alone, record$gain, gain_for(record$gain, errors, record$assessor, target, scale))
  first_row <- match(seq_len(n), record$pair)
  gain <- value[first_row]
  noise <- ifelse(alone, 0, noise_for(errors, record$assessor, target))[first_row]
  is_repeated <- record$pair %in% record$pair[duplicated(record$pair) & !alone]
  if (any(is_repeated)) {
    sums <- rowsum(cbind(1, value)[is_repeated, , drop = FALSE] / error_of(errors, record$assessor)[is_repeated],
                   record$pair[is_repeated])
    again <- as.integer(rownames(sums))
    gain[again] <- sums[, 2] / sums[, 1]
    noise[again] <- 1 / sums[, 1] + if (is_named(target)) error_of(errors, target) else 0
  }
  list(gain = gain, noise = if (target != "these") replace(noise, is.na(noise), 0), errors = errors)
}
