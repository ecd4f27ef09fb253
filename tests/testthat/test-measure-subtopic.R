# Measures of judgments by subtopic, compared with a plain implementation of ndeval's procedure; and measures of
# nuggets.

subtopic_case <- function(seed) with_seed(seed, {
  docs <- paste0("d", sample(10:40, sample(5:15, 1)))
  judged <- expand.grid(query = "q", subtopic = c("s1", "s2", "s3", "x")[seq_len(sample(1:4, 1))], doc = docs,
                        stringsAsFactors = FALSE)
  judged <- judged[stats::runif(nrow(judged)) < .6, ]
  judged$gain <- sample(0:2, nrow(judged), TRUE)
  judged$gain[1] <- 1
  run <- sample(c(docs, paste0("u", 1:8)))
  list(judged = judged, run = data.frame(system = "A", query = "q", doc = run, rank = seq_along(run)))
})

naive_diversity <- function(case, k = 20, alpha = .5, beta = .5) {
  judged <- case$judged
  of <- function(doc) unique(judged$subtopic[judged$doc == doc & judged$gain >= 1])
  relevant <- lapply(case$run$doc, of)
  n <- length(unique(judged$subtopic[judged$gain >= 1]))
  gains <- function(lists) {
    seen <- character()
    vapply(lists, function(own) {
      value <- sum((1 - alpha)^vapply(own, function(s) sum(seen == s), 0))
      seen <<- c(seen, own)
      value
    }, 0)
  }
  left <- lapply(sort(unique(judged$doc[judged$gain >= 1]), method = "radix"), of)
  ideal <- list()
  while (length(left)) {
    value <- vapply(left, function(one) utils::tail(gains(c(ideal, list(one))), 1), 0)
    best <- max(which(value == max(value)))
    ideal <- c(ideal, left[best])
    left <- left[-best]
  }
  to_k <- function(x) c(x, numeric(k))[seq_len(k)]
  gain <- gains(relevant)
  best <- gains(ideal)
  full <- n * (1 - alpha)^(seq_len(k) - 1)
  log_discount <- 1 / log2(seq_len(k) + 1)
  by_rank <- 1 / seq_len(k)
  power <- function(x) beta^(seq_along(x) - 1)
  subtopics <- unique(judged$subtopic[judged$gain >= 1])
  ap <- vapply(subtopics, function(s) {
    hit <- vapply(relevant, function(own) s %in% own, NA)
    sum(cumsum(hit) / seq_along(hit) * hit) / length(unique(judged$doc[judged$subtopic == s & judged$gain >= 1]))
  }, 0)
  c(alpha_DCG = sum(to_k(gain) * log_discount) / sum(full * log_discount),
    alpha_nDCG = sum(to_k(gain) * log_discount) / sum(to_k(best) * log_discount),
    ERR_IA = sum(to_k(gain) * by_rank) / sum(full * by_rank),
    nERR_IA = sum(to_k(gain) * by_rank) / sum(to_k(best) * by_rank),
    NRBP = sum(gain * power(gain)) * (1 - (1 - alpha) * beta) / n,
    nNRBP = sum(gain * power(gain)) / sum(best * power(best)),
    AP_IA = mean(ap), P_IA = sum(lengths(utils::head(relevant, k))) / (k * n),
    StRecall = length(unique(unlist(utils::head(relevant, k)))) / n)
}

test_that("an example gives the values that the Python interface of ndeval prints", {
  # Values from the tests of pyndeval, which runs ndeval's C code; its MAP-IA is AP_IA, and its strec is StRecall. No
  # numeric examples in papers, nor of TREC RAG's nugget measures, were available; these are tested by their formulas.
  judged <- data.frame(query = "0", subtopic = c("a", "b", "b", "c"), doc = c("A", "B", "D", "C"), gain = 1)
  run <- data.frame(system = "S", query = "0", doc = c("A", "D", "E", "B"), score = c(9.3, 8.4, 8.1, 7.6))
  printed <- c("ERR_IA@5" = .3933, "ERR_IA@10" = .3907, "ERR_IA@20" = .3907, "nERR_IA@5" = .8297, "nERR_IA@20" = .8297,
               "alpha_DCG@5" = .4052, "alpha_DCG@10" = .3998, "alpha_DCG@20" = .3997, "alpha_nDCG@5" = .7868,
               "alpha_nDCG@20" = .7868, NRBP = .3906, nNRBP = .8620, AP_IA = .5, "P_IA@5" = .2, "P_IA@10" = .1,
               "P_IA@20" = .05, "StRecall@5" = .6666, "StRecall@20" = .6666)
  expect_lt(max(abs(evaluate(run, judged, names(printed))$value - printed)), 1e-4)
})

