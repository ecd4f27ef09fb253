# The two constants of the variances that joint gains state (?gain_prior): the power of the overlap of systems, and the
# share of the skewness of a variance's posterior. For each pair of values, figures of differences between systems in
# the mean gain after random judgments, with a prior learned from the other families: means over collections and seeds.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-stated.R [powers=0,0.2,0.3,0.4] [shares=0,0.12,0.25,0.5]
#     [budgets=0,5,20,50,100,400] [seeds=3]
source("bench/trust-families.R")

set_constant <- function(name, value) {
  package <- asNamespace("judicious")
  unlockBinding(name, package)
  assign(name, value, package)
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(powers = c(0, 0.2, 0.3, 0.4), shares = c(0, 0.12, 0.25, 0.5),
                                                   budgets = c(0, 5, 20, 50, 100, 400), seeds = 3L))
  cases <- read_cases()
  priors <- lapply(cases, function(case) left_out_prior(other_families(cases, case)))
  tried <- expand.grid(power = given$powers, share = given$shares)
  results <- do.call(rbind, Map(function(power, share) {
    set_constant("overlap_power", power)
    set_constant("skew_share", share)
    rows <- do.call(rbind, Map(function(case, prior) {
      budgets <- given$budgets[given$budgets <= length(case$x$gain) / 2]
      do.call(rbind, lapply(seq_len(given$seeds), function(seed) {
        run_measure(case, prior, "AG", "random", seed, budgets)
      }))
    }, cases, priors))
    data.frame(power, share, rows)
  }, tried$power, tried$share))
  figures <- results[c("right", "stated", "brier", "z2", "coverage_differences", "coverage")]
  show("Means", stats::aggregate(figures, results[c("power", "share", "budget")], mean))
}
