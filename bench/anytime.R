# Does checking a goal after every judgment make its statement at the stop wrong, and how many more judgments would a
# statement need that holds at any stopping time and for any model? On small parts of the collections of JUDICIOUS_DATA
# (as in bench/statements.R):
#
# - sessions for goal_mean(0.95) and for goal_top(1) of at most `most` judgments, which stop by the model, compared with
#   the full judgments;
# - for each pair of systems, a confidence sequence of their difference in the mean gain from pooled documents judged in
#   random order, checked after every judgment: how many judgments it needs before it excludes zero, how often it then
#   has the wrong sign, and how often it ever excludes the true difference, which is allowed in .05 of the orders;
# - what joint gains state about the same pair from the same random judgments (after the numbers of judgments `looks`).
#
# The sequence is that of betting without replacement (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random
# variables by betting", J. R. Stat. Soc. B 86(1), sections 4.4 and 5): hedged capital with predictable plug-in bets.
# Only documents in exactly one of the two lists are informative about the difference, and those among random documents
# of the pool are a random sample of them. The mean of the previous gains is subtracted from each gain, which reduces
# the variance. Under each hypothesis, the remaining part of the difference, given the judgments, is known, so that the
# capital is a martingale.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/anytime.R [collections=a,b] [seeds=1,2,3,4] [orders=30] [most=300]
#     [out=file.csv]
#
# Takes about five minutes.
source("bench/statements.R")

looks <- c(10, 20, 40, 60, 100, 150, 200, 300)

# For documents judged in this order, each of which is in the list of one of two systems (`side` 1 or -1) and has a
# `gain` from 0 to 1: the number of judgments after which the sequence excludes that the sum of side * gain is `total`,
# and the side on which the difference then lies; NA if it never excludes it.
excluded_at <- function(side, gain, total, alpha = 0.05) {
  n <- length(side)
  before <- function(v) c(0, cumsum(v)[-n])
  i <- seq_len(n)
  centre <- (0.5 + before(gain)) / i
  left <- n - i + 1
  x <- side * (gain - centre)
  expected <- (total - before(side * gain) - centre * (sum(side) - before(side))) / left
  mean <- cumsum(x) / (i + 1)
  variance <- (0.25 + before((x - mean)^2)) / i
  bet <- sqrt(2 * log(2 / alpha) / (variance * i * log(i + 1)))
  range <- pmax(centre, 1 - centre)
  possible <- cumsum(abs(expected) > range + 1e-9) == 0
  up <- cumsum(log1p(pmin(bet, 0.5 / pmax(range + expected, 1e-9)) * (x - expected)))
  down <- cumsum(log1p(pmin(bet, 0.5 / pmax(range - expected, 1e-9)) * (expected - x)))
  at <- which(!possible | pmax(up, down) >= log(2 / alpha))[1]
  if (is.na(at)) return(c(at = NA, sign = NA))
  if (possible[at]) return(c(at = at, sign = if (up[at] > down[at]) 1 else -1))
  # If a total is impossible before a judgment, this was known after the previous one.
  c(at = max(at - 1, 1), sign = -sign(expected[at]))
}

# By system, whether a pooled document is in its list.
lists_of <- function(x, pool) {
  runs <- as.data.frame(x)
  lists <- matrix(0, nrow(pool), nrow(x$systems), dimnames = list(NULL, x$systems$system))
  at <- match(paste(runs$query, runs$doc), paste(pool$query, pool$doc))
  lists[cbind(at, match(runs$system, x$systems$system))] <- 1
  lists
}

# The number of judgments until a pair is decided, counting only documents in exactly one of the two lists, and counting
# all random ones. When all of the former are judged, nothing is uncertain.
sequence_of_pair <- function(side, gain, order) {
  own <- order[side[order] != 0]
  difference <- sum(side * gain)
  zero <- excluded_at(side[own], gain[own], 0)
  if (is.na(zero[["at"]])) zero <- c(at = length(own), sign = sign(difference))
  truth <- excluded_at(side[own], gain[own], difference)
  data.frame(told = zero[["at"]], judged = match(own[zero[["at"]]], order), documents = length(own),
             wrong = zero[["sign"]] != sign(difference), missed = !is.na(truth[["at"]]))
}

# Results for the two best systems, and for all sampled pairs: medians over orders, and shares of errors.
sequences_of <- function(x, pool, orders, most_pairs = 60) {
  gain <- pool$gain / x$scoring$span
  lists <- lists_of(x, pool)
  truth <- colSums(lists * gain)
  pairs <- utils::combn(order(-truth), 2)
  pairs <- pairs[, truth[pairs[1, ]] - truth[pairs[2, ]] > 1e-9, drop = FALSE]
  # The first pair consists of the two best systems, unless these are equal.
  pairs <- pairs[, c(1, sample(seq_len(ncol(pairs))[-1], min(most_pairs, ncol(pairs) - 1))), drop = FALSE]
  each <- lapply(seq_len(ncol(pairs)), function(p) {
    side <- lists[, pairs[1, p]] - lists[, pairs[2, p]]
    do.call(rbind, lapply(orders, function(order) sequence_of_pair(side, gain, order)))
  })
  list(best = each[[1]], systems = colnames(lists)[pairs[, 1]], pairs = do.call(rbind, each))
}

