scripts <- reproduction_scripts()
reproduce <- scripts$reproduce

typed <- function(value, precision) {
  data.frame(row = "r", quantity = "q", published = as.numeric(value), digits = scripts$printed_digits(value),
             precision = precision, source = "Table 1", stringsAsFactors = FALSE)
}

status_of <- function(value, precision, obtained) {
  numbers <- scripts$compare_published(typed(value, precision),
                                           scripts$obtained_row("r", c(q = obtained), "public", "why"), "lacking")
  numbers$status
}

test_that("the number of digits of a published number is counted as printed", {
  digits <- c(0, 2, 3, 1, -8, 0)
  expect_equal(scripts$printed_digits(c("813", "0.20", "1.000", "31.9", "10.5e9", "-5")), digits)
})

test_that("a rounded number tolerates half a unit of its last printed digit", {
  for (case in list(list("0.813", 0.8134, 0.8136), list("1.000", 0.9996, 0.9994), list("0.20", 0.2049, 0.2051),
                    list("10.5e9", 10510100501, 10.56e9), list("850", 850.4, 850.6), list("-2.98", -2.984, -2.986))) {
    expect_identical(status_of(case[[1]], "rounded", case[[2]]), "agrees")
    expect_identical(status_of(case[[1]], "rounded", case[[3]]), "differs")
  }
})

test_that("an exact published number requires an equal value, and an upper bound a smaller one", {
  expect_identical(status_of("1", "exact", 0.857), "differs")
  expect_identical(status_of("0", "exact", 2 / 76500), "differs")
  expect_identical(status_of("0", "exact", 0), "agrees")
  expect_identical(status_of("80", "exact", 79), "differs")
  expect_identical(status_of("281", "exact", 281 * (1 + 1e-14)), "agrees")
  expect_identical(status_of("0.0014", "below", 0.0013), "agrees")
  expect_identical(status_of("0.0014", "below", 0.0014), "differs")
})

test_that("a number is not compared if the published or the reproduced one is missing", {
  lacking <- scripts$compare_published(typed("1", "exact"), scripts$obtained_row("other", c(q = 1), "public"),
                                           "not public")
  expect_identical(lacking$status, c("not obtained", "own"))
  expect_identical(lacking$note, c("not public", ""))
})

test_that("every published number has a known precision, and counts are exact", {
  for (paper in c("mtc", "significance", "preferences")) {
    numbers <- scripts$published_numbers(paper)
    expect_true(all(numbers$precision %in% c("exact", "rounded", "below")))
    expect_false(anyNA(numbers))
    expect_false(anyDuplicated(numbers[c("item", "row", "quantity")]) > 0)
    counted <- "^((Broad|Fine) )?(pairs|judgments|systems|queries|results|teams|workers|answers)$"
    counts <- grepl(counted, numbers$quantity)
    expect_true(all(numbers$precision[counts] == "exact"))
  }
})

test_that("a simulated number that differs is compared with the spread over other simulations", {
  status <- function(lowest, highest, data = "simulated") {
    spread <- data.frame(row = "r", quantity = "q", lowest = lowest, highest = highest)
    scripts$compare_published(typed("0.50", "rounded"), scripts$obtained_row("r", c(q = 0.6), data, "why"), "",
                                  spread)$status
  }
  expect_identical(status(0.4, 0.7), "within spread")
  expect_identical(status(0.504, 0.7), "within spread")
  expect_identical(status(0.506, 0.7), "differs")
  expect_identical(status(0.4, 0.494), "differs")
  expect_identical(status(0.4, 0.7, "public"), "differs")
})

test_that("the reason for a difference counts as tested if the tried variation covers the difference", {
  tested <- function(data, ..., obtained = 0.6, computed = FALSE) {
    tried <- data.frame(row = "r", quantity = "q", ...)
    scripts$compare_published(typed("0.50", "rounded"),
                                  scripts$obtained_row("r", c(q = obtained), data, "why", computed), "", tried)$tested
  }
  expect_identical(tested("simulated", lowest = 0.4, highest = 0.7), "20 collections")
  expect_identical(tested("simulated", lowest = 0.55, highest = 0.7, setting_explains = TRUE), "one setting")
  expect_identical(tested("simulated", lowest = 0.55, highest = 0.7, setting_explains = FALSE), "not found")
  expect_identical(tested("public", change_explains = TRUE), "one change")
  expect_identical(tested("public", change_explains = FALSE), "not found")
  expect_identical(tested("public", change_explains = NA), "not found")
  expect_identical(tested("public", computed = TRUE), "computed")
  expect_identical(tested("public", obtained = 0.501), "")
  # Evidence from simulated data does not apply to public data, and vice versa.
  expect_identical(tested("public", lowest = 0.4, highest = 0.7, setting_explains = TRUE), "not found")
  expect_identical(tested("simulated", change_explains = TRUE), "not found")
})

