# How the time of a judgment grows: processor time until the next document of a session, with the estimations that its
# judgments cause, by the number of systems, queries and earlier judgments, the documents of the pool and the measure.
# For each, the exponent of the growth (the slope of log time on log size over the larger half of the sizes), and the
# size at which a judgment takes a second, on the line through the two largest, up to ten times the largest.
#
#   Rscript bench/scale.R [growth=systems,queries,judgments,pool] [measures=AG,nDCG@10,AP] [judged=12] [most=Inf]
# where `judged` is the number of judgments of each session, and `most` limits the sizes.
library(judicious)
source("bench/common.R")
given <- given_arguments(commandArgs(TRUE), list(growth = c("systems", "queries", "judgments", "pool"),
                                                 measures = c("AG", "nDCG@10", "AP"), judged = 12, most = Inf))
sizes <- list(systems = c(20, 60, 200, 600), queries = c(50, 100, 250, 500, 1000),
              judgments = c(50, 150, 500, 1500, 5000), pool = c(1e3, 1e4, 1e5, 1e6))
usual <- list(systems = 60, queries = 50, judgments = 0, pool = NA)

# Lists of ten from a pool of `documents` for each query, the first of which are in most lists.
lists_of <- function(systems, queries, documents) {
  set.seed(1)
  lists <- replicate(systems * queries, sample.int(documents, 10, prob = 1 / seq_len(documents)))
  runs <- data.frame(system = rep(seq_len(systems), each = 10 * queries), query = rep(seq_len(queries), each = 10),
                     doc = as.vector(lists), rank = 1:10)
  test_collection(runs, systems = data.frame(system = seq_len(systems), team = (seq_len(systems) + 3) %/% 4), k = 10,
                  scale = broad_scale())
}

# A pool of a given size comes from systems whose lists hardly overlap.
collection_of <- function(size) {
  if (is.na(size$pool)) return(lists_of(size$systems, size$queries, 300))
  queries <- ceiling(size$pool / (10 * size$systems))
  lists_of(size$systems, queries, 1e4)
}

# Processor seconds of a judgment, after `before` earlier ones.
seconds_a_judgment <- function(x, measure, before) {
  pairs <- as.data.frame(uniform_gains(x))[c("query", "doc")]
  set.seed(2)
  gain <- sample(0:2, nrow(pairs), TRUE, c(.6, .25, .15))
  some <- sample.int(nrow(pairs), min(before, nrow(pairs) %/% 2))
  s <- judging_session(x, goal = goal_budget(1e9), seed = 1, measure = if (measure != "AG") measure,
                       judgments = if (length(some)) cbind(pairs[some, ], gain = gain[some]) else FALSE)
  truth <- stats::setNames(gain, paste(pairs$query, pairs$doc))
  n <- given$judged
  time <- cpu_seconds(run_session(s, function(query, doc) {
    if (n > 0) {
      n <<- n - 1
      truth[[paste(query, doc)]]
    }
  }, progress = FALSE))
  close_session(s)
  time / given$judged
}

exponent <- function(size, seconds) {
  larger <- size >= stats::median(size)
  if (sum(larger) > 1) stats::coef(stats::lm(log(seconds) ~ log(size), subset = larger))[[2]] else NA
}

size_of_a_second <- function(size, seconds) {
  last <- utils::tail(seq_along(size), 2)
  slope <- diff(log(seconds[last])) / diff(log(size[last]))
  at <- size[last[2]] * (1 / seconds[last[2]])^(1 / slope)
  if (at <= 10 * size[last[2]]) signif(at, 2) else NA
}

for (by in given$growth) {
  size <- sizes[[by]][sizes[[by]] <= given$most]
  seconds <- vapply(given$measures, function(measure) {
    vapply(size, function(n) {
      one <- replace(usual, by, n)
      seconds_a_judgment(collection_of(one), measure, one$judgments)
    }, 0)
  }, numeric(length(size)))
  table <- data.frame(measure = given$measures, t(matrix(seconds, length(size))))
  names(table)[-1] <- format(size, scientific = FALSE, big.mark = ",", trim = TRUE)
  table$exponent <- apply(seconds, 2, exponent, size = size)
  table$`a second at` <- apply(seconds, 2, size_of_a_second, size = size)
  show(paste("Seconds a judgment by", by), table)
}
