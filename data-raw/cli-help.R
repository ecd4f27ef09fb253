# Writes the help texts of exec/judicious, and completion for shells, to inst/cli. Install the package after changing
# the commands or their options, and run this in the package's folder.

cli_wrap <- function(text, indent = 0, width = 80) strwrap(text, width = width, indent = indent, exdent = indent)

# Formats two columns: the options, and their descriptions.
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
      "or white space between fields. They may be gzipped and may have a header; - is standard input. In place of runs,",
      "commands take the answers of language models and other systems, as the R function read_answers() describes them."
    )),
    "",
    "Start with:",
    paste0("  ", c("judicious rank RUNS... -j JUDGMENTS --grades GRADES      rank, from what there is",
                   "judicious rank ANSWERS                                   rank by ratings and grades",
                   "judicious report RUNS... -j JUDGMENTS -o report.html     the same, as a page",
                   "judicious evaluate RUNS... -j JUDGMENTS -M nDCG@10,AP    as trec_eval does",
                   "judicious compare RUNS... -j JUDGMENTS -M nDCG@10        significance tests",
                   "judicious judge RUNS... -s session.sqlite                judge until the goal")),
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

# The help of the program and of each command, which are written to inst/cli.
cli_help_texts <- function(commands = judicious:::cli_commands()) {
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

# The files of inst/cli that complete commands, options and their values in bash and zsh; install_cli() links to them.
# Each has the name under which its shell looks for it.
cli_completion <- function(commands = judicious:::cli_commands()) {
  words <- cli_completion_words(commands)
  bash <- c(
    "_judicious() {",
    "  local current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}",
    "  if [ \"$COMP_CWORD\" -eq 1 ]; then command=; fi",
    "  # bash takes --option=value as three words.",
    "  if [ \"$current\" = = ]; then current=; elif [ \"$last\" = = ]; then last=${COMP_WORDS[COMP_CWORD-2]}; fi",
    "  COMPREPLY=($(compgen -W \"$(_judicious_words \"$command\" \"$last\" \"$current\")\" -- \"$current\"))",
    "}",
    "complete -o default -F _judicious judicious"
  )
  zsh <- c(
    "_judicious() {",
    "  local command=${words[2]}",
    "  local -a found",
    "  (( CURRENT == 2 )) && command=",
    "  found=(${=$(_judicious_words \"$command\" \"${words[CURRENT-1]}\" \"${words[CURRENT]}\")})",
    "  if (( $#found )); then compadd -a found; else _files; fi",
    "}",
    "_judicious \"$@\""
  )
  list(judicious = c("# Completion of judicious in bash.", words, bash),
       "_judicious" = c("#compdef judicious", words, zsh))
}

# A shell function that prints the possible completions, given the command ("" if it is not typed yet), the last word
# and the current one. It prints nothing if a file or other text is expected.
cli_completion_words <- function(commands) {
  spaced <- function(x) paste(x, collapse = " ")
  entry <- function(command, options, words) {
    if (!length(options)) return(NULL)
    spelled <- unlist(lapply(options, function(o) c(paste0("--", o$name), if (!is.null(o$short)) paste0("-", o$short))))
    sprintf("    %s) %s;;", paste0("\"", command, " ", spelled, "\"", collapse = "|"), words)
  }
  values <- unlist(Map(function(name, command) {
    options <- Filter(function(o) o$type != "flag", command$options)
    chosen <- vapply(options, function(o) !is.null(o$choices), NA)
    c(unlist(lapply(options[chosen], function(o) entry(name, list(o), sprintf("echo \"%s\" ", spaced(o$choices))))),
      entry(name, options[!chosen], ""))
  }, names(commands), commands), use.names = FALSE)
  names_of <- function(command) spaced(paste0("--", vapply(command$options, `[[`, "", "name")))
  first <- spaced(c(names(commands), "help", "--help", "--version", "--examples"))
  c(
    "_judicious_words() {", "  case \"$1 $2\" in", values, "    *) case \"$1 $3\" in",
    sprintf("      \" \"*) echo \"%s\" ;;", first),
    sprintf("      \"help \"*) echo \"%s\" ;;", spaced(names(commands))),
    sprintf("      \"%s -\"*) echo \"%s\" ;;", names(commands), vapply(commands, names_of, "")),
    "    esac ;;", "  esac", "}"
  )
}

# A test sources this file for its functions.
if (sys.nframe() == 0L) {
  dir.create("inst/cli", showWarnings = FALSE)
  texts <- cli_help_texts()
  for (name in names(texts)) writeLines(texts[[name]], file.path("inst", "cli", paste0(name, ".txt")))
  # bash loads a file with the name of the command, zsh one whose name begins with an underscore.
  files <- cli_completion()
  for (name in names(files)) writeLines(files[[name]], file.path("inst", "cli", name))
}
