test_that("judicious next prints the documents of select_documents()", {
  x <- demo_collection("some.tsv")
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-n", "4")
  expect_equal(cli_data(words, "--seed", "1"), select_documents(joint_gains(x, gain_prior()), n = 4, seed = 1))
  gains <- update(uniform_gains(x), judgments_of(x))
  expect_equal(cli_data(words, "-m", "uniform", "--tie-break", "random", "--seed", "2", "--weights", "undecided"),
               select_documents(x, gains, 4, strategy = strategy_weight("undecided", tie_break = "random"), seed = 2))
  expect_equal(cli_data(words, "-m", "uniform", "--strategy", "variance", "--seed", "2"),
               select_documents(x, gains, 4, strategy = strategy_variance(), seed = 2))
})

test_that("goals given by options equal those made by the R functions", {
  x <- demo_collection("some.tsv")
  gains <- joint_gains(x, gain_prior())
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-n", "3", "--seed", "1", "--always")
  ask <- function(goal) select_documents(gains, n = 3, goal = goal, seed = 1)
  expect_equal(cli_data(words, "--goal", "top", "--top", "2"), ask(goal_top(2)))
  expect_equal(cli_data(words, "--goal", "beats", "--baseline", "S02"), ask(goal_beats("S02")))
  expect_equal(cli_data(words, "--goal", "width", "--width", "0.05"), ask(goal_width(0.05)))
  expect_equal(cli_data(words, "--goal", "absolute", "--margin", "2"), ask(goal_absolute(2)))
  expect_equal(cli_data(words, "--goal", "all_pairs", "-c", "0.9", "--delta", "1"), ask(goal_all_pairs(0.9, 1)))
})

test_that("judicious next selects nothing after the goal is reached, unless --always is given", {
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-c", "0.6")
  ran <- cli(words)
  expect_equal(ran$out, "query\tdoc\tscore")
  expect_match(ran$err, "mean confidence 0.6: reached, now")
  expect_equal(nrow(cli_data(words, "--always", "-n", "2")), 2)
  expect_equal(cli(words, "-m", "uniform", "-c", "0.6")$out, character())
})

test_that("--same-query gives batches of one query, and no document twice", {
  got <- cli_data("next", demo_words(), "--batches", "3", "-n", "4", "--same-query", "--seed", "1")
  expect_equal(got$batch, rep(1:3, each = 4))
  expect_true(all(tapply(got$query, got$batch, function(q) length(unique(q))) == 1))
  expect_equal(anyDuplicated(got[c("query", "doc")]), 0)
  plain <- cli_data("next", demo_words(), "-n", "12", "--seed", "1")
  split <- cli_data("next", demo_words(), "--batches", "3", "-n", "4", "--seed", "1")
  expect_equal(nrow(plain), nrow(split))
  published <- cli_data("next", demo_words(), "-m", "published", "--batches", "2", "-n", "3", "--same-query")
  expect_equal(published$batch, rep(1:2, each = 3))
  expect_true(all(tapply(published$query, published$batch, function(q) length(unique(q))) == 1))
})

test_that("judicious simulate with independent gains equals mtc()", {
  x <- demo_collection("judgments.tsv")
  words <- c("simulate", demo_words(), "--truth", demo_file("judgments.tsv"), "-m", "published", "-c", "0.98")
  wanted <- mtc(x, NULL, mirex_model("output", "fine"), mirex_model("judge", "fine"), 0.98, progress = FALSE)
  trace <- as.data.frame(wanted, truth = judgments_of(x))
  expect_equal(cli_data(words)[c("judged", "confidence", "accuracy", "tau")],
               trace[c("judged", "confidence", "accuracy", "tau")])
  expect_equal(cli_data(words, "--table", "order")[c("query", "doc", "gain")],
               judgments_of(wanted)[c("query", "doc", "gain")])
  got <- cli_data(words, "--table", "systems", "--budget", "30")
  limited <- mtc(x, NULL, mirex_model("output", "fine"), mirex_model("judge", "fine"), 0.98, budget = 30,
                 progress = FALSE)
  expect_equal(got$estimate, sort(unname(rank_systems(limited)$mean), decreasing = TRUE))
})

