# Judgments by several assessors, who may disagree, in sessions, plans, rankings and evaluations.

runs <- data.frame(system = rep(c("A", "B"), each = 12), query = rep(paste0("q", 1:3), each = 4, times = 2),
                   doc = c(rep(c("a", "b", "c", "d"), 3), rep(c("c", "e", "a", "f"), 3)), rank = rep(1:4, 6))
x <- test_collection(runs, k = 4, scale = 0:3)

# Judgments of the documents a and b of query q1 by two assessors.
raters <- function(ann, bob, names = c("ann", "bob")) {
  data.frame(query = "q1", doc = rep(c("a", "b"), 2), gain = c(ann, bob), assessor = rep(names, each = 2))
}
shown <- c("query", "doc", "gain", "assessor")

# Variants of these judgments: one level apart, with a mean between levels, far apart, equal, different for one document
# only, and with unusual names of assessors.
variants <- list(raters(c(2, 1), c(1, 0)), raters(c(3, 0), c(0, 3)), raters(c(2, 2), c(2, 2)), raters(c(1, 2), c(1, 3)),
                 raters(c(0, 1), c(3, 2), c("1", "02")), raters(c(3, 3), c(2, 1), c("M\u00fcller, A.", "b c")))

test_that("a session starts from judgments of assessors who disagree, and keeps their names", {
  for (given in variants) {
    s <- judging_session(x, judgments = given, seed = 1)
    expect_identical(judgments_of(s)[shown], given)
    expect_identical(judgments_of(s)$overlap, rep(c(FALSE, TRUE), each = 2))
    gains <- combined_judgments(assessor_record(x, given), n_pairs(x), x$scale)$gain
    expect_equal(refresh(s$engine)$gain, gains)
    # The judgments come from a file, from a session, or from a session given as the collection.
    for (source in list(table_file(given), s)) {
      expect_identical(judgments_of(judging_session(x, judgments = source, seed = 1))[shown], given)
    }
    expect_identical(judgments_of(judging_session(s, seed = 1))[shown], given)
    expect_equal(rank_systems(x, judgments = table_file(given))$mean, rank_systems(x, judgments = given)$mean)
    plans <- lapply(list(given, table_file(given)), function(j) {
      judging_plan(x, goal_budget(3), judgments = j, replicates = 2, seed = 1)$needed
    })
    expect_identical(plans[[1]], plans[[2]])
  }
})

test_that("initial judgments without an assessor are labelled earlier judgments, and final ones stay final", {
  given <- raters(c(2, 1), c(1, 0), c("ann", NA))
  s <- judging_session(x, judgments = given, seed = 1)
  expect_identical(judgments_of(s)$assessor, rep(c("ann", "earlier judgments"), each = 2))
  none <- judging_session(x, judgments = given[1:2, c("query", "doc", "gain")], seed = 1)
  expect_identical(judgments_of(none)$assessor, rep("earlier judgments", 2))
  judge(s, "q1", "a", 3, "eva", final = TRUE)
  again <- judging_session(x, judgments = s, seed = 1)
  expect_identical(sort(judgments_of(again)$assessor), sort(judgments_of(s)$assessor))
  expect_equal(refresh(again$engine)$gain, refresh(s$engine)$gain)
})

test_that("errors about judgments of several assessors quote the original gains", {
  off <- raters(c(2, 1), c(7, 0))
  twice <- rbind(variants[[1]], data.frame(query = "q1", doc = "a", gain = 0, assessor = "ann"))
  expect_snapshot(error = TRUE, {
    judging_session(x, judgments = off)
    judging_session(x, judgments = twice)
    judging_session(x, judgments = variants[[1]][1:3])
    evaluate(runs, variants[[1]], "P@2")
    judging_plan(x, goal_budget(3), judgments = off)
  })
})

