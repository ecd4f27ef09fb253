x <- simulate_collection(queries = 6, documents = 80, artists = 15, systems = 4, scale = gain_scale(0:3), seed = 8)
judged <- judgments_of(x)
weight <- vapply(seq_len(4), function(s) {
  vapply(seq_len(n_pairs(x)), function(i) {
    s %in% x$results$system[seq(x$results$offset[i] + 1, x$results$offset[i + 1])]
  }, NA) / (x$k * n_queries(x))
}, numeric(n_pairs(x)))

test_that("another assessor adds a variance for each judged document and for each query", {
  half <- judged[seq(1, nrow(judged), 2), ]
  gains <- joint_gains(gain_prior(), x, half)
  these <- rank_systems(x, gains)
  another <- rank_systems(x, gains, assessor = "another")
  expect_identical(another$mean, these$mean)
  added <- matrix(0, 4, 4)
  known <- !is.na(gains$gain)
  for (q in unique(x$pool$query)) {
    of <- which(known & x$pool$query == q)
    total <- colSums(weight[of, , drop = FALSE])
    added <- added + 9 * (0.16 * t(weight[of, , drop = FALSE]) %*% weight[of, , drop = FALSE] + 0.04 * total %o% total)
  }
  expect_equal(another$covariance - these$covariance, added, ignore_attr = TRUE)
  expect_lt(ranking_confidence(another), ranking_confidence(these))
  expect_output(print(another), "Confidence that another assessor would agree")
})

test_that("where nothing is judged any assessor is as good as another", {
  gains <- joint_gains(gain_prior(), x, judged[0, ])
  expect_equal(rank_systems(x, gains, assessor = "another")$covariance, rank_systems(x, gains)$covariance)
})

test_that("how much assessors differ is learnt from second judgments", {
  gain <- x$gain
  # Assessors who always agree leave less than the prior says, those who never do more.
  same <- assessor_variances(x, gain, gain)
  opposite <- assessor_variances(x, gain, 3 - gain)
  expect_lt(same$pair, 0.16)
  expect_lt(same$query, 0.04)
  expect_gt(opposite$pair, 0.16)
  # By hand: two queries, differences of 1 and 0 (times a third), and of 1, 1.
  second <- rep(NA_real_, n_pairs(x))
  gain[] <- 1
  at <- c(which(x$pool$query == 1)[1:2], which(x$pool$query == 2)[1:2])
  second[at] <- c(2, 1, 2, 2)
  found <- assessor_variances(x, gain, second)
  pair <- (50 * 0.16 + 2 * (1 / 6)^2) / 52
  between <- max(var(c(1 / 6, 1 / 3)) - pair / 2, 0)
  expect_equal(found, list(pair = pair, query = (10 * 0.04 + between) / 11))
  # A shift of everything is not an error.
  second[at] <- 2
  expect_equal(assessor_variances(x, gain, second)$pair, 50 * 0.16 / 52)
})

test_that("the variances are right for gains that are drawn with them", {
  large <- simulate_collection(queries = 200, documents = 2000, artists = 40, systems = 10, scale = gain_scale(0:3),
                               seed = 9)
  n <- n_pairs(large)
  found <- with_seed(1, {
    lenient <- stats::rnorm(200, sd = 0.3)[large$pool$query]
    assessor_variances(large, rep(1, n), 1 + 3 * (lenient + stats::rnorm(n, sd = 0.5)))
  })
  expect_equal(found$pair, 0.25, tolerance = 0.05)
  expect_equal(found$query, 0.09, tolerance = 0.2)
})

test_that("a session takes the second opinions of its overlap", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(30), overlap = 0.5, seed = 1)
  opinions <- function(query, doc) judged$gain[judged$query == query & judged$doc == doc]
  run_session(s, opinions, progress = FALSE)
  order <- judgments_of(s)
  again <- order[order$overlap, c("query", "doc", "gain")]
  expect_identical(rank_systems(s, assessor = "another")$covariance,
                   rank_systems(x, session_gains(s), assessor = "another",
                                second = if (nrow(again)) again)$covariance)
})

test_that("bad calls are refused", {
  expect_snapshot(error = TRUE, {
    rank_systems(x, assessor = "everybody")
    rank_systems(x, assessor = "another", measure = "nDCG@5", seed = 1)
    rank_systems(x, assessor = "another", second = data.frame(query = "q"))
  })
})
