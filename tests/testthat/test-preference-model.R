some_answers <- function(seed = 1, n = 5, answers = 8) {
  judicious:::with_seed(seed, {
    pairs <- t(combn(letters[seq_len(n)], 2))
    row <- rep(seq_len(nrow(pairs)), each = answers)
    data.frame(query = "q", doc_a = pairs[row, 1], doc_b = pairs[row, 2], worker = rep(seq_len(answers), nrow(pairs)),
               answer = sample(c("a", "equal", "b"), length(row), TRUE, c(3, 2, 1)))
  })
}

# Maximises the log likelihood answer by answer, with free strengths (the last is 0) and the tie
# parameter.
slow_fit <- function(answers, probabilities) {
  docs <- unique(c(answers$doc_a, answers$doc_b))
  value <- function(x) {
    s <- c(x[-length(x)], 0)
    p <- probabilities(s[match(answers$doc_a, docs)] - s[match(answers$doc_b, docs)], x[length(x)])
    sum(log(p[cbind(seq_len(nrow(answers)), match(answers$answer, c("a", "equal", "b")))]))
  }
  start <- c(rep(0, length(docs) - 1), 0.5)
  best <- optim(start, value, method = "BFGS", control = list(fnscale = -1, reltol = 1e-15, maxit = 1000),
                hessian = TRUE)
  s <- c(best$par[-length(start)], 0)
  v <- solve(-best$hessian)[seq_len(length(docs) - 1), seq_len(length(docs) - 1)]
  list(strength = setNames(s - mean(s), docs), loglik = best$value, tie = best$par[length(start)], variance = v)
}
davidson <- function(u, delta) {
  p <- cbind(exp(u / 2), exp(delta), exp(-u / 2))
  p / rowSums(p)
}

test_that("a fit maximises the likelihood of Davidson's model", {
  answers <- some_answers()
  fit <- bradley_terry(answers, prior = 0)
  slow <- slow_fit(answers, davidson)
  expect_equal(setNames(fit$strengths$strength, fit$strengths$doc)[letters[1:5]], slow$strength, tolerance = 1e-5)
  expect_equal(fit$queries$tie, slow$tie, tolerance = 1e-5)
  expect_equal(fit$queries$loglik, slow$loglik, tolerance = 1e-9)
  # The variances of differences from the last document, whose strength is 0 in the slow fit.
  v <- fit$covariance$q
  to_last <- cbind(diag(4), -1)
  expect_equal(unname(to_last %*% v %*% t(to_last)), slow$variance, tolerance = 1e-3)
})

test_that("swapping the sides of all answers changes no estimate", {
  answers <- some_answers(2)
  swapped <- transform(answers, doc_a = doc_b, doc_b = doc_a, answer = c(a = "b", equal = "equal", b = "a")[answer])
  expect_equal(bradley_terry(answers)$strengths, bradley_terry(swapped)$strengths, tolerance = 1e-8)
})

test_that("the strength of a document that wins every pair is finite only with a prior", {
  answers <- data.frame(query = "q", doc_a = "x", doc_b = c("y", "z"), worker = rep(1:5, each = 2), answer = "a")
  expect_snapshot(error = TRUE, bradley_terry(answers, prior = 0))
  fit <- bradley_terry(answers)
  expect_equal(fit$strengths$doc[1], "x")
  expect_true(all(is.finite(fit$strengths$strength)))
  expect_equal(fit$queries$tie, -Inf) # nobody said equal
})

test_that("without ties, a fit agrees with the Bradley-Terry model fitted by glm()", {
  answers <- some_answers(3)
  answers <- answers[answers$answer != "equal", ]
  x <- sapply(letters[1:4], function(d) (answers$doc_a == d) - (answers$doc_b == d))
  reference <- glm((answers$answer == "a") ~ x - 1, family = binomial(), control = list(epsilon = 1e-14))
  strength <- c(coef(reference), 0)
  fit <- bradley_terry(answers, prior = 0)
  expect_equal(fit$strengths$strength[match(letters[1:5], fit$strengths$doc)], unname(strength - mean(strength)),
               tolerance = 1e-7)
})

