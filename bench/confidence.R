# Can the stated confidence be trusted? Compares the published method with joint gains, and joint gains with one
# component left out at a time. Needs the real data:
#
# JUDICIOUS_DATA=<folder> Rscript bench/confidence.R [halves|none|ablation|simulated] [replicates]
suppressMessages(library(judicious))
source("bench/common.R")
given <- given_arguments(commandArgs(TRUE), list(what = "halves", replicates = 12L))

# The accuracy of pairs of systems whose stated confidence is between .9 and .99.
stated_90 <- function(study) {
  part <- study$pairs[study$pairs$confidence >= .9 & study$pairs$confidence < .99, ]
  round(tapply(part$right, part$method, mean), 4)
}

show_study <- function(title, study) {
  cat("\n", title, "\n", sep = "")
  print(study)
  cat("right where stated in [.9, .99):", paste(names(stated_90(study)), stated_90(study)), "\n")
}

published <- published_method(mirex_model("output", "fine"), mirex_model("judge", "fine"))
budgets <- c(0, 20, 40, 80, 120, 200, 300, 400)

if (given$what == "halves") {
  show_study("mirex-ams-2011, random halves",
             # The last two columns are the accuracy when a session stops.
             mtc_study(mirex_2011(), methods = list(published = published, joint = joint_method()),
                       budgets = c(budgets, 600, 1000), replicates = given$replicates, seed = 2011))
}
if (given$what == "none") {
  methods <- list(published = published_method(NULL), prior = joint_method(gain_prior()))
  for (variant in list(c(TRUE, TRUE), c(FALSE, TRUE), c(FALSE, FALSE))) {
    show_study(sprintf("clef-ehealth-2015, no past collection; site %s, team %s", variant[1], variant[2]),
               mtc_study(clef(variant[1], variant[2]), methods = methods, budgets = c(0, 20, 50, 100, 200, 300, 400),
                         replicates = given$replicates, split = "whole", seed = 2015))
  }
}
if (given$what == "ablation") {
  ablation <- new.env(parent = asNamespace("judicious"))
  sys.source("vignettes/articles/reproduce/ablation.R", ablation)
  case <- list(x = mirex_2011(), output = mirex_model("output", "fine"), judge = mirex_model("judge", "fine"))
  show_study("mirex-ams-2011, random halves, one ingredient off",
             mtc_study(case$x, methods = ablation$ablation_methods(case), budgets = c(0, 80, 200, 400),
                       replicates = given$replicates, seed = 2011))
}
if (given$what == "simulated") {
  for (i in 1:20) {
    set.seed(i)
    x <- simulate_collection(
      queries = sample(c(30, 50, 80), 1), documents = 1000, genres = if (i %% 2) 0 else 8,
      artists = if (i %% 2) 0 else 100, teams = sample(4:12, 1), systems = sample(17:40, 1), k = sample(c(5, 10), 1),
      scale = list(gain_scale(0:1), gain_scale(0:2), fine_scale())[[i %% 3 + 1]],
      overlap = stats::runif(1, .2, .7), mean_gain = stats::runif(1, .08, .5), seed = i
    )
    show_study(sprintf("simulated collection %d of %d systems, mean gain %.2f", i, nrow(x$systems),
                       mean(x$gain) / max(x$scale$levels)),
               mtc_study(x, methods = list(prior = joint_method(gain_prior())),
                         budgets = c(0, 20, 50, 100, 200, 400), replicates = 1, split = "whole", seed = i))
  }
}
