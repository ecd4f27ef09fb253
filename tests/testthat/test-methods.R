# The formulas of sections 4 to 6, 10 and 11 of vignette("methods"), implemented from its text and from ?gain_prior in
# plain R with dense matrices, for a tiny collection. Nothing here calls the functions that it tests. A change of the
# model must change the vignette and this file in the same commit. helper-methods.R has the parts that several tests
# use.

test_that("prior and posterior agree with section 6 of the Methods vignette", {
  x <- small_collection()
  d <- dense_collection(x)
  model <- gain_prior()
  f <- dense_features(d)
  used <- colnames(f)
  prior <- dense_prior(d, f, model, model$coefficient[used], prior_of(model, f),
                       stated(model$variance, model$variance_sd))
  nothing <- joint_gains(x, model, judgments = judgments_of(x)[0, ])
  expect_dense(nothing, prior, d, integer())
  judged <- c(3, 10, 11, 30, 52, 60, 75)
  given <- joint_gains(x, model, judgments = judgments_of(x)[judged, ], update = FALSE)
  expect_dense(given, dense_posterior(prior, judged, d$gain[judged]), d, judged)
})

test_that("extreme means, selected documents and systems with few common documents agree with the vignette", {
  x <- small_collection()
  d <- dense_collection(x)
  f <- dense_features(d)
  pairs <- judgments_of(x)
  judged <- c(3, 10, 11, 30, 52, 60, 75)
  # The variance of the logit of a mean is limited to 9; means are limited to [.03, .97] and, for the intercept, [.1,
  # .9].
  model <- gain_prior(mean = .01, mean_sd = 4)
  prior <- dense_prior(d, f, model, model$coefficient[colnames(f)], prior_of(model, f),
                       stated(model$variance, model$variance_sd))
  expect_dense(joint_gains(x, model, judgments = pairs[judged, ], update = FALSE),
               dense_posterior(prior, judged, d$gain[judged]), d, judged)

  model <- gain_prior()
  selected <- cbind(f, selected = replace(numeric(nrow(f)), judged[1:4], 1))
  with_slope <- add_coefficients(model, c(selected = 0), .3^2)
  prior <- dense_prior(d, selected, with_slope, with_slope$coefficient[colnames(selected)],
                       prior_of(with_slope, selected), stated(model$variance, model$variance_sd))
  told <- cbind(pairs[judged, ], audit = seq_along(judged) > 4)
  expect_dense(joint_gains(x, model, judgments = told, update = FALSE), dense_posterior(prior, judged, d$gain[judged]),
               d, judged)

  # Every system is a team, and few documents are retrieved by two systems.
  x <- small_collection(documents = 600, teams = 6, overlap = .08)
  d <- dense_collection(x)
  n <- dense_overlap(d)
  expect_lt(n, 1.5)
  f <- dense_features(d)
  v <- model$variance
  of_systems <- c("query:system", "system", "system:popularity")
  v[of_systems] <- v[of_systems] + v[sub("system", "team", of_systems)]
  v[sub("system", "team", of_systems)] <- 0
  v[["system"]] <- v[["system"]] * (1 + 7 * (3 - 2 * n))
  sd <- model$variance_sd
  sd[["residual"]] <- sd[["residual"]] + .2 * (3 - 2 * n)
  prior <- dense_prior(d, f, model, model$coefficient[colnames(f)], prior_of(model, f),
                       stated(v, sd, .375 - .125 * (3 - 2 * n)))
  gains <- joint_gains(x, model, judgments = judgments_of(x)[judged, ], update = FALSE)
  expect_dense(gains, dense_posterior(prior, judged, d$gain[judged]), d, judged)
  expect_equal(gains$model$variance_sd, sd)
})

