# Answers to the question which of two documents is more similar to the query: one row per worker and pair. `answer` is
# "a", "equal", "b", or NA if the worker gave none.

answer_values <- c(a = 1, equal = 0, b = -1) # the preference for doc_a as a number

# The meanings of answers, as people and models give them. A vote between systems may also be the name of a system.
answer_meanings <- c(a = "a", b = "b", equal = "equal", system_a = "a", system_b = "b", model_a = "a", model_b = "b",
                     left = "a", right = "b", leftvote = "a", rightvote = "b", tie = "equal", tievote = "equal",
                     draw = "equal", neither = "equal", same = "equal", no_preference = "equal", both_bad = "equal",
                     tie_inconsistent = "equal", "[[c]]" = "equal", "a>>b" = "a", "a>b" = "a", "a=b" = "equal",
                     "b>a" = "b", "b>>a" = "b")

# Answers as names of meanings: "Model A" is "model_a", "Response 2" "b", "tie (bothbad)" "both_bad", "[[A>>B]]" "a>>b",
# "B wins" "b".
answer_word <- function(text) {
  word <- gsub(" ", "_", gsub("[()]", "", lower_ascii(text)))
  item <- "^(answer|assistant|candidate|generator|model|option|output|response|summary|system|text|translation)_?"
  for (side in 1:2) word <- sub(paste0(item, "(", side, "|", c("a", "b")[side], ")(?=$|_)"), c("a", "b")[side], word,
                                perl = TRUE)
  word <- sub("^(tie_)?both_?(bad|good)(_vote)?$", "both_bad", word)
  sub("_(wins?|(is_)?(much_|slightly_|significantly_)?better)$", "", sub("^\\[\\[([ab<>=]+)\\]\\]$", "\\1", word))
}

# Checks answers and returns a data frame with query, doc_a, doc_b, worker and answer as text, and other columns
# unchanged. A worker answers a pair once, or, if `swapped`, once in each order of its documents. `sides`: the columns
# of the two items that are compared.
check_answers <- function(answers, arg = "answers", swapped = FALSE, sides = c("doc_a", "doc_b")) {
  if (is_source(answers)) answers <- table_from_source(answers, arg)
  answers <- check_columns(answers, c("query", sides, "worker", "answer"), arg)
  answers <- check_id_columns(answers, c("query", sides, "worker"), arg)
  warn_look_alike_between(answers[[sides[1]]], answers[[sides[2]]], sprintf("`%s` has", arg))
  answers[c("doc_a", "doc_b")] <- answers[sides]
  item_noun <- if (sides[1] == "doc_a") "document" else "system"
  answers$answer <- as.character(answers$answer)
  check_utf8(answers$answer, "answer", arg)
  meant <- unname(answer_meanings[answer_word(answers$answer)])
  answers$answer[!is.na(meant)] <- meant[!is.na(meant)]
  check_values(answers$answer, answers$answer %in% c(names(answer_values), NA), "answer", arg,
               "{.val a}, {.val equal}, {.val b} or NA", kind = "answers",
               "{.val a} says that {.field doc_a} is more like the query; NA that the worker gave no answer.")
  if ("seconds" %in% names(answers)) check_numeric_column(answers, "seconds", arg)
  self <- which(answers$doc_a == answers$doc_b)
  check_that(!length(self), arg, c(
    "A {item_noun} of {.arg {arg}} is compared with itself.",
    x = "Row {self[1]}: query {.val {answers$query[self[1]]}}, {item_noun} {.val {answers$doc_a[self[1]]}}."
  ), kind = "answers", rows = self)
  sided <- if (swapped) answers$doc_a else rep("", nrow(answers))
  repeated <- which(duplicated(data.frame(pair_key(answers), answers$worker, sided)))
  if (item_noun == "system") {
    if (length(repeated)) inform_judicious("{format_count(length(repeated))} {cli::qty(length(repeated))}vote{?s}
      {?repeats/repeat} a judge on a pair of a query, and {?counts/count} once more.", "repeated_votes",
      n = length(repeated))
    return(without_row_names(answers))
  }
  refuse_answers(answers, repeated, arg, "{?repeats/repeat} a worker on a pair.",
                 "Row {rows[1]}: worker {.val {first$worker}} on",
                 if (swapped) "Keep one answer in each order of the documents, or name each repetition as a worker."
                 else "Keep one answer per worker and pair; {.fn bradley_terry} accepts one in each order.",
                 "duplicate")
  without_row_names(answers)
}

# Raises an error if there are any `rows`. `problem` (about all of these rows), `where` (about the first one) and
# `advice` are cli messages.
refuse_answers <- function(answers, rows, arg, problem, where, advice, kind) {
  if (!length(rows)) return(invisible())
  first <- answers[rows[1], ]
  abort_judicious(c(
    paste0("{counted(length(rows), 'answer')} of {.arg {arg}} {cli::qty(length(rows))}", problem),
    x = paste(where, "{.val {first$doc_a}} and {.val {first$doc_b}} for query {.val {first$query}}."), i = advice
  ), kind, argument = arg, rows = rows)
}

