# Does confidence hold for language models that each give one answer to a question? Makes collections of two benchmarks
# whose answers language models grade, and measures confidence as bench/trust-families.R does, with the built-in prior:
# - six of AlpacaEval: 12 to 25 models answer 80 to 150 instructions each, and GPT-4 states whether an answer is better
#   than that of a reference model. They showed a fault of the belief, and `chance_sd` and `total_sd` (see shortfalls())
#   were chosen on other parts of these data, so that they are no test of the correction;
# - six of WildBench: 8 to 12 models answer 60 to 200 tasks each, and GPT-4 Turbo or GPT-4o gives each answer a score
#   from 1 to 10. Nothing was learned from them but `few_shared_sd`, which does not matter here.
#
#   Rscript bench/trust-benchmarks.R [alpaca=<clone of the repository tatsu-lab/alpaca_eval>]
#     [wildbench=<clone of allenai/WildBench>] [mode=session|random|shared] [budgets=0,5,10,20,50,100,200,400] [seeds=4]
#     [out=file.csv]
#
# Prints means over seeds by collection, and their means. With mode=shared, the scores of GPT-4o are grades of the
# answers that GPT-4 Turbo scores, and in a share of the tasks, two of six models give the same answer: a failed or a
# perfect one. The figures in the article "trust" are of the commits cd543a14 and d6b8dca of the two repositories,
# without the model xwinlm-70b-v0.3, and with the models of `wild_models`.
source("bench/trust-families.R")

# The verdicts on the answers of all models: `system`, `query` and `gain`. Draws are left out.
verdicts <- function(clone) {
  files <- Sys.glob(file.path(clone, "results", "*", "alpaca_eval_gpt4", "annotations.json"))
  model <- basename(dirname(dirname(files)))
  kept <- model != "xwinlm-70b-v0.3"
  each <- Map(function(file, system) {
    found <- jsonlite::fromJSON(file)
    data.frame(system, query = found$instruction, gain = match(found$preference, 1:2) - 1)
  }, files[kept], model[kept])
  with_numbered_queries(do.call(rbind, unname(each)))
}

# The scores of the answers of some models by a grader, in a version of WildBench.
wild_scores <- function(clone, folder, models) {
  each <- lapply(models, function(system) {
    found <- jsonlite::fromJSON(file.path(clone, "eval_results", folder, paste0(system, ".json")))
    data.frame(system, query = found$session_id, gain = suppressWarnings(as.numeric(found$score)))
  })
  with_numbered_queries(do.call(rbind, each))
}

with_numbered_queries <- function(all) {
  all <- stats::na.omit(all)
  all <- all[!duplicated(all[c("system", "query")]), ]
  all$query <- sprintf("q%03d", match(all$query, sort(unique(all$query), method = "radix")))
  all
}

wild_folders <- c("v2.0522/score.v2/eval=gpt-4-turbo-2024-04-09", "v2.0522/score.v2/eval=gpt-4o-2024-05-13",
                  "v2.0625/score.v2/eval=gpt-4o-2024-05-13")
graded_by_both <- c("gemma-2b-it", "gemma-7b-it", "gpt-3.5-turbo-0125", "Phi-3-mini-128k-instruct",
                    "Qwen1.5-72B-Chat-greedy", "reka-flash-20240226")
wild_models <- list(
  c(graded_by_both, paste0("Llama-3-8B-", c("OpenHermes-243K", "ShareGPT-112K", "Tulu-330K", "Ultrachat-200K",
                                            "WildChat", "WizardLM-196K"))),
  c(graded_by_both, "Qwen1.5-72B-Chat", "reka-core-20240501", "reka-edge"),
  c(graded_by_both, "reka-core-20240501", "reka-edge")
)

# A collection of `n` random models and `m` random questions that all of them answer.
part_of <- function(verdicts, n, m, seed, scale = 0:1) {
  set.seed(seed)
  some <- verdicts[verdicts$system %in% sample(sort(unique(verdicts$system), method = "radix"), n), ]
  answered <- names(which(table(some$query) == n))
  some <- some[some$query %in% sample(answered, m), ]
  truth <- data.frame(query = some$query, doc = paste(some$query, some$system), gain = some$gain)
  list(x = test_collection(data.frame(some["system"], truth[c("query", "doc")], rank = 1), judgments = truth, k = 1,
                           scale = scale), truth = truth)
}

