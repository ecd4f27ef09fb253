# From what should the confidence in a measure by draws be computed? Compares, after random judgments, with priors of
# other families, the probability that the system with the better estimate is better:
# - normal: that of a normal difference with the stated mean and variance;
# - spread: the share of the draws, spread around their means to the stated variance;
# - draws: the share of the draws as they were drawn;
# - pooled: this share, where the normal probability counts as sqrt(n) of n draws;
# - package: the same with the tails of the t distribution, the confidence that the package states.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-signs.R [collections=a,b] [measures=nDCG,AP,RR]
#     [budgets=0,5,10,20,50,100,200] [seeds=2] [draws=400] [out=file.csv]
#
# Prints the log score, the stated less the right share, and the share of right pairs among those stated at .99 or more.
source("bench/trust-families.R")

ours <- asNamespace("judicious")

probabilities <- function(ranking, spread) {
  compared <- ours$compare_pairs(ranking)
  share <- function(scores) {
    ours$share_of_draws_cpp(scores, compared$difference, 0, ours$gain_resolution(ranking$collection))
  }
  normal <- stats::pnorm(abs(compared$difference) / sqrt(compared$variance))
  n <- ncol(ranking$draws)
  drawn <- share(ranking$draws)
  list(normal = normal, spread = share(spread), draws = drawn, pooled = (n * drawn + sqrt(n) * normal) / (n + sqrt(n)),
       package = compared$confidence)
}

score_signs <- function(case, prior, name, seed, budget, draws) {
  x <- case$x
  measure <- named_measure(name, x$k)
  judged <- utils::head(judged_order(case, prior, measure, "random", seed, budget), budget)
  gains <- joint_gains(x, prior, judgments = judged)
  ranking <- rank_systems(x, gains, measure = measure, draws = draws, seed = seed)
  spread <- ours$draw_measure(gains, ours$with_measure(x, measure), draws, seed)$score
  truth <- true_effectiveness(x, measure)
  pairs <- ours$compare_pairs(ranking)
  true <- truth[pairs$a] - truth[pairs$b]
  counts <- pairs$variance > 0 & pairs$difference != 0 & abs(true) > 1e-9 * max(abs(truth))
  right <- (sign(true) == sign(pairs$difference))[counts]
  stated <- lapply(probabilities(ranking, spread), `[`, counts)
  do.call(rbind, Map(function(p, way) {
    bounded <- pmin(pmax(p, 0.001), 0.999)
    data.frame(collection = case$name, measure = name, budget, seed, way,
               log_score = mean(log(ifelse(right, bounded, 1 - bounded))), over = mean(p) - mean(right),
               sure = sum(p >= 0.99), sure_right = sum(right[p >= 0.99]))
  }, stated, names(stated)))
}

if (sys.nframe() == 0) {
  cases <- read_cases()
  with_ranks <- names(Filter(function(case) case$x$k >= 5 && case$name != "mirex-ams-2011", cases))
  given <- given_arguments(commandArgs(TRUE), list(
    collections = with_ranks, measures = c("nDCG", "AP", "RR"), budgets = c(0, 5, 10, 20, 50, 100, 200), seeds = 2L,
    draws = 400L, out = ""
  ))
  results <- do.call(rbind, lapply(cases[given$collections], function(case) {
    prior <- left_out_prior(other_families(cases, case))
    runs <- expand.grid(budget = given$budgets, seed = seq_len(given$seeds), measure = given$measures,
                        stringsAsFactors = FALSE)
    do.call(rbind, Map(function(name, seed, budget) score_signs(case, prior, name, seed, budget, given$draws),
                       runs$measure, runs$seed, runs$budget))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  each <- stats::aggregate(results[c("log_score", "over")], results[c("way", "budget", "measure")], mean)
  show("Means over collections", each)
  sure <- stats::aggregate(results[c("sure", "sure_right")], results[c("way", "budget", "measure")], sum)
  show("Share of right pairs among those stated at .99 or more", transform(sure, right = sure_right / sure))
}
