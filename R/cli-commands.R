# The commands with their options and examples: the table for parser, help and dispatch.

cli_commands <- function() lapply(cli_makers(), function(make) make())

# A function for each command, so that only the command in use is made.
cli_makers <- function() {
  list(features = cli_features_command, fit = cli_fit_command, estimate = cli_estimate_command,
       rank = cli_rank_command, plan = cli_plan_command, report = cli_report_command, evaluate = cli_evaluate_command,
       compare = cli_compare_command, "next" = cli_next_command, simulate = cli_simulate_command,
       judge = cli_judge_command)
}

cli_features_command <- function() {
  cli_command(
    "features of query-document pairs, to fit models on",
    paste("Writes the features of every pair in the pool: from the systems' output and the metadata, and with",
          "--judgments also from what is judged, beside the gain itself."),
    c(cli_collection_options(), list(
      cli_option("judged", "write judged pairs only", "flag"),
      cli_option("self", "a pair's own gain counts in its judgment features, as in the publication", "flag"),
      cli_option("add-document", "columns of --documents to add, as length or doc_length=length", many = TRUE,
                 value = "NAMES"),
      cli_option("add-query", "columns of --queries to add", many = TRUE, value = "NAMES"),
      cli_option("add-system", "columns of --systems to add, as means over systems", many = TRUE, value = "NAMES")
    )),
    cli_features,
    c("judicious features runs.tsv --documents documents.tsv --systems systems.tsv",
      "judicious features runs.tsv --documents documents.tsv -j some.tsv --judged")
  )
}

cli_fit_command <- function() {
  cli_command(
    "learn a model of the gains from judged runs",
    paste("Fits a model to the judged pairs and saves it for --model of the other commands. --kind joint: the",
          "distribution of all gains together, with effects of queries, systems, genres and artists, which every",
          "command takes. --kind ordinal: a proportional-odds model of the gain of a pair by itself. Several",
          "collections are learnt from one after the other, with --prior. Writes the coefficients."),
    c(cli_collection_options(), list(
      cli_option("save", "the file to keep the model in", "path", short = "s"),
      cli_option("kind", "which model", default = "joint", choices = c("joint", "ordinal")),
      cli_option("formula", paste(
        "what the gain depends on. joint: features of the mean, as 'popularity + rank', among them columns of",
        "--documents, --queries and --systems; ordinal: columns that features writes, as 'pTEAM + sGEN * pGEN'; with",
        "judgment features it is a --judge-model"
      ), short = "f", value = "FORMULA"),
      cli_option("random", "joint: which effects, as query,system; those that earn their place if not given",
                 many = TRUE, value = "NAMES"),
      cli_option("prior", "joint: the file of an earlier model to go on from", "file"),
      cli_measure_option(),
      cli_option("self", "ordinal: a pair's own gain counts in its judgment features", "flag")
    )),
    cli_fit,
    c("judicious fit runs.tsv --documents documents.tsv -j judgments.tsv --save gains.model",
      "judicious fit runs.tsv -j judgments.tsv -f popularity --random query,system -s gains.model",
      "judicious fit runs.tsv -j judgments.tsv --kind ordinal -f 'pTEAM + aRANK' --save ordinal.model",
      "judicious rank runs.tsv --model gains.model")
  )
}

cli_estimate_command <- function() {
  cli_command(
    "expected gain of every pair, with its variance",
    paste("Writes the distribution of every pair's gain: mean and variance. What --judgments has is certain, and tells",
          "of the rest what the model makes of it."),
    c(cli_collection_options(), cli_model_options()[1:3], list(
      cli_option("prob", "also the probability of each level of the scale (not with --model joint)", "flag")
    )),
    function(o) cli_estimate(c(o, list(estimates = NULL))),
    c("judicious estimate runs.tsv --documents documents.tsv -j some.tsv",
      "judicious estimate runs.tsv --documents documents.tsv --model published --prob --format csv")
  )
}

