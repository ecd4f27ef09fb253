# Values from the texts that define the measures, or computed by hand.

toy <- data.frame(system = "toy", query = "q", doc = as.character(1:10),
                  score = c(8, 52, 22, 10, 12, 34, 11, 27, 72, 18))
toy_relevant <- data.frame(query = "q", doc = c("2", "7", "8", "9"), gain = 1)
exercise <- data.frame(system = "ex", query = "q", doc = as.character(1:8),
                       score = c(.7, 2.6, 3.6, 3.5, 3.2, 3.7, 1.5, 3.1))
exercise_relevant <- data.frame(query = "q", doc = c("2", "3", "4", "8"), gain = 1)
value <- function(runs, judgments, measures) evaluate(runs, judgments, measures)$value

test_that("measures have the values of the toy example in the FMP notebook on evaluation measures", {
  expect_equal(value(toy, toy_relevant, c("P@3", "recall@3", "BEP", "Fmax", "AP")), c(2 / 3, 1 / 2, .75, .75, .8125))
  expect_equal(value(toy, toy_relevant, paste0("F@", 1:10)),
               c(.4, 2 / 3, 4 / 7, .75, 2 / 3, .6, 6 / 11, 2 / 3, 8 / 13, 4 / 7))
  expect_equal(round(value(toy, toy_relevant, paste0("P@", 1:10)), 2), c(1, 1, .67, .75, .6, .5, .43, .5, .44, .4))
  expect_equal(value(toy, toy_relevant, paste0("recall@", 1:10)), c(.25, .5, .5, .75, .75, .75, .75, 1, 1, 1))
})

test_that("measures have the values of exercise 7.12 in the FMP notebook on evaluation measures", {
  expect_equal(value(exercise, exercise_relevant, c("BEP", "Fmax")), c(.5, .8))
  expect_equal(round(value(exercise, exercise_relevant, "AP"), 5), .60833)
  expect_equal(round(value(exercise, exercise_relevant, paste0("P@", 1:8)), 2), c(0, .5, .67, .5, .6, .67, .57, .5))
  expect_equal(value(exercise, exercise_relevant, paste0("recall@", 1:8)), c(0, .25, .5, .5, .75, 1, 1, 1))
  expect_equal(round(value(exercise, exercise_relevant, paste0("F@", 1:8)), 2), c(0, .33, .57, .5, .67, .8, .73, .67))
})

graded <- data.frame(system = "g", query = "q", doc = paste0("d", 1:6), score = 6:1)
grades <- data.frame(query = "q", doc = paste0("d", 1:6), gain = c(3, 2, 3, 0, 1, 2))

test_that("DCG has the values of the table in the notes on IR evaluation", {
  dcg <- value(graded, grades, paste0("DCG(discount=log_b)@", 1:6))
  expect_equal(dcg[1], 3)
  # The table in the notes, rel / log2(i) at ranks i = 2 to 6, in which some values are truncated instead of rounded.
  expect_equal(diff(dcg), c(2, 1.892, 0, .431, .774), tolerance = 1e-3)
  exponential <- value(graded, grades, "DCG(gain=exp)@6")
  expect_equal(exponential, sum((2^c(3, 2, 3, 0, 1, 2) - 1) / log2(2:7)))
})

test_that("average dynamic recall has the values in Urbano et al. 2010, section 5.4", {
  # The ideal list <(A, B, C), (D, E)>.
  truth <- data.frame(query = "q", doc = LETTERS[1:5], gain = c(2, 2, 2, 1, 1))
  list <- function(docs) data.frame(system = "L", query = "q", doc = docs, rank = 1:5)
  expect_equal(value(list(c("A", "B", "D", "E", "C")), truth, "ADR"), (1 + 1 + 2 / 3 + 1 + 1) / 5)
  expect_equal(round(value(list(c("A", "B", "D", "E", "C")), truth, "ADR"), 3), .933)
  expect_equal(value(list(c("A", "B", "C", "D", "E")), truth, "ADR"), 1)
})

