# Reference data of Corsi and Urbano (2024), published with their implementation. Each row has two rankings with tied
# items in parentheses, p, and the extrapolated, lowest and highest score of the variants w, a and b.
# nolint start: line_length_linter.
published <- utils::read.csv(text = "x,y,p,w.ext,w.min,w.max,a.ext,a.min,a.max,b.ext,b.min,b.max
(i5 i9 i13 i15 i16 i19 i20) (i3 i8),i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1,0.958074765324023,0.0816485573277354,0.0370062754797617,0.59493569657566,0.0808189832771587,0.0354671825076603,0.593396603603558,0.0813693619867344,0.0356267307324464,0.593556151828344
i13 (i1 i4 i5 i6),i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2,0.92238320668128,0.117578490431637,0.0763135264223449,0.53999366118093,0.114619469221414,0.0733545052121218,0.537945108035391,0.11474835409049,0.0734833900811979,0.538589532380772
(i3 i6) (i2 i7) i10,(i3 i6 i7 i10) (i1 i2),0.965413635276732,0.946064537517568,0.343706790399566,0.958770957517067,0.92051534467649,0.319428239558438,0.934492406675939,0.956844651806714,0.348953051936765,0.964017219054266
i4 (i2 i14) i7 i5 i3,(i9 i13) (i6 i8) i1 i5 i10 i15 i11,0.986650551181127,0.155835200392091,0.02839705430193,0.89085092447296,0.155835200392091,0.02839705430193,0.89085092447296,0.155835200392091,0.02839705430193,0.89085092447296
(i1 i9 i15 i17) i13 i4 i3 i2,(i1 i17) i15 i9 i13 i4 (i2 i3) i14,0.959906916802432,0.966438584453973,0.512284507728805,0.966438584453973,0.939211367148046,0.485057290422878,0.939211367148046,0.970894528910972,0.516740452185804,0.970894528910972
i21 i20 (i1 i16 i19) (i5 i10) i4,(i12 i17) (i2 i3 i8 i11) (i15 i18) (i6 i13) (i7 i14) i9,0.930074017489188,0,0,0.389142712252727,0,0,0.38977330351866,0,0,0.390116806797613
i2 i5 i3 (i1 i4),i5 i8 i2 (i3 i9),0.968922741966306,0.580287544332462,0.196704918554571,0.917454802645556,0.580994268838527,0.197411643060636,0.918161527151621,0.583518284931614,0.199935659153723,0.920685543244708
")
# nolint end

as_groups <- function(text) {
  parts <- regmatches(text, gregexpr("\\([^)]*\\)|[^ ()]+", text))[[1]]
  lapply(parts, function(part) strsplit(gsub("[()]", "", part), " ")[[1]])
}

test_that("all variants of RBO reproduce published values", {
  for (i in seq_len(nrow(published))) {
    for (ties in c("w", "a", "b")) {
      got <- rank_correlation(as_groups(published$x[i]), as_groups(published$y[i]), "rbo", p = published$p[i],
                              ties = ties)
      want <- unlist(published[i, paste0(ties, c(".ext", ".min", ".max"))])
      expect_equal(unname(got[c("ext", "min", "max")]), unname(want), tolerance = 1e-12)
      expect_equal(got[["res"]], got[["max"]] - got[["min"]])
    }
  }
})

test_that("without ties, RBO is the weighted mean of the agreement at each depth", {
  x <- c("a", "b", "c", "d", "e")
  y <- c("b", "a", "f", "d", "c")
  agreement <- sapply(1:5, function(d) length(intersect(x[1:d], y[1:d])) / d)
  p <- 0.8
  want <- (1 - p) * sum(p^(0:4) * agreement) + p^5 * agreement[5]
  for (ties in c("a", "b", "w")) expect_equal(rank_correlation(x, y, "rbo", p = p, ties = ties)[["ext"]], want)
})

test_that("with ties = \"a\", RBO is the mean over all orders of tied items", {
  x <- list("a", c("b", "c", "d"), "e")
  y <- list(c("c", "a"), "e", c("d", "b"))
  orders <- function(g) {
    if (length(g) < 2) return(list(g))
    unlist(lapply(seq_along(g), function(i) lapply(orders(g[-i]), function(rest) c(g[i], rest))), recursive = FALSE)
  }
  all_orders <- function(groups) Reduce(function(done, g) unlist(lapply(done,
    function(d) lapply(orders(g), function(o) c(d, o))), recursive = FALSE), groups, list(NULL))
  overlap <- function(a, b) rank_correlation(a, b, "rbo", p = 0.7)[["ext"]]
  scores <- unlist(lapply(all_orders(x), function(a) lapply(all_orders(y), function(b) overlap(a, b))))
  expect_equal(rank_correlation(x, y, "rbo", p = 0.7)[["ext"]], mean(scores))
})

test_that("RBO ranks systems by named scores, and treats equal scores as ties", {
  expect_equal(rank_correlation(c(A = 3, B = 1, C = 1), c(A = 1, B = 3, C = 2), "rbo", p = 0.8),
               rank_correlation(list("A", c("B", "C")), c("B", "C", "A"), "rbo", p = 0.8))
  expect_equal(rank_correlation(c("A", "B"), c("B", "A", "C"), "rbo"),
               rank_correlation(c("B", "A", "C"), c("A", "B"), "rbo"))
})

test_that("input that is not a ranking raises an error", {
  expect_snapshot(error = TRUE, {
    rank_correlation(c("A", "A"), c("A", "B"), "rbo")
    rank_correlation(1:3, 3:1, "rbo")
    rank_correlation(character(), "A", "rbo")
    rank_correlation("A", "B", "rbo", p = 1)
    rank_correlation("A", "B", "rbo", ties = "c")
  })
})
