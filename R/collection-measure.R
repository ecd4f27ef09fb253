# A collection whose systems are scored by a measure other than the mean gain at its cutoff.

# Returns the collection scored by `measure`. NULL does not change it.
in_measure <- function(x, measure, call = caller_env()) {
  if (is.null(measure)) return(x)
  m <- measures_of(measure, "measure", call)
  check_that(length(m) == 1, "measure", "must be one measure, not {length(m)}.", kind = "measure", call = call)
  refuse_judged_only(m, "A ranking of systems whose judgments are not complete", call)
  m <- m[[1]]
  check_that(m$direction == "higher", "measure", "Systems cannot be ranked by {.val {m$name}}: a higher value of it is
    not better.", kind = "measure", call = call)
  check_rank_need(x, list(ranked = !is.null(x$results$rank), retrieved = list_lengths(x)), list(m), call)
  if (!m$linear) return(set_measure(x, m))
  gain_levels <- x$scale$levels
  worth <- measure_worth(m, gain_levels)
  weight <- over_queries(x, rank_weights(m, gain_levels, result_position(x), list_lengths(x)[result_list(x)]))
  check_that(all(is.finite(worth)) && diff(range(worth)) != 0 && !anyNA(weight), "measure",
             "{.val {m$name}} is the same for all gains of the scale {format(x$scale)}.", kind = "measure", call = call)
  set_measure(x, m, weight, if (!identical(worth, as.numeric(gain_levels))) m)
}

# Sets what systems are scored by: a measure, or NULL for the mean gain. If scores are sums, `weight` is the weight of
# each result; if the measure uses a function of the gain, `worth` is the measure that defines it.
set_measure <- function(x, measure, weight = NULL, worth = NULL) {
  gain_scale <- x$scale
  gain_scale["worth"] <- list(worth)
  y <- new_collection(x$systems, x$queries, x$documents, x$pool, x$results, x$k, gain_scale, x$gain, measure, weight)
  y$span <- score_span(y)
  with_further_parts(y, x)
}

collection_measure <- function(x) x$measure %||% measure("AG", x$k)

worth_of <- function(scale, gain) {
  if (is.null(scale$worth)) return(gain)
  gain_levels <- sort(unique(c(scale$levels, gain[!is.na(gain)])))
  measure_worth(scale$worth, gain_levels)[match(gain, gain_levels)]
}

# Lowest and highest gain, transformed as the measure does.
worth_range <- function(scale) range(worth_of(scale, scale$levels))

# Gains, transformed as the measure does and rescaled to 0 (lowest) to 1 (highest).
unit_gain <- function(scale, gain) {
  ends <- worth_range(scale)
  (worth_of(scale, gain) - ends[1]) / diff(ends)
}

# The list of each result. Lists are numbered by system, and within systems by query.
result_list <- function(x) {
  count_lists(x)
  x$pool$query[result_pair(x)] + n_queries(x) * (x$results$system - 1L)
}

# The number of lists, one for each system and query, which must fit in an integer.
count_lists <- function(x, call = caller_env()) {
  n <- as.numeric(n_queries(x)) * n_systems(x)
  abort_unless(n <= .Machine$integer.max, c(
    "{format_count(n_systems(x))} systems and {format_count(n_queries(x))} queries make {format_count(n)} lists, more
      than the {format_count(.Machine$integer.max)} that can be numbered.",
    i = "Take fewer systems or queries at a time."
  ), "size", systems = n_systems(x), queries = n_queries(x), call = call)
  as.integer(n)
}

list_lengths <- function(x) tabulate(result_list(x), count_lists(x))

# The position of each result in its list; without ranks, in arbitrary order.
result_position <- function(x) {
  list_code <- result_list(x)
  number_in_lists(list_code, if (is.null(x$results$rank)) order(list_code) else order(list_code, x$results$rank))
}

# Numbers the results of each list, which `sorted` puts one list after the other.
number_in_lists <- function(list_code, sorted) {
  replace(integer(length(list_code)), sorted, sequence(rle(list_code[sorted])$lengths))
}

# Label of the measure in print, such as "mean AG@5".
measure_label <- function(x) {
  m <- collection_measure(x)
  total <- c(mean = "mean", geometric = "geometric mean", sum = "total")[[m$total]]
  weighted <- is_weighted(x) && length(unique(x$queries$weight[counts_in_means(x)])) > 1
  paste0(if (weighted) "weighted ", total, " ", m$label, if (is.na(m$cutoff) && isTRUE(x$cut)) cut_suffix(m, x$k))
}

# What distinguishes a measure of whole lists from that of lists which are cut at `k`. It is the cutoff, such as that of
# "AP@10", unless there is no such measure or a cutoff would cut the ideal list as well.
cut_suffix <- function(m, k) {
  has_cutoff <- isTRUE(measure_registry[[m$base]]$cutoff) && !m$base %in% cut_with_ideal
  paste0(if (has_cutoff) "@" else " of the top ", format_number(k))
}

cut_with_ideal <- c("nDCG", "IDCG", "ADR", "infNDCG", "NERR8", "NERR9", "SDCG", "alpha_nDCG", "nERR_IA")

# Width of the range of the measure. If the measure does not define one, it extends from lists of the worst documents to
# lists of the best documents.
score_span <- function(x) {
  if (is.null(x$measure)) return(diff(range(x$scale$levels)))
  if (all(is.finite(x$measure$range))) return(diff(x$measure$range))
  if (is.null(x$weight)) return(diff(worth_range(x$scale)))
  # The weights within a list, not over the queries.
  max(rowsum(x$weight / over_queries(x, rep(1, n_results(x))), result_list(x))) * diff(worth_range(x$scale))
}

# Lowest and highest possible score, for these or other queries. A short list adds 0 for every missing document.
score_range <- function(x) {
  declared <- collection_measure(x)$range
  if (all(is.finite(declared)) || !is_sum(x)) return(declared)
  worth <- worth_range(x$scale)
  range(0, worth * x$span / diff(worth))
}

# Whether scores are sums over documents.
is_sum <- function(x) is.null(x$measure) || !is.null(x$weight)

check_rank_need <- function(x, lists, measures, call) {
  if (!lists$ranked) {
    need <- Filter(function(m) m$needs_ranks, measures)
    abort_unless(!length(need), c(
      "{.val {need[[1]]$name}} needs the order of the results, and the runs have neither ranks nor scores.",
      i = "Measures of sets, such as {.val AG@5} or {.val P@5}, do not need it."
    ), "needs_ranks", measures = as.character(need), call = call)
    short <- Filter(function(m) !is.na(m$cutoff) && m$cutoff < max(lists$retrieved), measures)
    abort_unless(!length(short), c(
      "{.val {short[[1]]$name}} cuts lists of {max(lists$retrieved)} results.",
      x = "They have neither ranks nor scores to cut them by."
    ), "needs_ranks", measures = as.character(short), call = call)
  }
  if (inherits(x, "judicious_collection")) {
    check_subtopics(measures, lists$judgments$details, call)
    deep <- Filter(function(m) !is.na(m$cutoff) && m$cutoff > x$k, measures)
    abort_unless(!length(deep), c(
      "{.val {deep[[1]]$name}} needs more results than the collection has, which is the top {x$k}.",
      i = "If the runs have more, evaluate them themselves, or make the collection with a larger {.arg k}."
    ), "cutoff", measures = as.character(deep), call = call)
  }
}

# AG@k divides by k, and its mean over queries by their number.
gain_divisor <- function(x) x$k * n_queries(x)

# Two scores whose difference is not larger than this are equal up to rounding error.
gain_resolution <- function(x) 1e-12 * if (is.null(x$measure)) max(abs(x$scale$levels)) else x$span

# What a gain of 1 of each result adds to its system's mean score.
result_weight <- function(x) x$weight %||% rep(1 / gain_divisor(x), n_results(x))

system_totals <- function(x, value) system_totals_cpp(x$results, n_systems(x), value)
