# The variance of a drawn measure is too small, because systems also differ in the order of documents within their
# lists, which the model lacks. Compares factors by which spread_draws() could multiply the part of the variance that
# the mean gains do not explain, on whole collections and on a quarter of their queries, after random judgments, by the
# log score of the differences between systems. The prior is learned from the other families.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-order.R [collections=a,b] [measures=RR,AP] [budgets=100,400]
source("bench/trust-graders.R")

# Factors for n queries: a constant, or that of an effect which has the variance of the unexplained part at 50 to 200
# queries.
factors <- c(lapply(c("1" = 1, "1.75" = 1.75, "2.5" = 2.5), function(value) function(n) value),
             lapply(c("1 + n/50" = 50, "1 + n/100" = 100, "1 + n/150" = 150, "1 + n/200" = 200),
                    function(queries) function(n) 1 + n / queries))

# For each pair of systems: the `error` of the drawn mean, and the mean products of the linear part and of the rest.
pairs_of <- function(x, gains, name) {
  ours <- asNamespace("judicious")
  measure <- paste0(name, "@", x$k)
  values <- suppressWarnings(evaluate(x, measure = measure, per = "mean"))
  truth <- stats::setNames(values$value, values$system)[x$systems$system]
  drawn <- ours$draw_measure(gains, ours$with_measure(gains$collection, measure), 300, 1)
  centre <- rowMeans(drawn$score)
  sums <- drawn$linear - rowMeans(drawn$linear)
  slope <- ours$regression_slope(sums, drawn$score - centre)
  linear <- centre + slope * sums
  rest <- (drawn$score - linear) / sqrt(1 + ours$n_queries(gains$collection) / ours$order_effect_queries)
  pair <- utils::combn(length(truth), 2)
  difference <- function(v) v[pair[1, ], ] - v[pair[2, ], ]
  apart <- difference(linear - centre)
  data.frame(estimate = centre[pair[1, ]] - centre[pair[2, ]], true = truth[pair[1, ]] - truth[pair[2, ]],
             linear = rowMeans(apart^2), rest = rowMeans(difference(rest)^2),
             both = rowMeans(apart * difference(rest)), queries = nrow(x$queries))
}

score_factor <- function(pairs, factor) {
  times <- factor(pairs$queries[1])
  variance <- pmax(pairs$linear + times * pairs$rest + 2 * sqrt(times) * pairs$both, 1e-12)
  z <- (pairs$estimate - pairs$true) / sqrt(variance)
  order <- ifelse(pairs$true == 0, 0.5, pairs$true > 0)
  p <- stats::pnorm(pairs$estimate / sqrt(variance))
  data.frame(log_score = mean(-log(variance) / 2 - z^2 / 2), z2 = mean(z^2), coverage = mean(abs(z) < 1.96),
             brier = mean((p - order)^2), over = mean(pmax(p, 1 - p) - ifelse(p > 0.5, order, 1 - order)))
}

main_order <- function(arguments) {
  given <- given_arguments(arguments, list(
    collections = setdiff(collection_names[vapply(read_cases(), function(case) case$x$k >= 5, NA)], "mirex-ams-2011"),
    measures = c("RR", "AP", "nDCG", "ERR"), budgets = c(100, 400)
  ))
  cases <- read_cases()
  settings <- expand.grid(budget = given$budgets, quarter = c(FALSE, TRUE), collection = given$collections,
                          stringsAsFactors = FALSE)
  results <- Map(function(budget, quarter, collection) {
    case <- cases[[collection]]
    prior <- left_out_prior(other_families(cases, case))
    if (quarter) case <- thinned_case(case, 0, ceiling(nrow(case$x$queries) / 4), 7)
    if (budget > length(case$x$gain) / 2) return(NULL)
    judged <- judgments_of(case$x)[c("query", "doc", "gain")][random_order(case, 1), ]
    gains <- joint_gains(case$x, prior, judgments = utils::head(judged, budget))
    do.call(rbind, lapply(given$measures, function(measure) {
      pairs <- pairs_of(case$x, gains, measure)
      scores <- do.call(rbind, lapply(factors, score_factor, pairs = pairs))
      data.frame(collection, family = case$family, quarter, budget, measure, factor = names(factors), scores)
    }))
  }, settings$budget, settings$quarter, settings$collection)
  results <- do.call(rbind, results)
  figures <- c("log_score", "z2", "coverage", "brier", "over")
  means <- function(table, by, v = figures, f = mean) stats::aggregate(table[v], table[by], f)
  show("By part", means(results, c("quarter", "factor")))
  whole <- results[!results$quarter, ]
  show("Whole collections", means(whole, c("measure", "factor")))
  show("Whole collections, by budget", means(whole, c("measure", "budget", "factor")))
  show("Largest z2 of a collection", means(means(whole, c("collection", "measure", "factor")), c("measure", "factor"),
                                           "z2", max))
  by_family <- means(means(results, c("factor", "family", "collection"), "log_score"), c("factor", "family"),
                     "log_score")
  scores <- stats::xtabs(log_score ~ factor + family, by_family)
  show("Log score by family", cbind(scores, mean = rowMeans(scores)))
  invisible(results)
}

if (sys.nframe() == 0) main_order(commandArgs(TRUE))
