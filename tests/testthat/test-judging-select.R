test_that("weights are the comparisons that a judgment would change", {
  case <- random_collection(1)
  incidence <- dense_incidence(case)
  c <- rowSums(incidence)
  weight <- c * (5 - c)
  all <- documents_to_judge(case$x, n = 1000)
  expect_equal(nrow(all), nrow(incidence))
  by <- order(-weight, seq_along(weight))
  expect_equal(all$weight, unname(weight[by]))
  expect_equal(all$doc, case$truth$doc[by])
  expect_equal(all$systems, unname(c[by]))
  expect_equal(documents_to_judge(case$x, n = 4), all[1:4, ])
  expect_named(documents_to_judge(case$x, n = 0), c("query", "doc", "systems", "weight"))
})

test_that("weights over undecided comparisons agree with loops over pairs of systems", {
  case <- random_collection(2)
  incidence <- dense_incidence(case)
  set.seed(2)
  g <- uniform_gains(case$x)
  g$mean <- runif(length(g$mean), 0, 100)
  d <- system_differences(rank_systems(case$x, g, delta = 1))
  threshold <- median(d$confidence)
  for (kind in c("undecided", "proportional")) {
    weight <- numeric(nrow(incidence))
    for (i in which(d$confidence < threshold)) {
      apart <- incidence[, d$system_a[i]] != incidence[, d$system_b[i]]
      weight <- weight + apart * if (kind == "undecided") 1 else d$confidence[i]
    }
    got <- documents_to_judge(case$x, g, n = 1000, weights = kind, confidence = threshold, delta = 1)
    at <- match(paste(got$query, got$doc), paste(case$truth$query, case$truth$doc))
    expect_equal(got$weight, weight[at])
    expect_false(is.unsorted(-got$weight))
  }
})

test_that("judged pairs are left out, whoever judged them", {
  case <- random_collection(3)
  best <- documents_to_judge(case$x, n = 3)
  judged <- merge(best[1, 1:2], case$truth)
  rest <- best[2:3, ]
  rownames(rest) <- NULL
  own <- test_collection(case$runs, k = 3, judgments = judged)
  expect_equal(documents_to_judge(own, n = 2), rest)
  expect_equal(documents_to_judge(case$x, judgments = judged, n = 2), rest)
  expect_equal(documents_to_judge(case$x, condition(uniform_gains(case$x), judged), n = 2), rest)
  # Gains that were not conditioned on the collection's own judgments start from none.
  expect_equal(documents_to_judge(own, uniform_gains(own), n = 3), best)
  expect_equal(nrow(documents_to_judge(case$x, judgments = case$truth)), 0)
})

test_that("random ties keep to the weights, repeat with the seed and leave the generator alone", {
  case <- random_collection(4)
  draw <- function(seed) documents_to_judge(case$x, n = 1000, ties = "random", seed = seed)
  set.seed(9)
  before <- .Random.seed
  first <- draw(1)
  expect_identical(.Random.seed, before)
  expect_equal(draw(1), first)
  expect_false(identical(draw(2), first))
  expect_equal(first$weight, documents_to_judge(case$x, n = 1000)$weight)
  draw(NULL)
  expect_false(identical(.Random.seed, before))
})

test_that("bad choices are said", {
  case <- random_collection(5)
  expect_snapshot(error = TRUE, {
    documents_to_judge(case$truth)
    documents_to_judge(case$x, n = -1)
    documents_to_judge(case$x, weights = "best")
    documents_to_judge(case$x, ties = "pol")
    documents_to_judge(case$x, gains = case$truth)
    documents_to_judge(case$x, judgments = 1)
    documents_to_judge(case$x, confidence = 2)
    documents_to_judge(case$x, ties = "random", seed = "a")
  })
})
