# Creates the picture of README.md, the accuracy of judicious and of other methods by the number of judgments, from the
# stored results of bench/rivals.R on text collections. Run from the package's folder: Rscript data-raw/readme-pictures.R
details <- read.csv("vignettes/articles/results/rivals-details.csv")
text <- details[grepl("^trec-", details$collection) & details$budget > 0, ]

# Draws a panel of the methods that were run on all of `collections`, with the last value of each beside its line.
panel <- function(collections, names, title) {
  rows <- text[text$collection %in% collections & text$method %in% names, ]
  lines <- aggregate(right ~ budget + method, rows, mean)
  lines$label <- names(names)[match(lines$method, names)]
  lines$panel <- title
  lines
}
graded <- c("trec-dl-2019", "trec-dl-2020")
without <- panel(unique(text$collection), c(
  "judicious" = "joint gains", "published method" = "published MTC", "bandit, MaxMean" = "bandit, MaxMean",
  "stratified sample" = "stratified + t", "random sample" = "random + t", "depth pooling" = "depth pooling"
), "Judgments alone (6 TREC collections)")
with_grades <- panel(graded, c(
  "judicious" = "joint gains with grades", "grades, calibrated" = "calibration with a gate (CJE)",
  "grades alone" = "grades alone", "PPI++" = "PPI++"
), "With a language model's grades (DL 2019, 2020)")
lines <- rbind(without, with_grades)
lines$panel <- factor(lines$panel, unique(lines$panel))
lines$ours <- lines$label == "judicious"

# Labels stand beside the last points, moved apart where they would overlap.
labels <- lines[lines$budget == max(lines$budget), ]
apart <- function(value, least = 0.026) {
  by <- order(value)
  at <- value[by]
  for (round in 1:200) {
    near <- which(diff(at) < least - 1e-9)
    for (i in near) at[i + 0:1] <- mean(at[i + 0:1]) + c(-least, least) / 2
  }
  at[order(by)]
}
labels$at <- ave(labels$right, labels$panel, FUN = apart)

colours <- c("judicious" = "#0072B2", "published method" = "#D55E00", "bandit, MaxMean" = "#009E73",
             "stratified sample" = "#CC79A7", "random sample" = "#666666", "depth pooling" = "#8C6D00",
             "grades, calibrated" = "#009E73", "grades alone" = "#666666", "PPI++" = "#D55E00")
library(ggplot2)
plot <- ggplot(lines, aes(budget, right, colour = label, shape = label)) +
  geom_line(aes(linewidth = ours)) +
  geom_point(size = 1.8) +
  geom_text(aes(x = max(lines$budget) * 1.12, y = at, label = label), labels, hjust = 0, size = 3, show.legend = FALSE) +
  facet_wrap(~panel) +
  scale_x_log10(breaks = c(20, 50, 100, 200, 400, 800), expand = expansion(mult = c(0.03, 0.42))) +
  scale_y_continuous(breaks = seq(0.6, 1, 0.1)) +
  scale_colour_manual(values = colours) +
  scale_shape_manual(values = setNames(c(16, 17, 15, 18, 4, 3, 15, 4, 17), names(colours))) +
  scale_linewidth_manual(values = c(0.5, 1.3)) +
  labs(x = "judgments", y = "pairs of systems in the right order") +
  theme_bw(base_size = 11) +
  theme(legend.position = "none", panel.grid.minor = element_blank(), strip.background = element_blank(),
        strip.text = element_text(face = "bold", hjust = 0, size = 9))
path <- "man/figures/rivals.png"
ggsave(path, plot, width = 9, height = 3.9, dpi = 120)

# A few dozen colours are sufficient.
system2("convert", c(path, "-colors", "32", paste0("PNG8:", path)))
message(path, ": ", file.size(path), " bytes")
