test_that("judicious evaluate prints the values of evaluate(), per query, as means, or both", {
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
  # The name of a file may have a comma.
  comma <- file.path(withr::local_tempdir(), "judgments,1.tsv")
  file.copy(demo_file("judgments.tsv"), comma)
  expect_equal(cli_data(replace(words, 4, comma)), mean)
})

test_that("for TREC files, evaluate prints the output format of trec_eval", {
  ran <- cli("evaluate", demo_file("trec.run"), "-j", demo_file("qrels.txt"), "-M", "map,P_5", "--layout", "trec_eval",
             "--per", "both")
  query <- evaluate(demo_file("trec.run"), demo_file("qrels.txt"), c("map", "P_5"))
  mean <- evaluate(demo_file("trec.run"), demo_file("qrels.txt"), c("map", "P_5"), per = "mean")
  both <- rbind(as.data.frame(query), as.data.frame(mean))
  expect_equal(ran$out, sprintf("%-22s\t%s\t%.4f", both$measure, both$query, both$value))
  several <- cli("evaluate", demo_file("runs.tsv"), "-j", demo_file("qrels.txt"), "-M", "map", "--layout", "trec_eval")
  expect_equal(several$out[1:2 * 6 - 5], sprintf("runid                 \tall\tS0%d", c(1, 4)))
})

test_that("the options for unjudged documents and depth are passed to evaluate()", {
  words <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("some.tsv"), "-M", "AG@5", "--per", "query")
  runs <- read_runs(demo_file("runs.tsv"))
  some <- read_judgments(demo_file("some.tsv"))
  expect_equal(cli_data(words, "--unjudged", "bounds", "--depth", "3"),
               as.data.frame(suppressMessages(evaluate(runs, some, "AG@5", unjudged = "bounds", depth = 3))))
})

test_that("judicious compare equals compare_systems() for runs, scores and expected scores", {
  runs <- read_runs(demo_file("runs.tsv"))
  judgments <- read_judgments(demo_file("judgments.tsv"))
  scores <- evaluate(runs, judgments, "AG@5")
  plain <- function(d) as.data.frame(d)
  words <- c("compare", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "AG@5")
  expect_equal(cli_data(words, "--seed", "4"), plain(compare_systems(scores, seed = 4)))
  by_ranks <- c(words, "--test", "friedman_tukey")
  expect_equal(cli_data(by_ranks), plain(compare_systems(scores, "friedman_tukey")))
  expect_identical(names(cli_data(by_ranks))[3], "rank_difference")
  expect_equal(cli_data(words, "--test", "t", "--adjust", "hochberg", "--baseline", "S01", "--alternative", "better"),
               plain(compare_systems(scores, significance_test("t", "better", adjust = "hochberg"), baseline = "S01")))
  expect_equal(cli_data(words, "--test", "one_sample_t", "--mu", "40"),
               plain(compare_systems(scores, significance_test("one_sample_t", mu = 40))))
  expect_equal(cli_data(by_ranks, "--table", "systems"), compare_systems(scores, "friedman_tukey")$systems)
  expect_equal(cli_data(words, "--table", "effects", "--test", "wilcoxon"),
               effect_sizes(compare_systems(scores, significance_test("wilcoxon"))))
  expect_equal(cli_data(by_ranks, "--table", "overall")$p_value,
               compare_systems(scores, "friedman_tukey")$overall$p_value)
  path <- table_file(rbind(as.data.frame(scores), as.data.frame(evaluate(runs, judgments, "AG@5", per = "mean"))))
  expect_equal(cli_data("compare", path, "--test", "t"), plain(compare_systems(scores, "t")))
  some <- demo_collection("some.tsv")
  gains <- update(uniform_gains(some), judgments_of(some))
  expect_equal(cli_data("compare", demo_words(), "-j", demo_file("some.tsv"), "--expected", "-m", "uniform",
                        "--seed", "3", "--simulations", "50"),
               plain(compare_systems(expected_scores(some, gains), seed = 3, simulations = 50)))
  expect_equal(cli_data("compare", demo_words(), "-j", demo_file("some.tsv"), "--expected", "-m", "uniform",
                        "--seed", "3", "--simulations", "50", "-M", "DCG@3"),
               plain(compare_systems(expected_scores(some, gains, "DCG@3"), seed = 3, simulations = 50)))
})

