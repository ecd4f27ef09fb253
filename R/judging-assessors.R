#' Add assessors to a session
#'
#' `add_assessor()` returns a token with which an assessor logs in to [judge_app()], or revokes it; `assessors()` lists
#' all assessors. The session stores only a hash of the token, so note it. If a token was lost or has expired, add the
#' assessor again: the new token makes the old one invalid, and judgments are kept.
#'
#' @param session A session by [judging_session()].
#' @param assessor The name of the assessor, one string.
#' @param role `"assessor"`; `"lead"`, who may also see the work of all assessors; or `"suspended"`, which revokes the
#'   token without a new one: the assessor cannot log in until added again.
#' @param days The number of days after which the token expires; with Inf it never expires.
#' @return `add_assessor()`: the token, 32 letters, digits, `-` and `_` from the system's cryptographic generator, or
#'   invisibly NA for a suspended assessor. `assessors()`: a data frame with `assessor`, `role`, `added` and `expires`
#'   (both POSIXct; NA: never), in the order in which they were added.
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
  store <- session$env$store
  now <- store_now(store)
  entry <- quick_frame(assessor = assessor, role = role, token = if (is.na(token)) "" else token_hash(token),
                       added = utc_text(now), expires = if (is.finite(days)) now + 86400 * days else NA_real_)
  store_exclusive(store, store_put(store, "assessor", entry))
  if (is.na(token)) invisible(token) else token
}

token_hash <- function(token) as.character(openssl::sha256(token))

# The assessor to whom a token belongs; NA for unknown and expired tokens.
assessor_of <- function(s, token) {
  found <- store_rows(s$env$store, "assessor", list(token = token_hash(token)))
  if (nrow(found) && is_admitted(found, store_now(s$env$store))) found$assessor else NA_character_
}

is_admitted <- function(rows, now) rows$role != "suspended" & (is.na(rows$expires) | rows$expires > now)

#' @rdname add_assessor
#' @export
assessors <- function(session) {
  check_session(session)
  rows <- store_rows(session$env$store, "assessor")
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
  store <- s$env$store
  store_exclusive(store, {
    check_that(!nrow(store_rows(store, "answer", list(task = task, assessor = assessor))), "task", c(
      "{.val {assessor}} has answered this already.",
      x = "Task {.val {task}}."
    ), kind = "already_answered", call = current_env())
    store_insert(store, "answer", quick_frame(time = utc_text(store_now(store)), task = task, assessor = assessor,
                                              answer = as.character(answer), seconds = seconds))
  })
  invisible(s)
}

answers <- function(s) {
  check_session(s)
  rows <- store_rows(s$env$store, "answer")
  data.frame(rows[c("task", "assessor", "answer")], time = utc_time(rows$time), seconds = rows$seconds,
             row.names = NULL)
}

# Leases of tasks that are not documents, such as pairs to compare.

#' Lease a task to an assessor
#'
#' @param e A session's environment.
#' @param tasks Names of the tasks, in order of preference.
#' @param room Number of assessors who may work on each task at the same time.
#' @param assessor The identifier of the assessor.
#' @param first A task among them that the assessor gets in any case, because its answer was undone.
#' @return The index in `tasks` of the leased task: `first`, a task that the assessor already holds, or the first task
#'   with room; NA if there is none.
#' @noRd
lease_task <- function(e, tasks, room, assessor, first = NULL) {
  now <- store_now(e$store)
  store_exclusive(e$store, {
    # The lock serialises checking and leasing, at any isolation level of the database.
    store_rows(e$store, "meta", list(name = "schema"), lock = TRUE)
    held <- store_rows(e$store, "claim", list(task = tasks))
    held <- held[held$lease_until >= now, , drop = FALSE]
    others <- tabulate(match(held$task[held$assessor != assessor], tasks), length(tasks))
    wanted <- tasks %in% first
    mine <- tasks %in% held$task[held$assessor == assessor]
    free <- which(wanted | mine | others < room)
    chosen <- free[order(!wanted[free], !mine[free])][1]
    if (!is.na(chosen)) {
      claim <- quick_frame(task = tasks[chosen], assessor = assessor, lease_until = now + e$lease)
      store_put(e$store, "claim", claim)
    }
    chosen
  })
}

# Ends the leases of all of the assessor's tasks, or of one.
release_tasks <- function(e, assessor, task = NULL) {
  store_exclusive(e$store, {
    held <- store_rows(e$store, "claim", c(list(assessor = assessor), if (!is.null(task)) list(task = task)))
    held <- held[held$lease_until > 0, , drop = FALSE]
    held$lease_until <- rep(0, nrow(held))
    store_update(e$store, "claim", held)
  })
}
