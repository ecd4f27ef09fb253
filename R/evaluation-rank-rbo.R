#' Rank-biased overlap of two rankings
#'
#' The agreement of two rankings at depth 1, 2, ..., weighted by (1 - p) p^(depth - 1) (Webber et al. 2010). Rankings
#' may have different lengths and items, and ties (Corsi and Urbano 2024).
#'
#' Beyond what is seen, `ext` supposes the agreement there is to go on, `min` supposes no item in common, `max` as
#' many as possible; `res` is `max - min`. Let c_i(d) be what item i contributes to a ranking's top d. With
#' `ties = "w"` tied items share the highest rank, and agreement is 2 sum(c c') / (sum(c) + sum(c')). With
#' `ties = "a"` the order of tied items is unknown: c is the probability that the item is in the top d, and agreement
#' is sum(c c') / d, the mean over all orders where each ranking is permuted by itself. With `ties = "b"` agreement is
#' sum(c c') / sqrt(sum(c^2) sum(c'^2)), so that a ranking agrees with itself entirely. Without ties the three are the
#' same.
#' @param x,y Rankings: named scores, higher is better, equal ones tied; or items, best first; or a list of vectors
#'   of items, each vector tied; or what [rank_tau()] takes besides.
#' @param p Persistence, between 0 and 1: the share of the weight that lies beyond the first rank. At 0.9 the first 10
#'   ranks weigh 86%.
#' @param ties `"a"`, `"b"` or `"w"`, see Details.
#' @return A vector with `ext`, `min`, `max` and `res`.
#' @references Webber, W., Moffat, A. and Zobel, J. (2010). A similarity measure for indefinite rankings. ACM
#'   Transactions on Information
#'   Systems 28(4).
#'
#'   Corsi, M. and Urbano, J. (2024). The treatment of ties in rank-biased overlap. ACM SIGIR.
#' @examples
#' rank_rbo(c("A", "B", "C", "D"), c("B", "A", "C", "E", "D"))
#' rank_rbo(c(A = 3, B = 2, C = 2), c(A = 1, B = 3, C = 2), p = 0.8)
#' @export
rank_rbo <- function(x, y, p = 0.9, ties = c("a", "b", "w")) {
  check_number(p, "p", 0, 1, open = TRUE)
  ties <- check_choice(ties, c("a", "b", "w"), "ties")
  x <- tied_ranking(x, "x")
  y <- tied_ranking(y, "y")
  if (length(x$item) > length(y$item)) return(rbo_scores(y, x, p, ties))
  rbo_scores(x, y, p, ties)
}

# The shorter ranking has s items, the longer l. Sums of contributions over depths 1..l, then what follows in closed
# form.
rbo_scores <- function(short, long, p, ties) {
  if (!any(short$top != short$bottom) && !any(long$top != long$bottom)) ties <- "w"
  s <- length(short$item)
  l <- length(long$item)
  depth <- seq_len(l)
  items <- union(short$item, long$item)
  cs <- contributions(short, items, l, ties)
  cl <- contributions(long, items, l, ties)
  beyond <- depth > s
  size <- function(c) if (ties == "b") colSums(c^2) else colSums(c)
  # Past its end the short ranking goes on without ties.
  size_short <- ifelse(beyond, depth, size(cs))
  agree <- function(overlap) {
    switch(ties, w = 2 * overlap / (size_short + size(cl)), a = overlap / depth,
           b = overlap / sqrt(size_short * size(cl)))
  }
  overlap <- colSums(cs * cl)
  only_long <- cl[!items %in% short$item, , drop = FALSE]
  most <- extrapolated <- overlap
  for (d in depth[beyond]) {
    present <- only_long[only_long[, d] > 0, d]
    matched <- seq_len(min(d - s, nrow(only_long)))
    most[d] <- overlap[d] + sum(only_long[matched, d])
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
                           max = seen(most) + tail_max)
  score <- pmin(pmax(score, 0), 1)
  c(score, res = score[["max"]] - score[["min"]])
}

# What each item (row) contributes to the top d (column).
contributions <- function(ranking, items, depths, ties) {
  c <- matrix(0, length(items), depths)
  d <- seq_len(depths)
  for (i in seq_along(ranking$item)) {
    top <- ranking$top[i]
    width <- ranking$bottom[i] - top + 1
    c[match(ranking$item[i], items), ] <- if (ties == "w") d >= top else pmin(1, pmax(0, (d - top + 1) / width))
  }
  c
}

# Items with the first and the last rank that each may have.
tied_ranking <- function(x, arg, call = caller_env()) {
  if (is.data.frame(x) || inherits(x, c("judicious_comparison", "judicious_ranking")) || is.numeric(x)) {
    score <- system_scores(x, arg, call)
    if (is.null(names(score))) {
      abort_judicious("{.arg {arg}} must be named: scores say which item they belong to.", "argument", argument = arg,
                      call = call)
    }
    x <- unname(split(names(score), -score))
  }
  groups <- lapply(x, as.character)
  item <- unlist(groups)
  if (!length(item) || anyNA(item) || anyDuplicated(item)) {
    abort_judicious(c(
      "{.arg {arg}} must be a ranking of one or more different items.",
      x = if (anyDuplicated(item)) "{.val {item[anyDuplicated(item)]}} is there twice."
    ), "argument", argument = arg, call = call)
  }
  size <- lengths(groups)
  list(item = item, top = rep(cumsum(size) - size + 1, size), bottom = rep(cumsum(size), size))
}
