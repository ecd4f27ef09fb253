# A small version of bench/statements.R. True gains are drawn from the model, so statements of sessions must hold as
# often as stated. A share may fall short by two standard errors, as in the study.
x <- simulate_collection(queries = 10, documents = 80, artists = 12, teams = 3, systems = 5, seed = 3)
x$gain[] <- NA
# With fixed variances, true gains are drawn from the same prior that sessions use.
prior <- gain_prior(variances = gain_prior()$variance)

worlds <- lapply(1:30, function(seed) {
  truth <- with_seed(seed, draw_truth(belief_prepare(prior, x, NULL), x))
  list(x = replace(x, "gain", list(truth)), means = true_means(x, truth), seed = seed)
})

ranked_after <- function(world, goal) {
  rank_systems(run_session(judging_session(world$x, past = prior, goal = goal, seed = world$seed, judgments = FALSE)))
}

# Expects that statements with the probabilities `stated` hold at least as often as stated.
expect_held <- function(held, stated) {
  expect_gte(mean(held), mean(stated) - 2 * sqrt(mean(stated * (1 - stated)) / length(held)))
}

true_ranks <- function(world) rank(-world$means, ties.method = "min")

test_that("rank sets hold jointly, and the stated best system is best, at least as often as stated", {
  after <- lapply(worlds, ranked_after, goal_budget(15))
  sets <- lapply(after, rank_sets)
  covered <- mapply(function(of, world) {
    all(true_ranks(world) >= of$lower & true_ranks(world) <= of$upper)
  }, sets, worlds)
  expect_held(covered, rep(0.95, length(worlds)))
  # The sets are not too wide: sets of level .5 do not always hold.
  half <- mapply(function(ranking, world) {
    of <- rank_sets(ranking, 0.5)
    all(true_ranks(world) >= of$lower & true_ranks(world) <= of$upper)
  }, after, worlds)
  expect_lt(mean(half), 0.95)
  expect_held(half, rep(0.5, length(worlds)))
  best <- vapply(after, function(ranking) rank_probabilities(ranking)$best[1], 1)
  is_best <- mapply(function(ranking, world) true_ranks(world)[systems_best_first(ranking)[1]] == 1, after, worlds)
  expect_held(is_best, best)
  # Statements about the best system hold more often than stated, because gains on a scale vary less than the normal
  # gains on which statements are based: in 150 simulated collections, they held in .77 at a mean stated probability of
  # .54.
})

test_that("pairs and top sets stated with a confidence are right at least that often", {
  after <- lapply(worlds, ranked_after, goal_budget(20))
  of_pairs <- Map(function(ranking, world) {
    pairs <- system_differences(ranking)
    apart <- world$means[match(pairs$system_a, x$systems$system)] - world$means[match(pairs$system_b, x$systems$system)]
    sure <- pairs$confidence >= 0.8
    data.frame(held = mean((sign(apart) == sign(pairs$difference))[sure]), stated = mean(pairs$confidence[sure]))
  }, after, worlds)
  of_pairs <- stats::na.omit(do.call(rbind, of_pairs))
  expect_gt(nrow(of_pairs), 20)
  # Errors of the pairs of a simulated collection are correlated, so each collection counts once.
  expect_held(of_pairs$held, of_pairs$stated)
  top <- vapply(after, function(ranking) goal_top(2, 0.9)$progress(ranking)$value, 1)
  right <- mapply(function(ranking, world) setequal(which(true_ranks(world) <= 2), systems_best_first(ranking)[1:2]),
                  after, worlds)
  expect_held(right, top)
  # Statements that the first systems are above the last ones.
  above <- unlist(Map(function(ranking, world) {
    order <- systems_best_first(ranking)
    ends <- separated_ends(score_draws(ranking)[order, ], 0.8)
    if (prod(ends) > 0) min(world$means[head(order, ends[1])]) > max(world$means[tail(order, ends[2])])
  }, after, worlds))
  expect_gt(length(above), 15)
  expect_held(above, rep(0.8, length(above)))
})

test_that("sessions that reach a goal are right as often as the goal requires", {
  after <- lapply(worlds, ranked_after, goal_top(2, 0.8))
  right <- mapply(function(ranking, world) setequal(which(true_ranks(world) <= 2), systems_best_first(ranking)[1:2]),
                  after, worlds)
  expect_held(right, rep(0.8, length(worlds)))
  expect_true(all(vapply(after, `[[`, 1L, "judged") >= least_judgments))
  after <- lapply(worlds, ranked_after, goal_mean(0.85))
  expect_held(mapply(function(ranking, world) {
    (1 + tau_of_means(ranking$mean, world$means, gain_resolution(world$x))) / 2
  }, after, worlds), rep(0.85, length(worlds)))
})
