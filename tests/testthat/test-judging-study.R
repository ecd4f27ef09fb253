x <- simulate_collection(queries = 10, documents = 150, artists = 20, teams = 3, systems = 5, seed = 6)

test_that("a study has all methods, budgets and replicates, and a method's results do not depend on the others", {
  study <- mtc_study(x, methods = list(joint = joint_method(gain_prior()), published = published_method(NULL)),
                     budgets = c(0, 10), replicates = 2, seed = 1)
  expect_identical(study$results$judged, as.integer(study$results$budget))
  expect_identical(nrow(study$pairs), 2L * 2L * 2L * 10L)
  again <- mtc_study(x, methods = list(published = published_method(NULL)), budgets = c(0, 10), replicates = 2,
                     seed = 1)
  expect_equal(again$results, subset(study$results, method == "published"), ignore_attr = TRUE)
  s <- summary(study)
  expect_equal(s$accuracy[1], mean(subset(study$results, method == "joint" & budget == 0)$accuracy))
})

test_that("if everything is judged, a method is right with confidence 1", {
  study <- mtc_study(x, methods = list(joint = joint_method(gain_prior())), budgets = length(x$gain), replicates = 1,
                     split = "whole", seed = 1)
  expect_equal(study$results$accuracy, 1)
  expect_lt(study$results$brier, 1e-6)
})

test_that("the statistics of a study agree with their definitions", {
  ranking <- new_ranking(x, c(3, 1, 2, 0, 5), diag(c(1, 2, 1, 1, .5)))
  truth <- c(2, 2, 4, 0, 7)
  ab <- utils::combn(5, 2)
  d <- ranking$mean[ab[1, ]] - ranking$mean[ab[2, ]]
  t <- truth[ab[1, ]] - truth[ab[2, ]]
  v <- diag(ranking$covariance)[ab[1, ]] + diag(ranking$covariance)[ab[2, ]]
  p <- stats::pnorm(d / sqrt(v))
  o <- ifelse(t == 0, .5, t > 0)
  r <- score_ranking(ranking, truth, "m", 3)$results
  expect_equal(r$brier, mean((p - o)^2))
  expect_equal(r$z2, mean((d - t)^2 / v))
  expect_equal(r$accuracy, mean(ifelse(t == 0, .5, sign(d) == sign(t))))
  expect_equal(r$coverage, mean((d - t)^2 / v <= stats::qnorm(.975)^2))
})

test_that("means and standard errors of a study ignore replicates with missing values", {
  study <- mtc_study(x, methods = list(a = published_method(NULL)), budgets = 0, replicates = 3, seed = 1)
  study$results$z2 <- c(1, NA, 4)
  s <- summary(study)
  expect_equal(s$z2, 2.5)
  expect_equal(s$z2_se, stats::sd(c(1, 4)) / sqrt(2))
  expect_equal(s$accuracy_se, stats::sd(study$results$accuracy) / sqrt(3))
})

test_that("restrict_to_queries() keeps the pairs, results and gains of the chosen queries", {
  half <- restrict_to_queries(x, c(3, 7, 3))
  expect_identical(half$queries$query, make.unique(x$queries$query[c(3, 7, 3)]))
  for (i in 1:3) {
    from <- c(3, 7, 3)[i]
    expect_identical(half$gain[half$pool$query == i], x$gain[x$pool$query == from])
    expect_identical(half$results$system[result_pair(half) %in% which(half$pool$query == i)],
                     x$results$system[result_pair(x) %in% which(x$pool$query == from)])
  }
})

