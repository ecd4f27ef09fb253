# Does confidence hold for language models whose single answers to questions pass or fail? Makes six collections from
# AlpacaEval: 12 to 25 models answer 80 to 150 instructions each, and GPT-4 states whether an answer is better than
# that of a reference model. They showed a fault of the belief, and `chance_sd` and `total_sd` (see shortfalls()) were
# chosen on other parts of these data, so that they are no test of the correction. Measures confidence as
# bench/trust-families.R does, with the built-in prior.
#
#   Rscript bench/trust-benchmarks.R alpaca=<clone of the repository tatsu-lab/alpaca_eval> [mode=session|random]
#     [budgets=0,5,10,20,50,100,200,400] [seeds=4] [out=file.csv]
#
# Prints means over seeds by collection, and their means. The figures in the article "trust" are of the commit cd543a14,
# without the model xwinlm-70b-v0.3.
source("bench/trust-families.R")

# The verdicts on the answers of all models: `system`, `query` and `gain`. Draws are left out.
verdicts <- function(clone) {
  files <- Sys.glob(file.path(clone, "results", "*", "alpaca_eval_gpt4", "annotations.json"))
  model <- basename(dirname(dirname(files)))
  each <- Map(function(file, system) {
    found <- jsonlite::fromJSON(file)
    data.frame(system, query = found$instruction, gain = match(found$preference, 1:2) - 1)
  }, files[model != "xwinlm-70b-v0.3"], model[model != "xwinlm-70b-v0.3"])
  all <- stats::na.omit(do.call(rbind, unname(each)))
  all <- all[!duplicated(all[c("system", "query")]), ]
  all$query <- sprintf("q%03d", match(all$query, sort(unique(all$query), method = "radix")))
  all
}

# A collection of `n` random models and `m` random instructions that all of them answer.
part_of <- function(verdicts, n, m, seed) {
  set.seed(seed)
  some <- verdicts[verdicts$system %in% sample(sort(unique(verdicts$system), method = "radix"), n), ]
  answered <- names(which(table(some$query) == n))
  some <- some[some$query %in% sample(answered, m), ]
  truth <- data.frame(query = some$query, doc = paste(some$query, some$system), gain = some$gain)
  list(x = test_collection(data.frame(some["system"], truth[c("query", "doc")], rank = 1), judgments = truth, k = 1,
                           scale = 0:1), truth = truth)
}

if (sys.nframe() == 0) {
  given <- given_arguments(commandArgs(TRUE), list(alpaca = "", budgets = c(0, 5, 10, 20, 50, 100, 200, 400),
                                                   seeds = 4L, mode = "session", out = ""))
  all <- verdicts(given$alpaca)
  if (!nrow(all)) stop("`alpaca` must be the folder of a clone of tatsu-lab/alpaca_eval.")
  parts <- data.frame(models = c(25, 25, 25, 15, 15, 12), instructions = c(80, 80, 80, 100, 100, 150))
  results <- do.call(rbind, lapply(seq_len(nrow(parts)), function(i) {
    case <- c(part_of(all, parts$models[i], parts$instructions[i], seed = i), list(name = paste0("alpaca-", i)))
    do.call(rbind, lapply(seq_len(given$seeds), function(seed) {
      run_measure(case, gain_prior(), "AG", given$mode, seed, given$budgets)
    }))
  }))
  if (nzchar(given$out)) utils::write.csv(results, given$out, row.names = FALSE)
  results$over <- results$stated - results$right
  figures <- c("over", "right", "log_score", "z2", "coverage")
  each <- stats::aggregate(results[figures], results[c("collection", "budget")], mean)
  show("By collection", each)
  show("Means over collections", stats::aggregate(each[figures], each["budget"], mean))
  show("Largest z2", stats::aggregate(each["z2"], each["budget"], max))
}
