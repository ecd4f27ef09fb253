# What a lead can change while people judge: the goal, a pause, and the assessors of queries. Each change is stored as a
# numbered object, so that every process notices it by the number.

#' Lead a judging session
#'
#' `update()` changes a session while people judge: it sets a new goal, pauses or continues the judging, and assigns
#' queries to assessors, as does the lead's view of [judge_app()]. All processes that have the session open adopt the
#' change at their next call.
#'
#' @details
#' While a session is paused, no documents are assigned; those that assessors hold can still be judged. Documents of an
#' assigned query go only to its assessor, except for second judgments (`overlap`), which can go to any other.
#'
#' @param object A session by [judging_session()].
#' @param goal The new goal, made by a constructor such as [goal_mean()]. Custom goals are not allowed.
#' @param paused TRUE pauses the session, FALSE continues it.
#' @param queries The names of assessors, named by queries: `c(q1 = "ann", q2 = "bob")`. NA makes a query available to
#'   everybody again. Other queries do not change.
#' @param by The name of the person who makes the change, for the log.
#' @param ... Not used.
#' @return The session, invisibly.
#' @section Errors: `judicious_error_argument` for a query that is not in the collection, and for a goal that is not
#'   possible for the collection.
#' @seealso [add_assessor()]; [judge()] with `final` for documents on which assessors disagree.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' s <- judging_session(x, goal = goal_mean(0.9), seed = 1, judgments = FALSE)
#' query <- x$queries$query[1]
#' update(s, goal = goal_budget(40), queries = stats::setNames("ann", query))
#' next_documents(s, 3, "ann")$query == query
#' update(s, paused = TRUE)
#' nrow(next_documents(s, 3, "bob"))
#' @export
update.judicious_session <- function(object, goal = NULL, paused = NULL, queries = NULL, by = NA_character_, ...) {
  check_no_more("update()", ...)
  check_session(object)
  e <- object$env
  if (!is.null(goal)) {
    check_class(goal, "judicious_goal", "goal", "goal_mean")
    check_goal_fits(e$x, goal)
    # Fails for a custom goal, which other processes could not make again.
    make_again(goal$recipe, NULL, "goal")
  }
  if (!is.null(paused)) check_flag(paused, "paused")
  if (!is.null(queries)) queries <- check_assigned(queries, e$x)
  said <- c(if (!is.null(goal)) paste("goal:", goal$label), if (isTRUE(paused)) "paused",
            if (isFALSE(paused)) "continued", if (!is.null(queries)) assignment_text(queries))
  if (!length(said)) return(invisible(object))
  reopening <- reopening_by(e, goal)
  store_exclusive(e$store, {
    store_rows(e$store, "meta", list(name = "edition"), lock = TRUE)
    control <- read_control(e$store, control_number(e$store))
    control$number <- control$number + 1L
    if (!is.null(goal)) control$goal <- goal$recipe
    if (!is.null(paused)) control$paused <- paused
    control$assigned[names(queries)] <- queries
    control$assigned <- control$assigned[!is.na(control$assigned)]
    write_object(e$store, control_name(control$number), control)
    set_meta(e$store, "control", control$number)
    add_events(e, "lead", by, detail = paste(said, collapse = "; "))
    if (!is.null(reopening)) add_events(e, "reopen", by, detail = reopening)
    if (!is.null(queries)) release_reassigned(e, control$assigned)
  })
  follow_control(e, control$number)
  invisible(object)
}

# What a new goal tells of the end of judging in the log; NULL if it is the same goal, NA if judging has not ended.
reopening_by <- function(e, goal) {
  if (is.null(goal) || identical(goal$label, e$goal$label)) return(NULL)
  if (is.null(refresh(e)$end)) NA_character_ else "the goal was changed"
}

check_assigned <- function(queries, x, call = caller_env()) {
  if (is.logical(queries) && all(is.na(queries))) queries[] <- NA_character_
  check_that(is.character(queries) && !is.null(names(queries)), "queries",
             "must be names of assessors, named by queries.", call = call)
  unknown <- setdiff(names(queries), x$queries$query)
  check_that(!length(unknown), "queries", "names {length(unknown)} quer{?y/ies} that {?is/are} not in the collection:
    {name_some(unknown)}.", call = call)
  for (assessor in queries[!is.na(queries)]) check_assessor(assessor, call)
  queries
}

assignment_text <- function(queries) {
  to <- ifelse(is.na(queries), "everybody", queries)
  paste0(tapply(names(queries), to, name_some), " to ", sort(unique(to)))
}

# Ends the leases of documents whose query is now assigned to another assessor.
release_reassigned <- function(e, assigned) {
  held <- store_rows(e$store, "slot", list(state = "leased"), lock = TRUE)
  owner <- assigned[e$x$queries$query[e$x$pool$query[held$pair]]]
  held <- pick_rows(held, held$copy == 1 & !is.na(owner) & owner != held$assessor)
  if (nrow(held)) reopen_slots(e, held)
}
