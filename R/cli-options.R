# The command line: how options are declared, and the groups of options that commands share.

# `type`: "flag" (no value), "text", "file" (is read), "path" (is written), "number", "count". `many`: can be repeated,
# and accepts values separated by commas. `value`: the name of the value in the help.
cli_option <- function(name, help, type = "text", default = NULL, choices = NULL, many = FALSE, min = -Inf,
                       max = Inf, short = NULL, value = NULL) {
  value <- value %||% switch(type, flag = NULL, file = , path = "FILE", number = "X", count = "N",
                             if (is.null(choices)) "TEXT" else paste(choices, collapse = "|"))
  if (type == "flag") default <- FALSE
  list(name = name, help = help, type = type, default = default, choices = choices, many = many, min = min,
       max = max, short = short, value = value)
}

# `operands`: the name of the words without an option; `least`: their minimum number; `output`: whether the command
# writes a table.
cli_command <- function(title, about, options, run, examples, operands = "RUNS...", least = 1, output = TRUE) {
  list(title = title, about = about, options = c(options, if (output) cli_output_options(), cli_general_options()),
       run = run, examples = examples, operands = operands, least = least)
}

cli_collection_options <- function() {
  list(
    cli_option("judgments", "file of judgments: query doc gain, or TREC qrels", "file", many = TRUE, short = "j"),
    cli_option("documents", "file of document metadata: doc artist genre, or any columns with a header", "file"),
    cli_option("systems", "file of the team of each system: system team", "file"),
    cli_option("queries", "file of query metadata, with a header", "file"),
    cli_option("k", "cutoff: results below this rank are ignored", "count", 5, min = 1, short = "k", value = "K"),
    cli_option("scale", "gain scale: fine (0 to 100), broad (0, 1, 2), or a list of levels such as 0,1,2,3",
               default = "fine", value = "SCALE")
  )
}

cli_model_options <- function() {
  list(
    cli_option("model", paste(
      "model of the gains: joint (the joint distribution of all gains, with a built-in prior), published (the models",
      "of Urbano and Schedl, 2013), uniform, or a model file written by judicious fit --save"
    ), default = "joint", short = "m", value = "MODEL"),
    cli_option("past", paste("joint models: file or database of an earlier session to learn from; a judged collection",
                             "in files is learned from by judicious fit --save"),
               "path", many = TRUE, value = "STORE"),
    cli_option("grades", paste("joint models: file of grades by a language model or another grader: query doc grade,",
                                "or TREC qrels; a file per grader"), "file", many = TRUE),
    cli_option("judge-model", "file of a judgment-based model, which also uses features of the judgments", "file"),
    cli_option("estimates", paste("file of estimates to use instead of a model: query doc mean variance, as written",
                                  "by estimate; assumed to be independent"), "file")
  )
}

# The options of a ranking that the commands `rank` and `report` share.
cli_ranking_options <- function() {
  list(
    cli_option("store", "file of a session to rank, or its database, instead of RUNS", "path", short = "s"),
    cli_measure_option(),
    cli_option("draws", "joint models: number of draws, for measures that are not linear in the gains", "count",
               1000, min = 2),
    cli_option("delta", "smallest difference of interest, in units of the measure", "number", 0, min = 0),
    cli_option("level", "probability of the intervals", "number", 0.95, min = 0, max = 1),
    cli_option("scope", "queries that the estimates refer to (new: others of the same kind)", default = "these",
               choices = c("these", "new")),
    cli_option("by", "rank within each value of this column of --queries", value = "COLUMN"),
    cli_option("assessor", paste("what the ranking refers to: these (the judgments as they are), consensus (of their",
                                 "assessors), another (assessor), or the name of an assessor; needs --store, or a",
                                 "column assessor in --judgments"), value = "NAME"),
    cli_seed_option()
  )
}

cli_measure_option <- function() {
  cli_option("measure", paste("measure by which systems are ranked, such as P@5, \"nDCG(ideal=maximum)@5\" or AP;",
                              "default: the mean gain of the top K"), value = "NAME", short = "M")
}

