x <- simulate_collection(queries = 6, documents = 80, artists = 15, systems = 4, scale = gain_scale(0:3), seed = 8)
judged <- judgments_of(x)
weight <- pair_weights(x, seq_len(n_pairs(x)))

# Judgments of the given rows by two assessors, of whom the second is more lenient.
by_two <- function(rows, again) {
  rbind(cbind(judged[rows, ], assessor = "ann"),
        transform(judged[again, ], gain = pmin(gain + rep_len(0:1, length(again)), 3), assessor = "bob"))
}

test_that("judgments of a single assessor give the same ranking with and without the assessor's name", {
  half <- judged[seq(1, nrow(judged), 2), ]
  plain <- rank_systems(x, judgments = half)
  named <- rank_systems(x, judgments = cbind(half, assessor = "ann"))
  expect_identical(named[c("mean", "covariance")], plain[c("mean", "covariance")])
})

test_that("the gain of a document with several judgments is their mean, corrected for leniency", {
  rows <- seq(1, nrow(judged), 2)
  both <- by_two(rows, rows[1:20])
  gains <- joint_gains(x, gain_prior(), judgments = both, update = FALSE)
  errors <- assessor_errors(assessor_record(x, both), x$scale)
  expect_identical(errors$who, c("ann", "bob"))
  expect_gt(errors$leniency[2], errors$leniency[1])
  precision <- 1 / errors$error
  for (row in rows[c(1, 2, 30)]) {
    of <- both$query == judged$query[row] & both$doc == judged$doc[row]
    at <- match(both$assessor[of], errors$who)
    value <- pmin(pmax(both$gain[of] - 3 * errors$leniency[at], 0), 3)
    expect_equal(gains$gain[find_pairs(x, judged$query[row], judged$doc[row])], weighted.mean(value, precision[at]))
  }
  ranking <- rank_systems(x, gains)
  expect_identical(rank_systems(x, gains, assessor = "these")$covariance, ranking$covariance)
})

test_that("a final judgment replaces all others of its document", {
  both <- cbind(by_two(1:20, 1:20), final = FALSE)
  lead <- transform(judged[1:2, ], gain = 3 - gain, assessor = "lea", final = TRUE)
  record <- assessor_record(x, rbind(both, lead))
  known <- combined_judgments(record, n_pairs(x), x$scale, "consensus")
  at <- find_pairs(x, lead$query, lead$doc)
  expect_identical(known$gain[at], lead$gain)
  expect_identical(known$noise[at], c(0, 0))
  expect_identical(known$errors, assessor_errors(assessor_record(x, both), x$scale))
})

# The covariance that errors of an assessor cause between documents: errors common to a judged query, leniency, and the
# assessor's scaling of differences between systems.
common_covariance <- function(mean, queries) {
  of_queries <- lapply(unique(queries), function(q) tcrossprod(colSums(weight[x$pool$query == q, ])))
  9 * (assessor_prior$query * assessor_prior$error * Reduce(`+`, of_queries) +
    assessor_prior$leniency * tcrossprod(colSums(weight))) +
    assessor_prior$scale * tcrossprod(unname(mean) - mean(mean))
}

test_that("uncertainty about the consensus includes judgment errors, which further judgments reduce", {
  rows <- seq(1, nrow(judged), 2)
  one <- cbind(judged[rows, ], assessor = "ann")
  gains <- joint_gains(x, gain_prior(), judgments = one)
  # Each judgment is a noisy observation, with errors that documents share.
  noise <- ifelse(is.na(gains$gain), 0, assessor_prior$error)
  expected <- posterior_system_moments(rejudged_gains(gains, gains$gain, noise))
  consensus <- rank_systems(x, gains, assessor = "consensus")
  expect_equal(unname(consensus$mean), expected$mean)
  common <- common_covariance(consensus$mean, x$pool$query[!is.na(gains$gain)])
  expect_equal(unname(consensus$covariance) - expected$covariance, common)
  # Another assessor also has errors, both independent ones for each judged document and shared ones.
  another <- rank_systems(x, gains, assessor = "another")
  known <- weight[!is.na(gains$gain), ]
  own <- 9 * (1 - assessor_prior$query) * assessor_prior$error * crossprod(known)
  expect_equal(unname(another$covariance - consensus$covariance), own + common)
  expect_equal(another$difference_variance, difference_variance_cpp(another$covariance), ignore_attr = TRUE)
  expect_lt(ranking_confidence(another), ranking_confidence(consensus))
  expect_output(print(another), "Confidence that another assessor would agree")
  expect_output(print(rank_systems(x, judgments = one, assessor = "consensus")), "in the consensus of assessors")
  # Every document is judged twice, with the same gains.
  twice <- joint_gains(x, gain_prior(), judgments = rbind(one, transform(one, assessor = "bob")))
  expect_true(all(diag(rank_systems(x, twice, assessor = "consensus")$covariance) < diag(consensus$covariance)))
})

