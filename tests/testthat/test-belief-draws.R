case <- random_collection(8, systems = 5, queries = 6, k = 4, docs = 14, scale = gain_scale(0:3))
gains <- joint_gains(gain_prior(mean = .4), case$x, case$truth[seq(1, 40, by = 3), ])

test_that("normal draws have the means and covariances of the joint gains", {
  nsim <- 4000
  drawn <- simulate(gains, nsim, seed = 1, queries = c("q4", "q2"), on_scale = FALSE)
  expect_identical(unique(drawn$query), c("q4", "q2"))
  pairs <- find_pairs(case$x, drawn$query, drawn$doc)
  values <- as.matrix(drawn[-(1:2)])
  data <- as.data.frame(gains)[pairs, ]
  expect_true(all(abs(rowMeans(values) - data$mean) <= 4.5 * sqrt(data$variance / nsim) + 1e-12))
  exact <- vcov(gains, pairs)
  spread <- sqrt((tcrossprod(diag(exact)) + exact^2) / nsim)
  expect_true(all(abs(stats::cov(t(values)) - exact) <=
                    4.5 * spread + 1e-12))
})

test_that("draws on the scale are its levels, with the means of the joint gains, and judged gains are known", {
  nsim <- 4000
  drawn <- simulate(gains, nsim, seed = 2)
  data <- as.data.frame(gains)
  at <- match(paste(drawn$query, drawn$doc), paste(data$query, data$doc))
  expect_setequal(at, seq_along(at))
  data <- data[at, ]
  values <- as.matrix(drawn[-(1:2)])
  expect_true(all(values %in% 0:3))
  expect_true(all(values[data$judged, ] == data$mean[data$judged]))
  sd <- apply(values, 1, stats::sd)
  inside <- pmin(pmax(data$mean, .003), 2.997)
  open <- !data$judged
  expect_true(all((abs(rowMeans(values) - inside) <= 4.5 * sd / sqrt(nsim))[open]))
})

test_that("the seed decides the draws and the generator is left alone", {
  a <- keeps_generator(simulate(gains, 3, seed = 9))
  expect_identical(a, simulate(gains, 3, seed = 9))
  expect_identical(as.data.frame(rank_systems(case$x, gains, measure = "AP", draws = 20, seed = 4)),
                   as.data.frame(rank_systems(case$x, gains, measure = "AP", draws = 20, seed = 4)))
  expect_snapshot(error = TRUE, {
    simulate(gains, queries = "nobody")
    simulate(gains, 0)
    rank_systems(case$x, gains, measure = "AP", draws = 1)
  })
})

test_that("scores of draws are what evaluate() makes of the drawn gains", {
  draws <- 6
  drawn <- simulate(gains, draws, seed = 3)
  measures <- list(measure("AP(rel=2)"), measure("nDCG@3"), measure("ERR"), measure("gm_map"), measure("P(rel=2)@3"),
                   measure_custom("best", function(l) if (length(l$gain)) max(l$gain) / max(l$judged) else NA))
  for (m in measures) {
    ranking <- rank_systems(case$x, gains, measure = m, draws = draws, seed = 3)
    slow <- sapply(seq_len(draws), function(t) {
      truth <- data.frame(drawn[1:2], gain = drawn[[2 + t]])
      evaluate(case$x, truth, m, per = "mean")$value
    })
    expect_equal(unname(ranking$draws), unname(slow))
    expect_equal(unname(ranking$mean), rowMeans(slow))
    expect_equal(unname(ranking$covariance), stats::cov(t(slow)))
    ranks <- rank_probabilities(ranking, seed = 1)
    expect_equal(rowSums(ranks$probability), rep(1, 5))
    untied <- apply(slow, 2, anyDuplicated) == 0
    if (all(untied)) expect_equal(ranks$best[match(names(ranking$mean), ranks$system)], rowMeans(apply(-slow, 2, rank) == 1))
  }
})

test_that("new queries add the mean covariance between the drawn queries", {
  draws <- 4
  drawn <- simulate(gains, draws, seed = 3)
  between <- lapply(seq_len(draws), function(t) {
    truth <- data.frame(drawn[1:2], gain = drawn[[2 + t]])
    stats::cov(as.matrix(evaluate(case$x, truth, "AP(rel=2)")))
  })
  these <- rank_systems(case$x, gains, measure = "AP(rel=2)", draws = draws, seed = 3)
  new <- rank_systems(case$x, gains, measure = "AP(rel=2)", draws = draws, seed = 3, scope = "new")
  expect_equal(unname(new$covariance - these$covariance), unname(Reduce(`+`, between) / draws / 6))
})

