# Do the statements of judicious hold? Judging sessions on small parts of the collections of JUDICIOUS_DATA, with the
# built-in prior and nothing learned from them: every statement made when a session stops, or at fixed numbers of
# judgments, is compared with the full judgments.
#
#   JUDICIOUS_DATA=<folder> Rscript bench/statements.R store=<folder> [collections=a,b] [kinds=a,b] [seeds=1,2]
#     [most=300] [minutes=Inf] [replicates=20] [out=file.csv]
#
# A part has a third of the systems (of 24 or more) or half of them (of 12 or more), and half of the queries (with even
# seeds, a third), at most 40; every session has a part of its own. The results of a session are kept in the store, so
# that a study that was interrupted, or stopped after some `minutes` of processor time, continues where it ended. The
# script then prints the share of statements that held and ends with status 1 if one held less often than stated, by
# more than two standard errors of the mean over collections. The column `notices` is the share below which a kind of
# statement fails this test; with few statements it is low, and the test has little power.
#
# Sessions of the kind "early" are on small parts (at most 8, 15 or 25 queries), with a prior learned without the
# collection's family. They end after 25 judgments. They show whether the goals reached first are reached too early, and
# how many statements would be made, and hold, if no goal could be reached before 10, 15, 20 or 25 judgments.
#
# kinds: what a session selects for; its statements are compared after 10 to 300 judgments and when a goal is reached,
# at about two seconds a session. "path", the confidence after each of the first 40 judgments; "plan", judging plans
# from 0, 40 and 100 judgments with `replicates` simulated sessions each, half a minute. The rankings are stored
# as well, for bench/rank-sets.R.
suppressMessages(library(judicious))
source("bench/common.R")
source("bench/trust-data.R")
source("data-raw/gain_prior.R")

# For each kind of session: the goal for which documents are selected, which is rarely reached, and the goals at whose
# stops statements are checked. The goal affects which documents are selected, but must not affect whether statements
# hold.
goals_of <- list(
  "mean" = function(x) list(goal_mean(0.999), "mean .90" = goal_mean(0.9), "mean .95" = goal_mean(0.95)),
  "top 1" = function(x) list(goal_top(1, 0.999), "top 1" = goal_top(1, 0.95)),
  "top 3" = function(x) list(goal_top(3, 0.999), "top 3" = goal_top(3, 0.95)),
  "top 5" = function(x) list(goal_top(5, 0.999), "top 5" = goal_top(5, 0.95)),
  "all pairs" = function(x) list(goal_all_pairs(0.999, equal = 0.04 * x$scoring$span),
                                 "all pairs" = goal_all_pairs(0.95, equal = 0.04 * x$scoring$span)),
  "early" = function(x) list(goal_mean(0.999), "early .80" = goal_mean(0.8), "early .85" = goal_mean(0.85),
                             "early .90" = goal_mean(0.9))
)
early_end <- 25
# Numbers of judgments after which statements are compared, and plans are made.
checkpoints <- c(10, 20, 40, 60, 100, 150, 200, 300)
plan_starts <- c(0, 40, 100)

part_of <- function(case, seed, most_queries = 40) {
  set.seed(seed)
  x <- case$x
  systems <- x$systems$system
  n <- length(systems)
  systems <- sample(systems, ceiling(n / if (n >= 24) 3 else if (n >= 12) 2 else 1))
  queries <- sample(x$queries$query, min(most_queries, ceiling(nrow(x$queries) / if (seed %% 2 == 0) 3 else 2)))
  runs <- as.data.frame(x)
  runs <- runs[runs$system %in% systems & runs$query %in% queries, setdiff(names(runs), "gain")]
  # Judged queries that no run answers would count in the true means.
  truth <- case$truth[case$truth$query %in% queries, ]
  suppressWarnings(test_collection(runs, x$documents, x$systems[x$systems$system %in% systems, ], judgments = truth,
                                   k = x$k, scale = x$scale))
}

