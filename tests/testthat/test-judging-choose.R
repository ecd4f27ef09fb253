by_weight <- function(x, gains = uniform_gains(x), n = 1000, comparisons = "all", tie_break = "pool", confidence = 0.95,
                      delta = 0, seed = NULL) {
  select_documents(x, gains, n, goal_mean(delta = delta), strategy_weight(comparisons, confidence, tie_break), seed = seed)
}

test_that("a document's weight is the number of comparisons of systems that its judgment affects", {
  case <- random_collection(1)
  c <- rowSums(dense_incidence(case))
  weight <- c * (5 - c)
  all <- by_weight(case$x)
  expect_equal(nrow(all), length(c))
  by <- order(-weight, seq_along(weight))
  expect_equal(all$score, unname(weight[by]))
  expect_equal(all$doc, case$truth$doc[by])
  expect_equal(by_weight(case$x, n = 4), all[1:4, ])
  expect_named(by_weight(case$x, n = 0), c("query", "doc", "score"))
})

test_that("weights over undecided comparisons equal explicit loops over pairs of systems", {
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
    got <- by_weight(case$x, g, comparisons = kind, confidence = threshold, delta = 1)
    at <- match(paste(got$query, got$doc), paste(case$truth$query, case$truth$doc))
    expect_equal(got$score, weight[at])
    expect_false(is.unsorted(-got$score))
  }
})

test_that("selection weights for a goal count only the comparisons or systems in that goal", {
  case <- random_collection(3)
  x <- case$x
  incidence <- dense_incidence(case)
  ranking <- rank_systems(x, uniform_gains(x))
  weights <- function(goal) strategy_weight("goal")$score(NULL, ranking, goal, 1)
  c <- rowSums(incidence)
  expect_equal(weights(goal_mean()), unname(c * (5 - c)))
  expect_equal(weights(goal_absolute(3)), unname(c))
  # For a goal about one system, only comparisons with this system count, in which exactly one of the two retrieved the
  # pair.
  undecided <- interests_of(goal_beats("B"), ranking)[[1]]$pairs
  slow <- apply(incidence, 1, function(row) {
    sum(undecided[upper.tri(undecided)] * outer(row, row, "!=")[upper.tri(undecided)])
  })
  expect_equal(weights(goal_beats("B")), unname(slow))
})

test_that("judged pairs are not selected again", {
  case <- random_collection(3)
  best <- by_weight(case$x, n = 3)
  judged <- merge(best[1, 1:2], case$truth)
  rest <- best[2:3, ]
  rownames(rest) <- NULL
  expect_equal(by_weight(case$x, update(uniform_gains(case$x), judged), n = 2), rest)
  own <- test_collection(case$runs, k = 3, judgments = judged)
  expect_equal(select_documents(own, n = 4, seed = 1), select_documents(joint_gains(own, gain_prior()), n = 4,
                                                                        seed = 1))
  expect_equal(nrow(by_weight(case$x, update(uniform_gains(case$x), case$truth))), 0)
})

test_that("documents of equal weight are selected in random order, which a seed reproduces", {
  case <- random_collection(4)
  draw <- function(seed) by_weight(case$x, tie_break = "random", seed = seed)
  first <- keeps_generator(draw(1))
  expect_equal(draw(1), first)
  expect_false(identical(draw(2), first))
  expect_equal(first$score, by_weight(case$x)$score)
  before <- .Random.seed
  draw(NULL)
  expect_false(identical(.Random.seed, before))
})

test_that("a batch from one query takes the query whose best documents have the largest total weight", {
  x <- demo_collection("some.tsv")
  gains <- update(uniform_gains(x), judgments_of(x))
  batches <- select_documents(x, gains, 3, strategy = strategy_weight(tie_break = "pool"), batches = 4, same_query = TRUE)
  expect_equal(batches$batch, rep(1:4, each = 3))
  all <- by_weight(x, gains)
  for (b in 1:4) {
    heaviest <- tapply(all$score, all$query, function(w) sum(sort(w, decreasing = TRUE)[1:3]))
    taken <- batches[batches$batch == b, ]
    expect_length(unique(taken$query), 1)
    expect_equal(sum(taken$score), max(heaviest, na.rm = TRUE))
    all <- all[!paste(all$query, all$doc) %in% paste(taken$query, taken$doc), ]
  }
  # If batches need not hold documents of one query, they are consecutive parts of a single selection.
  joint <- joint_gains(x, gain_prior())
  expect_equal(select_documents(joint, n = 2, batches = 3, seed = 1)[-1], select_documents(joint, n = 6, seed = 1))
})

test_that("the gradient strategy scores documents with independent gains by weighted variance reduction", {
  case <- random_collection(6)
  x <- case$x
  g <- uniform_gains(x)
  ranking <- rank_systems(x, g)
  sd <- sqrt(ranking$difference_variance)
  rate <- ifelse(sd > 0, stats::dnorm(abs(outer(ranking$mean, ranking$mean, `-`)) / sd) / sd, 0)
  incidence <- dense_incidence(case)
  fall <- apply(incidence, 1,
                function(row) sum((rate * outer(row, row, "!=") * 850)[upper.tri(rate)])) / gain_divisor(x)^2
  got <- select_documents(x, g, n = 1, seed = 1)
  expect_equal(got$score, max(fall))
})

test_that("invalid arguments of document selection raise errors", {
  case <- random_collection(5)
  expect_snapshot(error = TRUE, {
    select_documents(case$truth)
    select_documents(case$x, n = -1)
    select_documents(case$x, gains = case$truth)
    select_documents(case$x, strategy = 3)
    select_documents(case$x, batches = 0)
    select_documents(case$x, strategy = strategy_random(), seed = "a")
    strategy_weight("best")
    strategy_weight(tie_break = "pol")
    strategy_weight(confidence = 2)
  })
})
