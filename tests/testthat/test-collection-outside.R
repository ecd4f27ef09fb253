# Judgments of documents outside the pool count in ideal lists and in numbers of relevant documents.

quietly <- function(expr) suppressMessages(suppressWarnings(expr))

# Runs deeper than the cutoff, with judgments of the whole pool and of further documents. Query "q1" has the highest
# gain.
deep_case <- function(seed, share = 1) {
  with_seed(seed, {
    k <- sample(2:4, 1)
    queries <- paste0("q", seq_len(sample(2:4, 1)))
    docs <- paste0("d", 1:12)
    runs <- do.call(rbind, lapply(c("A", "B", "C"), function(system) do.call(rbind, lapply(queries, function(query) {
      n <- sample(k:6, 1)
      data.frame(system = system, query = query, doc = sample(docs, n), score = rev(seq_len(n)))
    }))))
    full <- expand.grid(query = queries, doc = docs, stringsAsFactors = FALSE)
    full$gain <- sample(0:2, nrow(full), TRUE, c(.6, .25, .15))
    full <- rbind(full, data.frame(query = "q1", doc = "never", gain = 2))
    x <- quietly(test_collection(runs, k = k, scale = 0:2))
    inside <- !is.na(find_pairs(x, full$query, full$doc))
    kept <- full[inside | full$doc == "never" | stats::runif(nrow(full)) < .6, ]
    inside <- !is.na(find_pairs(x, kept$query, kept$doc))
    some <- kept[!inside | stats::runif(nrow(kept)) < share, ]
    list(runs = runs, k = k, judgments = some, full = kept, x = quietly(add_judgments(x, some)))
  })
}

# The measures that rank_systems() accepts, at the cutoff of the collection at most.
rankable <- function(x) {
  measures <- lapply(names(measure_registry), function(base) {
    entry <- measure_registry[[base]]
    tryCatch(measure(base, k = if (isTRUE(entry$cutoff)) 2), error = function(cnd) NULL)
  })
  measures <- c(Filter(Negate(is.null), measures), lapply(c("AP", "nDCG", "Rprec", "infAP", "bpref"), measure))
  measures <- measures[!duplicated(vapply(measures, `[[`, "", "label"))]
  Filter(function(m) !inherits(try(with_measure(x, m), silent = TRUE), "try-error"), measures)
}

test_that("fully judged collections give the values of evaluate() on their files, for every measure", {
  first <- deep_case(1)
  measures <- rankable(first$x)
  expect_gt(length(measures), 30)
  compared <- 0
  # In 60 collections, every measure is evaluated 60 times and used for rankings in at least two of them.
  for (seed in 1:60) {
    case <- deep_case(seed)
    gains <- quietly(update(uniform_gains(case$x), combined_judgments_of(replace(case$x, "outside", list(NULL)))))
    files <- quietly(evaluate(case$runs, case$full, measures, per = "mean", depth = case$k))
    own <- quietly(evaluate(case$x, measure = measures, per = "mean"))
    systems <- case$x$systems$system
    at <- function(scores, label) scores$value[scores$measure == label][match(systems,
                                                                             scores$system[scores$measure == label])]
    same <- vapply(measures, function(m) isTRUE(all.equal(at(own, m$label), at(files, m$label), tolerance = 1e-12)), NA)
    expect_true(all(same), info = paste(c(seed, vapply(measures[!same], `[[`, "", "label")), collapse = " "))
    # Two measures for each case, so that each is used for rankings in several cases.
    for (m in measures[1 + (2 * seed + 0:1) %% length(measures)]) {
      ranking <- quietly(rank_systems(case$x, gains, measure = m))
      expect_equal(unname(ranking$mean), at(files, m$label), tolerance = 1e-12, info = paste(m$label, seed))
      expect_true(all(ranking$covariance == 0))
      compared <- compared + 1
    }
    m <- measures[[1 + seed %% length(measures)]]
    if (seed %% 5 == 0) {
      joint <- quietly(rank_systems(case$x, measure = m, seed = 1))
      expect_equal(unname(joint$mean), at(files, m$label), tolerance = 1e-12, info = paste(m$label, seed))
      expect_true(all(joint$covariance == 0))
    }
  }
  expect_identical(compared, 120)
})

test_that("AP with relevant documents outside the pool equals that of trec_eval", {
  runs <- data.frame(
    system = rep(c("A", "B"), each = 4), query = rep(c("1", "1", "2", "2"), 2),
    doc = c("r1", "n1", "n2", "n3", "n4", "n5", "n6", "r2"), score = c(9, 8)
  )
  judgments <- data.frame(
    query = rep(c("1", "2"), c(13, 4)),
    doc = c("r1", paste0("o", 1:9), "n1", "n4", "n5", "r2", "n2", "n3", "n6"),
    gain = c(rep(1, 10), 0, 0, 0, 1, 0, 0, 0)
  )
  expect_warning(x <- test_collection(runs, judgments = judgments, k = 2), "count in ideal lists")
  expect_equal(rank_systems(x, measure = "AP")$mean, c(A = .05, B = .25))
  expect_equal(quietly(rank_systems(x, judgments = judgments, measure = "AP")$mean), c(A = .05, B = .25))
  bare <- quietly(test_collection(runs, k = 2, scale = 0:1))
  expect_equal(quietly(rank_systems(bare, judgments = judgments, measure = "AP")$mean), c(A = .05, B = .25))
  expect_output(print(x), "9 judgments outside the pool, in 1 of 2 queries, count in ideal lists")
  expect_identical(nrow(judgments_of(x)), nrow(judgments))
})

test_that("with documents outside the pool, moments of AP equal sums over all relevance outcomes", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q1", doc = c("d1", "d2", "d2", "d3"), rank = 1:2)
  outside <- data.frame(query = "q1", doc = c("o1", "o2"), gain = c(1, 1))
  x <- quietly(test_collection(runs, k = 2, scale = 0:1, judgments = outside))
  ranking <- rank_systems(x, uniform_gains(x), measure = "AP")
  outcomes <- as.matrix(expand.grid(0:1, 0:1, 0:1))
  scores <- apply(outcomes, 1, function(gain) {
    evaluate(runs, rbind(data.frame(query = "q1", doc = paste0("d", 1:3), gain = gain), outside), "AP",
             ties = "rank")$value
  })
  expect_equal(unname(ranking$mean), rowMeans(scores))
  expect_equal(unname(ranking$covariance), (scores - rowMeans(scores)) %*% t(scores - rowMeans(scores)) / 8)
})

test_that("sessions keep judgments outside the pool, and use them once added runs include the documents", {
  case <- deep_case(3, share = .3)
  path <- withr::local_tempfile(fileext = ".sqlite")
  s <- quietly(judging_session(case$x, measure = "AP", store = path, seed = 1))
  again <- quietly(open_session(path))
  expect_equal(again$engine$x$outside, case$x$outside)
  gained <- case$x$outside[1, ]
  more <- data.frame(system = "D", query = case$x$queries$query, doc = gained$doc, rank = 1)
  larger <- quietly(add_runs(case$x, more[more$query == gained$query, ]))
  expect_equal(larger$gain[find_pairs(larger, gained$query, gained$doc)], gained$gain)
  expect_equal(nrow(larger$outside), nrow(case$x$outside) - 1)
  quietly(add_runs(s, more[more$query == gained$query, ]))
  made <- judgments_of(s)
  expect_true(any(made$query == gained$query & made$doc == gained$doc & made$gain == gained$gain))
})
