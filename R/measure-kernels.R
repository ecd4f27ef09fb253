#' Define a custom measure
#'
#' Creates a measure from an R function of one ranked list. It can be used like a built-in measure, except with
#' `ties = "expected"`, `unjudged = "bounds"` and `unjudged = "expected"` of [evaluate()]. A ranking by it needs joint
#' gains; sessions, plans and studies raise an error.
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
#' @section In C++: `fun` may call compiled code, which is faster for long lists. With Rcpp: \preformatted{
#'   Rcpp::cppFunction("double first_gain(Rcpp::List x) { Rcpp::NumericVector gain = x[\"gain\"]; for (double g : gain)
#'   if (!R_IsNA(g) && g > 0) return g; return 0; }") measure_custom("firstgain", first_gain) }
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
  check_that(is.function(fun), "fun", "must be a function, not {.obj_type_friendly {fun}}.")
  direction <- check_choice(direction, c("higher", "lower", "none"), "direction")
  check_that(is.numeric(range) && length(range) == 2 && !anyNA(range) && range[1] <= range[2], "range",
             "must be the lowest and the highest value.")
  check_flag(needs_ranks, "needs_ranks")
  if (!is.null(k)) check_count(k, "k")
  entry <- measure_entry("custom measure", "", range = range, direction = direction, needs_ranks = needs_ranks)
  new_measure(name, list(), k %||% NA, entry, fun)
}

is_custom <- function(measures) vapply(measures, function(m) !is.null(m$fun), TRUE)

# A measure of judged documents only is not defined for random gains of the others, so it has no expectation.
refuse_judged_only <- function(measures, what, call) {
  judged <- Filter(function(m) isTRUE(m$args$judged_only), unclass(measures))
  abort_unless(!length(judged), c(
    paste(what, "is not defined for {.val {judged[[1]]$name}}."), i = "Leave its parameter {.field judged_only} out."
  ), "measure", measure = judged[[1]]$name, call = call)
}

# Values of custom measures for ranked lists (see evaluation-lists.R).
custom_values <- function(measure, lists, call) {
  queries <- lapply(seq_len(nrow(lists$queries)), function(i) lapply(lists$queries, function(column) unname(column[i])))
  vapply(seq_along(lists$query), function(i) {
    gain <- rep(NA_real_, lists$retrieved[i])
    at <- seq.int(lists$offset[i] + 1, length.out = lists$offset[i + 1] - lists$offset[i])
    level <- lists$items$level[at]
    gain[lists$items$rank[at]] <- ifelse(level > 0, lists$levels[pmax(level, 1)], NA)
    if (!is.na(measure$cutoff)) gain <- utils::head(gain, measure$cutoff)
    value <- measure$fun(list(gain = gain, retrieved = lists$retrieved[i],
                              judged = lists$levels[lists$judged[[lists$query[i]]]], k = measure$cutoff,
                              query = queries[[lists$query[i]]]))
    abort_unless((is.numeric(value) || is.logical(value)) && length(value) == 1, c(
      "The function of the measure {.val {measure$name}} must return one number.",
      x = "It returned {.obj_type_friendly {value}} for query {.val {lists$query_ids[lists$query[i]]}}."
    ), "measure", measure = measure$name, call = call)
    as.numeric(value)
  }, 0)
}

# Converts measures to the form that the C++ kernels accept.

# Gain functions and relevance thresholds become tables over the levels.
# `details`: of the judgments, see judged_gains().
core_measures <- function(measures, levels, details = list()) {
  check_subtopics(measures, details)
  check_query_columns(measures, details)
  lapply(measures[!is_custom(measures)], function(m) {
    given <- m$args
    worth <- as.numeric(measure_worth(m, levels))
    # Sums over documents must be numbers, too.
    uses_gains <- !is.null(given$gain) || !identical(measure_registry[[m$base]]$worth, gain_worth)
    large <- which(!is.finite(worth) | abs(worth) > 1e300)
    check_that(!uses_gains || !length(large), "judgments",
               "A gain of {levels[large[1]]} is too large for {.val {m$label}}.", call = NULL)
    list(name = m$base, cutoff = m$cutoff, gain = worth, relevant = as.integer(levels >= (given$rel %||% 1)),
         parameters = Filter(function(value) is.atomic(value) && !is.null(value), given),
         unanswered = measure_registry[[m$base]]$unanswered, discount_table = discount_table(given$discount, m$cutoff),
         max_gain = highest_worth(given, levels))
  })
}

