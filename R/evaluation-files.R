# Evaluates TREC run files while they are read, so that the core has to keep only the parts of a line that it needs.

# Whether the core can evaluate the runs while it reads them.
evaluated_as_read <- function(x, measures, policy) {
  is.character(x) && policy$ties != "identifier" && !any(is_custom(measures)) && all_trec_files(x)
}

# Whether the first line of every file has the six columns of a TREC run.
all_trec_files <- function(paths) {
  all(vapply(paths, function(path) {
    if (is.na(path) || !file.exists(path) || dir.exists(path)) return(FALSE)
    bytes <- first_bytes(path)
    if (nzchar(byte_order_mark(bytes)) || any(bytes == as.raw(0))) return(FALSE)
    first <- sub("^[ \t]+", "", first_line(bytes)$text, useBytes = TRUE)
    fields <- ascii_only(strsplit(first, "[ \t]+", useBytes = TRUE)[[1]])
    length(fields) == 6 && is_trec_line(fields)
  }, TRUE))
}

# The values of measures for files. NULL if a file must be read by the general readers, which accept more layouts and
# explain errors.
file_values <- function(paths, truth, measures, policy, num_threads) {
  before <- file_versions(paths)
  core <- core_measures(measures, truth$levels, truth$details)
  run <- function(unjudged) {
    settings <- list(unjudged = unjudged, ties = policy$ties, undefined = policy$undefined,
                     precision = policy$precision, seed = policy$seed, depth = policy$depth, threads = num_threads)
    over_parts(path.expand(paths), function(chunk) {
      evaluate_runs_cpp(chunk, truth, core, c(settings, list(limit = vapply(chunk, unpacked_limit, 0))))
    })
  }
  runs <- run(if (policy$unjudged == "bounds") "zero" else policy$unjudged)
  best <- if (policy$unjudged == "bounds") run("best")
  check_unchanged(paths, before, "x")
  if (!length(runs) || !all(vapply(runs, `[[`, NA, "is_read"))) return(NULL)
  absent <- !unlist(lapply(runs, `[[`, "present"))
  unknown <- unique(unlist(lapply(runs, `[[`, "unknown_queries")))
  if (all(absent)) abort_no_common_query(paths, unknown, truth$query_ids)
  for (i in seq_along(runs)) note_comments(runs[[i]]$n_comments, runs[[i]]$first_comment, paths[i])
  n_unknown <- max(vapply(runs, `[[`, 0, "n_unknown_queries"))
  queries_without_lists <- truth$query_ids[rowSums(matrix(!absent, length(truth$query_ids))) == 0]
  note_unknown_queries(n_unknown, if (length(unknown) == n_unknown) unknown, queries_without_lists)
  values_of <- function(runs) if (!is.null(runs)) matrix(unlist(lapply(runs, `[[`, "value")), length(measures))
  for (path in paths[vapply(runs, `[[`, NA, "text_ranks")]) note_text_ranks(path)
  values <- Filter(Negate(is.null), list(value = values_of(runs), upper = values_of(best)))
  systems <- system_names(vapply(runs, `[[`, "", "system"), paths)
  check_documents_of_files(paths, systems, truth$doc, vapply(runs, `[[`, NA, "any_judged"))
  note_ranks_of_files(runs, systems, truth, policy, n_lists = sum(!absent))
  c(values_of_grid(systems, truth$query_ids, absent, values, policy), list(left_out = n_unknown))
}

# Warns if no document of the runs, or of some files, is judged, or if identifiers of runs and judgments look alike but
# differ. Only the documents of one file are read.
check_documents_of_files <- function(paths, systems, docs, any_judged) {
  if (all(any_judged) && !any(Encoding(docs) == "UTF-8")) return(invisible())
  read <- suppressMessages(runs_from_path(paths[which.min(any_judged)], "x"))
  if (all(any_judged)) return(warn_look_alike(look_alike(c(read$doc, docs)), runs_and_judgments))
  warn_no_common_document(read$doc, docs, systems[!any_judged], !any(any_judged))
}

# Reports implausible ranks in files, such as ranks that contradict the scores.
note_ranks_of_files <- function(runs, systems, truth, policy, n_lists) {
  facts <- do.call(rbind, Map(function(run, system) {
    if (!is.null(run$ranks)) data.frame(system = system, run$ranks)
  }, runs, systems, USE.NAMES = FALSE))
  if (is.null(facts)) return(invisible())
  facts$query <- truth$query_ids[facts$query]
  note_ranks(facts, if (policy$ties == "rank") "rank" else "score", scored = TRUE, n_lists = n_lists)
}
