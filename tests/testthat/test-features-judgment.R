# The definitions of vignette("methods"), section 2, one pair at a time. `gain` is named by pair, NA where not judged.
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

test_that("judgment-based features agree with their definitions, own gain left out or included", {
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

test_that("a pair's own gain has no influence on its features", {
  case <- random_collection(11)
  before <- judgment_features(case$x, case$truth)
  for (i in seq_len(nrow(case$truth))) {
    changed <- case$truth
    changed$gain[i] <- 100 - changed$gain[i]
    after <- judgment_features(case$x, changed)
    expect_equal(after[i, ], before[i, ])
  }
})

test_that("judgments come from a data frame, a file or the collection", {
  case <- random_collection(3)
  path <- table_file(case$truth)
  with_own <- test_collection(case$runs, case$documents, case$teams, case$queries, case$truth, k = 3)
  expect_equal(judgment_features(case$x, path), judgment_features(case$x, case$truth))
  expect_equal(judgment_features(with_own), judgment_features(case$x, case$truth))
  expect_true(all(is.na(judgment_features(case$x)[3:6])))
  expect_snapshot(error = TRUE, judgment_features(case$x, self = NA))
})

test_that("the published judgment model has its published error on the real collection", {
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
