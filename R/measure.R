#' Define an effectiveness measure
#'
#' `measure()` creates a measure from its name and parameters, or a list of measures from several names. Functions with
#' an argument `measure` also accept the names, so you need `measure()` only for a parameter that is a function, or to
#' check a name.
#'
#' A name has the form `measure(parameter=value,...)@cutoff`, where parameters at their default can be omitted:
#' `"AG@5"`, `"nDCG(rel=2)@10"`, `"RBP(p=0.95)"`, `"DCG(gain=exp)@10"`. Names are not case-sensitive. The cutoff and the
#' parameters, including functions, can also be passed as arguments: `measure("nDCG", k = 10, gain = "exp")`. The names
#' of trec_eval, ir_measures and ranx are accepted, too: `"map"`, `"nDCG(dcg='exp-log2',judged_only=True)@10"`,
#' `"map@100-l2"`. Such a measure prints its canonical name and keeps the given name in tables. Parameters may follow
#' the name: `"P_10(rel=2)"` is trec_eval's `P_10` with `-l 2`.
#'
#' In `measure()`, [evaluate()] and the command line, which accept several measures, a name may also stand for
#' several measures: trec_eval's nicknames `"official"`, `"set"` and `"all_trec"`, lists of parameters such as
#' `"P.5,10"`, and `"ndcg_cut"`, `"map_cut"`, `"iprec_at_recall"`, `"Rprec_mult"` and `"unj"` alone, with trec_eval's
#' defaults.
#'
#' @section Measures:
#' Each measure is listed with its parameters, their defaults, and its other names, in which `{}` stands for values.
#' `G(i)` is the gain of the document at rank `i`, and `R` the number of relevant documents of the query. Ranks beyond
#' the end of a list have gain 0.
#'
#' `r source("data-raw/measures-help.R", local = new.env(parent = asNamespace("judicious")))$value`
#'
#' @section Parameters:
#' - `rel`: the lowest gain that is relevant. In measures of graded gain, such as DCG, lower gains count as 0; by
#'   default, there is no such threshold.
#' - `gain`: the transformation of the judged gains: `"linear"` (none), `"exp"` (2^gain - 1), a table such as
#'   `c("1" = 3, "2" = 9)` (other gains are not transformed), or a function of a vector of gains.
#' - `discount`: `"log2"` divides by log2(1 + rank), as trec_eval does; `"log_b"` divides by the logarithm of the rank
#'   to base `b`, from rank `b` on (Jarvelin and Kekalainen 2002); a function returns the weights of a vector of ranks.
#' - `ideal`: the list by which nDCG divides: the query's `"judged"` documents in the best order, or `"maximum"`, a list
#'   of `k` documents with the highest gain.
#' - `max`: the highest possible gain; by default the highest among the judgments (or of the collection's scale).
#'   For RBP also `"query"`: the highest gain among the query's judgments, at least 1, as in trec_eval's `rbp`.
#' - `judged_only` (all measures): whether unjudged documents are removed from the lists first, as
#'   `evaluate(unjudged = "condensed")` does for all measures.
#' - `T`, `min`, `max`, `horizon` (user models, as in cwl_eval): `T` is the total gain that a user wants, if a document
#'   with the highest gain counts as 1; `min` and `max` are the gains that count as 0 and as 1, by default 0 and the
#'   highest (`min_rel` and `max_rel` in ir_measures); `horizon` is the last rank that any user examines.
#' - `mean`: how the values of the queries are combined: `"arithmetic"`, or `"geometric"` (values below 0.00001 count as
#'   0.00001).
#' - `p`: persistence, the probability of continuing to the next document. For RBP and its residual also the name of a
#'   numeric column of the queries of a [test_collection()], as in `"RBP(p=persistence)@10"`: [evaluate()] takes each
#'   query's own. `beta`: weight of recall.
#' - `rounding`: how the product of a recall point and the number of relevant documents becomes a whole number: `"up"`
#'   rounds it up if its fractional part is at least 0.1 (trec_eval up to version 9), and `"nearest"` to the nearest one
#'   (version 10).
#'
#' @section Differences from other programs: A measure has the same value as in the program from which its name comes,
#'   with these exceptions.
#' - `ERR`: gdeval, which ir_measures uses for `ERR@20`, always divides by 2^4, as `"ERR(max=4)@20"` does here.
#' - `judged`: ir_measures counts negative judgments; here they mark documents that are not judged.
#' - `Compat`: its authors' program compares the top 1,000, as `"Compat(depth=1000)"` does; ir_measures puts documents
#'   that are not retrieved before retrieved ones with a negative score.
#' - `pair_accuracy`: ir_measures leaves out queries without a relevant document in the list; here their value is 0.
#' - `rbp`: trec_eval 10 reads a variable that it has not set; the value here is that of its formula.
#' - `alpha_nDCG`, `ERR_IA` and the other measures of subtopics are those of ndeval, whose value is 0 where a query has
#'   no relevant document; here it is not defined (see `undefined` in [evaluate()]).
#' - `RBP(p=0.9)`: ir_measures requires `rel`, which is 1 by default here. `"rbp.95"` is the measure of ranx, with
#'   binary gains and `p = 0.95`; `"rbp"` is that of trec_eval, and in `"rbp@95"`, 95 is a cutoff.
#' - Equal scores: ir_measures and ranx order them differently for different measures; see `ties` in [evaluate()].
#'
#' @section Subtopics and nuggets: The judgments of [evaluate()] may have a column `subtopic`. A [test_collection()] has
#'   one gain a document, so systems are ranked by subtopics as follows. `P_IA`, `AP_IA`, `StRecall` and `nugget_recall`
#'   are means over the subtopics of a query of `P`, `AP`, `success` and `AG` (with gains of 0, 0.5 and 1), and `ERR_IA`
#'   with `alpha = 0.5` is one of `ERR(max=1)`, up to a factor that depends on `k` only. Make a collection in which each
#'   subtopic is a query with the results of its query and, in `queries`, the `weight` 1 over the number of its
#'   subtopics (of a nugget, its share of their weights); [rank_systems()] then ranks by that measure with few
#'   judgments. The joint gains do not know that two of them are of the same document, and how right their confidence is
#'   has not been measured on such collections. The others depend on which subtopics a document has together, of which
#'   there is no model here; [compare_systems()] tests differences in their values.
#'
#' @section Adding a measure:
#' [measure_custom()] creates a measure from an R function. To add one to the package: (1) add an entry to
#' `measure_registry` in `R/measure-registry.R`, with its name, parameters, spellings and properties; (2) add a kernel
#' of the same name to one of the tables in `src/core/measure/kernels_*.cpp`, either the weight of a document, for sums
#' over documents, or the value of a list; (3) add a test of its values. The parser, the help, printing and the policies
#' of [evaluate()] use the entry; a linear measure can also rank systems without judgments.
#'
#' @param name The name of a measure, such as `"nDCG@10"`: see the section on measures. Or several: names of measures,
#'   measures, or a list of both; if its elements are named, as in `c(MAP = "AP")`, these names are used in tables.
#' @param k The cutoff: the number of top ranks to evaluate. NULL uses the cutoff in the name; if the name has none, the
#'   whole list is evaluated.
#' @param ... For `measure()`: parameters of the measure by name, such as `rel = 2`; see the section on parameters. For
#'   `c()`: measures.
#' @return `measure()` of one name: a `judicious_measure`, a list with `name` (canonical), `label` (the name in
#'   tables), `base`, `cutoff` (NA: none), `args`, `direction` (`"higher"`, `"lower"` or `"none"`), `range`,
#'   `needs_ranks`, `linear` and `total` (how the values of the queries are combined: `"mean"`, `"geometric"`,
#'   `"sum"`). `measure()` of several names, and `c()` of measures: a `judicious_measures`, a list of measures.
#' @section Errors: An unknown name or a parameter that the measure does not have (`judicious_error_measure`), and an
#'   invalid value of a parameter (`judicious_error_argument`).
#' @references Aslam, J. and Pavlu, V. (2007). A practical sampling strategy for efficient retrieval evaluation.
#' Northeastern University.
#'
#' Azzopardi, L., Mackenzie, J. and Moffat, A. (2021). ERR is not C/W/L: exploring the relationship between
#' expected reciprocal rank and other metrics. ICTIR.
#'
#' Azzopardi, L., Thomas, P. and Moffat, A. (2019). cwl_eval: an evaluation tool for information retrieval. SIGIR.
#'
#' Buckley, C. and Voorhees, E. (2004). Retrieval evaluation with incomplete information. SIGIR.
#'
#' Chapelle, O. et al. (2009). Expected reciprocal rank for graded relevance. CIKM.
#'
#' Chapelle, O. et al. (2011). Intent-based diversification of web search results: metrics and algorithms. Information
#' Retrieval 14(6).
#'
#' Clarke, C. et al. (2008). Novelty and diversity in information retrieval evaluation. SIGIR.
#'
#' Clarke, C., Kolla, M. and Vechtomova, O. (2009). An effectiveness measure for ambiguous and underspecified queries.
#' ICTIR.
#'
#' Clarke, C., Vtyurina, A. and Smucker, M. (2021). Assessing top-k preferences. ACM TOIS 39(3).
#'
#' Jarvelin, K. and Kekalainen, J. (2002). Cumulated gain-based evaluation of IR techniques. ACM TOIS 20(4).
#'
#' Moffat, A. and Zobel, J. (2008). Rank-biased precision for measurement of retrieval effectiveness. ACM TOIS
#' 27(1).
#'
#' Moffat, A., Scholer, F. and Thomas, P. (2012). Models and metrics: IR evaluation as a user process. ADCS.
#'
#' Moffat, A. et al. (2015). INST: an adaptive metric for information retrieval evaluation. ADCS.
#'
#' Pradeep, R. et al. (2024). Initial nugget evaluation results for the TREC 2024 RAG track with the AutoNuggetizer
#' framework. arXiv 2411.09607.
#'
#' Urbano, J. et al. (2011). Audio music similarity and retrieval: evaluation power and stability. ISMIR.
#'
#' Zhang, F. et al. (2017). Evaluating web search with a Bejeweled player model. SIGIR.
#'
#' Yilmaz, E. and Aslam, J. (2006). Estimating average precision with incomplete and imperfect judgments. CIKM.
#'
#' Yilmaz, E., Kanoulas, E. and Aslam, J. (2008). A simple and efficient sampling method for estimating AP and NDCG.
#' SIGIR.
#' @seealso [evaluate()], [measure_custom()].
#' @examples
#' measure("AG@5")
#' measure("nDCG", k = 10, gain = "exp")
#' measure("DCG", k = 10, gain = function(g) sqrt(g))
#' measure("ndcg_cut_10")
#' measure("nDCG(dcg='exp-log2')@10")
#' c(measure("AP"), measure("nDCG(rel=2)@10"))
#' measure(c("AG@5", MAP = "AP"))
#' @export
measure <- function(name, k = NULL, ...) {
  parameters <- list(...)
  if (!is.character(name) || length(name) > 1) {
    check_that(is.null(k) && !length(parameters), "name", "{.arg k} and parameters need one {.arg name}.")
    return(measures_of(name, "name"))
  }
  check_string(name, "name")
  if (is.null(k) && !length(parameters) && length(expand_measure_name(name)) > 1) return(measures_of(name, "name"))
  # Without a name, a parameter cannot be matched, and its position means nothing.
  check_that(!length(parameters) || (!is.null(names(parameters)) && all(nzchar(names(parameters)))), "...",
             "Parameters of a measure must be named, as in {.code measure(\"RBP\", p = 0.95)}.")
  parse_measure(name, k, parameters)
}

