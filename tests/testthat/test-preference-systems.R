# Votes that do not depend on random numbers: 4 systems, 8 queries, 5 judges.
some_votes <- function(answers = c("a", "b")) {
  i <- 1:40
  s <- c("P", "Q", "R", "S")
  data.frame(query = i %% 8, system_a = s[(i * 7) %% 4 + 1], system_b = s[(i * 7 + 1 + i %% 3) %% 4 + 1],
             worker = (i + i %/% 8) %% 5, first = ifelse(i %% 5 < 2, 1, -1), length = (i * 13) %% 11 - 5,
             answer = if (length(answers) == 2) ifelse((i * i + 3 * i) %% 7 < 3, "a", "b") else
               answers[(i * i + 3 * i) %% 11 %/% 4 + 1])
}
three <- c("a", "b", "equal")

# The design of the votes, computed here: for each vote, the difference of indicators of the two systems, without the
# last system.
contrasts_of <- function(votes) {
  sapply(c("P", "Q", "R"), function(s) (votes$system_a == s) - (votes$system_b == s))
}
# Adds the model-based variance, with a small-sample weight, to the variance between clusters.
with_further <- function(robust, bread, g) robust + 3 / g * bread
relative <- function(strength) strength - mean(strength)

test_that("strengths and effects of covariates equal those of BradleyTerry2", {
  # Values of BradleyTerry2 1.1-2: BTm(outcome, a, b, ~ id + first + length), with half of each covariate on each side.
  other <- c(0, 0.3930961552, -0.0250348179, -0.1794426075)
  fit <- bradley_terry(some_votes(), prior = 0, covariates = c("first", "length"))
  expect_equal(unname(fit$mean), relative(other), tolerance = 1e-8)
  expect_equal(fit$votes$covariates$estimate, c(0.1286363720, -0.0487582897), tolerance = 1e-8)
})

test_that("strengths do not depend on the unit of a covariate", {
  votes <- some_votes(three)
  small <- bradley_terry(votes, covariates = c("first", "length"))
  large <- bradley_terry(transform(votes, length = length * 1e9), covariates = c("first", "length"))
  expect_equal(large[c("mean", "covariance")], small[c("mean", "covariance")], tolerance = 1e-10)
  expect_equal(large$votes$covariates[2:3] * c(1, 1e9), small$votes$covariates[2:3], tolerance = 1e-10)
})

test_that("standard errors are those of a sandwich estimator clustered by query", {
  votes <- some_votes()
  x <- cbind(contrasts_of(votes), first = votes$first)
  reference <- stats::glm((votes$answer == "a") ~ x - 1, family = stats::binomial(),
                          control = list(epsilon = 1e-14, maxit = 100))
  # The weights of glm() are those before its last step.
  bread <- stats::vcov(reference)
  scores <- x * (reference$y - reference$fitted.values)
  robust <- function(cluster) {
    g <- length(unique(cluster))
    with_further(bread %*% crossprod(rowsum(scores, cluster)) %*% bread * g / (g - 1), bread, g)
  }
  fit <- bradley_terry(votes, prior = 0, covariates = "first")
  to_last <- cbind(diag(3), -1)
  expect_equal(unname(to_last %*% fit$covariance %*% t(to_last)), unname(robust(votes$query)[1:3, 1:3]),
               tolerance = 1e-6)
  expect_equal(fit$votes$covariates$sd, sqrt(robust(votes$query)[4, 4]), tolerance = 1e-6)
  skip_if_not_installed("sandwich")
  other <- sandwich::vcovCL(reference, votes$query, type = "HC0", cadjust = TRUE)
  expect_equal(fit$votes$covariates$sd, sqrt(with_further(other, bread, 8)[4, 4]), tolerance = 1e-6)
  # Without queries, every vote is a cluster.
  alone <- bradley_terry(votes[names(votes) != "query"], prior = 0, covariates = "first")
  expect_equal(alone$votes$covariates$sd, sqrt(robust(seq_along(votes$query))[4, 4]), tolerance = 1e-6)
  one <- bradley_terry(transform(votes, query = 1, worker = 1:40), prior = 0, covariates = "first")
  expect_equal(one$covariance, alone$covariance)
})

