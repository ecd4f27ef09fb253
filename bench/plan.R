# What judging_plan() says before anything is judged, against the sessions that then take place: on random halves of the
# queries of mirex-ams-2011, with a model learnt on the other half, and on clef-ehealth-2015 from the built-in prior.
# Needs the real data: JUDICIOUS_DATA=<folder> Rscript bench/plan.R [collections] [sessions planned] [confidence]
suppressMessages(library(judicious))
source("bench/common.R")
args <- as.numeric(commandArgs(TRUE))
collections <- if (length(args)) args[1] else 12
planned <- if (length(args) > 1) args[2] else 20
confidence <- if (length(args) > 2) args[3] else 0.95
most <- 400

# One row: what was planned, from the 10% to the 90% quantile of the sessions (Inf where they did not get there), and
# what it took.
plan_and_play <- function(x, model, seed) {
  goal <- goal_mean(confidence)
  needed <- judging_plan(x, goal, model, most = most, replicates = planned, seed = seed)$needed
  judged <- ifelse(needed$reached, needed$judged, Inf)
  span <- stats::quantile(judged, c(0.1, 0.5, 0.9), type = 1, names = FALSE)
  s <- judging_session(x, model, goal | goal_budget(most), cost = judging_cost(20, new_query = 40), seed = seed + 1,
                       judgments = FALSE)
  run_session(s, progress = FALSE)
  final <- rank_systems(s)
  took <- if (goal$progress(final)$reached) nrow(judgments_of(s)) else Inf
  data.frame(lower = span[1], median = span[2], upper = span[3], took = took,
             within = took >= span[1] && took <= span[3], stated = ranking_confidence(final),
             accuracy = ranking_accuracy(final, judgments_of(x))[["accuracy"]],
             planned_accuracy = mean(needed$accuracy))
}

half <- function(x, seed) {
  set.seed(seed)
  queries <- seq_len(nrow(x$queries))
  past <- sample(queries, length(queries) %/% 2)
  list(past = judicious:::take_queries(x, past), now = judicious:::take_queries(x, setdiff(queries, past)))
}

report <- function(title, rows) {
  rows <- do.call(rbind, rows)
  show(title, rows)
  cat(sprintf("within the 80%% interval: %d of %d; took less than planned (the median): %d, more: %d\n",
              sum(rows$within), nrow(rows), sum(rows$took < rows$median), sum(rows$took > rows$median)))
}

report(sprintf("mirex-ams-2011, halves, mean confidence %s", confidence), lapply(seq_len(collections), function(i) {
  halves <- half(mirex_2011(), i)
  plan_and_play(halves$now, gain_model(collections = halves$past), i)
}))
# The built-in prior, on halves of the queries too, so that the collections differ.
report(sprintf("clef-ehealth-2015, halves, no past collection, mean confidence %s", confidence),
       lapply(seq_len(collections), function(i) plan_and_play(half(clef(), i)$now, gain_prior(), i)))