test_that("the evidence for a reason states the result under the changed setting or data", {
  evidence <- function(data, ..., obtained = 0.6) {
    tried <- data.frame(row = "r", quantity = "q", ...)
    scripts$compare_published(typed("0.50", "rounded"), scripts$obtained_row("r", c(q = obtained), data, "why"),
                                  "", tried)$evidence
  }
  of_setting <- function(explains, ...) {
    evidence("simulated", lowest = 0.55, highest = 0.7, setting = "better teams", setting_value = 0.45,
             setting_explains = explains, ...)
  }
  expect_identical(of_setting(TRUE), "better teams: 0.450")
  expect_identical(of_setting(FALSE), "nearest, better teams: 0.450")
  expect_identical(of_setting(TRUE, obtained = 0.5), "")
  of_change <- function(explains) {
    evidence("public", change = "other teams", change_value = 0.52, change_explains = explains)
  }
  expect_identical(of_change(TRUE), "other teams: 0.520")
  expect_identical(of_change(FALSE), "nearest, other teams: 0.520")
})

# One simulation reproduces both numbers of a row, and two others only one number each.
test_that("a setting explains a table row only if one simulation reproduces all its numbers", {
  source(project_file("vignettes/articles/power.R"), local = TRUE)
  published <- data.frame(item = "t", row = c("r", "r", "s"), quantity = c("a", "b", "a"), published = c(1, 2, 3),
                          digits = 1, precision = "rounded")
  default <- cbind(c(0, 0, 3), c(.4, .4, 3.4))
  others <- cbind(one = c(1, 5, 3), two = c(5, 2, 3), both = c(1.1, 1.9, 9))
  found <- row_settings(list(published = published, default = default, others = others))
  expect_identical(found$setting, c("both", "both", "one"))
  expect_identical(found$setting_explains, c(TRUE, TRUE, TRUE))
  found <- row_settings(list(published = published, default = default, others = others[, 1:2]))
  expect_identical(found$setting_explains, c(FALSE, FALSE, TRUE))
})

test_that("the joint test accepts a simulation with the same settings, and rejects other settings and permuted rows", {
  source(project_file("vignettes/articles/power.R"), local = TRUE)
  withr::local_seed(3)
  world <- function(n) matrix(rep(c(0, 0, 5, 5), n) + rep(rnorm(n), each = 4) + rnorm(4 * n, sd = .5), 4)
  default <- world(30)
  p <- vapply(1:40, function(i) rank_test(drop(world(1)), default), 0)
  expect_gt(mean(p > .05), .8)
  expect_equal(rank_test(c(5, 5, 0, 0), default), 1 / 31)
  # Its numbers are within the spread one by one, but not jointly.
  apart <- apply(default, 1, max) * c(1, 0, 1, 0) + apply(default, 1, min) * c(0, 1, 0, 1)
  expect_equal(rank_test(apart, default), 1 / 31)
  published <- data.frame(item = "t", row = c("x", "x", "y", "y"), quantity = c("a", "b"), published = default[, 1],
                          digits = 2, precision = "rounded")
  power <- table_power("t", list(published = published, default = default[, -1],
                                      others = cbind(one = default[, 2], two = default[, 3])))
  expect_equal(power$exchanged, 0)
  expect_equal(power$wrong, 0)
  expect_equal(power$right, 1)
})

test_that("every stored spread over simulations is that of a published number", {
  for (paper in c("mtc", "significance", "preferences")) {
    spread <- scripts$simulated_spread(paper)
    numbers <- scripts$published_numbers(paper)
    expect_true(all(spread$lowest <= spread$highest, na.rm = TRUE))
    at <- match(judicious:::text_key(spread$item, spread$row, spread$quantity),
                judicious:::text_key(numbers$item, numbers$row, numbers$quantity))
    expect_identical(anyNA(at), FALSE)
    expect_true(all(judicious:::text_key(spread$item, spread$row, spread$quantity) %in%
                      judicious:::text_key(numbers$item, numbers$row, numbers$quantity)))
  }
})