# The likelihood of the votes of each judge, answer by answer, integrated over the reliability with variance v; and its
# derivatives.
slow_marginal <- function(votes, probabilities, v) {
  x <- cbind(contrasts_of(votes), 0)[, 1:3]
  k <- match(votes$answer, three)
  grid <- seq(-1, 3, by = 0.4)
  prior <- dnorm(grid, 1, sqrt(v)) / sum(dnorm(grid, 1, sqrt(v)))
  log_p <- function(par, r) {
    p <- probabilities(drop(r * (x %*% par[1:3])) + par[4] * votes$first, par[5])
    log(p[cbind(seq_along(k), k)])
  }
  given <- function(par) sapply(grid, function(r) tapply(log_p(par, r), votes$worker, sum))
  list(value = function(par) sum(log(exp(given(par)) %*% prior)),
       posterior = function(par) {
         w <- sweep(exp(given(par)), 2, prior, `*`)
         w / rowSums(w)
       },
       grid = grid, log_p = log_p)
}
slope_of <- function(f, par, step = 1e-5) {
  sapply(seq_along(par), function(i) {
    h <- replace(numeric(length(par)), i, step)
    (f(par + h) - f(par - h)) / (2 * step)
  })
}

test_that("the likelihood integrates over the reliability of judges", {
  votes <- some_votes(three)
  davidson <- function(u, t) {
    p <- cbind(exp(u / 2), exp(-u / 2), exp(t))
    p / rowSums(p)
  }
  fit <- bradley_terry(votes, prior = 0, covariates = "first", reliability = TRUE)
  slow <- slow_marginal(votes, davidson, fit$votes$spread)
  best <- stats::optim(c(0, 0, 0, 0, 0.5), slow$value, function(p) slope_of(slow$value, p), method = "BFGS",
                       control = list(fnscale = -1, reltol = 1e-15, maxit = 500))
  expect_equal(unname(fit$mean), relative(c(best$par[1:3], 0)), tolerance = 1e-5)
  expect_equal(fit$votes$covariates$estimate, best$par[4], tolerance = 1e-5)
  expect_equal(fit$votes$tie, best$par[5], tolerance = 1e-5)
  expect_equal(fit$votes$loglik, best$value, tolerance = 1e-9)
  chance <- slow$posterior(best$par)
  judges <- fit$votes$judges[order(fit$votes$judges$judge), ]
  expect_equal(judges$reliability, drop(unname(chance %*% slow$grid)), tolerance = 1e-5)
  # The prior of the variance counts as two more judges with a variance of 1/4.
  expect_equal(fit$votes$spread, (2 / 4 + sum(chance %*% (slow$grid - 1)^2)) / 7, tolerance = 1e-5)
  # The sandwich covariance, from numerical derivatives.
  bread <- solve(-slope_of(function(p) slope_of(slow$value, p, 1e-4), best$par, 1e-4))
  score <- Reduce(`+`, lapply(seq_along(slow$grid), function(i) {
    unname(chance[match(votes$worker, rownames(chance)), i]) *
      slope_of(function(p) slow$log_p(p, slow$grid[i]), best$par)
  }))
  by_hand <- with_further(bread %*% crossprod(rowsum(score, votes$query)) %*% bread * 8 / 7, bread, 8)
  expect_equal(fit$votes$covariates$sd, sqrt(by_hand[4, 4]), tolerance = 1e-3)
  to_last <- cbind(diag(3), -1)
  expect_equal(unname(to_last %*% fit$covariance %*% t(to_last)), by_hand[1:3, 1:3], tolerance = 1e-3)
})

