# Adapts a model that was learned from past collections to another collection. The model applies unchanged to further
# queries of the same systems; for other collections it is less certain, by the variance between collections.

# The coefficients and log variances of a collection vary around means that all collections have in common. This is the
# share of their prior variance that is due to differences between collections; the rest is uncertainty about the common
# means. The value was chosen by the Brier score before anything is judged: compared with no past collection, CLEF
# eHealth 2015 as the only past collection increases (worsens) the score on the TREC Deep Learning collections by .033
# to .037 with 1/2, and by .021 to .024 with 2/3.
between_share <- 2 / 3

# The distribution of the parameters of another collection, given fits to some collections (`parts`: of each, the
# posterior `mean` and `covariance` of some of the parameters with the given prior). The information of the prior is
# subtracted from each part first, so that the prior counts once.
predict_parameters <- function(mean, covariance, parts) {
  between <- between_share * covariance
  shared <- solve(covariance - between)
  information <- shared %*% mean
  for (part in parts) {
    params <- names(part$mean)
    of_prior <- solve(covariance[params, params, drop = FALSE])
    evidence <- solve(part$covariance) - of_prior
    # Each collection provides information about the shared mean: the information about its own parameters, reduced by
    # the variance between collections.
    reduction <- diag(length(params)) - evidence %*% solve(evidence + solve(between[params, params, drop = FALSE]))
    shared[params, params] <- shared[params, params] + reduction %*% evidence
    learned <- solve(part$covariance, part$mean) - of_prior %*% mean[params]
    information[params, ] <- information[params, ] + reduction %*% learned
  }
  spread <- solve(shared)
  list(mean = stats::setNames(as.vector(spread %*% information), names(mean)),
       covariance = (spread + t(spread)) / 2 + between)
}

# The part of a collection that a model stores: the parameters of a `fit` to this collection alone, and the properties
# to compare with those of other collections.
collection_record <- function(x, fit) {
  estimated <- fitted_coefficients(fit)
  list(coefficient = list(mean = estimated$mean, covariance = estimated$covariance),
       log_variance = list(mean = log(fit$variance[fit$terms]), covariance = fit$log_variance_covariance),
       kind = collection_kind(x))
}

collection_kind <- function(x) {
  label <- pool_labels(x)
  list(system = x$systems$system, team = x$systems$team, k = x$k, levels = unit_gain(x, x$scale$levels),
       genres = any(label$genre > 0), artists = any(label$artist > 0), retrieved = mean(diff(x$results$offset)))
}

# A model that was learned from past collections, as it applies to the collection `x`: unchanged if a past collection
# had the same systems. Otherwise, it allows for differences between collections, with a warning if the collections
# visibly differ. `fallback` is the prior of the model, in case the judgments contradict it.
model_for <- function(model, x) {
  past <- model$past
  kind <- collection_kind(x)
  if (!any(vapply(past$collections, function(one) same_systems(one$kind, kind), NA))) {
    model <- model_for_new_collection(model)
    warn_unlike_past(past$collections, kind)
  }
  model$past <- NULL
  model$fallback <- past$prior
  model
}

# Whether at least half of the systems were in the past collection with the same team, and both collections have the
# same cutoff and the same levels of the scale.
same_systems <- function(past, now) {
  previous <- match(now$system, past$system)
  same_team <- !is.na(previous) & past$team[previous] == now$team
  mean(same_team) >= 0.5 && past$k == now$k && isTRUE(all.equal(past$levels, now$levels))
}

model_for_new_collection <- function(model) {
  prior <- model$past$prior
  used <- names(model$coefficient)
  coefficient <- predict_parameters(prior$coefficient[used], prior$coefficient_covariance[used, used],
                                    lapply(model$past$collections, `[[`, "coefficient"))
  kept <- names(prior$variance)[prior$variance > 0]
  covariance <- variance_covariance(prior, kept)
  dimnames(covariance) <- list(kept, kept)
  log_variance <- predict_parameters(log(prior$variance[kept]), covariance,
                                     lapply(model$past$collections, `[[`, "log_variance"))
  new_gain_model(coefficient$mean, coefficient$covariance, replace(prior$variance, kept, exp(log_variance$mean)),
                 replace(prior$variance_sd, kept, sqrt(diag(log_variance$covariance))), model$fitted, model$features)
}

