#' Run minimal test collections
#'
#' Runs Algorithm 1 of Urbano and Schedl (2013), minimal test collections (MTC): repeatedly judges the document that is
#' most informative about the ranking, updates the estimates, and stops when the confidence in the ranking is high
#' enough. Use it to reproduce the published method or to compare with it. Its intervals are too narrow: to judge
#' documents, use [judging_session()]. The judgments come from a table, to simulate a session whose truth is known, or
#' from a function that asks a person.
#'
#' At the start, `output_model` estimates the gain of every pair. After every `update_every` judgments, `judge_model`
#' estimates each unjudged pair that has all features it needs (aSYS and aART for the published one), and `output_model`
#' estimates the others.
#'
#' The computing time of a judgment is of the order of m^2 for m systems. It does not depend on the size of the pool,
#' except in updates.
#'
#' @section Variants: Section 3.4 of the paper proposes these variants:
#'   - `stop = "all"`: the confidence in every pair of systems, rather than its mean, must reach `confidence`. A pair
#'     whose comparison no further judgment can change, such as one with equal lists, is ignored. `stop = "never"`
#'     continues until the budget or the pool is used up.
#'   - `weights = "undecided"`: only pairs of systems below `confidence` count in the weight of a document;
#'     `"proportional"`: each of these pairs counts in proportion to its confidence. Documents that affect none of them
#'     come last, in the order of their weights with `"all"`.
#'   - `delta`: a minimum difference; the confidence is the probability that the better system is better by more than
#'     this.
#'
#' @section Stopping: The `reason` of the result is `"confidence"` (reached), `"settled"` (no judgment left can change a
#'   comparison), `"budget"`, `"exhausted"` (nothing is left to judge), `"judge"` (the judging function returned NULL or
#'   failed), `"error"` (a model failed in a session that a person judges) or `"interrupt"` (Ctrl-C). In each case, the
#'   result contains all judgments made so far.
#'
#' @param x A [test_collection()]. The algorithm starts without judgments: those of `x` serve as `truth` only.
#' @param truth The source of gains. A data frame with `query`, `doc` and `gain`, or the path of such a file, simulates
#'   a session; pairs that it lacks are not judged, with a warning. NULL uses the judgments of the collection. A
#'   function of `query` and `doc` returns a gain, NA to skip the document, or NULL to stop.
#' @param output_model Model of the gains before anything is judged, such as `mirex_model("output", "fine")` or a
#'   [pom()] on [output_features()]. NULL: the uniform distribution.
#' @param judge_model Model that also uses [judgment_features()]. NULL: no updates.
#' @param confidence The confidence at which to stop, from 0 to 1.
#' @param update_every The number of judgments after which `judge_model` estimates the gains again; Inf never does.
#' @param tie_break Which of several documents with equal weight to judge first: `"pool"`, the first in pool order, or
#'   `"random"`.
#' @param delta The smallest difference between systems that is of interest, in units of the measure.
#' @param stop When to stop: `"mean"`, `"all"` or `"never"`; see Variants.
#' @param weights Which pairs of systems count in the weight of a document: `"all"`, `"undecided"` or `"proportional"`;
#'   see Variants.
#' @param budget The largest number of judgments to make, which [goal_budget()] states for a session.
#' @param features A data frame of features for the models, one row per pair of the pool, which replaces
#'   `output_features(x)`; see [add_features()].
#' @param measure The measure by which systems are ranked; NULL for AG@k. It must be a sum over documents of a weight of
#'   the rank times a function of the gain (CG, DCG, P, RBP, and nDCG and ANDCG with `ideal = "maximum"`). These weights
#'   replace the indicators of ranks in equations (1) to (8).
#' @param seed Seed of the random order of ties; the state of R's random number generator is restored. NULL draws a seed
#'   from it.
#' @param progress TRUE shows a progress bar with the confidence so far. The default is the option `judicious.progress`,
#'   or TRUE in interactive R sessions.
#' @return A `judicious_mtc`: a list of
#'   - `trace`: a data frame with one row before the first judgment and one after each: `judged`, `confidence` (in the
#'     ranking), `decided` (the share of pairs of systems whose confidence reaches `confidence`), and, if all gains are
#'     known, `accuracy` and `tau` as in [ranking_accuracy()];
#'   - `order`: a data frame of the judged pairs in order: `judged` (1, 2, ...), `query`, `doc`, `gain`;
#'   - `ranking` and `gains` at the end, as by [rank_systems()] and [gain_distribution()];
#'   - `reason`, why it stopped, and `options`.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of
#'   Audio Music Similarity and Retrieval systems. International Journal of Multimedia Information
#'   Retrieval 2, 59-70.
#' @section Errors: `judicious_error_measure` for a measure that is not a sum over ranks; `judicious_error_argument` for
#'   a collection of one system and for an argument out of its range; `judicious_error_incomplete_judgments` if `truth`
#'   has no gain for any pair of the pool.
#' @seealso [select_documents()] selects the next documents only; [judging_session()] with [independent_gains()] runs
#'   the same method with several assessors, on disk, or with another goal.
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B", "C"), each = 4), query = rep(c("q1", "q1", "q2", "q2"), 3),
#'   doc = c("d1", "d2", "d5", "d6", "d1", "d3", "d5", "d7", "d4", "d3", "d8", "d7")
#' )
#' x <- test_collection(runs, k = 2, scale = broad_scale())
#' truth <- data.frame(
#'   query = rep(c("q1", "q2"), each = 4), doc = paste0("d", 1:8),
#'   gain = c(2, 1, 0, 0, 2, 2, 1, 0)
#' )
#' session <- mtc(x, truth, output_model = NULL, confidence = 0.9)
#' session
#' session$order
#'
#' # A person judges: here, one who gives every document the gain 2
#' mtc(x, function(query, doc) 2, output_model = NULL, budget = 3)
#' @export
mtc <- function(x, truth, output_model, judge_model = NULL, confidence = 0.95, update_every = 20,
                tie_break = c("pool", "random"), delta = 0, stop = c("mean", "all", "never"),
                weights = c("all", "undecided", "proportional"), budget = Inf, features = NULL, measure = NULL,
                seed = NULL, progress = getOption("judicious.progress", interactive())) {
  x <- with_known_scale(judged_collection(x), truth)
  x <- in_measure(x, measure)
  check_that(is_sum(x), "measure", c(
    "{.fn mtc} does not support the measure {.val {x$measure$name}}, which is not a sum over ranks.",
    i = "Use {.fn judging_session}."
  ), kind = "measure")
  check_two_systems(x)
  check_number(confidence, "confidence", min = 0, max = 1)
  check_count(update_every, "update_every", finite = FALSE)
  check_number(delta, "delta", min = 0)
  check_count(budget, "budget", min = 0, finite = FALSE)
  check_flag(progress, "progress")
  settings <- list(
    confidence = confidence, update_every = update_every, delta = delta, budget = budget,
    tie_break = check_choice(tie_break, c("pool", "random"), "tie_break"),
    stop = check_choice(stop, c("mean", "all", "never"), "stop"),
    weights = check_choice(weights, c("all", "undecided", "proportional"), "weights")
  )
  by_function <- is.function(truth)
  gain <- if (!by_function) simulated_gains(x, truth)
  means <- if (!by_function && !anyNA(gain)) true_means(x, gain)
  prepared <- belief_prepare(independent_gains(output_model, judge_model, features), x, NULL)
  e <- mtc_engine(x, prepared, mtc_goal(settings), settings, seed, trace_observer(x, means, confidence))
  work <- if (by_function) direct_work(e, rep(TRUE, n_pairs(x))) else known_work(e, gain)
  ask <- if (by_function) ask_person(x, truth) else function(pair) gain[pair]
  reason <- run_mtc(e, work, ask, budget, loop_progress(progress), keep = by_function)
  new_mtc(e, reason, settings, known = !is.null(means))
}

