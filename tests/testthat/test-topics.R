# Queries without any judgment: evaluations leave them out, rankings predict their gains, and both state this.

runs <- expand.grid(system = c("A", "B"), query = paste0("q", 1:5), rank = 1:4, stringsAsFactors = FALSE)
runs$doc <- paste0("d", runs$rank + (runs$system == "B"))
runs$score <- 10 - runs$rank
runs <- runs[order(runs$system, runs$query, runs$rank), ]
judgments <- expand.grid(query = paste0("q", 1:3), doc = paste0("d", 1:5), stringsAsFactors = FALSE)
judgments$gain <- rep_len(c(1, 0, 0, 1, 1, 0, 1), nrow(judgments))
left_out <- "2 queries of the runs have no judgment and are left out"
predicted <- "2 of 5 queries have no judgment; their gains are predicted"

# The same runs and judgments in every accepted form.
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

test_that("evaluations leave out unjudged queries and rankings predict them, as both state, in all file forms", {
  shown <- function(object) utils::capture.output(print(object))
  for (form in forms()) {
    x <- suppressMessages(test_collection(form$runs, k = 4, scale = 0:1, judgments = form$judgments))
    of_files <- suppressMessages(evaluate(form$runs, form$judgments, c("P@4", "AP")))
    of_collection <- suppressMessages(evaluate(x, measure = c("P@4", "AP")))
    for (scores in list(of_files, of_collection)) {
      expect_setequal(scores$query, paste0("q", 1:3))
      expect_true(left_out %in% shown(scores))
      compared <- compare_systems(scores, measure = "AP", seed = 1)
      expect_match(shown(compared), "left out     2 queries of the runs without judgments", fixed = TRUE, all = FALSE)
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

test_that("the command line reports unjudged queries as R does", {
  for (form in forms()[c("trec", "csv")]) {
    said <- function(...) gsub("\\s+", " ", paste(cli(...)$err, collapse = " "))
    expect_match(said("rank", "-j", form$judgments, "--k", "4", form$runs), predicted, fixed = TRUE)
    expect_match(said("evaluate", "-j", form$judgments, "-M", "AP", form$runs), "2 queries of the runs have no judgments")
    expect_match(said("compare", "-j", form$judgments, "-M", "AP", form$runs), "2 queries of the runs have no judgments")
  }
})

test_that("print() notes unjudged queries only if some queries are judged and an unjudged one is in a judged stratum", {
  shown <- function(...) paste(utils::capture.output(print(rank_systems(...))), collapse = " ")
  x <- test_collection(runs, k = 4, scale = 0:1)
  expect_no_match(shown(x, judgments = FALSE), "predicted")
  one_each <- data.frame(query = paste0("q", 1:5), doc = "d2", gain = 1)
  expect_no_match(shown(x, judgments = one_each), "predicted")
  expect_match(shown(x, judgments = one_each[-1, ]), "1 of 5 queries has no judgment; its gains are predicted")
  halves <- data.frame(query = paste0("q", 1:5), half = c("a", "b", "b", "b", "b"))
  in_halves <- test_collection(runs, k = 4, scale = 0:1, queries = halves)
  expect_no_match(shown(in_halves, judgments = one_each[-1, ], by = "half"), "predicted")
  # A judgment of a document outside the pool counts.
  outside <- rbind(one_each[-1, ], data.frame(query = "q1", doc = "other", gain = 1))
  expect_no_match(suppressWarnings(shown(x, judgments = outside, measure = "AP")), "predicted")
  # Judgments by other assessors count.
  of_two <- data.frame(one_each, assessor = rep_len(c("ann", "bob"), 5))
  expect_no_match(suppressMessages(shown(x, judgments = of_two, assessor = "ann")), "predicted")
})

test_that("in rankings by draws, unanswered queries have the value of evaluate()", {
  some <- runs[!(runs$system == "B" & runs$query %in% c("q2", "q3")), ]
  whole <- expand.grid(query = paste0("q", 1:5), doc = paste0("d", 1:5), stringsAsFactors = FALSE)
  whole$gain <- rep_len(c(1, 0, 1, 1, 0, 0, 1), nrow(whole))
  x <- suppressWarnings(test_collection(some, k = 4, scale = 0:1))
  for (base in c("AP", "nDCG", "RR", "ERR", "bpref", "Rprec", "INST", "success", "yaap")) {
    gains <- suppressWarnings(joint_gains(x, judgments = whole, measure = if (is_sum(with_measure(x, base))) base))
    gains <- gains_in_measure(gains, base)
    drawn <- rank_by_draws(gains$collection, gains, "these", 10, 1)
    true <- suppressWarnings(evaluate(some, whole, base, per = "mean"))
    expect_equal(unname(drawn$mean), true$value[match(x$systems$system, true$system)], tolerance = 1e-12, label = base)
  }
})

test_that("true values use judgments of documents outside the pool", {
  whole <- expand.grid(query = paste0("q", 1:5), doc = paste0("d", 1:9), stringsAsFactors = FALSE)
  whole$gain <- rep_len(c(1, 0, 1, 1, 0, 0, 1), nrow(whole))
  x <- test_collection(runs, k = 4, scale = 0:1)
  y <- with_measure(x, "AP")
  expected <- evaluate(runs, whole, "AP", per = "mean")$value
  suppressWarnings({
    expect_equal(unname(means_of_truth(y, whole)), expected, tolerance = 1e-12)
    expect_true(max(abs(true_means(y, complete_truth(y, whole)) - expected)) > 0.05)
    # In studies, parts of the collection keep these judgments.
    study <- study_collection(x, whole, "AP")
    expect_identical(nrow(study$outside), sum(!whole$doc %in% paste0("d", 1:5)))
    half <- restrict_to_queries(study, c(1, 4))
    expect_equal(unname(true_means(half, half$gain)),
                 evaluate(runs, whole[whole$query %in% c("q1", "q4"), ], "AP", per = "mean")$value, tolerance = 1e-12)
    plan <- judging_plan(x, goal_budget(20), measure = "AP", truth = whole, replicates = 2, seed = 1)
    expect_identical(nrow(plan$needed), 2L)
  })
})

test_that("evaluations, rankings and sessions count a judged query that no system answers as 0; rankings state it", {
  said <- "1 of 6 queries is answered by no system and counts 0"
  whole <- expand.grid(query = c(paste0("q", 1:5), "q9"), doc = paste0("d", 1:5), stringsAsFactors = FALSE)
  whole$gain <- rep_len(c(1, 0, 1, 1, 0, 0, 1), nrow(whole))
  x <- suppressWarnings(test_collection(runs, k = 4, scale = 0:1, judgments = whole))
  plain <- test_collection(runs, k = 4, scale = 0:1)
  expect_match(utils::capture.output(print(x)), said, fixed = TRUE, all = FALSE)
  for (measure in c("AG@4", "P@4", "AP", "nDCG@4", "RR", "yaap")) suppressWarnings({
    of_files <- evaluate(runs, whole, measure)
    expect_setequal(of_files$query, c(paste0("q", 1:5), "q9"))
    expected <- mean_scores(of_files)
    expected <- expected$value[match(c("A", "B"), expected$system)]
    expect_equal(plain_frame(evaluate(x, measure = measure)), plain_frame(of_files), ignore_attr = TRUE)
    expect_equal(unname(rank_systems(x, measure = measure)$mean), expected, tolerance = 1e-12, label = measure)
    # Judgments that are given as an argument, by one assessor or several.
    ranking <- rank_systems(plain, judgments = whole, measure = measure)
    expect_equal(unname(ranking$mean), expected, tolerance = 1e-12, label = measure)
    by_two <- transform(whole, assessor = rep_len(c("ann", "bob"), nrow(whole)))
    expect_equal(unname(rank_systems(plain, judgments = by_two, measure = measure)$mean), expected, tolerance = 1e-12)
    expect_match(utils::capture.output(print(ranking)), said, fixed = TRUE, all = FALSE)
    expect_match(ranking_report(ranking, NULL, NULL)$answer, said, fixed = TRUE, all = FALSE)
    expect_equal(unname(means_of_truth(with_measure(plain, measure), whole)), expected, tolerance = 1e-12)
  })
  expect_identical(nrow(compare_systems(suppressWarnings(evaluate(x, measure = "AP")), measure = "AP")$scores), 6L)
  # If not all pairs are judged, sessions and plans also count the query.
  some <- whole[-c(1, 8, 15), ]
  suppressWarnings({
    for (measure in c("P@4", "AP")) {
      s <- judging_session(plain, judgments = some, measure = measure, seed = 1)
      ranking <- rank_systems(plain, judgments = some, measure = measure)
      expect_equal(rank_systems(s)$mean, ranking$mean, tolerance = 1e-12)
      expect_match(utils::capture.output(print(rank_systems(s))), said, fixed = TRUE, all = FALSE)
    }
    plan <- judging_plan(plain, goal_budget(30), judgments = some, measure = "P@4", truth = whole, replicates = 2,
                         seed = 1)
    expect_identical(nrow(plan$needed), 2L)
  })
  # The query does not count if judgments are not used, and has a score if a system that answers it is added.
  expect_identical(unname(rank_systems(x, judgments = FALSE)$mean), unname(rank_systems(plain)$mean))
  later <- data.frame(system = rep(c("A", "B"), each = 2), query = "q9", doc = c("d1", "d2", "d2", "d7"),
                      score = c(2, 1, 2, 1))
  grown <- suppressWarnings(add_queries(x, later))
  expect_identical(n_queries(grown), 6L)
  suppressWarnings(expect_equal(
    unname(rank_systems(grown, measure = "P@4", judgments = rbind(whole, data.frame(query = "q9", doc = "d7", gain = 1))
    )$mean),
    evaluate(rbind(runs[names(later)], later), rbind(whole, data.frame(query = "q9", doc = "d7", gain = 1)), "P@4",
             per = "mean")$value, tolerance = 1e-12))
  # Weights refer to the queries of the runs.
  weighted <- suppressWarnings(test_collection(runs, k = 4, scale = 0:1, judgments = whole,
                                               queries = data.frame(query = paste0("q", 1:5), weight = 1:5)))
  expect_identical(n_queries(weighted), 5L)
})

test_that("the commands evaluate, rank and judge count judged queries that no system answers as 0", {
  form <- forms()$trec
  whole <- expand.grid(query = c(paste0("q", 1:5), "q9"), doc = paste0("d", 1:5), stringsAsFactors = FALSE)
  whole$gain <- rep_len(c(1, 0, 1, 1, 0, 0, 1), nrow(whole))
  qrels <- withr::local_tempfile()
  writeLines(paste(whole$query, 0, whole$doc, whole$gain), qrels)
  of_files <- cli_data("evaluate", "-j", qrels, "-M", "AP", "--per", "mean", form$runs)
  ranked <- cli_data("rank", "-j", qrels, "-M", "AP", "--k", "4", form$runs)
  expect_equal(ranked$estimate[match(of_files$system, ranked$system)], of_files$value, tolerance = 1e-12)
  told <- paste(cli("rank", "-j", qrels, "-M", "AP", "--k", "4", form$runs)$err, collapse = " ")
  expect_match(gsub(" +", " ", told), "1 of 6 queries is answered by no system and counts 0", fixed = TRUE)
  some <- withr::local_tempfile()
  writeLines(paste(whole$query, 0, whole$doc, whole$gain)[-(1:3)], some)
  store <- withr::local_tempfile()
  skip_if_not_installed("RSQLite")
  cli("judge", "-j", some, "-M", "AP", "--k", "4", "--seed", "1", "--progress", "--store", store, form$runs)
  of_store <- cli_data("rank", "--store", store)
  of_runs <- cli_data("rank", "-j", some, "-M", "AP", "--k", "4", form$runs)
  expect_equal(of_store$estimate, of_runs$estimate, tolerance = 1e-12)
  planned <- cli("plan", "-j", some, "-M", "AP", "--k", "4", "--seed", "1", "--replicates", "1", form$runs)
  expect_identical(planned$status, 0L)
})

test_that("a plan treats unjudged topics as a session and a ranking do, whatever the form of the files", {
  wanted <- NULL
  for (form in forms()) {
    x <- suppressMessages(test_collection(form$runs, k = 4, scale = 0:1, judgments = form$judgments))
    plan <- judging_plan(x, goal_budget(20), measure = "P@4", replicates = 2, seed = 1)
    # A plan includes all queries, even those without a judgment.
    expect_identical(plan$known, sum(!is.na(x$gain)))
    wanted <- wanted %||% plan$needed
    expect_equal(plan$needed, wanted)
    first <- as.data.frame(plan)[1, ]
    expect_equal(first$confidence, ranking_confidence(rank_systems(x, measure = "P@4")), tolerance = 1e-12)
  }
})
