# Properties of readers and collections for random input: data are read back as written, the order of rows does not
# matter, and any identifier is accepted. Seeds are fixed, so that failures can be reproduced.

odd_ids <- c(
  "a", "A", "b c", "\"quoted\"", "it's", "100000", "1e5", "0x10", "NA", "NULL", "-1", ".5", "a,b", "a;b", "a|b",
  "caf\u00e9", "\u00fcber", "\u4e2d\u6587", "\U1F3B5", "\u0130\u0131Ii", "e\u0301", "\u200b", "a\u00a0b", "{x}", "%s",
  "#", "\\n", strrep("long", 2000)
)

# Fields without white space and line ends, as a run file can hold them.
file_ids <- function() gsub("[ \u00a0]", "_", odd_ids)

random_runs <- function(ids, seed) {
  with_seed(seed, {
    runs <- expand.grid(system = sample(ids, 4), query = sample(ids, 5), doc = sample(ids, 9),
                        stringsAsFactors = FALSE)
    runs <- runs[sample(nrow(runs), 120), ]
    runs$score <- round(stats::rnorm(nrow(runs)), 3)
    runs
  })
}

as_trec <- function(runs) paste(runs$query, "Q0", runs$doc, 1, format(runs$score, trim = TRUE), runs$system)

write_bytes <- function(text, path = withr_tempfile()) {
  writeBin(if (is.raw(text)) text else charToRaw(enc2utf8(text)), path)
  path
}
withr_tempfile <- function() tempfile(fileext = ".txt")

test_that("runs with unusual identifiers are read back from files with any line end", {
  for (seed in 1:6) {
    runs <- random_runs(file_ids(), seed)
    lines <- as_trec(runs)
    for (end in c("\n", "\r\n", "\r", "\n\n")) {
      back <- read_runs(write_bytes(paste0(lines, end, collapse = "")))
      expect_identical(back$doc, runs$doc)
      expect_identical(back$query, runs$query)
      expect_identical(back$system, runs$system)
      expect_equal(back$score, runs$score)
    }
  }
})

test_that("a byte order mark, UTF-16 and a missing final line end do not change the result", {
  runs <- random_runs(file_ids(), 7)
  text <- paste(as_trec(runs), collapse = "\n")
  expect_identical(read_runs(write_bytes(c(as.raw(c(0xEF, 0xBB, 0xBF)), charToRaw(text))))$doc, runs$doc)
  wide <- iconv(text, "UTF-8", "UTF-16LE", toRaw = TRUE)[[1]]
  expect_identical(read_runs(write_bytes(c(as.raw(c(0xFF, 0xFE)), wide)))$doc, runs$doc)
  expect_identical(read_runs(write_bytes(wide), encoding = "UTF-16LE")$doc, runs$doc)
})

test_that("tab- and comma-separated files keep blanks and quotes in identifiers", {
  for (seed in 11:14) {
    runs <- random_runs(odd_ids, seed)
    path <- write_bytes(paste0(c("system\tquery\tdoc\tscore",
                                 paste(runs$system, runs$query, runs$doc, runs$score, sep = "\t")), "\n",
                               collapse = ""))
    expect_identical(read_runs(path)[c("system", "query", "doc", "score")],
                     data.frame(runs, row.names = NULL)[c("system", "query", "doc", "score")])
    quoted <- function(x) paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\"")
    csv <- write_bytes(paste0(c("system,query,doc,score", paste(quoted(runs$system), quoted(runs$query),
                                                               quoted(runs$doc), runs$score, sep = ",")),
                              "\r\n", collapse = ""))
    expect_identical(read_runs(csv)$doc, runs$doc)
    expect_identical(read_runs(csv)$system, runs$system)
  }
})

test_that("text encoded in Latin-1 is read as such", {
  ids <- c("caf\u00e9", "na\u00efve", "plain")
  text <- iconv(paste0("q1 Q0 ", ids, " 1 ", 3:1, " S\n", collapse = ""), "UTF-8", "latin1", toRaw = TRUE)[[1]]
  expect_message(back <- read_runs(write_bytes(text)), class = "judicious_message_encoding")
  expect_identical(back$doc, ids)
  expect_identical(read_runs(write_bytes(text), encoding = "latin1")$doc, ids)
})

