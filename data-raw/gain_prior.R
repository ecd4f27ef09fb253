# Learns the built-in prior of gain_prior() from the collections of JUDICIOUS_DATA (bench/trust-data.R reads them), and
# writes it to R/belief-prior-learned.R. Run from the package's folder, with the package installed:
#
#   JUDICIOUS_DATA=<folder> Rscript data-raw/gain_prior.R
#
# Every collection is fitted alone, with a prior so wide that it hardly matters. Divided by that prior, the result is
# the collection's evidence about coefficients and logs of variances. These are normal between collections; their mean
# and covariance are learned by expectation maximisation, in which each family of collections (the same topics, people
# or method) counts once, however many collections it has. `hyperprior` is worth one more family in the mean and several
# `families` in the covariance. Their number, and the correlation of the logs of the variances of systems, are those
# that predict families that are left out best; the script prints the comparison.
#
# bench/trust.R uses for each collection a prior learned in the same way from the other families.

# The slopes of genre and artist features are not learned, because only one family has them.
learned_slopes <- c("popularity", "share", "agreement", "list_agreement", "rank", "first_ranks")
learned_effects <- setdiff(judicious:::joint_terms, c("query:genre", "query:artist"))

# The standard deviation of the slopes of agreement, .35, is that of fits to complete judgments. With .5, left-out
# families are as probable, but the first documents that a session selects have extreme agreement, and their judgments
# move the slopes too far (section 12 of Methods).
hyperprior <- list(
  mean = c(intercept = stats::qlogis(.35), popularity = .2, share = .3, agreement = .8, list_agreement = .35,
           rank = -.25, first_ranks = .1, residual = log(.027), query = log(.026), "query:popularity" = log(.0015),
           "query:system" = log(.014), "query:team" = log(.0011), system = log(.0014), team = log(.0005),
           "system:popularity" = log(.0006), "team:popularity" = log(.0003)),
  sd = c(intercept = 1.6, popularity = .25, share = 1, agreement = .35, list_agreement = .35, rank = .3,
         first_ranks = .15, residual = .4, query = .8, "query:popularity" = .8,
         stats::setNames(rep(1.3, length(judicious:::system_terms)), judicious:::system_terms))
)
learned <- c("intercept", learned_slopes, learned_effects)
of_systems <- learned %in% judicious:::system_terms

# Centred at the hyperprior, so that the result does not depend on the current built-in prior.
wide_prior <- function() {
  gain_prior(mean = 0.35, mean_sd = 3, slopes = hyperprior$mean[learned_slopes], variance_sd = 1.5,
             variances = exp(hyperprior$mean[learned_effects]),
             slope_sd = c(popularity = 1, share = 3, agreement = 2, list_agreement = 2, rank = 1, first_ranks = .7))
}

some_judged <- function(x, most) {
  set.seed(1)
  judged <- which(!is.na(x$gain))
  x$gain[-sample(judged, min(most, length(judged)))] <- NA
  x
}

# The evidence of a collection, from at most 1,500 of its judgments. The density of the judgments is proportional to
# exp(-t'At/2 + b't) in the `learned` values t; `precision` is A, and `pull` is b.
evidence <- local({
  known <- new.env()
  function(case) {
    if (is.null(known[[case$name]])) known[[case$name]] <- evidence_of(case)
    known[[case$name]]
  }
})

evidence_of <- function(case) {
  x <- some_judged(case$x, 1500)
  gains <- joint_gains(x, wide_prior())
  wide <- judicious:::prior_for_collection(gains$model, x)
  found <- judicious:::fitted_coefficients(gains$fit)
  names <- intersect(c("intercept", learned_slopes), names(found$mean))
  terms <- intersect(gains$fit$terms, learned_effects)
  out <- list(precision = matrix(0, length(learned), length(learned), dimnames = list(learned, learned)),
              pull = stats::setNames(numeric(length(learned)), learned), family = case$family)
  add <- function(names, mean, covariance, prior_mean, prior_covariance) {
    precision <- solve(covariance) - solve(prior_covariance)
    # The precision of the judgments is that of the posterior less that of the prior. Directions in which it is not
    # positive, which is an error of the approximation, are removed.
    parts <- eigen((precision + t(precision)) / 2)
    kept <- parts$vectors[, parts$values > 1e-3, drop = FALSE]
    precision <- kept %*% (parts$values[parts$values > 1e-3] * t(kept))
    out$precision[names, names] <<- precision
    out$pull[names] <<- kept %*% crossprod(kept, solve(covariance, mean) - solve(prior_covariance, prior_mean))
  }
  add(names, found$mean[names], found$covariance[names, names, drop = FALSE], wide$coefficient[names],
      wide$coefficient_covariance[names, names, drop = FALSE])
  add(terms, log(gains$fit$variance[terms]), gains$fit$log_variance_covariance[terms, terms],
      log(wide$variance[terms]), judicious:::variance_covariance(wide, terms))
  out
}

# In the structured covariance, coefficients and variances are independent; the log variances of systems have one common
# correlation, all others none.
structured <- function(covariance, correlation) {
  sd <- sqrt(diag(covariance))
  effects <- learned %in% learned_effects
  shape <- stats::cov2cor(covariance)
  shape[effects, ] <- shape[, effects] <- 0
  shape[of_systems, of_systems] <- correlation
  diag(shape) <- 1
  shape * outer(sd, sd)
}

