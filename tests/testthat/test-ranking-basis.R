# A small simulated collection with part of its judgments.
partly_judged <- function() {
  x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 1)
  full <- judgments_of(x)
  x$gain[-seq(1, length(x$gain), by = 5)] <- NA
  list(x = x, full = full)
}

same_ranking <- function(a, b) {
  expect_equal(a$mean, b$mean)
  expect_equal(a$covariance, b$covariance)
  expect_equal(a$judged, b$judged)
}

test_that("by default, rankings use joint gains estimated from the collection's judgments", {
  case <- partly_judged()
  x <- case$x
  same_ranking(rank_systems(x), rank_systems(x, joint_gains(x, gain_prior())))
  expect_equal(rank_systems(x)$judged, sum(!is.na(x$gain)))

  unjudged <- x
  unjudged$gain[] <- NA
  same_ranking(rank_systems(x, judgments = FALSE), rank_systems(unjudged))
  same_ranking(rank_systems(unjudged, judgments = judgments_of(x)), rank_systems(x))

  prior <- gain_prior(mean = 0.5)
  same_ranking(rank_systems(x, prior), rank_systems(x, joint_gains(x, prior)))
  same_ranking(rank_systems(x, prior, judgments = FALSE), rank_systems(unjudged, joint_gains(unjudged, prior)))

  grades <- seq_along(x$gain) %% 7
  same_ranking(rank_systems(x, grades = grades), rank_systems(x, joint_gains(x, gain_prior(), grades = grades)))
})

test_that("`past` accepts past collections or a gain model fitted to them", {
  case <- partly_judged()
  past <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 2)
  model <- gain_model(past = past)
  want <- rank_systems(case$x, joint_gains(case$x, model))
  same_ranking(rank_systems(case$x, past = past), want)
  same_ranking(rank_systems(case$x, past = list(past)), want)
  same_ranking(rank_systems(case$x, past = model), want)
  same_ranking(rank_systems(case$x, model), want)
})

test_that("joint gains use a linear measure directly, and draws for other measures", {
  case <- partly_judged()
  gains <- joint_gains(case$x, gain_prior(), measure = "P(rel=50)@3")
  same_ranking(rank_systems(case$x, measure = "P(rel=50)@3"), rank_systems(case$x, gains))
  geometric <- rank_systems(case$x, measure = "gm_map", seed = 1, draws = 50)
  same_ranking(geometric, rank_systems(case$x, joint_gains(case$x, gain_prior()), measure = "gm_map", seed = 1,
                                       draws = 50))
})

test_that("the published method is available by name, and a regression model gives independent gains", {
  case <- partly_judged()
  x <- case$x
  x$gain[] <- NA
  output <- mirex_model("output", "fine")
  by_model <- gain_distribution(output, output_features(x))
  same_ranking(rank_systems(x, "published"), rank_systems(x, by_model))
  same_ranking(rank_systems(x, output), rank_systems(x, by_model))
  # With judgments, the published method equals mtc() after an update of the model; here both use the same judgments.
  judge <- mirex_model("judge", "fine")
  known <- judgments_of(case$x)
  session <- mtc(x, known, output, judge, stop = "never", update_every = nrow(known)) |>
    suppressWarnings(classes = "judicious_warning_incomplete_judgments")
  same_ranking(rank_systems(case$x, "published"), rank_systems(session))
  same_ranking(rank_systems(x, "published", judgments = known), rank_systems(session))
  # There are no published models for other scales.
  graded <- simulate_collection(queries = 4, documents = 60, genres = 0, artists = 0, teams = 2, systems = 3,
                                scale = 0:3, seed = 1)
  same_ranking(rank_systems(graded, "published", judgments = FALSE), rank_systems(graded, uniform_gains(graded)))
})

test_that("print() states the judgments and the model behind a ranking", {
  case <- partly_judged()
  past <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 2)
  expect_snapshot({
    print(rank_systems(case$x), n = 1)
    print(rank_systems(case$x, past = list(past, past), grades = seq_along(case$x$gain)), n = 1)
    print(rank_systems(case$x, gain_prior(mean = 0.5), judgments = FALSE), n = 1)
    print(rank_systems(case$x, "published"), n = 1)
    print(rank_systems(case$x, judgments = case$full), n = 1)
    summary(rank_systems(case$x))
  })
})