at_cutoff <- function(k) {
  names <- c("alpha_DCG", "alpha_nDCG", "ERR_IA", "nERR_IA", "NRBP", "nNRBP", "AP_IA", "P_IA", "StRecall")
  paste0(names, ifelse(names %in% c("NRBP", "nNRBP", "AP_IA"), "", paste0("@", k)))
}

test_that("diversity measures agree with a plain implementation of ndeval's procedure", {
  for (seed in 1:60) {
    case <- subtopic_case(seed)
    for (k in c(5, 20)) {
      value <- evaluate(case$run, case$judged, at_cutoff(k))$value
      expect_equal(value, unname(naive_diversity(case, k)), tolerance = 1e-12, info = paste(seed, k))
    }
    value <- evaluate(case$run, case$judged, c("alpha_nDCG(alpha=0.2)@5", "NRBP(alpha=0.2,beta=0.8)"))$value
    expect_equal(value, unname(naive_diversity(case, 5, .2, .8)[c("alpha_nDCG", "NRBP")]), tolerance = 1e-12)
  }
})

test_that("judgments by subtopic give the same values from files as from data frames, for several queries", {
  cases <- lapply(1:4, function(i) {
    case <- subtopic_case(100 + i)
    case$judged$query <- case$run$query <- paste0("q", i)
    case
  })
  judged <- do.call(rbind, lapply(cases, `[[`, "judged"))
  run <- do.call(rbind, lapply(cases, `[[`, "run"))
  run$score <- -run$rank
  expected <- unlist(lapply(cases, function(case) naive_diversity(case, 10)))
  judged <- judged[with_seed(1, sample(nrow(judged))), ]
  in_order <- function(scores) scores$value[order(scores$query)]
  expect_equal(in_order(evaluate(run, judged, at_cutoff(10))), unname(expected))
  qrels <- bytes_file(do.call(sprintf, c("%s %s %s %d\n", judged[c("query", "subtopic", "doc", "gain")])))
  path <- bytes_file(sprintf("%s Q0 %s %d %d A\n", run$query, run$doc, run$rank, run$score))
  expect_equal(in_order(evaluate(path, qrels, at_cutoff(10))), unname(expected))
  # Other measures use the highest gain of a document.
  highest <- stats::aggregate(gain ~ query + doc, judged, max)
  both <- evaluate(path, qrels, c("nDCG", "alpha_nDCG@10", "AP"))
  expect_equal(in_order(both[both$measure != "alpha_nDCG@10", ]), in_order(evaluate(path, highest, c("nDCG", "AP"))))
})

test_that("errors of subtopic measures state which judgments are needed", {
  run <- data.frame(system = c("A", "B"), query = "q", doc = c("a", "b"), rank = 1)
  judged <- data.frame(query = "q", doc = "a", gain = 1)
  x <- suppressWarnings(test_collection(run, judgments = judged, k = 1, scale = 0:1))
  expect_snapshot(error = TRUE, {
    evaluate(run, judged, "alpha_nDCG@10")
    rank_systems(x, measure = "alpha_nDCG@1")
    rank_systems(x, measure = "ERR_IA@1")
    evaluate(run, cbind(rbind(judged, judged), subtopic = "s"), "ERR_IA@2")
    evaluate(run, cbind(judged, subtopic = "s"), "P_IA@2", unjudged = "bounds")
  })
})

test_that("a collection with one query per subtopic ranks systems by means over subtopics", {
  cases <- lapply(1:3, function(i) {
    case <- subtopic_case(200 + i)
    docs <- unique(c(case$judged$doc, case$run$doc))
    subtopics <- unique(case$judged$subtopic[case$judged$gain >= 1])
    case$judged <- merge(expand.grid(query = paste0("q", i), subtopic = subtopics, doc = docs), case$judged[-1],
                         all.x = TRUE)
    case$judged$gain <- as.numeric(case$judged$gain %in% 1:2)
    case$runs <- do.call(rbind, lapply(c("A", "B", "C"), function(system) {
      data.frame(system = system, query = paste0("q", i), doc = with_seed(i + utf8ToInt(system), sample(docs)),
                 rank = seq_along(docs))
    }))
    case
  })
  judged <- do.call(rbind, lapply(cases, `[[`, "judged"))
  runs <- do.call(rbind, lapply(cases, `[[`, "runs"))
  subtopics <- unique(judged[c("query", "subtopic")])
  by_subtopic <- merge(runs, subtopics)
  by_subtopic$query <- paste(by_subtopic$query, by_subtopic$subtopic)
  queries <- data.frame(query = paste(subtopics$query, subtopics$subtopic),
                        weight = 1 / as.vector(table(subtopics$query)[subtopics$query]))
  gains <- data.frame(query = paste(judged$query, judged$subtopic), judged[c("doc", "gain")])
  # The lists have different lengths.
  x <- suppressWarnings(test_collection(by_subtopic[names(runs)], queries = queries, judgments = gains, scale = 0:1,
                                        k = max(by_subtopic$rank)))
  expected <- evaluate(runs, judged, c("P_IA@5", "AP_IA", "StRecall@5", "ERR_IA@5"), per = "mean")
  ranked <- function(measure) {
    ranking <- as.data.frame(rank_systems(x, measure = measure, draws = 10, seed = 1))
    ranking$estimate[order(ranking$system)]
  }
  value <- function(measure) expected$value[expected$measure == measure]
  expect_equal(ranked("P@5"), value("P_IA@5"))
  expect_equal(ranked("AP"), value("AP_IA"))
  expect_equal(ranked("success@5"), value("StRecall@5"))
  expect_equal(ranked("ERR(max=1)@5") / (.5 * sum(.5^(0:4) / 1:5)), value("ERR_IA@5"))
  # With a third of the judgments, the ranking is uncertain.
  some <- rank_systems(x, judgments = gains[seq(1, nrow(gains), 3), ], measure = "AP", draws = 50, seed = 1)
  expect_true(all(some$sd > 0))
  expect_lt(ranking_confidence(some), 1)
})

