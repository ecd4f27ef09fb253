# Documents that are judged but in no list up to the cutoff count in the ideal list and in the number of relevant
# documents, in rankings and sessions as in evaluate() of files.

# A collection of two to four systems and queries that is judged deeper than its lists are cut. All documents of the
# pool are judged, some negatively; some queries also have unjudged documents outside the pool.
deep_collection <- function(seed, levels = list(0:1, 0:3, c(0, 2, 5))[[seed %% 3 + 1]]) {
  set.seed(seed)
  k <- sample(2:5, 1)
  queries <- paste0("q", seq_len(sample(2:4, 1)))
  systems <- paste0("s", seq_len(sample(2:4, 1)))
  runs <- do.call(rbind, lapply(systems, function(system) do.call(rbind, lapply(queries, function(query) {
    n <- sample(c(k, k + 3, k - 1), 1)
    data.frame(system, query, doc = paste0("d", sample(15, n)), score = round(stats::rnorm(n), 1))
  }))))
  qrels <- expand.grid(query = queries, doc = paste0("d", 1:20), stringsAsFactors = FALSE)
  qrels$gain <- sample(levels, nrow(qrels), TRUE, c(0.6, rep(0.4 / (length(levels) - 1), length(levels) - 1)))
  list(runs = runs, qrels = qrels, k = k, levels = levels)
}

test_that("rankings of fully judged pools equal evaluate() of the files at the same depth, with variance 0", {
  names <- c("AG", "P", "CG", "DCG", "nDCG", "ANDCG", "AP", "RR", "ERR", "RBP", "recall", "F", "Rprec", "bpref", "success",
             "iprec(recall=0.5)", "infAP", "gm_map", "relative_P", "ADR")
  compared <- refused <- character()
  # 60 collections, so that each measure is compared six times on each of three scales.
  for (seed in 1:60) {
    one <- deep_collection(seed)
    judged <- suppressMessages(suppressWarnings(
      test_collection(one$runs, judgments = one$qrels, k = one$k, scale = one$levels)
    ))
    measures <- sub("^([AC]G)$", paste0("\\1@", one$k), names[(seed + 0:5) %% length(names) + 1])
    of_files <- suppressMessages(suppressWarnings(
      evaluate(one$runs, one$qrels, measures, depth = one$k, per = "mean")
    ))
    of_collection <- suppressMessages(suppressWarnings(evaluate(judged, measures, per = "mean")))
    for (name in measures) {
      r <- tryCatch(suppressMessages(suppressWarnings(rank_systems(judged, measure = name))),
                    judicious_error = identity)
      if (inherits(r, "error")) {
        refused <- c(refused, paste(name, conditionMessage(r)))
        next
      }
      files <- of_files[of_files$measure == name, ]
      own <- of_collection[of_collection$measure == name, ]
      value <- files$value[match(names(r$mean), files$system)]
      expect_equal(unname(r$mean), value, tolerance = 1e-12, label = paste(name, "of seed", seed))
      expect_equal(own$value[match(names(r$mean), own$system)], unname(r$mean), tolerance = 1e-12)
      expect_identical(max(abs(r$covariance)), 0)
      compared <- c(compared, name)
    }
  }
  expect_setequal(sub("@.*", "", unique(compared)), names)
  # Every case was compared; no ranking raised an error.
  expect_identical(unique(refused), character())
  expect_length(compared, 360)
})

test_that("AP counts relevant documents outside the pool, in an example computed by hand", {
  run <- function(system, q1, q2) {
    data.frame(system, query = rep(c("1", "2"), each = 2), doc = c(q1, q2), score = c(2, 1, 2, 1))
  }
  runs <- rbind(run("A", c("a1", "a2"), c("n1", "n2")), run("B", c("b1", "n3"), c("r2", "n4")))
  qrels <- rbind(data.frame(query = "1", doc = c("a1", paste0("o", 1:9), "a2", "b1", "n3"), gain = rep(1:0, c(10, 3))),
                 data.frame(query = "2", doc = c("n1", "n2", "r2", "n4", "o"), gain = c(0, 0, 1, 0, 1)))
  x <- test_collection(runs, judgments = qrels, k = 2)
  expected <- c(A = (1 / 10 + 0) / 2, B = (0 + 1 / 2) / 2)
  for (gains in list(NULL, "published")) expect_equal(rank_systems(x, gains, measure = "AP")$mean, expected)
  expect_snapshot(rank_systems(x, measure = "AP"))
  expect_snapshot(x)
})

test_that("intervals from part of the judgments cover the value from all judgments in the files", {
  runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
  qrels <- judgments_of(text_demo)
  x <- suppressMessages(suppressWarnings(test_collection(runs, systems = text_demo$systems, judgments = qrels, k = 4)))
  outside <- x$outside
  expect_gt(nrow(outside), 900)
  covered <- vapply(1:4, function(seed) {
    some <- withr::with_seed(seed, judgments_of(x)[sample(sum(!is.na(x$gain)), 200), ])
    vapply(c("AP", "nDCG", "recall"), function(name) {
      r <- rank_systems(x, judgments = rbind(some, outside), measure = name, draws = 200, seed = 1) |>
        suppressWarnings(classes = "judicious_warning_outside_pool")
      files <- suppressMessages(evaluate(runs, qrels, name, depth = 4, per = "mean", ties = "rank"))
      systems <- as.data.frame(r)
      value <- files$value[match(systems$system, files$system)]
      mean(value >= systems$lower & value <= systems$upper)
    }, 0)
  }, numeric(3))
  expect_true(all(rowMeans(covered) > 0.85), info = toString(rowMeans(covered)))
})

test_that("sessions keep judgments outside the pool after reopening, and added runs can move them into it", {
  one <- deep_collection(8, 0:1)
  quietly <- function(code) suppressMessages(suppressWarnings(code))
  x <- quietly(test_collection(one$runs, judgments = one$qrels, k = one$k, scale = 0:1))
  truth <- quietly(rank_systems(x, measure = "AP"))
  open <- judgments_of(x)[1:3, ]
  given <- one$qrels[!paste(one$qrels$query, one$qrels$doc) %in% paste(open$query, open$doc), ]
  file <- withr::local_tempfile(fileext = ".sqlite")
  skip_if_not_installed("RSQLite")
  s <- quietly(judging_session(x, judgments = given, measure = "AP", goal = goal_budget(1000), store = file, seed = 1))
  close_session(s)
  s <- open_session(file)
  quietly(run_session(s, one$qrels, progress = FALSE))
  expect_equal(quietly(rank_systems(s))$mean, truth$mean, tolerance = 1e-12)
  expect_equal(quietly(evaluate(s, "AP", per = "mean"))$value, unname(truth$mean), tolerance = 1e-12)
  close_session(s)
  # A judged document becomes part of the pool when an added system retrieves it.
  outside <- x$outside
  new <- data.frame(system = "new", outside[c("query", "doc")], score = -seq_len(nrow(outside)))
  added <- quietly(add_runs(x, new))
  both <- quietly(test_collection(rbind(one$runs, new), judgments = one$qrels, k = one$k, scale = 0:1))
  expect_equal(quietly(rank_systems(added, measure = "AP"))$mean, quietly(rank_systems(both, measure = "AP"))$mean)
  expect_lt(NROW(added$outside), nrow(outside))
})
