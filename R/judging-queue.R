# What processes keep up to date for assessors: the queue, for which documents are selected ahead of assignment, so that
# assessors need not wait for the selection, and the figures of the session, one of which is the expected number of
# further judgments.

# Selects `n` documents in one process while other processes wait. Returns FALSE if no document is left to select.
# `assessor`: the assessor who asks for documents, or NULL.
fill_queue <- function(engine, n, wait = TRUE, assessor = NULL) {
  chosen <- 0
  # If documents are selected ahead, an assessor may be waiting now, so the estimation, which takes time, comes after
  # the selection.
  if (!chooses_ahead(engine)) update_estimates(engine)
  while (!in_lock(engine$store, "queue", chosen <- choose_in_parts(refresh(engine), n, assessor))) {
    if (!wait) return(TRUE)
    Sys.sleep(0.02)
    if (queue_length(engine$store) > 0) return(TRUE)
  }
  if (chooses_ahead(engine)) update_estimates(engine)
  chosen > 0
}

# Selects `n` documents in parts, of which the first is small, so that a waiting assessor gets a document quickly.
choose_in_parts <- function(engine, n, assessor = NULL) {
  chosen <- 0
  part <- if (engine$same_query) n else 10
  while (chosen < n) {
    more <- choose_documents(engine, min(part, n - chosen), assessor)
    chosen <- chosen + more
    # An unlimited batch is one whole query.
    if (more == 0 || is.infinite(n)) break
    part <- 2 * part
  }
  chosen
}

queue_length <- function(store) nrow(store_rows(store, "slot", list(state = "open")))

# Whether batches are selected ahead. Small batches are selected on demand, using all previous judgments; larger ones
# before the previous batch is used up (see is_queue_due() and tend_session()).
chooses_ahead <- function(engine) engine$batch >= 4 && is.finite(engine$batch)

# Processes the log, and estimates the parameters if that is due and no other process has taken over estimation. Writes
# the end of judging to the log if the goal is reached, because callers depend on it.
update_estimates <- function(engine) {
  refresh(engine)
  in_lock(engine$store, "fits", {
    start_progress("Estimating the gains")
    fit_if_due(engine)
    save_trace(engine)
  })
  log_end(engine)
}

# Whether another process does the estimation for this session (see tend_session()).
is_estimated_elsewhere <- function(engine) !in_lock(engine$store, "fits", NULL)

# A seed for an independent stream of random numbers, derived from the session's seed.
numbered_seed <- function(engine, number) (engine$seed + 104729 * number) %% .Machine$integer.max

# Each batch uses random numbers from a separate seed.
choose_documents <- function(engine, n, assessor = NULL) {
  fill_number <- as.integer(store_meta(engine$store, "fills"))
  open_now <- open_tasks(engine, assessor)
  chosen <- with_seed(numbered_seed(engine, fill_number), {
    members <- choose_members(engine_for(engine, assessor), n, open_now)
    quick_frame(pair = unlist(members, use.names = FALSE), audit = rep(0:1, lengths(members)),
                overlap = as.integer(stats::runif(sum(lengths(members))) < engine$overlap))
  })
  if (!nrow(chosen)) return(0L)
  chosen$copy <- 1L + open_now$again[chosen$pair]
  chosen$overlap[chosen$copy == 2] <- 1L
  store_exclusive(engine$store, {
    # If the lock of this process was considered stale, another process may have filled the queue in the meantime.
    if (as.integer(store_meta(engine$store, "fills")) == fill_number) {
      set_meta(engine$store, "fills", fill_number + 1L)
      chosen$place <- fill_number + seq_len(nrow(chosen)) / (nrow(chosen) + 1)
      # In the meantime, somebody may have judged one of the documents without having been asked for it.
      taken_slots <- store_rows(engine$store, "slot", list(pair = chosen$pair))
      chosen <- pick_rows(chosen, !text_key(chosen$pair, chosen$copy) %in% text_key(taken_slots$pair, taken_slots$copy))
      open_slots(engine, chosen, chosen$copy)
    }
  })
  nrow(chosen)
}

