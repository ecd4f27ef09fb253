# Expectation and variance of measures when unjudged documents have random, independent gains.

expected_values <- function(lists, truth, measures, policy, gains, draws, call) {
  check_that(!any(is_custom(measures)) && policy$ties != "expected", "unjudged", c(
    "{.code unjudged = \"expected\"} is not defined for custom measures.",
    i = "It cannot be combined with {.code ties = \"expected\"} either."), call = call)
  refuse_judged_only(measures, "{.code unjudged = \"expected\"}", call)
  unjudged <- open_pairs(truth, gains, call)
  item_row <- item_rows(lists, unjudged, call)
  linear <- vapply(measures, `[[`, TRUE, "linear")
  found <- list(value = matrix(NA_real_, length(measures), length(lists$query)))
  found$variance <- found$value
  fill <- function(rows, moments) for (part in names(found)) found[[part]][rows, ] <<- moments[[part]]
  for (m in which(linear)) fill(m, linear_moments(measures[[m]], lists, unjudged, item_row))
  if (any(!linear)) fill(!linear, with_seed(
    policy$seed, sampled_moments(measures[!linear], lists, truth, unjudged, item_row, draws)))
  found
}

# The unjudged pairs for which `gains` has a distribution: `query`, `doc`, `prob`, moments, and the levels.
open_pairs <- function(truth, gains, call) {
  query <- match(gains$query, truth$query_ids)
  keep <- !is.na(query) & is.na(locate_judgments(query, gains$doc, truth))
  prob <- gains$prob[keep, , drop = FALSE]
  n <- sum(is.na(rowSums(prob)))
  abort_unless(!anyNA(prob), "{.arg gains} has {format_count(n)} {cli::qty(n)}pair{?s} without a distribution.",
               "missing_features", argument = "gains", call = call)
  list(query = query[keep], doc = gains$doc[keep], prob = prob, mean = gains$mean[keep],
       variance = gains$variance[keep], gain = gains$scale$model_levels)
}

# For each unjudged item, its row among the open pairs, otherwise NA.
item_rows <- function(lists, open, call) {
  query <- rep(lists$query, diff(lists$offset))
  ids <- unique(open$doc)
  open_row <- match_pairs_cpp(open$query, match(open$doc, ids), query, match(lists$items$doc, ids, nomatch = 0L))
  open_row[lists$items$known] <- NA
  lacking <- which(!lists$items$known & is.na(open_row))
  i <- lacking[1]
  n <- length(lacking)
  abort_unless(!n, c(
    "{.arg gains} has no distribution for {format_count(n)} unjudged {cli::qty(n)}result{?s}.",
    x = "The first is query {.val {lists$query_ids[query[i]]}}, document {.val {lists$items$doc[i]}}, at rank
      {lists$items$rank[i]}.",
    i = "{.arg depth} cuts the lists to what the gains are for."
  ), "missing_gain", argument = "gains", n = n, call = call)
  open_row
}

# Moments of linear measures, from the moments of the transformed gains.
linear_moments <- function(m, lists, open, row) {
  gains <- sort(unique(c(lists$levels, open$gain)))
  worth <- measure_worth(m, gains)
  drawn <- worth[match(open$gain, gains)]
  expected <- as.vector(open$prob %*% drawn)
  variance <- rowSums(open$prob * outer(-expected, drawn, `+`)^2)
  if (identical(worth, as.numeric(gains))) {
    # Use the moments of the gains themselves, which are more accurate if the scale has more levels than the model.
    expected <- open$mean
    variance <- open$variance
  }
  known <- c(0, worth[match(lists$levels, gains)])[lists$items$level + 1]
  weight <- rank_weights(m, gains, lists$items$rank, rep(lists$retrieved, diff(lists$offset)))
  list_of <- factor(rep(seq_along(lists$query), diff(lists$offset)), seq_along(lists$query))
  total <- function(value) as.vector(tapply(value, list_of, sum, default = 0))
  list(value = total(weight * ifelse(is.na(row), known, expected[row])),
       variance = total(weight^2 * ifelse(is.na(row), 0, variance[row])))
}

# Moments over random sets of gains, drawn from R's random number generator.
sampled_moments <- function(measures, lists, truth, open, row, draws) {
  gain_levels <- sort(unique(c(lists$levels, open$gain)))
  open_level <- match(open$gain, gain_levels)
  items <- lists$items
  known_level <- c(0L, match(lists$levels, gain_levels))[items$level + 1]
  judged <- lapply(judged_levels(lists), function(level) match(lists$levels[level], gain_levels))
  core <- core_measures(measures, gain_levels)
  # A product, which also has one row per pair if there is none.
  cumulated <- open$prob %*% upper.tri(diag(ncol(open$prob)), diag = TRUE)
  by_query <- factor(open$query, seq_along(truth$query_ids))
  total <- sum_squares <- 0
  for (i in seq_len(draws)) {
    drawn <- open_level[pmin(rowSums(stats::runif(nrow(open$prob)) > cumulated) + 1L, length(open_level))]
    items$level <- ifelse(is.na(row), known_level, drawn[row])
    known <- Map(function(a, b) sort(c(a, b), decreasing = TRUE), judged, split(drawn, by_query))
    value <- evaluate_lists_cpp(lists, items, unname(known), core, plain_policy)
    value[is.nan(value)] <- 0
    total <- total + value
    sum_squares <- sum_squares + value^2
  }
  list(value = total / draws, variance = pmax(sum_squares / draws - (total / draws)^2, 0) * draws / (draws - 1))
}

# Values of all measures for runs in memory: a list of `system`, `query` (ids), `value`, a matrix of measures by lists,
# and matrices `upper` or `variance` of the same shape if the policy requires them.
list_values <- function(x, truth, measures, policy, gains, draws, call = caller_env()) {
  if (policy$unjudged == "expected") check_count(draws, "draws", min = 2, call = call)
  lists <- ranked_lists(x, truth, policy, all_rows = policy$unjudged == "expected", call = call)
  note_unknown_queries(length(lists$unknown), lists$unknown, lists$query_ids[-lists$query])
  check_rank_need(x, lists, measures, call)
  if (policy$unjudged == "condensed" && any(is_custom(measures))) lists <- condense_lists(lists)
  full <- if (policy$unjudged == "expected") {
    expected_values(lists, truth, measures, policy, gains, draws, call)
  } else {
    bounds <- policy$unjudged == "bounds"
    check_that(!bounds || !any(is_custom(measures)), "unjudged",
               "{.code unjudged = \"bounds\"} is not defined for custom measures.", call = call)
    c(list(value = kernel_values(lists, measures, policy, call)),
      if (bounds) list(upper = kernel_values(lists, measures, policy, call, unjudged = "best")))
  }
  # The actual order of the results: runs without scores have no ties of scores.
  ties <- switch(lists$policy, score = policy$ties, rank = "rank", unranked = "none, unranked")
  c(complete_grid(lists, full, measures, policy, call), list(ties = ties, left_out = length(lists$unknown)))
}