test_that("several assessors may judge a document, also without overlap and after reopening", {
  skip_if_not_installed("RSQLite")
  store <- withr::local_tempfile(fileext = ".sqlite")
  s <- judging_session(x, store = store, seed = 1, judgments = FALSE)
  for (i in 1:4) judge(s, "q1", "a", i - 1, letters[i])
  expect_identical(judgments_of(s)$gain, c(0, 1, 2, 3))
  expect_identical(judgments_of(s)$overlap, c(FALSE, TRUE, TRUE, TRUE))
  expect_identical(progress(s)$judged, 1L)
  expect_error(judge(s, "q1", "a", 1, "c"), class = "judicious_error_already_judged")
  undo_judgment(s, "c")
  mean <- rank_systems(s)$mean
  close_session(s)
  s <- open_session(store)
  expect_identical(judgments_of(s)$assessor, c("a", "b", "d"))
  expect_identical(rank_systems(s)$mean, mean)
  judge(s, "q1", "a", 2, "c")
  expect_setequal(judgments_of(s)$assessor, letters[1:4])
  close_session(s)
})

test_that("evaluate() combines assessors by the given rule, as combining their judgments first would", {
  given <- data.frame(query = "q1", doc = rep(c("a", "b", "c"), each = 3), gain = c(0, 1, 1, 2, 2, 0, 0, 3, 1),
                      assessor = rep(c("ann", "bob", "cy"), 3))
  by_hand <- list(mean = c(2, 4, 4) / 3, median = c(1, 2, 1), majority = c(1, 2, 0))
  for (rule in names(by_hand)) {
    one <- data.frame(query = "q1", doc = c("a", "b", "c"), gain = by_hand[[rule]])
    expected <- evaluate(runs, one, c("AG@2", "P@2"))$value
    expect_equal(evaluate(runs, given, c("AG@2", "P@2"), combine = rule)$value, expected)
    expect_equal(evaluate(runs, table_file(given), c("AG@2", "P@2"), combine = rule)$value, expected)
    told <- cli_data("evaluate", table_file(runs), "-j", table_file(given), "-M", "AG@2,P@2", "--combine", rule,
                     "--per", "query")
    expect_equal(told$value, expected)
  }
  compared <- function(...) cli_data("compare", table_file(runs), "-j", ..., "-M", "AG@2")
  one <- data.frame(query = "q1", doc = c("a", "b", "c"), gain = by_hand$median)
  both <- function(d) rbind(d, transform(d, query = "q2", doc = rev(doc)))
  expect_equal(compared(table_file(both(given)), "--combine", "median"), compared(table_file(both(one))))
})

test_that("rank, plan, next and judge accept judgments of several assessors, and errors name the remedies", {
  skip_if_not_installed("RSQLite")
  junk <- raters(c(-2, 1), c(-2, 1))[1:2, 1:3]
  files <- list(runs = table_file(runs), two = table_file(variants[[1]]), junk = table_file(junk))
  options <- c(files$runs, "--scale", "0:3", "-k", "4")
  ranked <- cli_data("rank", options, "-j", files$two)
  expected <- as.data.frame(rank_systems(x, judgments = variants[[1]]))
  expect_equal(ranked$estimate, expected$estimate)
  for (command in c("plan", "next")) {
    expect_identical(cli(command, options, "-j", files$two, "--seed", "1")$status, 0L)
  }
  store <- withr::local_tempfile(fileext = ".sqlite")
  expect_identical(cli_data("judge", options, "-j", files$two, "--store", store, "--progress")$judged, 2L)
  from <- data.frame(query = "q2", doc = c("a", "b", "b", "c"), gain = c(1, 2, 0, 3),
                     assessor = c("ann", "bob", "cy", ""))
  for (i in 1:2) told <- cli("judge", "--store", store, "--from", table_file(from), "--as", "dee")
  expect_match(told$err, "4 judgments of .* are in the session already", all = FALSE)
  s <- open_session(store)
  made <- judgments_of(s)
  close_session(s)
  expect_identical(made$assessor[made$query == "q1"], variants[[1]]$assessor)
  expect_identical(made$assessor[made$query == "q2"], c("ann", "bob", "cy", "dee"))
  expect_snapshot(transform = hide_paths, {
    writeLines(cli("evaluate", files$runs, "-j", files$two)$err)
    writeLines(cli("compare", files$runs, "-j", files$two)$err)
    writeLines(cli("rank", options, "-j", files$junk)$err)
    writeLines(cli("judge", "--store", store, "--assessor", "ann", "--progress")$err)
  })
  zero <- cli_data("rank", options, "-j", files$junk, "--negative", "zero")
  expected <- rank_systems(x, judgments = transform(junk, gain = pmax(gain, 0)))
  expect_equal(zero$estimate, as.data.frame(expected)$estimate)
})
