# A small simulated collection in which all pairs are judged.
session_collection <- function(seed = 4) {
  simulate_collection(queries = 12, documents = 200, artists = 30, teams = 3, systems = 5, seed = seed)
}

skip_without_sqlite <- function() {
  for (package in c("DBI", "RSQLite")) testthat::skip_if_not_installed(package)
}

session_file <- function(env = parent.frame()) {
  skip_without_sqlite()
  file <- tempfile(fileext = ".sqlite")
  withr::defer(unlink(paste0(file, c("", "-wal", "-shm"))), envir = env)
  file
}

# Judges `n` documents one by one with their true gains. Returns the documents in order.
judge_truly <- function(s, n, assessor = "me") {
  truth <- judgments_of(s$engine$x)
  key <- paste(truth$query, truth$doc)
  judged <- lapply(seq_len(n), function(i) {
    d <- next_documents(s, 1, assessor)
    judge(s, d$query, d$doc, truth$gain[match(paste(d$query, d$doc), key)], assessor)
    d[c("query", "doc")]
  })
  do.call(rbind, judged)
}

# A session with second opinions, an audit and batches, in which two assessors judge, undo, skip and give back
# documents. Returns the session, and the judged documents in order.
eventful_session <- function(x, store) {
  s <- judging_session(x, overlap = 0.2, audit = 0.3, batch = 3, update_every = 5, store = store, seed = 5,
                       judgments = FALSE)
  order <- judge_truly(s, 12, "a")
  undo_judgment(s, "a")
  order <- rbind(order, judge_truly(s, 5, "b"))
  d <- next_documents(s, 2, "a")
  judicious::skip_document(s, d$query[1], d$doc[1], assessor = "a")
  next_documents(s, 0, "a")
  list(s = s, order = order)
}

# `n` processes judge `each` documents of one session at the same time. Expects that no judgment was lost or stored
# twice, and that, except for second opinions, no document was given to two assessors.
expect_judged_at_once <- function(store, n, each) {
  judged <- in_processes(n, function(number, store, each) {
    s <- judicious::open_session(store)
    who <- paste0("a", number)
    out <- NULL
    for (i in seq_len(each)) {
      d <- judicious::next_documents(s, 1, who)
      judicious::judge(s, d$query, d$doc, 10 * number, who)
      out <- rbind(out, data.frame(d[c("query", "doc", "overlap")], assessor = who))
    }
    out
  }, store = store, each = each)
  s <- open_session(store)
  kept <- judgments_of(s)
  key <- function(d) sort(text_key(d$query, d$doc, d$assessor))
  testthat::expect_identical(nrow(kept), as.integer(n * each))
  testthat::expect_identical(key(kept), key(do.call(rbind, judged)))
  testthat::expect_false(any(duplicated(kept[!kept$overlap, c("query", "doc")])))
  testthat::expect_lte(max(table(text_key(kept$query, kept$doc))), 2)
  leases <- store_rows(s$engine$store, "event", list(kind = "lease"))
  leases <- unique(leases[grepl("copy=1", leases$detail), c("query", "doc", "assessor")])
  testthat::expect_false(any(duplicated(leases[c("query", "doc")])))
  close_session(s)
}

# The state of a session without times, to compare sessions.
session_state <- function(s) {
  slots <- store_rows(s$engine$store, "slot")
  slots <- slots[order(slots$pair, slots$copy), names(slots) != "lease_until"]
  list(trace = as.data.frame(s), judgments = judgments_of(s)[-5], slots = `rownames<-`(slots, NULL))
}

# Sets the clock of the session's store forward by `seconds`.
advance_clock <- function(s, seconds) s$engine$store$clock_offset <- s$engine$store$clock_offset + seconds

# Replaces the names of files in lines of printed conditions, because they differ between runs.
hide_file <- function(lines) gsub("\"[^\"]*file[0-9a-f]+\\.[a-z]+\"|'[^']*file[0-9a-f]+\\.[a-z]+'", "<file>", lines)

# Runs f(number, ...) in `n` R processes at the same time, with this package, whether it is installed or loaded from its
# sources. Returns a list of the results; an error in one of the processes is an error here.
in_processes <- function(n, f, ...) {
  results <- tempfile(rep("result", n), fileext = ".rds")
  for (i in seq_len(n)) start_process(f, list(number = i, ...), results[i])
  wait_until(all(file.exists(results)), 120)
  lapply(results, function(file) {
    value <- readRDS(file)
    if (inherits(value, "error")) stop("A process of the test failed: ", conditionMessage(value))
    value
  })
}

