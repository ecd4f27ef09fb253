test_that("wrong tokens make a browser wait longer and longer", {
  skip_if_not_installed("openssl")
  s <- app_session()
  token <- add_assessor(s, "ann")
  now <- 0
  guard <- new_login_guard(function() now)
  attempts <- new_login_attempts()
  wrong <- function() log_in(s, "guess", guard, attempts)$message
  nobody <- "Nobody has this token. Check it, or ask the person who gave it to you."
  for (i in 1:4) expect_identical(wrong(), nobody)
  expect_identical(login_wait(guard, attempts), 2)
  # Not even the right one is looked at before its time.
  expect_match(log_in(s, token, guard, attempts)$message, "Try again in 2 seconds", fixed = TRUE)
  now <- 2
  expect_identical(wrong(), nobody)
  expect_identical(login_wait(guard, attempts), 4)
  now <- 6
  expect_identical(log_in(s, token, guard, attempts), list(assessor = "ann"))
  expect_identical(login_wait(guard, attempts), 0)
  attempts$wrong <- 40
  count_wrong_token(guard, attempts)
  expect_identical(login_wait(guard, attempts), 300)
})

test_that("all browsers together have so many wrong tokens a minute", {
  skip_if_not_installed("openssl")
  s <- app_session()
  token <- add_assessor(s, "ann")
  now <- 0
  guard <- new_login_guard(function() now)
  for (i in seq_len(login_limits$per_minute)) log_in(s, "guess", guard, new_login_attempts())
  now <- 20
  expect_match(log_in(s, token, guard, new_login_attempts())$message, "Try again in 40 seconds", fixed = TRUE)
  now <- 60.5
  expect_identical(log_in(s, token, guard, new_login_attempts()), list(assessor = "ann"))
})

test_that("what is no token is nobody's", {
  skip_if_not_installed("openssl")
  s <- app_session()
  add_assessor(s, "ann")
  for (token in list(NULL, NA, 1, "", "ann", c("a", "b"), list("a"), strrep("x", 1e6), "' OR 1=1 --", "\xff")) {
    result <- log_in(s, token, new_login_guard(), new_login_attempts())
    expect_match(result$message, "Nobody has this token", fixed = TRUE)
  }
})
