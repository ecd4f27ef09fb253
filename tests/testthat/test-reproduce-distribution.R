scripts <- reproduction_scripts()
effectiveness_distribution <- scripts$effectiveness_distribution

# Every assignment of gains to the documents of a list, as section 3.3 of Urbano and Schedl (2013) defines it.
by_enumeration <- function(parts, divisor) {
  grid <- expand.grid(lapply(parts, function(part) seq_along(part$level)))
  value <- Reduce(`+`, lapply(seq_along(parts), function(i) parts[[i]]$level[grid[[i]]])) / divisor
  prob <- Reduce(`*`, lapply(seq_along(parts), function(i) parts[[i]]$prob[grid[[i]]]))
  sums <- tapply(prob, round(value, 9), sum)
  list(value = as.numeric(names(sums)), probability = as.vector(sums))
}

one_list <- function(scale, k = 3) {
  test_collection(data.frame(system = "A", query = "q", doc = letters[seq_len(k)]), k = k, scale = scale)
}

features_of <- function(k, ...) data.frame(query = "q", doc = letters[seq_len(k)], ...)

test_that("the distribution of AG@k for one query equals the sum over all assignments of gains", {
  x <- one_list(broad_scale(), k = 5)
  d <- effectiveness_distribution(x, uniform_gains(x), "A", "q")
  all <- by_enumeration(rep(list(list(level = 0:2, prob = rep(1 / 3, 3))), 5), 5)
  expect_equal(d$value, all$value)
  expect_equal(d$probability, all$probability)
  # 3^5 = 243 assignments; one of them gives the lowest value.
  expect_equal(d$probability[1], 1 / 243)
  expect_equal(d$step, 1 / 5)
})

test_that("modelled, judged and uniform gains can be combined in one distribution", {
  x <- one_list(fine_scale())
  features <- features_of(3, pTEAM = .25, OV = .7, pART = .1, sGEN = c(1, 0, NA), pGEN = .4)
  model <- mirex_model("output", "fine")
  gains <- update(gain_distribution(model, features), data.frame(query = "q", doc = "b", gain = 83))
  d <- effectiveness_distribution(x, gains, "A", "q")
  all <- by_enumeration(list(
    list(level = seq(0, 99, 11), prob = predict(model, features[1, ], type = "prob")[1, ]),
    list(level = 83, prob = 1), list(level = 0:100, prob = rep(1 / 101, 101))
  ), 3)
  kept <- d$probability > 1e-14
  expect_equal(d$value[kept], all$value, tolerance = 1e-8)
  expect_equal(d$probability[kept], all$probability)
})

test_that("the mean over queries has the moments that rank_systems() uses", {
  x <- simulate_collection(queries = 12, documents = 300, artists = 30, systems = 3, seed = 1)
  gains <- gain_distribution(mirex_model("output", "fine"), output_features(x))
  ranking <- in_collection_order(rank_systems(x, gains))
  for (system in x$systems$system) {
    d <- effectiveness_distribution(x, gains, system)
    expect_equal(sum(d$probability), 1)
    mean <- sum(d$value * d$probability)
    expect_equal(mean, ranking$estimate[ranking$system == system])
    expect_equal(sqrt(sum((d$value - mean)^2 * d$probability)), ranking$sd[ranking$system == system])
    expect_equal(c(d$mean, d$sd), unlist(ranking[ranking$system == system, c("estimate", "sd")], use.names = FALSE))
  }
})

test_that("rounding levels without a common step to a grid keeps their mean", {
  x <- one_list(gain_scale(c(0, 1, sqrt(2), exp(1))))
  d <- effectiveness_distribution(x, uniform_gains(x), "A", "q")
  expect_equal(sum(d$probability * d$value), mean(c(0, 1, sqrt(2), exp(1))))
  expect_lt(length(d$value), 15100)
  # A common step between the values is found despite rounding errors.
  tenths <- one_list(gain_scale(c(0.1, 0.3, 0.7, 1)))
  expect_equal(effectiveness_distribution(tenths, uniform_gains(tenths), "A", "q")$step, 0.1 / 3)
  below <- one_list(gain_scale(c(-2, 1)), k = 2)
  d <- effectiveness_distribution(below, uniform_gains(below), "A", "q")
  expect_equal(scripts$beside_normal(d)[c("value", "probability")],
               data.frame(value = c(-2, -.5, 1), probability = c(.25, .5, .25)))
})

test_that("a system whose documents are all judged has a single possible score", {
  x <- one_list(broad_scale(), k = 2)
  gains <- update(uniform_gains(x), data.frame(query = "q", doc = c("a", "b"), gain = 1:2))
  d <- effectiveness_distribution(x, gains, "A")
  expect_equal(scripts$beside_normal(d), data.frame(value = 1.5, probability = 1, normal = 1))
})

two_lists <- function(scale) {
  test_collection(data.frame(system = "A", query = rep(c("q", "r"), each = 5), doc = rep(letters[1:5], 2)), k = 5,
                  scale = scale)
}

test_that("bars and curve in the plot of a score distribution have the same moments", {
  x <- two_lists(broad_scale())
  d <- effectiveness_distribution(x, uniform_gains(x), "A", "q")
  picture <- scripts$distribution_picture(d)
  expect_equal(picture$bars$value, d$value)
  expect_equal(picture$bars$density * picture$width, d$probability)
  expect_equal(picture$curve$density, stats::dnorm(picture$curve$value, 1, sqrt(2 / 3 / 5)))
})

test_that("a bar combines neighbouring values, and improbable values are left out", {
  x <- two_lists(fine_scale())
  d <- effectiveness_distribution(x, uniform_gains(x), "A")
  picture <- scripts$distribution_picture(d, most_bars = 100)
  expect_lte(nrow(picture$bars), 100)
  expect_equal(sum(picture$bars$density) * picture$width, 1, tolerance = 2e-6)
  expect_equal(sum(picture$bars$value * picture$bars$density) * picture$width, 50, tolerance = 1e-3)
  expect_equal(unique(round(diff(picture$bars$value), 8)), round(picture$width, 8))
})
