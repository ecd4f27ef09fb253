# Many assessors judge on the page at the same time: how long does an answer take until the next document is there, and
# is any judgment lost, stored twice or requested from two assessors? Each page process plays its share of the
# assessors, as one R process serves many browsers, and calls what the page's server calls, including the drawing of
# the screen; another process tends the session. An answer is timed from the moment at which the assessor gives it, so
# the time includes the wait for others in the same process. The store is a PostgreSQL server (Debian's package
# postgresql) or, for comparison, an SQLite file.
#
#   Rscript bench/sessions.R [judgments] [assessors] [mean seconds between two judgments of an assessor] [page processes]
#                            [postgres or sqlite]
library(judicious)
source("tests/testthat/helper-postgres.R")
arguments <- commandArgs(trailingOnly = TRUE)
given <- function(i, default) if (length(arguments) >= i) as.numeric(arguments[i]) else default
total <- given(1, 20000)
assessors <- given(2, 200)
think <- given(3, 10)
pages <- given(4, 3)
kind <- if (length(arguments) >= 5) arguments[5] else "postgres"

x <- simulate_collection(queries = 250, documents = 6000, artists = 500, systems = 25, seed = 4)

# A page process: `names` are its assessors, each of whom makes `share` judgments. Returns a row for each answer, and
# the seconds for which somebody had nothing to judge.
page_script <- quote({
  library(judicious)
  s <- open_session(store)
  truth <- judgments_of(s$env$x)
  key <- paste(truth$query, truth$doc)
  page <- environment(judge_app(s, tokens = FALSE)$serverFuncSource())
  mode <- page$mode
  set.seed(number)
  clock <- function() as.numeric(Sys.time())
  task <- vector("list", length(names))
  left <- rep(share, length(names))
  due <- clock() + runif(length(names), 0, think)
  done <- vector("list", share * length(names))
  idle <- 0
  n <- 0
  catch_up <- function(who, task) {
    mode$refill(who)
    for (item in mode$coming(who, task)) page$spec$items$ahead(item)
    mode$afterwards()
    mode$status$get()
  }
  while (any(left > 0)) {
    i <- which.min(replace(due, left == 0, Inf))
    who <- names[i]
    Sys.sleep(max(0, due[i] - clock()))
    began <- due[i]
    was <- task[[i]]
    if (!is.null(was)) {
      mode$answer(who, was, truth$gain[match(paste(was$query, was$doc), key)], 1)
      mode$status$touch()
      left[i] <- left[i] - 1
    }
    answered <- clock()
    now <- mode$next_task(who)
    if (!is.null(now)) {
      now$note <- mode$noted(who, now)
      as.character(mode$screen(now, page$spec))
    }
    task[i] <- list(now)
    if (!is.null(was)) {
      n <- n + 1
      done[[n]] <- data.frame(who, was[c("query", "doc")], judging = answered - began, answer = clock() - began,
                              at = answered, waits = is.null(now))
    }
    if (is.null(now)) {
      if (left[i] > 0) idle <- idle + 5
      due[i] <- clock() + 5
    } else {
      due[i] <- clock() + rexp(1, 1 / think)
      catch_up(who, now)
    }
  }
  saveRDS(list(done = do.call(rbind, done[seq_len(n)]), idle = idle, user = proc.time()[1:2]),
          paste0(result, ".part"))
  file.rename(paste0(result, ".part"), result)
})

tender_script <- quote({
  library(judicious)
  s <- open_session(store)
  tend_session(s)
})

run_script <- function(script, values) {
  file <- tempfile(fileext = ".R")
  saved <- tempfile(fileext = ".rds")
  saveRDS(values, saved)
  writeLines(c(sprintf("list2env(readRDS(%s), globalenv())", deparse(saved)), deparse(script)), file)
  processx::process$new(file.path(R.home("bin"), "Rscript"), file, stdout = NULL, stderr = "", cleanup_tree = TRUE)
}

measure_store <- function(name, store) {
  s <- judging_session(x, goal = goal_budget(total + 1), store = store, batch = 4 * assessors, update_every = 100,
                       lease = 3600, seed = 1, judgments = FALSE)
  # Nobody starts to judge before the first documents are there.
  tend_session(s, seconds = 0)
  share <- ceiling(total / assessors)
  names <- split(paste0("a", seq_len(assessors)), rep_len(seq_len(pages), assessors))
  results <- tempfile(rep("result", pages))
  start <- Sys.time()
  tender <- run_script(tender_script, list(store = store))
  players <- lapply(seq_len(pages), function(i) {
    run_script(page_script, list(store = store, number = i, names = names[[i]], share = share, think = think,
                                 result = results[i]))
  })
  repeat {
    if (all(file.exists(results))) break
    alive <- vapply(players, function(p) p$is_alive(), NA) | file.exists(results)
    if (!all(alive) || !tender$is_alive()) stop("A process ended before its time.")
    Sys.sleep(2)
  }
  elapsed <- as.numeric(Sys.time() - start, units = "secs")
  tender$kill_tree()
  report_answers(name, s, lapply(results, readRDS), elapsed)
  close_session(s)
}

report_answers <- function(name, s, results, elapsed) {
  answers <- do.call(rbind, lapply(results, `[[`, "done"))
  events <- judicious:::store_rows(s$env$store, "event")
  kept <- events[events$kind == "judge", ]
  leases <- unique(events[events$kind == "lease" & grepl("copy=1", events$detail), c("query", "doc", "assessor")])
  key <- function(d) paste(d$query, d$doc, sep = "\r")
  cat(sprintf("\n%s: %d judgments by %d assessors in %d page processes in %.0f s, %.1f a second\n", name,
              nrow(answers), assessors, pages, elapsed, nrow(answers) / elapsed))
  cat(sprintf("  lost %d, kept twice %d, of nobody %d, asked of two assessors %d\n",
              sum(!paste(key(answers), answers$who) %in% paste(key(kept), kept$assessor)),
              sum(duplicated(key(kept))), sum(!paste(key(kept), kept$assessor) %in% paste(key(answers), answers$who)),
              sum(duplicated(leases[c("query", "doc")]))))
  # A lead's figure: the fits that were made meanwhile, and how long the longest took.
  fits <- events[events$kind == "fit", ]
  cat(sprintf("  estimates were made anew %d times; assessors had nothing to judge for %.0f s of %.0f\n", nrow(fits),
              sum(vapply(results, `[[`, 0, "idle")), elapsed * assessors))
  figure <- function(what, seconds) {
    q <- 1000 * stats::quantile(seconds, c(.5, .95, .99, 1))
    cat(sprintf("  %-24s median %6.1f ms, 95%% below %7.1f ms, 99%% below %7.1f ms, longest %8.1f ms\n", what, q[1],
                q[2], q[3], q[4]))
  }
  figure("until it is kept", answers$judging)
  figure("until the next is there", answers$answer)
  cat(sprintf("  processor time of the page processes: %.1f ms per answer\n",
              1000 * sum(vapply(results, function(r) sum(r$user), 0)) / nrow(answers)))
}

cat(sprintf("A pool of %d documents, %d systems; %d cores\n", nrow(judgments_of(x)), nrow(x$systems),
            parallel::detectCores()))
main <- function() measure_store(kind, if (kind == "postgres") local_postgres() else tempfile(fileext = ".sqlite"))
main()
