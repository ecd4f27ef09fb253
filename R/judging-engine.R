# What a session knows: the joint gains after the events of the log. It is a function of the log and the fits that
# are kept with it, so any process that reads them comes to the same, to the last bit.

# The state after the last event that has a row in the trace that was saved; later events are taken in one by one. Gains
# were last made anew by a fit, or by undoing a judgment; what was judged since is added to them.
start_engine <- function(e, saved = store_rows(e$store, "trace")) {
  if (is.null(e$pool)) e$pool <- model_pool(e$x, e$model, e$opinion, e$own)
  e$trace <- new_memory_table(store_tables$trace$columns)
  memory_add(e$trace, saved[order(saved$event), , drop = FALSE])
  e$saved <- e$trace$n
  seen <- max(saved$event, 0L)
  events <- store_rows(e$store, "event", list(kind = engine_kinds))
  before <- events[events$id <= seen, , drop = FALSE]
  undos <- before[before$kind == "undo", , drop = FALSE]
  undone <- as.integer(undos$detail)
  judged <- before[before$kind == "judge" & !before$id %in% undone, , drop = FALSE]
  fits <- store_rows(e$store, "fit")
  fits <- fits[fits$event <= seen, , drop = FALSE]
  since <- judged$id > max(fits$event, undos$id[undone %in% before$id[before$kind == "judge"]], 0L)
  standing <- quick_frame(event = judged$id, pair = find_pairs(e$x, judged$query, judged$doc), gain = judged$gain)
  e$standing <- new_memory_table(c(event = "integer", pair = "integer", gain = "real"))
  memory_add(e$standing, standing[!since, , drop = FALSE])
  if (nrow(fits)) {
    last <- fits[which.max(fits$event), ]
    use_fit(e, blob_value(last), last$judged)
  } else {
    use_fit(e, fit_joint_prior(e$pool, e$model, integer(), numeric()), 0L)
  }
  for (i in which(since)) add_judgment(e, standing$event[i], standing$pair[i], standing$gain[i])
  e$seen <- seen
  if (nrow(saved)) {
    e$ranking <- ranking_of_posterior(e$x, joint_posterior(e$gains), e$gains)
    e$aim <- e$goal$progress(e$ranking)
  } else {
    add_trace(e, 0L, "start")
  }
  take_events(e, events[events$id > seen, , drop = FALSE])
}

# The kinds of events that change what is known of the gains.
engine_kinds <- c("judge", "undo", "fit")

# Brings the session up to the end of the log.
refresh <- function(s) {
  e <- s$env
  if (is.null(e$seen)) {
    start_engine(e)
  } else {
    take_events(e, store_rows(e$store, "event", list(kind = engine_kinds), after = e$seen))
  }
  invisible(s)
}

# The trace worked out again from the log alone, with `tau` against true means of the systems.
replayed_trace <- function(s, truth) {
  e <- list2env(c(as.list(s$env), list(truth = truth)), parent = emptyenv())
  e$tau <- numeric()
  start_engine(e, saved = store_rows(e$store, "trace", list(event = -1L)))
  cbind(memory_rows(e$trace), tau = e$tau)
}

take_events <- function(e, events) {
  done <- FALSE
  # What is interrupted half-way is worked out again from the log.
  on.exit(if (!done) e$seen <- NULL)
  for (i in seq_len(nrow(events))) {
    event <- lapply(events, `[`, i)
    switch(event$kind, judge = take_judgment(e, event), undo = take_undo(e, event), fit = take_fit(e, event))
    e$seen <- event$id
  }
  done <- TRUE
}

take_judgment <- function(e, event) {
  before <- add_judgment(e, event$id, find_pairs(e$x, event$query, event$doc), event$gain)
  if (is.null(before)) return(add_trace(e, event$id, "second"))
  range <- gain_range(e$gains)
  add_trace(e, event$id, "judge", worth_range(e$x$scale)[1] + range * before$mean, range * sqrt(before$variance))
}

# Returns what was expected of the pair. The earliest judgment that stands is the pair's gain; a second one tells how
# far assessors agree, and returns NULL.
add_judgment <- function(e, event, pair, gain) {
  memory_add(e$standing, quick_frame(event = event, pair = pair, gain = gain))
  if (!is.na(e$gains$gain[pair])) return(NULL)
  posterior <- joint_posterior(e$gains)
  before <- joint_pair_cpp(posterior, pair)
  joint_judge_cpp(posterior, pair, unit_gain(e$x$scale, gain))
  e$gains$gain[pair] <- gain
  e$gains$sequence <- c(e$gains$sequence, pair)
  before
}

