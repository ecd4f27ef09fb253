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

# A column as package haven reads it from a file of SPSS.
declared_missing <- function(value, na_values = NULL, na_range = NULL) {
  structure(value, na_values = na_values, na_range = na_range,
            class = c("haven_labelled_spss", "haven_labelled", "vctrs_vctr", typeof(value)))
}

test_that("values that a labelled column declares missing are missing in answers, agreement and ordinal models", {
  answers <- expand.grid(question = paste0("q", 1:4), model = c("A", "B"), stringsAsFactors = FALSE)
  answers$answer <- paste("text", 1:8)
  rating <- c(1, 5, 2, 3, 4, 2, 9, 9)
  plain <- judgments_of(suppressMessages(read_answers(cbind(answers, rating = replace(rating, 7:8, NA)))))
  for (column in list(declared_missing(rating, 9), declared_missing(rating, na_range = c(6, Inf)))) {
    answers$rating <- column
    expect_identical(judgments_of(suppressMessages(read_answers(answers))), plain)
  }
  by_two <- lapply(list(a = c(1, 2, 9, 1), b = c(1, 2, 9, 2)), declared_missing, 9)
  expect_equal(agreement(by_two$a, by_two$b, method = "cohen"), agreement(c(1, 2, 1), c(1, 2, 2), method = "cohen"),
               ignore_attr = TRUE)
  data <- mtcars
  data$gear <- declared_missing(replace(data$gear, 1:3, 9), 9)
  data$wt <- declared_missing(replace(data$wt, 9, 99), na_range = c(90, 99))
  fit <- pom(gear ~ wt, mtcars[-c(1:3, 9), ])
  expect_equal(coef(pom(gear ~ wt, data)), coef(fit))
  expect_equal(predict(fit, data, type = "prob"), predict(fit, transform(mtcars, wt = replace(wt, 9, NA)), type = "prob"))
})

test_that("a judgment or score that is declared missing is an error, as a missing one", {
  runs <- data.frame(system = "A", query = "q", doc = c("d1", "d2"), score = 2:1)
  judgments <- data.frame(query = "q", doc = c("d1", "d2"))
  judgments$gain <- declared_missing(c(1, 9), 9)
  expect_snapshot(error = TRUE, evaluate(runs, judgments, "AP"))
  runs$score <- declared_missing(c(2, 99), 99)
  expect_snapshot(error = TRUE, evaluate(runs, transform(runs[c("query", "doc")], gain = 1), "AP"))
})
