#' Set the strategy of a judging session
#'
#' A strategy determines which document a [judging_session()] selects next: the unjudged pair of the pool with the
#' largest benefit per unit of cost. The default, `strategy_gradient()`, serves the goal of the session.
#' [strategy_custom()] creates custom strategies.
#'
#' - `strategy_gradient()`: the pair whose judgment is expected to reduce the weighted variances of the goal's
#'   comparisons and systems most. With z the distance of two systems (less the goal's `delta`) divided by its standard
#'   deviation sd, a comparison has the weight phi(z / `temper`) / sd, where phi is the standard normal density. A
#'   single system of [goal_absolute()] or [goal_width()] has the weight that the goal gives it, divided by the standard
#'   deviation of its estimate.
#' - `strategy_variance()`: the pair whose judgment is expected to reduce the sum of the variances of all comparisons
#'   most.
#' - `strategy_weight()`: the pair whose judgment affects the largest number of comparisons. A pair that c of m systems
#'   retrieved affects c (m - c), equation (8) of Urbano and Schedl (2013; see [mtc()]). For a measure that is a sum
#'   over ranks, a comparison counts with the squared difference between the document's weights in the two systems'
#'   effectiveness.
#' - `strategy_random()`: a random pair, all with the same probability.
#'
#' Each document of a batch is selected as if the others were judged. With more than `r few_systems` systems,
#' reductions are first approximated, and computed exactly for the 256 most promising pairs.
#'
#' @details `vignette("methods")`, section 6, derives the weight of `strategy_gradient()`.
#'
#' @param comparisons Which comparisons count: `"all"`; `"goal"`, those (and single systems) on which the goal depends;
#'   `"undecided"`, those with less than `confidence` (beyond the goal's `delta`); or `"proportional"`, the undecided
#'   ones, each in proportion to its confidence.
#' @param confidence The confidence, between 0 and 1, at which a comparison counts as decided.
#' @param tie_break Which of several documents with equal weight to judge first: a `"random"` one, or `"pool"`, the
#'   first in pool order among those that affect the largest number of comparisons.
#' @param temper A number of at least 1. Larger values give more weight to comparisons that seem decided.
#' @return A `judicious_strategy`, for the argument `strategy` of [judging_session()] and [select_documents()].
#' @examples
#' strategy_gradient()
#' strategy_weight("undecided", confidence = 0.9)
#' @name strategies
NULL

#' @rdname strategies
#' @export
strategy_gradient <- function(temper = 1) {
  check_number(temper, "temper", min = 1, max = Inf)
  strategy <- strategy_custom("gradient of the goal", function(belief, ranking, goal, price) {
    over_strata(interests_of(goal, ranking), belief, ranking, function(interests, belief, ranking) {
      spread <- sqrt(pmax(ranking$difference_variance, 0))
      distance <- abs(outer(ranking$mean, ranking$mean, `-`))
      own_sd <- system_sd(ranking)
      pairs <- systems <- 0
      for (interest in interests) {
        rate <- stats::dnorm((distance - interest$delta) / spread / temper) / spread
        rate[spread == 0] <- 0
        pairs <- pairs + interest$pairs * rate
        systems <- systems + ifelse(own_sd > 0, interest$systems / own_sd, 0)
      }
      reduction_of(belief, pairs, systems, price)
    })
  })
  with_recipe("strategy_gradient", strategy)
}

# The sum of `f(interests, belief, ranking)` over the whole collection and all strata to which the interests refer.
over_strata <- function(interests, belief, ranking, f) {
  place <- lapply(interests, `[[`, "stratum")
  parts <- lapply(unique(place), function(stratum) {
    of_stratum <- interests[vapply(place, identical, NA, stratum)]
    f(of_stratum, belief_of_stratum(belief, stratum), ranking_of_interest(ranking, of_stratum[[1]]))
  })
  Reduce(`+`, parts)
}

#' @rdname strategies
#' @export
strategy_variance <- function() {
  strategy <- strategy_custom("variance of the comparisons", function(belief, ranking, goal, price) {
    reduction_of(belief, every_pair(ranking) * 1, numeric(length(ranking$mean)), price)
  })
  with_recipe("strategy_variance", strategy)
}

