# The tests of the C++ core (tests/cpp, Catch2), each as one expectation. tools/check runs them under sanitizers before
# R CMD check, so here they run only on request: JUDICIOUS_CORE_TESTS is a regular expression of the programs to run,
# "." for all.

test_that("the C++ tests of the core pass", {
  wanted <- Sys.getenv("JUDICIOUS_CORE_TESTS")
  skip_if_not(nzchar(wanted), "CORE NOT TESTED: set JUDICIOUS_CORE_TESTS to \".\" (tools/check tests it by itself)")
  folder <- normalizePath(project_file("tests/cpp"), mustWork = FALSE)
  skip_if_not(dir.exists(folder), "CORE NOT TESTED: tests/cpp is not beside the tests")
  skip_if_not(all(nzchar(Sys.which(c("cmake", "ctest", "make")))), "CORE NOT TESTED: it needs cmake and make")
  skip_if_not_installed("RcppEigen")
  programs <- grep(wanted, sub("[.]cpp$", "", list.files(folder, "^test_.*[.]cpp$")), value = TRUE)
  expect_gt(length(programs), 0)
  build <- new_folder()
  run <- function(command, ...) suppressWarnings(system2(command, shQuote(c(...)), stdout = TRUE, stderr = TRUE))
  with_ccache <- if (nzchar(Sys.which("ccache"))) "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"
  configured <- run("cmake", "-S", folder, "-B", build, "-DJUDICIOUS_SANITIZE=OFF", "-DJUDICIOUS_UNITS=OFF",
                    paste0("-DEIGEN_INCLUDE=", system.file("include", package = "RcppEigen")), with_ccache)
  skip_if(any(grepl("Catch2", configured)) && !is.null(attr(configured, "status")), "CORE NOT TESTED: no Catch2")
  built <- run("cmake", "--build", build, "-j", "2", "--target", programs)
  expect_null(attr(built, "status"), info = paste(utils::tail(built, 20), collapse = "\n"))
  for (program in programs) {
    told <- run(file.path(build, program))
    expect_null(attr(told, "status"), info = paste(c(program, utils::tail(told, 30)), collapse = "\n"))
    expect_match(paste(told, collapse = " "), "All tests passed", info = program)
  }
})
