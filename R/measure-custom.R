#' Define a custom measure
#'
#' Creates a measure from an R function of one ranked list. It can be used like a built-in measure, except with these
#' options of [evaluate()]: `ties = "expected"`, `unjudged = "bounds"` and `unjudged = "expected"`.
#' A ranking by it needs joint gains, and it cannot select documents: sessions, plans and studies refuse it.
#'
#' @param name The printed name of the measure, without its cutoff.
#' @param fun A function of one argument, a list with
#'   - `gain`: the gains of the retrieved documents by rank, NA for unjudged ones. With a cutoff `k`, only the top `k`;
#'   - `retrieved`: the number of documents that the system retrieved, regardless of the cutoff;
#'   - `judged`: the gains of all judged documents of the query, highest first;
#'   - `k`: the cutoff, or NA;
#'   - `query`: a list with the identifier of the query, `query`, and, for a [test_collection()], the other columns of
#'     its queries, so that the measure can have a parameter per query;
#'
#'   which returns one number, NA if the measure is not defined.
#' @param k The cutoff, or NULL to evaluate the whole list.
#' @param direction Which values are better: `"higher"`, `"lower"`, or `"none"` if neither.
#' @param range The lowest and highest possible value.
#' @param needs_ranks Whether the value depends on the order of the documents. If TRUE, runs without scores and ranks
#'   raise an error.
#' @return A `judicious_measure`.
#' @section In C++: `fun` may call compiled code, which is faster for long lists. With Rcpp:
#' \preformatted{
#' Rcpp::cppFunction("double first_gain(Rcpp::List x) {
#'   Rcpp::NumericVector gain = x[\"gain\"];
#'   for (double g : gain) if (!R_IsNA(g) && g > 0) return g;
#'   return 0;
#' }")
#' measure_custom("firstgain", first_gain)
#' }
#' [measure()] describes how to add a measure to the package itself.
#' @section Errors: If `fun` does not return one number, [evaluate()] raises a `judicious_error_measure`.
#' @examples
#' # The mean gain of the judged documents.
#' mean_of_judged <- function(x) mean(x$gain, na.rm = TRUE)
#' judged_mean <- measure_custom("judgedmean", mean_of_judged, k = 5, needs_ranks = FALSE)
#' head(evaluate(ams_demo, measure = judged_mean), 3)
#'
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
  if (!length(judged)) return(invisible())
  abort_judicious(c(paste(what, "is not defined for {.val {judged[[1]]$name}}."), i = "Leave {.arg judged_only} out."),
                  "measure", measure = judged[[1]]$name, call = call)
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