#' @rdname strategies
#' @export
strategy_weight <- function(comparisons = c("all", "goal", "undecided", "proportional"), confidence = 0.95,
                            tie_break = c("random", "pool")) {
  comparisons <- check_choice(comparisons, c("all", "goal", "undecided", "proportional"), "comparisons")
  check_number(confidence, "confidence", min = 0, max = 1)
  tie_break <- check_choice(tie_break, c("random", "pool"), "tie_break")
  label <- c(all = "weights c (m - c)", goal = "weights of the goal's comparisons",
             undecided = "weights of undecided comparisons", proportional = "weights by confidence")[[comparisons]]
  strategy <- strategy_custom(label, function(belief, ranking, goal, price) {
    x <- ranking$collection
    if (comparisons == "all") return(comparison_counts(x) / price)
    if (comparisons == "goal") return(goal_comparisons(interests_of(goal, ranking), ranking) / price)
    pairwise <- confidence_matrix(ranking, goal$delta)
    # Weights are rounded to multiples of 2^-30, whose sums are exact, so that scores that are equal in theory are equal
    # here.
    counts <- (pairwise < confidence) * if (comparisons == "undecided") 1 else round(pairwise * 2^30) / 2^30
    pair_weights_cpp(x$results, counts, numeric(n_systems(x)), relative_weight(x)) / price
  }, rescore = "judged", tie_break = tie_break)
  # Numbers of comparisons depend on the collection alone, so that fixed_order() computes them once.
  if (comparisons == "all") strategy$rescore <- "never"
  # The scores change only if the value of `basis` does; judging-loop.R uses this to keep the order of the documents
  # until then.
  if (comparisons == "undecided") strategy$basis <- function(compared) compared$confidence < confidence
  with_recipe("strategy_weight", strategy)
}

# For each pair of the pool, how many comparisons of the goal, and how many single systems on which the goal depends, it
# affects. A comparison within a stratum is affected only by pairs of the queries of the stratum.
goal_comparisons <- function(interests, ranking) {
  over_strata(interests, NULL, ranking, function(interests, belief, ranking) {
    x <- ranking$collection
    pairs <- Reduce(`+`, lapply(interests, `[[`, "pairs"))
    systems <- as.numeric(Reduce(`+`, lapply(interests, `[[`, "systems")) > 0)
    pair_weights_cpp(x$results, pairs, systems, relative_weight(x)) * counts_in_means(x)[x$pool$query]
  })
}

# Number of comparisons in which exactly one of two systems retrieved the pair; if ranks have weights, the sum of the
# squared differences of the weights.
comparison_counts <- function(x) {
  counts <- squares <- as.double(diff(x$results$offset))
  weight <- relative_weight(x)
  if (length(weight)) {
    of_pair <- function(value) diff(c(0, cumsum(value))[x$results$offset + 1L])
    counts <- of_pair(weight)
    squares <- of_pair(weight^2)
  }
  squares * n_systems(x) - counts^2
}

# The contribution of a gain of each result to its system's score, relative to the largest one; empty if all are equal.
# Values are rounded to multiples of 2^-15, whose squares have exact sums, so that documents with equal contributions
# tie.
relative_weight <- function(x) {
  weight <- x$scoring$weight
  if (is.null(weight) || diff(range(weight)) <= 1e-12 * max(weight)) return(numeric())
  round(weight / max(weight) * 2^15) / 2^15
}

#' @rdname strategies
#' @export
strategy_random <- function() {
  strategy <- strategy_custom("random", function(belief, ranking, goal, price) {
    stats::runif(n_pairs(ranking$collection)) / price
  })
  with_recipe("strategy_random", strategy)
}

is_random <- function(strategy) identical(strategy$recipe$maker, "strategy_random")

