test_that("the next documents are those of next_to_judge() and documents_to_judge()", {
  x <- demo_collection("some.tsv")
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-n", "4")
  expect_equal(cli_data(words, "--seed", "1"), next_to_judge(joint_gains(gain_prior(), x), 4, seed = 1))
  gains <- condition(uniform_gains(x), judgments_of(x))
  expect_equal(cli_data(words, "-m", "uniform", "--ties", "random", "--seed", "2", "--weights", "undecided"),
               documents_to_judge(x, gains, NULL, 4, "undecided", "random", seed = 2))
})

test_that("targets are the goals of the R functions", {
  x <- demo_collection("some.tsv")
  gains <- joint_gains(gain_prior(), x)
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-n", "3", "--seed", "1")
  ask <- function(goal) next_to_judge(gains, 3, goal, seed = 1)
  expect_equal(cli_data(words, "--target", "top", "--top", "2"), ask(goal_top(2)))
  expect_equal(cli_data(words, "--target", "beats", "--baseline", "S02"), ask(goal_beats("S02")))
  expect_equal(cli_data(words, "--target", "width", "--width", "0.05"), ask(goal_width(0.05)))
  expect_equal(cli_data(words, "--target", "absolute", "--margin", "2"), ask(goal_absolute(2)))
  expect_equal(cli_data(words, "--target", "all", "-c", "0.9", "--delta", "1"), ask(goal_all_pairs(0.9, 1)))
})

test_that("a target that is reached asks for nothing, unless always", {
  words <- c("next", demo_words(), "-j", demo_file("some.tsv"), "-c", "0.6")
  ran <- cli(words)
  expect_equal(ran$out, "query\tdoc\tscore")
  expect_match(ran$err, "mean confidence 0.6: reached, now")
  expect_equal(nrow(cli_data(words, "--always", "-n", "2")), 2)
  expect_equal(cli(words, "-m", "uniform", "-c", "0.6")$out, character())
})

test_that("batches are of one query where asked for, and know each other", {
  got <- cli_data("next", demo_words(), "--batches", "3", "-n", "4", "--same-query", "--seed", "1")
  expect_equal(got$batch, rep(1:3, each = 4))
  expect_true(all(tapply(got$query, got$batch, function(q) length(unique(q))) == 1))
  expect_equal(anyDuplicated(got[c("query", "doc")]), 0)
  plain <- cli_data("next", demo_words(), "-n", "12", "--seed", "1")
  split <- cli_data("next", demo_words(), "--batches", "3", "-n", "4", "--seed", "1")
  expect_equal(nrow(plain), nrow(split))
  published <- cli_data("next", demo_words(), "-m", "mirex", "--batches", "2", "-n", "3", "--same-query")
  expect_equal(published$batch, rep(1:2, each = 3))
  expect_true(all(tapply(published$query, published$batch, function(q) length(unique(q))) == 1))
})

test_that("simulations of the published pipeline are those of mtc()", {
  x <- demo_collection("judgments.tsv")
  words <- c("simulate", demo_words(), "-j", demo_file("judgments.tsv"), "-m", "mirex", "-c", "0.98")
  wanted <- mtc(x, NULL, mirex_model("output", "fine"), mirex_model("judge", "fine"), 0.98, progress = FALSE)
  expect_equal(cli_data(words), wanted$trace)
  expect_equal(cli_data(words, "--table", "order"), wanted$order)
  got <- cli_data(words, "--table", "systems", "--budget", "30")
  limited <- mtc(x, NULL, mirex_model("output", "fine"), mirex_model("judge", "fine"), 0.98, budget = 30,
                 progress = FALSE)
  expect_equal(got$estimate, sort(unname(limited$ranking$mean), decreasing = TRUE))
})

test_that("simulations of joint gains are those of a session", {
  words <- c("simulate", demo_words(), "-j", demo_file("judgments.tsv"), "--seed", "3", "--budget", "25")
  x <- demo_collection("judgments.tsv")
  s <- judging_session(x, goal = goal_mean(0.95) | goal_budget(25), seed = 3)
  run_session(s, progress = FALSE)
  got <- cli_data(words)
  expect_equal(got[c("judged", "value", "confidence")], as.data.frame(s)[c("judged", "value", "confidence")])
  expect_equal(cli_data(words, "--table", "order")$doc, judgments(s)$doc)
  truth <- rank_systems(x, condition(uniform_gains(x), judgments_of(x)))$mean
  last <- ranking(s)$mean
  pairs <- utils::combn(length(truth), 2)
  agree <- sign(truth[pairs[1, ]] - truth[pairs[2, ]]) * sign(last[pairs[1, ]] - last[pairs[2, ]])
  expect_equal(got$tau[nrow(got)], mean(agree))
  expect_match(cli(words)$err, "Stopped after 25 judgments: the budget is used up.")
})

test_that("replicates are those of mtc_study()", {
  x <- demo_collection("judgments.tsv")
  got <- cli_data("simulate", demo_words(), "-j", demo_file("judgments.tsv"), "-m", "uniform", "--replicates", "2",
                  "--budgets", "0,10", "--seed", "1", "--split", "whole")
  wanted <- summary(mtc_study(x, methods = list(uniform = published_method(NULL, update_every = 20)),
                              budgets = c(0, 10), replicates = 2, split = "whole", seed = 1))
  expect_equal(got, wanted)
})

test_that("a target without what it needs, and options of the other model, are misuse", {
  words <- c(demo_words(), "-j", demo_file("some.tsv"))
  for (more in list(c("next", "--target", "top"), c("next", "--target", "absolute"), c("next", "--weights", "all"),
                    c("next", "-m", "uniform", "--select", "random"), c("simulate", "--same-query"),
                    c("simulate", "-m", "uniform", "--audit", "0"), c("next", "-c", "1"), c("simulate", "--budgets", "3"),
                    c("simulate", "--replicates", "2", "--budgets", "x"))) {
    expect_equal(cli(more[1], words, more[-1])$status, 2L, label = paste(more, collapse = " "))
  }
  expect_equal(cli("simulate", demo_words())$status, 2L)
})
