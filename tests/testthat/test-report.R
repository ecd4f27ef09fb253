report_collection <- function() simulate_collection(queries = 8, documents = 150, artists = 20, teams = 3, systems = 4,
                                                    seed = 1)

# The report as text without its pictures, written by the exported functions. White space is normalised, because pandoc
# breaks lines anywhere.
written <- function(x, ...) {
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  expect_identical(report(x, file, ...), file)
  html <- paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = " ")
  gsub("data:image/png;base64,[A-Za-z0-9+/=]+", "data:image", html)
}

expect_self_contained <- function(html) {
  loaded <- regmatches(html, gregexpr("(src|href)=\"[^\"]*\"", html))[[1]]
  expect_identical(grep("=\"(data:|#|https://doi.org/)", loaded, value = TRUE, invert = TRUE), character())
  expect_no_match(html, "<script[^>]+src=\"http|@import|url\\(http")
}

headings <- function(html) {
  found <- regmatches(html, gregexpr("<h1>[^<]*</h1>", html))[[1]]
  gsub("</?h1>", "", found)
}

test_that("a report is the same whatever the locale and the options for numbers are", {
  skip_without_pandoc()
  runs <- data.frame(system = rep(c("caf\u00e9", "B"), each = 4), query = rep(c("q1", "q2"), each = 2),
                     doc = paste0("d", c(1, 2, 3, 4, 2, 1, 4, 5)), rank = 1:2)
  ranking <- rank_systems(test_collection(runs, k = 2, scale = 0:2),
                          judgments = data.frame(query = "q1", doc = "d1", gain = 0))
  # The time and the last part, which names the locale, may differ.
  result <- function() sub("<h1>Reproduce.*", "", gsub("[0-9-]+ [0-9:]+ UTC", "", written(ranking)))
  usual <- result()
  expect_match(usual, "caf\u00e9", fixed = TRUE)
  withr::local_options(OutDec = ",", scipen = -5, digits = 3)
  withr::local_locale(LC_CTYPE = "C")
  expect_identical(result(), usual)
  expect_identical(Sys.getlocale("LC_CTYPE"), "C")
})

test_that("the summary and the tables of a report agree with the ranking", {
  x <- report_collection()
  ranking <- rank_systems(x, judgments = judgments_of(x)[1:30, ])
  r <- ranking_report(ranking, NULL, quote(report(x)))
  differences <- system_differences(ranking)
  best <- names(which.max(ranking$mean))
  decided <- sum(differences$confidence >= 0.95)
  expect_identical(r$answer[1], paste0(ranking_statement(ranking), "."))
  expect_match(r$answer[2], paste0("**", best, "** is ranked first"), fixed = TRUE)
  expect_match(r$answer[2], percent(rank_probabilities(ranking)$best[1]), fixed = TRUE)
  expect_match(r$answer[3], sprintf("**%.3f**", mean(differences$confidence)), fixed = TRUE)
  expect_match(r$answer[4], sprintf("^%d of the 6 pairs", decided))
  expect_match(r$answer[5], sprintf("^30 of the %d query-document pairs", length(x$gain)))

  # Every pair is counted once for each of its systems.
  expect_identical(sum(r$systems$`better than`), decided)
  expect_identical(sum(r$systems$`worse than`), decided)
  expect_identical(sum(r$systems$open), 2L * (6L - decided))
  expect_identical(r$systems$system, head(ranking, Inf)$system)

  # Pairs have the better system first, and equal those of system_differences().
  pairs <- r$pairs
  expect_true(all(pairs$difference >= 0))
  expect_equal(pairs$difference, unname(ranking$mean[pairs$system_a] - ranking$mean[pairs$system_b]))
  expect_equal(sort(pairs$confidence), sort(differences$confidence))
})

test_that("a report distinguishes documents judged before the session from those that it selected", {
  x <- report_collection()
  s <- judging_session(x, goal_budget(7), judgments = judgments_of(x)[1:5, ], seed = 1)
  facts <- function() ranking_report(rank_systems(s), s, quote(report(s)))$judging
  before <- "The session began with 5 judgments; how their documents were selected is not recorded."
  expect_identical(facts(), before)
  expect_identical(session_methods(s), before)
  run_session(s, judgments_of(x), progress = FALSE)
  expect_identical(facts()[1], before)
  expect_match(facts()[3], "^7 documents were judged, 5 of them before the session and the others by 1 assessor;")
  expect_match(facts()[2], "^Documents were selected by the gradient")
  expect_match(session_methods(s), paste(before, "Documents to judge were selected"), fixed = TRUE)
})

