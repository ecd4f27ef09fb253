test_that("for two systems, the headline names the better one and the expected number of judgments to reach .95", {
  d <- withr::with_seed(2, {
    n <- 80
    quality <- rep(c(0.3, 0), each = n)
    data.frame(system = rep(c("B", "A"), each = n), query = seq_len(n), answer = paste("text", seq_len(2 * n)),
               rating = pmin(pmax(round(3 + quality + stats::rnorm(2 * n)), 1), 5))
  })
  truth <- quiet_answers(d)
  rated <- function(n) replace(d, "rating", ifelse(d$query <= n, d$rating, NA))
  x <- quiet_answers(rated(10), scale = truth$scale)
  ranking <- rank_systems(x)
  confidence <- system_differences(ranking)$confidence
  expect_gt(confidence, 0.55)
  expect_lt(confidence, 0.94)
  said <- ranking_statement(ranking)
  expect_match(said, sprintf("^B is better than A, [.]%02d; about [0-9]+ more judgments to [.]95$",
                             floor(100 * confidence)))
  # After this number of judgments, about half of the simulated continuations reach the confidence.
  more <- as.numeric(sub(".*about ([0-9]+) more.*", "\\1", said))
  gains <- ranking$gains
  open <- which(is.na(gains$gain))
  reached <- vapply(1:60, function(seed) {
    drawn <- withr::with_seed(seed, {
      imagined <- as.data.frame(gains)
      chosen <- open[sample.int(length(open), more)]
      covariance <- vcov(gains, chosen, chosen)
      means <- imagined$mean[chosen] + drop(crossprod(chol(covariance), stats::rnorm(more)))
      data.frame(pool_ids(x)[chosen, ], gain = pmin(pmax(means, 1), 5))
    })
    x$scale$any_value <- TRUE
    after <- rank_systems(x, joint_gains(x, gains$model, judgments = rbind(judgments_of(x), drawn), update = FALSE))
    system_differences(after)$confidence >= 0.95
  }, NA)
  expect_lt(abs(mean(reached) - 0.5), 0.2)
  # There is no such number if everything is judged, or if no judgment can change the order.
  expect_identical(ranking_statement(rank_systems(truth)), "B is better than A")
  expect_match(ranking_statement(rank_systems(x, uniform_gains(x))), "^[AB] is better than [AB], [.][0-9]+$")
})

test_that("the headline points out judgments whose agreement is no better than chance", {
  ratings <- function(noise) {
    withr::with_seed(4, {
      quality <- stats::rnorm(60)
      do.call(rbind, lapply(c("ann", "bob", "cy"), function(who) {
        data.frame(system = rep(c("A", "B"), each = 30), query = rep(1:30, 2), answer = paste("text", 1:60),
                   rating = pmin(pmax(round(3 + quality * (1 - noise) + stats::rnorm(60) * (0.3 + noise)), 1), 5),
                   rater = who)
      }))
    })
  }
  told <- paste0("o not rely on it: the assessors are not shown to agree better than chance ",
                 "\\(kappa -?0[.][01][0-9], 60 documents judged twice\\)")
  x <- quiet_answers(ratings(1))
  noisy <- rank_systems(x)
  expect_match(ranking_headline(noisy), paste0("; d", told, "$"))
  expect_match(ranking_report(noisy, NULL, NULL)$answer[1], paste0("^\\*\\*D", told))
  # Sessions, the judging page and the lead's view show the same warning beside the confidence.
  more <- data.frame(system = c("A", "B"), query = 31, answer = c("text", "other"), rating = NA, rater = NA)
  open <- quiet_answers(rbind(ratings(1), more))
  expect_no_match(capture.output(print(rank_systems(open))), "more judgment")
  s <- judging_session(open, seed = 1)
  p <- progress(s)
  for (shown in list(s, p)) {
    line <- grep("^ *confidence", capture.output(print(shown)), value = TRUE)
    expect_match(line, told)
  }
  drawn <- function(tags) gsub("[[:space:]]+", " ", as.character(tags))
  expect_match(drawn(do.call(htmltools::tagList, list(gains_tiles(p)))), paste0("mall>d", told))
  expect_match(as.character(gains_panel(p, "ann")), told)
  expect_no_match(ranking_headline(rank_systems(quiet_answers(ratings(0)))), "chance")
  # With few documents judged twice, the headline does not mention agreement.
  few <- ratings(1)
  few <- few[few$query <= 8, ]
  expect_no_match(ranking_headline(rank_systems(quiet_answers(few))), "chance")
  path <- answer_file(c("model,id,answer,rating,rater", do.call(paste, c(unname(ratings(1)), sep = ","))), ".csv")
  expect_match(cli("rank", path)$err, "do not rely on it", all = FALSE)
})

test_that("print, report and page state that the order is more certain than the scores themselves", {
  ranking <- rank_systems(text_demo, judgments = FALSE)
  v <- ranking$covariance
  difference <- mean(ranking$difference_variance[upper.tri(v)])
  expect_gt(mean(diag(v)), 4 * difference)
  expect_gt(qnorm(0.975) * sqrt(mean(v)), 0.05 * 3)  # the variance of the mean of all systems
  said <- sprintf("The order is known better than the level: estimates within %.3f, their differences within %.3f (.95)",
                  qnorm(0.975) * sqrt(mean(diag(v))), qnorm(0.975) * sqrt(difference))
  expect_identical(level_note(ranking), said)
  expect_identical(capture.output(print(ranking))[3], said)
  expect_match(ranking_in_words(ranking), said, fixed = TRUE)
  expect_true(paste0(markdown_text(said), ".") %in% ranking_answer(ranking, pairs_with_intervals(ranking), NULL))
  # There is no such note if both are equally certain, as when errors are small, independent or weakly correlated.
  near <- function(scale, common) {
    v <- scale * (diag(24) + common)
    level_note(new_ranking(text_demo, ranking$mean, v))
  }
  expect_null(near(1, 0))
  expect_null(near(0.1, 6.9))
  expect_null(near(1e-4, 9))
  expect_match(near(0.1, 7.1), "order is known better")
  expect_null(level_note(rank_systems(text_demo)))
})

test_that("system names that suggest teams are pointed out unless teams were given", {
  runs <- data.frame(system = rep(c("lab_a", "lab_b", "inst_a", "inst_b"), each = 2), query = "q",
                     doc = c("a", "b", "b", "c", "a", "d", "e", "a"), rank = 1:2)
  teams <- data.frame(system = unique(runs$system), team = c("lab", "lab", "inst", "inst"))
  note <- function(...) grep("teams", ranking_note(rank_systems(test_collection(runs, scale = 0:2, k = 2, ...))), value = TRUE)
  expect_identical(note(), paste("Names of systems suggest 2 teams: state them (`systems`, or a column team), as",
                                  "systems of a team are alike"))
  expect_identical(note(systems = teams), character())
})

test_that("print() explains ranks that are wider than the set of systems that may be the best", {
  x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
  note <- "Ranks: all true ranks are among them at the same time (.95)"
  ranking <- rank_systems(x, judgments = judgments_of(x)[1:30, ])
  wider <- sum(as.data.frame(ranking)$rank_lower == 1) > length(best_systems(ranking))
  shown <- utils::capture.output(print(ranking))
  expect_identical(any(startsWith(shown, note)), wider)
  expect_true(wider)
  whole <- rank_systems(x)
  expect_identical(length(best_systems(whole)), 1L)
  expect_false(any(startsWith(utils::capture.output(print(whole)), note)))
})
