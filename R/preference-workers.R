#' Assess the quality of workers
#'
#' Computes the speed, bias and agreement of every worker, and flags workers who answer like a robot.
#'
#' `agreement` compares the worker's answers with all others to the same pairs, as [worker_agreement()]. `others` is the
#' agreement of the other workers among themselves on these pairs. `majority` is the share of the worker's answers that
#' are the most frequent answer of the others, where there is one.
#'
#' `p_equal` is the probability that answers drawn at random from those of the others to the same pairs would all be
#' `"equal"`. A worker is flagged as `"always equal"` if `p_equal` is below `level` divided by the number of workers
#' (Bonferroni), and as `"constant time"` if at least five answers took the same number of seconds.
#'
#' @param answers Answers as in [preference_decisions()], or a session, whose blocked workers are included.
#' @param level Probability, from 0 to 1, that any worker is flagged as `"always equal"` by chance.
#' @return A `judicious_worker_quality`: a data frame with one row per worker, in order of appearance: `worker`,
#'   `answers`, `missing`, `share_equal`, `share_a` (among the answers that are not equal), `median_seconds`,
#'   `sd_seconds`, `agreement`, `others`, `majority`, `p_equal` and `robot`: `""`, `"always equal"`, `"constant time"`
#'   or both.
#' @examples
#' similarity <- list(q = setNames(seq(6, -6, -2), letters[1:7]))
#' crowd <- simulate_crowd(similarity, workers = 12, equal_robots = 1, seed = 1)
#' s <- run_session(preference_session(list(q = letters[1:7]), seed = 1), crowd, seed = 2)
#' q <- worker_quality(s)
#' q[q$robot != "", ]
#' block_workers(s, q$worker[q$robot != ""])
#' @export
worker_quality <- function(answers, level = 0.01) {
  check_number(level, "level", min = 0, max = 1)
  answers <- if (inherits(answers, "judicious_preferences")) answers$answers else check_answers(answers)
  seconds <- answers[["seconds"]] %||% rep(NA_real_, nrow(answers))
  workers <- unique(answers$worker)
  worker_factor <- factor(answers$worker, levels = workers)
  measured <- answers_of_others(answers)
  answered <- !is.na(answers$answer)
  n <- as.vector(table(worker_factor[answered]))
  by_worker <- function(x, f, ...) as.vector(tapply(x, worker_factor, f, ...))
  mean_of <- function(x) by_worker(x, mean, na.rm = TRUE)
  all_equal <- by_worker(answers$answer %in% "equal" | !answered, all) & n > 0
  p_equal <- ifelse(all_equal, exp(by_worker(ifelse(answered, log(measured$share_equal), 0), sum)), 1)
  same_time <- by_worker(round(seconds), function(s) sum(!is.na(s)) >= 5 && length(unique(s[!is.na(s)])) == 1)
  always <- p_equal < level / length(workers)
  robot <- paste0(ifelse(always, "always equal", ""), ifelse(always & same_time, ", ", ""),
                  ifelse(same_time, "constant time", ""))
  out <- data.frame(
    worker = workers, answers = n, missing = as.vector(table(worker_factor[!answered])),
    share_equal = mean_of(ifelse(answered, answers$answer == "equal", NA)),
    share_a = mean_of(ifelse(answers$answer %in% c("a", "b"), answers$answer == "a", NA)),
    median_seconds = by_worker(seconds, stats::median, na.rm = TRUE),
    sd_seconds = by_worker(seconds, stats::sd, na.rm = TRUE),
    agreement = mean_of(measured$agreement), others = mean_of(measured$others), majority = mean_of(measured$majority),
    p_equal = p_equal, robot = robot)
  for (column in names(out)) if (is.numeric(out[[column]])) out[[column]][is.nan(out[[column]])] <- NA
  structure(out, class = c("judicious_worker_quality", "data.frame"))
}

# Compares each answer with the answers of other workers to the same pair: how far they agree with it (`agreement`) and
# with each other (`others`), whether it is their `majority`, and the share of "equal" among them.
answers_of_others <- function(answers) {
  pairs <- tally_answers(answers)
  pair_number <- match(pair_key(answers), pair_key(pairs))
  value <- directed_answers(answers, pairs, pair_number)
  n_a <- pairs$n_a[pair_number] - (value %in% 1)
  n_equal <- pairs$n_equal[pair_number] - (value %in% 0)
  n_b <- pairs$n_b[pair_number] - (value %in% -1)
  n <- n_a + n_equal + n_b
  same <- ifelse(value == 1, n_a, ifelse(value == 0, n_equal, n_b))
  partial <- ifelse(value == 0, n_a + n_b, n_equal)
  top <- pmax(n_a, n_equal, n_b)
  has_majority <- (n_a == top) + (n_equal == top) + (n_b == top) == 1 & n > 0
  data.frame(agreement = ifelse(n > 0, (same + partial / 2) / n, NA),
             others = ifelse(is.na(value), NA, agreement_from_counts(n_a, n_equal, n_b)),
             majority = ifelse(has_majority & !is.na(value), same == top, NA), share_equal = (n_equal + 0.5) / (n + 1))
}

#' @export
print.judicious_worker_quality <- function(x, n = 10, ...) {
  robots <- x[x$robot != "", , drop = FALSE]
  cat(counted(nrow(x), "worker"), ", ", counted(sum(x$answers), "answer"), "; ",
      if (nrow(robots)) paste0("like robots: ", paste0(robots$worker, " (", robots$robot, ")",
                                                       collapse = ", ")) else "none answers like a robot",
      "\n", sep = "")
  print_rows(as.data.frame(x)[setdiff(names(x), "robot")], n, "worker", digits = 3)
  invisible(x)
}
