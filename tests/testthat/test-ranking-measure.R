# A small collection with independent gains, and every possible outcome with its probability.
tiny <- function() {
  runs <- data.frame(
    system = rep(c("A", "B", "C"), each = 5), query = rep(c("q1", "q1", "q1", "q2", "q2"), 3),
    doc = c("d1", "d2", "d3", "d1", "d4", "d3", "d1", "d4", "d4", "d2", "d2", "d3", "d1", "d1", "d2"),
    rank = rep(c(1:3, 1:2), 3), stringsAsFactors = FALSE
  )
  x <- suppressWarnings(test_collection(runs, k = 3, scale = broad_scale()))
  features <- data.frame(pool_ids(x), f = seq(-1, 1, length.out = length(x$pool$query)))
  gains <- gain_distribution(toy_model(), features)
  list(x = x, gains = update(gains, data.frame(query = "q1", doc = "d3", gain = 1)))
}

# The mean and the covariance of each measure over all outcomes of the gains. One call evaluates all measures.
outcomes <- function(one, measures) {
  prob <- one$gains$prob
  grid <- as.matrix(expand.grid(rep(list(1:3), nrow(prob))))
  weight <- apply(grid, 1, function(level) prod(prob[cbind(seq_along(level), level)]))
  grid <- grid[weight > 0, , drop = FALSE]
  weight <- weight[weight > 0]
  ids <- pool_ids(one$x)
  parsed <- lapply(measures, parse_measure)
  values <- apply(grid, 1, function(level) {
    scores <- suppressWarnings(evaluate(one$x, data.frame(ids, gain = level - 1), parsed, per = "mean"))
    split(scores$value, factor(scores$measure, measures))
  })
  lapply(stats::setNames(nm = measures), function(measure) {
    scores <- vapply(values, `[[`, numeric(n_systems(one$x)), measure)
    mean <- as.vector(scores %*% weight)
    list(mean = mean, covariance = (scores - mean) %*% (weight * t(scores - mean)))
  })
}

test_that("means and covariances of linear measures and of AP equal sums over all outcomes", {
  one <- tiny()
  every <- outcomes(one, c("P(rel=2)@3", "DCG(gain=exp)@3", "RBP", "nDCG(ideal=maximum)@2", "AP", "AP(rel=2)@2"))
  for (measure in names(every)) {
    expected <- every[[measure]]
    ranking <- rank_systems(one$x, one$gains, measure = measure)
    expect_equal(unname(ranking$mean), expected$mean)
    expect_equal(unname(ranking$covariance), unname(expected$covariance))
    d <- expected$covariance
    expect_equal(unname(ranking$difference_variance), unname(outer(diag(d), diag(d), `+`) - 2 * d))
  }
})

test_that("every measure registered as linear ranks known gains as evaluate() does", {
  one <- tiny()
  judged <- data.frame(pool_ids(one$x), gain = c(2, 0, 1, 2, 1, 0, 2)[seq_len(n_pairs(one$x))])
  known <- update(one$gains, judged)
  # Some measures are linear only with a fixed ideal list.
  measures <- lapply(names(measure_registry), function(base) {
    entry <- measure_registry[[base]]
    args <- if ("ideal" %in% names(entry$parameters)) list(ideal = "maximum")
    do.call(measure, c(list(base, k = if (isTRUE(entry$cutoff)) 2), args))
  })
  linear <- Filter(function(m) m$linear, measures)
  expect_gt(length(linear), 8)
  for (m in linear) {
    values <- evaluate(one$x, judged, m, per = "mean")$value
    expect_equal(unname(rank_systems(one$x, known, measure = m)$mean), values, info = m$name)
  }
})

test_that("expected scores of a linear measure equal those of its ranking", {
  one <- tiny()
  for (measure in c("DCG(gain=exp)@3", "P(rel=2)@2")) {
    e <- expected_scores(one$x, one$gains, measure = measure)
    ranking <- rank_systems(one$x, one$gains, measure = measure)
    expect_equal(as.vector(tapply(e$value, e$system, mean)), unname(ranking$mean))
    expect_equal(as.vector(tapply(e$variance, e$system, sum)) / 4, unname(diag(ranking$covariance)))
    draws <- draw_final_scores(attr(e, "collection"), attr(e, "gains"), 0, 20000, 1)
    flat <- matrix(draws, ncol = 20000)
    expect_true(all(abs(rowMeans(flat) - e$value) <= 4.5 * sqrt(e$variance / 20000) + 1e-12))
    expect_identical(unique(e$measure), measure)
  }
})

test_that("intervals are cut at the bounds of the measure", {
  x <- tiny()$x
  highest <- c("AG@3" = 2, "DCG(gain=exp)@3" = 3 * (1 + 1 / log2(3) + 1 / 2), "P@3" = 1, AP = 1)
  for (measure in names(highest)) {
    wide <- in_collection_order(rank_systems(x, uniform_gains(x), measure = measure, level = 1 - 1e-14))
    expect_equal(wide$lower, rep(0, 3))
    expect_equal(wide$upper, rep(highest[[measure]], 3))
    narrow <- in_collection_order(rank_systems(x, uniform_gains(x), measure = measure, level = .5))
    expect_equal(narrow$upper - narrow$estimate, qnorm(.75) * narrow$sd)
    expect_equal(narrow$estimate - narrow$lower, qnorm(.75) * narrow$sd)
  }
  by_default <- in_collection_order(rank_systems(x, uniform_gains(x), level = 1 - 1e-14))
  expect_equal(by_default[c("lower", "upper")], data.frame(lower = rep(0, 3), upper = 2))
})

