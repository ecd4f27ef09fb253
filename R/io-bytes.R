# Reads files as text: pipes, compression, encodings.

# Makes sure that files can be read more than once: pipes are copied to temporary files of the same name, which the
# caller removes. Some files of /proc look like regular files but have no size.
copy_pipes <- function(paths) {
  if (!is.character(paths)) return(paths)
  piped <- file.exists(paths) & !dir.exists(paths)
  piped[piped] <- grepl("^/(dev|proc)/", paths[piped]) | !vapply(path.expand(paths[piped]), is_regular_file_cpp, NA)
  paths[piped] <- vapply(paths[piped], copy_pipe, "")
  paths
}

# "-" stands for standard input.
copy_pipe <- function(path) {
  con <- if (path == "-") file("stdin", "rb") else file(path, "rb", raw = TRUE)
  on.exit(close(con))
  folder <- tempfile("pipe-")
  dir.create(folder)
  copy <- file.path(folder, if (path == "-") "stdin" else basename(path))
  out <- file(copy, "wb")
  on.exit(close(out), add = TRUE)
  while (length(bytes <- readBin(con, "raw", 2^20))) writeBin(bytes, out)
  copy
}

# The first bytes of compressed files; NA is any byte. A text can begin with the three letters of bzip2, but not with
# the start of its first block.
compressions <- list(
  gzip = c(0x1f, 0x8b), bzip2 = c(0x42, 0x5a, 0x68, NA, 0x31, 0x41, 0x59, 0x26, 0x53, 0x59),
  xz = c(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0), zip = c(0x50, 0x4b, 3, 4), zstd = c(0x28, 0xb5, 0x2f, 0xfd),
  "7-Zip" = c(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c)
)

# The name of the mark with which bytes begin, "" if there is none.
leading_mark <- function(bytes, marks) {
  for (name in names(marks)) {
    fixed <- which(!is.na(marks[[name]]))
    if (length(bytes) >= length(marks[[name]]) && all(bytes[fixed] == as.raw(marks[[name]][fixed]))) return(name)
  }
  ""
}

compression_of <- function(path) leading_mark(readBin(path, "raw", 10), compressions)

# The mark of UTF-32LE begins with that of UTF-16LE.
byte_order_marks <- list("UTF-8" = c(0xef, 0xbb, 0xbf), "UTF-32LE" = c(0xff, 0xfe, 0, 0),
                         "UTF-32BE" = c(0, 0, 0xfe, 0xff), "UTF-16LE" = c(0xff, 0xfe), "UTF-16BE" = c(0xfe, 0xff))

byte_order_mark <- function(bytes) leading_mark(bytes, byte_order_marks)

# The first bytes of a file, to detect its format. Empty if it cannot be read, in which case the reader raises the
# error.
first_bytes <- function(path) {
  tryCatch({
    con <- if (nzchar(compression_of(path))) gzfile(path, "rb") else file(path, "rb", raw = TRUE)
    on.exit(close(con))
    readBin(con, "raw", 2^14)
  }, warning = function(cnd) raw(), error = function(cnd) raw())
}

# The largest allowed size of a compressed file after unpacking, in bytes.
unpacked_limit <- function(path) {
  option <- getOption("judicious.max_unpacked")
  if (is.null(option)) max(5e8, 100 * file.size(path)) else check_number(option, "judicious.max_unpacked", 1)
}

# The bytes of a file, plain or compressed.
read_bytes <- function(path, arg) {
  fail <- function(what) {
    what[1] <- paste0("{.arg {arg}}: ", what[1])
    abort_judicious(what, "file", argument = arg, path = path)
  }
  if (dir.exists(path)) fail(c("{.file {path}} is a folder.", i = "Give the files in it."))
  if (!file.exists(path)) fail("there is no file {.file {path}}; check the path and the working directory.")
  before <- file_versions(path)
  size <- max(0, file.size(path), na.rm = TRUE)
  kind <- tryCatch(compression_of(path), warning = function(cnd) "")
  limit <- if (nzchar(kind)) unpacked_limit(path) else Inf
  if (!kind %in% c("", "gzip", "bzip2", "xz")) {
    fail(c("{.file {path}} is compressed by {kind}, which is not read.", i = switch(
      lower_ascii(sub(".*[.]", "", path)), eval = "A log of Inspect: {.code inspect log dump} writes it as JSON.",
      xlsx = , ods = "A spreadsheet: save it as CSV.", "Unpack it, or compress it with gzip.")))
  }
  # `bytes` is NULL if the file is damaged, or a text that says why it cannot be read.
  bytes <- if (kind %in% c("bzip2", "xz")) unpack_file(path, kind, limit) else
    read_file_cpp(path.expand(path), size, limit)
  check_unchanged(path, before, arg)
  if (is.null(bytes)) fail("the file {.file {path}}, compressed by {kind}, is damaged, or its end is missing.")
  if (!is.raw(bytes)) fail("the file {.file {path}} cannot be read: {bytes}.")
  if (length(bytes) > limit) {
    fail(c(
      "{.file {path}}, of {format_count(size)} bytes, unpacks to more than {format_count(limit)} bytes.",
      i = hint("If it should, set {.code options(judicious.max_unpacked = )}, for example to {.code Inf}.",
               "If it should, unpack it first.")
    ))
  }
  if (!length(bytes)) fail("the file {.file {path}} is empty.")
  bytes
}

