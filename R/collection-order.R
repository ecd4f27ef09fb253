# The order of results in a list, by one rule for evaluate(), test_collection() and every command: by scores if there
# are any, unless `ties` is "rank", and otherwise by ranks.

# The number of the list of each row, from 1. There is one list per system and query.
list_id <- function(runs) {
  system_code <- match(runs$system, unique(runs$system))
  query_ids <- unique(runs$query)
  as.double(system_code - 1) * length(query_ids) + match(runs$query, query_ids)
}

# The values of `ties`, which determine the order of results with equal scores. evaluate() also has "expected", a mean
# over all such orders.
list_ties <- c("trec_eval", "rank", "identifier", "error")

#' Find the values by which to order the results of each list
#'
#' @param runs A data frame with `doc` and, if known, `rank` and `score`.
#' @param ties A value of `list_ties`, or "expected".
#' @return A list: `policy`, what orders the lists: "score", "rank" or "unranked"; `key`, of which higher values come
#'   first, or NULL; `doc`; `ascending`, whether equal keys are in ascending order of document ids.
#' @noRd
list_key <- function(runs, ties, precision = "double") {
  check_that(ties != "rank" || "rank" %in% names(runs), "ties", "{.code ties = \"rank\"} needs a column {.val rank}.",
             kind = "columns")
  policy <- if (ties == "rank" || !"score" %in% names(runs)) "rank" else "score"
  if (policy == "rank" && !"rank" %in% names(runs)) policy <- "unranked"
  key <- switch(policy, rank = -runs$rank, score = if (precision == "single") single_precision_cpp(runs$score) else
    runs$score)
  list(policy = policy, key = key, doc = runs$doc, ascending = ties == "identifier", precision = precision)
}

# The order of the results, list by list. `keyed`: the result of list_key().
order_results <- function(list, keyed) {
  if (is.null(keyed$key)) return(order(list))
  place <- order(list, -keyed$key, method = "radix")
  if (keyed$policy == "rank") return(place)
  # Identifiers only decide ties of scores, so only tied results are sorted by them.
  tied <- equals_neighbour(list[place], keyed$key[place])
  if (any(tied)) {
    rows <- place[tied]
    doc <- keyed$doc
    if (keyed$ascending && all(grepl("^[0-9]+$", doc))) doc <- as.numeric(doc)
    place[tied] <- rows[order(list[rows], keyed$key[rows], doc[rows], decreasing = c(FALSE, TRUE, !keyed$ascending),
                              method = "radix")]
  }
  place
}

# Whether each element equals the previous or the next one in both vectors.
equals_neighbour <- function(list, key) {
  n <- length(list)
  same <- list[-1] == list[-n] & key[-1] == key[-n]
  c(FALSE, same) | c(same, FALSE)
}

# The ways to handle a document that occurs several times in a list: raise an error, or keep its best position.
list_duplicates <- c("error", "best")