# The statements of a ranking, and whether they hold. True differences below `tied` are ties, for which either order is
# right.
statements_of <- function(ranking, truth) {
  tied <- 1e-9 * max(abs(truth))
  m <- length(truth)
  pairs <- system_differences(ranking)
  apart <- truth[pairs$system_a] - truth[pairs$system_b]
  right <- ifelse(abs(apart) <= tied, 0.5, sign(apart) == sign(pairs$difference))
  certain <- pairs$confidence >= 0.95 & pairs$sd > 0
  true_rank <- vapply(truth, function(v) 1 + sum(truth > v + tied), 1)
  sets <- as.data.frame(ranking)
  rank <- true_rank[sets$system]
  best <- rank_probabilities(ranking)
  max_t <- max_t_sets(ranking)
  list(
    stated = mean(pairs$confidence), right = mean(right),
    certain = sum(certain), certain_right = sum(right[certain]),
    covered = all(rank >= sets$rank_lower & rank <= sets$rank_upper),
    width = mean(sets$rank_upper - sets$rank_lower + 1),
    max_t_covered = all(true_rank >= max_t$lower & true_rank <= max_t$upper),
    max_t_width = mean(max_t$upper - max_t$lower + 1),
    ends = ends_hold(ranking, truth, tied),
    best = best$best, is_best = unname(true_rank[best$system] == 1),
    top = top_statements(ranking, true_rank), sd = mean(pairs$sd), systems = m
  )
}

# Whether the first systems are really above the last ones, if the ranking states this; NULL if it does not.
ends_hold <- function(ranking, truth, tied) {
  order <- as.data.frame(ranking)$system
  drawn <- judicious:::score_draws(ranking, freedom = judicious:::rank_set_freedom)
  scores <- drawn[match(order, names(ranking$mean)), , drop = FALSE]
  ends <- judicious:::separated_ends(scores, ranking$level)
  if (prod(ends) == 0) return(NULL)
  min(truth[utils::head(order, ends[1])]) >= max(truth[utils::tail(order, ends[2])]) - tied
}

# Draws of the scores from the stored parts of a ranking, as the package draws them.
draws_of <- function(ranking, draws = judicious:::rank_draws, seed = judicious:::rank_seed) {
  m <- length(ranking$mean)
  same <- ranking$difference_variance == 0 & abs(outer(ranking$mean, ranking$mean, `-`)) <= ranking$resolution
  first <- max.col(same | diag(TRUE, m), ties.method = "first")
  own <- unique(first)
  covariance <- ranking$covariance[own, own, drop = FALSE]
  drawn <- judicious:::draw_normal_scores_cpp(ranking$mean[own], covariance, draws, seed)
  drawn[match(first, own), , drop = FALSE]
}

# Whether the set that contains the best system with the probability `level` does contain it; NULL if nothing is
# uncertain.
best_set_holds <- function(part) {
  if (sum(part$ranking$difference_variance) == 0) return(NULL)
  set <- judicious:::best_set(draws_of(part$ranking), part$ranking$resolution, part$ranking$level)
  max(part$truth[set]) >= max(part$truth) - 1e-9 * max(abs(part$truth))
}

# For several sizes of the top set, the stated probability of the set that a ranking names, and whether it is right.
top_statements <- function(ranking, true_rank) {
  k <- c(1, 3, 5)[c(1, 3, 5) < length(ranking$mean)]
  systems <- as.data.frame(ranking)$system
  data.frame(k, stated = vapply(k, function(of) goal_top(of, 0.95)$progress(ranking)$value, 1),
             right = vapply(k, function(of) max(true_rank[systems[seq_len(of)]]) <= of, NA))
}

