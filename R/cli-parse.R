# Parses the words of a command line.

abort_usage <- function(message, .envir = parent.frame()) {
  abort_judicious(message, "usage", call = NULL, .envir = .envir)
}

# Raises an error about the use of the command line unless `condition` is true.
check_usage <- function(condition, message, .envir = parent.frame()) {
  if (!condition) abort_usage(message, .envir)
}

#' Parse the words after a command
#'
#' @return A list with a value for each option (its default, or NULL, if it is not given), with `_` for `-` in its name;
#'   `operands`, the other words; and `given`, the names of the options that were given.
#' @noRd
cli_parse <- function(arguments, options) {
  names(options) <- vapply(options, `[[`, "", "name")
  values <- lapply(options, `[[`, "default")
  operands <- used <- character()
  while (length(arguments)) {
    argument <- arguments[1]
    arguments <- arguments[-1]
    if (argument == "--") {
      operands <- c(operands, arguments)
      break
    }
    if (argument == "-" || !startsWith(argument, "-")) {
      operands <- c(operands, argument)
      next
    }
    found <- cli_read_option(argument, arguments, options)
    name <- found$option$name
    if (name %in% used) found$value <- cli_repeated(found, values[[name]])
    values[[name]] <- found$value
    arguments <- found$rest
    used <- c(used, name)
  }
  names(values) <- vapply(options, `[[`, "", "key")
  c(values, list(operands = operands, given = used))
}

# Converts names of options in other programs, such as "qrels", to names of options here, for hints.
translate_option <- function(name) {
  synonyms <- c(qrels = "judgments", metric = "measure", metrics = "measure", topics = "queries", corpus = "documents")
  if (name %in% names(synonyms)) synonyms[[name]] else name
}

# Reads the option that a word states. Returns the option, its value, and the remaining words, because the next word may
# be the value.
cli_read_option <- function(argument, arguments, options) {
  short <- unlist(lapply(options, `[[`, "short"))
  parts <- cli_split_word(argument, short)
  option <- options[[parts$name]]
  if (is.null(option)) {
    argument <- sub("=.*", "", argument)
    other_case <- short[tolower(short) == tolower(sub("^-", "", argument))]
    hint <- if (length(other_case)) paste0("-", other_case[1], " is --", names(other_case)[1], ".") else
      suggest_name(translate_option(sub("^-+", "", argument)), names(options), "--")
    abort_usage(paste(c("There is no option {argument}.", hint), collapse = " "))
  }
  text <- parts$value
  if (option$type == "flag") {
    check_usage(is.null(text), "--{option$name} takes no value.")
    return(list(option = option, value = TRUE, rest = arguments))
  }
  if (is.null(text)) {
    check_usage(length(arguments) && !(startsWith(arguments[1], "--") && nchar(arguments[1]) > 2),
                "--{option$name} needs a value: --{option$name} {option$value}.")
    text <- arguments[1]
    arguments <- arguments[-1]
  }
  list(option = option, value = cli_value(text, option), rest = arguments)
}

# The value of an option that occurs again: lists are extended, flags do not change; other options raise an error.
cli_repeated <- function(found, before) {
  option <- found$option
  if (option$many) return(c(before, found$value))
  if (option$type != "flag") abort_usage("--{option$name} is given twice.")
  found$value
}

# Splits "--name=value", "--name", "-n" and "-nvalue".
cli_split_word <- function(word, short) {
  if (startsWith(word, "--")) {
    return(list(name = sub("=.*", "", substring(word, 3)), value = if (grepl("=", word)) sub("^[^=]*=", "", word)))
  }
  attached <- substring(word, 3)
  name <- names(short)[match(substr(word, 2, 2), short)]
  list(name = if (is.na(name)) word else name, value = if (nzchar(attached)) attached)
}

cli_value <- function(text, option) {
  if (option$type %in% c("number", "count")) return(cli_number(text, option))
  if (!is.null(option$choices) && !text %in% option$choices) {
    cli_wrong_value(text, option, paste("one of", paste(option$choices, collapse = ", ")))
  }
  if (!nzchar(text)) cli_wrong_value(text, option, "something")
  # The name of a file may have commas.
  if (option$many && !(option$type == "file" && file.exists(text))) cli_split_list(text) else text
}

cli_wrong_value <- function(text, option, expected) abort_usage("--{option$name} must be {expected}, not \"{text}\".")

cli_number <- function(text, option) {
  number <- suppressWarnings(as.numeric(text))
  is_count <- option$type == "count"
  minimum <- if (is_count) max(option$min, 0) else option$min
  inside <- is.finite(number) && number >= minimum && number <= option$max
  if (!inside || (is_count && number != trunc(number))) {
    limits <- if (is.finite(option$max)) paste("from", format(minimum), "to", format(option$max)) else
      paste("of at least", format(minimum))
    cli_wrong_value(text, option,
                    paste(c(if (is_count) "a whole number" else "a number", if (is.finite(minimum)) limits),
                                        collapse = " "))
  }
  number
}

# Splits text at commas, except those inside parentheses, which belong to the name of a measure.
cli_split_list <- function(text) {
  letter <- strsplit(text, "", fixed = TRUE)[[1]]
  separates <- letter == "," & cumsum(letter == "(") - cumsum(letter == ")") == 0
  parts <- vapply(split(letter[!separates], cumsum(separates)[!separates]), paste, "", collapse = "")
  trimws(unname(parts[nzchar(parts)]))
}

