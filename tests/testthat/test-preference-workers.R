crowd_of <- function(seed, robots = 1) {
  similarity <- list(q = setNames(seq(8, -8, length.out = 14), letters[1:14]))
  crowd <- simulate_crowd(similarity, workers = 25, equal_robots = robots, seed = seed)
  list(crowd = crowd, session = run_session(preference_session(list(q = letters[1:14]), seed = seed), crowd,
                                            seed = seed))
}

test_that("workers who always answer equal are detected, and nobody else", {
  found <- lapply(1:10, function(seed) {
    x <- crowd_of(seed, robots = 2)
    q <- worker_quality(x$session)
    data.frame(kind = x$crowd$workers$kind[match(q$worker, x$crowd$workers$worker)],
               found = grepl("always equal", q$robot), n = q$answers)
  })
  found <- do.call(rbind, found)
  robots <- found$kind == "equal robot"
  expect_gt(sum(robots & found$n >= 10), 10)
  expect_true(all(found$found[robots & found$n >= 10]))
  expect_false(any(found$found[!robots]))
})

test_that("a worker who answers equal where all others do is not flagged as a spammer", {
  answers <- expand.grid(worker = 1:10, doc_b = paste0("d", 1:20))
  answers <- data.frame(query = "q", doc_a = "x", answers, answer = "equal")
  expect_true(all(worker_quality(answers)$robot == ""))
})

test_that("statistics of worker quality equal direct computations", {
  answers <- crowd_of(3)$session$answers
  answers$answer[c(4, 17)] <- NA
  q <- worker_quality(answers)
  value <- c(a = 1, equal = 0, b = -1)[answers$answer]
  swap <- answers$doc_a > answers$doc_b
  value <- ifelse(swap, -value, value)
  pair <- paste(pmin(answers$doc_a, answers$doc_b), pmax(answers$doc_a, answers$doc_b))
  for (w in unique(answers$worker)[1:5]) {
    mine <- which(answers$worker == w & !is.na(value))
    scores <- vapply(mine, function(i) {
      others <- value[pair == pair[i] & answers$worker != w]
      others <- others[!is.na(others)]
      among <- combn(others, 2)
      top <- table(others)
      top <- names(top)[top == max(top)]
      c(mean(1 - abs(others - value[i]) / 2), mean(1 - abs(among[1, ] - among[2, ]) / 2),
        if (length(top) == 1) top == value[i] else NA,
        (sum(others == 0) + 0.5) / (length(others) + 1))
    }, numeric(4))
    own <- q[q$worker == w, ]
    expect_equal(own$agreement, mean(scores[1, ]))
    expect_equal(own$others, mean(scores[2, ]))
    expect_equal(own$majority, mean(scores[3, ], na.rm = TRUE))
    expect_equal(own$p_equal, if (all(value[mine] == 0)) prod(scores[4, ]) else 1)
    expect_equal(own$median_seconds, median(answers$seconds[answers$worker == w]))
    expect_equal(own$share_a, mean(answers$answer[mine][value[mine] != 0] == "a"))
  }
  expect_equal(sum(q$missing), 2)
  # Exchanging the sides of a pair affects only the share of answers "a".
  flipped <- answers
  rows <- seq(1, nrow(answers), by = 2)
  flipped[rows, c("doc_a", "doc_b")] <- answers[rows, c("doc_b", "doc_a")]
  flipped$answer[rows] <- unname(c(a = "b", equal = "equal", b = "a")[answers$answer[rows]])
  same <- setdiff(names(q), "share_a")
  expect_equal(worker_quality(flipped)[same], q[same])
})

test_that("without a column of seconds, response times are missing and the table prints", {
  answers <- data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1:3, answer = c("a", "equal", NA))
  q <- worker_quality(answers)
  expect_true(all(is.na(q$median_seconds)))
  expect_snapshot(q)
})

test_that("no spammers are detected in the published answers of the crowd of 2010", {
  x <- crowd_2010()$answers
  q <- worker_quality(x)
  expect_equal(nrow(q), 79)
  expect_true(all(q$robot == ""))
})
