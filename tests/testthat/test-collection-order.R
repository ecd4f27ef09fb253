# Three systems, four queries, and lists of six documents in the order of their scores, two of which are equal. The
# gains of a query differ from each other, so that values at ranks 1, 2 and 3 determine the order of a list.
scored_runs <- function() {
  runs <- expand.grid(place = 1:6, query = c("q1", "q2", "q3", "q4"), system = c("A", "B", "C"), stringsAsFactors = FALSE)
  shift <- 2 * match(runs$system, c("A", "B", "C")) + match(runs$query, unique(runs$query))
  runs$doc <- paste0("d", (runs$place * 5 + shift) %% 11)
  runs$score <- c(9, 7, 7, 4, 2, 1)[runs$place]
  runs[c("system", "query", "doc", "score")]
}

all_gains <- function(runs) {
  pairs <- unique(runs[c("query", "doc")])
  data.frame(pairs, gain = (as.numeric(sub("d", "", pairs$doc)) * 7) %% 11)
}

# Each list in trec_eval's order, by a simple slow sort: descending by score, and equal scores descending by document.
slow_order <- function(runs) {
  lapply(split(runs, paste(runs$system, runs$query)), function(one) {
    one$doc[order(one$score, one$doc, decreasing = TRUE, method = "radix")]
  })
}

order_of <- function(x) {
  rows <- as.data.frame(x)
  lapply(split(rows, paste(rows$system, rows$query)), function(one) one$doc[order(one$rank)])
}

slow_means <- function(lists, gains, k) {
  value <- vapply(names(lists), function(name) {
    query <- sub(".* ", "", name)
    sum(gains$gain[match(paste(query, utils::head(lists[[name]], k)), paste(gains$query, gains$doc))]) / k
  }, 0)
  tapply(value, sub(" .*", "", names(lists)), mean)
}

# The kinds of ranks that messages name.
kinds_of <- function(expr) {
  kinds <- list()
  suppressWarnings(withCallingHandlers(force(expr), judicious_message_rank = function(cnd) {
    kinds[[length(kinds) + 1]] <<- cnd$kinds
    invokeRestart("muffleMessage")
  }))
  kinds
}

run_file <- function(runs, path = tempfile(fileext = ".run")) {
  writeLines(paste(runs$query, "Q0", runs$doc, runs$rank, runs$score, runs$system), path)
  path
}

# Writes one TREC file per system, in a folder that R deletes when it ends.
run_files <- function(runs) {
  folder <- tempfile("runs")
  dir.create(folder)
  vapply(split(runs, runs$system), function(one) run_file(one, file.path(folder, paste0(one$system[1], ".run"))), "")
}

# Functions that make wrong ranks from the right ones `r`, the numbers of the query `q` and of the system `s`, and the
# row `i`.
wrong_ranks <- list(
  index = list(function(r, q, s, i) r + 6 * (q - 1), function(r, q, s, i) r - 1 + 6 * (q - 1),
               function(r, q, s, i) 1000 + r + 6 * (q - 1), function(r, q, s, i) r + 6 * (4 - q),
               function(r, q, s, i) r + 100 * (q - 1), function(r, q, s, i) ifelse(s == 1, r + 6 * (q - 1), r)),
  offset = list(function(r, q, s, i) r + 10, function(r, q, s, i) r + 1, function(r, q, s, i) r + 1000,
                function(r, q, s, i) ifelse(s == 2, r + 10, r), function(r, q, s, i) ifelse(q == 3, r + 3, r)),
  constant = list(function(r, q, s, i) 0, function(r, q, s, i) 1, function(r, q, s, i) 999, function(r, q, s, i) q,
                  function(r, q, s, i) ifelse(s == 3, 0, r)),
  contradicted = list(function(r, q, s, i) 7 - r, function(r, q, s, i) c(2, 1, 3:6)[r], function(r, q, s, i) 6 - r,
                      function(r, q, s, i) ifelse(s == 1, 7 - r, r), function(r, q, s, i) (r * 5) %% 7,
                      function(r, q, s, i) ifelse(q == 2, c(6, 1:5)[r], r)),
  repeated = list(function(r, q, s, i) ceiling(r / 2), function(r, q, s, i) pmin(r, 5), function(r, q, s, i) pmax(r, 2),
                  function(r, q, s, i) ifelse(s == 1, ceiling(r / 3), r), function(r, q, s, i) c(1, 1:5)[r])
)

