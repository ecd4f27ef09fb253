# Which significance test keeps its level, and which has most power? Every test of significance_test() runs on simulated
# scores with the margins and the dependence of real ones, as in Urbano, Lima and Hanjalic (2019). Run from the
# package's folder, with the package installed:
#
#   JUDICIOUS_DATA=<folder> Rscript bench/significance-tests.R [trials=200] [systems=8] [seed=1] [tests=a,b]
#     [store=folder] [out=file.csv]
#
# The trials are the same for every test. With a store, the results of a test on a matrix are kept as a file there, so
# that a study that was interrupted continues, and a further test only adds its rows.
#
# A trial draws `systems` systems of a real matrix of scores, without its lowest quarter. Queries are new draws of a
# Gaussian copula with the correlation of the systems' normal scores; a system's margin is its observed distribution,
# so that ties, floors and ceilings remain. In half of the trials all systems are equal: margins are tilted
# exponentially until all have the same mean, and keep their shapes otherwise. In the others, systems have their own
# means, which shows power. Errors and power are counted at the level .05; `pair` is for single pairs without a
# correction, all others for all pairs of systems with the test's own correction. The one-sample t-test compares each
# system with a number instead: the mean that all systems have, or, where they differ, the mean of their means. The
# article `significance-tests` shows the results of `trials=80`.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

test_names <- c("permutation", "t", "wilcoxon", "sign", "bootstrap", "bootstrap, studentised", "randomised_tukey",
                "tukey", "friedman_tukey", "nemenyi", "one_sample_t")
one_pair <- test_names[c(1:6, 11)]

# With 2,000 replicates, the smallest p-value times the 28 pairs of 8 systems is below the level.
test_of <- function(name, ...) {
  switch(name, "bootstrap, studentised" = significance_test("bootstrap", statistic = "studentised",
                                                            replicates = 2000, ...),
         permutation = , bootstrap = , randomised_tukey = significance_test(name, replicates = 2000, ...),
         significance_test(name, ...))
}

# Matrices of queries by systems: average precision, nDCG (continuous), and precision and AG, which have few values.
score_matrices <- function(root = Sys.getenv("JUDICIOUS_DATA")) {
  of <- function(name, measure) {
    scores <- evaluate(read_case(name)$x, measure)
    tapply(scores$value, list(scores$query, scores$system), mean)
  }
  stored <- new.env()
  load(file.path(root, "scores-adhoc3", "adhoc3.rda"), stored)
  list("TREC-3 ad hoc, AP" = as.matrix(stored$adhoc3), "TREC DL 2019, nDCG@10" = of("trec-dl-2019", "nDCG@10"),
       "CLEF eHealth 2015, P@10" = of("clef-ehealth-2015", "P@10"), "CQA 2016 A, P@5" = of("cqa-2016-a", "P@5"))
}

# Weights of the observed scores whose mean is `target`: exponential tilting, which keeps the support.
tilted_weights <- function(score, target) {
  weights <- function(theta) {
    w <- exp(theta * (score - mean(score)) / stats::sd(score))
    w / sum(w)
  }
  weights(stats::uniroot(function(theta) sum(weights(theta) * score) - target, c(-30, 30), tol = 1e-10)$root)
}

normal_scores <- function(x) apply(x, 2, function(v) stats::qnorm((rank(v) - 0.5) / length(v)))

# Simulated scores of `n` new queries; with a `target`, all systems have this true mean.
simulated_scores <- function(x, n, target = NULL) {
  correlation <- stats::cor(normal_scores(x))
  parts <- eigen(correlation, symmetric = TRUE)
  z <- matrix(stats::rnorm(n * ncol(x)), n) %*% (sqrt(pmax(parts$values, 0)) * t(parts$vectors))
  out <- vapply(seq_len(ncol(x)), function(s) {
    at <- order(x[, s])
    weight <- if (is.null(target)) rep(1 / nrow(x), nrow(x)) else tilted_weights(x[at, s], target)
    # The last cumulated weight is 1 up to rounding, so it is left out.
    x[at, s][1 + findInterval(stats::pnorm(z[, s]), cumsum(weight)[-nrow(x)])]
  }, numeric(n))
  dimnames(out) <- list(paste0("q", seq_len(n)), colnames(x))
  out
}