# Puts random documents into the queue for an assessor, as audits, without reading the log; returns FALSE if there are
# none.
open_at_random <- function(engine, n, assessor) {
  store_exclusive(engine$store, {
    taken <- store_rows(engine$store, "slot")$pair
    allowed <- rep_len(assignable_pairs(engine, assessor), n_pairs(engine$x))
    free <- which(replace(allowed, taken[taken <= n_pairs(engine$x)], FALSE))
    pair <- with_seed(numbered_seed(engine, length(free)), draw_audit(engine$x, free, n))
    open_slots(engine,
               quick_frame(pair = pair, audit = 1L, overlap = 0L,
                           place = as.numeric(store_meta(engine$store, "fills"))),
               1L)
    length(pair) > 0
  })
}

# Pairs that are neither judged nor selected.
free_pairs <- function(engine, slots) replace(is.na(engine$gain), slots$pair, FALSE)

# Pairs that were skipped and not judged by anybody.
skipped_pairs <- function(engine) {
  setdiff(store_rows(engine$store, "slot", list(state = "skipped"))$pair, engine$sequence)
}

# The tasks for an assessor (NULL: any assessor): logical vectors of the pairs that are `free`, and of those that may be
# judged `again`; and the pairs that are `pending`, assigned or waiting but not judged.
open_tasks <- function(engine, assessor = NULL) {
  slots <- store_rows(engine$store, "slot")
  # If the collection has grown since this process read it, another process may have selected pairs that this one does
  # not know yet.
  slots <- pick_rows(slots, slots$pair <= n_pairs(engine$x))
  waiting <- unique(slots$pair[slots$state %in% c("open", "leased")])
  # Pairs that wait only for a second judgment are pending only if the first judgment has an error, because otherwise
  # the second one does not change the belief.
  judgments <- memory_rows(engine$judgments)
  waiting <- setdiff(waiting, judgments$pair[engine$assessor == "these" | judgments$assessor %in% engine$assessor])
  list(free = free_pairs(engine, slots) & assignable_pairs(engine, assessor),
       again = second_pairs(engine, slots, assessor) & assignable_pairs(engine, assessor, again = TRUE),
       pending = waiting)
}

# Pairs for which the session may request a second judgment: another assessor has judged them, and nobody was asked for
# a second or final judgment. A session that estimates the gains of a named assessor asks only him or her. Strategies
# other than those that compare variances cannot value second judgments.
second_pairs <- function(engine, slots, assessor) {
  out <- logical(n_pairs(engine$x))
  if (engine$assessor == "these" ||
      !engine$strategy$recipe$maker %in% c("strategy_gradient", "strategy_variance")) return(out)
  if (is_assessor_target(engine$assessor) && !identical(assessor, engine$assessor)) return(out)
  judged <- slots$copy == 1 & slots$state == "judged"
  judged <- judged & if (is.null(assessor)) length(unique(slots$assessor[judged])) > 1 else slots$assessor != assessor
  out[slots$pair[judged]] <- TRUE
  out[slots$pair[slots$copy != 1 & slots$state != "void"]] <- FALSE
  out
}

# The engine for selecting documents for one assessor: if errors or prices of judgments depend on the assessor, a copy
# of the fields that the selection uses, with the error and the price of his or her judgments.
engine_for <- function(engine, assessor) {
  if (is.null(assessor) || engine$assessor == "these" && length(engine$cost$judgment) == 1) return(engine)
  out <- mget(c("x", "belief", "gain", "ranking", "shared", "goal", "strategy", "cost", "tie", "order", "audit",
                "same_query"), envir = engine)
  out$cost$judgment <- judgment_price(engine$cost, assessor)
  if (engine$assessor != "these") {
    out$belief <- belief_expect(engine$belief, error_variance_for_target(engine$errors, assessor, engine$assessor))
  }
  out
}