#' Define a custom strategy
#'
#' Creates a strategy for [judging_session()] from a function that states how useful the judgment of each document is.
#'
#' @param label A short description of the strategy, one string, by which [open_session()] recognises it.
#' @param score A function of `belief`, `ranking`, `goal` and `price` that returns a number for every pair of the pool,
#'   in pool order, without NA; the largest is judged next. `as.data.frame(belief)` has the current `mean` and
#'   `variance` of the gains, `ranking` is the current ranking, whose element `collection` is the collection, `goal`
#'   that of the session, and `price` the cost of judging each pair, by which to divide the benefit; Inf for pairs that
#'   may not be judged.
#' @param rescore When to call `score` again: after every pair that is `"chosen"`, as each pair of a batch is selected
#'   as if the previous ones were judged; or after every one that is `"judged"`.
#' @param tie_break Which of several documents with the same number to judge first: one at `"random"`, or the first in
#'   the `"pool"`.
#' @return A `judicious_strategy`, for the argument `strategy` of [judging_session()] and [select_documents()].
#' @seealso [goal_custom()].
#' @examples
#' # Judge first the most uncertain documents that many systems retrieved
#' unsure <- strategy_custom("uncertain and popular", function(belief, ranking, goal, price) {
#'   popularity <- diff(ranking$collection$results$offset)
#'   as.data.frame(belief)$variance * popularity / price
#' })
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' select_documents(x, strategy = unsure, n = 3, judgments = FALSE)
#' @export
strategy_custom <- function(label, score, rescore = c("chosen", "judged"), tie_break = c("random", "pool")) {
  check_string(label, "label")
  check_function(score, "score")
  rescore <- check_choice(rescore, c("chosen", "judged"), "rescore")
  tie_break <- check_choice(tie_break, c("random", "pool"), "tie_break")
  structure(list(label = label, score = score, rescore = rescore, tie_break = tie_break, basis = NULL,
                 recipe = list(label = label)),
            class = "judicious_strategy")
}

#' @export
print.judicious_strategy <- function(x, ...) print_line(x, "Selection of documents: ", x$label)

# Up to this number of systems, the reductions of all pairs of the pool are computed exactly.
few_systems <- 64

# The reduction of sum_ab w_ab Var(a - b) + sum_a v_a Var(a) by each pair of the pool, divided by its price. With more
# than `max_systems` systems, an approximation finds the `closer` most promising pairs, whose reductions are then
# computed exactly; none of the others ranks before them.
reduction_of <- function(belief, pair_weight, system_weight, price = 1, max_systems = few_systems, closer = 256) {
  root <- weight_root(pair_weight, system_weight)
  if (ncol(root) <= max_systems) return(belief_reduction(belief, root) / price)
  value <- belief_reduction(belief, random_combinations(root, 8)) / price
  best <- largest_indices(value, closer)
  exact <- belief_reduction(belief, root, best) / rep_len(price, length(value))[best]
  # The bounds are set strictly below the exact values, so that a pair with an exact value comes first in a tie.
  value <- pmin(value, min(exact) * (1 - 1e-9))
  value[best] <- exact
  value
}

# Indices of the `n` largest values in descending order, ties in order of index.
largest_indices <- function(value, n) utils::head(order(value, decreasing = TRUE), n)

# A matrix R such that R'R is the quadratic form with these weights.
weight_root <- function(pair_weight, system_weight) {
  m <- length(system_weight)
  form <- diag(rowSums(pair_weight) + system_weight, m) - pair_weight
  # The quadratic form is singular if it does not change when all scores increase alike, as for weights of pairs alone:
  # a small multiple of the identity is added.
  if (m > few_systems) return(cholesky_cpp(form + diag(1e-9 * max(diag(form), 1e-300), m)))
  if (!any(diag(form) > 0)) return(matrix(0, 1, m))
  # Pivoting moves the null space of a singular form to the end, with a warning that it is singular.
  root <- suppressWarnings(chol(form, pivot = TRUE, tol = 1e-12 * max(diag(form))))
  root[seq_len(attr(root, "rank")), order(attr(root, "pivot")), drop = FALSE]
}

# `n` random combinations of the rows of a matrix R. If M is the matrix of the combinations, the expectation of M'M is
# R'R.
random_combinations <- function(rows, n) matrix(sample(c(-1, 1), n * nrow(rows), TRUE), n) %*% rows / sqrt(n)

# Selects the documents to judge next by a belief, a goal and a strategy: one, a batch, or a batch of one query.

# The belief with which to select documents, from gains that the user gives.
belief_of_gains <- function(x, gains, judgments) {
  joint <- if (inherits(x, "judicious_joint_gains")) x else gains
  refuse_beside_gains(joint, judgments = judgments)
  if (inherits(x, "judicious_joint_gains") && is.null(gains)) return(x)
  x <- judged_collection(x)
  if (is.null(gains)) return(joint_gains(collection_to_judge(x, judgments)))
  if (inherits(gains, "judicious_joint_gains")) return(gains)
  check_class(gains, "judicious_gains", "gains", c("joint_gains", "gain_distribution"))
  gains <- gains_on_pool(x, gains)
  new_independent_belief(x, list(gains = gains), gains, replace(gains$mean, !gains$judged, NA))
}

