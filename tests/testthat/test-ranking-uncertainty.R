# A tiny collection with systems that share documents, teams, genres and artists, and judgments of half of the pool.
explained_collection <- function() {
  x <- simulate_collection(queries = 4, documents = 60, artists = 8, systems = 5, teams = 3, seed = 3)
  list(x = x, judgments = judgments_of(x)[seq(1, n_pairs(x), by = 2), ])
}

# The covariance of the gains that each source contributes, by the definition of the model, pair by pair.
covariance_by_source <- function(gains) {
  pool <- gains$pool
  par <- gains$parameters
  n <- length(pool$query)
  systems <- lapply(seq_len(n), function(i) {
    pool$results$system[seq_len(diff(pool$results$offset)[i]) + pool$results$offset[i]]
  })
  by_source <- sapply(c("documents", "queries", "systems", "coefficients"), function(source) matrix(0, n, n),
                      simplify = FALSE)
  v <- as.list(par$variance)
  for (i in seq_len(n)) {
    for (j in seq_len(n)) {
      same <- pool$query[i] == pool$query[j]
      tilt <- pool$popularity[i] * pool$popularity[j]
      scale <- par$scale[i] * par$scale[j]
      shared <- sum(outer(systems[[i]], systems[[j]], "==")) / sqrt(length(systems[[i]]) * length(systems[[j]]))
      teams <- sum(outer(pool$team[systems[[i]]], pool$team[systems[[j]]], "==")) /
        sqrt(length(systems[[i]]) * length(systems[[j]]))
      alike <- function(label) same && label[i] > 0 && label[i] == label[j]
      by_source$documents[i, j] <- (i == j) * v$residual * par$residual_scale[i]^2
      by_source$queries[i, j] <- scale * (same * (v$query + tilt * v[["query:popularity"]]) +
        alike(pool$genre) * v[["query:genre"]] + alike(pool$artist) * v[["query:artist"]])
      by_source$systems[i, j] <- scale * (same * (shared * v[["query:system"]] + teams * v[["query:team"]]) +
        shared * (v$system + tilt * v[["system:popularity"]]) + teams * (v$team + tilt * v[["team:popularity"]]))
    }
  }
  design <- par$slope * pool$x
  by_source$coefficients <- design %*% (par$coefficient_variance * t(design))
  by_source
}

test_that("the variance of a difference by source equals a computation with dense matrices", {
  case <- explained_collection()
  ranking <- rank_systems(case$x, judgments = case$judgments)
  gains <- ranking$gains
  covariance <- covariance_by_source(gains)
  total <- Reduce(`+`, covariance)
  judged <- gains$sequence
  weight <- pair_weights(case$x, seq_len(n_pairs(case$x)))
  at <- match(c("S02", "S04"), case$x$systems$system)
  error <- weight[, at[1]] - weight[, at[2]]
  error[judged] <- error[judged] - solve(total[judged, judged], total[judged, ] %*% error)
  span <- diff(range(case$x$scale$levels))
  expected <- vapply(covariance, function(one) span^2 * drop(error %*% one %*% error), 1)
  open <- setdiff(seq_len(n_pairs(case$x)), judged)
  documents <- span^2 * diag(covariance$documents) * error^2

  found <- uncertainty(ranking, c("S02", "S04"))
  of <- stats::setNames(found$variance, found$source)
  expect_equal(of[["unjudged documents"]], sum(documents[open]))
  expect_equal(of[["judged documents"]], sum(documents[judged]))
  expect_equal(of[["queries"]], expected[["queries"]])
  expect_equal(of[["systems and teams"]], expected[["systems"]])
  expect_equal(of[["coefficients"]], expected[["coefficients"]])
  expect_equal(sum(of), ranking$difference_variance[at[1], at[2]])
  expect_equal(sum(found$share), 1)

  by_query <- uncertainty(ranking, c("S02", "S04"), by = "query")
  within <- uncertainty(ranking, c("S02", "S04"))
  expect_equal(sum(by_query$variance), ranking$difference_variance[at[1], at[2]])
  expect_setequal(by_query$query, c("all queries", case$x$queries$query))
  in_query <- documents[case$x$pool$query == 2]
  expect_gt(by_query$variance[by_query$query == case$x$queries$query[2]], sum(in_query))
})

test_that("variances by source sum to the stated variance, in rankings of eight kinds", {
  case <- explained_collection()
  stated <- function(ranking) as.data.frame(ranking)$sd[match("S03", as.data.frame(ranking)$system)]^2
  second <- transform(case$judgments[1:10, ], gain = rev(gain), assessor = "b")
  twice <- rbind(transform(case$judgments, assessor = "a")[c("query", "doc", "gain", "assessor")],
                 second[c("query", "doc", "gain", "assessor")])
  rankings <- list(
    rank_systems(case$x, judgments = case$judgments), rank_systems(case$x, judgments = FALSE),
    rank_systems(case$x, judgments = case$judgments, scope = "new"),
    rank_systems(case$x, judgments = case$judgments, measure = "AP@5", seed = 1),
    rank_systems(case$x, judgments = case$judgments, measure = "DCG@5"),
    rank_systems(case$x, judgments = twice, assessor = "consensus"),
    rank_systems(case$x, judgments = twice, assessor = "another"), rank_systems(case$x, judgments = twice, assessor = "b")
  )
  for (ranking in rankings) expect_equal(sum(uncertainty(ranking, "S03")$variance), stated(ranking))
  sources <- lapply(rankings, function(ranking) uncertainty(ranking, "S03")$source)
  expect_true("new queries" %in% sources[[3]])
  expect_true("levels and draws" %in% sources[[4]])
  expect_true("assessors" %in% sources[[6]])
  expect_gt(sum(uncertainty(rankings[[7]])$variance[uncertainty(rankings[[7]])$source == "assessors"]),
            sum(uncertainty(rankings[[6]])$variance[uncertainty(rankings[[6]])$source == "assessors"]))
})

test_that("uncertainty() is empty for rankings without variance, and raises errors for invalid arguments", {
  case <- explained_collection()
  expect_equal(nrow(uncertainty(rank_systems(case$x))), 0)
  ranking <- rank_systems(case$x, judgments = case$judgments)
  expect_snapshot(print(uncertainty(ranking), n = 3))
  expect_snapshot(error = TRUE, {
    uncertainty(rank_systems(case$x, "published", judgments = case$judgments))
    uncertainty(ranking, "S99")
    uncertainty(ranking, c("S01", "S02", "S03"))
    uncertainty(ranking, by = "team")
  })
})

test_that("for measures computed by draws, no source of uncertainty has a negative variance", {
  x <- simulate_collection(queries = 30, documents = 300, systems = 8, teams = 4, scale = gain_scale(0:1), seed = 4)
  none <- judgments_of(x)[0, ]
  for (measure in c("AP", "nDCG")) {
    ranking <- rank_systems(x, judgments = none, measure = measure, draws = 400, seed = 1)
    for (of in list("S01", c("S01", "S05"))) expect_gte(min(uncertainty(ranking, of)$variance), 0)
  }
})
