# The hostile texts of helper-hostile.R in every output: printed objects and conditions, files, the command line, a
# terminal, plots, the judging page and the lead's view. test-hostile-output.R tests the escaping functions and the
# report.

# A session over the hostile collection, with judgments by assessors with hostile names, and comments.
hostile_judging <- function(...) {
  x <- hostile_collection(texts = hostile_texts)
  s <- judging_session(x, goal = goal_mean(by = "=cmd<b>`"), seed = 1, overlap = 0.5,
                       judgments = judgments_of(x)[1:12, ], ...)
  for (who in hostile_ids[1:4]) {
    d <- next_documents(s, 3, who)
    judge(s, d$query, d$doc, rep_len(0:1, nrow(d)), who)
    for (i in seq_len(nrow(d))) {
      add_note(s, d$query[i], d$doc[i], substr(hostile_texts[(i + nchar(who)) %% 22 + 1], 1, 200), TRUE, who)
    }
  }
  s
}

test_that("control sequences in data reach neither the terminal nor R's messages", {
  s <- hostile_judging()
  x <- s$engine$x
  ranking <- rank_systems(x, judgments = judgments_of(s), seed = 1)
  scores <- evaluate(x, measure = c("AG@3", "P@2"))
  comparison <- suppressWarnings(compare_systems(scores, measure = "AG@3", seed = 1))
  strange <- x
  # Readers reject control characters, so they are set in the object directly.
  strange$systems$system[5] <- "a\033[2Jb\nc"
  strange$queries$query[1] <- "q\033]52;c;A\a"
  objects <- list(
    x, summary(x), s, progress(s), calibration(s), ranking, rank_systems(x, by = "=cmd<b>`"), scores, comparison,
    summary(comparison), system_differences(ranking), uncertainty(ranking, hostile_ids[3]), s$engine$goal,
    check_runs(as.data.frame(x)[1:4]), joint_gains(x, judgments = judgments_of(s)),
    strange, rank_systems(strange, seed = 1), evaluate(strange), system_differences(rank_systems(strange, seed = 1))
  )
  for (one in objects) {
    told <- utils::capture.output(shown <- utils::capture.output(print(one)), type = "message")
    expect_no_controls(c(shown, told), of = class(one)[1])
  }
  said <- function(code) tryCatch(code, condition = conditionMessage)
  expect_no_controls(c(
    said(rank_systems(x, by = "a\u202e\u001b[2J")), said(uncertainty(ranking, "a\u202eb\u001b]52;c;A\a")),
    said(rank_systems(x, judgments = data.frame(query = "q\u202e", doc = "d\033[2J", gain = 1))),
    said(judge(s, "q\u202e", "d\033[2J", 1, "me")), said(read_runs("\u001b[2J\u202e.txt")), said(measure("\033[2J")),
    said(rank_systems(x, judgments = data.frame(query = hostile_ids[1], doc = hostile_ids[3], gain = 9)))
  ), of = "conditions")
  # Colours that cli itself adds are kept.
  withr::local_options(cli.num_colors = 256L)
  expect_match(message_text(cli::format_inline("{.val {1}} \033[2J")), "^\033\\[[0-9]+m1\033\\[[0-9]+m <U\\+001B>")
})

# The cells of a CSV file, with the header.
cells_of <- function(path) {
  unlist(utils::read.csv(path, header = FALSE, colClasses = "character", na.strings = NULL), use.names = FALSE)
}

test_that("files with hostile text are read back unchanged", {
  s <- hostile_judging()
  folder <- withr::local_tempdir()
  at <- function(name) file.path(folder, name)
  made <- judgments_of(s)
  export_judgments(s, at("a.csv"))
  export_judgments(s, at("log.csv"), all = TRUE)
  tables <- Filter(function(file) file$ext == "csv", lead_files(list()))
  for (file in tables) file$write(s, at(paste0(file$id, ".csv")))
  for (file in list.files(folder, full.names = TRUE)) {
    expect_identical(grep("^[=+@\t\r-](?![0-9.]+$)", cells_of(file), value = TRUE, perl = TRUE), character(), info = file)
    # Line ends within a field are quoted.
    expect_length(unique(lengths(utils::read.csv(file, colClasses = "character"))), 1)
  }
  back <- read_judgments(at("a.csv"))
  expect_identical(back[c("query", "doc", "gain", "assessor", "audit", "overlap", "final")],
                   made[c("query", "doc", "gain", "assessor", "audit", "overlap", "final")], ignore_attr = TRUE)
  skip_if_not_installed("nanoparquet")
  export_judgments(s, at("a.parquet"))
  expect_identical(nanoparquet::read_parquet(at("a.parquet"))$comment, made$comment)
  expect_error(export_judgments(s, at("a.qrels")), "white space")
})

