x <- simulate_collection(queries = 12, documents = 200, artists = 30, teams = 3, systems = 5, seed = 4)

test_that("a session is reproducible, judges no pair twice, and keeps the generator", {
  set.seed(1)
  before <- .Random.seed
  a <- judging_session(x, goal = goal_budget(30), audit = 0.3, seed = 7)
  expect_identical(.Random.seed, before)
  b <- judging_session(x, goal = goal_budget(30), audit = 0.3, seed = 7)
  expect_identical(a$order, b$order)
  expect_identical(a$trace, b$trace)
  expect_identical(a$trace$judged, 0:30)
  expect_false(any(duplicated(a$order[c("query", "doc")])))
  truth <- judgments_of(x)
  expect_identical(a$order$gain, truth$gain[match(paste(a$order$query, a$order$doc), paste(truth$query, truth$doc))])
})

test_that("the end of a session is what joint gains say of its judgments", {
  s <- judging_session(x, goal = goal_budget(15), audit = 0, update_every = 1000, seed = 1)
  g <- joint_gains(gain_prior(), x, s$order[c("query", "doc", "gain")], update = FALSE)
  expect_equal(s$ranking$mean, rank_systems(x, g)$mean)
  expect_equal(s$ranking$covariance, rank_systems(x, g)$covariance)
  expect_equal(unname(ranking_accuracy(s$ranking, judgments_of(x))),
               unlist(s$trace[16, c("accuracy", "tau")], use.names = FALSE))
  # The first document is the one that serves the goal most.
  first <- next_to_judge(joint_gains(gain_prior(), x, judgments_of(x)[0, ]), 1, seed = 1)
  expect_identical(unlist(s$order[1, c("query", "doc")], use.names = FALSE),
                   unlist(first[c("query", "doc")], use.names = FALSE))
})

test_that("what was expected of a document is what joint gains said before it was judged", {
  s <- judging_session(x, goal = goal_budget(6), audit = 0.5, update_every = 1000, seed = 2)
  before <- as.data.frame(joint_gains(gain_prior(), x, s$order[1:5, c("query", "doc", "gain")], update = FALSE))
  row <- before[before$query == s$order$query[6] & before$doc == s$order$doc[6], ]
  expect_equal(s$order$mean[6], row$mean)
  expect_equal(s$order$sd[6], sqrt(row$variance))
})

test_that("a person judges, passes over and stops", {
  asked <- 0
  s <- judging_session(x, function(query, doc) {
    asked <<- asked + 1
    if (asked == 2) NA else if (asked == 5) NULL else 50
  }, seed = 1, goal = goal_mean(0.9999))
  expect_identical(s$reason, "judge")
  expect_identical(s$order$gain, c(50, 50, 50))
  expect_snapshot(error = TRUE, judging_session(x, function(query, doc) 300, seed = 1))
})

test_that("a batch is chosen one by one, each given those before", {
  g <- joint_gains(gain_prior(), x, judgments_of(x)[1:10, ])
  batch <- next_to_judge(g, 4, seed = 1)
  pairs <- find_pairs(x, batch$query, batch$doc)
  imagined <- joint_imagine_cpp(joint_posterior(g), pairs[1])
  scores <- select_gradient()$score(imagined, ranking_of_posterior(x, imagined, g), goal_mean())
  expect_identical(which.max(scores), pairs[2])
  expect_equal(batch$score[2], max(scores))
})

test_that("a new query's cost makes known queries preferred", {
  g <- joint_gains(gain_prior(), x, judgments_of(x)[1:3, ])
  dear <- next_to_judge(g, 5, cost = judging_cost(1, 1e6), seed = 1)
  expect_identical(unique(dear$query), unique(judgments_of(x)[1:3, "query"]))
  s <- judging_session(x, goal = goal_budget(4), cost = judging_cost(2, 10), audit = 0, seed = 1)
  expect_equal(s$trace$cost[5], 2 * 4 + 10 * length(unique(s$order$query)))
})

test_that("calibration is that of the recorded expectations", {
  s <- judging_session(x, goal = goal_budget(40), audit = 0.5, seed = 3)
  k <- calibration(s)
  z <- with(s$order[s$order$audit, ], (gain - mean) / sd)
  expect_identical(k$n, as.integer(table(s$order$audit)[c("TRUE", "FALSE")]))
  expect_equal(k$z2[1], mean(z^2))
  expect_equal(k$within_80[1], mean(abs(z) < 1.2815515655446004))
  expect_snapshot(print(s))
})