test_that("judges who answer at random or in reverse are detected", {
  votes <- judicious:::with_seed(1, {
    pairs <- t(utils::combn(c("A", "B", "C", "D"), 2))[rep(1:6, 40), ]
    data.frame(query = rep(1:40, each = 6), system_a = pairs[, 1], system_b = pairs[, 2])
  })
  votes <- do.call(rbind, lapply(1:8, function(judge) {
    u <- c(0, 3, -3, 2, 2, 2, 2, 2)[judge] * ifelse(judge == 2, 2 / 3, ifelse(judge == 3, 2 / 3, 1))
    p <- plogis(u * (match(votes$system_b, LETTERS) - match(votes$system_a, LETTERS)) / 2)
    data.frame(votes, judge = judge, winner = ifelse(judicious:::with_seed(judge, stats::runif(240)) < p, "model_a",
                                                     "model_b"))
  }))
  fit <- bradley_terry(votes, reliability = TRUE)
  judges <- fit$votes$judges
  expect_lt(abs(judges$reliability[1]), 0.3)
  expect_lt(judges$reliability[3], -0.5)
  expect_true(all(judges$reliability[4:8] > 0.7))
  expect_equal(judges$votes, rep(240, 8))
  # Votes of judges who answer in reverse are informative, too: differences are larger than in a fit without
  # reliability.
  expect_gt(min(diff(rev(fit$mean))), min(diff(rev(bradley_terry(votes)$mean))))
})

test_that("synonyms for columns and answers in vote tables are recognised", {
  votes <- some_votes(three)
  expected <- bradley_terry(votes)
  other <- stats::setNames(votes[c("query", "system_a", "system_b", "worker", "answer")],
                           c("question_id", "model_a", "model_b", "judge", "winner"))
  said <- function(words) transform(other, winner = words[match(winner, three)])
  named <- transform(other, winner = ifelse(winner == "a", model_a, ifelse(winner == "b", model_b, "tie")))
  winners <- data.frame(winner_model_a = (other$winner == "a") + 0L, winner_model_b = (other$winner == "b") + 0L,
                        winner_tie = (other$winner == "equal") + 0L)
  kaggle <- cbind(other[names(other) != "winner"], winners)
  for (table in list(other, said(c("model_a", "model_b", "tie (bothbad)")), said(c("A", "B", "Tie")), named,
                     said(c("left", "right", "bothbad")), said(c("[[A]]", "[[B]]", "[[C]]")), kaggle,
                     said(c("A>>B", "B>A", "A=B")), said(c("Model A", "Model B", "both bad")),
                     said(c("A_WIN", "B is better", "TIE")))) {
    expect_equal(bradley_terry(table)$mean, expected$mean)
  }
  swapped <- transform(votes, system_a = system_b, system_b = system_a, length = -length,
                       answer = c(a = "b", b = "a", equal = "equal")[answer])
  expect_equal(bradley_terry(swapped, covariates = "length")$covariance,
               bradley_terry(votes, covariates = "length")$covariance, tolerance = 1e-8)
  kaggle[2, c("winner_model_a", "winner_tie")] <- 1L
  expect_snapshot(error = TRUE, bradley_terry(kaggle))
  # The names of systems are not those of sides.
  models <- data.frame(model_a = c("Model B", "Model A"), model_b = c("Model A", "Model B"), winner = "Model A")
  expect_equal(bradley_terry(models)$collection$systems$system[which.max(bradley_terry(models)$mean)], "Model A")
  spelled <- data.frame(model_a = c("GPT-4", "gpt4", "x"), model_b = c("x", "x", "GPT-4"), winner = "model_a")
  expect_snapshot(fit <- bradley_terry(spelled))
  # Other numbers are other names.
  versions <- transform(spelled, model_a = c("bm25-1-2", "bm25-12", "x"), model_b = c("x", "x", "bm25-1-2"))
  expect_no_warning(bradley_terry(versions))
  sides <- data.frame(model_a = c("left", "right"), model_b = c("right", "left"), winner = "left")
  expect_snapshot(error = TRUE, bradley_terry(sides))
  lettered <- transform(votes, system_a = chartr("PQRS", "abcd", system_a), system_b = chartr("PQRS", "abcd", system_b))
  expect_equal(unname(bradley_terry(lettered)$mean), unname(expected$mean))
  # Answers that were not given do not count.
  with_missing <- rbind(votes, transform(votes, answer = NA, worker = 11:50))
  expect_message(fit <- bradley_terry(with_missing), "left out: 40 of 80", class = "judicious_message_left_out")
  expect_equal(fit$mean, expected$mean)
})