# The text of a condition in one line: its header and bullets, and those of its parent error, without hints that apply
# only in R.
cli_one_line <- function(cnd) {
  parts <- character()
  while (!is.null(cnd)) {
    of_rlang <- inherits(cnd, c("rlang_error", "rlang_warning", "rlang_message"))
    bullets <- sprintf("\n%s %s", names(cnd$body) %||% "", cnd$body)
    parts <- c(parts, if (of_rlang) cli::ansi_strip(c(cnd$message, bullets)) else conditionMessage(cnd))
    cnd <- cnd$parent
  }
  # In warnings and messages, all bullets are in one text, which is split.
  text <- unlist(strsplit(parts, "\n(?=([ix!*]|\u2139|\u2716|\u2022) )", perl = TRUE))
  text <- text[!(grepl("^(i|\u2139) ", text) & grepl(in_r_only, text, fixed = TRUE))]
  text <- sub("^([ix!*]|\u2139|\u2716|\u2022) ", "", gsub(in_r_only, "", text, fixed = TRUE))
  # Standard input and pipes were copied to files, whose names must not be shown.
  text <- gsub("(the file )?'?[^' ]*/pipe-[0-9a-f]+/stdin'?", "standard input", trimws(gsub("[[:space:]]+", " ", text)))
  text <- gsub("[^' ]*/pipe-[0-9a-f]+/([0-9]+$|[0-9]+')", "/dev/fd/\\1", text)
  text <- gsub("[^' ]*/pipe-[0-9a-f]+/", "", text)
  text <- text[nzchar(text)]
  # Adds a full stop to each part except the last, which may be an address.
  paste0(text, ifelse(!grepl("[.!?:]$", text) & seq_along(text) < length(text), ".", ""), collapse = " ")
}

# The command as text that can be run again: words that a shell would change are quoted.
cli_command_text <- function(arguments) {
  paste(ifelse(grepl("^[A-Za-z0-9_./:=,@%+-]+$", arguments), arguments, shQuote(arguments)), collapse = " ")
}

cli_of_functions <- c(
  rank_systems = "judicious rank", judging_session = "judicious judge --store",
  open_session = "judicious judge --store",
  evaluate = "judicious evaluate", expected_scores = "judicious compare --expected",
  compare_systems = "judicious compare", joint_gains = "--model joint", gain_prior = "--model joint",
  gain_model = "judicious fit --save", significance_test = "--test"
)

# A number, a text, or a vector of these, as a word of the command line. NULL for other code, which is never evaluated,
# because it could do anything.
cli_literal <- function(value) {
  if (identical(value, quote(fine_scale()))) return("fine")
  has_value <- is.call(value) || is.character(value) || is.numeric(value)
  if (!has_value || !all(all.names(value) %in% c("c", "-", ":", "numeric", "character"))) return(NULL)
  if (is.call(value) && identical(value[[1]], quote(`:`))) return(deparse(value))
  cli_command_text(paste(eval(value, baseenv()), collapse = ","))
}

# An option with its value; only the option if the value is TRUE or missing, as in `gain = `. NA if there is no
# equivalent.
cli_setting <- function(option, value) {
  if (identical(value, rlang::missing_arg()) || isTRUE(value)) return(option)
  text <- cli_literal(value)
  if (is.null(text) || is.na(option)) return(NA_character_)
  # A value such as -1 would look like an option after a space, so it follows "=".
  paste0(option, if (startsWith(text, "-")) "=" else " ", text)
}

# The command line that does the same as a call of a function with these arguments; NA if the command line has no
# equivalent of a part of the call.
cli_call <- function(name, arguments) {
  is_named <- nzchar(names(arguments) %||% character(length(arguments)))
  options <- paste0("--", gsub("_", "-", names(arguments)[is_named], fixed = TRUE))
  command_words <- c(cli_of_functions[name], unlist(lapply(arguments[!is_named], cli_literal)),
                     unlist(Map(cli_setting, options[any(is_named)], arguments[is_named])))
  if (anyNA(command_words)) NA_character_ else paste(command_words, collapse = " ")
}

#' Convert R code in a message to the words of the command line that do the same
#'
#' @param text The name of an argument, `argument = value`, or a call of a function.
#' @param arguments The options and operands of the command, named by the arguments of R functions that they stand for.
#' @return The words as one text; NA if the command line has no equivalent.
#' @noRd
cli_equivalent <- function(text, arguments) {
  code <- tryCatch(str2lang(text), error = function(cnd) NULL)
  # A text that is already a command is returned unchanged.
  if (grepl("^(--|judicious )", text) || is.null(code) && grepl("^[A-Za-z0-9]+ ", text)) return(text)
  if (is.name(code)) return(unname(arguments[text]))
  literal <- cli_literal(code)
  if (!is.null(literal) || !is.call(code)) return(literal %||% NA_character_)
  name <- paste(deparse(code[[1]]), collapse = "")
  if (name == "=") return(cli_setting(unname(arguments[as.character(code[[2]])]), code[[3]]))
  cli_call(name, as.list(code)[-1])
}
