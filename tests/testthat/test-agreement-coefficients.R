# Example of Krippendorff (2011): four observers, twelve units, missing ratings.
observers <- t(rbind(c(1, 2, 3, 3, 2, 1, 4, 1, 2, NA, NA, NA), c(1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NA, 3),
                     c(NA, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NA), c(1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NA)))

test_that("Krippendorff's alpha has the published values at every level of measurement", {
  alpha <- function(level) round(agreement(observers, level_of_measurement = level)$estimate, 3)
  expect_equal(c(alpha("nominal"), alpha("ordinal"), alpha("interval"), alpha("ratio")), c(0.743, 0.815, 0.849, 0.797))
  a <- agreement(observers)
  expect_equal(c(a$units, a$ratings, a$raters), c(11, 40, 4))
})

test_that("Krippendorff's alpha accepts text, factors and tables of counts", {
  text <- matrix(letters[observers], nrow(observers))
  expect_equal(agreement(text)$estimate, agreement(observers)$estimate)
  frame <- as.data.frame(lapply(seq_len(4), function(j) factor(text[, j], letters[1:5])), col.names = paste0("r", 1:4))
  expect_equal(agreement(frame, level_of_measurement = "ordinal")$estimate,
               agreement(observers, level_of_measurement = "ordinal")$estimate)
  counts <- t(apply(observers, 1, tabulate, 5))
  colnames(counts) <- 1:5
  expect_equal(agreement(counts, level_of_measurement = "interval", type = "counts")$estimate,
               agreement(observers, level_of_measurement = "interval")$estimate)
  reversed <- as.data.frame(lapply(seq_len(4), function(j) factor(text[, j], letters[5:1])),
                            col.names = paste0("r", 1:4))
  expect_equal(agreement(reversed, level_of_measurement = "ordinal")$estimate,
               agreement(observers, level_of_measurement = "ordinal")$estimate)
})

test_that("interval alpha equals its definition by pairs, and its standard error is near that of the bootstrap", {
  by_pairs <- function(x) {
    x <- x[rowSums(!is.na(x)) >= 2, ]
    observed <- sum(apply(x, 1, function(u) {
      u <- u[!is.na(u)]
      sum(outer(u, u, "-")^2) / (length(u) - 1)
    })) / sum(!is.na(x))
    v <- x[!is.na(x)]
    1 - observed / (sum(outer(v, v, "-")^2) / (length(v) * (length(v) - 1)))
  }
  judicious:::with_seed(1, {
    x <- matrix(rpois(600, rep(rpois(100, 4), 6)), 100)
    x[runif(600) < 0.2] <- NA
    boot <- replicate(200, agreement(x[sample(100, replace = TRUE), ], level_of_measurement = "interval")$estimate)
  })
  a <- agreement(x, level_of_measurement = "interval")
  expect_equal(a$estimate, by_pairs(x))
  expect_equal(a$se, sd(boot), tolerance = 0.25)
})

test_that("Cohen's kappa has the published value and standard error, and weighted kappa equals its definition", {
  # The table of Fleiss, Cohen and Everitt (1969) for 200 patients: kappa .429, standard error .054. Their weighted
  # kappa of .492 uses weights that are none of the named schemes, so weights are tested against the definition.
  p <- matrix(c(106, 10, 4, 22, 28, 10, 2, 12, 6), 3, byrow = TRUE)
  x <- rep(row(p), p)
  y <- rep(col(p), p)
  k <- agreement(x, y)
  expect_equal(round(k$estimate, 3), 0.429)
  expect_equal(round(k$se, 3), 0.054)
  for (power in 1:2) {
    w <- (abs(row(p) - col(p)) / 2)^power
    e <- outer(rowSums(p), colSums(p)) / sum(p)
    weighted <- agreement(x, y, weights = c("linear", "quadratic")[power])
    expect_equal(weighted$estimate, 1 - sum(w * p) / sum(w * e))
    expect_equal(weighted$observed, 1 - sum(w * p) / sum(p))
  }
  expect_equal(agreement(c(x, NA), c(y, 1))$estimate, k$estimate)
})

test_that("a weighted kappa's standard error is close to that of the delete-one jackknife", {
  judicious:::with_seed(5, {
    x <- sample(4, 400, TRUE)
    y <- pmin(4, pmax(1, x + sample(-1:1, 400, TRUE)))
  })
  for (weights in c("none", "linear", "quadratic")) {
    part <- vapply(1:400, function(i) agreement(x[-i], y[-i], weights = weights)$estimate, 0)
    expect_equal(agreement(x, y, weights = weights)$se, sqrt(399 / 400 * sum((part - mean(part))^2)), tolerance = 0.02)
  }
})

