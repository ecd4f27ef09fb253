test_that("judicious features equals output_features() and judgment_features()", {
  x <- demo_collection("some.tsv")
  expect_equal(cli_data("features", demo_words()), output_features(x))
  got <- cli_data("features", demo_words(), "-j", demo_file("some.tsv"))
  expect_equal(got[names(output_features(x))], output_features(x))
  expect_equal(got$gain, x$gain)
  own <- judgment_features(x)
  expect_equal(got[names(own)], own)
  self <- cli_data("features", demo_words(), "-j", demo_file("some.tsv"), "--self", "--judged")
  expect_equal(self$aART, judgment_features(x, self = TRUE)$aART[!is.na(x$gain)])
  expect_equal(nrow(self), 43)
})

test_that("columns of the input become features under the requested names", {
  got <- cli_data("features", demo_words(), "--add-document", "who=artist", "--add-system", "team")
  x <- demo_collection()
  expect_equal(got, output_features(x, documents = c(who = "artist"), systems = "team"))
})

test_that("judicious estimate equals joint_gains(), or a published model updated by the judgments", {
  x <- demo_collection("some.tsv")
  words <- c("estimate", demo_words(), "-j", demo_file("some.tsv"))
  expect_equal(cli_data(words), as.data.frame(joint_gains(x, gain_prior())))
  uniform <- cli_data(words, "--model=uniform", "--prob")
  expect_equal(uniform, as.data.frame(update(uniform_gains(x), judgments_of(x)), prob = TRUE))
  # A session of mtc() with the same judgments has the same estimates.
  session <- suppressWarnings(mtc(x, NULL, mirex_model("output", "fine"), mirex_model("judge", "fine"),
                                  update_every = 43, stop = "never", progress = FALSE))
  expect_equal(nrow(judgments_of(session)), 43)
  expect_equal(cli_data(words, "-m", "published"), as.data.frame(gain_distribution(session)))
})

test_that("judicious rank equals rank_systems(), best system first", {
  x <- demo_collection("some.tsv")
  ranking <- rank_systems(x, joint_gains(x, gain_prior()), level = 0.9)
  wanted <- as.data.frame(ranking)
  wanted$confidence <- absolute_confidence(ranking, 5)$confidence
  got <- cli_data("rank", demo_words(), "-j", demo_file("some.tsv"), "--level", "0.9", "--margin", "5")
  expect_equal(got$rank, 1:6)
  wanted <- wanted[match(got$system, wanted$system), ]
  expect_equal(got[names(wanted)], wanted, ignore_attr = "row.names")
})

test_that("--pairs prints the better system first, with the interval of the difference", {
  x <- demo_collection()
  ranking <- rank_systems(x, gain_distribution(mirex_model("output", "fine"), output_features(x)), delta = 1)
  wanted <- system_differences(ranking)
  got <- cli_data("rank", demo_words(), "--model", "published", "--table", "pairs", "--delta", "1")
  expect_true(all(got$difference >= 0))
  key <- function(d) paste(pmin(d$system_a, d$system_b), pmax(d$system_a, d$system_b))
  wanted <- wanted[match(key(got), key(wanted)), ]
  expect_equal(got$confidence, wanted$confidence)
  expect_equal(got$difference, abs(wanted$difference))
  expect_equal(got$upper - got$difference, qnorm(.975) * wanted$sd)
  expect_equal((got$upper + got$lower) / 2, got$difference)
  mean <- ranking$mean[got$system_a] - ranking$mean[got$system_b]
  expect_equal(unname(mean), got$difference)
})

test_that("--table ranks and the summary of judicious rank equal the results of the R functions", {
  x <- demo_collection("judgments.tsv")
  some <- demo_collection("some.tsv")
  ranking <- rank_systems(some, joint_gains(some, gain_prior()))
  wanted <- rank_probabilities(ranking, seed = 1)
  got <- cli_data("rank", demo_words(), "-j", demo_file("some.tsv"), "--table", "ranks", "--seed", "1")
  wanted <- wanted[match(got$system, wanted$system), ]
  expect_equal(got$expected_rank, wanted$expected_rank)
  expect_equal(unname(as.matrix(got[paste0("P", 1:6)])), unname(as.matrix(wanted[paste0("P", 1:6)])))
  got <- cli_data("rank", demo_words(), "-j", demo_file("judgments.tsv"), "--table", "summary", "--margin", "2")
  expect_equal(got, data.frame(systems = 6, queries = 20, pool = 429, judged = 429, confidence = 1,
                               absolute_confidence = 1, accuracy = 1, tau = 1))
})