test_that("rankings by votes have rank sets, differences and plots like other rankings", {
  votes <- some_votes(three)
  fit <- bradley_terry(votes, covariates = c("first", "length"), reliability = TRUE)
  expect_snapshot(fit)
  expect_snapshot(summary(bradley_terry(transform(votes, query = query %/% 3))))
  differences <- system_differences(fit)
  pair <- rbind(differences$system_a, differences$system_b)
  expect_equal(differences$sd, sqrt(apply(pair, 2, function(s) sum(fit$covariance[s, s] * c(1, -1, -1, 1)))))
  expect_equal(differences$confidence, pnorm(differences$difference / differences$sd))
  ranked <- as.data.frame(fit)
  probabilities <- rank_probabilities(fit)
  expect_equal(ranked[c("system", "rank_lower", "rank_upper")], probabilities[c("system", "rank_lower", "rank_upper")],
               ignore_attr = TRUE)
  expect_equal(ranked$lower, ranked$estimate - qnorm(0.975) * ranked$sd)
  expect_equal(tidy(fit)$std.error, ranked$sd)
  skip_if_not_installed("ggplot2")
  expect_s3_class(ggplot2::autoplot(fit), "ggplot")
})

test_that("errors and messages about votes name the row and the remedy", {
  votes <- some_votes()
  expect_snapshot(error = TRUE, bradley_terry(transform(votes, answer = replace(answer, 3, "first"))))
  expect_snapshot(error = TRUE, bradley_terry(transform(votes, system_b = replace(system_b, 5, system_a[5]))))
  expect_snapshot(error = TRUE, bradley_terry(votes[c("system_a", "answer")]))
  expect_snapshot(twice <- bradley_terry(rbind(votes, votes[4, ])))
  expect_equal(twice$votes$votes, 41)
  expect_snapshot(error = TRUE, report(twice))
  expect_snapshot(error = TRUE, bradley_terry(votes, covariates = "size"))
  infinite <- transform(votes, length = replace(length, 2, Inf))
  expect_snapshot(error = TRUE, bradley_terry(infinite, covariates = "length"))
  expect_snapshot(error = TRUE, bradley_terry(transform(votes, second = -first), covariates = c("first", "second")))
  expect_snapshot(error = TRUE, bradley_terry(transform(votes, worker = 1, query = 1:40), reliability = TRUE))
  expect_snapshot(error = TRUE, bradley_terry(transform(votes, answer = NA)))
  expect_snapshot(error = TRUE, bradley_terry(votes[votes$system_a == "P" & votes$answer == "a", ], prior = 0))
  documents <- data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1, answer = "a")
  expect_snapshot(error = TRUE, bradley_terry(documents, covariates = "length"))
})

