#' Define an effectiveness measure
#'
#' `measure()` creates a measure from its name and parameters, or a list of measures from several names. Functions with
#' an argument `measure` also accept the names.
#'
#' These pages list the measures:
#' - [measures_precision]: AP, P, recall, RR, F and others, for which a document is relevant or not;
#' - [measures_gain]: AG, DCG, nDCG, ANDCG and others, of graded gain;
#' - [measures_user]: RBP, ERR, INST and others, of user models;
#' - [measures_subtopic]: alpha_nDCG, StRecall, nugget_recall and others, of diversity and nuggets;
#' - [measures_count]: num_ret, judged and others.
#'
#' A name has the form `measure(parameter=value,...)@cutoff`, where parameters at their default can be omitted:
#' `"AG@5"`, `"nDCG(rel=2)@10"`, `"RBP(p=0.95)"`. Capitals do not matter. The cutoff and the parameters, including
#' functions, can also be arguments: `measure("nDCG", k = 10, gain = "exp")`. All measures have the parameter
#' `judged_only`: whether unjudged documents are removed from the lists first, as by `evaluate(unjudged = "condensed")`.
#'
#' The names of trec_eval, ir_measures and ranx are accepted, too: `"map"`,
#' `"nDCG(dcg='exp-log2',judged_only=True)@10"`, `"map@100-l2"`, `"P_10(rel=2)"`. Such a measure prints its canonical
#' name and keeps the given name in tables. Its value is that of the named program, except for the differences that the
#' pages list, and for `ties` in [evaluate()].
#'
#' In `measure()`, [evaluate()] and the command line, a name may also stand for several measures: trec_eval's nicknames
#' `"official"`, `"set"` and `"all_trec"`, lists of parameters such as `"P.5,10"`, and `"ndcg_cut"`, `"map_cut"`,
#' `"iprec_at_recall"`, `"Rprec_mult"` and `"unj"` alone, with trec_eval's defaults.
#' @param name The name of a measure, such as `"nDCG@10"`. Or several: names, measures, or a list of both; their
#'   names, as in `c(MAP = "AP")`, are used in tables.
#' @param k The cutoff: the number of top ranks to evaluate. NULL uses that of the name, or else the whole list.
#' @param ... For `measure()`: parameters by name, such as `rel = 2`. For `c()`: measures.
#' @return `measure()` of one name: a `judicious_measure`, a list with `name` (canonical), `label` (the name in tables),
#'   `base`, `cutoff` (NA: none), `args`, `direction` (`"higher"`, `"lower"` or `"none"`), `range`, `needs_ranks`,
#'   `linear` and `total` (how the queries are combined: `"mean"`, `"geometric"`, `"sum"`). Of several names, and `c()`
#'   of measures: a `judicious_measures`, a list of measures.
#' @section Errors: `judicious_error_measure` for an unknown name or parameter.
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
  is_name_only <- is.null(k) && !length(parameters)
  if (!is.character(name) || length(name) > 1) {
    check_that(is_name_only, "name", "{.arg k} and parameters need one {.arg name}.")
    return(measures_of(name, "name"))
  }
  check_string(name, "name")
  if (is_name_only) {
    found <- measures_of(name, "name")
    return(if (length(found) == 1) found[[1]] else found)
  }
  # Parameters can only be matched by name, because their position has no meaning.
  check_that(!length(parameters) || (!is.null(names(parameters)) && all(nzchar(names(parameters)))), "...",
             "Parameters of a measure must be named, as in {.code measure(\"RBP\", p = 0.95)}.")
  parse_measure(name, k, parameters)
}