test_that("the measures of Urbano et al. 2011 agree with their equations", {
  gain <- c(3, 2, 3, 0, 1, 2)
  ideal <- sort(gain, decreasing = TRUE)
  dcg <- function(g, k) sum(g[1:k] / c(1, log2(2:6))[1:k])
  ndcg <- vapply(1:5, function(k) dcg(gain, k) / dcg(ideal, k), 0)
  got <- value(graded, grades, c("CG@5", "AG@5", "nDCG(discount=log_b)@5", "ANDCG(discount=log_b)@5", "ADR@5"))
  # In ADR, d3, which has the highest gain, counts from rank 1 on, and d2 from rank 3 on.
  expect_equal(got, c(9, 9 / 5, ndcg[5], mean(ndcg), (1 / 1 + 1 / 2 + 3 / 3 + 3 / 4 + 4 / 5) / 5))
  base3 <- value(graded, grades, "DCG(discount=log_b,b=3)@6")
  expect_equal(base3, 3 + 2 + 3 + 0 + 1 / log(5, 3) + 2 / log(6, 3))
})

test_that("measures accept gain and discount functions, tables of gains and relevance thresholds", {
  expect_equal(value(graded, grades, measure("DCG", 3, gain = sqrt)), sum(sqrt(c(3, 2, 3)) / log2(2:4)))
  expect_equal(value(graded, grades, measure("DCG", 3, discount = function(r) 1 / r)), 3 + 2 / 2 + 3 / 3)
  expect_equal(value(graded, grades, measure("CG", 3, gain = c("3" = 10))), 10 + 2 + 10)
  expect_equal(value(graded, grades, "CG(rel=3)@6"), 6)
  expect_equal(value(graded, grades, "nDCG(ideal=maximum,max=3)@2"), (3 + 2 / log2(3)) / (3 + 3 / log2(3)))
  expect_equal(value(graded, grades, "nDCG(ideal=maximum,max=4,gain=exp)@2"), (7 + 3 / log2(3)) / (15 + 15 / log2(3)))
})

test_that("RBP, its residual and ERR agree with their definitions", {
  expect_equal(value(graded, grades, "RBP(p=0.5,rel=2)"), .5 * (1 + .5 + .25 + 1 / 32))
  expect_equal(value(graded, grades, "RBP(p=0.5,gain=linear)@2"), .5 * (1 + .5 * 2 / 3))
  expect_equal(value(graded, grades[-2, ], c("RBPresidual(p=0.5)", "RBPresidual(p=0.5)@2")), c(.25 + 1 / 64, .25 + .25))
  for (seed in 1:40) with_seed(seed, {
    n <- sample(2:15, 1)
    run <- data.frame(system = "A", query = "q", doc = paste0("d", seq_len(n)), rank = seq_len(n))
    judged <- sample(n, sample(n, 1))
    judgments <- data.frame(query = "q", doc = c(run$doc[judged], "x"), gain = c(sample(0:1, length(judged), TRUE), 1))
    p <- stats::runif(1, .1, .95)
    # Every rank that is unjudged or beyond the list could be relevant.
    unknown <- function(k) sum(((1 - p) * p^(0:4999))[c(setdiff(seq_len(min(n, k)), judged), (min(n, k):4999) + 1)])
    expect_equal(value(run, judgments, sprintf(c("RBPresidual(p=%.17g)", "RBPresidual(p=%.17g)@3"), p)),
                 c(unknown(n), unknown(3)), tolerance = 1e-10)
  })
  stop <- (2^c(3, 2, 3, 0, 1, 2) - 1) / 8
  expect_equal(value(graded, grades, "ERR"), sum(stop * cumprod(c(1, 1 - stop))[1:6] / 1:6))
})

