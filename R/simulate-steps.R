# The steps of simulate_collection(): documents, systems, the similarities that each system observes, lists and gains.

# The genre and the artist (numbers from 1) of each document. Genres are equally frequent, artists are not. Each artist
# belongs to one genre, if there are enough artists.
simulate_documents <- function(n, genres, artists, artist_size) {
  genre <- if (genres > 0) rep_len(seq_len(genres), n)
  artist <- NULL
  if (artists > 0) {
    share <- stats::rlnorm(artists, sdlog = artist_size)
    home <- if (genres > 0) rep_len(seq_len(genres), artists) else rep(1L, artists)
    artist <- integer(n)
    for (g in seq_len(max(genres, 1))) {
      of_genre <- if (genres > 0) which(genre == g) else seq_len(n)
      candidates <- which(home == g)
      if (!length(candidates)) candidates <- seq_len(artists)
      artist[of_genre] <- candidates[sample.int(length(candidates), length(of_genre), TRUE, share[candidates])]
    }
  }
  list(n = n, genre = genre, artist = artist, n_genres = genres, n_artists = artists)
}

# The team of each system, and the size of its errors, whose geometric mean is 1.
simulate_systems <- function(teams, systems, quality) {
  size <- if (length(systems) > 1) systems else 1 + tabulate(sample.int(teams, systems - teams, TRUE), teams)
  team <- rep(seq_len(teams), size)
  log_error <- stats::rnorm(teams, sd = quality[["team"]])[team] + stats::rnorm(length(team), sd = quality[["system"]])
  list(team = team, error = exp(log_error - mean(log_error)))
}

# The similarity of documents to a query as perceived by n observers: a documents x n matrix of sums of effects of
# genre, artist and document.
draw_views <- function(n, spread, genre, artist, n_docs) {
  view <- matrix(stats::rnorm(n_docs * n, sd = spread[["document"]]), n_docs)
  label_of <- Filter(Negate(is.null), list(genre = genre, artist = artist))
  for (level in names(label_of)) {
    groups <- unique(label_of[[level]])
    effect <- matrix(stats::rnorm(length(groups) * n, sd = spread[[level]]), length(groups))
    view <- view + effect[match(label_of[[level]], groups), , drop = FALSE]
  }
  view
}

# Draws one query: its candidate documents (`doc`), the part of their similarity that all systems observe (`visible`),
# the error of each system before scaling (`error`), and the value that determines the gain (`latent`).
draw_query <- function(world, query) {
  control <- world$control
  docs <- world$documents
  same_genre <- if (is.null(docs$genre)) 0 else as.numeric(docs$genre == world$query_genre[query])
  similar <- control$seen[["same_genre"]] * same_genre +
    drop(draw_views(1, control$seen, docs$genre, docs$artist, docs$n))
  visible <- similar + control$shared_error * drop(draw_views(1, control$error, docs$genre, docs$artist, docs$n))

  n <- min(docs$n, max(control$candidates, 10 * world$k))
  top <- order(visible, decreasing = TRUE)[seq_len(n)]
  views <- function(n_views, spread) draw_views(n_views, spread, docs$genre[top], docs$artist[top], n)
  team <- world$systems$team
  of_team <- views(max(team), control$error)[, team, drop = FALSE]
  of_system <- views(length(team), control$error)
  system_errors <- sqrt(control$team_share) * of_team + sqrt(1 - control$team_share) * of_system
  unseen <- stats::rnorm(1, sd = control$unseen[["query"]]) + drop(views(1, control$unseen)) +
    control$unseen[["same_genre"]] * (if (length(same_genre) > 1) same_genre[top] else 0)
  list(doc = top, visible = visible[top], latent = similar[top] + unseen,
       error = system_errors * rep(world$systems$error, each = n))
}

