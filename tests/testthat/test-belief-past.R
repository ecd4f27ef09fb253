past <- simulate_collection(queries = 12, documents = 200, artists = 30, teams = 3, systems = 6, seed = 2)

test_that("gain_model() has the requested effects and features", {
  model <- gain_model(past, ~ popularity + same_genre, random = c("query", "query:genre", "system"))
  expect_identical(names(model$coefficient), c("intercept", "popularity", "same_genre", grade_slopes))
  expect_identical(names(model$variance)[model$variance > 0], c("residual", "query", "query:genre", "system"))
  expect_identical(model$fitted[c("judged", "collections")], list(judged = length(past$gain), collections = 1L))
})

test_that("the estimated variances are a mode: no nearby values have a larger posterior density", {
  model <- gain_model(past, ~ popularity, random = c("query", "system"), prior = gain_prior())
  prior <- with_terms(gain_prior(), c("query", "system"))
  pool <- independent_features(joint_pool(past, "popularity"), prior)
  gain <- unit_gain(past, past$gain)
  fit <- fit_joint_prior(pool, prior, seq_along(gain), gain, max_iterations = 30)
  expect_equal(fit$variance[["query"]], model$variance[["query"]])
  at <- function(variance) {
    terms <- c("residual", "query", "system")
    p <- joint_parameters(pool, fit, variance)
    joint_log_likelihood(pool, p, gain) -
      sum((log(variance[terms] / prior$variance[terms]) / prior$variance_sd[terms])^2) / 2
  }
  best <- at(fit$variance)
  for (term in c("residual", "query", "system")) {
    for (factor in c(0.7, 1.4)) expect_lt(at(replace(fit$variance, term, fit$variance[[term]] * factor)), best)
  }
})

test_that("variances of collections differ by `new_variance` more than those of the past ones are uncertain", {
  spread <- function(sd) gain_model(past, ~popularity, random = c("query", "system"), new_variance = sd)$variance_sd^2
  learned <- c("residual", "query", "system")
  expect_equal((spread(1) - spread(0.5))[learned], c(residual = 0.75, query = 0.75, system = 0.75))
})

test_that("a gain model passes the covariance of its coefficients to the next collection", {
  model <- gain_model(past, ~ popularity + share, random = c("query", "system"), new_collection = 0)
  features <- c("intercept", "popularity", "share")
  expect_lt(cov2cor(model$coefficient_covariance)["popularity", "share"], -0.5)
  # After a rotation of the features, their coefficients are independent; the distribution of linear predictors is
  # unchanged.
  plain <- joint_pool(past, features)
  turned <- model_pool(past, model)
  prior <- turned$prior
  expect_equal(as.vector(turned$x %*% prior$mean), as.vector(plain$x %*% model$coefficient[features]))
  covariance <- model$coefficient_covariance[features, features]
  expect_equal(turned$x %*% diag(prior$sd^2) %*% t(turned$x), plain$x %*% covariance %*% t(plain$x),
               ignore_attr = TRUE)
  # Without judgments, the coefficients are those of the model.
  before <- summary(joint_gains(past, model, judgments = judgments_of(past)[0, ]))
  expect_equal(before$coefficient, model$coefficient[features])
  expect_equal(before$coefficient_covariance, covariance)
})

test_that("gain_model() keeps an effect only if dropping it lowers the log likelihood by more than a limit", {
  terms <- c("query", "query:system", "system")
  fit_of <- function(random) gain_model(past, ~ popularity, random = random)$fitted$log_likelihood
  gain <- unit_gain(past, past$gain)
  prior <- with_terms(gain_prior(variance_sd = 2), terms)
  pool <- independent_features(joint_pool(past, "popularity"), prior)
  objective <- joint_objective(pool, seq_along(gain), gain)
  fit <- fit_joint_prior(pool, prior, seq_along(gain), gain, objective = objective)
  loss <- fit_of(terms) - fit_of(setdiff(terms, "query:system"))
  kept <- terms_with_evidence(pool, prior, gain, fit, objective, cost = loss + 0.1)
  expect_setequal(kept$terms, c("residual", "query", "system"))
  kept <- terms_with_evidence(pool, prior, gain, fit, objective, cost = loss - 0.1)
  expect_setequal(kept$terms, c("residual", terms))
  # Effects that the prior lacks are not added.
  model <- gain_model(past, ~ popularity)
  expect_true(all(c("query", "system") %in% names(model$variance)[model$variance > 0]))
})

