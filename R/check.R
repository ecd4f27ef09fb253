# Checks of arguments. A check takes the value and the name of the argument, and its errors name the function that the
# user called.

is_number <- function(x) is.numeric(x) && !inherits(x, "integer64") && length(x) == 1 && !is.na(x)

is_string <- function(x) is.character(x) && length(x) == 1 && !is.na(x)

# A connection, or a list of a connection and what to read.
is_database_table <- function(x) {
  inherits(x, "DBIConnection") || is.list(x) && !is.data.frame(x) && length(x) > 0 && inherits(x[[1]], "DBIConnection")
}

# Whether an argument is to be read: paths of files, or a table of a database.
is_source <- function(x) is.character(x) && is.null(dim(x)) || is_database_table(x)

check_number <- function(x, arg, min = -Inf, max = Inf, open = FALSE) {
  inside <- is_number(x) && (if (open) x > min && x < max else x >= min && x <= max)
  check_that(inside, arg, "must be one number {if (open) 'strictly '}between {min} and {max}, not
    {.obj_type_friendly {x}}{show_value(x)}.")
  invisible(x)
}

# Checks a whole number. Unless `finite` is FALSE, it must fit into a 32-bit integer of the C++ core.
check_count <- function(x, arg, min = 1, finite = TRUE) {
  enough <- is_number(x) && x == trunc(x) && x >= min && !(finite && is.infinite(x))
  if (enough && (!finite || x <= .Machine$integer.max)) return(invisible(x))
  limits <- if (enough) paste("at most", format_count(.Machine$integer.max)) else paste("at least", min)
  abort_argument(arg, "must be one whole number of {limits}, not {.obj_type_friendly {x}}{show_value(x)}.")
}

# Whether the square of a number of at least 0 neither overflows nor becomes 0.
can_be_squared <- function(x) x == 0 || x > 1e-100 && x < 1e100

# Whether `x` is one or more whole numbers within the limits.
are_whole_numbers <- function(x, min = -Inf, max = Inf) {
  is.numeric(x) && !inherits(x, "integer64") && length(x) > 0 && !anyNA(x) && all(x == trunc(x) & x >= min & x <= max)
}

check_flag <- function(x, arg) {
  check_that(is.logical(x) && length(x) == 1 && !is.na(x), arg,
             "must be TRUE or FALSE, not {.obj_type_friendly {x}}.")
  invisible(x)
}

check_string <- function(x, arg) {
  check_that(is_string(x), arg, "must be one string, not {.obj_type_friendly {x}}.")
  invisible(x)
}

# Checks that an argument is one of its choices. If it is the whole vector of choices, it is missing in the call, and
# the first choice is the default.
check_choice <- function(x, choices, arg) {
  if (identical(x, choices)) return(choices[1])
  check_that(is_string(x) && x %in% choices, arg, c(
    paste0("must be one of {.or {.val {choices}}}, not ",
           if (is_string(x)) "{.val {x}}." else "{.obj_type_friendly {x}}{show_value(x)}."),
    i = if (is_string(x)) suggest_name(x, choices, within = 0.4)))
  x
}

check_class <- function(x, class, arg, made_by) {
  if (missing(x) || !inherits(x, class)) {
    # There are many goals and strategies, so the message names only one as an example.
    kind_of_object <- c(goal_mean = "a goal", strategy_gradient = "a strategy")[made_by[1]]
    must <- if (is.na(kind_of_object)) "made by {.or {.fn {made_by}}}" else "{kind_of_object}, such as {.fn {made_by}}"
    # New users often pass the name of a file in place of a collection or a session, so the message names the function
    # that reads it.
    readers <- c(test_collection = "{.fn test_collection} reads runs from files",
                 judging_session = "{.fn open_session} opens a stored session")
    readers <- if (!missing(x) && is.character(x)) readers[intersect(names(readers), made_by)]
    found <- if (missing(x)) "missing" else "{.obj_type_friendly {x}}"
    abort_judicious(c(paste0("{.arg {arg}} must be ", must, ", but is ", found, "."),
                      i = if (length(readers)) paste0(paste(readers, collapse = "; "), ".")),
                    "argument", argument = arg)
  }
  invisible(x)
}

# Checks that a table has these columns and none of them twice, and returns it as a data frame without 64-bit integers.
check_columns <- function(x, columns, arg) {
  check_that(is.data.frame(x), arg, "must be a data frame, not {.obj_type_friendly {x}}.")
  refuse_absent_columns(x, columns, arg, "{.arg {arg}} has", "Its")
  repeated <- intersect(names(x)[duplicated(names(x))], c(columns, "rank", "score", "gain", "assessor", "weight"))
  check_that(!length(repeated), arg, "has more than one column {.val {repeated[1]}}.", kind = "columns",
             columns = repeated)
  # Tibbles and data tables are indexed differently: x[, 1] of a tibble, for example, is not a vector.
  if (inherits(x, c("data.table", "tbl_df"))) x <- as.data.frame(x)
  invisible(plain_values(x, arg, exact = TRUE))
}

# Converts values of other packages, alone or in a table, to plain ones: 64-bit integers (bit64), because computations
# would take their bits for those of doubles, and labelled values (haven). `exact`: whether columns with numbers beyond
# 2^53 become text instead of raising an error.
plain_values <- function(x, arg = "data", exact = FALSE) {
  if (inherits(x, "integer64")) return(structure(plain_integers(x, arg, exact), dim = dim(x), names = names(x)))
  if (inherits(x, "haven_labelled")) return(without_declared_missing(x))
  is_special <- vapply(if (is.data.frame(x)) x, inherits, NA, c("integer64", "haven_labelled"))
  for (i in which(is_special)) {
    column <- plain_columns(stats::setNames(list(x[[i]]), names(x)[i]), arg, exact)
    x[[i]] <- plain_values(column[[1]])
  }
  x
}

# The values of a column from SPSS or Stata. Values that it declares missing are NA.
without_declared_missing <- function(x) {
  value <- as.vector(unclass(x))
  limits <- attr(x, "na_range")
  in_range <- if (length(limits)) value >= limits[1] & value <= limits[2] else FALSE
  replace(value, which(in_range | value %in% attr(x, "na_values")), NA)
}

# Converts columns to classes of base R: 64-bit integers become numbers or, with `exact`, text if doubles cannot
# represent them exactly (without `exact`, this is an error).
plain_columns <- function(rows, arg, exact = FALSE, path = NULL) {
  of_file <- if (!is.null(path)) cli::format_inline(" of {.file {path}}")
  for (name in names(rows)) {
    value <- rows[[name]]
    check_that(!is.list(value), arg, "{.arg {arg}}: the column {.val {name}}{of_file} holds lists or binary data, not
      numbers, text, dates or TRUE and FALSE.", kind = "columns", columns = name, path = path)
    if (inherits(value, "integer64")) {
      rows[[name]] <- plain_integers(value, arg, exact, cli::format_inline(": the column {.val {name}}{of_file}"),
                                     columns = name, path = path)
    } else if (any(startsWith(class(value), "pq_"))) {
      rows[[name]] <- as.character(unclass(value))
    }
  }
  rows
}

# Converts values to numbers if all are numeric, otherwise to text. The parts of an array, such as passages, are
# paragraphs.
flat_column <- function(values) {
  if (is.factor(values)) return(as.character(values))
  if (!is.list(values)) return(values)
  single <- lengths(values) <= 1 & !vapply(values, is.list, NA)
  present <- values[lengths(values) > 0]
  if (all(single) && all(vapply(present, is.numeric, NA) | vapply(present, is.logical, NA))) {
    return(vapply(values, function(value) {
      if (length(value)) as.numeric(value) else if (is.null(value)) NA_real_ else NaN
    }, 0))
  }
  if (!all(single) || !all(vapply(present, is.character, NA))) return(vapply(values, flat_text, ""))
  replace(rep(NA_character_, length(values)), lengths(values) > 0, id_text(unlist(values)))
}

flat_text <- function(value) {
  if (!length(value) || identical(value, NA_character_)) return(NA_character_)
  paste(vapply(unlist(value), id_text, ""), collapse = "\n\n")
}

plain_integers <- function(value, arg, exact, place = "", ...) {
  text <- integer64_text_cpp(value)
  number <- as.double(text)
  beyond <- any(abs(number) >= 2^53, na.rm = TRUE)
  abort_unless(!beyond || exact, c("{.arg {arg}}{place} holds whole numbers beyond 2^53, which R's numbers do not tell
    apart.", i = "Read identifiers as text, by a query with CAST."), "columns", argument = arg, ...)
  if (beyond) text else number
}

# Checks that a column is numeric. `missing`: whether values may be missing.
check_numeric_column <- function(x, column, arg, missing = TRUE) {
  requirement <- if (missing) "numeric, not {.obj_type_friendly {x[[column]]}}." else "numeric without missing values."
  check_that(is.numeric(x[[column]]) && (missing || !anyNA(x[[column]])), arg, kind = "columns", columns = column,
             paste("Column {.val {column}} of {.arg {arg}} must be", requirement))
}

# For a table of judgments without documents, but with systems.
ratings_of_systems_hint <- function(columns, needed) {
  of_systems <- "gain" %in% needed && !"doc" %in% columns && any(c("system", "model") %in% columns)
  if (of_systems) hint(
    "Ratings that name the system of an answer are read with the answers, by {.fn read_answers}: merge both tables, or
      give both files.", "Ratings that name the system of an answer are given as a file beside that of the answers.")
}

name_columns_hint <- function(has_header) {
  if (has_header) "Name all of them in their order with {.arg columns}; if they have a header, also with
    {.code header = TRUE}." else "Name all of them in their order with {.arg columns}."
}

# Raises an error if `x` lacks columns. `has` and `its`: how the cli message begins and how its second sentence begins,
# such as "{.arg x} has" and "Its". `has` may name the `path` of a file; `has_header`: whether it may have a header.
refuse_absent_columns <- function(x, columns, arg, has, its, path = NULL, has_header = TRUE) {
  absent <- setdiff(columns, names(x))
  if (!length(absent)) return(invisible(x))
  lacks_gain <- identical(absent, "gain") && "doc" %in% names(x) && !"system" %in% names(x)
  others <- setdiff(names(x), c("query", "doc", "iteration", "rank", "score"))
  by_rank <- if ("doc" %in% absent) names(x)[duplicated(sub("[0-9]+$", "", names(x)))]
  abort_judicious(c(
    paste(has, "no {cli::qty(length(absent))}column{?s} {.val {absent}}."), i = if (length(x))
      "{its} columns are {.val {names(x)}}.",
    i = ratings_of_systems_hint(names(x), columns),
    i = if (length(by_rank)) "Give each item, as in {.val {by_rank[1]}}, a row of its own, with its {.val rank}.",
    i = if (arg == "path") name_columns_hint(has_header),
    i = if (lacks_gain && length(others)) "If {.or {.val {others}}} has the gains, call it {.val gain}.",
    i = if (lacks_gain) "If each row is of a relevant document, add a column {.val gain} of 1."
  ), "columns", argument = arg, path = path, columns = absent)
}

# Raises an error about a fault of a column in these rows, if there are any.
refuse_rows <- function(rows, column, arg, fault, advice, kind = "columns") {
  check_that(!length(rows), arg, c(paste0("Column {.val {column}} of {.arg {arg}} has ", fault, "."),
                                   x = "The first is in row {rows[1]}.", i = advice),
             kind = kind, columns = column, rows = rows)
}

check_utf8 <- function(text, column, arg) {
  refuse_rows(which(!validUTF8(utf8_text(text))), column, arg, "text that is not in UTF-8",
              "{.code iconv(x, \"latin1\", \"UTF-8\")} converts text in latin1.", "encoding")
}

# Checks identifiers: text, numbers or dates, not missing or empty. Returns text.
check_ids <- function(x, column, arg, advice = NULL) {
  if (inherits(x, c("Date", "POSIXt"))) x <- id_text(x)
  check_that(!is.list(x) && (is.character(x) || is.numeric(x) || is.factor(x)), arg, "Column {.val {column}} of
    {.arg {arg}} must hold identifiers, not {.obj_type_friendly {x}}.", kind = "columns", columns = column)
  # From 2^53 on, different identifiers may be the same double.
  large <- if (is.double(x) && !inherits(x, "integer64")) which(abs(x) >= 2^53)
  refuse_rows(large, column, arg, "numbers beyond 2^53, which R does not tell apart", "Read these identifiers as text.")
  ids <- id_text(x)
  check_utf8(ids, column, arg)
  refuse_rows(which(is.na(ids) | !nzchar(ids)), column, arg, "{format_count(length(rows))}
    {cli::qty(length(rows))}missing or empty identifier{?s}", advice)
  warn_look_alike(look_alike(ids), sprintf("Column \"%s\" of `%s` has", column, arg))
  refuse_control(ids, column, arg)
}

# Raises an error that names the first row in which a column does not hold what it `must`, such as "finite numbers".
# `valid`: whether each value is as it must be.
check_values <- function(value, valid, column, arg, must, advice = NULL, kind = "columns") {
  bad <- which(!valid)
  check_that(!length(bad), arg, c(
    paste0("Column {.val {column}} of {.arg {arg}} must hold ", must, "."),
    x = "Row {format_count(bad[1])} has {.val {value[bad[1]]}}.", i = advice
  ), kind = kind, columns = column, rows = bad)
}

# Raises an error if rows of a table are equal in these columns. The cli `message` can refer to the rows that repeat
# another one (`repeated`), to the number of the first of them (`i`), and to this row (`first`).
refuse_repeated <- function(table, columns, arg, message, kind = "duplicate") {
  repeated <- which(duplicated(do.call(combination_code, unname(as.list(table[columns])))))
  i <- repeated[1]
  first <- table[i, ]
  check_that(!length(repeated), arg, message, kind = kind, rows = repeated)
}

# Checks the identifiers in these columns, and returns the data frame with them as text.
check_id_columns <- function(x, columns, arg) {
  x <- check_columns(x, columns, arg)
  for (column in columns) x[[column]] <- check_ids(x[[column]], column, arg)
  x
}

# The distinct values of a vector of texts (`id`), in order of first appearance, and the index of each element's value
# among them (`code`).
id_codes <- function(x) {
  id <- unique(x)
  list(code = match(x, id), id = id)
}

# tolower() and toupper() depend on the locale: in Turkish, "I" is not the capital of "i". These functions convert ASCII
# letters only, so that names of columns, measures and encodings mean the same in every locale.
lower_ascii <- function(x) chartr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", valid_text(x))
upper_ascii <- function(x) chartr("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", valid_text(x))

# Text with the codes of bytes of no known encoding, at which functions of R stop.
valid_text <- function(x) {
  x <- as.character(x)
  other <- which(!validUTF8(x))
  replace(x, other, iconv(utf8_text(x[other]), "UTF-8", "UTF-8", sub = "byte"))
}

upper_first <- function(text) paste0(upper_ascii(substr(text, 1, 1)), substring(text, 2))

# A hint for an unknown name: the most similar known name, after `prefix`. NULL if none begins with the unknown name or
# is similar to it. `within`: the largest edit distance that counts as similar, as a share of the length of the unknown
# name.
suggest_name <- function(unknown, known, prefix = "", within = 0.5) {
  unknown <- valid_text(unknown)
  distance <- drop(utils::adist(lower_ascii(unknown), lower_ascii(known)))
  begins <- nchar(unknown) > 1 & startsWith(lower_ascii(known), lower_ascii(unknown))
  candidates <- known[begins | distance <= within * nchar(unknown)]
  # Of names at equal distance, the one of most similar length is suggested: "nCDG" suggests "nDCG" rather than "CG".
  distance_of <- distance[match(candidates, known)] + abs(nchar(candidates) - nchar(unknown)) / 100
  if (!length(candidates)) return(NULL)
  meant <- if (sum(begins) %in% 2:3) known[begins] else candidates[which.min(distance_of)]
  paste0("Did you mean ", paste0("\"", prefix, meant, "\"", collapse = " or "), "?")
}

# A factor with the levels in the order of code points, because factor() sorts by the locale. A factor keeps its order,
# without unused levels. Levels are text, because factor() does not find dates among levels that are dates.
text_factor <- function(x) {
  if (is.factor(x)) droplevels(x) else
    factor(as.character(x), unique(as.character(sort(unique(x), method = "radix"))))
}

# Row-binds the tables named `part` in a list of lists.
bind_tables <- function(parts, part) do.call(rbind, lapply(unname(parts), `[[`, part))

# Arranges `value` in a matrix by row and column, in order of appearance; NA in cells without a value.
value_matrix <- function(row, column, value) {
  rows <- unique(row)
  columns <- unique(column)
  out <- matrix(NA_real_, length(rows), length(columns), dimnames = list(rows, columns))
  out[cbind(match(row, rows), match(column, columns))] <- value
  out
}

#' Remove further classes and attributes from a data frame
#'
#' @noRd
#' @rawNamespace
#' S3method(as.data.frame, judicious_expected_scores, plain_frame)
#' S3method(as.data.frame, judicious_list_adr, plain_frame)
#' S3method(as.data.frame, judicious_power, plain_frame)
#' S3method(as.data.frame, judicious_stability, plain_frame)
plain_frame <- function(x, ...) {
  attributes(x) <- attributes(x)[c("names", "row.names")]
  class(x) <- "data.frame"
  x
}

without_row_names <- function(x) {
  rownames(x) <- NULL
  x
}

# The sums of `values` by `code`, for the codes 1 to n.
sum_by_code <- function(values, code, n) {
  sums <- rowsum(as.vector(values), code)
  replace(numeric(n), as.numeric(rownames(sums)), sums)
}

# The first row with the same combination of values, for each row of several vectors. Texts are not pasted, because any
# separator could be part of them.
combination_code <- function(...) {
  Reduce(function(a, b) match_pairs_cpp(a, b, a, b), lapply(list(...), function(x) match(x, unique(x))))
}

# A key for each row, with which to find the same combination of values in another table. Every part except the last is
# preceded by its length, so that different combinations always have different keys.
text_key <- function(...) {
  parts <- lapply(list(...), function(x) enc2utf8(id_text(x)))
  n <- length(parts)
  parts[-n] <- lapply(parts[-n], function(x) paste0(nchar(x, "bytes"), ":", x, recycle0 = TRUE))
  do.call(paste0, c(parts, recycle0 = TRUE))
}

# The keys of the rows of a table by these columns.
row_keys <- function(rows, columns) do.call(text_key, unname(as.list(rows[columns])))

# Converts identifiers to text: 100000 becomes "100000" rather than "1e+05", and text is converted to UTF-8.
id_text <- function(x) {
  if (inherits(x, "integer64")) return(integer64_text_cpp(x))
  if (!is.double(x)) return(utf8_text(as.character(x)))
  replace(format_number(x), is.na(x), NA)
}

# The value of a single number or text in parentheses, to add to rlang's description of its type. rlang already shows
# TRUE and FALSE.
show_value <- function(x) {
  if (is.atomic(x) && !is.logical(x) && length(x) == 1 && !is.na(x)) paste0(" (", format(x), ")") else ""
}

# Raises an error if there are arguments in `...` that a method would silently ignore; methods must accept `...`.
# `what`: the caller, such as "plot()". `settings`: names of arguments that it passes on to the constructor of its
# `control`.
refuse_other_arguments <- function(what, ..., settings = NULL) {
  argument_names <- ...names() %||% rep("", ...length())
  argument_names <- argument_names[!argument_names %in% settings]
  if (!length(argument_names)) return(invisible())
  unknown <- argument_names[nzchar(argument_names)]
  if (length(unknown)) {
    accepted <- c(setdiff(names(formals(sys.function(sys.parent()))), "..."), settings)
    abort_judicious(c("{.code {what}} has no argument {.arg {unknown}}.",
                      i = suggest_name(unknown[1], accepted) %||% "Its arguments are {.arg {accepted}}."),
                    "argument", argument = unknown[1])
  }
  abort_judicious("{.code {what}} was given {length(argument_names)} argument{?s} too many.", "argument")
}

# Whether all elements have names that differ from each other.
has_distinct_names <- function(x) {
  element_names <- names(x)
  length(element_names) > 0 && all(nzchar(element_names)) && !anyDuplicated(element_names)
}

# Runs `code` with a seed. The result does not depend on the kind of random number generator that the user has chosen,
# and the state of this generator is restored. Without a seed, `code` uses the generator as it is.
with_seed <- function(seed, code) {
  if (is.null(seed)) return(code)
  check_seed(seed)
  old_state <- get0(".Random.seed", envir = globalenv(), inherits = FALSE)
  kinds <- RNGkind()
  on.exit({
    # Restores the kind and the state of the generator; before the first draw, there is no state. R warns about the
    # sampler "Rounding", but a user who has chosen it has seen this warning already.
    suppressWarnings(RNGkind(kinds[1], kinds[2], kinds[3]))
    if (is.null(old_state)) rm(".Random.seed", envir = globalenv()) else
      assign(".Random.seed", old_state, envir = globalenv())
  })
  set.seed(seed, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
  code
}

check_seed <- function(seed) {
  if (!is.null(seed)) check_number(seed, "seed", -.Machine$integer.max, .Machine$integer.max)
}

# The seed for streams of random numbers: that of the user, or a draw from R's random number generator, so that
# set.seed() has an effect.
stream_seed <- function(seed) {
  if (is.null(seed)) return(sample.int(.Machine$integer.max, 1))
  check_count(seed, "seed", min = 0)
  seed
}

check_function <- function(f, arg) {
  check_that(is.function(f), arg, "must be a function, not {.obj_type_friendly {f}}.")
}

# Raises an error if an identifier has a control character, because it would break lines of files, and could control a
# terminal. `where`: a function that describes the position of an element.
refuse_control <- function(ids, column, arg, where = function(row) paste("row", format_count(row))) {
  bad <- which(has_control(ids))
  if (!length(bad)) return(invisible(ids))
  abort_judicious(c(
    "Column {.val {column}} of {.arg {arg}} has {format_count(length(bad))} {cli::qty(length(bad))}identifier{?s} with
      control characters, such as tabs and line ends.",
    x = "The first is {name_some(substr(ids[bad[1]], 1, 60))}, in {where(bad[1])}.",
    i = "Replace these characters."), "columns", argument = arg, columns = column, rows = bad)
}

# Raises an error if a column of a file has control characters. `place`: see read_fields().
check_characters <- function(column, name, place, arg) {
  if (any(has_control(column$field))) refuse_control(column$field[column$code], name, arg, place)
}

# Identifiers that a reader cannot tell apart, such as accents in NFC and NFD, but that are different text.

# Replaces Latin letters with an accent by "?", whether Unicode encodes them as one character (NFC) or as a letter and
# an accent (NFD).
without_accented <- function(id) gsub("[A-Za-z][\u0300-\u036f]+|[\u00c0-\u024f]", "?", id, perl = TRUE)

without_invisible <- function(id) gsub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", id, perl = TRUE)

# Two identifiers that a reader cannot tell apart, but that are different text, and what they differ in; NULL if there
# are none. ASCII text is not searched.
look_alike <- function(ids) {
  ids <- unique(ids)
  special <- which(Encoding(ids) == "UTF-8")
  if (!length(special)) return(NULL)
  spaced <- gsub("[\u00a0\u2007\u202f]", " ", ids[special], perl = TRUE)
  visible <- replace(ids, special, without_invisible(spaced))
  second <- anyDuplicated(visible)
  if (second) return(list(ids = ids[c(match(visible[second], visible), second)], by = "invisible characters or spaces"))
  decomposed <- grepl("[\u0300-\u036f]", visible[special], perl = TRUE)
  if (!any(decomposed)) return(NULL)
  key <- without_accented(visible[special])
  counterpart <- match(key[decomposed], key[!decomposed])
  first <- which(!is.na(counterpart))[1]
  if (is.na(first)) return(NULL)
  list(ids = ids[special][c(which(!decomposed)[counterpart[first]], which(decomposed)[first])],
       by = "the encoding of accents in Unicode (NFC, NFD)")
}

# Warns of two identifiers that look alike. `start`: the start of the cli message, before the identifiers, such as
# "`answers` has".
warn_look_alike <- function(found, start) {
  if (is.null(found)) return(invisible())
  codes <- iconv(found$ids, "UTF-8", "ASCII", sub = "c99")
  warn_judicious(c(paste(start, "{.val {found$ids[1]}} and {.val {found$ids[2]}}, which look the same but are different
                     text: {codes[1]} and {codes[2]}."),
                   i = "They differ in {found$by}: write identifiers in the same way."), "look_alike", ids = found$ids)
}

# Warns if an identifier of one set looks like a different one of the other set. Look-alikes within a set are reported
# where the set is read, so there is no warning here if there are any.
warn_look_alike_between <- function(first, second, start) {
  if (is.null(look_alike(first)) && is.null(look_alike(second))) warn_look_alike(look_alike(c(first, second)), start)
}

# Warns of names that may be two spellings of one. A minus sign at the beginning or the end, as in the grade "A-", is no
# hyphen. Without the sign between them, numbers are another number: "k-1-2" is not "k-12".
warn_similar <- function(noun, names) {
  similar <- similar_names(names)
  if (length(similar)) warn_judicious(c(
    "{noun} {.val {similar[1]}} and {.val {similar[2]}} differ only in case, blanks or hyphens.",
    i = "If they are the same, write them in the same way."
  ), "similar_names", names = similar)
}

# The first names that differ only in this way; none if there are no such names.
similar_names <- function(names) {
  names <- unique(names)
  numbers_apart <- gsub("(?<=[0-9])[ _-]+(?=[0-9])", "\t", lower_ascii(names), perl = TRUE)
  key <- gsub("(.)-+(?=.)", "\\1", gsub("[ _]+", "", numbers_apart), perl = TRUE)
  names[key %in% key[anyDuplicated(key)]]
}