measures_of <- function(x, arg) {
  if (inherits(x, "judicious_measures")) return(x)
  if (inherits(x, "judicious_measure")) x <- list(x)
  check_that((is.character(x) || is.list(x)) && length(x), arg, c(
    "must be measures or their names, not {.obj_type_friendly {x}}.",
    i = "For instance {.code c(\"AG@5\", \"AP\")}."), kind = "measure")
  # Expands names that stand for several measures.
  expanded <- lapply(x, function(one) if (is_string(one)) as.list(expand_measure_name(one)) else list(one))
  several <- which(lengths(expanded) > 1 & nzchar(names(x) %||% rep("", length(x))))
  check_that(!length(several), arg, "{.arg {arg}}: {.val {x[[several[1]]]}} stands for several measures and takes no
    label.", kind = "measure")
  x <- unlist(expanded, recursive = FALSE)
  given_names <- names(x) %||% rep("", length(x))
  out <- lapply(unname(as.list(x)), function(one) {
    if (inherits(one, "judicious_measure")) return(one)
    check_that(is_string(one), arg, "must be measures or their names, but has {.obj_type_friendly {one}}.",
               kind = "measure")
    parse_measure(one)
  })
  for (i in which(nzchar(given_names))) out[[i]]$label <- given_names[i]
  new_measures(out, arg)
}

new_measures <- function(measures, arg = "measures") {
  label <- vapply(measures, `[[`, "", "label")
  repeated <- which(duplicated(label))
  check_that(!length(repeated), arg, c(
    "has two measures that are called {.val {label[repeated[1]]}}.",
    i = paste0("Leave one out", hint(", or give them names: {.code c(first = \"{label[repeated[1]]}\", ...)}"), ".")
  ), kind = "measure")
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
  new_measures(do.call(c, lapply(list(...), function(one) unclass(measures_of(one, "...")))), "...")
}

#' @export
c.judicious_measures <- c.judicious_measure

#' @export
as.character.judicious_measures <- function(x, ...) vapply(x, `[[`, "", "name")

#' @export
as.character.judicious_measure <- function(x, ...) x$name

#' @export
as.data.frame.judicious_measures <- function(x, ...) {
  text <- function(field) vapply(x, `[[`, "", field)
  data.frame(measure = text("label"), name = text("name"), cutoff = vapply(x, `[[`, 1L, "cutoff"),
             direction = text("direction"), lowest = vapply(x, function(m) m$range[1], 0),
             highest = vapply(x, function(m) m$range[2], 0), total = text("total"))
}

#' Define a custom measure
#'
#' Creates a measure from an R function of one ranked list, for all but `ties = "expected"` and
#' `unjudged = "bounds"` of [evaluate()]. A ranking by it needs joint gains; sessions, plans and studies do not accept
#' it.
#'
#' @param name The printed name of the measure, without its cutoff.
#' @param fun A function of one argument, a list with
#'   - `gain`: the gains of the retrieved documents by rank, NA for unjudged ones. With a cutoff `k`, only the top `k`;
#'   - `retrieved`: the number of documents that the system retrieved, regardless of the cutoff;
#'   - `judged`: the gains of all judged documents of the query, highest first;
#'   - `k`: the cutoff, or NA;
#'   - `query`: a list of the identifier, `query`, and the other columns of the queries of a [test_collection()], such
#'     as a parameter per query;
#'
#'   which returns one number, NA if the measure is not defined.
#' @param k The cutoff, or NULL to evaluate the whole list.
#' @param direction Which values are better: `"higher"`, `"lower"`, or `"none"` if neither.
#' @param range The lowest and highest possible value.
#' @param needs_ranks Whether the value depends on the order of the documents. If TRUE, runs without scores and ranks
#'   raise an error.
#' @return A `judicious_measure`.
#' @section In C++: `fun` may call compiled code, such as by `Rcpp::cppFunction()`, which is faster for long lists.
#' @section Errors: If `fun` does not return one number, [evaluate()] raises a `judicious_error_measure`.
#' @examples
#' # Rank-biased precision with a persistence per query, a column of the collection's queries
#' persistent <- function(x) {
#'   p <- x$query$persistence
#'   (1 - p) * sum(x$gain * p^(seq_along(x$gain) - 1), na.rm = TRUE)
#' }
#' runs <- data.frame(system = "A", query = c("q1", "q2"), doc = "d1", rank = 1)
#' queries <- data.frame(query = c("q1", "q2"), persistence = c(.5, .8))
#' x <- test_collection(runs, queries = queries, k = 1, scale = 0:1,
#'                      judgments = data.frame(query = c("q1", "q2"), doc = "d1", gain = 1))
#' evaluate(x, measure = measure_custom("pRBP", persistent, k = 1), per = "query")
#' @export
measure_custom <- function(name, fun, k = NULL, direction = "higher", range = c(-Inf, Inf), needs_ranks = TRUE) {
  check_string(name, "name")
  check_function(fun, "fun")
  direction <- check_choice(direction, c("higher", "lower", "none"), "direction")
  check_that(is.numeric(range) && length(range) == 2 && !anyNA(range) && range[1] <= range[2], "range",
             "must be the lowest and the highest value.")
  check_flag(needs_ranks, "needs_ranks")
  if (!is.null(k)) check_count(k, "k")
  entry <- measure_entry("custom measure", range = range, direction = direction, needs_ranks = needs_ranks)
  new_measure(name, list(), k %||% NA, entry, fun)
}

is_custom <- function(measures) vapply(measures, function(m) !is.null(m$fun), TRUE)

# The values of a custom measure for ranked lists (see evaluation-lists.R). `condensed`: whether unjudged documents are
# removed from the lists first.
custom_values <- function(measure, lists, condensed = FALSE) {
  queries <- lapply(seq_len(nrow(lists$queries)), function(i) lapply(lists$queries, function(column) unname(column[i])))
  vapply(seq_along(lists$query), function(i) {
    gain <- rep(NA_real_, lists$retrieved[i])
    list_rows <- seq.int(lists$offset[i] + 1, length.out = lists$offset[i + 1] - lists$offset[i])
    level <- lists$items$level[list_rows]
    gain[lists$items$rank[list_rows]] <- ifelse(level > 0, lists$levels[pmax(level, 1)], NA)
    if (condensed) gain <- gain[!is.na(gain)]
    retrieved <- length(gain)
    if (!is.na(measure$cutoff)) gain <- utils::head(gain, measure$cutoff)
    value <- measure$fun(list(gain = gain, retrieved = retrieved,
                              judged = lists$levels[lists$judged[[lists$query[i]]]], k = measure$cutoff,
                              query = queries[[lists$query[i]]]))
    abort_unless((is.numeric(value) || is.logical(value)) && length(value) == 1, c(
      "The function of the measure {.val {measure$name}} must return one number.",
      x = "It returned {.obj_type_friendly {value}} for query {.val {lists$query_ids[lists$query[i]]}}."
    ), "measure", measure = measure$name)
    as.numeric(value)
  }, 0)
}

# The form in which measures are passed to the C++ kernels.

# Converts measures to lists, with gain functions and relevance thresholds as tables over the levels. `details`: other
# columns of the judgments, as judged_gains() returns them.
core_measures <- function(measures, levels, details = list()) {
  check_subtopics(measures, details)
  check_query_columns(measures, details)
  lapply(measures[!is_custom(measures)], function(m) {
    values <- m$args
    transformed <- as.numeric(transform_by_measure(m, levels))
    # Raises an error if gains are so large that sums over documents would overflow.
    uses_gains <- !is.null(values$gain) || !identical(measure_registry[[m$base]]$transform, transform_gains)
    large <- which(!is.finite(transformed) | abs(transformed) > 1e300)
    check_that(!uses_gains || !length(large), "judgments",
               "A gain of {levels[large[1]]} is too large for {.val {m$label}}.", call = NULL)
    # User models limit gains to the range that they scale.
    above <- is.numeric(values$max) && is.null(values$horizon) && max(levels) > values$max
    check_that(!above, "judgments", "A gain of {max(levels)} is above the {.arg max} of {.val {m$label}}.", call = NULL)
    list(name = m$base, cutoff = m$cutoff, gain = transformed, relevant = as.integer(levels >= (values$rel %||% 1)),
         parameters = Filter(function(value) is.atomic(value) && !is.null(value), values),
         unanswered = measure_registry[[m$base]]$unanswered,
         discount_table = if (is.function(values$discount)) discount_table(values$discount, m$cutoff) else numeric(),
         max_gain = highest_transformed(values, levels))
  })
}

measures_by_subtopic <- function(measures) {
  Filter(function(m) is.null(m$fun) && identical(measure_registry[[m$base]]$needs, "subtopic"), unclass(measures))
}

# Measures by subtopic (or nugget), and the measures of which they are means over subtopics, up to a factor that depends
# on the cutoff.
per_subtopic <- c(P_IA = "P", AP_IA = "AP", ERR_IA = "ERR(max=1)", StRecall = "success", nugget_recall = "AG")

check_subtopics <- function(measures, details) {
  by_subtopic <- measures_by_subtopic(measures)
  if (!length(by_subtopic) || !is.null(details$start)) return(invisible())
  m <- by_subtopic[[1]]
  plain <- if (m$base == "ERR_IA" && m$args$alpha != 0.5) NA else per_subtopic[m$base]
  abort_judicious(c(
    "{.val {m$label}} needs judgments by subtopic, and a test collection has one gain a document.",
    x = if (is.na(plain)) "It depends on which subtopics a document has together, which joint gains do not describe.",
    i = if (!is.na(plain)) "It is a mean over subtopics: use {.val {plain}} on a collection in which each subtopic is a
      query.",
    i = "{.fn evaluate} computes it from runs and judgments with a column {.val subtopic}."
  ), "measure", measure = m$name)
}

# The names of the parameters of a measure that are columns of the queries.
query_parameters <- function(m) {
  declared <- measure_registry[[m$base]]$parameters
  Filter(function(name) is.character(m$args[[name]]) && isTRUE(declared[[name]]$per_query), names(m$args))
}

# Raises an error for measures with a parameter per query, unless the columns of a collection's queries are available,
# which evaluate() passes in `details`.
check_query_columns <- function(measures, details) {
  lacking <- Filter(function(m) length(setdiff(unlist(m$args[query_parameters(m)]), names(details$of_query))), measures)
  abort_unless(!length(lacking), c(
    "{.val {lacking[[1]]$label}} has a parameter per query, with which only values of {.fn evaluate} are computed.",
    i = "{.fn measure_custom} defines a measure that also ranks systems by joint gains."
  ), "measure", measure = lacking[[1]]$name, call = NULL)
}

# The gains `levels` after the transformation by a measure. `levels` must be all distinct gains.
transform_by_measure <- function(m, levels) measure_registry[[m$base]]$transform(m$args, levels)

# The contribution of a document with the transformed gain 1 to the value of a list, by its position and the length of
# the list. It is computed by the kernel for a list without other judged documents.
rank_weights <- function(m, levels, position, retrieved) {
  code <- position + (max(position, 0) + 1) * as.double(retrieved)
  first_rows <- which(!duplicated(code))
  core <- core_measures(list(m), levels)[[1]]
  core$gain <- 1
  core$relevant <- 1L
  lists <- list(query = rep(1L, length(first_rows)), retrieved = retrieved[first_rows], offset = 0:length(first_rows))
  items <- list(rank = position[first_rows], level = rep(1L, length(first_rows)), first = position[first_rows],
                last = position[first_rows])
  value <- evaluate_lists_cpp(lists, items, list(integer()), list(core), plain_policy)
  as.vector(value)[match(code, code[first_rows])]
}

# A policy by which unjudged documents are not relevant, and ranks are used as they are.
plain_policy <- list(unjudged = "zero", ties = "rank", undefined = "zero", seed = 0)

discount_table <- function(discount, cutoff) {
  discounts <- discount(seq_len(cutoff))
  check_that(is.numeric(discounts) && length(discounts) == cutoff && !anyNA(discounts), "discount",
             "A discount function must return a number for each rank it is given.", call = NULL)
  as.numeric(discounts)
}
