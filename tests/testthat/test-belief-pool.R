x <- simulate_collection(queries = 6, documents = 60, artists = 15, teams = 3, systems = 6, seed = 4)

# All results, one row each: query, document and system.
all_results <- function(x) {
  pair <- rep(seq_along(x$gain), diff(x$results$offset))
  data.frame(pair, query = x$pool$query[pair], doc = x$pool$doc[pair], system = x$results$system,
             team = x$systems$team[x$results$system])
}

test_that("the features of a pool are what they are said to be", {
  results <- all_results(x)
  of_pair <- function(f) vapply(split(results, results$pair), f, 1)
  teams <- of_pair(function(r) length(unique(r$team)))
  popular <- tapply(log(teams)[results$pair], results$system, mean)
  # Weighted by how many systems retrieved a pair, residuals have no system's mean.
  retrieved <- unclass(table(results$pair, results$system))
  share <- retrieved / rowSums(retrieved)
  within <- function(v) unname(residuals(lm(v ~ 0 + share, weights = rowSums(retrieved))))
  expected <- data.frame(
    popularity = within(log(teams)), share = within(teams / 3),
    agreement = of_pair(function(r) mean(popular[r$system])),
    genre_share = of_pair(function(r) {
      here <- unique(results[results$query == r$query[1], c("pair", "doc")])
      log(mean(x$documents$genre[here$doc] == x$documents$genre[r$doc[1]]))
    })
  )
  pool <- joint_pool(x, names(expected))
  expect_equal(pool$x[, -1], scale(as.matrix(expected), scale = FALSE)[, colnames(pool$x)[-1]], ignore_attr = TRUE)
  expect_lt(max(abs(crossprod(retrieved, within_systems(x, log(teams))))), 1e-8)
})
