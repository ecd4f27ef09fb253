# The command line: help texts, generated from the table of options.

cli_wrap <- function(text, indent = 0, width = 80) strwrap(text, width = width, indent = indent, exdent = indent)

# Two columns: the option, and its meaning.
cli_columns <- function(left, right, width = 80) {
  gap <- min(max(nchar(left)), 22) + 4
  unlist(Map(function(l, r) {
    lines <- strwrap(r, width = width - gap)
    head <- paste0("  ", l)
    if (nchar(head) > gap - 2) return(c(head, paste0(strrep(" ", gap), lines)))
    c(paste0(formatC(head, width = -gap), lines[1]), if (length(lines) > 1) paste0(strrep(" ", gap), lines[-1]))
  }, left, right), use.names = FALSE)
}

cli_main_help <- function(commands) {
  c(
    "Usage: judicious COMMAND [OPTIONS] FILES...",
    "",
    cli_wrap(paste(
      "Ranks retrieval systems with few or no relevance judgments. Files are in TREC's formats, or have tabs, commas",
      "or white space between fields. They may be gzipped and may have a header; - is standard input."
    )),
    "",
    "Commands:",
    cli_columns(names(commands), vapply(commands, `[[`, "", "title")),
    "",
    "Options:",
    cli_columns(c("--help, -h", "--version", "--examples"),
                c("show this help; judicious COMMAND --help shows that of a command", "show the version",
                  "show the folder of the files that the examples use")),
    "",
    cli_wrap(paste("Results go to standard output, everything else to standard error. Exit status: 0 for success, 1",
                   "for an error in the data, 2 for incorrect usage."))
  )
}

# The help of the program and of each command, which data-raw/cli-help.R writes to inst/cli for exec/judicious.
cli_help_texts <- function(commands = cli_commands()) {
  c(list(judicious = cli_main_help(commands)), Map(cli_command_help, names(commands), commands))
}

cli_command_help <- function(name, command) {
  usage <- paste("Usage: judicious", name, "[OPTIONS]", command$operands)
  options <- command$options
  left <- vapply(options, function(o) {
    paste0("--", o$name, if (!is.null(o$short)) paste0(", -", o$short), cli_value_label(o))
  }, "")
  right <- vapply(options, cli_option_text, "")
  c(
    trimws(usage), "", cli_wrap(command$about), "", "Options:", cli_columns(left, right), "", "Examples:",
    paste0("  ", command$examples)
  )
}

cli_value_label <- function(option) {
  if (option$type == "flag") return("")
  label <- if (is.null(option$choices) || !grepl("|", option$value, fixed = TRUE)) option$value else "WORD"
  paste0(" ", label)
}

cli_option_text <- function(option) {
  listed <- !is.null(option$choices) && grepl("|", option$value, fixed = TRUE)
  choices <- if (listed) paste0(": ", paste(option$choices, collapse = ", "))
  default <- if (!is.null(option$default) && option$type != "flag") paste0(" [", format(option$default), "]")
  many <- if (option$many) "; repeat it or use commas for several"
  paste0(option$help, choices, many, default)
}
