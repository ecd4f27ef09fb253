# Processor time of a judgment in a session, from its answer until the next document is there, with the estimations that
# it causes: on average over the first judgments of sessions of several sizes, by several measures, and the time to
# open each session. bench/scale.R prints how the time grows.
#
#   Rscript bench/session-time.R [sizes=60x50,60x250,200x250] [measures=AG,nDCG@10,AP,RR] [judgments=10,50,100]
# where a size is that of systems x queries.
library(judicious)
source("bench/common.R")
given <- given_arguments(commandArgs(TRUE), list(sizes = c("60x50", "60x250", "200x250"),
                                                 measures = c("AG", "nDCG@10", "AP", "RR"),
                                                 judgments = c(10, 50, 100)))

# Seconds to open a session, and seconds a judgment over the first ones.
session_seconds <- function(x, measure, judgments) {
  truth <- judgments_of(x)
  gain <- stats::setNames(truth$gain, paste(truth$query, truth$doc))
  opening <- cpu_seconds(s <- judging_session(x, goal = goal_budget(1e9), seed = 1, judgments = FALSE,
                                              measure = if (measure != "AG") measure))
  more <- diff(c(0, judgments))
  seconds <- vapply(more, function(n) {
    cpu_seconds(run_session(s, function(query, doc) {
      if (n > 0) {
        n <<- n - 1
        gain[[paste(query, doc)]]
      }
    }, progress = FALSE))
  }, 0)
  close_session(s)
  c(opening, cumsum(seconds) / judgments)
}

rows <- list()
for (size in given$sizes) {
  n <- as.integer(strsplit(size, "x")[[1]])
  x <- simulate_collection(queries = n[2], documents = max(3000, 20 * n[2]), artists = 300, systems = n[1], k = 10,
                           seed = 4, scale = gain_scale(0:2))
  for (measure in given$measures) {
    seconds <- stats::setNames(session_seconds(x, measure, given$judgments), c("opening", given$judgments))
    rows[[length(rows) + 1]] <- data.frame(size = size, measure = measure, t(signif(seconds, 2)), check.names = FALSE)
  }
}
cat("Processor seconds to open a session, and a judgment over the first", toString(given$judgments), "judgments:\n")
print(do.call(rbind, rows), row.names = FALSE)
