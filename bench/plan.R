# Compares judging_plan() before anything is judged with the sessions that follow: on random halves of the queries of
# mirex-ams-2011, with a model learned on the other half, and on clef-ehealth-2015 with the built-in prior. Then
# compares sessions that select several documents at a time, as plans do, with sessions that select one by one, for the
# same gains of trec-dl-2019.
# Needs the real data: JUDICIOUS_DATA=<folder> Rscript bench/plan.R [collections] [planned] [confidence]
# where `planned` is the number of sessions simulated by a plan.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")
given <- given_arguments(commandArgs(TRUE), list(collections = 12, planned = 20, confidence = 0.95))
most <- 400

# Compares a plan with a session. The row has the 10% and the 90% quantile of the planned sessions (Inf if they did not
# reach the goal), and the number of judgments that the session needed.
plan_and_play <- function(x, model, seed) {
  goal <- goal_mean(given$confidence)
  needed <- judging_plan(x, goal | goal_budget(most), model, judgments = FALSE, replicates = given$planned,
                         seed = seed)$needed
  judged <- ifelse(needed$reached, needed$judged, Inf)
  span <- stats::quantile(judged, c(0.1, 0.5, 0.9), type = 1, names = FALSE)
  s <- judging_session(x, past = model, goal = goal | goal_budget(most), cost = judging_cost(20, new_query = 40),
                       seed = seed + 1,
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
  list(past = judicious:::restrict_to_queries(x, past),
       now = judicious:::restrict_to_queries(x, setdiff(queries, past)))
}

report <- function(title, rows) {
  rows <- do.call(rbind, rows)
  show(title, rows)
  cat(sprintf("within the 80%% interval: %d of %d; took less than planned (the median): %d, more: %d\n",
              sum(rows$within), nrow(rows), sum(rows$took < rows$median), sum(rows$took > rows$median)))
}

title <- paste("halves, mean confidence", given$confidence)
report(paste("mirex-ams-2011,", title), lapply(seq_len(given$collections), function(i) {
  halves <- half(mirex_2011(), i)
  plan_and_play(halves$now, gain_model(past = halves$past), i)
}))
# The built-in prior, also on halves of the queries, so that the collections differ.
report(paste("clef-ehealth-2015, no past collection,", title),
       lapply(seq_len(given$collections), function(i) plan_and_play(half(clef(), i)$now, gain_prior(), i)))

# Judgments of one simulated session until it reaches the goal, and its CPU seconds, if the number of documents selected
# at a time is `share` times the number judged.
session_by_share <- function(setup, begun, share, seed) {
  judicious:::with_seed(seed, {
    truth <- judicious:::draw_truth(setup$prepared, setup$x)
    e <- judicious:::new_engine(setup)
    e$begun <- begun
    work <- judicious:::planned_work(e, share)
    cpu <- system.time(judicious:::judging_loop(e, work, function(pair) truth[pair]))[[1]]
  })
  data.frame(share = share, judged = length(e$sequence), cpu = cpu)
}

x <- read_case("trec-dl-2019")$x
x$gain[] <- NA
setup <- judicious:::new_setup(x, judicious:::belief_prepare(gain_prior(), x, NULL), goal_mean(given$confidence),
                               strategy_gradient(), session_control(), cost = judging_cost(20, new_query = 40))
begun <- judicious:::belief_begin(setup$prepared, x)
rows <- do.call(rbind, lapply(seq_len(given$collections), function(seed) {
  rbind(session_by_share(setup, begun, 0, seed), session_by_share(setup, begun, 0.02, seed))
}))
show("one by one (0) and in batches (0.02), trec-dl-2019", stats::aggregate(cbind(judged, cpu) ~ share, rows, mean))
ratio <- log(rows$judged[rows$share > 0] / rows$judged[rows$share == 0])
cat(sprintf("judgments in batches: %.0f%% more, standard error %.0f%%\n", 100 * (exp(mean(ratio)) - 1),
            100 * stats::sd(ratio) / sqrt(length(ratio))))