# The priority of each pair among pairs with equal scores: pairs in more comparisons come first, then pool order or
# `order` decides. NULL if ties are resolved at random.
tie_rank <- function(x, tie_break, order = seq_len(n_pairs(x))) {
  if (tie_break == "random") return(NULL)
  by_comparisons <- order[order(-comparison_counts(x)[order])]
  replace(integer(length(by_comparisons)), by_comparisons, seq_along(by_comparisons))
}

# The functions below take the engine of a session (see new_engine()) or a list with elements of the same names: the
# collection `x`, the `belief`, the `gain` of each judged pair, the `ranking` by the belief (NULL: not computed), the
# `goal`, `strategy` and `cost`, the priority of each pair among ties (`tie`), and `order`, the order of selection if it
# never changes (otherwise NULL); and, in a session, `shared`.

# Selects `batches` of `n` documents each from those that are `open`.
choose_batches <- function(engine, batches, n, same_query, open) {
  parts <- list(quick_frame(batch = integer(), pair = integer(), score = numeric()))
  pending <- integer()
  for (b in seq_len(batches)) {
    more <- choose_batch(engine, n, same_query, open, pending)
    if (!length(more$pair)) break
    parts[[b + 1]] <- quick_frame(batch = b, pair = more$pair, score = more$score)
    pending <- c(pending, more$pair)
    open[more$pair] <- FALSE
  }
  do.call(rbind, parts)
}

# Selects a batch of `n` documents. `pending`: pairs that are assigned but not yet judged.
choose_batch <- function(engine, n, same_query, open, pending = integer()) {
  if (n < 1) return(list(pair = integer(), score = numeric()))
  if (!is.null(engine$order) && !same_query) return(next_in_order(engine$order, n, open))
  if (!any(open)) return(list(pair = integer(), score = numeric()))
  view <- view_with(engine, pending)
  if (!same_query || n == 1) return(choose_best(engine, view, n, open))
  query <- engine$x$pool$query
  value <- scores_in(engine, view, open)
  # Finds the query whose n best documents have the highest sum of scores; ties go to the query of the best document.
  ranked <- which(open)
  ranked <- ranked[best_first(value[ranked], engine$tie[ranked])]
  taken <- stats::ave(seq_along(ranked), query[ranked], FUN = seq_along) <= n
  total <- rowsum(value[ranked][taken], query[ranked][taken], reorder = FALSE)
  choose_best(engine, view, n, open & query == as.integer(rownames(total))[which.max(total)])
}

# The order of selection, if neither scores nor ties can change it; otherwise NULL.
fixed_order <- function(strategy, x, cost, tie) {
  if (strategy$rescore != "never" || cost$new_query > 0 || is.null(tie)) return(NULL)
  sorted_pairs(strategy$score(NULL, list(collection = x), NULL, cost$judgment), tie)
}

# Changes the order in which ties are resolved.
set_tie_order <- function(engine, tie) {
  engine$tie <- tie
  engine$order <- fixed_order(engine$strategy, engine$x, engine$cost, tie)
}

