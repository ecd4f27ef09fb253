#' When has enough been judged?
#'
#' Goals of a [judging_session()]. Combine them with `&` (all must be reached) and `|` (one suffices).
#'
#' - `goal_mean()`: the mean confidence over all pairs of systems, as in Urbano and Schedl (2013). Systems that are
#'   equal, because they retrieved the same or because all that tells them apart is judged, count 1/2: with a copy among
#'   three systems the mean cannot exceed 5/6.
#' - `goal_all_pairs()`: the confidence of every pair of systems. A pair that no judgment can change is not waited for.
#' - `goal_top()`: the confidence that each of the best `k` systems is better than each of the others.
#' - `goal_beats()`: the confidence of every comparison with one system.
#' - `goal_absolute()`: the mean confidence, over the systems, that a system's mean effectiveness is within `margin` of
#'   its estimate, as [absolute_confidence()] has it.
#' - `goal_width()`: the width of each system's interval, as a share of the range of the measure.
#' - `goal_budget()`: a number of judgments.
#'
#' @param confidence The confidence asked for, between 0 and 1.
#' @param delta The smallest difference in effectiveness that is of interest, in units of the measure.
#' @param k The number of best systems.
#' @param baseline The identifier of a system.
#' @param margin How far from its estimate a system's effectiveness may be, in units of the measure.
#' @param width The width asked for, as a share of the range of the measure.
#' @param level The probability of the interval.
#' @param n A number of judgments.
#' @param e1,e2 Goals.
#' @return A `judicious_goal`.
#' @examples
#' goal_mean(0.95) | goal_budget(200)
#' goal_top(3, 0.9, delta = 1) & goal_width(0.05)
#' @name goals
NULL

# `progress(ranking)` is a list of `value`, `asked` and `reached`; `interest(ranking)` a list of what judgments should
# serve, each by `want()`. `delta` is what the goal's confidences are of.
new_goal <- function(label, delta, progress, interest) {
  structure(list(label = label, delta = delta, progress = progress, interest = interest), class = "judicious_goal")
}

# Symmetric weights of the pairs of systems, whose differences are of interest beyond `delta`, and weights of single
# systems.
want <- function(pairs, systems = numeric(nrow(pairs)), delta = 0) {
  list(list(pairs = pairs, systems = systems, delta = delta))
}

# Where a goal does not care what is judged, as a budget does not, every comparison counts.
wants_of <- function(goal, ranking) {
  wants <- goal$interest(ranking)
  if (length(wants)) wants else want(every_pair(ranking) * 1)
}

# What every goal over comparisons shares: confidences beyond `delta` of the pairs that `concerned()` marks.
comparison_goal <- function(label, confidence, delta, summarise, concerned, drop_decided = FALSE, call = caller_env()) {
  check_number(confidence, "confidence", min = 0, max = 1, open = TRUE, call = call)
  check_number(delta, "delta", min = 0, call = call)
  label <- paste0(label, " ", format(confidence), if (delta > 0) paste0(" (differences above ", format(delta), ")"))
  confidences <- function(ranking) confidence_matrix(ranking, delta)
  new_goal(label, delta, function(ranking) {
    pairs <- concerned(ranking) & upper.tri(ranking$covariance)
    open <- pairs & ranking$difference_variance > 0
    value <- if (any(pairs)) summarise(confidences(ranking)[if (drop_decided) open else pairs]) else 1
    list(value = value, asked = confidence, reached = value >= confidence)
  }, function(ranking) {
    pairs <- concerned(ranking)
    if (drop_decided) pairs <- pairs & confidences(ranking) < confidence
    want(pairs * 1, delta = delta)
  })
}

every_pair <- function(ranking) `diag<-`(matrix(TRUE, length(ranking$mean), length(ranking$mean)), FALSE)

smallest <- function(confidence) if (length(confidence)) min(confidence) else 1

#' @rdname goals
#' @export
goal_mean <- function(confidence = 0.95, delta = 0) {
  comparison_goal("mean confidence", confidence, delta, mean, every_pair)
}

#' @rdname goals
#' @export
goal_all_pairs <- function(confidence = 0.95, delta = 0) {
  comparison_goal("confidence of every pair", confidence, delta, smallest, every_pair, drop_decided = TRUE)
}

