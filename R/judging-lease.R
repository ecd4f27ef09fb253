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
