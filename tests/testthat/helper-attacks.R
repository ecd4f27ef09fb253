# Requests and WebSocket messages that an attacker could send to the judging page, written byte by byte.

# The status, the headers (lower case) and the body of a GET request.
http_get <- function(port, path = "/", host = paste0("127.0.0.1:", port), more = character(), method = "GET") {
  con <- connect_to(port)
  on.exit(close(con))
  lines <- c(sprintf("%s %s HTTP/1.1", method, path), paste("Host:", host), "Connection: close", more, "", "")
  writeBin(charToRaw(paste(lines, collapse = "\r\n")), con)
  head <- strsplit(read_head(con), "\r\n", fixed = TRUE)[[1]]
  fields <- strsplit(head[-1], ": *")
  headers <- stats::setNames(vapply(fields, function(field) paste(field[-1], collapse = ": "), ""),
                             tolower(vapply(fields, `[`, "", 1)))
  length <- as.integer(headers["content-length"])
  list(status = as.integer(sub("^[^ ]+ ([0-9]+).*", "\\1", head[1])), headers = as.list(headers),
       body = if (!is.na(length)) read_bytes(con, length))
}

# A connection over which a page of `origin` has opened a WebSocket; NULL if the server refused.
page_socket <- function(port, origin = NULL, host = paste0("127.0.0.1:", port), more = character()) {
  con <- connect_to(port)
  writeBin(charToRaw(paste(c(
    "GET /websocket/ HTTP/1.1", paste("Host:", host), if (!is.null(origin)) paste("Origin:", origin),
    "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Version: 13", more, "", ""
  ), collapse = "\r\n")), con)
  if (grepl("^HTTP/1.1 101", read_head(con))) return(con)
  close(con)
  NULL
}

# Opens a WebSocket as a page of `origin` would, asks for the screen, and judges the first document. Returns all text
# that the server sent.
answer_over_websocket <- function(port, origin = NULL, host = paste0("127.0.0.1:", port), more = character(),
                                  messages = list()) {
  con <- page_socket(port, origin, host, more)
  if (is.null(con)) return("")
  on.exit(close(con))
  send_text(con, paste0("{\"method\":\"init\",\"data\":{\".clientdata_output_screen_hidden\":false,",
                        "\".clientdata_pixelratio\":1}}"))
  for (message in messages) send_text(con, message)
  said <- read_until(con, "data-task|judicious-refused")
  task <- regmatches(said, regexec("data-task=\\\\\"([^\\\\]+)", said))[[1]][2]
  if (!is.na(task)) {
    answer <- sprintf("{\"kind\":\"answer\",\"task\":\"%s\",\"value\":\"2\"}", task)
    send_text(con, sprintf("{\"method\":\"update\",\"data\":{\"action\":%s}}", answer))
    said <- paste(said, read_until(con, "Saved"))
  }
  said
}

# Reads messages until one matches the pattern, or until the server closes the connection (opcode 8).
read_until <- function(con, pattern) {
  said <- ""
  repeat {
    head <- as.integer(read_bytes(con, 2))
    if (head[1] %% 16 == 8) return(paste(said, "CLOSED"))
    n <- head[2]
    if (n >= 126) n <- sum(as.integer(read_bytes(con, if (n == 126) 2 else 8)) * 256^((if (n == 126) 1 else 7):0))
    text <- rawToChar(read_bytes(con, n))
    said <- paste(said, text)
    if (grepl(pattern, text)) return(said)
  }
}