learn <- function(evidences, families = 10, correlation = 0.4) {
  start <- structured(diag(hyperprior$sd^2), 0.8)
  dimnames(start) <- list(learned, learned)
  mean <- hyperprior$mean[learned]
  covariance <- start <- start[learned, learned]
  family <- vapply(evidences, `[[`, "", "family")
  weight <- 1 / as.vector(table(family)[family])
  for (round in 1:200) {
    inverse <- solve(covariance)
    each <- lapply(evidences, function(e) {
      posterior <- solve(e$precision + inverse)
      list(mean = drop(posterior %*% (e$pull + inverse %*% mean)), covariance = posterior)
    })
    total <- function(parts) Reduce(`+`, Map(`*`, weight, parts))
    now <- (total(lapply(each, `[[`, "mean")) + hyperprior$mean[learned]) / (sum(weight) + 1)
    spread <- total(lapply(each, function(e) e$covariance + tcrossprod(e$mean - now)))
    covariance <- (spread + tcrossprod(hyperprior$mean[learned] - now) + families * start) /
      (sum(weight) + 1 + families)
    if (max(abs(now - mean)) < 1e-4 && round > 20) break
    mean <- now
  }
  # The covariance includes the uncertainty about the mean, because a new family also differs from the mean of the known
  # ones.
  list(mean = mean, covariance = structured(covariance * (1 + 1 / (sum(weight) + 1)), correlation))
}

# The log of the density of a collection's judgments under a prior, apart from a constant of the collection.
log_evidence <- function(e, prior) {
  inverse <- solve(prior$covariance)
  posterior <- e$precision + inverse
  b <- e$pull + inverse %*% prior$mean
  half_log_det <- function(m) as.numeric(determinant(m)$modulus) / 2
  drop(crossprod(b, solve(posterior, b)) - crossprod(prior$mean, inverse %*% prior$mean)) / 2 -
    half_log_det(posterior) - half_log_det(prior$covariance)
}

# The mean log evidence of each family's collections under a prior learned from the other families.
left_out <- function(evidences, ...) {
  family <- vapply(evidences, `[[`, "", "family")
  vapply(split(seq_along(evidences), family), function(at) {
    prior <- learn(evidences[-at], ...)
    mean(vapply(evidences[at], log_evidence, 1, prior))
  }, 1)
}

# If the first few documents are all irrelevant, a normal likelihood suggests that nothing varies. The residual variance
# therefore stays closer to its median than families differ: with the learned deviation, .64, z2 of single collections
# reaches 8.9 at 20 random judgments and 2.4 at 50; with .4, 4.0 and 1.6.
residual_sd <- 0.4

# The learned values in the form that gain_prior() stores.
as_built_in <- function(prior) {
  coefficients <- c("intercept", learned_slopes)
  sd <- sqrt(diag(prior$covariance))
  list(coefficient = signif(prior$mean[coefficients], 3), coefficient_sd = signif(sd[coefficients], 3),
       coefficient_correlation = unname(round(stats::cov2cor(prior$covariance[coefficients, coefficients]), 2)),
       variance = signif(exp(prior$mean[learned_effects]), 3),
       variance_sd = replace(signif(sd[learned_effects], 3), "residual", residual_sd))
}

# The prior learned from some collections, as a model for joint_gains(). Like the built-in prior, it adapts to the
# collection.
left_out_prior <- function(others) judicious:::prior_of_values(as_built_in(learn(lapply(unname(others), evidence))))

if (!interactive() && any(grepl("gain_prior[.]R$", commandArgs()))) {
  suppressMessages(library(judicious))
  source("bench/common.R")
  source("bench/trust-data.R")
  evidences <- lapply(unname(read_cases()), evidence)
  fixed <- hyperprior$sd[learned]
  none <- list(mean = hyperprior$mean[learned], covariance = structured(diag(fixed^2), 0.8))
  alone <- vapply(evidences, log_evidence, 1, none)
  family <- vapply(evidences, `[[`, "", "family")
  gained <- function(...) left_out(evidences, ...) - vapply(split(alone, family), mean, 1)
  choices <- expand.grid(families = c(1, 3, 10), correlation = c(0.4, 0.6, 0.8))
  table <- t(mapply(gained, families = choices$families, correlation = choices$correlation))
  show("Log evidence of families that are left out, less that under the hyperprior",
       data.frame(choices, table, mean = rowMeans(table)))
  best <- choices[which.max(rowMeans(table)), ]
  values <- as_built_in(learn(evidences, best$families, best$correlation))
  values <- c(values, list(system_correlation = best$correlation))
  lines <- Map(function(name, value) {
    text <- if (is.matrix(value)) {
      sprintf("matrix(c(%s), %d)", toString(value), nrow(value))
    } else if (length(value) == 1) {
      format(value)
    } else {
      sprintf("c(%s)", toString(paste(ifelse(grepl(":", names(value)), dQuote(names(value), FALSE), names(value)), "=",
                                      value)))
    }
    strwrap(paste(name, "=", text), 116, indent = 2, exdent = 4)
  }, names(values), values)
  lines[-length(lines)] <- lapply(lines[-length(lines)], function(l) replace(l, length(l), paste0(l[length(l)], ",")))
  writeLines(c("# Written by data-raw/gain_prior.R, which learned it from fifteen collections of eight families.",
               "learned_prior <- list(", unlist(lines), ")"), "R/belief-prior-learned.R")
}
