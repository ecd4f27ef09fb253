test_that("a gain on the Fine scale maps to the nearest multiple of 11", {
  expect_equal(level_index(fine_scale(), c(0, 5, 6, 16, 17, 93, 94, 100)), c(1, 1, 2, 2, 3, 9, 10, 10))
  expect_equal(level_index(fine_scale(), 0:100), pmin(9, round(0:100 / 11)) + 1)
})

test_that("uniform gains on the Fine scale have mean 50 and variance 850 (article 'Methods', section 4)", {
  uniform <- uniform_gain(fine_scale())
  expect_equal(uniform$mean, 50)
  expect_equal(uniform$variance, 850)
  expect_equal(sum(uniform$prob), 1)
  expect_equal(uniform_gain(broad_scale())$variance, 2 / 3)
})

test_that("scales have sorted levels and recognise the gains that are on them", {
  s <- gain_scale(c(3, 0, 1, 2))
  expect_equal(s$levels, c(0, 1, 2, 3))
  expect_equal(s$model_levels, s$levels)
  expect_equal(in_scale(s, c(0, 1.5, 3, 4)), c(TRUE, FALSE, TRUE, FALSE))
  expect_equal(in_scale(fine_scale(), c(-1, 0, 33.3, 100, 101)), c(FALSE, TRUE, TRUE, TRUE, FALSE))
  expect_equal(fine_scale()$model_levels, c(0, 11, 22, 33, 44, 55, 66, 77, 88, 99))
  expect_equal(broad_scale()$levels, 0:2)
  expect_equal(level_index(s, c(0, .5, 1, 2.4)), c(1, 2, 2, 3))
})

test_that("gains equal levels of a scale up to rounding errors", {
  tenths <- gain_scale(seq(0, 1, 0.1))
  expect_false(0.3 %in% tenths$levels)
  gains <- c(0.3, 0.1 + 0.2, 0.1 + 0.2 - 0.3, 0.35, NA)
  expect_identical(in_scale(tenths, gains), c(TRUE, TRUE, TRUE, FALSE, FALSE))
  expect_identical(on_levels(tenths, gains), c(tenths$levels[c(4, 4, 1)], 0.35, NA))
  runs <- data.frame(system = c("a", "b"), query = "q", doc = c("d", "e"), rank = 1)
  x <- test_collection(runs, judgments = data.frame(query = "q", doc = c("d", "e"), gain = c(0.3, 0.1 + 0.2)), k = 1,
                       scale = seq(0, 1, 0.1))
  expect_identical(judgments_of(x)$gain, tenths$levels[c(4, 4)])
  session <- judging_session(x, judgments = FALSE)
  judge(session, "q", "d", 0.3)
  expect_identical(judgments_of(session)$gain, tenths$levels[4])
})

test_that("scales print, and invalid ones raise errors", {
  expect_snapshot({
    broad_scale()
    fine_scale()
    gain_scale(0:9)
  })
  expect_snapshot(error = TRUE, {
    gain_scale(1)
    gain_scale(c(1, 1))
    gain_scale(c("a", "b"))
    gain_scale(c(0, NA))
    gain_scale(c(0, Inf))
  })
})

test_that("the error about a gain that is not on the scale names its row", {
  expect_snapshot(error = TRUE, {
    check_gains(c(0, 3, NA), broad_scale(), c("q1", "q2", "q3"), c("a", "b", "c"), "judgments")
    check_gains(c(1, -2), broad_scale(), c("q1", "q2"), c("a", "b"), "judgments")
    check_gains(c(1, NA, -2), broad_scale(), c("q1", "q2", "q3"), c("a", "b", "c"), "judgments")
    check_gains("2", broad_scale(), "q1", "a", "judgments")
  })
  expect_error(check_gains(3, broad_scale(), "q", "d", "x"), class = "judicious_error_gain_outside_scale")
})

test_that("the Fine scale of early editions has steps of a tenth, in gains and in model levels", {
  early <- fine_scale(10)
  expect_equal(early$levels, seq(0, 10, by = 0.1))
  expect_equal(early$model_levels, fine_scale()$model_levels / 10)
  gains <- c(0, 5, 6, 16, 17, 93, 94, 100)
  expect_equal(level_index(early, gains / 10), level_index(fine_scale(), gains))
  expect_true(all(in_scale(early, c(0, 3.3, 10))))
  expect_false(in_scale(early, 10.1))
  expect_equal(uniform_gain(early)$variance, 8.5)
  expect_identical(scale_of_levels(early$model_levels)$name, early$name)
  expect_error(fine_scale(50), class = "judicious_error_argument")
  # A model can be fitted to gains of the early scale, and predicts gains on it.
  x <- simulate_collection(queries = 12, documents = 200, artists = 30, systems = 4, seed = 1, scale = early)
  expect_true(all(abs(x$gain * 10 - round(x$gain * 10)) < 1e-9))
  ranking <- rank_systems(x, judgments = FALSE)
  expect_identical(ranking$collection$scale$name, "Fine 0 to 10")
})

