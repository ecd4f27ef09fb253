# Many assessors judge on the page at the same time: how long does an answer take until it is acknowledged and until the
# next document is there, and is any judgment lost, stored twice or requested from two assessors?
#
# Page processes serve judge_app() as in production, two others tend the session, and client processes play the
# browsers: each assessor loads the page, logs in on a WebSocket of his or her own and answers what the page shows, with
# pauses of random length (exponential) between a document and its answer. The times run from the moment at which the
# page is requested or the answer is sent to those at which the messages of the page arrive. The store is a PostgreSQL
# server (Debian's package postgresql) or, for comparison, an SQLite file.
#
#   Rscript bench/sessions.R [judgments] [assessors] [seconds] [pages] [store] [arrive]
# where `seconds` is the mean time to judge a document, `pages` the number of page processes, `store` is postgres or
# sqlite, and the assessors arrive one after the other within `arrive` seconds; with 0, all at the same time.
library(judicious)
source("bench/common.R")
source("tests/testthat/helper-postgres.R")
source("tests/testthat/helper-browser.R")
source("tests/testthat/helper-app.R")
given <- given_arguments(commandArgs(TRUE),
                         list(judgments = 20000, assessors = 200, seconds = 15, pages = 3, store = "postgres",
                              arrive = 60))
assessors <- given$assessors
share <- ceiling(given$judgments / assessors)

# The pool must be larger than the number of judgments; otherwise the processes that select documents would end before
# the last judgment.
x <- simulate_collection(queries = 300, documents = 6000, artists = 500, systems = 25, seed = 4)

page_script <- quote({
  library(judicious)
  shiny::runApp(judge_app(open_session(store), title = "Judging"), port = port, launch.browser = FALSE, quiet = TRUE)
})

tender_script <- quote({
  library(judicious)
  prefetch_documents(open_session(store))
})