# The top k candidates of each system: a k x systems matrix of positions among the candidates of the query. Candidates
# with a lower score than k others of the most visible ones are left out before the rest is sorted.
top_candidates <- function(query, size, k) {
  score <- query$visible + size * query$error
  n <- nrow(score)
  visible <- score[seq_len(min(n, 80 + 4 * k)), , drop = FALSE]
  kth_score <- matrix(visible[order(col(visible), -visible, method = "radix")], nrow(visible))[k, ]
  above <- which(score >= rep(kth_score, each = n))
  system <- (above - 1L) %/% n
  above <- above[order(system, -score[above], method = "radix")]
  first <- match(seq_len(ncol(score)) - 1L, system)
  matrix(above[outer(seq_len(k) - 1L, first, `+`)] - rep((seq_along(first) - 1L) * n, each = k), k)
}

# The lists of all queries. Errors are scaled such that the systems overlap as requested; if `overlap` is NULL, they are
# not scaled. The scale is determined from at most 100 queries, so that only these have to be kept in memory.
simulate_lists <- function(world, n_queries, overlap) {
  k <- world$k
  answer <- function(query, size) {
    top <- top_candidates(query, size, k)
    list(doc = matrix(query$doc[top], k), latent = matrix(query$latent[top], k))
  }
  pilot <- seq_len(min(n_queries, 100))
  drawn <- lapply(pilot, function(q) draw_query(world, q))
  size <- error_scale(drawn, k, overlap)
  c(lapply(drawn, answer, size), lapply(seq_len(n_queries)[-pilot], function(q) answer(draw_query(world, q), size)))
}

error_scale <- function(drawn, k, overlap) {
  if (is.null(overlap)) return(1)
  results <- k * ncol(drawn[[1]]$error) * length(drawn)
  excess <- function(log_size) {
    pairs <- vapply(drawn, function(query) length(unique(as.vector(top_candidates(query, exp(log_size), k)))), 0L)
    1 - sum(pairs) / results - overlap
  }
  # Larger errors reduce the overlap. If the requested overlap cannot be reached, the end of the range nearest to it is
  # used.
  bracket <- log(c(0.02, 50))
  excess_at_ends <- vapply(bracket, excess, 0)
  if (excess_at_ends[1] <= 0 || excess_at_ends[2] >= 0) return(exp(bracket[1 + (excess_at_ends[1] > 0)]))
  exp(stats::uniroot(excess, bracket, f.lower = excess_at_ends[1], f.upper = excess_at_ends[2], tol = 0.005)$root)
}

# Converts latent values to gains with a given mean. The gain, as a share of its range, is a piecewise linear function
# of the latent value between the thresholds of the model L_output for the Fine scale (Urbano and Schedl 2013, Table 7),
# where it equals the midpoints of the levels 0, 11, ..., 99. Beyond the outer thresholds, the function continues with
# the slope of the adjacent interval.
latent_gain <- function(latent, scale, mean_gain) {
  threshold <- c(1.7043, 2.6087, 3.2373, 3.7705, 4.2464, 4.8460, 5.5678, 6.6135, 8.4655)
  share <- seq(5.5, 93.5, by = 11) / 100
  bounds <- c(threshold[1] - (threshold[2] - threshold[1]) / 2, threshold,
          threshold[9] + (threshold[9] - threshold[8]) * 6.5 / 11)
  lowest <- min(scale$levels)
  spread <- max(scale$levels) - lowest
  middle <- (scale$levels[-1] + scale$levels[-length(scale$levels)]) / 2
  gain <- function(shift) {
    value <- lowest + spread * stats::approx(bounds, c(0, share, 1), latent + shift, rule = 2)$y
    scale$levels[findInterval(value, middle) + 1L]
  }
  # The mean is a step function of the shift, so the shift is found by bisection.
  reach <- max(abs(latent)) + max(bounds)
  between <- c(-reach, reach)
  for (i in seq_len(60)) {
    shift <- mean(between)
    if (mean(gain(shift)) < lowest + mean_gain * spread) between[1] <- shift else between[2] <- shift
  }
  gain(shift)
}
