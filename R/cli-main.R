# The entry point of the command line: exec/judicious calls cli_main(), and quits with the status that it returns.

#' Run the command line
#'
#' @return The exit status: 0 for success, 1 for an error, 2 for incorrect usage, 130 after an interrupt, and 141 if the
#'   program that reads the output has closed it.
#' @noRd
cli_main <- function(args = commandArgs(trailingOnly = TRUE)) {
  name <- "judicious"
  quiet <- any(args %in% c("--quiet", "-q"))
  files <- list()
  arguments <- character()
  before <- options(judicious.shell = function(code) cli_equivalent(code, arguments),
                    judicious.progress = !quiet && (isatty(stderr()) || "--verbose" %in% args))
  on.exit(options(before))
  say <- function(kind, cnd) {
    text <- paste0(name, ": ", kind, cli_one_line(cnd), cli_file_of(cnd, files))
    cat(enc2utf8(text), "\n", sep = "", file = stderr())
  }
  status <- tryCatch(
    withCallingHandlers(
      {
        commands <- cli_makers()
        check_usage(length(args), "Missing COMMAND: use one of {paste(names(commands), collapse = ', ')}.")
        if (args[1] %in% names(commands)) name <- paste("judicious", args[1])
        cli_run(args[1], args[-1], commands, function(stated_files, cli_names) {
          files <<- stated_files
          arguments <<- cli_names
        })
        0L
      },
      warning = function(cnd) {
        if (!quiet) say("warning: ", cnd)
        invokeRestart("muffleWarning")
      },
      message = function(cnd) {
        if (!quiet) say("", cnd)
        invokeRestart("muffleMessage")
      }
    ),
    error = function(cnd) {
      # The program that reads the output, such as head, has closed the pipe.
      if (inherits(cnd, "judicious_error_closed")) return(141L)
      misused <- inherits(cnd, c("judicious_error_usage", "judicious_error_measure"))
      say(if (!misused) "error: ", cnd)
      if (misused) cat("Try '", name, " --help'.\n", sep = "", file = stderr())
      1L + misused
    },
    interrupt = function(cnd) {
      cat(name, ": interrupted\n", sep = "", file = stderr())
      130L
    }
  )
  invisible(status)
}

# Runs a command. `keep_arguments`: a function that is called with what error messages need to know: the files that the
# options state, and the result of cli_arguments().
cli_run <- function(command_name, arguments, commands, keep_arguments) {
  say <- function(lines) cli_write_lines(lines, "-")
  switch(command_name,
    "--help" = , "-h" = , help = return(say(cli_help_of(arguments, commands))),
    "--version" = return(say(paste("judicious", utils::packageVersion("judicious")))),
    "--examples" = return(say(system.file("extdata", "demo", package = "judicious", mustWork = TRUE)))
  )
  command <- cli_command_of(command_name, commands)
  if (any(arguments %in% c("--help", "-h"))) return(say(cli_help_of(command_name, commands)))
  values <- cli_parse(arguments, command$options)
  check_usage(length(values$operands) >= command$least,
              "Missing {cli_operands(command)}. Usage: judicious {command_name} [OPTIONS] {command$operands}")
  keep_arguments(c(list(runs = values$operands, x = values$operands, scores = values$operands),
                   values[setdiff(names(values), "given")]), cli_arguments(command))
  cli_check_files(values, command$options)
  values$command <- cli_command_text(c("judicious", command_name, arguments))
  result <- command$run(cli_copy_pipes(values, command$options))
  if (is.character(result)) cli_write_lines(result, values$output %||% "-") else cli_write(result, values)
}

# The elements of the result of cli_parse() that are files to read.
cli_inputs <- function(options) {
  c("operands", vapply(Filter(function(option) option$type == "file", options), `[[`, "", "key"))
}

# Before the command runs, checks that the files to read and the folders of the files to write exist, and that no file
# is both. Only the file of a prior may be overwritten, by the model that is fitted with it.
cli_check_files <- function(values, options) {
  check_usage(!grepl("[.](png|pdf|svg|jpe?g|html?|xlsx?|rds)$", values$output %||% "", ignore.case = TRUE),
              "--output writes text, or .parquet, not \"{basename(values$output)}\".")
  read <- setdiff(cli_inputs(options), "prior")
  written <- setdiff(unlist(values[c("output", "save", "file", "export", "cache")]), "-")
  is_read_too <- normalizePath(written, mustWork = FALSE) %in% normalizePath(unlist(values[read]), mustWork = FALSE)
  overwritten <- written[is_read_too]
  check_usage(!length(overwritten),
              "The file {overwritten[1]} is read, and would be overwritten: name another file to write.")
  for (option in Filter(function(o) o$type %in% c("file", "path") && o$name %in% values$given, options)) {
    paths <- values[[option$key]]
    is_read <- option$type == "file"
    place <- if (is_read) paths else dirname(paths)
    is_present <- if (is_read) file.exists(place) else dir.exists(place)
    absent <- place[!is_present & !grepl("^-$|^postgres(ql)?:|[*?[]", paths)]
    why <- if (is_read) "file {.file {absent[1]}}; check the path and the working directory." else
      "folder {.file {absent[1]}}."
    if (length(absent)) abort_judicious(paste("--{option$name}: there is no", why), "file", call = NULL)
  }
}

# How messages on the command line name the arguments of R functions: by options, or by the operands.
cli_arguments <- function(command) {
  declared <- command$options
  option <- stats::setNames(vapply(declared, `[[`, "", "name"), vapply(declared, `[[`, "", "key"))
  operands <- cli_operands(command)
  c(stats::setNames(paste0("--", option), names(option)), runs = operands, x = operands,
    scores = operands, measures = if ("measure" %in% option) "--measure")
}

cli_operands <- function(command) sub("...", "", gsub("[][]", "", command$operands), fixed = TRUE)

cli_help_of <- function(arguments, commands) {
  if (length(arguments)) cli_command_of(arguments[1], commands)
  readLines(system.file("cli", paste0(c(arguments, "judicious")[1], ".txt"), package = "judicious", mustWork = TRUE))
}

cli_command_of <- function(word, commands) {
  if (word %in% names(commands)) return(commands[[word]]())
  choices <- names(commands)
  hint <- suggest_name(word, choices)
  abort_usage(paste(c("There is no command \"{word}\".", hint, "The commands are {paste(choices, collapse = ', ')}."),
                    collapse = " "))
}

# Copies input that can be read only once to files: standard input, which one file may be, and pipes, such as a shell's
# <(...).
cli_copy_pipes <- function(options, declared) {
  where <- cli_inputs(declared)
  if (sum(unlist(options[where]) == "-") > 1) abort_usage("Only one file can be -, standard input.")
  options[where] <- lapply(options[where], function(paths) {
    paths[paths == "-"] <- vapply(paths[paths == "-"], copy_pipe, "")
    copy_pipes(paths)
  })
  options
}

# The file to which an error about an argument refers, in parentheses; "" if its message names the file already.
cli_file_of <- function(cnd, files) {
  path <- if (is.character(cnd$argument)) files[[cnd$argument]]
  if (!is.character(path) || !is.null(cnd$path) || !any(file.exists(path))) return("")
  paste0(" (in ", paste(path, collapse = ", "), if (!is.null(cnd$rows)) "; a header is not a row", ")")
}
