# vignette("methods"), section 4, with dense matrices.
dense_estimates <- function(case, mean, variance) {
  incidence <- dense_incidence(case)
  divisor <- case$x$k * length(unique(case$runs$query))
  list(mean = drop(crossprod(incidence, mean)) / divisor,
       covariance = crossprod(incidence, variance * incidence) / divisor^2)
}

random_gains <- function(case, seed) {
  set.seed(seed)
  g <- uniform_gains(case$x)
  n <- length(g$mean)
  g$mean <- runif(n, 0, 100)
  g$variance <- runif(n, 0, 900)
  g
}

test_that("system estimates and comparisons equal computations with dense matrices", {
  for (seed in 1:4) {
    case <- random_collection(seed)
    g <- random_gains(case, seed)
    for (delta in c(0, 5)) {
      r <- rank_systems(case$x, g, delta = delta, level = .9)
      dense <- dense_estimates(case, g$mean, g$variance)
      expect_equal(r$mean, dense$mean)
      expect_equal(r$covariance, dense$covariance)
      data <- in_collection_order(r)
      sd <- unname(sqrt(diag(dense$covariance)))
      expect_equal(data$estimate, unname(dense$mean))
      expect_equal(data$sd, sd)
      expect_equal(data$lower, unname(dense$mean) - qnorm(.95) * sd)
      expect_equal(data$upper, unname(dense$mean) + qnorm(.95) * sd)
      expect_equal(data$rank, rank(-unname(dense$mean)))
      expect_equal(data$team, case$teams$team)

      d <- system_differences(r)
      expect_equal(nrow(d), 10)
      expect_identical(unique(d$system_a), as.data.frame(r)$system[1:4])
      expect_identical(attr(d, "row.names"), 1:10)
      for (i in seq_len(nrow(d))) {
        a <- d$system_a[i]
        b <- d$system_b[i]
        variance <- dense$covariance[a, a] + dense$covariance[b, b] - 2 * dense$covariance[a, b]
        difference <- dense$mean[[a]] - dense$mean[[b]]
        expect_equal(d$difference[i], difference)
        expect_equal(d$sd[i], sqrt(variance))
        expect_equal(d$confidence[i], pnorm((abs(difference) - delta) / sqrt(variance)))
      }
      expect_equal(ranking_confidence(r), mean(d$confidence))
    }
  }
})

test_that("a ranking made from a covariance matrix gives the same comparisons", {
  case <- random_collection(5)
  r <- rank_systems(case$x, random_gains(case, 5))
  again <- new_ranking(case$x, unname(r$mean), unname(r$covariance))
  expect_equal(system_differences(again), system_differences(r))
  # A ranking made from a covariance matrix that does not come from independent gains.
  full <- r$covariance + tcrossprod(c(3, 1, 4, 1, 5))
  d <- system_differences(new_ranking(case$x, unname(r$mean), full))
  best <- match(c(d$system_a[1], d$system_b[1]), case$x$systems$system)
  expect_equal(d$sd[1], sqrt(sum(full[best, best] * c(1, -1, -1, 1))))
})

twins <- function() {
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 3), query = "q",
                     doc = c("d1", "d2", "d3", "d3", "d2", "d1", "d1", "d2", "d4"))
  test_collection(runs, k = 3)
}

test_that("a comparison of systems that retrieve the same documents has variance 0 and confidence 0.5", {
  x <- twins()
  g <- uniform_gains(x)
  g$mean <- c(.1, .2, .3, .7)
  g$variance <- c(1e9, 1 / 3, 1e-9, 2e-9)
  r <- rank_systems(x, g)
  d <- system_differences(r)
  expect_identical(d$system_a, c("C", "C", "A"))
  expect_identical(d$difference[3], 0)
  expect_identical(d$sd[3], 0)
  expect_identical(d$confidence[3], .5)
  # A and C share a document whose gain has the variance 1e9; the small variance of their difference remains precise.
  expect_equal(d$sd[1]^2, 3e-9 / 9, tolerance = 1e-12)
  alone <- new_ranking(x, unname(r$mean), unname(r$covariance))
  expect_identical(system_differences(alone)$sd[3], 0)
})

test_that("with variance 0, the sign of the difference beyond delta decides the confidence", {
  x <- twins()
  judgments <- data.frame(query = "q", doc = c("d3", "d4"), gain = c(10, 40))
  g <- update(uniform_gains(x), judgments)
  r <- function(delta) system_differences(rank_systems(x, g, delta = delta))$confidence
  expect_identical(r(0), c(1, 1, .5))
  expect_identical(r(10), c(.5, .5, 0))
  expect_identical(r(11), c(0, 0, 0))
  # The true means are equal, but .1 + .2 differs from .3 in floating point; the pair counts as a tie.
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q", doc = c("d1", "d2", "d3", "d4"))
  x <- test_collection(runs, k = 2)
  judgments <- data.frame(query = "q", doc = c("d1", "d2", "d3", "d4"), gain = c(.1, .2, .3, 0))
  expect_identical(system_differences(rank_systems(x, update(uniform_gains(x), judgments)))$confidence, .5)
})

test_that("absolute confidence is the normal probability of the margin", {
  case <- random_collection(6)
  r <- rank_systems(case$x, random_gains(case, 6))
  a <- absolute_confidence(r, 4)
  sd <- unname(sqrt(diag(r$covariance)))
  expect_false(is.unsorted(-a$estimate))
  expect_equal(a$confidence[match(names(r$mean), a$system)], pnorm(4 / sd) - pnorm(-4 / sd))
  certain <- rank_systems(case$x, update(uniform_gains(case$x), case$truth))
  expect_equal(absolute_confidence(certain, 0)$confidence, rep(1, 5))
})

