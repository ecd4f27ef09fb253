# A format of files and database fields for the package's own objects: collections, models, estimates. It contains only
# data, whereas R's own formats (saveRDS(), serialize()) can contain functions and environments, which may run code when
# they are read or used. Layout: the line "judicious-data <version> <kind> <checksum of the rest>", then one value,
# compressed by gzip. A value consists of a byte with its type, plus 64 if attributes follow; its length as a double;
# its content; and the names and the values of its attributes. Numbers are little-endian, strings end in a zero byte.

data_version <- 1L

data_types <- c("NULL", "logical", "integer", "double", "character", "list", "raw", "language", "environment")

# Converts an object to raw bytes. decode_data() requires the same `kind`.
encode_data <- function(x, kind) {
  # The chunks are in an environment, because a list would be copied for every value.
  chunks <- list2env(list(all = list(), n = 0L), parent = emptyenv())
  add <- function(bytes) {
    chunks$n <- chunks$n + 1L
    if (chunks$n > length(chunks$all)) length(chunks$all) <- 2L * chunks$n
    chunks$all[[chunks$n]] <- bytes
  }
  encode_value(x, add, kind)
  content <- memCompress(unlist(chunks$all[seq_len(chunks$n)]), "gzip")
  c(charToRaw(paste("judicious-data", data_version, kind, checksum_cpp(content))), as.raw(10), content)
}

encode_value <- function(x, add, path) {
  type <- typeof(x)
  code <- match(type, data_types) - 1L
  # The environment of a formula has no meaning elsewhere, so it is not kept.
  abort_unless(!is.na(code) && (type != "environment" || endsWith(path, ".Environment")), c(
    "{.field {path}} is of type {type}.", i = "Only data can be kept in files, no functions and no environments."
  ), "not_data", call = NULL)
  further <- if (type == "environment") NULL else attributes(x)
  add(as.raw(code + if (length(further)) 64L else 0L))
  add(writeBin(as.double(if (type %in% c("language", "environment")) 1 else length(x)), raw(), endian = "little"))
  switch(type,
    logical = , integer = add(writeBin(as.integer(x), raw(), endian = "little")),
    double = add(writeBin(as.double(x), raw(), endian = "little")),
    character = encode_strings(x, add), raw = add(as.raw(x)), language = encode_strings(kept_formula(x, path), add),
    list = encode_list(x, add, path)
  )
  if (length(further)) {
    encode_value(names(further), add, path)
    for (name in names(further)) encode_value(further[[name]], add, paste0(path, "@", name))
  }
}

# The call that created a model is not kept, because it can contain arbitrary code.
encode_list <- function(x, add, path) {
  value_names <- names(x) %||% seq_along(x)
  x <- unclass(x)
  for (i in seq_along(x)) {
    is_call <- identical(value_names[i], "call") && is.call(x[[i]])
    encode_value(if (!is_call) x[[i]], add, paste0(path, "$", value_names[i]))
  }
}

encode_strings <- function(x, add) {
  absent <- is.na(x)
  bytes <- writeBin(enc2utf8(replace(as.vector(x), absent, "")), raw())
  add(writeBin(c(sum(absent), which(absent), length(bytes)), raw(), endian = "little"))
  add(bytes)
}

# Functions that a formula may contain. None of them reads or writes anything or calls other functions.
formula_functions <- c("~", "+", "-", "*", "/", "^", ":", "%in%", "(", "I", "list", "c", "offset", "log", "log2",
                       "log10", "log1p", "exp", "sqrt", "abs", "pmin", "pmax", "factor", "ordered", "as.integer",
                       "as.numeric")

kept_formula <- function(x, path) {
  attributes(x) <- NULL
  check_formula_calls(x, path)
  paste(deparse(x, width.cutoff = 500L, control = c("keepNA", "keepInteger", "digits17")), collapse = "\n")
}

check_formula_calls <- function(x, path) {
  plain <- c("name", "NULL", "logical", "numeric", "complex", "character")
  if (mode(x) %in% plain && is.null(attributes(x))) return(invisible(x))
  what <- if (is.call(x)) deparse(x[[1]])[1] else typeof(x)
  abort_unless(is.call(x) && is.symbol(x[[1]]) && as.character(x[[1]]) %in% formula_functions, c(
    "A formula in {.field {path}} uses {.code {what}}.",
    i = "Formulas that are kept in files may use: {.code {formula_functions}}."
  ), "not_data", call = NULL)
  for (i in seq_along(x)[-1]) check_formula_calls(x[[i]], path)
  invisible(x)
}

