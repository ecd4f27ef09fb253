# An interrupted call returns to R within seconds with a condition, and leaves the session usable. The calls run in
# another process; without the interrupt, each would take minutes.

# For each computation: code that prepares its data, and the call to interrupt.
long_calls <- list(
  "proportional odds" = list(
    quote({
      n <- 300000
      data <- data.frame(y = findInterval(stats::rlogis(n), stats::qlogis((1:399) / 400)), u = stats::rnorm(n))
    }),
    quote(pom(y ~ u, data, method = "bias_reduced"))
  ),
  "another link" = list(
    quote({
      n <- 400000
      data <- data.frame(y = findInterval(stats::rnorm(n), -1:1), matrix(stats::rnorm(20 * n), n))
    }),
    quote(pom(y ~ ., data, link = "robit"))
  ),
  "mixed model" = list(
    quote({
      n <- 60000
      data <- data.frame(y = findInterval(stats::rlogis(n), -1:1), q = sample(3000, n, TRUE), s = sample(300, n, TRUE))
    }),
    quote(pom(y ~ 1 + (1 | q) + (1 | s), data))
  ),
  "permutation test" = list(
    quote(scores <- matrix(stats::rnorm(4000 * 40), 4000, dimnames = list(paste0("q", 1:4000), paste0("s", 1:40)))),
    quote(compare_systems(scores, significance_test("permutation", replicates = 500000)))
  ),
  "bootstrap test" = list(
    quote(scores <- matrix(stats::rnorm(4000 * 40), 4000, dimnames = list(paste0("q", 1:4000), paste0("s", 1:40)))),
    quote(compare_systems(scores, significance_test("bootstrap", replicates = 20000)))
  ),
  "minimal test collection" = list(
    quote(x <- simulate_collection(queries = 400, documents = 20000, systems = 60, k = 10, seed = 1)),
    # If interrupted, mtc() returns the judgments so far.
    quote({
      s <- mtc(x, judgments_of(x), mirex_model("output", "fine"), weights = "proportional", stop = "never")
      if (nrow(judgments_of(s)) < nrow(judgments_of(x))) rlang::interrupt()
    })
  ),
  "judged joint gains" = list(
    quote(x <- simulate_collection(queries = 300, documents = 9000, systems = 60, k = 10, seed = 1)),
    quote(joint_gains(x, gain_prior(), judgments = judgments_of(x)))
  ),
  "joint draws" = list(
    quote({
      x <- simulate_collection(queries = 200, documents = 5000, systems = 40, k = 10, seed = 1)
      gains <- joint_gains(x, gain_prior(), update = FALSE)
    }),
    quote(simulate(gains, 5000, seed = 1))
  ),
  "average precision" = list(
    quote({
      x <- simulate_collection(queries = 3, documents = 4000, systems = 60, k = 500, seed = 1)
      gains <- uniform_gains(x)
    }),
    quote(rank_systems(x, gains, measure = "AP"))
  ),
  "study" = list(
    quote(x <- simulate_collection(queries = 60, documents = 2000, systems = 20, seed = 1)),
    quote(mtc_study(x, replicates = 100, seed = 1))
  )
)

# The script of the other process. It writes "ready" before each call, then the outcome of the call, and then whether a
# small fit still gives the same result.
interrupt_script <- function(path) {
  lines <- c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")), "library(judicious)", "set.seed(1)",
    "say <- function(...) { cat(..., \"\\n\", sep = \"\"); flush(stdout()) }",
    "small <- function() list(coef(pom(mpg > 20 ~ hp, mtcars)), with(list(x = ams_demo), rank_systems(x,",
    "  uniform_gains(x))$mean))",
    "before <- small()",
    unlist(lapply(long_calls, function(call) {
      c("{", deparse(call[[1]]), "}", "say(\"ready\")",
        "outcome <- tryCatch({", deparse(call[[2]]), "\"finished\"", "}, interrupt = function(cnd) \"interrupted\",",
        "  error = function(cnd) paste(\"failed:\", deparse(conditionMessage(cnd))))",
        "say(outcome)", "say(if (identical(small(), before)) \"usable\" else \"spoilt\")")
    }), use.names = FALSE)
  )
  writeLines(lines, path)
}

test_that("ten long computations can be interrupted within 5 seconds, and R remains usable", {
  testthat::skip_on_cran()
  testthat::skip_on_os("windows")
  skip_if_not_installed("processx")
  script <- tempfile(fileext = ".R")
  on.exit(unlink(paste0(script, c("", ".err"))))
  interrupt_script(script)
  process <- processx::process$new(file.path(R.home("bin"), "Rscript"), c("--no-save", script), stdout = "|",
                                   stderr = paste0(script, ".err"))
  on.exit(process$kill(), add = TRUE, after = FALSE)
  said <- character()
  answer <- function(seconds) {
    end <- Sys.time() + seconds
    while (!length(said) && Sys.time() < end) {
      if (!process$is_alive() && !process$is_incomplete_output()) {
        stop("The process ended: ", paste(readLines(paste0(script, ".err")), collapse = "\n"), call. = FALSE)
      }
      process$poll_io(500)
      said <<- c(said, process$read_output_lines())
    }
    first <- c(said, "nothing")[1]
    said <<- said[-1]
    first
  }
  # Measures processor time, so that other load on the machine does not count.
  worked <- function() sum(unlist(process$get_cpu_times()[c("user", "system")]))
  for (kind in names(long_calls)) {
    expect_identical(answer(600), "ready", label = kind)
    Sys.sleep(1)
    before <- worked()
    process$interrupt()
    expect_identical(answer(120), "interrupted", label = kind)
    expect_identical(answer(120), "usable", label = kind)
    # Includes the small fits; the call alone would take a minute or more. After the last call, the process may have
    # ended.
    spent <- tryCatch(worked() - before, ps_error = function(cnd) 0)
    expect_lt(spent, 5, label = kind)
  }
})
