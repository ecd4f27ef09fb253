#' @export
print.judicious_collection <- function(x, ...) {
  print(summary(x))
  invisible(x)
}

#' @export
summary.judicious_collection <- function(object, ...) {
  structure(list(
    systems = n_systems(object), teams = length(unique(object$systems$team)),
    suggested_teams = suggested_teams(object$systems),
    queries = n_queries(object), unanswered = sum(!answered_queries(object)), documents = nrow(object$documents),
    results = n_results(object), pool = n_pairs(object), overlap = 1 - n_pairs(object) / n_results(object),
    judged = sum(!is.na(object$gain)), judged_share = mean(!is.na(object$gain)),
    outside = NROW(object$outside), outside_queries = length(unique(object$outside$query)),
    ranked = !is.null(object$results$rank), k = object$k, scale = object$scale, grades = graders_text(object),
    answers = gives_ratings(object)
  ), class = "judicious_collection_summary")
}

# The number of teams that the names of systems suggest: most systems share the part of the name before the first
# separator, such as "idst" in "idst_bert_p1", with another one. 0 if they suggest no teams, or if the user stated the
# teams.
suggested_teams <- function(systems) {
  prefix <- sub("[-_.].*", "", systems$system)
  n <- length(unique(prefix))
  shared <- prefix %in% prefix[duplicated(prefix)]
  if (n > 1 && mean(shared) > 0.5 && identical(systems$team, systems$system)) n else 0L
}

# If no teams were stated, each system counts as a team, and the number of teams is not printed.
count_systems <- function(n, teams) paste0(counted(n, "system"), if (teams < n) paste(" of", counted(teams, "team")))

#' @export
print.judicious_collection_summary <- function(x, ...) {
  words <- function(text) in_words_of(if (x$answers) nouns_of_answers else nouns_of_documents, text)
  lists <- if (x$answers) {
    paste(if (x$k > 1) paste("up to", x$k, "answers") else "one answer", "per system and question")
  } else paste0("top ", x$k, if (!x$ranked) ", without ranks")
  cat("Test collection, ", lists, "\n", sep = "")
  hint <- if (x$suggested_teams) paste0("; their names suggest ", x$suggested_teams, ", which ", as_code("systems"),
                                             " can state")
  cat_row("systems", paste0(count_systems(x$systems, x$teams), hint))
  cat_row(words("queries"), paste0(format_count(x$queries),
                                   if (x$unanswered) paste0("; ", words(unanswered_text(x$unanswered, x$queries)))))
  cat_row("results", format_count(x$results))
  cat_row("pool", sprintf("%s, overlap %s", words(counted(x$pool, "query-document pair")), percent(x$overlap)))
  cat_row("judged", paste0(format_count(x$judged), " (", percent(x$judged_share, 1), " of the pool)"))
  if (x$outside > 0) cat_row("outside", words(outside_text(x$outside, x$outside_queries, x$queries)))
  if (nzchar(x$grades)) cat_row("grades", x$grades)
  cat_row("gains", sub("^gains: ", "", format(x$scale)))
  invisible(x)
}

# The graders, each with the number of pairs of the pool that it has graded; "" if there are no grades.
graders_text <- function(x) {
  if (is.null(x$grades)) return("")
  pool_grades <- x$grades[!is.na(x$grades$value) & !is.na(find_pairs(x, x$grades$query, x$grades$doc)), ]
  n <- vapply(split(pool_grades[c("query", "doc")], factor(pool_grades$grader, unique(x$grades$grader))),
              function(ids) nrow(unique(ids)), 0L)
  paste(sprintf("%s %s", names(n), format_count(n)), collapse = ", ")
}

# States how `n` judgments outside the pool count, which concern `queries` of `all` queries.
outside_text <- function(n, queries, all) {
  sprintf("%s outside the pool, in %s of %s, %s in ideal lists and numbers of relevant documents",
          counted(n, "judgment"), format_count(queries), count_queries(all), if (n == 1) "counts" else "count")
}

# States how `n` judged queries without results count.
unanswered_text <- function(n, all) {
  sprintf("%s of %s %s answered by no system and %s 0", format_count(n), count_queries(all),
          if (n == 1) "is" else "are", if (n == 1) "counts" else "count")
}

# States how lists count that systems do not give to queries which others answer; NULL if there are none.
missing_lists_text <- function(x) {
  lists <- list_sizes(x)[counts_in_means(x) & answered_queries(x), , drop = FALSE]
  n <- sum(lists == 0)
  if (n) sprintf("%s of %s %s %s missing and %s 0", format_count(n), format_count(length(lists)),
                 if (gives_ratings(x)) "answers" else "lists", if (n == 1) "is" else "are",
                 if (n == 1) "counts" else "count")
}

#' @export
as.data.frame.judicious_collection_summary <- function(x, ...) {
  x$scale <- format(x$scale)
  as.data.frame(unclass(x), stringsAsFactors = FALSE)
}

#' @export
as.data.frame.judicious_collection <- function(x, ...) {
  pair <- result_pair(x)
  retrieved <- data.frame(system = x$systems$system[x$results$system], pool_ids(x)[pair, ])
  if (!is.null(x$results$rank)) retrieved$rank <- x$results$rank
  retrieved$gain <- x$gain[pair]
  without_row_names(retrieved)
}