test_that("files that are not text raise an informative error", {
  for (bytes in list(raw(), charToRaw("\n\r\n  \n"), charToRaw("\t\t\n"), as.raw(c(0x51, 0, 0x52)), as.raw(0:255))) {
    expect_error(read_runs(write_bytes(bytes)), class = "judicious_error")
  }
})

test_that("files of random bytes are read or raise an error, and never crash", {
  outcome <- vapply(1:60, function(seed) {
    bytes <- with_seed(seed, {
      alphabet <- c(charToRaw("q1 Q0 d 1 .5 S\n\n\"\",,\t\r-e9"), as.raw(c(0xC3, 0xA9, 0xFF)))
      alphabet[sample(length(alphabet), sample(1:80, 1), replace = TRUE)]
    })
    path <- write_bytes(bytes)
    for (read in list(read_runs, read_judgments, read_documents)) {
      result <- tryCatch(suppressMessages(read(path)), judicious_error = identity)
      if (!inherits(result, c("data.frame", "judicious_error"))) return(FALSE)
    }
    result <- tryCatch(suppressWarnings(evaluate(path, data.frame(query = "q1", doc = "d", gain = 1), "AP")),
                       judicious_error = identity)
    inherits(result, c("judicious_scores", "judicious_error"))
  }, NA)
  expect_true(all(outcome))
})

test_that("the order of rows does not change a collection", {
  for (seed in 21:24) {
    runs <- random_runs(odd_ids, seed)
    runs$rank <- stats::ave(-runs$score, runs$system, runs$query, FUN = function(s) rank(s, ties.method = "first"))
    gain <- with_seed(seed, data.frame(unique(runs[c("query", "doc")]), gain = 0))
    gain$gain <- with_seed(seed, sample(c(0, .5, 1), nrow(gain), TRUE))
    tidy <- function(x) {
      x <- as.data.frame(x)
      x <- x[do.call(order, c(x[c("system", "query", "doc")], method = "radix")), ]
      rownames(x) <- NULL
      x
    }
    build <- function(runs, gain) {
      suppressWarnings(test_collection(runs, judgments = gain, k = 9))
    }
    x <- build(runs, gain)
    again <- build(runs[sample(nrow(runs)), ], gain[sample(nrow(gain)), ])
    expect_equal(tidy(again), tidy(x))
    expect_identical(nrow(x$systems), length(unique(runs$system)))
    expect_identical(length(x$gain), nrow(gain))
    estimate <- function(x) {
      s <- as.data.frame(evaluate(x, measure = "AP@5"))
      s[order(s$system, s$query, method = "radix"), c("system", "query", "value")]
    }
    expect_equal(estimate(again), estimate(x), ignore_attr = TRUE)
  }
})

test_that("identifiers that contain a separator are kept distinct", {
  runs <- data.frame(system = c("A", "A"), query = c("a|b", "a"), doc = c("c", "b|c"), score = 2:1)
  expect_identical(nrow(check_runs(runs)$duplicates), 0L)
  expect_identical(combination_code(c("a", "a", "b", "a"), c("x", "y", "x", "x")), c(1L, 2L, 3L, 1L))
  # Every way to split a text into two and into three parts.
  text <- "1:a\r2:1:\r"
  ends <- utils::combn(0:nchar(text), 2)
  three <- text_key(substr(rep(text, ncol(ends)), 1, ends[1, ]), substring(text, ends[1, ] + 1, ends[2, ]),
                    substring(text, ends[2, ] + 1))
  expect_identical(anyDuplicated(three), 0L)
  expect_identical(text_key("\u00e9", 1e5), text_key(iconv("\u00e9", "UTF-8", "latin1"), "100000"))
  expect_identical(text_key(character(), "a"), character())
})

test_that("documents of preferences are kept distinct if identifiers contain separators", {
  odd <- c("a|b", "b", "a", "b|a", "|", "1:a")
  candidates <- list(q = odd, "q|a" = odd)
  session <- preference_session(candidates, answers = 1, level = 0.5, seed = 1)
  # The position in `odd` is the true order; for the second query it is reversed.
  while (nrow(pairs <- next_pairs(session))) {
    first <- match(pairs$doc_a, odd) < match(pairs$doc_b, odd)
    session <- add_answers(session, data.frame(pairs[c("query", "doc_a", "doc_b")], worker = "w",
                                               answer = ifelse(first == (pairs$query == "q"), "a", "b")))
  }
  list <- ordered_list(session)
  expect_identical(list$doc[list$query == "q"], odd)
  expect_identical(list$doc[list$query == "q|a"], rev(odd))
})

