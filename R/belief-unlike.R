# How far a model learned from past collections applies to another collection. It applies fully to further queries of
# the same systems, and to any other collection only as far as collections are similar.

# The coefficients and logs of variances of a collection are a draw around means that all collections share. This share
# of the prior variance is between collections; the rest is that of the shared means. The value was chosen by the Brier
# score before anything is judged: with CLEF eHealth 2015 as the only past, the score on the TREC Deep Learning
# collections increases by .033 to .037 with 1/2, and by .021 to .024 with 2/3.
between_share <- 2 / 3

# The distribution of the parameters of another collection, given fits to some collections (`parts`: of each, the
# posterior `mean` and `covariance` of some of the parameters with the given prior). The information of the prior is
# subtracted from each part first, so that the prior counts once.
another_collection <- function(mean, covariance, parts) {
  between <- between_share * covariance
  shared <- solve(covariance - between)
  information <- shared %*% mean
  for (part in parts) {
    at <- names(part$mean)
    before <- solve(covariance[at, at, drop = FALSE])
    told <- solve(part$covariance) - before
    # Information about one collection is information about the shared mean, reduced by the variance between
    # collections.
    keep <- diag(length(at)) - told %*% solve(told + solve(between[at, at, drop = FALSE]))
    shared[at, at] <- shared[at, at] + keep %*% told
    information[at, ] <- information[at, ] + keep %*% (solve(part$covariance, part$mean) - before %*% mean[at])
  }
  spread <- solve(shared)
  list(mean = stats::setNames(as.vector(spread %*% information), names(mean)),
       covariance = (spread + t(spread)) / 2 + between)
}

# What a model keeps of a collection to which it was fitted: the `fit` of its pool alone, and the properties that are
# compared with those of another collection.
remember_collection <- function(x, pool, fit) {
  estimated <- fitted_coefficients(fit, pool)
  list(coefficient = list(mean = estimated$mean, covariance = estimated$covariance),
       log_variance = list(mean = log(fit$variance[fit$terms]), covariance = fit$log_variance_covariance),
       kind = collection_kind(x))
}

collection_kind <- function(x) {
  known <- pool_labels(x)
  list(system = x$systems$system, team = x$systems$team, k = x$k, levels = unit_gain(x, x$scale$levels),
       genres = any(known$genre > 0), artists = any(known$artist > 0), retrieved = mean(diff(x$results$offset)))
}

# The model as it applies to the collection `x`: unchanged if a past collection had the same systems. Otherwise, it
# allows for differences between collections, with a warning if the collections visibly differ. `fallback` is the prior
# of the model, in case the judgments contradict it.
model_for <- function(model, x) {
  past <- model$past
  if (is.null(past)) return(model)
  kind <- collection_kind(x)
  if (!any(vapply(past$collections, function(one) same_systems(one$kind, kind), NA))) {
    model <- tempered_model(model)
    warn_unlike(past$collections, kind)
  }
  model$past <- NULL
  model$fallback <- past$prior
  model
}

# Whether most of the systems were in the past collection, with the same teams, scale and length of lists.
same_systems <- function(past, now) {
  at <- match(now$system, past$system)
  known <- !is.na(at) & past$team[at] == now$team
  mean(known) >= 0.5 && past$k == now$k && isTRUE(all.equal(past$levels, now$levels))
}

tempered_model <- function(model) {
  prior <- model$past$prior
  used <- names(model$coefficient)
  coefficient <- another_collection(prior$coefficient[used], prior$coefficient_covariance[used, used],
                                    lapply(model$past$collections, `[[`, "coefficient"))
  kept <- names(prior$variance)[prior$variance > 0]
  covariance <- variance_covariance(prior, kept)
  dimnames(covariance) <- list(kept, kept)
  log_variance <- another_collection(log(prior$variance[kept]), covariance,
                                     lapply(model$past$collections, `[[`, "log_variance"))
  new_gain_model(coefficient$mean, coefficient$covariance, replace(prior$variance, kept, exp(log_variance$mean)),
                 replace(prior$variance_sd, kept, sqrt(diag(log_variance$covariance))), model$fitted, model$features)
}

warn_unlike <- function(collections, kind) {
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

# Judgments contradict a model if they are this many times as probable under its fallback.
contradiction <- 20

# `gain`: from 0 to 1. Each model uses its own variances; only coefficients are estimated.
contradicted <- function(pool, model, judged, gain) {
  if (is.null(model$fallback) || !length(judged)) return(FALSE)
  likelihood <- function(model, pool) prior_likelihood(pool, model, judged, gain)
  likelihood(model$fallback, with_prior(pool, model$fallback)) - likelihood(model, pool) > log(contradiction)
}
