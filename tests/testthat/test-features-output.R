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

test_that("features are NA, never 0, if ranks, metadata or genres are missing", {
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

test_that("a query that is also a document has the genre of that document", {
  runs <- data.frame(system = "A", query = "d1", doc = c("d2", "d3"))
  documents <- data.frame(doc = c("d1", "d2", "d3"), genre = c("rock", "rock", "folk"))
  expect_equal(output_features(test_collection(runs, documents, k = 2))$sGEN, c(1, 0))
})

test_that("MIREX 2011 has the feature values of its publication", {
  real <- mirex_2011()
  f <- output_features(real$x)
  expect_equal(nrow(f), 6322)
  expect_equal(unique(f$OV), 6322 / 9000)
  expect_equal(sum(!is.na(f$sGEN)), 6279)
  expect_equal(sum(f$pTEAM), 738.1)
})

test_that("output_features() and judgment_features() raise errors for objects other than collections", {
  expect_snapshot(error = TRUE, output_features(data.frame(query = 1)))
  expect_snapshot(error = TRUE, judgment_features(1))
  expect_error(output_features(1), class = "judicious_error_argument")
})

# The definitions of the article "Methods", section 2, one pair at a time. `gain` is named by pair, NA where not judged.
naive_judgment_features <- function(case, gain, self) {
  ids <- unique(case$runs[c("query", "doc")])
  incidence <- dense_incidence(case)
  genre <- case$documents$genre[match(ids$doc, case$documents$doc)]
  artist <- case$documents$artist[match(ids$doc, case$documents$doc)]
  average <- function(x) if (all(is.na(x))) NA_real_ else mean(x, na.rm = TRUE)
  rows <- lapply(seq_len(nrow(ids)), function(i) {
    others <- gain
    others[i] <- NA
    seen <- if (self) gain else others
    system_means <- apply(incidence, 2, function(column) average(seen[column == 1]))
    same_query <- ids$query == ids$query[i]
    of <- function(label) if (is.na(label[i])) NA_real_ else average(seen[same_query & label %in% label[i]])
    data.frame(query = ids$query[i], doc = ids$doc[i], aSYS = average(system_means[incidence[i, ] == 1]),
               aDOC = average(others[same_query]), aGEN = of(genre), aART = of(artist))
  })
  do.call(rbind, rows)
}

test_that("judgment features agree with their definitions, with and without the gain of the pair itself", {
  for (seed in 1:6) {
    case <- random_collection(seed)
    judged <- c(3, 7, 12, 20, 50)[(seed - 1) %% 5 + 1]
    some <- case$truth[seq_len(min(judged, nrow(case$truth))), ]
    gain <- rep(NA_real_, nrow(case$truth))
    gain[seq_len(nrow(some))] <- some$gain
    expect_equal(judgment_features(case$x, some), naive_judgment_features(case, gain, FALSE))
    expect_equal(judgment_features(case$x, some, self = TRUE), naive_judgment_features(case, gain, TRUE))
  }
})

test_that("the gain of a pair does not affect its own features", {
  case <- random_collection(11)
  before <- judgment_features(case$x, case$truth)
  for (i in seq_len(nrow(case$truth))) {
    changed <- case$truth
    changed$gain[i] <- 100 - changed$gain[i]
    after <- judgment_features(case$x, changed)
    expect_equal(after[i, ], before[i, ])
  }
})

test_that("judgment features take judgments from a data frame, a file or the collection", {
  case <- random_collection(3)
  path <- table_file(case$truth)
  with_own <- test_collection(case$runs, case$documents, case$teams, case$queries, case$truth, k = 3)
  expect_equal(judgment_features(case$x, path), judgment_features(case$x, case$truth))
  expect_equal(judgment_features(with_own), judgment_features(case$x, case$truth))
  expect_true(all(is.na(judgment_features(case$x)[3:6])))
  expect_snapshot(error = TRUE, judgment_features(case$x, self = NA))
})

test_that("the published judgment model has its published error on MIREX 2011", {
  real <- mirex_2011()
  model <- mirex_model("judge", "fine")
  output <- output_features(real$x)
  known <- !is.na(output$sGEN)
  own <- gain_distribution(model, cbind(output, judgment_features(real$x, self = TRUE)[-(1:2)]))
  expect_equal(sqrt(mean((own$mean - real$x$gain)[known]^2)), 9.34795, tolerance = 1e-6)
  expect_equal(mean(own$variance[known]), 74.2604, tolerance = 1e-6)
  features <- cbind(output, judgment_features(real$x)[-(1:2)])
  others <- !is.na(features$aART)
  expect_equal(sum(others), 3613)
  left_out <- gain_distribution(model, features)
  expect_equal(sqrt(mean((left_out$mean - real$x$gain)[others]^2)), 17.60, tolerance = 5e-4)
})