test_that("judicious simulate with joint gains equals a judging session", {
  words <- c("simulate", demo_words(), "--truth", demo_file("judgments.tsv"), "--seed", "3", "--budget", "25")
  x <- demo_collection("judgments.tsv")
  s <- judging_session(x, goal = goal_mean(0.95) | goal_budget(25), seed = 3, judgments = FALSE)
  run_session(s, progress = FALSE)
  got <- cli_data(words)
  expect_equal(got[c("judged", "value", "confidence")], as.data.frame(s)[c("judged", "value", "confidence")])
  expect_equal(cli_data(words, "--table", "order")$doc, judgments_of(s)$doc)
  truth <- rank_systems(x, update(uniform_gains(x), judgments_of(x)))$mean
  last <- rank_systems(s)$mean
  pairs <- utils::combn(length(truth), 2)
  agree <- sign(truth[pairs[1, ]] - truth[pairs[2, ]]) * sign(last[pairs[1, ]] - last[pairs[2, ]])
  expect_equal(got$tau[nrow(got)], mean(agree))
  expect_match(cli(words)$err, "Stopped after 25 judgments: budget spent.")
})

test_that("judicious simulate starts from existing judgments, and judicious rank uses grades", {
  some <- demo_collection("some.tsv")
  truth <- judgments_of(demo_collection("judgments.tsv"))
  words <- c("simulate", demo_words(), "-j", demo_file("some.tsv"), "--truth", demo_file("judgments.tsv"), "--seed",
             "3",
             "--budget", as.character(sum(!is.na(some$gain)) + 3), "-c", "0.999")
  s <- judging_session(some, goal = goal_budget(sum(!is.na(some$gain)) + 3), seed = 3)
  run_session(s, truth, progress = FALSE)
  expect_equal(cli_data(words, "--table", "order")[c("query", "doc", "gain")],
               judgments_of(s)[c("query", "doc", "gain")])
  expect_equal(cli_data("rank", demo_words(), "--grades", demo_file("judgments.tsv"))$estimate,
               head(rank_systems(demo_collection(), grades = truth), Inf)$estimate)
  # A missing grade does not count as a grade.
  truth$gain[1:5] <- NA
  file <- bytes_file(paste0(c("query,doc,grade", do.call(paste, c(truth, sep = ","))), "\n"))
  expect_equal(cli_data("rank", demo_words(), "--grades", file)$estimate,
               head(rank_systems(demo_collection(), grades = truth), Inf)$estimate)
})

test_that("judicious plan prints the results of judging_plan()", {
  words <- c("plan", demo_words(), "-j", demo_file("some.tsv"), "--hourly", "25", "--seed", "1", "--replicates", "2",
             "-c", "0.8")
  plan <- judging_plan(demo_collection("some.tsv"), goal_mean(0.8), hourly = 25, replicates = 2, seed = 1)
  expect_equal(cli_data(words), summary(plan))
  expect_equal(cli_data(words, "--table", "sessions"), plan$needed)
  expect_equal(cli_data(words, "--table", "curve"), as.data.frame(plan))
  expect_match(cli(words)$err, "mean confidence 0.8: reached already: no further judgment is needed \\(2 simulations\\)")
  expect_equal(cli(words, "--cost", "0")$status, 2L)
  sure <- cli("plan", demo_words(), "-c", "0.51", "--replicates", "1", "--seed", "1")$err
  expect_match(sure, "\\(1 simulation\\)\\. The ranking is as sure already; a session makes at least 20 judgments before")
  expect_match(paste(cli("plan", "--help")$out, collapse = " "),
               sprintf("A session makes at least %d judgments, with the existing ones, before it says", least_judgments))
  short <- cli_data("plan", demo_words(), "-c", "0.99", "--budget", "2", "--replicates", "2", "--seed", "1")
  # A budget ends the sessions that do not reach the goal.
  expect_equal(unlist(short[1, c("median", "lower", "upper")], use.names = FALSE), c(2, 2, 2))
  expect_true(all(is.finite(short$upper)))
  spent <- cli("plan", demo_words(), "-j", demo_file("some.tsv"), "--budget", "10", "--replicates", "1", "--seed", "1")
  expect_match(spent$err, "The budget of 10 is used up: it includes the existing 43. ", fixed = TRUE)
})

