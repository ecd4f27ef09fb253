past <- simulate_collection(queries = 12, documents = 200, artists = 30, teams = 3, systems = 6, seed = 2)
features <- ~ popularity + share

# The same collection with other names of systems.
renamed <- function(x) {
  x$systems$system <- paste0("other", x$systems$system)
  x
}

test_that("one past collection moves the prior mean a third of the way to its own, and the covariance a ninth", {
  covariance <- matrix(c(1, .3, .3, .5), 2, dimnames = rep(list(c("a", "b")), 2))
  mean <- c(a = 1, b = -1)
  found <- list(mean = c(a = 2, b = 0), covariance = covariance / 10)
  model <- predict_parameters(mean, covariance, list(found))
  expect_equal(model$mean, (2 * mean + found$mean) / 3)
  expect_equal(model$covariance, (8 * covariance + found$covariance) / 9)
})

test_that("several past collections are combined by their joint normal distribution", {
  covariance <- matrix(c(1, .3, .3, .5), 2, dimnames = rep(list(c("a", "b")), 2))
  mean <- c(a = 1, b = -1)
  noise <- list(diag(c(.2, .1)), matrix(.4))
  seen <- list(c(a = 2, b = 0), c(b = -2))
  # Each component is the posterior of a normal observation under the prior.
  parts <- Map(function(y, v) {
    at <- names(y)
    gain <- covariance[at, at] %*% solve(covariance[at, at] + v)
    part <- covariance[at, at] - gain %*% covariance[at, at]
    list(mean = setNames(as.vector(mean[at] + gain %*% (y - mean[at])), at), covariance = part)
  }, seen, noise)
  observed <- c(seen[[1]], seen[[2]])
  between <- 2 / 3 * covariance
  spread <- covariance[names(observed), names(observed)] / 3 +
    rbind(cbind(between + noise[[1]], 0), cbind(0, 0, between[2, 2] + noise[[2]]))
  weight <- (covariance / 3)[, names(observed)] %*% solve(spread)
  model <- predict_parameters(mean, covariance, parts)
  expect_equal(model$mean, setNames(as.vector(mean + weight %*% (observed - mean[names(observed)])), names(mean)))
  expect_equal(model$covariance, covariance - weight %*% t((covariance / 3)[, names(observed)]), ignore_attr = TRUE)
})

test_that("a past model applies fully to systems that it covers, and partly to other systems", {
  model <- gain_model(past, features, random = c("query", "system"))
  expect_no_warning(same <- joint_gains(past, model, judgments = judgments_of(past)[0, ]))
  expect_identical(same$model$coefficient, model$coefficient)
  expect_no_warning(other <- joint_gains(renamed(past), model, judgments = judgments_of(past)[0, ]))
  prior <- gain_prior()
  popularity <- function(model) model$coefficient[["popularity"]]
  expect_equal(log(other$model$variance[["query"]] / prior$variance[["query"]]),
               log(model$variance[["query"]] / prior$variance[["query"]]) / 3)
  expect_gt(coefficient_sd(other$model)[["popularity"]], coefficient_sd(model)[["popularity"]])
  expect_gt((popularity(other$model) - popularity(prior)) / (popularity(model) - popularity(prior)), 0.1)
  expect_lt((popularity(other$model) - popularity(prior)) / (popularity(model) - popularity(prior)), 0.7)
})

test_that("a collection that is unlike the past collection causes a warning that lists the differences", {
  model <- gain_model(past, features, random = c("query", "system"))
  short <- simulate_collection(queries = 5, documents = 100, artists = 20, teams = 2, systems = 20, k = 3, seed = 3)
  short <- renamed(short)
  short$scale <- gain_scale(0:2)
  short$gain <- short$gain %% 3
  expect_snapshot(invisible(joint_gains(short, model, judgments = judgments_of(short)[1:2, ])))
})

test_that("if judgments contradict a past model, gains are estimated without that model", {
  model <- gain_model(past, features, random = c("query", "system"))
  model$coefficient[["intercept"]] <- 4
  judged <- judgments_of(past)[seq(1, 200, 10), ]
  expect_snapshot(gains <- joint_gains(past, model, judgments = judged))
  prior <- model$past$prior
  used <- names(model$coefficient)
  prior$coefficient <- prior$coefficient[used]
  prior$coefficient_covariance <- prior$coefficient_covariance[used, used]
  expect_equal(as.data.frame(gains), as.data.frame(joint_gains(past, prior, judgments = judged)))
  expect_output(print(gains), "which the judgments contradict")
})

test_that("a session that dropped its past model is reopened without it", {
  model <- gain_model(past, features, random = c("query", "system"))
  model$coefficient[["intercept"]] <- 4
  file <- withr::local_tempfile(fileext = ".sqlite")
  s <- judging_session(past, past = model, judgments = FALSE, goal = goal_budget(30), update_every = 10, audit = 0.2,
                       store = file, seed = 1)
  expect_warning(run_session(s, progress = FALSE), class = "judicious_warning_contradicted_past")
  expect_true(s$engine$belief$fit$contradicts_past)
  before <- rank_systems(s)
  close_session(s)
  expect_identical(rank_systems(open_session(file))$covariance, before$covariance)
})