# Each member of a batch is drawn at random with the probability of an audit. The others are selected as if all pairs
# that are assigned or waiting were judged. A batch of one query is audited as a whole: it then consists of random
# documents of the query of a random document.
choose_members <- function(engine, n, open) {
  free <- open$free
  pending <- open$pending
  if (!engine$same_query) {
    audited <- draw_audit(engine$x, which(free), sum(stats::runif(n) < engine$audit))
    free[audited] <- FALSE
    return(list(selected = choose_batch(engine, n - length(audited), FALSE, free | open$again, pending)$pair,
                audited = audited))
  }
  query <- engine$x$pool$query
  if (any(free) && stats::runif(1) < engine$audit) {
    of_query <- query[draw_audit(engine$x, which(free), 1)]
    return(list(selected = integer(), audited = draw_audit(engine$x, which(free & query == of_query), n)))
  }
  list(selected = choose_batch(engine, n, TRUE, free | open$again, pending)$pair, audited = integer())
}

# Draws documents with probabilities in proportion to the numbers of lists that have them: a random result of a random
# list. A document of many lists changes many scores, and the first judgments of documents that all systems retrieve are
# the best evidence whether agreement of systems means relevance (bench/trust-families.R mode=session).
draw_audit <- function(x, pairs, n) {
  n <- min(n, length(pairs))
  if (n) pairs[sample.int(length(pairs), n, prob = audit_weight(x)[pairs])] else integer()
}

open_slots <- function(engine, chosen, copy) {
  if (!nrow(chosen)) return()
  # Lock order: slots, then events.
  store_insert(engine$store, "slot", quick_frame(pair = chosen$pair, audit = chosen$audit, overlap = chosen$overlap,
                                            copy = copy, state = "open", urgent = 0L, place = chosen$place))
  ids <- pair_ids(engine$x, chosen$pair)
  add_events(engine, "choose", query = ids$query, doc = ids$doc,
             detail = sprintf("copy=%d audit=%d overlap=%d", copy, chosen$audit, chosen$overlap))
}

pair_ids <- function(x, pair) {
  quick_frame(query = x$queries$query[x$pool$query[pair]], doc = x$documents$doc[x$pool$doc[pair]])
}

# The choice of the assessor for each document, if assessors differ in price and in the errors of their judgments.

# The best `n` tasks of a session for some assessors, each document at most once: a data frame with `pair`, `assessor`,
# `again` (a second judgment) and `score`, the value of the judgment divided by its price.
best_tasks <- function(engine, assessors, n = 1) {
  again <- matrix(FALSE, n_pairs(engine$x), length(assessors))
  value <- matrix(-Inf, n_pairs(engine$x), length(assessors))
  for (i in seq_along(assessors)) {
    open_now <- open_tasks(engine, assessors[i])
    again[, i] <- open_now$again
    candidates <- open_now$free | open_now$again
    if (!any(candidates)) next
    own_engine <- engine_for(engine, assessors[i])
    value[, i] <- with_seed(1, scores_in(own_engine, view_with(own_engine, open_now$pending), candidates))
  }
  best_assessor <- max.col(value, ties.method = "first")
  best <- value[cbind(seq_along(best_assessor), best_assessor)]
  pair <- largest_indices(best, n)
  pair <- pair[best[pair] > -Inf]
  quick_frame(pair = pair, assessor = assessors[best_assessor[pair]], again = again[cbind(pair, best_assessor[pair])],
              score = best[pair])
}

next_in_session <- function(s, n) {
  check_session(s)
  engine <- s$engine
  update_estimates(engine)
  priced <- priced_assessors(engine$cost)
  if (length(priced)) {
    tasks <- best_tasks(engine, priced, n)
  } else {
    open_now <- open_tasks(engine)
    tasks <- with_seed(1, choose_batch(engine, n, FALSE, open_now$free | open_now$again, open_now$pending))
  }
  chosen <- data.frame(pair_ids(engine$x, tasks$pair), score = tasks$score)
  if (length(priced)) cbind(chosen, tasks[c("assessor", "again")]) else chosen
}

