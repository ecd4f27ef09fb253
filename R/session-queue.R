# The queue: documents chosen ahead, so that giving one out does not wait for the choice.

# Chooses documents until the queue has `n` more, by whichever process comes first; the others wait for it. FALSE when
# nothing is left to choose.
fill_queue <- function(s, n, wait = TRUE) {
  e <- s$env
  while (!store_lock(e$store)) {
    if (!wait) return(TRUE)
    Sys.sleep(0.02)
    if (queue_length(e$store) > 0) return(TRUE)
  }
  on.exit(store_unlock(e$store))
  refresh(s)
  fit_if_due(s)
  chosen <- choose_documents(s, n)
  save_trace(e)
  chosen > 0
}

queue_length <- function(store) nrow(store_rows(store, "slot", list(state = "open")))

# Each member of a batch is a random pair with the probability of an audit; the others are chosen knowing that all
# that is given out or waiting will be judged. Every batch has random numbers of its own, made from the session's seed.
choose_documents <- function(s, n) {
  e <- s$env
  number <- as.integer(store_meta(e$store, "fills"))
  slots <- store_rows(e$store, "slot")
  free <- replace(is.na(e$gains$gain), slots$pair, FALSE)
  pending <- setdiff(slots$pair[slots$state %in% c("open", "leased")], e$gains$sequence)
  chosen <- with_seed((e$seed + 104729 * number) %% .Machine$integer.max, {
    at_random <- stats::runif(n) < e$audit
    free_pairs <- which(free)
    audited <- free_pairs[sample.int(length(free_pairs), min(sum(at_random), length(free_pairs)))]
    selected <- choose_batch(e$gains, sum(!at_random), e$goal, e$select, e$cost, replace(free, audited, FALSE),
                             pending)$pair
    data.frame(pair = c(selected, audited), audit = rep(c(0L, 1L), c(length(selected), length(audited))),
               overlap = as.integer(stats::runif(length(selected) + length(audited)) < e$overlap))
  })
  if (!nrow(chosen)) return(0L)
  store_exclusive(e$store, {
    # Somebody who was taken for dead may have filled the queue meanwhile.
    if (as.integer(store_meta(e$store, "fills")) == number) {
      set_meta(e$store, "fills", number + 1L)
      chosen <- chosen[!chosen$pair %in% store_rows(e$store, "slot", list(pair = chosen$pair))$pair, , drop = FALSE]
      open_slots(e, chosen, 1L)
    }
  })
  nrow(chosen)
}

open_slots <- function(e, chosen, copy) {
  if (!nrow(chosen)) return()
  ids <- pair_ids(e$x, chosen$pair)
  place <- add_events(e, "choose", query = ids$query, doc = ids$doc,
                      detail = sprintf("copy=%d audit=%d overlap=%d", copy, chosen$audit, chosen$overlap))
  store_insert(e$store, "slot", data.frame(chosen[c("pair", "audit", "overlap")], copy = copy, state = "open",
                                           urgent = 0L, place = place, stringsAsFactors = FALSE))
}

pair_ids <- function(x, pair) {
  data.frame(query = x$queries$query[x$pool$query[pair]], doc = x$documents$doc[x$pool$doc[pair]],
             stringsAsFactors = FALSE)
}
