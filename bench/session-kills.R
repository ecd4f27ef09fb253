# Kills what a session depends on, repeatedly and at random moments: is every acknowledged event stored exactly once,
# and can the session continue? First processes (kill -9) that judge, undo and skip in an SQLite file; then the process
# that serves the judging page (kill -9), while a browser answers; then, with four processes that judge, the database
# server (PostgreSQL, an immediate stop, and started again). bench/session-faults.R damages the files.
#
#   Rscript bench/session-kills.R [kills] [page_kills] [database_kills] [wait]
# where `kills` are those of processes, and `wait` is the longest time before one, in seconds.
#
# In November 2026, with 200, 50 and 50 kills on a machine of two busy cores: 426, 62 and 355 acknowledged, none of them
# lost and none stored twice; 25, 5 and 4 were stored but not acknowledged, and every session could be continued.
library(judicious)
source("bench/common.R")
source("tests/testthat/helper-sessions.R")
source("tests/testthat/helper-postgres.R")
# A fork of this process has already loaded the package, which saves a second for each kill; it opens the session
# itself.
start_process <- function(f, arguments, result) {
  job <- parallel::mcparallel({
    saveRDS(do.call(f, arguments), paste0(result, ".part"))
    file.rename(paste0(result, ".part"), result)
  }, detached = TRUE, silent = TRUE)
  pid_file <- paste0(result, ".pid")
  cat(job$pid, file = pid_file)
  pid_file
}
environment(kill_sessions) <- environment(wait_until) <- new.env(parent = asNamespace("judicious"))
invisible(list2env(list(start_process = start_process, wait_until = wait_until), environment(kill_sessions)))
page <- new.env(parent = asNamespace("judicious"))
for (helper in c("browser", "app", "attacks")) {
  sys.source(file.path("tests/testthat", paste0("helper-", helper, ".R")), page)
}
given <- given_arguments(commandArgs(TRUE), list(kills = 500, page_kills = 50, database_kills = 50, wait = 0.5))

x <- simulate_collection(queries = 60, documents = 1500, artists = 200, systems = 12, seed = 4)
begin <- function(store) {
  close_session(judging_session(x, store = store, batch = 20, overlap = 0.1, update_every = 50, seed = 1,
                                judgments = FALSE))
}

goes_on <- function(store, gains = c(10, 20)) {
  s <- open_session(store)
  on.exit(close_session(s))
  before <- nrow(judgments_of(s))
  d <- next_documents(s, 2, "later")
  judge(s, d$query, d$doc, gains, "later")
  cat(sprintf("  the session goes on: %s\n", nrow(judgments_of(s)) == before + 2))
}

kill_processes <- function() {
  file <- tempfile(fileext = ".sqlite")
  begin(file)
  outcome <- kill_sessions(file, given$kills, given$wait)
  cat(sprintf(paste0("%d processes killed: %d acknowledged, %d of them lost, %d kept twice; %d that were kept but not ",
                     "acknowledged when their process died\n"),
              outcome$kills, outcome$acknowledged, outcome$lost, outcome$twice, outcome$unacknowledged))
  goes_on(file)
}

# Answers on the page, which it opens repeatedly, until its process is killed; returns the tasks that the page
# acknowledged.
answer_until_killed <- function(port, killed) {
  kept <- character()
  tryCatch(repeat {
    said <- page$answer_over_websocket(port, paste0("http://127.0.0.1:", port))
    task <- regmatches(said, regexec("judicious-kept\":\\{\"task\":\"([^\"]+)", said))[[1]][2]
    if (!is.na(task)) kept <- c(kept, task)
    if (length(kept) == 1) killed()
  }, error = function(cnd) kept)
}