# Starts one process of in_processes(). Returns the path of the file that will contain its process id. The result is
# written under another name and then renamed, so that no process reads an incomplete file.
start_process <- function(f, arguments, result) {
  call <- tempfile(fileext = ".rds")
  environment(f) <- globalenv()
  package <- getNamespaceInfo("judicious", "path")
  saveRDS(list(f = f, arguments = arguments, result = result, libraries = .libPaths(), package = package,
               installed = dir.exists(file.path(package, "Meta"))), call)
  script <- paste0("call <- readRDS('", call, "'); .libPaths(c(dirname(call$package), call$libraries)); ",
                   "if (!call$installed) pkgload::load_all(call$package, compile = FALSE, quiet = TRUE); ",
                   "cat(Sys.getpid(), file = paste0(call$result, '.pid')); ",
                   "value <- tryCatch(do.call(call$f, call$arguments), error = identity); ",
                   "saveRDS(value, paste0(call$result, '.part')); ",
                   "file.rename(paste0(call$result, '.part'), call$result)")
  system2(file.path(R.home("bin"), "Rscript"), c("-e", shQuote(script)), wait = FALSE, stdout = FALSE, stderr = FALSE)
  paste0(result, ".pid")
}

wait_until <- function(condition, seconds) {
  condition <- substitute(condition)
  env <- parent.frame()
  end <- Sys.time() + seconds
  while (!eval(condition, env)) {
    if (Sys.time() > end) stop("Waited ", seconds, " seconds for ", deparse(condition), ".")
    Sys.sleep(0.02)
  }
}

# Kills processes that judge in a session, each at a random moment up to `wait` seconds after its first judgment. Counts
# the judgments that were acknowledged but are not stored, that are stored twice, or that were not acknowledged.
kill_sessions <- function(file, kills, wait) {
  journal <- tempfile("acknowledged")
  judge_on <- function(file, journal, number) {
    s <- judicious::open_session(file)
    repeat {
      d <- judicious::next_documents(s, 1, "assessor")
      if (!nrow(d)) break
      # One document in ten is skipped, and every second step is undone.
      if (stats::runif(1) < 0.1) judicious::skip_document(s, d$query, d$doc, "no", "assessor")
      else judicious::judge(s, d$query, d$doc, sample(0:100, 1), "assessor")
      kept <- utils::tail(judicious:::store_rows(s$engine$store, "event", list(kind = c("judge", "skip"))), 1)
      line <- paste(number, kept$id, kept$kind, d$query, d$doc, sep = "\t")
      cat(paste0(line, "\n"), file = journal, append = TRUE)
      if (stats::runif(1) < 0.5) judicious::undo_judgment(s, "assessor")
    }
  }
  lines <- function() if (file.exists(journal)) length(readLines(journal, warn = FALSE)) else 0
  for (i in seq_len(kills)) {
    before <- lines()
    pid_file <- start_process(judge_on, list(file = file, journal = journal, number = i), tempfile())
    wait_until(lines() > before, 60)
    Sys.sleep(stats::runif(1, 0, wait))
    tools::pskill(as.integer(readLines(pid_file, warn = FALSE)), tools::SIGKILL)
  }
  s <- open_session(file)
  acknowledged <- utils::read.delim(journal, header = FALSE, col.names = c("number", "id", "kind", "query", "doc"),
                                    colClasses = c("integer", "integer", rep("character", 3)))
  log <- store_rows(s$engine$store, "event", list(kind = c("judge", "skip")))
  found <- match(acknowledged$id, log$id)
  same <- !is.na(found) & log$query[found] == acknowledged$query & log$doc[found] == acknowledged$doc &
    log$kind[found] == acknowledged$kind
  undone <- as.integer(store_rows(s$engine$store, "event", list(kind = "undo"))$detail)
  standing <- log[log$kind == "judge" & !log$id %in% undone, ]
  kept <- judgments_of(s)
  list(kills = as.integer(kills), acknowledged = nrow(acknowledged), lost = sum(!same),
       twice = sum(duplicated(standing[c("query", "doc", "assessor")])) + sum(nrow(kept) != nrow(standing)),
       unacknowledged = sum(!log$id %in% acknowledged$id))
}
