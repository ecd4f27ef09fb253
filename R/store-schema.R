# Creates and checks the tables of a session in a database.

# The version of the tables and their content. It is increased whenever they change; sessions with another version are
# not opened.
schema_version <- 8L

create_tables <- function(store) {
  identify_file(store)
  for (table in names(store_tables)) create_table(store, table)
  sql_run(store, "CREATE INDEX slot_queue ON slot (state, place)")
  sql_run(store, "CREATE INDEX slot_assessor ON slot (assessor, state)")
  sql_run(store, "CREATE INDEX event_kind ON event (kind, id)")
  sql_run(store, "CREATE UNIQUE INDEX answer_once ON answer (task, assessor)")
}

create_table <- function(store, table) {
  types <- store$dialect$type
  columns <- store_tables[[table]]$columns
  key <- store_tables[[table]]$key
  sql_run(store, paste0("CREATE TABLE ", table, " (", paste(names(columns), types[columns], collapse = ", "),
                        if (!"id" %in% key) paste0(", PRIMARY KEY (", paste(key, collapse = ", "), ")"), ")"))
}

# The names of the tables in the database.
present_tables <- function(store) sql_get(store, store$dialect$tables)$name

# Converts the argument `store`: NULL, a path, a connection, arguments of dbConnect(), or a function that connects.
as_store <- function(store) {
  if (is.null(store)) return(memory_store())
  if (is.character(store)) {
    check_path(store)
    need_package("RSQLite", "A session in a file")
    path <- normalizePath(store, mustWork = FALSE)
    label <- encodeString(store, quote = "\"")
    return(dbi_store(function() sqlite_connection(path, label), TRUE, label))
  }
  need_package("DBI", "A session in a database")
  if (is.function(store)) return(dbi_store(store, TRUE, "the database"))
  if (inherits(store, "DBIConnection")) return(dbi_store(function() store, FALSE, "the database"))
  # An object with a class, such as a session or a table, is not a list of arguments.
  if (is.list(store) && !is.object(store)) return(store_of_arguments(store))
  abort_argument("store", c(
    "must say where to keep the session, not be {.obj_type_friendly {store}}.",
    i = "NULL keeps it in memory, a path in an SQLite file; a DBI connection, a list of arguments of
      {.fn DBI::dbConnect} or a function that connects, in a database."
  ))
}

# Makes a store from a list of arguments of dbConnect().
store_of_arguments <- function(store) {
  driver <- if (is.null(store$drv)) "RPostgres" else attr(class(store$drv), "package")
  # Loads the package of the driver, because a driver object that was read from a file does not load it.
  if (!is.null(driver)) need_package(driver, "A session in this database")
  if (is.null(store$drv)) store$drv <- RPostgres::Postgres()
  dbi_store(function() do.call(DBI::dbConnect, store), TRUE, "the database")
}

# Rejects names that SQLite uses for temporary databases, or databases in memory, because they cannot keep a session.
check_path <- function(path) {
  check_string(path, "store")
  check_that(nzchar(path) && path != ":memory:" && !grepl("^file:", path), "store", c(
    "must be the path of a file, not {.val {path}}.",
    i = "{.code store = NULL} keeps a session in memory."
  ))
  # SQLite needs paths in UTF-8, to which R cannot convert them in the C locale.
  is_ascii <- function(text) !grepl("[^ -~]", text, useBytes = TRUE)
  check_that(!in_c_locale() || is_ascii(path) && is_ascii(normalizePath(dirname(path), mustWork = FALSE)), "store", c(
    "is a path with letters beyond ASCII, which cannot be opened in the C locale.",
    i = "Set the environment variable LC_ALL to C.UTF-8 before R starts."
  ))
  check_that(!dir.exists(path), "store", c("is a folder, {.path {path}}.", i = "Name a file in it."))
}

sqlite_connection <- function(path, label) {
  connect <- function(name, ...) {
    DBI::dbConnect(RSQLite::SQLite(), name, synchronous = NULL, loadable.extensions = FALSE, ...)
  }
  translate_errors(list(label = label), {
    check_links(path, label)
    check_log(path, label)
    writable <- !file.exists(path) || all(file.access(c(path, dirname(path)), 2) == 0)
    # If a file cannot be written to, or its folder, which will contain the write-ahead log, the session is opened for
    # reading. If there is no write-ahead log, no process writes to the file, so SQLite needs no locks.
    if (writable) connect(path) else
      connect(if (file.exists(paste0(path, "-wal"))) path else immutable_uri(path), flags = RSQLite::SQLITE_RO)
  })
}

# Rejects a file that has several names: SQLite keeps a write-ahead log for each name, so a process that uses another
# name would overwrite judgments.
check_links <- function(path, label) {
  links <- file_identity_cpp(path)[2]
  abort_unless(links %in% c("0", "1"), c(
    "The file of the session {label} has {links} names (hard links).",
    x = "Judgments would be lost if the session were opened by two of them.",
    i = "Copy the file, and open the copy; or delete its other names."), "store_linked", call = NULL)
}

