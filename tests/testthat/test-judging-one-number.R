# A session states the same confidence everywhere: print, progress, page, lead's view, report, ranking and command line.

# The bundled collection, extended by a system with the same lists as another one.
with_twin <- function() {
  runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
  twin <- runs[runs$system == runs$system[1], ]
  twin$system <- "twin"
  test_collection(rbind(runs, twin), text_demo$documents, k = 10, scale = 0:3)
}

x <- with_twin()
gains <- judgments_of(text_demo)

# Judges `n` documents by assessors who take turns.
judged_in_turns <- function(s, n, who = c("ann", "bob", "cy")) {
  for (i in seq_len(n)) {
    assessor <- who[(i - 1) %% length(who) + 1]
    d <- next_documents(s, 1, assessor)
    gain <- gains$gain[match(paste(d$query, d$doc), paste(gains$query, gains$doc))]
    # Some judgments differ from the truth.
    judge(s, d$query, d$doc, if (i %% 7 == 0) min(gain + 1, 3) else gain, assessor)
  }
  s
}

expect_one_number <- function(s, store) {
  # Without the expected number of judgments, which takes longer than all the rest and is no confidence.
  now <- progress(s, expect = FALSE)
  sure <- now$confidence
  said <- function(digits) sprintf("%.*f", digits, sure)
  expect_identical(now$goal$value, sure)
  ranking <- rank_systems(s)
  expect_equal(ranking_confidence(ranking), sure, tolerance = 1e-13)
  expect_equal(ranking_confidence(s), sure, tolerance = 1e-13)
  pairs <- system_differences(s)
  expect_equal(mean(pairs$confidence[can_be_ordered(pairs)]), sure, tolerance = 1e-13)
  expect_identical(sum(!can_be_ordered(pairs)), 1L)
  printed <- function(object) utils::capture.output(print(object))
  expect_match(printed(s), paste("confidence", said(4), "in the ranking"), fixed = TRUE, all = FALSE)
  expect_match(printed(now), paste0("confidence +", said(4)), all = FALSE)
  expect_match(printed(ranking)[1], paste("confidence", said(3)), fixed = TRUE)
  expect_match(printed(summary(ranking))[1], paste("confidence", said(3)), fixed = TRUE)
  expect_equal(glance(s)$confidence, sure, tolerance = 1e-13)
  expect_identical(s$engine$trace$columns$confidence[s$engine$trace$n], sure)
  # The figures of the page and of the lead's view.
  figures <- save_figures(s, function() NA)
  percentage <- percent(sure, 1)
  expect_match(html(gains_panel(figures, "ann")), percentage, fixed = TRUE)
  expect_match(html(gains_tiles(figures)), percentage, fixed = TRUE)
  expect_match(pairs_in_words(ranking), paste("on average", percentage), fixed = TRUE)
  # The report.
  r <- ranking_report(ranking, s, quote(report(s)))
  expect_match(r$answer, sprintf("The confidence in the ranking is **%s**", said(3)), fixed = TRUE, all = FALSE)
  expect_match(r$answer, "300 pairs|299 pairs of systems that judgments can order", all = FALSE)
  expect_match(r$judging, paste(if (s$engine$trace$n > 1) "and is" else "the confidence is", said(3)), fixed = TRUE,
               all = FALSE)
}

expect_shell_agrees <- function(s, store) {
  sure <- progress(s, expect = FALSE)$confidence
  expect_equal(cli_data("judge", "--store", store, "--progress")[c("value", "confidence")],
               data.frame(value = sure, confidence = sure), tolerance = 1e-13)
  expect_equal(cli_data("rank", "--store", store, "--table", "summary")$confidence, sure, tolerance = 1e-13)
  told <- paste(cli("rank", "--store", store)$err, collapse = " ")
  expect_match(told, sprintf("confidence %.3f", sure), fixed = TRUE)
}