measures_by_subtopic <- function(measures) {
  Filter(function(m) is.null(m$fun) && identical(measure_registry[[m$base]]$needs, "subtopic"), unclass(measures))
}

# Measures that are, up to a factor of the cutoff, means over the subtopics (or nuggets) of these.
of_one_subtopic <- c(P_IA = "P", AP_IA = "AP", ERR_IA = "ERR(max=1)", StRecall = "success", nugget_recall = "AG")

check_subtopics <- function(measures, details, call = NULL) {
  by_subtopic <- measures_by_subtopic(measures)
  if (!length(by_subtopic) || !is.null(details$start)) return(invisible())
  m <- by_subtopic[[1]]
  one <- if (m$base == "ERR_IA" && m$args$alpha != 0.5) NA else of_one_subtopic[m$base]
  abort_judicious(c(
    "{.val {m$label}} needs judgments by subtopic, and a test collection has one gain a document.",
    x = if (is.na(one)) "It depends on which subtopics a document has together, which joint gains do not describe.",
    i = if (!is.na(one)) "It is a mean over subtopics: use {.val {one}} on a collection in which each subtopic is a
      query.",
    i = "{.fn evaluate} computes it from runs and judgments with a column {.val subtopic}."
  ), "measure", measure = m$name, call = call)
}

# The parameters of a measure that name a column of the queries.
query_parameters <- function(m) {
  known <- measure_registry[[m$base]]$parameters
  Filter(function(name) is.character(m$args[[name]]) && isTRUE(known[[name]]$per_query), names(m$args))
}

# Only evaluate() with a collection passes columns of the queries.
check_query_columns <- function(measures, details) {
  lacking <- Filter(function(m) length(setdiff(unlist(m$args[query_parameters(m)]), names(details$of_query))), measures)
  abort_unless(!length(lacking), c(
    "{.val {lacking[[1]]$label}} has a parameter per query, with which only values of {.fn evaluate} are computed.",
    i = "{.fn measure_custom} defines a measure that also ranks systems by joint gains."
  ), "measure", measure = lacking[[1]]$name, call = NULL)
}

# Transformed gains of a measure; `levels` are all distinct gains.
measure_worth <- function(m, levels) measure_registry[[m$base]]$worth(m$args, levels)

# The contribution of a document with transformed gain 1 to the value of a list, by its position and the length of the
# list: the value that the kernel computes for a list without other documents.
rank_weights <- function(m, levels, position, retrieved) {
  code <- position + (max(position, 0) + 1) * as.double(retrieved)
  one <- which(!duplicated(code))
  core <- core_measures(list(m), levels)[[1]]
  core$gain <- 1
  core$relevant <- 1L
  lists <- list(query = rep(1L, length(one)), retrieved = retrieved[one], offset = 0:length(one))
  items <- list(rank = position[one], level = rep(1L, length(one)), first = position[one], last = position[one])
  value <- evaluate_lists_cpp(lists, items, list(integer()), list(core), plain_policy)
  as.vector(value)[match(code, code[one])]
}

# Unjudged documents are not relevant, and ranks are used as given.
plain_policy <- list(unjudged = "zero", ties = "rank", seed = 0)

discount_table <- function(discount, cutoff) {
  if (!is.function(discount)) return(numeric())
  discounts <- discount(seq_len(cutoff))
  check_that(is.numeric(discounts) && length(discounts) == cutoff && !anyNA(discounts), "discount",
             "A discount function must return a number for each rank it is given.", call = NULL)
  as.numeric(discounts)
}
