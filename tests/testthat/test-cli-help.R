test_that("the help stored in the script equals the help of the commands", {
  generator <- test_path("../../data-raw/cli-help.R")
  skip_if_not(file.exists(generator), "the package is tested outside its repository")
  sys.source(generator, made <- new.env(parent = environment()))
  texts <- made$cli_help_texts()
  folder <- system.file("cli", package = "judicious", mustWork = TRUE)
  completion <- made$cli_completion()
  expect_setequal(dir(folder), c(paste0(names(texts), ".txt"), names(completion), "commands.dcf", "options.dcf"))
  for (name in names(completion)) expect_identical(readLines(file.path(folder, name)), unname(completion[[name]]))
  for (name in names(texts)) expect_identical(readLines(file.path(folder, paste0(name, ".txt"))), unname(texts[[name]]))
})

test_that("the script prints help without loading the package", {
  skip_on_cran()
  skip_on_os("windows")
  script <- system.file("exec", "judicious", package = "judicious")
  skip_if_not(nzchar(script), "the package is not installed")
  withr::local_path(R.home("bin"))
  shown <- function(...) suppressWarnings(system2(script, c(...), stdout = TRUE, stderr = TRUE))
  expect_identical(shown("--help"), cli("--help")$out)
  expect_identical(shown("rank", "runs.tsv", "-h"), cli("rank", "-h")$out)
  expect_match(shown("rnak", "--help")[1], "Did you mean \"rank\"")
})

test_that("help, --help and -h print the same help on standard output, with status 0", {
  expect_equal(cli("help", "rank"), cli("rank", "--help"))
  expect_equal(cli("rank", "-h"), cli("rank", "--help"))
  expect_equal(cli("--help")$status, 0L)
  expect_equal(cli("--version")$out, paste("judicious", utils::packageVersion("judicious")))
  expect_true(file.exists(file.path(cli("--examples")$out, "runs.tsv")))
})

test_that("help lines before the examples have at most 80 characters", {
  for (name in names(cli_commands())) {
    lines <- cli(name, "--help")$out
    lines <- lines[seq_len(match("Examples:", lines) - 1)]
    expect_lte(max(nchar(lines)), 80)
  }
})

test_that("the options of a command have different short names", {
  for (command in cli_commands()) {
    names <- vapply(command$options, `[[`, "", "name")
    short <- unlist(lapply(command$options, `[[`, "short"))
    expect_false(anyDuplicated(names) > 0)
    expect_false(anyDuplicated(short) > 0)
  }
})

test_that("the examples of every command run as printed", {
  skip_on_cran()
  skip_if_not_installed("RSQLite")
  skip_if_not_installed("jsonlite")
  skip_if_not_installed("openssl")
  folder <- new_folder()
  on.exit(unlink(folder, recursive = TRUE))
  file.copy(list.files(system.file("extdata", "demo", package = "judicious"), full.names = TRUE), folder)
  withr::local_dir(folder)
  examples <- unlist(lapply(cli_commands(), `[[`, "examples"))
  # Leaves out examples that need a pipe, an assessor, a browser or a language model.
  examples <- grep("\\||--browser|judge runs|--show|judicious grade", examples, value = TRUE, invert = TRUE)
  cli("judge", "runs.tsv", "--store", "session.sqlite", "--progress")
  for (example in unlist(strsplit(examples, " && "))) {
    words <- scan(text = sub("^judicious ", "", example), what = "", quiet = TRUE)
    expect_equal(cli(words)$status, 0L, label = example)
  }
})

test_that("the examples use only the files of --examples and those that they write", {
  examples <- unlist(lapply(cli_commands(), `[[`, "examples"))
  found <- function(pattern) unlist(regmatches(examples, gregexpr(pattern, examples, perl = TRUE)))
  used <- found("(?<= )[^ ='{}/]+[.](csv|tsv|txt|jsonl?|run|sqlite|cbor)(?= |$)")
  written <- c(found("(?<= -o )[^ ]+"), found("(?<=--export )[^ ]+"), found("(?<=--output )[^ ]+"), "session.sqlite")
  expect_identical(setdiff(used, c(dir(cli("--examples")$out), written)), character())
})
