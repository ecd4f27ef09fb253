#' Check runs before they are evaluated
#'
#' Looks for mistakes in runs that make an evaluation wrong without an error, such as tied scores and missing queries.
#'
#' @param x Runs as in [evaluate()]: a data frame, paths of files, or a [test_collection()].
#' @param judgments Optional judgments, as in [evaluate()]. NULL skips this comparison, even if `x` has some.
#' @param documents Optional metadata, as in [test_collection()]; NULL uses those of a collection `x`. With a column
#'   `artist` or `album`, results that share it with the query are reported.
#' @return A `judicious_run_check`: a list of data frames, each empty if there is no such problem. `print()` summarises
#'   it; `as.data.frame()` combines it into one data frame with columns `problem`, `system`, `query`, `detail`.
#'   - `duplicates` (`system`, `query`, `doc`, `times`): documents that occur more than once in a list;
#'   - `ties` (`system`, `query`, `documents`, `deepest`, `of`): documents with tied scores, the largest group of ties,
#'     and the length of the list;
#'   - `rank_gaps` (`system`, `query`, `lowest`, `highest`, `documents`): lists whose ranks are not 1, 2, 3, ...: their
#'     lowest and highest rank, and their length;
#'   - `rank_order` (`system`, `query`, `documents`): the number of documents with a higher score than the one ranked
#'     directly above;
#'   - `missing` (`system`, `query`): systems without results for a query that other systems or the judgments have;
#'   - `short` (`system`, `query`, `documents`, `longest`): lists shorter than the system's longest list;
#'   - `unknown_queries` (`query`): queries without judgments; `idle_queries` (`query`): judged ones without results;
#'   - `unjudged` (`system`, `documents`, `judged`, `share`): systems of which no result is judged;
#'   - `identical` (`system`, `as`): systems with the same lists as the system `as`;
#'   - `filtered` (`system`, `query`, `doc`, `shares`): results that share their `"document"`, `"artist"` or `"album"`
#'     with the query, which `test_collection(filter = )` removes.
#'
#' @examples
#' runs <- data.frame(
#'   system = rep(c("A", "B"), each = 3), query = c("q1", "q1", "q2", "q1", "q1", "q1"),
#'   doc = c("d1", "d1", "d2", "d1", "d2", "d3"), score = c(3, 2, 1, 2, 2, 1)
#' )
#' check_runs(runs)
#' @export
check_runs <- function(x, judgments = NULL, documents = NULL) {
  if (is_source(documents)) documents <- metadata_from_path(documents, "documents")
  collection <- if (inherits(x, "judicious_collection")) x
  x <- checked_runs(if (is.null(collection)) x else as.data.frame(x), "x")
  truth <- if (!is.null(judgments)) check_id_columns(as_judgments(judgments), c("query", "doc"), "judgments")
  system_code <- factor(x$system, unique(x$system))
  query <- factor(x$query, unique(x$query))
  list_code <- interaction(query, system_code, sep = "\r")
  place_of <- function(rows) data.frame(system = x$system[rows], query = x$query[rows])
  size <- table(query, system = system_code)
  # If there are no ranks, the table of wrong ranks is empty.
  facts <- if ("rank" %in% names(x)) list_facts(as.integer(list_code), x) else
    list_facts(1L, data.frame(rank = 1))[0, ]
  gaps <- facts[facts$lowest != 1 | facts$highest != facts$n | facts$repeated > 0, ]
  rises <- facts[facts$rises > 0, ]
  structure(list(
    duplicates = find_duplicates(x), ties = find_ties(x, list_code, place_of),
    rank_gaps = data.frame(place_of(gaps$row), gaps[c("lowest", "highest")], documents = gaps$n, row.names = NULL),
    rank_order = data.frame(place_of(rises$row), documents = rises$rises, row.names = NULL),
    missing = find_missing(size, truth), short = find_short(size),
    unknown_queries = data.frame(query = if (is.null(truth)) character() else setdiff(levels(query), truth$query)),
    idle_queries = data.frame(query = setdiff(as.character(truth$query), levels(query))),
    unjudged = find_unjudged(x, truth), identical = find_identical(x, list_code),
    filtered = find_filtered(x, documents %||% collection$documents, collection$queries)
  ), class = "judicious_run_check", systems = nlevels(system_code), queries = nlevels(query), results = nrow(x))
}

# Finds results that a filter should have removed. Without metadata, only those that are the query itself are known, and
# only if identifiers are not numbers, because numbers of queries and documents may be unrelated.
find_filtered <- function(x, documents, queries) {
  if (is.null(documents)) documents <- data.frame(doc = character())
  documents <- check_columns(documents, "doc", "documents")
  # Ignores columns that are missing for every query.
  columns <- Filter(function(column) {
    any(!is.na(queries[[column]])) || any(!is.na(documents[[column]][documents$doc %in% x$query]))
  }, intersect(c("artist", "album"), names(documents)))
  is_related <- length(columns) || any(grepl("[^0-9]", x$query))
  shares <- if (is_related) shared_with_query(x, documents, queries, columns) else rep(NA_character_, nrow(x))
  found <- which(!is.na(shares))
  data.frame(x[found, c("system", "query", "doc")], shares = shares[found], row.names = NULL)
}

