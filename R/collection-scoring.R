# The scoring of a collection: its measure, with the transformation of gains and the weights of results that follow from
# it.

#' State how the effectiveness of the systems of a collection is computed
#'
#' @param measure The measure, or NULL for the mean gain at the collection's cutoff.
#' @param weight If effectiveness is a sum over documents, the amount that a gain of 1 of each result adds to it; NULL
#'   for 1 / (k |Q|), and if effectiveness is not a sum.
#' @param transform The measure that transforms the gains before they are summed; NULL if it does not transform them.
#' @return A `judicious_scoring`: the three arguments, and `span`, the width of the range of the effectiveness, from
#'   which gain_resolution() derives the size of rounding errors.
#' @noRd
new_scoring <- function(x, measure = NULL, weight = NULL, transform = NULL) {
  if (is.null(measure) && is_weighted(x)) weight <- over_queries(x, rep(1 / x$k, n_results(x)))
  scoring <- structure(list(measure = measure, weight = weight, transform = transform), class = "judicious_scoring")
  width <- diff(gain_range(replace(x, "scoring", list(scoring))))
  scoring$span <- if (is.null(measure)) {
    width
  } else if (all(is.finite(measure$range))) {
    diff(measure$range)
  } else {
    # The range of a list's score, from all gains lowest to all gains highest, if the scores are sums with these
    # weights.
    width * if (is.null(weight)) 1 else max(rowsum(weight / over_queries(x, rep(1, n_results(x))), result_list(x)))
  }
  scoring
}

#' @export
format.judicious_scoring <- function(x, ...) {
  name <- if (is.null(x$measure)) "mean gain" else x$measure$name
  summed <- if (!is.null(x$transform)) "transformed gains" else "gains"
  paste0(name, if (is_sum(list(scoring = x))) paste0(", a sum over documents of ", summed), ", span ", format(x$span))
}

#' @export
print.judicious_scoring <- function(x, ...) print_line(x, "<scoring> ", format(x))