test_that("Fleiss' kappa has the published value", {
  # An example like that of Fleiss (1971), with 10 units, 14 raters and 5 categories: kappa is .210.
  counts <- rbind(c(0, 0, 0, 0, 14), c(0, 2, 6, 4, 2), c(0, 0, 3, 5, 6), c(0, 3, 9, 2, 0), c(2, 2, 8, 1, 1),
                  c(7, 7, 0, 0, 0), c(3, 2, 6, 3, 0), c(2, 5, 3, 2, 2), c(6, 5, 2, 1, 0), c(0, 2, 2, 3, 7))
  k <- agreement(counts, method = "fleiss", type = "counts")
  expect_equal(round(k$estimate, 3), 0.21)
  expect_equal(round(c(k$observed, k$expected), 3), c(0.378, 0.213))
  ratings <- t(apply(counts, 1, function(n) rep(1:5, n)))
  expect_equal(agreement(ratings, method = "fleiss")$estimate, k$estimate)
})

test_that("preference answers become 1 (a), 0 (equal) or -1 (b), with a and b as in the first answer to the pair", {
  answers <- data.frame(query = "q", doc_a = c("x", "y", "x"), doc_b = c("y", "x", "z"), worker = c("m", "n", "n"),
                        answer = c("a", "a", "equal"))
  m <- judicious:::answer_matrix(answers)
  expect_equal(m, matrix(c(1, NA, -1, 0), 2, dimnames = list(c("q x y", "q x z"), c("m", "n"))))
  expect_equal(agreement(answers, level_of_measurement = "ordinal"), agreement(m, level_of_measurement = "ordinal"))
})

test_that("coefficients of agreement print, and invalid ratings raise errors", {
  expect_snapshot(agreement(observers, level_of_measurement = "ordinal"))
  expect_snapshot(error = TRUE, {
    agreement(1:3, 1:2)
    agreement(c(1, NA), c(NA, 1))
    agreement(1:3, 1:3, levels = 1:2)
    agreement(1:3)
    agreement(matrix(c(1, NA, NA, 1), 2))
    agreement(matrix(c("x", "y"), 1), level_of_measurement = "interval")
    agreement(matrix(0.5, 2, 2), method = "fleiss", type = "counts")
    agreement(observers, method = "fleiss", weights = "linear")
    agreement(1:3, c(1, 2, 2), level_of_measurement = "ordinal")
  })
})

test_that("method = \"rmse\" averages the root mean squared difference over pairs of assessors", {
  gains <- cbind(a = c(0, 10, 20, NA), b = c(10, 10, 50, 5), c = c(NA, 20, NA, 5))
  byhand <- c(sqrt((100 + 0 + 900) / 3), sqrt(100), sqrt((100 + 0) / 2))
  found <- agreement(gains, method = "rmse")
  expect_equal(found$estimate, mean(byhand))
  expect_equal(found$units, 4)
  expect_equal(found$ratings, 9)
  # The standard error is that of the delete-one jackknife over units.
  without <- vapply(1:4, function(i) agreement(gains[-i, ], method = "rmse")$estimate, 0)
  expect_equal(found$se, sqrt(3 / 4 * sum((without - mean(without))^2)))
  # Judgments in long form, in any order, give the same result.
  at <- which(!is.na(gains), arr.ind = TRUE)
  long <- data.frame(query = "q", doc = paste0("d", at[, 1]), gain = gains[at], assessor = colnames(gains)[at[, 2]])
  expect_equal(agreement(long[nrow(long):1, ], method = "rmse")$estimate, mean(byhand))
  expect_equal(agreement(long, level_of_measurement = "interval")$estimate,
               agreement(gains, level_of_measurement = "interval")$estimate)
  # Gains are numbers, and the assessors differ in leniency.
  found <- agreement(long)
  expect_identical(found$coefficient, "Krippendorff's alpha, interval")
  expect_identical(agreement(long, level_of_measurement = "nominal")$coefficient, "Krippendorff's alpha, nominal")
  others <- cbind(c(10, 15, 50, NA), c(0, 15, 20, 5), c(NA, 10, NA, 5))
  expect_equal(found$assessors, data.frame(assessor = c("a", "b", "c"), judged = c(3, 4, 2),
                                           mean = colMeans(gains, na.rm = TRUE),
                                           leniency = colMeans(gains - others, na.rm = TRUE)), ignore_attr = TRUE)
  expect_identical(dim(as.data.frame(found)), c(1L, 8L))
  expect_output(print(found), "assessor judged mean leniency")
  expect_error(agreement(gains[, 1, drop = FALSE], method = "rmse"), class = "judicious_error_argument")
  expect_error(agreement(cbind("a", "b"), method = "rmse"), class = "judicious_error_argument")
  expect_error(agreement(gains, method = "rmse", type = "counts"), class = "judicious_error_argument")
})

