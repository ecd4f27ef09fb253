# The commands `judicious evaluate` and `judicious compare`.
# `o`: the values of the options, as cli_parse() returns them.

cli_evaluate <- function(o) {
  check_usage(o$layout == "long" || o$unjudged != "bounds",
              "--layout {o$layout} does not support --unjudged {o$unjudged}.")
  if (o$layout %in% c("trec_eval", "trec_eval-10")) return(cli_trec_eval(o))
  scores <- cli_scores(o, note = o$unjudged == "zero")
  values <- if (o$per != "mean") as.data.frame(scores)
  if (o$per != "query") values <- rbind(values, as.data.frame(mean_scores(scores)))
  if (o$layout != "wide") return(values)
  # One row per system and query, and one column per measure.
  place <- text_key(values$system, values$query)
  data.frame(values[!duplicated(place), c("system", "query")], value_matrix(place, values$measure, values$value),
             check.names = FALSE, row.names = NULL)
}

cli_trec_eval <- function(o) {
  cli_refuse(o, c("format", "digits", "no-header", "precision", "undefined"), paste("fixed by --layout", o$layout))
  newer <- o$layout == "trec_eval-10"
  lines <- trec_eval_lines(o$measure %||% "official", newer)
  o$precision <- if (newer) "double" else "single"
  o$undefined <- "zero"
  complete <- o$missing == "zero"
  # To count missing queries, version 9 of trec_eval sums over the queries that a run answers and divides by the number
  # of all queries; version 10 adds empty lists.
  if (!newer && complete) o$missing <- "skip"
  needed <- c("unjudged", if ("set_F" %in% lines$family) c("set_P", "set_recall"))
  o$measure <- unique(c(needed, lines$measure[nzchar(lines$measure)]))
  o$rounding <- if (newer) "nearest" else "up"
  scores <- suppressWarnings(cli_scores(o), classes = if (complete) "judicious_warning_missing_query" else "")
  total <- named_totals(attr(scores, "measures"))
  truth <- judged_gains(o$operands, cli_judgments(o))
  strings <- if ("relstring" %in% lines$family) relevance_strings(o, truth, lines$label[lines$family == "relstring"])
  systems <- unique(scores$system)
  if (length(systems) > 1 && !"runid" %in% lines$family) {
    lines <- rbind(data.frame(family = "runid", label = "runid", measure = ""), lines)
  }
  unlist(lapply(systems, function(system) {
    system_scores <- as.data.frame(scores)[scores$system == system, ]
    system_scores <- system_scores[order(system_scores$query, method = "radix"), ]
    value <- trec_eval_f(value_matrix(system_scores$query, system_scores$measure, system_scores$value), lines)
    # Version 10 prints a residual of 0 if all retrieved documents are judged, even if a list is short.
    value[value[, "unjudged"] == 0, grepl("^rbp_resid", colnames(value))] <- 0
    c(if (o$per != "mean") trec_eval_queries(value, lines, total, strings[[system]]),
      if (o$per != "query") trec_eval_summary(value, lines, total, system, truth, complete))
  }))
}

# The scores that the options request. `note`: whether to print a note on results that count as not relevant.
cli_scores <- function(o, note = FALSE) {
  runs <- cli_runs(o)
  is_answers <- inherits(runs, "judicious_collection")
  check_usage(!is.null(o$judgments) || is_answers,
              "--judgments is missing: name the file of judgments, or qrels, after -j.")
  judgments <- cli_judgments(o)
  # Bounds need the highest gain. The ratings of answers always have a scale that states it; runs need --scale.
  if (!is_answers && o$unjudged != "bounds") cli_refuse(o, "scale", "only available with --unjudged bounds")
  scored <- function(measures) {
    evaluate(runs, judgments, measures, ties = o$ties, missing = o$missing, unjudged = o$unjudged,
             undefined = o$undefined, precision = o$precision, depth = o$depth %||% Inf, seed = o$seed,
             num_threads = max(1, o$num_threads), duplicates = o$duplicates,
             scale = if (o$unjudged == "bounds") cli_scale(o$scale))
  }
  default <- if (is_answers) collection_measure(runs) else cli_default_measures
  measures <- cli_measures(o$measure %||% default, o$rel, o$rounding)
  if (note) scores_with_notes(measures, scored, judgments %||% runs) else scored(measures)
}

# The input of an evaluation: the paths of the runs, or the collection of the answers.
cli_runs <- function(o) if (cli_has_answers(o)) cli_answers(o) else o$operands

