# Can confidence be trusted in measures as people report them, with few judgments, and for systems that give one answer
# each? Ranks the systems of every collection of JUDICIOUS_DATA by the built-in prior after random judgments, or after
# the first judgments of a session guided by the measure, and compares with the truth. Nothing is learned from the
# collections here, but the constants of the built-in prior were chosen on some of them.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-families.R [collections=a,b] [measures=AG,nDCG,AP,RR] [budgets=0,20]
#     [seeds=2] [mode=random|session] [out=file.csv]
#
# Prints, by collection and budget: the share of the pairs of systems in the right order (`right`), the stated
# confidence, and z2, coverage (of 95% intervals) and mean squared error (`mse`) of differences between systems. For AG,
# `mse_means` is the error of the systems' mean judged gains.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

score_pairs <- function(ranking, truth) {
  pairs <- utils::combn(length(truth), 2)
  difference <- function(v) v[pairs[1, ]] - v[pairs[2, ]]
  estimated <- difference(ranking$mean)
  true <- difference(truth)
  variance <- diag(as.matrix(ranking$covariance))
  sd <- sqrt(pmax(variance[pairs[1, ]] + variance[pairs[2, ]] - 2 * as.matrix(ranking$covariance)[t(pairs)], 0))
  tied <- 1e-9 * max(abs(truth))
  z <- ((estimated - true) / sd)[sd > tied]
  data.frame(
    right = mean(ifelse(abs(true) <= tied | abs(estimated) <= tied, 0.5, sign(estimated) == sign(true))),
    stated = ranking_confidence(ranking), z2 = mean(z^2), coverage = mean(abs(z) < stats::qnorm(0.975)),
    mse = mean((estimated - true)^2)
  )
}

# The error of the differences between the means of the judged gains; a system without any has the mean of all.
error_of_means <- function(x, judged, truth) {
  runs <- as.data.frame(x)
  gain <- judged$gain[match(paste(runs$query, runs$doc), paste(judged$query, judged$doc))]
  mean <- tapply(gain, factor(runs$system, names(truth)), mean, na.rm = TRUE)
  mean[is.na(mean)] <- mean(judged$gain)
  pairs <- utils::combn(length(truth), 2)
  mean(((mean[pairs[1, ]] - mean[pairs[2, ]]) - (truth[pairs[1, ]] - truth[pairs[2, ]]))^2)
}

judged_order <- function(case, measure, mode, seed, budget) {
  truth <- judgments_of(case$x)[c("query", "doc", "gain")]
  if (mode == "random") {
    set.seed(100 + seed)
    return(truth[sample.int(nrow(truth)), ])
  }
  session <- judging_session(case$x, goal = goal_budget(budget), judgments = FALSE, seed = seed, measure = measure)
  run_session(session, truth, progress = FALSE)
  judgments_of(session)[c("query", "doc", "gain", "audit")]
}

true_effectiveness <- function(x, measure) {
  if (startsWith(measure, "AG")) return(rank_systems(x)$mean)
  values <- suppressWarnings(evaluate(x, measure = measure, per = "mean"))
  stats::setNames(values$value, values$system)[x$systems$system]
}

run_measure <- function(case, measure, mode, seed, budgets) {
  x <- case$x
  truth <- true_effectiveness(x, measure)
  order <- judged_order(case, measure, mode, seed, max(budgets))
  do.call(rbind, lapply(budgets, function(budget) {
    judged <- utils::head(order, budget)
    ranking <- rank_systems(x, joint_gains(x, gain_prior(), judgments = judged), measure = measure, draws = 500,
                            seed = seed)
    errors <- if (startsWith(measure, "AG") && budget > 0) error_of_means(x, judged, truth) else NA
    data.frame(collection = case$name, measure = sub("@.*", "", measure), budget, seed, score_pairs(ranking, truth),
               mse_means = errors)
  }))
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(
    collections = c(collection_names, names(more_collections)), measures = c("AG", "nDCG", "AP", "RR"),
    budgets = c(0, 5, 10, 20, 50, 100, 200, 400), seeds = 2L, mode = "random", out = ""
  ))
  results <- do.call(rbind, lapply(given$collections, function(name) {
    case <- read_case(name)
    budgets <- given$budgets[given$budgets <= length(case$x$gain) / 2]
    runs <- expand.grid(seed = seq_len(given$seeds), measure = paste0(given$measures, "@", case$x$k),
                        stringsAsFactors = FALSE)
    message(format(Sys.time(), "%H:%M:%S"), " ", name)
    do.call(rbind, Map(function(measure, seed) run_measure(case, measure, given$mode, seed, budgets), runs$measure,
                       runs$seed))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  figures <- setdiff(names(results), c("collection", "measure", "budget", "seed"))
  means <- function(table, by) stats::aggregate(table[figures], table[by], mean, na.action = stats::na.pass)
  each <- means(results, c("measure", "budget", "collection"))
  show("By collection", each)
  show("Means over collections", means(each, c("measure", "budget")))
  invisible(each)
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
