# Data outside of R as arguments: a table or query of a database, `list(connection, "table or SELECT")`, and Parquet
# files. Both return the names of their columns, and rows in batches by a function of `reset`: TRUE restarts at the
# beginning, FALSE returns the next rows as a data frame, or NULL after the last.

# The names of files without their extensions. Hidden files keep theirs.
file_titles <- function(paths) {
  with_folders(sub("(.)[.][A-Za-z]+$", "\\1", sub("[.](gz|bz2|xz)$", "", basename(paths))), paths)
}

# The names of files; of those that repeat, the innermost folders that tell the files apart, as for "gpt/answers.json"
# and "llama/answers.json".
with_folders <- function(name, paths) {
  again <- name %in% name[duplicated(name)]
  alike <- length(unique(name[again])) == 1
  folder <- dirname(normalizePath(paths[again], "/", FALSE))
  while (length(folder) && !all(folder == dirname(folder))) {
    found <- paste0(basename(folder), if (!alike) "/", if (!alike) name[again])
    if (!anyDuplicated(found)) return(replace(name, again, found))
    folder <- dirname(folder)
  }
  name
}

# The connection, the text after FROM, and the names of the columns.
database_table <- function(x, arg) {
  need_package("DBI", "Reading a database")
  what <- if (is.list(x) && length(x) == 2) x[[2]]
  check_that(is_string(what) || inherits(what, "Id"), arg, "must be {.code list(connection, \"table or SELECT\")}: one
    table name, {.fn DBI::Id} or query after the connection.", kind = "database")
  connection <- x[[1]]
  check_that(DBI::dbIsValid(connection), arg, "{.arg {arg}}: the connection to the database is closed.",
             kind = "database")
  # The parenthesis is on its own line, so that a comment at the end of the query does not hide it.
  is_query <- is.character(what) && grepl("^\\s*(SELECT|WITH|VALUES)\\b", what, ignore.case = TRUE)
  from <- if (is_query) paste0("(", sub("[;[:space:]]+$", "", what), "\n) judicious_rows") else
    as.character(DBI::dbQuoteIdentifier(connection, what))
  request <- list(connection = connection, from = from, arg = arg)
  request$columns <- names(ask_database(request, DBI::dbGetQuery, paste("SELECT * FROM", from, "WHERE 1 = 0")))
  request
}

# Applies DBI's function `send` to a statement, and translates errors.
ask_database <- function(table, send, sql) {
  tryCatch(send(table$connection, sql), error = function(cnd) {
    abort_judicious(c("{.arg {table$arg}}: the database does not answer the query.", x = "{conditionMessage(cnd)}",
                      i = "A table in a schema is {.code DBI::Id(schema = , table = )}."), "database",
                    argument = table$arg, parent = cnd)
  })
}

quoted_columns <- function(table, columns) paste(DBI::dbQuoteIdentifier(table$connection, columns), collapse = ", ")

select_columns <- function(table, columns = table$columns) {
  paste("SELECT", if (length(columns)) quoted_columns(table, columns) else "1", "FROM", table$from)
}

# Calls `read` and returns the names of the columns of which SQLite has values of several types. Its driver converts
# them to the type of the first one, so that the text "q7" becomes 0, with a warning.
mixed_columns <- function(read) {
  mixed <- character()
  withCallingHandlers(read(), warning = function(cnd) {
    found <- regmatches(conditionMessage(cnd), regexec("^Column `(.*)`: mixed type", conditionMessage(cnd)))[[1]]
    if (!length(found)) return()
    mixed <<- c(mixed, found[2])
    tryInvokeRestart("muffleWarning")
  })
  mixed
}

# All rows of a table. Values of several types in a column become text.
database_rows <- function(table) {
  # An error in opening the table is reported by itself, not as one of the query.
  force(table)
  ask <- function(sql) rows <<- ask_database(table, DBI::dbGetQuery, sql)
  rows <- NULL
  mixed <- mixed_columns(function() ask(select_columns(table)))
  if (length(mixed)) {
    name <- vapply(table$columns, function(column) quoted_columns(table, column), "")
    as_text <- sprintf("CASE WHEN typeof(%1$s) = 'real' AND %1$s = CAST(%1$s AS INTEGER) THEN CAST(CAST(%1$s AS INTEGER)
      AS TEXT) ELSE CAST(%1$s AS TEXT) END AS %1$s", name)
    ask(paste("SELECT", paste(ifelse(table$columns %in% mixed, as_text, name), collapse = ", "), "FROM", table$from))
  }
  plain_columns(rows, table$arg, exact = TRUE)
}

# The rows of a query in batches. `reset = NA` ends the query.
database_batches <- function(table, sql = select_columns(table), size = 2^18) {
  result <- rows <- NULL
  finish <- function() {
    if (!is.null(result)) DBI::dbClearResult(result)
    result <<- NULL
  }
  function(reset = FALSE) {
    if (is.na(reset) || reset) return(finish())
    if (is.null(result)) result <<- ask_database(table, DBI::dbSendQuery, sql)
    mixed <- mixed_columns(function() rows <<- DBI::dbFetch(result, n = size))
    if (length(mixed)) {
      finish()
      abort_judicious(c("{.arg {table$arg}}: the column {.val {mixed[1]}} has values of several types.",
                        i = "Convert it to one type, by a query with CAST."), "columns", argument = table$arg,
                      columns = mixed)
    }
    if (nrow(rows)) return(plain_columns(rows, table$arg))
    finish()
  }
}

is_parquet <- function(x) is.character(x) && length(x) > 0 && all(grepl("[.]parquet$", x, ignore.case = TRUE))

# Files with the same columns, and the names of these.
parquet_files <- function(paths, arg) {
  columns <- lapply(paths, function(path) flat_parquet_columns(path, arg))
  odd <- which(!vapply(columns, setequal, NA, columns[[1]]))
  check_that(!length(odd), arg, "{.arg {arg}}: {.file {paths[odd[1]]}} has other columns than {.file {paths[1]}}.",
             kind = "columns", path = paths[odd[1]])
  list(paths = paths, columns = columns[[1]], arg = arg)
}

# The names of the columns that hold no lists. The schema lists the nodes of the tree of columns depth first.
flat_parquet_columns <- function(path, arg) {
  schema <- read_parquet_file(path, arg, function() nanoparquet::read_parquet_schema(path))
  children <- replace(schema$num_children, is.na(schema$num_children), 0)
  is_column <- logical(length(children))
  open <- 0
  for (node in seq_along(children)[-1]) {
    is_column[node] <- open == 0
    open <- max(open - 1, 0) + children[node]
  }
  schema$name[is_column & !children]
}

# Damaged bytes can end nanoparquet, and R with it, so a child process reads, except on Windows, which cannot fork.
read_parquet_file <- function(path, arg, read) {
  need_package("nanoparquet", "Reading Parquet")
  check_that(file.exists(path), arg, "{.arg {arg}}: there is no file {.file {path}}.", kind = "file", path = path)
  rows <- if (.Platform$OS.type == "windows") try(read(), silent = TRUE) else run_in_child(read)
  if (!is.null(rows) && !inherits(rows, "try-error")) return(rows)
  # The message for a damaged file can contain parts of it.
  reason <- if (length(rows)) conditionMessage(attr(rows, "condition")) else
    "Its bytes are damaged: they end the reader."
  reason <- iconv(substr(iconv(reason, "latin1", "ASCII", sub = "?"), 1, 200), sub = "?")
  reason <- gsub("[^ -~]+", " ", sub("'.*", "", reason))
  abort_judicious(c("{.arg {arg}}: {.file {path}} cannot be read as Parquet.", x = "{reason}"), "file", argument = arg,
                  path = path)
}

# The rows, without columns of lists where nanoparquet cannot read these.
read_parquet_columns <- function(path, arg, columns) {
  read <- function(columns) read_parquet_file(path, arg, function() {
    nanoparquet::read_parquet(path, columns, options = nanoparquet::parquet_options(read_int64_type = "integer64"))
  })
  tryCatch(read(columns), judicious_error_file = function(condition) {
    flat <- if (is.null(columns)) flat_parquet_columns(path, arg)
    if (!length(flat)) stop(condition)
    rows <- read(flat)
    warn_judicious("{.file {path}} is read without its columns of lists, which nanoparquet cannot read.", "columns",
                   path = path)
    rows
  })
}

# Calls `read` in a child process and returns its value; a "try-error" if it fails, NULL if the process ends early.
run_in_child <- function(read) {
  child <- parallel::mcparallel({
    end_at_faults_cpp()
    read()
  }, mc.set.seed = FALSE, silent = TRUE)
  suppressWarnings(parallel::mccollect(child))[[1]]
}

# The rows of a Parquet file. `columns`: NULL for all. `exact`: see plain_columns(); lists are flattened, too.
parquet_rows <- function(path, arg, columns = NULL, exact = FALSE) {
  rows <- read_parquet_columns(path, arg, columns)
  check_that(all(validUTF8(names(rows))), arg, "{.arg {arg}}: {.file {path}} has names of columns that are not UTF-8.",
             kind = "file", path = path)
  rows <- as.data.frame(rows)
  are_bytes <- function(column) is.list(column) && any(vapply(column, is.raw, NA))
  if (exact) rows[] <- lapply(rows, function(column) if (are_bytes(column)) column else flat_column(column))
  plain_columns(rows, arg, exact, path)
}

# A function that returns the rows of the next file as a batch.
parquet_batches <- function(files, columns = files$columns) {
  position <- 0
  function(reset = FALSE) {
    position <<- if (isFALSE(reset)) position + 1 else 0
    if (position > 0 && position <= length(files$paths)) parquet_rows(files$paths[position], files$arg, columns)
  }
}