# Computes scores, and prints a note on results that are missing or not judged. `scored`: a function that computes the
# scores by some measures. `judged`: the judgments, or a collection that has some.
scores_with_notes <- function(measures, scored, judged) {
  cutoff <- max(vapply(measures, `[[`, 0, "cutoff"))
  further <- c(" unjudged" = if (is.na(cutoff)) "unjudged" else paste0("unjudged@", format_number(cutoff)),
               " retrieved" = "num_ret")
  scores <- scored(c(measures, measures_of(further, "measure")))
  retrieved <- scores$value[scores$measure == " retrieved"]
  results <- pmin(retrieved, cutoff, na.rm = TRUE)
  unjudged <- scores$value[scores$measure == " unjudged"] * if (is.na(cutoff)) results else cutoff
  share <- sum(unjudged) / max(1, sum(results))
  # Uses message() of base R, because loading cli takes longer than evaluating a run.
  if (isTRUE(max(retrieved) < cutoff)) {
    message("No list has more than ", max(retrieved), " results: the missing ones down to rank ", cutoff,
            " count as not relevant.")
  }
  if (share > 0) {
    message(if (share < 0.01) "Fewer than 1%" else percent(share), " of the results",
            if (!is.na(cutoff)) paste(" down to rank", cutoff),
            " are not judged, and count as not relevant",
            if (can_learn_from(judged)) "; judicious rank estimates their gains", ".")
  }
  kept <- scores[!startsWith(scores$measure, " "), ]
  structure(kept, row.names = seq_len(nrow(kept)), measures = measures, policy = attr(scores, "policy"))
}

# Whether a model can learn from these judgments: not if they list relevant documents only.
can_learn_from <- function(judged) {
  scale <- judged[["scale"]] %||% scale_of_gains(judged$gain, "judgments")
  is.null(scale) || !lists_only_relevant(judged$gain, scale, unjudged = TRUE)
}

cli_default_measures <- c("AP", "nDCG@10", "P@10", "RR")

# The measures that `names` states, or a measure. If there is a `level`, gains of at least that level are relevant for
# binary measures, whose names do not change.
cli_measures <- function(names, level = NULL, rounding = NULL) {
  measures <- measures_of(if (is.character(names)) join_parameters(names) else names, "measure")
  binary <- vapply(measures, function(m) identical(m$args$rel, 1) && !grepl("rel=", m$label, fixed = TRUE), NA)
  # For lines of trec_eval, --rel is ignored if there is no binary measure, as trec_eval does; otherwise this is an
  # error.
  check_usage(is.null(level) || !is.null(rounding) || any(binary),
              "--rel is for binary measures, such as P@10 and AP, and there is none in --measure.")
  changed <- Map(function(m, is_binary) {
    arguments <- m$args
    if (is_binary) arguments$rel <- level %||% arguments$rel
    if (!is.null(rounding) && !is.null(arguments$rounding)) arguments$rounding <- rounding
    build_measure(m$base, arguments, m$cutoff)
  }, measures, binary)
  for (i in seq_along(changed)) changed[[i]]$label <- measures[[i]]$label
  measures_of(changed, "measure")
}

cli_compare <- function(o) {
  check_usage(o$level > 0 && o$level < 1, "--level must be between 0 and 1, not {o$level}.")
  test <- cli_test(o)
  comparison <- compare_systems(cli_comparison_input(o), test, measure = if (!o$expected) o$measure, level = o$level,
                                baseline = o$baseline, seed = o$seed, simulations = o$simulations)
  lines <- trimws(gsub(" +", " ", utils::capture.output(print(summary(comparison)))))
  inform_judicious("{paste(lines, collapse = '; ')}.", "comparison")
  switch(o$table,
    pairs = as.data.frame(comparison),
    systems = comparison$systems,
    effects = effect_sizes(comparison),
    overall = as.data.frame(comparison$overall[lengths(comparison$overall) == 1], stringsAsFactors = FALSE)
  )
}

# The input of a comparison: a file of scores that `judicious evaluate` has written; runs and judgments; or, with
# --expected, runs for which some judgments are missing.
cli_comparison_input <- function(o) {
  if (o$expected) {
    if (cli_is_joint(o)) abort_usage("--expected needs --model published or uniform.")
    x <- cli_measured_collection(o)
    return(expected_scores(x, cli_gains(x, o)))
  }
  cli_refuse(o, c("model", "documents", "systems", "queries", "k", "scale", "simulations"),
             "only available with --expected")
  is_answers <- cli_has_answers(o)
  if (!is.null(o$judgments) || is_answers) {
    judgments <- cli_judgments(o)
    runs <- cli_runs(o)
    measures <- measures_of(o$measure %||% if (is_answers) collection_measure(runs) else "AP", "measure")
    return(scores_with_notes(measures, function(measures) {
      evaluate(runs, judgments, measures, ties = o$ties, duplicates = o$duplicates)
    }, judgments %||% runs))
  }
  cli_refuse(o, c("ties", "duplicates"), "only available with runs and --judgments")
  tryCatch(scores_from_path(o$operands), judicious_error_columns = function(cnd) {
    abort_judicious("FILES must be values written by {.code judicious evaluate --per query}, or runs with --judgments.",
                    "columns", parent = cnd, call = NULL)
  })
}

cli_test <- function(o) {
  entry <- significance_registry[[o$test]]
  pairwise <- "pairwise" %in% entry$classes
  check_usage(o$table != "overall" || "studentised" %in% entry$classes,
              "--table overall needs a test of all systems together: --test friedman_tukey, nemenyi or tukey.")
  parameters <- intersect(c("replicates", "mu"), names(entry$parameters))
  if (!pairwise) cli_refuse(o, c("alternative", "adjust"), paste("not an option of the test", o$test))
  cli_refuse(o, setdiff(c("replicates", "mu"), parameters), paste("not an option of the test", o$test))
  alternative <- if (pairwise) o$alternative else "two.sided"
  do.call("significance_test", c(list(o$test, alternative, adjust = if (pairwise) o$adjust), o[parameters]))
}
