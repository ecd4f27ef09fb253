# Expectation and variance of measures when unjudged documents have random, independent gains.

expected_values <- function(lists, truth, measures, policy, gains, draws, call) {
  if (any(is_custom(measures)) || policy$ties == "expected") {
    abort_judicious(c("{.code unjudged = \"expected\"} is not defined for custom measures.",
                      i = "Nor does it go together with {.code ties = \"expected\"}."),
                    "argument", argument = "unjudged", call = call)
  }
  open <- open_pairs(truth, gains, call)
  row <- item_rows(lists, open, call)
  linear <- vapply(measures, function(m) m$kind %in% linear_kinds && !identical(m$args$max, "query"), TRUE)
  value <- variance <- matrix(NA_real_, length(measures), length(lists$query))
  for (m in which(linear)) {
    moments <- linear_moments(measures[[m]], lists, open, row)
    value[m, ] <- moments$mean
    variance[m, ] <- moments$variance
  }
  if (any(!linear)) {
    moments <- with_seed(policy$seed, sampled_moments(measures[!linear], lists, truth, open, row, draws))
    value[!linear, ] <- moments$mean
    variance[!linear, ] <- moments$variance
  }
  list(value = value, variance = variance)
}

# The pairs that `gains` knows and no judgment does: `query`, `doc`, `prob` and the gains it is for.
open_pairs <- function(truth, gains, call) {
  query <- match(gains$query, truth$query_ids)
  keep <- !is.na(query) & is.na(locate_judgments(query, gains$doc, truth))
  prob <- gains$prob[keep, , drop = FALSE]
  if (anyNA(prob)) {
    n <- sum(is.na(rowSums(prob)))
    abort_judicious("{.arg gains} has {format_count(n)} {cli::qty(n)}pair{?s} without a distribution.",
                    "missing_features", argument = "gains", call = call)
  }
  list(query = query[keep], doc = gains$doc[keep], prob = prob, mean = gains$mean[keep],
       variance = gains$variance[keep], gain = gains$scale$model_levels)
}

# For each item that is not judged its row among the open pairs, else NA.
item_rows <- function(lists, open, call) {
  query <- rep(lists$query, diff(lists$offset))
  ids <- unique(open$doc)
  row <- match_pairs_cpp(open$query, match(open$doc, ids), query, match(lists$items$doc, ids, nomatch = 0L))
  row[lists$items$known] <- NA
  lacking <- which(!lists$items$known & is.na(row))
  if (length(lacking)) {
    i <- lacking[1]
    at <- list(query = lists$query_ids[query[i]], doc = lists$items$doc[i], rank = lists$items$rank[i])
    n <- length(lacking)
    abort_judicious(c(
      "{.arg gains} has no distribution for {format_count(n)} unjudged {cli::qty(n)}result{?s}.",
      x = "The first is query {.val {at$query}}, document {.val {at$doc}}, at rank {at$rank}.",
      i = "{.arg depth} cuts the lists to what the gains are for."
    ), "missing_gain", argument = "gains", n = n, call = call)
  }
  row
}

# A pseudo-level for each open pair, whose gain is the moment of the function of its gain.
linear_moments <- function(m, lists, open, row) {
  core <- core_measures(new_measures(list(m)), lists$levels)[[1]]
  levels <- sort(unique(c(lists$levels, open$gain)))
  of <- core_measures(new_measures(list(m)), levels)[[1]]
  values <- (if (m$kind == "p") of$relevant else of$gain)[match(open$gain, levels)]
  known <- if (m$kind == "p") core$relevant else core$gain
  mean <- as.vector(open$prob %*% values)
  variance <- rowSums(open$prob * outer(-mean, values, `+`)^2)
  if (m$kind %in% graded_kinds && identical(m$args$gain, "linear") && is.null(m$args$rel)) {
    # The gains' own moments, which a scale with more levels than the model's knows better.
    mean <- open$mean
    variance <- open$variance
  }
  if (m$kind == "p") core$kind <- "ag"
  core$relevant <- integer(length(known) + length(mean))
  items <- lists$items
  items$level <- ifelse(is.na(row), items$level, length(known) + row)
  run <- function(core, gain) {
    core$gain <- gain
    options <- list(unjudged = "zero", ties = "trec_eval", seed = 0)
    as.vector(evaluate_lists_cpp(lists, items, lists$judged, list(core), options))
  }
  n <- if (is.na(m$cutoff)) lists$retrieved else m$cutoff
  squared <- core
  squared_scale <- switch(core$kind, ag = 1 / n, 1)
  if (core$kind == "dcg") {
    squared$discount_table <- rank_weights(m, max(lists$items$rank, 1))^2
  } else if (core$kind == "rbp") {
    p <- m$args$p
    squared$parameter[1] <- p^2
    squared_scale <- (1 - p)^2 / (1 - p^2)
  }
  list(mean = run(core, c(known, mean)), variance = run(squared, c(numeric(length(known)), variance)) * squared_scale)
}

# The weights of ranks 1 to n under a measure's discount.
rank_weights <- function(m, n) {
  rank <- seq_len(n)
  discount <- m$args$discount
  if (is.function(discount)) return(c(discount_table(discount, m$cutoff), numeric(n))[rank])
  if (discount == "log2") 1 / log2(1 + rank) else ifelse(rank < m$args$b, 1, 1 / log(rank, base = m$args$b))
}

# Means over random sets of gains, drawn from R's generator.
sampled_moments <- function(measures, lists, truth, open, row, draws) {
  levels <- sort(unique(c(lists$levels, open$gain)))
  open_level <- match(open$gain, levels)
  items <- lists$items
  known_level <- c(0L, match(lists$levels, levels))[items$level + 1]
  judged <- lapply(lists$judged, function(level) match(lists$levels[level], levels))
  core <- core_measures(measures, levels)
  cumulated <- t(apply(open$prob, 1, cumsum))
  by_query <- factor(open$query, seq_along(truth$query_ids))
  options <- list(unjudged = "zero", ties = "trec_eval", seed = 0)
  sum <- sum_squares <- 0
  for (i in seq_len(draws)) {
    drawn <- open_level[pmin(rowSums(stats::runif(nrow(open$prob)) > cumulated) + 1L, length(open_level))]
    items$level <- ifelse(is.na(row), known_level, drawn[row])
    known <- Map(function(a, b) sort(c(a, b), decreasing = TRUE), judged, split(drawn, by_query))
    value <- evaluate_lists_cpp(lists, items, unname(known), core, options)
    value[is.nan(value)] <- 0
    sum <- sum + value
    sum_squares <- sum_squares + value^2
  }
  mean <- sum / draws
  list(mean = mean, variance = pmax(sum_squares / draws - mean^2, 0) * draws / (draws - 1))
}
