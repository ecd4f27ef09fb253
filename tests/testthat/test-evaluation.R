source(test_path("reference", "trec-reference.R"), local = TRUE)

joined <- function(scores, expected) {
  key <- function(x) paste(x$system, x$query, x$measure)
  expect_setequal(key(scores), key(expected))
  scores$value[match(key(expected), key(scores))]
}

quiet <- function(code) suppressWarnings(suppressMessages(code, classes = "judicious_message"),
                                         classes = "judicious_warning")

test_that("measures agree with a slow reference for trec_eval on random runs, in memory and from files", {
  for (seed in 1:12) {
    data <- random_runs(seed)
    expected <- reference_scores(data$runs, data$judgments, reference_names)
    folder <- new_folder()
    paths <- write_trec(data, folder)
    memory <- quiet(evaluate(data$runs, data$judgments, reference_names, missing = "skip", precision = "single"))
    files <- quiet(evaluate(paths$runs, paths$qrels, reference_names, missing = "skip", precision = "single",
                            num_threads = 2))
    expect_equal(joined(memory, expected), expected$value, tolerance = 1e-12, info = paste("memory, seed", seed))
    expect_equal(joined(files, expected), expected$value, tolerance = 1e-12, info = paste("files, seed", seed))
    unlink(folder, recursive = TRUE)
  }
})

test_that("scores of trec_eval's sample agree with a slow reference, also at relevance level 2", {
  path <- skip_without_data("trec-eval-sample")
  runs <- read_runs(file.path(path, "results.test"))
  judgments <- read_judgments(file.path(path, "qrels.rel_level"))
  expected <- reference_scores(runs, judgments, reference_names)
  scores <- evaluate(file.path(path, "results.test"), file.path(path, "qrels.rel_level"), reference_names)
  expect_equal(joined(scores, expected), expected$value, tolerance = 1e-12)
  strict <- c("AP(rel=2)", "P(rel=2)@20", "bpref(rel=2)", "infAP(rel=2)", "Rndcg(rel=2)")
  expected <- reference_scores(runs, judgments, c("map", "P_20", "bpref", "infAP", "Rndcg"), rel = 2)
  expect_equal(evaluate(runs, judgments, strict)$value, expected$value, tolerance = 1e-12)
})

test_that("the published values of trec_eval's sample are reproduced", {
  path <- skip_without_data("trec-eval-sample")
  # The expected output of trec_eval's own test (all_trec, four decimals), for binary judgments and all queries.
  published <- c(
    num_ret = 1500, num_rel = 561, num_rel_ret = 131, map = .1785, gm_map = .1051, Rprec = .2174, bpref = .1981,
    recip_rank = .4064, iprec_at_recall_0.00 = .4665, iprec_at_recall_0.10 = .3884, iprec_at_recall_0.20 = .3186,
    iprec_at_recall_0.50 = .2184, iprec_at_recall_1.00 = .0312, P_5 = .2667, P_100 = .2467, P_1000 = .0437,
    recall_20 = .1061, infAP = .1785, gm_bpref = .0083, Rprec_mult_0.20 = .3445, Rprec_mult_2.00 = .1369,
    utility = -412.6667,
    binG = .1393, G = .1393, ndcg = .4021, ndcg_rel = .3682, Rndcg = .3232, ndcg_cut_5 = .2768, ndcg_cut_100 = .3916,
    map_cut_30 = .0795, relative_P_30 = .3556, success_10 = .6667, set_P = .0873, set_relative_P = .5997,
    set_recall = .5997,
    set_map = .0354, set_F = .1194, num_nonrel_judged_ret = 607, unj_20 = .0333, rbp = .3234, rbp_resid = .0204
  )
  scores <- evaluate(file.path(path, "results.test"), file.path(path, "qrels.test"), names(published), per = "mean")
  expect_equal(scores$measure, names(published))
  expect_equal(round(scores$value, 4), unname(published))
  # Graded judgments, some of them negative; values for the queries 301 to 303.
  graded <- evaluate(file.path(path, "results.test"), file.path(path, "qrels.rel_level"),
                     c("infAP(rel=2)", "G", "ndcg_rel", "Rndcg(rel=2)", "rbp"))
  expect_equal(round(t(matrix(graded$value, 5)), 4),
               rbind(c(.0003, .0213, .1393, .0861, .0465), c(.4175, .1623, .7130, .6196, .7628),
                     c(.1200, .1783, .2186, .1834, .0212)))
})

