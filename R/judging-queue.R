# The queue: documents are selected ahead, so that an assessor does not wait for the selection.

# Selects `n` documents in one process while the others wait for it. Returns FALSE if nothing is left to select.
# `assessor`: who asks for documents; NULL for nobody.
fill_queue <- function(e, n, wait = TRUE, assessor = NULL) {
  chosen <- 0
  # With selection ahead, assessors may be waiting, and a fit takes time: fit after selecting.
  if (!chooses_ahead(e)) update_estimates(e)
  while (!in_lock(e$store, "queue", chosen <- choose_in_parts(refresh(e), n, assessor))) {
    if (!wait) return(TRUE)
    Sys.sleep(0.02)
    if (queue_length(e$store) > 0) return(TRUE)
  }
  if (chooses_ahead(e)) update_estimates(e)
  chosen > 0
}

# Start with a small batch so that a waiting assessor gets a document quickly.
choose_in_parts <- function(e, n, assessor = NULL) {
  chosen <- 0
  part <- if (e$same_query) n else 10
  while (chosen < n) {
    more <- choose_documents(e, min(part, n - chosen), assessor)
    chosen <- chosen + more
    # One whole question, if it has no limit.
    if (more == 0 || is.infinite(n)) break
    part <- 2 * part
  }
  chosen
}

queue_length <- function(store) nrow(store_rows(store, "slot", list(state = "open")))

# Small batches are selected on demand, with all previous judgments. Of larger batches, a quarter is left when the next
# batch is selected.
chooses_ahead <- function(e) e$batch >= 4 && is.finite(e$batch)

# Fills the queue if it is short and the goal is not reached, otherwise updates the estimates. Returns whether anything
# is left to select. After a change of the goal, `seen` is NULL and `progress` that of the previous goal.
fill_or_update <- function(e) {
  reached <- !is.null(e$seen) && isTRUE(e$progress$reached)
  if (!reached && chooses_ahead(e) && queue_length(e$store) < e$batch / 2) return(fill_queue(e, e$batch, wait = FALSE))
  update_estimates(e)
  chooses_ahead(e) || any(free_pairs(e, store_rows(e$store, "slot")))
}

# Processes the log, and estimates the parameters if that is due and no other process has this task. Who calls this acts
# on the goal, so that its end is written to the log.
update_estimates <- function(e) {
  refresh(e)
  in_lock(e$store, "fits", {
    start_progress("Estimating the gains")
    fit_if_due(e)
    save_trace(e)
  })
  log_end(e)
}

# Whether another process estimates for this session.
is_tended <- function(e) !in_lock(e$store, "fits", NULL)

# The seed of random numbers of their own, derived from the session's.
numbered_seed <- function(e, number) (e$seed + 104729 * number) %% .Machine$integer.max

# Each batch has its own random numbers.
choose_documents <- function(e, n, assessor = NULL) {
  number <- as.integer(store_meta(e$store, "fills"))
  open_now <- open_tasks(e, assessor)
  chosen <- with_seed(numbered_seed(e, number), {
    members <- choose_members(engine_for(e, assessor), n, open_now)
    quick_frame(pair = c(members$selected, members$audited),
                audit = rep(c(0L, 1L), c(length(members$selected), length(members$audited))),
                overlap = as.integer(stats::runif(length(unlist(members))) < e$overlap))
  })
  if (!nrow(chosen)) return(0L)
  chosen$copy <- 1L + open_now$again[chosen$pair]
  chosen$overlap[chosen$copy == 2] <- 1L
  store_exclusive(e$store, {
    # A process whose lock was considered stale may have filled the queue in the meantime.
    if (as.integer(store_meta(e$store, "fills")) == number) {
      set_meta(e$store, "fills", number + 1L)
      chosen$place <- number + seq_len(nrow(chosen)) / (nrow(chosen) + 1)
      # In the meantime, somebody may have judged one of them unasked.
      known <- store_rows(e$store, "slot", list(pair = chosen$pair))
      chosen <- pick_rows(chosen, !text_key(chosen$pair, chosen$copy) %in% text_key(known$pair, known$copy))
      open_slots(e, chosen, chosen$copy)
    }
  })
  nrow(chosen)
}

# Opens random documents for an assessor, which are audits, without reading the log; returns FALSE if there are none.
open_at_random <- function(e, n, assessor) {
  store_exclusive(e$store, {
    taken <- store_rows(e$store, "slot")$pair
    allowed <- pairs_for(e, assessor) %||% rep(TRUE, n_pairs(e$x))
    free <- which(replace(allowed, taken[taken <= n_pairs(e$x)], FALSE))
    pair <- with_seed(numbered_seed(e, length(free)), draw_audit(e$x, free, n))
    open_slots(e, quick_frame(pair = pair, audit = 1L, overlap = 0L, place = as.numeric(store_meta(e$store, "fills"))),
               1L)
    length(pair) > 0
  })
}