test_that("a warning points out gains of few levels on the Fine scale, in judgments and in grades", {
  runs <- data.frame(system = rep(c("a", "b"), each = 10), query = "q", doc = c(1:10, 3:12), rank = 1:10)
  judgments <- data.frame(query = "q", doc = 1:12, gain = rep(0:2, 4))
  expect_warning(test_collection(runs, judgments = judgments, k = 10), "Is the scale 0,1,2",
                 class = "judicious_warning_scale")
  expect_warning(test_collection(runs, judgments = judgments, k = 10, scale = fine_scale()), "Is the scale 0,1,2",
                 class = "judicious_warning_scale")
  expect_no_warning(test_collection(runs, judgments = judgments, k = 10, scale = 0:2))
  x <- test_collection(runs, k = 10)
  expect_warning(rank_systems(x, grades = judgments), "The grades are all from 0 to 2.*Is the scale 0,1,2",
                 class = "judicious_warning_scale")
  # Of several graders, the warning names the one that it is about.
  two <- data.frame(judgments[c("query", "doc")], grader = rep(c("ann", "gpt"), each = 12),
                    grade = c(judgments$gain, 10 * judgments$gain))
  expect_warning(rank_systems(x, grades = two), "The grades of \"ann\" are all from 0 to 2",
                 class = "judicious_warning_scale")
  judgments$gain[1] <- 11
  expect_no_warning(test_collection(runs, judgments = judgments, k = 10))
  expect_no_warning(rank_systems(x, grades = judgments))
})

# Runs of two systems as a TREC file.
trec_runs <- function() {
  path <- tempfile(fileext = ".txt")
  runs <- expand.grid(rank = 1:12, query = c("q1", "q2", "q3"), system = c("a", "b"))
  doc <- paste0("d", (runs$rank * ifelse(runs$system == "a", 1, 5)) %% 13)
  writeLines(paste(runs$query, "Q0", doc, runs$rank, 100 - runs$rank, runs$system), path)
  path
}

test_that("runs in TREC format have cutoff 10 and a scale inferred from judgments or else from grades", {
  path <- trec_runs()
  x <- test_collection(path)
  expect_equal(x$k, 10)
  expect_output(print(x), "gains      shares of a scale whose levels are not known (`scale = 0:3`", fixed = TRUE)
  judged <- data.frame(query = "q1", doc = c("d1", "d5"), gain = c(0, 2))
  graded <- data.frame(query = rep(c("q1", "q2"), each = 2), doc = c("d1", "d5"), grade = c(1, 3, 0, 2))
  expect_equal(test_collection(path, judgments = judged)$scale$levels, 0:2)
  expect_output(print(test_collection(path, judgments = judged)), "gains      0, 1, 2, inferred from the judgments")
  expect_output(print(rank_systems(x, grades = graded)), "Gains: 0, 1, 2, 3, inferred from the grades")
  expect_output(print(rank_systems(x, grades = graded, judgments = judged)), "0, 1, 2, inferred from the judgments")
  expect_equal(judging_session(x, grades = list(llm = graded), seed = 1)$engine$x$scale$levels, 0:3)
  s <- judging_session(test_collection(path, judgments = judged), seed = 1)
  expect_output(print(rank_systems(s)), "Gains: 0, 1, 2, inferred from the judgments")
  expect_error(judging_session(x), "State `scale` in `test_collection()` or `read_answers()`, such as `scale = 0:3`",
               fixed = TRUE, class = "judicious_error_argument")
  # Arguments that are given are kept, and so are the defaults for runs without scores.
  expect_equal(test_collection(path, k = 3, scale = broad_scale())[c("k", "scale")], list(k = 3, scale = broad_scale()))
  runs <- read_runs(path)
  mirex <- suppressWarnings(test_collection(runs[c("system", "query", "doc", "rank")]))
  expect_equal(mirex$k, 5)
  expect_equal(mirex$scale$levels, fine_scale()$levels)
  expect_output(print(rank_systems(mirex)), "Gains: Fine: 0, 1, ..., 100, modelled on 10 levels, assumed", fixed = TRUE)
  # Another scale is inferred from at least ten positive judgments of few levels, or ten grades above 1; with higher
  # values, the scale remains Fine.
  many <- transform(pool_ids(mirex)[1:15, ], gain = rep(0:3, length.out = 15))
  expect_output(print(rank_systems(mirex, judgments = many)), "Gains: 0, 1, 2, 3, inferred from the judgments")
  expect_equal(judging_session(mirex, judgments = many, seed = 1)$engine$x$scale$levels, 0:3)
  expect_output(print(rank_systems(mirex, grades = transform(many, gain = 2:4))), "0, 1, 2, 3, 4, inferred from the grades")
  expect_equal(rank_systems(mirex, judgments = transform(many, gain = 30 * gain))$collection$scale, fine_scale())
  expect_warning(few <- rank_systems(mirex, judgments = many[1:11, ]), "Is the scale", class = "judicious_warning_scale")
  expect_equal(few$collection$scale, mirex$scale)
  # Judgments that are not integers up to 10 are on the Fine scale, and a single level 0 is extended to 0 and 1.
  expect_equal(test_collection(path, judgments = replace(judged, "gain", c(0, 62.5)))$scale$levels, fine_scale()$levels)
  expect_equal(test_collection(path, judgments = replace(judged, "gain", c(0, 0)))$scale$levels, 0:1)
})