test_that("a session's report has its goal, its judgments and its calibration", {
  skip_without_pandoc()
  x <- report_collection()
  s <- judging_session(x, goal = goal_mean(0.95) | goal_budget(30), audit = 0.5, seed = 1, judgments = FALSE)
  expect_identical(judging_facts(rank_systems(s), s, progress(s))[2],
                   sprintf("Nothing is judged yet; the confidence is %.3f.", progress(s)$confidence))
  run_session(s, judgments_of(x), progress = FALSE)
  html <- written(s, title = "Which <system> is best?")
  expect_self_contained(html)
  expect_identical(headings(html), c("Question", "Ranking", "Decided and open pairs", "How the judgments were selected",
                                     "Do the predictions hold?", "Do the assessors agree?",
                                     "Methods, to paste into a paper", "Tables to copy", "Reproduce"))
  expect_match(html, "Which &lt;system&gt; is best?", fixed = TRUE)
  expect_match(gsub("\\s+", " ", html), "Judging stopped: budget spent at confidence [.0-9]+ .*mean confidence 0.95 or 30 judg")
  expect_match(html, calibration_verdict(calibration(s)), fixed = TRUE)
  expect_match(html, "download=\"pairs.csv\"", fixed = TRUE)
  expect_match(html, "\\begin{tabular}", fixed = TRUE)
  expect_match(html, "report(x, file, ...)", fixed = TRUE)
})

test_that("a report of a fully judged collection mentions no estimates, and reports ties as such", {
  skip_without_pandoc()
  x <- report_collection()
  html <- gsub("\\s+", " ", written(x))
  expect_match(html, "Every document of the pool was judged, so that no gain was estimated.", fixed = TRUE)
  expect_no_match(html, "joint model", fixed = TRUE)
  expect_match(html, "Every pair is decided.", fixed = TRUE)
  # A fifth system with the same lists as the first.
  lists <- data.frame(system = x$results$system, pool_ids(x)[rep(seq_along(x$gain), diff(x$results$offset)), ],
                      rank = x$results$rank)
  twin <- replace(lists[lists$system == 1, ], "system", 5)
  tied <- test_collection(rbind(lists, twin), judgments = judgments_of(x), k = x$k, scale = x$scale)
  html <- gsub("\\s+", " ", written(tied))
  expect_match(html, "9 of the 10 pairs are decided, with a confidence of 0.95 or more; 0 are open, and 1 no judgment")
  expect_match(html, "Every pair that judgments can order is decided.", fixed = TRUE)
  expect_no_match(html, "Every pair is decided", fixed = TRUE)
})

test_that("collections, rankings and comparisons can be reported", {
  skip_without_pandoc()
  x <- report_collection()
  # Markup in names is shown as text.
  x$systems$system <- c("a<b>", "$x_1$", "*bold*", "[link](x)")
  html <- written(x, judgments = FALSE)
  expect_self_contained(html)
  for (name in html_text(x$systems$system)) expect_match(html, paste0("<td>", name, "</td>"), fixed = TRUE)
  expect_match(html, "Nothing is judged: the ranking is based on the model and the systems", fixed = TRUE)
  expect_match(gsub("\\s+", " ", html), "</strong>, by agreement alone, which may mean nothing (20 judgments tell)",
               fixed = TRUE)
  expect_match(gsub("\\s+", " ", html), "variances are those of the built-in prior", fixed = TRUE)
  expect_match(html, "This is not known, because nothing was judged.", fixed = TRUE)
  grades <- stats::setNames(judgments_of(x)[c("query", "doc", "gain")], c("query", "doc", "grade"))
  graded <- rank_systems(x, judgments = FALSE, grades = grades)
  expect_match(judging_facts(graded, NULL, NULL), "the model, the grades and the systems' lists alone", fixed = TRUE)
  html <- written(x, judgments = judgments_of(x)[1:10, ])
  expect_match(html, "because how the judged documents were selected", fixed = TRUE)
  expect_match(gsub("\\s+", " ", html), "The collection came with 10 judgments; how the documents", fixed = TRUE)

  one <- rank_systems(test_collection(data.frame(system = "A", query = "q", doc = "d", rank = 1), k = 1))
  expect_match(ranking_methods(one, NULL), "^1 system was evaluated by mean rating over 1 question[.]")

  html <- written(rank_systems(x, "published", judgments = FALSE))
  expect_match(html, "published (overconfident)", fixed = TRUE)
  expect_match(html, "rank_systems(x, &quot;published&quot;, judgments = FALSE)", fixed = TRUE)

  comparison <- compare_systems(evaluate(x, judgments_of(x), "AG@5"), "friedman_tukey")
  html <- written(comparison)
  expect_self_contained(html)
  expect_match(html, sprintf("%d of the 6 pairs", sum(comparison$pairs$significant)), fixed = TRUE)
  expect_identical(comparison_report(comparison, "")$plotted, 4L)
  expect_identical(comparison_report(compare_systems(comparison$scores, "t"), "")$plotted, 6L)
})

