# Queries without any judgment: evaluations leave them out, rankings predict their gains, and both say so.

runs <- expand.grid(system = c("A", "B"), query = paste0("q", 1:5), rank = 1:4, stringsAsFactors = FALSE)
runs$doc <- paste0("d", runs$rank + (runs$system == "B"))
runs$score <- 10 - runs$rank
runs <- runs[order(runs$system, runs$query, runs$rank), ]
judgments <- expand.grid(query = paste0("q", 1:3), doc = paste0("d", 1:5), stringsAsFactors = FALSE)
judgments$gain <- rep_len(c(1, 0, 0, 1, 1, 0, 1), nrow(judgments))
left_out <- "2 queries of the runs have no judgment and are left out"
predicted <- "2 of 5 queries have no judgment; their gains are predicted"

# The same runs and judgments in every form in which they may be given.
forms <- function() {
  folder <- tempfile("topics")
  dir.create(folder)
  path <- function(name) file.path(folder, name)
  trec <- vapply(c("A", "B"), function(system) {
    own <- runs[runs$system == system, ]
    writeLines(paste(own$query, "Q0", own$doc, own$rank, own$score, system), path(system))
    path(system)
  }, "", USE.NAMES = FALSE)
  qrels <- path("qrels")
  writeLines(paste(judgments$query, 0, judgments$doc, judgments$gain), qrels)
  utils::write.csv(runs[c("system", "query", "doc", "score")], path("runs.csv"), row.names = FALSE)
  utils::write.csv(judgments, path("judgments.csv"), row.names = FALSE)
  list(trec = list(runs = trec, judgments = qrels),
       csv = list(runs = path("runs.csv"), judgments = path("judgments.csv")),
       frame = list(runs = runs, judgments = judgments),
       ranks = list(runs = runs[c("system", "query", "doc", "rank")], judgments = judgments))
}

test_that("evaluate, compare, rank and report treat the same queries in the same way, whatever the form of the files", {
  shown <- function(object) utils::capture.output(print(object))
  for (form in forms()) {
    x <- suppressMessages(test_collection(form$runs, k = 4, scale = 0:1, judgments = form$judgments))
    of_files <- suppressMessages(evaluate(form$runs, form$judgments, c("P@4", "AP")))
    of_collection <- suppressMessages(evaluate(x, measure = c("P@4", "AP")))
    for (scores in list(of_files, of_collection)) {
      expect_setequal(scores$query, paste0("q", 1:3))
      expect_true(left_out %in% shown(scores))
      compared <- compare_systems(scores, measure = "AP", seed = 1)
      expect_match(shown(compared), left_out, fixed = TRUE, all = FALSE)
      expect_identical(nrow(compared$scores), 3L)
    }
    expect_identical(plain_frame(of_files)[order(of_files$system, of_files$query, of_files$measure), "value"],
                     plain_frame(of_collection)[order(of_collection$system, of_collection$query,
                                                      of_collection$measure), "value"])
    means <- suppressMessages(evaluate(form$runs, form$judgments, "AP", per = "mean"))
    expect_true(left_out %in% shown(means))
    for (measure in c("P@4", "AP")) {
      ranking <- rank_systems(x, measure = measure, seed = 1)
      expect_identical(queries_in_means(ranking$collection), 5L)
      expect_true(predicted %in% shown(ranking))
      expect_match(ranking_report(ranking, NULL, NULL)$answer, predicted, fixed = TRUE, all = FALSE)
    }
    s <- judging_session(x, goal_budget(20), measure = "P@4", seed = 1)
    expect_true(predicted %in% shown(rank_systems(s)))
  }
})

test_that("the shell says the same", {
  for (form in forms()[c("trec", "csv")]) {
    said <- function(...) gsub("\\s+", " ", paste(cli(...)$err, collapse = " "))
    expect_match(said("rank", "-j", form$judgments, "--k", "4", form$runs), predicted, fixed = TRUE)
    expect_match(said("evaluate", "-j", form$judgments, "-M", "AP", form$runs), "2 queries of the runs have no judgments")
    expect_match(said("compare", "-j", form$judgments, "-M", "AP", form$runs), "2 queries of the runs have no judgments")
  }
})

