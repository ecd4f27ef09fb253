test_that("mtc() gives the same results with and without a progress bar", {
  x <- simulate_collection(queries = 5, documents = 80, artists = 10, systems = 4, teams = 2, seed = 1)
  model <- mirex_model("output", "fine")
  run <- function(progress) mtc(x, judgments_of(x), model, stop = "never", budget = 10, progress = progress)
  quiet <- run(FALSE)
  invisible(capture.output(loud <- run(TRUE), type = "message"))
  expect_identical(judgments_of(loud)[-5], judgments_of(quiet)[-5])
  expect_identical(as.data.frame(loud), as.data.frame(quiet))
})

test_that("priors, models and methods of a study print their class and settings", {
  expect_snapshot({
    print(gain_prior(slopes = c(rank = 0.5)))
    joint_method()
    published_method(NULL)
  })
  x <- simulate_collection(queries = 6, documents = 100, artists = 10, systems = 4, teams = 2, seed = 2)
  model <- gain_model(x, ~ popularity, random = "query")
  expect_output(print(model), paste("fitted on", nrow(judgments_of(x)), "judgments of 1 collection"))
  gains <- joint_gains(x, gain_prior(), judgments = judgments_of(x)[1:12, ])
  told <- summary(gains)
  expect_identical(told$fitted$judged, 12L)
  expect_output(print(told), "12 judgments of 1 collection")
})
