#' Recover the judgments of a damaged session
#'
#' Reads the judgments from the file of a session that [open_session()] cannot open, or that was put back after a
#' fault, and makes a new session of them. Use it if there is no copy by [backup_session()].
#'
#' @details All bytes of the file and of its write-ahead log (the file ending in `-wal`, if it is there) are searched
#' for judgments, so that the damage of other parts does not matter. Withdrawn judgments are left out, as are rows that
#' do not fit the collection. The judgments keep their assessors, gains and seconds; their times are those of the
#' recovery. Comments, flags and documents that are reserved for an assessor are not recovered.
#'
#' End all R processes that have the session open before: reading the file releases their locks.
#'
#' @param file The path of the damaged file.
#' @param store Where to keep the new session, as in [judging_session()].
#' @param x The collection of the session. NULL reads it, with the goal and all settings, from the file; if the file
#'   does not have them any more, an error says so.
#' @param ... With `x`: arguments of [judging_session()] for the new session, such as `goal` and `seed`.
#' @return The new `judicious_session`. A message of class `judicious_message_recovered` says how many judgments it has,
#'   and how many events of the log are missing; the condition has them as `judged` and `missing`.
#' @section Errors: `judicious_error_not_a_session` if there is no such file; `judicious_error_store_corrupt` if no
#'   judgment is found, or if `x` is needed.
#' @examplesIf requireNamespace("RSQLite", quietly = TRUE)
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' file <- tempfile(fileext = ".sqlite")
#' s <- judging_session(x, goal = goal_budget(5), store = file, seed = 1, judgments = FALSE)
#' close_session(run_session(s))
#' recover_session(file)
#' @export
recover_session <- function(file, store = NULL, x = NULL, ...) {
  check_string(file, "file")
  check_that(file.exists(file) && !dir.exists(file), "file", "does not exist: {.file {file}}.", kind = "not_a_session")
  events <- surviving_events(file)
  check_that(any(events$kind %in% c("judge", "gold")), "file", "has no judgment that can be read: {.file {file}}.",
             kind = "store_corrupt")
  s <- if (is.null(x)) session_like(file, store) else judging_session(x, store = store, judgments = FALSE, ...)
  judgments <- surviving_judgments(s$engine$x, events)
  record_earlier(s, judgments)
  judged <- nrow(judgments)
  missing <- max(events$id) - nrow(events)
  inform_judicious(c(
    "Recovered {judged} judgment{?s} of {length(unique(judgments$assessor))} assessor{?s}.",
    i = "{cli::qty(missing)}{if (missing) format_count(missing) else 'None'} of the log's {format_count(max(events$id))}
      events {?is/is/are} missing, as far as the numbers of the others show; judgments may be among them.",
    i = if (attr(judgments, "left_out")) "{format_count(attr(judgments, 'left_out'))} further row{?s} do not fit the
      collection."
  ), "recovered", judged = judged, missing = missing)
  s
}

# The rows of the log that can be read from the bytes of a file and of its write-ahead log. If the two have different
# rows with the same number, the write-ahead log belongs to another session and is ignored.
surviving_events <- function(file) {
  rows <- lapply(paste0(file, c("", "-wal")), function(path) {
    bytes <- if (file.exists(path)) readBin(path, "raw", file.size(path)) else raw()
    frame <- quick_frame(columns = log_rows_cpp(bytes))
    pick_rows(frame, !duplicated(frame$id))
  })
  both <- intersect(rows[[1]]$id, rows[[2]]$id)
  texts <- lapply(rows, function(part) do.call(paste, pick_rows(part, match(both, part$id))))
  if (!identical(texts[[1]], texts[[2]])) rows[[2]] <- pick_rows(rows[[2]], 0)
  events <- join_rows(rows[[1]], pick_rows(rows[[2]], !rows[[2]]$id %in% both))
  pick_rows(events, order(events$id))
}

# The judgments that were not undone, in the form that record_earlier() takes.
surviving_judgments <- function(x, events) {
  undone <- events$detail[events$kind %in% "undo"]
  stand <- events$kind %in% c("judge", "gold") & !as.character(events$id) %in% undone
  judged <- judgments_of_gold(pick_rows(events, stand))
  pair <- find_pairs(x, judged$query, judged$doc)
  fits <- !is.na(pair) & in_scale(x$scale, judged$gain) & !is.na(judged$assessor)
  recovered <- quick_frame(pair = pair, gain = judged$gain, assessor = judged$assessor, seconds = judged$seconds,
                           final = judged$detail %in% "copy=0")
  recovered <- pick_rows(recovered, fits)
  # Two judgments of a pair by one assessor show that the event that undid the first one is lost; the last judgment
  # counts.
  recovered <- pick_rows(recovered, !duplicated(recovered[c("pair", "assessor", "final")], fromLast = TRUE))
  attr(recovered, "left_out") <- sum(!fits)
  recovered
}

# A new session without judgments, with the collection and the settings of a file.
session_like <- function(file, store) {
  need_package("RSQLite", "Reading a session")
  copy <- tempfile(fileext = ".sqlite")
  on.exit(unlink(paste0(copy, c("", "-wal", "-shm"))))
  read <- function(parts) tryCatch({
    for (part in parts) if (file.exists(paste0(file, part))) file.copy(paste0(file, part), paste0(copy, part), TRUE)
    damaged <- as_store(copy)
    on.exit(store_close(damaged))
    numbers <- suppressWarnings(as.integer(sub("^setup ?", "", sql_get(damaged, "SELECT name FROM object
      WHERE name LIKE 'setup%'")$name)))
    setup_of_store(damaged, max(numbers, 0L, na.rm = TRUE), list(goal = list(), strategy = list()))
  }, error = identity)
  setup <- read(c("", "-wal"))
  if (inherits(setup, "error")) {
    unlink(paste0(copy, c("-wal", "-shm")))
    setup <- read("")
  }
  if (inherits(setup, "error")) {
    abort_judicious(c("The collection and the settings of the session cannot be read from {.file {file}}.",
                      i = "Give the collection as {.arg x}: {.code recover_session(file, x = ...)}."),
                    "store_corrupt", argument = "x", parent = setup)
  }
  store <- as_store(store)
  create_store(store, setup_for_store(setup, store))
  new_session(store, setup)
}
