# Graders: grades by language models or others for the pairs of a pool. Grades enter the mean of joint gains level by
# level, as custom features. Their effects are learned from judgments, with a prior that higher grades mean higher
# gains.

# A grader with more levels than this is a numeric feature with a single slope.
most_grades <- 10

# Converts `grades` to features of the pairs of `x`: `grades`, one number per pair or NULL, and `steps`, a list with
# one matrix per grader, pairs by grades above its lowest, which is 1 if the pair's grade is at least that. `constant`
# has the names of the graders that are left out, because they give all pairs the same grade. A grader without any grade
# of a pair raises an error if grades are `required`, and is left out otherwise.
read_grades <- function(x, grades, call = caller_env(), required = TRUE) {
  grades <- grades_in_files(if (is.function(grades)) grades(x) else grades, call)
  if (is.data.frame(grades)) grades <- list(grades)
  if (!is.list(grades)) {
    value <- grade_values(x, grades, call)
    constant <- !is.null(value) && !varies(value)
    return(list(grades = if (!constant) value, steps = list(), constant = if (constant) "grades"))
  }
  graders <- name_graders(grades, call)
  known <- Map(function(table, arg) grades_on_pool(table, x, arg, call, required), graders, grader_args(grades))
  constant <- names(known)[!vapply(known, varies, NA)]
  known <- known[setdiff(names(known), constant)]
  levels <- lapply(known, function(grade) sort(unique(grade[!is.na(grade)])))
  numbers <- lengths(levels) > most_grades
  check_levels_of_several(numbers, levels, call)
  if (any(numbers)) return(list(grades = grade_values(x, known[[1]], call), steps = list(), constant = constant))
  list(grades = NULL, steps = Map(grade_steps, known, levels, names(known)), constant = constant)
}

# Only a grader alone may be on a fine scale.
check_levels_of_several <- function(numbers, levels, call) {
  if (!any(numbers) || length(levels) == 1) return(invisible())
  abort_judicious(c(
    "Of several graders in {.arg grades}, each must have at most {most_grades} different grades.",
    x = "{.val {names(levels)[numbers][1]}} has {lengths(levels)[numbers][1]}.",
    i = "{.fn cut} makes grades of numbers."
  ), "argument", argument = "grades", call = call)
}

warn_constant_graders <- function(said) {
  constant <- said$constant
  if (!length(constant)) return(invisible())
  alone <- length(constant) == 1 && !length(said$steps) && is.null(said$grades)
  warn_judicious(c(
    if (alone) "{.arg grades} gives the same grade to every pair that it contains of the pool, and is left out." else
      "{cli::qty(length(constant))}Grader{?s} {.val {constant}} of {.arg grades} {?gives/give} the same grade to every
        pair of the pool, and {?is/are} left out.",
    i = "Only grades that differ tell pairs apart."
  ), "constant_grades", graders = constant)
}

# Reads the grades that are in files, or in tables of a database. Several paths without names are named by their files.
grades_in_files <- function(grades, call = caller_env()) {
  if (is_database_table(grades)) return(grades_from_path(grades, "grades", call))
  if (is.character(grades)) {
    if (length(grades) == 1 && is.null(names(grades))) return(grades_from_path(grades, "grades", call))
    grades <- as.list(stats::setNames(grades, names(grades) %||% sub("[.].*", "", basename(grades))))
  }
  if (!is.list(grades) || is.data.frame(grades)) return(grades)
  in_files <- vapply(grades, is_source, NA)
  grades[in_files] <- Map(grades_from_path, grades[in_files], grader_args(grades)[in_files],
                           MoreArgs = list(call = call))
  grades
}