cli_goal_options <- function() {
  list(
    cli_option("goal", paste(
      "what must reach --confidence: mean (mean confidence of all pairs of systems), all_pairs (every pair), top",
      "(each of the best --top systems against each of the others), beats (every comparison with --baseline),",
      "absolute (mean confidence that a system's mean is within --margin of its estimate); or width (no interval of",
      "a system is wider than --width)"
    ), default = "mean", choices = c("mean", "all_pairs", "top", "beats", "absolute", "width"), short = "g",
    value = "GOAL"),
    cli_option("confidence", "required confidence; with --goal width, probability of the intervals", "number", 0.95,
               min = 0, max = 1, short = "c"),
    cli_option("delta", "smallest difference of interest, in units of the measure", "number", 0, min = 0),
    cli_option("margin", "--goal absolute: largest error of a system's mean, in units of the measure", "number",
               min = 0),
    cli_option("width", "--goal width: largest width, as a share of the range of the measure", "number", min = 0,
               max = 1),
    cli_option("top", "--goal top: number of best systems", "count", min = 1),
    cli_option("baseline", "--goal beats: the system to compare with", value = "SYSTEM"),
    cli_option("equal", paste("--goal all_pairs, top, beats: pairs of systems that differ by less than this, in units",
                              "of the measure, with the required confidence also count as decided"), "number", min = 0),
    cli_option("by", paste("the goal must be reached within each stratum: the queries that share a value of this",
                           "column of --queries"), value = "COLUMN")
  )
}

cli_selection_options <- function() {
  list(
    cli_option("weights", "models published, uniform: comparisons that count in the weight of a document",
               default = "all", choices = c("all", "undecided", "proportional")),
    cli_option("ties", "models published, uniform: order of documents with equal weights", default = "pool",
               choices = c("pool", "random")),
    cli_option("strategy", paste("rule that selects the next document (without this option, models published and",
                                 "uniform select by --weights)"),
               default = "gradient", choices = own_kinds("strategy")),
    cli_option("new-query", "additional cost of the first judgment of a query; each judgment costs 1",
               "number", 0, min = 0)
  )
}

cli_evaluation_options <- function() {
  list(
    cli_option("measure", paste("measures, such as AP, nDCG@10, \"P(rel=2)@5\", or trec_eval's names, such as map,",
                                 "ndcg_cut_10, P.5,10, official, set or all_trec"),
               many = TRUE, short = "M", value = "NAMES"),
    cli_option("rel", "lowest gain of a relevant document, for binary measures that do not specify it",
               "number", short = "l"),
    cli_option("ties", "order of results with equal scores", default = "trec_eval",
               choices = c("trec_eval", "rank", "identifier", "expected", "error")),
    cli_option("precision", "precision of scores (trec_eval 10: double, trec_eval 9: single)",
               default = "double", choices = c("double", "single")),
    cli_option("missing", "how to count queries for which a run has no results", default = "zero",
               choices = c("zero", "skip", "error")),
    cli_option("unjudged", "how to count documents without a judgment", default = "zero",
               choices = c("zero", "condensed", "bounds", "expected")),
    cli_option("undefined", "value of a measure that is not defined for a query", default = "zero",
               choices = c("zero", "NA")),
    cli_option("depth", "use only the results up to this rank", "count", min = 1)
  )
}

cli_seed_option <- function() cli_option("seed", "seed of the random number generator", "count", min = 0)

cli_output_options <- function() {
  list(
    cli_option("format", "output format", default = "tsv", choices = c("tsv", "csv", "json")),
    cli_option("output", "output file; - is standard output, and FILE.parquet is written in Parquet format", "path",
               "-", short = "o"),
    cli_option("digits", "significant digits of numbers", "count", 7, min = 1, max = 17),
    cli_option("no-header", "omit the line of column names", "flag")
  )
}

cli_general_options <- function() {
  list(
    cli_option("quiet", "suppress warnings, notes and progress on standard error", "flag", short = "q"),
    cli_option("verbose", "show the progress of slow steps even if standard error is not a terminal", "flag"),
    cli_option("help", "show this help", "flag", short = "h")
  )
}
