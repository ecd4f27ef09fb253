# An independent, slow reference for evaluate(): one query of one system at a time, with dense vectors, and every
# measure as trec_eval's documentation defines it. `run` has doc and score, `known` has doc and gain.

reference_ranking <- function(run) {
  bytes <- vapply(run$doc, function(d) paste(format(as.hexmode(as.integer(charToRaw(d))), width = 2), collapse = ""),
                  "")
  single <- readBin(writeBin(as.numeric(run$score), raw(), size = 4), "numeric", n = nrow(run), size = 4)
  # Descending by score, then by the bytes of the id: hexadecimal text sorts as the bytes do.
  run$doc[order(single, bytes, decreasing = TRUE, method = "radix")]
}

# The levels of the list by rank: NA if the document is not in the pool, negative if it is in the pool but not judged.
reference_levels <- function(run, known) known$gain[match(reference_ranking(run), known$doc)]

reference_value <- function(name, levels, known, rel = 1) {
  judged <- known$gain[known$gain >= 0]
  R <- sum(judged >= rel)
  N <- sum(judged < rel)
  n <- length(levels)
  hit <- !is.na(levels) & levels >= rel
  gain <- ifelse(is.na(levels) | levels < 0, 0, levels)
  k <- suppressWarnings(as.numeric(sub(".*_", "", name)))
  first <- function(x, k) utils::head(c(x, rep(0, max(0, k - length(x)))), k)
  ideal <- sort(judged[judged > 0], decreasing = TRUE)
  dcg <- function(g) sum(g / log2(seq_along(g) + 1))
  precision <- if (n) cumsum(hit) / seq_len(n) else numeric()
  at_recall <- function(share) {
    need <- floor(share * R + 0.9)
    at <- which(cumsum(hit) >= need)
    if (R == 0 || sum(hit) < need || !sum(hit)) 0 else max(precision[at])
  }
  safe <- function(x) if (is.finite(x)) x else 0
  switch(sub("_[0-9.]+$", "", name),
    num_ret = n, num_rel = R, num_rel_ret = sum(hit),
    num_nonrel_judged_ret = sum(!is.na(levels) & levels >= 0 & levels < rel),
    map = safe(sum(precision[hit]) / R),
    map_cut = safe(sum(utils::head(ifelse(hit, precision, 0), k)) / R),
    P = sum(first(hit, k)) / k, recall = safe(sum(first(hit, k)) / R), success = as.numeric(any(first(hit, k) > 0)),
    relative_P = safe(sum(first(hit, k)) / min(k, R)),
    set_P = safe(sum(hit) / n), set_recall = safe(sum(hit) / R), set_relative_P = safe(sum(hit) / min(n, R)),
    set_map = safe(sum(hit) / n * sum(hit) / R),
    set_F = safe(2 * (sum(hit) / n) * (sum(hit) / R) / (sum(hit) / n + sum(hit) / R)),
    recip_rank = safe(1 / which(hit)[1]), Rprec = if (R) sum(first(hit, R)) / R else 0,
    Rprec_mult = { cut <- floor(k * R + 0.9); if (cut) sum(first(hit, cut)) / cut else 0 },
    ndcg = safe(dcg(gain) / dcg(ideal)), ndcg_cut = safe(dcg(utils::head(gain, k)) / dcg(utils::head(ideal, k))),
    bpref = reference_bpref(levels, rel, R, N), infAP = reference_infap(levels, rel, R),
    iprec_at_recall = at_recall(k), "11pt_avg" = mean(vapply((0:10) / 10, at_recall, 0)),
    utility = sum(hit) - (n - sum(hit)), yaap = log((1 + sum(precision[hit])) / (1 + R - sum(precision[hit]))),
    binG = safe(sum(1 / log2(2 + (seq_len(n) - cumsum(hit))[hit])) / R),
    G = reference_g(gain, ideal), ndcg_rel = reference_ndcg_rel(gain, ideal, dcg), Rndcg = reference_rndcg(gain, judged,
                                                                                                           R, dcg),
    unj = sum(utils::head(is.na(levels) | levels < 0, k)) / k,
    stop("the reference does not know ", name)
  )
}

reference_bpref <- function(levels, rel, R, N) {
  if (!R) return(0)
  judged <- levels[!is.na(levels) & levels >= 0]
  sum(vapply(which(judged >= rel), function(i) {
    above <- sum(judged[seq_len(i)] < rel)
    if (above) 1 - min(above, R) / min(N, R) else 1
  }, 0)) / R
}

reference_infap <- function(levels, rel, R) {
  if (!R) return(0)
  eps <- 1e-5
  sum(vapply(which(!is.na(levels) & levels >= rel), function(i) {
    if (i == 1) return(1)
    above <- levels[seq_len(i - 1)]
    relevant <- sum(above >= rel, na.rm = TRUE)
    judged <- sum(above >= 0, na.rm = TRUE)
    1 / i + (i - 1) / i * (sum(!is.na(above)) / (i - 1)) * (relevant + eps) / (judged + 2 * eps)
  }, 0)) / R
}

