test_that("TREC qrels and three columns are read", {
  expect_equal(read_judgments(bytes_file("301 0 d7 2\n301 0 d3 -1\n")),
               data.frame(query = "301", doc = c("d7", "d3"), gain = c(2, -1)))
  expect_equal(read_judgments(bytes_file("q1\td1\t88.5\r\nq1\td2\t0\r\n")),
               data.frame(query = "q1", doc = c("d1", "d2"), gain = c(88.5, 0)))
  expect_equal(read_judgments(bytes_file("topic,docid,relevance,assessor\nq1,d1,1,kim\n")),
               data.frame(query = "q1", doc = "d1", gain = 1, assessor = "kim"))
})

test_that("gains that are no numbers, and other layouts, are said", {
  expect_snapshot(error = TRUE, transform = hide_paths, {
    read_judgments(bytes_file("q1 d1 1\nq1 d2 good\n"))
    read_judgments(bytes_file("q1 d1\n"))
    read_judgments(bytes_file("topic document\nq1 d1\n"))
    read_judgments(bytes_file("q1 0 d1 1 x\n"))
    read_judgments("no-such-file")
  })
})