#' Select the documents to judge next
#'
#' Selects the unjudged documents whose judgment serves the goal most, to write a list for assessors, or to look ahead
#' in a session. Each is selected as if the previous ones were judged (except by [strategy_weight()]).
#'
#' @param x A [test_collection()], [joint_gains()], or a session, which has its own gains, goal, strategy and cost:
#'   leave out all other arguments except `n`.
#' @param gains The gains: [joint_gains()]; or a [gain_distribution()], updated with the judgments by
#'   [update()][update.judicious_gains]. NULL, for a collection, makes joint gains from [gain_prior()] and
#'   `judgments`.
#' @param n Number of documents to select; with `batches`, per batch. Inf, with `same_query`, selects all documents of
#'   the best query, which a right answer judges at once (`judge(gold = )`).
#' @param goal The goal that the judgments should serve; by default, [goal_mean()] with a confidence of 0.95.
#' @param strategy How to select documents: a strategy, by default [strategy_gradient()].
#' @param cost The cost of a judgment, by [judging_cost()].
#' @param batches The number of batches of `n` documents each, the most useful first; NULL for a single list.
#' @param same_query TRUE selects all documents of a batch from one query, whose `n` best documents have the highest
#'   total benefit.
#' @param judgments NULL uses the judgments of `x`, FALSE none.
#' @param seed Seed of ties and random choices; NULL draws one.
#' @return A data frame with one row per selected document, in the order in which to judge: `query`, `doc` and `score`,
#'   the benefit per unit of cost; with `batches`, the first column is `batch`. For a session whose [judging_cost()]
#'   names assessors also `assessor`, who should judge the document, and `again`, TRUE for a second judgment.
#' @examples
#' x <- simulate_collection(queries = 15, documents = 300, artists = 40, systems = 6, seed = 1)
#' select_documents(joint_gains(x, judgments = judgments_of(x)[1:20, ]), n = 5)
#' select_documents(x, uniform_gains(x), n = 3, strategy = strategy_weight("undecided"))
#' @export
select_documents <- function(x, gains = NULL, n = 10, goal = goal_mean(), strategy = strategy_gradient(),
                          cost = judging_cost(), batches = NULL, same_query = FALSE, judgments = NULL, seed = NULL) {
  check_count(n, "n", min = 0, finite = !isTRUE(same_query))
  if (inherits(x, "judicious_session")) {
    conflicting <- setdiff(names(match.call())[-1], c("x", "n"))
    check_that(!length(conflicting), conflicting[1], "A session has its own {.arg {conflicting[1]}}: leave it out.")
    return(next_in_session(x, n))
  }
  check_class(goal, "judicious_goal", "goal", "goal_mean")
  check_class(strategy, "judicious_strategy", "strategy", "strategy_gradient")
  check_class(cost, "judicious_cost", "cost", "judging_cost")
  if (!is.null(batches)) check_count(batches, "batches")
  check_flag(same_query, "same_query")
  belief <- belief_of_gains(x, gains, judgments)
  x <- belief$collection
  gain <- belief$gain
  check_goal_fits(x, goal)
  belief <- belief_for_goal(belief, x, goal)
  engine <- list(x = x, belief = belief, gain = gain, ranking = NULL, goal = goal, strategy = strategy,
               cost = cost, tie = tie_rank(x, strategy$tie_break), order = NULL)
  chosen <- with_seed(seed, choose_batches(engine, batches %||% 1, n, same_query, is.na(gain)))
  selected <- data.frame(batch = chosen$batch, pool_ids(x)[chosen$pair, ], score = chosen$score, row.names = NULL)
  if (is.null(batches)) selected[-1] else selected
}

# The figures of progress() that are quick to compute and that every caller needs.
session_figures <- function(engine) {
  update_estimates(engine)
  judged <- length(engine$sequence)
  skipped <- skipped_pairs(engine)
  judgments <- memory_rows(engine$judgments)
  list(nouns = nouns_of(engine$x), judged = judged, skipped = length(skipped),
       open = n_pairs(engine$x) - judged - length(skipped),
       questions = if (asks_questions(engine)) question_figures(engine, skipped),
       goal = c(list(label = engine$goal$label), engine$progress, list(judgments = count_judgments(engine)),
                if (engine$control$paused) list(paused = TRUE),
                if (waits_for_systems(engine$goal, engine$ranking$lacking)) list(waits = TRUE)),
       confidence = confidence_of_pairs(engine$ranking)$mean, expected_more = NA_integer_,
       assessors = assessor_figures(engine),
       next_task = NULL,
       agreement = if (anyDuplicated(judgments$pair)) overlap_agreement(judgments, engine$x$scale))
}

