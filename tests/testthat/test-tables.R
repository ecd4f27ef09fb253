# Every table that the package returns works as a data frame in dplyr, tibble and knitr.

x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 1)

rankings_tables <- function() {
  ranking <- rank_systems(x, judgments = judgments_of(x)[1:30, ])
  list(as.data.frame(ranking), head(ranking, 2), system_differences(ranking), rank_probabilities(ranking),
       uncertainty(ranking), absolute_confidence(ranking, 5), ranking_accuracy(ranking, judgments_of(x), c(.5, .9)),
       tidy(ranking), glance(ranking), as.data.frame(joint_gains(x, judgments = judgments_of(x)[1:20, ])))
}

session_tables <- function() {
  s <- judging_session(x, goal_budget(12), seed = 1, judgments = FALSE)
  run_session(s, judgments_of(x), progress = FALSE)
  plan <- judging_plan(x, goal_budget(5), replicates = 2, seed = 1, judgments = FALSE, progress = FALSE)
  list(judgments_of(s), next_documents(s), as.data.frame(s), calibration(s), assessors(s), tidy(s), glance(s),
       as.data.frame(plan), summary(plan))
}

evaluation_tables <- function() {
  scores <- evaluate(x, judgments_of(x), c("AG@5", "nDCG@5"))
  one <- evaluate(x, judgments_of(x), "nDCG@5")
  comparison <- compare_systems(one, seed = 1)
  list(scores, summary(scores), one, comparison$pairs, comparison$systems, tidy(comparison), glance(comparison),
       effect_sizes(comparison), as.data.frame(x), output_features(x), judgment_features(x))
}

model_tables <- function() {
  data <- data.frame(y = factor(rep(1:3, 20), ordered = TRUE), a = sin(1:60), b = cos(1:60))
  fit <- pom(y ~ a + b, data)
  list(tidy(fit), glance(fit), proportional_odds_test(fit), anova(fit), as.data.frame(profile(fit)),
       fit_statistics(fit))
}

expect_works_in_dplyr <- function(table) {
  first <- names(table)[1]
  plain <- as.data.frame(table)
  expect_identical(nrow(dplyr::filter(table, seq_len(nrow(plain)) == 1)), min(1L, nrow(plain)))
  expect_identical(names(dplyr::mutate(table, extra = 1)), c(names(table), "extra"))
  expect_identical(names(dplyr::select(table, 1)), first)
  expect_identical(nrow(dplyr::bind_rows(plain, plain)), 2L * nrow(plain))
  counts <- dplyr::summarise(dplyr::group_by(table, .data[[first]]), n = dplyr::n())
  expect_identical(sum(counts$n), nrow(plain))
  expect_identical(nrow(dplyr::arrange(table, dplyr::desc(.data[[first]]))), nrow(plain))
  # A table that dplyr has changed can still be printed.
  for (left in list(dplyr::select(table, 1), dplyr::slice(table, 1), dplyr::slice(table, 0),
                    dplyr::rename(table, renamed = 1), dplyr::mutate(table, extra = 1))) {
    expect_no_error(utils::capture.output(print(left)))
  }
}

preference_tables <- function() {
  crowd <- simulate_crowd(data.frame(query = "q", doc = letters[1:5], similarity = 1:5), seed = 1)
  pairs <- as.data.frame(t(combn(letters[1:5], 2)))
  answers <- with_seed(1, ask_crowd(crowd, data.frame(query = "q", doc_a = pairs[[1]], doc_b = pairs[[2]], needed = 4)))
  list(answers, preference_decisions(answers), worker_agreement(answers), worker_quality(answers),
       batch_summary(cbind(answers, iteration = 1)), transitivity_violations(answers), as.data.frame(bradley_terry(answers)))
}

study_tables <- function() {
  study <- mtc_study(x, methods = list(own = published_method(NULL)), budgets = c(0, 5), replicates = 2, seed = 1)
  scores <- evaluate(x, judgments_of(x), "AG@5")
  power <- power_analysis(scores, sizes = c(2, 4), trials = 5, seed = 1)
  stability <- stability_analysis(scores, sizes = c(2, 4), trials = 5, seed = 1)
  list(study$results, summary(study), as.data.frame(study), as.data.frame(power), as.data.frame(stability),
       reliability_table(power, stability))
}

all_tables <- function() {
  c(rankings_tables(), session_tables(), evaluation_tables(), model_tables(), preference_tables(), study_tables())
}

test_that("dplyr's verbs accept every table", {
  testthat::skip_if_not_installed("dplyr")
  for (table in all_tables()) expect_works_in_dplyr(table)
})

test_that("every table converts to a tibble and to a knitr table", {
  testthat::skip_if_not_installed("tibble")
  testthat::skip_if_not_installed("knitr")
  for (table in all_tables()) {
    tibble <- tibble::as_tibble(table)
    expect_s3_class(tibble, "tbl_df")
    expect_identical(names(tibble), names(table))
    expect_no_match(class(tibble), "^judicious")
    # The output has two lines above the rows: a heading and a rule.
    expect_warning(lines <- knitr::kable(table, format = "pipe"), NA)
    expect_length(lines, nrow(table) + 2)
  }
})
