test_that("largest_indices() returns the largest values in decreasing order, with ties in order of index", {
  value <- c(3, -Inf, 7, 3, 7, 0)
  expect_identical(largest_indices(value, 3), c(3L, 5L, 1L))
  expect_identical(largest_indices(value, 4), c(3L, 5L, 1L, 4L))
  expect_identical(largest_indices(value, 9), order(-value))
})

test_that("with many systems, the most promising documents are scored exactly and come first", {
  x <- simulate_collection(queries = 6, documents = 120, artists = 20, systems = 7, seed = 1)
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:20, ])
  weight <- 1 - diag(7)
  exact <- reduction_of(gains, weight, rep(0.1, 7))
  close <- with_seed(1, reduction_of(gains, weight, rep(0.1, 7), max_systems = 2, closer = 10))
  # All other documents have at most the score of the worst of these.
  best <- largest_indices(close, 9)
  expect_equal(close[best], exact[best])
  expect_lte(max(close[-best]), min(close[best]))
  cheap <- with_seed(1, reduction_of(gains, weight, rep(0.1, 7), price = 2, max_systems = 2, closer = 10))
  expect_equal(cheap, close / 2)
})

test_that("a custom strategy is asked again after every choice, or after every judgment", {
  x <- simulate_collection(queries = 6, documents = 60, artists = 20, systems = 4, seed = 1)
  calls <- function(rescore, code) {
    count <- 0
    strategy <- strategy_custom("variance", function(belief, ranking, goal, price) {
      count <<- count + 1
      as.data.frame(belief)$variance / price
    }, rescore = rescore)
    code(strategy)
    count
  }
  batch <- function(strategy) select_documents(x, strategy = strategy, n = 3, judgments = FALSE)
  expect_identical(c(calls("chosen", batch), calls("judged", batch)), c(3, 1))
  session <- function(strategy) {
    s <- judging_session(x, goal = goal_budget(4), strategy = strategy, judgments = FALSE, seed = 1)
    expect_equal(nrow(judgments_of(run_session(s, judgments_of(x)))), 4)
  }
  expect_identical(calls("judged", session), 4)
  expect_error(strategy_custom("a", identity, rescore = "never"), class = "judicious_error_argument")
})
