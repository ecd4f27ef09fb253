# Results are identical to the last bit, whatever the number of threads or processes.

thread_counts <- c(1, 2, 4)

# The estimates of a fit for each number of threads; `fit` is a function of that number.
fits_by_threads <- function(fit) {
  lapply(thread_counts, function(n) {
    made <- fit(n)
    list(coef = coef(made), vcov = vcov(made), loglik = as.numeric(logLik(made)))
  })
}

expect_equal_bits <- function(results) {
  for (other in results[-1]) expect_identical(other, results[[1]])
}

test_that("ordinal models are identical with 1, 2 and 4 threads", {
  # The rows form several chunks, which are divided among threads.
  n <- 40000
  data <- with_seed(5, data.frame(u = rnorm(n), v = runif(n), g = factor(sample(letters[1:4], n, TRUE)),
                                  w = sample(c(0.5, 1, 2), n, TRUE), o = rnorm(n) / 5))
  data$y <- with_seed(6, findInterval(data$u - data$v + data$o + rlogis(n), c(-2, -1, 0, 1, 2)))
  expect_equal_bits(fits_by_threads(function(k) pom(y ~ u + v + g, data, num_threads = k)))
  expect_equal_bits(fits_by_threads(function(k) pom(y ~ u + v + g + offset(o), data, weights = w, num_threads = k)))
  expect_equal_bits(fits_by_threads(function(k) pom(y ~ u + v, data, penalty = 3, num_threads = k)))
  expect_equal_bits(fits_by_threads(function(k) pom(y ~ u + v, data, method = "bias_reduced", num_threads = k)))
  # Equal rows, which are merged first.
  data$u <- round(data$u)
  expect_equal_bits(fits_by_threads(function(k) pom(y ~ u + g, data, num_threads = k)))
})

test_that("mixed models are identical with 1, 2 and 4 threads", {
  n <- 9000
  data <- with_seed(7, data.frame(u = rnorm(n), q = sample(paste0("q", 1:40), n, TRUE),
                                  s = sample(paste0("s", 1:6), n, TRUE)))
  effect <- with_seed(8, stats::setNames(rnorm(40), paste0("q", 1:40)))
  data$y <- with_seed(9, findInterval(data$u + effect[data$q] + as.integer(factor(data$s)) / 3 + rlogis(n), c(0, 1, 3)))
  expect_equal_bits(lapply(thread_counts, function(k) {
    fit <- pom(y ~ u + (1 | q) + (1 | s), data, num_threads = k)
    list(fixef(fit), VarCorr(fit), ranef(fit), vcov(fit), as.numeric(logLik(fit)))
  }))
})

test_that("evaluations of run files are identical with 1, 2 and 4 threads", {
  folder <- tempfile()
  dir.create(folder)
  on.exit(unlink(folder, recursive = TRUE))
  with_seed(10, for (system in LETTERS[1:7]) {
    runs <- expand.grid(doc = sample(paste0("d", 1:60), 30), query = paste0("q", 1:12), stringsAsFactors = FALSE)
    writeLines(paste(runs$query, "Q0", runs$doc, 1, round(runif(nrow(runs)), 1), system), file.path(folder, system))
  })
  truth <- with_seed(11, data.frame(expand.grid(query = paste0("q", 1:12), doc = paste0("d", 1:60),
                                                stringsAsFactors = FALSE)))
  truth$gain <- with_seed(12, sample(0:2, nrow(truth), TRUE))
  files <- list.files(folder, full.names = TRUE)
  # Ties have too many orders to enumerate, so random orders are drawn.
  values <- lapply(thread_counts, function(k) {
    as.data.frame(evaluate(files, truth, c("AP", "nDCG@10", "iprec_at_recall_0.50"), ties = "expected", seed = 3,
                           num_threads = k))
  })
  expect_equal_bits(values)
})

test_that("studies are identical in this process and in parallel workers", {
  skip_if_not_installed("future.apply")
  x <- simulate_collection(queries = 12, documents = 120, artists = 20, systems = 4, seed = 1)
  study <- function() {
    mtc_study(x, methods = list(joint = joint_method(), published = published_method(NULL)), budgets = c(0, 10),
              replicates = 2, seed = 4)
  }
  plan <- function() judging_plan(x, goal = goal_mean(0.8) | goal_budget(10), judgments = FALSE, replicates = 2,
                                  seed = 4)
  here <- list(unclass(study()), unclass(plan()))
  old <- future::plan(future::multisession, workers = 2)
  on.exit(future::plan(old))
  there <- list(unclass(study()), unclass(plan()))
  expect_identical(there[[1]][c("results", "pairs", "stops")], here[[1]][c("results", "pairs", "stops")])
  expect_equal(there[[2]], here[[2]], tolerance = 0)
})
