# The definitions of vignette("methods"), section 2, one pair at a time.
naive_output_features <- function(case) {
  runs <- merge(case$runs, case$teams)
  ids <- unique(case$runs[c("query", "doc")])
  genre_of <- setNames(case$documents$genre, case$documents$doc)
  artist_of <- setNames(case$documents$artist, case$documents$doc)
  query_genre <- setNames(case$queries$genre, case$queries$query)
  share <- function(label, i) {
    own <- label[[ids$doc[i]]]
    if (is.na(own)) return(NA_real_)
    labels <- label[ids$doc[ids$query == ids$query[i]]]
    sum(labels == own, na.rm = TRUE) / sum(!is.na(labels))
  }
  rows <- lapply(seq_len(nrow(ids)), function(i) {
    hits <- runs[runs$query == ids$query[i] & runs$doc == ids$doc[i], ]
    data.frame(
      query = ids$query[i], doc = ids$doc[i], pSYS = nrow(hits) / length(unique(runs$system)),
      pTEAM = length(unique(hits$team)) / length(unique(runs$team)), OV = nrow(ids) / nrow(runs),
      aRANK = mean(hits$rank), sGEN = as.numeric(genre_of[[ids$doc[i]]] == query_genre[[ids$query[i]]]),
      pGEN = share(genre_of, i), pART = share(artist_of, i)
    )
  })
  do.call(rbind, rows)
}

test_that("output features agree with their definitions", {
  for (seed in 1:5) {
    case <- random_collection(seed)
    expect_equal(output_features(case$x), naive_output_features(case))
  }
})

test_that("without ranks, metadata or genres there is NA, never 0", {
  runs <- data.frame(system = c("A", "A", "B", "B"), query = "q", doc = c("d1", "d2", "d2", "d3"))
  f <- output_features(test_collection(runs, k = 2))
  expect_true(all(is.na(f[c("aRANK", "sGEN", "pGEN", "pART")])))
  expect_equal(f$pSYS, c(.5, 1, .5))
  expect_equal(f$pTEAM, f$pSYS)
  expect_type(f$aRANK, "double")
  documents <- data.frame(doc = c("d1", "d2", "d3"), genre = c("rock", "", "folk"))
  f <- output_features(test_collection(runs, documents, k = 2))
  expect_true(all(is.na(f$sGEN)))
  expect_equal(f$pGEN, c(.5, NA, .5))
  expect_true(all(is.na(f$pART)))
})

test_that("genres may be text, factors or numbers", {
  runs <- data.frame(system = c("A", "A", "B", "B"), query = "q", doc = c("d1", "d2", "d2", "d3"))
  documents <- data.frame(doc = c("d1", "d2", "d3"), genre = c(1, 2, 1))
  queries <- data.frame(query = "q", genre = factor("1"))
  f <- output_features(test_collection(runs, documents, queries = queries, k = 2))
  expect_equal(f$sGEN, c(1, 0, 1))
  expect_equal(f$pGEN, c(2, 1, 2) / 3)
})

test_that("a query that is a document takes its genre from there", {
  runs <- data.frame(system = "A", query = "d1", doc = c("d2", "d3"))
  documents <- data.frame(doc = c("d1", "d2", "d3"), genre = c("rock", "rock", "folk"))
  expect_equal(output_features(test_collection(runs, documents, k = 2))$sGEN, c(1, 0))
})

test_that("the real collection has the features that its publication names", {
  real <- mirex_2011()
  f <- output_features(real$x)
  expect_equal(nrow(f), 6322)
  expect_equal(unique(f$OV), 6322 / 9000)
  expect_equal(sum(!is.na(f$sGEN)), 6279)
  expect_equal(sum(f$pTEAM), 738.1)
})

test_that("what is no collection is said", {
  expect_snapshot(error = TRUE, output_features(data.frame(query = 1)))
  expect_snapshot(error = TRUE, judgment_features(1))
  expect_error(output_features(1), class = "judicious_error_argument")
})
