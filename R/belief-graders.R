# Graders: grades by language models or others for the pairs of a pool. Grades enter the mean of joint gains level by
# level, as custom features. Their effects are learned from judgments, with a prior that higher grades mean higher
# gains.

# A grader with more levels than this is a numeric feature with a single slope.
most_grades <- 10

# The prior of the effects of a grader's steps, of which the first is another than the others. With more than three
# steps, those after the first are smaller. Graders agree with each other, so several of them add less together than the
# sum of what each adds alone. data-raw/graders.R estimates the constants.
step_prior <- function(steps, graders) {
  first <- seq_len(steps) == 1
  finer <- max(1, (steps - 1) / 2)^step_fineness
  list(mean = ifelse(first, first_step$mean, next_step$mean / finer) / graders^grader_overlap,
       sd = ifelse(first, first_step$sd, next_step$sd / finer))
}

first_step <- list(mean = 1.7, sd = 0.9)
next_step <- list(mean = 0.7, sd = 0.5)
step_fineness <- 0.4
grader_overlap <- 0.7

# Converts `grades` to features of the pairs of `x`: `number`, one number per pair or NULL, and `steps`, a list with one
# matrix per grader, pairs by grades above its lowest, which is 1 if the pair's grade is at least that. `constant` has
# the names of the graders that are left out, because they give all pairs the same grade. A grader without any grade of
# a pair raises an error if grades are `required`, and is left out otherwise.
read_grades <- function(x, grades, call = caller_env(), required = TRUE) {
  grades <- grades_in_files(if (is.function(grades)) grades(x) else grades, call)
  if (is.null(grades)) return(list(number = NULL, steps = list(), constant = NULL))
  if (is.matrix(grades)) return(read_probabilities(x, grades, call))
  several <- is.list(grades) && !is.data.frame(grades)
  known <- Map(function(one, arg) grades_on_pool(one, x, arg, call, required),
               if (several) name_graders(grades, call) else list(grade = grades),
               if (several) grader_args(grades) else "grades")
  if (all(is.na(x$gain))) warn_few_grades(x, known)
  ungraded <- sum(Reduce(`&`, lapply(known, is.na)))
  constant <- names(known)[!vapply(known, varies, NA)]
  known <- known[setdiff(names(known), constant)]
  grade_levels <- lapply(known, function(grade) sort(unique(grade[!is.na(grade)])))
  fine <- lengths(grade_levels) > most_grades
  if (length(known) == 1 && fine) {
    return(list(number = as.vector(scale(known[[1]])), steps = list(), constant = constant, ungraded = ungraded))
  }
  grade_levels[fine] <- lapply(known[fine], function(grade) {
    unique(stats::quantile(grade, seq(0, most_grades - 1) / most_grades, na.rm = TRUE, names = FALSE, type = 1))
  })
  list(number = NULL, steps = Map(grade_steps, known, grade_levels, names(known)), constant = constant,
       ungraded = ungraded)
}

# Without judgments, nothing but the grades shows that the scale is another. Grades of two levels do not tell.
warn_few_grades <- function(x, known) {
  for (grade in known) if (any(grade > 1, na.rm = TRUE)) warn_other_scale(grade, x$scale, "grades")
}

# The logit of the expected gain, from a matrix of probabilities.
read_probabilities <- function(x, prob, call) {
  check_grade_values(prob, n_pairs(x), length(x$scale$model_levels), call)
  expected <- as.vector(prob %*% unit_gain(x$scale, x$scale$model_levels))
  number <- stats::qlogis(pmin(pmax(expected, 0.01), 0.99))
  list(number = if (varies(number)) number, steps = list(), constant = if (!varies(number)) "grades")
}

check_grade_values <- function(grades, pairs, levels, call = caller_env()) {
  valid <- is.numeric(grades) && if (is.matrix(grades)) {
    nrow(grades) == pairs && ncol(grades) == levels && has_probability_rows(grades)
  } else {
    length(grades) == pairs && !any(is.infinite(grades))
  }
  if (valid) return(invisible())
  abort_judicious(c(
    "{.arg grades} must have one finite number, or one row of {levels} probabilities, for each of the
      {format_count(pairs)} pairs of the pool.",
    x = if (is.matrix(grades)) "It has {nrow(grades)} row{?s} and {ncol(grades)} column{?s}."
    else if (is.numeric(grades) && any(is.infinite(grades))) "Number {which(is.infinite(grades))[1]} is infinite."
    else "It is {.obj_type_friendly {grades}} of length {length(grades)}.",
    i = "They are in the order of {.code as.data.frame(joint_gains(x, past))}. Rows of probabilities sum to 1; NA
      where there is no grade.",
    i = "A data frame with {.val query}, {.val doc} and {.val grade} may be in any order."
  ), "argument", argument = "grades", call = call)
}