with_ranks <- function(runs, wrong) {
  runs$rank <- wrong(rep(1:6, 12), match(runs$query, unique(runs$query)), match(runs$system, unique(runs$system)),
                     seq_len(nrow(runs)))
  runs
}

test_that("scores order lists in test_collection() and evaluate(), and one message reports wrong ranks", {
  gains <- all_gains(scored_runs())
  right <- slow_order(scored_runs())
  for (kind in names(wrong_ranks)) for (wrong in wrong_ranks[[kind]]) {
    runs <- with_ranks(scored_runs(), wrong)
    files <- run_files(runs)
    from <- list(runs, files, runs[rev(seq_len(nrow(runs))), ])
    for (given in from) {
      told <- kinds_of(x <- test_collection(given, judgments = gains, k = 3, scale = 0:10))
      expect_equal(told, list(kind))
      expect_equal(order_of(x), lapply(right, utils::head, 3))
      expect_equal(kinds_of(scores <- evaluate(given, gains, c("AG@3", "AG@1"), per = "mean")), list(kind))
      means <- function(k) as.numeric(slow_means(right, gains, k))
      expect_equal(scores$value[scores$measure == "AG@3"][order(unique(scores$system))], means(3))
      expect_equal(scores$value[scores$measure == "AG@1"][order(unique(scores$system))], means(1))
    }
    ranking <- as.data.frame(rank_systems(x))
    expect_equal(ranking$estimate[order(ranking$system)], means(3))
  }
})

test_that("ranks that start late, have gaps or continue across queries still order each list", {
  right <- slow_order(transform(scored_runs(), score = rep(6:1, 12)))
  others <- list(zero = list(function(r, q, s, i) r - 1), gaps = list(function(r, q, s, i) 2 * r - 1))
  for (kind in c("index", "offset", names(others))) for (wrong in c(wrong_ranks, others)[[kind]]) {
    runs <- with_ranks(scored_runs(), wrong)[c("system", "query", "doc", "rank")]
    expect_equal(setdiff(unlist(kinds_of(x <- test_collection(runs, k = 4))), "zero"), setdiff(kind, "zero"))
    expect_equal(order_of(x), lapply(right, utils::head, 4))
    path <- tempfile(fileext = ".tsv")
    utils::write.table(runs, path, sep = "\t", row.names = FALSE, col.names = FALSE, quote = FALSE)
    expect_message(again <- test_collection(path, k = 4), class = "judicious_message_rank")
    expect_equal(again, x)
    expect_message(scores <- evaluate(path, all_gains(runs), "AG@4", per = "mean"), class = "judicious_message_rank")
    expect_equal(scores$value, as.numeric(slow_means(right, all_gains(runs), 4)))
  }
})

test_that("constant or repeated ranks without scores raise an error in test_collection(), evaluate() and add_runs()", {
  for (kind in c("constant", "repeated")) for (wrong in wrong_ranks[[kind]]) {
    runs <- with_ranks(scored_runs(), wrong)[c("system", "query", "doc", "rank")]
    expect_error(test_collection(runs, k = 3), class = "judicious_error_duplicate_rank")
    expect_error(evaluate(runs, all_gains(runs), "AG@3"), class = "judicious_error_duplicate_rank")
  }
  x <- test_collection(scored_runs()[1:48, ], k = 3)
  expect_error(add_runs(x, runs[runs$system == "C", ]), class = "judicious_error_duplicate_rank")
})

