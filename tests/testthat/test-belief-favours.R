# Graders that favour a team.
text <- judgments_of(text_demo)

# Grades that are raised by one for most documents of a team, the worst of text_demo.
kin_grades <- local({
  worst <- names(which.min(tapply(colSums(result_matrix(text_demo) * text$gain), text_demo$systems$team, mean)))
  of <- result_matrix(text_demo)[, text_demo$systems$team == worst, drop = FALSE]
  withr::local_seed(1)
  favoured <- paste(text$query, text$doc)[rowSums(of) > 0 & stats::runif(nrow(text)) < 0.7]
  list(team = worst, grades = transform(text_grades, grade = pmin(grade + (paste(query, doc) %in% favoured), 3)))
})

test_that("teams whose grades exceed what the agreement of their lists predicts get their own grade effects", {
  gains <- joint_gains(text_demo, judgments = text[0, ], grades = kin_grades$grades)
  features <- grade_features(text_demo, read_grades(text_demo, kin_grades$grades))
  favours <- grep("^favour:", names(features), value = TRUE)
  expect_true(paste0("favour:", kin_grades$team) %in% favours)
  of <- result_matrix(text_demo)
  over <- function(v) as.vector(crossprod(of, v) / colSums(of))
  agreement <- over(list_agreement(text_demo, log(output_features(text_demo)$pTEAM)))
  excess <- pmax(stats::residuals(stats::lm(over(features$system_grades) ~ agreement)), 0)
  for (favour in favours) {
    own <- paste0("favour:", text_demo$systems$team) == favour
    expect_equal(over(features[[favour]]), unname(excess * own), tolerance = 0.05)
  }
  expect_setequal(favours, paste0("favour:", text_demo$systems$team[excess > 1e-6]))
  grading <- gains$model$grading
  for (odds in c(-40, 40)) {
    model <- grader_mixture(grading, odds)
    expect_equal(unname(model$coefficient[favours]), 0 * seq_along(favours))
    expect_equal(unname(coefficient_sd(model)[favours]), rep(if (odds > 0) 0.8 else 0.3, length(favours)))
  }
  expect_false(any(favours %in% names(grading$unadapted$coefficient)))
})

test_that("favour effects reduce the errors from grades that favour a team, once there are judgments", {
  some <- text[withr::with_seed(2, sample.int(nrow(text), 60)), ]
  truth_of_systems <- colSums(result_matrix(text_demo) * text$gain) / (text_demo$k * nrow(text_demo$queries))
  squared <- function(judgments) {
    ranking <- rank_systems(text_demo, judgments = judgments, grades = kin_grades$grades)
    apart <- function(v) outer(v, v, "-")[upper.tri(diag(length(v)))]
    error <- apart(ranking$mean) - apart(truth_of_systems)
    variance <- outer(diag(ranking$covariance), diag(ranking$covariance), "+") - 2 * ranking$covariance
    c(error = mean(error^2), z2 = mean(error^2 / variance[upper.tri(variance)]))
  }
  with <- list(squared(FALSE), squared(some))
  real <- favour_features
  withr::defer(assignInNamespace("favour_features", real, "judicious"))
  assignInNamespace("favour_features", function(x, between) list(), "judicious")
  without <- list(squared(FALSE), squared(some))
  # Before any judgment, means equal those without these slopes, but are less certain.
  expect_equal(with[[1]][["error"]], without[[1]][["error"]])
  expect_lt(with[[1]][["z2"]], without[[1]][["z2"]])
  expect_lt(with[[2]][["error"]], 0.9 * without[[2]][["error"]])
  expect_lt(with[[2]][["z2"]], 0.8 * without[[2]][["z2"]])
})

test_that("with two systems, no team is found to be favoured by grades", {
  runs <- data.frame(system = rep(c("A", "B"), c(7, 5)), query = rep(c("q", "r", "q", "r"), c(4, 3, 3, 2)),
                     doc = c("a", "b", "c", "d", "a", "b", "c", "b", "a", "e", "d", "a"), rank = c(1:4, 1:3, 1:3, 1:2))
  x <- suppressWarnings(test_collection(runs, scale = 0:3, k = 4))
  grades <- transform(unique(runs[c("query", "doc")]), grade = c(3, 1, 0, 2, 3, 1, 0, 2, 1))
  features <- grade_features(x, read_grades(x, grades))
  expect_true("system_grades" %in% names(features))
  expect_length(grep("^favour:", names(features)), 0)
  expect_setequal(as.data.frame(rank_systems(x, grades = grades))$system, c("A", "B"))
})