test_that("a file written by judicious estimate gives the same ranking as the gains in it", {
  x <- demo_collection("some.tsv")
  gains <- update(gain_distribution(mirex_model("output", "fine"), output_features(x)), judgments_of(x))
  path <- table_file(as.data.frame(gains))
  got <- cli_data("rank", demo_words(), "--estimates", path, "--table", "summary")
  expect_equal(got$confidence, ranking_confidence(rank_systems(x, gains)), tolerance = 1e-12)
  expect_equal(got$judged, 43)
  # Judgments are added to the stored estimates.
  got <- cli_data("rank", demo_words(), "--estimates", path, "-j", demo_file("judgments.tsv"), "--table", "summary")
  expect_equal(got$tau, 1)
})

test_that("--scope new needs joint gains and widens their intervals", {
  these <- cli_data("rank", demo_words(), "-j", demo_file("some.tsv"))
  new <- cli_data("rank", demo_words(), "-j", demo_file("some.tsv"), "--scope", "new")
  expect_true(all(new$sd > these$sd))
  expect_equal(cli("rank", demo_words(), "--scope", "new", "--model", "uniform")$status, 2L)
})

test_that("--model accepts files with a gain model", {
  past <- simulate_collection(queries = 8, documents = 100, artists = 20, systems = 4, seed = 1)
  model <- gain_model(past, ~ popularity, random = "query")
  path <- tempfile(fileext = ".model")
  write_model(model, path)
  on.exit(unlink(path))
  x <- demo_collection()
  expect_equal(cli_data("estimate", demo_words(), "-m", path), as.data.frame(joint_gains(x, model)))
})

test_that("a message counts the pairs without the features that a published model needs", {
  ran <- cli("rank", demo_file("runs.tsv"), "--model", "published")
  expect_equal(ran$status, 0L)
  expect_match(ran$err[1], "429 of 429 pairs lack a feature")
  published <- c("rank", demo_words(), "--model", "published")
  expect_match(cli(published)$err, "^judicious rank: Ranking .*published \\(overconfident\\)")
  expect_match(cli(published, "--scale", "0,1,2,3")$err[1], "on 0, 1, 2, 3, gains are uniform")
  expect_equal(cli_data(published, "--scale", "0,1,2,3"),
               cli_data("rank", demo_words(), "-m", "uniform", "--scale", "0,1,2,3"))
})

test_that("the note about simultaneous rank intervals is printed with the systems and not with their pairs", {
  told <- "With a probability of 95%, all true ranks are from rank_lower to rank_upper at the same time"
  words <- c("rank", demo_words(), "-j", demo_file("some.tsv"))
  expect_match(paste(cli(words)$err, collapse = " "), told)
  expect_no_match(paste(cli(words, "--table", "pairs")$err, collapse = " "), "rank_lower")
})

test_that("judicious rank accepts linear and nonlinear measures", {
  x <- demo_collection("some.tsv")
  words <- c("rank", demo_words(), "-j", demo_file("some.tsv"))
  by <- function(gains, measure, ...) {
    sort(unname(rank_systems(x, gains, measure = measure, ...)$mean), decreasing = TRUE)
  }
  linear <- "nDCG(ideal=maximum)@5"
  expect_equal(cli_data(words, "-M", linear)$estimate, by(joint_gains(x, gain_prior(), measure = linear), NULL))
  draws <- cli_data(words, "--measure", "RR(rel=50)", "--draws", "50", "--seed", "4")
  expect_equal(draws$estimate, by(joint_gains(x, gain_prior(), measure = "RR(rel=50)"), NULL, draws = 50, seed = 4))
  uniform <- update(uniform_gains(x), judgments_of(x))
  expect_equal(cli_data(words, "-m", "uniform", "-M", "AP(rel=50)")$estimate, by(uniform, "AP(rel=50)"))
  expect_equal(cli(words, "-M", "unheard-of")$status, 2L)
})

