# Statements about the order of systems: systems that cannot differ, rank sets that hold for all systems at the same
# time, and the groups of systems that the rank sets separate.

# The number of draws of the scores on which ranks are based, and their seed: all statements about a ranking use the
# same draws.
rank_draws <- 1000
rank_seed <- 1

# For each system, the first system that cannot differ from it: their difference has no variance, because their lists
# are the same, or every document that distinguishes them is judged and their estimates are equal.
identical_systems <- function(ranking) UseMethod("identical_systems")

#' @export
identical_systems.judicious_ranking <- function(ranking) {
  same <- ranking$difference_variance == 0 &
    abs(outer(unname(ranking$mean), unname(ranking$mean), `-`)) <= gain_resolution(ranking$collection)
  max.col(same | diag(TRUE, length(ranking$mean)), ties.method = "first")
}

# Joint draws of the systems' scores, systems by draws. Identical systems have the same scores in every draw. Normal
# draws treat the estimated variances as exact. With `freedom`, all deviations of a draw from the means are multiplied
# by the square root of freedom / chi-squared, as in a multivariate t distribution. The chi-squared values are evenly
# spaced quantiles, which add no noise; their order is such that the first few draws cover the whole distribution.
#
# Draws stay within the range of the measure: see limit_to_range(). If means and variances have changed since the draws
# were made, the draws are transformed accordingly, and the ends of the range stay where they are.
score_draws <- function(ranking, draws = rank_draws, seed = rank_seed, freedom = Inf) {
  first_identical <- identical_systems(ranking)
  distinct <- unique(first_identical)
  centre <- ranking$mean[distinct]
  drawn <- ranking$draws[distinct, , drop = FALSE] %||%
    draw_normal_scores_cpp(centre, ranking$covariance[distinct, distinct, drop = FALSE], draws, seed)
  n <- ncol(drawn)
  probabilities <- (seq_len(n) * (sqrt(5) - 1) / 2) %% 1
  stretch <- rep(if (is.finite(freedom)) sqrt(freedom / stats::qchisq(probabilities, freedom)) else rep(1, n),
                 each = length(distinct))
  drawn <- if (is.null(ranking$draws)) {
    centre + stretch * (drawn - centre)
  } else {
    ends <- range(ranking$collection$scoring$measure$range, 0)
    variance <- diag(ranking$covariance)[distinct]
    centre <- pmin(pmax(centre, ends[1]), ends[2])
    centre_before <- ranking$drawn_at$mean[distinct] %||% centre
    deviation <- drawn - centre_before
    sd_ratio <- sqrt(safe_ratio(variance, ranking$drawn_at$variance[distinct] %||% variance))
    room_ratio <- ifelse(deviation > 0, safe_ratio(ends[2] - centre, ends[2] - centre_before),
                         safe_ratio(centre - ends[1], centre_before - ends[1]))
    scaling <- stretch * sd_ratio
    centre + limit_to_range(scaling * deviation, room_ratio * deviation, scaling / room_ratio, centre, ends)
  }
  drawn[match(first_identical, distinct), , drop = FALSE]
}

# Keeps draws in the range of the measure, whose `ends` include 0, the value of a query for which it is undefined.
# `deviation`: that of each draw from the `centre` of its system; `spread`: the same, multiplied. If a system's spread
# draws leave the range on one side, those that were at the end of the range stay there, and the others are spread less
# the nearer they are to it, starting from the factor `stretch` at the centre. Systems that tie at the best value in
# many draws thus still tie; if draws exceeded the range, the system whose score is least certain would win.
limit_to_range <- function(spread, deviation, stretch, centre, ends) {
  for (side in c(-1, 1)) {
    distance <- side * (ends[if (side > 0) 2 else 1] - centre)
    share <- pmin(pmax(side * deviation, 0) / pmax(distance, .Machine$double.xmin), 1)
    share[share > 1 - 1e-9] <- 1
    leaves <- apply(side * spread, 1, max) > distance | apply(share, 1, max) == 1
    kept <- which(leaves & side * deviation >= 0 | side * spread > distance)
    spread[kept] <- (side * distance * (1 - (1 - share)^stretch))[kept]
  }
  spread
}