test_that("manipulated objects raise an error instead of an access out of bounds", {
  x <- simulate_collection(queries = 4, documents = 50, artists = 10, systems = 3, seed = 1)
  broken <- list(
    function(x) { x$results$system[1] <- 99L; x },
    function(x) { x$results$system[1] <- 0L; x },
    function(x) { x$results$offset[2] <- 10000L; x },
    function(x) { x$results$offset <- rev(x$results$offset); x },
    function(x) { x$results$system <- x$results$system[1:3]; x }
  )
  for (spoil in broken) {
    expect_error(estimate_systems_cpp(spoil(x)$results, n_systems(x), numeric(n_pairs(x)), numeric(n_pairs(x)), 1,
                                      numeric()), "changed by hand")
  }
})

test_that("lists longer than the largest integer raise an error", {
  x <- simulate_collection(queries = 4, documents = 50, artists = 10, systems = 3, seed = 1)
  x$queries <- structure(list(query = NULL), class = "data.frame", row.names = c(NA, -1000000L))
  x$systems <- structure(list(system = NULL), class = "data.frame", row.names = c(NA, -3000L))
  expect_snapshot(result_list(x), error = TRUE)
  expect_error(draw_subsets_cpp(rep(1L, 10), 2L, 1L, 100000L, 100000L, 1), "2\\^31")
})

test_that("numbers too large for the C++ core raise an error", {
  expect_snapshot(error = TRUE, {
    significance_test("permutation", replicates = 3e9)
    simulate_collection(queries = 1e10)
    pom_control(max_iterations = 1e12)
    measure("P@3000000000")
  })
  scores <- matrix(c(1, 2, 3, 4, 2, 5), 2)
  expect_error(bootstrap_tests_cpp(scores, 1e17, 1, 0.05, TRUE), "Cannot allocate 100000000000000000 x 2 numbers",
               fixed = TRUE)
  expect_error(permutation_tests_cpp(rbind(scores, scores), 1e18, 1, 0.05)$greater, NA)
  expect_error(randomised_ranges_cpp(scores, 1e17, 1), "Cannot allocate", fixed = TRUE)
  expect_error(walsh_averages_cpp(scores, 1), NA)
  expect_error(compare_systems_cpp(numeric(70000), matrix(0), 0, 0), "65,536 systems", fixed = TRUE)
})

test_that("column names and measure names do not depend on the locale", {
  expect_identical(lower_ascii(c("QID", "ITERATION", "\u0130D")), c("qid", "iteration", "\u0130d"))
  expect_identical(upper_ascii("utf-8 i"), "UTF-8 I")
  old <- Sys.getlocale("LC_CTYPE")
  on.exit(Sys.setlocale("LC_CTYPE", old))
  for (locale in c("C", "C.UTF-8", "tr_TR.UTF-8", "en_US.UTF-8")) {
    if (!nzchar(suppressWarnings(Sys.setlocale("LC_CTYPE", locale)))) next
    path <- write_bytes("QID\tDOCID\tSIM\tRUNID\n1\ta\t.5\tS\n")
    expect_identical(names(read_runs(path)), c("system", "query", "doc", "score"))
    expect_identical(measure("INFAP")$base, measure("infap")$base)
  }
})

test_that("levels are sorted in the same order in every locale", {
  a <- c("b", "A", "a", "B", "\u00e9", "z")
  collation <- Sys.getlocale("LC_COLLATE")
  on.exit(Sys.setlocale("LC_COLLATE", collation))
  sorted <- lapply(c("C", "C.UTF-8", "en_US.UTF-8", "tr_TR.UTF-8"), function(locale) {
    if (!nzchar(suppressWarnings(Sys.setlocale("LC_COLLATE", locale)))) return(NULL)
    rating_levels(list(a, a), NULL)
  })
  sorted <- Filter(Negate(is.null), sorted)
  expect_length(unique(sorted), 1)
  expect_identical(sorted[[1]], c("A", "B", "a", "b", "z", "\u00e9"))
})

