# How far judging is: the progress towards a goal, the end of judging, and what it has cost.

# The end of judging: the event in the log after which a goal counts as met, and the texts that report it.
#
# Judging ends once, for all assessors. The process that finds the goal reached writes an event, of the kind "met", or
# "spent" for a budget. From then on the goal counts as reached, even if judgments of documents that were assigned
# before change its value. Judging continues only after an event that changes the state on which the end was based: an
# addition to the collection ("add"), another goal ("reopen"), or the undoing of a judgment that counted ("undo"). The
# end thus depends on the log alone. If a process crashes before it writes the event, the next process finds the goal
# reached and writes it.

end_kinds <- c("met", "spent")

# Whether the ranking reaches the goal. A goal that counts as reached only because a budget is spent is not met.
is_met <- function(state) isTRUE(state$met %||% state$reached)

# The event that states the end of judging, from the environment of a session. `seen`: the last event that was processed
# before it. `part`: if goals are combined, the number of the first one that the ranking reaches; otherwise, or if a
# budget is spent, 0. `value`: the value of that goal, or the confidence if a budget is spent.
end_of_judging <- function(engine) {
  state <- engine$progress
  spent <- !is_met(state)
  part <- if (spent) NA else Position(is_met, state$parts)
  value <- if (spent) confidence_of_pairs(engine$ranking)$mean else stated_value(state, part)
  target <- if (is_number(state$asked)) state$asked else NA_real_
  numbers <- sprintf("judgments=%d judged=%d value=%.17g asked=%.17g pool=%d seen=%d part=%d", count_judgments(engine),
                     length(engine$sequence), value, target, n_pairs(engine$x), engine$seen,
                     if (is.na(part)) 0L else part)
  list(kind = end_kinds[1 + spent],
       detail = paste0(numbers, " measure=", measure_label(engine$x), " goal=", engine$goal$label))
}

stated_value <- function(state, part) if (isTRUE(part > 0)) state$parts[[part]]$value else state$value

# Parses an event that states the end of judging; NULL if it is not readable.
parse_end <- function(event) {
  fields <- c("judgments", "judged", "value", "asked", "pool", "seen", "part")
  pattern <- paste0("(?s)^", paste0(fields, "=([^ ]+) ", collapse = ""), "measure=.*? goal=(.*)$")
  found <- regmatches(event$detail, regexec(pattern, event$detail, perl = TRUE))[[1]]
  numbers <- suppressWarnings(as.numeric(found[1 + seq_along(fields)]))
  numbers <- stats::setNames(as.list(numbers), fields)
  counts <- setdiff(fields, c("value", "asked"))
  numbers[counts] <- lapply(numbers[counts], as.integer)
  # The value and the target of a custom goal may be missing, but the counts must be there.
  if (anyNA(numbers[counts])) return(NULL)
  c(numbers, goal = found[length(fields) + 2], spent = event$kind == "spent")
}

# Processes an event of the log that ends or reopens judging. `engine$end`: the current end; `engine$broken`: the last
# event that may have reopened judging; `engine$reopened`: why judging continues after an end.
process_end <- function(engine, event, undone_judgment = TRUE) {
  if (event$kind %in% end_kinds) accept_end(engine, parse_end(event)) else
    if (event$kind != "undo" || undone_judgment) reopen_judging(engine, event)
}

# An end does not count if there is one already, if it is for another goal, or if the process that wrote it had not read
# the last event that may have reopened judging.
accept_end <- function(engine, end) {
  if (!is.null(engine$end) || is.null(end) || end$seen < engine$broken ||
      !identical(end$goal, engine$goal$label)) return(invisible())
  engine$end <- end
  engine$reopened <- NULL
}

reopen_judging <- function(engine, event) {
  engine$broken <- event$id
  # Undoing a judgment that was made after the end reopens nothing, because that judgment did not count.
  if (event$kind == "undo" && !isTRUE(as.integer(event$detail) <= engine$end$seen)) return(invisible())
  why <- switch(event$kind, undo = "a judgment that counted was undone", add = paste(event$detail, "were added"),
                event$detail)
  # A process that already has the new goal has not accepted the end for the previous goal, so `engine$end` may be NULL
  # although judging goes on after an end. The reason is stated in this case, too.
  if (!is.null(engine$end) || event$kind == "reopen" && !is.na(why)) engine$reopened <- why
  engine$end <- NULL
}

# The progress of a goal. A goal is not reached before `least_judgments`, because it would depend mostly on the prior,
# nor while systems lack judgments. The field `early` has the minimum number of judgments if the goal waits for it.
progress_of <- function(ranking, value, required, compare = `>=`) {
  minimum <- min(least_judgments, n_pairs(ranking$collection))
  is_early <- max(ranking$judgments, ranking$judged) < minimum
  holds <- compare(value, required)
  c(list(value = value, asked = required, reached = holds && !is_early && !any(ranking$lacking)),
    if (holds && is_early) list(early = minimum))
}

# The larger of two probabilities: that the sign of the difference is right, and that the systems are equal in practice.
decided_confidence <- function(compared, equal) {
  if (is.null(equal)) return(compared$confidence)
  pmax(compared$confidence, equal_probability(compared$difference, compared$variance, equal))
}

# The number of judgments at which a goal ends judging, from the budgets in its recipe.
budget_of <- function(recipe) {
  if (identical(recipe$maker, "goal_budget")) return(recipe$arguments$n)
  if (is.null(recipe$goals)) return(Inf)
  (if (recipe$word == "or") min else max)(vapply(recipe$goals, budget_of, 1))
}