# Draws systems, without the lowest quarter: some of these have no scores as high as the mean of the others.
drawn_systems <- function(x, count) {
  means <- colMeans(x)
  use <- which(means >= stats::quantile(means, 0.25))
  x[, sample(use, min(count, length(use)))]
}

# Whether the test found any pair, the shares of pairs found with the right and with the wrong sign, and of single pairs
# without a correction.
run_trial <- function(scores, truth, seed, name) {
  equal <- diff(range(truth)) < 1e-9
  alone <- name == "one_sample_t"
  test <- if (alone) test_of(name, mu = mean(truth)) else test_of(name)
  found <- as.data.frame(compare_systems(scores, test = test, seed = seed))
  sign <- sign(if (is.null(found$rank_difference)) found$estimate else found$rank_difference)
  other <- if (alone) mean(truth) else truth[found$system_b]
  true <- if (equal) 0 * sign else sign(truth[found$system_a] - other)
  significant <- found$significant
  data.frame(test = name, any = any(significant), right = mean(significant & sign == true & true != 0),
             wrong = mean(significant & sign != true), distinct = mean(true != 0),
             pair = if (name %in% one_pair) mean(found$p_value <= 0.05) else NA)
}

# The trials of one test on a matrix, from the store if they are there.
trials_of <- function(name, x, test, given) {
  of <- c(name, test, paste(given$sizes, collapse = "+"), given$trials, given$systems, given$seed)
  kept_result(given$store, of, function() {
    cells <- expand.grid(equal = c(TRUE, FALSE), trial = seq_len(given$trials), queries = given$sizes)
    rows <- do.call(rbind, Map(function(equal, trial, queries) {
      set.seed(1e6 * given$seed + 10 * trial + queries * 1e3)
      own <- drawn_systems(x, given$systems)
      target <- if (equal) mean(own)
      truth <- if (equal) rep(target, ncol(own)) else colMeans(own)
      names(truth) <- colnames(own)
      scores <- simulated_scores(own, queries, target)
      data.frame(scores = name, queries, equal, trial, run_trial(scores, truth, trial, test))
    }, cells$equal, cells$trial, cells$queries))
    message(format(Sys.time(), "%H:%M:%S"), " ", name, ": ", test)
    rows
  })
}

# By matrix, number of queries and test: the error rate of single pairs, the familywise error rate, power and the share
# of significant pairs with the wrong sign.
significance_table <- function(trials) {
  parts <- split(trials, trials[c("test", "queries", "scores")], drop = TRUE)
  table <- do.call(rbind, lapply(parts, function(part) {
    null <- part[part$equal, ]
    real <- part[!part$equal, ]
    data.frame(part[1, c("scores", "queries", "test")], trials = nrow(null), pair_error = mean(null$pair),
               family_error = mean(null$any), power = sum(real$right) / sum(real$distinct),
               wrong_sign = sum(real$wrong) / max(sum(real$wrong + real$right), 1e-12))
  }))
  table <- table[order(match(table$scores, unique(trials$scores)), table$queries, match(table$test, test_names)), ]
  rownames(table) <- NULL
  table
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(trials = 200L, sizes = c(25, 50, 100), systems = 8L, seed = 1L,
                                           tests = test_names, store = "", out = ""))
  matrices <- score_matrices()
  trials <- do.call(rbind, lapply(names(matrices), function(name) {
    do.call(rbind, lapply(given$tests, function(test) trials_of(name, matrices[[name]], test, given)))
  }))
  table <- significance_table(trials)
  figures <- c("pair_error", "family_error", "power", "wrong_sign")
  table[figures] <- signif(as.matrix(table[figures]), 4)
  if (nzchar(given$out)) utils::write.csv(table, given$out, row.names = FALSE)
  show("Significance tests on simulated scores", table)
  invisible(table)
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
