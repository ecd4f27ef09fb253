rankings <- function(..., query = "q") {
  ranks <- list(...)
  data.frame(query = query, doc = rep(names(ranks), lengths(ranks)), assessor = unlist(lapply(lengths(ranks), seq_len)),
             rank = unlist(ranks), row.names = NULL)
}

test_that("documents are ordered by median rank, then by mean rank", {
  l <- ordered_list(rankings(x = c(2, 2, 9), y = c(1, 2, 3), z = c(1, 1, 4)), level = 0.001)
  expect_equal(l$doc, c("z", "y", "x"))
  expect_equal(l$median, c(1, 2, 2))
  expect_equal(l$mean, c(2, 2, 13 / 3))
  expect_equal(unique(l$group), 1L)
})

test_that("groups are separated by the Mann-Whitney test, one-sided or two-sided", {
  r <- rankings(x = 1:4, y = 5:8, z = 9:12)
  p <- wilcox.test(1:4, 5:8)$p.value # 2 / choose(8, 4)
  expect_equal(p, 2 / 70)
  expect_equal(ordered_list(r, level = 0.03)$group, 1:3)
  expect_equal(ordered_list(r, level = 0.02)$group, c(1, 1, 1))
  expect_equal(ordered_list(r, level = 0.02, tails = 1)$group, 1:3)
})

test_that("with ties, the test is the normal approximation with a continuity correction, in every version of R", {
  x <- c(1, 1, 2, 2, 3)
  y <- c(2, 3, 3, 4, 4)
  u <- sum(outer(x, y, ">") + outer(x, y, "==") / 2)
  ties <- sum(table(c(x, y))^3 - table(c(x, y)))
  p <- pnorm((u - 12.5 + 0.5) / sqrt(25 / 12 * (11 - ties / 90)))
  expect_equal(ordered_list(rankings(x = x, y = y), level = p * 1.0001, tails = 1)$group, 1:2)
  expect_equal(ordered_list(rankings(x = x, y = y), level = p * 0.9999, tails = 1)$group, c(1, 1))
})

test_that("lists by rule Any-1 split the groups of lists by rule All-2, and have recall 1 against them", {
  judicious:::with_seed(8, for (i in 1:20) {
    docs <- letters[1:12]
    r <- do.call(rbind, lapply(1:10, function(a) {
      data.frame(query = "q", doc = docs, assessor = a, rank = rank(seq_along(docs) + rnorm(12, 0, 3)))
    }))
    r <- r[runif(nrow(r)) < 0.9, ] # not everybody ranks everything
    all_2 <- ordered_list(r, "all", tails = 2)
    any_1 <- ordered_list(r, "any", tails = 1)
    for (group in group_sets(any_1, "q")) expect_equal(length(unique(all_2$group[all_2$doc %in% group])), 1)
    expect_equal(average_dynamic_recall(any_1, all_2)$lowest, 1)
    expect_gte(max(any_1$group), max(all_2$group))
  })
})

test_that("missing ranks are left out, and invalid rankings raise errors", {
  r <- rankings(x = c(1, 1, NA), y = c(2, 2, 1))
  expect_equal(ordered_list(r)$n, c(2, 3))
  expect_snapshot(error = TRUE, {
    ordered_list(rankings(x = 1:2, y = c(NA, NA_integer_)))
    ordered_list(transform(r, assessor = 1))
    ordered_list(transform(r, rank = "first"))
    ordered_list(r, tails = 3)
    ordered_list(r, "some")
  })
})

test_that("rankings by assessors give decisions about pairs of documents", {
  r <- rankings(x = 1:4, y = 5:8, z = c(5, 6, 8, 7))
  pairs <- data.frame(query = "q", doc_a = c("x", "y", "y", "x"), doc_b = c("y", "x", "z", "w"))
  expect_equal(preference_decisions(r, pairs = pairs)$decision, c("less", "greater", "equal", NA))
  decided <- preference_decisions(r, pairs = cbind(pairs, decision = "less"))
  expect_equal(decided, cbind(pairs, decision = c("less", "greater", "equal", NA)))
  expect_equal(preference_decisions(r, level = 0.01, pairs = pairs[1, ])$decision, "equal") # p = 1 / choose(8, 4)
  expect_equal(preference_decisions(r, level = 0.015, pairs = pairs[1, ])$decision, "less")
})
