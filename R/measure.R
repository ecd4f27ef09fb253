#' Define an effectiveness measure
#'
#' `measure()` creates a measure from its name and parameters, or a list of measures from several names. Functions with
#' an argument `measure` also accept the names.
#'
#' These pages list the measures:
#' - [measures_precision]: AP, P, recall, RR, F, bpref, infAP and others, for which a document is relevant or not;
#' - [measures_gain]: AG, CG, DCG, nDCG, ANDCG, ADR and others, of graded gain. `discount = "log_b"` is equation 2 of
#'   Urbano et al. (2011) for DCG, nDCG and ANDCG;
#' - [measures_user]: RBP, ERR, INST, BPM, Compat and others, of user models;
#' - [measures_subtopic]: alpha_nDCG, ERR_IA, StRecall, nugget_recall and others, of diversity and nuggets;
#' - [measures_count]: num_ret, num_rel, hits, judged and others.
#'
#' A name has the form `measure(parameter=value,...)@cutoff`, where parameters at their default can be omitted:
#' `"AG@5"`, `"nDCG(rel=2)@10"`, `"RBP(p=0.95)"`. Capitals do not matter. The cutoff and the parameters, including
#' functions, can also be arguments: `measure("nDCG", k = 10, gain = "exp")`. All measures have the parameter
#' `judged_only`: whether unjudged documents are removed from the lists first, as by `evaluate(unjudged = "condensed")`.
#'
#' The names of trec_eval, ir_measures and ranx are accepted, too: `"map"`,
#' `"nDCG(dcg='exp-log2',judged_only=True)@10"`, `"map@100-l2"`, `"P_10(rel=2)"`. Such a measure prints its canonical
#' name and keeps the given name in tables. Its value is that of the program, except for the differences that the pages
#' list, and for equal scores (see `ties` in [evaluate()]).
#'
#' In `measure()`, [evaluate()] and the command line, a name may also stand for several measures: trec_eval's nicknames
#' `"official"`, `"set"` and `"all_trec"`, lists of parameters such as `"P.5,10"`, and `"ndcg_cut"`, `"map_cut"`,
#' `"iprec_at_recall"`, `"Rprec_mult"` and `"unj"` alone, with trec_eval's defaults.
#' @param name The name of a measure, such as `"nDCG@10"`. Or several: names, measures, or a list of both; if its
#'   elements are named, as in `c(MAP = "AP")`, these names are used in tables.
#' @param k The cutoff: the number of top ranks to evaluate. NULL uses that of the name, or else the whole list.
#' @param ... For `measure()`: parameters by name, such as `rel = 2`. For `c()`: measures.
#' @return `measure()` of one name: a `judicious_measure`, a list with `name` (canonical), `label` (the name in tables),
#'   `base`, `cutoff` (NA: none), `args`, `direction` (`"higher"`, `"lower"` or `"none"`), `range`, `needs_ranks`,
#'   `linear` and `total` (how the queries are combined: `"mean"`, `"geometric"`, `"sum"`). Of several names, and `c()`
#'   of measures: a `judicious_measures`, a list of measures.
#' @section Errors: `judicious_error_measure` for an unknown name or parameter; `judicious_error_argument` for an
#'   invalid value of a parameter.
#' @seealso [evaluate()], [measure_custom()] for measures by an R function.
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