# Whether a session selects all documents of a query at a time, as it does if one right answer judges all of them.
asks_questions <- function(engine) engine$same_query && is.infinite(engine$batch)

# The number of questions all of whose answers are judged, and of those with answers neither judged nor skipped.
question_figures <- function(engine, skipped) {
  unjudged <- setdiff(seq_len(n_pairs(engine$x)), engine$sequence)
  count <- function(pairs) length(unique(engine$x$pool$query[pairs]))
  list(judged = count(TRUE) - count(unjudged), open = count(setdiff(unjudged, skipped)))
}

assessor_figures <- function(engine) {
  slots <- store_rows(engine$store, "slot", list(state = c("judged", "skipped")))
  assessors <- unique(slots$assessor)
  events <- store_rows(engine$store, "event", list(kind = c("judge", "gold")))
  seconds <- events$seconds[match(slots$event, events$id)]
  unit <- if (asks_questions(engine)) engine$x$pool$query[slots$pair] else seq_along(slots$pair)
  of_each <- function(value, state, summarise) {
    vapply(assessors, function(a) as.numeric(summarise(value[slots$assessor == a & slots$state == state])), 0,
           USE.NAMES = FALSE)
  }
  count <- function(value, state) as.integer(of_each(value, state, function(values) length(unique(values))))
  data.frame(assessor = as.character(assessors), judged = count(unit, "judged"), skipped = count(unit, "skipped"),
             median_seconds = of_each(seconds, "judged", function(values) stats::median(values, na.rm = TRUE)),
             cost = judgment_price(engine$cost, assessors) * count(slots$event, "judged"))
}

# The progress of the session, which the estimating process stores for the others every two seconds. `expected()`
# returns the number of further judgments, if it has been estimated.
save_figures <- function(s, expected) {
  figures <- session_figures(s$engine)
  figures$expected_more <- if (isTRUE(figures$goal$reached)) 0 else expected() %||% NA_real_
  figures$goal <- stored_goal(figures$goal)
  figures$goal$parts <- lapply(figures$goal$parts, stored_goal)
  figures$agreement <- if (!is.null(figures$agreement)) figures$agreement[c("estimate", "units", "se")]
  store <- s$engine$store
  now <- store_now(store)
  if (now > s$engine$figured + 2) {
    store_put(store, "object", blob_row(store, name = "figures", value = figures, kind = "figures"))
    s$engine$figured <- now
  }
  figures
}

# Drops other fields that a custom goal may return, because they may not be storable.
stored_goal <- function(goal) {
  goal[intersect(c("label", "value", "asked", "reached", "met", "early", "waits", "paused", "parts", "judgments", "end",
                   "reopened"), names(goal))]
}

# The figures that were stored last. If there are none, those that the trace has; other figures are then NA, 0 or empty.
stored_figures <- function(engine) {
  figures <- store_rows(engine$store, "object", list(name = "figures"))
  if (nrow(figures)) return(blob_value(figures, "figures"))
  stored <- saved_trace(engine$store)
  last <- stored[which.max(stored$event), ]
  judged <- c(last$judged, 0)[1]
  list(judged = judged, skipped = 0, open = n_pairs(engine$x) - judged,
       goal = list(label = engine$goal$label, reached = NA), confidence = c(last$confidence, NA)[1], expected_more = NA,
       assessors = data.frame(assessor = character(), judged = integer(), skipped = integer()), agreement = NULL)
}

# The expected number of further judgments, after processing the judgments of all processes.
further_judgments <- function(engine) {
  update_estimates(engine)
  expected_judgments(engine)
}

# The number of further judgments as it was estimated last, less the judgments made since; NULL before the first
# estimate. Without a reached goal, at least one judgment remains.
last_expected <- function(engine) {
  previous <- engine$expected
  if (!is.null(previous)) max(1, previous$more - (count_judgments(engine) - previous$judged))
}

