source(test_path("reference", "trec-reference.R"), local = TRUE)
source(test_path("reference", "measure-reference.R"), local = TRUE)

test_that("the measures of ir_measures, cwl_eval and ranx have the values of their definitions", {
  # bench/measures.R does this for 10,000 lists.
  set.seed(19)
  differences <- do.call(rbind, lapply(1:4, function(i) measure_differences(random_measure_case())))
  expect_gt(nrow(differences), 4 * 10 * 35)
  expect_identical(unique(differences$measure[!(differences$difference < 1e-12)]), character())
})
