option <- function(name, type = "text", ...) cli_option(list(option = name, help = name, type = type, ...))
options <- list(
  option("name", default = "x", short = "a"), option("count", "count", default = "3", min = "1", short = "n"),
  option("share", "number", min = "0", max = "1"), option("many", many = "yes"),
  option("word", default = "one", choices = "one two"), option("flag", "flag"), option("two-words")
)
parse <- function(...) cli_parse(c(...), options)

test_that("an option's value follows a blank or an equals sign, also after a short name", {
  got <- parse("--name", "a", "--count=5", "file", "--share=0.5", "--flag", "-", "--two-words=a=b", "--word", "two")
  expect_equal(got[c("name", "count", "share", "flag", "two_words", "word", "operands")],
               list(name = "a", count = 5, share = 0.5, flag = TRUE, two_words = "a=b", word = "two",
                    operands = c("file", "-")))
  expect_equal(got$given, c("name", "count", "share", "flag", "two-words", "word"))
  expect_equal(parse("-n7", "-a", "b")[c("count", "name")], list(count = 7, name = "b"))
})

test_that("options have defaults, and -- ends the options", {
  got <- parse("--", "--name")
  expect_equal(got[c("name", "count", "flag", "operands")], list(name = "x", count = 3, flag = FALSE,
                                                                operands = "--name"))
  expect_null(got$share)
  expect_true("share" %in% names(got))
})

test_that("the value of an option may be negative or a dash", {
  expect_equal(cli_parse(c("--x", "-3"), list(option("x", "number")))$x, -3)
  expect_equal(parse("--name", "-")$name, "-")
})

test_that("commas separate the items of a list, except within parentheses", {
  expect_equal(parse("--many", "AP, nDCG(rel=1,gain=exp)@5", "--many=P@3")$many,
               c("AP", "nDCG(rel=1,gain=exp)@5", "P@3"))
})

test_that("wrong usage raises an error that says what to do", {
  for (words in list("--nmae", "--name", c("--name", "--flag"), "--flag=1", "--count=1.5", "--count=0", "--share=2",
                     "--share=a", "--word=three", c("--name=a", "--name=b"), "-z", "--name=")) {
    expect_error(parse(words), class = "judicious_error_usage")
  }
  expect_snapshot(error = TRUE, {
    parse("--nmae=3")
    parse("--name")
    parse("--count=0.5")
    parse("--share=2")
    parse("--word=three")
    parse("--name=a", "--name=b")
  })
})
