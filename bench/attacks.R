# Prints a table of attacks on the judging page by strangers, web sites and assessors: each is tried against a page that
# is served by a separate process, with the outcome. The numbers are chapters of the OWASP Application Security
# Verification Standard 5.0 with applicable items of level 1. tests/testthat/test-app-attacks.R tests the same in
# detail.
#
#   Rscript bench/attacks.R
#
# Ends with status 1 if an attack is not repelled. In November 2026, on two busy cores, with shiny 1.7.4 and httpuv
# 1.6.9, 32 of 32 were repelled; 20 MB of refused requests made a log of 35 KB; a sender of 4,000 messages was
# disconnected at once, one of 100 MB 3 s after its end; all floods together made the process grow from 215 to 445 MB.
library(judicious)
options(width = 150)
own <- new.env(parent = asNamespace("judicious"))
for (helper in c("browser", "app", "attacks")) {
  sys.source(file.path("tests/testthat", paste0("helper-", helper, ".R")), own)
}

root <- tempfile("page")
media <- file.path(root, "media")
dir.create(media, recursive = TRUE)
writeLines("secret", file.path(root, "secret.txt"))
writeLines("fine", file.path(media, "fine.txt"))
writeLines("<script>alert(1)</script>", file.path(media, "page.html"))
dir.create(file.path(media, ".git"))
writeLines("secret", file.path(media, ".git", "config"))
invisible(file.symlink(file.path(root, "secret.txt"), file.path(media, "link.txt")))
store <- file.path(root, "session.sqlite")
s <- own$app_session(store = store, queries = 30, docs = 16)
token <- add_assessor(s, "ann")
suspended <- add_assessor(s, "sue")
invisible(add_assessor(s, "sue", "suspended"))
expired <- add_assessor(s, "eve", days = 1 / 864000)
log <- file.path(root, "page.log")

hash <- as.character(openssl::sha256(token))
login <- function(token) sprintf("{\"method\":\"update\",\"data\":{\"login\":{\"token\":\"%s\"}}}", token)
judged <- function() nrow(judgments_of(s))

# Sends `messages` from `origin`. Returns the page's answer, and how many judgments it stored.
over_socket <- function(page, messages, origin = paste0("http://127.0.0.1:", page$port),
                        host = paste0("127.0.0.1:", page$port), address = "192.0.2.1") {
  before <- judged()
  said <- own$answer_over_websocket(page$port, origin, host, paste("X-Forwarded-For: 127.0.0.1,", address), messages)
  what <- c("Saved" = "judged", "too many wrong tokens" = "must wait", "This token is unknown" = "refused",
            "too long" = "told, disconnected", "too fast" = "told, disconnected", "CLOSED" = "disconnected")
  found <- names(what)[vapply(names(what), grepl, NA, said, fixed = TRUE)]
  sprintf("%s; %d judgments", if (length(found)) what[[found[1]]] else "no answer", judged() - before)
}

status <- function(page, ...) paste("HTTP", own$http_get(page$port, ...)$status)
cookie <- function(key) paste0("Cookie: judicious-media=", key)
media_of <- function(page, path, key = as.character(openssl::sha256(paste("media", hash)))) {
  status(page, paste0("/media/", path), more = cookie(key))
}
header <- function(page, name, path = "/") c(own$http_get(page$port, path)$headers[[name]], "missing")[1]
action <- function(...) {
  sprintf("{\"method\":\"update\",\"data\":{%s}}", paste(..., sep = ","))
}