test_that("values of every measure lie in its registered range, and depend on ranks only if so registered", {
  lists <- do.call(rbind, lapply(1:8, function(i) with_seed(i, {
    data.frame(system = paste0("s", i), query = "q", doc = paste0("d", sample(6)), rank = 1:6)
  })))
  for (base in names(measure_registry)) {
    m <- measure(base, k = if (isTRUE(measure_registry[[base]]$cutoff)) 6)
    judgments <- grades[-2, ]
    by_subtopic <- identical(measure_registry[[base]]$needs, "subtopic")
    if (by_subtopic) judgments$subtopic <- rep_len(c("a", "b"), nrow(judgments))
    values <- suppressWarnings(value(lists, judgments, m), classes = "judicious_warning")
    expect_true(all(values >= m$range[1] - 1e-12 & values <= m$range[2] + 1e-12), info = base)
    if (!m$needs_ranks) expect_lt(diff(range(values)), 1e-12, label = paste("the difference by rank of", base))
  }
})

test_that("gains above the stated highest one raise an error, except in user models, which limit them", {
  runs <- data.frame(system = "A", query = "q", doc = c("a", "b"), rank = 1:2)
  judgments <- data.frame(query = "q", doc = c("a", "b"), gain = c(1, 3))
  expect_snapshot(error = TRUE, {
    evaluate(runs, judgments, "ERR(max=2)@2")
    evaluate(runs, judgments, "nDCG(ideal=maximum,max=2)@2")
    evaluate(runs, judgments, "RBP(gain=linear,max=2)")
  })
  expect_equal(evaluate(runs, judgments, "ERR(max=3)@2")$value, 1 / 8 + 7 / 8 * 7 / 8 / 2)
  limited <- transform(judgments, gain = pmin(gain, 2))
  expect_equal(evaluate(runs, judgments, "SDCG(max=2)@2")$value, evaluate(runs, limited, "SDCG(max=2)@2")$value)
})

test_that("gains too large for a measure raise errors", {
  huge <- transform(grades, gain = replace(gain, 1, 1e308))
  for (measure in c("DCG(gain=exp)@3", "ERR", "CG@3")) {
    expect_error(evaluate(graded, huge, measure), "too large", class = "judicious_error_argument")
  }
  expect_equal(value(graded, huge, "AP"), value(graded, grades, "AP"))
})

test_that("custom measures receive the gains of the list, with NA for unjudged documents", {
  seen <- NULL
  look <- measure_custom("look", function(x) { seen <<- x; sum(x$gain, na.rm = TRUE) }, k = 3)
  scores <- evaluate(graded, grades[-2, ], c(look, measure("CG@3")))
  expect_equal(scores$value, c(6, 6))
  expect_equal(seen, list(gain = c(3, NA, 3), retrieved = 6L, judged = c(3, 3, 2, 1, 0), k = 3L,
                          query = list(query = "q")))
  expect_equal(evaluate(graded, grades[-2, ], look, unjudged = "condensed")$value, 6)
  bad <- measure_custom("bad", function(x) c(1, 2))
  expect_snapshot(evaluate(graded, grades, bad), error = TRUE)
})

test_that("the measure yaap of an unanswered query is that of an empty list", {
  runs <- data.frame(system = c("A", "A", "B"), query = c("q1", "q2", "q1"), doc = "d1", score = 1)
  judgments <- data.frame(query = rep(c("q1", "q2"), each = 3), doc = c("d1", "d2", "d3"), gain = 1)
  scores <- suppressWarnings(evaluate(runs, judgments, "yaap"), classes = "judicious_warning")
  # Each list has one of three relevant documents at rank 1, or it is empty.
  expect_equal(as.matrix(scores), matrix(log(c(2 / 3, 2 / 3, 2 / 3, 1 / 4)), 2, dimnames = dimnames(as.matrix(scores))))
})

test_that("names of measures from ir_measures and ranx denote the same measures in this package", {
  same <- c(SetP = "P", SetR = "recall", SetF = "F", SetAP = "set_AP", NumRet = "num_ret", NumRel = "num_rel",
            "hit_rate@5" = "success@5", "SetP(rel=2)" = "P(rel=2)")
  expect_identical(as.character(measure(names(same))), unname(same))
})

