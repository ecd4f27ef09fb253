# Time per judgment of mtc(): a whole run, updates of the estimates every 20 judgments included, divided by the
# number of judgments.
#
#   Rscript bench/mtc.R
#
# On data of the shape of the MIREX 2011 edition (18 systems of 10 teams, 100 queries, k = 5), made here at
# random; and on
# the edition itself where JUDICIOUS_DATA names the folder that has it. For scale: the C# program by the author
# of the method is stated to take
# about 0.75 s per judgment on the real edition (on its own machine, not measured here). The peer measured in
# the same run is Algorithm 1 in plain R, which
# passes over the pool at every step.
library(judicious)

simulated <- function(seed = 2011, systems = 18, queries = 100, k = 5, docs = 400) {
  set.seed(seed)
  runs <- expand.grid(rank = seq_len(k), query = paste0("q", seq_len(queries)),
                      system = sprintf("s%02d", seq_len(systems)), stringsAsFactors = FALSE)
  runs$doc <- as.vector(replicate(systems * queries, paste0("d", sample(docs, k, prob = 1 / (20 + seq_len(docs))))))
  documents <- data.frame(doc = paste0("d", seq_len(docs)), genre = sample(letters[1:10], docs, TRUE),
                          artist = paste0("a", sample(80, docs, TRUE)))
  query_table <- data.frame(query = unique(runs$query), genre = sample(letters[1:10], queries, TRUE))
  teams <- data.frame(system = unique(runs$system), team = paste0("t", rep_len(1:10, systems)))
  x <- test_collection(runs, documents, teams, query_table, k = k)
  pairs <- output_features(x)
  gain <- round(rnorm(nrow(pairs), 20 + 40 * pairs$sGEN, 25))
  truth <- data.frame(pairs[c("query", "doc")], gain = pmin(100, pmax(0, gain)))
  list(x = x, truth = truth)
}

real <- function(folder) {
  path <- file.path(folder, "mirex-ams-2011")
  if (!nzchar(folder) || !dir.exists(path)) return(NULL)
  teams <- read.delim(file.path(path, "teams.tsv"), header = FALSE, col.names = c("system", "team"))
  truth <- read_judgments(file.path(path, "judgments.txt"))
  x <- suppressWarnings(test_collection(file.path(path, "runs.txt"), file.path(path, "metadata.txt"), teams))
  list(x = x, truth = truth)
}

# Algorithm 1 without updates of the estimates, as one would write it in R: everything anew at every step.
plain_r <- function(case, steps) {
  x <- case$x
  results <- as.data.frame(x)
  pairs <- output_features(x)[c("query", "doc")]
  incidence <- 1 * table(factor(paste(results$query, results$doc), paste(pairs$query, pairs$doc)), results$system)
  incidence <- matrix(incidence, nrow(incidence))
  gain <- case$truth$gain[match(paste(pairs$query, pairs$doc), paste(case$truth$query, case$truth$doc))]
  gains <- as.data.frame(gain_distribution(mirex_model("output", "fine"), output_features(x)))
  c <- rowSums(incidence)
  weight <- c * (ncol(incidence) - c)
  mean <- gains$mean
  variance <- gains$variance
  for (step in seq_len(steps)) {
    best <- which.max(weight)
    weight[best] <- -1
    mean[best] <- gain[best]
    variance[best] <- 0
    e <- drop(crossprod(incidence, mean))
    covariance <- crossprod(incidence, variance * incidence)
    apart <- outer(diag(covariance), diag(covariance), `+`) - 2 * covariance
    confidence <- pnorm(abs(outer(e, e, `-`)) / sqrt(apart))
    mean(confidence[lower.tri(confidence)])
  }
}

seconds <- function(expression) system.time(expression)[["elapsed"]]

report <- function(name, case) {
  output <- mirex_model("output", "fine")
  judge <- mirex_model("judge", "fine")
  n <- nrow(case$truth)
  run <- function(...) seconds(session <<- mtc(case$x, case$truth, output, judge, progress = FALSE, ...))
  session <- NULL
  ms <- function(time) 1000 * time / nrow(session$order)
  whole <- ms(run(stop = "never"))
  undecided <- ms(run(stop = "never", weights = "undecided"))
  to_95 <- run()
  steps <- 200
  plain <- 1000 * seconds(plain_r(case, steps)) / steps
  cat(sprintf("%s: pool of %d pairs\n", name, n))
  cat(sprintf("  %-52s %8.3f ms per judgment\n", "whole pool, updates every 20", whole))
  cat(sprintf("  %-52s %8.3f ms per judgment\n", "the same, weights over undecided comparisons", undecided))
  cat(sprintf("  %-52s %8.3f s for %d judgments\n", "to a confidence of 0.95", to_95, nrow(session$order)))
  cat(sprintf("  %-52s %8.3f ms per judgment, %.0f times ours\n", "plain R, without updates", plain, plain / whole))
  cat(sprintf("  %-52s %8.0f times ours (stated, not measured)\n",
              "the author's C# program, 0.75 s per judgment", 750 / whole))
}

report("Simulated, shape of MIREX 2011", simulated())
case <- real(Sys.getenv("JUDICIOUS_DATA"))
if (is.null(case)) cat("MIREX 2011 itself: set JUDICIOUS_DATA\n") else report("MIREX 2011", case)
