# A session with an assessor; try() logs in with a token from an address, and pass() moves the clock forward.
login_parts <- function() {
  skip_if_not_installed("openssl")
  s <- app_session()
  token <- add_assessor(s, "ann")
  now <- 0
  attempts <- new_login_attempts(clock = function() now)
  list(s = s, token = token, ann = list(assessor = "ann", token = token_hash(token)), attempts = attempts,
       pass = function(seconds) now <<- now + seconds,
       try = function(token, address = "192.0.2.1") log_in(s, token, attempts, address))
}

test_that("wrong tokens delay only the address from which they come", {
  p <- login_parts()
  for (i in seq_len(login_limits$per_minute)) {
    expect_null(p$try(paste("guess", i))$wait)
    p$pass(1)
  }
  # During the delay, even the right token is not checked from that address, but it is from other addresses.
  expect_identical(p$try(p$token)$wait, 40)
  expect_match(p$try("guess")$message, "Trying again in 40 seconds", fixed = TRUE)
  expect_identical(p$try(p$token, "192.0.2.2"), p$ann)
  # A token that was accepted once is checked from every address.
  expect_identical(p$try(p$token), p$ann)
  p$pass(41)
  expect_null(p$try("another guess")$wait)
})

test_that("the start page is rendered once and cached, and every other request is handled anew", {
  drawn <- character()
  handler <- with_cached_page(function(request) {
    drawn <<- c(drawn, paste(request$REQUEST_METHOD, request$PATH_INFO))
    shiny::httpResponse(if (length(drawn) == 1) 500 else 200, content = as.character(length(drawn)))
  })
  request <- function(path, method = "GET") list(PATH_INFO = path, REQUEST_METHOD = method)
  # A failed response is not cached.
  expect_identical(handler(request("/"))$content, "1")
  expect_identical(handler(request("/"))$content, "2")
  expect_identical(handler(request("/"))$content, "2")
  for (i in 1:2) handler(request("/session"))
  handler(request("/", "POST"))
  expect_identical(drawn, c("GET /", "GET /", "GET /session", "GET /session", "POST /"))
})

test_that("repeated attempts with the same wrong token count as one attempt", {
  p <- login_parts()
  for (i in 1:100) expect_null(p$try("an old token")$wait)
  for (i in seq_len(login_limits$per_minute - 1)) p$try(paste("guess", i))
  expect_gt(p$try("one more")$wait, 0)
})

test_that("expired and revoked tokens give no access, and no longer exempt an address from the limit on attempts", {
  p <- login_parts()
  expect_identical(p$try(p$token), p$ann)
  brief <- add_assessor(p$s, "bob", days = 0.5)
  expect_identical(p$try(brief)$assessor, "bob")
  advance_clock(p$s, 86400 * 0.5 + 1)
  expect_null(p$try(brief)$assessor)
  expect_identical(p$try(p$token), p$ann)
  expect_true(is.na(add_assessor(p$s, "ann", "suspended")))
  expect_null(p$try(p$token)$assessor)
  expect_false(any(c(token_hash(brief), p$ann$token) %in% p$attempts$good))
  expect_identical(assessors(p$s)$role[assessors(p$s)$assessor == "ann"], "suspended")
})

test_that("failed attempts are counted by network prefix, for a bounded number of networks", {
  expect_identical(address_group("2001:db8::1"), "2001:db8:0:0")
  expect_identical(address_group("2001:db8:0:0:a:b:c:d"), "2001:db8:0:0")
  expect_identical(address_group("2001:db8:1:2:3::"), "2001:db8:1:2")
  expect_identical(address_group("::1"), "0:0:0:0")
  # The zeros that "::" abbreviates may belong to the network prefix.
  expect_identical(address_group("2001::5:6:7:8:9"), "2001:0:0:5")
  expect_identical(address_group("192.0.2.1"), "192.0.2.1")
  attempts <- new_login_attempts(clock = function() 0)
  attempts$wrong <- stats::setNames(rep(list(c(a = 0)), login_limits$addresses), seq_len(login_limits$addresses))
  count_wrong_token(attempts, "new", "b")
  expect_identical(names(attempts$wrong)[c(1, login_limits$addresses)], c("2", "new"))
})

test_that("text that is not a token gives no access", {
  p <- login_parts()
  for (token in list(NULL, NA, 1, "", "ann", c("a", "b"), list("a"), strrep("x", 1e6), "' OR 1=1 --", "\xff")) {
    expect_match(p$try(token)$message, "This token is unknown", fixed = TRUE)
  }
})
