# What the errors of assessors have in common, and whether intervals cover the judgments of others, in three families of
# data with several assessments of the same documents: TREC Deep Learning 2019 (the original assessors and two more),
# WMT 2023 (three raters of each translation), and crowd-rag-2025 (two halves of the votes on each pair of answers).
# The first table is the basis of `query` and `scale` in the prior (R/collection-assessors.R).
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-assessors-families.R
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")
source("bench/trust-methods.R")

id <- function(table) paste(table$query, table$doc)
folder_of <- function(name) file.path(Sys.getenv("JUDICIOUS_DATA"), name)

# A collection of the pairs that every assessment has, and the gains from 0 to 1 by assessment: pairs by assessments.
family_of <- function(runs, teams, sets, k, scale) {
  shared <- Reduce(intersect, lapply(sets, id))
  runs <- runs[id(runs) %in% shared, ]
  first <- sets[[1]][id(sets[[1]]) %in% id(runs), c("query", "doc", "gain")]
  x <- suppressWarnings(test_collection(runs, systems = teams[teams$system %in% runs$system, c("system", "team")],
                                        judgments = first, k = k, scale = gain_scale(scale)))
  pool <- judgments_of(x)
  list(x = x, pool = pool[c("query", "doc")], span = diff(range(scale)),
       gain = vapply(sets, function(set) set$gain[match(id(pool), id(set))], numeric(nrow(pool))))
}

with_gain <- function(table) transform(table, gain = as.numeric(gain))

# Splits the judgments of each pair among as many sets as there are judgments per pair, so that every set has one
# judgment of each pair.
in_turns <- function(table, times) {
  table <- table[order(id(table), table$assessor), ]
  turn <- stats::ave(table$gain, id(table), FUN = seq_along)
  lapply(seq_len(times), function(i) table[turn == i, ])
}

dl <- function() {
  folder <- folder_of("trec-dl-2019")
  runs <- transform(table_in(folder, "runs"), rank = as.integer(rank))
  more <- with_gain(table_in(folder, "second-assessors"))
  more <- more[id(more) %in% id(more)[duplicated(id(more))], ]
  family_of(runs[runs$rank <= 10, ], table_in(folder, "teams"),
            c(list(with_gain(table_in(folder, "judgments"))), in_turns(more, 2)), 10, 0:3)
}

wmt <- function() {
  folder <- folder_of("wmt-2023-sxs-ende")
  family_of(transform(table_in(folder, "runs"), rank = 1L), table_in(folder, "teams"),
            in_turns(with_gain(table_in(folder, "assessors")), 3), 1, 0:25)
}

crowd <- function() {
  folder <- folder_of("crowd-rag-2025")
  votes <- table_in(folder, "votes")
  votes <- votes[votes$dimension == "quality_overall", ]
  set.seed(1)
  half <- stats::ave(stats::runif(nrow(votes)), paste(votes$query, votes$doc_a, votes$doc_b), FUN = rank) <= 2
  sets <- lapply(list(votes[half, ], votes[!half, ]), function(some) {
    for_a <- c(a = 1, n = 0.5, b = 0)[some$vote]
    both <- data.frame(query = rep(some$query, 2), doc = c(some$doc_a, some$doc_b), gain = c(for_a, 1 - for_a))
    transform(stats::aggregate(gain ~ query + doc, both, mean), gain = round(5 * gain))
  })
  family_of(transform(table_in(folder, "runs"), rank = 1L), table_in(folder, "teams"), sets, 1, 0:5)
}

pairs_of <- function(n) utils::combn(n, 2)
differences <- function(v) {
  two <- pairs_of(length(v))
  v[two[1, ]] - v[two[2, ]]
}

# Variance components of half the difference of two assessments: of single pairs, common to a query, and of the factor
# of differences between systems. The last one is estimated from squared differences of systems that the first two
# components and leniency do not explain.
components <- function(of) {
  weight <- weights_of(of$x)
  gain <- of$gain / of$span
  one <- apply(pairs_of(ncol(gain)), 2, function(two) {
    d <- gain[, two[1]] - gain[, two[2]]
    squares <- stats::anova(stats::lm(d ~ factor(of$pool$query)))[["Mean Sq"]]
    common <- max(0, (squares[1] - squares[2]) / (length(d) / length(unique(of$pool$query))))
    covariance <- squares[2] * crossprod(weight) + common * crossprod(rowsum(weight, of$pool$query)) +
      2 * 0.025 * tcrossprod(colSums(weight))
    two <- pairs_of(ncol(weight))
    explained <- diag(covariance)[two[1, ]] + diag(covariance)[two[2, ]] - 2 * covariance[t(two)]
    mean <- differences(as.vector(crossprod(weight, rowMeans(gain))))
    c(pair = squares[2] / 2, query = common / 2,
      left = sum(differences(as.vector(crossprod(weight, d)))^2 - explained), size = 2 * sum(mean^2))
  })
  sums <- rowSums(one)
  data.frame(pair = mean(one["pair", ]), query = mean(one["query", ]), share = sums[["query"]] /
               (sums[["query"]] + sums[["pair"]]), scale = max(0, sums[["left"]] / sums[["size"]]))
}

# Rankings by one assessment against another one, or against the mean of the others.
coverage_of <- function(of, assessor, share) {
  set.seed(1)
  weight <- weights_of(of$x)
  effectiveness <- crossprod(weight, of$gain)
  rows <- lapply(seq_len(ncol(of$gain)), function(from) {
    judged <- data.frame(of$pool, gain = of$gain[, from], assessor = "one")
    judged <- judged[sample(nrow(judged), share * nrow(judged)), ]
    ranking <- rank_systems(of$x, judgments = judged, assessor = assessor)
    others <- setdiff(seq_len(ncol(of$gain)), from)
    targets <- if (assessor == "consensus") list(others) else as.list(others)
    do.call(rbind, lapply(targets, function(to) {
      true <- differences(rowMeans(effectiveness[, to, drop = FALSE]))
      stated <- judicious:::compare_pairs(ranking)
      sd <- sqrt(stated$variance)
      z <- ((stated$difference - true) / sd)[sd > 1e-9]
      data.frame(stated = mean(stated$confidence), right = mean((1 + sign(stated$difference) * sign(true)) / 2),
                 z2 = mean(z^2), coverage = mean(abs(z) < stats::qnorm(0.975)))
    }))
  })
  data.frame(assessor, share, t(colMeans(do.call(rbind, rows))))
}

families <- list("trec-dl-2019" = dl(), "wmt-2023" = wmt(), "crowd-rag" = crowd())
found <- do.call(rbind, lapply(families, components))
show("variances of errors by family", data.frame(family = rownames(found), found))
without <- lapply(c("none", names(families)), function(out) {
  data.frame(left_out = out, t(colMeans(found[rownames(found) != out, ])))
})
show("the mean of the families, and that without each", do.call(rbind, without))
for (name in names(families)) {
  cases <- expand.grid(share = c(1, 0.5, 0.2), assessor = c("another", "consensus", "these"), stringsAsFactors = FALSE)
  if (ncol(families[[name]]$gain) < 3) cases <- cases[cases$assessor != "consensus", ]
  show(paste("one assessment against others,", name),
       do.call(rbind, Map(function(assessor, share) coverage_of(families[[name]], assessor, share), cases$assessor,
                          cases$share)))
}
