test_that("predictions agree with the example in the paper (article 'Methods', section 3)", {
  example <- data.frame(pTEAM = 0.25, OV = 0.8053, pART = 0.0217, sGEN = 1, pGEN = 0.8478)
  model <- mirex_model("output", "broad")
  expect_equal(unname(predict(model, example, type = "link")) + unname(model$alpha), c(2.9633558, 0.8797558),
               tolerance = 1e-7)
  expect_equal(c(predict(model, example, type = "prob")), c(0.04910906, 0.24411932, 0.70677162), tolerance = 1e-7)
  expect_equal(unname(predict(model, example, type = "mean")), 1.6576626, tolerance = 1e-7)
  expect_equal(unname(predict(model, example, type = "variance")), 0.3233606, tolerance = 1e-6)
})

test_that("published models have the class of fitted models, and the levels and slopes of their scale and type", {
  fine <- mirex_model("judge", "fine")
  expect_s3_class(fine, "judicious_pom")
  expect_identical(fine$levels, as.character(seq(0, 99, 11)))
  expect_identical(names(fine$beta), c("pTEAM", "OV", "aSYS", "aART"))
  expect_true(all(diff(fine$alpha) < 0))
  expect_identical(coef(mirex_model("output", fine_scale())), coef(mirex_model("output", "fine")))
  missing <- data.frame(pTEAM = 0.2, OV = 0.7, aSYS = 40, aART = c(30, NA))
  expect_identical(is.na(predict(fine, missing, type = "mean")), c(`1` = FALSE, `2` = TRUE))
})

test_that("the Fine scale from 0 to 10 has the same gains divided by ten", {
  x <- simulate_collection(queries = 6, documents = 200, artists = 20, systems = 5, seed = 1)
  tenth <- test_collection(as.data.frame(x), x$documents, x$systems, x$queries[c("query", "genre")],
                           transform(judgments_of(x), gain = gain / 10), scale = fine_scale(10))
  features <- function(x) cbind(output_features(x), judgment_features(x)[c("aSYS", "aART")])
  for (type in c("output", "judge")) {
    whole <- gain_distribution(mirex_model(type, fine_scale()), features(x), fallback = "NA", scale = x$scale)
    small <- gain_distribution(mirex_model(type, tenth$scale), features(tenth), fallback = "NA", scale = tenth$scale)
    expect_equal(10 * small$mean, whole$mean)
    expect_equal(100 * small$variance, whole$variance)
  }
  expect_error(mirex_model(scale = gain_scale(0:3)), class = "judicious_error_argument")
})

test_that("methods that need the data raise an error for a published model", {
  expect_snapshot(error = TRUE, {
    vcov(mirex_model())
    logLik(mirex_model())
    summary(mirex_model())
    mirex_model("both")
    mirex_model(scale = "coarse")
  })
  expect_snapshot(mirex_model())
})

test_that("features of a wrong type raise an error instead of being coded as contrasts", {
  example <- data.frame(pTEAM = .25, OV = .8053, pART = .0217, sGEN = c(TRUE, FALSE), pGEN = .8478)
  expect_error(predict(mirex_model("output", "broad"), example, type = "prob"), "type \"logical\" was supplied")
  expect_error(nobs(mirex_model()), class = "judicious_error_published_model")
})

one <- simulate_collection(queries = 12, documents = 200, artists = 25, systems = 5, scale = broad_scale(), seed = 1)
two <- simulate_collection(queries = 12, documents = 200, artists = 25, systems = 5, scale = broad_scale(), seed = 2)

features_of <- function(x, self) {
  cbind(output_features(x), judgment_features(x, self = self)[c("aSYS", "aART")],
        gain = factor(x$gain, 0:2, ordered = TRUE))
}

test_that("the formulas of published models can be fitted to the judged pairs of other collections", {
  data <- rbind(features_of(one, TRUE), features_of(two, TRUE))
  expect_equal(coef(mirex_model("output", past = list(one, two))),
               coef(pom(gain ~ pTEAM + OV + pART + sGEN * pGEN, data)))
  expect_equal(coef(mirex_model("judge", past = list(one, two))), coef(pom(gain ~ pTEAM + OV + aSYS + aART, data)))
  # In a single collection, OV is constant, so the model has no slope for it.
  expect_equal(coef(mirex_model("judge", past = one, self = FALSE)),
               coef(pom(gain ~ pTEAM + aSYS + aART, features_of(one, FALSE))))
  some <- one
  some$gain[-(1:80)] <- NA
  expect_equal(nobs(mirex_model(past = some)), 80)
  expect_snapshot(error = TRUE, {
    mirex_model(past = list(one, simulate_collection(queries = 4, documents = 60, systems = 3, seed = 1)))
    mirex_model(past = replace(one, "gain", list(NA_real_ * one$gain)))
  })
})
