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

# `operands`: the name of the words without an option; `least`: their minimum number.
cli_command <- function(title, about, options, run, examples, operands = "RUNS...", least = 1) {
  list(title = title, about = about, options = c(options, cli_output_options()), run = run, examples = examples,
       operands = operands, least = least)
}

cli_collection_options <- function() {
  list(
    cli_option("judgments", "judgments: query doc gain, or TREC qrels", "file", many = TRUE, short = "j"),
    cli_option("documents", "metadata of documents: doc artist genre, or with a header", "file"),
    cli_option("systems", "teams of systems: system team", "file"),
    cli_option("queries", "metadata of queries, with a header", "file"),
    cli_option("k", "cutoff: what is below this rank is left out", "count", 5, min = 1, short = "k", value = "K"),
    cli_option("scale", "gain scale: fine (0 to 100), broad (0, 1, 2) or its levels, as 0,1,2,3", default = "fine",
               value = "SCALE")
  )
}

cli_model_options <- function() {
  list(
    cli_option("model", paste(
      "where gains come from: joint (distribution of all gains together, from a built-in prior), published (the",
      "published models of Urbano and Schedl 2013), uniform, or the file of a model that judicious fit --save wrote"
    ), default = "joint", short = "m", value = "MODEL"),
    cli_option("opinion", "joint: what a language model or another judge says of the pairs: query doc grade", "file"),
    cli_option("judge-model", "the file of a model that also uses the judgment features", "file"),
    cli_option("estimates", paste("estimates in place of a model: query doc mean variance, as estimate writes them;",
                                  "taken to be independent"), "file")
  )
}

cli_measure_option <- function() {
  cli_option("measure", paste("what systems are ranked by, as P@5, \"nDCG(ideal=maximum)@5\" or AP; the mean gain of",
                              "the top K where it is not given"), value = "NAME", short = "M")
}

cli_goal_options <- function() {
  list(
    cli_option("goal", paste(
      "what shall be sure: mean (confidence of all comparisons), all_pairs (each comparison), top (the best",
      "--top systems), beats (comparisons with --baseline), absolute (mean confidence that systems' means are within",
      "--margin) or width (intervals of systems no wider than --width)"
    ), default = "mean", choices = c("mean", "all_pairs", "top", "beats", "absolute", "width"), short = "g",
    value = "GOAL"),
    cli_option("confidence", "the confidence asked for", "number", 0.95, min = 0, max = 1, short = "c"),
    cli_option("delta", "the smallest difference of interest, in units of the measure", "number", 0, min = 0),
    cli_option("margin", "for absolute: how far a system's mean may be off, in units of the measure", "number",
               min = 0),
    cli_option("width", "for width: largest interval, as a share of the scale's range", "number", min = 0, max = 1),
    cli_option("top", "for top: how many best systems", "count", min = 1),
    cli_option("baseline", "for beats: a system", value = "SYSTEM"),
    cli_option("equal", paste("for all_pairs, top and beats: systems that are shown to differ by less than this, in",
                              "units of the measure, count as decided too"), "number", min = 0),
    cli_option("by", "the goal is to be reached within each value of this column of --queries", value = "COLUMN")
  )
}

cli_selection_options <- function() {
  list(
    cli_option("weights", "published, uniform: which comparisons count", default = "all",
               choices = c("all", "undecided", "proportional")),
    cli_option("ties", "published, uniform: which document of equal weight first", default = "pool",
               choices = c("pool", "random")),
    cli_option("strategy", "which document next; published and uniform take --weights unless it is given",
               default = "gradient", choices = c("gradient", "variance", "weight", "random")),
    cli_option("new-query", "what the first judgment of a query costs on top of the 1 that each judgment costs",
               "number", 0, min = 0)
  )
}

cli_evaluation_options <- function() {
  list(
    cli_option("measures", paste("measures, as AP, nDCG@10, \"P(rel=2)@5\", or by trec_eval's names, as map,",
                                 "ndcg_cut_10, P.5,10, official, set or all_trec"),
               many = TRUE, short = "M", value = "NAMES"),
    cli_option("rel", "the gain from which on a document is relevant to binary measures, if they do not say it",
               "number", short = "l"),
    cli_option("ties", "order of equal scores", default = "trec_eval",
               choices = c("trec_eval", "rank", "identifier", "expected", "error")),
    cli_option("precision", "of scores that are compared: double, as in trec_eval 10, or single, as in 9",
               default = "double", choices = c("double", "single")),
    cli_option("missing", "queries a run does not answer", default = "zero", choices = c("zero", "skip", "error")),
    cli_option("unjudged", "documents without judgment", default = "zero",
               choices = c("zero", "condensed", "bounds", "expected")),
    cli_option("undefined", "measures not defined for a query", default = "zero", choices = c("zero", "NA")),
    cli_option("depth", "cut lists at this rank before anything else", "count", min = 1)
  )
}

cli_seed_option <- function() cli_option("seed", "seed of what is random", "count", min = 0)

cli_output_options <- function() {
  list(
    cli_option("format", "how results are written", default = "tsv", choices = c("tsv", "csv", "json")),
    cli_option("output", "where results are written; - is standard output, FILE.parquet a Parquet file", "path", "-",
               short = "o"),
    cli_option("digits", "significant digits of numbers", "count", 7, min = 1, max = 17),
    cli_option("no-header", "leave out the line with the columns' names", "flag"),
    cli_option("quiet", "no warnings, notes and progress on standard error", "flag", short = "q"),
    cli_option("verbose", "progress of slow steps, even where standard error is no terminal", "flag"),
    cli_option("help", "show this help", "flag", short = "h")
  )
}