test_that("the page, the lead's view, print, report and command line show the same confidence", {
  skip_if_not_installed("shiny")
  cases <- data.frame(measure = c("AG@10", "nDCG@10", "AP@10", "P@10", "AG@10", "DCG@10"),
                      assessor = c("these", "these", "these", "these", "consensus", "ann"))
  for (i in seq_len(nrow(cases))) {
    store <- session_file()
    s <- judging_session(x, goal_mean(0.99), measure = cases$measure[i], assessor = cases$assessor[i], overlap = 0.3,
                         store = store, seed = i, judgments = FALSE)
    # Compares after 0 judgments, 20 more (just after an estimation of coefficients) and 7 more (between two
    # estimations). The estimates of assessor ann need a judgment by ann, so that session starts with one.
    for (n in c(if (cases$assessor[i] == "ann") 1 else 0, 20, 7)) expect_one_number(judged_in_turns(s, n), store)
    expect_shell_agrees(s, store)
    close_session(s)
  }
})

test_that("printing a session's ranking twice gives the same lines", {
  for (measure in c("nDCG@10", "AP@10", "ERR@10", "RR@10", "AG@10")) {
    s <- judged_in_turns(judging_session(x, goal_mean(0.99), measure = measure, seed = 3, judgments = FALSE), 27)
    lines <- replicate(4, {
      stats::runif(1)
      utils::capture.output(print(rank_systems(s)))
    })
    for (i in 2:4) expect_identical(lines[, i], lines[, 1])
    answers <- replicate(2, ranking_report(rank_systems(s), s, NULL)$answer)
    expect_identical(answers[, 2], answers[, 1])
    parts <- c("mean", "covariance", "draws")
    expect_identical(rank_systems(s)[parts], rank_systems(s, seed = s$engine$seed)[parts])
    # A different seed or number of draws gives different draws.
    if (!is_sum(s$engine$x)) {
      expect_false(identical(rank_systems(s)$mean, rank_systems(s, seed = 1e6)$mean))
      expect_identical(ncol(rank_systems(s, draws = 50)$draws), 50L)
    }
  }
})

test_that("if every pair is judged, a session has the values of evaluate()", {
  small <- simulate_collection(queries = 3, documents = 30, artists = 10, systems = 3, seed = 2)
  small <- test_collection(as.data.frame(small)[c("system", "query", "doc", "rank")], k = small$k,
                           scale = 0:3, judgments = transform(judgments_of(small), gain = gain %/% 34))
  for (measure in c("nDCG@5", "AP@5", "RR@5", "ERR@5", "AG@5")) {
    s <- judging_session(small, goal_budget(1000), measure = measure, seed = 1, judgments = FALSE, audit = 0)
    run_session(s, progress = FALSE)
    p <- progress(s)
    expect_identical(p$open, 0L)
    expect_equal(p$confidence, ranking_confidence(rank_systems(s)), tolerance = 1e-13)
    expect_equal(unname(s$engine$ranking$mean), unname(rank_systems(s)$mean), tolerance = 1e-12)
    scores <- evaluate(small, measure = measure, per = "mean")
    expect_equal(unname(rank_systems(s)$mean[scores$system]), scores$value, tolerance = 1e-12)
  }
})

test_that("identical systems do not count in the confidence", {
  one <- rank_systems(text_demo, judgments = gains[1:40, ])
  runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
  for (copies in 1:3) {
    twins <- do.call(rbind, lapply(seq_len(copies), function(i) transform(runs[runs$system == runs$system[1], ],
                                                                          system = paste0("twin", i))))
    more <- test_collection(rbind(runs, twins), text_demo$documents, k = 10, scale = 0:3)
    ranking <- rank_systems(more, judgments = gains[1:40, ])
    d <- system_differences(ranking)
    expect_equal(ranking_confidence(ranking), mean(d$confidence[d$sd > 0]))
    expect_equal(goal_mean(0.9)$progress(ranking)$value, ranking_confidence(ranking))
    expect_equal(sum(d$sd == 0), choose(copies + 1, 2))
  }
  # If all systems are identical, the confidence is one half; a single system has none.
  alone <- test_collection(rbind(runs[runs$system == runs$system[1], ], twins), k = 10, scale = 0:3)
  expect_identical(ranking_confidence(rank_systems(alone, judgments = FALSE)), 0.5)
  single <- test_collection(runs[runs$system == runs$system[1], ], k = 10, scale = 0:3)
  expect_identical(ranking_confidence(rank_systems(single, judgments = FALSE)), NA_real_)
})