test_that("print() calls a coefficient of equal ratings undefined, and a missing standard error unknown", {
  equal <- matrix(1, 5, 2)
  for (equal in list(agreement(equal), agreement(equal, method = "fleiss"), agreement(equal[, 1], equal[, 2]))) {
    expect_output(print(equal), "not defined, because all ratings are equal")
  }
  expect_output(print(agreement(cbind(c(1, 1, 2), 1), method = "krippendorff")), "(standard error not known)",
                fixed = TRUE)
})

test_that("an infinite rating raises an error and is not treated as an equal rating", {
  rated <- data.frame(query = rep(c("a", "b", "c"), 2), doc = "d", assessor = rep(c("x", "y"), each = 3),
                      gain = c(1, Inf, 2, 1, 1, 2))
  expect_error(agreement(rated), "has an infinite rating in row 2", class = "judicious_error_argument")
  expect_error(agreement(matrix(c(1, -Inf, 2, 2), 2)), "has an infinite rating in row 2",
               class = "judicious_error_argument")
})

test_that("empty texts and NA are missing ratings, and labels without an order raise errors where one is needed", {
  ratings <- data.frame(a = c("x", "y", "", "y"), b = c("x", "x", "y", "y"), c = c("x", "y", "y", " "))
  missing <- ratings
  missing[missing == "" | missing == " "] <- NA
  expect_message(found <- agreement(ratings), "2 texts of `x` are no", class = "judicious_message_empty_ratings")
  expect_equal(found, agreement(missing))
  expect_equal(suppressMessages(agreement(ratings$a, ratings$b)), agreement(missing$a, missing$b))
  expect_equal(agreement(data.frame(a = c(1, 2, 1), b = c(1, 2, 2), c = NA)), agreement(cbind(c(1, 2, 1), c(1, 2, 2), NA)))
  words <- c("low", "mid", "high")
  # Neighbouring levels have the distance 1/2; the observed mean distance is 1/6, and the expected one 7/18.
  expect_equal(agreement(words, c("low", "mid", "mid"), weights = "linear", levels = words)$estimate, 1 - (1 / 6) / (7 / 18))
  expect_snapshot(error = TRUE, {
    agreement(data.frame(item = c("x", "y", "z"), r1 = c(1, 2, 3), r2 = c(1, 2, 2)))
    agreement(words, c("low", "mid", "mid"), weights = "linear")
    agreement(cbind(words, words), level_of_measurement = "ordinal")
    agreement(cbind(c(-1, 2, 3), 1:3), level_of_measurement = "ratio")
  })
})

test_that("words for a missing rating are no category, except none, and their levels are none, either", {
  # nltk issue 2865: the raters agree wherever both rate.
  ratings <- cbind(c("1", "1", "2"), c("1", "1", "NaN"), c("N/A", "1", "2"))
  expect_message(found <- agreement(ratings), '"NaN" and "N/A"', class = "judicious_message_empty_ratings")
  expect_equal(found$estimate, 1)
  expect_equal(found$ratings, 7)
  # Without the level "na", the levels 1, 2 and 3 are equidistant.
  x <- factor(c("1", "2", "3", "na"), c("1", "na", "2", "3"))
  y <- factor(c("1", "3", "3", "2"), levels(x))
  expect_equal(suppressMessages(agreement(x, y, weights = "linear")),
               agreement(c(1, 2, 3, NA), c(1, 3, 3, 2), weights = "linear"))
  expect_equal(agreement(c("none", "mild", "none"), c("none", "mild", "mild"))$units, 3)
})

