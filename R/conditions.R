# What users see while the package works: conditions, printed text and progress bars.

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

counted <- function(n, noun, plural = sub("querys$", "queries", paste0(noun, "s"))) {
  paste(format_count(n), if (n == 1) noun else plural)
}

count_queries <- function(n) counted(n, "query")

percent <- function(share, digits = 0) sprintf("%.*f%%", digits, 100 * share)

# Prints a line about `x`, and returns `x` invisibly, as print methods must.
print_line <- function(x, ...) {
  cat(..., "\n", sep = "")
  invisible(x)
}

# Prints a line with a label, filled up to a `width`, and a value in parts; nothing if the value is NULL.
cat_row <- function(label, ..., width = 10) cat(sprintf("  %-*s %s\n", width, label, paste0(...)))

# Prints the first `n` rows of a table, and the number of further rows.
print_rows <- function(rows, n, noun = "row", ...) {
  check_that(is.numeric(n) && isTRUE(n >= 0), "n", "must be one number of at least 0, not {.obj_type_friendly {n}}.")
  print_table(utils::head(rows, n), row.names = FALSE, ...)
  cat_rest(nrow(rows) - n, noun)
  invisible(rows)
}

# The last line of a shortened print: the number of rows that are not shown.
cat_rest <- function(n, noun) {
  if (n > 0) cat("and ", counted(n, paste("more", noun)), "; print(x, n = Inf) shows all\n", sep = "")
}

# Text as users see it.

# Converts text to UTF-8, because text that is sorted by bytes and compared with text from files must have the same
# encoding. The C locale supports only ASCII: in it, text without a declared encoding is treated as UTF-8 if it is
# valid.
utf8_text <- function(x) {
  in_c <- in_c_locale()
  foreign <- Encoding(x) == "latin1" | !(in_c || l10n_info()[["UTF-8"]])
  x[foreign] <- enc2utf8(x[foreign])
  undeclared <- if (in_c) which(Encoding(x) == "unknown" & !is.na(x) & validUTF8(x))
  if (length(undeclared)) {
    marked <- x[undeclared]
    Encoding(marked) <- "UTF-8"
    x[undeclared] <- marked
  }
  x
}

in_c_locale <- function() Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")

# A pattern for the bytes of control characters in UTF-8.
control_bytes <- "[\\x01-\\x1f\\x7f]|\\xc2[\\x80-\\x9f]"

has_control <- function(text) grepl(control_bytes, text, perl = TRUE, useBytes = TRUE)

# A pattern for control characters, and for the marks that change the direction of text.
unseen_characters <- "[\u0001-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"

# Replaces such characters by their codes, except those in `keep`.
with_visible_controls <- function(text, keep = character()) {
  text <- iconv(utf8_text(as.character(text)), "UTF-8", "UTF-8", sub = "byte")
  found <- unique(unlist(regmatches(text, gregexpr(unseen_characters, text, perl = TRUE))))
  for (one in setdiff(found[!is.na(found)], keep)) {
    text <- gsub(one, sprintf("<U+%04X>", utf8ToInt(one)), text, fixed = TRUE)
  }
  text
}

# A mark before code in messages that applies only in R; cli_one_line() removes hints with such code, and elsewhere the
# mark.
in_r_only <- "\u001f"

# Makes control characters visible in a message that cli has formatted, except in cli's own sequences for colours and
# links.
message_text <- function(text) {
  cli_codes <- gregexpr("\033\\[[0-9;]*m|\033\\]8;[^;\033]*;[^\a\033]*(\a|\033\\\\)", text, perl = TRUE)
  between <- regmatches(text, cli_codes, invert = TRUE)
  regmatches(text, cli_codes, invert = TRUE) <- lapply(between, with_visible_controls, keep = c("\n", "\t", in_r_only))
  text
}

# Makes control characters visible, because a terminal would execute the sequences that they begin.
terminal_text <- function(text) with_visible_controls(text, c("\n", "\t"))

# Like base R's cat(), but makes control characters visible. It has the same name, so that all print methods of the
# package use it.
cat <- function(..., file = "", sep = " ", append = FALSE) {
  parts <- lapply(list(...), function(part) if (is.character(part)) terminal_text(part) else part)
  do.call(base::cat, c(parts, list(file = file, sep = sep, append = append)))
}

# Prints a table with visible control characters.
print_table <- function(data, ...) {
  data[] <- lapply(data, function(column) {
    if (is.factor(column)) column <- as.character(column)
    if (is.character(column)) replace(column, !is.na(column), terminal_text(column[!is.na(column)])) else column
  })
  names(data) <- terminal_text(names(data))
  print(data, ...)
}

# Progress bars for steps that take several seconds. There is one bar at a time, for the outermost step; steps within it
# only refresh it.

# The progress bar that is shown at present; its function `step` advances it.
on_show <- new.env(parent = emptyenv())

# Starts a step of `total` parts (NA: unknown), which ends when the function `frame` ends. Returns a function that
# advances by `inc` parts and accepts values for the fields `cli::pb_extra` of `format`. The bar appears after a second,
# so a quick step shows nothing and does not load cli. The first update is forced, because cli would otherwise wait for
# up to three seconds if there is no terminal.
start_progress <- function(title, total = NA, show = getOption("judicious.progress", interactive()), format = NULL,
                           extra = list(), frame = parent.frame()) {
  check_that(isTRUE(show) || isFALSE(show), "judicious.progress",
             "must be TRUE or FALSE, not {.obj_type_friendly {show}}.")
  if (!show) return(function(...) invisible())
  if (!is.null(on_show$step)) return(function(...) refresh_progress())
  bar <- NULL
  done <- 0
  started <- proc.time()[["elapsed"]]
  advance <- function(inc = 1, ...) {
    done <<- done + inc
    if (...length()) extra <<- list(...)
    new <- is.null(bar)
    if (new) {
      if (proc.time()[["elapsed"]] - started < 1) return(invisible())
      bar <<- open_bar(title, total, format, extra, frame)
    }
    cli::cli_progress_update(set = done, id = bar, extra = extra, force = new, .envir = frame)
  }
  on_show$step <- advance
  set_pulse_cpp(refresh_progress)
  do.call(on.exit, list(as.call(list(end_progress)), add = TRUE), envir = frame)
  advance
}

open_bar <- function(title, total, format, extra, frame) {
  before <- options(cli.progress_show_after = 0)
  on.exit(options(before))
  if (is.na(total)) format <- format %||% paste("{cli::pb_spin}", title, "[{cli::pb_elapsed}]")
  cli::cli_progress_bar(title, total = total, format = format, extra = extra, clear = TRUE, .envir = frame)
}

# Refreshes the current bar, if there is one, from a step that has no bar of its own.
refresh_progress <- function() if (!is.null(on_show$step)) on_show$step(0)

end_progress <- function() {
  on_show$step <- NULL
  set_pulse_cpp(NULL)
}
