x <- session_collection()

test_that("progress counts documents, judgments by assessor, and seconds", {
  s <- judging_session(x, goal = goal_budget(20), seed = 1, judgments = FALSE)
  a <- next_documents(s, 3, "a")
  judge(s, a$query, a$doc, c(10, 20, 30), "a", seconds = c(2, 9, NA))
  b <- next_documents(s, 2, "b")
  skip_document(s, b$query[1], b$doc[1], assessor = "b")
  p <- progress(s)
  expect_identical(p[c("judged", "skipped", "open")], list(judged = 3L, skipped = 1L, open = n_pairs(x) - 4L))
  expect_equal(p$goal, list(label = "20 judgments", value = 3, asked = 20, reached = FALSE, met = FALSE,
                            judgments = 3L))
  expect_equal(p$confidence, ranking_confidence(rank_systems(s)))
  expect_identical(p$assessors, data.frame(assessor = c("a", "b"), judged = c(3L, 0L), skipped = c(0L, 1L),
                                           median_seconds = c(5.5, NA), cost = c(3, 0)))
  expect_null(p$agreement)
  p$assessors$median_seconds[1] <- 4.2578125
  expect_output(print(p), "3 judged, 0 skipped, median 4.3 s")
  p$assessors$median_seconds[1] <- 5.5
  expect_snapshot(print(p))
})

test_that("head() of a session shows its first judgments", {
  s <- judging_session(x, seed = 1, judgments = FALSE)
  ask <- next_documents(s, 3)
  judge(s, ask$query, ask$doc, c(10, 50, 90))
  expect_identical(head(s, 2), judgments_of(s)[1:2, ])
})

test_that("the expected number of judgments is exact for a budget, 0 at its end and NA if unreachable", {
  s <- judging_session(x, goal = goal_budget(37), seed = 1, judgments = FALSE)
  expect_identical(progress(s)$expected_more, 37L)
  judge_truly(s, 10)
  expect_identical(progress(s)$expected_more, 27L)
  expect_identical(progress(s, expect = FALSE)$expected_more, NA_integer_)
  either <- judging_session(x, goal = goal_mean(0.9999) | goal_budget(5), seed = 1, judgments = FALSE)
  expect_identical(progress(either)$expected_more, 5L)
  expect_identical(progress(run_session(either, progress = FALSE))$expected_more, 0L)
  expect_identical(progress(judging_session(x, goal = goal_budget(10000), seed = 1,
                                            judgments = FALSE))$expected_more, NA_integer_)
})

test_that("simulated judgments move means by the variance that they remove", {
  e <- refresh(judging_session(x, goal = goal_mean(0.999999), seed = 1, judgments = FALSE)$engine)
  open <- 1:40
  now <- list(n = 0L, belief = e$belief, ranking = e$ranking, moves = list(matrix(0, 4000, 5)),
              reached = logical(4000))
  set.seed(1)
  later <- imagine_judgments(e, imagine_judgments(e, now, open, 15L), open, 25L)
  direct <- rank_by_belief(belief_imagine(e$belief, open), e$x, 0)
  expect_equal(later$ranking$covariance, direct$covariance)
  taken <- unname(e$ranking$covariance - direct$covariance)
  expect_equal(stats::cov(later$moves[[1]]), taken, tolerance = 0.1)
  expect_identical(later$n, 40L)
})

test_that("inter-assessor agreement in progress is Cohen's kappa of the overlap on the model's levels", {
  s <- judging_session(x, overlap = 1, batch = 10, seed = 1, judgments = FALSE)
  a <- next_documents(s, 10, "a")
  first <- c(0, 5, 20, 40, 60, 80, 100, 100, 33, 7)
  judge(s, a$query, a$doc, first, "a")
  b <- next_documents(s, 40, "b")
  b <- b[b$overlap, ]
  expect_identical(nrow(b), 10L)
  at <- match(paste(b$query, b$doc), paste(a$query, a$doc))
  second <- pmin(100, first[at] + 12)
  judge(s, b$query, b$doc, second, "b")
  level <- function(gain) pmin(floor(gain / 11 + 0.5), 9)
  expect_equal(progress(s)$agreement$estimate,
               agreement(level(first[at]), level(second), weights = "quadratic", levels = 0:9)$estimate)
  j <- judgments_of(s)
  expect_identical(sum(j$overlap), 10L)
  expect_true(all(is.na(j$mean[j$overlap])))
})

test_that("the expected number of judgments is cached until the goal changes, also if it is NA", {
  s <- judging_session(x, goal = goal_budget(10000), seed = 1, judgments = FALSE)
  expect_identical(progress(s)$expected_more, NA_integer_)
  select <- s$engine$strategy
  s$engine$strategy$score <- function(...) stop("worked out again")
  expect_identical(progress(s)$expected_more, NA_integer_)
  # A new goal makes a new computation necessary.
  set_goal(s$engine, goal_budget(20000))
  expect_error(progress(s), "worked out again")
  s$engine$strategy <- select
  progress(s)
  judge_truly(s, 1)
  s$engine$strategy$score <- function(...) stop("worked out again")
  # A cached number is recomputed after 2% more judgments; here one judgment is more than that.
  expect_error(progress(s), "worked out again")
})
