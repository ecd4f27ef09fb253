skip_if_not_installed("RSQLite")

x <- simulate_collection(queries = 4, documents = 60, artists = 10, teams = 2, systems = 3, seed = 4)

recorded <- function(s) {
  judged <- judgments_of(s)
  judged <- judged[order(judged$query, judged$doc, judged$assessor), c("query", "doc", "gain", "assessor")]
  `rownames<-`(judged, NULL)
}

test_that("recovery from an intact file gives the judgments of all assessors, without withdrawn ones", {
  file <- session_file()
  s <- judging_session(x, goal = goal_budget(30), store = file, batch = 3, overlap = 0.3, seed = 1, judgments = FALSE)
  judge_truly(s, 8, "ann")
  judge_truly(s, 6, "bob")
  undo_judgment(s, "ann")
  twice <- judgments_of(s)[1, ]
  judge(s, twice$query, twice$doc, twice$gain, "eve")
  judge(s, twice$query, twice$doc, twice$gain, "lead", final = TRUE)
  before <- recorded(s)
  # Judgments in the write-ahead log are found, too.
  alone <- session_file()
  file.copy(paste0(file, c("", "-wal")), paste0(alone, c("", "-wal")))
  close_session(s)
  for (path in c(file, alone)) {
    said <- tryCatch(recover_session(path), judicious_message_recovered = identity)
    expect_identical(c(said$judged, said$missing), c(nrow(before), 0L))
    again <- suppressMessages(recover_session(path))
    expect_identical(recorded(again), before)
    expect_identical(progress(again)$goal$label, progress(open_session(file))$goal$label)
  }
})

test_that("recovering judgments from fragments of a session file requires the collection", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 8)
  before <- recorded(s)
  close_session(s)
  bytes <- readBin(file, "raw", file.size(file))
  writeBin(replace(bytes, seq_len(100), as.raw(0)), file)
  expect_snapshot(error = TRUE, transform = hide_file, recover_session(file))
  again <- suppressMessages(recover_session(file, x = x, goal = goal_budget(9), seed = 1))
  expect_identical(recorded(again), before)
  writeBin(raw(5000), file)
  expect_snapshot(error = TRUE, transform = hide_file, recover_session(file))
  expect_snapshot(error = TRUE, recover_session("no-such-file"))
})

# With JUDICIOUS_LONG, 200 files are damaged. In November 2026, 83% of all judgments were recovered: 96% to 100% if no
# bytes were removed, and 42% from files cut at a random position.
test_that("at least 60% of judgments are recovered from files with zeroed, random or removed bytes", {
  file <- session_file()
  s <- judging_session(x, store = file, batch = 3, seed = 1, judgments = FALSE)
  judge_truly(s, 40)
  before <- recorded(s)
  close_session(s)
  bytes <- readBin(file, "raw", file.size(file))
  withr::local_seed(1)
  damage <- list(
    cut = function(b) b[seq_len(sample(length(b), 1))],
    zeroed = function(b) replace(b, seq(sample(length(b) - 8192, 1), length.out = 8192), as.raw(0)),
    noise = function(b) {
      at <- sample(length(b), 200)
      replace(b, at, as.raw(sample(0:255, 200, TRUE)))
    },
    shifted = function(b) b[-seq_len(sample(5000, 1))]
  )
  share <- vapply(rep(damage, if (nzchar(Sys.getenv("JUDICIOUS_LONG"))) 50 else 5), function(harm) {
    harmed <- harm(bytes)
    writeBin(harmed, file)
    events <- surviving_events(file)
    # Damaged bytes yield few false events.
    expect_lte(nrow(events), 2000)
    known <- surviving_judgments(x, events)
    ids <- pair_ids(x, known$pair)
    mean(paste(before$query, before$doc) %in% paste(ids$query, ids$doc))
  }, 0)
  by_damage <- tapply(share, names(share), mean)
  expect_gte(min(by_damage[c("zeroed", "noise", "shifted")]), 0.6)
})
