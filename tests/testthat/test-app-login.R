nobody <- "Nobody has this token. Check it, or ask the person who gave it to you."

# A session with an assessor, what a browser with a wrong token is told, and with the right one.
login_parts <- function(...) {
  skip_if_not_installed("openssl")
  s <- app_session(...)
  token <- add_assessor(s, "ann")
  list(s = s, wrong = function(attempts = new_login_attempts()) log_in(s, "guess", attempts)$message,
       right = function(attempts = new_login_attempts()) log_in(s, token, attempts), token = token,
       ann = list(assessor = "ann", token = token_hash(token)))
}

test_that("wrong tokens make a browser wait longer and longer", {
  p <- login_parts()
  attempts <- new_login_attempts()
  # The clock goes on: on a busy machine a second or two may have passed.
  expect_wait <- function(seconds) {
    wait <- login_wait(p$s$env$store, attempts)
    expect_lte(wait, seconds)
    expect_gt(wait, seconds - 2)
  }
  for (i in 1:4) expect_identical(p$wrong(attempts), nobody)
  expect_wait(2)
  # Not even the right one is looked at before its time.
  expect_match(p$right(attempts)$message, "Try again in [12] second")
  let_pass(p$s, 2)
  expect_identical(p$wrong(attempts), nobody)
  expect_wait(4)
  let_pass(p$s, 4)
  expect_identical(p$right(attempts), p$ann)
  expect_identical(login_wait(p$s$env$store, attempts), 0)
  attempts$wrong <- 40
  count_wrong_token(p$s$env$store, attempts)
  expect_wait(300)
})

test_that("all browsers together have so many wrong tokens a minute, in all processes and through restarts", {
  for (store in list(NULL, session_file())) {
    p <- login_parts(store = store)
    for (i in seq_len(login_limits$per_minute)) expect_identical(p$wrong(), nobody)
    s <- if (is.null(store)) p$s else open_session(store)
    let_pass(s, 20)
    expect_match(log_in(s, p$token, new_login_attempts())$message, "Try again in (3[0-9]|40) seconds")
    let_pass(s, 40.5)
    expect_identical(log_in(s, p$token, new_login_attempts()), p$ann)
    close_session(s)
  }
})

test_that("processes that count wrong tokens at once forget none", {
  testthat::skip_on_cran()
  store <- session_file()
  p <- login_parts(store = store)
  in_processes(3, function(number, store) {
    s <- judicious::open_session(store)
    for (i in 1:4) judicious:::log_in(s, "guess", judicious:::new_login_attempts())
  }, store = store)
  expect_length(recent_wrong_tokens(p$s$env$store), 12)
  close_session(p$s)
})

test_that("what is no token is nobody's", {
  p <- login_parts()
  for (token in list(NULL, NA, 1, "", "ann", c("a", "b"), list("a"), strrep("x", 1e6), "' OR 1=1 --", "\xff")) {
    expect_identical(log_in(p$s, token, new_login_attempts())$message, nobody)
  }
})
