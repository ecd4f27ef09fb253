#' Create a test collection
#'
#' Combines the runs of several systems, metadata and any judgments into one object, which most functions of the
#' package take, and checks that they are consistent. The *pool* is the set of query-document pairs in the top `k` of
#' any system, in the order in which they first appear in the runs.
#'
#' @param runs A data frame with columns `system`, `query`, `doc` and, if known, `rank` (from 1) or `score` (higher is
#'   better); or paths of files or a database table, as in [read_runs()]. The other tables can be given in the same
#'   ways. Documents are ranked by descending score, or else by rank. With neither, every result belongs to the top
#'   `k`, and only measures that ignore ranks are defined.
#' @param documents Optional: `doc` and one column per property ([output_features()] uses `artist` and `genre`), as a
#'   data frame or the path of a file for [read_documents()].
#' @param systems Optional: a data frame with `system` and `team`, or its path. NULL uses a column `team` of `runs`;
#'   without it, every system is a team of its own.
#' @param queries Optional: a data frame with `query` and one column per property, or its path, or that of topics as in
#'   [read_runs()]. NULL gives a query that is itself a document the properties of that document.
#' @param judgments Optional: a data frame with `query`, `doc`, `gain` and, if `combine` is given, `assessor`; or paths
#'   of files for [read_judgments()].
#' @param combine How to combine the gains of several assessors for a pair: `"mean"`, an error if a mean is not on the
#'   scale; `"median"`, the lower of two middle gains; or `"majority"`, the lowest of equally frequent ones. With NULL,
#'   different gains are an error. To keep those of all assessors, pass them to [rank_systems()] instead.
#' @param k The cutoff: the number of documents of each list to evaluate. AG@k and P@k divide by `k`, even if a list is
#'   shorter. NULL is 10 for runs with a column `score`, as in TREC's format of six columns, and else 5, as in MIREX.
#' @param scale The gain scale, by [fine_scale()], [broad_scale()] or [gain_scale()]; or its levels, such as `0:3`.
#'   NULL infers the levels from the judgments, or else from grades: whole numbers from 0 to the highest one, if this
#'   is at most 10; or from 1, if the highest is at least 5 and there are ten or more, but no 0. If judgments have
#'   decimals, gains may be any number up to the highest. Until there are ten judgments above 0, or ten grades above 1,
#'   gains are shares of the scale, from 0 to 1, for runs with scores, and on MIREX's Fine scale, 0 to 100, for others.
#' @param filter Columns of `documents`, such as `c("artist", "album")`: results with the same value as the query in
#'   one of them are removed, and so is the query itself, before lists are cut at `k`. The value of a query is in
#'   `queries`, or else in the row of `documents` with its id.
#' @param ties How to order equal scores, as in [evaluate()]: `"trec_eval"` by document id, descending; `"identifier"`
#'   by id, ascending; `"error"` raises an error. `"rank"` orders all results by `rank` and ignores scores.
#' @param duplicates What to do with a document that a list has more than once, such as one per passage: `"error"`, or
#'   `"best"`, which keeps its best place (MaxP).
#' @param grades Optional: a data frame with `query`, `doc`, `grade` and, for several graders, `grader`; or another
#'   form of [graders], except a function and a matrix. They may include documents that are added later.
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @param ... Not used; a misspelt argument raises an error.
#' @return A `judicious_collection`. [judgments_of()] returns its judgments, and `as.data.frame()` its runs with gains.
#'   Elements for programmers: the data frames `systems`, `queries` and `documents`; `pool` (`query` and `doc`, row
#'   numbers in those, one per pair); `results` (grouped by pair: `system`, `rank` or NULL, and `offset`: results
#'   `offset[i] + 1` to `offset[i + 1]` belong to pair `i`); `gain` (one per pair, NA if not judged); `k`; `scale`; and
#'   `grades`, if there are any: `query`, `doc`, `grader`, `repeat` (from 1), `value` and `status` (`"ok"` or
#'   `"failed"`, with the value NA).
#' @section Weights and strata: With a column `weight` in `queries`, every mean over queries is weighted. Weights are
#'   positive, and only their ratios matter. Functions that assume equal weights ([compare_systems()],
#'   [expected_scores()], estimates for `"new"` queries) raise an error. Any other column, such as a language, can
#'   divide the queries into strata: `rank_systems(x, by = "language")` ranks within each, and
#'   `goal_mean(0.95, by = "language")` judges until the confidence is high enough in each.
#' @section Order of the lists: [evaluate()] and every command order lists by the same rule. A message of class
#'   `judicious_message_rank` says if ranks contradict the scores, are equal, run on from query to query, or begin
#'   late. Without scores, lists that begin late or at 0, run on or have gaps are ranked from 1 in the order of their
#'   ranks, and equal ranks are an error.
#' @section Errors: The classes, after `judicious_error_`: `file`, `columns`, `duplicate_result`, `duplicate_rank`,
#'   `tie`, `gain_outside_scale`, `contradictory_judgments`.
#' @section Warnings: `judicious_warning_<kind>`: lists shorter than `k`, unanswered queries, judgments outside the
#'   pool (which count in ideal lists and numbers of relevant documents; a judged query that no system answers counts
#'   0, unless queries have weights), documents without metadata, repeated equal judgments, and systems without runs.
#' @seealso [rank_systems()], [judging_session()], [add_runs()] and [add_queries()] for later systems and queries.
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B"), each = 4),
#'   query = rep(c("q1", "q1", "q2", "q2"), 2),
#'   doc = c("d1", "d2", "d3", "d4", "d1", "d3", "d3", "d5"),
#'   rank = rep(1:2, 4)
#' )
#' test_collection(runs, k = 2, scale = broad_scale())
#' @export
test_collection <- function(runs, documents = NULL, systems = NULL, queries = NULL, judgments = NULL,
                            k = NULL, scale = NULL, combine = NULL, filter = NULL,
                            ties = c("trec_eval", "rank", "identifier", "error"), duplicates = c("error", "best"),
                            grades = NULL, failed = NULL, ...) {
  refuse_other_arguments("test_collection()", ...)
  check_that(!missing(runs), "runs", c("is missing.", i = "Give a data frame with the columns {.val system},
    {.val query} and {.val doc}, or the paths of run files."))
  if (!is.null(k)) check_count(k, "k")
  if (!is.null(combine)) combine <- check_choice(combine, c("mean", "median", "majority"), "combine")
  if (!is.null(scale)) scale <- as_scale(scale)
  ties <- check_choice(ties, list_ties, "ties")
  duplicates <- check_choice(duplicates, list_duplicates, "duplicates")
  start_progress("Reading the collection")
  parts <- read_parts(list(runs = runs, documents = documents, systems = systems, queries = queries))

  # Whether there are scores decides the default cutoff and scale: runs in TREC's format have scores, those of MIREX do
  # not.
  scored <- "score" %in% names(parts$runs)
  results <- ranked_runs(parts$runs, ties, duplicates)
  if (!is.null(filter)) results <- filter_results(results, parts$documents, parts$queries, filter)
  if (is.null(k) && !scored && any(results$rank > 5)) {
    inform_judicious("The runs have no scores, so {.arg k} = 5 is assumed: lower ranks are left out.", "cutoff")
  }
  k <- k %||% default_cutoff(parts$runs)
  top <- top_results(results, k)
  coded <- code_results(top)
  x <- new_collection(
    systems = system_table(coded$system_ids, parts$systems),
    queries = query_table(coded$query_ids, parts$queries, parts$documents),
    documents = document_table(coded$doc_ids, parts$documents),
    pool = coded$pool, results = coded$results, k = k, scale = scale %||% if (scored) share_scale() else assumed_scale()
  )
  if (nrow(top) < nrow(results)) x$cut <- TRUE
  warn_incomplete_lists(x)
  warn_foreign_documents(x)
  x <- with_grades(x, grades, failed)
  if (is.null(judgments)) x else judge_collection(x, judgments, combine)
}

default_cutoff <- function(runs) if ("score" %in% names(runs)) 10 else 5

# Adds judgments (a data frame or files) and, if the scale was not stated, infers it from them.
judge_collection <- function(x, judgments, combine) {
  judgments <- sourced_judgments(judgments)
  check_common_ids(x, judgments)
  x <- add_judgments(infer_scale_from(x, judgments, "judgments"), judgments, combine = combine)
  warn_other_scale(x$gain, x$scale)
  x
}