# The rank sets of Mogstad, Romano, Shaikh and Wilhelm (2024): simultaneous intervals of all differences by the largest
# of their t statistics, here over normal draws.
max_t_sets <- function(ranking, draws = 1000) {
  m <- length(ranking$mean)
  root <- eigen(as.matrix(ranking$covariance), symmetric = TRUE)
  set.seed(1)
  z <- root$vectors %*% (sqrt(pmax(root$values, 0)) * matrix(stats::rnorm(m * draws), m))
  pair <- which(upper.tri(diag(m)), arr.ind = TRUE)
  sd <- sqrt(ranking$difference_variance[pair])
  open <- sd > 1e-9 * max(abs(ranking$mean))
  t <- abs(z[pair[open, 1], , drop = FALSE] - z[pair[open, 2], , drop = FALSE]) / sd[open]
  limit <- if (any(open)) stats::quantile(apply(t, 2, max), 0.95, names = FALSE) else 0
  margin <- matrix(0, m, m)
  margin[pair] <- limit * sd
  margin <- margin + t(margin)
  above <- outer(unname(ranking$mean), unname(ranking$mean), `-`) > margin + 1e-12
  list(lower = 1 + colSums(above), upper = m - rowSums(above))
}

true_means <- function(x) rank_systems(x)$mean

# Whether the statement of a goal is right: for a mean confidence and for all pairs, the share of pairs in the right
# order; for a top set, whether the set is right.
goal_is_right <- function(name, ranking, truth, x = NULL) {
  tied <- 1e-9 * max(abs(truth))
  pairs <- system_differences(ranking)
  apart <- truth[pairs$system_a] - truth[pairs$system_b]
  right <- ifelse(abs(apart) <= tied, 0.5, sign(apart) == sign(pairs$difference))
  if (startsWith(name, "mean") || startsWith(name, "early")) return(mean(right))
  if (name == "all pairs") return(mean(right >= 0.5 | abs(apart) < 0.04 * x$scoring$span))
  k <- as.integer(sub("top ", "", name))
  top <- as.data.frame(ranking)$system[seq_len(k)]
  as.numeric(min(truth[top]) >= max(truth[setdiff(names(truth), top)]) - tied)
}

# The statements of a session at the checkpoints and at the stop of each of its goals.
run_statements <- function(kind, x, seed, most, past = NULL) {
  goals <- goals_of[[kind]](x)
  s <- judging_session(x, past = past, goal = goals[[1]] | goal_budget(most), judgments = FALSE, seed = seed)
  judged <- judgments_of(x)
  truth <- true_means(x)
  open <- goals[-1]
  parts <- list()
  course <- NULL
  for (made in seq_len(most)) {
    if (!judge_next(s, judged)) break
    if (!is_looked_at(made)) next
    ranking <- rank_systems(s)
    if (kind == "early") course <- rbind(course, early_step(made, goals[[1]]$progress(ranking)$value, ranking, truth))
    reached <- vapply(open, function(goal) goal$progress(ranking)$reached, NA)
    at <- c(if (made %in% checkpoints) "checkpoint", names(open)[reached])
    open <- open[!reached]
    if (length(at)) parts <- c(parts, list(part_at(at, made, ranking, truth, x)))
  }
  structure(parts, course = course)
}

early_step <- function(judged, value, ranking, truth) {
  data.frame(judged, value, stated = ranking_confidence(ranking), right = goal_is_right("early", ranking, truth))
}

report_early <- function(courses, families, least = c(10, 15, 20, 25)) {
  by_least <- function(goal, courses) do.call(rbind, lapply(least, function(n) early_stops(courses, goal, n)))
  show("Early sessions: stops if no goal is reached before the least number of judgments",
       do.call(rbind, lapply(c(0.8, 0.85, 0.9), by_least, courses)))
  # The minimum number of judgments for which the other families have the smallest excess, and the stops of the left-out
  # family with this number.
  left_out <- lapply(unique(families), function(family) {
    others <- by_least(0.9, courses[families != family])
    data.frame(family, early_stops(courses[families == family], 0.9, others$least[which.min(others$excess)]))
  })
  show("At .90, with the number that is best for the other families", do.call(rbind, left_out))
}