# The collection with scores by `measure`; NULL leaves it as it is.
with_measure <- function(x, measure) {
  if (is.null(measure)) return(x)
  m <- measures_of(measure, "measure")
  check_that(length(m) == 1, "measure", "must be one measure, not {length(m)}.", kind = "measure")
  refuse_judged_only(m, "A ranking of systems whose judgments are not complete")
  m <- m[[1]]
  check_that(m$direction == "higher", "measure", "Systems cannot be ranked by {.val {m$name}}: a higher value of it is
    not better.", kind = "measure")
  list_code <- result_list(x)
  retrieved <- tabulate(list_code, count_lists(x))
  refuse_unfit_measures(x, list(ranked = !is.null(x$results$rank), retrieved = retrieved), list(m))
  note_equal_relevance(x, list(m), abort_judicious)
  if (!m$linear) {
    x$scoring <- new_scoring(x, m)
    return(x)
  }
  gain_levels <- x$scale$levels
  transformed <- transform_by_measure(m, gain_levels)
  weight <- over_queries(x, rank_weights(m, gain_levels, result_position(x), retrieved[list_code]))
  check_that(all(is.finite(transformed)) && diff(range(transformed)) != 0 && !anyNA(weight), "measure",
             "{.val {m$name}} is the same for all gains of the scale {format(x$scale)}.", kind = "measure")
  x$scoring <- new_scoring(x, m, weight, if (!identical(transformed, as.numeric(gain_levels))) m)
  x
}

collection_measure <- function(x) x$scoring$measure %||% measure("AG", x$k)

# Whether the scores of systems are sums over documents.
is_sum <- function(x) is.null(x$scoring$measure) || !is.null(x$scoring$weight)

# The collection of systems that give up to `k` answers to a question, without an order.
with_repeats <- function(x, k) {
  x$results$rank <- NULL
  x$k <- as.integer(k)
  with_measure(x, c(rating = "AG"))
}

# Gains after the transformation by the measure, such as 2^gain - 1.
transformed_gain <- function(x, gain) {
  m <- x$scoring$transform
  if (is.null(m)) return(gain)
  gain_levels <- sort(unique(c(x$scale$levels, gain[!is.na(gain)])))
  transform_by_measure(m, gain_levels)[match(gain, gain_levels)]
}

# The lowest and the highest gain, transformed.
gain_range <- function(x) range(transformed_gain(x, x$scale$levels))

# Gains, transformed and rescaled to 0 (lowest) to 1 (highest).
unit_gain <- function(x, gain) {
  ends <- gain_range(x)
  (transformed_gain(x, gain) - ends[1]) / diff(ends)
}

# Label of the measure in print, such as "mean AG@5".
measure_label <- function(x) {
  m <- collection_measure(x)
  # If systems give one answer per question, "rating" is easier to understand than "AG@1".
  name <- if (gives_ratings(x)) "rating" else m$label
  total <- c(mean = "mean ", geometric = "geometric mean ", sum = "total ", none = "")[[m$total]]
  weighted <- is_weighted(x) && length(unique(x$queries$weight[counts_in_means(x)])) > 1
  paste0(if (weighted) "weighted ", total, name, if (is.na(m$cutoff) && isTRUE(x$cut)) cut_suffix(m, x$k))
}

# The suffix of the label of a measure that has no cutoff, if the lists were cut at `k`: the cutoff, as in "AP@10", or "
# of the top k" if the measure cannot have a cutoff or its cutoff would also cut the ideal list.
cut_suffix <- function(m, k) {
  has_cutoff <- isTRUE(measure_registry[[m$base]]$cutoff) && !m$base %in% cut_with_ideal
  paste0(if (has_cutoff) "@" else " of the top ", format_number(k))
}

cut_with_ideal <- c("nDCG", "IDCG", "ADR", "infNDCG", "NERR8", "NERR9", "SDCG", "alpha_nDCG", "nERR_IA")

# Lowest and highest possible score, for any queries. A missing answer, or a missing document of a short list, adds 0.
score_range <- function(x) {
  declared <- collection_measure(x)$range
  if (all(is.finite(declared)) || !is_sum(x)) return(declared)
  ends <- gain_range(x)
  lists <- if (gives_ratings(x)) length(unique(result_list(x))) else n_results(x) / x$k
  range(if (lists < n_systems(x) * n_queries(x)) 0, ends * x$scoring$span / diff(ends))
}

# Raises an error if measures need ranks, more results than the lists have, or subtopics that are not known.
refuse_unfit_measures <- function(x, lists, measures) {
  if (!lists$ranked) {
    need_ranks <- Filter(function(m) m$needs_ranks, measures)
    abort_unless(!length(need_ranks), c(
      "{.val {need_ranks[[1]]$name}} needs the order of the results, and the runs have neither ranks nor scores.",
      i = "Measures of sets, such as {.val AG@5} or {.val P@5}, do not need it."
    ), "needs_ranks", measures = as.character(need_ranks))
    short <- Filter(function(m) !is.na(m$cutoff) && m$cutoff < max(lists$retrieved), measures)
    abort_unless(!length(short), c(
      "{.val {short[[1]]$name}} cuts lists of {max(lists$retrieved)} results.",
      x = "They have neither ranks nor scores to cut them by."
    ), "needs_ranks", measures = as.character(short))
  }
  if (inherits(x, "judicious_collection")) {
    check_subtopics(measures, lists$judgments$details)
    deeper <- Filter(function(m) !is.na(m$cutoff) && m$cutoff > x$k, measures)
    abort_unless(!length(deeper), c(
      "{.val {deeper[[1]]$name}} needs more results than the collection has, which is the top {x$k}.",
      i = "If the runs have more, make the collection with a larger {.arg k}, or call {.fn evaluate} with the runs."
    ), "cutoff", measures = as.character(deeper))
  }
}

is_binary <- function(m) !is.null(m$args$rel) && identical(m$args$gain %||% "binary", "binary")

# Reports, by `report`, a measure for which all gains of the scale are relevant, or none: on a scale from 1 to 5, "RR"
# is 1 for every list.
note_equal_relevance <- function(x, measures, report) {
  levels <- x$scale$levels
  equal <- Filter(function(m) is_binary(m) && length(unique(levels >= m$args$rel)) == 1, unclass(measures))
  if (!length(equal)) return(invisible())
  m <- equal[[1]]
  share <- if (levels[1] >= m$args$rel) "Every" else "No"
  m$args$rel <- levels[ceiling(0.7 * length(levels))]
  report(c(
    "{share} gain of the scale, from {levels[1]} to {max(levels)}, is relevant for {.val {m$name}}.",
    i = "State the lowest relevant gain, as in {.val {build_measure(m$base, m$args, m$cutoff)$name}}."
  ), "measure", measure = m$name)
}

# AG@k is a sum of gains divided by k, and its mean over queries divides by their number, too.
gain_divisor <- function(x) x$k * n_queries(x)

# Scores that differ by at most this are equal up to rounding error.
gain_resolution <- function(x) 1e-12 * if (is.null(x$scoring$measure)) max(abs(x$scale$levels)) else x$scoring$span

# The increase of a system's mean score by a gain of 1 of each result.
result_weight <- function(x) x$scoring$weight %||% rep(1 / gain_divisor(x), n_results(x))

system_totals <- function(x, value) system_totals_cpp(x$results, n_systems(x), value)

# Unchecked constructor. Systems are scored by the mean gain at `k`, until with_measure() sets another measure.
new_collection <- function(systems, queries, documents, pool, results, k, scale,
                           gain = rep(NA_real_, length(pool$query))) {
  x <- structure(list(
    systems = systems, queries = queries, documents = documents, pool = pool, results = results, gain = gain, k = k,
    scale = scale
  ), class = "judicious_collection")
  x$scoring <- new_scoring(x)
  x
}
