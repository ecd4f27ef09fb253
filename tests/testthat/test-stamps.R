# Figures in README, help and vignettes come from the current version of the models, or the documents say that they do
# not.

skip_if_not(file.exists(project_file("vignettes/articles/stamps.R")), "the articles are not beside the tests")
stamping <- new.env()
sys.source(project_file("vignettes/articles/stamps.R"), stamping)
root <- dirname(dirname(dirname(project_file("vignettes/articles/stamps.R"))))

test_that("the package reproduces the stored reference results", {
  change <- stamping$behaviour_change(stamping$stored_behaviour(root))
  expect_identical(names(change), c("belief", "ordinal", "published"))
  expect_lt(max(change), 1e-6)
})

test_that("exactly the stored results and the scripts of figures in prose have a version stamp", {
  figures <- stamping$stamped_figures(root)
  stamps <- stamping$stored_stamps(root)
  named <- nzchar(figures$script)
  key <- function(table) paste(table$result, table$script)
  expect_setequal(key(stamps)[grepl("[.](md|Rd|Rmd)$", stamps$result)], key(figures[named, ]))
  expect_setequal(stamps$result[grepl("/results/", stamps$result)], figures$result[!named])
  expect_true(all(file.exists(file.path(root, stamps$script))))
})

test_that("results from another version of the models are listed as stale, and their documents say so", {
  stamps <- stamping$stored_stamps(root)
  other <- grepl("other (belief|ordinal|published)", stamping$stale_reasons(root, stamps))
  expect_identical(stamps$result[other], stamps$result[nzchar(stamps$stale)])
  for (document in grep("[.](md|Rd|Rmd)$", unique(stamps$result), value = TRUE)) {
    expect_setequal(stamping$stale_scripts_in(root, document), stamps$script[other & stamps$result == document])
  }
})

test_that("changed estimates, variances or selected documents change the stamp, and rounding errors do not", {
  stored <- stamping$stored_behaviour(root)
  for (row in c(1, which(grepl("chosen", stored$name))[3], which(stored$part == "ordinal")[2])) {
    changed <- stored
    changed$value[row] <- changed$value[row] * 1.001 + 0.001
    part <- stored$part[row]
    expect_gt(stamping$behaviour_change(stored, changed)[[part]], 1e-6)
    expect_false(stamping$behaviour_ids(changed)[[part]] == stamping$behaviour_ids(stored)[[part]])
    changed$value[row] <- stored$value[row] * (1 + 1e-10)
    expect_identical(stamping$behaviour_ids(changed), stamping$behaviour_ids(stored))
  }
})
