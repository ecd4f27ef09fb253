# Who should judge which document next, where assessors differ in price and in the errors of their judgments.

# The best `n` tasks of a session among some assessors, each document at most once: a data frame with `pair`,
# `assessor`, `again` (a second judgment) and `score`, the value of the judgment divided by its price.
best_tasks <- function(e, assessors, n = 1) {
  again <- matrix(FALSE, n_pairs(e$x), length(assessors))
  value <- matrix(-Inf, n_pairs(e$x), length(assessors))
  for (i in seq_along(assessors)) {
    asked <- engine_for(e, assessors[i])
    open <- open_tasks(e, assessors[i])
    again[, i] <- open$again
    candidates <- open$free | open$again
    if (any(candidates)) value[, i] <- with_seed(1, scores_in(asked, view_with(asked, open$pending), candidates))
  }
  who <- max.col(value, ties.method = "first")
  best <- value[cbind(seq_along(who), who)]
  pair <- largest(best, n)
  pair <- pair[best[pair] > -Inf]
  quick_frame(pair = pair, assessor = assessors[who[pair]], again = again[cbind(pair, who[pair])], score = best[pair])
}

next_of_session <- function(s, n) {
  check_session(s)
  e <- s$env
  update_estimates(e)
  priced <- priced_assessors(e$cost)
  if (length(priced)) {
    tasks <- best_tasks(e, priced, n)
  } else {
    open <- open_tasks(e)
    tasks <- with_seed(1, choose_batch(e, n, FALSE, open$free | open$again, open$pending))
  }
  data <- data.frame(pair_ids(e$x, tasks$pair), score = tasks$score, stringsAsFactors = FALSE)
  if (length(priced)) cbind(data, tasks[c("assessor", "again")]) else data
}

# Judging with the log of the session by several assessors: `asks` is a list of functions of pairs, named by assessors.
# Each time, the assessor with the best task is asked. Who returns NULL is not asked again.
shared_work <- function(s, asks) {
  e <- s$env
  work <- stored_work(s, "")
  turn <- NULL
  stopped <- character()
  work$take <- function(n, most) {
    left <- setdiff(names(asks), stopped)
    while (length(left)) {
      turn <<- c(best_tasks(e, left)$assessor, left)[1]
      pairs <- hold_documents(e, min(n, most), turn)$pair
      if (length(pairs)) return(pairs)
      left <- setdiff(left, turn)
    }
    integer()
  }
  work$judge <- function(pair, gain) judge_pairs(e, pair, gain, turn)
  work$skip <- function(pair) skip_pairs(e, pair, NA_character_, turn)
  work$release <- function() {
    release_held(e, turn)
    stopped <<- c(stopped, turn)
    length(stopped) < length(asks)
  }
  list(work = work, ask = function(pairs) asks[[turn]](pairs))
}