# The number of the same random judgments after which joint gains state the order of two systems at .95 or more, and
# whether it is right; Inf if they do not at any checkpoint.
stated_of_pair <- function(x, pool, order, systems) {
  for (n in looks[looks < nrow(pool)]) {
    pairs <- system_differences(rank_systems(x, judgments = pool[order[seq_len(n)], ]))
    at <- which(pairs$system_a %in% systems & pairs$system_b %in% systems)
    if (pairs$confidence[at] >= 0.95 && pairs$sd[at] > 0) {
      return(data.frame(judged = n, wrong = systems[1] != (if (pairs$difference[at] > 0) pairs$system_a else
                                                             pairs$system_b)[1]))
    }
  }
  data.frame(judged = Inf, wrong = FALSE)
}

# Runs a session for a goal, and checks whether its statement at the stop is right.
stop_of <- function(x, pool, goal, name, seed, most) {
  s <- judging_session(x, goal = goal | goal_budget(most), judgments = FALSE, seed = seed)
  run_session(s, pool, progress = FALSE)
  ranking <- rank_systems(s)
  reached <- goal$progress(ranking)$reached
  data.frame(judged = if (reached) nrow(judgments_of(s)) else Inf,
             right = if (reached) goal_is_right(name, ranking, true_means(x)) else NA)
}

study_part <- function(case, seed, orders, most) {
  x <- part_of(case, seed)
  pool <- judgments_of(x)[c("query", "doc", "gain")]
  pool <- pool[rowSums(lists_of(x, pool)) > 0, ]
  set.seed(seed)
  drawn <- replicate(orders, sample(nrow(pool)), simplify = FALSE)
  found <- sequences_of(x, pool, drawn)
  model <- stated_of_pair(x, pool, drawn[[1]], found$systems)
  mean_goal <- stop_of(x, pool, goal_mean(0.95), "mean", seed, most)
  top_goal <- stop_of(x, pool, goal_top(1, 0.95), "top 1", seed, most)
  data.frame(
    collection = case$name, seed, systems = nrow(x$systems), pool = nrow(pool),
    mean_judged = mean_goal$judged, mean_right = mean_goal$right,
    top_judged = top_goal$judged, top_right = top_goal$right,
    model_judged = model$judged, model_wrong = model$wrong,
    best_judged = stats::median(found$best$judged), best_told = stats::median(found$best$told),
    best_documents = found$best$documents[1], best_wrong = mean(found$best$wrong),
    best_missed = mean(found$best$missed),
    pairs_judged = stats::median(found$pairs$judged), pairs_wrong = mean(found$pairs$wrong),
    pairs_missed = mean(found$pairs$missed),
    # The share of pairs that the sequence has decided after as many judgments as the session for the mean confidence
    # made.
    pairs_at_stop = if (is.finite(mean_goal$judged)) mean(found$pairs$judged <= mean_goal$judged) else NA
  )
}

report_anytime <- function(rows) {
  show("By collection: medians over parts", stats::aggregate(
    rows[c("systems", "pool", "mean_judged", "top_judged", "model_judged", "best_judged", "best_told",
           "best_documents", "pairs_judged")], rows["collection"], stats::median))
  by_collection <- function(of) mean(tapply(of, rows$collection, mean, na.rm = TRUE), na.rm = TRUE)
  # The standard error of a mean over parts of shares of pairs, or of statements that hold or not.
  se <- function(of) stats::sd(of, na.rm = TRUE) / sqrt(sum(!is.na(of)))
  shares <- rows[c("mean_right", "top_right", "model_wrong", "best_wrong", "best_missed", "pairs_wrong",
                   "pairs_missed", "pairs_at_stop")]
  shares$model_wrong[is.infinite(rows$model_judged)] <- NA
  show("Shares: means over collections", data.frame(
    what = names(shares), parts = colSums(!is.na(shares)), share = vapply(shares, by_collection, 0),
    se = vapply(shares, se, 0)
  ))
  ratio <- function(a, b) {
    both <- is.finite(a) & is.finite(b)
    data.frame(parts = sum(both), ratio = exp(mean(log(a[both] / b[both]))))
  }
  show("Judgments: the sequence for", cbind(
    what = c("the two best / session for the best", "the two best / joint gains of the same random judgments",
             "the median pair / session for the mean", "the two best, of the pool", "the two best, of what tells",
             "the median pair, of the pool"),
    rbind(ratio(rows$best_judged, rows$top_judged), ratio(rows$best_judged, rows$model_judged),
          ratio(rows$pairs_judged, rows$mean_judged), ratio(rows$best_judged, rows$pool),
          ratio(rows$best_told, rows$best_documents), ratio(rows$pairs_judged, rows$pool))
  ))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(collections = collection_names, seeds = 1:4, orders = 30L,
                                                   most = 300L, out = ""))
  rows <- do.call(rbind, lapply(given$collections, function(name) {
    case <- suppressMessages(read_case(name))
    do.call(rbind, lapply(given$seeds, function(seed) study_part(case, seed, given$orders, given$most)))
  }))
  if (nzchar(given$out)) utils::write.csv(rows, given$out, row.names = FALSE)
  report_anytime(rows)
}
