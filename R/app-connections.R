# Limits of the messages through each WebSocket of the page. They are checked before Shiny reads a message, because
# Shiny decodes messages of any size, keeps all values, and processes the messages of a browser even after it has
# disconnected.

# The largest number and total size (in bytes) of the messages in ten seconds: from a browser before log-in
# (`stranger`), from all such browsers at one address (`address`), and from a browser after log-in (`assessor`). A
# person sends at most a few messages a second, of a few hundred bytes; opening the page sends about ten, 4 KB in all.
# Opening the page takes the server 30 ms and a log-in 10 ms, so they count as several messages; 40 people may do both
# at one address in ten seconds.
connection_limits <- list(stranger = c(messages = 100, bytes = 32 * 1024),
                          address = c(messages = 1000, bytes = 320 * 1024),
                          assessor = c(messages = 200, bytes = 64 * 1024))
message_weights <- c(init = 10, login = 5)

# The inputs that a browser may send before log-in: those that Shiny itself sends about the page, and the log-in. The
# page sends the token as a part of `login`; an input `token` is accepted, too.
log_in_inputs <- "^([.]clientdata_.*|login|token)$"

# A counter of messages. Each row has the time of a message in the last ten seconds, its weight (as how many messages it
# counts) and its size.
new_counter <- function() list2env(list(messages = matrix(0, 0, 3)), parent = emptyenv())

recent_messages <- function(traffic) traffic$messages[traffic$messages[, 1] > page_time() - 10, , drop = FALSE]

# Records a message, and returns whether its browser, or its address, now exceeds its `limits`.
exceeds_limits <- function(traffic, bytes, limits, weight) {
  traffic$messages <- rbind(recent_messages(traffic), c(page_time(), weight, bytes))
  any(colSums(traffic$messages)[-1] > limits)
}

# The state of one WebSocket: `who` is the assessor after log-in, `closed` states whether it was disconnected.
new_connection <- function(ws, address) {
  list2env(list(ws = ws, address = address, traffic = new_counter(), who = NULL, closed = FALSE), parent = emptyenv())
}

# Puts a gate that enforces the limits in front of the handlers of WebSockets that Shiny adds when the app starts. Shiny
# has no interface for this, so the gate is first tested with the installed versions of shiny and httpuv.
limit_connections <- function(spec, manager = utils::getFromNamespace("handlerManager", "shiny")) {
  works <- tryCatch({
    add_gate(manager, replace(spec, "log", list(function(...) NULL)))
    is_gate_working(manager)
  }, error = function(cnd) FALSE)
  abort_unless(works, c(
    "The judging page cannot limit what browsers send with these versions of shiny and httpuv, and is not served.",
    i = "They are shiny {utils::packageVersion('shiny')} and httpuv {utils::packageVersion('httpuv')}. Install those of
      another date, or report this to the maintainers of judicious."
  ), "app", call = NULL)
  add_gate(manager, spec)
}

# Whether, before log-in, the gate passes on the first message of Shiny itself, and stops a message with another input.
is_gate_working <- function(manager) {
  received <- character()
  manager$addWSHandler(function(ws) {
    ws$onMessage(function(binary, message) received <<- c(received, message))
    TRUE
  }, "judicious-test", tail = TRUE)
  # Keeps disconnect() from calling Shiny's event loop: the app is not served yet, so no messages are waiting to be
  # dropped.
  backlog$dropping <- TRUE
  on.exit({
    backlog$dropping <- FALSE
    manager$removeWSHandler("judicious-test")
  })
  ws <- utils::getFromNamespace("WebSocket", "httpuv")$new(NULL, list2env(list(REMOTE_ADDR = "127.0.0.1")))
  manager$createHttpuvApp()$onWSOpen(ws)
  messages <- c("{\"method\":\"init\",\"data\":{}}", "{\"method\":\"update\",\"data\":{\"x\":1}}")
  for (message in messages) for (receive in ws$messageCallbacks) receive(FALSE, message)
  identical(received, messages[1])
}

