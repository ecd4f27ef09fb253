# Estimates the constants of the prior of graders (R/belief-graders.R) from collections that
# have grades, or from those that have judgments only, and prints them beside the built-in ones, also without each
# family. Run from the package's folder, with the package installed:
#   JUDICIOUS_DATA=<folder> Rscript data-raw/graders.R
library(judicious)
source("bench/common.R")
source("bench/trust-data.R")
source("bench/trust-methods.R")
ours <- asNamespace("judicious")
root <- Sys.getenv("JUDICIOUS_DATA")

# The amounts that the steps of a grader's scale add to the logit of the mean gain, within queries. Amounts above 5 are
# left out: such steps occur for very few pairs.
steps_of <- function(gain, query, grade) {
  known <- !is.na(grade)
  levels <- sort(unique(grade[known]))
  steps <- outer(grade[known], levels[-1], ">=") + 0
  fit <- suppressWarnings(stats::glm(gain[known] ~ factor(query[known]) + steps, family = stats::quasibinomial))
  amount <- stats::coef(fit)[grep("^steps", names(stats::coef(fit)))]
  further <- amount[-1][abs(amount[-1]) < 5]
  data.frame(steps = length(amount), first = amount[[1]], further = if (length(further)) mean(further) else NA)
}

# Labels without runs: 33 graders of the same pairs.
folder <- file.path(root, "llmjudge-2023")
labels <- table_in(folder, "judgments")
given <- table_in(folder, "graders")
given$grade <- as.numeric(given$grade)
given <- given[given$grade %in% 0:3, ]
id <- function(table) paste(table$query, table$doc)
grades <- vapply(split(given, given$grader), function(one) one$grade[match(id(labels), id(one))], numeric(nrow(labels)))
complete <- stats::complete.cases(grades)
grades <- grades[complete, ]
labels <- labels[complete, ]
gain <- as.numeric(labels$gain) / 3
each <- function(make, times) {
  set.seed(1)
  do.call(rbind, lapply(seq_len(times), function(i) steps_of(gain, labels$query, make(i))))
}
of_labels <- each(function(i) grades[, i], ncol(grades))
sums <- lapply(2:3, function(n) each(function(i) rowSums(grades[, sample(ncol(grades), n)]), 15))

# TREC Deep Learning, whose human gains these graders predict in pools of runs.
cases <- lapply(c("trec-dl-2019", "trec-dl-2020"), function(name) read_case(name))
of_runs <- do.call(rbind, lapply(cases, function(case) {
  judged <- judgments_of(case$x)
  do.call(rbind, lapply(names(case$graders), function(grader) {
    steps_of(judged$gain / 3, judged$query, grades_of(case, grader))
  }))
}))
families <- rbind(colMeans(of_labels), colMeans(of_runs, na.rm = TRUE))
rownames(families) <- c("llmjudge-2023", "trec-dl")
show("steps: means by family", data.frame(family = rownames(families), families))
all <- rbind(of_labels, of_runs)
show("first and further steps: mean of the families, standard deviation of the graders, built-in", data.frame(
  step = c("first", "further"), mean = colMeans(families[, c("first", "further")]),
  sd = c(stats::sd(all$first), stats::sd(all$further, na.rm = TRUE)),
  built_in = c(ours$first_step$mean, ours$next_step$mean), built_in_sd = c(ours$first_step$sd, ours$next_step$sd)
))

# Finer scales: sums of the grades of two or three graders have up to 7 or 10 levels.
finer <- rbind(of_labels, do.call(rbind, sums))
finer <- finer[!is.na(finer$further) & finer$further > 0 & finer$steps > 1, ]
show("further steps by their number, and the power of (n - 1) / 2 by which they are divided", data.frame(
  stats::aggregate(further ~ steps, finer, mean),
  power = -stats::coef(stats::lm(log(further) ~ log(pmax(1, (steps - 1) / 2)), finer))[[2]],
  built_in = ours$step_fineness
))

# Several graders: the slope of the sum of their steps, when each step has its prior mean.
slope_of <- function(columns) {
  value <- rowSums(ours$first_step$mean * (grades[, columns, drop = FALSE] >= 1) +
                     ours$next_step$mean * pmax(grades[, columns, drop = FALSE] - 1, 0))
  stats::coef(stats::glm(gain ~ factor(labels$query) + value, family = stats::quasibinomial))[["value"]]
}
several <- expand.grid(graders = c(1, 2, 3, 5, 8, 12), i = 1:8)
set.seed(1)
several$slope <- vapply(several$graders, function(n) slope_of(sample(ncol(grades), n)), 1)
show("slope by the number of graders, and the power by which it falls", data.frame(
  stats::aggregate(slope ~ graders, several, mean),
  power = -stats::coef(stats::lm(log(slope) ~ log(graders), several))[[2]], built_in = ours$grader_overlap
))