# Whether every row is a probability distribution, or has an NA.
has_probability_rows <- function(prob) {
  total <- rowSums(prob)
  all(is.na(prob) | (prob >= 0 & prob <= 1)) && all(is.na(total) | abs(total - 1) < 1e-6)
}

warn_constant_graders <- function(said) {
  constant <- said$constant
  if (!length(constant)) return(invisible())
  alone <- length(constant) == 1 && !length(said$steps) && is.null(said$number)
  warn_judicious(c(
    if (alone) "{.arg grades} gives the same grade to every pair that it contains of the pool, and is left out." else
      "{cli::qty(length(constant))}Grader{?s} {.val {constant}} of {.arg grades} {?gives/give} the same grade to every
        pair of the pool, and {?is/are} left out.",
    i = "Only grades that differ tell pairs apart."
  ), "constant_grades", graders = constant)
}

# Reads the grades that are in files, or in tables of a database. Several paths without names are named by their files.
# Grades that are among `failed` are NA.
grades_in_files <- function(grades, call = caller_env(), failed = NULL) {
  check_that(is.null(failed) || is.numeric(failed) || is.character(failed), "failed",
             "must be the grades that mark a failure, as {.code -1}.", call = call)
  if (is.function(grades)) return(if (is.null(failed)) grades else function(x) grades_in_files(grades(x), call, failed))
  read <- function(one, arg) {
    if (inherits(one, "judicious_bradley_terry")) one$strengths
    else without_failed(if (is_source(one)) grades_from_path(one, arg, call) else one, failed, arg, call)
  }
  grades <- named_paths(grades)
  if (is_list_of_graders(grades)) Map(read, grades, grader_args(grades)) else read(grades, "grades")
}

is_list_of_graders <- function(grades) is.list(grades) && !is.object(grades) && !is_database_table(grades)

named_paths <- function(grades) {
  if (!is.character(grades) || length(grades) == 1 && is.null(names(grades))) return(grades)
  as.list(stats::setNames(grades, names(grades) %||% sub("[.].*", "", basename(grades))))
}

# Grades without those that are `failed`, or text without a grade. The attribute `failed` tells that the others are
# known to be grades, and `failures` which rows had failed.
without_failed <- function(grades, failed, arg, call) {
  if (!are_single_grades(grades)) return(grades)
  column <- if (is.data.frame(grades)) intersect(grade_columns, names(grades))
  value <- if (is.null(column)) grades else grades[[column]]
  is_failed <- is_nan_number(value) | as.character(value) %in% as.character(failed)
  if (is.numeric(value)) is_failed <- is_failed | value %in% suppressWarnings(as.numeric(failed))
  if (is_text(value)) {
    is_failed <- is_failed | lower_ascii(trimws(as.character(value))) %in% words_without_grade & value != "NA"
    value <- grades_of_text(value, is_failed, column, arg, call)
    if (is.null(value)) return(grades)
  }
  value[is_failed] <- NA
  if (is.null(column)) grades <- value else grades[[column]] <- value
  if (any(is_failed)) attr(grades, "failures") <- which(is_failed)
  if (!is.null(failed)) attr(grades, "failed") <- failed
  grades
}

is_text <- function(value) is.character(value) || is.factor(value) && !is.ordered(value)

# Whether there is one grade of each pair, rather than probabilities, or another table.
are_single_grades <- function(grades) {
  if (!is.data.frame(grades)) return(is.atomic(grades) && !is.null(grades) && !is.matrix(grades))
  column <- intersect(grade_columns, names(grades))
  length(column) == 1 && is.atomic(grades[[column]])
}

