x <- simulate_collection(queries = 15, documents = 200, artists = 30, teams = 3, systems = 6, scale = gain_scale(0:3),
                         seed = 3)
truth <- judgments_of(x)
graded <- function(grade) data.frame(truth[c("query", "doc")], grade = grade)

# The features of joint gains without those of favoured teams.
lasting <- function(gains) grep("^favour:", names(gains$fit$beta), value = TRUE, invert = TRUE)

# A prior in which all slopes are 0 except those of the steps of the grades.
others <- setdiff(joint_features, grade_slopes)
flat <- gain_prior(slopes = stats::setNames(0 * seq_along(others), others))

test_that("grades have an effect for each step of the scale within systems, and one effect between systems", {
  grades <- graded(rep_len(0:2, nrow(truth)))
  gains <- joint_gains(x, flat, judgments = truth[0, ], grades = grades)
  expect_identical(utils::tail(lasting(gains), 3), c("grade>=1", "grade>=2", "system_grades"))
  steps <- cbind(grades$grade >= 1, grades$grade >= 2)
  value <- steps %*% c(1.7, 0.7)
  features <- grade_features(x, read_grades(x, grades))
  within <- cbind(features[[1]], features[[2]])
  between <- features$system_grades / (1 + 0.4 / 2)
  expect_equal(as.vector(within %*% c(1.7, 0.7)) + between, as.vector(value), tolerance = 1e-7)
  # The features within systems have mean 0 in each system. The feature between systems is, for each pair, the mean over
  # its systems of one number per system.
  of <- result_matrix(x)
  expect_equal(crossprod(of, within), matrix(0, 6, 2), tolerance = 1e-6)
  expect_equal(stats::lm.fit(of / rowSums(of), between)$residuals, numeric(nrow(truth)), tolerance = 1e-6)
  slope <- gains$model$coefficient[names(features)]
  logit <- gain_prior()$coefficient[[1]] + scale(do.call(cbind, features), scale = FALSE) %*% slope
  expect_equal(as.data.frame(gains)$mean, as.vector(3 * stats::plogis(logit)))
})

test_that("grades can be a vector, a data frame or a file", {
  grades <- graded(truth$gain)
  path <- file.path(withr::local_tempdir(), "grades.tsv")
  utils::write.table(grades, path, sep = "\t", quote = FALSE, row.names = FALSE)
  some <- truth[seq(1, nrow(truth), by = 9), ]
  gains_by <- function(grades) as.data.frame(joint_gains(x, gain_prior(), judgments = some, grades = grades))
  expect_identical(gains_by(grades$grade), gains_by(grades))
  expect_identical(gains_by(path), gains_by(grades))
  expect_identical(gains_by(list(grades)), gains_by(grades))
  fine <- seq_len(nrow(truth))
  expect_identical(gains_by(fine), gains_by(graded(fine)))
  two <- as.numeric(truth$gain >= 2)
  expect_identical(gains_by(list(one = truth$gain, two = two)), gains_by(list(one = path, two = graded(two))))
  runs <- as.data.frame(x)
  unknown <- test_collection(data.frame(runs[c("system", "query", "doc")], score = -runs$rank), k = x$k)
  expect_identical(rank_systems(unknown, grades = truth$gain)$mean, rank_systems(unknown, grades = grades)$mean)
})

test_that("grades are matched by query and document, and a missing grade has the mean effect", {
  known <- seq(1, nrow(truth), by = 2)
  grades <- graded(rep_len(0:2, nrow(truth)))[known, ]
  values <- read_grades(x, grades)$steps$grade
  expect_equal(values[known, ], cbind("grade>=1" = grades$grade >= 1, "grade>=2" = grades$grade >= 2) + 0)
  expect_equal(unique(values[-known, "grade>=2"]), mean(grades$grade >= 2))
  shuffled <- grades[rev(seq_len(nrow(grades))), ]
  expect_identical(read_grades(x, shuffled)$steps$grade, values)
  names(shuffled)[3] <- "gain"
  expect_identical(read_grades(x, function(x) shuffled)$steps$grade, values)
  shuffled$gain <- factor(shuffled$gain, ordered = TRUE)
  expect_equal(unname(read_grades(x, shuffled)$steps$grade), unname(values))
})