# The correlation, within queries, of grades and the number of teams that retrieved a document, for the judgments and
# for judgments with an error of once and twice their standard deviation.
family <- c("mirex-ams-2011" = "MIREX", "clef-ehealth-2015" = "eHealth", "trec-dl-2019" = "TREC DL",
            "trec-dl-2020" = "TREC DL", "trec-dl-2022-silver" = "TREC DL", "trec-covid-1" = "TREC-COVID",
            "trec-covid-2" = "TREC-COVID", "trec-covid-3" = "TREC-COVID", "cqa-2016-a" = "cqa", "cqa-2016-b" = "cqa",
            "cqa-2016-c" = "cqa", jester = "jester")
correlations <- do.call(rbind, lapply(names(family), function(name) {
  x <- read_case(name)$x
  gain <- replace(x$gain, is.na(x$gain), mean(x$gain, na.rm = TRUE))
  set.seed(1)
  error <- stats::rnorm(length(gain), sd = stats::sd(gain))
  data.frame(collection = name, family = family[[name]], error = 0:2,
             correlation = vapply(0:2, function(times) ours$grade_check(x, list(gain + times * error))$correlation, 1))
}))
show("correlation of the judgments with the number of teams",
     correlations[correlations$error == 0, c("collection", "correlation")])
of_models <- do.call(rbind, lapply(c("trec-dl-2019", "trec-dl-2020"), function(name) {
  case <- read_case(name)
  set.seed(1)
  do.call(rbind, lapply(names(case$graders), function(model) {
    grader <- case$graders[[model]]
    grade <- grader$grade[match(id(judgments_of(case$x)), id(grader))]
    grade <- replace(grade, is.na(grade), mean(grade, na.rm = TRUE))
    of <- vapply(list(grade, sample(grade)), function(value) ours$grade_check(case$x, list(value))$correlation, 1)
    data.frame(collection = name, model, correlation = of[1], shuffled = of[2])
  }))
}))
show("correlation of the grades of language models with the number of teams", of_models)
means <- stats::aggregate(correlation ~ error + family, correlations, mean)
show("correlation with the number of teams", stats::reshape(means, idvar = "family", timevar = "error",
                                                             direction = "wide"))
left_out <- lapply(c("none", unique(means$family)), function(out) {
  kept <- means$correlation[means$family != out]
  data.frame(left_out = out, mean = mean(kept), sd = stats::sd(kept))
})
show("informative grades", cbind(do.call(rbind, left_out), built_in = ours$informative_correlation$mean,
                                 built_in_sd = ours$informative_correlation$sd))

# How much higher the grades of a team's documents are than those of other documents of the same query that the same
# number of other teams retrieved, among documents that at least one other team retrieved. For the human judgments, a
# grader, and the same grader with most grades of the largest team raised by one. The favoured team is not an outlier.
x <- cases[[1]]$x
pair <- rep(seq_along(x$gain), diff(x$results$offset))
of_teams <- table(pair, x$systems$team[x$results$system]) > 0
grade <- grades_of(cases[[1]], "umbrela-gpt4")
largest <- names(which.max(table(x$systems$team)))
set.seed(1)
favoured <- stats::runif(length(grade)) < 0.7 & of_teams[, largest]
offset_of <- function(grade, team) {
  others <- rowSums(of_teams) - of_teams[, team]
  kept <- others >= 1 & !is.na(grade)
  fit <- stats::lm(grade[kept] ~ of_teams[kept, team] + factor(others[kept]) + factor(x$pool$query[kept]))
  stats::coef(fit)[[2]]
}
offsets <- vapply(list(human = x$gain, grader = grade, favouring = pmin(grade + favoured, 3)), function(grade) {
  vapply(colnames(of_teams), function(team) offset_of(grade, team), 1)
}, numeric(ncol(of_teams)))
show(paste("higher grades by team, of which the grader may favour", largest),
     data.frame(team = rownames(offsets), offsets)[order(-offsets[, "favouring"]), ])