cli_rank_command <- function() {
  cli_command(
    "systems ranked with few or no judgments, and how sure that is",
    paste("Ranks systems by their estimated mean gain in the top K, or another --measure. --table systems gives",
          "estimates with intervals (and with --margin the confidence that each is right within it), pairs every",
          "difference with its confidence, ranks the probability of each rank, summary one line for the whole",
          "ranking, with its accuracy where every pair is judged."),
    c(cli_collection_options(), cli_model_options(), list(
      cli_measure_option(),
      cli_option("draws", "joint: how many draws, for measures that are not linear", "count", 1000, min = 2),
      cli_option("table", "what to write", default = "systems", choices = c("systems", "pairs", "ranks", "summary")),
      cli_option("delta", "the smallest difference of interest, in units of the measure", "number", 0, min = 0),
      cli_option("margin", "how far a system's mean may be off, in units of the measure", "number", min = 0),
      cli_option("level", "probability of the intervals", "number", 0.95, min = 0, max = 1),
      cli_option("scope", "means over these queries, or over all queries of their kind", default = "these",
                 choices = c("these", "new")),
      cli_option("by", "rank within each value of this column of --queries", value = "COLUMN"),
      cli_seed_option()
    )),
    cli_rank,
    c("judicious rank runs.tsv --documents documents.tsv --systems systems.tsv",
      "judicious rank runs.tsv --documents documents.tsv --model published --table pairs",
      "judicious rank runs.tsv -j some.tsv --margin 5 --format json",
      "judicious rank runs.tsv -j some.tsv -M 'nDCG(ideal=maximum)@5'",
      "judicious estimate runs.tsv -m uniform -o gains.tsv && judicious rank runs.tsv --estimates gains.tsv")
  )
}

cli_plan_command <- function() {
  cli_command(
    "judgments, hours and money that a goal will take",
    paste("Simulates sessions on gains drawn from the model until the goal is reached. --table summary gives the",
          "median of the judgments, hours and money, and between which numbers 80% of the sessions lie (Inf where the",
          "goal is not reached); sessions has a row per session, curve the confidence to expect. The plan counts what",
          "it takes beyond --judgments."),
    c(cli_collection_options(), cli_model_options()[1:3], cli_goal_options(), cli_selection_options()[1:3], list(
      cli_measure_option(),
      cli_option("seconds", "what a judgment takes, in seconds", "number", 20, min = 0),
      cli_option("new-query", "what the first judgment of a query takes on top, in seconds", "number", 40, min = 0),
      cli_option("hourly", "what an hour of judging costs", "number", min = 0),
      cli_option("audit", "share of the judgments that are of random documents", "number", 0.1, min = 0, max = 1),
      cli_option("update-every", "estimate again after so many judgments", "count", 20, min = 1),
      cli_option("most", "a session ends after so many further judgments", "count", min = 1),
      cli_option("replicates", "how many sessions", "count", 10, min = 1),
      cli_option("table", "what to write", default = "summary", choices = c("summary", "sessions", "curve")),
      cli_seed_option()
    )),
    function(o) cli_plan(c(o, list(estimates = NULL))),
    c("judicious plan runs.tsv --documents documents.tsv -j some.tsv --hourly 25",
      "judicious plan runs.tsv --goal top --top 3 --confidence 0.9 --replicates 4 --seed 1")
  )
}

cli_report_command <- function() {
  cli_command(
    "a report of a ranking, as one HTML file",
    paste("Ranks systems as rank does and writes a self-contained HTML file, --file: the ranking with",
          "its intervals, the confidence in every pair, what is decided and what is not, a methods paragraph with",
          "citations, and the tables as LaTeX and CSV. Needs the R package rmarkdown and pandoc."),
    c(cli_collection_options(), cli_model_options(), list(
      cli_measure_option(),
      cli_option("file", "the HTML file to write", "path", "report.html"),
      cli_option("title", "the title of the report", value = "TEXT"),
      cli_option("by", "rank within each value of this column of --queries", value = "COLUMN"),
      cli_option("delta", "the smallest difference of interest, in units of the measure", "number", 0, min = 0),
      cli_option("level", "probability of the intervals", "number", 0.95, min = 0, max = 1),
      cli_seed_option()
    )),
    cli_report,
    c("judicious report runs.tsv --documents documents.tsv -j some.tsv --file report.html")
  )
}

cli_evaluate_command <- function() {
  cli_command(
    "measures of runs against judgments",
    paste("Computes measures with trec_eval's conventions and names. --layout trec_eval writes the lines that",
          "trec_eval 9 writes, trec_eval-10 those of version 10: its -q is --per both, -n is --per query, no",
          "-c is --missing skip, -J is --unjudged condensed, -M is --depth. wide gives a column to each measure."),
    c(list(cli_option("judgments", "judgments: query doc gain, or TREC qrels", "file", many = TRUE, short = "j")),
      cli_evaluation_options(), list(
        cli_option("per", "a value per query, the mean, or both", default = "mean",
                   choices = c("mean", "query", "both")),
        cli_option("layout", "rows and columns", default = "long",
                   choices = c("long", "wide", "trec_eval", "trec_eval-10")),
        cli_option("num-threads", "how many files are read at a time", "count", 1, min = 1),
        cli_seed_option()
      ), cli_collection_options()[-1], cli_model_options()[1]),
    function(o) cli_evaluate(c(o, list(judge_model = NULL, estimates = NULL))),
    c("judicious evaluate runs.tsv -j judgments.tsv -M AG@5,P@5",
      "judicious evaluate trec.run -j qrels.txt -M official -l 1 --per both --layout trec_eval",
      "judicious evaluate runs.tsv -j judgments.tsv -M 'nDCG(gain=exp)@5' --per query -o scores.tsv")
  )
}

