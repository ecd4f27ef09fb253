# Queries with weights. The reference for a weight of 2 is a collection that contains the query twice; joint gains are
# compared with matrix algebra.

# The collection in which each query is repeated as often as its weight states.
repeated_case <- function(case) {
  copies <- lapply(seq_along(case$weight), function(q) {
    lapply(seq_len(case$weight[q]), function(i) {
      rows <- case$runs[case$runs$query == case$table$query[q], ]
      truth <- judgments_of(case$plain)
      truth <- truth[truth$query == case$table$query[q], ]
      rows$query <- truth$query <- paste0(case$table$query[q], "_", i)
      truth$query <- rep(rows$query[1], nrow(truth))
      list(rows = rows, truth = truth)
    })
  })
  copies <- unlist(copies, recursive = FALSE)
  rows <- do.call(rbind, lapply(copies, `[[`, "rows"))
  test_collection(rows[order(rows$system), ], systems = case$plain$systems, k = case$plain$k,
                  scale = broad_scale(), judgments = do.call(rbind, lapply(copies, `[[`, "truth")))
}

test_that("scores with integer query weights equal those with repeated queries", {
  case <- weighted_case()
  repeated <- repeated_case(case)
  measures <- c("AG@5", "nDCG@5", "AP", "P@5", "gm_map", "num_rel_ret")
  expect_equal(evaluate(case$weighted, measure = measures, per = "mean")$value,
               evaluate(repeated, measure = measures, per = "mean")$value)
  scores <- evaluate(case$weighted, measure = "AG@5")
  means <- evaluate(repeated, measure = "AG@5", per = "mean")
  means <- means[order(-means$value), ]
  expect_equal(summary(scores), data.frame(system = means$system, "AG@5" = means$value, check.names = FALSE))
  for (measure in list(NULL, "nDCG(ideal=maximum)@5", "AP", "P@5")) {
    expect_equal(rank_systems(case$weighted, "published", measure = measure)$mean,
                 rank_systems(repeated, "published", measure = measure)$mean)
  }
  # A nonlinear measure is ranked by draws; if everything is judged, the draws do not vary.
  expect_equal(rank_systems(case$weighted, measure = "RR", draws = 3, seed = 1)$mean,
               rank_systems(repeated, measure = "RR", draws = 3, seed = 1)$mean)
  custom <- measure_custom("first gain", function(list) list$gain[1])
  expect_equal(rank_systems(case$weighted, measure = custom, draws = 3, seed = 1)$mean,
               rank_systems(repeated, measure = custom, draws = 3, seed = 1)$mean)
})

test_that("query weights count relative to each other, and equal weights have no effect", {
  case <- weighted_case()
  scaled <- weighted_case(case$weight / 7)
  some <- judgments_of(case$plain)[1:20, ]
  of <- function(x) rank_systems(x, judgments = some)[c("mean", "covariance")]
  expect_equal(of(case$weighted), of(scaled$weighted))
  equal <- weighted_case(rep(4, 5))
  expect_equal(of(equal$weighted), of(equal$stratified))
  by_draws <- function(x) {
    rank_systems(x, judgments = some, measure = "AP", draws = 50, seed = 1)[c("mean", "covariance")]
  }
  expect_equal(by_draws(equal$weighted), by_draws(equal$stratified))
  expect_match(capture.output(print(rank_systems(case$weighted)))[1], "weighted mean AG@5")
  expect_no_match(capture.output(print(rank_systems(equal$weighted)))[1], "weighted")
})

test_that("weighted means and covariances equal sums over the pool", {
  case <- weighted_case()
  x <- case$weighted
  some <- judgments_of(x)[c(1, 5, 9, 20, 33), ]
  a <- weight_matrix(x, case$weight)
  gains <- joint_gains(x, gain_prior(), judgments = some)
  table <- as.data.frame(gains)
  pairs <- seq_len(nrow(table))
  ranking <- rank_systems(x, gains)
  expect_equal(unname(ranking$mean), as.vector(a %*% table$mean))
  expect_equal(unname(ranking$covariance), unname(a %*% vcov(gains, pairs) %*% t(a)), tolerance = 1e-6)
  uniform <- update(uniform_gains(x), some)
  independent <- rank_systems(x, uniform)
  expect_equal(unname(independent$covariance), a %*% diag(uniform$variance) %*% t(a))
  # With independent gains, the variance of AP is that of a weighted sum over independent queries.
  own <- vapply(seq_along(case$weight), function(q) {
    one <- test_collection(case$runs[case$runs$query == case$table$query[q], ], k = x$k, scale = broad_scale())
    rank_systems(one, uniform_gains(one), measure = "AP")$covariance[1, 1]
  }, 0)
  plain <- rank_systems(x, uniform_gains(x), measure = "AP")
  expect_equal(plain$covariance[1, 1], sum((case$weight / sum(case$weight))^2 * own))
})

