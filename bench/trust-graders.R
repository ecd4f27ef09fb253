# Do joint gains with a grader perform at least as well as the grader alone? Compares them with its grades alone, with
# its calibrated grades (from 20 judgments), and with joint gains without the grader, after random judgments or the
# first judgments of a session, for real graders and simulated bad ones.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-graders.R [collections=a,b] [graders=a,b] [budgets=0,20] [seeds=2]
#     [mode=random|session] [systems=16] [queries=30] [out=file.csv]
#   JUDICIOUS_DATA=<folder> Rscript bench/trust-graders.R mode=stops [collections=a,b] [confidence=0.9] [least=0,5]
#     [budgets=64] [first=15] [seeds=30] [out=file.csv]
#
# The second form compares sessions whose goals require `least` judged documents of every system with sessions without
# this requirement. Collections without graders get simulated ones. `systems` and `queries` reduce collections to random
# subsets, different ones for each seed.
#
# The prior is the built-in one. The column `least` of the results (unlike the argument) is the share of correctly
# ordered pairs minus the highest share of the other methods, and `coverage` that of the 95% intervals of the systems,
# which share the error of their common level. The script ends with status 1 if the means over collections and seeds
# violate the limits that are checked at the end.
source("bench/trust.R")

# Bad graders derived from a good one: `inverted`, `shuffled`, those that favour systems (see kin_graders()), and
# `circular`, a grader whose own re-rankings are among the systems (see with_circular_systems()).
bad_graders <- function(case, seed = 1) {
  good <- case$graders[[best_grader]]
  set.seed(seed)
  c(list(inverted = transform(good, grade = max(grade) - grade), shuffled = transform(good, grade = sample(grade))),
    kin_graders(case, good))
}

# Graders that raise the grades of most documents of the largest team, of each team, or of one system by one.
kin_graders <- function(case, good) {
  count <- diff(case$x$results$offset)
  favouring <- function(favoured) {
    retrieved <- tapply(favoured[case$x$results$system], rep(seq_along(count), count), any)
    pool <- judgments_of(case$x)
    kin <- paste(good$query, good$doc) %in% paste(pool$query, pool$doc)[retrieved]
    transform(good, grade = pmin(grade + kin * (stats::runif(length(grade)) < 0.7), max(grade)))
  }
  team <- case$x$systems$team
  list(kin = favouring(team == names(which.max(table(team)))),
       "kin of any team" = favouring(team == sample(unique(team), 1)),
       "kin of one system" = favouring(seq_along(team) == sample(length(team), 1)))
}

# Graders of a collection that has none: the gains with errors of as much (`good`) or twice as much standard deviation
# (`weak`), with leniency by query and liking of teams, cut to four levels or two (`binary`); useless ones, and good
# ones that favour systems.
simulated_graders <- function(case, seed) {
  set.seed(seed)
  x <- case$x
  count <- diff(x$results$offset)
  teams <- unique(x$systems$team)
  liking <- stats::rnorm(length(teams), 0, 0.15)[match(x$systems$team[x$results$system], teams)]
  liked <- as.vector(rowsum(liking, rep(seq_along(count), count))) / count
  lenient <- stats::rnorm(nrow(x$queries), 0, 0.3)[x$pool$query]
  grader <- function(noise, cuts) {
    value <- as.vector(scale(x$gain)) + liked + lenient + stats::rnorm(length(count), 0, noise)
    data.frame(judgments_of(x)[c("query", "doc")], grade = findInterval(value, stats::quantile(value, cuts)))
  }
  good <- grader(1, c(0.5, 0.75, 0.9))
  c(list(good = good, weak = grader(2, c(0.5, 0.75, 0.9)), binary = grader(1, 0.7),
         shuffled = transform(good, grade = sample(grade)), inverted = transform(good, grade = max(grade) - grade)),
    kin_graders(case, good))
}

