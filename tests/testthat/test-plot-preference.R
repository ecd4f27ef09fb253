session <- run_sure(preference_session(list(q = c("C", "D", "E", "A", "G", "B", "F"), r = c("A", "B")),
                                       order = "given", seed = 1),
                    c(A = 1, B = 1, C = 1, D = 2, E = 2, F = 3, G = 3))

test_that("the sorting plot shows every document in every iteration", {
  steps <- judicious:::sorting_steps(session, "q")
  expect_equal(steps$last, 4)
  place <- function(i) steps$steps$doc[steps$steps$iteration == i]
  expect_equal(place(1), c("C", "D", "E", "A", "G", "B", "F"))
  expect_equal(place(3), c("B", "C", "A", "D", "E", "F", "G"))
  expect_equal(place(4), c("A", "B", "C", "E", "D", "F", "G"))
  expect_equal(steps$steps$doc[steps$steps$pivot], c("F", "B", "A", "E"))
  expect_equal(steps$boxes$bottom[steps$boxes$iteration == 2], c(5.5, 7.5))
  expect_equal(steps$labels, c("1", "2", "3", "list"))
})

test_that("every plot of preference judgments is drawn", {
  skip_if_not_installed("ggplot2")
  quality <- worker_quality(session)
  for (x in list(session, ordered_list(session), quality)) {
    p <- plot(x)
    expect_s3_class(p, "ggplot")
    expect_no_error(ggplot2::ggplotGrob(p))
  }
  expect_snapshot(error = TRUE, plot(session, query = "s"))
})
