# The pictures of README.md, from the embedded collection.
library(judicious)

# The ranking after 100 judgments, with the truth beside it.
session <- judging_session(ams_demo, goal = goal_budget(100), seed = 1, judgments = FALSE)
run_session(session, judgments_of(ams_demo), progress = FALSE)
ranking <- rank_systems(session)
systems <- as.data.frame(ranking)
truth <- rank_systems(ams_demo)$mean
cat("intervals that hold the truth:", sum(systems$lower <= truth & truth <= systems$upper), "of", length(truth),
    "; confidence", ranking_confidence(ranking), "; accuracy", ranking_accuracy(ranking, ams_demo)[["accuracy"]], "\n")
grDevices::png("man/figures/ranking.png", width = 1400, height = 800, res = 180)
plot(ranking, truth = judgments_of(ams_demo))
grDevices::dev.off()

# Does the confidence keep its word? Half of the queries to learn from, sessions on the other half.
study <- mtc_study(ams_demo, methods = list(
  "joint gains" = joint_method(),
  "published" = published_method(mirex_model("output", "fine"), mirex_model("judge", "fine"))
), budgets = c(0, 50, 150), replicates = 6, seed = 1)
print(study)
grDevices::png("man/figures/reliability.png", width = 1300, height = 800, res = 180)
plot(study, type = "reliability")
grDevices::dev.off()