test_that("a study stops a session at the first state that reaches the confidence", {
  study <- mtc_study(x, methods = list(joint = joint_method(gain_prior(), audit = 0), own = published_method(NULL)),
                     budgets = c(0, 40), replicates = 1, split = "whole", seed = 4, confidence = 0.8)
  s <- judging_session(x, past = gain_prior(), goal = goal_mean(0.8) | goal_budget(40), audit = 0, seed = 9,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  expect_identical(study$stops$judged[1], as.numeric(utils::tail(as.data.frame(s)$judged, 1)))
  expect_equal(study$stops$accuracy[1], ranking_accuracy(rank_systems(s), judgments_of(x))[["accuracy"]])
  seed <- with_seed(4, sample.int(.Machine$integer.max, 1))
  trace <- mtc(x, NULL, NULL, NULL, stop = "never", budget = 40, tie_break = "random", seed = seed, progress = FALSE) |>
    as.data.frame(truth = judgments_of(x))
  first <- trace[which(trace$confidence >= 0.8)[1], ]
  expect_equal(unlist(study$stops[2, c("judged", "accuracy")]), unlist(first[c("judged", "accuracy")]),
               ignore_attr = TRUE)
})

test_that("plots of a study's confidence, reliability and z2 are ggplot objects", {
  study <- mtc_study(x, methods = list(joint = joint_method(gain_prior())), budgets = c(0, 10), replicates = 2,
                     seed = 1)
  file <- tempfile(fileext = ".pdf")
  grDevices::pdf(file)
  on.exit({
    grDevices::dev.off()
    unlink(file)
  })
  for (type in c("confidence", "reliability", "z2")) {
    expect_s3_class(plot(study, type), "ggplot")
    skip_if_not_installed("ggplot2")
    expect_s3_class(autoplot.judicious_study(study, type), "ggplot")
  }
})

test_that("invalid arguments of a study raise errors", {
  incomplete <- x
  incomplete$gain[x$pool$query > 3] <- NA
  expect_snapshot(error = TRUE, {
    mtc_study(incomplete)
    mtc_study(x, methods = list(3))
    mtc_study(x, methods = list(joint_method(gain_prior())))
    mtc_study(x, budgets = -1)
    mtc_study(simulate_collection(queries = 6, systems = 1, seed = 1))
    joint_method(nonsense = 3)
    joint_method(gain_prior(), strategy_gradient(), 0, 20, NULL, "query")
  })
})

test_that("a study of several editions judges each with a model learned from the others", {
  editions <- lapply(c(a = 1, b = 2, c = 3), function(seed) {
    simulate_collection(queries = 8, documents = 120, artists = 20, teams = 3, systems = 5, scale = broad_scale(),
                        seed = seed)
  })
  fitted <- function(type) function(past) mirex_model(type, past = past)
  methods <- list(published = published_method(fitted("output"), fitted("judge")), joint = joint_method())
  study <- mtc_study(editions, methods = methods, budgets = c(0, 30), seed = 5)
  expect_identical(unique(study$results$edition), c("a", "b", "c"))
  expect_identical(nrow(study$results), 12L)
  result <- function(edition, method, budget) {
    study$results[study$results$edition == edition & study$results$method == method & study$results$budget == budget, ]
  }
  # Computed here for the second edition.
  gains <- gain_distribution(mirex_model("output", past = editions[c("a", "c")]), output_features(editions$b))
  ranking <- rank_systems(editions$b, gains)
  expect_equal(result("b", "published", 0)$confidence, ranking_confidence(ranking))
  expect_equal(result("b", "published", 0)$accuracy, ranking_accuracy(ranking)[["accuracy"]])
  model <- gain_model(unname(editions[c("a", "c")]))
  s <- judging_session(editions$b, past = model, seed = 1, judgments = FALSE)
  expect_equal(result("b", "joint", 0)$confidence, ranking_confidence(rank_systems(s)))
  # For each edition, 30 judgments in a separate session, with models fitted to the two other editions.
  seeds <- judicious:::with_seed(5, sample.int(.Machine$integer.max, 3))
  for (i in 1:3) {
    x <- editions[[i]]
    past <- unname(editions[-i])
    own <- mtc(x, NULL, mirex_model("output", past = past), mirex_model("judge", past = past),
               tie_break = "random", stop = "never", budget = 30, seed = seeds[i], progress = FALSE)
    s <- judging_session(x, past = gain_model(past), goal = goal_budget(30), audit = 0, update_every = Inf,
                         seed = seeds[i],
                         judgments = FALSE)
    rankings <- list(published = rank_systems(own), joint = rank_systems(run_session(s, progress = FALSE)))
    for (method in names(rankings)) {
      expect_equal(result(names(editions)[i], method, 30)$confidence, ranking_confidence(rankings[[method]]))
      expect_equal(result(names(editions)[i], method, 30)$accuracy,
                   ranking_accuracy(rankings[[method]], judgments_of(x))[["accuracy"]])
    }
  }
  expect_equal(summary(study)$accuracy[1], mean(c(result("a", "published", 0)$accuracy,
                                                  result("b", "published", 0)$accuracy,
                                                  result("c", "published", 0)$accuracy)))
  expect_output(print(study), "3 sessions on an edition, each with the others as its past")
  again <- mtc_study(unname(editions), methods = list(uniform = published_method(NULL)),
                     budgets = 20, replicates = 2, seed = 5)
  expect_identical(again$results$edition, rep(c("1", "2", "3"), each = 2))
  expect_identical(again$results$replicate, rep(1:2, 3))
  expect_snapshot(error = TRUE, {
    mtc_study(editions[1])
    mtc_study(editions, truth = judgments_of(editions$a))
    mtc_study(setNames(editions, c("a", "a", "b")))
    mtc_study(editions$a, methods = list(published = published_method(fitted("output"))), split = "whole")
  })
})
