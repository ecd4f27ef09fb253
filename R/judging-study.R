#' Compare methods on simulated judging sessions
#'
#' Compares methods of ranking systems on a judged collection: how accurate the rankings are after a given number of
#' judgments, and whether the stated confidence is right. Each method learns from a random half of the queries and
#' judges the other. With a list of collections, each is judged in turn, and the methods learn from the others, as
#' Urbano and Schedl (2013; see [mtc()]) evaluate their models.
#'
#' @param x A [test_collection()], or a list of collections with the same scale.
#' @param truth The gains of the pairs of the pool: a data frame with `query`, `doc` and `gain`, or its path. NULL,
#'   required for a list, uses those of the collection. Pairs without a gain are removed from the results,
#'   with a warning.
#' @param methods A named list of methods by [joint_method()] and [published_method()].
#' @param budgets Numbers of judgments at which to compare the methods.
#' @param replicates Number of random splits; with a list, how many times each collection is judged. NULL: 12, or 1 with
#'   a list.
#' @param split For a single collection. `"queries"`: random halves. `"bootstrap"`: the queries, drawn with
#'   replacement, are judged, and nothing is learned. `"whole"`: all queries are judged, and nothing is learned.
#' @param seed A whole number, from which each replicate derives its own seed; NULL draws one.
#' @param measure The measure by which systems are ranked, as in [joint_gains()]. If it is not a sum over ranks, the
#'   published method selects documents as for AG@k.
#' @param confidence The mean confidence at which a session would have stopped, as [goal_mean()].
#' @param progress Whether to show a progress bar.
#' @return A `judicious_study`, a list with, among others, three data frames:
#'   - `results`, with a row per `method`, `replicate` and `budget`: `judged`, `confidence` (mean over the pairs of
#'     systems), `accuracy`, `tau`, `brier` and `log_score` (of the probability of the true order), `z2` (mean of
#'     (estimated - true difference)^2 / variance), `coverage` (of the 95% intervals of the differences), and with a
#'     list of collections the `edition`, its name or position;
#'   - `pairs`: the `confidence` of each pair of systems, and whether its order is `right`;
#'   - `stops`, with a row per `method` and `replicate`: the number of documents `judged` when the `confidence` was
#'     reached, and the `accuracy` then; NA if the largest budget was not sufficient.
#'
#'   `summary()` returns the means over replicates with their standard errors.
#' @details With the package `future.apply`, replicates run under the current `future::plan()`.
#' @examples
#' \donttest{
#' x <- simulate_collection(queries = 30, documents = 300, artists = 40, systems = 6, seed = 1)
#' methods <- list(joint = joint_method(), published = published_method(NULL))
#' summary(mtc_study(x, methods = methods, budgets = c(0, 20, 60), replicates = 2, seed = 1))
#' }
#' @export
mtc_study <- function(x, truth = NULL, methods = list(joint = joint_method()), budgets = c(0, 20, 50, 100, 200),
                      replicates = NULL, split = c("queries", "bootstrap", "whole"), seed = NULL, measure = NULL,
                      confidence = 0.95, progress = getOption("judicious.progress", interactive())) {
  several <- is.list(x) && !is.object(x)
  split <- if (several) "editions" else check_choice(split, c("queries", "bootstrap", "whole"), "split")
  replicates <- replicates %||% if (several) 1 else 12
  check_count(replicates, "replicates")
  check_number(confidence, "confidence", min = 0, max = 1, open = TRUE)
  check_flag(progress, "progress")
  check_that(are_whole_numbers(budgets, min = 0), "budgets", "must be whole numbers of at least 0.")
  check_that(is.list(methods) && has_distinct_names(methods), "methods", "must be a list with different names, of
    methods by {.fn joint_method} or {.fn published_method}.")
  for (method in methods) check_class(method, "judicious_method", "methods", "joint_method")
  if (several) {
    check_that(length(x) >= 2, "x", "must be a collection, or a list of at least two.")
    check_that(is.null(truth), "truth",
               "must be NULL with a list of collections, each of which has its own judgments.")
    names(x) <- names(x) %||% seq_along(x)
    check_that(has_distinct_names(x), "x", "The names of {.arg x} must be different, and none empty.")
  }
  editions <- if (several) x else list(x)
  editions <- lapply(editions, study_collection, truth, measure)
  pool <- sum(vapply(editions, attr, 0L, "all"))
  seed <- seed %||% sample.int(.Machine$integer.max, 1)
  runs <- expand.grid(replicate = seq_len(replicates), edition = seq_along(editions))
  seeds <- with_seed(seed, sample.int(.Machine$integer.max, nrow(runs)))
  budgets <- sort(unique(budgets))
  outcomes <- over_items(seq_len(nrow(runs)), function(r) {
    run_labels <- c(if (several) list(edition = names(editions)[runs$edition[r]]), list(replicate = runs$replicate[r]))
    lapply(with_seed(seeds[r], {
      run_replicate(editions, runs$edition[r], methods, budgets, split, seeds[r], confidence)
    }), function(rows) data.frame(run_labels, rows))
  }, "Replicates", progress)
  structure(list(results = bind_tables(outcomes, "results"), pairs = bind_tables(outcomes, "pairs"),
                 stops = bind_tables(outcomes, "stops"), budgets = budgets, split = split, seed = seed,
                 confidence = confidence, left_out = pool - sum(vapply(editions, n_pairs, 0L)), pairs_of_pool = pool),
            class = "judicious_study")
}

# The judged pairs of a collection; a study uses no others. Attribute `all`: the number of pairs of the whole
# collection.
study_collection <- function(x, truth, measure) {
  x <- with_inferred_scale(judged_collection(x), truth)
  check_two_systems(x)
  check_that(n_queries(x) >= 4, "x", "has {n_queries(x)} quer{?y/ies}; a study needs at least four.")
  x <- with_measure(x, measure)
  check_approximable(x)
  x$gain <- gains_by_judgments(x, truth, "truth")
  x <- with_outside(x, truth)
  structure(judged_part(x), all = n_pairs(x))
}

run_replicate <- function(editions, edition, methods, budgets, split, seed, confidence) {
  collections <- split_study(editions, edition, split)
  truth <- true_means(collections$now, collections$now$gain)
  outcomes <- lapply(names(methods), function(name) {
    run <- methods[[name]]$run(collections$past, collections$now, budgets, seed, confidence, truth)
    scored <- Map(function(ranking, budget) score_ranking(ranking, truth, name, budget), run$rankings, budgets)
    list(results = bind_tables(scored, "results"), pairs = bind_tables(scored, "pairs"),
         stops = data.frame(method = name, judged = run$stop[[1]], accuracy = run$stop[[2]]))
  })
  lapply(stats::setNames(nm = names(outcomes[[1]])), bind_tables, parts = outcomes)
}

# One split of a study: `now` is the collection to judge, and `past` is a list of collections to learn from, or NULL.
split_study <- function(editions, edition, split) {
  x <- editions[[edition]]
  n <- n_queries(x)
  if (split == "queries") {
    past <- sample.int(n, n %/% 2)
    return(list(past = list(restrict_to_queries(x, past)), now = restrict_to_queries(x, setdiff(seq_len(n), past))))
  }
  now <- if (split == "bootstrap") restrict_to_queries(x, sample.int(n, n, replace = TRUE)) else x
  list(past = if (split == "editions") unname(editions[-edition]), now = now)
}

# The collection restricted to some queries. A query that is drawn twice becomes two queries.
restrict_to_queries <- function(x, queries) restrict_to_pairs(x, pairs_of_queries(x, queries), queries)

# The collection restricted to the judged pairs. The contribution of any other pair to a system is unknown, so it is
# left out of both the truth and the data that methods get.
judged_part <- function(x) {
  judged <- !is.na(x$gain)
  if (all(judged)) return(x)
  queries <- sort(unique(x$pool$query[judged]))
  check_that(length(queries) >= 4, "truth", "Only {length(queries)} quer{?y has/ies have} a judged document; a study
    needs at least four.", kind = "incomplete_judgments")
  warn_judicious(c(
    "{format_count(sum(!judged))} of the {format_count(length(judged))} pairs of the pool
      {cli::qty(sum(!judged))}{?has/have} no gain and {?is/are} left out.",
    i = "The study is of the systems' results that are judged: the others count neither for the truth nor for a method."
  ), "left_out", pairs = sum(!judged))
  restrict_to_pairs(x, which(judged), queries)
}

# The collection restricted to some pairs, in the order of the queries to which they belong.
restrict_to_pairs <- function(x, pairs, queries) {
  result <- results_of_pairs(x$results, pairs)
  counts <- tabulate(x$pool$query[pairs], n_queries(x))[queries] / tabulate(queries, n_queries(x))[queries]
  ids <- make.unique(x$queries$query[queries])
  chosen <- replace(without_row_names(x$queries[queries, , drop = FALSE]), "query", list(ids))
  taken <- new_collection(
    x$systems, chosen, x$documents,
    pool = list(query = rep.int(seq_along(queries), counts), doc = x$pool$doc[pairs]),
    results = list(offset = result$offset, system = x$results$system[result$at], rank = x$results$rank[result$at]),
    k = x$k, scale = x$scale, gain = x$gain[pairs]
  )
  rows_of_queries <- function(table) {
    rows <- lapply(x$queries$query[queries], function(query) which(table$query == query))
    replace(without_row_names(table[unlist(rows), ]), "query", list(rep(ids, lengths(rows))))
  }
  if (!is.null(x$outside)) taken$outside <- rows_of_queries(x$outside[c("query", "doc", "gain")])
  if (!is.null(x$grades)) taken$grades <- rows_of_queries(x$grades)
  taken$cut <- x$cut
  with_measure(taken, x$scoring$measure)
}

new_method <- function(label, run) structure(list(label = label, run = run), class = "judicious_method")

#' @export
print.judicious_method <- function(x, ...) print_line(x, "Method of a study: ", x$label)

# Compares the differences between systems in a ranking with the true ones, at one budget.
score_ranking <- function(ranking, truth, method, budget) {
  compared <- compare_pairs(ranking)
  sd <- sqrt(compared$variance)
  resolution <- gain_resolution(ranking$collection)
  true <- compare_systems_cpp(truth, matrix(0, length(truth), length(truth)), 0, resolution)$difference
  d <- compared$difference
  a_first <- ifelse(true == 0, .5, as.numeric(true > 0))
  p <- ifelse(d >= 0, compared$confidence, 1 - compared$confidence)
  right <- (1 + sign(d) * sign(true)) / 2
  varies <- is.na(sd) | sd > 0
  z <- (d - true)[varies] / sd[varies]
  probability <- pmin(pmax(p * a_first + (1 - p) * (1 - a_first), 1e-6), 1)
  list(results = data.frame(method = method, budget = budget, judged = ranking$judged,
                            confidence = mean(compared$confidence), accuracy = mean(right),
                            tau = 2 * mean(right) - 1, brier = mean((p - a_first)^2),
                            log_score = mean(log(probability)), z2 = mean(z^2),
                            coverage = mean(abs(z) <= stats::qnorm(.975))),
       pairs = data.frame(method = method, budget = budget, confidence = compared$confidence, right = right))
}

#' Define the methods of a study
#'
#' Define methods that [mtc_study()] compares: `joint_method()` judges and ranks with [joint_gains()],
#' `published_method()` as [mtc()].
#'
#' @param past A [gain_model()] or [gain_prior()] to start from. NULL learns a model from the past half by
#'   [gain_model()], or uses the built-in prior if there is no past half.
#' @param grades NULL, or a function of a collection, as in [joint_gains()].
#' @param strategy,audit,update_every As in [judging_session()]. A study knows the truth, so it needs no audit.
#'   `update_every = NULL` is Inf with a model learned from the past half, and 20 with any other.
#' @param ... Further arguments of [gain_model()].
#' @param output_model,judge_model,features As in [independent_gains()]. A model can also be a function that fits it to
#'   the list of collections to learn from, such as `function(past) mirex_model("output", past = past)`.
#' @param weights,delta Which comparisons count in the weight of a document, and the smallest difference of interest, as
#'   in [mtc()].
#' @return A `judicious_method` for [mtc_study()].
#' @examples
#' joint_method(audit = 0)
#' published_method(mirex_model("output", "fine"), mirex_model("judge", "fine"))
#' published_method(function(past) mirex_model("output", past = past))
#' @export
joint_method <- function(past = NULL, strategy = strategy_gradient(), audit = 0, update_every = NULL, grades = NULL,
                         ...) {
  fixed_model <- past
  if (!is.null(fixed_model)) check_class(fixed_model, "judicious_gain_model", "past", "gain_prior")
  model_arguments <- list(...)
  # Unknown arguments are detected here, because gain_model(), which would detect them, is called only if there are past
  # collections.
  refuse_other_arguments("joint_method()", ..., settings = setdiff(names(formals(gain_model)), c("past", "grades")))
  new_method("joint gains", function(past, now, budgets, seed, confidence, truth) {
    is_learned <- is.null(fixed_model) && !is.null(past)
    model <- fixed_model
    if (is.null(model)) {
      arguments <- c(list(past = past, grades = grades), model_arguments)
      model <- if (is.null(past)) gain_prior(features = model_arguments$features) else do.call(gain_model, arguments)
    }
    s <- judging_session(now, past = model, goal = goal_budget(0), strategy = strategy, audit = audit,
                         update_every = update_every %||% if (is_learned) Inf else 20, grades = grades, seed = seed,
                         judgments = FALSE)
    judge_until <- function(goal) {
      set_goal(refresh(s$engine), goal)
      run_session(s, progress = FALSE)
      rank_systems(s)
    }
    rankings_at_budgets(budgets, goal_mean(confidence), truth, judge_until, function() {
      if (is.finite(s$engine$update_every)) refit(refresh(s$engine))
      rank_systems(s)
    })
  })
}

# Runs one session and ranks at each budget. `judge_until(goal)` judges until the goal is reached and returns the
# ranking; `rank_now()` returns the ranking to score. `stop`: the number of judgments and the accuracy when the session
# first reached the goal.
rankings_at_budgets <- function(budgets, goal, truth, judge_until, rank_now) {
  stopped <- c(NA_real_, NA_real_)
  rankings <- lapply(budgets, function(budget) {
    if (is.na(stopped[1])) {
      reached <- judge_until(goal | goal_budget(budget))
      if (goal$progress(reached)$reached) {
        tau <- tau_of_means(reached$mean, truth, gain_resolution(reached$collection))
        stopped <<- c(reached$judged, (1 + tau) / 2)
      }
    }
    judge_until(goal_budget(budget))
    rank_now()
  })
  list(rankings = rankings, stop = stopped)
}

#' @rdname joint_method
#' @export
published_method <- function(output_model, judge_model = NULL, update_every = 20,
                             weights = c("all", "undecided", "proportional"), delta = 0, features = NULL) {
  model <- independent_gains(output_model, judge_model, features)
  check_count(update_every, "update_every", finite = FALSE)
  weights <- check_choice(weights, c("all", "undecided", "proportional"), "weights")
  check_number(delta, "delta", min = 0)
  new_method("published", function(past, now, budgets, seed, confidence, truth) {
    for (part in c("output_model", "judge_model")) model[part] <- list(fit_to_past(model[[part]], past, part))
    measure <- now$scoring$measure
    x <- if (is_sum(now)) now else replace(now, "scoring", list(new_scoring(now)))
    goal <- goal_mean(confidence, delta)
    setup <- new_setup(x, belief_prepare(model, x, NULL), goal, strategy_weight(weights, confidence, "pool"),
                       session_control(audit = 0, update_every = update_every))
    engine <- new_engine(setup, tie = random_tie(x, seed), delta = delta)
    work <- direct_work(engine, rep(TRUE, n_pairs(x)))
    judge_until <- function(goal) {
      set_goal(engine, goal)
      judging_loop(engine, work, function(pair) x$gain[pair])
      engine$ranking
    }
    rankings_at_budgets(budgets, goal, truth, judge_until, function() {
      rank_systems(x, belief_gains(engine$belief), delta = if (is_sum(now)) delta else 0, measure = measure)
    })
  })
}

fit_to_past <- function(model, past, arg) {
  if (!is.function(model)) return(model)
  check_that(!is.null(past), arg, c("fits a model to past collections, of which this study has none.",
                                    i = "Use {.code split = \"queries\"}, or a list of collections."), call = NULL)
  model(past)
}

#' @export
summary.judicious_study <- function(object, ...) {
  results <- object$results
  statistics <- setdiff(names(results), c("edition", "replicate", "method", "budget", "judged"))
  cell <- interaction(results$budget, factor(results$method, unique(results$method)), drop = TRUE)
  rows <- lapply(split(results, cell), function(part) {
    mean_of <- vapply(part[statistics], function(v) if (all(is.na(v))) NA else mean(v, na.rm = TRUE), 1)
    standard_error <- vapply(part[statistics], function(v) stats::sd(v, na.rm = TRUE) / sqrt(sum(!is.na(v))), 1)
    data.frame(method = part$method[1], budget = part$budget[1], t(mean_of),
               t(stats::setNames(standard_error, paste0(statistics, "_se"))))
  })
  without_row_names(do.call(rbind, rows))
}

#' @export
print.judicious_study <- function(x, ...) {
  shown <- summary(x)[c("method", "budget", "confidence", "accuracy", "brier", "z2", "coverage")]
  replicates <- nrow(unique(x$results[intersect(c("edition", "replicate"), names(x$results))]))
  kind <- c(queries = "random halves of the queries", bootstrap = "bootstraps of the queries",
            whole = "sessions over all queries", editions = "sessions on an edition, each with the others as its past")
  cat("Study of ", counted(length(unique(x$results$method)), "method"), ", ", format_count(replicates), " ",
      kind[[x$split]], "\n", sep = "")
  if (x$left_out > 0) {
    cat(format_count(x$left_out), " of ", counted(x$pairs_of_pool, "pair"), " had no gain and were left out\n",
        sep = "")
  }
  shown[-(1:2)] <- lapply(shown[-(1:2)], round, 4)
  print_table(shown, row.names = FALSE)
  for (part in split(x$stops, factor(x$stops$method, unique(x$stops$method)))) {
    reached <- !is.na(part$judged)
    details <- sprintf(", on average after %.0f judgments, with accuracy %.3f", mean(part$judged[reached]),
                       mean(part$accuracy[reached]))
    cat(part$method[1], ": reached confidence ", format(x$confidence), " in ", sum(reached), " of ", length(reached),
        if (any(reached)) details, "\n", sep = "")
  }
  invisible(x)
}

#' @export
as.data.frame.judicious_study <- function(x, row.names = NULL, optional = FALSE, ...) x$results