# The stops of early sessions at a mean confidence of `goal`, if it counts from the judgment number `least` on.
early_stops <- function(courses, goal, least) {
  stops <- do.call(rbind, lapply(courses, function(course) {
    course[which(course$value >= goal & course$judged >= least)[1], ]
  }))
  stops <- stops[!is.na(stops$judged), ]
  excess <- stops$stated - stops$right
  data.frame(goal, least, stops = nrow(stops), judged = mean(stops$judged), stated = mean(stops$stated),
             right = mean(stops$right), excess = mean(excess), se = stats::sd(excess) / sqrt(nrow(stops)))
}

# Checking every ranking would take too long.
is_looked_at <- function(made) made >= 10 && (made <= 40 || made %% 3 == 0 || made %in% checkpoints)

# Judges the next document by the truth; FALSE if nothing is left.
judge_next <- function(s, truth) {
  at <- tryCatch(next_documents(s), judicious_error = function(e) NULL)
  if (!length(at$doc)) return(FALSE)
  judge(s, at$query, at$doc, truth$gain[truth$query == at$query & truth$doc == at$doc])
  TRUE
}

part_at <- function(at, judged, ranking, truth, x) {
  of <- setdiff(at, "checkpoint")
  kept <- ranking[c("mean", "covariance", "difference_variance", "level")]
  kept$resolution <- judicious:::gain_resolution(x)
  list(at = at, judged = judged, goal_right = vapply(of, goal_is_right, 0, ranking, truth, x),
       statements = statements_of(ranking, truth), ranking = kept, truth = truth)
}

# The confidence after each judgment, and whether the parameters were estimated with this judgment.
run_path <- function(x, seed, count = 40) {
  s <- judging_session(x, goal = goal_budget(count), judgments = FALSE, seed = seed)
  truth <- judgments_of(x)
  stated <- ranking_confidence(rank_systems(s))
  estimated <- NA
  for (i in seq_len(min(count, nrow(truth)))) {
    at <- next_documents(s)
    judge(s, at$query, at$doc, truth$gain[truth$query == at$query & truth$doc == at$doc])
    stated <- c(stated, ranking_confidence(rank_systems(s)))
    estimated <- c(estimated, s$engine$fitted == i)
  }
  list(list(stated = stated, estimated = estimated))
}

# A plan for a mean confidence of .90 that is made after some judgments, and the number of judgments that the session
# then needs. Sessions end after `most` judgments, planned ones after as many further ones. A session that does not
# reach the goal within the judgments that are `left` counts as Inf, which only means that it needs more (see
# claims_of_plan()).
run_plan <- function(x, seed, most, replicates) {
  goal <- goal_mean(0.9)
  s <- judging_session(x, goal = goal | goal_budget(most), cost = judging_cost(20, new_query = 40), judgments = FALSE,
                       seed = seed)
  run_session(s, progress = FALSE)
  order <- judgments_of(s)
  reached <- goal$progress(rank_systems(s))$reached
  lapply(plan_starts[plan_starts < nrow(order)], function(n) {
    known <- if (n > 0) utils::head(order, n)[c("query", "doc", "gain", "audit")] else FALSE
    plan <- judging_plan(x, goal | goal_budget(most), judgments = known, replicates = replicates, seed = seed)
    list(start = n, left = most - n, took = if (reached) nrow(order) - n else Inf,
         span = summary(plan)[1, c("lower", "median", "upper")], needed = plan$needed)
  })
}

run_one <- function(kind, case, seed, given) {
  if (kind == "early") {
    x <- part_of(case, seed, c(15, 8, 25)[seed %% 3 + 1])
    return(run_statements(kind, x, seed, early_end, prior_without(case$family)))
  }
  x <- part_of(case, seed)
  if (kind == "path") return(run_path(x, seed))
  if (startsWith(kind, "top") && as.integer(sub("top ", "", kind)) >= nrow(x$systems)) return(NULL)
  if (kind == "plan") return(run_plan(x, seed, given$most, given$replicates))
  run_statements(kind, x, seed, given$most)
}

