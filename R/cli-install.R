#' Install the command line
#'
#' Puts the command `judicious` into a directory of the search path, so that everything of the package that works on
#' files can be used without R: `judicious rank runs.tsv --documents documents.tsv`. `judicious --help` lists the
#' commands.
#'
#' On Unix it is a symbolic link to the script that comes with the package, so that it follows the package when that is
#' updated. On Windows it is a small `judicious.bat`. Installing again changes nothing; a link to another library's
#' `judicious` is set anew. Any other file of that name is left alone, with an error.
#'
#' @section Exit status: The command ends with 0 when it is done, 1 when something is wrong with the data (one line on
#'   standard error says which file, row or argument), 2 when it is misused. Results go to standard output, warnings,
#'   notes and progress to standard error.
#' @param path The directory. NULL takes the first of `~/.local/bin`, `~/bin` and `/usr/local/bin` that is on the search
#'   path and can be written to, and otherwise makes `~/.local/bin`.
#' @return The path of the command, invisibly.
#' @section Errors: A directory that cannot be made or written to; a file of the name that is not this package's.
#' @examples
#' bin <- tempfile("bin")
#' install_cli(bin)
#' dir(bin)
#' @export
install_cli <- function(path = NULL) {
  script <- system.file("exec", "judicious", package = "judicious")
  if (!nzchar(script)) {
    abort_judicious(c("The package was loaded without being installed, so there is no script to link to.",
                      i = "Install it with {.code R CMD INSTALL}."), "file")
  }
  if (!is.null(path)) check_string(path, "path")
  directory <- path.expand(path %||% cli_directory())
  if (!dir.exists(directory) && !dir.create(directory, recursive = TRUE, showWarnings = FALSE)) {
    abort_judicious("{.arg path}: the directory {.file {directory}} cannot be made.", "file", argument = "path",
                    path = directory)
  }
  windows <- .Platform$OS.type == "windows"
  command <- file.path(normalizePath(directory), if (windows) "judicious.bat" else "judicious")
  was_there <- refuse_other_program(command, windows)
  done <- if (windows) write_batch_file(command, script) else link_script(command, script)
  if (!done) {
    abort_judicious(c("{.file {command}} cannot be written.", i = "Choose another {.arg path}."), "file",
                    argument = "path", path = command)
  }
  inform_judicious(c(
    "{if (was_there) 'The command is there' else 'Installed the command'}: {.file {command}}.",
    i = path_advice(dirname(command))
  ), "installed")
  invisible(command)
}

search_path <- function() {
  parts <- strsplit(Sys.getenv("PATH"), .Platform$path.sep, fixed = TRUE)[[1]]
  normalizePath(parts[nzchar(parts)], mustWork = FALSE)
}

cli_directory <- function() {
  usual <- c("~/.local/bin", "~/bin", "/usr/local/bin")
  fine <- normalizePath(usual, mustWork = FALSE) %in% search_path() & file.access(usual, 2) == 0
  c(usual[fine], usual[1])[1]
}

path_advice <- function(directory) {
  if (directory %in% search_path()) return(c(i = "Try {.code judicious --help}."))
  c(i = "{.file {directory}} is not on the search path: add {.code export PATH=\"{directory}:$PATH\"} to your shell's
    start-up file.")
}

#' Whether the command is there already; an error where something else has its name
#' @noRd
refuse_other_program <- function(command, windows, call = caller_env()) {
  target <- Sys.readlink(command)
  linked <- !is.na(target) && nzchar(target)
  if (!linked && !file.exists(command)) return(FALSE)
  own <- if (windows) {
    any(grepl("exec[/\\\\]judicious", readLines(command, warn = FALSE)))
  } else {
    linked && basename(target) == "judicious" && basename(dirname(target)) == "exec"
  }
  if (!own) {
    abort_judicious(c("{.file {command}} is another program and is left alone.",
                      i = "Remove it, or choose another {.arg path}."), "file", argument = "path", path = command,
                    call = call)
  }
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
