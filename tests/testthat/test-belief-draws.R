case <- random_collection(8, systems = 5, queries = 6, k = 4, docs = 14, scale = gain_scale(0:3))
gains <- joint_gains(case$x, gain_prior(mean = .4), judgments = case$truth[seq(1, 40, by = 3), ])

# The sum of the squared differences over all pairs of systems, averaged over draws of their scores (systems by draws).
squared_differences <- function(covariance) {
  pairs <- utils::combn(nrow(covariance), 2)
  sum(diag(covariance)[pairs[1, ]] + diag(covariance)[pairs[2, ]] - 2 * covariance[t(pairs)])
}

# Drawn scores, rescaled such that the systems' mean gains in the draws have their exact variances. The part of the
# deviations that differences in mean gain do not explain gets 1 + n / 100 times its variance, for n queries.
spread_by_hand <- function(scores, x, gains, drawn) {
  runs <- as.data.frame(x)
  at <- match(paste(runs$query, runs$doc), paste(drawn$query, drawn$doc))
  mean_gain <- rowsum(as.matrix(drawn[at, -(1:2)]), factor(runs$system, x$systems$system))
  exact <- squared_differences(rank_systems(x, gains)$covariance * (x$k * nrow(x$queries))^2)
  factor <- sqrt(exact / squared_differences(stats::cov(t(mean_gain))))
  deviation <- factor * (scores - rowMeans(scores))
  mean_gain <- mean_gain - rowMeans(mean_gain)
  pairs <- utils::combn(nrow(scores), 2)
  differences <- function(v) as.vector(v[pairs[1, ], ] - v[pairs[2, ], ])
  slope <- stats::coef(stats::lm(differences(deviation) ~ differences(mean_gain) - 1))
  explained <- unname(slope) * mean_gain
  rowMeans(scores) + unname(explained + sqrt(1 + nrow(x$queries) / 100) * (deviation - explained))
}

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

