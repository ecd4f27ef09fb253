x <- simulate_collection(queries = 6, documents = 60, artists = 15, teams = 3, systems = 6, seed = 4)

# The results of all systems, one per row: query, document and system.
all_results <- function(x) {
  pair <- rep(seq_along(x$gain), diff(x$results$offset))
  data.frame(pair, query = x$pool$query[pair], doc = x$pool$doc[pair], system = x$results$system,
             team = x$systems$team[x$results$system])
}

test_that("the features of the pool agree with their definitions", {
  results <- all_results(x)
  of_pair <- function(f) vapply(split(results, results$pair), f, 1)
  teams <- of_pair(function(r) length(unique(r$team)))
  popular <- tapply(log(teams)[results$pair], results$system, mean)
  # The residuals of a regression on indicators of the systems, divided by the number of systems that retrieved the
  # pair; pairs are weighted by this number.
  retrieved <- unclass(table(results$pair, results$system))
  within <- function(v) stats::lm.wfit(retrieved / rowSums(retrieved), v, rowSums(retrieved))$residuals
  of_systems <- of_pair(function(r) mean(popular[r$system]))
  expected <- data.frame(
    popularity = within(log(teams)), share = within(teams / 3),
    agreement = of_systems * stats::cov(log(teams)[results$pair], of_systems[results$pair]) /
      stats::var(of_systems[results$pair]),
    genre_share = of_pair(function(r) {
      here <- unique(results[results$query == r$query[1], c("pair", "doc")])
      log(mean(x$documents$genre[here$doc] == x$documents$genre[r$doc[1]]))
    })
  )
  pool <- joint_pool(x, names(expected))
  expect_equal(pool$x[, -1], scale(as.matrix(expected), scale = FALSE)[, colnames(pool$x)[-1]], ignore_attr = TRUE)
})

test_that("effects of genres, artists and teams are left out only if the collection has none", {
  variance <- c(query = 1, "query:genre" = 1, "query:artist" = 1, stats::setNames(rep(1, length(team_terms)), team_terms))
  pool <- list(genre = c(0L, 3L), artist = c(0L, 5L), n_teams = 2L, n_systems = 4L)
  left_out <- function(...) setdiff(names(variance), possible_terms(utils::modifyList(pool, list(...)), variance))
  expect_identical(left_out(), character())
  expect_identical(left_out(genre = c(0L, 0L)), "query:genre")
  expect_identical(left_out(artist = c(0L, 0L)), "query:artist")
  expect_identical(left_out(n_teams = 4L), team_terms)
  expect_identical(possible_terms(pool, replace(variance, "query", 0)), names(variance)[-1])
})

test_that("without teams, the system variance includes the team variance", {
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

test_that("the agreement of lists has a slope of 1 on their mean popularity", {
  t <- log(output_features(x)$pTEAM * 3)
  popular <- mean_over_pairs_cpp(x$results, n_systems(x), t)
  popular <- popular - stats::weighted.mean(popular, tabulate(x$results$system))
  n <- tabulate(x$results$system)
  of_agreement <- mean_over_pairs_cpp(x$results, n_systems(x), system_agreement(x, t))
  expect_equal(sum(n * of_agreement * popular), sum(n * popular^2))
  # If all systems retrieve the same documents, their agreement does not vary.
  same <- x
  same$results <- list(offset = seq(0L, 24L, 6L), system = rep(1:6, 4))
  expect_equal(system_agreement(same, c(0.1, 0.7, 0.3, 0.2)), rep(0, 4))
})

test_that("the pool and the fit of joint gains print", {
  gains <- joint_gains(ams_demo, gain_prior(), judgments = FALSE)
  expect_output(print(gains$pool), paste("Pool of", format_count(n_pairs(ams_demo)), "pairs of"))
  expect_output(print(gains$fit), "popularity.*Variances of the effects.*residual")
})