test_that("priors for collections of answers, with and without shared answers, agree with the vignette", {
  answers <- data.frame(system = rep(c("a", "b", "c"), each = 4), query = rep(1:4, 3), rank = 1,
                        doc = c("x", "x", "x", "x", "x", "x", "y", "y", "x", "y", "z", "y"))
  x <- test_collection(answers, k = 1, scale = 0:1)
  given <- function(...) joint_gains(x, gain_prior(...))$model
  built_in <- gain_prior()
  # Without teams, the variances of teams are added to those of systems.
  with_teams <- function(v) v[["system"]] + v[["team"]]
  expect_equal(given()$variance[["system"]], 8 * with_teams(built_in$variance))
  expect_equal(given()$variance_sd, built_in$variance_sd)
  widened <- c("popularity", "share", "agreement", "list_agreement")
  times <- ifelse(names(built_in$coefficient) %in% widened, 4, 1)
  expect_equal(given()$coefficient_covariance, built_in$coefficient_covariance * tcrossprod(times))
  expect_identical(given()$coefficient, built_in$coefficient)
  # Values that the user gave are kept.
  own <- given(slope_sd = c(share = 1), slopes = c(agreement = 1), variances = c(system = .1, team = 0))
  expect_equal(own$variance[["system"]], .1)
  sd <- function(model) sqrt(diag(model$coefficient_covariance))
  expect_equal(sd(own)[widened], c(4, 1, 1, 4) * sd(gain_prior(slope_sd = c(share = 1)))[widened])
  # Lists of one document at a greater cutoff are answers, too; lists of more are not.
  deeper <- suppressWarnings(test_collection(answers, k = 3, scale = 0:1))
  expect_equal(joint_gains(deeper, built_in)$model$variance, given()$variance)
  more <- data.frame(system = "a", query = 1, rank = 2, doc = "z")
  lists <- suppressWarnings(test_collection(rbind(answers, more), k = 3, scale = 0:1))
  expect_equal(joint_gains(lists, built_in)$model$coefficient_covariance, built_in$coefficient_covariance)
})

# Section 6, estimation: the coefficients at given variances, by at most six Gauss-Newton steps, and their log marginal
# likelihood at the last point.
dense_coefficients <- function(d, x, model, variance, judged, beta = model$coefficient[colnames(x)],
                               error = prior_of(model, x)) {
  for (step in 1:6) {
    prior <- dense_prior(d, x, model, beta, error, variance)
    y <- d$gain[judged] - prior$mean[judged]
    on <- prior_of(model, x) %*% t(prior$gradient[judged, ])
    total <- prior$covariance[judged, judged]
    move <- model$coefficient[colnames(x)] + as.vector(on %*% solve(total, y)) - beta
    beta <- beta + move * min(1, 1.5 / max(abs(move)))
    error <- prior_of(model, x) - on %*% solve(total, t(on))
    if (max(abs(move)) < 1e-3) break
  }
  list(beta = beta, error = error, log_likelihood = log_likelihood(prior, judged, d$gain[judged]))
}

# The mode of the variances at given coefficients. The logs of the variances of systems and teams have correlation .4.
dense_variances <- function(d, x, model, at, judged, terms, start) {
  of_systems <- grepl("system|team", terms)
  correlation <- ifelse(outer(of_systems, of_systems, "&"), .4, 0)
  diag(correlation) <- 1
  precision <- solve(correlation * tcrossprod(model$variance_sd[terms]))
  minus <- function(v) {
    away <- v - log(model$variance[terms])
    prior <- dense_prior(d, x, model, at$beta, at$error, replace(model$variance, terms, exp(v)))
    sum(away * (precision %*% away)) / 2 - log_likelihood(prior, judged, d$gain[judged])
  }
  replace(model$variance, terms, exp(optim(log(start[terms]), minus, method = "BFGS",
                                           control = list(reltol = 1e-12, maxit = 200))$par))
}

