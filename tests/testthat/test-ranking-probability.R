x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 3, seed = 5)

test_that("rank probabilities of two systems agree with the normal distribution of their difference", {
  covariance <- matrix(c(4, 1, 0, 1, 3, 0, 0, 0, 1e-6), 3)
  ranking <- new_ranking(x, c(11, 10, -100), covariance)
  p <- rank_probabilities(ranking, draws = 40000, seed = 1)
  expect_equal(p$best[1], stats::pnorm(1 / sqrt(5)), tolerance = 0.01)
  expect_identical(p$best[3], 0)
  expect_equal(unname(rowSums(p[paste0("P", 1:3)])), rep(1, 3))
  expect_equal(unname(colSums(p[paste0("P", 1:3)])), rep(1, 3))
  expect_equal(p$expected_rank, as.vector(as.matrix(p[paste0("P", 1:3)]) %*% 1:3))
  expect_identical(p$rank_lower, c(1L, 1L, 3L))
  expect_identical(p$rank_upper, c(2L, 2L, 3L))
})

test_that("the first and last groups in the headline are the largest that the draws separate", {
  scores <- withr::with_seed(3, matrix(stats::rnorm(9 * 400), 9) + 9:1 * 0.7)
  for (level in c(0.6, 0.9, 0.99)) {
    all_pairs <- subset(expand.grid(last = 1:8, first = 1:8), first + last <= 9)
    all_pairs$share <- mapply(function(first, last) {
      mean(apply(scores, 2, function(s) min(s[seq_len(first)]) > max(s[seq(10 - last, 9)])))
    }, all_pairs$first, all_pairs$last)
    separated <- all_pairs[all_pairs$share >= level, ]
    ends <- separated_ends(scores, level)
    expect_identical(prod(ends), max(as.double(separated$first * separated$last)))
    expect_true(any(separated$first == ends[1] & separated$last == ends[2]))
  }
  expect_identical(separated_ends(rbind(scores[1, ], scores[1, ]), 0.5), c(0, 0))
})

test_that("the headline states the most informative order of groups that is certain", {
  headline <- function(mean, sd) ranking_statement(new_ranking(x, mean, diag(sd^2)))
  two <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 1, systems = 2, seed = 5)
  expect_identical(ranking_statement(new_ranking(two, c(1, 0), diag(2) * 1e-4)), "S01 is better than S02, above .99")
  expect_identical(headline(c(5, 4.8, 0), c(1, 1, 0.1)), "2 systems share ranks 1 to 2, above the last (jointly .95)")
  expect_identical(headline(c(5, 2.5, 0), rep(1.7, 3)),
                   "The first system is above the last (jointly .95); the best is one of 2 of 3 systems (.95), not S03")
  # If no order is certain, the systems that may be the best depend on the random draws.
  expect_identical(headline(c(5, 4.8, 2), c(2, 2, 1.3)), "The best is one of 2 of 3 systems (.95)")
  expect_identical(headline(c(5, 4.8, 4.6), c(2, 2, 2)),
                   "Any of the 3 systems may be the best (.95)")
  # The rank sets separate only the last system from all others, which is less informative than the first and last
  # groups.
  y <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 8, seed = 5)
  expect_identical(ranking_statement(new_ranking(y, c(17:14, 12:10, 0), diag(c(rep(1, 7), 0.01)))),
                   paste("The first 3 systems are above the last 4 (jointly .95);",
                         "the best is one of 3 of 8 systems (.95): S01, S02, S03"))
})

test_that("the headline states no shared ranks if the first and last groups include all systems", {
  y <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 8, seed = 5)
  ranking <- new_ranking(y, c(19, 14, 7, 5, 2, 0, 0, 0), diag(8))
  expect_identical(ranking_statement(ranking),
                   "The first 4 systems are above the last 4 (jointly .95); the best is S01 (.95)")
  # The rank sets, which hold simultaneously, determine some ranks but do not separate the two halves.
  sets <- as.data.frame(ranking)
  expect_identical(sets$rank_upper[1:2], 1:2)
  expect_gt(max(sets$rank_upper[1:4]), 4)
})

