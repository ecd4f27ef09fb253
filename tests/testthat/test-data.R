test_that("simulate_collection() reproduces the data set ams_demo", {
  expect_identical(ams_demo, simulate_collection(edition = 2011, seed = 2011))
})

test_that("text_demo and ams_demo have the sizes, accuracies and correlation that their help states", {
  truth <- judgments_of(text_demo)
  expect_equal(c(n_systems(text_demo), n_queries(text_demo), nrow(truth)), c(24, 40, 2228))
  alone <- ranking_accuracy(rank_systems(text_demo, judgments = FALSE), truth)[["accuracy"]]
  helped <- ranking_accuracy(rank_systems(text_demo, judgments = FALSE, grades = text_grades), truth)[["accuracy"]]
  expect_true(alone > 0.82 && alone < 0.88)
  expect_gt(helped, alone)
  # The accuracies that the help of the data set states.
  easy <- ranking_accuracy(rank_systems(ams_demo, judgments = FALSE), judgments_of(ams_demo))[["accuracy"]]
  grade <- text_grades$grade[match(paste(truth$query, truth$doc), paste(text_grades$query, text_grades$doc))]
  said <- c(alone, mean(truth$gain == 0), stats::cor(grade, truth$gain), easy)
  expect_equal(round(said, 2), c(0.86, 0.53, 0.74, 0.95))
})

test_that("text_grades has a grade for every pair of the pool of text_demo", {
  truth <- judgments_of(text_demo)
  expect_setequal(paste(text_grades$query, text_grades$doc), paste(truth$query, truth$doc))
  expect_setequal(text_grades$grade, 0:3)
})
