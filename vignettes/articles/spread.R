# Computes how much the simulated numbers of reproduce() vary between seeds, and with the differences between systems.
# reproduce() shows the stored results. About 20 minutes of processor time, from the package's folder:
#
#   Rscript vignettes/articles/spread.R
suppressMessages(library(judicious))
source("vignettes/articles/reproduce/load.R")
scripts <- load_reproduction("vignettes/articles/reproduce")
reproduce <- scripts$reproduce

# Each of 20 seeds makes the four editions of the first paper, one edition of the second, and one crowd of the third.
seeds <- 1:20
plans <- list(mtc = list(item = c(paste0("table", 1:7), "figure2")),
              significance = list(item = c("table1", paste0("figure", 1:4)), replicates = 30),
              preferences = list(item = NULL, replicates = 200))

simulated_numbers <- function(paper, plan) {
  do.call(rbind, lapply(seeds, function(seed) {
    made <- as.data.frame(reproduce(paper, plan$item, data = "", seed = seed, replicates = plan$replicates))
    made <- made[made$data == "simulated" & !is.na(made$published), c("item", "row", "quantity", "obtained")]
    in_500_trials(made, plan$replicates)
  }))
}

# The only number that grows with the number of trials, as in the 500 trials of the paper.
in_500_trials <- function(numbers, trials) {
  counted <- numbers$quantity == "opposite and both significant"
  numbers$obtained[counted] <- numbers$obtained[counted] * 500 / trials
  numbers
}

spread_of <- function(numbers) {
  key <- paste(numbers$item, numbers$row, numbers$quantity, sep = " | ")
  do.call(rbind, lapply(split(numbers, factor(key, unique(key))), function(own) {
    known <- own$obtained[is.finite(own$obtained)]
    data.frame(own[1, c("item", "row", "quantity")], seeds = length(known), lowest = signif(min(known), 5),
               highest = signif(max(known), 5))
  }))
}

# Power and conflicts of AG in editions of 2009 whose teams differ more or less in quality. Broad gains only where teams
# differ more than by default.
quality_spread <- function(team, seed) {
  settings <- judicious:::edition_settings(2009)$control
  settings$quality[["team"]] <- team
  tests <- list(FT = "friedman_tukey", W1 = significance_test("wilcoxon", "better", adjust = "none", alpha = 0.01))
  do.call(rbind, lapply(if (team > 1) list(fine_scale(), broad_scale()) else list(fine_scale()), function(scale) {
    x <- simulate_collection(edition = 2009, seed = seed, scale = scale, control = settings)
    scores <- evaluate(x, measure = measure("AG@5"))
    run <- function(analysis, ...) {
      analysis(scores, trials = 50, tests = tests, strata = x$queries[c("query", "genre")], seed = seed,
               progress = FALSE, ...)
    }
    power <- run(power_analysis, sizes = c(50, 100))
    stability <- run(stability_analysis, sizes = 50)
    data.frame(team = team, seed = seed, scale = scale$name, test = stability$test,
               power_50 = power$power[power$size == 50], power_100 = power$power[power$size == 100],
               conflicts_50 = stability$conflicts)
  }))
}

if (sys.nframe() == 0) {
  for (paper in names(plans)) {
    spread <- spread_of(simulated_numbers(paper, plans[[paper]]))
    path <- file.path("vignettes/articles/reproduce/published", paste0(paper, "-spread.csv.gz"))
    utils::write.csv(spread, gzfile(path), row.names = FALSE, quote = FALSE)
  }
  cases <- expand.grid(seed = 1:10, team = c(0.4, 0.7, 1.2, 2))
  made <- do.call(rbind, Map(quality_spread, cases$team, cases$seed))
  utils::write.csv(made, "vignettes/articles/results/quality.csv", row.names = FALSE)
}