test_that("with known coefficients, the log likelihood of two joined collections is the sum of theirs", {
  other <- simulate_collection(queries = 6, documents = 150, artists = 20, teams = 2, systems = 4, k = 4, seed = 3)
  features <- c("popularity", "share", "genre_share")
  one <- joint_pool(past, features)
  two <- joint_pool(other, features)
  both <- join_pools(list(one, two))
  model <- gain_prior()
  likelihood <- function(pool, gain) {
    pool$prior <- list(mean = numeric(4), sd = rep(1e-6, 4))
    fit <- list(beta = c(-.2, .3, .1, .5), beta_covariance = diag(.1, 4), terms = joint_terms)
    p <- joint_parameters(pool, fit, model$variance)
    joint_log_likelihood(pool, p, gain)
  }
  g1 <- past$gain / 100
  g2 <- other$gain / 100
  # With known coefficients, the two collections share no parameters, so their likelihoods multiply.
  expect_equal(likelihood(both, c(g1, g2)), likelihood(one, g1) + likelihood(two, g2), tolerance = 1e-7)
})

test_that("an earlier model serves as prior, and the built-in prior supplies features that it lacks", {
  earlier <- gain_model(past, ~ popularity, random = "query")
  model <- gain_model(past, ~ popularity + rank, random = "query", prior = earlier)
  expect_named(model$coefficient, c("intercept", "popularity", "rank", grade_slopes))
  spelled_out <- earlier
  built_in <- gain_prior()
  spelled_out$coefficient <- c(earlier$coefficient, built_in$coefficient["rank"])
  names <- names(spelled_out$coefficient)
  covariance <- matrix(0, 5, 5, dimnames = list(names, names))
  covariance[1:4, 1:4] <- earlier$coefficient_covariance
  covariance["rank", "rank"] <- coefficient_sd(built_in)[["rank"]]^2
  spelled_out$coefficient_covariance <- covariance
  expect_identical(gain_model(past, ~ popularity + rank, random = "query", prior = spelled_out), model)
  expect_named(gain_model(past = past, prior = earlier)$coefficient,
               c("intercept", joint_features))
})

test_that("grades are used for the collection and for the past collections that have them", {
  x <- simulate_collection(queries = 5, documents = 80, artists = 10, teams = 2, systems = 4, seed = 6)
  truth <- judgments_of(x)
  x$gain[] <- NA
  # Both collections have queries of the same names.
  truth$query <- paste0("x-", truth$query)
  x$queries$query <- paste0("x-", x$queries$query)
  grades <- function(truth, at = 50) data.frame(truth[c("query", "doc")], grade = as.numeric(truth$gain > at))
  of_x <- grades(truth)
  of_both <- rbind(of_x, grades(judgments_of(past)))
  learned <- gain_model(past = past)
  expect_equal(rank_systems(x, past = past, grades = of_x)$mean, rank_systems(x, learned, grades = of_x)$mean)
  graded <- gain_model(past = past, grades = of_both)
  expect_equal(rank_systems(x, past = past, grades = of_both)$mean, rank_systems(x, graded, grades = of_x)$mean)
  # If there are several graders, the model uses those that also graded the past collections.
  graders <- list(of_both, b = grades(truth, 70))
  graded <- gain_model(past = past, grades = list(grader1 = of_both))
  expect_equal(rank_systems(x, past = past, grades = graders)$mean, rank_systems(x, graded, grades = graders)$mean)
})

test_that("gain_model() raises errors for invalid arguments", {
  unjudged <- past
  unjudged$gain[] <- NA
  expect_snapshot(error = TRUE, {
    gain_model(past, ~ length)
    gain_model(past, y ~ rank)
    gain_model(past = 3)
    gain_model(past = past, random = "artist")
    gain_model(past = unjudged)
    gain_model(past = list(past, unjudged))
    rank_systems(unjudged, past = list(past, unjudged))
    rank_systems(unjudged, past = list(past, 1))
  })
})

test_that("useless graders have slopes that are independent of the other slopes, so that the prior is a distribution", {
  x <- simulate_collection(queries = 8, documents = 100, artists = 20, systems = 4, seed = 1)
  grades <- transform(judgments_of(x)[c("query", "doc")], grade = x$gain)
  prior <- gain_model(x, grades = grades)$past$prior
  expect_lt(prior$coefficient_covariance["grades", "agreement"], 0)
  useless <- uninformative_model(prior, grade_slopes)$coefficient_covariance
  expect_gt(min(eigen(useless)$values), 0)
  expect_identical(unname(useless[grade_slopes, "agreement"]), c(0, 0))
  others <- setdiff(rownames(useless), grade_slopes)
  expect_identical(useless[others, others], prior$coefficient_covariance[others, others])
})
