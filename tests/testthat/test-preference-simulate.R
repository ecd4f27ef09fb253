similarity <- list(q = c(x = 3, y = 0, z = -3))

test_that("simulated answers follow the stated model", {
  crowd <- simulate_crowd(list(q = c(x = 1, y = 0)), workers = 4000, skill_sd = 0, bias_sd = 0, threshold = 0.5,
                          seed = 1)
  pairs <- data.frame(query = "q", doc_a = "x", doc_b = "y", needed = 4000)
  answers <- with_seed(2, ask_crowd(crowd, pairs))
  expect_lt(abs(median(log(answers$seconds / 20))) / 0.6, 4 * sqrt(pi / 2 / 4000))
  expect_lt(abs(sd(log(answers$seconds)) / 0.6 - 1), 4 / sqrt(2 * 4000))
  share <- table(answers$answer) / 4000
  expected <- c(a = plogis(0.5), b = plogis(-1.5))
  expected[["equal"]] <- 1 - sum(expected)
  expect_lt(max(abs(share[names(expected)] - expected) / sqrt(expected * (1 - expected) / 4000)), 4)
})

test_that("simulated spammers answer always equal, or at random", {
  crowd <- simulate_crowd(similarity, workers = 0, equal_robots = 3, random_robots = 400, seed = 1)
  answers <- with_seed(1, ask_crowd(crowd, data.frame(query = "q", doc_a = "x", doc_b = "z", needed = 403)))
  kind <- crowd$workers$kind[match(answers$worker, crowd$workers$worker)]
  expect_equal(unique(answers$answer[kind == "equal robot"]), "equal")
  expect_equal(unique(answers$seconds), 8)
  expect_gt(chisq.test(table(answers$answer[kind == "random robot"]))$p.value, 1e-4)
})

test_that("no simulated worker answers a pair twice, and the seed determines all answers", {
  crowd <- simulate_crowd(similarity, workers = 12, no_answer = 0.1, seed = 1)
  run <- function() run_session(preference_session(list(q = c("x", "y", "z")), seed = 1), crowd, seed = 5)
  s <- run()
  expect_identical(s, run())
  expect_equal(nrow(next_pairs(s)), 0)
  expect_false(anyDuplicated(s$answers[c("worker", "doc_a", "doc_b")]) > 0)
  expect_true(all(rowSums(s$pairs[c("n_a", "n_equal", "n_b")]) >= 10))
})

test_that("a session whose simulated spammers are blocked finishes without them", {
  crowd <- simulate_crowd(list(q = setNames(seq(6, -6, -2), letters[1:7])), workers = 15, equal_robots = 2, seed = 1)
  s <- run_session(preference_session(list(q = letters[1:7]), seed = 1), crowd, seed = 2)
  s <- run_session(block_workers(s, c("w16", "w17")), crowd, seed = 3)
  expect_equal(nrow(next_pairs(s)), 0)
  expect_equal(unlist(group_sets(ordered_list(s), "q")), letters[1:7])
})

test_that("simulated crowds print, and documents without similarities raise errors", {
  crowd <- simulate_crowd(similarity, workers = 5, equal_robots = 2, random_robots = 1, seed = 1)
  expect_snapshot(crowd)
  s <- preference_session(list(q = c("x", "y")), seed = 1)
  expect_snapshot(error = TRUE, {
    run_session(s, crowd)
    run_session(preference_session(list(q = c("x", "w")), seed = 1), crowd)
    simulate_crowd(list(q = c(1, 2)))
    simulate_crowd(similarity, workers = 0)
    simulate_crowd(data.frame(query = "q", doc = "x", similarity = NA_real_))
    simulate_crowd(similarity, no_answer = 2)
  })
})
