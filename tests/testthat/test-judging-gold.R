# Right answers in collections and sessions.

questions <- function() {
  data.frame(model = rep(c("A", "B", "C"), each = 3), id = rep(c("q1", "q2", "q3"), 3),
             answer = c("10,800", "Paris", "4", "10800.0", "paris", "5", "9", "Paris", "4 "),
             gold = rep(c("10800", "Paris", "4"), 3))
}
quiet_gold <- function(...) suppressMessages(read_answers(...), classes = "judicious_message_answers")

test_that("numbers and texts that differ in format only are the same answer", {
  same <- c("10800.0" = "10,800", "1e3" = "1000", "-5" = "\u22125", "+5" = "5", " Paris\n" = "Paris", "0" = "-0.00",
            ".5" = "0.50", "007" = "7", "1.5E-3" = "0.0015", "1,234.5" = "1234.50", "x" = "y\n\nx", "a\n\nb" = "a\n\nb")
  expect_identical(same_answer(names(same), unname(same)), rep(TRUE, length(same)))
  other <- c("a" = "A", "12345678901234567891" = "12345678901234567890", "." = "0", "1.234,5" = "1234.5",
             "12,34" = "1234", "5%" = "5", "-" = "0", "1 000" = "1000")
  expect_identical(same_answer(names(other), unname(other)), rep(FALSE, length(other)))
})

test_that("right answers given in a column, a table or a file judge all answers", {
  d <- questions()
  x <- quiet_gold(d, gold = "gold")
  gains <- c(A = 1, B = 1 / 3, C = 2 / 3)
  means <- function(x) {
    known <- as.data.frame(x)
    c(tapply(known$gain, known$system, mean))
  }
  expect_equal(means(x), gains)
  expect_identical(x$queries$gold, c("10800", "Paris", "4"))
  key <- unique(d[c("id", "gold")])
  same <- function(...) expect_identical(quiet_gold(..., query = "id"), x)
  same(d[-4], gold = key)
  path <- withr::local_tempfile(fileext = ".csv")
  write.csv(data.frame(question = key$id, extra = 1, target = key$gold), path, row.names = FALSE)
  same(d[-4], gold = path)
  # Right answers in a separate file, for several files whose columns have different names.
  folder <- withr::local_tempdir()
  parts <- file.path(folder, c("one.csv", "two.csv"))
  write.csv(d[1:3, -4], parts[1], row.names = FALSE)
  write.csv(stats::setNames(d[4:9, c(1:3)], c("system", "id", "response")), parts[2], row.names = FALSE)
  same(parts, gold = path)
  write.csv(data.frame(id = key$id, gold = key$gold), path, row.names = FALSE)
  write.csv(cbind(d[1:3, -4], gold = "none"), parts[1], row.names = FALSE)
  same(parts, gold = path)
  # If there are right answers, ratings and other scores are ignored.
  expect_identical(quiet_gold(cbind(d, rating = 3, score = 1:9), gold = "gold")$gain, x$gain)
  # One column per system.
  wide <- data.frame(id = key$id, A_answer = d$answer[1:3], B_answer = d$answer[4:6], C_answer = d$answer[7:9],
                     correct_answer = key$gold)
  expect_equal(means(quiet_gold(wide, gold = "correct_answer")), gains)
  # Right answers are matched by the texts of the questions; a question without one is not judged.
  by_text <- transform(d[-4], question = paste("Say", id))
  x <- quiet_gold(by_text, gold = data.frame(question = c("Say q1", "Say q2", "Say q9"), gold = c("10800", "", "x")))
  expect_identical(tapply(!is.na(x$gain), x$queries$query[x$pool$query], all), array(c(TRUE, FALSE, FALSE),
    dimnames = list(c("q1", "q2", "q3"))))
  # A custom function compares answers.
  loose <- quiet_gold(d, gold = "gold", match = function(answer, gold) tolower(answer) == gold | nchar(answer) == 2)
  expect_equal(means(loose), c(A = 1 / 3, B = 0, C = 1 / 3))
})

