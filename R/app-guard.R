# Checks every request and every WebSocket: it must be addressed to a name of this server, and it must come from a page
# of this server. Without the first check, a web site whose name resolves to this machine (DNS rebinding) could use the
# page through the browser of a person who visits that site; without the second, any web site could open a WebSocket to
# it.

# The reason to reject a request, or NULL. Browsers always send Host, and they send Origin with a WebSocket; programs
# that do not send Origin are not controlled by a web site.
rejection_reason <- function(request, hosts) {
  host <- lower_ascii(request$HTTP_HOST %||% "")
  if (nzchar(host) && !is_own_host(host, hosts)) return("foreign host")
  if (is.null(request$HTTP_ORIGIN)) return(NULL)
  origin <- lower_ascii(request$HTTP_ORIGIN)
  origin_host <- sub("^https?://", "", origin)
  # Browsers omit the default port of the scheme, but a proxy may include it.
  host <- sub(if (startsWith(origin, "https:")) ":443$" else ":80$", "", host)
  if (origin_host == host || origin_host %in% hosts) NULL else "foreign origin"
}

# Whether a host name is one of this server. A web site cannot have an IP address or the name of this machine as its
# name, so these are always accepted; other names must be listed.
is_own_host <- function(host, hosts) {
  name <- sub(":[0-9]+$", "", host)
  address <- grepl("^([0-9]{1,3}[.]){3}[0-9]{1,3}$", name) || grepl("^\\[[0-9a-f:.%]+\\]$", name)
  address || name %in% c("localhost", lower_ascii(Sys.info()[["nodename"]]), sub(":[0-9]+$", "", hosts))
}

check_texts <- function(x, arg) {
  check_that(is.character(x) && length(x) && !anyNA(x) && all(nzchar(x)), arg, "must be one or more texts.")
}

# Checks that texts match a regular expression, and returns them in lower case. `expected`: what the texts must be, such
# as "an IP address".
check_match <- function(x, arg, pattern, expected, advice) {
  if (is.null(x)) return(character())
  check_texts(x, arg)
  bad <- x[!grepl(pattern, lower_ascii(x))]
  check_that(!length(bad), arg, c("holds {.val {bad[1]}}, which is not {expected}.", i = advice))
  lower_ascii(x)
}

# The address from which a request comes. Only trusted proxies can state it, and only in the part of the header that
# they added themselves: the last address that is not another trusted proxy.
client_address <- function(request, proxy) {
  normalised <- function(address) sub("^::ffff:", "", lower_ascii(trimws(address)))
  address <- normalised(request$REMOTE_ADDR %||% "")
  if (!address %in% proxy) return(address)
  forwarded <- normalised(strsplit(request$HTTP_X_FORWARDED_FOR %||% "", ",", fixed = TRUE)[[1]])
  utils::tail(c(address, forwarded[!forwarded %in% proxy]), 1)
}

# Only the page's own scripts run, and no other page can show it in a frame; images, media and frames may come from any
# server. Inline styles are permitted because Shiny's pages need them.
content_policy <- paste(
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:",
  "img-src * data: blob:; media-src * data: blob:; frame-src http: https:; connect-src 'self' ws: wss:",
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'", sep = "; "
)

asset_headers <- list("X-Content-Type-Options" = "nosniff", "Referrer-Policy" = "same-origin",
                      "X-Frame-Options" = "DENY", "Cross-Origin-Resource-Policy" = "same-origin")

page_headers <- c(asset_headers, list("Content-Security-Policy" = content_policy,
                                      "Cross-Origin-Opener-Policy" = "same-origin", "Cache-Control" = "no-store"))

# Raises an error, which stops the app, if other machines can reach the page without a proxy: tokens could be read on
# the network, and R's server limits neither the size of a message nor the time and the number of unfinished requests.
require_proxy <- function(spec) {
  server <- shiny::getShinyOption("server")
  host <- if (inherits(server, "WebServer")) server$getHost() else "localhost"
  abort_unless(length(spec$proxy) || grepl("^(::ffff:)?127[.]|^::1$|^localhost$", host), c(
    "The judging page cannot be served at {host}, which other machines can reach, without a proxy.",
    i = paste0("Put a proxy with HTTPS in front of it, and name its address in {.arg proxy}",
               hint(": see {.help judge_app}"), ".")
  ), "app", argument = "proxy", call = NULL)
}

