x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 3, seed = 5)

test_that("two systems apart have the probability of a normal difference", {
  covariance <- matrix(c(4, 1, 0, 1, 3, 0, 0, 0, 1e-6), 3)
  ranking <- new_ranking(x, c(11, 10, -100), covariance)
  p <- rank_probabilities(ranking, draws = 40000, seed = 1)
  expect_equal(p$best[1], stats::pnorm(1 / sqrt(5)), tolerance = 0.01)
  expect_identical(p$best[3], 0)
  expect_equal(rowSums(p$probability), rep(1, 3))
  expect_equal(unname(colSums(p$probability)), rep(1, 3))
  expect_equal(p$expected_rank, as.vector(p$probability %*% 1:3))
  expect_identical(p$rank_lower, c(1L, 1L, 3L))
  expect_identical(p$rank_upper, c(2L, 2L, 3L))
})

test_that("long tables are cut, least certain or best first, and say how to see the rest", {
  ranking <- new_ranking(x, c(11, 10, -100), diag(c(4, 3, 1e-6)))
  p <- rank_probabilities(ranking, seed = 1)
  expect_snapshot({
    print(p, n = 2)
    print(system_differences(ranking), n = 1)
    system_differences(ranking, equal = 2)
    system_differences(ranking)[1:2, c("system_a", "difference")]
  })
})

test_that("functions of a ranking also take a session and a collection, and explain rankings by stratum", {
  known <- judgments_of(x)[1:40, ]
  ranking <- rank_systems(x, judgments = known)
  x$gain <- pool_gains(x, known, "judgments", NULL)
  s <- judging_session(x, seed = 1)
  for (of in list(system_differences, ranking_confidence, function(r) absolute_confidence(r, 5),
                  function(r) rank_probabilities(r, seed = 1))) {
    expect_equal(of(x), of(ranking))
    expect_equal(of(s), of(rank_systems(s)))
  }
  expect_equal(summary(s), progress(s))
  x$queries$type <- rep(c("a", "b"), 4)
  expect_snapshot(error = TRUE, {
    ranking_confidence(rank_systems(x, by = "type"))
    ranking_confidence(1)
  })
})