# The case with some of its systems and queries.
thinned_case <- function(case, systems, queries, seed) {
  set.seed(seed)
  some <- function(of, n) if (n > 0) sample(of, min(n, length(of))) else of
  runs <- as.data.frame(case$x)
  runs <- runs[runs$system %in% some(case$x$systems$system, systems) &
                 runs$query %in% some(case$x$queries$query, queries), ]
  if (all(runs$rank == runs$rank[1])) runs$rank <- NULL
  id <- function(table) paste(table$query, table$doc)
  case$truth <- case$truth[id(case$truth) %in% id(runs) & !is.na(case$truth$gain), ]
  runs <- runs[id(runs) %in% id(case$truth), ]
  kept <- case$x$systems[case$x$systems$system %in% runs$system, intersect(c("system", "team"), names(case$x$systems))]
  columns <- intersect(c("system", "query", "doc", "rank"), names(runs))
  case$x <- suppressWarnings(test_collection(runs[columns], systems = kept, judgments = case$truth, k = case$x$k,
                                             scale = case$x$scale))
  case$truth_of_pool <- judgments_of(case$x)[c("query", "doc")]
  case
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

# The judgments in the order of a session that has the grades.
session_order <- function(case, grades, budget, seed) {
  session <- judging_session(case$x, goal = goal_budget(budget), grades = grades, seed = seed, judgments = FALSE)
  run_session(session, case$truth, progress = FALSE)
  judgments_of(session)[c("query", "doc", "gain", "audit")]
}

run_grader <- function(case, grades, budgets, seed, mode) {
  x <- case$x
  truth <- colSums(weights_of(x) * x$gain)
  one <- if (is.data.frame(grades)) grades
  case$graders <- list(tried = one)
  random <- judgments_of(x)[random_order(case, seed), c("query", "doc", "gain")]
  order <- if (mode == "random") random else session_order(case, grades, max(budgets), seed)
  plain <- if (mode == "random") random else session_order(case, NULL, max(budgets), seed)
  alone <- if (!is.null(one)) score(grader_alone("tried")(case, NULL, 0, seed)[[1]], truth)$right else NA
  rows <- lapply(budgets, function(budget) {
    rank <- function(grades, order) {
      score(estimate_of(rank_systems(x, judgments = utils::head(order, budget), grades = grades)), truth)
    }
    calibrated <- if (!is.null(one) && budget >= 20) {
      score(plug_in_method("tried")(case, NULL, budget, seed)[[1]], truth)$right
    } else NA
    data.frame(seed, budget, rank(grades, order)[c("right", "stated", "z2", "coverage")], alone = alone,
               calibrated = calibrated, without = rank(NULL, plain)$right)
  })
  rows <- do.call(rbind, rows)
  transform(rows, least = right - pmax(alone, calibrated, without, na.rm = TRUE))
}

# The violated limits: at every budget, the share of pairs in the right order must be at least that of the best other
# method less .005 (for bad graders, that without grader); for good graders, the stated confidence must differ from it
# by at most .04, and z2 must be from .5 to 1.7; and more judgments must never lower it by more than .005.
beyond_limits <- function(results) {
  mean_of <- function(v) stats::aggregate(results[v], results[c("budget", "grader")], mean, na.rm = TRUE)
  bad <- grepl("^kin|^inverted$|^circular$|shuffled$", results$grader)
  results$least[bad] <- (results$right - results$without)[bad]
  of <- mean_of(c("right", "stated", "z2", "least"))
  good <- of$grader %in% c(best_grader, "gpt4o-binary", "all three", "good")
  falls <- stats::ave(of$right, of$grader, FUN = cummax) - of$right
  beyond <- list("right less that of the best other" = of$least < -0.005,
                 "stated less right" = good & abs(of$stated - of$right) > 0.04,
                 "z2" = good & (of$z2 < 0.5 | of$z2 > 1.7), "more judgments lower the order" = falls > 0.005)
  do.call(rbind, Map(function(limit, at) if (any(at)) data.frame(limit, of[at, ], falls = falls[at]),
                     names(beyond), beyond))
}

# The votes of a language model between the answers of crowd-rag-2025 as grades: of its votes on an answer, the share
# that the answer won less the share that it lost.
grades_of_votes <- function(root = Sys.getenv("JUDICIOUS_DATA")) {
  votes <- utils::read.delim(file.path(root, "crowd-rag-2025", "votes-llm.tsv.gz"))
  votes <- votes[votes$dimension == "quality_overall", ]
  of_answers <- function(own, other) {
    data.frame(query = votes$query, doc = votes[[paste0("doc_", own)]],
               grade = (votes$vote == own) - (votes$vote == other))
  }
  stats::aggregate(grade ~ query + doc, rbind(of_answers("a", "b"), of_answers("b", "a")), mean)
}

# The same votes as strengths, by answer, of a Bradley-Terry model of the answers to a query, in which each answer also
# has won and lost half a vote against an answer of strength 1. Votes that are neither count half for both.
strengths_of_votes <- function(root = Sys.getenv("JUDICIOUS_DATA")) {
  votes <- utils::read.delim(file.path(root, "crowd-rag-2025", "votes-llm.tsv.gz"))
  votes <- votes[votes$dimension == "quality_overall", ]
  do.call(rbind, lapply(split(votes, votes$query), function(own) {
    docs <- unique(c(own$doc_a, own$doc_b))
    won <- ifelse(own$vote == "a", 1, ifelse(own$vote == "b", 0, 0.5))
    a <- factor(own$doc_a, docs)
    b <- factor(own$doc_b, docs)
    wins <- unclass(stats::xtabs(won ~ a + b)) + unclass(stats::xtabs((1 - won) ~ b + a))
    strength <- rep(1, length(docs))
    for (round in 1:100) {
      met <- (wins + t(wins)) / outer(strength, strength, `+`)
      strength <- (rowSums(wins) + 0.5) / (rowSums(met) + 1 / (strength + 1))
    }
    data.frame(query = own$query[1], doc = docs, grade = log(strength))
  }))
}

# Sessions until `goal` or the budget, with the number of judged documents of every system that goals wait for.
run_stops <- function(case, grades, goal, budget, seed, least) {
  utils::assignInNamespace("min_judged_of_system", least, "judicious")
  session <- judging_session(case$x, goal | goal_budget(budget), grades = grades, seed = seed, judgments = FALSE)
  run_session(session, case$truth, progress = FALSE)
  state <- progress(session, expect = FALSE)
  found <- score(estimate_of(rank_systems(session)), colSums(weights_of(case$x) * case$x$gain))
  data.frame(least, seed, met = state$goal$met, judged = state$judged, stated = state$confidence,
             found[c("right", "z2")])
}

main_stops <- function(given) {
  rows <- do.call(rbind, lapply(given$collections, function(name) {
    case <- read_case(name)
    tried <- if (name == "crowd-rag-2025") list(strengths = strengths_of_votes()) else case$graders
    runs <- expand.grid(seed = given$first + seq_len(given$seeds) - 1, least = given$least, grader = names(tried),
                        stringsAsFactors = FALSE)
    goal <- goal_mean(given$confidence)
    stops <- Map(function(grader, seed, least) {
      run_stops(case, tried[[grader]], goal, max(given$budgets), seed, least)
    }, runs$grader, runs$seed, runs$least)
    data.frame(collection = name, grader = runs$grader, do.call(rbind, stops))
  }))
  if (nzchar(given$out)) utils::write.csv(rows, given$out, row.names = FALSE)
  met <- rows[rows$met, ]
  if (nrow(met)) {
    show("Goals that are met",
         stats::aggregate(cbind(judged, stated, right, z2) ~ least + grader + collection, met, mean))
  }
  show("Sessions, and the share that meets the goal", stats::aggregate(met ~ least + grader + collection, rows, mean))
}

graders_of <- function(case, seed) {
  tried <- case$graders
  if (!length(tried)) tried <- simulated_graders(case, seed)
  if (case$name == "crowd-rag-2025") {
    votes <- grades_of_votes()
    tried <- c(tried, list(votes = votes, "votes shuffled" = transform(votes, grade = sample(grade))))
  }
  if (best_grader %in% names(tried)) tried <- c(tried, list("all three" = tried[graders]), bad_graders(case, seed))
  if ("llama32-3b-binary" %in% names(tried)) tried$circular <- tried[["llama32-3b-binary"]]
  tried
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(collections = c("trec-dl-2019", "trec-dl-2020", "wmt-2023-sxs-ende"),
                                           graders = character(), budgets = c(0, 20, 50, 100, 300), seeds = 2,
                                           mode = "random", systems = 0, queries = 0, out = "", confidence = 0.9,
                                           least = c(0, 5), first = 15))
  if (given$mode == "stops") main_stops(given) else main_graders(given)
}