kill_page <- function() {
  file <- tempfile(fileext = ".sqlite")
  x <- simulate_collection(queries = 60, documents = 1500, artists = 200, systems = 12, seed = 4, scale = broad_scale())
  close_session(judging_session(x, store = file, batch = 20, seed = 1, judgments = FALSE))
  code <- c(sprintf("s <- open_session(%s)", deparse(file)), "app <- judge_app(s, tokens = FALSE)")
  saved <- unlist(lapply(seq_len(given$page_kills), function(i) {
    served <- page$serve_app(code)
    # Another process, because this one waits for the page.
    killer <- function() {
      later <- sprintf("sleep %.3f; kill -9 %d", stats::runif(1, 0, given$wait), served$process$get_pid())
      system2("sh", c("-c", shQuote(later)), wait = FALSE)
    }
    answer_until_killed(served$port, killer)
  }))
  s <- open_session(file)
  kept <- judgments_of(s)
  close_session(s)
  tasks <- judicious:::gains_task_id(kept$assessor, kept$query, kept$doc)
  cat(sprintf(paste0("%d kills of the page: %d acknowledged, %d of them lost, %d kept twice; %d that were kept but ",
                     "not acknowledged\n"),
              given$page_kills, length(saved), sum(!saved %in% tasks), sum(duplicated(tasks)), sum(!tasks %in% saved)))
  goes_on(file, 1:2)
}

# Judges until a file named `stop` exists, and records what was acknowledged. After an error of the store, it waits and
# tries again; any other error ends the process.
judge_through <- function(number, server, journal, stop) {
  s <- judicious::open_session(server)
  who <- paste0("a", number)
  faults <- 0
  while (!file.exists(stop)) {
    tryCatch({
      d <- judicious::next_documents(s, 1, who)
      gain <- sample(0:100, 1)
      judicious::judge(s, d$query, d$doc, gain, who)
      cat(paste0(paste(who, d$query, d$doc, gain, sep = "\t"), "\n"), file = paste0(journal, number), append = TRUE)
    }, judicious_error_store_unreachable = function(cnd) {
      faults <<- faults + 1
      Sys.sleep(0.1)
    }, judicious_error_already_judged = function(cnd) NULL)
  }
  faults
}

kill_database <- function(judges = 4) {
  server <- local_postgres()
  begin(server)
  journal <- tempfile("journal")
  stop_at <- tempfile("stop")
  results <- tempfile(rep("result", judges), fileext = ".rds")
  for (i in seq_len(judges)) {
    start_process(judge_through, list(number = i, server = server, journal = journal, stop = stop_at), results[i])
  }
  lines <- function() {
    files <- paste0(journal, seq_len(judges))
    unlist(lapply(files[file.exists(files)], readLines, warn = FALSE))
  }
  for (i in seq_len(given$database_kills)) {
    before <- length(lines())
    wait_until(length(lines()) > before, 120)
    Sys.sleep(stats::runif(1, 0, given$wait))
    as_postgres_user(postgres_program("pg_ctl"), "-D", file.path(server$host, "data"), "-m", "immediate", "-w", "-t",
                     "300", "-l", file.path(server$host, "log"), "restart")
  }
  file.create(stop_at)
  wait_until(all(file.exists(results)), 120)
  acknowledged <- utils::read.delim(text = lines(), header = FALSE, col.names = c("assessor", "query", "doc", "gain"),
                                    colClasses = c(rep("character", 3), "numeric"))
  s <- open_session(server)
  kept <- judgments_of(s)
  close_session(s)
  key <- function(d) paste(d$assessor, d$query, d$doc, d$gain, sep = "\r")
  cat(sprintf(paste0("%d stops of the database: %d acknowledged, %d of them lost, %d kept twice; %d that were kept ",
                     "but not acknowledged; %d errors said\n"),
              given$database_kills, nrow(acknowledged),
              sum(!key(acknowledged) %in% key(kept)), sum(duplicated(kept[c("assessor", "query", "doc")])),
              sum(!key(kept) %in% key(acknowledged)), sum(vapply(results, readRDS, 0))))
  goes_on(server)
}

if (given$kills > 0) kill_processes()
if (given$page_kills > 0) kill_page()
if (given$database_kills > 0) kill_database()