test_that("after 50 judgments, right grades have a large effect, shuffled ones a small, and inverted ones a negative", {
  set.seed(4)
  some <- truth[sample.int(nrow(truth), 50), ]
  slope <- function(grade) {
    of <- summary(joint_gains(x, gain_prior(), judgments = some, grades = graded(grade)))$coefficient
    sum(of[grep(">=", names(of))])
  }
  right <- slope(truth$gain)
  expect_gt(right, 3.1)
  expect_lt(slope(3 - truth$gain), 0)
  expect_lt(abs(slope(sample(truth$gain))), right / 3)
})

test_that("each of several graders has a smaller effect than one grader alone", {
  grades <- list(good = graded(truth$gain), rough = graded(as.numeric(truth$gain > 1)))
  gains <- joint_gains(x, gain_prior(), judgments = truth[0, ], grades = grades)
  steps <- c("good>=1", "good>=2", "good>=3", "rough>=1")
  expect_identical(utils::tail(lasting(gains), 5), c(steps, "system_grades"))
  expect_equal(gains$model$grading$informative$coefficient[steps],
               stats::setNames(c(1.7, 0.7, 0.7, 1.7) / 2^0.7, steps))
  expect_gt(rank_systems(x, gains)$mean[1], 0)
})

text <- judgments_of(text_demo)
right_with <- function(judgments, grades) {
  ranking_accuracy(rank_systems(text_demo, judgments = judgments, grades = grades), text)[["accuracy"]]
}

test_that("a grader's weight depends on correlation with popularity before judgments, later on agreement with them", {
  set.seed(1)
  some <- text[sample.int(nrow(text), 60), ]
  inverted <- transform(text_grades, grade = 3 - grade)
  shuffled <- transform(text_grades, grade = sample(grade))
  odds <- function(judgments, grades) joint_gains(text_demo, gain_prior(), judgments = judgments,
                                                  grades = grades)$fit$grader_odds
  expect_equal(odds(text[0, ], text_grades), 2)
  expect_lt(odds(text[0, ], shuffled), -2)
  expect_lt(odds(text[0, ], inverted), -4)
  expect_gt(odds(some, text_grades), odds(text[0, ], text_grades))
  expect_lt(odds(some, shuffled), odds(text[0, ], shuffled))
  without <- right_with(FALSE, NULL)
  expect_gt(right_with(FALSE, text_grades), without + 0.05)
  expect_gt(right_with(FALSE, inverted), without - 0.005)
  expect_gt(right_with(FALSE, shuffled), without - 0.005)
  expect_gt(right_with(some, inverted), right_with(some, NULL) - 0.005)
  expect_gt(right_with(some, text_grades), right_with(FALSE, text_grades) - 0.005)
})

test_that("the prior with grades has the moments of a mixture of priors for informative and uninformative grades", {
  model <- joint_gains(x, gain_prior(), judgments = truth[0, ], grades = graded(rep_len(0:2, nrow(truth))))$model
  grading <- model$grading
  expect_equal(grader_mixture(grading, 40)$coefficient, grading$informative$coefficient)
  expect_equal(grader_mixture(grading, -40)$variance, grading$uninformative$variance)
  # The prior for uninformative grades has the same moments of all other coefficients as a prior without grades.
  ungraded <- prior_for_collection(grading$unadapted, x)
  own <- setdiff(names(ungraded$coefficient), grade_slopes)
  expect_identical(grading$uninformative$coefficient[own], ungraded$coefficient[own])
  expect_identical(grading$uninformative$coefficient_covariance[own, own], ungraded$coefficient_covariance[own, own])
  # The moments are compared with those of draws from the two priors.
  half <- grader_mixture(grading, 0)
  set.seed(1)
  draw <- function(one) {
    names <- c("agreement", "grade>=1", "grade>=2")
    root <- chol(one$coefficient_covariance[names, names])
    sweep(matrix(stats::rnorm(3e5), ncol = 3) %*% root, 2, one$coefficient[names], "+")
  }
  drawn <- rbind(draw(grading$informative), draw(grading$uninformative))
  names <- colnames(drawn)
  expect_equal(unname(half$coefficient[names]), unname(colMeans(drawn)), tolerance = 0.01)
  # A large difference that the informative prior predicts has the predicted sign with probability 3/4, which requires
  # additional variance.
  apart <- (grading$informative$coefficient - grading$uninformative$coefficient)[names]
  more <- ((1 / 2 / stats::qnorm(3 / 4))^2 - 1 / 4) * tcrossprod(apart)
  expect_equal(unname(half$coefficient_covariance[names, names]), unname(stats::cov(drawn) + more), tolerance = 0.015)
})