warn_unlike_past <- function(collections, kind) {
  reasons <- lapply(collections, function(one) unlike_reasons(one$kind, kind))
  reasons <- reasons[[which.min(lengths(reasons))]]
  if (!length(reasons)) return(invisible())
  warn_judicious(c(
    "{cli::qty(length(collections))}{?The past collection is/All past collections are} unlike this one, so the model
      learned from {?it/them} gets less weight.",
    i = if (length(collections) > 1) "The one that is most alike:",
    stats::setNames(gsub("([{}])", "\\1\\1", reasons), rep("x", length(reasons))),
    i = "{.fn gain_prior} is a prior that does not depend on a past."
  ), "unlike_past", reasons = reasons)
}

# The visible differences between a past collection and another one.
unlike_reasons <- function(past, now) {
  differs <- function(a, b) a > 3 * b || b > 3 * a
  count_levels <- function(kind) counted(length(kind$levels), "level")
  c(
    if (length(past$levels) != length(now$levels)) {
      paste0("A scale of ", count_levels(past), " there and of ", count_levels(now), " here.")
    } else if (!isTRUE(all.equal(past$levels, now$levels))) {
      "The levels of the scale are worth something else there."
    },
    if (past$k != now$k) paste0("Lists of ", past$k, " documents there and of ", now$k, " here."),
    if (differs(length(past$system), length(now$system))) {
      paste0(counted(length(past$system), "system"), " there and ", length(now$system), " here.")
    },
    if (differs(past$retrieved, now$retrieved)) {
      paste0("A document is retrieved by ", signif(past$retrieved, 2), " systems there and by ",
             signif(now$retrieved, 2), " here.")
    },
    if (past$genres != now$genres) paste0("Genres are known only ", if (past$genres) "there." else "here."),
    if (past$artists != now$artists) paste0("Artists are known only ", if (past$artists) "there." else "here.")
  )
}