test_that("draws of a linear measure agree with its exact moments", {
  # Few effects, so that normal gains stay on the scale and both ways describe the same distribution.
  all_features <- function(value) stats::setNames(rep(value, length(joint_features)), joint_features)
  small <- gain_prior(mean = .5, mean_sd = .05, slopes = all_features(0), slope_sd = all_features(.01),
                      variances = stats::setNames(c(.01, rep(.004, 10)), joint_terms))
  x <- case$x
  x$scale <- gain_scale(0:60)
  calm <- joint_gains(small, x, case$truth[0, ])
  exact <- rank_systems(x, calm, measure = "DCG@4")
  drawn <- calm
  drawn$collection <- in_measure(x, "DCG@4")
  scores <- draw_measure(drawn, drawn$collection, 4000, 1)$score
  expect_true(all(abs(rowMeans(scores) - exact$mean) < 4.5 * sqrt(diag(exact$covariance) / 4000)))
  c <- unname(exact$covariance)
  # 4.5 standard errors of a covariance of normal variables and a hundredth for the bounds of the scale.
  spread <- sqrt((tcrossprod(diag(c)) + c^2) / 4000)
  expect_true(all(abs(stats::cov(t(scores)) - c) < 4.5 * spread + 0.01 * sqrt(tcrossprod(diag(c)))))
})

test_that("a measure that is not linear is followed by the nearest that is", {
  followed <- joint_gains(gain_prior(mean = .4), case$x, case$truth[seq(1, 40, by = 3), ], measure = "AP(rel=2)")
  drawn <- draw_measure(followed, followed$collection, 400, 1, approximate = TRUE)
  now <- rank_by_belief(followed, followed$collection, 0)
  expect_equal(unname(now$mean), rowMeans(drawn$score))
  # The weights are least squares over all lists of all draws.
  all_gains <- simulate(followed, 400, seed = 1)
  lists <- lapply(seq_len(400), function(t) {
    gain <- all_gains[[2 + t]][match(paste(case$runs$query, case$runs$doc), paste(all_gains$query, all_gains$doc))]
    at <- tapply(gain / 3, list(paste(case$runs$system, case$runs$query), case$runs$rank), sum)
    relevant <- tapply(all_gains[[2 + t]] >= 2, all_gains$query, sum)[sub("^. ", "", rownames(at))]
    hit <- at >= 2 / 3
    ap <- rowSums(hit * t(apply(hit, 1, cumsum)) / col(hit)) / relevant
    cbind(at, y = ifelse(relevant > 0, ap, 0))
  })
  lists <- do.call(rbind, lists)
  expect_equal(as.vector(drawn$weights), unname(stats::coef(stats::lm(lists[, "y"] ~ lists[, 1:4]))))
  # What the next document is expected to tell is in units of the measure.
  best <- next_to_judge(followed, n = 3, seed = 1)
  expect_true(all(is.finite(best$score)) && nrow(best) == 3)
  x <- case$x
  x$gain <- case$truth$gain
  s <- judging_session(x, goal = goal_mean(0.999), measure = "AP(rel=2)", seed = 2, update_every = 10,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  trace <- as.data.frame(s, truth = case$truth)
  expect_identical(trace$accuracy[nrow(trace)], 1)
})

test_that("negative gains are in the pool and not judged, as evaluate() has them", {
  x <- case$x
  x$scale <- gain_scale(-1:2)
  truth <- transform(case$truth, gain = gain - 1)
  known <- joint_gains(gain_prior(), x, truth, update = FALSE)
  for (measure in c("AP", "nDCG@3")) {
    expect_equal(unname(rank_systems(x, known, measure = measure, draws = 2, seed = 1)$mean),
                 evaluate(x, truth, measure, per = "mean")$value)
  }
  part <- joint_gains(gain_prior(), x, truth[1:8, ], update = FALSE)
  drawn <- simulate(part, 2, seed = 5)
  slow <- sapply(3:4, function(t) evaluate(x, data.frame(drawn[1:2], gain = drawn[[t]]), "bpref", per = "mean")$value)
  expect_equal(unname(rank_systems(x, part, measure = "bpref", draws = 2, seed = 5)$draws), slow)
})
