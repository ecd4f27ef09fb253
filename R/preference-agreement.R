#' Compute the agreement between workers
#'
#' `worker_agreement()` computes how much workers agree, and `batch_summary()` summarises the answers of each iteration.
#' Two answers to a pair score 2 if they are the same, 1 if exactly one of them is `"equal"`, and 0 if they prefer
#' different documents. Agreement is the sum of the scores over all pairs of answers, divided by its maximum (Urbano et
#' al. 2010, section 5.3; see [preference_decisions()]). Missing answers are ignored.
#'
#' @param answers Answers as in [preference_decisions()], or a session, by [preference_session()], without blocked
#'   workers.
#' @param price Price of one answer, including fees and missing answers, or NULL.
#' @param group NULL, or the group of each worker, for the agreement within and between groups: a vector named by
#'   worker, or the name of a column of `answers`.
#' @return `worker_agreement()`: a data frame with one row per pair of documents: `query`, `doc_a`, `doc_b`, the counts
#'   of the answers, and `agreement`, NA with fewer than two. With `group`, one row per pair of groups: `group_1` and
#'   `group_2` (equal for the agreement within a group), the number of `comparisons` of two answers, and their
#'   `agreement`.
#'
#'   `batch_summary()`, for a session or answers with a column `iteration`: a data frame with one row per `iteration`
#'   and the columns of the paper's Table 2: the numbers of `pairs`, `answers`, `missing` answers, `workers` and
#'   `previous_workers` (who had answered in an earlier iteration), their share `previous_share`, `median_seconds`, the
#'   mean `agreement` over pairs, `minutes` from the first to the last answer, and `cost`; and the number of `comments`
#'   (section 5.2). Unknown ones are NA; `answers` may have columns `seconds`, `time` (date-times, or seconds) and
#'   `comment`.
#' @seealso [worker_quality()] for single workers, [agreement()] for chance-corrected coefficients.
#' @examples
#' crowd <- simulate_crowd(list(q = c(x = 2, y = 0, z = -1)), workers = 12, seed = 1)
#' s <- run_session(preference_session(list(q = c("x", "y", "z")), seed = 1), crowd)
#' worker_agreement(s)
#' batch_summary(s, price = 0.025)
#' @export
worker_agreement <- function(answers, group = NULL) {
  if (!is.null(group)) return(group_agreement(answers, group))
  pairs <- tally_answers(valid_answers(answers))
  pairs$agreement <- agreement_from_counts(pairs$n_a, pairs$n_equal, pairs$n_b)
  pairs
}

agreement_from_counts <- function(a, equal, b) {
  n <- a + equal + b
  points <- a * (a - 1) + equal * (equal - 1) + b * (b - 1) + equal * (a + b)
  ifelse(n < 2, NA_real_, points / (n * (n - 1)))
}

#' @rdname worker_agreement
#' @export
batch_summary <- function(answers, price = NULL) {
  if (!is.null(price)) check_number(price, "price", min = 0)
  if (inherits(answers, "judicious_preferences")) {
    pairs <- answers$pairs
    answers <- valid_answers(answers)
    answers$iteration <- pairs$iteration[match(pair_key(answers), pair_key(pairs))]
    answers <- answers[!is.na(answers$iteration), , drop = FALSE]
  } else {
    answers <- check_answers(answers)
    check_columns(answers, "iteration", "answers")
  }
  minutes <- as.numeric(answers[["time"]] %||% rep(NA, nrow(answers))) / 60
  seen <- character()
  rows <- lapply(sort(unique(answers$iteration)), function(i) {
    in_iteration <- answers$iteration == i
    batch <- answers[in_iteration, , drop = FALSE]
    workers <- unique(batch$worker)
    previous <- sum(workers %in% seen)
    seen <<- union(seen, workers)
    valid <- !is.na(batch$answer)
    data.frame(iteration = i, pairs = length(unique(pair_key(batch))), answers = sum(valid), missing = sum(!valid),
               workers = length(workers), previous_workers = previous, previous_share = previous / length(workers),
               median_seconds = stats::median(batch[["seconds"]] %||% NA_real_, na.rm = TRUE),
               agreement = mean(worker_agreement(batch)$agreement, na.rm = TRUE),
               minutes = diff(range(minutes[in_iteration])),
               cost = if (is.null(price)) NA_real_ else price * nrow(batch),
               comments = if (is.null(batch[["comment"]])) NA_integer_ else sum(grepl("[^[:space:]]", batch$comment)))
  })
  do.call(rbind, rows)
}