test_that("the smallest set that contains the best system has the most probable ones, and all identical to them", {
  # The systems are best in 5, 3, 1 and 1 of 10 draws; in the last draw, the fourth is tied with the first.
  scores <- matrix(0, 4, 10)
  scores[cbind(c(1, 1, 1, 1, 2, 2, 2, 3, 4, 1), 1:10)] <- 1
  scores[4, 10] <- 1
  expect_identical(best_set(scores, 0, 0.5), 1L)
  expect_identical(best_set(scores, 0, 0.51), 1:2)
  expect_identical(best_set(scores, 0, 0.9), c(1L, 2L, 4L))
  expect_identical(best_set(scores, 0, 0.91), 1:4)
  expect_identical(best_set(scores[c(2, 1, 1, 3, 4), ], 0, 0.8, first = c(1L, 2L, 2L, 4L, 5L)), 1:3)
  expect_identical(best_set_text(letters[1:5], 1L, " (.95)"), "the best is a (.95)")
  expect_identical(best_set_text(letters[1:22], 1:10, " (.95)"),
                   "the best is one of 10 of 22 systems (.95): a, b, c, d, e, f, g, h and 2 more")
  expect_identical(best_set_text(letters[1:5], 1:3, ""), "the best is one of 3 of 5 systems, not d, e")
  expect_identical(best_set_text(letters[1:5], 1:3, "", is_certain = FALSE), "the best is one of 3 of 5 systems")
})

test_that("long tables are cut, least certain or best rows first, and state how to print the rest", {
  ranking <- new_ranking(x, c(11, 10, -100), diag(c(4, 3, 1e-6)))
  p <- rank_probabilities(ranking, seed = 1)
  expect_snapshot({
    print(p, n = 2)
    print(system_differences(ranking), n = 1)
    system_differences(ranking, equal = 2)
    system_differences(ranking)[1:2, c("system_a", "difference")]
  })
})

test_that("functions of rankings also accept sessions and collections, and ask for a stratum if needed", {
  known <- judgments_of(x)[1:40, ]
  ranking <- rank_systems(x, judgments = known)
  x$gain <- assign_judgments(x, known)$gain
  s <- judging_session(x, seed = 1)
  for (of in list(system_differences, ranking_confidence, function(r) absolute_confidence(r, 5),
                  function(r) rank_probabilities(r, seed = 1))) {
    expect_equal(of(x), of(ranking))
    expect_equal(of(s), of(rank_systems(s)))
  }
  expect_equal(summary(s), progress(s))
  x$queries$type <- rep(c("a", "b"), 4)
  expect_snapshot(error = TRUE, {
    ranking_confidence(rank_systems(x, by = "type"))
    ranking_confidence(1)
  })
})

test_that("identical systems share their rank, their probabilities and their row", {
  root <- matrix(c(1, 2, 3, 4, 5, 6, 7, 8, 1), 3)
  five <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 5, seed = 5)
  of <- c(1, 1, 1, 2, 3)
  covariance <- crossprod(root)[of, of]
  ranking <- new_ranking(five, c(20, 20, 20, 19, 0), covariance)
  expect_identical(identical_systems(ranking), c(1L, 1L, 1L, 4L, 5L))
  p <- rank_probabilities(ranking, draws = 20000)
  expect_identical(p$best[1:3], rep(p$best[1], 3))
  expect_equal(unname(rowSums(p[paste0("P", 1:5)])), rep(1, 5))
  expect_equal(sum(p$best[3:5]), 1)
  expect_identical(merged_systems(ranking)$system, c("S01 = S02 = S03", "S04", "S05"))
  expect_identical(goal_top(2)$progress(ranking)$value, top_probability(ranking, c(TRUE, TRUE, FALSE, FALSE, FALSE)))
  # Of three identical systems, two cannot be better than the third by a positive margin, so such pairs are ignored.
  expect_gt(top_probability(ranking, c(TRUE, TRUE, FALSE, FALSE, FALSE), 0.5), 0)
  expect_identical(top_probability(ranking, c(TRUE, TRUE, FALSE, FALSE, FALSE), 0.5),
                   top_probability(ranking, c(TRUE, TRUE, TRUE, FALSE, FALSE), 0.5))
  tied <- new_ranking(five, c(3, 3, 1, 1, 0), matrix(0, 5, 5), judged = 50L)
  expect_identical(as.data.frame(tied)$rank_lower, c(1L, 1L, 3L, 3L, 5L))
  expect_identical(ranking_statement(tied),
                   paste("S01 = S02 share ranks 1 to 2, above all others; the order of the others is known but for",
                         "1 tied pair"))
  below <- new_ranking(five, c(3, 2, 2, 1, 1), matrix(0, 5, 5), judged = 50L)
  expect_identical(ranking_statement(below), "S01 is best; the order of the others is known but for 2 tied pairs")
  # Goals ignore the order of identical systems.
  confidence <- compare_pairs(ranking)
  expect_equal(goal_mean(0.9)$progress(ranking)$value, mean(confidence$confidence[confidence$variance > 0]))
  expect_identical(goal_mean(0.9)$progress(tied)$value, 1)
  expect_output(print(system_differences(ranking), n = 1), "S01 +S04")
  expect_match(pairs_in_words(ranking), "Least sure: S01 and S04")
})

