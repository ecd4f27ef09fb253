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
    "compute features of query-document pairs, for models",
    paste("Writes the features of every pair in the pool, computed from the runs and the metadata. --judgments adds",
          "features computed from the judgments, and the gain of each judged pair."),
    c(cli_collection_options(), list(
      cli_option("judged", "write only judged pairs", "flag"),
      cli_option("self", "include a pair's own gain in its judgment-based features, as the published method does",
                 "flag"),
      cli_option("add-document", "columns of --documents to add, such as length or doc_length=length", many = TRUE,
                 value = "NAMES"),
      cli_option("add-query", "columns of --queries to add", many = TRUE, value = "NAMES"),
      cli_option("add-system", "columns of --systems to add, as means over the systems that retrieved the document",
                 many = TRUE, value = "NAMES")
    )),
    cli_features,
    c("judicious features runs.tsv --documents documents.tsv --systems systems.tsv",
      "judicious features runs.tsv --documents documents.tsv -j some.tsv --judged")
  )
}

cli_fit_command <- function() {
  cli_command(
    "fit a model of the gains to judged runs",
    paste("Fits a model to the judged pairs, saves it for the option --model of other commands, and writes its",
          "coefficients. --kind joint is a model of the joint distribution of all gains, with effects of queries,",
          "systems, genres and artists. --kind ordinal is a proportional-odds model of the gain of each pair. To learn",
          "a joint model from several collections, fit one after the other with --prior."),
    c(cli_collection_options(), list(
      cli_option("save", "file to save the model in", "path", short = "s"),
      cli_option("kind", "kind of model", default = "joint", choices = c("joint", "ordinal")),
      cli_option("formula", paste(
        "variables that the gain depends on. --kind joint: features of the mean, such as 'popularity + rank', and",
        "columns of --documents, --queries and --systems. --kind ordinal: columns of the command features, such as",
        "'pTEAM + sGEN * pGEN'; use a model with judgment-based features as --judge-model"
      ), short = "f", value = "FORMULA"),
      cli_option("random", "--kind joint: effects, such as query,system; by default, those that improve the fit",
                 many = TRUE, value = "NAMES"),
      cli_option("prior", "--kind joint: file of an earlier model, to be updated", "file"),
      cli_measure_option(),
      cli_option("self", "--kind ordinal: include a pair's own gain in its judgment-based features", "flag")
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
    "estimate the gain of every pair, with its variance",
    paste("Writes the mean and the variance of the gain of every pair. The gains of pairs in --judgments are known,",
          "and the model uses them to estimate the others."),
    c(cli_collection_options(), cli_model_options()[1:4], list(
      cli_option("prob", "add the probability of each level of the scale (not with --model joint)", "flag")
    )),
    function(o) cli_estimate(c(o, list(estimates = NULL))),
    c("judicious estimate runs.tsv --documents documents.tsv -j some.tsv",
      "judicious estimate runs.tsv --documents documents.tsv --model published --prob --format csv")
  )
}

cli_rank_command <- function() {
  cli_command(
    "rank systems with few or no judgments, with confidence",
    paste("Ranks systems by their estimated mean gain in the top K, or by another --measure. --table systems writes",
          "estimates with intervals (and, with --margin, the confidence that the error of each is within it); pairs,",
          "every difference with its confidence; ranks, the probability of each rank; and summary, one line for the",
          "whole ranking, with its accuracy if every pair is judged."),
    c(cli_collection_options(), cli_model_options(), cli_ranking_options(), list(
      cli_option("table", "table to write", default = "systems", choices = c("systems", "pairs", "ranks", "summary")),
      cli_option("margin", "largest error of a system's mean, in units of the measure", "number", min = 0)
    )),
    cli_rank,
    c("judicious rank runs.tsv --documents documents.tsv --systems systems.tsv",
      "judicious rank runs.tsv --documents documents.tsv --model published --table pairs",
      "judicious rank runs.tsv -j some.tsv --margin 5 --format json",
      "judicious rank runs.tsv -j some.tsv -M 'nDCG(ideal=maximum)@5'",
      "judicious rank --store session.sqlite --assessor consensus",
      "judicious estimate runs.tsv -m uniform -o gains.tsv && judicious rank runs.tsv --estimates gains.tsv"),
    operands = "[RUNS...]", least = 0
  )
}

cli_plan_command <- function() {
  cli_command(
    "plan the judgments, hours and money that a goal needs",
    paste("Simulates sessions, with gains drawn from the model, until the goal is reached. --table summary writes the",
          "median of the judgments, hours and money, and the limits that contain 80% of the sessions (Inf if the goal",
          "is not reached); sessions, a row per session; and curve, the expected confidence by number of judgments.",
          "Existing --judgments are not counted."),
    c(cli_collection_options(), cli_model_options()[1:4], cli_goal_options(), cli_selection_options()[1:3], list(
      cli_measure_option(),
      cli_option("cost", "time of a judgment, in seconds", "number", 20, min = 0),
      cli_option("new-query", "additional time of the first judgment of a query, in seconds", "number", 40, min = 0),
      cli_option("hourly", "cost of an hour of judging", "number", min = 0),
      cli_option("audit", "share of judgments that are of randomly selected documents", "number", 0.1, min = 0,
                 max = 1),
      cli_option("update-every", "number of judgments after which to estimate again", "count", 20, min = 1),
      cli_option("budget", "largest number of judgments, with the existing ones", "count", min = 1, short = "b"),
      cli_option("replicates", "number of simulated sessions", "count", 10, min = 1),
      cli_option("table", "table to write", default = "summary", choices = c("summary", "sessions", "curve")),
      cli_seed_option()
    )),
    function(o) cli_plan(c(o, list(estimates = NULL))),
    c("judicious plan runs.tsv --documents documents.tsv -j some.tsv --hourly 25",
      "judicious plan runs.tsv --goal top --top 3 --confidence 0.9 --replicates 4 --seed 1")
  )
}

cli_report_command <- function() {
  cli_command(
    "write a report of a ranking, as one HTML file",
    paste("Ranks systems as the command rank does and writes a self-contained HTML file: the ranking with its",
          "intervals, the confidence in every pair, which pairs are decided, a paragraph on the methods with",
          "citations, and the tables as LaTeX and CSV. The report of a session, with --store, also states how the",
          "judgments were selected, whether the model's predictions hold, and whether the assessors agree. Needs the R",
          "package rmarkdown, and pandoc."),
    c(cli_collection_options(), cli_model_options(), cli_ranking_options(), list(
      cli_option("file", "HTML file to write", "path", "report.html", short = "o"),
      cli_option("title", "title of the report", value = "TEXT")
    )),
    cli_report,
    c("judicious report runs.tsv --documents documents.tsv -j some.tsv --file report.html",
      "judicious report --store session.sqlite"),
    operands = "[RUNS...]", least = 0, output = FALSE
  )
}

cli_evaluate_command <- function() {
  cli_command(
    "compute measures of runs from judgments",
    paste("Computes measures with trec_eval's conventions and names. --layout long writes a row per value; wide, a",
          "column per measure; trec_eval and trec_eval-10, the lines of trec_eval 9 and 10. trec_eval's -q is",
          "--per both, -n is --per query, -J is --unjudged condensed and -M is --depth; trec_eval without",
          "-c is --missing skip."),
    c(cli_collection_options()[1], cli_evaluation_options(), list(
      cli_option("per", "write a value per query, the mean over queries, or both", default = "mean",
                 choices = c("mean", "query", "both")),
      cli_option("layout", "layout of the output", default = "long",
                 choices = c("long", "wide", "trec_eval", "trec_eval-10")),
      cli_option("num-threads", "number of files to read at the same time", "count", 1, min = 1),
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
    "test which systems differ significantly",
    paste("Tests the differences between systems. FILES are values written by the command evaluate (system query",
          "measure value), or runs, with --judgments and --measure. With --expected, judgments need not be complete:",
          "expected values are tested, and the output includes the probability that each difference is significant",
          "once every pair is judged."),
    c(list(
      cli_option("test", "significance test (permutation: paired randomisation test)", default = "permutation",
                 choices = names(significance_registry)),
      cli_option("measure", "measure to compare", value = "NAME", short = "M"),
      cli_option("alternative", paste("tests of pairs: alternative hypothesis (better: the system with the higher mean",
                                      "is better)"), default = "two.sided",
                 choices = c("two.sided", "better", "greater", "less")),
      cli_option("adjust", "tests of pairs: correction for multiple comparisons", default = "holm",
                 choices = stats::p.adjust.methods),
      cli_option("level", "confidence level", "number", 0.95, min = 0, max = 1),
      cli_option("baseline", "compare only with this system", value = "SYSTEM"),
      cli_option("table", "table to write", default = "pairs", choices = c("pairs", "systems", "effects", "overall")),
      cli_option("replicates", "resampling tests: number of replicates", "count", 10000, min = 100),
      cli_option("mu", "--test one_sample_t: mean to compare with", "number", 0),
      cli_option("expected", "test expected values, which --model predicts", "flag"),
      cli_option("simulations", "with --expected: number of simulated outcomes", "count", 1000, min = 1),
      cli_seed_option()
    ), cli_collection_options(), cli_model_options()[c(1, 4)]),
    function(o) cli_compare(c(o, list(estimates = NULL))),
    c("judicious evaluate runs.tsv -j judgments.tsv -M AG@5 --per query | judicious compare -",
      "judicious compare runs.tsv -j judgments.tsv -M AG@5 --test t --adjust hochberg",
      "judicious compare runs.tsv --documents documents.tsv -j some.tsv --expected --model published"),
    operands = "FILES..."
  )
}

cli_next_command <- function() {
  cli_command(
    "select the documents to judge next",
    paste("Lists the documents whose judgments contribute most to the goal, best first; none if the goal is reached,",
          "unless --always is given. --batches lists several batches of N documents; with --same-query, the documents",
          "of a batch belong to one query."),
    c(cli_collection_options(), cli_model_options(), cli_goal_options(), cli_selection_options(), list(
      cli_measure_option(),
      cli_option("n", "number of documents (in each batch)", "count", 10, min = 1, short = "n"),
      cli_option("batches", "number of batches", "count", min = 1, short = "b"),
      cli_option("same-query", "select the documents of a batch from one query", "flag"),
      cli_option("always", "list documents even if the goal is reached", "flag"),
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
    "simulate a judging session whose gains are known",
    paste("Simulates a session: selects a document, looks its gain up in --truth, updates the estimates, and stops",
          "when the goal is reached. --judgments are known from the start (joint models only). --table trace writes a",
          "row before the first judgment and one after each; order, the judgments as they were made; systems and",
          "pairs, the ranking at the end. With --replicates, it simulates many sessions on random samples of the",
          "queries and compares the confidence at each of the --budgets with the accuracy."),
    c(cli_collection_options(), cli_model_options()[1:4], cli_goal_options(), cli_selection_options(), list(
      cli_measure_option(),
      cli_option("truth", "file of true gains: query doc gain, or TREC qrels", "file", many = TRUE),
      cli_option("budget", "largest number of judgments", "count", short = "b"),
      cli_option("batch", "number of documents to select at a time", "count", 1, min = 1, short = "n"),
      cli_option("same-query", "select the documents of a batch from one query", "flag"),
      cli_option("audit",
                 paste("joint models: share of judgments that are of randomly selected documents; default: 0.1, or 0",
                       "with --replicates"), "number", min = 0, max = 1),
      cli_option("update-every", "number of judgments after which to estimate again", "count", min = 1),
      cli_option("table", "table to write", default = "trace", choices = c("trace", "order", "systems", "pairs")),
      cli_option("replicates", "number of simulated sessions", "count", min = 1),
      cli_option("budgets", "with --replicates: numbers of judgments at which to compare", many = TRUE,
                 value = "NUMBERS"),
      cli_option("split", paste("with --replicates: which queries to judge (queries: half, learning from the other",
                                "half; bootstrap: a bootstrap sample; whole: all)"),
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

# Options of the judging page.
cli_page_options <- function() {
  list(
    cli_option("browser", "serve the judging page and open it", "flag"),
    cli_option("lead", "serve the lead's page instead", "flag"),
    cli_option("tokens", "require assessors to log in with their tokens", "flag"),
    cli_option("add-assessor", "create tokens for assessors, and write them", many = TRUE, value = "NAMES"),
    cli_option("add-lead", "create tokens for leads, and write them", many = TRUE, value = "NAMES"),
    cli_option("suspend", "revoke the tokens of assessors", many = TRUE, value = "NAMES"),
    cli_option("guidelines", "file of guidelines for assessors, in Markdown", "file"),
    cli_option("media", "folder whose files the page serves under media/", value = "FOLDER"),
    cli_option("host", "address of the page; 0.0.0.0 accepts other machines", default = "127.0.0.1",
               value = "ADDRESS"),
    cli_option("port", "port of the page", "count", min = 1, max = 65535),
    cli_option("site", "host name of the page behind a proxy", value = "NAME"),
    cli_option("proxy", "IP address of a proxy that is trusted to report where requests come from",
               value = "ADDRESS"),
    cli_option("log", "log file of the page, with one JSON object per line", "path")
  )
}

cli_judge_command <- function() {
  cli_command(
    "judge on the terminal, from a file, or in the browser",
    paste("Continues the session in --store, or begins one from RUNS if there is none. It shows one document at a",
          "time; answer with a gain, s to skip (with an optional reason), u to undo, p to show the progress, or q to",
          "stop. Each answer is saved at once, and several assessors can judge at the same time. --from reads",
          "judgments from a file, --browser serves the judging page, and --progress only shows the progress. At the",
          "end, writes a line with the progress."),
    c(list(
      cli_option("store", "file of the session, or a database: postgresql://user@host/name", "path", short = "s"),
      cli_option("assessor", "name of the assessor", default = "me", value = "NAME", short = "a"),
      cli_option("n", "number of judgments after which to stop", "count", min = 1, short = "n"),
      cli_option("show", paste("path or address of a document, with {doc} and {query} in it; the terminal shows the",
                               "content of a text file"), value = "PATH"),
      cli_option("from", "file of judgments to record instead of asking", "file"),
      cli_option("add-runs", "add runs of new systems to the session, with their --documents and --systems", "file",
                 many = TRUE),
      cli_option("add-queries", "add results for new queries to the session, with their --documents and --queries",
                 "file", many = TRUE),
      cli_option("progress", "only show the progress of the session", "flag"),
      cli_option("export", "file to write the judgments to: .csv, .parquet, or otherwise TREC qrels", "path")
    ), cli_page_options(), cli_collection_options(), cli_model_options()[1:4], cli_goal_options(),
    cli_selection_options(), list(
      cli_measure_option(),
      cli_option("budget", "number of judgments after which the session stops", "count", short = "b"),
      cli_option("audit", "share of judgments that are of randomly selected documents", "number", 0.1, min = 0,
                 max = 1),
      cli_option("overlap", "share of documents that a second assessor judges, too", "number", 0, min = 0, max = 1),
      cli_option("refer-to", "what the confidence of the session refers to, as --assessor of the command rank",
                 default = "these", value = "NAME"),
      cli_option("batch", "number of documents to select at a time", "count", 1, min = 1),
      cli_option("same-query", "select the documents of a batch from one query", "flag"),
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
