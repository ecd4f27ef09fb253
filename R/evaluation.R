#' Evaluate runs
#'
#' Computes measures of runs against judgments: every measure of a list from one pass over it. Run files in TREC
#' format are evaluated as they are read, without becoming data frames.
#'
#' @param x Runs: a data frame with `system`, `query`, `doc` and `score` or `rank`; paths of files for
#'   [read_runs()]; or a [test_collection()].
#' @param judgments A data frame with `query`, `doc` and `gain`, or paths of files for [read_judgments()]. NULL
#'   takes the collection's own. A negative gain says that the document is in the pool but not judged.
#' @param measures Measures or their names, as in [as_measures()].
#' @param per `"query"` or `"mean"` over queries (the sum for counts, the geometric mean where the measure says so).
#' @param ties How equal scores are ordered. `"trec_eval"`: by score, descending, equal ones by document id,
#'   descending, whatever the column `rank` says; runs without scores are ordered by rank. `"rank"`: by
#'   the column `rank`. `"expected"`: the expected value over all orders of equal scores; exact, but for Fmax, BEP,
#'   iprec, infAP, AUC, yaap, G, binG, ndcg_rel and Rndcg in lists with more than 5,040 orders, where it is the mean
#'   over 2,000 random ones. `"error"`: equal scores are an error.
#' @param missing What a query is worth that has judgments but no results of a system: `"zero"` (as trec_eval's
#'   option -c), `"skip"` (left out of this system's mean: trec_eval without -c) or `"error"`. Queries without
#'   judgments are left out always, with a message.
#' @param unjudged What retrieved documents without judgment are: `"zero"`, not relevant; `"condensed"`, taken
#'   out of the lists (trec_eval's -J); `"bounds"`: the value with all of them not relevant, and in columns
#'   `lower` and `upper` also the one with all of the highest gain, which are true bounds of measures that only
#'   grow with the gains (AG, CG, DCG, P, RR, RBP, ERR) and two extreme assumptions for those divided by the
#'   number of relevant documents or by an ideal (AP, nDCG, recall, ...), whose values can lie outside;
#'   `"expected"`: their gain is random as `gains` says, and `value` is the measure's expectation, with its
#'   `variance` in a column.
#' @param undefined What a measure is worth that is not defined for a query, such as recall where nothing is
#'   relevant: `"zero"` (trec_eval) or `"NA"`, left out of means.
#' @param gains For `unjudged = "expected"`: distributions of the gains by [gain_distribution()], independent of
#'   each other.
#' @param draws For `unjudged = "expected"`: how many random sets of gains measures are averaged over that are not
#'   linear in the gains. AG, CG, DCG, P and RBP are exact.
#' @param precision How scores are compared: in `"double"` precision, as trec_eval does from version 10 on, or in
#'   `"single"` precision, as up to version 9, where 1 and 1.00000001 are equal.
#' @param depth Lists are cut at this rank before anything else (trec_eval's -M).
#' @param seed A seed for what is random; NULL takes R's generator as it is.
#' @param num_threads How many run files are read at a time.
#' @param ... Not used; there for the generic, which is that of package generics.
#' @return A data frame of class `judicious_scores` with columns `system`, `query`, `measure`, `value`; for `per =
#'   "mean"` the query is `"all"`. Of a collection whose queries have weights, a column `weight` as well, and means are
#'   weighted. Printing it states the policies. [as.matrix()][as.matrix.judicious_scores] gives
#'   queries by systems, `summary()` the means, `plot()` the distributions.
#' @section Errors: Among others: judgments that contradict each other, a document twice in a list, a line or a
#'   number that cannot be read, ties or missing queries under the policy `"error"`, a measure that needs ranks
#'   where there are none, a cutoff below the collection's.
#' @references McSherry, F. and Najork, M. (2008). Computing information retrieval performance measures efficiently
#'   in the presence of tied scores. ECIR.
#' @seealso [measure()], [check_runs()], [retrieval_curve()].
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B"), each = 3), query = "q1",
#'   doc = c("d1", "d2", "d3", "d3", "d4", "d1"), score = c(9, 5, 1, 8, 4, 2)
#' )
#' judgments <- data.frame(query = "q1", doc = c("d1", "d2", "d3"), gain = c(2, 0, 1))
#' evaluate(runs, judgments, c("AP", "nDCG@10", "P@2"))
#' evaluate(runs, judgments, "AP", per = "mean", unjudged = "bounds")
#' @aliases evaluate
#' @export
evaluate.data.frame <- function(x, judgments = NULL, measures, per = c("query", "mean"),
                                ties = c("trec_eval", "rank", "expected", "error"),
                                missing = c("zero", "skip", "error"),
                                unjudged = c("zero", "condensed", "bounds", "expected"), undefined = c("zero", "NA"),
                                gains = NULL, draws = 1000, precision = c("double", "single"), depth = Inf, seed = NULL,
                                num_threads = 1, ...) {
  check_no_more("evaluate()", ...)
  per <- check_choice(per, c("query", "mean"), "per")
  policy <- list(
    ties = check_choice(ties, c("trec_eval", "rank", "expected", "error"), "ties"),
    missing = check_choice(missing, c("zero", "skip", "error"), "missing"),
    unjudged = check_choice(unjudged, c("zero", "condensed", "bounds", "expected"), "unjudged"),
    undefined = check_choice(undefined, c("zero", "NA"), "undefined"),
    precision = check_choice(precision, c("double", "single"), "precision")
  )
  measures <- measures_of(measures, "measures")
  if (!identical(depth, Inf)) check_count(depth, "depth")
  check_count(num_threads, "num_threads")
  check_gains_given(gains, policy, call = current_env())
  policy$depth <- depth
  policy$seed <- draw_seed(seed, policy)
  start_progress("Evaluating")

  if (is.character(x)) {
    given <- x
    x <- copy_pipes(given)
    on.exit(unlink(dirname(setdiff(x, given)), recursive = TRUE), add = TRUE)
  }
  truth <- judged_gains(x, judgments, gains)
  if (is.character(x) && policy$unjudged != "expected" && !any(is_custom(measures)) && all_trec_files(x)) {
    values <- file_values(x, truth, measures, policy, num_threads)
  } else {
    values <- list_values(x, truth, measures, policy, gains, draws)
  }
  policy$ties <- values$ties %||% policy$ties
  scores <- weigh_scores(new_scores(values, measures, policy), x)
  if (per == "mean") mean_scores(scores) else scores
}

