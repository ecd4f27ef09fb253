# Answers to "which of two documents is more like the query?": one row per worker and pair,
# `answer` one of "a", "equal", "b", or NA where the worker gave none.

answer_values <- c(a = 1, equal = 0, b = -1) # the rank that doc_a's sample gets

# A data frame with query, doc_a, doc_b, worker and answer as text, other columns untouched.
check_answers <- function(answers, arg = "answers", call = caller_env()) {
  check_columns(answers, c("query", "doc_a", "doc_b", "worker", "answer"), arg, call = call)
  for (column in c("query", "doc_a", "doc_b", "worker")) {
    answers[[column]] <- check_ids(answers[[column]], column, arg, call = call)
  }
  answers$answer <- as.character(answers$answer)
  bad <- which(!is.na(answers$answer) & !answers$answer %in% names(answer_values))
  if (length(bad)) {
    abort_judicious(c(
      "Column {.val answer} of {.arg {arg}} must hold {.val a}, {.val equal}, {.val b} or NA.",
      x = "Row {bad[1]} holds {.val {answers$answer[bad[1]]}}.",
      i = "{.val a} says that {.field doc_a} is more like the query; NA that the worker gave no answer."
    ), "answers", argument = arg, rows = bad, call = call)
  }
  if ("seconds" %in% names(answers) && !is.numeric(answers$seconds)) {
    abort_judicious(paste0("Column {.val seconds} of {.arg {arg}} must be numeric, not ",
                           "{.obj_type_friendly {answers$seconds}}."),
                    "columns", argument = arg, columns = "seconds", call = call)
  }
  self <- which(answers$doc_a == answers$doc_b)
  if (length(self)) {
    abort_judicious(c("A document of {.arg {arg}} is compared with itself.",
                      x = paste0("Row {self[1]}: query {.val {answers$query[self[1]]}}, document ",
                                 "{.val {answers$doc_a[self[1]]}}.")),
                    "answers", argument = arg, rows = self, call = call)
  }
  twice <- which(duplicated(data.frame(pair_key(answers), answers$worker)))
  if (length(twice)) {
    i <- twice[1]
    abort_judicious(c(
      paste0("{format_count(length(twice))} {cli::qty(length(twice))}answer{?s} of {.arg {arg}} ",
             "{cli::qty(length(twice))}{?repeats/repeat} a worker on a pair."),
      x = paste0("Row {i}: worker {.val {answers$worker[i]}} on {.val {answers$doc_a[i]}} and ",
                 "{.val {answers$doc_b[i]}} for query {.val {answers$query[i]}}."),
      i = "Keep one answer per worker and pair."
    ), "duplicate", argument = arg, rows = twice, call = call)
  }
  rownames(answers) <- NULL
  answers
}

# One text per unordered pair of documents of a query, whichever side each was shown on.
pair_key <- function(x) {
  # By code points: some locales hold different texts to be equal.
  a <- id_text(x$doc_a)
  b <- id_text(x$doc_b)
  docs <- sort(unique(c(a, b)), method = "radix")
  swap <- match(a, docs) > match(b, docs)
  text_key(x$query, ifelse(swap, b, a), ifelse(swap, a, b))
}

# Counts per pair, the pair's sides as in its first row (or as in `pairs`).
tally_answers <- function(answers, pairs = NULL) {
  key <- pair_key(answers)
  first <- !duplicated(key)
  pairs <- pairs %||% answers[first, c("query", "doc_a", "doc_b"), drop = FALSE]
  at <- factor(match(key, pair_key(pairs)), levels = seq_len(nrow(pairs)))
  flipped <- answers$doc_a != pairs$doc_a[as.integer(at)]
  value <- unname(answer_values[answers$answer]) * ifelse(flipped, -1, 1)
  count <- function(which) as.vector(table(at[which]))
  pairs$n_a <- count(which(value == 1))
  pairs$n_equal <- count(which(value == 0))
  pairs$n_b <- count(which(value == -1))
  pairs$n_missing <- count(which(is.na(value)))
  rownames(pairs) <- NULL
  pairs
}

