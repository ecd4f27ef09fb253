# What every request and every WebSocket passes before anything else: it was sent to a name of this server, and it comes
# from a page of this server. Without the first, a web site that lets its own name point to this machine (DNS rebinding)
# could use the page in the reader's browser; without the second, any web site could open a WebSocket to it.

# Why a request is refused, or NULL where it is not. Browsers always send Host, and Origin with a WebSocket; programs
# that send no Origin are not driven by a web site.
refusal <- function(request, hosts) {
  host <- lower_ascii(request$HTTP_HOST %||% "")
  if (nzchar(host) && !is_own_host(host, hosts)) return("foreign host")
  if (is.null(request$HTTP_ORIGIN)) return(NULL)
  origin <- lower_ascii(request$HTTP_ORIGIN)
  from <- sub("^https?://", "", origin)
  # A browser leaves out the port that belongs to the scheme; a proxy may write it.
  host <- sub(if (startsWith(origin, "https:")) ":443$" else ":80$", "", host)
  if (from == host || from %in% hosts) NULL else "foreign origin"
}

# No web site can make its name point here by an address or by the name of this machine; other names must be listed.
is_own_host <- function(host, hosts) {
  name <- sub(":[0-9]+$", "", host)
  address <- grepl("^([0-9]{1,3}[.]){3}[0-9]{1,3}$", name) || grepl("^\\[[0-9a-f:.%]+\\]$", name)
  address || name %in% c("localhost", lower_ascii(Sys.info()[["nodename"]]), sub(":[0-9]+$", "", hosts))
}

check_hosts <- function(hosts, call = caller_env()) {
  if (is.null(hosts)) return(character())
  check_texts(hosts, "hosts", call)
  hosts <- lower_ascii(hosts)
  bad <- !grepl("^([a-z0-9_-]+[.])*[a-z0-9_-]+(:[0-9]+)?$", hosts)
  if (any(bad)) {
    abort_judicious(c("{.arg hosts} holds {.val {hosts[bad][1]}}, which is not the name of a host.",
                      i = "Write names as {.val judging.example.org}, without {.code https://} and without a path."),
                    "argument", argument = "hosts", call = call)
  }
  hosts
}

check_proxy <- function(proxy, call = caller_env()) {
  if (is.null(proxy)) return(character())
  check_texts(proxy, "proxy", call)
  bad <- !grepl("^[0-9a-fA-F:.]+$", proxy)
  if (any(bad)) {
    abort_judicious(c("{.arg proxy} holds {.val {proxy[bad][1]}}, which is not an IP address.",
                      i = "A proxy on this machine is {.val 127.0.0.1}."), "argument", argument = "proxy", call = call)
  }
  lower_ascii(proxy)
}

# The address a request comes from. What a trusted proxy says is believed, and of that only the part that the proxy
# added itself: the last address that is not another trusted proxy.
client_address <- function(request, proxy) {
  plain <- function(address) sub("^::ffff:", "", lower_ascii(trimws(address)))
  address <- plain(request$REMOTE_ADDR %||% "")
  if (!address %in% proxy) return(address)
  said <- plain(strsplit(request$HTTP_X_FORWARDED_FOR %||% "", ",", fixed = TRUE)[[1]])
  utils::tail(c(address, said[!said %in% proxy]), 1)
}

# The page runs its own scripts only and cannot be framed; documents may come from any server. Style attributes are part
# of Shiny's pages.
content_policy <- paste(
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:",
  "img-src * data: blob:; media-src * data: blob:; frame-src http: https:; connect-src 'self' ws: wss:",
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'", sep = "; "
)

asset_headers <- list("X-Content-Type-Options" = "nosniff", "Referrer-Policy" = "same-origin",
                      "X-Frame-Options" = "DENY", "Cross-Origin-Resource-Policy" = "same-origin")

page_headers <- c(asset_headers, list("Content-Security-Policy" = content_policy,
                                      "Cross-Origin-Opener-Policy" = "same-origin", "Cache-Control" = "no-store"))

# Wraps the handler of a Shiny app: refuses foreign requests, serves media and the health address, sets headers.
guarded_handler <- function(handler, s, spec, media) {
  force(handler)
  force(media)
  function(request) {
    protect_assets()
    why <- refusal(request, spec$hosts)
    if (!is.null(why)) {
      spec$log("refused", client_address(request, spec$proxy), why = why, host = request$HTTP_HOST)
      return(plain_response(403, "This address is not one of the page's hosts."))
    }
    path <- request$PATH_INFO
    response <- if (identical(path, "/health")) {
      health(s)
    } else if (!is.null(media) && startsWith(path, "/media/")) {
      media_response(media, sub("^/media/", "", path), request$HTTP_RANGE)
    } else {
      handler(request)
    }
    if (!inherits(response, "httpResponse")) return(response)
    response$headers <- utils::modifyList(page_headers, as.list(response$headers))
    response
  }
}

# Scripts and styles are served by httpuv without passing any handler; it sets headers that it was told. The server
# exists only once the app runs.
protect_assets <- function() {
  server <- shiny::getShinyOption("server")
  if (is.null(server) || "X-Frame-Options" %in% names(server$getStaticPathOptions()$headers)) return()
  server$setStaticPathOption(headers = asset_headers)
}

plain_response <- function(status, text) {
  shiny::httpResponse(status, "text/plain; charset=UTF-8", paste0(text, "\n"))
}

# For monitors and proxies: whether the page is served and its store can be read.
health <- function(s) {
  answers <- tryCatch({
    store_meta(s$env$store, "edition")
    TRUE
  }, error = function(cnd) FALSE)
  plain_response(if (answers) 200 else 503, if (answers) "ok" else "the store cannot be read")
}