test_that("a ranking and a session with the same judgments state the same estimates", {
  set.seed(1)
  x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
  known <- judgments_of(x)
  expect_same <- function(judgments, ...) {
    s <- judging_session(x, judgments = judgments, seed = 1, ...)
    of_session <- rank_systems(s)
    ranking <- rank_systems(x, judgments = judgments, ...)
    expect_equal(of_session$mean, ranking$mean, tolerance = 1e-12)
    expect_equal(of_session$covariance, ranking$covariance, tolerance = 1e-12)
    expect_equal(progress(s)$confidence, ranking_confidence(ranking), tolerance = 1e-12)
    expect_true(all(is.na(judgments_of(s)$audit)))
    invisible(s)
  }
  for (n in c(1, 20, 120)) expect_same(known[sample(nrow(known), n), ])
  some <- known[sample(nrow(known), 60), ]
  for (measure in c("AP", "nDCG", "RR")) expect_same(some, measure = measure)
  of_three <- transform(some, assessor = rep_len(c("ann", "bob", "cid"), 60))
  again <- transform(some[1:20, ], assessor = "dan", gain = 100 - gain)
  expect_same(rbind(of_three, again))
  expect_same(rbind(of_three, again), assessor = "consensus")
  # Judgments that contradict the prior.
  lists <- as.data.frame(x)
  of_first <- lists[lists$system == lists$system[1], ]
  surprising <- known[sample(nrow(known), 100), ]
  surprising$gain <- 100 * (paste(surprising$query, surprising$doc) %in% paste(of_first$query, of_first$doc))
  s <- expect_same(surprising)
  # Calibration uses only judgments of documents that the session selected.
  expect_identical(suppressMessages(calibration(s))$n, c(0L, 0L, 0L))
  for (i in 1:15) {
    ask <- next_documents(s)
    judge(s, ask$query, ask$doc, known$gain[match(paste(ask$query, ask$doc), paste(known$query, known$doc))])
  }
  expect_identical(sum(calibration(s)$n[1:2]), 15L)
})

# Of three systems, A and B truly tie.
test_that("systems that tie once all their documents are judged are no uncertain pair, and a goal is met", {
  docs <- expand.grid(system = c("A", "B", "C"), query = paste0("q", 1:20), stringsAsFactors = FALSE)
  docs <- transform(docs, doc = paste0(system, query), rank = 1, gain = c(rbind(rep(0:1, 10), rep(1:0, 10), 0)))
  x <- test_collection(docs[c("system", "query", "doc", "rank")], k = 1, scale = 0:1)
  tie <- matrix(0, 3, 3, dimnames = list(c("A", "B", "C"), c("A", "B", "C")))
  for (measure in c("AG", "DCG@1")) for (every in c(20, Inf)) {
    s <- judging_session(x, goal_mean(0.99999) & goal_budget(60), judgments = FALSE, measure = measure,
                         update_every = every, seed = 1)
    run_session(s, docs[c("query", "doc", "gain")], progress = FALSE)
    expect_identical(s$engine$ranking$difference_variance, tie)
    expect_identical(progress(s)$confidence, 1)
    expect_true(progress(s)$goal$met)
  }
  # C is not judged yet.
  known <- docs[docs$system != "C", c("query", "doc", "gain")]
  ranking <- rank_systems(x, judgments = known)
  expect_identical(ranking$covariance["A", ], c(A = 0, B = 0, C = 0))
  pairs <- compare_pairs(ranking)
  expect_equal(ranking_confidence(ranking), mean(pairs$confidence[-1]))
})
