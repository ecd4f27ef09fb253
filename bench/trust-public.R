# Does confidence hold on public data from which nothing of the package was learned, nor any constant chosen? Measures
# confidence as bench/trust-families.R does, with the built-in prior, on
# - robust: 17 runs, one of each participant, of the Robust track of TREC 2003 (100 queries), down to rank 10; documents
#   that nobody judged (4%) are not relevant;
# - wmt: translations of news and talks of WMT 2020 and 2021, which professional translators rated by MQM; gains are 25
#   plus the (negative) score, at least 0. The news of 2020 from English to German are left out: the prior learned from
#   them;
# - webnlg: texts that 17 systems made of the same facts, rated from 0 to 100 by people; gains are 0 to 20.
# Of translations and texts, 120 segments that all systems answer are drawn.
#
#   Rscript bench/trust-public.R [robust=<clone of joaopalotti/trectools>]
#     [wmt=<clone of google/wmt-mqm-human-evaluation>] [webnlg=<clone of WebNLG/challenge-2020>]
#     [measures=AG,P,nDCG,AP,RR] [budgets=0,5,10,20,50,100,200,400] [seeds=4] [mode=random|session] [draws=300]
#     [out=file.csv]
#
# The figures in the article "trust" are of the commits 8a896def, 7fadea28 and 328b4c25. Answers are measured by AG only.
source("bench/trust-families.R")

case_of_robust <- function(clone) {
  folder <- file.path(clone, "examples", "robust03")
  runs <- read_runs(Sys.glob(file.path(folder, "runs", "input.*.gz")))
  runs <- as.data.frame(suppressWarnings(test_collection(runs, k = 10, scale = 0:1)))
  runs <- runs[c("system", "query", "doc", "rank")]
  judged <- read_judgments(file.path(folder, "qrel", "robust03_qrels.txt"))
  truth <- unique(runs[c("query", "doc")])
  gain <- judged$gain[match(paste(truth$query, truth$doc), paste(judged$query, judged$doc))]
  truth$gain <- as.numeric(gain %in% 1:2)
  list(x = suppressWarnings(test_collection(runs, judgments = truth, k = 10, scale = 0:1)), truth = truth,
       name = "robust")
}

# A collection of rated answers: `system`, `query` and `gain`.
case_of_answers <- function(rated, name, levels, most = 120) {
  rated <- rated[!duplicated(rated[c("system", "query")]), ]
  complete <- names(which(table(rated$query) == length(unique(rated$system))))
  set.seed(1)
  rated <- rated[rated$query %in% sample(complete, min(most, length(complete))), ]
  truth <- data.frame(query = rated$query, doc = paste(rated$query, rated$system), gain = rated$gain)
  runs <- data.frame(system = rated$system, truth[c("query", "doc")])
  list(x = test_collection(runs, judgments = truth, k = 1, scale = levels), truth = truth, name = name)
}

cases_of_wmt <- function(clone) {
  parts <- c("newstest2020/zhen", "newstest2021/ende", "newstest2021/zhen", "ted/ende", "ted/zhen")
  files <- Sys.glob(file.path(clone, parts, "mqm_*.avg_seg_scores.tsv"))
  lapply(files, function(file) {
    rows <- utils::read.table(file, header = TRUE, na.strings = "None")
    rows <- stats::na.omit(rows)
    rated <- data.frame(system = rows$system, query = paste0("q", rows$seg_id),
                        gain = pmax(0, round(25 + rows$mqm_avg_score)))
    case_of_answers(rated, sub(".*mqm_(.*)\\.avg.*", "\\1", file), 0:25)
  })
}

case_of_webnlg <- function(clone) {
  file <- file.path(clone, "evaluation", "human-evaluation", "results", "en", "english_humeval_data_all_teams.json")
  rows <- jsonlite::fromJSON(file)
  ratings <- rows[c("Correctness", "DataCoverage", "Fluency", "Relevance", "TextStructure")]
  rated <- stats::aggregate(list(gain = rowMeans(ratings)), list(system = rows$submission_id, query = rows$sample_id),
                            mean)
  case_of_answers(transform(rated, gain = round(gain / 5)), "webnlg", 0:20)
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(
    robust = "", wmt = "", webnlg = "", measures = c("AG", "P", "nDCG", "AP", "RR"),
    budgets = c(0, 5, 10, 20, 50, 100, 200, 400), seeds = 4L, mode = "random", draws = 300L, out = ""
  ))
  cases <- c(if (nzchar(given$robust)) list(case_of_robust(given$robust)),
             if (nzchar(given$wmt)) cases_of_wmt(given$wmt), if (nzchar(given$webnlg)) list(case_of_webnlg(given$webnlg)))
  if (!length(cases)) stop("Name a clone: robust, wmt or webnlg.")
  results <- do.call(rbind, lapply(cases, function(case) {
    runs <- expand.grid(seed = seq_len(given$seeds), measure = if (case$x$k == 1) "AG" else given$measures,
                        stringsAsFactors = FALSE)
    do.call(rbind, Map(function(measure, seed) {
      run_measure(case, gain_prior(), measure, given$mode, seed, given$budgets, given$draws)
    }, runs$measure, runs$seed))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  results$over <- results$stated - results$right
  results$kind <- ifelse(results$collection == "robust", "runs", "answers")
  figures <- c("over", "right", "right_sd", "chance", "log_score", "z2", "coverage")
  each <- stats::aggregate(results[figures], results[c("kind", "measure", "collection", "budget")], mean)
  show("By collection", each[-1])
  show("Means over collections", stats::aggregate(each[figures], each[c("kind", "measure", "budget")], mean))
}