# Runs the code in a report's section Reproduce, in a folder with the files to which the report links; returns the
# result.
reproduced <- function(html) {
  links <- regmatches(html, gregexpr("All data, as text: .*?[.] The code", html, perl = TRUE))[[1]]
  files <- regmatches(links, gregexpr("download=\"[^\"]*\" href=\"data:text/csv;charset=utf-8,[^\"]*", links))[[1]]
  code <- sub("(?s).*computes the results again</summary><pre[^>]*>(.*?)</pre>.*", "\\1", html, perl = TRUE)
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  for (file in files) {
    content <- utils::URLdecode(sub(".*utf-8,", "", file))
    cat(content, "\n", file = sub("download=\"([^\"]*)\".*", "\\1", file), sep = "")
  }
  code <- gsub("&#96;", "`", gsub("&quot;", "\"", gsub("&lt;", "<", code, fixed = TRUE), fixed = TRUE), fixed = TRUE)
  # The warning about grades that are no levels of the scale is repeated here.
  utils::capture.output(result <- suppressWarnings(eval(parse(text = paste0("local({", code, "\nresult})")))))
  expect_true(file.exists("report.html"))
  result
}

# Like written(), but keeps line ends.
as_html <- function(x) {
  file <- tempfile(fileext = ".html")
  report(x, file)
  paste(readLines(file, encoding = "UTF-8", warn = FALSE), collapse = "\n")
}

test_that("the code in a report's section Reproduce gives the same results", {
  skip_without_pandoc()
  x <- report_collection()
  grades <- transform(judgments_of(x)[1:60, ], gain = round(gain / 25))
  ranking <- rank_systems(x, grades = grades, judgments = judgments_of(x)[1:20, ], measure = "nDCG@5", level = 0.9, seed = 1)
  expect_equal(as.data.frame(reproduced(as_html(ranking))), as.data.frame(ranking), tolerance = 0.01)
  s <- judging_session(x, goal_budget(20), grades = grades, seed = 1, judgments = FALSE)
  run_session(s, judgments_of(x), progress = FALSE)
  judge_finally <- judgments_of(s)[3, ]
  judge(s, judge_finally$query, judge_finally$doc, 7, "lead", final = TRUE)
  html <- as_html(s)
  expect_match(html, "The code fits the model to all judgments at once", fixed = TRUE)
  expect_no_match(html, "readRDS|[.]rds")
  again <- rank_systems(x, grades = grades, judgments = judgments_of(s), seed = 1)
  expect_equal(as.data.frame(reproduced(html)), as.data.frame(again))
  comparison <- compare_systems(evaluate(x, judgments_of(x), "nDCG@5"), seed = 3)
  expect_equal(reproduced(as_html(comparison))$pairs, comparison$pairs)
  tested <- compare_systems(evaluate(x, judgments_of(x), "AP"), significance_test("wilcoxon", "better", adjust = "BH",
                                                                                  zeros = "pratt"), level = 0.8)
  expect_equal(reproduced(as_html(tested))$pairs, tested$pairs)
})

test_that("a report's code names models that were not in a file, and escapes hostile names", {
  x <- report_collection()
  x$systems$system <- c("=1+1", "a\"b", "'=x", "<b>`{c}`")
  x$queries$language <- rep(c("@de", "en"), c(5, 3))
  x$scale <- gain_scale(x$scale$levels)
  model <- gain_prior(mean = 0.3)
  rankings <- rank_systems(x, past = model, judgments = judgments_of(x)[1:30, ], by = "language")
  data <- ranking_data(rankings[[1]])
  expect_identical(data$absent, "past")
  folder <- withr::local_tempdir()
  withr::local_dir(folder)
  for (name in names(data$tables)) write_csv(data$tables[[name]], name, "file")
  envir <- list2env(list(past = model), parent = environment())
  eval(parse(text = setdiff(data$code, grep("report", data$code, value = TRUE))), envir)
  expect_equal(as.data.frame(envir$result), as.data.frame(rankings[[1]]))
})

