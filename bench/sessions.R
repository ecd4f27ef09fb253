# 20 assessors work in one session at the same time, each in a process of its own, with one process that tends the
# session: how long do next_documents() and judge() take, and is any judgment lost, stored twice or requested from two
# assessors? On a PostgreSQL server (Debian's package postgresql) and, for comparison, on an SQLite file.
#
#   Rscript bench/sessions.R [judgments] [assessors] [mean seconds between two judgments of an assessor]
#
# With PROGRESS=1 in the environment, the script reports its progress.
library(judicious)
source("tests/testthat/helper-postgres.R")
arguments <- as.numeric(commandArgs(trailingOnly = TRUE))
total <- if (length(arguments) > 0) arguments[1] else 10000
assessors <- if (length(arguments) > 1) arguments[2] else 20
think <- if (length(arguments) > 2) arguments[3] else 0.5

x <- simulate_collection(queries = 250, documents = 4000, artists = 500, systems = 20, seed = 4)

# The process of an assessor: judges until `share` judgments are acknowledged, and records each with its times.
assessor_script <- quote({
  library(judicious)
  s <- open_session(store)
  truth <- judgments_of(s$env$x)
  key <- paste(truth$query, truth$doc)
  set.seed(number)
  done <- vector("list", share)
  time <- function(code) {
    start <- Sys.time()
    force(code)
    as.numeric(Sys.time() - start, units = "secs")
  }
  for (i in seq_len(share)) {
    Sys.sleep(stats::rexp(1, 1 / think))
    asking <- time(d <- next_documents(s, 1, who))
    if (!nrow(d)) break
    judging <- time(judge(s, d$query, d$doc, truth$gain[match(paste(d$query, d$doc), key)], who))
    done[[i]] <- data.frame(who, d[c("query", "doc")], asking, judging)
  }
  saveRDS(do.call(rbind, done), result)
})

run_script <- function(script, values) {
  file <- tempfile(fileext = ".R")
  saved <- tempfile(fileext = ".rds")
  saveRDS(values, saved)
  writeLines(c(sprintf("list2env(readRDS(%s), globalenv())", deparse(saved)), deparse(script)), file)
  system2(file.path(R.home("bin"), "Rscript"), shQuote(file), wait = FALSE, stdout = FALSE, stderr = "")
}

measure_store <- function(name, store) {
  s <- judging_session(x, goal = goal_budget(total + 1), store = store, batch = 500, update_every = 1000, lease = 3600,
                       seed = 1, judgments = FALSE)
  invisible(next_documents(s, 1, "nobody"))
  next_documents(s, 0, "nobody")
  results <- tempfile(rep("result", assessors))
  share <- diff(round(seq(0, total, length.out = assessors + 1)))
  for (i in seq_len(assessors)) {
    run_script(assessor_script, list(store = store, number = i, who = paste0("a", i), share = share[i], think = think,
                                     result = results[i]))
  }
  start <- Sys.time()
  while (!all(file.exists(results))) {
    tend_session(s, seconds = 2)
    if (interactive() || nzchar(Sys.getenv("PROGRESS"))) message(Sys.time(), " ", progress(s, expect = FALSE)$judged)
    if (Sys.time() - start > as.difftime(1, units = "hours")) stop("Some assessors never came to their end.")
  }
  Sys.sleep(1)
  elapsed <- as.numeric(Sys.time() - start, units = "secs")
  acknowledged <- do.call(rbind, lapply(results, readRDS))
  kept <- judgments_of(s)
  log <- judicious:::store_rows(s$env$store, "event", list(kind = "lease"))
  key <- function(d) paste(d$query, d$doc, sep = "\r")
  leases <- unique(log[log$assessor != "nobody", c("query", "doc", "assessor")])
  cat(sprintf("\n%s: %d judgments by %d assessors in %.0f s, %.1f a second\n", name, nrow(acknowledged), assessors,
              elapsed, nrow(acknowledged) / elapsed))
  cat(sprintf("  lost %d, kept twice %d, of nobody %d, asked of two assessors %d\n",
              sum(!paste(key(acknowledged), acknowledged$who) %in% paste(key(kept), kept$assessor)),
              sum(duplicated(key(kept))),
              sum(!paste(key(kept), kept$assessor) %in% paste(key(acknowledged), acknowledged$who)),
              sum(duplicated(leases[c("query", "doc")]))))
  figure <- function(what, seconds) {
    q <- 1000 * stats::quantile(seconds, c(.5, .95, .99, 1))
    cat(sprintf("  %-18s median %6.1f ms, 95%% below %7.1f ms, 99%% below %7.1f ms, longest %8.1f ms\n", what, q[1],
                q[2], q[3], q[4]))
  }
  figure("next_documents()", acknowledged$asking)
  figure("judge()", acknowledged$judging)
  figure("both", acknowledged$asking + acknowledged$judging)
  close_session(s)
}

cat(sprintf("A pool of %d documents, %d systems; %d cores\n", nrow(judgments_of(x)), nrow(x$systems),
            parallel::detectCores()))
main <- function() {
  server <- local_postgres()
  measure_store("PostgreSQL", server)
  file <- tempfile(fileext = ".sqlite")
  measure_store("SQLite", file)
}
main()
