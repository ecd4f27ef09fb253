#' Minimal test collections: judge until the ranking is sure enough
#'
#' `mtc()` runs Algorithm 1 of Urbano and Schedl (2013): it judges the document whose judgment tells most about the
#' ranking, estimates again, and stops when the confidence in the ranking is high enough. The judgments come from a
#' table, to simulate a session whose truth is known, or from a function that asks a person.
#'
#' Every pair's gain is estimated by `output_model` at the start. After every `update_every` judgments
#' each pair that is not judged, and has all features that `judge_model` needs (aSYS and aART
#' for the published one), is estimated by `judge_model`, and the others by `output_model`.
#'
#' Estimates of a step cost of the order of m^2 for m systems; between updates nothing passes over the pool.
#'
#' @section Variants: Section 3.4 of the paper names these:
#'   - `stop = "all"`: every comparison of two systems, not the mean of them, must reach the confidence. A comparison
#'     that no further judgment can change, such as that of two equal lists, is not waited for. `stop = "never"` goes
#'     on until the budget or the pool is used up.
#'   - `weights = "undecided"`: only comparisons below the confidence count in the weight of a document;
#'     `"proportional"`: each of them counts in proportion to its confidence. Documents that take part in
#'     none of them come last, in the order of all their comparisons.
#'   - `delta`: a minimum difference; confidence is that of a difference larger than it.
#'
#' @section Stopping: The result's `reason` is `"confidence"` (reached), `"settled"` (no judgment left can change a
#'   comparison), `"budget"`, `"exhausted"` (nothing left that could be judged), `"judge"` (the judging function
#'   returned NULL, or failed), `"error"` (a model failed in a session that a person judges) or `"interrupt"`
#'   (Ctrl-C). In each case everything so far is returned.
#'
#' @param x A [test_collection()]. The algorithm begins with no judgments: those of `x` are of use as `truth` only.
#' @param truth Where gains come from. A data frame with `query`, `doc`, `gain` or the path of such a file: a
#'   simulated session in which the pairs it has can be judged. NULL: the collection's own judgments. Or a function of
#'   `query` and `doc` that returns a gain, NA to pass a document over, or NULL to stop.
#' @param output_model The model of the gains before anything is judged, such as `mirex_model("output", "fine")` or a
#'   [pom()] on [output_features()]. NULL: the uniform distribution.
#' @param judge_model The model that also uses [judgment_features()]. NULL: no updates.
#' @param confidence The confidence at which to stop, from 0 to 1.
#' @param update_every After how many judgments to estimate again.
#' @param ties Which of the documents of equal weight to judge first: `"pool"`, the first of the pool, or
#'   `"random"`.
#' @param delta The smallest difference in the measure that is of interest.
#' @param stop When to stop: `"mean"`, `"all"` or `"never"`; see Variants.
#' @param weights Which comparisons count: `"all"`, `"undecided"` or `"proportional"`; see Variants.
#' @param budget The largest number of judgments to make.
#' @param features A data frame of features for the models, one row per pair of the pool, in place of
#'   `output_features(x)`; as [add_features()] makes.
#' @param measure The measure by which systems are ranked, NULL for AG@k: any that is a sum over the documents of the
#'   weight of the rank times what the gain is worth (CG, DCG, P, RBP, and nDCG and ANDCG with `ideal = "maximum"`). The
#'   indicators of ranks in equations (1) to (8) are then these weights.
#' @param seed Seed of the random order of ties; the state of R's generator is restored. NULL draws a seed from it.
#' @param progress TRUE shows a progress bar with the confidence so far.
#' @return A `judicious_mtc`: a list of
#'   - `trace`: a data frame with one row before the first judgment and one after each: `judged`, `confidence` (in the
#'     ranking), `decided` (share of comparisons that reach the confidence), and, where all truth is known, `accuracy`
#'     and `tau` as in [ranking_accuracy()];
#'   - `order`: a data frame of the judged pairs, first to last: `judged` (1, 2, ...), `query`, `doc`, `gain`;
#'   - `ranking` and `gains` at the end, as by [rank_systems()] and [gain_distribution()];
#'   - `reason`, why it stopped, and `options`.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of
#'   Audio Music Similarity and Retrieval systems. International Journal of Multimedia Information
#'   Retrieval 2, 59-70.
#' @seealso [next_to_judge()] for the list of what to judge next; [judging_session()] with [independent_gains()] for the
#'   same method with several assessors, kept on disk, or towards another goal.
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
#' # A person judges: here, one who likes everything
#' mtc(x, function(query, doc) 2, output_model = NULL, budget = 3)
#' @export
mtc <- function(x, truth, output_model, judge_model = NULL, confidence = 0.95, update_every = 20,
                ties = c("pool", "random"), delta = 0, stop = c("mean", "all", "never"),
                weights = c("all", "undecided", "proportional"), budget = Inf, features = NULL, measure = NULL,
                seed = NULL,
                progress = getOption("judicious.progress", interactive())) {
  x <- judged_collection(x)
  x <- in_measure(x, measure)
  if (!is_sum(x)) {
    abort_judicious(c("{.fn mtc} cannot follow {.val {x$measure$name}}, which is not a sum over ranks.",
                      i = "{.fn judging_session} can."), "measure", argument = "measure")
  }
  if (n_systems(x) < 2) abort_judicious("{.arg x} has one system; a ranking takes two.", "argument", argument = "x")
  check_number(confidence, "confidence", min = 0, max = 1)
  check_count(update_every, "update_every", finite = FALSE)
  check_number(delta, "delta", min = 0)
  check_count(budget, "budget", min = 0, finite = FALSE)
  check_flag(progress, "progress")
  options <- list(
    confidence = confidence, update_every = update_every, delta = delta, budget = budget,
    ties = check_choice(ties, c("pool", "random"), "ties"),
    stop = check_choice(stop, c("mean", "all", "never"), "stop"),
    weights = check_choice(weights, c("all", "undecided", "proportional"), "weights")
  )
  by_function <- is.function(truth)
  gain <- if (!by_function) simulated_gains(x, truth)
  means <- if (!by_function && !anyNA(gain)) true_means(x, gain)
  prepared <- belief_prepare(independent_gains(output_model, judge_model, features), x, NULL)
  e <- mtc_engine(x, prepared, mtc_goal(options), options, seed, trace_observer(x, means, confidence))
  work <- if (by_function) direct_work(e, rep(TRUE, n_pairs(x))) else known_work(e, gain)
  ask <- if (by_function) patient_ask(x, truth) else function(pair) gain[pair]
  reason <- run_mtc(e, work, ask, budget, loop_progress(progress), keep = by_function)
  new_mtc(e, reason, options, known = !is.null(means))
}

