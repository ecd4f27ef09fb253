# How a process follows what others changed in the store of a session: the lead's control and the editions of the
# collection.

no_control <- list(number = 0L, goal = NULL, paused = FALSE, assigned = character())

read_control <- function(store, number) if (number == 0) no_control else read_object(store, control_name(number))

control_name <- function(number) paste("control", number)

# Adopts the changes that other processes made: additions to the collection, and changes by the lead.
follow_session <- function(e) {
  meta <- store_rows(e$store, "meta", list(name = c("edition", "control")))
  number <- function(name) as.integer(c(meta$value[meta$name == name], 0)[1])
  follow_edition(e, number("edition"))
  follow_control(e, number("control"))
}

follow_control <- function(e, number) {
  if (number == e$control$number) return(invisible())
  before <- e$goal$label
  e$control <- read_control(e$store, number)
  e$goal <- controlled_goal(e)
  if (identical(e$goal$label, before)) return(invisible())
  # Whatever was computed for the previous goal is recomputed from the log.
  e$expected <- e$begun <- e$seen <- NULL
}

# The goal that the lead set last, or else that of judging_session().
controlled_goal <- function(e) if (is.null(e$control$goal)) e$goal else make_again(e$control$goal, list(e$goal), "goal")

# Switches to the collection that another process has left. Whatever was computed for the previous one is recomputed.
follow_edition <- function(e, edition = store_edition(e$store)) {
  if (edition == e$edition) return(invisible())
  use_edition(e, edition)
  e$seen <- NULL
}

use_edition <- function(e, edition) {
  again <- list(goal = list(e$goal), strategy = list(e$strategy), model = e$given$model, grades = e$given$grades)
  list2env(setup_of_store(e$store, edition, again), e)
  e$edition <- edition
  e$goal <- controlled_goal(e)
  e$begun <- NULL
  e$expected <- NULL
  use_tie(e, tie_rank(e$x, e$strategy$tie_break))
  if (!is.null(e$observer)) e$observe <- e$observer(e$x)
}

# Logical: the pairs of the pool that an assessor can be assigned for a first judgment, or for a second one (`again`);
# NULL for all. Second judgments can be anybody's who is able to judge: while run_session() takes gains from several
# tables, those who have a gain.
pairs_for <- function(e, assessor, again = FALSE) {
  able <- e$able[[assessor]]
  able <- if (!is.null(able)) able()
  others <- if (!again) names(e$control$assigned)[e$control$assigned != assessor]
  if (length(others)) (able %||% TRUE) & !e$x$queries$query[e$x$pool$query] %in% others else able
}

# The pairs whose slots an assessor can be assigned; NULL for all.
slots_for <- function(e, assessor) {
  allowed <- pairs_for(e, assessor)
  if (is.null(allowed)) return(NULL)
  again <- pairs_for(e, assessor, again = TRUE) %||% !logical(n_pairs(e$x))
  slots <- store_rows(e$store, "slot", list(state = c("open", "leased")))
  unique(slots$pair[ifelse(slots$copy > 1, again[slots$pair], allowed[slots$pair])])
}