test_that("a report orders undecided pairs by uncertainty and rank, and groups identical systems", {
  x <- report_collection()
  ranking <- rank_systems(x, judgments = judgments_of(x)[1:10, ], level = 0.95)
  open <- report_open_pairs(pairs_with_intervals(ranking), ranking)
  place <- match(open$system_a, head(ranking, Inf)$system)
  expect_gt(nrow(open), 2)
  expect_false(is.unsorted((open$confidence - 1) / place))
  runs <- as.data.frame(x)
  twin <- transform(runs[runs$system == runs$system[1], ], system = "twin")
  x <- test_collection(rbind(runs, twin)[c("system", "query", "doc", "rank")], judgments = judgments_of(x)[1:10, ])
  ranking <- rank_systems(x)
  pairs <- pairs_with_intervals(ranking)
  open <- report_open_pairs(pairs, ranking)
  systems <- unique(c(open$system_a, open$system_b))
  expect_length(grep("twin", systems), 1)
  expect_match(grep("twin", systems, value = TRUE), " = twin")
  expect_false(anyDuplicated(open[c("system_a", "system_b")]) > 0)
})

test_that("reports are accessible on wide and narrow screens, in the light and the dark theme", {
  skip_without_pandoc()
  skip_without_browser()
  x <- report_collection()
  file <- tempfile(fileext = ".html")
  ranking <- rank_systems(x, judgments = judgments_of(x)[1:30, ])
  browser <- new_browser()
  for (made in list(ranking, compare_systems(evaluate(x, judgments_of(x), "AG@5"), "friedman_tukey"))) {
    report(made, file)
    html <- readLines(file, warn = FALSE)
    expect_no_match(html, "<img[^>]*alt=\"\"")
    for (style in c("light", "dark")) {
      for (phone in c(FALSE, TRUE)) {
        tab <- new_tab(browser, size = if (phone) c(375, 667) else c(1280, 800), phone = phone)
        send_command(tab, "Emulation.setEmulatedMedia", list(features = list(list(name = "prefers-color-scheme",
                                                                                 value = style))))
        go_to(tab, paste0("file://", file))
        wait_for(tab, "document.readyState === 'complete' && document.images.length > 0")
        expect_identical(in_page(tab, "document.documentElement.lang"), "en")
        expect_lte(in_page(tab, "document.documentElement.scrollWidth - window.innerWidth"), 0)
        expect_null(accessibility_problems(tab))
        expect_null(axe_problems(tab))
        close_tab(tab)
      }
    }
  }
})

test_that("the verdict on the predictions depends on the interval of z2", {
  row <- function(n, z2, lower, upper, systems = 0.9) {
    data.frame(judgments = c("audit", "selected", "systems"), n = n, z2 = c(z2, z2, 2),
               lower = c(lower, lower, systems), upper = upper)
  }
  expect_match(calibration_verdict(row(5, 1, 0.5, 1.5)), "^Too few")
  expect_match(calibration_verdict(row(20, 1, 0.5, 1.5)), "do not contradict the predictions")
  expect_match(calibration_verdict(row(20, 3, 2, 4)), "overconfident about single documents")
  expect_match(calibration_verdict(row(20, 0.3, 0.1, 0.6)), "underconfident")
  expect_match(calibration_verdict(row(20, 1, 0.5, 2.5, 1.6))[2], "their z2 is 2.00 (1.60 to 2.50)", fixed = TRUE)
})

test_that("the table of assessors has costs only if judgments have prices", {
  of <- data.frame(assessor = c("ann", "bob"), judged = c(3L, 2L), skipped = c(0L, 1L), median_seconds = c(4.25, NA),
                   cost = c(3, 2))
  expect_named(report_assessors(of), c("assessor", "judged", "skipped", "median seconds"))
  expect_identical(unclass(report_assessors(of)[[4]])[1:2], c("4.2", "\u2013"))
  of$cost <- c(6, 2)
  expect_identical(report_assessors(of)$cost, c(6, 2))
  expect_null(report_assessors(of[0, ]))
})

