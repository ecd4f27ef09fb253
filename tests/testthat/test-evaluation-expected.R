# Expectations against complete enumeration.

permutations <- function(x) if (length(x) < 2) list(x) else do.call(c,
                                                                    lapply(seq_along(x),
                                                                           function(i) lapply(permutations(x[-i]),
                                                                                              function(p) c(x[i], p))))

test_that("expected values over ties are means over all orders", {
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

test_that("many orders are sampled, reproducibly", {
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:30), score = 1)
  judgments <- data.frame(query = "q", doc = paste0("d", 1:8), gain = 1)
  a <- evaluate(runs, judgments, c("Fmax", "AP"), ties = "expected", seed = 1)$value
  expect_equal(evaluate(runs, judgments, c("Fmax", "AP"), ties = "expected", seed = 1)$value, a)
  # AP of a random order is known: the closed form agrees with simulation.
  set.seed(2)
  simulated <- replicate(4000, { at <- sort(sample(30, 8)); c(max(2 * 1:8 / (at + 8)), mean(1:8 / at)) })
  expect_lt(max(abs(a - rowMeans(simulated)) / (apply(simulated, 1, sd) * sqrt(1 / 4000 + 1 / 2000))), 4)
})

test_that("expectation and variance under gain distributions are those of all outcomes", {
  runs <- data.frame(system = rep(c("A", "B"), each = 3), query = "q", doc = c("d1", "d2", "d3", "d3", "d4", "d1"),
                     rank = rep(1:3, 2))
  judgments <- data.frame(query = "q", doc = "d1", gain = 1)
  x <- suppressWarnings(test_collection(runs, judgments = judgments, k = 3, scale = broad_scale()))
  gains <- uniform_gains(x)
  third <- gains$doc == "d3"
  gains$prob[third, ] <- c(.2, .5, .3)
  gains$mean[third] <- 1.1
  gains$variance[third] <- .2 * 1.1^2 + .5 * .1^2 + .3 * .9^2
  linear <- c("AG@3", "CG@2", "DCG@3", "DCG(discount=log_b)@3", "P@2", "RBP", "AG", "DCG(gain=exp)@2")
  outcomes <- expand.grid(d2 = 0:2, d3 = 0:2, d4 = 0:2)
  weight <- c(.2, .5, .3)[outcomes$d3 + 1] / 9
  value <- apply(outcomes, 1, function(g) {
    evaluate(runs, rbind(judgments, data.frame(query = "q", doc = names(g), gain = g)), linear)$value
  })
  mean <- as.vector(value %*% weight)
  expected <- evaluate(x, measure = linear, unjudged = "expected", gains = gains)
  expect_equal(expected$value, mean)
  expect_equal(expected$variance, as.vector((value - mean)^2 %*% weight))
  judged_as <- function(g) rbind(judgments, data.frame(query = "q", doc = names(g), gain = g))
  other <- apply(outcomes, 1, function(g) evaluate(runs, judged_as(g), c("AP", "nDCG@3"))$value)
  mean <- as.vector(other %*% weight)
  variance <- as.vector((other - mean)^2 %*% weight)
  drawn <- evaluate(x, measure = c("AP", "nDCG@3"), unjudged = "expected", gains = gains, draws = 2000, seed = 4)
  expect_lt(max(abs(drawn$value - mean) / sqrt(variance / 2000)), 4)
  expect_equal(drawn$variance, variance, tolerance = 0.1)
  means <- evaluate(x, measure = "AG@3", unjudged = "expected", gains = gains, per = "mean")
  expect_equal(means$variance, expected$variance[expected$measure == "AG@3"])
  expect_snapshot(evaluate(runs, judgments, "AG@3", unjudged = "expected"), error = TRUE)
  less <- gains
  less$doc[less$doc == "d4"] <- "d44"
  expect_snapshot(evaluate(runs, judgments, "AG@3", unjudged = "expected", gains = less), error = TRUE)
})

test_that("AG under uniform gains of the whole of MIREX 2011 is what rank_systems() says", {
  mirex <- mirex_2011()
  gains <- uniform_gains(mirex$x)
  scores <- evaluate(mirex$x, data.frame(query = character(), doc = character(), gain = numeric()), "AG@5",
                     per = "mean",
                     unjudged = "expected", gains = gains)
  expect_equal(scores$value, rep(50, 18))
  # 500 documents per system, each of variance 850.
  expect_equal(scores$variance, rep(850 / 500, 18))
})
