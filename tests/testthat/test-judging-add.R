grown_case <- function() {
  all <- simulate_collection(queries = 6, documents = 100, artists = 15, systems = 5, seed = 4)
  runs <- as.data.frame(all)[c("system", "query", "doc", "rank")]
  late <- runs$system == "S05"
  last <- runs$query == tail(all$queries$query, 1)
  list(all = all, runs = runs, late = late, last = last,
       x = test_collection(runs[!late & !last, ], all$documents, all$systems[all$systems$system != "S05", ], k = 5))
}

# A session with some judgments to which a run and then a query are added.
grown_session <- function(case, store = NULL, ...) {
  s <- judging_session(case$x, goal = goal_budget(25), store = store, seed = 1, ..., judgments = FALSE)
  run_session(s, judgments_of(case$all))
  add_runs(s, case$runs[case$late & !case$last, ], case$all$documents, case$all$systems)
  set_goal(s$engine, goal_budget(35))
  run_session(s, judgments_of(case$all))
  add_queries(s, case$runs[case$last, ], documents = case$all$documents)
}

test_that("a session continues after a run and a query are added", {
  case <- grown_case()
  s <- judging_session(case$x, goal = goal_budget(25), seed = 1, judgments = FALSE)
  suppressWarnings(run_session(s, judgments_of(case$all)))
  before <- judgments_of(s)
  expect_identical(add_runs(s, case$runs[case$late & !case$last, ], case$all$documents, case$all$systems), s)
  expect_identical(judgments_of(s), before)
  expect_equal(nrow(rank_systems(s)$covariance), 5)
  add_queries(s, case$runs[case$last, ], documents = case$all$documents)
  expect_identical(judgments_of(s), before)
  # The ranking equals that of a collection built from all runs, with these judgments.
  whole <- test_collection(rbind(case$runs[!case$late & !case$last, ], case$runs[case$late & !case$last, ],
                                 case$runs[case$last, ]), case$all$documents, case$all$systems, k = 5)
  refit(refresh(s$engine))
  once <- rank_systems(whole, joint_gains(whole, gain_prior(), judgments = before))
  expect_equal(rank_systems(s)[c("mean", "covariance")], once[c("mean", "covariance")], tolerance = 1e-5)
  # Documents of the new run and of the new query are assigned and judged.
  set_goal(s$engine, goal_budget(90))
  run_session(s, judgments_of(case$all))
  judged <- judgments_of(s)
  expect_equal(nrow(judged), 90)
  expect_true(tail(case$all$queries$query, 1) %in% judged$query)
  expect_false(all(paste(judged$query, judged$doc) %in% with(case$runs[!case$late, ], paste(query, doc))))
  expect_equal(as.data.frame(s)$judged[26:28], c(25, 25, 25))
  expect_match(capture.output(print(s)), "added +1 system, [0-9]+ documents to judge", all = FALSE)
})

test_that("runs added to a stored session are present after reopening, and at once in other open sessions", {
  case <- grown_case()
  file <- withr::local_tempfile(fileext = ".sqlite")
  s <- judging_session(case$x, goal = goal_budget(60), store = file, seed = 1, batch = 3, judgments = FALSE)
  run_session(s, function(query, doc) if (nrow(judgments_of(s)) < 22) 30 else NULL)
  other <- open_session(file)
  leased <- next_documents(other, 2, "ann")
  progress(other, expect = FALSE)
  add_runs(s, case$runs[case$late & !case$last, ], case$all$documents, case$all$systems)
  # The other session takes over the added run, and keeps its leases.
  new <- setdiff(paste(pool_ids(s$engine$x)$query, pool_ids(s$engine$x)$doc), paste(pool_ids(case$x)$query,
                                                                              pool_ids(case$x)$doc))[1]
  ids <- strsplit(new, " ")[[1]]
  judge(other, ids[1], ids[2], 70, "ann")
  judge(other, leased$query, leased$doc, c(10, 20), "ann")
  expect_equal(nrow(judgments_of(s)), 25)
  expect_equal(rank_systems(other)[c("mean", "covariance")], rank_systems(s)[c("mean", "covariance")])
  add_queries(other, case$runs[case$last, ], documents = case$all$documents)
  ask <- next_documents(s, 3)
  expect_false(anyNA(ask$doc))
  undo_judgment(other, "ann")
  trace <- as.data.frame(s)
  mean <- rank_systems(s)$mean
  events <- store_rows(s$engine$store, "event", list(kind = "add"))
  expect_match(events$detail, "^1 (system|query), [0-9]+ documents to judge$")
  close_session(s)
  close_session(other)
  again <- open_session(file)
  expect_identical(rank_systems(again)$mean, mean)
  expect_identical(as.data.frame(again), trace)
  # Without the stored trace, the session is rebuilt from the log alone.
  DBI::dbExecute(again$engine$store$state$connection, "DELETE FROM trace")
  again$engine$seen <- NULL
  expect_equal(as.data.frame(again), trace)
  expect_identical(rank_systems(again)$mean, mean)
  expect_equal(nrow(judgments_of(again)), 24)
  close_session(again)
})

