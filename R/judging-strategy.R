#' Strategies: which document to judge next
#'
#' - `select_gradient()`: the pair whose judgment is expected to serve the goal most, because it takes most off the
#'   weighted variances of comparisons and systems. With z the distance of two systems (less the goal's `delta`)
#'   divided by its standard deviation sd, a comparison of the goal has the weight phi(z / `temper`) / sd. A single
#'   system of a goal about absolute scores ([goal_absolute()], [goal_width()]) has the weight that the goal gives it,
#'   divided by the standard deviation of its score.
#' - `select_variance()`: the pair that takes most off the sum of the variances of all comparisons.
#' - `select_weight()`: the weights c (m - c) of Urbano and Schedl (2013, equation (8)).
#' - `select_random()`: any pair, each with the same probability.
#'
#' Expected falls of variance follow from the gains' joint covariance, and so the second document of a batch is chosen
#' knowing that the first will be judged. With more than 64 systems, random sums of the comparisons find the 256 most
#' promising pairs of the pool first, whose falls are then worked out exactly.
#'
#' @details
#' With `temper = 1` the weight of a comparison is twice the rate at which the expected loss of deciding by the sign of
#' the estimate falls with the variance. Where a difference is normal with mean m >= 0 and standard deviation sd, that
#' loss, the size of the difference where its sign is wrong, is L = sd phi(z) - m Phi(-z) on average, with z = m / sd.
#' As phi'(z) = -z phi(z), the derivative of L by sd is phi(z), and that by the variance phi(z) / (2 sd). It is large
#' for systems that seem equal; the confidence Phi(z) itself would be no guide to these, as its derivative by the
#' variance, -z phi(z) / (2 sd^2), is 0 there. A goal's `delta` is taken off m: the loss is then that of claiming a
#' difference above `delta`. The weight of a system is twice a rate, too: its standard deviation changes with its
#' variance by 1 / (2 sd). So weights of comparisons and of systems add up where goals are combined.
#'
#' @param temper A number of at least 1: above it, comparisons that seem decided count more, in case the model is too
#'   sure of them.
#' @return A `judicious_strategy`.
#' @seealso [next_to_judge()], [judging_session()].
#' @examples
#' select_gradient()
#' @name strategies
NULL

# `score(posterior, ranking, goal, price)` gives a number per pair of the pool; the largest is judged next. `price` is
# what judging each costs, Inf for those that may not be judged.
new_strategy <- function(label, score) structure(list(label = label, score = score), class = "judicious_strategy")

#' @rdname strategies
#' @export
select_gradient <- function(temper = 1) {
  check_number(temper, "temper", min = 1, max = Inf)
  new_strategy("gradient of the goal", function(posterior, ranking, goal, price = 1) {
    sd <- sqrt(pmax(ranking$difference_variance, 0))
    distance <- abs(outer(ranking$mean, ranking$mean, `-`))
    own <- system_sd(ranking)
    pairs <- systems <- 0
    for (wanted in wants_of(goal, ranking)) {
      rate <- ifelse(sd > 0, stats::dnorm((distance - wanted$delta) / sd / temper) / sd, 0)
      pairs <- pairs + wanted$pairs * rate
      systems <- systems + ifelse(own > 0, wanted$systems / own, 0)
    }
    reduction_of(posterior, pairs, systems, price)
  })
}

#' @rdname strategies
#' @export
select_variance <- function() {
  new_strategy("variance of the comparisons", function(posterior, ranking, goal, price = 1) {
    reduction_of(posterior, every_pair(ranking) * 1, numeric(length(ranking$mean)), price)
  })
}

#' @rdname strategies
#' @export
select_weight <- function() {
  new_strategy("weights c (m - c)", function(posterior, ranking, goal, price = 1) {
    comparisons_of(ranking$collection) / price
  })
}

#' @rdname strategies
#' @export
select_random <- function() {
  new_strategy("random", function(posterior, ranking, goal, price = 1) {
    stats::runif(n_pairs(ranking$collection)) / price
  })
}

#' @export
print.judicious_strategy <- function(x, ...) {
  cat("Selection of documents: ", x$label, "\n", sep = "")
  invisible(x)
}

# Up to so many systems every pair of the pool is worked out exactly.
few_systems <- 64

# The fall of sum_ab w_ab Var(a - b) + sum_a v_a Var(a) for each pair of the pool, per price. With more than `most`
# systems a rough look finds the pairs that are worth a closer one, and none of the others comes before those.
reduction_of <- function(posterior, pair_weight, system_weight, price = 1, most = few_systems, closer = 256) {
  root <- weight_root(pair_weight, system_weight)
  if (ncol(root) <= most) return(joint_reduction_cpp(posterior, root) / price)
  value <- joint_reduction_cpp(posterior, mixed_rows(root, 8)) / price
  best <- largest(value, closer)
  exact <- joint_reduction_of_cpp(posterior, root, best) / rep_len(price, length(value))[best]
  value <- pmin(value, min(exact))
  value[best] <- exact
  value
}