test_that("draws on the scale are gain levels with the means of the joint gains, and judged gains are fixed", {
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

test_that("a seed determines the draws, which leave the state of the random number generator unchanged", {
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

test_that("scores of drawn gains are those of evaluate(), rescaled to the exact variances of mean gains", {
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
    spread <- spread_by_hand(slow, case$x, gains, drawn)
    expect_equal(unname(ranking$draws), unname(slow))
    expect_equal(unname(ranking$mean), rowMeans(spread))
    expect_equal(unname(ranking$covariance), stats::cov(t(spread)))
    ranks <- rank_probabilities(ranking, seed = 1)
    expect_equal(unname(rowSums(ranks[paste0("P", 1:5)])), rep(1, 5))
    untied <- apply(slow, 2, anyDuplicated) == 0
    if (all(untied)) expect_equal(ranks$best[match(names(ranking$mean), ranks$system)],
                                  rowMeans(apply(-slow, 2, rank) == 1))
  }
})

test_that("confidence in a measure by draws is the share of draws, pooled with the normal one, with tails of t", {
  ranking <- rank_systems(case$x, gains, measure = "AP(rel=2)", draws = 50, seed = 3)
  for (delta in c(0, 0.02)) {
    compared <- compare_pairs(ranking, delta)
    by_hand <- mapply(function(a, b) {
      of_better <- sign(ranking$mean[a] - ranking$mean[b]) * (ranking$draws[a, ] - ranking$draws[b, ])
      share <- mean((of_better > delta + 1e-12) + (abs(of_better - delta) <= 1e-12) / 2)
      z <- (abs(ranking$mean[a] - ranking$mean[b]) - delta) / sqrt(ranking$difference_variance[a, b])
      p <- stats::pt(stats::qnorm((50 * share + sqrt(50) * stats::pnorm(z)) / (50 + sqrt(50))), 10)
      if (delta == 0) max(p, 0.5) else p
    }, compared$a, compared$b)
    expect_equal(compared$confidence, unname(by_hand))
  }
  decided <- rank_systems(case$x, judgments = case$truth, measure = "AP(rel=2)")
  expect_setequal(compare_pairs(decided)$confidence, 1)
})

test_that("printing a ranking by draws does not change it", {
  ranking <- rank_systems(case$x, gains, measure = "AP(rel=2)", draws = 50, seed = 3)
  bytes <- serialize(ranking, NULL)
  capture.output(print(ranking))
  expect_identical(serialize(ranking, NULL), bytes)
})

test_that("a session keeps confidence by draws only for the means, variances and difference of which it is", {
  ranking <- rank_systems(case$x, gains, measure = "AP(rel=2)", draws = 50, seed = 3)
  ranking$shares <- new.env()
  anew <- function(ranking, delta = 0) compare_pairs(replace(ranking, "shares", list(NULL)), delta)$confidence
  moved <- ranking
  moved$mean <- rev(ranking$mean)
  spread <- ranking
  for (field in c("covariance", "difference_variance")) spread[[field]] <- 4 * ranking[[field]]
  first <- compare_pairs(ranking)$confidence
  expect_false(isTRUE(all.equal(first, anew(moved))) || isTRUE(all.equal(first, anew(ranking, 0.02))))
  for (i in 1:2) {
    expect_identical(compare_pairs(moved)$confidence, anew(moved))
    expect_identical(compare_pairs(ranking, 0.02)$confidence, anew(ranking, 0.02))
    expect_identical(compare_pairs(spread)$confidence, anew(spread))
    expect_identical(compare_pairs(ranking)$confidence, first)
  }
})

test_that("without judgments, ranks by draws are in the order of the estimates", {
  # Most draws differ little, in the order of the estimates, and few differ much, so that the median is below the mean.
  for (m in c("AP@10", "RR@10")) {
    ranks <- rank_probabilities(rank_systems(text_demo, judgments = FALSE, measure = m))
    expect_gt(stats::cor(ranks$expected_rank, seq_len(nrow(ranks)), method = "kendall"), 0.9)
  }
})

# If the deviations of a system's draws, times a factor for each draw, exceed 0 or 1, a curve through the mean and this
# end moves them inside.
limited_by_hand <- function(scores, factor) {
  centre <- rowMeans(scores)
  spread <- centre + (scores - centre) * rep(factor, each = nrow(scores))
  for (s in seq_len(nrow(scores))) {
    for (end in 0:1) {
      side <- which((scores[s, ] - centre[s]) * (end - 0.5) > 0)
      if (all((spread[s, side] - end) * (end - 0.5) <= 0) && all(scores[s, side] != end)) next
      share <- (scores[s, side] - centre[s]) / (end - centre[s])
      spread[s, side] <- centre[s] + (end - centre[s]) * (1 - (1 - share)^factor[side])
    }
  }
  spread
}

test_that("draws with heavier tails stay in the range of the measure", {
  draws <- 40
  factor <- sqrt(5 / stats::qchisq((seq_len(draws) * (sqrt(5) - 1) / 2) %% 1, 5))
  for (m in c("RR(rel=2)", "ERR")) {
    ranking <- rank_systems(case$x, gains, measure = m, draws = draws, seed = 3)
    stretched <- score_draws(ranking, freedom = 5)
    expect_equal(unname(stretched), limited_by_hand(unname(ranking$draws), factor))
    expect_true(all(stretched >= 0 & stretched <= 1))
  }
})

test_that("for new queries, the covariance of the drawn scores between queries is added", {
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

test_that("draws of a linear measure have its means and the exact mean variance of differences", {
  # Here systems differ more than gains on a bounded scale allow.
  gains <- joint_gains(case$x, gain_prior(mean = .4, variances = c(system = .3)), judgments = case$truth[1:5, ],
                       update = FALSE)
  exact <- rank_systems(case$x, gains)
  drawn <- draw_measure(gains, with_measure(case$x, "AG@4"), 4000, 1)
  expect_gt(drawn$spread, 1)
  expect_equal(squared_differences(stats::cov(t(drawn$score))), squared_differences(unname(exact$covariance)))
  sd <- apply(drawn$score, 1, stats::sd)
  # Means outside the scale are moved to its ends.
  moved <- with(as.data.frame(gains), pmin(pmax(mean, .003), 2.997) - mean)
  runs <- as.data.frame(case$x)
  at <- match(paste(runs$query, runs$doc), with(as.data.frame(gains), paste(query, doc)))
  moved <- rowsum(moved[at], runs$system)[case$x$systems$system, ] / (4 * 6)
  expect_true(all(abs(rowMeans(drawn$score) - exact$mean - moved) < 4.5 * sd / sqrt(4000)))
})

test_that("fewer draws are used after 1 to 19 judgments, when no goal can be met", {
  draws_after <- function(n) {
    gains <- joint_gains(case$x, gain_prior(mean = .4), judgments = utils::head(case$truth, n), measure = "AP(rel=2)")
    ncol(gains$approximation$draws)
  }
  expect_identical(vapply(c(0, 1, 19, 20), draws_after, 1L), c(400L, 104L, 104L, 400L))
})

test_that("documents are selected by the least-squares linear approximation of a nonlinear measure", {
  followed <- joint_gains(case$x, gain_prior(mean = .4), judgments = case$truth[seq(1, 40, by = 3), ],
                          measure = "AP(rel=2)")
  own <- draw_measure(followed, followed$collection, 104, 1, approximate = TRUE)
  now <- rank_by_belief(followed, followed$collection, 0)
  expect_equal(unname(now$mean), rowMeans(own$score))
  expect_equal(unname(now$covariance), stats::cov(t(own$score)))
  drawn <- draw_measure(followed, followed$collection, 400, 1, approximate = TRUE)
  # The weights are the least-squares coefficients over all lists of all draws.
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
  # The expected variance reduction of a document is in the unit of the measure.
  best <- select_documents(followed, n = 3, seed = 1)
  expect_true(all(is.finite(best$score)) && nrow(best) == 3)
  x <- case$x
  x$gain <- case$truth$gain
  s <- judging_session(x, goal = goal_mean(0.999), measure = "AP(rel=2)", seed = 2, update_every = 10,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  trace <- as.data.frame(s, truth = case$truth)
  expect_identical(trace$accuracy[nrow(trace)], 1)
})

test_that("documents with negative gains are in the pool but unjudged, as in evaluate()", {
  x <- case$x
  x$scale <- gain_scale(-1:2)
  truth <- transform(case$truth, gain = gain - 1)
  known <- joint_gains(x, gain_prior(), judgments = truth, update = FALSE)
  for (measure in c("AP", "nDCG@3")) {
    expect_equal(unname(rank_systems(x, known, measure = measure, draws = 2, seed = 1)$mean),
                 evaluate(x, truth, measure, per = "mean")$value)
  }
  part <- joint_gains(x, gain_prior(), judgments = truth[1:8, ], update = FALSE)
  drawn <- simulate(part, 2, seed = 2)
  slow <- sapply(3:4, function(t) evaluate(x, data.frame(drawn[1:2], gain = drawn[[t]]), "bpref", per = "mean")$value)
  ranking <- rank_systems(x, part, measure = "bpref", draws = 2, seed = 2)
  expect_equal(unname(ranking$draws), slow)
  expect_equal(unname(ranking$covariance), stats::cov(t(spread_by_hand(slow, x, part, drawn))))
})

test_that("systems that tie for the highest score in every draw are each best with probability 1", {
  # Systems a and b have a relevant document at rank 1; that of system c is not judged.
  runs <- expand.grid(query = paste0("q", 1:6), system = c("a", "b", "c"), rank = 1:2)
  runs$doc <- paste0(ifelse(runs$rank == 2, "x", "ab"), runs$query, ifelse(runs$rank == 1 & runs$system == "c", "c", ""))
  runs$doc[runs$rank == 2] <- paste0(runs$doc, runs$system)[runs$rank == 2]
  x <- test_collection(runs, k = 2, scale = gain_scale(0:1))
  judged <- data.frame(query = paste0("q", 1:6), doc = paste0("abq", 1:6), gain = 1)
  ranking <- rank_systems(x, judgments = judged, measure = "RR", seed = 1)
  expect_true(all(ranking$draws >= 0 & ranking$draws <= 1))
  expect_true(all(ranking$draws[match(c("a", "b"), names(ranking$mean)), ] == 1))
  ranks <- rank_probabilities(ranking)
  expect_identical(ranks$best[match(c("a", "b"), ranks$system)], c(1, 1))
  expect_lt(ranks$best[ranks$system == "c"], 1)
})

test_that("draws do not depend on the measure for which the gains were estimated", {
  judged <- case$truth[seq(1, 40, by = 3), ]
  for (made_for in c("RR", "DCG@4")) {
    followed <- joint_gains(case$x, gain_prior(mean = .4), judgments = judged, measure = made_for)
    expect_equal(rank_systems(case$x, followed, measure = "RR", draws = 20, seed = 1)$draws,
                 rank_systems(case$x, gains, measure = "RR", draws = 20, seed = 1)$draws)
  }
})

# Compares a session for a measure with a ranking by the same draws. `apart`: the largest difference in what they state
# after `judged` judgments. `noise`: the largest difference, at the level .001, of the confidence of the first ranking
# from the mean over other seeds, with the same number of draws.
session_beside_ranking <- function(x, measure, judged) {
  truth <- judgments_of(x)[c("query", "doc", "gain")]
  s <- judging_session(x, goal_budget(max(judged)), measure = measure, judgments = FALSE, seed = 1)
  by_seed <- function(seed, draws = 400) rank_systems(s, draws = draws, seed = seed)
  confidence <- progress(s, expect = FALSE)$confidence
  others <- vapply(2:9, function(seed) ranking_confidence(by_seed(seed)), 0)
  apart <- vapply(judged, function(n) {
    for (i in seq_len(n - progress(s, expect = FALSE)$judged)) {
      document <- next_documents(s, 1)
      judge(s, document$query, document$doc,
            truth$gain[match(paste(document$query, document$doc), paste(truth$query, truth$doc))])
    }
    confidence <- progress(s, expect = FALSE)$confidence
    stated <- s$engine$ranking
    ranking <- by_seed(1, ncol(stated$draws))
    relative <- function(ranking) ranking$covariance / max(stated$covariance)
    max(abs(c(stated$mean - ranking$mean, relative(stated) - relative(ranking),
              confidence - ranking_confidence(ranking),
              score_draws(stated, freedom = 10) - score_draws(ranking, freedom = 10))))
  }, 0)
  noise <- stats::qt(0.9995, 7) * stats::sd(others) * sqrt(1 + 1 / 8)
  list(beside = abs(confidence - mean(others)), noise = noise, apart = max(apart))
}

# The differences between two estimations of parameters are studied in bench/trust-followed.R.
expect_beside <- function(x, judged) {
  for (m in c("nDCG@10", "AP@10", "RR@10", "ERR@10", "success@5", "recall@5")) {
    found <- session_beside_ranking(x, m, judged)
    expect_lt(found$beside, found$noise)
    expect_lt(found$apart, 1e-8)
  }
}

test_that("a session with a nonlinear measure has the estimates of a ranking by its judgments", {
  expect_beside(text_demo, c(0L, 1L, 22L, 30L, 61L))
})

# Documents below the first relevant one change the linear measure, but not reciprocal ranks.
test_that("a session's differences in reciprocal rank stay near those of a ranking when most are settled", {
  in_part <- function(table) table[table$query %in% text_demo$queries$query[1:12], ]
  truth <- in_part(judgments_of(text_demo))
  x <- test_collection(in_part(as.data.frame(text_demo))[c("system", "query", "doc", "rank")], judgments = truth,
                       systems = text_demo$systems, k = 10, scale = 0:3)
  s <- judging_session(x, goal_budget(150), measure = "RR@10", judgments = FALSE, seed = 1)
  run_session(s, truth, progress = FALSE)
  expect_gt(progress(s, expect = FALSE)$judged, s$engine$fitted)
  stated <- rank_systems(s)
  change <- stated$mean - rank_systems(x, judgments = judgments_of(s), measure = "RR@10")$mean
  uncertain <- stated$difference_variance > 0
  expect_lt(sqrt(mean((outer(change, change, `-`)^2 / stated$difference_variance)[uncertain])), 0.5)
})

# Gains of relevant documents that hardly a draw has.
test_that("a session in AP moves with relevant documents where all known ones are irrelevant", {
  docs <- with_seed(1, paste0("d", replicate(16, sample(20, 10))))
  runs <- data.frame(system = rep(c("A", "B"), each = 80), query = rep(paste0("q", 1:8), each = 10), doc = docs,
                     rank = 1:10)
  x <- test_collection(runs, k = 10, scale = 0:10 / 10)
  known <- transform(unique(runs[c("query", "doc")])[1:55, ], gain = 0.3)
  s <- judging_session(x, goal_budget(60), judgments = known, measure = "AP", seed = 1)
  for (i in 1:4) {
    asked <- next_documents(s)
    judge(s, asked$query, asked$doc, 1)
  }
  # The same parameters, drawn anew.
  drawn <- rank_systems(x, gain_distribution(s), measure = "AP", draws = 4000, seed = 2)
  expect_gt(max(drawn$mean), 0.1)
  expect_lt(max(abs(rank_systems(s)$mean[names(drawn$mean)] - drawn$mean)), 0.04)
})

test_that("differences in measures by draws are exact once judgments settle them", {
  for (n in c(2, 5, 20)) {
    runs <- expand.grid(system = c("A", "B"), query = paste0("q", seq_len(n)), doc = "d", rank = 1)
    runs <- runs[!(runs$system == "B" & runs$query == "q1"), ]
    x <- suppressWarnings(test_collection(runs, k = 1, scale = 0:1))
    for (measure in c("RR", "AP", "nDCG")) {
      ranking <- rank_systems(x, judgments = data.frame(query = "q1", doc = "d", gain = 1), measure = measure)
      expect_equal(ranking$mean[["A"]] - ranking$mean[["B"]], 1 / n)
      expect_equal(ranking_confidence(ranking), 1)
    }
  }
})

# A variable from 0 to 1 has a standard deviation of at most 0.5.
test_that("systems that order the same documents have scores that vary no more than their range allows", {
  ranks <- with_seed(1, replicate(600, sample(10)))
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 2000), query = rep(paste0("q", 1:200), each = 10),
                     doc = paste0("d", 1:10), rank = as.vector(ranks))
  nearly <- replace(runs, "doc", list(ifelse(runs$system == "A" & runs$query == "q1" & runs$rank == 10, "x", runs$doc)))
  for (each in list(runs, nearly)) {
    ranking <- rank_systems(test_collection(each, k = 10, scale = 0:1), measure = "RR")
    expect_lt(max(diag(ranking$covariance)), 0.25)
  }
})

test_that("on TREC Deep Learning 2019, a session has the estimates of a ranking by its judgments", {
  path <- skip_without_data("trec-dl-2019")
  read <- function(name) {
    utils::read.delim(Sys.glob(file.path(path, paste0(name, ".tsv*"))), colClasses = "character")
  }
  runs <- read("runs")
  judged <- transform(read("judgments"), gain = as.numeric(gain))
  runs <- transform(runs, rank = as.integer(rank))
  runs <- runs[runs$rank <= 10 & paste(runs$query, runs$doc) %in% paste(judged$query, judged$doc), ]
  x <- suppressWarnings(test_collection(runs, systems = read("teams"), judgments = judged, k = 10, scale = 0:3))
  expect_beside(x, c(0L, 22L, 30L))
})

test_that("draws are rescaled to each system's mean and variance, within the measure's range", {
  ranked <- function(measure) rank_systems(case$x, gains, measure = measure, draws = 50, seed = 1)
  moved_from <- function(ranking) {
    ranking$drawn_at <- list(mean = ranking$mean, variance = diag(ranking$covariance))
    ranking
  }
  ranking <- ranked("RR@4")
  expect_equal(unname(score_draws(ranking)), unname(ranking$draws))
  moved <- moved_from(ranking)
  expect_equal(score_draws(moved), score_draws(ranking))
  expect_equal(score_draws(moved, freedom = 5), score_draws(ranking, freedom = 5))
  moved$mean <- ranking$mean - c(0.05, 0.02, 0, -0.02, -0.05)
  moved$covariance <- 0.64 * ranking$covariance
  drawn <- score_draws(moved)
  at_end <- ranking$draws == 1
  expect_true(any(at_end) && !all(at_end))
  expect_true(all(drawn[at_end] == 1) && all(drawn[!at_end] < 1) && all(drawn >= 0))
  # A mean outside the range of the measure.
  moved$mean <- ranking$mean + 1
  expect_true(all(score_draws(moved) <= 1) && all(score_draws(moved)[ranking$draws > ranking$mean] == 1))
  # Far from the ends, means and deviations change as stated.
  ranking <- ranked("AP@4")
  moved <- moved_from(ranking)
  moved$mean <- ranking$mean - c(0.05, 0.02, 0, -0.02, -0.05)
  moved$covariance <- 0.64 * ranking$covariance
  expect_equal(unname(score_draws(moved)), unname(moved$mean + 0.8 * (ranking$draws - ranking$mean)))
})