test_that("judicious rank and report accept a stored session, also for the consensus of assessors", {
  skip_if_not_installed("RSQLite")
  x <- demo_collection()
  ann <- bob <- judgments_of(demo_collection("judgments.tsv"))
  bob$gain <- pmin(pmax(ann$gain + rep_len(c(-10, 15), nrow(ann)), 0), 100)
  store <- tempfile(fileext = ".sqlite")
  s <- judging_session(x, goal = goal_budget(20), store = store, overlap = 1, seed = 1)
  on.exit(close_session(s))
  for (i in 1:10) {
    for (who in c("ann", "bob")) {
      asked <- next_documents(s, 1, who)
      given <- if (who == "ann") ann else bob
      judge(s, asked$query, asked$doc, given$gain[match_ids(given, asked)[1]], who)
    }
  }
  of <- function(...) {
    ranking <- as.data.frame(rank_systems(s, ...))
    ranking <- ranking[order(ranking$rank), c("rank", setdiff(names(ranking), "rank"))]
    rownames(ranking) <- NULL
    ranking
  }
  expect_equal(cli_data("rank", "--store", store), of())
  expect_equal(cli_data("rank", "--store", store, "--assessor", "consensus"), of(assessor = "consensus"))
  note <- grep("^Another assessor may order", utils::capture.output(print(rank_systems(s))), value = TRUE)
  expect_length(note, 1)
  expect_match(paste(cli("rank", "--store", store)$err, collapse = " "), note, fixed = TRUE)
  both <- rbind(cbind(ann[1:30, ], assessor = "ann"), cbind(bob[1:30, ], assessor = "bob"))
  words <- c("rank", demo_words(), "-j", table_file(both), "--assessor", "bob")
  expect_equal(cli_data(words)$estimate, head(rank_systems(x, judgments = both, assessor = "bob"), Inf)$estimate)
  expect_match(cli("rank", "--store", store, "--assessor", "cam")$err, "The assessors are \"ann\", \"bob\"")
  expect_match(cli("rank", "runs.tsv", "--store", store)$err[1], "a session with its own runs: remove RUNS")
  # The error is raised before anything is ranked.
  expect_match(cli("report", "no-such-runs.tsv", "-o", "report.pdf")$err[1], ".pdf", fixed = TRUE)
  skip_without_pandoc()
  file <- tempfile(fileext = ".html")
  expect_identical(cli("report", "--store", store, "-o", file, "--assessor", "consensus")$status, 0L)
  html <- paste(readLines(file, warn = FALSE), collapse = " ")
  expect_match(html, "judged twice", fixed = TRUE)
  expect_match(html, "Confidence in the consensus of assessors", fixed = TRUE)
  expect_match(html, paste("judicious report --store", store), fixed = TRUE)
})

test_that("judicious judge can start a session that estimates the consensus of assessors", {
  skip_if_not_installed("RSQLite")
  store <- tempfile(fileext = ".sqlite")
  expect_identical(cli("judge", demo_words(), "--store", store, "--assessor", "consensus", "--progress")$status, 0L)
  s <- open_session(store)
  on.exit(close_session(s))
  expect_identical(s$engine$assessor, "consensus")
})

test_that("judicious rank, estimate and next accept an earlier session as past data", {
  skip_if_not_installed("RSQLite")
  store <- tempfile(fileext = ".sqlite")
  on.exit(unlink(store))
  s <- judging_session(demo_collection(), goal = goal_budget(20), store = store, judgments = FALSE, seed = 1)
  run_session(s, judgments_of(demo_collection("judgments.tsv")), progress = FALSE)
  model <- gain_model(s)
  close_session(s)
  x <- demo_collection("some.tsv")
  words <- c(demo_words(), "-j", demo_file("some.tsv"), "--past", store)
  ranking <- as.data.frame(rank_systems(x, past = model))
  expect_false(isTRUE(all.equal(ranking$estimate, as.data.frame(rank_systems(x))$estimate)))
  got <- cli_data("rank", words)
  expect_equal(got[names(ranking)], ranking[match(got$system, ranking$system), ], ignore_attr = "row.names")
  expect_equal(cli_data("estimate", words), as.data.frame(joint_gains(x, model)))
  expect_equal(cli_data("next", words, "-n", "3")$doc, select_documents(x, joint_gains(x, model), n = 3)$doc)
  limited <- "^judicious rank: --past is only available with --model joint, and without --estimates"
  expect_match(cli("rank", words, "--model", "published")$err[1], limited)
  expect_match(cli("rank", words, "--estimates", demo_file("some.tsv"))$err[1], limited)
  expect_match(cli("rank", "--store", store, "--past", store)$err[1], "--past is part of the session in --store")
})

test_that("judgments of another collection raise an error", {
  ran <- cli("rank", demo_words(), "-j", bytes_file("q99\td066\t4\n"))
  expect_identical(ran$status, 1L)
  expect_match(ran$err, "No query of the runs has judgments", fixed = TRUE)
})

test_that("options without effect and unsupported types of output files are usage errors", {
  expect_match(cli("rank", demo_words(), "--table", "pairs", "--margin", "3")$err[1], "--margin is only available with")
  expect_match(cli("rank", demo_words(), "-o", "x.png")$err[1], "--output writes text, or .parquet, not \"x.png\"",
               fixed = TRUE)
})

test_that("a note about lists shorter than k is printed only if missing results change the score", {
  path <- withr::local_tempfile(lines = sprintf("%s Q0 d%d %d %d %s", rep(c("q1", "q2"), each = 6), 1:3, 1:3, 9:7,
                                                rep(c("a", "b"), each = 3)))
  noted <- function(...) any(grepl("shorter than k", cli("rank", path, "--scale", "0:1", ...)$err))
  expect_false(noted("-M", "nDCG@3"))
  expect_true(noted("-M", "nDCG@4"))
  expect_true(noted("-M", "AP"))
  expect_true(noted())
})