#' Learn a model of gains from past judged collections
#'
#' Fits the model of [joint_gains()] to judged collections. Use the result as the prior of the next collection of the
#' same kind. [gain_prior()] describes the model, and is the prior of this fit; the estimates are the posterior mode.
#'
#' @section How far past collections apply: If most systems of the new collection, with their teams, were in a past
#'   collection of the same scale and length of lists, the model applies as it was learned, except for `new_collection`
#'   and `new_variance`. Otherwise, it applies in part: one past collection, however large, moves the mean of a
#'   coefficient a third of the way from the prior's to its own (section 6 of `vignette("methods")`). A warning names
#'   the differences from the most similar past collection.
#'
#'   If judgments of the new collection are more than 20 times as probable under `prior` as under the learned model, a
#'   warning says so, and gains are estimated with `prior` from then on.
#'
#' @param past A judged [test_collection()], a [judging_session()], or a list of them. Pairs without judgment are left
#'   out.
#' @param formula A one-sided formula of the features of the mean: any of
#'   `r paste0('\u0060', setdiff(joint_features, grade_slopes), '\u0060', collapse = ", ")`, as [gain_prior()] defines
#'   them; and custom features, those of `features` or numeric columns of the collections' `documents`, `queries` or
#'   `systems`. A built-in feature that a collection lacks is 0 for all of its pairs.
#' @param random Names of the effects to keep, of `r paste0('"', joint_terms[-1], '"', collapse = ", ")`. NULL
#'   selects them from the data, by backward elimination: of `r paste0('"', optional_terms, '"', collapse = ", ")`, the
#'   effect whose absence reduces the log likelihood least is left out, as long as the reduction is smaller than log(n)
#'   / 2 + log(`r length(optional_terms)`) for n judgments, the extended Bayesian information criterion (Chen and Chen
#'   2008, Biometrika 95, 759-771).
#' @param prior A [gain_prior()], or an earlier `gain_model()`, applied in whole or in part after comparison with
#'   the first of `past`, as below; features that it lacks have the slopes of `gain_prior()`.
#' @param grades The grades of the past collections, as in [joint_gains()]: a data frame may have those of several
#'   collections, and a function is called with each. NULL uses those of the collections; FALSE, for a next
#'   collection without grades, none.
#' @param new_collection The standard deviation of the coefficients between collections of the same systems, on the
#'   logit scale.
#' @param new_variance The standard deviation, between such collections, of the logs of the variances.
#' @param features Custom features, as in [gain_prior()], for `formula`. NULL uses those of `prior`.
#' @param measure The measure for which to model gains, as in [joint_gains()].
#' @param failed The grades that mark a failure, as in [joint_gains()].
#' @return A `judicious_gain_model`, a list with `coefficient` and its `coefficient_covariance`, `variance` and
#'   `variance_sd` (of its log), for a collection of the same systems; and `fitted` (the numbers of `judged` pairs and
#'   of `collections`, and the `log_likelihood`).
#' @section Errors: `judicious_error_incomplete_judgments` for a collection with fewer than two judgments;
#'   `judicious_error_columns` if a collection lacks a custom feature.
#' @examples
#' past <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' model <- gain_model(past, ~ popularity + same_genre, random = c("query", "query:genre", "system"))
#' model
#' joint_gains(simulate_collection(queries = 5, systems = 6, seed = 2), model, judgments = FALSE)
#' # A custom feature, kept with the model for the next collection
#' by_rank <- function(x) data.frame(first = output_features(x)$aRANK == 1)
#' gain_model(past, ~ popularity, random = "query", features = by_rank)
#' @export
gain_model <- function(past,
                       formula = ~ popularity + share + agreement + list_agreement + rank + first_ranks +
                         same_genre + genre_share + artist_share,
                       random = NULL, prior = gain_prior(), grades = NULL, new_collection = 0.05, new_variance = 0.3,
                       measure = NULL, features = NULL, failed = NULL) {
  pasts <- as_pasts(past)
  collections <- lapply(past_collections(pasts), with_measure, measure)
  check_class(prior, "judicious_gain_model", "prior", "gain_prior")
  check_number(new_collection, "new_collection", min = 0)
  check_number(new_variance, "new_variance", min = 0, max = Inf, open = TRUE)
  check_features(features)
  start_progress("Learning the model of the gains")
  if (!is.null(prior$past)) prior <- model_for(prior, collections[[1]])
  prior$fallback <- NULL
  own_source <- features_to_learn(formula, features, prior)
  custom <- lapply(collections, custom_feature_values, own_source)
  graders <- past_grades(pasts, collections, grades, failed)
  features <- formula_features(formula, unique(unlist(lapply(custom, names))))
  if (!is.null(own_source)) own_source$names <- setdiff(features, joint_features)
  prior <- with_features(with_terms(prior, random %||% joint_terms[-1]), features)
  steps <- all_steps(graders)
  number <- any(vapply(graders, function(grader_set) !is.null(grader_set$number), NA))
  prior <- with_graders(prior, steps, number)
  prior$grading <- NULL
  features <- c(features, unlist(steps, use.names = FALSE))
  pools <- Map(judged_pool, collections, custom, graders, MoreArgs = list(coefficients = c(features, grade_slopes)))
  pool <- independent_features(join_pools(lapply(pools, `[[`, "pool")), prior)
  gain <- unlist(lapply(pools, `[[`, "gain"))
  objective <- joint_objective(pool, seq_along(gain), gain)
  fit <- fit_joint_prior(pool, prior, seq_along(gain), gain, max_iterations = 30, objective = objective)
  single_fits <- if (length(pools) == 1) list(fit) else lapply(pools, function(part) {
    fit_joint_prior(independent_features(part$pool, prior), prior, seq_along(part$gain), part$gain, max_iterations = 30)
  })
  past <- list(prior = prior, collections = Map(collection_record, collections, single_fits))
  if (is.null(random)) {
    fit <- terms_with_evidence(pool, prior, gain, fit, objective)
    prior <- with_terms(prior, setdiff(fit$terms, "residual"))
  }
  found <- fitted_coefficients(fit)
  estimated <- names(found$mean)
  coefficient <- replace(prior$coefficient, estimated, found$mean)
  covariance <- predictive_covariance(prior$coefficient_covariance, found$covariance, estimated, new_collection)
  variance <- replace(prior$variance, fit$terms, fit$variance[fit$terms])
  variance_sd <- replace(prior$variance_sd, fit$terms, sqrt(fit$variance_sd[fit$terms]^2 + new_variance^2))
  used <- c("intercept", features, grade_slopes)
  new_gain_model(coefficient[used], covariance[used, used], variance, variance_sd,
                 list(judged = length(gain), collections = length(collections), log_likelihood = fit$log_likelihood,
                      graded = number || length(steps) > 0),
                 features = own_source, past = past)
}

# The covariance of the coefficients of a new collection. The coefficients of features that none of the past collections
# has keep their prior covariance.
predictive_covariance <- function(covariance, estimated, fitted, new_collection) {
  covariance[fitted, ] <- covariance[, fitted] <- 0
  covariance[fitted, fitted] <- estimated + diag(new_collection^2, length(fitted))
  covariance
}

# Converts the argument `past`, a collection, a session or a list of them, to a list whose names are those of its
# elements in messages.
as_pasts <- function(past, or_model = FALSE) {
  if (inherits(past, c("judicious_collection", "judicious_session"))) return(list(past = past))
  or <- if (or_model) "a list of them, or a model by {.fn gain_model} or {.fn gain_prior}" else "or a list of them"
  check_that(is.list(past) && !is.object(past) && length(past), "past",
             paste0("must be a {.fn test_collection}, a {.fn judging_session}, ", or,
                    ", not {.obj_type_friendly {past}}."))
  stats::setNames(past, paste0("past[[", seq_along(past), "]]"))
}