test_that("options that do not apply to the test or the input raise errors", {
  words <- c("compare", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "AG@5")
  expect_equal(cli(words, "--test", "friedman_tukey", "--adjust", "holm")$status, 2L)
  expect_equal(cli(words, "--test", "t", "--replicates", "500")$status, 2L)
  expect_equal(cli(words, "--test", "t", "--mu", "1")$status, 2L)
  expect_equal(cli("compare", demo_file("some.tsv"), "--model", "uniform")$status, 2L)
  for (option in c("k", "simulations", "model", "documents")) {
    value <- switch(option, model = "uniform", documents = demo_file("documents.tsv"), 3)
    ran <- cli("compare", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), paste0("--", option), value)
    expect_identical(ran$status, 2L)
    expect_match(ran$err[1], paste0("--", option, " is only available with --expected"), fixed = TRUE)
  }
  expect_equal(cli("evaluate", demo_file("runs.tsv"))$status, 2L)
  judged <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"))
  expect_match(cli(judged, "-m", "AP")$err[1], "There is no option -m. -M is --measure.", fixed = TRUE)
  expect_match(cli(judged, "--metrics=AP")$err[1], "Did you mean \"--measure\"?", fixed = TRUE)
  expect_match(cli("evaluate", "--qrels", "q")$err[1], "Did you mean \"--judgments\"?", fixed = TRUE)
  expect_match(cli(judged, "--unjudged", "bounds", "--layout", "wide")$err[1], "--layout wide does not support", fixed = TRUE)
  expect_match(cli(judged, "-M", "nDGC@10")$err[1], "Did you mean \"nDCG@10\"?", fixed = TRUE)
  expect_equal(cli("evaluate", demo_file("runs.tsv"), "-j", demo_file("some.tsv"), "--k", "3")$status, 2L)
  expect_equal(cli(words, "--test", "sign", "--table", "overall")$status, 2L)
})

