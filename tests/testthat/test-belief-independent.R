features <- function() data.frame(query = "q1", doc = c("d1", "d2", "d3"), f = c(-1, NA, 2))
moments <- function(f) {
  p <- plogis(f)
  prob <- cbind(1 - p, p / 3, 2 * p / 3)
  mean <- prob[, 2] + 2 * prob[, 3]
  list(prob = prob, mean = mean, variance = prob[, 2] + 4 * prob[, 3] - mean^2)
}

test_that("mean and variance of a gain are those of its predicted level probabilities", {
  # The model has no terms, so that only its predictions show which features are missing.
  rows <- features()[-2, ]
  g <- gain_distribution(toy_model(), rows)
  expected <- moments(rows$f)
  expect_equal(unname(g$prob), expected$prob)
  expect_equal(g$mean, expected$mean)
  expect_equal(g$variance, expected$variance)
  expect_equal(as.data.frame(g), data.frame(query = "q1", doc = c("d1", "d3"), mean = expected$mean,
                                            variance = expected$variance, judged = FALSE))
  expect_named(as.data.frame(g, prob = TRUE), c("query", "doc", "mean", "variance", "judged", "P0", "P1", "P2"))
  expect_equal(as.data.frame(g, prob = TRUE)$P2, expected$prob[, 3])
})

test_that("the variance keeps its precision if levels are far from zero", {
  g <- gain_distribution(toy_model(c("1000000", "1000001", "1000002")), features()[1, ])
  expect_equal(g$variance, moments(-1)$variance, tolerance = 1e-12)
})

test_that("the published example of a gain distribution is reproduced", {
  example <- data.frame(pTEAM = .25, OV = .8053, pART = .0217, sGEN = 1, pGEN = .8478)
  g <- gain_distribution(mirex_model("output", "broad"), example)
  expect_null(g$query)
  expect_equal(as.vector(g$prob), c(0.04910906, 0.24411932, 0.70677162), tolerance = 1e-7)
  expect_named(as.data.frame(g), c("mean", "variance", "judged"))
  expect_equal(g$mean, 1.6576626, tolerance = 1e-7)
  expect_equal(g$variance, 0.3233606, tolerance = 1e-6)
})

test_that("rows without features use the requested fallback distribution", {
  model <- mirex_model("output", "fine")
  f <- data.frame(query = "q", doc = c("a", "b"), pTEAM = .2, OV = .7, pART = c(.1, NA), sGEN = 1, pGEN = .5)
  g <- gain_distribution(model, f)
  expect_equal(g$fallback, c(FALSE, TRUE))
  expect_equal(c(g$mean[2], g$variance[2]), c(50, 850))
  expect_equal(unname(g$prob[2, ]), c(6, rep(11, 8), 7) / 101)
  alone <- gain_distribution(model, f[1, ])
  expect_equal(g$mean[1], alone$mean)
  expect_equal(gain_distribution(model, f, fallback = "NA")$variance, c(alone$variance, NA))
  none <- gain_distribution(model, f[2, ], scale = fine_scale())
  expect_equal(none$mean, 50)
  expect_equal(gain_distribution(model, f[2, ])$mean, 50)
  expect_snapshot(error = TRUE, gain_distribution(model, f, fallback = "error"))
  expect_snapshot({
    print(g)
    print(gain_distribution(model, f, fallback = "NA"))
  })
})

test_that("predicted probabilities are ordered by level, whatever the order of columns", {
  swapped <- structure(list(columns = c("2", "0", "1"), feature = "f"), class = "toy_model")
  g <- gain_distribution(swapped, features()[1, ])
  expect_equal(colnames(g$prob), c("0", "1", "2"))
  expect_equal(unname(g$prob[1, ]), moments(-1)$prob[1, c(2, 3, 1)])
})

