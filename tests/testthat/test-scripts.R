# Scripts of bench/, data-raw/ and the articles call functions of the package that are not exported.

skip_if_not(file.exists(project_file("bench/common.R")), "the scripts are not beside the tests")

# The calls in `code` of functions of the package, as `judicious:::name(...)` or `ours$name(...)`.
package_calls <- function(code) {
  if (!is.call(code) && !is.expression(code)) return(list())
  called <- if (is.call(code)) code[[1]]
  of_package <- is.call(called) && list(called[1:2]) %in% list(quote(judicious:::f)[1:2], quote(ours$f)[1:2])
  parts <- Filter(function(part) !identical(part, quote(expr = )), as.list(code))
  c(if (of_package) list(code), unlist(lapply(parts, package_calls), recursive = FALSE))
}

wrong_call <- function(call) {
  name <- as.character(call[[1]][[3]])
  package <- asNamespace("judicious")
  if (!exists(name, package)) return(paste("there is no", name))
  tryCatch({
    match.call(get(name, package), call)
    NULL
  }, error = function(cnd) paste0(name, ": ", conditionMessage(cnd)))
}

test_that("scripts call the package's functions by names and arguments that they have", {
  folders <- project_file(c("bench", "data-raw", "vignettes/articles"))
  scripts <- list.files(folders, "[.]R$", full.names = TRUE)
  wrong <- lapply(scripts, function(script) unlist(lapply(package_calls(parse(script)), wrong_call)))
  expect_identical(Filter(length, stats::setNames(wrong, basename(scripts))), stats::setNames(list(), character()))
  expect_identical(wrong_call(quote(judicious:::n_pairs(x, 1))), "n_pairs: unused argument (1)")
  expect_identical(wrong_call(quote(ours$nothing(x))), "there is no nothing")
})
