# Six systems that give one answer each to 40 questions, judged by three people; graders of several kinds.
answers <- local({
  set.seed(5)
  runs <- expand.grid(system = sprintf("s%d", 1:6), query = sprintf("q%02d", 1:40), stringsAsFactors = FALSE)
  runs$doc <- paste(runs$query, runs$system)
  runs$team <- ifelse(runs$system %in% c("s1", "s2"), "t1", runs$system)
  quality <- stats::rnorm(nrow(runs)) + match(runs$system, unique(runs$system)) / 4
  opinion <- function(sd) pmin(pmax(round(5 + 2 * quality + stats::rnorm(nrow(runs), sd = sd)), 0), 10)
  people <- do.call(rbind, lapply(c("ann", "bob", "cid"), function(who) {
    data.frame(runs[c("query", "doc")], gain = opinion(1), assessor = who)
  }))
  grade <- function(value) data.frame(runs[c("query", "doc")], grade = value)
  good <- opinion(1)
  list(x = test_collection(runs, k = 1, scale = 0:10,
                           documents = data.frame(doc = runs$doc, length = seq_len(nrow(runs)) %% 7)),
       people = people,
       graders = list(good = grade(good), noise = grade(sample(good)), kin = grade(good + 3 * (runs$team == "t1")),
                      long = grade(good + seq_len(nrow(runs)) %% 7)))
})
validation <- grader_validation(answers$x, answers$graders, answers$people)
graders <- as.data.frame(validation)

# The definitions of tau-b within queries and of alpha between two raters, with intervals by the jackknife over queries.
slow_agreement <- function(data, of) {
  value <- of(data)
  queries <- unique(data$query)
  without <- vapply(queries, function(query) of(data[data$query != query, ]), 0)
  n <- length(queries)
  se <- sqrt((n - 1) / n * sum((without - mean(without))^2))
  unname(c(value, value + c(-1, 1) * stats::qt(0.975, n - 1) * se))
}
slow_tau <- function(data) {
  counts <- c(0, 0, 0)
  for (one in split(data, list(data$query, data$unit), drop = TRUE)) {
    for (i in seq_len(nrow(one))) for (j in seq_len(i - 1)) {
      signs <- c(sign(one$a[i] - one$a[j]), sign(one$b[i] - one$b[j]))
      counts <- counts + c(prod(signs), abs(signs))
    }
  }
  counts[1] / sqrt(counts[2] * counts[3])
}

test_that("Kendall's tau of a grader, and tau among assessors, agree with their definitions, with intervals", {
  people <- answers$people
  with_grades <- merge(people, stats::setNames(answers$graders$kin, c("query", "doc", "a")))
  slow <- slow_agreement(with(with_grades, data.frame(query, unit = assessor, a, b = gain)), slow_tau)
  expect_equal(unlist(graders[3, c("tau", "tau_lower", "tau_upper")], use.names = FALSE), slow, tolerance = 1e-12)
  pairs <- merge(people, people, by = c("query", "doc"))
  pairs <- pairs[pairs$assessor.x < pairs$assessor.y, ]
  pairs$unit <- paste(pairs$assessor.x, pairs$assessor.y)
  slow <- slow_agreement(with(pairs, data.frame(query, unit, a = gain.x, b = gain.y)), slow_tau)
  found <- as.data.frame(validation, what = "people")
  expect_equal(unlist(found[c("tau", "tau_lower", "tau_upper")], use.names = FALSE), slow, tolerance = 1e-12)
  expect_identical(found$assessors, 3L)
  # For a single list, cor() computes tau-b.
  one <- people[people$query == "q01" & people$assessor == "ann", ]
  grade <- answers$graders$good[answers$graders$good$query == "q01", ]
  v <- grader_validation(answers$x, answers$graders["good"], one)
  expect_equal(as.data.frame(v)$tau, stats::cor(grade$grade[match(one$doc, grade$doc)], one$gain, method = "kendall"))
})

test_that("alpha among assessors equals agreement(), and alpha of grades off the gain scale is NA", {
  two <- answers$people[answers$people$assessor != "cid", ]
  v <- grader_validation(answers$x, answers$graders, two)
  expect_equal(as.data.frame(v, what = "people")$alpha, agreement(two)$estimate)
  expect_identical(is.na(as.data.frame(v)$alpha), c(FALSE, FALSE, TRUE, TRUE))
})