# Each attack: the chapter of the standard, a description, the expected outcome, and a function that makes the attempt.
attacks <- list(
  list("1.2", "answer whose task is SQL, before a real one", "; 1 judgments", function(page) {
    answer <- "\"action\":{\"kind\":\"answer\",\"task\":\"' OR 1=1 --\",\"value\":\"2\"}"
    over_socket(page, c(login(token), action(answer)))
  }),
  list("1.3", "script in Markdown guidelines", "no script", function(page) {
    shown <- as.character(judicious:::guidelines_html("<script>alert(1)</script> [x](javascript:alert(1))"))
    tags <- unlist(regmatches(shown, gregexpr("<[^>]*>", shown)))
    if (any(grepl("script", tags))) "runs" else "no script"
  }),
  list("2.2", "1 MB in one input", "0 judgments", function(page) {
    over_socket(page, action(sprintf("\"login\":{\"token\":\"%s\"}", strrep("x", 2^20))))
  }),
  list("2.2", "300 inputs at once", "disconnected", function(page) {
    over_socket(page, action(sprintf("\"view\":\"%d\"", 1:300)), address = "192.0.2.7")
  }),
  list("2.3", "answer to a document that is not on the screen", "; 1 judgments", function(page) {
    over_socket(page, c(login(token), action("\"action\":{\"kind\":\"answer\",\"task\":\"d1\",\"value\":\"2\"}")))
  }),
  list("2.2", "posting a file", "HTTP 413", function(page) status(page, method = "POST", more = "Content-Length: 9")),
  list("3.4", "page in a frame", "DENY", function(page) header(page, "x-frame-options")),
  list("3.4", "script of another origin", "script-src 'self'", function(page) {
    header(page, "content-security-policy")
  }),
  list("3.4", "sniffing of types", "nosniff", function(page) header(page, "x-content-type-options")),
  list("3.3", "cookie sent by other sites, or without HTTPS", "strict and secure", function(page) {
    script <- paste(readLines(system.file("app", "judge.js", package = "judicious")), collapse = "\n")
    if (grepl("SameSite=Strict.*\"; Secure\"", script)) "strict and secure" else "sent"
  }),
  list("3.4", "page read by another origin (CORS)", "missing", function(page) {
    header(page, "access-control-allow-origin")
  }),
  list("3.4", "no HSTS, or TLS below 1.2 (nginx.conf)", "max-age=31536000, TLSv1.2 TLSv1.3", function(page) {
    conf <- paste(readLines(system.file("app", "nginx.conf", package = "judicious")), collapse = "\n")
    paste0(regmatches(conf, regexpr("max-age=[0-9]+", conf)), ", ", sub(".*ssl_protocols ([^;]+);.*", "\\1", conf))
  }),
  list("3.5", "judging by a GET request", "0 judgments", function(page) {
    before <- judged()
    status(page, "/?action=answer&value=2")
    sprintf("%d judgments", judged() - before)
  }),
  list("4.1", "page without a content type and charset", "charset=UTF-8", function(page) header(page, "content-type")),
  list("3.5", "WebSocket of a web site", "0 judgments", function(page) {
    over_socket(page, login(token), "http://evil.example")
  }),
  list("3.5", "web site whose name resolves here", "HTTP 403", function(page) status(page, host = "evil.example")),
  list("4.4", "WebSocket without an origin, without a token", "0 judgments", function(page) {
    over_socket(page, action("\"action\":{\"kind\":\"undo\"}", "\"login\":{\"token\":\"\"}"), NULL)
  }),
  list("5.3", "path out of the folder", "HTTP 404", function(page) media_of(page, "%2e%2e/secret.txt")),
  list("5.3", "link out of the folder", "HTTP 404", function(page) media_of(page, "link.txt")),
  list("3.2", "script in an HTML file of the folder", "sandbox", function(page) {
    headers <- own$http_get(page$port, "/media/page.html",
                            more = cookie(as.character(openssl::sha256(paste("media", hash)))))$headers
    regmatches(headers[["content-security-policy"]], regexpr("sandbox", headers[["content-security-policy"]]))
  }),
  list("13.4", "hidden files of the folder", "HTTP 404", function(page) media_of(page, ".git/config")),
  list("6.3", "default accounts", "refused", function(page) {
    for (name in c("admin", "root", "lead")) said <- over_socket(page, login(name), address = "192.0.2.8")
    said
  }),
  list("7.2", "tokens of less than 128 bits", "enough", function(page) {
    if (log2(length(unique(strsplit(token, "")[[1]]))) * nchar(token) >= 128) "enough" else "too few"
  }),
  list("6.3", "token by guessing, 30 times", "must wait", function(page) {
    for (i in 1:30) said <- over_socket(page, login(paste("guess", i)), address = "192.0.2.9")
    said
  }),
  list("6.3", "lock-out of others by guessing", "judged", function(page) over_socket(page, login(token))),
  list("6.4", "token of a suspended assessor", "refused", function(page) over_socket(page, login(suspended))),
  list("7.3", "expired token", "refused", function(page) over_socket(page, login(expired))),
  list("8.2", "lead's actions as an assessor", "unpaused", function(page) {
    over_socket(page, c(login(token), action("\"view\":\"lead\""), action("\"lead\":{\"kind\":\"pause\"}")))
    if (nrow(next_documents(s, 1, "other"))) "unpaused" else "paused"
  }),
  list("8.2", "media without logging in", "HTTP 403", function(page) media_of(page, "fine.txt", "")),
  list("8.2", "media after logging in (allowed)", "HTTP 200", function(page) media_of(page, "fine.txt")),
  list("13.4", "token in the log or the store", "nowhere", function(page) {
    places <- c(log, store, paste0(store, "-wal"))
    read <- function(path) readBin(path, "raw", file.size(path))
    found <- vapply(places, function(path) length(grepRaw(token, read(path), fixed = TRUE)) > 0, NA)
    if (any(found)) "found" else "nowhere"
  }),
  list("16.2", "wrong tokens leave no trace", "logged", function(page) {
    if (any(grepl("wrong_token", readLines(log)))) "logged" else "not logged"
  })
)

