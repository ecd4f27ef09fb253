# Speed of the significance tests compared with R's own, and the whole study of Urbano et al. (2011) on MIREX 2011, with
# its published numbers. Run with: Rscript bench/significance.R; the real data must be in the folder JUDICIOUS_DATA.
suppressMessages(library(judicious))
source("bench/common.R")

two_tests <- function() {
  list(FT = significance_test("friedman_tukey"),
       W1 = significance_test("wilcoxon", "better", adjust = "none", alpha = 0.01))
}

# Scores in the shape of the published study: 15 systems, 100 queries, 4 measures, of which half have many ties. The
# time does not depend on the scores.
study_scores <- function(n = 100, m = 15) {
  set.seed(1)
  base <- outer(rnorm(n), seq(0, 1.5, length.out = m), "+")
  lapply(1:4, function(i) {
    value <- base + rnorm(n * m)
    colnames(value) <- paste0("S", seq_len(m))
    if (i %% 2) value else round(2 * value) / 2
  })
}

# The published study: 105 pairs, 20 sizes, 500 trials, two tests.
study_seconds <- function(measures = study_scores()) {
  n <- nrow(measures[[1]])
  scores <- do.call(rbind, lapply(seq_along(measures), function(i) {
    value <- measures[[i]]
    data.frame(system = rep(colnames(value), each = n), query = rep(seq_len(n), ncol(value)), measure = paste0("M", i),
               value = as.vector(value))
  }))
  genre <- setNames(rep(letters[1:10], 10), seq_len(n))
  cpu_seconds({
    power_analysis(scores, tests = two_tests(), strata = genre, seed = 1, progress = FALSE)
    stability_analysis(scores, tests = two_tests(), strata = genre, seed = 1, progress = FALSE)
  })
}

# The same tests of one subset by R's functions.
test_speed <- function(x = study_scores()[[1]], subsets = 1000) {
  pairs <- combn(ncol(x), 2)
  peer <- c(
    cpu_seconds(for (i in 1:5) apply(pairs, 2, function(p) {
      wilcox.test(x[, p[1]], x[, p[2]], paired = TRUE)$p.value
    })) / 5,
    cpu_seconds(for (i in 1:50) friedman.test(x)) / 50
  )
  ours <- vapply(two_tests()[c("W1", "FT")], function(test) {
    cpu_seconds(power_analysis(x, sizes = nrow(x) - 1, trials = subsets, tests = list(test), seed = 1,
                               progress = FALSE)) / subsets
  }, 0)
  data.frame(test = c("Wilcoxon, all pairs of systems", "Friedman-Tukey, all pairs"),
             peer = c("wilcox.test(), all pairs", "friedman.test(), without pairs"), pairs = ncol(pairs),
             our_milliseconds = 1e3 * ours, peer_milliseconds = 1e3 * peer, ratio = peer / ours, row.names = NULL)
}

# Power and conflicts on the real edition, with Table 1 of the paper: AG with Fine gains on the edition of 2009 (15
# systems, 105 pairs).
published_study <- function(x) {
  pair <- rep(seq_along(x$pool$query), diff(x$results$offset))
  ag <- matrix(0, nrow(x$queries), nrow(x$systems), dimnames = list(x$queries$query, x$systems$system))
  ag[] <- xtabs(x$gain[pair] ~ x$pool$query[pair] + x$results$system) / 5
  strata <- x$queries[c("query", "genre")]
  power <- power_analysis(ag, tests = two_tests(), strata = strata, seed = 1, progress = FALSE)
  stability <- stability_analysis(ag, tests = two_tests(), strata = strata, seed = 1, progress = FALSE)
  table <- as.data.frame(unclass(reliability_table(power, stability, sizes = c(50, 100))))
  published <- data.frame(test = rep(c("FT", "W1"), each = 2), size = c(50, 100, 50, 100),
                          published_power = c(.519, .543, .543, .600), published_conflicts = c(.032, NA, .033, NA))
  # If the two subsets were independent, a pair that is significant with probability p on each would be in conflict with
  # probability 2p(1 - p).
  p <- subset(attr(power, "pairs"), size == 50)
  list(comparison = compare_systems(ag), table = merge(table[c("test", "size", "power", "conflicts")], published),
       implied_conflicts = tapply(2 * p$power * (1 - p$power), p$test, mean))
}

main <- function() {
  cat(sprintf("whole study (4 measures, 105 pairs, 2 tests, 500 trials): %.1f s of processor time, one worker\n",
              study_seconds()))
  show("Against R's own tests", test_speed())
  x <- mirex_2011()
  if (is.null(x)) return(cat("MIREX 2011 is not there: set JUDICIOUS_DATA\n"))
  real <- published_study(x)
  print(real$comparison, n = 10)
  show("MIREX 2011 beside the published table", real$table)
  cat("conflicts at 50 queries that the power of each pair implies:", format(real$implied_conflicts, digits = 3), "\n")
}
if (sys.nframe() == 0) main()