test_that("the inferred scale starts at 1 for ratings such as 1 to 5, and at 0 for relevance grades", {
  path <- trec_runs()
  runs <- read_runs(path)
  pool <- unique(runs[c("query", "doc")])
  inferred <- function(gain) test_collection(path, judgments = data.frame(pool[seq_along(gain), ], gain = gain))$scale
  expect_equal(inferred(rep(1:5, 2))$levels, 1:5)
  expect_equal(inferred(rep(1:5, 2)[-1])$levels, 0:5)
  expect_equal(inferred(c(2:5, 5:2, 3, 4))$levels, 1:5)
  expect_equal(inferred(rep(0:5, 2)[1:11])$levels, 0:5)
  expect_equal(inferred(rep(c(1, 7, 10), 4))$levels, 1:10)
  # Judgments without 0 occur in collections in which only relevant documents are recorded.
  expect_equal(inferred(rep(1:3, 4))$levels, 0:3)
  expect_equal(inferred(rep(1:2, 6))$levels, 0:2)
  expect_equal(inferred(rep(1, 12))$levels, 0:1)
  expect_equal(inferred(rep(1:4, 3))$levels, 0:4)
  expect_identical(format(inferred(rep(1:5, 2))),
                   "1, 2, 3, 4, 5, inferred from the judgments (`scale = 0:5` would state others)")
  expect_identical(format(inferred(rep(1:3, 4))),
                   "0, 1, 2, 3, inferred from the judgments (`scale = 1:3` would state others)")
  expect_identical(format(inferred(0:3)), "0, 1, 2, 3, inferred from the judgments")
  expect_identical(format(inferred(rep(1, 12))), "0, 1, inferred from the judgments")
})

test_that("decimal judgments such as half stars give a scale with decimal gains, not the Fine scale", {
  runs <- trec_runs()
  pool <- unique(read_runs(runs)[c("query", "doc")])
  stars <- data.frame(pool[1:12, ], gain = c(0.5, 1:5, 4.5, 3, 2, 1, 3.5, 4))
  x <- test_collection(runs, judgments = stars)
  expect_output(print(x), "gains      0, 1, 2, 3, 4, 5 and numbers between, inferred from the judgments", fixed = TRUE)
  expect_lte(max(as.data.frame(rank_systems(x))$estimate), 5)
  expect_equal(test_collection(runs, judgments = transform(stars, gain = gain + 0.5))$scale$levels, 1:6)
  expect_equal(test_collection(runs, judgments = transform(stars, gain = 20 * gain))$scale$levels, fine_scale()$levels)
  mirex <- suppressWarnings(suppressMessages(test_collection(read_runs(runs)[c("system", "query", "doc", "rank")])))
  judged <- suppressWarnings(rank_systems(mirex, judgments = transform(pool_ids(mirex)[1:11, ], gain = 0.5 + 1:11 %% 5)))
  expect_equal(judged$collection$scale$levels, 0:5)
})

