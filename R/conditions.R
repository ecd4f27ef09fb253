# Conditions. Every error of the package has the classes "judicious_error_<kind>" and "judicious_error", so that
# programs can catch it; warnings and messages have similar classes.

# Loading rlang and cli takes a fifth of the time of a short command, so they are loaded when the first condition is
# signalled. These functions replace rlang's functions of the same names.
caller_env <- function(n = 1) parent.frame(n + 1)
`%||%` <- function(x, y) if (is.null(x)) y else x

condition_class <- function(type, kind) c(sprintf("judicious_%s_%s", type, kind), sprintf("judicious_%s", type))

#' Signal the package's conditions
#'
#' @param message A cli message: what is wrong, where, and what to do. Elements named `i` and `x` become bullets; `{}`
#'   is interpolated in `.envir`.
#' @param kind The last part of the condition's class, which states the kind of the problem.
#' @param ... Fields of the condition, for programs.
#' @param call The call to report, or a frame, which stands for the function that the user called; see user_frame().
#' @noRd
abort_judicious <- function(message, kind, ..., call = caller_env(), .envir = parent.frame()) {
  name_shell_options()
  # Formats the message in the same way as cli::cli_abort().
  message[] <- message_text(vapply(message, cli::format_inline, "", .envir = .envir))
  rlang::abort(message, class = condition_class("error", kind), ..., call = user_frame(call), use_cli_format = TRUE,
               .frame = .envir)
}

# The frame of the function that the user called, from which the calls lead to `frame`: the outermost function of the
# package, or of its scripts, among the callers. The caller of a function inside another one, such as a handler, is the
# other one. What a function of the user calls counts as called by the user, and so does an argument, even if it is
# evaluated late.
user_frame <- function(frame) {
  frames <- sys.frames()
  # Only earlier frames are searched: eval() adds frames with the same environment, so that the way could be a circle.
  position_of <- function(env, last) {
    Position(function(one) identical(one, env), frames[seq_len(last)], right = TRUE, nomatch = 0)
  }
  found <- frame
  position <- position_of(frame, length(frames))
  while (position > 0) {
    home <- environment(sys.function(position))
    if (identical(topenv(home), topenv())) found <- frames[[position]]
    outer <- position_of(home, position - 1)
    position <- if (outer > 0) outer else min(sys.parents()[position], position - 1)
  }
  found
}

# Messages name arguments, functions and code of R by the markup {.arg x}, {.fn f} and {.code x = 1}. While the command
# line runs, the option judicious.shell is a function that converts such code to options of the command line, or to NA
# if there is no equivalent. Hints with such code are left out, and other parts of a message show it as R code; hint()
# states an alternative text for the command line.
shell_form <- function() getOption("judicious.shell")

hint <- function(r, shell = NULL) if (is.null(shell_form())) r else shell

# Formats code for a text that is not a message.
as_code <- function(code) {
  form <- shell_form()
  if (is.null(form)) return(paste0("`", code, "`"))
  text <- form(code)
  if (is.na(text)) code else text
}

# Makes messages name options of the command line, until the calling function ends.
name_shell_options <- function(frame = parent.frame()) {
  form <- shell_form()
  if (is.null(form)) return(invisible())
  span <- function(r_form = identity) {
    say <- function(text, ...) {
      shell <- form(r_form(text))
      if (is.na(shell)) paste0(in_r_only, text) else shell
    }
    list(before = "", after = "", transform = say)
  }
  called <- span(function(name) paste0(name, "()"))
  theme <- list(span.arg = span(), span.code = span(), span.fn = called, span.help = called)
  cli::cli_div(theme = theme, .envir = frame)
}

# Raises an error unless `condition` is true. For an error about an argument, see check_that().
abort_unless <- function(condition, message, kind, ..., call = caller_env(), .envir = parent.frame()) {
  if (!condition) abort_judicious(message, kind, ..., call = call, .envir = .envir)
  invisible()
}

