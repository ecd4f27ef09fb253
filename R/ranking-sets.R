# What is known of the order of the systems: systems that cannot differ, rank sets that hold together, and the groups of
# systems that they separate.

# The number of draws of the scores on which ranks are based, and their seed: all that is said of a ranking is said from
# the same draws.
rank_draws <- 1000
rank_seed <- 1

# For each system, the first system that cannot differ from it: their difference has no variance, because their lists
# are the same or all that distinguishes them is judged, and their estimates are equal.
identical_systems <- function(ranking) UseMethod("identical_systems")

#' @export
identical_systems.judicious_ranking <- function(ranking) {
  same <- ranking$difference_variance == 0 &
    abs(outer(unname(ranking$mean), unname(ranking$mean), `-`)) <= gain_resolution(ranking$collection)
  max.col(same | diag(TRUE, length(ranking$mean)), ties.method = "first")
}

# The lists of too many systems are not compared.
#' @export
identical_systems.judicious_ranking_by_rows <- function(ranking) seq_along(ranking$mean)

# Joint draws of the systems' scores, systems by draws. Identical systems have the same scores in every draw.
score_draws <- function(ranking, draws = rank_draws, seed = rank_seed) {
  first_identical <- identical_systems(ranking)
  if (!is.null(ranking$draws)) return(ranking$draws[first_identical, , drop = FALSE])
  own <- unique(first_identical)
  drawn <- draw_normal_scores_cpp(ranking$mean[own], ranking$covariance[own, own, drop = FALSE], draws, seed)
  drawn[match(first_identical, own), , drop = FALSE]
}

# The probabilities of ranks and the rank sets, in the order of the collection; NULL for more systems than have a
# covariance matrix.
rank_sets <- function(ranking, level = ranking$level, scores = score_draws(ranking)) {
  rank_sets_cpp(scores, gain_resolution(ranking$collection), level)
}

has_rank_sets <- function(ranking) !inherits(ranking, "judicious_ranking_by_rows")

# The systems by their positions, best first.
systems_best_first <- function(ranking) {
  ranks <- ranks_of(unname(ranking$mean), gain_resolution(ranking$collection))
  order(ranks, seq_along(ranks))
}

# The numbers of systems in the groups that the rank sets separate, best first: every system of a group has its rank set
# above those of the next groups. `data`: as.data.frame(ranking).
separated_groups <- function(data) {
  n <- nrow(data)
  after <- seq_len(n - 1)
  lowest_above <- cummax(data$rank_upper)[after]
  highest_below <- rev(cummin(rev(data$rank_lower)))[-1]
  diff(c(0, which(lowest_above <= after & highest_below > after), n))
}

# The names of identical systems, joined: "A = B = C".
joined_names <- function(names, most = 4) {
  if (length(names) > most) return(sprintf("%s and %d more", paste(names[seq_len(most - 1)], collapse = " = "),
                                           length(names) - most + 1L))
  paste(names, collapse = " = ")
}

# as.data.frame(ranking) with one row for identical systems. The column `members` has the number of systems in it.
merged_systems <- function(ranking) {
  systems <- as.data.frame(ranking)
  first <- identical_systems(ranking)[match(systems$system, names(ranking$mean))]
  own <- !duplicated(first)
  join <- function(ids) vapply(unname(split(ids, factor(first, first[own]))), function(id) joined_names(unique(id)), "")
  merged <- systems[own, , drop = FALSE]
  merged$system <- join(systems$system)
  if (!is.null(systems$team)) merged$team <- join(systems$team)
  merged$members <- tabulate(match(first, first[own]), nrow(merged))
  rownames(merged) <- NULL
  merged
}

# What is known of the order, in one sentence.
ranking_statement <- function(ranking) {
  n <- length(ranking$mean)
  if (n < 2 || !has_rank_sets(ranking)) return(NULL)
  rows <- as.data.frame(ranking)
  level <- if (any(ranking$difference_variance > 0)) sprintf(" (%s)", sub("^0", "", format(ranking$level))) else ""
  paste0(separation_text(rows, separated_groups(rows), identical_systems(ranking)[systems_best_first(ranking)]), level)
}

# `of`: the groups of identical systems, best first.
separation_text <- function(data, size, of) {
  n <- nrow(data)
  first <- seq_len(size[1])
  alike <- length(unique(of[first])) == 1
  leaders <- if (alike) joined_names(data$system[first])
  if (length(size) == 1) {
    if (alike) return("All systems are equal")
    may_be_best <- sum(data$rank_lower == 1)
    return(sprintf("No group of systems is above all others yet: %s may be the best",
                   if (may_be_best < n) paste(may_be_best, "of", n) else paste("each of", n)))
  }
  lead <- if (size[1] == 1) {
    paste(leaders, "is best")
  } else {
    sprintf("%s share ranks 1 to %d, above all others", leaders %||% counted(size[1], "system"), size[1])
  }
  paste0(lead, lower_groups_text(size, of))
}

lower_groups_text <- function(size, of, most = 3) {
  last <- cumsum(size)
  from <- last[-length(last)] + 1
  to <- last[-1]
  if (length(size) == 2) return("")
  # Every group below is one system, or identical ones.
  if (length(unique(of[-seq_len(size[1])])) == length(size) - 1) return("; the order of the others is known")
  span <- ifelse(from == to, paste("rank", from), paste("ranks", from, "to", to))
  if (length(span) > most) {
    span <- c(span[seq_len(most - 1)], sprintf("%d more groups", length(span) - most + 1L))
  }
  paste0("; below, separated from each other: ", paste(span, collapse = ", "))
}

# Ranks: 1 plus the number of systems that are better by more than rounding error.
ranks_of <- function(estimate, resolution) 1L + length(estimate) - findInterval(estimate + resolution, sort(estimate))