test_that("nothing is said where every query is judged, where none is, and of queries of other strata", {
  shown <- function(...) paste(utils::capture.output(print(rank_systems(...))), collapse = " ")
  x <- test_collection(runs, k = 4, scale = 0:1)
  expect_no_match(shown(x, judgments = FALSE), "predicted")
  one_each <- data.frame(query = paste0("q", 1:5), doc = "d2", gain = 1)
  expect_no_match(shown(x, judgments = one_each), "predicted")
  expect_match(shown(x, judgments = one_each[-1, ]), "1 of 5 queries has no judgment; its gains are predicted")
  halves <- data.frame(query = paste0("q", 1:5), half = c("a", "b", "b", "b", "b"))
  in_halves <- test_collection(runs, k = 4, scale = 0:1, queries = halves)
  expect_no_match(shown(in_halves, judgments = one_each[-1, ], by = "half"), "predicted")
  # A judgment outside the pool is one.
  outside <- rbind(one_each[-1, ], data.frame(query = "q1", doc = "other", gain = 1))
  expect_no_match(suppressWarnings(shown(x, judgments = outside, measure = "AP")), "predicted")
  # Judgments of another assessor are judgments.
  of_two <- data.frame(one_each, assessor = rep_len(c("ann", "bob"), 5))
  expect_no_match(suppressMessages(shown(x, judgments = of_two, assessor = "ann")), "predicted")
})

test_that("queries that a system does not answer have the value of evaluate() in drawn rankings", {
  some <- runs[!(runs$system == "B" & runs$query %in% c("q2", "q3")), ]
  whole <- expand.grid(query = paste0("q", 1:5), doc = paste0("d", 1:5), stringsAsFactors = FALSE)
  whole$gain <- rep_len(c(1, 0, 1, 1, 0, 0, 1), nrow(whole))
  x <- suppressWarnings(test_collection(some, k = 4, scale = 0:1))
  for (base in c("AP", "nDCG", "RR", "ERR", "bpref", "Rprec", "INST", "success")) {
    gains <- suppressWarnings(joint_gains(x, judgments = whole, measure = if (is_sum(in_measure(x, base))) base))
    gains <- gains_in_measure(gains, base, NULL)
    drawn <- rank_by_draws(gains$collection, gains, 0, 0.95, "these", 10, 1)
    true <- suppressWarnings(evaluate(some, whole, base, per = "mean"))
    expect_equal(unname(drawn$mean), true$value[match(x$systems$system, true$system)], tolerance = 1e-12, label = base)
  }
})

test_that("true values count the judgments outside the pool that are given with them", {
  whole <- expand.grid(query = paste0("q", 1:5), doc = paste0("d", 1:9), stringsAsFactors = FALSE)
  whole$gain <- rep_len(c(1, 0, 1, 1, 0, 0, 1), nrow(whole))
  x <- test_collection(runs, k = 4, scale = 0:1)
  y <- in_measure(x, "AP")
  expected <- evaluate(runs, whole, "AP", per = "mean")$value
  suppressWarnings({
    expect_equal(unname(means_of_truth(y, whole)), expected, tolerance = 1e-12)
    expect_true(max(abs(true_means(y, whole_truth(y, whole)) - expected)) > 0.05)
    # Studies take them along to every part of the collection.
    study <- study_collection(x, whole, "AP")
    expect_identical(nrow(study$outside), sum(!whole$doc %in% paste0("d", 1:5)))
    half <- take_queries(study, c(1, 4))
    expect_equal(unname(true_means(half, half$gain)),
                 evaluate(runs, whole[whole$query %in% c("q1", "q4"), ], "AP", per = "mean")$value, tolerance = 1e-12)
    plan <- judging_plan(x, goal_budget(20), measure = "AP", truth = whole, replicates = 2, seed = 1)
    expect_identical(nrow(plan$needed), 2L)
  })
})