# The numbers that a text has; NULL for words without any number, the levels of a scale, which is told later.
grades_of_text <- function(value, is_failed, column, arg, call) {
  text <- trimws(as.character(value))
  number <- suppressWarnings(as.numeric(text))
  words <- unique(text[is.na(number) & !is_failed & !text %in% c("NA", NA)])
  if (length(words) && all(is.na(number))) return(NULL)
  check_that(!length(words), "grades", c(
    "{.arg {arg}} has {cli::qty(words)}{?a grade that is no number/grades that are no numbers}: {name_some(words)},
      the first in row {which(text %in% words)[1]}.",
    i = "{.code failed = \"{words[1]}\"} leaves such grades out."
  ), kind = "columns", columns = column, rows = which(text %in% words), call = call)
  number
}

is_nan_number <- function(value) if (is.double(value)) is.nan(value) else rep(FALSE, length(value))

grade_columns <- c("grade", "gain", "strength")

words_without_grade <- c("", "na", "n/a", "#n/a", "nan", "null", "none")

# The grades that look like marks of failures, because they are outside the scale that the others show: the only
# negative number, such as -1 beside 0 to 3 (but not in -1, 0, 1, unless it is rare); or 9, 99, -999 and the like, far
# from all others.
failure_marks <- function(grade) {
  grade <- grade[!is.na(grade)]
  value <- sort(unique(grade))
  n <- length(value)
  if (n < 3) return(numeric())
  mark <- if (is_low_mark(value, grade)) value[1] else if (is_high_mark(value)) value[n]
  if (is.null(mark)) numeric() else sort(c(mark, failure_marks(grade[grade != mark])))
}

# 9, 99, -999 and the like, or millions.
looks_like_mark <- function(value) value == trunc(value) && (grepl("^-?9+$", number_names(value)) || abs(value) >= 1e6)

# Whether the lowest of the sorted, different grades `value` is a mark.
is_low_mark <- function(value, grade) {
  steps <- diff(value)
  symmetric <- isTRUE(all.equal(value, -rev(value))) && mean(grade == value[1]) >= 0.1
  only_negative <- value[1] < 0 && value[2] >= 0 && value[1] == trunc(value[1]) && !symmetric
  only_negative || looks_like_mark(value[1]) && steps[1] > 3 * sum(steps[-1])
}

is_high_mark <- function(value) {
  n <- length(value)
  steps <- diff(value)
  others <- steps[-(n - 1)]
  looks_like_mark(value[n]) && (steps[n - 1] > 3 * sum(others) || all(others == 1) && steps[n - 1] > n)
}

# Raises an error for marks of failures among the grades of the pairs, which would be taken for very low or high grades.
refuse_failure_marks <- function(grade, x, arg, call) {
  marks <- failure_marks(grade)
  if (!length(marks)) return(invisible())
  is_mark <- grade %in% marks
  code <- if (length(marks) == 1) marks else paste0("c(", paste(marks, collapse = ", "), ")")
  check_that(FALSE, "grades", c(
    "{format_count(sum(is_mark))} of {format_count(sum(!is.na(grade)))} grades of {.arg {arg}} {cli::qty(sum(is_mark))}
      {?is/are} {.or {marks}}, outside the scale of the others: do they mark failures?",
    x = most_failures(x, is_mark),
    i = "{.code failed = {code}} leaves them out; {.code failed = numeric()} keeps them as grades. Where there is no
      argument {.arg failed}, replace them by NA."
  ), kind = "failed_grades", grades = marks, call = call)
}

# The system of whose documents most have failed grades.
most_failures <- function(x, failed) {
  share <- system_means(x, failed + 0)
  sprintf("System %s has most: %s of the grades of its documents.", x$systems$system[which.max(share)],
          percent(max(share), 1))
}

# A collection whose scale was not stated takes it from the judgments, or else from the grades.
with_known_scale <- function(x, judgments = NULL, grades = NULL, call = caller_env()) {
  if (!is_open_scale(x$scale)) return(x)
  if (is_source(judgments)) judgments <- judgments_from_path(judgments, "judgments", call = call)
  if (inherits(judgments, c("judicious_session", "judicious_collection"))) judgments <- judgments_of(judgments)
  x <- with_scale_of(x, judgments, "judgments")
  with_scale_of(x, grades_in_files(if (is.function(grades)) grades(x) else grades, call), "grades")
}

