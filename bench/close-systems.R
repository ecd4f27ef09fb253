# Do judgments worsen the order of systems with similar means? For every collection of JUDICIOUS_DATA that is large
# enough, the 15 systems with the most similar means and two others; and simulated collections of this kind, whose gains
# come from the model. Sessions select documents by the gradient strategy (with audits) or at random; the script
# compares the shares of pairs in the right order at several numbers of judgments. Selection is the cause if only
# selected judgments worsen the order.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/close-systems.R [seeds=1,2,3,4] [budgets=50,100,200,300,400] [out=file.csv]
#     [store=folder] [queries=1]
#
# If `queries` is below 1, each seed uses a different sample of this share of the queries: sessions with the same
# queries select nearly the same documents, so their common result may be an accident of these documents.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")

# The `close` systems that are consecutive in the true order and have the smallest range, together with the best and the
# worst of the other systems.
close_part <- function(case, close = 15) {
  truth <- sort(rank_systems(case$x)$mean, decreasing = TRUE)
  n <- length(truth)
  if (n < close + 2) return(NULL)
  first <- which.min(truth[seq_len(n - close + 1)] - truth[close:n])
  chosen <- seq(first, first + close - 1)
  others <- setdiff(seq_len(n), chosen)
  kept <- names(truth)[c(chosen, range(others))]
  x <- case$x
  runs <- as.data.frame(x)
  runs <- runs[runs$system %in% kept, setdiff(names(runs), "gain")]
  suppressWarnings(test_collection(runs, x$documents, x$systems[x$systems$system %in% kept, ], judgments = case$truth,
                                   k = x$k, scale = x$scale))
}

# The case with a share of the queries.
with_queries <- function(case, share, seed) {
  if (share == 1) return(case)
  set.seed(seed)
  x <- case$x
  queries <- sample(x$queries$query, round(share * nrow(x$queries)))
  runs <- as.data.frame(x)
  runs <- runs[runs$query %in% queries, setdiff(names(runs), "gain")]
  case$x <- suppressWarnings(test_collection(runs, x$documents, x$systems, judgments = case$truth, k = x$k,
                                             scale = x$scale))
  case
}

# Selects 15 of 40 simulated systems in the same way.
simulated_part <- function(seed) {
  x <- simulate_collection(queries = 40, documents = 1500, artists = 150, systems = 40, teams = 12, seed = seed)
  close_part(list(x = x, truth = judgments_of(x)))
}

# The share of the pairs in the right order, and the stated confidence, before judging and at each budget.
orders <- function(x, seed, strategy, audit, budgets) {
  truth <- judgments_of(x)
  goal <- goal_budget(max(budgets))
  s <- judging_session(x, goal = goal, strategy = strategy, audit = audit, judgments = FALSE, seed = seed)
  order <- judgments_of(run_session(s, progress = FALSE))
  vapply(c(0, budgets), function(n) {
    known <- utils::head(order, n)[intersect(c("query", "doc", "gain", "audit"), names(order))]
    ranking <- rank_systems(x, joint_gains(x, gain_prior(), judgments = if (n > 0) known else FALSE))
    c(ranking_accuracy(ranking, truth)[["accuracy"]], ranking_confidence(ranking))
  }, c(right = 0, stated = 0))
}

strategies <- list("selected" = list(strategy_gradient(), 0.1), "selected, no audit" = list(strategy_gradient(), 0),
                   "random" = list(strategy_random(), 0))

main <- function(arguments) {
  given <- given_arguments(arguments, list(seeds = 1:4, budgets = c(50, 100, 200, 300, 400), out = "",
                                           store = tempdir(), queries = 1,
                                           collections = c(collection_names, paste("simulated", 1:4))))
  dir.create(given$store, FALSE, TRUE)
  rows <- do.call(rbind, lapply(given$collections, function(name) {
    simulated <- startsWith(name, "simulated")
    case <- if (!simulated) suppressMessages(read_case(name))
    do.call(rbind, lapply(given$seeds, function(seed) do.call(rbind, lapply(names(strategies), function(way) {
      x <- if (simulated) simulated_part(as.integer(sub("simulated ", "", name))) else
        close_part(with_queries(case, given$queries, seed))
      if (is.null(x)) return(NULL)
      budgets <- given$budgets[given$budgets <= length(x$gain) / 2]
      path <- file.path(given$store, paste0(paste(name, seed, way, given$queries), ".csv"))
      if (!file.exists(path)) {
        values <- orders(x, seed, strategies[[way]][[1]], strategies[[way]][[2]], budgets)
        utils::write.csv(data.frame(collection = name, way, seed, judged = c(0, budgets), t(values)), path,
                         row.names = FALSE)
      }
      utils::read.csv(path)
    }))))
  }))
  if (nzchar(given$out)) utils::write.csv(rows, given$out, row.names = FALSE)
  report(rows)
}

report <- function(rows) {
  means <- stats::aggregate(right ~ collection + way + judged, rows, mean)
  table <- stats::reshape(means, idvar = c("collection", "way"), timevar = "judged", direction = "wide")
  names(table) <- sub("right[.]", "", names(table))
  show("Share of pairs in the right order, means over seeds", table[order(table$collection, table$way), ])
  # The decreases of this share between two budgets that differ by a factor of at least 1.3, in every seed.
  falls <- do.call(rbind, lapply(split(rows, rows[c("collection", "way")], drop = TRUE), function(own) {
    at <- sort(unique(own$judged))
    pairs <- subset(expand.grid(from = at, to = at), from >= 50 & to >= 1.3 * from)
    change <- mapply(function(from, to) {
      both <- merge(own[own$judged == from, c("seed", "right")], own[own$judged == to, c("seed", "right")], by = "seed")
      c(mean(both$right.y - both$right.x), max(both$right.y - both$right.x))
    }, pairs$from, pairs$to)
    data.frame(own[1, c("collection", "way")], pairs, change = change[1, ], largest = change[2, ],
               row.names = NULL)
  }))
  falls <- falls[falls$largest < 0, ]
  if (nrow(falls)) show("Falls in every seed", falls) else cat("\nNo two budgets between which every seed falls.\n")
  last <- merge(rows[rows$judged == 200, ], rows[rows$judged == 400, ], by = c("collection", "way", "seed"))
  if (!nrow(last)) return(invisible(rows))
  last$change <- last$right.y - last$right.x
  show("Changes from 200 to 400 judgments", stats::aggregate(change ~ way, last, function(v) {
    c(mean = mean(v), se = stats::sd(v) / sqrt(length(v)), fell = mean(v < 0), sessions = length(v))
  }))
  invisible(rows)
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