test_that("missing queries score 0, are skipped or raise an error, as requested", {
  runs <- data.frame(system = c("A", "A", "B"), query = c("q1", "q2", "q1"), doc = "d1", score = 1)
  judgments <- data.frame(query = c("q1", "q2", "q2"), doc = c("d1", "d1", "d2"), gain = 1)
  expect_snapshot(scores <- evaluate(runs, judgments, c("P@1", "num_rel")))
  expect_equal(scores$value, c(1, 1, 1, 2, 1, 1, 0, 2))
  skipped <- quiet(evaluate(runs, judgments, "P@1", missing = "skip"))
  expect_equal(paste(skipped$system, skipped$query), c("A q1", "A q2", "B q1"))
  expect_equal(quiet(evaluate(runs, judgments, "P@1", per = "mean", missing = "zero"))$value, c(1, .5))
  expect_equal(quiet(evaluate(runs, judgments, "P@1", per = "mean", missing = "skip"))$value, c(1, 1))
  expect_snapshot(evaluate(runs, judgments, "P@1", missing = "error"), error = TRUE)
})

test_that("unjudged queries are skipped, and judged queries without relevant documents count", {
  runs <- data.frame(system = "A", query = c("q1", "q2", "q9"), doc = "d1", score = 1)
  judgments <- data.frame(query = c("q1", "q2"), doc = "d1", gain = c(1, 0))
  expect_snapshot(scores <- evaluate(runs, judgments, c("AP", "P@1")))
  expect_equal(scores$value, c(1, 1, 0, 0))
  undefined <- quiet(evaluate(runs, judgments, c("AP", "P@1"), undefined = "NA"))
  expect_equal(undefined$value, c(1, 1, NA, 0))
  expect_equal(quiet(evaluate(runs, judgments, "AP", per = "mean"))$value, .5)
  expect_equal(quiet(evaluate(runs, judgments, "AP", per = "mean", undefined = "NA"))$value, 1)
  expect_snapshot(evaluate(runs[3, ], judgments, "AP"), error = TRUE)
})

test_that("results are ordered by rank on request, or if there are no scores", {
  runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2"), rank = c(2, 1), score = c(9, 8))
  judgments <- data.frame(query = "q", doc = "d1", gain = 1)
  expect_equal(evaluate(runs, judgments, "RR")$value, 1)
  expect_equal(evaluate(runs, judgments, "RR", ties = "rank")$value, .5)
  expect_equal(evaluate(runs[-5], judgments, "RR")$value, .5)
  path <- tempfile()
  writeLines(c("q Q0 d1 2 9 A", "q Q0 d2 1 8 A"), path)
  expect_equal(evaluate(path, judgments, "RR")$value, 1)
  expect_equal(evaluate(path, judgments, "RR", ties = "rank")$value, .5)
  # The document is in the run, below the depth: the warning does not explain it by its name.
  expect_snapshot(cut <- evaluate(path, judgments, "RR", ties = "rank", depth = 1))
  expect_equal(cut$value, 0)
})

test_that("with ties = \"error\", equal scores raise an error", {
  runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2", "d3"), score = c(1, 1, 0))
  judgments <- data.frame(query = "q", doc = "d1", gain = 1)
  expect_equal(evaluate(runs, judgments, "RR")$value, .5)
  expect_snapshot(evaluate(runs, judgments, "RR", ties = "error"), error = TRUE)
  path <- tempfile("run")
  writeLines(paste("q Q0", runs$doc, 1:3, format(runs$score, digits = 12), "A"), path)
  expect_error(evaluate(path, judgments, "RR", ties = "error"), class = "judicious_error_tie")
})

