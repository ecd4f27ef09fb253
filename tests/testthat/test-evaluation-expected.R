# Expected values over ties, compared with a complete enumeration of orders.

permutations <- function(x) if (length(x) < 2) list(x) else do.call(c,
                                                                    lapply(seq_along(x),
                                                                           function(i) lapply(permutations(x[-i]),
                                                                                              function(p) c(x[i], p))))

test_that("expected values over ties are means over all orders of tied documents", {
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:5), score = c(3, 2, 2, 2, 1))
  judgments <- data.frame(query = "q", doc = c("d1", "d3", "d4", "d5", "d9"), gain = c(0, 2, -1, 1, 1))
  names <- c("AP", "RR", "P@2", "nDCG@3", "bpref", "ERR@4", "infAP", "Fmax", "iprec(recall=0.5)", "ADR@4", "AUC",
             "success@2", "BEP",
             "Rprec", "binG", "G", "ndcg_rel", "Rndcg", "yaap", "RBP", "judged@2")
  orders <- lapply(permutations(2:4), function(p) data.frame(system = "A", query = "q", doc = paste0("d", c(1, p, 5)),
                                                             rank = 1:5))
  each <- vapply(orders, function(run) evaluate(run, judgments, names)$value, numeric(length(names)))
  expect_equal(evaluate(runs, judgments, names, ties = "expected")$value, rowMeans(each))
  path <- tempfile("run")
  writeLines(paste("q Q0", runs$doc, 1:5, runs$score, "A"), path)
  expect_equal(evaluate(path, judgments, names, ties = "expected")$value, rowMeans(each))
})

test_that("if ties have too many orders, a reproducible random sample is averaged", {
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:30), score = 1)
  judgments <- data.frame(query = "q", doc = paste0("d", 1:8), gain = 1)
  a <- evaluate(runs, judgments, c("Fmax", "AP"), ties = "expected", seed = 1)$value
  expect_equal(evaluate(runs, judgments, c("Fmax", "AP"), ties = "expected", seed = 1)$value, a)
  # The value for a random order is known from a simulation.
  set.seed(2)
  simulated <- replicate(4000, { at <- sort(sample(30, 8)); c(max(2 * 1:8 / (at + 8)), mean(1:8 / at)) })
  expect_lt(max(abs(a - rowMeans(simulated)) / (apply(simulated, 1, sd) * sqrt(1 / 4000 + 1 / 2000))), 4)
})

test_that("orders for which a measure is not defined count as 0 or are left out, as `undefined` states", {
  runs <- data.frame(system = "A", query = rep(c("p", "q"), each = 4), doc = paste0("d", 1:4), score = c(2, 2, 2, 1))
  judgments <- data.frame(query = c("p", "q", "q"), doc = c("d9", "d2", "d4"), gain = 1)
  names <- c("BEP", "AUC", "RR")
  each <- vapply(permutations(1:3), function(p) {
    run <- data.frame(system = "A", query = runs$query, doc = paste0("d", c(p, 4)), rank = 1:4)
    evaluate(run, judgments, names, undefined = "NA")$value
  }, numeric(6))
  # BEP is never defined for `p`, and not for `q` if d2 is third.
  expect_identical(rowSums(is.na(each)), c(6, 0, 0, 2, 0, 0))
  path <- tempfile("run")
  writeLines(paste(runs$query, "Q0", runs$doc, 1:4, runs$score, "A"), path)
  for (x in list(runs, path)) {
    left_out <- evaluate(x, judgments, names, ties = "expected", undefined = "NA")$value
    expect_equal(left_out, c(NA, rowMeans(each, na.rm = TRUE)[-1]))
    expect_equal(evaluate(x, judgments, names, ties = "expected")$value, rowMeans(replace(each, is.na(each), 0)))
  }
})
