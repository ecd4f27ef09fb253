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

is_gzipped <- function(path) identical(readBin(path, "raw", 2), as.raw(c(0x1f, 0x8b)))

# The first bytes of a file, to detect its format. Empty if it cannot be read, in which case the reader raises the
# error.
first_bytes <- function(path) {
  tryCatch({
    con <- if (is_gzipped(path)) gzfile(path, "rb") else file(path, "rb", raw = TRUE)
    on.exit(close(con))
    readBin(con, "raw", 2^14)
  }, warning = function(cnd) raw(), error = function(cnd) raw())
}

# The bytes of a file, plain or gzipped. release_cpp() frees their memory.
read_bytes <- function(path, arg, call) {
  fail <- function(what) {
    what[1] <- paste0("{.arg {arg}}: ", what[1])
    abort_judicious(what, "file", argument = arg, path = path, call = call)
  }
  if (dir.exists(path)) fail(c("{.file {path}} is a folder.", i = "Give the files in it."))
  if (!file.exists(path)) fail("there is no file {.file {path}}.")
  before <- file_versions(path)
  # R's own reader of gzipped files does not detect that the end is missing.
  bytes <- read_file_cpp(path.expand(path), max(0, file.size(path), na.rm = TRUE))
  check_unchanged(path, before, arg, call)
  if (is.null(bytes)) fail("the gzipped file {.file {path}} is damaged, or its end is missing.")
  if (!is.raw(bytes)) fail("the file {.file {path}} cannot be read: {bytes}.")
  if (!length(bytes)) fail("the file {.file {path}} is empty.")
  bytes
}

# Size and time of files, which change if somebody writes to a file: a part of it would look like a shorter file.
file_versions <- function(paths) {
  info <- file.info(paths, extra_cols = FALSE)
  sprintf("%.0f %.6f", info$size, info$mtime)
}

check_unchanged <- function(paths, before, arg, call) {
  changed <- paths[file_versions(paths) != before]
  if (!length(changed)) return(invisible())
  abort_judicious(c(
    "{.arg {arg}}: {.file {changed[1]}} changed while it was read.",
    i = "Read it when it is complete."
  ), "file", argument = arg, path = changed[1], call = call)
}

byte_order_mark <- function(bytes) {
  marks <- list("UTF-8" = c(0xEF, 0xBB, 0xBF), "UTF-16LE" = c(0xFF, 0xFE), "UTF-16BE" = c(0xFE, 0xFF))
  for (encoding in names(marks)) {
    mark <- as.raw(marks[[encoding]])
    if (identical(utils::head(bytes, length(mark)), mark)) return(encoding)
  }
  ""
}

# Converts bytes such that every separator is one ASCII byte. The encoding of the fields is converted later, for the
# distinct ones only.
normal_bytes <- function(bytes, path, encoding, arg, call) {
  mark <- byte_order_mark(bytes)
  if (nzchar(mark)) {
    bytes <- bytes[-seq_len(if (mark == "UTF-8") 3 else 2)]
    encoding <- mark
  }
  if (!is.null(encoding) && grepl("^(UTF-?16|UTF-?32|UCS)", encoding, ignore.case = TRUE)) {
    bytes <- iconv(list(bytes), encoding, "UTF-8", toRaw = TRUE)[[1]]
    encoding <- "UTF-8"
  }
  if (is.null(bytes) || has_zero_byte_cpp(bytes)) {
    abort_judicious(c(
      "{.arg {arg}}: {.file {path}} is not text{if (!is.null(encoding)) paste0(' in ', encoding)}.",
      i = "Declare its encoding with {.arg encoding}, or give a text file."
    ), "encoding", argument = arg, path = path, call = call)
  }
  list(bytes = bytes, encoding = encoding)
}

decode_fields <- function(fields, path, encoding, arg, call) {
  if (is.null(encoding)) {
    if (all(validUTF8(fields))) {
      encoding <- "UTF-8"
    } else {
      encoding <- "latin1"
      inform_judicious(c(
        "{.file {path}} is not UTF-8; it is read as latin1.",
        i = "If that is wrong, set {.arg encoding}."
      ), "encoding", path = path)
    }
  }
  if (upper_ascii(encoding) %in% c("UTF-8", "UTF8")) {
    if (!all(validUTF8(fields))) {
      abort_judicious(c(
        "{.arg {arg}}: {.file {path}} has text that is not UTF-8.",
        x = "The first such field is {.val {iconv(fields[!validUTF8(fields)][1], 'latin1', 'UTF-8')}} (shown as if it
          were latin1).",
        i = "Declare its encoding with {.arg encoding}."
      ), "encoding", argument = arg, path = path, call = call)
    }
    Encoding(fields) <- "UTF-8"
    return(fields)
  }
  decoded <- tryCatch(iconv(fields, encoding, "UTF-8"), error = function(cnd) NA_character_)
  if (anyNA(decoded)) {
    abort_judicious(c(
      "{.arg {arg}}: {.file {path}} cannot be read as {.val {encoding}}.",
      i = "{.fn iconvlist} lists the supported encodings."
    ), "encoding", argument = arg, path = path, call = call)
  }
  decoded
}