test_that("a ranking with grades uses the built-in prior unless another is given", {
  case <- partly_judged()
  grades <- list(case$full[c("query", "doc", "gain")])
  grades[[1]]$gain <- as.numeric(grades[[1]]$gain > 50)
  note <- function(...) rank_systems(case$x, ..., judgments = FALSE)$basis$note[1]
  built_in <- "Joint gains from the built-in prior and grades"
  expect_identical(note(grades = grades), built_in)
  expect_identical(note(grades = grades[c(1, 1)]), built_in)
  expect_identical(note(gain_prior(mean = 0.5), grades = grades), "Joint gains from your prior and grades")
})

test_that("a ranking with grades also states its confidence without them", {
  case <- partly_judged()
  grades <- case$full[c("query", "doc", "gain")]
  said <- function(ranking, print = base::print) {
    sub(";.*", "", grep("Without the grades", capture.output(print(ranking)), value = TRUE))
  }
  line <- function(confidence) sprintf("Without the grades: confidence %.3f", confidence)
  for (measure in list(NULL, "AP(rel=50)@5")) {
    for (assessor in if (is.null(measure)) c("these", "another") else "these") {
      rank <- function(...) rank_systems(case$x, ..., measure = measure, assessor = assessor, seed = 1)
      ranking <- rank(grades = grades)
      without <- ranking_confidence(rank())
      expect_gt(abs(without - ranking_confidence(ranking)), 0.005)
      expect_identical(said(ranking), line(without))
      expect_identical(said(ranking, summary), line(without))
      expect_match(ranking_report(ranking, NULL, NULL)$answer, all = FALSE, fixed = TRUE,
                   sprintf("Without the grades, the confidence would be %.3f", without))
    }
  }
  expect_identical(said(rank_systems(case$x, grades = grades, scope = "new")),
                   line(ranking_confidence(rank_systems(case$x, scope = "new"))))
  expect_identical(said(rank_systems(case$x)), character())
  case$x$queries$half <- rep(c("a", "b"), 4)
  halves <- rank_systems(case$x, grades = grades, by = "half")
  expect_identical(said(halves$b), line(ranking_confidence(rank_systems(case$x, by = "half")$b)))
  # The worth of the judgments with grades: the number of judgments without grades that gives the same mean variance,
  # averaged over orders of judging.
  ranking <- rank_systems(case$x, grades = grades)
  worth <- ranking_without_grades(ranking)$worth
  expect_match(capture.output(print(ranking)), fixed = TRUE, all = FALSE,
               sprintf("; %d judged documents with them are worth about %d without", ranking$judged, worth))
  spread <- function(made) mean(made$difference_variance[upper.tri(made$difference_variance)])
  more <- vapply(1:4, function(seed) {
    open <- which(is.na(case$x$gain))
    chosen <- withr::with_seed(seed, sample(open, worth - ranking$judged))
    further <- cbind(pool_ids(case$x), gain = assign_judgments(case$x, case$full)$gain)[chosen, ]
    spread(rank_systems(case$x, judgments = rbind(judgments_of(case$x), further)))
  }, 0)
  expect_lt(abs(log(mean(more) / spread(ranking))), log(1.5))
  # If everything is judged, grades have no effect.
  expect_identical(said(rank_systems(case$x, grades = grades, judgments = case$full)), character())

  s <- judging_session(case$x, grades = grades, goal = goal_budget(2), seed = 1)
  plain <- joint_gains(s$engine$x, grades = FALSE, judgments = judgments_of(s))
  expect_identical(said(rank_systems(s)), line(ranking_confidence(rank_systems(s$engine$x, plain))))
})

test_that("the confidence without grades is computed once per ranking", {
  case <- partly_judged()
  ranking <- rank_systems(case$x, grades = case$full[c("query", "doc", "gain")])
  fits <- 0
  real <- fit_to_gains
  on.exit(assignInNamespace("fit_to_gains", real, "judicious"))
  assignInNamespace("fit_to_gains", function(...) {
    fits <<- fits + 1
    real(...)
  }, "judicious")
  first <- capture.output(print(ranking))
  expect_identical(fits, 1)
  expect_identical(capture.output(print(ranking)), first)
  copy <- ranking
  summary(copy)
  ranking_report(copy, NULL, NULL)
  expect_identical(fits, 1)
})