find_duplicates <- function(x) {
  group <- combination_code(x$system, x$query, x$doc)
  times <- table(factor(group, unique(group)))
  first <- match(names(times)[times > 1], as.character(group))
  data.frame(x[first, c("system", "query", "doc")], times = as.integer(times[times > 1]), row.names = NULL)
}

find_ties <- function(x, list, ids_of_list) {
  # If there are no scores, all count as different.
  score <- if ("score" %in% names(x)) single_precision_cpp(x$score) else seq_len(nrow(x))
  size <- tabulate(combination_code(as.integer(list), score), nrow(x))
  of_list <- droplevels(list[size > 1])
  documents <- tapply(size[size > 1], of_list, sum)
  data.frame(ids_of_list(match(names(documents), list)), documents = as.integer(documents),
             deepest = as.integer(tapply(size[size > 1], of_list, max)),
             of = as.integer(table(list)[names(documents)]), row.names = NULL)
}

find_missing <- function(size, truth) {
  more <- setdiff(unique(truth$query), rownames(size))
  size <- rbind(size, matrix(0, length(more), ncol(size), dimnames = list(more, colnames(size))))
  no_results <- which(size == 0, arr.ind = TRUE)
  data.frame(system = colnames(size)[no_results[, 2]], query = rownames(size)[no_results[, 1]])
}

find_short <- function(size) {
  longest <- apply(size, 2, max)
  short <- which(size > 0 & size < rep(longest, each = nrow(size)), arr.ind = TRUE)
  data.frame(system = colnames(size)[short[, 2]], query = rownames(size)[short[, 1]],
             documents = as.integer(size[short]), longest = unname(as.integer(longest[short[, 2]])))
}

find_unjudged <- function(x, truth) {
  is_judged <- if (is.null(truth)) rep(TRUE, nrow(x)) else !is.na(match_ids(truth, x))
  size <- table(factor(x$system, unique(x$system)))
  none <- setdiff(names(size), x$system[is_judged])
  data.frame(system = none, documents = as.integer(size[none]), judged = rep(0L, length(none)),
             share = rep(0, length(none)))
}

# Systems with identical lists: each with the first system that has the same lists.
find_identical <- function(x, list) {
  key <- if ("rank" %in% names(x)) x$rank else rep(0, nrow(x))
  if ("score" %in% names(x)) key <- -single_precision_cpp(x$score)
  sorted <- order(as.integer(list), key, x$doc, decreasing = c(FALSE, FALSE, TRUE), method = "radix")
  lines <- combination_code(x$query, x$doc)[sorted]
  content <- vapply(split(match(lines, unique(lines)), factor(x$system[sorted], unique(x$system))), paste, "",
                    collapse = " ")
  first <- match(content, content)
  copies <- which(first != seq_along(first))
  data.frame(system = names(content)[copies], as = names(content)[first[copies]])
}

run_check_titles <- c(
  duplicates = "documents twice in a list", ties = "lists with equal scores",
  rank_gaps = "lists whose ranks are not 1, 2, 3, ...", rank_order = "lists whose ranks contradict the scores",
  missing = "missing lists", short = "lists shorter than their system's longest",
  unknown_queries = "queries without judgments", idle_queries = "judged queries that no system answers",
  unjudged = "systems without any judged document", identical = "systems equal to another",
  filtered = "results that share document, artist or album with their query"
)

#' @export
print.judicious_run_check <- function(x, ...) {
  cat("Check of ", counted(attr(x, "systems"), "system"), ", ", count_queries(attr(x, "queries")),
      ", ", counted(attr(x, "results"), "result"), "\n", sep = "")
  found <- names(run_check_titles)[vapply(x[names(run_check_titles)], nrow, 0L) > 0]
  if (!length(found)) cat("  no problems found\n")
  for (problem in found) {
    rows <- x[[problem]]
    first <- paste(names(rows), vapply(rows[1, ], format, "", digits = 3), collapse = ", ")
    cat(sprintf("  %s %s, first: %s\n", format_count(nrow(rows)), run_check_titles[[problem]], first))
  }
  invisible(x)
}

#' @export
as.data.frame.judicious_run_check <- function(x, ...) {
  pieces <- lapply(names(run_check_titles), function(problem) {
    rows <- x[[problem]]
    n <- nrow(rows)
    details <- rows[setdiff(names(rows), c("system", "query"))]
    detail <- rep("", n)
    if (n && ncol(details)) {
      text <- as.matrix(format(details, digits = 3))
      detail <- apply(text, 1, function(row) paste(names(details), trimws(row), collapse = ", "))
    }
    data.frame(problem = rep(problem, n), system = rows$system %||% rep(NA_character_, n),
               query = rows$query %||% rep(NA_character_, n), detail = unname(detail))
  })
  do.call(rbind, pieces)
}
