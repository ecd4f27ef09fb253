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
             "--per", "both")
  query <- evaluate(demo_file("trec.run"), demo_file("qrels.txt"), c("map", "P_5"))
  mean <- evaluate(demo_file("trec.run"), demo_file("qrels.txt"), c("map", "P_5"), per = "mean")
  both <- rbind(as.data.frame(query), as.data.frame(mean))
  expect_equal(ran$out, sprintf("%-22s\t%s\t%.4f", both$measure, both$query, both$value))
  several <- cli("evaluate", demo_file("runs.tsv"), "-j", demo_file("qrels.txt"), "-M", "map", "--layout", "trec_eval")
  expect_equal(several$out[1:2 * 6 - 5], sprintf("runid                 \tall\tS0%d", c(1, 4)))
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
               plain(compare_systems(scores, significance_test("t", "better", adjust = "hochberg"), baseline = "S01")))
  expect_equal(cli_data(words, "--table", "systems"), compare_systems(scores)$systems)
  expect_equal(cli_data(words, "--table", "effects", "--test", "wilcoxon"),
               effect_sizes(compare_systems(scores, significance_test("wilcoxon"))))
  expect_equal(cli_data(words, "--table", "overall")$p_value, compare_systems(scores)$overall$p_value)
  path <- table_file(rbind(as.data.frame(scores), as.data.frame(evaluate(runs, judgments, "AG@5", per = "mean"))))
  expect_equal(cli_data("compare", path), plain(compare_systems(scores)))
  some <- demo_collection("some.tsv")
  gains <- condition(uniform_gains(some), judgments_of(some))
  expect_equal(cli_data("compare", demo_words(), "-j", demo_file("some.tsv"), "--expected", "-m", "uniform",
                        "--seed", "3", "--simulations", "50"),
               plain(compare_systems(expected_scores(some, gains), seed = 3, simulations = 50)))
  expect_equal(cli_data("compare", demo_words(), "-j", demo_file("some.tsv"), "--expected", "-m", "uniform",
                        "--seed", "3", "--simulations", "50", "-M", "DCG@3"),
               plain(compare_systems(expected_scores(some, gains, "DCG@3"), seed = 3, simulations = 50)))
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

test_that("the official measures are trec_eval's, line by line", {
  path <- skip_without_data("trec-eval-sample")
  # usnistgov/trec_eval, test/out.test of version 9; version 10 has 0.2732 at recall 0.30, which it rounds otherwise.
  wanted <- c(
    "runid                 \tall\tSTANDARD", "num_q                 \tall\t3", "num_ret               \tall\t1500",
    "num_rel               \tall\t561", "num_rel_ret           \tall\t131", "map                   \tall\t0.1785",
    "gm_map                \tall\t0.1051", "Rprec                 \tall\t0.2174", "bpref                 \tall\t0.1981",
    "recip_rank            \tall\t0.4064", "iprec_at_recall_0.00  \tall\t0.4665",
    "iprec_at_recall_0.10  \tall\t0.3884", "iprec_at_recall_0.20  \tall\t0.3186",
    "iprec_at_recall_0.30  \tall\t0.2852", "iprec_at_recall_0.40  \tall\t0.2666",
    "iprec_at_recall_0.50  \tall\t0.2184", "iprec_at_recall_0.60  \tall\t0.0822",
    "iprec_at_recall_0.70  \tall\t0.0348", "iprec_at_recall_0.80  \tall\t0.0312",
    "iprec_at_recall_0.90  \tall\t0.0312", "iprec_at_recall_1.00  \tall\t0.0312", "P_5                   \tall\t0.2667",
    "P_10                  \tall\t0.3000", "P_15                  \tall\t0.3111", "P_20                  \tall\t0.3667",
    "P_30                  \tall\t0.3333", "P_100                 \tall\t0.2467", "P_200                 \tall\t0.1600",
    "P_500                 \tall\t0.0873", "P_1000                \tall\t0.0437"
  )
  got <- cli("evaluate", file.path(path, "results.test"), "-j", file.path(path, "qrels.test"), "-M", "official",
             "--layout", "trec_eval", "--missing", "skip", "--quiet")
  expect_equal(got$out, wanted)
})

test_that("a level of relevance is that of the measures' own argument, under their plain names", {
  graded <- read_judgments(demo_file("judgments.tsv"))
  words <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "map,P@5,P(rel=20)@5,AG@5")
  got <- cli_data(words, "--rel", "60")
  wanted <- as.data.frame(evaluate(demo_file("runs.tsv"), graded, c(map = "AP(rel=60)", "P@5" = "P(rel=60)@5",
                                                                    "P(rel=20)@5", "AG@5"), per = "mean"))
  expect_equal(got, wanted)
})
