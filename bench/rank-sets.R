# How heavy must the tails be of the draws from which rank sets are made? For the rankings that bench/statements.R has
# stored (after 10 to 300 judgments, and when a goal is reached): rank sets from normal draws and from t distributed
# draws with several degrees of freedom. For each family of collections, the degrees of freedom are chosen by the other
# families: the largest number for which sets of level .95 hold in .95 of the rankings, both after more than 60
# judgments and at a stop.
#
#   Rscript bench/rank-sets.R store=<folder of bench/statements.R>
#
# Other possible causes of low coverage are examined, too: sets from 1,000 draws in 2,000 other draws of the same
# distribution (too few draws), rankings at a stop compared with those after as many judgments without a stop (stopping
# when the confidence happens to be high), and the position of the squared errors of the differences among those of
# normal draws.
source("bench/statements.R")

freedoms <- c(Inf, 30, 20, 15, 10, 7, 5)

with_tails <- function(drawn, mean, freedom) {
  if (is.infinite(freedom)) return(drawn)
  tails <- sqrt(freedom / stats::qchisq((seq_len(ncol(drawn)) * (sqrt(5) - 1) / 2) %% 1, freedom))
  mean + (drawn - mean) * rep(tails, each = length(mean))
}

# The coverage and size of rank sets by normal and t distributed draws, one row per number of degrees of freedom.
rank_sets_of <- function(result, part) {
  truth <- part$truth
  ranking <- part$ranking
  true_rank <- vapply(truth, function(v) 1 + sum(truth > v + 1e-9 * max(abs(truth))), 1)
  drawn <- draws_of(ranking)
  others <- apply(-draws_of(ranking, 2000, 2), 2, rank, ties.method = "min")
  # The sum of the squared errors of all differences, up to a factor.
  squares <- function(error) nrow(error) * colSums(error^2) - colSums(error)^2
  quantile <- mean(squares(drawn - ranking$mean) < squares(as.matrix(truth - ranking$mean)))
  in_sets <- function(sets, rank) colSums(rank < sets$lower | rank > sets$upper) == 0
  do.call(rbind, lapply(freedoms, function(freedom) {
    scores <- with_tails(drawn, ranking$mean, freedom)
    sets <- judicious:::rank_sets_cpp(scores, ranking$resolution, 0.95)
    best <- judicious:::best_set(scores, ranking$resolution, 0.95)
    data.frame(collection = result$collection, judged = part$judged, freedom,
               held = in_sets(sets, as.matrix(true_rank)), width = mean(sets$upper - sets$lower + 1), quantile,
               best_held = any(true_rank[best] == 1), best_size = length(best), may_be_best = sum(sets$lower == 1),
               in_draws = if (is.infinite(freedom)) mean(in_sets(sets, others)) else NA)
  }))
}

rows_of <- function(result) {
  do.call(rbind, lapply(result$parts, function(part) {
    of <- if (sum(part$ranking$difference_variance) > 0) rank_sets_of(result, part)
    do.call(rbind, lapply(part$at, function(at) if (length(of)) cbind(of, at = at)))
  }))
}

# Means over collections with equal weights.
mean_by <- function(rows, value, by) {
  each <- stats::aggregate(rows[value], rows[c(by, "collection")], mean)
  stats::aggregate(each[value], each[by], mean)
}

choose_freedom <- function(rows, least = 0.95) {
  held <- mean_by(rows[rows$when != "to 60", ], "held", c("when", "freedom"))
  worst <- tapply(held$held, held$freedom, min)
  enough <- as.numeric(names(worst))[worst >= least]
  if (length(enough)) max(enough) else min(freedoms)
}

report_rank_sets <- function(rows) {
  rows$when <- ifelse(rows$at != "checkpoint", "at a stop", ifelse(rows$judged > 60, "after 60", "to 60"))
  rows$family <- collection_families[rows$collection]
  show("Rank sets by degrees of freedom: share that holds, mean width",
       mean_by(rows, c("held", "width"), c("when", "freedom")))
  show("The set that holds the best, beside the systems whose rank sets begin at 1",
       mean_by(rows, c("best_held", "best_size", "may_be_best"), c("when", "freedom")))
  normal <- rows[is.infinite(rows$freedom), ]
  show("From normal draws: held, and in other draws of the same distribution",
       merge(mean_by(normal, c("held", "in_draws"), "when"),
             stats::aggregate(list(made = normal$held), normal["when"], length)))
  late <- normal[normal$judged > 60, ]
  show("From normal draws, after more than 60 judgments", mean_by(late, c("held", "width"), "when"))
  checked <- normal[normal$at == "checkpoint", ]
  show("Squared errors of differences among those of normal draws: shares below and above quantiles",
       stats::aggregate(cbind(below_10 = quantile < 0.1, above_90 = quantile > 0.9, above_95 = quantile > 0.95,
                              above_99 = quantile > 0.99) ~ when, checked, mean))
  left_out <- do.call(rbind, lapply(split(rows, rows$family), function(own) {
    own[own$freedom == choose_freedom(rows[rows$family != own$family[1], ]), ]
  }))
  show("Degrees chosen by the other families", unique(left_out[c("family", "freedom")]))
  show("With these, families left out", mean_by(left_out, c("held", "width"), "when"))
  cat("\nChosen by all families:", choose_freedom(rows), "\n")
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(store = ""))
  if (!nzchar(given$store)) stop("Name the folder of rankings: store=<folder>.")
  results <- lapply(list.files(given$store, "[.]rds$", full.names = TRUE), readRDS)
  results <- Filter(function(r) !is.null(r$parts[[1]]$ranking), results)
  cat(length(results), "sessions\n")
  report_rank_sets(do.call(rbind, lapply(results, rows_of)))
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
