truth <- ordered_list(list(c("A", "B", "C"), c("D", "E")))

# Equations 5 and 6 of Urbano et al. (2011), computed with sets.
slow_adr <- function(result, truth, k) {
  ideal <- truth$doc
  mean(vapply(seq_len(k), function(i) {
    at <- min(i, length(ideal))
    allowed <- union(ideal[seq_len(at)], ideal[truth$group == truth$group[at]])
    length(intersect(allowed, utils::head(result, i))) / i
  }, 0))
}

test_that("average dynamic recall of the published examples is .933 and 1", {
  expect_equal(round(average_dynamic_recall(ordered_list(as.list(c("A", "B", "D", "E", "C"))), truth)$adr, 3), 0.933)
  expect_equal(average_dynamic_recall(ordered_list(as.list(c("A", "B", "C", "D", "E"))), truth)$adr, 1)
  # L2 = (A, B), (D, E, C) and L3 = (A, B), (C, D, E) are the same list, with the same range.
  l2 <- average_dynamic_recall(ordered_list(list(c("A", "B"), c("D", "E", "C"))), truth)
  l3 <- average_dynamic_recall(ordered_list(list(c("A", "B"), c("C", "D", "E"))), truth)
  expect_equal(l2, l3)
  expect_equal(c(l2$lowest, l2$highest), c(14 / 15, 1))
  expect_equal(l2$adr, (2 * 14 / 15 + 1) / 3)  # C comes first in one third of the orders
})

test_that("average dynamic recall agrees with its definition, for whole runs and at every cutoff", {
  docs <- c(LETTERS[1:5], "U", "V")
  judicious:::with_seed(4, for (i in 1:40) {
    result <- sample(docs, sample(7, 1))
    k <- sample(7, 1)
    run <- data.frame(system = "s", query = "query", doc = result, rank = seq_along(result))
    expect_equal(average_dynamic_recall(run[sample(nrow(run)), ], truth, k)$adr, slow_adr(result, truth, k))
  })
})

test_that("the expectation of average dynamic recall is the mean over random permutations", {
  results <- ordered_list(list("E", c("A", "D", "U"), c("B", "C")))
  a <- average_dynamic_recall(results, truth, permutations = 4000, seed = 1)
  sets <- attr(a, "sets")
  expect_lt(abs(mean(sets) - a$adr) / (sd(sets) / sqrt(4000)), 4)
  expect_equal(range(sets), c(a$lowest, a$highest))
})

test_that("systems and queries keep their order, and a query without results scores 0", {
  two <- ordered_list(data.frame(query = c("q", "q", "r"), doc = c("x", "y", "x"), group = c(1, 2, 1)))
  runs <- data.frame(system = c("t", "t", "s"), query = c("q", "r", "q"), doc = c("y", "x", "x"), rank = 1)
  a <- average_dynamic_recall(runs, two)
  expect_equal(a$system, c("t", "t", "s", "s"))
  expect_equal(a$adr, c(0.25, 1, 0.75, 0))
  expect_equal(a$known, c(1, 1, 1, 0))
  expect_equal(summary(a)$adr, c(0.625, 0.375))
  expect_snapshot(a)
})

test_that("errors of average dynamic recall name the invalid result", {
  run <- data.frame(system = "s", query = "query", doc = c("A", "B"), rank = 1:2)
  expect_snapshot(error = TRUE, {
    average_dynamic_recall(run, run)
    average_dynamic_recall(transform(run, rank = 1), truth)
    average_dynamic_recall(transform(run, doc = "A"), truth)
    average_dynamic_recall(transform(run, rank = NA), truth)
    average_dynamic_recall(run[-4], truth)
    average_dynamic_recall(run, truth, k = 0)
  })
})

test_that("runs that lack a query of the ideal lists raise an error", {
  truth <- ordered_list(list(c("A", "B"), "C"))
  run <- data.frame(system = "s", query = "zzz", doc = c("A", "B"), rank = 1:2)
  expect_error(average_dynamic_recall(run, truth), class = "judicious_error_no_common_query")
})

test_that("asterisks mark systems whose recall is significantly lower with the other ideal lists", {
  set.seed(5)
  docs <- letters[1:6]
  lists <- function(groups) {
    ordered_list(do.call(rbind, lapply(1:9, function(q) data.frame(query = paste0("q", q), doc = docs,
                                                                   group = groups))))
  }
  coarse <- lists(c(1, 1, 1, 2, 2, 2))
  fine <- lists(1:6)
  runs <- do.call(rbind, lapply(c("S", "T"), function(system) {
    do.call(rbind, lapply(1:9, function(q) {
      data.frame(system = system, query = paste0("q", q), doc = if (system == "S") sample(docs) else docs, rank = 1:6)
    }))
  }))
  before <- average_dynamic_recall(runs, coarse)
  after <- average_dynamic_recall(runs, fine)
  found <- summary(after, against = before)
  own <- function(adr, system) adr$adr[adr$system == system]
  by_hand <- suppressWarnings(wilcox.test(round(own(before, "S") - own(after, "S"), 12), alternative = "greater"))
  expect_equal(found$p_value[1], by_hand$p.value)
  expect_identical(found$stars, c("**", ""))
  # Rows in another order are matched by name.
  expect_equal(summary(after, against = before[nrow(before):1, ])$p_value, found$p_value)
  expect_error(summary(after, against = before[-1, ]), class = "judicious_error_argument")
  expect_error(summary(after, against = runs), class = "judicious_error_argument")
})
