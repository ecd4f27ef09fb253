# The pictures of README.md, from the embedded collection.
library(judicious)

gains <- gain_distribution(mirex_model("output", "fine"), output_features(ams_demo))
ranking <- rank_systems(ams_demo, gains)
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