test_that("before any judgment, rankings for all assessors are equal", {
  gains <- joint_gains(x, gain_prior(), judgments = judged[0, ])
  expect_equal(rank_systems(x, gains, assessor = "another")$covariance, rank_systems(x, gains)$covariance)
})

test_that("a named assessor's own judgments are exact for that assessor, and have errors for others", {
  all_of <- cbind(judged, assessor = "ann")
  some <- transform(judged[1:30, ], gain = 3 - gain, assessor = "bob")
  ann <- rank_systems(x, judgments = rbind(all_of, some), assessor = "ann")
  expect_equal(unname(ann$mean), unname(rank_systems(x, judgments = judged)$mean))
  expect_true(all(abs(ann$covariance) < 1e-12))
  record <- assessor_record(x, rbind(all_of, some))
  bob <- combined_judgments(record, n_pairs(x), x$scale, "bob")
  at <- find_pairs(x, some$query, some$doc)
  expect_identical(bob$gain[at], some$gain)
  expect_identical(bob$noise[at], numeric(30))
  errors <- assessor_errors(record, x$scale)
  expect_equal(unique(bob$noise[-at]), sum(errors$error))
  moved <- pmin(pmax(judged$gain[-at] + 3 * diff(errors$leniency), 0), 3)
  expect_equal(bob$gain[-at], moved)
})

test_that("print() states the confidence for another assessor, and for the consensus", {
  some <- judged[seq(1, nrow(judged), 2), ]
  ranking <- rank_systems(x, judgments = some)
  confidence <- ranking_confidence(rank_systems(x, judgments = some, assessor = "another"))
  expect_output(print(ranking), sprintf("differently: confidence %.3f that one orders a pair alike", confidence))
  twice <- rbind(cbind(some, assessor = "ann"), cbind(some[1, ], assessor = "bob"))
  stated <- function(target) ranking_confidence(rank_systems(x, judgments = twice, assessor = target))
  expect_match(other_assessor_note(rank_systems(x, judgments = twice)),
               sprintf("%.3f that one orders a pair alike, %.3f in the consensus", stated("another"), stated("consensus")))
  everything <- rbind(cbind(judged, assessor = "ann"), cbind(judged, assessor = "bob"))
  everything$gain[1:20] <- 3 - everything$gain[1:20]
  all_known <- rank_systems(x, judgments = everything)
  expect_true(all(all_known$covariance == 0))
  expect_match(other_assessor_note(all_known), "confidence 0[.]")
  expect_null(other_assessor_note(rank_systems(x, judgments = some, assessor = "consensus")))
  expect_null(other_assessor_note(rank_systems(x, judgments = FALSE)))
  expect_null(other_assessor_note(rank_systems(x, judgments = some, measure = "AP@5", seed = 1)))
  # The grades cover all documents, so one judgment changes little, and another assessor's confidence may be the same.
  # The note is then left out.
  unsaid <- vapply(1:6, function(i) {
    confidence <- function(assessor) {
      sprintf("%.3f", ranking_confidence(rank_systems(x, judgments = some[i, ], grades = judged, assessor = assessor)))
    }
    note <- other_assessor_note(rank_systems(x, judgments = some[i, ], grades = judged))
    expect_identical(is.null(note), confidence("another") >= confidence("these"))
    is.null(note)
  }, NA)
  expect_true(any(unsaid))
})

test_that("with the same estimates, a ranking for another assessor has more variance and less confidence", {
  higher <- vapply(1:6, function(i) {
    these <- rank_systems(x, judgments = judged[i, ])
    another <- rank_systems(x, judgments = judged[i, ], assessor = "another")
    expect_true(all(another$difference_variance >= these$difference_variance - 1e-12))
    as_estimated <- another
    as_estimated$mean <- these$mean
    expect_lt(ranking_confidence(as_estimated), ranking_confidence(these))
    ranking_confidence(another) > ranking_confidence(these)
  }, NA)
  expect_true(any(higher))
})