test_that("bounds of graded measures assume the highest gain of the scale", {
  runs <- data.frame(system = "A", query = "q", doc = c("a", "b", "c"), score = 3:1)
  judgments <- data.frame(query = "q", doc = c("b", "z"), gain = c(1, 2))
  upper <- function(...) evaluate(runs, judgments, c("DCG@3", "CG@3"), unjudged = "bounds", ...)$upper
  discounts <- 1 / log2(2:4)
  expect_message(assumed <- upper(), "upper bounds of \"DCG@3\" take 2, the highest gain of the judgments",
                 class = "judicious_message_scale")
  expect_equal(assumed, c(sum(c(2, 1, 2) * discounts), 5))
  expect_no_message(stated <- upper(scale = 0:3))
  expect_equal(stated, c(sum(c(3, 1, 3) * discounts), 7))
  expect_no_message(evaluate(runs, judgments, c("P@3", "RR"), unjudged = "bounds"))
  x <- suppressWarnings(test_collection(runs, judgments = judgments, k = 3, scale = 0:3)) |>
    suppressMessages()
  expect_equal(evaluate(x, "CG@3", unjudged = "bounds")$upper, 7)
  expect_snapshot(error = TRUE, evaluate(runs, judgments, "CG@3", scale = 0:3))
  path <- withr::local_tempfile()
  writeLines(with(runs, paste(query, "Q0", doc, 1, score, system)), path)
  words <- c("evaluate", path, "-j", table_file(judgments), "-M", "CG@3", "--unjudged", "bounds")
  expect_equal(cli_data(words, "--scale", "0:3")$upper[1], 7)
  expect_match(cli(words)$err, "highest gain of the judgments, as that of the scale. --scale 0:3 states another", all = FALSE)
})

test_that("unjudged documents count as zero, are removed, or give bounds, as requested", {
  runs <- data.frame(system = "A", query = "q", doc = c("u1", "d1", "u2", "d2"), score = 4:1)
  judgments <- data.frame(query = "q", doc = c("d1", "d2", "d3"), gain = c(1, 0, 1))
  expect_equal(evaluate(runs, judgments, c("P@2", "AP"))$value, c(.5, .25))
  expect_equal(evaluate(runs, judgments, c("P@2", "AP"), unjudged = "condensed")$value, c(.5, .5))
  bounds <- evaluate(runs, judgments, c("P@2", "RR", "judged@2"), unjudged = "bounds")
  expect_equal(bounds$lower, c(.5, .5, .5))
  expect_equal(bounds$upper, c(1, 1, 1))
  path <- tempfile("run")
  writeLines(paste("q Q0", runs$doc, 1:4, 4:1, "A"), path)
  expect_equal(as.data.frame(evaluate(path, judgments, c("P@2", "RR", "judged@2"), unjudged = "bounds")),
               as.data.frame(bounds))
  expect_equal(evaluate(path, judgments, c("P@2", "AP"), unjudged = "condensed")$value, c(.5, .5))
})