test_that("the alternative annotator test equals a direct computation, and is NA with a single assessor", {
  people <- answers$people
  wide <- sapply(c("ann", "bob", "cid"), function(who) people$gain[people$assessor == who])
  grade <- answers$graders$noise$grade[match(people$doc[people$assessor == "ann"], answers$graders$noise$doc)]
  p <- advantage <- numeric(3)
  for (j in 1:3) {
    rmse <- function(value) sapply(seq_along(value), function(i) sqrt(mean((value[i] - wide[i, -j])^2)))
    grader <- rmse(grade) <= rmse(wide[, j])
    person <- rmse(wide[, j]) <= rmse(grade)
    advantage[j] <- mean(grader)
    p[j] <- stats::t.test(person - grader, mu = 0.2, alternative = "less")$p.value
  }
  expect_equal(graders$advantage[2], mean(advantage))
  expect_equal(graders$winning_rate[2], mean(stats::p.adjust(p, "BY") < 0.05))
  expect_identical(graders$replaces[1:2], c(1, 0))
  # The alternative annotator test leaves out one assessor at a time, which requires at least three.
  one <- grader_validation(answers$x, answers$graders["good"], answers$people[answers$people$assessor == "ann", ])
  expect_true(all(is.na(as.data.frame(one)[c("winning_rate", "advantage", "replaces")])))
  expect_true(is.na(as.data.frame(one, what = "people")$tau))
})

test_that("grader_validation() finds the grader that favours a team, and the one that favours long documents", {
  favours <- as.data.frame(validation, what = "favours")
  # The grader "noise" is left out: its grades are too high for bad systems and too low for good ones, so it seems to
  # favour teams.
  sure <- favours[which(favours$p < 0.05 & favours$kind == "team" & favours$grader != "noise"), ]
  expect_identical(sure$grader, "kin")
  expect_identical(sure$name, "t1")
  expect_gt(sure$favour, 0)
  expect_identical(unique(favours$name[favours$kind == "team"]), "t1")
  bias <- as.data.frame(validation, what = "bias")
  expect_identical(bias$grader[which(bias$p < 0.05)], "long")
  expect_identical(unique(bias$column), "length")
})

test_that("how much a grader favours a team is a mean difference within queries, with a t interval", {
  runs <- as.data.frame(answers$x)
  good <- answers$graders$good
  v <- grader_validation(answers$x, answers$graders["good"], answers$people[answers$people$assessor == "bob", ])
  bob <- answers$people[answers$people$assessor == "bob", ]
  excess <- good$grade[match(runs$doc, good$doc)] - bob$gain[match(runs$doc, bob$doc)]
  apart <- excess - stats::ave(excess, runs$query)
  test <- stats::t.test(apart[runs$system == "s4"])
  favours <- as.data.frame(v, what = "favours")
  row <- favours[favours$name == "s4", ]
  expect_equal(c(row$favour, row$lower, row$upper), c(test$estimate, test$conf.int), ignore_attr = TRUE)
})

test_that("beside 60 judgments, good grades are worth over 90 judgments in all, and random grades under 72", {
  some <- answers$people[answers$people$assessor == "ann", ][seq(1, 240, by = 4), ]
  v <- grader_validation(answers$x, answers$graders[c("good", "noise")], some)
  worth <- as.data.frame(v)$worth
  expect_gt(worth[1], 1.5 * 60)
  expect_lt(worth[2], 1.2 * 60)
  expect_identical(worth, as.data.frame(grader_validation(answers$x, answers$graders[c("good", "noise")], some))$worth)
})

