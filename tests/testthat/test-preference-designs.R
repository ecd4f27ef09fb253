path <- project_file("vignettes/articles/designs.R")
skip_if_not(file.exists(path), "vignettes/articles is not beside the tests")
source(path, local = TRUE)

test_that("if documents differ clearly, the number of pairs asked grows as n log n", {
  # The similarities differ so much that answers are certain. The number of comparisons is then that of quicksort, with
  # the expectation 2 (n + 1) H_n - 4 n.
  plan <- simulate_designs(c(16, 64), answers = 3, similarity = function(n) 20 * sample(n), replicates = 25,
                           workers = 6,
                           skill_sd = 0, bias_sd = 0, threshold = 0, seed = 1)
  expect_equal(plan$adr, rep(1, 50))
  for (n in c(16, 64)) {
    own <- plan$pairs[plan$n == n]
    expected <- 2 * (n + 1) * sum(1 / seq_len(n)) - 4 * n
    expect_lt(abs(mean(own) - expected) / (sd(own) / sqrt(25)), 4)
  }
})

test_that("with more answers per pair, the list is closer to the latent order", {
  plan <- mean_designs(simulate_designs(12, answers = c(3, 24), replicates = 25, workers = 40, seed = 2))
  expect_equal(plan$answers, c(3, 24))
  expect_gt(plan$adr[2] - plan$adr[1], 0.05)
})
