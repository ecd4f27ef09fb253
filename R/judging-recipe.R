# Conversion of a session's setup to data that a store can keep. Goals and strategies contain functions; a store keeps
# the name and the arguments of their constructors and calls these again. Of custom goals and strategies, the store
# keeps the label only: the user passes them again when the session is opened, as well as models that contain functions.

# Adds to a goal or a strategy its recipe: the name of its constructor, and the arguments, which are read from the
# constructor's frame.
with_recipe <- function(maker, object, frame = parent.frame()) {
  object$recipe <- list(maker = maker, arguments = mget(names(formals(get(maker))) %||% character(), envir = frame))
  object
}

# The names of the package's built-in goals or strategies, from the constructors that it exports.
built_in_kinds <- function(prefix) {
  makers <- grep(paste0("^", prefix, "_"), getNamespaceExports("judicious"), value = TRUE)
  sort(setdiff(sub("^[a-z]+_", "", makers), "custom"), method = "radix")
}

# The goal or strategy that a recipe describes. `custom`: the custom objects that the user passed again (one, a list, or
# NULL).
restore_recipe <- function(recipe, custom, arg) {
  if (!is.null(recipe$maker)) return(made_by_recipe(recipe, arg))
  for (one in custom) if (identical(one$label, recipe$label)) return(one)
  if (!is.null(recipe$word)) {
    goals <- lapply(recipe$goals, restore_recipe, custom, arg)
    return(if (recipe$word == "and") goals[[1]] & goals[[2]] else goals[[1]] | goals[[2]])
  }
  labels <- vapply(custom, `[[`, "", "label")
  abort_judicious(c(
    "The session has the custom {arg} {.val {recipe$label}}, whose functions a store does not keep.",
    x = if (length(labels)) "{.arg {arg}} has {.val {labels}}.",
    i = hint("Give it again: {.code open_session(store, {arg} = ...)}.",
             "Only R can open the session, given its {arg}.")
  ), "not_given", argument = arg)
}

# Calls the constructor of a recipe. A store may have been changed by hand: no function is called but a constructor of
# goals or strategies.
made_by_recipe <- function(recipe, arg) {
  is_known <- recipe$maker %in% paste0(arg, "_", built_in_kinds(arg))
  made <- if (is_known) tryCatch(do.call(recipe$maker, recipe$arguments), error = identity)
  if (!is.null(made) && !inherits(made, "error")) return(made)
  abort_judicious(c(
    "The stored {arg} is not valid: the session was changed by another program.",
    i = "Restore a copy, or make a new session of its judgments: {.code recover_session(file, x = , {arg} = )}."
  ), "store_corrupt", parent = made)
}

# Whether a goal is custom, or combines a custom goal, which restore_recipe() cannot make from its recipe.
has_custom_goal <- function(recipe) {
  is.null(recipe$maker) && (is.null(recipe$word) || any(vapply(recipe$goals, has_custom_goal, NA)))
}

# Checks the `goal` or `strategy` of open_session() and returns a list of objects of the class.
custom_objects <- function(custom, class, arg) {
  if (is.null(custom)) return(list())
  if (inherits(custom, class)) custom <- list(custom)
  check_that(is.list(custom) && all(vapply(custom, inherits, NA, class)), arg,
             "must be a custom {arg}, or a list of them.")
  custom
}

# The setup of a session. `arguments` holds the model and the grades as the user passed them, because they are prepared
# again when the collection grows.
new_setup <- function(x, prepared, goal, strategy, control, cost = judging_cost(), seed = 0, arguments = NULL,
                      assessor = "these") {
  c(list(x = x, prepared = prepared, goal = goal, strategy = strategy, cost = cost, seed = seed, arguments = arguments,
         assessor = assessor), control)
}

setup_parts <- c(setdiff(names(formals(new_setup)), "control"), session_settings)

# The setup of a session in a form that stores other than memory can keep. `model_kept` and `grades_kept` state whether
# the store keeps the model and the grades.
setup_for_store <- function(setup, store) {
  if (in_memory(store)) return(setup)
  setup$goal <- setup$goal$recipe
  setup$strategy <- setup$strategy$recipe
  setup$model_kept <- can_be_stored(setup$arguments$model) && can_be_stored(setup$prepared)
  setup$grades_kept <- can_be_stored(setup$arguments$grades)
  if (!setup$model_kept) setup$arguments["model"] <- setup["prepared"] <- list(NULL)
  if (!setup$grades_kept) setup$arguments["grades"] <- list(NULL)
  setup
}

can_be_stored <- function(x) !inherits(try(encode_data(x, "model"), silent = TRUE), "try-error")

# The inverse of setup_for_store(). `custom` has the custom `goal`, `strategy`, `model` and `grades`, which the user
# passes again.
setup_of_store <- function(store, edition, custom) {
  setup <- read_object(store, edition_name(edition))
  if (in_memory(store)) return(setup)
  abort_at_fault(store, setup_fault(setup))
  setup$goal <- restore_recipe(setup$goal, custom$goal, "goal")
  setup$strategy <- restore_recipe(setup$strategy, custom$strategy, "strategy")
  for (part in c("model", "grades")) {
    if (setup[[paste0(part, "_kept")]]) next
    argument <- c(model = "past", grades = "grades")[[part]]
    check_that(!is.null(custom[[part]]), argument, c(
      "The session's {part} is not data alone, and the store does not keep it.",
      i = hint("Give it again: {.code open_session(store, {argument} = ...)}.",
               "Only R can open the session, given its {part}.")
    ), kind = "not_given")
    setup$arguments[[part]] <- custom[[part]]
  }
  if (!setup$model_kept) setup$prepared <- belief_prepare(custom$model, setup$x, setup$arguments$grades)
  setup[setup_parts]
}
