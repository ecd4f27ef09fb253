# Design-based estimates, compared with formulas implemented here and with the true values of real ratings.

answers_of <- function(...) {
  set.seed(5)
  quality <- c(A = 1, B = 1.6, C = 2.2)
  data <- expand.grid(query = sprintf("q%02d", 1:40), system = names(quality), stringsAsFactors = FALSE)
  data$rating <- pmin(pmax(round(quality[data$system] + rnorm(120, sd = 0.8)), 0), 3)
  data$llm <- data$rating + rnorm(120)
  data$answer <- sprintf("answer %d", 1:120)
  suppressMessages(read_answers(data, gain = "rating", grades = "llm", ...))
}

sample_of <- function(x, n, seed) {
  set.seed(seed)
  every <- judgments_of(x)
  every[sample(nrow(every), n), ]
}

test_that("with every document judged, design-based estimates are the true means, with variance 0", {
  x <- answers_of()
  found <- rank_systems(x, "design")
  expect_equal(unname(found$mean), evaluate(x, "AG@1", per = "mean")$value, tolerance = 1e-12)
  expect_equal(max(found$covariance), 0)
})

test_that("for one system and one grader, the estimate equals PPI++ with power tuning", {
  set.seed(2)
  n <- 30
  prediction <- rnorm(200)
  label <- round(pmin(pmax(prediction + rnorm(200) + 1.5, 0), 3))
  one <- test_collection(data.frame(system = "A", query = sprintf("q%03d", 1:200), doc = sprintf("d%03d", 1:200), rank = 1),
                         k = 1, scale = 0:3)
  pool <- judicious:::pool_ids(one)
  place <- match(pool$query, sprintf("q%03d", 1:200))
  grades <- data.frame(pool, grade = prediction[place])
  judged <- sample(200, n)
  judgments <- data.frame(query = sprintf("q%03d", judged), doc = sprintf("d%03d", judged), gain = label[judged])
  found <- rank_systems(one, "design", grades = grades, judgments = judgments)
  # The equations of Angelopoulos, Duchi and Zrnic (2023), with n labelled and N unlabelled documents.
  f <- prediction[judged]
  g <- prediction[-judged]
  lambda <- cov(label[judged], f) / var(f) / (1 + n / length(g))
  expect_equal(unname(found$mean), lambda * mean(g) + mean(label[judged] - lambda * f), tolerance = 1e-12)
  residual <- label[judged] - cov(label[judged], f) / var(f) * f
  longer <- qt(.975, n + 2) / qnorm(.975)
  expect_equal(found$covariance[1], (1 - n / 200) * var(residual) / n * longer^2, tolerance = 1e-12)
})

test_that("without grades, a system's design-based estimate is the mean of its judged documents", {
  x <- answers_of()
  judgments <- sample_of(x, 45, 1)
  found <- rank_systems(x, "design", judgments = judgments, grades = FALSE)
  lists <- merge(judgments, as.data.frame(x))
  expect_equal(found$mean, c(tapply(lists$gain, lists$system, mean)), tolerance = 1e-12)
})

test_that("95% intervals of differences cover 92% to 99% of the true differences of real ratings", {
  ratings <- aggregate(cbind(rating, chatgpt) ~ system + query, hanna, mean)
  ratings$useless <- ratings$chatgpt[c(2:nrow(ratings), 1)]
  x <- suppressMessages(read_answers(ratings, gain = "rating", grades = c("chatgpt", "useless")))
  truth <- evaluate(x, "AG@1", per = "mean")
  truth <- truth$value[match(x$systems$system, truth$system)]
  covered <- vapply(1:12, function(seed) {
    found <- suppressMessages(rank_systems(x, "design", judgments = sample_of(x, 200, seed)))
    pair <- which(upper.tri(found$covariance), arr.ind = TRUE)
    error <- (found$mean[pair[, 1]] - found$mean[pair[, 2]]) - (truth[pair[, 1]] - truth[pair[, 2]])
    mean(abs(error) <= qnorm(.975) * sqrt(found$difference_variance[pair]))
  }, 0)
  expect_gt(mean(covered), 0.92)
  expect_lt(mean(covered), 0.99)
})

test_that("a session's design-based ranking uses the audit only, and reports disagreement with joint gains", {
  x <- simulate_collection(queries = 30, documents = 300, artists = 40, systems = 4, seed = 1)
  s <- judging_session(x, goal = goal_budget(80), audit = 0.4, seed = 1, judgments = FALSE)
  run_session(s)
  judged <- judgments_of(s)
  found <- rank_systems(s, "design")
  expect_identical(found$judged, sum(judged$audit %in% TRUE))
  changed <- judged
  changed$gain[!(judged$audit %in% TRUE)] <- 0
  expect_identical(rank_systems(x, "design", judgments = changed)$mean, found$mean)
  ranking <- rank_systems(s)
  expect_null(judicious:::contradicted_by_design(ranking))
  # Replaces the joint estimates by opposite ones with much larger differences.
  ranking$mean <- -20 * ranking$mean
  expect_match(judicious:::contradicted_by_design(ranking), "drawn at random contradict this by themselves")
})

test_that("a column whose name begins with audit does not tell which documents were drawn at random", {
  x <- answers_of()
  judgments <- sample_of(x, 60, 3)
  found <- rank_systems(x, "design", judgments = transform(judgments, audited = FALSE))
  expect_identical(found$mean, rank_systems(x, "design", judgments = judgments)$mean)
})

test_that("design-based rankings raise errors for too few judgments and for inapplicable arguments", {
  x <- answers_of()
  expect_snapshot(error = TRUE, {
    rank_systems(x, "design", judgments = sample_of(x, 2, 1))
    rank_systems(x, "design", measure = "nDCG@1")
    rank_systems(x, "design", scope = "new")
    rank_systems(x, "design", past = x)
  })
  expect_snapshot(print(rank_systems(x, "design", judgments = sample_of(x, 60, 3), grades = FALSE)))
})

test_that("the command line ranks by design as rank_systems() does", {
  ratings <- withr::local_tempfile(fileext = ".csv")
  data <- as.data.frame(answers_of())
  set.seed(4)
  data$gain[-sample(nrow(data), 60)] <- NA
  utils::write.csv(data.frame(system = data$system, query = data$query, answer = data$doc, rating = data$gain), ratings,
                   row.names = FALSE, na = "")
  found <- cli_data("rank", ratings, "--model", "design")
  expected <- as.data.frame(rank_systems(suppressMessages(read_answers(ratings)), "design"))
  expect_equal(found$estimate, expected$estimate, tolerance = 1e-12)
  expect_equal(found$sd, expected$sd, tolerance = 1e-12)
  past <- cli("rank", ratings, "--model", "design", "--past", "x")$err
  expect_match(past, "not available with --model design", all = FALSE)
  expect_equal(cli("next", ratings, "--model", "design")$status, 2L)
})
