# Checks before every request and every WebSocket: it must be addressed to a name of this server, and it must come from
# a page of this server. Without the first check, a web site whose name resolves to this machine (DNS rebinding) could
# use the page in the reader's browser; without the second, any web site could open a WebSocket to it.

# The reason why a request is rejected, or NULL. Browsers always send Host, and they send Origin with a WebSocket;
# programs that do not send Origin are not controlled by a web site.
refusal <- function(request, hosts) {
  host <- lower_ascii(request$HTTP_HOST %||% "")
  if (nzchar(host) && !is_own_host(host, hosts)) return("foreign host")
  if (is.null(request$HTTP_ORIGIN)) return(NULL)
  origin <- lower_ascii(request$HTTP_ORIGIN)
  from <- sub("^https?://", "", origin)
  # Browsers omit the default port of the scheme, but a proxy may include it.
  host <- sub(if (startsWith(origin, "https:")) ":443$" else ":80$", "", host)
  if (from == host || from %in% hosts) NULL else "foreign origin"
}

# A web site cannot use an IP address or the name of this machine as its name; other names must be listed.
is_own_host <- function(host, hosts) {
  name <- sub(":[0-9]+$", "", host)
  address <- grepl("^([0-9]{1,3}[.]){3}[0-9]{1,3}$", name) || grepl("^\\[[0-9a-f:.%]+\\]$", name)
  address || name %in% c("localhost", lower_ascii(Sys.info()[["nodename"]]), sub(":[0-9]+$", "", hosts))
}

check_texts <- function(x, arg, call = caller_env()) {
  check_that(is.character(x) && length(x) && !anyNA(x) && all(nzchar(x)), arg,
             "must be one or more texts.", call = call)
}

# Checks texts of a form, and returns them in lower case. `other`: what a text of another form is not.
check_form <- function(x, arg, form, other, advice, call = caller_env()) {
  if (is.null(x)) return(character())
  check_texts(x, arg, call)
  bad <- x[!grepl(form, lower_ascii(x))]
  check_that(!length(bad), arg, c(paste0("holds {.val {bad[1]}}, which is not ", other, "."), i = advice), call = call)
  lower_ascii(x)
}

# The address from which a request comes. Only trusted proxies are believed, and only the part of the header that they
# added themselves: the last address that is not another trusted proxy.
client_address <- function(request, proxy) {
  plain <- function(address) sub("^::ffff:", "", lower_ascii(trimws(address)))
  address <- plain(request$REMOTE_ADDR %||% "")
  if (!address %in% proxy) return(address)
  forwarded <- plain(strsplit(request$HTTP_X_FORWARDED_FOR %||% "", ",", fixed = TRUE)[[1]])
  utils::tail(c(address, forwarded[!forwarded %in% proxy]), 1)
}

# Only the page's own scripts run, and it cannot be framed; documents may come from any server. Shiny's pages need style
# attributes.
content_policy <- paste(
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:",
  "img-src * data: blob:; media-src * data: blob:; frame-src http: https:; connect-src 'self' ws: wss:",
  "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'", sep = "; "
)

asset_headers <- list("X-Content-Type-Options" = "nosniff", "Referrer-Policy" = "same-origin",
                      "X-Frame-Options" = "DENY", "Cross-Origin-Resource-Policy" = "same-origin")

page_headers <- c(asset_headers, list("Content-Security-Policy" = content_policy,
                                      "Cross-Origin-Opener-Policy" = "same-origin", "Cache-Control" = "no-store"))

# Raises an error, which ends the serving, if others can reach the page over a network without a proxy: tokens can be
# read there, and R's server limits neither the size of a message nor the time and the number of unfinished requests.
refuse_network <- function(spec) {
  server <- shiny::getShinyOption("server")
  host <- if (inherits(server, "WebServer")) server$getHost() else "localhost"
  abort_unless(length(spec$proxy) || grepl("^(::ffff:)?127[.]|^::1$|^localhost$", host), c(
    "The judging page cannot be served at {host}, which other machines can reach, without a proxy.",
    i = paste0("Put a proxy with HTTPS in front of it, and name its address in {.arg proxy}",
               hint(": see {.help judge_app}"), ".")
  ), "app", argument = "proxy", call = NULL)
}

# Wraps the handler of a Shiny app: rejects foreign requests, serves media and the health address, sets headers.
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
    # R's texts cannot hold the character.
    if (grepl("%00", path, fixed = TRUE)) return(plain_response(400, "The address is not valid."))
    response <- if (identical(path, "/health")) {
      health(s)
    } else if (!is.null(media) && startsWith(path, "/media/")) {
      if (may_see_media(s, spec, request$HTTP_COOKIE)) {
        media_response(media, sub("^/media/", "", path), request$HTTP_RANGE)
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

# Wraps the handler of a Shiny app: the page is the same for everybody, and takes time to draw.
drawn_once <- function(handler) {
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

# httpuv serves scripts and styles without calling a handler, so their headers must be set in httpuv. The server exists
# only once the app runs.
protect_assets <- function() {
  server <- shiny::getShinyOption("server")
  if (is.null(server) || "X-Frame-Options" %in% names(server$getStaticPathOptions()$headers)) return()
  server$setStaticPathOption(headers = asset_headers)
}

# For monitors and proxies: whether the page is served and its store can be read.
health <- function(s) {
  answers <- !inherits(try(store_meta(s$env$store, "edition"), silent = TRUE), "try-error")
  plain_response(if (answers) 200 else 503, if (answers) "ok" else "the store cannot be read")
}