test_that("repeated grades yield a grader's agreement with itself, and failed grades are counted by system", {
  good <- answers$graders$good
  second <- withr::with_seed(5, transform(good, grade = pmin(pmax(grade + sample(-1:1, nrow(good), TRUE), 0), 4)))
  twice <- rbind(cbind(good[c("query", "doc", "grade")], `repeat` = 1L),
                 cbind(second[c("query", "doc", "grade")], `repeat` = 2L))
  twice$grader <- "good"
  runs <- as.data.frame(answers$x)
  lost <- good$doc %in% runs$doc[runs$system == "s2"][1:5]
  twice$grade[which(lost)] <- 99
  ann <- answers$people[answers$people$assessor == "ann", ][1:80, ]
  x <- suppressMessages(test_collection(runs[c("system", "query", "doc")], k = answers$x$k, scale = answers$x$scale,
                                        systems = answers$x$systems, grades = twice, failed = 99))
  v <- suppressMessages(grader_validation(x, judgments = ann))
  table <- as.data.frame(v)
  kept <- !lost
  want <- lapply(split(which(kept), good$query[kept]), function(at) {
    order_of <- function(grade) sign(outer(grade[at], grade[at], `-`))
    c(sum(order_of(good$grade) * order_of(second$grade)), sum(order_of(good$grade) != 0),
      sum(order_of(second$grade) != 0))
  })
  sums <- Reduce(`+`, want)
  expect_equal(table$self_tau, sums[1] / sqrt(sums[2] * sums[3]))
  expect_equal(table$failed, sum(lost))
  failures <- as.data.frame(v, what = "failures")
  expect_identical(failures$system[1], "s2")
  expect_equal(failures$failed[1], 5)
  expect_equal(failures$grades[1], 2 * sum(runs$system == "s2"))
  said <- capture.output(print(v))
  expect_match(said, "Where it graded again, it agrees with itself with tau", all = FALSE)
  expect_match(said, "5 grades failed, most of system s2", all = FALSE)
})

test_that("the validation of graders prints a verdict, and its errors name the argument", {
  expect_snapshot(validation)
  expect_snapshot(grader_validation(answers$x, answers$graders["noise"], answers$people[1:30, ]))
  expect_snapshot(error = TRUE, {
    grader_validation(answers$x)
    grader_validation(answers$x, answers$graders)
    grader_validation(answers$x, answers$graders, answers$people, level = 1)
    grader_validation(answers$x, answers$graders, answers$people, epsilon = -1)
    as.data.frame(validation, what = "teams")
  })
})

test_that("an uninformative grader is reported as such although it passes the alternative annotator test", {
  # Assessors agree moderately. The grader is noise with a slight dependence on the truth, so that its agreement exceeds
  # chance.
  set.seed(3)
  d <- expand.grid(query = paste0("q", 1:60), system = LETTERS[1:10], stringsAsFactors = FALSE)
  d$doc <- paste0(d$query, d$system)
  good_of <- as.integer(factor(d$system)) / 5
  good <- stats::rnorm(nrow(d)) + good_of
  x <- suppressMessages(test_collection(transform(d[c("system", "query", "doc")], rank = 1), scale = 0:20, k = 1))
  on_scale <- function(value) pmin(pmax(round(10 + 3 * value), 0), 20)
  people <- do.call(rbind, lapply(c("ann", "bob", "cid"), function(one) {
    data.frame(d[c("query", "doc")], gain = on_scale(good + stats::rnorm(nrow(d))), assessor = one)
  }))
  noise <- data.frame(d[c("query", "doc")], grade = on_scale(stats::rnorm(nrow(d)) / 2 + good / 8 - good_of / 6 + 1))
  v <- grader_validation(x, list(noise = noise), people, epsilon = 0.3)
  row <- as.data.frame(v)
  expect_gt(row$tau_lower, 0)
  expect_identical(row$replaces, 1)
  expect_match(grader_verdict(v, "noise")[1], "^noise is useless: ")
  expect_match(grader_verdict(v, "noise"), "mean judgment as the grade of every answer", all = FALSE)
  # Computed here: the grader gives every document the mean grade, and systems are ordered by their means within
  # queries.
  expect_equal(row$mean_advantage, annotator_test(assessor_record(x, people), rep(mean(people$gain), 600), 0.3)[[2]])
  less <- function(value) value - stats::ave(value, d$query)
  mean_of <- function(value) tapply(less(value), d$system, mean)
  gain <- tapply(people$gain, people$doc, mean)[d$doc]
  pairs <- utils::combn(10, 2)
  sides <- function(value) sign(mean_of(value)[pairs[1, ]] - mean_of(value)[pairs[2, ]])
  expect_equal(row$order, mean(1 + sides(as.vector(gain)) * sides(noise$grade)) / 2)
  # With one judgment per document, agreement among assessors is unknown.
  one <- grader_validation(x, list(noise = noise), people[people$assessor == "bob", c("query", "doc", "gain")])
  expect_match(grader_verdict(one, "noise")[1], "^noise is useless: it hardly agrees with people")
})

