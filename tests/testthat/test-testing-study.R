test_that("studies need the same systems and queries in all measures, and usable strata", {
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
