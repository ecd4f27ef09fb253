# Do draws of gains have the distribution that joint gains state? For every collection of JUDICIOUS_DATA, after random
# judgments, with a prior learned from the other families: the standard deviation of the differences of AG between
# systems over draws on the scale, relative to the exact one (`sd`, root mean square over pairs of systems), as drawn
# and as `rank_systems()` rescales the scores of measures that need draws; and the shares of the levels among unjudged
# documents, predicted less true (in at most five groups of equal width for scales with more levels).
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-levels.R [collections=a,b] [budgets=0,100,400] [seeds=2] [draws=1000]
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")
source("data-raw/gain_prior.R")

level_groups <- function(x) {
  levels <- x$scale$levels
  if (length(levels) <= 5) return(function(gain) match(gain, levels))
  edges <- seq(min(levels), max(levels), length.out = 6)[2:5]
  function(gain) findInterval(gain, edges) + 1
}

score_draws_of <- function(case, prior, budget, seed, draws) {
  x <- case$x
  set.seed(100 + seed)
  order <- judgments_of(x)[sample.int(length(x$gain)), c("query", "doc", "gain")]
  gains <- joint_gains(x, prior, judgments = utils::head(order, budget))
  drawn <- judicious:::draw_measure(gains, judicious:::with_measure(x, paste0("P@", x$k)), draws, seed)
  pairs <- utils::combn(nrow(x$systems), 2)
  exact <- as.matrix(rank_systems(x, gains)$covariance) / diff(range(x$scale$levels))^2
  between <- function(covariance) {
    v <- diag(covariance)
    sqrt(mean(v[pairs[1, ]] + v[pairs[2, ]] - 2 * covariance[t(pairs)]))
  }
  ratio <- between(stats::cov(t(drawn$linear))) / between(exact)
  known <- as.data.frame(gains)$judged
  group <- level_groups(x)
  some <- as.matrix(stats::simulate(gains, 50, seed = seed)[-(1:2)])
  order_of_draws <- judicious:::pairs_of_queries(x, seq_len(nrow(x$queries)))
  open <- order_of_draws[!known[order_of_draws]]
  n <- min(5, length(x$scale$levels))
  predicted <- tabulate(group(some[!known[order_of_draws], ]), n) / (50 * length(open))
  true <- tabulate(group(x$gain[open]), n) / length(open)
  off <- c(predicted - true, rep(NA, 5 - n))
  data.frame(collection = case$name, budget, seed, sd = ratio, sd_spread = ratio * drawn$spread,
             stats::setNames(as.list(off), paste0("level_", 1:5)), largest = max(abs(off), na.rm = TRUE))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(collections = collection_names, budgets = c(0, 100, 400),
                                                   seeds = 2L, draws = 1000L))
  cases <- read_cases()
  results <- do.call(rbind, lapply(cases[given$collections], function(case) {
    prior <- left_out_prior(other_families(cases, case))
    runs <- expand.grid(budget = given$budgets[given$budgets <= length(case$x$gain) / 2], seed = seq_len(given$seeds))
    do.call(rbind, Map(function(budget, seed) score_draws_of(case, prior, budget, seed, given$draws),
                       runs$budget, runs$seed))
  }))
  figures <- setdiff(names(results), c("collection", "budget", "seed"))
  each <- stats::aggregate(results[figures], results[c("budget", "collection")], mean, na.action = stats::na.pass)
  show("By collection", each)
  show("Means over collections", stats::aggregate(each[c("sd", "sd_spread", "largest")], each["budget"], mean))
}
