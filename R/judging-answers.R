#' Get documents to judge, and record the judgments
#'
#' `next_documents()` assigns documents to an assessor, `judge()` records the gains, `skip_document()` skips documents,
#' and `undo_judgment()` reverts a judgment or skip of the assessor.
#'
#' A document is leased to, that is, reserved for, one assessor at a time, for the seconds of
#' `judging_session(lease = )`. Documents are judged once, except for a random share (`overlap`) and those for which a
#' session with another `assessor` than `"these"` requests a second judgment. `judge()` also accepts judgments that
#' nobody was asked for. The ranking uses the final judgment of a lead, or else the mean of the judgments: see
#' [ranking_assessors].
#'
#' A right answer (`gold`) is one judgment in the log, the costs and the budget. Unless `match` is given, it also gives
#' the gains of answers that [add_runs()] adds later. With `control = session_control(batch = Inf, same_query = TRUE)`,
#' a session selects whole questions, and the page asks for their right answers: see `input` of [judge_app()].
#'
#' A skipped document is not assigned any more, but can be judged. A document whose judgment is undone is leased to its
#' assessor again, and comes first.
#'
#' @param session A session by [judging_session()].
#' @param n The number of documents to return, including those that the assessor holds; 0 releases these.
#' @param assessor The name of the assessor, one string.
#' @param query,doc Identifiers of pairs of the pool; two vectors of equal length. For `undo_judgment()`, one pair, or
#'   NULL for the last one.
#' @param gain The gains of the pairs, one number each, on the gain scale of the collection.
#' @param seconds The time in seconds that each judgment took; NA if it is not known.
#' @param gold,match Instead of `doc` and `gain`, the right answer to each query, as in [read_answers()]: right answers
#'   have the highest gain of the scale, others the lowest. NA or `""` leaves a query out.
#' @param final TRUE for a lead's final judgment of documents on which assessors disagree: it counts instead of theirs,
#'   which are kept.
#' @param reason The reason for skipping the documents, one string, or NA.
#' @return `next_documents()`: a data frame with one row per document and the columns `query`, `doc`, `audit` (selected
#'   at random), `overlap` (TRUE for a second judgment) and `lease_until` (POSIXct, UTC). It has fewer than `n` rows if
#'   fewer documents are left. The others return `session`, invisibly.
#' @section Errors: If one of several documents has an error, none is recorded. The classes are, after
#'   `judicious_error_`: `outside_pool`, `gain_outside_scale`, `already_judged` (by this assessor; when skipping, by
#'   anybody), `leased` (to another assessor), `nothing_to_undo`, `not_judged` (with `final`, if nobody has judged the
#'   document); and those of the store (see [open_session()]).
#' @seealso [progress()], [export_judgments()].
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, seed = 1, judgments = FALSE)
#' ask <- next_documents(s, 2, assessor = "ann")
#' ask
#' judge(s, ask$query, ask$doc, gain = c(80, 0), assessor = "ann")
#' undo_judgment(s, "ann")
#' next_documents(s, 1, assessor = "ann")
#' @export
next_documents <- function(session, n = 1, assessor = "me") {
  check_session(session)
  check_count(n, "n", min = 0)
  check_assessor(assessor)
  if (n == 0) release_held_documents(session$engine, assessor)
  held <- hold_documents(session$engine, n, assessor)
  ids <- pair_ids(session$engine$x, held$pair)
  quick_frame(query = ids$query, doc = ids$doc, audit = held$audit %in% 1, overlap = held$copy > 1,
              lease_until = .POSIXct(held$lease_until, tz = "UTC"))
}

# Assigns documents to the assessor until he or she holds `n`, or until there are no more, and returns their slots.
# `held`: the slots that he or she already holds.
hold_documents <- function(engine, n, assessor, held = held_slots(engine, assessor)) {
  if (engine$control$paused) n <- 0
  held <- renew_leases(engine, held, n)
  found_more <- TRUE
  while (nrow(held) < n) {
    held <- join_rows(held, lease_slots(engine, n - nrow(held), assessor))
    missing <- n - nrow(held)
    if (!missing || !found_more) break
    # While another process tends the session (see tend_session()), the queue is empty only if that process is busy
    # reading a long log or estimating, which takes minutes with many judgments. Random documents are assigned
    # meanwhile, so that nobody waits.
    at_random <- chooses_ahead(engine) && !engine$same_query && is_estimated_elsewhere(engine)
    found_more <- if (at_random) open_at_random(engine, max(missing, 10), assessor) else
      fill_queue(engine, max(engine$batch, missing), assessor = assessor)
  }
  if (is_queue_due(engine, held)) fill_queue(engine, engine$batch, wait = FALSE, assessor)
  held
}