test_that("messages about wrong ranks name the lists and the remedy", {
  expect_snapshot(error = TRUE, {
    for (kind in names(wrong_ranks)) x <- test_collection(with_ranks(scored_runs(), wrong_ranks[[kind]][[1]]), k = 6)
    x <- test_collection(transform(with_ranks(scored_runs(), function(r, q, s, i) r), score = 1), k = 6)
    alone <- function(wrong) test_collection(with_ranks(scored_runs(), wrong)[c("system", "query", "doc", "rank")], k = 6)
    for (kind in c("index", "offset")) x <- alone(wrong_ranks[[kind]][[1]])
    x <- alone(function(r, q, s, i) r - 1)
    x <- alone(function(r, q, s, i) r * 2)
    x <- alone(function(r, q, s, i) 7 - r)
    alone(wrong_ranks$constant[[1]])
    alone(wrong_ranks$repeated[[1]])
    test_collection(with_ranks(scored_runs(), wrong_ranks$constant[[1]]), ties = "rank")
    test_collection(scored_runs(), ties = "rank")
    test_collection(scored_runs(), ties = "error")
    test_collection(scored_runs(), ties = "expected")
  })
})

test_that("ranks that agree with the scores, or only break ties, give no message", {
  sound <- with_ranks(scored_runs(), function(r, q, s, i) r)
  expect_no_message(test_collection(sound, k = 3))
  expect_no_message(test_collection(with_ranks(scored_runs(), function(r, q, s, i) r - 1), k = 3))
  expect_no_message(test_collection(with_ranks(scored_runs(), function(r, q, s, i) c(1, 3, 2, 4:6)[r]), k = 3))
  expect_no_message(evaluate(run_files(sound), all_gains(sound), "AG@3"))
})

test_that("`ties` orders lists in collections as in evaluate()", {
  runs <- with_ranks(scored_runs(), function(r, q, s, i) c(1, 3, 2, 4, 6, 5)[r])
  gains <- all_gains(runs)
  for (ties in c("trec_eval", "rank", "identifier")) {
    scores <- suppressMessages(evaluate(runs, gains, c("AG@2", "AG@3"), ties = ties))
    x <- suppressWarnings(suppressMessages(test_collection(runs, k = 3, judgments = gains, scale = 0:10, ties = ties)))
    expect_equal(evaluate(x, c("AG@2", "AG@3"))$value, scores$value)
    bigger <- suppressWarnings(suppressMessages({
      x <- test_collection(runs[runs$system != "C", ], k = 3, scale = 0:10, ties = ties)
      add_runs(x, runs[runs$system == "C", ], judgments = gains, ties = ties)
    }))
    expect_equal(evaluate(bigger, c("AG@2", "AG@3"))$value[65:96], scores$value[65:96])
  }
  expect_error(test_collection(runs, ties = "error"), class = "judicious_error_tie")
})

# The collection that a command builds. Sessions store it. For plan and report, it is captured from the functions to
# which it is passed.
collection_of_command <- function(command, files, ...) {
  caught <- NULL
  catch <- function(x, ...) {
    caught <<- x
    rlang::abort("caught", "caught")
  }
  store <- tempfile(fileext = ".sqlite")
  instead <- list(judging_plan = catch, ranking_report = catch, print_basis = function(...) NULL)
  real <- mget(names(instead), asNamespace("judicious"))
  put <- function(functions) {
    for (name in names(functions)) assignInNamespace(name, functions[[name]], "judicious")
  }
  on.exit(put(real))
  put(instead)
  words <- c(files, ...)
  ran <- cli(command, words, "--quiet", if (command == "judge") c("--store", store, "--progress"),
             if (command == "report") c("--file", tempfile(fileext = ".html")))
  if (command != "judge") return(if (command == "report") caught$collection else caught)
  expect_identical(ran$err, character())
  s <- open_session(store)
  on.exit(close_session(s), add = TRUE)
  s$engine$x
}