test_that("estimates that the votes do not bound raise an error instead of arbitrary large numbers", {
  # As the strength of A increases, the votes become ever more likely if the odds of ties increase with it.
  one_sided <- data.frame(system_a = "A", system_b = "B", answer = c("a", "a", "tie"))
  expect_snapshot(error = TRUE, bradley_terry(one_sided, prior = 0))
  # A win of B bounds it: the probabilities are then the shares of the answers.
  bounded <- as.data.frame(bradley_terry(rbind(one_sided, replace(one_sided[1, ], "answer", "b")), prior = 0))
  expect_equal(bounded$estimate, c(1, -1) * log(2) / 2)
  # The sign of a covariate tells all answers.
  votes <- data.frame(system_a = c("A", "B", "C"), system_b = c("B", "C", "A"), answer = rep(c("a", "b"), each = 3))
  votes$length <- ifelse(votes$answer == "a", 1, -1) * 1:6
  expect_snapshot(error = TRUE, bradley_terry(votes, covariates = "length"))
})

test_that("a warning names systems that no chain of votes connects", {
  votes <- data.frame(query = 1:8, system_a = c("a", "c"), system_b = c("b", "d"), answer = c("a", "a", "b", "a"))
  expect_snapshot(apart <- bradley_terry(votes))
  joined <- rbind(votes, data.frame(query = 9, system_a = "a", system_b = "c", answer = "equal"))
  expect_silent(bradley_terry(joined))
})

test_that("other names for ties in arenas and MT-Bench are recognised, and an infinite prior raises an error", {
  votes <- data.frame(system_a = c("A", "B", "C", "A"), system_b = c("B", "C", "A", "C"),
                      answer = c("a", "tie", "tie", "b"))
  expected <- as.data.frame(bradley_terry(votes))
  votes$answer[2:3] <- c("both_bad", "tie (inconsistent)")
  expect_equal(as.data.frame(bradley_terry(votes)), expected)
  expect_error(bradley_terry(votes, prior = Inf), "between 0 and 1e\\+06", class = "judicious_error_argument")
})

test_that("a single vote has a finite standard error, larger than that of two, and decides no comparison", {
  ranking <- bradley_terry(data.frame(system_a = "A", system_b = "B", answer = "a"))
  strength <- as.data.frame(ranking)$estimate[1]
  expect_true(all(is.finite(as.data.frame(ranking)$sd)))
  expect_gt(as.data.frame(ranking)$sd[1],
            as.data.frame(bradley_terry(data.frame(system_a = c("A", "A"), system_b = "B", answer = "a")))$sd[1])
  expect_lt(ranking_confidence(ranking), 0.7)
  expect_gt(strength, 0)
  expect_snapshot(error = TRUE, bradley_terry(data.frame(home = c("A", "B"), away = c("B", "C"))))
})

test_that("an answer that names a system and also the other side raises an error, and a data.table has votes", {
  votes <- data.frame(system_a = c("B", "A", "B"), system_b = c("A", "B", "A"), answer = c("B", "B", "A"))
  expect_error(bradley_terry(votes), "Row 1 holds \"B\": the system on side a, or side b?",
               class = "judicious_error_answers")
  renamed <- transform(votes, system_a = paste0("s", system_a), system_b = paste0("s", system_b),
                       answer = paste0("s", answer))
  sides <- transform(votes, answer = c("a", "b", "b"))
  expect_equal(unname(bradley_terry(renamed)$mean), unname(bradley_terry(sides)$mean))
  skip_if_not_installed("data.table")
  as_data_table <- getExportedValue("data.table", "as.data.table")
  expect_equal(bradley_terry(as_data_table(sides))$mean, bradley_terry(sides)$mean)
})

test_that("a warning says that ties alone do not tell strengths apart", {
  votes <- data.frame(system_a = c("A", "B"), system_b = c("B", "C"), answer = "tie")
  expect_warning(fit <- bradley_terry(votes), "Every vote is a tie", class = "judicious_warning_only_ties")
  expect_equal(unname(fit$mean), c(0, 0, 0))
  answers <- data.frame(query = c("p", "q"), doc_a = "a", doc_b = "b", worker = "w", answer = c("a", "equal"))
  expect_warning(bradley_terry(answers), "tie for \"q\"", class = "judicious_warning_only_ties")
  expect_no_warning(bradley_terry(answers[1, ]))
})