test_that("the verdict on a grader whose grades fall where ratings rise says so", {
  set.seed(1)
  d <- expand.grid(model = LETTERS[1:4], id = 1:12, stringsAsFactors = FALSE)
  d$answer <- paste("answer", seq_len(nrow(d)))
  d$rating <- sample(1:5, nrow(d), TRUE)
  x <- quiet_answers(transform(d, gpt4 = 5 - rating))
  expect_match(grader_verdict(grader_validation(x), "gpt4")[1], "^gpt4 is contrary to people: its grades are higher where")
  negated <- quiet_answers(transform(d, gpt4 = 5 - rating), grades = "-gpt4")
  expect_match(grader_verdict(grader_validation(negated), "gpt4")[1], "^gpt4 is shown to agree with people")
})

test_that("print() leaves out an interval that is missing", {
  expect_identical(tau_text(data.frame(tau = -1, tau_lower = NaN, tau_upper = NaN)), "tau -1.00")
  expect_identical(tau_text(data.frame(tau = .5, tau_lower = .25, tau_upper = .75)), "tau 0.50 [0.25, 0.75]")
  few <- data.frame(id = rep(1:6, 2), model = rep(c("A", "B"), each = 6), answer = letters[1:12],
                    rating = c(1, 2, rep(NA, 10)), gpt4 = 1:12)
  validation <- grader_validation(quiet_answers(few))
  expect_output(print(validation), "Agreement is not known: no question has judged answers")
  # agreement() is a function of R, which no command replaces.
  expect_output(print(validation), "agreement() compares them across questions", fixed = TRUE)
  withr::local_options(judicious.shell = function(code) cli_equivalent(code, character()))
  expect_no_match(grader_verdict(validation, "gpt4"), "agreement()", fixed = TRUE)
})

test_that("the grades of a single system are validated, but their worth in judgments is NA", {
  runs <- data.frame(system = "A", query = rep(1:12, each = 3), doc = paste0("d", 1:3), rank = 1:3)
  judged <- transform(runs[c("query", "doc")], gain = rep(0:2, 12))
  x <- test_collection(runs, judgments = judged[1:30, ], scale = 0:2, k = 3)
  valid <- grader_validation(x, transform(judged[c("query", "doc")], grade = judged$gain))
  expect_identical(valid$graders$worth, NA_integer_)
  expect_output(print(valid), "its worth is not known, because no two systems are compared")
})

test_that("the table of favoured teams has no row for a team without judged documents", {
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 4), query = 1:4, doc = rep(c("a", "b", "c"), each = 4),
                     rank = 1)
  judged <- data.frame(query = 1:4, doc = "a", gain = c(0, 1, 2, 1))
  teams <- data.frame(system = c("A", "B", "C"), team = c("one", "two", "two"))
  x <- test_collection(runs, systems = teams, judgments = judged, scale = 0:2, k = 1)
  valid <- suppressWarnings(grader_validation(x, transform(runs[c("query", "doc")], grade = rep(c(0, 1, 2), 4))))
  expect_identical(valid$favours$name, "A")
})

test_that("a ranking with grades states the confidence of one without grades, and the worth that a validation finds", {
  set.seed(4)
  d <- expand.grid(model = LETTERS[1:6], id = 1:20, stringsAsFactors = FALSE)
  d$answer <- paste("answer", seq_len(nrow(d)))
  quality <- as.integer(factor(d$model)) / 4 + stats::rnorm(nrow(d))
  d$rating <- replace(pmin(pmax(round(3 + quality), 1), 5), sample(nrow(d), 90), NA)
  d$gpt4 <- round(5 + 2 * quality + stats::rnorm(nrow(d)))
  x <- quiet_answers(d)
  without <- ranking_without_grades(rank_systems(x))
  expect_identical(without$confidence, ranking_confidence(rank_systems(x, grades = FALSE)))
  expect_gt(without$worth, sum(!is.na(d$rating)))
  expect_identical(without$worth, grader_validation(x)$graders$worth)
})

