# The page's log: one JSON object a line, for programs that watch a server. It holds no tokens, gains or texts.

# A function of an event, the address it comes from and further fields; it does nothing where no log is kept.
page_log <- function(path, call = caller_env()) {
  if (is.null(path)) return(function(event, address, ...) invisible())
  check_string(path, "log", call = call)
  need_package("jsonlite", "The page's log", call = call)
  write <- function(event, address, ...) {
    entry <- list(time = utc_text(as.numeric(Sys.time())), event = event, address = address, ...)
    entry <- entry[!vapply(entry, is.null, NA)]
    # What is logged has happened already: a full disk must not tell an assessor that an answer was lost.
    tryCatch(
      suppressWarnings(cat(paste0(jsonlite::toJSON(entry, auto_unbox = TRUE), "\n"), file = path, append = TRUE)),
      error = function(cnd) warn_judicious("The judging page: the log {.file {path}} cannot be written.", "app")
    )
    invisible()
  }
  # A log that cannot be written must be noticed when the app is made, not when something happens.
  tryCatch(suppressWarnings(cat("", file = path, append = TRUE)), error = function(cnd) {
    abort_judicious(c("The log {.file {path}} cannot be written.", i = "Is its folder there, and may you write in it?"),
                    "file", argument = "log", call = call)
  })
  write
}
