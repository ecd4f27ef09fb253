# All code in README.md runs. Each block runs in a separate folder with the files that it names.

readme_blocks <- function(language) {
  lines <- readLines(project_file("README.md"))
  fences <- grep("^```", lines)
  opening <- fences[seq(1, length(fences), 2)]
  closing <- fences[seq(2, length(fences), 2)]
  blocks <- Map(function(from, to) lines[(from + 1):(to - 1)], opening, closing)
  blocks[lines[opening] == paste0("```", language)]
}

# The files of the first block: a collection with ten results per list, and texts for the judging page.
readme_folder <- function(envir = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = envir)
  write <- function(data, name) {
    utils::write.table(data, file.path(folder, name), sep = "\t", quote = FALSE, row.names = FALSE)
  }
  x <- simulate_collection(queries = 8, documents = 150, artists = 20, systems = 4, k = 10, seed = 1)
  write(as.data.frame(x)[c("system", "query", "doc", "rank")], "runs.txt")
  write(cbind(x$documents, title = paste("Title of", x$documents$doc)), "docs.tsv")
  write(x$systems, "teams.tsv")
  write(data.frame(query = x$queries$query, text = paste("Text of", x$queries$query)), "queries.tsv")
  truth <- judgments_of(x)
  write(data.frame(truth[c("query", "doc")], grade = truth$gain %/% 34), "grades.tsv")
  folder
}

skip_on_cran()
skip_on_covr()
skip_if_not(file.exists(project_file("README.md")), "README.md is not beside the tests")
for (package in c("RSQLite", "shiny", "openssl", "rmarkdown")) skip_if_not_installed(package)

test_that("the R code of README.md runs as written", {
  skip_if_not(rmarkdown::pandoc_available("2.0"), "no pandoc")
  folder <- readme_folder()
  grDevices::pdf(NULL)
  on.exit(grDevices::dev.off())
  envir <- new.env(parent = globalenv())
  blocks <- readme_blocks("r")
  expect_identical(length(blocks), 2L)
  for (block in blocks) {
    withr::with_dir(folder, for (line in parse(text = block)) {
      shown <- suppressMessages(withVisible(eval(line, envir)))
      # Prints results as the console would, except the app, which printing would start.
      if (shown$visible && !inherits(shown$value, "shiny.appobj")) utils::capture.output(print(shown$value))
    })
    for (name in c("s", "session")) if (exists(name, envir, inherits = FALSE)) close_session(get(name, envir))
    unlink(file.path(folder, "session.sqlite"))
    # The first block uses data of the package, the second one the user's files.
    rm(list = ls(envir), envir = envir)
  }
  expect_true(all(file.exists(file.path(folder, c("report.html", "judgments.qrels")))))
})

test_that("the first code block of README.md prints the output shown below it", {
  lines <- readLines(project_file("README.md"))
  at <- grep("<!-- (output|end) of data-raw/readme-output.R -->", lines)
  expect_identical(readme_output(readme_block(lines, at[1])), lines[(at[1] + 2):(at[2] - 2)])
})

test_that("README.md has at most 700 words", {
  expect_lt(length(scan(project_file("README.md"), "", quote = "", comment.char = "", quiet = TRUE)), 701)
})

test_that("the shell commands of README.md run as written, in the user's folder", {
  skip_on_os("windows")
  skip_if_not(file.exists(file.path(find.package("judicious"), "Meta", "package.rds")), "the package is not installed")
  block <- Filter(function(b) any(grepl("install_cli", b)), readme_blocks("sh"))[[1]]
  folder <- withr::local_tempdir()
  script <- file.path(folder, "commands.sh")
  writeLines(c("set -e -o pipefail", "cd \"$HOME\"", block), script)
  libraries <- paste(.libPaths(), collapse = .Platform$path.sep)
  # R CMD check puts an Rscript that fails first on the search path.
  path <- paste(R.home("bin"), Sys.getenv("PATH"), sep = .Platform$path.sep)
  out <- withr::with_envvar(c(HOME = folder, PATH = path, R_LIBS = libraries, R_TESTS = ""), suppressWarnings(
    system2("bash", shQuote(script), stdout = TRUE, stderr = TRUE, stdin = "/dev/null")
  ))
  expect_null(attr(out, "status"), info = paste(utils::tail(out, 5), collapse = "\n"))
  expect_true(all(file.exists(file.path(folder, "demo", c("session.sqlite", "report.html")))))
})