# The prior learned from the other families, computed once for each family.
prior_without <- local({
  evidences <- NULL
  priors <- list()
  function(family) {
    if (is.null(evidences)) evidences <<- lapply(unname(suppressMessages(read_cases())), evidence)
    if (is.null(priors[[family]])) {
      others <- Filter(function(of) of$family != family, evidences)
      priors[[family]] <<- judicious:::prior_of_values(as_built_in(learn(others)))
    }
    priors[[family]]
  }
})

run_all <- function(given) {
  dir.create(given$store, FALSE, TRUE)
  cases <- sapply(given$collections, function(name) suppressMessages(read_case(name)), simplify = FALSE)
  begun <- proc.time()[["user.self"]]
  for (seed in given$seeds) for (kind in given$kinds) for (name in given$collections) {
    file <- file.path(given$store, sprintf("%s %s %d.rds", name, kind, seed))
    if (file.exists(file)) next
    if (proc.time()[["user.self"]] - begun > 60 * given$minutes) return(message("Out of time; run again to continue."))
    result <- run_one(kind, cases[[name]], seed, given)
    saveRDS(list(collection = name, kind = kind, seed = seed, parts = result), paste0(file, ".part"))
    file.rename(paste0(file, ".part"), file)
  }
}

read_results <- function(given) {
  results <- lapply(list.files(given$store, "[.]rds$", full.names = TRUE), readRDS)
  Filter(function(r) r$collection %in% given$collections && r$kind %in% given$kinds, results)
}

# One row per statement: its kind, its stated probability, and the share of it that held (0 or 1, or a share of pairs).
# Statements of a kind are weighted by `n`.
claims_of <- function(result) {
  if (result$kind == "path") return(NULL)
  rows <- lapply(result$parts, function(part) {
    if (result$kind == "plan") return(claims_of_plan(part))
    part$statements$in_best_set <- best_set_holds(part)
    # At the stop, these sessions state the reached confidence, which may be higher than the requested one.
    if (result$kind == "early") {
      goals <- setdiff(part$at, "checkpoint")
      return(do.call(rbind, lapply(goals, function(at) claim(paste("goal", at), part$statements$stated,
                                                             part$goal_right[[at]]))))
    }
    do.call(rbind, lapply(part$at, function(at) {
      if (at == "checkpoint") {
        late <- if (part$judged > 60) "after 60 judgments" else "to 60 judgments"
        return(rbind(claims_at(part$statements, late), claims_of_best(part$statements)))
      }
      held <- part$goal_right[[at]]
      rbind(claim(paste("goal", at), stated_by(at), held),
            if (part$judged < 25) claim("goal reached before 25 judgments", stated_by(at), held),
            claims_at(part$statements, "at a goal's stop"))
    }))
  })
  rows <- do.call(rbind, rows)
  if (!is.null(rows)) cbind(collection = result$collection, rows)
}

# Sessions end after `most` judgments, so longer ones are not known. A lower limit can always be tested: a session that
# needs fewer judgments disproves it. An upper limit can be tested only if it is below `most`, because otherwise no
# session could disprove it; only such intervals show whether a session ends within both limits.
claims_of_plan <- function(part) {
  claim_of <- function(what, stated, held) claim(paste0("plan from ", part$start, ": ", what), stated, held)
  above <- part$took >= part$span$lower
  below <- part$took <= part$span$upper
  rbind(claim_of("lower limit", 0.9, above),
        claim_of("goal reached by the end", mean(part$needed$reached & part$needed$judged <= part$left),
                 is.finite(part$took)),
        if (part$span$upper < part$left) {
          rbind(claim_of("known upper limit", 0.9, below),
                claim_of("both limits, upper one known", 0.8, above && below))
        })
}

