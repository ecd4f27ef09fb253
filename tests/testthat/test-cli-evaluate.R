test_that("values are those of evaluate(), per query, in the mean and both", {
  runs <- read_runs(demo_file("runs.tsv"))
  judgments <- read_judgments(demo_file("judgments.tsv"))
  words <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "AG@5,nDCG(gain=exp)@5")
  measures <- c("AG@5", "nDCG(gain=exp)@5")
  query <- as.data.frame(evaluate(runs, judgments, measures))
  mean <- as.data.frame(evaluate(runs, judgments, measures, per = "mean"))
  expect_equal(cli_data(words), mean)
  expect_equal(cli_data(words, "--per", "query"), query)
  expect_equal(cli_data(words, "--per", "both"), rbind(query, mean))
  wide <- cli_data(words, "--layout", "wide")
  expect_equal(names(wide), c("system", "query", measures))
  expect_equal(wide$`AG@5`, mean$value[mean$measure == "AG@5"])
})

test_that("TREC files give trec_eval's lines", {
  ran <- cli("evaluate", demo_file("trec.run"), "-j", demo_file("qrels.txt"), "-M", "map,P_5", "--layout", "trec_eval",
             "--no-header", "--digits", "4")
  scores <- evaluate(demo_file("trec.run"), demo_file("qrels.txt"), c("map", "P_5"), per = "mean")
  expect_equal(ran$out, sprintf("%s\tall\t%.4g", c("map", "P_5"), scores$value))
})

test_that("policies are passed on", {
  words <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("some.tsv"), "-M", "AG@5", "--per", "query")
  runs <- read_runs(demo_file("runs.tsv"))
  some <- read_judgments(demo_file("some.tsv"))
  expect_equal(cli_data(words, "--unjudged", "bounds", "--depth", "3"),
               as.data.frame(suppressMessages(evaluate(runs, some, "AG@5", unjudged = "bounds", depth = 3))))
  x <- demo_collection()
  gains <- uniform_gains(x)
  got <- cli_data(words, "--unjudged", "expected", "--model", "uniform")
  expect_equal(got, as.data.frame(suppressMessages(evaluate(runs, some, "AG@5", unjudged = "expected", gains = gains,
                                                            depth = 5))))
})

test_that("comparisons are those of compare_systems(), from runs, from scores and from expected scores", {
  runs <- read_runs(demo_file("runs.tsv"))
  judgments <- read_judgments(demo_file("judgments.tsv"))
  scores <- evaluate(runs, judgments, "AG@5")
  plain <- function(d) as.data.frame(d)
  words <- c("compare", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "AG@5")
  expect_equal(cli_data(words), plain(compare_systems(scores)))
  expect_equal(cli_data(words, "--test", "t", "--adjust", "hochberg", "--baseline", "S01", "--alternative", "better"),
               plain(compare_systems(scores, test_t("better", "hochberg"), baseline = "S01")))
  expect_equal(cli_data(words, "--table", "systems"), compare_systems(scores)$systems)
  expect_equal(cli_data(words, "--table", "effects", "--test", "wilcoxon"),
               effect_sizes(compare_systems(scores, test_wilcoxon())))
  expect_equal(cli_data(words, "--table", "overall")$p_value, compare_systems(scores)$overall$p_value)
  path <- table_file(rbind(as.data.frame(scores), as.data.frame(evaluate(runs, judgments, "AG@5", per = "mean"))))
  expect_equal(cli_data("compare", path), plain(compare_systems(scores)))
  some <- demo_collection("some.tsv")
  gains <- condition(uniform_gains(some), judgments_of(some))
  expect_equal(cli_data("compare", demo_words(), "-j", demo_file("some.tsv"), "--expected", "-m", "uniform",
                        "--seed", "3", "--simulations", "50"),
               plain(compare_systems(expected_scores(some, gains), seed = 3, simulations = 50)))
})

test_that("options that a test or a way in does not know are refused", {
  words <- c("compare", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "AG@5")
  expect_equal(cli(words, "--adjust", "holm")$status, 2L)
  expect_equal(cli(words, "--test", "t", "--replicates", "500")$status, 2L)
  expect_equal(cli("compare", demo_file("some.tsv"), "--model", "uniform")$status, 2L)
  expect_equal(cli("evaluate", demo_file("runs.tsv"))$status, 2L)
  expect_equal(cli("evaluate", demo_file("runs.tsv"), "-j", demo_file("some.tsv"), "--k", "3")$status, 2L)
  expect_equal(cli(words, "--test", "sign", "--table", "overall")$status, 2L)
})
