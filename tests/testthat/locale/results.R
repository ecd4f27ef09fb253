# Run by test-locale.R in a process with another locale. Saves its results in the file that is named on the command
# line.
library(judicious)
# Results must have decimal points whatever the user's options are.
if (nzchar(Sys.getenv("OUT_DEC"))) options(OutDec = Sys.getenv("OUT_DEC"), digits = 3)
path <- commandArgs(TRUE)[1]

ids <- c("b", "B", "a", "A", "z", "Z", "s", "t", "i", "I", "\u0130", "\u0131", "\u00e9", "\u00c9", "\u00fc", "\u00f5",
         "\u4e2d", "\U1F3B5", "_x", "-y", "10", "9", "a b", "ab")
docs <- paste0(ids, "1")
latin <- iconv(c("caf\u00e9", "na\u00efve", "plain", "\u00c9tude"), "UTF-8", "latin1")
write_bytes <- function(text, to = tempfile(), encoding = "UTF-8") {
  writeBin(iconv(enc2utf8(paste0(text, "\n", collapse = "")), "UTF-8", encoding, toRaw = TRUE)[[1]], to)
  to
}

# Every system retrieves some documents of every query, many with equal scores.
runs <- expand.grid(doc = docs, query = ids[1:6], system = ids[7:14], stringsAsFactors = FALSE)
pick <- (seq_len(nrow(runs)) * 7919) %% 11 < 4
runs <- runs[pick, ]
runs$score <- (seq_len(nrow(runs)) * 31) %% 3
truth <- unique(runs[c("query", "doc")])
truth$gain <- (seq_len(nrow(truth)) * 5) %% 3 / 2
systems <- data.frame(system = ids[7:14], team = rep(ids[c(13, 3, 15, 4)], 2), kind = rep(c("B", "a"), 4))
documents <- data.frame(doc = docs, genre = rep(ids[c(1, 2, 13)], 8), artist = rep(ids[5:8], 6))

out <- list()
x <- suppressWarnings(test_collection(runs, documents, systems, judgments = truth, k = 5,
                                      scale = gain_scale(c(0, .5, 1))))
out$collection <- x[c("systems", "queries", "documents", "pool", "results", "gain")]
out$features <- list(output_features(x), judgment_features(x),
                     output_features(x, systems = "kind"))
out$ranks <- as.data.frame(evaluate(runs, truth, c("AP", "nDCG@3"), ties = "trec_eval"))
out$ranking <- as.data.frame(rank_systems(x, joint_gains(x, gain_prior(), update = FALSE)))
out$compared <- as.data.frame(compare_systems(evaluate(x, measure = "AP@5")))
out$checks <- lapply(check_runs(runs, truth), as.data.frame)

# Files in two encodings, and data frames in a third.
trec <- paste(c(1, 1, 2, 2), "Q0", enc2utf8(latin), 1, c(".5", ".5", ".2", ".5"), "S")
utf8 <- read_runs(write_bytes(trec))
out$files <- list(utf8 = utf8, latin1 = suppressMessages(read_runs(write_bytes(trec, encoding = "latin1"))),
                  named = read_runs(write_bytes(trec, encoding = "latin1"), encoding = "latin1"),
                  wide = read_runs(write_bytes(trec, encoding = "UTF-16LE"), encoding = "UTF-16LE"),
                  headed = read_runs(write_bytes(c("system query doc \u00e9tude", "A q1 d1 x"))))
qrels <- write_bytes(paste(c(1, 1, 2, 2), 0, enc2utf8(latin), c(1, 0, 1, 2)))
frame <- data.frame(query = c(1, 1, 2, 2), doc = latin, gain = c(1, 0, 1, 2))
out$mixed <- lapply(list(read_judgments(qrels), frame), function(judged) {
  as.data.frame(evaluate(write_bytes(trec), judged, c("AP", "DCG")))
})
out$sorted <- test_collection(data.frame(system = "S", query = 1, doc = latin, score = 1), k = 4)$results

# Ordinal models with text variables.
n <- 200
data <- data.frame(g = rep_len(ids[c(3, 2, 4, 1)], n), h = rep_len(ids[1:23], n))
data$y <- ((seq_len(n) * 37) %% 101 + 9 * match(data$h, ids)) %/% 103
fit <- pom(y ~ g, data)
mixed <- pom(y ~ g + (1 | h), data)
out$models <- list(coef(fit), vcov(fit), predict(fit, data.frame(g = ids[1:3]), type = "prob"), levels(fit$model$g),
                   ranef(mixed), fixef(mixed))

# Preferences: the pair of two documents has one key, whichever comes first.
candidates <- data.frame(query = "q", doc = docs[c(1:4, 9:14)])
session <- preference_session(candidates, seed = 3, answers = 1, level = 0.5, order = "given")
asked <- next_pairs(session)
turned <- asked
turned[c("doc_a", "doc_b")] <- asked[c("doc_b", "doc_a")]
turned$worker <- "w"
turned$answer <- rep_len(c("a", "b", "equal"), nrow(turned))
session <- add_answers(session, turned[c("query", "doc_a", "doc_b", "worker", "answer")])
out$preferences <- list(asked, next_pairs(session), session$pairs)

# A judging session.
s <- judging_session(x, goal = goal_budget(6), audit = 0.3, batch = 2, seed = 4, judgments = FALSE)
s <- run_session(s, truth)
out$session <- list(judgments_of(s)[c("query", "doc", "gain")], as.data.frame(rank_systems(s)), documents = next_documents(s, 3, "me")[c("query", "doc")])

# The output of the command line, as bytes.
one_word <- function(id) gsub(" ", "_", id)
file <- write_bytes(paste(runs$query, "Q0", one_word(runs$doc), 1, runs$score, one_word(runs$system)))
table <- write_bytes(c("system\tquery\tdoc\tscore",
                       paste(runs$system, runs$query, runs$doc, runs$score, sep = "\t")))
judged <- write_bytes(paste(truth$query, 0, one_word(truth$doc), truth$gain * 2))
cli <- function(...) {
  to <- tempfile()
  status <- judicious:::cli_main(c(..., "--quiet", "--output", to))
  list(status, readBin(to, "raw", 1e6))
}
out$cli <- list(
  cli("evaluate", file, "-j", judged, "-M", "map,ndcg_cut_10,INFAP", "--layout", "trec_eval", "--per", "query"),
  cli("rank", table, "-k", "5", "--table", "pairs", "--format", "csv"),
  cli("next", table, "-n", "7"),
  cli("rank", table, "--format", "json")
)
out$parsed <- vapply(c("nDCG(rel=2)@10", "ndcg_cut_10", "INFAP", "P_10"), function(name) format(measure(name)), "")
saveRDS(out, path)