cli_compare_command <- function() {
  cli_command(
    "which systems differ significantly",
    paste("Tests the differences of scores: from a file as evaluate writes it (system query measure value), or from",
          "RUNS with --judgments and --measure. With --expected the judgments need not be complete: it tests the",
          "expected scores, and says how probable it is that each difference will be significant when all is judged."),
    c(list(
      cli_option("test", "the test", default = "friedman_tukey",
                 choices = c("friedman_tukey", "nemenyi", "tukey", "randomised_tukey", "wilcoxon", "t",
                             "one_sample_t", "sign", "permutation", "bootstrap")),
      cli_option("measure", "which measure", value = "NAME", short = "M"),
      cli_option("alternative", "tests of pairs: the alternative", default = "two.sided",
                 choices = c("two.sided", "better", "greater", "less")),
      cli_option("adjust", "tests of pairs: correction for many of them", default = "holm",
                 choices = stats::p.adjust.methods),
      cli_option("conf-level", "confidence level", "number", 0.95, min = 0, max = 1),
      cli_option("baseline", "compare with this system only", value = "SYSTEM"),
      cli_option("table", "what to write", default = "pairs", choices = c("pairs", "systems", "effects", "overall")),
      cli_option("replicates", "resampling tests: how many", "count", 10000, min = 100),
      cli_option("mu", "one_sample_t: the mean to compare with", "number", 0),
      cli_option("expected", "test expected scores, with --model", "flag"),
      cli_option("simulations", "with --expected: how many final outcomes to draw", "count", 1000, min = 1),
      cli_seed_option()
    ), cli_collection_options(), cli_model_options()[c(1, 3)]),
    function(o) cli_compare(c(o, list(estimates = NULL))),
    c("judicious evaluate runs.tsv -j judgments.tsv -M AG@5 --per query | judicious compare -",
      "judicious compare runs.tsv -j judgments.tsv -M AG@5 --test t --adjust hochberg",
      "judicious compare runs.tsv --documents documents.tsv -j some.tsv --expected --model published"),
    operands = "FILES..."
  )
}

cli_next_command <- function() {
  cli_command(
    "which documents to judge next",
    paste("Lists the documents whose judgment serves the goal most, best first; none when the goal is reached",
          "already, unless --always. --batches gives several lists of N, each of one query with --same-query."),
    c(cli_collection_options(), cli_model_options(), cli_goal_options(), cli_selection_options(), list(
      cli_measure_option(),
      cli_option("n", "how many documents (in each batch)", "count", 10, min = 1, short = "n"),
      cli_option("batches", "how many batches", "count", min = 1, short = "b"),
      cli_option("same-query", "each batch is of one query", "flag"),
      cli_option("always", "also when the goal is reached", "flag"),
      cli_seed_option()
    )),
    cli_next,
    c("judicious next runs.tsv --documents documents.tsv -j some.tsv -n 5",
      "judicious next runs.tsv --documents documents.tsv --model published --batches 3 -n 5 --same-query",
      "judicious next runs.tsv -j some.tsv --goal absolute --margin 5",
      "judicious next runs.tsv -j some.tsv --measure 'DCG@5' -n 3")
  )
}

cli_simulate_command <- function() {
  cli_command(
    "how many judgments a goal would have taken",
    paste("Plays a session whose gains are looked up in --truth: selects, looks up, estimates again, and stops when",
          "the goal is reached. What --judgments has is known from the start (joint only). --table trace gives a row",
          "before the first judgment and one after each, order the judgments in their order, systems and pairs the",
          "ranking at the end. With --replicates it plays many sessions over random parts of the queries and says how",
          "far the confidence can be trusted at each of the --budgets."),
    c(cli_collection_options(), cli_model_options()[1:3], cli_goal_options(), cli_selection_options(), list(
      cli_measure_option(),
      cli_option("truth", "the gains to look up: query doc gain, or TREC qrels", "file", many = TRUE),
      cli_option("budget", "the largest number of judgments", "count", short = "b"),
      cli_option("batch", "how many documents are chosen at a time", "count", 1, min = 1, short = "n"),
      cli_option("same-query", "each batch is of one query", "flag"),
      cli_option("audit", "joint: share of the judgments that are of random documents (0.1; with --replicates 0)",
                 "number", min = 0, max = 1),
      cli_option("update-every", "estimate again after so many judgments", "count", min = 1),
      cli_option("table", "what to write", default = "trace", choices = c("trace", "order", "systems", "pairs")),
      cli_option("replicates", "how many sessions", "count", min = 1),
      cli_option("budgets", "with --replicates: where to look", many = TRUE, value = "NUMBERS"),
      cli_option("split", "with --replicates: learn on half of the queries, bootstrap them, or take all",
                 default = "queries", choices = c("queries", "bootstrap", "whole")),
      cli_seed_option()
    )),
    function(o) cli_simulate(c(o, list(estimates = NULL))),
    c("judicious simulate runs.tsv --documents documents.tsv --truth judgments.tsv --seed 1",
      "judicious simulate runs.tsv --documents documents.tsv --truth judgments.tsv --model published -c 0.9",
      "judicious simulate runs.tsv --truth judgments.tsv --goal absolute --margin 3 --batch 5 --model uniform",
      "judicious simulate runs.tsv --truth judgments.tsv --batch 4 --same-query -M 'RBP(p=0.8)@5' --seed 1",
      "judicious simulate runs.tsv --truth judgments.tsv --replicates 4 --budgets 0,20,50 --seed 1")
  )
}

