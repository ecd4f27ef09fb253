test_that("studies require the same systems and queries in all measures, and usable strata", {
  scores <- expand.grid(system = c("A", "B"), query = 1:8, measure = c("M", "N"), stringsAsFactors = FALSE)
  scores$value <- seq_len(nrow(scores)) %% 5
  expect_snapshot(error = TRUE, {
    power_analysis(scores[!(scores$measure == "N" & scores$query == 8), ], sizes = 4, trials = 2, progress = FALSE)
    power_analysis(transform(scores, system = ifelse(measure == "N" & system == "B", "C", system)), sizes = 4,
                   trials = 2, progress = FALSE)
    power_analysis(scores, sizes = 4, trials = 2, strata = data.frame(query = 1:8, a = 1, b = 2), progress = FALSE)
    power_analysis(scores, sizes = 4, trials = 2, strata = 1:3, progress = FALSE)
    power_analysis(scores, sizes = 1, trials = 2, progress = FALSE)
    mtc_study(simulate_collection(queries = 3, documents = 60, artists = 10, systems = 3, teams = 2, seed = 1),
              methods = list(a = published_method(NULL)))
  })
})

set.seed(4)
nine <- outer(rnorm(20), seq(0, 1.5, length.out = 9), "+") + rnorm(180)
colnames(nine) <- LETTERS[1:9]
study <- function(analysis, x = nine, ...) analysis(x, trials = 20, seed = 7, progress = FALSE, ...)

test_that("studies of given sets of systems ignore all other systems", {
  sets <- list(low = c("A", "B", "C"), high = c("F", "H", "I"))
  power <- study(power_analysis, sizes = c(10, 20), systems = sets)
  expect_identical(power$systems, rep(c("low", "high"), each = 2))
  # With all queries, the decisions are those of the test itself.
  for (set in names(sets)) {
    found <- compare_systems(nine[, sets[[set]]], "friedman_tukey")$pairs$significant
    expect_equal(power$power[power$systems == set & power$size == 20], mean(found))
  }
  stability <- study(stability_analysis, sizes = 10, systems = sets)
  expect_equal(stability$conflicts, stability$lack_of_power + stability$sign_swap + stability$swap_significant)
  expect_null(attr(power, "pairs"))
})

test_that("power for fewer systems is the mean over random sets of that size, and for all equals that without sets", {
  some <- study(power_analysis, sizes = c(10, 20), systems = c(9, 3))
  expect_identical(some$systems, rep(c("3", "9"), each = 2))
  expect_identical(some$trials, c(20L, 20L, 20L, 1L))
  all <- study(power_analysis, sizes = 20)
  expect_equal(some$power[4], all$power)
  # The same random sets are drawn again here.
  sets <- with_seed(7, replicate(20, sort(sample(LETTERS[1:9], 3)), simplify = FALSE))
  by_hand <- vapply(sets, function(set) mean(compare_systems(nine[, set], "friedman_tukey")$pairs$significant), 0)
  expect_equal(some$power[2], mean(by_hand))
  expect_equal(some$sd[2], sd(by_hand))
  expect_identical(some, study(power_analysis, sizes = c(10, 20), systems = c(3, 9)))
  expect_snapshot(some)
  expect_s3_class(drawn(plot(some)), "ggplot")
  skip_if_not_installed("ggplot2")
  expect_identical(levels(ggplot2::autoplot(some)$data$series), paste0("score, ", c(3, 9), " systems"))
})

test_that("errors of power and stability analyses name the invalid set of systems", {
  expect_snapshot(error = TRUE, {
    study(power_analysis, systems = 1)
    study(power_analysis, systems = list(c("A", "B")))
    study(power_analysis, systems = list(one = "A"))
    study(power_analysis, systems = list(one = c("A", "X")))
    reliability_table(study(power_analysis, systems = 3), study(stability_analysis, systems = 3))
  })
})

test_that("a warning appears only if no p-value of a resampling test can reach the level", {
  # With 10 pairs and level .05, the smallest corrected p-value, 10 / (replicates + 1), is at most .05 from 199
  # replicates on.
  warn <- function(...) warn_too_few_replicates(significance_test("permutation", ...), 10, 0.05)
  expect_warning(warn(replicates = 198), "198 replicates are too few")
  expect_no_warning(warn(replicates = 199))
  expect_no_warning(warn(replicates = 100, adjust = "none"))
})

test_that("a value of `measure` that is not a name raises an error in a study", {
  scores <- evaluate(simulate_collection(queries = 6, documents = 60, artists = 20, systems = 3, seed = 1),
                     measure = "AP@5")
  expect_snapshot(error = TRUE, {
    stability_analysis(scores, measure = character())
    power_analysis(scores, measure = ~1)
  })
})
