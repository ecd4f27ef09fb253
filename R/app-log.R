# The page's log: one JSON object per line, for programs that monitor a server. It contains no tokens, gains or texts.

# Returns a function that logs an event with its address and further fields, or does nothing without a log.
page_log <- function(path, call = caller_env()) {
  if (is.null(path)) return(function(event, address, ...) invisible())
  check_string(path, "log", call = call)
  need_package("jsonlite", "The page's log", call = call)
  write <- function(event, address, ...) {
    entry <- list(time = utc_text(as.numeric(Sys.time())), event = event, address = address, ...)
    entry <- entry[!vapply(entry, is.null, NA)]
    # The logged event has already happened: a full disk must not tell the assessor that an answer was lost.
    tryCatch(
      suppressWarnings(cat(paste0(jsonlite::toJSON(entry, auto_unbox = TRUE), "\n"), file = path, append = TRUE)),
      error = function(cnd) warn_judicious("The judging page: the log {.file {path}} cannot be written.", "app")
    )
    invisible()
  }
  # A log that cannot be written must raise an error when the app is created, not at the first event.
  tryCatch(suppressWarnings(cat("", file = path, append = TRUE)), error = function(cnd) {
    abort_judicious(c("The log {.file {path}} cannot be written.",
                      i = "Check that its folder exists and that you may write to it."),
                    "file", argument = "log", call = call)
  })
  write
}