mtc_goal <- function(options) {
  all_judged <- function(compared, judged) list(value = judged, asked = Inf, reached = FALSE)
  switch(options$stop,
    mean = mtc_confidence("mean confidence", options, function(compared) mean(compared$confidence)),
    all = mtc_confidence("confidence of every pair", options,
                         function(compared) smallest(compared$confidence[compared$variance > 0])),
    never = goal_of_comparisons("all judged", all_judged, NULL, options$delta)
  )
}

# The published algorithm may ask for a confidence of 0 or 1, which no other goal takes.
mtc_confidence <- function(label, options, confidence) {
  goal_of_comparisons(label, function(compared, judged) {
    value <- confidence(compared)
    list(value = value, asked = options$confidence, reached = value >= options$confidence)
  }, function(ranking) list(pairs = every_pair(ranking) * 1, delta = options$delta), options$delta)
}

# The engine of the published algorithm. Ties of random order go by one order for the whole run.
mtc_engine <- function(x, prepared, goal, options, seed, observe = NULL, batch = 1, same_query = FALSE,
                     cost = judging_cost(),
                     strategy = strategy_weight(options$weights, options$confidence, "pool")) {
  order <- if (options$ties == "pool") seq_len(n_pairs(x)) else with_seed(seed, sample.int(n_pairs(x)), caller_env())
  setup <- new_setup(x, prepared, goal, strategy, options$update_every, batch, same_query, cost)
  new_engine(setup, tie = tie_rank(x, "pool", order), observe = observe, delta = options$delta)
}

# `keep`: what was judged is returned even after an error, as a person judged it.
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

# A person's gain of a pair: where the function fails, or returns no gain, the session ends with a warning.
patient_ask <- function(x, judge) {
  function(pair) {
    ids <- pair_ids(x, pair)
    gain <- tryCatch(judge(ids$query, ids$doc), error = identity)
    if (is.null(gain) || (is.atomic(gain) && length(gain) == 1 && is.na(gain))) return(gain)
    fault <- fault_of_gain(gain, x$scale)
    if (is.null(fault)) return(gain)
    warn_judicious(c(
      "The judging function failed for query {.val {ids$query}}, document {.val {ids$doc}}; the session ends there.",
      x = "{fault}",
      i = "What was judged before is returned."
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
