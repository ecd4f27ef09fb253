session_of <- function(...) {
  x <- simulate_collection(queries = 10, documents = 300, artists = 40, teams = 4, systems = 6, seed = 1)
  mtc(x, judgments_of(x), mirex_model("output", "fine"), progress = FALSE, ...)
}

test_that("plot() draws an mtc() session and returns it", {
  skip_if_not_installed("ggplot2")
  session <- session_of(stop = "never", budget = 40)
  expect_s3_class(drawn(plot(session)), "ggplot")
  # If nothing is judged, the plot has a single point instead of a curve.
  none <- session_of(budget = 0)
  expect_no_error(drawn(plot(none)))
  expect_s3_class(ggplot2::autoplot(session), "ggplot")
})

test_that("the plot of an mtc() session shows the curves of its trace and the point where the confidence is reached", {
  session <- session_of(confidence = 0.9)
  truth <- judgments_of(session$engine$x)
  picture <- session_picture(session, truth)
  trace <- as.data.frame(session, truth = truth)
  expect_equal(subset(picture$curves, series == "confidence")$value, trace$confidence)
  expect_equal(subset(picture$curves, series == "accuracy")$value, trace$accuracy)
  expect_equal(picture$asked, 0.9)
  above <- trace$judged[trace$confidence >= 0.9]
  expect_equal(picture$reached, above[1])
  expect_equal(picture$reached_label, paste(format(above[1]), if (above[1] == 1) "judgment" else "judgments"))
})

test_that("the plot of an mtc() session that does not reach its confidence has no stopping point", {
  picture <- session_picture(session_of(confidence = 1, budget = 3))
  expect_true(is.na(picture$reached))
  expect_null(picture$reached_label)
})

test_that("the plot of an mtc() session without true gains has no curve of accuracy", {
  x <- simulate_collection(queries = 4, documents = 100, artists = 10, systems = 3, seed = 1)
  session <- mtc(x, function(query, doc) 50, mirex_model("output", "fine"), budget = 5, stop = "never",
                 progress = FALSE)
  expect_setequal(session_picture(session)$curves$series, "confidence")
  expect_no_error(drawn(plot(session)))
})