test_that("the command line writes hostile text in every format without interpreting it", {
  x <- hostile_collection(texts = hostile_texts)
  folder <- withr::local_tempdir()
  at <- function(name) file.path(folder, name)
  runs <- as.data.frame(x)[c("system", "query", "doc", "rank")]
  write_csv(runs, at("runs.csv"), "x")
  write_csv(judgments_of(x), at("judgments.csv"), "x")
  documents <- x$documents[names(x$documents) != "text"]
  write_csv(documents, at("documents.csv"), "x")
  queries <- x$queries[names(x$queries) != "text"]
  write_csv(queries, at("queries.csv"), "x")
  commands <- list(
    rank = c("-j", at("judgments.csv"), "--documents", at("documents.csv"), "--queries", at("queries.csv"), "-k", "3"),
    rank = c("-j", at("judgments.csv"), "--queries", at("queries.csv"), "-k", "3", "--by", "=cmd<b>`"),
    "next" = c("-k", "3", "--scale", "0,1", "-n", "9", "--seed", "1"), evaluate = c("-j", at("judgments.csv"), "--per", "query"),
    compare = c("-j", at("judgments.csv"), "-M", "AG@3"),
    features = c("-k", "3", "--documents", at("documents.csv"))
  )
  for (i in seq_along(commands)) {
    written <- lapply(c(csv = "csv", json = "json", tsv = "tsv"), function(format) {
      out <- at(paste0("out.", format))
      ran <- cli(names(commands)[i], at("runs.csv"), commands[[i]], "-o", out, "--format", format)
      expect_identical(ran$status, 0L, info = paste(ran$err, collapse = "\n"))
      expect_no_controls(c(ran$out, ran$err), of = names(commands)[i])
      out
    })
    expect_identical(grep("^[=+@\t\r-](?![0-9.]+(e[-+]?[0-9]+)?$)", cells_of(written$csv), value = TRUE, perl = TRUE),
                     character(), info = names(commands)[i])
    json <- jsonlite::fromJSON(written$json)
    tsv <- utils::read.delim(written$tsv, quote = "", colClasses = "character", check.names = FALSE)
    texts <- vapply(json, is.character, NA)
    expect_identical(names(json), names(tsv))
    expect_identical(unclass(json)[texts], unclass(tsv)[texts], ignore_attr = TRUE)
    csv <- utils::read.csv(written$csv, colClasses = "character", check.names = FALSE)
    expect_identical(lapply(csv[texts], csv_value), lapply(tsv[texts], identity), ignore_attr = TRUE)
  }
  told <- cli("rank", at("runs.csv"), "-j", "\u001b[2J\u202e", "--by", "\033]52;c;A\a")
  expect_no_controls(told$err, of = "errors")
})

test_that("plots show hostile names as plain text", {
  skip_if_not_installed("ggplot2")
  skip_if_not(capabilities("cairo"))
  x <- hostile_collection()
  ranking <- rank_systems(x, seed = 1, judgments = judgments_of(x)[1:9, ])
  comparison <- suppressWarnings(compare_systems(evaluate(x, measure = "AG@3"), seed = 1))
  for (draw in list(function() plot(ranking), function() plot(ranking, type = "confidence"),
                    function() plot(comparison))) {
    file <- withr::local_tempfile(fileext = ".svg")
    grDevices::svg(file)
    draw()
    grDevices::dev.off()
    svg <- paste(readLines(file), collapse = "\n")
    expect_no_match(svg, "<script|<image|onerror|secret|<foreignObject|<a ")
    # Labels are strings, not expressions.
    labels <- ggplot2::ggplot_build(ggplot2::autoplot(ranking))$layout$panel_params[[1]]$y$get_labels()
    expect_type(labels, "character")
  }
})