# Where the `n` largest values are, from the largest on; of equal ones the first. Only those are put in order.
largest <- function(value, n) {
  at <- if (n < length(value)) which(value >= -sort(-value, partial = n)[n]) else seq_along(value)
  utils::head(at[order(value[at], decreasing = TRUE)], n)
}

# R with R'R the quadratic form of those weights.
weight_root <- function(pair_weight, system_weight) {
  m <- length(system_weight)
  form <- diag(rowSums(pair_weight) + system_weight, m) - pair_weight
  # The form may be singular: weights of pairs say nothing of all systems together.
  if (m > few_systems) return(chol(form + diag(1e-9 * max(diag(form), 1e-300), m)))
  e <- eigen(form, symmetric = TRUE)
  kept <- e$values > max(e$values, 0) * 1e-12 & e$values > 0
  if (!any(kept)) return(matrix(0, 1, m))
  sqrt(e$values[kept]) * t(e$vectors[, kept, drop = FALSE])
}

# `n` random mixtures M of the rows: the expectation of M'M is that of the rows R'R.
mixed_rows <- function(rows, n) matrix(sample(c(-1, 1), n * nrow(rows), TRUE), n) %*% rows / sqrt(n)

#' What a judgment costs
#'
#' @param judgment The cost of a judgment of a query that the assessor knows already.
#' @param new_query What the first judgment of a query costs on top.
#' @return A `judicious_cost`.
#' @examples
#' judging_cost(judgment = 10, new_query = 45)
#' @export
judging_cost <- function(judgment = 1, new_query = 0) {
  check_number(judgment, "judgment", min = 0, max = Inf, open = TRUE)
  check_number(new_query, "new_query", min = 0)
  structure(list(judgment = judgment, new_query = new_query), class = "judicious_cost")
}

cost_of <- function(cost, query, judged) {
  if (cost$new_query == 0) return(rep(cost$judgment, length(query)))
  cost$judgment + cost$new_query * !(query %in% query[judged])
}

#' A batch of documents to judge next
#'
#' Chooses the documents one by one, each knowing that those before it will be judged: what they
#' will tell of the others is not asked twice.
#'
#' @param gains [joint_gains()].
#' @param n How many documents to choose.
#' @param goal A goal, as [goal_mean()].
#' @param select A strategy, as [select_gradient()].
#' @param cost A [judging_cost()]: the strategy's score is divided by it.
#' @param seed Seed of ties and random choices; the state of the generator is put back. NULL draws from it.
#' @return A data frame with `query`, `doc` and `score`, in the order to judge; fewer than `n` rows where fewer pairs
#'   are left.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' next_to_judge(joint_gains(gain_prior(), x, judgments_of(x)[1:20, ]), n = 5)
#' @export
next_to_judge <- function(gains, n = 10, goal = goal_mean(), select = select_gradient(), cost = judging_cost(),
                          seed = NULL) {
  check_class(gains, "judicious_joint_gains", "gains", "joint_gains")
  check_count(n, "n")
  check_class(goal, "judicious_goal", "goal", "goal_mean")
  check_class(select, "judicious_strategy", "select", "select_gradient")
  check_class(cost, "judicious_cost", "cost", "judging_cost")
  chosen <- with_seed(seed, choose_batch(gains, n, goal, select, cost, is.na(gains$gain)))
  data <- data.frame(pool_ids(gains$collection)[chosen$pair, ], score = chosen$score, stringsAsFactors = FALSE)
  rownames(data) <- NULL
  data
}

# `open`: which pairs may be judged; `pending`: those that others are about to judge. Ties go to a random pair. `known`:
# the ranking by `gains`, where it is at hand.
choose_batch <- function(gains, n, goal, select, cost, open, pending = integer(), known = NULL) {
  x <- gains$collection
  posterior <- joint_posterior(gains)
  if (length(pending)) posterior <- joint_imagine_cpp(posterior, pending)
  judged <- replace(!is.na(gains$gain), pending, TRUE)
  pair <- integer()
  score <- numeric()
  while (length(pair) < n && any(open)) {
    if (length(pair)) posterior <- joint_imagine_cpp(posterior, pair[length(pair)])
    imagined <- length(pending) || length(pair)
    ranking <- if (imagined || is.null(known)) ranking_of_posterior(x, posterior, gains, goal$delta) else known
    value <- select$score(posterior, ranking, goal, replace(cost_of(cost, x$pool$query, judged), !open, Inf))
    value[!open] <- -Inf
    best <- which(value == max(value))
    pair <- c(pair, if (length(best) > 1) sample(best, 1) else best)
    score <- c(score, max(value))
    open[pair] <- FALSE
    judged[pair] <- TRUE
  }
  list(pair = pair, score = score)
}
