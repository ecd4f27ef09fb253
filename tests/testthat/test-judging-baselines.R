x <- simulate_collection(queries = 12, documents = 150, artists = 20, systems = 5, seed = 4)
noisy <- function(x) round((x$gain + (seq_along(x$gain) * 37) %% 60) / 40)
truth <- true_means(x, x$gain)
weight <- matrix(0, n_pairs(x), n_systems(x))
weight[cbind(rep(seq_len(n_pairs(x)), diff(x$results$offset)), x$results$system)] <- 1 / (x$k * n_queries(x))
at <- function(method, budget, grades = NULL, past = NULL) {
  baseline_method(method, grades)$run(past, x, budget, 1, 0.95, truth)$rankings[[1]]
}
drawn <- with_seed(1, sample.int(n_pairs(x)))

test_that("with all judged every method that judges knows the truth, for certain", {
  for (method in c("random", "stratified", "ppi", "calibrated", "gated", "depth")) {
    all <- at(method, n_pairs(x), noisy)
    expect_equal(unname(all$mean), truth, info = method)
    if (!is.null(all$covariance)) expect_equal(max(abs(all$covariance)), 0, info = method)
  }
})

test_that("a random sample gives the classical estimate of a total, and PPI++ that of a regression", {
  n <- 40
  some <- drawn[seq_len(n)]
  random <- at("random", n)
  value <- n_pairs(x) * weight[some, ] * (x$gain[some] - mean(x$gain[some]))
  expect_equal(random$mean, colSums(weight) * mean(x$gain[some]) + colMeans(value))
  expect_equal(random$covariance, cov(value) / n * (1 - n / n_pairs(x)))
  expect_equal(random$df, n - 1)
  grades <- noisy(x)
  line <- lm(x$gain[some] ~ grades[some])
  predicted <- coef(line)[[1]] + coef(line)[[2]] * grades
  error <- n_pairs(x) * weight[some, ] * residuals(line)
  ppi <- at("ppi", n, noisy)
  expect_equal(ppi$mean, colSums(weight * predicted) + colMeans(error))
  expect_equal(ppi$covariance, cov(error) / n * (1 - n / n_pairs(x)), ignore_attr = TRUE)
})

test_that("strata add up, each with two judgments at least", {
  case <- baseline_case(x, noisy, NULL, 1)
  found <- estimate_from_strata(case, 60)
  # On average over orders the estimate is the truth.
  means <- vapply(1:400, function(i) {
    case$order <- with_seed(i, sample.int(n_pairs(x)))
    estimate_from_strata(case, 60)$mean
  }, truth)
  error <- apply(means, 1, sd) / sqrt(400)
  expect_true(all(abs(rowMeans(means) - truth) < 4 * error))
  expect_gt(found$df, 50)
  expect_equal(sqrt(diag(found$covariance)), apply(means, 1, sd), tolerance = 0.5)
})

test_that("calibrated grades are the mean gain by grade, of the sample and the past", {
  n <- 50
  some <- drawn[seq_len(n)]
  grade <- noisy(x)
  expected <- ave(ifelse(seq_along(grade) %in% some, x$gain, NA), grade, FUN = function(v) mean(v, na.rm = TRUE))
  expected <- ifelse(is.nan(expected), grade, expected)
  expected[some] <- x$gain[some]
  expect_equal(at("calibrated", n, noisy)$mean, colSums(weight * expected))
  by_past <- ave(x$gain, grade)
  expect_equal(at("calibrated", 0, noisy, past = list(x))$mean, colSums(weight * by_past))
  expect_null(at("calibrated", n, noisy)$covariance)
})

test_that("gated calibration is isotonic, and a system that contradicts it states nothing", {
  n <- 60
  some <- drawn[seq_len(n)]
  grade <- noisy(x)
  # Pools adjacent violators in the means of the grades.
  isotonic <- function(some) {
    means <- tapply(x$gain[some], grade[some], mean)
    counts <- tabulate(match(grade[some], as.numeric(names(means))))
    block <- seq_along(means)
    repeat {
      level <- tapply(means * counts, block, sum) / tapply(counts, block, sum)
      falls <- which(diff(level) < 0)[1]
      if (is.na(falls)) break
      block[block == names(level)[falls + 1]] <- as.integer(names(level)[falls])
    }
    as.vector(level[as.character(block)])[pmax(findInterval(grade, as.numeric(names(means))), 1)]
  }
  gated <- at("gated", n, noisy)
  expect_equal(gated$mean, colSums(weight * replace(isotonic(some), some, x$gain[some])))
  fold <- rep(1:5, length.out = n)
  left_out <- lapply(1:5, function(i) isotonic(some[fold != i]))
  means <- vapply(left_out, function(gain) colSums(weight * replace(gain, some, x$gain[some])), truth)
  error <- x$gain[some] - vapply(seq_len(n), function(j) left_out[[fold[j]]][some[j]], 1)
  expected <- cov(t(means)) * 16 / 5 + mean(error^2) * crossprod(weight[-some, ])
  expect_equal(gated$covariance, expected)
  # All documents of the first system are better than their grades say.
  case <- baseline_case(x, noisy, NULL, 1)
  case$gain[weight[, 1] > 0] <- 100
  case$grades[] <- 1
  refused <- estimate_with_gate(case, n)
  expect_gt(refused$covariance[1, 1], (100 * sum(weight[-some, 1]))^2 / 12)
})

test_that("grades alone are the gains, and depth pooling begins with the first ranks", {
  expect_equal(at("grades", 30, function(x) x$gain)$mean, truth, ignore_attr = TRUE)
  best <- as.vector(tapply(result_position(x), rep(seq_len(n_pairs(x)), diff(x$results$offset)), min))
  first <- which(best == 1)
  gain <- replace(numeric(n_pairs(x)), first, x$gain[first])
  expect_equal(at("depth", length(first))$mean, colSums(weight * gain))
})

test_that("a study compares baselines, leaves out what has no gain, and says so", {
  holes <- x
  holes$gain[c(2, 30, 31)] <- NA
  methods <- list(random = baseline_method("random"), grades = baseline_method("grades", noisy))
  expect_warning(study <- mtc_study(holes, methods = methods, budgets = c(0, 40), replicates = 2, split = "whole",
                                    seed = 1), class = "judicious_warning_left_out")
  expect_identical(study$left_out, 3L)
  expect_output(print(study), "3 of .* pairs had no gain and were left out")
  figures <- summary(study)
  expect_identical(is.na(figures$brier), c(TRUE, FALSE, TRUE, TRUE))
  expect_false(anyNA(figures$accuracy))
  # The truth is that of the runs without the pairs.
  part <- suppressWarnings(judged_part(holes), classes = "judicious_warning_left_out")
  gain <- replace(holes$gain, c(2, 30, 31), 0)
  expect_equal(true_means(part, part$gain), true_means(holes, gain))
})

test_that("bad baselines are refused", {
  expect_snapshot(error = TRUE, {
    at("ppi", 0)
    baseline_method("best")
    baseline_method("grades", 1:3)$run(NULL, x, 0, 1, 0.95, truth)
    baseline_method("random")$run(NULL, set_measure(x, measure("nDCG@5")), 0, 1, 0.95, truth)
  })
})