test_that("errors about right answers name the column, the row or the file", {
  d <- questions()
  expect_snapshot(error = TRUE, {
    read_answers(transform(d, rating = 1), gain = "rating", gold = "gold")
    read_answers(d, match = identical)
    quiet_gold(d, gold = "nothing")
    quiet_gold(d, gold = data.frame(id = "q9", gold = "a"))
    quiet_gold(d, gold = data.frame(x = 1))
    quiet_gold(transform(d, gold = seq_along(gold)), gold = "gold")
    quiet_gold(d, gold = "gold", match = function(answer, gold) "yes")
    quiet_gold(d[-3], gold = "gold")
  })
  told <- expect_message(read_answers(d), class = "judicious_message_answers")
  expect_match(conditionMessage(told), "gold = \"gold\"")
})

gold_session <- function(store = NULL, ...) {
  x <- quiet_gold(questions()[-4], scale = 0:1)
  judging_session(x, store = store, seed = 1, judgments = FALSE, ...)
}

test_that("a right answer is recorded as one judgment of a session, and undone as one", {
  s <- gold_session(cost = judging_cost(2))
  before <- as.data.frame(rank_systems(s))
  judge(s, query = c("q1", "q2"), gold = c(10800, NA), assessor = "ann")
  known <- judgments_of(s)
  expect_identical(known$query, rep("q1", 3))
  expect_equal(known$gain[match(pool_ids(s$engine$x)$doc[1:3], known$doc)], s$engine$gain[1:3])
  expect_identical(sum(known$gain), 2)
  events <- store_rows(s$engine$store, "event")
  expect_identical(sum(events$kind == "gold"), 1L)
  expect_identical(sum(events$kind == "judge"), 0L)
  p <- progress(s)
  expect_identical(c(p$judged, p$goal$judgments, p$assessors$cost), c(3, 1, 2))
  expect_identical(tail(as.data.frame(s)$cost, 1), 2)
  # Recording the same right answer again changes nothing.
  judge(s, query = "q1", gold = "10,800.00", assessor = "ann")
  expect_identical(sum(store_rows(s$engine$store, "event")$kind == "gold"), 1L)
  expect_error(judge(s, query = "q1", gold = "9", assessor = "ann"), class = "judicious_error_already_judged")
  undo_judgment(s, "ann")
  expect_identical(nrow(judgments_of(s)), 0L)
  expect_identical(as.data.frame(rank_systems(s)), before)
  # Undoing the judgment of one answer undoes the whole question, whose answers can then be judged singly.
  judge(s, query = "q1", gold = "9", assessor = "ann")
  undo_judgment(s, "ann", known$query[1], known$doc[1])
  expect_identical(nrow(judgments_of(s)), 0L)
  judge(s, known$query, known$doc, known$gain, "ann")
  expect_identical(nrow(judgments_of(s)), 3L)
})

test_that("a right answer is compared with the final judgment of an assessor, which replaces his or her first one", {
  s <- gold_session()
  docs <- pool_ids(s$engine$x)[1:3, ]
  judge(s, docs$query[1], docs$doc[1], 0, "ann")
  judge(s, docs$query[1], docs$doc[1], 1, "ann", final = TRUE)
  judge(s, query = "q1", gold = "10800", assessor = "ann")
  known <- judgments_of(s)
  known <- known[!known$overlap, ]
  expect_identical(known$gain[match(docs$doc, known$doc)], c(1, 1, 0))
})

