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
#' @param x A [test_collection()]. Its own judgments play no part unless `judgments` is NULL.
#' @param judgments Where gains come from. A data frame with `query`, `doc`, `gain` or the path of such a file: a
#'   simulated session in which the pairs it has can be judged. NULL: the collection's own judgments. Or a function of
#'   `query` and `doc` that returns a gain, NA to pass a document over, or NULL to stop.
#' @param output_model The model of the gains before anything is judged, such as `mirex_model("output", "fine")` or a
#'   [pom()] on [output_features()]. NULL: the uniform distribution.
#' @param judge_model The model that also uses [judgment_features()]. NULL: no updates.
#' @param confidence The confidence at which to stop, from 0 to 1.
#' @param update_every After how many judgments to estimate again.
#' @param ties Which of the documents of equal weight to judge first: `"pool"`, the first of the pool, or
#'   `"random"`.
#' @param delta The smallest difference in AG@k that is of interest, in units of the gain.
#' @param stop When to stop: `"mean"`, `"all"` or `"never"`; see Variants.
#' @param weights Which comparisons count: `"all"`, `"undecided"` or `"proportional"`; see Variants.
#' @param budget The largest number of judgments to make.
#' @param features A data frame of features for the models, one row per pair of the pool, in place of
#'   `output_features(x)`; as [add_features()] makes.
#' @param seed Seed of the random order of ties; the state of the generator is put back. NULL draws from it.
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
#' @seealso [documents_to_judge()] for the list of what to judge next.
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
mtc <- function(x, judgments, output_model, judge_model = NULL, confidence = 0.95, update_every = 20,
                ties = c("pool", "random"), delta = 0, stop = c("mean", "all", "never"),
                weights = c("all", "undecided", "proportional"), budget = Inf, features = NULL, seed = NULL,
                progress = interactive()) {
  check_class(x, "judicious_collection", "x", "test_collection")
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
    weights = check_choice(weights, c("all", "undecided", "proportional"), "weights"),
    divisor = gain_divisor(x), resolution = gain_resolution(x)
  )
  gain <- if (is.function(judgments)) NULL else simulated_gains(x, judgments)
  features <- if (is.null(features)) output_features(x) else features_on_pool(x, features)
  estimator <- gain_estimator(x, output_model, judge_model, features)
  state <- mtc_new_cpp(
    x$results, n_systems(x), options, tie_order(x, options$ties, seed),
    candidate = if (is.null(gain)) rep(TRUE, n_pairs(x)) else !is.na(gain),
    true_mean = if (is.null(gain) || anyNA(gain)) numeric() else true_means(x, gain)
  )
  judge <- if (is.null(gain)) judge_by_function(x, state, judgments) else judge_by_table(state, gain)
  run <- run_mtc(x, state, estimator, judge, options, progress, keep = is.function(judgments))
  new_mtc(x, mtc_history_cpp(state), run$gains, run$reason, options, known = !is.null(gain) && !anyNA(gain))
}

# The gain of each pair of the pool in a simulated session; pairs without one cannot be selected.
simulated_gains <- function(x, judgments, call = caller_env()) {
  gain <- judgments_or_own(x, judgments, call = call)
  lacking <- sum(is.na(gain))
  if (lacking == length(gain)) {
    abort_judicious(c(
      "{.arg judgments} has no gain for any pair of the pool.",
      i = "Give gains to look up, or a function of query and document that returns one."
    ), "incomplete_judgments", argument = "judgments", call = call)
  }
  if (lacking) {
    warn_judicious(c(
      paste0(
        "{format_count(lacking)} of the {format_count(length(gain))} pairs of the pool have no gain in ",
        "{.arg judgments} and cannot be judged."
      ),
      i = "They keep their estimates; the accuracy of the ranking is not known."
    ), "incomplete_judgments", missing = lacking)
  }
  gain
}

# One row per pair of the pool, in pool order.
features_on_pool <- function(x, features, call = caller_env()) {
  check_columns(features, character(), "features", call)
  with_ids <- all(c("query", "doc") %in% names(features))
  at <- if (with_ids) match_ids(features, pool_ids(x)) else seq_len(nrow(features))
  if (anyNA(at) || length(at) != n_pairs(x)) {
    abort_judicious(c(
      "{.arg features} must have a row for each of the {format_count(n_pairs(x))} pairs of the pool.",
      x = if (anyNA(at)) {
        first <- pool_ids(x)[which(is.na(at))[1], ]
        paste0(
          "It lacks {format_count(sum(is.na(at)))}, the first of them query {.val {first$query}}, ",
          "document {.val {first$doc}}."
        )
      } else {
        paste0(
          "It has {format_count(nrow(features))} {cli::qty(nrow(features))}row{?s}, and no columns ",
          "{.val query} and {.val doc} to match by."
        )
      }
    ), "missing_features", argument = "features", call = call)
  }
  features <- features[at, , drop = FALSE]
  rownames(features) <- NULL
  features
}