test_that("the scripts that README.md mentions exist", {
  commands <- unlist(readme_blocks("sh"))
  scripts <- sub("^bash ([^ ]+).*", "\\1", grep("^bash ", commands, value = TRUE))
  expect_setequal(scripts, c("tools/demo", "tools/check"))
  skip_if_not(dir.exists(project_file("tools")), "tools is not beside the tests")
  expect_true(all(file.exists(project_file(scripts))))
  expect_true(any(grepl("^R CMD build \\. && R CMD INSTALL judicious_\\*\\.tar\\.gz\\b", commands)))
})

# The sessions of bench/trust-table.R are among those of bench/rivals.R, whose means by budget and collection are stored
# with four significant digits.
test_that("the article's table of five collections, and the sentence below it, match the stored results", {
  stored <- project_file("vignettes/articles/results/rivals-details.csv")
  skip_if_not(file.exists(stored), "the stored results are not beside the tests")
  stored <- read.csv(stored)
  stored <- stored[stored$budget %in% c(50, 100, 200, 400), ]
  figures <- c("stated", "right", "z2", "coverage_differences", "coverage")
  lines <- readLines(project_file("vignettes/articles/paper.Rmd"))
  marks <- grep("^<!-- (table|end) of bench/trust-table.R -->$", lines)
  rows <- strsplit(gsub("^[|] | [|]$", "", lines[seq(marks[1] + 3, marks[2] - 1)]), " | ", fixed = TRUE)
  collections <- c("mirex-ams-2011", "clef-ehealth-2015", "trec-dl-2019", "trec-dl-2020", "trec-dl-2022-silver")
  expect_identical(vapply(rows, `[`, "", 1),
                   c("MIREX 2011", "CLEF eHealth 2015", "TREC DL 2019", "TREC DL 2020", "TREC DL 2022, silver labels"))
  for (i in seq_along(rows)) {
    means <- unlist(lapply(c("joint gains", "published MTC"), function(method) {
      colMeans(stored[stored$method == method & stored$collection == collections[i], figures])
    }))
    # The tolerance is half a unit of the last digit of the table plus that of the stored number.
    allowed <- ifelse(names(means) == "z2", 0.05 + 0.005 * means, 0.001)
    expect_lt(max(abs(as.numeric(rows[[i]][-1]) - means) / allowed), 1 + 1e-9)
  }
  joint <- stored[stored$method == "joint gains" & stored$collection %in% collections, ]
  worst <- joint[which.min(joint$coverage_differences), ]
  expect_identical(worst$collection, "trec-dl-2022-silver")
  expect_match(paste(lines, collapse = " "), fixed = TRUE, sprintf(
    "on TREC DL 2022, z2 is %.1f after %d judgments, and the intervals of differences cover %s.", worst$z2,
    worst$budget, sub("^0", "", sprintf("%.3f", worst$coverage_differences))
  ))
})

test_that("the figures of README.md match their data", {
  lines <- readLines(project_file("README.md"))
  file <- system.file("extdata", "gsm", "answers.jsonl.gz", package = "judicious")
  skip_if_not_installed("jsonlite")
  rows <- jsonlite::stream_in(gzfile(file), verbose = FALSE)
  right <- suppressWarnings(as.numeric(rows$answer) == as.numeric(gsub(",", "", rows$gold))) %in% TRUE
  truth <- tapply(right, rows$model, mean)
  ranking <- suppressMessages(rank_systems(read_answers(file)))
  pairs <- utils::combn(names(truth), 2)
  difference <- truth[pairs[1, ]] - truth[pairs[2, ]]
  estimated <- ranking$mean[pairs[1, ]] - ranking$mean[pairs[2, ]]
  share <- mean((sign(difference) == sign(estimated))[difference != 0])
  expect_match(lines, sprintf("^- %d language models, %d questions, [*]{2}no label[*]{2}: %.0f%% of the pairs",
                              length(truth), length(unique(rows$id)), 100 * share), all = FALSE)
  cells <- strsplit(lines[grep("^[|] (20|200) [|]", lines)], " *[|] *")
  expect_match(lines, sprintf("\\*\\*20 ratings\\*\\* .*\\(%s\\) than 200 alone \\(%s\\)",
                              sub("^0", "", sprintf("%.2f", as.numeric(cells[[1]][3]))),
                              sub("^0", "", sprintf("%.2f", as.numeric(cells[[2]][5])))), all = FALSE)
})