test_that("stored results have every published number with its status, and a reason if it is not reproduced", {
  for (paper in c("mtc", "significance", "preferences")) {
    stored <- reproduce(paper, stored = TRUE)
    expect_identical(names(stored$tables), names(scripts$reproduction_items(paper)))
    data <- as.data.frame(stored)
    typed <- scripts$published_numbers(paper)
    key <- function(x) judicious:::text_key(x$item, x$row, x$quantity)
    expect_setequal(key(data[!is.na(data$published), ]), key(typed))
    expect_equal(data$published, typed$published[match(key(data), key(typed))])
    expect_identical(data$status, scripts$comparison_status(data))
    unmet <- data$status %in% c("within spread", "differs", "not obtained")
    expect_true(all(nzchar(data$note[unmet])))
    reasons <- c("20 collections", "one setting", "one change", "computed", "not public", "not found")
    expect_true(all(data$tested[unmet] %in% reasons))
    expect_true(all(data$tested[!unmet] == ""))
    # A reason that was found in simulations, or by a change of the data, is stated with the resulting number.
    expect_true(all(nzchar(data$evidence[data$tested %in% c("one setting", "one change")])))
    expect_true(all(data$evidence[!data$tested %in% c("one setting", "one change", "not found")] == ""))
    said <- data$evidence[data$tested == "not found"]
    expect_true(all(said == "" | startsWith(said, "nearest, ")))
  }
  one <- reproduce("mtc", "figure2", stored = TRUE)
  expect_named(one$figures, "figure2")
  expect_output(print(reproduce("mtc", "example", stored = TRUE)), "log-odds")
  expect_error(reproduce("mtc", stored = NA), class = "judicious_error_argument")
})

# Every published number that is reproduced is changed by 2%, and each change must be detected.
test_that("a published number that is changed by 2% is reported as different", {
  met <- rbind(
    data.frame(paper = "mtc", as.data.frame(reproduce("mtc", c("example", "figure1"), data = ""))),
    data.frame(paper = "significance", as.data.frame(reproduce("significance", "errors", data = ""))),
    data.frame(paper = "preferences", as.data.frame(reproduce("preferences", "table1", data = "")))
  )
  met <- met[met$status == "agrees", ]
  noticed <- vapply(seq_len(nrow(met)), function(i) {
    published <- met[i, c("row", "quantity", "published", "digits", "precision", "source")]
    published$published <- published$published * 1.02
    scripts$compare_published(published, cbind(met[i, c("row", "quantity", "data", "obtained", "note")],
                                                        computed = TRUE), "")$status
  }, "")
  expect_gte(length(noticed), 20)
  expect_identical(met$quantity[noticed != "differs"], character())
})

test_that("every 2% change of a reproduced published number is detected if it exceeds the rounding", {
  met <- do.call(rbind, lapply(c("mtc", "significance", "preferences"), function(paper) {
    as.data.frame(reproduce(paper, stored = TRUE))
  }))
  met <- met[met$status == "agrees" & met$precision != "below", ]
  met <- met[0.02 * abs(met$published) > 2 * scripts$tolerance_of(met), ]
  expect_gt(nrow(met), 130)
  for (factor in c(0.98, 1.02)) {
    changed <- transform(met, published = published * factor, difference = obtained - published * factor)
    expect_identical(met$quantity[scripts$comparison_status(changed) == "agrees"], character())
  }
})

test_that("slow items of a reproduction can be taken from the stored results", {
  r <- reproduce("mtc", c("cost", "example"), data = "", stored = "long")
  expect_identical(r$tables, c(reproduce("mtc", "cost", stored = TRUE)$tables,
                               reproduce("mtc", "example", data = "")$tables))
  expect_named(r$titles, c("cost", "example"))
  # Only the first paper has long items.
  parts <- c("tables", "figures")
  expect_identical(reproduce("mtc", "independence", data = "", stored = "long")[parts],
                   reproduce("mtc", "independence", stored = TRUE)[parts])
  expect_null(scripts$long_items("significance"))
})

test_that("a single item of a reproduction is compared with its stored result, and stored if it differs", {
  folder <- withr::local_tempdir()
  articles <- project_file("vignettes/articles")
  dir.create(file.path(folder, "results"))
  file.copy(file.path(articles, "reproduce"), folder, recursive = TRUE)
  file.copy(file.path(articles, "results", "mtc.csv"), file.path(folder, "results"))
  copied <- load_reproduction_of(file.path(folder, "reproduce"))
  withr::local_envvar(JUDICIOUS_DATA = NA)
  expect_output(expect_true(copied$check_items("mtc", "example")), "example: 9 numbers equal to the stored ones")
  # Changes a number, as if another version had stored it.
  r <- copied$reproduce("mtc", "example", stored = TRUE)
  r$tables$example$obtained[1] <- 7
  copied$store_item(r)
  expect_output(expect_false(copied$check_items("mtc", "example", update = TRUE)), "NOT as stored")
  expect_output(expect_true(copied$check_items("mtc", "example")), "equal")
  # No other number has changed.
  before <- scripts$stored_reproduction("mtc", NULL)
  now <- copied$stored_reproduction("mtc", NULL)
  expect_equal(now$tables$example$obtained, before$tables$example$obtained, tolerance = 1e-12)
  now$tables$example <- before$tables$example
  expect_identical(now, before)
  expect_identical(readLines(file.path(folder, "results", "mtc.csv")),
                   readLines(file.path(articles, "results", "mtc.csv")))
})