test_that("collection, ranking and report state the number of judgments outside the pool", {
  case <- partly_judged()
  runs <- as.data.frame(case$x)[c("system", "query", "doc", "rank")]
  more <- data.frame(query = runs$query[1], doc = c("none", "nothing"), gain = 50)
  build <- function(judgments) {
    test_collection(runs, judgments = judgments) |> suppressWarnings(classes = "judicious_warning_outside_pool")
  }
  x <- build(rbind(case$full[1:8, ], more))
  expect_output(print(x), "2 judgments outside the pool, in 1 of [0-9]+ queries, count in ideal lists")
  expect_identical(summary(x)$outside, 2L)
  ranking <- rank_systems(x, measure = "nDCG@5", draws = 20, seed = 1)
  text <- paste("2 judgments outside the pool, in 1 of", n_queries(x), "queries, count in ideal lists and numbers of")
  expect_output(print(ranking), text)
  expect_true(any(startsWith(ranking_report(ranking, NULL, NULL)$answer, text)))
  bare <- rank_systems(x, judgments = FALSE, measure = "nDCG@5", draws = 20, seed = 1)
  expect_false(any(grepl("outside", capture.output(print(bare), print(rank_systems(x))))))
  one <- build(rbind(case$full[1:8, ], more[1, ]))
  expect_output(print(one), "1 judgment outside the pool, in 1 of [0-9]+ queries, counts in ideal lists")
  all <- build(case$full[1:8, ])
  expect_identical(summary(all)$outside, 0L)
  expect_false(any(grepl("outside", capture.output(print(all), print(rank_systems(all))))))
})

test_that("a ranking by a binary measure of graded gains states which gains count as relevant", {
  runs <- data.frame(system = rep(c("A", "B"), each = 4), query = rep(c("q1", "q2"), 4), doc = paste0("d", c(1:4, 3:6)),
                     rank = rep(1:2, each = 2, times = 2))
  judgments <- data.frame(query = c("q1", "q2"), doc = c("d1", "d2"), gain = c(2, 0))
  rank <- function(measure, scale) {
    rank_systems(test_collection(runs, judgments = judgments, k = 2, scale = scale), measure = measure)
  }
  text <- "Relevant: gains of 1 or more (\"RR(rel=2)\": of 2 or more)"
  graded <- rank("RR", 0:2)
  expect_output(print(graded), text, fixed = TRUE)
  expect_match(ranking_report(graded, NULL, NULL)$question$value, text, fixed = TRUE, all = FALSE)
  for (none in list(rank("RR(rel=2)", 0:2), rank("nDCG@2", 0:2), rank("AG@2", 0:2), rank("RR", c(0, 2)))) {
    expect_false(any(grepl("Relevant:", capture.output(print(none)))))
  }
})

test_that("arguments that exclude each other raise an error", {
  case <- partly_judged()
  gains <- joint_gains(case$x, gain_prior())
  expect_snapshot(error = TRUE, {
    rank_systems(case$x, gains, past = case$x)
    rank_systems(case$x, gain_prior(), past = case$x)
    rank_systems(case$x, "published", grades = 1)
    rank_systems(case$x, "publised")
    rank_systems(case$x, "published", scope = "new")
    rank_systems(case$x, gradse = 1)
  })
})

test_that("head() of a ranking is a table with the best system first", {
  case <- partly_judged()
  ranking <- rank_systems(case$x)
  best <- head(ranking, 2)
  expect_s3_class(best, "data.frame")
  expect_identical(best$rank, 1:2)
  expect_identical(best$system, names(sort(ranking$mean, decreasing = TRUE))[1:2])
  expect_identical(nrow(head(ranking, Inf)), 4L)
})

test_that("a fully judged pool leaves no uncertainty, except about new queries", {
  x <- simulate_collection(queries = 6, documents = 120, artists = 20, teams = 3, systems = 4, seed = 1)
  expect_identical(unname(rank_systems(x)$covariance), matrix(0, 4, 4))
  expect_gt(min(diag(rank_systems(x, joint_gains(x, gain_prior()), scope = "new")$covariance)), 0)
})

test_that("the ranking of a fully judged pool or stratum has the means of evaluate()", {
  x <- simulate_collection(queries = 6, documents = 120, artists = 20, teams = 3, systems = 4, seed = 1)
  x$queries$half <- rep(c("a", "b"), 3)
  scores <- evaluate(x, measure = "AG@5")
  of_half <- function(half) {
    rows <- scores$query %in% x$queries$query[x$queries$half %in% half]
    c(tapply(scores$value[rows], scores$system[rows], mean)[x$systems$system])
  }
  expect_equal(rank_systems(x)$mean, of_half(c("a", "b")))
  expect_equal(rank_systems(x, by = "half")$b$mean, of_half("b"))
  # Only the queries of a stratum need to be judged.
  x$gain[x$pool$query %in% which(x$queries$half == "a")] <- NA
  b <- rank_systems(x, by = "half")$b
  expect_equal(b$mean, of_half("b"))
  expect_identical(unname(b$covariance), matrix(0, 4, 4))
  expect_snapshot({
    print(rank_systems(x, scope = "new"), n = 1)
    print(b, n = 1)
    summary(b)
  })
})