# What a hostile client does for some seconds, while the latency for other clients is measured.
floods <- list(
  "nothing" = function(port) NULL,
  "4,000 messages with one unknown name" = function(port) {
    flood(port, rep("{\"method\":\"update\",\"data\":{\"x\":1}}", 4000))
  },
  "4,000 messages with changing names" = function(port) {
    flood(port, sprintf("{\"method\":\"update\",\"data\":{\"x%d\":1}}", 1:4000))
  },
  "4,000 log-ins with wrong tokens" = function(port) flood(port, rep(login("guess"), 4000)),
  "messages of 20 MB" = function(port) flood(port, action(sprintf("\"login\":\"%s\"", strrep("x", 2e7)))),
  "a message of 100 MB" = function(port) {
    flood(port, action(sprintf("\"login\":\"%s\"", strrep("x", 1e8))), seconds = 0.1)
    Sys.sleep(4)
  },
  # R allows 128 connections in a process.
  "600 requests that are never finished" = function(port) {
    jobs <- lapply(1:6, function(i) {
      parallel::mcparallel({
        sockets <- lapply(1:100, function(i) {
          con <- socketConnection("127.0.0.1", port, open = "r+b", blocking = TRUE)
          writeBin(charToRaw("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "), con)
          con
        })
        Sys.sleep(8)
        for (con in sockets) close(con)
      }, silent = TRUE)
    })
    parallel::mccollect(jobs)
  }
)

# Seconds from the end of sending until a browser that has sent too much is disconnected. The server sees a message only
# when it is complete.
seconds_until_gone <- function(port, messages) {
  con <- own$page_socket(port, paste0("http://127.0.0.1:", port), more = "X-Forwarded-For: 192.0.2.67")
  on.exit(close(con))
  start <- proc.time()[["elapsed"]]
  try(for (message in messages) own$send_text(con, message), silent = TRUE)
  sent <- proc.time()[["elapsed"]]
  try(own$read_until(con, "no such text"), silent = TRUE)
  c(sending = sent - start, until_gone = proc.time()[["elapsed"]] - sent)
}

flood <- function(port, messages, seconds = 8) {
  end <- Sys.time() + seconds
  while (Sys.time() < end) {
    con <- own$page_socket(port, paste0("http://127.0.0.1:", port), more = "X-Forwarded-For: 192.0.2.66")
    if (is.null(con)) next
    try(for (message in messages) own$send_text(con, message), silent = TRUE)
    close(con)
  }
}

# Milliseconds of a request to `/health`, and of an assessor's log-in and answers, during a flood.
latencies <- function(page) {
  rows <- lapply(names(floods), function(name) {
    hostile <- parallel::mcparallel(floods[[name]](page$port), silent = TRUE)
    Sys.sleep(0.3)
    seconds <- function(code) system.time(code, gcFirst = FALSE)[["elapsed"]]
    # system.time() is not used, because it collects garbage before each call.
    health <- replicate(200, {
      Sys.sleep(0.02)
      seconds(own$http_get(page$port, "/health"))
    })
    answer <- replicate(20, seconds(over_socket(page, login(token))))
    parallel::mccollect(hostile)
    data.frame(meanwhile = name, health_median = 1000 * median(health), health_99 = 1000 * quantile(health, 0.99),
               answer_median = 1000 * median(answer), answer_99 = 1000 * quantile(answer, 0.99))
  })
  do.call(rbind, rows)
}