test_that("draws of a nonlinear measure use the query weights", {
  case <- weighted_case()
  x <- case$weighted
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:10, ])
  ranking <- rank_systems(x, gains, measure = "AP", draws = 40, seed = 1)
  # The same draws of the gains, evaluated one by one.
  drawn <- draw_gains(gains, seq_len(5), 40, stream_seed(1))
  pair <- pairs_of_queries(x, seq_len(5))
  by_hand <- vapply(1:4, function(d) {
    truth <- data.frame(pool_ids(x)[pair, ], gain = drawn[, d])
    scores <- as.matrix(evaluate(case$stratified, truth, "AP", ties = "rank"))[case$table$query, x$systems$system]
    as.vector(crossprod(scores, case$weight / sum(case$weight)))
  }, numeric(4))
  expect_equal(unname(ranking$draws[, 1:4]), unname(by_hand))
  drawn <- draw_measure(gains, with_measure(x, "AP"), 40, stream_seed(1))
  # The part of the draws that the weighted sums of the gains do not explain has 1 + 5 / 100 times its variance, for 5
  # queries.
  sums <- drawn$linear - rowMeans(drawn$linear)
  deviation <- drawn$score - rowMeans(drawn$score)
  apart <- function(scores) scores - rep(colMeans(scores), each = nrow(scores))
  explained <- sum(apart(sums) * apart(deviation)) / sum(apart(sums)^2) * sums
  widened <- ((1 - 1 / sqrt(1 + 5 / 100)) * (deviation - explained))[, 1:4]
  expect_equal(unname(drawn$score[, 1:4] - widened), unname(ranking$mean + drawn$spread * (by_hand - ranking$mean)))
})

test_that("studies and sessions use the query weights", {
  case <- weighted_case()
  x <- case$weighted
  s <- judging_session(x, goal = goal_budget(12), seed = 1, judgments = FALSE)
  run_session(s)
  a <- weight_matrix(x, case$weight)
  expect_equal(unname(rank_systems(s)$mean), as.vector(a %*% as.data.frame(gain_distribution(s))$mean))
  drawn <- restrict_to_queries(x, c(1, 1, 3))
  expect_equal(drawn$scoring$weight, over_queries(drawn, rep(1 / x$k, n_results(drawn))))
  truth <- true_means(x, x$gain)
  expect_equal(ranking_accuracy(rank_systems(x))[["accuracy"]], 1)
  expect_equal(unname(rank_systems(x)$mean), unname(truth))
})

test_that("invalid and unsupported query weights raise errors", {
  case <- weighted_case()
  x <- case$weighted
  make <- function(weight, queries = case$table$query) {
    test_collection(case$runs, queries = data.frame(query = queries, weight = weight), k = x$k, scale = broad_scale())
  }
  expect_snapshot(error = TRUE, {
    make(letters[1:5])
    make(c(1, 0, 1, 1, 1))
    suppressWarnings(make(1:4, case$table$query[1:4]))
    compare_systems(evaluate(x, measure = "AP"))
    expected_scores(x, uniform_gains(x))
    rank_systems(x, scope = "new")
    evaluate(x, rbind(judgments_of(x), data.frame(query = "other", doc = "d", gain = 1)), "AP")
    rank_systems(x, joint_gains(case$stratified, gain_prior()))
  })
})

test_that("if a query is also a document, the document's weight is not used as query weight", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = c("d1", "d2"), doc = c("d3", "d4", "d4", "d3"))
  documents <- data.frame(doc = paste0("d", 1:4), weight = 1:4, genre = "x")
  x <- test_collection(runs, documents, k = 1, scale = broad_scale())
  expect_named(x$queries, c("query", "genre"))
  expect_null(x$scoring$weight)
})
