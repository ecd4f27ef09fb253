# Do intervals and rank sets of systems ranked by votes hold? On simulated votes, with queries that favour some systems,
# judges of different reliability, ties, and an effect of length; and on crowd-rag-2025, where samples of its 65 queries
# are compared with all of them. Prints the numbers of the article on preferences. Takes a minute.
#
#   Rscript bench/votes.R
suppressMessages(library(judicious))
systems <- c(a = -0.6, b = -0.3, c = -0.1, d = 0.1, e = 0.3, f = 0.6)

world <- function(queries, votes, spread, seed) {
  set.seed(seed)
  own <- matrix(stats::rnorm(queries * 6, 0, spread), queries) + rep(systems, each = queries)
  query <- sample(queries, votes, TRUE)
  pair <- t(vapply(seq_len(votes), function(i) sample(6, 2), integer(2)))
  judge <- sample(60, votes, TRUE)
  length_difference <- stats::rnorm(votes)
  u <- stats::rnorm(60, 1, 0.4)[judge] * (own[cbind(query, pair[, 1])] - own[cbind(query, pair[, 2])]) +
    0.3 * length_difference
  weight <- cbind(exp(u / 2), 0.5, exp(-u / 2))
  drawn <- stats::runif(votes) * rowSums(weight)
  answer <- c("a", "tie", "b")[1 + (drawn > weight[, 1]) + (drawn > weight[, 1] + weight[, 2])]
  data.frame(query, system_a = names(systems)[pair[, 1]], system_b = names(systems)[pair[, 2]], answer,
             length = length_difference)
}

differences_of <- function(fit) {
  pairs <- utils::combn(names(systems), 2)
  list(estimate = fit$mean[pairs[1, ]] - fit$mean[pairs[2, ]], sd = sqrt(fit$difference_variance[t(pairs)]))
}
cat("Coverage of 95% intervals of 15 differences and of joint rank sets, 200 worlds of 60 queries and 1,200 votes\n")
for (spread in c(0, 0.5, 1)) {
  truth <- bradley_terry(world(4000, 100000, spread, 0), covariates = "length")
  one <- function(seed) {
    votes <- world(60, 1200, spread, seed)
    covered <- function(votes) {
      fit <- bradley_terry(votes, covariates = "length")
      found <- differences_of(fit)
      sets <- as.data.frame(fit)
      inside <- abs(found$estimate - differences_of(truth)$estimate) <= stats::qnorm(0.975) * found$sd
      rank <- match(sets$system, names(sort(-systems)))
      c(mean(inside), all(rank >= sets$rank_lower & rank <= sets$rank_upper),
        mean(sets$rank_upper - sets$rank_lower + 1))
    }
    c(covered(votes), covered(votes[names(votes) != "query"]))
  }
  result <- rowMeans(vapply(1:200, one, numeric(6)))
  cat(sprintf(paste("strengths differ between queries by %.1f (sd): %.3f clustered, rank sets %.3f (width %.1f);",
                    "%.3f with votes taken as independent, rank sets %.3f (width %.1f)\n"), spread,
              result[1], result[2], result[3], result[4], result[5], result[6]))
}

data <- file.path(Sys.getenv("JUDICIOUS_DATA"), "crowd-rag-2025")
if (nzchar(Sys.getenv("JUDICIOUS_DATA")) && dir.exists(data)) {
  runs <- utils::read.delim(file.path(data, "runs.tsv.gz"))
  votes <- utils::read.delim(file.path(data, "votes.tsv.gz"))
  votes <- votes[votes$dimension == "quality_overall", ]
  system_of <- function(doc) runs$system[match(paste(votes$query, doc), paste(runs$query, runs$doc))]
  votes <- data.frame(query = votes$query, system_a = system_of(votes$doc_a), system_b = system_of(votes$doc_b),
                      answer = votes$vote, judge = votes$worker)
  all <- bradley_terry(votes)
  cat("crowd-rag-2025: of 200 samples of queries, coverage of the differences by all votes, and of their ranks\n")
  for (n in c(10, 20, 40)) {
    result <- rowMeans(vapply(1:200, function(seed) {
      set.seed(seed)
      fit <- bradley_terry(votes[votes$query %in% sample(unique(votes$query), n), ])
      d <- fit$mean - all$mean
      # The sample is part of 65 queries, and the error is measured against all of them, so the variance has a
      # finite-population correction.
      sd <- sqrt(fit$difference_variance * (1 - n / 65))
      z <- outer(d, d, `-`) / sd
      sets <- as.data.frame(fit)
      rank <- match(sets$system, names(sort(-all$mean)))
      c(mean(abs(z[upper.tri(z)]) <= stats::qnorm(0.975)), all(rank >= sets$rank_lower & rank <= sets$rank_upper),
        mean(sets$rank_upper - sets$rank_lower + 1))
    }, numeric(3)))
    cat(sprintf("%d queries: %.3f, rank sets %.3f (width %.1f of 6)\n", n, result[1], result[2], result[3]))
  }
}