test_that("the correlation of grades with popularity, and its error, are scaled by the variation of popularity", {
  value <- list(text_grades$grade[match(paste(text$query, text$doc), paste(text_grades$query, text_grades$doc))])
  value[[1]][is.na(value[[1]])] <- 0
  whole <- grade_check(text_demo, value)
  retrieved <- log(output_features(text_demo)$pTEAM)
  within <- function(v) stats::residuals(stats::lm(v ~ factor(text_demo$pool$query)))
  power <- min(stats::sd(within(retrieved)) / 0.7, 1)^0.6
  expect_equal(whole$correlation, stats::cor(within(value[[1]]), within(retrieved)) / power)
  expect_equal(whole$se, 1 / sqrt(n_pairs(text_demo) - n_queries(text_demo)) / power)
  expect_identical(whole$reranked, character())
  # Two of 240 results are one answer: 242 / 240 systems per result, so that 3 - 2 * 242 / 240 = 59 / 60 is missing.
  answers <- data.frame(system = sprintf("s%d", 1:6), query = rep(sprintf("q%02d", 1:40), each = 6))
  answers$doc <- replace(paste(answers$query, answers$system), c(2, 5), "shared")
  few <- test_collection(answers, k = 1, scale = 0:4)
  of_pairs <- seq_len(n_pairs(few)) %% 5
  retrieved <- stats::residuals(stats::lm(log(output_features(few)$pTEAM) ~ factor(few$pool$query)))
  power <- (stats::sd(retrieved) / 0.7)^0.6
  expect_equal(grade_check(few, list(of_pairs))$se, sqrt(1 / (239 - 40) / power^2 + (2 * (59 / 60) / (1 / 60))^2))
  # Answers of all six systems are no answers that more systems share than others.
  answers$doc[answers$query > "q20"] <- "of all"
  few <- test_collection(answers, k = 1, scale = 0:4)
  retrieved <- stats::residuals(stats::lm(log(output_features(few)$pTEAM) ~ factor(few$pool$query)))
  power <- (stats::sd(retrieved) / 0.7)^0.6
  expect_equal(grade_check(few, list(seq_len(139) %% 5))$se,
               sqrt(1 / (139 - 40) / power^2 + (2 * (59 / 60) / (1 / 60))^2))
  # A check without information leaves the odds at one (log odds 0).
  expect_equal(prior_log_odds(list(correlation = 0, se = uninformative_se)), 0, tolerance = 1e-4)
})

test_that("an answer that two systems share, and that fails, is no reason to doubt the grader of 240 answers", {
  given <- with_seed(1, expand.grid(system = sprintf("s%d", 1:6), query = sprintf("q%02d", 1:40)))
  given$grade <- with_seed(1, stats::rbinom(240, 4, c(0.3, 0.4, 0.5, 0.6, 0.7, 0.8)))
  fails <- given$query == "q07" & given$system %in% c("s2", "s5")
  given$grade[fails] <- 0
  ranked <- function(doc) {
    x <- test_collection(data.frame(given[c("system", "query")], doc), k = 1, scale = 0:4)
    rank_systems(x, grades = unique(data.frame(given["query"], doc, given["grade"])))
  }
  own <- paste(given$query, given$system)
  apart <- ranked(own)
  shared <- ranked(replace(own, fails, "q07 empty"))
  expect_false(any(grepl("reversed|doubted", utils::capture.output(shared))))
  expect_identical(as.data.frame(shared)$system, as.data.frame(apart)$system)
  expect_equal(shared$mean, apart$mean, tolerance = 0.02)
  expect_equal(ranking_confidence(shared), ranking_confidence(apart), tolerance = 0.02)
})

