# Conversion of a session's setup to data, for stores. Goals and strategies contain functions; a store keeps the name
# and the arguments of their constructors and calls these again. Custom goals and strategies are kept by their labels,
# and the user passes them again when the session is opened, as well as models that contain functions.

# Attaches to a goal or a strategy the name of its constructor, with the arguments in the constructor's frame.
with_recipe <- function(maker, object, frame = parent.frame()) {
  object$recipe <- list(maker = maker, arguments = mget(names(formals(get(maker))) %||% character(), envir = frame))
  object
}

# The names of the package's own goals or strategies: it exports a constructor for each.
own_kinds <- function(what) {
  makers <- grep(paste0("^", what, "_"), getNamespaceExports("judicious"), value = TRUE)
  sort(setdiff(sub("^[a-z]+_", "", makers), "custom"), method = "radix")
}

# The goal or strategy of a recipe. `given` are the objects that the user passed again: one, a list, or NULL.
make_again <- function(recipe, given, arg, call = caller_env()) {
  if (!is.null(recipe$maker)) {
    known <- recipe$maker %in% paste0(arg, "_", own_kinds(arg))
    other <- if (known) setdiff(names(recipe$arguments), names(formals(recipe$maker)))
    abort_unless(known && !length(other), c(
      "The session's {arg} is by {.fn {recipe$maker}}{if (length(other)) paste(' with the argument', other[1])}, which
        this version of judicious does not have.",
      i = "It was made before names changed: export its judgments with the version that made it, and begin a session
        with them."
    ), "older_schema", call = call)
    return(tryCatch(do.call(recipe$maker, recipe$arguments), error = function(cnd) {
      abort_judicious("The stored {arg} is not valid.", "store_corrupt", call = call, parent = cnd)
    }))
  }
  for (one in given) if (identical(one$label, recipe$label)) return(one)
  if (!is.null(recipe$word)) {
    goals <- lapply(recipe$goals, make_again, given, arg, call)
    return(if (recipe$word == "and") goals[[1]] & goals[[2]] else goals[[1]] | goals[[2]])
  }
  known <- vapply(given, `[[`, "", "label")
  abort_judicious(c(
    "The session has the custom {arg} {.val {recipe$label}}, whose functions a store does not keep.",
    x = if (length(known)) "{.arg {arg}} has {.val {known}}.",
    i = "Give it again: {.code open_session(store, {arg} = ...)}."
  ), "not_given", argument = arg, call = call)
}

# Checks the `goal` or `strategy` of open_session() and returns a list of objects of the class.
given_again <- function(given, class, arg, call = caller_env()) {
  if (is.null(given)) return(list())
  if (inherits(given, class)) given <- list(given)
  check_that(is.list(given) && all(vapply(given, inherits, NA, class)), arg,
             "must be a custom {arg}, or a list of them.", call = call)
  given
}

#' Settings of a judging session
#'
#' Sets how many documents a session selects at a time and at random, how many are judged twice, how often the model is
#' estimated again, and how long a document is reserved, for the argument `control` of [judging_session()] and
#' [judging_plan()]. The defaults are suitable for most sessions.
#'
#' @param audit The probability that the next document is selected at random, from 0 to 1.
#' @param overlap The probability that a document is also judged by a second assessor, from 0 to 1. These judgments show
#'   how much assessors differ.
#' @param batch How many documents to select at a time. With 1, the selection of each document uses all earlier
#'   judgments. A larger batch saves waiting time with several assessors or a large pool; each of its documents is
#'   selected as if the others were already judged.
#' @param update_every How often coefficients and variances are estimated again: when the number of judgments has grown
#'   by a fifth, but after the first `update_every` judgments, which tell most about the collection, not before a
#'   quarter of `update_every` more. Inf leaves the model unchanged. Independent gains are updated after every
#'   `update_every` judgments.
#' @param lease The number of seconds for which a document is reserved for the assessor who asked for it.
#' @param same_query TRUE selects all documents of a batch from one query, so that an assessor reads one query at a
#'   time; an audit is then a whole batch, from the query of a random document.
#' @return A list of class `judicious_session_control`.
#' @section Errors: `judicious_error_argument` for a setting out of its range.
#' @examples
#' session_control(batch = 10, overlap = 0.05)
#' @export
session_control <- function(audit = 0.1, overlap = 0, batch = 1, same_query = FALSE, update_every = 20, lease = 600) {
  check_number(audit, "audit", min = 0, max = 1)
  check_number(overlap, "overlap", min = 0, max = 1)
  check_count(batch, "batch")
  check_flag(same_query, "same_query")
  check_count(update_every, "update_every", finite = FALSE)
  check_number(lease, "lease", min = 1)
  structure(list(audit = audit, overlap = overlap, batch = batch, same_query = same_query,
                 update_every = update_every, lease = lease), class = "judicious_session_control")
}

session_settings <- names(formals(session_control))

# The setup of a session. `given` holds the model and the grades as the user passed them, because they are prepared
# again when the collection grows.
new_setup <- function(x, prepared, goal, strategy, control, cost = judging_cost(), seed = 0, given = NULL,
                      assessor = "these") {
  c(list(x = x, prepared = prepared, goal = goal, strategy = strategy, cost = cost, seed = seed, given = given,
         assessor = assessor), control)
}

setup_parts <- c(setdiff(names(formals(new_setup)), "control"), session_settings)

# The parts of a session as data, for stores that are not in memory. `model_kept` and `grades_kept` state whether the
# model and the grades are among them.
setup_for_store <- function(setup, store) {
  if (in_memory(store)) return(setup)
  setup$goal <- setup$goal$recipe
  setup$strategy <- setup$strategy$recipe
  setup$model_kept <- is_kept(setup$given$model) && is_kept(setup$prepared)
  setup$grades_kept <- is_kept(setup$given$grades)
  if (!setup$model_kept) setup$given["model"] <- setup["prepared"] <- list(NULL)
  if (!setup$grades_kept) setup$given["grades"] <- list(NULL)
  setup
}

is_kept <- function(x) !inherits(try(encode_data(x, "model"), silent = TRUE), "try-error")

# The inverse. `again` has the `goal`, `strategy`, `model` and `grades` that the user passed again.
setup_of_store <- function(store, edition, again, call = caller_env()) {
  setup <- read_setup(store, edition, call)
  if (in_memory(store)) return(setup)
  stop_at_fault(store, call, setup_fault(setup))
  setup$goal <- make_again(setup$goal, again$goal, "goal", call)
  setup$strategy <- make_again(setup$strategy, again$strategy, "strategy", call)
  for (part in c("model", "grades")) {
    if (setup[[paste0(part, "_kept")]]) next
    argument <- c(model = "past", grades = "grades")[[part]]
    check_that(!is.null(again[[part]]), argument, c(
      "The session's {part} is not data alone, and the store does not keep it.",
      i = "Give it again: {.code open_session(store, {argument} = ...)}."
    ), kind = "not_given", call = call)
    setup$given[[part]] <- again[[part]]
  }
  if (!setup$model_kept) setup$prepared <- belief_prepare(again$model, setup$x, setup$given$grades, call)
  setup[setup_parts]
}
