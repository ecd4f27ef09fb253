# The share of chance in the variance of a gain: the residual and the effects of systems and teams on single queries, as
# a share of all effects, estimated from up to 800 random judgments of each collection with the built-in prior. Fits
# keep it above a minimum (`least_chance`, see shortfalls()), without which judgments that happen to be equal
# within systems or queries would leave nothing to chance; the table tells whether collections are near this minimum.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-chance.R
#
# The collections are those of the data folder and of bench/trust-elsewhere.R.
source("bench/trust-elsewhere.R")

chance_of <- function(case) {
  set.seed(1)
  truth <- case$truth[c("query", "doc", "gain")]
  judged <- truth[sample.int(nrow(truth), min(800, nrow(truth))), ]
  variance <- suppressWarnings(joint_gains(case$x, gain_prior(), judgments = judged))$fit
  variance <- variance$variance[variance$terms]
  data.frame(collection = case$name, judged = nrow(judged), systems = nrow(case$x$systems),
             chance = sum(variance[intersect(names(variance), judicious:::chance_terms)]) / sum(variance))
}

if (sys.nframe() == 0) {
  answers <- lapply(c("hanna", "opinsumm", "dialsumm", "gsm"), read_case)
  shares <- do.call(rbind, lapply(c(read_cases(), answers, cases_elsewhere(names(makers))), chance_of))
  show("Share of chance", shares[order(shares$chance), ])
  cat("The minimum of fits is", judicious:::least_chance, "\n")
}