test_that("a collection is evaluated by its own judgments and scale", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q", doc = c("d1", "d2", "d2", "d3"))
  judgments <- data.frame(query = "q", doc = c("d1", "d2", "d3"), gain = c(2, 1, 0))
  x <- test_collection(runs, judgments = judgments, k = 2, scale = broad_scale())
  expect_equal(evaluate(x, measure = c("AG@2", "P@2"))$value, c(1.5, 1, .5, .5))
  expect_identical(evaluate(with_measure(x, measure("P", 2))), evaluate(x, measure = "P@2"))
  expect_snapshot(evaluate(data.frame(system = "A", query = "q", doc = "d", rank = 1)), error = TRUE)
  expect_snapshot(evaluate(x, measure = "AP"), error = TRUE)
  expect_snapshot(evaluate(x, measure = "AG@5"), error = TRUE)
  runs$rank <- c(1, 2, 1, 2)
  ranked <- test_collection(runs, judgments = judgments, k = 2, scale = broad_scale())
  expect_equal(evaluate(ranked, measure = "ERR@2")$value, c(3 / 4 + 1 / 4 * 1 / 4 / 2, 1 / 4))
  expect_no_message(evaluate(ranked, "AP"))
  cut <- suppressWarnings(test_collection(runs, judgments = judgments, k = 1))
  expect_message(map <- evaluate(cut, c("P@1", "AP")), "\"AP\" is that of the top 1", class = "judicious_message_cut")
  expect_message(evaluate(cut, c("RR", "AP")), '"RR" and "AP" are those of the top 1', fixed = TRUE)
  expect_equal(summary(map)$AP, c(1 / 2, 1 / 2))
  expect_no_message(evaluate(cut, c("P@1", "num_rel")))
  rated <- suppressWarnings(test_collection(runs, judgments = transform(judgments, gain = gain + 1), scale = 1:5))
  expect_message(evaluate(rated, "P@1"), "Every gain .* from 1 to 5, .* \"P\\(rel=4\\)@1\"")
  expect_no_message(evaluate(rated, c("P(rel=4)@1", "nDCG@1", "RBP(gain=\"linear\")")))
})

test_that("tables without rows are read as such, also with numbers for identifiers", {
  runs <- data.frame(system = c("A", "B"), query = 1, doc = 1:2, rank = 1)
  judgments <- data.frame(query = 1, doc = 1, gain = 1)
  expect_error(evaluate(runs, judgments[0, ], "AP"), "no judgments to evaluate with", class = "judicious_error")
  expect_error(evaluate(runs[0, ], judgments, "AP"), "`x` has no rows", class = "judicious_error")
  x <- suppressWarnings(test_collection(runs, k = 2, scale = 0:1, judgments = judgments[0, ]))
  expect_identical(x, suppressWarnings(test_collection(runs, k = 2, scale = 0:1)))
})

test_that("labelled numbers are numbers, and text that is not in UTF-8 raises an error that names the row", {
  runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2"), score = 2:1)
  judgments <- data.frame(query = "q", doc = "d2", gain = 1)
  # The class of package haven, without which it has no arithmetic.
  labelled <- function(x) structure(x, class = c("haven_labelled", "vctrs_vctr", typeof(x)), labels = c(low = 1))
  expect_identical(evaluate(transform(runs, score = labelled(score)), transform(judgments, gain = labelled(gain)), "AP"),
                   evaluate(runs, judgments, "AP"))
  runs$doc[2] <- "d\xff"
  expect_error(evaluate(runs, judgments, "AP"), "\"doc\" of `x` has text that is not in UTF-8.*row 2",
               class = "judicious_error_encoding")
  runs$doc <- c("d1", "d2")
  expect_error(test_collection(runs, documents = data.frame(doc = runs$doc, genre = c("rock", "p\xff"))),
               "\"genre\" of `documents` has text that is not in UTF-8.*row 2", class = "judicious_error_encoding")
  votes <- data.frame(model_a = "m1", model_b = "m2", winner = c("model_a", "t\xefe"))
  expect_error(bradley_terry(votes), "\"winner\" of `answers` has text that is not in UTF-8.*row 2",
               class = "judicious_error_encoding")
})

test_that("runs that are NULL or a number raise an error that says so", {
  expect_error(evaluate(NULL), "`x` must be a data frame, not NULL", class = "judicious_error_argument")
  expect_error(evaluate(diag(2), measure = "AP"), "`x` must be a data frame, not a double matrix",
               class = "judicious_error_argument")
})

