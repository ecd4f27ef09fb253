skip_if_not_installed("htmltools")

test_that("tables have headings for rows and columns, and their text is escaped", {
  shown <- html(figure_table(data.frame(a = "<b>", b = 1234.5, c = NA_real_, d = 2), "A & B",
                             c(a = "<i>", b = "B", c = "C", d = "D")))
  expect_no_match(shown, "<b>|<i>")
  expect_match(shown, "<th scope=\"row\">&lt;b&gt;</th>", fixed = TRUE)
  expect_identical(lengths(regmatches(shown, gregexpr("scope=\"col\"", shown))), 4L)
  expect_identical(show_figures(c(1, 1200, NA)), c("1", "1,200", "\u2013"))
  expect_identical(show_figures(c(0.12345, NA)), c("0.123", "\u2013"))
})

test_that("an assessor's agreement is with the others' judgments of the same documents", {
  judgments <- data.frame(query = "q", doc = c("a", "b", "c", "d", "a", "b", "c"), gain = c(0, 1, 2, 2, 0, 1, 1),
                          assessor = c("ann", "ann", "ann", "ann", "bob", "carl", "carl"))
  expected <- agreement(c(0, 1, 2), c(0, 1, 1), weights = "quadratic", levels = 0:2)
  expect_identical(assessor_agreement("ann", judgments, broad_scale())[c("estimate", "units")],
                   unclass(expected)[c("estimate", "units")])
  expect_identical(assessor_agreement("bob", judgments, broad_scale())$units, 1L)
  expect_null(assessor_agreement("dora", judgments, broad_scale()))
})

test_that("calibration is told in words", {
  row <- function(n, lower, upper) data.frame(n = n, lower = lower, upper = upper)
  expect_match(calibration_in_words(row(0, NA, NA)), "^Too few")
  expect_match(calibration_in_words(row(9, 0.5, 1.5)), "^Too few")
  expect_match(calibration_in_words(row(30, 1.1, 1.5)), "^No: the gains vary more")
  expect_match(calibration_in_words(row(30, 0.1, 0.9)), "vary less")
  expect_match(calibration_in_words(row(30, 0.5, 1.5)), "30 documents chosen at random")
})

test_that("the goal's mark is drawn where the bar shows what the goal asks for", {
  asked <- function(goal) {
    x <- simulate_collection(queries = 5, documents = 60, artists = 20, systems = 3, seed = 1)
    html(gains_status(progress(judging_session(x, goal = goal, seed = 1, judgments = FALSE), expect = FALSE), "ann"))
  }
  expect_match(asked(goal_mean(0.9)), "bar-mark\" style=\"left:90.0%", fixed = TRUE)
  expect_match(asked(goal_mean(0.9) | goal_budget(5)), "bar-mark", fixed = TRUE)
  width <- asked(goal_width(0.1))
  expect_no_match(width, "bar-mark")
  expect_match(width, "intervals no wider than 0.1, now [0-9.]+</p>")
  expect_match(asked(goal_budget(1) & goal_mean(0.1)), "Judged by you", fixed = TRUE)
})

test_that("the page serves a folder of media", {
  skip_if_not_installed("shiny")
  folder <- new_folder()
  writeLines("x", file.path(folder, "d1.txt"))
  app <- judge_app(app_session(), documents = "media/{doc}.txt", tokens = FALSE, media = folder)
  shiny::testServer(app, {
    session$flushReact()
    expect_match(html(output$screen$html), "href=\"media/d[1-4].txt\"")
  })
  expect_identical(media_folder(folder, NULL), normalizePath(folder))
})