group_agreement <- function(answers, group) {
  answers <- valid_answers(answers)
  label <- worker_group(answers, group)
  groups <- sort(unique(label[!is.na(label)]), method = "radix")
  pairs <- tally_answers(answers)[c("query", "doc_a", "doc_b")]
  counts <- lapply(groups, function(g) tally_answers(answers[which(label == g), , drop = FALSE], pairs))
  of_groups <- expand.grid(second = seq_along(groups), first = seq_along(groups))
  of_groups <- of_groups[of_groups$first <= of_groups$second, ]
  rows <- Map(function(i, j) {
    x <- counts[[i]]
    y <- counts[[j]]
    n_x <- x$n_a + x$n_equal + x$n_b
    same <- x$n_a * y$n_a + x$n_equal * y$n_equal + x$n_b * y$n_b
    partial <- x$n_equal * (y$n_a + y$n_b) + y$n_equal * (x$n_a + x$n_b)
    comparisons <- if (i == j) n_x * (n_x - 1) / 2 else n_x * (y$n_a + y$n_equal + y$n_b)
    agreement <- if (i == j) agreement_from_counts(x$n_a, x$n_equal, x$n_b) else (same + partial / 2) / comparisons
    used <- comparisons > 0
    data.frame(group_1 = groups[i], group_2 = groups[j], comparisons = sum(comparisons),
               agreement = if (any(used)) stats::weighted.mean(agreement[used], comparisons[used]) else NA_real_)
  }, of_groups$first, of_groups$second)
  do.call(rbind, unname(rows))
}

worker_group <- function(answers, group) {
  if (is_string(group) && is.null(names(group))) {
    check_columns(answers, group, "answers")
    return(as.character(answers[[group]]))
  }
  check_that(!is.null(names(group)), "group", "must be a vector named by worker, or a column of {.arg answers}.")
  as.character(group[match(answers$worker, names(group))])
}

#' @export
ratings_of.data.frame <- function(x) {
  # The columns of votes between systems would count as raters.
  if (is_votes(x)) x <- votes_as_answers(x, NULL)
  if (all(c("query", "doc_a", "doc_b", "worker", "answer") %in% names(x))) return(answer_matrix(x))
  if (!all(c("query", "doc", "gain", "assessor") %in% names(x))) return(x)
  x$assessor <- id_text(x$assessor)
  warn_look_alike(look_alike(x$assessor), "Column \"assessor\" of `x` has")
  # A matrix with pairs in rows and assessors in columns.
  unit <- text_key(x$query, x$doc)
  rated <- one_rating_each(unit, x$assessor, x$gain, paste0("query ", x$query, ", document ", x$doc))
  without_row_names(value_matrix(unit[rated], x$assessor[rated], x$gain[rated]))
}

# The rows of ratings to use. Equal ratings of a unit by the same rater count once, with a message; different ones raise
# an error, because it is not known which is right.
one_rating_each <- function(unit, rater, value, name) {
  rated <- which(!is.na(value))
  key <- text_key(unit[rated], rater[rated])
  first <- rated[match(key, key)]
  unequal <- rated[value[first] != value[rated]]
  i <- unequal[1]
  before <- first[match(i, rated)]
  check_that(!length(unequal), "x", c(
    "has {format_count(length(unequal))} rating{?s} that {?differs/differ} from another by the same assessor of the same
      unit.",
    x = "The first: {.val {rater[i]}} rates {name[i]} {value[before]} in row {before} and {value[i]} in row {i}.",
    i = "Keep the one that is meant, such as the latest."), kind = "duplicate", rows = unequal)
  n <- sum(duplicated(key))
  if (n) inform_judicious("{cli::qty(n)}{format_count(n)} rating{?s} by the same assessor of the same unit
    {cli::qty(n)}{?is repeated, and counts/are repeated, and count} once.", "repeated_ratings", n = n)
  rated[!duplicated(key)]
}

# Matrix of answers for the coefficients of agreement: pairs of documents in rows, workers in columns; 1 for document A,
# 0 for equal and -1 for document B.
answer_matrix <- function(answers) {
  answers <- valid_answers(answers)
  pairs <- tally_answers(answers)
  pair_number <- match(pair_key(answers), pair_key(pairs))
  out <- value_matrix(pair_number, answers$worker, directed_answers(answers, pairs, pair_number))
  rownames(out) <- paste(pairs$query, pairs$doc_a, pairs$doc_b)
  out
}
