# The effect of the feature `selected` of joint gains (?gain_prior): figures of judging sessions with and without the
# information which documents the session selected and which it drew at random. Priors are learned from the other
# collections. Figures are means over budgets and seeds; `level` is the error of the mean of all systems, as a share of
# the highest gain.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-selected.R [budgets=50,100,200,400] [seeds=4]
source("bench/trust.R")

compare_selected <- function(case, prior, budgets, seed) {
  x <- case$x
  truth <- colSums(weights_of(x) * x$gain)
  s <- judging_session(x, past = prior, goal = goal_budget(max(budgets)), audit = 0.1, seed = seed, judgments = FALSE)
  order <- judgments_of(run_session(s, case$truth, progress = FALSE))
  rows <- expand.grid(budget = budgets, selected = c(FALSE, TRUE))
  scored <- Map(function(budget, selected) {
    judged <- utils::head(order, budget)[c("query", "doc", "gain", if (selected) "audit")]
    estimate <- estimate_of(rank_systems(x, joint_gains(x, prior, judgments = judged)))
    data.frame(score(estimate, truth), level = mean(estimate$mean - truth) / max(x$gain))
  }, rows$budget, rows$selected)
  data.frame(collection = case$name, seed = seed, rows, do.call(rbind, scored))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(budgets = c(50, 100, 200, 400), seeds = 4L))
  cases <- read_cases()
  results <- do.call(rbind, lapply(names(cases), function(name) {
    prior <- left_out_prior(other_families(cases, cases[[name]]))
    do.call(rbind, lapply(seq_len(given$seeds), function(seed) {
      compare_selected(cases[[name]], prior, given$budgets, seed)
    }))
  }))
  figures <- results[c("right", "stated", "brier", "z2", "coverage_differences", "coverage", "level")]
  show("By collection", stats::aggregate(figures, results[c("selected", "collection")], mean))
  show("All collections", stats::aggregate(figures, results["selected"], mean))
}
