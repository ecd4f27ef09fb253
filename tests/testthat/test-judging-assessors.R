x <- session_collection()

test_that("a token identifies its assessor, and only its hash is stored", {
  skip_if_not_installed("openssl")
  s <- judging_session(x, store = session_file(), seed = 1, judgments = FALSE)
  ann <- add_assessor(s, "ann")
  bob <- add_assessor(s, "bob", "lead")
  expect_match(ann, "^[A-Za-z0-9_-]{32}$")
  expect_false(ann == bob)
  expect_identical(c(assessor_of_token(s, ann), assessor_of_token(s, bob)), c("ann", "bob"))
  for (guess in c("", "ann", toupper(ann), substr(ann, 1, 31), "' OR '1'='1")) {
    expect_identical(assessor_of_token(s, guess), NA_character_)
  }
  expect_identical(assessors(s)[c("assessor", "role")], data.frame(assessor = c("ann", "bob"),
                                                                   role = c("assessor", "lead")))
  expect_false(any(grepl(ann, unlist(store_rows(s$engine$store, "assessor")), fixed = TRUE)))
  renewed <- add_assessor(s, "ann")
  expect_identical(assessor_of_token(s, ann), NA_character_)
  expect_identical(assessor_of_token(s, renewed), "ann")
  expect_identical(nrow(assessors(s)), 2L)
  expect_snapshot(error = TRUE, {
    add_assessor(s, "")
    add_assessor(s, "ann", "king")
  })
})

test_that("each assessor's answer to a task is kept, and answering it again raises an error", {
  for (store in list(NULL, session_file())) {
    s <- judging_session(x, store = store, seed = 1, judgments = FALSE)
    record_answer(s, "t1", "ann", "a", 3.5)
    record_answer(s, "t1", "bob", NA)
    record_answer(s, "t2", "ann", "equal")
    expect_error(record_answer(s, "t1", "ann", "b"), class = "judicious_error_already_answered")
    expect_identical(answers(s)[c("task", "assessor", "answer", "seconds")],
                     data.frame(task = c("t1", "t1", "t2"), assessor = c("ann", "bob", "ann"),
                                answer = c("a", NA, "equal"), seconds = c(3.5, NA, NA)))
    close_session(s)
  }
  expect_snapshot(error = TRUE, {
    record_answer(judging_session(x, judgments = FALSE), "t", "ann", c("a", "b"))
  })
})

test_that("judgments by other assessors do not leave estimates missing in a session for one assessor", {
  for (seed in c(4, 8, 9)) {
    s <- judging_session(text_demo, measure = "DCG@10", assessor = "ann", overlap = 0.3, seed = seed, judgments = FALSE)
    for (assessor in c("ann", "ann", "bob", "cy")) {
      d <- next_documents(s, 1, assessor)
      judge(s, d$query, d$doc, 2, assessor)
    }
    expect_identical(nrow(judgments_of(s)), 4L)
    expect_false(anyNA(rank_systems(s)$mean))
  }
})
