# Leases of tasks that are no documents, such as pairs to compare.

#' Lease a task to an assessor
#'
#' @param e A session's environment.
#' @param tasks Texts, in the order of preference.
#' @param room How many assessors may be at each of them at once.
#' @param assessor The identifier of the assessor who asks.
#' @param first Of these, one that the assessor is given in any case: what was undone.
#' @return The place in `tasks` of what was leased: `first`, what the assessor holds already, or the first with room; NA
#'   where there is none.
#' @noRd
lease_task <- function(e, tasks, room, assessor, first = NULL) {
  now <- store_now(e$store)
  store_exclusive(e$store, {
    # One at a time looks and takes, whatever the database does at once.
    store_rows(e$store, "meta", list(name = "schema"), lock = TRUE)
    held <- store_rows(e$store, "claim", list(task = tasks))
    held <- held[held$lease_until >= now, , drop = FALSE]
    others <- tabulate(match(held$task[held$assessor != assessor], tasks), length(tasks))
    wanted <- tasks %in% first
    mine <- tasks %in% held$task[held$assessor == assessor]
    free <- which(wanted | mine | others < room)
    at <- free[order(!wanted[free], !mine[free])][1]
    if (!is.na(at)) set_claim(e$store, tasks[at], assessor, now + e$lease)
    at
  })
}

# Others may have the assessor's tasks, or this one, at once.
release_tasks <- function(e, assessor, task = NULL) {
  store_exclusive(e$store, {
    held <- store_rows(e$store, "claim", c(list(assessor = assessor), if (!is.null(task)) list(task = task)))
    held <- held[held$lease_until > 0, , drop = FALSE]
    held$lease_until <- rep(0, nrow(held))
    store_update(e$store, "claim", held)
  })
}

set_claim <- function(store, task, assessor, until) {
  row <- quick_frame(task = task, assessor = assessor, lease_until = until)
  known <- nrow(store_rows(store, "claim", list(task = task, assessor = assessor))) > 0
  if (known) store_update(store, "claim", row) else store_insert(store, "claim", row)
}
