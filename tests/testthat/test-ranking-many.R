# Forces the computation for many systems, in which covariances are computed row by row.

few_as_many <- function(code) {
  real <- has_many_systems
  assignInNamespace("has_many_systems", function(x) TRUE, "judicious")
  on.exit(assignInNamespace("has_many_systems", real, "judicious"))
  code
}

test_that("rankings of many systems computed row by row equal those computed with full matrices", {
  x <- simulate_collection(queries = 6, documents = 120, artists = 12, systems = 25, seed = 1, k = 5)
  some <- judgments_of(x)[seq(1, 170, by = 4), ]
  expect_same <- function(dense, rows) {
    expect_s3_class(rows, "judicious_ranking_by_rows")
    expect_equal(rows$mean, dense$mean, tolerance = 1e-12)
    expect_equal(as.matrix(rows$covariance), dense$covariance, tolerance = 1e-10)
    sets <- c("rank_lower", "rank_upper")
    columns <- setdiff(names(as.data.frame(dense)), sets)
    expect_equal(as.data.frame(rows)[columns], as.data.frame(dense)[columns], tolerance = 1e-10)
    expect_true(all(is.na(as.data.frame(rows)[sets])))
    expect_equal(system_differences(rows), system_differences(dense), tolerance = 1e-8)
    expect_equal(ranking_confidence(rows), ranking_confidence(dense), tolerance = 1e-10)
    expect_equal(summary(rows)$decided, summary(dense)$decided)
  }
  for (measure in c("AG@5", "DCG@5")) {
    gains <- joint_gains(x, gain_prior(), judgments = some, measure = measure)
    expect_same(rank_systems(x, gains), few_as_many(rank_systems(x, gains)))
    again <- joint_gains(x, gain_prior(), judgments = some, measure = measure)
    expect_equal(few_as_many(as.data.frame(again)), as.data.frame(gains), tolerance = 1e-10)
  }
  twice <- rbind(data.frame(some, assessor = "a"), data.frame(some[1:20, ], assessor = "b"))
  for (target in c("consensus", "another")) {
    rank <- function() rank_systems(x, judgments = twice, assessor = target)
    expect_same(rank(), few_as_many(rank()))
  }
  all <- judgments_of(x)
  expect_same(rank_systems(x, judgments = all), few_as_many(rank_systems(x, judgments = all)))
  half <- few_as_many(rank_systems(x, judgments = some))
  expect_equal(compare_block(half, c(2, 7), c(1, 7, 9))$b, c(7, 9, 9))
  expect_snapshot(error = TRUE, rank_probabilities(half))
  expect_snapshot(half$covariance)
})

test_that("computations that need a full matrix over many systems give a message", {
  x <- simulate_collection(queries = 4, documents = 60, artists = 12, systems = 4, seed = 1, k = 5)
  few_as_many({
    expect_message(rank_systems(x, scope = "new"), "matrix over all systems", class = "judicious_message_many_systems")
    session <- function() judging_session(x, seed = 1, judgments = FALSE)
    expect_message(session(), "matrix over all systems", class = "judicious_message_many_systems")
    expect_no_message(rank_systems(x), class = "judicious_message_many_systems")
  })
})
