test_that("a session can be given as the collection, the judgments, the gains or the past data", {
  x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 1)
  s <- judging_session(x, goal = goal_budget(25), overlap = 0.3, seed = 1, judgments = FALSE)
  run_session(s, judgments_of(x), progress = FALSE)
  ask <- next_documents(s, 2, "second")
  judge(s, ask$query, ask$doc, c(10, 20), "second")

  standing <- judgments_of(s)
  judged <- x
  judged$gain[] <- NA
  at <- match(paste(standing$query, standing$doc), do.call(paste, pool_ids(x)))
  first <- !standing$overlap
  judged$gain[at[first]] <- standing$gain[first]

  expect_equal(judged_collection(s)$gain, judged$gain)
  expect_equal(gain_model(s, ~ popularity, random = "query"), gain_model(judged, ~ popularity, random = "query"))
  expect_equal(gain_model(list(s, x), ~ popularity, random = "query"),
               gain_model(list(judged, x), ~ popularity, random = "query"))
  # If a document has several judgments, a collection has a level of the scale, and estimates use their mean.
  both <- judged
  combined <- combined_judgments(assessor_record(x, standing), n_pairs(x), x$scale)
  both$gain <- combined$gain
  expect_false(identical(both$gain, judged$gain))
  # A session also states which documents were drawn at random.
  known <- cbind(judgments_of(both), audit = FALSE)
  known$audit[match(paste(standing$query, standing$doc)[standing$audit], paste(known$query, known$doc))] <- TRUE
  gains <- replace(joint_gains(both, gain_prior(), judgments = known), "doubt", combined$doubt)
  expect_equal(rank_systems(x, judgments = s)$mean, rank_systems(both, gains)$mean)
  expect_equal(rank_systems(x, judgments = standing)$mean, rank_systems(both, gains)$mean)
  expect_equal(rank_systems(x, past = s, judgments = FALSE)$mean,
               rank_systems(x, past = judged, judgments = FALSE)$mean)
  expect_equal(as.data.frame(joint_gains(s, gain_prior())), as.data.frame(gains))
  expect_s3_class(toLatex(rank_systems(s)), "Latex")
  expect_snapshot(error = TRUE, judged_collection(3))
})

test_that("functions that take a collection also take a session", {
  x <- simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4, seed = 1)
  s <- judging_session(x, goal = goal_budget(10), judgments = FALSE, seed = 1)
  run_session(s, judgments_of(x), progress = FALSE)
  y <- judged_collection(s)
  expect_equal(output_features(s), output_features(y))
  expect_equal(judgment_features(s), judgment_features(y))
  expect_equal(evaluate(s, measure = "AG@5"), evaluate(y, measure = "AG@5"))
  expect_equal(select_documents(s, n = 3), select_documents(gain_distribution(s), n = 3, goal = goal_budget(10),
                                                            seed = 1))
  expect_identical(toLatex(s), toLatex(rank_systems(s)))
  expect_error(rank_systems(x, gains = s), "past", class = "judicious_error_argument")
})

test_that("ratings that name systems instead of documents are to be read with the answers", {
  x <- simulate_collection(queries = 3, documents = 30, artists = 5, systems = 2, seed = 1)
  rated <- data.frame(question = "q1", model = "A", rating = 1)
  expect_error(rank_systems(x, judgments = rated), "are\\s+read with the answers, by `read_answers\\(\\)`",
               class = "judicious_error_columns")
})