test_that("TRUE and FALSE beside numbers are 1 and 0, and spellings that differ in case or blanks are reported", {
  numbers <- agreement(c(1, 0, 1, 0), c(1, 0, 0, 0))
  expect_equal(agreement(c(TRUE, FALSE, TRUE, FALSE), c(1, 0, 0, 0)), numbers)
  expect_equal(agreement(cbind(c(1, 0, 1, 0), c(1, 0, 0, 0)), method = "cohen"), numbers)
  expect_equal(agreement(data.frame(a = c(TRUE, FALSE, TRUE), b = c(1, 0, 0)))$estimate,
               agreement(cbind(c(1, 0, 1), c(1, 0, 0)))$estimate)
  expect_snapshot({
    agreement(c("Yes", "No", "No"), c("yes", "no", "no"))$estimate
    agreement(c("a", "b"), c("a ", "b"))$estimate
  })
  expect_no_warning(agreement(c("A", "A-", "-", "1-2"), c("A-", "A", "-1", "12")))
  expect_snapshot(error = TRUE, agreement(1:3, 1:3, levels = c(1, 2, 2, 3)))
})

test_that("the columns of a table of counts are ordered by their numbers", {
  counts <- rbind(c(3, 0, 0), c(0, 3, 0), c(0, 1, 2), c(1, 0, 2), c(1, 2, 0))
  colnames(counts) <- c(1, 10, 2)
  ratings <- t(apply(counts, 1, function(n) rep(c(1, 10, 2), n)))
  for (level in c("ordinal", "interval")) {
    expect_equal(agreement(counts, type = "counts", level_of_measurement = level),
                 agreement(ratings, level_of_measurement = level))
  }
})

test_that("standard errors are those of the jackknife, which is quick for ratings with decimals, too", {
  set.seed(1)
  ratings <- matrix(round(rnorm(600, rep(rnorm(200), 3)), 1), 200)
  ratings[c(3, 250, 251, 590)] <- NA
  jackknife <- function(estimate) {
    n <- nrow(ratings)
    part <- vapply(seq_len(n), function(i) estimate(ratings[-i, ])$estimate, 0)
    sqrt((n - 1)^2 / n * var(part))
  }
  for (level in c("nominal", "ordinal", "interval")) {
    of_level <- function(x) agreement(x, level_of_measurement = level)
    expect_equal(of_level(ratings)$se, jackknife(of_level))
  }
  fleiss <- function(x) agreement(x, method = "fleiss")
  expect_equal(fleiss(ratings)$se, jackknife(fleiss))
  # A unit without which all ratings are equal leaves no standard error.
  expect_equal(is.finite(agreement(rbind(c(0.1, 0.3), 0.1, 0.1, 0.1), level_of_measurement = "interval")$se), FALSE)
})

test_that("factors and dates are ratings; those without a common order or representable squares raise errors", {
  low_to_high <- c("low", "middle", "high")
  first <- ordered(low_to_high, low_to_high)
  second <- ordered(c("low", "high", "high"), low_to_high)
  in_numbers <- agreement(data.frame(a = 1:3, b = c(1, 3, 3)), level_of_measurement = "ordinal")
  expect_equal(agreement(data.frame(a = first, b = second), level_of_measurement = "ordinal"), in_numbers)
  # At the nominal level, the order and the set of levels do not matter, and dates are ratings like any other.
  dates <- as.Date("2024-01-01") + 1:3
  high_to_low <- factor(second, low_to_high[3:1])
  equal <- list(data.frame(a = 1:3, b = c(1, 3, 3)), data.frame(a = dates, b = dates[c(1, 3, 3)]),
                data.frame(a = first, b = droplevels(second)), data.frame(a = first, b = high_to_low))
  for (ratings in equal[-1]) expect_equal(agreement(ratings)$estimate, agreement(equal[[1]])$estimate)
  expect_equal(agreement(first, droplevels(second))$estimate, agreement(1:3, c(1, 3, 3))$estimate)
  expect_snapshot(error = TRUE, {
    agreement(data.frame(a = first, b = high_to_low), level_of_measurement = "ordinal")
    agreement(first, droplevels(second), weights = "linear")
    agreement(equal[[2]], level_of_measurement = "interval")
    agreement(cbind(c(1, 2, 3), c(1, 2, 2)) * 1e200, level_of_measurement = "interval")
    agreement(cbind(c(1, 2, 3), c(1, 2, 2)) * 1e-200, method = "rmse")
    agreement(list(1, 2), list(1, 2))
    agreement(NULL)
    agreement(data.frame(query = "q", doc_a = "a", doc_b = "b", worker = 1, answer = "a")[0, ])
    agreement(table(c(1, 2, 2), c(1, 2, 1)))
    agreement(data.frame(query = "q", gain = 1:3), data.frame(query = "q", doc = 1:3, gain = 1:3))
  })
})