take_undo <- function(e, event) {
  standing <- memory_rows(e$standing)
  at <- match(as.integer(event$detail), standing$event)
  # Undoing a skip leaves the gains as they are.
  if (is.na(at)) return()
  e$standing <- new_memory_table(c(event = "integer", pair = "integer", gain = "real"))
  memory_add(e$standing, standing[-at, , drop = FALSE])
  e$gains <- standing_gains(e, e$gains$fit)
  add_trace(e, event$id, "undo")
}

take_fit <- function(e, event) {
  row <- store_rows(e$store, "fit", list(event = event$id))
  use_fit(e, blob_value(row), row$judged)
  add_trace(e, event$id, "fit")
}

use_fit <- function(e, fit, judged) {
  e$gains <- standing_gains(e, fit)
  e$fitted <- judged
}

standing_gains <- function(e, fit) {
  standing <- memory_rows(e$standing)
  first <- standing[!duplicated(standing$pair), , drop = FALSE]
  gain <- rep(NA_real_, n_pairs(e$x))
  gain[first$pair] <- first$gain
  follow_measure(new_joint_gains(e$x, e$model, e$pool, fit, gain, first$pair))
}

# Where the session stands after an event.
add_trace <- function(e, event, kind, mean = NA_real_, sd = NA_real_) {
  e$ranking <- ranking_of_posterior(e$x, joint_posterior(e$gains), e$gains)
  e$aim <- e$goal$progress(e$ranking)
  memory_add(e$trace, quick_frame(event = event, kind = kind, judged = length(e$gains$sequence), cost = cost_so_far(e),
                                  value = e$aim$value, confidence = ranking_confidence(e$ranking), mean = mean,
                                  sd = sd))
  if (!is.null(e$truth)) e$tau[e$trace$n] <- pair_agreement(e$ranking$mean, e$truth, gain_resolution(e$x))
}

set_goal <- function(s, goal) {
  refresh(s)
  s$env$goal <- goal
  s$env$expected <- NULL
  s$env$aim <- goal$progress(s$env$ranking)
}

cost_so_far <- function(e) {
  pairs <- e$standing$columns$pair[seq_len(e$standing$n)]
  e$cost$judgment * length(pairs) + e$cost$new_query * length(unique(e$x$pool$query[pairs]))
}

# Kept with the session, so that nobody works it out again.
save_trace <- function(e) {
  if (e$saved == e$trace$n) return()
  store_insert(e$store, "trace", memory_rows(e$trace, seq(e$saved + 1, e$trace$n)))
  e$saved <- e$trace$n
}

# Coefficients and variances anew, when there is enough that is new. A measure that is not linear must be followed anew
# even where they rest.
fit_if_due <- function(s) {
  e <- s$env
  every <- if (is.finite(e$update_every) || is_sum(e$x)) e$update_every else 20
  if (length(e$gains$sequence) - e$fitted >= max(every, 0.2 * e$fitted)) refit(s)
}

refit <- function(s) {
  refresh(s)
  e <- s$env
  judged <- length(e$gains$sequence)
  fit <- e$gains$fit
  if (is.finite(e$update_every)) fit <- fit_to_gains(e$x, e$model, e$pool, e$gains$gain, start = fit)
  store_exclusive(e$store, {
    # Another process may have been quicker.
    if (max(store_rows(e$store, "fit")$event, 0L) <= e$seen) {
      id <- add_events(e, "fit", detail = paste0("judged=", judged))
      store_insert(e$store, "fit", blob_row(event = id, judged = judged, value = fit))
    }
  })
  refresh(s)
}

# Appends to the log; arguments are recycled.
add_events <- function(e, kind, assessor = NA_character_, query = NA_character_, doc = NA_character_, gain = NA_real_,
                       seconds = NA_real_, detail = NA_character_) {
  store_insert(e$store, "event", quick_frame(
    time = utc_text(store_now(e$store)), assessor = assessor, kind = kind, query = query, doc = doc,
    gain = as.numeric(gain), seconds = as.numeric(seconds), detail = detail
  ))
}
