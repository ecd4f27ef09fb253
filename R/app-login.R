# Log-in by token, and the limit of wrong tokens per address. Tokens are too long to be guessed at any speed; the limit
# only saves processor time. It must not allow an attacker to lock others out: it counts by address, and a token that
# was valid before is always checked.

login_limits <- list(per_minute = 20, addresses = 10000, tokens = 10000)

# `wrong`: times and hashes of wrong tokens, by address. `good`: hashes of tokens that were valid. Both are per process.
new_login_attempts <- function(clock = function() as.numeric(Sys.time())) {
  list2env(list(wrong = list(), good = character(), clock = clock), parent = emptyenv())
}

# The wrong tokens from an address in the last minute.
recent_wrong_tokens <- function(attempts, address) {
  wrong <- attempts$wrong[[address]]
  wrong[wrong > attempts$clock() - 60]
}

# Seconds until an address may try a token; 0 if it may at once.
login_wait <- function(attempts, address, hash) {
  if (hash %in% attempts$good) return(0)
  wrong <- recent_wrong_tokens(attempts, address)
  if (length(wrong) < login_limits$per_minute) 0 else ceiling(max(min(wrong) + 60 - attempts$clock(), 1))
}

# The same wrong token counts once a minute, because reloading a page with an old token is not guessing.
count_wrong_token <- function(attempts, address, hash) {
  wrong <- recent_wrong_tokens(attempts, address)
  wrong[hash] <- attempts$clock()
  # If there are too many addresses, the one with the oldest attempt is removed.
  attempts$wrong[[address]] <- NULL
  attempts$wrong <- utils::tail(c(attempts$wrong, stats::setNames(list(wrong), address)), login_limits$addresses)
  attempts$good <- setdiff(attempts$good, hash)
}

# An IPv6 network has practically unlimited addresses, so its first 64 bits represent all of them.
address_group <- function(address) {
  if (!grepl(":", address, fixed = TRUE)) return(if (nzchar(address)) address else "unknown")
  halves <- strsplit(paste0(address, " "), "::", fixed = TRUE)[[1]]
  groups <- strsplit(trimws(halves), ":", fixed = TRUE)
  omitted <- if (length(groups) == 2) 8 - sum(lengths(groups)) else 0
  paste(utils::head(c(groups[[1]], rep("0", max(omitted, 0)), unlist(groups[-1])), 4), collapse = ":")
}

# The assessor of a token, or why the log-in failed: a list with `assessor` and `token`, its hash; or with `message`,
# and `wait`, the seconds after which the token may be tried again. Without `wait`, the token is not valid.
log_in <- function(s, token, attempts, address) {
  address <- address_group(address)
  token <- text_of_input(token, 200) %||% ""
  hash <- token_hash(token)
  wait <- login_wait(attempts, address, hash)
  if (wait > 0) {
    return(list(message = paste0("There were too many wrong tokens. Trying again in ", counted(wait, "second"), "."),
                wait = wait))
  }
  assessor <- if (nzchar(token)) assessor_of(s, token) else NA
  if (is.na(assessor)) {
    count_wrong_token(attempts, address, hash)
    return(list(message = "This token is unknown or has expired. Ask the person who leads the judging."))
  }
  attempts$good <- utils::tail(union(attempts$good, hash), login_limits$tokens)
  list(assessor = assessor, token = hash)
}

# What strangers may add to the log: bytes in a minute, and characters in a text.
log_limits <- list(bytes = 20000, characters = 200)

# The page's log: one JSON object per line, for programs that monitor a server. It contains no tokens, gains or texts.
# Returns a function that logs an event with its address and further fields, or does nothing without a log. Beyond the
# limit, what strangers do is only counted; the next entry of another minute states the number as `omitted`.
page_log <- function(path, clock = function() as.numeric(Sys.time()), call = caller_env()) {
  if (is.null(path)) return(function(event, address, ...) invisible())
  check_string(path, "log", call = call)
  need_package("jsonlite", "The page's log", call = call)
  minute <- bytes <- omitted <- 0
  write_entry <- function(event, address, ...) {
    now <- clock()
    entry <- list(time = utc_text(now), event = event, address = address, ...)
    if (now %/% 60 != minute) {
      if (omitted) entry$omitted <- omitted
      minute <<- now %/% 60
      bytes <<- omitted <<- 0
    }
    entry <- lapply(entry[!vapply(entry, is.null, NA)], function(value) {
      if (is.character(value)) substr(with_visible_controls(value), 1, log_limits$characters) else value
    })
    line <- paste0(jsonlite::toJSON(entry, auto_unbox = TRUE), "\n")
    if (is.null(entry$assessor)) {
      bytes <<- bytes + nchar(line, "bytes")
      if (bytes > log_limits$bytes) return(omitted <<- omitted + 1)
    }
    # The logged event has already happened: a full disk must not tell the assessor that an answer was lost.
    tryCatch(
      suppressWarnings(cat(line, file = path, append = TRUE)),
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
  write_entry
}