add_gate <- function(manager, spec) {
  strangers <- new.env(parent = emptyenv())
  manager$removeWSHandler("judicious")
  manager$addWSHandler(function(ws) {
    address <- client_address(ws$request, spec$proxy)
    why <- rejection_reason(ws$request, spec$hosts)
    if (!is.null(why)) {
      spec$log("refused", address, why = why, host = ws$request$HTTP_HOST, origin = ws$request$HTTP_ORIGIN)
      ws$close()
      return(TRUE)
    }
    connection <- new_connection(ws, address)
    ws$request$judicious_connection <- connection
    receivers <- NULL
    gate <- function(binary, message) {
      if (!may_pass(connection, message, strangers, spec)) return()
      # Shiny's session for a browser takes time to create, so it is created only when the first message is passed on.
      if (is.null(receivers)) {
        for (open in manager$wsHandlers$handlers[-1]) if (!is.null(open(ws))) break
        receivers <<- ws$messageCallbacks[-1]
        ws$messageCallbacks <- list(gate)
      }
      for (receive in receivers) receive(binary, message)
    }
    ws$messageCallbacks <- list(gate)
    TRUE
  }, "judicious")
}

# Whether to pass a message on to Shiny; otherwise, the browser is disconnected.
may_pass <- function(connection, message, strangers, spec) {
  if (connection$closed) return(FALSE)
  bytes <- if (is.raw(message)) length(message) else nchar(message, "bytes")
  logged_in <- !is.null(connection$who)
  limits <- connection_limits[[if (logged_in) "assessor" else "stranger"]]
  too_long <- bytes > limits[["bytes"]]
  content <- if (!logged_in && !too_long) content_of_message(message)
  weight <- max(1, message_weights[c(content$method, names(content$data))], na.rm = TRUE)
  why <- if (too_long) {
    "The message is too long and was not saved."
  } else if (exceeds_limits(connection$traffic, bytes, limits, weight)) {
    "That is too fast. Reload the page to go on."
  } else if (!logged_in && exceeds_address_limits(connection$address, bytes, strangers, weight)) {
    "Too many browsers try to log in from your address. Try again in a minute."
  } else if (!logged_in) {
    login_error(content)
  }
  if (!is.null(why)) disconnect(connection, why, spec, bytes)
  is.null(why)
}

# Whether browsers before log-in at an address send more than they may together. This machine is exempt, because a proxy
# on it that the user did not declare forwards the messages of everybody.
exceeds_address_limits <- function(address, bytes, strangers, weight) {
  if (address %in% c("127.0.0.1", "::1")) return(FALSE)
  # Removes addresses without recent messages.
  if (length(strangers) > 1000) {
    is_recent <- eapply(strangers, function(traffic) nrow(recent_messages(traffic)) > 0, all.names = TRUE)
    rm(list = names(is_recent)[!unlist(is_recent)], envir = strangers)
  }
  if (is.null(strangers[[address]])) strangers[[address]] <- new_counter()
  exceeds_limits(strangers[[address]], bytes, connection_limits$address, weight)
}

# The method of a message and its data, named by the inputs without their types; NULL if the message is not one of
# Shiny's.
content_of_message <- function(message) {
  bytes <- if (is.character(message)) charToRaw(message) else message
  # Some browsers send a message of two bytes with the code for closing the connection.
  if (length(bytes) <= 2) return(list(method = "update", data = list()))
  content <- tryCatch(jsonlite::parse_json(rawToChar(bytes)), error = function(cnd) NULL)
  if (!is.list(content) || !isTRUE(content$method %in% c("init", "update")) || !is.list(content$data)) return()
  names(content$data) <- sub(":.*", "", names(content$data))
  content
}

login_error <- function(content) {
  if (is.null(content) || !all(grepl(log_in_inputs, names(content$data)))) "Log in first."
}

disconnect <- function(connection, why, spec, bytes) {
  connection$closed <- TRUE
  spec$log("disconnected", connection$address, assessor = connection$who, why = why, bytes = bytes)
  notice <- list(custom = list("judicious-say" = list(text = why, urgent = TRUE)))
  ws <- connection$ws
  try(ws$send(jsonlite::toJSON(notice, auto_unbox = TRUE)), silent = TRUE)
  ws$messageCallbacks <- list(function(binary, message) drop_backlog())
  ws$close(1008L, "limits")
  drop_backlog()
}

# Shiny receives one message in each round of its loop. The remaining messages of a disconnected browser, which may be
# thousands, are dropped in a single round, so that others do not wait.
backlog <- new.env(parent = emptyenv())

drop_backlog <- function() {
  if (isTRUE(backlog$dropping)) return()
  backlog$dropping <- TRUE
  on.exit(backlog$dropping <- FALSE)
  later::run_now()
}
