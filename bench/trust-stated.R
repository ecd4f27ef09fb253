# Two settings of the variances that joint gains state (?gain_prior): the share of the skewness of a variance's
# posterior that is taken into account, and whether the variances of systems and teams within queries should be larger
# if systems share documents, by a power of the mean number of systems that retrieved the document of a result. For each
# pair of values, figures of differences between systems in the mean gain, after random judgments or in sessions, with a
# prior learned from the other families: means over collections and seeds, and the log score of pairs by family, less
# that of the first pair of values.
#
# The share applies if documents are shared; if none are, both the package's share and this one are smaller by
# `no_overlap_skew`.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-stated.R [powers=0,0.3] [shares=0.5,0.25,0] [measures=AG,P]
#     [budgets=5,10,20,50,100,200] [seeds=2] [mode=random|session]
source("bench/trust-families.R")

# The mean over results of the number of systems that retrieved the document.
overlap_of <- function(results) {
  count <- diff(results$offset)
  sum(count^2) / sum(count)
}

# Joint gains that state other variances than those of the package.
stated_otherwise <- function(gains, power, share) {
  fit <- gains$fit
  fit$variance <- fit$variance * exp((share - judicious:::skew_share) * fit$variance_sd^2)
  variance <- judicious:::stated_variance(gains$pool, fit)
  shared <- c("query:system", "query:team")
  variance[shared] <- variance[shared] * overlap_of(gains$pool$results)^power
  judicious:::new_joint_gains(gains$collection, gains$model, gains$pool, gains$fit, gains$gain, gains$sequence,
                              variance)
}

run_stated <- function(case, prior, name, tried, budgets, seed, mode) {
  measure <- named_measure(name, case$x$k)
  truth <- true_effectiveness(case$x, measure)
  order <- judged_order(case, prior, measure, mode, seed, max(budgets))
  do.call(rbind, lapply(budgets[budgets <= length(case$x$gain) / 2], function(budget) {
    gains <- joint_gains(case$x, prior, judgments = utils::head(order, budget), measure = measure)
    do.call(rbind, Map(function(power, share) {
      ranking <- rank_systems(case$x, stated_otherwise(gains, power, share), measure = measure)
      data.frame(collection = case$name, family = case$family, measure = name, power, share, budget, seed,
                 score_pairs(ranking, truth))
    }, tried$power, tried$share))
  }))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(powers = c(0, 0.3), shares = c(0.5, 0.25, 0), measures = "AG",
                                                   budgets = c(5, 10, 20, 50, 100, 200), seeds = 2L,
                                                   mode = "random"))
  cases <- read_cases()
  tried <- expand.grid(share = given$shares, power = given$powers)
  runs <- expand.grid(seed = seq_len(given$seeds), measure = given$measures, case = names(cases),
                      stringsAsFactors = FALSE)
  priors <- lapply(cases, function(case) left_out_prior(other_families(cases, case)))
  results <- do.call(rbind, Map(function(case, measure, seed) {
    run_stated(cases[[case]], priors[[case]], measure, tried, given$budgets, seed, given$mode)
  }, runs$case, runs$measure, runs$seed))
  results$over <- results$stated - results$right
  by <- c("measure", "power", "share")
  means <- function(by) stats::aggregate(results[c("right", "over", "brier", "log_score", "z2")], results[by], mean)
  show("Means", means(c(by, "budget")))
  each <- means(c(by, "family", "collection"))
  families <- stats::aggregate(each["log_score"], each[c(by, "family")], mean)
  first <- families$power == tried$power[1] & families$share == tried$share[1]
  base <- families[first, ]
  families$log_score <- families$log_score -
    base$log_score[match(paste(families$measure, families$family), paste(base$measure, base$family))]
  show("Log score by family, less that of the first values",
       stats::reshape(families, direction = "wide", idvar = by, timevar = "family"))
}
