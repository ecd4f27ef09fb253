# Is a grader worth at least itself? Compares joint gains with a grader to its grades alone, to the calibrated grades
# (from 20 judgments), and to joint gains without the grader, after random judgments, with real graders and with
# simulated bad ones.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-graders.R [collections=a,b] [graders=a,b] [budgets=0,20] [seeds=2]
#     [out=file.csv]
#
# The prior is the built-in one. `least` is the share of correctly ordered pairs less the highest of the others.
source("bench/trust.R")

# Bad graders made of a good one: `inverted`, `shuffled`, of `kin` (one grade more for most documents of one team), and
# `circular`, a grader whose own re-rankings are among the systems (see with_circular_systems()).
bad_graders <- function(case, seed = 1) {
  good <- case$graders[[best_grader]]
  set.seed(seed)
  largest <- names(which.max(table(case$x$systems$team)))
  of_team <- case$x$systems$team[case$x$results$system] == largest
  count <- diff(case$x$results$offset)
  retrieved <- tapply(of_team, rep(seq_along(count), count), any)
  pool <- judgments_of(case$x)
  kin <- paste(good$query, good$doc) %in% paste(pool$query, pool$doc)[retrieved]
  list(inverted = transform(good, grade = max(grade) - grade), shuffled = transform(good, grade = sample(grade)),
       kin = transform(good, grade = pmin(grade + kin * (stats::runif(length(grade)) < 0.7), max(grade))))
}

# The case with five more systems, each of which re-ranks the documents of four others by the grades.
with_circular_systems <- function(case, grader, seed = 1) {
  set.seed(seed)
  x <- case$x
  count <- diff(x$results$offset)
  runs <- data.frame(system = x$systems$system[x$results$system], case$truth_of_pool[rep(seq_along(count), count), ])
  grade <- grades_of(case, grader)[rep(seq_along(count), count)]
  runs$grade <- replace(grade, is.na(grade), 0)
  added <- lapply(seq_len(5), function(i) {
    some <- runs[runs$system %in% sample(x$systems$system, 4), ]
    some <- some[!duplicated(some[c("query", "doc")]), ]
    some <- some[order(some$query, -some$grade, stats::runif(nrow(some))), ]
    some$rank <- stats::ave(some$grade, some$query, FUN = seq_along)
    data.frame(system = paste0("reranked", i), some[some$rank <= x$k, c("query", "doc", "rank")])
  })
  runs <- rbind(data.frame(runs[c("system", "query", "doc")], rank = x$results$rank), do.call(rbind, added))
  teams <- rbind(x$systems[c("system", "team")],
                 data.frame(system = paste0("reranked", 1:5), team = "reranked"))
  case$x <- suppressWarnings(test_collection(runs, systems = teams, judgments = case$truth, k = x$k, scale = x$scale))
  case
}

run_grader <- function(case, grades, budgets, seeds) {
  x <- case$x
  truth <- colSums(weights_of(x) * x$gain)
  one <- if (is.data.frame(grades)) grades
  case$graders <- list(tried = one)
  rows <- lapply(seq_len(seeds), function(seed) {
    order <- judgments_of(x)[random_order(case, seed), c("query", "doc", "gain")]
    alone <- if (!is.null(one)) score(grader_alone("tried")(case, NULL, 0, seed)[[1]], truth)$right else NA
    by_budget <- lapply(budgets, function(budget) {
      rank <- function(grades) {
        score(estimate_of(rank_systems(x, judgments = utils::head(order, budget), grades = grades)), truth)
      }
      calibrated <- if (!is.null(one) && budget >= 20) {
        score(plug_in_method("tried")(case, NULL, budget, seed)[[1]], truth)$right
      } else NA
      data.frame(seed = seed, budget = budget, rank(grades)[c("right", "stated", "z2")],
                 alone = alone, calibrated = calibrated, without = rank(NULL)$right)
    })
    do.call(rbind, by_budget)
  })
  rows <- do.call(rbind, rows)
  transform(rows, least = right - pmax(alone, calibrated, without, na.rm = TRUE))
}

main_graders <- function(arguments) {
  given <- given_arguments(arguments, list(collections = c("trec-dl-2019", "trec-dl-2020", "wmt-2023-sxs-ende"),
                                           graders = character(), budgets = c(0, 20, 50, 100, 300), seeds = 2,
                                           out = ""))
  results <- list()
  for (name in given$collections) {
    k <- if (startsWith(name, "wmt")) 1 else 10
    case <- c(read_folder(file.path(Sys.getenv("JUDICIOUS_DATA"), name), k), list(name = name))
    case$truth_of_pool <- judgments_of(case$x)[c("query", "doc")]
    tried <- case$graders
    if (best_grader %in% names(tried)) tried <- c(tried, list("all three" = tried[graders]), bad_graders(case))
    if ("llama32-3b-binary" %in% names(tried)) tried$circular <- tried[["llama32-3b-binary"]]
    if (length(given$graders)) tried <- tried[intersect(names(tried), given$graders)]
    for (grader in names(tried)) {
      of <- if (grader == "circular") with_circular_systems(case, "llama32-3b-binary") else case
      rows <- run_grader(of, tried[[grader]], given$budgets, given$seeds)
      results <- c(results, list(data.frame(collection = name, grader = grader, rows)))
    }
  }
  results <- do.call(rbind, results)
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  means <- stats::aggregate(results[c("right", "stated", "z2", "alone", "calibrated", "without", "least")],
                            results[c("budget", "grader", "collection")], mean, na.action = stats::na.pass)
  show("Joint gains with a grader", means[c("collection", "grader", setdiff(names(means), c("collection", "grader")))])
}

if (sys.nframe() == 0) main_graders(commandArgs(TRUE))