# The rank sets, in the order of the collection, and the probabilities of ranks over the same draws. The probability
# that all ranks are in their sets at the same time depends on the tails of many differences. These are heavier than
# normal tails, because the variances are estimated; bench/rank-sets.R chose the degrees of freedom.
rank_set_freedom <- 10

rank_sets <- function(ranking, level = ranking$level, scores = score_draws(ranking, freedom = rank_set_freedom)) {
  rank_sets_cpp(scores, gain_resolution(ranking$collection), level)
}

has_rank_sets <- function(ranking) !inherits(ranking, "judicious_ranking_by_rows")

# The indices of the systems, best first.
systems_best_first <- function(ranking) {
  ranks <- ranks_of(unname(ranking$mean), gain_resolution(ranking$collection))
  order(ranks, seq_along(ranks))
}

# The sizes of the groups that the rank sets separate, best group first: the rank sets of all systems of a group are
# above those of the next groups. `data`: as.data.frame(ranking).
separated_groups <- function(data) {
  n <- nrow(data)
  after <- seq_len(n - 1)
  lowest_above <- cummax(data$rank_upper)[after]
  highest_below <- rev(cummin(rev(data$rank_lower)))[-1]
  diff(c(0, which(lowest_above <= after & highest_below > after), n))
}

# Two numbers a and b such that, with a probability of at least `level`, each of the first a systems is better than each
# of the last b. Of all such numbers, those with the largest product, the number of ordered pairs; c(0, 0) if there are
# none. `scores`: joint draws, best system first.
separated_ends <- function(scores, level) {
  n <- nrow(scores)
  lowest_of_first <- apply(scores, 2, cummin)
  highest_of_last <- apply(scores[n:1, , drop = FALSE], 2, cummax)
  ends <- c(0, 0)
  last <- n - 1
  for (first in seq_len(n - 1)) {
    last <- min(last, n - first)
    while (last > 0 && mean(lowest_of_first[first, ] > highest_of_last[last, ]) < level) last <- last - 1
    if (first * last > prod(ends)) ends <- c(first, last)
  }
  ends
}

# The names of identical systems, joined: "A = B = C".
joined_names <- function(names, limit = 4) {
  if (length(names) > limit) return(sprintf("%s and %d more", paste(names[seq_len(limit - 1)], collapse = " = "),
                                           length(names) - limit + 1L))
  paste(names, collapse = " = ")
}

# as.data.frame(ranking) with one row for each set of identical systems; the column `members` has their number.
merged_systems <- function(ranking) {
  systems <- as.data.frame(ranking)
  first <- identical_systems(ranking)[match(systems$system, names(ranking$mean))]
  is_distinct <- !duplicated(first)
  join <- function(ids) vapply(unname(split(ids, factor(first, first[is_distinct]))),
                               function(id) joined_names(unique(id)), "")
  merged <- systems[is_distinct, , drop = FALSE]
  merged$system <- join(systems$system)
  if (!is.null(systems$team)) merged$team <- join(systems$team)
  merged$members <- tabulate(match(first, first[is_distinct]), nrow(merged))
  without_row_names(merged)
}

# The indices of the systems, best first; of identical systems, only the first.
distinct_best_first <- function(ranking) {
  best_first <- systems_best_first(ranking)
  best_first[!duplicated(identical_systems(ranking)[best_first])]
}

# The sizes of the groups to state; NULL if no groups are separated, or if the separation of the first from the last
# systems (`ends`) orders more pairs. A first system above all others is a group even if rank sets separate no groups.
stated_groups <- function(size, ends) {
  n <- sum(size)
  if (length(size) == 1 && ends[1] == 1 && sum(ends) == n) size <- ends
  if (length(size) > 1 && (n^2 - sum(size^2)) / 2 >= prod(ends)) size
}

