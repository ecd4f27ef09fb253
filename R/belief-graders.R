# Grades of the pairs of a pool, by language models or other graders. Grades enter the mean of joint gains level by
# level, as custom features. Their effects are learned from judgments, with a prior that higher grades mean higher
# gains.

# The largest number of levels of a grader. If the only grader has more, its grades are a numeric feature with a single
# slope; if one of several graders has more, its grades are cut at quantiles into this number of levels.
max_grades <- 10

# The prior of the effects of a grader's steps (0/1 features: the grade is at least a level). The first step has a
# separate prior. With more than three steps, the effects after the first are smaller. Graders agree with each other, so
# each of several graders has smaller effects than a single one. data-raw/graders.R estimates the constants.
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
# NULL, and `steps`, a list with one matrix per grader, which has a row per pair and a column per grade above the
# lowest, and is 1 if the pair's grade is at least that of the column. `constant` has the names of the graders that are
# left out, because they give all pairs the same grade. A grader without any grade of a pair raises an error if grades
# are `required`, and is left out otherwise.
read_grades <- function(x, grades, required = TRUE) {
  if (!is.null(grades)) grades <- grades_in_files(if (is.function(grades)) grades(x) else grades)
  grades <- grades %||% carried_grades(x)
  if (is.null(grades)) return(list(number = NULL, steps = list(), constant = NULL))
  if (is.matrix(grades)) return(read_probabilities(x, grades))
  pool_grades <- graders_on_pool(x, grades, required)
  # Without judgments to compare with, only the grades themselves can show that they are on another scale than the
  # collection. Grades of 0 and 1 fit any scale.
  other_scale <- all(is.na(x$gain)) & vapply(pool_grades, function(grade) any(grade > 1, na.rm = TRUE), NA)
  for (grader in names(pool_grades)[other_scale]) {
    warn_other_scale(pool_grades[[grader]], x$scale, "grades", if (length(pool_grades) > 1) grader)
  }
  ungraded <- sum(Reduce(`&`, lapply(pool_grades, is.na)))
  constant <- names(pool_grades)[!vapply(pool_grades, varies, NA)]
  pool_grades <- pool_grades[setdiff(names(pool_grades), constant)]
  grade_levels <- lapply(pool_grades, function(grade) sort(unique(grade[!is.na(grade)])))
  has_many_grades <- lengths(grade_levels) > max_grades
  if (length(pool_grades) == 1 && has_many_grades) {
    return(list(number = as.vector(scale(pool_grades[[1]])), steps = list(), constant = constant, ungraded = ungraded))
  }
  grade_levels[has_many_grades] <- lapply(pool_grades[has_many_grades], function(grade) {
    unique(stats::quantile(grade, seq(0, max_grades - 1) / max_grades, na.rm = TRUE, names = FALSE, type = 1))
  })
  list(number = NULL, steps = Map(steps_of_grader, pool_grades, grade_levels, names(pool_grades)), constant = constant,
       ungraded = ungraded)
}

# A missing grade is replaced by the average over the other pairs.
steps_of_grader <- function(grade, levels, grader) {
  steps <- apply(outer(grade, levels[-1], ">="), 2, function(v) replace(v, is.na(v), mean(v, na.rm = TRUE))) + 0
  structure(steps, dimnames = list(NULL, paste0(grader, ">=", levels[-1])))
}

# Converts probabilities of gains to the feature `number`: the logit of the expected gain of each pair.
read_probabilities <- function(x, grades) {
  check_grade_values(grades, n_pairs(x), length(x$scale$model_levels))
  expected <- as.vector(grades %*% unit_gain(x, x$scale$model_levels))
  number <- stats::qlogis(pmin(pmax(expected, 0.01), 0.99))
  list(number = if (varies(number)) number, steps = list(), constant = if (!varies(number)) "grades")
}

warn_constant_graders <- function(graders) {
  constant <- graders$constant
  is_only <- length(constant) == 1 && !length(graders$steps) && is.null(graders$number)
  warn_judicious(c(
    if (is_only) "{.arg grades} gives the same grade to every pair that it contains of the pool, and is left out." else
      "{cli::qty(length(constant))}Grader{?s} {.val {constant}} of {.arg grades} {?gives/give} the same grade to every
        pair of the pool, and {?is/are} left out.",
    i = "Only grades that differ tell pairs apart."
  ), "constant_grades", graders = constant)
}