name_graders <- function(graders, call) {
  one_each <- function(one) is.data.frame(one) || (is.numeric(one) && !is.matrix(one))
  check_that(length(graders) && all(vapply(graders, one_each, NA)), "grades", "A list as {.arg grades} must hold data
    frames with {.val query}, {.val doc} and a grade, or one number per pair of the pool, one per grader.", call = call)
  given <- names(graders) %||% character(length(graders))
  given[given == ""] <- if (length(graders) == 1) "grade" else paste0("grader", which(given == ""))
  check_that(!anyDuplicated(given), "grades",
             "has two graders named {.val {given[anyDuplicated(given)]}}.", call = call)
  stats::setNames(graders, given)
}

# How messages refer to each grader.
grader_args <- function(graders) {
  if (length(graders) == 1) return("grades")
  named <- nzchar(names(graders) %||% character(length(graders)))
  ifelse(named, paste0("grades$", names(graders)), paste0("grades[[", seq_along(graders), "]]"))
}

# A grade per pair of the pool, NA if there is none, which contains no information about the pair.
grades_on_pool <- function(table, x, arg, call, required = TRUE) {
  if (!is.data.frame(table)) {
    check_grade_values(table, n_pairs(x), length(x$scale$model_levels), call)
    check_that(!required || !all(is.na(table)), "grades", "{.arg {arg}} has no grade of a pair of the pool.",
               kind = "missing_gains", call = call)
    tell_failures(table, seq_along(table), x, arg, call)
    return(as.numeric(table))
  }
  check_columns(table, c("query", "doc"), arg, call)
  column <- intersect(grade_columns, names(table))
  check_that(length(column) == 1, "grades", c(
    "{.arg {arg}} must have one column of grades, named {.val grade}, {.val gain} or {.val strength}.",
    x = "Its columns are {.val {names(table)}}."
  ), kind = "columns", columns = c("grade", "gain"), call = call)
  if (is.ordered(table[[column]])) table[[column]] <- as.integer(table[[column]])
  bad <- if (is.numeric(table[[column]])) which(is.infinite(table[[column]]))
  abort_unless(is.numeric(table[[column]]) && !length(bad), c(
    "Column {.val {column}} of {.arg {arg}} must hold finite numbers or an ordered factor, NA where there is no
      grade.",
    x = if (length(bad)) "Row {bad[1]} has {table[[column]][bad[1]]}."
        else "It is {.obj_type_friendly {table[[column]]}}.",
    i = if (!is.numeric(table[[column]])) "{.code factor(grade, levels, ordered = TRUE)} makes an ordered factor of
      words, with the {.arg levels} from the lowest grade to the highest."
  ), "columns", argument = "grades", columns = column, rows = bad, call = call)
  table$row <- seq_len(nrow(table))
  found <- suppressWarnings(pair_columns(pool_ids(x), table[c("query", "doc", column, "row")], arg, call),
                            classes = "judicious_warning_no_metadata")
  grade <- found[[1]]
  tell_failures(table, found$row, x, arg, call, grade)
  check_that(!required || !all(is.na(grade)), "grades", "{.arg {arg}} has no grade of a pair of the pool: do its
    {.val query} and {.val doc} have the identifiers of the runs?", kind = "missing_gains", call = call)
  grade
}

# Tells what has failed of the grades of the pairs, which are in these `rows`, or raises an error for what may have.
tell_failures <- function(table, rows, x, arg, call, grade = as.numeric(table)) {
  is_failed <- rows %in% attr(table, "failures")
  if (any(is_failed)) {
    share <- most_failures(x, is_failed)
    inform_judicious("{.arg {arg}}: {format_count(sum(is_failed))} of {format_count(sum(!is.na(rows)))} grades failed
      and {cli::qty(sum(is_failed))}{?is/are} left out. {share}", "failed_grades", n = sum(is_failed))
  }
  if (is.null(attr(table, "failed"))) refuse_failure_marks(grade, x, arg, call)
}

grade_steps <- function(grade, levels, grader) {
  # A missing grade is replaced by the average over the other pairs.
  steps <- apply(outer(grade, levels[-1], ">="), 2, function(v) replace(v, is.na(v), mean(v, na.rm = TRUE))) + 0
  colnames(steps) <- paste0(grader, ">=", levels[-1])
  steps
}

# The features of the grades, in the form of custom features: the steps of each grader, or `grades`, without the
# differences between the means of the systems; `system_grades`, which has only these differences (of the grades with
# each step weighted by its prior mean), so that they have a slope of their own (see within_systems()); and the favours
# of teams, unless systems share no documents, where unchecked_factor() allows for them. Grades of single documents have
# errors, which means of many documents have not, so the slope between systems is larger, and more so the fewer steps
# the graders have.
grade_features <- function(x, said) {
  steps <- unlist(lapply(unname(said$steps), function(steps) as.list(as.data.frame(steps, optional = TRUE))),
                  recursive = FALSE)
  features <- c(steps, if (!is.null(said$number)) list(grades = replace(said$number, is.na(said$number), 0)))
  if (!length(features)) return(list())
  between <- Reduce(`+`, lapply(grade_worths(said), between_systems, x = x)) * (1 + coarseness / max(length(steps), 1))
  c(lapply(features, within_systems, x = x),
    if (varies(between)) c(list(system_grades = between), if (alone_share(x) < 1) favour_features(x, between)))
}

coarseness <- 0.4

# The grades of each grader as one number per pair, in units of the logit of the mean gain.
grade_worths <- function(said) {
  if (!is.null(said$number)) return(list(number_slope$mean * replace(said$number, is.na(said$number), 0)))
  lapply(said$steps, function(steps) as.vector(steps %*% step_prior(ncol(steps), length(said$steps))$mean))
}

# The differences between systems of `value`, the grades by one grader. The grades of a system that was re-ranked by
# the same grades are too high, because it selected documents by their errors. Its mean is replaced by that of other
# systems with lists that agree with the others as much.
between_systems <- function(x, value) {
  between <- value - within_systems(x, value)
  again <- reranked_systems(x, value)
  if (!length(again)) return(between)
  average <- system_means(x, between)
  with_system_means(x, between, replace(average, again, expected_by_agreement(x, average, again)[again]))
}

# By team, how much higher the mean grades of its systems are than expected of systems whose lists agree with the others
# as much. Such systems are better than others, or the grader favours them; grades alone do not tell. Each of the teams
# for which this is most therefore has a slope of its own, with prior mean 0 (see with_graders()).
favour_features <- function(x, between) {
  average <- system_means(x, between)
  excess <- pmax(average - expected_by_agreement(x, average), 0)
  highest <- sort(tapply(excess, x$systems$team, max), decreasing = TRUE)
  teams <- utils::head(names(highest)[highest > 1e-6], most_favours)
  favours <- lapply(teams, function(team) with_system_means(x, 0 * between, excess * (x$systems$team == team)))
  stats::setNames(favours, paste0("favour:", teams))
}

most_favours <- 10

# What a linear regression on the agreement of the lists of each system predicts of `average`, one number per system. It
# is estimated without some systems.
expected_by_agreement <- function(x, average, without = integer()) {
  agreement <- cbind(1, system_means(x, list_agreement(x, log(output_features(x)$pTEAM))))
  found <- stats::lm.wfit(agreement, average, replace(0 * average + 1, without, 0))$coefficients
  as.vector(agreement %*% replace(found, is.na(found), 0))
}

# Changes `value` by amounts of the systems so that the means of the systems are `average`.
with_system_means <- function(x, value, average) {
  for (round in 1:10) value <- value - mean_over_systems_cpp(x$results, system_means(x, value) - average)
  value
}

# The systems that were re-ranked by a grader, by whose grades a list hardly ever has a document below a worse one: less
# than a tenth as often as the median system. In real runs, it was at least three tenths for language models, and a
# seventh for the human judgments, except for runs that use these (bench/trust-graders.R).
reranked_systems <- function(x, value) {
  if (is.null(x$results$rank)) return(integer())
  lists <- cbind(x$results$system, x$pool$query[result_pair(x)], x$results$rank, value[result_pair(x)])
  lists <- lists[order(lists[, 1], lists[, 2], lists[, 3]), , drop = FALSE]
  below <- diff(lists)
  worse <- below[, 1] == 0 & below[, 2] == 0 & below[, 3] > 0 & below[, 4] > 1e-9
  times <- tabulate(lists[-1, 1][worse], n_systems(x))
  which(times + 1 < stats::median(times) / 10)
}

# By grader, the names of its steps in any of several collections, from the results of read_grades() for each.
all_steps <- function(said) {
  steps <- unlist(lapply(unname(said), function(one) lapply(one$steps, colnames)), recursive = FALSE)
  lapply(split(steps, factor(names(steps), unique(names(steps)))), function(each) unique(unlist(each)))
}