test_that("estimated coefficients and variances agree with section 6 of the vignette", {
  x <- small_collection()
  d <- dense_collection(x)
  model <- gain_prior()
  f <- dense_features(d)
  judged <- seq(2, length(d$query), by = 2)
  gains <- joint_gains(x, model, judgments = judgments_of(x)[judged, ])
  fit <- gains$fit
  # Coefficients and variances are estimated in turn until the variances change by less than 2%, at most twice.
  variance <- model$variance
  at <- list(beta = model$coefficient[colnames(f)], error = prior_of(model, f))
  for (round in 1:2) {
    at <- dense_coefficients(d, f, model, variance, judged, at$beta, at$error)
    before <- variance
    variance <- dense_variances(d, f, model, at, judged, names(variance), before)
    if (max(abs(log(variance / before))) < .02) break
  }
  at <- dense_coefficients(d, f, model, variance, judged, at$beta, at$error)
  # The package stops when the objective would improve by less than 1e-5: each parameter is then within .005 standard
  # deviations of the mode.
  expect_lt(max(abs(log(fit$variance / variance)) / fit$variance_sd), .005)
  found <- fitted_coefficients(fit)
  expect_lt(max(abs(found$mean - at$beta) / sqrt(diag(at$error))), .005)
  # Given these estimates, the posterior must agree exactly.
  prior <- dense_prior(d, f, model, found$mean, found$covariance, stated(fit$variance, fit$variance_sd))
  expect_dense(gains, dense_posterior(prior, judged, d$gain[judged]), d, judged)
})

# Section 10: the features of teams that the grades may favour.
dense_favours <- function(d, between) {
  over <- function(v) as.vector(crossprod(d$member, v)) / colSums(d$member)
  agreement <- over(dense_features(d)[, "list_agreement"])
  average <- over(between)
  excess <- pmax(stats::residuals(stats::lm(average ~ agreement)), 0)
  of_team <- apply(excess * d$team, 2, max)
  teams <- order(of_team, decreasing = TRUE)[seq_len(sum(of_team > 0))]
  favours <- vapply(teams, function(team) {
    v <- 0 * between
    for (round in 1:10) v <- v - as.vector(d$member %*% (over(v) - excess * d$team[, team])) / rowSums(d$member)
    v
  }, between)
  structure(favours, dimnames = list(NULL, paste0("favour:", teams)))
}

# Section 10: the features of grades, their prior, and the mixture of the priors of belief and doubt.
dense_graded <- function(d, grade) {
  levels <- sort(unique(grade))[-1]
  steps <- outer(grade, levels, ">=") * 1
  colnames(steps) <- paste0("grade>=", levels)
  mean <- stats::setNames(c(1.7, rep(.7, length(levels) - 1)), colnames(steps))
  worth <- as.vector(steps %*% mean)
  between <- (1 + .4 / length(levels)) * (worth - dense_within(d, worth))
  features <- scale(cbind(apply(steps, 2, dense_within, d = d), system_grades = between, dense_favours(d, between)),
                    scale = FALSE)
  plain <- gain_prior()
  within <- function(v) v - ave(v, d$query)
  shared <- within(dense_popularity(d))
  p <- min(sd(shared) / .7, 1)^.6
  r <- cor(within(worth), shared) / p
  s2 <- 1 / (length(grade) - length(unique(d$query))) / p^2
  believed <- max(0, (r / s2 + .23 / .12^2) / (1 / s2 + 1 / .12^2))
  sd <- c(.9, rep(.5, length(levels) - 1))
  favours <- grep("^favour:", colnames(features), value = TRUE)
  plain <- add_coefficients(plain, stats::setNames(0 * seq_along(favours), favours), diag(.8^2, length(favours)))
  believe <- add_coefficients(plain, mean, tcrossprod(sd) * (1 + diag(length(sd))) / 2)
  believe$coefficient[c("agreement", "list_agreement")] <-
    believe$coefficient[c("agreement", "list_agreement")] * (1 - believed) / 2
  output <- c("popularity", "share", "rank", "agreement", "list_agreement")
  narrower <- ifelse(names(believe$coefficient) %in% output, .5, 1)
  believe$coefficient_covariance <- believe$coefficient_covariance * tcrossprod(narrower)
  terms <- c("system", "team", "system:popularity", "team:popularity")
  believe$variance[terms] <- believe$variance[terms] * max(1 - 2 * believed, .15)
  doubt <- add_coefficients(plain, 0 * mean, diag(.3^2, length(sd)))
  doubt$coefficient["system_grades"] <- 0
  between_teams <- c("system_grades", favours)
  doubt$coefficient_covariance[between_teams, between_teams] <- diag(.3^2, length(between_teams))
  list(features = features, believe = believe, doubt = doubt,
       odds = min(2, log(dnorm(max(r, 0), .23, sqrt(.12^2 + s2))) - log(dnorm(max(r, 0), 0, sqrt(.02^2 + s2))) +
         min(r, 0) / sqrt(.02^2 + s2)))
}

