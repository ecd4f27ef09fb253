# Speed of the significance tests against R's own, and the whole study of Urbano et al. (2011) on MIREX 2011,
# its published figures beside it. Run with: Rscript bench/significance.R; the real data is found through
# JUDICIOUS_DATA.
library(judicious)

# Processor time, which a busy machine does not stretch.
seconds <- function(code) sum(system.time(code)[c("user.self", "sys.self")])

# The published study: 15 systems, 100 queries of 10 genres, 4 measures, 20 sizes, 500 trials, two tests.
# Simulated scores, as the time does not depend on them: half the measures with many ties.
set.seed(1)
n <- 100
m <- 15
base <- outer(rnorm(n), seq(0, 1.5, length.out = m), "+")
measures <- lapply(1:4, function(i) {
  value <- base + rnorm(n * m)
  if (i %% 2) value else round(2 * value) / 2
})
scores <- do.call(rbind, lapply(seq_along(measures), function(i) {
  data.frame(system = rep(paste0("S", seq_len(m)), each = n), query = rep(seq_len(n), m), measure = paste0("M", i),
             value = as.vector(measures[[i]]))
}))
genre <- setNames(rep(letters[1:10], 10), seq_len(n))
two <- list(FT = test_friedman_tukey(), W1 = test_wilcoxon("better", adjust = "none", alpha = 0.01))
study <- seconds({
  power_analysis(scores, tests = two, strata = genre, seed = 1, progress = FALSE)
  stability_analysis(scores, tests = two, strata = genre, seed = 1, progress = FALSE)
})
cat(sprintf("whole study (4 measures, 105 pairs, 2 tests, 500 trials): %.1f s of processor time, one worker\n", study))

# The same tests of one subset by R's functions.
x <- measures[[1]]
colnames(x) <- paste0("S", seq_len(m))
pairs <- combn(m, 2)
w_peer <- seconds(for (i in 1:5) apply(pairs, 2, function(p) wilcox.test(x[, p[1]], x[, p[2]],
  paired = TRUE)$p.value)) / 5
f_peer <- seconds(for (i in 1:50) friedman.test(x)) / 50
subsets <- 1000
w_mine <- seconds(power_analysis(x, sizes = 99, trials = subsets, tests = two["W1"], seed = 1,
                                 progress = FALSE)) / subsets
f_mine <- seconds(power_analysis(x, sizes = 99, trials = subsets, tests = two["FT"], seed = 1,
                                 progress = FALSE)) / subsets
cat(sprintf("Wilcoxon, 105 pairs, about 100 queries: %.0f times faster than wilcox.test()\n", w_peer / w_mine))
cat(sprintf("Friedman with all pairs: %.0f times faster than friedman.test() without pairs\n", f_peer / f_mine))

path <- file.path(Sys.getenv("JUDICIOUS_DATA"), "mirex-ams-2011")
if (!dir.exists(path)) {
  cat("MIREX 2011 is not there: set JUDICIOUS_DATA\n")
  quit()
}
x <- suppressWarnings(test_collection(
  file.path(path, "runs.txt"), documents = file.path(path, "metadata.txt"),
    judgments = file.path(path, "judgments.txt"), k = 5
))
pair <- rep(seq_along(x$pool$query), diff(x$results$offset))
ag <- matrix(0, nrow(x$queries), nrow(x$systems), dimnames = list(x$queries$query, x$systems$system))
ag[] <- xtabs(x$gain[pair] ~ x$pool$query[pair] + x$results$system) / 5
print(compare_systems(ag), n = 10)
strata <- x$queries[c("query", "genre")]
power <- power_analysis(ag, tests = two, strata = strata, seed = 1, progress = FALSE)
stability <- stability_analysis(ag, tests = two, strata = strata, seed = 1, progress = FALSE)
table <- as.data.frame(unclass(reliability_table(power, stability, sizes = c(50, 100))))
# Table 1 of the paper, AG with Fine gains, on the edition of 2009 (15 systems, 105 pairs).
published <- data.frame(test = rep(c("FT", "W1"), each = 2), size = c(50, 100, 50, 100),
                        published_power = c(.519, .543, .543, .600),
                        published_conflicts = c(.032, NA, .033, NA))
print(merge(table[c("test", "size", "power", "conflicts")], published), digits = 3, row.names = FALSE)
# Were the two subsets independent, a pair significant with probability p on one would be in conflict with
# probability 2p(1 - p).
p <- subset(attr(power, "pairs"), size == 50)
cat("conflicts at 50 queries that the power of each pair implies:",
    format(tapply(2 * p$power * (1 - p$power), p$test, mean), digits = 3), "\n")