test_that("if the levels of a scale are unknown, estimates are shares of its range", {
  path <- trec_runs()
  share <- rank_systems(test_collection(path))
  stated <- rank_systems(test_collection(path, scale = 0:3))
  expect_equal(3 * as.data.frame(share)$estimate, as.data.frame(stated)$estimate)
  expect_equal(ranking_confidence(share), ranking_confidence(stated))
  expect_output(print(share), "Gains: shares of a scale whose levels are not known")
})

test_that("the command line has the default cutoff and scale of test_collection()", {
  path <- trec_runs()
  qrels <- tempfile()
  writeLines(c("q1 0 d1 0", "q1 0 d5 2"), qrels)
  run <- function(...) cli("rank", path, ...)
  expect_match(run()$err, "Gains: shares of a scale whose levels are not known", all = FALSE)
  expect_match(run("-j", qrels)$err, "Gains: 0, 1, 2, inferred from the judgments", all = FALSE)
  expect_match(run("--grades", qrels)$err, "Gains: 0, 1, 2, inferred from the grades", all = FALSE)
  expect_equal(run("-j", qrels)$out, run("-j", qrels, "--scale", "0:2", "-k", "10")$out)
})

test_that("a user's scale named Share is distinguished from a scale with unknown levels", {
  own <- replace(gain_scale(0:2), "name", "Share")
  x <- test_collection(trec_runs(), scale = own)
  expect_output(print(x), "gains      Share: 0, 1, 2")
  graded <- data.frame(query = "q1", doc = c("d1", "d5"), grade = c(1, 3))
  expect_equal(rank_systems(x, grades = graded)$collection$scale, own)
  expect_equal(judging_session(x, seed = 1)$engine$x$scale, own)
})

test_that("integer gains far below the end of the scale give a warning, wherever judgments are read", {
  x <- simulate_collection(queries = 5, documents = 60, artists = 12, systems = 3, seed = 5)
  judged <- judgments_of(x)[1:20, ]
  of <- function(gain) replace(judged, "gain", list(rep_len(gain, 20)))
  expect_warning(rank_systems(x, judgments = of(0:5)), "from 0 to 5, but the scale is Fine",
                 class = "judicious_warning_scale")
  expect_warning(judging_session(x, judgments = of(0:10)), class = "judicious_warning_scale")
  for (gain in list(0, c(0, 50), c(0.5, 1))) expect_no_warning(rank_systems(x, judgments = of(gain)))
  expect_error(rank_systems(simulate_collection(queries = 5, documents = 60, artists = 12, systems = 3, seed = 5,
                                                scale = gain_scale(0:20)), judgments = of(1.5)),
               "rounded to the levels, or rescaled", class = "judicious_error_gain_outside_scale")
})

test_that("shares as judgments on a scale up to 100 give a warning", {
  runs <- expand.grid(doc = paste0("d", 1:5), query = paste0("q", 1:4), system = c("A", "B"), stringsAsFactors = FALSE)
  runs$rank <- rep(1:5, 8)
  judgments <- transform(runs[runs$system == "A", c("query", "doc")], gain = rep(c(0, 0.5, 1, 0.25), 5))
  expect_warning(x <- test_collection(runs, judgments = judgments, k = 5), "all from 0 to 1.*Multiply them by 100",
                 class = "judicious_warning_scale")
  expect_no_warning(test_collection(runs, judgments = judgments, k = 5, scale = c(0, 0.25, 0.5, 1)))
  expect_no_warning(test_collection(runs, judgments = transform(judgments, gain = 100 * gain), k = 5))
})

test_that("many judgments with a few whole numbers show the levels of the scale", {
  runs <- expand.grid(doc = paste0("d", 1:5), query = paste0("q", 1:8), system = c("A", "B"), stringsAsFactors = FALSE)
  runs$score <- rep(5:1, 16)
  judgments <- transform(runs[runs$system == "A", c("query", "doc")], gain = rep(c(0, 2, 4, 8, 16), 8))
  scale_of <- function(judgments) test_collection(runs, judgments = judgments, k = 5)$scale
  expect_identical(scale_of(judgments)$levels, c(0, 2, 4, 8, 16))
  expect_false(scale_of(judgments)$any_value)
  # Few judgments, many levels, and gains up to 100 are those of the Fine scale.
  others <- list(judgments[1:29, ], transform(judgments, gain = seq_along(gain)), transform(judgments, gain = 6 * gain))
  for (other in others) expect_identical(scale_of(other)$levels, as.numeric(0:100))
})