mtc_goal <- function(options) {
  never_reached <- function(compared, judged) list(value = judged, asked = Inf, reached = FALSE)
  switch(options$stop,
    mean = mtc_confidence("mean confidence", options, mean_confidence),
    all = mtc_confidence("confidence of every pair", options,
                         function(compared) smallest(compared$confidence[compared$variance > 0])),
    never = goal_of_comparisons("all judged", never_reached, NULL, options$delta)
  )
}

# The published algorithm accepts a confidence of 0 or 1, which other goals do not.
mtc_confidence <- function(label, options, confidence) {
  goal_of_comparisons(label, function(compared, judged) {
    value <- confidence(compared)
    list(value = value, asked = options$confidence, reached = value >= options$confidence)
  }, function(ranking) list(pairs = every_pair(ranking) * 1, delta = options$delta), options$delta)
}

# The engine of the published algorithm. A random order of ties is the same for the whole run.
mtc_engine <- function(x, prepared, goal, options, seed, observe = NULL, batch = 1, same_query = FALSE,
                       cost = judging_cost(),
                       strategy = strategy_weight(options$weights, options$confidence, "pool")) {
  in_order <- options$tie_break == "pool"
  turn <- if (in_order) seq_len(n_pairs(x)) else with_seed(seed, sample.int(n_pairs(x)), caller_env())
  control <- session_control(audit = 0, batch = batch, same_query = same_query, update_every = options$update_every)
  setup <- new_setup(x, prepared, goal, strategy, control, cost)
  new_engine(setup, tie = tie_rank(x, "pool", turn), observe = observe, delta = options$delta)
}

# `keep`: returns the judgments even after an error, because a person made them.
run_mtc <- function(e, work, ask, budget, tell, keep, call = caller_env()) {
  force(call)
  tryCatch({
    reason <- judging_loop(e, work, ask, budget, tell)
    if (reason == "goal") "confidence" else reason
  }, interrupt = function(cnd) {
    inform_judicious(c("Interrupted.", i = "What was judged so far is returned."), "interrupt")
    "interrupt"
  }, error = function(cnd) {
    if (!keep) {
      cnd$call <- rlang::error_call(call)
      stop(cnd)
    }
    warn_judicious(c(
      "Estimating the gains again failed; the session ends there.",
      x = "{conditionMessage(cnd)}",
      i = "What was judged is returned, with the estimates of before."
    ), "estimation")
    "error"
  })
}

# The `ask` of judging_loop() for the user's function `judge`. If that fails or returns no gain, the session ends with a
# warning.
ask_person <- function(x, judge) {
  function(pair) {
    ids <- pair_ids(x, pair)
    gain <- tryCatch(judge(ids$query, ids$doc), error = identity)
    if (is.null(gain) || (is.atomic(gain) && length(gain) == 1 && is.na(gain))) return(gain)
    fault <- fault_of_gain(gain, x$scale)
    if (is.null(fault)) return(gain)
    warn_judicious(c(
      "The judging function failed for query {.val {ids$query}}, document {.val {ids$doc}}; the session ends there.",
      x = "{fault}",
      i = "The judgments made so far are returned."
    ), "judge", query = ids$query, doc = ids$doc)
    NULL
  }
}

fault_of_gain <- function(gain, scale) {
  if (inherits(gain, "error")) return(conditionMessage(gain))
  if (!is.numeric(gain) || length(gain) != 1) return("It must return one number, NA or NULL.")
  if (in_scale(scale, gain)) return(NULL)
  paste0("It returned ", format(gain), ", which is not on the scale ", format(scale), ".")
}
