# How often a wrong token may be tried. A browser session waits longer after every wrong token beyond the third; all
# sessions of a page together have a number of wrong tokens a minute, beyond which log-ins rest for everyone. Tokens
# are too long to guess at any speed; this keeps guessing from costing the machine its time.

login_limits <- list(free = 3, longest = 300, per_minute = 30)

# `clock` is replaced in tests.
new_login_guard <- function(clock = function() as.numeric(Sys.time())) {
  guard <- new.env(parent = emptyenv())
  guard$clock <- clock
  guard$wrong <- numeric()
  guard
}

new_login_attempts <- function() {
  attempts <- new.env(parent = emptyenv())
  attempts$wrong <- 0
  attempts$until <- 0
  attempts
}

# Seconds until a token may be tried; 0 is now.
login_wait <- function(guard, attempts) {
  now <- guard$clock()
  guard$wrong <- guard$wrong[guard$wrong > now - 60]
  everyone <- if (length(guard$wrong) >= login_limits$per_minute) min(guard$wrong) + 60 - now else 0
  ceiling(max(attempts$until - now, everyone, 0))
}

count_wrong_token <- function(guard, attempts) {
  now <- guard$clock()
  guard$wrong <- c(guard$wrong, now)
  attempts$wrong <- attempts$wrong + 1
  beyond <- attempts$wrong - login_limits$free
  if (beyond > 0) attempts$until <- now + min(2^beyond, login_limits$longest)
}

# Who a token belongs to, or in words why nobody is logged in: a list with `assessor` or `message`.
log_in <- function(s, token, guard, attempts) {
  wait <- login_wait(guard, attempts)
  if (wait > 0) {
    return(list(message = paste0("There were too many wrong tokens. Try again in ", counted(wait, "second"), ".")))
  }
  token <- text_of_input(token, 200)
  assessor <- if (!is.null(token) && nzchar(token)) assessor_of(s, token)
  if (is.null(assessor) || is.na(assessor)) {
    count_wrong_token(guard, attempts)
    return(list(message = "Nobody has this token. Check it, or ask the person who gave it to you."))
  }
  attempts$wrong <- 0
  list(assessor = assessor)
}
