#' Install the command-line tool
#'
#' Installs the command `judicious` in a directory of the search path, so that files can be evaluated, ranked and judged
#' from a shell: `judicious rank runs.tsv --documents documents.tsv`. `judicious --help` lists the subcommands.
#'
#' On Unix, the command is a symbolic link to the script in the package; on Windows, a small file `judicious.bat`.
#'
#' @section Completion: If the directory is named `bin`, completions are linked from the directory `share` beside it:
#'   `share/bash-completion/completions/judicious`, which bash-completion loads by itself, and
#'   `share/zsh/site-functions/_judicious`, whose directory zsh must have in `fpath` before `compinit`.
#' @section Exit status: The command returns 0 for success, 1 for an error in the data (one line on standard error names
#'   the file, row or argument), and 2 for incorrect usage. Results go to standard output; warnings, notes and progress
#'   go to standard error.
#' @param path The directory, which is created if necessary. NULL uses the first of `~/.local/bin`, `~/bin` and
#'   `/usr/local/bin` that is on the search path and writable, or else `~/.local/bin`.
#' @return The path of the command, invisibly. A message states it, and whether the directory is on the search path.
#' @section Errors: `judicious_error_file`, also for an existing file of the same name of another program.
#' @examples
#' bin <- tempfile("bin")
#' install_cli(bin)
#' dir(bin)
#' @export
install_cli <- function(path = NULL) {
  script <- system.file("exec", "judicious", package = "judicious")
  abort_unless(nzchar(script), c(
    "The package was loaded without being installed, so there is no script to link to.",
    i = "Install it with {.code R CMD INSTALL}."
  ), "file")
  if (!is.null(path)) check_string(path, "path")
  directory <- path.expand(path %||% cli_directory())
  check_that(dir.exists(directory) || dir.create(directory, recursive = TRUE, showWarnings = FALSE), "path",
             "{.arg path}: the directory {.file {directory}} cannot be created.", kind = "file", path = directory)
  windows <- .Platform$OS.type == "windows"
  directory <- normalizePath(directory)
  command <- file.path(directory, if (windows) "judicious.bat" else "judicious")
  was_there <- refuse_other_program(command, windows)
  done <- if (windows) write_batch_file(command, script) else link_script(command, script)
  check_that(done, "path", c(
    "{.file {command}} cannot be written.",
    i = "Choose another {.arg path}."
  ), kind = "file", path = command)
  inform_judicious(c(
    "{if (was_there) 'The command is already installed' else 'Installed the command'}: {.file {command}}.",
    i = if (directory %in% search_path()) "Try {.code judicious --help}." else "{.file {directory}} is not on the search
      path: add {.code export PATH=\"{directory}:$PATH\"} to your shell's start-up file."
  ), "installed")
  if (!windows && basename(dirname(command)) == "bin") link_completion(dirname(dirname(command)))
  invisible(command)
}

# Completion is optional: if its files cannot be linked, the command is installed without it.
link_completion <- function(prefix) {
  files <- c(judicious = "bash-completion/completions", "_judicious" = "zsh/site-functions")
  done <- vapply(names(files), function(name) {
    link <- file.path(prefix, "share", files[[name]], name)
    dir.create(dirname(link), recursive = TRUE, showWarnings = FALSE)
    target <- Sys.readlink(link)
    if (file.exists(link) && !grepl("cli/_?judicious$", target)) return(FALSE)
    link_script(link, system.file("cli", name, package = "judicious"))
  }, NA)
  if (all(done)) {
    inform_judicious(c("Completion for bash and zsh: {.file {file.path(prefix, 'share')}}.",
                       i = "Start a new shell to use it; see {.fn install_cli} for zsh."), "installed")
  }
}

search_path <- function() {
  parts <- strsplit(Sys.getenv("PATH"), .Platform$path.sep, fixed = TRUE)[[1]]
  normalizePath(parts[nzchar(parts)], mustWork = FALSE)
}

cli_directory <- function() {
  usual <- c("~/.local/bin", "~/bin", "/usr/local/bin")
  is_usable <- normalizePath(usual, mustWork = FALSE) %in% search_path() & file.access(usual, 2) == 0
  c(usual[is_usable], usual[1])[1]
}

#' Raise an error if another program has the name of the command; return whether the command is installed already
#' @noRd
refuse_other_program <- function(command, windows) {
  target <- Sys.readlink(command)
  linked <- !is.na(target) && nzchar(target)
  if (!linked && !file.exists(command)) return(FALSE)
  is_own <- if (windows) {
    any(grepl("exec[/\\\\]judicious", readLines(command, warn = FALSE)))
  } else {
    linked && basename(target) == "judicious" && basename(dirname(target)) == "exec"
  }
  check_that(is_own, "path", c(
    "{.file {command}} is another program and was not changed.",
    i = "Remove it, or choose another {.arg path}."
  ), kind = "file", path = command)
  TRUE
}

link_script <- function(command, script) {
  if (identical(unname(Sys.readlink(command)), script)) return(TRUE)
  unlink(command)
  isTRUE(suppressWarnings(file.symlink(script, command)))
}

write_batch_file <- function(command, script) {
  rscript <- file.path(R.home("bin"), "Rscript.exe")
  lines <- c("@echo off", sprintf("\"%s\" \"%s\" %%*", normalizePath(rscript, mustWork = FALSE), normalizePath(script)))
  isTRUE(tryCatch({
    writeLines(lines, command)
    TRUE
  }, error = function(cnd) FALSE, warning = function(cnd) FALSE))
}
