test_that("weights of the mean confidence are c (m - c), and those of estimates count unsure systems", {
  case <- random_collection(3)
  x <- case$x
  incidence <- dense_incidence(case)
  ranking <- rank_systems(x, uniform_gains(x))
  c <- rowSums(incidence)
  expect_equal(goal_weights(x, goal_mean(), ranking), unname(c * (5 - c)))
  expect_equal(goal_weights(x, goal_absolute(3), ranking), unname(c))
  # A goal about one system: comparisons in which exactly one of the two retrieved the pair.
  with_b <- goal_weights(x, goal_beats("B"), ranking)
  undecided <- wants_of(goal_beats("B"), ranking)[[1]]$pairs
  slow <- apply(incidence, 1, function(row) {
    sum(undecided[upper.tri(undecided)] * outer(row, row, "!=")[upper.tri(undecided)])
  })
  expect_equal(with_b, unname(slow))
})

test_that("batches are cut in order, by query or not, and the heaviest comes first", {
  documents <- data.frame(query = c("a", "c", "b", "b", "a", "b"), doc = letters[1:6], weight = c(9, 9, 8, 7, 1, 1))
  expect_equal(in_batches(documents, 2, 2, FALSE)$doc, c("a", "b", "c", "d"))
  same <- in_batches(documents, 3, 2, TRUE)
  # b: 8 + 7, and 1; a: 9 + 1; c: 9
  expect_equal(same$doc, c("c", "d", "a", "e", "b"))
  expect_equal(same$batch, c(1, 1, 2, 2, 3))
  expect_equal(nrow(in_batches(documents, 0, 2, TRUE)), 0)
  expect_equal(nrow(in_batches(documents[0, ], 2, 2, TRUE)), 0)
})

test_that("a session in batches of one document is mtc() with updates after each", {
  case <- random_collection(7, systems = 6, queries = 5)
  x <- case$x
  gain <- pool_gains(x, case$truth)
  estimator <- gain_estimator(x, NULL, NULL, output_features(x))
  run <- run_batches(x, gain, estimator, goal_mean(0.97), 1, FALSE)
  wanted <- mtc(x, case$truth, NULL, confidence = 0.97, update_every = 1, progress = FALSE)
  n <- nrow(wanted$trace)
  expect_equal(run$order, wanted$order)
  expect_equal(run$trace[c("judged", "confidence", "accuracy", "tau")],
               wanted$trace[c("judged", "confidence", "accuracy", "tau")])
})

test_that("an absolute goal stops where the mean confidence of the estimates is reached", {
  case <- random_collection(8)
  x <- case$x
  gain <- pool_gains(x, case$truth)
  estimator <- gain_estimator(x, NULL, NULL, output_features(x))
  run <- run_batches(x, gain, estimator, goal_absolute(5, 0.9), 2, TRUE)
  expect_equal(run$reason, "goal")
  by_hand <- function(ranking) mean(2 * pnorm(5 / sqrt(diag(ranking$covariance))) - 1)
  expect_gte(by_hand(run$ranking), 0.9)
  expect_equal(run$trace$value[nrow(run$trace)], by_hand(run$ranking))
  expect_true(all(run$trace$value[-nrow(run$trace)] < 0.9))
  expect_equal(run_batches(x, gain, estimator, goal_absolute(5, 0.9), 2, TRUE, budget = 3)$trace$judged, c(0, 2, 3))
})

test_that("joint batches keep to a query and choose the same documents as one list otherwise", {
  x <- demo_collection("some.tsv")
  gains <- joint_gains(gain_prior(), x)
  choose <- function(...) with_seed(1, joint_batches(gains, ..., goal_mean(), strategy_gradient(), judging_cost(), FALSE))
  expect_equal(choose(2, 3)[c("query", "doc")], choose(1, 6)[c("query", "doc")])
})