dense_mixture <- function(of, odds) {
  w <- plogis(odds)
  one <- of$believe
  two <- of$doubt
  apart <- one$coefficient - two$coefficient
  logs <- log(one$variance) - log(two$variance)
  list(coefficient = w * one$coefficient + (1 - w) * two$coefficient,
       coefficient_covariance = w * one$coefficient_covariance + (1 - w) * two$coefficient_covariance +
         2.2 * w * (1 - w) * tcrossprod(apart),
       variance = exp(w * log(one$variance) + (1 - w) * log(two$variance)),
       variance_sd = sqrt(one$variance_sd^2 + w * (1 - w) * logs^2))
}

test_that("the model with grades agrees with section 10 of the vignette", {
  x <- small_collection()
  d <- dense_collection(x)
  pairs <- judgments_of(x)
  set.seed(1)
  grade <- pmin(pmax(pairs$gain + sample(-1:1, nrow(pairs), TRUE), 0), 2)
  grades <- data.frame(pairs[c("query", "doc")], grade)
  of <- dense_graded(d, grade)
  f <- cbind(dense_features(d), of$features)
  judged <- seq(3, length(d$query), by = 4)

  gains <- joint_gains(x, gain_prior(), judgments = pairs[0, ], grades = grades)
  expect_equal(gains$fit$grader_odds, of$odds, tolerance = 1e-8)
  model <- dense_mixture(of, of$odds)
  prior <- dense_prior(d, f, model, model$coefficient[colnames(f)], prior_of(model, f),
                       stated(model$variance, model$variance_sd))
  expect_dense(gains, prior, d, integer())

  given <- joint_gains(x, gain_prior(), judgments = pairs[judged, ], grades = grades)
  evidence <- vapply(of[c("believe", "doubt")], function(one) {
    dense_coefficients(d, f, one, model$variance, judged)$log_likelihood
  }, 0)
  odds <- of$odds + evidence[["believe"]] - evidence[["doubt"]]
  expect_equal(given$fit$grader_odds, odds, tolerance = 1e-6)
  model <- dense_mixture(of, given$fit$grader_odds)
  fit <- given$fit
  # The estimates refer to rotated features that are independent a priori; the rotation does not affect gains.
  turned <- judicious:::fitted_coefficients(fit)
  prior <- dense_prior(d, f, model, turned$mean, turned$covariance, stated(fit$variance, fit$variance_sd))
  expect_dense(given, dense_posterior(prior, judged, d$gain[judged]), d, judged)
})