test_that("64-bit integers equal doubles in gains, scores, grades, ratings, votes and levels, but not as `k`", {
  int64 <- function(v) structure(v * 4.940656458412465e-324, class = "integer64")
  same <- function(result) expect_equal(result(int64), result(identity))
  runs <- data.frame(system = rep(c("A", "B"), each = 6), query = rep(1:3, each = 2), doc = c("a", "b"))
  runs$score <- c(3, 1, 2, 5, 4, 9, 1, 2, 6, 4, 8, 7)
  judgments <- data.frame(query = rep(1:3, each = 2), doc = c("a", "b"), gain = c(0, 2, 1, 2, 2, 1))
  with <- function(table, column, convert) replace(table, column, list(convert(table[[column]])))
  collection <- test_collection(runs, judgments = judgments, k = 2, scale = 0:2)
  same(function(f) evaluate(with(runs, "score", f), judgments, "nDCG@2"))
  same(function(f) evaluate(runs, with(judgments, "gain", f), "nDCG@2"))
  same(function(f) evaluate(runs, with(cbind(judgments, assessor = 1:2), "gain", f), "nDCG@2", combine = "mean"))
  same(function(f) as.data.frame(test_collection(runs, judgments = with(judgments, "gain", f), k = 2, scale = f(0:2))))
  same(function(f) as.data.frame(suppressWarnings(rank_systems(collection, grades = with(judgments, "gain", f)))))
  same(function(f) {
    session <- judging_session(collection, judgments = FALSE, seed = 1)
    judge(session, judgments$query, judgments$doc, f(judgments$gain), seconds = f(1:6))
    judgments_of(session)[c("query", "doc", "gain", "seconds")]
  })
  same(function(f) agreement(f(c(1, 2, 3, 3)), f(c(1, 2, 2, 3)))$estimate)
  same(function(f) agreement(with(data.frame(a = c(1, 2, 3, 3), b = c(1, 2, 2, 3)), "a", f))$estimate)
  same(function(f) rank_correlation(f(c(1, 2, 3, 4)), f(c(1, 3, 2, 5))))
  scores <- data.frame(system = rep(c("A", "B"), each = 6), query = 1:6, value = c(1:6, 2, 2, 1, 5, 7, 9))
  same(function(f) as.data.frame(compare_systems(with(scores, "value", f), "t")))
  same(function(f) as.data.frame(compare_systems(with(data.frame(A = c(2, 2, 1, 5, 7, 9), B = 1:6), "A", f), "t")))
  votes <- data.frame(system_a = c("A", "B", "A"), system_b = c("B", "A", "B"), answer = c("a", "a", "b"))
  same(function(f) bradley_terry(with(cbind(votes, length = 1:3), "length", f), covariates = "length")$mean)
  same(function(f) coef(pom_fit(cbind(x = c(1, 3, 2, 5, 4, 6)), f(c(1, 2, 1, 3, 2, 3)))))
  expect_error(measure("nDCG", k = int64(3)), class = "judicious_error_argument")
  # 2^53 plus a small number: doubles do not tell such numbers apart.
  large <- function(excess) {
    bytes <- as.raw(vapply(excess, function(one) c(one, 0, 0, 0, 0, 0, 32, 0), numeric(8)))
    structure(readBin(bytes, "double", length(excess), endian = "little"), class = "integer64")
  }
  expect_equal(agreement(large(c(1, 0, 1)), large(c(1, 1, 1)))$observed, 2 / 3)
  for (code in expression(rank_correlation(large(0:1), 1:2), gain_scale(large(0:1)))) {
    expect_error(eval(code), "2^53", fixed = TRUE, class = "judicious_error_columns")
  }
  expect_error(evaluate(as.matrix(runs), judgments, "AP"), "data frame", class = "judicious_error_argument")
  expect_error(evaluate(transform(runs, score = structure(score, class = "integer64")), judgments, "AP"),
               class = "judicious_error_columns")
})