# Whether to select the next batch, so that it is ready before the current one is used up. The fractional part of
# `place` is the relative position of a document in its batch: above 0 for the first, below 1 for the last.
is_queue_due <- function(engine, held) {
  chooses_ahead(engine) && any(held$place %% 1 > 0.75) && !is_estimated_elsewhere(engine) &&
    queue_length(engine$store) < engine$batch / 4
}

held_slots <- function(engine, assessor) {
  sorted_by_place(store_rows(engine$store, "slot", list(assessor = assessor, state = "leased")))
}

lease_slots <- function(engine, n, assessor) {
  now <- store_now(engine$store)
  store_exclusive(engine$store, {
    taken <- store_take(engine$store, assessor, n, now, now + engine$lease, pairs_to_assign(engine, assessor))
    if (any(taken$pair > n_pairs(engine$x))) follow_edition(engine)
    log_leases(engine, taken, assessor)
    taken
  })
}

log_leases <- function(engine, slots, assessor) {
  if (!nrow(slots)) return()
  ids <- pair_ids(engine$x, slots$pair)
  add_events(engine, "lease", assessor, ids$query, ids$doc,
             detail = sprintf("copy=%d until=%s", slots$copy, utc_text(slots$lease_until)))
}

# The queries and documents of the `held` slots whose lease has not expired.
ids_held <- function(engine, held) {
  held <- pick_rows(held, held$lease_until >= store_now(engine$store))
  ids <- pair_ids(engine$x, held$pair)
  quick_frame(query = ids$query, doc = ids$doc)
}

# The first `n` of the held slots, without those that another assessor has got since their lease expired. Leases of
# which more than half has passed are extended to their full length.
renew_leases <- function(engine, held, n) {
  if (!nrow(held)) return(held)
  held <- pick_rows(held, seq_len(min(n, nrow(held))))
  now <- store_now(engine$store)
  short <- held$lease_until < now + engine$lease / 2
  if (!any(short)) return(held)
  pairs <- held$pair[short]
  store_exclusive(engine$store, {
    # Slots whose leases had expired may have been assigned to others: extends only those that the assessor still holds.
    still_held <- store_rows(engine$store, "slot", list(pair = pairs, assessor = held$assessor[1], state = "leased"),
                             lock = TRUE)
    still_held$lease_until <- rep(now + engine$lease, nrow(still_held))
    store_update(engine$store, "slot", still_held)
    log_leases(engine, still_held, held$assessor[1])
    sorted_by_place(join_rows(pick_rows(held, !short), still_held))
  })
}

