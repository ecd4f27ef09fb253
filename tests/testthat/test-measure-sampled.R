# Estimates from stratified samples, compared with their formulas and with NIST's sample_eval.pl. No numeric example of
# statAP or of compatibility was available. For infAP without strata, test-evaluation.R uses the values that trec_eval's
# own test prints.

# A pool of `n` documents in strata, of which some are judged, and a list that also has documents outside the pool.
sampled_case <- function(seed) with_seed(seed, {
  n <- sample(8:30, 1)
  pool <- data.frame(query = "q", doc = paste0("d", seq_len(n)), stratum = sample(1:3, n, TRUE),
                     gain = sample(0:2, n, TRUE, c(.5, .3, .2)))
  judged <- stats::runif(n) < c(1, .5, .3)[pool$stratum]
  pool$gain[!judged] <- -1
  pool$gain[1] <- 1
  run <- data.frame(system = "A", query = "q", doc = sample(c(pool$doc, paste0("x", 1:10)))[seq_len(n)],
                    rank = seq_len(n))
  list(pool = pool, run = run)
})

naive_estimates <- function(case, rel = 1, k = Inf, added = 3e-5) {
  pool <- case$pool
  scale <- tapply(pool$gain, pool$stratum, function(g) if (any(g >= 0)) length(g) / sum(g >= 0) else 0)
  of <- function(i) scale[[as.character(pool$stratum[i])]]
  at <- match(case$run$doc, pool$doc)
  total <- sum(vapply(which(pool$gain >= rel), of, 0))
  ap <- stat <- dcg <- 0
  for (r in seq_along(at)) {
    i <- at[r]
    if (is.na(i) || pool$gain[i] < 0) next
    if (r <= k) {
      own <- pool$gain[intersect(at[seq_len(min(k, length(at)))], which(pool$stratum == pool$stratum[i]))]
      dcg <- dcg + length(own) / sum(own >= 0) * pool$gain[i] / log2(r + 1)
    }
    if (pool$gain[i] < rel) next
    above <- at[seq_len(r - 1)]
    above <- above[!is.na(above)]
    precision <- 1 / r
    for (s in unique(pool$stratum[above])) {
      own <- pool$gain[above[pool$stratum[above] == s]]
      precision <- precision + length(own) / r * (sum(own >= rel) + 1e-5) / (sum(own >= 0) + added)
    }
    ap <- ap + of(i) * precision
    seen <- 1
    for (j in above[pool$gain[above] >= rel]) {
      own <- pool$gain[pool$stratum == pool$stratum[j]]
      seen <- seen + if (pool$stratum[j] == pool$stratum[i]) (length(own) - 1) / (sum(own >= 0) - 1) else of(j)
    }
    stat <- stat + of(i) * seen / r
  }
  n_of <- function(g) floor(sum(vapply(which(pool$gain == g), of, 0)) + 0.5)
  gains <- c(rep(2, n_of(2)), rep(1, n_of(1)))
  rank <- seq_along(gains)
  ideal <- sum((gains / log2(rank + 1))[rank <= k])
  c(ap / total, dcg / ideal, stat / total)
}

test_that("infAP, infNDCG and statAP of stratified samples agree with their formulas", {
  for (seed in 1:60) {
    case <- sampled_case(seed)
    value <- evaluate(case$run, case$pool, c("infAP", "infNDCG", "statAP"))$value
    expect_equal(value, naive_estimates(case), tolerance = 1e-12)
    cut <- evaluate(case$run, case$pool, c("infNDCG@5", "xinfAP(rel=2)"))$value
    expect_equal(cut[1], naive_estimates(case, k = 5)[2], tolerance = 1e-12)
    if (any(case$pool$gain == 2)) expect_equal(cut[2], naive_estimates(case, rel = 2)[1], tolerance = 1e-12)
  }
})

test_that("infAP and infNDCG of stratified samples agree with the output of sample_eval.pl", {
  # The output of sample_eval.pl for these cases. In 400 cases, no value differed by more than 5e-13.
  printed <- rbind(c(.5294, .5631), c(.5651, .7135), c(.7111, 1.0920), c(.5732, .7331), c(0, 0), c(.2994, .6220))
  for (seed in 1:6) {
    case <- sampled_case(seed)
    value <- evaluate(case$run, case$pool, c("infAP", "infNDCG"))$value
    expect_lt(max(abs(value - printed[seed, ])), 5.1e-5)
  }
})