# Section 5: `steps` judgments of Algorithm 1 from the output-based and the judgment-based model, with the confidence
# before each.
dense_mtc <- function(x, d, output, judge, steps) {
  moments <- function(model, features) {
    p <- predict(model, features, type = "prob")
    value <- seq_len(ncol(p)) - 1
    list(mean = as.vector(p %*% value), variance = as.vector(p %*% value^2) - as.vector(p %*% value)^2)
  }
  features <- output_features(x)
  now <- moments(output, features)
  gain <- 2 * d$gain
  c <- rowSums(d$member)
  order <- order(-c * (ncol(d$member) - c), seq_along(c))
  known <- rep(FALSE, length(c))
  confidence <- numeric()
  for (t in 0:steps) {
    if (t > 0) {
      pair <- order[t]
      known[pair] <- TRUE
      now$mean[pair] <- gain[pair]
      now$variance[pair] <- 0
      if (t %% 20 == 0) {
        of_system <- vapply(seq_len(ncol(d$member)), function(a) mean(gain[known & d$member[, a] == 1]), 0)
        features$aSYS <- vapply(seq_along(c), function(i) mean(of_system[d$member[i, ] == 1], na.rm = TRUE), 0)
        features$aART <- vapply(seq_along(c), function(i) {
          mean(gain[known & d$query == d$query[i] & d$artist == d$artist[i]])
        }, 0)
        again <- which(!known & is.finite(features$aSYS) & is.finite(features$aART))
        new <- moments(judge, features[again, ])
        now$mean[again] <- new$mean
        now$variance[again] <- new$variance
      }
    }
    ranking <- dense_ranking(list(mean = now$mean, covariance = diag(now$variance)), d$weight, range = 1)
    confidence <- c(confidence, mean(ranking$confidence))
  }
  list(pair = order[seq_len(steps)], confidence = confidence, ranking = ranking)
}

test_that("minimal test collections agree with section 5 of the vignette", {
  x <- small_collection()
  d <- dense_collection(x)
  output <- mirex_model("output", "broad")
  judge <- mirex_model("judge", "broad")
  dense <- dense_mtc(x, d, output, judge, 43)
  run <- mtc(x, NULL, output, judge, stop = "never", budget = 43, progress = FALSE)
  pairs <- judgments_of(x)
  expect_equal(judgments_of(run)[c("query", "doc")], pairs[dense$pair, c("query", "doc")], ignore_attr = TRUE)
  expect_equal(as.data.frame(run)$confidence, dense$confidence, tolerance = 1e-8)
  ranking <- rank_systems(run)
  expect_equal(unname(ranking$mean), dense$ranking$mean, tolerance = 1e-8)
  expect_equal(unname(ranking$covariance), dense$ranking$covariance, tolerance = 1e-8)
  # Section 4: a minimal difference `delta`, and comparisons with variance 0.
  apart <- rank_systems(x, uniform_gains(x), delta = .05)
  uniform <- dense_ranking(list(mean = rep(1, nrow(pairs)), covariance = diag(2 / 3, nrow(pairs))), d$weight, range = 1)
  expect_equal(ranking_confidence(apart), mean(pnorm((abs(uniform$difference) - .05) / sqrt(uniform$variance))),
               tolerance = 1e-8)
  # If everything is judged, the confidence in a pair is 1; pairs of equal systems do not count.
  certain <- dense_ranking(list(mean = 2 * d$gain, covariance = 0 * diag(nrow(pairs))), d$weight, range = 1)
  apart <- certain$difference != 0
  expect_equal(ranking_confidence(rank_systems(x, judgments = pairs)), mean(certain$confidence[apart]))
})

# Section 11: leniencies and error variances from judgments with columns `pair`, `gain` (0 to 1) and `assessor`.
dense_assessors <- function(judged) {
  who <- sort(unique(judged$assessor))
  both <- merge(judged, judged, by = "pair")
  both <- both[both$assessor.x < both$assessor.y, ]
  times <- table(judged$pair)
  weight <- 2 / as.vector(times[as.character(both$pair)])
  a <- match(both$assessor.x, who)
  b <- match(both$assessor.y, who)
  difference <- both$gain.y - both$gain.x
  error <- rep(.04, length(who))
  for (round in 1:20) {
    design <- outer(b, seq_along(who), "==") - outer(a, seq_along(who), "==")
    precision <- weight / (error[a] + error[b])
    leniency <- as.vector(solve(diag(1 / .025, length(who)) + crossprod(design, precision * design),
                                crossprod(design, precision * difference)))
    left <- (difference - design %*% leniency)^2
    expected <- function(own, other) (own / (own + other))^2 * left + own * other / (own + other)
    of_a <- weight * expected(error[a], error[b])
    of_b <- weight * expected(error[b], error[a])
    sum <- vapply(seq_along(who), function(i) sum(of_a[a == i]) + sum(of_b[b == i]), 0)
    count <- vapply(seq_along(who), function(i) sum(weight[a == i]) + sum(weight[b == i]), 0)
    error <- (25 * .04 + sum) / (25 + count)
  }
  typical <- (25 * .04 + sum(count * error)) / (25 + sum(count))
  list(who = who, leniency = leniency, error = error, typical = typical)
}

