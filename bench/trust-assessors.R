# What assessors are like, and whether confidence is valid for other assessors: the pairs of TREC Deep Learning 2019
# with an original judgment and two more. The first table is the basis of the prior (R/collection-assessors.R). For the
# second, the ranking is made from the judgments of one or two assessments, and checked against another one, or against
# the mean of the two others.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-assessors.R
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

case <- read_case("trec-dl-2019")
folder <- file.path(Sys.getenv("JUDICIOUS_DATA"), "trec-dl-2019")
more <- table_in(folder, "second-assessors")
more$gain <- as.numeric(more$gain)
official <- table_in(folder, "judgments")
official$gain <- as.numeric(official$gain)
id <- function(table) paste(table$query, table$doc)
more <- more[id(more) %in% id(more)[duplicated(id(more))] & id(more) %in% id(official), ]

# The estimates of assessor_errors() with a very weak prior.
official <- cbind(official[id(official) %in% id(more), c("query", "doc", "gain")], assessor = "original")
all <- rbind(official, more[names(official)])
record <- data.frame(pair = match(id(all), unique(id(all))), gain = all$gain, assessor = all$assessor, final = FALSE)
errors <- judicious:::assessor_errors(record, gain_scale(0:3), list(error = 0.04, leniency = 1, judgments = 1e-6))
show(paste("leniency and variance of the errors of each assessor, from 0 to 1;", nrow(official), "pairs"),
     data.frame(assessor = errors$who, judged = as.vector(table(record$assessor)[errors$who]),
                leniency = errors$leniency - mean(errors$leniency), error = errors$error))
show("the prior", data.frame(error = errors$typical, leniency = stats::var(errors$leniency)))

# The pairs of the pool, with the runs cut to these.
of_pool <- judgments_of(case$x)
pool <- of_pool[id(of_pool) %in% id(more), c("query", "doc")]
runs <- merge(table_in(folder, "runs"), pool)
runs$rank <- as.integer(runs$rank)
by_pair <- more[order(match(id(more), id(pool)), more$assessor), ]
by_pair <- by_pair[id(by_pair) %in% id(pool), ]
sets <- list(
  original = cbind(pool, gain = official$gain[match(id(pool), id(official))], assessor = "original"),
  first = by_pair[!duplicated(id(by_pair)), c("query", "doc", "gain", "assessor")],
  second = by_pair[duplicated(id(by_pair)), c("query", "doc", "gain", "assessor")]
)
x <- suppressWarnings(test_collection(runs[runs$rank <= 10, ], k = 10, scale = gain_scale(0:3),
                                      judgments = sets$original[c("query", "doc", "gain")]))

# `to`: one set, or several, whose mean is the truth.
check <- function(from, to, assessor, share = 1) {
  judgments <- do.call(rbind, unname(sets[from]))
  if (share < 1) {
    set.seed(1)
    judgments <- judgments[id(judgments) %in% sample(id(pool), share * nrow(pool)), ]
  }
  stated <- system_differences(rank_systems(x, judgments = judgments, assessor = assessor))
  scores <- lapply(sets[to], function(set) {
    rank_systems(x, judgments = set[c("query", "doc", "gain")])$mean
  })
  true <- Reduce(`+`, scores) / length(to)
  true <- true[stated$system_a] - true[stated$system_b]
  right <- (1 + sign(stated$difference) * sign(true)) / 2
  high <- stated$confidence >= 0.95
  data.frame(from = paste(from, collapse = "+"), to = paste(to, collapse = "+"), assessor = assessor, share = share,
             stated = mean(stated$confidence), right = mean(right), pairs_95 = mean(high),
             stated_95 = mean(stated$confidence[high]), right_95 = mean(right[high]),
             z2 = if (all(stated$sd > 0)) mean(((stated$difference - true) / stated$sd)^2) else NA)
}

of <- names(sets)
each <- function(assessor, share = 1) {
  do.call(rbind, Map(check, of[c(1, 1, 2, 2, 3, 3)], of[c(2, 3, 1, 3, 1, 2)], assessor, share))
}
other <- function(from) setdiff(of, from)
both <- function(assessor, share = 1) {
  do.call(rbind, lapply(of, function(to) check(other(to), to, assessor, share)))
}
shares <- c(1, 0.5, 0.2)
tables <- list(
  "one assessment, confidence that another assessor agrees" =
    do.call(rbind, lapply(shares, function(share) each("another", share))),
  "two assessments, confidence that another assessor agrees" =
    do.call(rbind, lapply(shares, function(share) both("another", share))),
  "one assessment, confidence in the consensus, against the mean of the two others" =
    do.call(rbind, lapply(shares, function(share) {
      do.call(rbind, lapply(of, function(from) check(from, other(from), "consensus", share)))
    })),
  "one assessment, its judgments taken as the truth" = each("these")
)
for (title in names(tables)) {
  table <- tables[[title]]
  show(paste0(title, " (", nrow(pool), " pairs)"), table)
  show("  on average", aggregate(table[-(1:4)], table["share"], mean))
}

# Sessions in which the three assessments are three assessors, and the mean of all three is the truth. One session
# assigns second judgments where they are worth more than new documents, and one never does; both have the same number
# of judgments.
truth <- Reduce(`+`, lapply(sets, function(set) rank_systems(x, judgments = set[c("query", "doc", "gain")])$mean)) / 3
session <- function(assessor, n, seed) {
  s <- judging_session(x, goal = goal_mean(0.9999), assessor = assessor, judgments = FALSE, seed = seed)
  # The assessors take turns.
  for (turn in seq_len(n)) {
    one <- names(sets)[1 + turn %% 3]
    task <- next_documents(s, 1, one)
    gain <- sets[[one]]$gain[match(id(task), id(sets[[one]]))]
    judge(s, task$query, task$doc, gain, one)
  }
  stated <- system_differences(rank_systems(s, assessor = "consensus"))
  difference <- truth[stated$system_a] - truth[stated$system_b]
  made <- judgments_of(s)
  data.frame(assessor = assessor, judgments = nrow(made), twice = sum(made$overlap), stated = mean(stated$confidence),
             right = mean((1 + sign(stated$difference) * sign(difference)) / 2))
}
runs_of <- expand.grid(seed = 1:2, n = c(200, 400), assessor = c("these", "consensus"), stringsAsFactors = FALSE)
found <- do.call(rbind, Map(session, runs_of$assessor, runs_of$n, runs_of$seed))
show("sessions of three assessors against the mean of their judgments, 2 seeds",
     aggregate(found[c("twice", "stated", "right")], found[c("judgments", "assessor")], mean))
