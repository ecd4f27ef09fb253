small <- function(...) {
  arguments <- utils::modifyList(list(queries = 8, documents = 300, artists = 40, teams = 3, systems = 5, seed = 1),
                                 list(...))
  do.call(simulate_collection, arguments)
}

test_that("a simulated collection has the requested size and is fully judged", {
  x <- small(systems = c(1, 2, 2), genres = 4, k = 3)
  results <- as.data.frame(x)
  expect_s3_class(x, "judicious_collection")
  expect_equal(as.vector(table(x$systems$team)), c(1, 2, 2))
  expect_equal(nrow(x$queries), 8)
  expect_setequal(x$queries$genre, sprintf("g%02d", 1:4))
  expect_true(all(table(results$system, results$query) == 3))
  expect_true(all(tapply(results$rank, paste(results$system, results$query), function(rank) setequal(rank, 1:3))))
  expect_equal(nrow(unique(results[c("query", "doc")])), length(x$gain))
  expect_false(anyNA(x$gain))
  expect_true(all(x$gain >= 0 & x$gain <= 100 & x$gain == trunc(x$gain)))
  expect_false(anyNA(x$documents[c("artist", "genre")]))
  # If there are enough artists, all documents of an artist have the same genre.
  expect_true(all(tapply(x$documents$genre, x$documents$artist, function(genre) length(unique(genre))) == 1))
})

test_that("the requested mean gain is attained as closely as the levels allow, on any scale", {
  for (scale in list(fine_scale(), broad_scale(), gain_scale(c(-1, 0, 3)), gain_scale(0:1))) {
    x <- small(scale = scale, mean_gain = 0.3)
    range <- diff(range(scale$levels))
    expect_true(all(x$gain %in% scale$levels))
    expect_equal(mean((x$gain - min(scale$levels)) / range), 0.3, tolerance = 2 / length(x$gain))
  }
})

test_that("the requested overlap of systems is attained", {
  for (overlap in c(0.2, 0.5)) {
    x <- simulate_collection(queries = 40, documents = 2000, artists = 200, teams = 4, systems = 8, overlap = overlap,
                             seed = 3)
    expect_equal(summary(x)$overlap, overlap, tolerance = 0.02)
  }
})

test_that("the requested overlap is attained for more queries than were used to calibrate it", {
  x <- simulate_collection(queries = 150, documents = 300, genres = 2, artists = 20, systems = 4, k = 2, overlap = 0.3,
                           seed = 1)
  expect_equal(summary(x)$queries, 150)
  expect_equal(summary(x)$overlap, 0.3, tolerance = 0.1)
})

test_that("a seed reproduces the collection and leaves the random number generator unchanged", {
  x <- keeps_generator(small(seed = 7))
  expect_identical(small(seed = 7), x)
  expect_false(identical(small(seed = 8), x))
  kind <- RNGkind("Wichmann-Hill", "Box-Muller", "Rounding") |> suppressWarnings()
  other <- small(seed = 7)
  suppressWarnings(do.call(RNGkind, as.list(kind)))
  expect_identical(other, x)
  a <- simulate_collection(queries = 2, documents = 20, artists = 5, systems = 2)
  set.seed(5)
  b <- simulate_collection(queries = 2, documents = 20, artists = 5, systems = 2)
  set.seed(5)
  expect_identical(simulate_collection(queries = 2, documents = 20, artists = 5, systems = 2), b)
  expect_false(identical(a, b))
})

test_that("simulated text collections have neither genre nor artist", {
  x <- small(genres = 0, artists = 0, k = 10, scale = gain_scale(0:3), mean_gain = 0.1)
  expect_named(x$documents, "doc")
  expect_named(x$queries, "query")
  expect_true(all(x$gain %in% 0:3))
  expect_true(mean(x$gain == 0) > 0.5)
  expect_named(small(genres = 0)$documents, c("doc", "artist"))
  expect_named(small(artists = 0)$documents, c("doc", "genre"))
})

test_that("extreme sizes give valid collections", {
  one <- simulate_collection(queries = 1, documents = 1, genres = 1, artists = 1, systems = 1, k = 1,
                             scale = gain_scale(0:1), seed = 1)
  expect_equal(unlist(summary(one)[c("systems", "teams", "queries", "results", "pool")], use.names = FALSE), rep(1, 5))
  team <- small(teams = 1, k = 1)
  expect_equal(summary(team)$teams, 1)
  expect_equal(summary(team)$results, 40)
  own <- small(systems = 4, teams = 4)
  expect_equal(summary(own)$teams, 4)
  all <- small(documents = 5, k = 5)
  expect_equal(summary(all)$pool, 40)
  # More genres than artists: artists have documents of more than one genre.
  expect_equal(summary(small(genres = 10, artists = 3))$results, 8 * 5 * 5)
  even <- small(control = simulation_control(artist_size = 0, quality = c(team = 0, system = 0), shared_error = 0,
                                             team_share = 1))
  # All errors are shared by the team, so systems of a team are equal.
  lists <- split(as.data.frame(even)[c("query", "doc", "rank")], as.data.frame(even)$system)
  lists <- lapply(lists, function(list) list[order(list$query, list$rank), "doc"])
  team <- even$systems$team
  expect_true(all(outer(seq_along(team), seq_along(team),
                        Vectorize(function(i, j) identical(lists[[i]], lists[[j]]) == (team[i] == team[j])))))
})

