# Can confidence be trusted in measures as people report them, with few judgments, and for systems that give one answer
# each? Ranks the systems of every collection of JUDICIOUS_DATA after random judgments, or after the first judgments of
# a session guided by the measure, and compares with the truth. The prior is learned from the other families
# (data-raw/gain_prior.R).
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-families.R [collections=a,b] [measures=AG,nDCG,AP,RR] [budgets=0,20]
#     [seeds=2] [mode=random|session] [guide=AG] [draws=500] [out=file.csv]
#
# `measures` may also be ERR, Rprec, bpref and custom (the square root of the mean gain, an R function). `guide` is the
# measure of the sessions, if it is not the same.
# Prints, by collection and budget: the share of the pairs of systems in the right order (`right`), the stated
# confidence, z2, coverage (of 95% intervals) and mean squared error (`mse`) of differences between systems, and
# coverage of the systems themselves (`systems`). For AG, `mse_means` is the error of the systems' mean judged gains.
# Pairs share systems, so that the share of right pairs of a single collection varies much around the stated
# confidence, even if this can be trusted: `right_sd` is its standard deviation over the ranking's own draws of the
# systems, and `chance` the share of these draws in which fewer pairs are right. The last table has the limits of
# `limits` below, and says FAILS beside each that is not met; the script then ends with status 1.
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
  share_right <- function(true) {
    mean(ifelse(abs(true) <= tied | abs(estimated) <= tied, 0.5, sign(estimated) == sign(true)))
  }
  right <- share_right(true)
  drawn <- apply(judicious:::score_draws(ranking), 2, function(scores) share_right(difference(scores)))
  confidence <- judicious:::confidence_matrix(ranking)[t(pairs)]
  stated <- ifelse(estimated < 0, 1 - confidence, confidence)
  # Stated probabilities are limited to .999, so that a single wrong statement has a finite score.
  bounded <- pmin(pmax(stated, 0.001), 0.999)
  data.frame(
    brier = mean((stated - order)^2), log_score = mean(order * log(bounded) + (1 - order) * log(1 - bounded)),
    right = right, right_sd = stats::sd(drawn), chance = mean((drawn < right) + (drawn == right) / 2),
    stated = ranking_confidence(ranking), z2 = mean(z^2), coverage = mean(abs(z) < stats::qnorm(0.975)),
    systems = coverage_of_systems(ranking$mean, variance, truth), mse = mean((estimated - true)^2)
  )
}

# The coverage of the 95% intervals of the systems, which share the error of their common level: in one ranking, all or
# none may cover, so only means over many collections and seeds are informative.
coverage_of_systems <- function(mean, variance, truth) {
  error <- abs(mean - truth)
  mean(error <= stats::qnorm(0.975) * sqrt(variance) | error <= 1e-9 * max(abs(truth)))
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

# The measure of a name, at the collection's cutoff if it has one.
named_measure <- function(name, k) {
  if (name == "custom") {
    return(measure_custom("rootgain", function(x) sqrt(max(sum(x$gain, na.rm = TRUE), 0) / k), k = k,
                          needs_ranks = FALSE))
  }
  if (name %in% c("Rprec", "bpref")) name else paste0(name, "@", k)
}

is_mean_gain <- function(measure) is.character(measure) && startsWith(measure, "AG")

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
  if (is_mean_gain(measure)) return(rank_systems(x)$mean)
  values <- suppressWarnings(evaluate(x, measure = measure, per = "mean"))
  stats::setNames(values$value, values$system)[x$systems$system]
}

run_measure <- function(case, prior, name, mode, seed, budgets, draws = 500, guide = "") {
  x <- case$x
  measure <- named_measure(name, x$k)
  truth <- true_effectiveness(x, measure)
  guiding <- if (nzchar(guide)) named_measure(guide, x$k) else measure
  order <- judged_order(case, prior, guiding, mode, seed, max(budgets))
  do.call(rbind, lapply(budgets, function(budget) {
    judged <- utils::head(order, budget)
    ranking <- rank_systems(x, joint_gains(x, prior, judgments = judged), measure = measure,
                            draws = draws, seed = seed)
    errors <- if (is_mean_gain(measure) && budget > 0) error_of_means(x, judged, truth) else NA
    data.frame(collection = case$name, measure = name, budget, seed, score_pairs(ranking, truth),
               mse_means = errors)
  }))
}

