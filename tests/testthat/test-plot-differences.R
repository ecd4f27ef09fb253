x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
differences <- system_differences(rank_systems(x, judgments = judgments_of(x)[1:40, ], level = 0.9))

test_that("the plot of differences shows the least and the most certain pairs, with the better system first", {
  picture <- pairs_picture(differences, 5)
  least <- differences[order(differences$confidence), ][c(1:3, 14:15), ]
  expect_equal(rev(picture$rows$estimate), abs(least$difference))
  expect_equal(rev(picture$rows$upper), abs(least$difference) + qnorm(0.95) * least$sd)
  a <- strsplit(rev(picture$rows$label)[1], " > ", fixed = TRUE)[[1]]
  expect_setequal(a, unlist(least[1, c("system_a", "system_b")]))
  expect_identical(a[1] == least$system_a[1], least$difference[1] >= 0)
  # A 90% interval contains zero if the confidence is below 95%.
  all <- pairs_picture(differences, 100)$rows
  expect_identical(sum(all$verdict == "zero inside the interval"), sum(differences$confidence < 0.95))
  expect_identical(nrow(all), nrow(differences))
  expect_match(pairs_picture(differences, Inf)$subtitle, "^15 pairs; bars")
  expect_match(picture$subtitle, "the 3 least and the 2 most certain of 15 pairs; bars: 90% intervals")
})

test_that("the plot of differences has no row for identical systems, and no legend entry for an unused symbol", {
  skip_if_not_installed("ggplot2")
  runs <- data.frame(system = rep(c("A", "B", "C"), each = 2), query = "q", doc = c("a", "b", "a", "b", "a", "c"))
  some <- system_differences(rank_systems(test_collection(runs, k = 2, scale = broad_scale())))
  expect_identical(nrow(pairs_picture(some, 10)$rows), 2L)
  drawn <- ggplot2::ggplot_build(ggplot2::autoplot(some))
  expect_equal(drawn$plot$scales$get_scales("colour")$get_breaks(), "zero inside the interval", ignore_attr = TRUE)
})

test_that("system differences are plotted, and other tables raise an error", {
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  expect_s3_class(ggplot2::autoplot(differences, top = 4), "ggplot")
  expect_s3_class(plot(differences), "ggplot")
  expect_identical(nrow(ggplot2::autoplot(differences, top = NULL)$data), 15L)
  expect_snapshot(error = TRUE, {
    plot(differences, top = 0)
    plot(differences[0, ])
    plot(differences[c("difference", "sd")])
  })
})