test_that("systems of a team are more alike, and documents found by many systems have higher gains", {
  x <- simulate_collection(edition = 2011, seed = 2)
  results <- as.data.frame(x)
  retrieved <- table(paste(results$query, results$doc), results$system) > 0
  common <- crossprod(retrieved) / (x$k * nrow(x$queries))
  same <- outer(x$systems$team, x$systems$team, `==`)
  distinct <- upper.tri(common)
  expect_gt(mean(common[same & distinct]), 3 * mean(common[!same & distinct]))
  found <- rowSums(retrieved)
  gain <- tapply(results$gain, paste(results$query, results$doc), mean)[rownames(retrieved)]
  expect_gt(mean(gain[found >= 4]), mean(gain[found == 1]) + 5)
  same_genre <- x$documents$genre[x$pool$doc] == x$queries$genre[x$pool$query]
  expect_gt(mean(x$gain[same_genre]), mean(x$gain[!same_genre]) + 10)
})

test_that("the simulated edition of 2011 has the size of MIREX 2011 and the error of uniform gains", {
  x <- simulate_collection(edition = 2011, seed = 2)
  s <- summary(x)
  expect_equal(c(s$systems, s$teams, s$queries, s$results), c(18, 10, 100, 9000))
  expect_equal(s$pool, 6322, tolerance = 0.01)
  # The error of a uniform distribution is an RMSE of 29.6.
  expect_equal(sqrt(mean((x$gain - 50)^2)), 29.6, tolerance = 0.04)
})

test_that("simulated MIREX editions have the teams, systems, results and pairs of Urbano and Schedl (2013)", {
  shape <- list("2007" = c(8, 12, 6000, 4832), "2009" = c(9, 15, 7500, 6732), "2010" = c(5, 8, 4000, 2737))
  for (edition in names(shape)) {
    s <- summary(simulate_collection(edition = as.numeric(edition), seed = 1))
    expect_equal(c(s$teams, s$systems, s$results), shape[[edition]][1:3])
    expect_equal(s$pool, shape[[edition]][4], tolerance = 0.01)
  }
  # Arguments that are given override those of the edition.
  x <- simulate_collection(edition = 2007, systems = 3, queries = 5, documents = 200, overlap = 0.2, seed = 1)
  expect_equal(unlist(summary(x)[c("systems", "teams")], use.names = FALSE), c(3, 3))
})

test_that("logistic latent values give the level probabilities of the output model in Urbano and Schedl (2013)", {
  # If the latent value is logistic with a shift, then P(G >= level j) = plogis(shift - threshold j), which is the model
  # L_output. The shift follows from the share of the lowest level, and must explain the shares of the others.
  n <- 20000
  latent <- stats::qlogis((seq_len(n) - 0.5) / n)
  alpha <- c(-1.7043, -2.6087, -3.2373, -3.7705, -4.2464, -4.8460, -5.5678, -6.6135, -8.4655)
  gain <- latent_gain(latent, fine_scale(), 0.45)
  expect_false(is.unsorted(gain))
  at_least <- vapply(seq(5.5, 93.5, by = 11), function(middle) mean(gain >= middle), 0)
  shift <- stats::qlogis(at_least[5]) - alpha[5]
  expect_equal(at_least, stats::plogis(shift + alpha), tolerance = 0.01)
})

test_that("judgments_of() returns the judgments of a collection", {
  runs <- data.frame(system = "A", query = c("1", "1", "2"), doc = c("a", "b", "a"))
  truth <- data.frame(query = c("2", "1"), doc = "a", gain = c(2, 1))
  x <- suppressWarnings(test_collection(runs, judgments = truth, k = 2, scale = broad_scale()))
  expect_equal(judgments_of(x), data.frame(query = c("1", "2"), doc = "a", gain = c(1, 2)))
  unjudged <- suppressWarnings(test_collection(runs, k = 2, scale = broad_scale()))
  expect_equal(judgments_of(unjudged), data.frame(query = character(), doc = character(), gain = numeric()))
  simulated <- small()
  expect_equal(assign_judgments(simulated, judgments_of(simulated))$gain, simulated$gain)
})

test_that("a warning states that the requested overlap cannot be attained", {
  expect_snapshot(x <- small(documents = 10, overlap = 0.1))
  expect_silent(small(documents = 10))
  # Two systems can share at most half of the pool, and a single system shares nothing.
  expect_warning(small(teams = 1, systems = 2, overlap = 0.9), class = "judicious_warning_overlap")
  expect_no_warning(small(teams = 1, systems = 1, overlap = 0.9), class = "judicious_warning_overlap")
})

test_that("errors of simulate_collection() name the invalid argument", {
  expect_snapshot(error = TRUE, {
    simulate_collection(queries = 0)
    simulate_collection(documents = 3, k = 5)
    simulate_collection(teams = 5, systems = 3)
    simulate_collection(teams = 3, systems = c(1, 2))
    simulate_collection(systems = c(1, 0))
    simulate_collection(mean_gain = 1)
    simulate_collection(overlap = 2)
    simulate_collection(edition = 2008)
    simulate_collection(scale = "fine")
    simulate_collection(seed = "a")
    simulate_collection(control = list())
    simulation_control(seen = c(query = 1))
    simulation_control(error = c(genre = -1))
    simulation_control(unseen = c(same_genre = Inf))
    judgments_of(data.frame())
  })
})

test_that("given effects replace their defaults, and other defaults stay", {
  control <- simulation_control(seen = c(same_genre = -1), quality = c(system = 0))
  expect_equal(control$seen[["same_genre"]], -1)
  expect_equal(control$seen[-1], default_effects$seen[-1])
  expect_equal(control$quality, c(team = default_effects$quality[["team"]], system = 0))
})