test_that("judicious evaluate prints trec_eval's official measures as trec_eval does", {
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

# A run whose queries have another order as text than as numbers, and whose scores are equal in single precision only.
small_trec <- function() {
  run <- c("10 Q0 a 1 3 tag", "10 Q0 b 2 2.00000001 tag", "10 Q0 c 3 2 tag", "9 Q0 a 1 1 tag", "9 Q0 x 2 .5 tag",
           "9 Q0 d 3 .25 tag")
  qrels <- c("9 0 a 2", "9 0 d 11", "9 0 e 1", "10 0 a -1", "10 0 b 0", "10 0 c 1", "8 0 a 1")
  paths <- c(run = tempfile(fileext = ".run"), qrels = tempfile(fileext = ".qrels"))
  writeLines(run, paths[["run"]])
  writeLines(qrels, paths[["qrels"]])
  paths
}

trec_lines <- function(layout, ...) {
  paths <- small_trec()
  cli("evaluate", paths[["run"]], "-j", paths[["qrels"]], "--layout", layout, "--per", "both", "--quiet", ...)$out
}

test_that("trec_eval's output format has the lines of trec_eval 9.0.8 and 10, in their order", {
  # The output of both programs with -q -c and the measures as -m.
  line <- function(...) sprintf("%-22s\t%s\t%s", ...)
  names <- c("runid", "num_q", "num_rel", "map", "gm_map", "iprec_at_recall.0.5", "P.5,2", "relstring", "yaap")
  shared <- function(map, ten) {
    c(line("num_rel", "10", "1"), line("map", "10", map), line("iprec_at_recall_0.50", "10", map),
      line("P_2", "10", ten), line("P_5", "10", "0.2000"))
  }
  nine <- c(line("num_rel", "9", "3"), line("map", "9", "0.5556"), line("iprec_at_recall_0.50", "9", "0.6667"),
            line("P_2", "9", "0.5000"), line("P_5", "9", "0.4000"), line("relstring", "9", "'2->'"),
            line("yaap", "9", "0.1335"))
  old <- c(shared("0.5000", "0.5000"), line("relstring", "10", "'.10'"), line("yaap", "10", "0.0000"), nine,
           line("runid", "all", "tag"), line("num_q", "all", "3"), line("num_rel", "all", "5"),
           line("map", "all", "0.3519"), line("gm_map", "all", "0.0141"), line("iprec_at_recall_0.50", "all", "0.3889"),
           line("P_2", "all", "0.3333"), line("P_5", "all", "0.2000"), line("yaap", "all", "0.0445"))
  expect_identical(trec_lines("trec_eval", "-M", paste(rev(names), collapse = ",")), old)
  eight <- c(line("num_rel", "8", "1"), line("map", "8", "0.0000"), line("iprec_at_recall_0.50", "8", "0.0000"),
             line("P_2", "8", "0.0000"), line("P_5", "8", "0.0000"), line("relstring", "8", "''"),
             line("yaap", "8", "-0.6931"))
  new <- c(shared("0.3333", "0.0000"), line("relstring", "10", "'.01'"), line("yaap", "10", "-0.2231"), eight, nine,
           line("runid", "all", "tag"), line("num_q", "all", "3"), line("num_rel", "all", "5"),
           line("map", "all", "0.2963"), line("gm_map", "all", "0.0123"), line("iprec_at_recall_0.50", "all", "0.3333"),
           line("P_2", "all", "0.1667"), line("P_5", "all", "0.2000"), line("yaap", "all", "-0.2609"))
  expect_identical(trec_lines("trec_eval-10", "-M", paste(names, collapse = ",")), new)
})

test_that("options that contradict trec_eval's output layout are usage errors", {
  paths <- small_trec()
  words <- c("evaluate", paths[["run"]], "-j", paths[["qrels"]], "--layout", "trec_eval")
  expect_equal(cli(words, "--precision", "double")$status, 2L)
  expect_equal(cli(words, "--unjudged", "bounds")$status, 2L)
  expect_equal(cli(words, "-M", "P.x")$status, 2L)
})

test_that("--rel sets the relevance level without changing the names of measures", {
  graded <- read_judgments(demo_file("judgments.tsv"))
  words <- c("evaluate", demo_file("runs.tsv"), "-j", demo_file("judgments.tsv"), "-M", "map,P@5,P(rel=20)@5,AG@5")
  got <- cli_data(words, "--rel", "60")
  wanted <- as.data.frame(evaluate(demo_file("runs.tsv"), graded, c(map = "AP(rel=60)", "P@5" = "P(rel=60)@5",
                                                                    "P(rel=20)@5", "AG@5"), per = "mean"))
  expect_equal(got, wanted)
})

test_that("set_F is computed in trec_eval's order of operations, and gives 15 / 32 exactly", {
  folder <- withr::local_tempdir()
  paths <- file.path(folder, c("run", "qrels"))
  writeLines(sprintf("1 Q0 d%d 0 %d tag", 1:16, 16:1), paths[1])
  writeLines(sprintf("1 0 d%d 1", 12:19), paths[2])
  lines <- cli("evaluate", paths[1], "-j", paths[2], "--layout", "trec_eval", "-M", "set_F.2", "--per", "query")$out
  expect_identical(lines, "set_F_2               \t1\t0.4688")
})

test_that("a comparison of partly judged runs states how many results count as not relevant", {
  runs <- read_runs(demo_file("runs.tsv"))
  some <- read_judgments(demo_file("some.tsv"))
  words <- c("compare", demo_file("runs.tsv"), "--test", "t", "-M")
  told <- function(measure, judgments) {
    ran <- cli(words, measure, "-j", demo_file(judgments))
    expect_identical(ran$status, 0L)
    paste(ran$err, collapse = " ")
  }
  for (measure in c("AG@5", "RR")) {
    share <- mean(evaluate(runs, some, if (measure == "RR") "unjudged" else "unjudged@5")$value)
    down_to <- if (measure == "RR") "" else " down to rank 5"
    expect_match(told(measure, "some.tsv"), sprintf("%s of the results%s are not judged", percent(share), down_to))
  }
  expect_no_match(told("AG@5", "judgments.tsv"), "not judged")
  # evaluate prints the same note, except in the output formats of trec_eval.
  words <- c("evaluate", demo_file("runs.tsv"), "-M")
  expect_match(told("AG@5,RR", "some.tsv"), "of the results are not judged")
  expect_match(told("AG@5,P@2", "some.tsv"), "of the results down to rank 5 are not judged")
  expect_match(told("AG@20", "judgments.tsv"), "No list has more than 5 results: the missing ones down to rank 20")
  expect_no_match(told(c("map", "--layout", "trec_eval"), "some.tsv"), "not judged")
  # rank is suggested unless the judgments list relevant documents only, as BEIR's do, but not as ratings from 1 to 5 do.
  expect_match(told("AG@5", "some.tsv"), "judicious rank estimates their gains")
  half <- utils::read.delim(demo_file("judgments.tsv"))[c(TRUE, FALSE), ]
  told_of <- function(gains) {
    path <- withr::local_tempfile()
    half$gain <- rep_len(gains, nrow(half))
    utils::write.table(half, path, sep = "\t", row.names = FALSE, quote = FALSE)
    paste(cli("evaluate", demo_file("runs.tsv"), "-M", "AG@5", "-j", path)$err, collapse = " ")
  }
  note <- "^judicious evaluate: [0-9]+% of the results down to rank 5 are not judged, and count as not relevant"
  expect_match(told_of(1:2), paste0(note, "[.]$"))
  # Ratings do not make the note mention another measure than those of the user.
  for (gains in list(0:2, 1:5)) expect_match(told_of(gains), paste0(note, "; judicious rank estimates their gains[.]$"))
})

test_that("invalid options and inputs of evaluate, compare and rank raise errors that say what is wrong", {
  told <- function(...) paste(cli(...)$err, collapse = " ")
  runs <- demo_file("runs.tsv")
  judged <- c(runs, "-j", demo_file("judgments.tsv"), "-M")
  expect_match(told("evaluate", judged, "nDCG@0"), "The cutoff of \"nDCG@0\" must be a whole number of at least 1.")
  expect_match(told("evaluate", judged, "nDCG@5", "-l", "2"), "--rel is for binary measures")
  expect_identical(cli("evaluate", judged, "ndcg", "-l", "2", "--layout", "trec_eval")$status, 0L)
  expect_match(told("evaluate", judged, "AP,AP"), "are called \"AP\". Leave one out.", fixed = TRUE)
  expect_match(told("compare", judged, "AP", "--table", "overall"), "^judicious compare: --table overall needs a test of")
  expect_identical(cli("compare", judged, "AG@5", "--table", "overall", "--test", "tukey")$status, 0L)
  expect_match(told("compare", runs, "-M", "AP"), "or runs with --judgments. .* has no number")
  written <- withr::local_tempfile()
  cli("evaluate", judged, "AP,P@5", "-o", written)
  expect_match(told("compare", written), "evaluate --per query.* has no values of single queries")
  expect_match(told("rank", runs, "-o", file.path(written, "x.tsv")), "--output: there is no folder")
})

test_that("a small share of unjudged results is not rounded to 0%", {
  judgments <- utils::read.delim(demo_file("judgments.tsv"))
  runs <- utils::read.delim(demo_file("runs.tsv"))
  one <- which(judgments$query == runs$query[1] & judgments$doc == runs$doc[1])
  path <- bytes_file(do.call(paste, c(judgments[-one, c("query", "doc", "gain")], list(sep = "\t", "\n"))))
  expect_match(cli("evaluate", demo_file("runs.tsv"), "-j", path, "-M", "AG@5")$err, "Fewer than 1% of the results")
})
