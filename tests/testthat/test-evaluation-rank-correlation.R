# The test data of package ircor, by the authors of tau_AP,a and tau_AP,b, with its published values to 4 digits.
sets <- list(
  list(x = c(.897, .372, .908, .898, .661, .062, .177, .384, .498, .992),
       y = c(.82, .406, .817, .953, .673, .073, .364, .547, .589, .988)),
  list(x = c(.266, .573, .202, .945, .629, .206, .687, .77, .718, .38),
       y = c(.263, .843, .728, .928, .08, .114, .467, .641, .973, .644)),
  list(x = c(.185, .573, .944, .129, .468, .553, .761, .405, .976, .445),
       y = c(.845, .272, .275, .924, .605, .334, .162, .872, .018, .25))
)
sets <- lapply(sets, function(s) c(s, list(xt = round(s$x, 1), yt = round(s$y, 1))))
# Scores as ircor rounds them: .445 up, .25 down.
sets[[3]]$xt <- c(.2, .6, .9, .1, .5, .6, .8, .4, 1, .4)
sets[[3]]$yt <- c(.8, .3, .3, .9, .6, .3, .2, .9, 0, .2)
each <- function(f) vapply(sets, f, numeric(1))
expect_published <- function(got, want) expect_lt(max(abs(got - want)), 5.1e-5)

test_that("tau and tau_b reproduce published values", {
  expect_published(each(function(s) rank_correlation(s$x, s$y)), c(.9111, .2889, -.6889))
  expect_published(each(function(s) rank_correlation(s$x, s$yt)), c(.8889, .3333, -.6222))
  expect_published(each(function(s) rank_correlation(s$xt, s$yt, ties = "b")), c(.9398, .3765, -.6510))
  expect_equal(each(function(s) rank_correlation(s$xt, s$yt, ties = "b")),
               each(function(s) cor(s$xt, s$yt, method = "kendall")))
})

test_that("tau_AP, tau_AP,a and tau_AP,b reproduce published values", {
  expect_published(each(function(s) rank_correlation(s$x, s$y, "tau_ap")), c(.8519, .2504, -.6971))
  expect_published(each(function(s) rank_correlation(s$x, s$yt, "tau_ap")), c(.7454, .2692, -.5558))
  expect_published(each(function(s) rank_correlation(s$x, s$y, "tau_ap", ties = "b")), c(.8333, .2880, -.668))
  expect_published(each(function(s) rank_correlation(s$xt, s$yt, "tau_ap", ties = "b")), c(.7321, .297, -.7047))
  expect_equal(each(function(s) rank_correlation(s$yt, s$xt, "tau_ap", ties = "b")),
               each(function(s) rank_correlation(s$xt, s$yt, "tau_ap", ties = "b")))
})

# Yilmaz et al. (2008), equation (2), for rankings without ties.
slow_tau_ap <- function(truth, estimate) {
  n <- length(truth)
  by <- order(-estimate)
  right <- sapply(2:n, function(i) sum(truth[by[seq_len(i - 1)]] > truth[by[i]]) / (i - 1))
  2 * sum(right) / (n - 1) - 1
}

test_that("with ties, tau_AP,a and tau are means over all ways to break them", {
  truth <- c(3, 7, 1, 9, 5, 4)
  estimate <- c(2, 2, 1, 3, 3, 3)
  orders <- function(x) {
    if (length(x) < 2) return(list(x))
    unlist(lapply(seq_along(x), function(i) lapply(orders(x[-i]), function(rest) c(x[i], rest))), recursive = FALSE)
  }
  broken <- list()
  for (a in orders(c(0, .1))) for (b in orders(c(0, .1, .2))) broken <- c(broken, list(estimate + c(a, 0, b)))
  expect_equal(rank_correlation(truth, estimate, "tau_ap"),
               mean(vapply(broken, slow_tau_ap, numeric(1), truth = truth)))
  expect_equal(rank_correlation(truth, estimate), mean(vapply(broken, function(y) cor(truth, y, method = "kendall"),
                                                      numeric(1))))
})

test_that("systems are matched by name, from vectors, data frames and comparisons", {
  x <- random_scores(41, n = 12, m = 5, values = 1000)
  means <- colMeans(x)
  estimate <- setNames(c(2, 5, 1, 3, 4), names(means))
  want <- cor(means, estimate, method = "kendall")
  expect_equal(rank_correlation(means, rev(estimate)), want)
  expect_equal(rank_correlation(data.frame(system = names(means), value = means), estimate[c(3, 1, 2, 5, 4)]), want)
  expect_equal(rank_correlation(compare_systems(x), estimate), want)
})

test_that("rankings of different systems, and ties that a coefficient cannot handle, raise errors", {
  expect_snapshot(error = TRUE, {
    rank_correlation(c(A = 1, B = 2), c(A = 1, C = 2))
    rank_correlation(1:3, 1:2)
    rank_correlation(c(A = 1, A = 2), c(A = 1, B = 2))
    rank_correlation(c(1, NA), 1:2)
    rank_correlation("a", "b")
    rank_correlation(c(1, 1, 2), 1:3, "tau_ap")
  })
})

test_that("scores that differ by rounding errors only are ties", {
  rounded <- c(A = 0.1 + 0.2 + 0.3, B = 0.3 + 0.2 + 0.1, C = 0.5)
  expect_false(rounded[["A"]] == rounded[["B"]])
  tied <- c(A = 0.6, B = 0.6, C = 0.5)
  truth <- c(B = 3, A = 2, C = 1)
  for (method in c("tau", "tau_ap", "rbo")) {
    expect_identical(rank_correlation(truth, rounded, method), rank_correlation(truth, tied, method))
  }
  expect_identical(rank_correlation(truth, c(A = 2, B = Inf, C = -Inf)), 1)
  expect_identical(rank_correlation(truth, c(A = Inf, B = Inf, C = 0)), 2 / 3)
})
