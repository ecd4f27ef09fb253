# Rank-biased overlap, with ties (Corsi and Urbano 2024).

# The rank-biased overlap of rankings with s and l items, s <= l; callers can pass them in either order. The
# contributions of depths 1 to l are summed; the rest of the infinite sum has a closed form.
rbo_scores <- function(short, long, p, ties) {
  if (length(short$item) > length(long$item)) return(rbo_scores(long, short, p, ties))
  s <- length(short$item)
  l <- length(long$item)
  depth <- seq_len(l)
  items <- union(short$item, long$item)
  cs <- overlap_contributions(short, items, l, ties)
  cl <- overlap_contributions(long, items, l, ties)
  beyond <- depth > s
  size <- function(c) if (ties == "b") colSums(c^2) else colSums(c)
  # Beyond its end, the short ranking is assumed to continue without ties.
  size_short <- ifelse(beyond, depth, size(cs))
  agree <- function(overlap) {
    switch(ties, w = 2 * overlap / (size_short + size(cl)), a = overlap / depth,
           b = overlap / sqrt(size_short * size(cl)))
  }
  overlap <- colSums(cs * cl)
  only_long <- cl[!items %in% short$item, , drop = FALSE]
  max_overlap <- extrapolated <- overlap
  for (d in depth[beyond]) {
    present <- only_long[only_long[, d] > 0, d]
    matched <- seq_len(min(d - s, nrow(only_long)))
    max_overlap[d] <- overlap[d] + sum(only_long[matched, d])
    extrapolated[d] <- overlap[d] + if (length(present)) (d - s) * agree(overlap)[s] * mean(present) else 0
  }
  seen <- function(overlap) sum(agree(overlap) * p^depth)
  last <- overlap[l]
  tail_ext <- (last + (l - s) * agree(overlap)[s]) / l * p^(l + 1) / (1 - p)
  tail_min <- last * (-log1p(-p) - sum(p^depth / depth))
  full <- l + s - last
  later <- if (full > l) seq(l + 1, full) else numeric()
  tail_max <- sum((2 * later - full) / later * p^later) + p^(floor(full) + 1) / (1 - p)
  score <- (1 - p) / p * c(ext = seen(extrapolated) + tail_ext, min = seen(overlap) + tail_min,
                           max = seen(max_overlap) + tail_max)
  score <- pmin(pmax(score, 0), 1)
  c(score, res = score[["max"]] - score[["min"]])
}

# The contribution of each item (row) to the overlap of the top d (column).
overlap_contributions <- function(ranking, items, depths, ties) {
  share <- matrix(0, length(items), depths)
  d <- seq_len(depths)
  for (i in seq_along(ranking$item)) {
    top <- ranking$top[i]
    width <- ranking$bottom[i] - top + 1
    share[match(ranking$item[i], items), ] <- if (ties == "w") d >= top else pmin(1, pmax(0, (d - top + 1) / width))
  }
  share
}