cases_of_alpaca <- function(clone) {
  all <- verdicts(clone)
  if (!nrow(all)) stop("`alpaca` must be the folder of a clone of tatsu-lab/alpaca_eval.")
  parts <- data.frame(models = c(25, 25, 25, 15, 15, 12), instructions = c(80, 80, 80, 100, 100, 150))
  lapply(seq_len(nrow(parts)), function(i) {
    c(part_of(all, parts$models[i], parts$instructions[i], seed = i), list(name = paste0("alpaca-", i)))
  })
}

cases_of_wildbench <- function(clone) {
  all <- Map(wild_scores, clone, wild_folders, wild_models)
  parts <- data.frame(version = c(1, 1, 1, 2, 2, 3), models = c(12, 12, 8, 9, 9, 8),
                      tasks = c(80, 200, 60, 100, 150, 100))
  lapply(seq_len(nrow(parts)), function(i) {
    part <- part_of(all[[parts$version[i]]], parts$models[i], parts$tasks[i], seed = i, scale = 1:10)
    c(part, list(name = paste0("wildbench-", i)))
  })
}

# The rankings of six models with grades, of which two give the same answer in a `share` of the tasks.
shared_answers <- function(graded, tasks, share, gain, seed, budgets = c(0, 20)) {
  set.seed(seed)
  some <- graded[graded$query %in% sample(unique(graded$query), tasks), ]
  some$doc <- paste(some$query, some$system)
  for (query in sample(unique(some$query), ceiling(share * tasks))) {
    alike <- sample(which(some$query == query), 2)
    some[alike, c("gain", "grade")] <- gain
    some$doc[alike] <- paste(query, "shared")
  }
  truth <- unique(some[c("query", "doc", "gain")])
  x <- test_collection(some[c("system", "query", "doc")], k = 1, scale = 1:10)
  random <- truth[sample.int(nrow(truth)), ]
  do.call(rbind, lapply(budgets, function(budget) {
    ranking <- rank_systems(x, judgments = utils::head(random, budget), grades = unique(some[c("query", "doc", "grade")]))
    data.frame(tasks, share, answer = if (gain == 1) "failed" else "perfect", budget,
               right = ranking_accuracy(ranking, truth)[["accuracy"]], stated = ranking_confidence(ranking))
  }))
}

main_shared <- function(given) {
  by_turbo <- wild_scores(given$wildbench, wild_folders[1], graded_by_both)
  by_gpt4o <- wild_scores(given$wildbench, wild_folders[2], graded_by_both)
  graded <- merge(by_turbo, stats::setNames(by_gpt4o, c("system", "query", "grade")))
  graded <- graded[graded$query %in% names(which(table(graded$query) == length(graded_by_both))), ]
  runs <- expand.grid(seed = seq_len(given$seeds), gain = c(1, 10), share = c(0, 0.01, 0.05, 0.2, 0.5),
                      tasks = c(60, 300))
  results <- do.call(rbind, Map(shared_answers, list(graded), runs$tasks, runs$share, runs$gain, runs$seed))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  show("Rankings with grades if two of six models share answers",
       stats::aggregate(results[c("right", "stated")], results[c("answer", "budget", "tasks", "share")], mean))
}

main_benchmarks <- function(given) {
  cases <- c(if (nzchar(given$alpaca)) cases_of_alpaca(given$alpaca),
             if (nzchar(given$wildbench)) cases_of_wildbench(given$wildbench))
  results <- do.call(rbind, lapply(cases, function(case) {
    do.call(rbind, lapply(seq_len(given$seeds), function(seed) {
      run_measure(case, gain_prior(), "AG", given$mode, seed, given$budgets)
    }))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  results$over <- results$stated - results$right
  results$benchmark <- sub("-.*", "", results$collection)
  figures <- c("over", "right", "log_score", "z2", "coverage")
  each <- stats::aggregate(results[figures], results[c("benchmark", "collection", "budget")], mean)
  show("By collection", each[-1])
  show("Means over collections", stats::aggregate(each[figures], each[c("benchmark", "budget")], mean))
  show("Largest z2", stats::aggregate(each["z2"], each[c("benchmark", "budget")], max))
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(alpaca = "", wildbench = "",
                                                   budgets = c(0, 5, 10, 20, 50, 100, 200, 400), seeds = 4L,
                                                   mode = "session", out = ""))
  if (given$mode == "shared") main_shared(given) else main_benchmarks(given)
}