# The browsers of some assessors (columns `name`, `token`, `port`), each of whom makes `share` judgments. Writes a row
# for each answer.
client_script <- quote({
  for (helper in helpers) source(helper)
  set.seed(number)
  clock <- function() as.numeric(Sys.time())
  found <- function(pattern, text) regmatches(text, regexec(pattern, text, perl = TRUE))[[1]][2]
  n <- nrow(people)
  sockets <- shown <- before <- vector("list", n)
  # The stages of an assessor: away, then waiting for the page, then for the WebSocket, and then connected.
  stage <- rep("away", n)
  due <- answered <- acknowledged <- arrived <- entered <- rep(NA_real_, n)
  left <- rep(share, n)
  done <- list()
  message_of <- function(...) jsonlite::toJSON(list(method = "update", data = list(...)), auto_unbox = TRUE)
  ask_for_page <- function(i) {
    sockets[[i]] <<- connect_to(people$port[i])
    writeBin(charToRaw(paste0("GET / HTTP/1.1\r\nHost: 127.0.0.1:", people$port[i], "\r\nConnection: close\r\n\r\n")),
             sockets[[i]])
    stage[i] <<- "page"
  }
  ask_for_socket <- function(i) {
    if (!grepl("^HTTP/1.1 200", read_head(sockets[[i]]))) stop("The page was not served.")
    close(sockets[[i]])
    sockets[[i]] <<- ask_websocket(people$port[i], "/websocket/")
    stage[i] <<- "socket"
  }
  log_in <- function(i) {
    check_websocket(sockets[[i]])
    outputs <- c("screen", "menu", "dialogs", "background")
    hidden <- stats::setNames(as.list(rep(FALSE, 4)), paste0(".clientdata_output_", outputs, "_hidden"))
    send_text(sockets[[i]], jsonlite::toJSON(list(method = "init", data = hidden), auto_unbox = TRUE))
    send_text(sockets[[i]], message_of(login = list(token = people$token[i])))
    stage[i] <<- "open"
  }
  # Shiny draws the screen of the first document; those of the next ones come as messages.
  receive <- function(i) {
    text <- receive_text(sockets[[i]])
    now <- clock()
    if (grepl("judicious-kept", text)) acknowledged[i] <<- now
    if (grepl("\"(judicious-task|screen)\"", text)) {
      task <- found("data-task=\\\\\"([^\\\\]+)", text)
      if (!is.na(task) && !identical(task, shown[[i]]$task)) {
        ids <- sub(".*>", "", regmatches(text, gregexpr("item-id\\\\\">[^<]+", text))[[1]])
        if (!is.na(answered[i])) {
          arrived[i] <<- now
        } else {
          entered[i] <<- now - people$arrival[i]
          due[i] <<- now + rexp(1, 1 / think)
        }
        before[[i]] <<- shown[[i]]
        shown[[i]] <<- list(task = task, query = ids[1], doc = ids[2])
      }
    }
    if (is.na(acknowledged[i]) || is.na(arrived[i])) return()
    done[[length(done) + 1]] <<- data.frame(who = people$name[i], before[[i]][c("query", "doc")],
                                            sent = answered[i], judging = acknowledged[i] - answered[i],
                                            answer = arrived[i] - answered[i])
    left[i] <<- left[i] - 1
    answered[i] <<- acknowledged[i] <<- arrived[i] <<- NA
    due[i] <<- if (left[i] > 0) now + rexp(1, 1 / think) else Inf
  }
  next_stage <- list(page = ask_for_socket, socket = log_in, open = receive)
  while (any(left > 0)) {
    connected <- which(stage != "away")
    events <- c(due, people$arrival[stage == "away"])
    wait <- max(0, min(1, events - clock(), na.rm = TRUE))
    if (length(connected)) ready <- connected[socketSelect(sockets[connected], timeout = wait)] else Sys.sleep(wait)
    for (i in if (length(connected)) ready) next_stage[[stage[i]]](i)
    for (i in which(stage == "away" & people$arrival <= clock())) ask_for_page(i)
    for (i in which(due <= clock())) {
      gain <- truth$gain[match(paste(shown[[i]]$query, shown[[i]]$doc), truth$key)]
      due[i] <- NA
      answered[i] <- clock()
      action <- list(kind = "answer", task = shown[[i]]$task, value = as.character(gain))
      send_text(sockets[[i]], message_of("action:judicious.action" = action))
    }
  }
  for (socket in sockets) close(socket)
  saveRDS(list(done = do.call(rbind, done), entered = entered, user = proc.time()[1:2]), paste0(result, ".part"))
  file.rename(paste0(result, ".part"), result)
})

run_script <- function(script, values) {
  file <- tempfile(fileext = ".R")
  saved <- tempfile(fileext = ".rds")
  saveRDS(values, saved)
  writeLines(c(sprintf("list2env(readRDS(%s), globalenv())", deparse(saved)), deparse(script)), file)
  processx::process$new(file.path(R.home("bin"), "Rscript"), file, stdout = NULL, stderr = "", cleanup_tree = TRUE)
}

