# Selects the documents to judge next by a belief, a goal and a strategy: one, a batch, or a batch of one query.

# Converts gains, as users have them, to a belief.
belief_of_gains <- function(x, gains, judgments, call = caller_env()) {
  made <- if (inherits(x, "judicious_joint_gains")) x else gains
  if (!is.null(made) && !is.null(judgments)) refuse_beside_gains("judgments", "gains that are made already", call)
  if (inherits(x, "judicious_joint_gains") && is.null(gains)) return(x)
  x <- judged_collection(x, call = call)
  if (is.null(gains)) return(joint_gains(to_be_judged(x, judgments, call)))
  if (inherits(gains, "judicious_joint_gains")) return(gains)
  check_class(gains, "judicious_gains", "gains", c("joint_gains", "gain_distribution"), call)
  g <- gains_on_pool(x, gains, call = call)
  fields <- c("mean", "variance", "judged", "fallback")
  gains[fields] <- lapply(unclass(gains)[fields], `[`, g$row)
  gains$prob <- gains$prob[g$row, , drop = FALSE]
  gain <- replace(gains$mean, !gains$judged, NA)
  new_independent_belief(x, list(gains = gains), gains, gain)
}

# The order in which ties are resolved: pairs in more comparisons first, then in pool order. NULL: at random. `order` is
# an alternative to pool order.
tie_rank <- function(x, tie_break, order = seq_len(n_pairs(x))) {
  if (tie_break == "random") return(NULL)
  by_comparisons <- order[order(-comparisons_of(x)[order])]
  replace(integer(length(by_comparisons)), by_comparisons, seq_along(by_comparisons))
}

# The functions below take an engine: the environment of a session, or a list with elements of the same names: the
# collection `x`, the `belief`, the `gain` of each judged pair, the `ranking` by the belief (NULL: not computed), the
# `goal`, `strategy` and `cost`, the priority of each pair among ties (`tie`), and `order`, the order of selection if it
# never changes (otherwise NULL).

# Selects `batches` of `n` documents each from those that are `open`.
choose_batches <- function(e, batches, n, same_query, open) {
  parts <- list()
  pending <- integer()
  for (b in seq_len(batches)) {
    more <- choose_batch(e, n, same_query, open, pending)
    if (!length(more$pair)) break
    parts[[b]] <- c(more, list(batch = rep(b, length(more$pair))))
    pending <- c(pending, more$pair)
    open[more$pair] <- FALSE
  }
  join <- function(part, empty) c(empty, unlist(lapply(parts, `[[`, part)))
  list(pair = join("pair", integer()), score = join("score", numeric()), batch = join("batch", integer()))
}

# `pending`: pairs that are assigned but not yet judged.
choose_batch <- function(e, n, same_query, open, pending = integer()) {
  if (n < 1) return(list(pair = integer(), score = numeric()))
  if (!is.null(e$order) && !same_query) return(next_in_order(e$order, n, open))
  if (!any(open)) return(list(pair = integer(), score = numeric()))
  view <- view_with(e, pending)
  if (!same_query || n == 1) return(choose_best(e, view, n, open))
  query <- e$x$pool$query
  value <- scores_in(e, view, open)
  # The query whose n best documents have the highest sum; ties go to the query of the best document.
  ranked <- which(open)
  ranked <- ranked[best_first(value[ranked], e$tie[ranked])]
  taken <- stats::ave(seq_along(ranked), query[ranked], FUN = seq_along) <= n
  total <- rowsum(value[ranked][taken], query[ranked][taken], reorder = FALSE)
  choose_best(e, view, n, open & query == as.integer(rownames(total))[which.max(total)])
}

# The order of selection by scores that never change.
fixed_order <- function(strategy, x, cost, tie) {
  if (strategy$rescore != "never" || cost$new_query > 0 || is.null(tie)) return(NULL)
  sorted_pairs(strategy$score(NULL, list(collection = x), NULL, cost$judgment), tie)
}

# Changes the order in which ties are resolved.
use_tie <- function(e, tie) {
  e$tie <- tie
  e$order <- fixed_order(e$strategy, e$x, e$cost, tie)
}

# The pairs `at`, the best first. All pairs before the cursor are judged, assigned or skipped.
sorted_pairs <- function(value, tie, at = seq_along(value)) {
  pair <- at[best_first(value[at], tie[at])]
  list2env(list(pair = pair, score = value[pair], cursor = 1L), parent = emptyenv())
}

next_in_order <- function(order, n, open) {
  chosen <- integer()
  i <- order$cursor
  while (i <= length(order$pair) && length(chosen) < n) {
    if (open[order$pair[i]]) chosen <- c(chosen, i)
    i <- i + 1L
    if (!length(chosen)) order$cursor <- i
  }
  list(pair = order$pair[chosen], score = order$score[chosen])
}

best_first <- function(value, tie) order(-value, tie %||% sample.int(length(value)))

# The belief and the ranking as if the pending pairs were judged. `judged`, which then includes these pairs, is needed
# only if it affects their cost.
view_with <- function(e, pending) {
  made <- if (is.null(e$ranking)) sum(!is.na(e$gain)) else e$ranking$judged
  judged <- if (e$cost$new_query > 0) replace(!is.na(e$gain), pending, TRUE)
  if (!length(pending) || e$strategy$rescore != "chosen") {
    ranking <- e$ranking %||% rank_by_belief(e$belief, e$x, made, e$goal$delta)
    return(list(belief = e$belief, ranking = ranking, judged = judged, made = made))
  }
  belief <- belief_imagine(e$belief, pending)
  list(belief = belief, ranking = rank_by_belief(belief, e$x, made, e$goal$delta), judged = judged, made = made)
}

# A score for every pair of the pool, -Inf for pairs that may not be judged.
scores_in <- function(e, view, open) {
  price <- replace(cost_of(e$cost, e$x$pool$query, view$judged), !open, Inf)
  value <- e$strategy$score(view$belief, view$ranking, e$goal, price)
  check_that(is.numeric(value) && length(value) == length(open) && !anyNA(value), "score", "of the strategy
    {.val {e$strategy$label}} must return {format_count(length(open))} numbers, one per pair of the pool, not
    {.obj_type_friendly {value}} of length {length(value)}.", call = NULL)
  replace(value, !open, -Inf)
}

# Selects the pairs with the highest scores, which are computed again as often as the strategy requires.
choose_best <- function(e, view, n, open) {
  changing <- e$strategy$rescore == "chosen" || e$cost$new_query > 0
  pair <- integer()
  score <- numeric()
  value <- NULL
  while (length(pair) < n && any(open)) {
    if (is.null(value) || changing) value <- scores_in(e, view, open)
    best <- highest(value, e$tie)
    pair <- c(pair, best)
    score <- c(score, value[best])
    if (length(pair) == n) break
    open[best] <- FALSE
    value[best] <- -Inf
    # The view as if this pair were judged.
    if (!is.null(view$judged)) view$judged[best] <- TRUE
    if (e$strategy$rescore == "chosen") {
      view$belief <- belief_imagine(view$belief, best)
      view$ranking <- rank_by_belief(view$belief, e$x, view$made, e$goal$delta)
    }
  }
  list(pair = pair, score = score)
}

# Index of the highest value. Ties go to the first by `tie`, or to a random one if that is NULL.
highest <- function(value, tie) {
  best <- which(value == max(value))
  if (!is.null(tie)) best[which.min(tie[best])] else if (length(best) > 1) sample(best, 1) else best
}
