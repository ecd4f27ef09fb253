# Can confidence be trusted in measures as people report them, with few judgments, and for systems that give one answer
# each? Ranks the systems of every collection of JUDICIOUS_DATA after random judgments, or after the first judgments of
# a session guided by the measure, and compares with the truth. The prior is learned from the other families
# (data-raw/gain_prior.R).
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-families.R [collections=a,b] [measures=AG,nDCG,AP,RR] [budgets=0,20]
#     [seeds=2] [mode=random|session] [out=file.csv]
#
# Prints, by collection and budget: the share of the pairs of systems in the right order (`right`), the stated
# confidence, and z2, coverage (of 95% intervals) and mean squared error (`mse`) of differences between systems. For AG,
# `mse_means` is the error of the systems' mean judged gains. The last table has the limits of `limits` below, and says
# FAILS beside each that is not met; the script then ends with status 1.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")
source("data-raw/gain_prior.R")

score_pairs <- function(ranking, truth) {
  pairs <- utils::combn(length(truth), 2)
  difference <- function(v) v[pairs[1, ]] - v[pairs[2, ]]
  estimated <- difference(ranking$mean)
  true <- difference(truth)
  variance <- diag(as.matrix(ranking$covariance))
  sd <- sqrt(pmax(variance[pairs[1, ]] + variance[pairs[2, ]] - 2 * as.matrix(ranking$covariance)[t(pairs)], 0))
  tied <- 1e-9 * max(abs(truth))
  z <- ((estimated - true) / sd)[sd > tied]
  order <- ifelse(abs(true) <= tied, 0.5, as.numeric(true > 0))
  data.frame(
    brier = mean((stats::pnorm(estimated / pmax(sd, tied)) - order)^2),
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

judged_order <- function(case, prior, measure, mode, seed, budget) {
  truth <- judgments_of(case$x)[c("query", "doc", "gain")]
  if (mode == "random") {
    set.seed(100 + seed)
    return(truth[sample.int(nrow(truth)), ])
  }
  session <- judging_session(case$x, goal_budget(budget), prior, judgments = FALSE, measure = measure, seed = seed)
  run_session(session, truth, progress = FALSE)
  judgments_of(session)[c("query", "doc", "gain", "audit")]
}

true_effectiveness <- function(x, measure) {
  if (startsWith(measure, "AG")) return(rank_systems(x)$mean)
  values <- suppressWarnings(evaluate(x, measure = measure, per = "mean"))
  stats::setNames(values$value, values$system)[x$systems$system]
}

run_measure <- function(case, prior, measure, mode, seed, budgets) {
  x <- case$x
  truth <- true_effectiveness(x, measure)
  order <- judged_order(case, prior, measure, mode, seed, max(budgets))
  do.call(rbind, lapply(budgets, function(budget) {
    judged <- utils::head(order, budget)
    ranking <- rank_systems(x, joint_gains(x, prior, judgments = judged), measure = measure, draws = 500,
                            seed = seed)
    errors <- if (startsWith(measure, "AG") && budget > 0) error_of_means(x, judged, truth) else NA
    data.frame(collection = case$name, measure = sub("@.*", "", measure), budget, seed, score_pairs(ranking, truth),
               mse_means = errors)
  }))
}

# The limits, each as a row: what is bounded, by what, and whether it holds. `each` has means over seeds by measure,
# budget and collection. Nonlinear measures need ranks and at least five results.
limits <- function(each, one_answer) {
  rows <- list()
  limit <- function(what, value, least = -Inf, most = Inf) {
    holds <- all(value >= least & value <= most)
    rows <<- c(rows, list(data.frame(what, value = signif(value, 3), least, most, holds = if (holds) "" else "FAILS")))
  }
  each$over <- each$stated - each$right
  of <- function(measures, budgets, names = collection_names) {
    each[each$measure %in% measures & each$budget %in% budgets & each$collection %in% names, ]
  }
  for (measure in c("AG", "P")) for (budget in sort(unique(each$budget))) {
    part <- of(measure, budget)
    if (!nrow(part)) next
    name <- paste(measure, "at", budget)
    if (budget < 50) {
      limit(paste0(name, ": stated - right"), mean(part$over), most = 0.04)
      limit(paste0(name, ": stated - right, largest"), max(part$over), most = 0.09)
    } else {
      limit(paste0(name, ": z2"), mean(part$z2), 0.7, 1.4)
      limit(paste0(name, ": z2, largest"), max(part$z2), most = 2)
      limit(paste0(name, ": |stated - right|"), abs(mean(part$over)), most = 0.03)
    }
  }
  most <- c(nDCG = 1.7, AP = 2, RR = 1.4)
  coverage <- list("100" = c(nDCG = 0.9, AP = 0.88, RR = 0.92), "400" = c(nDCG = 0.8, AP = 0.8, RR = 0.85))
  for (measure in names(most)) for (budget in names(coverage)) {
    part <- of(measure, budget)
    if (!nrow(part)) next
    name <- paste(measure, "at", budget)
    limit(paste0(name, ": z2"), mean(part$z2), most = most[[measure]])
    limit(paste0(name, ": coverage of differences"), mean(part$coverage), coverage[[budget]][[measure]])
    limit(paste0(name, ": stated - right"), mean(part$over), most = 0.04)
  }
  for (budget in intersect(c(50, 100, 300), each$budget)) {
    part <- of("AG", budget, one_answer)
    if (!nrow(part)) next
    limit(paste0("one answer, at ", budget, ": coverage of differences"), mean(part$coverage), 0.91, 0.98)
    limit(paste0("one answer, at ", budget, ": squared error / that of means"), max(part$mse / part$mse_means),
          most = 1)
  }
  do.call(rbind, rows)
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(
    collections = collection_names, measures = c("AG", "P", "nDCG", "AP", "RR"),
    budgets = c(0, 5, 10, 20, 50, 100, 200, 300, 400), seeds = 2L, mode = "random", out = ""
  ))
  cases <- read_cases()
  results <- do.call(rbind, lapply(cases[given$collections], function(case) {
    prior <- left_out_prior(other_families(cases, case))
    budgets <- given$budgets[given$budgets <= length(case$x$gain) / 2]
    measures <- if (case$x$k < 5 || case$name == "mirex-ams-2011") c("AG", "P") else given$measures
    runs <- expand.grid(seed = seq_len(given$seeds), measure = intersect(given$measures, measures),
                        stringsAsFactors = FALSE)
    message(format(Sys.time(), "%H:%M:%S"), " ", case$name)
    do.call(rbind, Map(function(measure, seed) {
      run_measure(case, prior, paste0(measure, "@", case$x$k), given$mode, seed, budgets)
    }, runs$measure, runs$seed))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  figures <- setdiff(names(results), c("collection", "measure", "budget", "seed"))
  means <- function(table, by) stats::aggregate(table[figures], table[by], mean, na.action = stats::na.pass)
  each <- means(results, c("measure", "budget", "collection"))
  show("By collection", each)
  show("Means over collections", means(each, c("measure", "budget")))
  checked <- limits(each, names(Filter(function(case) case$x$k == 1, cases)))
  show("Limits", checked)
  list(each = each, limits = checked)
}

if (sys.nframe() == 0) {
  found <- main(commandArgs(TRUE))
  if (any(found$limits$holds == "FAILS")) {
    message(sum(found$limits$holds == "FAILS"), " of ", nrow(found$limits), " limits are not met.")
    quit(status = 1)
  }
}
