# Evaluates TREC run files while they are read. The core keeps only the parts of a line that it needs.

# Whether the core can evaluate the runs while it reads them.
evaluated_as_read <- function(x, measures, policy) {
  is.character(x) && policy$unjudged != "expected" && policy$ties != "identifier" && !any(is_custom(measures)) &&
    all_trec_files(x)
}

# Whether the first line of every file has the six columns of a TREC run.
all_trec_files <- function(paths) {
  all(vapply(paths, function(path) {
    if (is.na(path) || !file.exists(path) || dir.exists(path)) return(FALSE)
    bytes <- first_bytes(path)
    if (nzchar(byte_order_mark(bytes)) || any(bytes == as.raw(0))) return(FALSE)
    line <- sub("^[ \t]+", "", first_line(bytes)$text, useBytes = TRUE)
    fields <- ascii_only(strsplit(line, "[ \t]+", useBytes = TRUE)[[1]])
    length(fields) == 6 && is_trec_line(fields)
  }, TRUE))
}

file_values <- function(paths, truth, measures, policy, num_threads, call = caller_env()) {
  before <- file_versions(paths)
  judgments <- truth[c("query_ids", "query", "doc", "level")]
  run <- function(unjudged) {
    options <- list(unjudged = unjudged, ties = policy$ties, precision = policy$precision, seed = policy$seed,
                    depth = policy$depth, threads = num_threads)
    core <- core_measures(measures, truth$levels)
    over_parts(path.expand(paths), function(own) {
      evaluate_runs_cpp(own, judgments, core, c(options, list(limit = vapply(own, most_unpacked, 0))))
    })
  }
  runs <- run(if (policy$unjudged == "bounds") "zero" else policy$unjudged)
  best <- if (policy$unjudged == "bounds") run("best")
  check_unchanged(paths, before, "x", call)
  # The reader of tables tells what is wrong, or reads what the core leaves to it.
  if (!all(vapply(runs, `[[`, NA, "is_read"))) return(list_values(paths, truth, measures, policy, NULL, 0, call))
  if (!any(vapply(runs, function(r) any(r$present), TRUE))) abort_no_common_query(paths, call)
  for (i in seq_along(runs)) note_comments(runs[[i]]$n_comments, runs[[i]]$first_comment, paths[i])
  note_unknown_queries(max(vapply(runs, `[[`, 0, "n_unknown_queries")))
  full <- list(value = do.call(cbind, lapply(runs, `[[`, "value")))
  if (!is.null(best)) full$upper <- do.call(cbind, lapply(best, `[[`, "value"))
  n_queries <- length(truth$query_ids)
  present <- unlist(lapply(runs, `[[`, "present"))
  lists <- list(
    system = rep(seq_along(runs), each = n_queries)[present], query = rep(seq_len(n_queries), length(runs))[present],
    systems = system_names(vapply(runs, `[[`, "", "system"), paths), query_ids = truth$query_ids, levels = truth$levels,
    judged = judged_levels(truth)
  )
  complete_grid(lists, lapply(full, function(v) v[, present, drop = FALSE]), measures, policy, call)
}