test_that("grades of a grader that re-ranked a system's list are not used to compare that system with others", {
  runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
  grade <- text_grades$grade[match(paste(runs$query, runs$doc), paste(text_grades$query, text_grades$doc))]
  some <- runs$system %in% text_demo$systems$system[1:4]
  again <- cbind(runs, grade = ifelse(is.na(grade), 0, grade))[some, ]
  again <- again[!duplicated(again[c("query", "doc")]), ]
  again <- again[order(again$query, -again$grade), ]
  again$rank <- stats::ave(again$rank, again$query, FUN = seq_along)
  again$system <- "again"
  runs <- rbind(runs, again[again$rank <= text_demo$k, names(runs)])
  x <- test_collection(runs, k = text_demo$k, scale = text_demo$scale)
  value <- read_grades(x, text_grades)
  value <- grade_predictors(value)[[1]]
  at <- match("again", x$systems$system)
  expect_identical(reranked_systems(x, value), at)
  of <- result_matrix(x)
  over <- function(v) as.vector(crossprod(of, v) / colSums(of))
  agreement <- over(list_agreement(x, log(output_features(x)$pTEAM)))
  others <- stats::lm(mean ~ agreement, data.frame(mean = over(value), agreement)[-at, ])
  predicted <- stats::predict(others, data.frame(agreement = agreement[at]))
  expect_lt(predicted, over(value)[at])
  expect_equal(over(between_systems(x, value)), replace(over(value), at, predicted), tolerance = 0.01)
  expect_snapshot(print(rank_systems(x, judgments = FALSE, grades = text_grades), n = 1))
  # Without ranks, it cannot be recognised that a list was re-ranked.
  x$results$rank <- NULL
  expect_identical(reranked_systems(x, value), integer())
})

test_that("print() states whether grades are unreliable or cannot be checked", {
  inverted <- transform(text_grades, grade = 3 - grade)
  expect_snapshot(print(rank_systems(text_demo, judgments = FALSE, grades = inverted), n = 1))
  # Every system has documents of its own, so no documents are shared.
  runs <- expand.grid(system = c("a", "b", "c"), query = paste0("q", 1:6), stringsAsFactors = FALSE)
  runs$doc <- paste0(runs$system, runs$query)
  alone <- test_collection(runs, k = 1, scale = 0:3)
  grades <- data.frame(runs[c("query", "doc")], grade = rep_len(0:3, nrow(runs)))
  expect_snapshot(print(rank_systems(alone, grades = grades), n = 1))
  expect_snapshot(print(joint_gains(alone, gain_prior(), grades = grades)))
})

test_that("a model learned with grades accepts a next collection with or without grades", {
  grader <- function(x) {
    pool <- judgments_of(x)
    data.frame(pool[c("query", "doc")], grade = pool$gain)
  }
  model <- gain_model(x, ~ popularity, random = "query", grades = grader)
  steps <- paste0("grade>=", 1:3)
  expect_true(all(steps %in% names(model$coefficient)))
  expect_true(all(model$coefficient[steps] > 0.7))
  with <- joint_gains(x, model, judgments = truth[0, ], grades = grader)
  expect_equal(with$model$coefficient, model$coefficient)
  expect_false(any(steps %in% names(joint_gains(x, model, judgments = truth[0, ])$fit$beta)))
})

test_that("sessions accept grades", {
  s <- judging_session(x, goal = goal_budget(25), grades = graded(truth$gain), seed = 1, judgments = FALSE)
  run_session(s, progress = FALSE)
  order <- judgments_of(s)[c("query", "doc", "gain")]
  gains <- joint_gains(x, gain_prior(), judgments = order[seq_len(20), ], grades = graded(truth$gain))
  expect_true("grade>=3" %in% names(gains$fit$beta))
  expect_identical(rank_systems(s)$judged, 25L)
})

