# The prior of joint gains for a collection with grades: a mixture of a prior that believes the graders and one that
# doubts them. The weights of the two depend on whether documents that many systems retrieved have higher grades, and
# on the judgments. bench/trust-graders.R has the figures that the constants below were chosen by.

# The input of the mean of joint gains, for a collection and a model: `own`, the values of custom features and of
# grades, and the model with a prior for all of them.
mean_features <- function(x, model, grades, call = caller_env()) {
  said <- read_grades(x, grades, call)
  warn_constant_graders(said)
  own <- own_feature_values(x, model$features, call)
  graded <- grade_features(x, said)
  steps <- lapply(said$steps, colnames)
  # What is left are favour_features().
  favours <- setdiff(names(graded), c(unlist(steps), grade_slopes))
  check <- if (length(graded)) {
    c(check_grades(x, grade_worths(said)), alone = alone_share(x), factor = answer_factor(x), ungraded = said$ungraded)
  }
  for_all <- function(model) {
    model <- with_own_features(prior_for(model, x), names(own))
    with_graders(model, steps, !is.null(said$number), check, favours)
  }
  model <- for_all(model_for(model, x))
  if (!is.null(model$fallback)) model$fallback <- for_all(model$fallback)
  list(model = model, own = c(own, graded))
}

# A check of grades without judgments: `correlation`, within queries, of the grades (the sum of `values`, one vector per
# grader) and of the log of the number of teams that retrieved a document, and its standard error `se`. The less this
# log varies, the smaller is the correlation for a given grader; both numbers are those for a usual variation.
# `reranked`: the systems that a grader re-ranked.
check_grades <- function(x, values) {
  within_queries <- function(v) v - stats::ave(v, x$pool$query)
  value <- within_queries(Reduce(`+`, values))
  retrieved <- within_queries(log(output_features(x)$pTEAM))
  reranked <- x$systems$system[unique(unlist(lapply(values, reranked_systems, x = x)))]
  if (!varies(retrieved) || !varies(value)) return(list(correlation = 0, se = no_check, reranked = reranked))
  usual <- min(stats::sd(retrieved) / usual_sharing$sd, 1)^usual_sharing$power
  list(correlation = stats::cor(value, retrieved) / usual,
       se = 1 / sqrt(max(length(value) - n_queries(x), 1)) / usual, reranked = reranked)
}

usual_sharing <- list(sd = 0.7, power = 0.6)
no_check <- 1000

# Adds a prior for the graders that the model does not know, given the names of the steps of each and whether there is a
# grader with a `number` per pair. What a model has learned about graders is kept, and there is no mixture then.
# `grading` has the two priors, the log odds of belief before any judgment, the check that they follow from, and the
# model without graders (`plain`). `favours`: the names of favour_features().
with_graders <- function(model, steps, number, check = list(correlation = 0, se = no_check, alone = 0, factor = 1),
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
  known <- number || any(unlist(steps) %in% names(model$coefficient))
  if (known && isTRUE(model$fitted$graded)) return(graded)
  graded <- with_coefficients(graded, stats::setNames(numeric(length(favours)), favours),
                              rep(favour_sd, length(favours)))
  grading <- list(believing = believing_model(graded, check),
                  doubting = doubting_model(graded, c(unlist(steps), grade_slopes, favours)),
                  odds = unjudged_odds(check), check = check, plain = model)
  believed_model(grading, grading$odds)
}

# The standard deviation of the slopes of favours (bench/trust-graders.R).
favour_sd <- 0.8

# With a believed grader, systems and teams differ less from what the mean predicts, and the agreement of systems, of
# which a grader knows half even if it is poor, says less. The better the grader, the smaller is what is left of both.
# The slopes of the features of the systems' output are better known. The grades tell systems apart, so the variance
# between systems that give one answer each is not as much larger as without grades.
believing_model <- function(model, check) {
  # The mean of the correlation given its estimate.
  precision <- c(check$se, informative_correlation$sd)^-2
  worth <- max(sum(precision * c(check$correlation, informative_correlation$mean)) / sum(precision), 0)
  features <- names(model$coefficient)
  between <- intersect(features, c("agreement", "list_agreement"))
  model$coefficient[between] <- model$coefficient[between] * (1 - worth) / 2
  factors <- ifelse(features %in% c("popularity", "share", "rank", between), output_sd_left, 1)
  model$coefficient_covariance <- model$coefficient_covariance * outer(factors, factors)
  overall <- grep("query:", system_terms, value = TRUE, invert = TRUE)
  model$variance[overall] <- model$variance[overall] * max(1 - 2 * worth, least_of_systems)
  if (isTRUE(model$built_in)) model$variance[["system"]] <- model$variance[["system"]] / check$factor
  model
}

output_sd_left <- 0.5
least_of_systems <- 0.15

# A doubted grader leaves the model as it is without grades. Their slopes are small and may have any sign.
doubting_model <- function(model, slopes) {
  slopes <- intersect(slopes, names(model$coefficient))
  model$coefficient[slopes] <- 0
  model$coefficient_covariance[slopes, slopes] <- diag(doubted_sd^2, length(slopes))
  model
}

doubted_sd <- 0.3

