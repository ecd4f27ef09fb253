# Does it matter how a session selects documents? Sessions with the default strategy, and with alternatives to it, on
# the whole collections and on CLEF eHealth 2015 with binary gains, where the default is at its worst. The default
# always selects the best document, so a collection is one path with little chance; "noise" multiplies scores by
# exp(0.3 e) with standard Gumbel e, which selects a document with a probability that grows with its score. Priors are
# learned from the other collections; figures are means over budgets and seeds.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-selection.R [collections=a,b] [budgets=50,100,200,400] [seeds=2]
source("bench/trust.R")

noisy_gradient <- function(spread) {
  strategy <- strategy_gradient()
  strategy_custom("gradient with noise", function(belief, ranking, goal, price) {
    score <- strategy$score(belief, ranking, goal, price)
    score * exp(-spread * log(-log(stats::runif(length(score)))))
  })
}

selections <- list(
  "default" = list(strategy = strategy_gradient(), audit = 0.1),
  "audit 0.3" = list(strategy = strategy_gradient(), audit = 0.3),
  "noise" = list(strategy = noisy_gradient(0.3), audit = 0.1),
  "temper 2" = list(strategy = strategy_gradient(2), audit = 0.1),
  "variance" = list(strategy = strategy_variance(), audit = 0.1),
  "random" = list(strategy = strategy_random(), audit = 0.1)
)

# The case with gains of 1 from half of the scale on, and of 0 below.
binary_case <- function(case) {
  case$x$gain <- as.numeric(case$x$gain >= max(case$x$gain) / 2)
  case$x$scale <- gain_scale(0:1)
  case$truth <- judgments_of(case$x)
  case$name <- paste(case$name, "binary")
  case
}

select_by <- function(selection, case, prior, budgets, seed) {
  x <- case$x
  truth <- colSums(weights_of(x) * x$gain)
  s <- judging_session(x, past = prior, goal = goal_budget(max(budgets)), strategy = selection$strategy,
                       audit = selection$audit,
                       seed = seed, judgments = FALSE)
  order <- judgments_of(run_session(s, case$truth, progress = FALSE))
  do.call(rbind, lapply(budgets, function(budget) {
    judged <- utils::head(order, budget)[c("query", "doc", "gain", "audit")]
    data.frame(budget, score(estimate_of(rank_systems(x, joint_gains(x, prior, judgments = judged))), truth))
  }))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(collections = c(collection_names, "clef-ehealth-2015 binary"),
                                                   budgets = c(50, 100, 200, 400), seeds = 2L))
  cases <- read_cases()
  tables <- lapply(given$collections, function(name) {
    of <- sub(" binary$", "", name)
    case <- if (of == name) cases[[of]] else binary_case(cases[[of]])
    prior <- left_out_prior(other_families(cases, cases[[of]]))
    do.call(rbind, Map(function(selection, label) {
      rows <- do.call(rbind, lapply(seq_len(given$seeds), function(seed) {
        select_by(selection, case, prior, given$budgets, seed)
      }))
      data.frame(collection = name, selection = label, rows)
    }, selections, names(selections)))
  })
  results <- do.call(rbind, tables)
  figures <- results[c("right", "stated", "brier", "z2", "coverage_differences", "coverage")]
  show("By collection", stats::aggregate(figures, results[c("selection", "collection")], mean))
}