test_that("judging by a right answer equals judging each answer, also after the session is reopened", {
  skip_if_not_installed("RSQLite")
  store <- withr::local_tempfile(fileext = ".sqlite")
  s <- gold_session(store)
  judge(s, query = "q2", gold = "a\tb%09\n\nParis", assessor = "ann")
  judge(s, query = "q3", gold = "4", match = function(answer, gold) grepl("4", answer), assessor = "ann")
  one_by_one <- gold_session()
  known <- judgments_of(s)
  judge(one_by_one, known$query, known$doc, known$gain, "ann")
  expect_equal(as.data.frame(rank_systems(s)), as.data.frame(rank_systems(one_by_one)), tolerance = 1e-9)
  ranked <- as.data.frame(rank_systems(s))
  trace <- as.data.frame(s)
  # Another assessor holds an answer to the question; and a session is recovered from a copy of its file.
  held <- gold_session()
  next_documents(held, 9, "bob")
  judge(held, query = "q2", gold = "a\tb%09\n\nParis", assessor = "ann")
  expect_identical(nrow(judgments_of(held)), 2L)
  expect_false(anyNA(judgments_of(held)$audit))
  copy <- backup_session(s, withr::local_tempfile(fileext = ".sqlite"))
  again <- suppressMessages(recover_session(copy))
  expect_identical(judgments_of(again)[1:4], known[1:4])
  close_session(s)
  s <- open_session(store)
  expect_identical(judgments_of(s), known)
  expect_equal(as.data.frame(rank_systems(s)), ranked, tolerance = 1e-9)
  expect_equal(as.data.frame(s), trace, tolerance = 1e-9)
  expect_false(any(next_documents(s, 9, "cid")$query %in% c("q2", "q3")))
  # Added answers to questions with a known right answer are judged by it, unless a custom function compares answers.
  more <- data.frame(model = "D", id = c("q1", "q2", "q3"), answer = c("1", "Rome", "44"))
  suppressMessages(add_runs(s, quiet_gold(more, scale = 0:1)))
  made <- judgments_of(s)
  made <- made[!made$doc %in% known$doc, ]
  expect_identical(c(made$query, made$gain, made$assessor), c("q2", "0", "ann"))
  copy <- backup_session(s, withr::local_tempfile(fileext = ".sqlite"))
  again <- open_session(copy)
  expect_identical(judgments_of(again), judgments_of(s))
  close_session(again)
  close_session(s)
})

test_that("errors about right answers in a session name the question", {
  s <- gold_session()
  expect_snapshot(error = TRUE, {
    judge(s, query = "q1", doc = "x", gold = "1")
    judge(s, query = c("q1", "q2"), gold = "1")
    judge(s, query = "q9", gold = "1")
    judge(s, query = c("q1", "q1"), gold = c("1", "2"))
    judge(s, query = "q1", gold = TRUE)
    judge(judging_session(simulate_collection(queries = 5, documents = 50, artists = 9, systems = 3, seed = 1),
                          judgments = FALSE), query = "1", gold = "1")
  })
})

test_that("a session with right answers selects whole questions", {
  set.seed(1)
  d <- expand.grid(model = LETTERS[1:6], id = paste0("q", 1:12), stringsAsFactors = FALSE)
  d$answer <- as.character(sample(4, nrow(d), TRUE, prob = c(6, 2, 1, 1)))
  x <- quiet_gold(d, scale = 0:1)
  control <- session_control(batch = Inf, same_query = TRUE, audit = 0, update_every = Inf)
  s <- judging_session(x, goal_mean(0.999), seed = 1, control = control)
  best <- function(known) {
    select_documents(joint_gains(x, judgments = known), n = Inf, same_query = TRUE, goal = goal_mean(0.999))$query[1]
  }
  # All answers to a question are assigned until its right answer is recorded.
  first <- next_documents(s, 1)$query
  expect_identical(first, best(FALSE))
  answers <- length(unique(d$answer[d$id == first]))
  expect_identical(unique(next_documents(s, answers)$query), first)
  expect_identical(nrow(store_rows(s$engine$store, "slot")), answers)
  judge(s, first, gold = "1")
  second <- next_documents(s, 1)$query
  expect_false(second == first)
  states <- table(store_rows(s$engine$store, "slot")$state)
  expect_identical(c(states), c(judged = answers, leased = 1L, open = length(unique(d$answer[d$id == second])) - 1L))
  expect_error(session_control(batch = Inf), "batch", class = "judicious_error_argument")
  skip_if_not_installed("RSQLite")
  path <- withr::local_tempfile(fileext = ".sqlite")
  close_session(judging_session(x, goal_mean(0.999), seed = 1, control = control, store = path))
  again <- open_session(path)
  expect_identical(next_documents(again, 1)$query, first)
  close_session(again)
})