# Raises an error about the argument named `arg`. If the message begins in lower case, the name of the argument precedes
# it.
abort_argument <- function(arg, message, ..., kind = "argument", call = caller_env(), .envir = parent.frame()) {
  if (grepl("^[a-z]", message[1])) message[1] <- paste0("{.arg ", arg, "} ", message[1])
  abort_judicious(message, kind, argument = arg, ..., call = call, .envir = .envir)
}

# Raises an error about an argument, as abort_argument() does, unless `condition` is true.
check_that <- function(condition, arg, message, ..., kind = "argument", call = caller_env(), .envir = parent.frame()) {
  if (!condition) abort_argument(arg, message, ..., kind = kind, call = call, .envir = .envir)
  invisible()
}

# Evaluates an expression. Its errors name the function that the user called (`call`).
reported_by <- function(call, expression) {
  force(call)
  tryCatch(expression, judicious_error = function(cnd) {
    cnd$call <- rlang::error_call(call)
    stop(cnd)
  })
}

warn_judicious <- function(message, kind, ..., .envir = parent.frame()) {
  name_shell_options()
  text <- message_text(cli::format_warning(message, .envir = .envir))
  rlang::warn(text, class = condition_class("warning", kind), ...)
}

inform_judicious <- function(message, kind, ..., .envir = parent.frame()) {
  name_shell_options()
  rlang::inform(message_text(cli::format_message(message, .envir = .envir)), class = condition_class("message", kind),
                ...)
}

# Formats some of the names, as in "a", "b", "c" and 12 more, to keep messages short.
name_some <- function(values, max_names = 5) {
  values <- unique(as.character(values))
  shown <- encodeString(utils::head(values, max_names), quote = "\"")
  more <- length(values) - length(shown)
  text <- paste(shown, collapse = ", ")
  if (more > 0) text <- paste0(text, " and ", format_count(more), " more")
  text
}

quoted <- function(id) encodeString(as.character(id), quote = "\"")

# Checks that a suggested package that a function requires is installed.
need_package <- function(package, subject, call = caller_env()) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort_judicious(c(
    paste(subject, "needs the package {.pkg {package}}, which is not installed."),
    i = hint("Install it with {.code install.packages(\"{package}\")}.",
             "Install it with {.code Rscript -e 'install.packages(\"{package}\")'}.")
  ), "missing_package", package = package, call = call)
}

# The call of a method, with the name of the generic that the user called in place of the method's.
call_of_generic <- function(generic, call) {
  call[[1]] <- as.name(generic)
  call
}

# Formats of numbers and counts in messages, prints and plots.

format_count <- function(n) format(n, big.mark = ",", decimal.mark = ".", trim = TRUE, scientific = FALSE)

format_number <- function(x) {
  format(x, digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE, decimal.mark = ".")
}

format_short <- function(value, digits = 4) format(signif(value, digits), trim = TRUE)

counted <- function(n, noun, plural = paste0(noun, "s")) paste(format_count(n), if (n == 1) noun else plural)

count_queries <- function(n) counted(n, "query", "queries")

percent <- function(share, digits = 0) sprintf("%.*f%%", digits, 100 * share)

# Prints a line about `x`, and returns `x` invisibly, as print methods must.
print_line <- function(x, ...) {
  cat(..., "\n", sep = "")
  invisible(x)
}

# Prints a line with a label and a value.
cat_row <- function(label, value) cat(sprintf("  %-10s %s\n", label, value))

# Prints the first `n` rows of a table, and the number of further rows.
print_rows <- function(rows, n, noun = "row", ...) {
  print_table(utils::head(rows, n), row.names = FALSE, ...)
  cat_rest(nrow(rows) - n, noun)
  invisible(rows)
}

# The last line of a shortened print: the number of rows that are not shown.
cat_rest <- function(n, noun) {
  if (n > 0) cat("and ", counted(n, paste("more", noun)), "; print(x, n = Inf) shows all\n", sep = "")
}
