# Candidate features of the mean gain that describe popular documents at high ranks, compared with the built-in ones. A
# candidate's slope has a prior that was learned from the collections of the other families. `density` is the mean log
# density of the gains that are not judged, `mse` the mean squared error of their means, and `first` the mean error at
# rank 1 of the lists; `dcg` is the mean squared error of the differences of the systems' DCG. Gains are from 0 to 1;
# documents are judged in random order.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-features.R [budgets=100,400] [seeds=4]
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

depths <- c("clef-ehealth-2015" = 10, "trec-dl-2019" = 10, "trec-dl-2020" = 10, "trec-dl-2022-silver" = 10,
            "trec-covid-1" = 7, "trec-covid-2" = 7, "trec-covid-3" = 7, "cqa-2016-a" = 5, "cqa-2016-c" = 10)
family_of <- function(name) sub("-(2|c|1).*", "", name)

read_at_depth <- function(name) {
  if (name == "clef-ehealth-2015") return(read_case(name))
  c(read_folder(file.path(Sys.getenv("JUDICIOUS_DATA"), name), depths[[name]]), list(name = name))
}

# Functions of the collection that return one number per pair, by name.
candidates <- list(
  "lists that rank it first" = function(x) log1p(over_lists(x, x$results$rank == 1)),
  "best rank" = function(x) -log(as.vector(tapply(x$results$rank, result_pairs(x), min))),
  "sum of 1 / rank" = function(x) log(over_lists(x, 1 / x$results$rank)),
  "popularity x rank" = function(x) centred(popularity_of(x)) * centred(over_lists(x, x$results$rank) / lists_of(x)),
  "popularity squared" = function(x) judicious:::within_systems(x, popularity_of(x))^2
)

lists_of <- function(x) diff(x$results$offset)
result_pairs <- function(x) rep(seq_along(x$pool$query), lists_of(x))
over_lists <- function(x, v) as.vector(rowsum(as.numeric(v), result_pairs(x)))
popularity_of <- function(x) log(output_features(x)$pTEAM * length(unique(x$systems$team)))
centred <- function(v) v - mean(v)

# Removes the differences between the systems' means from a candidate feature, as the package does for `popularity`.
feature <- function(candidate) {
  force(candidate)
  function(x) data.frame(candidate = judicious:::within_systems(x, candidate(x)))
}

spread_of <- function(case, candidate) stats::sd(feature(candidate)(case$x)$candidate)

# The slope per unit of the feature: gain_model() standardises custom features within a collection.
slope_of <- function(case, candidate) {
  model <- gain_model(case$x, features = feature(candidate), prior = gain_prior(features = feature(candidate)),
                      random = c("query", "system", "query:system"))
  model$coefficient[["candidate"]] / spread_of(case, candidate)
}

with_feature <- function(case, candidate, slopes) {
  others <- family_of(names(slopes)) != family_of(case$name)
  families <- tapply(slopes[others], family_of(names(slopes)[others]), mean)
  sd <- sqrt(stats::var(slopes[others]) * (1 + 1 / length(families)))
  judicious:::with_coefficients(gain_prior(features = feature(candidate)),
                                c(candidate = mean(families) * spread_of(case, candidate)),
                                sd * spread_of(case, candidate))
}

differences <- function(v) outer(v, v, `-`)[lower.tri(diag(length(v)))]

score_means <- function(case, prior, judged) {
  x <- case$x
  span <- diff(range(x$scale$levels))
  gains <- joint_gains(x, prior, judgments = judged)
  found <- as.data.frame(gains)
  error <- (found$mean - x$gain) / span
  variance <- found$variance / span^2
  open <- !found$judged
  first <- result_pairs(x)[x$results$rank == 1]
  dcg <- paste0("DCG@", x$k)
  truth <- suppressWarnings(evaluate(x, judgments_of(x), dcg, per = "mean"))
  missed <- estimates(rank_systems(x, gains, measure = dcg)) - truth$value[match(x$systems$system, truth$system)]
  data.frame(density = mean(stats::dnorm(error, 0, sqrt(variance), log = TRUE)[open]), mse = mean(error[open]^2),
             first = mean(error[first[open[first]]]), dcg = mean(differences(missed / span)^2))
}

estimates <- function(ranking) unname(ranking$mean)

compare_features <- function(cases, slopes, budgets, seed) {
  do.call(rbind, lapply(cases, function(case) {
    set.seed(seed)
    order <- judgments_of(case$x)[sample.int(nrow(judgments_of(case$x))), c("query", "doc", "gain")]
    priors <- c(list(none = gain_prior()), Map(with_feature, list(case), candidates, slopes))
    names(priors) <- c("none", names(candidates))
    do.call(rbind, lapply(budgets, function(budget) {
      rows <- lapply(priors, score_means, case = case, judged = utils::head(order, budget))
      data.frame(collection = case$name, budget = budget, feature = names(priors), do.call(rbind, rows))
    }))
  }))
}

if (sys.nframe() == 0) {
  options(width = 120)
  given <- given_arguments(commandArgs(TRUE), list(budgets = c(100, 400), seeds = 4L))
  cases <- sapply(names(depths), read_at_depth, simplify = FALSE)
  slopes <- lapply(candidates, function(candidate) vapply(cases, slope_of, 1, candidate))
  show("Slopes", t(do.call(rbind, slopes)))
  results <- do.call(rbind, lapply(seq_len(given$seeds), function(seed) {
    compare_features(cases, slopes, given$budgets, seed)
  }))
  figures <- results[c("density", "mse", "first", "dcg")]
  show("All collections", stats::aggregate(figures, results[c("feature", "budget")], mean), digits = 4)
  show("By collection", stats::aggregate(figures, results[c("collection", "feature")], mean), digits = 4)
}