test_that("without strata, infAP has trec_eval's formula; if all is judged, infNDCG is nDCG and statAP is AP", {
  case <- sampled_case(1)
  plain <- case$pool[c("query", "doc", "gain")]
  one <- transform(plain, stratum = "s")
  naive <- naive_estimates(list(pool = one, run = case$run), added = 2e-5)[1]
  expect_equal(evaluate(case$run, plain, "infAP")$value, naive, tolerance = 1e-12)
  full <- plain[plain$gain >= 0, ]
  full$stratum <- rep_len(1:2, nrow(full))
  value <- evaluate(case$run, full, c("infNDCG", "nDCG", "statAP", "AP"))$value
  expect_equal(value[c(1, 3)], value[c(2, 4)], tolerance = 1e-14)
})

test_that("statAP times the estimated number of relevant documents is unbiased for the sum of their precisions", {
  gain <- c(1, 0, 1, 1, 0, 1, 0)
  run <- data.frame(system = "A", query = "q", doc = paste0("d", 1:7), rank = 1:7)
  stratum <- c(1, 1, 2, 1, 2, 2, 2)
  sums <- unlist(lapply(utils::combn(which(stratum == 1), 2, simplify = FALSE), function(a) {
    lapply(utils::combn(which(stratum == 2), 3, simplify = FALSE), function(b) {
      pool <- data.frame(query = "q", doc = run$doc, stratum = stratum,
                         gain = replace(rep(-1, 7), c(a, b), gain[c(a, b)]))
      estimate <- sum((c(3 / 2, 4 / 3)[stratum] * gain)[c(a, b)])
      if (estimate == 0) 0 else evaluate(run, pool, "statAP")$value * estimate
    })
  }))
  expect_equal(mean(sums), sum(cumsum(gain) / 1:7 * gain))
})

test_that("statAP weights documents by the inverse of stated sampling probabilities, which must not be 0", {
  run <- data.frame(system = "A", query = "q", doc = c("a", "b", "c", "d"), rank = 1:4)
  judgments <- data.frame(query = "q", doc = c("a", "c", "d", "e"), gain = c(1, 0, 1, 1),
                          probability = c(.5, .2, .25, .1))
  expect_equal(evaluate(run, judgments, "statAP")$value, (2 * 1 + 4 * (1 + 2) / 4) / (2 + 4 + 10))
  judgments$probability[2] <- 0
  expect_error(evaluate(run, judgments, "statAP"), "probability", class = "judicious_error_columns")
})

test_that("sampling strata in qrels files of five columns give the same values as strata in data frames", {
  case <- sampled_case(4)
  qrels <- bytes_file(sprintf("q 0 %s %d %d\n", case$pool$doc, case$pool$stratum, case$pool$gain))
  run <- bytes_file(sprintf("q Q0 %s %d %d A\n", case$run$doc, case$run$rank, 100 - case$run$rank))
  measures <- c("infAP", "infNDCG", "statAP", "AP")
  expect_equal(evaluate(run, qrels, measures)$value, evaluate(case$run, case$pool, measures)$value)
  columns <- c("query", "iteration", "doc", "stratum", "gain")
  expect_equal(read_judgments(qrels, columns = columns)$stratum, as.character(case$pool$stratum))
  expect_error(evaluate(run, qrels, "AP"), "5 columns", class = "judicious_error_columns")
  expect_error(evaluate(run, qrels, "infAP", unjudged = "bounds"), "samples", class = "judicious_error_argument")
})

test_that("compatibility at a fixed depth agrees with the loop over ranks in the authors' program", {
  # The loop over 1,000 ranks in the authors' program.
  overlap <- function(run, ideal, p) {
    rank <- seq_len(1000)
    shared <- vapply(rank, function(i) length(intersect(utils::head(run, i), utils::head(ideal, i))), 0)
    sum(p^(rank - 1) * shared / rank) / sum(p^(rank - 1))
  }
  for (seed in 1:5) with_seed(seed, {
    docs <- paste0("d", 1:12)
    gain <- sample(0:3, 12, TRUE)
    gain[1] <- 1
    run <- sample(docs, 9)
    place <- match(docs, run, nomatch = 99)
    ideal <- docs[order(-gain, place)][seq_len(sum(gain > 0))]
    value <- evaluate(data.frame(system = "A", query = "q", doc = run, rank = 1:9),
                      data.frame(query = "q", doc = docs, gain = gain),
                      c("Compat(depth=1000)", "Compat(depth=1000,normalize=FALSE)", "Compat(p=0.8,depth=1000)"))$value
    expect_equal(value, c(overlap(run, ideal, .95) / overlap(ideal, ideal, .95), overlap(run, ideal, .95),
                          overlap(run, ideal, .8) / overlap(ideal, ideal, .8)))
  })
})
