# Speed of evaluate() from run files, reading included: 10 measures, the ten that papers report most.
#
#   Rscript bench/evaluate.R [runs] [queries] [depth] [threads]
#
# The default is a tenth of the size we hold ourselves to: 100 runs x 1,000 queries x depth 1,000. Where
# trec_eval is on the path it is timed on the same files in the same session, and the ratio is printed.
library(judicious)

arg <- as.numeric(commandArgs(trailingOnly = TRUE))
size <- ifelse(is.na(arg[1:4]), c(10, 1000, 1000, 2), arg[1:4])
names(size) <- c("runs", "queries", "depth", "threads")
set.seed(1)
folder <- tempfile("runs")
dir.create(folder)
corpus <- sprintf("GX%03d-%02d-%08d", sample(0:271, 2e5, TRUE), sample(0:99, 2e5, TRUE), sample(1e7, 2e5))
corpus <- unique(corpus)

pool_size <- 300
queries <- 700 + seq_len(size[["queries"]])
judgments <- data.frame(
  query = rep(queries, each = pool_size),
  doc = unlist(lapply(queries, function(q) sample(corpus, pool_size))),
  gain = sample(-1:3, size[["queries"]] * pool_size, TRUE, c(.02, .7, .15, .08, .05))
)
qrels <- file.path(folder, "qrels")
writeLines(paste(judgments$query, 0, judgments$doc, judgments$gain), qrels)

# A third of the judged documents, the rest from the corpus; some scores are tied.
pool <- split(judgments$doc, judgments$query)
paths <- vapply(seq_len(size[["runs"]]), function(r) {
  path <- file.path(folder, sprintf("run%03d", r))
  con <- file(path, "wb")
  on.exit(close(con))
  for (q in queries) {
    docs <- unique(c(sample(pool[[as.character(q)]], min(100, size[["depth"]])), sample(corpus, size[["depth"]])))
    docs <- sample(docs[seq_len(min(length(docs), size[["depth"]]))])
    score <- sort(round(stats::rexp(length(docs)), 5), decreasing = TRUE)
    writeLines(paste0(q, " Q0 ", docs, " ", seq_along(docs), " ", score, " run", r), con)
  }
  path
}, "")
bytes <- sum(file.size(paths))
lines <- prod(size[c("runs", "queries", "depth")])
cat(sprintf("%s lines, %.2f GB, %d threads\n", format(lines, big.mark = ","), bytes / 1e9, size[["threads"]]))

names <- c("map", "P_10", "recall_100", "ndcg_cut_10", "ndcg", "recip_rank", "Rprec", "bpref", "iprec_at_recall_0.10",
           "set_F")
ours <- system.time(scores <- evaluate(paths, qrels, names, num_threads = size[["threads"]]))[["elapsed"]]
cat(sprintf("evaluate(): %.2f s, %.0f ns per line, %.1f million lines per second\n", ours, 1e9 * ours / lines,
            lines / ours / 1e6))
print(summary(scores)[1:2, ], digits = 4)

trec_eval <- Sys.which("trec_eval")
if (nzchar(trec_eval)) {
  m <- c("map", "P.10", "recall.100", "ndcg_cut.10", "ndcg", "recip_rank", "Rprec", "bpref", "iprec_at_recall.0.10",
         "set_F")
  theirs <- system.time(for (path in paths) {
    system2(trec_eval, c("-q", paste("-m", m), qrels, path), stdout = FALSE)
  })[["elapsed"]]
  cat(sprintf("trec_eval: %.2f s, %.1f times ours\n", theirs, theirs / ours))
} else {
  cat("trec_eval is not installed, so there is nothing to compare with\n")
}
unlink(folder, recursive = TRUE)
