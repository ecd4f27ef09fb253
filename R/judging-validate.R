# Validates what a store holds, once, when a session is opened: a store may have been changed by hand or by another
# program, and the core indexes by its numbers.

# What is wrong with a collection that was read from a store; NULL if nothing is.
collection_fault <- function(x) {
  if (!inherits(x, "judicious_collection") || !all(collection_parts %in% names(x))) return("it is no collection")
  tables <- list(systems = "system", queries = "query", documents = "doc")
  for (table in names(tables)) {
    ids <- x[[table]][[tables[[table]]]]
    if (!is.data.frame(x[[table]]) || !is.character(ids) || anyNA(ids) || anyDuplicated(ids)) {
      return(paste("its table of", table, "has no unique identifiers"))
    }
    if (any(lengths(unclass(x[[table]])) != length(ids)) || nrow(x[[table]]) != length(ids)) {
      return(paste("columns of its table of", table, "differ in length"))
    }
  }
  offset <- x$results$offset
  pairs <- length(x$pool$query)
  within <- function(codes, n) is.integer(codes) && !anyNA(codes) && all(codes >= 1L & codes <= n)
  good <- c(
    "an index of its pool is out of range" = within(x$pool$query, nrow(x$queries)) &&
      within(x$pool$doc, nrow(x$documents)) && length(x$pool$doc) == pairs,
    "its results do not fit its pool" = is.integer(offset) && length(offset) == pairs + 1 && !anyNA(offset) &&
      offset[1] == 0L && all(diff(offset) > 0) && offset[pairs + 1] == length(x$results$system) &&
      within(x$results$system, nrow(x$systems)),
    "its ranks are not numbers from 1 on" = is.null(x$results$rank) ||
      (within(x$results$rank, .Machine$integer.max) && length(x$results$rank) == length(x$results$system)),
    "its scale is no gain scale" = is_scale(x$scale),
    "k is no number of documents" = is.numeric(x$k) && length(x$k) == 1 && isTRUE(x$k >= 1),
    "its gains do not fit its pool" = is.null(x$gain) || (is.numeric(x$gain) && length(x$gain) == pairs),
    "its weights are not positive numbers" = is.null(x$queries$weight) ||
      (is.numeric(x$queries$weight) && all(is.finite(x$queries$weight) & x$queries$weight >= 0)),
    "the weights of its results do not fit" = is.null(x$weight) ||
      (is.numeric(x$weight) && length(x$weight) == length(x$results$system) && all(is.finite(x$weight)))
  )
  if (!all(good)) return(names(which(!good))[1])
  if (!is.null(x$gain) && !all(is.na(x$gain) | in_scale(x$scale, x$gain))) "it has a gain outside of its scale"
}

collection_parts <- c("systems", "queries", "documents", "pool", "results", "k", "scale")

is_scale <- function(scale) {
  levels <- scale$levels
  inherits(scale, "judicious_scale") && is.numeric(levels) && length(levels) >= 2 && all(is.finite(levels)) &&
    !is.unsorted(levels, strictly = TRUE) && is.numeric(scale$model_levels) && all(is.finite(scale$model_levels)) &&
    !is.unsorted(scale$model_levels, strictly = TRUE) && rlang::is_bool(scale$any_value)
}

# What is wrong with the settings of a set-up as it is stored.
setup_fault <- function(setup) {
  if (!is.list(setup)) return("it has no settings")
  number <- function(value, lowest, highest = Inf) {
    is.numeric(value) && length(value) == 1 && isTRUE(value >= lowest && value <= highest)
  }
  # By its constructor; by its label, if it is custom; or by two others.
  recipe <- function(value) {
    is.list(value) && (rlang::is_string(value$label) || rlang::is_string(value$maker) && is.list(value$arguments) ||
                         rlang::is_string(value$word) && all(vapply(value$goals, recipe, NA)))
  }
  good <- c(audit = number(setup$audit, 0, 1), overlap = number(setup$overlap, 0, 1), batch = number(setup$batch, 1),
            update_every = number(setup$update_every, 1), lease = number(setup$lease, 0),
            same_query = rlang::is_bool(setup$same_query), seed = is.null(setup$seed) || number(setup$seed, -Inf),
            assessor = rlang::is_string(setup$assessor), model_kept = rlang::is_bool(setup$model_kept),
            grades_kept = rlang::is_bool(setup$grades_kept), goal = recipe(setup$goal),
            strategy = recipe(setup$strategy), given = is.list(setup$given),
            cost = number(setup$cost$judgment, 0) && number(setup$cost$new_query, 0))
  if (!all(good)) paste0("its setting `", names(which(!good))[1], "` is not valid")
}

# What is wrong with the table of the session's numbers and locks.
meta_fault <- function(store) {
  meta <- store_rows(store, "meta")
  names <- c("schema", "package", "made", "fills", "edition", paste("lock", names(store_locks)))
  value <- function(name) suppressWarnings(as.integer(meta$value[match(name, meta$name)]))
  if (anyNA(meta$value[match(names, meta$name)])) return("a number of the session is missing")
  additions <- store_rows(store, "event", list(kind = "add"))$id
  if (!value("edition") %in% c(0L, additions)) return("its edition does not exist")
  if (is.na(value("fills"))) "the number of its selections is not a number"
}

# What is wrong with the rows of the log and of the slots.
row_fault <- function(store, x) {
  events <- store_rows(store, "event", list(kind = c("judge", "skip", "undo")))
  judged <- events[events$kind == "judge", , drop = FALSE]
  slots <- store_rows(store, "slot")
  pairs <- length(x$pool$query)
  states <- c("open", "leased", "judged", "skipped", "void")
  good <- c(
    "its log is not in order" = !anyNA(events$id) && !is.unsorted(events$id, strictly = TRUE),
    "a judgment has no gain of the scale" = all(is.finite(judged$gain)) && all(in_scale(x$scale, judged$gain)),
    "a judgment is of a document that no system returned" = !anyNA(find_pairs(x, judged$query, judged$doc)),
    "a judgment has no assessor" = !anyNA(judged$assessor),
    "a judgment that was taken back is not in the log" =
      all(events$detail[events$kind == "undo"] %in% as.character(events$id)),
    "the queue has a document that is not in the pool" = all(slots$pair %in% seq_len(pairs)),
    "the queue has a state that does not exist" = all(slots$state %in% states & slots$copy %in% 0:2)
  )
  if (!all(good)) names(which(!good))[1]
}

# Raises an error that says what is wrong, unless `code` returns NULL. Errors of R while it looks are faults, too.
stop_at_fault <- function(store, call, code) {
  if (in_memory(store)) return(invisible())
  fault <- tryCatch(suppressWarnings(code), error = function(cnd) {
    if (inherits(cnd, "judicious_error")) rlang::cnd_signal(cnd)
    conditionMessage(cnd)
  })
  if (!is.null(fault)) abort_damaged(store$label, paste0("It cannot be used: ", fault, "."), call)
}