# The pairs `pairs`, best first, with a `cursor`: all pairs before it are judged, assigned or skipped.
sorted_pairs <- function(value, tie, pairs = seq_along(value)) {
  pair <- pairs[best_first(value[pairs], tie[pairs])]
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

# What scores depend on: the belief and the ranking, and which pairs are `judged`, if the cost depends on it. The
# `pending` pairs count as judged; in the belief and the ranking, only if the strategy computes new scores after each
# choice. `view`: an earlier view, to which the pending pairs are added.
view_with <- function(engine, pending, view = list(belief = engine$belief, ranking = engine$ranking,
                                                   judged = if (engine$cost$new_query > 0) !is.na(engine$gain))) {
  if (!is.null(view$judged)) view$judged[pending] <- TRUE
  is_changed <- length(pending) > 0 && engine$strategy$rescore == "chosen"
  if (is_changed) view$belief <- belief_imagine(view$belief, pending)
  if (is_changed || is.null(view$ranking)) {
    made <- if (is.null(engine$ranking)) sum(!is.na(engine$gain)) else engine$ranking$judged
    view$ranking <- rank_by_belief(view$belief, engine$x, made, engine$goal$delta, engine$shared)
  }
  view
}

# The score of every pair of the pool; -Inf for pairs that may not be judged.
scores_in <- function(engine, view, open) {
  query <- engine$x$pool$query
  price <- rep(judgment_price(engine$cost), length(query))
  if (!is.null(view$judged)) price <- price + engine$cost$new_query * !(query %in% query[view$judged])
  value <- engine$strategy$score(view$belief, view$ranking, engine$goal, replace(price, !open, Inf))
  check_that(is.numeric(value) && length(value) == length(open) && !anyNA(value), "score", "of the strategy
    {.val {engine$strategy$label}} must return {format_count(length(open))} numbers, one per pair of the pool, not
    {.obj_type_friendly {value}} of length {length(value)}.", call = NULL)
  replace(value, !open, -Inf)
}

# Selects the `n` pairs with the highest scores, which are recomputed as often as the strategy requires.
choose_best <- function(engine, view, n, open) {
  changing <- engine$strategy$rescore == "chosen" || engine$cost$new_query > 0
  pair <- integer()
  score <- numeric()
  value <- NULL
  while (length(pair) < n && any(open)) {
    if (is.null(value) || changing) value <- scores_in(engine, view, open)
    best <- which(value == max(value))
    # Ties go to the first by `tie`, or to a random one if that is NULL.
    if (length(best) > 1) best <- if (is.null(engine$tie)) sample(best, 1) else best[which.min(engine$tie[best])]
    pair <- c(pair, best)
    score <- c(score, value[best])
    if (length(pair) == n) break
    open[best] <- FALSE
    value[best] <- -Inf
    view <- view_with(engine, best, view)
  }
  list(pair = pair, score = score)
}

# The interests of a goal (the comparisons and systems on which it depends) as a list, in which missing elements are set
# to their defaults. `interest`: one interest or a list of several, as a custom goal returns them.
as_interests <- function(interest, label, n) {
  interests <- if (is.null(names(interest))) interest else list(interest)
  lapply(interests, function(one) {
    one <- list(pairs = one$pairs %||% matrix(0, n, n), systems = one$systems %||% numeric(n), delta = one$delta %||% 0,
                stratum = one$stratum)
    if (is.numeric(one$pairs) && identical(dim(one$pairs), c(n, n)) && !anyNA(one$pairs) && length(one$systems) == n) {
      return(one)
    }
    abort_argument("interest", "of the goal {.val {label}} must return {.field pairs}, a matrix of {n} by {n} numbers,
      or {.field systems}, {n} numbers.", call = NULL)
  })
}

# The comparisons and systems on which a goal depends. If it depends on none, because it is a budget, or is met and
# waits for more judgments, all comparisons count.
interests_of <- function(goal, ranking) {
  interests <- Filter(function(one) any(one$pairs > 0, one$systems > 0), needed_interests(goal, ranking))
  if (length(interests)) return(interests)
  as_interests(list(pairs = every_pair(ranking) * 1), goal$label, length(ranking$mean))
}

# The comparisons and systems on which a goal depends, its interests. If it waits until systems have enough judgments,
# it depends on these systems alone.
needed_interests <- function(goal, ranking) {
  if (!waits_for_systems(goal, ranking$lacking)) return(goal$interest(ranking))
  as_interests(list(systems = as.numeric(ranking$lacking)), goal$label, length(ranking$mean))
}

# Whether a goal cannot be reached yet because systems lack judgments. This does not apply to budgets and custom goals.
waits_for_systems <- function(goal, lacking) {
  waits <- function(recipe) {
    if (is.null(recipe$goals)) isTRUE(recipe$maker != "goal_budget") else any(vapply(recipe$goals, waits, NA))
  }
  any(lacking) && waits(goal$recipe)
}

# The ranking to which an interest refers: that of a stratum, or of all queries.
ranking_of_interest <- function(ranking, interest) {
  if (is.null(interest$stratum)) ranking else ranking$strata[[interest$stratum[1]]][[interest$stratum[2]]]
}

every_pair <- function(ranking) `diag<-`(matrix(TRUE, length(ranking$mean), length(ranking$mean)), FALSE)
