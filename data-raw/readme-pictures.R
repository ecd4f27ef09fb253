# The pictures of README.md, from the embedded collection.
library(judicious)

gains <- gain_distribution(mirex_model("output", "fine"), output_features(ams_demo))
ranking <- rank_systems(ams_demo, gains)
grDevices::png("man/figures/ranking.png", width = 1400, height = 800, res = 180)
plot(ranking, judgments = judgments_of(ams_demo))
grDevices::dev.off()