# The log odds of belief before any judgment: how probable the correlation is for informative graders, whose
# correlations vary, and for useless ones. The more negative it is, the lower the odds. They have a limit, because the
# check does not detect graders that favour some systems; judgments can thus contradict it.
unjudged_odds <- function(check) {
  found <- max(check$correlation, 0)
  useless_sd <- sqrt(check$se^2 + check_error^2)
  informative_sd <- sqrt(check$se^2 + informative_correlation$sd^2)
  odds <- stats::dnorm(found, informative_correlation$mean, informative_sd, log = TRUE) -
    stats::dnorm(found, 0, useless_sd, log = TRUE) + min(check$correlation, 0) / useless_sd
  min(odds, most_odds)
}

informative_correlation <- list(mean = 0.23, sd = 0.12)
check_error <- 0.02
most_odds <- 2
mixture_spread <- 2.2

# The mixture at some log odds, as one normal prior with its means. It has a larger covariance than the mixture, because
# a normal distribution with the covariance is too sure of signs: a large difference that belief predicts has this sign
# with probability (1 + weight) / 2, 3/4 with weight 1/2, for which a normal distribution needs 2.2 times the variance
# between the two priors.
believed_model <- function(grading, odds) {
  one <- grading$believing
  two <- grading$doubting
  weight <- stats::plogis(odds)
  mix <- function(a, b) weight * a + (1 - weight) * b
  model <- one
  model$coefficient <- mix(one$coefficient, two$coefficient)
  model$coefficient_covariance <- mix(one$coefficient_covariance, two$coefficient_covariance) +
    mixture_spread * weight * (1 - weight) * tcrossprod(one$coefficient - two$coefficient)
  used <- one$variance > 0
  apart <- log(one$variance / two$variance)[used]
  model$variance[used] <- two$variance[used] * exp(weight * apart)
  model$variance_sd[used] <- sqrt(mix(one$variance_sd, two$variance_sd)[used]^2 + weight * (1 - weight) * apart^2)
  model$grading <- grading
  model
}

# The log odds of belief given judgments: by how much they are more probable with the belief, at the variances that were
# estimated last. Odds that are settled are not computed again.
grader_odds <- function(pool, model, judged, gain, start = NULL) {
  grading <- model$grading
  if (is.null(grading) || !length(judged)) return(grading$odds)
  if (!is.null(start$grader_odds) && abs(start$grader_odds) > settled_odds) return(start$grader_odds)
  likelihood <- function(prior) {
    prior$variance <- (start %||% model)$variance
    prior_likelihood(with_prior(pool, prior), prior, judged, gain)
  }
  grading$odds + likelihood(grading$believing) - likelihood(grading$doubting)
}

settled_odds <- 10

# By how much the variances of the effects of systems and of teams are larger when uncertainty is stated than when gains
# are estimated. Judgments soon show that grades tell documents apart, but a grader may still favour systems. Where
# systems share no documents, only judgments of every system tell: these variances are therefore stated with the belief
# of before the judgments, as far as the judgments do not tell the variances themselves. Means do not change.
unchecked_factor <- function(model, fit) {
  grading <- model$grading
  if (is.null(grading) || !"system" %in% fit$terms) return(NULL)
  before <- believed_model(grading, min(grading$odds, fit$grader_odds))
  factors <- (before$variance / model$variance)^(grading$check$alone * (fit$variance_sd / model$variance_sd)^2)
  factors[intersect(c("system", "team"), fit$terms)]
}

# What print() says about the graders of some gains.
grades_note <- function(gains) {
  grading <- gains$model$grading
  if (is.null(grading)) return(NULL)
  check <- grading$check
  informative <- stats::plogis(gains$fit$grader_odds)
  lacking <- sum(lacking_systems(gains))
  unchecked <- check$se > informative_correlation$sd && !length(gains$sequence)
  c(
    if (unchecked) "The grades cannot be checked without judgments: too few documents are retrieved by several teams."
    else if (informative < 0.01) "The grades are doubted: they are informative with probability below 0.01."
    else if (informative < 0.5)
      sprintf("The grades are doubted: they are informative with probability %.2f.", informative),
    if (informative < 0.5 && check$correlation < -2 * sqrt(check$se^2 + check_error^2))
      "Documents that many systems retrieve have low grades: are the grades reversed?",
    if (length(check$reranked)) paste0("The grades do not tell how good systems are whose lists are in their order: ",
                                       name_some(check$reranked), "."),
    if (isTRUE(check$ungraded > 0))
      sprintf("%s without a grade: taken as average", counted(check$ungraded, "document")),
    if (lacking && length(gains$sequence))
      sprintf("The grades may favour systems: of %s, fewer than %d documents are judged.", counted(lacking, "system"),
              least_of_system)
  )
}

# Whether each system has fewer than `least_of_system` judged documents, if nothing else can check the grades, because
# systems share no documents: a grader may favour some systems. NULL with other gains.
lacking_systems <- function(gains) {
  if (is.null(gains$model$grading) || gains$model$grading$check$alone < 1) return(NULL)
  results <- gains$collection$results
  of_system <- function(at) tabulate(results$system[at], n_systems(gains$collection))
  judged <- results_of_pairs(results, unique(c(gains$sequence, gains$imagined)))$at
  of_system(judged) < pmin(least_of_system, of_system(seq_along(results$system)))
}

least_of_system <- 5