test_that("leniencies, errors and rankings of assessors agree with section 11 of the vignette", {
  x <- small_collection()
  d <- dense_collection(x)
  pairs <- judgments_of(x)
  set.seed(2)
  judged <- rbind(data.frame(pair = 1:24, assessor = "a"), data.frame(pair = 11:30, assessor = "b"),
                  data.frame(pair = c(5:14, 40:44), assessor = "c"))
  heard <- pairs$gain[judged$pair] + sample(-1:1, nrow(judged), TRUE, c(.2, .6, .2)) + (judged$assessor == "b")
  judged$gain <- pmin(pmax(heard, 0), 2) / 2
  table <- data.frame(pairs[judged$pair, c("query", "doc")], gain = 2 * judged$gain, assessor = judged$assessor)
  gains <- joint_gains(x, gain_prior(), judgments = table, update = FALSE)
  of <- dense_assessors(judged)
  found <- judicious:::assessor_errors(gains$record, x$scale)
  expect_equal(found[c("who", "leniency", "error", "typical")], of, tolerance = 1e-8)

  # Combines the judgments to estimates of the judgments of `target`.
  combine <- function(target) {
    at <- match(judged$assessor, of$who)
    away <- of$leniency[at]
    error <- of$error[at]
    if (target %in% of$who) away <- ifelse(judged$assessor == target, 0, away - of$leniency[match(target, of$who)])
    value <- pmin(pmax(judged$gain - away, 0), 1)
    if (target %in% of$who) {
      own <- judged$pair[judged$assessor == target]
      keep <- judged$assessor == target | !judged$pair %in% own
      value <- replace(value, judged$assessor == target, judged$gain[judged$assessor == target])[keep]
      error <- error[keep]
      pair <- judged$pair[keep]
    } else {
      own <- integer()
      pair <- judged$pair
    }
    total <- tapply(1 / error, pair, sum)
    extra <- if (target %in% of$who) of$error[match(target, of$who)] else 0
    at <- as.integer(names(total))
    list(pair = at, gain = as.vector(tapply(value / error, pair, sum) / total),
         noise = ifelse(at %in% own, 0, as.vector(1 / total) + extra))
  }
  f <- dense_features(d)
  model <- gain_prior()
  prior <- dense_prior(d, f, model, model$coefficient[colnames(f)], prior_of(model, f),
                       stated(model$variance, model$variance_sd))
  # The share of the errors that is common to a query, from the pairs judged more than once.
  again <- judged[judged$pair %in% judged$pair[duplicated(judged$pair)], ]
  left <- again$gain - of$leniency[match(again$assessor, of$who)]
  left <- left - ave(left, again$pair)
  parts <- split(left, list(again$assessor, d$query[again$pair]), drop = TRUE)
  products <- unlist(lapply(parts, function(v) outer(v, v)[diag(length(v)) == 0]))
  several <- sum(lengths(parts) > 1)
  share <- min(max((10 * .3 + several * mean(products) / mean(left^2)) / (10 + several), 0), 1)
  for (target in c("consensus", "b", "another")) {
    known <- combine(target)
    posterior <- dense_posterior(prior, known$pair, known$gain, known$noise)
    dense <- dense_ranking(posterior, d$weight)
    ranking <- rank_systems(x, gains, assessor = target)
    expect_equal(unname(ranking$mean), dense$mean, tolerance = 1e-8)
    another <- target == "another"
    errors <- if (another) crossprod(2 * sqrt((1 - share) * of$typical) * d$weight[known$pair, ]) else 0
    count <- function(assessor) sum((table(assessor) / length(assessor))^2) + another
    if (target != "b") {
      for (q in unique(d$query[known$pair])) {
        on_query <- 2 * colSums(d$weight[d$query == q, ])
        errors <- errors + share * of$typical * count(judged$assessor[d$query[judged$pair] == q]) * tcrossprod(on_query)
      }
      errors <- errors + count(judged$assessor) *
        (0.025 * tcrossprod(2 * colSums(d$weight)) + 0.007 * tcrossprod(dense$mean - mean(dense$mean)))
    }
    expect_equal(unname(ranking$covariance), dense$covariance + errors, tolerance = 1e-8)
  }
})