test_that("a table of counts of votes raises an error, and its repeated rows are votes", {
  votes <- data.frame(system_a = c("A", "A", "B"), system_b = c("B", "C", "C"), answer = c("a", "b", "tie"))
  counts <- cbind(votes, n = c(3, 0, 2))
  expect_snapshot(error = TRUE, bradley_terry(counts))
  as_data_table <- getExportedValue("data.table", "as.data.table")
  expect_error(bradley_terry(as_data_table(counts)), "numbers of votes", class = "judicious_error_argument")
  expect_error(bradley_terry(as.data.frame(table(votes))), "numbers of votes", class = "judicious_error_argument")
  repeated <- counts[rep(1:3, counts$n), ]
  fit <- bradley_terry(votes[c(1, 1, 1, 3, 3), ])
  expect_equal(bradley_terry(repeated[1:3])$mean, fit$mean)
  by_query <- rbind(cbind(counts, query = 1), cbind(counts, query = 2))
  expect_error(bradley_terry(by_query), "numbers of votes", class = "judicious_error_argument")
  expect_error(bradley_terry(cbind(by_query, judge = c("x", "y", "z"))), "numbers of votes",
               class = "judicious_error_argument")
  expect_no_error(bradley_terry(by_query, covariates = "n"))
  # Other numbers in repeated or equal rows are not counts.
  expect_equal(bradley_terry(transform(repeated, n = 5:1))$mean, fit$mean)
  expect_equal(bradley_terry(cbind(votes, count = 1))$mean, bradley_terry(votes)$mean)
  weighted <- cbind(votes, weight = c(0.5, 2, 1))
  expect_snapshot(error = TRUE, bradley_terry(weighted))
  expect_no_error(bradley_terry(weighted, covariates = "weight"))
  expect_equal(bradley_terry(transform(weighted, weight = 2))$mean, bradley_terry(votes)$mean)
})

test_that("votes may name the winner and the loser", {
  votes <- data.frame(winner = c("x", "x", "y", "z", "x", "y"), loser = c("y", "z", "z", "x", "y", "x"))
  sides <- data.frame(system_a = votes$winner, system_b = votes$loser, answer = "a")
  expect_identical(bradley_terry(votes), bradley_terry(sides))
  expect_identical(bradley_terry(votes)$votes$votes, 6L)
  # Beside the sides, a winner may be a side or a tie.
  sided <- data.frame(model_a = c("x", "y", "z"), model_b = c("y", "z", "x"), winner = c("model_a", "model_b", "tie"))
  loser <- c("model_b", "model_a", "tie")
  expect_identical(bradley_terry(transform(sided, loser = loser))$mean, bradley_terry(sided)$mean)
  documents <- data.frame(query = "q", doc_a = c("d", "e"), doc_b = c("e", "f"), worker = 1:2, answer = c("a", "b"))
  expect_identical(bradley_terry(transform(documents, winner = c("d", "f"), loser = "e")), bradley_terry(documents))
})

test_that("columns of questions and voters are those of queries and judges", {
  votes <- some_votes(three)
  other <- stats::setNames(votes, sub("worker", "voter", sub("query", "question", names(votes))))
  expect_identical(bradley_terry(other)$covariance, bradley_terry(votes)$covariance)
})

