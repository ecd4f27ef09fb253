# Slow references for the measures of ir_measures, cwl_eval and ranx: each follows its definition, for one list. `gain`
# has the grades by rank, NA if not judged; `judged` has those of all judged documents of the query, retrieved or not. A
# document with a negative grade counts as not judged.

# The C/W/L framework, evaluated over 1,000 ranks. `continue` returns the probability of continuing to the next rank,
# for every rank.
reference_rate <- function(gain, low, high, continue) {
  scaled <- (pmin(pmax(gain, low), high) - low) / (high - low)
  g <- utils::head(c(ifelse(is.na(scaled), 0, scaled), rep(0, 1000)), 1000)
  looking <- cumprod(c(1, continue(g, seq_along(g))[-1000]))
  sum(looking * g) / sum(looking)
}

# R's cumsum() is more precise than the double precision of cwl_eval, and the difference matters if the sum is about
# equal to T.
sums <- function(g) Reduce(`+`, g, accumulate = TRUE)

inverse_square <- function(x) ((x - 1) / x)^2

reference_overlap <- function(one, other, p, depth) {
  depth <- seq_len(depth)
  common <- vapply(depth, function(i) length(intersect(utils::head(one, i), utils::head(other, i))), 0)
  sum(p^(depth - 1) * common / depth)
}

reference_compat <- function(gain, judged, p, normalised) {
  relevant <- which(!is.na(gain) & gain > 0)
  grades <- judged[judged > 0]
  for (g in gain[relevant]) grades <- grades[-match(g, grades)]
  # Among documents of equal grade, retrieved ones come first, by rank; documents that are not retrieved have numbers
  # beyond the list.
  docs <- c(relevant, length(gain) + seq_along(grades))
  ideal <- docs[order(-c(gain[relevant], grades), seq_along(docs))]
  run <- seq_along(gain)
  depth <- max(length(run), length(ideal))
  best <- if (normalised) reference_overlap(ideal, ideal, p, depth) else sum(p^(seq_len(depth) - 1))
  if (best > 0) reference_overlap(run, ideal, p, depth) / best else 0
}

reference_accuracy <- function(gain, rel, k) {
  hit <- !is.na(gain) & gain >= rel
  hit <- utils::head(hit, k)
  pairs <- outer(which(hit), which(!hit), `<`)
  if (length(pairs)) mean(pairs) else 0
}

reference_dcg <- function(gain, k) sum(utils::head(gain, k) / log2(1 + seq_along(utils::head(gain, k))))

reference_ndcg <- function(gain, judged, k, worth = identity) {
  gain <- worth(ifelse(is.na(gain), 0, gain))
  ideal <- reference_dcg(sort(worth(judged), decreasing = TRUE), k)
  if (ideal > 0) reference_dcg(gain, k) / ideal else 0
}

share <- function(part, whole) if (isTRUE(whole > 0)) part / whole else 0

reference_ap <- function(gain, judged, k = Inf, rel = 1) {
  hit <- utils::head(!is.na(gain) & gain >= rel, k)
  share(sum((cumsum(hit) / seq_along(hit))[hit]), sum(judged >= rel))
}

reference_f <- function(found, size, relevant, weight) {
  p <- share(found, size)
  r <- share(found, relevant)
  share((1 + weight) * p * r, weight * p + r)
}

# gdeval divides by 2^4, whatever the highest grade is.
reference_err <- function(gain, k) {
  stop <- (2^utils::head(ifelse(is.na(gain), 0, gain), k) - 1) / 16
  sum(stop * cumprod(c(1, 1 - stop))[seq_along(stop)] / seq_along(stop))
}

known_gain <- function(gain) gain[!is.na(gain)]
hits_in <- function(gain, k = Inf, rel = 1) sum(utils::head(!is.na(gain) & gain >= rel, k))
exponential <- function(g) 2^g - 1
gain_from_table <- function(g) ifelse(g == 2, 5, g)

