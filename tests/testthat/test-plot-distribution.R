two_lists <- function(scale) {
  test_collection(data.frame(system = "A", query = rep(c("q", "r"), each = 5), doc = rep(letters[1:5], 2)), k = 5,
                  scale = scale)
}

test_that("bars and curve are densities of the same distribution", {
  x <- two_lists(broad_scale())
  d <- effectiveness_distribution(x, uniform_gains(x), "A", "q")
  picture <- distribution_picture(d)
  expect_equal(picture$bars$value, d$value)
  expect_equal(picture$bars$density * picture$width, d$probability)
  expect_equal(picture$curve$density, stats::dnorm(picture$curve$value, 1, sqrt(2 / 3 / 5)))
})

test_that("many values share bars, and what is improbable is left out", {
  x <- two_lists(fine_scale())
  d <- effectiveness_distribution(x, uniform_gains(x), "A")
  picture <- distribution_picture(d, most_bars = 100)
  expect_lte(nrow(picture$bars), 100)
  expect_equal(sum(picture$bars$density) * picture$width, 1, tolerance = 2e-6)
  expect_equal(sum(picture$bars$value * picture$bars$density) * picture$width, 50, tolerance = 1e-3)
  expect_equal(unique(round(diff(picture$bars$value), 8)), round(picture$width, 8))
})

test_that("plots are drawn, and one value too", {
  skip_if_not_installed("ggplot2")
  x <- two_lists(broad_scale())
  d <- effectiveness_distribution(x, uniform_gains(x), "A", "q")
  judgments <- data.frame(query = rep(c("q", "r"), each = 5), doc = rep(letters[1:5], 2), gain = 1)
  known <- effectiveness_distribution(x, update(uniform_gains(x), judgments), "A")
  expect_s3_class(drawn(plot(d)), "ggplot")
  expect_no_error(drawn(plot(known)))
  expect_s3_class(ggplot2::autoplot(d), "ggplot")
})
