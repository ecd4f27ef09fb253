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

test_that("digits are counted as they were printed", {
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

test_that("an exact number tolerates nothing, and a bound what is below it", {
  expect_identical(status_of("1", "exact", 0.857), "differs")
  expect_identical(status_of("0", "exact", 2 / 76500), "differs")
  expect_identical(status_of("0", "exact", 0), "agrees")
  expect_identical(status_of("80", "exact", 79), "differs")
  expect_identical(status_of("281", "exact", 281 * (1 + 1e-14)), "agrees")
  expect_identical(status_of("0.0014", "below", 0.0013), "agrees")
  expect_identical(status_of("0.0014", "below", 0.0014), "differs")
})

test_that("a number is never compared where one of both is missing", {
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

test_that("a simulated number that differs is judged by what other simulations give", {
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

test_that("a reason counts as tested where what was tried is as large as the difference", {
  tested <- function(data, ..., obtained = 0.6, computed = FALSE) {
    tried <- data.frame(row = "r", quantity = "q", ...)
    scripts$compare_published(typed("0.50", "rounded"),
                                  scripts$obtained_row("r", c(q = obtained), data, "why", computed), "", tried)$tested
  }
  expect_identical(tested("simulated", lowest = 0.4, highest = 0.7), "20 collections")
  expect_identical(tested("simulated", lowest = 0.55, highest = 0.7, below = 0.45, above = 0.55), "other settings")
  expect_identical(tested("simulated", lowest = 0.55, highest = 0.7, below = NA, above = 0.52), "not found")
  expect_identical(tested("public", other_data = 0.1), "other data")
  expect_identical(tested("public", other_data = 0.09), "not found")
  expect_identical(tested("public", other_data = NA), "not found")
  expect_identical(tested("public", computed = TRUE), "computed")
  expect_identical(tested("public", obtained = 0.501), "")
  # What is confirmed for simulated data says nothing of public data, and the other way round.
  expect_identical(tested("public", lowest = 0.4, highest = 0.7), "not found")
  expect_identical(tested("simulated", other_data = 0.2), "not found")
})

test_that("a reason is stated with what the simulations or the change of the data gave", {
  evidence <- function(data, ..., obtained = 0.6) {
    tried <- data.frame(row = "r", quantity = "q", ...)
    scripts$compare_published(typed("0.50", "rounded"), scripts$obtained_row("r", c(q = obtained), data, "why"),
                                  "", tried)$evidence
  }
  settings <- function(below, above, ...) {
    evidence("simulated", lowest = 0.55, highest = 0.7, setting_below = "better teams", below = below,
             setting_above = "default", above = above, ...)
  }
  expect_identical(settings(0.45, 0.55), "better teams: 0.450; default: 0.550")
  expect_identical(settings(NA, 0.55), "nearest, default: 0.550")
  expect_identical(settings(0.4, NA), "nearest, better teams: 0.400")
  expect_identical(settings(0.45, 0.55, obtained = 0.5), "")
  expect_identical(evidence("public", change = "other teams", other_data = 0.1), "other teams: by up to 0.100")
  expect_identical(evidence("public", change = "other teams", other_data = 0.01),
                   "nearest, other teams: by up to 0.010")
})

test_that("the stored spread is of published numbers, and most of them have one", {
  for (paper in c("mtc", "significance", "preferences")) {
    spread <- scripts$simulated_spread(paper)
    numbers <- scripts$published_numbers(paper)
    expect_true(all(spread$lowest <= spread$highest, na.rm = TRUE))
    at <- match(judicious:::text_key(spread$item, spread$row, spread$quantity),
                judicious:::text_key(numbers$item, numbers$row, numbers$quantity))
    tolerated <- scripts$tolerance_of(numbers[at, ]) + 1e-3 * abs(numbers$published[at])
    expect_true(all(spread$below <= numbers$published[at] + tolerated, na.rm = TRUE))
    expect_true(all(spread$above >= numbers$published[at] - tolerated, na.rm = TRUE))
    expect_true(all(judicious:::text_key(spread$item, spread$row, spread$quantity) %in%
                      judicious:::text_key(numbers$item, numbers$row, numbers$quantity)))
  }
})

test_that("stored results have every published number with its status, and a reason where it is not met", {
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
    reasons <- c("20 collections", "other settings", "other data", "computed", "not public", "not found")
    expect_true(all(data$tested[unmet] %in% reasons))
    expect_true(all(data$tested[!unmet] == ""))
    # A reason found in simulations or by a change of the data is stated with what they gave.
    with_evidence <- data$tested %in% c("other settings", "other data", "not found")
    expect_identical(nzchar(data$evidence), with_evidence)
    # What none of the simulations reaches is stated with the nearest one.
    expect_identical(sum(data$tested == "not found"), c(mtc = 2L, significance = 0L, preferences = 0L)[[paper]])
    expect_true(all(startsWith(data$evidence[data$tested == "not found"], "nearest, ")))
  }
  one <- reproduce("mtc", "figure2", stored = TRUE)
  expect_named(one$figures, "figure2")
  expect_output(print(reproduce("mtc", "example", stored = TRUE)), "log-odds")
  expect_error(reproduce("mtc", stored = NA), class = "judicious_error_argument")
})

# The mutation test: published numbers that are met are changed by 2% each, and no change goes unnoticed.
test_that("a published number that is changed by 2% is noticed", {
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

test_that("no change by 2% of any published number that is met goes unnoticed, where 2% exceed its rounding", {
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

test_that("items that take minutes can be taken from the stored results", {
  r <- reproduce("mtc", c("cost", "example"), data = "", stored = "long")
  expect_identical(r$tables, c(reproduce("mtc", "cost", stored = TRUE)$tables,
                               reproduce("mtc", "example", data = "")$tables))
  expect_named(r$titles, c("cost", "example"))
  # Only the first paper has long items; figures of the second have the same names and are computed.
  parts <- c("tables", "figures")
  expect_identical(reproduce("mtc", "figure2", data = "", stored = "long")[parts],
                   reproduce("mtc", "figure2", stored = TRUE)[parts])
  expect_null(scripts$long_items("significance"))
})