test_that("evaluate, compare, rank, plan, judge and report read the same order of lists and the same queries", {
  skip_if_not_installed("RSQLite")
  gains <- all_gains(scored_runs())
  qrels <- tempfile()
  writeLines(paste(gains$query, 0, gains$doc, gains$gain), qrels)
  table_file <- function(runs) {
    path <- tempfile(fileext = ".csv")
    utils::write.csv(runs, path, row.names = FALSE)
    path
  }
  forms <- c(
    lapply(stats::setNames(nm = names(wrong_ranks)), function(kind) {
      run_files(with_ranks(scored_runs(), wrong_ranks[[kind]][[1]]))
    }),
    lapply(list(sound = function(r, q, s, i) r, index_alone = wrong_ranks$index[[1]],
                offset_alone = wrong_ranks$offset[[1]]), function(wrong) {
      table_file(with_ranks(scored_runs(), wrong)[c("system", "query", "doc", "rank")])
    }),
    list(scores_alone = table_file(scored_runs()),
         both_in_csv = table_file(with_ranks(scored_runs(), wrong_ranks$contradicted[[1]])))
  )
  ranked <- slow_order(transform(scored_runs(), score = rep(6:1, 12)))
  for (form in names(forms)) {
    files <- forms[[form]]
    right <- if (form %in% c("sound", "index_alone", "offset_alone")) ranked else slow_order(scored_runs())
    for (ties in c("trec_eval", if (!form %in% c("scores_alone", "constant", "repeated")) "rank")) {
      if (ties == "rank" && form %in% names(wrong_ranks)) {
        runs <- with_ranks(scored_runs(), wrong_ranks[[form]][[1]])
        right <- slow_order(transform(runs, score = -rank))
      }
      if (ties == "rank" && form == "both_in_csv") right <- slow_order(transform(scored_runs(), score = rep(1:6, 12)))
      shared <- c("-j", qrels, "--ties", ties)
      value <- cli_data("evaluate", files, shared, "--per", "query", "-M", "AG@1,AG@2,AG@3")
      expect_setequal(value$query, unique(gains$query))
      for (k in 1:3) {
        means <- as.numeric(slow_means(right, gains, k))
        measure <- paste0("AG@", k)
        own <- value[value$measure == measure, ]
        expect_equal(as.numeric(tapply(own$value, own$system, mean)), means)
        compared <- cli_data("compare", files, shared, "-M", measure, "--table", "systems")
        expect_equal(compared$mean[order(compared$system)], means)
        table <- cli_data("rank", files, shared, "-k", k, "--scale", "0:10")
        expect_equal(table$estimate[order(table$system)], means)
      }
      for (command in c("plan", "judge", "report")) {
        x <- collection_of_command(command, files, "--ties", ties, "-k", "3", "--scale", "0:10")
        expect_equal(order_of(x), lapply(right, utils::head, 3), info = paste(command, form, ties))
        expect_setequal(x$queries$query, unique(gains$query))
      }
    }
  }
})

test_that("if scores order the lists, every reader ignores ranks that are not numbers", {
  path <- withr::local_tempfile()
  writeLines(c("q1 Q0 d1 first 2 A", "q1 Q0 d2 2 3 A", "q1 Q0 d3 - 1 A"), path)
  judged <- data.frame(query = "q1", doc = c("d1", "d2"), gain = c(0, 1))
  left_out <- function(code) expect_message(code, "the column \"rank\" has text", class = "judicious_message_rank")
  left_out(expect_equal(evaluate(path, judged, "RR")$value, 1))
  left_out(runs <- read_runs(path))
  expect_named(runs, c("system", "query", "doc", "score"))
  left_out(x <- test_collection(path, k = 3, scale = 0:1, judgments = judged))
  expect_equal(evaluate(x, measure = "RR@3")$value, 1)
  table <- data.frame(system = "A", query = "q1", doc = c("d1", "d2"), rank = c("a", "2"), score = 1:2)
  qrels <- table_file(judged)
  for (words in list(c("rank", "-k", "3"), c("evaluate", "-M", "RR"), c("features", "-k", "3"))) {
    expect_match(cli(words, path, "-j", qrels)$err, "has text.*left out; the scores order the lists", all = FALSE)
  }
  # If there are no scores, or if ranks are to order the lists, ranks must be numbers.
  expect_snapshot(error = TRUE, transform = hide_paths, {
    suppressMessages(test_collection(path, ties = "rank"))
    read_runs(table_file(table[c("system", "query", "doc", "rank")]))
  })
})
