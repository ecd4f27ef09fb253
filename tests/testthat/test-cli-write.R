data <- data.frame(id = c("a,b", "c\"d", NA), whole = c(100000, -3, NA), part = c(1 / 3, 1e-10, Inf), n = c(1L, NA, 3L),
                   yes = c(TRUE, FALSE, NA), stringsAsFactors = FALSE)
written <- function(data, ...) {
  path <- tempfile()
  on.exit(unlink(path))
  cli_write(data, utils::modifyList(list(format = "tsv", output = path, digits = 7, no_header = FALSE), list(...)))
  readLines(path, encoding = "UTF-8")
}

test_that("TSV and CSV output keeps values, and CSV quotes fields that need it", {
  expect_equal(written(data), c("id\twhole\tpart\tn\tyes", "a,b\t100000\t0.3333333\t1\tTRUE",
                                "c\"d\t-3\t1e-10\tNA\tFALSE", "NA\tNA\tInf\t3\tNA"))
  expect_equal(written(data, format = "csv", no_header = TRUE)[1:2], c("\"a,b\",100000,0.3333333,1,TRUE",
                                                                       "\"c\"\"d\",-3,1e-10,NA,FALSE"))
  back <- utils::read.csv(text = written(data, format = "csv", digits = 17))
  expect_identical(back$part, data$part)
})

test_that("a table without rows is written as its header only", {
  expect_equal(written(data[0, ]), "id\twhole\tpart\tn\tyes")
  expect_equal(written(data[0, ], no_header = TRUE), character())
})

test_that("text is written as UTF-8 whatever the locale", {
  expect_equal(written(data.frame(id = "M\u00e9lodie")), c("id", "M\u00e9lodie"))
})

test_that("JSON is an array of objects with null for what is missing", {
  skip_if_not_installed("jsonlite")
  back <- jsonlite::fromJSON(written(data, format = "json"))
  expect_equal(back$id, data$id)
  expect_equal(back$part[1:2], c(0.3333333, 1e-10))
  expect_equal(back$yes, data$yes)
  expect_equal(written(data[0, ], format = "json"), "[]")
})

test_that("a value that TSV cannot hold raises an error, and so does a file that cannot be written", {
  expect_error(written(data.frame(id = "a\tb")), class = "judicious_error_output")
  expect_error(cli_write(data, list(format = "tsv", output = file.path(tempfile(), "x"), digits = 7,
                                    no_header = FALSE)),
               class = "judicious_error_file")
})

test_that("the output format follows from the file extension unless it is given", {
  data <- data.frame(system = "a", value = 1)
  for (ending in c("csv", "tsv")) {
    path <- withr::local_tempfile(fileext = paste0(".", ending))
    cli_write(data, list(format = "tsv", output = path, digits = 7, no_header = FALSE))
    expect_identical(readLines(path)[1], if (ending == "csv") "system,value" else "system\tvalue")
  }
  path <- withr::local_tempfile(fileext = ".csv")
  cli_write(data, list(format = "tsv", output = path, digits = 7, no_header = FALSE, given = "format"))
  expect_identical(readLines(path)[1], "system\tvalue")
})

test_that("a file that a command reads is not overwritten by what it writes", {
  judged <- withr::local_tempfile(fileext = ".tsv")
  file.copy(demo_file("judgments.tsv"), judged)
  before <- readLines(judged)
  for (words in list(c("evaluate", "-o"), c("fit", "--save"))) {
    ran <- cli(words[1], demo_file("runs.tsv"), "-j", judged, words[2], judged)
    expect_match(ran$err[1], "is read, and would be overwritten: name another file", fixed = TRUE)
    expect_identical(ran$status, 2L)
  }
  expect_identical(readLines(judged), before)
})
