# Can the stated confidence be trusted, and how many judgments does it take? Every method is run on every whole
# collection, with nothing learned from that collection; its stated confidence is compared with the truth.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust.R [methods=a,b] [collections=a,b] [budgets=0,20] [seeds=4]
#     [store=folder] [out=file.csv]
#
# With a store, the results of a method on a collection with a seed are kept as a file there, and a study that was
# interrupted continues; a store of another build of the package, or of other scripts, is refused.
#
# `collections`: folders of JUDICIOUS_DATA, or paths of others in the format of bench/trust-data.R. The prior, and the
# worth of grades, are learned from the other collections of JUDICIOUS_DATA.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")
source("data-raw/gain_prior.R")
source("bench/trust-methods.R")

best_grader <- "umbrela-gpt4"
graders <- c("umbrela-gpt4", "gpt4o-binary", "llama32-3b-binary")

# A method with `needs` is run on collections that have these graders. A method with a `past` learns its prior from this
# collection alone, and is run on all others.
methods <- list(
  "joint" = list(run = joint_method_of()),
  "joint at random" = list(run = joint_method_of(at_random = TRUE)),
  "past: all others" = list(run = joint_past_method()),
  "published MTC" = list(run = published_mtc),
  "random + t" = list(run = rectified_method()),
  "depth pooling" = list(run = depth_pooling),
  "joint + LLM" = list(run = joint_method_of(best_grader), needs = best_grader),
  "joint + LLM at random" = list(run = joint_method_of(best_grader, at_random = TRUE), needs = best_grader),
  "joint + 3 LLMs at random" = list(run = joint_method_of(graders, at_random = TRUE), needs = graders),
  "LLM alone" = list(run = grader_alone(best_grader), needs = best_grader),
  "calibrated plug-in" = list(run = plug_in_method(best_grader), needs = best_grader),
  "PPI++" = list(run = rectified_method(best_grader), needs = best_grader)
)
methods <- c(methods, stats::setNames(lapply(collection_names, function(name) {
  list(run = joint_past_method(name), past = name)
}), paste("past:", collection_names)))

# Compares one estimate with the truth. Pairs of systems that are truly equal count as half right for any estimate.
# `coverage` is of the 95% intervals of systems, which the uncertainty about the level that systems share widens;
# `coverage_differences` of those of the differences between systems, on which the ranking depends.
score <- function(estimate, truth) {
  pair <- which(upper.tri(diag(length(truth))), arr.ind = TRUE)
  difference <- function(v) v[pair[, 1]] - v[pair[, 2]]
  d <- difference(estimate$mean)
  true <- difference(truth)
  tied <- 1e-9 * max(abs(truth))
  right <- ifelse(abs(true) <= tied | abs(d) <= tied, 0.5, sign(d) == sign(true))
  row <- data.frame(right = mean(right), stated = NA, brier = NA, z2 = NA, coverage = NA, coverage_differences = NA,
                    n_90 = NA, right_90 = NA)
  if (is.null(estimate$covariance)) return(row)
  variance <- diag(estimate$covariance)
  sd <- sqrt(pmax(variance[pair[, 1]] + variance[pair[, 2]] - 2 * estimate$covariance[pair], 0))
  certain <- sd <= tied
  p <- ifelse(certain, (1 + sign(d)) / 2, stats::pt(d / pmax(sd, tied), estimate$df))
  confidence <- pmax(p, 1 - p)
  z <- ((d - true) / pmax(sd, tied))[!certain]
  error <- abs(estimate$mean - truth) / sqrt(pmax(variance, 1e-18))
  high <- right[confidence >= 0.9 & confidence < 0.99]
  order <- ifelse(abs(true) <= tied, 0.5, as.numeric(true > 0))
  transform(row, stated = mean(confidence), brier = mean((p - order)^2), z2 = mean(z^2),
            coverage = mean(error <= stats::qt(0.975, estimate$df) | abs(estimate$mean - truth) <= tied),
            coverage_differences = mean(abs(d - true) <= pmax(stats::qt(0.975, estimate$df) * sd, tied)),
            n_90 = length(high), right_90 = sum(high))
}

run_case <- function(case, others, methods, budgets, seeds, store = "") {
  x <- case$x
  truth <- colSums(weights_of(x) * x$gain)
  rows <- list()
  for (name in names(methods)) {
    if (!all(methods[[name]]$needs %in% names(case$graders)) || identical(methods[[name]]$past, case$name)) next
    for (seed in seq_len(seeds)) {
      rows <- c(rows, list(kept_result(store, c(case$name, name, seed, paste(budgets, collapse = "+")), function() {
        estimates <- methods[[name]]$run(case, others, budgets, seed)
        scored <- do.call(rbind, lapply(estimates, score, truth))
        data.frame(collection = case$name, method = name, seed = seed, budget = budgets, scored)
      })))
    }
    message(format(Sys.time(), "%H:%M:%S"), " ", case$name, ": ", name)
  }
  do.call(rbind, rows)
}

