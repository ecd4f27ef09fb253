# Creates data/text_demo.rda: `text_demo`, a simulated collection of text retrieval that is as hard to rank without
# judgments as TREC Deep Learning 2019 and 2020, and `text_grades`, the grades of a simulated language model.
# Run from the package's folder, with the package installed: Rscript data-raw/text_demo.R
library(judicious)

n_queries <- 40
n_candidates <- 150
k <- 10

# Ten teams, each with systems of one kind.
team_size <- c(3, 3, 2, 2, 3, 2, 2, 1, 3, 3)
team_kind <- rep(c("lexical", "neural", "hybrid"), c(4, 4, 2))
team <- rep(seq_along(team_size), team_size)
kind <- team_kind[team]
systems <- data.frame(system = paste0(letters[team], sequence(team_size), "-", kind),
                      team = paste0("team-", letters[team]))
n_systems <- nrow(systems)

# A system scores a candidate by the part of its relevance that is visible to systems, plus an error. Most of the error
# is shared by all systems of a kind, and a hybrid system averages the errors of both kinds. Lexical systems are worse
# and more numerous, so a document that many systems retrieve is not always relevant. This, rather than the noise of
# single documents, makes real text collections hard to rank without judgments.
sd_seen <- 4
error_variance <- 28 * c(kind = 0.55, team = 0.15, system = 0.3)
error_size <- c(lexical = 1.3, neural = 0.7, hybrid = 0.85)
sd_size <- c(team = 0.25, system = 0.2)
of_kind <- rbind(lexical = c(1, 0), neural = c(0, 1), hybrid = c(1, 1) / sqrt(2))

draw <- function(rows, columns) matrix(stats::rnorm(rows * columns), rows)

# The candidates of one query: the systems that retrieve them, their relevance, and the language model's grades, which
# err by query and by document and favour documents that neural systems retrieve.
draw_query <- function(size) {
  seen <- sd_seen * draw(n_candidates, 1)[, 1]
  by_kind <- draw(n_candidates, 2)
  error <- sqrt(error_variance[["kind"]]) * by_kind %*% t(of_kind[kind, ]) +
    sqrt(error_variance[["team"]]) * draw(n_candidates, max(team))[, team] +
    sqrt(error_variance[["system"]]) * draw(n_candidates, n_systems)
  on_this_query <- size * exp(stats::rnorm(n_systems, sd = 0.2))
  score <- seen + rep(on_this_query, each = n_candidates) * error
  relevance <- seen + stats::rnorm(1, sd = 2.2) + stats::rnorm(n_candidates, sd = 2.2)
  list(top = apply(score, 2, function(one) order(-one)[seq_len(k)]), relevance = relevance,
       grades = relevance + stats::rnorm(1, sd = 1.5) + stats::rnorm(n_candidates, sd = 2.5) + by_kind[, 2])
}

# Grades 0 to 3 with given shares of 0, 1 and 2.
graded <- function(value, shares) findInterval(value, stats::quantile(value, cumsum(shares), names = FALSE))

make_text <- function(seed) {
  set.seed(seed)
  by_team <- stats::rnorm(max(team), sd = sd_size[["team"]])[team]
  size <- error_size[kind] * exp(by_team + stats::rnorm(n_systems, sd = sd_size[["system"]]))
  drawn <- lapply(seq_len(n_queries), function(query) draw_query(size))
  query <- rep(seq_len(n_queries), each = n_systems * k)
  candidate <- unlist(lapply(drawn, `[[`, "top"))
  runs <- data.frame(system = rep(rep(systems$system, each = k), n_queries), query = sprintf("q%02d", query),
                     doc = sprintf("d%02d-%03d", query, candidate), rank = rep(seq_len(k), n_systems * n_queries))
  pooled <- which(!duplicated(runs[c("query", "doc")]))
  of_pair <- function(part) mapply(function(q, d) drawn[[q]][[part]][d], query[pooled], candidate[pooled])
  pool <- runs[pooled, c("query", "doc")]
  judgments <- data.frame(pool, gain = graded(of_pair("relevance"), c(0.53, 0.17, 0.18)))
  list(
    collection = test_collection(runs, systems = systems, judgments = judgments, k = k, scale = gain_scale(0:3)),
    grades = data.frame(pool, grade = graded(of_pair("grades"), c(0.38, 0.25, 0.2)), row.names = NULL)
  )
}

# Statistics that are compared with real collections, based on shares of the top grade, because scales differ.
statistics <- function(x, truth = judgments_of(x)) {
  runs <- as.data.frame(x)
  pair <- paste(runs$query, runs$doc)
  gain <- truth$gain[match(pair, paste(truth$query, truth$doc))] / max(truth$gain)
  by_query <- tapply(gain, list(runs$system, runs$query), sum) / k
  by_query[is.na(by_query)] <- 0
  pooled <- !duplicated(pair)
  ranking <- rank_systems(x, judgments = FALSE)
  c("pairs per query" = sum(pooled) / ncol(by_query), "mean gain" = mean(gain[pooled]),
    "share not relevant" = mean(gain[pooled] == 0), "mean of systems" = mean(by_query),
    "sd between systems" = stats::sd(rowMeans(by_query)), "sd between queries" = stats::sd(colMeans(by_query)),
    "retrieved by one system" = mean(table(pair) == 1), "order right without judgments" =
      ranking_accuracy(ranking, truth)[["accuracy"]])
}

# Selects the seed, of ten, whose collection is most typical in how hard it is to rank.
compared <- vapply(1:10, function(seed) statistics(make_text(seed)$collection), numeric(8))
hardness <- compared["order right without judgments", ]
seed <- which.min(abs(hardness - mean(hardness)))
made <- make_text(seed)
text_demo <- made$collection
text_grades <- made$grades
save(text_demo, text_grades, file = "data/text_demo.rda", compress = "xz", version = 3)

# Comparison with the real collections.
compared <- cbind(text_demo = compared[, seed], "mean of 10 seeds" = rowMeans(compared))
if (nzchar(Sys.getenv("JUDICIOUS_DATA"))) {
  source("bench/trust-data.R")
  for (name in c("trec-dl-2019", "trec-dl-2020")) {
    real <- read_case(name)
    compared <- cbind(compared, statistics(real$x, real$truth))
    colnames(compared)[ncol(compared)] <- name
  }
}
print(round(compared, 3))
