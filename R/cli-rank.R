# The commands `judicious features`, `judicious estimate`, `judicious rank` and `judicious report`.
# `o`: the values of the options, as cli_parse() returns them.

cli_features <- function(o) {
  x <- cli_collection(o)
  columns <- function(text) {
    if (is.null(text)) return(NULL)
    stats::setNames(sub(".*=", "", text), ifelse(grepl("=", text), sub("=.*", "", text), ""))
  }
  features <- output_features(x, columns(o$add_document), columns(o$add_query), columns(o$add_system))
  if (is.null(o$judgments)) {
    cli_refuse(o, c("self", "judged"), "only available with --judgments")
  } else {
    judged <- judgment_features(x, self = o$self)
    features[setdiff(names(judged), c("query", "doc"))] <- judged[setdiff(names(judged), c("query", "doc"))]
    features <- data.frame(features[1:2], gain = x$gain, features[-(1:2)], check.names = FALSE)
  }
  if (o$judged) features <- features[!is.na(features$gain), , drop = FALSE]
  features
}

cli_estimate <- function(o) {
  x <- cli_collection(o)
  gains <- cli_gains(x, o)
  if (!o$prob) return(as.data.frame(gains))
  if (inherits(gains, "judicious_gains")) return(as.data.frame(gains, prob = TRUE))
  abort_usage("--prob needs a model that predicts probabilities, such as --model published.")
}

# Ranks the systems of the collection, or of the session, that the options state.
cli_ranked <- function(o, s) {
  if (abs(o$level - 0.5) >= 0.5) abort_usage("--level must be between 0 and 1, not {o$level}.")
  # If no option is about draws, the draws that the session keeps are used, because its goal is based on them.
  draws <- if (any(c("draws", "seed") %in% o$given)) o$draws
  ranked <- function(..., seed = o$seed) {
    rank_systems(..., delta = o$delta, level = o$level, scope = o$scope, draws = draws, seed = seed, by = o$by)
  }
  if (o$model == "design") return(cli_ranked_by_design(o, s, ranked))
  if (!is.null(s)) {
    return(ranked(s, measure = o$measure, assessor = o$assessor %||% s$engine$assessor,
                  seed = o$seed %||% s$engine$seed))
  }
  assessed <- cli_judgments(o)
  x <- cli_measured_collection(o, assessed)
  # If there are several assessors, the judgments are read a second time, with the assessors' names. Warnings about them
  # were given at the first reading, so they are suppressed.
  is_record <- is_judged_again(assessed) || !is.null(o$assessor)
  repeated_warnings <- paste0("judicious_warning_", c("outside_pool", "duplicate_judgment"))
  gains <- suppressWarnings(cli_gains(x, o, if (is_record) assessed),
                            classes = if (is_record) repeated_warnings else "")
  if (o$scope == "new" && !inherits(gains, "judicious_joint_gains")) abort_usage("--scope new needs --model joint.")
  if (is.null(o$assessor)) ranked(x, gains) else ranked(x, gains, assessor = o$assessor)
}

cli_ranked_by_design <- function(o, s, ranked) {
  if (!is.null(s)) return(ranked(s, "design", measure = o$measure))
  cli_refuse(o, c("past", "estimates", "assessor"), "not available with --model design")
  x <- cli_measured_collection(o, cli_judgments(o))
  ranked(x, "design", grades = grades_in_files(o$grades, cli_failed(o)))
}

# The session in --store; NULL if the input is files of runs.
cli_stored_session <- function(o) {
  if (is.null(o$store)) {
    check_usage(length(o$operands), "Missing RUNS, or --store with a session.")
    return(NULL)
  }
  if (length(o$operands)) abort_usage("{o$store} is a session with its own runs: remove RUNS.")
  in_session <- c("gold", "judgments", "documents", "systems", "queries", "k", "ties", "duplicates", "scale", "past",
                  "grades", "estimates", if (o$model != "design") "model")
  cli_refuse(o, in_session, "part of the session in --store")
  open_session(cli_store(o$store))
}

cli_rank <- function(o) {
  if (o$table %in% c("pairs", "ranks")) cli_refuse(o, "margin", "only available with --table systems or summary")
  s <- cli_stored_session(o)
  if (!is.null(s)) on.exit(close_session(s))
  ranking <- cli_ranked(o, s)
  rows <- function(ranking) {
    print_basis(ranking, if (o$table == "systems" && has_rank_sets(ranking)) paste0(
      "With a probability of ", percent(ranking$level), ", all true ranks are from rank_lower to rank_upper at the ",
      "same time; groups, the best and the confidence of a pair are statements of their own"
    ))
    switch(o$table,
      systems = cli_systems(ranking, o$margin),
      pairs = pairs_with_intervals(ranking),
      ranks = as.data.frame(rank_probabilities(ranking, seed = o$seed %||% rank_seed)),
      summary = cli_summary(ranking, o$margin)
    )
  }
  if (is.null(o$by)) return(rows(ranking))
  by_stratum <- lapply(names(ranking), function(name) {
    data.frame(stats::setNames(data.frame(name), o$by), rows(ranking[[name]]), check.names = FALSE, row.names = NULL)
  })
  do.call(rbind, by_stratum)
}

# Writes a report of the ranking that `judicious rank` prints.
cli_report <- function(o) {
  check_report_file(o$file)
  s <- cli_stored_session(o)
  if (!is.null(s)) on.exit(close_session(s))
  ranking <- cli_ranked(o, s)
  print_basis(ranking)
  write_report("ranking", ranking_report(ranking, s, o$command), o$file, o$title)
  inform_judicious("The report is in {.file {o$file}}.", "report")
  character()
}

# Prints the confidence and the basis of a ranking on standard error, so that users of the table see them, too.
# `further`: more sentences about the table.
print_basis <- function(ranking, further = NULL) {
  sentences <- sub("[.]$", "", c(ranking_sentences(ranking), further))
  inform_judicious("{paste(sentences, collapse = '. ')}.", "ranking")
}

# The table of systems, best first.
cli_systems <- function(ranking, margin) {
  rows <- as.data.frame(ranking)
  if (!is.null(margin)) rows$confidence <- absolute_confidence(ranking, margin)$confidence
  rows
}

cli_summary <- function(ranking, margin) {
  x <- ranking$collection
  summed_up <- data.frame(systems = n_systems(x), queries = queries_in_means(x), pool = count_pairs(x),
                          judged = ranking$judged, confidence = ranking_confidence(ranking))
  if (!is.null(margin)) summed_up$absolute_confidence <- mean(absolute_confidence(ranking, margin)$confidence)
  if (!anyNA(x$gain)) summed_up <- data.frame(summed_up, t(ranking_accuracy(ranking)))
  summed_up
}