# Pairs that are neither judged nor selected.
free_pairs <- function(e, slots) replace(is.na(e$gain), slots$pair, FALSE)

# What an assessor (NULL: any assessor) can be asked for: logical vectors of the pairs that are `free`, and of those
# that may be judged `again`; and the pairs that are `pending`.
open_tasks <- function(e, assessor = NULL) {
  slots <- store_rows(e$store, "slot")
  # Another process may have selected from a collection that has grown since this process read it.
  slots <- pick_rows(slots, slots$pair <= n_pairs(e$x))
  free <- free_pairs(e, slots)
  allowed <- if (!is.null(assessor)) pairs_for(e, assessor)
  if (!is.null(allowed)) free <- free & allowed
  waiting <- unique(slots$pair[slots$state %in% c("open", "leased")])
  # A second judgment changes a belief only if the first one has errors.
  judgments <- memory_rows(e$judgments)
  waiting <- setdiff(waiting, judgments$pair[e$assessor == "these" | judgments$assessor %in% e$assessor])
  again <- second_pairs(e, slots, assessor)
  able <- if (!is.null(assessor)) pairs_for(e, assessor, again = TRUE)
  list(free = free, again = if (is.null(able)) again else again & able, pending = waiting)
}

# Pairs for which the session may request a second judgment: another assessor has judged them, and nobody was asked for
# a second or final judgment. A session about a named assessor asks only him or her. Strategies that do not compare
# variances have no use for second judgments.
second_pairs <- function(e, slots, assessor) {
  out <- logical(n_pairs(e$x))
  if (e$assessor == "these" || !e$strategy$recipe$maker %in% c("strategy_gradient", "strategy_variance")) return(out)
  if (is_named(e$assessor) && !identical(assessor, e$assessor)) return(out)
  judged <- slots$copy == 1 & slots$state == "judged"
  judged <- judged & if (is.null(assessor)) length(unique(slots$assessor[judged])) > 1 else slots$assessor != assessor
  out[slots$pair[judged]] <- TRUE
  out[slots$pair[slots$copy != 1 & slots$state != "void"]] <- FALSE
  out
}

# The engine with the error and the price of the judgments of an assessor.
engine_for <- function(e, assessor) {
  if (is.null(assessor) || e$assessor == "these" && length(e$cost$judgment) == 1) return(e)
  out <- mget(c("x", "belief", "gain", "ranking", "goal", "strategy", "cost", "tie", "order", "audit", "same_query"),
              envir = e)
  out$cost$judgment <- price_of(e$cost, assessor)
  if (e$assessor != "these") out$belief <- belief_expect(e$belief, noise_for(e$errors, assessor, e$assessor))
  out
}

# Each member of a batch is a random pair with the probability of an audit. The others are selected as if all pairs that
# are assigned or waiting were judged. A batch of one query is audited as a whole: it consists of random documents of
# the query of a random document.
choose_members <- function(e, n, open) {
  free <- open$free
  pending <- open$pending
  if (!e$same_query) {
    audited <- draw_audit(e$x, which(free), sum(stats::runif(n) < e$audit))
    free[audited] <- FALSE
    return(list(selected = choose_batch(e, n - length(audited), FALSE, free | open$again, pending)$pair,
                audited = audited))
  }
  query <- e$x$pool$query
  if (any(free) && stats::runif(1) < e$audit) {
    of_query <- query[draw_audit(e$x, which(free), 1)]
    return(list(selected = integer(), audited = draw_audit(e$x, which(free & query == of_query), n)))
  }
  list(selected = choose_batch(e, n, TRUE, free | open$again, pending)$pair, audited = integer())
}

# Documents are drawn with probabilities in proportion to the numbers of lists that have them: a random result of a
# random list. A document of many lists moves many scores, and the first judgments of the few that all systems
# retrieve tell most about what agreement is worth (bench/trust-families.R mode=session).
draw_audit <- function(x, pairs, n) {
  n <- min(n, length(pairs))
  if (n) pairs[sample.int(length(pairs), n, prob = audit_weight(x)[pairs])] else integer()
}

open_slots <- function(e, chosen, copy) {
  if (!nrow(chosen)) return()
  # Lock order: slots, then events.
  store_insert(e$store, "slot", quick_frame(pair = chosen$pair, audit = chosen$audit, overlap = chosen$overlap,
                                            copy = copy, state = "open", urgent = 0L, place = chosen$place))
  ids <- pair_ids(e$x, chosen$pair)
  add_events(e, "choose", query = ids$query, doc = ids$doc,
             detail = sprintf("copy=%d audit=%d overlap=%d", copy, chosen$audit, chosen$overlap))
}

pair_ids <- function(x, pair) {
  quick_frame(query = x$queries$query[x$pool$query[pair]], doc = x$documents$doc[x$pool$doc[pair]])
}
