x <- simulate_collection(queries = 10, documents = 150, artists = 20, systems = 5, seed = 6)
truth <- judgments_of(x)

test_that("the prediction error of a system is the sum over its documents, compared between pairs of systems", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(30), seed = 1)
  of <- prediction_errors(run_session(s, truth, progress = FALSE)$engine)
  expect_identical(dim(of$weight), c(30L, 5L))
  found <- difference_calibration(of)
  z <- numeric()
  for (j in 2:5) {
    for (i in seq_len(j - 1)) {
      difference <- of$weight[, i] - of$weight[, j]
      z <- c(z, sum(difference * of$error) / sqrt(sum((difference * of$sd)^2)))
    }
  }
  expect_equal(found$z, z)
  expect_equal(found$z2, mean(z^2))
  # Stated variances that are nine times too small.
  expect_equal(difference_calibration(replace(of, "sd", list(of$sd / 3)))$z2, 9 * found$z2)
  # Under the model the mean square has the mean 1 and the variance 2 / df.
  z2 <- vapply(1:4000, function(i) {
    of$error <- with_seed(i, stats::rnorm(30, sd = of$sd))
    difference_calibration(of)$z2
  }, 1)
  expect_equal(mean(z2), 1, tolerance = 0.1)
  expect_equal(stats::var(z2), 2 / found$df, tolerance = 0.25)
})

test_that("calibration of a session without judgments states that there is nothing to compare", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(5), seed = 1)
  expect_message(nothing <- calibration(s), "no judgments yet", class = "judicious_message_empty")
  expect_identical(nothing$n, c(0L, 0L, 0L))
})

test_that("without judgments, calibration makes no statement about systems", {
  expect_identical(difference_calibration(list(error = numeric(), sd = numeric(), weight = matrix(0, 0, 3))),
                   list(z = numeric()))
  row <- calibration(judging_session(x, judgments = FALSE, seed = 1))[3, ]
  expect_identical(row$judgments, "systems")
  expect_identical(row$n, 0L)
  expect_true(is.na(row$z2) && is.na(row$lower) && is.na(row$within_95))
})

test_that("calibration makes no statement about systems with few audited documents", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(20), audit = 0.3, seed = 2)
  run_session(s, truth, progress = FALSE)
  audited <- with(judgments_of(s), find_pairs(x, query[audit], doc[audit]))
  of_system <- vapply(seq_len(n_systems(x)), function(i) sum(audited %in% result_pair(x)[x$results$system == i]), 1)
  found <- calibration(s, by = "systems")
  expect_true(any(of_system < 3) && any(of_system >= 3))
  for (column in c("audit", "sd", "z")) expect_identical(is.na(found[[column]]), of_system < 3)
})

test_that("estimates from the audit sample alone agree with their definition", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(40), audit = 0.5, seed = 2)
  run_session(s, truth, progress = FALSE)
  found <- calibration(s, by = "systems")
  order <- judgments_of(s)
  pair <- find_pairs(x, order$query, order$doc)
  # Computed here for one system: the sum of the judged gains, plus the gain of the randomly drawn document divided by
  # its share of the unjudged results.
  gain <- numeric(n_pairs(x))
  lists <- as.vector(table(factor(result_pair(x), seq_len(n_pairs(x)))))
  retrieved <- vapply(seq_len(n_pairs(x)), function(i) {
    3L %in% x$results$system[seq(x$results$offset[i] + 1, x$results$offset[i + 1])]
  }, NA)
  totals <- numeric()
  for (i in seq_along(pair)) {
    value <- order$gain[i] * retrieved[pair[i]]
    if (order$audit[i]) totals <- c(totals, sum(gain) + value * sum(lists) / lists[pair[i]])
    lists[pair[i]] <- 0L
    gain[pair[i]] <- value
  }
  totals <- totals / (x$k * n_queries(x))
  expect_equal(found$audit[3], mean(totals))
  expect_equal(found$sd[3], sd(totals) / sqrt(length(totals)))
  ranking <- rank_systems(s)
  expect_equal(found$model, unname(ranking$mean))
  expect_equal(found$z, (found$model - found$audit) / sqrt(found$model_sd^2 + found$sd^2))
})

test_that("the estimate from the audit sample is unbiased", {
  weight <- pair_weights(x, seq_len(n_pairs(x)))
  lists <- as.vector(table(factor(result_pair(x), seq_len(n_pairs(x)))))
  true <- colSums(weight * x$gain)
  estimates <- vapply(1:300, function(i) {
    drawn <- with_seed(i, draw_audit(x, seq_len(n_pairs(x)), 20))
    value <- weight[drawn, ] * x$gain[drawn]
    before <- rbind(0, apply(value, 2, cumsum))
    left <- sum(lists) - c(0, cumsum(lists[drawn]))[1:20]
    colMeans(before[1:20, ] + left / lists[drawn] * value)
  }, true)
  expect_true(all(abs(rowMeans(estimates) - true) < 4 * apply(estimates, 1, sd) / sqrt(300)))
})

test_that("print() of a session states that its calibration is poor, also when it is reopened", {
  # Systems differ as much as the scale allows, but the model is certain that they do not differ.
  sure <- gain_prior(variances = stats::setNames(rep(1e-6, 6), system_terms), variance_sd = 0.01,
                     slopes = c(agreement = 0), slope_sd = c(agreement = 0.01, popularity = 0.01, share = 0.01))
  by_first <- pair_weights(x, seq_len(n_pairs(x)))[, 1] > 0
  truth$gain <- ifelse(by_first, 90, 10)
  file <- withr::local_tempfile(fileext = ".sqlite")
  s <- judging_session(x, past = sure, judgments = FALSE, goal = goal_budget(40), update_every = 40, audit = 0.5,
                       store = file,
                       seed = 3)
  run_session(s, truth, progress = FALSE)
  z2 <- calibration(s)$z2[3]
  expect_gt(z2, 2)
  fails <- sprintf("fails: systems differ more than expected, z2 %.2f", z2)
  expect_output(print(s), fails)
  close_session(s)
  expect_output(print(open_session(file)), fails)
})

test_that("calibration() raises errors for invalid arguments and for sessions that it cannot check", {
  s <- judging_session(x, judgments = FALSE, measure = "nDCG@5", seed = 1)
  batches <- judging_session(x, judgments = FALSE, batch = 5, seed = 1)
  expect_snapshot(error = TRUE, {
    calibration(s, by = "systems")
    calibration(batches, by = "systems")
    calibration(s, by = "documents")
    run_session(s, judgments = judgments_of(x))
    as.data.frame(s, judgments = judgments_of(x))
  })
})

test_that("a ranking does not count the judgments of a random strategy as selected, as their session does not", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(40), strategy = strategy_random(), audit = 0, seed = 1)
  judged <- judgments_of(run_session(s, truth, progress = FALSE))
  expect_identical(judged$audit, rep(TRUE, 40))
  expect_identical(joint_gains(x, judgments = judged)$fit$selected, integer())
  expect_identical(calibration(s)$n[1:2], c(40L, 0L))
  unasked <- pair_ids(x, which(is.na(s$engine$gain))[1])
  judge(s, unasked$query, unasked$doc, 0)
  expect_identical(judgments_of(s)$audit, c(rep(TRUE, 40), NA))
  # Uniform draws give no estimate by the weights of an audit.
  expect_true(all(is.na(calibration(s, by = "systems")$audit)))
})
