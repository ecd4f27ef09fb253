# Checks of arguments: each takes the value, names the argument it came in, and blames the caller.

is_number <- function(x) is.numeric(x) && length(x) == 1 && !is.na(x)

is_string <- function(x) is.character(x) && length(x) == 1 && !is.na(x)

check_number <- function(x, arg, min = -Inf, max = Inf, open = FALSE, call = caller_env()) {
  inside <- is_number(x) && (if (open) x > min && x < max else x >= min && x <= max)
  if (!inside) {
    range <- if (open) "strictly between" else "between"
    abort_judicious("{.arg {arg}} must be one number {range} {min} and {max}, not
      {.obj_type_friendly {x}}{show_value(x)}.",
                    "argument", argument = arg, call = call)
  }
  invisible(x)
}

# What is counted fits into an integer, which the core takes it for.
check_count <- function(x, arg, min = 1, finite = TRUE, call = caller_env()) {
  enough <- is_number(x) && x == trunc(x) && x >= min && !(finite && is.infinite(x))
  if (enough && (!finite || x <= .Machine$integer.max)) return(invisible(x))
  range <- if (enough) paste("at most", format_count(.Machine$integer.max)) else paste("at least", min)
  abort_judicious("{.arg {arg}} must be one whole number of {range}, not {.obj_type_friendly {x}}{show_value(x)}.",
                  "argument", argument = arg, call = call)
}

# Whether `x` is one or more whole numbers within the limits.
are_whole_numbers <- function(x, min = -Inf, max = Inf) {
  is.numeric(x) && length(x) > 0 && !anyNA(x) && all(x == trunc(x) & x >= min & x <= max)
}