test_that("models by MASS::polr() and ordinal::clm() give the gains that pom() gives", {
  skip_if_not_installed("MASS")
  skip_if_not_installed("ordinal")
  set.seed(1)
  data <- data.frame(f = rnorm(200), gain = factor(sample(0:2, 200, TRUE), levels = 0:2))
  new <- data.frame(query = "q", doc = c("a", "b", "c"), f = c(0, NA, 1))
  polr <- gain_distribution(MASS::polr(gain ~ f, data), new)
  clm <- gain_distribution(ordinal::clm(gain ~ f, data = data), new)
  own <- gain_distribution(pom(gain ~ f, data), new)
  expect_equal(polr$fallback, c(FALSE, TRUE, FALSE))
  expect_equal(polr$mean, own$mean, tolerance = 1e-4)
  expect_equal(clm$mean, own$mean, tolerance = 1e-5)
  expect_equal(gain_distribution(MASS::polr(gain ~ f, data), new[1, ])$mean, polr$mean[1])
})

test_that("a model with invalid predictions raises an error", {
  f <- features()[1, ]
  expect_snapshot(error = TRUE, {
    gain_distribution(mirex_model("output", "fine"), f)
    gain_distribution(toy_model(c("low", "mid", "high")), f)
    gain_distribution(toy_model(c("0", "1", "1")), f)
    gain_distribution(toy_model(), f, scale = fine_scale())
    gain_distribution(toy_model(), f, scale = "fine")
    gain_distribution(toy_model(), f, fallback = "zero")
    gain_distribution(toy_model(), 1)
    gain_distribution(1, f)
    uniform_gains(f)
  })
  wrong <- function(result) {
    local_predict <- function(object, ...) result
    registerS3method("predict", "wrong_model", local_predict, envir = asNamespace("stats"))
    gain_distribution(structure(list(), class = "wrong_model"), f)
  }
  expect_snapshot(error = TRUE, {
    wrong("0")
    wrong(matrix(c(.5, .5, .5, .5), 2, dimnames = list(NULL, 0:1)))
    wrong(matrix(c(.5, .6), 1, dimnames = list(NULL, 0:1)))
    wrong(matrix(c(-.5, 1.5), 1, dimnames = list(NULL, 0:1)))
    wrong(matrix(.5, 1, 2))
  })
})

test_that("uniform gains have equal probability at every level of the scale", {
  case <- random_collection(1)
  g <- uniform_gains(case$x)
  expect_equal(unique(g$mean), 50)
  expect_equal(unique(g$variance), 850)
  expect_false(any(g$fallback | g$judged))
  broad <- uniform_gains(random_collection(1, scale = broad_scale())$x)
  expect_equal(unique(broad$variance), 2 / 3)
  expect_equal(unname(broad$prob[1, ]), rep(1 / 3, 3))
})

test_that("a judged pair has its gain as mean, and variance 0", {
  case <- random_collection(2)
  some <- case$truth[c(2, 5), ]
  g <- update(uniform_gains(case$x), some)
  expect_equal(which(g$judged), c(2, 5))
  expect_equal(g$mean[c(2, 5)], some$gain)
  expect_equal(unique(g$variance[-c(2, 5)]), 850)
  expect_equal(g$variance[c(2, 5)], c(0, 0))
  expect_equal(unname(apply(g$prob[c(2, 5), ], 1, which.max)), 1 + pmin(9, round(some$gain / 11)))
  again <- update(g, transform(some[1, ], gain = 100))
  expect_equal(again$mean[2], 100)
  expect_equal(unname(again$prob[2, 10]), 1)
  expect_equal(update(uniform_gains(case$x), table_file(some)), g)
  expect_snapshot(print(g))
  expect_snapshot(outside <- update(g, data.frame(query = "q1", doc = c("d1", "none"), gain = 1)))
  expect_equal(sum(outside$judged), 3)
  expect_snapshot(error = TRUE, {
    update(g, data.frame(query = "q1", doc = "d1", gain = 101))
    update(gain_distribution(toy_model(), data.frame(f = 1)), some)
    as.data.frame(g, prob = 1)
  })
})

test_that("the published output model has its published error on MIREX 2011", {
  real <- mirex_2011()
  f <- output_features(real$x)
  g <- gain_distribution(mirex_model("output", "fine"), f)
  known <- !is.na(f$sGEN)
  expect_equal(sum(g$fallback), 43)
  expect_lt(abs(sqrt(mean((g$mean - real$x$gain)[known]^2)) - 24.61700), 1e-5)
  expect_lt(abs(mean(g$variance[known]) - 583.1831), 1e-4)
  expect_lt(abs(sqrt(mean((uniform_gains(real$x)$mean - real$x$gain)^2)) - 29.58486), 1e-5)
})
