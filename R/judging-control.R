#' Add assessors to a session
#'
#' `add_assessor()` returns a token with which an assessor logs in to [judge_app()], or revokes it; `assessors()` lists
#' all assessors. The session stores only a hash of the token. If it was lost or has expired, add the assessor again:
#' the new token makes the old one invalid, and judgments are kept.
#'
#' @param session A session by [judging_session()].
#' @param assessor The name of the assessor, one string.
#' @param role `"assessor"`; `"lead"`, who may also see the work of all assessors; or `"suspended"`, which revokes the
#'   token without a new one: the assessor cannot log in until added again.
#' @param days The number of days after which the token expires; with Inf it never expires.
#' @return `add_assessor()`: the token, or invisibly NA for a suspended assessor. `assessors()`: a data frame with
#'   `assessor`, `role`, `added` and `expires` (both POSIXct; NA: never), in the order in which they were added.
#' @examplesIf requireNamespace("openssl", quietly = TRUE)
#' x <- simulate_collection(queries = 5, documents = 100, artists = 20, systems = 4, seed = 1)
#' s <- judging_session(x, judgments = FALSE)
#' token <- add_assessor(s, "ann")
#' assessors(s)
#' @export
add_assessor <- function(session, assessor, role = c("assessor", "lead", "suspended"), days = 90) {
  check_session(session)
  check_assessor(assessor)
  role <- check_choice(role, c("assessor", "lead", "suspended"), "role")
  check_number(days, "days", min = 0)
  need_package("openssl", "A token")
  token <- if (role == "suspended") NA_character_ else
    chartr("+/", "-_", openssl::base64_encode(openssl::rand_bytes(24)))
  store <- session$engine$store
  now <- store_now(store)
  entry <- quick_frame(assessor = assessor, role = role, token = if (is.na(token)) "" else token_hash(token),
                       added = utc_text(now), expires = if (is.finite(days)) now + 86400 * days else NA_real_)
  store_exclusive(store, store_put(store, "assessor", entry))
  if (is.na(token)) invisible(token) else token
}

token_hash <- function(token) as.character(openssl::sha256(token))

# The assessor to whom a token belongs; NA for unknown and expired tokens.
assessor_of_token <- function(s, token) {
  found <- store_rows(s$engine$store, "assessor", list(token = token_hash(token)))
  if (nrow(found) && is_admitted(found, store_now(s$engine$store))) found$assessor else NA_character_
}

is_admitted <- function(rows, now) rows$role != "suspended" & (is.na(rows$expires) | rows$expires > now)

#' @rdname add_assessor
#' @export
assessors <- function(session) {
  check_session(session)
  rows <- store_rows(session$engine$store, "assessor")
  rows <- rows[order(rows$added, rows$assessor, method = "radix"), ]
  data.frame(rows[c("assessor", "role")], added = utc_time(rows$added), expires = .POSIXct(rows$expires, tz = "UTC"),
             row.names = NULL)
}

# A session also stores answers to questions other than the gain of a document, such as the preferences of a
# preference_session(). An assessor answers a task only once.
record_answer <- function(s, task, assessor, answer, seconds = NA) {
  check_that(length(answer) == 1 && (is.character(answer) || is.na(answer)), "answer",
             "must be one string or NA, not {.obj_type_friendly {answer}}.")
  seconds <- check_seconds(seconds, 1)
  store <- s$engine$store
  store_exclusive(store, {
    check_that(!nrow(store_rows(store, "answer", list(task = task, assessor = assessor))), "task", c(
      "{.val {assessor}} has answered this already.",
      x = "Task {.val {task}}."
    ), kind = "already_answered")
    row <- quick_frame(time = utc_text(store_now(store)), task = task, assessor = assessor,
                       answer = as.character(answer), seconds = as.numeric(seconds))
    store_insert(store, "answer", with_checksums(store, row))
  })
  invisible(s)
}

answers <- function(s) {
  check_session(s)
  rows <- checked_rows(s$engine$store, "answer")
  data.frame(rows[c("task", "assessor", "answer")], time = utc_time(rows$time), seconds = rows$seconds,
             row.names = NULL)
}

# Leases of tasks that are not documents, such as pairs to compare.