test_that("errors about malformed files name the file and the line", {
  judgments <- data.frame(query = "q", doc = "d1", gain = 1)
  folder <- new_folder()
  path <- file.path(folder, "bad.run")
  say <- function(...) {
    writeLines(c(...), path)
    tryCatch(evaluate(path, judgments, "AP"), error = function(cnd) sub(folder, "folder", conditionMessage(cnd),
                                                                        fixed = TRUE))
  }
  expect_snapshot(cat(
    say("q Q0 d1 1 2 A", "", "q Q0 d2 2 1"),
    say("q Q0 d1 1 2 A", "q Q0 d2 2 one A"),
    say("q Q0 d1 1 2 A", "q Q0 d2 2 1 A", "q Q0 d1 3 0 A"),
    say("p Q0 d1 1 2 A"),
    sep = "\n"
  ))
  writeLines(c("q Q0 d2 1 2 A", "r Q0 d2 1 2 A", "q Q0 d1 2 1 A"), path)
  expect_equal(quiet(evaluate(path, judgments, "RR"))$value, .5)
  writeLines(c("q Q0 d2 1 2 A", "q Q0 d1 1 2 B"), path)
  expect_equal(quiet(evaluate(path, judgments, "RR"))$value, c(0, 1))
  zipped <- file.path(folder, "a.gz")
  con <- gzfile(zipped, "w")
  writeLines(c("q Q0 d2 1 2 A\r", "q\tQ0  d1 2 1e0 A and more"), con)
  close(con)
  expect_equal(evaluate(zipped, judgments, "RR")$value, .5)
  unlink(folder, recursive = TRUE)
})

test_that("print() states the policies of an evaluation", {
  runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2"), score = 2:1)
  judgments <- data.frame(query = "q", doc = "d2", gain = 1)
  scores <- evaluate(runs, judgments, c("AP", "map"))
  expect_snapshot(print(scores))
  expect_snapshot(print(evaluate(runs, judgments, "RR", per = "mean", ties = "expected", depth = 5)))
  expect_equal(as.matrix(scores, measure = "map"), matrix(.5, 1, 1, dimnames = list(query = "q", system = "A")))
  expect_equal(summary(scores), data.frame(system = "A", AP = .5, map = .5))
  expect_snapshot(as.matrix(scores), error = TRUE)
})

test_that("scores are compared in the same precision, whatever the form of the runs", {
  runs <- data.frame(system = "A", query = "q", doc = c("a", "b"), score = c(1 + 1e-9, 1))
  judgments <- data.frame(query = "q", doc = "a", gain = 1)
  path <- bytes_file(sprintf("q Q0 %s 1 %.10f A\n", runs$doc, runs$score))
  value <- function(x, ...) evaluate(x, judgments, "RR", ...)$value
  expect_identical(c(value(runs), value(path), value(test_collection(runs, k = 2, scale = 0:1))), c(1, 1, 1))
  expect_identical(c(value(runs, precision = "single"), value(path, precision = "single")), c(0.5, 0.5))
  expect_error(value(runs, precision = "single", ties = "error"), "single precision", class = "judicious_error_tie")
  expect_error(value(path, precision = "single", ties = "error"), class = "judicious_error_tie")
  expect_identical(value(path, ties = "error"), 1)
})

test_that("ties can be ordered by ascending document identifier", {
  first_rank <- function(doc, relevant, ties) {
    runs <- data.frame(system = "A", query = "q", doc = doc, score = c(1, 1, 1))
    1 / evaluate(runs, data.frame(query = "q", doc = relevant, gain = 1), "RR", ties = ties)$value
  }
  expect_equal(first_rank(c("b", "a", "c"), "a", "identifier"), 1)
  expect_equal(first_rank(c("b", "a", "c"), "a", "trec_eval"), 3)
  # Identifiers are compared as numbers if all of them are numbers.
  expect_equal(first_rank(c("10", "9", "100"), "9", "identifier"), 1)
  expect_equal(first_rank(c("10", "9", "x"), "9", "identifier"), 2)
  file <- withr::local_tempfile(lines = c("q Q0 10 1 1 A", "q Q0 9 2 1 A"))
  judgments <- data.frame(query = "q", doc = "9", gain = 1)
  expect_equal(evaluate(file, judgments, "RR", ties = "identifier")$value, 1)
  expect_equal(evaluate(file, judgments, "RR")$value, 1)
  judgments$doc <- "10"
  expect_equal(evaluate(file, judgments, "RR", ties = "identifier")$value, 1 / 2)
  tied <- data.frame(system = "A", query = "q", doc = c(2, 1), score = 1)
  expect_equal(evaluate(tied, data.frame(query = "q", doc = 1, gain = 1), c("P@1", "P@2"), ties = "identifier")$value,
               c(1, 0.5))
})