measures_of <- function(x, arg, call = caller_env()) {
  if (inherits(x, "judicious_measures")) return(x)
  if (inherits(x, "judicious_measure")) x <- list(x)
  check_that((is.character(x) || is.list(x)) && length(x), arg, c(
    "must be measures or their names, not {.obj_type_friendly {x}}.",
    i = "For instance {.code c(\"AG@5\", \"AP\")}."
  ), kind = "measure", call = call)
  x <- expand_measure_names(x, arg, call)
  given <- names(x) %||% rep("", length(x))
  out <- lapply(unname(as.list(x)), function(one) {
    if (inherits(one, "judicious_measure")) return(one)
    check_that(is.character(one) && length(one) == 1 && !is.na(one), arg,
               "must be measures or their names, but has {.obj_type_friendly {one}}.", kind = "measure", call = call)
    parse_measure(one, call = call)
  })
  for (i in which(nzchar(given))) out[[i]]$label <- given[i]
  new_measures(out, arg, call)
}

# Replaces a name that stands for several measures by these.
expand_measure_names <- function(x, arg, call) {
  expanded <- lapply(x, function(one) {
    if (is.character(one) && length(one) == 1 && !is.na(one)) as.list(expand_measure_name(one)) else list(one)
  })
  several <- which(lengths(expanded) > 1 & nzchar(names(x) %||% rep("", length(x))))
  check_that(!length(several), arg, "{.arg {arg}}: {.val {x[[several[1]]]}} stands for several measures and takes no
    label.", kind = "measure", call = call)
  unlist(expanded, recursive = FALSE)
}

new_measures <- function(measures, arg = "measures", call = caller_env()) {
  label <- vapply(measures, `[[`, "", "label")
  again <- which(duplicated(label))
  check_that(!length(again), arg, c(
    "has two measures that are called {.val {label[again[1]]}}.",
    i = paste0("Leave one out", hint(", or give them names: {.code c(first = \"{label[again[1]]}\", ...)}"), ".")
  ), kind = "measure", call = call)
  structure(measures, class = "judicious_measures")
}

#' @export
format.judicious_measure <- function(x, ...) if (x$label == x$name) x$name else paste0(x$name, " as ", x$label)

#' @export
print.judicious_measure <- function(x, ...) {
  better <- c(higher = ", higher is better", lower = ", lower is better", none = "")[[x$direction]]
  print_line(x, "<measure> ", format(x), ": ", x$title, ", ", x$range[1], " to ", x$range[2], better)
}

#' @export
format.judicious_measures <- function(x, ...) vapply(x, format, "")

#' @export
print.judicious_measures <- function(x, ...) {
  print_line(x, "<", counted(length(x), "measure"), "> ", paste(format(x), collapse = ", "))
}

#' @export
`[.judicious_measures` <- function(x, i) structure(unclass(x)[i], class = "judicious_measures")

#' @rdname measure
#' @export
c.judicious_measure <- function(...) {
  parts <- lapply(list(...), function(one) unclass(measures_of(one, "...")))
  new_measures(do.call(c, parts), "...")
}

#' @export
c.judicious_measures <- c.judicious_measure

#' @export
as.character.judicious_measures <- function(x, ...) vapply(x, `[[`, "", "name")

#' @export
as.character.judicious_measure <- function(x, ...) x$name

#' @export
as.data.frame.judicious_measures <- function(x, ...) {
  field <- function(name, what) vapply(x, function(m) as.vector(m[[name]], what), vector(what, 1))
  data.frame(measure = field("label", "character"), name = field("name", "character"),
             cutoff = field("cutoff", "integer"), direction = field("direction", "character"),
             lowest = vapply(x, function(m) m$range[1], 0), highest = vapply(x, function(m) m$range[2], 0),
             total = field("total", "character"))
}