#' @rdname evaluate.data.frame
#' @export
evaluate.character <- evaluate.data.frame

#' @rdname evaluate.data.frame
#' @export
evaluate.judicious_collection <- evaluate.data.frame

check_gains_given <- function(gains, policy, call) {
  if (policy$unjudged == "expected") {
    if (is.null(gains)) {
      abort_judicious(c("{.code unjudged = \"expected\"} needs {.arg gains}.",
                        i = "{.code rank_systems(x, measure = )} estimates a measure with joint gains.",
                        i = "{.fn gain_distribution} makes independent gains for {.arg gains}."),
                      "argument", argument = "gains", call = call)
    }
    if (inherits(gains, "judicious_joint_gains")) {
      abort_judicious(c("{.arg gains} must be independent gains, by {.fn gain_distribution}.",
                        i = "{.code rank_systems(x, gains, measure = )} estimates a measure with joint gains."),
                      "argument", argument = "gains", call = call)
    }
    check_class(gains, "judicious_gains", "gains", "gain_distribution", call = call)
    if (is.null(gains$query)) {
      abort_judicious("{.arg gains} does not say which query and document each row is.", "columns", argument = "gains",
                      call = call)
    }
  } else if (!is.null(gains)) {
    abort_judicious("{.arg gains} is of use with {.code unjudged = \"expected\"} only.", "argument", argument = "gains",
                    call = call)
  }
}

# Where something may be random, a seed for the core from R's generator.
draw_seed <- function(seed, policy) {
  if (policy$ties != "expected" && policy$unjudged != "expected") return(0)
  with_seed(seed, floor(stats::runif(1) * 2^31))
}

# The judgments as levels: `query_ids`, `levels` (the distinct gains from 0 on), and per judgment
# `query` and `level` (from 1; 0 for a negative gain), `doc`.
judged_gains <- function(x, judgments, gains = NULL, call = caller_env()) {
  collection <- inherits(x, "judicious_collection")
  if (is.null(judgments)) {
    if (!collection && is.null(gains)) {
      abort_judicious("{.arg judgments} must be given, unless {.arg x} is a test collection with judgments.",
                      "argument",
                      argument = "judgments", call = call)
    }
    judgments <- if (collection) cbind(pool_ids(x), gain = x$gain)[!is.na(x$gain), ] else no_judgments()
  } else {
    if (is.character(judgments)) judgments <- judgments_from_path(judgments, "judgments", call = call)
    check_columns(judgments, c("query", "doc", "gain"), "judgments", call)
    judgments$query <- check_ids(judgments$query, "query", "judgments", call)
    judgments$doc <- check_ids(judgments$doc, "doc", "judgments", call)
    check_finite_gains(judgments, call)
    judgments <- drop_repeated_judgments(judgments, "judgments", call)
  }
  if (!nrow(judgments) && is.null(gains)) {
    abort_judicious("There are no judgments to evaluate with.", "argument", argument = "judgments", call = call)
  }
  query_ids <- unique(c(judgments$query, gains$query))
  levels <- sort(unique(c(judgments$gain[judgments$gain >= 0], if (collection) max(x$scale$levels))))
  if (!length(levels)) levels <- 0
  list(query_ids = query_ids, query = match(judgments$query, query_ids), doc = judgments$doc,
       level = ifelse(judgments$gain < 0, 0L, match(judgments$gain, levels)), levels = levels)
}

no_judgments <- function() data.frame(query = character(), doc = character(), gain = numeric())

check_finite_gains <- function(judgments, call) {
  bad <- if (is.numeric(judgments$gain)) which(!is.finite(judgments$gain)) else seq_len(nrow(judgments))
  if (length(bad)) {
    value <- judgments$gain[bad[1]]
    abort_judicious("Column {.val gain} of {.arg judgments} must hold finite numbers; row {bad[1]} has {.val {value}}.",
                    "columns", argument = "judgments", columns = "gain", rows = bad, call = call)
  }
}