measure_references <- list(
  "BPM(T=1.5,max_rel=3)@5" = function(gain, judged) {
    reference_rate(gain, 0, 3, function(g, i) as.numeric(sums(g) < 1.5 & i < 5))
  },
  "BPM(T=0.6,min_rel=1,max_rel=3)" = function(gain, judged) {
    reference_rate(gain, 1, 3, function(g, i) as.numeric(sums(g) < 0.6))
  },
  "INST(T=2,max_rel=3)" = function(gain, judged) {
    reference_rate(gain, 0, 3, function(g, i) inverse_square(i + 2 + 2 - sums(g)))
  },
  "INSQ(max_rel=3)" = function(gain, judged) reference_rate(gain, 0, 3, function(g, i) inverse_square(i + 2)),
  "INSQ(T=0.5,min_rel=1,max_rel=2)" = function(gain, judged) {
    reference_rate(gain, 1, 2, function(g, i) inverse_square(i + 1))
  },
  "NERR8(max_rel=3)@4" = function(gain, judged) reference_rate(gain, 0, 3, function(g, i) (1 - g) * (i < 4)),
  "NERR9(max_rel=3)@4" = function(gain, judged) {
    reference_rate(gain, 0, 3, function(g, i) i / (i + 1) * (1 - g) * (i < 4))
  },
  "NERR10(p=0.8,max_rel=3)" = function(gain, judged) reference_rate(gain, 0, 3, function(g, i) 0.8 * (1 - g)),
  "NERR11(T=1.5,max_rel=3)" = function(gain, judged) {
    reference_rate(gain, 0, 3, function(g, i) inverse_square(i + 3) * (1 - g))
  },
  "SDCG(max_rel=3)@5" = function(gain, judged) {
    reference_rate(gain, 0, 3, function(g, i) log2(i + 1) / log2(i + 2) * (i < 5))
  },
  Compat = function(gain, judged) reference_compat(gain, judged, 0.95, TRUE),
  "Compat(p=0.8,normalize=False)" = function(gain, judged) reference_compat(gain, judged, 0.8, FALSE),
  Accuracy = function(gain, judged) reference_accuracy(gain, 1, Inf),
  "Accuracy(rel=2)@5" = function(gain, judged) reference_accuracy(gain, 2, 5),
  hits = function(gain, judged) hits_in(gain),
  "hits@3" = function(gain, judged) hits_in(gain, 3),
  "hit_rate@3" = function(gain, judged) as.numeric(hits_in(gain, 3) > 0),
  "NumRet(rel=2)" = function(gain, judged) hits_in(gain, rel = 2),
  NumRelRet = function(gain, judged) hits_in(gain),
  "P(judged_only=True)@3" = function(gain, judged) hits_in(known_gain(gain), 3) / 3,
  "AP(judged_only=True)" = function(gain, judged) reference_ap(known_gain(gain), judged),
  "RR(judged_only=True)" = function(gain, judged) share(hits_in(gain) > 0, which(known_gain(gain) >= 1)[1]),
  "nDCG(judged_only=True)@5" = function(gain, judged) reference_ndcg(known_gain(gain), judged, 5),
  "nDCG(dcg='exp-log2')@5" = function(gain, judged) reference_ndcg(gain, judged, 5, exponential),
  "nDCG(gains={0:0,1:1,2:5})@5" = function(gain, judged) reference_ndcg(gain, judged, 5, gain_from_table),
  "ndcg_burges@4" = function(gain, judged) reference_ndcg(gain, judged, 4, exponential),
  "dcg_burges@4" = function(gain, judged) reference_dcg(exponential(ifelse(is.na(gain), 0, gain)), 4),
  "ERR(max=4)@6" = function(gain, judged) reference_err(gain, 6),
  "SetP(relative=True)" = function(gain, judged) share(hits_in(gain), min(length(gain), sum(judged >= 1))),
  "SetF(beta=2)" = function(gain, judged) reference_f(hits_in(gain), length(gain), sum(judged >= 1), 2),
  "SetAP(rel=2)" = function(gain, judged) share(hits_in(gain, rel = 2)^2, length(gain) * sum(judged >= 2)),
  "IPrec@0.3" = function(gain, judged) {
    hit <- !is.na(gain) & gain >= 1
    need <- max(1, floor(0.3 * sum(judged >= 1) + 0.9))
    max(0, (cumsum(hit) / seq_along(hit))[hit & cumsum(hit) >= need])
  },
  "R@3" = function(gain, judged) share(hits_in(gain, 3), sum(judged >= 1)),
  "f1@3" = function(gain, judged) reference_f(hits_in(gain, 3), 3, sum(judged >= 1), 1),
  "rbp.7" = function(gain, judged) 0.3 * sum(0.7^(which(!is.na(gain) & gain >= 1) - 1)),
  "map@5-l2" = function(gain, judged) reference_ap(gain, judged, 5, 2),
  "Judged@4" = function(gain, judged) share(sum(!is.na(utils::head(gain, 4))), min(4, length(gain)))
)

# Runs and judgments with equal scores, gaps in the ranks, negative and fractional grades, repeated judgments, and
# queries that no run answers or that have no judgments.
random_measure_case <- function() {
  queries <- paste0("q", 1:5)
  pool <- paste0("d", sprintf("%02d", 1:14))
  runs <- lapply(c("A", "B"), function(system) {
    lapply(c(sample(queries, 4), "extra"), function(query) {
      docs <- sample(pool, sample(1:12, 1))
      data.frame(system = system, query = query, doc = docs, score = sample(1:20, length(docs), TRUE) / 4)
    })
  })
  judgments <- lapply(queries, function(query) {
    docs <- sample(pool, sample(1:12, 1))
    data.frame(query = query, doc = docs, gain = sample(c(-2, -1, 0, 0, 0.5, 1, 1, 2, 2.5, 3, 4), length(docs), TRUE))
  })
  judgments <- do.call(rbind, judgments)
  list(runs = do.call(rbind, unlist(runs, recursive = FALSE)), judgments = rbind(judgments, judgments[1:2, ]))
}

# The differences between evaluate() and the references in one random case: one per list and measure.
measure_differences <- function(case) {
  names <- c(names(measure_references), "NumQ")
  scores <- suppressMessages(suppressWarnings(evaluate(case$runs, case$judgments, names)))
  known <- unique(case$judgments)
  lists <- unique(scores[c("system", "query")])
  expected <- Map(function(system, query) {
    run <- case$runs[case$runs$system == system & case$runs$query == query, ]
    if (!nrow(run)) return(stats::setNames(as.numeric(names == "NumQ"), names))
    own <- known[known$query == query, ]
    gain <- own$gain[match(reference_ranking(run), own$doc)]
    gain[!is.na(gain) & gain < 0] <- NA
    judged <- own$gain[own$gain >= 0]
    c(vapply(measure_references, function(reference) as.numeric(reference(gain, judged)), 0), NumQ = 1)
  }, lists$system, lists$query)
  at <- match(paste(scores$system, scores$query), paste(lists$system, lists$query))
  wanted <- do.call(rbind, unname(expected))[cbind(at, match(scores$measure, names))]
  data.frame(measure = scores$measure, difference = abs(scores$value - wanted))
}