test_that("grades can be given as paths of files", {
  grades <- list(small = graded(rep_len(0:2, nrow(truth))), large = graded(rep_len(3:0, nrow(truth))))
  paths <- file.path(withr::local_tempdir(), c("small.2026.qrels", "large.tsv"))
  writeLines(with(grades$small, paste(query, 0, doc, grade)), paths[1])
  utils::write.table(grades$large, paths[2], sep = "\t", quote = FALSE, row.names = FALSE)
  expect_equal(read_grades(x, paths[1]), read_grades(x, grades$small))
  expect_equal(read_grades(x, paths), read_grades(x, grades))
  expect_equal(read_grades(x, c(a = paths[1], b = paths[2])), read_grades(x, stats::setNames(grades, c("a", "b"))))
  expect_equal(read_grades(x, list(small = paths[1], large = grades$large)), read_grades(x, grades))
  # A session keeps the grades, because the file may be gone when the collection grows.
  s <- judging_session(x, grades = paths[2], judgments = FALSE)
  unlink(paths[2])
  expect_equal(s$engine$x$grades$value, as.numeric(grades$large$grade))
})

test_that("grades of a new collection can be used with past collections that have none", {
  grades <- graded(rep_len(0:2, nrow(truth)))
  past <- simulate_collection(queries = 8, documents = 120, artists = 30, systems = 4, scale = gain_scale(0:3),
                              seed = 5)
  past$queries$query <- paste0("past", past$queries$query)
  expect_message(model <- gain_model(past, grades = grades), class = "judicious_message_grades")
  expect_identical(model, gain_model(past))
  ranking <- suppressMessages(rank_systems(x, past = past, grades = grades, judgments = FALSE))
  expect_equal(ranking$mean, rank_systems(x, gain_model(past), grades = grades, judgments = FALSE)$mean)
})

test_that("a past session contributes the effect of the grades that it used", {
  grades <- graded(truth$gain)
  s <- run_session(judging_session(x, goal = goal_budget(30), grades = grades, judgments = FALSE, seed = 1), truth,
                   progress = FALSE)
  other <- transform(grades, query = paste0("next", query))
  expect_identical(gain_model(s, grades = other), gain_model(s, grades = grades))
  expect_identical(gain_model(s), gain_model(s, grades = grades))
  expect_false(any(grepl(">=", names(gain_model(s, grades = FALSE)$coefficient))))
})

test_that("grades of many values are a numeric feature, or ten groups if there are several graders", {
  fine <- graded(seq_len(nrow(truth)))
  expect_equal(read_grades(x, fine)$number, as.vector(scale(fine$grade)))
  # If there are several graders, numeric grades are cut into ten groups of about the same size.
  groups <- cut(fine$grade, quantile(fine$grade, 0:10 / 10, type = 1), include.lowest = TRUE, right = FALSE,
                labels = FALSE)
  good <- transform(fine, grade = grade > 100)
  good$grade <- as.numeric(good$grade)
  beside <- read_grades(x, list(a = fine, b = good))$steps
  cut <- read_grades(x, list(a = transform(fine, grade = groups), b = good))$steps
  expect_equal(unname(beside$a), unname(cut$a))
  expect_identical(beside$b, cut$b)
  expect_equal(ncol(beside$a), max_grades - 1)
})