# A key for each unordered pair of documents of a query: the same key whichever document is on side A.
pair_key <- function(x) {
  # Identifiers are compared by code points, because some locales treat different texts as equal.
  a <- id_text(x$doc_a)
  b <- id_text(x$doc_b)
  docs <- sort(unique(c(a, b)), method = "radix")
  swap <- match(a, docs) > match(b, docs)
  text_key(x$query, ifelse(swap, b, a), ifelse(swap, a, b))
}

# The values of answers (1, 0 or -1) for the order of documents in `pairs`: an answer to the reversed order changes its
# sign.
directed_answers <- function(answers, pairs, pair_number) {
  unname(answer_values[answers$answer]) * ifelse(answers$doc_a == pairs$doc_a[pair_number], 1, -1)
}

# The numbers of each answer by pair. `pairs`, or else the first answer to a pair, determines which document is `doc_a`.
tally_answers <- function(answers, pairs = NULL) {
  key <- pair_key(answers)
  pairs <- pairs %||% answers[!duplicated(key), c("query", "doc_a", "doc_b"), drop = FALSE]
  pair_factor <- factor(match(key, pair_key(pairs)), levels = seq_len(nrow(pairs)))
  value <- directed_answers(answers, pairs, as.integer(pair_factor))
  count <- function(kind) as.vector(table(pair_factor[value %in% kind]))
  pairs[c("n_a", "n_equal", "n_b", "n_missing")] <- lapply(c(1, 0, -1, NA), count)
  without_row_names(pairs)
}

#' Decide between two documents by significance tests
#'
#' Tests, for every pair of documents, whether the answers of workers or the rankings of assessors prefer one of them.
#' Every answer adds one rank to the sample of each document: +1 to the preferred document and -1 to the other, or 0 to
#' both if they are equal (Urbano et al. 2010, section 3.2). A one-tailed Mann-Whitney U test of the two samples, in the
#' direction of the majority, decides whether the documents differ.
#'
#' With `n` answers, the difference `d` between the numbers that prefer each document, and `e` equal answers, U = n^2/2
#' - |d| (n + e)/2. The p-value is from the exact distribution of U for two samples of size `n` without ties, or from
#'   its normal approximation for more than 50 answers; a fractional U is rounded up. With ten answers and the default
#'   level, the documents differ if `d` is at least 2. The paper does not state the level or the number of tails; only
#'   one-tailed tests at a level from .197 to .264 reproduce its published data.
#'
#' Documents that assessors ranked are compared by a one-tailed Mann-Whitney test of their ranks, in the direction of
#' the difference.
#'
#' @param answers A data frame with columns `query`, `doc_a`, `doc_b`, `worker` and `answer`: `"a"` (A is more similar
#'   to the query), `"equal"`, `"b"`, or NA for none. Or, with `pairs`, rankings as in [ordered_list()].
#' @param pairs For rankings, the pairs to compare: a data frame with columns `query`, `doc_a` and `doc_b`.
#' @param level Level of the test, above 0 and at most .5; for rankings, between 0 and 1.
#' @return For answers, a data frame with one row per pair, in order of appearance: `query`, `doc_a`, `doc_b`, the
#'   counts `n_a`, `n_equal`, `n_b` and `n_missing`, the statistic `u`, its `p_value`, and `decision`: `"less"` (A comes
#'   first in the list), `"equal"` or `"greater"`, and NA without an answer. For rankings, `pairs` with `decision`, NA
#'   if no assessor ranked one of the documents.
#' @references Urbano et al. (2010). Crowdsourcing preference judgments for evaluation of music similarity tasks. SIGIR
#'   Workshop on Crowdsourcing for Search Evaluation, 9-16.
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

check_level <- function(level) {
  check_number(level, "level", min = 0, max = 0.5)
  check_that(level != 0, "level", "must be above 0.")
}

decide_pairs <- function(n_a, n_equal, n_b, level) {
  n <- n_a + n_equal + n_b
  u <- n^2 / 2 - abs(n_a - n_b) * (n + n_equal) / 2
  p <- ifelse(n == 0, NA_real_, mann_whitney_tail(ceiling(u), n))
  data.frame(u = u, p_value = p, decision = decision_label(ifelse(p <= level, sign(n_b - n_a), 0)))
}

decision_label <- function(direction) c("less", "equal", "greater")[direction + 2]
decision_sign <- function(label) match(label, c("less", "equal", "greater")) - 2

# P(U <= u) for two samples of size n without ties: exact up to n = 50, beyond that a normal approximation with a
# continuity correction, as in stats::wilcox.test().
mann_whitney_tail <- function(u, n) {
  exact <- n > 0 & n <= 50
  p <- rep(NA_real_, length(n))
  if (any(exact)) p[exact] <- mapply(pwilcox, u[exact], n[exact], n[exact])
  large <- n > 50
  p[large] <- pnorm((u[large] + 0.5 - n[large]^2 / 2) / sqrt(n[large]^2 * (2 * n[large] + 1) / 12))
  pmin(p, 1)
}
