test_that("a stratum's ranking sums over its queries, with gains estimated from all judgments", {
  case <- weighted_case()
  some <- judgments_of(case$plain)[c(1, 5, 9, 20, 33, 40), ]
  for (x in case[c("weighted", "stratified")]) {
    weight <- if (is.null(x$queries$weight)) rep(1, 5) else case$weight
    gains <- joint_gains(x, gain_prior(), judgments = some)
    by_language <- rank_systems(x, gains, by = "language")
    expect_named(by_language, c("de", "en"))
    table <- as.data.frame(gains)
    for (language in c("de", "en")) {
      a <- weight_matrix(x, weight * (case$table$language == language))
      ranking <- by_language[[language]]
      expect_equal(unname(ranking$mean), as.vector(a %*% table$mean))
      expect_equal(unname(ranking$covariance), a %*% vcov(gains, seq_len(nrow(table))) %*% t(a), tolerance = 1e-6)
      inside <- case$table$language[match(some$query, case$table$query)] == language
      expect_equal(ranking$judged, sum(inside))
    }
    uniform <- update(uniform_gains(x), some)
    a <- weight_matrix(x, weight * (case$table$language == "en"))
    independent <- rank_systems(x, uniform, by = "language")$en
    expect_equal(unname(independent$mean), as.vector(a %*% uniform$mean))
    expect_equal(unname(independent$difference_variance[1, 2]),
                 sum((a[1, ] - a[2, ])^2 * uniform$variance))
  }
})

test_that("fully judged strata are ranked by the scores of their queries, by nDCG, AP and RR", {
  case <- weighted_case()
  x <- case$weighted
  for (measure in c("nDCG(ideal=maximum)@5", "AP", "RR")) {
    scores <- as.matrix(evaluate(case$stratified, measure = measure, ties = "rank"))
    scores <- scores[case$table$query, x$systems$system]
    en <- case$table$language == "en"
    wanted <- as.vector(crossprod(scores[en, ], case$weight[en] / sum(case$weight[en])))
    expect_equal(unname(rank_systems(x, measure = measure, by = "language", draws = 2, seed = 1)$en$mean), wanted)
  }
  by_language <- rank_systems(x, "published", by = "language")
  # A pair that is tied in the truth counts as half correct.
  apart <- abs(system_differences(by_language$en)$difference) > 0
  expect_equal(ranking_accuracy(by_language$en)[["accuracy"]], mean(ifelse(apart, 1, 0.5)))
  data <- as.data.frame(by_language)
  expect_named(data, c("language", names(as.data.frame(by_language$de))))
  expect_equal(data$estimate[data$language == "en"], sort(unname(by_language$en$mean), decreasing = TRUE))
})

test_that("rankings by stratum print, and invalid strata raise errors", {
  case <- weighted_case()
  x <- case$stratified
  gappy <- x
  gappy$queries$language[2] <- NA
  empty <- x
  empty$queries$language[2:3] <- ""
  expect_snapshot(rank_systems(x, judgments = judgments_of(x)[1:30, ], by = "language"))
  expect_snapshot(error = TRUE, {
    rank_systems(x, by = "region")
    rank_systems(case$plain, by = 2)
    rank_systems(x, by = "weight")
    rank_systems(gappy, by = "language")
    rank_systems(empty, by = "language")
    rank_systems(x, by = "language", scope = "new")
  })
})

test_that("a stratum's ranking can be plotted and reported", {
  case <- weighted_case()
  rankings <- rank_systems(case$weighted, judgments = judgments_of(case$weighted)[1:30, ], by = "language")
  path <- withr::local_tempfile(fileext = ".pdf")
  grDevices::pdf(path)
  for (drawn in plot(rankings)) expect_s3_class(drawn, "ggplot")
  grDevices::dev.off()
  picture <- estimates_picture(rankings$en)
  expect_match(picture$subtitle, "^language en, 10 judgments")
  expect_equal(picture$xlab, "mean AG@5 over 2 queries")
  expect_match(ranking_methods(rankings$de, NULL), "weighted mean AG@5 over 3 queries", all = FALSE)
})
