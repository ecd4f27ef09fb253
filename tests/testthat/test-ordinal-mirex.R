test_that("the paper's example is met to its last digit (appendix; article 'Methods', section 3)", {
  example <- data.frame(pTEAM = 0.25, OV = 0.8053, pART = 0.0217, sGEN = 1, pGEN = 0.8478)
  model <- mirex_model("output", "broad")
  expect_equal(unname(predict(model, example, type = "link")) + unname(model$alpha), c(2.9633558, 0.8797558),
               tolerance = 1e-7)
  expect_equal(c(predict(model, example, type = "prob")), c(0.04910906, 0.24411932, 0.70677162), tolerance = 1e-7)
  expect_equal(unname(predict(model, example, type = "mean")), 1.6576626, tolerance = 1e-7)
  expect_equal(unname(predict(model, example, type = "variance")), 0.3233606, tolerance = 1e-6)
})

test_that("there are two models on two scales, of the class of fitted ones", {
  fine <- mirex_model("judge", "fine")
  expect_s3_class(fine, "judicious_pom")
  expect_identical(fine$levels, as.character(seq(0, 99, 11)))
  expect_identical(names(fine$beta), c("pTEAM", "OV", "aSYS", "aART"))
  expect_true(all(diff(fine$alpha) < 0))
  expect_identical(coef(mirex_model("output", fine_scale())), coef(mirex_model("output", "fine")))
  missing <- data.frame(pTEAM = 0.2, OV = 0.7, aSYS = 40, aART = c(30, NA))
  expect_identical(is.na(predict(fine, missing, type = "mean")), c(`1` = FALSE, `2` = TRUE))
})

test_that("what a published model does not have is an error", {
  expect_snapshot(error = TRUE, {
    vcov(mirex_model())
    logLik(mirex_model())
    summary(mirex_model())
    mirex_model("both")
    mirex_model(scale = "coarse")
  })
  expect_snapshot(mirex_model())
})

test_that("features of another type are refused, not coded as contrasts", {
  example <- data.frame(pTEAM = .25, OV = .8053, pART = .0217, sGEN = c(TRUE, FALSE), pGEN = .8478)
  expect_error(predict(mirex_model("output", "broad"), example, type = "prob"), "type \"logical\" was supplied")
  expect_error(nobs(mirex_model()), class = "judicious_error_published_model")
})