#' @rdname goals
#' @export
goal_top <- function(k, confidence = 0.95, delta = 0) {
  check_count(k, "k")
  comparison_goal(sprintf("confidence in the best %d", as.integer(k)), confidence, delta, smallest, function(ranking) {
    n <- length(ranking$mean)
    if (k >= n) abort_judicious("The collection has {n} system{?s}: {.arg k} must be smaller, not {k}.", "argument",
                                argument = "k", call = NULL)
    top <- rank(-ranking$mean, ties.method = "first") <= k
    outer(top, top, "!=")
  }, drop_decided = TRUE)
}

#' @rdname goals
#' @export
goal_beats <- function(baseline, confidence = 0.95, delta = 0) {
  check_string(baseline, "baseline")
  comparison_goal(paste("confidence against", baseline), confidence, delta, smallest, function(ranking) {
    is_it <- names(ranking$mean) == baseline
    if (!any(is_it)) abort_judicious("The collection has no system {.val {baseline}}.", "argument",
                                     argument = "baseline", call = NULL)
    outer(is_it, is_it, "!=")
  }, drop_decided = TRUE)
}

#' @rdname goals
#' @export
goal_absolute <- function(margin, confidence = 0.95) {
  check_number(margin, "margin", min = 0, max = Inf, open = TRUE)
  check_number(confidence, "confidence", min = 0, max = 1, open = TRUE)
  label <- paste0("mean confidence ", format(confidence), " that systems are within ", format(margin))
  new_goal(label, 0, function(ranking) {
    value <- mean(absolute_confidence(ranking, margin)$confidence)
    list(value = value, asked = confidence, reached = value >= confidence)
  }, function(ranking) {
    m <- length(ranking$mean)
    sd <- system_sd(ranking)
    # The rate at which a system's confidence grows as its variance falls, times its standard deviation, which is the
    # unit that select_gradient() expects.
    rate <- ifelse(sd > 0, stats::dnorm(margin / sd) * margin / sd^2, 0)
    want(matrix(0, m, m), rate)
  })
}

#' @rdname goals
#' @export
goal_width <- function(width, level = 0.95) {
  check_number(width, "width", min = 0)
  check_number(level, "level", min = 0, max = 1, open = TRUE)
  widths <- function(ranking) {
    2 * stats::qnorm((1 + level) / 2) * system_sd(ranking) / measure_span(ranking$collection)
  }
  new_goal(paste("intervals no wider than", format(width)), 0, function(ranking) {
    value <- max(widths(ranking))
    list(value = value, asked = width, reached = value <= width)
  }, function(ranking) {
    m <- length(ranking$mean)
    want(matrix(0, m, m), as.numeric(widths(ranking) > width))
  })
}

#' @rdname goals
#' @export
goal_budget <- function(n) {
  check_count(n, "n", min = 0)
  new_goal(counted(n, "judgment"), 0, function(ranking) {
    list(value = ranking$judged, asked = n, reached = ranking$judged >= n)
  }, function(ranking) list())
}

combine_goals <- function(e1, e2, word, reached, call = caller_env()) {
  check_class(e1, "judicious_goal", "e1", "goal_mean", call)
  check_class(e2, "judicious_goal", "e2", "goal_mean", call)
  label <- paste0("(", e1$label, " ", word, " ", e2$label, ")")
  new_goal(label, max(e1$delta, e2$delta), function(ranking) {
    a <- e1$progress(ranking)
    b <- e2$progress(ranking)
    list(value = a$value, asked = a$asked, reached = reached(a$reached, b$reached),
         parts = c(parts_of(e1, a), parts_of(e2, b)))
  }, function(ranking) {
    # A goal that is reached wants nothing more, unless both are.
    open <- Filter(function(g) !g$progress(ranking)$reached, list(e1, e2))
    unlist(lapply(if (length(open)) open else list(e1, e2), function(g) g$interest(ranking)), recursive = FALSE)
  })
}

# Where each of the goals that were combined stands.
parts_of <- function(goal, progress) progress$parts %||% list(c(list(label = goal$label), progress))

#' @rdname goals
#' @export
`&.judicious_goal` <- function(e1, e2) combine_goals(e1, e2, "and", `&&`)

#' @rdname goals
#' @export
`|.judicious_goal` <- function(e1, e2) combine_goals(e1, e2, "or", `||`)

#' @export
print.judicious_goal <- function(x, ...) {
  cat("Goal: ", x$label, "\n", sep = "")
  invisible(x)
}

# Whether the goal is one confidence in the whole ranking, which pictures then show as a bar or line of its own.
is_mean_confidence <- function(goal) grepl("^\\(*mean confidence", goal$label) && isTRUE(goal$asked <= 1)