test_that("errors name the problem with grades", {
  good <- graded(truth$gain)
  expect_snapshot(error = TRUE, {
    joint_gains(x, flat, grades = list())
    joint_gains(x, flat, grades = list(good, 1:3))
    joint_gains(x, flat, grades = list(a = good, a = good))
    joint_gains(x, flat, grades = good[c("query", "doc")])
    joint_gains(x, flat, grades = transform(good, grade = c("low", "high")[1 + (grade > 0)]))
    joint_gains(x, flat, grades = transform(good, doc = paste("no", doc)))
    joint_gains(x, flat, grades = good[c(1, 1), ])
    joint_gains(x, flat, grades = transform(good, grade = replace(grade, 3, Inf)))
    joint_gains(x, flat, grades = list(good, transform(good, grade = "yes")))
    joint_gains(x, flat, grades = list(a = good, b = good[c(1, 1), ]))
    joint_gains(x, flat, grades = list(a = good, b = transform(good, doc = paste("no", doc))))
    joint_gains(x, flat, grades = replace(good$grade, 4, -Inf))
    joint_gains(x, flat, grades = "no-grades.tsv")
  })
})

test_that("a grader that gives every pair the same grade is left out with a warning", {
  good <- graded(truth$gain)
  same <- graded(2)
  expect_snapshot(ranking <- rank_systems(x, judgments = FALSE, grades = list(good = good, same = same)))
  expect_equal(ranking$mean, rank_systems(x, judgments = FALSE, grades = list(good = good))$mean)
  expect_snapshot(ranking <- rank_systems(x, judgments = FALSE, grades = same[1:9, ]))
  expect_equal(ranking$mean, rank_systems(x, judgments = FALSE)$mean)
  expect_warning(rank_systems(x, judgments = FALSE, grades = same$grade), class = "judicious_warning_constant_grades")
})

test_that("grades are read from files, and NA is a missing grade", {
  test <- environment()
  file <- function(lines) bytes_file(paste0(lines, "\n"), env = test)
  some <- graded(truth$gain)[1:40, ]
  lines <- paste(some$query, some$doc, replace(some$grade, 3:4, NA), sep = "\t")
  path <- file(c("query\tdoc\tgrade", lines))
  mean_of <- function(grades) rank_systems(x, judgments = FALSE, grades = grades)$mean
  want <- mean_of(some[-(3:4), ])
  expect_identical(mean_of(path), want)
  expect_identical(mean_of(list(grade = path)), want)
  blank <- sub("NA$", "", lines)
  expect_identical(mean_of(file(c("query\tdoc\tgrade", blank))), want)
  # A session keeps the grades, not the path.
  s <- judging_session(x, grades = path, judgments = FALSE, seed = 1)
  expect_identical(s$engine$x$grades$value, some$grade[-(3:4)])
  expect_snapshot(error = TRUE, {
    joint_gains(x, flat, grades = list(a = some, b = file(c("query doc grade", "q01 d191 2", "q01 d192 high"))))
    joint_gains(x, flat, grades = list(a = some, b = file(c("query doc", "q01 d191"))))
  }, transform = hide_paths)
})

test_that("print() of a ranking counts the documents without a grade", {
  x <- simulate_collection(queries = 5, documents = 60, artists = 12, systems = 3, scale = gain_scale(0:3), seed = 5)
  grades <- judgments_of(x)
  expect_output(print(rank_systems(x, grades = grades[-(1:7), ], judgments = FALSE)), "7 documents without a grade")
  # Only documents that no grader has graded are counted.
  both <- list(one = grades[-(1:7), ], two = grades[-(5:9), ])
  expect_output(print(rank_systems(x, grades = both, judgments = FALSE)), "3 documents without a grade")
  shown <- capture.output(print(rank_systems(x, grades = grades, judgments = FALSE)))
  expect_false(any(grepl("without a grade", shown)))
})

# Systems share no documents. The grader is right about the order of each system's documents, but favours the worse
# systems.
kin_favouring <- function(seed = 2) {
  withr::local_seed(seed)
  runs <- expand.grid(query = sprintf("q%02d", 1:30), system = c("kin1", "kin2", "kin3", "other1", "other2", "other3"),
                      stringsAsFactors = FALSE)
  runs$doc <- paste(runs$system, runs$query)
  worth <- c(kin1 = 1.4, kin2 = 1.5, kin3 = 1.6, other1 = 2.4, other2 = 2.6, other3 = 3)[runs$system]
  runs$gain <- pmin(pmax(round(worth + stats::rnorm(nrow(runs), 0, 1.3)), 0), 5)
  runs$grade <- round(runs$gain + 3 * grepl("kin", runs$system) + stats::rnorm(nrow(runs), 0, 0.3), 1)
  teams <- data.frame(system = unique(runs$system), team = rep(c("kin", "other"), each = 3))
  list(x = test_collection(runs[c("query", "system", "doc")], systems = teams, k = 1, scale = 0:5),
       truth = runs[c("query", "doc", "gain")], grades = runs[c("query", "doc", "grade")])
}

