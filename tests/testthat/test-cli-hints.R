# The arguments of R's functions, and the options of some command to which they are translated.
all_arguments <- function() {
  words <- do.call(c, lapply(unname(cli_commands()), cli_arguments))
  words[!duplicated(names(words))]
}

# The strings in calls in `code`. `select` decides which arguments to search, from the name of the called function and
# that of the argument.
texts_of <- function(code, select, within = FALSE) {
  if (is.character(code)) return(if (within) code)
  if (!is.call(code) && !is.pairlist(code)) return(NULL)
  parts <- which(!vapply(code, identical, NA, quote(expr = )))
  argument <- names(code) %||% character(length(code))
  unlist(lapply(parts, function(i) {
    texts_of(code[[i]], select, select(deparse1(code[[1]]), argument[i], i, within))
  }))
}

texts_in_package <- function(select) {
  space <- asNamespace("judicious")
  own <- Filter(is.function, mget(setdiff(ls(space, all.names = TRUE), "hint"), space))
  unique(gsub("\\s+", " ", unlist(lapply(own, function(f) texts_of(body(f), select)), use.names = FALSE)))
}

# The R code that a message contains as markup; inserted values are replaced by 1.
code_in <- function(text) {
  marked <- regmatches(text, gregexpr("\\{[.](fn|help|arg|code) (\\{[^}]*\\}|[^{}])*\\}", text))[[1]]
  code <- gsub("\\{[^}]*\\}", "1", sub("\\}$", "", sub("^\\{[.][a-z]+ ", "", marked)))
  ifelse(grepl("^.\\.(fn|help)", marked), paste0(code, "()"), code)
}

test_that("every hint in messages has a command-line wording, except those that only R users see", {
  arguments <- all_arguments()
  hints <- texts_in_package(function(f, argument, i, within) f != "hint" && (within || argument == "i"))
  expect_gt(length(hints), 250)
  in_r <- Filter(function(text) anyNA(vapply(code_in(text), cli_equivalent, "", arguments)), hints)
  expect_snapshot(writeLines(sort(in_r, method = "radix")))
})

test_that("messages of the command line contain no R code or markup", {
  arguments <- all_arguments()
  withr::local_options(judicious.shell = function(code) cli_equivalent(code, arguments))
  # The command line does not print the first wording of hint(), which is for R.
  texts <- texts_in_package(function(f, argument, i, within) f != "hint" || i > 2)
  texts <- grep("{.", texts, fixed = TRUE, value = TRUE)
  # Leaves out messages that are pasted together from several strings.
  texts <- grep("^[^{]*\\{[^}]*$", texts, invert = TRUE, value = TRUE)
  expect_gt(length(texts), 700)
  # Inserted values are replaced by a name, and plurals are removed.
  plain <- gsub("\\{cli::qty[^}]*\\}|\\{[?][^}]*\\}", "", texts)
  plain <- gsub("\\{[^.{}]([^{}]|\\{[^{}]*\\})*\\}", "{'a'}", plain)
  said <- vapply(plain, function(text) {
    name_shell_options()
    gsub(in_r_only, "", cli::ansi_strip(cli::format_inline(text)), fixed = TRUE)
  }, "", USE.NAMES = FALSE)
  expect_identical(grep("`|[a-z_]+\\(\\)|\\{[.]", said, value = TRUE), character())
})

test_that("R code in messages is translated into command-line options", {
  arguments <- c(unjudged = "--unjudged", failed = "--failed", scale = "--scale", ties = "--ties", x = "RUNS")
  form <- function(code) unname(vapply(code, cli_equivalent, "", arguments))
  expect_identical(form(c("x", "ties = \"rank\"", "failed = -1", "failed = c(-1, 99)", "failed = numeric()",
                          "scale = 0:3", "scale = fine_scale()", "c(\"AG@5\", \"AP\")", "--negative zero")),
                   c("RUNS", "--ties rank", "--failed=-1", "--failed=-1,99", "--failed ''", "--scale 0:3",
                     "--scale fine", "AG@5,AP", "--negative zero"))
  expect_identical(form(c("rank_systems()", "rank_systems(x, measure = )", "significance_test(\"t\", adjust = \"holm\")",
                          "evaluate(unjudged = \"bounds\")", "judicious fit --save", "sqlite3 FILE .recover")),
                   c("judicious rank", "judicious rank --measure", "--test t --adjust holm",
                     "judicious evaluate --unjudged bounds", "judicious fit --save", "sqlite3 FILE .recover"))
  expect_identical(form(c("encoding", "plot()", "store = NULL", "x$weight <- NULL", "ranking[[\"a\"]]",
                          "judging_session(judgments = FALSE)")), rep(NA_character_, 6))
  expect_identical(as_code("scale = 0:3"), "`scale = 0:3`")
})

test_that("an error about a missing package names the feature that needs it", {
  expect_snapshot(error = TRUE, need_package("no.such.package", "{.fn plot}", call = NULL))
  withr::local_options(judicious.shell = function(code) cli_equivalent(code, character()))
  said <- tryCatch(need_package("no.such.package", "{.fn plot}", call = NULL), error = cli_one_line)
  expect_identical(said, paste("plot needs the package no.such.package, which is not installed. Install it with",
                               "Rscript -e 'install.packages(\"no.such.package\")'."))
})