main_graders <- function(given) {
  results <- list()
  for (name in given$collections) {
    whole <- read_case(name)
    for (seed in seq_len(given$seeds)) {
      case <- thinned_case(whole, given$systems, given$queries, seed)
      tried <- graders_of(case, seed)
      if (length(given$graders)) tried <- tried[intersect(names(tried), given$graders)]
      for (grader in names(tried)) {
        of <- if (grader == "circular") with_circular_systems(case, "llama32-3b-binary", seed) else case
        rows <- run_grader(of, tried[[grader]], given$budgets, seed, given$mode)
        results <- c(results, list(data.frame(collection = name, grader = grader, rows)))
      }
    }
  }
  results <- do.call(rbind, results)
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  means <- stats::aggregate(results[c("right", "stated", "z2", "coverage", "alone", "calibrated", "without", "least")],
                            results[c("budget", "grader", "collection")], mean, na.action = stats::na.pass)
  show("Joint gains with a grader", means[c("collection", "grader", setdiff(names(means), c("collection", "grader")))])
  beyond <- beyond_limits(results)
  if (is.null(beyond)) return(message("All limits hold."))
  show("Beyond the limits, as means over collections and seeds", beyond)
  quit(status = 1)
}

if (sys.nframe() == 0) main(commandArgs(TRUE))