test_that("repeated columns and arguments, infinite or unnamed scores, and squares beyond doubles raise errors", {
  runs <- data.frame(system = c("A", "B"), query = "q", doc = c("a", "b"), rank = 1, rank = 2, check.names = FALSE)
  judgments <- data.frame(query = "q", doc = "a", gain = 1)
  refused <- function(code, message, kind = "argument") {
    expect_error(code, message, fixed = TRUE, class = paste0("judicious_error_", kind))
  }
  refused(evaluate(runs, judgments, "AP"), "`x` has more than one column \"rank\"", "columns")
  refused(evaluate(runs[-5], cbind(judgments, gain = 0), "AP"), "`judgments` has more than one column", "columns")
  expect_identical(evaluate(cbind(runs[-5], note = 1, note = 2), judgments, "AP"), evaluate(runs[-5], judgments, "AP"))
  file <- write_bytes("q Q0 a 1 inf A\nq Q0 b 2 1e999 A\n")
  for (x in list(file, read_runs(file))) refused(evaluate(x, judgments, "AP"), "must hold finite numbers", "columns")
  expect_equal(evaluate(file, judgments, "AP", ties = "rank")$value, 1)
  answers <- data.frame(model = c("A", "B"), question = 1, answer = c("x", "y"), rating = 1:2)
  refused(read_answers(cbind(answers, rating = 2:1)), "`x` has more than one column \"rating\"", "columns")
  refused(measure("P(rel=2,rel=3)@5"), "has two arguments \"rel\"", "measure")
  scores <- cbind(A = c(1, 2, 4, 3), B = c(2, 2, 1, 5))
  for (test in c("t", "tukey", "bootstrap")) {
    refused(compare_systems(scores * 1e200, test), "has scores of up to 5e+200")
    refused(compare_systems(scores * 1e-200, test), "multiply all by a constant")
  }
  expect_equal(as.data.frame(compare_systems(scores * 1e90, "t"))$p_value,
               stats::t.test(scores[, 1], scores[, 2], paired = TRUE)$p.value)
  named <- stats::setNames(1:3, c("a", "", "c"))
  refused(rank_correlation(named, named), "without a name")
})

test_that("texts and names that are not in UTF-8 raise errors of the package, or are shown by their codes", {
  bad <- "caf\xe9"
  runs <- data.frame(system = rep(c("A", "B"), each = 2), query = "q", doc = c("d", "e"), rank = 1:2)
  judged <- data.frame(query = "q", doc = c("d", "e"), gain = 1:0)
  x <- test_collection(runs, judgments = judged, k = 2, scale = 0:1)
  d <- data.frame(y = ordered(rep(1:3, 4)), text = rep(c("a", "b", bad, "a"), 3), x = sin(1:12))
  of_encoding <- function(code) expect_error(code, class = "judicious_error_encoding")
  of_encoding(agreement(c("a", bad), c("a", "b")))
  of_encoding(agreement(data.frame(ann = factor(c("a", bad)), bob = c("a", "b"))))
  of_encoding(pom(y ~ text, d))
  of_encoding(pom(y ~ ., stats::setNames(d[c("y", "x")], c("y", bad))))
  shown <- function(code) expect_error(code, "caf", fixed = TRUE, class = "judicious_error")
  shown(rank_systems(x, grades = transform(judged, gain = c("1", bad))))
  shown(pom(y ~ x, d, link = bad))
  shown(judging_session(x, goal_beats(bad), judgments = FALSE))
  expect_error(read_answers(data.frame(model = "A", id = 1, answer = "a", rating = 1), system = bad), "no column \"caf",
               class = "judicious_error_columns")
})

test_that("text declared as latin1 is the same text as in UTF-8", {
  latin1 <- function(text) {
    Encoding(text) <- "latin1"
    text
  }
  expect_identical(lower_ascii(latin1("CAF\xe9")), "caf\u00e9")
  expect_identical(suggest_name(latin1("caf\xe9"), "caf\u00e9s"), suggest_name("caf\u00e9", "caf\u00e9s"))
  d <- data.frame(y = factor(rep(1:2, 4), ordered = TRUE), t = rep(c("gr\u00fcn", "rot"), c(3, 5)), x = c(1:7, 3))
  declared <- transform(d, t = latin1(rep(c("gr\xfcn", "rot"), c(3, 5))))
  expect_equal(coef(pom(y ~ t, declared)), coef(pom(y ~ t, d)))
  names(declared)[3] <- latin1("gr\xf6sse")
  expect_equal(coef(pom(y ~ t, declared)), coef(pom(y ~ t, d)))
  ratings <- data.frame(a = c("gr\u00fcn", "rot", "rot"), b = c("gr\u00fcn", "rot", "gr\u00fcn"))
  expect_equal(as.data.frame(agreement(transform(ratings, a = latin1(c("gr\xfcn", "rot", "rot"))))),
               as.data.frame(agreement(ratings)))
  answers <- data.frame(model = c("m", "n"), id = rep(1:2, each = 2), rating = c("J\u00c4", "nein"))
  expect_error(read_answers(transform(answers, rating = latin1(c("J\xc4", "nein")))), "has \"J\u00c4\"",
               class = "judicious_error_columns")
})
