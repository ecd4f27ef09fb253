# Selection with independent gains towards any goal, and in batches of a query: what the published algorithm leaves
# open and its author's own program asks for.

#' What to judge next, most useful first, towards a goal
#'
#' A pair's weight is the number of comparisons (as the goal weighs them) in which it takes part, and of estimates of
#' systems that it bears on: c (m - c) for the mean confidence of all comparisons.
#' @return A data frame like that of documents_to_judge(), with a row per open pair.
#' @noRd
documents_by_goal <- function(x, gains, goal, ties = "pool", seed = NULL) {
  ordered <- order_by_goal(x, rank_systems(x, gains, delta = goal$delta), goal, tie_order(x, ties, seed))
  best <- ordered$pair[!gains_on_pool(x, gains)$judged[ordered$pair]]
  data.frame(pool_ids(x)[best, ], systems = diff(x$results$offset)[best], weight = ordered$weight[best],
             row.names = NULL, stringsAsFactors = FALSE)
}

# All pairs, best first; of equal weights the one in more comparisons, then the one that comes first in `tie`.
order_by_goal <- function(x, ranking, goal, tie) {
  weight <- goal_weights(x, goal, ranking)
  list(pair = order(-weight, -comparisons_of(x), match(seq_len(n_pairs(x)), tie)), weight = weight)
}

goal_weights <- function(x, goal, ranking) {
  wants <- wants_of(goal, ranking)
  pairs <- Reduce(`+`, lapply(wants, `[[`, "pairs"))
  systems <- Reduce(`+`, lapply(wants, `[[`, "systems"))
  pair <- result_pair(x)
  sum_over <- function(value) as.vector(rowsum(value, pair))
  # A comparison counts where one of the two systems retrieved the pair: all with one that did, less those of two.
  alone <- rowSums(pairs) + as.vector(systems > 0)
  with_each <- unlist(lapply(split(x$results$system, pair), function(s) {
    rowSums(pairs[s, s, drop = FALSE])
  }), use.names = FALSE)
  sum_over(alone[x$results$system]) - sum_over(with_each)
}

#' Documents in batches, the most useful batch first
#'
#' @param documents By documents_by_goal() or documents_to_judge(): `query`, `doc` and `weight`, best first.
#' @param same_query TRUE fills each batch from one query, so that its assessor reads one query only.
#' @return `documents` of the first `batches` batches of `size`, with a column `batch` in front.
#' @noRd
in_batches <- function(documents, batches, size, same_query) {
  group <- if (same_query) match(documents$query, unique(documents$query)) else rep(1L, nrow(documents))
  within <- stats::ave(seq_along(group), group, FUN = seq_along)
  batch <- paste(group, (within - 1) %/% size)
  weight <- rowsum(documents$weight, batch)[, 1]
  # Of equally useful batches the one whose first document comes first.
  first <- tapply(seq_along(batch), batch, min)[names(weight)]
  chosen <- names(weight)[order(-weight, first)]
  number <- match(batch, utils::head(chosen, batches))
  by <- order(number, na.last = NA)
  data.frame(batch = number[by], documents[by, ], row.names = NULL, stringsAsFactors = FALSE)
}

# The same with joint gains: each document is chosen knowing that those before it, in all batches, will be judged.
joint_batches <- function(gains, batches, size, goal, select, cost, same_query) {
  x <- gains$collection
  open <- is.na(gains$gain)
  chosen <- list(pair = integer(), score = numeric(), batch = integer())
  choose <- if (same_query) choose_query_batch else choose_batch
  for (b in seq_len(batches)) {
    more <- choose(gains, size, goal, select, cost, open, chosen$pair)
    chosen <- add_batch(chosen, more, b)
    open[more$pair] <- FALSE
  }
  data.frame(batch = chosen$batch, pool_ids(x)[chosen$pair, ], score = chosen$score, row.names = NULL,
             stringsAsFactors = FALSE)
}

# The documents of a batch that is all of the query of its first, as choose_batch() chooses them.
choose_query_batch <- function(gains, n, goal, select, cost, open, pending = integer()) {
  first <- choose_batch(gains, min(n, 1), goal, select, cost, open, pending)
  if (!length(first$pair)) return(first)
  query <- gains$collection$pool$query
  here <- replace(open & query == query[first$pair], first$pair, FALSE)
  more <- choose_batch(gains, n - 1, goal, select, cost, here, c(pending, first$pair))
  list(pair = c(first$pair, more$pair), score = c(first$score, more$score))
}

add_batch <- function(chosen, more, b) {
  list(pair = c(chosen$pair, more$pair), score = c(chosen$score, more$score),
       batch = c(chosen$batch, rep(b, length(more$pair))))
}

#' A simulated session with independent gains towards any goal, in batches
#'
#' What [mtc()] does for the confidence of comparisons, document by document: estimate, look whether the goal is
#' reached, take the best batch, judge it.
#' @param gain The gain of each pair of the pool, NA where it cannot be judged.
#' @return A list: `trace`, a row before the first judgment and one after each batch; `order`, `ranking`, `reason`.
#' @noRd
run_batches <- function(x, gain, estimator, goal, size, same_query, budget = Inf, ties = "pool", seed = NULL) {
  truth <- if (!anyNA(gain)) true_means(x, gain)
  judged <- rep(NA_real_, n_pairs(x))
  # One random order for the whole session, so that batches do not shuffle each other's ties.
  tie <- tie_order(x, ties, seed)
  trace <- list()
  judged_order <- integer()
  repeat {
    gains <- conditioned_gains(estimator, judged)
    ranking <- rank_systems(x, gains, delta = goal$delta)
    aim <- goal$progress(ranking)
    made <- sum(!is.na(judged))
    row <- data.frame(judged = made, value = aim$value, confidence = ranking_confidence(ranking))
    if (!is.null(truth)) {
      tau <- pair_agreement(ranking$mean, truth, gain_resolution(x))
      row <- data.frame(row, accuracy = (1 + tau) / 2, tau = tau)
    }
    trace[[length(trace) + 1]] <- row
    left <- is.na(judged) & !is.na(gain)
    ordered <- order_by_goal(x, ranking, goal, tie)
    reason <- if (aim$reached) {
      "goal"
    } else if (made >= budget) {
      "budget"
    } else if (!any(left)) {
      "exhausted"
    } else if (all(ordered$weight[left] == 0)) {
      "settled"
    }
    if (!is.null(reason)) break
    best <- ordered$pair[left[ordered$pair]]
    documents <- data.frame(query = x$pool$query[best], pair = best, weight = ordered$weight[best])
    batch <- in_batches(documents, 1, min(size, budget - made), same_query)$pair
    judged[batch] <- gain[batch]
    judged_order <- c(judged_order, batch)
  }
  order <- data.frame(judged = seq_along(judged_order), pool_ids(x)[judged_order, ], gain = gain[judged_order],
                      row.names = NULL, stringsAsFactors = FALSE)
  list(trace = do.call(rbind, trace), order = order, ranking = ranking, reason = reason)
}
