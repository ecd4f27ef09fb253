# The main functions in a library that contains only the packages of Imports.

# The packages on which `package` depends, directly and indirectly.
hard_dependencies <- function(package) {
  found <- character()
  ahead <- package
  while (length(ahead)) {
    found <- c(found, ahead)
    fields <- unlist(utils::packageDescription(ahead[1])[c("Depends", "Imports")])
    names <- trimws(sub("\\(.*", "", unlist(strsplit(fields %||% "", ","))))
    ahead <- unique(c(ahead[-1], setdiff(names[nzchar(names)], c("R", found))))
  }
  found
}

test_that("ranking, judging, fitting and testing work without suggested packages; plots may need them", {
  skip_on_covr()
  skip_on_os("windows")
  home <- find.package("judicious")
  skip_if_not(file.exists(file.path(home, "Meta", "package.rds")), "the package is not installed")
  base <- rownames(utils::installed.packages(.Library, priority = "base"))
  library <- new_folder()
  for (package in union(hard_dependencies("judicious"), base)) {
    expect_true(file.symlink(find.package(package), file.path(library, package)))
  }
  script <- file.path(library, "main-job.R")
  writeLines(c(
    sprintf("assign('.lib.loc', '%s', envir = environment(.libPaths))", library),
    "library(judicious)",
    "x <- simulate_collection(queries = 10, documents = 200, artists = 20, systems = 5, seed = 1)",
    "model <- mirex_model('output', 'fine')",
    "gains <- gain_distribution(model, output_features(x))",
    "ranking <- rank_systems(x, gains)",
    "session <- mtc(x, judgments_of(x), model, mirex_model('judge', 'fine'), confidence = 0.9, progress = FALSE)",
    "joint <- rank_systems(x, joint_gains(x, judgments = judgments_of(x)[1:30, ]))",
    "fit <- pom(gear ~ wt + qsec, mtcars)",
    "scores <- evaluate(x, judgments_of(x), 'AG@5')",
    "compared <- compare_systems(scores)",
    "grDevices::pdf(NULL)",
    "for (shown in list(ranking, session, joint, fit, scores, compared)) {",
    "  utils::capture.output(print(shown))",
    "  tryCatch(plot(shown), judicious_error_missing_package = function(e) NULL)",
    "}",
    "cat(requireNamespace('ggplot2', quietly = TRUE), nrow(system_differences(ranking)), 'done\\n')"
  ), script)
  # R_TESTS names a file of R CMD check that other processes cannot find.
  out <- withr::with_envvar(c(R_TESTS = "", R_LIBS = NA, R_LIBS_USER = NA), suppressWarnings(
    system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = TRUE, stderr = TRUE)
  ))
  expect_identical(utils::tail(out, 1), "FALSE 10 done")
})
