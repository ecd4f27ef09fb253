# A random matrix of scores, queries by systems. As in real evaluations, scores have few distinct values, so there are
# many ties.
random_scores <- function(seed, n = NULL, m = NULL, values = NULL) {
  set.seed(seed)
  n <- if (is.null(n)) sample(4:60, 1) else n
  m <- if (is.null(m)) sample(3:5, 1) else m
  values <- if (is.null(values)) sample(c(3, 6, 11, 1000), 1) else values
  x <- outer(rnorm(n), rnorm(m, sd = 0.5), "+") + rnorm(n * m)
  x <- matrix(floor((rank(x) - 1) / (n * m) * values), n, m)
  colnames(x) <- paste0("sys", seq_len(m))
  rownames(x) <- paste0("q", seq_len(n))
  x
}

adhoc3_scores <- function() {
  room <- new.env()
  load(file.path(skip_without_data("scores-adhoc3"), "adhoc3.rda"), room)
  as.matrix(room$adhoc3)
}

# Calls f(a, b) with the scores of every pair of a comparison, in its order.
by_pair <- function(r, x, f) mapply(function(a, b) f(x[, a], x[, b]), r$pairs$system_a, r$pairs$system_b,
                                    USE.NAMES = FALSE)

# as.data.frame(ranking) in the order of the collection's systems.
in_collection_order <- function(ranking) {
  data <- as.data.frame(ranking)
  data <- data[match(names(ranking$mean), data$system), ]
  rownames(data) <- NULL
  data
}
