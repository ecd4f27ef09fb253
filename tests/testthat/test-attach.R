# Attaching the package together with packages that its users attach.

test_that("attaching the package masks no function of base R, testthat, generics, ordinal or nlme", {
  skip_on_covr()
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    "suppressMessages(library(judicious))",
    "beside <- c('base', 'datasets', 'graphics', 'grDevices', 'grid', 'methods', 'parallel', 'splines', 'stats',",
    "            'stats4', 'tools', 'utils', 'testthat', 'generics', 'ordinal', 'nlme')",
    "for (package in Filter(function(p) requireNamespace(p, quietly = TRUE), beside)) {",
    "  theirs <- if (package == 'base') ls(baseenv()) else getNamespaceExports(package)",
    "  shared <- intersect(ls('package:judicious'), theirs)",
    "  same <- vapply(shared, function(name) {",
    "    identical(get(name, 'package:judicious'), getExportedValue(package, name))",
    "  }, NA)",
    "  cat(sprintf('%s::%s\\n', package, shared[!same]), sep = '')",
    "}",
    "cat('compared\\n')"
  ))
  out <- withr::with_envvar(c(R_TESTS = ""), suppressWarnings(
    system2(file.path(R.home("bin"), "Rscript"), c("--vanilla", shQuote(script)), stdout = TRUE, stderr = TRUE)
  ))
  expect_identical(out, "compared")
})