# The number of further judgments after which half of the simulated futures have reached the goal. In each future, the
# best documents according to the strategy are judged: the effect on the covariance of the systems is known, and the
# effect on the means is drawn at random. NA if the number exceeds what the search can examine.
expected_judgments <- function(engine) {
  if (engine$progress$reached) return(0L)
  previous <- engine$expected
  judged <- count_judgments(engine)
  # The last result, even NA, is used until the number of judgments has grown by 2%.
  if (!is.null(previous) && judged >= previous$judged && judged - previous$judged <= 0.02 * judged) {
    remaining <- previous$more - (judged - previous$judged)
    if (is.na(remaining) || remaining > 0) return(remaining)
  }
  # For some measures, the effect of future judgments on the covariance is not defined.
  more <- tryCatch(with_seed(1, search_expected(engine)), judicious_error_measure = function(cnd) NA_integer_)
  engine$expected <- list(judged = judged, more = more)
  more
}

search_expected <- function(engine, draws = 32, work = 4e6) {
  open_pairs <- setdiff(which(is.na(engine$gain)), skipped_pairs(engine))
  score <- scores_in(engine, view_with(engine, integer()), is.na(engine$gain))
  best <- open_pairs[largest_indices(score[open_pairs], max(1, work %/% n_pairs(engine$x)))]
  state <- list(n = 0L, belief = engine$belief, ranking = engine$ranking,
              moves = lapply(all_rankings(engine$ranking), function(r) matrix(0, draws, n_systems(engine$x))),
              reached = logical(draws))
  step_size <- 1L
  found <- NA_integer_
  while (state$n < min(found - 1L, length(best), na.rm = TRUE)) {
    future <- imagine_judgments(engine, state, best, step_size)
    if (mean(future$reached) < 0.5) {
      state <- future
      if (is.na(found)) step_size <- max(step_size, future$n %/% 4L)
    } else {
      # Half of the futures have reached the goal: continue from the previous number in smaller steps.
      found <- min(found, future$n, na.rm = TRUE)
      step_size <- max(1L, (future$n - state$n) %/% 4L)
    }
  }
  found
}

# The futures after further judgments. If the judgments reduce the covariance by D, they move the means by a normal
# vector with covariance D. A session ends when it first reaches its goal, so futures that reached it earlier count,
# even if they miss it now.
imagine_judgments <- function(engine, state, best, step) {
  n <- min(state$n + step, length(best))
  belief <- belief_imagine(state$belief, best[seq(state$n + 1L, n)])
  ranking <- rank_by_belief(belief, engine$x, engine$ranking$judged + n, shared = engine$shared)
  ranking$judgments <- engine$ranking$judgments + n
  moves <- Map(function(before, after, moves) {
    reduction <- eigen(before$covariance - after$covariance, symmetric = TRUE)
    z <- matrix(stats::rnorm(length(moves)), nrow(moves))
    moves + z %*% (sqrt(pmax(reduction$values, 0)) * t(reduction$vectors))
  }, all_rankings(state$ranking), all_rankings(ranking), state$moves)
  has_reached <- vapply(seq_along(state$reached), function(i) {
    engine$goal$progress(shift_means(ranking, engine$ranking, lapply(moves, function(m) m[i, ])))$reached
  }, NA)
  list(n = n, belief = belief, ranking = ranking, moves = moves, reached = state$reached | has_reached)
}

# A ranking and the rankings within its strata, in one list. imagine_judgments() changes the means of each
# independently.
all_rankings <- function(ranking) c(list(ranking), unlist(unname(ranking$strata), recursive = FALSE, use.names = FALSE))

# The ranking with the means of `from` plus `moves`, one element for the ranking and one for each stratum.
shift_means <- function(ranking, from, moves) {
  ranking$mean <- from$mean + moves[[1]]
  index <- 1
  for (by in names(ranking$strata)) {
    for (name in names(ranking$strata[[by]])) {
      index <- index + 1
      ranking$strata[[by]][[name]]$mean <- from$strata[[by]][[name]]$mean + moves[[index]]
    }
  }
  ranking
}