cli_judge_command <- function() {
  cli_command(
    "judge on the terminal, from a file, or in the browser",
    paste("Keeps a durable session in --store: begins it from RUNS where there is none, and continues it",
          "otherwise. Documents are asked one by one; answer with a gain, s to skip (with a reason), u to undo, p for",
          "progress, q to stop. Nothing that was answered is lost, and several assessors may judge at once. --from",
          "feeds judgments of a file, --browser serves the judging page, --progress only looks. Writes a line with the",
          "progress at the end."),
    c(list(
      cli_option("store", "the file that keeps the session, or a database: postgresql://user@host/name", "path",
                 short = "s"),
      cli_option("assessor", "who judges", default = "me", value = "NAME", short = "a"),
      cli_option("n", "stop after so many judgments", "count", min = 1, short = "n"),
      cli_option("show", paste("what to show of a document: a path or an address with {doc} and {query} in it; the",
                               "terminal shows a text file's content"), value = "PATH"),
      cli_option("from", "judgments to take in place of asking", "file"),
      cli_option("add-runs", "add runs of new systems to the session, with their --documents and --systems", "file",
                 many = TRUE),
      cli_option("add-queries", "add results for new queries to the session, with their --documents and --queries",
                 "file", many = TRUE),
      cli_option("progress", "only show how far the session is", "flag"),
      cli_option("export", "write the judgments: .csv, .parquet, or else TREC qrels", "path"),
      cli_option("browser", "serve the judging page, and open it", "flag"),
      cli_option("lead", "serve the lead's view in its place", "flag"),
      cli_option("tokens", "assessors of the page log in by their tokens", "flag"),
      cli_option("add-assessor", "give assessors tokens, and write them", many = TRUE, value = "NAMES"),
      cli_option("add-lead", "the same for those who may see the lead's view", many = TRUE, value = "NAMES"),
      cli_option("suspend", "take assessors' tokens away", many = TRUE, value = "NAMES"),
      cli_option("guidelines", "the page's guidelines: Markdown", "file"),
      cli_option("media", "a folder whose files the page serves under media/", value = "FOLDER"),
      cli_option("host", "the page's address: 0.0.0.0 lets other machines in", default = "127.0.0.1",
                 value = "ADDRESS"),
      cli_option("port", "the page's port", "count", min = 1, max = 65535),
      cli_option("site", "the name under which browsers reach the page behind a proxy", value = "NAME"),
      cli_option("proxy", "the IP address of a proxy that is trusted to say where requests come from",
                 value = "ADDRESS"),
      cli_option("log", "a file for the page's log: a JSON object a line", "path")
    ), cli_collection_options(), cli_model_options()[1:3], cli_goal_options(), cli_selection_options(), list(
      cli_measure_option(),
      cli_option("budget", "stop the session after so many judgments", "count", short = "b"),
      cli_option("audit", "share of the judgments that are of random documents", "number", 0.1, min = 0, max = 1),
      cli_option("overlap", "share of the documents that a second assessor judges too", "number", 0, min = 0, max = 1),
      cli_option("batch", "how many documents are chosen at a time", "count", 1, min = 1),
      cli_option("same-query", "each batch is of one query", "flag"),
      cli_seed_option()
    )),
    function(o) cli_judge(c(o, list(estimates = NULL))),
    c("judicious judge runs.tsv --documents documents.tsv --store session.sqlite",
      "judicious judge --store session.sqlite --assessor ann --show 'texts/{doc}.txt'",
      "judicious judge --store session.sqlite --from some.tsv --export qrels.txt",
      "judicious judge --store session.sqlite --browser --show 'https://example.org/{doc}.mp3'",
      "judicious judge --store session.sqlite --add-assessor ann,bob"),
    operands = "[RUNS...]", least = 0
  )
}
