# Files of the folder `media`, served under media/ to those who have logged in. Nothing outside the folder is served,
# regardless of the requested path and of links in the folder.

media_folder <- function(media, call = caller_env()) {
  if (is.null(media)) return(NULL)
  check_string(media, "media", call = call)
  check_that(dir.exists(media), "media", "must be a folder; there is none at {.path {media}}.", call = call)
  normalizePath(media, "/")
}

# Browsers request files without the token, so the page gives a cookie to a person who logs in. It follows from the
# stored hash of the token: it ends with the token, is the same in every process, and does not open the page.
media_key <- function(token) as.character(openssl::sha256(paste("media", token)))

may_see_media <- function(s, spec, cookies) {
  if (!spec$tokens) return(TRUE)
  key <- sub("^.*(^|; *)judicious-media=([0-9a-f]{64})(;.*|$)", "\\2", c(cookies, "")[1])
  rows <- store_rows(s$env$store, "assessor")
  rows <- rows[is_admitted(rows, store_now(s$env$store)), ]
  key %in% media_key(rows$token[nzchar(rows$token)])
}

# The file that a percent-encoded path names, after resolving links; NULL if the encoding is not valid, or if the file
# is hidden or not in the folder.
media_file <- function(folder, path) {
  # No system has longer paths, and decoding takes time in proportion to the square of the length.
  if (nchar(path, "bytes") > 4096 || grepl("%00|%(?![0-9a-fA-F]{2})", path, perl = TRUE)) return(NULL)
  path <- utils::URLdecode(path)
  if (!validUTF8(path) || grepl("(^|/)[.]|[[:cntrl:]\\\\]", path)) return(NULL)
  found <- suppressWarnings(normalizePath(file.path(folder, path), "/", mustWork = FALSE))
  if (!startsWith(found, paste0(sub("/$", "", folder), "/"))) return(NULL)
  if (file.exists(found) && !dir.exists(found)) found
}

# HTML documents are shown, also in a frame of the page, but cannot run code.
media_policy <- paste("default-src 'none'; img-src * data:; media-src * data:; style-src * 'unsafe-inline'; sandbox",
                      "frame-ancestors 'self'", sep = "; ")

# A whole file, or the part that a player requests when the user seeks within a recording.
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

# First and last byte of the requested part, limited to 4 MB, as players request the rest later. NULL for the whole
# file, NA if the part is outside the file.
byte_range <- function(range, size, most = 4 * 1024^2) {
  if (is.null(range) || !grepl("^bytes=([0-9]+-[0-9]*|-[0-9]+)$", range)) return(NULL)
  ends <- as.numeric(strsplit(sub("bytes=", "", range), "-", fixed = TRUE)[[1]])
  if (is.na(ends[1])) ends <- c(max(0, size - ends[2]), size - 1)
  last <- min(c(ends[-1], Inf)[1], size - 1, ends[1] + most - 1)
  if (ends[1] > last) c(NA, NA) else c(ends[1], last)
}

read_part <- function(file, part) {
  connection <- file(file, "rb")
  on.exit(close(connection))
  seek(connection, part[1])
  readBin(connection, "raw", part[2] - part[1] + 1)
}

# Types that a browser displays; any other file is sent as a download.
media_types <- c(
  mp3 = "audio/mpeg", ogg = "audio/ogg", oga = "audio/ogg", opus = "audio/ogg", wav = "audio/wav", flac = "audio/flac",
  m4a = "audio/mp4", aac = "audio/aac", mp4 = "video/mp4", webm = "video/webm", ogv = "video/ogg", png = "image/png",
  jpg = "image/jpeg", jpeg = "image/jpeg", gif = "image/gif", svg = "image/svg+xml", webp = "image/webp",
  avif = "image/avif", txt = "text/plain; charset=UTF-8", html = "text/html; charset=UTF-8",
  htm = "text/html; charset=UTF-8", pdf = "application/pdf"
)

media_type <- function(file) {
  type <- media_types[lower_ascii(sub(".*[.]", "", file))]
  if (is.na(type)) "application/octet-stream" else unname(type)
}

plain_response <- function(status, text) shiny::httpResponse(status, "text/plain; charset=UTF-8", paste0(text, "\n"))