test_that("the trace compares each state with the true values of the collection at that time", {
  case <- grown_case()
  s <- suppressWarnings(grown_session(case))
  truth <- judgments_of(case$all)
  final <- ranking_accuracy(rank_systems(s), truth)
  trace <- as.data.frame(s, truth = truth)
  at <- c(26, 27, nrow(trace))
  expect_equal(trace$judged[at], c(25, 25, 35))
  expect_equal(nrow(trace), 1 + 35 + 2)
  expect_equal(trace$accuracy[nrow(trace)], final[["accuracy"]])
  first <- judging_session(case$x, goal = goal_budget(25), seed = 1, judgments = FALSE)
  suppressWarnings(run_session(first, truth))
  expect_equal(trace$accuracy[26], suppressWarnings(ranking_accuracy(rank_systems(first), truth))[["accuracy"]])
})

test_that("adding runs to a session extends its grades, custom features, measure and strata", {
  case <- grown_case()
  grades <- transform(judgments_of(case$all), grade = 25 * round(gain / 25))[c("query", "doc", "grade")]
  model <- gain_prior(features = function(x) data.frame(place = seq_len(n_pairs(x))))
  x <- case$x
  x$queries$language <- rep(c("de", "en"), length.out = nrow(x$queries))
  s <- judging_session(x, past = model, goal = goal_mean(0.9, by = "language"), grades = grades, measure = "nDCG@5",
                       seed = 1,
                       update_every = Inf, judgments = FALSE)
  judge(s, pool_ids(x)$query[1:8], pool_ids(x)$doc[1:8], (1:8) * 10)
  add_runs(s, case$runs[case$late & !case$last, ], case$all$documents, case$all$systems)
  add_queries(s, case$runs[case$last, ], data.frame(query = tail(case$all$queries$query, 1), language = "en"),
              case$all$documents)
  expect_equal(s$engine$x$scoring$measure$name, measure("nDCG@5")$name)
  gains <- gain_distribution(s)
  fresh <- joint_gains(s$engine$x, model, judgments = judgments_of(s)[c("query", "doc", "gain")], grades = grades,
                       update = FALSE)
  expect_equal(gains$pool$x, fresh$pool$x)
  expect_equal(as.data.frame(gains)$mean, as.data.frame(fresh)$mean)
  expect_named(rank_systems(s, by = "language", seed = 1), c("de", "en"))
  expect_false(progress(s, expect = FALSE)$goal$reached)
  # A session with independent gains.
  s <- judging_session(case$x, past = independent_gains(), goal = goal_budget(5), seed = 1, judgments = FALSE)
  suppressWarnings(run_session(s, judgments_of(case$all)))
  add_runs(s, case$runs[case$late & !case$last, ], case$all$documents, case$all$systems)
  expect_equal(rank_systems(s)$mean,
               rank_systems(s$engine$x, update(uniform_gains(s$engine$x), judgments_of(s)))$mean)
})

test_that("invalid additions to a session raise errors and change nothing", {
  case <- grown_case()
  x <- case$x
  s <- judging_session(x, grades = seq_len(n_pairs(x)) / 10, seed = 1, judgments = FALSE)
  by_language <- x
  by_language$queries$language <- "de"
  strata <- judging_session(by_language, goal = goal_mean(0.9, by = "language"), seed = 1, judgments = FALSE)
  new <- case$runs[case$late & !case$last, ]
  expect_snapshot(error = TRUE, {
    add_runs(s, case$runs[!case$late, ])
    add_runs(s, new, case$all$documents, case$all$systems, grades = seq_len(n_pairs(x)))
    add_runs(s, new, judgments = judgments_of(case$all))
    suppressWarnings(add_queries(strata, case$runs[case$last & !case$late, ], documents = case$all$documents))
  })
  expect_equal(n_systems(s$engine$x), 4)
  expect_equal(nrow(store_rows(s$engine$store, "event")), 0)
  # Grades for all pairs of the extended collection are accepted.
  add_runs(s, new, case$all$documents, case$all$systems, grades = function(x) seq_len(n_pairs(x)) / 10)
  expect_equal(n_systems(s$engine$x), 5)
})
