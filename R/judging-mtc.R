#' Run minimal test collections
#'
#' Runs Algorithm 1 of Urbano and Schedl (2013), minimal test collections (MTC): repeatedly judges the most informative
#' document, updates the estimates, and stops when the confidence is high enough. Use it to reproduce the published
#' method. Its intervals are too narrow: to judge documents, use [judging_session()].
#'
#' After every `update_every` judgments, `judge_model` estimates each unjudged pair that has all features it needs
#' (aSYS and aART for the published one), and `output_model` the others.
#'
#' @section Variants: Section 3.4 of the paper proposes these variants:
#'   - `stop = "all"`: the confidence in every pair of systems, rather than its mean, must reach `confidence`.
#'     `stop = "never"` continues until the budget or the pool is used up.
#'   - `weights = "undecided"`: only pairs of systems below `confidence` count in the weight of a document;
#'     `"proportional"`: each of these in proportion to its confidence.
#'   - `delta`: the confidence is the probability that the better system is better by more than this.
#'
#' @section Stopping: The algorithm also stops when no judgment left can change a comparison. A judging function stops
#'   it by returning NULL, by an error, which becomes a warning, or by Ctrl-C; the session has all judgments made so
#'   far.
#'
#' @param x A [test_collection()], whose judgments serve as `truth` only.
#' @param truth The source of gains, as in [run_session()]; pairs that a data frame lacks are not judged, with a
#'   warning.
#' @param output_model Model of the gains before anything is judged, such as `mirex_model("output", "fine")` or a
#'   [pom()] on [output_features()]. NULL: the uniform distribution.
#' @param judge_model Model that also uses [judgment_features()]. NULL: no updates.
#' @param confidence The confidence at which to stop, from 0 to 1.
#' @param update_every The number of judgments after which the gains are estimated again; Inf never does.
#' @param tie_break Which of several documents with equal weight to judge first: the first in the `"pool"`, or a
#'   `"random"` one.
#' @param delta The smallest difference of interest, in units of the measure.
#' @param stop When to stop: `"mean"`, `"all"` or `"never"`.
#' @param weights Which pairs of systems count in the weight of a document: `"all"`, `"undecided"` or `"proportional"`.
#' @param budget The largest number of judgments to make.
#' @param features A data frame of features for the models, one row per pair of the pool, instead of
#'   [output_features()].
#' @param measure The measure by which systems are ranked; NULL for AG@k. It must be a sum over documents (CG, DCG, P,
#'   RBP, and nDCG and ANDCG with `ideal = "maximum"`), whose weights replace the indicators of ranks in equations (1)
#'   to (8).
#' @param seed Seed of the random order of ties; NULL draws one.
#' @param progress Whether to show a progress bar.
#' @return A [judging_session()] in memory. `as.data.frame()` returns its trace, with `truth` also the accuracy after
#'   each judgment; [judgments_of()] the judged documents in order; [rank_systems()] the ranking, with this `delta`; and
#'   [gain_distribution()] the gains.
#' @references Urbano, J. and Schedl, M. (2013). Minimal test collections for low-cost evaluation of Audio Music
#'   Similarity and Retrieval systems. IJMIR 2, 59-70.
#' @seealso [independent_gains()] for sessions with several assessors, on disk, or with another goal.
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
#' as.data.frame(session, truth = truth)
#' @export
mtc <- function(x, truth, output_model, judge_model = NULL, confidence = 0.95, update_every = 20,
                tie_break = c("pool", "random"), delta = 0, stop = c("mean", "all", "never"),
                weights = c("all", "undecided", "proportional"), budget = Inf, features = NULL, measure = NULL,
                seed = NULL, progress = getOption("judicious.progress", interactive())) {
  x <- with_inferred_scale(judged_collection(x), truth)
  x <- with_measure(x, measure)
  check_that(is_sum(x), "measure", c(
    "{.fn mtc} does not support the measure {.val {x$scoring$measure$name}}, which is not a sum over ranks.",
    i = "Use {.fn judging_session}."
  ), kind = "measure")
  check_number(confidence, "confidence", min = 0, max = 1)
  check_number(delta, "delta", min = 0)
  check_count(budget, "budget", min = 0, finite = FALSE)
  check_flag(progress, "progress")
  weights <- check_choice(weights, c("all", "undecided", "proportional"), "weights")
  tie_break <- check_choice(tie_break, c("pool", "random"), "tie_break")
  goal <- mtc_goal(check_choice(stop, c("mean", "all", "never"), "stop"), confidence, delta, budget)
  session <- judging_session(
    x, goal, independent_gains(output_model, judge_model, features), judgments = FALSE,
    strategy = strategy_weight(weights, confidence, "pool"), seed = seed %||% 0, audit = 0, update_every = update_every
  )
  # The trace has the confidence of differences beyond `delta`.
  session$engine$delta <- delta
  if (tie_break == "random") set_tie_order(session$engine, random_tie(x, seed))
  # If a function judges, an error in it or an interrupt must not lose the judgments made so far.
  tryCatch(run_session(session, truth, progress = progress), interrupt = function(cnd) {
    inform_judicious(c("Interrupted.", i = "The session has what was judged so far."), "interrupt")
  }, error = function(cnd) {
    if (!is.function(truth)) stop(cnd)
    warn_judicious(c("The session ended early.", i = "It has what was judged so far."), "judge", parent = cnd)
  })
  session
}

# A random order for ties, which stays the same during a session.
random_tie <- function(x, seed) tie_rank(x, "pool", with_seed(seed, sample.int(n_pairs(x))))

# Unlike other goals, the published algorithm accepts a confidence of 0 or 1, and may stop after few judgments.
mtc_goal <- function(stop, confidence, delta, budget) {
  value <- switch(stop,
    mean = function(compared, judged) mean_confidence(compared),
    all = function(compared, judged) smallest_confidence(compared$confidence[compared$variance > 0]),
    never = function(compared, judged) judged
  )
  target <- if (stop == "never") Inf else confidence
  label <- switch(stop, mean = paste("mean confidence", format(confidence)),
                  all = paste("confidence of every pair", format(confidence)), never = "all judged")
  if (is.finite(budget)) label <- paste(label, "or", counted(budget, "judgment"))
  state <- function(compared, judged) {
    current <- value(compared, judged)
    list(value = current, asked = target, reached = current >= target || judged >= budget, met = current >= target)
  }
  of_ranking <- function(ranking) state(compare_pairs(ranking, delta), ranking$judged)
  interest <- if (stop != "never") function(ranking) list(pairs = every_pair(ranking) * 1, delta = delta)
  goal <- goal_custom(label, of_ranking, interest, delta)
  # The progress depends on nothing but the comparisons and the number of judgments: see can_foresee().
  goal$of_comparisons <- state
  goal
}
