# Attacks by strangers, web sites and links on the judging page. A script makes each of them against a served page, and
# the test checks the response. Items of OWASP ASVS 5.0 level 1 are named where one applies.

for (package in c("shiny", "bslib", "openssl", "RSQLite", "processx", "jsonlite")) skip_if_not_installed(package)
skip_on_cran()

# A page with a folder of media that has links out of it, served in a process of its own.
served_page <- function(tokens, env = parent.frame()) {
  root <- tempfile("page")
  media <- file.path(root, "media")
  dir.create(file.path(media, "inside"), recursive = TRUE)
  writeLines("secret", file.path(root, "secret.txt"))
  writeLines("secret", file.path(media, ".hidden.txt"))
  writeBin(as.raw(0:255), file.path(media, "a b.mp3"))
  writeLines("fine", file.path(media, "inside", "real.txt"))
  if (.Platform$OS.type == "unix") {
    file.symlink(file.path(root, "secret.txt"), file.path(media, "link.txt"))
    file.symlink(root, file.path(media, "folder"))
    file.symlink(file.path(media, "inside", "real.txt"), file.path(media, "inner.txt"))
  }
  store <- file.path(root, "session.sqlite")
  s <- app_session(store = store)
  token <- add_assessor(s, "ann")
  log <- file.path(root, "page.log")
  served <- serve_app(c(
    sprintf("s <- open_session(%s)", deparse(store)),
    sprintf("app <- judge_app(s, tokens = %s, media = %s, hosts = 'judging.example.org', proxy = '127.0.0.1',
                              log = %s)", tokens, deparse(media), deparse(log))), env)
  c(served, list(store = store, token = token, log = function() lapply(readLines(log), jsonlite::fromJSON), s = s,
                 judged = function() nrow(judgments_of(s))))
}

test_that("foreign origins, foreign host names and paths out of the media folder are refused", {
  page <- served_page(tokens = FALSE)
  own <- paste0("127.0.0.1:", page$port)

  # ASVS 3.5, 4.4: another web site opens a WebSocket to the page, under its own name or under the page's name.
  for (origin in c("http://evil.example", "null", paste0("http://", own, ".evil.example"), "http://127.0.0.1:1")) {
    said <- answer_over_websocket(page$port, origin)
    expect_match(said, "CLOSED", fixed = TRUE, label = origin)
  }
  said <- answer_over_websocket(page$port, "http://evil.example", "evil.example")
  expect_match(said, "CLOSED", fixed = TRUE)
  expect_identical(page$judged(), 0L)
  # DNS rebinding: a request for the page under a foreign host name.
  expect_identical(http_get(page$port, host = "evil.example")$status, 403L)
  expect_identical(http_get(page$port, host = "localhost.evil.example")$status, 403L)
  expect_identical(http_get(page$port, host = "judging.example.org")$status, 200L)
  # WebSockets of the page itself, and of the page behind an HTTPS proxy, are accepted.
  said <- answer_over_websocket(page$port, paste0("http://", own))
  expect_match(said, "Saved", fixed = TRUE)
  said <- answer_over_websocket(page$port, "https://judging.example.org", "judging.example.org:443")
  expect_match(said, "Saved", fixed = TRUE)
  expect_identical(page$judged(), 2L)

  # ASVS 3.4: headers, of the page and of its scripts.
  headers <- http_get(page$port)$headers
  expect_match(headers$`content-security-policy`, "script-src 'self'; .*object-src 'none'; .*frame-ancestors 'none'")
  expect_identical(headers$`referrer-policy`, "same-origin")
  script <- sprintf("/judicious-app-%s/judge.js", utils::packageVersion("judicious"))
  for (got in list(headers, http_get(page$port, script)$headers)) {
    expect_identical(got$`x-content-type-options`, "nosniff")
    expect_identical(got$`x-frame-options`, "DENY")
  }
  expect_identical(http_get(page$port, method = "POST", more = "Content-Length: 9")$status, 413L)
  health <- http_get(page$port, "/health")
  expect_identical(list(health$status, rawToChar(health$body)), list(200L, "ok\n"))

  # ASVS 5.3: paths and links out of the folder, and hidden files.
  outside <- c("link.txt", "folder/secret.txt", "../secret.txt", "%2e%2e/secret.txt", "..%2fsecret.txt",
               "inside/../../secret.txt", "..%5csecret.txt", ".hidden.txt", "inside", "%ff")
  for (path in outside) expect_identical(http_get(page$port, paste0("/media/", path))$status, 404L, label = path)
  if (.Platform$OS.type == "unix") expect_identical(http_get(page$port, "/media/inner.txt")$status, 200L)
  sound <- http_get(page$port, "/media/a%20b.mp3")
  expect_identical(sound$body, as.raw(0:255))
  expect_match(sound$headers$`content-security-policy`, "sandbox", fixed = TRUE)
  # Media players request parts of a recording to move within it.
  part <- http_get(page$port, "/media/a%20b.mp3", more = "Range: bytes=250-")
  expect_identical(part[c("status", "body")], list(status = 206L, body = as.raw(250:255)))
  expect_identical(part$headers$`content-range`, "bytes 250-255/256")
  expect_identical(http_get(page$port, "/media/a%20b.mp3", more = "Range: bytes=-2")$body, as.raw(254:255))
  expect_identical(http_get(page$port, "/media/a%20b.mp3", more = "Range: bytes=256-")$status, 416L)

  log <- page$log()
  expect_identical(sum(vapply(log, `[[`, "", "event") == "refused"), 7L)
  expect_identical(sum(vapply(log, `[[`, "", "event") == "answer"), 2L)
})

test_that("clients that send too many or too long messages are disconnected, while other requests are answered", {
  page <- served_page(tokens = TRUE)
  own <- paste0("127.0.0.1:", page$port)
  flood <- function(messages) {
    con <- page_socket(page$port, paste0("http://", own), own, "X-Forwarded-For: 192.0.2.7")
    on.exit(close(con))
    # The server closes the connection while we send.
    try(for (message in messages) send_text(con, message), silent = TRUE)
    start <- proc.time()[["elapsed"]]
    expect_identical(http_get(page$port, "/health")$status, 200L)
    expect_lt(proc.time()[["elapsed"]] - start, 5)
    try(read_until(con, "never"), silent = TRUE)
  }
  unknown <- "{\"method\":\"update\",\"data\":{\"x%d\":1}}"
  flood(sprintf(unknown, 1:4000))
  flood(rep("{\"method\":\"update\",\"data\":{\"login\":1}}", 4000))
  flood(sprintf(unknown, 1))
  flood(paste0("{\"method\":\"init\",\"data\":{\".clientdata_a\":\"", strrep("x", 5e6), "\"}}"))
  disconnected <- Filter(function(entry) entry$event == "disconnected", page$log())
  expect_identical(vapply(disconnected, `[[`, "", "why"), c(
    "Log in first.", "That is too fast. Reload the page to go on.", "Log in first.",
    "The message is too long and was not saved."
  ))
  # Addresses with a zero byte, which R's strings cannot contain.
  for (path in c("/%00", "/media/a%00.mp3")) expect_identical(http_get(page$port, path)$status, 400L)
  expect_lt(system.time(expect_null(media_file(tempdir(), strrep("%2e", 26000))))[["user.self"]], 0.1)
})

test_that("without a proxy, the page is served to the local machine only", {
  withr::defer(shiny::shinyOptions(server = NULL))
  is_refused <- function(host, proxy = NULL) {
    shiny::shinyOptions(server = structure(list(getHost = function() host), class = "WebServer"))
    inherits(tryCatch(require_proxy(list(proxy = proxy)), error = identity), "judicious_error_app")
  }
  for (host in c("0.0.0.0", "::", "192.0.2.1")) expect_true(is_refused(host))
  for (host in c("127.0.0.1", "localhost", "::1")) expect_false(is_refused(host))
  expect_false(is_refused("0.0.0.0", proxy = "192.0.2.1"))
  shiny::shinyOptions(server = NULL)
  # If the page is served although it should not be, this ends it.
  later::later(shiny::stopApp, 20)
  app <- judge_app(app_session(), tokens = FALSE)
  serve <- function() shiny::runApp(app, port = free_port(), host = "0.0.0.0", launch.browser = FALSE, quiet = TRUE)
  refused <- expect_error(serve(), class = "judicious_error_app")
  expect_snapshot(cat(conditionMessage(refused)))
})

test_that("the page is not served with a version of Shiny in which the limits have no effect", {
  manager <- getFromNamespace("HandlerManager", "shiny")$new()
  expect_false(is_gate_working(manager))
  add_gate(manager, list(proxy = character(), hosts = character(), log = function(...) NULL))
  expect_true(is_gate_working(manager))
  other <- list(addWSHandler = function(...) NULL, removeWSHandler = function(...) NULL)
  expect_error(limit_connections(list(proxy = character(), hosts = character(), log = NULL), other), "is not served",
               class = "judicious_error_app")
})

test_that("the log of refused requests is limited, and states how many it omits", {
  skip_if_not_installed("jsonlite")
  file <- withr::local_tempfile()
  now <- 6e7
  log <- page_log(file, clock = function() now)
  hostile <- paste0("\033[2J\n\xff", strrep("x", 50000))
  for (i in 1:1000) log("refused", "192.0.2.1", why = "foreign host", host = hostile)
  expect_lt(file.size(file), 25000)
  log("login", "192.0.2.2", assessor = "ann")
  now <- now + 60
  log("wrong_token", "192.0.2.3")
  entries <- lapply(readLines(file), jsonlite::fromJSON)
  expect_true(all(nchar(vapply(entries, function(entry) c(entry$host, "")[1], "")) <= 200))
  expect_match(entries[[1]]$host, "^<U\\+001B>\\[2J<U\\+000A><ff>x+$")
  last <- utils::tail(entries, 2)
  expect_identical(last[[1]]$assessor, "ann")
  expect_identical(last[[2]]$omitted, 1000L - (length(entries) - 2L))
})

test_that("the health address reports whether the store can be read", {
  s <- app_session(store = session_file())
  expect_identical(health_response(s)$status, 200)
  close_session(s)
  expect_identical(health_response(s)$status, 503)
})

test_that("a client that exceeds the limits on messages is disconnected with the reason", {
  sent <- list()
  closed <- 0
  ws <- list2env(list(send = function(message) sent <<- c(sent, message), close = function(...) closed <<- closed + 1))
  spec <- list(log = function(...) NULL)
  strangers <- new.env()
  message <- "{\"method\":\"update\",\"data\":{\"action:judicious.action\":{\"kind\":\"undo\"}}}"
  pass <- function(connection, message) may_pass(connection, message, strangers, spec)

  ann <- new_connection(ws, "192.0.2.1")
  expect_false(pass(ann, message))
  ann <- new_connection(ws, "192.0.2.1")
  ann$who <- "ann"
  allowed <- connection_limits$assessor[["messages"]]
  passed <- vapply(seq_len(allowed + 2), function(i) pass(ann, message), NA)
  expect_identical(passed, c(rep(TRUE, allowed), FALSE, FALSE))
  long <- new_connection(ws, "192.0.2.1")
  long$who <- "ann"
  expect_true(pass(long, strrep("x", 30000)))
  expect_true(pass(long, charToRaw(strrep("x", 30000))))
  expect_false(pass(long, strrep("x", 30000)))
  expect_identical(closed, 3)
  expect_match(unlist(sent), "Log in first|too fast|too fast", all = TRUE)
  # The page's script needs a single string, not a list of one string.
  expect_identical(jsonlite::parse_json(sent[[1]])$custom[["judicious-say"]],
                   list(text = "Log in first.", urgent = TRUE))

  # Clients that are not logged in share the limit of their address. Addresses of this machine have no such limit,
  # because they may be those of a proxy.
  log_in <- "{\"method\":\"update\",\"data\":{\"login\":{\"token\":\"x\"}}}"
  from <- function(address, n) sum(replicate(n, pass(new_connection(ws, address), log_in)))
  # A log-in counts as several messages.
  expect_equal(from("192.0.2.2", 500), connection_limits$address[["messages"]] / message_weights[["login"]])
  ben <- new_connection(ws, "192.0.2.4")
  many <- sum(replicate(100, pass(ben, log_in)))
  expect_equal(many, connection_limits$stranger[["messages"]] / message_weights[["login"]])
  for (other in c("[1]", "{\"method\":\"update\",\"data\":[1]}", "{\"method\":\"close\",\"data\":{}}", "x{}")) {
    expect_false(pass(new_connection(ws, "192.0.2.5"), other), label = other)
  }
  # The limits in the help: 64 KB for an assessor, and half of it for a client that is not logged in.
  of_size <- function(bytes) {
    frame <- "{\"method\":\"init\",\"data\":{\".clientdata_a\":\"\"}}"
    sub("\"\"}}", paste0("\"", strrep("x", bytes - nchar(frame)), "\"}}"), frame, fixed = TRUE)
  }
  expect_true(pass(new_connection(ws, "192.0.2.6"), of_size(2^15)))
  expect_false(pass(new_connection(ws, "192.0.2.6"), of_size(2^15 + 1)))
  for (more in 0:1) {
    eve <- new_connection(ws, "192.0.2.6")
    eve$who <- "eve"
    expect_identical(pass(eve, of_size(2^16 + more)), more == 0)
  }
  # Some browsers send a status code, which has two bytes, when they close a connection.
  expect_true(pass(new_connection(ws, "192.0.2.5"), as.raw(c(3, 233))))
  expect_false(pass(new_connection(ws, "192.0.2.5"), as.raw(c(3, 233, 1))))
  expect_identical(from("127.0.0.1", 500), 500L)
  expect_identical(from("192.0.2.3", 5), 5L)
})

test_that("a connection reaches Shiny only once its first message has passed the limits", {
  manager <- getFromNamespace("handlerManager", "shiny")
  withr::defer(for (key in c("judicious", "counter")) manager$removeWSHandler(key))
  opened <- 0
  received <- character()
  limit_connections(list(proxy = character(), hosts = character(), log = function(...) NULL))
  manager$addWSHandler(function(ws) {
    opened <<- opened + 1
    ws$onMessage(function(binary, message) received <<- c(received, message))
    TRUE
  }, "counter", tail = TRUE)
  connect <- function() {
    ws <- new.env()
    request <- new.env()
    request$REMOTE_ADDR <- "192.0.2.1"
    list2env(list(request = request, send = function(message) NULL, close = function(...) NULL), ws)
    ws$onMessage <- function(f) ws$messageCallbacks <- c(ws$messageCallbacks, f)
    expect_true(manager$wsHandlers$handlers[["judicious"]](ws))
    function(message) for (receive in ws$messageCallbacks) receive(FALSE, message)
  }
  stranger <- connect()
  stranger("{\"method\":\"update\",\"data\":{\"x\":1}}")
  expect_identical(opened, 0)
  browser <- connect()
  expect_identical(opened, 0)
  messages <- c("{\"method\":\"init\",\"data\":{}}", "{\"method\":\"update\",\"data\":{\"token\":\"x\"}}")
  for (message in messages) browser(message)
  expect_identical(opened, 1)
  expect_identical(received, messages)
  browser("{\"method\":\"update\",\"data\":{\"x\":1}}")
  expect_identical(received, messages)
})

test_that("further messages of a disconnected browser are dropped at once", {
  skip_if_not_installed("later")
  dropped <- 0
  ws <- list2env(list(send = function(message) NULL, close = function(...) NULL))
  receive <- function() {
    for (handler in ws$messageCallbacks) handler(FALSE, "more")
    dropped <<- dropped + 1
  }
  for (i in 1:3000) later::later(receive)
  spec <- list(log = function(...) NULL)
  expect_false(may_pass(new_connection(ws, "192.0.2.1"), "{\"method\":\"update\"}", new.env(), spec))
  expect_identical(dropped, 3000)
  # Messages after the disconnection are dropped when the next message is received.
  for (i in 1:3) later::later(receive)
  receive()
  expect_identical(dropped, 3004)
})

test_that("wrong tokens from one address do not lock out others, and media need the key of a valid token", {
  page <- served_page(tokens = TRUE)
  log_in_from <- function(address, tokens) {
    messages <- sprintf("{\"method\":\"update\",\"data\":{\"login\":{\"token\":\"%s\"}}}", tokens)
    answer_over_websocket(page$port, more = paste("X-Forwarded-For: 127.0.0.1,", address), messages = messages)
  }
  # ASVS 8.2: media without a token, and with one that is no longer valid.
  media <- function(key) {
    http_get(page$port, "/media/a%20b.mp3", more = paste0("Cookie: a=b; judicious-media=", key, "; c=d"))$status
  }
  key <- media_key(token_hash(page$token))
  expect_identical(http_get(page$port, "/media/a%20b.mp3")$status, 403L)
  for (wrong in c("", token_hash(page$token), media_key(""), toupper(key), paste0(key, "0"))) {
    expect_identical(media(wrong), 403L, label = wrong)
  }
  expect_identical(media(key), 200L)

  # ASVS 6.3: many more wrong tokens than would lock out everybody if attempts from all addresses were counted together.
  for (i in 1:28) said <- log_in_from("192.0.2.1", paste("guess", i))
  expect_match(said, "\"wait\":[0-9]+")
  said <- log_in_from("192.0.2.1", page$token)
  expect_match(said, "too many wrong tokens", fixed = TRUE)
  said <- log_in_from("192.0.2.2", page$token)
  expect_match(said, "Saved", fixed = TRUE)
  # A token that was accepted before is accepted again, even from the address with the wrong attempts.
  said <- log_in_from("192.0.2.1", page$token)
  expect_match(said, "Saved", fixed = TRUE)
  add_assessor(page$s, "ann", "suspended")
  said <- log_in_from("192.0.2.2", page$token)
  expect_match(said, "This token is unknown", fixed = TRUE)
  expect_identical(media(key), 403L)
  events <- vapply(page$log(), function(entry) paste(entry$event, entry$address), "")
  expect_equal(sum(events == "wrong_token 192.0.2.1"), login_limits$per_minute)
  expect_identical(sum(events == "login 192.0.2.2"), 1L)
  expect_no_match(paste(unlist(page$log()), collapse = " "), page$token, fixed = TRUE)
})

test_that("Markdown guidelines keep their formatting and execute no scripts", {
  # ASVS 1.3: HTML in text that is meant to be Markdown.
  attacks <- c(
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>",
    "<iframe src='javascript:alert(1)'></iframe>", "[x](javascript:alert(1))", "[x](JaVaScript:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)", "<a href=\"javascript&#58;alert(1)\">x</a>",
    "<a href=\"java&Tab;script:alert(1)\">x</a>", "<a href=\"&#106;avascript:alert(1)\">x</a>",
    "<a href=\" javascript:alert(1)\">x</a>", "<p onclick=alert(1)>x</p>", "<p style=\"position:fixed\">x</p>",
    "<a href=\"#\" onclick=\"alert(1)\">x</a>", "<img src=\"a\" alt=\"\" onerror=\"alert(1)\">",
    "![x](a.png\" onerror=\"alert(1))", "<form action=\"//evil.example\"><input name=token></form>",
    "<base href=\"//evil.example\">", "<meta http-equiv=refresh content=0>", "<style>*{display:none}</style>",
    "<object data=\"x\">", "<math><mtext><style><img src=x onerror=alert(1)>", "<!--><img src=x onerror=alert(1)>-->",
    "<b <script>alert(1)</script>", "<img src=\"data:image/svg+xml,x\" alt=\"\">", "```x\" onclick=\"alert(1)\n```"
  )
  for (attack in attacks) {
    shown <- as.character(guidelines_html(attack))
    tags <- regmatches(shown, gregexpr("<[^>]*>?", shown))[[1]]
    expect_no_match(paste(tags, collapse = ""),
                    "script|on[a-z]+ *=|data:|style|<(svg|iframe|form|base|meta|object|math)", ignore.case = TRUE,
                    label = attack)
  }
  fine <- paste("# Grades\n\n*Very* **similar** `x < 1` [more](https://a.org/b?c=d&e=f \"T\") <mark>seen</mark>",
                "![p](media/p.png) [g](guide.html#a)\n\n1. one\n\n| a | b |\n|:--|---|\n| 1 | 2 |\n\n> quote")
  expect_identical(as.character(guidelines_html(fine)), as.character(shiny::markdown(fine)))
  own <- htmltools::HTML("<script src='own.js'></script>")
  expect_identical(guidelines_html(own), own)
})

test_that("invalid hosts, proxies and log files raise errors, and only a proxy can state the client's address", {
  s <- app_session()
  expect_snapshot(error = TRUE, judge_app(s, hosts = "https://judging.example.org/"))
  expect_snapshot(error = TRUE, judge_app(s, proxy = "localhost"))
  expect_snapshot(error = TRUE, judge_app(s, log = "no/such/folder/page.log"))
  expect_identical(client_address(list(REMOTE_ADDR = "203.0.113.9", HTTP_X_FORWARDED_FOR = "1.2.3.4"), "127.0.0.1"),
                   "203.0.113.9")
  expect_identical(client_address(list(REMOTE_ADDR = "::ffff:127.0.0.1", HTTP_X_FORWARDED_FOR = "6.6.6.6, 1.2.3.4"),
                                  "127.0.0.1"), "1.2.3.4")
})

test_that("the example configuration of nginx serves the page over HTTPS and forwards the client's address", {
  nginx <- Sys.which("nginx")
  if (!nzchar(nginx) && file.exists("/usr/sbin/nginx")) nginx <- "/usr/sbin/nginx"
  skip_if(!nzchar(nginx) || !nzchar(Sys.which("openssl")) || !nzchar(Sys.which("curl")),
          "NO NGINX: install nginx, openssl and curl to see the example tested")
  page <- served_page(tokens = TRUE)
  folder <- tempfile("nginx")
  dir.create(folder)
  ports <- free_port(3)
  file <- function(name) file.path(folder, name)
  system2("openssl", c("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
                       "/CN=judging.example.org", "-keyout", file("key.pem"), "-out", file("cert.pem")),
          stdout = FALSE, stderr = FALSE)
  conf <- readLines(system.file("app", "nginx.conf", package = "judicious"))
  conf <- gsub("127.0.0.1:8080", paste0("127.0.0.1:", page$port), conf, fixed = TRUE)
  conf <- sub("listen 80;", paste0("listen 127.0.0.1:", ports[1], ";"), conf, fixed = TRUE)
  # The third port serves the HTTPS server without TLS, because this test's WebSocket client has no TLS.
  conf <- sub("listen 443 ssl;", sprintf("listen 127.0.0.1:%d ssl; listen 127.0.0.1:%d;", ports[2], ports[3]), conf,
              fixed = TRUE)
  conf <- sub("/etc/ssl/certs/judging.pem", file("cert.pem"), conf, fixed = TRUE)
  conf <- sub("/etc/ssl/private/judging.key", file("key.pem"), conf, fixed = TRUE)
  writeLines(c(sprintf("pid %s; error_log %s; daemon off; events {}", file("pid"), file("error.log")), "http {",
               "access_log off;", sprintf("%s_temp_path %s;", c("client_body", "proxy", "fastcgi", "uwsgi", "scgi"),
                                          file(c("a", "b", "c", "d", "e"))), conf, "}"), file("nginx.conf"))
  process <- processx::process$new(nginx, c("-c", file("nginx.conf"), "-e", file("error.log")), cleanup_tree = TRUE)
  withr::defer(process$kill_tree())
  await(function() answers_at(ports[2]), "nginx to start")
  curl <- function(path, ...) {
    system2("curl", c("-skN", "--max-time", "30", "--resolve", sprintf("judging.example.org:%d:127.0.0.1", ports[2]),
                      c(...), shQuote(sprintf("https://judging.example.org:%d%s", ports[2], path))), stdout = TRUE)
  }
  got <- curl("/", "-i")
  expect_match(got, "^strict-transport-security: max-age=31536000", ignore.case = TRUE, all = FALSE)
  expect_match(got, "judge.js", fixed = TRUE, all = FALSE)
  expect_identical(curl("/health"), "ok")
  login <- sprintf("{\"method\":\"update\",\"data\":{\"login\":{\"token\":\"%s\"}}}", page$token)
  connect <- function(origin) {
    answer_over_websocket(ports[3], origin, "judging.example.org", "X-Forwarded-For: 6.6.6.6", login)
  }
  said <- connect("https://judging.example.org")
  expect_match(said, "Saved", fixed = TRUE)
  said <- connect("https://evil.example")
  expect_match(said, "CLOSED", fixed = TRUE)
  # The address that the browser claims to have is ignored.
  log <- page$log()
  expect_identical(vapply(log, `[[`, "", "event"), c("login", "answer", "refused"))
  expect_identical(vapply(log, `[[`, "", "address"), rep("127.0.0.1", 3))
})
