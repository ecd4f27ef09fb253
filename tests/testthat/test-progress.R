shown_by <- function(code) paste(cli::cli_fmt(code), collapse = "\n")

# Acts as if the first step had taken a second, so that the progress bar appears.
slow_step <- function(...) {
  step <- start_progress("Counting", 4, ...)
  environment(step)$started <- -Inf
  for (i in 1:4) step()
}

test_that("slow steps show a progress bar if requested, and quick steps never do", {
  withr::local_options(judicious.progress = TRUE, cli.progress_clear = FALSE)
  quick_step <- function() start_progress("Counting", 1)()
  expect_match(shown_by(slow_step()), "Counting")
  expect_identical(shown_by(quick_step()), "")
  withr::local_options(judicious.progress = FALSE)
  expect_identical(shown_by(slow_step()), "")
  expect_match(shown_by(slow_step(show = TRUE)), "Counting")
})

test_that("only the outermost step has a progress bar, which ends with its function, also after an error", {
  withr::local_options(judicious.progress = TRUE)
  outer <- function() {
    step <- start_progress("Outer", 2)
    expect_identical(on_show$step, step)
    slow_inner <- start_progress("Inner", 5)
    expect_false(identical(slow_inner, on_show$step))
    slow_inner()
    expect_identical(environment(step)$done, 0)
    step()
    expect_identical(environment(step)$done, 1)
    stop("over")
  }
  expect_error(outer(), "over")
  expect_null(on_show$step)
  expect_null(refresh_progress())
})

test_that("the progress bar of an evaluation of files ends with the evaluation", {
  withr::local_options(judicious.progress = TRUE)
  withr::defer(end_progress())
  file <- withr::local_tempfile(lines = "q1 Q0 d1 1 3 A")
  evaluate(file, data.frame(query = "q1", doc = "d1", gain = 1), "AP")
  expect_null(on_show$step)
})

test_that("a comparison's simulation of scores advances the progress bar", {
  runs <- data.frame(system = rep(c("A", "B"), each = 3), query = paste0("q", 1:3), doc = paste0("d", 1:6), rank = 1)
  x <- test_collection(runs, k = 1, scale = broad_scale())
  e <- expected_scores(x, uniform_gains(x))
  steps <- 0
  comparison <- compare_systems(e, significance_test("t"), simulations = 40, seed = 1)
  expect_identical(add_final_significance(comparison, e, 40, 1, advance = function() steps <<- steps + 1), comparison)
  expect_identical(steps, 40)
})

test_that("long computations in the C++ core advance the progress bar", {
  moved <- 0
  count <- function() moved <<- moved + 1
  set_pulse_cpp(count)
  # A bar is updated at most every fifth of a second, and may have been updated just now.
  Sys.sleep(0.25)
  withr::defer(set_pulse_cpp(NULL))
  scores <- matrix(sin(1:60), 20, dimnames = list(1:20, c("a", "b", "c")))
  compare_systems(scores, significance_test("permutation", replicates = 1e4), seed = 1)
  expect_gt(moved, 0)
})

test_that("the progress option must be TRUE or FALSE", {
  withr::local_options(judicious.progress = "yes")
  expect_error(start_progress("Working"), class = "judicious_error_argument")
})

test_that("parallel workers report progress through progressr", {
  skip_if_not_installed("progressr")
  skip_if_not_installed("future.apply")
  withr::local_options(progressr.enable = TRUE)
  told <- character()
  withCallingHandlers(
    expect_identical(over_items(1:3, function(i) i^2, "Squares", TRUE, workers = TRUE), list(1, 4, 9)),
    progression = function(p) told <<- c(told, p$type)
  )
  expect_identical(told, c("initiate", "update", "update", "update", "finish"))
})