# Wraps the handler of a Shiny app: rejects foreign requests, serves media and the health address, and sets headers.
guarded_handler <- function(handler, s, spec) {
  force(handler)
  function(request) {
    set_asset_headers()
    why <- rejection_reason(request, spec$hosts)
    if (!is.null(why)) {
      spec$log("refused", client_address(request, spec$proxy), why = why, host = request$HTTP_HOST)
      return(plain_response(403, "This address is not one of the page's hosts."))
    }
    path <- request$PATH_INFO
    # R's strings cannot contain a zero byte, for which %00 stands.
    if (grepl("%00", path, fixed = TRUE)) return(plain_response(400, "The address is not valid."))
    response <- if (identical(path, "/health")) {
      health_response(s)
    } else if (!is.null(spec$media) && startsWith(path, "/media/")) {
      if (may_see_media(s, spec, request$HTTP_COOKIE)) {
        media_response(spec$media, sub("^/media/", "", path), request$HTTP_RANGE)
      } else {
        spec$log("no_token", client_address(request, spec$proxy), path = path)
        plain_response(403, "Log in on the page first.")
      }
    } else {
      handler(request)
    }
    if (!inherits(response, "httpResponse")) return(response)
    response$headers <- utils::modifyList(page_headers, as.list(response$headers))
    response
  }
}

# Wraps the handler of a Shiny app: the page is the same for everybody and slow to draw, so it is drawn once and then
# served from memory.
with_cached_page <- function(handler) {
  force(handler)
  drawn_page <- NULL
  function(request) {
    if (!identical(request$PATH_INFO, "/") || !identical(request$REQUEST_METHOD, "GET")) return(handler(request))
    if (!is.null(drawn_page)) return(drawn_page)
    response <- handler(request)
    if (isTRUE(response$status == 200)) drawn_page <<- response
    response
  }
}

# httpuv serves scripts and styles without calling a handler, so their headers must be set in httpuv. The server object
# exists only once the app runs.
set_asset_headers <- function() {
  server <- shiny::getShinyOption("server")
  if (is.null(server) || "X-Frame-Options" %in% names(server$getStaticPathOptions()$headers)) return()
  server$setStaticPathOption(headers = asset_headers)
}

# The response for monitors and proxies: whether the page is served and its store can be read.
health_response <- function(s) {
  readable <- !inherits(try(store_meta(s$engine$store, "edition"), silent = TRUE), "try-error")
  plain_response(if (readable) 200 else 503, if (readable) "ok" else "the store cannot be read")
}

# Files of the folder `media`, served under media/ to those who have logged in. Nothing outside the folder is served,
# regardless of the requested path and of links in the folder.

media_folder <- function(media) {
  if (is.null(media)) return(NULL)
  check_string(media, "media")
  check_that(dir.exists(media), "media", "must be a folder; there is none at {.path {media}}.")
  normalizePath(media, "/")
}

# The value of a cookie for people who have logged in. Browsers request media files without the token, so the cookie
# gives access. It is derived from the stored hash of the token, so it expires with the token, is the same in every
# process, and does not give access to the page.
media_key <- function(token) as.character(openssl::sha256(paste("media", token)))

may_see_media <- function(s, spec, cookies) {
  if (!spec$tokens) return(TRUE)
  key <- sub("^.*(^|; *)judicious-media=([0-9a-f]{64})(;.*|$)", "\\2", c(cookies, "")[1])
  rows <- store_rows(s$engine$store, "assessor")
  rows <- rows[is_admitted(rows, store_now(s$engine$store)), ]
  key %in% media_key(rows$token[nzchar(rows$token)])
}

