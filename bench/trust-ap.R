# Why are rankings by AP overconfident on some collections? AP@k divides by the number of relevant documents of the
# query, so few queries with few relevant documents may dominate. Prints by collection the share of the variance between
# systems that is due to five queries, and after random judgments the share of pairs of systems in the right order: by
# the mean of AP over draws, with the true numbers of relevant documents (`known_relevant`), and with the true sums of
# precisions (`known_lists`).
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-ap.R [collections=a,b] [judgments=400] [draws=40]
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

# The sums of the precisions at relevant documents, queries by systems, where `relevant` has a number per row of `runs`.
precision_sums <- function(runs, relevant) {
  list_of <- interaction(runs$query, runs$system, drop = TRUE)
  found <- stats::ave(relevant, list_of, FUN = cumsum)
  place <- stats::ave(relevant, list_of, FUN = seq_along)
  tapply(relevant * found / place, runs[c("query", "system")], sum, default = 0)
}

order_by_ap <- function(name, judgments, draws) {
  x <- read_case(name)$x
  truth <- judgments_of(x)[c("query", "doc", "gain")]
  runs <- as.data.frame(x)
  runs <- runs[order(runs$query, runs$system, runs$rank), ]
  set.seed(101)
  gains <- joint_gains(x, gain_prior(), judgments = truth[sample.int(nrow(truth), judgments), ])
  drawn <- simulate(gains, draws, seed = 1)
  id <- paste(drawn$query, drawn$doc)
  at <- match(paste(runs$query, runs$doc), id)
  true <- as.numeric(truth$gain[match(id, paste(truth$query, truth$doc))] >= 1)
  count <- function(relevant) pmax(rowsum(relevant, drawn$query)[, 1], 1)
  true_sums <- precision_sums(runs, true[at])
  true_count <- count(true)[rownames(true_sums)]
  exact <- true_sums / true_count
  means <- lapply(seq_len(draws), function(t) {
    relevant <- as.numeric(drawn[[2 + t]] >= 1)
    sums <- precision_sums(runs, relevant[at])
    drawn_count <- count(relevant)[rownames(sums)]
    cbind(drawn = colMeans(sums / drawn_count), known_relevant = colMeans(sums / true_count),
          known_lists = colMeans(true_sums / drawn_count))
  })
  estimate <- Reduce(`+`, means) / draws
  right <- apply(estimate, 2, function(one) (1 + stats::cor(one, colMeans(exact), method = "kendall")) / 2)
  of_queries <- sort(apply(exact, 1, stats::var), decreasing = TRUE)
  data.frame(collection = name, queries = nrow(exact), relevant = stats::median(true_count),
             five_queries = sum(of_queries[1:5]) / sum(of_queries), t(right))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(collections = c("trec-dl-2022-silver", "clef-ehealth-2015",
                                                                   "trec-dl-2019", "trec-dl-2020"),
                                                   judgments = 400L, draws = 40L))
  show("Pairs in the right order of AP",
       do.call(rbind, lapply(given$collections, order_by_ap, given$judgments, given$draws)))
}