test_that("ratings that are equal numbers are equal, whatever their type or rounding", {
  whole <- c(100000L, 1L, 2L)
  expect_equal(agreement(data.frame(a = whole, b = c(1e5, 1, 2)))$estimate, 1)
  expect_equal(agreement(whole, c(1e5, 1, 2), levels = sort(whole))$estimate, 1)
  computed <- cbind(c(0.1 + 0.2, 0.5), c(0.3, 0.5))
  expect_equal(agreement(computed)$estimate, 1)
  expect_equal(agreement(computed, method = "fleiss"), agreement(as.data.frame(computed), method = "fleiss"))
})

test_that("levels of plain factors in alphabetical order are reported where their order counts", {
  a <- c("low", "low", "medium", "medium", "high", "high")
  b <- c("low", "medium", "medium", "high", "high", "high")
  told <- "judicious x high < low < medium"
  told_by <- function(code) {
    rlang::reset_message_verbosity(told)
    expect_message(code, "high < low < medium", class = "judicious_message_level_order")
  }
  told_by(agreement(factor(a), factor(b), weights = "quadratic"))
  told_by(agreement(data.frame(factor(a), factor(b)), level_of_measurement = "ordinal"))
  rlang::reset_message_verbosity(told)
  expect_no_message(agreement(factor(a), factor(b)))
  of <- function(x) ordered(x, c("low", "medium", "high"))
  expect_no_message(weighted <- agreement(of(a), of(b), weights = "quadratic"))
  codes <- c(low = 1, medium = 2, high = 3)
  expect_equal(weighted$estimate, agreement(codes[a], codes[b], weights = "quadratic")$estimate)
  # 1 - sum(p d^2) / sum(e d^2): two of six pairs differ by one level; the marginals are (2, 2, 2) and (1, 2, 3).
  expect_equal(weighted$estimate, 1 - (2 / 6) / (sum(outer(c(2, 2, 2), c(1, 2, 3)) * outer(1:3, 1:3, "-")^2) / 36))
})

test_that("a matrix of more raters than units is reported, because its raters may be in rows", {
  ratings <- rbind(c(1, 2, 3, 3), c(1, 2, 3, 1))
  expect_message(wide <- agreement(ratings), "transpose it", class = "judicious_message_raters")
  expect_identical(wide$raters, 4L)
  expect_no_message(agreement(t(ratings)))
  expect_no_message(agreement(ratings, type = "counts"))
})

test_that("ratings and judgments are read from files", {
  ratings <- data.frame(anna = c(1, 2, 3, 3), ben = c(1, 2, 2, NA))
  long <- data.frame(query = rep(1:4, 2), doc = "d", assessor = rep(names(ratings), each = 4), gain = unlist(ratings))
  qrels <- data.frame(query = 1:4, iteration = 0, doc = "d", gain = ratings$anna)
  path <- tempfile(fileext = c(".csv", ".csv", ".qrels"))
  on.exit(unlink(path))
  write.csv(ratings, path[1], row.names = FALSE, na = "")
  write.csv(long[!is.na(long$gain), ], path[2], row.names = FALSE)
  write.table(qrels, path[3], quote = FALSE, row.names = FALSE, col.names = FALSE)
  expect_equal(agreement(path[1])$estimate, agreement(ratings)$estimate)
  expect_equal(agreement(path[2])$estimate, agreement(long[!is.na(long$gain), ])$estimate)
  expect_equal(agreement(path[3], qrels)$consistent, agreement(qrels, qrels)$consistent)
  expect_error(agreement("absent.csv"), class = "judicious_error_file")
  expect_error(agreement(ratings, level = "ordinal"), "no argument `level`", class = "judicious_error_argument")
})

test_that("votes between systems are ratings of their judges, not of their columns", {
  votes <- data.frame(question = rep(1:3, each = 2), model_a = "A", model_b = "B", judge = c("ann", "bob"),
                      winner = c("model_a", "model_a", "tie", "model_b", "model_b", "model_b"))
  ratings <- cbind(ann = c(1, 0, -1), bob = c(1, -1, -1))
  expect_equal(agreement(votes)$estimate, agreement(ratings)$estimate)
  expect_identical(agreement(votes)$raters, 2L)
})