test_that("control sequences in a stored session do not reach the terminal", {
  skip_on_cran()
  skip_on_os(c("windows", "mac", "solaris"))
  skip_if_not(nzchar(Sys.which("script")), "the program script")
  skip_if_not_installed("RSQLite")
  store <- withr::local_tempfile(fileext = ".sqlite")
  close_session(hostile_judging(store = store))
  folder <- withr::local_tempdir()
  writeLines(hostile_texts, file.path(folder, "shown.txt"), useBytes = TRUE)
  code <- sprintf(".libPaths(%s); library(judicious); judicious:::cli_main(c('judge', '--store', '%s', '--as', '%s', '--show', '%s'))",
                  paste(deparse(.libPaths()), collapse = ""), store, "@SUM(1)", file.path(folder, "shown.txt"))
  run <- file.path(folder, "run.R")
  writeLines(code, run)
  command <- sprintf("%s --no-save %s", shQuote(file.path(R.home("bin"), "Rscript")), shQuote(run))
  # In a terminal of 80 columns, with colours.
  seen <- suppressWarnings(system2("script", c("-qec", shQuote(command), "/dev/null"), stdout = TRUE, stderr = TRUE,
                                   input = c("1", "p", "s not sure", "0", "u", "7", "q"), env = "COLORTERM=truecolor TERM=xterm"))
  expect_match(seen, "Document  ", all = FALSE)
  expect_match(seen, "<U+001B>]52", fixed = TRUE, all = FALSE)
  expect_match(seen, "<U+202E>", fixed = TRUE, all = FALSE)
  # The only permitted control sequences set colours and show the cursor.
  expect_no_controls(gsub("\r", "", enc2utf8(seen)), own = "\033\\[([0-9;]*m|[?]25[hl])", of = "a terminal")
})

test_that("the judging page and the lead's view do not execute text from the data", {
  skip_without_browser()
  for (package in c("RSQLite", "openssl")) skip_if_not_installed(package)
  store <- withr::local_tempfile(fileext = ".sqlite")
  s <- hostile_judging(store = store)
  who <- hostile_ids[[2]]
  tokens <- list(mine = add_assessor(s, who), lead = add_assessor(s, "lea<b>'\"", "lead"))
  close_session(s)
  served <- serve_app(c(
    sprintf("s <- open_session(%s)", deparse(store)),
    "app <- judge_app(s, render = 'markdown', guidelines = 'Be *fair*.', title = '</title><script>window.hacked=1</script>')"
  ))
  browser <- new_browser()
  quiet <- function(tab) {
    # No script of the data runs: the page's own scripts are in files or in the head.
    expect_identical(in_page(tab, "String(window.hacked)"), "undefined")
    expect_identical(in_page(tab, "document.querySelectorAll('img[src=x], img[src=\"secret.txt\"], [onerror], main script').length"),
                     0L)
    expect_identical(tab$log, character())
  }
  tab <- new_tab(browser, paste0(served$url, "#token=", tokens$mine))
  for (round in 1:4) {
    wait_for(tab, "document.querySelector('[data-task]') !== null && !document.body.classList.contains('busy')")
    quiet(tab)
    task <- in_page(tab, "document.querySelector('[data-task]').dataset.task")
    press(tab, "1")
    wait_for(tab, sprintf("!document.body.classList.contains('busy') && (document.querySelector('[data-task]') === null ||
                           document.querySelector('[data-task]').dataset.task !== %s)", deparse(task)))
    if (!in_page(tab, "document.querySelector('[data-task]') !== null")) break
  }
  quiet(tab)
  close_tab(tab)
  lead <- new_tab(browser, paste0(served$url, "#token=", tokens$lead))
  wait_for(lead, "document.querySelector('[data-view=lead]') !== null")
  in_page(lead, "document.querySelector('[data-view=lead]').click()")
  wait_for(lead, "document.querySelector('#lead_assessors table') !== null &&
                  document.querySelector('#lead_ranking img') !== null &&
                  /session/.test(document.getElementById('file_csv').href)")
  expect_match(in_page(lead, "document.querySelector('#lead_assessors').textContent"), who, fixed = TRUE)
  quiet(lead)
  csv <- withr::local_tempfile(fileext = ".csv")
  writeLines(in_page(lead, "fetch(document.getElementById('file_csv').href).then(r => r.text())"), csv, useBytes = TRUE)
  expect_identical(grep("^[=+@\t\r-](?![0-9.]+$)", cells_of(csv), value = TRUE, perl = TRUE), character())
  # qrels cannot hold identifiers with blanks, so the download is a message, which the page shows.
  expect_match(in_page(lead, "fetch(document.getElementById('file_qrels').href).then(r => r.text())"), "white space")
  close_tab(lead)
})