test_that("nugget recall of two answers has the values of TREC RAG's formulas", {
  # Two answers, four nuggets: vital ones a and b, okay ones c and d.
  nuggets <- data.frame(query = "q", nugget = c("a", "b", "c", "d"), importance = c("vital", "vital", "okay", "okay"))
  support <- rbind(cbind(nuggets, doc = "one", gain = c(2, 1, 0, 2)), cbind(nuggets, doc = "two", gain = c(0, 2, 2, 1)))
  names(support)[2:3] <- c("subtopic", "vital")
  answers <- data.frame(system = c("A", "B"), query = "q", doc = c("one", "two"), rank = 1)
  value <- function(measure) evaluate(answers, support, measure)$value
  expect_equal(value("nugget_recall"), c((1 + .5 + .5 * (0 + 1)) / 3, (0 + 1 + .5 * (1 + .5)) / 3))
  expect_equal(value("nugget_recall(okay=1)"), c(2.5, 2.5) / 4)
  expect_equal(value("nugget_recall(okay=0)"), c(1.5, 1) / 2)
  # The same measure as a mean over nuggets, in a collection with one query per nugget.
  by_nugget <- function(data) transform(merge(data, nuggets["nugget"]), query = nugget)[names(data)]
  x <- test_collection(by_nugget(answers), k = 1, scale = c(0, .5, 1),
                       queries = data.frame(query = nuggets$nugget, weight = c(2, 2, 1, 1) / 6),
                       judgments = transform(support, query = subtopic, gain = gain / 2)[c("query", "doc", "gain")])
  ranking <- as.data.frame(rank_systems(x))
  expect_equal(ranking$estimate[order(ranking$system)], value("nugget_recall"))
  expect_equal(value("nugget_recall(okay=0,strict=TRUE)"), c(1, 1) / 2)
  expect_equal(value("nugget_recall(okay=1,strict=TRUE)"), c(2, 2) / 4)
  support$gain <- pmin(support$gain, 1)
  expect_equal(value("nugget_recall(okay=1,full=1)"), c(3, 3) / 4)
  # Which row counted would depend on the order of the documents.
  support$vital[8] <- "vital"
  expect_snapshot(value("nugget_recall"), error = TRUE)
})

test_that("nugget recall of random answers agrees with the formulas of TREC RAG", {
  for (seed in 1:40) with_seed(seed, {
    n <- sample(2:9, 1)
    nuggets <- data.frame(query = "q", doc = rep(c("one", "two"), each = n), subtopic = paste0("n", seq_len(n)),
                          gain = sample(0:2, 2 * n, TRUE), vital = rep(c(TRUE, stats::runif(n - 1) < .5), 2))
    nuggets$gain[1] <- 2
    answers <- data.frame(system = c("A", "B"), query = "q", doc = c("one", "two"), rank = 1)
    values <- evaluate(answers, nuggets, c("nugget_recall", "nugget_recall(okay=0)", "nugget_recall(okay=1)",
                                           "nugget_recall(okay=1,strict=TRUE)", "nugget_recall(okay=0,strict=TRUE)"))
    expected <- vapply(split(nuggets, nuggets$doc), function(own) {
      score <- c(0, .5, 1)[own$gain + 1]
      full <- own$gain == 2
      c((sum(score[own$vital]) + .5 * sum(score[!own$vital])) / (sum(own$vital) + .5 * sum(!own$vital)),
        mean(score[own$vital]), mean(score), mean(full), mean(full[own$vital]))
    }, numeric(5))
    expect_equal(values$value[order(values$system, match(values$measure, unique(values$measure)))],
                 as.vector(expected), tolerance = 1e-12)
  })
})