test_that("objects that cannot be reported, and files that cannot be written, raise errors", {
  folder <- tempfile()
  expect_snapshot(error = TRUE, transform = function(lines) gsub(folder, "FOLDER", lines, fixed = TRUE), {
    report(1)
    report(ams_demo, file.path(folder, "report.html"))
    report(rank_systems(ams_demo, judgments = FALSE), level = 0.9)
  })
})

test_that("the LaTeX output for a ranking is its table", {
  ranking <- rank_systems(report_collection(), judgments = FALSE)
  latex <- toLatex(ranking)
  best <- head(ranking, 1)
  expect_s3_class(latex, "Latex")
  expect_length(latex, 4 + 4 + 2)
  expect_identical(latex[5], sprintf("1 & %s & %s & %.2f & %.2f & %.2f\\\\", best$system, best$team,
                                     best$estimate, best$lower, best$upper))
  expect_match(toLatex(ranking, digits = 0)[5], sprintf(" %.0f ", best$estimate), fixed = TRUE)
})

test_that("judicious report writes the report of the ranking by judicious rank", {
  skip_without_pandoc()
  file <- tempfile(fileext = ".html")
  on.exit(unlink(file))
  ran <- cli("report", demo_words(), "-j", demo_file("some.tsv"), "--file", file, "--title", "Systems of the demo")
  expect_identical(ran$status, 0L)
  expect_identical(ran$out, character())
  expect_match(ran$err[1], "Ranking of 6 systems by mean AG@5 with [0-9]+ judgments: confidence")
  html <- paste(readLines(file, warn = FALSE), collapse = " ")
  expect_match(html, "Systems of the demo", fixed = TRUE)
  confidence <- cli_data("rank", demo_words(), "-j", demo_file("some.tsv"), "--table", "summary")$confidence
  expect_match(html, sprintf("<strong>%.3f</strong>", confidence), fixed = TRUE)
})

test_that("a report of one stratum names it, and its code computes that ranking again", {
  skip_without_pandoc()
  x <- report_collection()
  x$queries$language <- rep(c("de", "en"), c(5, 3))
  judgments <- judgments_of(x)[1:30, ]
  rankings <- rank_systems(x, judgments = judgments, by = "language")
  html <- written(rankings$en)
  expect_self_contained(html)
  expect_match(html, "Ranking of 4 systems, language en", fixed = TRUE)
  expect_match(html, sprintf("<strong>%.3f</strong>", ranking_confidence(rankings$en)), fixed = TRUE)
  expect_match(ranking_data(rankings$en)$code, "by = \"language\")[[\"en\"]]", fixed = TRUE, all = FALSE)
  expect_match(ranking_methods(rankings$de, NULL), "over 5 queries", fixed = TRUE)
  expect_snapshot(error = TRUE, report(rankings))
  expect_error(report(x, judgments = judgments, by = "language"), "one per stratum", class = "judicious_error_argument")
})

test_that("a report of a collection states inter-assessor agreement, and that another assessor may differ", {
  x <- simulate_collection(queries = 8, documents = 120, artists = 20, systems = 4, scale = gain_scale(0:3), seed = 5)
  some <- judgments_of(x)[1:40, ]
  of <- function(judgments) {
    file <- withr::local_tempfile(fileext = ".html")
    report(rank_systems(x, judgments = judgments), file)
    paste(readLines(file), collapse = " ")
  }
  ranking <- rank_systems(x, judgments = some)
  expect_match(of(some), other_assessor_note(ranking), fixed = TRUE)
  expect_match(of(some), "no document was judged by two assessors")
  twice <- rbind(cbind(some, assessor = "ann"), transform(some[1:20, ], gain = pmin(gain, 2), assessor = "bob"))
  both <- of(rbind(twice, transform(some[1:10, ], assessor = "cleo")))
  expect_match(both, "The collection came with 70 judgments of 40 documents; how", fixed = TRUE)
  expect_match(both, sprintf("weights is %.3f, for 20 documents judged twice",
                             agreement(some$gain[1:20], pmin(some$gain[1:20], 2), weights = "quadratic")$estimate))
  expect_match(both, "in the consensus[.]")
})

test_that("links to tables encode texts that look encoded already", {
  link <- download_link(data.frame(system = c("a%20b", "100%ab", "c&d"), mean = 1:3), "table.csv")
  content <- utils::URLdecode(sub(".*utf-8,([^\"]*)\".*", "\\1", link))
  expect_identical(utils::read.csv(text = content)$system, c("a%20b", "100%ab", "c&d"))
})
