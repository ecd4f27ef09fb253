again <- function(x) decode_data(encode_data(x, "model"), "model")

test_that("decoding returns exactly the data that was encoded", {
  values <- list(
    a = 1:3, b = c(NA, 1.5, NaN, Inf, -0, 5e-324), c = c("\u00e4", NA, "x\ny", ""), d = NULL, e = c(TRUE, NA),
    f = factor(c("u", "v")), g = data.frame(x = 1:3, y = letters[1:3]),
    h = matrix(1:4, 2, dimnames = list(NULL, c("a", "b"))), i = as.raw(0:255), j = character(),
    k = .POSIXct(1.25, "UTC"), l = list(list()), m = strrep("x", 1e5), n = integer()
  )
  expect_identical(again(values), values)
  x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
  expect_identical(again(x), x)
})

test_that("decoded models give the same predictions", {
  x <- simulate_collection(queries = 8, documents = 150, artists = 20, systems = 4, seed = 1)
  d <- output_features(x)
  d$gain <- factor(findInterval(judgments_of(x)$gain, c(25, 50)), ordered = TRUE)
  fitted <- pom(gain ~ pTEAM + log(pART + 1), d)
  expect_identical(predict(again(fitted), d, type = "prob"), predict(fitted, d, type = "prob"))
  line <- lm(as.integer(gain) ~ pTEAM, d)
  expect_identical(predict(again(line), d), predict(line, d))
})

# Forged data with a valid checksum.
forged_data <- function(content) {
  packed <- memCompress(content, "gzip")
  c(charToRaw(paste("judicious-data 1 model", checksum_cpp(packed))), as.raw(10), packed)
}

test_that("functions, environments and unknown calls cannot be stored in data files", {
  d <- data.frame(y = c(1, 2, 4), x = 1:3)
  # The attack: a model whose formula runs a command whenever it is used for prediction.
  expect_snapshot(error = TRUE, encode_data(lm(y ~ I(x + 0 * nchar(system("true"))), d), "model"))
  expect_snapshot(error = TRUE, encode_data(list(a = list(f = mean)), "model"))
  expect_snapshot(error = TRUE, encode_data(list(e = globalenv()), "model"))
  for (value in list(quote(x), expression(a), function() 1, as.name("x"), quote((function() 1)()))) {
    expect_error(encode_data(list(value), "model"), class = "judicious_error_not_data")
  }
  # The formula is checked on reading, too.
  text <- "y ~ system(\"true\")"
  content <- c(as.raw(7), writeBin(1, raw(), endian = "little"),
               writeBin(c(0L, nchar(text) + 1L), raw(), endian = "little"), writeBin(text, raw()))
  expect_error(decode_data(forged_data(content), "model"), "uses `system`", class = "judicious_error_not_data")
})

test_that("an encoded length beyond the end of the data raises an error", {
  for (type in 1:6) {
    for (n in c(1e10, Inf, NaN)) {
      content <- c(as.raw(type), writeBin(n, raw(), endian = "little"), raw(20))
      expect_error(decode_data(forged_data(content), "model"), "it ends too early", class = "judicious_error_not_data")
    }
  }
  empty <- list(character(), list(), NULL, integer(), raw())
  expect_identical(decode_data(encode_data(empty, "model"), "model"), empty)
})

test_that("data in an unknown format raises an error", {
  fine <- encode_data(list(1, "a"), "model")
  expect_snapshot(error = TRUE, decode_data(serialize(1, NULL), "model"))
  expect_snapshot(error = TRUE, decode_data(fine, "setup"))
  flipped <- replace(fine, length(fine) - 5, xor(fine[length(fine) - 5], as.raw(1)))
  expect_error(decode_data(flipped, "model"), "It is damaged", class = "judicious_error_not_data")
  expect_error(decode_data(utils::head(fine, -3), "model"), "It is damaged", class = "judicious_error_not_data")
  newer <- c(charToRaw("judicious-data 9"), fine[-(1:16)])
  expect_error(decode_data(newer, "model"), "version 9", class = "judicious_error_not_data")
  expect_error(decode_data(raw(), "model"), class = "judicious_error_not_data")
})

test_that("a small compressed file that would expand beyond the memory limit raises an error", {
  content <- memCompress(raw(7e7), "gzip")
  bytes <- c(charToRaw(paste("judicious-data 1 model", checksum_cpp(content))), as.raw(10), content)
  expect_lt(length(bytes), 1e5)
  expect_snapshot(error = TRUE, decode_data(bytes, "model"))
  # Repetitive data are accepted if they need little memory.
  expect_identical(decode_data(encode_data(numeric(1e6), "model"), "model"), numeric(1e6))
})