# Converts raw bytes to the object. Raises an error of kind "not_data" if they have another format or were changed.
decode_data <- function(bytes, kind) {
  n <- match(as.raw(10), utils::head(bytes, 200))
  first <- if (is.na(n)) "" else rawToChar(bytes[seq_len(n - 1)][bytes[seq_len(n - 1)] != as.raw(0)])
  fields <- strsplit(first, " ", fixed = TRUE)[[1]]
  if (length(fields) != 4 || fields[1] != "judicious-data") abort_not_read("It is not in the format of judicious.")
  if (fields[2] != data_version) {
    abort_not_read("Its format has version {fields[2]}; this version of judicious reads {data_version}.")
  }
  if (fields[3] != kind) abort_not_read("It holds {fields[3]}, not {kind}.")
  content <- bytes[-seq_len(n)]
  if (checksum_cpp(content) != fields[4]) abort_not_read("It is damaged: its content is not what was written.")
  # An untrusted file must not exhaust the memory: gzip can unpack to a thousand times its size.
  if (unpacks_beyond_cpp(content, max(2^26, 100 * length(content)))) {
    abort_not_read("It would take more than 100 times its size in memory, which no file of judicious does.")
  }
  reader <- list2env(list(bytes = memDecompress(content, "gzip"), at = 0), parent = emptyenv())
  tryCatch(decode_value(reader), error = function(cnd) {
    if (inherits(cnd, "judicious_error")) rlang::cnd_signal(cnd)
    abort_not_read("It is damaged: {conditionMessage(cnd)}")
  })
}

abort_not_read <- function(why, .envir = parent.frame()) abort_judicious(why, "not_data", call = NULL, .envir = .envir)

take_bytes <- function(reader, n) {
  if (reader$at + n > length(reader$bytes)) abort_not_read("It is damaged: it ends too early.")
  bytes <- reader$bytes[reader$at + seq_len(n)]
  reader$at <- reader$at + n
  bytes
}

take_numbers <- function(reader, n, what) {
  readBin(take_bytes(reader, n * if (what == "double") 8 else 4), what, n, endian = "little")
}

decode_value <- function(reader) {
  byte <- as.integer(take_bytes(reader, 1))
  type <- data_types[byte %% 64 + 1L]
  n <- take_numbers(reader, 1, "double")
  # Every element takes at least one byte, which limits the stated length before R allocates memory for it.
  if (!isTRUE(n <= max(1, length(reader$bytes) - reader$at))) abort_not_read("It is damaged: it ends too early.")
  x <- switch(type,
    logical = as.logical(take_numbers(reader, n, "integer")), integer = take_numbers(reader, n, "integer"),
    double = take_numbers(reader, n, "double"), character = decode_strings(reader, n), raw = take_bytes(reader, n),
    list = lapply(seq_len(n), function(i) decode_value(reader)),
    language = check_formula_calls(str2lang(decode_strings(reader, 1)), "formula"),
    environment = globalenv()
  )
  if (byte >= 64) {
    value_names <- decode_value(reader)
    values <- stats::setNames(lapply(value_names, function(name) decode_value(reader)), value_names)
    # The number of rows of a data frame is an attribute; a wrong number would hang R.
    rows <- values$row.names
    compact <- is.integer(rows) && length(rows) == 2 && is.na(rows[1])
    if (!is.null(rows) && any(vapply(x, NROW, 0L) != if (compact) abs(rows[2]) else length(rows))) {
      abort_not_read("It is damaged: columns of a table differ in length.")
    }
    attributes(x) <- values
  }
  x
}

decode_strings <- function(reader, n) {
  absent <- take_numbers(reader, take_numbers(reader, 1, "integer"), "integer")
  bytes <- take_bytes(reader, take_numbers(reader, 1, "integer"))
  x <- if (n) readBin(bytes, "character", n) else character()
  Encoding(x) <- "UTF-8"
  x[absent] <- NA
  x
}
