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
    over_parts(path.expand(paths), function(own) evaluate_runs_cpp(own, judgments, core, options))
  }
  runs <- run(if (policy$unjudged == "bounds") "zero" else policy$unjudged)
  best <- if (policy$unjudged == "bounds") run("best")
  check_unchanged(paths, before, "x", call)
  problem <- vapply(runs, `[[`, "", "problem")
  if (any(problem %in% c("mixed_systems", "other_text"))) {
    return(list_values(paths, truth, measures, policy, NULL, 0, call))
  }
  for (i in which(nzchar(problem))[1]) if (!is.na(i)) abort_run_problem(runs[[i]], paths[i], policy, call)
  if (!any(vapply(runs, function(r) any(r$present), TRUE))) abort_no_common_query(paths, call)
  for (i in seq_along(runs)) note_comments(runs[[i]]$n_comments, runs[[i]]$first_comment, paths[i])
  note_unknown_queries(max(vapply(runs, `[[`, 0, "n_unknown_queries")))
  full <- list(value = do.call(cbind, lapply(runs, `[[`, "value")))
  if (!is.null(best)) full$upper <- do.call(cbind, lapply(best, `[[`, "value"))
  n_queries <- length(truth$query_ids)
  present <- unlist(lapply(runs, `[[`, "present"))
  lists <- list(
    system = rep(seq_along(runs), each = n_queries)[present], query = rep(seq_len(n_queries), length(runs))[present],
    systems = system_names(runs, paths), query_ids = truth$query_ids, levels = truth$levels,
    judged = judged_levels(truth)
  )
  complete_grid(lists, lapply(full, function(v) v[, present, drop = FALSE]), measures, policy, call)
}

# Names of the runs: their tags, or their file names if tags repeat.
system_names <- function(runs, paths) {
  tags <- vapply(runs, `[[`, "", "system")
  if (!anyDuplicated(tags)) return(tags)
  inform_judicious(c(
    "Several run files have the same system {.val {tags[anyDuplicated(tags)]}}.",
    i = "Systems are called by their files instead."
  ), "system_names", systems = tags)
  make.unique(basename(paths))
}

abort_run_problem <- function(run, path, policy, call) {
  key <- if (policy$ties == "rank") "rank" else "score"
  said <- switch(run$problem,
    unreadable = "{.arg x}: {.file {path}} cannot be read.",
    damaged = "{.arg x}: the gzipped file {.file {path}} is damaged, or its end is missing.",
    bad_line = "{.arg x}: line {format_count(run$line)} of {.file {path}} has fewer than six fields.",
    bad_number = "{.arg x}: line {format_count(run$line)} of {.file {path}} has {.val {run$doc}} for a {key}.",
    duplicate = "{.arg x}: {.file {path}} has document {.val {run$doc}} twice for query {.val {run$query}}.",
    tie = "{.arg x}: {.file {path}}, query {.val {run$query}}: {.val {run$doc}} has the {key} of another result."
  )
  kind <- switch(run$problem, unreadable = , damaged = , bad_line = "file", bad_number = "columns",
                 duplicate = "duplicate_result", tie = "tie")
  abort_judicious(said, kind, argument = "x", path = path, line = run$line, call = call)
}