# The features of the grades, in the form of custom features. Differences between the mean grades of systems have a
# separate slope (see within_systems()): they are removed from the steps of each grader, or from `grades`, and make up
# `system_grades`, with each step weighted by its prior mean. favour_features() are added unless systems share no
# documents, where unchecked_factor() allows for favouritism instead. Errors of single grades average out in the mean
# over many documents, so the slope between systems is larger, especially if graders have few steps.
grade_features <- function(x, graders) {
  steps <- unlist(lapply(unname(graders$steps), function(steps) as.list(as.data.frame(steps, optional = TRUE))),
                  recursive = FALSE)
  features <- c(steps, if (!is.null(graders$number)) list(grades = replace(graders$number, is.na(graders$number), 0)))
  if (!length(features)) return(list())
  coarse_factor <- 1 + coarseness / max(length(steps), 1)
  between <- Reduce(`+`, lapply(grade_predictors(graders), between_systems, x = x)) * coarse_factor
  c(lapply(features, within_systems, x = x),
    if (varies(between)) c(list(system_grades = between), if (lack_of_overlap(x) < 1) favour_features(x, between)))
}

coarseness <- 0.4

# The grades of each grader as one number per pair, in units of the logit of the mean gain.
grade_predictors <- function(graders) {
  if (!is.null(graders$number)) return(list(number_slope$mean * replace(graders$number, is.na(graders$number), 0)))
  lapply(graders$steps, function(steps) as.vector(steps %*% step_prior(ncol(steps), length(graders$steps))$mean))
}

# The differences between systems in `value`, the grades by one grader. A system that was re-ranked by the same grades
# has a mean grade that is too high, because it selected documents whose grades err upwards. Its mean is replaced by the
# prediction of expected_by_agreement() from the other systems.
between_systems <- function(x, value) {
  between <- value - within_systems(x, value)
  reranked <- reranked_systems(x, value)
  if (!length(reranked)) return(between)
  average <- system_means(x, between)
  with_system_means(x, between, replace(average, reranked, expected_by_agreement(x, average, reranked)[reranked]))
}

# By team: how much the mean grades of its systems exceed the prediction from the agreement of their lists with the
# others. Such systems are better than others, or the grader favours them; grades alone cannot distinguish the two. Each
# of the teams with the largest excess therefore has a separate slope, with prior mean 0 (see with_graders()).
favour_features <- function(x, between) {
  average <- system_means(x, between)
  excess <- pmax(average - expected_by_agreement(x, average), 0)
  highest <- sort(tapply(excess, x$systems$team, max), decreasing = TRUE)
  teams <- utils::head(names(highest)[highest > 1e-6], max_favours)
  favours <- lapply(teams, function(team) with_system_means(x, 0 * between, excess * (x$systems$team == team)))
  stats::setNames(favours, sprintf("favour:%s", teams))
}

max_favours <- 10

# Predicts `average`, one number per system, by a linear regression on the agreement of the lists of each system. The
# regression leaves out the systems `excluded`.
expected_by_agreement <- function(x, average, excluded = integer()) {
  agreement <- cbind(1, system_means(x, list_agreement(x, log(pair_features(x)$pTEAM))))
  found <- stats::lm.wfit(agreement, average, replace(0 * average + 1, excluded, 0))$coefficients
  as.vector(agreement %*% replace(found, is.na(found), 0))
}

# Adds a number per system to the `value` of its documents such that the means of the systems become `average`.
with_system_means <- function(x, value, average) {
  for (round in 1:10) value <- value - mean_over_systems_cpp(x$results, system_means(x, value) - average)
  value
}

# The systems that were re-ranked by a grader. Their lists hardly ever place a document directly below one with a lower
# grade: less than a tenth as often as those of the median system. In real runs, this ratio was at least three tenths
# for grades by language models and a seventh for human judgments, except for runs that use these judgments
# (bench/trust-graders.R).
reranked_systems <- function(x, value) {
  if (is.null(x$results$rank)) return(integer())
  lists <- cbind(x$results$system, x$pool$query[result_pair(x)], x$results$rank, value[result_pair(x)])
  lists <- lists[order(lists[, 1], lists[, 2], lists[, 3]), , drop = FALSE]
  below <- diff(lists)
  worse <- below[, 1] == 0 & below[, 2] == 0 & below[, 3] > 0 & below[, 4] > 1e-9
  times <- tabulate(lists[-1, 1][worse], n_systems(x))
  which(times + 1 < stats::median(times) / 10)
}