test_that("intervals extend to the negative end of a scale, and are not cut for custom measures", {
  runs <- data.frame(system = c("A", "B"), query = "q1", doc = c("d1", "d2"), rank = 1)
  x <- test_collection(runs, k = 1, scale = gain_scale(c(-1, 0, 1)))
  wide <- in_collection_order(rank_systems(x, uniform_gains(x), level = 1 - 1e-14))
  expect_equal(wide[c("lower", "upper")], data.frame(lower = c(-1, -1), upper = 1))
  own <- measure_custom("own", function(list) sum(list$gain))
  ranking <- rank_systems(x, joint_gains(x, gain_prior()), measure = own, seed = 1)
  data <- in_collection_order(ranking)
  expect_equal(data$upper - data$estimate, qnorm(.975) * data$sd)
})

test_that("a ranking by a measure without cutoff states the rank at which its lists are cut", {
  runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
  cut <- function(k, ...) suppressWarnings(test_collection(runs, k = k, scale = 0:3, ...))
  label <- function(x, measure) measure_label(with_measure(x, measure))
  five <- cut(5)
  expect_identical(label(five, "AP"), "mean AP@5")
  expect_identical(label(five, "AP@3"), "mean AP@3")
  expect_identical(label(five, "map"), "mean map@5")
  expect_identical(label(five, c(mine = "AP")), "mean mine@5")
  expect_identical(label(five, "RR"), "mean RR@5")
  expect_identical(label(five, "AP(mean=geometric)"), "geometric mean AP(mean=geometric)@5")
  expect_identical(label(five, "AP(rel=2)"), "mean AP(rel=2)@5")
  # The label of nDCG without cutoff differs from nDCG@5, because the ideal list is not cut. Other measures cannot have
  # a cutoff.
  expect_identical(label(five, "nDCG"), "mean nDCG of the top 5")
  expect_identical(label(five, "Rprec"), "mean Rprec of the top 5")
  # Lists that are not longer than the cutoff are not cut.
  expect_identical(label(cut(10), "AP"), "mean AP")
  expect_identical(label(cut(20), "nDCG"), "mean nDCG")
  # The label also accounts for added runs, as a data frame or a collection, and for a part of the queries.
  some <- runs$system != runs$system[1]
  short <- suppressWarnings(test_collection(runs[some & runs$rank <= 5, ], k = 5, scale = 0:3))
  expect_identical(label(short, "AP"), "mean AP")
  expect_identical(label(suppressWarnings(add_runs(short, runs[!some, ])), "AP"), "mean AP@5")
  other <- suppressWarnings(test_collection(runs[!some, ], k = 5, scale = 0:3))
  expect_identical(label(suppressWarnings(add_runs(short, other)), "AP"), "mean AP@5")
  expect_identical(label(restrict_to_queries(five, 1:8), "AP"), "mean AP@5")
})

test_that("print() includes the cutoff in the name of the measure", {
  runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
  x <- suppressWarnings(test_collection(runs, k = 3, scale = 0:3, judgments = judgments_of(text_demo)))
  shown <- function(object) utils::capture.output(print(object))
  ranking <- rank_systems(x, measure = "AP")
  expect_match(shown(ranking)[1], "by mean AP@3 with", fixed = TRUE)
  expect_match(shown(summary(ranking))[1], "by mean AP@3 with", fixed = TRUE)
  expect_identical(glance(ranking)$measure, "mean AP@3")
  s <- judging_session(x, goal_budget(5), measure = "AP", judgments = FALSE, seed = 1)
  expect_match(shown(s), "measure +mean AP@3$", all = FALSE)
  facts <- ranking_question(rank_systems(s), progress(s))
  expect_match(facts$value[facts$fact == "Measure"], "^mean AP@3([.]|$)")
  plan <- judging_plan(x, goal_budget(5), measure = "AP", judgments = FALSE, replicates = 2, seed = 1)
  expect_match(shown(plan), "measure +mean AP@3$", all = FALSE)
  # Values equal those of evaluate() for the lists cut at that rank.
  scores <- evaluate(runs, judgments_of(text_demo), "AP@3", per = "mean")
  expect_equal(unname(ranking$mean), scores$value[match(x$systems$system, scores$system)], tolerance = 1e-12)
})

test_that("a label contains the cutoff exactly if truncated lists have the measure's value at this cutoff", {
  set.seed(3)
  runs <- expand.grid(system = c("A", "B"), query = paste0("q", 1:6), rank = 1:12, stringsAsFactors = FALSE)
  runs$doc <- paste0("d", stats::ave(runs$rank, runs$system, runs$query, FUN = function(rank) sample(20, length(rank))))
  judgments <- expand.grid(query = unique(runs$query), doc = paste0("d", 1:20), stringsAsFactors = FALSE)
  judgments$gain <- sample(0:3, nrow(judgments), TRUE)
  bases <- Filter(function(base) is.null(measure_registry[[base]]$needs) && isTRUE(measure_registry[[base]]$cutoff),
                  names(measure_registry))
  expect_gt(length(bases), 20)
  for (base in bases) {
    cut <- evaluate(runs, judgments, base, depth = 5)$value
    at <- evaluate(runs, judgments, paste0(base, "@5"))$value
    expect_identical(isTRUE(all.equal(cut, at)), startsWith(cut_suffix(measure(base), 5), "@"), label = base)
  }
})
