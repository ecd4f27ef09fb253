# Every condition of the package has a class a program can catch:
# "judicious_error_<kind>" and "judicious_error" (likewise warning and message).

# rlang and cli are loaded when the first condition is signalled: they are a fifth of what a short command takes. Until
# then these stand for rlang's functions of the same names.
caller_env <- function(n = 1) parent.frame(n + 1)
current_env <- function() parent.frame()
`%||%` <- function(x, y) if (is.null(x)) y else x

condition_class <- function(type, kind) {
  c(sprintf("judicious_%s_%s", type, kind), sprintf("judicious_%s", type))
}

#' Signal the package's conditions
#'
#' @param message A cli message: what is wrong, where, and what to do. Named `i`, `x` elements become bullets; `{}` is
#'   interpolated in `.envir`.
#' @param kind What kind of trouble, the last part of the condition's class.
#' @param ... Fields of the condition, for programs.
#' @param call The call to blame: the function the user called.
#' @noRd
abort_judicious <- function(message, kind, ..., call = caller_env(), .envir = parent.frame()) {
  cli::cli_abort(message, class = condition_class("error", kind), ..., call = call, .envir = .envir)
}

warn_judicious <- function(message, kind, ..., .envir = parent.frame()) {
  cli::cli_warn(message, class = condition_class("warning", kind), ..., .envir = .envir)
}

inform_judicious <- function(message, kind, ..., .envir = parent.frame()) {
  cli::cli_inform(message, class = condition_class("message", kind), ..., .envir = .envir)
}

# "a", "b", "c" and 12 more: names enough to find the trouble, not a wall of them.
name_some <- function(values, most = 5) {
  values <- unique(as.character(values))
  shown <- encodeString(utils::head(values, most), quote = "\"")
  more <- length(values) - length(shown)
  text <- paste(shown, collapse = ", ")
  if (more > 0) text <- paste0(text, " and ", format_count(more), " more")
  text
}

# A Suggests package that a function cannot do without.
need_package <- function(package, what, call = caller_env()) {
  if (requireNamespace(package, quietly = TRUE)) return(invisible())
  abort_judicious(c(
    "{what} needs the package {.pkg {package}}, which is not installed.",
    i = "Install it with {.code install.packages(\"{package}\")}."
  ), "missing_package", package = package, call = call)
}

# The call of a method as its caller wrote it.
generic_call <- function(generic, call) {
  call[[1]] <- as.name(generic)
  call
}
