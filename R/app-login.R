# How often a wrong token may be tried. A browser waits longer after every wrong token beyond the third; all browsers
# together have a number of wrong tokens a minute, beyond which log-ins rest for everyone. That number is kept in the
# session's store, so that it holds for all processes that serve its pages, and through their restarts. Tokens are too
# long to guess at any speed; this keeps guessing from costing the machine its time.

login_limits <- list(free = 3, longest = 300, per_minute = 30)

new_login_attempts <- function() {
  attempts <- new.env(parent = emptyenv())
  attempts$wrong <- 0
  attempts$until <- 0
  attempts
}

# The times of the wrong tokens of the last minute, by the store's clock.
recent_wrong_tokens <- function(store, lock = FALSE) {
  text <- store_rows(store, "meta", list(name = "wrong_tokens"), lock = lock)$value
  times <- if (length(text)) as.numeric(strsplit(text, " ", fixed = TRUE)[[1]])
  times[times > store_now(store) - 60]
}

# Seconds until a token may be tried; 0 is now.
login_wait <- function(store, attempts) {
  now <- store_now(store)
  wrong <- recent_wrong_tokens(store)
  everyone <- if (length(wrong) >= login_limits$per_minute) min(wrong) + 60 - now else 0
  ceiling(max(attempts$until - now, everyone, 0))
}

count_wrong_token <- function(store, attempts) {
  now <- store_now(store)
  store_exclusive(store, {
    wrong <- utils::tail(c(recent_wrong_tokens(store, lock = TRUE), now), login_limits$per_minute)
    set_meta(store, "wrong_tokens", paste(format(wrong, digits = 15, trim = TRUE), collapse = " "))
  })
  attempts$wrong <- attempts$wrong + 1
  beyond <- attempts$wrong - login_limits$free
  if (beyond > 0) attempts$until <- now + min(2^beyond, login_limits$longest)
}

# Who a token belongs to, or in words why nobody is logged in: a list with `assessor` or `message`.
log_in <- function(s, token, attempts) {
  store <- s$env$store
  wait <- login_wait(store, attempts)
  if (wait > 0) {
    return(list(message = paste0("There were too many wrong tokens. Try again in ", counted(wait, "second"), ".")))
  }
  token <- text_of_input(token, 200)
  assessor <- if (!is.null(token) && nzchar(token)) assessor_of(s, token)
  if (is.null(assessor) || is.na(assessor)) {
    count_wrong_token(store, attempts)
    return(list(message = "Nobody has this token. Check it, or ask the person who gave it to you."))
  }
  attempts$wrong <- 0
  list(assessor = assessor, token = token_hash(token))
}
