# Names and texts from other people reach programs that interpret text. No program may interpret them.

esc <- "\033"

test_that("identifiers with control characters raise an error that names the row or line", {
  for (bad in c("a\nb", "a\tb", paste0("a", esc, "[2J"), "a\u009b2J", "a\177")) {
    for (column in c("system", "query", "doc")) {
      runs <- data.frame(system = c("A", "B"), query = "q", doc = c("d", "e"), rank = 1)
      runs[[column]][2] <- bad
      expect_error(test_collection(runs), "row 2", class = "judicious_error_columns")
    }
  }
  expect_snapshot(error = TRUE, test_collection(
    data.frame(system = c("A", "B\033[2J"), query = "q", doc = c("d", "e"), rank = 1)))
  read <- function(..., reader = read_runs) {
    file <- withr::local_tempfile(lines = c(...))
    tryCatch(reader(file), error = conditionMessage)
  }
  expect_match(read("q Q0 d 1 2 A", "q Q0 d\033[2J 2 1 A"), "line 2 of", fixed = TRUE)
  expect_match(read("q Q0 d 1 2 A", "q Q0 e 2 1 A\033[2J"), "line 2 of", fixed = TRUE)
  expect_match(read("system,query,doc", "A,q,\"a\nb\""), "Column \"doc\"", fixed = TRUE)
  expect_match(read("query\tdoc\tgain", "q\td\u009b\t1", reader = read_judgments), "line 2 of", fixed = TRUE)
  expect_match(read("system,query,do\033c", "A,q,d"), "names of columns")
})

test_that("text is escaped in every output format", {
  expect_false(any(grepl("[\001-\b\013-\037\177]", terminal_text(hostile_texts))))
  expect_false(any(grepl("[\u0080-\u009f\u202a-\u202e]", terminal_text(hostile_texts))))
  expect_identical(terminal_text("caf\u00e9\tx\ny"), "caf\u00e9\tx\ny")
  expect_identical(terminal_text("\033[2J"), "<U+001B>[2J")
  expect_false(any(grepl("[<>\"`]|&(?!(amp|lt|gt|quot|#96);)", html_text(hostile_texts), perl = TRUE)))
  expect_false(any(grepl("\n", c(markdown_text(hostile_texts), yaml_text(hostile_texts)), fixed = TRUE)))
  expect_identical(csv_value(csv_text(hostile_texts)), hostile_texts)
  expect_false(any(grepl("^[=+@\t\r\n-]", csv_text(hostile_texts))))
  skip_if_not_installed("rmarkdown")
  front_matter <- function(line) {
    file <- withr::local_tempfile(lines = enc2utf8(c("---", line, "---")))
    rmarkdown::yaml_front_matter(file)
  }
  said <- sprintf("title: \"%s\"", yaml_text(hostile_texts))
  for (i in seq_along(said)) {
    expect_identical(front_matter(said[i]), list(title = with_visible_controls(hostile_texts[i])))
  }
})

test_that("formula escapes in exported CSV files are removed when they are read back, and can be left out", {
  x <- hostile_collection()
  s <- judging_session(x, seed = 1, judgments = judgments_of(x)[1:20, ])
  csv <- withr::local_tempfile(fileext = ".csv")
  export_judgments(s, csv)
  made <- judgments_of(s)
  expect_identical(as.data.frame(read_judgments(csv))[c("query", "doc", "gain")], made[c("query", "doc", "gain")])
  cells <- unlist(utils::read.csv(csv, colClasses = "character"))
  expect_false(any(grepl("^[=+@\t\r-]", cells)))
  runs <- as.data.frame(x)[c("system", "query", "doc", "rank")]
  write_csv(runs, csv, "x")
  expect_identical(read_runs(csv)[1:3], runs[1:3], ignore_attr = TRUE)
  write_csv(runs, csv, "x", formulas = TRUE)
  expect_true(any(startsWith(readLines(csv), "=cmd")))
})