# Section 6, levels: the probabilities of reaching each level above the lowest, for gains with these means. The
# distances between cuts are learned from `told`: the means of judged pairs given the other judgments, and the levels of
# these pairs.
dense_levels <- function(levels, mean, told) {
  n <- length(levels) - 2
  position <- if (n == 1) 0 else seq(-1, 1, length.out = n)
  degree <- min(2, n - 1)
  cuts <- function(shape) {
    c(0, cumsum(exp(min(.4, log(4.5 / n)) + as.vector(outer(position, 0:degree, "^") %*% shape))))
  }
  at_least <- function(mean, cut) {
    t(vapply(pmin(pmax(mean, .001), .999), function(m) {
      location <- uniroot(function(eta) sum(diff(levels) * plogis(eta - cut)) - m,
                          qlogis(m) + c(-1e-9, max(cut) + 1e-9), tol = 1e-12)$root
      plogis(location - cut)
    }, cut))
  }
  minus <- function(shape) {
    if (max(abs(shape)) > 5) return(1e6)  # keeps the search away from extreme values
    p <- cbind(1, at_least(told$mean, cuts(shape)), 0)
    row <- seq_along(told$level)
    sum(shape^2) / (2 * .5^2) - sum(log(p[cbind(row, told$level)] - p[cbind(row, told$level + 1)]))
  }
  at_least(mean, cuts(optim(numeric(degree + 1), minus, method = "BFGS", control = list(reltol = 1e-12))$par))
}

test_that("draws of gain levels have the probabilities in section 6 of the vignette", {
  x <- small_collection()
  x <- test_collection(as.data.frame(x), x$documents, x$systems, x$queries[c("query", "genre")], k = 5,
                       judgments = transform(judgments_of(x), gain = c(0, 1, 4)[gain + 1] + seq_along(gain) %% 2),
                       scale = gain_scale(0:5))
  d <- dense_collection(x)
  d$gain <- judgments_of(x)$gain / 5
  f <- dense_features(d)
  model <- gain_prior()
  prior <- dense_prior(d, f, model, model$coefficient[colnames(f)], prior_of(model, f),
                       stated(model$variance, model$variance_sd))
  # With few judgments, the prior of the distances counts; with many, the judgments do.
  for (by in c(2, 30)) {
    judged <- seq(1, nrow(f), by = by)
    inverse <- solve(prior$covariance[judged, judged])
    told <- list(mean = d$gain[judged] - as.vector(inverse %*% (d$gain - prior$mean)[judged]) / diag(inverse),
                 level = 5 * d$gain[judged] + 1)
    posterior <- dense_posterior(prior, judged, d$gain[judged])
    open <- setdiff(seq_len(nrow(f)), judged)
    p <- dense_levels((0:5) / 5, posterior$mean[open], told)
    draws <- 4000
    gains <- joint_gains(x, model, judgments = judgments_of(x)[judged, ], update = FALSE)
    drawn <- simulate(gains, draws, seed = 1)
    drawn <- as.matrix(drawn[match(paste(judgments_of(x)$query, judgments_of(x)$doc)[open],
                                   paste(drawn$query, drawn$doc)), -(1:2)])
    share <- vapply(1:5, function(level) rowMeans(drawn >= level), numeric(length(open)))
    expect_lt(max(abs(share - p) / sqrt(p * (1 - p) / draws)), 4.5)
  }
})
