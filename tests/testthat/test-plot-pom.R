fit <- pom(gear ~ wt + hp, data = mtcars)

test_that("probabilities are plotted at the means of the other variables", {
  picture <- probabilities_picture(fit, "wt", values = 5)
  expect_equal(picture$data$prob[picture$data$level == "4"],
               unname(predict(fit, data.frame(wt = seq(min(mtcars$wt), max(mtcars$wt), length.out = 5),
                                              hp = mean(mtcars$hp)), type = "prob")[, "4"]))
})

test_that("variables inside factor() are plotted at their values, and others held at their most frequent one", {
  cars <- cbind(mtcars, "the weight" = mtcars$wt, kind = rep_len(c(1, 2, 5, 2), 32))
  grouped <- pom(gear ~ `the weight` + factor(kind), cars)
  picture <- probabilities_picture(grouped, "kind")
  expect_identical(unique(as.character(picture$data$at)), c("1", "2", "5"))
  at_mean <- data.frame("the weight" = mean(cars$wt), kind = c(1, 2, 5), check.names = FALSE)
  expect_equal(picture$data$prob, as.vector(predict(grouped, at_mean, type = "prob")))
  expect_identical(probabilities_picture(grouped, "the weight")$subtitle, "with kind = 2")
})

test_that("every type of plot of a pom() model is drawn", {
  withr::local_pdf(NULL)
  for (type in c("probabilities", "residuals", "thresholds")) expect_no_error(plot(fit, type = type, seed = 1))
  expect_no_error(plot(profile(fit, points = 3)))
})

test_that("every type of plot is drawn for models with nominal effects and mixed models", {
  withr::local_pdf(NULL)
  wine <- ordinal::wine
  fits <- list(pom(Sat ~ Cont, nominal = ~Infl, data = MASS::housing, weights = Freq, link = "cloglog"),
               pom(rating ~ temp + contact + (1 | judge), data = wine))
  for (one in fits) {
    for (type in c("probabilities", "residuals", "thresholds")) {
      expect_no_error(plot(one, type = type, seed = 1))
    }
  }
})

test_that("plotting an unknown variable raises an error that lists the variables", {
  expect_snapshot(plot(fit, variable = "cyl"), error = TRUE)
})

test_that("the plotted areas of the levels cover the range of the data, and the y axis is the probability", {
  drawn <- ggplot_probabilities(probabilities_picture(fit, "wt"))
  expect_identical(drawn$labels$y, "probability")
  expect_equal(range(ggplot2::layer_data(drawn)$x), range(mtcars$wt))
})