claim <- function(statement, stated, held, n = 1) {
  if (length(held)) data.frame(statement, stated, held = as.numeric(held), n)
}

# The statements of a ranking with a probability of .95 or more (pairs, top sets, rank sets), and its mean confidence.
claims_at <- function(of, when) {
  certain <- of$top$stated >= 0.95
  rbind(
    claim(paste("rank sets", when), 0.95, of$covered), claim(paste("rank sets by max-t", when), 0.95, of$max_t_covered),
    if (of$certain > 0) claim(paste("pairs stated at .95", when), 0.95, of$certain_right / of$certain, of$certain),
    if (!is.null(of$ends)) claim(paste("first above last systems", when), 0.95, of$ends),
    if (!is.null(of$in_best_set)) claim(paste("best in its set", when), 0.95, of$in_best_set),
    if (any(certain)) claim(paste("top sets stated at .95", when), 0.95, of$top$right[certain]),
    claim(paste("mean confidence", when), of$stated, of$right)
  )
}

claims_of_best <- function(of) {
  by_bin <- function(name, stated, held) {
    bin <- cut(stated, c(-1, 0.05, 0.25, 0.5, 0.75, 0.95, 1))
    do.call(rbind, lapply(split(seq_along(bin), bin), function(i) {
      if (length(i)) claim(paste(name, "in", bin[i[1]]), mean(stated[i]), mean(held[i]), length(i))
    }))
  }
  rbind(by_bin("P(best)", of$best, of$is_best), by_bin("P(top set)", of$top$stated, of$top$right))
}

path_steps <- function(path) {
  data.frame(estimated = path$estimated[-1], change = diff(path$stated),
             judgments = cut(seq_along(path$stated[-1]), c(0, 4, 9, 20, 40)))
}

stated_by <- function(kind) if (kind == "mean .90") 0.9 else 0.95

# The share that held, over collections that count equally, with its standard error: that between the collections, but
# at least that of independent statements, whose variance is pooled over collections. A statement holds or not, or it is
# the confidence in pairs, of which a share is right.
shares_of <- function(claims) {
  do.call(rbind, lapply(split(claims, claims$statement), function(part) {
    by <- split(part, part$collection)
    mean_of <- function(column) vapply(by, function(p) stats::weighted.mean(p[[column]], p$n), 0)
    each <- mean_of("held")
    excess <- mean_of("stated") - each
    stated <- mean(mean_of("stated"))
    held <- mean(each)
    made <- lengths(lapply(by, `[[`, "held"))
    binary <- max(held * (1 - held), stated * (1 - stated))
    within <- sum((part$held - each[part$collection])^2) / max(nrow(part) - length(by), 1)
    is_binary <- all(part$held %in% 0:1)
    independent <- sqrt((if (is_binary) binary else within) * mean(1 / made) / length(by))
    se <- max(independent, if (length(by) > 1) stats::sd(each) / sqrt(length(by)))
    data.frame(statement = part$statement[1], made = nrow(part), collections = length(by), stated, held, se,
               lower = max(0, held - 2 * se), upper = min(1, held + 2 * se),
               notices = if (is_binary) failing_share(asked(part$statement[1], stated), mean(1 / made) / length(by))
                         else asked(part$statement[1], stated) - 2 * se,
               worst = names(by)[which.max(excess)], of_worst = each[which.max(excess)])
  }))
}

# The largest share of independent statements whose distance from `stated` is two standard errors, which are those of
# this share or of the stated one, whichever is larger; `variance` is that of a share relative to that of a statement.
failing_share <- function(stated, variance) {
  a <- 1 + 4 * variance
  b <- stated + 2 * variance
  max(0, min((b - sqrt(pmax(b^2 - a * stated^2, 0))) / a, stated - 2 * sqrt(stated * (1 - stated) * variance)))
}