#' Lease a task to an assessor
#'
#' @param engine A session's engine.
#' @param tasks Names of the tasks, in order of preference.
#' @param room Number of assessors who may work on each task at the same time.
#' @param assessor The identifier of the assessor.
#' @param first A task among them that the assessor gets in any case, because its answer was undone.
#' @return The index in `tasks` of the leased task: `first`, a task that the assessor already holds, or the first task
#'   with room; NA if there is none.
#' @noRd
lease_task <- function(engine, tasks, places, assessor, first = NULL) {
  now <- store_now(engine$store)
  store_exclusive(engine$store, {
    # Locks a row of the store, so that no other process can check and lease tasks meanwhile, at any isolation level of
    # the database.
    store_rows(engine$store, "meta", list(name = "schema"), lock = TRUE)
    held <- store_rows(engine$store, "claim", list(task = tasks))
    held <- held[held$lease_until >= now, , drop = FALSE]
    others <- tabulate(match(held$task[held$assessor != assessor], tasks), length(tasks))
    is_first <- tasks %in% first
    has_lease <- tasks %in% held$task[held$assessor == assessor]
    free <- which(is_first | has_lease | others < places)
    chosen <- free[order(!is_first[free], !has_lease[free])][1]
    if (!is.na(chosen)) {
      claim <- quick_frame(task = tasks[chosen], assessor = assessor, lease_until = now + engine$lease)
      store_put(engine$store, "claim", claim)
    }
    chosen
  })
}

# Ends the leases of all of the assessor's tasks, or of one.
release_tasks <- function(engine, assessor, task = NULL) {
  store_exclusive(engine$store, {
    held <- store_rows(engine$store, "claim", c(list(assessor = assessor), if (!is.null(task)) list(task = task)))
    held <- held[held$lease_until > 0, , drop = FALSE]
    held$lease_until <- rep(0, nrow(held))
    store_update(engine$store, "claim", held)
  })
}

# Additions to the collection of a session. The store keeps every version of the collection (`edition`). An event in the
# log states from where on an edition applies, so that every process switches to it at the same event.

# The label under which a session lists judgments that were made before it began.
earlier_judgments <- "earlier judgments"

#' @rdname add_runs
#' @export
add_runs.judicious_session <- function(x, runs, documents = NULL, systems = NULL, grades = NULL,
                                       ties = c("trec_eval", "rank", "identifier", "error"),
                                       duplicates = c("error", "best"), ...) {
  rlang::check_dots_empty()
  extend_session(x, function(collection) {
    add_runs(collection, runs, documents, systems, ties = ties, duplicates = duplicates)
  }, grades)
}

#' @rdname add_runs
#' @export
add_queries.judicious_session <- function(x, runs, queries = NULL, documents = NULL, grades = NULL,
                                          ties = c("trec_eval", "rank", "identifier", "error"),
                                          duplicates = c("error", "best"), ...) {
  rlang::check_dots_empty()
  extend_session(x, function(collection) {
    add_queries(collection, runs, queries, documents, ties = ties, duplicates = duplicates)
  }, grades)
}

# Replaces the collection of a session by the larger one that the function `extend` returns for it.
extend_session <- function(s, extend, grades) {
  check_session(s)
  engine <- s$engine
  repeat {
    before <- engine$x
    carried <- carry_grades(extend(before), grades, join = TRUE)
    x <- carried$x
    check_goal_fits(x, engine$goal)
    setup <- session_setup(engine)
    setup$x <- x
    if (!is.null(grades)) setup$arguments["grades"] <- list(carried$grades)
    setup$prepared <- belief_prepare(setup$arguments$model, x, setup$arguments$grades)
    written <- store_exclusive(engine$store, {
      current <- as.integer(store_rows(engine$store, "meta", list(name = "edition"), lock = TRUE)$value)
      if (current == engine$edition) {
        edition <- add_events(engine, "add", detail = addition_text(engine$x, x))
        write_object(engine$store, edition_name(edition), setup_for_store(setup, engine$store))
        set_meta(engine$store, "edition", edition)
      }
      current == engine$edition
    })
    if (written) break
    # Another process has added to the collection first: this addition is repeated with the collection of that process.
    follow_edition(engine)
  }
  refresh(engine)
  save_trace(engine)
  # Records the judgments of documents that were outside the pool before the addition and are in it now.
  moved <- which(!is.na(find_pairs(x, before$outside$query, before$outside$doc)))
  moved_judgments <- before$outside[moved, ]
  if (length(moved)) judge(s, moved_judgments$query, moved_judgments$doc, moved_judgments$gain, earlier_judgments)
  judge_by_known_gold(engine)
  invisible(s)
}

session_setup <- function(engine) mget(setup_parts, envir = engine)

# Text about what was added, such as "2 systems, 35 documents to judge".
addition_text <- function(before, after) {
  systems <- n_systems(after) - n_systems(before)
  queries <- sum(answered_queries(after)) - sum(answered_queries(before))
  paste(c(if (systems) counted(systems, "system"), if (queries) count_queries(queries),
          paste(counted(n_pairs(after) - n_pairs(before), "document"), "to judge")), collapse = ", ")
}

