# Is the confidence of rank_systems(assessor = "another") valid for another assessor? Uses the pairs of TREC Deep
# Learning 2019 with an original judgment and two more: everything is judged by one assessor and compared with another.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-assessors.R
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

case <- read_case("trec-dl-2019")
folder <- file.path(Sys.getenv("JUDICIOUS_DATA"), "trec-dl-2019")
more <- table_in(folder, "second-assessors")
pool <- judgments_of(case$x)
id <- function(table) paste(table$query, table$doc)
by_pair <- split(as.numeric(more$gain), id(more))[id(pool)]
sets <- data.frame(original = pool$gain, first = vapply(by_pair, function(v) c(v, NA, NA)[1], 1),
                   second = vapply(by_pair, function(v) c(v, NA, NA)[2], 1))
thrice <- stats::complete.cases(sets)
sets <- sets[thrice, ]
runs <- merge(table_in(folder, "runs"), pool[thrice, c("query", "doc")])
runs$rank <- as.integer(runs$rank)

x <- suppressWarnings(test_collection(runs[runs$rank <= 10, ], k = 10, scale = gain_scale(0:3),
                                      judgments = cbind(pool[thrice, c("query", "doc")], gain = sets$original)))
ids <- judgments_of(x)[c("query", "doc")]
at <- match(id(ids), id(pool[thrice, ]))

check <- function(from, to) {
  ranking_by <- function(set, ...) rank_systems(x, judgments = cbind(ids, gain = sets[[set]][at]), ...)
  stated <- system_differences(ranking_by(from, assessor = "another"))
  true <- system_differences(ranking_by(to))$difference
  right <- (1 + sign(stated$difference) * sign(true)) / 2
  high <- stated$confidence >= 0.95
  data.frame(from = from, to = to, stated = mean(stated$confidence), right = mean(right), pairs_95 = mean(high),
             stated_95 = mean(stated$confidence[high]), right_95 = mean(right[high]),
             z2 = mean(((stated$difference - true) / stated$sd)^2))
}

of <- names(sets)
show(paste(nrow(ids), "pairs with three judgments: confidence that another assessor agrees"),
     do.call(rbind, Map(check, of[c(1, 1, 2, 2, 3, 3)], of[c(2, 3, 1, 3, 1, 2)])))
