# The pictures of README.md, from the embedded collection of text. Run from the package's folder, with the package
# installed: Rscript data-raw/readme-pictures.R
library(judicious)
x <- text_demo
truth <- judgments_of(x)

# The ranking after 100 judgments, with the grades of a language model and the truth beside it.
session <- judging_session(x, opinion = text_grades, goal = goal_budget(100), seed = 1, judgments = FALSE)
run_session(session, truth, progress = FALSE)
ranking <- rank_systems(session)
systems <- as.data.frame(ranking)
mean <- rank_systems(x)$mean
cat("intervals that contain the truth:", sum(systems$lower <= mean & mean <= systems$upper), "of", length(mean),
    "; confidence", ranking_confidence(ranking), "; accuracy", ranking_accuracy(ranking, truth)[["accuracy"]], "\n")
grDevices::png("man/figures/ranking.png", width = 1260, height = 900, res = 170)
plot(ranking, truth = truth)
grDevices::dev.off()

# Can what is stated be trusted? Sessions on the whole collection, with nothing learned from it beforehand.
study <- mtc_study(x, methods = list(
  "joint gains" = joint_method(gain_prior(), audit = 0.1),
  "joint gains and grades" = joint_method(gain_prior(), audit = 0.1, opinion = text_grades),
  "published" = published_method(NULL)
), budgets = c(0, 20, 50, 100, 200, 400), replicates = 8, split = "whole", seed = 1)
print(study)
grDevices::png("man/figures/reliability.png", width = 1500, height = 640, res = 150)
plot(study, type = "reliability")
grDevices::dev.off()

# A few dozen colours are enough.
for (picture in c("ranking", "reliability")) {
  path <- file.path("man/figures", paste0(picture, ".png"))
  system2("pngquant", c("--force", "--ext", ".png", "32", path))
  message(path, ": ", file.size(path), " bytes")
}
