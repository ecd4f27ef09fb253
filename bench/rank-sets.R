# How heavy must the tails of the draws be from which rank sets are made? Sessions on parts of the collections of
# JUDICIOUS_DATA (as in bench/statements.R) that select for the mean confidence, the best or the best three systems:
# their rankings after 10 to 300 judgments, and when a goal is reached. From each ranking, rank sets by normal draws and
# by t distributed ones with several degrees of freedom. For each family, the degrees are chosen by the others: the most
# with which sets of level .95 hold in .95 of the rankings, both after more than 60 judgments and at a stop.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/rank-sets.R store=<folder> [collections=a,b] [seeds=1,2]
#     [kinds=mean,top1,top3] [minutes=Inf]
#
# Rankings are kept in the store; a session takes about two seconds. Other possible causes are looked at, too: sets from
# 1,000 draws in 10,000 other draws of the same distribution (too few draws), and rankings at a stop beside those after
# as many judgments without one (stopping when the confidence happens to be high).
suppressMessages(library(judicious))
source("bench/statements.R")

freedoms <- c(Inf, 30, 20, 15, 10, 7, 5)
counts <- c(10, 20, 40, 60, 100, 150, 200, 300)
# By kind of session: the goal for which it selects, which it does not reach, and those that are looked at.
recorded_goals <- list(
  mean = list(goal_mean(0.999), "mean .90" = goal_mean(0.9), "mean .95" = goal_mean(0.95)),
  top1 = list(goal_top(1, 0.999), "top 1" = goal_top(1, 0.95)),
  top3 = list(goal_top(3, 0.999), "top 3" = goal_top(3, 0.95))
)

# Judges the next document by the truth; FALSE if nothing is left.
judge_next <- function(s, truth) {
  at <- tryCatch(next_documents(s), judicious_error = function(e) NULL)
  if (!length(at$doc)) return(FALSE)
  judge(s, at$query, at$doc, truth$gain[truth$query == at$query & truth$doc == at$doc])
  TRUE
}

is_recorded <- function(made) made >= 10 && (made %% 3 == 0 || made %in% counts)

# The rankings, without what rank sets do not need: when they were made, and of what.
record_session <- function(x, kind, seed) {
  wanted <- recorded_goals[[kind]]
  if (kind == "top3" && nrow(x$systems) < 4) return(list())
  s <- judging_session(x, goal = wanted[[1]] | goal_budget(max(counts)), judgments = FALSE, seed = seed)
  truth <- judgments_of(x)
  open <- wanted[-1]
  rankings <- list()
  for (made in seq_len(max(counts))) {
    if (!judge_next(s, truth)) break
    if (!is_recorded(made)) next
    ranking <- rank_systems(s)
    reached <- vapply(open, function(goal) goal$progress(ranking)$reached, NA)
    at <- c(if (made %in% counts) "fixed", names(open)[reached])
    open <- open[!reached]
    if (length(at)) rankings <- c(rankings, list(list(judged = made, at = at, ranking = without_data(ranking))))
  }
  rankings
}

without_data <- function(ranking) {
  kept <- ranking[c("mean", "covariance", "difference_variance", "level")]
  kept$resolution <- judicious:::gain_resolution(ranking$collection)
  kept
}

record_all <- function(given) {
  dir.create(given$store, FALSE, TRUE)
  cases <- sapply(given$collections, function(name) suppressMessages(read_case(name)), simplify = FALSE)
  begun <- proc.time()[["user.self"]]
  for (seed in given$seeds) for (kind in given$kinds) for (name in given$collections) {
    file <- file.path(given$store, sprintf("%s %s %d.rds", name, kind, seed))
    if (file.exists(file)) next
    if (proc.time()[["user.self"]] - begun > 60 * given$minutes) return(message("Out of time; run again to continue."))
    x <- part_of(cases[[name]], seed)
    saveRDS(list(collection = name, kind = kind, seed = seed, truth = true_means(x),
                 rankings = record_session(x, kind, seed)), file)
  }
}