test_that("judged_only=TRUE condenses the list for one measure and leaves the others unchanged", {
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:6), score = c(6, 5, 5, 4, 3, 2))
  judgments <- data.frame(query = "q", doc = c("d2", "d3", "d5", "d9"), gain = c(1, 0, 2, 1))
  names <- c("AP", "nDCG@2", "P@2", "INST")
  own <- paste0(c("AP", "nDCG", "P", "INST"), "(judged_only=TRUE)", c("", "@2", "@2", ""))
  for (ties in c("trec_eval", "expected")) {
    both <- evaluate(runs, judgments, c(names, own), ties = ties, seed = 1)$value
    expect_equal(both[5:8], evaluate(runs, judgments, names, ties = ties, unjudged = "condensed", seed = 1)$value)
    expect_equal(both[1:4], evaluate(runs, judgments, names, ties = ties, seed = 1)$value)
  }
  bounds <- evaluate(runs, judgments, c(names, own), unjudged = "bounds")
  expect_equal(bounds$lower[5:8], bounds$upper[5:8])
  expect_true(all(bounds$upper[1:4] > bounds$lower[1:4]))
  expect_snapshot(rank_systems(test_collection(runs, k = 6), measure = "P(judged_only=TRUE)@5"), error = TRUE)
})

test_that("expected values under ties are means over all orders of the tied documents", {
  runs <- data.frame(system = "A", query = "q", doc = paste0("d", 1:4), score = c(2, 1, 1, 1))
  judgments <- data.frame(query = "q", doc = paste0("d", 1:3), gain = c(1, 0, 2))
  names <- c("INSQ", "SDCG@3", "INST(T=2)", "NERR9@4", "BPM(T=1)@3", "Compat", "Accuracy", "hits@3")
  orders <- list(2:4, c(2, 4, 3), c(3, 2, 4), c(3, 4, 2), c(4, 2, 3), c(4, 3, 2))
  each <- vapply(orders, function(order) {
    evaluate(transform(runs, rank = match(1:4, c(1, order))), judgments, names, ties = "rank")$value
  }, numeric(length(names)))
  expect_equal(evaluate(runs, judgments, names, ties = "expected", seed = 1)$value, rowMeans(each))
})

test_that("INSQ and SDCG are linear, and rank_systems() computes SDCG as a weighted sum of gains", {
  expect_true(measure("INSQ")$linear)
  expect_true(measure("SDCG@5")$linear)
  x <- test_collection(data.frame(system = "A", query = "q", doc = c("a", "b"), rank = 1:2), k = 2,
                       scale = gain_scale(0:3))
  judged <- data.frame(query = "q", doc = c("a", "b"), gain = c(3, 1))
  expect_equal(unname(rank_systems(x, update(uniform_gains(x), judged), measure = "SDCG(max=3)@2")$mean),
               (1 + 1 / 3 / log2(3)) / (1 + 1 / log2(3)))
})

test_that("condensing a list equals removing unjudged documents, for every measure", {
  withr::local_seed(7)
  run <- data.frame(system = "A", query = "q", doc = sample(paste0("d", 1:30)), rank = 1:30)
  judged <- data.frame(query = "q", doc = paste0("d", 1:18), subtopic = c("a", "b", "c"), stratum = 1:2,
                       gain = c(1, sample(0:3, 17, TRUE)))
  pooled <- data.frame(query = "q", doc = paste0("d", 19:22), subtopic = "a", stratum = 1:2, gain = -1)
  condensed <- run[run$doc %in% judged$doc, ]
  condensed$rank <- seq_len(18)
  all <- names(measure_registry)
  at_5 <- paste0(all, ifelse(vapply(measure_registry, function(entry) isTRUE(entry$cutoff), NA), "@5", ""))
  judgments <- rbind(judged, pooled)
  expect_identical(evaluate(run, judgments, at_5, unjudged = "condensed")$value,
                   evaluate(condensed, judgments, at_5)$value)
})
