# Processes many judgments at once. If gains are known beforehand, the order of the documents rarely changes, and the
# goal needs only the comparisons of systems, no R code has to run after every judgment: the belief computes the effect
# of the next judgments on the comparisons. Belief, goal and trace are the same as judgment by judgment.

# Whether a judgment is the gain itself of the document that comes next: nobody else writes to a session in memory, no
# documents are drawn for an audit or a second judgment, and judgments have no errors. In a batch, several documents are
# chosen before any of them is judged: their order depends on more.
takes_next_alone <- function(e) {
  in_memory(e$store) && e$audit == 0 && e$overlap == 0 && e$assessor == "these" && e$batch == 1
}

# Whether judgments can be foreseen: their order must be fixed, or change only with the basis of the scores; the goal
# must need only the comparisons of systems, which the belief can tell in advance.
can_foresee <- function(e) {
  has_lasting_order <- !is.null(e$order) || (!is.null(e$strategy$basis) && e$cost$new_query == 0 && !is.null(e$tie))
  takes_next_alone(e) && has_lasting_order && !is.null(e$goal$of_comparisons) && e$goal$delta == e$delta &&
    !is.null(belief_foresee(e$belief, integer(), numeric(), e$delta))
}

# Changes `work`, by stored_work(), for a session in memory whose gains are known, NA for pairs that cannot be judged.
# As many documents are taken at a time as can be foreseen; they are processed when the last of them is judged.
foreseeing_work <- function(e, work, gain, assessor) {
  is_open <- free_pairs(e, store_rows(e$store, "slot")) & !is.na(gain)
  sorted <- e$order
  basis <- ahead <- NULL
  work$take <- function(n, most) {
    if (!is.null(e$strategy$basis)) {
      now <- e$strategy$basis(compare_pairs(e$ranking))
      if (!identical(now, basis)) {
        basis <<- now
        sorted <<- sorted_pairs(e$strategy$score(e$belief, e$ranking, e$goal, e$cost$judgment), e$tie, which(is_open))
      }
    }
    pairs <- next_in_order(sorted, min(most, judgments_ahead(e)), is_open)$pair
    if (!length(pairs)) return(pairs)
    ahead <<- foresee_judgments(e, pairs, gain[pairs], basis)
    ahead$pair
  }
  work$judge <- function(pair, gain) {
    is_open[pair] <<- FALSE
    if (pair == ahead$pair[length(ahead$pair)]) suspendInterrupts(take_foreseen(e, ahead, assessor))
  }
  work
}

# Number of judgments up to the next estimation, limited so that the comparisons take a few MB at most.
judgments_ahead <- function(e) {
  most <- max(1, min(64, 2^20 %/% length(e$ranking$covariance)))
  due <- function(n) belief_due(e$belief, length(e$sequence) + n, e$fitted, e$update_every)
  Position(due, seq_len(most), nomatch = most)
}

# Judges these pairs, up to the first after which there is a reason to stop, or the order changes because the `basis` of
# the scores does.
foresee_judgments <- function(e, pairs, gains, basis) {
  before <- belief_pairs(e$belief, pairs)
  told <- belief_foresee(e$belief, pairs, gains, e$delta)
  judged <- length(e$sequence)
  looks <- length(e$goal$interest(e$ranking)) > 0
  settled <- looks & colSums(told$variance > 0) == 0
  value <- numeric()
  for (i in seq_along(pairs)) {
    compared <- comparisons_after(told, i)
    state <- e$goal$of_comparisons(compared, judged + i)
    value[i] <- state$value
    if (state$reached || settled[i]) break
    if (!is.null(basis) && !identical(e$strategy$basis(compared), basis)) break
  }
  taken <- seq_along(value)
  if (i < length(pairs)) told <- belief_foresee(e$belief, pairs[taken], gains[taken], e$delta)
  list(pair = pairs[taken], gain = gains[taken], expected = before$mean[taken], sd = sqrt(before$variance[taken]),
       value = value, told = told)
}

# The comparisons after the first `i` judgments, of what belief_foresee() told.
comparisons_after <- function(told, i) lapply(told[c("difference", "variance", "confidence")], function(of) of[, i])

# Logs several judgments, and does what take_judgment() does for each of them.
take_foreseen <- function(e, ahead, assessor) {
  n <- length(ahead$pair)
  open_slots(e, quick_frame(pair = ahead$pair, audit = 0L, overlap = 0L, place = 0), 1L)
  judge_pairs(e, ahead$pair, ahead$gain, assessor)
  event <- store_rows(e$store, "event", list(kind = "judge"), after = e$seen)$id
  memory_add(e$judgments, quick_frame(event = event, pair = ahead$pair, gain = ahead$gain, assessor = assessor))
  confidence <- vapply(seq_len(n), function(i) mean_confidence(comparisons_after(ahead$told, i)), 0)
  memory_add(e$trace, quick_frame(
    event = event, kind = "judge", judged = length(e$sequence) + seq_len(n),
    cost = e$cost$judgment * (judgments_made(e) - n + seq_len(n)), value = ahead$value, confidence = confidence,
    mean = ahead$expected, sd = ahead$sd
  ))
  e$belief <- ahead$told$belief
  e$gain[ahead$pair] <- ahead$gain
  e$sequence <- c(e$sequence, ahead$pair)
  e$seen <- event[n]
  update_ranking(e)
}