# The file to which a percent-encoded path leads, after resolving links; NULL if the encoding is not valid, or if the
# file is hidden or not in the folder.
media_file <- function(folder, path) {
  # Media files do not have such long paths, and the time of decoding grows with the square of the length.
  if (nchar(path, "bytes") > 4096 || grepl("%00|%(?![0-9a-fA-F]{2})", path, perl = TRUE)) return(NULL)
  path <- utils::URLdecode(path)
  if (!validUTF8(path) || grepl("(^|/)[.]|[[:cntrl:]\\\\]", path)) return(NULL)
  found <- suppressWarnings(normalizePath(file.path(folder, path), "/", mustWork = FALSE))
  if (!startsWith(found, paste0(sub("/$", "", folder), "/"))) return(NULL)
  if (file.exists(found) && !dir.exists(found)) found
}

# Headers for media: HTML documents are shown, also in a frame of the page, but cannot run code.
media_policy <- paste("default-src 'none'; img-src * data:; media-src * data:; style-src * 'unsafe-inline'; sandbox",
                      "frame-ancestors 'self'", sep = "; ")

# The response with a file, or with the byte range that a media player requests when the user seeks.
media_response <- function(folder, path, range = NULL) {
  found <- media_file(folder, path)
  if (is.null(found)) return(plain_response(404, "There is no such file."))
  size <- file.size(found)
  part <- byte_range(range, size)
  headers <- list("Accept-Ranges" = "bytes", "Cache-Control" = "private, max-age=3600",
                  "X-Frame-Options" = "SAMEORIGIN", "Content-Security-Policy" = media_policy)
  if (is.null(part)) return(shiny::httpResponse(200, media_type(found), list(file = found, owned = FALSE), headers))
  if (anyNA(part)) {
    return(shiny::httpResponse(416, "text/plain", "", list("Content-Range" = sprintf("bytes */%.0f", size))))
  }
  headers$"Content-Range" <- sprintf("bytes %.0f-%.0f/%.0f", part[1], part[2], size)
  shiny::httpResponse(206, media_type(found), read_part(found, part), headers)
}

# First and last byte of the requested part, of at most 4 MB, because players request the rest later. NULL for the whole
# file, NA if the part is outside the file.
byte_range <- function(range, size, max_bytes = 4 * 1024^2) {
  if (is.null(range) || !grepl("^bytes=([0-9]+-[0-9]*|-[0-9]+)$", range)) return(NULL)
  ends <- as.numeric(strsplit(sub("bytes=", "", range), "-", fixed = TRUE)[[1]])
  if (is.na(ends[1])) ends <- c(max(0, size - ends[2]), size - 1)
  last <- min(c(ends[-1], Inf)[1], size - 1, ends[1] + max_bytes - 1)
  if (ends[1] > last) c(NA, NA) else c(ends[1], last)
}

read_part <- function(file, part) {
  connection <- file(file, "rb")
  on.exit(close(connection))
  seek(connection, part[1])
  readBin(connection, "raw", part[2] - part[1] + 1)
}

plain_response <- function(status, text) shiny::httpResponse(status, "text/plain; charset=UTF-8", paste0(text, "\n"))

# Log-in by token, and the limit of wrong tokens per address. Tokens are too long to be guessed at any speed; the limit
# only saves processor time. It must not allow an attacker to lock other people out: wrong tokens are counted by
# address, and a token that was valid before is always checked.

login_limits <- list(per_minute = 20, addresses = 10000, tokens = 10000)

# The log-in attempts in this process. `wrong`: times and hashes of wrong tokens, by address. `good`: hashes of tokens
# that were valid.
new_login_attempts <- function(clock = function() as.numeric(Sys.time())) {
  list2env(list(wrong = list(), good = character(), clock = clock), parent = emptyenv())
}

# The wrong tokens from an address in the last minute.
recent_wrong_tokens <- function(attempts, address) {
  wrong <- attempts$wrong[[address]]
  wrong[wrong > attempts$clock() - 60]
}

# The number of seconds until an address may try another token; 0 if it may do so at once.
login_wait <- function(attempts, address, hash) {
  if (hash %in% attempts$good) return(0)
  wrong <- recent_wrong_tokens(attempts, address)
  if (length(wrong) < login_limits$per_minute) 0 else ceiling(max(min(wrong) + 60 - attempts$clock(), 1))
}