# The judged collections of the result of as_pasts(). A session is replaced by its collection with its judgments.
past_collections <- function(pasts) {
  unname(Map(function(x, place) {
    x <- judged_collection(x, place)
    judged <- sum(!is.na(x$gain))
    check_that(judged >= 2, "past", "{.arg {place}} has {counted(judged, 'judgment')}; a collection to learn from needs
      at least two.", kind = "incomplete_judgments")
    x
  }, pasts, names(pasts)))
}

# The grades of each of the past collections (see read_grades()). `grades` may cover only some of these collections, or
# none, if they are for the collection to judge next. A past collection that `grades` does not cover keeps the grades
# that were passed to its session, or else those that it carries. FALSE leaves all grades out.
past_grades <- function(pasts, collections, grades, failed) {
  if (isFALSE(grades)) return(lapply(collections, function(x) read_grades(carry_grades(x, FALSE)$x, NULL)))
  grades <- grades_in_files(grades, failed)
  unknown <- function(graders) is.null(graders$number) && !length(graders$steps)
  graders <- Map(function(past, x) {
    graders <- if (!is.null(grades)) read_grades(x, grades, required = FALSE)
    if (!is.null(grades) && !unknown(graders)) return(graders)
    session_grades <- if (inherits(past, "judicious_session")) past$engine$arguments$grades
    read_grades(x, session_grades, required = FALSE)
  }, pasts, collections)
  if (!is.null(grades) && all(vapply(graders, unknown, NA))) {
    inform_judicious("{.arg grades} has no grade of a pair of the past collections, so they do not tell how informative
      it is.", "grades")
  }
  graders
}

# The custom features whose slopes are learned: `features`, or those of the prior, or the columns that the formula
# names.
features_to_learn <- function(formula, features, prior) {
  if (!is.null(features)) return(custom_features(features))
  if (!is.null(prior$features)) return(prior$features)
  if (!inherits(formula, "formula")) return(NULL)
  named <- setdiff(attr(stats::terms(formula), "term.labels"), joint_features)
  if (length(named)) custom_features(named)
}

# The names of the features in the formula. If it names no custom feature (`custom`), all of them are used.
formula_features <- function(formula, custom) {
  check_that(inherits(formula, "formula") && length(formula) == 2, "formula",
             "must be a one-sided formula of features, as in {.code ~ popularity + rank}.")
  features <- attr(stats::terms(formula), "term.labels")
  if (!any(features %in% custom)) features <- c(features, custom)
  available <- c(setdiff(joint_features, grade_slopes), custom)
  unknown <- setdiff(features, available)
  check_that(!length(unknown), "formula", c("has {cli::qty(length(unknown))}unknown feature{?s} {.val {unknown}}.",
                                            i = "The features are {.val {available}}."))
  features
}

# Effects that are left out if the judgments show no evidence of them, so that sessions save the time to estimate them.
optional_terms <- c("team:popularity", "system:popularity", "query:popularity", "team", "query:team", "query:system")

terms_with_evidence <- function(pool, prior, gain, fit, objective,
                                cost = log(length(gain)) / 2 + log(length(optional_terms))) {
  repeat {
    shorter <- lapply(intersect(optional_terms, fit$terms), function(term) {
      reduced <- with_terms(prior, setdiff(fit$terms, c("residual", term)))
      fit_joint_prior(pool, reduced, seq_along(gain), gain, start = fit, max_iterations = 15, objective = objective)
    })
    likelihood <- vapply(shorter, `[[`, 0, "log_likelihood")
    if (!length(shorter) || fit$log_likelihood - max(likelihood) >= cost) return(fit)
    fit <- shorter[[which.max(likelihood)]]
  }
}

with_terms <- function(prior, random) {
  unknown <- setdiff(random, joint_terms[-1])
  check_that(is.character(random) && !length(unknown), "random",
             "must hold names of effects, any of {.val {joint_terms[-1]}}.")
  prior$variance[setdiff(joint_terms[-1], random)] <- 0
  prior
}

judged_pool <- function(x, custom, graders, coefficients) {
  judged <- which(!is.na(x$gain))
  list(pool = subset_pool(joint_pool(x, coefficients, c(custom, grade_features(x, graders))), judged),
       gain = unit_gain(x, x$gain[judged]))
}
