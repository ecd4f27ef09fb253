test_that("pairs asked grow as n log n where documents are well apart", {
  # Similarities so far apart that answers are sure: what is left is quicksort, whose expected number of
  # comparisons is 2 (n + 1) H_n - 4 n.
  plan <- preference_plan(c(16, 64), answers = 3, similarity = function(n) 20 * sample(n), replicates = 25,
                           workers = 6,
                           skill_sd = 0, bias_sd = 0, threshold = 0, seed = 1)
  expect_equal(plan$adr, rep(1, 50))
  for (n in c(16, 64)) {
    own <- plan$pairs[plan$n == n]
    expected <- 2 * (n + 1) * sum(1 / seq_len(n)) - 4 * n
    expect_lt(abs(mean(own) - expected) / (sd(own) / sqrt(25)), 4)
  }
})

test_that("more answers bring the list closer to the latent order", {
  plan <- summary(preference_plan(12, answers = c(3, 24), replicates = 25, workers = 40, seed = 2))
  expect_equal(plan$answers, c(3, 24))
  expect_gt(plan$adr[2] - plan$adr[1], 0.05)
})

test_that("plans print", {
  plan <- preference_plan(4, answers = 5, similarity = function(n) 20 * seq_len(n), replicates = 2, threshold = 0,
                           seed = 1)
  expect_equal(plan$all_pairs, c(6, 6))
  expect_equal(plan$n_log_n, c(8, 8))
  expect_snapshot(error = TRUE, preference_plan(1))
  expect_snapshot(error = TRUE, preference_plan(4, similarity = 1:4))
})