# Counts a wrong token. The same token counts once a minute, because reloading a page with an old token is not guessing.
count_wrong_token <- function(attempts, address, hash) {
  wrong <- recent_wrong_tokens(attempts, address)
  wrong[hash] <- attempts$clock()
  # If there are too many addresses, the one with the oldest attempt is removed.
  attempts$wrong[[address]] <- NULL
  attempts$wrong <- utils::tail(c(attempts$wrong, stats::setNames(list(wrong), address)), login_limits$addresses)
  attempts$good <- setdiff(attempts$good, hash)
}

# The part of an address that identifies a person. A person with an IPv6 network has practically unlimited addresses, so
# its first 64 bits represent all of them.
address_group <- function(address) {
  if (!grepl(":", address, fixed = TRUE)) return(if (nzchar(address)) address else "unknown")
  halves <- strsplit(paste0(address, " "), "::", fixed = TRUE)[[1]]
  groups <- strsplit(trimws(halves), ":", fixed = TRUE)
  omitted <- if (length(groups) == 2) 8 - sum(lengths(groups)) else 0
  paste(utils::head(c(groups[[1]], rep("0", max(omitted, 0)), unlist(groups[-1])), 4), collapse = ":")
}

# Checks a token. Returns a list with the `assessor` and the hash of the token (`token`); or, if the log-in fails, with
# a `message` and, if the token may be tried again, the seconds to `wait`.
log_in <- function(s, token, attempts, address) {
  address <- address_group(address)
  token <- text_of_input(token, 200) %||% ""
  hash <- token_hash(token)
  wait <- login_wait(attempts, address, hash)
  if (wait > 0) {
    return(list(message = paste0("There were too many wrong tokens. Trying again in ", counted(wait, "second"), "."),
                wait = wait))
  }
  assessor <- if (nzchar(token)) assessor_of_token(s, token) else NA
  if (is.na(assessor)) {
    count_wrong_token(attempts, address, hash)
    return(list(message = "This token is unknown or has expired. Ask the person who leads the judging."))
  }
  attempts$good <- utils::tail(union(attempts$good, hash), login_limits$tokens)
  list(assessor = assessor, token = hash)
}

# Limits of the log entries of people without a token: bytes in a minute, and characters of a text.
log_limits <- list(bytes = 20000, characters = 200)

# The page's log: one JSON object per line, for programs that monitor a server. It contains no tokens, gains, comments
# or texts of documents. Returns a function that logs an event with its address and further fields, or does nothing
# without a log. Beyond the limit, events of people without a token are only counted; the first entry of a later minute
# states the number as `omitted`.
page_log <- function(path, clock = function() as.numeric(Sys.time())) {
  if (is.null(path)) return(function(event, address, ...) invisible())
  check_string(path, "log")
  need_package("jsonlite", "The page's log")
  minute <- bytes <- omitted <- 0
  write_entry <- function(event, address, ...) {
    now <- clock()
    entry <- list(time = utc_text(now), event = event, address = address, ...)
    if (now %/% 60 != minute) {
      if (omitted) entry$omitted <- omitted
      minute <<- now %/% 60
      bytes <<- omitted <<- 0
    }
    entry <- lapply(entry[!vapply(entry, is.null, NA)], function(value) {
      if (is.character(value)) substr(with_visible_controls(value), 1, log_limits$characters) else value
    })
    line <- paste0(jsonlite::toJSON(entry, auto_unbox = TRUE), "\n")
    if (is.null(entry$assessor)) {
      bytes <<- bytes + nchar(line, "bytes")
      if (bytes > log_limits$bytes) return(omitted <<- omitted + 1)
    }
    # The logged event has already happened. A full disk therefore causes a warning in R, not an error, which would tell
    # the assessor that the answer was lost.
    tryCatch(suppressWarnings(cat(line, file = path, append = TRUE)),
             error = function(cnd) warn_judicious("The judging page: the log {.file {path}} cannot be written.", "app"))
    invisible()
  }
  # If the log cannot be written, the error must be raised when the app is created, not at the first event.
  tryCatch(suppressWarnings(cat("", file = path, append = TRUE)), error = function(cnd) {
    abort_judicious(c("The log {.file {path}} cannot be written.",
                      i = "Check that its folder exists and that you may write to it."), "file", argument = "log")
  })
  write_entry
}