# The bytes of a compressed file by R's connections, which stop soon after `limit`; NULL if they warn of damage.
stream_bytes <- function(path, limit) {
  parts <- list()
  damaged <- FALSE
  con <- gzfile(path, "rb")
  on.exit(close(con))
  withCallingHandlers(
    while (sum(lengths(parts)) <= limit && length(part <- readBin(con, "raw", 2^20))) parts <- c(parts, list(part)),
    warning = function(cnd) {
      damaged <<- TRUE
      tryInvokeRestart("muffleWarning")
    }
  )
  if (!damaged) as.raw(unlist(parts))
}

# Reads the bytes of a compressed file with R's functions. Returns more than `limit` bytes if the file has more; NULL if
# it is damaged; a text if it has several bzip2 streams. In bzip2 files, only memDecompress() detects all damage, but it
# reads only the first stream.
unpack_file <- function(path, kind, limit) {
  bytes <- stream_bytes(path, limit)
  if (is.null(bytes) || length(bytes) > limit || kind == "xz") return(bytes)
  unpacked <- tryCatch(memDecompress(readBin(path, "raw", file.size(path)), "bzip2"), error = function(cnd) NULL)
  if (!is.null(unpacked) && length(unpacked) < length(bytes)) return("it has several streams of bzip2; unpack it first")
  unpacked
}

# Sizes and times of files, to detect that a file was written to while it was read.
file_versions <- function(paths) {
  info <- file.info(paths, extra_cols = FALSE)
  sprintf("%.0f %.6f", info$size, info$mtime)
}

check_unchanged <- function(paths, before, arg) {
  changed <- paths[file_versions(paths) != before]
  check_that(!length(changed), arg, c(
    "{.arg {arg}}: {.file {changed[1]}} changed while it was read.",
    i = "Read it when it is complete."
  ), kind = "file", path = changed[1])
}

# The separators that the first line of a file can declare, as in "sep=;", which Excel understands.
separator_marks <- c("," = "comma", ";" = "semicolon", "\t" = "tab")

# Converts bytes such that every separator is one ASCII byte. The encoding of the fields is converted later, and each
# distinct field only once. `separator`: the one that the first line of the file declares, or NULL.
normal_bytes <- function(bytes, path, encoding, arg) {
  mark <- byte_order_mark(bytes)
  if (nzchar(mark)) {
    bytes <- bytes[-seq_along(byte_order_marks[[mark]])]
    encoding <- mark
  }
  if (!is.null(encoding) && grepl("^(UTF-?16|UTF-?32|UCS)", encoding, ignore.case = TRUE)) {
    bytes <- iconv(list(bytes), encoding, "UTF-8", toRaw = TRUE)[[1]]
    encoding <- "UTF-8"
  }
  is_tar <- identical(bytes[258:262], charToRaw("ustar"))
  check_that(!is.null(bytes) && !has_zero_byte_cpp(bytes), arg, c(
    "{.arg {arg}}: {.file {path}} is {if (is_tar) 'an archive of files, by tar' else 'not text'}{if (!is.null(encoding))
      paste0(' in ', encoding)}.",
    i = if (is_tar) "Unpack it, and give the files." else
      hint("Give a text file, or declare its encoding with {.arg encoding}.", "Give a text file in UTF-8.")
  ), kind = "encoding", path = path)
  first <- sub("[\r\n].*", "", rawToChar(utils::head(bytes, 20)), useBytes = TRUE)
  stated <- grepl('^"?[Ss][Ee][Pp]=[,;\t]"?$', first, useBytes = TRUE)
  separator <- if (stated) separator_marks[[gsub("[^,;\t]", "", first)]]
  # The line remains as a blank one, so that the line numbers in errors are right.
  if (stated) bytes <- bytes[-seq_len(nchar(first))]
  # MovieLens separates fields by two colons.
  if (grepl("^[0-9]+::[^\t\r\n]+::", rawToChar(utils::head(bytes, 500)), useBytes = TRUE)) {
    bytes <- charToRaw(gsub("::", "\t", rawToChar(bytes), fixed = TRUE, useBytes = TRUE))
  }
  # A file concatenated from several may have byte order marks at the beginnings of lines.
  inner_marks <- grepRaw(as.raw(c(10, 0xef, 0xbb, 0xbf)), bytes, fixed = TRUE, all = TRUE)
  if (length(inner_marks)) bytes <- bytes[-outer(1:3, inner_marks, `+`)]
  list(bytes = bytes, encoding = encoding, separator = separator)
}

