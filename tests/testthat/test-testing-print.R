x <- cbind(A_1 = c(.9, .8, .7, .9, .6, .8), B = c(.5, .6, .4, .7, .5, .6), C = c(.2, .3, .1, .4, .3, .1))

test_that("comparisons print the test, the significant pairs and the table of pairs, and tests print their settings", {
  expect_snapshot({
    compare_systems(x, "friedman_tukey")
    print(compare_systems(x, significance_test("tukey")), n = 1, digits = 2)
    compare_systems(x, significance_test("wilcoxon", "better", alpha = 0.1), baseline = "C")
    significance_test("bootstrap", "less", statistic = "studentised", replicates = 2000, adjust = "BH", alpha = 0.01)
  })
})

test_that("a note counts significant pairs whose interval contains 0 because of the correction", {
  scores <- with_seed(2, sapply(c(A = 1, B = 0.5, C = 0.2, D = 0), function(shift) shift + stats::rnorm(12, sd = 0.5)))
  spanning <- function(adjust) {
    r <- compare_systems(scores, "t", adjust = adjust)
    list(n = sum(r$pairs$significant & r$pairs$lower <= 0 & r$pairs$upper >= 0), text = capture.output(print(r)))
  }
  holm <- spanning("holm")
  expect_gt(holm$n, 0)
  expect_match(holm$text, sprintf("  intervals    of %s contain 0: they have Bonferroni's correction, which is stricter",
                                  counted(holm$n, "significant pair")), all = FALSE, fixed = TRUE)
  for (adjust in c("bonferroni", "none")) {
    expect_identical(spanning(adjust)$n, 0L)
    expect_no_match(spanning(adjust)$text, "contain 0")
  }
})

test_that("a comparison converts to data frames and LaTeX", {
  r <- compare_systems(x, significance_test("t", "greater"))
  expect_identical(as.data.frame(r), r$pairs)
  expect_identical(names(generics::tidy(r)), c("measure", "test", "of", "system_a", "system_b", "estimate", "conf.low",
                                               "conf.high",
                                              "statistic", "p.value", "adj.p.value", "significant"))
  expect_snapshot(toLatex(r, digits = 2))
})

test_that("LaTeX output escapes special characters once, and typesets numbers", {
  cells <- data.frame(c("A", "50% of a_b\\c^{2}"), c("-0.31", "NA"), c("-Inf", "Inf"), c("1", "Infra"))
  expect_identical(unclass(latex_table(cells, c("System", "a", "b", "95%"), "lrrr"))[c(3, 5, 6)], c(
    "System & a & b & 95\\%\\\\", "A & $-$0.31 & $-$$\\infty$ & 1\\\\",
    "50\\% of a\\_b\\textbackslash{}c\\textasciicircum{}\\{2\\} & -- & $\\infty$ & Infra\\\\"
  ))
})

test_that("a comparison states if no difference can be significant with so few queries", {
  signs <- function(n, ...) compare_systems(cbind(A = seq_len(n), B = 0, C = -seq_len(n)), significance_test(...))
  few <- "significant  0 of 3 pairs (0.0%) at level 0.05; fewer than 7 queries cannot show any"
  for (test in c("permutation", "sign", "wilcoxon")) {
    expect_output(print(signs(6, test)), few, fixed = TRUE)
    expect_true(any(signs(7, test)$pairs$significant))
  }
  expect_output(print(signs(4, "sign", "better", adjust = "none")), "fewer than 5 queries cannot show any")
  expect_true(any(signs(5, "sign", "better", adjust = "none")$pairs$significant))
  expect_no_match(capture.output(print(signs(4, "t"))), "cannot show any")
})
