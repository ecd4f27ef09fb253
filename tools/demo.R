# Compares two rankings of real answers with the truth. Then runs the complete workflow on text_demo, a simulated text
# collection: ranks without judgments, plans, judges until the goal is met, compares with the published method at the
# same number of judgments, and writes the report. An argument is the folder for the report and the pictures.
suppressMessages(library(judicious))
folder <- c(commandArgs(trailingOnly = TRUE), "judicious-demo")[1]
x <- text_demo
truth <- judgments_of(x)
goal <- 0.9

part <- function(...) cat("\n== ", ..., "\n\n", sep = "")

# Prints how many statements of a ranking agree with the true scores.
true_scores <- as.data.frame(rank_systems(x, judgments = truth))
against_truth <- function(ranking, method) {
  estimates <- as.data.frame(ranking)
  score <- true_scores$estimate[match(estimates$system, true_scores$system)]
  data.frame(method = method, judgments = ranking$judged, stated = ranking_confidence(ranking),
             right = ranking_accuracy(ranking, truth)[["accuracy"]],
             coverage = mean(estimates$lower <= score & score <= estimates$upper))
}

# The published algorithm without its ordinal models: these were fitted to music, and need genres and artists.
published <- function(confidence, budget) {
  algorithm <- mtc(x, truth, NULL, confidence = confidence, budget = budget, progress = FALSE)
  against_truth(rank_systems(algorithm), "published")
}

part("Real data: 43 language models, 300 questions of GSM8K, no right answer")
answers <- system.file("extdata", "gsm", "answers.jsonl.gz", package = "judicious")
beside_truth <- function(ranking, truth) {
  print(ranking, n = 5)
  cat(sprintf("Stated: %.1f%% of the pairs are in the right order. True: %.1f%%.\n", 100 * ranking_confidence(ranking),
              100 * ranking_accuracy(ranking, truth)[["accuracy"]]))
}
beside_truth(rank_systems(suppressMessages(read_answers(answers, scale = 0:1))),
             judgments_of(suppressMessages(read_answers(answers, gold = "gold"))))

part("Real data: stories by 11 systems, 200 of 3,168 ratings by people")
stories <- suppressMessages(read_answers(hanna))
ratings <- judgments_of(stories)
set.seed(1)
beside_truth(rank_systems(stories, judgments = ratings[sample(nrow(ratings), 200), ]), ratings)

part("The whole work on a simulated text collection")
print(x)

part("Rank without judgments")
print(rank_systems(x, judgments = FALSE))

part("Plan: the judgments, hours and money for a confidence of ", goal)
plan <- judging_plan(x, goal_mean(goal), hourly = 25, judgments = FALSE, replicates = 6, seed = 1, progress = FALSE)
print(plan)

part("Judge until the goal is met; the judgments of text_demo stand in for a person")
session <- judging_session(x, goal = goal_mean(goal), judgments = FALSE, seed = 1)
run_session(session, truth, progress = FALSE)
print(session)

part("Beside the truth, by number of judgments: means of 3 sessions")
methods <- list("joint gains" = joint_method(), published = published_method(NULL))
study <- mtc_study(x, truth, methods, budgets = c(0, 50, 100, 200, 300), replicates = 3, split = "whole",
                   confidence = goal, seed = 1, progress = FALSE)
print(study)

part("Report and pictures")
dir.create(folder, recursive = TRUE, showWarnings = FALSE)
report(session, file.path(folder, "report.html"))
pictures <- list(
  "ranking" = function() plot(rank_systems(session), truth = truth),
  "differences" = function() plot(system_differences(rank_systems(session))),
  "plan" = function() plot(plan, session),
  "calibration" = function() plot(calibration(session)),
  "study" = function() plot(study)
)
for (name in names(pictures)) {
  grDevices::png(file.path(folder, paste0(name, ".png")), width = 7, height = 5, units = "in", res = 110)
  print(pictures[[name]]())
  grDevices::dev.off()
}
cat(" ", file.path(folder, c("report.html", paste0(names(pictures), ".png"))), sep = "\n  ")

part("What was learned")
ours <- against_truth(rank_systems(session), "joint gains")
same <- published(1, ours$judgments)
later <- published(goal, Inf)
say <- function(text, ...) cat(sprintf(text, ...), "\n", sep = "")
count <- function(n) format(n, big.mark = ",")
say("The goal, a confidence of %.2f, was met after %s of %s judgments; %.1f%% of the pairs of systems are in order.",
    goal, count(ours$judgments), count(nrow(truth)), 100 * ours$right)
say("The published method has %.1f%% in order after as many judgments, and states a confidence of %.2f.",
    100 * same$right, same$stated)
say("It states %.2f after %s judgments, with %.1f%% in order.", later$stated, count(later$judgments), 100 * later$right)
say("The 95%% intervals contain the true value of %.0f%% of the systems; those of the published method, of %.0f%%.",
    100 * ours$coverage, 100 * same$coverage)
say("This is one simulated collection and one session: vignettes/articles/paper.Rmd has real ones, and says where joint gains fail.")