test_that("rank sets use the same draws each time, and leave R's random number generator unchanged", {
  ranking <- new_ranking(x, c(11, 10, 9), diag(3))
  set.seed(3)
  first <- as.data.frame(ranking)
  after <- stats::runif(1)
  set.seed(3)
  expect_identical(stats::runif(1), after)
  expect_identical(as.data.frame(ranking), first)
})

test_that("draws with degrees of freedom have t distributed differences", {
  ranking <- new_ranking(x, c(11, 10, 9), matrix(c(4, 1, 0, 1, 3, 0, 0, 0, 2), 3))
  for (freedom in c(4, 10, Inf)) {
    drawn <- score_draws(ranking, draws = 20000, seed = 2, freedom = freedom)
    apart <- (drawn[1, ] - drawn[2, ] - 1) / sqrt(ranking$difference_variance[1, 2])
    at <- c(-4, -2, -0.5, 0, 1, 3)
    # The tolerance is four standard errors of a share.
    expect_lt(max(abs(stats::ecdf(apart)(at) - stats::pt(at, freedom))), 4 * 0.5 / sqrt(20000))
  }
  expect_identical(score_draws(ranking, 10, 2, Inf), score_draws(ranking, 20, 2)[, 1:10])
})

test_that("in t distributed draws, identical systems stay equal, and known scores constant", {
  ranking <- new_ranking(x, c(5, 5, 3), matrix(c(1, 1, 0, 1, 1, 0, 0, 0, 0), 3))
  drawn <- score_draws(ranking, freedom = 10)
  expect_identical(drawn[1, ], drawn[2, ])
  expect_identical(drawn[3, ], rep(3, ncol(drawn)))
})

test_that("rank sets contain the ranks of all systems at once in the stated share of rankings", {
  many <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 12, seed = 5)
  set.seed(1)
  covariance <- crossprod(matrix(stats::rnorm(144), 12)) / 12
  mean <- stats::rnorm(12, 0, 1.5)
  ranking <- new_ranking(many, mean, covariance)
  deviation <- t(chol(covariance)) %*% matrix(stats::rnorm(12 * 4000), 12)
  sets <- in_collection_order(ranking)
  held <- function(ranks) mean(apply(ranks >= sets$rank_lower & ranks <= sets$rank_upper, 2, all))
  scale <- sqrt(rank_set_freedom / stats::rchisq(4000, rank_set_freedom))
  # The tolerance is four standard errors of both samples.
  expect_lt(abs(held(apply(-mean - deviation * rep(scale, each = 12), 2, rank)) - 0.95), 0.035)
  ranks <- apply(-mean - deviation, 2, rank)
  expect_gt(held(ranks), 0.95)
  top <- rank(-mean) <= 3
  expect_lt(abs(top_probability(ranking, top) - mean(apply((ranks <= 3) == top, 2, all))), 0.07)
})

test_that("a subset of a table of pairs or rank probabilities can be printed with a number of rows", {
  ranking <- rank_systems(simulate_collection(4, 50, 10, systems = 4, seed = 1), judgments = FALSE)
  expect_output(print(subset(system_differences(ranking), confidence > 0), n = 2), "and 4 more pairs")
  expect_output(print(rank_probabilities(ranking)[1:3], n = Inf), "expected|best")
})
