# Properties that hold whatever the units of gains and weights, and the names and the order of systems, queries and
# documents.

invariance_data <- function() {
  x <- simulate_collection(queries = 6, documents = 60, systems = 5, seed = 4)
  runs <- as.data.frame(x)[c("system", "query", "doc")]
  judgments <- unique(runs[c("query", "doc")])[seq(1, 60, by = 3), ]
  judgments$gain <- with_seed(5, sample(0:2, nrow(judgments), replace = TRUE))
  list(runs = runs, judgments = judgments)
}

# The results of a ranking by the original names of systems and documents: mean confidence, estimates, and the documents
# to judge next with their scores. `name_back`: a function that translates changed names back.
stated <- function(data, scale = 0:2, weight = NULL, judged = TRUE, name_back = identity) {
  queries <- data.frame(query = unique(data$runs$query))
  queries$weight <- weight
  x <- test_collection(data$runs, k = 5, scale = scale, judgments = if (judged) data$judgments, queries = queries)
  ranking <- rank_systems(x)
  done <- judged && nrow(data$judgments) == nrow(unique(data$runs[c("query", "doc")]))
  next_pair <- if (!done) select_documents(x, n = 5, judgments = if (judged) data$judgments, seed = 1)
  list(confidence = as.numeric(ranking_confidence(ranking)),
       means = with(as.data.frame(ranking), tapply(estimate, name_back(system), c)),
       next_doc = name_back(next_pair$doc), next_query = name_back(next_pair$query), score = next_pair$score)
}

test_that("the unit and origin of gains do not affect the order, the confidence or the selection", {
  data <- invariance_data()
  for (judged in c(TRUE, FALSE)) {
    expected <- stated(data, judged = judged)
    for (unit in 10^c(-98, -30, -3, 3, 30, 98)) {
      other <- data
      other$judgments$gain <- other$judgments$gain * unit
      found <- stated(other, 0:2 * unit, judged = judged)
      expect_equal(found$confidence, expected$confidence, tolerance = 1e-8)
      expect_equal(found$means / unit, expected$means, tolerance = 1e-8)
      expect_identical(found$next_doc, expected$next_doc)
    }
    for (origin in c(-1e3, 1, 1e5)) {
      other <- data
      other$judgments$gain <- other$judgments$gain + origin
      found <- stated(other, 0:2 + origin, judged = judged)
      expect_equal(found$confidence, expected$confidence, tolerance = 1e-7)
      expect_equal(found$means - origin, expected$means, tolerance = 1e-7)
      expect_identical(found$next_doc, expected$next_doc)
    }
  }
})

test_that("any unit of gains within double precision gives the same confidence or raises an error", {
  data <- invariance_data()
  confidence <- function(unit) {
    scale <- tryCatch(gain_scale(0:2 * unit), judicious_error_argument = function(cnd) NULL)
    if (is.null(scale)) return(NULL)
    ranking <- rank_systems(test_collection(data$runs, k = 5, scale = scale), judgments = FALSE)
    compared <- as.data.frame(ranking_confidence(ranking))
    expect_true(all(is.finite(unlist(compared[vapply(compared, is.numeric, NA)]))))
    as.numeric(ranking_confidence(ranking))
  }
  expected <- confidence(1)
  exponents <- c(-323, seq(-308, 308, by = 14), 308.25)
  found <- lapply(10^exponents * 1.7, confidence)
  possible <- !vapply(found, is.null, NA)
  # All scales whose squares can be represented are accepted.
  expect_true(all(possible[abs(exponents) < 98]))
  for (one in found[possible]) expect_equal(one, expected, tolerance = 1e-8)
})

test_that("gains whose squares overflow or underflow raise an error that says what to do", {
  expect_snapshot(error = TRUE, {
    gain_scale(c(0, 1, 2) * 1e155)
    gain_scale(c(0, 1, 2) * 1e-165)
    gain_scale(c(0, 1, 2) + 1e9)
  })
})

test_that("the unit of query weights does not affect the results", {
  data <- invariance_data()
  expected <- stated(data, weight = 1:6)
  for (unit in 10^c(-300, -100, 100, 306)) expect_equal(stated(data, weight = unit * 1:6), expected, tolerance = 1e-8)
})

test_that("the order and names of systems, queries and documents do not affect the results", {
  data <- invariance_data()
  expected <- stated(data)
  permuted <- lapply(data, function(rows) rows[with_seed(6, sample(nrow(rows))), ])
  found <- stated(permuted)
  # Only the choice among documents of equal score depends on the order of rows.
  same <- c("confidence", "means", "next_query", "score")
  expect_equal(found[same], expected[same], tolerance = 1e-8)
  renamed <- lapply(data, function(rows) {
    rows[names(rows) != "gain"] <- lapply(rows[names(rows) != "gain"], function(name) paste0("z", name))
    rows
  })
  found <- stated(renamed, name_back = function(name) sub("^z", "", name))
  expect_equal(found, expected, tolerance = 1e-8)
})

