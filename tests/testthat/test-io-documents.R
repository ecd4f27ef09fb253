test_that("documents have an identifier and features", {
  expect_equal(read_documents(bytes_file("d1\tx\trock\nd2\ty\tfolk\n")),
               data.frame(doc = c("d1", "d2"), artist = c("x", "y"), genre = c("rock", "folk")))
  named <- read_documents(bytes_file("genre,docno,length,year\nrock,d1,12.5,\nfolk,d2,NA,1999\n,d3,7,2001\n"))
  expect_equal(named, data.frame(doc = c("d1", "d2", "d3"), genre = c("rock", "folk", NA), length = c(12.5, NA, 7),
                                 year = c(NA, 1999, 2001)))
})

test_that("a column is numeric only where that keeps its text", {
  data <- read_documents(bytes_file("doc a b c d\nd1 007 1 1e5 1\nd2 008 2 3 x\n"))
  expect_equal(vapply(data, is.numeric, NA), c(doc = FALSE, a = FALSE, b = TRUE, c = FALSE, d = FALSE))
  expect_equal(data$a, c("007", "008"))
  expect_true(all(is.na(read_documents(bytes_file("doc genre\nd1 NA\nd2 NA\n"))$genre)))
})

test_that("a table without documents is said", {
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_documents(bytes_file("d1 rock\n"))
    read_documents(bytes_file("artist genre title\nx rock y\n"), header = TRUE)
    read_documents("no-such-file")
  })
})