#' Decide which of two documents is preferred
#'
#' Tests, for every pair of documents, whether the answers of workers or the rankings of assessors prefer one. Every
#' answer adds one rank to the sample of each document of its pair: +1 to the preferred
#' one and -1 to the other, or 0 to both when they are called equal (Urbano et al. 2010, section
#' 3.2). The two samples of a pair mirror each other, and a one-tailed Mann-Whitney U test on
#' them, in the direction of the majority, says whether the documents differ.
#'
#' With `n` answers, `d` the difference between the two documents' counts and `e` equal answers, U = n^2/2 - |d| (n +
#' e)/2. It is referred to the exact distribution of U for two samples of `n` without ties, a fractional U counting as
#' the next whole one, as with a printed table of critical values. With ten answers and the default level the critical
#' value is 40: the documents differ when their counts differ by two or more. The paper states neither level nor
#' tails; with ten answers levels from .197 to .264 make the decisions that its published data show: they alone give
#' the aggregated counts of its Table 3 (56 less, 110 equal, 115 greater), every batch that was asked, and the
#' published lists.
#'
#' Two documents that assessors ranked are compared by a one-tailed test of their ranks, in the direction of the
#' difference. With [judgment_agreement()] this compares a crowd's decisions with experts who ranked (section 5.3).
#'
#' @param answers A data frame with columns `query`, `doc_a`, `doc_b`, `worker` and `answer`:
#'   `"a"` (document A is more like the query), `"equal"`, `"b"`, or NA for none. Or, with `pairs`, rankings as in
#'   [ordered_list()].
#' @param pairs For rankings, pairs of documents: a data frame with columns `query`, `doc_a` and `doc_b`.
#' @param level The test's level, above 0 and at most .5.
#' @return A data frame with one row per pair, in order of appearance: `query`, `doc_a`, `doc_b`,
#'   the counts `n_a`, `n_equal`, `n_b` and `n_missing`, the statistic `u`, its `p_value`, and
#'   `decision`: `"less"` (A < B: A comes first in the list), `"equal"` or `"greater"`, NA where
#'   nobody answered. From rankings: `pairs` with a column `decision`, NA where nobody ranked one of the two.
#' @references Urbano, J., Morato, J., Marrero, M. and Martin, D. (2010). Crowdsourcing
#'   preference judgments for evaluation of music similarity tasks. ACM SIGIR Workshop on
#'   Crowdsourcing for Search Evaluation, 9-16.
#' @examples
#' answers <- data.frame(query = "q", doc_a = "x", doc_b = "y", worker = 1:10,
#'                       answer = rep(c("a", "equal", "b"), c(4, 4, 2)))
#' preference_decisions(answers)
#' @export
preference_decisions <- function(answers, level = 0.25, pairs = NULL) {
  if (!is.null(pairs)) return(ranking_decisions(answers, pairs, level))
  check_level(level)
  pairs <- tally_answers(check_answers(answers))
  cbind(pairs, decide_pairs(pairs$n_a, pairs$n_equal, pairs$n_b, level))
}

check_level <- function(level, call = caller_env()) {
  check_number(level, "level", min = 0, max = 0.5, call = call)
  if (level == 0) abort_judicious("{.arg level} must be above 0.", "argument", argument = "level", call = call)
}

decide_pairs <- function(n_a, n_equal, n_b, level) {
  n <- n_a + n_equal + n_b
  u <- n^2 / 2 - abs(n_a - n_b) * (n + n_equal) / 2
  p <- ifelse(n == 0, NA_real_, mann_whitney_tail(ceiling(u), n))
  direction <- ifelse(p <= level, sign(n_b - n_a), 0)
  data.frame(u = u, p_value = p, decision = decision_label(direction), stringsAsFactors = FALSE)
}

decision_label <- function(direction) c("less", "equal", "greater")[direction + 2]
decision_sign <- function(label) match(label, c("less", "equal", "greater")) - 2

# P(U <= u) for two samples of n without ties: exact up to 50, normal with continuity beyond,
# as in stats::wilcox.test().
mann_whitney_tail <- function(u, n) {
  exact <- n > 0 & n <= 50
  p <- rep(NA_real_, length(n))
  if (any(exact)) p[exact] <- mapply(pwilcox, u[exact], n[exact], n[exact])
  large <- n > 50
  p[large] <- pnorm((u[large] + 0.5 - n[large]^2 / 2) / sqrt(n[large]^2 * (2 * n[large] + 1) / 12))
  pmin(p, 1)
}
