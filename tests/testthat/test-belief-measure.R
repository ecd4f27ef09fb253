case <- random_collection(4, systems = 6, queries = 5, k = 3, docs = 12)
prior <- gain_prior(mean = 0.4)
some <- case$truth[c(1, 4, 5, 9, 14, 20, 21), ]

# The weights of the documents in the systems' scores, for given rank weights: a matrix of pairs by systems.
dense_measure <- function(case, by_rank) {
  ids <- pool_ids(case$x)
  out <- matrix(0, nrow(ids), 6, dimnames = list(NULL, LETTERS[1:6]))
  row <- match(paste(case$runs$query, case$runs$doc), paste(ids$query, ids$doc))
  out[cbind(row, match(case$runs$system, LETTERS))] <- by_rank[case$runs$rank]
  out / length(unique(ids$query))
}

# Mean and covariance of the scores by dense matrices. `worth` has the values of the lowest and the highest gain in the
# measure.
dense_scores <- function(gains, weights, worth) {
  judged <- which(!is.na(gains$gain))
  unit <- unit_gain(gains$collection, gains$gain[judged])
  dense <- dense_condition(dense_joint_prior(gains), judged, unit)
  list(mean = as.vector(crossprod(weights, worth[1] + diff(worth) * dense$mean)),
       covariance = diff(worth)^2 * t(weights) %*% dense$covariance %*% weights, dense = dense)
}

linear <- list(
  list(measure = "AG@2", by_rank = c(1, 1, 0) / 2, worth = c(0, 100)),
  list(measure = "CG@3", by_rank = c(1, 1, 1), worth = c(0, 100)),
  list(measure = "DCG@3", by_rank = 1 / log2(2:4), worth = c(0, 100)),
  list(measure = "DCG(discount=log_b)@3", by_rank = c(1, 1, 1 / log2(3)), worth = c(0, 100)),
  list(measure = "nDCG(ideal=maximum)@3", by_rank = 1 / log2(2:4) / sum(1 / log2(2:4)) / 100, worth = c(0, 100)),
  list(measure = "ANDCG(ideal=maximum)@3", by_rank = {
    d <- 1 / log2(2:4)
    d * rev(cumsum(rev(1 / cumsum(d)))) / 3 / 100
  }, worth = c(0, 100)),
  list(measure = "RBP(gain=linear)", by_rank = .2 * .8^(0:2), worth = c(0, 1)),
  list(measure = "P(rel=50)@3", by_rank = c(1, 1, 1) / 3, worth = c(0, 1)),
  list(measure = "RBP(p=0.5,rel=30)", by_rank = .5^(1:3), worth = c(0, 1)),
  list(measure = measure("DCG", 3, gain = function(g) g^2), by_rank = 1 / log2(2:4), worth = c(0, 1e4))
)

test_that("estimates of linear measures equal explicit matrix computations", {
  for (one in linear) {
    gains <- joint_gains(case$x, prior, judgments = some, measure = one$measure)
    expected <- dense_scores(gains, dense_measure(case, one$by_rank), one$worth)
    ranking <- rank_systems(case$x, gains)
    expect_equal(unname(ranking$mean), expected$mean)
    expect_equal(unname(ranking$covariance), unname(expected$covariance))
    # If everything is judged, the scores are those of evaluate().
    all_judged <- joint_gains(case$x, prior, judgments = case$truth, update = FALSE, measure = one$measure)
    known <- evaluate(case$x, case$truth, one$measure, per = "mean")
    expect_equal(unname(rank_systems(case$x, all_judged)$mean), known$value)
    expect_equal(true_means(with_measure(case$x, one$measure), case$truth$gain), known$value)
  }
})

test_that("joint gains for a measure are estimated on the gains that the measure transforms", {
  gains <- joint_gains(case$x, prior, judgments = some, measure = "P(rel=50)@3")
  data <- as.data.frame(gains)
  expect_identical(data$mean[data$judged], as.numeric(gains$gain[data$judged] >= 50))
  plain <- joint_gains(case$x, prior, judgments = some, update = FALSE)
  scored <- joint_gains(case$x, prior, judgments = some, update = FALSE, measure = "DCG@3")
  expect_equal(as.data.frame(scored), as.data.frame(plain))
})

test_that("gains estimated for one measure serve every measure with the same gain function", {
  gains <- joint_gains(case$x, prior, judgments = some)
  for (measure in c("DCG@3", "nDCG(ideal=maximum)@3", "RBP(gain=linear)")) {
    own <- joint_gains(case$x, prior, judgments = some, measure = measure)
    expect_equal(rank_systems(case$x, gains, measure = measure)$covariance, rank_systems(case$x, own)$covariance)
  }
  relevant <- joint_gains(case$x, prior, judgments = some, measure = "P(rel=50)@3")
  expect_equal(rank_systems(case$x, relevant, measure = "RBP(rel=50)")$mean,
               rank_systems(case$x, joint_gains(case$x, prior, judgments = some, measure = "RBP(rel=50)"))$mean)
  expect_snapshot(error = TRUE, rank_systems(case$x, relevant, measure = "DCG@3"))
})