without_least_of_system <- function(env = parent.frame()) {
  least <- min_judged_of_system
  withr::defer(assignInNamespace("min_judged_of_system", least, "judicious"), env)
  assignInNamespace("min_judged_of_system", 0, "judicious")
}

test_that("if grades cannot be checked otherwise, a session judges every system before a goal can be met", {
  case <- kin_favouring()
  run <- function(goal, ...) {
    s <- judging_session(case$x, goal, seed = 1, ...)
    run_session(s, case$truth, progress = FALSE)
    s
  }
  judged <- function(s) table(factor(sub(" .*", "", judgments_of(s)$doc), case$x$systems$system))
  best <- names(which.max(tapply(case$truth$gain, sub(" .*", "", case$truth$doc), mean)))
  winner <- function(s) names(which.max(rank_systems(s)$mean))
  s <- run(goal_mean(0.85), grades = case$grades)
  expect_true(progress(s, expect = FALSE)$goal$reached)
  expect_gte(min(judged(s)), min_judged_of_system)
  expect_identical(winner(s), best)
  local({
    without_least_of_system()
    early <- run(goal_mean(0.85), grades = case$grades)
    expect_true(progress(early, expect = FALSE)$goal$reached)
    expect_lt(nrow(judgments_of(early)), 30)
    expect_lt(min(judged(early)), 5)
  })
  # Goals other than a budget are not met until documents of every system have been judged.
  for (goal in list(goal_all_pairs(0.51), goal_top(1, 0.2), goal_ranks(6), goal_width(1), goal_beats("kin1", 0.51),
                    goal_absolute(5, 0.5))) {
    s <- run(goal | goal_budget(20), grades = case$grades)
    expect_false(progress(s, expect = FALSE)$goal$met)
    expect_gte(min(judged(s)), 2)
  }
  expect_output(print(s), "budget spent at confidence")
  expect_output(print(rank_systems(s)), "The grades may favour systems: of [1-6] systems?, fewer than 5 answers are")
  s <- run(goal_budget(12), grades = case$grades)
  set_goal(s$engine, goal_mean(0.51))
  expect_output(print(s), "not met before 5 answers of every system are judged", fixed = TRUE)
  expect_output(print(progress(s, expect = FALSE)), "not met before 5 answers of every system", fixed = TRUE)
  # The expected number of judgments includes these judgments, and so does a plan.
  expect_gte(progress(s)$expected_more, sum(pmax(5 - judged(s), 0)))
  plan <- judging_plan(case$x, goal_mean(0.51), grades = case$grades, replicates = 1, seed = 1)
  expect_gte(plan$needed$judged, 30)
  expect_output(print(plan), "no goal is met before 5 answers (or all) of every system are judged", fixed = TRUE)
  # This requirement applies neither without grades nor to custom goals.
  expect_null(lacking_systems(joint_gains(case$x)))
  own <- goal_custom("ten", function(ranking) list(value = 1, asked = 1, reached = ranking$judged >= 10))
  expect_identical(nrow(judgments_of(run(own | goal_budget(15), grades = case$grades))), 10L)
  # The requirement counts judgments by system.
  gains <- joint_gains(case$x, grades = case$grades, judgments = case$truth[c(1:5, 31:34), ])
  expect_identical(which(!lacking_systems(gains)), 1L)
})