reference_g <- function(gain, ideal) {
  if (!length(ideal)) return(0)
  sum(vapply(which(gain > 0), function(i) {
    cost <- sum(pmax(c(ideal, rep(0, i))[seq_len(i)], 1))
    gain[i] / log2(2 + cost - sum(gain[seq_len(i)]))
  }, 0)) / sum(ideal)
}

reference_ndcg_rel <- function(gain, ideal, dcg) {
  if (!length(ideal)) return(0)
  upto <- function(x, i) dcg(x[seq_len(min(i, length(x)))])
  found <- which(gain > 0)
  (sum(vapply(found, function(i) upto(gain, i) / upto(ideal, i), 0)) +
     (length(ideal) - length(found)) * dcg(gain) / dcg(ideal)) / length(ideal)
}

reference_rndcg <- function(gain, judged, R, dcg) {
  ideal <- sort(judged[judged > 0], decreasing = TRUE)
  if (!R || !length(ideal)) return(0)
  at <- cumsum(rev(table(ideal)))
  values <- vapply(at, function(i) dcg(utils::head(gain, i)) / dcg(utils::head(ideal, i)), 0)
  if (length(gain) > length(ideal) + 1) values <- c(values, dcg(gain) / dcg(ideal))
  mean(values)
}

# The values that trec_eval prints, as a data frame with system, query, measure and value, for the judged queries that
# the run answers.
reference_scores <- function(runs, judgments, names, rel = 1) {
  pieces <- list()
  for (system in unique(runs$system)) {
    for (query in unique(judgments$query)) {
      run <- runs[runs$system == system & runs$query == query, ]
      if (!nrow(run)) next
      known <- judgments[judgments$query == query, ]
      levels <- reference_levels(run, known)
      values <- vapply(names, function(name) as.numeric(reference_value(name, levels, known, rel)), 0)
      pieces[[length(pieces) + 1]] <- data.frame(system, query, measure = names, value = unname(values),
                                                 stringsAsFactors = FALSE)
    }
  }
  do.call(rbind, pieces)
}

reference_names <- c(
  "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret", "map", "map_cut_5", "map_cut_20", "P_5", "P_10",
  "P_100",
  "recall_5", "recall_100", "success_1", "success_5", "relative_P_10", "relative_P_100", "set_P", "set_recall",
  "set_relative_P", "set_map", "set_F", "recip_rank", "Rprec", "Rprec_mult_0.20", "Rprec_mult_1.40", "Rprec_mult_2.00",
  "ndcg", "ndcg_cut_5", "ndcg_cut_20", "bpref", "infAP", "iprec_at_recall_0.00", "iprec_at_recall_0.10",
  "iprec_at_recall_0.30", "iprec_at_recall_0.50", "iprec_at_recall_1.00", "11pt_avg", "utility", "yaap", "binG", "G",
  "ndcg_rel", "Rndcg", "unj_5", "unj_20"
)

# Random runs with ties in single precision, short lists, missing queries, queries without relevant documents, negative
# judgments and documents without judgments.
random_runs <- function(seed, n_systems = 3, n_queries = 8, n_docs = 60, depth = 40) {
  set.seed(seed)
  docs <- unique(paste0(sample(c("D", "d", "FR-", "x_"), n_docs, TRUE),
                        sample(10^sample(1:5, n_docs, TRUE), n_docs, TRUE)))
  runs <- do.call(rbind, lapply(seq_len(n_systems), function(s) {
    do.call(rbind, lapply(seq_len(n_queries), function(q) {
      if (stats::runif(1) < 0.1) return(NULL)
      n <- sample(c(1, 3, min(depth, length(docs))), 1, prob = c(.05, .15, .8))
      score <- round(stats::rnorm(n), sample(0:3, 1)) + sample(c(0, 1e-9), n, TRUE)
      data.frame(system = paste0("s", s), query = paste0("q", q), doc = sample(docs, n), rank = sample(n),
                 score = score,
                 stringsAsFactors = FALSE)
    }))
  }))
  judgments <- do.call(rbind, lapply(seq_len(n_queries), function(q) {
    n <- min(sample(c(2, 15, 30), 1), length(docs))
    highest <- sample(c(0, 1, 3), 1, prob = c(.15, .45, .4))
    data.frame(query = paste0("q", q), doc = sample(docs, n), gain = sample(-1:highest, n, TRUE),
               stringsAsFactors = FALSE)
  }))
  list(runs = runs, judgments = judgments)
}

write_trec <- function(data, folder) {
  systems <- unique(data$runs$system)
  paths <- file.path(folder, paste0(systems, ".run"))
  for (i in seq_along(systems)) {
    run <- data$runs[data$runs$system == systems[i], ]
    writeLines(paste(run$query, "Q0", run$doc, run$rank, format(run$score, digits = 15, trim = TRUE), run$system),
               paths[i])
  }
  qrels <- file.path(folder, "qrels")
  writeLines(paste(data$judgments$query, 0, data$judgments$doc, data$judgments$gain), qrels)
  list(runs = paths, qrels = qrels)
}