test_that("a new group of documents starts where neighbours differ at the requested confidence", {
  better <- matrix(0.5, 4, 4)
  better[upper.tri(better)] <- c(0.6, 0.95, 0.7, 0.95, 0.92, 0.8)
  group <- function(rule) judicious:::group_by_rule(better >= 0.9, rule)
  expect_equal(group("previous"), c(1, 1, 1, 1))
  expect_equal(group("any"), c(1, 1, 2, 2))
  expect_equal(group("all"), c(1, 1, 1, 1))
  fit <- bradley_terry(some_answers(4, answers = 60))
  list <- ordered_list(fit, confidence = 0.9)
  p <- outer(list$strength, list$strength, function(a, b) a > b)
  expect_true(all(p[cbind(seq_len(4), 2:5)]))
  expect_true(is.na(list$confidence[1]))
  v <- fit$covariance$q
  second <- which(list$group == 2)
  above <- which(list$group == 1)
  by_hand <- min(outer(above, second, Vectorize(function(i, j) {
    d <- list$doc[c(i, j)]
    pnorm((list$strength[i] - list$strength[j]) / sqrt(sum(v[d, d] * c(1, -1, -1, 1))))
  })))
  expect_equal(list$confidence[second[1]], by_hand)
})

test_that("fits by bradley_terry() print", {
  expect_snapshot(bradley_terry(data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1:4,
                                           answer = c("a", "a", "equal", "b"))))
  expect_snapshot(error = TRUE,
                  bradley_terry(data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1, answer = NA)))
})

test_that("a worker may answer a pair in both orders, which count as two observations", {
  pairs <- utils::combn(c("x", "y", "z"), 2)
  once <- data.frame(query = "q", doc_a = pairs[1, ], doc_b = pairs[2, ], worker = "llm", answer = c("a", "a", "equal"))
  swapped <- data.frame(query = "q", doc_a = once$doc_b, doc_b = once$doc_a, worker = "llm",
                        answer = c("b", "a", "equal"))
  expect_equal(bradley_terry(rbind(once, swapped)), bradley_terry(rbind(once, transform(swapped, worker = "other"))))
  # If a worker prefers the first document in both orders, the answers cancel.
  first <- bradley_terry(rbind(once[2, ], swapped[2, ]))
  expect_equal(first$strengths$strength, c(0, 0))
  expect_error(bradley_terry(rbind(once, once[1, ])), "in each order", class = "judicious_error_duplicate")
  expect_error(preference_decisions(rbind(once, swapped)), "bradley_terry", class = "judicious_error_duplicate")
})

test_that("strengths of a Bradley-Terry model can be used as grades", {
  x <- simulate_collection(queries = 4, documents = 60, artists = 12, systems = 3, scale = gain_scale(0:3), seed = 5)
  pool <- judgments_of(x)
  answers <- do.call(rbind, lapply(split(pool, pool$query), function(own) {
    n <- nrow(own)
    data.frame(query = own$query[1], doc_a = own$doc[-n], doc_b = own$doc[-1], worker = "w",
               answer = c("b", "equal", "a")[sign(own$gain[-n] - own$gain[-1]) + 2])
  }))
  fit <- bradley_terry(answers)
  grades <- data.frame(fit$strengths[c("query", "doc")], grade = fit$strengths$strength)
  expected <- rank_systems(x, grades = grades, judgments = FALSE)
  for (given in list(fit, fit$strengths)) {
    expect_equal(rank_systems(x, grades = given, judgments = FALSE)$mean, expected$mean)
  }
})

test_that("documents that no chain of answers compares give one warning, with the first query", {
  joined <- data.frame(query = "q0", doc_a = c("a", "b"), doc_b = c("b", "c"), worker = "w", answer = c("a", "b"))
  expect_no_warning(bradley_terry(joined))
  apart <- data.frame(query = rep(c("q1", "q2"), each = 2), doc_a = c("a", "c"), doc_b = c("b", "d"), worker = "w",
                      answer = "a")
  warned <- list()
  withCallingHandlers(bradley_terry(rbind(joined, apart)), warning = function(cnd) {
    warned <<- c(warned, list(cnd))
    invokeRestart("muffleWarning")
  })
  expect_length(warned, 1)
  expect_s3_class(warned[[1]], "judicious_warning_separate_groups")
  expect_match(conditionMessage(warned[[1]]), "No chain of answers compares \"a\" with \"c\" for query \"q1\"")
  expect_equal(warned[[1]]$groups, list(`1` = c("a", "b"), `2` = c("c", "d")))
})

test_that("a strength in the middle is 0, not a rounding error", {
  votes <- data.frame(system_a = c("A", "A", "B"), system_b = c("B", "C", "C"), answer = "a")
  expect_identical(bradley_terry(votes)$mean[["B"]], 0)
})