name_graders <- function(graders, call) {
  if (!length(graders) || !all(vapply(graders, is.data.frame, NA))) {
    abort_judicious("A list as {.arg grades} must hold data frames with {.val query}, {.val doc} and a grade, one per
      grader.", "argument", argument = "grades", call = call)
  }
  names <- names(graders) %||% character(length(graders))
  names[names == ""] <- if (length(graders) == 1) "grade" else paste0("grader", which(names == ""))
  if (anyDuplicated(names)) {
    abort_judicious("{.arg grades} has two graders named {.val {names[anyDuplicated(names)]}}.", "argument",
                    argument = "grades", call = call)
  }
  stats::setNames(graders, names)
}

# How messages refer to each grader.
grader_args <- function(graders) {
  if (length(graders) == 1) return("grades")
  named <- nzchar(names(graders) %||% character(length(graders)))
  ifelse(named, paste0("grades$", names(graders)), paste0("grades[[", seq_along(graders), "]]"))
}

# A grade per pair of the pool, NA if there is none, which contains no information about the pair.
grades_on_pool <- function(table, x, arg, call, required = TRUE) {
  check_columns(table, c("query", "doc"), arg, call)
  column <- intersect(c("grade", "gain"), names(table))
  if (length(column) != 1) {
    abort_judicious(c("{.arg {arg}} must have one column of grades, named {.val grade} or {.val gain}.",
                      x = "Its columns are {.val {names(table)}}."), "columns", argument = "grades",
                    columns = c("grade", "gain"), call = call)
  }
  if (is.ordered(table[[column]])) table[[column]] <- as.integer(table[[column]])
  bad <- if (is.numeric(table[[column]])) which(is.infinite(table[[column]]))
  if (!is.numeric(table[[column]]) || length(bad)) {
    abort_judicious(c(
      "Column {.val {column}} of {.arg {arg}} must hold finite numbers or an ordered factor, NA where there is no
        grade.",
      x = if (length(bad)) "Row {bad[1]} has {table[[column]][bad[1]]}."
          else "It is {.obj_type_friendly {table[[column]]}}.",
      i = if (!is.numeric(table[[column]])) "{.code factor(grade, levels, ordered = TRUE)} makes an ordered factor of
        words, with the {.arg levels} from the lowest grade to the highest."
    ), "columns", argument = "grades", columns = column, rows = bad, call = call)
  }
  grade <- suppressWarnings(pair_columns(pool_ids(x), table[c("query", "doc", column)], arg, call)[[1]],
                            classes = "judicious_warning_no_metadata")
  if (required && all(is.na(grade))) {
    abort_judicious("{.arg {arg}} has no grade of a pair of the pool: do its {.val query} and {.val doc} have the
      identifiers of the runs?", "missing_gains", argument = "grades", call = call)
  }
  grade
}

grade_steps <- function(grade, levels, grader) {
  steps <- outer(grade, levels[-1], ">=") + 0
  # A missing grade is replaced by the average over the other pairs.
  steps <- apply(steps, 2, function(step) replace(step, is.na(step), mean(step, na.rm = TRUE)))
  colnames(steps) <- paste0(grader, ">=", levels[-1])
  steps
}

# The columns of all graders, in the form of custom features.
grade_features <- function(grades) {
  unlist(lapply(unname(grades), function(steps) as.list(as.data.frame(steps, optional = TRUE))), recursive = FALSE)
}

# By grader, the names of its steps in any of several collections, from the results of read_grades() for each.
all_steps <- function(said) {
  steps <- unlist(lapply(unname(said), function(one) lapply(one$steps, colnames)), recursive = FALSE)
  lapply(split(steps, factor(names(steps), unique(names(steps)))), function(each) unique(unlist(each)))
}

# The input of the mean of joint gains, for a collection and a model: `own`, the values of custom features and of
# grades; `grades`; and the model with a prior for all of them.
mean_features <- function(x, model, grades, call = caller_env()) {
  said <- read_grades(x, grades, call)
  warn_constant_graders(said)
  own <- own_feature_values(x, model$features, call)
  for_all <- function(model) {
    model <- with_own_features(with_possible_teams(model, x), names(own))
    with_graders(model, lapply(said$steps, colnames))
  }
  model <- for_all(model_for(model, x))
  if (!is.null(model$fallback)) model$fallback <- for_all(model$fallback)
  list(model = model, own = c(own, grade_features(said$steps)), grades = said$grades)
}

# Adds a prior for graders that the model does not have, given the names of the steps of each. Each step up a grader's
# scale adds to the logit of the mean gain. The effects of a grader's steps are correlated. Graders agree with each
# other, so several of them add less together than the sum of what each adds alone. A grader also knows part of what the
# agreement of the systems says, whose slopes are therefore expected to be smaller with a grader.
with_graders <- function(model, steps) {
  unseen <- lapply(steps, setdiff, names(model$coefficient))
  if (any(lengths(unseen) > 0)) {
    between <- intersect(names(model$coefficient), c("agreement", "list_agreement"))
    model$coefficient[between] <- model$coefficient[between] * left_to_agreement
  }
  for (grader in which(lengths(unseen) > 0)) {
    names <- unseen[[grader]]
    first <- names == steps[[grader]][1]
    mean <- ifelse(first, first_step$mean, next_step$mean) / length(steps)^grader_overlap
    sd <- ifelse(first, first_step$sd, next_step$sd)
    model <- with_coefficients(model, stats::setNames(mean, names), sd)
    model$coefficient_covariance[names, names] <- outer(sd, sd) * (diag(length(names)) + 1) / 2
  }
  model
}

first_step <- list(mean = 1.7, sd = 0.9)
next_step <- list(mean = 0.7, sd = 0.5)
grader_overlap <- 0.7
left_to_agreement <- 0.5