test_that("rankings with independent gains add the variances of judgment errors", {
  gains <- uniform_gains(x)
  gains$mean[1:10] <- 1
  gains$variance[1:10] <- 0
  gains$judged[1:10] <- TRUE
  these <- rank_systems(x, gains)
  another <- rank_systems(x, gains, assessor = "another")
  # The difference consists of the errors of the assessor who judged, and those of another assessor.
  common <- common_covariance(these$mean, x$pool$query[1:10])
  expect_equal(unname(another$covariance - these$covariance),
               9 * (2 - assessor_prior$query) * assessor_prior$error * crossprod(weight[1:10, ]) + 2 * common)
})

test_that("errors and leniencies are posterior modes, and close to the truth in simulated judgments", {
  n <- 600
  drawn <- with_seed(2, {
    consensus <- stats::runif(n)
    who <- t(replicate(n, sample(c("ann", "bob", "cleo"), 2)))
    leniency <- c(ann = 0.2, bob = -0.1, cleo = -0.1)
    sd <- c(ann = 0.1, bob = 0.3, cleo = 0.2)
    gain <- function(i) consensus + leniency[who[, i]] + stats::rnorm(n, sd = sd[who[, i]])
    data.frame(pair = rep(seq_len(n), 2), gain = c(gain(1), gain(2)), assessor = c(who), final = FALSE)
  })
  scale <- gain_scale(c(0, 0.5, 1))
  found <- assessor_errors(drawn, scale)
  expect_equal(found$leniency, c(0.2, -0.1, -0.1), tolerance = 0.15)
  expect_equal(found$error, c(0.01, 0.09, 0.04), tolerance = 0.25)
  first <- match(drawn$assessor[1:n], found$who)
  second <- match(drawn$assessor[n + 1:n], found$who)
  difference <- drawn$gain[n + 1:n] - drawn$gain[1:n]
  log_posterior <- function(p) {
    error <- exp(p[4:6])
    of <- assessor_prior
    prior <- -of$judgments / 2 * sum(p[4:6] + of$error / error) - sum(p[1:3]^2) / (2 * of$leniency)
    prior + sum(stats::dnorm(difference, p[second] - p[first], sqrt(error[first] + error[second]), log = TRUE))
  }
  mode <- stats::optim(c(0, 0, 0, log(rep(0.05, 3))), log_posterior, method = "BFGS",
                       control = list(fnscale = -1, reltol = 1e-12))
  expect_equal(c(found$leniency, log(found$error)), mode$par, tolerance = 1e-3)
  # For assessors without judgments, the typical error and no leniency are assumed.
  expect_identical(error_variance_of(found, c("bob", "dan")), c(found$error[2], found$typical))
  expect_identical(leniency_of(found, c("bob", "dan")), c(found$leniency[2], 0))
})

test_that("without documents judged twice, judgment errors follow the prior", {
  record <- assessor_record(x, cbind(judged[1:10, ], assessor = rep(c("ann", "bob"), 5)))
  found <- assessor_errors(record, x$scale)
  expect_identical(found, list(who = character(), leniency = numeric(), error = numeric(),
                               typical = assessor_prior$error, noise = 0))
  known <- combined_judgments(record, n_pairs(x), x$scale)
  expect_identical(known$gain[record$pair], record$gain)
})