# Raises an error if the write-ahead log lacks changes that its index contains, which means that this log was damaged.
# Must be called before SQLite opens the file and recreates the index from the write-ahead log.
check_log <- function(path, label) {
  abort_unless(!is_log_cut_cpp(path), c(
    "The log of the session {label}, the file ending in -wal, was truncated, overwritten or deleted.",
    x = "Its index, the file ending in -shm, states more changes than the log holds.",
    i = "Restore all files of one moment, or a copy by {.fn backup_session}, or use {.fn recover_session}. If you delete
      the index, the session opens with what is left."
  ), "store_corrupt", call = NULL)
}

# Creates a session in an empty store.
create_store <- function(store, setup) {
  done <- FALSE
  on.exit(if (!done) store_close(store))
  store_exclusive(store, {
    if (!in_memory(store)) {
      check_empty(store)
      create_tables(store)
    }
    write_setup(store, setup)
  })
  done <- TRUE
}

check_empty <- function(store) {
  if (!length(intersect(names(store_tables), present_tables(store)))) return(invisible())
  label <- store$label
  abort_judicious(c("There is a session, or something else, in {label} already.",
                    i = "{.fn open_session} continues a session; a new one needs another file or database."),
                  "session_exists", argument = "store")
}

write_setup <- function(store, setup) {
  meta <- c(schema = schema_version, package = as.character(utils::packageVersion("judicious")),
            made = utc_text(store_now(store)), fills = 0L, edition = 0L, closed = closed_mark(store),
            stats::setNames(rep("", length(store_locks)), paste("lock", names(store_locks))))
  store_insert(store, "meta", quick_frame(name = names(meta), value = unname(meta)))
  write_object(store, edition_name(0), setup)
}

# Raises an error unless a database contains a session that this version of the package can open.
check_store <- function(store) {
  label <- store$label
  if (inherits(store, "judicious_sqlite_store")) {
    # The integrity check includes the indexes of the tables, because queries read from them.
    fault <- sql_get(store, "PRAGMA integrity_check(1)")[[1]]
    if (!identical(fault, "ok")) abort_damaged(label, fault)
  }
  check_that(all(c("meta", "object", "event") %in% present_tables(store)), "store", c(
    "There is no session in {label}.",
    i = "{.fn judging_session} makes one."
  ), kind = "not_a_session")
  version <- suppressWarnings(as.integer(store_meta(store, "schema")))
  if (!length(version) || is.na(version)) abort_damaged(label, "It does not state its schema version.")
  check_that(version <= schema_version, "store", c(
    "The session in {label} was made by a newer version of judicious, {store_meta(store, 'package')}.",
    i = "Install that version, or a later one; this one is {utils::packageVersion('judicious')}."
  ), kind = "newer_schema")
  check_that(version >= schema_version, "store", c(
    "The session in {label} was made by a version of judicious before its first release.",
    i = "Export its judgments with that version, and begin a session with them."
  ), kind = "older_schema")
}

abort_damaged <- function(label, fault) {
  abort_judicious(c("The session in {label} is damaged.", x = "{fault}",
                    i = "Restore a copy, or read its judgments with {.fn recover_session}."),
                  "store_corrupt", argument = "store")
}

# The rows of a table with checksums. For an SQLite file, raises an error if a row was changed or, in a table with
# numbered rows, is missing.
checked_rows <- function(store, table) {
  in_file <- inherits(store, "judicious_sqlite_store")
  numbered <- in_file && "id" %in% store_tables[[table]]$key
  last <- if (numbered) last_number(store, table)
  rows <- store_rows(store, table)
  if (in_file && !identical(with_checksums(store, rows)$checksum, rows$checksum) ||
      numbered && !(identical(rows$id, seq_len(nrow(rows))) && all(last <= nrow(rows)))) {
    abort_damaged(store$label, paste("Rows of its table", table, "were changed or deleted."))
  }
  rows
}

# The name of the object with the setup of a session: the initial one, or the one after an addition to its collection.
edition_name <- function(edition) if (edition == 0) "setup" else paste("setup", edition)

write_object <- function(store, name, setup) {
  store_insert(store, "object", blob_row(store, name = name, value = setup, kind = "setup"))
}

read_object <- function(store, name) {
  stored <- store_rows(store, "object", list(name = name))
  tryCatch(blob_value(stored, "setup"), error = function(cnd) {
    if (inherits(cnd, "judicious_error") && !inherits(cnd, "judicious_error_not_data")) rlang::cnd_signal(cnd)
    abort_damaged(store$label, paste("The collection and the model cannot be read.", conditionMessage(cnd)))
  })
}