test_that("if no documents are shared, uncertainty about graded systems is widened towards the prior variance", {
  case <- kin_favouring()
  at <- seq(1, nrow(case$truth), by = 9)
  grades <- transform(case$truth, grade = gain, gain = NULL)
  gains <- joint_gains(case$x, grades = grades, judgments = case$truth[at, ])
  model <- gains$model
  before <- grader_mixture(model$grading, model$grading$odds)
  expect_gt(gains$fit$grader_odds, model$grading$odds)
  both <- c("system", "team")
  expect_equal(gains$unchecked, (before$variance / model$variance)[both]^((gains$fit$variance_sd /
                                                                            model$variance_sd)[both]^2))
  expect_gt(min(gains$unchecked), 1)
  # The covariance of the errors of the estimates if the variances are larger by these factors.
  prior <- dense_joint_prior(gains)
  judged <- which(!is.na(gains$gain))
  follow <- diag(nrow(prior$covariance))
  follow[, judged] <- follow[, judged] - prior$covariance[, judged] %*% solve(prior$covariance[judged, judged])
  wider <- gains
  wider$parameters$variance[both] <- wider$parameters$variance[both] * gains$unchecked
  expected <- crossprod(prior$weights, follow %*% dense_joint_prior(wider)$covariance %*% t(follow) %*% prior$weights)
  ranking <- rank_systems(case$x, gains)
  expect_equal(unname(ranking$covariance), 25 * expected)
  gains$unchecked <- NULL
  narrow <- rank_systems(case$x, gains)
  expect_identical(ranking$mean, narrow$mean)
  expect_lt(ranking_confidence(ranking), ranking_confidence(narrow))
  expect_equal(sum(uncertainty(ranking, c("kin1", "other3"))$share), 1)
  # Draws have the same factor.
  of_draws <- function(gains) rank_systems(case$x, gains, measure = "P(rel=3)@1", draws = 50, seed = 1)$covariance
  apart <- function(covariance) sum(diag(covariance)) - mean(colSums(covariance))
  expect_equal(of_draws(ranking$gains), of_draws(gains) * apart(ranking$covariance) / apart(narrow$covariance))
  # Without judgments, or if systems share documents, no variance is added.
  expect_equal(unname(joint_gains(case$x, grades = grades)$unchecked), c(1, 1))
  expect_true(all(joint_gains(x, grades = graded(truth$gain), judgments = truth[1:30, ])$unchecked == 1))
  expect_null(joint_gains(case$x, judgments = case$truth[at, ])$unchecked)
  # A collection of one system.
  one <- as.data.frame(case$x)
  one <- one[one$system == "kin1", names(one) != "gain"]
  one <- test_collection(one, k = case$x$k, scale = case$x$scale)
  of_one <- function(data) merge(data, unique(as.data.frame(one)[c("query", "doc")]))
  alone <- joint_gains(one, grades = of_one(grades), judgments = of_one(case$truth[at, ]))
  alone$unchecked <- c(system = 2)
  plain <- replace(alone, "unchecked", list(NULL))
  expect_gt(rank_systems(one, alone)$covariance, rank_systems(one, plain)$covariance)
})

test_that("grades can be read from a database table", {
  skip_if_not_installed("RSQLite")
  con <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
  on.exit(DBI::dbDisconnect(con))
  grades <- graded(truth$gain)
  DBI::dbWriteTable(con, "g", grades)
  expect_identical(rank_systems(x, grades = list(con, "g"))$mean, rank_systems(x, grades = grades)$mean)
  expect_equal(rank_systems(x, grades = list(llm = list(con, "g"), other = grades))$mean,
               rank_systems(x, grades = list(llm = grades, other = grades))$mean)
})

test_that("if systems share documents, no minimum number of judgments per system is required", {
  s <- judging_session(x, goal_mean(0.6), grades = graded(truth$gain), seed = 1, judgments = FALSE)
  run_session(s, truth, progress = FALSE)
  expect_null(s$engine$ranking$lacking)
  without_least_of_system()
  before <- judging_session(x, goal_mean(0.6), grades = graded(truth$gain), seed = 1, judgments = FALSE)
  run_session(before, truth, progress = FALSE)
  expect_identical(judgments_of(s)[c("query", "doc")], judgments_of(before)[c("query", "doc")])
})