# Settings that a lead can change during judging: the goal, a pause, and the assessors of queries. Each change is stored
# as a numbered object; other processes compare the number to notice it.

#' Lead a judging session
#'
#' `update()` changes a session while people judge: it sets a new goal, pauses or continues the judging, and assigns
#' queries to assessors, as does the lead's view of [judge_app()]. Other processes adopt the change at their next call.
#'
#' @details While a session is paused, assessors can still judge the documents that they hold. Documents of an assigned
#' query go only to its assessor, except for second judgments (`overlap`).
#'
#' @param object A session by [judging_session()].
#' @param goal The new goal, such as [goal_mean()], but not a custom goal. NULL: no change.
#' @param paused TRUE pauses the session, FALSE continues it. NULL: no change.
#' @param queries The assessor of each query: `c(q1 = "ann", q2 = "bob")`. NA makes a query available to everybody
#'   again. Other queries do not change.
#' @param by The name of who makes the change, for the log.
#' @param ... Not used.
#' @return The session, invisibly.
#' @seealso [add_assessor()]; [judge()] with `final` for documents on which assessors disagree.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, goal = goal_mean(0.9), seed = 1, judgments = FALSE)
#' queries <- x$queries$query
#' # All queries go to Ann
#' update(s, goal = goal_budget(40), queries = stats::setNames(rep("ann", length(queries)), queries))
#' nrow(next_documents(s, 3, "ann"))
#' nrow(next_documents(s, 3, "bob"))
#' update(s, paused = TRUE)
#' @export
update.judicious_session <- function(object, goal = NULL, paused = NULL, queries = NULL, by = NA_character_, ...) {
  refuse_other_arguments("update()", ...)
  check_session(object)
  engine <- object$engine
  if (!is.null(goal)) {
    check_class(goal, "judicious_goal", "goal", "goal_mean")
    check_goal_fits(engine$x, goal)
    check_that(!has_custom_goal(goal$recipe), "goal",
               "must not be or include a custom goal, which other processes cannot reconstruct.", kind = "not_given")
  }
  if (!is.null(paused)) check_flag(paused, "paused")
  if (!is.null(queries)) queries <- check_assigned(queries, engine$x)
  to <- ifelse(is.na(queries), "everybody", queries)
  changes <- c(if (!is.null(goal)) paste("goal:", goal$label), if (isTRUE(paused)) "paused",
               if (isFALSE(paused)) "continued",
               if (length(queries)) paste0(tapply(names(queries), to, name_some), " to ", sort(unique(to))))
  if (!length(changes)) return(invisible(object))
  reopening <- reopening_by(engine, goal)
  store_exclusive(engine$store, {
    store_rows(engine$store, "meta", list(name = "edition"), lock = TRUE)
    control <- read_control(engine$store, control_number(engine$store))
    control$number <- control$number + 1L
    if (!is.null(goal)) control$goal <- goal$recipe
    if (!is.null(paused)) control$paused <- paused
    control$assigned[names(queries)] <- queries
    control$assigned <- control$assigned[!is.na(control$assigned)]
    write_object(engine$store, control_name(control$number), control)
    set_meta(engine$store, "control", control$number)
    add_events(engine, "lead", by, detail = paste(changes, collapse = "; "))
    if (!is.null(reopening)) add_events(engine, "reopen", by, detail = reopening)
    if (!is.null(queries)) {
      # Ends the leases of documents whose query is now assigned to another assessor.
      held <- store_rows(engine$store, "slot", list(state = "leased"), lock = TRUE)
      owner <- control$assigned[engine$x$queries$query[engine$x$pool$query[held$pair]]]
      held <- pick_rows(held, held$copy == 1 & !is.na(owner) & owner != held$assessor)
      if (nrow(held)) reopen_slots(engine, held)
    }
  })
  follow_control(engine, control$number)
  invisible(object)
}

# The reason to log if setting another goal reopens judging that has ended; NA if judging has not ended, NULL if the
# goal stays the same.
reopening_by <- function(engine, goal) {
  if (is.null(goal) || identical(goal$label, engine$goal$label)) return(NULL)
  if (is.null(refresh(engine)$end)) NA_character_ else "the goal was changed"
}

check_assigned <- function(queries, x) {
  if (is.logical(queries) && all(is.na(queries))) queries[] <- NA_character_
  check_that(is.character(queries) && !is.null(names(queries)), "queries",
             "must be names of assessors, named by queries.")
  unknown <- setdiff(names(queries), x$queries$query)
  check_that(!length(unknown), "queries", "names {length(unknown)} quer{?y/ies} that {?is/are} not in the collection:
    {name_some(unknown)}.")
  for (assessor in queries[!is.na(queries)]) check_assessor(assessor)
  queries
}