# Whether the goal is a target for the mean confidence. Plots show such a target as a line.
is_mean_confidence <- function(goal) grepl("^\\(*mean confidence", goal$label) && isTRUE(goal$asked <= 1)

# Updates the progress towards the goal. Once judging has ended, the goal counts as reached, whatever its value is now.
set_progress <- function(engine) {
  state <- engine$goal$progress(engine$ranking)
  if (!is.null(engine$end)) {
    state[c("reached", "met", "end")] <- list(TRUE, !engine$end$spent, engine$end)
  } else if (!state$reached && !is.null(engine$reopened)) {
    state$reopened <- engine$reopened
  }
  engine$progress <- state
}

# Why judging has stopped; NULL while it continues. `open`: the number of documents that are neither judged nor skipped;
# `skipped`: the number of skipped ones.
why_stopped <- function(goal, confidence, open = NULL, skipped = 0) {
  if (isTRUE(goal$reached)) return(why_ended(goal, confidence))
  if (isTRUE(open == 0) && skipped > 0) return("not met, and all other documents are skipped")
  if (isTRUE(open == 0)) "nothing left that could change it" else if (isTRUE(goal$paused)) "paused by the lead"
}

# Why judging ended. If judgments after the end have changed the value of the goal, the text states both values.
why_ended <- function(goal, confidence) {
  end <- goal$end
  spent <- !is_met(goal)
  value <- value_text(if (spent) confidence else stated_value(goal, end$part))
  is_later <- !is.null(end) && (end$judgments != goal$judgments || value_text(end$value) != value)
  if (!is_later) return(if (spent) paste("budget spent at confidence", value) else "goal met")
  sprintf("%s at %s (%s%s); now %s with %s", if (spent) "budget spent" else "goal met",
          counted(end$judgments, "judgment"), if (spent) "confidence " else "", value_text(end$value), value,
          format_count(goal$judgments))
}

# A value of a goal as text: with three decimals, or a whole number if the value is a number of ranks.
value_text <- function(value) {
  if (isTRUE(value > 1 && value == round(value))) format_count(value) else sub("^0", "", sprintf("%.3f", value))
}

# A value and its target, such as "0.752 of 0.95". If the value misses the target, the text has enough digits to show
# this.
value_and_target_text <- function(state) {
  digits <- 4
  while (!isTRUE(state$reached) && digits < 15 && isTRUE(state$value != state$asked) &&
           format_short(state$value, digits) == format_short(state$asked, digits)) digits <- digits + 1
  paste(format_short(state$value, digits), "of", format_short(state$asked, digits))
}

# The label of a goal, without the outer parentheses that combined goals have.
goal_text <- function(goal) if (!is.null(goal)) sub("^\\((.*)\\)$", "\\1", goal$label)

# A sentence on the state of a session's goal, from progress().
goal_state <- function(progress) {
  with(progress, why_stopped(goal, confidence, open, skipped)) %||% unmet_text(progress$goal, progress$nouns)
}

# The minimum number of judgments (`least_judgments`) if a goal, or one of the goals that it combines, waits only for
# this number; otherwise NULL.
early_limit <- function(progress) unlist(c(progress["early"], lapply(progress$parts, `[[`, "early")))[1]

unmet_text <- function(goal, nouns = nouns_of_documents) {
  early <- early_limit(goal)
  state <- if (isTRUE(goal$waits)) {
    in_words_of(nouns, sprintf("not met before %d documents of every system are judged", min_judged_of_system))
  } else if (length(early)) {
    paste("not met before", counted(early, "judgment"))
  } else {
    "not met yet"
  }
  paste0(state, if (!is.null(goal$reopened)) paste0("; judging goes on because ", goal$reopened))
}

# What judging has cost.

# The price of a judgment for each of these assessors. Assessors without an individual price have the price without a
# name or, if there is none, the highest price.
judgment_price <- function(cost, assessor = "") {
  price <- unname(cost$judgment)
  priced <- names(cost$judgment) %||% ""
  others <- c(price[!nzchar(priced)], max(price))[1]
  ifelse(assessor %in% priced[nzchar(priced)], price[match(assessor, priced)], others)
}

# The assessors with an individual price.
priced_assessors <- function(cost) setdiff(names(cost$judgment), "")

# What was paid for: the number of judgments by each assessor with an individual price and by all others, and the
# queries that were judged. Only the judgments since the last call are counted.
paid_so_far <- function(engine) {
  priced <- priced_assessors(engine$cost)
  spent <- engine$spent %||% list(n = 0L, by = integer(length(priced) + 1), queries = logical(nrow(engine$x$queries)))
  new <- spent$n + seq_len(engine$judgments$n - spent$n)
  paid <- new[!duplicated(engine$judgments$columns$event[new])]
  priced_assessor <- match(engine$judgments$columns$assessor[paid], priced, nomatch = length(priced) + 1L)
  spent$by <- spent$by + tabulate(priced_assessor, length(spent$by))
  spent$queries[engine$x$pool$query[engine$judgments$columns$pair[new]]] <- TRUE
  spent$n <- engine$judgments$n
  engine$spent <- spent
}

# The cost of all judgments.
cost_so_far <- function(engine) {
  paid <- paid_so_far(engine)
  sum(paid$by * judgment_price(engine$cost, c(priced_assessors(engine$cost), ""))) +
    engine$cost$new_query * sum(paid$queries)
}

# The number of judgments that were not undone; NULL if they have not been read yet. A right answer counts as one
# judgment, regardless of the number of documents that it judges.
count_judgments <- function(engine) {
  if (!is.null(engine$judgments)) sum(paid_so_far(engine)$by)
}
