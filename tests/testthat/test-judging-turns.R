test_that("with an overlap, two assessors take turns, and some documents get a second judgment", {
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

test_that("in consensus sessions, equally good assessors take turns, with and without overlap", {
  x <- simulate_collection(queries = 8, documents = 120, artists = 20, systems = 4, scale = gain_scale(0:3), seed = 5)
  truth <- judgments_of(x)
  sources <- list(ann = truth, bob = truth, cleo = truth)
  judged <- function(...) {
    s <- judging_session(x, goal_budget(45), judgments = FALSE, assessor = "consensus", seed = 1, ...)
    run_session(s, sources, progress = FALSE)
    expect_identical(nrow(store_rows(s$engine$store, "slot", list(state = "open"))), 0L)
    judgments_of(s)
  }
  again <- judged(overlap = 0.4)
  # With an overlap of 0.4, 45 judgments cover about 45 / 1.4 documents.
  expect_gt(sum(again$overlap), 6)
  expect_false(anyDuplicated(again[c("query", "doc", "assessor")]) > 0)
  expect_gt(length(unique(again$assessor[again$overlap])), 1)
  expect_identical(as.integer(table(judged()$assessor)), c(15L, 15L, 15L))
  # Functions, which can judge every pair, give the same result as tables.
  gain_of <- function(query, doc) truth$gain[match(paste(query, doc), paste(truth$query, truth$doc))]
  sources <- list(ann = gain_of, bob = gain_of, cleo = gain_of)
  same <- c("query", "doc", "assessor", "gain", "overlap")
  expect_identical(judged(overlap = 0.4)[same], again[same])
})

test_that("an assessor given as a table is asked only for documents in it, and one warning counts the rest", {
  x <- simulate_collection(queries = 8, documents = 120, artists = 20, systems = 4, scale = gain_scale(0:3), seed = 5)
  truth <- judgments_of(x)
  by_query <- split(truth, ifelse(truth$query %in% x$queries$query[1:4], "ann", "bob"))
  for (assessor in c("these", "consensus")) {
    s <- judging_session(x, goal_budget(30), judgments = FALSE, assessor = assessor, audit = 0.3, seed = 1)
    expect_no_warning(run_session(s, by_query, progress = FALSE))
    made <- judgments_of(s)
    expect_identical(made$assessor, ifelse(made$query %in% by_query$ann$query, "ann", "bob"))
    expect_identical(progress(s, expect = FALSE)$skipped, 0L)
    expect_identical(nrow(made), 30L)
  }
  s <- judging_session(x, goal_budget(30), judgments = FALSE, seed = 1)
  less <- list(ann = by_query$ann[-1, ], bob = by_query$bob[-(1:2), ])
  warned <- rlang::catch_cnd(run_session(s, less, progress = FALSE), "judicious_warning_incomplete_judgments")
  expect_identical(warned$missing, 3L)
  # If one assessor can judge every document, no document is left out.
  everything <- function(query, doc) 1
  s <- judging_session(x, goal_budget(30), judgments = FALSE, seed = 1)
  expect_no_warning(run_session(s, c(less, cleo = everything), progress = FALSE))
  expect_error(suppressWarnings(run_session(s, list(ann = truth, bob = data.frame(query = "q", doc = "d", gain = 0)))),
               "truth\\$bob")
})

test_that("print() states the number of judgments and of judged documents", {
  x <- simulate_collection(queries = 8, documents = 120, artists = 20, systems = 4, scale = gain_scale(0:3), seed = 5)
  truth <- judgments_of(x)
  s <- judging_session(x, goal_budget(40), judgments = FALSE, overlap = 0.5, seed = 1)
  run_session(s, list(ann = truth, bob = truth), progress = FALSE)
  text <- sprintf("40 judgments of %d documents", sum(!judgments_of(s)$overlap))
  expect_output(print(s), paste("Judging session:", text, "of a pool"))
  expect_output(print(rank_systems(s)), paste("with", text))
  expect_match(session_picture(s)$subtitle, text)
  expect_match(ranking_subtitle(rank_systems(s)), text)
})
