# Creates the picture of the ranking in README.md from the embedded collection of text. Run from the package's folder,
# with the package installed: Rscript data-raw/readme-pictures.R
library(judicious)
x <- text_demo
truth <- judgments_of(x)

# The ranking after 100 judgments, with the truth, and the number of intervals that contain the truth, over four seeds,
# without and with the grades of a language model.
mean <- rank_systems(x)$mean
ranking_after <- function(seed, grades = NULL) {
  session <- judging_session(x, grades = grades, goal = goal_budget(100), seed = seed, judgments = FALSE)
  run_session(session, truth, progress = FALSE)
  rank_systems(session)
}
n_containing <- function(ranking) {
  systems <- as.data.frame(ranking)
  mean <- mean[match(systems$system, names(ranking$mean))]
  sum(systems$lower <= mean & mean <= systems$upper)
}
ranking <- ranking_after(1)
cat("confidence", ranking_confidence(ranking), "; accuracy", ranking_accuracy(ranking, truth)[["accuracy"]], "\n")
seeds <- 1:4
cat("intervals that contain the truth, of", length(mean), ":", sapply(seeds, function(s) n_containing(ranking_after(s))),
    "; with grades:", sapply(seeds, function(s) n_containing(ranking_after(s, text_grades))), "\n")
grDevices::png("man/figures/ranking.png", width = 1260, height = 900, res = 170)
plot(ranking, truth = truth)
grDevices::dev.off()

# A few dozen colours are sufficient.
path <- "man/figures/ranking.png"
system2("pngquant", c("--force", "--ext", ".png", "32", path))
message(path, ": ", file.size(path), " bytes")