test_that("judgments of assessors who may judge at random count with the probability that they do not", {
  # The expected posterior odds that assessors judge at random: the prior odds times the likelihood ratio of the mean
  # product of their residuals.
  rows <- 1:40
  noise <- with_seed(3, rbind(transform(judged[rows, ], gain = sample(gain), assessor = "ann"),
                              transform(judged[rows, ], gain = sample(gain), assessor = "bob")))
  record <- assessor_record(x, noise)
  errors <- assessor_errors(record, x$scale)
  left <- matrix(record$gain / 3, 40) - mean(record$gain / 3)
  left <- t(t(left) - colSums(left) / (40 + mean(left^2) / assessor_prior$leniency))
  precision <- 1 / errors$error
  unit <- sum(t(left^2) * precision) / (40 * sum(precision))
  product <- left[, 1] * left[, 2] / unit
  given <- function(share) stats::dnorm(mean(product), share, sqrt(mean(product^2) / 40))
  other <- stats::integrate(given, 0, 1)$value
  prior <- assessor_prior$noise
  posterior <- given(0) * prior / (given(0) * prior + other * (1 - prior))
  expected <- (posterior - prior) / (1 - prior)
  expect_equal(errors$noise, expected, tolerance = 1e-3)
  expect_gt(expected, 0.2)
  # Assessors who agree do not count as random, and neither do a lead's final judgments.
  same <- rbind(transform(judged[rows, ], assessor = "ann"), transform(judged[rows, ], assessor = "bob"))
  expect_identical(assessor_errors(assessor_record(x, same), x$scale)$noise, 0)
  many <- with_seed(1, stats::runif(5000))
  many <- data.frame(who = rep(1:2, each = 5000), pair = rep(1:5000, 2), value = c(many, many), precision = 25)
  expect_identical(noise_probability(many, assessor_prior), 0)
  final <- rbind(cbind(noise, final = FALSE), transform(judged[rows, ], assessor = "lea", final = TRUE))
  expect_identical(combined_judgments(assessor_record(x, final), n_pairs(x), x$scale)$doubt, 0)
  # Means and covariances are those of a mixture.
  gains <- joint_gains(x, gain_prior(), judgments = noise)
  expect_equal(gains$doubt, errors$noise)
  taken <- rank_systems(x, replace(gains, "doubt", 0))
  before <- rank_systems(x, gain_prior(), judgments = FALSE)
  ranking <- rank_systems(x, gains)
  known <- 1 - gains$doubt
  expect_equal(ranking$mean, known * taken$mean + gains$doubt * before$mean)
  second <- function(r) r$covariance + tcrossprod(r$mean)
  expect_equal(second(ranking), known * second(taken) + gains$doubt * second(before))
  expect_equal(sum(uncertainty(ranking)$share), 1)
  # Draws come from the mixture, too.
  drawn <- function(gains) rank_systems(x, gains, measure = "nDCG@5", draws = 2000, seed = 1)
  unsure <- drawn(gains)
  expect_equal(unsure$mean, known * drawn(replace(gains, "doubt", 0))$mean +
                 gains$doubt * drawn(without_judgments(gains))$mean, tolerance = 0.01)
  # A session has the same estimates, and stays uncertain although every document is judged.
  s <- judging_session(x, judgments = noise)
  expect_equal(rank_systems(s)[c("mean", "covariance")], ranking[c("mean", "covariance")])
  expect_equal(s$engine$ranking$covariance, ranking$covariance)
})

test_that("rank_systems() of a session uses its judgments of all assessors", {
  s <- judging_session(x, judgments = FALSE, goal = goal_budget(30), overlap = 0.5, update_every = Inf, seed = 1)
  truth <- function(query, doc) judged$gain[judged$query == query & judged$doc == doc]
  run_session(s, truth, "ann", progress = FALSE)
  d <- next_documents(s, 1000, "bob")
  d <- d[d$overlap, ]
  judge(s, d$query, d$doc, pmin(truth(d$query[1], d$doc[1]) + seq_len(nrow(d)) %% 2, 3), "bob")
  expect_gt(nrow(d), 5)
  # With update_every = Inf, the session estimates no parameters, not even the coefficient "selected", by which gains of
  # selected and of random documents differ. Without the column "audit", joint_gains() does not use it either.
  made <- judgments_of(s)
  made$audit <- NULL
  for (assessor in c("these", "consensus", "another", "bob")) {
    gains <- joint_gains(x, gain_prior(), judgments = made, update = FALSE)
    expected <- rank_systems(x, gains, assessor = assessor)
    expect_equal(rank_systems(s, assessor = assessor)[c("mean", "covariance")], expected[c("mean", "covariance")])
  }
  expect_equal(rank_systems(s)$mean, s$engine$ranking$mean)
})

test_that("rank_systems() raises errors for invalid assessors and for measures that support none", {
  expect_snapshot(error = TRUE, {
    rank_systems(x, assessor = "everybody")
    rank_systems(x, judgments = by_two(1:5, 1:2), assessor = "everybody")
    rank_systems(x, assessor = "another", measure = "nDCG@5", seed = 1)
    rank_systems(x, judgments = rbind(by_two(1:5, 1:2), transform(by_two(1, 1), gain = 3 - gain)))
  })
})