# The rows of results, without those that repeat a document at a worse position of the list.
rows_of_best_places <- function(list, doc, keyed) {
  place <- order_results(list, keyed)
  is_repeated <- duplicated(combination_code(list, doc)[place])
  if (any(is_repeated)) {
    n <- sum(is_repeated)
    inform_judicious("{format_count(n)} {cli::qty(n)}result{?s} {?repeats/repeat} a document of {?its/their} list, of
      which the best place counts.", "duplicate_result", n = n)
  }
  sort(place[!is_repeated])
}

# The results with ranks from 1 in each list, if they have an order.
ranked_runs <- function(runs, ties, duplicates) {
  list_code <- list_id(runs)
  keyed <- list_key(runs, ties)
  if (keyed$policy != "unranked") check_list_order(list_code, runs, keyed, ties)
  if (duplicates == "best") {
    runs <- runs[rows_of_best_places(list_code, runs$doc, keyed), , drop = FALSE]
    list_code <- list_id(runs)
    keyed <- list_key(runs, ties)
  }
  if (keyed$policy == "unranked") return(runs[c("system", "query", "doc")])
  runs$rank <- number_in_lists(list_code, order_results(list_code, keyed))
  runs[c("system", "query", "doc", "rank")]
}

#' Describe the ranks of each list, to find errors in them
#'
#' @return A data frame, one row per list: `row` (the first of its rows), `n`, `lowest` and `highest` rank, `repeated`
#'   (the number of results with a rank that another one of the list has), `rises` (the number of documents with a
#'   higher score than the document ranked directly above), `level` (all of its scores are equal), and `falling` (its
#'   rows are in descending order of their ranks). Scores are compared in single precision.
#' @noRd
list_facts <- function(list, runs) {
  n <- length(list)
  score <- if ("score" %in% names(runs)) single_precision_cpp(as.numeric(runs$score)) else numeric(n)
  sorted <- order(list, runs$rank, -score, method = "radix")
  rank <- runs$rank[sorted]
  same <- c(FALSE, list[sorted][-1] == list[sorted][-n])
  group <- cumsum(!same)
  count <- function(flag) tabulate(group[flag], max(group))
  equal <- same & c(FALSE, diff(rank) == 0)
  step <- c(0, diff(score[sorted]))
  starts <- which(!same)
  ends <- c(starts[-1] - 1L, n)
  by_row <- order(list, method = "radix")
  falls <- same & c(FALSE, diff(runs$rank[by_row]) < 0)
  size <- ends - starts + 1L
  data.frame(row = sorted[starts], n = size, lowest = rank[starts], highest = rank[ends],
             repeated = count(equal | c(equal[-1], FALSE)), rises = count(same & step > 0),
             level = "score" %in% names(runs) & count(same & step == 0) == size - 1L & size > 1,
             falling = count(falls) == size - 1L & size > 1)
}

# Raises an error if a list has no order, and reports ranks that are not used or had to be changed.
check_list_order <- function(list_code, runs, keyed, ties, arg = "runs") {
  if (keyed$policy == "score") {
    if (ties == "error") check_tied_scores(list_code, runs, keyed)
    if (!"rank" %in% names(runs)) return(invisible())
  }
  facts <- list_facts(list_code, runs)
  facts[c("system", "query")] <- runs[facts$row, c("system", "query")]
  if (keyed$policy == "rank") check_ranks(list_code, runs, facts, arg)
  note_ranks(facts, keyed$policy, "score" %in% names(runs))
}

check_tied_scores <- function(list_code, runs, keyed) {
  sorted <- order_results(list_code, keyed)
  tied <- which(equals_neighbour(list_code[sorted], keyed$key[sorted]))
  first <- runs[sorted[tied[1]], ]
  place <- tied[1] - match(list_code[sorted[tied[1]]], list_code[sorted]) + 1
  abort_unless(!length(tied), c(
    "{format_count(length(tied))} results have a score that another result of their list has.",
    x = "The first are of system {.val {first$system}}, query {.val {first$query}}, from rank {place} on.",
    i = if (keyed$precision == "single") "Scores are compared in single precision."
  ), "tie", n = length(tied))
}

# If ranks order the lists, they must be whole numbers, and no two documents of a list may have the same rank. Documents
# that occur twice are reported by code_results().
check_ranks <- function(list_code, runs, facts, arg) {
  check_values(runs$rank, runs$rank >= 0 & runs$rank == trunc(runs$rank), "rank", arg, "whole numbers from 1")
  if (!any(facts$repeated > 0)) return(invisible())
  same <- duplicated(data.frame(list_code, runs$rank)) & !duplicated(data.frame(list_code, runs$doc))
  first_row <- which(same)[1]
  constant <- facts$n > 1 & facts$lowest == facts$highest
  scored <- "score" %in% names(runs)
  abort_unless(!any(same), c(
    "{format_count(sum(same))} {cli::qty(sum(same))}result{?s} of {.arg {arg}} {cli::qty(sum(same))}{?has/have} a
      rank that another document of the same list has, so that the ranks do not order the lists.",
    x = "System {.val {runs$system[first_row]}}, query {.val {runs$query[first_row]}}: rank {runs$rank[first_row]}
      twice.",
    x = if (all(constant[facts$n > 1])) "In every list, all documents have the same rank.",
    i = if (scored) "To order by {.val score}, leave {.arg ties} at its default." else
      "Give a column {.val score}, or number the documents of each list from 1."
  ), "duplicate_rank", argument = arg, rows = which(same))
}

# How the ranks of each list are numbered: "" from 1; "index" if numbering continues from one query of a system to the
# next; "offset" if it begins above 1 for another reason.
rank_numbering <- function(facts) {
  kind <- ifelse(facts$lowest > 1, "offset", "")
  runs_on <- function(lists) {
    lists <- lists[order(facts$lowest[lists])]
    length(lists) > 1 && all(facts$lowest[lists][-1] > facts$highest[lists][-length(lists)])
  }
  for (lists in split(seq_along(kind), match(facts$system, unique(facts$system)))) {
    if (any(kind[lists] == "offset") && runs_on(lists)) kind[lists][kind[lists] == "offset"] <- "index"
  }
  kind
}

#' Report, in one message, the lists whose ranks are not 1, 2, 3, ... or are not used
#'
#' @param facts By list_facts(), with `system` and `query`.
#' @param by "score" or "rank", what orders the lists.
#' @param scored Whether the runs have scores.
#' @param of The number of all lists; `facts` may leave out the lists of systems whose ranks are as expected.
#' @noRd
note_ranks <- function(facts, by, scored, n_lists = nrow(facts)) {
  constant <- facts$n > 1 & facts$lowest == facts$highest
  kind <- rank_numbering(facts)
  if (by == "score") {
    uneven <- facts$system[facts$n > 1 & !facts$level]
    kind[facts$level & !facts$system %in% uneven] <- "level"
    kind[facts$repeated > 0] <- "repeated"
    kind[constant] <- "constant"
    kind[facts$rises > 0] <- "contradicted"
  } else {
    kind[kind == "" & facts$lowest == 0] <- "zero"
    kind[kind == "" & facts$highest - facts$lowest >= facts$n] <- "gaps"
    if (!scored) report_descending(facts)
  }
  found <- table(factor(kind, names(rank_problems)))
  found <- found[found > 0]
  if (!length(found)) return(invisible())
  sentences <- vapply(names(found), function(name) {
    of_kind <- which(kind == name)
    first <- facts[of_kind[1], ]
    range <- if (first$lowest == first$highest) paste("rank", first$lowest) else
      paste("ranks", first$lowest, "to", first$highest)
    sprintf("%s: %s of %s, first of system %s, query %s (%s).", rank_problems[[name]], counted(length(of_kind), "list"),
            name_some(facts$system[of_kind], 3), quoted(first$system), quoted(first$query), range)
  }, "")
  n <- counted(n_lists, "list")
  head <- if (by == "score") {
    "The scores order the lists; the ranks of {format_count(sum(found))} of {n} are not 1, 2, 3, ... in this order."
  } else {
    "The ranks of {format_count(sum(found))} of {n} are not 1, 2, 3, ...; documents are ranked in their order."
  }
  further <- if (by == "score" && any(c("contradicted", "level") %in% names(found))) {
    "{.code ties = \"rank\"} orders the lists by their ranks."
  }
  names(sentences) <- rep("*", length(sentences))
  inform_judicious(c(head, gsub("([{}])", "\\1\\1", sentences), i = further), "rank", kinds = names(found))
}

rank_problems <- c(
  contradicted = "Ranks contradict the scores", constant = "All documents have the same rank",
  repeated = "Documents have the same rank", level = "All scores are equal, so that document ids decide",
  index = "Ranks run on from query to query", offset = "Ranks begin late", zero = "Ranks begin at 0",
  gaps = "Ranks are missing"
)

# Reports systems whose lists are all written from the last rank to the first, because rank 1 of such a system may mean
# the worst document.
report_descending <- function(facts) {
  may_fall <- facts$falling | facts$n == 1
  systems <- setdiff(facts$system[facts$n > 2 & facts$falling], facts$system[!may_fall])
  if (!length(systems)) return(invisible())
  inform_judicious(c(
    "The rows of {length(systems)} system{?s} are in descending order of their ranks: {name_some(systems)}.",
    i = "Rank 1 is taken as the best, which is in the last row of a list."
  ), "rank", kinds = "falling")
}