# Repeats each query `times` times, with an equal part of its weight.
repeated <- function(rows, times) {
  do.call(rbind, lapply(seq_len(times), function(i) transform(rows, query = paste0(query, letters[i]))))
}

test_that("repeating every query at half its weight changes no mean, difference or order", {
  data <- invariance_data()
  data$judgments <- unique(data$runs[c("query", "doc")])
  data$judgments$gain <- with_seed(5, sample(0:2, nrow(data$judgments), replace = TRUE))
  weight <- c(1, 3, 1, 2, 1, 1)
  once <- stated(data, weight = weight)
  twice <- stated(lapply(data, repeated, 2), weight = rep(weight / 2, 2))
  expect_equal(twice[c("confidence", "means")], once[c("confidence", "means")])
  expect_identical(order(twice$means), order(once$means))
})

test_that("with independent gains, twice as many queries halve the variance of every difference", {
  runs <- invariance_data()$runs
  ranking <- function(runs, weight) {
    queries <- data.frame(query = unique(runs$query), weight = weight)
    x <- test_collection(runs, k = 5, scale = 0:2, queries = queries)
    rank_systems(x, uniform_gains(x))
  }
  weight <- c(1, 3, 1, 2, 1, 1)
  once <- ranking(runs, weight)
  twice <- ranking(repeated(runs, 2), rep(weight / 2, 2))
  expect_equal(twice$mean, once$mean)
  expect_equal(twice$difference_variance, once$difference_variance / 2)
})

test_that("repeating one query at half its weight changes no mean", {
  data <- invariance_data()
  twice <- lapply(data, function(rows) {
    copy <- rows[rows$query == rows$query[1], ]
    copy$query <- "copy"
    rbind(rows, copy)
  })
  queries <- unique(twice$runs$query)
  means <- function(data, weight) {
    x <- test_collection(data$runs, k = 5, scale = 0:2,
                         queries = data.frame(query = unique(data$runs$query), weight = weight))
    evaluate(x, data$judgments, measure = "AG@5", per = "mean")$value
  }
  weight <- ifelse(queries %in% c(queries[1], "copy"), 0.5, 1)
  expect_equal(means(twice, weight), means(data, rep(1, 6)))
})

test_that("columns whose names only begin like those of the package have no effect anywhere", {
  runs <- expand.grid(rank = 1:4, query = paste0("q", 1:6), system = c("a", "b", "c"), stringsAsFactors = FALSE)
  runs$doc <- with_seed(41, as.vector(replicate(18, sample(paste0("d", 1:9), 4))))
  pool <- unique(runs[c("query", "doc")])
  pool$gain <- rep_len(c(0, 2, 1, 0, 1), nrow(pool))
  grades <- data.frame(pool[c("query", "doc")], grade = rev(pool$gain))
  more <- function(d) {
    names <- paste0(c("genre", "artist", "album", "text", "weight", "stratum", "assessor", "grader", "final", "vital",
                      "score", "seconds", "title", "probability", "repeat", "status", "iteration", "comment", "time",
                      "query", "cost", "rowid"), "s_of")
    d[names] <- rep_len(c("x", "y", "z"), nrow(d))
    d
  }
  answers <- function(with) {
    documents <- with(data.frame(doc = paste0("d", 1:9)))
    x <- test_collection(with(runs), documents, with(data.frame(system = c("a", "b", "c"), team = 1:3)),
                         with(data.frame(query = paste0("q", 1:6))), k = 4, scale = 0:2, grades = with(grades))
    s <- judging_session(x, goal_budget(12), judgments = with(pool[1:8, ]), seed = 1)
    judge(s, pool$query[10], pool$doc[10], 1)
    votes <- data.frame(query = "q", doc_a = c("d", "e", "d"), doc_b = c("e", "f", "f"), worker = 1:3, answer = "a",
                        iteration = 1)
    list(as.data.frame(rank_systems(x)), as.data.frame(rank_systems(s)), judgments_of(s)$assessor,
         as.data.frame(evaluate(with(runs), with(pool), measure = "AP")), worker_quality(with(votes)),
         batch_summary(with(votes)), predict(pom(rank ~ doc, with(runs)), with(runs), type = "prob"),
         judgments_of(run_session(s, function(query, doc) with(data.frame(gain = rep(1, length(doc))))))$gain,
         item_name(list(documents = documents, ids = TRUE), "q1", "d1"), is_weighted(x))
  }
  # The option is not set at first, and R keeps warning when it is removed; so that later tests are quiet, it becomes FALSE
  # before.
  withr::local_options(warnPartialMatchDollar = FALSE)
  withr::local_options(warnPartialMatchDollar = TRUE)
  expect_silent(found <- suppressMessages(answers(more)))
  expect_equal(found, suppressMessages(answers(identity)))
})