# The probability that the share of right pairs is below the stated confidence by more than `most` in at least one of
# `collections` collections, if these shares are normal around the stated confidence; by budget.
largest_differences <- function(each, collections = 12, most = 0.09) {
  if (!nrow(each)) return(NULL)
  chance <- function(sd) 1 - exp(collections * mean(stats::pnorm(most / sd, log.p = TRUE)))
  by_budget <- function(f) tapply(each$right_sd, each$budget, f)
  data.frame(budget = sort(unique(each$budget)), right_sd = as.vector(by_budget(mean)),
             chance = as.vector(by_budget(chance)))
}

# The limits. `each` has means over seeds by measure, budget and collection. Nonlinear measures need ranks and at least
# five results.
limits <- function(each, one_answer) {
  each$over <- each$stated - each$right
  parts <- split(each, list(each$measure, each$budget), drop = TRUE)
  rows <- lapply(parts, function(part) {
    measure <- part$measure[1]
    name <- paste(measure, "at", part$budget[1])
    rbind(if (measure %in% c("AG", "P")) limits_of_sums(part, name),
          if (measure %in% names(most_z2)) limits_of_draws(part, name),
          if (measure == "AG") limits_of_one_answer(part[part$collection %in% one_answer, ]))
  })
  do.call(rbind, unname(rows))
}

limits_of_sums <- function(part, name) {
  if (part$budget[1] < 50) {
    rbind(limit_row(paste0(name, ": stated - right"), mean(part$over), most = 0.04),
          limit_row(paste0(name, ": stated - right, largest"), max(part$over), most = 0.09),
          limit_row(paste0(name, ": chance of so few right pairs, smallest"), min(part$chance), 0.05 / nrow(part)))
  } else {
    rbind(limit_row(paste0(name, ": z2"), mean(part$z2), 0.7, 1.4),
          limit_row(paste0(name, ": z2, largest"), max(part$z2), most = 2),
          limit_row(paste0(name, ": |stated - right|"), abs(mean(part$over)), most = 0.03))
  }
}

most_z2 <- c(nDCG = 1.7, AP = 2, RR = 1.4)
least_coverage <- list("100" = c(nDCG = 0.9, AP = 0.88, RR = 0.92), "400" = c(nDCG = 0.8, AP = 0.8, RR = 0.85))

limits_of_draws <- function(part, name) {
  measure <- part$measure[1]
  least <- least_coverage[[as.character(part$budget[1])]]
  if (is.null(least)) return(NULL)
  rbind(limit_row(paste0(name, ": z2"), mean(part$z2), most = most_z2[[measure]]),
        limit_row(paste0(name, ": coverage of differences"), mean(part$coverage), least[[measure]]),
        limit_row(paste0(name, ": stated - right"), mean(part$over), most = 0.04))
}

limits_of_one_answer <- function(part) {
  if (!nrow(part) || !part$budget[1] %in% c(50, 100, 300)) return(NULL)
  name <- paste("one answer, at", part$budget[1])
  rbind(limit_row(paste0(name, ": coverage of differences"), mean(part$coverage), 0.91, 0.98),
        limit_row(paste0(name, ": squared error / that of means"), max(part$mse / part$mse_means), most = 1))
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(
    collections = collection_names, measures = c("AG", "P", "nDCG", "AP", "RR"),
    budgets = c(0, 5, 10, 20, 50, 100, 200, 300, 400), seeds = 2L, mode = "random", guide = "", draws = 500L,
    out = ""
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
      run_measure(case, prior, measure, given$mode, seed, budgets, given$draws, given$guide)
    }, runs$measure, runs$seed))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  figures <- setdiff(names(results), c("collection", "measure", "budget", "seed"))
  means <- function(table, by) stats::aggregate(table[figures], table[by], mean, na.action = stats::na.pass)
  each <- means(results, c("measure", "budget", "collection"))
  show("By collection", each)
  show("Means over collections", means(each, c("measure", "budget")))
  show(paste("If confidence can be trusted: standard deviation of the share of right pairs, and the chance that the",
             "largest of twelve collections is more than .09 below its confidence (AG)"),
       largest_differences(each[each$measure == "AG", ]))
  checked <- limits(each, names(Filter(function(case) case$x$k == 1, cases)))
  show("Limits", checked)
  list(each = each, limits = checked)
}

if (sys.nframe() == 0) quit_on_failures(main(commandArgs(TRUE))$limits)