draws_of <- function(ranking, draws = 1000, seed = 1) {
  m <- length(ranking$mean)
  same <- ranking$difference_variance == 0 & abs(outer(ranking$mean, ranking$mean, `-`)) <= ranking$resolution
  first <- max.col(same | diag(TRUE, m), ties.method = "first")
  own <- unique(first)
  covariance <- ranking$covariance[own, own, drop = FALSE]
  drawn <- judicious:::draw_normal_scores_cpp(ranking$mean[own], covariance, draws, seed)
  drawn[match(first, own), , drop = FALSE]
}

with_tails <- function(drawn, mean, freedom) {
  if (is.infinite(freedom)) return(drawn)
  mean + (drawn - mean) * rep(judicious:::t_factors(ncol(drawn), freedom), each = length(mean))
}

# How rank sets by normal and t distributed draws do, a row per degrees of freedom.
rank_sets_of <- function(result, at, judged, ranking) {
  truth <- result$truth
  rank <- vapply(truth, function(v) 1 + sum(truth > v + 1e-9 * max(abs(truth))), 1)
  drawn <- draws_of(ranking)
  others <- apply(-draws_of(ranking, 10000, 2), 2, rank_with_ties)
  in_sets <- function(sets, rank) colSums(rank < sets$lower | rank > sets$upper) == 0
  do.call(rbind, lapply(freedoms, function(freedom) {
    sets <- judicious:::rank_sets_cpp(with_tails(drawn, ranking$mean, freedom), ranking$resolution, 0.95)
    data.frame(collection = result$collection, at, judged, freedom, held = in_sets(sets, as.matrix(rank)),
               width = mean(sets$upper - sets$lower + 1),
               in_draws = if (is.infinite(freedom)) mean(in_sets(sets, others)) else NA)
  }))
}

rank_with_ties <- function(x) rank(x, ties.method = "min")

rows_of <- function(result) {
  do.call(rbind, lapply(result$rankings, function(r) {
    do.call(rbind, lapply(r$at, function(at) rank_sets_of(result, at, r$judged, r$ranking)))
  }))
}

# Means over collections, which count equally.
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
  rows$when <- ifelse(rows$at != "fixed", "at a stop", ifelse(rows$judged > 60, "after 60", "to 60"))
  rows$family <- collection_families[rows$collection]
  show("Rank sets by degrees of freedom: share that holds, mean width", mean_by(rows, c("held", "width"),
                                                                               c("when", "freedom")))
  normal <- rows[is.infinite(rows$freedom), ]
  show("From normal draws: held, and in other draws of the same distribution",
       merge(mean_by(normal, c("held", "in_draws"), "when"), stats::aggregate(list(made = normal$held), normal["when"],
                                                                             length)))
  # Stops are compared with fixed numbers of judgments of the same range and collection.
  show("From normal draws, at 61 to 200 judgments", mean_by(normal[normal$judged > 60 & normal$judged <= 200, ],
                                                           c("held", "width"), "when"))
  left_out <- do.call(rbind, lapply(split(rows, rows$family), function(own) {
    own[own$freedom == choose_freedom(rows[rows$family != own$family[1], ]), ]
  }))
  show("Degrees chosen by the other families", unique(left_out[c("family", "freedom")]))
  show("With these, families left out", mean_by(left_out, c("held", "width"), "when"))
  cat("\nChosen by all families:", choose_freedom(rows), "\n")
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(store = "", collections = collection_names, seeds = 1:4,
                                           kinds = names(recorded_goals), minutes = Inf))
  if (!nzchar(given$store)) stop("Name a folder for the rankings: store=<folder>.")
  record_all(given)
  results <- lapply(list.files(given$store, "[.]rds$", full.names = TRUE), readRDS)
  cat(length(results), "sessions\n")
  report_rank_sets(do.call(rbind, lapply(results, rows_of)))
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
