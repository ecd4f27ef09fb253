#' Evaluate runs with effectiveness measures
#'
#' Computes effectiveness measures of runs against judgments, per query or as means over the queries, as trec_eval does.
#' Use it when the relevant documents are judged; with few judgments, [rank_systems()] states how certain the result is.
#'
#' @param x Runs: a data frame with columns `system`, `query`, `doc` and `score` or `rank`; paths of files or a database
#'   table for [read_runs()]; a [test_collection()]; or a session, by [judging_session()].
#' @param judgments A data frame with columns `query`, `doc` and `gain`, or paths or a table for [read_judgments()].
#'   NULL uses those of the collection or session. A negative gain marks a document that is not judged. Measures of
#'   samples also use `stratum`, or for statAP `probability`, that of being judged. Measures of subtopics need
#'   `subtopic`, with a row for each subtopic of a document; other measures use its highest gain. For `nugget_recall`,
#'   subtopics are nuggets (or a column `nugget`), gains 1 for partial and 2 for full support, and `vital` is FALSE or
#'   `"okay"` for okay nuggets.
#' @param measure Measures or their names, as in [measure()]. NULL uses that of the session, or AG@k at the cutoff of
#'   the collection. With either, it can also be the second argument: `evaluate(x, "nDCG@10")`.
#' @param per `"query"`, or `"mean"`, which combines the queries: by the sum for counts such as `num_ret`, the geometric
#'   mean for measures such as `gm_map`, and the mean for all others.
#' @param ties How to order equal scores:
#'   - `"trec_eval"`: by document id, descending. `rank` is ignored unless a run has no scores.
#'   - `"rank"`: all results by `rank`; scores are ignored.
#'   - `"identifier"`: by document id, ascending; by number if all ids are whole numbers.
#'   - `"expected"`: the mean over all orders of equal scores (McSherry and Najork 2008), exactly, except for Fmax, BEP,
#'     iprec, infAP, AUC, yaap, G, binG, ndcg_rel and Rndcg in lists with more than 5,040 orders, of which 2,000 are
#'     drawn.
#'   - `"error"`: equal scores are an error.
#' @param duplicates As in [test_collection()].
#' @param missing How to treat a judged query without results of a system: `"zero"` evaluates an empty list
#'   (trec_eval's -c), `"skip"` leaves the query out of this system's mean, `"error"` raises an error. Queries without
#'   judgments are left out, with a message.
#' @param unjudged How to treat retrieved documents without judgment:
#'   - `"zero"`: as not relevant.
#'   - `"condensed"`: they are removed from the lists (trec_eval's -J).
#'   - `"bounds"`: `value` treats them as not relevant; `lower` and `upper` are the smaller and the larger of this
#'     value and the value if all have the highest gain of `scale`: bounds of measures that never decrease if a gain
#'     increases (AG, CG, DCG, P, RR, RBP, ERR), but not of those divided by an ideal or the number of relevant
#'     documents.
#' @param undefined The value of a measure that is not defined for a query, such as recall if nothing is relevant:
#'   `"zero"` (as in trec_eval), or `"NA"`, which is left out of means.
#' @param precision The precision in which scores are compared: `"double"`, as in trec_eval from version 10 on, or
#'   `"single"`, as in versions up to 9, where 1 and 1.00000001 are equal.
#' @param depth The rank at which lists are cut first (trec_eval's -M); Inf does not cut them.
#' @param seed Seed of all random choices; NULL uses R's random number generator.
#' @param num_threads The number of threads that read run files, one file each.
#' @param combine How to combine the gains of several assessors (column `assessor`) for a document, as in
#'   [test_collection()]. NULL: unequal gains are an error.
#' @param scale For `unjudged = "bounds"` of graded measures: the gain scale or its levels. NULL uses that of the
#'   collection, or the highest of the judgments, with a message.
#' @param ... Not used.
#' @return A data frame of class `judicious_scores` with columns `system`, `query` (`"all"` with `per = "mean"`),
#'   `measure` and `value`, those that `unjudged` adds, and `weight` if the queries of a collection have weights. See
#'   also [as.matrix()][as.matrix.judicious_scores] and `summary()`; `plot()` draws the distributions.
#' @section Large files: If the lines of each query are contiguous, a TREC run file is evaluated query by query, and
#'   takes memory only for its largest query, the judgments and the values. Other layouts and sources, custom measures
#'   and `ties = "identifier"` need all rows in memory.
#'
#'   A [future::plan()] (package `future.apply`) distributes run files, and the lists for custom measures and
#'   `ties = "expected"`. On one machine, `num_threads` is faster.
#' @section Errors: The classes, after `judicious_error_`: those of [test_collection()], `measure` and
#'   `no_common_query`.
#' @references McSherry and Najork (2008). Computing information retrieval performance measures efficiently in the
#'   presence of tied scores. ECIR.
#' @seealso [measure()], [check_runs()].
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B"), each = 3), query = "q1",
#'   doc = c("d1", "d2", "d3", "d3", "d4", "d1"), score = c(9, 5, 1, 8, 4, 2)
#' )
#' judgments <- data.frame(query = "q1", doc = c("d1", "d2", "d3"), gain = c(2, 0, 1))
#' evaluate(runs, judgments, c("AP", "nDCG@10", "P@2"))
#' evaluate(runs, judgments, "AP", per = "mean", unjudged = "bounds")
#' @name evaluate
#' @export
evaluate.data.frame <- function(x, judgments = NULL, measure = NULL, per = c("query", "mean"),
                                ties = c("trec_eval", "rank", "identifier", "expected", "error"),
                                missing = c("zero", "skip", "error"), unjudged = c("zero", "condensed", "bounds"),
                                undefined = c("zero", "NA"), precision = c("double", "single"), depth = Inf,
                                seed = NULL, num_threads = 1, combine = NULL, duplicates = c("error", "best"),
                                scale = NULL, ...) {
  refuse_other_arguments("evaluate()", ...)
  check_that(!is.matrix(x), "x", "must be a data frame, not {.obj_type_friendly {x}}.")
  if (inherits(x, "judicious_collection") && is.null(measure) && is_measure(judgments)) {
    measure <- judgments
    judgments <- NULL
  }
  per <- check_choice(per, c("query", "mean"), "per")
  policy <- list(ties = check_choice(ties, c("trec_eval", "rank", "identifier", "expected", "error"), "ties"),
                 missing = check_choice(missing, c("zero", "skip", "error"), "missing"),
                 unjudged = check_choice(unjudged, c("zero", "condensed", "bounds"), "unjudged"),
                 undefined = check_choice(undefined, c("zero", "NA"), "undefined"),
                 precision = check_choice(precision, c("double", "single"), "precision"),
                 duplicates = check_choice(duplicates, list_duplicates, "duplicates"))
  measures <- measures_of(measure %||% own_measure(x), "measure")
  note_cut_lists(x, measures)
  if (inherits(x, "judicious_collection")) note_equal_relevance(x, measures, inform_judicious)
  check_that(is.null(scale) || policy$unjudged == "bounds", "scale", "is only available with
    {.code unjudged = \"bounds\"}.")
  policy$highest <- if (!is.null(scale)) max(as_scale(scale)$levels)
  if (!identical(depth, Inf)) check_count(depth, "depth")
  check_count(num_threads, "num_threads")
  policy$depth <- depth
  # The seed for the core's random numbers, from R's random number generator.
  policy$seed <- if (policy$ties == "expected") with_seed(seed, floor(stats::runif(1) * 2^31)) else 0
  start_progress("Evaluating")

  if (!is.null(combine)) {
    combine <- check_choice(combine, c("mean", "median", "majority"), "combine")
    judgments <- combine_assessors(given_judgments(judgments, NULL), combine, NULL, "judgments")
  }
  if (is.character(x)) {
    files <- files_of(x, "x")
    x <- copy_pipes(files)
    on.exit(unlink(dirname(setdiff(x, files)), recursive = TRUE), add = TRUE)
  }
  values <- values_of_runs(x, judgments, measures, policy, num_threads)
  policy$ties <- values$ties %||% policy$ties

  scores <- weigh_scores(new_scores(values, measures, policy), x)
  if (per == "mean") mean_scores(scores) else scores
}

#' @rdname evaluate
#' @usage NULL
#' @export
evaluate.character <- evaluate.data.frame

#' @rdname evaluate
#' @usage NULL
#' @export
evaluate.list <- evaluate.data.frame

#' @rdname evaluate
#' @usage NULL
#' @export
evaluate.NULL <- function(x, ...) abort_argument("x", "must be a data frame, not {.obj_type_friendly {x}}.")

#' @rdname evaluate
#' @usage NULL
#' @export
evaluate.numeric <- evaluate.NULL

#' @rdname evaluate
#' @usage NULL
#' @export
evaluate.judicious_collection <- evaluate.data.frame

# The values of all measures. If possible, the core computes them while it reads the files; otherwise they are computed
# from lists in memory.
values_of_runs <- function(x, judgments, measures, policy, num_threads) {
  as_read <- evaluated_as_read(x, measures, policy)
  # The judgments may be needed twice, but a pipe can be read only once, so they are read here.
  if (as_read && is_source(judgments)) {
    check_no_measure(judgments)
    judgments <- judgments_from_path(judgments, "judgments", keep = needed_columns(measures))
  }
  truth <- judged_gains(x, judgments, measures, once = !as_read, highest = policy$highest)
  if (policy$unjudged == "bounds") note_highest_gain(x, truth, measures, policy)
  of_judgments <- setdiff(names(truth$details), "of_query")
  check_that(!length(of_judgments) || policy$unjudged != "bounds", "unjudged",
             "{.code unjudged = \"bounds\"} is not defined for measures of subtopics, nuggets or samples.")
  values <- if (as_read) file_values(x, truth, measures, policy, num_threads)
  if (as_read && is.null(values)) {
    # The core may have rejected the files because of repeated judgments: drops equal ones, raises an error for
    # contradictory ones, and reads the files again.
    truth <- judged_gains(x, judgments, measures, highest = policy$highest)
    values <- file_values(x, truth, measures, policy, num_threads)
  }
  values %||% list_values(x, truth, measures, policy)
}

# Reports that measures without a cutoff are computed from lists that the collection has cut at `k`, so that AP, for
# example, differs from that of the whole runs.
note_cut_lists <- function(x, measures) {
  if (!inherits(x, "judicious_collection") || !isTRUE(x$cut)) return(invisible())
  uncut <- Filter(function(m) is.na(m$cutoff) && !isTRUE(m$base %in% c("num_q", "num_rel")), measures)
  if (!length(uncut)) return(invisible())
  labels <- vapply(uncut, `[[`, "", "label")
  inform_judicious(c("{.val {labels}} {cli::qty(labels)}{?is that/are those} of the top {x$k}, which the collection was
                       made with.",
                     i = "For whole lists, call {.fn evaluate} with the runs, or make the collection with a larger
                       {.arg k}."), "cut")
}

# Reports that upper bounds of graded measures use the highest gain in the files. The highest possible gain is known
# only if there is a scale.
note_highest_gain <- function(x, truth, measures, policy) {
  if (!is.null(policy$highest) || inherits(x, "judicious_collection")) return(invisible())
  depends <- function(m) !is.null(m$args$gain) && diff(transform_by_measure(m, max(truth$levels) + 0:1)) != 0
  graded <- Filter(depends, measures[!is_custom(measures)])
  if (!length(graded)) return(invisible())
  inform_judicious(c("The upper bounds of {.val {graded[[1]]$label}} take {max(truth$levels)}, the highest gain of the
    judgments, as that of the scale.", i = "{.code scale = 0:3} states another."), "scale")
}

# Whether the second argument of evaluate() is a measure, as in evaluate(x, "nDCG@10") for a collection x, rather than
# judgments.
is_measure <- function(x) {
  inherits(x, c("judicious_measure", "judicious_measures")) || (is.character(x) && !any(file.exists(x)))
}

own_measure <- function(x) {
  check_that(inherits(x, "judicious_collection"), "measure", c(
    "is missing.", i = "For example {.code measure = \"nDCG@10\"}; {.fn measure} lists all."))
  collection_measure(x)
}

# Raises an error if the `judgments` are a measure. For collections, the second argument is the measure, so users may
# pass it in this place for runs, too.
check_no_measure <- function(judgments) {
  if (!is_string(judgments) || file.exists(judgments)) return(invisible())
  parsed <- tryCatch(measures_of(judgments, "measures"), judicious_error = function(cnd) NULL)
  check_that(is.null(parsed), "judgments", c(
    "{.arg judgments}: there is no file {.file {judgments}}.",
    i = "Did you mean {.code measures = \"{judgments}\"}?"), kind = "file")
}

collection_judgments <- function(x) {
  if (inherits(x, "judicious_collection")) return(combined_judgments_of(x))
  abort_argument("judgments", "must be given, unless {.arg x} is a test collection with judgments.")
}

# The judgments in the user's argument, with the columns that the measures require.
given_judgments <- function(judgments, needs) {
  check_no_measure(judgments)
  judgments <- sourced_judgments(judgments, keep = needs)
  judgments <- check_columns(judgments, c("query", "doc", "gain"), "judgments")
  judgments <- check_id_columns(judgments, c("query", "doc"), "judgments")
  check_numeric_column(judgments, "gain", "judgments")
  check_values(judgments$gain, is.finite(judgments$gain), "gain", "judgments", "finite numbers",
               if (anyNA(judgments$gain)) unjudged_advice)
  judgments
}

# The judgments as levels: `query_ids`, `levels` (the distinct gains from 0 on), for each judgment `query` (code), `doc`
# and `level` (from 1; 0 for a negative gain), and `details`, the other columns that the measures require. `once`:
# whether to check that no document is judged twice; the core checks this itself if it reads the files.
judged_gains <- function(x, judgments, measures = list(), once = TRUE, highest = NULL) {
  collection <- inherits(x, "judicious_collection")
  needs <- needed_columns(measures)
  judgments <- if (is.null(judgments)) collection_judgments(x) else given_judgments(judgments, needs)
  details <- if ("subtopic" %in% needs) subtopic_details(judgments, measures)
  # The gain of a document that is judged by subtopic is its highest gain for a subtopic.
  if ("subtopic" %in% names(judgments)) {
    judgments <- sorted_by_document(judgments)
    judgments <- judgments[!duplicated(combination_code(judgments$query, judgments$doc)), , drop = FALSE]
  }
  if (once) judgments <- drop_repeated_judgments(judgments, "judgments")
  ids <- id_codes(judgments$query)
  check_that(nrow(judgments) > 0, "judgments", c(
    "There are no judgments to evaluate with.",
    i = "{.fn rank_systems} ranks a collection without judgments."))
  if (!collection) note_relevant_ratings(judgments$gain, Filter(is_binary, unclass(measures)))
  coded <- if (collection && counts_negative_gains(x, measures)) code_signed_gains(x, judgments) else
    code_gains_cpp(judgments$gain, as.double(highest %||% if (collection) max(x$scale$levels)))
  list(query_ids = ids$id, query = ids$code, doc = judgments$doc, level = coded$code, levels = coded$levels,
       n_queries = length(ids$id), details = c(details, if ("stratum" %in% needs) sample_details(judgments),
                                                  query_details(x, ids$id, measures)))
}

# Reports that no judged document is relevant to `binary` measures such as recall, or, if the gains are ratings, nearly
# all of them.
note_relevant_ratings <- function(gain, binary) {
  none <- Filter(function(m) max(gain) > 0 && m$args$rel > max(gain), binary)
  if (length(none)) inform_judicious(c(
    "{.val {none[[1]]$label}} takes no document as relevant: the highest gain is {max(gain)}, below
      {none[[1]]$args$rel}.",
    i = "{.val {none[[1]]$base}(rel={max(gain)})} takes those from {max(gain)}."), "relevant_ratings")
  of_ratings <- length(gain) >= 10 && min(gain) > 0 && max(gain) >= 5 && max(gain) <= 10
  all <- Filter(function(m) of_ratings && m$args$rel == 1, binary)
  if (length(all)) inform_judicious(c(
    "{.val {all[[1]]$label}} takes {percent(mean(gain >= 1), 0)} of the ratings as relevant, those from 1.",
    i = "{.val {all[[1]]$base}(rel=4)@10} takes those from 4."), "relevant_ratings")
}

# Whether the scale of a collection has negative gains and the measures are sums, in which these count, as in a ranking;
# for other measures, they mark documents that are not judged. Counts of documents go with both.
counts_negative_gains <- function(x, measures) {
  if (min(x$scale$levels) >= 0) return(FALSE)
  scored <- Filter(function(m) m$total == "mean" && !m$base %in% c("judged", "unjudged"), unclass(measures))
  sums <- vapply(scored, function(m) isTRUE(m$linear), NA)
  check_that(length(unique(sums)) < 2, "measure", "counts negative gains in sums, such as
    {.val {scored[[match(TRUE, sums)]]$label}}, but takes them as unjudged in
    {.val {scored[[match(FALSE, sums)]]$label}}: evaluate these separately.", kind = "measure")
  all(sums)
}

# Codes gains as code_gains_cpp() does, but counts negative ones, which are ratings on the scale of the collection `x`,
# such as numbers of errors. On a scale up to 0, a document without a gain would count as the best.
code_signed_gains <- function(x, judgments) {
  pair <- text_key(x$queries$query[x$pool$query], x$documents$doc[x$pool$doc])
  n <- sum(!pair %in% text_key(judgments$query, judgments$doc))
  check_that(max(x$scale$levels) > 0 || !n, "judgments", c(
    "{format_count(n)} {cli::qty(n)}document{?s} of the pool {?has/have} no judgment, which would count as 0, the best
      gain of the scale {format(x$scale)}.", i = "{.fn rank_systems} estimates unjudged documents."))
  levels <- sort(unique(c(judgments$gain, x$scale$levels)))
  list(code = match(judgments$gain, levels), levels = levels)
}

# The columns of a collection's queries that are parameters of the measures.
query_details <- function(x, query_ids, measures) {
  columns <- query_columns(x, query_ids)
  used <- list()
  for (m in measures) for (name in query_parameters(m)) {
    column <- m$args[[name]]
    check_that(is.numeric(columns[[column]]), "measures", c(
      "{.val {m$label}} needs a numeric column {.val {column}} of the queries of a test collection.",
      i = hint("{.code test_collection(queries = )} takes such columns.", "Only R takes such columns.")
    ), kind = "columns", columns = column)
    check <- measure_registry[[m$base]]$parameters[[name]]$check
    for (value in columns[[column]]) check(value, column, list())
    used[[column]] <- as.double(columns[[column]])
  }
  if (length(used)) list(of_query = used)
}

# The columns of judgments that the measures require in addition to query, document and gain.
needed_columns <- function(measures) {
  unique(unlist(lapply(measures, function(m) if (is.null(m$fun)) measure_registry[[m$base]]$needs)))
}

# Sorts judgments by query and document; for a document, the highest gain comes first.
sorted_by_document <- function(judgments) {
  judgments[order(match(judgments$query, unique(judgments$query)), judgments$doc, -judgments$gain, method = "radix"), ,
            drop = FALSE]
}

# The stratum of the pool to which each judged document belongs, and the probability that it was judged, if there are
# such columns.
sample_details <- function(judgments) {
  out <- list()
  if (!is.null(judgments[["stratum"]])) {
    stratum <- check_ids(judgments$stratum, "stratum", "judgments")
    out$stratum <- match(stratum, unique(stratum))
  }
  if (is.null(judgments[["probability"]])) return(out)
  out$probability <- as.double(judgments$probability)
  is_probability <- !is.na(out$probability) & out$probability > 0 & out$probability <= 1
  check_values(judgments$probability, is_probability, "probability", "judgments", "numbers above 0 up to 1")
  out
}

# The subtopics of each judged document, in the order of sorted_by_document() and numbered within the query, and the
# gains for them.
subtopic_details <- function(judgments, measures) {
  check_that(!is.null(judgments[["subtopic"]]), "judgments", c(
    "{.val {measures_by_subtopic(measures)[[1]]$label}} needs judgments by subtopic: {.arg judgments} has no column
      {.val subtopic}.",
    i = "In files, it is the second of four columns: query, subtopic, document, gain."
  ), kind = "columns", columns = "subtopic")
  judgments$subtopic <- check_ids(judgments$subtopic, "subtopic", "judgments")
  refuse_repeated(judgments, c("query", "doc", "subtopic"), "judgments", "judges document {.val {first$doc}} twice for
    subtopic {.val {first$subtopic}} of query {.val {first$query}}, the second time in row {i}.",
    "contradictory_judgments")
  judgments <- sorted_by_document(judgments)
  query <- match(judgments$query, unique(judgments$query))
  code <- combination_code(judgments$query, judgments$subtopic)
  number <- match(code, unique(code))
  n_before <- c(0, cumsum(tabulate(query[!duplicated(code)])))
  vital <- rep_len(judgments[["vital"]] %||% TRUE, nrow(judgments))
  if (!is.logical(vital)) vital <- !tolower(as.character(vital)) %in% c("okay", "0", "false")
  i <- which(vital != vital[match(code, code)])[1]
  check_that(is.na(i), "judgments", "has rows in which {.val {judgments$subtopic[i]}} of query
    {.val {judgments$query[i]}} is vital, and others in which it is not.", kind = "contradictory_judgments")
  first <- which(!duplicated(combination_code(judgments$query, judgments$doc)))
  list(start = c(first, nrow(judgments) + 1) - 1, subtopic = as.integer(number - n_before[query]),
       gain = as.double(judgments$gain), vital = vital)
}