# For each grader, the names of the steps that occur in any of several collections. `graders`: for each collection, the
# result of read_grades().
all_steps <- function(graders) {
  steps <- unlist(lapply(unname(graders), function(grader_set) lapply(grader_set$steps, colnames)), recursive = FALSE)
  lapply(split(steps, factor(names(steps), unique(names(steps)))), function(each) unique(unlist(each)))
}

# The prior of joint gains for a collection with grades: a mixture of a prior that trusts the graders and one that does
# not. The weights of the two depend on whether documents that many systems retrieved have higher grades, and on the
# judgments. The constants below were chosen by the results of bench/trust-graders.R.

# A check of grades without judgments: `correlation`, within queries, of the grades (the sum of `values`, one vector per
# grader) and of the log of the number of teams that retrieved a document, and its standard error `se`. The less this
# log varies, the smaller is the correlation for a given grader, so both numbers are converted to those for the usual
# variation. Where systems share few documents, these may be special: failed answers, or perfect ones, for which the
# correlation is about -2 or 1.4 (`few_shared_sd`), however good the grader is. `reranked`: the systems that a grader
# re-ranked.
grade_check <- function(x, values) {
  within_queries <- function(v) v - stats::ave(v, x$pool$query)
  value <- within_queries(Reduce(`+`, values))
  retrieved <- within_queries(log(pair_features(x)$pTEAM))
  reranked <- x$systems$system[unique(unlist(lapply(values, reranked_systems, x = x)))]
  if (!varies(retrieved) || !varies(value)) return(list(correlation = 0, se = uninformative_se, reranked = reranked))
  usual <- min(stats::sd(retrieved) / usual_sharing$sd, 1)^usual_sharing$power
  apart <- lack_of_overlap(x, differ = stats::ave(abs(retrieved), x$pool$query) > 1e-9)
  se <- sqrt(1 / max(length(value) - n_queries(x), 1) / usual^2 + (few_shared_sd * apart / (1 - apart))^2)
  list(correlation = stats::cor(value, retrieved) / usual, se = min(se, uninformative_se), reranked = reranked)
}

usual_sharing <- list(sd = 0.7, power = 0.6)
uninformative_se <- 1000
few_shared_sd <- 2

# Adds a prior for the graders that the model does not know, given the names of the steps of each and whether there is a
# grader with a `number` per pair. What a model has learned about graders is kept, and there is no mixture then.
# `grading` has the two priors, the log odds that the graders are informative before any judgment, and the check that
# these odds follow from; mean_features() adds the model without graders as it was before prior_for_collection() adapted
# it to the collection (`unadapted`). `favours`: the names of favour_features().
with_graders <- function(model, steps, number, check = list(correlation = 0, se = uninformative_se, alone = 0),
                         favours = character()) {
  unseen <- lapply(steps, setdiff, names(model$coefficient))
  if (!number && !any(lengths(unseen) > 0)) return(model)
  graded <- model
  for (grader in which(lengths(unseen) > 0)) {
    new <- unseen[[grader]]
    prior <- lapply(step_prior(length(steps[[grader]]), length(steps)), `[`, match(new, steps[[grader]]))
    graded <- with_coefficients(graded, stats::setNames(prior$mean, new), prior$sd)
    graded$coefficient_covariance[new, new] <- outer(prior$sd, prior$sd) * (diag(length(new)) + 1) / 2
  }
  learned <- number || any(unlist(steps) %in% names(model$coefficient))
  if (learned && isTRUE(model$fitted$graded)) return(graded)
  graded <- with_coefficients(graded, stats::setNames(numeric(length(favours)), favours),
                              rep(favour_sd, length(favours)))
  grading <- list(informative = informative_model(graded, check),
                  uninformative = uninformative_model(graded, c(unlist(steps), grade_slopes, favours)),
                  odds = prior_log_odds(check), check = check)
  grader_mixture(grading, grading$odds)
}