#' @rdname next_documents
#' @export
judge <- function(session, query, doc, gain, assessor = "me", seconds = NA, final = FALSE, gold = NULL, match = NULL) {
  check_session(session)
  check_assessor(assessor)
  engine <- session$engine
  for (name in c("query", if (is.null(gold)) c("doc", "gain"))) {
    is_given <- !do.call(missing, list(name)) || name != "query" && is.data.frame(query)
    check_that(is_given, name, "is missing: {.code judge(session, query, doc, gain)} records the gain
      of a document of {.fn next_documents}.")
  }
  if (!is.null(gold)) {
    check_that(missing(doc) && missing(gain) && isFALSE(final), "gold", "gives the gains of all answers to the queries:
      leave out {.arg doc}, {.arg gain} and {.arg final}.")
    judge_by_gold(engine, id_text(query), gold, match, assessor, check_seconds(seconds, length(query)))
    return(invisible(session))
  }
  pair <- session_pairs(engine, query, doc)
  gain <- plain_values(gain, "gain")
  check_that(length(gain) == length(pair), "gain",
             "must have one value per document: {length(pair)}, not {length(gain)}.")
  gain <- check_session_gains(gain, engine$x$scale, query, doc)
  seconds <- check_seconds(seconds, length(pair))
  check_flag(final, "final")
  record_judgments <- if (final) judge_finally else judge_pairs
  record_judgments(engine, pair, gain, assessor, seconds)
  invisible(session)
}

# Records the right answers to queries (`gold`). For each query, one event states the gains of all answers that the
# assessor has not judged yet. Queries whose right answer is NA or empty are ignored.
judge_by_gold <- function(engine, query, gold, compare, assessor, seconds, has_text = FALSE) {
  check_that(is.character(gold) || is.numeric(gold) || all(is.na(gold)), "gold", "must be the right answers, one text
    per query, not {.obj_type_friendly {gold}}.")
  gold <- id_text(gold)
  check_that(length(gold) == length(query), "gold", "must have one right answer per query: {length(query)}, not
    {length(gold)}.")
  answered <- which(!is.na(gold) & nzchar(trimws(gold)))
  invalid <- answered[!query[answered] %in% engine$x$queries$query | duplicated(query[answered])]
  why <- if (query[invalid[1]] %in% engine$x$queries$query) " twice" else ", which the session does not have"
  check_that(!length(invalid), "query", "has {.val {query[invalid[1]]}}{why}.", kind = "outside_pool", rows = invalid)
  settled <- gains_by_gold(engine$x, query[answered], gold[answered], compare)
  if (has_text) settled <- settled[!is.na(engine$x$documents[["text"]][engine$x$pool$doc[settled$pair]]), ]
  refresh(engine)
  judged <- final_first(memory_rows(engine$judgments))
  judged <- judged[judged$assessor %in% assessor, ]
  before <- judged$gain[match(settled$pair, judged$pair)]
  differ <- which(before != settled$gain)
  ids <- pair_ids(engine$x, settled$pair)
  check_that(!length(differ), "gold", c(
    "contradicts {counted(length(differ), 'judgment')} by {.val {assessor}}.",
    x = "The first is of query {.val {ids$query[differ[1]]}}, document {.val {ids$doc[differ[1]]}}: {before[differ[1]]},
      but {settled$gain[differ[1]]} by the right answer {.val {gold[answered[settled$row[differ[1]]]]}}.",
    i = hint("{.fn undo_judgment} withdraws it.", "On the terminal, u withdraws the last judgment.")
  ), kind = "already_judged", rows = differ)
  store_exclusive(engine$store, for (at in split(which(is.na(before)), settled$row[is.na(before)])) {
    row <- answered[settled$row[at[1]]]
    # A right answer is accepted even if other assessors hold documents of the query.
    slot <- slots_to_judge(engine, settled$pair[at], pick_rows(ids, at), assessor, again = TRUE, now = Inf)
    detail <- c(if (is.null(compare)) paste0("=", gold[row]) else gold[row],
                rbind(ids$doc[at], sprintf("%.17g", settled$gain[at])))
    id <- add_events(engine, "gold", assessor, query[row], seconds = seconds[row],
                     detail = paste(gsub("\t", "%09", gsub("%", "%25", detail, fixed = TRUE), fixed = TRUE),
                                    collapse = "\t"))
    finish_slots(engine, slot, "judged", assessor, id)
  })
}

# Judges answers that were added to the session by the right answers to their queries that the log already contains.
judge_by_known_gold <- function(engine) {
  stored <- store_rows(engine$store, "event", list(kind = "gold"))
  undone <- store_rows(engine$store, "event", list(kind = "undo"))$detail
  stored$gold <- vapply(gold_fields(stored$detail), `[`, "", 1)
  # Right answers without "=" were compared by a function of the user, which the log does not contain, so they cannot be
  # applied again.
  stored <- stored[startsWith(stored$gold, "=") & !as.character(stored$id) %in% undone, ]
  for (i in seq_len(nrow(stored))) {
    judge_by_gold(engine, stored$query[i], sub("^=", "", stored$gold[i]), NULL, stored$assessor[i], NA_real_,
                  has_text = TRUE)
  }
}

# Records final judgments by a lead. The final judgment of a pair has a separate slot, copy 0, which is never assigned;
# another final judgment of the pair replaces it.
judge_finally <- function(engine, pair, gain, assessor, seconds) {
  store_exclusive(engine$store, {
    slots <- store_rows(engine$store, "slot", list(pair = pair, state = "judged"), lock = TRUE)
    ids <- pair_ids(engine$x, pair)
    unjudged <- which(!pair %in% slots$pair)
    abort_unless(!length(unjudged), "Nobody has judged document {.val {ids$doc[unjudged[1]]}} of query
      {.val {ids$query[unjudged[1]]}} yet.", "not_judged", rows = unjudged)
    before <- pick_rows(slots, slots$copy == 0)
    old <- pair_ids(engine$x, before$pair)
    if (nrow(before)) add_events(engine, "undo", assessor, old$query, old$doc, detail = as.character(before$event))
    store_insert(engine$store, "slot", quick_frame(pair = pair, copy = 0L, audit = slots$audit[match(pair, slots$pair)],
                                              overlap = 0L, state = "void", urgent = 0L, place = 0))
    id <- add_events(engine, "judge", assessor, ids$query, ids$doc, gain, seconds, "copy=0")
    finish_slots(engine, quick_frame(pair = pair, copy = 0L), "judged", assessor, id)
  })
}

# Records judgments.
judge_pairs <- function(engine, pair, gain, assessor, seconds = NA_real_) {
  ids <- pair_ids(engine$x, pair)
  # Lock order: slots, then events.
  store_exclusive(engine$store, {
    slot <- slots_to_judge(engine, pair, ids, assessor, again = TRUE)
    id <- add_events(engine, "judge", assessor, ids$query, ids$doc, gain, seconds, sprintf("copy=%d", slot$copy))
    finish_slots(engine, slot, "judged", assessor, id)
    # Documents that were drawn for a second judgment (`overlap`) enter the queue again after their first one, behind
    # everything that has been selected so far.
    first <- pick_rows(slot, slot$overlap == 1 & slot$copy == 1 & !slot$has_second)
    if (nrow(first)) first$place <- as.numeric(store_meta(engine$store, "fills"))
    open_slots(engine, first, 2L)
  })
}

#' @rdname next_documents
#' @export
skip_document <- function(session, query, doc, reason = NA_character_, assessor = "me") {
  check_session(session)
  check_assessor(assessor)
  check_that(length(reason) == 1 && (is.character(reason) || is.na(reason)), "reason",
             "must be one string, not {.obj_type_friendly {reason}}.")
  skip_pairs(session$engine, session_pairs(session$engine, query, doc), as.character(reason), assessor)
  invisible(session)
}

skip_pairs <- function(engine, pair, reason, assessor) {
  store_exclusive(engine$store, {
    ids <- pair_ids(engine$x, pair)
    slot <- slots_to_judge(engine, pair, ids, assessor)
    id <- add_events(engine, "skip", assessor, ids$query, ids$doc, detail = reason)
    finish_slots(engine, slot, "skipped", assessor, id)
  })
}

# The slots in which to record judgments of these pairs, one for each (see `store_tables`). A slot is created for a
# document that the session did not select and, if `again`, for one that other assessors have judged. The slots are then
# read again, because another process may have used a new one in the meantime.
slots_to_judge <- function(engine, pair, ids, assessor, again = FALSE, now = store_now(engine$store)) {
  repeat {
    slots <- store_rows(engine$store, "slot", list(pair = pair), lock = TRUE)
    slot_rows <- vapply(seq_along(pair), function(i) {
      usable_slot(slots, which(slots$pair == pair[i]), assessor, now, ids$query[i], ids$doc[i], i, again)
    }, 0L)
    new <- pair[is.na(slot_rows)]
    if (!length(new)) break
    copy <- vapply(new, function(one) max(0L, slots$copy[slots$pair == one]), 0L) + 1L
    # `audit` states how a document was selected: 1 at random, 0 by the strategy, NA if this session did not select it.
    store_insert(engine$store, "slot", quick_frame(pair = new, copy = copy, audit = slots$audit[match(new, slots$pair)],
                                              overlap = 0L, state = "open", urgent = 0L, place = 0))
  }
  chosen <- pick_rows(slots, slot_rows)
  chosen$has_second <- pair %in% slots$pair[slots$copy > 1]
  chosen
}

# The slot in which to record a judgment, among those of one pair; NA if a new one is needed.
usable_slot <- function(slots, rows, assessor, now, query, doc, row, again) {
  state <- slots$state[rows]
  where <- "Row {row}: query {.val {query}}, document {.val {doc}}."
  is_own <- slots$assessor[rows] %in% assessor
  abort_unless(!any(is_own & state == "judged"), c(
    "{.val {assessor}} has judged this document already.",
    x = where,
    i = hint("{.fn undo_judgment} withdraws the last judgment.", "On the terminal, u withdraws the last judgment.")
  ), "already_judged", rows = row)
  if (any(is_own)) return(rows[is_own][1])
  free <- state %in% c("open", "skipped") | (state == "leased" & slots$lease_until[rows] < now)
  if (any(free)) return(rows[free][1])
  leased <- state == "leased"
  other <- slots$assessor[rows][order(!leased)][1]
  abort_unless(!any(leased), c(
    "This document is reserved for another assessor, {.val {other}}.",
    x = where,
    i = "It becomes available again when the lease expires."
  ), "leased", rows = row)
  abort_unless(again || !length(rows), c("This document has been judged by {.val {other}}.", x = where),
               "already_judged", rows = row)
  NA_integer_
}

finish_slots <- function(engine, slot, state, assessor, event) {
  store_update(engine$store, "slot", quick_frame(pair = slot$pair, copy = slot$copy, state = state, assessor = assessor,
                                            lease_until = NA_real_, urgent = 0L, event = event))
}

#' @rdname next_documents
#' @export
undo_judgment <- function(session, assessor = "me", query = NULL, doc = NULL) {
  check_session(session)
  check_assessor(assessor)
  undo_latest(session$engine, assessor, if (!is.null(query) || !is.null(doc)) session_pairs(session$engine, query, doc))
  invisible(session)
}

# Undoes the latest judgment or skip by the assessor, or his or her latest one of `pair`, and returns the event that was
# undone.
undo_latest <- function(engine, assessor, pair = NULL) {
  store_exclusive(engine$store, {
    of_pair <- if (!is.null(pair)) list(pair = pair)
    own_slots <- store_rows(engine$store, "slot", c(list(assessor = assessor, state = c("judged", "skipped")), of_pair),
                       lock = TRUE)
    check_that(nrow(own_slots), "assessor",
               c("{.val {assessor}} has nothing to undo{if (!is.null(pair)) ' of this document'}.",
                 i = hint("{.arg assessor} must be the name that {.fn judge} was given.",
                          "--as must be the name under which the judgments were made.")),
               kind = "nothing_to_undo")
    # Undoing a right answer undoes the judgments of all its documents.
    last <- store_rows(engine$store, "slot", list(event = max(own_slots$event)), lock = TRUE)
    taken <- store_rows(engine$store, "event", list(id = last$event[1]))
    add_events(engine, "undo", assessor, taken$query, taken$doc, detail = as.character(taken$id))
    last$state <- ifelse(last$copy == 0, "void", "leased")
    last$urgent <- 1L
    last$lease_until <- store_now(engine$store) + engine$lease
    last$event <- NA_integer_
    store_update(engine$store, "slot", last)
    taken
  })
}

# Replaces a judgment or a skip by a judgment. If this fails, nothing is changed.
change_judgment <- function(s, query, doc, gain, assessor, seconds = NA) {
  check_session_gains(gain, s$engine$x$scale, query, doc)
  store_exclusive(s$engine$store, {
    undo_judgment(s, assessor, query, doc)
    judge(s, query, doc, gain, assessor, seconds)
  })
}

release_held_documents <- function(engine, assessor) {
  store_exclusive(engine$store, {
    held <- store_rows(engine$store, "slot", list(assessor = assessor, state = "leased"), lock = TRUE)
    if (nrow(held)) {
      ids <- pair_ids(engine$x, held$pair)
      add_events(engine, "release", assessor, ids$query, ids$doc, detail = sprintf("copy=%d", held$copy))
      reopen_slots(engine, held)
    }
  })
}

# Ends the leases of slots, so that any assessor can be assigned their documents.
reopen_slots <- function(engine, held) {
  held$state <- "open"
  held$assessor <- NA_character_
  held$lease_until <- NA_real_
  store_update(engine$store, "slot", held)
}

check_assessor <- function(assessor) {
  check_string(assessor, "assessor")
  check_that(nzchar(assessor), "assessor", "must not be empty.")
  is_valid <- validUTF8(assessor) && !grepl("[[:cntrl:]]|^[[:space:]]|[[:space:]]$", assessor) && nchar(assessor) <= 200
  check_that(is_valid, "assessor", c(
    "is not a name: {encodeString(assessor, quote = '\"')}.",
    i = "Names have at most 200 characters, no control characters and no space at either end."
  ))
}

# The indices in the pool of documents that a caller identifies by query and document. Raises an error for duplicates.
session_pairs <- function(engine, query, doc) {
  check_that(!is.data.frame(query), "query", c(
    "must hold the identifiers of queries, not a data frame.",
    i = "Give its columns: {.code query = d$query, doc = d$doc} of a data frame {.code d}."
  ))
  check_that(length(query) == length(doc), "doc", "{.arg query} and {.arg doc} must be equally long, but have
    {length(query)} and {length(doc)} values.")
  pair <- find_pairs(engine$x, id_text(query), id_text(doc))
  bad <- which(is.na(pair))
  i <- bad[1]
  abort_unless(!length(bad), c(
    "{length(bad)} document{?s} {?is/are} not in the pool.",
    x = "Row {i}: query {.val {query[i]}}, document {.val {doc[i]}}.",
    i = paste0(hint("{.arg query} and {.arg doc} must be those of {.fn next_documents}, or of other pairs of the pool",
                    "Only results of the session's runs can be judged"), ".")
  ), "outside_pool", argument = "doc", rows = bad)
  repeated <- which(duplicated(pair))
  i <- repeated[1]
  abort_unless(!length(repeated), c(
    "A document is given twice.", x = "Row {i}: query {.val {query[i]}}, document {.val {doc[i]}}."
  ), "already_judged", rows = repeated)
  pair
}

check_session_gains <- function(gain, scale, query, doc) {
  check_that(is.numeric(gain), "gain", "must be numeric, not {.obj_type_friendly {gain}}.")
  check_gains(gain, scale, query, doc, "gain")
}

check_seconds <- function(seconds, n) {
  if (is.logical(seconds) && all(is.na(seconds))) seconds <- as.numeric(seconds)
  seconds <- plain_values(seconds, "seconds")
  if (length(seconds) == 1) seconds <- rep(seconds, n)
  is_valid <- is.numeric(seconds) && length(seconds) == n && !any(seconds < 0 | is.infinite(seconds), na.rm = TRUE)
  check_that(is_valid, "seconds", "must hold one number of at least 0 for each document, or NA.")
  seconds
}

# Comments and flags that assessors leave on documents. They are events in the log: the last comment and the last flag
# of an assessor on a document are the current ones.

add_note <- function(s, query, doc, comment, flag, assessor) {
  engine <- s$engine
  ids <- pair_ids(engine$x, session_pairs(engine, query, doc))
  before <- notes_of(s, assessor = assessor, query = ids$query, doc = ids$doc)
  store_exclusive(engine$store, {
    if (!identical(comment, c(before$comment, "")[1])) {
      add_events(engine, "comment", assessor, ids$query, ids$doc, detail = comment)
    }
    kind <- if (flag) "flag" else "unflag"
    if (flag != c(before$flag, FALSE)[1]) add_events(engine, kind, assessor, ids$query, ids$doc)
  })
  invisible(s)
}

# A data frame of comments and flags, with one row for each document and assessor: `query`, `doc`, `assessor`, `comment`
# ("" for none), `flag` and `time`, oldest first. `...`: the columns by which to select them.
notes_of <- function(s, ...) {
  events <- store_rows(s$engine$store, "event", list(kind = c("comment", "flag", "unflag"), ...))
  key <- text_key(events$query, events$doc, events$assessor)
  last <- function(kinds) {
    of_kind <- which(events$kind %in% kinds)
    of_kind[!duplicated(key[of_kind], fromLast = TRUE)]
  }
  notes <- events[!duplicated(key, fromLast = TRUE), c("query", "doc", "assessor", "time")]
  key_of <- text_key(notes$query, notes$doc, notes$assessor)
  comment_row <- last("comment")
  marked <- last(c("flag", "unflag"))
  comments <- events$detail[comment_row][match(key_of, key[comment_row])]
  notes$comment <- ifelse(is.na(comments), "", comments)
  notes$flag <- (events$kind[marked] == "flag")[match(key_of, key[marked])] %in% TRUE
  notes$time <- utc_time(notes$time)
  without_row_names(notes[nzchar(notes$comment) | notes$flag, ])
}
