x <- simulate_collection(queries = 12, documents = 200, artists = 30, systems = 7, seed = 4)
ranking <- rank_systems(x, "published", judgments = FALSE)
truth <- vapply(seq_len(7), function(s) sum(x$gain[judicious:::result_pair(x)[x$results$system == s]]) / (12 * 5), 0)
names(truth) <- x$systems$system

test_that("accuracy by confidence counts every pair once", {
  bins <- c(0.5, 0.7, 0.9, 0.99)
  found <- ranking_accuracy(ranking, bins = bins)
  pairs <- system_differences(ranking)
  right <- sign(pairs$difference) == sign(truth[pairs$system_a] - truth[pairs$system_b])
  for (i in seq_along(bins)) {
    here <- pairs$confidence >= bins[i] & pairs$confidence < c(bins, Inf)[i + 1]
    expect_equal(found$pairs[i], sum(here))
    expect_equal(found$accuracy[i], if (any(here)) mean(right[here]) else NA_real_)
  }
  expect_equal(sum(found$share), 1)
  expect_equal(found$to, c(0.7, 0.9, 0.99, 1))
  expect_equal(sum(found$pairs * found$accuracy, na.rm = TRUE) / sum(found$pairs),
               ranking_accuracy(ranking)[["accuracy"]])
})

test_that("invalid bins of confidence raise an error", {
  for (bins in list(0.6, c(0.5, 0.5), c(0.5, 1), "0.5", c(0.5, NA), numeric())) {
    expect_error(ranking_accuracy(ranking, bins = bins), class = "judicious_error_argument")
  }
})

test_that("a comparison states which pairs a ranking orders as the scores do", {
  scores <- evaluate(x, measure = measure("AG", 5))
  pairs <- compare_systems(scores, ranking = ranking)$pairs
  expect_identical(pairs$same_order,
                   unname(sign(ranking$mean[pairs$system_a] - ranking$mean[pairs$system_b]) ==
                            sign(truth[pairs$system_a] - truth[pairs$system_b])))
  expect_true(all(compare_systems(scores, ranking = rank_systems(x))$pairs$same_order))
  expect_null(compare_systems(scores)$pairs$same_order)
  names(ranking$mean)[1] <- "another"
  expect_error(compare_systems(scores, ranking = ranking), class = "judicious_error_argument")
})
