# Who should judge which document next, where assessors differ in price and in the errors of their judgments.

# The best `n` tasks of a session among some assessors, each document at most once: a data frame with `pair`,
# `assessor`, `again` (a second judgment) and `score`, the value of the judgment divided by its price.
best_tasks <- function(e, assessors, n = 1) {
  again <- matrix(FALSE, n_pairs(e$x), length(assessors))
  value <- matrix(-Inf, n_pairs(e$x), length(assessors))
  for (i in seq_along(assessors)) {
    asked <- engine_for(e, assessors[i])
    open_now <- open_tasks(e, assessors[i])
    again[, i] <- open_now$again
    candidates <- open_now$free | open_now$again
    if (any(candidates)) value[, i] <- with_seed(1, scores_in(asked, view_with(asked, open_now$pending), candidates))
  }
  who <- max.col(value, ties.method = "first")
  best <- value[cbind(seq_along(who), who)]
  pair <- largest(best, n)
  pair <- pair[best[pair] > -Inf]
  quick_frame(pair = pair, assessor = assessors[who[pair]], again = again[cbind(pair, who[pair])], score = best[pair])
}

next_of_session <- function(s, n) {
  check_session(s)
  e <- s$env
  update_estimates(e)
  priced <- priced_assessors(e$cost)
  if (length(priced)) {
    tasks <- best_tasks(e, priced, n)
  } else {
    open_now <- open_tasks(e)
    tasks <- with_seed(1, choose_batch(e, n, FALSE, open_now$free | open_now$again, open_now$pending))
  }
  chosen <- data.frame(pair_ids(e$x, tasks$pair), score = tasks$score)
  if (length(priced)) cbind(chosen, tasks[c("assessor", "again")]) else chosen
}

#' Select the documents to judge next
#'
#' Selects the unjudged documents whose judgment serves the goal most. Use it to write a list for assessors, or to look
#' ahead in a session. Each document is selected as if the previous ones were judged (except by [strategy_weight()]).
#'
#' @param x A [test_collection()], [joint_gains()], or a session, which has its own gains, goal, strategy and cost:
#'   leave out all other arguments except `n`.
#' @param gains The gains: [joint_gains()]; or a [gain_distribution()], updated with the judgments by
#'   [update()][update.judicious_gains]. NULL (default), for a collection, makes joint gains from [gain_prior()] and
#'   `judgments`.
#' @param n Number of documents to select; with `batches`, per batch. Inf, with `same_query`, selects all documents of
#'   the best query, which a right answer judges at once (`judge(gold = )`); compare the sum of their scores with the
#'   score of a single document.
#' @param goal The goal that the judgments should serve; by default, [goal_mean()] with a confidence of 0.95.
#' @param strategy How to select documents: a strategy, by default [strategy_gradient()].
#' @param cost The cost of a judgment, by [judging_cost()].
#' @param batches The number of batches of `n` documents each, the most useful first; NULL for a single list.
#' @param same_query TRUE selects all documents of a batch from one query, whose `n` best documents have the highest
#'   total benefit.
#' @param judgments NULL (default) uses the judgments of `x`, FALSE none. An error if `gains` are given or `x` are joint
#'   gains.
#' @param seed Seed of ties and random choices; NULL draws one.
#' @return A data frame with one row per selected document, in the order in which to judge: `query`, `doc` and `score`,
#'   the benefit per unit of cost; with `batches`, the first column is `batch`. It has fewer than `n` rows if fewer
#'   documents are left. For a session whose [judging_cost()] names assessors also `assessor`, who should judge the
#'   document, and `again`, TRUE for a second judgment.
#' @section Errors: `judicious_error_argument`, among others for an argument that a session `x` already has.
#' @seealso [judging_session()] and [mtc()] select documents, collect judgments and update estimates.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' select_documents(joint_gains(x, judgments = judgments_of(x)[1:20, ]), n = 5)
#' # Independent gains, and the weights of Urbano and Schedl (2013)
#' strategy <- strategy_weight("undecided", tie_break = "pool")
#' select_documents(x, uniform_gains(x), n = 3, strategy = strategy)
#' @export
select_documents <- function(x, gains = NULL, n = 10, goal = goal_mean(), strategy = strategy_gradient(),
                          cost = judging_cost(), batches = NULL, same_query = FALSE, judgments = NULL, seed = NULL) {
  check_count(n, "n", min = 0, finite = !isTRUE(same_query))
  if (inherits(x, "judicious_session")) {
    given <- setdiff(names(match.call())[-1], c("x", "n"))
    check_that(!length(given), given[1], "A session has its own {.arg {given[1]}}: leave it out.")
    return(next_of_session(x, n))
  }
  check_class(goal, "judicious_goal", "goal", "goal_mean")
  check_class(strategy, "judicious_strategy", "strategy", "strategy_gradient")
  check_class(cost, "judicious_cost", "cost", "judging_cost")
  if (!is.null(batches)) check_count(batches, "batches")
  check_flag(same_query, "same_query")
  belief <- belief_of_gains(x, gains, judgments)
  x <- belief$collection
  gain <- belief$gain
  check_goal_fits(x, goal)
  belief <- belief_for_goal(belief, x, goal)
  e <- list(x = x, belief = belief, gain = gain, ranking = NULL, goal = goal, strategy = strategy,
               cost = cost, tie = tie_rank(x, strategy$tie_break), order = NULL)
  chosen <- with_seed(seed, choose_batches(e, batches %||% 1, n, same_query, is.na(gain)))
  selected <- data.frame(batch = chosen$batch, pool_ids(x)[chosen$pair, ], score = chosen$score, row.names = NULL)
  if (is.null(batches)) selected[-1] else selected
}
