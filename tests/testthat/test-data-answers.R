# The bundled collections of answers equal those of their sources.

test_that("the data set hanna has the ratings, systems and grades of its source", {
  expect_identical(dim(hanna), c(11L * 96L * 3L, 11L))
  expect_setequal(table(hanna$system), 96 * 3)
  expect_true(all(hanna$rating >= 1 & hanna$rating <= 5))
  x <- suppressMessages(read_answers(hanna))
  expect_identical(c(n_systems(x), n_queries(x), n_pairs(x)), c(11L, 96L, 1056L))
  skip_without_data("hanna")
  folder <- file.path(Sys.getenv("JUDICIOUS_DATA"), "hanna")
  truth <- utils::read.delim(file.path(folder, "judgments.tsv.gz"))
  means <- stats::aggregate(rating ~ query + system, hanna, mean)
  given <- truth$gain[match(paste(means$query, means$system), paste(truth$query, sub("^p[0-9]+[.]", "", truth$doc)))]
  expect_equal(18 * (means$rating - 1), given, tolerance = 1e-12)
})

test_that("the bundled answers to math questions have the published accuracies of the models", {
  skip_if_not_installed("jsonlite")
  skip_without_data("gsm")
  rows <- jsonlite::stream_in(gzfile(system.file("extdata", "gsm", "answers.jsonl.gz", package = "judicious")),
                              verbose = FALSE)
  expect_identical(c(nrow(rows), length(unique(rows$model)), length(unique(rows$id))), c(12900L, 43L, 300L))
  folder <- file.path(Sys.getenv("JUDICIOUS_DATA"), "gsm")
  runs <- utils::read.delim(file.path(folder, "runs.tsv.gz"))
  truth <- utils::read.delim(file.path(folder, "judgments.tsv.gz"))
  known <- tapply(truth$gain[match(paste(runs$query, runs$doc), paste(truth$query, truth$doc))], runs$system, mean)
  right <- suppressWarnings(as.numeric(rows$answer) == as.numeric(gsub(",", "", rows$gold))) %in% TRUE
  expect_equal(c(tapply(right, rows$model, mean))[names(known)], c(known), tolerance = 1e-12)
})
