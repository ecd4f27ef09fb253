test_that("errors about numbers out of range state the range and the value", {
  f <- function(delta) check_number(delta, "delta", min = 0, max = 1)
  g <- function(level) check_number(level, "level", min = 0, max = 1, open = TRUE)
  expect_equal(f(1), 1)
  expect_invisible(f(0))
  expect_snapshot(error = TRUE, {
    f(2)
    f(NA_real_)
    f("0.5")
    f(c(.1, .2))
    g(0)
  })
  expect_error(f(2), class = "judicious_error_argument")
})

test_that("functions that check counts, flags, strings and choices accept valid values and reject others", {
  expect_equal(check_count(3, "n"), 3)
  expect_equal(check_flag(FALSE, "x"), FALSE)
  expect_equal(check_string("a", "x"), "a")
  choose <- function(ties = c("pool", "random")) check_choice(ties, c("pool", "random"), "ties")
  expect_equal(choose(), "pool")
  expect_equal(choose("random"), "random")
  expect_snapshot(error = TRUE, {
    check_count(0, "n")
    check_count(1.5, "n")
    check_count(Inf - Inf, "n")
    check_flag(1, "x")
    check_string(NA_character_, "x")
    choose("rand")
    choose(c("random", "pool"))
  })
})

test_that("checks of classes and columns name the argument at fault", {
  data <- data.frame(a = 1, b = 2)
  expect_equal(check_columns(data, c("a", "b"), "data"), data)
  expect_snapshot(error = TRUE, {
    check_class(1, "judicious_pom", "model", "pom")
    check_columns(1, "a", "data")
    check_columns(data, c("a", "c"), "data")
    check_columns(data, c("c", "d"), "data")
  })
})

test_that("identifiers that are numbers, factors or text become text, and others raise errors", {
  expect_equal(check_ids(c(1, 100000, 1e15, 2.5), "query", "runs"), c("1", "100000", "1000000000000000", "2.5"))
  expect_equal(check_ids(c(0.1, 100000), "query", "runs"), c("0.1", "100000"))
  expect_equal(check_ids(factor(c("b", "a")), "query", "runs"), c("b", "a"))
  expect_equal(check_ids(3:4, "query", "runs"), c("3", "4"))
  expect_snapshot(error = TRUE, {
    check_ids(c("a", NA, ""), "query", "runs")
    check_ids(c(1, NaN), "query", "runs")
    check_ids(list("a"), "query", "runs")
    check_ids(TRUE, "query", "runs")
  })
})

test_that("messages list a few names and count the rest", {
  expect_equal(name_some(c("a", "b", "a")), "\"a\", \"b\"")
  expect_equal(name_some(letters, max_names = 2), "\"a\", \"b\" and 24 more")
  expect_equal(format_count(1234567), "1,234,567")
})

test_that("conditions have a class for programs that handle them", {
  expect_error(abort_judicious("no", "file"), class = "judicious_error_file")
  expect_error(abort_judicious("no", "file"), class = "judicious_error")
  expect_warning(warn_judicious("hm", "short_list"), class = "judicious_warning_short_list")
  expect_message(inform_judicious("so", "rank"), class = "judicious_message_rank")
  expect_snapshot(error = TRUE, need_package("no.such.package", "The picture", call = NULL))
})

test_that("check_that() puts the argument's name before a message that begins in lower case, and no other", {
  f <- function(n) check_that(n > 0, "n", "must be above 0, not {n}.", kind = "columns", rows = 3)
  expect_invisible(expect_null(f(1)))
  error <- expect_error(f(0), class = "judicious_error_columns")
  expect_equal(conditionMessage(error), "`n` must be above 0, not 0.")
  expect_equal(error[c("argument", "rows")], list(argument = "n", rows = 3))
  expect_equal(error$call, quote(f(0)))
  g <- function(n) abort_argument("n", c("Row {n} is bad.", i = "Leave it out."))
  expect_equal(strsplit(conditionMessage(expect_error(g(7), class = "judicious_error_argument")), "\n")[[1]][1],
               "Row 7 is bad.")
})

test_that("unknown arguments raise an error that counts or names them", {
  f <- function(x, ..., control = list(...)) refuse_other_arguments("f()", ..., settings = "size")
  expect_null(f(1, size = 2))
  expect_error(f(1, 2, 3, size = 4), "`f()` was given 2 arguments too many.", fixed = TRUE)
  expect_error(f(1, sized = 4), 'Did you mean "size"', fixed = TRUE)
})

test_that("with_seed() restores the random number generator, even if it had no state", {
  withr::local_preserve_seed()
  set.seed(3)
  before <- globalenv()$.Random.seed
  drawn <- with_seed(1, stats::runif(2))
  expect_identical(globalenv()$.Random.seed, before)
  rm(".Random.seed", envir = globalenv())
  expect_identical(with_seed(1, stats::runif(2)), drawn)
  expect_null(globalenv()$.Random.seed)
})

test_that("the function that the user called is found where an environment among its callers is evaluated again", {
  here <- environment()
  f <- function() eval(quote(rank_systems(3)), here)
  error <- expect_error(f(), class = "judicious_error")
  expect_identical(conditionCall(error), quote(rank_systems(3)))
})