test_that("a goal without a required argument, or an option of another model, is a usage error", {
  truth <- c("--truth", demo_file("judgments.tsv"))
  for (more in list(c("next", "--goal", "top"), c("next", "--goal", "absolute"), c("next", "--weights", "all"),
                    c("next", "-m", "uniform", "--strategy", "random", "--tie-break", "pool"),
                    c("simulate", "-m", "uniform", "-g", "width", "--width", "1", "--weights", "all"),
                    c("simulate", "-m", "uniform", "--audit", "0"), c("next", "-c", "1"))) {
    words <- c(more, demo_words(), if (more[1] == "simulate") truth)
    expect_equal(cli(words)$status, 2L, label = paste(more, collapse = " "))
  }
  expect_match(cli("simulate", demo_words())$err[1], "--truth is missing")
  expect_match(cli("simulate", demo_words(), truth, "-m", "uniform", "-j", demo_file("some.tsv"))$err[1],
               "--judgments is only available with --model joint")
  expect_match(cli("next", demo_words(), "-m", "uniform", "--grades", demo_file("some.tsv"))$err[1],
               "--grades is only available with --model joint")
})

test_that("next and simulate accept a measure", {
  some <- demo_collection("some.tsv")
  all <- demo_collection("judgments.tsv")
  measure <- "DCG@3"
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-n", "3", "--seed", "1", "-M", measure)
  expect_equal(cli_data(words), select_documents(joint_gains(some, gain_prior(), measure = measure), n = 3, seed = 1))
  words <- c("simulate", demo_words(), "--truth", demo_file("judgments.tsv"), "--seed", "3", "-M", measure,
             "--budget", "8")
  s <- judging_session(all, goal = goal_mean(0.95) | goal_budget(8), seed = 3, measure = measure, judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_equal(cli_data(words, "--table", "order")$doc, judgments_of(s)$doc)
  expect_equal(cli_data(words)$tau, as.data.frame(s, truth = judgments_of(all))$tau)
  # With independent gains, every step ranks by the measure, and true values are values of the measure.
  got <- cli_data(words, "-m", "uniform")
  expect_equal(got$confidence[1], ranking_confidence(rank_systems(all, uniform_gains(all), measure = measure)))
  final <- cli_data(c("simulate", demo_words(), "--truth", demo_file("judgments.tsv"), "-m", "uniform", "-M", measure,
                      "--batch", "150", "-c", "0.999", "--table", "systems"))
  truth <- evaluate(all, measure = measure, per = "mean")
  expect_equal(final$estimate, sort(truth$value, decreasing = TRUE), tolerance = 0.05)
})

test_that("with --same-query, each joint batch holds documents of one query", {
  words <- c("simulate", demo_words(), "--truth", demo_file("judgments.tsv"), "--seed", "3", "--same-query", "--table",
             "order", "-n", "4", "-b", "40", "-c", "0.999")
  for (audit in c("0", "0.5")) {
    got <- cli_data(words, "--audit", audit)
    batch <- (seq_len(nrow(got)) - 1) %/% 4
    expect_equal(nrow(got), 40)
    expect_true(all(tapply(got$query, batch, function(q) length(unique(q))) == 1))
    # A batch is either an audit or selected as a whole.
    expect_true(all(tapply(got$audit, batch, function(a) length(unique(a))) == 1))
    expect_equal(any(got$audit == "TRUE" | got$audit == 1), audit != "0")
  }
})
