skip_on_os("windows")

test_that("the installed command is a link to the script, and installing again changes nothing", {
  bin <- file.path(new_folder(), "new", "bin")
  expect_message(command <- install_cli(bin), "Installed the command", class = "judicious_message_installed")
  expect_equal(basename(command), "judicious")
  expect_equal(normalizePath(command), normalizePath(system.file("exec", "judicious", package = "judicious")))
  before <- file.info(command, extra_cols = FALSE)$mtime
  expect_message(install_cli(bin), "The command is already installed")
  expect_equal(dir(bin), "judicious")
  skip_on_cran()
  withr::local_path(R.home("bin"))  # R CMD check puts an Rscript that always fails at the head of the path
  expect_equal(suppressWarnings(system2(command, "--version", stdout = TRUE)),
               paste("judicious", utils::packageVersion("judicious")))
})

test_that("a link to the script in a library that no longer exists is replaced", {
  bin <- new_folder()
  file.symlink("/nowhere/judicious/exec/judicious", file.path(bin, "judicious"))
  suppressMessages(install_cli(bin))
  expect_true(file.exists(file.path(bin, "judicious")))
})

test_that("another program of the same name is not overwritten", {
  bin <- new_folder()
  other <- file.path(bin, "judicious")
  writeLines("#!/bin/sh", other)
  expect_error(install_cli(bin), "another program", class = "judicious_error_file")
  expect_equal(readLines(other), "#!/bin/sh")
  unlink(other)
  file.symlink("/bin/ls", other)
  expect_error(install_cli(bin), "another program", class = "judicious_error_file")
  expect_equal(Sys.readlink(other), "/bin/ls")
})

test_that("a directory that cannot be created raises an error, and one off the search path gives advice", {
  file <- tempfile()
  writeLines("", file)
  expect_error(install_cli(file.path(file, "bin")), "cannot be created", class = "judicious_error_file")
  expect_error(install_cli(3), class = "judicious_error_argument")
  expect_message(install_cli(new_folder()), "not on the search path")
  withr::local_dir(new_folder())
  expect_message(install_cli("here"), paste0("export PATH=\"", normalizePath("."), "/here"), fixed = TRUE)
  bin <- new_folder()
  withr::local_path(bin)
  expect_message(install_cli(bin), "judicious --help")
})

test_that("the command is installed in the first usual directory on the search path that exists", {
  home <- new_folder()
  withr::local_envvar(HOME = home, PATH = paste(file.path(home, "bin"), "/bin", sep = ":"))
  expect_equal(cli_directory(), "~/.local/bin")
  dir.create(file.path(home, "bin"))
  expect_equal(cli_directory(), "~/bin")
})

# The completions that bash offers after these words, of which the last one is incomplete; NULL if it offers files.
proposed <- function(file, ...) {
  words <- paste(shQuote(c("judicious", ...)), collapse = " ")
  script <- sprintf(". %s; COMP_WORDS=(%s); COMP_CWORD=%d; _judicious; printf '%%s\\n' \"${COMPREPLY[@]}\"",
                    shQuote(file), words, length(c(...)))
  out <- system2("bash", c("--norc", "-c", shQuote(script)), stdout = TRUE)
  if (!identical(out, "")) out
}

test_that("shell completion in bash offers commands, options and their values", {
  skip_if(!nzchar(Sys.which("bash")), "no bash")
  bin <- file.path(new_folder(), "bin")
  expect_message(install_cli(bin), "Completion for bash and zsh")
  file <- file.path(dirname(bin), "share", "bash-completion", "completions", "judicious")
  expect_setequal(proposed(file, ""), c(names(cli_commands()), "help", "--help", "--version", "--examples"))
  expect_setequal(proposed(file, "re"), "report")
  expect_setequal(proposed(file, "help", "co"), "compare")
  expect_setequal(proposed(file, "rank", "runs.tsv", "--s"), c("--scale", "--scope", "--seed", "--store", "--systems"))
  expect_setequal(proposed(file, "rank", "--scope", ""), c("these", "new"))
  expect_setequal(proposed(file, "plan", "-g", "a"), c("all_pairs", "absolute"))
  expect_setequal(proposed(file, "rank", "--scope", "=", "n"), "new")
  expect_setequal(proposed(file, "rank", "--scope", "="), c("these", "new"))
  expect_null(proposed(file, "rank", ""))
  expect_null(proposed(file, "rank", "-j", ""))
  for (name in names(cli_commands())) {
    options <- vapply(cli_commands()[[name]]$options, `[[`, "", "name")
    expect_setequal(proposed(file, name, "--"), paste0("--", options))
  }
})

test_that("installing completion does not overwrite other files, and names the file as zsh expects", {
  prefix <- new_folder()
  folder <- file.path(prefix, "share", "bash-completion", "completions")
  dir.create(folder, recursive = TRUE)
  writeLines("# another", file.path(folder, "judicious"))
  suppressMessages(install_cli(file.path(prefix, "bin")))
  expect_identical(readLines(file.path(folder, "judicious")), "# another")
  zsh <- file.path(prefix, "share", "zsh", "site-functions", "_judicious")
  expect_identical(readLines(zsh)[1], "#compdef judicious")
  skip_if(!nzchar(Sys.which("zsh")), "no zsh")
  expect_identical(system2("zsh", c("-n", shQuote(zsh))), 0L)
})