test_that("print() of a ranking with grades does not repeat the warning of an unlike past collection", {
  past <- simulate_collection(queries = 12, documents = 200, artists = 30, systems = 6, seed = 1,
                              scale = text_demo$scale)
  judged <- judgments_of(text_demo)[1:60, ]
  expect_warning(ranking <- rank_systems(text_demo, past = past, grades = text_grades, judgments = judged),
                 class = "judicious_warning_unlike_past")
  expect_no_warning(utils::capture.output(print(ranking)))
  expect_warning(ungraded <- rank_systems(text_demo, past = past, grades = FALSE, judgments = judged),
                 class = "judicious_warning_unlike_past")
  expect_identical(ranking_without_grades(ranking)$confidence, ranking_confidence(ungraded))
})

test_that("systems of equal mean gain count half in the order, whatever the order of their documents", {
  # The gains of each system sum to 8 over the two queries.
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 3), query = rep(1:2, each = 9),
                     doc = c(1:3, 3:1, 4, 1, 5), rank = 1:3)
  judged <- data.frame(query = rep(1:2, each = 5), doc = 1:5, gain = c(1, 1, 3, 0, 3, 0, 0, 3, 1, 3))
  grades <- data.frame(judged[c("query", "doc")], grade = c(5, 5, 3, 5, 3, 5, 2, 1, 3, 3))
  validation <- suppressWarnings(grader_validation(test_collection(runs, k = 3, scale = 0:3), grades, judged))
  expect_identical(validation$graders$order, 0.5)
})

test_that("a tau of few comparisons states their number, and complete agreement ends near that with an error", {
  d <- expand.grid(model = c("A", "B"), id = 1:3, stringsAsFactors = FALSE)
  d$answer <- paste("answer", seq_len(nrow(d)))
  d$rating <- c(1, 3, 2, 4, 5, 1)
  limits <- function(d, gpt4) {
    valid <- grader_validation(quiet_answers(transform(d, gpt4 = gpt4)))$graders
    unlist(valid[c("compared", "tau_lower", "tau_upper")], use.names = FALSE)
  }
  # With one of three comparisons the other way round, tau is 1/3, and 1, 0 and 0 without a query: the margin is 2.9.
  expect_identical(limits(d, d$rating), c(3, -1, 1))
  expect_identical(limits(d, 6 - d$rating), c(3, -1, 1))
  valid <- grader_validation(quiet_answers(transform(d, gpt4 = rating)))
  expect_match(grader_verdict(valid, "gpt4"), "tau 1.00 [-1.00, 1.00] from 3 pairs of answers", fixed = TRUE,
               all = FALSE)
  expect_match(grader_verdict(valid, "gpt4")[1], "not shown to agree with people better than chance")

  # Five queries of 3 comparisons: with one the other way round, tau is 13/15, and 10/12 or 1 without a query.
  d <- expand.grid(model = c("A", "B", "C"), id = 1:5, stringsAsFactors = FALSE)
  d$answer <- paste("answer", seq_len(nrow(d)))
  d$rating <- c(1, 2, 3, 3, 1, 2, 2, 3, 1, 1, 3, 2, 3, 2, 1)
  left_out <- c(12, 10, 10, 10, 10) / 12
  se <- sqrt(4 / 5 * sum((left_out - mean(left_out))^2))
  lower <- 13 / 15 - stats::qt(0.975, 4) * se
  expect_equal(limits(d, d$rating), c(15, lower, 1))
  expect_equal(limits(d, 4 - d$rating), c(15, -1, -lower))
  # One comparison of this kind the other way round gives these limits.
  nearly <- replace(d$rating, 1:2, 2:1)
  expect_equal(limits(d, nearly)[2], lower)
})

test_that("the verdict and the worth of a grader do not contradict each other", {
  few <- answers$people[seq(1, 240, 7), ]
  found <- grader_validation(answers$x, answers$graders["good"], few)
  row <- as.data.frame(found)
  expect_identical(row$tau, NaN)
  expect_gt(row$worth, 1.5 * row$judged)
  expect_output(print(found), sprintf("Do not rank by it alone; beside judgments, .* %d judgments .* about %d without",
                                      row$judged, row$worth))
})

test_that("tau of graders and people is plotted, with verdicts", {
  skip_if_not_installed("ggplot2")
  chart <- ggplot2::autoplot(validation)
  expect_equal(chart$data$estimate, c(graders$tau, validation$people$tau))
  expect_identical(as.character(chart$data$verdict) == "not shown", c(graders$tau_lower, validation$people$tau_lower) <= 0)
  validation$graders$tau <- validation$people$tau <- NA
  expect_error(plot(validation), "There is nothing to draw", class = "judicious_error_argument")
})
