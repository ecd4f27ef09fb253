# Properties that hold whatever the units of gains and weights, and the names and the order of systems, queries and
# documents.

invariance_data <- function() {
  x <- simulate_collection(queries = 6, documents = 60, systems = 5, seed = 4)
  runs <- as.data.frame(x)[c("system", "query", "doc")]
  judgments <- unique(runs[c("query", "doc")])[seq(1, 60, by = 3), ]
  judgments$gain <- with_seed(5, sample(0:2, nrow(judgments), replace = TRUE))
  list(runs = runs, judgments = judgments)
}

# What a ranking states, by the names of the original systems and documents: mean confidence, order, and the documents
# to judge next. `system` and `doc` translate names back.
stated <- function(data, scale = 0:2, weight = NULL, judged = TRUE, name_back = identity) {
  queries <- data.frame(query = unique(data$runs$query))
  queries$weight <- weight
  x <- test_collection(data$runs, k = 5, scale = scale, judgments = if (judged) data$judgments, queries = queries)
  ranking <- rank_systems(x)
  next_pair <- select_documents(x, n = 5, judgments = if (judged) data$judgments, seed = 1)
  list(confidence = as.numeric(ranking_confidence(ranking)),
       means = with(as.data.frame(ranking), tapply(estimate, name_back(system), c)),
       next_doc = name_back(next_pair$doc))
}

test_that("the unit and the origin of gains change neither order, confidence nor selection", {
  data <- invariance_data()
  for (judged in c(TRUE, FALSE)) {
    expected <- stated(data, judged = judged)
    for (unit in 10^c(-98, -30, -3, 3, 30, 98)) {
      other <- data
      other$judgments$gain <- other$judgments$gain * unit
      found <- stated(other, 0:2 * unit, judged = judged)
      expect_equal(found$confidence, expected$confidence, tolerance = 1e-8)
      expect_equal(found$means / unit, expected$means, tolerance = 1e-8)
      expect_identical(found$next_doc, expected$next_doc)
    }
    for (origin in c(-1e3, 1, 1e5)) {
      other <- data
      other$judgments$gain <- other$judgments$gain + origin
      found <- stated(other, 0:2 + origin, judged = judged)
      expect_equal(found$confidence, expected$confidence, tolerance = 1e-7)
      expect_equal(found$means - origin, expected$means, tolerance = 1e-7)
      expect_identical(found$next_doc, expected$next_doc)
    }
  }
})

test_that("gains whose squares cannot be represented raise an error that says what to do", {
  expect_snapshot(error = TRUE, {
    gain_scale(c(0, 1, 2) * 1e155)
    gain_scale(c(0, 1, 2) * 1e-165)
    gain_scale(c(0, 1, 2) + 1e9)
  })
})

test_that("the unit of weights changes nothing", {
  data <- invariance_data()
  expected <- stated(data, weight = 1:6)
  for (unit in 10^c(-300, -100, 100, 306)) expect_equal(stated(data, weight = unit * 1:6), expected, tolerance = 1e-8)
})

test_that("order and names of systems, queries and documents change nothing", {
  data <- invariance_data()
  expected <- stated(data)
  permuted <- lapply(data, function(rows) rows[with_seed(6, sample(nrow(rows))), ])
  found <- stated(permuted)
  expect_equal(found[c("confidence", "means")], expected[c("confidence", "means")], tolerance = 1e-8)
  renamed <- lapply(data, function(rows) {
    rows[names(rows) != "gain"] <- lapply(rows[names(rows) != "gain"], function(name) paste0("z", name))
    rows
  })
  found <- stated(renamed, name_back = function(name) sub("^z", "", name))
  expect_equal(found, expected, tolerance = 1e-8)
})

test_that("a query that is there twice with half the weight changes no mean", {
  data <- invariance_data()
  twice <- lapply(data, function(rows) {
    copy <- rows[rows$query == rows$query[1], ]
    copy$query <- "copy"
    rbind(rows, copy)
  })
  queries <- unique(twice$runs$query)
  means <- function(data, weight) {
    x <- test_collection(data$runs, k = 5, scale = 0:2,
                         queries = data.frame(query = unique(data$runs$query), weight = weight))
    evaluate(x, data$judgments, measure = "AG@5", per = "mean")$value
  }
  weight <- ifelse(queries %in% c(queries[1], "copy"), 0.5, 1)
  expect_equal(means(twice, weight), means(data, rep(1, 6)))
})
