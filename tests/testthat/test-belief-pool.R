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
  # The residuals of the regression on the shares of systems, pairs weighted by how many systems retrieved them.
  retrieved <- unclass(table(results$pair, results$system))
  within <- function(v) stats::lm.wfit(retrieved / rowSums(retrieved), v, rowSums(retrieved))$residuals
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
})

test_that("without teams, systems vary as much as systems and their teams do", {
  apart <- x
  apart$systems$team <- apart$systems$system
  variance <- joint_gains(apart, gain_prior(), judgments = FALSE)$fit$variance
  expected <- gain_prior()$variance
  expect_equal(variance[["system"]], expected[["system"]] + expected[["team"]])
  expect_equal(variance[["system:popularity"]], expected[["system:popularity"]] + expected[["team:popularity"]])
  expect_equal(unname(variance[team_terms]), c(0, 0, 0))
  teams <- joint_gains(x, gain_prior(), judgments = FALSE)$fit$variance
  expect_equal(teams[["system"]], expected[["system"]])
})