measure_store <- function(name, store) {
  s <- judging_session(x, goal = goal_budget(share * assessors + 1), store = store, batch = 4 * assessors,
                       update_every = 100, lease = 3600, seed = 1, judgments = FALSE)
  # The first documents are selected before anybody starts to judge.
  prefetch_documents(s, seconds = 0)
  people <- data.frame(name = paste0("a", seq_len(assessors)))
  people$token <- vapply(people$name, function(who) add_assessor(s, who), "")
  ports <- vapply(seq_len(given$pages), function(i) free_port(), 0L)
  people$port <- rep_len(ports, assessors)
  truth <- judgments_of(x)
  truth <- list(key = paste(truth$query, truth$doc), gain = truth$gain)
  # Two processes, so that one can select documents while the other estimates.
  tenders <- lapply(1:2, function(i) run_script(tender_script, list(store = store)))
  served <- lapply(ports, function(port) run_script(page_script, list(store = store, port = port)))
  for (port in ports) await(function() answers_at(port), "the page to be served", 60)
  start <- Sys.time()
  # The client processes need a moment to start.
  people$arrival <- as.numeric(start) + 3 + stats::runif(assessors, 0, given$arrive)
  # R allows about a hundred connections in a process.
  groups <- split(people, (seq_len(assessors) - 1) %/% 100)
  results <- tempfile(rep("result", length(groups)))
  helpers <- normalizePath("tests/testthat/helper-browser.R")
  players <- lapply(seq_along(groups), function(i) {
    run_script(client_script, list(people = groups[[i]], share = share, think = given$seconds, truth = truth,
                                   number = i, helpers = helpers, result = results[i]))
  })
  repeat {
    if (all(file.exists(results))) break
    alive <- vapply(players, function(p) p$is_alive(), NA) | file.exists(results)
    serving <- vapply(c(served, tenders), function(p) p$is_alive(), NA)
    if (!all(alive) || !all(serving)) stop("A process ended before its time.")
    Sys.sleep(2)
  }
  elapsed <- as.numeric(Sys.time() - start, units = "secs")
  times <- vapply(c(served, tenders), function(p) sum(p$get_cpu_times()[c("user", "system")]), 0)
  for (process in c(served, tenders)) process$kill_tree()
  report_answers(name, s, lapply(results, readRDS), elapsed,
                 list(pages = times[seq_len(given$pages)], tenders = sum(times[-seq_len(given$pages)])))
  close_session(s)
}

report_answers <- function(name, s, results, elapsed, times) {
  answers <- do.call(rbind, lapply(results, `[[`, "done"))
  events <- judicious:::store_rows(s$engine$store, "event")
  kept <- events[events$kind == "judge", ]
  leases <- unique(events[events$kind == "lease" & grepl("copy=1", events$detail), c("query", "doc", "assessor")])
  key <- function(d) paste(d$query, d$doc, sep = "\r")
  cat(sprintf("\n%s: %d judgments by %d assessors in %d page processes in %.0f s, %.1f a second\n", name,
              nrow(answers), assessors, given$pages, elapsed, nrow(answers) / elapsed))
  cat(sprintf("  lost %d, kept twice %d, of nobody %d, asked of two assessors %d\n",
              sum(!paste(key(answers), answers$who) %in% paste(key(kept), kept$assessor)),
              sum(duplicated(key(kept))), sum(!paste(key(kept), kept$assessor) %in% paste(key(answers), answers$who)),
              sum(duplicated(leases[c("query", "doc")]))))
  fits <- events[events$kind == "fit", ]
  cat(sprintf("  estimates were made anew %d times\n", nrow(fits)))
  figure <- function(what, seconds) {
    q <- 1000 * stats::quantile(seconds, c(.5, .95, .99, 1))
    cat(sprintf("  %-24s median %6.1f ms, 95%% below %7.1f ms, 99%% below %7.1f ms, longest %8.1f ms\n", what, q[1],
                q[2], q[3], q[4]))
  }
  figure("from page to document", unlist(lapply(results, `[[`, "entered")))
  figure("until acknowledged", answers$judging)
  figure("until the next is there", answers$answer)
  cat(sprintf("  processor time: %.1f ms per answer in the page processes, %.1f in the clients; %.0f s of tending\n",
              1000 * sum(times$pages) / nrow(answers),
              1000 * sum(vapply(results, function(r) sum(r$user), 0)) / nrow(answers), times$tenders))
}

cat(sprintf("A pool of %d documents, %d systems; %d cores\n", nrow(judgments_of(x)), nrow(x$systems),
            parallel::detectCores()))
main <- function() {
  measure_store(given$store, if (given$store == "postgres") local_postgres() else tempfile(fileext = ".sqlite"))
}
main()