check_flag <- function(x, arg, call = caller_env()) {
  if (!(is.logical(x) && length(x) == 1 && !is.na(x))) {
    abort_judicious("{.arg {arg}} must be TRUE or FALSE, not
      {.obj_type_friendly {x}}.", "argument", argument = arg, call = call)
  }
  invisible(x)
}

check_string <- function(x, arg, call = caller_env()) {
  if (!is_string(x)) {
    abort_judicious("{.arg {arg}} must be one string, not
      {.obj_type_friendly {x}}.", "argument", argument = arg, call = call)
  }
  invisible(x)
}

# One of a few named choices; the first is the default when the whole vector arrives.
check_choice <- function(x, choices, arg, call = caller_env()) {
  if (identical(x, choices)) return(choices[1])
  if (!(is.character(x) && length(x) == 1 && x %in% choices)) {
    abort_judicious("{.arg {arg}} must be one of {.or {.val {choices}}}, not {.obj_type_friendly {x}}{show_value(x)}.",
                    "argument", argument = arg, call = call)
  }
  x
}

check_class <- function(x, class, arg, made_by, call = caller_env()) {
  if (!inherits(x, class)) {
    abort_judicious(c("{.arg {arg}} must be made by {.or {.fn {made_by}}}, but is {.obj_type_friendly {x}}."),
                    "argument", argument = arg, call = call)
  }
  invisible(x)
}

check_columns <- function(x, columns, arg, call = caller_env()) {
  if (!is.data.frame(x)) {
    abort_judicious("{.arg {arg}} must be a data frame, not
      {.obj_type_friendly {x}}.", "argument", argument = arg, call = call)
  }
  absent <- setdiff(columns, names(x))
  if (length(absent)) {
    abort_judicious(c(
      "{.arg {arg}} has no {cli::qty(length(absent))}column{?s} {.val {absent}}.",
      i = "Its columns are {.val {names(x)}}."
    ), "columns", argument = arg, columns = absent, call = call)
  }
  invisible(x)
}

# Identifiers: text or numbers, none missing or empty. Returned as text.
check_ids <- function(x, column, arg, call = caller_env()) {
  if (is.list(x) || !(is.character(x) || is.numeric(x) || is.factor(x))) {
    abort_judicious("Column {.val {column}} of {.arg {arg}} must hold identifiers, not {.obj_type_friendly {x}}.",
                    "columns", argument = arg, columns = column, call = call)
  }
  ids <- id_text(x)
  bad <- which(is.na(ids) | !nzchar(ids))
  if (length(bad)) {
    abort_judicious(c(
      "Column {.val {column}} of {.arg {arg}} has {format_count(length(bad))} {cli::qty(length(bad))}missing or empty
        identifier{?s}.",
      x = "The first is in row {bad[1]}."
    ), "columns", argument = arg, columns = column, rows = bad, call = call)
  }
  ids
}

# tolower() and toupper() follow the locale, and in Turkish "I" is not the capital of "i": names of columns, measures
# and encodings are ASCII and mean the same everywhere.
lower_ascii <- function(x) chartr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", x)
upper_ascii <- function(x) chartr("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", x)

# A hint for a name that is not known: the nearest of those that are, after `prefix`, or NULL where none is near.
suggest_name <- function(asked, known, prefix = "") {
  distance <- drop(utils::adist(lower_ascii(asked), lower_ascii(known)))
  begins <- nchar(asked) > 1 & startsWith(lower_ascii(known), lower_ascii(asked))
  near <- known[begins | distance <= nchar(asked) / 2]
  # Of names that are equally far, the one of most similar length: "nCDG" is "nDCG" rather than "CG".
  far <- distance[match(near, known)] + abs(nchar(near) - nchar(asked)) / 100
  if (length(near)) paste0("Did you mean \"", prefix, near[which.min(far)], "\"?")
}

# factor() sorts text as the locale does; this has the same levels everywhere, in the order of code points.
text_factor <- function(x) if (is.factor(x)) droplevels(x) else factor(x, sort(unique(x), method = "radix"))

# Text that sorts by its bytes and is compared with that of files must be in their encoding. The C locale knows no
# characters beyond ASCII: what is not marked there is UTF-8 where it can be.
utf8_text <- function(x) {
  in_c <- Sys.getlocale("LC_CTYPE") %in% c("C", "POSIX")
  foreign <- Encoding(x) == "latin1" | !(in_c || l10n_info()[["UTF-8"]])
  x[foreign] <- enc2utf8(x[foreign])
  bare <- if (in_c) which(Encoding(x) == "unknown" & !is.na(x) & validUTF8(x))
  if (length(bare)) {
    marked <- x[bare]
    Encoding(marked) <- "UTF-8"
    x[bare] <- marked
  }
  x
}

# One number per distinct combination of texts, whatever they hold: no separator that could be part of them.
combination_code <- function(...) {
  codes <- lapply(list(...), function(x) match(x, unique(x)))
  Reduce(function(a, b) match_pairs_cpp(a, b, a, b), codes)
}

# One text per row, to look combinations up in another table: every part but the last has its length before it, so that
# two combinations have the same text only where all their parts are the same.
text_key <- function(...) {
  parts <- lapply(list(...), function(x) enc2utf8(id_text(x)))
  n <- length(parts)
  parts[-n] <- lapply(parts[-n], function(x) paste0(nchar(x, "bytes"), ":", x, recycle0 = TRUE))
  do.call(paste0, c(parts, recycle0 = TRUE))
}

# 100000 is "100000", never "1e+05"; text is UTF-8.
id_text <- function(x) {
  if (!is.double(x)) return(utf8_text(as.character(x)))
  text <- format_number(x)
  ifelse(is.na(x), NA_character_, text)
}

show_value <- function(x) {
  if (is.atomic(x) && length(x) == 1 && !is.na(x)) paste0(" (", format(x), ")") else ""
}

# Methods have `...` for their generic's sake: what lands there would be silently without effect.
check_no_more <- function(what, ..., call = caller_env()) {
  n <- ...length()
  if (n == 0) return(invisible())
  given <- ...names() %||% rep("", n)
  names <- given[nzchar(given)]
  if (length(names)) {
    abort_judicious("{.code {what}} has no argument {.arg {names}}.", "argument", argument = names[1], call = call)
  }
  abort_judicious("{.code {what}} was given {n} argument{?s} too many.", "argument", call = call)
}

# Whether every element has a name that no other has.
has_distinct_names <- function(x) {
  names <- names(x)
  length(names) > 0 && all(nzchar(names)) && !anyDuplicated(names)
}