# States how many of the first systems are above how many of the last.
ends_text <- function(ends) {
  sprintf("The first %s above the last%s",
          if (ends[1] == 1) "system is" else paste(counted(ends[1], "system"), "are"),
          if (ends[2] == 1) "" else paste0(" ", ends[2]))
}

# The smallest set of systems that contains the best one with a probability of `level`: the positions of those with the
# highest P(best). It contains all systems of a set of identical ones, or none. `first`: for each system, the first that
# is identical to it.
best_set <- function(scores, resolution, level, first = seq_len(nrow(scores))) {
  is_best <- scores >= rep(apply(scores, 2, max) - resolution, each = nrow(scores))
  distinct <- unique(first)
  distinct <- distinct[order(-rowMeans(is_best[distinct, , drop = FALSE]))]
  needed <- max.col(t(is_best[distinct, , drop = FALSE]), ties.method = "first")
  which(first %in% distinct[seq_len(stats::quantile(needed, level, type = 1))])
}

# The set of the systems of a ranking, by their places from the best one.
best_systems <- function(ranking) {
  best_first <- systems_best_first(ranking)
  identical_first <- identical_systems(ranking)[best_first]
  best_set(score_draws(ranking)[best_first, , drop = FALSE], gain_resolution(ranking$collection), ranking$level,
           match(identical_first, identical_first))
}

# Names the systems that may be the best or, if these are fewer, those that cannot be the best. The latter are named
# only if the order of some systems `is_certain`, because otherwise chance decides which systems these are.
best_set_text <- function(names, set, level, max_names = 8, is_certain = TRUE) {
  if (length(set) == length(names)) return(sprintf("any of the %d systems may be the best%s", length(names), level))
  named <- function(names) {
    n_more <- length(names) - max_names
    paste0(paste(utils::head(names, max_names), collapse = ", "), if (n_more > 0) paste(" and", n_more, "more"))
  }
  if (length(set) == 1) return(paste0("the best is ", names[set], level))
  sprintf("the best is one of %d of %d systems%s%s", length(set), length(names), level,
          if (2 * length(set) <= length(names)) paste0(": ", named(names[set]))
          else if (is_certain) paste(", not", named(names[-set])) else "")
}

# A sentence on the groups. `group_of`: for each system, best first, the set of identical systems to which it belongs.
separation_text <- function(data, size, group_of) {
  first <- seq_len(size[1])
  are_identical <- length(unique(group_of[first])) == 1
  leaders <- if (are_identical) joined_names(data$system[first])
  lead <- if (size[1] == 1) {
    paste(leaders, "is best")
  } else {
    sprintf("%s share ranks 1 to %d, above %s", leaders %||% counted(size[1], "system"), size[1],
            if (sum(size[-1]) == 1) "the last" else "all others")
  }
  paste0(lead, lower_groups_text(size, group_of))
}

lower_groups_text <- function(size, group_of, limit = 3) {
  last <- cumsum(size)
  from <- last[-length(last)] + 1
  to <- last[-1]
  if (length(size) == 2) return("")
  # Checks whether each of the other groups consists of one system, or of identical ones.
  others <- group_of[-seq_len(size[1])]
  if (length(unique(others)) == length(size) - 1) {
    tied <- sum(choose(tabulate(others), 2))
    return(paste0("; the order of the others is known", if (tied) paste(" but for", counted(tied, "tied pair"))))
  }
  span <- ifelse(from == to, paste("rank", from), paste("ranks", from, "to", to))
  if (length(span) > limit) span <- c(span[seq_len(limit - 1)], sprintf("%d more groups", length(span) - limit + 1L))
  paste0("; below, separated from each other: ", paste(span, collapse = ", "))
}

# The rank of a system is 1 plus the number of systems that are better by more than rounding error.
ranks_of <- function(estimate, resolution) 1L + length(estimate) - findInterval(estimate + resolution, sort(estimate))