test_that("parallel workers give the same values as one process", {
  skip_if_not_installed("future.apply")
  skip_on_os("windows")
  data <- random_runs(3)
  folder <- withr::local_tempdir()
  files <- write_trec(data, folder)
  last <- measure_custom("last", function(list) list$retrieved)
  values <- function() {
    suppressWarnings(list(
      evaluate(files$runs, files$qrels, c("AP", "nDCG@5")),
      evaluate(data$runs, data$judgments, measure(c(measure("AP"), last)), missing = "skip"),
      evaluate(data$runs, data$judgments, c("AP", "bpref", "infAP"), ties = "expected", seed = 1)
    ))
  }
  here <- values()
  before <- future::plan("multicore", workers = 2)
  withr::defer(future::plan(before))
  expect_identical(values(), here)
})

test_that("negative ratings of a collection count in sums, and unjudged documents are no best ones", {
  d <- expand.grid(system = c("A", "B", "C"), query = 1:6)
  d$errors <- c(0, 2, 5, 1, 1, 4, 3, 0, 2, 0, 0, 1, 2, 6, 0, 1, 1, 1)
  x <- quiet_answers(d, gain = "-errors")
  means <- -tapply(d$errors, d$system, mean)
  scores <- summary(evaluate(x))
  expect_equal(scores[["AG@1"]], as.vector(means[scores$system]))
  ranking <- as.data.frame(rank_systems(x))
  expect_equal(ranking$estimate, as.vector(means[ranking$system]))
  pairs <- as.data.frame(compare_systems(x, "t"))
  expect_equal(pairs$estimate, as.vector(means[pairs$system_a] - means[pairs$system_b]))
  # With gains above 0, 0 is not the best, and a document without a judgment may count as 0.
  shifted <- quiet_answers(transform(d, quality = 3 - errors), gain = "quality")
  some <- judgments_of(shifted)[1:10, ]
  value <- evaluate(shifted, some, per = "mean")$value
  by_row <- (3 - d$errors)[match(paste0(some$query, some$doc), paste0(d$query, d$query, "@", d$system))]
  of_system <- factor(sub(".*@", "", some$doc), c("A", "B", "C"))
  expect_equal(value, as.vector(tapply(by_row, of_system, sum)) / length(unique(some$query)))
  expect_snapshot(error = TRUE, {
    evaluate(quiet_answers(transform(d, errors = replace(errors, 2, NA)), gain = "-errors"))
    quiet_answers(d[-1, ], gain = "-errors")
  })
})

test_that("binary measures of ratings say which ratings are relevant", {
  runs <- data.frame(system = "A", query = rep(1:3, each = 4), doc = 1:12, rank = rep(1:4, 3))
  ratings <- data.frame(query = runs$query, doc = runs$doc, gain = rep(c(1, 2, 4, 5), 3))
  expect_message(evaluate(runs, ratings, "P@4"), "takes 100% of the ratings as relevant", class = "judicious_message")
  shares <- transform(ratings, gain = gain / 10)
  expect_message(found <- evaluate(runs, shares, "P@4", per = "mean"),
                 "takes no document as relevant: the highest gain is 0.5", class = "judicious_message_relevant_ratings")
  expect_equal(found$value, 0)
  expect_no_message(evaluate(runs, shares, c("P(rel=0.4)@4", "nDCG@4")))
  expect_no_message(evaluate(runs, ratings, c("P(rel=4)@4", "nDCG@4")))
  expect_no_message(evaluate(runs, transform(ratings, gain = gain - 1), "P@4"))
})
