test_that("check_runs() finds problems of lists, ranks, ties, queries and judgments, and identical systems", {
  runs <- rbind(
    data.frame(system = "A", query = "q1", doc = c("d1", "d2", "d3", "d1"), rank = c(1, 2, 4, 5),
               score = c(4, 4 + 1e-9, 4, 1)),
    data.frame(system = "A", query = "q2", doc = c("d1", "d2"), rank = 1:2, score = c(1, 2)),
    data.frame(system = "B", query = "q1", doc = c("d1", "d2", "d3"), rank = 1:3, score = 3:1),
    data.frame(system = "C", query = "q1", doc = c("d1", "d2", "d3"), rank = 1:3, score = c(9, 7, 5)),
    data.frame(system = "D", query = "q1", doc = c("d8", "d9"), rank = 1:2, score = 2:1)
  )
  judgments <- data.frame(query = c("q1", "q1", "q3"), doc = c("d1", "d3", "d1"), gain = 1)
  found <- check_runs(runs, judgments)
  expect_snapshot(print(found))
  expect_equal(found$duplicates, data.frame(system = "A", query = "q1", doc = "d1", times = 2L))
  expect_equal(found$ties, data.frame(system = "A", query = "q1", documents = 3L, deepest = 3L, of = 4L))
  expect_equal(found$rank_gaps, data.frame(system = "A", query = "q1", lowest = 1, highest = 5, documents = 4L))
  expect_equal(found$rank_order, data.frame(system = "A", query = "q2", documents = 1L))
  expect_setequal(paste(found$missing$system, found$missing$query),
                  c("B q2", "C q2", "D q2", "A q3", "B q3", "C q3", "D q3"))
  expect_equal(found$short, data.frame(system = "A", query = "q2", documents = 2L, longest = 4L))
  expect_equal(found$unknown_queries$query, "q2")
  expect_equal(found$idle_queries$query, "q3")
  expect_equal(found$unjudged, data.frame(system = "D", documents = 2L, judged = 0L, share = 0))
  expect_equal(found$identical, data.frame(system = "C", as = "B"))
  expect_snapshot(as.data.frame(found))
})

test_that("check_runs() finds no problem in correct runs", {
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q", doc = c("d1", "d2", "d2", "d3"), score = 2:1)
  expect_snapshot(check_runs(runs))
})

test_that("check_runs() finds neither duplicates nor missing queries in trec_eval's sample", {
  path <- skip_without_data("trec-eval-sample")
  found <- check_runs(file.path(path, "results.test"), file.path(path, "qrels.test"))
  expect_equal(nrow(found$duplicates), 0)
  expect_equal(nrow(found$missing), 0)
})

test_that("lists are told apart if the names of queries and systems have dots", {
  runs <- data.frame(system = rep(c("5.5", "5"), each = 2), query = rep(c("1", "1.5"), each = 2), doc = letters[1:4],
                     rank = 1:2, score = 2:1)
  expect_identical(unique(as.data.frame(check_runs(runs))$problem), "missing")
})
