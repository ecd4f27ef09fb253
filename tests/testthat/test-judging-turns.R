test_that("with an overlap, several sources take turns, and documents get a second judgment", {
  truth <- judgments_of(ams_demo)
  session <- judging_session(ams_demo, goal_budget(40), judgments = FALSE, overlap = 0.5, seed = 1)
  run_session(session, list(ann = truth, bob = truth), progress = FALSE)
  file <- withr::local_tempfile(fileext = ".csv")
  export_judgments(session, file, "csv")
  judged <- utils::read.csv(file)
  expect_identical(as.integer(table(judged$assessor)[c("ann", "bob")]), c(20L, 20L))
  twice <- judged[duplicated(judged[c("query", "doc")]), ]
  expect_gt(nrow(twice), 5)
  expect_false(anyDuplicated(judged[c("query", "doc", "assessor")]) > 0)
})
