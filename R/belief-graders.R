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

# Converts `grades`, or else those of the collection, to features of the pairs of `x`: `number`, one number per pair or
# NULL, and `steps`, a list with one matrix per grader, pairs by grades above its lowest, which is 1 if the pair's grade
# is at least that. `constant` has the names of the graders that are left out, because they give all pairs the same
# grade. A grader without any grade of a pair raises an error if grades are `required`, and is left out otherwise.
read_grades <- function(x, grades, call = caller_env(), required = TRUE) {
  grades <- grades_in_files(if (is.function(grades)) grades(x) else grades, call) %||% carried_grades(x)
  if (is.null(grades)) return(list(number = NULL, steps = list(), constant = NULL))
  if (is.matrix(grades)) {
    check_grade_values(grades, n_pairs(x), length(x$scale$model_levels), call)
    # The logit of the expected gain.
    expected <- as.vector(grades %*% unit_gain(x, x$scale$model_levels))
    number <- stats::qlogis(pmin(pmax(expected, 0.01), 0.99))
    return(list(number = if (varies(number)) number, steps = list(), constant = if (!varies(number)) "grades"))
  }
  several <- is.list(grades) && !is.data.frame(grades)
  known <- Map(function(one, arg) grades_on_pool(one, x, arg, call, required),
               if (several) name_graders(grades, call) else list(grade = grades),
               if (several) grader_args(grades) else "grades")
  # Without judgments, nothing but the grades shows that the scale is another. Grades of two levels do not tell.
  if (all(is.na(x$gain))) {
    for (grade in known) if (any(grade > 1, na.rm = TRUE)) warn_other_scale(grade, x$scale, "grades")
  }
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
  steps <- Map(function(grade, levels, grader) {
    # A missing grade is replaced by the average over the other pairs.
    steps <- apply(outer(grade, levels[-1], ">="), 2, function(v) replace(v, is.na(v), mean(v, na.rm = TRUE))) + 0
    structure(steps, dimnames = list(NULL, paste0(grader, ">=", levels[-1])))
  }, known, grade_levels, names(known))
  list(number = NULL, steps = steps, constant = constant, ungraded = ungraded)
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
