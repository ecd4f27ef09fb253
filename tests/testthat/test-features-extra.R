extra_case <- function() {
  runs <- data.frame(system = c("A", "A", "B", "B", "C", "C"), query = c("q1", "q1", "q1", "q2", "q2", "q2"),
                     doc = c("d1", "d2", "d2", "d3", "d3", "d4"))
  documents <- data.frame(doc = paste0("d", 1:4), length = c(10, 20, NA, 40), kind = factor(c("a", "b", "a", "b")))
  systems <- data.frame(system = c("A", "B", "C"), team = "T", size = c(1, 3, NA),
                        family = c("lexical", "neural", "neural"), stemmed = c(TRUE, FALSE, TRUE))
  queries <- data.frame(query = c("q1", "q2"), length = c(2, 5))
  suppressWarnings(test_collection(runs, documents, systems, queries, k = 2))
}

test_that("columns of documents, queries, systems and pairs become custom features", {
  x <- extra_case()
  scores <- data.frame(query = c("q2", "q1", "q1", "q2"), doc = c("d3", "d1", "d2", "d4"), llm = c(3, 1, 2, 4))
  f <- output_features(x, documents = c(doc_length = "length", "kind"), queries = "length",
                       systems = c("size", "family", "stemmed"), pairs = scores)
  expect_equal(f$doc, paste0("d", 1:4))
  expect_equal(f$doc_length, c(10, 20, NA, 40))
  expect_equal(f$kind, factor(c("a", "b", "a", "b")))
  expect_equal(f$length, c(2, 2, 5, 5))
  expect_equal(f$size, c(1, 2, 3, NA))
  expect_equal(f$family_lexical, c(1, .5, 0, 0))
  expect_equal(f$family_neural, c(0, .5, 1, 1))
  expect_equal(f$stemmed, c(1, .5, .5, 1))
  expect_equal(f$llm, 1:4)
})

test_that("invalid custom features raise errors", {
  x <- extra_case()
  expect_snapshot(error = TRUE, {
    output_features(x, documents = "age")
    output_features(x, documents = 1)
    output_features(x, documents = "length", queries = "length")
    output_features(x, queries = c(pSYS = "length"))
    output_features(x, pairs = data.frame(query = "q1", doc = c("d1", "d1"), llm = 1))
    output_features(x, pairs = data.frame(query = "q1", llm = 1))
  })
  expect_snapshot(f <- output_features(x, pairs = data.frame(query = "q1", doc = "d1", llm = 1)))
  expect_equal(f$llm, c(1, NA, NA, NA))
})
