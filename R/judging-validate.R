# Validates the contents of a store once, when a session is opened: somebody may have changed the store by hand or with
# another program, and the core uses its numbers as indices without further checks.

# The name of the first check, of a named list of functions, that does not return TRUE; NULL if all do.
first_fault <- function(checks, x) {
  for (fault in names(checks)) if (!isTRUE(tryCatch(checks[[fault]](x), error = function(cnd) FALSE))) return(fault)
  NULL
}

collection_parts <- c("systems", "queries", "documents", "pool", "results", "k", "scale")

# The tables of a collection, with the columns that identify their rows.
collection_ids <- c(systems = "system", queries = "query", documents = "doc")

each_table <- function(x, check) {
  all(vapply(names(collection_ids), function(table) check(x[[table]], x[[table]][[collection_ids[[table]]]]), NA))
}

are_codes <- function(codes, n) all(is.integer(codes), codes >= 1L, codes <= n)

are_levels <- function(levels) all(is.numeric(levels), length(levels) >= 2, is.finite(levels), diff(levels) > 0)

# The checks of a collection that was read from a store. Each is named by the fault that it detects.
collection_checks <- list(
  "it is no collection" = function(x) all(inherits(x, "judicious_collection"), collection_parts %in% names(x)),
  "a table of its collection has no unique identifiers" = function(x) {
    each_table(x, function(table, ids) all(is.data.frame(table), is.character(ids), !is.na(ids), !anyDuplicated(ids)))
  },
  "columns of a table of its collection differ in length" = function(x) {
    each_table(x, function(table, ids) all(lengths(unclass(table)) == length(ids), nrow(table) == length(ids)))
  },
  "an index of its pool is out of range" = function(x) {
    all(are_codes(x$pool$query, nrow(x$queries)), are_codes(x$pool$doc, nrow(x$documents)),
        length(x$pool$doc) == length(x$pool$query))
  },
  "its results do not fit its pool" = function(x) {
    offsets <- x$results$offset
    all(is.integer(offsets), length(offsets) == length(x$pool$query) + 1, offsets[1] == 0L, diff(offsets) > 0,
        offsets[length(offsets)] == length(x$results$system), are_codes(x$results$system, nrow(x$systems)))
  },
  "its ranks are not numbers from 1 on" = function(x) {
    ranks <- x$results$rank %||% rep(1L, length(x$results$system))
    all(are_codes(ranks, .Machine$integer.max), length(ranks) == length(x$results$system))
  },
  "its scale is no gain scale" = function(x) {
    all(inherits(x$scale, "judicious_scale"), are_levels(x$scale$levels), are_levels(x$scale$model_levels),
        rlang::is_bool(x$scale$any_value))
  },
  "its measure is no measure" = function(x) {
    is.list(x$scoring) && all(vapply(x$scoring[c("measure", "transform")], function(m) {
      is.null(m) || inherits(m, "judicious_measure")
    }, NA))
  },
  "k is no number of documents" = function(x) all(is.numeric(x$k), length(x$k) == 1, x$k >= 1),
  "its gains do not fit its pool and scale" = function(x) {
    gain <- x$gain %||% rep(NA_real_, length(x$pool$query))
    all(is.numeric(gain), length(gain) == length(x$pool$query), in_scale(x$scale, gain[!is.na(gain)]))
  },
  "its grades are no grades" = function(x) {
    grades <- x$grades
    is.null(grades) || all(is.data.frame(grades), c("query", "doc", "grader", "repeat", "value", "status") %in%
                             names(grades), is.numeric(grades$value), lengths(unclass(grades)) == nrow(grades))
  },
  "its weights are not positive numbers" = function(x) {
    weight <- x$queries[["weight"]] %||% 1
    all(is.numeric(weight), is.finite(weight), weight >= 0)
  },
  "the weights of its results do not fit" = function(x) {
    weight <- x$scoring$weight %||% rep(1, length(x$results$system))
    all(is.numeric(weight), length(weight) == length(x$results$system), is.finite(weight))
  }
)

# Whether a value is a stored goal or strategy: the name and the arguments of its constructor; its label, if it is
# custom; or, if `&` or `|` joins two goals, both of these and the word "and" or "or".
is_recipe <- function(value) {
  is.list(value) && (rlang::is_string(value$label) || (rlang::is_string(value$maker) && is.list(value$arguments)) ||
                       (rlang::is_string(value$word) && all(vapply(value$goals, is_recipe, NA))))
}

is_gain_model <- function(model) {
  size <- length(model$coefficient)
  parts <- model[c("coefficient", "coefficient_covariance", "variance", "variance_sd")]
  all(vapply(parts, function(part) is.numeric(part) && all(is.finite(part)), NA),
      identical(dim(model$coefficient_covariance), c(size, size)), diag(model$coefficient_covariance) >= 0,
      model$variance >= 0, length(model$variance) == length(model$variance_sd),
      names(model$variance) == names(model$variance_sd), is.list(model$fitted %||% list()))
}