test_that("the selection score of a document is a weighted sum of the variance reductions of systems' differences", {
  gains <- joint_gains(case$x, prior, judgments = some, measure = "DCG@3", update = FALSE)
  expected <- dense_scores(gains, dense_measure(case, 1 / log2(2:4)), c(0, 100))
  ranking <- rank_systems(case$x, gains)
  got <- strategy_gradient()$score(gains, ranking, goal_mean(), 1)
  sd <- sqrt(ranking$difference_variance)
  rate <- ifelse(sd > 0, stats::dnorm(abs(outer(ranking$mean, ranking$mean, `-`)) / sd) / sd, 0)
  weights <- dense_measure(case, 1 / log2(2:4))
  for (pair in c(2, 11, 19)) {
    after <- dense_condition(expected$dense, pair, 0)$covariance
    fall <- t(weights) %*% (expected$dense$covariance - after) %*% weights
    of_differences <- outer(diag(fall), diag(fall), `+`) - 2 * fall
    expect_equal(got[pair], sum((rate * of_differences)[upper.tri(rate)]))
  }
  best <- select_documents(gains, n = 1, seed = 1)
  expect_equal(best$score, max(got))
})

test_that("the missing ranks of a short list count as gain 0", {
  gone <- with(case$runs, (system == "B" & rank == 3) | (system == "C" & query == "q2"))
  runs <- case$runs[!gone, ]
  x <- suppressWarnings(test_collection(runs, case$documents, case$teams, case$queries, k = 3, scale = case$x$scale))
  truth <- merge(pool_ids(x), case$truth)
  truth <- truth[match(do.call(paste, pool_ids(x)), paste(truth$query, truth$doc)), ]
  for (measure in c("P(rel=50)@3", "AG", "DCG@3", "nDCG(ideal=maximum)@3", "AP(rel=50)", "ERR@3")) {
    known <- suppressWarnings(evaluate(x, truth, measure, per = "mean"))$value
    gains <- joint_gains(x, prior, judgments = truth, update = FALSE, measure = measure)
    expect_equal(unname(rank_systems(x, gains, seed = 1)$mean), known)
  }
})

test_that("sessions and studies use the given measure", {
  x <- case$x
  x$gain <- case$truth$gain
  s <- judging_session(x, goal = goal_budget(8), measure = "P(rel=50)@3", seed = 1, audit = .5, judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_match(capture.output(print(rank_systems(s)))[1], "mean P(rel=50)@3", fixed = TRUE)
  trace <- as.data.frame(s, truth = case$truth)
  expect_equal(unname(ranking_accuracy(rank_systems(s), case$truth)),
               unlist(trace[9, c("accuracy", "tau")], use.names = FALSE))
  order <- judgments_of(s)
  z <- with(order, ((gain >= 50) - mean) / sd)
  expect_equal(calibration(s)$z2[1:2], c(mean(z[order$audit]^2), mean(z[!order$audit]^2)))
  x <- simulate_collection(queries = 10, documents = 150, artists = 20, teams = 3, systems = 5, seed = 6)
  study <- mtc_study(x, methods = list(joint = joint_method(), published = published_method(NULL)),
                     budgets = length(x$gain), replicates = 1, split = "whole", seed = 1, measure = "DCG@5")
  expect_equal(study$results$accuracy, c(1, 1))
})

test_that("measures that cannot be used to rank systems raise errors", {
  unranked <- test_collection(case$runs[c("system", "query", "doc")], k = 3, scale = fine_scale())
  expect_snapshot(error = TRUE, {
    joint_gains(unranked, prior, measure = "DCG@3")
    joint_gains(case$x, prior, measure = "DCG@5")
    joint_gains(case$x, prior, measure = c("P@1", "P@2"))
    joint_gains(case$x, prior, measure = "RBPresidual")
    joint_gains(case$x, prior, measure = "P(rel=0)@3")
    rank_systems(case$x, measure = "RR(rel=0)")
    rank_systems(case$x, measure = "AP(rel=101)")
    joint_gains(case$x, prior, measure = measure_custom("first", function(x) x$gain[1]))
    rank_systems(case$x, uniform_gains(case$x), measure = "RR")
    expected_scores(case$x, uniform_gains(case$x), measure = "AP")
  })
})

test_that("printed joint gains and rankings state their measure", {
  expect_snapshot({
    gains <- joint_gains(case$x, prior, judgments = some, measure = "P(rel=50)@3", update = FALSE)
    gains
    rank_systems(case$x, gains)
  })
})
