# judicious evaluate, compare

cli_evaluate <- function(o) {
  scores <- cli_scores(o, if (o$per == "mean") "mean" else "query")
  if (o$per == "both") {
    all <- mean_scores(scores)
    scores <- rbind(as.data.frame(scores), as.data.frame(all))
  }
  cli_layout(as.data.frame(scores), o$layout)
}

# What a command needs for unjudged = "expected" makes no sense elsewhere.
cli_scores <- function(o, per) {
  if (is.null(o$judgments) && o$unjudged != "expected") abort_usage("--judgments is missing.")
  gains <- NULL
  if (o$unjudged == "expected") {
    if (cli_is_joint(o)) abort_usage("--unjudged expected needs --model mirex, uniform or an .rds file of such a model.")
    x <- cli_collection(utils::modifyList(o, list(judgments = NULL)))
    gains <- cli_estimator(x, o)$base
  } else {
    cli_refuse(o, c("model", "documents", "systems", "queries", "k", "scale"), "of use with --unjudged expected only")
  }
  evaluate(o$operands, if (!is.null(o$judgments)) judgments_from_path(o$judgments, "judgments", call = NULL), o$measures %||% cli_default_measures,
           per = per, ties = o$ties, missing = o$missing, unjudged = o$unjudged, undefined = o$undefined, gains = gains,
           depth = o$depth %||% if (is.null(gains)) Inf else o$k, seed = o$seed, num_threads = max(1, o$threads))
}

cli_default_measures <- c("AP", "nDCG@10", "P@10", "RR")

# Long: a row per value. Wide: a column per measure. trec_eval's lines have no header and a column per field of it.
cli_layout <- function(scores, layout) {
  if (layout == "long") return(scores)
  if (layout == "trec_eval") {
    data <- scores[c("measure", "query", "value")]
    if (length(unique(scores$system)) > 1) data <- data.frame(system = scores$system, data)
    return(data)
  }
  measures <- unique(scores$measure)
  rows <- scores[scores$measure == measures[1], c("system", "query")]
  key <- function(d) paste(d$system, d$query, sep = "\r")
  for (measure in measures) {
    own <- scores[scores$measure == measure, ]
    rows[[measure]] <- own$value[match(key(rows), key(own))]
  }
  rows
}

cli_compare <- function(o) {
  if (!(o$conf_level > 0 && o$conf_level < 1)) abort_usage("--conf-level must be between 0 and 1, not {o$conf_level}.")
  test <- cli_test(o)
  comparison <- compare_systems(cli_compared(o), test, measure = o$measure, conf_level = o$conf_level,
                                baseline = o$baseline, seed = o$seed, simulations = o$simulations)
  switch(o$table,
    pairs = as.data.frame(comparison),
    systems = comparison$systems,
    effects = effect_sizes(comparison),
    overall = cli_overall(comparison)
  )
}

# Scores as evaluate writes them, runs with judgments, or runs with judgments still missing.
cli_compared <- function(o) {
  if (o$expected) {
    if (cli_is_joint(o)) abort_usage("--expected needs --model mirex, uniform or an .rds file of such a model.")
    x <- cli_collection(o)
    return(expected_scores(x, cli_gains(x, o)))
  }
  if (!is.null(o$judgments)) {
    return(evaluate(o$operands, judgments_from_path(o$judgments, "judgments", call = NULL), o$measure %||% "AP"))
  }
  cli_refuse(o, c("model", "documents", "systems", "queries", "k", "scale"), "of use with --expected only")
  cli_read_scores(o$operands)
}

cli_read_scores <- function(path) {
  layouts <- list("3" = c("system", "query", "value"), "4" = c("system", "query", "measure", "value"))
  scores <- read_columns(path, NA, NULL, NULL, layouts, function(fields) "value" %in% fields, "scores", "scores", NULL)
  check_columns(scores, c("system", "query", "value"), "scores", NULL)
  scores$value <- as_numbers(scores$value, "value", "scores", NULL)
  scores[scores$query != "all", ]
}

cli_test <- function(o) {
  pairwise <- c("wilcoxon", "t", "sign", "permutation", "bootstrap")
  resampling <- c("randomised-tukey", "permutation", "bootstrap")
  if (!o$test %in% pairwise) cli_refuse(o, c("alternative", "adjust"), paste("not an option of the test", o$test))
  if (!o$test %in% resampling) cli_refuse(o, "replicates", paste("not an option of the test", o$test))
  make <- switch(o$test, "friedman-tukey" = test_friedman_tukey, nemenyi = test_nemenyi, tukey = test_tukey,
                 "randomised-tukey" = test_randomised_tukey, wilcoxon = test_wilcoxon, t = test_t, sign = test_sign,
                 permutation = test_permutation, bootstrap = test_bootstrap)
  arguments <- list()
  if (o$test %in% pairwise) arguments <- list(alternative = o$alternative, adjust = o$adjust)
  if (o$test %in% resampling) arguments$replicates <- o$replicates
  do.call(make, arguments)
}

cli_overall <- function(comparison) {
  overall <- comparison$overall
  if (is.null(overall)) {
    abort_usage("The test {gsub('_', '-', comparison$test$name)} has no test of all systems together.")
  }
  as.data.frame(overall[lengths(overall) == 1], stringsAsFactors = FALSE)
}