control_checks <- lapply(stats::setNames(nm = session_settings), function(name) {
  # A batch is only allowed to be unlimited if it is a batch of one query, so both settings are checked together.
  function(setup) is.list(do.call(session_control, setup[c(name, if (name == "batch") "same_query")]))
})
setting_checks <- c(control_checks, list(
  cost = function(setup) is.list(do.call(judging_cost, unclass(setup$cost))),
  seed = function(setup) {
    check_seed(setup$seed)
    TRUE
  },
  assessor = function(setup) rlang::is_string(setup$assessor),
  model_kept = function(setup) rlang::is_bool(setup$model_kept),
  grades_kept = function(setup) rlang::is_bool(setup$grades_kept),
  goal = function(setup) is_recipe(setup$goal),
  strategy = function(setup) is_recipe(setup$strategy),
  arguments = function(setup) is.list(setup$arguments),
  prepared = function(setup) {
    !inherits(setup$prepared, "judicious_joint_prepared") || is_gain_model(setup$prepared$model)
  }
))

# What is wrong with the stored setup of a session; NULL if it is valid.
setup_fault <- function(setup) {
  if (!is.list(setup)) return("it has no settings")
  setting <- first_fault(setting_checks, setup)
  if (!is.null(setting)) return(paste0("its setting `", setting, "` is not valid"))
  first_fault(collection_checks, setup$x)
}

# What is wrong with the table of the session's numbers and locks; NULL if it is valid.
meta_fault <- function(store) {
  meta <- store_rows(store, "meta")
  needed <- c("schema", "package", "made", "fills", "edition", paste("lock", names(store_locks)))
  value <- function(name) as.integer(meta$value[match(name, meta$name)])
  if (anyNA(meta$value[match(needed, meta$name)])) return("a number of the session is missing")
  additions <- store_rows(store, "event", list(kind = "add"))$id
  if (!value("edition") %in% c(0L, additions)) return("its edition does not exist")
  if (is.na(value("fills"))) "the number of its selections is not a number"
}

# What is wrong with the rows of the log and of the slots; NULL if they are valid.
row_fault <- function(store, x) {
  # Other processes may write during the check, so tables that must not be newer than the log are read first.
  marks <- log_marks(store)
  slots <- store_rows(store, "slot")
  log <- store_rows(store, "event")
  events <- judgments_of_gold(pick_rows(log, log$kind %in% c("judge", "gold", "skip", "undo")))
  judged <- events[events$kind == "judge", , drop = FALSE]
  pair <- find_pairs(x, judged$query, judged$doc)
  pairs <- length(x$pool$query)
  states <- c("open", "leased", "judged", "skipped", "void")
  passed <- c(
    "its log is not in order" = !anyNA(events$id) && !is.unsorted(events$id),
    "a judgment has no gain of the scale" = all(is.finite(judged$gain)) && all(in_scale(x$scale, judged$gain)),
    "a judgment is of a document that no system returned" = !anyNA(pair),
    "a judgment has no assessor" = !anyNA(judged$assessor),
    "a judgment that was taken back is not in the log" =
      all(events$detail[events$kind == "undo"] %in% as.character(events$id)),
    "events of its log were deleted or changed" = is_log_whole(log, marks),
    "the queue has a document that is not in the pool" = all(slots$pair %in% seq_len(pairs)),
    "the queue has a state that does not exist" = all(slots$state %in% states & slots$copy >= 0),
    "its queue and its log state different judgments" = all(
      slots$state != "judged" | paste(slots$event, slots$pair) %in% paste(judged$id, pair)),
    "its queue and its log disagree on which documents are random" = are_audits_logged(slots, log, x)
  )
  if (!all(passed)) names(which(!passed))[1]
}

# Whether `audit`, which marks slots whose document was drawn at random, agrees with the log for every slot. A slot
# without a `choose` event has the `audit` of another slot of its pair, or none.
are_audits_logged <- function(slots, log, x) {
  chosen <- pick_rows(log, log$kind == "choose")
  pair <- find_pairs(x, chosen$query, chosen$doc)
  copy <- sub("^copy=([0-9]+) audit=([01]) .*", "\\1", chosen$detail)
  audit <- sub("^copy=([0-9]+) audit=([01]) .*", "\\2", chosen$detail)
  logged <- audit[match(paste(slots$pair, slots$copy), paste(pair, copy))]
  all(ifelse(is.na(logged), is.na(slots$audit) | paste(slots$pair, slots$audit) %in% paste(pair, audit),
             slots$audit %in% 0:1 & logged == slots$audit))
}

# Raises an error with the fault that `code` returns, if any. An error of R during the check is a fault, too.
abort_at_fault <- function(store, code) {
  if (in_memory(store)) return(invisible())
  fault <- tryCatch(suppressWarnings(code), error = function(cnd) {
    if (inherits(cnd, "judicious_error")) rlang::cnd_signal(cnd)
    conditionMessage(cnd)
  })
  if (!is.null(fault)) abort_damaged(store$label, paste0("It cannot be used: ", fault, "."))
}