# The standard deviation of the slopes of favour_features() (bench/trust-graders.R).
favour_sd <- 0.8

# The prior if the graders are informative. Grades explain part of the differences between systems and teams, so the
# variances of these effects are smaller. They also explain part of what the agreement of systems predicts (half of it
# even if the grader is poor), so the slopes of agreement are smaller. Both decrease with the quality of the grader. The
# slopes of the features of the systems' output are less uncertain. The larger variance between systems that
# give one answer each (`system_factor`) is undone, because the grades distinguish such systems.
informative_model <- function(model, check) {
  # The posterior mean of the correlation, given its estimate.
  precision <- c(check$se, informative_correlation$sd)^-2
  correlation <- max(sum(precision * c(check$correlation, informative_correlation$mean)) / sum(precision), 0)
  features <- names(model$coefficient)
  between <- intersect(features, c("agreement", "list_agreement"))
  model$coefficient[between] <- model$coefficient[between] * (1 - correlation) / 2
  factors <- ifelse(features %in% c("popularity", "share", "rank", between), output_sd_share, 1)
  model$coefficient_covariance <- model$coefficient_covariance * outer(factors, factors)
  overall <- grep("query:", system_terms, value = TRUE, invert = TRUE)
  model$variance[overall] <- model$variance[overall] * max(1 - 2 * correlation, min_system_variance_share)
  model$variance[["system"]] <- model$variance[["system"]] / (model$system_factor %||% 1)
  model
}

output_sd_share <- 0.5
min_system_variance_share <- 0.15

# The prior if the graders are not informative: the model without grades, with slopes of the grades that are small and
# may have any sign, whatever the other slopes are.
uninformative_model <- function(model, slopes) {
  slopes <- intersect(slopes, names(model$coefficient))
  model$coefficient[slopes] <- 0
  model$coefficient_covariance[slopes, ] <- model$coefficient_covariance[, slopes] <- 0
  model$coefficient_covariance[slopes, slopes] <- diag(uninformative_slope_sd^2, length(slopes))
  model
}

uninformative_slope_sd <- 0.3

# The log odds that the graders are informative, before any judgment: the log likelihood ratio of the correlation for
# informative graders, whose correlations vary, and useless ones. A negative correlation lowers the odds further. The
# odds are capped so that judgments can overturn them, because the check does not detect graders that favour some
# systems.
prior_log_odds <- function(check) {
  found <- max(check$correlation, 0)
  useless_sd <- sqrt(check$se^2 + grade_check_error^2)
  informative_sd <- sqrt(check$se^2 + informative_correlation$sd^2)
  odds <- stats::dnorm(found, informative_correlation$mean, informative_sd, log = TRUE) -
    stats::dnorm(found, 0, useless_sd, log = TRUE) + min(check$correlation, 0) / useless_sd
  min(odds, max_odds)
}

informative_correlation <- list(mean = 0.23, sd = 0.12)
grade_check_error <- 0.02
max_odds <- 2
mixture_spread <- 2.2

# The mixture of the two priors at some log odds, approximated by one normal prior with the same means. The covariance
# between the two priors is inflated, because a normal distribution with the covariance of the mixture overstates how
# certain signs are: in the mixture, a large difference that the informative prior predicts has this sign with
# probability (1 + weight) / 2, that is 3/4 at weight 1/2, for which a normal distribution needs 2.2 times the variance
# between the two priors.
grader_mixture <- function(grading, odds) {
  informative <- grading$informative
  uninformative <- grading$uninformative
  weight <- stats::plogis(odds)
  mix <- function(a, b) weight * a + (1 - weight) * b
  model <- informative
  model$coefficient <- mix(informative$coefficient, uninformative$coefficient)
  model$coefficient_covariance <- mix(informative$coefficient_covariance, uninformative$coefficient_covariance) +
    mixture_spread * weight * (1 - weight) * tcrossprod(informative$coefficient - uninformative$coefficient)
  used <- informative$variance > 0
  log_ratio <- log(informative$variance / uninformative$variance)[used]
  model$variance[used] <- uninformative$variance[used] * exp(weight * log_ratio)
  model$variance_sd[used] <- sqrt(mix(informative$variance_sd, uninformative$variance_sd)[used]^2 +
                                    weight * (1 - weight) * log_ratio^2)
  model$grading <- grading
  model
}