# Converts fields to UTF-8. `bytes`: the file, in which errors look for the number of the line.
decode_fields <- function(fields, bytes, path, encoding, arg) {
  # Only functions with an argument `path` have `encoding`.
  declare <- if (arg == "path") hint(", or declare its encoding with {.arg encoding}")
  valid <- validUTF8(fields)
  if (is.null(encoding) && !all(valid)) {
    # Text in another encoding with non-ASCII characters is hardly ever valid UTF-8.
    mixed <- fields[valid & grepl("[\\x80-\\xff]", fields, perl = TRUE, useBytes = TRUE)]
    Encoding(mixed) <- "UTF-8"
    bad_line <- if (length(mixed)) invalid_line(bytes)
    check_that(!length(mixed), arg, c(
      "{.arg {arg}}: {.file {path}} mixes encodings: line {format_count(bad_line)} is not UTF-8, but {.val {mixed[1]}}
        is.", i = paste0("Convert the file to UTF-8", declare, ".")
    ), kind = "encoding", path = path, line = bad_line)
    encoding <- "latin1"
    inform_judicious(c(
      "{.file {path}} is not UTF-8; it is read as latin1.",
      i = paste0("If that is wrong, convert the file to UTF-8", declare, ".")
    ), "encoding", path = path)
  }
  if (upper_ascii(encoding %||% "UTF-8") %in% c("UTF-8", "UTF8")) {
    check_that(all(valid), arg, c(
      "{.arg {arg}}: line {format_count(invalid_line(bytes))} of {.file {path}} has text that is not UTF-8.",
      x = "The first such field is {.val {iconv(fields[!valid][1], 'latin1', 'UTF-8')}} (shown as if it were
        latin1).",
      i = paste0("Convert the file to UTF-8", declare, ".")
    ), kind = "encoding", path = path)
    Encoding(fields) <- "UTF-8"
    return(fields)
  }
  decoded <- tryCatch(iconv(fields, encoding, "UTF-8"), error = function(cnd) NA_character_)
  check_that(!anyNA(decoded), arg, c(
    "{.arg {arg}}: {.file {path}} cannot be read as {.val {encoding}}.",
    i = "{.fn iconvlist} lists the supported encodings."
  ), kind = "encoding", path = path)
  decoded
}

# The number of the first line that is not UTF-8.
invalid_line <- function(bytes) {
  lines <- strsplit(rawToChar(bytes), "\r\n?|\n", useBytes = TRUE)[[1]]
  which(!validUTF8(lines))[1]
}

# The first line that is not blank, to detect the layout of the file; with `after_comments`, the first one that does not
# start with #, if there is one. Only the first million bytes are searched, because no table has longer lines.
first_line <- function(bytes, after_comments = TRUE) {
  last <- min(length(bytes), 2^20)
  line_start <- 1
  number <- 1
  skipped <- integer()
  while (line_start <= last) {
    line_end <- min(grepRaw("[\r\n]", bytes, offset = line_start), last + 1)
    found <- list(text = rawToChar(bytes[seq_len(line_end - line_start) + line_start - 1]), number = number)
    if (grepl("[^ \t\v\f]", found$text, useBytes = TRUE)) {
      commented <- after_comments && grepl("^[ \t\v\f]*#", found$text, useBytes = TRUE)
      if (!commented) return(c(found, list(skipped = skipped)))
      skipped <- c(skipped, number)
    }
    line_start <- line_end + 1 + identical(bytes[line_end + 0:1], charToRaw("\r\n"))
    number <- number + 1
  }
  if (length(skipped)) first_line(bytes, after_comments = FALSE) else list(text = "", number = NA, skipped = skipped)
}

# The first bytes of a file, as normal_bytes() returns them, and the `text` of the first line that has any. NULL for a
# missing or empty file, a folder, and what is not text; reading all of the file raises the error.
beginning_of_file <- function(path, encoding, arg) {
  bytes <- if (isTRUE(file.exists(path)) && !dir.exists(path)) first_bytes(path)
  if (!length(bytes)) return(NULL)
  normal <- tryCatch(normal_bytes(bytes, path, encoding, arg), judicious_error = function(cnd) NULL)
  if (!is.null(normal)) c(normal, text = first_line(normal$bytes, after_comments = FALSE)$text)
}
