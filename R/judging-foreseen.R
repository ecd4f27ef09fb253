# Many judgments at once. Where gains are known beforehand, documents come in an order that never changes, and the goal
# needs no more than the comparisons of systems, nothing in R has to look at every judgment: the belief foresees what the
# next ones will make of the comparisons. Beliefs, goals and the trace come out as they do judgment by judgment.

can_foresee <- function(e) {
  !is.null(e$order) && e$batch == 1 && !is.null(e$goal$of_comparisons) && e$goal$delta == e$delta &&
    !is.null(belief_foresee(e$belief, integer(), numeric(), e$delta))
}

# `work`, by direct_work(), with documents that come as many at a time as can be foreseen, and are taken in when the last
# of them is judged.
foreseeing_work <- function(e, work, gain) {
  open <- !is.na(gain)
  ahead <- NULL
  work$take <- function(n, most) {
    pairs <- next_in_order(e, min(most, judgments_ahead(e)), open)$pair
    if (!length(pairs)) return(pairs)
    ahead <<- foresee_judgments(e, pairs, gain[pairs])
    ahead$pair
  }
  work$judge <- function(pair, gain) {
    open[pair] <<- FALSE
    if (pair == ahead$pair[length(ahead$pair)]) suspendInterrupts(take_foreseen(e, ahead))
  }
  work
}

# Up to the next estimation, and no more than fit into some MB.
judgments_ahead <- function(e) {
  most <- max(1, min(64, 2^20 %/% length(e$ranking$covariance)))
  due <- function(n) belief_due(e$belief, length(e$sequence) + n, e$fitted, e$update_every)
  Position(due, seq_len(most), nomatch = most)
}

# The judgments of these pairs, up to the first after which there is a reason to stop.
foresee_judgments <- function(e, pairs, gains) {
  before <- belief_pairs(e$belief, pairs)
  told <- belief_foresee(e$belief, pairs, gains, e$delta)
  looks <- length(e$goal$interest(e$ranking)) > 0
  judged <- length(e$sequence)
  rows <- vector("list", length(pairs))
  for (i in seq_along(pairs)) {
    compared <- list(difference = told$difference[, i], variance = told$variance[, i],
                     confidence = told$confidence[, i])
    aim <- e$goal$of_comparisons(compared, judged + i)
    rows[[i]] <- list(value = aim$value, confidence = mean(compared$confidence),
                      observed = if (!is.null(e$observe)) e$observe(compared))
    if (aim$reached || (looks && !any(compared$variance > 0))) break
  }
  taken <- seq_len(i)
  if (i < length(pairs)) told <- belief_foresee(e$belief, pairs[taken], gains[taken], e$delta)
  list(pair = pairs[taken], gain = gains[taken], expected = before$mean[taken], sd = sqrt(before$variance[taken]),
       rows = rows[taken], belief = told$belief)
}

# What take_judgment() does for each of them.
take_foreseen <- function(e, ahead) {
  e$belief <- ahead$belief
  e$gain[ahead$pair] <- ahead$gain
  for (i in seq_along(ahead$pair)) {
    event <- e$trace$n
    memory_append(e$standing, list(event, ahead$pair[i], ahead$gain[i]))
    row <- ahead$rows[[i]]
    memory_append(e$trace, list(event, "judge", length(e$sequence) + i, cost_so_far(e), row$value, row$confidence,
                                ahead$expected[i], ahead$sd[i]))
    if (!is.null(e$observe)) memory_append(e$observed, row$observed)
  }
  e$sequence <- c(e$sequence, ahead$pair)
  look(e)
}
