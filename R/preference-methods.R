#' @export
as.data.frame.judicious_preferences <- function(x, ...) x$pairs

#' @export
summary.judicious_preferences <- function(object, ...) {
  n <- table(object$candidates$query)
  kept <- !object$answers$worker %in% object$blocked
  used <- pair_key(object$answers) %in% pair_key(object$pairs)
  structure(list(
    queries = length(n), candidates = sum(n), all_pairs = sum(n * (n - 1) / 2), pairs = nrow(object$pairs),
    open_pairs = sum(object$pairs$needed > 0), answers = sum(kept & used & !is.na(object$answers$answer)),
    missing = sum(kept & is.na(object$answers$answer)), unused = sum(kept & !used),
    workers = length(unique(object$answers$worker[kept])), blocked = length(object$blocked),
    blocked_answers = sum(!kept), iterations = max(0, object$pairs$iteration),
    groups = sum(sorting_tree(object)$state != "split"),
    violations = nrow(transitivity_violations(object)),
    answers_needed = object$answers_needed, level = object$level, complete = !any(object$pairs$needed > 0)
  ), class = "judicious_preferences_summary")
}

#' @export
print.judicious_preferences <- print.judicious_collection

#' @export
print.judicious_preferences_summary <- function(x, ...) {
  print_row <- function(label, ...) cat_row(label, ..., width = 11)
  cat("Preference judgments, ", counted(x$answers_needed, "answer"), " a pair, level ", format(x$level), "\n", sep = "")
  print_row("candidates", format_count(x$candidates), " of ", count_queries(x$queries))
  print_row("pairs", format_count(x$pairs), " asked of ", format_count(x$all_pairs),
      if (x$all_pairs > 0) paste0(" (", percent(x$pairs / x$all_pairs), ")"), " in ",
        counted(x$iterations, "iteration"))
  print_row("answers", format_count(x$answers), " by ", counted(x$workers, "worker"),
      if (x$missing) paste0("; ", format_count(x$missing), " missing"),
      if (x$unused) paste0("; ", format_count(x$unused), " not used at present"))
  if (x$blocked) print_row("blocked", counted(x$blocked, "worker"), " with ", counted(x$blocked_answers, "answer"))
  if (x$violations) print_row("transitivity", counted(x$violations, "triple"), " of documents that no order fits")
  print_row("lists", if (x$complete) paste("complete,", counted(x$groups, "group")) else
    paste("open:", counted(x$open_pairs, "pair"), "to ask, see next_pairs()"))
  invisible(x)
}

#' @export
as.data.frame.judicious_preferences_summary <- function(x, ...) as.data.frame(unclass(x))

#' Find inconsistent preferences
#'
#' Returns the decisions about pairs of documents that contradict each other.
#'
#' @param x A session, by [preference_session()], or answers as in [preference_decisions()].
#' @param level Level of the test that decides the pairs, if `x` are answers; a session has its own.
#' @param property `"transitivity"` of the decisions of a query, or `"symmetry"` between queries and documents, which
#'   requires queries that are documents of other queries.
#' @return A data frame of the triples of documents whose three decisions fit no ordering, even one with ties: `query`,
#'   `doc_1`, `doc_2`, `doc_3` and `kind`: `"cycle"`, `"equals that differ"` (two equalities and a difference; the only
#'   kind in a session) or `"equals apart"` (two equal documents on opposite sides of the third).
#'
#'   With `property = "symmetry"`, the cases in which A is preferred to B for query C, but C is not preferred to B for
#'   query A (Urbano et al. 2010, section 6; see [preference_decisions()]): `query` is C, `doc_1` is A, `doc_2` is B,
#'   and `kind` is the decision for query A: `"equal"`, or `"opposite"` if B is preferred. The attribute `checked` is
#'   the number of cases in which both pairs were decided.
#' @examples
#' answers <- data.frame(query = "q", doc_a = c("x", "y", "z"), doc_b = c("y", "z", "x"),
#'                       worker = rep(1:4, each = 3), answer = "a")
#' transitivity_violations(answers)
#' @export
transitivity_violations <- function(x, level = 0.25, property = c("transitivity", "symmetry")) {
  property <- check_choice(property, c("transitivity", "symmetry"), "property")
  pairs <- if (inherits(x, "judicious_preferences")) x$pairs else preference_decisions(x, level)
  pairs <- pairs[!is.na(pairs$decision), , drop = FALSE]
  if (property == "symmetry") return(find_asymmetries(pairs))
  rows <- lapply(unique(pairs$query), function(query) {
    query_pairs <- pairs[pairs$query == query, , drop = FALSE]
    docs <- unique(c(query_pairs$doc_a, query_pairs$doc_b))
    found <- find_violations(docs, sign_matrix(docs, query_pairs))
    if (!is.null(found)) cbind(data.frame(query = query), found)
  })
  none <- data.frame(query = character(), doc_1 = character(), doc_2 = character(), doc_3 = character(),
                     kind = character())
  do.call(rbind, c(list(none), rows))
}

find_asymmetries <- function(pairs) {
  direction <- decision_sign(pairs$decision)
  preferred <- ifelse(direction < 0, pairs$doc_a, pairs$doc_b)
  other <- ifelse(direction < 0, pairs$doc_b, pairs$doc_a)
  swapped <- data.frame(query = preferred, doc_a = pairs$query, doc_b = other)
  swapped_row <- match(pair_key(swapped), pair_key(pairs))
  both <- which(direction != 0 & !is.na(swapped_row))
  # In the swapped pair, the preferred document is the query, and the original query is one of the documents. The
  # decision on it is 1 if the original query is preferred, as symmetry requires.
  decided <- direction[swapped_row[both]] * ifelse(pairs$doc_a[swapped_row[both]] == pairs$query[both], -1, 1)
  found <- both[decided != 1]
  structure(data.frame(query = pairs$query[found], doc_1 = preferred[found], doc_2 = other[found],
                       kind = ifelse(decided[decided != 1] == 0, "equal", "opposite")), checked = length(both))
}