# The share of statements that must hold: the stated one or, for rank sets, their target. NA for a P(best) of at most a
# quarter, which states that another system is best, and must not hold more often.
asked <- function(statement, stated) {
  share <- ifelse(statement == "rank sets to 60 judgments", 0.90,
                  ifelse(statement == "rank sets after 60 judgments", 0.87, stated))
  ifelse(grepl("^P.best. in .(-1|0[.]05),", statement), NA, share)
}

# A statement fails if it held less often than asked by more than two standard errors. Rank sets by max-t are for
# comparison.
fails <- function(shares) {
  least <- asked(shares$statement, shares$stated)
  wrong <- ifelse(is.na(least), shares$held - 2 * shares$se > shares$stated, shares$held + 2 * shares$se < least)
  wrong & !grepl("max-t", shares$statement)
}

report <- function(results) {
  claims <- do.call(rbind, lapply(results, claims_of))
  shares <- if (length(claims)) shares_of(claims)
  if (length(claims)) {
    shares$fails <- ifelse(fails(shares), "FAILS", "")
    show("Statements: stated and held, means over collections, with the worst collection", shares)
  }
  early <- Filter(function(r) length(attr(r$parts, "course")) > 0, results)
  if (length(early)) report_early(lapply(early, function(r) attr(r$parts, "course")),
                                  collection_families[vapply(early, `[[`, "", "collection")])
  judged <- setdiff(names(goals_of), "early")
  parts <- unlist(lapply(results, function(r) if (r$kind %in% judged) r$parts), recursive = FALSE)
  course <- Filter(function(p) "checkpoint" %in% p$at, parts)
  if (length(course)) {
    of <- function(name) vapply(course, function(p) as.numeric(p$statements[[name]]), 0)
    show("Rank sets by judgments: joint coverage and mean width, beside max-t's",
         stats::aggregate(data.frame(covered = of("covered"), width = of("width"), max_t_covered = of("max_t_covered"),
                                     max_t_width = of("max_t_width"), stated = of("stated"), right = of("right")),
                          list(judged = vapply(course, `[[`, 0, "judged")), mean))
  }
  paths <- do.call(rbind, lapply(results, function(r) if (r$kind == "path") path_steps(r$parts[[1]])))
  if (length(paths)) {
    show("Changes of the confidence by one judgment: means, and shares that fall or rise by more than .05",
         stats::aggregate(cbind(steps, mean, falls, rises) ~ estimated + judgments, within(paths, {
           steps <- 1
           mean <- change
           falls <- change < -0.05
           rises <- change > 0.05
         }), function(v) if (all(v == 1)) length(v) else mean(v)))
  }
  stops <- do.call(rbind, lapply(parts, function(p) {
    at <- setdiff(p$at, "checkpoint")
    if (length(at)) data.frame(goal = at, reached = 1, judged = p$judged)
  }))
  if (length(stops)) {
    show("Goals that were reached, and the mean number of judgments",
         merge(stats::aggregate(reached ~ goal, stops, sum), stats::aggregate(judged ~ goal, stops, mean)))
  }
  shares
}

main <- function(arguments) {
  given <- given_arguments(arguments, list(
    store = "", collections = c(collection_names, names(more_collections)),
    kinds = c(names(goals_of), "path", "plan"), seeds = 1:2, most = 300, minutes = Inf, replicates = 20, out = ""
  ))
  if (!nzchar(given$store)) stop("Name a folder for the results: store=<folder>.")
  run_all(given)
  results <- read_results(given)
  cat(length(results), "sessions\n")
  shares <- report(results)
  if (nzchar(given$out)) {
    figures <- c("stated", "held", "se", "lower", "upper", "notices", "of_worst")
    shares[figures] <- lapply(shares[figures], signif, 4)
    utils::write.csv(cbind(shares, sessions = length(results)), given$out, row.names = FALSE)
  }
  invisible(shares)
}

if (sys.nframe() == 0) {
  shares <- main(commandArgs(TRUE))
  if (any(shares$fails != "")) quit(status = 1)
}