# Processor milliseconds that the page spends on one browser that connects and sends messages. Unlike latencies, they do
# not depend on other load of the machine.
processor_time <- function(page, n, messages) {
  used <- function() {
    fields <- strsplit(sub(".*[)] ", "", readLines(sprintf("/proc/%d/stat", page$process$get_pid()))), " ")[[1]]
    10 * sum(as.numeric(fields[12:13]))
  }
  settle <- function() {
    Sys.sleep(0.3)
    own$http_get(page$port, "/health")
  }
  settle()
  before <- used()
  for (i in seq_len(n)) {
    con <- own$page_socket(page$port, paste0("http://127.0.0.1:", page$port),
                           more = sprintf("X-Forwarded-For: 198.51.%d.%d", sample(255, 1), sample(255, 1)))
    try(for (message in messages) own$send_text(con, message), silent = TRUE)
    own$http_get(page$port, "/health")
    close(con)
  }
  settle()
  (used() - before) / n
}

# The current and the peak memory of the page's process, in megabytes.
memory <- function(page) {
  lines <- readLines(sprintf("/proc/%d/status", page$process$get_pid()))
  value <- function(name) as.numeric(gsub("[^0-9]", "", grep(paste0("^", name), lines, value = TRUE))) / 1024
  c(now = value("VmRSS"), most = value("VmHWM"))
}

# The growth of the log in kilobytes when strangers send 200 requests with names of 50 KB, and 200 WebSocket requests
# from other origins.
log_growth <- function(page) {
  before <- file.size(log)
  for (i in 1:200) {
    status(page, host = strrep("e", 50000))
    own$page_socket(page$port, "http://evil.example", more = paste("X-Forwarded-For:", strrep("1", 40000)))
  }
  (file.size(log) - before) / 1024
}

main <- function() {
  page <- own$serve_app(c(
    sprintf("s <- open_session(%s)", deparse(store)),
    sprintf("app <- judge_app(s, media = %s, hosts = 'judging.example.org', proxy = '127.0.0.1', log = %s)",
            deparse(media), deparse(log))))
  table <- do.call(rbind, lapply(attacks, function(attack) {
    happened <- tryCatch(attack[[4]](page), error = function(cnd) paste("error:", conditionMessage(cnd)))
    data.frame(ASVS = attack[[1]], attack = attack[[2]], happened = substr(happened, 1, 60),
               repelled = grepl(attack[[3]], happened, fixed = TRUE))
  }))
  print(table, right = FALSE, row.names = FALSE)
  cat(sprintf("%d attacks, %d repelled\n", nrow(table), sum(table$repelled)))
  held <- memory(page)
  cat("\nKilobytes of the log for 200 requests with names of 50 KB and 200 WebSockets of other sites\n")
  print(c(log = log_growth(page)), digits = 3)
  cat("\nMilliseconds that others wait while a client sends\n")
  print(latencies(page), row.names = FALSE, digits = 3)
  unknown <- rep("{\"method\":\"update\",\"data\":{\"x\":1}}", 4000)
  huge <- action(sprintf("\"login\":\"%s\"", strrep("x", 1e8)))
  cat("\nSeconds of a sender\n")
  print(rbind("4,000 messages" = seconds_until_gone(page$port, unknown), "100 MB" = seconds_until_gone(page$port, huge)))
  opening <- "{\"method\":\"init\",\"data\":{\".clientdata_output_screen_hidden\":false,\".clientdata_pixelratio\":1}}"
  cat("\nProcessor milliseconds of the page for each browser, with a request of /health\n")
  print(c("that sends nothing" = processor_time(page, 50, character()),
          "that opens the page" = processor_time(page, 50, opening),
          "that opens it and tries a token" = processor_time(page, 50, c(opening, login("guess"))),
          "with 4,000 messages" = processor_time(page, 5, unknown),
          "with 4,000 log-ins" = processor_time(page, 5, rep(login("guess"), 4000)),
          "with 100 MB" = processor_time(page, 1, huge)), digits = 3)
  cat("\nMegabytes of the page's process before and after all this\n")
  print(rbind(before = held, after = memory(page)), digits = 3)
  quit(status = as.integer(!all(table$repelled)))
}
main()