test_that("votes have columns and values with other names, of which a message tells", {
  votes <- some_votes(three)[c("query", "system_a", "system_b", "worker", "answer")]
  fit <- bradley_terry(votes)
  equal_fit <- function(names, values, message = "Votes read with system_a = ") {
    votes$answer <- unname(values[votes$answer])
    expect_message(other <- bradley_terry(stats::setNames(votes, names)), message)
    expect_equal(other[c("mean", "covariance")], fit[c("mean", "covariance")])
  }
  equal_fit(c("qid", "generator_1", "generator_2", "annotator_id", "preference"), c(a = 1, b = 2, equal = 1.5))
  equal_fit(c("qid", "generator_1", "generator_2", "annotator_id", "preference"), c(a = 1.25, b = 1.99, equal = 1.5),
            "preferences between 1 and 2 count as votes for the nearer system")
  equal_fit(c("Input.question", "Input.model1", "Input.model2", "WorkerId", "Answer.choice"),
            c(a = "Response 1", b = "model_2", equal = "no preference"))
  equal_fit(c("prompt", "Left Model", "Right Model", "Rater", "Vote"),
            c(a = "left", b = "Assistant B is much better", equal = "Tie"))
  expect_equal(bradley_terry(rev(votes))$mean, fit$mean)
  # Texts of queries may have several lines.
  lines <- transform(votes, query = paste0("Question\n", query))
  expect_error(bradley_terry(lines), "control characters", class = "judicious_error_columns")
  expect_equal(bradley_terry(stats::setNames(lines, sub("query", "question", names(lines))))$covariance, fit$covariance)
  # Systems may be called by numbers, and raters by the names of systems.
  named <- data.frame(system_1 = c(2, 1, 3), system_2 = c(1, 3, 2), winner = c(1, 1, 2))
  letters <- data.frame(system_a = c("2", "1", "3"), system_b = c("1", "3", "2"), answer = c("b", "a", "b"))
  expect_equal(suppressMessages(bradley_terry(named))$mean, bradley_terry(letters)$mean)
  expect_equal(agreement(data.frame(model_1 = c(1, 2, 3, 1), model_2 = c(1, 2, 2, 1)))$estimate,
               agreement(data.frame(x = c(1, 2, 3, 1), y = c(1, 2, 2, 1)))$estimate)
  # 0 may be a tie or the first system.
  numbered <- stats::setNames(transform(votes, answer = c(a = 0, b = 1, equal = 2)[answer]),
                              c("query", "system_1", "system_2", "worker", "answer"))
  expect_snapshot(error = TRUE, suppressMessages(bradley_terry(numbered)))
})

test_that("preferences in files of AlpacaEval are votes", {
  skip_if_not_installed("jsonlite")
  path <- withr::local_tempfile(fileext = ".json")
  rows <- data.frame(instruction = 1:6, output_1 = "x", generator_1 = "base", output_2 = "y", generator_2 = "new",
                     annotator = "gpt", preference = c(1, 2, 2, 1.5, 2, 2))
  jsonlite::write_json(rows, path)
  votes <- data.frame(system_a = "base", system_b = "new", answer = c("a", "b", "b", "tie", "b", "b"))
  expect_equal(suppressMessages(bradley_terry(path))$mean, bradley_terry(votes)$mean)
})

test_that("votes and answers are read from files", {
  votes <- some_votes(three)
  votes$query <- sprintf("q%d", votes$query)
  path <- tempfile(fileext = ".csv")
  on.exit(unlink(path))
  write.csv(votes, path, row.names = FALSE)
  fit <- bradley_terry(path, covariates = c("first", "length"))
  expect_equal(fit$mean, bradley_terry(votes, covariates = c("first", "length"))$mean)
  names(votes)[2:3] <- c("doc_a", "doc_b")
  votes <- votes[!duplicated(votes[c("query", "doc_a", "doc_b", "worker")]), ]
  write.csv(votes, path, row.names = FALSE)
  expect_equal(bradley_terry(path)$strengths, bradley_terry(votes)$strengths)
  expect_error(bradley_terry("absent.csv"), "absent.csv", class = "judicious_error_file")
})

test_that("files of votes must have the same columns", {
  path <- tempfile(fileext = c(".csv", ".csv"))
  on.exit(unlink(path))
  write.csv(some_votes(), path[1], row.names = FALSE)
  write.csv(stats::setNames(some_votes(), sub("worker", "voter", names(some_votes()))), path[2], row.names = FALSE)
  expect_error(bradley_terry(path), "do not all have the same columns", class = "judicious_error_columns")
})
