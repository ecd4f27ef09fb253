# Recovers the initial order of a finished sort: one from which preference_session(order = "given") asks the same pairs
# in the same iterations. The crowd of 2010 was published without it.
#
# The order follows from the pivots, batch by batch: the pivot of a segment is the document that all pairs of the
# segment in the batch have in common, and was its last document. Pairs that no sort by pivots asks raise an error of
# class "judicious_error_not_a_sort". `answers` have a column `iteration`, the batch of the pair.
#
# If only one pair of a segment was left to compare, either document may have been the pivot. The one that comes later
# in `candidates` is selected. If the two documents differ, the choice changes the list, because former pivots, which
# are equal to both, stay in the group of the pivot. The attribute "ambiguous" is a data frame of these segments:
# `query`, `iteration`, `pivot` (the selected one), `other` and `matters` (whether the choice changes the list).
recover_order <- function(answers, candidates = NULL, level = 0.25, missing = c("ask", "equal", "drop")) {
  answers <- check_answers(answers)
  check_columns(answers, "iteration", "answers")
  check_level(level)
  missing <- check_choice(missing, c("ask", "equal", "drop"), "missing")
  pairs <- tally_answers(answers)
  pairs$iteration <- answers$iteration[match(pair_key(pairs), pair_key(answers))]
  if (missing == "equal") pairs$n_equal <- pairs$n_equal + pairs$n_missing
  pairs$decision <- decide_pairs(pairs$n_a, pairs$n_equal, pairs$n_b, level)$decision
  pairs$decision[is.na(pairs$decision)] <- "equal"
  if (is.null(candidates)) {
    candidates <- unique(data.frame(query = c(pairs$query, pairs$query), doc = c(pairs$doc_a, pairs$doc_b)))
  }
  candidates <- check_candidates(candidates)
  error_call <- rlang::current_env()
  parts <- lapply(unique(candidates$query), function(query) {
    docs <- candidates$doc[candidates$query == query]
    recover_query(query, docs, pairs[pairs$query == query, , drop = FALSE], error_call)
  })
  recovered <- data.frame(query = rep(vapply(parts, `[[`, "", "query"), lengths(lapply(parts, `[[`, "docs"))),
                      doc = unlist(lapply(parts, `[[`, "docs")))
  attr(recovered, "ambiguous") <- do.call(rbind, lapply(parts, `[[`, "ambiguous"))
  recovered
}

recover_query <- function(query, docs, pairs, call) {
  n <- length(docs)
  iteration <- matrix(NA_integer_, n, n)
  ij <- cbind(match(pairs$doc_a, docs), match(pairs$doc_b, docs))
  lost <- setdiff(c(pairs$doc_a, pairs$doc_b), docs)
  abort_unless(!length(lost), "{.arg answers} for query {.val {query}} name documents that are not candidates:
    {name_some(lost)}.", "unknown_document", argument = "answers", call = call)
  iteration[ij] <- iteration[ij[, 2:1, drop = FALSE]] <- as.integer(pairs$iteration)
  direction <- sign_matrix(docs, pairs)
  reached <- diag(n) > 0
  ambiguous <- list()
  # Orders the documents of a segment such that sorting them selects the observed pivots. `former`, the former pivots of
  # the segment, come first.
  sort_segment <- function(segment, former, i) {
    rest <- setdiff(segment, former)
    if (all(reached[segment, segment])) return(rest)
    compared <- which(iteration == i & !reached, arr.ind = TRUE)
    compared <- compared[compared[, 1] %in% segment & compared[, 2] %in% segment, , drop = FALSE]
    possible <- Filter(function(p) is_pivot(p, setdiff(rest, p), compared, reached), rest)
    abort_unless(length(possible) != 0, c(
      "The pairs of query {.val {query}} in iteration {i} are not those of a sort by pivots.",
      x = "The segment of {name_some(docs[segment])} was compared otherwise.",
      i = "Check {.field iteration}, {.arg level} and {.arg missing}."
    ), "not_a_sort", query = query, iteration = i, call = call)
    pivot <- possible[length(possible)]
    others <- setdiff(segment, pivot)
    if (length(possible) > 1) {
      ambiguous[[length(ambiguous) + 1]] <<- data.frame(
        query = query, iteration = i, pivot = docs[pivot], other = docs[possible[1]],
        matters = direction[pivot, possible[1]] != 0 && length(segment) > 2
      )
    }
    reached[others, pivot] <<- reached[pivot, others] <<- TRUE
    side <- direction[others, pivot]
    equal <- others[side == 0]
    sorted <- c(sort_segment(others[side < 0], intersect(former, others[side < 0]), i + 1L),
               sort_segment(c(pivot, equal), c(pivot, intersect(former, equal)), i + 1L),
               sort_segment(others[side > 0], intersect(former, others[side > 0]), i + 1L))
    c(sorted, pivot)
  }
  sorted <- sort_segment(seq_len(n), integer(), 1L)
  list(query = query, docs = docs[sorted], ambiguous = do.call(rbind, ambiguous))
}

# Whether the pairs that were `compared` are those of document `p` with each of the others that it has not yet met.
is_pivot <- function(p, others, compared, reached) {
  new <- others[!reached[others, p]]
  length(new) > 0 && setequal(new, setdiff(compared, p)) && all(compared[, 1] == p | compared[, 2] == p)
}
