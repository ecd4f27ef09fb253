# Kills a process (kill -9) that judges, undoes and skips in a session, repeatedly at random moments: is every
# acknowledged event stored exactly once, and can the session continue?
#
#   Rscript bench/session-kills.R [kills] [longest wait before one, in seconds]
library(judicious)
source("tests/testthat/helper-sessions.R")
environment(kill_sessions) <- environment(start_process) <- environment(wait_until) <-
  new.env(parent = asNamespace("judicious"))
invisible(list2env(list(start_process = start_process, wait_until = wait_until), environment(kill_sessions)))
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
kills <- if (length(arguments) > 0) arguments[1] else 200
wait <- if (length(arguments) > 1) arguments[2] else 0.5

x <- simulate_collection(queries = 60, documents = 1500, artists = 200, systems = 12, seed = 4)
file <- tempfile(fileext = ".sqlite")
close_session(judging_session(x, store = file, batch = 3, overlap = 0.1, update_every = 10, seed = 1,
                              judgments = FALSE))
outcome <- kill_sessions(file, kills, wait)
s <- open_session(file)
before <- nrow(judgments_of(s))
d <- next_documents(s, 2, "assessor")
judge(s, d$query, d$doc, c(10, 20), "assessor")
cat(sprintf(paste0("%d kills: %d acknowledged, %d of them lost, %d kept twice; %d that were kept but not acknowledged ",
                   "when their process died\n"),
            outcome$kills, outcome$acknowledged, outcome$lost, outcome$twice, outcome$unacknowledged))
cat(sprintf("the session goes on: %s\n", nrow(judgments_of(s)) == before + 2))