test_that("accuracy and tau count pairs in the right order, and ties as half", {
  case <- random_collection(7)
  g <- random_gains(case, 7)
  r <- rank_systems(case$x, g)
  true <- dense_estimates(case, case$truth$gain, 0)$mean
  signs <- outer(r$mean, r$mean, function(a, b) sign(a - b)) * outer(true, true, function(a, b) sign(a - b))
  expect_equal(ranking_accuracy(r, case$truth)[["tau"]], sum(signs) / 20)
  a <- ranking_accuracy(r, case$truth)
  expect_named(a, c("accuracy", "tau"))
  expect_equal(a[["tau"]], 2 * a[["accuracy"]] - 1)
  expect_equal(ranking_accuracy(rank_systems(case$x, uniform_gains(case$x)), case$truth), c(accuracy = .5, tau = 0))
  own <- test_collection(case$runs, k = 3, judgments = case$truth)
  expect_equal(ranking_accuracy(rank_systems(own, g)), a)
  expect_snapshot(error = TRUE, {
    ranking_accuracy(r, case$truth[-(1:3), ])
    ranking_accuracy(r)
    ranking_accuracy(1)
  })
})

test_that("gains are matched to the pairs of the pool", {
  case <- random_collection(8, scale = broad_scale())
  f <- transform(output_features(case$x), f = rnorm(length(pSYS)))
  model <- toy_model()
  r <- rank_systems(case$x, gain_distribution(model, f))
  expect_equal(rank_systems(case$x, gain_distribution(model, f[rev(seq_len(nrow(f))), ]))$mean, r$mean)
  expect_equal(rank_systems(case$x, gain_distribution(model, f["f"]))$mean, r$mean)
  expect_snapshot(error = TRUE, {
    rank_systems(case$x, gain_distribution(model, f[-2, ]))
    rank_systems(case$x, gain_distribution(model, f[-2, "f", drop = FALSE]))
    rank_systems(case$x, f)
    rank_systems(f, f)
    rank_systems(case$x, uniform_gains(case$x), delta = -1)
    rank_systems(case$x, uniform_gains(case$x), level = 1)
    absolute_confidence(r, NA)
    system_differences(f)
  })
})

test_that("systems that differ by rounding error only share their rank", {
  estimates <- c(0.5, 0.1 + 0.2, 0.3, 0.1)
  expect_identical(ranks_of(estimates, 1e-12), c(1L, 2L, 2L, 4L))
  expect_identical(ranks_of(estimates, 0), c(1L, 2L, 3L, 4L))
})

test_that("a ranking prints the best system first, and one of a single system has neither pairs nor a confidence", {
  x <- twins()
  g <- uniform_gains(x)
  g$mean <- c(10, 20, 30, 70)
  expect_snapshot({
    print(rank_systems(x, g))
    print(rank_systems(x, g, delta = 2), n = 1)
    summary(rank_systems(x, update(g, data.frame(query = "q", doc = "d4", gain = 0))))
  })
  one <- test_collection(data.frame(system = "A", query = "q", doc = "d"), k = 1)
  r <- rank_systems(one, uniform_gains(one))
  expect_identical(ranking_confidence(r), NA_real_)
  expect_equal(nrow(system_differences(r)), 0)
  truth <- data.frame(query = "q", doc = "d", gain = 1)
  expect_equal(ranking_accuracy(r, truth), c(accuracy = NA_real_, tau = NA_real_))
  expect_snapshot({
    print(r)
    summary(r)
  })
})

test_that("without judgments, the ranking of MIREX 2011 has confidence .929 and accuracy .935", {
  # These numbers are in vignettes/measured.csv; vignettes/articles/reproduce/mtc.R computes them for Table 5 of Urbano
  # and Schedl (2013).
  real <- mirex_2011()
  g <- gain_distribution(mirex_model("output", "fine"), output_features(real$x))
  r <- rank_systems(real$x, g)
  expect_equal(ranking_confidence(r), 0.9292312, tolerance = 1e-7)
  expect_equal(ranking_accuracy(r, real$truth), c(accuracy = 0.9346405, tau = 0.8692810), tolerance = 1e-7)
  expect_equal(nrow(system_differences(r)), 153)
})

test_that("gains on another scale raise an error", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q1", doc = c("d1", "d2", "d1", "d3"))
  broad <- uniform_gains(test_collection(runs, k = 2, scale = broad_scale()))
  fine <- test_collection(runs, k = 2, scale = fine_scale())
  expect_snapshot(rank_systems(fine, broad), error = TRUE)
})

test_that("an interval ends at the lowest level of the scale if no list is short", {
  d <- data.frame(model = rep(c("A", "B"), each = 4), id = rep(1:4, 2), answer = letters[1:8],
                  rating = c(1, NA, 1, NA, 5, NA, 2, NA))
  lowest <- function(rows) {
    ranking <- rank_systems(suppressWarnings(suppressMessages(read_answers(rows))), judgments = FALSE)
    min(as.data.frame(ranking)$lower)
  }
  expect_identical(lowest(d), 1)
  # A missing answer counts as 0.
  expect_identical(lowest(d[-8, ]), 0)
})

test_that("intervals contain estimates outside of the range of the measure, which a normal distribution allows", {
  runs <- data.frame(system = rep(c("A", "B"), each = 4), query = rep(1:2, each = 2), doc = letters[1:8], rank = 1:2)
  ranking <- rank_systems(test_collection(runs, scale = 0:1, k = 2))
  ranking$mean[] <- c(1.5, -0.5)
  ranking$covariance[] <- diag(0.01, 2)
  half <- qnorm(0.975) * 0.1
  expect_equal(as.data.frame(ranking)$lower, c(1.5 - half, -0.5))
  expect_equal(as.data.frame(ranking)$upper, c(1.5, -0.5 + half))
})
