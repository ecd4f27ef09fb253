#' @export
print.judicious_collection <- function(x, ...) {
  print(summary(x))
  invisible(x)
}

#' @export
summary.judicious_collection <- function(object, ...) {
  structure(list(
    systems = n_systems(object), teams = length(unique(object$systems$team)),
    queries = n_queries(object), documents = nrow(object$documents), results = n_results(object),
    pool = n_pairs(object), overlap = 1 - n_pairs(object) / n_results(object),
    judged = sum(!is.na(object$gain)), judged_share = mean(!is.na(object$gain)),
    outside = object$outside %||% 0L,
    ranked = !is.null(object$results$rank), k = object$k, scale = object$scale
  ), class = "judicious_collection_summary")
}

#' @export
print.judicious_collection_summary <- function(x, ...) {
  cat("Test collection, top ", x$k, if (!x$ranked) ", without ranks", "\n", sep = "")
  cat_row("systems", sprintf("%s of %s", counted(x$systems, "system"), counted(x$teams, "team")))
  cat_row("queries", format_count(x$queries))
  cat_row("results", format_count(x$results))
  cat_row("pool", sprintf("%s, overlap %s", counted(x$pool, "query-document pair"), percent(x$overlap)))
  outside <- if (x$outside > 0) sprintf("; %s outside the pool left out", counted(x$outside, "judgment"))
  cat_row("judged", paste0(format_count(x$judged), " (", percent(x$judged_share, 1), " of the pool)", outside))
  cat_row("gains", format(x$scale))
  invisible(x)
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
