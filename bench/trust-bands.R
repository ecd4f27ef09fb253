# Within which bounds should z2 be if the model were true? With few systems, z2 of a single collection can be far from
# 1. For each collection, true gains are drawn from the model (the prior learned from the other collections), judged at
# random and estimated, and the central 95% of their z2 are compared with the z2 of the real judgments; likewise the
# coverage of the 95% intervals of differences between systems.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-bands.R [collections=a,b] [truths=40] [seeds=2] [budgets=50,100,200,400]
suppressMessages(library(judicious))
source("bench/trust.R")

# Mean z2 and coverage over seeds, for each budget.
figures_of <- function(case, others, budgets, seeds) {
  rows <- run_case(case, others, methods["joint at random"], budgets, seeds)
  as.matrix(stats::aggregate(rows[c("z2", "coverage_differences")], rows["budget"], mean)[-1])
}

# The case with gains drawn from the prior, whose variances are drawn first.
drawn_case <- function(case, prior, seed) {
  set.seed(seed)
  prior$variance <- judicious:::draw_variances(prior)
  case$x$gain <- simulate(joint_gains(case$x, prior, judgments = FALSE), 1, seed = seed)$sim_1
  case
}

bands_of <- function(case, others, budgets, truths, seeds) {
  real <- figures_of(case, others, budgets, seeds)
  drawn <- lapply(seq_len(truths), function(seed) {
    figures_of(drawn_case(case, left_out_prior(others), seed), others, budgets, seeds)
  })
  # A collection's figure is the mean over its budgets.
  by_truth <- rbind(real = colMeans(real), do.call(rbind, lapply(drawn, colMeans)))
  by_budget <- rbind(real[, "z2"], do.call(rbind, lapply(drawn, function(figures) figures[, "z2"])))
  all <- cbind(by_truth, by_budget)
  band <- apply(all[-1, ], 2, stats::quantile, c(0.025, 0.5, 0.975))
  data.frame(collection = case$name, figure = c(colnames(by_truth), paste("z2 at", budgets)), real = all[1, ],
             low = band[1, ], median = band[2, ], high = band[3, ],
             inside = all[1, ] >= band[1, ] & all[1, ] <= band[3, ], row.names = NULL)
}

bands <- function(arguments) {
  given <- given_arguments(arguments, list(collections = collection_names, truths = 40L, seeds = 2L,
                                           budgets = c(50, 100, 200, 400)))
  cases <- read_cases()
  tables <- lapply(given$collections, function(name) {
    bands_of(cases[[name]], other_families(cases, cases[[name]]), given$budgets, given$truths, given$seeds)
  })
  show("z2 and coverage of differences, of the real judgments, and of judgments drawn from the model", do.call(rbind, tables), 2)
}

if (sys.nframe() == 0) bands(commandArgs(TRUE))
