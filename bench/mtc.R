# Time per judgment of mtc(): the time of a whole run, including updates of the estimates every 20 judgments, divided by
# the number of judgments.
#
#   Rscript bench/mtc.R
#
# On simulated data of the shape of the MIREX 2011 edition (18 systems of 10 teams, 100 queries, k = 5), and on the
# edition itself if it is in the folder JUDICIOUS_DATA. For comparison, Algorithm 1 in plain R, which passes over the
# pool at every step, is measured in the same run. (The C# program of the method's author is reported to take about 0.75
# s per judgment on the real edition, on its own machine.)
suppressMessages(library(judicious))
source("bench/common.R")

simulated_edition <- function(seed = 2011, systems = 18, queries = 100, k = 5, docs = 400) {
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

# Algorithm 1 without updates of the estimates, in straightforward R: everything is computed again at every step.
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

mtc_speed <- function(case, steps = 200) {
  output <- mirex_model("output", "fine")
  judge <- mirex_model("judge", "fine")
  run <- function(...) {
    seconds <- cpu_seconds(session <- mtc(case$x, case$truth, output, judge, progress = FALSE, ...))
    c(seconds, nrow(judgments_of(session)))
  }
  runs <- rbind(run(stop = "never"), run(stop = "never", weights = "undecided"), run(confidence = 0.95),
                c(cpu_seconds(plain_r(case, steps)), steps))
  each <- 1000 * runs[, 1] / runs[, 2]
  data.frame(
    run = c("mtc(), the whole pool, updates every 20", "the same, weights over undecided comparisons",
            "mtc(), to a confidence of 0.95", "plain R, without updates"),
    judgments = runs[, 2], seconds = runs[, 1], milliseconds_per_judgment = each, ratio = each / each[1]
  )
}

main <- function() {
  show("Simulated, shape of MIREX 2011", mtc_speed(simulated_edition()))
  x <- mirex_2011()
  if (is.null(x)) cat("MIREX 2011 itself: set JUDICIOUS_DATA\n")
  if (!is.null(x)) show("MIREX 2011", mtc_speed(list(x = x, truth = judgments_of(x))))
}
if (sys.nframe() == 0) main()