test_that("escape sequences do not reach the terminal, and identifiers in paths do not lead to other files", {
  folder <- withr::local_tempdir()
  dir.create(file.path(folder, "texts"))
  writeLines("secret", file.path(folder, "secret.txt"))
  writeLines(hostile_texts, file.path(folder, "texts", "d.txt"), useBytes = TRUE)
  ids <- c("d", "../secret")
  runs <- data.frame(system = c("A", "B"), query = "q", doc = ids, rank = 1)
  x <- suppressWarnings(test_collection(runs, documents = data.frame(doc = ids, artist = "\033]52;c;AAAA\a")))
  s <- judging_session(x, seed = 1, audit = 0, judgments = FALSE)
  answers <- c("1", "0")
  shown <- utils::capture.output(type = "message", judge_on_terminal(
    s, list(assessor = "me", show = file.path(folder, "texts", "{doc}.txt")), function() {
      answer <- answers[1]
      answers <<- answers[-1]
      if (!is.na(answer)) answer
    }))
  expect_false(any(grepl("[\u0001-\u0008\u000b-\u001f\u009b]", shown)))
  expect_match(shown, "<U+001B>]52", fixed = TRUE, all = FALSE)
  expect_match(shown, "leads to another folder", all = FALSE)
  expect_false("secret" %in% shown)
  place <- function(template, query, doc) document_place(template, data.frame(query = query, doc = doc))
  expect_match(place("{doc}", "q", "/etc/passwd"), "^This document")
  expect_match(place("t/{query}{doc}", ".", "./x"), "^This document")
  expect_identical(place("../t/{doc}", "q", "a..b"), "../t/a..b")
  expect_identical(place("/t/{doc}", "q", "x"), "/t/x")
})

test_that("markup in names neither embeds files nor executes code in a report", {
  skip_without_pandoc()
  folder <- withr::local_tempdir()
  secret <- file.path(folder, "secret.txt")
  writeLines("SECRET", secret)
  breaking <- c(sprintf("a```![x](%s)", secret), sprintf("<img src=\"%s\">", secret), sprintf("![x](%s)", secret))
  x <- hostile_collection(c(breaking, hostile_ids))
  x$systems$team <- x$systems$system
  encoded <- jsonlite::base64_enc(charToRaw("SECRET"))
  expect_harmless <- function(html) {
    images <- regmatches(html, gregexpr("<img[^>]*>", html))[[1]]
    # Pandoc 3 adds a role and a label.
    harmless <- paste0("^<img (role=\"img\" aria-label=\"[^\"<>]*\" )?src=\"data:image/png;base64,[^\"<>]*\" ",
                       "alt=\"[^\"<>]*\" ?/?>$")
    expect_identical(grep(harmless, images, value = TRUE, invert = TRUE), character())
    expect_false(grepl(substr(encoded, 1, 6), html, fixed = TRUE))
    # The only script is that of rmarkdown.
    expect_lte(lengths(regmatches(html, gregexpr("<script", html))), 1)
    expect_false(grepl("<script>alert", html, fixed = TRUE))
  }
  report_of <- function(x, ...) {
    file <- withr::local_tempfile(fileext = ".html")
    suppressWarnings(report(x, file, ...))
    paste(readLines(file, warn = FALSE, encoding = "UTF-8"), collapse = "\n")
  }
  title <- "He said \"hi\"\nauthor: [evil]\n---\n![x](secret.txt) `r stop()` <b>"
  html <- report_of(rank_systems(x, seed = 1), title = title)
  expect_harmless(html)
  expect_true(grepl("<h1[^>]*>He said .{1,8}hi.{1,8}&lt;U\\+000A&gt;author:\\s\\[evil\\]", html))
  # Readers reject line breaks in names, but a stored session may contain them.
  y <- x
  y$systems$system[1] <- sprintf("a\n```\n\n![x](%s)\n", secret)
  expect_harmless(report_of(y))
  queries <- x$queries
  x$queries$stratum <- ifelse(seq_len(nrow(queries)) %% 2, breaking[1], "`r stop()`# <b>")
  expect_harmless(report_of(rank_systems(x, by = "stratum", seed = 1)[[1]]))
  expect_harmless(report_of(compare_systems(evaluate(x, measure = "AG@3"), seed = 1)))
})

test_that("LaTeX commands in names are escaped in LaTeX tables", {
  skip_if_not_installed("knitr")
  x <- hostile_collection()
  lines <- toLatex(rank_systems(x, seed = 1))
  expect_no_match(lines, "\\\\input|[^\\\\]\\$\\\\")
  expect_no_match(toLatex(compare_systems(evaluate(x, measure = "AG@3"), seed = 1)), "\\\\input")
})
