runs <- as.data.frame(text_demo)[c("system", "query", "doc", "rank")]
teams <- text_demo$systems
some <- judgments_of(text_demo)[seq(1, 200, by = 5), ]
good <- text_grades[c("query", "doc", "grade")]
poor <- transform(good, grade = rep_len(0:2, nrow(good)))
plain <- test_collection(runs, systems = teams, k = text_demo$k)
graded <- test_collection(runs, systems = teams, k = text_demo$k, grades = good)
estimates <- function(ranking) ranking[c("mean", "covariance", "difference_variance")]

test_that("a collection's grades are used by default, and can be left out or replaced with a note", {
  expect_no_message(own <- rank_systems(graded, judgments = some))
  expect_equal(estimates(own), estimates(rank_systems(plain, grades = good, judgments = some)))
  expect_equal(own$collection$scale, rank_systems(plain, grades = good, judgments = some)$collection$scale)
  expect_equal(estimates(rank_systems(graded, grades = FALSE, judgments = some)),
               estimates(rank_systems(plain, judgments = some)))
  expect_message(other <- rank_systems(graded, grades = poor, judgments = some), "replaces the grades")
  expect_equal(estimates(other), estimates(rank_systems(plain, grades = poor, judgments = some)))
  # The confidence without grades equals that of a collection without grades.
  expect_equal(ranking_without_grades(own)$confidence,
               ranking_without_grades(rank_systems(plain, grades = good, judgments = some))$confidence)
  # The stored arguments of a ranking include its grades, so that it can be computed again.
  again <- do.call(rank_systems, other$arguments)
  expect_equal(estimates(again), estimates(other))
})

test_that("estimates, validations, sessions, plans and gain models use the grades of the collection", {
  same <- function(make) expect_equal(make(graded, NULL), make(plain, good))
  same(function(x, grades) as.data.frame(joint_gains(x, grades = grades, judgments = some)))
  same(function(x, grades) unclass(grader_validation(x, grades, some)))
  same(function(x, grades) {
    s <- judging_session(x, goal_budget(30), grades = grades, judgments = some, seed = 1)
    next_documents(s, 3)
  })
  same(function(x, grades) {
    judging_plan(x, goal_budget(45), grades = grades, judgments = some, replicates = 1, seed = 1)$curve
  })
  learn <- function(x, grades) {
    x$scale <- gain_scale(0:3)
    x$gain <- text_demo$gain
    gain_model(x, grades = grades)
  }
  same(function(x, grades) learn(x, grades)[c("coefficient", "variance")])
  expect_equal(learn(graded, FALSE)$coefficient, learn(plain, NULL)$coefficient)
})

test_that("joint gains estimated without grades ignore those of the collection, and given grades raise an error", {
  x <- graded
  x$scale <- gain_scale(0:3)
  expect_no_error(judging_session(x, past = independent_gains(), judgments = FALSE, seed = 1))
  expect_equal(rank_systems(x, joint_gains(x))$mean, rank_systems(x)$mean)
  expect_snapshot(error = TRUE, {
    judging_session(x, past = independent_gains(), grades = good, judgments = FALSE)
    rank_systems(x, joint_gains(x), grades = good)
    test_collection(runs, k = 5, grades = function(x) good)
    test_collection(runs, k = 5, grades = transform(good, query = paste0("other", query)))
    grader_validation(plain, judgments = some)
  })
})

test_that("one table in long format holds several graders, repeated grades and failed grades", {
  first <- transform(good, grader = "a", grade = pmin(grade, 3))
  twice <- rbind(transform(first, "repeat" = 1L, check.names = FALSE),
                 transform(first, "repeat" = 2L, grade = pmax(grade - 1, 0), check.names = FALSE))
  names(twice)[names(twice) == "repeat."] <- "repeat"
  long <- rbind(twice, transform(poor, grader = "b", "repeat" = 1L, check.names = FALSE)[names(twice)])
  mean_of <- transform(first, grade = (first$grade + pmax(first$grade - 1, 0)) / 2)
  plain <- test_collection(runs, systems = teams, k = text_demo$k, scale = 0:3)
  x <- test_collection(runs, systems = teams, k = text_demo$k, scale = 0:3, grades = long)
  expect_named(x$grades, c("query", "doc", "grader", "repeat", "value", "status"))
  expect_equal(estimates(rank_systems(x)),
               estimates(rank_systems(plain, grades = list(a = mean_of[names(good)], b = poor))))
  expect_equal(estimates(rank_systems(plain, grades = long)), estimates(rank_systems(x)))
  path <- withr::local_tempfile(fileext = ".csv")
  write.csv(long, path, row.names = FALSE)
  expect_equal(test_collection(runs, systems = teams, k = text_demo$k, scale = 0:3, grades = path), x)
  # A failed grade is stored as a failure, and does not count as a grade.
  expect_message(failing <- test_collection(runs, systems = teams, k = text_demo$k, scale = 0:3, failed = -1,
                                            grades = transform(good, grade = replace(grade, 4:6, -1))),
                 "3 of .* grades failed")
  expect_identical(which(failing$grades$status == "failed"), 4:6)
  expect_true(all(is.na(failing$grades$value[4:6])))
  expect_no_message(ranking <- rank_systems(failing))
  expect_equal(estimates(ranking), estimates(rank_systems(plain, grades = good[-(4:6), ])))
  expect_output(print(x), paste0("grades +a ", format_count(n_pairs(x)), ", b ", format_count(n_pairs(x))))
})

test_that("a session stores its grades, and added documents have none until they are given", {
  skip_if_not_installed("RSQLite")
  file <- withr::local_tempfile(fileext = ".sqlite")
  late <- runs$system == unique(runs$system)[1]
  begun <- test_collection(runs[!late, ], k = text_demo$k, scale = 0:3)
  known <- good[!is.na(find_pairs(begun, good$query, good$doc)), ]
  s <- judging_session(begun, goal_budget(30), grades = known, store = file, seed = 1, judgments = FALSE)
  other <- open_session(file)
  expect_equal(other$engine$x$grades, s$engine$x$grades)
  expect_equal(rank_systems(other)$mean, rank_systems(s)$mean)
  suppressWarnings(add_runs(s, runs[late, ]))
  new <- is.na(find_pairs(begun, pool_ids(s$engine$x)$query, pool_ids(s$engine$x)$doc))
  grade <- function(s) grades_on_pool(carried_grades(s$engine$x)$grade, s$engine$x, "grades")
  expect_identical(is.na(grade(s)), new)
  expect_identical(is.na({
    refresh(other$engine)
    grade(other)
  }), new)
  close_session(other)
  close_session(s)
  # Grades can be given together with added runs, for a session and for a collection.
  s <- judging_session(begun, goal_budget(30), grades = known, seed = 1, judgments = FALSE)
  suppressWarnings(add_runs(s, runs[late, ], grades = good))
  whole <- suppressWarnings(add_runs(test_collection(runs[!late, ], k = text_demo$k, scale = 0:3, grades = known),
                                     runs[late, ], grades = good))
  expect_false(anyNA(grade(s)))
  expect_equal(whole$grades[order(whole$grades$query, whole$grades$doc), ],
               s$engine$x$grades[order(s$engine$x$grades$query, s$engine$x$grades$doc), ], ignore_attr = "row.names")
  expect_equal(rank_systems(s)$mean, rank_systems(whole)$mean)
})