# Means over seeds, and over budgets from 50 on for the limits on trust.
by_budget <- function(results) {
  figures <- c("right", "stated", "brier", "z2", "coverage", "coverage_differences", "n_90", "right_90")
  stats::aggregate(results[figures], results[c("budget", "method", "collection")], mean)
}

summaries <- function(means) {
  parts <- split(means, list(means$method, means$collection), drop = TRUE)
  do.call(rbind, lapply(parts, function(part) {
    late <- part[part$budget >= 50, ]
    excess <- late$stated - late$right
    data.frame(part[1, c("collection", "method")], brier = mean(part$brier, na.rm = TRUE),
               z2 = mean(late$z2), z2_most = max(late$z2),
               over = max(excess), under = min(excess), coverage = mean(late$coverage),
               coverage_differences = mean(late$coverage_differences),
               right_of_90 = sum(late$right_90) / sum(late$n_90), falls = max(cummax(part$right) - part$right))
  }))
}

# The limits on joint gains without a past and without grades, from 50 judgments on, in sessions and at random: means
# over collections, and the largest of a collection. Of a collection's `stated - right`, only the part beyond two
# standard errors over the seeds counts.
limits <- function(results) {
  do.call(rbind, lapply(intersect(c("joint", "joint at random"), results$method), function(method) {
    part <- results[results$method == method & results$budget >= 50, ]
    of <- function(values) stats::aggregate(values, part[c("budget", "collection")], mean)
    over <- tapply(part$stated - part$right, part[c("seed", "collection")], mean)
    sure <- abs(colMeans(over)) - 2 * apply(over, 2, stats::sd) / sqrt(nrow(over))
    z2 <- of(part["z2"])$z2
    rbind(limit_row(paste0(method, ": z2"), mean(z2), 0.7, 1.4),
          limit_row(paste0(method, ": z2, largest"), max(z2), most = 2),
          limit_row(paste0(method, ": |stated - right|"), abs(mean(over)), most = 0.03),
          limit_row(paste0(method, ": |stated - right|, largest"), max(ifelse(is.na(sure), abs(colMeans(over)), sure)),
                    most = 0.06),
          limit_row(paste0(method, ": coverage of differences"), mean(part$coverage_differences), 0.9))
  }))
}

# The smallest budget such that the accuracy is at least `share` there and at every larger budget.
judgments_to <- function(means, share) {
  parts <- split(means, list(means$method, means$collection), drop = TRUE)
  do.call(rbind, lapply(parts, function(part) {
    enough <- rev(cumprod(rev(part$right >= share - 1e-9))) == 1
    data.frame(part[1, c("collection", "method")], judgments = if (any(enough)) part$budget[enough][1] else NA)
  }))
}

wide <- function(table, value, by) {
  stats::reshape(table[c("collection", "method", by, value)], direction = "wide", timevar = by,
                 idvar = c("collection", "method"))
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(methods = names(methods), collections = collection_names,
                                           budgets = c(0, 20, 50, 100, 200, 400, 800), seeds = 4L, store = "",
                                           out = ""))
  unknown <- setdiff(given$methods, names(methods))
  if (length(unknown)) stop("Unknown method ", unknown[1], ".")
  if (nzchar(given$store)) open_store(given$store, Sys.glob("bench/trust*.R"))
  cases <- read_cases()
  results <- do.call(rbind, lapply(given$collections, function(name) {
    case <- if (name %in% names(cases)) cases[[name]] else read_case(name)
    run_case(case, other_families(cases, case), methods[given$methods], given$budgets, given$seeds,
             given$store)
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  means <- by_budget(results)
  show("Share of the pairs of systems in the right order", wide(means, "right", "budget"))
  show("Stated confidence", wide(means, "stated", "budget"))
  show("z2 of the differences", wide(means, "z2", "budget"), 2)
  show("From 50 judgments on", summaries(means))
  for (share in c(0.95, 0.97)) {
    show(paste("Judgments until", share, "of the pairs are right"), judgments_to(means, share))
  }
  checked <- limits(results)
  if (!is.null(checked)) show("Limits", checked)
  results
}

if (sys.nframe() == 0) {
  checked <- limits(main(commandArgs(TRUE)))
  if (!is.null(checked)) quit_on_failures(checked)
}
